//! Giving and taking roles, and roles that admins put together.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    notice::NoticeKind,
    permission::Role,
};
use serde_json::json;

use super::{holds, is_ticked, of_kind, pairs, ticked, to};
use crate::{app::on_both, words::report};

on_both! {
    async fn r16_a_role_counts_from_the_next_request_of_an_open_browser_and_so_does_its_end(app) {
        let ada = app.admin("Ada").await;
        let jo = app.signed_in("Jo", Role::Operator, "finance-ops").await;
        jo.get("/admin/people").await.is(403);
        let (given, entries) = app.audited(ada.set_roles("jo@example.test", &["operator", "admin"])).await;
        let person = app.id_of("jo@example.test").await;
        assert_eq!(given.location(), format!("/admin/people/{person}?done=rights"));
        let [entry] = of_kind(&entries, AuditKind::RolesChanged, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!(entry.detail["person"], person.to_string());
        assert_eq!((&entry.detail["given"], &entry.detail["taken"]), (&json!(["admin"]), &json!([])));
        jo.get("/admin/people").await.is(200);

        app.later(TimeDelta::seconds(1));
        ada.set_roles("jo@example.test", &["operator"]).await.is(303);
        jo.get("/admin/people").await.is(403);
        jo.post("/admin/teams", &[("key", "sales"), ("name", "Sales")]).await.is(403);
        let told = app.told_of("jo@example.test", NoticeKind::RightsChanged).await;
        assert_eq!(told, ["Ada changed what you may do: given: Admin", "Ada changed what you may do: taken: Admin"]);
    }

    async fn roles_that_are_held_already_are_no_change(app) {
        let ada = app.admin("Ada").await;
        app.add("Jo", &[Role::Operator], &[], domain::sensitivity::Clearance::Internal).await;
        let (answer, entries) = app.audited(app.unchanged(ada.set_roles("jo@example.test", &["operator"]))).await;
        answer.is(303);
        assert!(entries.is_empty(), "{entries:?}");
    }

    async fn r16_a_role_of_ones_own_is_put_together_given_and_changed_while_it_is_held(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let ada = app.admin("Ada").await;
        let jo = app.signed_in("Jo", Role::Auditor, "finance-ops").await;
        let comment = async || jo.work_on(&id, "comment", &[("text", "Seen")]).await;
        comment().await.is(403);

        let (made, entries) = app.audited(ada.make_role("night-shift", &["items.read", "items.comment"])).await;
        assert_eq!(made.location(), "/admin/roles/night-shift?done=role");
        let [entry] = of_kind(&entries, AuditKind::RoleSaved, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!(entry.detail["role"], "night-shift");
        ada.set_roles("jo@example.test", &["night-shift"]).await.is(303);
        comment().await.is(303);
        jo.get("/audit").await.is(403);

        app.later(TimeDelta::seconds(1));
        ada.save_role("night-shift", &["items.read", "audit.read"]).await.is(303);
        comment().await.is(403);
        jo.get("/audit").await.is(200);
        let told = app.told_of("jo@example.test", NoticeKind::RightsChanged).await;
        assert_eq!(told.last().unwrap(), "Ada changed what you may do: the role night-shift was changed");
        assert_eq!(app.told_of("ada@example.test", NoticeKind::RightsChanged).await, Vec::<String>::new());

        // Another name alone changes nothing that anybody may do.
        let version = super::role_version(app, "night-shift").await.to_string();
        let ticks = ticked("permission", &["items.read", "audit.read"]);
        let fields = [&[("version", version.as_str()), ("name", "Night shift")], &pairs(&ticks)[..]].concat();
        ada.post("/admin/roles/night-shift", &fields).await.is(303);
        assert_eq!(app.told_of("jo@example.test", NoticeKind::RightsChanged).await, told);
        assert!(jo.get("/me").await.is(200).text().contains("Night shift"));
    }

    async fn what_is_wrong_with_a_role_is_told_in_place_and_everything_typed_is_kept(app) {
        let ada = app.admin("Ada").await;
        ada.make_role("night-shift", &["items.read"]).await.is(303);
        let long = "x".repeat(41);
        let wide = "x".repeat(61);
        for (key, name, permission, status) in [
            ("", "Mine", "items.read", 422),
            ("Night", "Mine", "items.read", 422),
            ("night shift", "Mine", "items.read", 422),
            ("night/shift", "Mine", "items.read", 422),
            ("nattvågen", "Mine", "items.read", 422),
            (long.as_str(), "Mine", "items.read", 422),
            ("mine", " ", "items.read", 422),
            ("mine", wide.as_str(), "items.read", 422),
            ("mine", "Mine", "items.everything", 422),
            ("admin", "Mine", "items.read", 409),
            ("operator", "Mine", "items.read", 409),
            ("night-shift", "Mine", "items.read", 409),
        ] {
            let ticks = ticked("permission", &["items.work", permission]);
            let fields = [&[("key", key), ("name", name)], &pairs(&ticks)[..]].concat();
            let answer = app.unchanged(ada.post("/admin/roles/new", &fields)).await.is(status);
            let page = answer.text();
            holds(&page, "key", key);
            holds(&page, "name", name);
            assert!(is_ticked(&page, "permission:items.work"), "{key} {name}");
            assert!(!is_ticked(&page, "permission:audit.read"));
        }
        let none = [("key", "mine"), ("name", "Mine")];
        let page = app.unchanged(ada.post("/admin/roles/new", &none)).await.is(422).text();
        assert!(page.contains("Choose at least one permission"));
        // The four are always the same, and a role that is not there is not changed into being.
        for key in ["admin", "nobodys"] {
            let fields = [("version", "1"), ("name", "Mine"), ("permission:items.read", "yes")];
            let status = app.unchanged(ada.post(&format!("/admin/roles/{key}"), &fields)).await.status;
            assert!(matches!(status, 404 | 409), "{key}: {status}");
        }
    }

    async fn a_role_is_removed_only_when_nobody_holds_it(app) {
        let ada = app.admin("Ada").await;
        app.add("Jo", &[Role::Operator], &[], domain::sensitivity::Clearance::Internal).await;
        ada.make_role("night-shift", &["items.read"]).await.is(303);
        ada.set_roles("jo@example.test", &["operator", "night-shift"]).await.is(303);
        let remove = async || ada.post("/admin/roles/night-shift/remove", &[]).await;
        let answer = app.unchanged(remove()).await.is(409);
        assert!(answer.text().contains("One person holds this role"), "{}", answer.shown());
        ada.set_roles("jo@example.test", &["operator"]).await.is(303);
        let (done, entries) = app.audited(remove()).await;
        assert_eq!(done.location(), "/admin/roles?done=role-removed");
        assert_eq!(of_kind(&entries, AuditKind::RoleRemoved, AuditOutcome::Done).len(), 1);
        app.unchanged(remove()).await.is(404);
        app.unchanged(ada.post("/admin/roles/admin/remove", &[])).await.is(404);
        let gone = [("version", "99"), ("role:night-shift", "yes")];
        let person = app.id_of("jo@example.test").await;
        assert!(app.unchanged(ada.post(&to(person, "roles"), &gone)).await.status >= 400);
    }
}
