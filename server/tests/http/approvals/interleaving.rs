//! Whatever order people and time act in: nothing is sent that nobody approved, and nothing twice.

use serde_json::json;

use super::{Office, RIGHT, WRONG, file};
use crate::{app::on_both, dice::Dice};

/// What the order of events is drawn from.
const SEED: u64 = 20_261_130;

const ALWAYS: &str = "replay_approval = \"always\"\napproval_expires = \"30m\"";

on_both! {
    async fn r12_no_order_of_events_sends_what_was_not_approved_or_sends_it_twice(app) {
        let dice = &mut Dice(SEED);
        let office = Office::new(app, ALWAYS).await;
        let mut version_of_the_address = 0;
        let mut approved: Vec<(String, &str)> = Vec::new();
        for round in 0..12 {
            let key = format!("INV-{round}");
            let item = office.unsent(&key, WRONG).await;
            let (mut revisions, mut waiting) = (vec![WRONG], None::<(String, i64)>);
            for _ in 0..dice.below(10) + 4 {
                match dice.below(8) {
                    0 => {
                        let text = if revisions.last() == Some(&RIGHT) { WRONG } else { RIGHT };
                        let parent = revisions.len();
                        let body = json!({ "parent": parent, "text": text, "reason": "Another try" });
                        if office.amara.act(&item, "correct", body).await.status == 200 {
                            revisions.push(text);
                        }
                    }
                    1 | 2 => {
                        let revision = i64::try_from(dice.below(revisions.len()) + 1).unwrap();
                        let body = json!({ "revision": revision, "reason": "It is right", "request_approval": true });
                        let answer = office.amara.act(&item, "replay", body).await;
                        if answer.status == 202 {
                            waiting = Some((answer.json()["approval"].as_str().unwrap().to_owned(), revision));
                        }
                    }
                    3 | 4 => {
                        if let Some((approval, revision)) = &waiting
                            && office.selma.decide(&item, approval, "approve").await.status == 200
                        {
                            approved.push((key.clone(), revisions[usize::try_from(*revision - 1).unwrap()]));
                        }
                    }
                    5 => {
                        if let Some((approval, _)) = &waiting {
                            let verb = dice.pick(&["reject", "withdraw"]);
                            let who = if verb == "reject" { &office.sven } else { &office.amara };
                            who.decide(&item, approval, verb).await;
                        }
                    }
                    6 => {
                        version_of_the_address += 1;
                        let moved = file(&office.ledger.url, ALWAYS, super::REVERSAL)
                            .replace("/api/invoices\"\nallow", &format!("/api/invoices?v={version_of_the_address}\"\nallow"));
                        app.register(&moved).await;
                    }
                    _ => drop(app.later(chrono::TimeDelta::minutes(20))),
                }
                if dice.chance(50) {
                    app.service.settle_approvals().await.unwrap();
                }
                if dice.chance(50) {
                    app.send_due().await;
                }
                let held = office.ledger.invoices();
                assert!(held.len() <= approved.len(), "{SEED}: more was sent than approved");
                for invoice in &held {
                    let body = std::str::from_utf8(invoice.body()).unwrap();
                    assert!(approved.iter().any(|(_, content)| *content == body), "{SEED}: {body}");
                }
            }
            app.send_due().await;
            let of_this = office.ledger.invoices().len();
            let items_approved = approved.iter().map(|(key, _)| key).collect::<std::collections::BTreeSet<_>>().len();
            assert!(of_this <= items_approved, "{SEED}: an item's work was done twice");
        }
    }
}
