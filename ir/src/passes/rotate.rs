//! Tests loops at their end.
//!
//! Before: the header of a loop decides whether another iteration runs, so that every iteration ends with a
//! jump to it. After: the header stands in front of the loop and decides about the first iteration; a copy of
//! its instructions at the end of the latch decides about the next. The loop leaves the loop tree, whose
//! loops have their test in the header: nothing but code generation comes after this pass. Headers too long
//! to have twice stay. A loop that begins with a switch has copies of it at the ends of its ways.

use crate::analysis::cfg::Cfg;
use crate::entities::{Block, Loop};
use crate::function::{Body, LoopData};
use crate::op::Terminator;
use cranelift_entity::EntitySet;

/// Headers up to this many instructions are copied.
const MAX_HEADER: usize = 12;

/// Loops with more ways to their next iteration keep their test.
const MOST_LATCHES: usize = 2;

/// Switches of fewer cases are comparisons one by one, on the host.
const LEAST_CASES: usize = 5;

/// Most cases that the copies of a switch have together: each may need moves between registers of its own.
const MOST_COPIED_CASES: usize = 1024;

/// Runs the pass on one function.
pub fn rewrite(body: &mut Body) {
    switch_at_ends(body);
    dissolve(body);
    rotate_others(body);
}

/// Rotates the loops of the loop tree, and takes them out of it.
fn dissolve(body: &mut Body) {
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
    if is_test(body, header) && body.blocks[latch].term == Terminator::Jump(header) {
        repeat_at_end(body, header, latch);
    }
}

/// Whether a block is a branch that is short enough to stand twice.
fn is_test(body: &Body, block: Block) -> bool {
    let data = &body.blocks[block];
    matches!(data.term, Terminator::Branch { .. }) && data.insts.len() <= MAX_HEADER
}

/// Writes what a block does at the end of one that jumps to it.
fn repeat_at_end(body: &mut Body, block: Block, end: Block) {
    let data = &body.blocks[block];
    let (insts, term, term_pos) = (data.insts.clone(), data.term.clone(), data.term_pos);
    let data = &mut body.blocks[end];
    data.insts.extend(insts);
    (data.term, data.term_pos) = (term, term_pos);
}

/// Rotates loops that the loop tree does not list, such as `while (p < end && *p != c)`. Code generation
/// places what is behind a loop in front of those blocks of it that do not lead there.
fn rotate_others(body: &mut Body) {
    let mut seen = EntitySet::with_capacity(body.blocks.len());
    let may_lead_back = body.order.iter().any(|&block| {
        seen.insert(block);
        matches!(body.blocks[block].term, Terminator::Jump(to) if seen.contains(to) && is_test(body, to))
    });
    if !may_lead_back {
        return;
    }
    let mut rotated = Vec::new();
    for found in Cfg::new(body).natural_loops() {
        let mut leaves = 0;
        body.blocks[found.header].term.successors(|to| leaves += usize::from(!found.blocks.contains(to)));
        let of_jumps =
            found.latches.iter().filter(|&&latch| body.blocks[latch].term == Terminator::Jump(found.header));
        let latches: Vec<Block> = of_jumps.copied().collect();
        if leaves == 1 && is_test(body, found.header) && latches.len() <= MOST_LATCHES {
            rotated.extend(latches.into_iter().map(|latch| (latch, found.header)));
        }
    }
    for (latch, header) in rotated {
        repeat_at_end(body, header, latch);
    }
}

/// Ends each way of a loop that is a switch, such as that of an interpreter, with the switch: the processor
/// learns what follows each operation, and has one jump less.
///
/// ```text
///     before:  a: switch x: b, c, ...   b: ...; jump a              c: ...; jump a
///     after:   a: switch x: b, c, ...   b: ...; switch x: b, c ...  c: ...; switch x: b, c, ...
/// ```
fn switch_at_ends(body: &mut Body) {
    let mut changes = false;
    for block in body.order.clone() {
        let data = &body.blocks[block];
        let Terminator::Switch { ref cases, .. } = data.term else { continue };
        if cases.len() < LEAST_CASES || data.insts.len() > MAX_HEADER {
            continue;
        }
        // The latch that the front end gives a loop may be empty.
        let is_on_way = |to: Block| {
            to == block || body.blocks[to].insts.is_empty() && body.blocks[to].term == Terminator::Jump(block)
        };
        let leads_here = |&from: &Block| match body.blocks[from].term {
            Terminator::Jump(to) => from != block && is_on_way(to) && !body.blocks[from].insts.is_empty(),
            _ => false,
        };
        let ends: Vec<Block> = body.order.iter().copied().filter(leads_here).collect();
        if ends.len() * 2 < cases.len() || ends.len() * cases.len() > MOST_COPIED_CASES {
            continue;
        }
        for end in ends {
            repeat_at_end(body, block, end);
        }
        changes = true;
    }
    if changes {
        body.remove_unreachable();
    }
}
