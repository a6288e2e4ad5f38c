//! Devices and their properties (3.2.1 to 3.2.8).

use crate::device::{self, Unusable, kind};
use crate::fatal::fatal;
use crate::prof::Construct;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null;

/// `acc_get_num_devices`.
pub extern "C" fn acc_get_num_devices(device: c_int) -> c_int {
    match device::check(device) {
        Ok(()) => 1,
        Err(error @ (Unusable::Unknown(_) | Unusable::OutOfRange(_))) => fatal(format_args!("{error}")),
        Err(Unusable::Nothing | Unusable::NotHost | Unusable::Absent(_)) => 0,
    }
}

/// `acc_set_device_type`.
pub extern "C" fn acc_set_device_type(device: c_int) {
    device::choose_type(device);
    device::need(Construct::RuntimeApi);
}

/// `acc_get_device_type`.
pub extern "C" fn acc_get_device_type() -> c_int {
    device::current_type()
}

/// `acc_set_device_num`: a negative number stands for the default one, type 0 (none) for every type.
pub extern "C" fn acc_set_device_num(number: c_int, device: c_int) {
    if device != kind::NONE {
        device::require(device);
    }
    device::choose_number(number);
    device::need(Construct::RuntimeApi);
}

/// `acc_get_device_num`.
pub extern "C" fn acc_get_device_num(device: c_int) -> c_int {
    device::require(device);
    0
}

/// `acc_property_*`, as `openacc.h` numbers them.
mod property {
    use std::ffi::c_int;
    pub(super) const MEMORY: c_int = 1;
    pub(super) const FREE_MEMORY: c_int = 2;
    pub(super) const SHARED_MEMORY: c_int = 3;
    pub(super) const NAME: c_int = 0x10001;
    pub(super) const VENDOR: c_int = 0x10002;
    pub(super) const DRIVER: c_int = 0x10003;
}

/// `acc_get_property`: the host's memory is the device's. 0 for what is no property or has a string as its value.
pub extern "C" fn acc_get_property(number: c_int, device: c_int, property: c_int) -> usize {
    device::require(device);
    device::require_number(number);
    match property {
        property::MEMORY => memory(libc::_SC_PHYS_PAGES),
        property::FREE_MEMORY => memory(libc::_SC_AVPHYS_PAGES),
        property::SHARED_MEMORY => 1,
        _ => 0,
    }
}

/// Bytes of so many pages as the system says; 0 if it does not know.
fn memory(pages: c_int) -> usize {
    // SAFETY: asks for numbers.
    let (pages, page) = unsafe { (libc::sysconf(pages), libc::sysconf(libc::_SC_PAGESIZE)) };
    match (usize::try_from(pages), usize::try_from(page)) {
        (Ok(pages), Ok(page)) => pages.saturating_mul(page),
        _ => 0,
    }
}

/// `acc_get_property_string`: null for what is no property or has a number as its value.
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
    device::init(device);
}

/// `acc_init_device`.
pub extern "C" fn acc_init_device(number: c_int, device: c_int) {
    device::require_number(number);
    device::init(device);
}

/// `acc_shutdown`.
pub extern "C" fn acc_shutdown(device: c_int) {
    device::shutdown(device);
}

/// `acc_shutdown_device`.
pub extern "C" fn acc_shutdown_device(number: c_int, device: c_int) {
    device::require_number(number);
    device::shutdown(device);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn only_the_host_is_there() {
        assert_eq!(acc_get_num_devices(kind::HOST), 1);
        assert_eq!(acc_get_num_devices(kind::DEFAULT), 1);
        for none in [kind::NONE, kind::NOT_HOST, kind::NVIDIA, kind::RADEON] {
            assert_eq!(acc_get_num_devices(none), 0);
        }
        assert_eq!((acc_on_device(kind::HOST), acc_on_device(kind::NONE)), (1, 1));
        assert_eq!((acc_on_device(kind::DEFAULT), acc_on_device(kind::NOT_HOST)), (0, 0));
    }

    #[test]
    fn properties() {
        let number = |property| acc_get_property(0, kind::HOST, property);
        assert!(number(property::FREE_MEMORY) <= number(property::MEMORY));
        assert_eq!((number(property::SHARED_MEMORY), number(property::NAME), number(-16058)), (1, 0, 0));
        for property in [property::NAME, property::VENDOR, property::DRIVER] {
            // SAFETY: these properties are C strings.
            let text = unsafe { CStr::from_ptr(acc_get_property_string(0, kind::CURRENT, property)) };
            assert!(!text.is_empty());
        }
        assert!(acc_get_property_string(0, kind::HOST, property::MEMORY).is_null());
    }
}
