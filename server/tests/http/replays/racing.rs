use domain::permission::Role;
use serde_json::json;

use super::{GOOD, Shape, Stage, replay, standing};
use crate::{
    actions::resolution,
    app::on_both,
    wire::{race, statuses},
};

on_both! {
    /// C10, R5: fifty at once: one request at the destination, and 49 are told who won.
    async fn c10_r5_of_fifty_racing_replays_one_is_sent_and_the_others_hear_who_won(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        let version = app.version(&item).await.to_string();
        let other = app.script("Jonas", Role::Operator, "finance-ops").await;
        let answers = race(50, async |number| {
            let who = if number % 2 == 0 { &stage.amara } else { &other };
            who.ask(&item, "replay", replay(1), &[("if-match", &version)]).await
        }).await;
        assert_eq!(statuses(&answers), [(202, 1), (409, 49)]);
        let winner = answers.iter().position(|answer| answer.status == 202).unwrap();
        let winner = if winner % 2 == 0 { "Amara" } else { "Jonas" };
        for answer in answers.iter().filter(|answer| answer.status == 409) {
            assert!(answer.text().contains(winner), "{}", answer.text());
        }
        // Ten senders at once: one of them sends.
        let due = app.service.replays_due(None).await.unwrap();
        assert_eq!(due.len(), 1);
        let sent = race(10, async |_| app.service.deliver(due[0].id).await).await;
        assert!(sent.iter().all(Result::is_ok), "{sent:?}");
        assert_eq!((stage.lines().len(), stage.sink.kept().len()), (1, 1));
        assert_eq!(standing(&stage.sync.item(&item).await), ("closed", "confirmed", Some("replayed")));
    }

    /// C10: a replay and a decision against it at the same moment: one of the two, never both.
    async fn c10_a_replay_and_a_discard_at_once_are_never_both(app) {
        let stage = Stage::new(app, GOOD).await;
        let jonas = app.script("Jonas", Role::Operator, "finance-ops").await;
        for round in 0..10 {
            let item = stage.unsent(&format!("INV-{round}")).await;
            let version = app.version(&item).await.to_string();
            let before = stage.lines().len();
            let answers = race(2, async |number| {
                let headers = [("if-match", version.as_str())];
                match number {
                    0 => stage.amara.ask(&item, "replay", replay(1), &headers).await,
                    _ => jonas.ask(&item, "resolve", resolution("discarded", "none"), &headers).await,
                }
            }).await;
            let replayed = answers[0].status == 202;
            assert_eq!(answers[1].status, if replayed { 409 } else { 200 }, "{}", answers[1].text());
            app.send_due().await;
            assert_eq!(stage.lines().len() - before, usize::from(replayed));
        }
    }

    /// C65: a form that is posted twice, as Enter and a click do, sends once; the second is told what is going on.
    async fn c65_enter_and_a_click_send_once(app) {
        let stage = Stage::new(app, Shape { mode: "429", ..GOOD }).await;
        let item = stage.unsent("INV-1").await;
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        let version = app.version(&item).await.to_string();
        let form = [("version", version.as_str()), ("revision", "1"), ("reason", "The ledger is back")];
        let path = format!("/items/{item}/replay");
        let answers = race(2, async |_| jonas.post(&path, &form).await).await;
        assert_eq!(statuses(&answers), [(303, 1), (409, 1)]);
        let refused = answers.iter().find(|answer| answer.status == 409).unwrap();
        assert!(refused.text().contains("Jonas"), "{}", refused.shown());
        app.send_due().await;
        assert_eq!(stage.lines().len(), 1);
        // Back, forward, refresh: the same form again.
        jonas.post(&path, &form).await.is(409);
        assert_eq!((app.send_due().await, stage.lines().len()), (0, 1));
    }

    /// C44: a tab from before somebody closed the item.
    async fn c44_a_stale_tab_is_told_who_was_quicker(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        let version = app.version(&item).await.to_string();
        stage.amara.act(&item, "resolve", resolution("discarded", "none")).await.is(200);
        let form = [("version", version.as_str()), ("revision", "1"), ("reason", "My own reason")];
        let page = jonas.post(&format!("/items/{item}/replay"), &form).await.is(409).text();
        assert!(page.contains("Amara") && page.contains("My own reason"), "{page}");
        assert_eq!(app.send_due().await, 0);
        let _ = json!(null);
    }
}
