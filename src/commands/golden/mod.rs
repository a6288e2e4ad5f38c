//! `accrue golden`: a folder of golden cases.

mod report;

use crate::args::GoldenArgs;
use crate::start::Status;
use accrue::driver::Failure;
use accrue_golden::{Case, Golden, Suite, scan};
use report::{Report, Totals};
use std::path::Path;

/// Runs the command.
pub fn run(args: &GoldenArgs) -> Result<Status, Failure> {
    let other = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
    let compiler = std::env::current_exe().map_err(|error| other(&error))?;
    let cases = scan(&args.folder).map_err(|error| other(&error))?;
    let goldens = selected(args, &cases)?;
    let jobs = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        |jobs| jobs as usize,
    );
    let suite = Suite { compiler, bless: args.bless, jobs, timeout: Some(args.timeout) };
    let mut totals = Totals::of(&goldens);
    let mut report = Report::new(args.format, &args.folder);
    suite.run(&goldens, |finished| {
        totals.add(&finished);
        super::print(&report.golden(&finished))
    })?;
    super::print(&report.end(&totals))?;
    Ok(if totals.is_good() { Status::SUCCESS } else { Status::FAILURE })
}

/// The goldens that are asked for. That there is none is an error: a suite that checks nothing must not look
/// well.
fn selected<'a>(args: &GoldenArgs, cases: &'a [Case]) -> Result<Vec<(&'a Case, &'a Golden)>, Failure> {
    let folder = args.folder.display();
    if cases.is_empty() {
        return Err(Failure::Other(format!(
            "{folder}: no golden case: a case is a .c or .ir file with a line `//! golden SUFFIX: ARGUMENTS` in the comments that open it"
        )));
    }
    let is_wanted = |path: &Path| {
        let path = path.strip_prefix(&args.folder).unwrap_or(path).to_string_lossy();
        args.filter.is_empty() || args.filter.iter().any(|text| path.contains(text.as_str()))
    };
    let all = cases.iter().flat_map(|case| case.goldens.iter().map(move |golden| (case, golden)));
    let goldens: Vec<(&Case, &Golden)> = all.filter(|(_, golden)| is_wanted(&golden.path)).collect();
    if goldens.is_empty() {
        return Err(Failure::Other(format!("{folder}: no golden matches the filter")));
    }
    Ok(goldens)
}
