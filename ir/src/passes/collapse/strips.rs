//! Strips of a merged nest: rows one above the other that one thread executes together.
//!
//! To find out which iteration of each loop is its own, a thread of a merged loop divides. Where gangs may be
//! given to rows and planes of them as well, it need not; and what lies above an iteration in memory often
//! lies in the row above, which the thread executes, too.
//!
//! ```text
//!     before:  for each (i, j), shared by all threads:          y[i][j] = x[i][j] + x[i + 1][j]
//!     after:   for each j, shared by gangs, workers, lanes:
//!                for i = 0, 2, 4, ..., shared by gangs in y:    y[i][j] = x[i][j] + x[i + 1][j]
//!                                                               y[i + 1][j] = x[i + 1][j] + x[i + 2][j]
//!                for what is left of i, shared by gangs in y:   y[i][j] = x[i][j] + x[i + 1][j]
//! ```
//!
//! Iterations that cannot be mixed, as they have loops and branches, are strips of one row: no more is
//! gained than the division. Loops around these two are shared by gangs in z, which go through the number of
//! a plane. Nests with few iterations, or rows that leave many threads without one, stay as they are. Where
//! the launch chooses how many workers there are, it takes as many as a row has use for. The order of
//! iterations is not defined, so that those of a strip may be mixed.

use super::jam::{Merged, Plan};
use super::numbers::{decompose, int};
use crate::acc::Level;
use crate::builder::Cursor;
use crate::edit::split::part_ways;
use crate::function::{Beside, Body, LoopData};
use crate::op::{BinaryOp, CmpOp, ConvertOp, Inst, Op, Operand};
use crate::target::Strips;
use crate::types::Type;

/// Strips of nests with fewer stay as they are: there would be less for all threads to do.
const FEWEST: i64 = 1 << 17;

/// Rows that a thread goes through, one after the other, where strips have one row and the nest has so many
/// iterations: what it computes in front of the loop is for all of them. Rows of iterations that have loops
/// may take differently long, and those that store several times are memory in as many places.
const ROWS_IN_TURN: i64 = 4;
const MANY: i64 = 1 << 21;

/// Nests with longer sides stay as they are.
const LONGEST_SIDE: u64 = 1 << 28;

/// Bodies with more operations stay as they are: they are written once for each row of a strip, once for rows
/// that are left, and once for nests that are too short.
const MOST_OPERATIONS: usize = 512;
/// The same for strips of one row, which are written twice.
const MOST_OF_ONE: usize = 2048;

/// The fewest iterations of a nest that is executed in strips of so many rows.
pub(super) fn fewest(rows: u32) -> i64 {
    FEWEST * i64::from(rows)
}

