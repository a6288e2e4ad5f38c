//! Worksharing loops: which thread executes which iterations, and the order of `ordered` blocks.
//!
//! Iterations are counted from 0. A thread asks for a range, executes it, and asks for the next. With a
//! static schedule a thread knows its ranges by itself; with another, or `ordered`, the team has a record of
//! the loop. There are [`LOOPS`] records in turn: a thread that is so far ahead waits for the last one.

use super::icvs::{AUTO, DYNAMIC, GUIDED, MONOTONIC, STATIC};
use super::idle::wait_until;
use super::member::{Member, OwnLoop};
use super::state::{LOOPS, SharedLoop};
use crate::fatal::fatal;
use std::ffi::c_int;
use std::sync::atomic::Ordering;

/// Schedules as compiled code numbers them; those behind 0 are as `omp_sched_t`.
const RUNTIME: c_int = 5;
const ORDERED: c_int = 16;

fn shared<'a>(member: &'a Member, own: &OwnLoop) -> &'a SharedLoop {
    &member.team.loops[(own.number % LOOPS as u64) as usize]
}

/// Begins a loop. Gives the thread's first range.
pub(crate) fn start(member: &Member, schedule: c_int, chunk: i64, trip: u64) -> Option<(u64, u64)> {
    let is_ordered = schedule & ORDERED != 0;
    let (kind, chunk) = match schedule & !ORDERED {
        RUNTIME => {
            let (kind, chunk) = member.task().icvs.get().schedule;
            (kind & !MONOTONIC, chunk.into())
        }
        kind => (kind, chunk),
    };
    let kind = match kind {
        AUTO => STATIC,
        STATIC | DYNAMIC | GUIDED => kind,
        other => fatal(format_args!("a loop with the unknown schedule {other}: the program is newer")),
    };
    let chunk = chunk.max(if kind == STATIC { 0 } else { 1 }).unsigned_abs();
    let is_shared = kind != STATIC || is_ordered;
    let number = member.loops.get();
    let own =
        OwnLoop { kind, is_ordered, is_shared, number, trip, chunk, is_released: true, ..OwnLoop::default() };
    if is_shared {
        member.loops.set(number + 1);
        let shared = shared(member, &own);
        wait_until(|| shared.turn.load(Ordering::Acquire) == number);
    }
    member.in_loop.set(own);
    next(member)
}

/// The thread has executed its range. Gives the next one.
pub(crate) fn next(member: &Member) -> Option<(u64, u64)> {
    let mut own = member.in_loop.get();
    release(member, &own);
    let range = match own.kind {
        STATIC => static_range(&own, member.number.into(), member.team.size().into()),
        DYNAMIC => {
            // Chunks are counted, not iterations, so that the number does not overflow.
            let given = shared(member, &own).given.fetch_add(1, Ordering::Relaxed);
            given.checked_mul(own.chunk).map(|from| (from, from.saturating_add(own.chunk)))
        }
        GUIDED => guided_range(shared(member, &own), &own, member.team.size().into()),
        _ => None,
    };
    let range = range.map(|(from, to)| (from, to.min(own.trip))).filter(|(from, to)| from < to);
    own.chunks += 1;
    if let Some((from, to)) = range {
        (own.from, own.to, own.is_released) = (from, to, false);
    } else {
        own.is_released = true;
    }
    member.in_loop.set(own);
    range
}

/// The thread has left the loop.
pub(crate) fn end(member: &Member) {
    let own = member.in_loop.take();
    if !own.is_shared {
        return;
    }
    release(member, &own);
    let shared = shared(member, &own);
    if shared.left.fetch_add(1, Ordering::AcqRel) + 1 == member.team.size() {
        shared.given.store(0, Ordering::Relaxed);
        shared.ordered.store(0, Ordering::Relaxed);
        shared.left.store(0, Ordering::Relaxed);
        shared.turn.store(own.number + LOOPS as u64, Ordering::Release);
    }
}

/// The range of a static schedule: without a chunk, threads have one each, of nearly the same size.
fn static_range(own: &OwnLoop, thread: u64, threads: u64) -> Option<(u64, u64)> {
    if own.chunk > 0 {
        let from = own.chunks.checked_mul(threads)?.checked_add(thread)?.checked_mul(own.chunk)?;
        return Some((from, from.saturating_add(own.chunk)));
    }
    let (size, larger) = (own.trip / threads, own.trip % threads);
    let from = thread * size + thread.min(larger);
    (own.chunks == 0).then_some((from, from + size + u64::from(thread < larger)))
}

/// The range of a guided schedule: an equal share of what is left, but for a last chunk.
fn guided_range(shared: &SharedLoop, own: &OwnLoop, threads: u64) -> Option<(u64, u64)> {
    let mut from = shared.given.load(Ordering::Relaxed);
    loop {
        let left = own.trip.saturating_sub(from);
        if left == 0 {
            return None;
        }
        let size = left.div_ceil(threads).max(own.chunk).min(left);
        match shared.given.compare_exchange_weak(from, from + size, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return Some((from, from + size)),
            Err(now) => from = now,
        }
    }
}

/// The `ordered` block of an iteration begins: those of all iterations before are over.
pub(crate) fn begin_ordered(member: &Member, iteration: u64) {
    let own = member.in_loop.get();
    if own.is_ordered {
        let shared = shared(member, &own);
        wait_until(|| shared.ordered.load(Ordering::Acquire) == own.from);
        member.in_loop.set(OwnLoop { iteration, ..own });
    }
}

/// Its end. Behind the last iteration of its range, the thread lets others go on before it asks for the next.
pub(crate) fn end_ordered(member: &Member) {
    let own = member.in_loop.get();
    if own.is_ordered && own.iteration + 1 == own.to {
        shared(member, &own).ordered.store(own.to, Ordering::Release);
        member.in_loop.set(OwnLoop { is_released: true, ..own });
    }
}

/// The thread has executed its range: in loops with `ordered`, the threads of later ranges need not wait for
/// it any more.
fn release(member: &Member, own: &OwnLoop) {
    if own.is_ordered && !own.is_released {
        let shared = shared(member, own);
        wait_until(|| shared.ordered.load(Ordering::Acquire) == own.from);
        shared.ordered.store(own.to, Ordering::Release);
    }
}
