//! Programs that `accrue run` keeps: of one that has not changed since an earlier start, the front end and
//! the passes in front of `main` have been through already ([`accrue_frontend::cache`] says what makes that
//! safe). Machine code is made anew, so that what is kept knows nothing of the processor.

use crate::args::{Device, RunArgs};
use accrue_frontend::cache::{self, Facts, PROGRAMS};
use accrue_ir::Module;
use accrue_ir::verify::Verified;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where a program is kept.
pub(super) struct Kept {
    folder: PathBuf,
    options: String,
    key: Vec<u8>,
}

impl Kept {
    /// The place of a program of C that runs on the host; none if it is not to be kept.
    pub(super) fn of(args: &RunArgs) -> Option<Kept> {
        let is_plain = matches!(args.device(), Device::Host | Device::HostDiscrete | Device::Multicore)
            && args.resume.from_stage.is_none()
            && !args.simulation.is_given()
            && !args.compile.verify
            // Each start says so.
            && !args.compile.has_unknown_warnings()
            && !args.compile.syntax_only();
        if !is_plain {
            return None;
        }
        let folder = args.compile.cache(&PROGRAMS)?;
        let options = args.before_code();
        let key = key(&options, &args.compile.files)?;
        Some(Kept { folder, options, key })
    }

    /// The program, and whether it has leagues ([`accrue_host_jit::has_leagues`]), if it is there and nothing
    /// has changed.
    pub(super) fn recall(&self) -> Option<(Verified, bool)> {
        let program = cache::recall(&self.folder, &self.key)?;
        let (has_leagues, module): (bool, Module) = postcard::from_bytes(program.contents()).ok()?;
        Some((Verified::made(module, "keeping"), has_leagues))
    }

    /// Keeps the program of these sources.
    pub(super) fn keep(self, files: &[PathBuf], module: &Module, has_leagues: bool, facts: &Facts) {
        // The sources were read twice, by the front end after this.
        if key(&self.options, files).as_ref() != Some(&self.key) {
            return;
        }
        let Ok(contents) = postcard::to_stdvec(&(has_leagues, module)) else { return };
        cache::keep(&self.folder, self.key, facts, &contents);
    }
}

/// What decides about a program: options, and its sources with their names.
fn key(options: &str, files: &[PathBuf]) -> Option<Vec<u8>> {
    let texts = files.iter().map(|file| text(file)).collect::<Option<Vec<_>>>()?;
    let fuses = std::env::var_os("ACCRUE_FUSE").unwrap_or_default();
    let parts = [options.as_bytes(), fuses.as_bytes()];
    cache::key(parts.into_iter().chain(texts.iter().map(Vec::as_slice)))
}

/// The text of a source that can be read again: no pipe, and not standard input.
fn text(file: &Path) -> Option<Vec<u8>> {
    let is_plain = file != Path::new("-") && fs::metadata(file).ok()?.is_file();
    if is_plain { fs::read(file).ok() } else { None }
}
