//! The golden cases under `golden/cases`: one test per golden file, and for goldens in the IR's text form
//! that the text reads back to itself.

use accrue_golden::{Case, Golden, actual, scan};
use goldenfile::Mint;
use libtest_mimic::{Arguments, Failed, Trial};
use std::io::Write;
use std::path::Path;

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/cases");
    let cases = match scan(&folder) {
        Ok(cases) => cases,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    let mut trials = vec![Trial::test("every_reduction_is_counted", {
        let cases = cases.clone();
        move || every_reduction_is_counted(&cases)
    })];
    for golden in cases.into_iter().flat_map(|case| case.goldens) {
        let name = golden.path.strip_prefix(&folder).unwrap_or(&golden.path).display().to_string();
        trials.push(Trial::test(name, move || check(&golden)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// What a reduction costs is in the headers of its goldens, where a change cannot hide.
fn every_reduction_is_counted(cases: &[Case]) -> Result<(), Failed> {
    let of_reductions = cases.iter().filter(|case| case.path.to_string_lossy().contains("cases/reductions/"));
    for golden in of_reductions.flat_map(|case| &case.goldens) {
        let names: Vec<&str> =
            golden.counts.iter().flat_map(|counts| &counts.expected).map(|(name, _)| &**name).collect();
        let is_ptx = golden.path.extension().is_some_and(|extension| extension == "ptx");
        if is_ptx && ["shfl", "atom", "red", "bar", "barrier"].iter().any(|name| !names.contains(name)) {
            return Err(format!("{}: the header promises no `count`", golden.path.display()).into());
        }
    }
    Ok(())
}

/// Compares through `goldenfile`, which shows a diff and, with `UPDATE_GOLDENFILES=1`, blesses.
fn check(golden: &Golden) -> Result<(), Failed> {
    let text = actual(Path::new(env!("CARGO_BIN_EXE_accrue")), golden, None)?;
    if golden.path.extension().is_some_and(|extension| extension == "ir") {
        reads_back(&text)?;
    }
    if let Some(counts) = &golden.counts {
        // As `goldenfile` has it.
        if std::env::var("UPDATE_GOLDENFILES").is_ok_and(|value| value == "1") {
            counts.bless(&text)?;
        } else if let Some(complaint) = counts.complaint(&text) {
            let advice = "if that is right, UPDATE_GOLDENFILES=1 corrects the header";
            return Err(format!("{complaint}; {advice}").into());
        }
    }
    let folder = golden.path.parent().ok_or("a golden file stands in a folder")?;
    let name = golden.path.file_name().ok_or("a golden file has a name")?;
    let mut mint = Mint::new(folder);
    mint.new_goldenfile(name)?.write_all(text.as_bytes())?;
    // The comparison is made when the mint is dropped, and panics with the difference.
    drop(mint);
    Ok(())
}

/// The text of a module parses to a module that prints as the same text, with positions where it has them.
fn reads_back(text: &str) -> Result<(), Failed> {
    let module = accrue_ir::text::parse(text).map_err(|error| format!("the IR does not parse: {error}"))?;
    let options = accrue_ir::text::PrintOptions { positions: text.contains('@') };
    let again = accrue_ir::text::print_with(&module, options);
    if again == text { Ok(()) } else { Err("the IR does not print as it was read".into()) }
}
