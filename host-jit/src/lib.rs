//! Host back end of accrue: IR to machine code in memory through Cranelift.
//!
//! [`compile`] takes a module whose OpenACC operations a target's hooks have expanded, and gives a [`Program`]: code
//! that is compiled function by function on its first call, or all at once, and can be run in this process.
//!
//! - `lower` turns one function into Cranelift IR; what Cranelift cannot express is in `helpers`.
//! - `abi` is the System V calling convention, decided here and not by Cranelift.
//! - `definitions` tells which definition stands for a name, `needed` finds what the program needs, `symbols` where undefined names come from, `data` lays out globals.
//! - `machine_code` places code in memory, makes stubs, and applies relocations; `program` ties all together.
//! - `lazy` compiles functions on their first call; `stack` is where the compiler runs.
//! - `descriptors` writes what the runtime reads of directives, with the numbers of `kinds`, as `data_object`s: bytes with relocations.
//! - `inspect` tells what a program consists of, for devices that have a copy of it.
//! - `faults` turns the program's fatal signals into one line and the right exit status.
//! - `target` is the host's expansion of the abstract operations, for the passes.
//!
//! This crate opens no device. Programs live until the process ends: their exit
//! handlers and threads may run at any time.

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!("the host back end knows x86-64 Linux only");

mod abi;
mod clif;
mod code_map;
mod codegen;
mod data;
mod data_object;
mod definitions;
mod descriptors;
mod error;
mod fatal;
mod faults;
mod helpers;
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
mod shared;
mod stack;
mod symbols;
mod target;
mod traps;

pub use clif::clif;
pub use error::{Error, Undefined};
pub use faults::{Explain, explain_faults};
pub use options::{CompileMode, OptLevel, Options, Roots};
pub use program::{Program, compile, keep_reached};
pub use stack::Stack;
pub use symbols::Symbols;
pub use target::HostTarget;
