//! Locks (OpenMP 5.2, 18.9). A simple lock is a number that says which thread holds it, a nestable one knows
//! the task, too. A thread that sets a lock which it already holds, in this task or in one below on its
//! stack, would wait for ever: that is an error.

use crate::fatal::fatal;
use crate::races::tasks as races;
use crate::team::idle::{Idle, sleep_while, wake};
use crate::team::member::current;
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering};

/// `omp_lock_t`: 0, or twice the number of the thread that holds the lock, plus [`AWAITED`].
#[repr(C)]
pub struct Lock {
    state: AtomicU32,
}

/// `omp_nest_lock_t`: a lock, how often its holder has set it, and the task that is the holder. Both are used
/// by the thread that has the lock only.
#[repr(C)]
pub struct NestLock {
    lock: Lock,
    count: Cell<c_int>,
    owner: Cell<*const ()>,
}

const FREE: u32 = 0;
/// Some thread may sleep until the lock is free.
const AWAITED: u32 = 1;

/// Twice a number for this thread, not 0.
fn this_thread() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    thread_local! {
        static NUMBER: Cell<u32> = const { Cell::new(FREE) };
    }
    while NUMBER.get() == FREE {
        // After 2^31 threads a number could come back while its first bearer lives.
        NUMBER.set(LAST.fetch_add(2, Ordering::Relaxed).wrapping_add(2));
    }
    NUMBER.get()
}

impl Lock {
    fn try_take(&self) -> bool {
        let is_taken =
            self.state.compare_exchange(FREE, this_thread(), Ordering::Acquire, Ordering::Relaxed).is_ok();
        if is_taken {
            races::acquires(self);
        }
        is_taken
    }

    fn take(&self) {
        let mut idle = Idle::default();
        while !self.try_take() {
            if idle.pass() {
                return self.take_asleep();
            }
        }
    }

    /// Sleeps until the lock is free. Another thread may still sleep then: the lock remains awaited.
    fn take_asleep(&self) {
        let mine = this_thread() | AWAITED;
        loop {
            let state = self.state.load(Ordering::Relaxed);
            if state == FREE {
                if self.state.compare_exchange(FREE, mine, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                    return races::acquires(self);
                }
            } else if state & AWAITED != 0
                || self
                    .state
                    .compare_exchange(state, state | AWAITED, Ordering::Relaxed, Ordering::Relaxed)
                    .is_ok()
            {
                sleep_while(&self.state, state | AWAITED, None);
            }
        }
    }

    fn is_mine(&self) -> bool {
        self.state.load(Ordering::Relaxed) & !AWAITED == this_thread()
    }

    /// Gives the lock back. Says whether somebody had it.
    fn free(&self) -> bool {
        races::releases(self);
        let before = self.state.swap(FREE, Ordering::Release);
        if before & AWAITED != 0 {
            wake(&raw const self.state, 1);
        }
        before != FREE
    }
}

impl NestLock {
    /// The task that asks; it stays in its place while it may hold a lock.
    fn task() -> *const () {
        std::ptr::from_ref(current().task()).cast()
    }

    fn is_mine(&self) -> bool {
        self.lock.is_mine() && self.owner.get() == NestLock::task()
    }

    /// The lock has been taken, or set once more: how often it is set now.
    fn set(&self) -> c_int {
        self.owner.set(NestLock::task());
        self.count.set(self.count.get() + 1);
        self.count.get()
    }
}

/// `omp_init_lock`.
///
/// # Safety
/// `lock` points to an `omp_lock_t`.
pub unsafe extern "C" fn omp_init_lock(lock: *const Lock) {
    // SAFETY: the caller's promise.
    unsafe { &*lock }.state.store(FREE, Ordering::Release);
}

/// `omp_init_lock_with_hint`: hints change nothing.
///
/// # Safety
/// `lock` points to an `omp_lock_t`.
pub unsafe extern "C" fn omp_init_lock_with_hint(lock: *const Lock, _hint: c_int) {
    // SAFETY: the caller's promise.
    unsafe { omp_init_lock(lock) };
}

/// `omp_destroy_lock`.
///
/// # Safety
/// `lock` points to an `omp_lock_t` that was initialised.
pub unsafe extern "C" fn omp_destroy_lock(lock: *const Lock) {
    // SAFETY: the caller's promise.
    unsafe { omp_init_lock(lock) };
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

/// `omp_unset_lock`.
///
/// # Safety
/// `lock` points to an `omp_lock_t` that was initialised.
pub unsafe extern "C" fn omp_unset_lock(lock: *const Lock) {
    // SAFETY: the caller's promise.
    if !unsafe { &*lock }.free() {
        fatal(format_args!("omp_unset_lock: the lock is not set"));
    }
}

/// `omp_test_lock`.
///
/// # Safety
/// `lock` points to an `omp_lock_t` that was initialised.
pub unsafe extern "C" fn omp_test_lock(lock: *const Lock) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { &*lock }.try_take().into()
}

