//! Profiling libraries: those that `ACC_PROFLIB` names, and the routines by which any of them registers itself.

use super::registry::{acc_prof_register, acc_prof_unregister};
use super::types::Callback;
use crate::fatal::warn;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;

type Register = extern "C" fn(c_int, Option<Callback>, c_int);
type Lookup = unsafe extern "C" fn(*const c_char) -> *const c_void;
type RegisterLibrary = unsafe extern "C" fn(Register, Register, Lookup);

/// `acc_prof_lookup`: a routine of the OpenACC interface by its name; null if there is none of that name.
///
/// # Safety
/// `name` is a C string, or null.
pub unsafe extern "C" fn acc_prof_lookup(name: *const c_char) -> *const c_void {
    if name.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    let routine = crate::symbols::table().into_iter().find(|(known, _)| known.as_bytes() == name);
    match routine {
        Some((known, address)) if known.starts_with("acc_") => address.cast(),
        _ => std::ptr::null(),
    }
}

/// `acc_register_library`, where the program calls it and defines none: nobody wants to be registered.
pub extern "C" fn acc_register_library(_register: Register, _unregister: Register, _lookup: Lookup) {}

/// Calls the `acc_register_library` that a program defines, as OpenACC asks for a profiling library that is linked with
/// the program.
///
/// # Safety
/// `function` is a function of that type.
pub unsafe fn register_library(function: *const u8) {
    // SAFETY: the caller's promise.
    unsafe {
        let function = std::mem::transmute::<*const u8, RegisterLibrary>(function);
        function(acc_prof_register, acc_prof_unregister, acc_prof_lookup);
    }
}

/// Loads the libraries that `ACC_PROFLIB` names, separated by semicolons. One that cannot be used is reported and left
/// out: the program does not depend on being watched.
pub(crate) fn load_libraries() {
    let Some(list) = std::env::var_os("ACC_PROFLIB") else { return };
    for name in list.as_bytes().split(|&byte| byte == b';').filter(|name| !name.is_empty()) {
        if let Err(message) = load(name) {
            warn(format_args!("ACC_PROFLIB: {message}"));
        }
    }
}

fn load(name: &[u8]) -> Result<(), String> {
    let path = CString::new(name).map_err(|_| "a name contains a zero byte".to_string())?;
    // SAFETY: the name is a C string; that the library's constructors run is what the user asks for.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY) };
    if handle.is_null() {
        return Err(format!("cannot load {}", path.to_string_lossy()));
    }
    // SAFETY: a handle of `dlopen`, and a C string.
    let function = unsafe { libc::dlsym(handle, c"acc_register_library".as_ptr()) };
    if function.is_null() {
        return Err(format!("{} has no acc_register_library", path.to_string_lossy()));
    }
    // SAFETY: that is the type of a function of this name.
    unsafe { register_library(function.cast()) };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup(name: &CStr) -> *const c_void {
        // SAFETY: a C string.
        unsafe { acc_prof_lookup(name.as_ptr()) }
    }

    #[test]
    fn lookup_finds_routines_of_the_interface_only() {
        assert!(!lookup(c"acc_get_device_type").is_null());
        assert!(!lookup(c"acc_prof_register").is_null());
        assert!(lookup(c"omp_get_wtime").is_null());
        assert!(lookup(c"__accrue_launch").is_null());
        assert!(lookup(c"acc_no_such_routine").is_null());
        // SAFETY: null is allowed.
        assert!(unsafe { acc_prof_lookup(std::ptr::null()) }.is_null());
    }

    #[test]
    fn what_cannot_be_loaded_is_named() {
        let message = load(b"no/such/library.so").unwrap_err();
        assert!(message.contains("no/such/library.so"), "{message}");
        assert!(load(b"libc.so.6").unwrap_err().contains("acc_register_library"));
    }
}
