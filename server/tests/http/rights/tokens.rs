//! Tokens: made once, shown once, kept as a digest, and gone at once when they are revoked.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use uuid::Uuid;

use super::{holds, is_ticked, made, of_kind};
use crate::{
    app::{App, Token, on_both},
    browser::Browser,
    wire::{Answer, race, statuses},
    words,
};

async fn make(by: &Browser<'_>, fields: &[(&str, &str)]) -> Answer {
    let id = Uuid::new_v4().to_string();
    by.post("/me/tokens", &[&[("id", id.as_str())], fields].concat()).await
}

/// The id of the token of this name.
async fn id_of(app: &App, name: &str) -> String {
    let tokens = app.service.tokens(&crate::app::command_line(), None).await.unwrap().tokens;
    let found = tokens.iter().find(|seen| seen.row.name == name);
    found.unwrap_or_else(|| panic!("no token {name}")).row.id.to_string()
}

fn bearer<'a>(app: &'a App, answer: &Answer) -> Token<'a> {
    Token { app, secret: made(answer) }
}

on_both! {
    async fn a_token_of_ones_own_is_made_once_shown_once_and_kept_as_a_digest(app) {
        let jo = app.signed_in("Jo", Role::Operator, "finance-ops").await;
        let fields = [("id", "7d1c6f2e-6f0a-4c53-9d65-0d7b3d3b6a11"), ("name", "nightly"), ("days", "")];
        let (answer, entries) = app.audited(jo.post("/me/tokens", &fields)).await;
        let script = bearer(app, &answer);
        assert!(script.secret.starts_with("rcp_"), "{}", script.secret);
        let [entry] = of_kind(&entries, AuditKind::TokenCreated, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!((entry.detail["name"].as_str(), entry.actor_name.as_str()), (Some("nightly"), "Jo"));
        script.get("/api/v1/items").await.is(200);

        let again = app.unchanged(jo.post("/me/tokens", &fields)).await.is(409);
        assert!(again.text().contains("It was made already"));
        for page in [again.text(), jo.get("/me/tokens").await.is(200).text()] {
            assert!(page.contains("nightly") && !page.contains(&script.secret), "it is shown this once");
        }
        assert!(!format!("{:?}", app.database.content_without(&[]).await).contains(&script.secret));
        let fields = [("id", "7d1c6f2e-6f0a-4c53-9d65-0d7b3d3b6a12"), ("name", "twice"), ("days", "")];
        let answers = race(12, |_| jo.post("/me/tokens", &fields)).await;
        assert_eq!(statuses(&answers), [(200, 1), (409, 11)], "sent twelve times at once");
    }

    async fn when_a_token_was_used_last_is_shown(app) {
        let jo = app.signed_in("Jo", Role::Operator, "finance-ops").await;
        let script = bearer(app, &make(&jo, &[("name", "nightly")]).await);
        assert!(jo.get("/me/tokens").await.is(200).text().contains("never"));
        script.get("/api/v1/items").await.is(200);
        app.later(TimeDelta::hours(3));
        let page = jo.get("/me/tokens").await.is(200).text();
        assert!(!page.contains("never") && page.contains("3 h"), "{page}");
    }

    async fn a_token_never_holds_what_its_person_does_not(app) {
        let jo = app.signed_in("Jo", Role::Operator, "finance-ops").await;
        for (field, value, told) in [
            ("scope:people.manage", "yes", "hold `people.manage` yourself"),
            ("scope:items.everything", "yes", "There is no such permission"),
            ("name", "", "The name must not be empty"),
            ("days", "0", "Choose from 1 to"),
            ("days", "3651", "Choose from 1 to"),
            ("days", "soon", "Give a whole number"),
            ("id", "7", "Open the form anew"),
        ] {
            let id = Uuid::new_v4().to_string();
            let mut fields = vec![("id", id.as_str()), ("name", "nightly"), ("days", "7"), ("scope:items.read", "yes")];
            fields.retain(|(name, _)| *name != field);
            fields.push((field, value));
            let answer = app.unchanged(jo.post("/me/tokens", &fields)).await.is(422);
            let page = answer.text();
            assert!(page.replace("<code>", "`").replace("</code>", "`").contains(told), "{field}: {}", answer.shown());
            holds(&page, "name", if field == "name" { "" } else { "nightly" });
            assert!(is_ticked(&page, "scope:items.read"));
        }
        let script = bearer(app, &make(&jo, &[("name", "reads"), ("scope:items.read", "yes")]).await);
        script.get("/api/v1/items").await.is(200);
    }

    async fn a_token_ends_when_it_was_to_end_and_within_thirty_days_where_it_decides(app) {
        let email = app.add("Selma", &[Role::Supervisor], &["finance-ops"], Clearance::Internal).await;
        let selma = app.again(&email).await;
        let short = bearer(app, &make(&selma, &[("name", "short"), ("days", "2")]).await);
        let both = [("scope:items.read", "yes"), ("scope:approvals.decide", "yes")];
        let deciding = bearer(app, &make(&selma, &[&[("name", "decides"), ("days", "90")], &both[..]].concat()).await);
        let sooner = bearer(app, &make(&selma, &[&[("name", "sooner"), ("days", "5")], &both[..]].concat()).await);
        let lasting = bearer(app, &make(&selma, &[("name", "lasts")]).await);
        for (days, ended) in [(2, 1), (5, 2), (30, 3)] {
            let ends = crate::app::morning() + TimeDelta::days(days);
            app.later(ends - TimeDelta::seconds(1) - app.service.now());
            let tokens = [&short, &sooner, &deciding, &lasting];
            for token in &tokens[ended - 1..] {
                token.get("/api/v1/items").await.is(200);
            }
            app.later(TimeDelta::seconds(1));
            for token in &tokens[..ended] {
                token.get("/api/v1/items").await.problem(401, "bad_token");
            }
        }
        lasting.get("/api/v1/items").await.is(200);
    }

    async fn r16_a_token_is_revoked_at_once_by_its_person_or_an_admin_and_by_nobody_else(app) {
        let ada = app.admin("Ada").await;
        let jo = app.signed_in("Jo", Role::Operator, "finance-ops").await;
        let bo = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        let (first, second) = (bearer(app, &make(&jo, &[("name", "first")]).await), bearer(app, &make(&jo, &[("name", "second")]).await));
        let (one, two) = (id_of(app, "first").await, id_of(app, "second").await);
        app.unchanged(bo.post(&format!("/me/tokens/{one}/revoke"), &[])).await.is(404);
        app.unchanged(bo.post(&format!("/admin/tokens/{one}/revoke"), &[])).await.is(403);
        let (done, entries) = app.audited(jo.post(&format!("/me/tokens/{one}/revoke"), &[])).await;
        assert_eq!(done.location(), "/me/tokens?done=revoked");
        assert_eq!(of_kind(&entries, AuditKind::TokenRevoked, AuditOutcome::Done).len(), 1);
        first.get("/api/v1/items").await.problem(401, "bad_token");
        second.get("/api/v1/items").await.is(200);
        let (done, entries) = app.audited(ada.post(&format!("/admin/tokens/{two}/revoke"), &[])).await;
        assert_eq!(done.location(), "/admin/tokens?done=revoked");
        assert_eq!(of_kind(&entries, AuditKind::TokenRevoked, AuditOutcome::Done)[0].actor_name, "Ada");
        second.get("/api/v1/items").await.problem(401, "bad_token");
        let (again, entries) = app.audited(app.unchanged(ada.post(&format!("/admin/tokens/{two}/revoke"), &[]))).await;
        again.is(303);
        assert!(entries.is_empty(), "{entries:?}");
    }

    async fn an_automations_token_is_made_by_an_admin_for_workflows_or_any(app) {
        app.register(words::INVOICES).await;
        let ada = app.admin("Ada").await;
        let id = Uuid::new_v4().to_string();
        let fields = [("id", id.as_str()), ("name", "ledger"), ("workflow:invoice-sync", "yes"), ("further", "crm-sync, orders"), ("days", "2")];
        let answer = ada.post("/admin/tokens", &fields).await;
        let sync = bearer(app, &answer);
        assert!(sync.secret.starts_with("rcs_"));
        app.unchanged(ada.post("/admin/tokens", &fields)).await.is(409);
        sync.report(&words::report("INV-1")).await.is(201);
        let page = ada.get("/admin/tokens").await.is(200).text();
        assert!(page.contains("crm-sync, invoice-sync, orders") && page.contains("Ada") && !page.contains(&sync.secret));
        let other = words::with(words::report("R-1"), serde_json::json!({ "workflow": "support-replies" }));
        assert_eq!(sync.report(&other).await.status, 403);
        let none = [("id", "7d1c6f2e-6f0a-4c53-9d65-0d7b3d3b6a11"), ("name", "none"), ("further", " , ")];
        app.unchanged(ada.post("/admin/tokens", &none)).await.is(422);
        let any = bearer(app, &ada.post("/admin/tokens", &[&none[..], &[("any", "yes")]].concat()).await);
        any.report(&other).await.is(201);
        app.later(TimeDelta::days(2));
        sync.report(&words::report("INV-2")).await.problem(401, "bad_token");
        any.report(&words::report("INV-2")).await.is(201);
    }
}
