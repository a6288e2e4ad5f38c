//! How a program is compiled.

use accrue_ir::passes::Waiting;

/// How much the code generator optimises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptLevel {
    /// Fast compilation.
    None,
    /// Fast code.
    #[default]
    Speed,
}

/// When functions are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CompileMode {
    /// Each on its first call.
    #[default]
    Lazy,
    /// All before the program starts, on this number of threads.
    Eager(usize),
}

/// Which functions are wanted; what they do not reach is left out, undefined names included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Roots {
    /// `main`, constructors and destructors, and the function that registers callbacks with the runtime.
    #[default]
    Main,
    /// Every function that is visible to other translation units, too.
    All,
}

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How much to optimise.
    pub opt: OptLevel,
    /// When to compile.
    pub mode: CompileMode,
    /// Let the code generator check its input, for tests.
    pub verify: bool,
    /// What to compile.
    pub roots: Roots,
    /// Passes that a function goes through when it is compiled.
    pub waiting: Waiting,
}
