//! Diagnostics for programs: one JSON object per line.

use super::diagnostic::Diagnostic;
use super::id::Severity;
use super::place::place;
use super::shown::shown;
use super::text::macro_chain;
use crate::session::Session;
use crate::source::Span;
use serde::Serialize;

#[derive(Serialize)]
struct Record<'a> {
    id: &'a str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Option<Location>,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    related: Vec<Related>,
    notes: &'a [String],
}

/// Lines and columns count from 1, columns in bytes; the end is behind the last byte.
#[derive(Serialize)]
struct Location {
    file: String,
    line: u32,
    column: u32,
    end: End,
}

#[derive(Serialize)]
struct End {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Related {
    message: String,
    #[serde(flatten)]
    place: Option<Location>,
}

/// All diagnostics of a session, one object per line.
pub fn render_json(session: &Session) -> String {
    let mut out = String::new();
    for diagnostic in shown(session) {
        // The record has string keys and finite numbers only, for which serialisation cannot fail.
        let line = serde_json::to_string(&record(session, &diagnostic)).expect("a plain record");
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn location(session: &Session, span: Span) -> Option<Location> {
    let place = place(session, span)?;
    let end = End { line: place.end.line, column: place.end.column };
    Some(Location { file: place.file, line: place.start.line, column: place.start.column, end })
}

fn record<'a>(session: &Session, diagnostic: &'a Diagnostic) -> Record<'a> {
    let related = diagnostic.related.iter().map(|(span, text)| (text.clone(), *span));
    let macros = macro_chain(session, diagnostic)
        .into_iter()
        .map(|(name, span)| (format!("in expansion of macro `{name}`"), span));
    Record {
        id: diagnostic.id,
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: &diagnostic.message,
        place: location(session, diagnostic.primary),
        label: &diagnostic.label,
        related: related
            .chain(macros)
            .map(|(message, span)| Related { message, place: location(session, span) })
            .collect(),
        notes: &diagnostic.notes,
    }
}
