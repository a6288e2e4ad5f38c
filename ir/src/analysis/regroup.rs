//! Whether the iterations of a loop may be given to threads in other ways than one by one.

use super::liveness::Liveness;
use crate::acc::LoopDirective;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, LoopData, SlotKind};
use crate::op::{Inst, Operand};

/// Whether a directive is about one loop, each of whose iterations has its variables for itself.
pub(super) fn is_about_one(directive: &LoopDirective) -> bool {
    directive.collapse == 1 && directive.tile.is_empty() && directive.private.is_empty()
}

/// Whether threads may have the iterations of a loop in any order, several of them together: it reduces
/// nothing, and nobody says which thread has which.
pub(super) fn may_be_regrouped(body: &Body, loop_: Loop) -> bool {
    body.loops[loop_].directive.as_ref().is_some_and(|directive| {
        is_about_one(directive)
            && directive.reductions.is_empty()
            && directive.scans.is_empty()
            && !directive.in_order
            && directive.gang.as_ref().is_none_or(|gang| gang.static_.is_none())
    }) && body.region_reductions.is_empty()
}

/// Whether no iteration of a loop leaves a value to a later one or to the code behind. `blocks`: those of an
/// iteration, without the header and the latch.
pub(super) fn leaves_nothing(
    body: &Body,
    live: &Liveness,
    loop_: Loop,
    blocks: impl IntoIterator<Item = Block>,
) -> bool {
    let LoopData { body: first, latch, exit, ref induction, .. } = body.loops[loop_];
    let Some(counter) = induction.as_ref().map(|induction| induction.iv) else { return false };
    let stays =
        |local: Local| local != counter && !live.is_live_in(local, first) && !live.is_live_in(local, latch);
    let mut all_stay = true;
    for block in blocks {
        body.blocks[block].insts.iter().for_each(|inst| inst.op.defs(|local| all_stay &= stays(local)));
    }
    let steps_only = body.blocks[latch].insts.iter().all(|inst| inst.op.dst() == Some(counter));
    all_stay && steps_only && !live.is_live_in(counter, exit)
}

/// Whether an operation names an object of the region or function itself.
pub(super) fn names_own_slot(body: &Body, inst: &Inst) -> bool {
    let mut found = false;
    inst.op.parts(|part| {
        if let Some(Operand::Slot(slot)) = part.used_operand() {
            found |= !matches!(body.slots[slot].kind, SlotKind::Mapped(_));
        }
    });
    found
}
