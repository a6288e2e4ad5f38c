//! Merges the loops associated with a `collapse` clause.
//!
//! Before: the directive stands on the outermost loop of the nest. After: where the target wants it and the
//! nest is rectangular, the outermost loop is the only one; it counts through the product of the trip counts,
//! and the induction locals of all loops are computed from that. Code between the loops (`collapse(force:)`)
//! is executed once per merged iteration. Elsewhere the nest stays as it is: only its outermost loop is
//! partitioned then, which is allowed, if less parallel.
//!
//! Where the target names a tile ([`crate::target::Target::tiles`]), neighbouring numbers are not neighbours
//! of the innermost loop only: they go through a tile of the two innermost loops, rows by columns, and then
//! through the next one, so that the threads that execute them at the same time share rows and columns of
//! what they read. Numbers in tiles that reach over the edge do nothing. If the innermost loop turns out to
//! be short, there are no tiles.
//!
//! Trip counts of inner loops are evaluated before the nest: what their bounds are computed from is copied
//! there. OpenACC demands that it does not change in the nest. If it depends on an outer induction local, on
//! a call or on control flow, the nest is left alone.

#[cfg(test)]
mod tests;
mod tiling;

use super::env::{Env, Work, context, each_body};
use crate::builder::Cursor;
use crate::edit::induction::{induction_value, trip_count};
use crate::edit::nest::bounds_before;
use crate::entities::Loop;
use crate::function::{Body, Induction, LoopData};
use crate::module::Module;
use crate::op::{BinaryOp, CmpOp, Op, Operand, Pos, Terminator};
use crate::report::{Decision, PassError, topics};
use crate::target::Tile;
use crate::types::Type;
use std::sync::Arc;
use tiling::Tiling;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let function = context(work.module, work.func).name.clone();
        let Work { module, func, body } = work;
        for loop_ in body.loop_tree() {
            let Some(directive) = &body.loops[loop_].directive else { continue };
            let (depth, pos) = (directive.collapse as usize, directive.pos);
            if depth < 2 || directive.levels.is_empty() {
                continue;
            }
            let nest = nest_of(body, loop_, depth);
            let places: Vec<Pos> = nest.iter().flatten().map(|&loop_| body.loops[loop_].pos).collect();
            let is_wanted = env.target.collapses(context(module, func), directive);
            let is_merged = is_wanted
                && nest.is_some_and(|nest| {
                    let tile = env.target.tiles(context(module, func), body, &nest);
                    merge(body, &nest, tile)
                });
            if env.explains {
                explain(env, (depth, pos), &places, (is_wanted, is_merged), &function);
            }
        }
        Ok(())
    })
}

/// Notes what became of the loops of a nest, whose places are given from the outermost on.
fn explain(
    env: &mut Env<'_>,
    (depth, pos): (usize, Pos),
    places: &[Pos],
    (is_wanted, is_merged): (bool, bool),
    function: &Arc<str>,
) {
    let line = places.first().map_or(pos.line, |pos| pos.line);
    let (outer, inner) = match (is_wanted, is_merged) {
        (true, true) => (
            format!("`collapse({depth})`: {depth} loops are one, all of whose iterations are shared"),
            format!("merged with the loop at line {line} by `collapse({depth})`"),
        ),
        (true, false) => (
            format!(
                "`collapse({depth})` shares the iterations of the outermost loop only: how often the others run is computed inside of it"
            ),
            format!("sequential: not merged with the loop at line {line} by `collapse({depth})`"),
        ),
        (false, _) => (
            format!("`collapse({depth})`: the loops stay as they are, as one thread executes them"),
            format!("stays inside of the loop at line {line}: one thread executes the `collapse({depth})`"),
        ),
    };
    let mut note = |pos: Pos, text: String| {
        env.report.decisions.push(Decision { pos, function: function.clone(), topic: topics::LOOP, text });
    };
    note(pos, outer);
    places.iter().skip(1).for_each(|&pos| note(pos, inner.clone()));
}

