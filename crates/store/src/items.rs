//! Items: one row for one piece of work.

use chrono::{DateTime, Utc};
use domain::{
    ageing::Cause,
    document::secrets,
    effect::Effect,
    failure::FailureClass,
    ids::{ItemId, PersonId, TeamId, WorkflowId},
    item::{Impact, Lane, Resolution, State},
    report::{Affected, Ai, Evidence, ProposedAction, Step},
    sensitivity::Sensitivity,
    text,
};
use uuid::Uuid;

use crate::{
    ListedItem, Result, Stored, Uow,
    column::{Due, MaybeWord, Someday, json, someday},
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    ITEM = "SELECT * FROM item WHERE id = $1";
    LOCK_ITEM = "SELECT * FROM item WHERE id = $1" locked;
    LOCK_ITEM_BY_WORK = "SELECT * FROM item WHERE workflow_id = $1 AND step = $2 AND dedupe_key = $3" locked;
    INSERT_ITEM = "INSERT INTO item (id, workflow_id, workflow_key, step, dedupe_key, team_id, lane, state, resolution, effect, epoch, version, last_change,
        business_ref, correlation_id, sequence_key, workflow_version, failure_class, message, message_head, detail, sensitivity, impact,
        customer_impact, effect_system, effect_evidence, record_id, source_version, payload_ref, payload_changed, steps, affected, evidence,
        ai, proposed_action, search_text, valid_until, occurred_at, received_at, last_report_at, closed_at,
        owner_person_id, owner_team_id, snoozed_until, escalations, respond_by, escalated_at, claimed_at, worked_until, due_cause, risk_at, due_at, look_at,
        follow_up_of)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27,
        $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54)
        ON CONFLICT (workflow_id, step, dedupe_key) DO NOTHING";
    SAVE_ITEM = "UPDATE item SET lane = $2, state = $3, resolution = $4, effect = $5, epoch = $6, version = $7, last_change = $8,
        business_ref = $9, correlation_id = $10, sequence_key = $11, workflow_version = $12, failure_class = $13, message = $14,
        message_head = $15, detail = $16, sensitivity = $17, impact = $18, customer_impact = $19, effect_system = $20,
        effect_evidence = $21, record_id = $22, source_version = $23, payload_ref = $24, payload_changed = $25, steps = $26,
        affected = $27, evidence = $28, ai = $29, proposed_action = $30, search_text = $31, valid_until = $32, occurred_at = $33,
        received_at = $34, last_report_at = $35, closed_at = $36,
        owner_person_id = $37, owner_team_id = $38, snoozed_until = $39, escalations = $40, respond_by = $41, escalated_at = $42, claimed_at = $43, worked_until = $44,
        due_cause = $45, risk_at = $46, due_at = $47, look_at = $48 WHERE id = $1";
    RELATED = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id
        FROM item JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        WHERE item.id <> $1 AND (item.business_ref = $2 OR item.correlation_id = $3) ORDER BY item.received_at DESC, item.id DESC LIMIT 21";
    OWNER_NAME = "SELECT name FROM person WHERE id = $1";
    TEAM_NAME = "SELECT name FROM team WHERE id = $1";
}

/// Characters of a message that lists show.
const HEAD: usize = 240;

