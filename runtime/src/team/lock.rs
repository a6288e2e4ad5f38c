//! Locks of threads that may wait for long: of `critical`, of reductions, of gangs that combine arrays.

use super::idle::{Idle, sleep_while, wake};
use crate::races::tasks as races;
use std::sync::atomic::{AtomicU32, Ordering};

const FREE: u32 = 0;
const TAKEN: u32 = 1;
/// Taken, and a thread may sleep until it is free.
const AWAITED: u32 = 2;

/// Takes a lock that is a zeroed word.
pub(crate) fn lock(word: &AtomicU32) {
    let mut idle = Idle::default();
    while word.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_err() {
        if idle.pass() {
            while word.swap(AWAITED, Ordering::Acquire) != FREE {
                sleep_while(word, AWAITED, None);
            }
            break;
        }
    }
    races::acquires(word);
}

/// Gives it back.
pub(crate) fn unlock(word: &AtomicU32) {
    races::releases(word);
    if word.swap(FREE, Ordering::Release) == AWAITED {
        wake(word, 1);
    }
}
