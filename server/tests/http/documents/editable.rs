//! What a step opens for editing, and breaking the glass.

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::{Permission, Role},
    sensitivity::Clearance,
};
use serde_json::json;

use super::{DOCUMENT, kept, patch, register, reported, script};
use crate::{actions::only, app::on_both, correcting::post, words::with};

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

    async fn what_is_not_json_any_more_is_called_that_where_it_is(app) {
        register(app, EDITABLE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let broken = DOCUMENT.replace("\"order\" :", "order\" :");
        let version = app.packet_version(&item).await;
        let shown = |seen: &str| {
            let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", seen), ("reason", "A digit"), ("text", &broken)];
            fields.map(|(name, value)| (name, value.to_owned()))
        };
        let fields = shown("0");
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let typing = amara.post(&format!("/items/{item}/draft"), &fields).await.is(200);
        let (told, seen) = (typing.text(), typing.header("x-draft-version").to_owned());
        let fields = shown(&seen);
        let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        fields.push(("stage", "preview"));
        let page = post(&amara, &item, &fields, None).await.is(200).text();
        for told in [told, page.clone()] {
            assert!(told.contains("not JSON any more") && told.contains("Line 2, column 3:"), "{told}");
            assert!(told.contains("data-line=\"2\" data-column=\"3\""), "the editor marks it: {told}");
        }
        assert!(page.contains("Make it JSON again below") && !page.contains("Save as a new revision"), "{page}");
        let (first, then) = (page.find("not JSON any more"), page.find("Line by line"));
        assert!(first.unwrap() < then.unwrap(), "it comes before the difference: {page}");
        let script = script(app, "Bo", &[], Clearance::Restricted).await;
        let correction = json!({ "parent": 1, "text": broken, "reason": "A digit" });
        let problem = script.act(&item, "correct", correction).await.problem(422, "not_editable");
        assert!(problem["detail"].as_str().unwrap().contains("line 2, column 3"), "{problem}");
        assert_eq!(app.revisions(&item).await, 1);
        // Whatever is open, of what has no places nothing is.
        let csv = app.token(&["invoice-sync"]).await;
        let told = with(crate::words::report("B"), json!({ "payload": { "media_type": "text/csv", "text": "sku;qty\r\nA-1;2\r\n" } }));
        let csv = csv.reported(&told).await;
        let page = amara.get(&format!("/items/{csv}/correct")).await.is(200).text();
        assert!(page.contains("Nothing is open for editing") && !page.contains("/lines/*/qty"), "{page}");
        // What only looks like JSON, and is not said to be, is text.
        let told = with(crate::words::report("C"), json!({ "payload": { "media_type": "text/plain", "text": "40" } }));
        let text = app.token(&["invoice-sync"]).await.reported(&told).await;
        let version = app.packet_version(&text).await;
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", "0"), ("stage", "preview"), ("reason", "r"), ("text", "forty")];
        let page = post(&amara, &text, &fields, None).await.is(200).text();
        assert!(page.contains("forty") && !page.contains("not JSON any more"), "{page}");
    }

    async fn r15_who_may_not_correct_is_told_so_before_anything_is_typed(app) {
        register(app, EDITABLE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let selma = app.signed_in("Selma", Role::Supervisor, "finance-ops").await;
        let page = selma.get(&format!("/items/{item}/correct")).await.is(200).text();
        assert!(page.contains("<code>items.correct</code>"), "{page}");
        assert!(!page.contains("Show the difference") && !page.contains("name=\"text\""), "{page}");
        assert!(!page.contains("Open for editing"), "nothing is, for her: {page}");
        // Whoever was let in before finds what they typed.
        let fields = [("version", "1"), ("parent", "1"), ("draft_version", "0"), ("stage", "preview"), ("reason", "r"), ("text", "typed with care")];
        let page = post(&selma, &item, &fields, None).await.text();
        assert!(page.contains("typed with care") && page.contains("<code>items.correct</code>"), "{page}");
        assert_eq!(app.revisions(&item).await, 1);
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
