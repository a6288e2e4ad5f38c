//! Numbers of the iterations of a merged nest that go through tiles of its two innermost loops.

use super::numbers::{decompose, int};
use crate::builder::Cursor;
use crate::edit::split::{block_like, redirect};
use crate::entities::{Local, Loop};
use crate::function::{Body, LoopData};
use crate::op::{BinaryOp, CmpOp, Operand};
use crate::target::{FEWEST_TILES, Tile};
use crate::types::Type;

/// Loops with fewer tiles than this in a row or a column have none.
const FEWEST: u64 = FEWEST_TILES as u64;

/// A merged nest with tiles.
pub(super) struct Tiling {
    tile: Tile,
    /// Tiles one above the other, and side by side.
    rows: Operand,
    columns: Operand,
    /// Whether the loops are long enough.
    is_used: Operand,
}

/// What is left of a number when it is divided by a power of two, and the quotient.
pub(super) fn split(cursor: &mut Cursor<'_>, number: Operand, size: u32) -> (Operand, Operand) {
    let rest = cursor.binary(BinaryOp::And, number, int(u64::from(size) - 1));
    (rest, cursor.binary(BinaryOp::LShr, number, int(size.ilog2().into())))
}

impl Tiling {
    /// For a nest with these trip counts, outermost first; none if one is known to be too short.
    pub(super) fn new(cursor: &mut Cursor<'_>, tile: Tile, trips: &[Operand]) -> Option<Tiling> {
        let &[.., outer, inner] = trips else { return None };
        let sides = [(outer, tile.rows), (inner, tile.columns)].map(|(trip, size)| (trip, u64::from(size)));
        let is_short =
            |&(trip, size): &(Operand, u64)| trip.as_int().is_some_and(|trip| (trip as u64) < FEWEST * size);
        if sides.iter().any(is_short) {
            return None;
        }
        let [rows, columns] = sides.map(|(trip, size)| {
            let last = cursor.add(trip, int(size - 1));
            cursor.binary(BinaryOp::LShr, last, int(size.ilog2().into()))
        });
        let [high, wide] = sides.map(|(trip, size)| cursor.compare(CmpOp::UGe, trip, int(FEWEST * size)));
        let is_used = cursor.binary(BinaryOp::And, high, wide);
        Some(Tiling { tile, rows, columns, is_used })
    }

    /// How many numbers there are, if there were `flat` iterations without tiles.
    pub(super) fn total(&self, cursor: &mut Cursor<'_>, trips: &[Operand], flat: Operand) -> Operand {
        let outer = trips[..trips.len() - 2].iter().copied();
        let sides = [self.rows, self.columns, int(u64::from(self.tile.rows * self.tile.columns))];
        let tiled = outer.chain(sides).reduce(|a, b| cursor.mul(a, b));
        tiled.map_or(flat, |tiled| cursor.select(self.is_used, tiled, flat))
    }

    /// Computes the logical iteration of each loop in front of the merged loop's body, and leaves out what is
    /// over the edge.
    pub(super) fn decompose(
        &self,
        body: &mut Body,
        loop_: Loop,
        merged: Operand,
        trips: &[Operand],
    ) -> Vec<Local> {
        let LoopData { header, body: first, latch, pos, .. } = body.loops[loop_];
        let [head, tiled, flat] = [(); 3].map(|()| block_like(body, first, first, pos));
        redirect(body, header, first, head);
        body.loops[loop_].body = head;
        let indices: Vec<Local> = trips.iter().map(|_| body.local(Type::I64, None)).collect();
        Cursor::with_pos(body, head, pos).branch(self.is_used, tiled, flat);

        let mut cursor = Cursor::with_pos(body, flat, pos);
        let plain = decompose(&mut cursor, merged, trips);
        indices.iter().zip(plain).for_each(|(&index, value)| cursor.assign(index, value));
        cursor.jump(first);

        let mut cursor = Cursor::with_pos(body, tiled, pos);
        let (column, rest) = split(&mut cursor, merged, self.tile.columns);
        let (row, number) = split(&mut cursor, rest, self.tile.rows);
        let inner = trips.len() - 2;
        let counts: Vec<Operand> = trips[..inner].iter().copied().chain([self.rows, self.columns]).collect();
        let mut values = decompose(&mut cursor, number, &counts);
        for (value, within, size) in [(inner, row, self.tile.rows), (inner + 1, column, self.tile.columns)] {
            let start = cursor.mul(values[value], int(size.into()));
            values[value] = cursor.add(start, within);
        }
        indices.iter().zip(&values).for_each(|(&index, &value)| cursor.assign(index, value));
        let [high, wide] = [inner, inner + 1].map(|at| cursor.compare(CmpOp::ULt, values[at], trips[at]));
        let inside = cursor.binary(BinaryOp::And, high, wide);
        cursor.branch(inside, first, latch);
        indices
    }
}
