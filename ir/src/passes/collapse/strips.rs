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
//! Loops around these two are shared by gangs in z, which go through the number of a plane. Nests with few
//! iterations, or rows that leave many threads without one, stay as they are. The order of iterations is not
//! defined, so that those of a strip may be mixed.

use super::jam::{Merged, Plan};
use super::numbers::{decompose, int, leave};
use crate::acc::Level;
use crate::builder::Cursor;
use crate::edit::split::{block_like, split_exit};
use crate::function::{Body, LoopData};
use crate::op::{BinaryOp, CmpOp, ConvertOp, Operand};
use crate::types::Type;

/// Strips of nests with fewer stay as they are: there would be less for all threads to do.
const FEWEST: i64 = 1 << 17;

/// Bodies with more operations stay as they are: each is written several times.
const MOST_OPERATIONS: usize = 512;

/// The fewest iterations of a nest that is executed in strips of so many rows.
pub(super) fn fewest(rows: u32) -> i64 {
    FEWEST * i64::from(rows)
}

/// Writes a loop of columns in front of the merged loop, which is left for nests that are too short. Whether
/// that was possible.
pub(super) fn run(body: &mut Body, merged: &Merged<'_>) -> bool {
    let Merged { loop_, tile, trips, flat, total, .. } = *merged;
    let fewest = fewest(tile.rows);
    let threads = u64::from(tile.columns);
    let is_short = flat.as_int().is_some_and(|flat| flat < fewest);
    let is_narrow = |columns: i64| (columns as u64).next_multiple_of(threads) / 2 > columns as u64;
    if is_short || trips[trips.len() - 1].as_int().is_some_and(is_narrow) {
        return false;
    }
    let Some(plan) = Plan::of(body, merged, MOST_OPERATIONS) else { return false };
    let LoopData { preheader, header, exit, pos, ref directive, .. } = body.loops[loop_];
    let directive = directive.clone();
    split_exit(body, loop_);
    let [before, choose, plain] = [(); 3].map(|()| block_like(body, preheader, header, pos));
    Cursor::with_pos(body, plain, pos).jump(header);
    body.loops[loop_].preheader = plain;

    let (outer, [rows, columns]) =
        (&trips[..trips.len() - 2], [trips[trips.len() - 2], trips[trips.len() - 1]]);
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let is_long = cursor.compare(CmpOp::UGe, flat, int(fewest as u64));
    // Of the threads that go through rows, more than half would have nothing to do otherwise.
    let more = cursor.add(columns, int(threads - 1));
    let all = cursor.binary(BinaryOp::And, more, int(threads.wrapping_neg()));
    let half = cursor.binary(BinaryOp::LShr, all, int(1));
    let is_wide = cursor.compare(CmpOp::ULe, half, columns);
    let is_used = cursor.binary(BinaryOp::And, is_long, is_wide);
    let [row, of_rows] = share(&mut cursor, Level::Gang2);
    let [plane, of_planes] = share(&mut cursor, Level::Gang3);
    // A launch has gangs for the loops with the most iterations: a loop that is not used has none.
    let left = cursor.select(is_used, int(0), total);
    let [planes, strips, columns_there] = [
        outer.iter().copied().fold(int(1), |product, count| cursor.mul(product, count)),
        cursor.binary(BinaryOp::LShr, rows, int(tile.rows.ilog2().into())),
        columns,
    ]
    .map(|count| cursor.select(is_used, count, int(0)));
    let covered = cursor.mul(strips, int(tile.rows.into()));
    cursor.branch(is_used, before, choose);
    leave(cursor.body, loop_, total, left);
    // Only the first of gangs that lie above and behind each other go through the plain loop.
    cursor.switch_to(choose);
    let further = cursor.binary(BinaryOp::Or, row, plane);
    let is_first = cursor.compare(CmpOp::Eq, further, int(0));
    cursor.branch(is_first, plain, exit);

    cursor.switch_to(before);
    let of_columns = cursor.counted(int(0), int(1), columns_there, |cursor, column| {
        cursor.counted(plane, of_planes, planes, |cursor, plane| {
            let mut first = if outer.is_empty() { Vec::new() } else { decompose(cursor, plane, outer) };
            first.extend([int(0), column]);
            let at = outer.len();
            cursor.counted(row, of_rows, strips, |cursor, strip| {
                first[at] = cursor.mul(strip, int(tile.rows.into()));
                write(cursor, merged, &plan, tile.rows, &first);
            });
            let below = cursor.add(covered, row);
            cursor.counted(below, of_rows, rows, |cursor, row| {
                first[at] = row;
                write(cursor, merged, &plan, 1, &first);
            });
        });
    });
    cursor.jump(exit);
    body.loops[of_columns].directive = directive;
    true
}

/// The number of a gang among those that lie above, or behind, each other, and how many there are.
fn share(cursor: &mut Cursor<'_>, level: Level) -> [Operand; 2] {
    let [position, size] = [cursor.dim_pos(level), cursor.dim_size(level)];
    [position, size].map(|value| cursor.convert(ConvertOp::ZExt, Type::I64, value))
}

/// Writes the body for rows from an iteration of the nest on.
fn write(cursor: &mut Cursor<'_>, merged: &Merged<'_>, plan: &Plan, rows: u32, first: &[Operand]) {
    let end = cursor.new_block();
    let names = plan.names(cursor.body, merged, [rows, 1]);
    let inner = first.len() - 2;
    for (row, names) in (0..).zip(&names) {
        for (at, (&index, &value)) in merged.indices.iter().zip(first).enumerate() {
            // Rows share the names of the rest.
            if at == inner || row == 0 {
                let value = if row == 0 { value } else { cursor.add(value, int(row)) };
                cursor.assign(names.local(index), value);
            }
        }
    }
    let copies = plan.copy(cursor.body, merged, (&names, [rows, 1]), end);
    cursor.jump(copies);
    cursor.switch_to(end);
}
