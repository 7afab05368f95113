//! The Leptos application. Pages and their building blocks exist on the server only; what reaches the browser as wasm
//! is `islands`, and the server functions in `calls` that they ask.

// A page is one deeply nested type.
#![recursion_limit = "512"]
#![expect(unreachable_pub, reason = "what the component and island macros write is public")]

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
