//! Rights that wait for a second admin.

use chrono::{DateTime, Utc};
use domain::{
    ids::{GrantId, PersonId},
    role::RoleKey,
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_GRANT = "INSERT INTO right_grant (id, person_id, role_key, permission, asked_by, asked_by_name, asked_at, due_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    LOCK_GRANT = "SELECT id, person_id, role_key, permission, asked_by, asked_by_name, asked_at, due_at, confirmed_by, confirmed_by_name, confirmed_at, ended_how, ended_by_name, ended_at FROM right_grant WHERE id = $1" locked;
    OPEN_GRANTS = "SELECT id, person_id, role_key, permission, asked_by, asked_by_name, asked_at, due_at, confirmed_by, confirmed_by_name, confirmed_at, ended_how, ended_by_name, ended_at FROM right_grant WHERE ended_at IS NULL ORDER BY asked_at, id LIMIT 500";
    ENDED_GRANTS = "SELECT id, person_id, role_key, permission, asked_by, asked_by_name, asked_at, due_at, confirmed_by, confirmed_by_name, confirmed_at, ended_how, ended_by_name, ended_at FROM right_grant WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, id LIMIT 50";
    CONFIRM_GRANT = "UPDATE right_grant SET confirmed_by = $2, confirmed_by_name = $3, confirmed_at = $4 WHERE id = $1 AND ended_at IS NULL AND confirmed_at IS NULL";
    END_GRANT = "UPDATE right_grant SET ended_how = $2, ended_by_name = $3, ended_at = $4 WHERE id = $1 AND ended_at IS NULL";
}

/// A right that waits, or how it ended.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct GrantRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: GrantId,
    /// Who would hold the role; `None` where everybody who holds it would gain a permission.
    pub person_id: Option<Uuid>,
    /// The role.
    #[sqlx(try_from = "String")]
    pub role_key: RoleKey,
    /// The permission the role would carry.
    pub permission: Option<String>,
    /// Who asked.
    pub asked_by: Option<Uuid>,
    /// As named then.
    pub asked_by_name: String,
    /// When.
    pub asked_at: DateTime<Utc>,
    /// Not before this.
    pub due_at: DateTime<Utc>,
    /// The second admin.
    pub confirmed_by: Option<Uuid>,
    /// As named then.
    pub confirmed_by_name: Option<String>,
    /// When they confirmed it.
    pub confirmed_at: Option<DateTime<Utc>>,
    /// `given`, `refused` or `lapsed`.
    pub ended_how: Option<String>,
    /// Who ended it.
    pub ended_by_name: Option<String>,
    /// When.
    pub ended_at: Option<DateTime<Utc>>,
}

impl Uow {
    /// Lets a right wait.
    pub async fn add_grant(&mut self, row: &GrantRow) -> Result<()> {
        execute!(
            self,
            INSERT_GRANT,
            row.id.0,
            row.person_id,
            row.role_key.as_str(),
            &row.permission,
            row.asked_by,
            &row.asked_by_name,
            row.asked_at,
            row.due_at
        )
        .map(drop)
    }

    /// One of them, held until the end of the unit of work.
    pub async fn lock_grant(&mut self, id: GrantId) -> Result<Option<GrantRow>> {
        fetch_optional!(self, GrantRow, LOCK_GRANT, id.0)
    }

    /// What waits, the oldest first.
    pub async fn open_grants(&mut self) -> Result<Vec<GrantRow>> {
        fetch_all!(self, GrantRow, OPEN_GRANTS)
    }

    /// The last 50 that ended.
    pub async fn ended_grants(&mut self) -> Result<Vec<GrantRow>> {
        fetch_all!(self, GrantRow, ENDED_GRANTS)
    }

    /// Confirms one; `false` if it was confirmed or has ended.
    pub async fn confirm_grant(&mut self, id: GrantId, by: PersonId, name: &str, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, CONFIRM_GRANT, id.0, by.0, name, now)? == 1)
    }

    /// Ends one: `given`, `refused` or `lapsed`; `false` if it has ended.
    pub async fn end_grant(&mut self, id: GrantId, how: &str, by: &str, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, END_GRANT, id.0, how, by, now)? == 1)
    }
}
