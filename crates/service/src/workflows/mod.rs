//! Workflows: registering them from a file, meeting ones that nobody registered, trying where they lead.

pub mod apply;
mod discover;
pub mod try_out;

pub(crate) use discover::{find_or_discover, find_or_discover_step};
