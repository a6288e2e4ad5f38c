//! Two bounds of one counter become one.
//!
//! Before: `for (j = i; j < i + s && j < n; j++)` is left from its middle where the second test fails. After:
//! its header compares `j` with the lesser of both numbers, if the second test needs nothing but values, so
//! that it may be made where the first one fails.

use crate::analysis::accumulation::{nearer, swapped};
use crate::analysis::cfg::predecessors_of;
use crate::analysis::compared::Compared;
use crate::analysis::liveness::reads;
use crate::builder::Cursor;
use crate::entities::{Block, Local, Loop};
use crate::function::Body;
use crate::op::{Class, CmpOp, Op, Operand, Terminator};
use crate::types::Type;

/// Rewrites those loops that have no directive.
pub fn join(body: &mut Body, loops: &[Loop]) {
    for &loop_ in loops {
        let data = &body.loops[loop_];
        if data.induction.is_some() || data.directive.is_some() {
            continue;
        }
        while let Some(tests) = Tests::of(body, loop_) {
            tests.join(body, loop_);
        }
    }
}

/// What the header of a loop asks, and what its body asks first.
struct Tests {
    cmp: CmpOp,
    ty: Type,
    counter: Operand,
    bounds: [Operand; 2],
    /// The block that asks for the second, and the one where it holds.
    second: Block,
    body: Block,
}

impl Tests {
    fn of(body: &Body, loop_: Loop) -> Option<Tests> {
        let data = &body.loops[loop_];
        let second = data.body;
        let asks = &body.blocks[second];
        let Terminator::Branch { then, otherwise, .. } = asks.term else { return None };
        let is_shaped = (otherwise == data.exit && then != data.exit)
            && (asks.loop_ == Some(loop_) && second != data.latch)
            && predecessors_of(body, second) == [data.header]
            && asks.insts.iter().all(|inst| inst.op.class() == Class::Value && !inst.op.effects().writes);
        if !is_shaped || leaves_values(body, second) {
            return None;
        }
        let (one, other) = (compare(body, data.header)?, compare(body, second)?);
        let insts: Vec<_> =
            [data.header, second].iter().flat_map(|&at| body.blocks[at].insts.clone()).collect();
        let source = |operand: Operand| operand.as_local().map(|local| Compared::of(body, &insts, local));
        let side = |(cmp, a, b): (CmpOp, Operand, Operand)| [(cmp, a, b), (swapped(cmp), b, a)];
        let pairs =
            side(one).into_iter().flat_map(|one| side(other).into_iter().map(move |other| (one, other)));
        let mut pairs = pairs.filter(|((cmp, a, _), (again, b, _))| {
            cmp == again && nearer(*cmp).is_some() && source(*a).is_some() && source(*a) == source(*b)
        });
        let ((cmp, counter, bound), (.., next)) = pairs.next()?;
        let ty = body.operand_type(bound);
        let is_number = matches!(ty, Type::I32 | Type::I64) && body.operand_type(next) == ty;
        let bounds = [bound, next];
        is_number.then_some(Tests { cmp, ty, counter, bounds, second, body: then })
    }

    fn join(&self, body: &mut Body, loop_: Loop) {
        let header = body.loops[loop_].header;
        let insts = std::mem::take(&mut body.blocks[self.second].insts);
        body.blocks[header].insts.extend(insts);
        let pos = body.blocks[header].term_pos;
        let mut cursor = Cursor::with_pos(body, header, pos);
        let bound = cursor.temp(self.ty);
        let [a, b] = self.bounds;
        if let Some(op) = nearer(self.cmp) {
            cursor.op(Op::Binary { dst: bound, op, a, b });
        }
        let runs = cursor.compare(self.cmp, self.counter, Operand::Local(bound));
        if let Terminator::Branch { cond, then, .. } = &mut body.blocks[header].term {
            (*cond, *then) = (runs, self.body);
        }
        body.loops[loop_].body = self.body;
        body.remove_unreachable();
    }
}

/// The comparison that a block ends with, which goes on where it holds.
fn compare(body: &Body, block: Block) -> Option<(CmpOp, Operand, Operand)> {
    let Terminator::Branch { cond, .. } = body.blocks[block].term else { return None };
    let made = body.blocks[block].insts.iter().rev().find(|inst| inst.op.dst() == cond.as_local())?;
    match made.op {
        Op::Compare { op, a, b, .. } => Some((op, a, b)),
        _ => None,
    }
}

/// Whether code elsewhere reads what a block computes: `i` of `i > 0 && i-- > n`.
fn leaves_values(body: &Body, block: Block) -> bool {
    let assigned: Vec<Local> = body.blocks[block].insts.iter().filter_map(|inst| inst.op.dst()).collect();
    body.order.iter().filter(|&&other| other != block).any(|&other| {
        let mut found = false;
        let mut note = |local: Local| found |= assigned.contains(&local);
        body.blocks[other].insts.iter().for_each(|inst| reads(body, &inst.op, &mut note));
        body.blocks[other].term.uses(note);
        found
    })
}
