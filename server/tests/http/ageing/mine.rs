//! My work: what somebody answers for, and what they have claimed; and how the team stands for whoever comes next.

use chrono::TimeDelta;
use domain::permission::Role;
use serde_json::json;

use super::{TARGETS, file};
use crate::{actions::not_sent, app::on_both};

on_both! {
    async fn my_work_is_what_i_answer_for_and_what_i_have_claimed(app) {
        app.register(&file(TARGETS, "")).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let (own, bo) = (app.script_of("amara@example.test", &[]).await, app.script("Bo", Role::Operator, "finance-ops").await);
        let mut items = Vec::new();
        for key in ["INV-1", "INV-2", "INV-3", "INV-4"] {
            items.push(sync.reported(&not_sent(key)).await);
        }
        own.act(&items[0], "claim", json!({})).await.is(200);
        bo.act(&items[1], "hand_over", json!({ "person": "amara@example.test", "note": "Yours" })).await.is(409);
        bo.act(&items[1], "claim", json!({})).await.is(200);
        bo.act(&items[1], "hand_over", json!({ "person": "amara@example.test", "note": "Yours" })).await.is(200);
        bo.act(&items[2], "claim", json!({})).await.is(200);
        let shown = |page: &str| ["INV-1", "INV-2", "INV-3", "INV-4"].map(|key| page.contains(key));
        let page = amara.get("/queue?view=open&mine=yes").await.is(200).words();
        assert!(page.contains("My work"), "{page}");
        assert_eq!(shown(&page), [true, true, false, false], "{page}");
        app.later(TimeDelta::minutes(31));
        let page = amara.get("/queue?view=open&mine=yes").await.is(200).words();
        assert_eq!(shown(&page), [false, true, false, false], "the claim has run out: {page}");
        let farid = app.signed_in("Farid", Role::Operator, "support").await;
        assert!(farid.get("/queue?view=open&mine=yes").await.is(200).words().contains("Nothing is yours"));
    }

    async fn the_shift_shows_who_has_how_much_and_what_is_with_nobody(app) {
        app.register(&file(TARGETS, "").replace("version = \"1\"", "version = \"1\"\nmanual_capacity_per_day = 2")).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let own = app.script_of("amara@example.test", &[]).await;
        let mut items = Vec::new();
        for key in ["INV-1", "INV-2", "INV-3"] {
            items.push(sync.reported(&not_sent(key)).await);
        }
        let doubt = sync.reported(&crate::actions::with_effect("INV-4", "uncertain")).await;
        own.act(&items[0], "claim", json!({})).await.is(200);
        own.act(&items[0], "hand_over", json!({ "person": "amara@example.test", "note": "Mine" })).await.is(200);
        let until = crate::words::time(app.service.now() + TimeDelta::hours(9));
        own.act(&items[1], "snooze", json!({ "until": until, "reason": "The bank is closed" })).await.is(200);
        app.later(TimeDelta::hours(5));
        let page = amara.get("/shift").await.is(200).words();
        let part = |id: &str| page.split(&format!("id=\"{id}\"")).nth(1).unwrap().split("</section>").next().unwrap().to_owned();
        assert!(page.contains("2 items a day") && page.contains("2.0 days of work are open"), "{page}");
        assert!(part("h-load").contains("Amara") && part("h-load").contains("1 open item") && part("h-load").contains("3 overdue"), "{}", part("h-load"));
        assert!(part("h-doubt").contains(&doubt) && !part("h-doubt").contains(&items[0]));
        assert!(part("h-nobody").contains(&items[2]) && !part("h-nobody").contains(&items[0]));
        assert!(part("h-aside").contains(&items[1]) && part("h-way").contains("Nothing is being sent"));
        // Of another team nobody learns anything.
        let sven = app.signed_in("Sven", Role::Operator, "support").await;
        assert!(!sven.get("/shift").await.is(200).text().contains("INV-"));
        sven.get("/shift?team=finance-ops").await.is(404);
    }
}
