//! The same through the pages, without a script.

use domain::permission::Role;

use super::{Office, WRONG};
use crate::app::{PASSWORD, on_both};

on_both! {
    async fn an_operator_asks_and_a_supervisor_decides_on_their_pages(app) {
        let office = Office::new(app, "replay_approval = \"always\"").await;
        let item = office.unsent("INV-1042", WRONG).await;
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        let page = jonas.get(&format!("/items/{item}/replay")).await.is(200);
        assert!(page.words().contains("Ask for approval to send revision 1"), "{}", page.words());
        let version = app.version(&item).await.to_string();
        let asked = [("version", version.as_str()), ("revision", "1"), ("reason", "The ledger is back"), ("request_approval", "yes")];
        let to = jonas.post(&format!("/items/{item}/replay"), &asked).await.is(303).location().to_owned();
        assert!(to.starts_with("/approvals/"), "{to}");
        let own = jonas.get(&to).await.is(200).words();
        assert!(own.contains("Withdraw your request") && !own.contains("Approve"), "{own}");
        assert!(jonas.get("/approvals?tab=mine").await.is(200).words().contains("INV-1042"));
        assert!(jonas.get(&format!("/items/{item}")).await.is(200).words().contains("waits for approval"));

        let selma = app.signed_in("Stine", Role::Supervisor, "finance-ops").await;
        assert!(selma.get("/queue").await.is(200).words().contains("1 for you"));
        assert!(selma.get("/approvals").await.is(200).words().contains("INV-1042"));
        let page = selma.get(&to).await.is(200).words();
        for told in ["The ledger is back", "/api/invoices", "4000.00", "Approve: it is sent at once"] {
            assert!(page.contains(told), "{told}: {page}");
        }
        let version = app.version(&item).await.to_string();
        let approve = format!("{to}/approve");
        app.later(chrono::TimeDelta::minutes(11));
        let fields = [("version", version.as_str()), ("reason", "Compared with the paper")];
        let asked_again = selma.post(&approve, &fields).await.is(403);
        assert!(asked_again.text().contains("Compared with the paper"), "what was typed is still there");
        let fields = [("version", version.as_str()), ("reason", "Compared with the paper"), ("confirm", PASSWORD)];
        selma.post(&approve, &fields).await.is(303);
        app.send_due().await;
        assert_eq!(office.ledger.invoices().len(), 1, "the ledger holds one invoice");
        assert!(selma.get("/approvals?tab=decided").await.is(200).words().contains("Approved"));
        assert!(jonas.get("/notices").await.is(200).words().contains("approved"));
        let ines = app.signed_in("Ines", Role::Auditor, "finance-ops").await;
        let audited = ines.get("/audit/approvals").await.is(200).words();
        for told in ["Jonas", "Stine", "Compared with the paper", "Succeeded"] {
            assert!(audited.contains(told), "{told}: {audited}");
        }
    }

    async fn a_compensation_is_asked_for_on_its_page(app) {
        let office = Office::new(app, "").await;
        let item = office.posted("INV-1042").await;
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        office.amara.act(&item, "release", serde_json::json!({})).await;
        let page = jonas.get(&format!("/items/{item}/compensations")).await.is(200).words();
        for told in ["Post an authorised reversal", "The original entry stays", "reason code", "From 0 to 100."] {
            assert!(page.contains(told), "{told}: {page}");
        }
        let version = app.version(&item).await.to_string();
        let path = format!("/items/{item}/compensations");
        let fields = [
            ("version", version.as_str()), ("plan", "reverse_invoice"), ("parameters.reason_code", "wrong-amount"),
            ("parameters.fee", "1000"), ("reason", "A nought too many"),
        ];
        let refused = jonas.post(&path, &fields).await.is(422);
        assert!(refused.words().contains("must be 100 or less") && refused.text().contains("A nought too many"), "{}", refused.words());
        let preview = [fields[0], fields[1], fields[2], ("stage", "preview"), ("parameters.fee", "1000")];
        assert!(jonas.post(&path, &preview).await.is(200).words().contains("must be 100 or less"));
        let preview = [fields[0], fields[1], fields[2], ("stage", "preview"), ("parameters.fee", "1.50")];
        let would = jonas.post(&path, &preview).await.is(200).words();
        for told in ["What will be sent", "1.50", "/api/reversals", "wrong-amount", "Ask for approval"] {
            assert!(would.contains(told), "{told}: {would}");
        }
        assert_eq!(app.database.rows("approval").await, 0, "it only shows");
        let fields = [fields[0], fields[1], fields[2], ("parameters.fee", "1.50"), fields[4]];
        let to = jonas.post(&path, &fields).await.is(303).location().to_owned();
        let shown = jonas.get(&to).await.is(200).words();
        for told in ["What will be sent", "1.50", "/api/reversals", "wrong-amount"] {
            assert!(shown.contains(told), "{told}: {shown}");
        }
    }
}
