//! `accrue run --tune`: which file its findings go to, and what is said of them.

use super::Judge;
use super::devices::Tried;
use crate::args::{Device, RunArgs};
use accrue::driver::{self, Failure};
use accrue::shapes::{self, Measured, Region};
use accrue_ptx_emit::Shapes;
use accrue_runtime::plugin::tune::{Outcome, Save};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Refuses what cannot be measured.
pub fn check(args: &RunArgs, judge: Judge) -> Result<(), Failure> {
    let wrong = |message: &str| Err(Failure::Usage(message.to_owned()));
    match &args.tune {
        None => Ok(()),
        Some(_) if !matches!(judge, Judge::Nobody) => {
            wrong("`--tune` is an option of `run`: it judges nothing")
        }
        Some(_) if !matches!(args.device(), Device::Cuda | Device::Sim) => {
            wrong("`--tune` measures launches of `--device cuda`, or `--device sim` by its own clock")
        }
        Some(_) if args.reduction.deterministic => wrong(
            "`--tune` gives launches different shapes, so that results of `--deterministic` would differ",
        ),
        Some(None) if first(args) == Path::new("-") => {
            wrong("`--tune` needs a file for a program from standard input: `--tune=FILE`")
        }
        Some(_) => Ok(()),
    }
}

fn first(args: &RunArgs) -> &Path {
    args.compile.files.first().map_or(Path::new("-"), PathBuf::as_path)
}

/// The shapes of a run on a device of this name: to be tried, or from a file, which is the one beside the
/// source where the command line names none.
pub fn shapes(args: &RunArgs, device: &str) -> Result<Shapes, Failure> {
    if args.tune.is_some() {
        return Ok(Shapes::Tried);
    }
    let beside = shapes::beside(first(args));
    let (file, measured) = match &args.compile.shapes {
        Some(file) => (file, Some(shapes::read_named(file)?)),
        None => (&beside, if first(args) == Path::new("-") { None } else { shapes::read(&beside)? }),
    };
    let Some(measured) = measured else { return Ok(Shapes::Usual) };
    if measured.device != device {
        let (file, of) = (file.display(), &measured.device);
        let message = format!(
            "the shapes in {file} are not used: they were measured on `{of}`, and this is `{device}`"
        );
        args.compile.messages().complain(accrue_ptx_emit::OUTDATED, message)?;
        return Ok(Shapes::Usual);
    }
    measured.shapes(file)
}

/// What happens to the findings of a run on a device of this name, whose regions were tried.
pub fn save(args: &RunArgs, device: String, tried: Tried) -> Option<Save> {
    let file = args.tune.as_ref()?.clone().unwrap_or_else(|| shapes::beside(first(args)));
    Some(Box::new(move |outcomes| {
        let (regions, text) = told(&tried, outcomes);
        if regions.is_empty() {
            let why = "nothing was launched often enough to compare shapes";
            return driver::report(&format!(
                "accrue: warning: {}: not written: {why}\n{text}",
                file.display()
            ));
        }
        driver::report(&match shapes::write(&file, &Measured { device, regions }) {
            Ok(()) => format!("accrue: {}: shapes of regions, by time\n{text}", file.display()),
            Err(error) => format!("accrue: warning: {error}\n"),
        });
    }))
}

/// The lines of the file, and the lines for the user.
fn told(tried: &Tried, outcomes: Vec<Outcome>) -> (Vec<Region>, String) {
    let (mut regions, mut text) = (Vec::new(), String::new());
    let microseconds = |time: Duration| (time.as_secs_f64() * 1e8).round() / 100.0;
    for Outcome { region, launches, means, best } in outcomes {
        let Some((fingerprint, candidates)) = tried.get(&region) else { continue };
        let mean = |candidate: usize| means.get(candidate).copied().flatten().map(microseconds);
        let times = best.and_then(|best| Some((best, mean(0)?, mean(best)?)));
        let Some((best, usual_us, best_us)) = times else {
            let count = 1 + candidates.len();
            let _ = writeln!(text, "{region}: launched {launches} times, too few to compare {count} shapes");
            continue;
        };
        let shape = best.checked_sub(1).map(|at| candidates[at]);
        let _ = match shape {
            Some([workers, lanes]) => writeln!(
                text,
                "{region}: {workers} workers of {lanes} lanes, {best_us} us; {usual_us} us as the compiler chooses"
            ),
            None => writeln!(text, "{region}: as the compiler chooses, {usual_us} us"),
        };
        let code = format!("{fingerprint:016x}");
        regions.push(Region { region, code, launches, usual_us, best_us, shape });
    }
    (regions, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_told_with_what_was_found() {
        let tried = Tried::from([
            ("a".to_owned(), (10, vec![[2, 32], [1, 64]])),
            ("b".to_owned(), (11, vec![[2, 32]])),
            ("c".to_owned(), (12, vec![[2, 32]])),
        ]);
        let outcome = |region: &str, means: &[u64], best| Outcome {
            region: region.to_owned(),
            launches: 20,
            means: means.iter().map(|&time| Some(Duration::from_micros(time))).collect(),
            best,
        };
        let outcomes = vec![
            outcome("a", &[10, 12, 8], Some(2)),
            outcome("b", &[5, 6], Some(0)),
            outcome("c", &[5], None),
        ];
        let (regions, text) = told(&tried, outcomes);
        assert_eq!(
            text,
            "a: 1 workers of 64 lanes, 8 us; 10 us as the compiler chooses\nb: as the compiler chooses, 5 us\n\
             c: launched 20 times, too few to compare 2 shapes\n"
        );
        let shapes: Vec<_> = regions.iter().map(|region| (&*region.code, region.shape)).collect();
        assert_eq!(shapes, [("000000000000000a", Some([1, 64])), ("000000000000000b", None)]);
    }
}
