//! The numbers by which programs name queues, in `async` and `wait` clauses and in routines.

use crate::abi::{ASYNC_NOVAL, ASYNC_SYNC};
use crate::fatal::fatal;
use std::cell::Cell;
use std::ffi::c_int;

/// `acc_async_default`: in a call that sets the default queue, it restores the initial one.
pub(crate) const ASYNC_DEFAULT: c_int = -3;

/// Stands for the queue of a target task, which the program has no number for.
pub(crate) const QUEUE_OF_TASK: i64 = i64::MIN + 2;

thread_local! {
    static DEFAULT: Cell<c_int> = const { Cell::new(ASYNC_NOVAL as c_int) };
}

/// Whether a number is one that `async` and `wait` may have: not negative, or one of the special values.
fn is_queue(queue: i64) -> bool {
    queue >= i64::from(ASYNC_DEFAULT)
}

/// Ends the program unless the number is one that `async` and `wait` may have.
pub(crate) fn require_queue(queue: i64) {
    if !is_queue(queue) {
        fatal(format_args!("invalid async-argument: {queue}"));
    }
}

/// The queue of `async` without argument, for this thread.
pub(crate) fn default_queue() -> c_int {
    DEFAULT.get()
}

/// Changes the queue of `async` without argument, for this thread; [`ASYNC_DEFAULT`] resets it.
pub(crate) fn set_default_queue(queue: c_int) {
    require_queue(queue.into());
    DEFAULT.set(if queue == ASYNC_DEFAULT { ASYNC_NOVAL as c_int } else { queue });
}

/// The number of the queue that an `async` argument means on this thread: `None` stands for synchronous.
pub(crate) fn resolve(number: i64) -> Option<i64> {
    let number = if number == ASYNC_SYNC || number >= 0 { number } else { default_queue().into() };
    (number != ASYNC_SYNC).then_some(if number < 0 { ASYNC_NOVAL } else { number })
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
    fn numbers_without_a_queue_of_their_own() {
        assert_eq!(resolve(ASYNC_SYNC), None);
        assert_eq!(resolve(0), Some(0));
        assert_eq!(resolve(ASYNC_NOVAL), Some(ASYNC_NOVAL));
        set_default_queue(7);
        assert_eq!((resolve(ASYNC_NOVAL), resolve(3)), (Some(7), Some(3)));
        set_default_queue(ASYNC_SYNC as c_int);
        assert_eq!(resolve(ASYNC_NOVAL), None);
    }
}
