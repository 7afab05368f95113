//! The Leptos application. Pages and their building blocks exist on the server only; what reaches the browser as wasm
//! is `islands`, and the server functions in `calls` that they ask.
#![cfg_attr(feature = "ssr", expect(unreachable_pub, reason = "what the component macro writes is public"))]

pub mod calls;
pub mod islands;

mod age;

#[cfg(feature = "ssr")]
pub mod components;
#[cfg(feature = "ssr")]
pub mod pages;
#[cfg(feature = "ssr")]
pub mod paths;
#[cfg(feature = "ssr")]
pub mod visit;
