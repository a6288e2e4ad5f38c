//! `accrue check`: run regions on a device and on the host, and compare.

use crate::args::CheckArgs;
use accrue::driver::Failure;
use accrue_runtime::Tolerance;
use std::process::ExitCode;

/// Runs the command. The program's process ends with the result of the comparison.
pub fn run(args: &CheckArgs) -> Result<ExitCode, Failure> {
    let CheckArgs { ref run, abs, rel, ulp } = *args;
    super::run::execute(run, Some(Tolerance { abs, rel, ulp }))
}
