//! My work: what somebody answers for, and what they have claimed; and how the team stands for whoever comes next.

use chrono::TimeDelta;
use domain::{permission::Role, sensitivity::Clearance};
use serde_json::json;

use super::{LEADS, TARGETS, file};
use crate::{
    actions::{not_sent, with_effect},
    app::on_both,
    words::with,
};

/// A part of the page of a team.
fn part(page: &str, id: &str) -> String {
    page.split(&format!("id=\"{id}\"")).nth(1).unwrap().split("</section>").next().unwrap().to_owned()
}

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
        let doubt = sync.reported(&with_effect("INV-4", "uncertain")).await;
        own.act(&items[0], "claim", json!({})).await.is(200);
        own.act(&items[0], "hand_over", json!({ "person": "amara@example.test", "note": "Mine" })).await.is(200);
        let until = crate::words::time(app.service.now() + TimeDelta::hours(9));
        own.act(&items[1], "snooze", json!({ "until": until, "reason": "The bank is closed" })).await.is(200);
        app.later(TimeDelta::hours(5));
        let page = amara.get("/shift").await.is(200).words();
        let part = |id: &str| part(&page, id);
        assert!(page.contains("2 items a day") && page.contains("2.0 days of work are open"), "{page}");
        assert!(part("h-load").contains("Amara") && part("h-load").contains("1 open item") && part("h-load").contains("3 overdue"), "{}", part("h-load"));
        assert!(part("h-doubt").contains(&doubt) && !part("h-doubt").contains(&items[0]));
        assert!(part("h-nobody").contains(&items[2]) && !part("h-nobody").contains(&items[0]));
        assert!(part("h-aside").contains(&items[1]) && part("h-way").contains("Nothing is being sent"));
        assert!(part("h-elsewhere").contains("workflows is with another team"), "{}", part("h-elsewhere"));
        // Of another team nobody learns anything.
        let sven = app.signed_in("Sven", Role::Operator, "support").await;
        assert!(!sven.get("/shift").await.is(200).text().contains("INV-"));
        sven.get("/shift?team=finance-ops").await.is(404);
    }

    /// What was escalated is late all the same: nobody is told that all is well.
    async fn what_is_with_another_team_stands_on_the_page_of_its_own(app) {
        app.register(&file(TARGETS, LEADS)).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let lena = app.signed_in("Lena", Role::Operator, "finance-leads").await;
        let own = app.script_of("amara@example.test", &[]).await;
        let worked = sync.reported(&not_sent("INV-1")).await;
        let waits = sync.reported(&with_effect("INV-2", "uncertain")).await;
        app.later(TimeDelta::minutes(230));
        own.act(&worked, "claim", json!({})).await.is(200);
        app.later(TimeDelta::minutes(11));
        app.watch().await;

        let page = amara.get("/shift?team=finance-ops").await.is(200).words();
        assert!(part(&page, "h-due").contains("Nothing is open with this team"), "{page}");
        assert!(part(&page, "h-doubt").contains("No effect is uncertain of what this team answers for"), "{page}");
        for told in [&worked, &waits, "finance-leads", "works it", "Nobody works it", "Close overdue by", "may have happened"] {
            assert!(part(&page, "h-elsewhere").contains(told), "{told}: {}", part(&page, "h-elsewhere"));
        }
        let claimed = part(&page, "h-claimed");
        assert!(claimed.contains(&worked) && claimed.contains("Amara") && !claimed.contains(&waits), "{claimed}");
        // With the leads it is as any other item, and they see who works it.
        let page = lena.get("/shift").await.is(200).words();
        let due = part(&page, "h-due");
        assert!(due.contains(&worked) && due.contains(&waits) && due.contains("Amara"), "{due}");
        assert!(part(&page, "h-claimed").contains("Nobody of this team has claimed anything"), "{page}");
    }

    /// Whoever is in two teams works for both; of the other one only those learn who see it.
    async fn what_somebody_claimed_for_another_team_is_shown_to_who_may_see_it(app) {
        app.register(&file(TARGETS, "")).await;
        app.register(&file(TARGETS, "").replace("invoice-sync", "contracts").replace("finance-ops", "legal")).await;
        let sync = app.token_named("contracts", Some(&["contracts"])).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let bo = app.add("Bo", &[Role::Operator], &["finance-ops", "legal"], Clearance::Restricted).await;
        let item = sync.reported(&with(not_sent("CON-1"), json!({ "workflow": "contracts" }))).await;
        app.script_of(&bo, &[]).await.act(&item, "claim", json!({})).await.is(200);
        let browser = app.browser();
        browser.sign_in(&bo).await.is(303);
        let page = browser.get("/shift?team=finance-ops").await.is(200).words();
        let claimed = part(&page, "h-claimed");
        assert!(claimed.contains("CON-1") && claimed.contains("legal"), "{page}");
        let page = amara.get("/shift?team=finance-ops").await.is(200).words();
        assert!(!page.contains("CON-1") && part(&page, "h-claimed").contains("that you may see"), "{page}");
    }
}
