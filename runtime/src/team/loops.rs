//! Worksharing loops: which thread executes which iterations, and the order of `ordered` blocks.
//!
//! Iterations are counted from 0. A thread asks for a range, executes it, and asks for the next. With a
//! static schedule a thread knows its ranges by itself; with another, or `ordered`, the team has a record of
//! the loop. There are [`LOOPS`] records in turn: a thread that is so far ahead waits for the last one.

use super::doacross;
use super::icvs::{AUTO, DYNAMIC, GUIDED, MONOTONIC, STATIC};
use super::idle::wait_until;
use super::member::{Member, OwnLoop};
use super::shared_loop::SharedLoop;
use super::state::LOOPS;
use crate::fatal::fatal;
use crate::races::tasks as races;
use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering;

/// Schedules as compiled code numbers them; those behind 0 are as `omp_sched_t`.
const RUNTIME: c_int = 5;
const ORDERED: c_int = 16;
/// The threads have memory in common while they are in the loop.
const MEMORY: c_int = 32;
/// The loop can be cancelled, so that the team keeps a record of it.
const CANCELLABLE: c_int = 64;
/// All that is no kind of schedule.
const FLAGS: c_int = ORDERED | MEMORY | CANCELLABLE;

pub(super) fn shared<'a>(member: &'a Member, own: &OwnLoop) -> &'a SharedLoop {
    &member.team.loops[(own.number.get() % LOOPS as u64) as usize]
}

