//! Somebody is always left who can sign in and manages people.

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::{Permission, Role},
    sensitivity::Clearance,
};
use service::people::add::AddPerson;

use super::of_kind;
use crate::{
    app::{App, PASSWORD, command_line, on_both},
    wire::{Answer, race, statuses},
};

const ADA: &str = "ada@example.test";

/// Insists that something is refused because nobody would be left, and changes nothing.
async fn refused(app: &App, kind: AuditKind, doing: impl Future<Output = Answer>) {
    let (answer, entries) = app.audited(app.unchanged(doing)).await;
    assert!(answer.is(409).text().contains("Nobody who can sign in would be left to manage people"));
    assert_eq!(of_kind(&entries, kind, AuditOutcome::Refused).len(), 1, "{entries:?}");
}

/// Those who can sign in and manage people.
async fn admins(app: &App) -> Vec<String> {
    let people = app.service.people(&command_line(), None, None).await.unwrap().people;
    let manages = |roles: &[domain::role::HeldRole]| {
        roles.iter().any(|role| role.permissions.contains(&Permission::PeopleManage))
    };
    people
        .into_iter()
        .filter(|one| one.row.disabled_at.is_none() && manages(&one.roles))
        .map(|one| one.row.email)
        .collect()
}

on_both! {
    async fn the_last_admin_can_not_be_disabled_deleted_or_demoted(app) {
        let ada = app.admin("Ada").await;
        refused(app, AuditKind::PersonDisabled, ada.change(ADA, "disable", &[])).await;
        refused(app, AuditKind::PersonDeleted, ada.change(ADA, "delete", &[])).await;
        refused(app, AuditKind::RolesChanged, ada.set_roles(ADA, &["operator"])).await;
        refused(app, AuditKind::RolesChanged, ada.set_roles(ADA, &[])).await;
        ada.get("/admin/people").await.is(200);
    }

    async fn admins_who_can_not_sign_in_do_not_count(app) {
        let ada = app.admin("Ada").await;
        let gone = app.add("Gone", &[Role::Admin], &[], Clearance::Internal).await;
        ada.change(&gone, "disable", &[]).await.is(303);
        let link = ada.invite("jo@example.test", &["admin"], &[]).await;
        refused(app, AuditKind::PersonDisabled, ada.change(ADA, "disable", &[])).await;
        refused(app, AuditKind::RolesChanged, ada.set_roles(ADA, &["operator"])).await;
        let jo = app.browser();
        jo.join(&link, "Jo").await.is(303);
        ada.set_roles(ADA, &["operator"]).await.is(303);
        ada.get("/admin/people").await.is(403);
        jo.get("/admin/people").await.is(200);
        refused(app, AuditKind::PersonDeleted, jo.change("jo@example.test", "delete", &[])).await;
    }

    async fn a_role_by_which_the_last_admin_is_one_keeps_its_right(app) {
        let ada = app.admin("Ada").await;
        ada.make_role("boss", &["people.manage", "items.read"]).await.is(303);
        ada.set_roles(ADA, &["admin", "boss"]).await.is(303);
        ada.save_role("boss", &["items.read"]).await.is(303);
        ada.save_role("boss", &["people.manage", "items.read"]).await.is(303);
        ada.set_roles(ADA, &["boss"]).await.is(303);
        ada.get("/admin/people").await.is(200);
        refused(app, AuditKind::RoleSaved, ada.save_role("boss", &["items.read"])).await;
        refused(app, AuditKind::RolesChanged, ada.set_roles(ADA, &["operator"])).await;
        ada.save_role("boss", &["people.manage", "items.work"]).await.is(303);
    }

    async fn of_two_admins_who_demote_each_other_at_once_one_is_left(app) {
        let mut left = app.add("Admin 0", &[Role::Admin], &[], Clearance::Internal).await;
        for (round, verb) in (1..).zip(["roles", "disable", "delete", "roles"]) {
            let other = app.add(&format!("Admin {round}"), &[Role::Admin], &[], Clearance::Internal).await;
            let (first, second) = (app.again(&left).await, app.again(&other).await);
            let answers = race(2, |n| {
                let (by, whom) = if n == 0 { (&first, &other) } else { (&second, &left) };
                async move {
                    match verb {
                        "roles" => by.set_roles(whom, &["operator"]).await,
                        verb => by.change(whom, verb, &[]).await,
                    }
                }
            })
            .await;
            let won = answers.iter().filter(|answer| answer.status == 303 && answer.location().starts_with("/admin/")).count();
            assert_eq!(won, 1, "{verb}: {:?}", statuses(&answers));
            let [only] = &admins(app).await[..] else { panic!("{verb}: {:?}", admins(app).await) };
            left = only.clone();
        }
    }

    async fn a_shell_on_the_machine_is_held_to_it_too(app) {
        let ada = app.admin("Ada").await;
        let account = service::people::leave::Account::Email(ADA.into());
        app.service.run(&command_line(), service::people::leave::DisablePerson(account.clone())).await.unwrap_err();
        ada.get("/admin/people").await.is(200);
        let bo = AddPerson::new("bo@example.test", "Bo", PASSWORD.into(), [Role::Admin], Vec::new(), Clearance::Internal);
        app.service.run(&command_line(), bo.await.unwrap()).await.unwrap();
        app.service.run(&command_line(), service::people::leave::DisablePerson(account)).await.unwrap();
        assert_eq!(admins(app).await, ["bo@example.test"]);
    }
}
