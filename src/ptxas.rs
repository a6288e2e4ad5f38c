//! NVIDIA's assembler: finding it, running it, reading what it says.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the test command puts it, below the folder of build outputs.
const INSTALLED: &str = "ptxas/nvidia/cuda_nvcc/bin/ptxas";

/// The assembler.
#[derive(Clone, Debug)]
pub struct Ptxas {
    path: PathBuf,
}

/// What a kernel or function needs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Name in PTX.
    pub name: String,
    /// 32-bit registers a thread.
    pub registers: u32,
    /// Bytes of static shared memory.
    pub shared: u32,
    /// Bytes of stack.
    pub stack: u32,
    /// Bytes written to the stack for want of registers.
    pub spill_stores: u32,
    /// Bytes read back.
    pub spill_loads: u32,
}

/// A message about a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Line of the PTX text, from 1; 0 if none is named.
    pub line: usize,
    /// Only a warning.
    pub is_warning: bool,
    /// The text.
    pub text: String,
}

/// What the assembler said about a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// It was accepted.
    pub accepted: bool,
    /// How the assembler ended, in words.
    pub status: String,
    /// Errors and warnings.
    pub messages: Vec<Message>,
    /// What each kernel needs, in order of appearance.
    pub usage: Vec<Usage>,
}

impl Ptxas {
    /// On the path, in `CUDA_HOME`, or where the test command put it.
    pub fn find() -> Option<Ptxas> {
        let on_path = std::env::var_os("PATH");
        let folders = on_path.iter().flat_map(std::env::split_paths).map(|folder| folder.join("ptxas"));
        let home = std::env::var_os("CUDA_HOME").map(|home| Path::new(&home).join("bin/ptxas"));
        let outputs = std::env::current_exe().ok();
        let installed = outputs.iter().flat_map(|exe| exe.ancestors()).map(|folder| folder.join(INSTALLED));
        folders.chain(home).chain(installed).find(|path| path.is_file()).map(|path| Ptxas { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Assembles a file for an architecture such as `sm_90`; no output is kept.
    pub fn check(&self, file: &Path, arch: &str) -> io::Result<Verdict> {
        let mut command = Command::new(&self.path);
        command.arg("-v").arg("-arch").arg(arch).arg("-o").arg(OsStr::new("/dev/null")).arg(file);
        let output = command.output()?;
        let text =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        let mut verdict = read(&text);
        verdict.accepted = output.status.success();
        verdict.status = output.status.to_string();
        Ok(verdict)
    }
}

/// Reads what `ptxas -v` prints.
fn read(text: &str) -> Verdict {
    let mut verdict = Verdict::default();
    let mut stacks: BTreeMap<String, [u32; 3]> = BTreeMap::new();
    let mut of = String::new();
    for line in text.lines() {
        if let Some(message) = message(line) {
            verdict.messages.push(message);
        } else if let Some(name) = quoted_after(line, "Compiling entry function '") {
            verdict.usage.push(Usage { name: name.to_owned(), ..Usage::default() });
        } else if let Some(name) = line.split("Function properties for ").nth(1) {
            of = name.trim().to_owned();
        } else if line.contains("bytes stack frame") {
            let numbers = numbers(line);
            if let [stack, stores, loads, ..] = numbers[..] {
                stacks.insert(of.clone(), [stack, stores, loads]);
            }
        } else if let Some(usage) = verdict.usage.last_mut()
            && line.contains("Used ")
        {
            usage.registers = number_before(line, " registers");
            usage.shared = number_before(line, " bytes smem");
        }
    }
    for usage in &mut verdict.usage {
        if let Some(&[stack, stores, loads]) = stacks.get(&usage.name) {
            (usage.stack, usage.spill_stores, usage.spill_loads) = (stack, stores, loads);
        }
    }
    verdict
}

/// `ptxas FILE, line 12; error   : text` and `ptxas fatal   : text`.
fn message(line: &str) -> Option<Message> {
    let rest = line.strip_prefix("ptxas ")?;
    let (place, text) = rest.split_once(" : ").or_else(|| rest.split_once(": "))?;
    let is_warning = place.contains("warning");
    if !is_warning && !place.contains("error") && !place.contains("fatal") {
        return None;
    }
    let line = place.split("line ").nth(1).map_or(0, |rest| numbers(rest).first().map_or(0, |&n| n as usize));
    Some(Message { line, is_warning, text: text.trim().to_owned() })
}

fn quoted_after<'a>(line: &'a str, start: &str) -> Option<&'a str> {
    line.split(start).nth(1)?.split('\'').next()
}

fn numbers(line: &str) -> Vec<u32> {
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

fn number_before(line: &str, unit: &str) -> u32 {
    let before = line.split(unit).next().unwrap_or_default();
    match line.contains(unit) {
        true => before.rsplit(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok()).unwrap_or(0),
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_read() {
        let text = "\
ptxas info    : 8 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 16 bytes cumulative stack size, 1024 bytes smem
ptxas a.ptx, line 12; error   : Unknown symbol 'x'
ptxas warning : a thing
ptxas fatal   : Ptx assembly aborted due to errors
";
        let verdict = read(text);
        let usage = Usage {
            name: "k".to_owned(),
            registers: 32,
            shared: 1024,
            stack: 16,
            spill_stores: 4,
            spill_loads: 8,
        };
        assert_eq!(verdict.usage, [usage]);
        let lines: Vec<_> = verdict.messages.iter().map(|m| (m.line, m.is_warning, &*m.text)).collect();
        let aborted = "Ptx assembly aborted due to errors";
        assert_eq!(lines, [(12, false, "Unknown symbol 'x'"), (0, true, "a thing"), (0, false, aborted)]);
    }
}
