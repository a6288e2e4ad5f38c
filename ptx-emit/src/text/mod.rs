//! Expanded IR as PTX text.
//!
//! What is written: the kernels of all regions, the C functions and routines they reach, and the globals that these name.
//! Order: header, prototypes, globals, shared buffers, functions, kernels, each in the module's order.
//!
//! # Registers
//! A local is one register, numbered in its class in order of first use: `%p` (truth values), `%r` (integers up to 32
//! bits), `%rd` (64-bit integers and addresses), `%f`, `%fd`. An `i8` or `i16` stands zero-extended in its `%r`: loads,
//! unsigned operations and zero extensions need nothing; what makes such a value cuts it, and signed operations extend
//! it first.
//!
//! # Addresses
//! A pointer in a register is a generic address. A slot or global that is the base of an access is accessed in its own
//! state space by name; its address as a value is made generic. Pointers that come from the parameters of a kernel
//! lead to global memory, and are used so as far as that can be seen.
//!
//! # What reads the text
//! Blocks without instructions are not written, and two barriers never follow each other. [`crate::verify`] checks this on
//! the text itself.

mod arith;
mod atomic;
mod call;
mod call_graph;
mod contract;
mod convert;
mod copy;
mod divide;
mod format;
mod function;
mod globals;
mod inst;
mod library;
mod memory;
mod module;
mod name;
mod register;
mod room;
mod scratch;
mod shared;
mod spaces;
mod sync;
mod terminator;
#[cfg(test)]
mod tests;
mod together;

pub(crate) use call_graph::callees_first;
pub use call_graph::{Reached, reach};
pub(crate) use library::{OWN, SHARE};

use crate::options::Options;
use accrue_ir::{Module, Pos};
use std::borrow::Cow;
use std::sync::Arc;

/// Something that this back end cannot put into PTX.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("in `{function}`: {message}")]
pub struct EmitError {
    /// The function it is in, by its name in C; the global, if it is in an initial value.
    pub function: String,
    /// Where.
    pub pos: Pos,
    /// What is not possible.
    pub message: String,
}

/// Result of writing the text or a part of it.
type Result<T> = std::result::Result<T, EmitError>;

/// A module as PTX.
#[derive(Clone, Debug)]
pub struct Ptx {
    /// All of it.
    pub text: String,
    /// Its kernels, in order.
    pub kernels: Vec<Kernel>,
    /// Bytes of stack that a thread must be given, if nobody knows how many it needs: functions call each other in a circle or
    /// through pointers.
    pub open_stack: Option<u64>,
    /// Kernels allocate on the device's heap.
    pub has_heap: bool,
    /// Objects of the program that `acc declare` gives a copy on the device, where the text has them.
    pub objects: Vec<Object>,
}

/// An object with `acc declare`; see [`accrue_ir::GlobalData::declare`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name in the IR.
    pub name: Arc<str>,
    /// Its name in the text.
    pub symbol: String,
}

/// How a kernel is launched; see the crate's documentation.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Name of the region in the IR.
    pub region: Arc<str>,
    /// Name of the entry in the text.
    pub entry: String,
    /// Constant launch dimensions: gangs in x, y, z, workers, lanes; 0 where the launch decides.
    pub dims: [u32; 5],
    /// Gangs wait for each other, so that all of them must be resident at once.
    pub cooperative: bool,
    /// Gangs in x of a launch that asks for no number, where `dims` has none; 0 leaves it to the launch.
    pub wanted_gangs: u32,
    /// Most workers that can have more than 32 lanes; none if as many can as there is room for.
    pub most_long_rows: Option<u32>,
    /// Bytes of scratch memory, besides those of the gangs.
    pub scratch: u64,
    /// Bytes of scratch memory for each gang.
    pub scratch_per_gang: u64,
}

/// A module whose abstract operations are expanded, as PTX. `reached` is what [`reach`] says of this module. With `verify`, a
/// text that breaks the rules of [`crate::verify`] is an error.
pub fn module(module: &Module, reached: Reached, options: &Options, verify: bool) -> Result<Ptx> {
    module::write(module, reached, options, verify)
}

/// Text from the source, on one line and harmless in a comment.
fn comment_text(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        return text.into();
    }
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            _ if c.is_control() => ascii.push(' '),
            _ if c.is_ascii() => ascii.push(c),
            // As C writes a character by its number.
            '\0'..='\u{ffff}' => ascii.push_str(&format!("\\u{:04X}", u32::from(c))),
            _ => ascii.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    ascii.into()
}

/// A path as it may stand between quotes. PTX is ASCII, and ptxas knows no way to write a quote: such characters are
/// written as in the addresses of files, `%C3%A9`.
fn quoted_path(path: &str) -> Cow<'_, str> {
    let is_plain =
        |byte: u8| (byte.is_ascii_graphic() || byte == b' ') && !matches!(byte, b'"' | b'%' | b'\\');
    if path.bytes().all(is_plain) {
        return path.into();
    }
    let encode =
        |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(encode).collect()
}

/// The last part of a path, for comments.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
