//! Deleting and renaming an account spoils no history, and credits no namesake (C32).

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};

use super::of_kind;
use crate::{
    app::{PASSWORD, on_both},
    words::report,
};

const JO: &str = "jo@example.test";

on_both! {
    async fn c32_what_a_deleted_account_did_keeps_its_name_and_a_namesake_is_somebody_else(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let page = format!("/items/{id}");
        let ada = app.admin("Ada").await;
        let aud = app.signed_in("Aud", Role::Auditor, "finance-ops").await;
        let old = app.signed_in("Jo", Role::Operator, "finance-ops").await;
        let script = app.script_of(JO, &[]).await;
        old.work_on(&id, "comment", &[("text", "From the first")]).await.is(303);
        old.work_on(&id, "claim", &[]).await.is(303);
        let first = app.id_of(JO).await;
        let history = aud.get(&page).await.is(200).text();

        let (done, entries) = app.audited(ada.change(JO, "delete", &[])).await;
        assert_eq!(done.location(), "/admin/people?done=deleted");
        let [entry] = of_kind(&entries, AuditKind::PersonDeleted, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!((entry.detail["person"].as_str(), entry.text.as_deref()), (Some(&*first.to_string()), Some("Jo <jo@example.test>")));
        assert_eq!(old.get("/me").await.status, 303);
        script.get("/api/v1/items").await.problem(401, "bad_token");
        app.browser().sign_in(JO).await.is(401);
        ada.get(&format!("/admin/people/{first}")).await.is(404);
        ada.post(&super::to(first, "enable"), &[]).await.is(404);
        assert!(!ada.get("/admin/people").await.is(200).text().contains(JO));

        let link = ada.invite(JO, &["operator"], &["finance-ops"]).await;
        let new = app.browser();
        new.join(&link, "Jo").await.is(303);
        let second = app.id_of(JO).await;
        assert_ne!(first, second);
        assert!(new.get("/me/tokens").await.is(200).text().contains("No script acts as you yet"));
        let told = app.told(JO).await;
        assert!(told.iter().all(|row| row.about == "given: Operator"), "nothing of what the first was told: {told:?}");
        new.work_on(&id, "comment", &[("text", "From the second")]).await.is(303);

        for row in app.audit().await.iter().filter(|row| row.actor_name == "Jo") {
            let gone = row.actor_id == Some(first.0);
            assert!(gone || row.actor_id == Some(second.0), "{row:?}");
            assert_eq!(row.actor_deleted_at.is_some(), gone, "{row:?}");
        }
        let of = async |account| {
            let page = aud.get(&format!("/audit?account={account}")).await.is(200).text();
            page.split_once("<tbody").unwrap().1.to_owned()
        };
        let (firsts, seconds) = (of(first).await, of(second).await);
        assert!(firsts.contains("claimed the item") && firsts.contains("deleted account"), "{firsts}");
        assert!(!seconds.contains("claimed the item") && !seconds.contains("deleted account"));
        assert!(seconds.contains("commented"));
        let after = aud.get(&page).await.is(200).text();
        assert!(after.contains("From the first") && after.contains("From the second"));
        assert!(after.matches(">Jo<").count() >= history.matches(">Jo<").count(), "the history names who acted as before");
        assert!(after.contains("deleted account"), "and says that this account is gone");
    }

    async fn c32_another_name_changes_no_history(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let page = format!("/items/{id}");
        let ada = app.admin("Ada").await;
        let jo = app.signed_in("Jo Berg", Role::Operator, "finance-ops").await;
        jo.work_on(&id, "comment", &[("text", "Before")]).await.is(303);
        let email = "jo.berg@example.test";
        let fields = [("name", "  Jo Dahl "), ("email", "Dahl@example.test")];
        let (done, entries) = app.audited(ada.change(email, "name", &fields)).await;
        assert!(done.location().ends_with("?done=name"));
        let [entry] = of_kind(&entries, AuditKind::PersonRenamed, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!(entry.text.as_deref(), Some("Jo Berg <jo.berg@example.test> → Jo Dahl <Dahl@example.test>"));

        assert!(jo.get("/me").await.is(200).text().contains("Jo Dahl"), "their session goes on");
        app.later(TimeDelta::seconds(1));
        jo.work_on(&id, "comment", &[("text", "After")]).await.is(303);
        let history = jo.get(&page).await.is(200).text();
        assert!(history.contains("Jo Berg") && history.contains("Jo Dahl"));
        let names: Vec<_> = app.audit().await.into_iter().filter(|row| row.action == AuditKind::Commented).map(|row| row.actor_name).collect();
        assert_eq!(names, ["Jo Berg", "Jo Dahl"]);
        app.browser().sign_in(email).await.is(401);
        app.browser().post("/sign-in", &[("email", "dahl@EXAMPLE.test"), ("password", PASSWORD)]).await.is(303);
    }

    async fn an_account_takes_nobody_elses_address_and_what_is_wrong_is_told_in_place(app) {
        let ada = app.admin("Ada").await;
        app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        app.add("Bo", &[Role::Operator], &[], Clearance::Internal).await;
        for (name, email, status) in [
            ("Jo", "BO@example.test", 409), ("Jo", "nobody", 422), (" ", JO, 422), ("Jo\u{1}", JO, 422),
        ] {
            let page = app.unchanged(ada.change(JO, "name", &[("name", name), ("email", email)])).await.is(status).text();
            super::holds(&page, "email", email);
        }
        let (answer, entries) = app.audited(app.unchanged(ada.change(JO, "name", &[("name", "Jo"), ("email", JO)]))).await;
        answer.is(303);
        assert!(entries.is_empty(), "{entries:?}");
        // Their own address in other letters is theirs to take.
        ada.change(JO, "name", &[("name", "Jo"), ("email", "JO@example.test")]).await.is(303);
    }
}
