//! What names mean.

use crate::code::{Builtin, Words};
use crate::ty::Ty;
use rustc_hash::FxHashMap;

/// What a name of a module or function stands for.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    Register {
        slot: u32,
        ty: Ty,
    },
    Predicate(u32),
    /// A parameter of a function or call.
    Words(Words),
    /// A parameter of a kernel.
    KernelParam {
        offset: u32,
    },
    /// A variable of the thread, at an offset in its frame.
    Local {
        offset: u32,
    },
    Shared {
        offset: u32,
    },
    Global {
        address: u64,
        constant: bool,
    },
    Function(u32),
    Builtin(Builtin),
    /// Declared, and defined nowhere.
    Undefined,
}

/// `%r<10>`: (count, type, first slot or predicate).
type Family = (u32, Ty, u32);

/// The names of a `{ }`.
#[derive(Debug, Default)]
pub(crate) struct Scope<'a> {
    names: FxHashMap<&'a str, Symbol>,
    families: FxHashMap<&'a str, Family>,
}

impl<'a> Scope<'a> {
    /// Adds a name; false if it is there already.
    pub(crate) fn add(&mut self, name: &'a str, symbol: Symbol) -> bool {
        self.names.insert(name, symbol).is_none()
    }

    pub(crate) fn add_family(&mut self, prefix: &'a str, family: Family) -> bool {
        self.families.insert(prefix, family).is_none()
    }

    pub(crate) fn find(&self, name: &str) -> Option<Symbol> {
        if let Some(symbol) = self.names.get(name) {
            return Some(symbol.clone());
        }
        if self.families.is_empty() {
            return None;
        }
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        // The prefix itself may end in digits: `%r1<4>` has `%r10`.
        (1..=digits).find_map(|length| {
            let (prefix, number) = name.split_at(name.len() - length);
            let &(count, ty, first) = self.families.get(prefix)?;
            if number.len() > 1 && number.starts_with('0') {
                return None;
            }
            let number: u32 = number.parse().ok().filter(|number| *number < count)?;
            Some(match ty {
                Ty::Pred => Symbol::Predicate(first + number),
                _ => Symbol::Register { slot: first + number * slots_of(ty), ty },
            })
        })
    }
}

/// How many slots a register takes.
pub(crate) fn slots_of(ty: Ty) -> u32 {
    if ty == Ty::B128 { 2 } else { 1 }
}
