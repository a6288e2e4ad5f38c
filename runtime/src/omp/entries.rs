//! The routines that compiled code calls within teams and for tasks, by names that no program has;
//! `docs/design/tasks.md` lists them.

use crate::task::clauses::Clauses;
use crate::task::create::taskwait_depend;
use crate::task::{events, wait};
use crate::team::member::current;
use crate::team::{barrier, exclusive, loops};
use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};
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
    // SAFETY: the caller's promise.
    unsafe { write(loops::start(current(), schedule, chunk, trip), from, to) }
}

/// The thread's next range of iterations.
///
/// # Safety
/// As for [`loop_start`].
pub unsafe extern "C" fn loop_next(from: *mut c_ulong, to: *mut c_ulong) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { write(loops::next(current()), from, to) }
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

/// The thread has left the loop.
pub extern "C" fn loop_end() {
    loops::end(current());
}

/// An `ordered` block begins.
pub extern "C" fn ordered_start(iteration: c_ulong) {
    loops::begin_ordered(current(), iteration);
}

/// Its end.
pub extern "C" fn ordered_end() {
    loops::end_ordered(current());
}

/// Whether this thread executes a `single` block.
pub extern "C" fn single_start() -> c_int {
    exclusive::is_single(current()).into()
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
    barrier::barrier(current());
}

/// A `critical` block begins.
///
/// # Safety
/// `lock` leads to the pointer of the block's name, which is null at first and only used here.
pub unsafe extern "C" fn critical_start(lock: *const AtomicU32) {
    // SAFETY: the caller's promise: the pointer is large enough for the word of a lock.
    exclusive::lock(unsafe { &*lock });
}

/// Its end.
///
/// # Safety
/// As for [`critical_start`].
pub unsafe extern "C" fn critical_end(lock: *const AtomicU32) {
    // SAFETY: as above.
    exclusive::unlock(unsafe { &*lock });
}

/// The thread combines its private copies with the originals.
pub extern "C" fn reduce_start() {
    exclusive::lock(&current().team.reduction);
}

/// It has done so.
pub extern "C" fn reduce_end() {
    exclusive::unlock(&current().team.reduction);
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
    unsafe { taskwait_depend(current(), clauses, nowait != 0) };
}

/// A `taskgroup` begins.
pub extern "C" fn taskgroup_start() {
    wait::begin_group(current());
}

/// Its end.
pub extern "C" fn taskgroup_end() {
    wait::end_group(current());
}

/// A handle for the event of the task with `detach` that comes next.
pub extern "C" fn event() -> u64 {
    events::reserve()
}

/// `taskyield`.
pub extern "C" fn taskyield() {
    wait::taskyield(current());
}
