//! The reduction matrix: every operator on every type it is legal for, in every position, over several trip counts,
//! against serial results; as PTX that `ptxas` accepts; and an error for every pair that is not legal.
//!
//! The programs are generated. `cargo test --test matrix -- --list` names them; the C text of each is left in the
//! build's folder for temporary files, and a failure tells its path.

#[path = "../common/mod.rs"]
mod common;
mod errors;
mod generate;
mod positions;

use common::{Compiler, messages, scratch_path};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

fn main() {
    let arguments = Arguments::from_args();
    let compiler = Arc::new(Compiler::from_environment());
    let mut trials = Vec::new();
    for program in generate::programs() {
        const DISCRETE: &[&str] = &["--memory", "discrete"];
        let ways: &[(&str, &[&str])] =
            &[("gangs-1", &[]), ("gangs-3", &["--gangs", "3"]), ("discrete", DISCRETE)];
        for &(way, options) in if compiler.is_accrue() { ways } else { &ways[..1] } {
            let (program, compiler) = (program.clone(), Arc::clone(&compiler));
            let name = format!("{}/{}/{way}", program.operator, program.position);
            trials.push(Trial::test(name.clone(), move || run(&program, &compiler, &name, options)));
        }
    }
    for (index, program) in generate::short_programs().into_iter().enumerate() {
        let (ignored, compiler) = (!compiler.is_accrue(), Arc::clone(&compiler));
        let name = format!("{}/{}/sim", program.operator, program.position);
        let simulated = {
            let name = name.clone();
            move || run(&program, &compiler, &name, &on_simulator(index))
        };
        trials.push(Trial::test(name, simulated).with_ignored_flag(ignored));
    }
    for program in generate::programs() {
        let ignored = !compiler.is_accrue();
        let name = format!("ptx/{}/{}", program.operator, program.position);
        trials.push(Trial::test(name.clone(), move || assemble(&program, &name)).with_ignored_flag(ignored));
    }
    for case in errors::cases() {
        let ignored = !compiler.is_accrue();
        let compiler = Arc::clone(&compiler);
        let name = format!("illegal/{}", case.name);
        trials.push(
            Trial::test(name.clone(), move || check(&case, &compiler, &name)).with_ignored_flag(ignored),
        );
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Options for the simulator: ways to combine results and shapes of gangs, each met by many programs, and in all mixtures.
fn on_simulator(index: usize) -> [&'static str; 5] {
    const STRATEGIES: [&str; 4] = ["lock", "cas", "atomic", "tree"];
    const SHAPES: [&str; 7] = [
        "-fopenacc-dim=3:1:32",
        "-fopenacc-dim=2:2:64",
        "-fopenacc-dim=3:4:128",
        "-fopenacc-dim=2:8:32",
        "-fopenacc-dim=2:32:32",
        "-fopenacc-dim=1:1:1024",
        "-fopenacc-dim=5:3:32",
    ];
    let (strategy, shape) = (STRATEGIES[index % STRATEGIES.len()], SHAPES[index % SHAPES.len()]);
    ["--device", "sim", "--reduction", strategy, shape]
}

/// Runs one program, which must print nothing but the number of checks it was made for.
fn run(program: &generate::Program, compiler: &Compiler, name: &str, options: &[&str]) -> Result<(), Failed> {
    let source = write(name, &program.text)?;
    let options: Vec<String> = ["-w"].iter().chain(options).map(|&option| option.to_owned()).collect();
    let outcome = compiler.run(&options, std::slice::from_ref(&source), &[], name)?;
    let expected = format!("{} checks, 0 mismatches\n", program.checks);
    if outcome.code()? != 0 || outcome.stdout != expected {
        let shown: String = outcome.stdout.lines().take(20).map(|line| format!("{line}\n")).collect();
        return Err(format!("{}\nexpected: {expected}{shown}{}", source.display(), outcome.stderr).into());
    }
    Ok(())
}

/// Lets `ptxas` judge the PTX of one program, with every way to combine results, each on another architecture.
fn assemble(program: &generate::Program, name: &str) -> Result<(), Failed> {
    let source = write(name, &program.text)?;
    for (arch, strategy) in [("sm_70", "lock"), ("sm_80", "tree"), ("sm_90", "auto"), ("sm_120", "cas")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
        command
            .args(["ptx", "--check", "--verify", "-w", "--arch", arch, "--reduction", strategy])
            .arg(&source);
        let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
        if !output.status.success() || !output.stderr.is_empty() {
            let messages = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}, {arch}, {strategy}\n{messages}", source.display()).into());
        }
    }
    Ok(())
}

/// Diagnoses one program, which must have exactly the expected errors.
fn check(case: &errors::Case, compiler: &Compiler, name: &str) -> Result<(), Failed> {
    let source = write(name, &case.text)?;
    let outcome = compiler.check(&["-w".to_owned()], std::slice::from_ref(&source), name)?;
    let found: Vec<(String, u32)> = messages(&outcome.stderr).into_iter().map(|m| (m.id, m.line)).collect();
    let expected: Vec<(String, u32)> = case.lines.iter().map(|&line| (errors::ID.to_owned(), line)).collect();
    if outcome.code()? != 1 || found != expected {
        let path = source.display();
        return Err(format!("{path}\nexpected {expected:?}\nfound    {found:?}\n{}", outcome.stderr).into());
    }
    Ok(())
}

fn write(name: &str, text: &str) -> Result<PathBuf, String> {
    let path = scratch_path(&format!("matrix-{name}")).with_extension("c");
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}
