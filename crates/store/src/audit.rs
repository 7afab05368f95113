//! The audit trail. Entries are only ever added (R14); free text stands apart.

use chrono::{DateTime, Utc};
use domain::{
    audit::{ActorKind, AuditKind, AuditOutcome},
    ids::{AuditId, ItemId, TeamId},
    sensitivity::Sensitivity,
};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{
    Result, Stored, Uow,
    column::{MaybeWord, json},
    sql::{execute, fetch_all, statements},
};

statements! {
    INSERT_ENTRY = "INSERT INTO audit_entry (id, at, actor_kind, actor_id, actor_name, action, outcome, code, team_id, workflow_key, item_id, detail, text_digest, request_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
    INSERT_TEXT = "INSERT INTO audit_text (entry_id, salt, text) VALUES ($1, $2, $3)";
    ITEM_HISTORY = "SELECT audit_entry.id, at, actor_kind, actor_id, actor_name, person.deleted_at AS actor_deleted_at, action, outcome, code, audit_entry.workflow_key, item_id, item.sensitivity, audit_entry.detail, text, request_id
        FROM audit_entry LEFT JOIN audit_text ON audit_text.entry_id = audit_entry.id LEFT JOIN item ON item.id = audit_entry.item_id LEFT JOIN person ON person.id = audit_entry.actor_id
        WHERE item_id = $1 ORDER BY at DESC, audit_entry.id DESC LIMIT 200";
    // One statement for every combination of filters: a filter that is not set is NULL. The time index carries it.
    PAGE = "SELECT audit_entry.id, at, actor_kind, actor_id, actor_name, person.deleted_at AS actor_deleted_at, action, outcome, code, audit_entry.workflow_key, item_id, item.sensitivity, audit_entry.detail, text, request_id
        FROM audit_entry LEFT JOIN audit_text ON audit_text.entry_id = audit_entry.id LEFT JOIN item ON item.id = audit_entry.item_id LEFT JOIN person ON person.id = audit_entry.actor_id
        WHERE (at, audit_entry.id) < ($1, $2)
        AND (CAST($3 AS TEXT) IS NULL OR actor_name = $3) AND (CAST($4 AS TEXT) IS NULL OR action = $4)
        AND (CAST($5 AS TEXT) IS NULL OR outcome = $5) AND (CAST($6 AS TEXT) IS NULL OR audit_entry.workflow_key = $6)
        AND ($7 OR item_id = $8) AND at >= $9 AND ($13 OR actor_id = $14)
        AND ($10 OR audit_entry.team_id IS NULL OR audit_entry.team_id IN (SELECT team_id FROM person_team WHERE person_id = $11))
        ORDER BY at DESC, audit_entry.id DESC LIMIT $12";
}

/// An entry to add.
#[derive(Debug)]
pub struct NewAudit<'a> {
    /// Its id.
    pub id: AuditId,
    /// What kind of caller acted.
    pub actor_kind: ActorKind,
    /// The person or token.
    pub actor_id: Option<Uuid>,
    /// As named then.
    pub actor_name: &'a str,
    /// What happened.
    pub action: AuditKind,
    /// Whether it was done or refused.
    pub outcome: AuditOutcome,
    /// The refusal's code.
    pub code: Option<&'a str>,
    /// The team the thing belongs to.
    pub team: Option<TeamId>,
    /// The workflow it belongs to.
    pub workflow_key: Option<&'a str>,
    /// The item.
    pub item: Option<ItemId>,
    /// Ids, numbers and words of closed lists only.
    pub detail: &'a Map<String, Value>,
    /// Free text, with the salt of its digest.
    pub text: Option<(&'a str, [u8; 16])>,
    /// The request it came with.
    pub request_id: Option<&'a str>,
}

