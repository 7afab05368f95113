//! The rehearsal systems really keep records and really fail; the automations report what they should; bytes stay bytes.

mod automations;
mod demonstration;
mod faults;
mod keys;
mod outside;
mod recourse_double;
mod report_text;
mod samples;
mod sink;
mod workflows;
