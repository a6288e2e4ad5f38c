//! The numbers of a merged loop: how many there are, and which iterations of its loops they stand for.

use crate::builder::Cursor;
use crate::entities::Loop;
use crate::function::Body;
use crate::op::{BinaryOp, Operand};
use crate::types::Type;

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

/// A constant of 64 bits.
pub(super) fn int(value: u64) -> Operand {
    Operand::Int(Type::I64, value as i64)
}

/// Leaves so many iterations of all to a merged loop, where another one in front of it may execute them.
pub(super) fn leave(body: &mut Body, loop_: Loop, total: Operand, left: Operand) {
    for inst in &mut body.blocks[body.loops[loop_].header].insts {
        inst.op.map_operands(|operand| if operand == total { left } else { operand });
    }
    if let Some(induction) = &mut body.loops[loop_].induction {
        induction.bound = left;
    }
}
