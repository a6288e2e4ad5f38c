//! A program that lacks one of its `depend` clauses is found out by the simulator, unless other clauses order
//! the same tasks.
//!
//! Each clause of a target task is taken away in turn. Where the order of the tasks is another one then, the
//! simulator must report a race, or the program print something else; at least nine in ten mutants must be
//! found, since an order may serve what no run shows (a task that reads what another one only read).

use crate::graph::traced;
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Takes every clause of every program away, one at a time.
pub fn check(programs: &[PathBuf]) -> Result<(), Failed> {
    let (mut mutants, mut missed) = (0, Vec::new());
    for program in programs {
        let text = std::fs::read_to_string(program)?;
        let order = traced(program, 1)?.order();
        let expected = std::fs::read_to_string(program.with_extension("out")).unwrap_or_default();
        for (number, (place, mutant)) in mutants_of(&text).into_iter().enumerate() {
            let stem = program.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("accrue-mutant-{}-{stem}-{number}.c", std::process::id());
            let file = std::env::temp_dir().join(name);
            std::fs::write(&file, mutant)?;
            let is_redundant = traced(&file, 1).is_ok_and(|graph| graph.order() == order);
            let found = is_redundant || is_found(&file, &expected)?;
            // The system clears the folder, too.
            let _ = std::fs::remove_file(&file);
            mutants += u32::from(!is_redundant);
            if !found {
                missed.push(format!("{}: {place}", program.display()));
            }
        }
    }
    if mutants < 10 {
        return Err(format!("only {mutants} clauses order anything").into());
    }
    match missed.len() as u32 * 10 <= mutants {
        true => Ok(()),
        false => Err(format!("{} of {mutants} mutants missed:\n{}", missed.len(), missed.join("\n")).into()),
    }
}

/// The program without one of its `depend` clauses on a target directive, and which that is.
fn mutants_of(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if line.contains("#pragma omp target") {
            for (at, _) in line.match_indices("depend(") {
                let length = closing(&line[at..]);
                let (first, last) = (start + at, start + at + length);
                let mutant = [&text[..first], &text[last..]].concat();
                found.push((format!("line {}: {}", number + 1, &text[first..last]), mutant));
            }
        }
        start += line.len();
    }
    found
}

/// The length of a clause up to the parenthesis that ends it.
fn closing(clause: &str) -> usize {
    let mut open = 0;
    for (at, byte) in clause.bytes().enumerate() {
        open += i32::from(byte == b'(') - i32::from(byte == b')');
        if byte == b')' && open == 0 {
            return at + 1;
        }
    }
    clause.len()
}

/// Whether the simulator finds something wrong with a program, or it prints something else.
fn is_found(program: &Path, expected: &str) -> Result<bool, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(["run", "-fopenmp", "--device", "sim"]).arg(program);
    let outcome = command.env("OMP_NUM_THREADS", "2").env("ACC_DEVICE_TYPE", "nvidia").output()?;
    Ok(!outcome.status.success() || String::from_utf8_lossy(&outcome.stdout) != expected)
}
