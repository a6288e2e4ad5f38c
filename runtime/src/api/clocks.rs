//! Functions of the C library that tell the time, for programs that measure it: constructs that the host has
//! not waited for are waited for first, so that a time behind a region is one behind the region's end.

use crate::device::settle_all;
use libc::{c_int, clock_t, clockid_t, rusage, time_t, timespec, timeval, tms};
use std::ffi::c_void;

unsafe extern "C" {
    fn timespec_get(time: *mut timespec, base: c_int) -> c_int;
    fn ftime(time: *mut c_void) -> c_int;
    #[link_name = "clock"]
    fn processor_time() -> clock_t;
}

macro_rules! clocks {
    ($($name:ident = $function:path, ($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of the C library.")]
            ///
            /// # Safety
            /// As for that function.
            pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
                settle_all();
                // SAFETY: the caller's promise.
                unsafe { $function($($argument),*) }
            }
        )*
    };
}

clocks! {
    clock_of_program = processor_time, () -> clock_t;
    time_of_program = libc::time, (time: *mut time_t) -> time_t;
    times_of_program = libc::times, (times: *mut tms) -> clock_t;
    ftime_of_program = ftime, (time: *mut c_void) -> c_int;
    clock_gettime_of_program = libc::clock_gettime, (clock: clockid_t, time: *mut timespec) -> c_int;
    timespec_get_of_program = timespec_get, (time: *mut timespec, base: c_int) -> c_int;
    gettimeofday_of_program = libc::gettimeofday, (time: *mut timeval, zone: *mut libc::timezone) -> c_int;
    getrusage_of_program = libc::getrusage, (who: c_int, usage: *mut rusage) -> c_int;
}
