//! What people are told, and that looking at it marks nothing (C86).

use chrono::TimeDelta;
use domain::{notice::NoticeKind, permission::Role, sensitivity::Clearance};
use serde_json::json;

use crate::{
    app::on_both,
    browser::Browser,
    words::{report, with},
};

/// How many unread ones the bell counts.
async fn bell(of: &Browser<'_>) -> usize {
    let page = of.get("/queue").await.is(200).text();
    let Some((_, rest)) = page.split_once("Notices: ") else {
        assert!(page.contains("aria-label=\"Notices\""), "there is a bell on every page");
        return 0;
    };
    rest.split(' ').next().unwrap().parse().unwrap()
}

/// Somebody marks all that was told so far as read.
async fn catches_up(who: &Browser<'_>) {
    let upto = who.app.service.now().timestamp_micros().to_string();
    who.post("/notices/read", &[("upto", &upto)]).await.is(303);
    assert_eq!(bell(who).await, 0);
}

on_both! {
    async fn who_is_taken_over_from_and_who_is_given_an_item_is_told(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&with(report("INV-1"), json!({ "business_ref": "Invoice 7" }))).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let selma = app.signed_in("Selma", Role::Supervisor, "finance-ops").await;
        catches_up(&amara).await;
        catches_up(&selma).await;
        amara.work_on(&id, "claim", &[]).await.is(303);
        selma.work_on(&id, "claim", &[("take_over_reason", "She is on leave")]).await.is(303);
        let [told] = &app.told("amara@example.test").await[..] else { panic!("one notice") };
        assert_eq!((told.kind, told.item_id.map(|id| id.to_string())), (NoticeKind::TakenOver, Some(id.clone())));
        assert_eq!(told.kind.sentence(&told.by_name, &told.about), "Selma took over Invoice 7, which you were working");
        assert!(app.told("selma@example.test").await.is_empty());

        selma.work_on(&id, "hand_over", &[("person", "amara@example.test"), ("note", "Yours again")]).await.is(303);
        selma.work_on(&id, "assign", &[("person", "selma@example.test"), ("note", "Mine")]).await.is(303);
        assert_eq!(app.told_of("amara@example.test", NoticeKind::Given).await, ["Selma gave you Invoice 7"]);
        assert!(app.told("selma@example.test").await.is_empty(), "nobody is told of what they did themselves");
        let page = amara.get("/notices").await.is(200).text();
        assert!(page.contains("Selma gave you Invoice 7") && page.contains(&format!("href=\"/items/{id}\"")));
        assert_eq!((bell(&amara).await, bell(&selma).await), (2, 0));
    }

    async fn r15_a_notice_of_a_restricted_item_carries_none_of_its_content(app) {
        let sync = app.invoices().await;
        let story = with(report("INV-1"), json!({
            "sensitivity": "restricted", "customer_impact": "secret-impact", "payload": { "json": { "iban": "secret-payload" } },
            "failure": { "message": "secret-message", "detail": "secret-detail" },
        }));
        let id = sync.reported(&story).await;
        app.add("Selma", &[Role::Supervisor], &["finance-ops"], Clearance::Restricted).await;
        let amara = app.signed_in_with("Amara", Role::Operator, "finance-ops", Clearance::Internal).await;
        let selma = app.again("selma@example.test").await;
        amara.work_on(&id, "claim", &[]).await.is(303);
        selma.work_on(&id, "claim", &[("take_over_reason", "secret-reason")]).await.is(303);
        selma.work_on(&id, "hand_over", &[("person", "amara@example.test"), ("note", "secret-note")]).await.is(303);
        assert_eq!(app.told("amara@example.test").await.len(), 2);
        let page = amara.get("/notices").await.is(200).text();
        assert!(page.contains("INV-1") && !page.contains("secret-"), "{page}");
        let kept = app.database.content_without(&[]).await["notice"].join("\n");
        assert!(!kept.contains("secret-"), "{kept}");
    }

    async fn c86_looking_marks_nothing_one_or_all_that_were_shown_are_marked_and_nobody_elses(app) {
        let ada = app.admin("Ada").await;
        let jo = app.signed_in("Jo", Role::Operator, "finance-ops").await;
        let bo = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        catches_up(&jo).await;
        catches_up(&bo).await;
        for roles in [&["operator", "auditor"][..], &["operator"], &["operator", "auditor"]] {
            app.later(TimeDelta::seconds(1));
            ada.set_roles("jo@example.test", roles).await.is(303);
        }
        assert_eq!(bell(&jo).await, 3);
        let page = app.unchanged(async {
            jo.get("/notices").await.is(200);
            jo.get("/notices?before=0").await.is(200);
            jo.get("/notices").await.is(200)
        }).await.text();
        assert_eq!((bell(&jo).await, page.matches("New · ").count()), (3, 3));
        let upto = page.split_once("name=\"upto\" value=\"").unwrap().1.split_once('"').unwrap().0.to_owned();

        let first = app.told("jo@example.test").await[0].id.to_string();
        app.unchanged(bo.post("/notices/read", &[("id", &first)])).await.is(303);
        app.unchanged(bo.post("/notices/read", &[("upto", &upto)])).await.is(303);
        assert_eq!(jo.post("/notices/read", &[("id", &first)]).await.location(), "/notices");
        assert_eq!(bell(&jo).await, 2);
        let at = app.told("jo@example.test").await[0].read_at;
        assert_eq!(at, Some(app.service.now()));

        // One comes while the page is looked at: it was not seen, so it stays new.
        app.later(TimeDelta::seconds(1));
        ada.set_roles("jo@example.test", &["operator"]).await.is(303);
        jo.post("/notices/read", &[("upto", &upto)]).await.is(303);
        let unread: Vec<_> = app.told("jo@example.test").await.iter().map(|row| row.read_at.is_none()).collect();
        assert_eq!((bell(&jo).await, unread), (1, vec![false, false, false, true]));
        assert_eq!(app.told("jo@example.test").await[0].read_at, at, "when it was read first");
        app.unchanged(jo.post("/notices/read", &[])).await.is(422);
        app.unchanged(jo.post("/notices/read", &[("upto", "soon")])).await.is(422);
        assert!(jo.post("/notices/read", &[("id", &first), ("next", "https://evil.example")]).await.location().starts_with('/'));
        assert!(!bo.get("/notices").await.is(200).text().contains("Auditor"), "nobody reads another's");
        app.browser().post("/notices/read", &[("id", &first)]).await.is(401);
    }
}
