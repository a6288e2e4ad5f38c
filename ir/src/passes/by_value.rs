//! Scalars that constructs only read, as values of their launches.
//!
//! Before: `kernels` maps each scalar that it mentions by an implicit `copy` (OpenACC 3.3, section 2.6.2).
//! After: a scalar that no construct writes, and that no other clause or pointer can have brought to the
//! device, is `firstprivate`. Nobody can tell the difference, but a launch is spared the memory and the
//! copies; and the host knows numbers of iterations in front of it.

use crate::acc::{DataMap, MapKind, PrivateVar};
use crate::entities::{Slot, map_below};
use crate::function::{Body, SlotData, SlotKind};
use crate::op::{Op, Operand};
use crate::visit::Part;
use cranelift_entity::SecondaryMap;

/// Most bytes of a value.
const MOST_BYTES: u64 = 8;

/// Mentions of a slot.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Mentions {
    all: usize,
    /// Those that neither let the address escape nor bring the object to the device for longer than a launch.
    plain: usize,
    /// A construct writes it.
    written: bool,
}

/// Changes the clauses of a function's constructs.
pub(super) fn run(body: &mut Body) {
    let is_any = |body: &Body| {
        body.constructs.values().any(|data| data.maps.iter().any(|map| implicit_scalar(body, map).is_some()))
    };
    if !is_any(body) {
        return;
    }
    let mentions = mentions(body);
    let mut constructs = std::mem::take(&mut body.constructs);
    for data in constructs.values_mut().filter(|data| !data.kind.is_threaded()) {
        let is_value = |map: &mut DataMap| {
            let slot = implicit_scalar(body, map);
            slot.is_some_and(|slot| mentions[slot].plain == mentions[slot].all && !mentions[slot].written)
        };
        for map in data.maps.extract_if(.., is_value) {
            let Some(slot) = map.var.and_then(Operand::as_slot) else { continue };
            data.firstprivate.push(PrivateVar {
                name: map.name,
                var: Operand::Slot(slot),
                bytes: body.slots[slot].size,
                align: body.slots[slot].align,
                implicit: true,
                pos: map.pos,
            });
        }
    }
    body.constructs = constructs;
}

/// The slot of a scalar that a construct maps since it mentions it.
fn implicit_scalar(body: &Body, map: &DataMap) -> Option<Slot> {
    let slot = map.var.and_then(Operand::as_slot)?;
    let SlotData { kind, size, .. } = &body.slots[slot];
    let is_whole = map.start == Operand::Slot(slot) && map.strides.is_empty() && map.rows.is_none();
    let is_copied = map.implicit && matches!(map.kind, MapKind::Copy | MapKind::CopyIn);
    (is_whole && is_copied && *kind == SlotKind::Frame && *size <= MOST_BYTES).then_some(slot)
}

fn mentions(body: &Body) -> SecondaryMap<Slot, Mentions> {
    let mut mentions: SecondaryMap<Slot, Mentions> = map_below(body.slots.len());
    let mut count = |part: Part<'_>| {
        if let Some(Operand::Slot(slot)) = part.operand() {
            mentions[slot].all += 1;
        }
    };
    body.annotations(&mut count);
    body.order.iter().for_each(|&block| body.blocks[block].parts(&mut count));
    for data in body.constructs.values() {
        for map in &data.maps {
            if let Some(slot) = implicit_scalar(body, map) {
                map.parts(|part| mentions[slot].plain += usize::from(part.operand() == map.var));
            }
        }
        for private in data.private.iter().chain(&data.firstprivate) {
            if let Operand::Slot(slot) = private.var {
                mentions[slot].plain += 1;
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
            mentions[slot].plain += usize::from(is_all);
            mentions[slot].written |= is_inside && matches!(inst.op, Op::Store { .. });
        }
    }
    mentions
}
