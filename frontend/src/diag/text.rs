//! Diagnostics for people.

use super::diagnostic::Diagnostic;
use super::id::Severity;
use super::place::{Place, place};
use super::shown::shown;
use crate::session::Session;
use crate::source::Span;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fmt::Write;

/// Macro uses and `#include`s that are told of one diagnostic.
const MAX_CHAIN: usize = 6;

/// All diagnostics of a session, settled or not, each with its source text.
pub fn render_text(session: &Session, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in shown(session) {
        let groups = groups(session, &diagnostic);
        // Writing to a string does not fail.
        let _ = writeln!(out, "{}\n", renderer.render(&groups));
    }
    out
}

fn snippet(
    place: Option<Place>,
    kind: AnnotationKind,
    label: String,
) -> Option<Snippet<'static, annotate_snippets::Annotation<'static>>> {
    let place = place?;
    let mut annotation = kind.span(place.range);
    if !label.is_empty() {
        annotation = annotation.label(label);
    }
    let snippet = Snippet::source(place.excerpt).line_start(place.start.line as usize).path(place.file);
    Some(snippet.annotation(annotation))
}

fn groups(session: &Session, diagnostic: &Diagnostic) -> Vec<Group<'static>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut main = Group::with_title(level.primary_title(diagnostic.message.clone()).id(diagnostic.id));
    let primary = place(session, diagnostic.primary);
    if let Some(snippet) = snippet(primary, AnnotationKind::Primary, diagnostic.label.clone()) {
        main = main.element(snippet);
    }
    for note in &diagnostic.notes {
        main = main.element(Level::NOTE.message(note.clone()));
    }
    let mut groups = vec![main];
    let mut add = |title: String, span: Option<Span>| {
        let mut group = Group::with_title(Level::NOTE.secondary_title(title));
        let shown = span.and_then(|span| place(session, span));
        if let Some(snippet) = snippet(shown, AnnotationKind::Primary, String::new()) {
            group = group.element(snippet);
        }
        groups.push(group);
    };
    for (span, text) in &diagnostic.related {
        add(text.clone(), Some(*span));
    }
    for (name, span) in macro_chain(session, diagnostic) {
        add(format!("in expansion of macro `{name}`"), Some(span));
    }
    for text in include_chain(session, diagnostic) {
        add(text, None);
    }
    groups
}

/// The macros the primary place came through: names, and where they are used.
pub(super) fn macro_chain(session: &Session, diagnostic: &Diagnostic) -> Vec<(String, Span)> {
    let uses = session.sources.macro_uses(diagnostic.primary.first);
    let name = |used: &crate::source::MacroUse| session.interner.text(used.name).to_owned();
    uses.iter().take(MAX_CHAIN).map(|used| (name(used), Span::at(used.site))).collect()
}

/// The `#include`s that lead to the primary place.
fn include_chain(session: &Session, diagnostic: &Diagnostic) -> Vec<String> {
    let sources = &session.sources;
    let stack = sources.include_stack(diagnostic.primary.first);
    let from = |loc| {
        let position = sources.position(loc)?;
        Some(format!("included from {}:{}", sources.file_name(position.file), position.line))
    };
    let mut lines: Vec<String> = stack.iter().take(MAX_CHAIN).filter_map(|&loc| from(loc)).collect();
    if stack.len() > MAX_CHAIN {
        lines.push(format!("... and {} more", stack.len() - MAX_CHAIN));
    }
    lines
}
