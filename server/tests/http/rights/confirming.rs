//! What is consequential asks for who one is, where that was not confirmed within ten minutes.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use uuid::Uuid;

use super::{field, holds, is_chosen, is_ticked, of_kind, ticked, to};
use crate::{
    app::{App, PASSWORD, on_both},
    words,
};

const JO: &str = "jo@example.test";

/// A form of administration: where it is posted to, and what with.
struct Form {
    path: String,
    fields: Vec<(String, String)>,
}

fn form(path: String, fields: &[(&str, &str)]) -> Form {
    Form { path, fields: fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect() }
}

/// Every form that asks, each of which would succeed at this moment; `n` says which.
async fn form_number(app: &App, n: usize) -> Option<Form> {
    if n > 17 {
        return None;
    }
    let row = app.account(JO).await.listed.row;
    let (id, version) = (Uuid::new_v4().to_string(), row.version.to_string());
    let of = |verb: &str, fields: &[(&str, &str)]| {
        form(to(row.id, verb), &[&[("version", version.as_str())], fields].concat())
    };
    let role = async |key: &str| super::role_version(app, key).await.to_string();
    Some(match n {
        0 => Form {
            path: "/admin/people/invite".into(),
            fields: super::invitation("new@example.test", &["operator"], &["finance-ops"]),
        },
        1 => of("name", &[("name", "Jo Berg"), ("email", JO)]),
        2 => of("roles", &[("role:operator", "yes"), ("role:auditor", "yes")]),
        3 => of("teams", &[("team:finance-ops", "yes")]),
        4 => of("clearance", &[("clearance", "confidential")]),
        5 => of("link", &[]),
        6 => {
            app.again(JO).await;
            of("sessions", &[])
        }
        7 => of("disable", &[]),
        8 => of("enable", &[]),
        9 => Form {
            path: "/admin/roles/new".into(),
            fields: [
                form(String::new(), &[("key", "nights"), ("name", "Nights")]).fields,
                ticked("permission", &["items.read"]),
            ]
            .concat(),
        },
        10 => form(
            "/admin/roles/nights".into(),
            &[("version", &role("nights").await), ("name", "Night shift"), ("permission:items.work", "yes")],
        ),
        11 => form("/admin/roles/nights/remove".into(), &[]),
        12 => form("/admin/teams".into(), &[("key", "sales"), ("name", "Sales")]),
        13 => form("/admin/teams/sales".into(), &[("name", "Sales & more")]),
        14 => {
            form("/admin/tokens".into(), &[("id", &id), ("name", "ledger"), ("further", "invoice-sync"), ("days", "7")])
        }
        15 => form("/me/tokens".into(), &[("id", &id), ("name", "nightly"), ("days", "7")]),
        16 => {
            let tokens = app.service.tokens(&crate::app::command_line(), None).await.unwrap().tokens;
            form(format!("/admin/tokens/{}/revoke", tokens[0].row.id), &[])
        }
        _ => of("delete", &[]),
    })
}

/// Insists that a page still holds everything that was typed.
fn keeps(page: &str, form: &Form) {
    for (name, value) in &form.fields {
        match name.as_str() {
            "id" | "version" => {}
            "clearance" => assert!(is_chosen(page, value), "{value}"),
            ticks if ticks.contains(':') => assert!(is_ticked(page, ticks), "{ticks}"),
            other => holds(page, other, &value.replace('&', "&amp;")),
        }
    }
}

on_both! {
    async fn every_form_of_administration_asks_for_it_and_loses_nothing_of_what_was_typed(app) {
        app.register(words::INVOICES).await;
        let ada = app.admin("Ada").await;
        app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        let mut tried = 0;
        while let Some(form) = form_number(app, tried).await {
            let what = &form.path;
            app.later(TimeDelta::minutes(11));
            let fields = super::pairs(&form.fields);
            let with = |typed: &'static str| [&fields[..], &[("confirm", typed)]].concat();

            let answer = app.unchanged(ada.post(what, &fields)).await.is(403);
            let page = answer.text();
            assert!(page.contains("Confirm that it is you"), "{what}: {}", answer.shown());
            keeps(&page, &form);
            assert!(field(&page, "confirm").contains("type=\"password\""), "{what}");

            let (answer, entries) = app.audited(app.unchanged(ada.post(what, &with("wrong horse battery")))).await;
            let page = answer.is(422).text();
            assert!(page.contains("The password is wrong") && !page.contains("wrong horse battery"), "{what}");
            keeps(&page, &form);
            assert_eq!(of_kind(&entries, AuditKind::SteppedUp, AuditOutcome::Refused).len(), 1, "{what}: {entries:?}");

            let (answer, entries) = app.audited(ada.post(what, &with(PASSWORD))).await;
            assert!(matches!(answer.status, 200 | 303), "{what}: {}", answer.shown());
            assert!(!answer.text().contains(PASSWORD), "{what}");
            let done = entries.iter().filter(|entry| entry.outcome == AuditOutcome::Done).count();
            assert!(done >= 2, "{what}: it was confirmed, and done: {entries:?}");
            tried += 1;
        }
        assert_eq!(tried, 18);
    }

    async fn it_counts_for_ten_minutes_and_for_the_browser_it_was_done_in(app) {
        let ada = app.admin("Ada").await;
        app.add("Jo", &[Role::Operator], &[], Clearance::Internal).await;
        app.later(TimeDelta::minutes(10) - TimeDelta::seconds(1));
        ada.set_roles(JO, &["auditor"]).await.is(303);
        app.later(TimeDelta::seconds(1));
        app.unchanged(ada.set_roles(JO, &["operator"])).await.is(403);
        let fields = [("role:operator", "yes"), ("confirm", PASSWORD)];
        ada.change(JO, "roles", &fields).await.is(303);
        app.later(TimeDelta::minutes(9));
        ada.set_roles(JO, &["auditor"]).await.is(303);
        let phone = app.again("ada@example.test").await;
        app.later(TimeDelta::minutes(9));
        app.unchanged(ada.set_roles(JO, &["operator"])).await.is(403);
        phone.set_roles(JO, &["operator"]).await.is(303);
    }

    async fn a_waiting_right_is_confirmed_and_turned_down_with_it_alone(app) {
        let ada = app.admin("Ada").await;
        app.later(TimeDelta::minutes(11));
        let id = Uuid::new_v4();
        for verb in ["confirm", "refuse"] {
            let page = app.unchanged(ada.post(&format!("/admin/rights/{id}/{verb}"), &[])).await.is(403).text();
            assert!(page.contains("Confirm that it is you"));
            app.unchanged(ada.post(&format!("/admin/rights/{id}/{verb}"), &[("confirm", "wrong")])).await.is(422);
        }
        ada.post(&format!("/admin/rights/{id}/confirm"), &[("confirm", PASSWORD)]).await.is(404);
    }
}
