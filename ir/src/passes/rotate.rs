//! Tests loops at their end.
//!
//! Before: the header of a loop decides whether another iteration runs, so that every iteration ends with a
//! jump to it. After: the header stands in front of the loop and decides about the first iteration; a copy of
//! its instructions at the end of the latch decides about the next. The loop leaves the loop tree, whose
//! loops have their test in the header: nothing but code generation comes after this pass. Headers too long
//! to have twice stay.

use crate::entities::Loop;
use crate::function::{Body, LoopData};
use crate::op::Terminator;

/// Headers up to this many instructions are copied.
const MAX_HEADER: usize = 12;

/// Runs the pass on one function.
pub fn rewrite(body: &mut Body) {
    if body.loops.is_empty() {
        return;
    }
    let live = body.live_entities();
    for loop_ in body.loops.keys().collect::<Vec<_>>() {
        if live.loops.contains(loop_) {
            rotate(body, loop_);
        }
    }
    // One walk for all loops, where dissolving them one by one would be a walk for each.
    body.blocks.values_mut().for_each(|data| data.loop_ = None);
    body.slots.values_mut().for_each(|data| data.declared_in = None);
    body.loops.values_mut().for_each(|data| *data = LoopData::dead());
    // The latch of a loop that always breaks, the exit of one that never ends: only the loop tree knew them.
    body.remove_unreachable();
}

fn rotate(body: &mut Body, loop_: Loop) {
    let LoopData { header, latch, .. } = body.loops[loop_];
    let data = &body.blocks[header];
    let Terminator::Branch { .. } = data.term else { return };
    if data.insts.len() > MAX_HEADER || header == latch {
        return;
    }
    if body.blocks[latch].term != Terminator::Jump(header) {
        return;
    }
    let (insts, term, term_pos) = (data.insts.clone(), data.term.clone(), data.term_pos);
    let data = &mut body.blocks[latch];
    data.insts.extend(insts);
    (data.term, data.term_pos) = (term, term_pos);
}
