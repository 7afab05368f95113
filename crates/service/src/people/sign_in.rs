//! Signing in and out.

use domain::{access::Person, audit::AuditKind, refusal::Refusal};
use store::PersonRow;

use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    secret::{self, PASSWORD_LIMIT},
};

/// Checks that the account still stands and records the sign-in; the password was compared before the unit of work,
/// because that takes long.
struct SignIn {
    row: PersonRow,
}

impl Action for SignIn {
    const NAME: &'static str = "sign_in";
    const GATE: Gate = Gate::Open;
    const AUDIT: AuditKind = AuditKind::SignedIn;
    type Output = Person;

    async fn perform(self, act: &mut Act<'_>) -> Result<Person> {
        let row = act.uow.person_by_id(self.row.id).await?.filter(|row| row.disabled_at.is_none());
        let row = row.filter(|row| row.password_hash == self.row.password_hash).ok_or(Refusal::BadCredentials)?;
        act.entry().detail("person", row.id.to_string());
        super::who::person(&mut act.uow, row).await
    }
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
    /// Signs a person in. Unknown, disabled and wrong all cost the same work and are refused with the same words.
    pub async fn sign_in(&self, request: &Request, email: &str, password: String) -> Result<Person> {
        // An address with U+0000 is nobody's, and PostgreSQL can't even be asked for it.
        let row = match email.contains('\0') {
            true => None,
            false => self.store.read().await?.person_by_email(email.trim()).await?,
        };
        let enabled = row.filter(|row| row.disabled_at.is_none());
        let hash = enabled.as_ref().and_then(|row| row.password_hash.clone());
        let fits = if password.len() <= PASSWORD_LIMIT {
            secret::verify_password(password, hash).await?
        } else {
            secret::verify_password(String::new(), None).await?
        };
        match enabled {
            Some(row) if fits => {
                let person = super::who::person(&mut self.store.read().await?, row.clone()).await?;
                let by = Request { id: request.id.clone(), ..Request::of(domain::access::Caller::Person(person)) };
                self.run(&by, SignIn { row }).await
            }
            _ => {
                let mut entry = Entry::new(AuditKind::SignedIn);
                entry.text(domain::text::head(email.trim(), 254));
                self.record_refusal(request, entry, &Refusal::BadCredentials).await?;
                Err(Refusal::BadCredentials.into())
            }
        }
    }
}
