//! Choosing a password.

use domain::{
    access::Caller,
    audit::AuditKind,
    notice::NoticeKind,
    refusal::{FieldProblem, Refusal},
};

use super::tries::{Counted, Trying};
use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    secret::{self, PASSWORD_LEAST, PASSWORD_LIMIT},
};

/// The least that a password may be worth, of 4: about 10⁸ guesses of somebody who knows how people choose.
const STRENGTH_LEAST: u8 = 3;

/// Checks a password that is chosen; what the person is called does not count.
pub(crate) fn check(password: &str, called: &[&str], problems: &mut Vec<FieldProblem>) {
    let mut problem = |message: String| problems.push(FieldProblem::new("/password", message));
    if password.chars().count() < PASSWORD_LEAST {
        return problem(format!("Choose at least {PASSWORD_LEAST} characters."));
    }
    if password.len() > PASSWORD_LIMIT {
        return problem(format!("Choose at most {PASSWORD_LIMIT} bytes."));
    }
    // What is far longer than a sentence takes long to estimate and is strong enough by its beginning.
    let beginning: String = password.chars().take(100).collect();
    let estimate = zxcvbn::zxcvbn(&beginning, called);
    if u8::from(estimate.score()) < STRENGTH_LEAST {
        let why = estimate.feedback().and_then(|feedback| feedback.warning()).map(|warning| format!("{warning} "));
        problem(format!(
            "This is too easy to guess. {}Several words that have nothing to do with one another are best.",
            why.unwrap_or_default()
        ));
    }
}

/// Replaces one's own password and ends the other sessions.
struct ChangePassword<'t> {
    before: String,
    after: String,
    tries: &'t Counted,
}

impl Action for ChangePassword<'_> {
    const NAME: &'static str = "change_password";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::PasswordSet;
    /// `false` if the hash that was compared is another now.
    type Output = bool;

    async fn perform(self, act: &mut Act<'_>) -> Result<bool> {
        let person = act.person()?.id;
        act.entry().detail("person", person.to_string());
        self.tries.tell(act.entry());
        if !act.uow.replace_password(person, &self.before, &self.after).await? {
            act.no_entry();
            return Ok(false);
        }
        self.tries.take_back(&mut act.uow).await?;
        let ended = match act.request.session {
            Some(session) => act.uow.delete_sessions_but(person, session.id).await?,
            None => act.uow.delete_sessions_of(person).await?,
        };
        act.uow.withdraw_invites_of(person, act.now).await?;
        act.uow.forget_addresses_of(person).await?;
        act.entry().detail("sessions_ended", ended);
        act.tell(person, NoticeKind::PasswordChanged, "", None).await?;
        Ok(true)
    }
}

impl Service {
    /// Replaces the password of the person who asks, who has to know the present one.
    pub async fn change_password(&self, request: &Request, present: String, chosen: String) -> Result<()> {
        let Caller::Person(person) = &request.caller else { return Err(Refusal::NotSignedIn.into()) };
        let tries = self.count_try(request, Trying::Confirm(person.id)).await?;
        // A sign-in may put a newer hash of the same password in the place of the one that is compared with.
        for _ in 0..2 {
            let row = self.store.read().await?.person_by_id(person.id).await?;
            let hash = row.and_then(|row| row.password_hash);
            let fits =
                present.len() <= PASSWORD_LIMIT && secret::verify_password(present.clone(), hash.clone()).await?;
            let Some(before) = hash.filter(|_| fits) else {
                let mut entry = Entry::new(AuditKind::PasswordSet);
                entry.detail("person", person.id.to_string());
                tries.tell(&mut entry);
                let refusal = Refusal::field("/present", "This is not your password.");
                self.record_refusal(request, entry, &refusal).await?;
                return Err(refusal.into());
            };
            let mut problems = Vec::new();
            check(&chosen, &[&person.name, &person.email], &mut problems);
            if !problems.is_empty() {
                return Err(Refusal::Invalid(problems).into());
            }
            let after = secret::hash_password(chosen.clone()).await?;
            if self.run(request, ChangePassword { before, after, tries: &tries }).await? {
                return Ok(());
            }
        }
        Err(Refusal::ChangedMeanwhile { what: "Your password" }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(password: &str) -> Option<String> {
        let mut problems = Vec::new();
        check(password, &["Amara Okafor", "amara@example.com"], &mut problems);
        problems.pop().map(|problem| problem.message)
    }

    #[test]
    fn what_is_easy_to_guess_is_refused_with_a_reason() {
        for weak in [
            "short",
            "passwordpassword",
            "aaaaaaaaaaaaaaaa",
            "amara@example.com",
            "qwertyuiop12",
            "123456789012345",
            "Amara Okafor 1",
        ] {
            assert!(wrong(weak).is_some(), "{weak}");
        }
        for strong in [
            "correct horse battery",
            "a herring in the attic",
            "påskelørdag på fjellet",
            &("herring attic noon ".to_owned() + &"x".repeat(900)),
        ] {
            assert_eq!(wrong(strong), None, "{strong}");
        }
        assert!(wrong(&"x".repeat(2_000)).unwrap().contains("at most"));
    }
}
