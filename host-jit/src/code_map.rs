//! What machine code is of which function, for faults.

use accrue_ir::verify::Verified;
use accrue_ir::{Func, Module, Pos};
use cranelift_codegen::ir::TrapCode;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// The code of a program's functions.
pub(crate) struct CodeMap {
    module: Arc<Verified>,
    /// The address space that code is placed in.
    space: Range<usize>,
    /// In order of their addresses.
    functions: Mutex<Vec<FunctionCode>>,
}

/// A function's code in memory.
pub(crate) struct FunctionCode {
    /// Its addresses.
    pub range: Range<usize>,
    pub func: Func,
    /// What the instructions at these offsets trap for.
    pub traps: Vec<(u32, TrapCode)>,
    /// Ranges of offsets and where they come from, in order.
    pub lines: Vec<(u32, u32, Pos)>,
}

impl CodeMap {
    pub(crate) fn new(module: Arc<Verified>, space: Range<usize>) -> CodeMap {
        CodeMap { module, space, functions: Mutex::default() }
    }

    /// The program's IR.
    pub(crate) fn module(&self) -> &Module {
        &self.module
    }

    /// Whether an address is one of the program's code.
    pub(crate) fn contains(&self, address: usize) -> bool {
        self.space.contains(&address)
    }

    /// Adds functions, whose code lies behind all that is known.
    pub(crate) fn extend(&self, functions: impl Iterator<Item = FunctionCode>) {
        // Adding cannot be left half done: a panic ends the program.
        self.functions.lock().unwrap_or_else(PoisonError::into_inner).extend(functions);
    }

    /// The function whose code an address lies in, shown to `visit`; `None` also while another thread adds
    /// functions for longer than it ever takes.
    pub(crate) fn find<T>(&self, address: usize, visit: impl FnOnce(&FunctionCode) -> T) -> Option<T> {
        if !self.contains(address) {
            return None;
        }
        let functions = self.try_functions()?;
        let index = functions.partition_point(|code| code.range.start <= address).checked_sub(1)?;
        functions.get(index).filter(|code| code.range.contains(&address)).map(visit)
    }

    /// The functions, without waiting for ever: the thread that faults may be the one that adds.
    fn try_functions(&self) -> Option<MutexGuard<'_, Vec<FunctionCode>>> {
        for _ in 0..1000 {
            match self.functions.try_lock() {
                Ok(functions) => return Some(functions),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            }
        }
        None
    }
}
