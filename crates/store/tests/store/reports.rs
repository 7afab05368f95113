//! Reports by their name.

use domain::{digest::Sha256, ids::TokenId};
use store::{Item, ReportRow};
use uuid::Uuid;

use crate::{
    databases::{Database, is_duplicate, on_both},
    world::{HOSTILE, at},
};

async fn report(db: &Database, item: &Item, report_id: &str, answer: &str) -> store::Result<()> {
    let row = ReportRow { digest: Sha256::of(answer.as_bytes()), item_id: item.id, answer: answer.to_owned() };
    let token = TokenId(Uuid::nil());
    db.try_change(async |uow| uow.add_report(item.workflow_id, report_id, &row, token, at(1)).await).await
}

on_both! {
    async fn a_report_is_found_by_its_name_with_its_first_answer(db) {
        let item = db.an_item().await;
        report(db, &item, HOSTILE, HOSTILE).await.unwrap();
        let found = db.look(async |uow| uow.report(item.workflow_id, HOSTILE).await).await.unwrap();
        assert_eq!((found.item_id, found.answer.as_str()), (item.id, HOSTILE));
        assert_eq!(found.digest, Sha256::of(HOSTILE.as_bytes()));
    }

    async fn a_name_is_used_once_in_its_workflow_and_the_first_report_stays(db) {
        let item = db.an_item().await;
        report(db, &item, "r-1", "first").await.unwrap();
        for again in ["first", "second"] {
            let refused = report(db, &item, "r-1", again).await;
            assert!(is_duplicate(&refused), "{refused:?}");
        }
        report(db, &item, "R-1", "another name").await.unwrap();
        let kept = db.look(async |uow| uow.report(item.workflow_id, "r-1").await).await.unwrap();
        assert_eq!(kept.answer, "first");

        let finance = db.look(async |uow| uow.team_by_key("finance").await).await.unwrap();
        let other = db.workflow("crm-sync", &finance).await;
        assert!(db.look(async |uow| uow.report(other.id, "r-1").await).await.is_none());
        report(db, &Item { workflow_id: other.id, ..item }, "r-1", "of another workflow").await.unwrap();
    }
}
