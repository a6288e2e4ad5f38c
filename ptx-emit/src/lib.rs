//! Regions and routines as PTX.
//!
//! A region becomes a kernel: gangs are CTAs (`%ctaid`), workers rows of whole warps (`%tid.y`), vector lanes `%tid.x`.
//! The way there:
//!
//! 1. The shared pipeline (`accrue_ir::passes`) runs with the target of this crate, which assigns levels, gives
//!    variables that threads share a place in memory, and expands the quads of reductions. Forks and joins of workers
//!    and lanes stay in the code, as marks.
//! 2. The passes of this crate make single mode out of them: one thread executes what must be executed once, and what
//!    it changed is sent to the other threads; complex numbers and 128-bit integers are taken apart.
//! 3. The program is linked with the device's library, and passes of this crate go over what the device executes of it:
//!    functions are put where they are called, short loops do several iterations at once.
//! 4. The program is written as text ([`text`]).
//!
//! No device is opened here, and `ptxas` is not called: both belong to users of this crate.
//!
//! # Launching a kernel
//! - Grid: gangs in x (`gang(dim:2)` in y, `dim:3` in z). Block: x is the vector length rounded up to whole warps, y the
//!   number of workers.
//! - Parameters: those of the region, in order, each a scalar of its type (addresses are `.u64`); then
//!   `__accrue_scratch`, the address of the launch's scratch memory; then, if the vector length is not a constant of the
//!   region, `__accrue_vector_length`, a `.u32`.
//! - Where the code is for an architecture without barrier objects (`mbarrier`), no more than
//!   [`text::Kernel::most_long_rows`] workers have more than 32 lanes.
//! - Scratch is zero when a launch begins. [`text::Kernel`] says how much of it there is: some bytes, and some for each
//!   gang. A comment in the text says so where it is more than 16 and 4.
//! - A cooperative kernel ([`text::Kernel::cooperative`]) needs all of its gangs on the device at once.

mod aggregate;
pub mod alloca;
mod arch;
mod callee;
mod carry;
mod define;
pub mod dims;
mod inline;
mod levels;
pub mod neuter;
pub mod options;
mod reduce;
pub mod scalarize;
mod storage;
pub mod target;
pub mod text;
mod unroll;

pub use arch::Arch;
pub use dims::DefaultDims;
pub use options::{Options, Strategy};
pub use target::PtxTarget;

use accrue_ir::bits::BitSet;
use accrue_ir::passes::{self, Fault, PassError, Report};
use accrue_ir::{Body, File, Func, Function, FunctionKind, Module};
use text::{EmitError, Reached};

/// What the names of the source files of the device's library begin with. Options that change what arithmetic means do not
/// concern their code.
pub const LIBRARY: &str = "<device>/";

/// Whether a source file is one of the device's library.
fn in_library(module: &Module, file: File) -> bool {
    module.files.get(file).is_some_and(|name| name.starts_with(LIBRARY))
}

/// The bodies of regions and of routines above `seq`, in which threads share loops.
fn partitioned_bodies(module: &mut Module) -> impl Iterator<Item = &mut Body> {
    let is_partitioned = |function: &&mut Function| {
        matches!(function.kind, FunctionKind::Region(_))
            || function.routine.as_ref().is_some_and(|routine| routine.level.is_some())
    };
    module.functions.values_mut().filter(is_partitioned).filter_map(|function| function.body.as_deref_mut())
}

/// Whether a function is one of the device's library.
fn is_library(module: &Module, func: Func) -> bool {
    in_library(module, module.functions[func].pos.file)
}

/// A pass of this crate over a module: its name, what it does, and the pass.
type Pass = (&'static str, &'static str, fn(&mut Module, &Options, &mut Report) -> Result<(), PassError>);

/// The passes that follow the shared ones, in order.
const MODULE_PASSES: &[Pass] = &[
    ("neuter", "execute single mode once, tell the other threads", |module, options, report| {
        report.decisions.extend(neuter::run(module, options.explain));
        Ok(())
    }),
    ("stack", "give arrays of variable length a part of the frame", |module, options, _| {
        alloca::run(module, options);
        Ok(())
    }),
    ("scalarize", "take complex numbers and 128-bit integers apart", |module, _, _| {
        scalarize::run(module);
        Ok(())
    }),
    ("carry", "carry quotients of counters from iteration to iteration", |module, _, _| {
        carry::run(module);
        Ok(())
    }),
];

