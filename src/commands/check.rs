//! `accrue check`: run regions on a device and on the host, and compare; or run the program on the host, and
//! judge its loops.

use super::run::Judge;
use crate::args::CheckArgs;
use crate::start::Status;
use accrue::driver::Failure;
use accrue_runtime::Tolerance;

/// Runs the command. The program's process ends with the result of the check.
pub fn run(args: &CheckArgs) -> Result<Status, Failure> {
    let CheckArgs { ref run, loops, abs, rel, ulp } = *args;
    let comparison = Judge::Comparison(Tolerance { abs, rel, ulp });
    super::run::execute(run, loops.map_or(comparison, |loops| Judge::Loops(loops.into())))
}
