//! Regions and routines as PTX.
//!
//! A region becomes a kernel: gangs are CTAs (`%ctaid`), workers rows of whole warps (`%tid.y`), vector lanes
//! `%tid.x`. The way there:
//!
//! 1. Passes of `accrue_ir::passes` run with the hooks of this crate ([`PtxTarget`]), which assign levels,
//!    give variables that threads share a place in memory, and expand the quads of reductions. Forks and
//!    joins of workers and lanes stay in the code, as marks.
//! 2. Passes of this crate make single mode out of them: one thread executes what must be executed once, and
//!    the locals that it wrote go to the other threads; complex numbers and 128-bit integers are taken apart.
//! 3. The program is linked with the device's library, and passes of this crate go over what the device
//!    executes of it: functions are put where they are called, what is loaded again is loaded once, short loops
//!    do several iterations at once.
//! 4. The program is written as text ([`text`]).
//!
//! The first three are one list, `PASSES` in `passes.rs`, which `accrue_ir::passes::run` goes through;
//! [`text()`] is the fourth.
//!
//! No device is opened here, and `ptxas` is not called: both belong to users of this crate.
//!
//! # Launching a kernel
//! - Grid: gangs in x (`gang(dim:2)` in y, `dim:3` in z). Block: x is the vector length rounded up to whole
//!   warps, y the number of workers.
//! - Parameters: those of the region, in order, each a scalar of its type (addresses are `.u64`); then
//!   `__accrue_scratch`, the address of the launch's scratch memory; then, if the vector length is not a
//!   constant of the region, `__accrue_vector_length`, a `.u32`; then, if
//!   [`Options::launch_numbers`] are wanted and the launch has any, `__accrue_known`, an array of its
//!   [`text::AtLaunch::values`].
//! - Where the code is for an architecture without barrier objects (`mbarrier`), no more than
//!   [`text::Kernel::most_long_rows`] workers have more than 32 lanes.
//! - Scratch is zero when a launch begins. [`text::Kernel`] says how much of it there is: some bytes, and
//!   some for each gang. A comment in the text says so where it is more than 16 and 4.
//! - A cooperative kernel ([`text::Kernel::cooperative`]) needs all of its gangs on the device at once.

mod addresses;
mod align;
pub mod alloca;
mod angles;
mod arch;
mod barriers;
mod callee;
mod carry;
mod conditions;
mod copies;
mod define;
pub mod dims;
mod ends;
mod format;
mod inline;
mod late;
mod levels;
mod library;
mod lift;
mod link_library;
mod multiples;
pub mod narrow;
mod neuter;
pub mod once;
mod options;
mod passes;
mod printf;
mod ranges;
mod recipe;
mod reduce;
mod reload;
mod runs;
pub mod scalarize;
mod scans;
mod shapes;
mod share;
mod storage;
mod strips;
mod surplus;
pub mod target;
pub mod text;
mod unroll;

pub use arch::Arch;
pub use dims::DefaultDims;
pub use library::{DeviceLibrary, LIBRARY};
pub use link_library::NAME as LINK;
pub use options::{Options, Strategy};
pub use shapes::{Found, OUTDATED, Shapes};
pub use target::PtxTarget;

use accrue_ir::verify::Verified;
use accrue_ir::{Body, Function, FunctionKind, Module};
use text::{EmitError, Ptx};

/// The bodies of regions and of routines above `seq`, in which threads share loops.
fn partitioned_bodies(module: &mut Module) -> impl Iterator<Item = &mut Body> {
    let functions = module.functions.values_mut().filter(|function| is_partitioned(function));
    functions.filter_map(|function| function.body.as_deref_mut())
}

fn is_partitioned(function: &Function) -> bool {
    matches!(function.kind, FunctionKind::Region(_))
        || function.routine.as_ref().is_some_and(|routine| routine.level.is_some())
}

/// The PTX of a module that the target's passes have gone over.
pub fn text(module: &Verified, mut target: PtxTarget) -> Result<Ptx, EmitError> {
    let reached = target.take_reached(module)?;
    text::module(module, reached, &target.options)
}
