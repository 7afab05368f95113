//! Quarantine: reports that were refused, kept whole and worked like everything else (R17).

pub mod accept;
pub mod close;
pub(crate) mod keep;
pub mod read;
