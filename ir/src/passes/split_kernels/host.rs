//! What the host can compute of a construct without asking the device.

use super::outside::Outside;
use super::parts::{Part, Then};
use crate::acc::MapKind;
use crate::analysis::loops::Nest;
use crate::entities::{Block, Construct, Local, Loop, Slot, set_of};
use crate::function::{Body, SlotKind};
use crate::op::{Address, Class, Op, Operand};
use crate::types::Type;
use cranelift_entity::EntitySet;
use std::collections::BTreeSet;

/// Locals whose values the host has.
pub type Known = EntitySet<Local>;

/// The host's part of a construct.
#[derive(Debug)]
pub struct HostSide {
    /// Scalars that the construct maps, and that the host keeps: no launch writes them, and no other clause
    /// or pointer leads to them. Launches get their values.
    pub slots: BTreeSet<Slot>,
    /// What the host knows when the construct begins.
    pub at_entry: Known,
}

impl HostSide {
    /// Of a construct; `None` if the host does not know how often a loop around nests runs.
    pub(super) fn of(
        body: &Body,
        nest: &Nest,
        (construct, parts): (Construct, &[Part]),
        outside: &Outside,
    ) -> Option<HostSide> {
        let values =
            body.constructs[construct].firstprivate.iter().filter_map(|private| private.var.as_local());
        let at_entry: Known = set_of(values.filter(|&local| is_value(body.locals[local].ty)));
        let mut side = HostSide { slots: candidates(body, construct, outside.escaping(body)), at_entry };
        loop {
            let mut known = side.at_entry.clone();
            let mut lost = BTreeSet::new();
            let all_known = side.walk(body, nest, parts, &mut known, &mut lost);
            if lost.is_empty() {
                return all_known.then_some(side);
            }
            side.slots.retain(|slot| !lost.contains(slot));
        }
    }

    /// Goes through parts, from what the host knows before them to what it knows behind them. Slots that a
    /// launch would have to write are `lost`. False if the condition of a loop is not known.
    fn walk(
        &self,
        body: &Body,
        nest: &Nest,
        parts: &[Part],
        known: &mut Known,
        lost: &mut BTreeSet<Slot>,
    ) -> bool {
        let mut all_known = true;
        for part in parts {
            part.straight.iter().for_each(|region| self.region(body, region, known, lost));
            match &part.then {
                Then::Nest(loop_) => self.region(body, &nest.blocks(*loop_), known, lost),
                Then::Loop(loop_, inner) => {
                    let (header, condition) = self.header(body, nest, (*loop_, inner), known, lost);
                    *known = header;
                    all_known &= condition;
                }
                Then::End => {}
            }
        }
        all_known
    }

    /// What the host knows behind the instructions of a loop's header in each iteration, and whether it knows
    /// the loop's condition there.
    pub fn header(
        &self,
        body: &Body,
        nest: &Nest,
        (loop_, inner): (Loop, &[Part]),
        before: &Known,
        lost: &mut BTreeSet<Slot>,
    ) -> (Known, bool) {
        let header = body.loops[loop_].header;
        let mut start = before.clone();
        loop {
            let mut known = start.clone();
            self.region(body, &[header], &mut known, lost);
            let behind_header = known.clone();
            let all_known = self.walk(body, nest, inner, &mut known, lost);
            let kept: Known = set_of(start.iter().filter(|&local| known.contains(local)));
            if kept.iter().eq(start.iter()) {
                let mut condition = all_known;
                body.blocks[header].term.uses(|local| condition &= behind_header.contains(local));
                let mut start = start;
                for inst in &body.blocks[header].insts {
                    condition &= self.step(body, &inst.op, &mut start);
                }
                return (behind_header, condition);
            }
            start = kept;
        }
    }

    /// Goes through a block, or through several of which the host does not know the way.
    pub fn region(&self, body: &Body, region: &[Block], known: &mut Known, lost: &mut BTreeSet<Slot>) {
        if let [block] = region {
            for inst in &body.blocks[*block].insts {
                if !self.step(body, &inst.op, known)
                    && let Op::Store { addr, .. } = &inst.op
                {
                    lost.extend(self.kept(addr.base));
                }
            }
            return;
        }
        for inst in region.iter().flat_map(|&block| &body.blocks[block].insts) {
            inst.op.defs(|local| _ = known.remove(local));
            if let Op::Store { addr, .. } = &inst.op {
                lost.extend(self.kept(addr.base));
            }
        }
    }

    /// From what the host knows before an operation to what it knows behind it; whether it executes the
    /// operation.
    pub fn step(&self, body: &Body, op: &Op, known: &mut Known) -> bool {
        let executes = self.executes(body, op, known);
        op.defs(|local| {
            if executes {
                known.insert(local);
            } else {
                known.remove(local);
            }
        });
        executes
    }

    /// Whether the host can execute an operation, knowing the values of some locals.
    pub fn executes(&self, body: &Body, op: &Op, known: &Known) -> bool {
        let has = |operand: Operand| match operand {
            Operand::Local(local) => known.contains(local),
            Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => true,
            Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) => false,
        };
        let is_kept = |addr: &Address| self.kept(addr.base).is_some();
        match op {
            Op::Load { dst, addr, .. } => is_kept(addr) && is_value(body.locals[*dst].ty),
            Op::Store { addr, src, .. } => is_kept(addr) && has(*src),
            op => {
                let mut executes = op.class() == Class::Value;
                op.operands(|operand| executes &= has(operand));
                op.defs(|local| executes &= is_value(body.locals[local].ty));
                executes
            }
        }
    }

    fn kept(&self, base: Operand) -> Option<Slot> {
        match base {
            Operand::Slot(slot) if self.slots.contains(&slot) => Some(slot),
            _ => None,
        }
    }
}

/// Whether values of a type mean the same on the host and on a device: addresses do not.
fn is_value(ty: Type) -> bool {
    ty != Type::Ptr
}

/// Scalars of the frame that a construct maps because no clause names them, and to which no pointer and no
/// other data directive leads: the device has no other value of them than the host.
fn candidates(body: &Body, construct: Construct, escaping: &EntitySet<Slot>) -> BTreeSet<Slot> {
    let implicit = body.constructs[construct].maps.iter().filter(|map| {
        map.implicit && matches!(map.kind, MapKind::Copy | MapKind::CopyIn) && map.var == Some(map.start)
    });
    let slots = implicit.filter_map(|map| map.var?.as_slot());
    slots.filter(|&slot| body.slots[slot].kind == SlotKind::Frame && !escaping.contains(slot)).collect()
}
