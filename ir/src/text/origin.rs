//! Where a dump comes from.

use std::fmt;

/// The pass that a module has come out of, and the target in whose list the pass is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Name of the pass.
    pub stage: String,
    /// Name of the target.
    pub target: String,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stage `{}` of target {}", self.stage, self.target)
    }
}
