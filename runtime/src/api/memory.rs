//! Memory (3.2.17 to 3.2.36). On a device that shares the program's memory every address is its own
//! counterpart, and nothing moves.

use crate::abi::ASYNC_SYNC;
use crate::device::{self, current, need, numbered};
use crate::fatal::fatal;
use crate::memory::table::Range;
use crate::memory::{Exit, Memory, Routine, Side, Sides, Work, address, copy_within};
use crate::plugin::host;
use crate::queue_number::require_queue;
use crate::site::Site;
use crate::twin;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type Address = *mut c_void;

fn number(address: *const c_void) -> u64 {
    address.expose_provenance() as u64
}

/// Does work on the current device, if it has memory of its own.
fn on_device<T>(routine: &str, queue: i64, what: impl FnOnce(&'static Memory, &Work<'_>) -> T) -> Option<T> {
    let site = Site::routine(routine);
    let memory = need(&site).memory()?;
    let work = Work::begin(memory, queue, site);
    let result = what(memory, &work);
    work.end();
    Some(result)
}

/// `acc_malloc`: null for no bytes, and where there is not so much memory.
pub extern "C" fn acc_malloc(bytes: usize) -> Address {
    let site = Site::routine("acc_malloc");
    let unit = need(&site);
    if bytes == 0 {
        return null_mut();
    }
    let Some(memory) = unit.memory() else {
        // SAFETY: any size may be asked for, and the block's is known.
        let (block, size) = unsafe {
            let block = libc::malloc(bytes);
            (block, libc::malloc_usable_size(block))
        };
        host::took(size);
        return block;
    };
    let work = Work::begin(memory, ASYNC_SYNC, site);
    let block = memory.device.allocate(bytes, "acc_malloc", work.queue);
    work.end();
    if let Ok(block) = block {
        twin::allocated(block, bytes);
    }
    block.map_or(null_mut(), address)
}

/// `acc_free`.
///
/// # Safety
/// The address is one of `acc_malloc`'s, or null.
pub unsafe extern "C" fn acc_free(device: Address) {
    if device.is_null() {
        return;
    }
    match current().memory() {
        Some(memory) => {
            let work = Work::begin(memory, ASYNC_SYNC, Site::routine("acc_free"));
            memory.free(number(device), &work);
            twin::freed(number(device));
            work.end();
        }
        // SAFETY: `acc_malloc` got it from `malloc`.
        None => unsafe {
            host::gave_back(libc::malloc_usable_size(device));
            libc::free(device);
        },
    }
}

fn enter(name: &str, routine: Routine, host: Address, bytes: usize, queue: i64) -> Address {
    if host.is_null() || bytes == 0 {
        fatal(format_args!("{name}: [{:#x},+{bytes}] is a bad range", host.addr()));
    }
    let range = Range { start: number(host), bytes: bytes as u64 };
    let device = on_device(name, queue, |memory, work| memory.enter_range_of_routine(range, routine, work));
    device.map_or(host, address)
}

/// `acc_copyin` and its older names; nothing is a bad range to copy.
pub extern "C" fn acc_copyin(host: Address, bytes: usize) -> Address {
    enter("acc_copyin", Routine::CopyIn, host, bytes, ASYNC_SYNC)
}

/// `acc_create` and its older names; nothing is a bad range to create.
pub extern "C" fn acc_create(host: Address, bytes: usize) -> Address {
    enter("acc_create", Routine::Create, host, bytes, ASYNC_SYNC)
}

/// `acc_copyin_async`.
pub extern "C" fn acc_copyin_async(host: Address, bytes: usize, queue: c_int) {
    require_queue(queue.into());
    enter("acc_copyin_async", Routine::CopyIn, host, bytes, queue.into());
}

/// `acc_create_async`.
pub extern "C" fn acc_create_async(host: Address, bytes: usize, queue: c_int) {
    require_queue(queue.into());
    enter("acc_create_async", Routine::Create, host, bytes, queue.into());
}

fn leave(routine: &str, host: Address, bytes: usize, queue: i64, exit: Exit) {
    require_queue(queue);
    let range = Range { start: number(host), bytes: bytes as u64 };
    on_device(routine, queue, |memory, work| memory.exit(range, exit, work));
}

