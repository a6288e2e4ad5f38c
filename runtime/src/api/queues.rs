//! Queues (3.2.9 to 3.2.16). On a device that shares the program's memory everything is done when its call
//! returns; what remains is to check arguments, and to tell profiling libraries where the program waits.

use crate::abi::ASYNC_SYNC;
use crate::device::{Unit, current, need, need_unit, numbered};
use crate::memory::{Memory, Work};
use crate::notify;
use crate::plugin::Queue;
use crate::prof::{self, Activity};
use crate::queue_number::{default_queue, require_queue, set_default_queue};
use crate::site::{Site, Where};
use std::ffi::c_int;

/// The host waits for the queues of a device, all of them or one.
pub(crate) fn wait(unit: &'static Unit, queue: Option<i64>, site: Site<'_>) {
    if let Some(queue) = queue {
        require_queue(queue);
    }
    need_unit(unit, &site);
    let at = || Where { site, device: unit.id, queue: queue.unwrap_or(ASYNC_SYNC) };
    let span = prof::start(Activity::Wait, false, at);
    if let Some(memory) = unit.memory() {
        for (number, queue) in memory.queues_in_use(queue) {
            notify::host_waits(&site, number);
            memory.wait_for(queue, site);
        }
    }
    if let Some(span) = span {
        span.end();
    }
}

fn is_done(unit: &'static Unit, queue: Option<i64>) -> c_int {
    let site = Site::routine("acc_async_test");
    let done = unit.memory().is_none_or(|memory| {
        memory.queues_in_use(queue).iter().all(|&(_, queue)| memory.is_done(queue, site))
    });
    c_int::from(done)
}

/// `acc_async_test`.
pub extern "C" fn acc_async_test(queue: c_int) -> c_int {
    require_queue(queue.into());
    is_done(current(), Some(queue.into()))
}

/// `acc_async_test_device`.
pub extern "C" fn acc_async_test_device(queue: c_int, number: c_int) -> c_int {
    let unit = numbered(number);
    require_queue(queue.into());
    is_done(unit, Some(queue.into()))
}

/// `acc_async_test_all`.
pub extern "C" fn acc_async_test_all() -> c_int {
    is_done(current(), None)
}

/// `acc_async_test_all_device`.
pub extern "C" fn acc_async_test_all_device(number: c_int) -> c_int {
    is_done(numbered(number), None)
}

/// `acc_wait`, `acc_async_wait`.
pub extern "C" fn acc_wait(queue: c_int) {
    wait(current(), Some(queue.into()), Site::routine("acc_wait"));
}

/// `acc_wait_device`.
pub extern "C" fn acc_wait_device(queue: c_int, number: c_int) {
    let unit = numbered(number);
    wait(unit, Some(queue.into()), Site::routine("acc_wait_device"));
}

/// A queue of the current device waits for others, the host does not.
fn wait_async(unit: &'static Unit, queue: Option<i64>, waiting: i64, routine: &str) {
    queue.into_iter().chain([waiting]).for_each(require_queue);
    if let Some(memory) = unit.memory() {
        make_wait(waiting, memory, memory.queues_in_use(queue), Site::routine(routine));
    }
}

/// Lets a queue of the current device wait for those of a device. With nothing to wait for, the queue does
/// not begin to exist.
pub(crate) fn make_wait(waiting: i64, memory: &'static Memory, queues: Vec<(i64, Queue)>, site: Site<'_>) {
    if let Some(own) = need(&site).memory().filter(|_| !queues.is_empty()) {
        let work = Work::begin(own, waiting, site);
        work.wait_for_queues(memory, queues);
        work.end();
    }
}

/// `acc_wait_async`.
pub extern "C" fn acc_wait_async(queue: c_int, waiting: c_int) {
    wait_async(current(), Some(queue.into()), waiting.into(), "acc_wait_async");
}

/// `acc_wait_device_async`.
pub extern "C" fn acc_wait_device_async(queue: c_int, waiting: c_int, number: c_int) {
    wait_async(numbered(number), Some(queue.into()), waiting.into(), "acc_wait_device_async");
}

/// `acc_wait_all`, `acc_async_wait_all`.
pub extern "C" fn acc_wait_all() {
    wait(current(), None, Site::routine("acc_wait_all"));
}

/// `acc_wait_all_device`.
pub extern "C" fn acc_wait_all_device(number: c_int) {
    wait(numbered(number), None, Site::routine("acc_wait_all_device"));
}

/// `acc_wait_all_async`.
pub extern "C" fn acc_wait_all_async(waiting: c_int) {
    wait_async(current(), None, waiting.into(), "acc_wait_all_async");
}

/// `acc_wait_all_device_async`.
pub extern "C" fn acc_wait_all_device_async(waiting: c_int, number: c_int) {
    wait_async(numbered(number), None, waiting.into(), "acc_wait_all_device_async");
}

/// `acc_wait_any`: waits until one of the queues is done, and gives its index; -1 if there is none.
/// `acc_async_sync` is no queue: a program puts it in the place of one that it has dealt with.
///
/// # Safety
/// `queues` points to `count` numbers.
pub unsafe extern "C" fn acc_wait_any(count: c_int, queues: *const c_int) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { wait_any(current(), count, queues) }
}

/// `acc_wait_any_device`.
///
/// # Safety
/// `queues` points to `count` numbers.
pub unsafe extern "C" fn acc_wait_any_device(count: c_int, queues: *const c_int, number: c_int) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { wait_any(numbered(number), count, queues) }
}

/// # Safety
/// `queues` points to `count` numbers.
unsafe fn wait_any(unit: &'static Unit, count: c_int, queues: *const c_int) -> c_int {
    let count = usize::try_from(count).unwrap_or(0);
    if queues.is_null() {
        return -1;
    }
    // SAFETY: the caller's promise.
    let queues = unsafe { std::slice::from_raw_parts(queues, count) };
    for &queue in queues {
        require_queue(queue.into());
    }
    let is_queue = |queue: c_int| i64::from(queue) != ASYNC_SYNC;
    if !queues.iter().any(|&queue| is_queue(queue)) {
        return -1;
    }
    loop {
        let done = queues.iter().position(|&queue| is_queue(queue) && is_done(unit, Some(queue.into())) != 0);
        if let Some(index) = done {
            let site = Site::routine("acc_wait_any");
            wait(unit, Some(queues[index].into()), site);
            return c_int::try_from(index).unwrap_or(c_int::MAX);
        }
        std::thread::yield_now();
    }
}

/// `acc_get_default_async`: the queue of `async` without argument, for this thread.
pub extern "C" fn acc_get_default_async() -> c_int {
    default_queue()
}

/// `acc_set_default_async`; `acc_async_default` resets it.
pub extern "C" fn acc_set_default_async(queue: c_int) {
    set_default_queue(queue);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue_number::ASYNC_DEFAULT;

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
        let sync = ASYNC_SYNC as c_int;
        let queues = [sync, 5, sync];
        // SAFETY: three numbers; one.
        let (any, none) = unsafe { (acc_wait_any(3, queues.as_ptr()), acc_wait_any(1, queues.as_ptr())) };
        assert_eq!((any, none), (1, -1));
    }
}
