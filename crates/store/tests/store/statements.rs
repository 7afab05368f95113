//! Every statement there is can be prepared.

use store::registry;

use crate::databases::on_both;

on_both! {
    async fn every_statement_and_every_legal_list_is_understood(db) {
        let mut uow = db.store.begin().await.unwrap();
        let prepared =
            registry::prepare_all(&mut uow).await.unwrap_or_else(|(name, error)| panic!("{name}: {error:?}"));
        // 5 views, 2 orders, 7 filters, first or later page, 3 statements each: 7,680 for the lists alone.
        assert!(prepared > 7_680, "only {prepared} statements");
    }
}
