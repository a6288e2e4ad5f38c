//! One lock for atomic operations on types wider than eight bytes.

use std::sync::atomic::{AtomicBool, Ordering};

static LOCK: AtomicBool = AtomicBool::new(false);

/// Takes the lock. Sections are a handful of instructions, so waiting is spinning.
pub(crate) extern "C" fn lock() {
    let mut spins = 0_u32;
    while LOCK.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
        spins = spins.wrapping_add(1);
        if spins.is_multiple_of(64) {
            std::thread::yield_now();
        } else {
            std::hint::spin_loop();
        }
    }
}

/// Releases the lock.
pub(crate) extern "C" fn unlock() {
    LOCK.store(false, Ordering::Release);
}
