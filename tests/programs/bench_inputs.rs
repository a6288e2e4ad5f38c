//! What the benchmarks measure must also be right: the generated programs, the loops and the programs of
//! small functions of `bench/`.

#[path = "../../bench/generate.rs"]
mod generate;

use crate::common::{Compiler, scratch_path};
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What gives the same value by another way: no directives, no passes that make code fast.
const OTHERWISE: [(&str, &str); 2] = [("bench/loops", "-fno-openacc"), ("bench/structs", "-O0")];

/// One test for a generated program, one for each program of the folders; `files` lists those of a folder.
pub fn trials(compiler: &Arc<Compiler>, files: impl Fn(&str) -> Vec<PathBuf>) -> Vec<Trial> {
    let owned = Arc::clone(compiler);
    let mut trials = vec![Trial::test("bench/generated", move || generated(&owned))];
    for (folder, otherwise) in OTHERWISE {
        for path in files(folder) {
            let owned = Arc::clone(compiler);
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let name = format!("{folder}/{stem}");
            trials.push(Trial::test(name.clone(), move || agrees(&owned, &path, &name, otherwise)));
        }
    }
    trials
}

fn generated(compiler: &Compiler) -> Result<(), Failed> {
    let program = generate::program(1000);
    if program.functions < 20 || program.regions < 10 || !(1000..1100).contains(&program.lines) {
        let generate::Generated { lines, functions, regions, .. } = program;
        return Err(format!("{lines} lines, {functions} functions, {regions} regions").into());
    }
    let path = scratch_path("bench_generated").with_extension("c");
    std::fs::write(&path, &program.text).map_err(|error| format!("{}: {error}", path.display()))?;
    let outcome = compiler.run(&["-w".to_owned()], std::slice::from_ref(&path), &[], "bench_generated")?;
    if outcome.code()? != 0 || outcome.stdout != program.output {
        return Err(format!("{}\n{}{}", path.display(), outcome.stdout, outcome.stderr).into());
    }
    Ok(())
}

/// The value after the time must be what the program gives with an option that takes another way.
fn agrees(compiler: &Compiler, path: &Path, name: &str, otherwise: &str) -> Result<(), Failed> {
    let value = |options: &[&str]| -> Result<String, String> {
        let options: Vec<String> = options.iter().map(|&word| word.to_owned()).collect();
        let args = ["3001".to_owned(), "2".to_owned()];
        let outcome = compiler.run(&options, &[path.to_owned()], &args, name)?;
        match outcome.code()? {
            0 => Ok(outcome.stdout.split_whitespace().nth(1).unwrap_or_default().to_owned()),
            status => Err(format!("status {status}\n{}", outcome.stderr)),
        }
    };
    let (plain, other) = (value(&["-w"])?, value(&["-w", otherwise])?);
    if plain != other || plain.is_empty() {
        return Err(format!("{plain}, but {other} with {otherwise}").into());
    }
    Ok(())
}
