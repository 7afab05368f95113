use domain::permission::Role;
use tokio::net::TcpListener;

use super::{GOOD, Shape, Stage, last, standing};
use crate::app::{App, on_both};

/// Replays one item at a destination with this address and answers what its attempt says.
async fn told(app: &App, stage: &Stage<'_>, key: &str, url: &str) -> String {
    stage.reshape_text(GOOD, |text| text.replace(&format!("{}/ok", stage.sink.url), url)).await;
    let item = stage.unsent(key).await;
    let seen = stage.replayed(&item, 1).await;
    assert_eq!(standing(&seen), ("open", "none", None), "{url}: {}", last(&seen));
    assert_eq!(
        (&last(&seen)["outcome"], &last(&seen)["status_code"]),
        (&"failed".into(), &serde_json::Value::Null),
        "{url}"
    );
    let _ = app;
    last(&seen)["message"].as_str().unwrap().to_owned()
}

on_both! {
    /// C31: a destination that can't be reached leaves the item open with its reason, at once.
    async fn c31_what_can_not_be_reached_is_a_known_failure(app) {
        let stage = Stage::new(app, GOOD).await;
        let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        assert!(told(app, &stage, "refused", &format!("http://{closed}/x")).await.contains("can't be connected to"));
        assert!(told(app, &stage, "no-such-host", "http://no-such-host.invalid/x").await.contains("can't be resolved"));
        let plain = stage.sink.url.replace("http://", "https://");
        assert!(told(app, &stage, "not-tls", &format!("{plain}/ok")).await.contains("TLS"));
        assert!(stage.lines().is_empty());
    }

    /// C40: neither a literal in odd clothes nor a name leads inside.
    async fn c40_no_address_inside_is_called(app) {
        let stage = Stage::new(app, GOOD).await;
        let port = stage.sink.url.rsplit(':').next().unwrap().to_owned();
        for (at, host) in ["169.254.169.254", "2852039166", "10.0.0.5", "0x0a000005", "[::ffff:10.0.0.5]", "[fe80::1]"].iter().enumerate() {
            let message = told(app, &stage, &format!("inside-{at}"), &format!("http://{host}:{port}/ok")).await;
            assert!(message.contains("not a public address"), "{host}: {message}");
        }
        // What the settings allow, the step has to ask for.
        stage.reshape_text(GOOD, |text| text.replace("allow_private = true\ntimeout", "allow_private = false\ntimeout")).await;
        let item = stage.unsent("loopback").await;
        let seen = stage.replayed(&item, 1).await;
        assert!(last(&seen)["message"].as_str().unwrap().contains("not a public address"), "{}", last(&seen));
        assert!(stage.lines().is_empty());
    }

    /// A secret that is not set and a key that no header can carry: nothing leaves, and the sentence says what to do.
    async fn what_can_not_be_put_into_a_request_is_named(app) {
        let missing = Shape { to: "headers = { Authorization = { secret = \"RECOURSE_SECRET_NOWHERE\" } }", ..GOOD };
        let stage = Stage::new(app, missing).await;
        let item = stage.unsent("INV-1").await;
        let seen = stage.replayed(&item, 1).await;
        assert_eq!(standing(&seen), ("open", "none", None));
        assert!(last(&seen)["message"].as_str().unwrap().contains("RECOURSE_SECRET_NOWHERE is not set"), "{}", last(&seen));

        stage.reshape_text(GOOD, |text| text.replace("/ok", "/{payload:/nowhere}")).await;
        let item = stage.unsent("INV-2").await;
        let seen = stage.replayed(&item, 1).await;
        assert!(last(&seen)["message"].as_str().unwrap().contains("{payload:/nowhere}"), "{}", last(&seen));
        assert!(stage.lines().is_empty());
        // The batch goes on: what can be sent is.
        stage.reshape(GOOD).await;
        assert_eq!(stage.replayed(&item, 1).await["state"], "closed");
    }

    /// What `recourse check` asks: every address of every workflow is tried, and nothing is sent.
    async fn every_destination_can_be_tried_without_sending_anything(app) {
        let stage = Stage::new(app, Shape { mode: "ok/{payload:/id}", ..GOOD }).await;
        let told = || async {
            let tried = app.service.try_destinations().await.unwrap();
            tried.into_iter().map(|tried| (tried.place, tried.outcome.err().unwrap_or_default())).collect::<Vec<_>>()
        };
        let (destination, lookup) = ("invoice-sync › create_invoice › destination", "invoice-sync › create_invoice › lookup");
        assert_eq!(told().await, [(destination.to_owned(), String::new()), (lookup.to_owned(), String::new())]);
        stage.reshape(Shape { to: "headers = { A = { secret = \"RECOURSE_SECRET_NOWHERE\" } }", after: "", ..GOOD }).await;
        let [(place, why)] = &told().await[..] else { panic!("one address is left") };
        assert!(place == destination && why.contains("RECOURSE_SECRET_NOWHERE is not set"), "{place}: {why}");
        assert!(stage.sink.receipts().is_empty());
    }

    /// The page of an item whose replay failed says so, and offers the replay again.
    async fn after_a_failed_replay_it_is_offered_again(app) {
        let stage = Stage::new(app, Shape { mode: "422", ..GOOD }).await;
        let item = stage.unsent("INV-1").await;
        stage.replayed(&item, 1).await;
        let jonas = app.signed_in("Jonas", Role::Supervisor, "finance-ops").await;
        let page = jonas.get(&format!("/items/{item}")).await.is(200).text();
        assert!(page.contains("Answered 422"), "{page}");
        stage.reshape(GOOD).await;
        assert_eq!(stage.replayed(&item, 1).await["state"], "closed");
    }
}
