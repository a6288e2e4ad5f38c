//! Values that are the same wherever they are looked at.
//!
//! What a function computes at its beginning, such as the length of the rows of `double (*a)[n]`, is
//! mentioned by nests far behind it, where `n` itself is loaded again. A nest sees that the two belong
//! together if it may look through everything that has one value for good: a parameter that keeps its
//! argument, a variable behind the last place where it is assigned, if control comes to these places once,
//! as in `int n = 100; if (argc > 1) n = atoi(argv[1]);`, and what is computed from these only.

use crate::analysis::bases::Bases;
use crate::analysis::cfg::Cfg;
use crate::entities::{Block, Construct, Local, Slot, map_below};
use crate::function::{Body, SlotKind};
use crate::op::{Class, Op, Operand};
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
    /// Of slots that are written before they are looked at, the locals that they are loaded into, with the
    /// constructs where that is.
    loads: Vec<(Slot, Option<Construct>, Local)>,
}

impl Settled {
    /// Of a body.
    pub(super) fn of(body: &Body, cfg: &Cfg, bases: &Bases) -> Settled {
        let order = Order::of(body, cfg);
        let slots = slots(body, &order, bases);
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
                        let is_last = |&Written { ty, place: (last, at), is_only }: &Written| {
                            let is_behind = if last == block {
                                at < n
                            } else {
                                order.circles[last] < order.circles[block]
                            };
                            ty == body.locals[dst].ty && (is_only || is_behind)
                        };
                        let slot = slot.filter(|&slot| slots[slot].as_ref().is_some_and(is_last));
                        settled.loads.extend(slot.map(|slot| (slot, body.blocks[block].construct, dst)));
                        slot.map(|_| 0)
                    }
                    _ => None,
                };
                let follows = follows.filter(|&steps| steps < MOST_STEPS);
                if follows.is_some() {
                    settled.places[dst] = Some((block, n));
                }
                steps[dst] = follows.map(|steps| steps + 1).or(order.once.contains(block).then_some(0));
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

/// In what order control comes to blocks.
struct Order {
    /// The number of the circle that a block belongs to, or its own if it is in none. No way leads from a
    /// block to one with a smaller number.
    circles: SecondaryMap<Block, u32>,
    /// Blocks that control comes to once at most: those in no circle.
    once: EntitySet<Block>,
}

impl Order {
    /// Backwards from each block in reverse postorder one comes to the blocks of its circle, and to those of
    /// earlier ones.
    fn of(body: &Body, cfg: &Cfg) -> Order {
        let mut circles = SecondaryMap::with_default(u32::MAX);
        circles.resize(body.blocks.len());
        let mut once = EntitySet::with_capacity(body.blocks.len());
        let mut work = Vec::new();
        for (number, &first) in (0..).zip(cfg.reverse_postorder()) {
            if circles[first] != u32::MAX {
                continue;
            }
            circles[first] = number;
            work.push(first);
            let mut is_circle = false;
            while let Some(block) = work.pop() {
                for &before in cfg.predecessors(block) {
                    is_circle |= circles[before] == number;
                    if circles[before] == u32::MAX && cfg.is_reachable(before) {
                        circles[before] = number;
                        is_circle = true;
                        work.push(before);
                    }
                }
            }
            if !is_circle {
                once.insert(first);
            }
        }
        Order { circles, once }
    }
}

/// How a slot is written.
#[derive(Clone, Debug)]
struct Written {
    ty: Type,
    /// The last place where that is.
    place: (Block, u32),
    /// There is no other: whoever loads the slot before that has no value.
    is_only: bool,
}

/// Slots that code writes in places that are come to once, with one type.
fn slots(body: &Body, order: &Order, bases: &Bases) -> SecondaryMap<Slot, Option<Written>> {
    let mut stored: SecondaryMap<Slot, Option<Written>> = map_below(body.slots.len());
    let mut others: EntitySet<Slot> = EntitySet::with_capacity(body.slots.len());
    for &block in &body.order {
        for (n, inst) in (0..).zip(&body.blocks[block].insts) {
            match inst.op {
                Op::Load { .. } => {}
                Op::Store { ty, addr, .. } if addr.offset == 0 && order.once.contains(block) => {
                    let Some(slot) = addr.base.as_slot() else { continue };
                    let place = (block, n);
                    match &mut stored[slot] {
                        Some(known) if known.ty == ty => {
                            if order.circles[known.place.0] <= order.circles[block] {
                                known.place = place;
                            }
                            known.is_only = false;
                        }
                        Some(_) => _ = others.insert(slot),
                        none => *none = Some(Written { ty, place, is_only: true }),
                    }
                }
                ref op if op.class() == Class::Value => {}
                ref op => op.parts(|part| {
                    if let Part::Address(address) = part {
                        others.extend(address.base.as_slot());
                    }
                }),
            }
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
