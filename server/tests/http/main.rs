//! The assembled application over HTTP, told as journeys. Each runs on SQLite and on PostgreSQL, with a clock that
//! stands still until it is moved.

mod amendments;
mod app;
mod attempts;
mod batches;
mod broken;
mod browser;
mod databases;
mod effects;
mod late_news;
mod limits;
mod payloads;
mod reading;
mod reports;
mod wire;
mod words;
