//! Making tokens: for an automation, or for a person's scripts.

use chrono::TimeDelta;
use domain::{
    audit::AuditKind,
    permission::{Permission, RESERVED},
    refusal::Refusal,
};
use store::{NewToken, TokenKind};

use crate::{
    Result,
    action::{Act, Action, Gate},
    new_id, secret,
};

/// How long a token lasts that carries something reserved.
const RESERVED_LASTS: TimeDelta = TimeDelta::days(30);

/// Makes a token with which a person's scripts act as that person, with their permissions as they are then.
#[derive(Debug)]
pub struct CreatePersonalToken {
    /// Their address.
    pub email: String,
    /// What it is limited to; empty means everything they may but what is reserved.
    pub scopes: Vec<Permission>,
}

impl Action for CreatePersonalToken {
    const NAME: &'static str = "create_personal_token";
    const GATE: Gate = Gate::Permission(Permission::TokensManage);
    const AUDIT: AuditKind = AuditKind::TokenCreated;
    type Output = String;

    async fn perform(self, act: &mut Act<'_>) -> Result<String> {
        let row = act.uow.person_by_email(self.email.trim()).await?.filter(|row| row.disabled_at.is_none());
        let row = row.ok_or_else(|| Refusal::field("/person", "Nobody who can sign in has this address."))?;
        let (secret, hash) = secret::random("rcp_");
        let id = new_id(act.now);
        let reserved = self.scopes.iter().any(|scope| RESERVED.contains(scope));
        let token = NewToken {
            id,
            kind: TokenKind::Personal,
            name: &row.name,
            secret_hash: &hash,
            workflows: None,
            person: Some(row.id),
            scopes: &self.scopes,
            expires_at: reserved.then(|| act.now + RESERVED_LASTS),
        };
        act.uow.add_token(&token, act.now).await?;
        let scopes: Vec<&str> = self.scopes.iter().map(|scope| scope.as_str()).collect();
        act.entry().detail("token", id.to_string()).detail("person", row.id.to_string()).detail("scopes", scopes);
        Ok(secret)
    }
}

/// Makes a token for an automation. Only its hash is kept; the answer is the only time it is seen.
#[derive(Debug)]
pub struct CreateToken {
    /// Its name, for people.
    pub name: String,
    /// The workflows it is bound to, registered or not; `None` means any.
    pub workflows: Option<Vec<String>>,
}

impl Action for CreateToken {
    const NAME: &'static str = "create_token";
    const GATE: Gate = Gate::Permission(Permission::TokensManage);
    const AUDIT: AuditKind = AuditKind::TokenCreated;
    type Output = String;

    async fn perform(self, act: &mut Act<'_>) -> Result<String> {
        domain::text::key(&self.name, 100).map_err(|wrong| Refusal::field("/name", format!("The name {wrong}.")))?;
        if self.workflows.as_ref().is_some_and(Vec::is_empty) {
            return Err(Refusal::field("/workflows", "Name at least one workflow, or allow any.").into());
        }
        for key in self.workflows.iter().flatten() {
            domain::text::key(key, 200)
                .map_err(|wrong| Refusal::field("/workflows", format!("A workflow's key {wrong}.")))?;
        }
        let (secret, hash) = secret::random("rcs_");
        let id = new_id(act.now);
        let workflows = self.workflows.as_deref();
        let token = NewToken {
            id,
            kind: TokenKind::Automation,
            name: &self.name,
            secret_hash: &hash,
            workflows,
            person: None,
            scopes: &[],
            expires_at: None,
        };
        act.uow.add_token(&token, act.now).await?;
        act.entry()
            .detail("token", id.to_string())
            .detail("name", self.name.as_str())
            .detail("workflows", self.workflows);
        Ok(secret)
    }
}
