//! What is append-only stays as it was, whoever asks (R1, R2, R9, R14): the server, and on both databases the owner too.

mod append_only;
mod erasing;
mod rows;
mod whole_tables;

use domain::{
    approval::{Bound, Excluded, Verdict},
    audit::{ActorKind, AuditKind, AuditOutcome},
    digest::Sha256,
    effect::Effect,
    finding::Finding,
    ids::{ApprovalId, AttemptId, AuditId, PayloadId, PersonId, TokenId},
    item::Resolution,
    workflow::file,
};
use serde_json::Map;
use store::{
    Answered, ApprovalDecision, Decided, DefinitionRow, FoundOut, Item, LookedUp, NewApproval, NewAudit, NewRevision,
    ReportRow, Stored, WorkflowRow,
};
use uuid::Uuid;

use crate::{
    databases::Database,
    world::{a_try, an_item_of, at},
};
use rows::{Row, rows};

const TABLES: [&str; 15] = [
    "payload",
    "revision",
    "report",
    "workflow_definition",
    "audit_entry",
    "audit_text",
    "erasure",
    "item_comment",
    "finding",
    "decision",
    "replay_key",
    "attempt_answer",
    "lookup",
    "approval_exclusion",
    "approval_decision",
];

/// Who tries.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Hand {
    Server,
    Owner,
}

const HANDS: [Hand; 2] = [Hand::Server, Hand::Owner];

async fn try_as(db: &Database, hand: Hand, sql: &str) -> Result<u64, String> {
    match hand {
        Hand::Server => db.as_server(sql).await,
        Hand::Owner => db.as_owner(sql).await,
    }
}

/// Something of everything that is never changed.
struct Kept {
    item: Item,
    other_item: Item,
    other_workflow: WorkflowRow,
    /// Named by no revision.
    free: [PayloadId; 2],
    /// With a text.
    told: AuditId,
    /// Without one.
    untold: [AuditId; 2],
    /// One is named by a finding.
    attempts: [AttemptId; 2],
    /// One was decided, and somebody is excluded from deciding it.
    approvals: [ApprovalId; 2],
}

const DEFINITION: &str = r#"
    [workflow]
    key = "invoice-sync"
    name = "Invoices"
    owner_team = "finance"
    version = "1"
    [[step]]
    key = "create_invoice"
    side_effect = "none"
"#;

async fn something_of_everything(db: &Database) -> Kept {
    let item = db.an_item().await;
    let workflow = db.look(async |uow| uow.workflow_by_key("invoice-sync").await).await.unwrap();
    let finance = db.look(async |uow| uow.team_by_key("finance").await).await.unwrap();
    let other_workflow = db.workflow("crm-sync", &finance).await;
    let other_item = db.keep(an_item_of(&workflow, "INV-2")).await;
    for (item, number) in [(&item, 1), (&item, 2), (&other_item, 1)] {
        let payload = db.payload(format!("revision {number}").as_bytes()).await;
        let new = NewRevision { number, payload, media_type: "text/plain", source_version: None };
        let by = (Uuid::nil(), "sync");
        db.change(async |uow| uow.add_automation_revision(item.id, &new, by, at(1)).await).await;
    }
    let row = ReportRow { digest: Sha256::of(b"report"), item_id: item.id, answer: "{}".into() };
    let token = TokenId(Uuid::nil());
    db.change(async |uow| uow.add_report(item.workflow_id, "r-1", &row, token, at(1)).await).await;
    let applied = DefinitionRow {
        number: 1,
        version: "1".into(),
        source: DEFINITION.into(),
        definition: Stored(file::read(DEFINITION).unwrap()),
        schemas: Stored::default(),
    };
    db.change(async |uow| uow.add_definition(workflow.id, &applied, "Amara", at(1)).await).await;
    let told = entry(db, &item, Some("a text")).await;
    let untold = [entry(db, &item, None).await, entry(db, &item, None).await];
    let free = [db.payload(b"free 1").await, db.payload(b"free 2").await];
    let attempts = [a_try(&item, 1), a_try(&item, 2)];
    db.change(async |uow| {
        for attempt in &attempts {
            uow.add_attempt(attempt).await?;
        }
        uow.add_comment(Uuid::new_v4(), item.id, (PersonId(Uuid::nil()), "Amara"), "said", at(1)).await?;
        uow.add_finding(Uuid::new_v4(), item.id, &found_out(attempts[0].id), Uuid::nil()).await?;
        uow.add_decision(Uuid::new_v4(), item.id, &decided(), Uuid::nil()).await?;
        uow.keep_replay_key(item.id, 1, 0, "key-1").await?;
        uow.add_answer(&answered(attempts[0].id)).await?;
        uow.add_lookup(Uuid::new_v4(), item.id, &looked_up(attempts[0].id), Uuid::nil()).await?;
        let spent = db.id(Uuid::new_v4());
        let erased = format!(
            "INSERT INTO erasure (id, payload_id, reason, by_name, at) VALUES ({spent}, NULL, 'asked', 'Amara', '{}')",
            at(1).to_rfc3339()
        );
        store::registry::execute(uow, &erased).await
    })
    .await;
    let approvals = [asked(db, &item).await, asked_by(db, &other_item, 3).await];
    let decision = ApprovalDecision {
        approval_id: approvals[0],
        person_id: PersonId(Uuid::from_u128(2)),
        person_name: "Selma".into(),
        acts_for: None,
        verdict: Verdict::Approve,
        reason: "compared".into(),
        at: at(2),
    };
    db.change(async |uow| uow.add_approval_decision(&decision, &[7; 32]).await).await;
    let attempts = attempts.map(|attempt| attempt.id);
    Kept { item, other_item, other_workflow, free, told, untold, attempts, approvals }
}

