//! The device's library: C functions for regions to call, such as `sin`, that no program brings along.

use accrue_ir::verify::Verified;
use accrue_ir::{File, Func, Module};
use std::fmt;

/// What the names of the library's source files begin with. Options that change what arithmetic means do not
/// concern their code.
pub const LIBRARY: &str = "<device>/";

/// The library's sources, as the user of this crate compiles them.
pub trait DeviceLibrary: fmt::Debug + Sync {
    /// The number of the source that defines a function.
    fn source_of(&self, function: &str) -> Option<usize>;

    /// A source as the front end leaves it, before any pass. The error says what is wrong with the source.
    fn module(&self, source: usize) -> Result<Verified, String>;
}

/// Whether a source file is one of the library.
pub fn in_library(module: &Module, file: File) -> bool {
    module.files.get(file).is_some_and(|name| name.starts_with(LIBRARY))
}

/// Whether a function is one of the library.
pub fn is_library(module: &Module, func: Func) -> bool {
    in_library(module, module.functions[func].pos.file)
}
