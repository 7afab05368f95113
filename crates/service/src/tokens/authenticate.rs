//! Who a bearer token speaks for.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::{Automation, Caller, Person},
    audit::AuditKind,
    ids::{PersonId, TokenId},
    permission::{Permission, RESERVED},
    refusal::Refusal,
};
use store::{TokenKind, TokenRow, Uow};

use crate::{Error, Request, Result, Service, action::Entry, secret, sign_in::tries::Trying};

/// "Last used" is kept to this precision, so that reading does not write at every request.
const LAST_USED_PRECISION: TimeDelta = TimeDelta::minutes(1);

/// What a request brought as its token.
#[derive(Debug, Clone, Copy)]
pub enum Brought<'r> {
    /// No such header.
    Nothing,
    /// A header that holds no bearer token.
    Unreadable,
    /// This.
    Token(&'r str),
}

impl Service {
    /// The caller behind what a request brought as its token. A request without a token that stands is refused, and that
    /// is recorded under its id: with the token's own id where it stood once, never with what was brought.
    pub async fn authenticate(
        &self,
        brought: Brought<'_>,
        request_id: Option<&str>,
        address: Option<&str>,
    ) -> Result<Caller> {
        let mut entry = Entry::new(AuditKind::TokenUsed);
        let found = match brought {
            Brought::Nothing => Err(Refusal::NotSignedIn.into()),
            Brought::Unreadable => Err(Refusal::BadToken.into()),
            Brought::Token(bearer) => self.find_caller(bearer, &mut entry).await,
        };
        if let Err(Error::Refused(refusal)) = &found {
            let nobody = Request {
                id: request_id.map(str::to_owned),
                address: address.map(str::to_owned),
                ..Request::of(Caller::Anonymous)
            };
            // Of very many only some are recorded one by one; how many were not is told with the next that is.
            match self.count_try(&nobody, Trying::Token).await {
                Err(error) if error.is_unavailable() => return found,
                counted => counted?.tell(&mut entry),
            }
            match self.record_refusal(&nobody, entry, refusal).await {
                // Without its database nothing is told but the refusal, and nobody got anything.
                Err(error) if error.is_unavailable() => {}
                recorded => recorded?,
            }
        }
        found
    }

    async fn find_caller(&self, bearer: &str, entry: &mut Entry) -> Result<Caller> {
        let now = self.now();
        let mut uow = self.store.read().await?;
        let row = uow.token_by_hash(&secret::hash(bearer)).await?.ok_or(Refusal::BadToken)?;
        entry.detail("token", row.id.to_string());
        let caller = match row.kind {
            TokenKind::Automation => speaks_for(&mut uow, &row, now).await?.map(Caller::Automation),
            TokenKind::Personal => person(&mut uow, &row, now).await?.map(Caller::Person),
        }
        .ok_or(Refusal::BadToken)?;
        drop(uow);
        if row.last_used_at.is_none_or(|last| now - last >= LAST_USED_PRECISION) {
            let mut uow = self.store.begin().await?;
            uow.touch_token(row.id, now).await?;
            uow.commit().await?;
        }
        Ok(caller)
    }
}

/// The automation that sent a report with this token, as the token is bound now. It may have ended since: the report came
/// while it stood, and a person decides about it.
pub(crate) async fn sender(uow: &mut Uow, id: TokenId) -> Result<Automation> {
    let row = uow.token_by_id(id).await?.ok_or(Error::Fault("a report names a token that is not there"))?;
    bound(uow, &row).await
}

/// The person behind a personal token, narrowed to what the token carries.
async fn person(uow: &mut Uow, row: &TokenRow, now: DateTime<Utc>) -> Result<Option<Person>> {
    let ended = row.revoked_at.is_some() || row.expires_at.is_some_and(|at| at <= now);
    let Some(id) = row.person_id.filter(|_| !ended) else { return Ok(None) };
    let Some(account) = uow.person_by_id(PersonId(id)).await?.filter(|row| row.disabled_at.is_none()) else {
        return Ok(None);
    };
    let scopes = uow.scopes_of_token(row.id).await?;
    let unreserved = || Permission::ALL.iter().copied().filter(|permission| !RESERVED.contains(permission)).collect();
    let limits = Some(if scopes.is_empty() { unreserved() } else { scopes });
    Ok(Some(Person { limits, ..crate::people::who::person(uow, account).await? }))
}

async fn speaks_for(uow: &mut Uow, row: &TokenRow, now: DateTime<Utc>) -> Result<Option<Automation>> {
    let ended = row.revoked_at.is_some() || row.expires_at.is_some_and(|at| at <= now);
    if ended || row.kind != TokenKind::Automation {
        return Ok(None);
    }
    Ok(Some(bound(uow, row).await?))
}

async fn bound(uow: &mut Uow, row: &TokenRow) -> Result<Automation> {
    let workflows = if row.any_workflow { None } else { Some(uow.workflows_of_token(row.id).await?) };
    Ok(Automation { id: row.id, name: row.name.clone(), workflows })
}
