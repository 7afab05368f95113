//! Making tokens: for an automation, or for a person's scripts.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    audit::AuditKind,
    ids::TokenId,
    notice::NoticeKind,
    permission::{Permission, RESERVED},
    refusal::Refusal,
};
use store::{NewToken, PersonRow, TokenKind};

use crate::{
    Result,
    action::{Act, Action, Gate},
    new_id, secret,
};

/// How long a token lasts that carries something reserved.
const RESERVED_LASTS: TimeDelta = TimeDelta::days(30);
/// How long a token may last at most.
const LASTS: TimeDelta = TimeDelta::days(3_650);

/// Makes a token with which a person's scripts act as that person, with their permissions as they are then: at the command
/// line, for anybody.
#[derive(Debug)]
pub struct CreatePersonalToken {
    /// Their address.
    pub email: String,
    /// What it is limited to; empty means everything they may but what is reserved.
    pub scopes: Vec<Permission>,
}

impl Action for CreatePersonalToken {
    const NAME: &'static str = "create_personal_token";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::TokenCreated;
    type Output = String;

    async fn perform(self, act: &mut Act<'_>) -> Result<String> {
        let row = act.uow.person_by_email(self.email.trim()).await?.filter(|row| row.disabled_at.is_none());
        let row = row.ok_or_else(|| Refusal::field("/person", "Nobody who can sign in has this address."))?;
        act.tell(row.id, NoticeKind::TokenMade, &row.name, None).await?;
        let id = new_id(act.now);
        personal(act, id, &row, &row.name, &self.scopes, None).await
    }
}

/// Makes a token that acts as oneself.
#[derive(Debug)]
pub struct CreateOwnToken {
    /// The token's id, which the form brings: sent twice, it makes one token.
    pub id: TokenId,
    /// Its name.
    pub name: String,
    /// What it is limited to; empty means everything one may but what is reserved.
    pub scopes: Vec<Permission>,
    /// When it ends; `None` where nothing reserved is in it and it is to last.
    pub days: Option<i64>,
}

impl Action for CreateOwnToken {
    const NAME: &'static str = "create_own_token";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::TokenCreated;
    const STEP_UP: bool = true;
    type Output = String;

    async fn perform(self, act: &mut Act<'_>) -> Result<String> {
        let own = act.person()?.clone();
        let name = checked_name(&self.name)?;
        if let Some(scope) = self.scopes.iter().find(|scope| !own.holds(**scope)) {
            return Err(Refusal::field("/scopes", format!("You don't hold `{scope}` yourself.")).into());
        }
        let expires_at = ends(act.now, self.days)?;
        made_once(act, self.id).await?;
        let row = act.uow.person_by_id(own.id).await?.ok_or(Refusal::NotSignedIn)?;
        personal(act, self.id, &row, name, &self.scopes, expires_at).await
    }
}

async fn personal(
    act: &mut Act<'_>,
    id: TokenId,
    row: &PersonRow,
    name: &str,
    scopes: &[Permission],
    expires_at: Option<DateTime<Utc>>,
) -> Result<String> {
    let (secret, hash) = secret::random("rcp_");
    let reserved = scopes.iter().any(|scope| RESERVED.contains(scope));
    let latest = reserved.then(|| act.now + RESERVED_LASTS);
    let token = NewToken {
        id,
        kind: TokenKind::Personal,
        name,
        secret_hash: &hash,
        workflows: None,
        person: Some(row.id),
        scopes,
        expires_at: expires_at.into_iter().chain(latest).min(),
        made_by: act.caller.name(),
    };
    add(act, &token).await?;
    let scopes: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    act.entry().detail("token", id.to_string()).detail("person", row.id.to_string()).detail("scopes", scopes);
    act.entry().detail("name", name);
    Ok(secret)
}

/// Makes a token for an automation. Only its hash is kept; the answer is the only time it is seen.
#[derive(Debug)]
pub struct CreateToken {
    /// The token's id, where a form brings it: sent twice, it makes one token.
    pub id: Option<TokenId>,
    /// Its name, for people.
    pub name: String,
    /// The workflows it is bound to, registered or not; `None` means any.
    pub workflows: Option<Vec<String>>,
    /// In how many days it ends; `None` lasts.
    pub days: Option<i64>,
}

impl CreateToken {
    /// A token that lasts, for these workflows or any.
    #[must_use]
    pub fn lasting(name: &str, workflows: Option<Vec<String>>) -> Self {
        Self { id: None, name: name.to_owned(), workflows, days: None }
    }
}

impl Action for CreateToken {
    const NAME: &'static str = "create_token";
    const GATE: Gate = Gate::Permission(Permission::TokensManage);
    const AUDIT: AuditKind = AuditKind::TokenCreated;
    const STEP_UP: bool = true;
    type Output = String;

    async fn perform(self, act: &mut Act<'_>) -> Result<String> {
        let name = checked_name(&self.name)?;
        if self.workflows.as_ref().is_some_and(Vec::is_empty) {
            return Err(Refusal::field("/workflows", "Name at least one workflow, or allow any.").into());
        }
        for key in self.workflows.iter().flatten() {
            domain::text::key(key, 200)
                .map_err(|wrong| Refusal::field("/workflows", format!("A workflow's key {wrong}.")))?;
        }
        let expires_at = ends(act.now, self.days)?;
        let id = self.id.unwrap_or_else(|| new_id(act.now));
        made_once(act, id).await?;
        let (secret, hash) = secret::random("rcs_");
        let token = NewToken {
            id,
            kind: TokenKind::Automation,
            name,
            secret_hash: &hash,
            workflows: self.workflows.as_deref(),
            person: None,
            scopes: &[],
            expires_at,
            made_by: act.caller.name(),
        };
        add(act, &token).await?;
        act.entry().detail("token", id.to_string()).detail("name", name).detail("workflows", self.workflows.clone());
        Ok(secret)
    }
}

fn checked_name(name: &str) -> Result<&str, Refusal> {
    domain::text::key(name.trim(), 100).map_err(|wrong| Refusal::field("/name", format!("The name {wrong}.")))
}

fn ends(now: DateTime<Utc>, days: Option<i64>) -> Result<Option<DateTime<Utc>>, Refusal> {
    match days {
        None => Ok(None),
        Some(days) if (1..=LASTS.num_days()).contains(&days) => Ok(Some(now + TimeDelta::days(days))),
        Some(_) => Err(Refusal::field("/days", format!("Choose from 1 to {} days.", LASTS.num_days()))),
    }
}

/// Adds it. Of a form that is sent twice at the same moment, both get here.
async fn add(act: &mut Act<'_>, token: &NewToken<'_>) -> Result<()> {
    match act.uow.add_token(token, act.now).await {
        Err(store::Error::Duplicate(_)) => Err(Refusal::MadeAlready.into()),
        other => Ok(other?),
    }
}

async fn made_once(act: &mut Act<'_>, id: TokenId) -> Result<(), crate::Error> {
    if act.uow.token_by_id(id).await?.is_some() { Err(Refusal::MadeAlready.into()) } else { Ok(()) }
}
