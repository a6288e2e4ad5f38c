//! Merges the loops associated with a `collapse` or `tile` clause.
//!
//! Before: the directive stands on the outermost loop of the nest. After: where the target wants it and the
//! nest is rectangular, the outermost loop is the only one; it counts through the product of the trip counts,
//! and the induction locals of all loops are computed from that. Code between the loops (`collapse(force:)`)
//! is executed once per merged iteration. Elsewhere the nest stays as it is: only its outermost loop is
//! partitioned then, which is allowed, if less parallel.
//!
//! The sizes of `tile` are a wish: a merged nest is executed in the target's own tiles, which lanes fill
//! whatever the sizes are.
//!
//! Where the target names a tile ([`crate::target::Target::tiles`]), neighbouring numbers are not neighbours
//! of the innermost loop only: they go through a tile of the two innermost loops, rows by columns, and then
//! through the next one, so that the threads that execute them at the same time share rows and columns of
//! what they read. Numbers in tiles that reach over the edge do nothing. If the innermost loop turns out to
//! be short, there are no tiles. The target says along which of the loops neighbouring numbers are neighbours
//! ([`crate::target::Target::innermost`]). In long nests, a thread may execute several iterations together
//! ([`jam`]), and where accesses go along different loops, the threads of a gang may exchange values
//! ([`exchange`]). Where iterations of a thread may depend on earlier ones (`in_order`), there is nothing of
//! that: numbers are in the order of the nest. A loop without such a clause that reduces in a loop inside may
//! share that with all threads of a gang ([`parts`]), and one whose iterations go through rows of memory may
//! have these brought by all threads of a gang ([`staging`]).
//!
//! Trip counts of inner loops are evaluated before the nest: what their bounds are computed from is copied
//! there. OpenACC demands that it does not change in the nest. If it depends on an outer induction local, on
//! a call or on control flow, the nest is left alone.

mod exchange;
mod guard;
mod iteration;
mod jam;
mod numbers;
mod parts;
mod staging;
mod strips;
#[cfg(test)]
mod tests;
mod tiling;

use super::env::{Env, Work, context, each_body};
use crate::analysis::inner_sums::InnerSums;
use crate::analysis::own_rows::OwnRows;
use crate::analysis::summaries;
use crate::builder::Cursor;
use crate::edit::induction::{induction_value, trip_count};
use crate::edit::nest::bounds_before;
use crate::edit::split::{block_like, redirect};
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, FunctionKind, Induction, LoopData};
use crate::module::Module;
use crate::op::{BinaryOp, CmpOp, Op, Operand, Pos, Terminator};
use crate::report::{Decision, PassError, topics};
use crate::target::{Parts, Staging, Strips, Target, Tile};
use crate::types::Type;
use exchange::Plan;
use jam::{Jammed, Merged};
use numbers::decompose;
use std::sync::Arc;
use tiling::Tiling;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    let signed_wraps = env.target.arithmetic().signed_wraps;
    let mut callees = None;
    each_body(module, |work| {
        let function = context(work.module, work.func).name.clone();
        let Work { module, func, body } = work;
        for loop_ in body.loop_tree() {
            let Some(directive) = &body.loops[loop_].directive else { continue };
            let (depth, pos, in_order) = (directive.collapse as usize, directive.pos, directive.in_order);
            let clause = if env.explains { directive.nest_clause() } else { String::new() };
            if directive.levels.is_empty() {
                continue;
            }
            if depth < 2 {
                let found = env.target.parts(context(module, func), body, loop_);
                if let Some((sums, parts)) = found {
                    if parts::run(body, &sums, &parts) && env.explains {
                        explain_parts(env, body, (&sums, &parts), &function);
                    }
                    continue;
                }
                let staging = env.target.stages(context(module, func), body, loop_);
                let staging = staging.filter(|staging| staging::may_pay(body, loop_, staging));
                let Some(staging) = staging else { continue };
                let callees = callees.get_or_insert_with(|| summaries::of(module, signed_wraps));
                let rows = OwnRows::of((&module.functions[func], body), (callees, signed_wraps), loop_);
                if rows.is_some_and(|rows| staging::run(body, &rows, &staging)) && env.explains {
                    explain_staging(env, (pos, &staging), &function);
                }
                continue;
            }
            let nest = body.nest_of(loop_, depth);
            let places: Vec<Pos> = nest.iter().flatten().map(|&loop_| body.loops[loop_].pos).collect();
            let is_wanted = env.target.collapses(context(module, func), directive);
            let merged = nest.filter(|_| is_wanted).and_then(|nest| {
                let context = context(module, func);
                if in_order {
                    let (last, shape) = (nest.len() - 1, Shape::Flat { tile: None, strip: None });
                    let together = merge(body, (&nest, &order(nest.len(), last)), &shape, env.target)?;
                    return Some(Merging { last, together });
                }
                let exchange = env.target.exchanges(context, body, &nest);
                let plan =
                    exchange.and_then(|exchange| Plan::of((&module.functions[func], body), &nest, exchange));
                let last = match plan {
                    Some(_) => nest.len() - 1,
                    None => env.target.innermost(context, body, &nest),
                };
                let order = order(nest.len(), last);
                let shape = match plan {
                    Some(plan) => Shape::Squares(plan),
                    None => {
                        let tile = env.target.tiles(context, body, &nest, &order);
                        let strip = env.target.strips(context, body, &nest);
                        // A row alone loads nothing that the row above it has loaded.
                        Shape::Flat { tile, strip: strip.filter(|strip| strip.rows > 1 || tile.is_none()) }
                    }
                };
                let together = merge(body, (&nest, &order), &shape, env.target)?;
                Some(Merging { last, together })
            });
            if let FunctionKind::Region(region) = &mut module.functions[func].kind
                && let Some(Merging { together: Together::Strip(strips), .. }) = merged
            {
                // The launch gives gangs to rows and planes.
                region.constant_dims[1..depth.min(3)].fill(0);
                if strips.most_workers > 0 {
                    region.constant_dims[3] = 0;
                }
            }
            if env.explains {
                explain(env, (depth, &clause, pos), &places, (is_wanted, merged), &function);
            }
        }
        Ok(())
    })
}

