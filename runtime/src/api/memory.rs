//! Memory (3.2.17 to 3.2.36): the host's memory is the device's, so every address is its own counterpart.

use super::queues::require_queue;
use crate::device::{need, require_number};
use crate::fatal::fatal;
use crate::prof::Construct;
use std::ffi::{c_int, c_void};

type Address = *mut c_void;

/// `acc_malloc`: null for no bytes.
pub extern "C" fn acc_malloc(bytes: usize) -> Address {
    need(Construct::RuntimeApi);
    if bytes == 0 {
        return std::ptr::null_mut();
    }
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

fn enter(routine: &str, host: Address, bytes: usize) -> Address {
    if host.is_null() || bytes == 0 {
        fatal(format_args!("{routine}: [{host:p},+{bytes}] is a bad range"));
    }
    need(Construct::RuntimeApi);
    host
}

/// `acc_copyin` and its older names; nothing is a bad range to copy.
pub extern "C" fn acc_copyin(host: Address, bytes: usize) -> Address {
    enter("acc_copyin", host, bytes)
}

/// `acc_create` and its older names; nothing is a bad range to create.
pub extern "C" fn acc_create(host: Address, bytes: usize) -> Address {
    enter("acc_create", host, bytes)
}

/// `acc_copyin_async`.
pub extern "C" fn acc_copyin_async(host: Address, bytes: usize, queue: c_int) {
    require_queue(queue.into());
    enter("acc_copyin_async", host, bytes);
}

/// `acc_create_async`.
pub extern "C" fn acc_create_async(host: Address, bytes: usize, queue: c_int) {
    require_queue(queue.into());
    enter("acc_create_async", host, bytes);
}

/// `acc_copyout`, `acc_delete`, `acc_update_*`, and their `finalize` forms. With no address or no bytes they do nothing
/// on any device.
pub extern "C" fn leave(_host: Address, _bytes: usize) {
    need(Construct::RuntimeApi);
}

/// The `async` forms of [`leave`].
pub extern "C" fn leave_async(_host: Address, _bytes: usize, queue: c_int) {
    require_queue(queue.into());
    need(Construct::RuntimeApi);
}

/// `acc_map_data`.
pub extern "C" fn acc_map_data(_host: Address, _device: Address, _bytes: usize) {
    fatal(format_args!("acc_map_data: cannot map data on shared-memory system"));
}

/// `acc_unmap_data`.
pub extern "C" fn acc_unmap_data(_host: Address) {
    fatal(format_args!("acc_unmap_data: cannot unmap data on shared-memory system"));
}

/// `acc_deviceptr`, `acc_hostptr`.
pub extern "C" fn same_address(address: Address) -> Address {
    need(Construct::RuntimeApi);
    address
}

/// `acc_is_present`: everything is, except at the null address (OpenACC 3.3, 3.2.30).
pub extern "C" fn acc_is_present(host: Address, _bytes: usize) -> c_int {
    need(Construct::RuntimeApi);
    c_int::from(!host.is_null())
}

/// `acc_memcpy_to_device`, `acc_memcpy_from_device`, `acc_memcpy_device`.
///
/// # Safety
/// As for `memmove`; the addresses do not matter where no bytes are to be copied.
pub unsafe extern "C" fn copy(to: Address, from: *const c_void, bytes: usize) {
    need(Construct::RuntimeApi);
    if bytes == 0 || to.cast_const() == from {
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { libc::memmove(to, from, bytes) };
}

/// The `async` forms of [`copy`].
///
/// # Safety
/// As for [`copy`].
pub unsafe extern "C" fn copy_async(to: Address, from: *const c_void, bytes: usize, queue: c_int) {
    require_queue(queue.into());
    // SAFETY: the caller's promise.
    unsafe { copy(to, from, bytes) };
}

/// `acc_memcpy_d2d`: the two device numbers are those of the destination and of the source.
///
/// # Safety
/// As for [`copy`].
pub unsafe extern "C" fn acc_memcpy_d2d(to: Address, from: *const c_void, bytes: usize, a: c_int, b: c_int) {
    require_number(a);
    require_number(b);
    // SAFETY: the caller's promise.
    unsafe { copy(to, from, bytes) };
}

/// `acc_memcpy_d2d_async`.
///
/// # Safety
/// As for [`copy`].
pub unsafe extern "C" fn acc_memcpy_d2d_async(
    to: Address,
    from: *const c_void,
    bytes: usize,
    a: c_int,
    b: c_int,
    queue: c_int,
) {
    require_queue(queue.into());
    // SAFETY: the caller's promise.
    unsafe { acc_memcpy_d2d(to, from, bytes, a, b) };
}

/// `acc_attach`, `acc_detach`, `acc_detach_finalize`: a pointer already points to its device counterpart.
pub extern "C" fn attach(_pointer: *mut Address) {
    need(Construct::RuntimeApi);
}

/// The `async` forms of [`attach`].
pub extern "C" fn attach_async(_pointer: *mut Address, queue: c_int) {
    require_queue(queue.into());
    need(Construct::RuntimeApi);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::null_mut;

    #[test]
    fn addresses_are_their_own_counterparts() {
        let mut data = [1u8, 2, 3, 4];
        let address: Address = data.as_mut_ptr().cast();
        assert_eq!(acc_copyin(address, 4), address);
        assert_eq!(acc_create(address, 4), address);
        assert_eq!(same_address(address), address);
        assert_eq!(
            (acc_is_present(address, 4), acc_is_present(address, 0), acc_is_present(null_mut(), 4)),
            (1, 1, 0)
        );
        leave(null_mut(), 4);
        leave(address, 0);
        // SAFETY: two bytes each, within one object; no bytes.
        unsafe {
            copy(address.cast::<u8>().add(1).cast(), address, 2);
            copy(null_mut(), null_mut(), 0);
        }
        assert_eq!(data, [1, 1, 2, 4]);
    }

    #[test]
    fn allocation() {
        assert!(acc_malloc(0).is_null());
        let block = acc_malloc(1024);
        assert!(!block.is_null());
        // SAFETY: the block is ours; null is allowed.
        unsafe {
            acc_free(block);
            acc_free(null_mut());
        }
    }
}
