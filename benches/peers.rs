//! `cargo bench`: accrue against `gcc` on this machine, in the same run.
//!
//! What it shows:
//! - ten loops, the time inside the program, against `gcc -O2`; the ratio is gcc's time over accrue's, so
//!   that 1 is parity and more is better;
//! - the same for programs of small functions and structures by value;
//! - the time from the start of the process to `main` of a generated program of 1,000 lines, against
//!   compiling and linking it with `gcc -O2 -fopenacc`; the program itself says when it entered `main`;
//! - the same for 10,000 and 100,000 lines, to see that time is linear in length.
//!
//! Every figure is the median of several rounds in which accrue and gcc take turns. `cargo bench -- loops`,
//! `cargo bench -- structs` or `cargo bench -- latency` runs one part; a further argument selects loops by name.

#[path = "../bench/generate.rs"]
#[allow(dead_code, reason = "tests look at more of it")]
mod generate;

#[path = "../bench/measure.rs"]
#[allow(dead_code, reason = "programs tell their times themselves")]
mod measure;

use measure::{exit_code, median};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use tempfile::TempDir;

const ACCRUE: &str = env!("CARGO_BIN_EXE_accrue");
const ROUNDS: usize = 7;

/// The loops, with a number of elements that stays within the second-level cache, and repetitions.
const LOOPS: [(&str, u32, u32); 10] = [
    ("sum", 1 << 16, 300),
    ("dot", 1 << 15, 300),
    ("max", 1 << 16, 300),
    ("product", 1 << 16, 300),
    ("saxpy", 1 << 16, 300),
    ("stencil", 1 << 16, 300),
    ("matmul", 40_000, 30),
    ("row_sums", 1 << 16, 300),
    ("complex_sum", 1 << 15, 300),
    ("conditional_count", 1 << 16, 300),
];

/// The programs of small functions, likewise.
const STRUCTS: [(&str, u32, u32); 15] = [
    ("vectors", 1 << 14, 100),
    ("quaternions", 1 << 14, 60),
    ("rays", 1 << 14, 12),
    ("matrices", 1 << 12, 200),
    ("arrays", 1 << 12, 60),
    ("complex", 1 << 14, 60),
    ("mandelbrot", 1 << 12, 20),
    ("hash", 1 << 15, 30),
    ("parser", 1 << 16, 60),
    ("words", 1 << 16, 30),
    ("machine", 20_000, 20),
    ("life", 1 << 14, 20),
    ("sort", 1 << 13, 40),
    ("gcd", 1 << 15, 15),
    ("fib", 196_418, 12),
];

/// What the project promises, by name; the geometric mean of all is to be at least 0.8.
const AT_LEAST: [(&str, f64); 2] = [("sum", 1.0), ("dot", 1.0)];

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let part = wanted.first().map(String::as_str);
    let part = part.filter(|part| matches!(*part, "loops" | "structs" | "latency"));
    let names = &wanted[usize::from(part.is_some())..];
    if let Err(error) = Command::new("gcc").arg("--version").stdout(Stdio::null()).status() {
        eprintln!("these benchmarks compare with gcc, which cannot be run: {error}");
        return ExitCode::FAILURE;
    }
    let scratch = match Scratch::new() {
        Ok(scratch) => scratch,
        Err(error) => {
            eprintln!("no folder for the programs that gcc makes: {error}");
            return ExitCode::FAILURE;
        }
    };
    let result = (|| {
        let runs = |name| part.is_none_or(|part| part == name);
        if runs("loops") {
            compare(&scratch, "bench/loops", &LOOPS, names)?;
        }
        if runs("structs") {
            compare(&scratch, "bench/structs", &STRUCTS, names)?;
        }
        if runs("latency") && names.is_empty() {
            latency(&scratch)?;
        }
        Ok::<(), String>(())
    })();
    exit_code(result)
}

/// A folder that is removed in the end.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> std::io::Result<Scratch> {
        Ok(Scratch(tempfile::tempdir()?))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed ({})\n{text}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Compares the programs of a folder.