/// Notes that threads of a gang share the inner loop of one that reduces in each iteration.
fn explain_parts(env: &mut Env<'_>, body: &Body, (sums, parts): (&InnerSums, &Parts), function: &Arc<str>) {
    let pos = body.loops[sums.outer].directive.as_ref().map_or(Pos::none(), |directive| directive.pos);
    let Parts { threads, most, least, .. } = parts;
    let text = format!(
        "of fewer than {most} iterations, with {least} or more of the loop at line {}, gangs of {threads} threads take several at a time: each thread has a part of what that loop reduces, and their parts are combined",
        body.loops[sums.inner].pos.line
    );
    env.report.decisions.push(Decision { pos, function: function.clone(), topic: topics::LOOP, text });
}

/// Notes that threads of a gang load and store rows for each other.
fn explain_staging(env: &mut Env<'_>, (pos, staging): (Pos, &Staging), function: &Arc<str>) {
    let Staging { room, least, most, fewest, shortest, .. } = staging;
    let text = format!(
        "of {fewest} iterations or more, if each has rows of {shortest} bytes or more for itself, and {room} bytes have room for those of {least}, gangs take {least} to {most} at a time: the threads of a gang load and store rows in the order in which they lie in memory"
    );
    env.report.decisions.push(Decision { pos, function: function.clone(), topic: topics::LOOP, text });
}

