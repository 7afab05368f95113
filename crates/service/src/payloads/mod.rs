//! Payloads as people see and correct them: what a viewer may see of one, how two differ, what a correction would make, and
//! drafts.

pub mod bench;
pub mod difference;
pub mod draft;
pub mod preview;
pub mod reveal;
pub mod typed;

mod heavy;
pub(crate) mod sight;
