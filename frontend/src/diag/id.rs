//! What an id says of its diagnostics: error or warning, and what they mean.

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// Compilation fails.
    Error,
    /// Compilation goes on; `-Werror` makes it an error, `-w` silences it.
    Warning,
}

/// What diagnostics of an id are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Always errors.
    Error,
    /// Warnings, until an option says otherwise.
    Warning,
    /// Errors in some places, warnings in others: `conflicting-types`, for instance.
    Either,
}

/// The id of a diagnostic, with what it means.
#[derive(Clone, Copy, Debug)]
pub struct Id {
    /// Kebab-case, what is wrong, not where. Known limits end in `-unsupported`.
    pub name: &'static str,
    /// Error or warning.
    pub level: Level,
    /// One sentence, lower case, without a full stop.
    pub meaning: &'static str,
    /// A page of Markdown, with a program marked `c wrong` and one marked `c right`.
    pub explanation: Option<&'static str>,
}

impl Level {
    /// Whether a diagnostic of this severity may have the id.
    pub fn allows(self, severity: Severity) -> bool {
        match self {
            Level::Error => severity == Severity::Error,
            Level::Warning => severity == Severity::Warning,
            Level::Either => true,
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Either => "error or warning",
        }
    }
}
