//! Queues (3.2.9 to 3.2.16): on the host everything is done when its call returns.

use crate::device::{default_queue, require_number, require_queue, set_default_queue};
use std::ffi::c_int;

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
    require_queue(queue.into());
}

/// `acc_wait_device`.
pub extern "C" fn acc_wait_device(queue: c_int, number: c_int) {
    require_number(number);
    acc_wait(queue);
}

/// `acc_wait_async`.
pub extern "C" fn acc_wait_async(queue: c_int, waiting: c_int) {
    acc_wait(queue);
    acc_wait(waiting);
}

/// `acc_wait_device_async`.
pub extern "C" fn acc_wait_device_async(queue: c_int, waiting: c_int, number: c_int) {
    require_number(number);
    acc_wait_async(queue, waiting);
}

/// `acc_wait_all`, `acc_async_wait_all`.
pub extern "C" fn acc_wait_all() {}

/// `acc_wait_all_device`.
pub extern "C" fn acc_wait_all_device(number: c_int) {
    require_number(number);
}

/// `acc_wait_all_async`.
pub extern "C" fn acc_wait_all_async(waiting: c_int) {
    acc_wait(waiting);
}

/// `acc_wait_all_device_async`.
pub extern "C" fn acc_wait_all_device_async(waiting: c_int, number: c_int) {
    require_number(number);
    acc_wait(waiting);
}

/// `acc_wait_any`: the first queue is done; -1 if there is none.
pub extern "C" fn acc_wait_any(count: c_int, _queues: *mut c_int) -> c_int {
    if count > 0 { 0 } else { -1 }
}

/// `acc_wait_any_device`.
pub extern "C" fn acc_wait_any_device(count: c_int, queues: *mut c_int, number: c_int) -> c_int {
    require_number(number);
    acc_wait_any(count, queues)
}

/// `acc_get_default_async`.
pub extern "C" fn acc_get_default_async() -> c_int {
    default_queue()
}

/// `acc_set_default_async`; `acc_async_default` resets it.
pub extern "C" fn acc_set_default_async(queue: c_int) {
    require_queue(queue.into());
    set_default_queue(if queue == -3 { -1 } else { queue });
}
