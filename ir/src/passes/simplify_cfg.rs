//! Removes unreachable blocks and merges straight lines.
//!
//! Before: any code. After: every block in the layout is reachable, or is named by a loop that is; a block
//! that only one jump leads to is part of the block that jumps, unless a loop needs it; branches on constants
//! are jumps. Ids are dense again.

use super::env::{Env, each_body};
use crate::edit::compact::compact;
use crate::entities::{Block, map_below};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Operand, Terminator};
use crate::report::PassError;
use cranelift_entity::SecondaryMap;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        simplify(work.body);
        Ok(())
    })
}

/// Runs the pass on a body.
pub fn simplify(body: &mut Body) {
    simplify_with(body, false);
}

/// The same where preheaders and latches stay blocks of their own: loops are to be shared later.
pub fn simplify_in_loops(body: &mut Body) {
    simplify_with(body, true);
}

fn simplify_with(body: &mut Body, keeps_ends: bool) {
    for &block in &body.order {
        simplify_terminator(&mut body.blocks[block].term);
    }
    body.remove_unreachable();
    merge(body, keeps_ends);
    compact(body);
}

/// Decides branches on constants, and branches whose sides are one.
fn simplify_terminator(term: &mut Terminator) {
    let target = match term {
        Terminator::Branch { cond: Operand::Int(_, value), then, otherwise } => {
            Some(if *value != 0 { *then } else { *otherwise })
        }
        Terminator::Branch { then, otherwise, .. } if then == otherwise => Some(*then),
        Terminator::Switch { value: Operand::Int(_, value), cases, default } => {
            let case = cases.iter().find(|(low, high, _)| (*low..=*high).contains(value));
            Some(case.map_or(*default, |(_, _, target)| *target))
        }
        Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Jump(_)
        | Terminator::Return(_)
        | Terminator::Unreachable => None,
    };
    if let Some(target) = target {
        *term = Terminator::Jump(target);
    }
}

/// Appends blocks to the only block that leads to them.
fn merge(body: &mut Body, keeps_ends: bool) {
    let mut entries: SecondaryMap<Block, u32> = map_below(body.blocks.len());
    for &block in &body.order {
        body.blocks[block].term.successors(|to| entries[to] += 1);
    }
    // Headers keep their form, and so do the blocks they branch to. A dead loop may name blocks that are
    // gone.
    let live = body.live_loops();
    let mut fixed: SecondaryMap<Block, bool> = map_below(body.blocks.len());
    let mut headers: SecondaryMap<Block, bool> = map_below(body.blocks.len());
    fixed[body.entry()] = true;
    for data in live.iter().map(|&loop_| &body.loops[loop_]) {
        let ends = [data.preheader, data.latch].into_iter().filter(|_| keeps_ends);
        for block in [data.header, data.body, data.exit].into_iter().chain(ends) {
            fixed[block] = true;
        }
        headers[data.header] = true;
    }
    let mut into: SecondaryMap<Block, Option<Block>> = map_below(body.blocks.len());
    for block in body.order.clone() {
        if into[block].is_some() || headers[block] {
            continue;
        }
        while let Terminator::Jump(next) = body.blocks[block].term
            && next != block
            && entries[next] == 1
            && !fixed[next]
            && body.blocks[next].loop_ == body.blocks[block].loop_
            && body.blocks[next].construct == body.blocks[block].construct
        {
            let data = &mut body.blocks[next];
            let (mut insts, term_pos) = (std::mem::take(&mut data.insts), data.term_pos);
            let term = std::mem::replace(&mut data.term, Terminator::Unreachable);
            let data = &mut body.blocks[block];
            data.insts.append(&mut insts);
            (data.term, data.term_pos) = (term, term_pos);
            into[next] = Some(block);
        }
    }
    // A block may have gone into one that went into another later.
    let last = |mut block: Block| {
        while let Some(next) = into[block] {
            block = next;
        }
        block
    };
    for data in body.loops.values_mut() {
        (data.preheader, data.latch) = (last(data.preheader), last(data.latch));
    }
    for data in body.constructs.values_mut() {
        (data.entry, data.exit) = (last(data.entry), last(data.exit));
    }
    body.order.retain(|&block| into[block].is_none());
}
