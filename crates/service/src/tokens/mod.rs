//! API tokens.

pub(crate) mod authenticate;
pub mod create;
