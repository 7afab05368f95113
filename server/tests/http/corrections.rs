//! Corrections, as those who check afterwards see them: what was changed by whom and why, and what became of it.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use domain::{digest::Sha256, permission::Role, sensitivity::Clearance};
use serde_json::json;

use crate::{
    actions::not_sent,
    app::{App, Token, on_both},
    pages::is_a_safe_page,
    replays::{GOOD, Stage},
    wire::Answer,
    words::with,
};

/// Corrects an item's payload; answers what was answered.
async fn correct(amara: &Token<'_>, item: &str, parent: i64, amount: u32, reason: &str) -> Answer {
    let text = json!({ "amount": amount }).to_string();
    amara.act(item, "correct", json!({ "parent": parent, "text": text, "reason": reason })).await
}

/// An operator's script, and an item that nothing was sent of.
async fn work<'a>(app: &'a App) -> (Token<'a>, Token<'a>, String) {
    let sync = app.invoices().await;
    let amara = app.script("Amara", Role::Operator, "finance-ops").await;
    let id = sync.reported(&with(not_sent("INV-1"), json!({ "business_ref": "INV-1" }))).await;
    (sync, amara, id)
}

/// Where the corrections of a page lead.
fn details(page: &Answer) -> Vec<String> {
    let text = page.text();
    let hrefs = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    hrefs.filter(|href| href.starts_with("/audit/corrections/")).map(str::to_owned).collect()
}

