//! Nobody gives themselves a say over others' work (R11), and whoever has one hears of another.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    notice::NoticeKind,
    permission::Role,
    sensitivity::Clearance,
};

use super::of_kind;
use crate::{
    app::{App, FALLBACK_TEAM, on_both},
    wire::Answer,
};

/// Insists that something is refused for R11's sake, changes nothing, and is in the audit with who it was about.
async fn refused(app: &App, kind: AuditKind, doing: impl Future<Output = Answer>) {
    let (answer, entries) = app.audited(app.unchanged(doing)).await;
    let page = answer.is(403).text();
    assert!(page.contains("Not for yourself") && page.contains("Another admin has to"), "{page}");
    let [entry] = of_kind(&entries, kind, AuditOutcome::Refused)[..] else { panic!("{entries:?}") };
    assert_eq!((entry.actor_name.as_str(), entry.code.as_deref()), ("Ada", Some("forbidden")));
    if kind != AuditKind::RoleSaved {
        assert_eq!(entry.detail["person"], app.id_of("ada@example.test").await.to_string());
    }
    assert_eq!(entries.len(), 1, "{entries:?}");
}

const ADA: &str = "ada@example.test";

on_both! {
    async fn r11_no_admin_gives_themselves_a_role_that_decides_or_reveals(app) {
        let ada = app.admin("Ada").await;
        app.admin("Cleo").await;
        for (key, right) in [("decides", "approvals.decide"), ("reveals", "payloads.reveal")] {
            ada.make_role(key, &["items.read", right]).await.is(303);
        }
        for roles in [&["admin", "supervisor"][..], &["admin", "decides"], &["admin", "reveals"], &["supervisor"]] {
            refused(app, AuditKind::RolesChanged, ada.set_roles(ADA, roles)).await;
        }
        assert_eq!(app.held(ADA).await, ["admin"]);
        // What decides nothing they may give themselves.
        ada.set_roles(ADA, &["admin", "operator"]).await.is(303);
    }

    async fn r11_no_admin_adds_such_a_right_to_a_role_they_hold(app) {
        let ada = app.admin("Ada").await;
        ada.make_role("mine", &["items.read"]).await.is(303);
        ada.set_roles(ADA, &["admin", "mine"]).await.is(303);
        for right in ["approvals.decide", "payloads.reveal"] {
            refused(app, AuditKind::RoleSaved, ada.save_role("mine", &["items.read", right])).await;
        }
        // Not even while their account holds it by the side of others.
        app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        ada.set_roles("jo@example.test", &["operator", "mine"]).await.is(303);
        refused(app, AuditKind::RoleSaved, ada.save_role("mine", &["items.read", "approvals.decide"])).await;
        ada.save_role("mine", &["items.read", "items.work"]).await.is(303);
    }

    async fn r11_nobody_raises_their_own_clearance(app) {
        let ada = app.signed_in_with("Ada", Role::Admin, FALLBACK_TEAM, Clearance::Confidential).await;
        refused(app, AuditKind::ClearanceChanged, ada.change(ADA, "clearance", &[("clearance", "restricted")])).await;
        ada.change(ADA, "clearance", &[("clearance", "internal")]).await.is(303);
        refused(app, AuditKind::ClearanceChanged, ada.change(ADA, "clearance", &[("clearance", "confidential")])).await;

        let cleo = app.admin("Cleo").await;
        cleo.change(ADA, "clearance", &[("clearance", "restricted")]).await.is(303);
        assert_eq!(app.account(ADA).await.listed.row.clearance, Clearance::Restricted);
        assert_eq!(app.told_of(ADA, NoticeKind::RightsChanged).await, ["Cleo changed what you may do: clearance: restricted"]);
    }

    async fn r11_another_admin_may_and_everybody_who_decides_is_told_with_it(app) {
        let ada = app.admin("Ada").await;
        let selma = app.add("Selma", &[Role::Supervisor], &[], Clearance::Internal).await;
        let bo = app.add("Bo", &[Role::Supervisor, Role::Admin], &[], Clearance::Internal).await;
        let gone = app.add("Gone", &[Role::Supervisor], &[], Clearance::Internal).await;
        let op = app.add("Op", &[Role::Operator], &[], Clearance::Internal).await;
        let jo = app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        ada.change(&gone, "disable", &[]).await.is(303);

        let (given, entries) = app.audited(ada.set_roles(&jo, &["operator", "supervisor"])).await;
        given.is(303);
        assert_eq!(app.held(&jo).await, ["operator", "supervisor"]);
        let sentence = "Ada gave a right that decides over others' work: Jo may approve or reject what others asked for";
        let [entry] = of_kind(&entries, AuditKind::RolesChanged, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        for decider in [&selma, &bo] {
            assert_eq!(app.told_of(decider, NoticeKind::RightGiven).await, [sentence]);
            assert_eq!(app.told(decider).await.last().unwrap().at, entry.at);
        }
        for other in [ADA, &op, &jo] {
            assert!(app.told_of(other, NoticeKind::RightGiven).await.is_empty(), "{other}");
        }
        assert_eq!(app.told_of(&jo, NoticeKind::RightsChanged).await, ["Ada changed what you may do: given: Supervisor"]);
        // Whoever decides and gives the right hears nothing of what they did themselves.
        let bos = app.again(&bo).await;
        bos.set_roles(&op, &["supervisor"]).await.is(303);
        assert_eq!(app.told_of(&bo, NoticeKind::RightGiven).await, [sentence]);
        assert_eq!(app.told_of(&selma, NoticeKind::RightGiven).await.len(), 2);
        assert_eq!(app.told_of(&jo, NoticeKind::RightGiven).await.len(), 1, "by now Jo decides, too");
    }

    async fn r11_revealing_and_roles_of_ones_own_are_told_to_those_who_decide_as_well(app) {
        let ada = app.admin("Ada").await;
        let selma = app.add("Selma", &[Role::Supervisor], &[], Clearance::Internal).await;
        let jo = app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        ada.make_role("looks", &["payloads.reveal"]).await.is(303);
        assert!(app.told(&selma).await.is_empty(), "nobody holds it yet");
        ada.set_roles(&jo, &["operator", "looks"]).await.is(303);
        app.later(TimeDelta::seconds(1));
        ada.save_role("looks", &["payloads.reveal", "approvals.decide"]).await.is(303);
        let told = app.told_of(&selma, NoticeKind::RightGiven).await;
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].ends_with(": Jo may reveal masked values"), "{told:?}");
        assert!(told[1].ends_with(": whoever holds the role looks may approve or reject what others asked for"), "{told:?}");
        // Taking it is no such news.
        ada.set_roles(&jo, &["operator"]).await.is(303);
        assert_eq!(app.told(&selma).await.len(), 2);
    }

    async fn r11_an_invitation_with_such_a_role_is_told_as_well(app) {
        let ada = app.admin("Ada").await;
        let selma = app.add("Selma", &[Role::Supervisor], &[], Clearance::Internal).await;
        ada.invite("jo@example.test", &["supervisor"], &[]).await;
        assert_eq!(app.told_of(&selma, NoticeKind::RightGiven).await.len(), 1);
        assert_eq!(app.held("jo@example.test").await, ["supervisor"]);
    }
}
