//! Recording what was found out about an attempt (R4, R9).

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::{Value, json};

use super::{attempt_ids, finding, not_sent, only, twice_uncertain, with_effect, wrong};
use crate::{
    app::on_both,
    words::{report, time, with},
};

on_both! {
    async fn r9_what_happened_closes_the_item_with_its_record_and_the_automation_is_told(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let found = with(finding("applied"), json!({ "record_id": "L-17", "evidence": "page\u{0} 4 'quoted' \u{202e}" }));
        let (answer, entries) = app.audited(amara.act(&id, "reconcile", found)).await;
        let item = answer.is(200).json();
        assert_eq!((&item["state"], &item["resolution"]), (&json!("closed"), &json!("succeeded_meanwhile")));
        assert_eq!(item["effect"], json!({ "status": "confirmed", "record_id": "L-17" }));
        assert_eq!((&item["version"], &item["claim"]), (&json!(2), &Value::Null));
        assert_eq!((&item["attempts"][0]["effect"], &item["attempts"][0]["record_id"]), (&json!("confirmed"), &json!("L-17")));
        let entry = only(entries, AuditKind::Reconciled, AuditOutcome::Done);
        assert_eq!((&entry.detail["finding"], &entry.detail["attempt"]), (&json!("applied"), &json!(1)));
        assert_eq!(entry.text.as_deref(), Some("page␀ 4 'quoted' \u{202e}"));
        let findings = app.packet(&id).await.findings;
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].source.as_str(), findings[0].by_name.as_str()), ("the ledger", "Amara"));
        let told = sync.get("/api/v1/outcomes?workflow=invoice-sync").await.is(200).json()["items"][0].clone();
        assert_eq!((&told["event"], &told["resolution"], &told["record_id"]), (&json!("closed"), &json!("succeeded_meanwhile"), &json!("L-17")));
    }

    async fn r4_each_finding_settles_the_attempt_as_it_says_and_cannot_tell_settles_nothing(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        for (word, effect, state) in [("not_applied", "none", "open"), ("partial", "partial", "open"), ("cannot_tell", "uncertain", "open"), ("applied", "confirmed", "closed")] {
            let id = sync.reported(&report(word)).await;
            let item = amara.act(&id, "reconcile", finding(word)).await.is(200).json();
            assert_eq!((&item["effect"]["status"], &item["state"]), (&json!(effect), &json!(state)), "{word}");
            assert_eq!(item["version"], 2, "{word}: findings are what decisions rest on");
            assert_eq!(app.database.rows("decision").await, 0);
        }
        let id = sync.reported(&with_effect("was partial", "partial")).await;
        let item = amara.act(&id, "reconcile", finding("applied")).await.is(200).json();
        assert_eq!((&item["effect"]["status"], &item["state"]), (&json!("confirmed"), &json!("closed")));
        let id = sync.reported(&with_effect("was partial 2", "partial")).await;
        assert_eq!(amara.act(&id, "reconcile", finding("not_applied")).await.is(200).json()["effect"]["status"], "none");
    }

    async fn what_is_settled_is_not_turned_by_a_second_finding(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        amara.act(&id, "reconcile", finding("not_applied")).await.is(200);
        for word in ["applied", "not_applied", "partial", "cannot_tell"] {
            let (refused, entries) = app.audited(amara.act(&id, "reconcile", finding(word))).await;
            assert_eq!(refused.problem(409, "not_allowed_now")["rule"], "R4");
            only(entries, AuditKind::Reconciled, AuditOutcome::Refused);
        }
        for (key, status) in [("n", "none"), ("c", "confirmed")] {
            let id = sync.reported(&with_effect(key, status)).await;
            amara.act(&id, "reconcile", finding("applied")).await.problem(409, "not_allowed_now");
        }
        assert_eq!(app.database.rows("finding").await, 1);

        // Another attempt is unsettled: the ones that are known still don't turn.
        let tries = json!([{ "number": 1, "outcome": "failed", "sent": false }, { "number": 2, "outcome": "succeeded", "record_id": "L-2" }, { "number": 3, "outcome": "uncertain", "sent": true }]);
        let id = sync.reported(&with(report("INV-2"), json!({ "attempts": tries }))).await;
        let ids = attempt_ids(&sync.item(&id).await);
        for known in [&ids[0], &ids[1]] {
            for word in ["applied", "not_applied"] {
                wrong(&amara.act(&id, "reconcile", with(finding(word), json!({ "attempt": known }))).await, "/attempt");
            }
        }
        assert_eq!(sync.item(&id).await["effect"]["status"], "uncertain");
        let item = amara.act(&id, "reconcile", finding("not_applied")).await.is(200).json();
        assert_eq!((&item["effect"]["status"], &item["state"]), (&json!("confirmed"), &json!("open")), "R4: an effect stands");
    }

    async fn of_several_unsettled_attempts_the_one_that_is_meant_has_to_be_named(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&twice_uncertain("INV-1")).await;
        let ids = attempt_ids(&sync.item(&id).await);
        let problem = amara.act(&id, "reconcile", finding("applied")).await.problem(422, "which_attempt");
        for attempt in &ids {
            assert!(problem["detail"].as_str().unwrap().contains(attempt), "{problem}");
        }
        let other = sync.reported(&report("INV-2")).await;
        let strangers = attempt_ids(&sync.item(&other).await);
        for nonsense in [json!(strangers[0]), json!(uuid::Uuid::nil().to_string()), json!("1"), json!(1)] {
            wrong(&amara.act(&id, "reconcile", with(finding("applied"), json!({ "attempt": nonsense }))).await, "/attempt");
        }
        let named = |attempt: &str, word: &str| with(finding(word), json!({ "attempt": attempt }));
        let item = amara.act(&id, "reconcile", named(&ids[1], "applied")).await.is(200).json();
        assert_eq!((&item["effect"]["status"], &item["state"]), (&json!("uncertain"), &json!("open")), "the other is unsettled still");
        let item = amara.act(&id, "reconcile", finding("not_applied")).await.is(200).json();
        assert_eq!((&item["attempts"][0]["effect"], &item["effect"]["status"]), (&json!("none"), &json!("confirmed")));
    }

    async fn each_wrong_field_of_a_finding_is_named(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let cases = [
            (json!({ "finding": "maybe" }), "/finding"),
            (json!({ "finding": "Applied" }), "/finding"),
            (json!({ "finding": null }), "/finding"),
            (json!({ "source": "" }), "/source"),
            (json!({ "source": "x".repeat(201) }), "/source"),
            (json!({ "evidence": "" }), "/evidence"),
            (json!({ "evidence": " \r\n\t" }), "/evidence"),
            (json!({ "evidence": "x".repeat(8_001) }), "/evidence"),
            (json!({ "evidence": ["x"] }), "/evidence"),
            (json!({ "record_id": "" }), "/record_id"),
            (json!({ "record_id": "a\u{0}b" }), "/record_id"),
            (json!({ "record_id": "x".repeat(201) }), "/record_id"),
            (json!({ "colour": "red" }), "/colour"),
            (json!({ "": 1 }), "/"),
        ];
        let before = app.database.content_without(&["audit_entry", "token"]).await;
        for (fields, pointer) in cases {
            wrong(&amara.act(&id, "reconcile", with(finding("applied"), fields)).await, pointer);
        }
        for missing in ["finding", "source", "evidence"] {
            wrong(&amara.act(&id, "reconcile", crate::words::without(finding("applied"), missing)).await, &format!("/{missing}"));
        }
        for shape in [json!([]), json!("applied"), json!(null), json!(7)] {
            amara.act(&id, "reconcile", shape).await.problem(422, "invalid");
        }
        assert_eq!(app.database.content_without(&["audit_entry", "token"]).await, before);
        let most = with(finding("cannot_tell"), json!({ "source": "é".repeat(200), "evidence": "é".repeat(8_000), "record_id": "é".repeat(200) }));
        amara.act(&id, "reconcile", most).await.is(200);
    }

    async fn a_retry_that_was_planned_ends_with_the_finding_that_it_happened(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let plan = json!({ "next_attempt_by_automation_at": time(app.service.now() + TimeDelta::hours(1)) });
        let id = sync.reported(&with(report("INV-1"), plan)).await;
        assert_eq!(amara.act(&id, "reconcile", finding("cannot_tell")).await.is(200).json()["state"], "open");
        assert!(app.packet(&id).await.live.is_some(), "it is still planned");
        assert_eq!(amara.act(&id, "reconcile", finding("applied")).await.is(200).json()["state"], "closed");
        assert!(app.packet(&id).await.live.is_none(), "nothing is live on what has ended");
        sync.attempt(&id, &json!({})).await.problem(409, "not_allowed_now");
        amara.act(&id, "reopen", json!({ "reason": "Another look" })).await.is(200);
        sync.attempt(&id, &json!({})).await.problem(409, "in_progress");
    }

    async fn r10_the_automations_later_word_never_turns_what_a_person_found(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let tries = json!({ "attempts": [{ "number": 1, "outcome": "uncertain", "sent": true }] });
        let mut n = 0;
        let mut found = async |word: &str, record: Option<&str>| {
            n += 1;
            let id = sync.reported(&with(report(&format!("INV-{n}")), tries.clone())).await;
            let item = amara.act(&id, "reconcile", with(finding(word), json!({ "record_id": record }))).await.is(200).json();
            app.later(TimeDelta::minutes(1));
            (id, item)
        };
        for word in [json!({ "outcome": "failed", "sent": false }), json!({ "outcome": "failed", "sent": true }), json!({ "outcome": "uncertain", "sent": true })] {
            let (id, before) = found("applied", Some("L-1")).await;
            let (told, entries) = app.audited(sync.attempt(&id, &with(word.clone(), json!({ "number": 1 })))).await;
            told.is(201);
            let item = sync.item(&id).await;
            assert_eq!((&item["state"], &item["effect"]), (&before["state"], &before["effect"]), "{word}");
            assert_eq!(item["attempts"][0]["outcome"], word["outcome"], "its answer is kept all the same");
            only(entries, AuditKind::LateNews, AuditOutcome::Done);
        }
        for same in [json!({ "attempt": 1, "record_id": "L-1" }), json!({ "attempt": 1 }), json!({})] {
            let (id, _) = found("applied", Some("L-1")).await;
            let item = sync.patch(&id, &json!({ "succeeded": same })).await.is(200).json();
            assert_eq!((&item["state"], &item["possible_double_effect"]), (&json!("closed"), &Value::Null), "{same}: that is what was found");
        }
        let (id, _) = found("applied", None).await;
        sync.attempt(&id, &json!({ "number": 1, "outcome": "succeeded", "record_id": "L-1" })).await.is(201);
        assert_eq!(sync.item(&id).await["effect"], json!({ "status": "confirmed", "record_id": "L-1" }));
        let (id, _) = found("applied", Some("L-1")).await;
        let item = sync.patch(&id, &json!({ "succeeded": { "attempt": 1, "record_id": "L-2" } })).await.is(200).json();
        assert_eq!(item["state"], "open", "another record contradicts");

        let (id, _) = found("not_applied", None).await;
        sync.attempt(&id, &json!({ "number": 1, "outcome": "uncertain", "sent": true })).await.is(201);
        assert_eq!(sync.item(&id).await["effect"]["status"], "none", "nothing new was said");
        sync.attempt(&id, &json!({ "number": 1, "outcome": "succeeded", "record_id": "L-1" })).await.is(201);
        assert_eq!(sync.item(&id).await["effect"]["status"], "confirmed", "doubt about a finding counts");
    }

    async fn a_finding_by_form_is_the_same_finding(app) {
        let sync = app.invoices().await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let form = format!("/items/{id}/reconcile");
        let fields = |evidence| vec![("version", "1"), ("finding", "applied"), ("source", " the ledger "), ("evidence", evidence), ("record_id", ""), ("attempt", "")];
        assert!(amara.get(&form).await.is(200).text().contains("Record what you found"));
        let again = amara.post(&form, &fields("  ")).await.is(422).text();
        assert!(again.contains("Fill this in"), "{again}");
        amara.post(&form, &[("finding", "applied"), ("source", "x"), ("evidence", "y")]).await.is(428);
        amara.post(&form, &fields("line 1\r\nline 2")).await.location();
        let packet = app.packet(&id).await;
        assert_eq!((packet.findings[0].evidence.as_str(), packet.findings[0].source.as_str()), ("line 1\nline 2", "the ledger"));
        amara.post(&form, &fields("again")).await.is(409);
    }

    async fn a_step_without_side_effect_has_nothing_to_reconcile(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&with(not_sent("INV-1"), json!({ "step": "extract" }))).await;
        amara.act(&id, "reconcile", finding("applied")).await.problem(409, "not_allowed_now");
    }
}
