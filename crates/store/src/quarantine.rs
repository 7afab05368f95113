//! Reports that were refused, kept whole (R17).

use chrono::{DateTime, Utc};
use domain::{
    digest::Sha256,
    ids::{ItemId, PayloadId, QuarantineId, TeamId, TokenId},
    refusal::FieldProblem,
    sensitivity::Sensitivity,
};
use uuid::Uuid;

use crate::{
    Result, Stored, Uow,
    column::json,
    sql::{execute, fetch_all, fetch_one, fetch_optional, statements},
};

statements! {
    INSERT_QUARANTINE = "INSERT INTO quarantine (id, team_id, workflow_key, token_id, token_name, payload_id, content_type, item_header, door, target_item, code, reason, problems, state, received_at, sensitivity, sameness)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'open', $14, $15, $16)";
    REPEAT_QUARANTINED = "UPDATE quarantine SET repeats = repeats + 1, last_at = $2 WHERE sameness = $1 AND state = 'open' RETURNING id, repeats";
    QUARANTINED = "SELECT quarantine.*, team.name AS team_name FROM quarantine JOIN team ON team.id = quarantine.team_id WHERE quarantine.id = $1";
    TAKE_QUARANTINED = "UPDATE quarantine SET state = $2, item_id = $3, corrected_id = $4, decided_by = $5, decided_at = $6, note = $7 WHERE id = $1 AND state = 'open'";
    QUARANTINE_OPEN = "SELECT quarantine.*, team.name AS team_name FROM quarantine JOIN team ON team.id = quarantine.team_id
        WHERE state = 'open' AND (received_at, quarantine.id) < ($1, $2) AND ($3 OR team_id IN (SELECT team_id FROM person_team WHERE person_id = $4))
        ORDER BY received_at DESC, quarantine.id DESC LIMIT $5";
    QUARANTINE_DONE = "SELECT quarantine.*, team.name AS team_name FROM quarantine JOIN team ON team.id = quarantine.team_id
        WHERE state <> 'open' AND (received_at, quarantine.id) < ($1, $2) AND ($3 OR team_id IN (SELECT team_id FROM person_team WHERE person_id = $4))
        ORDER BY received_at DESC, quarantine.id DESC LIMIT $5";
    COUNT_QUARANTINE = "SELECT COUNT(*) FROM (SELECT 1 FROM quarantine WHERE state = 'open' AND ($1 OR team_id IN (SELECT team_id FROM person_team WHERE person_id = $2)) LIMIT 10001) AS bounded";
}

/// Where a report in quarantine stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuarantineState {
    /// Waiting for a person.
    Open,
    /// It became an item.
    Accepted,
    /// It was closed without one.
    Closed,
}

impl QuarantineState {
    /// The word in the database, in URLs and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted => "accepted",
            Self::Closed => "closed",
        }
    }
}

impl TryFrom<String> for QuarantineState {
    type Error = domain::UnknownWord;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "open" => Ok(Self::Open),
            "accepted" => Ok(Self::Accepted),
            "closed" => Ok(Self::Closed),
            _ => Err(domain::UnknownWord { found: text, expected: "open, accepted, closed".into() }),
        }
    }
}

/// A report in quarantine.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Quarantined {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: QuarantineId,
    /// The team it is shown to.
    #[sqlx(try_from = "Uuid")]
    pub team_id: TeamId,
    /// That team's name.
    pub team_name: String,
    /// The workflow it named, as far as it could be read.
    pub workflow_key: Option<String>,
    /// The token it came with.
    #[sqlx(try_from = "Uuid")]
    pub token_id: TokenId,
    /// That token's name then.
    pub token_name: String,
    /// Where its bytes are.
    #[sqlx(try_from = "Uuid")]
    pub payload_id: PayloadId,
    /// As declared.
    pub content_type: String,
    /// The `Recourse-Item` header, where there was one.
    pub item_header: Option<String>,
    /// `report`, `attempt` or `amend`.
    pub door: String,
    /// The item an attempt or a change was sent for.
    pub target_item: Option<Uuid>,
    /// The refusal's code.
    pub code: String,
    /// The refusal's sentence.
    pub reason: String,
    /// The fields that were wrong.
    #[sqlx(try_from = "String")]
    pub problems: Stored<Vec<FieldProblem>>,
    /// Where it stands.
    #[sqlx(try_from = "String")]
    pub state: QuarantineState,
    /// The item it became.
    pub item_id: Option<Uuid>,
    /// What was accepted in its place.
    pub corrected_id: Option<Uuid>,
    /// Who dealt with it.
    pub decided_by: Option<String>,
    /// When.
    pub decided_at: Option<DateTime<Utc>>,
    /// Why it was closed, or how it was corrected.
    pub note: Option<String>,
    /// When it came.
    pub received_at: DateTime<Utc>,
    /// How often the same came again and was refused in the same way.
    pub repeats: i64,
    /// When it did last.
    pub last_at: Option<DateTime<Utc>>,
    /// How sensitive it is, as far as could be told from it.
    #[sqlx(try_from = "String")]
    pub sensitivity: Sensitivity,
}

