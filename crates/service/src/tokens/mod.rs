//! API tokens.

pub mod authenticate;
pub mod create;
pub mod read;
pub mod revoke;
