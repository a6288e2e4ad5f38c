//! How many diagnostics are shown.

use super::diagnostic::Diagnostic;
use super::id::Severity;
use super::ids;
use crate::session::Session;
use crate::source::Span;
use std::borrow::Cow;

/// Errors that are shown of one translation unit, and as many warnings.
const MAX_SHOWN: usize = 1000;

/// What is shown of the diagnostics of a session: of errors and of warnings the first so many, and a last
/// word about the others.
pub(super) fn shown(session: &Session) -> Vec<Cow<'_, Diagnostic>> {
    let (mut errors, mut warnings) = (0usize, 0usize);
    let count = |diagnostic: &&Diagnostic| {
        let count = match diagnostic.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
        };
        *count += 1;
        *count <= MAX_SHOWN
    };
    let mut list: Vec<_> = session.sink.list().iter().filter(count).map(Cow::Borrowed).collect();
    let hidden = [errors, warnings].map(|count| count.saturating_sub(MAX_SHOWN));
    if hidden != [0, 0] {
        let [errors, warnings] = hidden;
        let message = format!("{errors} more errors and {warnings} more warnings are not shown");
        list.push(Cow::Owned(Diagnostic::warning(ids::NOT_SHOWN, Span::default(), message)));
    }
    list
}
