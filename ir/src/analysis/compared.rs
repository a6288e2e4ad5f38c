//! The local that the header of a loop compares, behind conversions.
//!
//! `i < n` of `int i` and `unsigned n` compares what `i` is as an unsigned number, and of `long n` what it is
//! with more bits.

use crate::entities::Local;
use crate::function::Body;
use crate::op::{CmpOp, ConvertOp, Inst, Op, Operand};
use crate::types::Type;

/// What is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The local, as the header finds it.
    pub local: Local,
    /// What the header makes of its value, with the types, in order.
    pub conversions: Vec<(ConvertOp, Type)>,
}

impl Compared {
    /// Of a local that the instructions of a header assign, or that they find.
    pub fn of(body: &Body, header: &[Inst], mut local: Local) -> Compared {
        let mut conversions = Vec::new();
        for inst in header.iter().rev() {
            match inst.op {
                // A scalar that was a slot is copied before it is compared.
                Op::Copy { dst, src: Operand::Local(src) } if dst == local => local = src,
                Op::Convert { dst, op, src: Operand::Local(src) } if dst == local => {
                    conversions.push((op, body.locals[dst].ty));
                    local = src;
                }
                _ => {}
            }
        }
        conversions.reverse();
        Compared { local, conversions }
    }

    /// Whether the local is a number with a sign: its conversions are those of one.
    pub fn is_signed(&self, cmp: CmpOp) -> bool {
        match self.ops()[..] {
            [ConvertOp::SExt] | [ConvertOp::SExt, ConvertOp::Bits] => true,
            [ConvertOp::Bits] => is_unsigned(cmp),
            _ => false,
        }
    }

    /// Whether the result counts as the local does: each step adds the same to both, as long as the
    /// comparison lets iterations run.
    ///
    /// A signed local does not overflow. An unsigned one that goes by one, or by another power of two, meets
    /// every bound that it can meet before it wraps around, since then it has the same values again; with
    /// another bound the loop does not end, which a loop may be assumed to do (C11, 6.8.5).
    pub fn counts_alike(&self, cmp: CmpOp, step: i64) -> bool {
        let is_unsigned_number = || {
            let ops = self.ops();
            matches!(ops[..], [ConvertOp::ZExt | ConvertOp::Bits] | [ConvertOp::ZExt, ConvertOp::Bits])
        };
        self.conversions.is_empty()
            || self.is_signed(cmp)
            || step.unsigned_abs().is_power_of_two() && is_unsigned_number()
    }

    fn ops(&self) -> Vec<ConvertOp> {
        self.conversions.iter().map(|(op, _)| *op).collect()
    }
}

fn is_unsigned(cmp: CmpOp) -> bool {
    matches!(cmp, CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe)
}
