//! What a construct has to be made of to be fused: a line of blocks in front of one perfect nest of parallel
//! loops, and a line behind it without effects.

use crate::analysis::perfect::only_inner;
use crate::analysis::strides::Facts;
use crate::entities::{Block, Construct, Local, Loop, set_of};
use crate::function::Body;
use crate::op::{Operand, Terminator};
use crate::visit::Part;
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;

/// The parts of a construct.
pub(super) struct Shape {
    /// The loops that threads share, one in the other.
    pub(super) chain: Vec<Loop>,
    /// For each of them the line of blocks in front of it, the last one its preheader: from the entry of the
    /// construct, or from the body of the loop around.
    pub(super) before: Vec<Vec<Block>>,
    /// The blocks of the nest.
    pub(super) nest: Vec<Block>,
    /// All other loops of it.
    pub(super) inner: Vec<Loop>,
    /// All blocks of the construct.
    pub(super) blocks: Vec<Block>,
}

impl Shape {
    /// Of a construct.
    pub(super) fn of(body: &Body, facts: &Facts, construct: Construct) -> Option<Shape> {
        let blocks = body.construct_blocks(construct);
        let data = &body.constructs[construct];
        let loop_of = |block: Block| body.blocks[block].loop_;
        let around = loop_of(data.entry);
        let mut outermost: FxHashSet<Loop> = FxHashSet::default();
        for &block in &blocks {
            let mut loops = body.loops_around(loop_of(block)).take_while(|&loop_| Some(loop_) != around);
            outermost.extend(loops.by_ref().last());
        }
        let outermost: Vec<Loop> = outermost.into_iter().collect();
        let &[first] = &outermost[..] else { return None };
        let chain = chain(body, facts, first)?;
        let nest = facts.nest.blocks(first);
        let is_nest: EntitySet<Block> = set_of(nest.iter().copied());
        let mut before = vec![line(body, data.entry, body.loops[first].preheader)?];
        for pair in chain.windows(2) {
            before.push(line(body, body.loops[pair[0]].body, body.loops[pair[1]].preheader)?);
        }
        let behind: Vec<Block> = {
            let is_in_front = |block: &Block| before[0].contains(block) || is_nest.contains(*block);
            blocks.iter().copied().filter(|block| !is_in_front(block)).collect()
        };
        let inner = facts.nest.inside(first).into_iter().filter(|loop_| !chain.contains(loop_)).collect();
        let shape = Shape { chain, before, nest, inner, blocks };
        let is_alone = shape.is_alone(body, facts, construct, &behind) && shape.is_counted(body);
        is_alone.then_some(shape)
    }

    /// Whether nothing around the nest does more than to compute, and nobody needs it behind the construct.
    fn is_alone(&self, body: &Body, facts: &Facts, construct: Construct, behind: &[Block]) -> bool {
        let exit = body.constructs[construct].exit;
        let is_line = behind.iter().all(|&block| matches!(body.blocks[block].term, Terminator::Jump(_)));
        let around = self.before[0].iter().chain(behind);
        let mut insts = around.flat_map(|&block| &body.blocks[block].insts);
        let computes = insts.all(|inst| inst.op.effects().pure);
        let leaves = || self.assigned(body).iter().any(|local| facts.live.is_live_in(local, exit));
        is_line
            && computes
            && !leaves()
            && !facts.nest.ends_within(body, self.chain[0])
            && facts.nest.exits(body, self.chain[0]).is_empty()
    }

    /// Whether loops of the chain have counters of their own, which only they assign.
    fn is_counted(&self, body: &Body) -> bool {
        self.chain.iter().zip(&self.before).all(|(&loop_, before)| {
            let data = &body.loops[loop_];
            let Some(induction) = &data.induction else { return false };
            let assigns = |&block: &Block| {
                let mut count = 0;
                for inst in &body.blocks[block].insts {
                    inst.op.defs(|local| count += u32::from(local == induction.iv));
                }
                count
            };
            let is_other = |block: &&Block| **block != data.latch && !before.contains(block);
            let is_own = !self.nest.iter().filter(is_other).any(|block| assigns(block) > 0);
            is_own && assigns(&data.latch) == 1 && data.latch != data.body && data.header != data.body
        })
    }

    /// The locals that its code assigns.
    pub(super) fn assigned(&self, body: &Body) -> EntitySet<Local> {
        body.assigned(self.blocks.iter().copied())
    }

    /// All that its code and its loops mention.
    pub(super) fn mentioned(&self, body: &Body) -> FxHashSet<Operand> {
        let mut found = FxHashSet::default();
        let mut note = |part: Part<'_>| found.extend(part.operand());
        self.blocks.iter().for_each(|&block| body.blocks[block].parts(&mut note));
        self.chain.iter().chain(&self.inner).for_each(|&loop_| body.loops[loop_].parts(&mut note));
        found
    }

    /// Instructions in its loops.
    pub(super) fn length(&self, body: &Body) -> usize {
        self.nest.iter().map(|&block| body.blocks[block].insts.len()).sum()
    }

    /// The loop in whose body the work is done.
    pub(super) fn innermost(&self) -> Loop {
        self.chain[self.chain.len() - 1]
    }
}

/// The parallel loops from an outermost one on, each the only thing in the one around it.
fn chain(body: &Body, facts: &Facts, first: Loop) -> Option<Vec<Loop>> {
    let associated = |loop_: Loop| {
        let data = &body.loops[loop_];
        data.directive.as_ref().filter(|_| data.is_partitioned()).map(|directive| directive.collapse)
    };
    let mut chain = vec![first];
    let mut left = associated(first)?;
    loop {
        let last = chain[chain.len() - 1];
        left -= 1;
        let mut inside = facts.nest.inside(last).into_iter();
        if left == 0 && !inside.any(|loop_| body.loops[loop_].is_partitioned()) {
            return Some(chain);
        }
        let next = only_inner(body, &facts.nest, &facts.live, last)?;
        if left == 0 {
            left = associated(next)?;
        }
        chain.push(next);
    }
}

/// The blocks from one to another, one after the other.
fn line(body: &Body, from: Block, to: Block) -> Option<Vec<Block>> {
    let mut line = vec![from];
    let mut at = from;
    while at != to {
        let Terminator::Jump(next) = body.blocks[at].term else { return None };
        if line.contains(&next) {
            return None;
        }
        line.push(next);
        at = next;
    }
    Some(line)
}
