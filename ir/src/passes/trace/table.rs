//! The names of loops and accesses, as the runtime reads them: text, an entry a line, entries of a kind
//! numbered from 0 on. OPERATOR is that of a statement which accumulates onto the object, or `.`.
//!
//! ```text
//! file NAME
//! loop FILE LINE COLUMN parallel|sequential counted|tested FUNCTION
//! at FILE LINE COLUMN read|write|atomic-read|atomic-write|use|set OPERATOR NAME
//! ```

use crate::acc::ReductionOp;
use crate::function::Linkage;
use crate::module::{GlobalData, Init, Module};
use crate::op::Pos;
use std::fmt::Write as _;

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
    /// Reads memory atomically.
    AtomicRead,
    /// Writes memory atomically, and may read it.
    AtomicWrite,
    /// Reads a local.
    Use,
    /// Writes a local.
    Set,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Write => "write",
            Kind::AtomicRead => "atomic-read",
            Kind::AtomicWrite => "atomic-write",
            Kind::Use => "use",
            Kind::Set => "set",
        }
    }
}

/// The table in the making.
pub struct Table {
    text: String,
    loops: u32,
    sites: u32,
}

impl Table {
    /// A table that knows the files of a module.
    pub fn new(module: &Module) -> Table {
        let mut text = String::new();
        for name in module.files.values() {
            // Line by line: a name with a line break is told up to there.
            let _ = writeln!(text, "file {}", name.lines().next().unwrap_or_default());
        }
        if module.files.is_empty() {
            text.push_str("file <unknown>\n");
        }
        Table { text, loops: 0, sites: 0 }
    }

    /// Adds a loop; gives its number. `counted`: its header does no more than test its counter.
    pub fn loop_(&mut self, pos: Pos, function: &str, parallel: bool, counted: bool) -> u32 {
        let kind = if parallel { "parallel" } else { "sequential" };
        let form = if counted { "counted" } else { "tested" };
        let Pos { file, line, column } = pos;
        let _ = writeln!(self.text, "loop {} {line} {column} {kind} {form} {function}", file.as_u32());
        self.loops += 1;
        self.loops - 1
    }

    /// Adds an access; gives its number.
    /// `accumulates`: by which operator a statement accumulates onto the object, of which this is a part.
    pub fn site(&mut self, pos: Pos, kind: Kind, accumulates: Option<ReductionOp>, name: &str) -> u32 {
        let Pos { file, line, column } = pos;
        let (word, operator) = (kind.word(), accumulates.map_or(".", ReductionOp::spelling));
        let _ = writeln!(self.text, "at {} {line} {column} {word} {operator} {name}", file.as_u32());
        self.sites += 1;
        self.sites - 1
    }

    /// The table as an object of the program.
    pub fn global(mut self) -> GlobalData {
        self.text.push('\0');
        let bytes = self.text.into_bytes().into_boxed_slice();
        GlobalData { size: bytes.len() as u64, init: Init::Bytes(bytes, Vec::new()), ..empty_global() }
    }
}

/// What the table's global is until all loops and accesses are known.
pub fn empty_global() -> GlobalData {
    GlobalData {
        linkage: Linkage::Internal,
        constant: true,
        ..GlobalData::external("__accrue_loops", 1, 1, Init::Zero)
    }
}
