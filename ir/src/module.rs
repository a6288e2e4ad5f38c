//! A translation unit, or a whole program after linking.

use crate::entities::{Agg, File, Func, Global, Sig};
use crate::function::{Function, Linkage};
use crate::op::{Operand, Pos};
use crate::types::{AggregateLayout, Signature};
use cranelift_entity::PrimaryMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An address in the initial value of a global: the 8 bytes at `offset` hold `target + addend`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Relocation {
    /// Byte offset in the global.
    pub offset: u64,
    /// A global or a function.
    pub target: Operand,
    /// Added to its address.
    pub addend: i64,
}

/// The initial value of a global.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Init {
    /// Declared here, defined elsewhere.
    Extern,
    /// All zero.
    Zero,
    /// These bytes, zero up to the size, then relocated.
    Bytes(Box<[u8]>, Vec<Relocation>),
}

impl Init {
    /// Bytes and addresses; zeros at the end are implied, and nothing else is [`Init::Zero`].
    pub fn of(bytes: &[u8], relocations: Vec<Relocation>) -> Init {
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        if used == 0 && relocations.is_empty() {
            return Init::Zero;
        }
        Init::Bytes(bytes[..used].into(), relocations)
    }
}

/// `acc declare` on an object with static storage duration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum DeclareKind {
    /// A copy on the device for the whole run, of this data clause's kind.
    Map(crate::acc::MapKind),
}

/// An object with static or thread storage duration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GlobalData {
    /// Name in C; string literals and block-scope statics get names that cannot be written in C.
    pub name: Arc<str>,
    /// Name for the linker, where an asm label changes it.
    pub link_name: Option<Arc<str>>,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Initial value.
    pub init: Init,
    /// Linkage.
    pub linkage: Linkage,
    /// One instance per thread.
    pub thread_local: bool,
    /// Never written: string literals, `const` objects.
    pub constant: bool,
    /// It holds a pointer declared `restrict`, see [`crate::LocalData::restrict`].
    pub restrict: bool,
    /// `acc declare`.
    pub declare: Option<DeclareKind>,
    /// Where it is declared.
    pub pos: Pos,
}

impl GlobalData {
    /// An object with external linkage that the program may write, and that no directive speaks about.
    pub fn external(name: impl Into<Arc<str>>, size: u64, align: u32, init: Init) -> GlobalData {
        GlobalData {
            name: name.into(),
            link_name: None,
            size,
            align,
            init,
            linkage: Linkage::External,
            thread_local: false,
            constant: false,
            restrict: false,
            declare: None,
            pos: Pos::none(),
        }
    }
}

/// A translation unit, or a program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Module {
    /// Names of source files.
    pub files: PrimaryMap<File, Arc<str>>,
    /// Layouts of aggregates that cross calls.
    pub aggregates: PrimaryMap<Agg, AggregateLayout>,
    /// Function types in use.
    pub signatures: PrimaryMap<Sig, Signature>,
    /// Globals.
    pub globals: PrimaryMap<Global, GlobalData>,
    /// Functions.
    pub functions: PrimaryMap<Func, Function>,
    /// `__attribute__((constructor))`: (priority, function), run before `main` in order of priority.
    pub constructors: Vec<(u32, Func)>,
    /// `__attribute__((destructor))`: (priority, function), run at exit in reverse order of priority.
    pub destructors: Vec<(u32, Func)>,
}
