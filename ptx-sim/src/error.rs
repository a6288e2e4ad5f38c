//! What is wrong with a module's text.

use std::fmt;

/// A problem of a module's text, found before anything is executed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{pos}: {message}")]
pub struct Problem {
    /// Where it is.
    pub pos: Pos,
    /// What it is.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(pos: Pos, message: impl Into<String>) -> Problem {
        Problem { pos, message: message.into() }
    }
}

/// A place in the text of a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pos {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A module that is not executed, with all that is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError {
    /// At least one, in the order of the text.
    pub problems: Vec<Problem>,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

impl From<Problem> for LoadError {
    fn from(problem: Problem) -> LoadError {
        LoadError { problems: vec![problem] }
    }
}

pub(crate) type Result<T> = std::result::Result<T, Problem>;
