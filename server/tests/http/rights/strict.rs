//! Where the installation is strict, a right that decides takes a second admin, and a day (R11).

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    notice::NoticeKind,
    permission::Role,
    sensitivity::Clearance,
};
use server::settings::Settings;
use service::GrantRow;

use super::{link_in, of_kind, pairs};
use crate::{
    app::{App, command_line, on_both},
    browser::Browser,
    wire::{Answer, race, statuses},
};

pub(super) fn strictly(settings: &mut Settings) {
    settings.governance = "strict".into();
}

/// The one right that waits.
pub(super) async fn waiting(app: &App) -> GrantRow {
    let (open, _) = app.service.grants(&command_line()).await.unwrap();
    let [only] = &open[..] else { panic!("{open:?}") };
    only.row.clone()
}

/// How rights ended, the last first.
pub(super) async fn ended(app: &App) -> Vec<String> {
    let (_, ended) = app.service.grants(&command_line()).await.unwrap();
    ended.into_iter().map(|waiting| waiting.row.ended_how.unwrap()).collect()
}

pub(super) async fn decide(by: &Browser<'_>, row: &GrantRow, verb: &str) -> Answer {
    by.post(&format!("/admin/rights/{}/{verb}", row.id), &[]).await
}

/// Does what the background loop does; answers how many ended.
pub(super) async fn end_due(app: &App) -> usize {
    app.service.end_due_grants().await.unwrap()
}

