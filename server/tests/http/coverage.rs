use crate::app::on_both;
on_both! {
    async fn dump(app) {
        std::fs::write("/tmp/w/router.txt", format!("{:#?}", server::router(app.service.clone(), false))).unwrap();
    }
}
