//! Rotations by an amount that is no constant: Cranelift finds those by constants itself.

use super::Lower;
use cranelift_codegen::ir::{DataFlowGraph, Inst, InstructionData, Opcode, Value, ValueDef};

/// A rotation of a value.
pub(super) enum Rotation {
    /// To the left, by an amount.
    Left(Value, Value),
    /// To the right.
    Right(Value, Value),
}

impl Lower<'_, '_> {
    /// The rotation that `x | y` is: shifts of one value, to the left and to the right, by amounts that are
    /// together a multiple of its width. A shift takes the lowest bits of its amount, as a rotation does.
    pub(super) fn rotation(&self, x: Value, y: Value) -> Option<Rotation> {
        let dfg = &self.b.func.dfg;
        let bits = i64::from(dfg.value_type(x).bits());
        if !matches!(bits, 32 | 64) {
            return None;
        }
        let shift = |value: Value| {
            let (opcode, inst) = made_by(dfg, value)?;
            let args = dfg.inst_args(inst);
            matches!(opcode, Opcode::Ishl | Opcode::Ushr).then(|| (opcode, args[0], args[1]))
        };
        let ((first, value, by), (second, other, back)) = (shift(x)?, shift(y)?);
        if first == second || dfg.resolve_aliases(value) != dfg.resolve_aliases(other) {
            return None;
        }
        let left = first == Opcode::Ishl;
        if is_opposite(dfg, back, by, bits) {
            Some(if left { Rotation::Left(value, by) } else { Rotation::Right(value, by) })
        } else if is_opposite(dfg, by, back, bits) {
            Some(if left { Rotation::Right(value, back) } else { Rotation::Left(value, back) })
        } else {
            None
        }
    }
}

/// The operation that gives a value.
pub(super) fn made_by(dfg: &DataFlowGraph, value: Value) -> Option<(Opcode, Inst)> {
    match dfg.value_def(dfg.resolve_aliases(value)) {
        ValueDef::Result(inst, _) => Some((dfg.insts[inst].opcode(), inst)),
        ValueDef::Param(..) | ValueDef::Union(..) => None,
    }
}

/// The number that a value is.
pub(super) fn constant(dfg: &DataFlowGraph, value: Value) -> Option<i64> {
    match made_by(dfg, value) {
        Some((Opcode::Iconst, inst)) => match dfg.insts[inst] {
            InstructionData::UnaryImm { imm, .. } => Some(imm.bits()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether one amount is the other with its sign changed, modulo `bits`.
fn is_opposite(dfg: &DataFlowGraph, one: Value, other: Value, bits: i64) -> bool {
    let one = low_bits(dfg, one, bits);
    let negated = match made_by(dfg, one) {
        Some((Opcode::Ineg, inst)) => dfg.inst_args(inst)[0],
        Some((Opcode::Isub, inst))
            if constant(dfg, dfg.inst_args(inst)[0]).is_some_and(|n| n % bits == 0) =>
        {
            dfg.inst_args(inst)[1]
        }
        _ => return false,
    };
    low_bits(dfg, negated, bits) == low_bits(dfg, other, bits)
}

/// What a value is modulo `bits`, in a type of any width.
fn low_bits(dfg: &DataFlowGraph, value: Value, bits: i64) -> Value {
    let value = dfg.resolve_aliases(value);
    match made_by(dfg, value) {
        Some((Opcode::Uextend | Opcode::Sextend | Opcode::Ireduce, inst)) => {
            low_bits(dfg, dfg.inst_args(inst)[0], bits)
        }
        Some((Opcode::Band, inst)) => {
            let args = dfg.inst_args(inst);
            let keeps = |mask: Value| constant(dfg, mask).is_some_and(|mask| mask & (bits - 1) == bits - 1);
            if keeps(args[1]) {
                low_bits(dfg, args[0], bits)
            } else if keeps(args[0]) {
                low_bits(dfg, args[1], bits)
            } else {
                value
            }
        }
        _ => value,
    }
}