/// Notes what became of the loops of a nest, whose places are given from the outermost on.
fn explain(
    env: &mut Env<'_>,
    (depth, clause, pos): (usize, &str, Pos),
    places: &[Pos],
    (is_wanted, merged): (bool, Option<Merging>),
    function: &Arc<str>,
) {
    let line = places.first().map_or(pos.line, |pos| pos.line);
    let (outer, inner) = match (is_wanted, merged.is_some()) {
        (true, true) => (
            format!("{clause}: {depth} loops are one, all of whose iterations are shared"),
            format!("merged with the loop at line {line} by {clause}"),
        ),
        (true, false) => (
            format!(
                "{clause} shares the iterations of the outermost loop only: how often the others run is computed inside of it"
            ),
            format!("sequential: not merged with the loop at line {line} by {clause}"),
        ),
        (false, _) => (
            format!("{clause}: the loops stay as they are, as one thread executes them"),
            format!("stays inside of the loop at line {line}: one thread executes the {clause}"),
        ),
    };
    let mut note = |pos: Pos, text: String| {
        env.report.decisions.push(Decision { pos, function: function.clone(), topic: topics::LOOP, text });
    };
    note(pos, outer);
    if let Some(Merging { last, .. }) = merged
        && last + 1 < places.len()
    {
        let line = places[last].line;
        note(
            pos,
            format!(
                "lanes execute neighbours along the loop at line {line}: its accesses are neighbours in memory"
            ),
        );
    }
    match merged.map(|merging| merging.together) {
        Some(Together::Thread(Jammed { sides: [rows, columns], fewest, thin })) => {
            let thin = thin.map_or_else(String::new, |thin| format!(" ({rows} by 1 from {thin} on)"));
            note(
                pos,
                format!(
                    "of {fewest} iterations or more, a thread executes {rows} by {columns} together{thin}: they share what they load"
                ),
            );
        }
        Some(Together::Strip(Strips { rows, least_threads, most_workers })) => {
            let fewest = strips::fewest(rows);
            let what = match rows {
                1 => "gangs have rows of their own".to_owned(),
                _ => format!("a thread executes {rows} rows together, one above the other"),
            };
            let size = match most_workers > 0 {
                true => ", with as many workers as a row has use for",
                false => "",
            };
            note(
                pos,
                format!(
                    "of {fewest} iterations or more, if rows keep half of {least_threads} threads or more busy, {what}{size}"
                ),
            );
        }
        Some(Together::Gang { outer, side }) => {
            let line = places.get(outer).map_or(line, |pos| pos.line);
            note(
                pos,
                format!(
                    "of {} squares of {side} by {side} iterations or more, the threads of a gang exchange values, so that lanes access neighbours along the loop at line {line}, too",
                    exchange::FEWEST
                ),
            );
        }
        Some(Together::Nothing) | None => {}
    }
    places.iter().skip(1).for_each(|&pos| note(pos, inner.clone()));
}

/// What became of a nest that is merged.
#[derive(Clone, Copy)]
struct Merging {
    /// The number of the loop that the merged one counts through fastest.
    last: usize,
    together: Together,
}

/// What a merged nest does with several iterations together.
#[derive(Clone, Copy)]
enum Together {
    Nothing,
    /// A thread executes some rows and columns.
    Thread(Jammed),
    /// Threads execute strips.
    Strip(Strips),
    /// The threads of a gang exchange values along a loop, in squares with so many iterations of it and of
    /// the innermost one.
    Gang {
        outer: usize,
        side: u32,
    },
}

/// The numbers of the loops of a nest in the order in which the merged loop counts through them, the fastest
/// one last.
fn order(depth: usize, last: usize) -> Vec<usize> {
    (0..depth).filter(|&n| n != last).chain([last]).collect()
}

/// How the numbers of a merged loop go through the iterations of the nest.
enum Shape<'a> {
    /// One behind the other, or tile by tile. Nests that are large enough are executed in strips, if there
    /// are any and their number is known before a launch.
    Flat { tile: Option<Tile>, strip: Option<Strips> },
    /// A gang goes through squares.
    Squares(Plan<'a>),
}

