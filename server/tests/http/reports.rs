//! The same report, the same work: what a report makes, adds to, or leaves alone.

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};
use serde_json::json;

use crate::{
    app::{FALLBACK_TEAM, Token, on_both},
    wire::{race, statuses},
    words::{report, time, with, without},
};

on_both! {
    async fn a_report_makes_an_item_and_the_same_report_changes_nothing(app) {
        let sync = app.invoices().await;
        let story = with(report("INV-1042"), json!({ "report_id": "run-7f3a/step-3/1" }));
        let first = sync.report(&story).await.is(201);
        let told = first.json();
        assert_eq!(told["created"], true);
        assert_eq!(told["state"], "open");
        assert_eq!(told["effect"], "uncertain");
        assert_eq!(told["url"], format!("{}/items/{}", app.url, told["id"].as_str().unwrap()));

        app.later(TimeDelta::hours(3));
        let before = app.database.content_without(&["token"]).await;
        let again = sync.report(&story).await.is(200);
        assert_eq!(again.json(), made_nothing(told), "the first result, but that this request made nothing");
        let spaced = sync.report_text(format!("\n {story} \r\n")).await.is(200);
        assert_eq!(spaced.text(), again.text(), "white space around the document is transport");
        assert_eq!(app.database.content_without(&["token"]).await, before);
    }

    async fn without_a_report_id_its_bytes_name_the_report(app) {
        let sync = app.invoices().await;
        let story = report("INV-1");
        let first = sync.report(&story).await.is(201);
        assert_eq!(sync.report(&story).await.is(200).json(), made_nothing(first.json()));
        assert_eq!(attempts(&sync, &first.json()["id"]).await, 1);

        let reworded = with(story, json!({ "failure": { "message": "It hung up" } }));
        let second = sync.report(&reworded).await.is(200).json();
        assert_eq!(second["created"], false);
        assert_eq!(second["id"], first.json()["id"]);
        assert_eq!(attempts(&sync, &second["id"]).await, 2);
    }

    async fn the_same_report_answers_the_same_after_the_item_was_closed(app) {
        let sync = app.invoices().await;
        let story = with(report("INV-1"), json!({ "report_id": "r-1" }));
        let first = sync.report(&story).await.is(201);
        let id = first.json()["id"].as_str().unwrap().to_owned();
        app.later(TimeDelta::minutes(1));
        let closed = sync.patch(&id, &json!({ "succeeded": { "record_id": "L-1" } })).await.is(200).json();
        assert_eq!(closed["state"], "closed");

        app.later(TimeDelta::days(30));
        assert_eq!(sync.report(&story).await.is(200).json(), made_nothing(first.json()));
        let item = sync.item(&id).await;
        assert_eq!(item["state"], "closed");
        assert_eq!(item["version"], closed["version"]);
        assert_eq!(item["attempts"].as_array().unwrap().len(), 1);
    }

    async fn a_hundred_identical_reports_at_once_make_one_item(app) {
        let sync = app.invoices().await;
        let story = with(report("INV-1"), json!({ "report_id": "r-1" }));
        let answers = race(100, |_| sync.report(&story)).await;
        assert_eq!(statuses(&answers), [(200, 99), (201, 1)]);
        let first = answers.iter().find(|answer| answer.status == 201).unwrap().json();
        for repeat in answers.iter().filter(|answer| answer.status == 200) {
            assert_eq!(repeat.json(), made_nothing(first.clone()), "everybody is told the same");
        }
        assert_eq!(app.database.rows("item").await, 1);
        assert_eq!(app.database.rows("attempt").await, 1);
        assert_eq!(app.database.rows("revision").await, 1);
        assert_eq!(app.audit_count(AuditKind::ItemReported, AuditOutcome::Done).await, 1);
    }

    async fn a_hundred_reports_of_one_name_with_other_bytes_leave_one_and_keep_the_rest(app) {
        let sync = app.invoices().await;
        let stories: Vec<_> = (0..100)
            .map(|n| with(report("INV-1"), json!({ "report_id": "r-1", "payload": { "json": { "amount": n } } })))
            .collect();
        let answers = race(100, |n| sync.report(&stories[n])).await;
        assert_eq!(statuses(&answers), [(201, 1), (409, 99)]);
        for refused in answers.iter().filter(|answer| answer.status == 409) {
            refused.kept(409, "report_id_taken");
        }
        assert_eq!(app.database.rows("item").await, 1);
        assert_eq!(app.database.rows("attempt").await, 1);
        assert_eq!(app.database.rows("quarantine").await, 99);
    }

    async fn a_hundred_reports_of_one_work_add_their_attempts_to_one_item(app) {
        let sync = app.invoices().await;
        let stories: Vec<_> = (0..100).map(|n| with(report("INV-1"), json!({ "report_id": format!("r-{n}") }))).collect();
        let answers = race(100, |n| sync.report(&stories[n])).await;
        assert_eq!(statuses(&answers), [(200, 99), (201, 1)]);
        let id = answers[0].json()["id"].clone();
        assert!(answers.iter().all(|answer| answer.json()["id"] == id));
        assert_eq!(attempts(&sync, &id).await, 100);
        let item = sync.item(id.as_str().unwrap()).await;
        assert_eq!(item["version"], 100, "each changed what a decision rests on, the first excepted");
        assert_eq!(item["revisions"].as_array().unwrap().len(), 1, "the payload stayed the same");
    }

    async fn a_cumulative_report_tells_known_attempts_once(app) {
        let sync = app.invoices().await;
        let at = |minute: i64, nanos: i64| time(app.service.now() + TimeDelta::minutes(minute) + TimeDelta::nanoseconds(nanos));
        let try_of = |number: i64, nanos: i64| json!({
            "number": number, "started_at": at(number - 60, nanos), "finished_at": at(number - 59, nanos), "outcome": "failed", "sent": false,
        });
        // With and without nanoseconds, which no database keeps.
        for (key, nanos) in [("INV-1", 0), ("INV-2", 123_456_789)] {
            let tries: Vec<_> = (1..=3).map(|number| try_of(number, nanos)).collect();
            let id = sync.reported(&with(report(key), json!({ "attempts": tries[..1] }))).await;
            sync.report(&with(report(key), json!({ "attempts": tries[..2] }))).await.is(200);
            sync.report(&with(report(key), json!({ "attempts": tries[..3] }))).await.is(200);
            let item = sync.item(&id).await;
            let numbers: Vec<_> = item["attempts"].as_array().unwrap().iter().map(|a| a["number"].as_i64().unwrap()).collect();
            assert_eq!(numbers, [1, 2, 3], "{key}");
            assert_eq!(item["effect"]["status"], "none", "nothing was ever sent");
        }
    }

    async fn another_payload_becomes_a_further_revision_and_asks_for_a_choice(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let changed = with(report("INV-1"), json!({ "payload": { "media_type": "application/json", "json": { "amount": 42 } } }));
        let told = sync.report(&changed).await.is(200).json();
        assert_eq!(told["payload_changed"], true);
        let item = sync.item(&id).await;
        assert_eq!(item["payload_changed"], true);
        let revisions = item["revisions"].as_array().unwrap();
        assert_eq!(revisions.iter().map(|r| r["number"].as_i64().unwrap()).collect::<Vec<_>>(), [1, 2]);
        let original = sync.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await.is(200);
        assert_eq!(original.text(), r#"{"amount":40}"#, "R1: the original stays");
        let newer = sync.get(&format!("/api/v1/items/{id}/revisions/2/payload")).await.is(200);
        assert_eq!(newer.text(), r#"{"amount":42}"#);
        let tries = item["attempts"].as_array().unwrap();
        assert_eq!(tries.iter().map(|a| a["revision"].as_i64().unwrap()).collect::<Vec<_>>(), [1, 2], "R3");
    }

    async fn the_payload_may_stay_with_the_automation(app) {
        let sync = app.invoices().await;
        let story = with(report("INV-1"), json!({ "payload": null, "payload_ref": "s3://invoices/1042" }));
        let id = sync.reported(&story).await;
        let item = sync.item(&id).await;
        assert_eq!(item["payload_ref"], "s3://invoices/1042");
        assert_eq!(item["revisions"], json!([]));
        sync.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await.problem(404, "not_found");
        sync.report(&with(report("INV-2"), json!({ "payload": null }))).await.kept_for("/payload_ref");
        sync.report(&without(report("INV-2"), "payload")).await.kept_for("/payload");
    }

    async fn nobody_registered_it_and_still_it_is_somebodys(app) {
        let legacy = app.token(&["legacy-export"]).await;
        let story = with(report("L-1"), json!({ "workflow": "legacy-export", "step": "upload" }));
        let id = legacy.reported(&story).await;
        let item = legacy.item(&id).await;
        assert_eq!(item["owner"]["team"], FALLBACK_TEAM);
        assert_eq!(item["effect"]["status"], "uncertain", "of an unknown step the worst is assumed");
        assert_eq!(item["sensitivity"], "confidential");
        assert_eq!(item["workflow_version"], json!(null));
        assert_eq!(app.audit_count(AuditKind::WorkflowDiscovered, AuditOutcome::Done).await, 2, "workflow and step");

        let sync = app.invoices().await;
        let id = sync.reported(&with(report("INV-1"), json!({ "step": "archive" }))).await;
        let item = sync.item(&id).await;
        assert_eq!(item["owner"]["team"], "finance-ops", "an unknown step stays with its workflow's team");
        assert_eq!(item["effect"]["status"], "uncertain");
    }

    async fn a_token_reports_for_its_own_workflows_only(app) {
        app.invoices().await;
        let stranger = app.token(&["support-replies", "not-there-yet"]).await;
        let kept = stranger.report(&report("INV-1")).await.kept(403, "forbidden");
        assert_eq!(app.database.rows("item").await, 0);
        let case = app.service.quarantine_case(&crate::app::command_line(), kept.parse().unwrap()).await.unwrap();
        assert_eq!(case.bytes.unwrap(), report("INV-1").to_string().as_bytes());
        assert_eq!(case.report.team_name, "finance-ops", "the workflow's own team sees it");
        stranger.reported(&with(report("X-1"), json!({ "workflow": "not-there-yet" }))).await;

        let master = app.token_named("every workflow", None).await;
        master.reported(&report("INV-1")).await;
        master.reported(&with(report("S-1"), json!({ "workflow": "support-replies" }))).await;
    }

    async fn two_automations_may_use_the_same_names(app) {
        let sync = app.invoices().await;
        let replies = app.token(&["support-replies"]).await;
        let story = with(report("INV-1"), json!({ "report_id": "r-1" }));
        let one = sync.reported(&story).await;
        let other = replies.reported(&with(story.clone(), json!({ "workflow": "support-replies" }))).await;
        assert_ne!(one, other, "a key names work within its workflow");
        let third = sync.reported(&with(story, json!({ "step": "extract", "report_id": "r-2" }))).await;
        assert_ne!(one, third, "and within its step");
    }

    async fn what_a_report_leaves_out_has_its_default(app) {
        let sync = app.invoices().await;
        let bare = json!({
            "workflow": "invoice-sync", "dedupe_key": "D-1", "step": "create_invoice",
            "failure": { "message": "No answer" }, "payload": { "text": "x" },
        });
        let item = sync.item(&sync.reported(&bare).await).await;
        assert_eq!(item["lane"], "dead_letter");
        assert_eq!(item["failure"]["class"], "unknown");
        assert_eq!(item["impact"], "high", "the step's");
        assert_eq!(item["sensitivity"], "confidential", "the step's");
        assert_eq!(item["workflow_version"], "2026-11-20", "the registered one");
        assert_eq!(item["received_at"], time(app.service.now()));
        assert_eq!(item["revisions"][0]["media_type"], "text/plain; charset=utf-8");

        let unknown_step = with(bare, json!({ "step": "archive" }));
        let item = sync.item(&sync.reported(&unknown_step).await).await;
        assert_eq!((&item["impact"], &item["sensitivity"]), (&json!("medium"), &json!("confidential")));
    }

    async fn of_two_sensitivities_the_higher_counts_and_it_never_falls(app) {
        let sync = app.invoices().await;
        for (step, stated, counts) in [
            ("create_invoice", "internal", "confidential"),
            ("create_invoice", "restricted", "restricted"),
            ("extract", "internal", "internal"),
            ("pay", "internal", "restricted"),
        ] {
            let story = with(report(&format!("{step}-{stated}")), json!({ "step": step, "sensitivity": stated }));
            let item = sync.item(&sync.reported(&story).await).await;
            assert_eq!(item["sensitivity"], counts, "{step} {stated}");
        }
        let story = with(report("create_invoice-restricted"), json!({ "sensitivity": "internal", "report_id": "later" }));
        let id = sync.report(&story).await.is(200).json()["id"].as_str().unwrap().to_owned();
        assert_eq!(sync.item(&id).await["sensitivity"], "restricted");
    }
}

/// The first answer as a repeat of its report is told it.
fn made_nothing(first: serde_json::Value) -> serde_json::Value {
    with(first, json!({ "created": false }))
}

async fn attempts(token: &Token<'_>, id: &serde_json::Value) -> usize {
    token.item(id.as_str().unwrap()).await["attempts"].as_array().unwrap().len()
}
