//! Shares the iterations of partitioned loops between threads.
//!
//! Before: a loop with levels runs over all of its iterations. After: if the target has several threads at
//! these levels, the loop runs over the logical iterations `offset, offset + step, ...` below `bound` that
//! [`Op::LoopShare`] gives the thread, and its body begins by computing the induction local from the logical
//! iteration. If one thread does everything, the loop stays as it is. [`crate::edit::induction`] says what is
//! counted.

#[cfg(test)]
mod tests;

use super::env::{Env, Work, context, each_body};
use crate::builder::Cursor;
use crate::edit::induction::{induction_value, trip_count};
use crate::entities::Loop;
use crate::function::{Body, Induction, LoopData};
use crate::module::Module;
use crate::op::{BinaryOp, CmpOp, LoopShare, Op, Operand};
use crate::report::PassError;
use crate::types::Type;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let Work { module, func, body } = work;
        for loop_ in body.loop_tree() {
            let Some(directive) = &body.loops[loop_].directive else { continue };
            if directive.levels.is_empty() || !env.target.partitions(context(module, func), &directive.levels)
            {
                continue;
            }
            let pos = body.loops[loop_].pos;
            if !share(body, loop_) {
                let error = Work { module, func, body }
                    .defect(pos, format!("{loop_} is partitioned but not countable"));
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Rewrites a loop; false if it has no counted form.
fn share(body: &mut Body, loop_: Loop) -> bool {
    let LoopData { preheader, header, body: first, latch, exit, pos, ref mut induction, .. } =
        body.loops[loop_];
    let Some(Induction { iv, mut init, bound, step, cmp }) = induction.take() else { return false };
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    if init == Operand::Local(iv) {
        init = cursor.copy(init);
    }
    let counted = Induction { iv, init, bound, step, cmp };
    let trip = trip_count(&mut cursor, &counted);
    let mut part = |share| {
        let dst = cursor.temp(Type::I64);
        cursor.op(Op::LoopShare { dst, share, loop_, trip });
        Operand::Local(dst)
    };
    let (offset, stride, end) = (part(LoopShare::Offset), part(LoopShare::Step), part(LoopShare::Bound));
    let logical = cursor.temp(Type::I64);
    cursor.assign(logical, offset);

    body.blocks[header].insts.clear();
    let mut cursor = Cursor::with_pos(body, header, pos);
    let more = cursor.compare(CmpOp::Lt, Operand::Local(logical), end);
    cursor.branch(more, first, exit);

    let directive = body.loops[loop_].directive.as_ref();
    let in_chunks =
        directive.and_then(|d| d.gang.as_ref()).is_some_and(|gang| matches!(gang.static_, Some(Some(_))));
    Cursor::at_start(body, first, pos, |cursor| {
        let mut iteration = Operand::Local(logical);
        if in_chunks {
            iteration = cursor.loop_share(LoopShare::Iteration, loop_, iteration);
        }
        induction_value(cursor, &counted, iteration);
    });

    body.blocks[latch].insts.retain(|inst| inst.op.dst() != Some(iv));
    let mut cursor = Cursor::with_pos(body, latch, pos);
    cursor.op(Op::Binary { dst: logical, op: BinaryOp::Add, a: Operand::Local(logical), b: stride });
    body.loops[loop_].induction =
        Some(Induction { iv: logical, init: offset, bound: end, step: stride, cmp: CmpOp::Lt });
    true
}
