//! What one thread does while others wait or go on: `single` and `copyprivate`.

use super::barrier::barrier;
use super::member::Member;
use std::ptr::null_mut;
use std::sync::atomic::Ordering;

/// `single`: whether this thread is the one that executes the block.
pub(crate) fn is_single(member: &Member) -> bool {
    let number = member.singles.get();
    member.singles.set(number + 1);
    let singles = &member.team.singles;
    // Read first: an exchange takes the memory from the thread that was first even where it fails.
    singles.load(Ordering::Relaxed) == number
        && singles.compare_exchange(number, number + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok()
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
