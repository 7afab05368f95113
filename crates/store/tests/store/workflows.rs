//! Workflows, their steps and definitions.

use std::collections::BTreeMap;

use domain::{
    ids::{QuarantineId, WorkflowId},
    item::Impact,
    sensitivity::Sensitivity,
    workflow::{Repeat, SideEffect, file},
};
use store::{Decision, DefinitionRow, NewQuarantine, QuarantineState, StepRow, Stored, WorkflowRow};
use uuid::Uuid;

use crate::{
    databases::{Database, is_duplicate, on_both},
    world::{HOSTILE, an_item_of, at},
};

const FILE: &str = r#"
    # Every comment and blank line of the file is kept.

    [workflow]
    key = "invoice-sync"
    name = "Invoices → ledger 🧾"
    owner_team = "finance"
    version = "2026-09"
    valid_for = "7d"
    [workflow.targets.high]
    claim = "15m"
    close = "4h"

    [[step]]
    key = "create_invoice"
    side_effect = "irreversible"
    repeat = "key"
    key_memory = "24h"
    impact = "high"
    sensitivity = "confidential"
    schema = "schemas/invoice.json"
    sensitive = ["/customer/iban"]
    [step.destination]
    kind = "http"
    url = "https://ledger.example.test/invoices"
    key_header = "Idempotency-Key"
    headers = { "X-Source" = "recourse" }
"#;

fn applied(number: i64, source: &str) -> DefinitionRow {
    DefinitionRow {
        number,
        version: format!("2026-{number:02}"),
        source: source.to_owned(),
        definition: Stored(file::read(FILE).unwrap()),
        schemas: Stored(BTreeMap::from([("schemas/invoice.json".to_owned(), format!("{{\"title\": {HOSTILE:?}}}"))])),
    }
}

fn step(workflow: &WorkflowRow, key: &str) -> StepRow {
    StepRow {
        workflow_id: workflow.id,
        key: key.to_owned(),
        name: format!("Step {key}"),
        registered: true,
        side_effect: SideEffect::Reversible,
        repeat: Repeat::Lookup,
        impact: Some(Impact::High),
        sensitivity: None,
    }
}

async fn step_of(db: &Database, workflow: WorkflowId, key: &str) -> StepRow {
    db.look(async |uow| uow.step(workflow, key).await).await.unwrap()
}

