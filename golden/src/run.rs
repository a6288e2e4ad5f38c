//! Runs cases: what the compiler prints, compared with the golden file.

use crate::case::Golden;
use crate::wait::wait;
use similar::TextDiff;
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::ScopedJoinHandle;
use std::time::Duration;

/// The result of one golden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The texts are equal.
    Same,
    /// They differ, or there is no golden file: a unified diff from expected to actual. Numbers of
    /// instructions are not those of the header: which, and where.
    Different(String),
    /// The golden file was written.
    Blessed,
}

/// Why a golden could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The compiler could not be started, or a file not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The compiler, or the program that it runs, was stopped.
    #[error("stopped after {} s", .0.as_secs_f64())]
    Timeout(Duration),
}

/// What the compiler prints for a golden. It is stopped when it takes longer than it may.
pub fn actual(compiler: &Path, golden: &Golden, timeout: Option<Duration>) -> Result<String, RunError> {
    let folder = match golden.path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut command = Command::new(compiler);
    command.args(&golden.args).current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    let output = output(&mut command, timeout)?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    if !errors.is_empty() {
        end_line(&mut text);
        text.push_str("--- standard error\n");
        text.push_str(&errors);
    }
    if !output.status.success() {
        end_line(&mut text);
        text.push_str(&format!("--- {}\n", output.status));
    }
    Ok(text)
}

/// Runs a command to its end. Processes that the command started are stopped with it.
fn output(command: &mut Command, timeout: Option<Duration>) -> Result<Output, RunError> {
    let Some(timeout) = timeout else { return Ok(command.output()?) };
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let group = libc::pid_t::try_from(child.id()).unwrap_or(libc::pid_t::MAX);
    let [out, err] = [
        child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
    ];
    std::thread::scope(|scope| {
        // Both pipes are read at once, so that neither fills up.
        let read = |pipe: Option<Box<dyn Read + Send>>| {
            scope.spawn(move || {
                let mut bytes = Vec::new();
                pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes)).map(|_| bytes)
            })
        };
        let (out, err) = (read(out), read(err));
        let status = wait(&mut child, timeout)?;
        if status.is_none() {
            // SAFETY: sends a signal to the group that the child leads; it has not been waited for.
            unsafe { libc::kill(-group, libc::SIGKILL) };
            child.wait()?;
        }
        let join = |pipe: ScopedJoinHandle<'_, io::Result<Vec<u8>>>| {
            pipe.join().unwrap_or_else(|_| Err(io::Error::other("the output could not be read")))
        };
        let (stdout, stderr) = (join(out), join(err));
        match status {
            Some(status) => Ok(Output { status, stdout: stdout?, stderr: stderr? }),
            None => Err(RunError::Timeout(timeout)),
        }
    })
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// Compares a golden with what the compiler prints; with `bless`, writes it.
pub fn check(
    compiler: &Path,
    golden: &Golden,
    bless: bool,
    timeout: Option<Duration>,
) -> Result<Outcome, RunError> {
    let actual = actual(compiler, golden, timeout)?;
    let expected = match fs::read_to_string(&golden.path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let counts = golden.counts.as_ref();
    if bless {
        let counted = counts.map_or(Ok(false), |counts| counts.bless(&actual))?;
        if expected.as_deref() != Some(&actual) {
            fs::write(&golden.path, &actual)?;
        } else if !counted {
            return Ok(Outcome::Same);
        }
        return Ok(Outcome::Blessed);
    }
    let complaint = counts.and_then(|counts| counts.complaint(&actual));
    if expected.as_deref() == Some(&actual) {
        return Ok(complaint.map_or(Outcome::Same, Outcome::Different));
    }
    let name = golden.path.display().to_string();
    let missing =
        if expected.is_none() { format!("{name}: there is no such file yet\n") } else { String::new() };
    let expected = expected.unwrap_or_default();
    let diff = TextDiff::from_lines(expected.as_str(), actual.as_str());
    let diff = diff.unified_diff().context_radius(3).header(&name, "what the compiler printed").to_string();
    let complaint = complaint.map_or_else(String::new, |complaint| complaint + "\n");
    Ok(Outcome::Different(missing + &complaint + &diff))
}
