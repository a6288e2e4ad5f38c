//! Threads, schedules, devices, time (OpenMP 5.0, 3.2, 3.4, 3.5).

use crate::fatal::fatal;
use std::cell::Cell;
use std::ffi::{c_double, c_int};
use std::sync::OnceLock;
use std::time::Instant;

static START: OnceLock<Instant> = OnceLock::new();

/// `omp_sched_dynamic`, the schedule of `schedule(runtime)` loops until the program sets another.
const SCHED_DYNAMIC: c_int = 2;
/// `omp_sched_auto`, the last kind; the sign bit is a modifier.
const SCHED_LAST: c_int = 4;
const SCHED_MONOTONIC: c_int = c_int::MIN;

thread_local! {
    static DYNAMIC: Cell<bool> = const { Cell::new(false) };
    static ACTIVE_LEVELS: Cell<c_int> = const { Cell::new(1) };
    static SCHEDULE: Cell<(c_int, c_int)> = const { Cell::new((SCHED_DYNAMIC, 1)) };
}

/// `omp_get_wtime`: seconds since some time in the past.
pub extern "C" fn omp_get_wtime() -> c_double {
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// `omp_get_wtick`: seconds between ticks.
pub extern "C" fn omp_get_wtick() -> c_double {
    1e-9
}

/// Routines that answer "one": `omp_get_num_threads`, `omp_get_max_threads`, ...
pub extern "C" fn one() -> c_int {
    1
}

/// Routines that answer "zero" or "no": `omp_get_thread_num`, `omp_in_parallel`, ...
pub extern "C" fn zero() -> c_int {
    0
}

/// Routines that set what has no effect with one thread: `omp_set_num_threads`.
pub extern "C" fn ignore(_value: c_int) {}

/// `omp_get_num_procs`.
pub extern "C" fn omp_get_num_procs() -> c_int {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(c_int::MAX as usize) as c_int)
}

/// `omp_set_dynamic`.
pub extern "C" fn omp_set_dynamic(on: c_int) {
    DYNAMIC.set(on != 0);
}

/// `omp_get_dynamic`.
pub extern "C" fn omp_get_dynamic() -> c_int {
    DYNAMIC.get().into()
}

/// `omp_set_max_active_levels`: no level is ever active, so that any limit is respected; it is clipped to the
/// number of levels that are supported, as OpenMP asks, and negative ones are ignored.
pub extern "C" fn omp_set_max_active_levels(levels: c_int) {
    if levels >= 0 {
        ACTIVE_LEVELS.set(levels.min(1));
    }
}

/// `omp_get_max_active_levels`.
pub extern "C" fn omp_get_max_active_levels() -> c_int {
    ACTIVE_LEVELS.get()
}

/// `omp_set_nested`: more levels than one are not supported.
pub extern "C" fn omp_set_nested(_on: c_int) {
    ACTIVE_LEVELS.set(1);
}

/// `omp_set_schedule`. A kind that does not exist is ignored; a chunk size below 1 stands for the default.
pub extern "C" fn omp_set_schedule(schedule: c_int, chunk: c_int) {
    if (1..=SCHED_LAST).contains(&(schedule & !SCHED_MONOTONIC)) {
        SCHEDULE.set((schedule, chunk.max(0)));
    }
}

/// `omp_get_schedule`.
///
/// # Safety
/// Both pointers lead to places for a number.
pub unsafe extern "C" fn omp_get_schedule(schedule: *mut c_int, chunk: *mut c_int) {
    let (known, size) = SCHEDULE.get();
    // SAFETY: the caller's promise.
    unsafe {
        schedule.write(known);
        chunk.write(size);
    }
}

/// `omp_get_ancestor_thread_num`: only level 0 exists.
pub extern "C" fn omp_get_ancestor_thread_num(level: c_int) -> c_int {
    if level == 0 { 0 } else { -1 }
}

/// `omp_get_team_size`: only level 0 exists.
pub extern "C" fn omp_get_team_size(level: c_int) -> c_int {
    if level == 0 { 1 } else { -1 }
}

/// `omp_pause_resource_t`.
const PAUSE_SOFT: c_int = 1;
const PAUSE_HARD: c_int = 2;

/// What `omp_pause_resource` answers for a device that exists: there is nothing to give back, and 0 says that
/// this worked.
pub(super) fn pause(kind: c_int) -> c_int {
    if matches!(kind, PAUSE_SOFT | PAUSE_HARD) { 0 } else { -1 }
}

/// `omp_pause_resource_all`.
pub extern "C" fn omp_pause_resource_all(kind: c_int) -> c_int {
    pause(kind)
}

/// `omp_fulfill_event`: events come from the `detach` clause of a task, and no task here has one.
pub extern "C" fn omp_fulfill_event(_event: usize) {
    fatal(format_args!("omp_fulfill_event: no task waits for this event"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> (c_int, c_int) {
        let (mut kind, mut chunk) = (0, 0);
        // SAFETY: two numbers.
        unsafe { omp_get_schedule(&mut kind, &mut chunk) };
        (kind, chunk)
    }

    #[test]
    fn settings_read_back() {
        assert_eq!(schedule(), (2, 1));
        omp_set_schedule(3, 16);
        assert_eq!(schedule(), (3, 16));
        omp_set_schedule(1 | SCHED_MONOTONIC, -1);
        assert_eq!(schedule(), (1 | SCHED_MONOTONIC, 0));
        omp_set_schedule(99, 1);
        assert_eq!(schedule(), (1 | SCHED_MONOTONIC, 0));
        omp_set_dynamic(5);
        assert_eq!(omp_get_dynamic(), 1);
        omp_set_max_active_levels(7);
        assert_eq!(omp_get_max_active_levels(), 1);
        omp_set_max_active_levels(0);
        omp_set_max_active_levels(-1);
        assert_eq!(omp_get_max_active_levels(), 0);
    }

    #[test]
    fn one_thread() {
        assert_eq!((omp_get_ancestor_thread_num(0), omp_get_ancestor_thread_num(1)), (0, -1));
        assert_eq!((omp_get_team_size(0), omp_get_team_size(-1)), (1, -1));
        assert_eq!((omp_pause_resource_all(1), omp_pause_resource_all(3)), (0, -1));
        assert!(omp_get_num_procs() >= 1);
        let before = omp_get_wtime();
        assert!(omp_get_wtime() >= before);
    }
}
