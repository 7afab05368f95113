//! Who answers for an item: hand over, assign, escalate, and who sees it then.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::{Value, json};

use super::{finding, only, resolution, wrong};
use crate::{
    app::{Token, on_both},
    words::{self, report, time},
};

/// How many open items somebody's list shows.
async fn listed(script: &Token<'_>) -> usize {
    script.get("/api/v1/items").await.is(200).json()["items"].as_array().unwrap().len()
}

on_both! {
    async fn only_the_holder_hands_over_to_a_person_or_a_team(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let jonas = app.script("Jonas", Role::Operator, "finance-ops").await;
        app.add("Sam", &[Role::Operator], &["support"], Clearance::Restricted).await;
        let id = sync.reported(&report("INV-1")).await;
        let to_jonas = json!({ "person": "jonas@example.test", "note": "The ledger is down" });
        amara.act(&id, "hand_over", to_jonas.clone()).await.problem(409, "not_allowed_now");
        amara.act(&id, "claim", json!({})).await.is(200);
        jonas.act(&id, "hand_over", to_jonas.clone()).await.problem(409, "not_allowed_now");
        for (body, pointer) in [
            (json!({ "note": "x" }), "/person"),
            (json!({ "person": "jonas@example.test", "team": "support", "note": "x" }), "/person"),
            (json!({ "person": "nobody@example.test", "note": "x" }), "/person"),
            (json!({ "person": "", "note": "x" }), "/person"),
            (json!({ "person": "a\u{0}b", "note": "x" }), "/person"),
            (json!({ "team": "nowhere", "note": "x" }), "/team"),
            (json!({ "team": "a\u{0}b", "note": "x" }), "/team"),
            (json!({ "team": "support" }), "/note"),
            (json!({ "team": "support", "note": " " }), "/note"),
            (json!({ "team": 7, "note": "x" }), "/team"),
        ] {
            wrong(&amara.act(&id, "hand_over", body).await, pointer);
        }
        let version = app.version(&id).await;
        let (given, entries) = app.audited(amara.act(&id, "hand_over", to_jonas)).await;
        let item = given.is(200).json();
        assert_eq!((&item["owner"], &item["claim"]), (&json!({ "team": "finance-ops", "person": "Jonas" }), &Value::Null));
        assert_eq!(item["version"], version + 1, "a decision rests on who answers for it");
        assert_eq!(only(entries, AuditKind::HandedOver, AuditOutcome::Done).text.as_deref(), Some("The ledger is down"));

        jonas.act(&id, "claim", json!({})).await.is(200);
        let item = jonas.act(&id, "hand_over", json!({ "team": "support", "note": "Ask the customer" })).await.is(200).json();
        assert_eq!(item["owner"], json!({ "team": "support", "person": null }));
    }

    async fn assigning_takes_its_own_permission_and_a_person_who_can_work_it(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let selma = app.script("Selma", Role::Supervisor, "finance-ops").await;
        app.add("Sam", &[Role::Operator], &["support"], Clearance::Restricted).await;
        app.add("Aud", &[Role::Auditor], &["finance-ops"], Clearance::Restricted).await;
        app.add("Gone", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        app.service.run(&crate::app::command_line(), service::people::leave::DisablePerson(service::people::leave::Account::Email("gone@example.test".into()))).await.unwrap();
        let id = sync.reported(&report("INV-1")).await;
        let to = |person: &str| json!({ "person": person, "note": "Please" });
        let (refused, entries) = app.audited(amara.act(&id, "assign", to("amara@example.test"))).await;
        let problem = refused.problem(403, "forbidden");
        assert_eq!(problem["rule"], "R15");
        assert!(problem["detail"].as_str().unwrap().contains("items.assign"), "{problem}");
        only(entries, AuditKind::Assigned, AuditOutcome::Refused);
        for outside in ["sam@example.test", "aud@example.test", "gone@example.test", "nobody@example.test"] {
            wrong(&selma.act(&id, "assign", to(outside)).await, "/person");
        }
        amara.act(&id, "claim", json!({})).await.is(200);
        let (given, entries) = app.audited(selma.act(&id, "assign", to("  amara@example.test "))).await;
        let item = given.is(200).json();
        assert_eq!((&item["owner"]["person"], &item["claim"]["by"]), (&json!("Amara"), &json!("Amara")), "whoever is working it goes on");
        assert_eq!(only(entries, AuditKind::Assigned, AuditOutcome::Done).actor_name, "Selma");
        assert_eq!(selma.act(&id, "assign", json!({ "team": "finance-ops", "note": "Anybody" })).await.is(200).json()["owner"], json!({ "team": "finance-ops", "person": null }));
        // Once the other team has it, its people can be given it.
        selma.act(&id, "assign", json!({ "team": "support", "note": "Theirs" })).await.is(200);
        assert_eq!(selma.act(&id, "assign", to("sam@example.test")).await.is(200).json()["owner"], json!({ "team": "support", "person": "Sam" }));
        amara.act(&id, "resolve", resolution("discarded", "none")).await.is(200);
        selma.act(&id, "assign", to("amara@example.test")).await.problem(409, "not_allowed_now");
    }

    async fn an_escalated_item_is_seen_and_worked_by_both_teams_and_by_no_third(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let sam = app.script("Sam", Role::Operator, "support").await;
        let tess = app.script("Tess", Role::Operator, "third").await;
        let id = sync.reported(&report("INV-1")).await;
        sam.get(&format!("/api/v1/items/{id}")).await.problem(404, "not_found");
        sam.act(&id, "claim", json!({})).await.problem(404, "not_found");
        assert_eq!((listed(&amara).await, listed(&sam).await), (1, 0));

        let due = app.service.now() + TimeDelta::hours(4);
        let escalate = json!({ "team": "support", "reason": "The customer has to decide", "respond_by": time(due) });
        for (field, value, pointer) in [
            ("team", json!("nowhere"), "/team"),
            ("reason", json!(""), "/reason"),
            ("respond_by", json!(time(app.service.now())), "/respond_by"),
            ("respond_by", json!("tomorrow"), "/respond_by"),
            ("respond_by", json!("2026-12-01T10:00:00"), "/respond_by"),
            ("respond_by", json!("+12026-12-01T10:00:00Z"), "/respond_by"),
        ] {
            wrong(&amara.act(&id, "escalate", words::with(escalate.clone(), json!({ field: value }))).await, pointer);
        }
        let version = app.version(&id).await;
        let (escalated, entries) = app.audited(amara.act(&id, "escalate", escalate.clone())).await;
        let item = escalated.is(200).json();
        assert_eq!((&item["owner"]["team"], &item["version"]), (&json!("support"), &json!(version + 1)));
        let entry = only(entries, AuditKind::Escalated, AuditOutcome::Done);
        assert_eq!((&entry.detail["level"], entry.text.as_deref()), (&json!(1), Some("The customer has to decide")));
        let kept = app.packet(&id).await.item;
        assert_eq!((kept.escalations, kept.respond_by), (1, Some(due)));

        assert_eq!((listed(&amara).await, listed(&sam).await, listed(&tess).await), (1, 1, 0));
        assert_eq!(sam.get("/api/v1/items?workflow=invoice-sync").await.is(200).json()["items"][0]["id"], id);
        for script in [&amara, &sam] {
            assert_eq!(script.item(&id).await["state"], "open");
        }
        tess.get(&format!("/api/v1/items/{id}")).await.problem(404, "not_found");
        tess.act(&id, "comment", json!({ "text": "x" })).await.problem(404, "not_found");
        let browser = app.browser();
        browser.sign_in("sam@example.test").await.is(303);
        browser.get(&format!("/items/{id}")).await.is(200);
        assert!(browser.get("/queue").await.is(200).text().contains(&id));

        sam.act(&id, "reconcile", finding("not_applied")).await.is(200);
        let back = json!({ "team": "finance-ops", "reason": "Yours", "respond_by": time(due) });
        let done = sam.act(&id, "escalate", back).await.is(204);
        assert_eq!((done.header("etag"), done.body.len()), (format!("\"{}\"", app.version(&id).await).as_str(), 0));
        assert_eq!(app.packet(&id).await.item.escalations, 2);
        sam.get(&format!("/api/v1/items/{id}")).await.problem(404, "not_found");
        assert_eq!(listed(&amara).await, 1);

        // By form, too: what was given away is left, not lost.
        let fields = |team| vec![("version", String::new()), ("team", team), ("reason", "x".into()), ("respond_by", "2026-12-01T10:00".into())];
        let post = async |browser: &crate::browser::Browser<'_>, team: &str| {
            let mut fields = fields(team.to_owned());
            fields[0].1 = app.version(&id).await.to_string();
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            browser.post(&format!("/items/{id}/escalate"), &fields).await.location().to_owned()
        };
        let own = app.browser();
        own.sign_in("amara@example.test").await.is(303);
        assert_eq!(post(&own, "support").await, format!("/items/{id}"));
        assert_eq!(post(&browser, "finance-ops").await, "/queue");
    }

    async fn nothing_is_given_to_a_team_in_which_nobody_could_work_it(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let selma = app.script("Selma", Role::Supervisor, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        amara.act(&id, "claim", json!({})).await.is(200);
        let due = time(app.service.now() + TimeDelta::hours(4));
        let ways = [
            (&selma, "assign", json!({ "team": "support", "note": "Theirs" })),
            (&amara, "hand_over", json!({ "team": "support", "note": "Ask the customer" })),
            (&amara, "escalate", json!({ "team": "support", "reason": "The customer has to decide", "respond_by": due })),
        ];
        // Without members; then with one who only reads; then with one who has left.
        for member in ["nobody", "Aud", "Gone"] {
            if member != "nobody" {
                let role = if member == "Aud" { Role::Auditor } else { Role::Operator };
                app.add(member, &[role], &["support"], Clearance::Restricted).await;
            }
            if member == "Gone" {
                let account = service::people::leave::Account::Email("gone@example.test".into());
                app.service.run(&crate::app::command_line(), service::people::leave::DisablePerson(account)).await.unwrap();
            }
            for (who, verb, body) in &ways {
                let refused = who.act(&id, verb, body.clone()).await;
                wrong(&refused, "/team");
                assert!(refused.json()["fields"][0]["message"].as_str().unwrap().contains("Nobody in"), "{member} {verb}");
            }
            let item = app.packet(&id).await.item;
            assert_eq!((item.owner_team_id, item.escalations), (None, 0), "{member}: it stays where it was");
        }
        app.add("Sam", &[Role::Operator], &["support"], Clearance::Restricted).await;
        let item = amara.act(&id, "hand_over", ways[1].2.clone()).await.is(200).json();
        assert_eq!(item["owner"], json!({ "team": "support", "person": null }));
    }

    async fn whom_it_can_be_given_to_is_offered_and_what_is_wrong_is_named_as_on_the_page(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        app.add("Jonas", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        app.add("Gone", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        app.add("Sam", &[Role::Operator], &["support"], Clearance::Restricted).await;
        app.add("Aud", &[Role::Auditor], &["finance-ops"], Clearance::Restricted).await;
        let account = service::people::leave::Account::Email("gone@example.test".into());
        app.service.run(&crate::app::command_line(), service::people::leave::DisablePerson(account)).await.unwrap();
        let id = sync.reported(&report("INV-1")).await;
        let page = format!("/items/{id}");
        let browser = app.browser();
        browser.sign_in("amara@example.test").await.is(303);
        let shown = browser.get(&page).await.is(200).text();
        assert!(shown.contains("<option value=\"support\">"), "the teams to escalate to");
        assert!(!shown.contains("<option value=\"jonas@example.test\">"), "nobody is handed what one does not hold");
        browser.post(&format!("{page}/claim"), &[("version", &app.version(&id).await.to_string())]).await.is(303);
        let shown = browser.get(&page).await.is(200).text();
        assert!(shown.contains("<option value=\"jonas@example.test\">"), "the colleagues to hand over to");
        for other in ["gone@example.test", "sam@example.test"] {
            assert!(!shown.contains(&format!("<option value=\"{other}\">")), "{other} could not take it");
        }
        let reader = app.browser();
        reader.sign_in("aud@example.test").await.is(303);
        assert!(!reader.get(&page).await.is(200).text().contains("<datalist"), "who gives nothing needs no list");

        let version = app.version(&id).await.to_string();
        let fields = [("version", version.as_str()), ("team", "nowhere"), ("reason", "x"), ("respond_by", "2020-01-01T10:00")];
        let refused = browser.post(&format!("{page}/escalate"), &fields).await.is(422).text();
        assert!(refused.contains("Respond by (UTC)") && refused.contains("<option value=\"support\">"), "{refused}");
        assert!(!refused.contains("<code>respond_by</code>"), "{refused}");
    }

    async fn a_time_is_kept_to_the_microsecond_whatever_was_sent(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        app.add("Sam", &[Role::Operator], &["support"], Clearance::Restricted).await;
        let id = sync.reported(&report("INV-1")).await;
        let escalate = json!({ "team": "support", "reason": "x", "respond_by": "2026-12-01T11:00:00.123456789+01:00" });
        amara.act(&id, "escalate", escalate).await.is(200);
        assert_eq!(app.packet(&id).await.item.respond_by, Some("2026-12-01T10:00:00.123456Z".parse().unwrap()));
    }
}
