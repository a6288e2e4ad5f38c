//! State spaces, and who sees what is done in them.

/// Where memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    Generic,
    Global,
    Shared,
    Local,
    Const,
    /// Parameters of the kernel.
    Param,
}

impl Space {
    /// The modifier.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Const => "constant",
            Space::Param => "parameter",
        }
    }
}

/// Who sees an operation in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Scope {
    Cta,
    Gpu,
}
