//! Signing in by an identity provider's word, which was checked before it comes here.

use std::collections::BTreeSet;

use domain::{
    access::{Caller, Person},
    audit::AuditKind,
    ids::PersonId,
    refusal::Refusal,
    role::RoleKey,
    sensitivity::Clearance,
};
use store::PersonRow;

use super::by_password::signed_in;
use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    new_id,
    people::{check_email, check_name},
    rights::give,
};

/// What a provider says of somebody, and what its claims stand for here.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Who says it.
    pub issuer: String,
    /// What it calls them: the same for ever.
    pub subject: String,
    /// Their address.
    pub email: Option<String>,
    /// Whether it knows the address to be theirs.
    pub email_verified: bool,
    /// Their name.
    pub name: Option<String>,
    /// The roles that its claims stand for.
    pub roles: BTreeSet<RoleKey>,
    /// The keys of the teams that its claims stand for.
    pub teams: BTreeSet<String>,
    /// The roles that claims decide about: whoever holds one without its claim loses it.
    pub decided_roles: BTreeSet<RoleKey>,
    /// The same for teams.
    pub decided_teams: BTreeSet<String>,
}

fn refused(why: &str) -> Refusal {
    Refusal::IdentityRefused { why: why.to_owned() }
}

/// Finds or makes the account that an identity stands for, and follows the claims.
struct FollowIdentity(Identity);

impl Action for FollowIdentity {
    const NAME: &'static str = "follow_identity";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::SignedIn;
    /// `None` if what would let them in waits for a second admin.
    type Output = Option<PersonRow>;

    async fn perform(self, act: &mut Act<'_>) -> Result<Option<PersonRow>> {
        let identity = self.0;
        // What it changes has entries of its own; signing in is told as the person's.
        act.no_entry();
        act.uow.lock_access().await?;
        let row = match act.uow.person_of_identity(&identity.issuer, &identity.subject).await? {
            Some(person) => act.uow.person_by_id(person).await?,
            None => Some(first_time(act, &identity).await?),
        };
        let row = row.filter(|row| row.disabled_at.is_none());
        let row = row.ok_or(refused("Your account here is disabled. Ask an admin."))?;
        let waits = follow_claims(act, &row, &identity).await?;
        if act.uow.roles_of(row.id).await?.is_empty() {
            if waits {
                return Ok(None);
            }
            let why =
                "Your identity provider let you in, but nothing it says of you stands for a role here. Ask an admin.";
            return Err(refused(why).into());
        }
        Ok(Some(row))
    }
}

/// Records that the person signed in.
struct SignInByIdentity(PersonRow);

impl Action for SignInByIdentity {
    const NAME: &'static str = "sign_in_by_identity";
    const GATE: Gate = Gate::Open;
    const AUDIT: AuditKind = AuditKind::SignedIn;
    type Output = Person;

    async fn perform(self, act: &mut Act<'_>) -> Result<Person> {
        act.entry().detail("person", self.0.id.to_string());
        signed_in(act, self.0, "identity provider").await
    }
}

/// Somebody whom the provider names for the first time: the account with their address, or a new one.
async fn first_time(act: &mut Act<'_>, identity: &Identity) -> Result<PersonRow> {
    let email = identity.email.as_deref().filter(|_| identity.email_verified);
    let why = "Your identity provider does not say which address is yours, or has not verified it.";
    let email = email.ok_or(refused(why))?;
    let name = identity.name.as_deref().unwrap_or(email);
    let mut problems = Vec::new();
    check_email(email, &mut problems);
    check_name(name, &mut problems);
    if !problems.is_empty() {
        let why = "Your identity provider gives a name or address that can't be kept here.";
        return Err(refused(why).into());
    }
    let mut entry = Entry::new(AuditKind::IdentityLinked);
    let row = match act.uow.person_by_email(email).await? {
        // An address may be given to somebody else; whom the provider names is the same for ever.
        Some(row) if act.uow.issuers_of(row.id).await?.contains(&identity.issuer) => {
            let why = "The account with your address belongs to somebody else at your identity provider. Ask an admin.";
            return Err(refused(why).into());
        }
        Some(row) => row,
        None => {
            let row =
                PersonRow::new(new_id(act.now), email.to_owned(), name.trim().to_owned(), None, Clearance::Internal);
            act.uow.add_person(&row, act.now).await?;
            entry.detail("new_account", true);
            row
        }
    };
    act.uow.add_identity(&identity.issuer, &identity.subject, row.id, act.now).await?;
    entry.detail("person", row.id.to_string()).detail("issuer", identity.issuer.as_str());
    act.also(entry);
    Ok(row)
}