/// Something that waits for a decision; whoever asked is excluded.
pub(crate) async fn asked(db: &Database, item: &Item) -> ApprovalId {
    asked_by(db, item, 1).await
}

async fn asked_by(db: &Database, item: &Item, person: u128) -> ApprovalId {
    let bound = serde_json::json!({
        "action": "replay", "item": item.id, "epoch": 0, "effect": "none", "revision": 1, "sha256": "", "attempt": null,
        "plan": null, "parameters": {}, "accepted": [], "sends": [], "source_version": null,
        "policy": {
            "approvers": 1, "replay_approval": "always", "schema": null, "editable": [], "source": null,
            "only_if": null, "undoes": null, "cannot_undo": null,
        },
    });
    let bound: Bound = serde_json::from_value(bound).unwrap();
    let (id, amara) = (ApprovalId(Uuid::new_v4()), PersonId(Uuid::from_u128(person)));
    let new = NewApproval {
        id,
        bound: &bound,
        hash: Sha256([7; 32]),
        reason: "It is right",
        by: (amara, "Amara"),
        expires_at: at(9),
        seen_version: 1,
    };
    db.change(async |uow| uow.add_approval(&new, &[(amara, Excluded::Asked)], at(1)).await).await;
    id
}

async fn entry(db: &Database, item: &Item, text: Option<&str>) -> AuditId {
    let id = AuditId(Uuid::new_v4());
    let new = NewAudit {
        id,
        actor_kind: ActorKind::Job,
        actor_id: Some(Uuid::nil()),
        actor_name: "sealer",
        action: AuditKind::ItemReported,
        outcome: AuditOutcome::Done,
        code: Some("code"),
        team: Some(item.team_id),
        workflow_key: Some("invoice-sync"),
        item: Some(item.id),
        detail: &Map::new(),
        text: text.map(|text| (text, [7; 16])),
        request_id: Some("request"),
    };
    db.change(async |uow| uow.add_audit(&new, at(1)).await).await;
    id
}

fn found_out(attempt_id: AttemptId) -> FoundOut {
    FoundOut {
        attempt_id,
        finding: Finding::Applied,
        source: "the ledger".into(),
        evidence: "page 4".into(),
        record_id: Some("L-1".into()),
        by_name: "Amara".into(),
        at: at(1),
    }
}

fn answered(attempt_id: AttemptId) -> Answered {
    Answered { attempt_id, media_type: Some("text/plain".into()), bytes: b"no".to_vec(), cut: false }
}

fn looked_up(attempt_id: AttemptId) -> LookedUp {
    LookedUp {
        attempt_id,
        request: "GET https://ledger.example/".into(),
        shown: "absent".into(),
        counts: false,
        begun_at: at(1),
        by_name: "Amara".into(),
    }
}

fn decided() -> Decided {
    Decided {
        resolution: Resolution::DoneByHand,
        effect: Effect::Confirmed,
        reason: "decided".into(),
        code: None,
        evidence: None,
        record_id: None,
        follow_up: None,
        revision: None,
        duplicate_of: None,
        by_name: "Amara".into(),
        at: at(1),
    }
}

/// Whether it was refused for the rule's sake, and not for a slip in the statement.
fn is_the_rule(refusal: &str, hand: Hand, db: &Database) -> bool {
    let by_trigger = ["never changed", "never deleted", "never removed", "only ever erased"]
        .iter()
        .any(|words| refusal.contains(words));
    let by_role = ["permission denied", "must be owner"].iter().any(|words| refusal.contains(words));
    by_trigger || (by_role && hand == Hand::Server && !db.is_sqlite())
}

/// The content of every append-only table.
async fn everything(db: &Database) -> Vec<Vec<String>> {
    let mut tables = Vec::new();
    for table in TABLES {
        tables.push(db.content_of(table).await);
    }
    tables
}
