//! Devices and their properties (3.2.1 to 3.2.8).

use crate::device::{self, kind};
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null;

/// `acc_get_num_devices`.
pub extern "C" fn acc_get_num_devices(device: c_int) -> c_int {
    c_int::from(device::is_host(device))
}

/// `acc_set_device_type`.
pub extern "C" fn acc_set_device_type(device: c_int) {
    device::require(device);
}

/// `acc_get_device_type`.
pub extern "C" fn acc_get_device_type() -> c_int {
    kind::HOST
}

/// `acc_set_device_num`.
pub extern "C" fn acc_set_device_num(number: c_int, device: c_int) {
    device::require(device);
    device::require_number(number);
}

/// `acc_get_device_num`.
pub extern "C" fn acc_get_device_num(device: c_int) -> c_int {
    device::require(device);
    0
}

/// `acc_property_*`, as `openacc.h` numbers them.
mod property {
    use std::ffi::c_int;
    pub(super) const SHARED_MEMORY: c_int = 3;
    pub(super) const NAME: c_int = 0x10001;
    pub(super) const VENDOR: c_int = 0x10002;
    pub(super) const DRIVER: c_int = 0x10003;
}

/// `acc_get_property`. The host has no memory of its own as a device, so its sizes are 0 (unknown).
pub extern "C" fn acc_get_property(number: c_int, device: c_int, property: c_int) -> usize {
    device::require(device);
    device::require_number(number);
    usize::from(property == property::SHARED_MEMORY)
}

/// `acc_get_property_string`.
pub extern "C" fn acc_get_property_string(number: c_int, device: c_int, property: c_int) -> *const c_char {
    device::require(device);
    device::require_number(number);
    match property {
        property::NAME => c"host".as_ptr(),
        property::VENDOR => c"accrue".as_ptr(),
        property::DRIVER => concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        _ => null(),
    }
}

/// `acc_init`.
pub extern "C" fn acc_init(device: c_int) {
    device::require(device);
}

/// `acc_init_device`.
pub extern "C" fn acc_init_device(number: c_int, device: c_int) {
    device::require(device);
    device::require_number(number);
}

/// `acc_shutdown`.
pub extern "C" fn acc_shutdown(device: c_int) {
    device::require(device);
}

/// `acc_shutdown_device`.
pub extern "C" fn acc_shutdown_device(number: c_int, device: c_int) {
    device::require(device);
    device::require_number(number);
}

/// `acc_on_device`, where it is called through a pointer; direct calls are answered by the compiler.
pub extern "C" fn acc_on_device(device: c_int) -> c_int {
    c_int::from(matches!(device, kind::HOST | kind::NONE))
}

/// `acc_get_current_cuda_device`, `acc_get_current_cuda_context`: the host has none.
pub extern "C" fn no_cuda_handle() -> *mut c_void {
    std::ptr::null_mut()
}

/// `acc_get_cuda_stream`: the host has none.
pub extern "C" fn acc_get_cuda_stream(_queue: c_int) -> *mut c_void {
    std::ptr::null_mut()
}

/// `acc_set_cuda_stream`: 0 says that it had no effect.
pub extern "C" fn acc_set_cuda_stream(_queue: c_int, _stream: *mut c_void) -> c_int {
    0
}
