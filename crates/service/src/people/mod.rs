//! People: their accounts, and what admins do with them.

pub mod add;
pub mod change;
pub mod first_admin;
pub mod invite;
pub mod leave;
pub mod read;
pub(crate) mod who;

pub use who::{Account, Visitor};

use domain::refusal::FieldProblem;

/// Checks an address as far as that can be done without sending to it.
pub(crate) fn check_email(email: &str, problems: &mut Vec<FieldProblem>) {
    let fits = email.len() <= 254
        && email
            .split_once('@')
            .is_some_and(|(local, host)| !local.is_empty() && !host.is_empty() && !host.contains('@'))
        && !email.chars().any(|c| c.is_whitespace() || c.is_control());
    if !fits {
        problems.push(FieldProblem::new("/email", "Give an e-mail address such as amara@example.com."));
    }
}

pub(crate) fn check_name(name: &str, problems: &mut Vec<FieldProblem>) {
    if let Err(wrong) = domain::text::key(name.trim(), 100) {
        problems.push(FieldProblem::new("/name", format!("The name {wrong}.")));
    }
}
