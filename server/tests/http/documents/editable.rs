//! What a step opens for editing, and breaking the glass.

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Permission,
    sensitivity::Clearance,
};
use serde_json::json;

use super::{DOCUMENT, kept, patch, register, reported, script};
use crate::{actions::only, app::on_both, words::with};

const EDITABLE: &str = "editable = [\"/amount\", \"/vendor/*\", \"/lines/*/qty\"]";

on_both! {
    async fn what_is_open_is_corrected_and_what_is_not_is_named(app) {
        register(app, EDITABLE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        for (operations, place) in [
            (json!([{ "op": "replace", "path": "/order", "value": 11 }]), "/order"),
            (json!([{ "op": "replace", "path": "/amount", "value": 1 }, { "op": "remove", "path": "/ref" }]), "/ref"),
            (json!([{ "op": "add", "path": "/vendor/address", "value": { "zip": "0150" } }, { "op": "add", "path": "/new", "value": 1 }]), "/new"),
            (json!([{ "op": "remove", "path": "/lines/0" }]), "/lines/0"),
            (json!([{ "op": "move", "from": "/vendor/iban", "path": "/lines/0/iban" }]), "/lines/0/iban"),
            // Only the spelling: it may matter to whoever receives it.
            (json!([{ "op": "replace", "path": "/order", "value": 10 }]), "/order"),
        ] {
            let problem = amara.act(&item, "correct", patch(1, operations.clone())).await.problem(422, "not_editable");
            assert!(problem["detail"].as_str().unwrap().contains(place), "{operations}: {problem}");
        }
        assert_eq!(app.revisions(&item).await, 1);
        let open = json!([{ "op": "replace", "path": "/amount", "value": 1 }, { "op": "replace", "path": "/lines/1/qty", "value": 3 }, { "op": "add", "path": "/vendor/vat", "value": "x" }]);
        amara.act(&item, "correct", patch(1, open)).await.is(200);
        assert!(!app.packet(&item).await.revisions[1].breaks_glass);
    }

    async fn breaking_the_glass_takes_a_permission_a_word_and_a_second_person(app) {
        register(app, EDITABLE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let outside = || with(patch(1, json!([{ "op": "replace", "path": "/order", "value": 11 }])), json!({ "break_glass": true }));
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        let (refused, entries) = app.audited(amara.act(&item, "correct", outside())).await;
        refused.problem(403, "forbidden");
        only(entries, AuditKind::Corrected, AuditOutcome::Refused);
        let bo = script(app, "Bo", &[Permission::PayloadsBreakGlass], Clearance::Restricted).await;
        bo.act(&item, "release", json!({})).await;
        let (done, entries) = app.audited(bo.act(&item, "correct", outside())).await;
        done.is(200);
        assert_eq!(only(entries, AuditKind::Corrected, AuditOutcome::Done).detail.0["breaks_glass"], 1);
        assert!(app.packet(&item).await.revisions[1].breaks_glass);
        let replay = |revision: i64| json!({ "revision": revision, "reason": "Corrected" });
        bo.act(&item, "replay", replay(2)).await.problem(409, "needs_approval");
        // What is made from it carries the mark on.
        bo.act(&item, "correct", patch(2, json!([{ "op": "replace", "path": "/amount", "value": 7 }]))).await.is(200);
        bo.act(&item, "replay", replay(3)).await.problem(409, "needs_approval");
        bo.act(&item, "replay", replay(1)).await.is(202);
    }

    async fn a_second_member_of_one_name_breaks_the_glass_whatever_is_open(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        let twice = DOCUMENT.replace("\"order\" : 10.0,", "\"order\" : 10.0, \"order\":11,");
        let correction = json!({ "parent": 1, "text": twice, "reason": "Twice" });
        let problem = amara.act(&item, "correct", correction).await.problem(422, "not_editable");
        assert!(problem["detail"].as_str().unwrap().contains("a second one"), "{problem}");
        let inside = DOCUMENT.replace("\"order\" : 10.0,", "\"order\" : 10.0, \"x\":{\"a\":1,\"a\":2},");
        let body = json!({ "parent": 1, "text": inside, "reason": "Twice, deeper" });
        amara.act(&item, "correct", body).await.problem(422, "not_editable");
    }

    async fn a_form_s_fields_are_told_apart_and_so_is_their_order(app) {
        register(app, "editable = [\"/memo\"]", None).await;
        let sync = app.token(&["invoice-sync"]).await;
        let payload = json!({ "media_type": "application/x-www-form-urlencoded", "text": "iban=A&iban=B&memo=x" });
        let item = sync.reported(&with(crate::actions::not_sent("A"), json!({ "payload": payload }))).await;
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        for text in ["iban=B&iban=A&memo=x", "iban=A&iban=C&memo=x", "iban=A&iban=B&memo=x&memo=y"] {
            amara.act(&item, "correct", json!({ "parent": 1, "text": text, "reason": "r" })).await.problem(422, "not_editable");
        }
        amara.act(&item, "correct", json!({ "parent": 1, "text": "iban=A&iban=B&memo=z", "reason": "r" })).await.is(200);
    }

    async fn what_the_automation_sends_anew_is_nobody_s_correction(app) {
        register(app, EDITABLE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let bo = script(app, "Bo", &[Permission::PayloadsBreakGlass], Clearance::Restricted).await;
        let outside = with(patch(1, json!([{ "op": "replace", "path": "/order", "value": 11 }])), json!({ "break_glass": true }));
        bo.act(&item, "correct", outside).await.is(200);
        let sync = app.token(&["invoice-sync"]).await;
        let again = with(crate::actions::not_sent("A"), json!({ "payload": { "media_type": "application/json", "text": "{\"amount\":3}" } }));
        sync.report(&again).await.is(200);
        bo.act(&item, "replay", json!({ "revision": 3, "reason": "As it is now" })).await.is(202);
    }

    async fn what_can_t_be_told_apart_is_not_open(app) {
        register(app, EDITABLE, None).await;
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        let item = reported(app, "A", "{\"amount\": 1").await;
        let mended = json!({ "parent": 1, "text": "{\"amount\": 1}", "reason": "The bracket" });
        amara.act(&item, "correct", mended).await.problem(422, "not_editable");
        assert_eq!(kept(app, &item, 1).await, "{\"amount\": 1");
    }
}
