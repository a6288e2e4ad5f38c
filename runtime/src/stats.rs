//! Counts what is executed, for whoever judges a run from outside: with `ACCRUE_STATS=FILE` the counts stand
//! in that file as JSON from the start of the program on, so that they are there however it ends.

use crate::fatal::warn;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, OnceLock, PoisonError};

static REGIONS: Mutex<u64> = Mutex::new(0);
static FILE: OnceLock<File> = OnceLock::new();

/// Counts an executed region, if anybody wants to know.
#[inline]
pub(crate) fn region() {
    if let Some(file) = FILE.get() {
        // Held while it is written, so that no thread covers a later number by an earlier one.
        let mut regions = REGIONS.lock().unwrap_or_else(PoisonError::into_inner);
        *regions += 1;
        write(file, *regions);
    }
}

/// Whether anybody wants to know.
#[inline]
pub(crate) fn is_wanted() -> bool {
    FILE.get().is_some()
}

/// Opens the file, if the environment asks for one.
pub(crate) fn start() {
    let Some(name) = std::env::var_os("ACCRUE_STATS") else { return };
    match File::create(&name) {
        Ok(file) => write(FILE.get_or_init(|| file), 0),
        Err(error) => warn(format_args!("cannot write ACCRUE_STATS file {}: {error}", name.display())),
    }
}

/// The text has one width, so that a later count covers an earlier one.
fn write(file: &File, regions: u64) {
    let text = format!("{{\"regions\": {regions:<20}}}\n");
    if let Err(error) = file.write_all_at(text.as_bytes(), 0) {
        warn(format_args!("cannot write the ACCRUE_STATS file: {error}"));
    }
}
