//! Roles that admins put together, and who holds which role.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use domain::{
    ids::PersonId,
    permission::{Permission, Role},
    role::{HeldRole, RoleKey},
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    LOCK_ACCESS = "UPDATE access SET version = version + 1 WHERE one = 1";
    INSERT_ROLE = "INSERT INTO role (key, name, version, created_at) VALUES ($1, $2, 1, $3)";
    UPDATE_ROLE = "UPDATE role SET name = $2, version = version + 1 WHERE key = $1";
    DELETE_ROLE = "DELETE FROM role WHERE key = $1";
    ROLE = "SELECT key, name, version FROM role WHERE key = $1";
    ROLES = "SELECT key, name, version FROM role ORDER BY name, key";
    ALLOW = "INSERT INTO role_permission (role_key, permission) VALUES ($1, $2) ON CONFLICT (role_key, permission) DO NOTHING";
    FORBID_ALL = "DELETE FROM role_permission WHERE role_key = $1";
    ALLOWED = "SELECT role_key, permission FROM role_permission ORDER BY role_key, permission";
    GIVE_ROLE = "INSERT INTO person_role (person_id, role) VALUES ($1, $2) ON CONFLICT (person_id, role) DO NOTHING";
    TAKE_ROLE = "DELETE FROM person_role WHERE person_id = $1 AND role = $2";
    ROLES_OF = "SELECT role FROM person_role WHERE person_id = $1 ORDER BY role";
    HOLDERS = "SELECT person_id, role FROM person_role JOIN person ON person.id = person_role.person_id WHERE deleted_at IS NULL AND role = $1 ORDER BY person_id";
    EVERYBODY = "SELECT person_id, role FROM person_role JOIN person ON person.id = person_role.person_id
        WHERE disabled_at IS NULL AND deleted_at IS NULL
        AND (password_hash IS NOT NULL OR person_id IN (SELECT identity.person_id FROM identity)) ORDER BY person_id, role";
}

/// A role that an admin put together.
#[derive(Debug, Clone)]
pub struct RoleRow {
    /// The role.
    pub role: HeldRole,
    /// Goes up with every change.
    pub version: i64,
}

#[derive(sqlx::FromRow)]
struct Made {
    #[sqlx(try_from = "String")]
    key: RoleKey,
    name: String,
    version: i64,
}

#[derive(sqlx::FromRow)]
struct Allowed {
    #[sqlx(try_from = "String")]
    role_key: RoleKey,
    #[sqlx(try_from = "String")]
    permission: Permission,
}

#[derive(sqlx::FromRow)]
struct Key {
    #[sqlx(try_from = "String")]
    role: RoleKey,
}

#[derive(sqlx::FromRow)]
struct Holder {
    #[sqlx(try_from = "Uuid")]
    person_id: PersonId,
    #[sqlx(try_from = "String")]
    role: RoleKey,
}

impl Uow {
    /// Waits until nobody else changes rights, and holds the others off until the end of the unit of work.
    pub async fn lock_access(&mut self) -> Result<()> {
        execute!(self, LOCK_ACCESS).map(drop)
    }

    /// Adds a role, or sets its name and what it allows.
    pub async fn save_role(&mut self, role: &HeldRole, is_new: bool, now: DateTime<Utc>) -> Result<()> {
        let key = role.key.as_str();
        if is_new {
            execute!(self, INSERT_ROLE, key, &role.name, now)?;
        } else {
            execute!(self, UPDATE_ROLE, key, &role.name)?;
            execute!(self, FORBID_ALL, key)?;
        }
        for permission in &role.permissions {
            execute!(self, ALLOW, key, permission.as_str())?;
        }
        Ok(())
    }

    /// Removes a role that nobody holds.
    pub async fn remove_role(&mut self, key: &RoleKey) -> Result<()> {
        execute!(self, FORBID_ALL, key.as_str())?;
        execute!(self, DELETE_ROLE, key.as_str()).map(drop)
    }

    /// The roles that admins put together, by name.
    pub async fn made_roles(&mut self) -> Result<Vec<RoleRow>> {
        let allowed = fetch_all!(self, Allowed, ALLOWED)?;
        let made = fetch_all!(self, Made, ROLES)?;
        Ok(made.into_iter().map(|made| whole(made, &allowed)).collect())
    }

    /// The role that an admin put together under this key.
    pub async fn made_role(&mut self, key: &RoleKey) -> Result<Option<RoleRow>> {
        let Some(made) = fetch_optional!(self, Made, ROLE, key.as_str())? else { return Ok(None) };
        let allowed = fetch_all!(self, Allowed, ALLOWED)?;
        Ok(Some(whole(made, &allowed)))
    }

    /// Every role there is: the four, then those that admins put together.
    pub async fn all_roles(&mut self) -> Result<Vec<HeldRole>> {
        let made = self.made_roles().await?.into_iter().map(|row| row.role);
        Ok(Role::ALL.iter().copied().map(HeldRole::from).chain(made).collect())
    }

    /// Gives a person a role.
    pub async fn add_role(&mut self, id: PersonId, role: &RoleKey) -> Result<()> {
        execute!(self, GIVE_ROLE, id.0, role.as_str()).map(drop)
    }

    /// Takes a role from a person.
    pub async fn take_role(&mut self, id: PersonId, role: &RoleKey) -> Result<()> {
        execute!(self, TAKE_ROLE, id.0, role.as_str()).map(drop)
    }

    /// The roles a person holds, with what each adds up to now.
    pub async fn roles_of(&mut self, id: PersonId) -> Result<Vec<HeldRole>> {
        let keys = fetch_all!(self, Key, ROLES_OF, id.0)?;
        let made =
            if keys.iter().all(|key| key.role.built_in().is_some()) { Vec::new() } else { self.made_roles().await? };
        let whole = |Key { role }: Key| match role.built_in() {
            Some(built_in) => Some(built_in.into()),
            None => made.iter().find(|row| row.role.key == role).map(|row| row.role.clone()),
        };
        Ok(keys.into_iter().filter_map(whole).collect())
    }

    /// The accounts that hold a role, disabled ones included.
    pub async fn holders_of(&mut self, role: &RoleKey) -> Result<Vec<PersonId>> {
        Ok(fetch_all!(self, Holder, HOLDERS, role.as_str())?.into_iter().map(|holder| holder.person_id).collect())
    }

    /// Everybody who can sign in and holds a permission.
    pub async fn who_may(&mut self, permission: Permission) -> Result<BTreeSet<PersonId>> {
        let carries: BTreeSet<RoleKey> = self
            .all_roles()
            .await?
            .into_iter()
            .filter(|role| role.permissions.contains(&permission))
            .map(|role| role.key)
            .collect();
        let everybody = fetch_all!(self, Holder, EVERYBODY)?;
        Ok(everybody
            .into_iter()
            .filter(|holder| carries.contains(&holder.role))
            .map(|holder| holder.person_id)
            .collect())
    }
}

fn whole(made: Made, allowed: &[Allowed]) -> RoleRow {
    let permissions = allowed.iter().filter(|row| row.role_key == made.key).map(|row| row.permission).collect();
    RoleRow { role: HeldRole { key: made.key, name: made.name, permissions }, version: made.version }
}
