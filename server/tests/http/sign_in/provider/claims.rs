//! What claims give and take.

use chrono::TimeDelta;
use domain::{audit::AuditKind, permission::Role, role::RoleKey, sensitivity::Clearance};
use serde_json::json;

use super::{at_a_provider, plainly, sign_in, signed_in, told};
use crate::{
    app::App,
    openid::stub::{Stub, User},
    sign_in::{detail, id_of, is_in, notices},
};

/// The keys of somebody's roles.
async fn roles(app: &App, email: &str) -> Vec<String> {
    let seen = app.service.person(&crate::app::command_line(), id_of(app, email).await).await.unwrap();
    let mut keys: Vec<_> = seen.listed.roles.iter().map(|role| role.key.to_string()).collect();
    keys.sort();
    keys
}

async fn teams(app: &App, email: &str) -> Vec<String> {
    let seen = app.service.person(&crate::app::command_line(), id_of(app, email).await).await.unwrap();
    let mut keys: Vec<_> = seen.listed.teams.iter().map(|team| team.key.clone()).collect();
    keys.sort();
    keys
}

async fn comes_with(app: &App, stub: &Stub, groups: &[&str]) {
    signed_in(app, stub, "Amara", groups).await;
}

at_a_provider! {
    set up by plainly;

    async fn what_claims_decide_about_comes_and_goes_with_them_what_an_admin_gave_stays(app, stub) {
        let email = app.add("Amara", &[Role::Auditor], &["triage"], Clearance::Confidential).await;
        comes_with(app, stub, &["ops", "desk"]).await;
        assert_eq!((roles(app, &email).await, teams(app, &email).await), (vec!["auditor".into(), "operator".into()], vec!["finance-ops".to_owned(), "support".into(), "triage".into()]));
        comes_with(app, stub, &["leads"]).await;
        assert_eq!((roles(app, &email).await, teams(app, &email).await), (vec!["auditor".into(), "supervisor".into()], vec!["finance-ops".to_owned(), "triage".into()]));
        comes_with(app, stub, &[]).await;
        assert_eq!((roles(app, &email).await, teams(app, &email).await), (vec!["auditor".to_owned()], vec!["triage".to_owned()]));
        let amara = signed_in(app, stub, "Amara", &["ops"]).await;
        let told = notices(&amara).await;
        assert!(told.contains("identity provider changed what you may do: given: Operator"), "{told}");
        let page = amara.get("/me").await.text();
        assert!(page.contains("Operator") && page.contains("Auditor") && !page.contains("Supervisor"));
    }

    async fn nothing_is_recorded_where_claims_say_what_is_so_already(app, stub) {
        comes_with(app, stub, &["ops", "desk"]).await;
        let (_, entries) = app.audited(comes_with(app, stub, &["desk", "ops", "ops"])).await;
        assert_eq!((entries.len(), entries[0].action), (1, AuditKind::SignedIn));
    }

    async fn who_is_signed_in_loses_a_right_when_they_come_with_fewer_claims(app, stub) {
        let amara = signed_in(app, stub, "Amara", &["ops", "it"]).await;
        amara.get("/admin/people").await.is(200);
        app.add("Ada", &[Role::Admin], &["triage"], Clearance::Internal).await;
        let (_, entries) = app.audited(comes_with(app, stub, &["ops"])).await;
        let changed = entries.iter().find(|row| row.action == AuditKind::RolesChanged).unwrap();
        assert_eq!((detail(changed, "taken"), detail(changed, "by_claims")), (json!(["admin"]), json!(true)));
        amara.get("/admin/people").await.is(403);
        is_in(&amara).await;
    }

    async fn the_last_admin_stays_one(app, stub) {
        comes_with(app, stub, &["ops", "it"]).await;
        stub.knows(User::new("Amara", &["ops"]));
        let refused = sign_in(&app.browser(), stub).await.is(409);
        assert!(refused.text().contains("<h1>Sign in</h1>"), "{}", refused.shown());
        assert_eq!(roles(app, "amara@example.test").await, ["admin", "operator"]);
    }

    async fn who_decides_over_others_work_by_claims_is_told_to_those_who_do(app, stub) {
        let supervisor = app.signed_in("Sofia", Role::Supervisor, "finance-ops").await;
        comes_with(app, stub, &["ops"]).await;
        assert!(!notices(&supervisor).await.contains("identity provider"));
        comes_with(app, stub, &["ops", "leads"]).await;
        let told = notices(&supervisor).await;
        assert!(told.contains("identity provider gave a right that decides over others' work: Amara may"), "{told}");
    }
}

mod in_strict_governance {
    use super::{super::strictly, *};
    use crate::sign_in::admin;

    /// Confirms the one right that waits.
    async fn confirm(admin: &crate::browser::Browser<'_>) {
        let page = admin.get("/admin/rights").await.is(200);
        let path = crate::sign_in::between(&page, "action=\"/admin/rights/", "/confirm\"");
        admin.post(&format!("/admin/rights/{path}/confirm"), &[]).await.is(303);
    }

    at_a_provider! {
        set up by strictly;

        async fn a_supervisor_by_claims_waits_for_an_admin_and_a_day(app, stub) {
            let admin = admin(app).await;
            comes_with(app, stub, &["ops", "leads"]).await;
            let email = "amara@example.test";
            assert_eq!(roles(app, email).await, ["operator"]);
            assert!(notices(&admin).await.contains("identity provider wants to give Amara the role Supervisor"));
            comes_with(app, stub, &["ops", "leads"]).await;
            assert_eq!(app.database.rows("right_grant").await, 1, "what waits is not asked for twice");
            confirm(&admin).await;
            assert_eq!(roles(app, email).await, ["operator"]);
            app.later(TimeDelta::hours(24));
            app.service.end_due_grants().await.unwrap();
            assert_eq!(roles(app, email).await, ["operator", "supervisor"]);
            comes_with(app, stub, &["ops", "leads"]).await;
            assert_eq!((roles(app, email).await, app.database.rows("right_grant").await), (vec!["operator".to_owned(), "supervisor".into()], 1));
            comes_with(app, stub, &["ops"]).await;
            assert_eq!(roles(app, email).await, ["operator"], "what is taken is gone at once");
        }

        async fn whose_only_role_waits_is_told_so_and_gets_in_once_it_was_given(app, stub) {
            let admin = admin(app).await;
            stub.knows(User::new("Amara", &["leads"]));
            told(&sign_in(&app.browser(), stub).await, "waits for a second admin");
            told(&sign_in(&app.browser(), stub).await, "waits for a second admin");
            assert_eq!(app.database.rows("right_grant").await, 1);
            confirm(&admin).await;
            app.later(TimeDelta::hours(24));
            app.service.end_due_grants().await.unwrap();
            let key: RoleKey = Role::Supervisor.into();
            assert_eq!(roles(app, "amara@example.test").await, [key.as_str()]);
            sign_in(&app.browser(), stub).await.is(303);
        }
    }
}
