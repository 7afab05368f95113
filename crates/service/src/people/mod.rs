//! People: accounts, signing in, the first admin.

pub mod add;
pub mod disable;
pub mod first_admin;
pub mod sign_in;
pub(crate) mod who;

pub use who::Account;

use domain::refusal::FieldProblem;

use crate::secret::{PASSWORD_LEAST, PASSWORD_LIMIT};

/// Checks an address as far as that can be done without sending to it.
fn check_email(email: &str, problems: &mut Vec<FieldProblem>) {
    let fits = email.len() <= 254
        && email
            .split_once('@')
            .is_some_and(|(local, host)| !local.is_empty() && !host.is_empty() && !host.contains('@'))
        && !email.chars().any(|c| c.is_whitespace() || c.is_control());
    if !fits {
        problems.push(FieldProblem::new("/email", "Give an e-mail address such as amara@example.com."));
    }
}

fn check_password(password: &str, problems: &mut Vec<FieldProblem>) {
    if password.chars().count() < PASSWORD_LEAST {
        problems.push(FieldProblem::new("/password", format!("Choose at least {PASSWORD_LEAST} characters.")));
    } else if password.len() > PASSWORD_LIMIT {
        problems.push(FieldProblem::new("/password", format!("Choose at most {PASSWORD_LIMIT} bytes.")));
    }
}

fn check_name(name: &str, problems: &mut Vec<FieldProblem>) {
    if let Err(wrong) = domain::text::key(name.trim(), 100) {
        problems.push(FieldProblem::new("/name", format!("The name {wrong}.")));
    }
}