const COPYOUT: Exit = Exit { copyout: true, finalize: false };
const COPYOUT_FINALIZE: Exit = Exit { copyout: true, finalize: true };
const DELETE: Exit = Exit { copyout: false, finalize: false };
const DELETE_FINALIZE: Exit = Exit { copyout: false, finalize: true };

/// `acc_copyout`: does nothing to what is not present.
pub extern "C" fn acc_copyout(host: Address, bytes: usize) {
    leave("acc_copyout", host, bytes, ASYNC_SYNC, COPYOUT);
}

/// `acc_copyout_async`.
pub extern "C" fn acc_copyout_async(host: Address, bytes: usize, queue: c_int) {
    leave("acc_copyout_async", host, bytes, queue.into(), COPYOUT);
}

/// `acc_copyout_finalize`.
pub extern "C" fn acc_copyout_finalize(host: Address, bytes: usize) {
    leave("acc_copyout_finalize", host, bytes, ASYNC_SYNC, COPYOUT_FINALIZE);
}

/// `acc_copyout_finalize_async`.
pub extern "C" fn acc_copyout_finalize_async(host: Address, bytes: usize, queue: c_int) {
    leave("acc_copyout_finalize_async", host, bytes, queue.into(), COPYOUT_FINALIZE);
}

/// `acc_delete`: does nothing to what is not present.
pub extern "C" fn acc_delete(host: Address, bytes: usize) {
    leave("acc_delete", host, bytes, ASYNC_SYNC, DELETE);
}

/// `acc_delete_async`.
pub extern "C" fn acc_delete_async(host: Address, bytes: usize, queue: c_int) {
    leave("acc_delete_async", host, bytes, queue.into(), DELETE);
}

/// `acc_delete_finalize`.
pub extern "C" fn acc_delete_finalize(host: Address, bytes: usize) {
    leave("acc_delete_finalize", host, bytes, ASYNC_SYNC, DELETE_FINALIZE);
}

/// `acc_delete_finalize_async`.
pub extern "C" fn acc_delete_finalize_async(host: Address, bytes: usize, queue: c_int) {
    leave("acc_delete_finalize_async", host, bytes, queue.into(), DELETE_FINALIZE);
}

fn update(routine: &str, host: Address, bytes: usize, queue: i64, side: Side) {
    require_queue(queue);
    let range = Range { start: number(host), bytes: bytes as u64 };
    if host.is_null() {
        need(&Site::routine(routine));
        return;
    }
    on_device(routine, queue, |memory, work| memory.update(range, side, work));
}

/// `acc_update_device`.
pub extern "C" fn acc_update_device(host: Address, bytes: usize) {
    update("acc_update_device", host, bytes, ASYNC_SYNC, Side::Device);
}

/// `acc_update_device_async`.
pub extern "C" fn acc_update_device_async(host: Address, bytes: usize, queue: c_int) {
    update("acc_update_device_async", host, bytes, queue.into(), Side::Device);
}

/// `acc_update_self`.
pub extern "C" fn acc_update_self(host: Address, bytes: usize) {
    update("acc_update_self", host, bytes, ASYNC_SYNC, Side::Host);
}

/// `acc_update_self_async`.
pub extern "C" fn acc_update_self_async(host: Address, bytes: usize, queue: c_int) {
    update("acc_update_self_async", host, bytes, queue.into(), Side::Host);
}

/// `acc_map_data`.
pub extern "C" fn acc_map_data(host: Address, device: Address, bytes: usize) {
    let range = Range { start: number(host), bytes: bytes as u64 };
    let done = on_device("acc_map_data", ASYNC_SYNC, |memory, work| {
        memory.map_data(range, number(device), work);
    });
    if done.is_none() {
        fatal(format_args!("acc_map_data: cannot map data on shared-memory system"));
    }
}

/// `acc_unmap_data`.
pub extern "C" fn acc_unmap_data(host: Address) {
    let done = on_device("acc_unmap_data", ASYNC_SYNC, |memory, work| memory.unmap_data(number(host), work));
    if done.is_none() {
        fatal(format_args!("acc_unmap_data: cannot unmap data on shared-memory system"));
    }
}

