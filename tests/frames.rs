//! Which kernels of the benchmarks keep objects of a thread in memory. It is slow, so that a kernel which is
//! not in the list has lost something: Cholesky's took a quarter longer with an array that had been in
//! registers, and computed the same.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// With arrays whose subscripts are known at run time only, or too many of them; and those that call the sine
/// or cosine of the library, which divides large angles by digits of pi in memory.
const IN_MEMORY: [&str; 16] = [
    "apps butterflies",
    "apps hexahedra",
    "apps mean_prices",
    "assays normal_deviates",
    "fields drawn",
    "fields eigenvalues",
    "fields queens",
    "fields radix_four",
    "fields solidified",
    "helpers transformed",
    "loops waves",
    "suites decoded",
    "suites deviates",
    "suites image_of_samples",
    "suites resonances",
    "trials orbits",
];

/// Fewer programs than this are a folder that was not found.
const LEAST: usize = 10;

/// The kernels of a program with memory of a thread's own, each with the program's name.
fn kernels_in_memory(program: &Path) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_accrue"))
        .args(["ptx", "-w", "-fopenmp"])
        .arg(program)
        .output()
        .expect("accrue starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", program.display());
    let text = String::from_utf8(output.stdout).expect("PTX is text");
    let of = program.file_stem().expect("a program has a name").to_string_lossy();
    let mut found = Vec::new();
    for function in text.split(".entry ").skip(1) {
        let body = function.split("\n}\n").next().unwrap_or(function);
        let name = function.split(['$', '(']).next().unwrap_or(function);
        if body.lines().any(|line| line.starts_with("\t.local ")) {
            found.push(format!("{of} {name}"));
        }
    }
    found
}

#[test]
fn objects_of_threads_are_in_registers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs: Vec<PathBuf> = Vec::new();
    for folder in ["bench/gpu", "bench/gpu/tasks", "bench/gpu/steps"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder can be read");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        programs.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")));
    }
    assert!(programs.len() > LEAST, "{} programs", programs.len());
    let found: BTreeSet<String> = programs.iter().flat_map(|path| kernels_in_memory(path)).collect();
    let known: BTreeSet<String> = IN_MEMORY.iter().map(|name| (*name).to_owned()).collect();
    let lost: Vec<&String> = found.difference(&known).collect();
    let gained: Vec<&String> = known.difference(&found).collect();
    assert!(lost.is_empty(), "objects of these stand in memory now: {lost:?}");
    assert!(gained.is_empty(), "of these they do not any more; take them off the list: {gained:?}");
}