/// A pass of this crate over a program.
type ProgramPass = (&'static str, &'static str, fn(&mut Linked<'_>) -> Result<(), EmitError>);

/// The passes over the program that is linked with the device's library, in order.
const PROGRAM_PASSES: &[ProgramPass] = &[
    ("inline", "put functions where they are called, make locals of objects", inline::run),
    ("define", "give a value to what some path reads before it writes", |linked| {
        define::run(linked);
        Ok(())
    }),
    ("unroll", "do several iterations of short loops at once", |linked| {
        unroll::run(linked.module);
        Ok(())
    }),
];

/// A program that is linked with the device's library.
struct Linked<'a> {
    module: &'a mut Module,
    /// What the device executes of it.
    reached: Reached,
    options: &'a Options,
}

impl Linked<'_> {
    /// Takes the bodies of functions that the device does not execute.
    fn drop_unreached(&mut self) {
        let executed: BitSet<Func> = self.reached.with_code().collect();
        for (func, function) in self.module.functions.iter_mut() {
            if !executed.contains(func) {
                function.body = None;
            }
        }
    }
}

/// Names of the passes of this crate and what they do, in order.
pub fn passes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_module = MODULE_PASSES.iter().map(|(name, about, _)| (*name, *about));
    of_module.chain(PROGRAM_PASSES.iter().map(|(name, about, _)| (*name, *about)))
}

/// A pass of the pipeline for GPUs, to stop after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// A shared one.
    Shared(passes::Stage),
    /// One of this crate's that come before linking, by its place.
    Module(usize),
    /// One of those that come after it.
    Program(usize),
}

impl Stage {
    /// The stage of this name.
    pub fn by_name(name: &str) -> Option<Stage> {
        let of_module = || MODULE_PASSES.iter().position(|(own, ..)| *own == name).map(Stage::Module);
        let of_program = || PROGRAM_PASSES.iter().position(|(own, ..)| *own == name).map(Stage::Program);
        passes::Stage::by_name(name).map(Stage::Shared).or_else(of_module).or_else(of_program)
    }

    /// Whether it comes before the program is linked with the device's library.
    pub fn is_before_link(self) -> bool {
        match self {
            Stage::Shared(_) | Stage::Module(_) => true,
            Stage::Program(_) => false,
        }
    }
}

/// Runs the pipeline for GPUs on a module, the user's or one of the device's library, up to and including `stop_after`, at
/// most until the program is linked: the shared passes, then this crate's.
pub fn lower(
    module: &mut Module,
    options: &Options,
    stop_after: Option<Stage>,
    verify: bool,
) -> Result<Report, PassError> {
    let mut target = PtxTarget::new(options.clone());
    let (shared, own) = match stop_after {
        Some(Stage::Shared(stage)) => (Some(stage), 0),
        Some(Stage::Module(last)) => (None, last + 1),
        Some(Stage::Program(_)) | None => (None, MODULE_PASSES.len()),
    };
    let mut report = passes::pipeline(module, &mut target, shared, verify)?;
    if let Some(limit) = target.limit() {
        return Err(limit);
    }
    report.decisions.extend(target.decisions());
    report.warnings.extend(target.warnings());
    for (name, _, run) in MODULE_PASSES.iter().take(own) {
        run(module, options, &mut report)?;
        if verify {
            passes::verify_after(module, name)?;
        }
    }
    Ok(report)
}

/// Runs the passes over a linked program, up to and including `stop_after`. `reached` is what [`text::reach`] says of it;
/// the result is what it says afterwards.
pub fn lower_program(
    module: &mut Module,
    reached: Reached,
    options: &Options,
    stop_after: Option<Stage>,
    verify: bool,
) -> Result<Reached, PassError> {
    let count = match stop_after {
        Some(Stage::Program(last)) => last + 1,
        Some(Stage::Shared(_) | Stage::Module(_)) => 0,
        None => PROGRAM_PASSES.len(),
    };
    let mut linked = Linked { module, reached, options };
    for (name, _, run) in PROGRAM_PASSES.iter().take(count) {
        run(&mut linked).map_err(|error| limit(name, error))?;
        if verify {
            passes::verify_after(linked.module, name)?;
        }
    }
    Ok(linked.reached)
}

/// What cannot be written, found by a pass.
fn limit(pass: &'static str, error: EmitError) -> PassError {
    let EmitError { function, pos, message } = error;
    PassError { pass, fault: Fault::Limit, function: function.into(), pos, message }
}
