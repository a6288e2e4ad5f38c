//! Random C programs as GCC runs them: layouts, initialisers, arithmetic, checks for overflow, copies, calls,
//! control flow, subscripts, nests of all sizes, rows of memory, bodies of loops, teams, `target`, regions
//! and the host's threads, a few seeds of each script of `tests/conformance` that compares the two. Without
//! GCC the tests say so.

use std::path::Path;
use std::process::Command;

/// Programs of each script; one takes about a second of one core.
const PROGRAMS: &str = "30";

fn agrees_with_gcc(script: &str) {
    if let Err(error) = Command::new("gcc").arg("--version").output() {
        eprintln!("skipped: no GCC: {error}");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut command = Command::new("python3");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("TMPDIR", env!("CARGO_TARGET_TMPDIR"));
    command.arg(folder.join(script)).args(["--count", PROGRAMS, "--accrue", env!("CARGO_BIN_EXE_accrue")]);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    // GCC may refuse an initialiser; all of them would mean that nothing was compared.
    assert!(told.contains(" same, ") && !told.starts_with("0 same"), "{told}");
}

#[test]
fn members_are_where_gcc_puts_them() {
    agrees_with_gcc("layouts.py");
}

#[test]
fn initialisers_mean_what_they_mean_to_gcc() {
    agrees_with_gcc("initialisers.py");
}

#[test]
fn arithmetic_is_that_of_gcc() {
    agrees_with_gcc("expressions.py");
}

#[test]
fn overflow_is_found_where_gcc_finds_it() {
    agrees_with_gcc("overflows.py");
}

#[test]
fn copies_are_those_of_gcc() {
    agrees_with_gcc("memory.py");
}

#[test]
fn calls_arrive_as_gcc_makes_them() {
    agrees_with_gcc("calls.py");
}

#[test]
fn control_goes_where_it_goes_with_gcc() {
    agrees_with_gcc("control.py");
}

#[test]
fn loops_touch_the_elements_that_they_touch_with_gcc() {
    agrees_with_gcc("subscripts.py");
}

#[test]
fn rows_of_their_own_hold_what_gcc_leaves_there() {
    agrees_with_gcc("own_rows.py");
}

#[test]
fn short_branches_choose_what_gcc_chooses() {
    agrees_with_gcc("choices.py");
}

#[test]
fn nests_of_all_sizes_compute_what_gcc_computes() {
    agrees_with_gcc("sizes.py");
}

#[test]
fn bodies_of_loops_compute_what_gcc_computes() {
    agrees_with_gcc("bodies.py");
}

#[test]
fn threads_of_teams_meet() {
    agrees_with_gcc("teams.py");
}

#[test]
fn targets_compute_what_gcc_computes_in_sequence() {
    agrees_with_gcc("targets.py");
}

#[test]
fn threads_and_tasks_compute_what_gcc_computes_in_sequence() {
    agrees_with_gcc("threads.py");
}

#[test]
fn regions_compute_what_gcc_computes_in_sequence() {
    agrees_with_gcc("regions.py");
}
