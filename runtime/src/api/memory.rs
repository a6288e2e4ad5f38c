//! Memory (3.2.17 to 3.2.36): the host's memory is the device's, so every address is its own counterpart.

use crate::fatal::fatal;
use std::ffi::{c_int, c_void};

type Address = *mut c_void;

/// `acc_malloc`.
pub extern "C" fn acc_malloc(bytes: usize) -> Address {
    // SAFETY: any size may be asked for.
    unsafe { libc::malloc(bytes) }
}

/// `acc_free`.
///
/// # Safety
/// The address is one of `acc_malloc`'s, or null.
pub unsafe extern "C" fn acc_free(device: Address) {
    // SAFETY: `acc_malloc` got it from `malloc`.
    unsafe { libc::free(device) }
}

/// `acc_copyin`, `acc_create` and their older names.
pub extern "C" fn enter(host: Address, _bytes: usize) -> Address {
    host
}

/// `acc_copyout`, `acc_delete`, `acc_update_*`, and their `finalize` forms.
pub extern "C" fn leave(_host: Address, _bytes: usize) {}

/// The `async` forms of what moves data.
pub extern "C" fn move_async(_host: Address, _bytes: usize, queue: c_int) {
    crate::device::require_queue(queue.into());
}

/// `acc_map_data`.
pub extern "C" fn acc_map_data(_host: Address, _device: Address, _bytes: usize) {
    fatal(format_args!("acc_map_data: cannot map data on a device that shares memory with the host"));
}

/// `acc_unmap_data`.
pub extern "C" fn acc_unmap_data(_host: Address) {
    fatal(format_args!("acc_unmap_data: cannot unmap data on a device that shares memory with the host"));
}

/// `acc_deviceptr`, `acc_hostptr`.
pub extern "C" fn same_address(address: Address) -> Address {
    address
}

/// `acc_is_present`: everything is, except at the null address (OpenACC 3.3, 3.2.30).
pub extern "C" fn acc_is_present(host: Address, _bytes: usize) -> c_int {
    c_int::from(!host.is_null())
}

/// `acc_memcpy_to_device`, `acc_memcpy_from_device`, `acc_memcpy_device`.
///
/// # Safety
/// As for `memmove`.
pub unsafe extern "C" fn copy(to: Address, from: *const c_void, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { libc::memmove(to, from, bytes) };
}

/// The `async` forms of [`copy`].
///
/// # Safety
/// As for `memmove`.
pub unsafe extern "C" fn copy_async(to: Address, from: *const c_void, bytes: usize, queue: c_int) {
    crate::device::require_queue(queue.into());
    // SAFETY: the caller's promise.
    unsafe { copy(to, from, bytes) };
}

/// `acc_memcpy_d2d`.
///
/// # Safety
/// As for `memmove`.
pub unsafe extern "C" fn acc_memcpy_d2d(to: Address, from: *const c_void, bytes: usize, a: c_int, b: c_int) {
    crate::device::require_number(a);
    crate::device::require_number(b);
    // SAFETY: the caller's promise.
    unsafe { copy(to, from, bytes) };
}

/// `acc_memcpy_d2d_async`.
///
/// # Safety
/// As for `memmove`.
pub unsafe extern "C" fn acc_memcpy_d2d_async(
    to: Address,
    from: *const c_void,
    bytes: usize,
    a: c_int,
    b: c_int,
    queue: c_int,
) {
    crate::device::require_queue(queue.into());
    // SAFETY: the caller's promise.
    unsafe { acc_memcpy_d2d(to, from, bytes, a, b) };
}

/// `acc_attach`, `acc_detach`, `acc_detach_finalize`: a pointer already points to its device counterpart.
pub extern "C" fn attach(_pointer: *mut Address) {}

/// The `async` forms of [`attach`].
pub extern "C" fn attach_async(_pointer: *mut Address, queue: c_int) {
    crate::device::require_queue(queue.into());
}