/// Gives and takes what the provider's claims decide about; what admins gave beside that stays. Answers whether something of
/// it waits for a second admin.
async fn follow_claims(act: &mut Act<'_>, row: &PersonRow, identity: &Identity) -> Result<bool> {
    let mut waits = false;
    let mut wanted: BTreeSet<RoleKey> = act.uow.roles_of(row.id).await?.into_iter().map(|role| role.key).collect();
    let before = wanted.clone();
    wanted.retain(|role| !identity.decided_roles.contains(role) || identity.roles.contains(role));
    wanted.extend(identity.roles.iter().cloned());
    if wanted != before {
        let wanted: Vec<RoleKey> = wanted.into_iter().collect();
        let known = give::known_roles(act, &wanted).await?;
        let changed = give::set_roles(act, row.id, &row.name, known).await?;
        if !before.is_empty() {
            changed.tell_person(act, row.id).await?;
        }
        waits = !changed.waiting.is_empty();
        // What only waits is told when it is asked for.
        if !changed.given.is_empty() || !changed.taken.is_empty() {
            let mut entry = Entry::new(AuditKind::RolesChanged);
            entry.detail("person", row.id.to_string()).detail("by_claims", true);
            changed.tell(&mut entry);
            act.also(entry);
        }
    }
    for team in act.uow.teams_of(row.id).await? {
        if identity.decided_teams.contains(&team.key) && !identity.teams.contains(&team.key) {
            act.uow.leave_team(row.id, team.id).await?;
            act.uow.look_at_items_of(row.id, act.now).await?;
        }
    }
    for key in &identity.teams {
        let team = crate::people::add::find_or_add_team(act, key).await?;
        act.uow.join_team(row.id, team.id).await?;
    }
    Ok(waits)
}

impl Service {
    /// Signs in whom a provider's word, which was checked, is about.
    pub async fn sign_in_with_identity(&self, request: &Request, identity: Identity) -> Result<Person> {
        let provider = Request { caller: Caller::Job("identity provider"), session: None, ..request.clone() };
        let Some(row) = self.run(&provider, FollowIdentity(identity)).await? else {
            let refusal = refused("The role that your identity provider gives you waits for a second admin. Ask one.");
            self.record_refusal(&provider, Entry::new(AuditKind::SignedIn), &refusal).await?;
            return Err(refusal.into());
        };
        let by = self.as_themselves(request, &row).await?;
        self.run(&by, SignInByIdentity(row)).await
    }

    /// Confirms who somebody is by having signed in at the provider again: it has to be the same person.
    pub async fn step_up_with_identity(&self, request: &Request, issuer: &str, subject: &str) -> Result<()> {
        let Caller::Person(person) = &request.caller else { return Err(Refusal::NotSignedIn.into()) };
        let found = self.store.read().await?.person_of_identity(issuer, subject).await?;
        let why = "That is another person than the one who is signed in here.";
        let same = found.filter(|id: &PersonId| *id == person.id).ok_or(refused(why));
        self.run(request, StepUpWithIdentity { same: same.map(drop) }).await
    }
}

struct StepUpWithIdentity {
    same: Result<(), Refusal>,
}

impl Action for StepUpWithIdentity {
    const NAME: &'static str = "step_up_with_identity";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::SteppedUp;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        self.same?;
        let session = act.request.session.ok_or(Refusal::WrongTokenKind)?;
        act.uow.step_up_session(session.id, act.now).await?;
        Ok(())
    }
}
