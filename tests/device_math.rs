//! The device math library, run on the host: its accuracy against the host's library, and each source on its
//! own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn accrue(arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.arg("run").args(arguments).arg(file);
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn sources() -> Vec<PathBuf> {
    let folder = root().join("ptx-emit/library");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut sources: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    assert!(sources.len() > 15, "{sources:?}");
    sources
}

#[test]
fn errors_stay_within_the_stated_bounds() {
    let output = accrue(&["-Werror"], &root().join("tests/device-math/accuracy.c"));
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{:?}\n{stdout}{stderr}", output.status);
    assert!(stdout.lines().count() > 140, "{stdout}");
}

#[test]
fn accuracy_covers_every_source() {
    let path = root().join("tests/device-math/accuracy.c");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for source in sources() {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        // Its functions ask which thread of what they are in, and compute nothing.
        if name == "omp.c" {
            continue;
        }
        assert!(text.contains(&format!("/{name}\"")), "{name} is not included in {}", path.display());
    }
}

#[test]
fn every_source_is_a_translation_unit() {
    for source in sources() {
        let output = accrue(&["-fsyntax-only", "-Wall", "-Werror"], &source);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}\n{stderr}", source.display());
    }
}
