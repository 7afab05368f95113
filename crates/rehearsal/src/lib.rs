//! Rehearsals: business systems that really keep records and can really fail, automations that work against them, and a
//! demonstration that fills a new installation. Everything here reaches Recourse through its public HTTP API only.
//!
//! | module | is |
//! |---|---|
//! | [`systems`] | the fake ledger, CRM, mail service and warehouse, their faults, a mail server, and the sink that can misbehave in any way |
//! | [`client`], [`report`] | the public API as an automation uses it; report texts that keep a payload's bytes |
//! | [`automations`] | integrations that do work and report what they could not finish |
//! | [`samples`] | documents as real systems send them |
//! | [`workflows`] | the definitions of the demonstration's workflows |
//! | [`demonstration`] | fills the queues, then keeps them alive |

use std::sync::Arc;

use chrono::{DateTime, Utc};

pub mod automations;
pub mod client;
pub mod demonstration;
mod outgoing;
pub mod report;
pub mod samples;
pub mod systems;
pub mod workflows;

/// The clock, passed in by whoever starts something here. Nothing in this crate reads the machine's own.
pub type Now = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;
