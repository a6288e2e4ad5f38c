//! The run-time library routines of OpenMP 5.0, chapter 3, that programs with target tasks call, for one thread.

use std::ffi::{c_double, c_int, c_void};
use std::sync::OnceLock;
use std::time::Instant;

static START: OnceLock<Instant> = OnceLock::new();

/// `omp_get_wtime`: seconds since some time in the past.
pub extern "C" fn omp_get_wtime() -> c_double {
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// `omp_get_wtick`: seconds between ticks.
pub extern "C" fn omp_get_wtick() -> c_double {
    1e-9
}

/// Routines that answer "one": `omp_get_num_threads`, `omp_get_max_threads`, `omp_get_num_teams`, ...
pub extern "C" fn one() -> c_int {
    1
}

/// Routines that answer "zero" or "no": `omp_get_thread_num`, `omp_in_parallel`, `omp_get_num_devices`, ...
pub extern "C" fn zero() -> c_int {
    0
}

/// Routines that set what has no effect with one thread: `omp_set_num_threads`, `omp_set_dynamic`, ...
pub extern "C" fn ignore(_value: c_int) {}

/// `omp_get_num_procs`.
pub extern "C" fn omp_get_num_procs() -> c_int {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(c_int::MAX as usize) as c_int)
}

/// `omp_target_alloc`.
pub extern "C" fn omp_target_alloc(bytes: usize, _device: c_int) -> *mut c_void {
    crate::api::memory::acc_malloc(bytes)
}

/// `omp_target_free`.
///
/// # Safety
/// The address is one of `omp_target_alloc`'s, or null.
pub unsafe extern "C" fn omp_target_free(address: *mut c_void, _device: c_int) {
    // SAFETY: the caller's promise.
    unsafe { crate::api::memory::acc_free(address) };
}

/// `omp_target_is_present`.
pub extern "C" fn omp_target_is_present(_address: *const c_void, _device: c_int) -> c_int {
    1
}

/// `omp_target_memcpy`; 0 is success.
///
/// # Safety
/// As for `memmove` of the two places that the offsets lead to.
pub unsafe extern "C" fn omp_target_memcpy(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_offset: usize,
    from_offset: usize,
    _to_device: c_int,
    _from_device: c_int,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let to = to.cast::<u8>().add(to_offset).cast();
        let from = from.cast::<u8>().add(from_offset).cast();
        libc::memmove(to, from, bytes);
    }
    0
}

/// Takes a lock: the flag goes from 0 to 1. With one OpenMP thread a lock that is taken already would wait for ever, so
/// that is an error.
///
/// # Safety
/// `lock` points to an `omp_lock_t`.
pub unsafe extern "C" fn omp_set_lock(lock: *mut c_int) {
    // SAFETY: the caller's promise.
    let taken = unsafe { std::ptr::replace(lock, 1) };
    if taken != 0 {
        crate::fatal::fatal(format_args!("omp_set_lock: the only thread already holds this lock"));
    }
}

/// `omp_test_lock`.
///
/// # Safety
/// `lock` points to an `omp_lock_t`.
pub unsafe extern "C" fn omp_test_lock(lock: *mut c_int) -> c_int {
    // SAFETY: the caller's promise.
    let taken = unsafe { std::ptr::replace(lock, 1) };
    c_int::from(taken == 0)
}

/// `omp_init_lock`, `omp_unset_lock`, `omp_destroy_lock`.
///
/// # Safety
/// `lock` points to an `omp_lock_t`.
pub unsafe extern "C" fn clear_lock(lock: *mut c_int) {
    // SAFETY: the caller's promise.
    unsafe { lock.write(0) };
}
