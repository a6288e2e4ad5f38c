//! `accrue golden`: a folder of golden cases.

use crate::args::GoldenArgs;
use accrue::driver::Failure;
use accrue_golden::{Outcome, check, scan};
use std::process::ExitCode;

/// Runs the command.
pub fn run(args: &GoldenArgs) -> Result<ExitCode, Failure> {
    let other = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
    let compiler = std::env::current_exe().map_err(|error| other(&error))?;
    let cases = scan(&args.folder).map_err(|error| other(&error))?;
    let (mut same, mut different, mut blessed) = (0u32, 0u32, 0u32);
    for golden in cases.iter().flat_map(|case| &case.goldens) {
        let path = golden.path.display();
        match check(&compiler, golden, args.bless)
            .map_err(|error| Failure::Other(format!("{path}: {error}")))?
        {
            Outcome::Same => same += 1,
            Outcome::Blessed => {
                blessed += 1;
                super::print(&format!("written   {path}\n"))?;
            }
            Outcome::Different(diff) => {
                different += 1;
                super::print(&format!("different {path}\n{diff}\n"))?;
            }
        }
    }
    let cases = cases.len();
    super::print(&format!(
        "{cases} cases: {same} goldens as expected, {different} different, {blessed} written\n"
    ))?;
    if different > 0 {
        super::print("If the new text is right, write it with --bless.\n")?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
