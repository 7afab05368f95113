//! One-time links: accepting an invitation, setting a password anew, and asking for such a link.

use chrono::TimeDelta;
use domain::{
    audit::AuditKind,
    ids::PersonId,
    notice::NoticeKind,
    permission::Permission,
    refusal::{FieldProblem, Refusal},
};
use store::{PersonRow, Purpose, Uow};

use super::{
    password,
    tries::{Counted, Trying},
};
use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    new_id,
    people::{check_name, who},
    secret,
};

/// How long an invitation can be accepted.
pub(crate) const JOIN_WITHIN: TimeDelta = TimeDelta::hours(72);
/// How long a reset link can be used.
const RESET_WITHIN: TimeDelta = TimeDelta::hours(24);

/// Whom a link is for, as its page shows it.
#[derive(Debug, Clone)]
pub struct LinkFor {
    /// What it is for.
    pub purpose: Purpose,
    /// The person's name.
    pub name: String,
    /// Their address.
    pub email: String,
}

/// Makes a link for a person; the address to open.
pub(crate) async fn make(act: &mut Act<'_>, person: PersonId, purpose: Purpose) -> Result<String> {
    let (secret, hash) = secret::random("");
    let within = if purpose == Purpose::Join { JOIN_WITHIN } else { RESET_WITHIN };
    act.uow.add_invite(new_id(act.now), &hash, purpose, Some(person), act.now, act.now + within).await?;
    Ok(format!("{}/link/{secret}", act.settings.public_url))
}

/// Makes a link with which a person sets their password anew, or joins after all. Their sessions end; their second step stays.
#[derive(Debug)]
pub struct MakeLink {
    /// Who.
    pub person: PersonId,
}

impl Action for MakeLink {
    const NAME: &'static str = "make_link";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::ResetLinkMade;
    const STEP_UP: bool = true;
    type Output = String;

    async fn perform(self, act: &mut Act<'_>) -> Result<String> {
        who::standing(&mut act.uow, self.person).await?;
        // Held, so that of two links made at once one ends the other.
        let row = act.uow.lock_person(self.person).await?.ok_or(Refusal::NotFound)?;
        act.entry().detail("person", row.id.to_string());
        if row.disabled_at.is_some() {
            return Err(Refusal::field("", "The account is disabled. Enable it first.").into());
        }
        let joined = row.password_hash.is_some() || !act.uow.issuers_of(row.id).await?.is_empty();
        let purpose = if joined { Purpose::Reset } else { Purpose::Join };
        let ended = act.uow.delete_sessions_of(row.id).await?;
        act.entry().detail("sessions_ended", ended);
        if joined {
            act.tell(row.id, NoticeKind::ResetLink, "", None).await?;
        }
        make(act, row.id, purpose).await
    }
}

/// Uses a link up and sets the password.
struct UseLink<'t> {
    tries: &'t Counted,
    hash: [u8; 32],
    name: Option<String>,
    password_hash: String,
}

impl Action for UseLink<'_> {
    const NAME: &'static str = "use_link";
    const GATE: Gate = Gate::Open;
    const AUDIT: AuditKind = AuditKind::PasswordSet;
    type Output = (PersonId, Purpose);

    async fn perform(self, act: &mut Act<'_>) -> Result<(PersonId, Purpose)> {
        let (purpose, row) = open(&mut act.uow, &self.hash, act.now).await?.ok_or(Refusal::BadInvite)?;
        if purpose == Purpose::Join {
            act.record_as(AuditKind::PersonJoined);
        }
        act.entry().detail("person", row.id.to_string());
        self.tries.tell(act.entry());
        // Its own row decides which of two who use it at once wins.
        if !act.uow.use_invite(&self.hash, act.now, row.id).await? {
            return Err(Refusal::BadInvite.into());
        }
        act.uow.set_password(row.id, &self.password_hash).await?;
        if let Some(name) = self.name.filter(|name| purpose == Purpose::Join && *name != row.name) {
            act.uow.rename_person(row.id, &name, &row.email).await?;
        }
        let ended = act.uow.delete_sessions_of(row.id).await?;
        act.uow.forget_addresses_of(row.id).await?;
        if purpose == Purpose::Reset {
            act.entry().detail("sessions_ended", ended);
            act.tell(row.id, NoticeKind::PasswordChanged, "", None).await?;
        }
        Ok((row.id, purpose))
    }
}

