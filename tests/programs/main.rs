//! Whole programs: one C file in `tests/c`, `tests/acc`, `tests/api`, `tests/data`, `tests/goldens`,
//! `tests/omp` or `examples` is one test per way to run it; the inputs of the benchmarks are tested too. Programs with
//! directives must print the same when the device's memory is not the program's, and in the simulator.
//!
//! Golden cases are mostly functions: the programs in `tests/goldens` include and call them.
//!
//! What the program must print stands beside it in a file that ends in `.out`; without one it must print
//! nothing. The line comments that open the file hold the options of the case, see [`case::Case`].
//! `UPDATE_GOLDENFILES=1` writes the `.out` files, which is best done with a peer:
//! `ACCRUE_PEER="gcc -fopenacc" UPDATE_GOLDENFILES=1`.
//!
//! Every option that changes code is executed on a sample of these programs, see [`options`].

mod bench_inputs;
mod case;
#[path = "../common/mod.rs"]
mod common;
mod options;

use case::Case;
use common::{Compiler, Message, messages};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn main() {
    let arguments = Arguments::from_args();
    let compiler = Arc::new(Compiler::from_environment());
    let mut trials = vec![
        Trial::test("harness/header", header_is_read),
        Trial::test("harness/unknown-option", unknown_option_is_an_error),
        Trial::test("harness/messages", messages_are_read),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut directives, mut plain) = (Vec::new(), Vec::new());
    for folder in
        ["tests/c", "tests/acc", "tests/api", "tests/data", "tests/goldens", "tests/omp", "examples"]
    {
        for path in c_files(&root.join(folder)) {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let name = format!("{folder}/{stem}");
            add(&mut trials, &path, &name, &compiler);
            // Programs that are only diagnosed are not executed with options either.
            if Case::read(&path).is_ok_and(|case| case.diagnostics.is_empty()) {
                if folder == "tests/c" { &mut plain } else { &mut directives }.push((name, path));
            }
        }
    }
    trials.extend(options::trials(&compiler, &directives, &plain, run));
    trials.push(Trial::test("harness/goldens", move || every_golden_is_executed(root)));
    trials.extend(bench_inputs::trials(&compiler, |folder| c_files(&root.join(folder))));
    libtest_mimic::run(&arguments, trials).exit();
}

fn header_is_read() -> Result<(), Failed> {
    let text = "// Prose, with a colon: here.\n// args: a b\n// also: --gangs 3\n// expect-error: some-id at 7\nint x; // status: 3\n";
    let case = Case::parse(Path::new("x.c"), text)?;
    let expected = Message { severity: "error".to_owned(), id: "some-id".to_owned(), line: 7 };
    let good = case.args == ["a", "b"] && case.also == [["--gangs", "3"]] && case.diagnostics == [expected];
    if good && case.status == 0 { Ok(()) } else { Err(format!("{case:?}").into()) }
}

fn unknown_option_is_an_error() -> Result<(), Failed> {
    for text in ["// arg: 1\n", "// status: many\n", "// expect-error: id\n"] {
        if let Ok(case) = Case::parse(Path::new("x.c"), text) {
            return Err(format!("{text:?} is read as {case:?}").into());
        }
    }
    Ok(())
}

fn messages_are_read() -> Result<(), Failed> {
    let text = "error[a-b]: one\n  --> dir/x.c:3:9\n   |\n   ::: y.c:8:1\nwarning[c]: two\n --> x.c:12:1\nnote: z\n --> x.c:1:1\n";
    let found: Vec<(String, String, u32)> =
        messages(text).into_iter().map(|m| (m.severity, m.id, m.line)).collect();
    let expected = [("error".to_owned(), "a-b".to_owned(), 3), ("warning".to_owned(), "c".to_owned(), 12)];
    if found == expected { Ok(()) } else { Err(format!("{found:?}").into()) }
}

/// The cases of a folder; a sub-folder holds further sources of a case, not cases.
fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .collect();
    files.sort();
    files
}

/// A golden case is part of a program in `tests/goldens`.
fn every_golden_is_executed(root: &Path) -> Result<(), Failed> {
    let mut included = String::new();
    for path in c_files(&root.join("tests/goldens")) {
        included += &std::fs::read_to_string(path)?;
    }
    let mut missing = Vec::new();
    for folder in std::fs::read_dir(root.join("golden/cases"))? {
        for path in c_files(&folder?.path()) {
            let name = path.strip_prefix(root)?.display().to_string();
            if !included.contains(&format!("#include \"../../{name}\"")) {
                missing.push(name);
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("not executed: {}", missing.join(", ")).into()) }
}

/// Options of the simulator.
type Simulated = &'static [&'static str];

