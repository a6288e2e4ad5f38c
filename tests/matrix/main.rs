//! The reduction matrix: every operator on every type it is legal for, in every position, over several trip
//! counts, against serial results; in the simulator, with mixtures of strategies and shapes of launches; as
//! PTX that `ptxas` accepts; and an error for every pair that is not legal.
//!
//! The programs are generated. `cargo test --test matrix -- --list` names them; the C text of each is left in
//! the build's folder for temporary files, and a failure tells its path.

mod assembler;
#[path = "../common/mod.rs"]
mod common;
mod errors;
mod generate;
mod positions;

use assembler::Assembler;
use common::{Compiler, messages, scratch_path};
use libtest_mimic::{Arguments, Failed, Trial};
use positions::POSITIONS;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

fn main() {
    let arguments = Arguments::from_args();
    let compiler = Arc::new(Compiler::from_environment());
    let mut trials = Vec::new();
    for program in generate::programs() {
        const DISCRETE: &[&str] = &["--memory", "discrete"];
        const MULTICORE: &[&str] = &["--device", "multicore", "--gangs", "4"];
        let ways: &[(&str, &[&str])] = &[
            ("gangs-1", &[]),
            ("gangs-3", &["--gangs", "3"]),
            ("discrete", DISCRETE),
            ("multicore", MULTICORE),
        ];
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
    let mixtures = generate::mixed_programs();
    let count = mixtures.len();
    trials.push(Trial::test("mixed/shapes", move || every_strategy_meets_every_shape(count)));
    for (index, program) in mixtures.into_iter().enumerate() {
        let (ignored, compiler) = (!compiler.is_accrue(), Arc::clone(&compiler));
        let name = format!("mixed/{}/{}", program.operator, program.position);
        let mixed = {
            let name = name.clone();
            move || mixed(&program, index, &compiler, &name)
        };
        trials.push(Trial::test(name, mixed).with_ignored_flag(ignored));
    }
    trials.push(Trial::test("ptx/alike", || Ok(assembler::alike()?)));
    let assembler = Arc::new(Assembler::default());
    for program in generate::programs() {
        let (ignored, assembler) = (!compiler.is_accrue(), Arc::clone(&assembler));
        let name = format!("ptx/{}/{}", program.operator, program.position);
        trials.push(
            Trial::test(name.clone(), move || assemble(&program, &assembler, &name))
                .with_ignored_flag(ignored),
        );
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

/// Ways to combine results. The last takes trees where the order matters, and what is fastest elsewhere: a
/// mixture.
const STRATEGIES: [&str; 5] =
    ["--reduction=lock", "--reduction=cas", "--reduction=atomic", "--reduction=tree", "--deterministic"];

/// Options for the simulator: ways to combine results and shapes of gangs, each met by many operators and by
/// many positions.
fn on_simulator(index: usize) -> [&'static str; 4] {
    const SHAPES: [&str; 7] = [
        "-fopenacc-dim=3:1:32",
        "-fopenacc-dim=2:2:64",
        "-fopenacc-dim=3:4:128",
        "-fopenacc-dim=2:8:32",
        "-fopenacc-dim=2:32:32",
        "-fopenacc-dim=1:1:1024",
        "-fopenacc-dim=5:3:32",
    ];
    let (operator, position) = (index / POSITIONS.len(), index % POSITIONS.len());
    let (strategy, shape) =
        (STRATEGIES[(position + operator) % STRATEGIES.len()], SHAPES[index % SHAPES.len()]);
    ["--device", "sim", strategy, shape]
}

/// Workers and lanes that every program is tried with, with every strategy: one warp a row with as many
/// workers as fit, rows of several warps, which meet on their own, and one row of all threads.
const COMMON_SHAPES: [[u32; 2]; 4] = [[32, 32], [3, 64], [8, 128], [1, 1024]];

/// All other mixes of these numbers that fit: rows of one lane, of parts of warps, of whole ones, and of one
/// and a part.
fn other_shapes() -> Vec<[u32; 2]> {
    const WORKERS: [u32; 10] = [1, 2, 3, 4, 5, 8, 15, 16, 31, 32];
    const LANES: [u32; 8] = [1, 7, 32, 33, 48, 64, 128, 1024];
    let all = WORKERS.into_iter().flat_map(|workers| LANES.map(|lanes| [workers, lanes]));
    all.filter(|shape| shape[0] * shape[1] <= 1024 && !COMMON_SHAPES.contains(shape)).collect()
}

/// The shapes for a program and a strategy: all common ones, and two others, which wander through the list.
fn shapes(program: usize, strategy: usize) -> Vec<[u32; 2]> {
    let others = other_shapes();
    let first = program + strategy * 5;
    let chosen = [first, first + others.len() / 2].map(|at| others[at % others.len()]);
    COMMON_SHAPES.into_iter().chain(chosen).collect()
}

/// Architectures on which rows of several warps meet in different ways: at barriers with numbers, and at
/// barrier objects, which a thread asks again and again or sleeps at.
const ARCHITECTURES: [&str; 3] = ["sm_90", "sm_80", "sm_70"];

/// Runs one program with every strategy, each in its [`shapes`] and on one of the [`ARCHITECTURES`].
///
/// What is emitted for a reduction follows from the position of its loop, the strategy at each of its levels,
/// what the type and operator leave of that ([`generate::MIXED`]), and the numbers of workers and lanes, by
/// their relation to a warp and to one. All positions, strategies, kinds of types and common shapes are
/// crossed. Other shapes differ from those only in how rows are padded and in how many workers meet, so that
/// it is enough when every one of them meets every strategy, in some position or other, and every position
/// meets a dozen of them.
fn mixed(program: &generate::Program, index: usize, compiler: &Compiler, name: &str) -> Result<(), Failed> {
    for (turn, strategy) in STRATEGIES.into_iter().enumerate() {
        for [workers, lanes] in shapes(index, turn) {
            let shape = format!("-fopenacc-dim=2:{workers}:{lanes}");
            let seed = (index * STRATEGIES.len() + turn).to_string();
            let arch = ARCHITECTURES[(index + turn) % ARCHITECTURES.len()];
            let options = ["--device", "sim", "--arch", arch, strategy, "--seed", &seed, &shape];
            run(program, compiler, name, &options)
                .map_err(|failed| format!("{}\n{}", options.join(" "), failed.message().unwrap_or("")))?;
        }
    }
    Ok(())
}

/// The mixture is what [`mixed`] promises.
fn every_strategy_meets_every_shape(programs: usize) -> Result<(), Failed> {
    for (turn, strategy) in STRATEGIES.into_iter().enumerate() {
        let met: Vec<[u32; 2]> = (0..programs).flat_map(|program| shapes(program, turn)).collect();
        if let Some(shape) = other_shapes().iter().find(|shape| !met.contains(shape)) {
            return Err(format!("{strategy} never meets {shape:?}").into());
        }
    }
    let programs = programs / POSITIONS.len();
    for (number, position) in POSITIONS.iter().enumerate() {
        let of_position = (number * programs..(number + 1) * programs)
            .flat_map(|program| (0..STRATEGIES.len()).map(move |turn| (program, turn)));
        let mut met: Vec<[u32; 2]> = of_position.flat_map(|(program, turn)| shapes(program, turn)).collect();
        met.sort_unstable();
        met.dedup();
        if met.len() < COMMON_SHAPES.len() + 12 {
            return Err(format!("{} meets {met:?} only", position.name).into());
        }
    }
    Ok(())
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

/// Lets `ptxas` judge the kernels of one program, with every way to combine results, each on another
/// architecture.
fn assemble(program: &generate::Program, assembler: &Assembler, name: &str) -> Result<(), Failed> {
    let source = write(name, &program.text)?;
    for (arch, strategy) in [("sm_70", "lock"), ("sm_80", "tree"), ("sm_90", "auto"), ("sm_120", "cas")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
        command.args(["ptx", "--verify", "-w", "--arch", arch, "--reduction", strategy]).arg(&source);
        let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
        let told = |messages: &str| format!("{}, {arch}, {strategy}\n{messages}", source.display());
        if !output.status.success() || !output.stderr.is_empty() {
            return Err(told(&String::from_utf8_lossy(&output.stderr)).into());
        }
        assembler
            .judge(&String::from_utf8_lossy(&output.stdout), arch, &source.with_extension("ptx"))
            .map_err(|messages| told(&messages))?;
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
