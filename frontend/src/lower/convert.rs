//! Conversions between scalar types, and conditions.

use super::function::FnLower;
use super::types::{Repr, repr};
use crate::ctype::TypeId;
use accrue_ir::{BinaryOp, CmpOp, ConvertOp, Operand, Type, UnaryOp};

impl FnLower<'_, '_> {
    /// C's conversion of a scalar value from one type to another.
    pub(super) fn convert(&mut self, value: Operand, from: TypeId, to: TypeId) -> Operand {
        let types = &self.m.unit.types;
        let (Repr::Scalar(target), Repr::Scalar(source)) = (repr(types, to), repr(types, from)) else {
            return value;
        };
        let (signed_from, signed_to) = (types.is_signed(from), types.is_signed(to));
        if types.is_bool(to) {
            if types.is_bool(from) {
                return value;
            }
            let truth = self.truth(value);
            return self.widen_truth(truth, Type::I8);
        }
        if target.is_complex() {
            return self.complex_of(value, source, signed_from, target);
        }
        if source.is_complex() {
            let re = self.unary(UnaryOp::Re, value);
            return self.real(re, source.element(), true, target, signed_to);
        }
        self.real(value, source, signed_from, target, signed_to)
    }

    fn complex_of(&mut self, value: Operand, source: Type, signed: bool, target: Type) -> Operand {
        if source == target {
            return value;
        }
        if source.is_complex() {
            return self.convert_op(ConvertOp::CToC, value, target);
        }
        let part = target.element();
        let re = self.real(value, source, signed, part, true);
        let im = self.zero(part);
        self.binary_as(BinaryOp::Complex, re, im, target)
    }

    /// Between integers, floats and pointers.
    fn real(
        &mut self,
        value: Operand,
        source: Type,
        signed: bool,
        target: Type,
        signed_target: bool,
    ) -> Operand {
        match (source.is_float(), target.is_float()) {
            (true, true) if source == target => value,
            (true, true) => self.float_to_float(value, target),
            (true, false) => self.float_to_int(value, target, signed_target),
            (false, true) => self.int_to_float(value, source, signed, target),
            (false, false) => self.int_to_int(value, (source, signed), (target, signed_target)),
        }
    }

    fn float_to_float(&mut self, value: Operand, target: Type) -> Operand {
        match (value, target) {
            (Operand::F64(bits), Type::F32) => Operand::f32(f64::from_bits(bits) as f32),
            (Operand::F32(bits), Type::F64) => Operand::f64(f64::from(f32::from_bits(bits))),
            _ => self.convert_op(ConvertOp::FToF, value, target),
        }
    }

    fn float_to_int(&mut self, value: Operand, target: Type, signed: bool) -> Operand {
        let op = if signed { ConvertOp::FToS } else { ConvertOp::FToU };
        match target {
            // Values in range of the narrow type are in range of `int`, and the machine converts to that.
            Type::I8 | Type::I16 => {
                let wide = self.convert_op(ConvertOp::FToS, value, Type::I32);
                let narrow = self.convert_op(ConvertOp::Trunc, wide, target);
                self.change_sign(narrow, true, signed)
            }
            Type::Ptr => {
                let wide = self.convert_op(op, value, Type::I64);
                self.convert_op(ConvertOp::Bits, wide, target)
            }
            _ => self.convert_op(op, value, target),
        }
    }

    fn int_to_float(&mut self, value: Operand, source: Type, signed: bool, target: Type) -> Operand {
        if let Operand::Int(_, constant) = value
            && signed
        {
            match target {
                Type::F64 => return Operand::f64(constant as f64),
                Type::F32 => return Operand::f32(constant as f32),
                _ => {}
            }
        }
        let wide = match source {
            Type::I8 | Type::I16 => self.resize(value, Type::I32, signed),
            Type::Ptr => self.convert_op(ConvertOp::Bits, value, Type::I64),
            _ => value,
        };
        self.convert_op(if signed { ConvertOp::SToF } else { ConvertOp::UToF }, wide, target)
    }