fn compare(
    scratch: &Scratch,
    folder: &str,
    programs: &[(&str, u32, u32)],
    names: &[String],
) -> Result<(), String> {
    println!("{folder:<18} {:>12} {:>12} {:>8}", "accrue us", "gcc -O2 us", "ratio");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut logs = Vec::new();
    for &(name, elements, repetitions) in programs {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        let source = folder.join(format!("{name}.c"));
        let program = scratch.file(name);
        output(Command::new("gcc").arg("-O2").arg(&source).arg("-o").arg(&program).arg("-lm"))?;
        let (elements, repetitions) = (elements.to_string(), repetitions.to_string());
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let mut accrue = Command::new(ACCRUE);
            accrue.arg("run").arg(&source).args(["--", &elements, &repetitions]);
            let (a, found) = timed(&output(&mut accrue)?)?;
            let (b, expected) = timed(&output(Command::new(&program).args([&elements, &repetitions]))?)?;
            if (found - expected).abs() > 1e-4 * expected.abs().max(1.0) {
                return Err(format!("{name}: accrue computes {found}, gcc {expected}"));
            }
            ours.push(a * 1e6);
            theirs.push(b * 1e6);
            ratios.push(b / a);
        }
        let ratio = median(ratios);
        logs.push(ratio.ln());
        let promised = AT_LEAST.iter().find(|(promised, _)| *promised == name);
        let note = match promised {
            Some((_, least)) if ratio < *least => format!("  below {least}"),
            Some((_, least)) => format!("  at least {least} promised"),
            None => String::new(),
        };
        println!("{name:<18} {:>12.1} {:>12.1} {ratio:>8.2}{note}", median(ours), median(theirs));
    }
    if !logs.is_empty() {
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        println!("{:<18} {:>12} {:>12} {mean:>8.2}  at least 0.8 promised\n", "geometric mean", "", "");
    }
    Ok(())
}

/// The seconds and the value that a loop's program prints.
fn timed(text: &str) -> Result<(f64, f64), String> {
    let mut numbers = text.split_whitespace().map(str::parse::<f64>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(seconds)), Some(Ok(value))) => Ok((seconds, value)),
        _ => Err(format!("a loop printed {text:?}")),
    }
}

/// Seconds of the clock that programs read, too.
fn now() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is there to be filled; this clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Milliseconds of one run of a generated program: from the start of the process to `main`, and to its end.
fn run_generated(source: &Path, expected: &str, eager: bool) -> Result<(f64, f64), String> {
    let mut command = Command::new(ACCRUE);
    command.arg("run").args(eager.then_some("--eager")).arg(source).args(["--", "when"]);
    let start = now();
    let text = output(&mut command)?;
    let end = now();
    let entered = text.strip_prefix(expected).and_then(|line| line.trim_end().parse::<f64>().ok());
    match entered {
        Some(entered) => Ok(((entered - start) * 1e3, (end - start) * 1e3)),
        None => Err(format!("{} printed {text:?}", source.display())),
    }
}

/// Milliseconds that gcc takes to compile and link.
fn gcc_generated(source: &Path, program: &Path) -> Result<f64, String> {
    // Without code for a device, which would take gcc longer where it has a compiler for one.
    let arguments: [&OsStr; 8] = [
        "-O2".as_ref(),
        "-fopenacc".as_ref(),
        "-foffload=disable".as_ref(),
        "-w".as_ref(),
        source.as_os_str(),
        "-o".as_ref(),
        program.as_os_str(),
        "-lm".as_ref(),
    ];
    let start = now();
    output(Command::new("gcc").args(arguments))?;
    Ok((now() - start) * 1e3)
}

fn latency(scratch: &Scratch) -> Result<(), String> {
    println!(
        "{:<8} {:>10} {:>12} {:>10} {:>16} {:>10} {:>7}",
        "lines", "to main ms", "us per line", "to end ms", "--eager to main", "gcc ms", "ratio"
    );
    for lines in [1_000, 10_000, 100_000] {
        let generated = generate::program(lines);
        let source = scratch.file(&format!("generated_{lines}.c"));
        std::fs::write(&source, &generated.text).map_err(|error| error.to_string())?;
        // gcc needs minutes for the longest program, and accrue some seconds for every function of it.
        let short = lines <= 1_000;
        let (rounds, runs) = if short { (ROUNDS, 5) } else { (3, 1) };
        let (mut to_main, mut to_end, mut eager, mut gcc) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            for _ in 0..runs {
                let (entered, ended) = run_generated(&source, &generated.output, false)?;
                to_main.push(entered);
                to_end.push(ended);
                if short {
                    eager.push(run_generated(&source, &generated.output, true)?.0);
                }
            }
            if short {
                gcc.push(gcc_generated(&source, &scratch.file("generated"))?);
            }
        }
        let (to_main, to_end) = (median(to_main), median(to_end));
        let per_line = to_main * 1e3 / generated.lines as f64;
        print!("{:<8} {to_main:>10.2} {per_line:>12.2} {to_end:>10.2}", generated.lines);
        if short {
            let (eager, gcc) = (median(eager), median(gcc));
            println!(" {eager:>16.2} {gcc:>10.0} {:>6.1}x", gcc / to_main);
            for (what, found, most) in [("to main", to_main, 10.0), ("--eager to main", eager, 30.0)] {
                if found > most {
                    println!("         {what}: above the {most} ms promised");
                }
            }
        } else {
            println!();
        }
    }
    println!("ratio: gcc's time to compile and link over accrue's from the start of its process to `main`");
    Ok(())
}
