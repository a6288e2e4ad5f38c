//! A program that lacks a dependence is found out by the simulator, unless others order the same tasks.
//!
//! Each `depend` clause is taken away in turn, and each item of one that has several. The graph of what is
//! left tells whether tasks lack an order that they had: if not, the dependence was redundant. Otherwise,
//! the simulator, with queues that lag, must report a race, or the program print something else. Orders
//! among tasks of the host are none of the simulator's. At least nine in ten must be found: the simulator
//! does not see what a host task does to memory, so that one which comes too late may not show.

use crate::graph::traced;
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Least mutants that have to lack an order, so that the share means something.
const FEW: usize = 40;

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
    /// Only tasks of the host lack an order.
    OfTheHost,
}

/// Takes every dependence of every program away, one at a time.
pub fn check(programs: &[PathBuf]) -> Result<(), Failed> {
    let mut fates: Vec<(Fate, String)> = Vec::new();
    for program in programs {
        let text = std::fs::read_to_string(program)?;
        let graph = traced(program, 1)?;
        let (order, targets) = (graph.order(), graph.targets());
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
                Some(lost) if !lost.iter().any(|(a, b)| targets.contains(a) || targets.contains(b)) => {
                    Fate::OfTheHost
                }
                // One thread executes a host task where it is created, as long as that has no predecessors.
                _ => match fate(&file, &expected, "1")? {
                    Fate::Missed => fate(&file, &expected, "4")?,
                    found => found,
                },
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
    let all = [Fate::Missed, Fate::Differs, Fate::Redundant, Fate::OfTheHost].map(list).concat();
    let found = of(Fate::Reported).len() + of(Fate::Differs).len();
    let mutants = found + of(Fate::Missed).len();
    eprintln!("{found} of {mutants} mutants found, {} reported\n{all}", of(Fate::Reported).len());
    match mutants {
        0..FEW => Err(format!("only {mutants} dependences order anything\n{all}").into()),
        _ if found * 10 < mutants * 9 => Err(format!("{found} of {mutants} mutants found\n{all}").into()),
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

/// What the simulator says of a program with so many threads.
fn fate(program: &Path, expected: &str, threads: &str) -> Result<Fate, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(["run", "-fopenmp", "--device", "sim", "--queues", "lag"]).arg(program);
    let outcome = command.env("OMP_NUM_THREADS", threads).env("ACC_DEVICE_TYPE", "nvidia").output()?;
    let (shown, printed) =
        (String::from_utf8_lossy(&outcome.stderr), String::from_utf8_lossy(&outcome.stdout));
    Ok(match () {
        () if shown.contains("error[data-race]") => Fate::Reported,
        () if !outcome.status.success() || printed != expected => Fate::Differs,
        () => Fate::Missed,
    })
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
