//! The rows that nobody may change, and what changing each of their columns would be.

use uuid::Uuid;

use super::Kept;
use crate::{databases::Database, world::at};

/// One row of an append-only table, and for each of its columns an assignment that would change it.
pub(super) struct Row {
    pub(super) table: &'static str,
    pub(super) place: String,
    pub(super) key: &'static str,
    pub(super) changes: Vec<(&'static str, String)>,
}

pub(super) fn rows(db: &Database, kept: &Kept) -> Vec<Row> {
    let id = |id: Uuid| db.id(id);
    let new_id = || db.id(Uuid::new_v4());
    let digest = || db.blob(&[9; 32]);
    let time = || format!("'{}'", at(99).to_rfc3339());
    let text = || "'changed'".to_owned();
    let set = |changes: Vec<(&'static str, String)>| {
        changes.into_iter().map(|(column, value)| (column, format!("{column} = {value}"))).collect::<Vec<_>>()
    };
    let item = id(kept.item.id.0);
    let mut payload = set(vec![("id", new_id()), ("sha256", digest()), ("bytes", db.blob(b"FREE 1"))]);
    payload.push(("size", format!("size = 3, bytes = {}", db.blob(b"abc"))));
    vec![
        Row { table: "payload", place: format!("id = {}", id(kept.free[0].0)), key: "id", changes: payload },
        Row {
            table: "revision",
            place: format!("item_id = {item} AND number = 2"),
            key: "item_id, number",
            changes: set(vec![
                ("item_id", id(kept.other_item.id.0)),
                ("number", "3".into()),
                ("payload_id", id(kept.free[1].0)),
                ("media_type", text()),
                ("parent", "2".into()),
                ("author_kind", "'person'".into()),
                ("author_id", new_id()),
                ("author_name", text()),
                ("reason", text()),
                ("at", time()),
                ("source_version", text()),
                ("breaks_glass", "TRUE".into()),
                ("overrides_schema", "TRUE".into()),
                ("completing", "TRUE".into()),
            ]),
        },
        Row {
            table: "report",
            place: "report_id = 'r-1'".into(),
            key: "workflow_id, report_id",
            changes: set(vec![
                ("workflow_id", id(kept.other_workflow.id.0)),
                ("report_id", text()),
                ("digest", digest()),
                ("item_id", id(kept.other_item.id.0)),
                ("token_id", new_id()),
                ("answer", text()),
                ("received_at", time()),
            ]),
        },
        Row {
            table: "workflow_definition",
            place: "number = 1".into(),
            key: "workflow_id, number",
            changes: set(vec![
                ("workflow_id", id(kept.other_workflow.id.0)),
                ("number", "2".into()),
                ("version", text()),
                ("source", text()),
                ("definition", text()),
                ("schemas", text()),
                ("applied_by", text()),
                ("applied_at", time()),
            ]),
        },
        Row {
            table: "audit_entry",
            place: format!("id = {}", id(kept.untold[0].0)),
            key: "id",
            changes: set(vec![
                ("id", new_id()),
                ("at", time()),
                ("actor_kind", "'person'".into()),
                ("actor_id", new_id()),
                ("actor_name", text()),
                ("action", text()),
                ("outcome", "'refused'".into()),
                ("code", text()),
                ("team_id", new_id()),
                ("workflow_key", text()),
                ("item_id", new_id()),
                ("detail", text()),
                ("text_digest", digest()),
                ("request_id", text()),
            ]),
        },
        Row {
            table: "audit_text",
            place: format!("entry_id = {}", id(kept.told.0)),
            key: "entry_id",
            changes: set(vec![("entry_id", id(kept.untold[1].0)), ("salt", digest()), ("text", text())]),
        },
        Row {
            table: "erasure",
            place: "reason = 'asked'".into(),
            key: "id",
            changes: set(vec![
                ("id", new_id()),
                ("payload_id", id(kept.free[0].0)),
                ("reason", text()),
                ("by_name", text()),
                ("at", time()),
            ]),
        },
        Row {
            table: "item_comment",
            place: "text = 'said'".into(),
            key: "id",
            changes: set(vec![
                ("id", new_id()),
                ("item_id", id(kept.other_item.id.0)),
                ("person_id", new_id()),
                ("person_name", text()),
                ("text", text()),
                ("at", time()),
            ]),
        },
        Row {
            table: "finding",
            place: format!("attempt_id = {}", id(kept.attempts[0].0)),
            key: "id",
            changes: set(vec![
                ("id", new_id()),
                ("item_id", id(kept.other_item.id.0)),
                ("attempt_id", id(kept.attempts[1].0)),
                ("finding", "'cannot_tell'".into()),
                ("source", text()),
                ("evidence", text()),
                ("record_id", text()),
                ("by_id", new_id()),
                ("by_name", text()),
                ("at", time()),
            ]),
        },
        Row {
            table: "decision",
            place: "reason = 'decided'".into(),
            key: "id",
            changes: set(vec![
                ("id", new_id()),
                ("item_id", id(kept.other_item.id.0)),
                ("resolution", "'discarded'".into()),
                ("effect", "'none'".into()),
                ("reason", text()),
                ("code", text()),
                ("evidence", text()),
                ("record_id", text()),
                ("follow_up", text()),
                ("revision", "2".into()),
                ("duplicate_of", id(kept.other_item.id.0)),
                ("by_id", new_id()),
                ("by_name", text()),
                ("at", time()),
            ]),
        },
        Row {
            table: "replay_key",
            place: "key = 'key-1'".into(),
            key: "item_id, revision, epoch",
            changes: set(vec![
                ("item_id", id(kept.other_item.id.0)),
                ("revision", "2".into()),
                ("epoch", "1".into()),
                ("key", text()),
            ]),
        },
        Row {
            table: "attempt_answer",
            place: "media_type = 'text/plain'".into(),
            key: "attempt_id",
            changes: set(vec![
                ("attempt_id", id(kept.attempts[1].0)),
                ("media_type", text()),
                ("bytes", db.blob(b"yes")),
                ("cut", db.either("1", "TRUE").to_owned()),
            ]),
        },
        Row {
            table: "lookup",
            place: "shown = 'absent'".into(),
            key: "id",
            changes: set(vec![
                ("id", new_id()),
                ("item_id", id(kept.other_item.id.0)),
                ("attempt_id", id(kept.attempts[1].0)),
                ("request", text()),
                ("shown", "'found'".into()),
                ("counts", db.either("1", "TRUE").to_owned()),
                ("begun_at", time()),
                ("by_id", new_id()),
                ("by_name", text()),
            ]),
        },
        Row {
            table: "approval_exclusion",
            place: format!("approval_id = {}", id(kept.approvals[0].0)),
            key: "approval_id, person_id",
            changes: set(vec![
                ("approval_id", id(kept.approvals[1].0)),
                ("person_id", new_id()),
                ("why", "'edited'".into()),
            ]),
        },
        Row {
            table: "approval_decision",
            place: format!("approval_id = {}", id(kept.approvals[0].0)),
            key: "approval_id, person_id",
            changes: set(vec![
                ("approval_id", id(kept.approvals[1].0)),
                ("person_id", new_id()),
                ("person_name", text()),
                ("acts_for", new_id()),
                ("verdict", "'reject'".into()),
                ("reason", text()),
                ("hash", digest()),
                ("at", time()),
            ]),
        },
    ]
}
