//! A message to the user, with its places and remarks, and where the stages put it.

use super::id::{Id, Severity};
use crate::source::Span;

/// Bytes of one text.
const MAX_TEXT: usize = 1000;

/// One message to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Name of its [`Id`], for `-W` options, for JSON and for tests: `reduction-type`, `unknown-clause`, ...
    pub id: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// One short sentence, lower case, without a full stop.
    pub message: String,
    /// The place at fault.
    pub primary: Span,
    /// What to write at the primary place; may be empty.
    pub label: String,
    /// Other places that explain it ("previous declaration is here").
    pub related: Vec<(Span, String)>,
    /// Remarks without a place ("did you mean `reduction`?").
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error at `primary`.
    pub fn error(id: &'static Id, primary: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, id, primary, message)
    }

    /// A warning at `primary`.
    pub fn warning(id: &'static Id, primary: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, id, primary, message)
    }

    fn new(severity: Severity, id: &'static Id, primary: Span, message: impl Into<String>) -> Self {
        let is_as_registered = !cfg!(any(test, debug_assertions)) || id.level.allows(severity);
        assert!(
            is_as_registered,
            "{severity:?} for `{}`, which the registry calls {}",
            id.name,
            id.level.name()
        );
        Diagnostic {
            id: id.name,
            severity,
            message: message.into(),
            primary,
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// With `label` written at the primary place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With another place that explains it.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }

    /// With a remark below.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        let related = self.related.iter_mut().map(|(_, text)| text);
        [&mut self.message, &mut self.label].into_iter().chain(related).chain(&mut self.notes)
    }
}

/// Cuts a text that names something very long.
fn shorten(text: &mut String) {
    if text.len() > MAX_TEXT {
        text.truncate(text.floor_char_boundary(MAX_TEXT));
        text.push_str("...");
    }
}

/// Collects diagnostics of one translation unit.
#[derive(Default, Debug)]
pub struct Sink {
    list: Vec<Diagnostic>,
    errors: usize,
    /// How many have been through [`Sink::settle`].
    settled: usize,
}

impl Sink {
    /// Adds one, unless it repeats the last one: looking ahead may meet the same text twice.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.texts().for_each(shorten);
        if self.list.last() == Some(&diagnostic) {
            return;
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.list.push(diagnostic);
    }

    /// Adds those of another sink, behind its own.
    pub(crate) fn append(&mut self, others: Sink) {
        for diagnostic in others.list {
            self.push(diagnostic);
        }
    }

    /// Puts each diagnostic that is new since the last call through `decide`, which may change its severity,
    /// or drop it by returning false.
    pub(crate) fn settle(&mut self, mut decide: impl FnMut(&mut Diagnostic) -> bool) {
        let fresh = self.list.split_off(self.settled);
        for mut diagnostic in fresh {
            let was_error = diagnostic.severity == Severity::Error;
            let kept = decide(&mut diagnostic);
            let is_error = kept && diagnostic.severity == Severity::Error;
            self.errors = self.errors + usize::from(is_error) - usize::from(was_error);
            if kept {
                self.list.push(diagnostic);
            }
        }
        self.settled = self.list.len();
    }

    /// Number of errors so far. Warnings that options make errors count once
    /// [`crate::session::Session::settle`] has seen them.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// All of them, in the order they were found.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }
}
