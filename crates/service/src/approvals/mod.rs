//! What one person asks for and another decides (R11, R12): drawn up as one [`Bound`](domain::approval::Bound), asked for,
//! decided, and compared again before the first byte leaves. Whatever changes in between voids it.

pub mod decide;
pub mod read;
pub mod substitute;

pub(crate) mod ask;
pub(crate) mod draw;
pub(crate) mod given;
pub(crate) mod outside;
pub(crate) mod settle;
