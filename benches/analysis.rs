//! `cargo bench --bench analysis`: what it costs to find out what is parallel in `kernels`.
//!
//! For generated programs of 1,000 lines of `kernels` regions, in small functions and in a single one, and
//! for nests like the largest of PolyBench: the milliseconds of each pass that analyses loops, in a process
//! that has done it before. Every figure is a median. The last line is a program without anything to analyse.
//! `-- regions filter` measures these only, for a profile.

#[path = "../bench/generate.rs"]
#[allow(dead_code, reason = "tests look at more of it")]
mod generate;

#[path = "../bench/measure.rs"]
mod measure;

#[path = "../src/pool.rs"]
#[allow(dead_code, unused_imports, reason = "the program's allocator, as the program has it")]
mod pool;

use accrue::driver;
use accrue_frontend::options::Options as FrontendOptions;
use accrue_frontend::pp::Input;
use accrue_frontend::session::Session;
use accrue_host_jit::{Gangs, HostTarget};
use accrue_ir::passes::{self, Report, Section};
use accrue_ir::verify::Verified;
use measure::{exit_code, median, timed};
use std::process::ExitCode;

/// The passes that are measured, each with the one before it.
const PASSES: [(&str, &str); 3] =
    [("lower", "sections"), ("sections", "kernels"), ("privatize", "split-kernels")];

/// `@k` is the number of the copy, `@c` a small constant.
const REGIONS: &str = include_str!("../bench/nests/regions.c");

/// The same of parts of one function.
const STEPS: &str = include_str!("../bench/nests/steps.c");

const LARGEST: [(&str, &str); 3] = [
    ("filter", include_str!("../bench/nests/filter.c")),
    ("directions", include_str!("../bench/nests/directions.c")),
    ("correlation", include_str!("../bench/nests/correlation.c")),
];

/// Lines of the generated programs.
const LINES: usize = 1000;

/// Most milliseconds for 1,000 lines of a generated program, and for one of the largest nests.
const PROMISED: (f64, f64) = (1.0, 20.0);

const ROUNDS: usize = 41;

fn main() -> ExitCode {
    exit_code(pool::with_pool(measure_all))
}

fn measure_all() -> Result<(), String> {
    println!("{:<12} {:>6} {:>9} {:>9} {:>9} {:>9}", "", "lines", "sections", "kernels", "split", "all ms");
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|word| word == name);
    let of_steps =
        "void steps(int n, int m, double (*restrict a)[m], double (*restrict b)[m], double *restrict x)\n{";
    for (name, head, part, end) in
        [("regions", "#include <math.h>", REGIONS, ""), ("steps", of_steps, STEPS, "}\n")]
    {
        if is_asked(name) {
            let generated = generated(head, part) + end;
            line(name, &generated, generated.lines().count() as f64 / 1e3 * PROMISED.0)?;
        }
    }
    for (name, source) in LARGEST.iter().filter(|(name, _)| is_asked(name)) {
        line(name, source, PROMISED.1)?;
    }
    match is_asked("none") {
        true => line("none", &generate::program(LINES).text, f64::INFINITY),
        false => Ok(()),
    }
}

/// A program of `kernels` regions: copies of a part.
fn generated(head: &str, part: &str) -> String {
    let mut text = format!("{head}\n");
    for copy in 0.. {
        text.push('\n');
        text.push_str(&part.replace("@k", &copy.to_string()).replace("@c", &(2 + copy % 9).to_string()));
        if text.lines().count() >= LINES {
            break;
        }
    }
    text
}

/// Measures a program.
fn line(name: &str, source: &str, promised: f64) -> Result<(), String> {
    let input = Input::Memory { name: format!("{name}.c"), text: source.as_bytes().to_vec() };
    let mut session = Session::new(FrontendOptions::default());
    let module = driver::translate(&mut session, &input).ok_or(format!("{name} does not compile"))?;
    let mut times = [const { Vec::new() }; PASSES.len()];
    for _ in 0..ROUNDS {
        let mut target = HostTarget::new(Gangs::One);
        let mut module = module.clone();
        let mut done = "lower";
        for (&(before, pass), times) in PASSES.iter().zip(&mut times) {
            (module, _) = section(module, &mut target, done, before)?;
            let time;
            (module, time) = section(module, &mut target, before, pass)?;
            times.push(time);
            done = pass;
        }
    }
    let times = times.map(median);
    let all: f64 = times.iter().sum();
    let [sections, kernels, split] = times;
    let lines = source.lines().count();
    println!("{name:<12} {lines:>6} {sections:>9.3} {kernels:>9.3} {split:>9.3} {all:>9.3}");
    if all > promised {
        println!("             above the {promised:.1} ms promised");
    }
    Ok(())
}

/// Runs the passes behind `start`, up to `stop`, and tells the milliseconds.
fn section(
    module: Verified,
    target: &mut HostTarget,
    start: &str,
    stop: &str,
) -> Result<(Verified, f64), String> {
    let section = Section::new(target, Some(start), Some(stop)).map_err(|error| error.to_string())?;
    let mut report = Report::default();
    let (time, module) = timed(|| passes::run(module, target, section, false, &mut report));
    Ok((module.map_err(|failed| failed.error.to_string())?, time))
}
