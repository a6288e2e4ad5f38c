//! Which part of a function mentions which variables.

use crate::entities::{Local, Slot};
use crate::function::BlockData;
use crate::op::Operand;
use crate::visit::Part;
use rustc_hash::FxHashMap;

/// Which part of a function mentions a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner<T> {
    /// This one.
    Only(T),
    /// Several.
    Several,
}

/// The owners of the variables that code mentions which was looked at.
pub(super) struct Owners<T: Copy> {
    pub(super) locals: FxHashMap<Local, Owner<T>>,
    pub(super) slots: FxHashMap<Slot, Owner<T>>,
}

impl<T: Copy + PartialEq> Owners<T> {
    /// Before anything is looked at.
    pub(super) fn new() -> Owners<T> {
        Owners { locals: FxHashMap::default(), slots: FxHashMap::default() }
    }

    /// The owner of a local or slot.
    pub(super) fn of(&self, variable: Operand) -> Option<Owner<T>> {
        match variable {
            Operand::Local(local) => self.locals.get(&local).copied(),
            Operand::Slot(slot) => self.slots.get(&slot).copied(),
            _ => None,
        }
    }

    /// Notes what a block mentions, which is of a part.
    pub(super) fn note_block(&mut self, block: &BlockData, part: T) {
        block.insts.iter().for_each(|inst| inst.op.parts(|found| self.note(&found, part)));
        block.term.parts(|found| self.note(&found, part));
    }

    /// Notes that a part mentions something.
    pub(super) fn note(&mut self, found: &Part<'_>, part: T) {
        let owner = match found.operand() {
            Some(Operand::Local(local)) => self.locals.entry(local).or_insert(Owner::Only(part)),
            Some(Operand::Slot(slot)) => self.slots.entry(slot).or_insert(Owner::Only(part)),
            _ => return,
        };
        if *owner != Owner::Only(part) {
            *owner = Owner::Several;
        }
    }

    /// Notes that code of no part mentions a variable, if a part does.
    pub(super) fn share(&mut self, variable: Option<Operand>) {
        let owner = match variable {
            Some(Operand::Local(local)) => self.locals.get_mut(&local),
            Some(Operand::Slot(slot)) => self.slots.get_mut(&slot),
            _ => None,
        };
        if let Some(owner) = owner {
            *owner = Owner::Several;
        }
    }
}
