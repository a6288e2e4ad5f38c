//! The slots in which the workers of a gang meet: one per loop and reduction (document 000, "worker level").

use accrue_ir::target::{Emitter, operators};
use accrue_ir::{Operand, Reduction, Slot, SlotData, SlotKind};

/// The slot of a quad, with room for so many values in promoted form. All calls of a quad get the same one.
pub fn slot(emit: &mut Emitter<'_>, call: &Reduction, count: u64) -> Slot {
    let ty = operators::promoted(call.ty);
    named_slot(emit, call, u64::from(ty.bytes()) * count, ty.align())
}

/// The slot of an array of constant length, its elements as they are in memory.
pub fn array(emit: &mut Emitter<'_>, call: &Reduction, count: Operand) -> Slot {
    let count = count.as_int().and_then(|count| u64::try_from(count).ok()).unwrap_or(u64::MAX);
    let size = u64::from(call.ty.ty.bytes()).saturating_mul(count);
    named_slot(emit, call, size, call.ty.ty.align())
}

fn named_slot(emit: &mut Emitter<'_>, call: &Reduction, size: u64, align: u32) -> Slot {
    let name = call.red.to_string();
    let found = emit.body.slots.iter().find(|(_, data)| {
        data.kind == SlotKind::Reduction
            && data.declared_in == call.loop_
            && data.name.as_deref() == Some(&*name)
    });
    if let Some((slot, _)) = found {
        return slot;
    }
    emit.body.slots.push(SlotData {
        size,
        align,
        name: Some(name.into()),
        kind: SlotKind::Reduction,
        declared_in: call.loop_,
    })
}
