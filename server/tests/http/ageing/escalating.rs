//! Escalation: by a person with a time to answer, and by itself when a target is missed. The chain is on the item.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::json;

use super::{LEADS, TARGETS, alert, alerts, chain, due, file, notices, told};
use crate::{
    actions::not_sent,
    app::{App, Token, on_both},
    browser::Browser,
    words::time,
};

/// An item that would go to the leads, its automation, who works it, and somebody of another team.
async fn with_legal(app: &App) -> (Token<'_>, Token<'_>, Browser<'_>, String) {
    app.register(&file(TARGETS, LEADS)).await;
    let sync = app.token(&["invoice-sync"]).await;
    let amara = app.script("Amara", Role::Operator, "finance-ops").await;
    let luca = app.signed_in("Luca", Role::Operator, "legal").await;
    app.add("Lena", &[Role::Operator], &["finance-leads"], domain::sensitivity::Clearance::Restricted).await;
    let item = sync.reported(&not_sent("INV-1")).await;
    (sync, amara, luca, item)
}

on_both! {
    async fn a_missed_target_gives_the_item_to_the_team_that_the_workflow_names(app) {
        app.register(&file(TARGETS, LEADS)).await;
        let (sync, amara) = (app.token(&["invoice-sync"]).await, app.signed_in("Amara", Role::Operator, "finance-ops").await);
        let lena = app.signed_in("Lena", Role::Operator, "finance-leads").await;
        let item = sync.reported(&not_sent("INV-1")).await;
        let address = format!("/items/{item}");
        lena.get(&address).await.is(404);
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        app.watch().await;
        assert_eq!(alerts(app).await, [told("claim", "escalated", 1)], "that it is overdue is told with it");
        for browser in [&lena, &amara] {
            assert_eq!(notices(browser, "has not been claimed").await, 1, "each is told once");
            assert_eq!(notices(browser, "escalated to finance-leads").await, 1);
        }
        assert_eq!(app.audit_count(AuditKind::Escalated, AuditOutcome::Done).await, 1);
        amara.get(&address).await.is(200);
        let page = lena.get(&address).await.is(200).words();
        assert!(page.contains("finance-leads") && page.contains("It was not claimed in time") && page.contains("Nobody has claimed it since"), "{page}");

        let script = app.script_of("lena@example.test", &[]).await;
        script.act(&item, "claim", json!({})).await.is(200);
        assert_eq!(chain(&sync.item(&item).await), [("finance-leads".to_owned(), Some("Lena".to_owned()))]);
        // A further target is missed: they have it already.
        app.later(TimeDelta::hours(4));
        app.watch().await;
        assert_eq!(chain(&sync.item(&item).await).len(), 1);
        assert!(alerts(app).await.contains(&told("close", "escalated", 1)));
    }

    /// One alert for both levels holds each item once, and whoever is given one of them is told that it is late.
    async fn what_is_told_with_another_level_counts_as_told_until_it_is_given_away(app) {
        app.register(&file(TARGETS, LEADS)).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let bo = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        app.add("Lena", &[Role::Operator], &["finance-leads"], domain::sensitivity::Clearance::Restricted).await;
        let mut items = Vec::new();
        for key in ["INV-1", "INV-2", "INV-3"] {
            items.push(sync.reported(&not_sent(key)).await);
        }
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        app.later(TimeDelta::minutes(5));
        app.watch().await;
        assert_eq!(alerts(app).await, [told("claim", "escalated", 3)]);
        assert_eq!((notices(&amara, "has not been claimed").await, notices(&bo, "has not been claimed").await), (1, 1));
        let escalated = alert(app, "claim", "escalated").await;
        let page = amara.get(&format!("/alerts/{escalated}")).await.is(200).words();
        for item in &items {
            assert_eq!(page.matches(&format!("href=\"/items/{item}\"")).count(), 1, "{page}");
        }
        assert!(page.contains("3 items have not been claimed") && page.contains("Still so"), "{page}");
        assert_eq!(app.packet(&items[0]).await.alerts.len(), 1);
        // Who gets one of them knows nothing of it yet.
        let selma = app.script("Selma", Role::Supervisor, "finance-ops").await;
        selma.act(&items[0], "assign", json!({ "person": "bo@example.test", "note": "Yours" })).await.is(200);
        app.watch().await;
        assert_eq!((notices(&amara, "has not been claimed").await, notices(&bo, "has not been claimed").await), (1, 2));
        assert_eq!(alerts(app).await, [told("claim", "escalated", 3), told("claim", "overdue", 1)]);
    }

    async fn each_step_goes_one_team_further_and_never_back(app) {
        let heads = "[[workflow.escalate]]\nafter = \"30m\"\nteam = \"finance-heads\"\nnotify = [\"app\"]\n";
        app.register(&file(TARGETS, &format!("{LEADS}{heads}"))).await;
        let sync = app.token(&["invoice-sync"]).await;
        for (name, team) in [("Lena", "finance-leads"), ("Hedda", "finance-heads")] {
            app.add(name, &[Role::Operator], &[team], domain::sensitivity::Clearance::Restricted).await;
        }
        let teams = async |item: &str| chain(&sync.item(item).await).into_iter().map(|(team, _)| team).collect::<Vec<_>>();
        let item = sync.reported(&not_sent("INV-1")).await;
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        assert_eq!(teams(&item).await, ["finance-leads"]);
        app.later(TimeDelta::minutes(30));
        app.watch().await;
        assert_eq!(teams(&item).await, ["finance-leads", "finance-heads"]);
        // The other target's first step would be a step back.
        app.later(TimeDelta::minutes(150));
        app.watch().await;
        assert_eq!(teams(&item).await, ["finance-leads", "finance-heads"]);
        assert!(alerts(app).await.contains(&told("close", "escalated", 1)));
        // Nothing ran for a while: the last step that is over counts.
        let late = sync.reported(&not_sent("INV-2")).await;
        app.later(TimeDelta::minutes(95));
        app.watch().await;
        assert_eq!(teams(&late).await, ["finance-heads"]);
    }

    /// Whoever was given an item by hand and works it keeps it; they are told.
    async fn an_item_is_not_taken_away_from_who_works_it(app) {
        let (sync, amara, luca, item) = with_legal(app).await;
        amara.act(&item, "claim", json!({})).await.is(200);
        amara.act(&item, "hand_over", json!({ "team": "legal", "note": "A contract" })).await.is(200);
        let own = app.script_of("luca@example.test", &[]).await;
        own.act(&item, "claim", json!({})).await.is(200);
        own.act(&item, "hand_over", json!({ "person": "luca@example.test", "note": "Mine" })).await.is(200);
        app.later(TimeDelta::minutes(241));
        app.watch().await;
        luca.get(&format!("/items/{item}")).await.is(200);
        assert_eq!(chain(&sync.item(&item).await), []);
        assert_eq!(notices(&luca, "still overdue").await, 1);
    }

    /// A timer does not take back what somebody gave, while the time that they named runs.
    async fn a_team_that_was_asked_keeps_it_until_its_time_is_over(app) {
        let (sync, amara, luca, item) = with_legal(app).await;
        let by = time(app.service.now() + TimeDelta::hours(5));
        amara.act(&item, "escalate", json!({ "team": "legal", "reason": "A contract", "respond_by": by })).await.is(200);
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        luca.get(&format!("/items/{item}")).await.is(200);
        assert_eq!(chain(&sync.item(&item).await), [("legal".to_owned(), None)]);
        app.script_of("luca@example.test", &[]).await.act(&item, "claim", json!({})).await.is(200);
        assert_eq!(chain(&sync.item(&item).await), [("legal".to_owned(), Some("Luca".to_owned()))]);
    }

    /// It goes there all the same; whoever else can work it has to know.
    async fn a_team_that_nobody_is_in_is_no_end(app) {
        app.register(&file(TARGETS, LEADS)).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let farid = app.signed_in("Farid", Role::Admin, "finance-leads").await;
        sync.reported(&not_sent("INV-1")).await;
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        assert_eq!(notices(&amara, "escalated to finance-leads").await, 1);
        assert_eq!(notices(&farid, "has not been claimed").await, 0);
    }

    async fn whoever_escalates_does_not_answer_for_the_team(app) {
        app.register(&file(TARGETS, "")).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let bo = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        app.add("Lena", &[Role::Operator], &["finance-leads"], domain::sensitivity::Clearance::Restricted).await;
        let item = sync.reported(&not_sent("INV-1")).await;
        app.script_of("bo@example.test", &[]).await.act(&item, "claim", json!({})).await.is(200);
        let by = time(app.service.now() + TimeDelta::hours(2));
        let asked = json!({ "team": "finance-leads", "reason": "It is urgent", "respond_by": by });
        amara.act(&item, "escalate", asked).await.is(200);
        assert_eq!(notices(&bo, "which you worked or answered for").await, 1);
        amara.act(&item, "claim", json!({})).await.is(200);
        assert_eq!(chain(&sync.item(&item).await), [("finance-leads".to_owned(), None)]);
        assert_eq!(due(&sync, &item).await.0, "respond");
    }

    async fn who_escalates_names_a_time_and_whoever_claims_it_answers(app) {
        app.register(&file("{ claim = \"8h\", close = \"30d\" }", LEADS)).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let lena = app.signed_in("Lena", Role::Operator, "finance-leads").await;
        let item = sync.reported(&not_sent("INV-1")).await;
        // A team that does not exist yet is named by its first member, or by the admins.
        amara.act(&item, "claim", json!({})).await.is(200);
        let by = time(app.service.now() + TimeDelta::hours(2));
        let asked = json!({ "team": "finance-leads", "reason": "The supplier threatens", "respond_by": by });
        amara.act(&item, "escalate", asked.clone()).await.is(200);
        assert_eq!(due(&sync, &item).await.0, "respond");
        assert_eq!(notices(&lena, "Amara escalated INV-1 to your team").await, 1);
        assert!(app.packet(&item).await.claim.is_none(), "whoever escalates it does not work it any more");
        app.later(TimeDelta::minutes(90));
        app.watch().await;
        assert_eq!(alerts(app).await, [told("respond", "at_risk", 1)]);
        app.later(TimeDelta::minutes(30));
        app.watch().await;
        assert!(alerts(app).await.contains(&told("respond", "overdue", 1)));
        let script = app.script_of("lena@example.test", &[]).await;
        script.act(&item, "claim", json!({})).await.is(200);
        assert_eq!(chain(&sync.item(&item).await), [("finance-leads".to_owned(), Some("Lena".to_owned()))]);
        assert_ne!(due(&sync, &item).await.0, "respond");
        assert!(app.packet(&item).await.alerts.is_empty());
        let late = json!({ "team": "finance-leads", "reason": "r", "respond_by": time(app.service.now()) });
        amara.act(&item, "escalate", late).await.is(422);
    }
}
