//! What has to happen by when: in the team's hours, and anew with whatever changes.

use chrono::TimeDelta;
use domain::permission::Role;
use serde_json::json;
use service::people::leave::{Account, DeletePerson, DisablePerson, EnablePerson};

use super::{HOURS, TARGETS, due, file};
use crate::{
    actions::{not_sent, resolution},
    app::{command_line, on_both},
};

fn is(cause: &str, at: &str) -> (String, String) {
    (cause.to_owned(), at.to_owned())
}

on_both! {
    /// It is Sunday; Monday is worked, Tuesday is a holiday.
    async fn a_target_counts_in_the_team_s_hours_and_what_happened_ends_it(app) {
        app.register(&file(TARGETS, HOURS)).await;
        let sync = app.token(&["invoice-sync"]).await;
        let item = sync.reported(&not_sent("INV-1")).await;
        assert_eq!(due(&sync, &item).await, is("claim", "2026-11-30T08:00:00Z"));
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        app.until("2026-11-30T07:10:00Z");
        amara.act(&item, "claim", json!({})).await.is(200);
        // Until somebody answers for it, it has to be claimed again when the claim has run out.
        assert_eq!(due(&sync, &item).await, is("unowned", "2026-11-30T08:40:00Z"));
        amara.act(&item, "hand_over", json!({ "person": "amara@example.test", "note": "Mine" })).await.is(200);
        assert_eq!(due(&sync, &item).await, is("close", "2026-11-30T11:00:00Z"));
        app.until("2026-11-30T10:00:00Z");
        amara.act(&item, "resolve", resolution("done_by_hand", "confirmed")).await.is(200);
        assert_eq!(due(&sync, &item).await, is("", ""));
        // What comes back begins anew: 15:30 in Oslo, so the rest is done after the holiday.
        app.until("2026-11-30T14:30:00Z");
        amara.act(&item, "reopen", json!({ "reason": "It was the wrong one" })).await.is(200);
        assert_eq!(due(&sync, &item).await, is("claim", "2026-11-30T15:30:00Z"));
        amara.act(&item, "claim", json!({})).await.is(200);
        assert_eq!(due(&sync, &item).await, is("close", "2026-12-02T09:30:00Z"));
    }

    async fn a_target_that_is_edited_counts_for_what_waits(app) {
        app.register(&file("{ claim = \"1h\", close = \"4h\" }", "")).await;
        let sync = app.token(&["invoice-sync"]).await;
        let item = sync.reported(&not_sent("INV-1")).await;
        assert_eq!(due(&sync, &item).await, is("claim", "2026-11-29T11:00:00Z"));
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        app.later(TimeDelta::hours(2));
        app.watch().await;
        assert_eq!(super::alerts(app).await, [super::told("claim", "overdue", 1)]);

        app.register(&file("{ claim = \"3h\", close = \"4h\" }", "")).await;
        app.watch().await;
        assert_eq!(due(&sync, &item).await, is("claim", "2026-11-29T13:00:00Z"));
        let page = amara.get("/alerts").await.is(200).words();
        assert!(page.contains("All settled since"), "{page}");
        // And when that is over, too, it is told again.
        let first = super::alert(app, "claim", "overdue").await;
        amara.post(&format!("/alerts/{first}/acknowledge"), &[("note", "")]).await.is(303);
        app.later(TimeDelta::minutes(70));
        app.watch().await;
        assert_eq!(super::alerts(app).await, [super::told("claim", "overdue", 1), super::told("close", "at_risk", 1)]);
    }

    /// Whoever can't sign in answers for nothing, and whoever can again does.
    async fn what_somebody_answers_for_is_looked_at_when_they_leave_and_when_they_are_back(app) {
        app.register(&file(TARGETS, "")).await;
        let sync = app.token(&["invoice-sync"]).await;
        let jo = app.script("Jo", Role::Operator, "finance-ops").await;
        let bo = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        let item = sync.reported(&not_sent("INV-1")).await;
        jo.act(&item, "claim", json!({})).await.is(200);
        jo.act(&item, "hand_over", json!({ "person": "jo@example.test", "note": "Mine" })).await.is(200);
        app.later(TimeDelta::minutes(5));
        app.watch().await;
        let (theirs, nobodys) = (is("close", "2026-11-29T14:00:00Z"), is("unowned", "2026-11-29T11:00:00Z"));
        assert_eq!(due(&sync, &item).await, theirs);

        let disable = || DisablePerson(Account::Email("jo@example.test".into()));
        app.service.run(&command_line(), disable()).await.unwrap();
        app.watch().await;
        assert_eq!(due(&sync, &item).await, nobodys);
        app.service.run(&command_line(), disable()).await.unwrap();
        assert_eq!(app.watch().await, 0, "it was looked at, and nothing changed");
        app.later(TimeDelta::minutes(56));
        app.watch().await;
        assert_eq!(super::alerts(app).await, [super::told("unowned", "overdue", 1)]);
        assert_eq!(super::notices(&bo, "was left by who worked it").await, 1);

        let account = app.service.account_of("jo@example.test").await.unwrap();
        app.service.run(&command_line(), EnablePerson(account)).await.unwrap();
        app.watch().await;
        assert_eq!(due(&sync, &item).await, theirs);
        assert!(app.packet(&item).await.alerts.is_empty(), "what was missing is there again");
        app.service.run(&command_line(), DeletePerson(account)).await.unwrap();
        app.watch().await;
        assert_eq!(due(&sync, &item).await, nobodys);
    }

    async fn where_a_workflow_says_nothing_there_is_a_target_all_the_same(app) {
        let sync = app.token(&["unheard-of"]).await;
        let report = crate::words::with(not_sent("A"), json!({ "workflow": "unheard-of" }));
        let item = sync.reported(&report).await;
        assert_eq!(due(&sync, &item).await, is("claim", "2026-11-29T14:00:00Z"));
    }

    async fn the_queue_shows_sorts_and_filters_by_what_is_due(app) {
        app.register(&file(TARGETS, "")).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let script = app.script_of("amara@example.test", &[]).await;
        let first = sync.reported(&not_sent("INV-1")).await;
        script.act(&first, "claim", json!({})).await.is(200);
        script.act(&first, "hand_over", json!({ "person": "amara@example.test", "note": "Mine" })).await.is(200);
        app.later(TimeDelta::minutes(30));
        sync.reported(&not_sent("INV-2")).await;
        app.later(TimeDelta::minutes(50));
        sync.reported(&not_sent("INV-3")).await;
        // One is due at 14:00, two at 11:30 and three at 12:20; it is 11:20.
        let places = |page: &str| ["INV-1", "INV-2", "INV-3"].map(|key| page.find(key));
        let page = amara.get("/queue").await.is(200).words();
        assert!(places(&page).is_sorted(), "by age: {page}");
        assert!(page.contains("Claim in 10 min</time> · at risk") && page.contains("Close in 2 h 40 min"), "{page}");
        let page = amara.get("/queue?sort=due").await.is(200).words();
        let [one, two, three] = places(&page);
        assert!(two < three && three < one && two.is_some(), "by what is due: {page}");
        let page = amara.get("/queue?due=at_risk").await.is(200).words();
        assert!(page.contains("INV-2") && !page.contains("INV-1") && !page.contains("INV-3"), "{page}");
        app.later(TimeDelta::minutes(20));
        let page = amara.get("/queue?due=overdue&sort=due").await.is(200).words();
        assert!(page.contains("Claim overdue by 10 min") && !page.contains("INV-1") && !page.contains("INV-3"), "{page}");
        let page = amara.get("/queue?due=late").await.is(200).words();
        assert!(page.contains("This part of the address means nothing here"), "{page}");
    }
}
