//! `accrue ptx`: PTX of the compute constructs of programs.

use crate::args::{PtxArgs, Target};
use crate::start::Status;
use accrue::driver::{self, Failure};
use accrue::ptxas::{Message, Ptxas, Usage, Verdict};
use accrue_ptx_emit::Options;
use std::io::Write;
use std::path::Path;

/// Exit status when `--check` finds no assembler.
const NO_PTXAS: u8 = 2;

/// Runs the command.
pub fn run(args: &PtxArgs) -> Result<Status, Failure> {
    let options = args.compile.ptx_options(args.arch, &args.reduction)?;
    let ptxas = match (args.check, Ptxas::find()) {
        (true, None) => {
            eprintln!(
                "accrue: no ptxas on PATH, in CUDA_HOME or below the folder of build outputs; ./test.sh installs it"
            );
            return Ok(Status(NO_PTXAS));
        }
        (check, found) => found.filter(|_| check),
    };
    let section = args.resume.section(&driver::gpu(&options), None)?;
    let programs = args.compile.programs(&args.resume, &driver::gpu(&options), Target::Ptx.frontend())?;
    if args.output.is_some() && programs.len() > 1 {
        return Err(Failure::Usage("-o takes one program; these files are several".to_owned()));
    }
    let mut texts = String::new();
    let mut accepted = true;
    for (name, module) in programs {
        let text =
            driver::ptx(module, &options, section, args.compile.verify, &args.compile.messages())?.text;
        if let Some(ptxas) = &ptxas {
            accepted &= check(ptxas, &name, &text, &options)?;
        }
        texts.push_str(&text);
    }
    match args.output.as_deref() {
        Some(path) if path != Path::new("-") => std::fs::write(path, texts)
            .map_err(|error| Failure::Other(format!("cannot write {}: {error}", path.display())))?,
        None if ptxas.is_some() => {}
        _ => super::print(&texts)?,
    }
    Ok(if accepted { Status::SUCCESS } else { Status::FAILURE })
}

/// Assembles a module and prints a line per kernel; false if it was refused.
fn check(ptxas: &Ptxas, name: &str, text: &str, options: &Options) -> Result<bool, Failure> {
    // The folder is everybody's: a name that can be foreseen may already be a link to a file of the user's.
    let file = tempfile::Builder::new()
        .prefix("accrue-")
        .suffix(".ptx")
        .tempfile()
        .and_then(|mut file| file.write_all(text.as_bytes()).map(|()| file.into_temp_path()))
        .map_err(|error| Failure::Other(format!("cannot write a temporary file: {error}")))?;
    let verdict = ptxas
        .check(&file, &options.arch.to_string())
        .map_err(|error| Failure::Other(format!("cannot run {}: {error}", ptxas.path().display())))?;
    report(name, text, &verdict, options)?;
    Ok(verdict.accepted)
}

/// Prints kernels in the order of the PTX text, which ptxas turns round.
fn report(name: &str, text: &str, verdict: &Verdict, options: &Options) -> Result<(), Failure> {
    let mut usages: Vec<&Usage> = verdict.usage.iter().collect();
    usages.sort_by_cached_key(|usage| text.find(&format!(".entry {}(", usage.name)));
    let mut out = String::new();
    for usage in usages {
        out.push_str(&format!(
            "{name}: {}: {}: {} registers, {} bytes shared, {} bytes stack, {} bytes spilled\n",
            options.arch,
            usage.name,
            usage.registers,
            usage.shared,
            usage.stack,
            usage.spill_stores + usage.spill_loads
        ));
    }
    if verdict.accepted && verdict.usage.is_empty() {
        out.push_str(&format!("{name}: {}: accepted, no kernels\n", options.arch));
    }
    super::print(&out)?;
    for message in &verdict.messages {
        let kind = if message.is_warning { "warning" } else { "error" };
        eprintln!("{}: ptxas {kind}: {}", place(name, text, message), message.text);
    }
    if !verdict.accepted && verdict.messages.is_empty() {
        eprintln!("{name}: ptxas failed without a message: {}", verdict.status);
    }
    Ok(())
}

/// A path from between the quotes of a `.file`, where `%C3%A9` stands for what PTX has no character for.
fn plain_path(quoted: &str) -> String {
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(code) if byte == b'%' => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
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
    let path = path.map_or_else(|| name.to_owned(), |path| plain_path(path.trim().trim_matches('"')));
    format!("{path}:{line} (PTX line {})", message.line)
}
