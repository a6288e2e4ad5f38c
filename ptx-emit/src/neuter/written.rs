//! What some code of a function writes: loads of anything else have nothing to do with it.

use super::computing::Computing;
use accrue_ir::analysis::roots::{Root, Roots};
use accrue_ir::{Op, Operand};
use std::rc::Rc;

/// What the addresses are made from that it writes to.
pub(super) struct Written {
    roots: Rc<Roots>,
    to: Vec<Root>,
}

impl Written {
    /// By some operations.
    pub fn by<'a>(roots: &Rc<Roots>, computing: &Computing, ops: impl Iterator<Item = &'a Op>) -> Written {
        let mut to: Vec<Root> = Vec::new();
        for op in ops {
            let root = match op {
                Op::Store { addr, .. }
                | Op::AtomicRmw { addr, .. }
                | Op::AtomicSwap { addr, .. }
                | Op::AtomicCas { addr, .. }
                | Op::AtomicStore { addr, .. } => roots.of(addr.base),
                // Traps, and threads that meet.
                Op::Binary { .. } | Op::LastGang { .. } | Op::Fence => continue,
                op => match computing.effects(op) {
                    effects if !effects.writes || effects.synchronises.is_some() => continue,
                    _ => Root::Unknown,
                },
            };
            if !to.contains(&root) {
                to.push(root);
            }
        }
        Written { roots: roots.clone(), to }
    }

    /// Whether nothing in the function writes at an address with this base, and nothing that the pass adds
    /// to it does: records are in slots.
    pub fn never(&self, base: Operand) -> bool {
        matches!(self.roots.of(base), Root::Param(_) | Root::Global(_)) && !self.may_be(base)
    }

    /// Whether that may be memory at an address with this base.
    pub fn may_be(&self, base: Operand) -> bool {
        let from = self.roots.of(base);
        !self.to.iter().all(|&to| self.roots.are_apart(from, to))
    }
}
