//! Tokens as people see them: never their secrets.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Person, Scope},
    audit::AuditKind,
    permission::Permission,
};
use store::{TokenRow, Uow};
use uuid::Uuid;

use crate::{Request, Result, Service, action::Entry};

/// Rows of a page.
const PAGE: i64 = 50;

/// A token with what it is bound to.
#[derive(Debug, Clone)]
pub struct TokenSeen {
    /// The token.
    pub row: TokenRow,
    /// The workflows an automation's token is bound to; `None` means any.
    pub workflows: Option<BTreeSet<String>>,
    /// What a personal token is limited to; empty means everything its person may but what is reserved.
    pub scopes: BTreeSet<Permission>,
}

/// A page of tokens.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// Newest first, ended ones included.
    pub tokens: Vec<TokenSeen>,
    /// Where the next page begins, if there is one.
    pub next: Option<(DateTime<Utc>, Uuid)>,
    /// The keys of workflows, to bind a token to.
    pub workflows: Vec<String>,
}

impl Service {
    /// Every token.
    pub async fn tokens(&self, request: &Request, before: Option<(DateTime<Utc>, Uuid)>) -> Result<Tokens> {
        let read = async {
            access::may(&request.caller, Permission::TokensManage, Scope::Installation)?;
            let mut uow = self.store.read().await?;
            let before = before.map(|(at, id)| (crate::calendar::within(at), id));
            let mut rows = uow.tokens(before, PAGE + 1).await?;
            let more = i64::try_from(rows.len()).is_ok_and(|len| len > PAGE);
            if more {
                rows.pop();
            }
            let next = rows.last().filter(|_| more).map(|last| (last.created_at, last.id.0));
            Ok(Tokens { tokens: seen(&mut uow, rows).await?, next, workflows: uow.workflow_keys(None).await? })
        };
        self.reading(request, Entry::new(AuditKind::PeopleRead), None, read).await
    }

    /// The tokens that act as the person who asks.
    pub async fn own_tokens(&self, person: &Person) -> Result<Vec<TokenSeen>> {
        let mut uow = self.store.read().await?;
        let rows = uow.tokens_of(person.id).await?;
        seen(&mut uow, rows).await
    }
}

async fn seen(uow: &mut Uow, rows: Vec<TokenRow>) -> Result<Vec<TokenSeen>> {
    let mut tokens = Vec::new();
    for row in rows {
        let workflows = if row.any_workflow { None } else { Some(uow.workflows_of_token(row.id).await?) };
        let scopes = uow.scopes_of_token(row.id).await?;
        tokens.push(TokenSeen { workflows: workflows.filter(|_| row.person_id.is_none()), scopes, row });
    }
    Ok(tokens)
}
