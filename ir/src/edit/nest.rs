//! Changes of nests of counted loops, one inside of the other.
//!
//! The caller knows that the iterations of all loops of the nest may be executed in any order.

use crate::builder::Cursor;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, Induction, LoopData};
use crate::op::{BinaryOp, Inst, Op, Operand};
use crate::types::Type;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// How far bounds of inner loops are followed.
const MAX_DEPTH: u32 = 32;

/// The inner loops' counted forms as they are before the nest, with the instructions that their operands are
/// computed from, which do not stand in the outermost loop's preheader yet. `None` if an operand depends on
/// an outer induction local, on a call or on control flow.
pub fn bounds_before(body: &mut Body, nest: &[Loop]) -> Option<(Vec<Induction>, Vec<Inst>)> {
    let &outermost = nest.first()?;
    let inductions: Option<Vec<Induction>> =
        nest.iter().map(|&loop_| body.loops[loop_].induction.clone()).collect();
    let inductions = inductions?;
    let mut inside: SecondaryMap<Local, Option<(Block, usize)>> = SecondaryMap::new();
    let mut definitions: SecondaryMap<Local, u32> = SecondaryMap::new();
    body.params.iter().for_each(|&param| definitions[param] += 1);
    for &block in &body.order {
        let data = &body.blocks[block];
        for (index, inst) in data.insts.iter().enumerate() {
            inst.op.defs(|local| {
                definitions[local] += 1;
                if body.loop_is_within(data.loop_, outermost) {
                    inside[local] = Some((block, index));
                }
            });
        }
    }
    let mut hoister = Hoister { body, inside, definitions, copies: FxHashMap::default(), code: Vec::new() };
    let preheader = hoister.body.loops[outermost].preheader;
    let end = (preheader, hoister.body.blocks[preheader].insts.len());
    let Induction { iv, init, bound, step, cmp } = inductions[0];
    let [init, bound, step] =
        [init, bound, step].map(|operand| hoister.constant(operand, end).unwrap_or(operand));
    let mut result = vec![Induction { iv, init, bound, step, cmp }];
    for (&loop_, induction) in nest.iter().zip(&inductions).skip(1) {
        let Induction { iv, init, bound, step, cmp } = *induction;
        let preheader = hoister.body.loops[loop_].preheader;
        let end = (preheader, hoister.body.blocks[preheader].insts.len());
        let [init, bound, step] = [init, bound, step].map(|operand| hoister.operand(operand, end, MAX_DEPTH));
        result.push(Induction { iv, init: init?, bound: bound?, step: step?, cmp });
    }
    Some((result, hoister.code))
}

/// A place in the code: the instruction with this number, or the end of the block.
type Place = (Block, usize);

struct Hoister<'a> {
    body: &'a mut Body,
    /// The place of the last definition inside the nest.
    inside: SecondaryMap<Local, Option<Place>>,
    /// Number of definitions anywhere.
    definitions: SecondaryMap<Local, u32>,
    /// The copies of instructions that have been hoisted.
    copies: FxHashMap<Place, Local>,
    code: Vec<Inst>,
}

impl Hoister<'_> {
    /// The operand as it is at a place of the nest, computed before the nest.
    fn operand(&mut self, operand: Operand, at: Place, depth: u32) -> Option<Operand> {
        if let Some(constant) = self.constant(operand, at) {
            return Some(constant);
        }
        let Operand::Local(local) = operand else { return Some(operand) };
        let Some(only) = self.inside[local] else { return Some(operand) };
        let (block, index) =
            self.definition_before(local, at).or_else(|| (self.definitions[local] == 1).then_some(only))?;
        if let Some(&copy) = self.copies.get(&(block, index)) {
            return Some(Operand::Local(copy));
        }
        let mut inst = self.body.blocks[block].insts[index].clone();
        if depth == 0 || !inst.op.effects().pure {
            return None;
        }
        let mut operands = Vec::new();
        inst.op.operands(|operand| operands.push(operand));
        let mut hoisted = Vec::with_capacity(operands.len());
        for operand in operands {
            hoisted.push(self.operand(operand, (block, index), depth - 1)?);
        }
        let mut hoisted = hoisted.into_iter();
        inst.op.map_operands(|operand| hoisted.next().unwrap_or(operand));
        let copy = self.body.local_like(local);
        inst.op.map_defs(|_| copy);
        self.code.push(inst);
        self.copies.insert((block, index), copy);
        Some(Operand::Local(copy))
    }

    /// The constant that an operand is at a place, if copies in the same block say so: a counter is written
    /// by its loop, too.
    fn constant(&self, mut operand: Operand, mut at: Place) -> Option<Operand> {
        while let Operand::Local(local) = operand {
            at = self.definition_before(local, at)?;
            let Op::Copy { src, .. } = self.body.blocks[at.0].insts[at.1].op else { return None };
            operand = src;
        }
        Some(operand)
    }

    /// The definition of a local that reaches a place from the same block.
    fn definition_before(&self, local: Local, (block, end): Place) -> Option<Place> {
        let insts = &self.body.blocks[block].insts[..end];
        let defines = |inst: &Inst| {
            let mut found = false;
            inst.op.defs(|defined| found |= defined == local);
            found
        };
        insts.iter().rposition(defines).map(|index| (block, index))
    }
}

