//! The interactive pieces: the only code that reaches the browser. Every page works without them.

mod arrivals;
mod copy;
mod keys;
mod local_times;
mod watch;

pub use arrivals::Arrivals;
pub use copy::Copy;
pub use keys::Keys;
pub use local_times::LocalTimes;
pub use watch::Watch;
