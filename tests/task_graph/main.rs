//! The graph of tasks that a program has, as its trace tells, is the one that its `depend` clauses say, and
//! no host waits between target tasks that depend on each other: it waits for a device as often as the
//! program asks for it, see [`waits`].
//!
//! Each program in `tests/omp` and `examples` whose tasks have dependences is one test for each number of
//! threads. It is executed on a device with memory of its own. From the `depend` clauses of the tasks in the
//! trace, in the order of their creation, the test works out anew which tasks depend on which.
//!
//! A dependence that is taken away from one with target tasks is missed: see [`mutation`].

mod explain;
mod graph;
mod mutation;
mod waits;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = Vec::new();
    for folder in ["tests/omp", "examples"] {
        for path in programs(&root.join(folder), "#pragma omp t") {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            for threads in [1, 2, 8] {
                let path = path.clone();
                let name = format!("{folder}/{stem} {threads} threads");
                trials.push(Trial::test(name, move || check(&path, threads)));
            }
        }
    }
    trials.push(Trial::test("harness/there are programs", has_programs));
    let all = ["tests/omp", "examples"].map(|folder| programs(&root.join(folder), "#pragma omp t")).concat();
    trials.push(Trial::test("explain/a program", explain::of_a_program));
    trials.push(Trial::test("explain/a run", explain::of_a_run));
    trials.push(Trial::test("harness/clauses are taken apart", mutation::clauses_are_taken_apart));
    trials.push(Trial::test("mutation", move || mutation::check(&all)));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Programs with a directive that begins so and has dependences, of which none is expected to be refused.
fn programs(folder: &Path, directive: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_one = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "c")
            && std::fs::read_to_string(path).is_ok_and(|text| {
                let is_task = |line: &str| line.contains(directive) && line.contains("depend(");
                text.lines().any(is_task) && !text.contains("// expect-error")
            })
    };
    let mut found: Vec<PathBuf> = entries.filter(is_one).collect();
    found.sort();
    found
}

fn has_programs() -> Result<(), Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match programs(&root.join("tests/omp"), "#pragma omp target").len() {
        0..5 => Err("fewer than five programs with target tasks in tests/omp".into()),
        _ => Ok(()),
    }
}

fn check(path: &Path, threads: u32) -> Result<(), Failed> {
    let graph = graph::traced(path, threads)?;
    let mut problems = Vec::new();
    graph.compare(&mut problems);
    graph.check_order(&mut problems);
    graph.check_waits(&mut problems);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}
