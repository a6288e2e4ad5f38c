//! How loops count.

use crate::acc::LoopDirective;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, LoopData};
use crate::op::{BinaryOp, CmpOp, Inst, Op, Operand, Terminator};
use crate::types::Type;

/// Counters beyond this are not followed.
const FAR: i64 = 1 << 30;

/// The counter of a loop that begins with a test of it and that only the latch is seen to change; that
/// nothing else does, is not looked at.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    pub(super) iv: Local,
    /// Its type.
    pub(super) ty: Type,
    /// Its value in the first iteration.
    pub(super) first: Operand,
    pub(super) step: i64,
    /// The loop goes on while the counter is this to the bound.
    pub(super) cmp: CmpOp,
    pub(super) bound: Operand,
}

impl Counter {
    /// For a loop that its threads do not share.
    pub(super) fn of(body: &Body, loop_: Loop) -> Option<Counter> {
        Counter::of_loop(body, &body.loops[loop_])
    }

    /// The same for a loop that need not be listed.
    pub(super) fn of_loop(body: &Body, data: &LoopData) -> Option<Counter> {
        let [Inst { op: Op::Compare { dst, op: cmp, a: Operand::Local(iv), b: bound }, .. }] =
            body.blocks[data.header].insts[..]
        else {
            return None;
        };
        let test = Terminator::Branch { cond: Operand::Local(dst), then: data.body, otherwise: data.exit };
        if data.directive.as_ref().is_some_and(says_something) || body.blocks[data.header].term != test {
            return None;
        }
        let last = |block: Block, local: Local| {
            let mut found = body.blocks[block].insts.iter().rev();
            found.find(|inst| inst.op.dst() == Some(local)).map(|inst| &inst.op)
        };
        let Op::Copy { src: first, .. } = *last(data.preheader, iv)? else { return None };
        let stepped = match *last(data.latch, iv)? {
            Op::Copy { src: Operand::Local(sum), .. } => last(data.latch, sum)?,
            ref op => op,
        };
        let step = match *stepped {
            Op::Binary { op: BinaryOp::Add, a, b: Operand::Int(_, step), .. } if a == Operand::Local(iv) => {
                step
            }
            Op::Binary { op: BinaryOp::Sub, a, b: Operand::Int(_, step), .. } if a == Operand::Local(iv) => {
                step.checked_neg()?
            }
            _ => return None,
        };
        let ty = body.locals[iv].ty;
        (matches!(ty, Type::I32 | Type::I64) && is_near(step)).then_some(Counter {
            iv,
            ty,
            first,
            step,
            cmp,
            bound,
        })
    }

    /// The value in the first iteration and the number of iterations, if both are constants and the number is
    /// at most `most`.
    pub(super) fn times(&self, most: usize) -> Option<(i64, usize)> {
        let (Operand::Int(_, first), Operand::Int(_, bound)) = (self.first, self.bound) else { return None };
        let goes_on = |value: i64| match self.cmp {
            CmpOp::Lt => Some(value < bound),
            CmpOp::Le => Some(value <= bound),
            CmpOp::Gt => Some(value > bound),
            CmpOp::Ge => Some(value >= bound),
            CmpOp::Ne => Some(value != bound),
            CmpOp::Eq | CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe | CmpOp::Unordered => None,
        };
        let mut value = first;
        for times in 0..=most {
            if !is_near(value) {
                return None;
            }
            if !goes_on(value)? {
                return Some((first, times));
            }
            value += self.step;
        }
        None
    }
}

fn is_near(value: i64) -> bool {
    (-FAR..=FAR).contains(&value)
}

/// Whether a directive says more than that its loop is sequential.
pub(super) fn says_something(directive: &LoopDirective) -> bool {
    let LoopDirective { collapse, tile, private, reductions, scans, levels, .. } = directive;
    let lists_none = tile.is_empty() && private.is_empty() && reductions.is_empty() && scans.is_empty();
    !levels.is_empty() || *collapse > 1 || !lists_none
}