on_both! {
    set up by strictly;

    async fn r11_the_role_waits_for_a_second_admin_and_a_day_and_then_counts(app) {
        let (ada, cleo) = (app.admin("Ada").await, app.admin("Cleo").await);
        let selma = app.add("Selma", &[Role::Supervisor], &[], Clearance::Internal).await;
        let bo = app.add("Bo", &[Role::Admin], &[], Clearance::Internal).await;
        let bos = app.again(&bo).await;
        let (asked, entries) = app.audited(ada.set_roles(&bo, &["admin", "operator", "supervisor"])).await;
        assert!(asked.location().ends_with("?done=waiting"), "{}", asked.location());
        assert_eq!(app.held(&bo).await, ["admin", "operator"], "what decides nothing counts at once");
        assert_eq!(of_kind(&entries, AuditKind::GrantAsked, AuditOutcome::Done).len(), 1);
        let row = waiting(app).await;
        assert_eq!((row.role_key.as_str(), row.asked_by_name.as_str()), ("supervisor", "Ada"));
        let page = cleo.get("/admin/rights").await.is(200).text();
        assert!(page.contains("Bo") && page.contains("Supervisor") && page.contains("Confirm as the second admin"));

        // Neither who asked nor who would get it.
        for concerned in [&ada, &bos] {
            let (answer, entries) = app.audited(app.unchanged(decide(concerned, &row, "confirm"))).await;
            assert!(answer.is(403).text().contains("Whoever asked for it, or would get it"));
            assert_eq!(of_kind(&entries, AuditKind::GrantConfirmed, AuditOutcome::Refused).len(), 1);
            assert!(!concerned.get("/admin/rights").await.is(200).text().contains("Confirm as the second admin"));
        }
        let (done, entries) = app.audited(decide(&cleo, &row, "confirm")).await;
        assert_eq!(done.location(), "/admin/rights?done=confirmed");
        assert_eq!(of_kind(&entries, AuditKind::GrantConfirmed, AuditOutcome::Done).len(), 1);
        app.unchanged(decide(&cleo, &row, "confirm")).await.is(409);
        app.later(TimeDelta::hours(24) - TimeDelta::seconds(1));
        assert_eq!((end_due(app).await, app.held(&bo).await), (0, vec!["admin".into(), "operator".into()]));

        app.later(TimeDelta::seconds(1));
        let (count, entries) = app.audited(end_due(app)).await;
        assert_eq!((count, app.held(&bo).await), (1, vec!["admin".into(), "operator".into(), "supervisor".into()]));
        let [entry] = of_kind(&entries, AuditKind::GrantTookEffect, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!(entry.detail["person"], app.id_of(&bo).await.to_string());
        assert_eq!((end_due(app).await, ended(app).await), (0, vec!["given".into()]));

        let cleos = app.told_of("cleo@example.test", NoticeKind::RightWaits).await;
        assert_eq!(cleos, ["Ada wants to give Bo the role Supervisor; a second admin has to confirm it"]);
        for other in [&bo, "ada@example.test", &selma] {
            assert!(app.told_of(other, NoticeKind::RightWaits).await.is_empty(), "{other}");
        }
        let adas = app.told_of("ada@example.test", NoticeKind::RightDecided).await;
        assert_eq!(adas, ["Cleo: confirmed as the second admin: the role supervisor", "rights: took effect: the role supervisor"]);
        let bos = app.told_of(&bo, NoticeKind::RightsChanged).await;
        assert_eq!(bos.len(), 2, "{bos:?}");
        assert!(bos[0].contains("given: Operator") && bos[1].contains("given: Supervisor"), "{bos:?}");
        assert_eq!(app.told_of(&selma, NoticeKind::RightGiven).await.len(), 1, "who decides is told once it counts");
    }

    async fn r11_what_waits_is_asked_for_once(app) {
        let ada = app.admin("Ada").await;
        app.admin("Cleo").await;
        let bo = app.add("Bo", &[Role::Operator], &[], Clearance::Internal).await;
        for _ in 0..2 {
            ada.set_roles(&bo, &["operator", "supervisor"]).await.is(303);
        }
        waiting(app).await;
        assert_eq!(app.told_of("cleo@example.test", NoticeKind::RightWaits).await.len(), 1);
    }

    async fn r11_of_two_who_confirm_at_once_one_is_the_second_admin(app) {
        let (ada, cleo, dan) = (app.admin("Ada").await, app.admin("Cleo").await, app.admin("Dan").await);
        let bo = app.add("Bo", &[Role::Operator], &[], Clearance::Internal).await;
        ada.set_roles(&bo, &["supervisor"]).await.is(303);
        assert_eq!(app.held(&bo).await, Vec::<String>::new(), "what is taken goes at once, what decides comes later");
        let row = waiting(app).await;
        let answers = race(2, |n| {
            let (by, row) = ([&cleo, &dan][n], &row);
            async move { decide(by, row, "confirm").await }
        })
        .await;
        assert_eq!(statuses(&answers), [(303, 1), (409, 1)]);
    }

    async fn r11_who_is_invited_to_decide_joins_without_that_role(app) {
        let (ada, cleo) = (app.admin("Ada").await, app.admin("Cleo").await);
        let fields = super::invitation("jo@example.test", &["operator", "supervisor"], &[]);
        let answer = ada.post("/admin/people/invite", &pairs(&fields)).await;
        assert!(answer.text().contains("Waits for a second admin, and a day: <b>Supervisor"), "{}", answer.shown());
        let jo = app.browser();
        jo.join(&link_in(app, &answer), "Jo").await.is(303);
        assert_eq!(app.held("jo@example.test").await, ["operator"]);
        decide(&cleo, &waiting(app).await, "confirm").await.is(303);
        app.later(TimeDelta::hours(24));
        assert_eq!(end_due(app).await, 1);
        assert_eq!(app.held("jo@example.test").await, ["operator", "supervisor"]);
    }

    async fn r11_a_right_that_is_added_to_a_role_people_hold_waits_too(app) {
        let (ada, cleo) = (app.admin("Ada").await, app.admin("Cleo").await);
        let dan = app.admin("Dan").await;
        let selma = app.add("Selma", &[Role::Supervisor], &[], Clearance::Internal).await;
        let jo = app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        ada.make_role("nights", &["items.read"]).await.is(303);
        for (email, own) in [(jo.as_str(), "operator"), ("dan@example.test", "admin")] {
            ada.set_roles(email, &[own, "nights"]).await.is(303);
        }
        let saved = ada.save_role("nights", &["items.read", "items.work", "payloads.reveal"]).await;
        assert!(saved.location().ends_with("?done=waiting"), "{}", saved.location());
        let allowed = async || {
            let role = app.service.role(&command_line(), &"nights".parse().unwrap()).await.unwrap().role;
            role.permissions.iter().map(|right| right.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(allowed().await, ["items.read", "items.work"]);
        let row = waiting(app).await;
        assert_eq!((row.person_id, row.permission.as_deref()), (None, Some("payloads.reveal")));

        // Whoever holds the role would give it to themselves.
        app.unchanged(decide(&dan, &row, "confirm")).await.is(403);
        app.unchanged(decide(&ada, &row, "confirm")).await.is(403);
        decide(&cleo, &row, "confirm").await.is(303);
        app.later(TimeDelta::hours(24));
        assert_eq!(end_due(app).await, 1);
        assert_eq!(allowed().await, ["items.read", "items.work", "payloads.reveal"]);
        assert_eq!(app.told_of(&selma, NoticeKind::RightGiven).await.len(), 1);
        for holder in [jo.as_str(), "dan@example.test"] {
            let told = app.told_of(holder, NoticeKind::RightsChanged).await;
            assert!(told.last().unwrap().contains("the role nights"), "{told:?}");
            assert_eq!(told.len(), 3, "given, changed, and changed again once it counts: {told:?}");
        }
    }
}
