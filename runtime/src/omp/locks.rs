//! Locks (OpenMP 5.0, 3.3). A program whose parallel regions have one thread can still have threads of its
//! own, so locks exclude them; a thread that sets a simple lock it already holds would wait for ever, which
//! is an error.

use crate::fatal::fatal;
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// `omp_lock_t`: 0, or the number of the thread that holds the lock.
#[repr(C)]
pub struct Lock {
    holder: AtomicI32,
}

/// `omp_nest_lock_t`: a lock, and how often its holder has set it.
#[repr(C)]
pub struct NestLock {
    lock: Lock,
    count: c_int,
    unused: *mut u8,
}

const FREE: c_int = 0;
/// How often a thread lets others run before it begins to sleep between attempts.
const YIELDS: u32 = 64;

/// A number for this thread, not 0.
fn this_thread() -> c_int {
    static LAST: AtomicI32 = AtomicI32::new(0);
    thread_local! {
        static NUMBER: Cell<c_int> = const { Cell::new(FREE) };
    }
    let known = NUMBER.get();
    if known != FREE {
        return known;
    }
    // After 2^32 threads a number could come back while its first bearer lives; 0 is skipped even then.
    let number = match LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1) {
        FREE => LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1),
        number => number,
    };
    NUMBER.set(number);
    number
}

impl Lock {
    fn try_take(&self) -> bool {
        self.holder.compare_exchange(FREE, this_thread(), Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn take(&self) {
        let mut attempts = 0;
        while !self.try_take() {
            if attempts < YIELDS {
                std::thread::yield_now();
            } else {
                std::thread::sleep(Duration::from_micros(50));
            }
            attempts += 1;
        }
    }

    fn is_mine(&self) -> bool {
        self.holder.load(Ordering::Relaxed) == this_thread()
    }

    fn free(&self) {
        self.holder.store(FREE, Ordering::Release);
    }
}

/// `omp_init_lock`, `omp_unset_lock`, `omp_destroy_lock`.
///
/// # Safety
/// `lock` points to an `omp_lock_t`.
pub unsafe extern "C" fn clear_lock(lock: *const Lock) {
    // SAFETY: the caller's promise.
    unsafe { &*lock }.free();
}

/// `omp_init_lock_with_hint`: hints change nothing.
///
/// # Safety
/// `lock` points to an `omp_lock_t`.
pub unsafe extern "C" fn omp_init_lock_with_hint(lock: *const Lock, _hint: c_int) {
    // SAFETY: the caller's promise.
    unsafe { clear_lock(lock) };
}

/// `omp_set_lock`.
///
/// # Safety
/// `lock` points to an `omp_lock_t` that was initialised.
pub unsafe extern "C" fn omp_set_lock(lock: *const Lock) {
    // SAFETY: the caller's promise.
    let lock = unsafe { &*lock };
    if lock.is_mine() {
        fatal(format_args!("omp_set_lock: this thread already holds the lock, and would wait for itself"));
    }
    lock.take();
}

/// `omp_test_lock`.
///
/// # Safety
/// `lock` points to an `omp_lock_t` that was initialised.
pub unsafe extern "C" fn omp_test_lock(lock: *const Lock) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { &*lock }.try_take().into()
}

/// `omp_init_nest_lock`, `omp_destroy_nest_lock`.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t`.
pub unsafe extern "C" fn clear_nest_lock(lock: *mut NestLock) {
    // SAFETY: the caller's promise.
    unsafe {
        (*lock).count = 0;
        (*lock).unused = std::ptr::null_mut();
        (*lock).lock.free();
    }
}

/// `omp_init_nest_lock_with_hint`: hints change nothing.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t`.
pub unsafe extern "C" fn omp_init_nest_lock_with_hint(lock: *mut NestLock, _hint: c_int) {
    // SAFETY: the caller's promise.
    unsafe { clear_nest_lock(lock) };
}

/// `omp_set_nest_lock`.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t` that was initialised.
pub unsafe extern "C" fn omp_set_nest_lock(lock: *mut NestLock) {
    // SAFETY: the caller's promise; the count is touched only by the thread that holds the lock.
    unsafe {
        if !(*lock).lock.is_mine() {
            (*lock).lock.take();
        }
        (*lock).count += 1;
    }
}

/// `omp_unset_nest_lock`.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t` that this thread holds.
pub unsafe extern "C" fn omp_unset_nest_lock(lock: *mut NestLock) {
    // SAFETY: the caller's promise.
    unsafe {
        (*lock).count -= 1;
        if (*lock).count <= 0 {
            (*lock).lock.free();
        }
    }
}

/// `omp_test_nest_lock`: how often the thread holds it then; 0 if another one does.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t` that was initialised.
pub unsafe extern "C" fn omp_test_nest_lock(lock: *mut NestLock) -> c_int {
    // SAFETY: the caller's promise; the count is touched only by the thread that holds the lock.
    unsafe {
        if !(*lock).lock.is_mine() && !(*lock).lock.try_take() {
            return 0;
        }
        (*lock).count += 1;
        (*lock).count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::UnsafeCell;

    #[test]
    fn simple() {
        let lock = Lock { holder: AtomicI32::new(99) };
        // SAFETY: a lock.
        unsafe {
            clear_lock(&lock);
            omp_set_lock(&lock);
            assert_eq!(omp_test_lock(&lock), 0);
            clear_lock(&lock);
            assert_eq!(omp_test_lock(&lock), 1);
        }
    }

    #[test]
    fn nested() {
        let mut lock =
            NestLock { lock: Lock { holder: AtomicI32::new(5) }, count: 7, unused: std::ptr::null_mut() };
        let lock: *mut NestLock = &mut lock;
        // SAFETY: a lock.
        unsafe {
            clear_nest_lock(lock);
            omp_set_nest_lock(lock);
            omp_set_nest_lock(lock);
            assert_eq!(omp_test_nest_lock(lock), 3);
            omp_unset_nest_lock(lock);
            omp_unset_nest_lock(lock);
            assert!((*lock).lock.is_mine());
            omp_unset_nest_lock(lock);
            assert!(!(*lock).lock.is_mine());
        }
        assert_eq!((size_of::<Lock>(), size_of::<NestLock>()), (4, 16));
    }

    #[test]
    fn threads_exclude_each_other() {
        struct Shared(Lock, UnsafeCell<u64>);
        // SAFETY: the cell is touched under the lock only.
        unsafe impl Sync for Shared {}
        let shared = Shared(Lock { holder: AtomicI32::new(FREE) }, UnsafeCell::new(0));
        let (threads, rounds) = (4, 1000);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let shared = &shared;
                scope.spawn(move || {
                    for _ in 0..rounds {
                        // SAFETY: a lock, and what it protects.
                        unsafe {
                            omp_set_lock(&shared.0);
                            *shared.1.get() += 1;
                            clear_lock(&shared.0);
                        }
                    }
                });
            }
        });
        assert_eq!(shared.1.into_inner(), threads * rounds);
    }
}
