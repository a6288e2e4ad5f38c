//! Makes one nest of two.

use super::Neighbours;
use super::shape::Shape;
use crate::analysis::cfg::Cfg;
use crate::edit::rename::Rename;
use crate::edit::split::{redirect, split_edges};
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, LoopData};
use crate::op::{Inst, Terminator};
use rustc_hash::FxHashSet;

/// Moves the second construct's code into the first one's nest: what is in front of each of its loops, to the
/// end of what is in front of the other's; its iteration, behind the other's. The host's code between them
/// goes in front of both. What the constructs' data say stays with the caller.
///
/// ```text
/// first: line, loop { body, latch }, line        code, first: line, line2, loop { body, body2, latch2, latch },
/// code between                              =>          line
/// second: line2, loop2 { body2, latch2 }, line
/// ```
pub(super) fn join(
    body: &mut Body,
    cfg: &Cfg,
    neighbours: &Neighbours,
    [first, second]: [&Shape; 2],
    own: FxHashSet<Local>,
) {
    let counter =
        |body: &Body, loop_: Loop| body.loops[loop_].induction.as_ref().map(|induction| induction.iv);
    let counters: Vec<(Local, Local)> = first
        .chain
        .iter()
        .zip(&second.chain)
        .filter_map(|(&a, &b)| counter(body, b).zip(counter(body, a)))
        .collect();
    let own = own.into_iter().filter(|local| !counters.iter().any(|(counter, _)| counter == local));
    let mut sorted: Vec<Local> = own.collect();
    sorted.sort_unstable();
    let mut rename = Rename::fresh(body, sorted);
    rename.locals.extend(counters.iter().copied());
    rename.apply(body, &second.blocks, &second.inner);
    for &loop_ in &second.chain {
        body.loops[loop_].parts_mut(|part| rename.part(part));
    }
    host_code(body, cfg, neighbours);
    let is_counter = |inst: &Inst| inst.op.dst().is_some_and(|dst| counters.iter().any(|(_, iv)| *iv == dst));
    for (&loop_, lines) in first.chain.iter().zip(&second.before) {
        let mut insts: Vec<Inst> = Vec::new();
        for &block in lines {
            insts.extend(
                std::mem::take(&mut body.blocks[block].insts).into_iter().filter(|inst| !is_counter(inst)),
            );
        }
        let preheader = body.loops[loop_].preheader;
        body.blocks[preheader].insts.extend(insts);
    }
    let (into, from) = (first.innermost(), second.innermost());
    let kept = body_of(body, second, from);
    let LoopData { latch, .. } = body.loops[into];
    let LoopData { latch: own_latch, header: own_header, body: start, .. } = body.loops[from];
    let leading: Vec<Block> = cfg.predecessors(latch).to_vec();
    leading.into_iter().for_each(|block| redirect(body, block, latch, start));
    for &loop_ in first.inner.iter().filter(|&&loop_| body.loops[loop_].exit == latch).collect::<Vec<_>>() {
        body.loops[loop_].exit = start;
    }
    body.blocks[own_latch].insts.retain(|inst| !is_counter(inst));
    redirect(body, own_latch, own_header, latch);
    settle(body, neighbours, [first, second], &kept);
}

/// The blocks of an iteration of the innermost loop.
fn body_of(body: &Body, shape: &Shape, innermost: Loop) -> Vec<Block> {
    let header = body.loops[innermost].header;
    let is_inside =
        |block: &Block| body.loop_is_within(body.blocks[*block].loop_, innermost) && *block != header;
    shape.nest.iter().copied().filter(is_inside).collect()
}

/// Puts the host's code between the constructs in front of them.
fn host_code(body: &mut Body, cfg: &Cfg, neighbours: &Neighbours) {
    let mut insts: Vec<Inst> = Vec::new();
    for &block in &neighbours.between {
        insts.append(&mut body.blocks[block].insts);
    }
    let entry = body.constructs[neighbours.first].entry;
    let pos = body.constructs[neighbours.first].pos;
    let before = match cfg.predecessors(entry) {
        &[only] if is_of_host(body, only) => only,
        several => {
            let several = several.to_vec();
            split_edges(body, &several, entry, pos)
        }
    };
    body.blocks[before].insts.extend(insts);
}

/// Whether a block of the host does nothing but to lead to the next one at its end.
fn is_of_host(body: &Body, block: Block) -> bool {
    let data = &body.blocks[block];
    data.construct.is_none() && matches!(data.term, Terminator::Jump(_))
}

/// Gives the second construct's blocks, loops and slots to the first one, and takes the rest out.
fn settle(body: &mut Body, neighbours: &Neighbours, [first, second]: [&Shape; 2], kept: &[Block]) {
    let (into, from) = (first.innermost(), second.innermost());
    let [old, new] = [neighbours.first, neighbours.second].map(|construct| body.constructs[construct].exit);
    for &block in &first.blocks {
        redirect(body, block, old, new);
    }
    for &loop_ in &first.chain {
        if body.loops[loop_].exit == old {
            body.loops[loop_].exit = new;
        }
    }
    body.constructs[neighbours.first].exit = new;
    let is_gone = |block: &Block| {
        neighbours.between.contains(block) || second.blocks.contains(block) && !kept.contains(block)
    };
    body.order.retain(|block| !is_gone(block) && !kept.contains(block));
    let latch = body.loops[into].latch;
    let at = body.order.iter().position(|&block| block == latch).unwrap_or(body.order.len());
    body.order.splice(at..at, kept.iter().copied());
    for &block in kept {
        let data = &mut body.blocks[block];
        data.construct = Some(neighbours.first);
        if data.loop_ == Some(from) {
            data.loop_ = Some(into);
        }
    }
    for data in body.loops.values_mut().filter(|data| data.parent == Some(from)) {
        data.parent = Some(into);
    }
    let places: Vec<(Loop, Loop)> = second.chain.iter().copied().zip(first.chain.iter().copied()).collect();
    for slot in body.slots.values_mut() {
        if let Some((_, to)) = places.iter().find(|(from, _)| slot.declared_in == Some(*from)) {
            slot.declared_in = Some(*to);
        }
    }
    for (from, into) in places {
        let data = std::mem::replace(&mut body.loops[from], LoopData::dead());
        let reductions = data.directive.into_iter().flat_map(|directive| directive.reductions);
        if let Some(directive) = &mut body.loops[into].directive {
            directive.reductions.extend(reductions);
        }
    }
}

/// Whether the loops of the second construct come behind those of the first one, as loops inside come behind
/// those around.
pub(super) fn are_in_order([first, second]: [&Shape; 2]) -> bool {
    second.inner.iter().all(|&inner| inner > first.innermost())
}
