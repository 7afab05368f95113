//! Closing an item by a person's decision (R9): every row of the table.

use std::collections::BTreeSet;

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::{Value, json};

use super::{finding, not_sent, only, resolution, twice_uncertain, with_effect, wrong};
use crate::{
    app::on_both,
    wire::{race, statuses},
    words::{self, report, with},
};

const WITH_CODES: &str = r#"
[workflow]
key = "orders"
name = "Orders"
owner_team = "finance-ops"
version = "1"

[workflow.resolution_codes]
discarded = ["duplicate_order", "test_data"]

[[step]]
key = "place"
side_effect = "irreversible"
"#;

on_both! {
    /// Which resolutions end an item of a lane with an effect, with the effect stated as it is.
    async fn r9_each_resolution_is_for_the_effects_and_lanes_it_is_for(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let other = sync.reported(&report("other")).await;
        let words = ["accepted", "done_by_hand", "accepted_degraded", "discarded", "duplicate", "compensated", "replayed", "succeeded_meanwhile"];
        let mut table = String::new();
        for lane in ["dead_letter", "needs_review"] {
            for effect in ["none", "confirmed", "partial"] {
                for word in words {
                    let key = format!("{lane} {effect} {word}");
                    let id = sync.reported(&with(with_effect(&key, effect), json!({ "lane": lane }))).await;
                    let mut body = resolution(word, effect);
                    match word {
                        "accepted_degraded" => body["follow_up"] = json!("Tell them"),
                        "duplicate" => body["duplicate_of"] = json!(other),
                        "compensated" => body = words::without(body, "effect"),
                        _ => {}
                    }
                    let answer = amara.act(&id, "resolve", body).await;
                    if answer.status == 200 {
                        let item = answer.json();
                        assert_eq!((&item["state"], &item["resolution"], &item["effect"]["status"]), (&json!("closed"), &json!(word), &json!(effect)), "{key}");
                        assert_eq!(app.packet(&id).await.decision.unwrap().resolution.as_str(), word);
                        table += &format!("{key}\n");
                    } else {
                        wrong(&answer, "/resolution");
                        assert_eq!(sync.item(&id).await["state"], "open", "{key}");
                    }
                }
            }
        }
        let expected = [
            "dead_letter none done_by_hand", "dead_letter none accepted_degraded", "dead_letter none discarded", "dead_letter none duplicate",
            "dead_letter confirmed done_by_hand", "dead_letter confirmed accepted_degraded", "dead_letter confirmed duplicate",
            "dead_letter partial done_by_hand", "dead_letter partial accepted_degraded", "dead_letter partial duplicate",
            "needs_review none accepted", "needs_review none done_by_hand", "needs_review none accepted_degraded", "needs_review none discarded", "needs_review none duplicate",
            "needs_review confirmed accepted", "needs_review confirmed done_by_hand", "needs_review confirmed accepted_degraded", "needs_review confirmed duplicate",
            "needs_review partial accepted", "needs_review partial done_by_hand", "needs_review partial accepted_degraded", "needs_review partial duplicate",
        ];
        assert_eq!(table.lines().collect::<BTreeSet<_>>(), expected.into_iter().collect());
    }

    async fn r4_what_is_known_must_be_stated_as_it_is(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        for known in ["none", "confirmed", "partial"] {
            let id = sync.reported(&with_effect(known, known)).await;
            for stated in ["none", "confirmed", "partial"].into_iter().filter(|stated| *stated != known) {
                let degraded = with(resolution("accepted_degraded", stated), json!({ "follow_up": "x" }));
                wrong(&amara.act(&id, "resolve", degraded).await, "/effect");
            }
            for stated in [json!("uncertain"), json!("compensated"), json!("maybe"), json!(null)] {
                let degraded = with(resolution("accepted_degraded", known), json!({ "follow_up": "x", "effect": stated }));
                wrong(&amara.act(&id, "resolve", degraded).await, "/effect");
            }
            assert_eq!(sync.item(&id).await["state"], "open");
        }
        assert_eq!((app.database.rows("decision").await, app.database.rows("finding").await), (0, 0));
    }

    async fn r9_what_is_stated_is_a_finding_about_every_unsettled_attempt(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&twice_uncertain("INV-1")).await;
        let body = with(resolution("discarded", "none"), json!({ "evidence": "Neither is in the ledger" }));
        let (answer, entries) = app.audited(amara.act(&id, "resolve", body)).await;
        let item = answer.is(200).json();
        assert_eq!((&item["effect"]["status"], &item["attempts"][0]["effect"], &item["attempts"][1]["effect"]), (&json!("none"), &json!("none"), &json!("none")));
        let packet = app.packet(&id).await;
        assert_eq!(packet.findings.len(), 2);
        assert!(packet.findings.iter().all(|found| found.evidence == "Neither is in the ledger" && found.finding.as_str() == "not_applied"));
        assert_eq!(packet.attempts.len(), 2, "nothing was done by hand");
        let entry = only(entries, AuditKind::Resolved, AuditOutcome::Done);
        assert_eq!((&entry.detail["resolution"], &entry.detail["effect"]), (&json!("discarded"), &json!("none")));
        assert_eq!(entry.text.as_deref(), Some("Agreed with the supplier"));

        let id = sync.reported(&twice_uncertain("INV-2")).await;
        wrong(&amara.act(&id, "resolve", resolution("discarded", "confirmed")).await, "/resolution");
        assert_eq!(app.packet(&id).await.findings.len(), 0, "a refusal keeps nothing");
        let id = sync.reported(&report("INV-3")).await;
        let body = with(resolution("done_by_hand", "confirmed"), json!({ "record_id": "L-3" }));
        let item = amara.act(&id, "resolve", body).await.is(200).json();
        assert_eq!(item["effect"], json!({ "status": "confirmed", "record_id": "L-3" }));
        assert_eq!(item["attempts"].as_array().unwrap().len(), 1, "the unsettled attempt is settled by it");
    }

    async fn r3_what_was_done_by_hand_is_an_attempt_of_that_person(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&not_sent("INV-1")).await;
        let body = with(resolution("done_by_hand", "confirmed"), json!({ "record_id": "L-7", "reason": "Typed it in\u{0}" }));
        let item = amara.act(&id, "resolve", body).await.is(200).json();
        assert_eq!(item["effect"], json!({ "status": "confirmed", "record_id": "L-7" }));
        let attempt = &item["attempts"][1];
        assert_eq!((&attempt["by"], &attempt["number"], &attempt["outcome"], &attempt["effect"]), (&json!("Amara"), &json!(2), &json!("succeeded"), &json!("confirmed")));
        assert_eq!(attempt["message"], "Typed it in␀");
        assert_eq!(app.packet(&id).await.attempts[0].made_by.as_str(), "person");
        assert_eq!(app.database.rows("finding").await, 0);
        for (key, effect) in [("in part", "partial"), ("not at all", "none")] {
            let id = sync.reported(&not_sent(key)).await;
            let item = amara.act(&id, "resolve", resolution("done_by_hand", effect)).await.is(200).json();
            assert_eq!((&item["effect"]["status"], &item["attempts"][1]["effect"]), (&json!(effect), &json!(effect)));
        }
    }

    async fn a_duplicate_names_another_item_that_the_person_can_see(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let replies = app.token(&["support-replies"]).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let first = sync.reported(&report("INV-2")).await;
        let invisible = replies.reported(&with(report("S-1"), json!({ "workflow": "support-replies", "step": "send" }))).await;
        let duplicate = |of: Value| with(resolution("duplicate", "none"), json!({ "duplicate_of": of }));
        for (of, remedy) in [
            (json!(id), "Name the one that stays"),
            (json!(invisible), "you can see"),
            (json!(uuid::Uuid::nil().to_string()), "you can see"),
            (json!("INV-2"), "the last part of the address"),
            (json!(null), "Say which item"),
        ] {
            let refused = amara.act(&id, "resolve", duplicate(of)).await;
            wrong(&refused, "/duplicate_of");
            let message = refused.json()["fields"][0]["message"].as_str().unwrap().to_owned();
            assert!(message.contains(remedy), "{message}");
        }
        for word in ["discarded", "done_by_hand"] {
            for of in [&first, &invisible, &uuid::Uuid::nil().to_string()] {
                wrong(&amara.act(&id, "resolve", with(resolution(word, "none"), json!({ "duplicate_of": of }))).await, "/duplicate_of");
            }
        }
        amara.act(&id, "resolve", duplicate(json!(first))).await.is(200);
        assert_eq!(app.packet(&id).await.decision.unwrap().duplicate_of.unwrap().to_string(), first);
    }

    async fn each_wrong_field_of_a_resolution_is_named(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        for (fields, pointer) in [
            (json!({ "resolution": "done" }), "/resolution"),
            (json!({ "reason": "" }), "/reason"),
            (json!({ "reason": "x".repeat(8_001) }), "/reason"),
            (json!({ "evidence": " " }), "/evidence"),
            (json!({ "evidence": "x".repeat(8_001) }), "/evidence"),
            (json!({ "record_id": "\u{0}" }), "/record_id"),
            (json!({ "record_id": "x".repeat(201) }), "/record_id"),
            (json!({ "code": "a\u{0}b" }), "/code"),
            (json!({ "code": "x".repeat(201) }), "/code"),
            (json!({ "resolution": "accepted_degraded" }), "/follow_up"),
            (json!({ "resolution": "accepted_degraded", "follow_up": " " }), "/follow_up"),
            (json!({ "follow_up": "Tell them" }), "/follow_up"),
            (json!({ "resolution": "done_by_hand", "follow_up": "Tell them" }), "/follow_up"),
            (json!({ "resolution": "compensated" }), "/effect"),
            (json!({ "revision": 1 }), "/revision"),
            (json!({ "colour": "red" }), "/colour"),
        ] {
            let answer = amara.act(&id, "resolve", with(resolution("discarded", "none"), fields.clone())).await;
            assert_eq!(answer.status, 422, "{fields}: {}", answer.text());
            wrong(&answer, pointer);
        }
        for missing in ["resolution", "reason", "effect"] {
            wrong(&amara.act(&id, "resolve", words::without(resolution("discarded", "none"), missing)).await, &format!("/{missing}"));
        }
        assert_eq!(sync.item(&id).await["version"], 1);
        let review = sync.reported(&with(with_effect("R-1", "none"), json!({ "lane": "needs_review" }))).await;
        for number in [0, 2, -1] {
            wrong(&amara.act(&review, "resolve", with(resolution("accepted", "none"), json!({ "revision": number }))).await, "/revision");
        }
        amara.act(&review, "resolve", with(resolution("accepted", "none"), json!({ "revision": 1 }))).await.is(200);
    }

    async fn a_workflows_own_codes_are_asked_for(app) {
        app.register(WITH_CODES).await;
        let sync = app.token(&["orders"]).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let order = |key: &str| with(report(key), json!({ "workflow": "orders", "step": "place" }));
        let id = sync.reported(&order("O-1")).await;
        for code in [json!(null), json!("other"), json!("Test_data"), json!("")] {
            wrong(&amara.act(&id, "resolve", with(resolution("discarded", "none"), json!({ "code": code }))).await, "/code");
        }
        amara.act(&id, "resolve", with(resolution("discarded", "none"), json!({ "code": "test_data" }))).await.is(200);
        assert_eq!(app.packet(&id).await.decision.unwrap().code.as_deref(), Some("test_data"));
        // None is listed for this resolution; those that are listed are for another.
        let id = sync.reported(&order("O-2")).await;
        for code in ["other", "test_data"] {
            wrong(&amara.act(&id, "resolve", with(resolution("done_by_hand", "confirmed"), json!({ "code": code }))).await, "/code");
        }
        amara.act(&id, "resolve", resolution("done_by_hand", "confirmed")).await.is(200);
        // A workflow that lists none takes whatever code its people go by.
        let id = app.invoices().await.reported(&report("INV-1")).await;
        amara.act(&id, "resolve", with(resolution("discarded", "none"), json!({ "code": "late_entry" }))).await.is(200);
        assert_eq!(app.packet(&id).await.decision.unwrap().code.as_deref(), Some("late_entry"));
    }

    /// The form shows each field for every resolution: what does not belong to the chosen one is named, and nothing is lost.
    async fn a_follow_up_or_a_code_left_over_in_the_form_is_named(app) {
        app.register(WITH_CODES).await;
        let orders = app.token(&["orders"]).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let id = orders.reported(&with(report("O-1"), json!({ "workflow": "orders", "step": "place" }))).await;
        let form = format!("/items/{id}/resolve");
        let fields = |follow_up: &'static str, code: &'static str| [
            ("version", "1"), ("resolution", "done_by_hand"), ("effect", "confirmed"), ("reason", "typed with care"),
            ("follow_up", follow_up), ("code", code), ("evidence", ""), ("record_id", ""), ("revision", ""), ("duplicate_of", ""),
        ];
        for (follow_up, code, named, why) in [
            ("Tell the supplier", "", "follow_up", "is only for what is accepted as degraded"),
            ("Tell the supplier", "test_data", "follow_up", "is only for what is accepted as degraded"),
            ("", "test_data", "code", "lists no code for this resolution"),
        ] {
            let page = amara.post(&form, &fields(follow_up, code)).await.is(422).text();
            let told = page.split(&format!("id=\"resolve-{named}-error\"")).nth(1).unwrap_or_else(|| panic!("{named} is named: {page}"));
            assert!(told.split("</p>").next().unwrap().contains(why), "{page}");
            assert!(page.contains("typed with care") && page.contains(follow_up), "{page}");
            let chosen = page.split("value=\"test_data\"").nth(1).unwrap().split('>').next().unwrap();
            assert_eq!(chosen.contains("selected"), code == "test_data", "{page}");
        }
        assert_eq!((orders.item(&id).await["state"].clone(), app.database.rows("decision").await), (json!("open"), 0));
        amara.post(&form, &fields(" ", "")).await.location();
        let decision = app.packet(&id).await.decision.unwrap();
        assert_eq!((decision.follow_up, decision.code), (None, None));
    }

    async fn the_form_offers_the_workflows_codes_and_none_where_there_are_none(app) {
        app.register(WITH_CODES).await;
        let (sync, orders) = (app.invoices().await, app.token(&["orders"]).await);
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let invoice = sync.reported(&report("INV-1")).await;
        for page in [format!("/items/{invoice}"), format!("/items/{invoice}/resolve")] {
            assert!(!amara.get(&page).await.is(200).text().contains("name=\"code\""), "{page}");
        }
        let id = orders.reported(&with(report("O-1"), json!({ "workflow": "orders", "step": "place" }))).await;
        let form = format!("/items/{id}/resolve");
        for page in [&format!("/items/{id}"), &form] {
            let html = amara.get(page).await.is(200).text();
            for part in ["name=\"code\"", "<optgroup", "label=\"Discarded\"", "value=\"duplicate_order\"", "value=\"test_data\""] {
                assert!(html.contains(part), "{page}: {part}");
            }
        }
        let fields = |code: &'static str| [("version", "1"), ("resolution", "discarded"), ("effect", "none"), ("reason", "typed with care"), ("code", code)];
        let refused = amara.post(&form, &fields("")).await.is(422).text();
        assert!(refused.contains("one of: duplicate_order, test_data.") && refused.contains("typed with care"), "{refused}");
        amara.post(&form, &fields("test_data")).await.location();
        assert_eq!(app.packet(&id).await.decision.unwrap().code.as_deref(), Some("test_data"));
        let page = amara.get(&format!("/items/{id}")).await.is(200).text();
        assert!(page.contains("Outcome code: ") && page.contains("test_data"), "how it ended says so");
    }

    async fn of_fifty_decisions_of_two_people_at_once_one_counts(app) {
        let sync = app.invoices().await;
        let people = [app.script("Amara", Role::Operator, "finance-ops").await, app.script("Jonas", Role::Operator, "finance-ops").await];
        let id = sync.reported(&report("INV-1")).await;
        let answers = race(50, |n| {
            let (script, id) = (&people[n % 2], &id);
            let body = if n % 3 == 0 { resolution("done_by_hand", "confirmed") } else { resolution("discarded", "none") };
            async move { script.ask(id, "resolve", body, &[("if-match", "1")]).await }
        })
        .await;
        assert_eq!(statuses(&answers), [(200, 1), (409, 49)]);
        for loser in answers.iter().filter(|answer| answer.status == 409) {
            let detail = loser.problem(409, "conflict")["detail"].as_str().unwrap().to_owned();
            assert!(detail.contains("version 2") && detail.contains("resolved it as"), "{detail}");
        }
        assert_eq!((app.database.rows("decision").await, app.database.rows("finding").await), (1, 1));
        assert_eq!(app.audit_count(AuditKind::Resolved, AuditOutcome::Done).await, 1);
        assert_eq!(app.audit_count(AuditKind::Resolved, AuditOutcome::Refused).await, 49);
        assert_eq!(app.database.rows("outcome").await, 1);
    }

    async fn a_closed_item_is_not_resolved_again_and_is_after_reopening(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        amara.act(&id, "claim", json!({})).await.is(200);
        let closed = amara.act(&id, "resolve", resolution("discarded", "none")).await.is(200).json();
        assert_eq!(closed["claim"], Value::Null, "nobody works what has ended");
        for (action, body) in [("resolve", resolution("discarded", "none")), ("reconcile", finding("applied")), ("claim", json!({})), ("escalate", json!({ "team": "finance-ops", "reason": "x", "respond_by": "2027-01-01T00:00:00Z" })), ("snooze", json!({ "until": "2026-12-01T00:00:00Z", "reason": "x" })), ("wake", json!({})), ("release", json!({}))] {
            amara.act(&id, action, body).await.problem(409, "not_allowed_now");
        }
        app.later(chrono::TimeDelta::minutes(1));
        amara.act(&id, "reopen", json!({ "reason": "It is needed" })).await.is(200);
        amara.act(&id, "resolve", resolution("done_by_hand", "confirmed")).await.is(200);
        assert_eq!(app.database.rows("decision").await, 2);
        assert_eq!(app.packet(&id).await.decision.unwrap().resolution.as_str(), "done_by_hand");
        assert_eq!(app.database.rows("outcome").await, 3);
    }

    async fn a_resolution_by_form_is_the_same_resolution(app) {
        let sync = app.invoices().await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let form = format!("/items/{id}/resolve");
        let fields = |follow_up: &'static str, code: &'static str| vec![("version", "1"), ("resolution", "accepted_degraded"), ("effect", "confirmed"), ("reason", "typed with care"), ("follow_up", follow_up), ("code", code), ("duplicate_of", ""), ("record_id", " L-1 "), ("evidence", ""), ("revision", "")];
        let refused = amara.post(&form, &fields("", "late_entry")).await.is(422).text();
        assert!(refused.contains("Say what still has to be done."), "{refused}");
        assert!(refused.contains("typed with care"), "nothing typed is lost: {refused}");
        amara.post(&form, &fields("Tell the supplier", "")).await.location();
        let decision = app.packet(&id).await.decision.unwrap();
        assert_eq!((decision.follow_up.as_deref(), decision.record_id.as_deref()), (Some("Tell the supplier"), Some("L-1")));
        assert!(amara.get(&format!("/items/{id}")).await.is(200).text().contains("typed with care"));
    }
}