/// An entry as it is shown.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct AuditRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: AuditId,
    /// When.
    pub at: DateTime<Utc>,
    /// What kind of caller acted.
    #[sqlx(try_from = "String")]
    pub actor_kind: ActorKind,
    /// The person or token.
    pub actor_id: Option<Uuid>,
    /// As named then.
    pub actor_name: String,
    /// Since when the person's account is gone.
    pub actor_deleted_at: Option<DateTime<Utc>>,
    /// What happened.
    #[sqlx(try_from = "String")]
    pub action: AuditKind,
    /// Whether it was done or refused.
    #[sqlx(try_from = "String")]
    pub outcome: AuditOutcome,
    /// The refusal's code.
    pub code: Option<String>,
    /// The workflow.
    pub workflow_key: Option<String>,
    /// The item.
    pub item_id: Option<Uuid>,
    /// How sensitive that item is now.
    #[sqlx(try_from = "MaybeWord")]
    pub sensitivity: Option<Sensitivity>,
    /// Ids, numbers and words.
    #[sqlx(try_from = "String")]
    pub detail: Stored<Map<String, Value>>,
    /// Free text; `None` where there was none or it was erased.
    pub text: Option<String>,
    /// The request it came with.
    pub request_id: Option<String>,
}

/// Which entries to show.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// By this actor, exactly as named.
    pub actor: Option<String>,
    /// By this account or token: a namesake is somebody else.
    pub actor_id: Option<Uuid>,
    /// Of this kind.
    pub action: Option<AuditKind>,
    /// Done or refused.
    pub outcome: Option<AuditOutcome>,
    /// About this workflow.
    pub workflow: Option<String>,
    /// About this item.
    pub item: Option<ItemId>,
    /// Not before.
    pub from: Option<DateTime<Utc>>,
    /// Before; pages continue here.
    pub before: Option<(DateTime<Utc>, Uuid)>,
    /// Only entries of this person's teams, and those of none.
    pub bound_to: Option<Uuid>,
}

impl Uow {
    /// Adds an entry, in the transaction of the change it is about.
    pub async fn add_audit(&mut self, entry: &NewAudit<'_>, now: DateTime<Utc>) -> Result<()> {
        let digest = entry.text.map(|(text, salt)| domain::digest::Sha256::of_parts(&[&salt, text.as_bytes()]));
        execute!(
            self,
            INSERT_ENTRY,
            entry.id.0,
            now,
            entry.actor_kind.as_str(),
            entry.actor_id,
            entry.actor_name,
            entry.action.as_str(),
            entry.outcome.as_str(),
            entry.code,
            entry.team.map(|t| t.0),
            entry.workflow_key,
            entry.item.map(|i| i.0),
            json(entry.detail)?,
            digest.map(|d| d.0.to_vec()),
            entry.request_id
        )?;
        if let Some((text, salt)) = entry.text {
            execute!(self, INSERT_TEXT, entry.id.0, &salt[..], text)?;
        }
        Ok(())
    }

    /// The last 200 entries about an item, newest first.
    pub async fn item_history(&mut self, item: ItemId) -> Result<Vec<AuditRow>> {
        fetch_all!(self, AuditRow, ITEM_HISTORY, item.0)
    }

    /// One page of entries, newest first.
    pub async fn audit_page(&mut self, filter: &AuditFilter, limit: i64) -> Result<Vec<AuditRow>> {
        let far = DateTime::<Utc>::from_timestamp(253_402_300_799, 0).unwrap_or_default();
        let (at, id) = filter.before.unwrap_or((far, Uuid::max()));
        fetch_all!(
            self,
            AuditRow,
            PAGE,
            at,
            id,
            filter.actor.as_deref().map(domain::text::message),
            filter.action.map(AuditKind::as_str),
            filter.outcome.map(AuditOutcome::as_str),
            filter.workflow.as_deref().map(domain::text::message),
            filter.item.is_none(),
            filter.item.map(|i| i.0).unwrap_or_default(),
            filter.from.unwrap_or(DateTime::<Utc>::UNIX_EPOCH),
            filter.bound_to.is_none(),
            filter.bound_to.unwrap_or_default(),
            limit,
            filter.actor_id.is_none(),
            filter.actor_id.unwrap_or_default()
        )
    }
}
