//! The command line of accrue.

mod args;
mod commands;

use accrue::driver::Failure;
use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

/// Exit status of a program that does not compile.
const FAILED: u8 = 1;
/// Exit status of wrong usage.
const USAGE: u8 = 2;

/// Stack of the thread that compiles: syntax trees are walked by recursion. Pages that are not used cost nothing.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    let cli = Cli::parse_from(args::normalise(std::env::args_os()));
    let result = match &cli.command {
        Command::Run(args) => commands::run::run(args),
        Command::Ir(args) => on_big_stack(|| commands::ir::run(args)),
        Command::Ptx(args) => on_big_stack(|| commands::ptx::run(args)),
        Command::Clif(args) => on_big_stack(|| commands::clif::run(args)),
        Command::Explain(args) => on_big_stack(|| commands::explain::run(args)),
        Command::Golden(args) => commands::golden::run(args),
    };
    match result {
        Ok(code) => code,
        Err(Failure::Program) => ExitCode::from(FAILED),
        Err(failure @ Failure::Usage(_)) => {
            eprintln!("accrue: {failure}");
            ExitCode::from(USAGE)
        }
        Err(failure @ Failure::Other(_)) => {
            eprintln!("accrue: {failure}");
            ExitCode::from(FAILED)
        }
    }
}

/// Runs work on a thread with a stack for deep trees.
fn on_big_stack<T: Send>(work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => Err(Failure::Other(format!("cannot start the compiling thread: {error}"))),
        }
    })
}
