//! Signing in and out: passwords, the second step, one-time links, identity providers, and confirming who one is.

pub mod identity;
pub mod link;
pub mod password;
pub mod sessions;
pub mod step_up;
pub mod tries;
pub mod two_step;

mod by_password;

pub(crate) use by_password::mark;
pub use by_password::{SignInStage, SignOut, SignedIn, Waiting};
