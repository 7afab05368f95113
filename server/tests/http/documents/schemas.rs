//! The step's JSON Schema: asked when a correction is saved and again when it is sent; money and large numbers exactly (C25).

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::{Permission, Role},
    sensitivity::Clearance,
};
use serde_json::json;

use super::{patch, register, reported, script};
use crate::{actions::only, app::on_both, words::with};

const SCHEMA: &str = r#"{
  "type": "object", "required": ["amount"],
  "properties": {
    "amount": { "type": "number", "multipleOf": 0.01, "maximum": 1070468.14 },
    "id": { "type": "integer", "maximum": 9007199254740992 },
    "at": { "type": "string", "format": "date-time" }
  }
}"#;
const STEP: &str = "schema = \"invoice.schema.json\"";
const FITS: &str = "{\"amount\":1070468.14,\"id\":1.0}";

on_both! {
    async fn c25_a_correction_has_to_fit_exactly(app) {
        register(app, STEP, Some(SCHEMA)).await;
        let item = reported(app, "A", FITS).await;
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        for (text, pointer) in [
            ("{\"amount\":0.005}", "/amount"),
            ("{\"amount\":1070468.15}", "/amount"),
            ("{\"amount\":1,\"id\":9007199254740993}", "/id"),
            ("{\"amount\":1,\"at\":\"2026-02-30T00:00:00Z\"}", "/at"),
            ("{\"amount\":\"1\"}", "/amount"),
            ("{}", ""),
        ] {
            let correction = json!({ "parent": 1, "text": text, "reason": "r" });
            let problem = amara.act(&item, "correct", correction).await.problem(422, "schema_fails");
            assert_eq!(problem["fields"][0]["pointer"], pointer, "{text}: {problem}");
        }
        for (parent, text) in [(1, "{\"amount\":1.11,\"id\":1.0}"), (2, "{\"amount\":1070468.14,\"id\":9007199254740992}"), (3, "{\"amount\":1e2}")] {
            amara.act(&item, "correct", json!({ "parent": parent, "text": text, "reason": "r" })).await.is(200);
        }
    }

    async fn overriding_it_takes_a_permission_a_word_and_a_second_person(app) {
        register(app, STEP, Some(SCHEMA)).await;
        let item = reported(app, "A", FITS).await;
        let misfit = || with(patch(1, json!([{ "op": "replace", "path": "/amount", "value": 0.005 }])), json!({ "override_schema": true }));
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        amara.act(&item, "correct", misfit()).await.problem(403, "forbidden");
        let bo = script(app, "Bo", &[Permission::PayloadsOverrideSchema], Clearance::Restricted).await;
        let (done, entries) = app.audited(bo.act(&item, "correct", misfit())).await;
        done.is(200);
        assert_eq!(only(entries, AuditKind::Corrected, AuditOutcome::Done).detail.0["overrides_schema"], 1);
        bo.act(&item, "replay", json!({ "revision": 2, "reason": "r" })).await.problem(409, "needs_approval");
    }

    async fn a_failing_original_is_replayed_unedited_by_choice_and_a_correction_is_not(app) {
        register(app, "", None).await;
        let item = reported(app, "A", "{\"amount\":0.005}").await;
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        amara.act(&item, "correct", json!({ "parent": 1, "text": "{\"amount\":0.007}", "reason": "r" })).await.is(200);
        // The schema came afterwards: it is asked again when acting.
        register(app, STEP, Some(SCHEMA)).await;
        let replay = |revision: i64| json!({ "revision": revision, "reason": "r" });
        amara.act(&item, "replay", replay(2)).await.problem(409, "needs_approval");
        amara.act(&item, "replay", replay(1)).await.problem(409, "schema_fails");
        amara.act(&item, "replay", with(replay(1), json!({ "accept": ["schema_fails"] }))).await.is(202);
    }

    async fn a_schema_that_can_t_be_used_is_told_and_nothing_is_fetched(app) {
        register(app, STEP, Some("{\"$ref\":\"https://example.com/x.json\"}")).await;
        let item = reported(app, "A", FITS).await;
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        let correction = json!({ "parent": 1, "text": "{\"amount\":2}", "reason": "r" });
        let problem = amara.act(&item, "correct", correction).await.problem(422, "schema_fails");
        assert!(problem["fields"][0]["message"].as_str().unwrap().contains("example.com"), "{problem}");
    }

    async fn the_page_tells_what_does_not_fit_at_its_line(app) {
        register(app, STEP, Some(SCHEMA)).await;
        let item = reported(app, "A", "{\n \"amount\": 1,\n \"id\": 2\n}").await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let version = app.packet_version(&item).await;
        let text = "{\r\n \"amount\": 0.005,\r\n \"id\": 2\r\n}";
        let fields = [("version", version.as_str()), ("parent", "1"), ("stage", "preview"), ("text", text), ("reason", "r")];
        let page = amara.post(&format!("/items/{item}/correct"), &fields).await.is(200).text();
        assert!(page.contains("data-line=\"2\"") && page.contains("payloads.override_schema"), "{page}");
        assert!(!page.contains("Save as a new revision"), "nobody is led into a refusal");
    }
}
