use domain::{digest::Sha256, permission::Role, replay::own_key};
use serde_json::json;

use super::{GOOD, Shape, Stage, attempts, last, replay, standing};
use crate::{
    actions::not_sent,
    app::on_both,
    words::{report, with},
};

on_both! {
    /// C07. The main job: correct → replay → one record at the destination → closed with its id, both versions kept.
    async fn c07_a_corrected_payload_is_sent_once_and_the_item_closes_with_the_record_id(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        let correction = json!({ "parent": 1, "text": "{\"amount\": 42.00}", "reason": "It was 42" });
        stage.amara.act(&item, "correct", correction).await.is(200);

        let taken = stage.replay(&item, 2).await.is(202).json();
        assert_eq!(taken["state"], "replaying");
        assert!(stage.lines().is_empty(), "nothing leaves before the outbox is served");
        app.send_due().await;

        let [line] = &stage.lines()[..] else { panic!("{:?}", stage.lines()) };
        assert_eq!(&line.body[..], b"{\"amount\": 42.00}");
        assert_eq!(stage.sink.kept().len(), 1);
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("closed", "confirmed", Some("replayed")));
        assert_eq!(seen["effect"]["record_id"], stage.sink.kept()[0].id.as_str());
        let attempt = last(&seen);
        assert_eq!(attempt["id"], taken["attempt"]);
        assert_eq!((&attempt["by"], &attempt["revision"], &attempt["status_code"]), (&json!("Amara"), &json!(2), &json!(200)));
        assert_eq!(seen["revisions"].as_array().unwrap().len(), 2, "original and correction are both kept");

        let outcomes = stage.sync.get("/api/v1/outcomes?workflow=invoice-sync").await.is(200).json();
        let event = &outcomes["items"][0];
        assert_eq!((&event["event"], &event["resolution"], &event["revision"]), (&json!("closed"), &json!("replayed"), &json!(2)));
        assert_eq!(event["revision_sha256"], Sha256::of(b"{\"amount\": 42.00}").hex());
    }

    /// What goes over the wire is what the workflow and the contract say.
    async fn a_request_carries_its_headers_its_key_and_its_signature(app) {
        let stage = Stage::new(app, Shape {
            to: "method = \"PUT\"\nkey_header = \"X-Request-Key\"\nsign_secret = \"RECOURSE_SECRET_LEDGER_SIGN\"\nheaders = { Authorization = { secret = \"RECOURSE_SECRET_LEDGER\", prefix = \"Bearer \" }, X-Source = \"recourse\" }",
            ..GOOD
        }).await;
        let item = stage.unsent("INV-1").await;
        let seen = stage.replayed(&item, 1).await;
        assert_eq!(seen["state"], "closed");
        let line = &stage.lines()[0];
        assert_eq!((line.method.as_str(), line.target.as_str()), ("PUT", "/ok"));
        let key = own_key(item.parse().unwrap(), 1, 0);
        let attempt = last(&seen)["id"].as_str().unwrap().to_owned();
        for (name, value) in [
            ("authorization", "Bearer s3cret"), ("x-source", "recourse"), ("x-request-key", key.as_str()), ("content-type", "application/json"),
            ("recourse-item", item.as_str()), ("recourse-attempt", attempt.as_str()), ("recourse-revision", "1"), ("connection", "close"),
        ] {
            assert_eq!(line.header(name), Some(value), "{name}");
        }
        assert!(line.header("webhook-signature").is_some_and(|signature| signature.starts_with("v1,")));
        assert_eq!(line.header("webhook-timestamp"), Some(app.service.now().timestamp().to_string().as_str()));
        let page = stage.sync.item(&item).await.to_string();
        assert!(!page.contains("s3cret"), "a secret is nowhere to be read");
    }

    /// C63: the version that is named is the one that is sent; the original can be sent on purpose.
    async fn c63_the_original_can_be_sent_beside_a_correction(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        let correction = json!({ "parent": 1, "text": "{\"amount\": 1}", "reason": "A try" });
        stage.amara.act(&item, "correct", correction).await.is(200);
        let seen = stage.replayed(&item, 1).await;
        assert_eq!(standing(&seen), ("closed", "confirmed", Some("replayed")));
        assert_eq!(&stage.lines()[0].body[..], br#"{"amount":40}"#);
        assert_eq!(last(&seen)["revision"], 1);
    }

    /// C08, C64: every further correction is sent, and every attempt keeps its own answer.
    async fn c08_a_second_correction_after_a_failed_replay_is_sent_too(app) {
        let stage = Stage::new(app, Shape { mode: "422", ..GOOD }).await;
        let item = stage.unsent("INV-1").await;
        for (parent, text) in [(1, "{\"amount\": 2}"), (2, "{\"amount\": 3}")] {
            let correction = json!({ "parent": parent, "text": text, "reason": "Better" });
            stage.amara.act(&item, "correct", correction).await.is(200);
            let seen = stage.replayed(&item, parent + 1).await;
            assert_eq!(standing(&seen), ("open", "none", None), "{}", last(&seen));
        }
        stage.reshape(GOOD).await;
        let seen = stage.replayed(&item, 3).await;
        assert_eq!(standing(&seen), ("closed", "confirmed", Some("replayed")));
        let words = |outcome: &str, effect: &str| (outcome.to_owned(), effect.to_owned());
        assert_eq!(attempts(&seen), [words("failed", "none"), words("failed", "none"), words("failed", "none"), words("succeeded", "confirmed")]);
        let bodies: Vec<_> = stage.lines().iter().map(|line| line.body.clone()).collect();
        assert_eq!(bodies, [&b"{\"amount\": 2}"[..], b"{\"amount\": 3}", b"{\"amount\": 3}"]);
    }

    /// What the automation said of its attempt is not said of what a person has done since.
    async fn after_a_replay_the_automations_word_is_about_its_own_attempt(app) {
        let stage = Stage::new(app, GOOD).await;
        let said = json!({ "effect": { "status": "none", "evidence": "refused before anything was booked" } });
        let item = stage.sync.reported(&with(not_sent("A"), said)).await;
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        let told = async || jonas.get(&format!("/items/{item}")).await.is(200).text();
        let (before, after) = ("The automation says:", "The automation said of its own attempt:");
        let page = told().await;
        assert!(page.contains(before) && !page.contains(after));
        stage.replayed(&item, 1).await;
        let page = told().await;
        assert!(page.contains(after) && !page.contains(before));
        assert!(page.contains("refused before anything was booked"), "and it is still there to be read");
    }

    /// C21, C22: of a long payload every byte is sent, with the one change.
    async fn c22_a_long_payload_is_sent_whole_with_its_one_change(app) {
        let stage = Stage::new(app, GOOD).await;
        let lines: Vec<String> = (0..6_000).map(|at| format!("  {{ \"line\": {at}, \"net\": {at}.{:02}0 }}", at % 100)).collect();
        let long = format!("[\n{}\n]\n", lines.join(",\r\n"));
        assert!(long.len() > 200_000, "{}", long.len());
        let payload = json!({ "media_type": "application/json", "text": long });
        let item = stage.sync.reported(&with(not_sent("long"), json!({ "payload": payload }))).await;
        let corrected = long.replace("\"line\": 4711,", "\"line\": 4712,");
        let correction = json!({ "parent": 1, "text": corrected, "reason": "Counted twice" });
        stage.amara.act(&item, "correct", correction).await.is(200);
        assert_eq!(stage.replayed(&item, 2).await["state"], "closed");
        assert!(stage.lines()[0].body == corrected.as_bytes(), "{} bytes arrived", stage.lines()[0].body.len());
    }

    /// C53: how often the automation has tried neither allows nor uses up a person's replay.
    async fn c53_a_replay_does_not_depend_on_the_automations_counter(app) {
        let stage = Stage::new(app, Shape { to: "max_attempts = 1", ..GOOD }).await;
        let tries: Vec<_> = (1..=5).map(|number| json!({ "number": number, "outcome": "failed", "sent": false })).collect();
        let item = stage.sync.reported(&with(report("tried"), json!({ "attempts": tries }))).await;
        assert_eq!(standing(&stage.replayed(&item, 1).await), ("closed", "confirmed", Some("replayed")));
    }

    /// C62, C95: what is sent goes where it was said to go, or nowhere.
    async fn c62_a_destination_that_changed_after_the_decision_is_not_used(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        let seen = app.version(&item).await.to_string();
        stage.replay(&item, 1).await.is(202);
        stage.reshape(Shape { mode: "created", ..GOOD }).await;
        app.send_due().await;
        assert!(stage.lines().is_empty());
        let now = stage.sync.item(&item).await;
        assert_eq!(standing(&now), ("open", "none", None));
        assert!(last(&now)["message"].as_str().unwrap().contains("destination was changed"), "{now}");
        // Whoever looked before the change is told of it.
        let stale = stage.amara.ask(&item, "replay", replay(1), &[("if-match", &seen)]).await;
        stale.problem(409, "conflict");
        assert_eq!(stage.replayed(&item, 1).await["state"], "closed");
        assert_eq!(stage.lines()[0].target, "/created");
    }

    /// Who changed a destination makes every decision about its open items look again.
    async fn a_changed_destination_is_a_change_that_decisions_rest_on(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        let seen = app.version(&item).await.to_string();
        stage.reshape(Shape { mode: "created", ..GOOD }).await;
        let answer = stage.amara.ask(&item, "replay", replay(1), &[("if-match", &seen)]).await;
        let problem = answer.problem(409, "conflict");
        assert!(problem["detail"].as_str().unwrap().contains("destination"), "{problem}");
        assert!(stage.lines().is_empty());
    }
}
