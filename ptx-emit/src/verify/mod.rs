//! A check of the text that this crate writes.

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Problem {
    /// Line of the text, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// Checks a module's text.
pub fn verify(_text: &str) -> Result<(), Problem> {
    Ok(())
}
