//! API tokens, under a hash of their secret.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use domain::{
    ids::{PersonId, TokenId},
    permission::Permission,
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_TOKEN = "INSERT INTO token (id, kind, name, secret_hash, any_workflow, created_at, person_id, expires_at, made_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    BIND_TOKEN = "INSERT INTO token_workflow (token_id, workflow_key) VALUES ($1, $2) ON CONFLICT (token_id, workflow_key) DO NOTHING";
    TOKEN_BY_HASH = "SELECT id, kind, name, any_workflow, person_id, created_at, made_by, expires_at, last_used_at, revoked_at FROM token WHERE secret_hash = $1";
    TOKEN_BY_ID = "SELECT id, kind, name, any_workflow, person_id, created_at, made_by, expires_at, last_used_at, revoked_at FROM token WHERE id = $1";
    TOKENS = "SELECT id, kind, name, any_workflow, person_id, created_at, made_by, expires_at, last_used_at, revoked_at FROM token WHERE (created_at, id) < ($1, $2) ORDER BY created_at DESC, id DESC LIMIT $3";
    TOKENS_OF = "SELECT id, kind, name, any_workflow, person_id, created_at, made_by, expires_at, last_used_at, revoked_at FROM token WHERE person_id = $1 ORDER BY created_at DESC, id DESC LIMIT 200";
    REVOKE_TOKEN = "UPDATE token SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
    REVOKE_TOKENS_OF = "UPDATE token SET revoked_at = $2 WHERE person_id = $1 AND revoked_at IS NULL";
    WORKFLOWS_OF_TOKEN = "SELECT workflow_key FROM token_workflow WHERE token_id = $1";
    LIMIT_TOKEN = "INSERT INTO token_scope (token_id, permission) VALUES ($1, $2) ON CONFLICT (token_id, permission) DO NOTHING";
    SCOPES_OF_TOKEN = "SELECT permission FROM token_scope WHERE token_id = $1";
    TOUCH_TOKEN = "UPDATE token SET last_used_at = $2 WHERE id = $1";
}

/// What a token speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// An automation.
    Automation,
    /// A person.
    Personal,
}

impl TokenKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Automation => "automation",
            Self::Personal => "personal",
        }
    }
}

impl TryFrom<String> for TokenKind {
    type Error = domain::UnknownWord;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "automation" => Ok(Self::Automation),
            "personal" => Ok(Self::Personal),
            _ => Err(domain::UnknownWord { found: text, expected: "automation, personal".into() }),
        }
    }
}

/// A token.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct TokenRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: TokenId,
    /// What it speaks for.
    #[sqlx(try_from = "String")]
    pub kind: TokenKind,
    /// Its name.
    pub name: String,
    /// Not bound to workflows.
    pub any_workflow: bool,
    /// The person a personal token speaks for.
    pub person_id: Option<Uuid>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// By whom, as named then.
    pub made_by: Option<String>,
    /// When it ends by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// A token to add.
#[derive(Debug)]
pub struct NewToken<'a> {
    /// Its id.
    pub id: TokenId,
    /// What it speaks for.
    pub kind: TokenKind,
    /// Its name.
    pub name: &'a str,
    /// SHA-256 of its secret.
    pub secret_hash: &'a [u8],
    /// The workflows it is bound to; `None` means any.
    pub workflows: Option<&'a [String]>,
    /// The person a personal token speaks for.
    pub person: Option<PersonId>,
    /// What a personal token is limited to; empty means everything but what is reserved.
    pub scopes: &'a [Permission],
    /// When it ends by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// Who makes it.
    pub made_by: &'a str,
}

#[derive(sqlx::FromRow)]
struct ScopeRow {
    #[sqlx(try_from = "String")]
    permission: Permission,
}

impl Uow {
    /// Adds a token.
    pub async fn add_token(&mut self, token: &NewToken<'_>, now: DateTime<Utc>) -> Result<()> {
        execute!(
            self,
            INSERT_TOKEN,
            token.id.0,
            token.kind.as_str(),
            token.name,
            token.secret_hash,
            token.workflows.is_none(),
            now,
            token.person.map(|person| person.0),
            token.expires_at,
            token.made_by
        )?;
        for scope in token.scopes {
            execute!(self, LIMIT_TOKEN, token.id.0, scope.as_str())?;
        }
        for workflow in token.workflows.unwrap_or_default() {
            execute!(self, BIND_TOKEN, token.id.0, workflow)?;
        }
        Ok(())
    }

    /// The token whose secret has this hash, revoked and expired ones included.
    pub async fn token_by_hash(&mut self, secret_hash: &[u8]) -> Result<Option<TokenRow>> {
        fetch_optional!(self, TokenRow, TOKEN_BY_HASH, secret_hash)
    }

    /// The token with this id, revoked and expired ones included.
    pub async fn token_by_id(&mut self, id: TokenId) -> Result<Option<TokenRow>> {
        fetch_optional!(self, TokenRow, TOKEN_BY_ID, id.0)
    }

    /// A page of the tokens, newest first, ended ones included.
    pub async fn tokens(&mut self, before: Option<(DateTime<Utc>, Uuid)>, limit: i64) -> Result<Vec<TokenRow>> {
        let far = DateTime::<Utc>::from_timestamp(253_402_300_799, 0).unwrap_or_default();
        let (at, id) = before.unwrap_or((far, Uuid::max()));
        fetch_all!(self, TokenRow, TOKENS, at, id, limit)
    }

    /// A person's own tokens, newest first, ended ones included; 200 at most.
    pub async fn tokens_of(&mut self, person: PersonId) -> Result<Vec<TokenRow>> {
        fetch_all!(self, TokenRow, TOKENS_OF, person.0)
    }

    /// Revokes a token; `false` if it was revoked already.
    pub async fn revoke_token(&mut self, id: TokenId, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, REVOKE_TOKEN, id.0, now)? == 1)
    }

    /// Revokes every token that acts as a person; answers how many.
    pub async fn revoke_tokens_of(&mut self, person: PersonId, now: DateTime<Utc>) -> Result<u64> {
        execute!(self, REVOKE_TOKENS_OF, person.0, now)
    }

    /// The keys of the workflows a token is bound to.
    pub async fn workflows_of_token(&mut self, id: TokenId) -> Result<BTreeSet<String>> {
        Ok(fetch_all!(self, (String,), WORKFLOWS_OF_TOKEN, id.0)?.into_iter().map(|(key,)| key).collect())
    }

    /// What a personal token is limited to.
    pub async fn scopes_of_token(&mut self, id: TokenId) -> Result<BTreeSet<Permission>> {
        Ok(fetch_all!(self, ScopeRow, SCOPES_OF_TOKEN, id.0)?.into_iter().map(|row| row.permission).collect())
    }

    /// Notes that a token was used.
    pub async fn touch_token(&mut self, id: TokenId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, TOUCH_TOKEN, id.0, now).map(drop)
    }
}
