//! Personal tokens: what they carry, and when they end (R15, R16).

use chrono::TimeDelta;
use domain::{
    access::{Caller, may},
    audit::{AuditKind, AuditOutcome},
    permission::{Permission, RESERVED, Role},
    sensitivity::Clearance,
};
use serde_json::json;
use service::people::leave::{Account, DisablePerson};

use super::{finding, not_sent, only, resolution};
use crate::{
    app::{command_line, on_both},
    words::report,
};

/// Which permissions the caller behind a token has, of all there are.
async fn carried(script: &crate::app::Token<'_>) -> Vec<Permission> {
    let Caller::Person(person) = script
        .app
        .service
        .authenticate(service::tokens::authenticate::Brought::Token(&script.secret), None, None)
        .await
        .unwrap()
    else {
        panic!("no person")
    };
    Permission::ALL.iter().copied().filter(|permission| person.holds(*permission)).collect()
}

on_both! {
    async fn r15_what_is_reserved_is_carried_only_where_it_was_named_and_held(app) {
        let roles = Role::ALL;
        let email = app.add("Everything", roles, &["finance-ops"], Clearance::Restricted).await;
        let held: Vec<_> = Permission::ALL.iter().copied().filter(|p| roles.iter().any(|role| role.permissions().contains(p))).collect();
        let plain = app.script_of(&email, &[]).await;
        assert_eq!(carried(&plain).await, held.iter().copied().filter(|p| !RESERVED.contains(p)).collect::<Vec<_>>());
        for reserved in RESERVED {
            let named = app.script_of(&email, &[*reserved]).await;
            let expected: Vec<_> = held.contains(reserved).then_some(*reserved).into_iter().collect();
            assert_eq!(carried(&named).await, expected, "{reserved}: nothing but what was named");
        }
        let operator = app.add("Op", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        let wishful = app.script_of(&operator, &[Permission::ApprovalsDecide, Permission::ItemsRead, Permission::ItemsAssign]).await;
        assert_eq!(carried(&wishful).await, [Permission::ItemsRead], "a token never adds to its person");
        let caller = app.service.authenticate(service::tokens::authenticate::Brought::Token(&plain.secret), None, None).await.unwrap();
        assert!(may(&caller, Permission::ApprovalsDecide, domain::access::Scope::Installation).is_err());
    }

    async fn a_scope_narrows_what_a_script_may_do(app) {
        let sync = app.invoices().await;
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        let reader = app.script_of(&email, &[Permission::ItemsRead]).await;
        let worker = app.script_of(&email, &[Permission::ItemsRead, Permission::ItemsReconcile]).await;
        let blind = app.script_of(&email, &[Permission::ItemsWork]).await;
        let id = sync.reported(&report("INV-1")).await;
        assert_eq!(reader.item(&id).await["state"], "open");
        reader.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await.is(200);
        let (refused, entries) = app.audited(reader.act(&id, "claim", json!({}))).await;
        refused.problem(403, "forbidden");
        assert_eq!(only(entries, AuditKind::Claimed, AuditOutcome::Refused).actor_name, "Amara");
        let offered = reader.item(&id).await["actions"].clone();
        assert!(offered.as_array().unwrap().iter().all(|action| action["allowed"] == false), "{offered}");
        worker.act(&id, "resolve", resolution("discarded", "none")).await.problem(403, "forbidden");
        worker.act(&id, "reconcile", finding("applied")).await.is(200);
        blind.get(&format!("/api/v1/items/{id}")).await.problem(403, "forbidden");
    }

    async fn r16_a_token_ends_with_its_person_its_roles_and_its_time(app) {
        let sync = app.invoices().await;
        let email = app.add("Amara", &[Role::Operator, Role::Supervisor], &["finance-ops"], Clearance::Restricted).await;
        let amara = app.script_of(&email, &[]).await;
        let deciding = app.script_of(&email, &[Permission::ItemsRead, Permission::ApprovalsDecide]).await;
        let id = sync.reported(&not_sent("INV-1")).await;
        amara.act(&id, "assign", json!({ "team": "finance-ops", "note": "x" })).await.is(200);
        app.database.take_role(&email, "supervisor").await;
        amara.act(&id, "assign", json!({ "team": "finance-ops", "note": "x" })).await.problem(403, "forbidden");

        app.later(TimeDelta::days(30) - TimeDelta::microseconds(1));
        deciding.get("/api/v1/items").await.is(200);
        app.later(TimeDelta::microseconds(1));
        deciding.get("/api/v1/items").await.problem(401, "bad_token");
        amara.get("/api/v1/items").await.is(200);
        app.service.run(&command_line(), DisablePerson(Account::Email(email))).await.unwrap();
        amara.get(&format!("/api/v1/items/{id}")).await.problem(401, "bad_token");
        amara.act(&id, "claim", json!({})).await.problem(401, "bad_token");
    }

    async fn a_persons_token_reports_nothing_and_an_automations_decides_nothing(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        amara.report(&report("INV-2")).await.problem(403, "forbidden");
        assert_eq!(amara.attempt(&id, &json!({})).await.status / 100, 4);
        assert_eq!(amara.patch(&id, &json!({ "succeeded": {} })).await.status / 100, 4);
        amara.get("/api/v1/outcomes?workflow=invoice-sync").await.problem(404, "not_found");
        let master = app.token_named("any", None).await;
        for token in [&sync, &master] {
            for (action, body) in [("claim", json!({})), ("comment", json!({ "text": "x" })), ("reconcile", finding("applied")), ("resolve", resolution("discarded", "none")), ("reopen", json!({ "reason": "x" }))] {
                token.act(&id, action, body).await.problem(403, "forbidden");
            }
        }
        assert_eq!((sync.item(&id).await["version"].clone(), app.database.rows("item").await), (json!(1), 1));
    }
}