    /// Between integers and pointers, each with whether it is signed.
    fn int_to_int(
        &mut self,
        value: Operand,
        (source, signed): (Type, bool),
        (target, signed_target): (Type, bool),
    ) -> Operand {
        if source == target {
            return self.change_sign(value, signed, signed_target);
        }
        if let Operand::Int(_, constant) = value
            && target != Type::I128
        {
            return Operand::Int(target, fold_int(constant, source, signed, target));
        }
        match (source, target) {
            (Type::Ptr, _) => {
                let bits = self.convert_op(ConvertOp::Bits, value, Type::I64);
                self.resize(bits, target, false)
            }
            (_, Type::Ptr) => {
                let bits = self.resize(value, Type::I64, signed);
                self.convert_op(ConvertOp::Bits, bits, Type::Ptr)
            }
            _ => {
                let value = self.resize(value, target, signed);
                self.change_sign(value, signed, signed_target)
            }
        }
    }

    /// The same bits as a number with a sign, or without. Operations have no sign to tell whether a sum of C
    /// may wrap around; a conversion shows where one kind of number ends. Any function may be called by loops
    /// that are analysed.
    pub(super) fn change_sign(&mut self, value: Operand, from: bool, to: bool) -> Operand {
        let ty = self.ty(value);
        if from == to || ty == Type::Ptr || value.as_int().is_some() {
            return value;
        }
        self.convert_op(ConvertOp::Bits, value, ty)
    }

    pub(super) fn pointer_to_int(&mut self, value: Operand) -> Operand {
        self.int_to_int(value, (Type::Ptr, false), (Type::I64, true))
    }

    /// Whether a scalar differs from zero.
    pub(super) fn truth(&mut self, value: Operand) -> Operand {
        let ty = self.ty(value);
        match ty {
            Type::I1 => value,
            Type::C32 | Type::C64 => {
                let (re, im) = (self.unary(UnaryOp::Re, value), self.unary(UnaryOp::Im, value));
                let (a, b) = (self.truth(re), self.truth(im));
                self.binary(BinaryOp::Or, a, b)
            }
            _ => match value {
                Operand::Int(_, constant) => Operand::bool(constant != 0),
                Operand::F64(bits) => Operand::bool(f64::from_bits(bits) != 0.0),
                Operand::F32(bits) => Operand::bool(f32::from_bits(bits) != 0.0),
                Operand::Slot(_) => Operand::bool(true),
                Operand::Local(_) | Operand::Global(_) | Operand::Func(_) => {
                    let zero = self.zero(ty);
                    self.compare(CmpOp::Ne, value, zero)
                }
            },
        }
    }

    /// A truth value as an integer.
    pub(super) fn widen_truth(&mut self, truth: Operand, ty: Type) -> Operand {
        match truth {
            Operand::Int(_, value) => Operand::Int(ty, i64::from(value != 0)),
            _ => self.convert_op(ConvertOp::ZExt, truth, ty),
        }
    }
}

/// An integer constant in another type; the result is sign-extended from the target's width.
fn fold_int(value: i64, source: Type, signed: bool, target: Type) -> i64 {
    let source_bits = source.int_bits().unwrap_or(64);
    let value = if signed || source_bits >= 64 { value } else { value & ((1i64 << source_bits) - 1) };
    let spare = 64 - target.int_bits().unwrap_or(64).min(64);
    value << spare >> spare
}

/// The x87 extended form of a binary64 value: exact.
pub(super) fn extended_from_f64(value: f64) -> [u8; 10] {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u16) << 15;
    let exponent = (bits >> 52 & 0x7ff) as u16;
    let fraction = bits & ((1 << 52) - 1);
    let (exponent, mantissa) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => {
            // Subnormal binary64 numbers are normal in the extended format.
            let shift = fraction.leading_zeros();
            (16383 - 1022 + 11 - shift as u16, fraction << shift)
        }
        (0x7ff, _) => (0x7fff, 1 << 63 | fraction << 11),
        _ => (exponent + 16383 - 1023, 1 << 63 | fraction << 11),
    };
    let mut image = [0; 10];
    image[..8].copy_from_slice(&mantissa.to_le_bytes());
    image[8..].copy_from_slice(&(sign | exponent).to_le_bytes());
    image
}