on_both! {
    async fn r2_a_correction_stands_beside_its_original_with_who_when_and_why(app) {
        let (_, amara, id) = work(app).await;
        correct(&amara, &id, 1, 41, "a digit was wrong").await.is(200);
        app.later(TimeDelta::minutes(1));
        correct(&amara, &id, 2, 42, "and another").await.is(200);
        let mei = app.signed_in("Mei", Role::Auditor, "nowhere").await;
        let list = mei.get("/audit/corrections").await.is(200);
        is_a_safe_page("/audit/corrections", &list);
        assert_eq!(details(&list), [3, 2].map(|number| format!("/audit/corrections/{id}/{number}")), "newest first");
        let html = list.text();
        for told in ["INV-1", "Amara", "a digit was wrong", "and another", "from revision 2", "from the original", "Never sent", "invoice-sync"] {
            assert!(html.contains(told), "{told}");
        }

        let path = format!("/audit/corrections/{id}/3");
        let page = mei.get(&path).await.is(200);
        is_a_safe_page(&path, &page);
        let html = page.text();
        for told in ["Amara", "and another", "a digit was wrong", "2026", "Never sent", "The original", "Made from", "Revision 3"] {
            assert!(html.contains(told), "{told}: {}", page.shown());
        }
        for amount in [40, 41, 42] {
            let digest = Sha256::of(json!({ "amount": amount }).to_string().as_bytes()).hex();
            assert!(html.contains(&digest), "{amount}");
        }
        for (mark, amount) in [("removed", 40), ("added", 42), ("removed", 41)] {
            let line = html.split(&format!("data-line=\"{mark}\"")).skip(1).any(|rest| rest.split("</span>").next().is_some_and(|line| line.contains(&amount.to_string())));
            assert!(line, "{amount} is {mark}: {}", page.shown());
        }
        assert!(!html.contains("<textarea"), "nothing can be done here");
        for nowhere in ["1", "4", "0", "-1", "x"] {
            mei.get(&format!("/audit/corrections/{id}/{nowhere}")).await.is(404);
        }
    }

    async fn r3_what_became_of_a_correction_is_told_attempt_by_attempt(app) {
        let stage = Stage::new(app, GOOD).await;
        let id = stage.unsent("INV-1").await;
        correct(&stage.amara, &id, 1, 41, "a digit").await.is(200);
        correct(&stage.amara, &id, 1, 42, "another way").await.is(200);
        assert_eq!(stage.replayed(&id, 2).await["state"], "closed");
        let mei = app.signed_in("Mei", Role::Auditor, "nowhere").await;
        let list = mei.get("/audit/corrections").await.is(200).text();
        let (newer, older) = list.split_once(&format!("/audit/corrections/{id}/2")).unwrap();
        assert!(newer.contains("Never sent") && !older.contains("Never sent"));
        let record = stage.sync.item(&id).await["effect"]["record_id"].as_str().unwrap().to_owned();
        for page in [older.to_owned(), mei.get(&format!("/audit/corrections/{id}/2")).await.is(200).text()] {
            for told in ["Succeeded", "happened", record.as_str()] {
                assert!(page.contains(told), "{told}");
            }
        }
        let detail = mei.get(&format!("/audit/corrections/{id}/2")).await.text();
        assert!(detail.contains("The ledger is back"), "why it was sent");
        let unsent = mei.get(&format!("/audit/corrections/{id}/3")).await.is(200).text();
        assert!(unsent.contains("Never sent") && !unsent.contains(&record));
    }

    async fn r15_corrections_are_for_those_who_check_up_to_their_clearance_and_within_their_teams(app) {
        let (_, amara, id) = work(app).await;
        correct(&amara, &id, 1, 41_414_141, "because of the iban").await.is(200);
        let detail = format!("/audit/corrections/{id}/2");
        for (name, role) in [("Olga", Role::Operator), ("Sue", Role::Supervisor)] {
            let person = app.signed_in(name, role, "finance-ops").await;
            for path in ["/audit/corrections", &detail] {
                let page = person.get(path).await.is(403).text();
                assert!(page.contains("audit.read") && !page.contains("41414141"), "{name} {path}");
            }
            assert!(!person.get("/queue").await.text().contains("/audit/corrections"), "{name} is not led there");
        }
        assert!(app.browser().get(&detail).await.location().starts_with("/sign-in"));

        let digest = Sha256::of(br#"{"amount":41414141}"#).hex();
        let cleared = app.signed_in("Mei", Role::Auditor, "nowhere").await.get(&detail).await.is(200).text();
        assert!(cleared.contains("41414141") && cleared.contains(&digest));
        let ines = app.signed_in_with("Ines", Role::Auditor, "nowhere", Clearance::Internal).await;
        let list = ines.get("/audit/corrections").await.is(200).text();
        assert!(list.contains(&detail) && list.contains("above your clearance") && !list.contains("because of the iban"));
        // An admin may check who did what, but not read what people work on.
        let ada = app.signed_in("Ada", Role::Admin, "finance-ops").await;
        for (who, says) in [(&ines, "above your clearance"), (&ada, "items.read")] {
            let page = who.get(&detail).await.is(200).text();
            for secret in ["41414141", "because of the iban", digest.as_str()] {
                assert!(!page.contains(secret), "{says}: {secret}");
            }
            assert!(page.contains(says) && page.contains("Amara"));
        }
        let sven = app.signed_in("Sven", Role::Admin, "support").await;
        assert!(!sven.get("/audit/corrections").await.is(200).text().contains(&id));
        sven.get(&detail).await.is(404);
    }

    async fn corrections_are_paged_each_exactly_once_and_narrowed_by_their_address(app) {
        let (sync, amara, id) = work(app).await;
        let ben = app.script("Ben", Role::Operator, "finance-ops").await;
        let other = sync.reported(&not_sent("INV-2")).await;
        for number in 0..111 {
            // Several in one moment: their order is the item's and the revision's.
            if number % 3 == 0 {
                app.later(TimeDelta::seconds(1));
            }
            correct(&amara, &id, 1, 100 + number, "again").await.is(200);
        }
        correct(&ben, &other, 1, 7, "once").await.is(200);
        let mei = app.signed_in("Mei", Role::Auditor, "nowhere").await;
        let (mut seen, mut path, mut pages) = (Vec::new(), "/audit/corrections".to_owned(), 0);
        loop {
            let page = mei.get(&path).await.is(200);
            seen.extend(details(&page));
            pages += 1;
            let text = page.text().replace("&amp;", "&");
            match text.split("href=\"").find_map(|rest| rest.split('"').next().filter(|href| href.contains("before="))) {
                Some(next) if pages < 10 => path = next.to_owned(),
                _ => break,
            }
        }
        assert_eq!((pages, seen.len()), (3, 112));
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), 112);
        let shown = async |query: &str| details(&mei.get(&format!("/audit/corrections?{query}")).await.is(200)).len();
        assert_eq!(shown("person=Ben").await, 1);
        assert_eq!(shown("person=ben").await, 0);
        assert_eq!(shown(&format!("item={other}")).await, 1);
        assert_eq!(shown("workflow=invoice-sync").await, 50);
        assert_eq!(shown("workflow=nothing").await, 0);
        assert_eq!(shown(&format!("person=Amara&item={other}")).await, 0);
        for odd in ["person=%00", "item=x", "before=x", "before=1-2", "before=8210266876799999999-ffffffffffffffffffffffffffffffff-9", "before=-9-00000000000000000000000000000000--1", "workflow=%27%3B--"] {
            let page = mei.get(&format!("/audit/corrections?{odd}")).await;
            assert_eq!(page.status, 200, "{odd}: {}", page.shown());
        }
    }
}
