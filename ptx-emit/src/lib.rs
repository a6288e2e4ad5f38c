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
mod callee;
mod carry;
mod define;
pub mod dims;
mod levels;
pub mod neuter;
pub mod options;
mod reduce;
pub mod scalarize;
mod storage;
pub mod target;
pub mod text;
mod unroll;
pub mod verify;

pub use arch::Arch;
pub use dims::DefaultDims;
pub use options::{Options, Strategy};
pub use target::PtxTarget;

use accrue_ir::passes::{self, PassError, Report};
use accrue_ir::{Func, Module};

/// What the names of the source files of the device's library begin with. Options that change what arithmetic means do not
/// concern their functions.
pub const LIBRARY: &str = "<device>/";

/// Whether a function is one of the device's library.
fn is_library(module: &Module, func: Func) -> bool {
    module.files.get(module.functions[func].pos.file).is_some_and(|file| file.starts_with(LIBRARY))
}

/// A pass of this crate: its name, what it does, and the pass.
type Pass = (&'static str, &'static str, fn(&mut Module, &Options, &mut Report) -> Result<(), PassError>);

/// The passes that follow the shared ones, in order.
pub const PASSES: &[Pass] = &[
    ("neuter", "execute single mode once, tell the other threads", neuter),
    ("scalarize", "take complex numbers and 128-bit integers apart", scalarize),
    ("carry", "carry quotients of counters from iteration to iteration", carry),
    ("define", "give a value to what some path reads before it writes", define),
    ("unroll", "do several iterations of short loops at once", unroll),
];

/// A pass of the pipeline for GPUs, to stop after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// A shared one.
    Shared(passes::Stage),
    /// The one at this place of [`PASSES`].
    Own(usize),
}

impl Stage {
    /// The stage of this name.
    pub fn by_name(name: &str) -> Option<Stage> {
        let own = || PASSES.iter().position(|(own, ..)| *own == name).map(Stage::Own);
        passes::Stage::by_name(name).map(Stage::Shared).or_else(own)
    }
}

/// Runs the pipeline for GPUs, up to and including `stop_after`: the shared passes, then this crate's.
pub fn lower(
    module: &mut Module,
    options: &Options,
    stop_after: Option<Stage>,
    verify: bool,
) -> Result<Report, PassError> {
    let mut target = PtxTarget::new(options.clone());
    let (shared, own) = match stop_after {
        Some(Stage::Shared(stage)) => (Some(stage), 0),
        Some(Stage::Own(last)) => (None, last + 1),
        None => (None, PASSES.len()),
    };
    let mut report = passes::pipeline(module, &mut target, shared, verify)?;
    if let Some(limit) = target.limit() {
        return Err(limit);
    }
    report.decisions.extend(target.decisions());
    report.warnings.extend(target.warnings());
    for (name, _, run) in PASSES.iter().take(own) {
        run(module, options, &mut report)?;
        if verify {
            passes::verify_after(module, name)?;
        }
    }
    Ok(report)
}

fn neuter(module: &mut Module, options: &Options, report: &mut Report) -> Result<(), PassError> {
    report.decisions.extend(neuter::run(module, options.explain));
    Ok(())
}

fn unroll(module: &mut Module, _: &Options, _: &mut Report) -> Result<(), PassError> {
    unroll::run(module);
    Ok(())
}

fn carry(module: &mut Module, _: &Options, _: &mut Report) -> Result<(), PassError> {
    carry::run(module);
    Ok(())
}

fn define(module: &mut Module, options: &Options, _: &mut Report) -> Result<(), PassError> {
    define::run(module, options);
    Ok(())
}

fn scalarize(module: &mut Module, _: &Options, _: &mut Report) -> Result<(), PassError> {
    scalarize::run(module);
    Ok(())
}
