//! Replacing variables throughout a stretch of code.

use crate::entities::{Block, Global, Local, Loop, Slot};
use crate::function::Body;
use crate::op::Operand;
use crate::visit::PartMut;
use rustc_hash::FxHashMap;

/// Which variable becomes which. A slot or global becomes an operand that is its new address.
#[derive(Debug, Default)]
pub struct Rename {
    /// Locals.
    pub locals: FxHashMap<Local, Local>,
    /// Slots.
    pub slots: FxHashMap<Slot, Operand>,
    /// Globals.
    pub globals: FxHashMap<Global, Operand>,
}

impl Rename {
    /// Locals become new ones like them.
    pub fn fresh(body: &mut Body, locals: impl IntoIterator<Item = Local>) -> Rename {
        let locals = locals.into_iter().map(|local| (local, body.local_like(local))).collect();
        Rename { locals, ..Rename::default() }
    }

    /// Nothing is renamed.
    pub fn is_empty(&self) -> bool {
        self.locals.is_empty() && self.slots.is_empty() && self.globals.is_empty()
    }

    /// Adds the renaming of the variable behind `from`, a local, slot or global; a local becomes a local.
    pub fn variable(&mut self, from: Operand, to: Operand) {
        match (from, to) {
            (Operand::Local(from), Operand::Local(to)) => {
                self.locals.insert(from, to);
            }
            (Operand::Slot(from), to) => {
                self.slots.insert(from, to);
            }
            (Operand::Global(from), to) => {
                self.globals.insert(from, to);
            }
            (
                Operand::Local(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_),
                _,
            ) => {}
        }
    }

    /// The new name of a local.
    pub fn local(&self, local: Local) -> Local {
        self.locals.get(&local).copied().unwrap_or(local)
    }

    /// The new form of an operand.
    pub fn operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Local(local) => Operand::Local(self.local(local)),
            Operand::Slot(slot) => self.slots.get(&slot).copied().unwrap_or(operand),
            Operand::Global(global) => self.globals.get(&global).copied().unwrap_or(operand),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => operand,
        }
    }

    /// Renames in one part of a walk.
    pub fn part(&self, part: PartMut<'_>) {
        match part {
            PartMut::Value(operand) | PartMut::Variable(operand) => *operand = self.operand(*operand),
            PartMut::Address(address) => address.base = self.operand(address.base),
            PartMut::Def(local) | PartMut::NamedLocal(local) => *local = self.local(*local),
            PartMut::Func(_)
            | PartMut::Sig(_)
            | PartMut::Agg(_)
            | PartMut::Block(_)
            | PartMut::Loop(_)
            | PartMut::Construct(_)
            | PartMut::Red(_)
            | PartMut::Pos(_) => {}
        }
    }

    /// Renames in blocks, and in the annotations of loops.
    pub fn apply(&self, body: &mut Body, blocks: &[Block], loops: &[Loop]) {
        for &block in blocks {
            body.blocks[block].parts_mut(|part| self.part(part));
        }
        for &loop_ in loops {
            body.loops[loop_].parts_mut(|part| self.part(part));
        }
    }
}
