//! The assembled application over HTTP, told as journeys. Each runs on SQLite and on PostgreSQL, with a clock that
//! stands still until it is moved.

mod app;
mod batches;
mod broken;
mod browser;
mod databases;
mod effects;
mod limits;
mod payloads;
mod reports;
mod wire;
mod words;
