//! A program that lacks a dependence is found out, unless others order the same tasks.
//!
//! Each `depend` clause is taken away in turn, and each item of one that has several. The graph of what is
//! left tells whether tasks lack an order that they had: if not, the dependence was redundant. Otherwise,
//! the simulator, with queues that lag, or `accrue check --tasks` must report a race: at least nine in ten
//! must be reported. Of the others some print something else, or end in another error, a use of what is freed
//! already for instance; some are redundant, too, because the host waits; and the rest is about memory that
//! the program's code does not access, but a routine of the API or a thread of the program's own.

use crate::graph::traced;
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Least mutants that have to lack an order, so that the share means something.
const FEW: usize = 150;

/// What became of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// The simulator reports it.
    Reported,
    /// It prints something else.
    Differs,
    /// Nothing shows.
    Missed,
    /// The same tasks are ordered.
    Redundant,
}

/// Takes every dependence of every program away, one at a time.
pub fn check(programs: &[PathBuf]) -> Result<(), Failed> {
    let mut fates: Vec<(Fate, String)> = Vec::new();
    for program in programs {
        let text = std::fs::read_to_string(program)?;
        let graph = traced(program, 1)?;
        let order = graph.order();
        let expected = std::fs::read_to_string(program.with_extension("out")).unwrap_or_default();
        for (number, (place, mutant)) in mutants_of(&text).into_iter().enumerate() {
            let stem = program.file_stem().unwrap_or_default().to_string_lossy();
            let file =
                std::env::temp_dir().join(format!("accrue-mutant-{}-{stem}-{number}.c", std::process::id()));
            std::fs::write(&file, mutant)?;
            // A mutant may end in an error before it has created its tasks, which lacks no order.
            let lost: Option<Vec<_>> =
                traced(&file, 1).ok().map(|graph| order.difference(&graph.order()).copied().collect());
            let fate = match lost {
                Some(lost) if lost.is_empty() => Fate::Redundant,
                _ => fate(&file, &expected)?,
            };
            // The system clears the folder, too.
            let _ = std::fs::remove_file(&file);
            fates.push((fate, format!("{stem}.c: {place}")));
        }
    }
    judge(&fates)
}

fn judge(fates: &[(Fate, String)]) -> Result<(), Failed> {
    let of = |wanted: Fate| -> Vec<&str> {
        fates.iter().filter(|(fate, _)| *fate == wanted).map(|(_, place)| &**place).collect()
    };
    let list = |wanted: Fate| format!("{wanted:?}, {}:\n  {}\n", of(wanted).len(), of(wanted).join("\n  "));
    let all = [Fate::Missed, Fate::Differs, Fate::Redundant].map(list).concat();
    let reported = of(Fate::Reported).len();
    let mutants = reported + of(Fate::Differs).len() + of(Fate::Missed).len();
    eprintln!("{reported} of {mutants} mutants reported\n{all}");
    match mutants {
        0..FEW => Err(format!("only {mutants} dependences order anything\n{all}").into()),
        _ if reported * 10 < mutants * 9 => {
            Err(format!("{reported} of {mutants} mutants reported\n{all}").into())
        }
        _ => Ok(()),
    }
}

/// The program without one of its dependences, and which that is.
fn mutants_of(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut start, mut continues) = (0, false);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        // A `taskwait` without its clause waits for more, not for less.
        let starts = line.trim_start().starts_with("#pragma omp t") && !line.contains("taskwait");
        let is_directive = continues || starts;
        continues = is_directive && line.trim_end().ends_with('\\');
        let clauses = line.match_indices("depend(").filter(|_| is_directive);
        for (at, _) in clauses {
            let length = closing(&line[at..]);
            for part in parts(&line[at..at + length]) {
                let (first, last) = (start + at + part.start, start + at + part.end);
                let mutant = [&text[..first], &text[last..]].concat();
                found.push((format!("line {}: {}", number + 1, &text[first..last]), mutant));
            }
        }
        start += line.len();
    }
    found
}

/// What of a clause can go: all, or one of several items with the comma beside it.
fn parts(clause: &str) -> Vec<std::ops::Range<usize>> {
    let mut parts: Vec<_> = std::iter::once(0..clause.len()).collect();
    let (mut depth, mut bounds) = (0, Vec::new());
    for (at, byte) in clause.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b':' if depth == 1 && bounds.is_empty() => bounds.push(at),
            b',' if depth == 1 && !bounds.is_empty() => bounds.push(at),
            _ => {}
        }
    }
    bounds.push(clause.len() - 1);
    let count = bounds.len() - 1;
    for item in (0..count).filter(|_| count > 1) {
        // The first item goes with the comma behind it, others with the one before.
        parts.push(match item {
            0 => bounds[0] + 1..bounds[1] + 1,
            _ => bounds[item]..bounds[item + 1],
        });
    }
    parts
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

/// What becomes of a program. One thread executes a host task where it is created, as long as that has no
/// predecessors; and in functions that the simulated device calls, tasks are executed in place.
fn fate(program: &Path, expected: &str) -> Result<Fate, Failed> {
    let lagging = &["run", "--device", "sim", "--queues", "lag"][..];
    let mut found = Fate::Missed;
    for (command, threads) in [(lagging, "1"), (lagging, "4"), (&["check", "--tasks"], "1")] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_accrue"));
        process.args(command).arg("-fopenmp").arg(program);
        process.env("OMP_NUM_THREADS", threads).env_remove("ACC_DEVICE_TYPE");
        let outcome = process.output()?;
        let (shown, printed) =
            (String::from_utf8_lossy(&outcome.stderr), String::from_utf8_lossy(&outcome.stdout));
        if shown.contains("error[data-race]") {
            return Ok(Fate::Reported);
        }
        if !outcome.status.success() || printed != expected {
            found = Fate::Differs;
        }
    }
    Ok(found)
}

/// Clauses are taken apart as C reads them.
pub fn clauses_are_taken_apart() -> Result<(), Failed> {
    let text = "#pragma omp target nowait depend(iterator(i = 0 : n), in : a[i], b[0 : f(2, 3)]) \\\n    depend(out : c)\n";
    let wanted = [
        "#pragma omp target nowait  \\\n    depend(out : c)\n",
        "#pragma omp target nowait depend(iterator(i = 0 : n), in : b[0 : f(2, 3)]) \\\n    depend(out : c)\n",
        "#pragma omp target nowait depend(iterator(i = 0 : n), in : a[i]) \\\n    depend(out : c)\n",
        "#pragma omp target nowait depend(iterator(i = 0 : n), in : a[i], b[0 : f(2, 3)]) \\\n    \n",
    ];
    let mutants: Vec<String> = mutants_of(text).into_iter().map(|(_, mutant)| mutant).collect();
    if mutants == wanted { Ok(()) } else { Err(format!("{mutants:#?}").into()) }
}
