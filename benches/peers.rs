//! `cargo bench`: accrue against other compilers on this machine, in the same run.
//!
//! What it shows:
//! - ten loops, the time inside the program, against `gcc -O2`, `gcc -O3 -march=native -ffast-math`,
//!   `clang -O2` and `tcc -run`; a ratio is the other's time over accrue's, so that 1 is parity and more is
//!   better;
//! - the same for programs of small functions and structures by value, the last ten of them written without
//!   regard to this compiler, and for kernels of numerical programs, the last four likewise;
//! - the geometric mean and the lowest ratio of all of these;
//! - the time from the start of the process to `main` of a generated program of 1,000 lines, against
//!   compiling and linking it with `gcc -O2 -fopenacc`; the program itself says when it entered `main`;
//! - the same for 10,000 and 100,000 lines, to see that time is linear in length.
//!
//! Every figure is the median of several rounds in which accrue and the others take turns. `cargo bench
//! --bench peers -- programs` runs all but the times to `main`, `-- loops`, `-- structs`, `-- kernels` or
//! `-- latency` one part; a further argument selects programs by name, and one like `-ffast-math` is an option
//! for accrue.

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
const LOOPS: [Sized; 10] = [
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

/// The programs of small functions, likewise; those from `json` on were written before anybody had looked at
/// how they fare.
const STRUCTS: [Sized; 25] = [
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
    ("json", 4000, 20),
    ("csv", 5000, 20),
    ("md5", 400_000, 10),
    ("aes", 200_000, 10),
    ("lz77", 120_000, 10),
    ("bignum", 500, 40),
    ("strings", 300_000, 10),
    ("trees", 12_000, 10),
    ("lists", 30_000, 10),
    ("random", 100_000, 10),
];

/// What the project promises of single programs, against `gcc -O2`.
const AT_LEAST: [(&str, f64); 2] = [("sum", 1.0), ("dot", 1.0)];

/// Kernels of numerical programs; the number is mostly that of rows. Those from `images` on as above.
const KERNELS: [Sized; 19] = [
    ("gemm", 100, 30),
    ("jacobi", 128, 200),
    ("seidel", 100, 60),
    ("atax", 200, 200),
    ("lu", 120, 30),
    ("cholesky", 150, 20),
    ("correlation", 500, 60),
    ("paths", 100, 20),
    ("fft", 4096, 150),
    ("heat", 32, 100),
    ("bodies", 200, 60),
    ("gradients", 4096, 40),
    ("powers", 4096, 100),
    ("histogram", 1 << 16, 200),
    ("triangles", 1 << 14, 200),
    ("images", 320, 10),
    ("filters", 30_000, 20),
    ("learn", 4000, 10),
    ("options", 10_000, 10),
];

/// A program's name, and two arguments for it.
type Sized = (&'static str, u32, u32);

/// The folders of programs, each with the name of its part.
const PARTS: [(&str, &[Sized]); 3] = [("loops", &LOOPS), ("structs", &STRUCTS), ("kernels", &KERNELS)];

/// A compiler that accrue is compared with.
struct Peer {
    command: &'static [&'static str],
    /// What the project promises of the ratios of all programs: their geometric mean, and the lowest.
    promised: (f64, f64),
}

/// gcc comes first: the others may be missing, and may lack what a program needs.
const PEERS: [Peer; 4] = [
    Peer { command: &["gcc", "-O2"], promised: (0.9, 0.5) },
    Peer { command: &["gcc", "-O3", "-march=native", "-ffast-math"], promised: (0.6, 0.0) },
    Peer { command: &["clang", "-O2"], promised: (0.0, 0.0) },
    Peer { command: &["tcc", "-run"], promised: (0.0, 0.0) },
];

/// The ratios of some programs, those to one peer after those to another.
type Ratios = [Vec<f64>; PEERS.len()];

fn main() -> ExitCode {
    let given = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let (options, wanted): (Vec<String>, Vec<String>) = given.partition(|arg| arg.starts_with('-'));
    let part = wanted.first().map(String::as_str);
    let part = part.filter(|part| matches!(*part, "programs" | "loops" | "structs" | "kernels" | "latency"));
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
        let mut all = Ratios::default();
        for (name, programs) in PARTS {
            if runs("programs") || runs(name) {
                let ratios = compare(&scratch, name, programs, (names, &options))?;
                summarize(&ratios);
                all.iter_mut().zip(ratios).for_each(|(all, new)| all.extend(new));
            }
        }
        if runs("programs") && names.is_empty() {
            println!("all programs");
            summarize(&all);
            judge(&all);
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

impl Peer {
    /// What starts a program, compiled if this compiler does that ahead; nothing where it cannot.
    fn program(&self, source: &Path, program: PathBuf) -> Result<Vec<PathBuf>, String> {
        let mut command = Command::new(self.command[0]);
        if self.command[0] == "tcc" {
            // Its version of C has no `aligned_alloc`, which the programs take their arrays from.
            let c11 = "-D_ISOC11_SOURCE";
            let able = command.args(["-w", c11, "-c", "-o"]).arg(&program).arg(source).output();
            let able = able.is_ok_and(|output| output.status.success());
            let run =
                ["tcc", "-w", c11, "-lm", "-run"].map(PathBuf::from).into_iter().chain([source.to_owned()]);
            return Ok(if able { run.collect() } else { Vec::new() });
        }
        command.args(&self.command[1..]).arg("-w").arg(source).arg("-o").arg(&program).arg("-lm");
        if self.command[0] != "gcc" && command.output().is_err() {
            return Ok(Vec::new());
        }
        output(&mut command)?;
        Ok(vec![program])
    }
}

/// Compares the programs of a folder.
fn compare(
    scratch: &Scratch,
    folder: &str,
    programs: &[Sized],
    (names, options): (&[String], &[String]),
) -> Result<Ratios, String> {
    print!("{folder:<18} {:>10}", "accrue us");
    PEERS.iter().for_each(|peer| print!("  {}", peer.command.join(" ")));
    println!();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench").join(folder);
    let mut ratios = Ratios::default();
    for &(name, elements, repetitions) in programs {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        let source = folder.join(format!("{name}.c"));
        let arguments = [elements.to_string(), repetitions.to_string()];
        let mut commands = Vec::new();
        for (index, peer) in PEERS.iter().enumerate() {
            commands.push(peer.program(&source, scratch.file(&format!("{name}.{index}")))?);
        }
        let (mut ours, mut found) = (Vec::new(), Ratios::default());
        for _ in 0..ROUNDS {
            let mut accrue = Command::new(ACCRUE);
            accrue.arg("run").args(options).arg(&source).arg("--").args(&arguments);
            let (seconds, value) = timed(&output(&mut accrue)?)?;
            ours.push(seconds * 1e6);
            for ((peer, command), found) in PEERS.iter().zip(&commands).zip(&mut found) {
                let Some((program, first)) = command.split_first() else { continue };
                let (theirs, expected) = timed(&output(Command::new(program).args(first).args(&arguments))?)?;
                if (value - expected).abs() > 1e-4 * expected.abs().max(1.0) {
                    let peer = peer.command.join(" ");
                    return Err(format!("{name}: accrue computes {value}, {peer} {expected}"));
                }
                found.push(theirs / seconds);
            }
        }
        print!("{name:<18} {:>10.1}", median(ours));
        let mut to_gcc = None;
        for ((peer, found), ratios) in PEERS.iter().zip(found).zip(&mut ratios) {
            let ratio = (!found.is_empty()).then(|| median(found));
            ratios.extend(ratio);
            to_gcc = to_gcc.or(ratio);
            print_ratio(peer, ratio);
        }
        let promised = AT_LEAST.iter().find(|(promised, _)| *promised == name);
        match promised.zip(to_gcc) {
            Some(((_, least), ratio)) if ratio < *least => println!("  below {least}"),
            _ => println!(),
        }
    }
    Ok(ratios)
}

/// Prints a ratio under its peer.
fn print_ratio(peer: &Peer, ratio: Option<f64>) {
    let width = peer.command.join(" ").len();
    let text = ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
    print!("  {text:>width$}");
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

fn lowest(ratios: &[f64]) -> f64 {
    ratios.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Prints the geometric mean and the lowest of the ratios to each peer.
fn summarize(ratios: &Ratios) {
    print_figures(ratios, "geometric mean", geometric_mean);
    print_figures(ratios, "lowest", lowest);
    println!();
}

fn print_figures(ratios: &Ratios, row: &str, figure: fn(&[f64]) -> f64) {
    print!("{row:<18} {:>10}", "");
    for (peer, ratios) in PEERS.iter().zip(ratios) {
        print_ratio(peer, (!ratios.is_empty()).then(|| figure(ratios)));
    }
    println!();
}

/// Says which promises of all programs are not kept.
fn judge(ratios: &Ratios) {
    for (peer, ratios) in PEERS.iter().zip(ratios).filter(|(_, ratios)| !ratios.is_empty()) {
        let found = [
            ("geometric mean", geometric_mean(ratios), peer.promised.0),
            ("lowest", lowest(ratios), peer.promised.1),
        ];
        for (what, found, least) in found.into_iter().filter(|&(_, found, least)| found < least) {
            println!("{}: the {what} is {found:.2}, below the {least} promised", peer.command.join(" "));
        }
    }
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
fn run_generated(source: &Path, expected: &str, options: &[&str]) -> Result<(f64, f64), String> {
    let mut command = Command::new(ACCRUE);
    command.arg("run").args(options).arg(source).args(["--", "when"]);
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
        "{:<8} {:>10} {:>12} {:>10} {:>14} {:>16} {:>10} {:>7}",
        "lines",
        "to main ms",
        "us per line",
        "to end ms",
        "kept, to main",
        "--eager to main",
        "gcc ms",
        "ratio"
    );
    for lines in [1_000, 10_000, 100_000] {
        let generated = generate::program(lines);
        let source = scratch.file(&format!("generated_{lines}.c"));
        std::fs::write(&source, &generated.text).map_err(|error| error.to_string())?;
        // gcc needs minutes for the longest program, and accrue some seconds for every function of it.
        let short = lines <= 1_000;
        let (rounds, runs) = if short { (ROUNDS, 5) } else { (3, 1) };
        let (mut to_main, mut to_end, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        let (mut eager, mut gcc) = (Vec::new(), Vec::new());
        let run = |options: &[&str]| run_generated(&source, &generated.output, options);
        // The first start keeps the program.
        run(&["-fprogram-cache"])?;
        for _ in 0..rounds {
            for _ in 0..runs {
                let (entered, ended) = run(&["-fno-program-cache"])?;
                to_main.push(entered);
                to_end.push(ended);
                kept.push(run(&["-fprogram-cache"])?.0);
                if short {
                    eager.push(run(&["--eager", "-fno-program-cache"])?.0);
                }
            }
            if short {
                gcc.push(gcc_generated(&source, &scratch.file("generated"))?);
            }
        }
        let (to_main, to_end, kept) = (median(to_main), median(to_end), median(kept));
        let per_line = to_main * 1e3 / generated.lines as f64;
        print!("{:<8} {to_main:>10.2} {per_line:>12.2} {to_end:>10.2} {kept:>14.2}", generated.lines);
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