/// The account behind a link that can be used.
async fn open(uow: &mut Uow, hash: &[u8], now: chrono::DateTime<chrono::Utc>) -> Result<Option<(Purpose, PersonRow)>> {
    let Some(link) = uow.open_invite(hash, now).await? else { return Ok(None) };
    let Some(person) = link.person_id.filter(|_| link.purpose != Purpose::FirstAdmin) else { return Ok(None) };
    let row = uow.person_by_id(PersonId(person)).await?.filter(|row| row.disabled_at.is_none());
    Ok(row.map(|row| (link.purpose, row)))
}

impl Service {
    /// Whom a link is for, if it can be used. Looking at it uses nothing up.
    pub async fn link(&self, secret: &str) -> Result<LinkFor> {
        let mut uow = self.store.read().await?;
        let (purpose, row) = open(&mut uow, &secret::hash(secret), self.now()).await?.ok_or(Refusal::BadInvite)?;
        Ok(LinkFor { purpose, name: row.name, email: row.email })
    }

    /// Sets the password of the person whose link it is; somebody who joins may mend their name.
    pub async fn use_link(
        &self,
        request: &Request,
        secret: &str,
        name: &str,
        chosen: String,
    ) -> Result<(PersonId, Purpose)> {
        let tries = self.count_try(request, Trying::Link).await?;
        // A guess is refused before the work of hashing a password.
        let link = match self.link(secret).await {
            Ok(link) => link,
            Err(error) => {
                if let Some(refusal) = error.refusal() {
                    let mut entry = Entry::new(AuditKind::PersonJoined);
                    tries.tell(&mut entry);
                    self.record_refusal(request, entry, refusal).await?;
                }
                return Err(error);
            }
        };
        let mut problems: Vec<FieldProblem> = Vec::new();
        let joining = link.purpose == Purpose::Join;
        if joining {
            check_name(name, &mut problems);
        }
        password::check(&chosen, &[&link.name, &link.email], &mut problems);
        if !problems.is_empty() {
            return Err(Refusal::Invalid(problems).into());
        }
        let password_hash = secret::hash_password(chosen).await?;
        let name = joining.then(|| name.trim().to_owned());
        self.run(request, UseLink { tries: &tries, hash: secret::hash(secret), name, password_hash }).await
    }

    /// Asks the admins for a link that sets the password of the account with this address anew. Whether there is one is not
    /// told, and costs the same: the admins are told in either case.
    pub async fn ask_for_link(&self, request: &Request, email: &str) -> Result<()> {
        let tries = self.count_try(request, Trying::Reset(email)).await?;
        self.run(request, AskForLink { email: domain::text::head(email.trim(), 254), tries }).await
    }
}

/// Tells the admins that a link was asked for.
struct AskForLink {
    email: String,
    tries: Counted,
}

impl Action for AskForLink {
    const NAME: &'static str = "ask_for_link";
    const GATE: Gate = Gate::Open;
    const AUDIT: AuditKind = AuditKind::ResetAsked;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let email = domain::text::message(&self.email);
        let row = act.uow.person_by_email(&email).await?.filter(|row| row.disabled_at.is_none());
        let about = match &row {
            Some(row) => format!("{} ({email})", row.name),
            None => format!("{email}, which is nobody's here"),
        };
        act.entry().text(&email);
        self.tries.tell(act.entry());
        for admin in act.uow.who_may(Permission::PeopleManage).await? {
            act.tell(admin, NoticeKind::ResetAsked, &about, None).await?;
        }
        Ok(())
    }
}
