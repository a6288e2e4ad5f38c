//! Profiling libraries: those that `ACC_PROFLIB` names, and the one that a program may be.

use crate::fatal::warn;
use crate::prof::registry::{Lookup, Register, acc_prof_register, acc_prof_unregister};
use crate::symbols::acc_prof_lookup;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;

type RegisterLibrary = unsafe extern "C" fn(Register, Register, Lookup);

/// Calls the `acc_register_library` that a program defines, as OpenACC asks for a profiling library that is
/// linked with the program.
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

/// Loads the libraries that `ACC_PROFLIB` names, separated by semicolons. One that cannot be used is reported
/// and left out: the program does not depend on being watched.
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

    #[test]
    fn what_cannot_be_loaded_is_named() {
        let message = load(b"no/such/library.so").unwrap_err();
        assert!(message.contains("no/such/library.so"), "{message}");
        assert!(load(b"libc.so.6").unwrap_err().contains("acc_register_library"));
    }
}
