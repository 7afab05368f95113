//! The rehearsal systems really keep records and really fail; the automations report what they should; bytes stay bytes.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot be set up has failed")]

mod automations;
mod client;
mod demonstration;
mod faults;
mod keys;
mod outside;
mod recourse_double;
mod report_text;
mod samples;
mod sink;
mod workflows;
