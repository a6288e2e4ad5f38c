//! Loops that run over the numbers of some of their iterations: those of a thread.

use super::induction::induction_value;
use crate::builder::Cursor;
use crate::entities::Loop;
use crate::function::{Body, Induction, LoopData};
use crate::op::{BinaryOp, CmpOp, LoopShare, Op, Operand};
use crate::types::Type;

/// Where code in front of a loop goes, and how the loop counts, which the caller changes; none if it has no
/// counted form.
pub fn in_front(body: &mut Body, loop_: Loop) -> Option<(Cursor<'_>, Induction)> {
    let LoopData { preheader, pos, ref mut induction, .. } = body.loops[loop_];
    let Induction { iv, mut init, bound, step, cmp } = induction.take()?;
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    if init == Operand::Local(iv) {
        init = cursor.copy(init);
    }
    Some((cursor, Induction { iv, init, bound, step, cmp }))
}

/// The logical iterations of a thread, by their numbers from 0 on.
#[derive(Clone, Copy, Debug)]
pub struct Logical {
    /// Of the numbers: `i64`, or `i32` without a sign.
    pub ty: Type,
    /// The first one.
    pub from: Operand,
    /// From one to the next.
    pub step: Operand,
    /// Behind the last one.
    pub end: Operand,
    /// The numbers are those of [`LoopShare::Iteration`].
    pub in_chunks: bool,
}

/// Makes a loop run over logical iterations. Its preheader has computed them.
pub fn run_over(body: &mut Body, loop_: Loop, counted: &Induction, iterations: Logical) {
    let LoopData { preheader, header, body: first, latch, exit, pos, .. } = body.loops[loop_];
    let Logical { ty, from, step, end, in_chunks } = iterations;
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let logical = cursor.temp(ty);
    cursor.assign(logical, from);

    body.blocks[header].insts.clear();
    // Below twice 2^31, no number of an iteration and a step behind it wraps around.
    let less = if ty == Type::I32 { CmpOp::ULt } else { CmpOp::Lt };
    let mut cursor = Cursor::with_pos(body, header, pos);
    let more = cursor.compare(less, Operand::Local(logical), end);
    cursor.branch(more, first, exit);

    Cursor::at_start(body, first, pos, |cursor| {
        let mut iteration = Operand::Local(logical);
        if in_chunks {
            iteration = cursor.loop_share(LoopShare::Iteration, loop_, iteration);
        }
        induction_value(cursor, counted, iteration);
    });

    body.blocks[latch].insts.retain(|inst| inst.op.dst() != Some(counted.iv));
    let mut cursor = Cursor::with_pos(body, latch, pos);
    cursor.op(Op::Binary { dst: logical, op: BinaryOp::Add, a: Operand::Local(logical), b: step });
    body.loops[loop_].induction = Some(Induction { iv: logical, init: from, bound: end, step, cmp: less });
}
