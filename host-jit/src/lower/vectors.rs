//! Operations on 128-bit vectors.

use super::{Lower, Val};
use crate::abi::scalar_type;
use accrue_ir::{BinaryOp, Local, Operand, Type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, Value};

impl Lower<'_, '_> {
    pub(super) fn extract_lane(&mut self, dst: Local, src: Operand, lane: u8) {
        let vector = self.one(src);
        let value = self.b.ins().extractlane(vector, lane);
        self.write(dst, Val::One(value));
    }

    pub(super) fn insert_lane(&mut self, dst: Local, src: Operand, value: Operand, lane: u8) {
        let vector = self.one(src);
        let value = self.one(value);
        let result = self.b.ins().insertlane(vector, value, lane);
        self.write(dst, Val::One(result));
    }

    pub(super) fn widen(&mut self, dst: Local, src: Operand, half: u8, signed: bool) {
        let vector = self.one(src);
        let result = match (half, signed) {
            (0, true) => self.b.ins().swiden_low(vector),
            (0, false) => self.b.ins().uwiden_low(vector),
            (_, true) => self.b.ins().swiden_high(vector),
            (_, false) => self.b.ins().uwiden_high(vector),
        };
        self.write(dst, Val::One(result));
    }

    pub(super) fn narrow(&mut self, dst: Local, a: Operand, b: Operand, signed: bool) {
        let (a, b) = (self.one(a), self.one(b));
        let result = if signed { self.b.ins().snarrow(a, b) } else { self.b.ins().unarrow(a, b) };
        self.write(dst, Val::One(result));
    }

    /// The same bits as another vector type.
    pub(super) fn reinterpret_vector(&mut self, value: Value, to: ir::Type) -> Value {
        let little = MemFlagsData::new().with_endianness(ir::Endianness::Little);
        self.b.ins().bitcast(to, little, value)
    }

    /// Arithmetic on vectors of integers.
    pub(super) fn binary_vector(
        &mut self,
        ty: Type,
        op: BinaryOp,
        x: Value,
        y: Value,
        amount: Type,
    ) -> Value {
        match op {
            BinaryOp::Add => self.b.ins().iadd(x, y),
            BinaryOp::Sub => self.b.ins().isub(x, y),
            BinaryOp::Mul => self.b.ins().imul(x, y),
            BinaryOp::And => self.b.ins().band(x, y),
            BinaryOp::Or => self.b.ins().bor(x, y),
            BinaryOp::Xor => self.b.ins().bxor(x, y),
            BinaryOp::SMin => self.vector_extreme(ty, IntCC::SignedLessThan, x, y),
            BinaryOp::SMax => self.vector_extreme(ty, IntCC::SignedGreaterThan, x, y),
            BinaryOp::UMin => self.vector_extreme(ty, IntCC::UnsignedLessThan, x, y),
            BinaryOp::UMax => self.vector_extreme(ty, IntCC::UnsignedGreaterThan, x, y),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if !amount.is_vector() => match op {
                BinaryOp::Shl => self.b.ins().ishl(x, y),
                BinaryOp::LShr => self.b.ins().ushr(x, y),
                _ => self.b.ins().sshr(x, y),
            },
            BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::SRem
            | BinaryOp::URem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr => self.lane_by_lane(ty, op, x, y, amount),
            BinaryOp::FDiv | BinaryOp::FMin | BinaryOp::FMax | BinaryOp::CopySign | BinaryOp::Complex => {
                unreachable!("{}: {op:?} has no meaning on {ty}", self.function.name)
            }
        }
    }

    fn vector_extreme(&mut self, ty: Type, cc: IntCC, x: Value, y: Value) -> Value {
        if ty != Type::I64x2 {
            return match cc {
                IntCC::SignedLessThan => self.b.ins().smin(x, y),
                IntCC::SignedGreaterThan => self.b.ins().smax(x, y),
                IntCC::UnsignedLessThan => self.b.ins().umin(x, y),
                _ => self.b.ins().umax(x, y),
            };
        }
        let mask = self.b.ins().icmp(cc, x, y);
        self.b.ins().bitselect(mask, x, y)
    }

    fn lane_by_lane(&mut self, ty: Type, op: BinaryOp, x: Value, y: Value, amount: Type) -> Value {
        let mut result = x;
        for lane in 0..ty.lanes() as u8 {
            let a = self.b.ins().extractlane(x, lane);
            let b = if amount.is_vector() { self.b.ins().extractlane(y, lane) } else { y };
            let value = self.binary(ty.element(), op, Val::One(a), Val::One(b), amount.element());
            result = self.b.ins().insertlane(result, value.first(), lane);
        }
        debug_assert_eq!(self.b.func.dfg.value_type(result), scalar_type(ty));
        result
    }
}
