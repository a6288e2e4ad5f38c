//! `accrue ptx`: PTX of the compute constructs of programs.

use crate::args::PtxArgs;
use accrue::driver::{self, Failure};
use accrue::ptxas::{Message, Ptxas, Verdict};
use accrue_ptx_emit::Options;
use std::path::Path;
use std::process::ExitCode;

/// Exit status when `--check` finds no assembler.
const NO_PTXAS: u8 = 2;

/// Runs the command.
pub fn run(args: &PtxArgs) -> Result<ExitCode, Failure> {
    let options = args.compile.ptx_options(args.arch, &args.reduction)?;
    let ptxas = match (args.check, Ptxas::find()) {
        (true, None) => {
            eprintln!(
                "accrue: no ptxas on PATH, in CUDA_HOME or below the folder of build outputs; ./test.sh installs it"
            );
            return Ok(ExitCode::from(NO_PTXAS));
        }
        (check, found) => found.filter(|_| check),
    };
    let mut texts = Vec::new();
    let mut accepted = true;
    for (name, module) in args.compile.compile_programs()? {
        let text = driver::ptx(module, &options, args.compile.verify, &args.compile.messages())?.text;
        if let Some(ptxas) = &ptxas {
            accepted &= check(ptxas, &name, &text, &options)?;
        }
        texts.push(text);
    }
    match &args.output {
        Some(path) => {
            let [text] = &texts[..] else {
                return Err(Failure::Usage("-o takes one program; these files are several".to_owned()));
            };
            std::fs::write(path, text)
                .map_err(|error| Failure::Other(format!("cannot write {}: {error}", path.display())))?;
        }
        None if ptxas.is_none() => super::print(&texts.concat())?,
        None => {}
    }
    Ok(if accepted { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Assembles a module and prints a line per kernel; false if it was refused.
fn check(ptxas: &Ptxas, name: &str, text: &str, options: &Options) -> Result<bool, Failure> {
    let file = std::env::temp_dir().join(format!("accrue-{}.ptx", std::process::id()));
    let failed = |error: std::io::Error| Failure::Other(format!("cannot run ptxas: {error}"));
    std::fs::write(&file, text).map_err(failed)?;
    let verdict = ptxas.check(&file, &options.arch.to_string()).map_err(failed);
    // A file that is left behind in the folder for such files harms nobody.
    let _ = std::fs::remove_file(&file);
    let verdict = verdict?;
    report(name, text, &verdict, options);
    Ok(verdict.accepted)
}

fn report(name: &str, text: &str, verdict: &Verdict, options: &Options) {
    for usage in &verdict.usage {
        println!(
            "{name}: {}: {}: {} registers, {} bytes shared, {} bytes stack, {} bytes spilled",
            options.arch,
            usage.name,
            usage.registers,
            usage.shared,
            usage.stack,
            usage.spill_stores + usage.spill_loads
        );
    }
    if verdict.accepted && verdict.usage.is_empty() {
        println!("{name}: {}: accepted, no kernels", options.arch);
    }
    for message in &verdict.messages {
        let kind = if message.is_warning { "warning" } else { "error" };
        eprintln!("{}: ptxas {kind}: {}", place(name, text, message), message.text);
    }
}

/// The C line of a message, from the `.loc` before the PTX line that it names.
fn place(name: &str, text: &str, message: &Message) -> String {
    let lines: Vec<&str> = text.lines().take(message.line).collect();
    let words = |line: &&str| -> Option<(usize, usize)> {
        let mut words = line.trim().strip_prefix(".loc ")?.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    };
    let Some((file, line)) = lines.iter().rev().find_map(words) else { return name.to_owned() };
    let start = format!(".file {file} ");
    let path = text.lines().find_map(|line| line.trim().strip_prefix(&*start));
    let path = path.map_or(Path::new(name), |path| Path::new(path.trim().trim_matches('"')));
    format!("{}:{line} (PTX line {})", path.display(), message.line)
}
