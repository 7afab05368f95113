use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    audit::{AuditKind, AuditOutcome},
    channel,
    permission::Role,
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use rehearsal::systems::{Fault, Receipt, Running, Sink};
use serde_json::{Value, json};
use service::DuePosting;
use sha2::Sha256;

use super::{To, channel as make, happens, last, post_due, process, sink, telling};
use crate::{
    app::{App, FALLBACK_TEAM, command_line, on_both},
    wire::race,
};

const SECRET: &str = "RECOURSE_SECRET_LEDGER_SIGN";

/// Whether a receiver that holds the secret believes it.
fn is_signed(line: &Receipt) -> bool {
    let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    let (id, at) = (line.webhook_id().unwrap(), line.header("webhook-timestamp").unwrap());
    mac.update(format!("{id}.{at}.").as_bytes());
    mac.update(&line.body);
    let signature = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    line.header("webhook-signature") == Some(signature.as_str())
}

/// Somebody asks for a test, and is gone once it has left.
async fn asked_and_gone(app: &App, sink: &Running<Sink>, name: &str) {
    let left = async {
        while sink.lines().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    let asker = command_line();
    tokio::select! {
        came = app.service.test_channel(&asker, name) => panic!("it ended before: {came:?}"),
        () = left => {}
    }
}

fn body(line: &Receipt) -> Value {
    serde_json::from_slice(&line.body).unwrap()
}

on_both! {
    async fn a_webhook_is_tried_again_under_the_same_id_and_signed_each_time(app) {
        let sink = sink(app).await;
        make(app, "ops-chat", "webhook", &format!("{}/ok", sink.url), SECRET).await;
        sink.faults().next(1, Fault::Status { code: 500, retry_after_s: None });
        assert!(happens(&app.service, To::Channel("ops-chat")).await);
        let began = app.service.now();
        assert_eq!(post_due(&app.service).await, 1);
        let seen = app.service.channel(&command_line(), "ops-chat").await.unwrap();
        assert_eq!(seen.row.failing_since, Some(began));
        let failed = &seen.postings[0];
        assert!(failed.last_error.as_deref().is_some_and(|why| why.starts_with("It answered 500")), "{failed:?}");
        assert_eq!((failed.tries, failed.due_at, failed.sent_at), (1, began + TimeDelta::seconds(30), None));
        assert_eq!(post_due(&app.service).await, 0, "it waits for its next try");

        app.later(TimeDelta::seconds(30));
        assert_eq!(post_due(&app.service).await, 1);
        let lines = sink.lines();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(is_signed));
        assert_eq!((lines[0].webhook_id(), &lines[0].body), (lines[1].webhook_id(), &lines[1].body));
        assert_ne!(lines[0].header("webhook-timestamp"), lines[1].header("webhook-timestamp"));
        let told = body(&lines[0]);
        assert_eq!((&told["type"], &told["data"]["title"]), (&json!("alert.raised"), &json!(telling().title)));
        assert_eq!(told["timestamp"].as_str().unwrap().parse::<DateTime<Utc>>().unwrap(), began);
        let seen = app.service.channel(&command_line(), "ops-chat").await.unwrap();
        assert_eq!((seen.row.failing_since, seen.row.worked_at), (None, Some(app.service.now())));
        assert_eq!(seen.postings[0].sent_at, Some(app.service.now()));
        app.later(TimeDelta::days(2));
        assert_eq!(post_due(&app.service).await, 0, "what arrived is not sent again");
    }

    async fn what_a_receiver_says_of_its_secret_address_is_not_kept(app) {
        let sink = sink(app).await;
        make(app, "chatty", "webhook", &format!("{}/ok?token=hidden-path", sink.url), "").await;
        happens(&app.service, To::Channel("chatty")).await;
        let message = "there is no hidden-path".to_owned();
        sink.faults().next(1, Fault::Reject { pointer: "/token".into(), message });
        post_due(&app.service).await;
        let why = last(app, "chatty").await.last_error.unwrap();
        assert!(why.contains("It answered 422") && why.contains("there is no …") && !why.contains("hidden"), "{why}");
        let row = app.service.channel(&command_line(), "chatty").await.unwrap().row;
        assert_eq!(row.last_error, Some(why));
    }

    async fn a_redirect_is_told_and_not_followed(app) {
        let sink = sink(app).await;
        make(app, "moved", "webhook", &format!("{}/302?to=/ok", sink.url), "").await;
        happens(&app.service, To::Channel("moved")).await;
        post_due(&app.service).await;
        let failed = last(app, "moved").await;
        assert!(failed.last_error.as_deref().is_some_and(|why| why.contains("redirect (302)")), "{failed:?}");
        assert!(failed.given_up_at.is_none());
        assert_eq!(sink.lines().len(), 1);
    }

    async fn a_receiver_that_answers_410_is_told_nothing_any_more(app) {
        let sink = sink(app).await;
        make(app, "gone", "webhook", &format!("{}/410", sink.url), "").await;
        for _ in 0..2 {
            happens(&app.service, To::Channel("gone")).await;
        }
        let (_, entries) = app.audited(post_due(&app.service)).await;
        let [entry] = &entries[..] else { panic!("{entries:?}") };
        assert_eq!((entry.action, entry.outcome, entry.actor_name.as_str()), (AuditKind::ChannelDisabled, AuditOutcome::Done, "poster"));
        let seen = app.service.channel(&command_line(), "gone").await.unwrap();
        assert!(seen.row.disabled_why.as_deref().is_some_and(|why| why.contains("410")), "{seen:?}");
        assert!(seen.postings.iter().all(|posting| posting.given_up_at.is_some()), "{seen:?}");
        assert_eq!(sink.lines().len(), 1, "the second was given up unsent");
        assert!(!happens(&app.service, To::Channel("gone")).await);
        assert!(!happens(&app.service, To::Channel("nowhere")).await, "an unknown channel stops nothing");
    }

    async fn what_does_not_arrive_in_a_day_is_given_up(app) {
        let sink = sink(app).await;
        make(app, "down", "slack", &format!("{}/503", sink.url), "").await;
        happens(&app.service, To::Channel("down")).await;
        let began = app.service.now();
        while last(app, "down").await.given_up_at.is_none() {
            assert_eq!(post_due(&app.service).await, 1);
            app.later(TimeDelta::hours(4));
            assert!(app.service.now() - began < TimeDelta::days(2), "it goes on for ever");
        }
        let given_up = last(app, "down").await;
        assert!(given_up.tries >= 5 && given_up.sent_at.is_none(), "{given_up:?}");
        assert_eq!((post_due(&app.service).await, sink.lines().len()), (0, usize::try_from(given_up.tries).unwrap()));
    }

    async fn a_lease_is_taken_over_after_a_crash(app) {
        let sink = sink(app).await;
        make(app, "ops-chat", "webhook", &format!("{}/ok", sink.url), SECRET).await;
        happens(&app.service, To::Channel("ops-chat")).await;
        let [DuePosting { id, .. }] = app.service.postings_due().await.unwrap()[..] else { panic!("one is due") };
        assert!(app.service.take_posting(id).await.unwrap().is_some());
        assert!(app.service.take_posting(id).await.unwrap().is_none(), "it is somebody's");
        app.later(TimeDelta::minutes(4));
        assert_eq!(post_due(&app.service).await, 0);
        app.later(TimeDelta::minutes(1));
        assert_eq!(post_due(&app.service).await, 1);
        let sent = last(app, "ops-chat").await;
        assert_eq!((sent.tries, sent.sent_at), (2, Some(app.service.now())));
        assert_eq!(sink.lines()[0].webhook_id(), Some(&*id.to_string()));
    }

    async fn what_is_begun_again_and_again_and_never_ends_is_given_up(app) {
        let sink = sink(app).await;
        make(app, "ops-chat", "webhook", &format!("{}/ok", sink.url), "").await;
        happens(&app.service, To::Channel("ops-chat")).await;
        let [DuePosting { id, .. }] = app.service.postings_due().await.unwrap()[..] else { panic!("one is due") };
        for _ in 0..channel::BEGUN_AT_MOST {
            assert!(app.service.take_posting(id).await.unwrap().is_some(), "each process dies of it");
            app.later(TimeDelta::minutes(5));
        }
        assert_eq!([post_due(&app.service).await, post_due(&app.service).await], [1, 0]);
        let given_up = last(app, "ops-chat").await;
        assert!(given_up.last_error.as_deref().is_some_and(|why| why.starts_with("It was begun 20 times")), "{given_up:?}");
        assert!(given_up.given_up_at.is_some() && given_up.sent_at.is_none() && sink.lines().is_empty());
    }

    async fn a_test_whose_asker_goes_away_has_its_outcome_written_down(app) {
        let sink = sink(app).await;
        make(app, "slow", "webhook", &format!("{}/drip?s=2", sink.url), "").await;
        asked_and_gone(app, &sink, "slow").await;
        let ended = async {
            while last(app, "slow").await.sent_at.is_none() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), ended).await.expect("it goes on");
        assert_eq!((post_due(&app.service).await, sink.lines().len()), (0, 1));
    }

    async fn a_test_that_nobody_ended_is_not_sent_again(app) {
        let sink = sink(app).await;
        make(app, "hangs", "webhook", &format!("{}/ok", sink.url), "").await;
        sink.faults().next(1, Fault::HangBeforeCommit);
        asked_and_gone(app, &sink, "hangs").await;
        app.later(TimeDelta::minutes(5));
        assert_eq!(post_due(&app.service).await, 1);
        let given_up = last(app, "hangs").await;
        assert!(given_up.given_up_at.is_some() && given_up.sent_at.is_none(), "{given_up:?}");
        assert!(given_up.last_error.as_deref().is_some_and(|why| why.contains("Send another")), "{given_up:?}");
        assert_eq!(sink.lines().len(), 1);
    }

    async fn disabling_a_channel_gives_up_what_waits_for_it_and_its_page_says_so(app) {
        let sink = sink(app).await;
        make(app, "down", "webhook", &format!("{}/503", sink.url), "").await;
        for _ in 0..2 {
            happens(&app.service, To::Channel("down")).await;
        }
        post_due(&app.service).await;
        let ada = app.signed_in("Ada", Role::Admin, FALLBACK_TEAM).await;
        let (_, entries) = app.audited(ada.post("/admin/channels/down/disable", &[("version", "1")])).await;
        assert_eq!((entries.len(), entries[0].action), (1, AuditKind::ChannelDisabled));
        let page = ada.get("/admin/channels/down").await.is(200).text();
        assert!(page.contains("Ada disabled it. 2 tellings that waited were given up."), "{page}");
        assert_eq!(page.matches("The channel is disabled.").count(), 2, "{page}");
        ada.post("/admin/channels/down/enable", &[("version", "2")]).await.is(303);
        app.later(TimeDelta::hours(1));
        assert_eq!((post_due(&app.service).await, sink.lines().len()), (0, 2), "it stays given up");
    }

    async fn on_stopping_what_is_being_told_has_its_answer_written_down(app) {
        let sink = sink(app).await;
        make(app, "slow", "webhook", &format!("{}/drip?s=2", sink.url), "").await;
        happens(&app.service, To::Channel("slow")).await;
        let jobs = server::jobs::start(&app.service);
        while sink.lines().is_empty() {
            tokio::task::yield_now().await;
        }
        jobs.stop().await;
        assert!(last(app, "slow").await.sent_at.is_some(), "{:?}", last(app, "slow").await);
    }

    async fn what_takes_longer_than_the_patience_is_given_back(app) {
        let sink = sink(app).await;
        make(app, "hangs", "webhook", &format!("{}/ok", sink.url), "").await;
        happens(&app.service, To::Channel("hangs")).await;
        let [DuePosting { id, .. }] = app.service.postings_due().await.unwrap()[..] else { panic!("one is due") };
        sink.faults().next(1, Fault::HangBeforeCommit);
        let patience = async {
            while sink.lines().is_empty() {
                tokio::task::yield_now().await;
            }
        };
        app.service.post_while(id, patience).await.unwrap();
        let back = last(app, "hangs").await;
        assert_eq!((back.last_error, back.given_up_at, back.tries), (None, None, 1));
        assert_eq!(post_due(&app.service).await, 1, "another sends it at once");
        assert!(last(app, "hangs").await.sent_at.is_some());
    }

    async fn of_three_processes_one_sends(app) {
        let sink = sink(app).await;
        make(app, "ops-chat", "webhook", &format!("{}/ok", sink.url), "").await;
        for _ in 0..4 {
            happens(&app.service, To::Channel("ops-chat")).await;
        }
        let mut processes = Vec::new();
        for _ in 0..3 {
            processes.push(process(app, "smtp://127.0.0.1:9").await);
        }
        let due = app.service.postings_due().await.unwrap();
        race(12, async |number| processes[number % 3].post(due[number / 3].id).await.unwrap()).await;
        let ids: std::collections::BTreeSet<_> = sink.lines().iter().map(|line| line.webhook_id().unwrap().to_owned()).collect();
        assert_eq!((sink.lines().len(), ids.len()), (4, 4));
        for process in processes {
            process.close().await;
        }
    }

    async fn a_receiver_with_much_waiting_keeps_nobody_else_waiting(app) {
        let sink = sink(app).await;
        for name in ["busy", "quiet"] {
            make(app, name, "webhook", &format!("{}/ok", sink.url), "").await;
        }
        for _ in 0..6 {
            happens(&app.service, To::Channel("busy")).await;
        }
        app.later(TimeDelta::seconds(1));
        happens(&app.service, To::Channel("quiet")).await;
        let quiet = app.service.channel(&command_line(), "quiet").await.unwrap().row.id;
        let due = app.service.postings_due().await.unwrap();
        let of_quiet: Vec<_> = due.iter().map(|due| due.channel_id == Some(quiet.0)).collect();
        assert_eq!(of_quiet, [false, true, false, false, false], "one of each, then as many as are sent at a time");
        assert_eq!([post_due(&app.service).await, post_due(&app.service).await, post_due(&app.service).await], [5, 2, 0]);
        assert_eq!(sink.lines().len(), 7);
    }

    async fn slack_and_teams_are_told_in_their_own_forms(app) {
        let sink = sink(app).await;
        for kind in ["slack", "teams"] {
            make(app, kind, kind, &format!("{}/ok", sink.url), "").await;
        }
        happens(&app.service, To::Channel("slack")).await;
        happens(&app.service, To::Channel("teams")).await;
        assert_eq!(post_due(&app.service).await, 2);
        let bodies: Vec<Value> = sink.lines().iter().map(body).collect();
        assert!(bodies.contains(&channel::slack(&telling())), "{bodies:?}");
        assert!(bodies.contains(&channel::teams(&telling())), "{bodies:?}");
        assert!(sink.lines().iter().all(|line| line.webhook_id().is_none()));
        assert!(sink.lines().iter().all(|line| line.header("content-type") == Some("application/json")));
    }

    async fn a_missing_secret_and_an_address_inside_are_told_and_nothing_leaves(app) {
        let sink = sink(app).await;
        make(app, "unsigned", "webhook", &format!("{}/ok", sink.url), "RECOURSE_SECRET_NOBODY_SET").await;
        make(app, "inside", "webhook", "http://10.0.0.1/", "").await;
        happens(&app.service, To::Channel("unsigned")).await;
        happens(&app.service, To::Channel("inside")).await;
        post_due(&app.service).await;
        for (name, word) in [("unsigned", "RECOURSE_SECRET_NOBODY_SET"), ("inside", "not a public address")] {
            let failed = last(app, name).await;
            assert!(failed.last_error.as_deref().is_some_and(|why| why.contains(word)), "{failed:?}");
        }
        assert!(sink.lines().is_empty());
    }
}
