//! What calls do to memory.
//!
//! The summary of a function lists the accesses to memory that is not its own: to what its parameters point
//! to, to globals, and elsewhere. Where all distances of an access from what the argument points to are
//! constants, the summary has the least and the greatest one; otherwise the access may be anywhere in the
//! object that the argument points into. Nothing is said about when an access is executed, or whether: a
//! summary has what may happen. [`super::summaries`] makes them.

use crate::entities::{Func, Global, Sig};
use crate::op::{Callee, Pos};
use crate::types::Type;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Memory that a function accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The object that the argument of a parameter points into.
    Parameter(usize),
    /// An object with a name.
    Global(Global),
    /// What a pointer of unknown origin leads to.
    Elsewhere,
}

/// An access of a function, or of a function that it calls, to memory that is not its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Where.
    pub place: Place,
    /// The distances of the first byte and of the one behind the last from where the argument or the name
    /// points; `None`: anywhere in the object.
    pub bytes: Option<(i64, i64)>,
    /// The type in memory; `None`: any.
    pub ty: Option<Type>,
    /// It writes.
    pub writes: bool,
    /// The code that does it.
    pub witness: Witness,
}

/// Code that explains what a call does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The function that does it: the called one, or one that it calls in turn. `None`: called through a
    /// pointer.
    pub function: Option<Func>,
    /// What it does.
    pub deed: Deed,
    /// Where; nowhere if the function is defined elsewhere.
    pub pos: Pos,
}

impl Witness {
    /// An instruction that stops the program.
    pub fn of_trap(pos: Pos) -> Witness {
        Witness { function: None, deed: Deed::Ends, pos }
    }
}

/// What a function does besides returning a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// It accesses memory.
    Accesses,
    /// It may end the program.
    Ends,
    /// It prints.
    Prints,
    /// It does what order matters for, such as atomic and volatile accesses.
    Orders,
    /// It is not known.
    Unknown,
}

/// What a call passes by value that is no scalar.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByValue {
    /// The numbers of the arguments, and how many bytes each has.
    pub arguments: Vec<(usize, u64)>,
    /// The bytes of the result.
    pub result: Option<u64>,
}

/// What a function may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Summary {
    pub(super) accesses: Vec<Access>,
    /// What is more than accesses to memory that is known.
    pub(super) obstacle: Option<Witness>,
}

/// Summaries by function, the pointers at file scope that are declared `restrict`, and the layout of objects
/// there.
#[derive(Clone, Debug)]
pub struct Callees {
    /// Of functions that code of a device calls; the others may do anything.
    pub(super) summaries: SecondaryMap<Func, Summary>,
    pub(super) by_value: SecondaryMap<Sig, ByValue>,
    pub(super) restrict: EntitySet<Global>,
    /// Functions whose results lead to new memory.
    pub(super) allocators: Vec<Func>,
    pub(super) layouts: SecondaryMap<Global, Option<(u64, u32)>>,
}

impl Default for Callees {
    /// For code whose calls do not matter.
    fn default() -> Callees {
        Callees {
            summaries: SecondaryMap::new(),
            by_value: SecondaryMap::new(),
            restrict: EntitySet::new(),
            allocators: Vec::new(),
            layouts: SecondaryMap::new(),
        }
    }
}

impl Callees {
    /// For code whose calls may do anything.
    pub(super) fn unknown() -> Callees {
        let witness = Witness { function: None, deed: Deed::Unknown, pos: Pos::none() };
        let anything = Summary { accesses: Vec::new(), obstacle: Some(witness) };
        Callees { summaries: SecondaryMap::with_default(anything), ..Callees::default() }
    }

    /// Whether a global is a pointer declared `restrict`.
    pub fn is_restrict(&self, global: Global) -> bool {
        self.restrict.contains(global)
    }

    /// The size and alignment in bytes of a global of which there can be copies: it is no thread's own, has
    /// no `declare`, and its size is known.
    pub fn layout(&self, global: Global) -> Option<(u64, u32)> {
        self.layouts[global]
    }

    /// All accesses of a call; if it may do more than to access memory, what that is. What a function writes
    /// [`Place::Elsewhere`] is more.
    pub fn of(&self, callee: Callee, pos: Pos) -> Result<&[Access], Witness> {
        match callee {
            Callee::Direct(func) => match self.summaries[func].obstacle {
                Some(obstacle) => Err(obstacle),
                None => Ok(&self.summaries[func].accesses),
            },
            Callee::Indirect(_) => Err(Witness { function: None, deed: Deed::Unknown, pos }),
        }
    }

    /// Whether a called function may write memory that is not its own, or do something else that others
    /// notice.
    pub fn writes(&self, callee: Callee) -> bool {
        self.of(callee, Pos::none()).map_or(true, |accesses| accesses.iter().any(|access| access.writes))
    }

    /// What calls of a type pass by value that is no scalar.
    pub fn by_value(&self, sig: Sig) -> &ByValue {
        &self.by_value[sig]
    }
}
