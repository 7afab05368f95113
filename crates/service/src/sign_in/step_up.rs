//! Confirming who one is, shortly before something consequential: the password again or, where there is a second step, its
//! code. Later use cases ask [`recent`], or say so by `Action::STEP_UP`.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{access::Caller, audit::AuditKind, refusal::Refusal};

use super::{
    tries::{Counted, Trying},
    two_step,
};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    secret::{self, PASSWORD_LIMIT},
};

/// How long it counts.
pub const LASTS: TimeDelta = TimeDelta::minutes(10);

/// What a person confirms with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmWith {
    /// Their password.
    Password,
    /// A code of their second step.
    Code,
    /// Signing in at the identity provider again: they have nothing else.
    Provider,
}

/// Whether who asks has confirmed lately who they are. A token that carries something reserved was made after that; somebody
/// with a shell on the machine has no session.
pub fn recent(request: &Request, now: DateTime<Utc>) -> Result<(), Refusal> {
    let recent = match &request.caller {
        Caller::CommandLine | Caller::Job(_) => true,
        Caller::Person(person) if person.limits.is_some() => true,
        Caller::Person(_) => request.session.is_some_and(|session| now - session.stepped_up_at < LASTS),
        Caller::Automation(_) => return Err(Refusal::WrongTokenKind),
        Caller::Anonymous => return Err(Refusal::NotSignedIn),
    };
    if recent { Ok(()) } else { Err(Refusal::StepUpNeeded) }
}

/// Notes it with the session; what proves it was looked at before, where that takes long.
struct StepUp<'s> {
    tries: &'s Counted,
    code: Option<&'s str>,
    password_fitted: Option<String>,
}

impl Action for StepUp<'_> {
    const NAME: &'static str = "step_up";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::SteppedUp;
    type Output = DateTime<Utc>;

    async fn perform(self, act: &mut Act<'_>) -> Result<DateTime<Utc>> {
        let person = act.person()?.id;
        self.tries.tell(act.entry());
        let session = act.request.session.ok_or(Refusal::WrongTokenKind)?;
        let row = act.uow.person_by_id(person).await?.ok_or(Refusal::NotSignedIn)?;
        let proved = match self.code {
            Some(code) => two_step::prove(act, person, code).await?.is_some(),
            None => row.password_hash.is_some() && row.password_hash == self.password_fitted,
        };
        if !proved {
            return Err(wrong(self.code.is_some()));
        }
        self.tries.take_back(&mut act.uow).await?;
        act.uow.step_up_session(session.id, act.now).await?;
        Ok(act.now)
    }
}

fn wrong(code: bool) -> Error {
    let words =
        if code { "The code is wrong or was used before. Wait for the next one." } else { "The password is wrong." };
    Refusal::field("/confirm", words).into()
}

impl Service {
    /// What the person confirms with.
    pub async fn confirms_with(&self, request: &Request) -> Result<ConfirmWith> {
        let Caller::Person(person) = &request.caller else { return Ok(ConfirmWith::Password) };
        let mut uow = self.store.read().await?;
        if two_step::is_on(&mut uow, person.id).await? {
            return Ok(ConfirmWith::Code);
        }
        let row = uow.person_by_id(person.id).await?;
        let has_password = row.is_some_and(|row| row.password_hash.is_some());
        Ok(if has_password { ConfirmWith::Password } else { ConfirmWith::Provider })
    }

    /// Confirms who they are with what was typed; answers since when that counts.
    pub async fn step_up(&self, request: &Request, typed: String) -> Result<DateTime<Utc>> {
        let Caller::Person(person) = &request.caller else { return Err(Refusal::NotSignedIn.into()) };
        let tries = self.count_try(request, Trying::Confirm(person.id)).await?;
        let with = self.confirms_with(request).await?;
        let (mut code, mut password_fitted) = (None, None);
        match with {
            ConfirmWith::Code => code = Some(typed.as_str()),
            ConfirmWith::Password | ConfirmWith::Provider => {
                let row = self.store.read().await?.person_by_id(person.id).await?;
                let hash = row.and_then(|row| row.password_hash).filter(|_| typed.len() <= PASSWORD_LIMIT);
                if secret::verify_password(typed.clone(), hash.clone()).await? {
                    password_fitted = hash;
                } else {
                    let mut entry = Entry::new(AuditKind::SteppedUp);
                    tries.tell(&mut entry);
                    let refusal = Refusal::field("/confirm", "The password is wrong.");
                    self.record_refusal(request, entry, &refusal).await?;
                    return Err(refusal.into());
                }
            }
        }
        self.run(request, StepUp { tries: &tries, code, password_fitted }).await
    }
}