/// If that was possible, says what is done together. `order` is the one of [`order`].
fn merge(
    body: &mut Body,
    (nest, order): (&[Loop], &[usize]),
    shape: &Shape<'_>,
    target: &dyn Target,
) -> Option<Together> {
    let inductions: Vec<Induction> =
        nest.iter().filter_map(|&loop_| body.loops[loop_].induction.clone()).collect();
    let LoopData { preheader, header, body: first, latch, exit, pos, .. } = body.loops[nest[0]];
    let (hoisted, code) = bounds_before(body, nest)?;
    let blocks = blocks_of(body, nest);
    body.blocks[preheader].insts.extend(code);

    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let trips: Vec<Operand> = hoisted.iter().map(|induction| trip_count(&mut cursor, induction)).collect();
    let trips: Vec<Operand> = order.iter().map(|&n| trips[n]).collect();
    let product = |a: Operand, b: Operand| match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Operand::Int(Type::I64, a.wrapping_mul(b)),
        _ => cursor.mul(a, b),
    };
    let flat = trips.iter().copied().reduce(product).unwrap_or(Operand::Int(Type::I64, 0));
    let knows = |body: &Body| trips.iter().all(|&trips| target.knows_before_launch(body, trips));
    let (tile, strip) = match *shape {
        Shape::Flat { tile, strip } => (tile, strip.filter(|_| knows(cursor.body))),
        Shape::Squares(_) => (None, None),
    };
    let tiling = tile.and_then(|tile| Tiling::new(&mut cursor, tile, &trips));
    let total = tiling.as_ref().map_or(flat, |tiling| tiling.total(&mut cursor, &trips, flat));
    let merged = cursor.temp(Type::I64);
    cursor.assign(merged, Operand::Int(Type::I64, 0));

    body.blocks[header].insts.clear();
    let mut cursor = Cursor::with_pos(body, header, pos);
    let more = cursor.compare(CmpOp::Lt, Operand::Local(merged), total);
    cursor.branch(more, first, exit);

    let tiled = match &tiling {
        Some(tiling) => Some(tiling.decompose(body, nest[0], Operand::Local(merged), &trips)),
        None if strip.is_some() || matches!(shape, Shape::Squares(_)) => {
            Some(decompose_before(body, nest[0], Operand::Local(merged), &trips))
        }
        None => None,
    };
    let indices = Cursor::at_start(body, first, pos, |cursor| {
        let indices = match &tiled {
            Some(indices) => indices.iter().copied().map(Operand::Local).collect(),
            None => decompose(cursor, Operand::Local(merged), &trips),
        };
        let indices = of_nest(order, &indices);
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
    let Some(indices) = tiled else { return Some(Together::Nothing) };
    if let Shape::Squares(plan) = shape {
        plan.apply(body, &exchange::Merged { loop_: nest[0], trips: &trips, total, indices: &indices });
        return Some(Together::Gang { outer: plan.outer(), side: plan.side() });
    }
    let merged = Merged { loop_: nest[0], counter: merged, blocks, trips: &trips, indices, flat, total };
    if let Some(strips) = strip {
        let is_done = strips::run(body, &merged, strips);
        return Some(if is_done { Together::Strip(strips) } else { Together::Nothing });
    }
    let Some(tile) = tile else { return Some(Together::Nothing) };
    let together = jam::run(body, &merged, tile, target);
    Some(together.map_or(Together::Nothing, Together::Thread))
}

/// What stands in the merged loop's order in the order of the nest.
fn of_nest(order: &[usize], ordered: &[Operand]) -> Vec<Operand> {
    let mut of_nest = ordered.to_vec();
    order.iter().zip(ordered).for_each(|(&n, &value)| of_nest[n] = value);
    of_nest
}

/// What stays of the body of a nest when it is merged, without the outermost latch; where it begins is first.
fn blocks_of(body: &Body, nest: &[Loop]) -> Vec<Block> {
    let LoopData { body: first, latch, .. } = body.loops[nest[0]];
    let is_gone = |block: Block| {
        [first, latch].contains(&block) || nest.iter().any(|&loop_| body.loops[loop_].header == block)
    };
    let inside = |block: &Block| body.loop_is_within(body.blocks[*block].loop_, nest[0]) && !is_gone(*block);
    std::iter::once(first).chain(body.order.iter().copied().filter(inside)).collect()
}

/// The same in a block of its own in front of the body, in locals that other code may set instead.
fn decompose_before(body: &mut Body, loop_: Loop, merged: Operand, trips: &[Operand]) -> Vec<Local> {
    let LoopData { header, body: first, pos, .. } = body.loops[loop_];
    let head = block_like(body, first, first, pos);
    redirect(body, header, first, head);
    body.loops[loop_].body = head;
    let mut cursor = Cursor::with_pos(body, head, pos);
    let values = decompose(&mut cursor, merged, trips);
    let mut indices = Vec::with_capacity(values.len());
    for value in values {
        let index = cursor.temp(Type::I64);
        cursor.assign(index, value);
        indices.push(index);
    }
    cursor.jump(first);
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
