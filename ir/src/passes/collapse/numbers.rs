//! From the number of an iteration of a merged nest to the iterations of its loops.

use crate::builder::Cursor;
use crate::op::{BinaryOp, Operand};

/// The logical iteration of each loop, outermost first, from that of the merged loop. The body runs only if
/// no trip count is zero.
pub(super) fn decompose(cursor: &mut Cursor<'_>, merged: Operand, trips: &[Operand]) -> Vec<Operand> {
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
