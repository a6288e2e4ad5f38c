//! The C layouts of `acc_prof.h`.

use crate::device::kind;
use std::ffi::{CString, c_char, c_int, c_long, c_void};
use std::mem::offset_of;
use std::ptr::null;

/// `acc_prof_info`.
#[repr(C)]
pub(crate) struct ProfInfo {
    pub(super) event_type: c_int,
    valid_bytes: c_int,
    version: c_int,
    pub(super) device_type: c_int,
    device_number: c_int,
    thread_id: c_int,
    async_: c_long,
    async_queue: c_long,
    src_file: *const c_char,
    func_name: *const c_char,
    line_no: c_int,
    end_line_no: c_int,
    func_line_no: c_int,
    func_end_line_no: c_int,
}

/// `acc_event_info`: a union whose members share a beginning.
#[repr(C)]
pub(crate) struct EventInfo {
    pub(super) event_type: c_int,
    valid_bytes: c_int,
    parent_construct: c_int,
    implicit: c_int,
    tool_info: *mut c_void,
    /// `var_name` of a data event, `kernel_name` of a launch event.
    name: *const c_char,
    /// `bytes`, `host_ptr` and `device_ptr` of a data event; gangs, workers and lanes of a launch event.
    numbers: [u64; 3],
}

/// What distinguishes a data event or a launch event from others: their members behind `tool_info`.
#[derive(Clone, Debug)]
pub(crate) struct Details {
    /// Of the variable, or of the kernel; null where it is not known.
    pub(crate) name: Option<CString>,
    /// Bytes, host address and device address; or gangs, workers and lanes.
    pub(crate) numbers: [u64; 3],
}

/// `acc_api_info`.
#[repr(C)]
pub(crate) struct ApiInfo {
    device_api: c_int,
    valid_bytes: c_int,
    pub(super) device_type: c_int,
    vendor: c_int,
    device_handle: *const c_void,
    context_handle: *const c_void,
    async_handle: *const c_void,
}

/// `acc_prof_callback`.
pub(crate) type Callback = unsafe extern "C" fn(*mut ProfInfo, *mut EventInfo, *mut ApiInfo);

/// `_ACC_PROF_INFO_VERSION`: what tools compare with the header that they were compiled with.
const VERSION: c_int = 201711;
/// Stands for "not known" in numeric members.
const UNKNOWN: c_int = -1;
/// `acc_device_api_none`.
const DEVICE_API_NONE: c_int = 0;
/// `acc_device_api_cuda`.
const DEVICE_API_CUDA: c_int = 1;

impl ProfInfo {
    pub(super) fn new(
        event_type: c_int,
        (device_type, device_number): (c_int, c_int),
        queue: c_long,
    ) -> ProfInfo {
        ProfInfo {
            event_type,
            valid_bytes: (offset_of!(ProfInfo, func_end_line_no) + size_of::<c_int>()) as c_int,
            version: VERSION,
            device_type,
            device_number,
            thread_id: UNKNOWN,
            async_: queue,
            async_queue: queue,
            src_file: null(),
            func_name: null(),
            line_no: UNKNOWN,
            end_line_no: UNKNOWN,
            func_line_no: UNKNOWN,
            func_end_line_no: UNKNOWN,
        }
    }
}

impl ProfInfo {
    /// With a file, a function and a line, as far as they are known; the names must live as long as the
    /// result is shown to anybody.
    pub(super) fn at(self, [file, function, _]: &[Option<CString>; 3], line: u32) -> ProfInfo {
        let pointer = |name: &Option<CString>| name.as_ref().map_or(null(), |name| name.as_ptr());
        let line_no = c_int::try_from(line).ok().filter(|&line| line > 0).unwrap_or(UNKNOWN);
        ProfInfo { src_file: pointer(file), func_name: pointer(function), line_no, ..self }
    }
}

impl EventInfo {
    pub(super) fn new(event_type: c_int, parent_construct: c_int, implicit: bool) -> EventInfo {
        EventInfo {
            event_type,
            valid_bytes: (offset_of!(EventInfo, tool_info) + size_of::<*mut c_void>()) as c_int,
            parent_construct,
            implicit: implicit.into(),
            tool_info: std::ptr::null_mut(),
            name: null(),
            numbers: [0; 3],
        }
    }

    /// With the members of a data or launch event; the name must live as long as the result is shown to
    /// anybody.
    pub(super) fn with(self, details: &Details) -> EventInfo {
        let name = details.name.as_ref().map_or(null(), |name| name.as_ptr());
        EventInfo { valid_bytes: size_of::<EventInfo>() as c_int, name, numbers: details.numbers, ..self }
    }
}

impl ApiInfo {
    pub(super) fn new(device_type: c_int) -> ApiInfo {
        ApiInfo {
            device_api: if device_type == kind::NVIDIA { DEVICE_API_CUDA } else { DEVICE_API_NONE },
            valid_bytes: (offset_of!(ApiInfo, async_handle) + size_of::<*const c_void>()) as c_int,
            device_type,
            vendor: UNKNOWN,
            device_handle: null(),
            context_handle: null(),
            async_handle: null(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_those_of_the_header() {
        assert_eq!(offset_of!(ProfInfo, async_), 24);
        assert_eq!(offset_of!(ProfInfo, src_file), 40);
        assert_eq!(size_of::<ProfInfo>(), 72);
        assert_eq!(offset_of!(EventInfo, tool_info), 16);
        assert_eq!(size_of::<EventInfo>(), 56);
        assert_eq!(size_of::<ApiInfo>(), 40);
        assert_eq!(ProfInfo::new(1, (2, 0), -2).valid_bytes, 72);
        assert_eq!(EventInfo::new(1, 0, true).valid_bytes, 24);
        assert_eq!(ApiInfo::new(2).valid_bytes, 40);
    }
}
