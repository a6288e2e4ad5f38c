//! The mid-level IR of accrue.
//!
//! # Shape
//! A [`Module`] holds globals, functions and aggregate layouts. A [`Function`] is a control-flow graph of
//! [`Block`]s; a block is a list of instructions and one [`Terminator`]. There is no SSA form: scalars live
//! in typed, assignable [`Local`]s, everything that has an address lives in a [`Slot`] (per call), a
//! [`Global`], or the heap. Both consumers rebuild SSA by themselves (Cranelift's `FunctionBuilder`, ptxas),
//! and "what must be broadcast here?" becomes a question of liveness.
//!
//! # Meaning
//! - Instructions of a block execute in order, then the terminator. Operands are read before the result is
//!   written.
//! - A local that is read before it was written holds an unspecified value of its type; front ends initialise
//!   whatever C initialises. Every call has its own locals and slots.
//! - Integer arithmetic wraps (two's complement) on every type; signed overflow is not undefined here. Shifts
//!   use the amount modulo the width. Division by zero and `MIN / -1` trap. Floating-point arithmetic is
//!   IEEE, rounded to nearest even, never contracted.
//! - Integers have no sign, operations have. Up to the pass `signs`, code of constructs and routines shows
//!   where a number of the source becomes signed or unsigned: [`ConvertOp::Bits`] between equal types does
//!   nothing else. Extensions and comparisons tell whether their operand is signed, and an extension gives a
//!   number of the same kind, as [`ConvertOp::Trunc`] does; [`Op::Index`] takes a signed subscript. Sums of
//!   signed numbers of 32 bits or more do not overflow in a correct program; unsigned ones, and all that are
//!   narrower, wrap around.
//! - Memory is bytes. Loads and stores name type, alignment and address space; they never alias locals. Slots
//!   and globals are accessed as an [`Address`] whose base is the slot or global itself, so "all accesses to
//!   variable `a`" is a syntactic question until the pass `map-vars` rewrites mapped variables to their
//!   device addresses.
//! - Loops are first class ([`LoopData`]): passes keep the tree true, the verifier checks it against the
//!   graph.
//! - Directives are annotations: [`ConstructData`] on blocks, [`LoopDirective`] on loops. The pass `outline`
//!   turns each compute construct into a *region*: a function of kind [`FunctionKind::Region`], launched by
//!   [`Op::Launch`].
//! - Some facts of the source are for analyses, and change nothing in execution: that a pointer is declared
//!   `restrict` ([`LocalData::restrict`], [`SlotData::restrict`], [`GlobalData::restrict`]), and how many
//!   elements the array has that an [`Op::Index`] subscripts. Passes keep them or drop them.
//! - Reduction operations stay generic until a [`target::Target`]'s hooks expand them; nothing before that
//!   point knows anything about a device.
//!
//! # Text form
//! [`text::print`] and [`text::parse`] are inverse to each other on every module that passes
//! [`verify::verify`].

// Tests may import all of the file they are in; re-exports below are no imports.
#![warn(clippy::wildcard_imports)]

pub mod acc;
pub mod analysis;
pub mod bits;
pub mod builder;
pub mod constants;
pub mod edit;
pub mod entities;
pub mod function;
pub mod link_units;
pub mod module;
pub mod op;
pub mod passes;
pub mod report;
pub mod target;
pub mod text;
pub mod types;
pub mod verify;
pub mod visit;

pub use acc::*;
pub use entities::*;
pub use function::*;
pub use module::*;
pub use op::*;
pub use types::*;
