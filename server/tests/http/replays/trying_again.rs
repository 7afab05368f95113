use chrono::TimeDelta;

use super::{FORGETFUL, GOOD, Shape, Stage, attempts, last, standing};
use crate::app::on_both;

fn words(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(outcome, effect)| ((*outcome).to_owned(), (*effect).to_owned())).collect()
}

on_both! {
    /// R8: "not now" is asked again by itself, as often and as long as the workflow says, and never sooner than asked.
    async fn r8_not_now_is_asked_again_a_bounded_number_of_times(app) {
        let stage = Stage::new(app, Shape { mode: "429?retry_after=30", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        let seen = stage.replayed(&item, 1).await;
        assert_eq!(standing(&seen), ("replaying", "none", None));
        app.later(TimeDelta::seconds(29));
        assert_eq!(app.send_due().await, 0, "the destination asked for 30 s");
        app.later(TimeDelta::seconds(1));
        assert_eq!(app.send_due().await, 1);
        app.later(TimeDelta::seconds(60));
        assert_eq!(app.send_due().await, 1);
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("open", "none", None), "three tries are all");
        let failed = ("failed", "none");
        assert_eq!(attempts(&seen), words(&[failed, failed, failed, failed]), "the automation's, and each of ours");
        let keys: std::collections::BTreeSet<_> = stage.lines().into_iter().map(|line| line.key).collect();
        assert_eq!((stage.lines().len(), keys.len()), (3, 1), "always the same key");
        app.later(TimeDelta::hours(2));
        assert_eq!((app.send_due().await, app.keep_leases().await), (0, 0));
    }

    /// A destination that wants to be left alone for longer than there is time gets no second try.
    async fn r8_a_wait_beyond_the_limit_ends_the_replay(app) {
        let stage = Stage::new(app, Shape { mode: "503?retry_after=301", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        assert_eq!(standing(&stage.replayed(&item, 1).await), ("open", "none", None));
    }

    /// R8, C42: an uncertain try at a destination that recognises keys is asked again with the same key, and one answer
    /// speaks for all.
    async fn r8_an_uncertain_try_is_asked_again_only_where_keys_are_recognised(app) {
        let flaky = "flaky?fail=2&code=500";
        let stage = Stage::new(app, Shape { mode: flaky, ..GOOD }).await;
        let item = stage.unsent("INV-1").await;
        let seen = stage.replayed(&item, 1).await;
        assert_eq!(standing(&seen), ("replaying", "uncertain", None));
        for _ in 0..2 {
            app.later(TimeDelta::seconds(60));
            app.send_due().await;
        }
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("closed", "confirmed", Some("replayed")), "{seen}");
        let keys: std::collections::BTreeSet<_> = stage.lines().into_iter().map(|line| line.key).collect();
        assert_eq!((stage.lines().len(), keys.len(), stage.sink.kept().len()), (3, 1, 1));

        stage.reshape(Shape { mode: flaky, ..FORGETFUL }).await;
        let item = stage.unsent("INV-2").await;
        assert_eq!(standing(&stage.replayed(&item, 1).await), ("open", "uncertain", None));
        app.later(TimeDelta::hours(1));
        assert_eq!(app.send_due().await, 0, "nothing is repeated by itself");
    }

    /// R8: without a side effect, what is uncertain is tried again.
    async fn r8_a_step_without_side_effect_is_tried_again(app) {
        let stage = Stage::new(app, FORGETFUL).await;
        let flaky = Shape { mode: "flaky?fail=1&code=500", ..GOOD };
        stage.reshape_text(flaky, |text| text.replace("side_effect = \"irreversible\"", "side_effect = \"none\"")).await;
        let item = stage.unsent("INV-1").await;
        let seen = stage.replayed(&item, 1).await;
        assert_eq!(standing(&seen), ("replaying", "none", None), "{seen}");
        app.later(TimeDelta::seconds(10));
        app.send_due().await;
        assert_eq!(standing(&stage.sync.item(&item).await), ("closed", "confirmed", Some("replayed")));
    }

    /// What is reported while a try waits stops it: it is not sent on top of something that happened.
    async fn r4_news_that_comes_while_a_try_waits_stops_it(app) {
        let stage = Stage::new(app, Shape { mode: "429", ..GOOD }).await;
        let item = stage.unsent("INV-1").await;
        assert_eq!(standing(&stage.replayed(&item, 1).await).0, "replaying");
        let confirmed = crate::words::with(crate::actions::with_effect("INV-1", "confirmed"), serde_json::json!({ "report_id": "later" }));
        stage.sync.report(&confirmed).await.is(200);
        app.later(TimeDelta::minutes(1));
        app.send_due().await;
        let seen = stage.sync.item(&item).await;
        assert_eq!(stage.lines().len(), 1, "{seen}");
        assert_eq!(standing(&seen), ("open", "confirmed", None));
        let stopped = seen["attempts"].as_array().unwrap().iter().any(|a| a["message"].as_str().is_some_and(|m| m.contains("has become known since")));
        assert!(stopped, "{}", last(&seen));
    }
}
