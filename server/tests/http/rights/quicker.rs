//! Two admins at once: the second is told, and loses nothing of what they typed (C76).

use domain::{permission::Role, sensitivity::Clearance};

use super::{holds, is_chosen, is_ticked, pairs, role_version, ticked, to};
use crate::{
    app::on_both,
    wire::{race, statuses},
    words,
};

/// What two people type into the same form.
type Two<'f> = [Vec<(&'f str, &'f str)>; 2];

on_both! {
    async fn c76_who_looked_at_an_account_before_it_was_changed_is_told_and_keeps_what_they_typed(app) {
        app.register(words::INVOICES).await;
        let (ada, cleo) = (app.admin("Ada").await, app.admin("Cleo").await);
        app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        let person = app.id_of("jo@example.test").await;
        let seen = app.account("jo@example.test").await.listed.row.version.to_string();
        ada.set_roles("jo@example.test", &["auditor"]).await.is(303);

        let post = async |verb: &str, fields: &[(&str, &str)]| {
            let fields = [&[("version", seen.as_str())], fields].concat();
            let answer = app.unchanged(cleo.post(&to(person, verb), &fields)).await.is(409);
            assert!(answer.text().contains("was changed since this page was shown"), "{}", answer.shown());
            answer.text()
        };
        let page = post("roles", &[("role:operator", "yes"), ("role:auditor", "yes")]).await;
        assert!(is_ticked(&page, "role:operator") && is_ticked(&page, "role:auditor"));
        let page = post("teams", &[("team:finance-ops", "yes")]).await;
        assert!(is_ticked(&page, "team:finance-ops"));
        let page = post("clearance", &[("clearance", "restricted")]).await;
        assert!(is_chosen(&page, "restricted"));
        let page = post("name", &[("name", "Jo Berg"), ("email", "berg@example.test")]).await;
        holds(&page, "name", "Jo Berg");
        holds(&page, "email", "berg@example.test");
        assert_eq!(app.held("jo@example.test").await, ["auditor"]);

        for verb in ["roles", "teams", "clearance", "name"] {
            let fields = [("name", "Jo"), ("email", "jo@example.test"), ("clearance", "internal"), ("role:auditor", "yes")];
            app.unchanged(cleo.post(&to(person, verb), &fields)).await.is(422);
        }
    }

    async fn c76_who_looked_at_a_role_before_it_was_changed_is_told_and_keeps_what_they_typed(app) {
        let (ada, cleo) = (app.admin("Ada").await, app.admin("Cleo").await);
        ada.make_role("night-shift", &["items.read"]).await.is(303);
        let seen = role_version(app, "night-shift").await.to_string();
        ada.save_role("night-shift", &["items.read", "audit.read"]).await.is(303);
        let fields = [("version", seen.as_str()), ("name", "Nights"), ("permission:items.work", "yes")];
        let answer = app.unchanged(cleo.post("/admin/roles/night-shift", &fields)).await.is(409);
        let page = answer.text();
        holds(&page, "name", "Nights");
        assert!(is_ticked(&page, "permission:items.work") && !is_ticked(&page, "permission:audit.read"));
        app.unchanged(cleo.post("/admin/roles/night-shift", &fields[1..])).await.is(409);
    }

    async fn c76_of_eight_forms_of_one_account_sent_at_once_one_is_saved(app) {
        app.register(words::INVOICES).await;
        app.register(words::REPLIES).await;
        let ada = app.admin("Ada").await;
        app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        let person = app.id_of("jo@example.test").await;
        let sets: [(&str, Two<'_>); 4] = [
            ("roles", [vec![("role:operator", "yes"), ("role:auditor", "yes")], vec![("role:auditor", "yes")]]),
            ("teams", [vec![("team:finance-ops", "yes")], vec![("team:support", "yes")]]),
            ("clearance", [vec![("clearance", "confidential")], vec![("clearance", "restricted")]]),
            ("name", [vec![("name", "Jo A"), ("email", "jo@example.test")], vec![("name", "Jo B"), ("email", "jo@example.test")]]),
        ];
        for (verb, ways) in &sets {
            let version = app.account("jo@example.test").await.listed.row.version;
            let answers = race(8, |n| {
                let (ada, way) = (&ada, &ways[n % 2]);
                async move {
                    let version = version.to_string();
                    ada.post(&to(person, verb), &[&[("version", version.as_str())], &way[..]].concat()).await
                }
            })
            .await;
            assert_eq!(statuses(&answers), [(303, 1), (409, 7)], "{verb}");
            assert_eq!(app.account("jo@example.test").await.listed.row.version, version + 1, "{verb}");
        }
    }

    async fn c76_of_eight_forms_of_one_role_sent_at_once_one_is_saved(app) {
        let ada = app.admin("Ada").await;
        ada.make_role("night-shift", &["items.read"]).await.is(303);
        let answers = race(8, |n| {
            let permissions = [&["items.read"][..], &["items.read", "items.work"][..]][n % 2];
            let ticks = ticked("permission", permissions);
            let ada = &ada;
            async move {
                let fields = [&[("version", "1"), ("name", "Nights")], &pairs(&ticks)[..]].concat();
                ada.post("/admin/roles/night-shift", &fields).await
            }
        })
        .await;
        assert_eq!(statuses(&answers), [(303, 1), (409, 7)]);
        assert_eq!(role_version(app, "night-shift").await, 2);
    }
}
