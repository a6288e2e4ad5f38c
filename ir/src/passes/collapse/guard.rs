//! A test around the body of a merged nest, which some of the iterations that a thread executes together pass
//! and others do not: `if (j <= i)` in a triangle.
//!
//! ```text
//!     before:  for each (i, j):          if (j <= i) for k: sum += x[i][k] * x[j][k]; y[i][j] = sum
//!     after:   for each (i, j), 2 by 1:  pass = [j <= i, j <= i + 8]
//!                                        if any: for k: ...; if pass[0]: y[i][j] = sum0; if pass[1]: ...
//! ```
//!
//! A thread of whose iterations none passes does nothing. Elsewhere it executes all of them, but only those
//! that pass touch memory of their own. The rest is what iterations of a row or of a column have in common;
//! where no iteration of a row passes, the row is another one of which one does, and so with columns: what is
//! loaded in common is what an iteration that passes would load alone.

use super::jam::{COLUMN, Merged, Names, Plan, ROW, loops_inside};
use crate::builder::Cursor;
use crate::entities::{Block, Local};
use crate::function::Body;
use crate::op::{BinaryOp, CmpOp, Op, Operand, Terminator};
use crate::types::Type;
use rustc_hash::FxHashSet;

/// A test at the beginning of the body, which leads past all of the rest.
pub(super) struct Guard {
    /// The blocks up to the one that tests, which only compute.
    before: Vec<Block>,
    cond: Operand,
    /// The value of the condition with which the body is executed, and where that begins.
    holds: bool,
    pub(super) inside: Block,
}

impl Guard {
    pub(super) fn of(body: &Body, merged: &Merged<'_>) -> Option<Guard> {
        let latch = body.loops[merged.loop_].latch;
        let headers: FxHashSet<Block> =
            loops_inside(body, merged).into_iter().map(|loop_| body.loops[loop_].header).collect();
        let only_computes = |block: Block| {
            let mut effects = body.blocks[block].insts.iter().map(|inst| inst.op.effects());
            effects.all(|effects| effects.pure && !effects.reads)
        };
        // Follows jumps through blocks that only compute.
        let way = |from: Block| {
            let mut way = Vec::new();
            let mut block = from;
            while block != latch && !headers.contains(&block) && only_computes(block) && !way.contains(&block)
            {
                way.push(block);
                let Terminator::Jump(to) = body.blocks[block].term else { break };
                block = to;
            }
            (way, block)
        };
        let (before, _) = way(merged.blocks[0]);
        let &Terminator::Branch { cond, then, otherwise } = &body.blocks[*before.last()?].term else {
            return None;
        };
        let leads_past = |side: Block| way(side).1 == latch;
        let (holds, inside) = match (leads_past(then), leads_past(otherwise)) {
            (false, true) => (true, then),
            (true, false) => (false, otherwise),
            _ => return None,
        };
        Some(Guard { before, cond, holds, inside })
    }

    /// The blocks of the body that iterations come to which pass.
    pub(super) fn passed(&self, body: &Body, merged: &Merged<'_>) -> Vec<Block> {
        let mut found: FxHashSet<Block> = self.before.iter().copied().collect();
        let mut open = vec![self.inside];
        while let Some(block) = open.pop() {
            if found.insert(block) {
                body.blocks[block].term.successors(|to| open.push(to));
            }
        }
        merged.blocks.iter().copied().filter(|block| found.contains(block)).collect()
    }

    /// The block that tests.
    pub(super) fn block(&self) -> Block {
        self.before[self.before.len() - 1]
    }

    pub(super) fn cond(&self) -> Operand {
        self.cond
    }

    /// Writes which of the iterations that have these names pass: a bit for each. Goes on where one does, and
    /// leads to `end` otherwise.
    pub(super) fn test(&self, cursor: &mut Cursor<'_>, plan: &Plan, names: &Names, end: Block) -> Operand {
        for &block in &self.before {
            for inst in cursor.body.blocks[block].insts.clone() {
                names.numbers(plan, &inst.op).for_each(|number| cursor.op(names.op(&inst.op, number)));
            }
        }
        let mut passing = bits(0);
        for number in 0..names.count() {
            let cond = names.operand(self.cond, number);
            let (set, clear) = (bits(1 << number), bits(0));
            let bit = match self.holds {
                true => cursor.select(cond, set, clear),
                false => cursor.select(cond, clear, set),
            };
            passing = cursor.binary(BinaryOp::Or, passing, bit);
        }
        let go = cursor.new_block();
        let any = cursor.compare(CmpOp::Ne, passing, bits(0));
        cursor.branch(any, go, end);
        cursor.switch_to(go);
        passing
    }
}

/// Calls the numbers of rows, or of columns, of which an iteration passes by new names, in the place of those
/// of the others, too. `all`: where each row or column begins, and the bits of its iterations.
pub(super) fn choose(
    cursor: &mut Cursor<'_>,
    passing: Operand,
    index: Local,
    (tested, names): (&Names, &Names),
    all: impl Iterator<Item = ([u32; 2], u32)>,
) {
    let all: Vec<([u32; 2], u32)> = all.collect();
    let number = |at: [u32; 2]| Operand::Local(tested.local(index, at));
    if let [(at, _)] = all[..] {
        cursor.assign(names.local(index, at), number(at));
        return;
    }
    let passes: Vec<Operand> = all.iter().map(|&(_, bits)| has_any(cursor, passing, bits)).collect();
    let mut one = number(all[all.len() - 1].0);
    for (&(at, _), &passes) in all.iter().zip(&passes).rev().skip(1) {
        one = cursor.select(passes, number(at), one);
    }
    for (&(at, _), &passes) in all.iter().zip(&passes) {
        let chosen = cursor.select(passes, number(at), one);
        cursor.assign(names.local(index, at), chosen);
    }
}

/// Whether one of some iterations passes.
pub(super) fn has_any(cursor: &mut Cursor<'_>, passing: Operand, of: u32) -> Operand {
    let some = cursor.binary(BinaryOp::And, passing, bits(of));
    cursor.compare(CmpOp::Ne, some, bits(0))
}

/// Whether an operation touches memory that other iterations have nothing to do with: the one of all
/// operations that an iteration which does not pass must not execute.
pub(super) fn is_of_one(plan: &Plan, op: &Op) -> bool {
    let (Op::Load { addr, .. } | Op::Store { addr, .. }) = op else { return false };
    plan.depends.op(op) == ROW | COLUMN && !plan.depends.is_own(addr.base)
}

fn bits(value: u32) -> Operand {
    Operand::Int(Type::I32, i64::from(value as i32))
}
