use domain::permission::Role;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use super::{FORGETFUL, Shape, Stage, last, standing};
use crate::app::on_both;

/// State, effect and resolution of an item.
type Standing = (&'static str, &'static str, Option<&'static str>);

/// Mode of the sink, the outcome, and how the item stands then.
const TABLE: &[(&str, &str, Standing)] = &[
    ("ok", "succeeded", ("closed", "confirmed", Some("replayed"))),
    ("created", "succeeded", ("closed", "confirmed", Some("replayed"))),
    ("202", "accepted", ("awaiting_outcome", "uncertain", None)),
    // Success rule and record id can't hold where there is no body.
    ("204", "uncertain", ("open", "uncertain", None)),
    ("wrong", "uncertain", ("open", "uncertain", None)),
    ("301", "uncertain", ("open", "uncertain", None)),
    ("302", "uncertain", ("open", "uncertain", None)),
    ("303", "uncertain", ("open", "uncertain", None)),
    ("307", "failed", ("open", "none", None)),
    ("308", "failed", ("open", "none", None)),
    ("400", "failed", ("open", "none", None)),
    ("401", "failed", ("open", "none", None)),
    ("404", "failed", ("open", "none", None)),
    ("422", "failed", ("open", "none", None)),
    ("408", "uncertain", ("open", "uncertain", None)),
    ("409", "uncertain", ("open", "uncertain", None)),
    ("500", "uncertain", ("open", "uncertain", None)),
    ("503", "uncertain", ("open", "uncertain", None)),
    ("599", "uncertain", ("open", "uncertain", None)),
    ("reset", "uncertain", ("open", "uncertain", None)),
    ("cut", "uncertain", ("open", "uncertain", None)),
    ("hang?s=600", "uncertain", ("open", "uncertain", None)),
    ("drip?s=600", "uncertain", ("open", "uncertain", None)),
    ("bigbody?mb=200", "uncertain", ("open", "uncertain", None)),
];

on_both! {
    /// C60, C39: every kind of answer ends as R8's table says: never a 500 of ours, never a stuck item.
    async fn r8_c60_every_answer_ends_as_the_table_says(app) {
        let stage = Stage::new(app, FORGETFUL).await;
        for (at, (mode, outcome, expected)) in TABLE.iter().enumerate() {
            if at > 0 {
                stage.reshape(Shape { mode, ..FORGETFUL }).await;
            }
            let item = stage.unsent(mode).await;
            let before = stage.lines().len();
            let seen = stage.replayed(&item, 1).await;
            assert_eq!(standing(&seen), *expected, "{mode}: {}", last(&seen));
            assert_eq!(last(&seen)["outcome"], *outcome, "{mode}");
            assert!(last(&seen)["message"].as_str().is_some_and(|told| told.ends_with('.')), "{mode}: {}", last(&seen));
            assert_eq!(stage.lines().len(), before + 1, "{mode}: one request, no redirect followed, nothing repeated");
        }
        assert!(stage.lines().iter().all(|line| line.header("recourse-item").is_some()), "no redirect was followed");
    }

    /// What is kept of a long answer is its beginning, marked as cut.
    async fn c39_a_huge_answer_is_kept_cut_and_marked(app) {
        let stage = Stage::new(app, Shape { mode: "bigbody?mb=3", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        stage.replayed(&item, 1).await;
        let answers = app.packet(&item).await.answers;
        assert_eq!((answers.len(), answers[0].bytes.len(), answers[0].cut), (1, 64 << 10, true));
    }

    /// What comes back is not HTTP at all.
    async fn what_is_not_http_is_uncertain(app) {
        let stage = Stage::new(app, FORGETFUL).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/x", listener.local_addr().unwrap());
        let answering = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut read = [0; 64];
            let _ = stream.read(&mut read).await;
            let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n").await;
        });
        stage.reshape_text(FORGETFUL, |text| text.replace(&format!("{}/ok", stage.sink.url), &url)).await;
        let item = stage.unsent("INV-1").await;
        let seen = stage.replayed(&item, 1).await;
        answering.await.unwrap();
        assert_eq!(standing(&seen), ("open", "uncertain", None), "{}", last(&seen));
    }

    /// A step may say of single codes what they mean here.
    async fn r8_a_step_overrides_single_codes(app) {
        let stage = Stage::new(app, Shape { mode: "409", to: "answers = { 409 = \"no_effect\" }", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        assert_eq!(standing(&stage.replayed(&item, 1).await), ("open", "none", None));
    }

    /// C05 in its answer: the item's list shows the last failure, each attempt its own.
    async fn c64_the_last_failure_is_shown_and_the_first_is_kept(app) {
        let stage = Stage::new(app, Shape { mode: "422", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        let before = stage.sync.item(&item).await;
        let first = before["attempts"][0].clone();
        let seen = stage.replayed(&item, 1).await;
        let packet = app.packet(&item).await;
        assert!(packet.item.message.contains("422"), "{}", packet.item.message);
        assert!(seen["attempts"].as_array().unwrap().contains(&first), "the first attempt reads as before");
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        assert!(jonas.get("/queue").await.is(200).text().contains("Answered 422"));
        let told: Value = json!(packet.item.failure_class.as_str());
        assert_eq!(told, "validation");
    }
}
