//! The pages, one folder or file per place on the screen. They exist on the server only and ask `service` directly, so
//! nothing they read is ever serialised into the page.

mod admin;
mod alerts;
mod answer;
mod approvals;
mod audit;
mod corrections;
pub mod item;
mod link;
mod me;
mod notices;
mod place;
mod quarantine;
pub mod queue;
mod setup;
mod shell;
mod shift;
mod sign_in;
mod sign_in_more;
mod tokens;
mod trail;
mod trouble;

pub(crate) use place::Place;
pub use shell::{App, shell};
