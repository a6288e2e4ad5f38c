//! `accrue completions`: command lines that a shell completes.

use crate::args::{Cli, CompletionsArgs};
use crate::start::Status;
use accrue::driver::Failure;
use clap::CommandFactory;

/// Runs the command.
pub fn run(args: &CompletionsArgs) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "accrue", &mut script);
    super::print(&String::from_utf8_lossy(&script))?;
    Ok(Status::SUCCESS)
}
