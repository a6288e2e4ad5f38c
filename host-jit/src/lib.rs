//! Host back end of accrue: IR to machine code in memory through Cranelift.
//!
//! [`compile`] takes a module whose OpenACC operations a target's hooks have expanded, and gives a
//! [`Program`]: code that is compiled function by function on its first call, or all at once, and can be run
//! in this process.
//!
//! - `lower` turns one function into Cranelift IR; what Cranelift cannot express is in `helpers`. `codegen`
//!   makes machine code of it, which refers to `names`.
//! - `abi` is the System V calling convention, decided here and not by Cranelift.
//! - `definitions` tells which definition stands for a name, `needed` finds what the program needs, `symbols`
//!   where undefined names come from.
//! - `data` makes `data_object`s of globals: bytes with relocations. `descriptors` writes what the runtime
//!   reads of directives as such objects, with the numbers of `kinds`.
//! - `linker` gives code and objects to a module of Cranelift, whichever it is. `jit` is the module in
//!   `memory`, with the stubs of functions that are compiled on their first call.
//! - `program` ties all together, with the `options`; `shared` is what a program's threads have in common,
//!   `lazy` compiles functions on their first call, on a `stack` of the compiler's own.
//! - `inspect` tells what a program consists of, for devices that have a copy of it.
//! - `faults` turns the program's fatal signals into one line and the right exit status, with the `code_map`;
//!   `fatal` ends the process.
//! - `target` is the host's expansion of the abstract operations, for the passes, of which `inline` and
//!   `alone` are its own; `reduce` how several gangs combine their results, `explain` what users are told of
//!   gangs.
//!
//! This crate opens no device. Programs live until the process ends: their exit
//! handlers and threads may run at any time.

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!("the host back end knows x86-64 Linux only");

mod abi;
mod alone;
mod around_calls;
mod clif;
mod code_map;
mod codegen;
mod data;
mod data_object;
mod definitions;
mod descriptors;
mod error;
mod explain;
mod fatal;
mod faults;
mod helpers;
mod inline;
mod inspect;
mod jit;
mod kinds;
mod lazy;
mod linker;
mod lower;
mod memory;
mod names;
mod needed;
mod options;
mod program;
mod reduce;
mod shared;
mod stack;
mod symbols;
mod target;
mod teams;
mod traps;

pub use clif::clif;
pub use error::{Error, Undefined};
pub use faults::{Explain, explain_faults};
pub use options::{CompileMode, OptLevel, Options, Roots};
pub use program::{Program, compile, has_leagues, has_tasks, keep_reached};
pub use reduce::Gangs;
pub use stack::Stack;
pub use symbols::Symbols;
pub use target::HostTarget;