/// A piece of work as it stands.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Item {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: ItemId,
    /// Its workflow.
    #[sqlx(try_from = "Uuid")]
    pub workflow_id: WorkflowId,
    /// Its workflow's key.
    pub workflow_key: String,
    /// Its step's key.
    pub step: String,
    /// Names the work within workflow and step.
    pub dedupe_key: String,
    /// The team that answers for it.
    #[sqlx(try_from = "Uuid")]
    pub team_id: TeamId,
    /// The person who answers for it.
    #[sqlx(try_from = "OwnerColumn")]
    pub owner_person_id: Option<PersonId>,
    /// The team it was given to, where that is another than the workflow's: it sees the item too.
    #[sqlx(try_from = "OwnerColumn")]
    pub owner_team_id: Option<TeamId>,
    /// Why it is here.
    #[sqlx(try_from = "String")]
    pub lane: Lane,
    /// What is going on.
    #[sqlx(try_from = "String")]
    pub state: State,
    /// How it ended.
    #[sqlx(try_from = "MaybeWord")]
    pub resolution: Option<Resolution>,
    /// What is known about its side effect; derived, never set by hand.
    #[sqlx(try_from = "String")]
    pub effect: Effect,
    /// Grows when a compensation made the whole effect good.
    pub epoch: i64,
    /// Counts the changes a decision rests on.
    pub version: i64,
    /// What the last of them was, in words.
    pub last_change: String,
    /// What people call it.
    pub business_ref: Option<String>,
    /// Ties items of one run together.
    pub correlation_id: Option<String>,
    /// Items with one sequence key are replayed in order.
    pub sequence_key: Option<String>,
    /// The version of the workflow that did the work.
    pub workflow_version: Option<String>,
    /// Class of the last failure.
    #[sqlx(try_from = "String")]
    pub failure_class: FailureClass,
    /// The last failure, for people.
    pub message: String,
    /// Its beginning, for lists.
    pub message_head: String,
    /// The last failure, for engineers.
    pub detail: Option<String>,
    /// How sensitive it is.
    #[sqlx(try_from = "String")]
    pub sensitivity: Sensitivity,
    /// How much it matters.
    #[sqlx(try_from = "String")]
    pub impact: Impact,
    /// What it means for a customer.
    pub customer_impact: Option<String>,
    /// The other system.
    pub effect_system: Option<String>,
    /// How the automation knows about the effect.
    pub effect_evidence: Option<String>,
    /// The other system's record.
    pub record_id: Option<String>,
    /// Version of the source record.
    pub source_version: Option<String>,
    /// Where the automation keeps the payload, if it does.
    pub payload_ref: Option<String>,
    /// A later report brought other bytes; a person has to choose.
    pub payload_changed: bool,
    /// The run's steps.
    #[sqlx(try_from = "String")]
    pub steps: Stored<Vec<Step>>,
    /// Records that are touched.
    #[sqlx(try_from = "String")]
    pub affected: Stored<Vec<Affected>>,
    /// What the automation decided on.
    #[sqlx(try_from = "String")]
    pub evidence: Stored<Vec<Evidence>>,
    /// Which model.
    #[sqlx(try_from = "String")]
    pub ai: Stored<Option<Ai>>,
    /// What the automation proposes.
    #[sqlx(try_from = "String")]
    pub proposed_action: Stored<Option<ProposedAction>>,
    /// After this the work is stale.
    pub valid_until: Option<DateTime<Utc>>,
    /// When it happened, by the automation's clock.
    pub occurred_at: Option<DateTime<Utc>>,
    /// When it came in, or came back; ageing counts from here.
    pub received_at: DateTime<Utc>,
    /// When the last report about it came.
    pub last_report_at: DateTime<Utc>,
    /// When it was closed.
    pub closed_at: Option<DateTime<Utc>>,
    /// Until when it is snoozed.
    pub snoozed_until: Option<DateTime<Utc>>,
    /// How often it was escalated.
    pub escalations: i64,
    /// When the team it was escalated to must have responded.
    pub respond_by: Option<DateTime<Utc>>,
    /// When it was escalated last.
    pub escalated_at: Option<DateTime<Utc>>,
    /// When somebody claimed it first since it came in, or came back.
    pub claimed_at: Option<DateTime<Utc>>,
    /// Until when somebody worked it last, or wants to; or when its snooze is over.
    pub worked_until: Option<DateTime<Utc>>,
    /// What is due next.
    #[sqlx(flatten)]
    pub due: Due,
    /// When its clocks have to be looked at next.
    #[sqlx(try_from = "Someday")]
    pub look_at: Option<DateTime<Utc>>,
    /// The accepted item that it follows up; never changed.
    #[sqlx(try_from = "OwnerColumn")]
    pub follow_up_of: Option<ItemId>,
}

#[derive(Debug, sqlx::Type)]
#[sqlx(transparent)]
pub(crate) struct OwnerColumn(Option<Uuid>);

impl From<OwnerColumn> for Option<TeamId> {
    fn from(column: OwnerColumn) -> Self {
        column.0.map(TeamId)
    }
}

impl From<OwnerColumn> for Option<PersonId> {
    fn from(column: OwnerColumn) -> Self {
        column.0.map(PersonId)
    }
}

impl From<OwnerColumn> for Option<ItemId> {
    fn from(column: OwnerColumn) -> Self {
        column.0.map(ItemId)
    }
}

impl Item {
    /// Notes a change that decisions rest on.
    pub fn changed(&mut self, what: impl Into<String>) {
        self.version += 1;
        self.last_change = what.into();
    }

    /// What lists are searched by.
    fn search_text(&self) -> String {
        // Nobody finds out a secret by searching for it.
        let head = text::head(&self.message, 2_000);
        let head = secrets::scrub(&head);
        let reference = self.business_ref.as_deref().unwrap_or_default();
        let correlation = self.correlation_id.as_deref().unwrap_or_default();
        text::fold(&format!("{reference}\n{}\n{correlation}\n{head}", self.dedupe_key))
    }
}

impl Uow {
    /// The item with this id.
    pub async fn item(&mut self, id: ItemId) -> Result<Option<Item>> {
        fetch_optional!(self, Item, ITEM, id.0)
    }