on_both! {
    async fn a_workflow_is_known_by_its_key_and_added_once(db) {
        let finance = db.team("finance").await;
        let mut workflow = db.workflow("invoice-sync", &finance).await;
        let again = WorkflowRow { id: WorkflowId(Uuid::new_v4()), ..workflow.clone() };
        assert!(!db.change(async |uow| uow.add_workflow(&again, at(1)).await).await);

        workflow.name = HOSTILE.to_owned();
        (workflow.version, workflow.registered) = (None, false);
        db.change(async |uow| uow.update_workflow(&workflow).await).await;
        let found = db.look(async |uow| uow.workflow_by_key("invoice-sync").await).await.unwrap();
        assert_eq!(format!("{found:?}"), format!("{workflow:?}"));
        let locked = db.change(async |uow| uow.lock_workflow("invoice-sync").await).await.unwrap();
        assert_eq!(format!("{locked:?}"), format!("{workflow:?}"));
        assert!(db.look(async |uow| uow.workflow_by_key("Invoice-sync").await).await.is_none());

        db.workflow("crm-sync", &finance).await;
        assert_eq!(db.look(async |uow| uow.workflow_keys(None).await).await, ["crm-sync", "invoice-sync"]);
    }

    async fn an_applied_definition_is_kept_to_the_letter_and_the_last_one_counts(db) {
        let finance = db.team("finance").await;
        let workflow = db.workflow("invoice-sync", &finance).await;
        assert!(db.look(async |uow| uow.latest_definition(workflow.id).await).await.is_none());
        let files = [(1, FILE), (2, HOSTILE), (10, "# the tenth is later than the second")];
        for (number, source) in files {
            let row = applied(number, source);
            db.change(async |uow| uow.add_definition(workflow.id, &row, "Amara", at(number)).await).await;
            let latest = db.look(async |uow| uow.latest_definition(workflow.id).await).await.unwrap();
            assert_eq!(format!("{latest:?}"), format!("{row:?}"));
        }
        let again = applied(2, "# another second one");
        let refused = db.try_change(async |uow| uow.add_definition(workflow.id, &again, "Amara", at(3)).await).await;
        assert!(is_duplicate(&refused), "{refused:?}");
    }

    async fn a_step_that_is_gone_from_the_file_is_unregistered_and_the_worst_is_assumed_of_it(db) {
        let finance = db.team("finance").await;
        let (workflow, other) = (db.workflow("invoice-sync", &finance).await, db.workflow("crm-sync", &finance).await);
        let untouched = step(&other, "send");
        db.change(async |uow| uow.replace_steps(other.id, std::slice::from_ref(&untouched)).await).await;

        let (read, send) = (step(&workflow, "read"), step(&workflow, "send"));
        db.change(async |uow| uow.replace_steps(workflow.id, &[read.clone(), send.clone()]).await).await;
        assert_eq!(format!("{:?}", step_of(db, workflow.id, "send").await), format!("{send:?}"));

        let mut changed = step(&workflow, "read");
        (changed.name, changed.side_effect, changed.repeat) = (HOSTILE.to_owned(), SideEffect::None, Repeat::Key);
        (changed.impact, changed.sensitivity) = (None, Some(Sensitivity::Restricted));
        db.change(async |uow| uow.replace_steps(workflow.id, std::slice::from_ref(&changed)).await).await;
        assert_eq!(format!("{:?}", step_of(db, workflow.id, "read").await), format!("{changed:?}"));
        let gone = step_of(db, workflow.id, "send").await;
        let stands = (gone.registered, gone.side_effect, gone.repeat);
        assert_eq!(stands, (false, SideEffect::Irreversible, Repeat::Nothing));
        assert_eq!(format!("{:?}", step_of(db, other.id, "send").await), format!("{untouched:?}"));

        db.change(async |uow| uow.replace_steps(workflow.id, &[send.clone(), changed]).await).await;
        assert_eq!(format!("{:?}", step_of(db, workflow.id, "send").await), format!("{send:?}"));
        assert_eq!(db.look(async |uow| uow.step_keys(None).await).await, ["read", "send"]);
    }

    async fn a_step_is_added_once(db) {
        let finance = db.team("finance").await;
        let workflow = db.workflow("invoice-sync", &finance).await;
        let first = step(&workflow, "send");
        assert!(db.change(async |uow| uow.add_step(&first).await).await);
        let second = StepRow { name: "Another".into(), ..first.clone() };
        assert!(!db.change(async |uow| uow.add_step(&second).await).await);
        assert_eq!(step_of(db, workflow.id, "send").await.name, first.name);
        assert!(db.look(async |uow| uow.step(workflow.id, "Send").await).await.is_none());
    }

    async fn items_and_what_waits_in_quarantine_follow_their_workflow_to_its_new_team(db) {
        let (finance, sales) = (db.team("finance").await, db.team("sales").await);
        let (workflow, other) = (db.workflow("invoice-sync", &finance).await, db.workflow("crm-sync", &finance).await);
        let (moves, stays) = (db.keep(an_item_of(&workflow, "1")).await, db.keep(an_item_of(&other, "1")).await);
        let waiting = waiting_for(db, "invoice-sync", &finance).await;
        let elsewhere = waiting_for(db, "crm-sync", &finance).await;
        let decided = waiting_for(db, "invoice-sync", &finance).await;
        let closed = Decision {
            state: QuarantineState::Closed,
            item: None,
            corrected: None,
            by: "Amara",
            note: "a test of theirs",
        };
        assert!(db.change(async |uow| uow.decide_quarantined(decided, &closed, at(5)).await).await);

        let moved = WorkflowRow { team_id: sales.id, ..workflow };
        db.change(async |uow| uow.update_workflow(&moved).await).await;

        for (item, team) in [(moves.id, sales.id), (stays.id, finance.id)] {
            assert_eq!(db.look(async |uow| uow.item(item).await).await.unwrap().team_id, team);
        }
        for (report, team) in [(waiting, sales.id), (elsewhere, finance.id), (decided, finance.id)] {
            assert_eq!(db.look(async |uow| uow.quarantined(report).await).await.unwrap().team_id, team);
        }
    }
}

async fn waiting_for(db: &Database, workflow: &str, team: &store::TeamRow) -> QuarantineId {
    let (id, token, payload_id) = (QuarantineId(Uuid::new_v4()), db.token("sync", None).await, db.payload(b"{}").await);
    let new = NewQuarantine {
        id,
        team_id: team.id,
        workflow_key: Some(workflow),
        token: (token, "sync"),
        payload_id,
        content_type: "application/json",
        item_header: None,
        door: "report",
        target_item: None,
        code: "invalid",
        reason: "Some fields are wrong",
        problems: &[],
        sensitivity: domain::sensitivity::Sensitivity::Confidential,
        sameness: domain::digest::Sha256::of(id.0.as_bytes()),
    };
    db.change(async |uow| uow.add_quarantine(&new, at(1)).await).await;
    id
}
