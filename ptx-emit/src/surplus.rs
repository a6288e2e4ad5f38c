//! Teams and the threads of a gang that are none of them.
//!
//! Before: the loop of a team (`team` in `ir/src/acc.rs`) has an iteration for each thread, or fewer where a
//! row of lanes is no whole number of warps, and threads meet in it. After: where all loops of teams have one
//! for each thread, they meet at barriers like all others. Otherwise, those without an iteration come to
//! every meeting, too, until the ones with an iteration say that they are done:
//!
//! ```text
//!     before:  if number < size { ...  meet  ... }
//!     after:   if number < size { ...  meet(no)  ...  meet(yes) } else { while not meet(no) {} }
//! ```
//!
//! Who comes to a meeting does not know which one it is, so that all of a program have this form if one has.

use crate::once::fills_warps;
use accrue_ir::builder::Cursor;
use accrue_ir::{
    BlockData, Body, Function, Induction, Inst, Level, Loop, LoopData, Module, Op, Operand, Terminator, Type,
};

/// Runs the pass.
pub(crate) fn run(module: &mut Module) {
    let bodies = || module.functions.values().filter_map(|function| function.body.as_deref());
    if !bodies().any(|body| body.order.iter().any(|&block| body.blocks[block].insts.iter().any(is_meeting))) {
        return;
    }
    let are_whole = module.functions.values().all(|function| {
        function
            .body
            .as_deref()
            .is_none_or(|body| teams(body).into_iter().all(|loop_| is_whole(function, body, loop_)))
    });
    for body in module.functions.values_mut().filter_map(|function| function.body.as_deref_mut()) {
        if are_whole {
            let insts = body.blocks.values_mut().flat_map(|block| &mut block.insts);
            for inst in insts.filter(|inst| is_meeting(inst)) {
                inst.op = Op::Barrier { level: Level::Worker };
            }
            continue;
        }
        for loop_ in teams(body) {
            wait_for_team(body, loop_);
        }
    }
}

pub(crate) fn is_meeting(inst: &Inst) -> bool {
    matches!(inst.op, Op::Meet { .. })
}

/// The loops of teams.
fn teams(body: &Body) -> Vec<Loop> {
    body.live_loops().into_iter().filter(|&loop_| body.loops[loop_].is_team()).collect()
}

/// Whether each thread of a gang has an iteration.
fn is_whole(function: &Function, body: &Body, loop_: Loop) -> bool {
    // The step is the number of threads.
    let counts = body.loops[loop_].induction.as_ref();
    let is_all = |counts: &Induction| matches!((counts.bound, counts.step), (Operand::Int(_, a), Operand::Int(_, b)) if a == b);
    counts.is_some_and(is_all) && fills_warps(function)
}

/// Lets threads without an iteration wait for those that have one.
fn wait_for_team(body: &mut Body, loop_: Loop) {
    let LoopData { parent, header, body: first, latch, exit, pos, ref induction, .. } = body.loops[loop_];
    let counter = induction.as_ref().map(|induction| induction.iv);
    let Terminator::Branch { cond, then, .. } = body.blocks[header].term else { return };
    if then != first {
        return;
    }
    let construct = body.blocks[exit].construct;
    let wait = body.blocks.push(BlockData { loop_: parent, construct, ..Body::empty_block() });
    let place = body.order.iter().position(|&block| block == exit).unwrap_or(body.order.len());
    body.order.insert(place, wait);
    body.blocks[header].term = Terminator::Branch { cond, then, otherwise: wait };
    body.blocks[latch].insts.retain(|inst| counter.is_none() || inst.op.dst() != counter);
    let mut cursor = Cursor::with_pos(body, latch, pos);
    meet(&mut cursor, true);
    cursor.switch_to(wait);
    let are_done = meet(&mut cursor, false);
    cursor.branch(are_done, exit, wait);
    body.blocks[latch].term = Terminator::Jump(exit);
    body.dissolve_loop(loop_);
}

fn meet(cursor: &mut Cursor<'_>, are_done: bool) -> Operand {
    let dst = cursor.temp(Type::I1);
    cursor.op(Op::Meet { dst, any: Operand::Int(Type::I1, are_done.into()) });
    Operand::Local(dst)
}
