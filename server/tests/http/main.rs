//! The assembled application over HTTP, told as journeys. Each runs on SQLite and on PostgreSQL, with a clock that
//! stands still until it is moved.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "in a journey what goes wrong ends it")]

mod actions;
mod ageing;
mod amendments;
mod app;
mod approvals;
mod attempts;
mod authentication;
mod batches;
mod broken;
mod browser;
mod channels;
mod clearance;
mod correcting;
mod corrections;
mod coverage;
mod cross_site;
mod databases;
mod description;
mod dice;
mod documents;
mod effects;
mod first_admin;
mod kills;
mod late_news;
mod limits;
#[cfg(feature = "openid")]
mod openid;
mod pages;
mod payloads;
mod quarantine;
mod reading;
mod replay_page;
mod replays;
mod reports;
mod rights;
mod sign_in;
mod signing_in;
mod trail;
mod unavailable;
mod wire;
mod words;
