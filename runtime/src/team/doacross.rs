//! Loops whose iterations wait for single earlier ones (`ordered(n)` with `depend(sink:)`).
//!
//! The iterations of the nest have numbers in the order of the source; one of the loop that threads share has
//! [`OwnLoop::stride`] of them. The loop is divided into parts that one thread executes in order, chunks for
//! instance. For each part there is the number of the first iteration that is not published.

use super::idle::wait_until;
use super::loops::shared;
use super::member::{Member, OwnLoop};
use super::shared_loop::{Progress, SharedLoop};
use crate::fatal::fatal;
use crate::races::tasks as races;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

/// A thread comes to a loop.
pub(crate) fn begin(shared: &SharedLoop, own: &OwnLoop, threads: u64) {
    if own.trip.get().checked_mul(own.stride.get()).is_none() {
        fatal(format_args!("the loops of `ordered(n)` have more iterations than 64 bits can number"));
    }
    if own.trip.get() == 0 || !shared.doacross.load(Ordering::Acquire).is_null() {
        return;
    }
    let made =
        Box::into_raw(Box::new(Progress::new(own.kind.get(), own.chunk.get(), own.trip.get(), threads)));
    let kept = shared.doacross.compare_exchange(null_mut(), made, Ordering::AcqRel, Ordering::Acquire);
    if kept.is_err() {
        // SAFETY: another thread was faster, and nobody has seen this one.
        drop(unsafe { Box::from_raw(made) });
    }
}

/// The part that an iteration of the nest belongs to.
fn part_of(member: &Member, number: u64) -> Option<&AtomicU64> {
    let own = &member.in_loop;
    let iteration = number.checked_div(own.stride.get())?;
    // SAFETY: it stays until all threads, this one included, have left the loop.
    let progress = unsafe { shared(member, own).doacross.load(Ordering::Acquire).as_ref() }?;
    (iteration < own.trip.get()).then(|| progress.part(iteration))
}

/// Waits until the iteration in front of a number of the nest is published.
pub(crate) fn wait(member: &Member, done: u64) {
    if let Some(part) = done.checked_sub(1).and_then(|last| part_of(member, last)) {
        wait_until(|| part.load(Ordering::Acquire) >= done || member.team.is_cancelled());
        races::acquires(part);
    }
}

/// Publishes what is in front of a number of the nest.
pub(crate) fn post(member: &Member, done: u64) {
    if let Some(part) = done.checked_sub(1).and_then(|last| part_of(member, last)) {
        races::releases(part);
        part.fetch_max(done, Ordering::Release);
    }
}
