//! How many threads can run at a time.

use std::sync::OnceLock;
use std::thread;

/// Processors that the process may use.
pub(crate) fn processors() -> u32 {
    static COUNT: OnceLock<u32> = OnceLock::new();
    *COUNT.get_or_init(|| {
        thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(u32::MAX))
    })
}
