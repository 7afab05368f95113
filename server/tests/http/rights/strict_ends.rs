//! Rights that wait and don't come: turned down, lapsed, or asked for by who would hold them in the end (R11, R16).

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    notice::NoticeKind,
    permission::Role,
    sensitivity::Clearance,
};

use super::{
    of_kind,
    strict::{decide, end_due, ended, strictly, waiting},
};
use crate::app::{command_line, on_both};

on_both! {
    set up by strictly;

    async fn r16_it_lapses_if_either_admin_is_none_any_more_when_it_is_due(app) {
        app.add("Root", &[Role::Admin], &[], Clearance::Internal).await;
        for (n, (who, how)) in (1..).zip([("ada", "disable"), ("ada", "demote"), ("cleo", "disable"), ("cleo", "demote"), ("ada", "delete")]) {
            let (ada, cleo) = (app.admin(&format!("Ada{n}")).await, app.admin(&format!("Cleo{n}")).await);
            let bo = app.add(&format!("Bo{n}"), &[Role::Operator], &[], Clearance::Internal).await;
            ada.set_roles(&bo, &["operator", "supervisor"]).await.is(303);
            decide(&cleo, &waiting(app).await, "confirm").await.is(303);
            let (root, who) = (app.again("root@example.test").await, format!("{who}{n}@example.test"));
            match how {
                "demote" => root.set_roles(&who, &["auditor"]).await.is(303),
                verb => root.change(&who, verb, &[]).await.is(303),
            };
            app.later(TimeDelta::hours(24));
            let (count, entries) = app.audited(end_due(app)).await;
            assert_eq!((count, app.held(&bo).await), (1, vec!["operator".into()]), "{who} {how}");
            assert_eq!(of_kind(&entries, AuditKind::GrantLapsed, AuditOutcome::Done).len(), 1, "{entries:?}");
            assert_eq!(ended(app).await[0], "lapsed");
            assert!(app.told_of(&bo, NoticeKind::RightsChanged).await.is_empty());
        }
    }

    async fn it_lapses_after_seven_days_without_a_second_admin_and_can_not_be_confirmed_then(app) {
        let ada = app.admin("Ada").await;
        app.admin("Cleo").await;
        let bo = app.add("Bo", &[Role::Operator], &[], Clearance::Internal).await;
        ada.set_roles(&bo, &["operator", "supervisor"]).await.is(303);
        let row = waiting(app).await;
        app.later(TimeDelta::days(7) - TimeDelta::seconds(1));
        assert_eq!(end_due(app).await, 0);
        app.later(TimeDelta::seconds(1));
        // Whoever comes between its end and the loop that notes it comes too late, too.
        app.unchanged(decide(&app.again("cleo@example.test").await, &row, "confirm")).await.is(409);
        assert_eq!(end_due(app).await, 1);
        assert_eq!((ended(app).await, app.held(&bo).await), (vec!["lapsed".into()], vec!["operator".into()]));
        assert_eq!(app.told_of("ada@example.test", NoticeKind::RightDecided).await, ["rights: lapsed: the role supervisor"]);
    }

    async fn it_is_turned_down_by_any_admin_and_then_never_comes(app) {
        let (ada, cleo) = (app.admin("Ada").await, app.admin("Cleo").await);
        let bo = app.add("Bo", &[Role::Operator], &[], Clearance::Internal).await;
        for (n, by) in [&cleo, &ada].into_iter().enumerate() {
            ada.set_roles(&bo, &["operator", "supervisor"]).await.is(303);
            let row = waiting(app).await;
            if n == 0 {
                decide(&cleo, &row, "confirm").await.is(303);
            }
            let (done, entries) = app.audited(decide(by, &row, "refuse")).await;
            assert_eq!(done.location(), "/admin/rights?done=refused");
            assert_eq!(of_kind(&entries, AuditKind::GrantRefused, AuditOutcome::Done).len(), 1);
            app.unchanged(decide(by, &row, "refuse")).await.is(409);
            app.unchanged(decide(&cleo, &row, "confirm")).await.is(409);
        }
        app.later(TimeDelta::days(8));
        assert_eq!((end_due(app).await, app.held(&bo).await), (0, vec!["operator".into()]));
        assert_eq!(ended(app).await, ["refused", "refused"]);
        let told = app.told_of("ada@example.test", NoticeKind::RightDecided).await;
        assert!(told.contains(&"Cleo: turned down: the role supervisor".to_owned()), "{told:?}");
    }

    async fn whoever_does_not_manage_people_sees_and_decides_nothing(app) {
        let ada = app.admin("Ada").await;
        let selma = app.signed_in("Selma", Role::Supervisor, "finance-ops").await;
        let bo = app.add("Bo", &[Role::Operator], &[], Clearance::Internal).await;
        ada.set_roles(&bo, &["operator", "supervisor"]).await.is(303);
        let row = waiting(app).await;
        selma.get("/admin/rights").await.is(403);
        for verb in ["confirm", "refuse"] {
            app.unchanged(decide(&selma, &row, verb)).await.is(403);
        }
        let unknown = format!("/admin/rights/{}/confirm", uuid::Uuid::new_v4());
        app.unchanged(ada.post(&unknown, &[])).await.is(404);
    }

    async fn r11_nobody_takes_up_the_role_for_which_they_asked_a_right(app) {
        for (n, who) in (1..).zip(["ada", "cleo"]) {
            let (ada, cleo) = (app.admin(&format!("Ada{n}")).await, app.admin(&format!("Cleo{n}")).await);
            let jo = app.add(&format!("Jo{n}"), &[Role::Operator], &[], Clearance::Internal).await;
            let key = format!("nights{n}");
            ada.make_role(&key, &["items.read"]).await.is(303);
            ada.set_roles(&jo, &["operator", &key]).await.is(303);
            ada.save_role(&key, &["items.read", "approvals.decide"]).await.is(303);
            decide(&cleo, &waiting(app).await, "confirm").await.is(303);
            // The role decides nothing yet, so this is allowed.
            let (by, email) = if who == "ada" { (&ada, format!("ada{n}@example.test")) } else { (&cleo, format!("cleo{n}@example.test")) };
            by.set_roles(&email, &["admin", &key]).await.is(303);
            app.later(TimeDelta::hours(24));
            assert_eq!((end_due(app).await, ended(app).await[0].as_str()), (1, "lapsed"), "{who}");
            let role = app.service.role(&command_line(), &key.parse().unwrap()).await.unwrap().role;
            assert!(!role.permissions.contains(&domain::permission::Permission::ApprovalsDecide), "{who}");
        }
    }

    async fn r11_a_role_that_gained_such_a_right_since_it_was_asked_for_is_not_given(app) {
        let (ada, cleo) = (app.admin("Ada").await, app.admin("Cleo").await);
        let bo = app.add("Bo", &[Role::Operator], &[], Clearance::Internal).await;
        ada.make_role("decides", &["approvals.decide"]).await.is(303);
        ada.set_roles(&bo, &["operator", "decides"]).await.is(303);
        let row = waiting(app).await;
        decide(&cleo, &row, "confirm").await.is(303);
        // Nobody holds it yet, so nobody gains by this.
        ada.save_role("decides", &["approvals.decide", "payloads.reveal"]).await.is(303);
        app.later(TimeDelta::hours(24));
        end_due(app).await;
        assert_eq!((ended(app).await, app.held(&bo).await), (vec!["lapsed".into()], vec!["operator".into()]));
    }
}
