//! Messages of what comes after the front end: the source map is gone by then, a file, a line and a column remain.

use super::Severity;
use super::place::cut;
use crate::lex::token_length;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde::Serialize;

/// A message about a place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Late {
    /// Error or warning.
    pub severity: Severity,
    /// Stable kebab-case id.
    pub id: &'static str,
    /// One short sentence, lower case, without a full stop.
    pub message: String,
    /// What to write instead.
    pub notes: Vec<String>,
    /// The file.
    pub file: String,
    /// Line, from 1; 0 if there is no place.
    pub line: u32,
    /// Column in bytes, from 1; 0 if only the line is known.
    pub column: u32,
}

#[derive(Serialize)]
struct Record<'a> {
    id: &'a str,
    severity: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

impl Late {
    /// For people, with the line of the file if it can still be read.
    pub fn text(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(self.message.clone()).id(self.id);
        let mut group = annotate_snippets::Group::with_title(title);
        let line = self.source_line();
        if let Some(bytes) = &line {
            let from = (self.column.max(1) as usize - 1).min(bytes.len());
            let to = (from + token_length(&bytes[from..])).min(bytes.len());
            let (excerpt, range) = cut(bytes, from..to, true);
            let snippet = Snippet::source(excerpt).line_start(self.line as usize).path(self.file.clone());
            group = group.element(snippet.annotation(AnnotationKind::Primary.span(range)));
        } else if self.line > 0 {
            let place = format!("at {}:{}:{}", self.file, self.line, self.column.max(1));
            group = group.element(Level::NOTE.message(place));
        }
        for note in &self.notes {
            group = group.element(Level::NOTE.message(note.clone()));
        }
        format!("{}\n\n", renderer.render(&[group]))
    }

    /// For programs: one JSON object and the end of its line.
    pub fn json(&self) -> String {
        let is_known = self.line > 0;
        let record = Record {
            id: self.id,
            severity: match self.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: &self.message,
            file: is_known.then_some(&*self.file),
            line: is_known.then_some(self.line),
            column: (is_known && self.column > 0).then_some(self.column),
            notes: &self.notes,
        };
        // The record has string keys and integers only, for which serialisation cannot fail.
        serde_json::to_string(&record).expect("a plain record") + "\n"
    }

    /// The line that the message is about, without its end.
    fn source_line(&self) -> Option<Vec<u8>> {
        let index = (self.line as usize).checked_sub(1)?;
        let text = std::fs::read(&self.file).ok()?;
        let line = text.split(|&byte| byte == b'\n').nth(index)?;
        Some(line.strip_suffix(b"\r").unwrap_or(line).to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn late(file: &str, line: u32) -> Late {
        Late {
            severity: Severity::Warning,
            id: "launch-size-reduced",
            message: "too many".to_owned(),
            notes: Vec::new(),
            file: file.to_owned(),
            line,
            column: 3,
        }
    }

    #[test]
    fn a_place_that_cannot_be_read_is_named() {
        let text = late("no/such/file.c", 7).text(false);
        assert!(text.starts_with("warning[launch-size-reduced]: too many\n"), "{text}");
        assert!(text.contains("no/such/file.c:7:3"), "{text}");
        assert!(!late("", 0).text(false).contains("at "));
    }

    #[test]
    fn programs_read_one_object() {
        assert_eq!(
            late("a.c", 7).json(),
            "{\"id\":\"launch-size-reduced\",\"severity\":\"warning\",\"message\":\"too many\",\
             \"file\":\"a.c\",\"line\":7,\"column\":3}\n"
        );
    }
}
