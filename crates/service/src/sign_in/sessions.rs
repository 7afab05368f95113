//! The sessions of a person: looking at them, and ending them.

use domain::{
    access::Person,
    audit::AuditKind,
    ids::{PersonId, SessionId},
    permission::Permission,
    refusal::Refusal,
};
use store::SessionRow;

use crate::{
    Result, Service,
    action::{Act, Action, Gate},
    people::who,
};

/// Which of one's own sessions to end.
#[derive(Debug, Clone, Copy)]
pub enum Which {
    /// This one.
    One(SessionId),
    /// All but the one that asks.
    Others,
}

/// Ends sessions of one's own.
#[derive(Debug)]
pub struct EndOwnSessions(pub Which);

impl Action for EndOwnSessions {
    const NAME: &'static str = "end_own_sessions";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::SessionsEnded;
    type Output = u64;

    async fn perform(self, act: &mut Act<'_>) -> Result<u64> {
        let person = act.person()?.id;
        let ended = match (self.0, act.request.session) {
            (Which::One(id), _) => u64::from(act.uow.delete_session_of(person, id).await?),
            (Which::Others, Some(own)) => act.uow.delete_sessions_but(person, own.id).await?,
            (Which::Others, None) => return Err(Refusal::WrongTokenKind.into()),
        };
        act.entry().detail("person", person.to_string()).detail("sessions_ended", ended);
        if ended == 0 {
            act.nothing_changed();
        }
        Ok(ended)
    }
}

/// Ends every session of another person.
#[derive(Debug)]
pub struct EndSessionsOf {
    /// Whose.
    pub person: PersonId,
}

impl Action for EndSessionsOf {
    const NAME: &'static str = "end_sessions_of";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::SessionsEnded;
    const STEP_UP: bool = true;
    type Output = u64;

    async fn perform(self, act: &mut Act<'_>) -> Result<u64> {
        who::standing(&mut act.uow, self.person).await?;
        let ended = act.uow.delete_sessions_of(self.person).await?;
        act.entry().detail("person", self.person.to_string()).detail("sessions_ended", ended);
        if ended == 0 {
            act.nothing_changed();
        }
        Ok(ended)
    }
}

impl Service {
    /// The sessions of the person who asks, the one that was used last first.
    pub async fn own_sessions(&self, person: &Person) -> Result<Vec<SessionRow>> {
        Ok(self.store.read().await?.sessions_of(person.id, self.now()).await?)
    }
}