/// `omp_init_nest_lock`.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t`.
pub unsafe extern "C" fn omp_init_nest_lock(lock: *const NestLock) {
    // SAFETY: the caller's promise.
    let lock = unsafe { &*lock };
    lock.count.set(0);
    lock.owner.set(std::ptr::null());
    lock.lock.state.store(FREE, Ordering::Release);
}

/// `omp_init_nest_lock_with_hint`: hints change nothing.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t`.
pub unsafe extern "C" fn omp_init_nest_lock_with_hint(lock: *const NestLock, _hint: c_int) {
    // SAFETY: the caller's promise.
    unsafe { omp_init_nest_lock(lock) };
}

/// `omp_destroy_nest_lock`.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t` that was initialised.
pub unsafe extern "C" fn omp_destroy_nest_lock(lock: *const NestLock) {
    // SAFETY: the caller's promise.
    unsafe { omp_init_nest_lock(lock) };
}

/// `omp_set_nest_lock`.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t` that was initialised.
pub unsafe extern "C" fn omp_set_nest_lock(lock: *const NestLock) {
    // SAFETY: the caller's promise.
    let lock = unsafe { &*lock };
    if !lock.is_mine() {
        if lock.lock.is_mine() {
            fatal(format_args!(
                "omp_set_nest_lock: another task of this thread holds the lock, and cannot go on before this one"
            ));
        }
        lock.lock.take();
    }
    lock.set();
}

/// `omp_unset_nest_lock`.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t` that was initialised.
pub unsafe extern "C" fn omp_unset_nest_lock(lock: *const NestLock) {
    // SAFETY: the caller's promise.
    let lock = unsafe { &*lock };
    let count = lock.count.get();
    if count <= 0 {
        fatal(format_args!("omp_unset_nest_lock: the lock is not set"));
    }
    lock.count.set(count - 1);
    if count == 1 {
        lock.owner.set(std::ptr::null());
        lock.lock.free();
    }
}

/// `omp_test_nest_lock`: how often the task holds it then; 0 if another one does.
///
/// # Safety
/// `lock` points to an `omp_nest_lock_t` that was initialised.
pub unsafe extern "C" fn omp_test_nest_lock(lock: *const NestLock) -> c_int {
    // SAFETY: the caller's promise.
    let lock = unsafe { &*lock };
    if lock.is_mine() || lock.lock.try_take() { lock.set() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::UnsafeCell;

    const fn lock_in_state(state: u32) -> Lock {
        Lock { state: AtomicU32::new(state) }
    }

    #[test]
    fn simple() {
        let lock = lock_in_state(99);
        // SAFETY: a lock.
        unsafe {
            omp_init_lock(&lock);
            omp_set_lock(&lock);
            assert_eq!(omp_test_lock(&lock), 0);
            omp_unset_lock(&lock);
            assert_eq!(omp_test_lock(&lock), 1);
        }
    }

    #[test]
    fn nested() {
        let owner = Cell::new(std::ptr::null());
        let lock = NestLock { lock: lock_in_state(5), count: Cell::new(7), owner };
        // SAFETY: a lock.
        unsafe {
            omp_init_nest_lock(&lock);
            omp_set_nest_lock(&lock);
            omp_set_nest_lock(&lock);
            assert_eq!(omp_test_nest_lock(&lock), 3);
            omp_unset_nest_lock(&lock);
            omp_unset_nest_lock(&lock);
            assert!(lock.is_mine());
            omp_unset_nest_lock(&lock);
            assert!(!lock.is_mine());
        }
        assert_eq!((size_of::<Lock>(), size_of::<NestLock>()), (4, 16));
    }

    #[test]
    fn threads_exclude_each_other() {
        struct Shared(Lock, UnsafeCell<u64>);
        // SAFETY: the cell is touched under the lock only.
        unsafe impl Sync for Shared {}
        let shared = Shared(lock_in_state(FREE), UnsafeCell::new(0));
        let (threads, rounds) = (8, 20_000);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let shared = &shared;
                scope.spawn(move || {
                    for _ in 0..rounds {
                        // SAFETY: a lock, and what it protects.
                        unsafe {
                            omp_set_lock(&shared.0);
                            *shared.1.get() += 1;
                            omp_unset_lock(&shared.0);
                        }
                    }
                });
            }
        });
        assert_eq!(shared.1.into_inner(), threads * rounds);
    }
}
