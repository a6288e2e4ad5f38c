//! Devices and their properties (3.2.1 to 3.2.8).

use crate::device::{self, Unusable, kind};
use crate::fatal::fatal;
use crate::memory::Memory;
use crate::plugin::Native;
use crate::queue_number::resolve;
use crate::site::Site;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// `acc_get_num_devices`.
pub extern "C" fn acc_get_num_devices(device: c_int) -> c_int {
    match device::check(device) {
        Ok(list) => c_int::try_from(list.len()).unwrap_or(c_int::MAX),
        Err(error @ (Unusable::Unknown(_) | Unusable::OutOfRange(..))) => fatal(format_args!("{error}")),
        Err(Unusable::Nothing | Unusable::NotHost | Unusable::Absent(_)) => 0,
    }
}

/// `acc_set_device_type`.
pub extern "C" fn acc_set_device_type(device: c_int) {
    device::choose_type(device);
    device::need(&Site::routine("acc_set_device_type"));
}

/// `acc_get_device_type`.
pub extern "C" fn acc_get_device_type() -> c_int {
    device::current_type()
}

/// `acc_set_device_num`: a negative number stands for the default one, type 0 (none) for the current type.
pub extern "C" fn acc_set_device_num(number: c_int, device: c_int) {
    if device != kind::NONE {
        device::require(device);
    }
    device::choose_number(number, device);
    device::need(&Site::routine("acc_set_device_num"));
}

/// `acc_get_device_num`.
pub extern "C" fn acc_get_device_num(device: c_int) -> c_int {
    device::number_of(device)
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

/// `acc_get_property`: 0 for what is no property or has a string as its value.
pub extern "C" fn acc_get_property(number: c_int, device: c_int, property: c_int) -> usize {
    let unit = device::unit(device, number);
    match property {
        property::MEMORY => unit.properties().memory,
        property::FREE_MEMORY => unit.free_memory(),
        property::SHARED_MEMORY => usize::from(unit.memory().is_none()),
        _ => 0,
    }
}

/// `acc_get_property_string`: null for what is no property or has a number as its value.
pub extern "C" fn acc_get_property_string(number: c_int, device: c_int, property: c_int) -> *const c_char {
    let properties = device::unit(device, number).properties();
    match property {
        property::NAME => properties.name.as_ptr(),
        property::VENDOR => properties.vendor.as_ptr(),
        property::DRIVER => properties.driver.as_ptr(),
        _ => null(),
    }
}

/// `acc_init`.
pub extern "C" fn acc_init(device: c_int) {
    device::init(device, &Site::routine("acc_init"));
}

/// `acc_init_device`.
pub extern "C" fn acc_init_device(number: c_int, device: c_int) {
    device::choose_number(number, device);
    device::init(device, &Site::routine("acc_init"));
}

/// `acc_shutdown`.
pub extern "C" fn acc_shutdown(device: c_int) {
    device::shutdown(device, &Site::routine("acc_shutdown"));
}

/// `acc_shutdown_device`.
pub extern "C" fn acc_shutdown_device(number: c_int, device: c_int) {
    device::shutdown_one(device::unit(device, number));
}

/// `acc_on_device`, where it is called through a pointer; direct calls are answered by the compiler.
pub extern "C" fn acc_on_device(device: c_int) -> c_int {
    c_int::from(matches!(device, kind::HOST | kind::NONE))
}

/// The device's own handle; null if it has none.
fn native(routine: &str, handle: impl FnOnce(&'static Memory) -> Option<Native>) -> *mut c_void {
    let memory = device::need(&Site::routine(routine)).memory();
    memory.into_iter().for_each(Memory::settle);
    let handle = memory.and_then(|memory| Some(memory.device.native(handle(memory)?)));
    handle.unwrap_or(null_mut())
}

/// `acc_get_current_cuda_device`: the host has none.
pub extern "C" fn acc_get_current_cuda_device() -> *mut c_void {
    native("acc_get_current_cuda_device", |_| Some(Native::Device))
}

/// `acc_get_current_cuda_context`: the host has none.
pub extern "C" fn acc_get_current_cuda_context() -> *mut c_void {
    native("acc_get_current_cuda_context", |_| Some(Native::Context))
}

/// `acc_get_cuda_stream`: the host has none, nor has a queue that was never used.
pub extern "C" fn acc_get_cuda_stream(queue: c_int) -> *mut c_void {
    native("acc_get_cuda_stream", |memory| Some(Native::Stream(memory.known_queue(resolve(queue.into())?)?)))
}

/// `acc_set_cuda_stream`: 0 says that it had no effect, 1 that the queue is the stream from now on.
pub extern "C" fn acc_set_cuda_stream(queue: c_int, stream: *mut c_void) -> c_int {
    let Some(memory) = device::need(&Site::routine("acc_set_cuda_stream")).memory() else { return 0 };
    match (resolve(queue.into()), memory.device.adopt_queue(stream)) {
        (Some(number), Some(queue)) => {
            memory.set_queue(number, queue);
            1
        }
        (None, Some(_)) => {
            crate::fatal::warn(format_args!(
                "Refusing request to set CUDA stream associated with \"acc_async_sync\""
            ));
            0
        }
        (_, None) => 0,
    }
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
