//! The assembled application over HTTP, told as journeys. Each runs on SQLite and on PostgreSQL, with a clock that
//! stands still until it is moved.

mod actions;
mod amendments;
mod app;
mod attempts;
mod authentication;
mod batches;
mod broken;
mod browser;
mod cross_site;
mod databases;
mod effects;
mod first_admin;
mod late_news;
mod limits;
mod payloads;
mod reading;
mod reports;
mod signing_in;
mod wire;
mod words;
