//! Which operands have one value at different places of straight code.
//!
//! Code is gone through in the order of execution. A value is what an operation makes of values, so that two
//! operations that do the same with the same values have one value, whatever the locals are called:
//! `bound = copy n` in front of one loop and of the next.

use crate::analysis::bases::Bases;
use crate::entities::{Local, Slot};
use crate::function::Body;
use crate::op::{Class, Inst, Op, Operand};
use crate::types::Type;
use cranelift_entity::{EntityRef, EntitySet};
use rustc_hash::FxHashMap;

/// What a value is made by.
#[derive(Clone, PartialEq, Debug)]
enum Made {
    /// What a local held where the code begins.
    Before(Local),
    /// An operation on values, which stand where its locals do, and the type of the result.
    By(Op, Type),
    /// Nothing else has it.
    Alone,
}

/// The values of some code.
#[derive(Default)]
pub(super) struct Values(Vec<Made>);

/// An operand in which a number of a value stands for each local.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Value(Operand);

/// What locals hold at a place.
#[derive(Clone, Default)]
pub(super) struct Scope(FxHashMap<Local, Operand>);

/// The slots whose contents no code between two places changes.
pub(super) struct Steady<'a> {
    pub(super) bases: &'a Bases,
    /// Slots that something stores to on the way, or maps.
    pub(super) changed: EntitySet<Slot>,
}

impl Steady<'_> {
    /// Whether an operation loads what it would load anywhere in the code.
    pub(super) fn is_load(&self, op: &Op) -> bool {
        let Op::Load { addr, access, .. } = op else { return false };
        let slot = addr.base.as_slot();
        !access.volatile && slot.is_some_and(|slot| self.keeps(slot))
    }

    /// Whether a slot keeps its contents.
    pub(super) fn keeps(&self, slot: Slot) -> bool {
        !self.bases.is_addressed(slot) && !self.changed.contains(slot)
    }
}

impl Values {
    fn number(&mut self, made: Made) -> Operand {
        let known = self.0.iter().position(|other| *other == made && made != Made::Alone);
        let number = known.unwrap_or_else(|| {
            self.0.push(made);
            self.0.len() - 1
        });
        Operand::Local(Local::new(number))
    }

    /// A value that nothing else has.
    fn alone(&mut self) -> Operand {
        self.number(Made::Alone)
    }

    /// The value of an operand.
    pub(super) fn of(&mut self, scope: &Scope, operand: Operand) -> Value {
        Value(self.numbered(scope, operand))
    }

    fn numbered(&mut self, scope: &Scope, operand: Operand) -> Operand {
        let Operand::Local(local) = operand else { return operand };
        scope.0.get(&local).copied().unwrap_or_else(|| self.number(Made::Before(local)))
    }

    /// Goes through instructions.
    pub(super) fn step(&mut self, scope: &mut Scope, body: &Body, insts: &[Inst], steady: &Steady<'_>) {
        for Inst { op, .. } in insts {
            let made = match op {
                Op::Copy { src, .. } => Some(self.numbered(scope, *src)),
                op if op.class() == Class::Value && op.effects().pure || steady.is_load(op) => {
                    let mut by = op.clone();
                    by.map_operands(|operand| self.numbered(scope, operand));
                    by.map_defs(|_| Local::new(0));
                    op.dst().map(|dst| self.number(Made::By(by, body.locals[dst].ty)))
                }
                _ => None,
            };
            op.defs(|dst| {
                let value = made.unwrap_or_else(|| self.alone());
                scope.0.insert(dst, value);
            });
        }
    }

    /// Lets a local hold a value that nothing else has, but what is given to other locals later.
    pub(super) fn fresh(&mut self, scope: &mut Scope, local: Local) -> Value {
        let value = self.alone();
        scope.0.insert(local, value);
        Value(value)
    }
}

impl Scope {
    /// Lets a local hold a value.
    pub(super) fn set(&mut self, local: Local, value: Value) {
        self.0.insert(local, value.0);
    }
}