    /// The same, locked until the unit of work ends.
    pub async fn lock_item(&mut self, id: ItemId) -> Result<Option<Item>> {
        fetch_optional!(self, Item, LOCK_ITEM, id.0)
    }

    /// The item for this work, locked until the unit of work ends.
    pub async fn lock_item_by_work(
        &mut self,
        workflow: WorkflowId,
        step: &str,
        dedupe_key: &str,
    ) -> Result<Option<Item>> {
        fetch_optional!(self, Item, LOCK_ITEM_BY_WORK, workflow.0, step, dedupe_key)
    }

    /// Adds an item; `false` if there is one for this work.
    pub async fn add_item(&mut self, item: &Item) -> Result<bool> {
        Ok(execute!(
            self,
            INSERT_ITEM,
            item.id.0,
            item.workflow_id.0,
            &item.workflow_key,
            &item.step,
            &item.dedupe_key,
            item.team_id.0,
            item.lane.as_str(),
            item.state.as_str(),
            item.resolution.map(Resolution::as_str),
            item.effect.as_str(),
            item.epoch,
            item.version,
            &item.last_change,
            &item.business_ref,
            &item.correlation_id,
            &item.sequence_key,
            &item.workflow_version,
            item.failure_class.as_str(),
            &item.message,
            text::head(&item.message, HEAD),
            &item.detail,
            item.sensitivity.as_str(),
            item.impact.as_str(),
            &item.customer_impact,
            &item.effect_system,
            &item.effect_evidence,
            &item.record_id,
            &item.source_version,
            &item.payload_ref,
            item.payload_changed,
            json(&item.steps.0)?,
            json(&item.affected.0)?,
            json(&item.evidence.0)?,
            json(&item.ai.0)?,
            json(&item.proposed_action.0)?,
            item.search_text(),
            item.valid_until,
            item.occurred_at,
            item.received_at,
            item.last_report_at,
            item.closed_at,
            item.owner_person_id.map(|person| person.0),
            item.owner_team_id.map(|team| team.0),
            item.snoozed_until,
            item.escalations,
            item.respond_by,
            item.escalated_at,
            item.claimed_at,
            item.worked_until,
            item.due.cause.map(Cause::as_str),
            someday(item.due.risk_at),
            someday(item.due.at),
            someday(item.look_at),
            item.follow_up_of.map(|of| of.0)
        )? == 1)
    }

    /// Keeps an item's changes. The caller holds its lock.
    pub async fn save_item(&mut self, item: &Item) -> Result<()> {
        execute!(
            self,
            SAVE_ITEM,
            item.id.0,
            item.lane.as_str(),
            item.state.as_str(),
            item.resolution.map(Resolution::as_str),
            item.effect.as_str(),
            item.epoch,
            item.version,
            &item.last_change,
            &item.business_ref,
            &item.correlation_id,
            &item.sequence_key,
            &item.workflow_version,
            item.failure_class.as_str(),
            &item.message,
            text::head(&item.message, HEAD),
            &item.detail,
            item.sensitivity.as_str(),
            item.impact.as_str(),
            &item.customer_impact,
            &item.effect_system,
            &item.effect_evidence,
            &item.record_id,
            &item.source_version,
            &item.payload_ref,
            item.payload_changed,
            json(&item.steps.0)?,
            json(&item.affected.0)?,
            json(&item.evidence.0)?,
            json(&item.ai.0)?,
            json(&item.proposed_action.0)?,
            item.search_text(),
            item.valid_until,
            item.occurred_at,
            item.received_at,
            item.last_report_at,
            item.closed_at,
            item.owner_person_id.map(|person| person.0),
            item.owner_team_id.map(|team| team.0),
            item.snoozed_until,
            item.escalations,
            item.respond_by,
            item.escalated_at,
            item.claimed_at,
            item.worked_until,
            item.due.cause.map(Cause::as_str),
            someday(item.due.risk_at),
            someday(item.due.at),
            someday(item.look_at)
        )
        .map(drop)
    }

    /// Other items of the same business reference or correlation id, newest first, at most 21.
    pub async fn related_items(&mut self, item: &Item) -> Result<Vec<ListedItem>> {
        fetch_all!(self, ListedItem, RELATED, item.id.0, &item.business_ref, &item.correlation_id)
    }

    /// The name of the person who answers for an item.
    pub async fn person_name(&mut self, id: PersonId) -> Result<Option<String>> {
        Ok(fetch_optional!(self, (String,), OWNER_NAME, id.0)?.map(|(name,)| name))
    }

    /// The name of a team.
    pub async fn team_name(&mut self, id: TeamId) -> Result<Option<String>> {
        Ok(fetch_optional!(self, (String,), TEAM_NAME, id.0)?.map(|(name,)| name))
    }
}
