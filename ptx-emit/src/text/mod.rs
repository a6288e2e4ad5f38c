//! Expanded IR as PTX text.
//!
//! What is written: the kernels of all regions, the C functions and routines they reach, and the globals that
//! these name. Order: header, prototypes, globals, shared buffers, functions, kernels, each in the module's
//! order.
//!
//! # Registers
//! A local is one register, numbered in its class in order of first use: `%p` (truth values), `%r` (integers
//! up to 32 bits), `%rd` (64-bit integers and addresses), `%f`, `%fd`. An `i8` or `i16` stands zero-extended
//! in its `%r`: loads, unsigned operations and zero extensions need nothing; what makes such a value cuts it,
//! and signed operations extend it first.
//!
//! # Addresses
//! A pointer in a register is a generic address. A slot or global that is the base of an access is accessed
//! in its own state space by name; its address as a value is made generic. Pointers that come from the
//! parameters of a kernel lead to global memory, and are used so as far as that can be seen.
//!
//! # What reads the text
//! Blocks without instructions are not written, two barriers never follow each other, and registers are
//! declared as what they hold. Lints over the simulator's reader, `ptx-sim/src/lint`, hold the text to this.

mod alike;
mod arith;
mod at_launch;
mod atomic;
mod barrier;
mod call;
mod call_graph;
mod convert;
mod copy;
mod count;
mod demands;
mod divide;
mod error;
mod extended;
mod flow;
mod function;
mod globals;
mod inst;
mod iterations;
mod library;
mod library_call;
mod meet;
mod memory;
mod module;
mod name;
mod operand;
mod output;
mod program;
mod read_only;
mod register;
mod room;
mod runs;
mod scratch;
mod shared;
mod source_text;
mod spaces;
mod sync;
mod tame;
mod terminator;
#[cfg(test)]
mod tests;
mod together;

pub use at_launch::AtLaunch;
pub(crate) use barrier::{BarrierKind, Rows};
pub(crate) use call_graph::make_operations;
pub use call_graph::{Reached, reach};
pub use error::EmitError;
pub use iterations::{Busy, GangLoops};
pub(crate) use library::{OWN, SHARE};
pub use name::KNOWN;
pub use output::{Kernel, Object, Ptx, Unset};
pub(crate) use read_only::ReadOnly;
pub(crate) use spaces::global_pointers;
pub(crate) use tame::Tame;

use crate::options::Options;
use accrue_ir::Module;
use error::Result;

/// A module whose abstract operations are expanded, as PTX. `reached` is what [`reach`] says of this module.
pub fn module(module: &Module, reached: Reached, options: &Options) -> Result<Ptx> {
    module::write(module, reached, options)
}
