//! One-time links: to become the first admin, to join, to set a password anew.

use chrono::{DateTime, Utc};
use domain::ids::{InviteId, PersonId};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_optional, statements},
};

statements! {
    INSERT_INVITE = "INSERT INTO invite (id, secret_hash, purpose, person_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)";
    USE_INVITE = "UPDATE invite SET used_at = $2, used_by = $3 WHERE secret_hash = $1 AND used_at IS NULL AND expires_at > $2";
    OPEN_INVITE = "SELECT purpose, person_id, expires_at FROM invite WHERE secret_hash = $1 AND used_at IS NULL AND expires_at > $2";
    OPEN_INVITE_OF = "SELECT purpose, person_id, expires_at FROM invite WHERE person_id = $1 AND used_at IS NULL AND expires_at > $2 ORDER BY expires_at DESC LIMIT 1";
    WITHDRAW_FIRST = "UPDATE invite SET expires_at = $1 WHERE purpose = 'first_admin' AND used_at IS NULL AND expires_at > $1";
    WITHDRAW_OF = "UPDATE invite SET expires_at = $2 WHERE person_id = $1 AND used_at IS NULL AND expires_at > $2";
}

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To become the first admin.
    FirstAdmin,
    /// To accept an invitation.
    Join,
    /// To set a password anew.
    Reset,
}

impl Purpose {
    const fn as_str(self) -> &'static str {
        match self {
            Self::FirstAdmin => "first_admin",
            Self::Join => "join",
            Self::Reset => "reset",
        }
    }
}

impl TryFrom<String> for Purpose {
    type Error = domain::UnknownWord;
    fn try_from(found: String) -> Result<Self, Self::Error> {
        let known = [Self::FirstAdmin, Self::Join, Self::Reset].into_iter().find(|purpose| purpose.as_str() == found);
        known.ok_or_else(|| domain::UnknownWord { found, expected: "first_admin, join, reset".into() })
    }
}

/// A link that can be used.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct OpenInvite {
    /// What it is for.
    #[sqlx(try_from = "String")]
    pub purpose: Purpose,
    /// Whose account it is; nobody's for the first admin.
    pub person_id: Option<Uuid>,
    /// Until when.
    pub expires_at: DateTime<Utc>,
}

impl Uow {
    /// Adds a one-time link; earlier ones for the same that were not used end now.
    pub async fn add_invite(
        &mut self,
        id: InviteId,
        secret_hash: &[u8],
        purpose: Purpose,
        person: Option<PersonId>,
        now: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    ) -> Result<()> {
        match person {
            Some(person) => self.withdraw_invites_of(person, now).await?,
            None => drop(execute!(self, WITHDRAW_FIRST, now)?),
        }
        execute!(self, INSERT_INVITE, id.0, secret_hash, purpose.as_str(), person.map(|id| id.0), now, expires_at)
            .map(drop)
    }

    /// A link that can be used.
    pub async fn open_invite(&mut self, secret_hash: &[u8], now: DateTime<Utc>) -> Result<Option<OpenInvite>> {
        fetch_optional!(self, OpenInvite, OPEN_INVITE, secret_hash, now)
    }

    /// The link that waits for a person to use it.
    pub async fn open_invite_of(&mut self, person: PersonId, now: DateTime<Utc>) -> Result<Option<OpenInvite>> {
        fetch_optional!(self, OpenInvite, OPEN_INVITE_OF, person.0, now)
    }

    /// Ends the links of a person that were not used.
    pub async fn withdraw_invites_of(&mut self, person: PersonId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, WITHDRAW_OF, person.0, now).map(drop)
    }

    /// Uses a link up; `false` if somebody else was first, or it is unknown or expired.
    pub async fn use_invite(&mut self, secret_hash: &[u8], now: DateTime<Utc>, by: PersonId) -> Result<bool> {
        Ok(execute!(self, USE_INVITE, secret_hash, now, by.0)? == 1)
    }
}
