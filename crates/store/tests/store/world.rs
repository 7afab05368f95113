//! Teams, people, workflows and items for the stories; each says so when it did not take effect.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    attempt::{AttemptBy, Outcome},
    effect::Effect,
    failure::FailureClass,
    ids::{AttemptId, ItemId, PayloadId, PersonId, SessionId, TeamId, TokenId, WorkflowId},
    item::{Impact, Lane, State},
    sensitivity::Sensitivity,
};
use store::{Attempt, Item, NewToken, PersonRow, SessionRow, Stored, TeamRow, TokenKind, WorkflowRow};
use uuid::Uuid;

use crate::databases::Database;

/// Everything that text from outside may do to a careless statement, driver or collation.
pub(crate) const HOSTILE: &str = "'; DROP TABLE item; -- \" \\ \\' $1 ?1 %s % _ {} \u{200D}👩\u{200D}👩\u{200D}👧 𝔘 \
    \u{202E}مرحبا\u{2069} \u{2028}\u{2029}\u{85}\r\n\t\u{1}\u{7F} é e\u{301} ß İ ς \u{FEFF}\u{FFFD}\u{10FFFF} ␀ ";

/// A moment in the stories' time: whole seconds after its beginning.
pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000, 0).unwrap() + TimeDelta::seconds(seconds)
}

/// A moment to the microsecond, in any year.
pub(crate) fn moment(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).unwrap().to_utc()
}

/// Numbers that look random and are the same in every run (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

impl Database {
    pub(crate) async fn team(&self, key: &str) -> TeamRow {
        let team = TeamRow { id: TeamId(Uuid::new_v4()), key: key.to_owned(), name: format!("Team {key}") };
        assert!(self.change(async |uow| uow.add_team(&team, at(0)).await).await, "team {key} was there already");
        team
    }

    pub(crate) async fn person(&self, email: &str) -> PersonRow {
        let person = a_person(email);
        self.change(async |uow| uow.add_person(&person, at(0)).await).await;
        person
    }

    pub(crate) async fn workflow(&self, key: &str, team: &TeamRow) -> WorkflowRow {
        let workflow = WorkflowRow {
            id: WorkflowId(Uuid::new_v4()),
            key: key.to_owned(),
            name: format!("Workflow {key}"),
            team_id: team.id,
            version: Some("2026-09".to_owned()),
            registered: true,
            ageing: Stored::default(),
        };
        assert!(self.change(async |uow| uow.add_workflow(&workflow, at(0)).await).await, "workflow {key} was there");
        workflow
    }

    /// An automation's token, bound to these workflows or to any.
    pub(crate) async fn token(&self, name: &str, workflows: Option<&[String]>) -> TokenId {
        let id = TokenId(Uuid::new_v4());
        let secret_hash = id.0.as_bytes().repeat(2);
        let token = NewToken {
            id,
            kind: TokenKind::Automation,
            name,
            secret_hash: &secret_hash,
            workflows,
            person: None,
            scopes: &[],
            expires_at: None,
            made_by: "Amara",
        };
        self.change(async |uow| uow.add_token(&token, at(0)).await).await;
        id
    }

    /// An item that is there, of a workflow of its own.
    pub(crate) async fn an_item(&self) -> Item {
        let team = self.team("finance").await;
        let workflow = self.workflow("invoice-sync", &team).await;
        self.keep(an_item_of(&workflow, "INV-1")).await
    }

    pub(crate) async fn keep(&self, item: Item) -> Item {
        let added = self.change(async |uow| uow.add_item(&item).await).await;
        assert!(added, "there was an item for {} already", item.dedupe_key);
        item
    }

    pub(crate) async fn payload(&self, bytes: &[u8]) -> PayloadId {
        let id = PayloadId(Uuid::new_v4());
        self.change(async |uow| uow.add_payload(id, bytes).await).await;
        id
    }
}

pub(crate) fn a_person(email: &str) -> PersonRow {
    let (name, hash) = (format!("Name of {email}"), "$argon2id$…".to_owned());
    PersonRow::new(PersonId(Uuid::new_v4()), email.to_owned(), name, Some(hash), Sensitivity::Confidential)
}

/// A session of somebody or nobody that begins at once and lives until then.
pub(crate) fn a_session(person: Option<PersonId>, data: &str, until: i64) -> SessionRow {
    SessionRow {
        id: SessionId(Uuid::new_v4()),
        person_id: person.map(|id| id.0),
        data: data.to_owned(),
        address: Some("192.0.2.7".to_owned()),
        agent: Some(HOSTILE.to_owned()),
        started_at: at(0),
        seen_at: at(0),
        stepped_up_at: at(0),
        expires_at: at(until),
    }
}

/// An open item of a workflow, with nothing in it that could be left out.
pub(crate) fn an_item_of(workflow: &WorkflowRow, dedupe_key: &str) -> Item {
    Item {
        id: ItemId(Uuid::new_v4()),
        workflow_id: workflow.id,
        workflow_key: workflow.key.clone(),
        step: "create_invoice".to_owned(),
        dedupe_key: dedupe_key.to_owned(),
        team_id: workflow.team_id,
        owner_team_id: None,
        snoozed_until: None,
        escalations: 0,
        respond_by: None,
        owner_person_id: None,
        lane: Lane::DeadLetter,
        state: State::Open,
        resolution: None,
        effect: Effect::None,
        epoch: 0,
        version: 1,
        last_change: "reported".to_owned(),
        business_ref: None,
        correlation_id: None,
        sequence_key: None,
        workflow_version: None,
        failure_class: FailureClass::Timeout,
        message: "No answer within 30 s".to_owned(),
        message_head: "No answer within 30 s".to_owned(),
        detail: None,
        sensitivity: Sensitivity::Internal,
        impact: Impact::Medium,
        customer_impact: None,
        effect_system: None,
        effect_evidence: None,
        record_id: None,
        source_version: None,
        payload_ref: None,
        payload_changed: false,
        steps: Stored(Vec::new()),
        affected: Stored(Vec::new()),
        evidence: Stored(Vec::new()),
        ai: Stored(None),
        proposed_action: Stored(None),
        valid_until: None,
        occurred_at: None,
        received_at: at(0),
        last_report_at: at(0),
        closed_at: None,
        escalated_at: None,
        claimed_at: None,
        worked_until: None,
        due: store::Due::default(),
        look_at: None,
        follow_up_of: None,
    }
}

/// An attempt that the automation has under way.
pub(crate) fn a_try(item: &Item, number: i64) -> Attempt {
    Attempt {
        id: AttemptId(Uuid::new_v4()),
        item_id: item.id,
        number,
        made_by: AttemptBy::Automation,
        by_id: Uuid::from_u128(7),
        by_name: "sync".into(),
        reported_number: None,
        revision: None,
        epoch: 0,
        idempotency_key: None,
        outcome: Outcome::InFlight,
        effect: Effect::Uncertain,
        sent: None,
        status_code: None,
        record_id: None,
        message: None,
        late: false,
        started_at: None,
        finished_at: None,
        received_at: at(0),
        destination: None,
        request: None,
        compensation_id: None,
        part: None,
        made_good: false,
    }
}
