//! Disabling an account and enabling it again.

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};

use super::of_kind;
use crate::app::on_both;

const JO: &str = "jo@example.test";

on_both! {
    async fn r16_disabling_an_account_ends_its_sessions_and_tokens_at_the_next_request(app) {
        let ada = app.admin("Ada").await;
        let laptop = app.signed_in("Jo", Role::Operator, "finance-ops").await;
        let phone = app.again(JO).await;
        let script = app.script_of(JO, &[]).await;
        script.get("/api/v1/items").await.is(200);
        let (done, entries) = app.audited(ada.change(JO, "disable", &[])).await;
        assert!(done.location().ends_with("?done=disabled"));
        let [entry] = of_kind(&entries, AuditKind::PersonDisabled, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!(entry.detail["sessions_ended"], 2);
        for browser in [&laptop, &phone] {
            assert_eq!(browser.get("/me").await.location(), "/sign-in?next=%2Fme");
            browser.post("/me/tokens", &[("name", "x")]).await.is(401);
        }
        script.get("/api/v1/items").await.problem(401, "bad_token");
        app.browser().sign_in(JO).await.is(401);
        let (again, entries) = app.audited(app.unchanged(ada.change(JO, "disable", &[]))).await;
        again.is(303);
        assert!(entries.is_empty(), "{entries:?}");

        let (done, entries) = app.audited(ada.change(JO, "enable", &[])).await;
        assert!(done.location().ends_with("?done=enabled"));
        assert_eq!(of_kind(&entries, AuditKind::PersonEnabled, AuditOutcome::Done).len(), 1);
        assert_eq!(laptop.get("/me").await.status, 303, "a session that ended stays ended");
        app.again(JO).await.get("/me").await.is(200);
        script.get("/api/v1/items").await.is(200);
        assert_eq!(app.held(JO).await, ["operator"]);
    }

    async fn an_admin_ends_all_sessions_of_another(app) {
        let ada = app.admin("Ada").await;
        let jo = app.signed_in("Jo", Role::Operator, "finance-ops").await;
        let (done, entries) = app.audited(ada.change(JO, "sessions", &[])).await;
        assert!(done.location().ends_with("?done=sessions"));
        let [entry] = of_kind(&entries, AuditKind::SessionsEnded, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!(entry.detail["sessions_ended"], 1);
        assert_eq!(jo.get("/me").await.status, 303);
        app.again(JO).await.get("/me").await.is(200);
    }

    async fn only_who_manages_people_changes_an_account_and_only_one_that_is_there(app) {
        let selma = app.signed_in("Selma", Role::Supervisor, "finance-ops").await;
        let ada = app.admin("Ada").await;
        app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        let fields = [
            ("version", "1"), ("role:operator", "yes"), ("clearance", "restricted"), ("name", "Jo"), ("email", "other@example.test"),
        ];
        for verb in ["roles", "teams", "clearance", "name", "link", "sessions", "two-step", "disable", "enable", "delete"] {
            let person = app.id_of(JO).await;
            let (answer, entries) = app.audited(app.unchanged(selma.post(&super::to(person, verb), &fields))).await;
            answer.is(403);
            assert_eq!(entries.len(), 1, "{verb}: {entries:?}");
            assert_eq!((entries[0].outcome, entries[0].actor_name.as_str()), (AuditOutcome::Refused, "Selma"));
            let nobody = domain::ids::PersonId(uuid::Uuid::new_v4());
            app.unchanged(ada.post(&super::to(nobody, verb), &fields)).await.is(404);
            app.unchanged(ada.post(&format!("/admin/people/7/{verb}"), &fields)).await;
        }
    }
}
