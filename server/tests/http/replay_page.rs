//! Deciding on a replay in a browser: what the page says before, what the form does, and what the item shows after.

use chrono::TimeDelta;
use domain::{digest::Sha256, permission::Role, sensitivity::Clearance};
use serde_json::json;

use crate::{
    actions::not_sent,
    app::{App, on_both},
    browser::Browser,
    pages::is_a_safe_page,
    replays::{GOOD, Shape, Stage},
    words::with,
};

const SECRET: Shape = Shape {
    to: "headers = { \"X-Ledger\" = { secret = \"RECOURSE_SECRET_LEDGER\", prefix = \"Bearer \" }, \"X-Region\" = \"north\" }\nsign_secret = \"RECOURSE_SECRET_LEDGER_SIGN\"",
    ..GOOD
};

/// The form's fields as a browser sends them, from the page as it is.
fn fields(html: &str) -> Vec<(String, String)> {
    let form = html.split("aria-labelledby=\"h-send\"").nth(1).expect("the form is there");
    let hidden = form.split("<input type=\"hidden\"").skip(1);
    let attribute = |tag: &str, name: &str| {
        let value = tag.split(&format!("{name}=\"")).nth(1)?.split('"').next()?;
        Some(value.to_owned())
    };
    hidden.filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value")?))).collect()
}

/// Fills the form in and sends it.
async fn send(browser: &Browser<'_>, path: &str, more: &[(&str, &str)]) -> crate::wire::Answer {
    let html = browser.get(path).await.is(200).text();
    let fields = fields(&html);
    let mut fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.extend(more);
    browser.post(path.split('?').next().unwrap(), &fields).await
}

async fn olga(app: &App) -> Browser<'_> {
    app.signed_in("Olga", Role::Operator, "finance-ops").await
}

