//! Queues (3.2.9 to 3.2.16): on the host everything is done when its call returns. What remains is to check arguments,
//! to remember the default queue, and to tell profiling libraries where the program waits.

use crate::abi::{ASYNC_NOVAL, ASYNC_SYNC};
use crate::device::{need, require_number};
use crate::fatal::fatal;
use crate::prof::{self, Activity, Construct};
use std::cell::Cell;
use std::ffi::c_int;

/// `acc_async_default`: in a call that sets the default queue, it restores the initial one.
const ASYNC_DEFAULT: c_int = -3;

thread_local! {
    static DEFAULT_QUEUE: Cell<c_int> = const { Cell::new(ASYNC_NOVAL as c_int) };
}

/// Whether a number is one that `async` and `wait` may have: not negative, or one of the special values.
pub(crate) fn is_queue(queue: i64) -> bool {
    queue >= i64::from(ASYNC_DEFAULT)
}

/// Ends the program unless the number is one that `async` and `wait` may have.
pub(crate) fn require_queue(queue: i64) {
    if !is_queue(queue) {
        fatal(format_args!("invalid async-argument: {queue}"));
    }
}

/// The host waits, on behalf of `parent`.
pub(crate) fn wait(queue: i64, parent: Construct) {
    require_queue(queue);
    need(parent);
    if let Some(span) = prof::start(Activity::Wait, parent, false, queue) {
        span.end();
    }
}

/// `acc_async_test`.
pub extern "C" fn acc_async_test(queue: c_int) -> c_int {
    require_queue(queue.into());
    1
}

/// `acc_async_test_device`.
pub extern "C" fn acc_async_test_device(queue: c_int, number: c_int) -> c_int {
    require_number(number);
    acc_async_test(queue)
}

/// `acc_async_test_all`.
pub extern "C" fn acc_async_test_all() -> c_int {
    1
}

/// `acc_async_test_all_device`.
pub extern "C" fn acc_async_test_all_device(number: c_int) -> c_int {
    require_number(number);
    1
}

/// `acc_wait`, `acc_async_wait`.
pub extern "C" fn acc_wait(queue: c_int) {
    wait(queue.into(), Construct::RuntimeApi);
}

/// `acc_wait_device`.
pub extern "C" fn acc_wait_device(queue: c_int, number: c_int) {
    require_number(number);
    acc_wait(queue);
}

/// `acc_wait_async`: one queue waits for another, the host does not.
pub extern "C" fn acc_wait_async(queue: c_int, waiting: c_int) {
    require_queue(queue.into());
    require_queue(waiting.into());
}

/// `acc_wait_device_async`.
pub extern "C" fn acc_wait_device_async(queue: c_int, waiting: c_int, number: c_int) {
    require_number(number);
    acc_wait_async(queue, waiting);
}

/// `acc_wait_all`, `acc_async_wait_all`.
pub extern "C" fn acc_wait_all() {
    wait(ASYNC_SYNC, Construct::RuntimeApi);
}

/// `acc_wait_all_device`.
pub extern "C" fn acc_wait_all_device(number: c_int) {
    require_number(number);
    acc_wait_all();
}

/// `acc_wait_all_async`.
pub extern "C" fn acc_wait_all_async(waiting: c_int) {
    require_queue(waiting.into());
}

/// `acc_wait_all_device_async`.
pub extern "C" fn acc_wait_all_device_async(waiting: c_int, number: c_int) {
    require_number(number);
    acc_wait_all_async(waiting);
}

/// `acc_wait_any`: the index of a queue that is done, which all are; -1 if there is none.
///
/// # Safety
/// `queues` points to `count` numbers.
pub unsafe extern "C" fn acc_wait_any(count: c_int, queues: *const c_int) -> c_int {
    let count = usize::try_from(count).unwrap_or(0);
    if count == 0 || queues.is_null() {
        return -1;
    }
    // SAFETY: the caller's promise.
    let queues = unsafe { std::slice::from_raw_parts(queues, count) };
    for &queue in queues {
        require_queue(queue.into());
    }
    wait(queues[0].into(), Construct::RuntimeApi);
    0
}

/// `acc_wait_any_device`.
///
/// # Safety
/// `queues` points to `count` numbers.
pub unsafe extern "C" fn acc_wait_any_device(count: c_int, queues: *const c_int, number: c_int) -> c_int {
    require_number(number);
    // SAFETY: the caller's promise.
    unsafe { acc_wait_any(count, queues) }
}

/// `acc_get_default_async`: the queue of `async` without argument, for this thread.
pub extern "C" fn acc_get_default_async() -> c_int {
    DEFAULT_QUEUE.get()
}

/// `acc_set_default_async`; `acc_async_default` resets it.
pub extern "C" fn acc_set_default_async(queue: c_int) {
    require_queue(queue.into());
    DEFAULT_QUEUE.set(if queue == ASYNC_DEFAULT { ASYNC_NOVAL as c_int } else { queue });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_numbers() {
        for valid in [-3, -2, -1, 0, 1982, i64::from(c_int::MAX)] {
            assert!(is_queue(valid));
        }
        for invalid in [-4, -100, i64::from(c_int::MIN)] {
            assert!(!is_queue(invalid));
        }
    }

    #[test]
    fn the_default_queue_belongs_to_the_thread() {
        assert_eq!(acc_get_default_async(), -1);
        acc_set_default_async(7);
        assert_eq!(acc_get_default_async(), 7);
        let other = std::thread::spawn(|| acc_get_default_async());
        assert_eq!(other.join().expect("the thread ends well"), -1);
        acc_set_default_async(ASYNC_DEFAULT);
        assert_eq!(acc_get_default_async(), -1);
    }

    #[test]
    fn everything_is_done() {
        assert_eq!((acc_async_test(3), acc_async_test_all(), acc_async_test_all_device(0)), (1, 1, 1));
        let queues = [4, 5];
        // SAFETY: two numbers; none.
        let (any, none) = unsafe { (acc_wait_any(2, queues.as_ptr()), acc_wait_any(0, std::ptr::null())) };
        assert_eq!((any, none), (0, -1));
    }
}
