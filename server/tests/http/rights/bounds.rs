//! Teams bound what is seen, clearance bounds how much of it: both from the next click on (R15, R16).

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    notice::NoticeKind,
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::json;

use super::{holds, of_kind};
use crate::{
    app::on_both,
    words::{self, report, with},
};

const JO: &str = "jo@example.test";

on_both! {
    async fn r16_a_team_bounds_what_an_open_browser_sees_from_the_next_click(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let id = sync.reported(&report("INV-1")).await;
        let ada = app.admin("Ada").await;
        let jo = app.signed_in("Jo", Role::Operator, "support").await;
        let script = app.script_of(JO, &[]).await;
        let page = format!("/items/{id}");
        jo.get(&page).await.is(404);

        let (done, entries) = app.audited(ada.change(JO, "teams", &[("team:finance-ops", "yes")])).await;
        assert!(done.location().ends_with("?done=rights"));
        let [entry] = of_kind(&entries, AuditKind::TeamsChanged, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!((&entry.detail["joined"], &entry.detail["left"]), (&json!(["finance-ops"]), &json!(["support"])));
        jo.get(&page).await.is(200);
        assert!(jo.get("/queue?view=open").await.is(200).text().contains(&id));
        script.get(&format!("/api/v1{page}")).await.is(200);

        app.later(TimeDelta::seconds(1));
        ada.change(JO, "teams", &[]).await.is(303);
        jo.get(&page).await.is(404);
        app.unchanged(jo.work_on(&id, "comment", &[("text", "Here")])).await.is(404);
        assert!(!jo.get("/queue?view=open").await.is(200).text().contains(&id));
        script.get(&format!("/api/v1{page}")).await.problem(404, "not_found");
        let told = app.told_of(JO, NoticeKind::RightsChanged).await;
        assert_eq!(told, [
            "Ada changed what you may do: teams: joined finance-ops; left support",
            "Ada changed what you may do: teams: left finance-ops",
        ]);
        let (answer, entries) = app.audited(app.unchanged(ada.change(JO, "teams", &[]))).await;
        answer.is(303);
        assert!(entries.is_empty(), "nothing changed: {entries:?}");
        app.unchanged(ada.change(JO, "teams", &[("team:nowhere", "yes")])).await.is(422);
    }

    async fn r16_clearance_bounds_what_an_open_browser_is_shown_from_the_next_click(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&with(report("INV-1"), json!({ "sensitivity": "restricted", "payload": { "json": { "iban": "NO93" } } }))).await;
        let ada = app.admin("Ada").await;
        let jo = app.signed_in_with("Jo", Role::Operator, "finance-ops", Clearance::Internal).await;
        let payload = format!("/items/{id}/revisions/1/payload");
        jo.get(&payload).await.is(403);
        let (done, entries) = app.audited(ada.change(JO, "clearance", &[("clearance", "restricted")])).await;
        done.is(303);
        let [entry] = of_kind(&entries, AuditKind::ClearanceChanged, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!((&entry.detail["before"], &entry.detail["after"]), (&json!("internal"), &json!("restricted")));
        assert!(jo.get(&payload).await.is(200).text().contains("NO93"));
        ada.change(JO, "clearance", &[("clearance", "confidential")]).await.is(303);
        jo.get(&payload).await.is(403);
        assert!(!jo.get(&format!("/items/{id}")).await.is(200).text().contains("NO93"));
    }

    async fn a_team_is_added_once_and_keeps_its_key_under_another_name(app) {
        let ada = app.admin("Ada").await;
        let add = async |key: &str, name: &str| ada.post("/admin/teams", &[("key", key), ("name", name)]).await;
        let (done, entries) = app.audited(add("sales", "Sales")).await;
        assert_eq!(done.location(), "/admin/teams/sales?done=team");
        assert_eq!(of_kind(&entries, AuditKind::TeamCreated, AuditOutcome::Done).len(), 1);
        for (key, name, status) in [("sales", "Others", 409), ("", "None", 422), ("a/b", "Slash", 422), ("a\u{1}", "Control", 422), ("new", "", 422)] {
            let page = app.unchanged(add(key, name)).await.is(status).text();
            if !key.contains('\u{1}') {
                holds(&page, "key", key);
                holds(&page, "name", name);
            }
        }
        ada.change("ada@example.test", "teams", &[("team:sales", "yes")]).await.is(303);
        assert!(app.told("ada@example.test").await.is_empty(), "nobody is told of what they did themselves");
        let (done, entries) = app.audited(ada.post("/admin/teams/sales", &[("name", "Sales & more")])).await;
        assert_eq!(done.location(), "/admin/teams/sales?done=team");
        let [entry] = of_kind(&entries, AuditKind::TeamRenamed, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!(entry.text.as_deref(), Some("Sales → Sales & more"));
        let page = ada.get("/admin/teams/sales").await.is(200).text();
        assert!(page.contains("Sales &amp; more") && page.contains("ada@example.test"));
        app.unchanged(ada.post("/admin/teams/nowhere", &[("name", "Nobody's")])).await.is(404);
    }
}
