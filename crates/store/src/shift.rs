//! How a team stands, for whoever comes next: what is due, in doubt, with nobody, on its way, put aside, and who has how much.
//! At most 5,000 of its open items are looked at, those first that are due first.

use chrono::{DateTime, Utc};
use domain::ids::TeamId;

use crate::{
    ListedItem, Result, Uow,
    sql::{fetch_all, statements},
};

statements! {
    DUE = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        WHERE TRUE ORDER BY item.due_at, item.id LIMIT 26";
    IN_DOUBT = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        WHERE item.effect = 'uncertain' ORDER BY item.due_at, item.id LIMIT 26";
    WITH_NOBODY = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        WHERE (item.owner_person_id IS NULL OR person.disabled_at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM claim WHERE claim.item_id = item.id AND claim.until > $2) ORDER BY item.due_at, item.id LIMIT 26";
    ON_ITS_WAY = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        WHERE item.state IN ('replaying', 'awaiting_outcome', 'awaiting_approval', 'compensating') ORDER BY item.due_at, item.id LIMIT 26";
    ASIDE = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        WHERE item.state = 'snoozed' ORDER BY item.due_at, item.id LIMIT 26";
    LOAD = "SELECT person.name AS name, COUNT(*) AS open, SUM(CASE WHEN item.due_at <= $2 THEN 1 ELSE 0 END) AS overdue
        FROM (SELECT id AS seen_id FROM item WHERE state <> 'closed' AND COALESCE(owner_team_id, team_id) = $1 ORDER BY due_at, id LIMIT 5000) AS seen
        JOIN item ON item.id = seen.seen_id LEFT JOIN claim ON claim.item_id = item.id AND claim.until > $2
        LEFT JOIN person ON person.id = COALESCE(item.owner_person_id, claim.person_id)
        GROUP BY person.id, person.name ORDER BY open DESC, person.name";
}

/// Which of a team's items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All, what is due next first.
    Due,
    /// Those whose effect is uncertain.
    InDoubt,
    /// Those that nobody answers for and nobody works.
    WithNobody,
    /// Those that wait for something that is under way.
    OnItsWay,
    /// Those that are snoozed.
    Aside,
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
    /// A part of a team's open items, what is due next first; at most 26.
    pub async fn shift(&mut self, team: TeamId, part: Part, now: DateTime<Utc>) -> Result<Vec<ListedItem>> {
        match part {
            Part::Due => fetch_all!(self, ListedItem, DUE, team.0),
            Part::InDoubt => fetch_all!(self, ListedItem, IN_DOUBT, team.0),
            Part::WithNobody => fetch_all!(self, ListedItem, WITH_NOBODY, team.0, now),
            Part::OnItsWay => fetch_all!(self, ListedItem, ON_ITS_WAY, team.0),
            Part::Aside => fetch_all!(self, ListedItem, ASIDE, team.0),
        }
    }

    /// Who has how much of a team's open items.
    pub async fn load(&mut self, team: TeamId, now: DateTime<Utc>) -> Result<Vec<Load>> {
        fetch_all!(self, Load, LOAD, team.0, now)
    }
}
