//! What one thread does while others wait or go on: locks, `single` and `copyprivate`.

use super::barrier::barrier;
use super::idle::{Idle, sleep_while, wake};
use super::member::Member;
use std::ptr::null_mut;
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
            return;
        }
    }
}

/// Gives it back.
pub(crate) fn unlock(word: &AtomicU32) {
    if word.swap(FREE, Ordering::Release) == AWAITED {
        wake(word, 1);
    }
}

/// `single`: whether this thread is the one that executes the block.
pub(crate) fn is_single(member: &Member) -> bool {
    let number = member.singles.get();
    member.singles.set(number + 1);
    let singles = &member.team.singles;
    singles.compare_exchange(number, number + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

/// `copyprivate`, of the thread that has executed the block: hands an address to the team.
pub(crate) fn give(member: &Member, list: *mut u8) {
    member.team.copyprivate.store(list, Ordering::Release);
    barrier(member);
}

/// The same of the other threads: what that thread has handed over; null if the region is cancelled.
pub(crate) fn take(member: &Member) -> *mut u8 {
    match barrier(member) {
        true => null_mut(),
        false => member.team.copyprivate.load(Ordering::Acquire),
    }
}
