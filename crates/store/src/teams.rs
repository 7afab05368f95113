//! Teams, who belongs to them, and which workflows are theirs.

use chrono::{DateTime, Utc};
use domain::ids::{PersonId, TeamId};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_TEAM = "INSERT INTO team (id, key, name, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (key) DO NOTHING";
    RENAME_TEAM = "UPDATE team SET name = $2 WHERE id = $1";
    TEAM_BY_KEY = "SELECT id, key, name FROM team WHERE key = $1";
    TEAMS = "SELECT id, key, name FROM team ORDER BY key";
    TEAM_SIZES = "SELECT team.id, key, name,
        (SELECT COUNT(*) FROM person_team JOIN person ON person.id = person_team.person_id WHERE person_team.team_id = team.id AND disabled_at IS NULL AND deleted_at IS NULL) AS members,
        (SELECT COUNT(*) FROM workflow WHERE workflow.team_id = team.id) AS workflows
        FROM team ORDER BY key";
    INSERT_MEMBERSHIP = "INSERT INTO person_team (person_id, team_id) VALUES ($1, $2) ON CONFLICT (person_id, team_id) DO NOTHING";
    DELETE_MEMBERSHIP = "DELETE FROM person_team WHERE person_id = $1 AND team_id = $2";
    TEAMS_OF = "SELECT team.id, team.key, team.name FROM team JOIN person_team ON person_team.team_id = team.id WHERE person_team.person_id = $1 ORDER BY team.key";
    WORKFLOWS_OF_TEAM = "SELECT key FROM workflow WHERE team_id = $1 ORDER BY key";
}

/// A team.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct TeamRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: TeamId,
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
}

/// A team and how much belongs to it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct TeamSize {
    /// The team.
    #[sqlx(flatten)]
    pub team: TeamRow,
    /// People who are neither disabled nor deleted.
    pub members: i64,
    /// Workflows.
    pub workflows: i64,
}

impl Uow {
    /// Adds a team; `false` if one with this key exists.
    pub async fn add_team(&mut self, team: &TeamRow, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, INSERT_TEAM, team.id.0, &team.key, &team.name, now)? == 1)
    }

    /// Gives a team another name. Its key stays.
    pub async fn rename_team(&mut self, id: TeamId, name: &str) -> Result<()> {
        execute!(self, RENAME_TEAM, id.0, name).map(drop)
    }

    /// The team with this key.
    pub async fn team_by_key(&mut self, key: &str) -> Result<Option<TeamRow>> {
        fetch_optional!(self, TeamRow, TEAM_BY_KEY, key)
    }

    /// Every team, by key.
    pub async fn teams(&mut self) -> Result<Vec<TeamRow>> {
        fetch_all!(self, TeamRow, TEAMS)
    }

    /// Every team and how much belongs to it, by key.
    pub async fn team_sizes(&mut self) -> Result<Vec<TeamSize>> {
        fetch_all!(self, TeamSize, TEAM_SIZES)
    }

    /// The keys of a team's workflows.
    pub async fn workflows_of_team(&mut self, id: TeamId) -> Result<Vec<String>> {
        Ok(fetch_all!(self, (String,), WORKFLOWS_OF_TEAM, id.0)?.into_iter().map(|(key,)| key).collect())
    }

    /// Makes a person a member of a team.
    pub async fn join_team(&mut self, id: PersonId, team: TeamId) -> Result<()> {
        execute!(self, INSERT_MEMBERSHIP, id.0, team.0).map(drop)
    }

    /// Ends a person's membership of a team.
    pub async fn leave_team(&mut self, id: PersonId, team: TeamId) -> Result<()> {
        execute!(self, DELETE_MEMBERSHIP, id.0, team.0).map(drop)
    }

    /// The teams a person belongs to.
    pub async fn teams_of(&mut self, id: PersonId) -> Result<Vec<TeamRow>> {
        fetch_all!(self, TeamRow, TEAMS_OF, id.0)
    }
}
