//! Messages of what comes after the front end, up to what a running program is told: the source map is gone
//! by then, a file, a line and a column remain.

use super::id::Severity;
use super::place::cut;
use crate::lex::token_length;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;
use std::borrow::Cow;

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LatePlace {
    /// The file.
    pub file: String,
    /// Line, from 1; 0 if there is no place.
    pub line: u32,
    /// Column in bytes, from 1; 0 if only the line is known.
    pub column: u32,
}

/// A message about a place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Late {
    /// Error or warning.
    pub severity: Severity,
    /// Stable kebab-case id.
    pub id: Cow<'static, str>,
    /// One short sentence, lower case, without a full stop.
    pub message: String,
    /// The place.
    pub place: LatePlace,
    /// What happens there; may be empty.
    pub label: String,
    /// Other places that explain it.
    pub related: Vec<(LatePlace, String)>,
    /// Remarks without a place.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Vec<String>,
}

#[derive(Serialize)]
struct Record<'a> {
    id: &'a str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Location<'a>,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    help: &'a [String],
}

#[derive(Serialize)]
struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    #[serde(flatten)]
    place: Location<'a>,
}

type Element = Snippet<'static, annotate_snippets::Annotation<'static>>;

impl LatePlace {
    /// The line of the file, marked, if it can still be read.
    fn snippet(&self, label: &str) -> Option<Element> {
        let bytes = self.source_line()?;
        let range = match self.column.checked_sub(1) {
            Some(from) => {
                let from = (from as usize).min(bytes.len());
                from..(from + token_length(&bytes[from..])).min(bytes.len())
            }
            None => bytes.len() - bytes.trim_ascii_start().len()..bytes.trim_ascii_end().len(),
        };
        let (excerpt, range) = cut(&bytes, range, true);
        let mut annotation = AnnotationKind::Primary.span(range);
        if !label.is_empty() {
            annotation = annotation.label(label.to_owned());
        }
        let snippet = Snippet::source(excerpt).line_start(self.line as usize).path(self.file.clone());
        Some(snippet.annotation(annotation))
    }

    /// The line, without its end.
    fn source_line(&self) -> Option<Vec<u8>> {
        let index = (self.line as usize).checked_sub(1)?;
        let text = std::fs::read(&self.file).ok()?;
        let line = text.split(|&byte| byte == b'\n').nth(index)?;
        Some(line.strip_suffix(b"\r").unwrap_or(line).to_vec())
    }

    fn location(&self) -> Location<'_> {
        let LatePlace { file, line, column } = self;
        let is_known = *line > 0;
        Location {
            file: is_known.then_some(file),
            line: is_known.then_some(*line),
            column: (is_known && *column > 0).then_some(*column),
        }
    }

    /// A group with the place: marked in its line, or named.
    fn add_to(&self, group: Group<'static>, label: &str) -> Group<'static> {
        if let Some(snippet) = self.snippet(label) {
            return group.element(snippet);
        }
        let mut text = label.to_owned();
        if self.line > 0 {
            let blank = if text.is_empty() { "" } else { " " };
            text += &format!("{blank}at {}:{}:{}", self.file, self.line, self.column.max(1));
        }
        if text.is_empty() { group } else { group.element(Level::NOTE.message(text)) }
    }
}

impl Late {
    /// A message about a place.
    pub fn new(
        severity: Severity,
        id: impl Into<Cow<'static, str>>,
        message: String,
        place: LatePlace,
    ) -> Late {
        Late {
            severity,
            id: id.into(),
            message,
            place,
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// For people, with the lines of files that can still be read.
    pub fn text(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(self.message.clone()).id(self.id.clone());
        let mut main = self.place.add_to(Group::with_title(title), &self.label);
        for note in &self.notes {
            main = main.element(Level::NOTE.message(note.clone()));
        }
        for help in &self.help {
            main = main.element(Level::HELP.message(help.clone()));
        }
        let related = self.related.iter().map(|(place, text)| {
            place.add_to(Group::with_title(Level::NOTE.secondary_title(text.clone())), "")
        });
        let groups: Vec<Group<'static>> = std::iter::once(main).chain(related).collect();
        format!("{}\n\n", renderer.render(&groups))
    }

    /// For programs: one JSON object and the end of its line.
    pub fn json(&self) -> String {
        let record = Record {
            id: &self.id,
            severity: match self.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: &self.message,
            place: self.place.location(),
            label: &self.label,
            related: self
                .related
                .iter()
                .map(|(place, message)| Related { message, place: place.location() })
                .collect(),
            notes: &self.notes,
            help: &self.help,
        };
        // The record has string keys and integers only, for which serialisation cannot fail.
        serde_json::to_string(&record).expect("a plain record") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn late(file: &str, line: u32) -> Late {
        let place = LatePlace { file: file.to_owned(), line, column: 3 };
        Late::new(Severity::Warning, "launch-size-reduced", "too many".to_owned(), place)
    }

    #[test]
    fn a_place_that_cannot_be_read_is_named() {
        let text = late("no/such/file.c", 7).text(false);
        assert!(text.starts_with("warning[launch-size-reduced]: too many\n"), "{text}");
        assert!(text.contains("no/such/file.c:7:3"), "{text}");
        assert!(!late("", 0).text(false).contains("at "));
    }

    #[test]
    fn lines_are_shown_as_long_as_they_can_be_read() {
        let source = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(&source, "int a;\n  #pragma acc wait  \n").expect("a temporary file");
        let file = source.path().to_string_lossy().into_owned();
        let place = |line, column| LatePlace { file: file.clone(), line, column };
        let mut late = Late::new(Severity::Error, "data-race", "two queues".to_owned(), place(2, 0));
        late.label = "here".to_owned();
        late.related.push((place(1, 5), "and there".to_owned()));
        late.help.push("add `wait(1)`".to_owned());
        let text = late.text(false);
        let wanted = [
            "error[data-race]: two queues",
            "^^^^^^^^^^^^^^^^ here",
            "note: and there",
            "help: add `wait(1)`",
        ];
        wanted.iter().for_each(|wanted| assert!(text.contains(wanted), "no {wanted} in\n{text}"));
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
