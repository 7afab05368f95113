//! The binary's parts: settings, wiring, and the doors (pages, forms, HTTP API, command line, jobs). No business rules.

pub mod cli;
mod forms;
pub mod jobs;
pub mod openid;
pub mod outbound;
mod rest;
pub mod settings;
mod web;
pub mod wiring;

pub use rest::openapi;
pub use web::router;
