//! How a team stands, for whoever comes next: what is due, in doubt, with nobody, on its way, put aside, and who has how much,
//! of what it answers for; what its people work; and what of its workflows is with another team. At most 5,000 open items are
//! looked at for each, those first that are due first.

use chrono::{DateTime, Utc};
use domain::ids::{PersonId, TeamId};
use uuid::Uuid;

use crate::{
    ListedItem, Result, Uow,
    sql::{fetch_all, statements},
};

/// How many open items each statement here looks at.
pub const LOOKS_AT: i64 = 5_000;

statements! {
    DUE = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id, worker.name AS worker_name
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        LEFT JOIN claim ON claim.item_id = item.id AND claim.until > $2 LEFT JOIN person AS worker ON worker.id = claim.person_id
        WHERE TRUE ORDER BY item.due_at, item.id LIMIT 26";
    IN_DOUBT = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id, worker.name AS worker_name
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        LEFT JOIN claim ON claim.item_id = item.id AND claim.until > $2 LEFT JOIN person AS worker ON worker.id = claim.person_id
        WHERE item.effect = 'uncertain' ORDER BY item.due_at, item.id LIMIT 26";
    WITH_NOBODY = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id, worker.name AS worker_name
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        LEFT JOIN claim ON claim.item_id = item.id AND claim.until > $2 LEFT JOIN person AS worker ON worker.id = claim.person_id
        WHERE (item.owner_person_id IS NULL OR person.disabled_at IS NOT NULL) AND claim.item_id IS NULL ORDER BY item.due_at, item.id LIMIT 26";
    ON_ITS_WAY = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id, worker.name AS worker_name
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        LEFT JOIN claim ON claim.item_id = item.id AND claim.until > $2 LEFT JOIN person AS worker ON worker.id = claim.person_id
        WHERE item.state IN ('replaying', 'awaiting_outcome', 'awaiting_approval', 'compensating') ORDER BY item.due_at, item.id LIMIT 26";
    ASIDE = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id, worker.name AS worker_name
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        LEFT JOIN claim ON claim.item_id = item.id AND claim.until > $2 LEFT JOIN person AS worker ON worker.id = claim.person_id
        WHERE item.state = 'snoozed' ORDER BY item.due_at, item.id LIMIT 26";
    CLAIMED = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id, worker.name AS worker_name
        FROM (SELECT held.item_id AS seen_id FROM person_team JOIN claim AS held ON held.person_id = person_team.person_id AND held.until > $2 WHERE person_team.team_id = $1 ORDER BY held.until DESC, held.item_id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        LEFT JOIN claim ON claim.item_id = item.id AND claim.until > $2 LEFT JOIN person AS worker ON worker.id = claim.person_id
        WHERE item.state <> 'closed' AND ($3 OR item.team_id IN (SELECT team_id FROM person_team WHERE person_id = $4) OR item.owner_team_id IN (SELECT team_id FROM person_team WHERE person_id = $4)) ORDER BY item.due_at, item.id LIMIT 26";
    ELSEWHERE = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id, worker.name AS worker_name
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND team_id = $1 AND owner_team_id <> $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        LEFT JOIN claim ON claim.item_id = item.id AND claim.until > $2 LEFT JOIN person AS worker ON worker.id = claim.person_id
        WHERE TRUE ORDER BY item.due_at, item.id LIMIT 26";
    LOAD = "SELECT person.name AS name, COUNT(*) AS open, SUM(CASE WHEN item.due_at <= $2 THEN 1 ELSE 0 END) AS overdue
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id LEFT JOIN claim ON claim.item_id = item.id AND claim.until > $2
        LEFT JOIN person ON person.id = COALESCE(item.owner_person_id, claim.person_id)
        GROUP BY person.id, person.name ORDER BY open DESC, person.name";
}

/// Which of a team's items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All that it answers for, what is due next first.
    Due,
    /// Those whose effect is uncertain.
    InDoubt,
    /// Those that nobody answers for and nobody works.
    WithNobody,
    /// Those that wait for something that is under way.
    OnItsWay,
    /// Those that are snoozed.
    Aside,
    /// What its people have claimed, whichever team answers for it.
    Claimed,
    /// Those of its workflows that another team answers for.
    Elsewhere,
}

/// An item as the page of a team shows it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ShiftItem {
    /// The item.
    #[sqlx(flatten)]
    pub item: ListedItem,
    /// Who works it now.
    pub worker_name: Option<String>,
}

/// How much somebody has.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Load {
    /// Who; nobody for what nobody answers for.
    pub name: Option<String>,
    /// Open items.
    pub open: i64,
    /// How many of them are overdue.
    pub overdue: i64,
}

impl Uow {
    /// A part of a team's open items, what is due next first; at most 26. Of what its people have claimed only that which
    /// `bound_to` sees; the rest is seen by whoever sees the team.
    pub async fn shift(
        &mut self,
        team: TeamId,
        part: Part,
        bound_to: Option<PersonId>,
        now: DateTime<Utc>,
    ) -> Result<Vec<ShiftItem>> {
        let (all, person) = (bound_to.is_none(), bound_to.map_or(Uuid::nil(), |person| person.0));
        match part {
            Part::Due => fetch_all!(self, ShiftItem, DUE, team.0, now),
            Part::InDoubt => fetch_all!(self, ShiftItem, IN_DOUBT, team.0, now),
            Part::WithNobody => fetch_all!(self, ShiftItem, WITH_NOBODY, team.0, now),
            Part::OnItsWay => fetch_all!(self, ShiftItem, ON_ITS_WAY, team.0, now),
            Part::Aside => fetch_all!(self, ShiftItem, ASIDE, team.0, now),
            Part::Claimed => fetch_all!(self, ShiftItem, CLAIMED, team.0, now, all, person),
            Part::Elsewhere => fetch_all!(self, ShiftItem, ELSEWHERE, team.0, now),
        }
    }

    /// Who has how much of the open items that a team answers for.
    pub async fn load(&mut self, team: TeamId, now: DateTime<Utc>) -> Result<Vec<Load>> {
        fetch_all!(self, Load, LOAD, team.0, now)
    }
}
