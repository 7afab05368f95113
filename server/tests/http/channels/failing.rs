//! Admins are told of a channel that fails for good: once, not with every telling.

use chrono::TimeDelta;
use domain::{audit::AuditKind, notice::NoticeKind, permission::Role, sensitivity::Clearance};
use rehearsal::systems::Fault;
use service::channels::save::{ChangeChannel, Wanted};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use super::{To, channel as make, happens, last, post_due, sink};
use crate::app::{App, FALLBACK_TEAM, command_line, on_both};

/// An admin, and an operator.
async fn people(app: &App) -> [String; 2] {
    let ada = app.add("Ada", &[Role::Admin], &[FALLBACK_TEAM], Clearance::Internal).await;
    let bo = app.add("Bo", &[Role::Operator], &[FALLBACK_TEAM], Clearance::Internal).await;
    [ada, bo]
}

/// Tries what waits until nothing does.
async fn until_given_up(app: &App) {
    for _ in 0..12 {
        while post_due(&app.service).await > 0 {}
        app.later(TimeDelta::hours(4));
    }
    assert_eq!(post_due(&app.service).await, 0, "it goes on for ever");
}

on_both! {
    async fn what_begins_to_be_given_up_is_told_to_admins_once_and_again_after_it_worked(app) {
        let (sink, [ada, bo]) = (sink(app).await, people(app).await);
        make(app, "down", "webhook", &format!("{}/ok", sink.url), "").await;
        let told = async |email: &str| app.told_of(email, NoticeKind::ChannelGivesUp).await;
        sink.faults().always(Fault::Status { code: 503, retry_after_s: None });
        for _ in 0..3 {
            happens(&app.service, To::Channel("down")).await;
        }
        post_due(&app.service).await;
        assert!(told(&ada).await.is_empty(), "it is tried again first");
        let (_, entries) = app.audited(until_given_up(app)).await;
        let kinds: Vec<_> = entries.iter().map(|entry| entry.action).collect();
        assert_eq!(kinds, [AuditKind::ChannelGaveUp]);
        assert!(last(app, "down").await.given_up_at.is_some());
        let [sentence] = &told(&ada).await[..] else { panic!("told once") };
        assert!(sentence.contains("through the channel down does not arrive"), "{sentence}");
        assert!(told(&bo).await.is_empty(), "who can do nothing about it");

        happens(&app.service, To::Channel("down")).await;
        until_given_up(app).await;
        assert_eq!(told(&ada).await.len(), 1, "that is known");
        sink.faults().clear();
        happens(&app.service, To::Channel("down")).await;
        assert_eq!(post_due(&app.service).await, 1);
        sink.faults().always(Fault::Status { code: 503, retry_after_s: None });
        happens(&app.service, To::Channel("down")).await;
        until_given_up(app).await;
        assert_eq!(told(&ada).await.len(), 2, "it worked in between");
    }

    async fn a_failing_test_is_seen_by_who_asked_and_told_to_nobody(app) {
        let (sink, [ada, _]) = (sink(app).await, people(app).await);
        make(app, "down", "webhook", &format!("{}/503", sink.url), "").await;
        let came = app.service.test_channel(&command_line(), "down").await.unwrap();
        assert!(came.given_up_at.is_some());
        assert!(app.told_of(&ada, NoticeKind::ChannelGivesUp).await.is_empty());
    }

    async fn that_a_receiver_wants_no_more_is_told_to_admins_once(app) {
        let (sink, [ada, bo]) = (sink(app).await, people(app).await);
        make(app, "gone", "webhook", &format!("{}/410", sink.url), "").await;
        for _ in 0..3 {
            happens(&app.service, To::Channel("gone")).await;
        }
        while post_due(&app.service).await > 0 {}
        let [sentence] = &app.told_of(&ada, NoticeKind::ChannelDisabled).await[..] else { panic!("told once") };
        assert!(sentence.starts_with("The channel gone is disabled"), "{sentence}");
        assert!(app.told_of(&ada, NoticeKind::ChannelGivesUp).await.is_empty(), "once is enough");
        assert!(app.told_of(&bo, NoticeKind::ChannelDisabled).await.is_empty());
        let browser = app.browser();
        browser.sign_in(&ada).await.is(303);
        assert!(browser.get("/notices").await.is(200).text().contains("/admin/channels/gone"));
    }

    async fn a_late_410_does_not_disable_a_channel_that_was_corrected_meanwhile(app) {
        let (sink, [ada, _]) = (sink(app).await, people(app).await);
        let old = TcpListener::bind("127.0.0.1:0").await.unwrap();
        make(app, "moved", "webhook", &format!("http://{}/", old.local_addr().unwrap()), "").await;
        for _ in 0..2 {
            happens(&app.service, To::Channel("moved")).await;
        }
        let due = app.service.postings_due().await.unwrap();
        let corrected = async {
            let (mut stream, _) = old.accept().await.unwrap();
            assert!(stream.read(&mut [0; 4096]).await.unwrap() > 0);
            let url = format!("{}/ok", sink.url);
            let wanted = Wanted { kind: "webhook".into(), url, secret: String::new(), allow_private: true };
            let action = ChangeChannel { name: "moved".into(), version: Some(1), wanted };
            app.service.run(&command_line(), action).await.unwrap();
            stream.write_all(b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await.unwrap();
            stream
        };
        let (came, _stream) = tokio::join!(app.service.post(due[0].id), corrected);
        came.unwrap();
        let seen = app.service.channel(&command_line(), "moved").await.unwrap();
        assert_eq!((seen.row.disabled_at, seen.row.version), (None, 2));
        assert_eq!(seen.postings.iter().filter(|posting| posting.given_up_at.is_some()).count(), 1, "{seen:?}");
        assert!(app.told_of(&ada, NoticeKind::ChannelDisabled).await.is_empty());
        assert_eq!((post_due(&app.service).await, sink.lines().len()), (1, 1), "what waited goes to the new address");
    }
}
