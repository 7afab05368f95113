//! Items that follow up others: what still has to be done where less was accepted.

use domain::ids::ItemId;

use crate::{
    ListedItem, Result, Uow,
    sql::{fetch_all, fetch_optional, statements},
};

statements! {
    FOLLOW_UPS = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id
        FROM item JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        WHERE item.follow_up_of = $1 ORDER BY item.received_at, item.id LIMIT 100";
    FOLLOWED_UP = "SELECT item.id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, item.workflow_key, item.step,
        item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name, item.team_id, item.owner_team_id
        FROM item JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id
        WHERE item.id = $1";
}

impl Uow {
    /// The items that follow up an item, the first first, at most 100.
    pub async fn follow_ups(&mut self, of: ItemId) -> Result<Vec<ListedItem>> {
        fetch_all!(self, ListedItem, FOLLOW_UPS, of.0)
    }

    /// The item that another follows up, as lists show it.
    pub async fn followed_up(&mut self, id: ItemId) -> Result<Option<ListedItem>> {
        fetch_optional!(self, ListedItem, FOLLOWED_UP, id.0)
    }
}
