//! Diagnostics: structured inside, rendered once, at the edge.
//!
//! Every id is in the registry [`ids`], with its severity and its meaning.
//!
//! Three classes are never mixed. The user's errors and warnings are [`Diagnostic`]s with a stable id, and
//! only this crate makes them. A known limit is a diagnostic too, with an id of its own that says "not
//! supported". A defect of the compiler is a panic that says so.

mod diagnostic;
mod id;
pub mod ids;
mod json;
mod late;
mod place;
mod shown;
#[cfg(test)]
mod tests;
mod text;

pub use diagnostic::{Diagnostic, Sink};
pub use id::{Id, Level, Severity};
pub use json::render_json;
pub use late::{Late, LatePlace};
use std::io::IsTerminal;
pub use text::render_text;

/// Whether diagnostics on standard error are to be coloured: only on a terminal, and not against the user's
/// wish.
pub fn wants_color() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !refused && !dumb && std::io::stderr().is_terminal()
}