on_both! {
    async fn the_page_says_what_goes_where_before_anything_is_sent(app) {
        let stage = Stage::new(app, SECRET).await;
        let id = stage.unsent("INV-1").await;
        stage.amara.act(&id, "correct", json!({ "parent": 1, "text": r#"{"amount":42}"#, "reason": "a digit" })).await.is(200);
        stage.amara.act(&id, "release", json!({})).await.is(200);
        let olga = olga(app).await;
        let path = format!("/items/{id}/replay");
        let page = olga.get(&path).await.is(200);
        is_a_safe_page(&path, &page);
        let (html, host) = (page.text(), stage.sink.url.strip_prefix("http://").unwrap());
        let digest = Sha256::of(br#"{"amount":42}"#).hex();
        for told in [
            "Replay revision 2", &format!("POST {}/ok", stage.sink.url), &digest, "application/json", "13 bytes", &format!("recourse-{id}-r2-e0"), "Idempotency-Key",
            "recognises a repeat by this key", "X-Ledger", "X-Region", "webhook-signature", "Recourse-Attempt", "2 s for an answer", "At most 3 within 5 min",
            &format!("Send revision 2 to {host}"), "a digit", "Known not to have happened",
        ] {
            assert!(html.to_lowercase().contains(&told.to_lowercase()), "{told}: {}", page.shown());
        }
        for kept in ["s3cret", "Bearer", "north", "whsec_", "MfKQ9r8G"] {
            assert!(!html.contains(kept), "{kept}");
        }
        assert!(html.contains("data-line=\"removed\"") && html.contains("data-line=\"added\""));
        let original = olga.get(&format!("{path}?revision=1")).await.is(200).text();
        assert!(original.contains("Send revision 1 to") && !original.contains(&digest));
        let missing = olga.get(&format!("{path}?revision=9")).await.is(200).text();
        assert!(missing.contains("There is no revision 9") && missing.contains("Send revision 2 to"));
        assert!(stage.lines().is_empty(), "looking sends nothing");
        let panel = olga.get(&format!("/items/{id}")).await.text();
        assert!(panel.contains("Replay revision 2 (by Amara)") && panel.contains(&format!("{path}?revision=2")));
    }

    async fn a_form_that_is_sent_shows_the_new_truth(app) {
        let stage = Stage::new(app, GOOD).await;
        let id = stage.unsent("INV-1").await;
        let (olga, path) = (olga(app).await, format!("/items/{id}/replay"));
        let html = olga.get(&path).await.is(200).text();
        let refused = olga.post(&path, &[("version", &fields(&html)[0].1), ("revision", "1"), ("reason", "")]).await.is(422);
        is_a_safe_page(&path, &refused);
        assert!(refused.text().contains("Send revision 1 to"));
        // Nobody serves the outbox here, so the page comes while it waits.
        assert_eq!(send(&olga, &path, &[("reason", "the ledger is back")]).await.location(), format!("/items/{id}"));
        let waiting = olga.get(&format!("/items/{id}")).await.is(200);
        is_a_safe_page("an item that is being sent", &waiting);
        for told in ["Revision 1 waits to be sent", "waits to be sent, due", "Look again", "the ledger is back", "Olga"] {
            assert!(waiting.text().contains(told), "{told}: {}", waiting.shown());
        }
        assert_eq!(waiting.text().matches("nothing was sent").count(), 1, "of the automation's own attempt only");
        let live = olga.get(&path).await.is(200).text();
        assert!(!live.contains("Send revision") && live.contains("A replay is being delivered"), "one at a time (R5)");
        app.send_due().await;
        let done = olga.get(&format!("/items/{id}")).await.is(200).text();
        for told in ["Replayed", "HTTP 200", "The answer", "&quot;ok&quot;", "the ledger is back"] {
            assert!(done.contains(told) || told == "&quot;ok&quot;" && done.contains("\"ok\""), "{told}");
        }
        assert!(!done.contains("Look again"));
        let over = olga.get(&path).await.is(200).text();
        assert!(!over.contains("Send revision") && over.contains("The item is closed"));
    }

    async fn r18_what_has_to_be_decided_is_ticked_and_what_was_typed_stays(app) {
        let stage = Stage::new(app, GOOD).await;
        let id = stage.sync.reported(&with(not_sent("INV-1"), json!({ "workflow_version": "2020-01-01" }))).await;
        let (olga, path) = (olga(app).await, format!("/items/{id}/replay"));
        let page = olga.get(&path).await.is(200).text();
        assert!(page.contains("moved on since") && page.contains("R18") && page.contains("name=\"accept.version_moved\""));
        let refused = send(&olga, &path, &[("reason", "typed at length")]).await.is(409);
        assert!(refused.text().contains("typed at length"));
        let before = olga.get(&path).await.text();
        stage.amara.act(&id, "comment", json!({ "text": "wait" })).await.is(200);
        stage.amara.act(&id, "claim", json!({})).await.is(200);
        let fields = fields(&before);
        let mut posted: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        posted.extend([("reason", "typed at length"), ("accept.version_moved", "yes")]);
        let stale = olga.post(&path, &posted).await.is(409);
        is_a_safe_page(&path, &stale);
        assert!(stale.text().contains("typed at length") && stale.text().contains("Amara"), "{}", stale.shown());
        stage.amara.act(&id, "release", json!({})).await.is(200);
        assert!(send(&olga, &path, &[("reason", "now"), ("accept.version_moved", "yes")]).await.location().ends_with(&id));
        let item = olga.get(&format!("/items/{id}")).await.text();
        assert!(item.contains("moved on since"), "what was accepted is shown");
    }

    async fn r15_below_the_clearance_the_page_shows_the_template_and_nothing_of_the_payload(app) {
        let stage = Stage::new(app, Shape { mode: "ok?number={payload:/number}", ..GOOD }).await;
        let told = json!({ "sensitivity": "confidential", "payload": { "json": { "number": "N-98765" } } });
        let id = stage.sync.reported(&with(not_sent("INV-1"), told)).await;
        let digest = Sha256::of(br#"{"number":"N-98765"}"#).hex();
        stage.amara.act(&id, "correct", json!({ "parent": 1, "text": r#"{"number":"N-98766"}"#, "reason": "x" })).await.is(200);
        let path = format!("/items/{id}/replay");
        let ines = app.signed_in_with("Ines", Role::Operator, "finance-ops", Clearance::Internal).await;
        stage.replay(&id, 2).await.is(202);
        app.send_due().await;
        for page in [path.clone(), format!("{path}?revision=1"), format!("/items/{id}")] {
            let html = ines.get(&page).await.is(200).text();
            for secret in ["N-98765", "N-98766", digest.as_str()] {
                assert!(!html.contains(secret), "{page}: {secret}");
            }
        }
        let waiting = stage.sync.reported(&with(not_sent("INV-2"), json!({ "sensitivity": "confidential", "payload": { "json": { "number": "N-1" } } }))).await;
        let html = ines.get(&format!("/items/{waiting}/replay")).await.is(200).text();
        assert!(html.contains("{payload:/number}") && html.contains("above your clearance"));
        let olga = olga(app).await;
        let html = olga.get(&format!("/items/{waiting}/replay")).await.is(200).text();
        assert!(html.contains("?number=N-1"));
    }

    async fn a_page_that_is_looked_at_hears_when_its_item_has_changed(app) {
        let stage = Stage::new(app, GOOD).await;
        let id = stage.unsent("INV-1").await;
        let olga = olga(app).await;
        let version = async || {
            let request = olga.request("POST", "/calls/version").header("sec-fetch-site", "same-origin");
            olga.exchange(request.header("content-type", "application/json").body(json!({ "item": id }).to_string())).await.is(200).json()
        };
        let before = version().await;
        assert_eq!(before, json!(app.version(&id).await));
        stage.replay(&id, 1).await.is(202);
        let asked = version().await;
        assert_ne!(before, asked);
        app.later(TimeDelta::seconds(1));
        app.send_due().await;
        assert_ne!(version().await, asked);
    }
}
