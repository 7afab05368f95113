//! Work on a large payload holds up nobody else.

use tokio::runtime::{Handle, RuntimeFlavor};

/// Bytes above which reading a payload takes long enough to be felt by others.
const LARGE: usize = 1 << 18;

/// Works on a payload of `bytes` bytes. Of a large one the runtime is told, and goes on with other requests elsewhere.
pub(crate) fn heavy<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let has_others = || Handle::try_current().is_ok_and(|here| here.runtime_flavor() == RuntimeFlavor::MultiThread);
    if bytes > LARGE && has_others() { tokio::task::block_in_place(work) } else { work() }
}
