//! The first admin of an empty installation, by a one-time link.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::Caller, audit::AuditKind, ids::PersonId, permission::Role, refusal::Refusal, sensitivity::Clearance,
};

use store::{Purpose, Uow};

use super::add::AddPerson;
use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    new_id, secret,
    sign_in::tries::Trying,
};

/// How long the link can be used.
const VALID_FOR: TimeDelta = TimeDelta::hours(24);

/// Makes the link, if nobody has an account yet.
struct InviteFirstAdmin;

impl Action for InviteFirstAdmin {
    const NAME: &'static str = "invite_first_admin";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::InviteCreated;
    type Output = Option<String>;

    async fn perform(self, act: &mut Act<'_>) -> Result<Option<String>> {
        if act.uow.person_count().await? > 0 {
            act.nothing_changed();
            return Ok(None);
        }
        let (secret, hash) = secret::random("");
        act.uow.add_invite(new_id(act.now), &hash, Purpose::FirstAdmin, None, act.now, act.now + VALID_FOR).await?;
        Ok(Some(format!("{}/setup/{secret}", act.settings.public_url)))
    }
}

/// Uses the link up and adds the account, in one step: of two that race, one wins.
struct BecomeFirstAdmin {
    link: String,
    person: AddPerson,
}

impl Action for BecomeFirstAdmin {
    const NAME: &'static str = "become_first_admin";
    const GATE: Gate = Gate::Open;
    const AUDIT: AuditKind = AuditKind::FirstAdminCreated;
    type Output = PersonId;

    async fn perform(self, act: &mut Act<'_>) -> Result<PersonId> {
        // The link's own row decides who wins, so it is taken before anything else.
        let hash = secret::hash(&self.link);
        if !is_open(&mut act.uow, &hash, act.now).await? {
            return Err(Refusal::BadInvite.into());
        }
        let id = self.person.insert(act).await?;
        if !act.uow.use_invite(&hash, act.now, id).await? {
            return Err(Refusal::BadInvite.into());
        }
        Ok(id)
    }
}

/// Whether the link can be used: once anybody has an account it is void.
async fn is_open(uow: &mut Uow, hash: &[u8], now: DateTime<Utc>) -> Result<bool> {
    let link = uow.open_invite(hash, now).await?;
    Ok(link.is_some_and(|link| link.purpose == Purpose::FirstAdmin) && uow.person_count().await? == 0)
}

impl Service {
    /// A one-time link for the first admin; `None` once anybody has an account. A new link ends the one before.
    pub async fn invite_first_admin(&self) -> Result<Option<String>> {
        self.run(&Request::of(Caller::CommandLine), InviteFirstAdmin).await
    }

    /// Whether the link can be used.
    pub async fn first_admin_link_is_open(&self, link: &str) -> Result<bool> {
        let mut uow = self.store.read().await?;
        is_open(&mut uow, &secret::hash(link), self.now()).await
    }

    /// Makes whoever holds the link the first admin.
    pub async fn become_first_admin(
        &self,
        request: &Request,
        link: String,
        email: &str,
        name: &str,
        password: String,
    ) -> Result<PersonId> {
        let tries = self.count_try(request, Trying::Link).await?;
        // A guess is refused before the work of hashing a password.
        if !self.first_admin_link_is_open(&link).await? {
            let mut entry = Entry::new(AuditKind::FirstAdminCreated);
            tries.tell(&mut entry);
            self.record_refusal(request, entry, &Refusal::BadInvite).await?;
            return Err(Refusal::BadInvite.into());
        }
        let fallback = vec![self.settings.fallback_team.clone()];
        let person = AddPerson::new(email, name, password, vec![Role::Admin], fallback, Clearance::Internal).await?;
        self.run(request, BecomeFirstAdmin { link, person }).await
    }
}
