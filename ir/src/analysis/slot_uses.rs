//! What a function does with its slots, as far as a pass wants to know whether a value can stand for one.

use crate::acc::{DataMap, MapKind};
use crate::entities::{Slot, map_below};
use crate::function::{Body, SlotData, SlotKind};
use crate::op::{Op, Operand};
use crate::visit::Part;
use cranelift_entity::SecondaryMap;

/// Most bytes of a value.
const MOST_BYTES: u64 = 8;

/// How a function uses a slot.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SlotUses {
    all: usize,
    /// Accesses of the whole object, and clauses that give a construct its value.
    plain: usize,
    /// Stores anywhere.
    pub stores: usize,
    /// A construct writes it.
    pub is_written_inside: bool,
}

impl SlotUses {
    /// Whether no use lets the address escape, or brings the object to the device for longer than a launch.
    pub fn are_plain(&self) -> bool {
        self.plain == self.all
    }
}

/// The slot of a scalar that a construct maps since it mentions it.
pub fn implicit_scalar(body: &Body, map: &DataMap) -> Option<Slot> {
    let slot = map.var.and_then(Operand::as_slot)?;
    let SlotData { kind, size, .. } = &body.slots[slot];
    let is_whole = map.start == Operand::Slot(slot) && map.strides.is_empty() && map.rows.is_none();
    let is_copied = map.implicit && matches!(map.kind, MapKind::Copy | MapKind::CopyIn);
    (is_whole && is_copied && *kind == SlotKind::Frame && *size <= MOST_BYTES).then_some(slot)
}

/// The uses of all slots of a function with constructs.
pub fn of_slots(body: &Body) -> SecondaryMap<Slot, SlotUses> {
    let mut uses: SecondaryMap<Slot, SlotUses> = map_below(body.slots.len());
    let mut count = |part: Part<'_>| {
        if let Some(Operand::Slot(slot)) = part.operand() {
            uses[slot].all += 1;
        }
    };
    body.annotations(&mut count);
    body.order.iter().for_each(|&block| body.blocks[block].parts(&mut count));
    for data in body.constructs.values() {
        for map in &data.maps {
            if let Some(slot) = implicit_scalar(body, map) {
                map.parts(|part| uses[slot].plain += usize::from(part.operand() == map.var));
            }
        }
        for private in data.private.iter().chain(&data.firstprivate) {
            if let Operand::Slot(slot) = private.var {
                uses[slot].plain += 1;
            }
        }
    }
    for &block in &body.order {
        let is_inside = body.blocks[block].construct.is_some();
        for inst in &body.blocks[block].insts {
            let (addr, bytes, access) = match &inst.op {
                Op::Load { dst, addr, access } => (addr, body.locals[*dst].ty.bytes(), access),
                Op::Store { ty, addr, access, .. } => (addr, ty.bytes(), access),
                _ => continue,
            };
            let Operand::Slot(slot) = addr.base else { continue };
            let is_all = addr.offset == 0 && u64::from(bytes) == body.slots[slot].size && !access.volatile;
            uses[slot].plain += usize::from(is_all);
            let is_store = matches!(inst.op, Op::Store { .. });
            uses[slot].stores += usize::from(is_store);
            uses[slot].is_written_inside |= is_inside && is_store;
        }
    }
    uses
}
