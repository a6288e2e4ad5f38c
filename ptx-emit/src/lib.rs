//! Regions and routines as PTX.
//!
//! A region becomes a kernel: gangs are CTAs (`%ctaid`), workers rows of whole warps (`%tid.y`), vector lanes `%tid.x`.
//! The way there:
//!
//! 1. The shared pipeline (`accrue_ir::passes`) runs with the target of this crate, which assigns levels, gives
//!    variables that threads share a place in memory, and expands the quads of reductions. Forks and joins of workers
//!    and lanes stay in the code, as marks.
//! 2. The passes of this crate make single mode out of them: one thread executes what must be executed once, and what
//!    it changed is sent to the others; complex numbers and 128-bit integers are taken apart.
//! 3. The module is written as text, and what was written is verified.
//!
//! No device is opened here, and `ptxas` is not called: both belong to users of this crate.
//!
//! # Launching a kernel
//! - Grid: gangs in x (`gang(dim:2)` in y, `dim:3` in z). Block: x is the vector length rounded up to whole warps, y the
//!   number of workers.
//! - Parameters: those of the region, in order, each a scalar of its type (addresses are `.u64`); then
//!   `__accrue_scratch`, the address of the launch's scratch memory; then, if the vector length is not a constant of the
//!   region, `__accrue_vector_length`, a `.u32`.
//! - Scratch is zero when a launch begins. [`text::Kernel`] says how much of it there is: some bytes, and some for each
//!   gang. A comment in the text says so where it is more than 16 and 4.
//! - A cooperative kernel ([`text::Kernel::cooperative`]) needs all of its gangs on the device at once.

pub mod arch;
pub mod dims;
mod levels;
pub mod neuter;
pub mod options;
mod reduce;
pub mod scalarize;
mod storage;
pub mod target;
pub mod text;
pub mod verify;

pub use arch::Arch;
pub use dims::DefaultDims;
pub use options::{Options, Strategy};
pub use target::PtxTarget;

use accrue_ir::Module;
use accrue_ir::passes::{self, PassError, Report, Stage};

/// The passes that follow the shared ones, in order: name, and what it does.
pub const PASSES: &[(&str, &str)] = &[
    ("neuter", "execute single mode once, tell the other threads"),
    ("scalarize", "take complex numbers and 128-bit integers apart"),
];

/// Runs the pipeline for GPUs: the shared passes up to `stop_after`, and this crate's if there is no such limit.
pub fn lower(
    module: &mut Module,
    options: &Options,
    stop_after: Option<Stage>,
    verify: bool,
) -> Result<Report, PassError> {
    let mut target = PtxTarget::new(options.clone());
    let mut report = passes::pipeline(module, &mut target, stop_after, verify)?;
    if let Some(limit) = target.limit() {
        return Err(limit);
    }
    report.decisions.extend(target.decisions());
    report.warnings.extend(target.warnings());
    if stop_after.is_none() {
        report.decisions.extend(neuter::run(module)?);
        if verify {
            passes::verify_after(module, "neuter")?;
        }
        scalarize::run(module);
        if verify {
            passes::verify_after(module, "scalarize")?;
        }
    }
    Ok(report)
}
