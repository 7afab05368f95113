use super::{Office, WRONG, supervisor};
use crate::{
    app::on_both,
    wire::{race, statuses},
};

/// How many decide at the same moment.
const RACERS: usize = 50;

on_both! {
    async fn r11_fifty_approvals_at_once_send_it_once(app) {
        let office = Office::new(app, "replay_approval = \"always\"").await;
        let item = office.unsent("INV-1042", WRONG).await;
        let approval = office.asked(&item, 1).await;
        let version = app.version(&item).await.to_string();
        let several = [&office.selma, &office.sven, &supervisor(app, "Sanna").await];
        let answers = race(RACERS, |number| several[number % several.len()].decide_as_seen(&approval, "approve", &version)).await;
        assert_eq!(statuses(&answers), [(200, 1), (409, RACERS - 1)]);
        app.send_due().await;
        assert_eq!(office.ledger.invoices().len(), 1, "the ledger holds one invoice");
        assert_eq!(app.database.rows("approval_decision").await, 1);
        assert_eq!(app.database.rows("replay").await, 1);
    }

    async fn r11_fifty_approvals_of_a_compensation_at_once_reverse_it_once(app) {
        let office = Office::new(app, "").await;
        let item = office.posted("INV-1042").await;
        let approval = office.asked_to_reverse(&item).await;
        let version = app.version(&item).await.to_string();
        let answers = race(RACERS, |number| {
            let (who, verb) = if number % 2 == 0 { (&office.selma, "approve") } else { (&office.sven, "approve") };
            who.decide_as_seen(&approval, verb, &version)
        }).await;
        assert_eq!(statuses(&answers), [(200, 1), (409, RACERS - 1)]);
        app.send_due().await;
        assert_eq!(office.ledger.reversals().len(), 1, "exactly one reversal");
        assert_eq!(app.database.rows("compensation").await, 1);
    }

    async fn r11_of_approve_reject_and_withdraw_one_wins(app) {
        let office = Office::new(app, "replay_approval = \"always\"").await;
        let mut sent = 0;
        for round in 0..8 {
            let item = office.unsent(&format!("INV-{round}"), &WRONG.replace("1042", &format!("2{round}"))).await;
            let approval = office.asked(&item, 1).await;
            let version = app.version(&item).await.to_string();
            let answers = race(3, |number| {
                let (who, verb) = [(&office.selma, "approve"), (&office.sven, "reject"), (&office.amara, "withdraw")][number];
                who.decide_as_seen(&approval, verb, &version)
            }).await;
            let won: Vec<usize> = (0..3).filter(|number| answers[*number].status == 200).collect();
            assert_eq!(won.len(), 1, "{:?}", statuses(&answers));
            sent += usize::from(won == [0]);
            app.send_due().await;
            assert_eq!(office.ledger.invoices().len(), sent, "only what was approved is sent");
        }
    }
}
