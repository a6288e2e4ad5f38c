//! Counts what was executed, for whoever judges a run from outside: with `ACCRUE_STATS=FILE` the counts are written
//! there as JSON when the program ends.

use std::ffi::{OsString, c_int};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

static REGIONS: AtomicU64 = AtomicU64::new(0);
static FILE: OnceLock<OsString> = OnceLock::new();

/// Counts an executed region.
pub(crate) fn region() {
    REGIONS.fetch_add(1, Ordering::Relaxed);
}

/// Arranges for the counts to be written at exit, if the environment asks for them.
pub(crate) fn at_exit() {
    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> c_int;
    }
    let Some(file) = std::env::var_os("ACCRUE_STATS") else { return };
    if FILE.set(file).is_ok() {
        // SAFETY: `write` is a plain function that lives as long as the process.
        unsafe { atexit(write) };
    }
}

extern "C" fn write() {
    let Some(file) = FILE.get() else { return };
    let text = format!("{{\"regions\": {}}}\n", REGIONS.load(Ordering::Relaxed));
    if let Err(error) = std::fs::write(file, text) {
        eprintln!("accrue: cannot write ACCRUE_STATS file {}: {error}", file.display());
    }
}
