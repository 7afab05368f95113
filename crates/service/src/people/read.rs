//! People as admins see them.

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Scope},
    audit::AuditKind,
    ids::PersonId,
    permission::Permission,
    role::HeldRole,
};
use store::{PersonRow, SessionRow, TeamRow, TokenRow, Uow};

use super::who;
use crate::{Request, Result, Service, action::Entry};

/// Rows of a page.
const PAGE: i64 = 50;

/// How an account stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// They can sign in.
    Active,
    /// They have not accepted their invitation, which can be used until then; `None` once it has run out.
    Invited(Option<DateTime<Utc>>),
    /// They can't sign in.
    Disabled,
}

/// An account in the list.
#[derive(Debug, Clone)]
pub struct ListedPerson {
    /// The account.
    pub row: PersonRow,
    /// How it stands.
    pub standing: Standing,
    /// The roles.
    pub roles: Vec<HeldRole>,
    /// The teams.
    pub teams: Vec<TeamRow>,
    /// Whether a second step is asked of them.
    pub two_step: bool,
}

/// A page of accounts.
#[derive(Debug, Clone)]
pub struct People {
    /// By address.
    pub people: Vec<ListedPerson>,
    /// Where the next page begins, if there is one.
    pub next: Option<(String, PersonId)>,
}

/// One account, with everything an admin sees of it.
#[derive(Debug, Clone)]
pub struct PersonSeen {
    /// The account.
    pub listed: ListedPerson,
    /// Their sessions.
    pub sessions: Vec<SessionRow>,
    /// Tokens that act as them.
    pub tokens: Vec<TokenRow>,
    /// The identity providers that name them.
    pub issuers: Vec<String>,
    /// Every role there is.
    pub all_roles: Vec<HeldRole>,
    /// Every team there is.
    pub all_teams: Vec<TeamRow>,
}

/// What an invitation can give.
#[derive(Debug, Clone)]
pub struct Choices {
    /// Every role there is.
    pub roles: Vec<HeldRole>,
    /// Every team there is.
    pub teams: Vec<TeamRow>,
}

impl Service {
    /// Accounts whose address holds `text`, or of the team of that key.
    pub async fn people(
        &self,
        request: &Request,
        text: Option<&str>,
        after: Option<(String, PersonId)>,
    ) -> Result<People> {
        let read = async {
            access::may(&request.caller, Permission::PeopleManage, Scope::Installation)?;
            let mut uow = self.store.read().await?;
            let mut rows = uow.people(text, after, PAGE + 1).await?;
            let more = i64::try_from(rows.len()).is_ok_and(|len| len > PAGE);
            if more {
                rows.pop();
            }
            let next = rows.last().filter(|_| more).map(|last| (domain::text::fold(&last.email), last.id));
            let mut people = Vec::new();
            for row in rows {
                people.push(listed(&mut uow, row, self.now()).await?);
            }
            Ok(People { people, next })
        };
        self.reading(request, Entry::new(AuditKind::PeopleRead), None, read).await
    }

    /// One account.
    pub async fn person(&self, request: &Request, id: PersonId) -> Result<PersonSeen> {
        let read = async {
            access::may(&request.caller, Permission::PeopleManage, Scope::Installation)?;
            let mut uow = self.store.read().await?;
            let row = who::standing(&mut uow, id).await?;
            Ok(PersonSeen {
                listed: listed(&mut uow, row, self.now()).await?,
                sessions: uow.sessions_of(id, self.now()).await?,
                tokens: uow.tokens_of(id).await?,
                issuers: uow.issuers_of(id).await?,
                all_roles: uow.all_roles().await?,
                all_teams: uow.teams().await?,
            })
        };
        self.reading(request, Entry::new(AuditKind::PeopleRead), None, read).await
    }

    /// What an invitation can give.
    pub async fn choices(&self, request: &Request) -> Result<Choices> {
        let read = async {
            access::may(&request.caller, Permission::PeopleManage, Scope::Installation)?;
            let mut uow = self.store.read().await?;
            Ok(Choices { roles: uow.all_roles().await?, teams: uow.teams().await? })
        };
        self.reading(request, Entry::new(AuditKind::PeopleRead), None, read).await
    }
}

pub(crate) async fn listed(uow: &mut Uow, row: PersonRow, now: DateTime<Utc>) -> Result<ListedPerson> {
    let joined = row.password_hash.is_some() || !uow.issuers_of(row.id).await?.is_empty();
    let standing = match (row.disabled_at, joined) {
        (Some(_), _) => Standing::Disabled,
        (None, true) => Standing::Active,
        (None, false) => Standing::Invited(uow.open_invite_of(row.id, now).await?.map(|link| link.expires_at)),
    };
    Ok(ListedPerson {
        standing,
        roles: uow.roles_of(row.id).await?,
        teams: uow.teams_of(row.id).await?,
        two_step: uow.two_step(row.id).await?.is_some_and(|row| row.confirmed_at.is_some()),
        row,
    })
}
