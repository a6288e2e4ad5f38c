//! What machine code refers to by name.

use crate::helpers::Helper;
use accrue_ir::{Func, Global};

/// A name in a relocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Name {
    /// A function, to be called: its code, or a stub that leads there.
    Call(Func),
    /// A function's address as the program sees it, equal wherever it is taken.
    Address(Func),
    /// A global of the program or of a library.
    Global(Global),
    /// A helper of this crate.
    Helper(Helper),
    /// An external function called with `%al` holding this number of vector registers.
    Variadic(Func, u32),
    /// A stub that sets `%al` to the second number and jumps to the address that lies at the first number of
    /// bytes in the stack argument area.
    VariadicIndirect(u32, u32),
    /// A descriptor of a directive of the function itself.
    Descriptor(u32),
    /// The function that launches regions.
    Launch,
    /// The word that says whether a construct is a call of its region.
    Direct,
    /// The function behind data directives.
    Data,
    /// The program's thread-local objects, for the helpers that find a thread's own.
    ThreadLocals,
}

const XMM_BITS: u32 = 4;

impl Name {
    /// As namespace and index.
    pub(crate) fn encode(self) -> (u32, u32) {
        match self {
            Name::Call(func) => (0, func.as_u32()),
            Name::Address(func) => (1, func.as_u32()),
            Name::Global(global) => (2, global.as_u32()),
            Name::Helper(helper) => (3, helper as u32),
            Name::Variadic(func, xmms) => (4, func.as_u32() << XMM_BITS | xmms),
            Name::VariadicIndirect(offset, xmms) => (5, (offset / 8) << XMM_BITS | xmms),
            Name::Descriptor(index) => (6, index),
            Name::Launch => (7, 0),
            Name::Data => (7, 1),
            Name::ThreadLocals => (7, 2),
            Name::Direct => (7, 3),
        }
    }

    /// The inverse of [`Name::encode`].
    pub(crate) fn decode(namespace: u32, index: u32) -> Option<Name> {
        let (high, xmms) = (index >> XMM_BITS, index & ((1 << XMM_BITS) - 1));
        Some(match namespace {
            0 => Name::Call(Func::from_u32(index)),
            1 => Name::Address(Func::from_u32(index)),
            2 => Name::Global(Global::from_u32(index)),
            3 => Name::Helper(*Helper::ALL.get(index as usize)?),
            4 => Name::Variadic(Func::from_u32(high), xmms),
            5 => Name::VariadicIndirect(high * 8, xmms),
            6 => Name::Descriptor(index),
            7 => match index {
                0 => Name::Launch,
                1 => Name::Data,
                2 => Name::ThreadLocals,
                3 => Name::Direct,
                _ => return None,
            },
            _ => return None,
        })
    }
}
