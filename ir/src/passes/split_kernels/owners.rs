//! Which part of a function mentions which variables.

use crate::entities::{Local, Slot, map_below};
use crate::function::{BlockData, Body};
use crate::op::Operand;
use crate::visit::Part;
use cranelift_entity::SecondaryMap;

/// Which part of a function mentions a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner<T> {
    /// This one.
    Only(T),
    /// Several.
    Several,
}

/// The owners of variables; `None`: no code does that was looked at.
pub(super) struct Owners<T: Copy> {
    pub(super) locals: SecondaryMap<Local, Option<Owner<T>>>,
    pub(super) slots: SecondaryMap<Slot, Option<Owner<T>>>,
}

impl<T: Copy + PartialEq> Owners<T> {
    /// Before anything is looked at.
    pub(super) fn new(body: &Body) -> Owners<T> {
        Owners { locals: map_below(body.locals.len()), slots: map_below(body.slots.len()) }
    }

    /// The owner of a local or slot.
    pub(super) fn of(&self, variable: Operand) -> Option<Owner<T>> {
        match variable {
            Operand::Local(local) => self.locals[local],
            Operand::Slot(slot) => self.slots[slot],
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
            Some(Operand::Local(local)) => &mut self.locals[local],
            Some(Operand::Slot(slot)) => &mut self.slots[slot],
            _ => return,
        };
        let is_only = owner.is_none_or(|before| before == Owner::Only(part));
        *owner = Some(if is_only { Owner::Only(part) } else { Owner::Several });
    }

    /// Notes that code of no part mentions a variable, if a part does.
    pub(super) fn share(&mut self, variable: Option<Operand>) {
        let owner = match variable {
            Some(Operand::Local(local)) => self.locals.get_mut(local),
            Some(Operand::Slot(slot)) => self.slots.get_mut(slot),
            _ => None,
        };
        if let Some(owner) = owner.and_then(Option::as_mut) {
            *owner = Owner::Several;
        }
    }
}
