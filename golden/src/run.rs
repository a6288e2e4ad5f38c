//! Runs cases: what the compiler prints, compared with the golden file.

use crate::case::Golden;
use similar::TextDiff;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// The result of one golden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The texts are equal.
    Same,
    /// They differ, or there is no golden file: a unified diff from expected to actual. Numbers of instructions are not those
    /// of the header: which, and where.
    Different(String),
    /// The golden file was written.
    Blessed,
}

/// What the compiler prints for a golden.
pub fn actual(compiler: &Path, golden: &Golden) -> io::Result<String> {
    let folder = match golden.path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let output = Command::new(compiler)
        .args(&golden.args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()?;
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

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// Compares a golden with what the compiler prints; with `bless`, writes it.
pub fn check(compiler: &Path, golden: &Golden, bless: bool) -> io::Result<Outcome> {
    let actual = actual(compiler, golden)?;
    let expected = match fs::read_to_string(&golden.path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
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
    let expected = expected.unwrap_or_default();
    let diff = TextDiff::from_lines(expected.as_str(), actual.as_str());
    let diff = diff.unified_diff().context_radius(3).header(&name, "what the compiler printed").to_string();
    let complaint = complaint.map_or_else(String::new, |complaint| complaint + "\n");
    Ok(Outcome::Different(complaint + &diff))
}
