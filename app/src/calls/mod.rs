//! Server functions: only where an island needs data back. Each has a fixed address and answers with codes, never text.

pub mod arrivals;
