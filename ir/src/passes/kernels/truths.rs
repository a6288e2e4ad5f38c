//! Lets code compare what it asks about, rather than the truth value that a comparison has given.
//!
//! Before: `while ((a > b) != 0)` compares the number that is made of a truth value with zero. After: where
//! the truth value comes from a comparison of the same block, whose operands still have their values, that
//! comparison, or the opposite one, is made again in the place of the one with zero. The rest of the analysis
//! then finds in a header what the loop counts.

use crate::analysis::facts::opposite;
use crate::entities::{Block, Local};
use crate::function::Body;
use crate::op::{CmpOp, Inst, Op, Operand};
use crate::types::Type;

/// Rewrites the comparisons in some blocks.
pub fn look_through(body: &mut Body, blocks: &[Block]) {
    for &block in blocks {
        for n in 0..body.blocks[block].insts.len() {
            // `((a > b) != 0) == 0` has several of them, and each is about the one before.
            while let Some(op) = asked(body, &body.blocks[block].insts, n) {
                body.blocks[block].insts[n].op = op;
            }
        }
    }
}

/// The comparison that an instruction asks about, if it compares the truth value of one with zero.
fn asked(body: &Body, insts: &[Inst], n: usize) -> Option<Op> {
    let Op::Compare { dst, op: asks @ (CmpOp::Ne | CmpOp::Eq), a, b } = insts[n].op else { return None };
    let [value, zero] = if a.as_int().is_some() { [b, a] } else { [a, b] };
    if zero.as_int() != Some(0) || !body.operand_type(value).is_int() {
        return None;
    }
    let definition =
        |local: Local, before: usize| insts[..before].iter().rposition(|inst| assigns(inst, local));
    // Conversions among integers keep the truth value, whatever the sign.
    let is_exact = |ty: Type| ty == Type::I1 || ty.is_int();
    let (mut local, mut at) = (value.as_local()?, n);
    let (op, a, b) = loop {
        at = definition(local, at)?;
        match insts[at].op {
            Op::Copy { src: Operand::Local(src), .. } => local = src,
            Op::Convert { src: Operand::Local(src), .. } if is_exact(body.locals[src].ty) => local = src,
            Op::Compare { op, a, b, .. } => break (op, a, b),
            _ => return None,
        }
    };
    let is_number = body.operand_type(a).is_int();
    let op = if asks == CmpOp::Ne { op } else { opposite(op).filter(|_| is_number)? };
    let stays = |operand: Operand| {
        operand.as_local().is_none_or(|local| !insts[at..n].iter().any(|inst| assigns(inst, local)))
    };
    (stays(a) && stays(b)).then_some(Op::Compare { dst, op, a, b })
}

fn assigns(inst: &Inst, local: Local) -> bool {
    let mut found = false;
    inst.op.defs(|written| found |= written == local);
    found
}
