//! The subcommands, one file each.

pub mod check;
pub mod clif;
pub mod completions;
pub mod explain;
pub mod golden;
pub mod ir;
pub mod man;
pub mod ptx;
pub mod run;
pub mod sim;

use accrue::driver::Failure;
use std::io::{ErrorKind, Write};

/// Writes what a command prints. A reader that has seen enough (`accrue ir ... | head`) is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
