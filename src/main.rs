//! The command line of accrue.

#![cfg_attr(not(test), no_main)]

mod args;
mod commands;
mod compat;
mod findings;
mod pool;
mod start;
mod warning_names;

use accrue::driver::{Failure, report};
use accrue_host_jit::Stack;
use args::{Cli, Command};
use start::Status;

/// Exit status of a program that does not compile.
const FAILED: u8 = 1;
/// Exit status of wrong usage.
const USAGE: u8 = 2;

/// Stack of the compiler: syntax trees are walked by recursion. Pages that are not used cost nothing.
const STACK_BYTES: usize = 1 << 30;

/// What [`start`] calls.
fn run() -> Status {
    let line = compat::translate(std::env::args_os());
    if let Some(error) = &line.error {
        report(&format!("accrue: {error}\n"));
        return Status(USAGE);
    }
    let cli = pool::with_pool(|| Cli::read(&line.args));
    for warning in &line.warnings {
        report(&format!("accrue: warning: {warning}\n"));
    }
    let result = match &cli.command {
        Command::Run(args) => commands::run::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Ir(args) => compiling(|| commands::ir::run(args)),
        Command::Ptx(args) => compiling(|| commands::ptx::run(args)),
        Command::Clif(args) => compiling(|| commands::clif::run(args)),
        Command::Explain(args) => compiling(|| commands::explain::run(args)),
        Command::Golden(args) => commands::golden::run(args),
        Command::Sim(args) => commands::sim::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args),
    };
    match result {
        Ok(code) => code,
        Err(Failure::Program) => Status(FAILED),
        Err(failure @ Failure::Usage(_)) => {
            report(&format!("accrue: {failure}\n"));
            Status(USAGE)
        }
        Err(failure @ Failure::Other(_)) => {
            report(&format!("accrue: {failure}\n"));
            Status(FAILED)
        }
    }
}

/// Runs work on a stack for deep trees, with memory made for compiling.
fn compiling<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let mut stack = Stack::new(STACK_BYTES)
        .map_err(|error| Failure::Other(format!("no memory for the compiler's stack: {error}")))?;
    pool::with_pool(|| stack.run(work))
}
