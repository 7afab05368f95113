//! Signing in with a password and, where there is one, the second step.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::{Caller, Person},
    audit::AuditKind,
    digest::Sha256,
    ids::PersonId,
    refusal::Refusal,
};
use serde::{Deserialize, Serialize};
use store::PersonRow;

use super::{
    tries::{Counted, Trying},
    two_step::{self, Proof},
};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    people::who,
    secret::{self, PASSWORD_LIMIT},
};

/// How long the second step may take.
const CODE_WITHIN: TimeDelta = TimeDelta::minutes(10);

/// How far signing in has come.
#[derive(Debug)]
pub enum SignInStage {
    /// They are in.
    Done(SignedIn),
    /// The password fits; the code of the second step is waited for.
    CodeWanted(Waiting),
}

/// Somebody who proved with their password who they are.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// Who.
    pub person: PersonId,
    /// Of the password that fitted: a session begins only while it is still theirs.
    pub mark: String,
}

/// Somebody whose password fitted and whose code is waited for. Kept in the browser's session, which nobody is signed in with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Waiting {
    person: PersonId,
    at: DateTime<Utc>,
    /// Of the password that fitted: another one makes this void.
    mark: String,
}

/// Checks that the account still stands and records the sign-in; the password was compared before the unit of work,
/// because that takes long.
struct SignIn<'s> {
    row: PersonRow,
    tries: &'s Counted,
    /// A code, where the second step is asked for.
    code: Option<&'s str>,
}

impl Action for SignIn<'_> {
    const NAME: &'static str = "sign_in";
    const GATE: Gate = Gate::Open;
    const AUDIT: AuditKind = AuditKind::SignedIn;
    /// `None` if the hash that was compared is another now.
    type Output = Option<Person>;

    async fn perform(self, act: &mut Act<'_>) -> Result<Option<Person>> {
        act.entry().detail("person", self.row.id.to_string());
        self.tries.tell(act.entry());
        let row = act.uow.person_by_id(self.row.id).await?.filter(|row| row.disabled_at.is_none());
        let row = row.ok_or(Refusal::BadCredentials)?;
        if row.password_hash != self.row.password_hash {
            act.no_entry();
            return Ok(None);
        }
        let mut with = "password";
        if let Some(code) = self.code {
            with = match two_step::prove(act, row.id, code).await? {
                Some(Proof::Code) => "password and code",
                Some(Proof::RecoveryCode) => "password and recovery code",
                None => return Err(Refusal::BadCode.into()),
            };
        } else if two_step::is_on(&mut act.uow, row.id).await? {
            return Err(Error::Fault("a second step was passed over"));
        }
        self.tries.take_back(&mut act.uow).await?;
        signed_in(act, row, with).await.map(Some)
    }
}

/// What every way of signing in does at its end.
pub(super) async fn signed_in(act: &mut Act<'_>, row: PersonRow, with: &str) -> Result<Person> {
    act.entry().detail("with", with);
    act.uow.signed_in(row.id, act.now).await?;
    if let Some(address) = act.request.address.clone() {
        act.entry().detail("address", address.as_str());
        act.uow.know_address(row.id, &address, act.now).await?;
    }
    who::person(&mut act.uow, row).await
}

/// Records that a session was ended by its owner.
pub struct SignOut;

impl Action for SignOut {
    const NAME: &'static str = "sign_out";
    const GATE: Gate = Gate::Open;
    const AUDIT: AuditKind = AuditKind::SignedOut;
    type Output = ();

    async fn perform(self, _: &mut Act<'_>) -> Result<()> {
        Ok(())
    }
}

impl Service {
    /// Signs a person in. Unknown, disabled and wrong all cost the same work and are refused with the same words; so are too
    /// many tries, whoever they are for.
    pub async fn sign_in(&self, request: &Request, email: &str, password: String) -> Result<SignInStage> {
        let mut row = self.account_typed(email).await?;
        let tries = self.count_try(request, Trying::Password(email, row.as_ref().map(|row| row.id))).await?;
        // Another sign-in may put a newer hash in the place of the one that is compared with: then it is compared anew.
        for _ in 0..2 {
            let Some(fitting) = self.fitting(row, &password).await? else { break };
            let fitting = self.rehashed(fitting, &password).await?;
            if two_step::is_on(&mut self.store.read().await?, fitting.id).await? {
                let mark = mark(&fitting);
                return Ok(SignInStage::CodeWanted(Waiting { person: fitting.id, at: self.now(), mark }));
            }
            let by = self.as_themselves(request, &fitting).await?;
            let mark = mark(&fitting);
            if let Some(person) = self.run(&by, SignIn { row: fitting, tries: &tries, code: None }).await? {
                return Ok(SignInStage::Done(SignedIn { person: person.id, mark }));
            }
            row = self.account_typed(email).await?;
        }
        let mut entry = Entry::new(AuditKind::SignedIn);
        entry.text(domain::text::head(email.trim(), 254));
        Err(self.turn_down(request, entry, &tries, Refusal::BadCredentials).await?)
    }