/// `acc_deviceptr`: null for what is not present.
pub extern "C" fn acc_deviceptr(host: Address) -> Address {
    match need(&Site::routine("acc_deviceptr")).memory() {
        Some(memory) => memory.device_address(number(host)).map_or(null_mut(), address),
        None => host,
    }
}

/// `acc_hostptr`: null for what is no copy of anything.
pub extern "C" fn acc_hostptr(device: Address) -> Address {
    match need(&Site::routine("acc_hostptr")).memory() {
        Some(memory) => memory.host_address(number(device)).map_or(null_mut(), address),
        None => device,
    }
}

/// `acc_is_present`. Where memory is shared everything is, except at the null address (OpenACC 3.3, 3.2.30).
pub extern "C" fn acc_is_present(host: Address, bytes: usize) -> c_int {
    let present = match need(&Site::routine("acc_is_present")).memory() {
        Some(memory) => memory.is_present(Range { start: number(host), bytes: bytes as u64 }),
        None => !host.is_null(),
    };
    c_int::from(present)
}

/// # Safety
/// As for `memmove`; the addresses do not matter where no bytes are to be copied.
unsafe fn copy_shared(to: Address, from: *const c_void, bytes: usize) {
    if bytes > 0 && to.cast_const() != from {
        // SAFETY: the caller's promise.
        unsafe { libc::memmove(to, from, bytes) };
    }
}

/// Ends the program if an address that bytes are copied from or to is null.
fn check_copy(work: &Work<'_>, host: *const c_void, device: *const c_void) {
    match (host.is_null(), device.is_null()) {
        (true, true) => work.site.fail(format_args!("invalid host or device address")),
        (true, false) => work.site.fail(format_args!("invalid host address")),
        (false, true) => work.site.fail(format_args!("invalid device address")),
        (false, false) => {}
    }
}

unsafe fn to_device(routine: &str, to: Address, from: *const c_void, bytes: usize, queue: i64) {
    require_queue(queue);
    let done = on_device(routine, queue, |_, work| {
        if bytes > 0 {
            check_copy(work, from, to);
            work.upload(number(to), Range { start: number(from), bytes: bytes as u64 }, "");
            // SAFETY: the caller's promise.
            unsafe { twin::copied_to(work, number(to), from.cast(), bytes) };
        }
    });
    if done.is_none() {
        // SAFETY: the caller's promise.
        unsafe { copy_shared(to, from, bytes) };
    }
}

unsafe fn from_device(routine: &str, to: Address, from: *const c_void, bytes: usize, queue: i64) {
    require_queue(queue);
    let done = on_device(routine, queue, |_, work| {
        if bytes > 0 {
            check_copy(work, to, from);
            work.returns(number(from), bytes as u64, None, "");
            // SAFETY: the caller's promise.
            if unsafe { twin::copies_from(work, to.cast(), number(from), bytes) } {
                return;
            }
            work.download(number(from), Range { start: number(to), bytes: bytes as u64 }, "");
        }
    });
    if done.is_none() {
        // SAFETY: the caller's promise.
        unsafe { copy_shared(to, from, bytes) };
    }
}

unsafe fn within_device(routine: &str, to: Address, from: *const c_void, bytes: usize, queue: i64) {
    require_queue(queue);
    let done = on_device(routine, queue, |_, work| copy_within(work, number(to), number(from), bytes));
    if done.is_none() {
        // SAFETY: the caller's promise.
        unsafe { copy_shared(to, from, bytes) };
    }
}

