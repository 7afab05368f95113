//! Inviting: what may go wrong in the form, and that it makes one account.

use domain::audit::{AuditKind, AuditOutcome};

use super::{holds, invitation, is_ticked, link_in, made, of_kind, pairs};
use crate::{
    app::on_both,
    wire::{race, statuses},
    words,
};

on_both! {
    async fn an_invitation_makes_an_account_that_waits_and_shows_its_link_once(app) {
        app.register(words::INVOICES).await;
        let ada = app.admin("Ada").await;
        let fields = invitation("jo@example.test", &["operator"], &["finance-ops"]);
        let (answer, entries) = app.audited(ada.post("/admin/people/invite", &pairs(&fields))).await;
        let link = link_in(app, &answer);
        assert!(link.starts_with("/link/"), "{link}");
        assert_eq!(answer.header("cache-control"), "no-store");
        let [entry] = of_kind(&entries, AuditKind::PersonInvited, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        let jo = app.account("jo@example.test").await;
        assert_eq!(entry.detail["person"], jo.listed.row.id.to_string());
        assert_eq!((entry.actor_name.as_str(), entry.text.as_deref()), ("Ada", Some("jo@example.test")));
        assert_eq!(app.held("jo@example.test").await, ["operator"]);

        let secret = link.strip_prefix("/link/").unwrap();
        let page = ada.get(&format!("/admin/people/{}", jo.listed.row.id)).await.is(200).text();
        assert!(page.contains("invited") && !page.contains(secret), "it is shown this once");
        let kept = format!("{:?}", app.database.content_without(&[]).await);
        assert!(!kept.contains(secret), "only its digest is kept");
        app.browser().sign_in("jo@example.test").await.is(401);
    }

    async fn the_same_form_sent_twice_makes_one_account(app) {
        let ada = app.admin("Ada").await;
        let fields = invitation("jo@example.test", &["operator"], &[]);
        made(&ada.post("/admin/people/invite", &pairs(&fields)).await);
        let again = app.unchanged(ada.post("/admin/people/invite", &pairs(&fields))).await.is(409);
        assert!(again.text().contains("It was made already"), "{}", again.shown());
        assert!(!again.text().contains("/link/"), "the link is not shown again");
    }

    async fn of_a_form_sent_five_times_at_once_one_makes_the_account(app) {
        let ada = app.admin("Ada").await;
        let fields = invitation("jo@example.test", &["operator"], &[]);
        let answers = race(5, |_| async { ada.post("/admin/people/invite", &pairs(&fields)).await }).await;
        assert_eq!(statuses(&answers), [(200, 1), (409, 4)]);
        assert_eq!(app.database.rows("person").await, 2);
    }

    async fn an_address_that_is_taken_makes_no_second_account_whatever_its_case(app) {
        let ada = app.admin("Ada").await;
        ada.invite("jo@example.test", &["operator"], &[]).await;
        let fields = invitation("JO@Example.test", &["auditor"], &[]);
        let answer = app.unchanged(ada.post("/admin/people/invite", &pairs(&fields))).await.is(409);
        let page = answer.text();
        assert!(page.contains("JO@Example.test"), "{}", answer.shown());
        holds(&page, "email", "JO@Example.test");
        assert!(is_ticked(&page, "role:auditor"));

        let answers = race(6, |_| async {
            ada.post("/admin/people/invite", &pairs(&invitation("bo@example.test", &["operator"], &[]))).await
        })
        .await;
        assert_eq!(statuses(&answers), [(200, 1), (409, 5)], "six forms for one address");
    }

    async fn what_is_wrong_is_told_in_place_and_everything_typed_is_kept(app) {
        app.register(words::INVOICES).await;
        let ada = app.admin("Ada").await;
        let right = invitation("jo@example.test", &["operator", "auditor"], &["finance-ops"]);
        let long = "x".repeat(101);
        for (field, value, told) in [
            ("email", "no address", "Give an e-mail address"),
            ("email", "a b@example.test", "Give an e-mail address"),
            ("name", " ", "The name must not be empty"),
            ("name", long.as_str(), "The name must have at most 100 characters"),
            ("clearance", "everything", "Choose one of the three"),
            ("role:boss", "yes", "There is no role"),
            ("role:No Role", "yes", "There is no such role"),
            ("team:nowhere", "yes", "There is no team"),
            ("id", "7", "Open the form anew"),
        ] {
            let mut fields = right.clone();
            fields.retain(|(name, _)| name != field);
            fields.push((field.to_owned(), value.to_owned()));
            let answer = app.unchanged(ada.post("/admin/people/invite", &pairs(&fields))).await.is(422);
            let page = answer.text();
            assert!(page.contains(told), "{field} {value}: {}", answer.shown());
            for kept in ["email", "name"] {
                let typed = &fields.iter().find(|(name, _)| name == kept).unwrap().1;
                holds(&page, kept, typed);
            }
            for kept in ["role:operator", "role:auditor", "team:finance-ops"] {
                assert!(is_ticked(&page, kept), "{field} {value}: {kept}");
            }
            assert!(!is_ticked(&page, "role:admin"));
        }
        let nothing = [("id", "7d1c6f2e-6f0a-4c53-9d65-0d7b3d3b6a11"), ("email", ""), ("name", ""), ("clearance", "internal")];
        let page = app.unchanged(ada.post("/admin/people/invite", &nothing)).await.is(422).text();
        for told in ["Give an e-mail address", "The name must not be empty", "Choose at least one role"] {
            assert!(page.contains(told), "all that is wrong is told at once: {told}");
        }
        made(&ada.post("/admin/people/invite", &pairs(&right)).await);
    }

    async fn whoever_does_not_manage_people_invites_nobody(app) {
        for role in [domain::permission::Role::Operator, domain::permission::Role::Supervisor, domain::permission::Role::Auditor] {
            let other = app.signed_in(role.label(), role, "finance-ops").await;
            other.get("/admin/people/invite").await.is(403);
            let fields = invitation("jo@example.test", &["operator"], &[]);
            let (answer, entries) = app.audited(app.unchanged(other.post("/admin/people/invite", &pairs(&fields)))).await;
            answer.is(403);
            assert_eq!(of_kind(&entries, AuditKind::PersonInvited, AuditOutcome::Refused).len(), 1, "{role}");
        }
    }
}
