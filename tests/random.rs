//! Random programs with directives against their sequential twins: a fixed set of seeds in every way to run
//! that needs no GPU. `docs/testing.md` says how to run more of them, elsewhere.

use std::path::Path;
use std::process::{Command, Output};

/// Programs of the suite; the ways to run each take about two seconds of one core.
const PROGRAMS: u32 = 40;

/// Programs of nests without directives, twenty nests each.
const OF_NESTS: u32 = 20;

/// Programs of graphs of OpenMP tasks, ten graphs each, in four of the ways to run them.
const OF_TASKS: u32 = 12;

/// Programs of data environments, forty steps each.
const OF_ENVIRONMENTS: u32 = 40;

/// Programs of loops of plain C, thirty loops each.
const OF_PLAIN_LOOPS: u32 = 20;

/// Starts a script of the generator.
fn script(name: &str, args: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/random");
    let mut command = Command::new("python3");
    // The folder of sources stays as it is.
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("TMPDIR", env!("CARGO_TARGET_TMPDIR"));
    command.arg(folder.join(name)).args(args);
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs seeds from `first` on in some modes; what it printed if anything is not right.
fn failures(first: u32, count: u32, modes: &str, more: &[&str]) -> Option<String> {
    let jobs = std::thread::available_parallelism().map_or(2, usize::from).to_string();
    let (first, count) = (first.to_string(), count.to_string());
    let accrue = env!("CARGO_BIN_EXE_accrue");
    let mut args =
        vec!["--first", &first, "--count", &count, "--modes", modes, "--jobs", &jobs, "--accrue", accrue];
    args.extend(more);
    let output = script("run.py", &args);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert!(told.contains(&format!("{count} programs in ")), "{told}");
    (!output.status.success()).then_some(told)
}

#[test]
fn random_programs_agree_with_their_twins() {
    if let Some(told) = failures(1, PROGRAMS, "cpu", &[]) {
        panic!("{told}");
    }
}

#[test]
fn random_nests_agree_with_their_twins() {
    let modes = "O2,serial,gangs3,discrete,sim-strict";
    if let Some(told) = failures(7000, OF_NESTS, modes, &["--nests"]) {
        panic!("{told}");
    }
}

#[test]
fn random_graphs_of_tasks_agree_with_their_twins() {
    if let Some(told) = failures(1, OF_TASKS, "tasks", &["--tasks", "--sample", "4"]) {
        panic!("{told}");
    }
}

#[test]
fn random_data_environments_are_as_their_model_says() {
    let told = failures(1, OF_ENVIRONMENTS, "environment", &["--environment"])
        .or_else(|| failures(1, OF_ENVIRONMENTS, "devices", &["--devices"]));
    if let Some(told) = told {
        panic!("{told}");
    }
}

#[test]
fn random_loops_of_plain_c_agree_with_their_twins() {
    if let Some(told) = failures(1, OF_PLAIN_LOOPS, "O1,O3", &["--plain", "--size", "30"]) {
        panic!("{told}");
    }
}

/// The generator's own check: a C compiler that knows no directives finds nothing wrong with the programs.
#[test]
fn random_programs_are_valid() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let told = failures(1, PROGRAMS, "validate", &[])
        .or_else(|| failures(1, 4, "validate", &["--nests"]))
        .or_else(|| failures(1, 4, "validate", &["--plain"]));
    if let Some(told) = told {
        panic!("{told}");
    }
}

#[test]
fn a_seed_always_gives_the_same_program() {
    for args in [&["--seed", "3"][..], &["--seed", "3", "--nests"], &["--seed", "3", "--environment"]] {
        let program = || text(&script("generate.py", args).stdout);
        let first = program();
        assert!(first.contains("#pragma acc"), "{first}");
        assert!(first == program(), "two programs for one seed");
    }
}

/// A compiler that copies nothing back from the device, as a command: macros reach into directives.
fn forgetful_compiler() -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("forgetful.sh");
    let command =
        format!("#!/bin/sh\nexec {} \"$@\" -Dcopy=copyin -Dcopyout=copyin\n", env!("CARGO_BIN_EXE_accrue"));
    std::fs::write(&path, command).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, executable).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path.display().to_string()
}

#[test]
fn a_wrong_number_is_found_and_its_program_shortened() {
    let compiler = forgetful_compiler();
    let seeds = ["--count", "6", "--modes", "discrete", "--accrue", &compiler];
    let told = text(&script("run.py", &seeds).stdout);
    let line = told.lines().find(|line| line.contains(": wrong in discrete: test "));
    let line = line.unwrap_or_else(|| panic!("{told}"));
    let seed = line.trim_start_matches("seed ").split(':').next().unwrap_or_default();

    let whole = text(&script("generate.py", &["--seed", seed]).stdout);
    let options = ["--seed", seed, "--mode", "discrete", "--accrue", &compiler, "--tries", "100"];
    let output = script("reduce.py", &options);
    let short = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(short.len() * 2 < whole.len(), "{} characters of {}", short.len(), whole.len());
    assert!(short.contains("copy"), "{short}");
}
