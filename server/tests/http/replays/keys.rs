use domain::replay::own_key;
use serde_json::json;

use super::{FORGETFUL, GOOD, Shape, Stage, last, standing};
use crate::{
    app::on_both,
    words::{report, time, with},
};

on_both! {
    /// R7: the original goes out with the automation's own key, every other revision with one of its own, always the same.
    async fn r7_each_revision_has_one_key_and_the_original_the_automations(app) {
        let stage = Stage::new(app, Shape { mode: "422", ..FORGETFUL }).await;
        let item = stage.sync.reported(&with(report("INV-1"), json!({
            "attempts": [{ "number": 1, "outcome": "failed", "sent": false }],
            "effect": { "status": "none", "idempotency_key": "supplier-invoice:ACME:INV-1" },
        }))).await;
        let correction = json!({ "parent": 1, "text": "{\"amount\": 1}", "reason": "A try" });
        stage.amara.act(&item, "correct", correction).await.is(200);
        for revision in [1, 2, 2, 1] {
            assert_eq!(standing(&stage.replayed(&item, revision).await), ("open", "none", None));
        }
        let own = own_key(item.parse().unwrap(), 2, 0);
        let keys: Vec<_> = stage.lines().into_iter().map(|line| line.key.unwrap()).collect();
        assert_eq!(keys, ["supplier-invoice:ACME:INV-1", &own, &own, "supplier-invoice:ACME:INV-1"]);
        let ids: Vec<_> = stage.lines().iter().map(|line| line.header("recourse-attempt").unwrap().to_owned()).collect();
        assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "every attempt has its own id");
    }

    /// C04: a receiver that compares parameters per key never sees a key with another body.
    async fn c04_a_corrected_body_never_travels_under_the_first_bodys_key(app) {
        let stage = Stage::new(app, Shape { mode: "stripe", ..GOOD }).await;
        let began = time(app.service.now());
        let item = stage.sync.reported(&with(report("INV-1"), json!({
            "attempts": [{ "number": 1, "outcome": "failed", "sent": true, "started_at": began, "finished_at": began }],
            "effect": { "status": "none", "idempotency_key": "K" },
        }))).await;
        let correction = json!({ "parent": 1, "text": "{\"amount\": 1}", "reason": "A try" });
        stage.amara.act(&item, "correct", correction).await.is(200);
        assert_eq!(standing(&stage.replayed(&item, 2).await), ("closed", "confirmed", Some("replayed")));
        assert_ne!(stage.lines()[0].key.as_deref(), Some("K"));
        assert_eq!(stage.sink.kept().len(), 1);
    }

    /// A key that no header can carry ends as a known failure, and a correction gets a key that can.
    async fn c31_a_key_that_no_header_can_carry_is_told(app) {
        let stage = Stage::new(app, GOOD).await;
        // Line ends are refused when a key is reported; what is left are other characters a header may not have.
        let item = stage.sync.reported(&with(report("INV-1"), json!({
            "attempts": [{ "number": 1, "outcome": "failed", "sent": false }],
            "effect": { "status": "none", "idempotency_key": "r\u{e9}f-\u{1f600}" },
        }))).await;
        let seen = stage.replayed(&item, 1).await;
        assert_eq!(seen["state"], "closed", "bytes beyond ASCII travel as they are: {}", last(&seen));
        let line = &stage.lines()[0];
        assert_eq!(line.headers["idempotency-key"].as_bytes(), "r\u{e9}f-\u{1f600}".as_bytes());
    }
}
