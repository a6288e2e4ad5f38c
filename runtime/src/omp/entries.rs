//! The routines that compiled code calls within teams and for tasks, by names that no program has;
//! `docs/design/tasks.md` lists them.

use crate::fatal::{fatal, warn};
use crate::gangs::team::{meet, team_thread};
use crate::task::clauses::Clauses;
use crate::task::create::taskwait_depend;
use crate::task::{events, wait};
use crate::team::league::League;
use crate::team::member::current;
use crate::team::{barrier, cancel, doacross, exclusive, lock, loops};
use std::ffi::{CStr, c_char, c_int, c_long, c_ulong, c_void};
use std::sync::atomic::AtomicU32;

/// Begins a worksharing loop.
///
/// # Safety
/// `from` and `to` lead to places for a number.
pub unsafe extern "C" fn loop_start(
    _place: *const c_char,
    schedule: c_int,
    chunk: c_long,
    trip: c_ulong,
    from: *mut c_ulong,
    to: *mut c_ulong,
) -> c_int {
    let range = match team_thread() {
        Some(thread) => Some(loops::neighbours(trip, thread.number.into(), thread.size.into()))
            .filter(|(first, end)| first < end),
        None => loops::start(current(), schedule, chunk, trip),
    };
    // SAFETY: the caller's promise.
    unsafe { write(range, from, to) }
}

/// The thread's next range of iterations.
///
/// # Safety
/// As for [`loop_start`].
pub unsafe extern "C" fn loop_next(from: *mut c_ulong, to: *mut c_ulong) -> c_int {
    // A thread of a gang's team has one range.
    let range = team_thread().is_none().then(|| loops::next(current())).flatten();
    // SAFETY: the caller's promise.
    unsafe { write(range, from, to) }
}

/// # Safety
/// As for [`loop_start`].
unsafe fn write(range: Option<(u64, u64)>, from: *mut c_ulong, to: *mut c_ulong) -> c_int {
    let Some((first, end)) = range else { return 0 };
    // SAFETY: the caller's promise.
    unsafe {
        from.write(first);
        to.write(end);
    }
    1
}

/// Memory that the threads of the loop have in common until the last of them leaves it: zeros at first. The
/// first to ask says how many bytes; the schedule has announced it.
pub extern "C" fn loop_memory(bytes: c_ulong) -> *mut c_void {
    loops::memory(current(), bytes as usize)
}

/// The thread has left the loop.
pub extern "C" fn loop_end() {
    if team_thread().is_none() {
        loops::end(current());
    }
}

/// An iteration begins whose `ordered` block may be in a function that it calls.
pub extern "C" fn ordered_iteration(iteration: c_ulong) {
    current().in_loop.in_callee.set(Some((iteration, false)));
}

/// An `ordered` block begins in a function, for whatever loop the thread is in.
pub extern "C" fn ordered_called() {
    loops::begin_called(current());
}

/// The iteration ends: if it had no block, it takes its turn now.
pub extern "C" fn ordered_left() {
    loops::leave_called(current());
}

/// An `ordered` block begins.
pub extern "C" fn ordered_start(iteration: c_ulong) {
    loops::begin_ordered(current(), iteration);
}

/// Its end.
pub extern "C" fn ordered_end() {
    loops::end_ordered(current());
}

/// The iterations of the next loop wait for single ones; each has `stride` iterations of the nest in it.
pub extern "C" fn doacross_start(stride: c_ulong) {
    current().doacross.set(stride);
}

/// Waits until this many iterations of the nest, in the order of the source, have got so far.
pub extern "C" fn doacross_wait(done: c_ulong) {
    doacross::wait(current(), done);
}

/// The iterations of the nest up to this number have got so far, as far as this thread executes them.
pub extern "C" fn doacross_post(done: c_ulong) {
    doacross::post(current(), done);
}

/// A league begins: how many teams, and threads of each, are asked for; 0 without.
pub extern "C" fn league_start(teams: c_int, limit: c_int) -> *mut c_void {
    let count = |asked: c_int| u32::try_from(asked).unwrap_or(0);
    Box::into_raw(Box::new(League::new(current(), count(teams), count(limit)))).cast()
}

/// Its next team begins. Without one, the league is over.
///
/// # Safety
/// The league is one of [`league_start`]'s that is not over.
pub unsafe extern "C" fn league_next(league: *mut c_void) -> c_int {
    let league = league.cast::<League>();
    // SAFETY: the caller's promise.
    let is_there = unsafe { &mut *league }.next(current());
    if !is_there {
        // SAFETY: as above.
        drop(unsafe { Box::from_raw(league) });
    }
    is_there.into()
}