/// Every way to combine results, each in a schedule of its own; in half of them lanes meet only where
/// branches join, and in the last one queues lag.
const EVERY_STRATEGY: &[Simulated] = &[
    &["--device", "sim"],
    &["--device", "sim", "--seed", "1", "--reduction", "lock", "--divergence", "structured"],
    &["--device", "sim", "--seed", "2", "--reduction", "cas"],
    &["--device", "sim", "--seed", "3", "--reduction", "atomic"],
    &["--device", "sim", "--seed", "4", "--reduction", "tree", "--divergence", "structured"],
    &["--device", "sim", "--seed", "5", "--deterministic", "--divergence", "structured", "--queues", "lag"],
];

/// Queues that do their work at once, and those that do it as late as they may.
const EAGER_AND_LATE: &[Simulated] = &[EVERY_STRATEGY[0], &["--device", "sim", "--queues", "lag"]];

/// The same with tasks, and a schedule of their threads.
const TASKS: &[Simulated] = &[EAGER_AND_LATE[0], EVERY_STRATEGY[1], EAGER_AND_LATE[1]];

/// A team of one thread executes tasks where they are created; more threads than processors change places.
const THREADS: &[&[&str]] = &[
    &["OMP_NUM_THREADS=1"],
    &["OMP_NUM_THREADS=2"],
    &["OMP_NUM_THREADS=8"],
    &["--memory", "discrete"],
    &["--device", "multicore", "--gangs", "4"],
];

/// An example prints the same with several gangs, in turn and at once, as plain C, on a device with memory of
/// its own; so do programs about directives, and those about OpenMP's threads with any number of them.
fn further_runs(name: &str) -> Vec<Vec<String>> {
    const DISCRETE: &[&str] = &["--memory", "discrete"];
    const MULTICORE: &[&str] = &["--device", "multicore", "--gangs", "4"];
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (runs, simulated): (&[&[&str]], &[Simulated]) = match folder {
        "examples" => (&[&["--gangs", "3"], &["-fno-openacc"], DISCRETE, MULTICORE], EAGER_AND_LATE),
        "tests/acc" | "tests/goldens" => (&[DISCRETE, MULTICORE], EVERY_STRATEGY),
        "tests/omp" => (THREADS, TASKS),
        "tests/api" | "tests/data" => (&[MULTICORE], EAGER_AND_LATE),
        _ => (&[], &[]),
    };
    let words = |words: &&[&str]| -> Vec<String> { words.iter().map(|&word| word.to_owned()).collect() };
    let runs = runs.iter().chain(simulated).map(words);
    runs.filter(|words| !is_left_out(name, words)).collect()
}

/// Whether a program is not executed with these options.
fn is_left_out(name: &str, words: &[String]) -> bool {
    LEFT_OUT.iter().any(|&(other, with, _)| other == name && words.iter().any(|word| word == with))
}

/// Of teams that are no whole number of warps.
const IDLE_LANES: &str = "lanes that are none of a team wait elsewhere than those that are";

/// Programs that are not executed on a device, or there with some option, and why.
const LEFT_OUT: &[(&str, &str, &str)] = &[
    (
        "tests/acc/array_reductions",
        "--deterministic",
        "gangs reduce an array of variable length: a known limit",
    ),
    ("tests/acc/constructs_in_callees", "sim", "a GPU cannot start constructs"),
    ("tests/acc/host_data_objects", "sim", "uses an address of the device on the host"),
    ("tests/acc/never_ending", "sim", "calls `fflush` in a region"),
    ("tests/acc/nohost", "sim", "prints which code was executed"),
    ("tests/api/device_rules", "sim", "prints which types of devices there are"),
    ("tests/api/profiling", "sim", "prints the device of each event, and that shared memory is not copied"),
    ("tests/data/errors", "sim", "prints the name of the device"),
    ("tests/goldens/team", "structured", IDLE_LANES),
    ("tests/omp/gang_teams", "structured", IDLE_LANES),
    ("tests/omp/target_calls_threads", "structured", IDLE_LANES),
    ("tests/omp/target_team_arrays", "structured", IDLE_LANES),
    ("tests/omp/target_team_known_addresses", "structured", IDLE_LANES),
];