/// The loops of a nest, outermost first; `None` if it is not one loop in the other.
fn nest_of(body: &Body, outermost: Loop, depth: usize) -> Option<Vec<Loop>> {
    let mut nest = vec![outermost];
    while nest.len() < depth {
        let last = nest[nest.len() - 1];
        let mut children = body.loops.iter().filter(|(_, data)| data.parent == Some(last));
        let (child, _) = children.next()?;
        if children.next().is_some() {
            return None;
        }
        nest.push(child);
    }
    nest.iter().all(|&loop_| body.loops[loop_].induction.is_some()).then_some(nest)
}

/// Says whether that was possible.
fn merge(body: &mut Body, nest: &[Loop], tile: Option<Tile>) -> bool {
    let inductions: Vec<Induction> =
        nest.iter().filter_map(|&loop_| body.loops[loop_].induction.clone()).collect();
    let LoopData { preheader, header, body: first, latch, exit, pos, .. } = body.loops[nest[0]];
    let Some((hoisted, code)) = bounds_before(body, nest) else { return false };
    body.blocks[preheader].insts.extend(code);

    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let trips: Vec<Operand> = hoisted.iter().map(|induction| trip_count(&mut cursor, induction)).collect();
    let flat = trips.iter().copied().reduce(|a, b| cursor.mul(a, b)).unwrap_or(Operand::Int(Type::I64, 0));
    let tiling = tile.and_then(|tile| Tiling::new(&mut cursor, tile, &trips));
    let total = tiling.as_ref().map_or(flat, |tiling| tiling.total(&mut cursor, &trips, flat));
    let merged = cursor.temp(Type::I64);
    cursor.assign(merged, Operand::Int(Type::I64, 0));

    body.blocks[header].insts.clear();
    let mut cursor = Cursor::with_pos(body, header, pos);
    let more = cursor.compare(CmpOp::Lt, Operand::Local(merged), total);
    cursor.branch(more, first, exit);

    let tiled = tiling.map(|tiling| tiling.decompose(body, nest[0], Operand::Local(merged), &trips));
    let indices = Cursor::at_start(body, first, pos, |cursor| {
        let indices = tiled.unwrap_or_else(|| decompose(cursor, Operand::Local(merged), &trips));
        induction_value(cursor, &inductions[0], indices[0]);
        indices
    });
    for n in 0..nest.len() {
        let LoopData { body: first, latch, .. } = body.loops[nest[n]];
        if n > 0 {
            Cursor::at_start(body, first, pos, |cursor| induction_value(cursor, &inductions[n], indices[n]));
        }
        body.blocks[latch].insts.retain(|inst| inst.op.dst() != Some(inductions[n].iv));
    }
    let mut cursor = Cursor::with_pos(body, latch, pos);
    let (a, b) = (Operand::Local(merged), Operand::Int(Type::I64, 1));
    cursor.op(Op::Binary { dst: merged, op: BinaryOp::Add, a, b });
    let (init, step) = (Operand::Int(Type::I64, 0), Operand::Int(Type::I64, 1));
    body.loops[nest[0]].induction = Some(Induction { iv: merged, init, bound: total, step, cmp: CmpOp::Lt });
    nest[1..].iter().for_each(|&loop_| open_up(body, loop_));
    true
}

/// The logical iteration of each loop, outermost first, from that of the merged loop. The body runs only if
/// no trip count is zero.
fn decompose(cursor: &mut Cursor<'_>, merged: Operand, trips: &[Operand]) -> Vec<Operand> {
    let mut rest = merged;
    let mut indices = Vec::new();
    for &trip in trips[1..].iter().rev() {
        let quotient = cursor.binary(BinaryOp::UDiv, rest, trip);
        let covered = cursor.mul(quotient, trip);
        indices.push(cursor.sub(rest, covered));
        rest = quotient;
    }
    // The value of the merged counter itself may be wanted after it has been stepped.
    indices.push(if trips.len() == 1 { cursor.copy(rest) } else { rest });
    indices.reverse();
    indices
}

/// Takes an inner loop out of the tree: its body runs once per time that it is come to.
fn open_up(body: &mut Body, loop_: Loop) {
    let LoopData { preheader, header, body: first, latch, exit, .. } = body.loops[loop_];
    body.blocks[preheader].term = Terminator::Jump(first);
    body.blocks[latch].term = Terminator::Jump(exit);
    body.order.retain(|&block| block != header);
    body.dissolve_loop(loop_);
}