/// Begins a loop. Gives the thread's first range.
pub(crate) fn start(member: &Member, schedule: c_int, chunk: i64, trip: u64) -> Option<(u64, u64)> {
    let is_ordered = schedule & ORDERED != 0;
    let has_memory = schedule & MEMORY != 0;
    let is_cancellable = schedule & CANCELLABLE != 0;
    let (kind, chunk) = match schedule & !FLAGS {
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
    let stride = member.doacross.take();
    let is_shared = kind != STATIC || is_ordered || has_memory || is_cancellable || stride > 0;
    let own = &member.in_loop;
    own.kind.set(kind);
    own.is_ordered.set(is_ordered);
    own.in_callee.set(None);
    own.is_shared.set(is_shared);
    own.has_memory.set(has_memory);
    own.trip.set(trip);
    own.chunk.set(chunk);
    own.chunks.set(0);
    own.stride.set(stride);
    own.is_released.set(true);
    if is_shared {
        let number = member.loops.get();
        own.number.set(number);
        member.loops.set(number + 1);
        let shared = shared(member, own);
        wait_until(|| shared.turn.load(Ordering::Acquire) == number || member.team.is_cancelled());
        if member.team.is_cancelled() {
            // Not all threads will come here, and the record may be that of an earlier loop.
            own.kind.set(0);
            own.is_shared.set(false);
            own.is_ordered.set(false);
            own.stride.set(0);
            member.memory.free();
            return None;
        }
        if stride > 0 {
            doacross::begin(shared, own, member.team.size().into());
        }
    }
    next(member)
}

/// The thread has executed its range. Gives the next one.
pub(crate) fn next(member: &Member) -> Option<(u64, u64)> {
    let own = &member.in_loop;
    release(member, own);
    let range = match own.kind.get() {
        STATIC => static_range(own, member.number.into(), member.team.size().into()),
        DYNAMIC => {
            // Chunks are counted, not iterations, so that the number does not overflow.
            let given = shared(member, own).given.fetch_add(1, Ordering::Relaxed);
            let chunk = own.chunk.get();
            given.checked_mul(chunk).map(|from| (from, from.saturating_add(chunk)))
        }
        GUIDED => guided_range(shared(member, own), own, member.team.size().into()),
        _ => None,
    };
    let trip = own.trip.get();
    let range = range.map(|(from, to)| (from, to.min(trip))).filter(|(from, to)| from < to);
    own.chunks.set(own.chunks.get() + 1);
    own.is_released.set(range.is_none());
    if let Some(range) = range {
        own.range.set(range);
    }
    range
}

/// The thread has left the loop.
pub(crate) fn end(member: &Member) {
    let own = &member.in_loop;
    own.kind.set(0);
    if !own.is_shared.replace(false) {
        return;
    }
    release(member, own);
    own.is_ordered.set(false);
    let shared = shared(member, own);
    if shared.left.fetch_add(1, Ordering::AcqRel) + 1 == member.team.size() {
        if own.has_memory.get() {
            shared.memory.free();
        }
        shared.end_doacross();
        shared.given.store(0, Ordering::Relaxed);
        shared.ordered.store(0, Ordering::Relaxed);
        shared.left.store(0, Ordering::Relaxed);
        shared.cancelled.store(false, Ordering::Relaxed);
        shared.turn.store(own.number.get() + LOOPS as u64, Ordering::Release);
    }
}

/// Memory that the threads of a loop have in common until the last of them leaves it: zeros at first.
pub(crate) fn memory(member: &Member, bytes: usize) -> *mut c_void {
    let own = &member.in_loop;
    let memory = if own.is_shared.get() { &shared(member, own).memory } else { &member.memory };
    memory.get(bytes).cast()
}

/// The range of a static schedule: without a chunk, threads have one each, of nearly the same size.
fn static_range(own: &OwnLoop, thread: u64, threads: u64) -> Option<(u64, u64)> {
    let (chunk, chunks) = (own.chunk.get(), own.chunks.get());
    if chunk > 0 {
        let from = chunks.checked_mul(threads)?.checked_add(thread)?.checked_mul(chunk)?;
        return Some((from, from.saturating_add(chunk)));
    }
    if chunks > 0 {
        return None;
    }
    Some(neighbours(own.trip.get(), thread, threads))
}

/// The iterations of a thread where each has one range of neighbours, of nearly the same size.
pub(crate) fn neighbours(trip: u64, thread: u64, threads: u64) -> (u64, u64) {
    let (size, larger) = (trip / threads, trip % threads);
    let from = thread * size + thread.min(larger);
    (from, from + size + u64::from(thread < larger))
}

/// The range of a guided schedule: an equal share of what is left, but for a last chunk.
fn guided_range(shared: &SharedLoop, own: &OwnLoop, threads: u64) -> Option<(u64, u64)> {
    let mut from = shared.given.load(Ordering::Relaxed);
    loop {
        let left = own.trip.get().saturating_sub(from);
        if left == 0 {
            return None;
        }
        let size = left.div_ceil(threads).max(own.chunk.get()).min(left);
        match shared.given.compare_exchange_weak(from, from + size, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return Some((from, from + size)),
            Err(now) => from = now,
        }
    }
}

/// The `ordered` block of an iteration begins: those of all iterations before are over.
pub(crate) fn begin_ordered(member: &Member, iteration: u64) {
    let own = &member.in_loop;
    if own.is_ordered.get() {
        wait_for_turn(member, shared(member, own), own);
        own.iteration.set(iteration);
    }
}

/// The same in a function that knows nothing of the loop. Outside of loops with `ordered` no block waits.
pub(crate) fn begin_called(member: &Member) {
    let own = &member.in_loop;
    if !own.is_ordered.get() {
        return;
    }
    let Some((iteration, _)) = own.in_callee.get() else {
        fatal(format_args!(
            "an `ordered` block in a function whose loop is in the caller: that is not supported where the \
             loop itself has an `ordered` block, too"
        ));
    };
    own.in_callee.set(Some((iteration, true)));
    begin_ordered(member, iteration);
}

/// An iteration that may have had such a block is over.
pub(crate) fn leave_called(member: &Member) {
    let own = &member.in_loop;
    if let Some((iteration, false)) = own.in_callee.get() {
        begin_ordered(member, iteration);
        end_ordered(member);
    }
}

/// Its end. Behind the last iteration of its range, the thread lets others go on before it asks for the next.
pub(crate) fn end_ordered(member: &Member) {
    let own = &member.in_loop;
    let (_, to) = own.range.get();
    if own.is_ordered.get() && own.iteration.get() + 1 == to {
        let shared = shared(member, own);
        races::releases(shared);
        shared.ordered.store(to, Ordering::Release);
        own.is_released.set(true);
    }
}

/// The thread has executed its range: in loops with `ordered`, the threads of later ranges need not wait for
/// it any more.
fn release(member: &Member, own: &OwnLoop) {
    if own.is_ordered.get() && !own.is_released.get() {
        let (shared, (_, to)) = (shared(member, own), own.range.get());
        wait_for_turn(member, shared, own);
        races::releases(shared);
        shared.ordered.store(to, Ordering::Release);
    }
}

/// Waits for the ranges in front of the thread's own one.
fn wait_for_turn(member: &Member, shared: &SharedLoop, own: &OwnLoop) {
    let (from, _) = own.range.get();
    wait_until(|| shared.ordered.load(Ordering::Acquire) == from || member.team.is_cancelled());
    races::acquires(shared);
}