/// Writes a loop of columns in front of the merged loop, which is left for nests that are too short. Whether
/// that was possible.
pub(super) fn run(body: &mut Body, merged: &Merged<'_>, strips: Strips) -> bool {
    let Merged { loop_, trips, flat, .. } = *merged;
    let Strips { rows: height, least_threads, most_workers } = strips;
    let fewest = fewest(height);
    let threads = u64::from(least_threads);
    let is_short = flat.as_int().is_some_and(|flat| flat < fewest);
    let is_narrow = |columns: i64| (columns as u64).next_multiple_of(threads) / 2 > columns as u64;
    if is_short || trips[trips.len() - 1].as_int().is_some_and(is_narrow) {
        return false;
    }
    let plan = match height {
        1 => Plan::of_one(body, merged, MOST_OF_ONE),
        _ => Plan::of(body, merged, MOST_OPERATIONS),
    };
    let Some(plan) = plan else { return false };
    let takes_turns = height == 1 && is_alike(body, merged);
    let LoopData { preheader, exit, pos, ref directive, .. } = body.loops[loop_];
    let directive = directive.clone();
    let [before, plain] = part_ways(body, loop_);

    let (outer, [rows, columns]) =
        (&trips[..trips.len() - 2], [trips[trips.len() - 2], trips[trips.len() - 1]]);
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let is_long = cursor.compare(CmpOp::UGe, flat, int(fewest as u64));
    // Of the threads that go through rows, more than half would have nothing to do otherwise.
    let more = cursor.add(columns, int(threads - 1));
    let all = cursor.binary(BinaryOp::And, more, int(threads.wrapping_neg()));
    let half = cursor.binary(BinaryOp::LShr, all, int(1));
    let is_wide = cursor.compare(CmpOp::ULe, half, columns);
    let planes = outer.iter().copied().fold(int(1), |product, count| cursor.mul(product, count));
    let strips = cursor.binary(BinaryOp::LShr, rows, int(height.ilog2().into()));
    let gangs_in_y = if takes_turns {
        let is_many = cursor.compare(CmpOp::UGe, flat, int(MANY as u64));
        let rows_more = cursor.add(rows, int(ROWS_IN_TURN as u64 - 1));
        let in_turn = cursor.binary(BinaryOp::LShr, rows_more, int(ROWS_IN_TURN.ilog2().into()));
        cursor.select(is_many, in_turn, strips)
    } else {
        strips
    };
    // The loops count in 32 bits.
    let sides = cursor.binary(BinaryOp::Or, rows, columns);
    let sides = cursor.binary(BinaryOp::Or, sides, planes);
    let fits = cursor.compare(CmpOp::ULt, sides, int(LONGEST_SIDE));
    let is_used = [is_wide, fits]
        .into_iter()
        .fold(is_long, |both, condition| cursor.binary(BinaryOp::And, both, condition));
    cursor.body.beside =
        Some(Beside { used: is_used, counts: [columns, gangs_in_y, planes], rows: height, most_workers });
    let [row, plane] = [Level::Gang2, Level::Gang3].map(|level| cursor.dim_pos(level));
    let [of_rows, of_planes] = [Level::Gang2, Level::Gang3].map(|level| cursor.dim_size(level));
    // A launch has them where it should; all gangs go through the merged loop where it has none.
    let either = cursor.binary(BinaryOp::Or, of_rows, of_planes);
    let is_there = cursor.compare(CmpOp::Ne, either, narrow(1));
    cursor.branch(is_there, before, plain);

    cursor.switch_to(before);
    // They fit, which is seen from the counts themselves then: no number of a row wraps around.
    let longest = LONGEST_SIDE - 1;
    let [rows, columns, planes, strips] =
        [(rows, longest), (columns, longest), (planes, longest), (strips, longest / u64::from(height))].map(
            |(count, most)| {
                let fitting = cursor.binary(BinaryOp::And, count, int(most));
                cursor.convert(ConvertOp::Trunc, Type::I32, fitting)
            },
        );
    let of_columns = cursor.counted(narrow(0), narrow(1), columns, |cursor, column| {
        let column = wide(cursor, column);
        let of_plane = |cursor: &mut Cursor<'_>, mut first: Vec<Operand>| {
            let inner = first.len();
            first.extend([int(0), column]);
            cursor.counted(row, of_rows, strips, |cursor, strip| {
                let above = cursor.mul(strip, narrow(height.into()));
                first[inner] = above;
                write(cursor, merged, &plan, height, &first);
            });
            if height > 1 {
                let covered = cursor.mul(strips, narrow(height.into()));
                let below = cursor.add(covered, row);
                cursor.counted(below, of_rows, rows, |cursor, row| {
                    first[inner] = row;
                    write(cursor, merged, &plan, 1, &first);
                });
            }
        };
        if outer.is_empty() {
            return of_plane(cursor, Vec::new());
        }
        cursor.counted(plane, of_planes, planes, |cursor, plane| {
            let plane = wide(cursor, plane);
            let first = decompose(cursor, plane, outer);
            of_plane(cursor, first);
        });
    });
    cursor.jump(exit);
    body.loops[of_columns].directive = directive;
    true
}

/// Whether iterations have no loops, and store once.
fn is_alike(body: &Body, merged: &Merged<'_>) -> bool {
    let is_store = |inst: &&Inst| matches!(inst.op, Op::Store { .. } | Op::AtomicRmw { .. });
    let stores = merged.blocks.iter().flat_map(|&block| &body.blocks[block].insts).filter(is_store).count();
    let has_loop = body.loops.values().any(|data| data.parent == Some(merged.loop_));
    stores <= 1 && !has_loop
}

/// A constant of 32 bits.
fn narrow(value: i64) -> Operand {
    Operand::Int(Type::I32, value)
}

/// A number of 32 bits with 64.
fn wide(cursor: &mut Cursor<'_>, value: Operand) -> Operand {
    cursor.convert(ConvertOp::ZExt, Type::I64, value)
}

/// Writes the body for rows from an iteration of the nest on, whose row has 32 bits.
fn write(cursor: &mut Cursor<'_>, merged: &Merged<'_>, plan: &Plan, rows: u32, first: &[Operand]) {
    let end = cursor.new_block();
    let names = plan.names(cursor.body, merged, [rows, 1]);
    let inner = first.len() - 2;
    for (at, (&index, &value)) in merged.indices.iter().zip(first).enumerate() {
        let value = if at == inner { wide(cursor, value) } else { value };
        cursor.assign(names.local(index, [0, 0]), value);
    }
    for row in 1..rows {
        let below = cursor.add(first[inner], narrow(row.into()));
        let below = wide(cursor, below);
        cursor.assign(names.local(merged.indices[inner], [row, 0]), below);
    }
    let copies = plan.copy(cursor.body, merged, (&names, None), end);
    cursor.jump(copies);
    cursor.switch_to(end);
}
