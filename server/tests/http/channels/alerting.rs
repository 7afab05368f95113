//! What is late goes through the channels that the workflow names: once, and without anything of a payload.

use chrono::TimeDelta;
use domain::{permission::Role, sensitivity::Clearance};
use rehearsal::systems::PostOffice;
use serde_json::{Value, json};

use super::{channel, post_due, process, sink, with_mail};
use crate::{
    actions::not_sent,
    app::{App, on_both},
    words::with,
};

const SECRET: &str = "K7 4711 payload";
const ONLY_APP: &str = "notify = [\"app\"]";
const NOTIFY: &str = "notify = [\"email\", \"webhook:ops-chat\", \"webhook:nowhere\"]";

async fn late(app: &App, count: usize, notify: &str) {
    let file = crate::ageing::file(crate::ageing::TARGETS, &crate::ageing::LEADS.replace(ONLY_APP, notify));
    app.register(&file).await;
    let sync = app.token(&["invoice-sync"]).await;
    for n in 0..count {
        let run = json!({
            "payload": { "media_type": "text/plain", "text": SECRET },
            "steps": [{ "name": "read the document", "status": "confirmed" }, { "name": "create the invoice", "status": "failed" }],
        });
        sync.reported(&with(not_sent(&format!("INV-{n}")), run)).await;
    }
    app.later(TimeDelta::minutes(61));
}

on_both! {
    set up by with_mail;

    async fn a_missed_target_is_told_once_through_each_channel_that_the_workflow_names(app) {
        let (office, sink) = (PostOffice::start().await.unwrap(), sink(app).await);
        channel(app, "ops-chat", "webhook", &format!("{}/ok", sink.url), "").await;
        let lena = app.add("Lena", &[Role::Operator], &["finance-leads"], Clearance::Restricted).await;
        let amara = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        late(app, 40, NOTIFY).await;
        let first = process(app, &office.url).await;
        for service in [&first, &app.service, &first] {
            service.watch_ageing().await.unwrap();
        }
        while post_due(&first).await > 0 {}

        let lines = sink.lines();
        assert_eq!(lines.len(), 1, "one alert for 40 items");
        let told: Value = serde_json::from_slice(&lines[0].body).unwrap();
        assert_eq!(told["type"], "alert.raised");
        assert!(told["data"]["title"].as_str().unwrap().contains("has not been claimed: overdue: it was escalated to"), "{told}");
        let told = told.to_string();
        for named in ["INV-", "invoice-sync › create_invoice", "read the document", "finance-leads", "Claim", "/alerts/"] {
            assert!(told.contains(named), "{named}: {told}");
        }
        let mails = office.delivered();
        let to: Vec<_> = mails.iter().map(|mail| mail.to[0].clone()).collect();
        assert_eq!(to, [lena], "whom it was escalated to; {amara} is told in the app");
        for text in [told.as_str(), &mails[0].text] {
            assert!(!text.contains(SECRET), "nothing of a payload: {text}");
        }
        first.close().await;
    }

    async fn who_chose_against_it_gets_no_e_mail(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let lena = app.signed_in("Lena", Role::Operator, "finance-leads").await;
        lena.post("/me/notices", &[("topic:account", "yes"), ("alerts", "never")]).await.is(303);
        late(app, 1, NOTIFY).await;
        app.service.watch_ageing().await.unwrap();
        while post_due(&process).await > 0 {}
        assert!(office.delivered().is_empty());
        assert_eq!(crate::ageing::notices(&lena, "escalated to finance-leads").await, 1);
        process.close().await;
    }

    async fn who_leaves_it_to_the_workflow_gets_what_it_says_and_who_wants_all_gets_all(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let lena = app.signed_in("Lena", Role::Operator, "finance-leads").await;
        // Whatever else is chosen.
        lena.post("/me/notices", &[("topic:account", "yes"), ("topic:items", "yes"), ("alerts", "as_asked")]).await.is(303);
        let lars = app.signed_in("Lars", Role::Operator, "finance-leads").await;
        lars.post("/me/notices", &[("topic:account", "yes"), ("alerts", "always")]).await.is(303);
        late(app, 1, ONLY_APP).await;
        app.service.watch_ageing().await.unwrap();
        while post_due(&process).await > 0 {}
        let to: Vec<_> = office.delivered().into_iter().map(|mail| mail.to[0].clone()).collect();
        assert_eq!(to, ["lars@example.test"], "that it is overdue and escalated, at once; the workflow asks for no e-mail");
        process.close().await;
    }

    async fn who_chose_other_things_still_gets_what_the_workflow_asks_for(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let lena = app.signed_in("Lena", Role::Operator, "finance-leads").await;
        lena.post("/me/notices", &[("topic:account", "yes"), ("topic:items", "yes")]).await.is(303);
        late(app, 1, NOTIFY).await;
        app.service.watch_ageing().await.unwrap();
        while post_due(&process).await > 0 {}
        let to: Vec<_> = office.delivered().into_iter().map(|mail| mail.to[0].clone()).collect();
        assert_eq!(to, ["lena@example.test"]);
        process.close().await;
    }
}
