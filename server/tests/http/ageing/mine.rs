//! My work: what somebody answers for, and what they have claimed.

use chrono::TimeDelta;
use domain::permission::Role;
use serde_json::json;

use super::{TARGETS, file};
use crate::{actions::not_sent, app::on_both};

on_both! {
    async fn my_work_is_what_i_answer_for_and_what_i_have_claimed(app) {
        app.register(&file(TARGETS, "")).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let (own, bo) = (app.script_of("amara@example.test", &[]).await, app.script("Bo", Role::Operator, "finance-ops").await);
        let mut items = Vec::new();
        for key in ["INV-1", "INV-2", "INV-3", "INV-4"] {
            items.push(sync.reported(&not_sent(key)).await);
        }
        own.act(&items[0], "claim", json!({})).await.is(200);
        bo.act(&items[1], "hand_over", json!({ "person": "amara@example.test", "note": "Yours" })).await.is(409);
        bo.act(&items[1], "claim", json!({})).await.is(200);
        bo.act(&items[1], "hand_over", json!({ "person": "amara@example.test", "note": "Yours" })).await.is(200);
        bo.act(&items[2], "claim", json!({})).await.is(200);
        let shown = |page: &str| ["INV-1", "INV-2", "INV-3", "INV-4"].map(|key| page.contains(key));
        let page = amara.get("/queue?view=open&mine=yes").await.is(200).words();
        assert!(page.contains("My work"), "{page}");
        assert_eq!(shown(&page), [true, true, false, false], "{page}");
        app.later(TimeDelta::minutes(31));
        let page = amara.get("/queue?view=open&mine=yes").await.is(200).words();
        assert_eq!(shown(&page), [false, true, false, false], "the claim has run out: {page}");
        let farid = app.signed_in("Farid", Role::Operator, "support").await;
        assert!(farid.get("/queue?view=open&mine=yes").await.is(200).words().contains("Nothing is yours"));
    }
}
