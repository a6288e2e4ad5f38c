//! Expands the abstract operations by the target's hooks.
//!
//! Before: markers, forks, joins, quads, locks, dimensions and shares of loops stand in the code as
//! operations. After: they are gone, or are such as the target's code generator implements. Loops stay true:
//! where an expansion splits the block before a loop or its latch, the last piece takes the block's role.

use super::env::{Env, Work, context, each_body};
use crate::acc::RedObject;
use crate::builder::Cursor;
use crate::entities::{Block, Local};
use crate::module::Module;
use crate::op::{Class, ConvertOp, Op, Operand, Terminator};
use crate::report::{Fault, Limit, PassError, Report};
use crate::target::{Context, Emitter, Target};
use crate::types::Type;
use rustc_hash::FxHashMap;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        if work
            .body
            .order
            .iter()
            .any(|&block| work.body.blocks[block].insts.iter().any(|i| is_abstract(&i.op)))
        {
            return expand(work, env.target, env.report);
        }
        Ok(())
    })
}

fn is_abstract(op: &Op) -> bool {
    op.class() == Class::Abstract
}

fn expand(work: Work<'_>, target: &mut dyn Target, report: &mut Report) -> Result<(), PassError> {
    let Work { module, func, body } = work;
    target.begin(context(module, func));
    let name = context(module, func).name.clone();
    expand_body(Work { module, func, body }, target, report).map_err(|Limit { pos, message }| PassError {
        pass: "",
        fault: Fault::Limit,
        function: name,
        pos,
        message,
    })
}

fn expand_body(work: Work<'_>, target: &mut dyn Target, report: &mut Report) -> Result<(), Limit> {
    let Work { module, func, body } = work;
    // Rebuilt block by block: what the hooks add lands behind the block it belongs to.
    let order = std::mem::take(&mut body.order);
    let own_loops = body.loops.len();
    let mut tails = FxHashMap::default();
    for block in order {
        body.order.push(block);
        let data = &mut body.blocks[block];
        if !data.insts.iter().any(|inst| is_abstract(&inst.op)) {
            continue;
        }
        let insts = std::mem::take(&mut data.insts);
        let term = std::mem::replace(&mut data.term, Terminator::Unreachable);
        let term_pos = data.term_pos;
        let cursor = Cursor::new(body, block);
        let mut emit = Emitter { module, cursor, report };
        for inst in insts {
            emit.pos = inst.pos;
            expand_op(target, &mut emit, inst.op)?;
        }
        let last = emit.block;
        body.blocks[last].term = term;
        body.blocks[last].term_pos = term_pos;
        if last != block {
            tails.insert(block, last);
        }
    }
    // The loops that hooks made name their blocks as they are.
    for data in body.loops.values_mut().take(own_loops) {
        for block in [&mut data.preheader, &mut data.latch] {
            *block = tails.get(block).copied().unwrap_or(*block);
        }
    }
    // Expansion may have moved the return to another block than the one that had it: a `fini` at the end of a
    // region is one.
    let returns = |block: &Block| matches!(body.blocks[*block].term, Terminator::Return(_));
    for block in body.order.iter().copied().filter(returns).collect::<Vec<_>>() {
        leave(Work { module, func, body }, block, target, report)?;
    }
    finish(Work { module, func, body }, target, report);
    Ok(())
}

/// Lets the target add to the end of a block that returns.
fn leave(work: Work<'_>, block: Block, target: &mut dyn Target, report: &mut Report) -> Result<(), Limit> {
    let Work { module, func, body } = work;
    let data = &mut body.blocks[block];
    let term = std::mem::replace(&mut data.term, Terminator::Unreachable);
    let term_pos = data.term_pos;
    // Its body is empty at the moment, so that this is no large copy.
    let function = module.functions[func].clone();
    let mut emit = Emitter { module, cursor: Cursor::with_pos(body, block, term_pos), report };
    target.leave(Context::of(func, &function), &mut emit)?;
    let last = emit.block;
    let data = &mut body.blocks[last];
    (data.term, data.term_pos) = (term, term_pos);
    Ok(())
}

/// Lets the target add to the start of the function, where every path comes by. What the entry block held
/// goes behind that.
fn finish(work: Work<'_>, target: &mut dyn Target, report: &mut Report) {
    let Work { module, func, body } = work;
    let entry = body.entry();
    let known_loops = body.loops.len();
    let data = &mut body.blocks[entry];
    let term = std::mem::replace(&mut data.term, Terminator::Unreachable);
    let (insts, term_pos) = (std::mem::take(&mut data.insts), data.term_pos);
    // Its body is empty at the moment, so that this is no large copy.
    let function = module.functions[func].clone();
    let mut emit = Emitter { module, cursor: Cursor::new(body, entry), report };
    target.end(Context::of(func, &function), &mut emit);
    let last = emit.block;
    let data = &mut body.blocks[last];
    data.insts.extend(insts);
    (data.term, data.term_pos) = (term, term_pos);
    for data in body.loops.values_mut().take(known_loops).filter(|data| data.preheader == entry) {
        data.preheader = last;
    }
}

fn expand_op(target: &mut dyn Target, emit: &mut Emitter<'_>, op: Op) -> Result<(), Limit> {
    match op {
        Op::HeadMark { loop_, inner } => target.head_mark(emit, loop_, inner),
        Op::TailMark { loop_, inner } => target.tail_mark(emit, loop_, inner),
        Op::Fork { level, loop_ } => target.fork(emit, level, loop_),
        Op::Join { level, loop_ } => target.join(emit, level, loop_),
        Op::Lock { level, loop_ } => target.lock(emit, level, loop_),
        Op::Unlock { level, loop_ } => target.unlock(emit, level, loop_),
        Op::Reduction(call) => match call.object {
            RedObject::Scalar { dst, local } => {
                let value = target.reduce_scalar(emit, &call, local)?;
                assign(emit, dst, value);
            }
            RedObject::Array { local, count } => target.reduce_array(emit, &call, local, count)?,
        },
        Op::DimSize { dst, level } => {
            let value = target.dim_size(emit, level);
            assign(emit, dst, value);
        }
        Op::DimPos { dst, level } => {
            let value = target.dim_pos(emit, level);
            assign(emit, dst, value);
        }
        Op::OnDevice { dst, device } => {
            let value = target.on_device(emit, device);
            emit.op(Op::Copy { dst, src: value });
        }
        Op::LoopShare { dst, share, loop_, trip } => {
            let value = target.loop_share(emit, share, loop_, trip);
            assign(emit, dst, value);
        }
        other => emit.op(other),
    }
    Ok(())
}

/// Writes a hook's value to its destination; dimensions may come as `i32` and be wanted wider.
fn assign(emit: &mut Emitter<'_>, dst: Local, value: Operand) {
    if value == Operand::Local(dst) {
        return;
    }
    let (from, to) = (emit.body.operand_type(value), emit.body.locals[dst].ty);
    if from == to {
        emit.op(Op::Copy { dst, src: value });
    } else {
        let op = if from == Type::I32 && to == Type::I64 { ConvertOp::SExt } else { ConvertOp::Trunc };
        emit.op(Op::Convert { dst, op, src: value });
    }
}
