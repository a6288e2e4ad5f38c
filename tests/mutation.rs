//! What takes something away from emitted PTX is found: a barrier, the declaration of registers, the value of
//! a predicate.
//!
//! A test of the tests: kernels run in the simulator as everywhere in this suite, with some schedules, and a
//! mutant must be reported or print something else. A mutant that nothing notices would be a barrier or a
//! value that nothing needs, or a simulator that does not look. The rules of accrue's own PTX, which
//! `--verify` holds it to, find a register without a declaration or value without a run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The part of the text that is taken away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Loss {
    Barrier,
    Declaration,
    Predicate,
}

struct Program {
    name: &'static str,
    prints: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program { name: "sums", prints: "19900 19901 19902 19903" },
    Program { name: "phases", prints: "567 573 579 585" },
    Program { name: "rows", prints: "310149 310150 310149 310150" },
];

fn accrue(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().expect("the compiler starts")
}

fn simulated(file: &Path) -> Output {
    let file = file.to_str().expect("the path is text");
    accrue(&[
        "sim",
        file,
        "--grid",
        "2",
        "--arg",
        "buf:4:s32",
        "--arg",
        "s32:4",
        "--arg",
        "buf:64:u8=0",
        "--print",
        "0",
        "--schedules",
        "4",
        "--limit",
        "20000000",
    ])
}

fn prints(output: &Output, wanted: &str) -> bool {
    output.status.success() && String::from_utf8_lossy(&output.stdout).trim() == wanted
}

/// What a line of PTX loses when it goes.
fn loss(line: &str) -> Option<Loss> {
    let line = line.trim_start();
    let operation =
        line.strip_prefix('@').and_then(|rest| rest.split_once(' ')).map_or(line, |(_, rest)| rest);
    let writes_predicate = ["setp.", "and.pred", "or.pred", "not.pred"];
    if line.starts_with("barrier.sync") || line.starts_with("bar.sync") {
        Some(Loss::Barrier)
    } else if line.starts_with(".reg") {
        Some(Loss::Declaration)
    } else if writes_predicate.iter().any(|name| operation.starts_with(name)) {
        Some(Loss::Predicate)
    } else {
        None
    }
}

fn file(program: &Program, what: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutation_{}_{what}.ptx", program.name))
}

/// Losses that nobody noticed, with the lines that went.
fn unnoticed(program: &Program) -> Vec<(Loss, String)> {
    let whole = file(program, "whole");
    let source = format!("tests/mutation/{}.c", program.name);
    let emitted = accrue(&[
        "ptx",
        "--verify",
        "-fno-launch-numbers",
        &source,
        "-o",
        whole.to_str().expect("the path is text"),
    ]);
    assert!(emitted.status.success(), "{}", String::from_utf8_lossy(&emitted.stderr));
    let output = simulated(&whole);
    assert!(prints(&output, program.prints), "{}: {output:?}", program.name);

    let text = std::fs::read_to_string(&whole).expect("it was written");
    assert_eq!(accrue_ptx_sim::lint(&text, |_, _| false), Ok(()), "{}", program.name);
    let lines: Vec<&str> = text.lines().collect();
    let mut kinds: BTreeMap<Loss, usize> = BTreeMap::new();
    let mut found = Vec::new();
    let mutant = file(program, "mutant");
    for (number, line) in lines.iter().enumerate() {
        let Some(loss) = loss(line) else { continue };
        *kinds.entry(loss).or_default() += 1;
        let rest: String = [&lines[..number], &lines[number + 1..]].concat().join("\n");
        if loss != Loss::Barrier && accrue_ptx_sim::lint(&rest, |_, _| false).is_ok() {
            found.push((loss, format!("{}: {} (not linted)", number + 1, line.trim())));
        }
        std::fs::write(&mutant, rest).expect("a mutant can be written");
        if prints(&simulated(&mutant), program.prints) {
            found.push((loss, format!("{}: {}", number + 1, line.trim())));
        }
    }
    assert_eq!(kinds.len(), 3, "{}: there is something of each kind to lose: {kinds:?}", program.name);
    found
}

#[test]
fn what_emitted_code_loses_is_noticed() {
    for program in PROGRAMS {
        let found = unnoticed(program);
        assert!(found.is_empty(), "{}: {found:#?}", program.name);
    }
}
