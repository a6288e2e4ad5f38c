//! IR that is read from a file: `accrue ir` and `accrue run` on what it printed are the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Programs with loops, constructs, kernels, reductions and routines.
const PROGRAMS: &[&str] = &[
    "examples/dot.c",
    "tests/acc/called_levels.c",
    "tests/acc/kernels_phases.c",
    "tests/acc/locked_and_in_turn.c",
    "tests/c/switch_shapes.c",
];

fn accrue(arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(arguments).arg(file).output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_program_is_the_same_from_any_stage() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut list = Command::new(env!("CARGO_BIN_EXE_accrue"));
    let list = list.args(["ir", "--stage", "list"]).output().expect("accrue runs");
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    let stages: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(stages.len() > 10 && stages.contains(&"rotate"), "{list}");
    for program in PROGRAMS {
        let source = root.join(program);
        let wanted = accrue(&["run", "-w"], &source);
        for stage in &stages {
            let text = accrue(&["ir", "-w", "--stage", stage], &source);
            assert!(text.status.success(), "{program}, {stage}: {text:?}");
            let path = file("from_any_stage.ir");
            std::fs::write(&path, text.stdout).expect("a file");
            let found = accrue(&["run", "-w"], &path);
            assert_eq!((found.status, &found.stdout), (wanted.status, &wanted.stdout), "{program}, {stage}");
        }
    }
}

#[test]
fn wrong_ir_is_an_error_with_its_line() {
    let text = "signature sig0 () -> i32\n\nfunction fn0.main sig0 external {\n  locals v0: i32\nbb0:\n  v0 = copy 1i64\n  return v0\n}\n";
    let path = file("wrong.ir");
    std::fs::write(&path, text).expect("a file");
    for command in ["run", "ir", "ptx"] {
        let output = accrue(&[command], &path);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {messages}");
        assert!(
            messages.contains("wrong.ir:6: function `main`, bb0: `v0 = copy 1i64`"),
            "{command}: {messages}"
        );
    }
}
