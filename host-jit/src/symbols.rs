//! Where names come from that the program does not define: the runtime, `-l` libraries, the process.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;

/// What the caller of [`crate::compile`] knows about names.
#[derive(Clone, Copy, Default)]
pub struct Symbols<'a> {
    /// Functions of the runtime by name; they come before those of libraries.
    pub runtime: &'a [(&'a str, *const u8)],
    /// Libraries as given by `-l`, without prefix and suffix, in order.
    pub libraries: &'a [String],
    /// Folders given by `-L`, searched before the system's.
    pub library_dirs: &'a [PathBuf],
}

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
    fn at_quick_exit(function: extern "C" fn()) -> c_int;
    fn pthread_atfork(prepare: *const c_void, parent: *const c_void, child: *const c_void) -> c_int;
    fn stat(path: *const c_char, buffer: *mut c_void) -> c_int;
    fn fstat(file: c_int, buffer: *mut c_void) -> c_int;
    fn lstat(path: *const c_char, buffer: *mut c_void) -> c_int;
    fn fstatat(dir: c_int, path: *const c_char, buffer: *mut c_void, flags: c_int) -> c_int;
    fn mknod(path: *const c_char, mode: libc::mode_t, device: libc::dev_t) -> c_int;
}

/// Functions that glibc links statically into every program, so that the dynamic linker does not know them
/// (some only before glibc 2.33).
fn linked(name: &str) -> Option<usize> {
    let address = match name {
        "atexit" => atexit as *const () as usize,
        "at_quick_exit" => at_quick_exit as *const () as usize,
        "pthread_atfork" => pthread_atfork as *const () as usize,
        "stat" => stat as *const () as usize,
        "fstat" => fstat as *const () as usize,
        "lstat" => lstat as *const () as usize,
        "fstatat" => fstatat as *const () as usize,
        "mknod" => mknod as *const () as usize,
        _ => return None,
    };
    Some(address)
}

/// Libraries that are part of every process, or of libc itself.
const ALWAYS_THERE: [&str; 6] = ["c", "pthread", "dl", "rt", "util", "gcc_s"];
/// Versions tried where a library has no development link.
const MAX_VERSION: u32 = 20;

/// Libraries that a name may come from without `-l`, where nobody else has it. Loaded on demand: most
/// programs that a Rust process runs find the first loaded, and few ask for the second, the compiler's
/// routines.
const ON_DEMAND: [&CStr; 2] = [c"libm.so.6", c"libgcc_s.so.1"];

/// Looks names up.
pub(crate) struct Resolver<'a> {
    symbols: Symbols<'a>,
    handles: Vec<*mut c_void>,
    on_demand: [Option<*mut c_void>; ON_DEMAND.len()],
}

impl<'a> Resolver<'a> {
    /// Loads the libraries; the error is one message per library that could not be loaded.
    pub(crate) fn new(symbols: Symbols<'a>) -> Result<Resolver<'a>, Vec<String>> {
        let mut errors = Vec::new();
        let mut handles = Vec::new();
        for name in symbols.libraries {
            if ALWAYS_THERE.contains(&name.as_str()) || name == "m" {
                continue;
            }
            match load(name, symbols.library_dirs) {
                Ok(handle) => handles.push(handle),
                Err(message) => errors.push(message),
            }
        }
        if errors.is_empty() {
            Ok(Resolver { symbols, handles, on_demand: [None; ON_DEMAND.len()] })
        } else {
            Err(errors)
        }
    }

    /// The address of a name; `None` if nobody defines it.
    pub(crate) fn find(&mut self, name: &str) -> Option<usize> {
        if let Some(&(_, address)) = self.symbols.runtime.iter().find(|(known, _)| *known == name) {
            return Some(address.addr());
        }
        let c_name = CString::new(name).ok()?;
        for &handle in &self.handles {
            if let Some(address) = find_in(handle, &c_name) {
                return Some(address);
            }
        }
        linked(name).or_else(|| find_in(libc::RTLD_DEFAULT, &c_name)).or_else(|| {
            ON_DEMAND.iter().zip(&mut self.on_demand).find_map(|(library, handle)| {
                let handle = *handle.get_or_insert_with(|| open(library));
                if handle.is_null() { None } else { find_in(handle, &c_name) }
            })
        })
    }
}

fn open(name: &CStr) -> *mut c_void {
    // SAFETY: the name is a C string; loading a library runs its constructors, which is what `-l` asks for.
    unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) }
}

fn find_in(handle: *mut c_void, name: &CStr) -> Option<usize> {
    // SAFETY: the handle is one of `dlopen`'s or a pseudo handle; the name is a C string.
    let address = unsafe { libc::dlsym(handle, name.as_ptr()) };
    (!address.is_null()).then(|| address.expose_provenance())
}

fn load(name: &str, dirs: &[PathBuf]) -> Result<*mut c_void, String> {
    let file = format!("lib{name}.so");
    let in_dirs = dirs.iter().map(|dir| dir.join(&file).into_os_string().into_encoded_bytes());
    let plain = std::iter::once(file.clone().into_bytes());
    let versions = (0..MAX_VERSION).map(|version| format!("{file}.{version}").into_bytes());
    for candidate in in_dirs.chain(plain).chain(versions) {
        let Ok(candidate) = CString::new(candidate) else {
            break;
        };
        let handle = open(&candidate);
        if !handle.is_null() {
            return Ok(handle);
        }
    }
    Err(format!("cannot load library `{name}` (looked for a shared library `{file}`)"))
}
