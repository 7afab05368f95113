//! The words and rules of Recourse. Pure: no I/O, no clock, no randomness.
//!
//! Everything that decides something about an item, a person or a report lives here, so that the pages, the API,
//! jobs and tests ask the same function. The rules R1–R20 are described in `docs/rules.md`.

mod word;

pub mod access;
pub mod ageing;
pub mod approval;
pub mod attempt;
pub mod audit;
pub mod channel;
pub mod digest;
pub mod document;
pub mod effect;
pub mod failure;
pub mod finding;
pub mod governance;
pub mod ids;
pub mod item;
pub mod late_news;
pub mod mention;
pub mod moves;
pub mod network;
pub mod notice;
pub mod permission;
pub mod quiet;
pub mod refusal;
pub mod replay;
pub mod report;
pub mod role;
pub mod sensitivity;
pub mod span;
pub mod text;
pub mod workflow;

pub use word::UnknownWord;