/// Exchanges a loop with the only loop inside of it, as [`crate::analysis::perfect::only_inner`] finds it:
/// what stands between the loops computes only, and is computed in the body of the inner loop then. False if
/// the bounds of the inner loop are not known before the outer one; then nothing is changed.
///
/// The loops keep their places, and with them their directives: their counters change places.
pub fn interchange(body: &mut Body, outer: Loop, inner: Loop) -> bool {
    let Some((inductions, code)) = bounds_before(body, &[outer, inner]) else { return false };
    let [of_outer, of_inner] = &inductions[..] else { return false };
    let preheader = body.loops[outer].preheader;
    body.blocks[preheader].insts.extend(code);
    let between: Vec<Block> = body
        .order
        .iter()
        .copied()
        .filter(|&block| {
            let LoopData { header, latch, .. } = body.loops[outer];
            body.blocks[block].loop_ == Some(outer) && block != header && block != latch
        })
        .collect();
    let mut before_inner = Vec::new();
    let mut at = body.loops[outer].body;
    // A straight line of blocks leads to the inner loop.
    for _ in &between {
        before_inner.push(at);
        if at == body.loops[inner].preheader {
            break;
        }
        let mut next = at;
        body.blocks[at].term.successors(|to| next = to);
        at = next;
    }
    let moved: Vec<Inst> =
        before_inner.iter().flat_map(|&block| std::mem::take(&mut body.blocks[block].insts)).collect();
    let counters = [of_outer.iv, of_inner.iv];
    let moved = moved.into_iter().filter(|inst| inst.op.dst().is_none_or(|dst| !counters.contains(&dst)));
    let first = body.loops[inner].body;
    body.blocks[first].insts.splice(0..0, moved);
    // Nobody reads what is computed behind the inner loop.
    for block in between.iter().filter(|block| !before_inner.contains(block)) {
        body.blocks[*block].insts.clear();
    }
    for (loop_, old, new) in [(outer, of_outer, of_inner), (inner, of_inner, of_outer)] {
        count_with(body, loop_, old.iv, new);
    }
    true
}

/// Lets a loop count with another induction, whose operands are known in its preheader.
pub(super) fn count_with(body: &mut Body, loop_: Loop, old: Local, new: &Induction) {
    let LoopData { preheader, header, body: first, latch, exit, pos, .. } = body.loops[loop_];
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    cursor.assign(new.iv, new.init);
    body.blocks[header].insts.clear();
    let mut cursor = Cursor::with_pos(body, header, pos);
    let more = cursor.compare(new.cmp, Operand::Local(new.iv), new.bound);
    cursor.branch(more, first, exit);
    body.blocks[latch].insts.retain(|inst| inst.op.dst() != Some(old));
    let mut cursor = Cursor::with_pos(body, latch, pos);
    let iv = Operand::Local(new.iv);
    match cursor.body.locals[new.iv].ty {
        Type::Ptr => {
            cursor.op(Op::Index { dst: new.iv, base: iv, index: new.step, scale: 1, offset: 0, extent: None })
        }
        _ => cursor.op(Op::Binary { dst: new.iv, op: BinaryOp::Add, a: iv, b: new.step }),
    }
    body.loops[loop_].induction = Some(new.clone());
}
