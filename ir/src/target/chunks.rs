//! `gang(static:n)`: iterations go to gangs in chunks of a fixed size, in turn (OpenACC 3.3 section 2.9.2).
//!
//! A gang counts its own iterations from 0; the functions here say how many there are, and which is which.
//! The same iteration then belongs to the same gang in every loop with the same chunk size, whatever its
//! other levels are.

use crate::builder::Cursor;
use crate::op::{BinaryOp, ConvertOp, Operand};
use crate::types::Type;

/// The chunks of one gang: its number, the number of gangs, the size of a chunk, all `i64`.
#[derive(Clone, Copy, Debug)]
pub struct Chunks {
    /// The gang.
    pub gang: Operand,
    /// How many there are.
    pub gangs: Operand,
    /// Iterations of a chunk, at least 1; see [`Chunks::size_of`].
    pub size: Operand,
}

impl Chunks {
    /// The size of a chunk from the argument of the clause: an integer of any type, taken as 1 if it is less.
    pub fn size_of(cursor: &mut Cursor<'_>, argument: Operand) -> Operand {
        let one = Operand::Int(Type::I64, 1);
        match (argument, cursor.body.operand_type(argument)) {
            (Operand::Int(_, size), _) => Operand::Int(Type::I64, size.max(1)),
            (_, Type::I64) => cursor.binary(BinaryOp::SMax, argument, one),
            _ => {
                let size = cursor.convert(ConvertOp::SExt, Type::I64, argument);
                cursor.binary(BinaryOp::SMax, size, one)
            }
        }
    }

    /// How many of `trip` iterations are the gang's.
    pub fn count(self, cursor: &mut Cursor<'_>, trip: Operand) -> Operand {
        let zero = Operand::Int(Type::I64, 0);
        // Divided twice, as the product of the divisors may not fit.
        let chunks = cursor.binary(BinaryOp::UDiv, trip, self.size);
        let rounds = cursor.binary(BinaryOp::UDiv, chunks, self.gangs);
        let dealt = cursor.mul(rounds, self.gangs);
        let dealt = cursor.mul(dealt, self.size);
        let left = cursor.sub(trip, dealt);
        let before = cursor.mul(self.gang, self.size);
        let rest = cursor.sub(left, before);
        let rest = cursor.binary(BinaryOp::SMax, rest, zero);
        let rest = cursor.binary(BinaryOp::SMin, rest, self.size);
        let whole = cursor.mul(rounds, self.size);
        cursor.add(whole, rest)
    }

    /// The iteration of the loop that is number `index` of the gang's.
    pub fn iteration(self, cursor: &mut Cursor<'_>, index: Operand) -> Operand {
        let round = cursor.binary(BinaryOp::UDiv, index, self.size);
        let before = cursor.mul(round, self.size);
        let within = cursor.sub(index, before);
        let chunk = cursor.mul(round, self.gangs);
        let chunk = cursor.add(chunk, self.gang);
        let first = cursor.mul(chunk, self.size);
        cursor.add(first, within)
    }
}
