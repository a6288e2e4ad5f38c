//! What is left of a loop behind several iterations at once: up to three iterations, at once as well.
//!
//! Rows are often short: a few elements of a sparse matrix, a few for each lane. One after the other, each of
//! the last iterations waits for its loads. Here they all load first: an iteration that is none loads what
//! the first one does, which is one, and leaves what the others have computed as it is.
//!
//! ```text
//!     before:  i < n?       yes: s += x[i]; i += 1; again
//!     after:   i + 1 < n?   yes: k = i + 2 < n ? i + 2 : i;
//!                                s += x[i]; s += x[i + 1]; t = s + x[k]; s = i + 2 < n ? t : s; ...
//!              as before
//! ```
//!
//! That is right for a body of one way that stores nothing and loads where its counter says: places that
//! depend on an iteration before might be anywhere in one that is none. A body whose loads depend on each
//! other gathers, and a load too many costs more there than it saves.

use super::ahead::{one_way, step_at_end, write};
use super::counted::Counted;
use super::facts::Facts;
use crate::lift::is_dear;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::rename::Rename;
use accrue_ir::visit::PartMut;
use accrue_ir::{BinaryOp, Block, Body, CmpOp, Inst, Local, Loop, LoopData, Op, Operand, Type};
use rustc_hash::FxHashSet;

/// Iterations at once, at most.
const MOST: usize = 3;

/// Operations of a body: longer ones compute as long as they wait.
const LONGEST: usize = 24;

/// The last iterations of a loop.
pub(super) struct Tail {
    /// The operations of an iteration in order, but for the step of the counter.
    insts: Vec<Inst>,
    /// What each iteration has for itself.
    own: Vec<Local>,
    /// What iterations hand to the next one, or to what follows the loop.
    kept: Vec<Local>,
}

impl Tail {
    /// For a loop with these blocks but for its header, in order, which only compute and access memory.
    pub(super) fn of(
        body: &Body,
        loop_: Loop,
        blocks: &[Block],
        (counted, facts): (Counted, &Facts<'_>),
    ) -> Option<Tail> {
        let LoopData { header, exit, .. } = body.loops[loop_];
        if !matches!(counted.less, CmpOp::Lt | CmpOp::ULt) {
            return None;
        }
        let mut insts = one_way(body, loop_, blocks)?;
        insts.remove(step_at_end(&insts, counted.counter)?);
        if insts.len() > LONGEST || insts.iter().any(|inst| inst.op.effects().writes) {
            return None;
        }
        let live = facts.liveness(body);
        let (mut own, mut kept) = (Vec::new(), Vec::new());
        for inst in &insts {
            inst.op.defs(|local| {
                let is_kept = live.is_live_in(local, header) || live.is_live_in(local, exit);
                let locals = if is_kept { &mut kept } else { &mut own };
                if !locals.contains(&local) {
                    locals.push(local);
                }
            });
        }
        let is_scalar = |local: &Local| {
            matches!(body.locals[*local].ty, Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::Ptr)
        };
        if !kept.iter().all(is_scalar) {
            return None;
        }
        let mut carried: FxHashSet<Local> = kept.iter().copied().collect();
        for inst in &insts {
            let is_load = matches!(inst.op, Op::Load { .. });
            let mut depends = false;
            inst.op.uses(|local| depends |= carried.contains(&local));
            if is_load && depends || is_dear(&inst.op) {
                return None;
            }
            if is_load || depends {
                inst.op.defs(|local| _ = carried.insert(local));
            }
        }
        Some(Tail { insts, own, kept })
    }

    /// Writes the iterations that are left, fewer than `times`, between the loop's header and what comes in
    /// front of it, and gives the new blocks, which belong there.
    pub(super) fn write(&self, body: &mut Body, loop_: Loop, counted: Counted, times: usize) -> Vec<Block> {
        let LoopData { parent, preheader, header, pos, .. } = body.loops[loop_].clone();
        let [tail, join] = [(); 2].map(|()| {
            let block = body.detached_block();
            body.blocks[block].loop_ = parent;
            block
        });
        let Counted { iv, counter, bound, step, less, .. } = counted;
        let mut cursor = Cursor::with_pos(body, preheader, pos);
        let has_one = cursor.compare(less, iv, bound);
        // So few that this does not overflow.
        let left = cursor.binary(BinaryOp::Sub, bound, iv);
        let has_more = cursor.compare(less, step, left);
        let has_several = cursor.binary(BinaryOp::And, has_one, has_more);
        cursor.branch(has_several, tail, join);
        Cursor::with_pos(body, join, pos).jump(header);
        body.loops[loop_].preheader = join;

        let mut cursor = Cursor::with_pos(body, tail, pos);
        let (mut at, mut ahead) = (iv, None);
        let iterations: Vec<(Option<Operand>, Rename)> = (0..MOST.min(times - 1))
            .map(|number| {
                let mut names = Rename::fresh(cursor.body, self.own.iter().copied());
                if number == 0 {
                    return (None, names);
                }
                at = cursor.add(at, step);
                let distance = match (ahead, step) {
                    (None, step) => step,
                    (Some(Operand::Int(ty, ahead)), Operand::Int(_, step)) => {
                        Operand::Int(ty, ahead.wrapping_add(step))
                    }
                    (Some(ahead), step) => cursor.add(ahead, step),
                };
                ahead = Some(distance);
                if number == 1 {
                    names.locals.extend(at.as_local().map(|place| (counter, place)));
                    return (None, names);
                }
                let is_one = cursor.compare(less, distance, left);
                let place = cursor.select(is_one, at, iv);
                names.locals.extend(place.as_local().map(|place| (counter, place)));
                (Some(is_one), names)
            })
            .collect();
        let mut end = iv;
        for (is_one, mut names) in iterations {
            let next = cursor.add(end, step);
            let Some(is_one) = is_one else {
                self.insts.iter().for_each(|inst| write(&mut cursor, inst, &names));
                end = next;
                continue;
            };
            let results = Rename::fresh(cursor.body, self.kept.iter().copied());
            for inst in &self.insts {
                // What it begins with is what the iteration in front of it has left.
                let mut op = inst.op.clone();
                op.parts_mut(|part| match part {
                    PartMut::Def(local) if self.kept.contains(local) => *local = results.local(*local),
                    part => names.part(part),
                });
                let written =
                    |local: Local| self.kept.contains(&local).then(|| (local, results.local(local)));
                inst.op.defs(|local| names.locals.extend(written(local)));
                cursor.pos = inst.pos;
                cursor.op(op);
            }
            cursor.pos = pos;
            for &local in &self.kept {
                let [after, before] = [results.local(local), local].map(Operand::Local);
                let value = cursor.select(is_one, after, before);
                cursor.assign(local, value);
            }
            end = cursor.select(is_one, next, end);
        }
        cursor.assign(counter, end);
        cursor.jump(join);
        vec![tail, join]
    }
}
