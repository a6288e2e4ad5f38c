//! How the end-to-end tests run a C program: by accrue, or by a peer compiler that checks the tests
//! themselves.
//!
//! With `ACCRUE_PEER="gcc -fopenacc"` in the environment every program is compiled and run by that command
//! instead, so that a case can be validated without accrue having the last word on what C means.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// No test program needs longer, by far.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What a program left behind.
pub struct Outcome {
    /// How it ended; `None` if it had to be stopped.
    pub status: Option<ExitStatus>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Outcome {
    /// The exit status, or a sentence that says why there is none.
    pub fn code(&self) -> Result<i32, String> {
        use std::os::unix::process::ExitStatusExt;
        let status = self.status.ok_or_else(|| format!("stopped after {TIMEOUT:?}\n{}", self.stderr))?;
        status
            .code()
            .ok_or_else(|| format!("ended by signal {}\n{}", status.signal().unwrap_or(0), self.stderr))
    }
}

/// The compiler under test.
pub enum Compiler {
    /// The accrue binary of this build.
    Accrue,
    /// Command words of a compiler with GCC's interface.
    Peer(Vec<String>),
}

impl Compiler {
    /// The one that the environment asks for.
    pub fn from_environment() -> Self {
        match std::env::var("ACCRUE_PEER") {
            Ok(words) if !words.trim().is_empty() => {
                Compiler::Peer(words.split_whitespace().map(str::to_owned).collect())
            }
            _ => Compiler::Accrue,
        }
    }

    /// Whether accrue itself is under test.
    pub fn is_accrue(&self) -> bool {
        matches!(self, Compiler::Accrue)
    }

    /// Compiles and runs `sources`; `scratch` is a name for files that no other test uses. A word
    /// `NAME=VALUE` among the options, `OMP_NUM_THREADS=8` for instance, is a variable of the environment.
    pub fn run(
        &self,
        options: &[String],
        sources: &[PathBuf],
        args: &[String],
        scratch: &str,
    ) -> Result<Outcome, String> {
        let (variables, options): (Vec<String>, Vec<String>) =
            options.iter().cloned().partition(|word| is_variable(word));
        let variables = || variables.iter().filter_map(|word| word.split_once('='));
        let options = &options[..];
        match self {
            Compiler::Accrue => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
                // The IR is looked at after every pass, and the PTX that is made of it.
                command.args(["run", "--verify"]).args(options).args(sources).arg("--").args(args);
                // Regions that would run on the host instead would test nothing.
                let simulated = options.windows(2).any(|pair| pair == ["--device", "sim"]);
                command.env("ACC_DEVICE_TYPE", if simulated { "nvidia" } else { "host" });
                command.envs(variables());
                execute(command, scratch)
            }
            Compiler::Peer(words) => {
                let program = scratch_path(scratch).with_extension("exe");
                let mut build = Command::new(&words[0]);
                build
                    .args(&words[1..])
                    .args(peer_options(options))
                    .args(sources)
                    .arg("-o")
                    .arg(&program)
                    .arg("-lm");
                let built = execute(build, scratch)?;
                if built.code()? != 0 {
                    return Ok(built);
                }
                let mut command = Command::new(&program);
                command.args(args).env("ACC_DEVICE_TYPE", "host").envs(variables());
                let outcome = execute(command, scratch);
                let _ = std::fs::remove_file(&program);
                outcome
            }
        }
    }

    /// Diagnoses `sources` without running anything.
    pub fn check(&self, options: &[String], sources: &[PathBuf], scratch: &str) -> Result<Outcome, String> {
        let mut command = match self {
            Compiler::Accrue => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
                command.arg("run");
                command
            }
            Compiler::Peer(words) => {
                let mut command = Command::new(&words[0]);
                command.args(&words[1..]);
                command
            }
        };
        command.arg("-fsyntax-only").args(options).args(sources);
        execute(command, scratch)
    }
}

/// Whether a word among options is a variable of the environment, `NAME=VALUE`.
fn is_variable(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    let is_letter = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_letter)
}

/// Options that only accrue has mean nothing to a peer.
fn peer_options(options: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        if matches!(option.as_str(), "--gangs" | "--device" | "--memory" | "--seed") {
            rest.next();
        } else if !option.starts_with("--") {
            kept.push(option.clone());
        }
    }
    kept
}

/// A path of the build's folder for temporary files.
pub fn scratch_path(name: &str) -> PathBuf {
    let flat: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(flat)
}

/// Runs a command with its output in files, so that a program that prints without end cannot block the test.
fn execute(mut command: Command, scratch: &str) -> Result<Outcome, String> {
    let told = |error: std::io::Error| format!("{command:?}: {error}", command = scratch);
    let (out, err) =
        (scratch_path(scratch).with_extension("stdout"), scratch_path(scratch).with_extension("stderr"));
    let mut child = command
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(File::create(&out).map_err(told)?)
        .stderr(File::create(&err).map_err(told)?)
        .spawn()
        .map_err(|error| format!("cannot run {:?}: {error}", command.get_program()))?;
    let status = accrue_golden::wait(&mut child, TIMEOUT).map_err(told)?;
    if status.is_none() {
        child.kill().and_then(|()| child.wait()).map_err(told)?;
    }
    let read = |path: &Path| {
        std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(told)
    };
    let outcome = Outcome { status, stdout: read(&out)?, stderr: read(&err)? };
    let _ = (std::fs::remove_file(out), std::fs::remove_file(err));
    Ok(outcome)
}

/// One diagnostic as accrue prints it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Message {
    /// `error` or `warning`.
    pub severity: String,
    /// The stable id.
    pub id: String,
    /// Line of the primary place.
    pub line: u32,
}

/// The diagnostics in accrue's text output: `error[id]: text`, then `--> file:line:column`.
pub fn messages(stderr: &str) -> Vec<Message> {
    let mut found = Vec::new();
    let mut header: Option<(String, String)> = None;
    for line in stderr.lines() {
        if let Some((head, _)) = line.split_once("]: ")
            && let Some((severity, id)) = head.split_once('[')
            && matches!(severity, "error" | "warning")
        {
            header = Some((severity.to_owned(), id.to_owned()));
        } else if let Some(place) = line.trim_start().strip_prefix("--> ")
            && let Some((severity, id)) = header.take()
        {
            let line = place.rsplit(':').nth(1).and_then(|number| number.parse().ok()).unwrap_or(0);
            found.push(Message { severity, id, line });
        }
    }
    found
}
