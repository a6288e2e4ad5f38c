//! Scalars that constructs only read, as values of their launches.
//!
//! Before: `kernels` maps each scalar that it mentions by an implicit `copy` (OpenACC 3.3, section 2.6.2).
//! After: a scalar that no construct writes, and that no other clause or pointer can have brought to the
//! device, is `firstprivate`. Nobody can tell the difference, but a launch is spared the memory and the
//! copies; and the host knows numbers of iterations in front of it.

use crate::acc::{DataMap, PrivateVar};
use crate::analysis::slot_uses::{implicit_scalar, of_slots};
use crate::function::Body;
use crate::op::Operand;

/// Changes the clauses of a function's constructs.
pub(super) fn run(body: &mut Body) {
    let is_any = |body: &Body| {
        body.constructs.values().any(|data| data.maps.iter().any(|map| implicit_scalar(body, map).is_some()))
    };
    if !is_any(body) {
        return;
    }
    let uses = of_slots(body);
    let mut constructs = std::mem::take(&mut body.constructs);
    for data in constructs.values_mut().filter(|data| !data.kind.is_threaded()) {
        let is_value = |map: &mut DataMap| {
            let slot = implicit_scalar(body, map);
            slot.is_some_and(|slot| uses[slot].are_plain() && !uses[slot].is_written_inside)
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
