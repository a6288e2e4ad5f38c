//! `accrue check`: run regions on a device and on the host, and compare; or run the program on the host, and
//! judge its loops or its tasks.

use super::run::Judge;
use crate::args::CheckArgs;
use crate::start::Status;
use accrue::driver::Failure;
use accrue_runtime::Tolerance;

/// Runs the command. The program's process ends with the result of the check.
pub fn run(args: &CheckArgs) -> Result<Status, Failure> {
    let CheckArgs { ref run, loops, tasks, abs, rel, ulp } = *args;
    let judge = match loops {
        Some(loops) => Judge::Loops(loops.into()),
        None if tasks => Judge::Tasks,
        None => Judge::Comparison(Tolerance { abs, rel, ulp }),
    };
    super::run::execute(run, judge)
}
