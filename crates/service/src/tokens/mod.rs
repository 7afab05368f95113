//! API tokens.

pub mod authenticate;
pub mod create;