/// `error at(execution)`: writes a message, which may be null, and ends the program if it is fatal.
///
/// # Safety
/// Both texts are C strings, or null.
pub unsafe extern "C" fn error(place: *const c_char, message: *const c_char, is_fatal: c_int) {
    let text = |text: *const c_char| match text.is_null() {
        true => String::new(),
        // SAFETY: the caller's promise.
        false => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
    };
    let message = match message.is_null() {
        true => format!("{}: error directive encountered", text(place)),
        false => format!("{}: error directive encountered: {}", text(place), text(message)),
    };
    match is_fatal != 0 {
        true => fatal(format_args!("{message}")),
        false => warn(format_args!("{message}")),
    }
}

/// Whether this thread executes a `single` block.
pub extern "C" fn single_start() -> c_int {
    match team_thread() {
        Some(thread) => (thread.number == 0).into(),
        None => exclusive::is_single(current()).into(),
    }
}

/// The thread of a `single` block with `copyprivate` hands an address to the team.
pub extern "C" fn copyprivate_give(list: *mut c_void) {
    exclusive::give(current(), list.cast());
}

/// The other threads get it.
pub extern "C" fn copyprivate_take() -> *mut c_void {
    exclusive::take(current()).cast()
}

/// `barrier`.
pub extern "C" fn barrier() {
    match team_thread() {
        Some(_) => meet(),
        None => _ = barrier::barrier(current()),
    }
}

/// `barrier` in a region that can be cancelled. Says whether it is.
pub extern "C" fn cancel_barrier() -> c_int {
    barrier::barrier(current()).into()
}

/// `cancel` with the condition of its `if`: whether the thread goes to the end of the construct.
pub extern "C" fn cancel(what: c_int, wanted: c_int) -> c_int {
    cancel::cancel(current(), what, wanted != 0).into()
}

/// `cancellation point`: the same.
pub extern "C" fn cancellation_point(what: c_int) -> c_int {
    cancel::point(current(), what).into()
}

/// A `critical` block begins.
///
/// # Safety
/// `lock` leads to the pointer of the block's name, which is null at first and only used here.
pub unsafe extern "C" fn critical_start(lock: *const AtomicU32) {
    // SAFETY: the caller's promise: the pointer is large enough for the word of a lock.
    lock::lock(unsafe { &*lock });
}

/// Its end.
///
/// # Safety
/// As for [`critical_start`].
pub unsafe extern "C" fn critical_end(lock: *const AtomicU32) {
    // SAFETY: as above.
    lock::unlock(unsafe { &*lock });
}

/// Of all teams: tasks of several may take part in one reduction.
static REDUCTION: AtomicU32 = AtomicU32::new(0);

/// The thread combines its private copies with the originals.
pub extern "C" fn reduce_start() {
    lock::lock(&REDUCTION);
}

/// It has done so.
pub extern "C" fn reduce_end() {
    lock::unlock(&REDUCTION);
}

/// `taskwait`.
pub extern "C" fn taskwait(_place: *const c_char) {
    wait::taskwait(current());
}

/// `taskwait` with dependences.
///
/// # Safety
/// `depends` leads to `count` dependences.
pub unsafe extern "C" fn taskwait_on(
    _place: *const c_char,
    depends: *const c_void,
    count: c_long,
    nowait: c_int,
) {
    let clauses = Clauses {
        depends: depends.expose_provenance() as u64,
        count: count.unsigned_abs(),
        flags: 0,
        priority: 0,
        event: 0,
    };
    // SAFETY: the caller's promise.
    unsafe { taskwait_depend(current(), &clauses, nowait != 0) };
}

/// A `taskgroup` begins.
pub extern "C" fn taskgroup_start() {
    wait::begin_group(current());
}

/// Its end.
pub extern "C" fn taskgroup_end() {
    wait::end_group(current());
}

/// The `taskloop` that comes next has so many tasks.
pub extern "C" fn taskloop(tasks: c_ulong) {
    current().tasks_of_loop.set(tasks);
}

/// The number of a task among those of its `taskloop`.
pub extern "C" fn task_number() -> c_ulong {
    current().task().number_in_loop.get()
}

/// A handle for the event of the task with `detach` that comes next.
pub extern "C" fn event() -> u64 {
    events::reserve()
}

/// `taskyield`.
pub extern "C" fn taskyield() {
    wait::taskyield(current());
}