macro_rules! copies {
    ($($(#[$doc:meta])* $name:ident, $name_async:ident, $how:ident;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// As for `memmove`; the addresses do not matter where no bytes are to be copied.
        pub unsafe extern "C" fn $name(to: Address, from: *const c_void, bytes: usize) {
            // SAFETY: the caller's promise.
            unsafe { $how(stringify!($name), to, from, bytes, ASYNC_SYNC) };
        }

        /// The same on a queue.
        ///
        /// # Safety
        /// As for `memmove`; the addresses do not matter where no bytes are to be copied.
        pub unsafe extern "C" fn $name_async(to: Address, from: *const c_void, bytes: usize, queue: c_int) {
            // SAFETY: the caller's promise.
            unsafe { $how(stringify!($name_async), to, from, bytes, queue.into()) };
        }
    )* };
}

copies! {
    /// `acc_memcpy_to_device`.
    acc_memcpy_to_device, acc_memcpy_to_device_async, to_device;
    /// `acc_memcpy_from_device`.
    acc_memcpy_from_device, acc_memcpy_from_device_async, from_device;
    /// `acc_memcpy_device`.
    acc_memcpy_device, acc_memcpy_device_async, within_device;
}

/// `acc_memcpy_d2d`: the two device numbers are those of the destination and of the source. The addresses are
/// the host's, of data that are present there (OpenACC 3.3, 3.2.42); what is not present is an address of the
/// device itself, as `acc_malloc` and `acc_deviceptr` give it.
///
/// # Safety
/// As for `memmove`.
pub unsafe extern "C" fn acc_memcpy_d2d(to: Address, from: *const c_void, bytes: usize, a: c_int, b: c_int) {
    let queue = c_int::try_from(ASYNC_SYNC).unwrap_or_default();
    // SAFETY: the caller's promise.
    unsafe { acc_memcpy_d2d_async(to, from, bytes, a, b, queue) };
}

/// `acc_memcpy_d2d_async`, on a queue of the current device.
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
    require_queue(queue.into());
    let site = Site::routine("acc_memcpy_d2d");
    let memory_of = |unit| {
        device::need_unit(unit, &site);
        unit.memory()
    };
    let sides = Sides { to: memory_of(numbered(a)), from: memory_of(numbered(b)), site };
    let place = |memory: Option<&Memory>, start: u64| {
        let copy = memory.and_then(|memory| memory.device_range(Range { start, bytes: bytes as u64 }));
        copy.unwrap_or(start)
    };
    let (to, from) = (place(sides.to, number(to)), place(sides.from, number(from)));
    // SAFETY: the caller's promise.
    unsafe {
        match current().memory() {
            Some(memory) if i64::from(queue) != ASYNC_SYNC => {
                sides.copy_on((memory, queue.into()), to, from, bytes);
            }
            _ => sides.copy(to, from, bytes),
        }
    }
}

fn attach_on(queue: i64, pointer: *mut Address) {
    require_queue(queue);
    on_device("acc_attach", queue, |memory, work| {
        memory.attach_pointer(number(pointer.cast()), work);
    });
}

fn detach_on(queue: i64, pointer: *mut Address, finalize: bool) {
    require_queue(queue);
    on_device("acc_detach", queue, |memory, work| {
        memory.detach_pointer(number(pointer.cast()), finalize, work);
    });
}

/// `acc_attach`.
pub extern "C" fn acc_attach(pointer: *mut Address) {
    attach_on(ASYNC_SYNC, pointer);
}

/// `acc_attach_async`.
pub extern "C" fn acc_attach_async(pointer: *mut Address, queue: c_int) {
    attach_on(queue.into(), pointer);
}

/// `acc_detach`.
pub extern "C" fn acc_detach(pointer: *mut Address) {
    detach_on(ASYNC_SYNC, pointer, false);
}

/// `acc_detach_async`.
pub extern "C" fn acc_detach_async(pointer: *mut Address, queue: c_int) {
    detach_on(queue.into(), pointer, false);
}

/// `acc_detach_finalize`.
pub extern "C" fn acc_detach_finalize(pointer: *mut Address) {
    detach_on(ASYNC_SYNC, pointer, true);
}

/// `acc_detach_finalize_async`.
pub extern "C" fn acc_detach_finalize_async(pointer: *mut Address, queue: c_int) {
    detach_on(queue.into(), pointer, true);
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
        assert_eq!(acc_deviceptr(address), address);
        assert_eq!(
            (acc_is_present(address, 4), acc_is_present(address, 0), acc_is_present(null_mut(), 4)),
            (1, 1, 0)
        );
        acc_copyout(null_mut(), 4);
        acc_delete(address, 0);
        // SAFETY: two bytes each, within one object; no bytes.
        unsafe {
            acc_memcpy_device(address.cast::<u8>().add(1).cast(), address, 2);
            acc_memcpy_to_device(null_mut(), null_mut(), 0);
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
