//! Workflows: registering them from a file, and meeting ones that nobody registered.

pub mod apply;
mod discover;

pub(crate) use discover::{find_or_discover, find_or_discover_step};