    /// The second step: the code of the authenticator, or a recovery code.
    pub async fn sign_in_with_code(&self, request: &Request, waiting: &Waiting, code: &str) -> Result<SignedIn> {
        if self.now() - waiting.at > CODE_WITHIN {
            return Err(Refusal::BadCode.into());
        }
        let tries = self.count_try(request, Trying::Code(waiting.person)).await?;
        let row = self.store.read().await?.person_by_id(waiting.person).await?;
        if let Some(row) = row.filter(|row| row.disabled_at.is_none() && mark(row) == waiting.mark) {
            let by = self.as_themselves(request, &row).await?;
            if let Some(person) = self.run(&by, SignIn { row, tries: &tries, code: Some(code) }).await? {
                return Ok(SignedIn { person: person.id, mark: waiting.mark.clone() });
            }
        }
        let mut entry = Entry::new(AuditKind::SignedIn);
        entry.detail("person", waiting.person.to_string());
        Err(self.turn_down(request, entry, &tries, Refusal::BadCode).await?)
    }

    /// The account with this address. One with U+0000 is nobody's, and PostgreSQL can't even be asked for it.
    async fn account_typed(&self, email: &str) -> Result<Option<PersonRow>> {
        match email.contains('\0') {
            true => Ok(None),
            false => Ok(self.store.read().await?.person_by_email(email.trim()).await?),
        }
    }

    /// The account, if it is enabled and the password is its own. It costs the same work whatever comes of it.
    async fn fitting(&self, row: Option<PersonRow>, password: &str) -> Result<Option<PersonRow>> {
        let enabled = row.filter(|row| row.disabled_at.is_none());
        let (tried, against) = match password.len() <= PASSWORD_LIMIT {
            true => (password, enabled.as_ref().and_then(|row| row.password_hash.clone())),
            false => ("", None),
        };
        let fits = secret::verify_password(tried.to_owned(), against).await?;
        Ok(enabled.filter(|_| fits))
    }

    /// The account with a newer hash, where the one that fitted was made with other parameters. Somebody who sets another
    /// password at this moment wins.
    async fn rehashed(&self, row: PersonRow, password: &str) -> Result<PersonRow> {
        let Some(old) = row.password_hash.clone().filter(|hash| secret::is_outdated(hash)) else { return Ok(row) };
        let new = secret::hash_password(password.to_owned()).await?;
        let mut uow = self.store.begin().await?;
        let replaced = uow.replace_password(row.id, &old, &new).await?;
        uow.commit().await?;
        Ok(PersonRow { password_hash: Some(if replaced { new } else { old }), ..row })
    }

    /// The same request, as the person whose password fitted.
    pub(super) async fn as_themselves(&self, request: &Request, row: &PersonRow) -> Result<Request> {
        let person = who::person(&mut self.store.read().await?, row.clone()).await?;
        Ok(Request { caller: Caller::Person(person), session: None, ..request.clone() })
    }

    /// Records a sign-in that was turned down; answers the refusal.
    async fn turn_down(&self, request: &Request, mut entry: Entry, tries: &Counted, refusal: Refusal) -> Result<Error> {
        tries.tell(&mut entry);
        if let Some(address) = &request.address {
            entry.detail("address", address.as_str());
        }
        self.record_refusal(request, entry, &refusal).await?;
        Ok(refusal.into())
    }
}

/// Tells one password from another without telling anything of it.
pub(crate) fn mark(row: &PersonRow) -> String {
    let hash = row.password_hash.as_deref().unwrap_or_default();
    Sha256::of_parts(&[b"waiting", hash.as_bytes()]).hex()
}
