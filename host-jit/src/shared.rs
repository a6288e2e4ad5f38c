//! The state of a program in memory.

use crate::code_map::CodeMap;
use crate::codegen::{Compiler, Targets};
use crate::definitions::Definitions;
use crate::jit::Jit;
use crate::stack::Stack;
use accrue_ir::verify::Verified;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a program's code and threads share. Lives for ever.
pub(crate) struct Shared {
    /// The program's IR.
    pub module: Arc<Verified>,
    pub definitions: Arc<Definitions>,
    pub targets: Targets,
    /// Where its code is.
    pub code: &'static CodeMap,
    pub state: Mutex<State>,
}

/// What changes while a program is compiled.
pub(crate) struct State {
    pub jit: Jit,
    pub compiler: Compiler,
    /// Made when a function is compiled lazily.
    pub stack: Option<Stack>,
}

impl Shared {
    /// The state, waiting for whoever is compiling.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A panic while compiling has ended the program already.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
