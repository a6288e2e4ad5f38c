//! `cargo bench --bench emission`: what PTX costs beyond the front end.
//!
//! For generated programs of 1,000 and 10,000 lines: the time from the front end's IR to the text, in a
//! process that has done it before, with its parts; and the time of `accrue ptx` beside that of
//! `accrue run -fsyntax-only` from start to end of the process, taking turns. Every figure is a median.

#[path = "../bench/generate.rs"]
#[allow(dead_code, reason = "tests look at more of it")]
mod generate;

#[path = "../bench/measure.rs"]
mod measure;

#[path = "../src/pool.rs"]
#[allow(dead_code, unused_imports, reason = "the program's allocator, as the program has it")]
mod pool;

use accrue::driver::{self, DiagnosticFormat, Failure, Messages};
use accrue_frontend::options::{Options as FrontendOptions, WarningOptions};
use accrue_frontend::pp::Input;
use accrue_frontend::session::Session;
use accrue_ir::passes::Section;
use accrue_ptx_emit::{LINK, Options};
use measure::{exit_code, median, timed};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

const ACCRUE: &str = env!("CARGO_BIN_EXE_accrue");

/// What the generator is asked for, as it makes whole functions, to give 1,000 lines.
const SHORT: usize = 950;

/// Most milliseconds for a program of 1,000 lines.
const PROMISED: f64 = 2.0;

const ROUNDS: usize = 41;

fn main() -> ExitCode {
    exit_code(measure_all())
}

fn measure_all() -> Result<(), String> {
    println!(
        "{:<8} {:>9} {:>9} {:>9} {:>8} {:>10} {:>15} {:>10}",
        "lines", "passes ms", "text ms", "PTX ms", "bytes", "ptx ms", "-fsyntax-only", "difference"
    );
    for lines in [SHORT, 10 * SHORT] {
        let generated = generate::program(lines);
        let [passes, text, whole, bytes] = pool::with_pool(|| in_process(&generated.text))?;
        let file = tempfile::Builder::new().suffix(".c").tempfile().map_err(|error| error.to_string())?;
        std::fs::write(&file, &generated.text).map_err(|error| error.to_string())?;
        let [ptx, syntax] = processes(file.path())?;
        println!(
            "{:<8} {passes:>9.2} {text:>9.2} {whole:>9.2} {bytes:>8} {ptx:>10.2} {syntax:>15.2} {:>10.2}",
            generated.lines,
            ptx - syntax
        );
        if lines == SHORT && whole > PROMISED {
            println!("         above the {PROMISED} ms promised");
        }
    }
    println!("PTX ms: passes, the device's library and the text, from the front end's IR on");
    Ok(())
}

/// Median milliseconds of the passes, of writing the text, and of everything behind the front end; bytes of
/// the text.
fn in_process(source: &str) -> Result<[f64; 4], String> {
    let input = Input::Memory { name: "generated.c".to_owned(), text: source.as_bytes().to_vec() };
    let mut session = Session::new(FrontendOptions::default());
    let module = driver::translate(&mut session, &input).ok_or("the program does not compile")?;
    let options = Options::default();
    let warnings = WarningOptions { none: true, ..WarningOptions::default() };
    let messages = &Messages { format: DiagnosticFormat::Text, warnings };
    let failed = |_: Failure| "the program has no PTX".to_owned();
    let (mut passes, mut texts, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    let mut bytes = 0;
    for _ in 0..ROUNDS {
        let copy = module.clone();
        let mut target = driver::gpu(&options);
        let section = Section::before(&target, LINK).map_err(|error| error.to_string())?;
        let (time, result) = timed(|| driver::lower_for_ptx(copy, &mut target, section, false, messages));
        result.map_err(failed)?;
        passes.push(time);
        let copy = module.clone();
        let (time, result) = timed(|| driver::ptx(copy, &options, Section::WHOLE, false, messages));
        bytes = result.map_err(failed)?.text.len();
        whole.push(time);
        let mut target = driver::gpu(&options);
        let lowered = driver::lower_for_ptx(module.clone(), &mut target, Section::WHOLE, false, messages);
        let (linked, _) = lowered.map_err(failed)?;
        let (time, _) = timed(|| accrue_ptx_emit::text(&linked, target));
        texts.push(time);
    }
    Ok([median(passes), median(texts), median(whole), bytes as f64])
}

/// Median milliseconds of `accrue ptx` and of checking the syntax only.
fn processes(file: &Path) -> Result<[f64; 2], String> {
    let run = |args: &[&str]| -> Result<f64, String> {
        let mut command = Command::new(ACCRUE);
        command.args(args).arg(file).stdout(Stdio::null());
        let (time, status) = timed(|| command.status());
        match status {
            Ok(status) if status.success() => Ok(time),
            other => Err(format!("{command:?}: {other:?}")),
        }
    };
    let (mut ptx, mut syntax) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ptx.push(run(&["ptx"])?);
        syntax.push(run(&["run", "-fsyntax-only"])?);
    }
    Ok([median(ptx), median(syntax)])
}
