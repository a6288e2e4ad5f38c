//! Values that are the same wherever they are looked at.
//!
//! What a function computes at its beginning, such as the length of the rows of `double (*a)[n]`, is
//! mentioned by nests far behind it, where `n` itself is loaded again. A nest sees that the two belong
//! together if it may look through everything that has one value for good: a parameter that keeps its
//! argument, a variable that is assigned in one place which control comes to once, and what is computed from
//! these only.

use crate::analysis::bases::Bases;
use crate::analysis::cfg::Cfg;
use crate::entities::{Block, Construct, Local, Slot, map_below};
use crate::function::{Body, SlotKind};
use crate::op::{Op, Operand};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Most operations, one behind the other, that a value is followed through.
const MOST_STEPS: u8 = 16;

/// The values of a body that are settled.
#[derive(Debug)]
pub(super) struct Settled {
    /// Where what is computed from settled values is computed.
    places: SecondaryMap<Local, Option<(Block, u32)>>,
    /// Of slots that keep what is written to them in one place, the locals that it is loaded into, with the
    /// constructs where that is.
    loads: Vec<(Slot, Option<Construct>, Local)>,
}

impl Settled {
    /// Of a body.
    pub(super) fn of(body: &Body, cfg: &Cfg, bases: &Bases) -> Settled {
        let once = executed_once(body, cfg);
        let slots = slots(body, &once, bases);
        let mut settled = Settled { places: map_below(body.locals.len()), loads: Vec::new() };
        // How many operations each settled value is made of, at most, one behind the other.
        let mut steps: SecondaryMap<Local, Option<u8>> = map_below(body.locals.len());
        for &param in body.params.iter().filter(|&&param| bases.is_set_once(param)) {
            steps[param] = Some(0);
        }
        // In an order in which most values come behind those that they are computed from.
        for &block in &body.order {
            for (n, inst) in (0..).zip(&body.blocks[block].insts) {
                let Some(dst) = inst.op.dst().filter(|&dst| bases.is_set_once(dst)) else { continue };
                if !is_integer(body.locals[dst].ty) {
                    continue;
                }
                let known = |operand: Operand| match operand {
                    Operand::Local(local) => steps[local],
                    Operand::Int(..) => Some(0),
                    _ => None,
                };
                let follows = match inst.op {
                    Op::Copy { src, .. } | Op::Convert { src, .. } | Op::Unary { src, .. } => known(src),
                    Op::Binary { a, b, .. } => known(a).zip(known(b)).map(|(a, b)| a.max(b)),
                    Op::Load { addr, access, .. } => {
                        let slot = addr.base.as_slot().filter(|_| addr.offset == 0 && !access.volatile);
                        let slot = slot.filter(|&slot| slots[slot] == Some(body.locals[dst].ty));
                        settled.loads.extend(slot.map(|slot| (slot, body.blocks[block].construct, dst)));
                        slot.map(|_| 0)
                    }
                    _ => None,
                };
                let follows = follows.filter(|&steps| steps < MOST_STEPS);
                if follows.is_some() {
                    settled.places[dst] = Some((block, n));
                }
                steps[dst] = follows.map(|steps| steps + 1).or(once.contains(block).then_some(0));
            }
        }
        settled
    }

    /// The first local into which a construct, or other code, loads a slot that keeps its value.
    pub(super) fn loaded(&self, slot: Slot, construct: Option<Construct>) -> Option<Local> {
        let mut loads = self.loads.iter();
        loads.find(|&&(of, place, _)| (of, place) == (slot, construct)).map(|&(.., local)| local)
    }

    /// Where the value of a local is computed that has it whenever it is looked at.
    pub(super) fn place(&self, local: Local) -> Option<(Block, usize)> {
        self.places[local].map(|(block, n)| (block, n as usize))
    }
}

fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64)
}

/// Blocks that control comes to once at most: no way back leads around them.
fn executed_once(body: &Body, cfg: &Cfg) -> EntitySet<Block> {
    let mut once = EntitySet::with_capacity(body.blocks.len());
    // The first block to which a way leads back from a block or one behind it.
    let mut first: Option<Block> = None;
    for &block in cfg.reverse_postorder().iter().rev() {
        body.blocks[block].term.successors(|to| {
            if cfg.is_no_later(to, block) && first.is_none_or(|known| cfg.is_no_later(to, known)) {
                first = Some(to);
            }
        });
        if !first.is_some_and(|first| cfg.is_no_later(first, block)) {
            once.insert(block);
        }
    }
    once
}

/// Slots that code writes in one place, which is come to once, and of which it only loads what was written
/// there: with its type.
fn slots(body: &Body, once: &EntitySet<Block>, bases: &Bases) -> SecondaryMap<Slot, Option<Type>> {
    let mut stored: SecondaryMap<Slot, Option<Type>> = map_below(body.slots.len());
    let mut others: EntitySet<Slot> = EntitySet::with_capacity(body.slots.len());
    for &block in &body.order {
        for inst in &body.blocks[block].insts {
            inst.op.parts(|part| {
                let Part::Address(address) = part else { return };
                let Some(slot) = address.base.as_slot() else { return };
                match inst.op {
                    Op::Load { .. } => {}
                    Op::Store { ty, addr, .. }
                        if addr.offset == 0 && stored[slot].is_none() && once.contains(block) =>
                    {
                        stored[slot] = Some(ty);
                    }
                    _ => _ = others.insert(slot),
                }
            });
        }
    }
    for slot in body.slots.keys() {
        let is_plain = body.slots[slot].kind == SlotKind::Frame && !bases.is_addressed(slot);
        if !is_plain || others.contains(slot) {
            stored[slot] = None;
        }
    }
    stored
}
