//! What the store promises, told as stories that run on SQLite and on PostgreSQL alike.
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a story what goes wrong ends it")]

mod databases;
mod drafts;
mod world;

mod activities;
mod approvals;
mod attempts;
mod audit;
mod channels;
mod contention;
mod forbidden;
mod halves;
mod identities;
mod invites;
mod items;
mod lists;
mod long_lists;
mod notices;
mod opening;
mod parity;
mod payloads;
mod people;
mod plans;
mod postings;
mod quarantine;
mod reports;
mod right_grants;
mod roles;
mod sessions;
mod settings;
mod statements;
mod teams;
mod throttles;
mod tokens;
mod two_step;
mod units_of_work;
mod work;
mod workflows;
