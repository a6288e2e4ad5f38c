//! Planted defects: each program in `tests/defects` has one mistake, which the simulator must find in the
//! right line.
//!
//! The comments that open a file say what is expected: `// expect: TEXT at LINE`, the line one of the C or
//! PTX file, and for PTX `// arguments: ...` of `accrue sim`. C programs are executed by
//! `accrue run --device sim`. A wrong result is no report; where the program goes on, `// status: N` gives
//! its own exit status.

use std::path::Path;
use std::process::Command;

/// What the comments of a file say.
struct Expected {
    text: String,
    line: u32,
    arguments: Vec<String>,
    status: i32,
}

fn expected(source: &str) -> Expected {
    let option = |word: &str| {
        let mut lines = source.lines().take_while(|line| line.starts_with("//"));
        lines.find_map(|line| line.strip_prefix("// ")?.strip_prefix(word)?.strip_prefix(": "))
    };
    let (text, line) = option("expect").and_then(|value| value.rsplit_once(" at ")).expect("an expectation");
    Expected {
        text: text.to_owned(),
        line: line.parse().expect("a line"),
        arguments: option("arguments").unwrap_or("").split_whitespace().map(str::to_owned).collect(),
        status: option("status").map_or(1, |status| status.parse().expect("a status")),
    }
}

/// Executes a file; the error says what is missing in its messages.
fn find(path: &Path, more: &[&str]) -> Result<(), String> {
    let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let expected = expected(&source);
    let is_ptx = path.extension().is_some_and(|extension| extension == "ptx");
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    match is_ptx {
        true => command.arg("sim").arg(path).args(&expected.arguments),
        false => command.args(["run", "-w", "--device", "sim"]).arg(path),
    };
    let output = command.args(more).output().map_err(|error| error.to_string())?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let place =
        if is_ptx { format!("(PTX line {} ", expected.line) } else { format!("{name}:{}:", expected.line) };
    let found = messages.contains(&expected.text) && messages.contains(&place);
    if found && output.status.code() == Some(expected.status) {
        return Ok(());
    }
    Err(format!("{name} {more:?}: {:?}, no {:?} with {place:?} in\n{messages}", output.status, expected.text))
}

#[test]
fn planted_defects_are_found_in_their_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/defects");
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert_eq!(paths.len(), 21);
    let ways: [&[&str]; 3] = [&[], &["--seed", "7"], &["--schedules", "3"]];
    let runs = paths.iter().flat_map(|path| ways.map(|way| find(path, way)));
    // PTX alone has no queues.
    let programs = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "c"));
    let runs = runs.chain(programs.map(|path| find(path, &["--queues", "lag"])));
    let missed: Vec<String> = runs.filter_map(Result::err).collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Runs a correct program in the simulator.
fn run(program: &str, options: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(["run", "--device", "sim"]).args(options).envs(variables.iter().copied());
    let output = command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(program)).output();
    let output = output.expect("accrue starts");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn schedules_agree_where_the_program_promises_it() {
    for options in [&["--schedules", "4"][..], &["--schedules", "4", "--deterministic"], &["--seed", "3"]] {
        assert_eq!(run("examples/dot.c", options, &[]), (Some(0), String::new()), "{options:?}");
    }
}

#[test]
fn races_of_equal_values_pass_where_the_user_lets_them() {
    for program in ["tests/defects/equal_stores.c", "tests/defects/equal_stencil.c"] {
        assert_eq!(run(program, &["-w", "--races=values"], &[]), (Some(0), String::new()), "{program}");
        assert_eq!(run(program, &["-w", "--races=strict"], &[]).0, Some(1), "{program}");
    }
    let (status, messages) = run("tests/defects/missing_reduction.c", &["-w", "--races=values"], &[]);
    assert_eq!(status, Some(1), "{messages}");
}

#[test]
fn a_limit_ends_what_takes_too_long() {
    let (status, messages) = run("examples/jacobi.c", &["--sim-limit", "1000"], &[]);
    assert_eq!(status, Some(1));
    assert!(messages.contains("limit of instructions") && messages.contains("jacobi.c:"), "{messages}");
}

#[test]
fn what_happens_is_told() {
    let (status, messages) = run("examples/saxpy.c", &[], &[("ACCRUE_NOTIFY", "3"), ("ACCRUE_TIME", "1")]);
    assert_eq!(status, Some(0));
    for wanted in ["device=nvidia", "upload data", "launch kernel", "kernel us"] {
        assert!(messages.contains(wanted), "no {wanted:?} in\n{messages}");
    }
}

#[test]
fn options_of_the_simulator_are_for_the_simulator() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    let output = command.args(["run", "--seed", "1", "x.c"]).output().expect("accrue starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--device sim"));
}