/// Adds the tests of one file; a header that cannot be read is a test that fails.
fn add(trials: &mut Vec<Trial>, path: &Path, name: &str, compiler: &Arc<Compiler>) {
    let case = match Case::read(path) {
        Ok(case) => Arc::new(case),
        Err(problem) => {
            trials.push(Trial::test(name, move || Err(problem.into())));
            return;
        }
    };
    if !case.diagnostics.is_empty() {
        let owned = (Arc::clone(&case), Arc::clone(compiler), name.to_owned());
        let diagnose = move || diagnose(&owned.0, &owned.1, &owned.2);
        trials.push(Trial::test(name, diagnose).with_ignored_flag(!compiler.is_accrue()));
        return;
    }
    let plain = std::iter::once(Vec::new());
    for more in plain.chain(case.also.iter().cloned()).chain(further_runs(name)) {
        let name = if more.is_empty() { name.to_owned() } else { format!("{name} {}", more.join(" ")) };
        let owned = (Arc::clone(&case), Arc::clone(compiler), name.clone());
        trials.push(Trial::test(name, move || run(&owned.0, &owned.1, &owned.2, &more)));
    }
}

fn run(case: &Case, compiler: &Compiler, name: &str, more: &[String]) -> Result<(), Failed> {
    let mut options: Vec<String> = case.options.iter().chain(more).cloned().collect();
    // A simulated GPU has memory of its own, and no say in that.
    if more.iter().any(|option| option == "sim") {
        let memory = options.iter().position(|option| option == "--memory");
        memory.into_iter().for_each(|at| drop(options.drain(at..at + 2)));
    }
    let outcome = compiler.run(&options, &case.sources, &case.args, name)?;
    let code = outcome.code()?;
    if code != case.status {
        return Err(
            format!("status {code}, expected {}\n{}{}", case.status, outcome.stdout, outcome.stderr).into()
        );
    }
    if std::env::var("UPDATE_GOLDENFILES").is_ok_and(|value| value == "1") {
        // The plain run writes; a further run could meet the file half written.
        return if more.is_empty() { bless(&case.expected, &outcome.stdout) } else { Ok(()) };
    }
    let expected = std::fs::read_to_string(&case.expected).unwrap_or_default();
    if outcome.stdout == expected {
        return Ok(());
    }
    let differing = expected.lines().zip(outcome.stdout.lines()).position(|(left, right)| left != right);
    let line = differing.unwrap_or_else(|| expected.lines().count().min(outcome.stdout.lines().count()));
    Err(format!(
        "output differs from {} in line {}\nexpected: {:?}\nfound:    {:?}\n{}\nUPDATE_GOLDENFILES=1 writes what was found",
        case.expected.display(),
        line + 1,
        expected.lines().nth(line).unwrap_or("(end)"),
        outcome.stdout.lines().nth(line).unwrap_or("(end)"),
        outcome.stderr,
    )
    .into())
}

fn bless(path: &Path, text: &str) -> Result<(), Failed> {
    let done =
        if text.is_empty() { std::fs::remove_file(path).or(Ok(())) } else { std::fs::write(path, text) };
    done.map_err(|error: std::io::Error| format!("{}: {error}", path.display()).into())
}

/// All diagnostics must be those that the case lists, and compilation fails just if one of them is an error.
fn diagnose(case: &Case, compiler: &Compiler, name: &str) -> Result<(), Failed> {
    let outcome = compiler.check(&case.options, &case.sources, name)?;
    let mut found = messages(&outcome.stderr);
    let mut expected: Vec<Message> = case.diagnostics.clone();
    found.sort();
    expected.sort();
    let status = i32::from(expected.iter().any(|message| message.severity == "error"));
    let code = outcome.code()?;
    if found != expected || code != status {
        return Err(format!(
            "status {code}, expected {status}\nexpected: {expected:#?}\nfound: {found:#?}\n{}",
            outcome.stderr
        )
        .into());
    }
    for hint in &case.hints {
        if !outcome.stderr.contains(hint.as_str()) {
            return Err(format!("no {hint:?} in\n{}", outcome.stderr).into());
        }
    }
    Ok(())
}
