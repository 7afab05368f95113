//! Standing in for somebody while they are away: told of what waits for them, and excluded from what they are excluded from.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::Person, audit::AuditKind, ids::SubstituteId, notice::NoticeKind, permission::Permission, refusal::Refusal,
};
use store::Substitute;

use crate::{
    Request, Result, Service,
    action::{Act, Action, Gate},
    new_id,
    people::who,
};

/// The longest somebody stands in.
const LONGEST: TimeDelta = TimeDelta::days(90);

/// Who stands in for a person, and for whom they do.
#[derive(Debug, Clone)]
pub struct Substitutes {
    /// Those who stand in for them.
    pub by: Vec<Substitute>,
    /// Those they stand in for.
    pub of: Vec<Substitute>,
}

struct Name {
    email: String,
    until: DateTime<Utc>,
}

impl Action for Name {
    const NAME: &'static str = "name_substitute";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::SubstituteNamed;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let own = act.person()?.id;
        let wrong = |why: &str| Refusal::field("/person", why);
        let row = act.uow.person_by_email(self.email.trim()).await?.filter(|row| row.disabled_at.is_none());
        let row = row.ok_or_else(|| wrong("Nobody who can sign in has this address."))?;
        if row.id == own {
            return Err(wrong("Name somebody else.").into());
        }
        let substitute = who::person(&mut act.uow, row).await?;
        if !substitute.holds(Permission::ApprovalsDecide) {
            return Err(wrong("They may not decide what others ask for, so they can't stand in.").into());
        }
        if self.until <= act.now || self.until > act.now + LONGEST {
            return Err(Refusal::field("/until", "Name a time within the next 90 days.").into());
        }
        let id: SubstituteId = new_id(act.now);
        act.uow.add_substitute(id, own, substitute.id, (act.now, self.until)).await?;
        let until = self.until.format("until %Y-%m-%d %H:%M UTC").to_string();
        act.entry()
            .detail("substitute", substitute.id.to_string())
            .detail("until", self.until.to_rfc3339())
            .detail("id", id.to_string());
        act.tell(substitute.id, NoticeKind::SubstituteNamed, &until, None).await
    }
}

struct End {
    id: SubstituteId,
}

impl Action for End {
    const NAME: &'static str = "end_substitute";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::SubstituteEnded;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let own = act.person()?.id;
        if !act.uow.end_substitute(self.id, own, act.now).await? {
            return Err(Refusal::NotFound.into());
        }
        act.entry().detail("id", self.id.to_string());
        Ok(())
    }
}

impl Service {
    /// Names somebody who stands in for the caller.
    pub async fn name_substitute(&self, request: &Request, email: &str, until: DateTime<Utc>) -> Result<()> {
        self.run(request, Name { email: email.to_owned(), until }).await
    }

    /// Ends a substitution of one's own.
    pub async fn end_substitute(&self, request: &Request, id: SubstituteId) -> Result<()> {
        self.run(request, End { id }).await
    }

    /// Who stands in for a person, and for whom they do.
    pub async fn substitutes(&self, person: &Person) -> Result<Substitutes> {
        let now = self.now();
        let mut uow = self.store.read().await?;
        Ok(Substitutes { by: uow.substitutes_of(person.id, now).await?, of: uow.stands_in_for(person.id, now).await? })
    }
}