/// A report to keep.
#[derive(Debug)]
pub struct NewQuarantine<'a> {
    /// Its id.
    pub id: QuarantineId,
    /// The team to show it to.
    pub team_id: TeamId,
    /// The workflow it named.
    pub workflow_key: Option<&'a str>,
    /// The token it came with.
    pub token: (TokenId, &'a str),
    /// Where its bytes are.
    pub payload_id: PayloadId,
    /// As declared.
    pub content_type: &'a str,
    /// The `Recourse-Item` header.
    pub item_header: Option<&'a str>,
    /// `report`, `attempt` or `amend`.
    pub door: &'static str,
    /// The item an attempt or a change was sent for.
    pub target_item: Option<ItemId>,
    /// The refusal's code.
    pub code: &'a str,
    /// The refusal's sentence.
    pub reason: &'a str,
    /// The fields that were wrong.
    pub problems: &'a [FieldProblem],
    /// How sensitive it is.
    pub sensitivity: Sensitivity,
    /// Digest of what makes it the same again; one of each waits at most.
    pub sameness: Sha256,
}

/// What a person decided about a report in quarantine.
#[derive(Debug)]
pub struct Decision<'a> {
    /// Accepted or closed.
    pub state: QuarantineState,
    /// The item it became.
    pub item: Option<ItemId>,
    /// What was accepted in its place.
    pub corrected: Option<PayloadId>,
    /// Who.
    pub by: &'a str,
    /// Why.
    pub note: &'a str,
}

impl Uow {
    /// Counts a report on the same one that waits; answers which it is and how often it came again. `None`: none waits.
    pub async fn repeat_quarantined(
        &mut self,
        sameness: Sha256,
        now: DateTime<Utc>,
    ) -> Result<Option<(QuarantineId, i64)>> {
        let found = fetch_optional!(self, (Uuid, i64), REPEAT_QUARANTINED, &sameness.0[..], now)?;
        Ok(found.map(|(id, repeats)| (QuarantineId(id), repeats)))
    }

    /// Keeps a report that was refused. [`crate::Error::Duplicate`] if the same one waits already: the whole unit of work
    /// is to be given up then.
    pub async fn add_quarantine(&mut self, new: &NewQuarantine<'_>, now: DateTime<Utc>) -> Result<()> {
        execute!(
            self,
            INSERT_QUARANTINE,
            new.id.0,
            new.team_id.0,
            new.workflow_key,
            new.token.0.0,
            new.token.1,
            new.payload_id.0,
            new.content_type,
            new.item_header,
            new.door,
            new.target_item.map(|i| i.0),
            new.code,
            new.reason,
            json(&new.problems)?,
            now,
            new.sensitivity.as_str(),
            &new.sameness.0[..]
        )
        .map(drop)
    }

    /// A report in quarantine.
    pub async fn quarantined(&mut self, id: QuarantineId) -> Result<Option<Quarantined>> {
        fetch_optional!(self, Quarantined, QUARANTINED, id.0)
    }

    /// Decides about a report in quarantine; `false` if somebody else did. One atomic step.
    pub async fn decide_quarantined(
        &mut self,
        id: QuarantineId,
        decision: &Decision<'_>,
        now: DateTime<Utc>,
    ) -> Result<bool> {
        let (item, corrected) = (decision.item.map(|i| i.0), decision.corrected.map(|p| p.0));
        Ok(execute!(
            self,
            TAKE_QUARANTINED,
            id.0,
            decision.state.as_str(),
            item,
            corrected,
            decision.by,
            now,
            decision.note
        )? == 1)
    }

    /// One page of quarantine before `(received_at, id)`, newest first, within the teams of `bound_to` or all.
    pub async fn quarantine_page(
        &mut self,
        open: bool,
        before: (DateTime<Utc>, Uuid),
        bound_to: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<Quarantined>> {
        let (all, person) = (bound_to.is_none(), bound_to.unwrap_or_default());
        if open {
            fetch_all!(self, Quarantined, QUARANTINE_OPEN, before.0, before.1, all, person, limit)
        } else {
            fetch_all!(self, Quarantined, QUARANTINE_DONE, before.0, before.1, all, person, limit)
        }
    }

    /// How many wait in quarantine, counted up to 10,001.
    pub async fn count_quarantine(&mut self, bound_to: Option<Uuid>) -> Result<i64> {
        let (all, person) = (bound_to.is_none(), bound_to.unwrap_or_default());
        fetch_one!(self, (i64,), COUNT_QUARANTINE, all, person).map(|(count,)| count)
    }
}
