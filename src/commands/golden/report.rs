//! Results of golden cases as text, as JSON and as JUnit's XML.

use crate::args::GoldenFormat;
use accrue_golden::{Case, Finished, Golden, Outcome};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What became of all goldens.
#[derive(Debug)]
pub(super) struct Totals {
    cases: usize,
    same: u32,
    different: u32,
    written: u32,
    failed: u32,
}

impl Totals {
    pub(super) fn of(goldens: &[(&Case, &Golden)]) -> Totals {
        let mut cases: Vec<&Path> = goldens.iter().map(|(case, _)| &*case.path).collect();
        cases.dedup();
        Totals { cases: cases.len(), same: 0, different: 0, written: 0, failed: 0 }
    }

    pub(super) fn add(&mut self, finished: &Finished<'_>) {
        *match &finished.outcome {
            Ok(Outcome::Same) => &mut self.same,
            Ok(Outcome::Different(_)) => &mut self.different,
            Ok(Outcome::Blessed) => &mut self.written,
            Err(_) => &mut self.failed,
        } += 1;
    }

    pub(super) fn is_good(&self) -> bool {
        self.different == 0 && self.failed == 0
    }
}

/// Writes results in a format.
#[derive(Debug)]
pub(super) struct Report {
    format: GoldenFormat,
    folder: PathBuf,
    start: Instant,
    /// JUnit names the numbers before the cases.
    testcases: String,
}

impl Report {
    pub(super) fn new(format: GoldenFormat, folder: &Path) -> Report {
        Report { format, folder: folder.to_owned(), start: Instant::now(), testcases: String::new() }
    }

    /// What to print about a golden.
    pub(super) fn golden(&mut self, finished: &Finished<'_>) -> String {
        match self.format {
            GoldenFormat::Text => text(finished),
            GoldenFormat::Json => json_line(finished),
            GoldenFormat::Junit => {
                self.testcases.push_str(&testcase(finished));
                String::new()
            }
        }
    }

    /// What to print when all are finished.
    pub(super) fn end(&self, totals: &Totals) -> String {
        let Totals { cases, same, different, written, failed } = *totals;
        let time = self.start.elapsed();
        match self.format {
            GoldenFormat::Text => {
                let failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
                let advice =
                    if different > 0 { "If the new text is right, write it with --bless.\n" } else { "" };
                format!(
                    "{cases} cases: {same} goldens as expected, {different} different, {written} written{failures}\n{advice}"
                )
            }
            GoldenFormat::Json => {
                let summary = json!({
                    "cases": cases,
                    "same": same,
                    "different": different,
                    "written": written,
                    "failed": failed,
                    "seconds": time.as_secs_f64(),
                });
                format!("{summary}\n")
            }
            GoldenFormat::Junit => {
                let attributes = format!(
                    "name=\"{}\" tests=\"{}\" failures=\"{different}\" errors=\"{failed}\" time=\"{}\"",
                    Xml(&self.folder.to_string_lossy()),
                    same + different + written + failed,
                    seconds(time)
                );
                format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite {attributes}>\n{}</testsuite>\n</testsuites>\n",
                    self.testcases
                )
            }
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

fn text(finished: &Finished<'_>) -> String {
    let path = finished.golden.path.display();
    match &finished.outcome {
        Ok(Outcome::Same) => String::new(),
        Ok(Outcome::Blessed) => format!("written   {path}\n"),
        Ok(Outcome::Different(diff)) => format!("different {path}\n{diff}\n"),
        Err(error) => format!("failed    {path}: {error}\n"),
    }
}

fn json_line(finished: &Finished<'_>) -> String {
    let (status, detail) = match &finished.outcome {
        Ok(Outcome::Same) => ("same", None),
        Ok(Outcome::Blessed) => ("written", None),
        Ok(Outcome::Different(diff)) => ("different", Some(diff.clone())),
        Err(error) => ("failed", Some(error.to_string())),
    };
    let line = json!({
        "case": finished.case.path.to_string_lossy(),
        "golden": finished.golden.path.to_string_lossy(),
        "status": status,
        "detail": detail,
        "seconds": finished.time.as_secs_f64(),
    });
    format!("{line}\n")
}

fn testcase(finished: &Finished<'_>) -> String {
    let (class, name) = (finished.case.path.to_string_lossy(), finished.golden.path.to_string_lossy());
    let start = format!(
        "<testcase classname=\"{}\" name=\"{}\" time=\"{}\"",
        Xml(&class),
        Xml(&name),
        seconds(finished.time)
    );
    let mut out = start;
    let _ = match &finished.outcome {
        Ok(Outcome::Same | Outcome::Blessed) => writeln!(out, "/>"),
        Ok(Outcome::Different(diff)) => writeln!(
            out,
            "><failure message=\"the text differs from {}\">{}</failure></testcase>",
            Xml(&name),
            Xml(diff)
        ),
        Err(error) => writeln!(out, "><error message=\"{}\"/></testcase>", Xml(&error.to_string())),
    };
    out
}

/// Text in XML. Characters that XML has no place for become question marks.
struct Xml<'a>(&'a str);

impl std::fmt::Display for Xml<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for char in self.0.chars() {
            match char {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' | '\t' => f.write_char(char)?,
                char if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') => f.write_char('?')?,
                char => f.write_char(char)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_has_no_characters_of_its_own() {
        assert_eq!(Xml("a<b> & \"c\"\u{1b}[0m\n").to_string(), "a&lt;b&gt; &amp; &quot;c&quot;?[0m\n");
    }
}
