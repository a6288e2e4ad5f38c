//! Arithmetic: unary and binary operators, comparisons.
//!
//! Floating-point instructions name their rounding: without it ptxas may contract a product and a sum.

use super::divide::Division;
use super::error::Result;
use super::function::{FunctionWriter, ins, put};
use super::name::NUMBERS;
use super::operand::Value;
use super::register::{Class, Reg};
use accrue_ir::*;

/// The width that integer instructions of a type work on.
fn width(ty: Type) -> &'static str {
    if ty.bytes() == 8 { "64" } else { "32" }
}

/// The bits of a narrow type, which its registers are cut to.
fn narrow_mask(ty: Type) -> Option<u32> {
    match ty {
        Type::I8 => Some(0xff),
        Type::I16 => Some(0xffff),
        _ => None,
    }
}

impl FunctionWriter<'_, '_> {
    /// `.ftz` where denormals are flushed.
    fn flush(&self, ty: Type) -> &'static str {
        if ty == Type::F32 && self.is_fast() { ".ftz" } else { "" }
    }

    /// A narrow value sign-extended to 32 bits; wider ones as they are.
    pub(super) fn sign_extended(&mut self, ty: Type, value: Value) -> Value {
        if narrow_mask(ty).is_none() {
            return value;
        }
        match value {
            Value::Int(value) => {
                Value::Int(if ty == Type::I8 { i64::from(value as i8) } else { i64::from(value as i16) })
            }
            other => {
                let reg = self.temp(Class::B32);
                ins!(self, "cvt.s32.s{} {reg}, {other}", ty.bytes() * 8);
                reg.into()
            }
        }
    }

    /// A register that an instruction may leave more bits in than the type has, and what then cuts them off
    /// into `dst`.
    fn cut(&mut self, ty: Type, dst: Reg, write: impl FnOnce(&mut Self, Reg)) {
        match narrow_mask(ty) {
            Some(mask) => {
                let wide = self.temp(Class::B32);
                write(self, wide);
                ins!(self, "and.b32 {dst}, {wide}, {mask}");
            }
            None => write(self, dst),
        }
    }

    pub(super) fn unary(&mut self, dst: Local, op: UnaryOp, src: Operand) -> Result<()> {
        let ty = self.type_of(src);
        let src = self.reg(src)?;
        let dst = self.local(dst)?;
        self.unary_into(dst, op, ty, src)
    }

    pub(super) fn unary_into(&mut self, dst: Reg, op: UnaryOp, ty: Type, src: Reg) -> Result<()> {
        let class = src.class;
        let (name, ftz) = (class.name(), self.flush(ty));
        match op {
            UnaryOp::Neg if ty.is_float() => ins!(self, "neg{ftz}.{name} {dst}, {src}"),
            UnaryOp::Neg => {
                let bits = width(ty);
                self.cut(ty, dst, |w, to| ins!(w, "neg.s{bits} {to}, {src}"));
            }
            UnaryOp::Not => match narrow_mask(ty) {
                Some(mask) => ins!(self, "xor.b32 {dst}, {src}, {mask}"),
                None => ins!(self, "not.{name} {dst}, {src}"),
            },
            UnaryOp::FAbs => ins!(self, "abs{ftz}.{name} {dst}, {src}"),
            UnaryOp::Sqrt => {
                let rounding = if ftz.is_empty() { ".rn" } else { ".approx" };
                ins!(self, "sqrt{rounding}{ftz}.{name} {dst}, {src}");
            }
            UnaryOp::Exp2 => ins!(self, "ex2.approx.ftz.{name} {dst}, {src}"),
            UnaryOp::Reciprocal => ins!(self, "rcp.approx.ftz.{name} {dst}, {src}"),
            UnaryOp::ReciprocalRoot => ins!(self, "rsqrt.approx.ftz.{name} {dst}, {src}"),
            UnaryOp::Floor => ins!(self, "cvt.rmi{ftz}.{name}.{name} {dst}, {src}"),
            UnaryOp::Ceil => ins!(self, "cvt.rpi{ftz}.{name}.{name} {dst}, {src}"),
            UnaryOp::Trunc => ins!(self, "cvt.rzi{ftz}.{name}.{name} {dst}, {src}"),
            UnaryOp::Nearest => ins!(self, "cvt.rni{ftz}.{name}.{name} {dst}, {src}"),
            UnaryOp::Clz => {
                let extra = 32u32.saturating_sub(ty.bytes() * 8);
                self.counted(dst, |w, count| {
                    ins!(w, "clz.{name} {count}, {src}");
                    if extra > 0 {
                        ins!(w, "sub.s32 {count}, {count}, {extra}");
                    }
                });
            }
            UnaryOp::Ctz => {
                let reversed = self.temp(class);
                // A bit above a narrow value ends the search.
                let from = match narrow_mask(ty) {
                    Some(mask) => {
                        let stopped = self.temp(class);
                        ins!(self, "or.b32 {stopped}, {src}, {}", mask + 1);
                        stopped
                    }
                    None => src,
                };
                ins!(self, "brev.{name} {reversed}, {from}");
                self.counted(dst, |w, count| ins!(w, "clz.{name} {count}, {reversed}"));
            }
            UnaryOp::Popcnt => self.counted(dst, |w, count| ins!(w, "popc.{name} {count}, {src}")),
            UnaryOp::Bswap => self.swap_bytes(dst, ty, src),
            UnaryOp::Re | UnaryOp::Im | UnaryOp::Conj | UnaryOp::Splat => {
                return Err(
                    self.error(format!("a value of type {ty} was not taken apart before PTX was written"))
                );
            }
        }
        Ok(())
    }

    /// Counts are 32 bits wide, whatever is counted in.
    fn counted(&mut self, dst: Reg, write: impl FnOnce(&mut Self, Reg)) {
        let count = self.temp(Class::B32);
        write(self, count);
        if dst.class == Class::B64 {
            ins!(self, "cvt.u64.u32 {dst}, {count}");
        } else {
            ins!(self, "mov.b32 {dst}, {count}");
        }
    }

    fn swap_bytes(&mut self, dst: Reg, ty: Type, src: Reg) {
        match ty {
            Type::I8 => ins!(self, "mov.b32 {dst}, {src}"),
            // Bytes 4 to 7 are those of the second operand, zero.
            Type::I16 => ins!(self, "prmt.b32 {dst}, {src}, 0, 0x4401"),
            Type::I64 => {
                let (low, high) = self.halves(src);
                let (new_low, new_high) = (self.temp(Class::B32), self.temp(Class::B32));
                ins!(self, "prmt.b32 {new_low}, {high}, 0, 0x0123");
                ins!(self, "prmt.b32 {new_high}, {low}, 0, 0x0123");
                put!(self, ["mov.b64"], dst, &[new_low, new_high]);
            }
            _ => ins!(self, "prmt.b32 {dst}, {src}, 0, 0x0123"),
        }
    }

    /// The two halves of a 64-bit register.
    pub(super) fn halves(&mut self, src: Reg) -> (Reg, Reg) {
        let (low, high) = (self.temp(Class::B32), self.temp(Class::B32));
        put!(self, ["mov.b64"], &[low, high], src);
        (low, high)
    }

    pub(super) fn binary_op(&mut self, dst: Local, op: BinaryOp, a: Operand, b: Operand) -> Result<()> {
        let ty = self.type_of(a);
        if (op, ty) == (BinaryOp::Mul, Type::I64)
            && let [Some(a), Some(b)] = [a, b].map(|operand| self.extended.narrow(operand))
            && let Some((a, b)) = match (a, b) {
                (Operand::Local(_), _) => Some((a, b)),
                (_, Operand::Local(_)) => Some((b, a)),
                _ => None,
            }
        {
            let (a, b) = (self.reg(a)?, self.value(b)?);
            let dst = self.local(dst)?;
            put!(self, ["mul.wide.s32"], dst, a, b);
            return Ok(());
        }
        let (divisor, amount) = (b, self.type_of(b));
        let (a, b) = if ty == Type::I1 {
            (self.reg(a)?.into(), self.reg(b)?.into())
        } else {
            (self.value(a)?, self.value(b)?)
        };
        let dst = self.local(dst)?;
        if let Some(division) = Division::of(op).filter(|_| matches!(ty, Type::I32 | Type::I64))
            && let Some(divisor) = self.prepared(divisor)
        {
            self.divide_by_known(division, dst, ty, a, &divisor);
            return Ok(());
        }
        self.binary(dst, op, ty, a, (b, amount))
    }

    /// `dst = a op b` on values of a type; `b` comes with its own type, which is another one for shifts.
    pub(super) fn binary(
        &mut self,
        dst: Reg,
        op: BinaryOp,
        ty: Type,
        a: Value,
        (b, amount): (Value, Type),
    ) -> Result<()> {
        let class = self.class(ty)?;
        let name = class.name();
        if ty.is_float() {
            return self.float_binary(dst, op, ty, a, b);
        }
        let bits = width(ty);
        match op {
            BinaryOp::And => put!(self, ["and.", name], dst, a, b),
            BinaryOp::Or => put!(self, ["or.", name], dst, a, b),
            BinaryOp::Xor => put!(self, ["xor.", name], dst, a, b),
            BinaryOp::Add => self.cut(ty, dst, |w, to| put!(w, ["add.s", bits], to, a, b)),
            BinaryOp::Sub => self.cut(ty, dst, |w, to| put!(w, ["sub.s", bits], to, a, b)),
            BinaryOp::Mul => self.cut(ty, dst, |w, to| put!(w, ["mul.lo.s", bits], to, a, b)),
            BinaryOp::UDiv => self.divide(Division { rest: false, signed: false }, dst, ty, a, b),
            BinaryOp::URem => self.divide(Division { rest: true, signed: false }, dst, ty, a, b),
            BinaryOp::UMin => put!(self, ["min.u", bits], dst, a, b),
            BinaryOp::UMax => put!(self, ["max.u", bits], dst, a, b),
            BinaryOp::SDiv => self.divide(Division { rest: false, signed: true }, dst, ty, a, b),
            BinaryOp::SRem => self.divide(Division { rest: true, signed: true }, dst, ty, a, b),
            BinaryOp::SMin => self.signed("min", dst, ty, a, b),
            BinaryOp::SMax => self.signed("max", dst, ty, a, b),
            BinaryOp::Shl => {
                let by = self.shift_amount(ty, b, amount);
                self.cut(ty, dst, |w, to| put!(w, ["shl.b", bits], to, a, by));
            }
            BinaryOp::LShr => {
                let by = self.shift_amount(ty, b, amount);
                put!(self, ["shr.u", bits], dst, a, by);
            }
            BinaryOp::AShr => {
                let by = self.shift_amount(ty, b, amount);
                let a = self.sign_extended(ty, a);
                self.cut(ty, dst, |w, to| put!(w, ["shr.s", bits], to, a, by));
            }
            BinaryOp::FDiv | BinaryOp::FMin | BinaryOp::FMax | BinaryOp::CopySign | BinaryOp::Complex => {
                return Err(
                    self.error(format!("{op:?} of type {ty} was not taken apart before PTX was written"))
                );
            }
        }
        Ok(())
    }

    pub(super) fn signed(&mut self, name: &str, dst: Reg, ty: Type, a: Value, b: Value) {
        let bits = width(ty);
        let (a, b) = (self.sign_extended(ty, a), self.sign_extended(ty, b));
        self.cut(ty, dst, |w, to| ins!(w, "{name}.s{bits} {to}, {a}, {b}"));
    }

    /// The amount of a shift, modulo the width: PTX shifts everything out instead.
    fn shift_amount(&mut self, ty: Type, by: Value, amount: Type) -> Value {
        let mask = i64::from(ty.bytes() * 8 - 1);
        if let Value::Int(by) = by {
            return Value::Int(by & mask);
        }
        let masked = self.temp(Class::B32);
        if amount.bytes() == 8 {
            ins!(self, "cvt.u32.u64 {masked}, {by}");
            ins!(self, "and.b32 {masked}, {masked}, {mask}");
        } else {
            ins!(self, "and.b32 {masked}, {by}, {mask}");
        }
        masked.into()
    }

    fn float_binary(&mut self, dst: Reg, op: BinaryOp, ty: Type, a: Value, b: Value) -> Result<()> {
        let (name, ftz) = (dst.class.name(), self.flush(ty));
        let (a, b) = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => (self.number(a), self.number(b)),
            _ => (a, b),
        };
        match op {
            BinaryOp::Add => put!(self, ["add.rn", ftz, ".", name], dst, a, b),
            BinaryOp::Sub => put!(self, ["sub.rn", ftz, ".", name], dst, a, b),
            BinaryOp::Mul => put!(self, ["mul.rn", ftz, ".", name], dst, a, b),
            BinaryOp::FDiv => {
                let rounding = if ftz.is_empty() { ".rn" } else { ".approx" };
                // The quotient, rounded to nearest as it is, in fewer steps.
                if is_one(a) {
                    ins!(self, "rcp{rounding}{ftz}.{name} {dst}, {b}");
                } else if let Some(inverse) = exact_inverse(b) {
                    put!(self, ["mul.rn", ftz, ".", name], dst, a, inverse);
                } else {
                    ins!(self, "div{rounding}{ftz}.{name} {dst}, {a}, {b}");
                }
            }
            BinaryOp::FMin => put!(self, ["min", ftz, ".", name], dst, a, b),
            BinaryOp::FMax => put!(self, ["max", ftz, ".", name], dst, a, b),
            // PTX takes the sign of its first operand.
            BinaryOp::CopySign => put!(self, ["copysign.", name], dst, b, a),
            BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::SRem
            | BinaryOp::URem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::SMin
            | BinaryOp::SMax
            | BinaryOp::UMin
            | BinaryOp::UMax
            | BinaryOp::Complex => {
                return Err(self.error(format!("{op:?} of type {ty} (a mistake in accrue)")));
            }
        }
        Ok(())
    }

    /// `fma(a, b, c)`, rounded once.
    pub(super) fn fused_multiply_add(&mut self, dst: Reg, a: Value, b: Value, c: Value) {
        let ty = if dst.class == Class::F32 { Type::F32 } else { Type::F64 };
        let (name, ftz) = (dst.class.name(), self.flush(ty));
        let [a, b, c] = [a, b, c].map(|value| self.number(value));
        ins!(self, "fma.rn{ftz}.{name} {dst}, {a}, {b}, {c}");
    }

    /// An operand of double arithmetic. An instruction has place for the upper half of a number. Any other
    /// one takes two instructions in each iteration of a loop, and one if it is in constant memory; outside
    /// of loops many such numbers would wait in registers for their turn.
    fn number(&mut self, value: Value) -> Value {
        let Value::F64(bits) = value else { return value };
        if bits as u32 == 0 || !self.is_repeated {
            return value;
        }
        let Some(offset) = self.demands.number(bits) else { return value };
        let reg = self.temp(Class::F64);
        ins!(self, "ld.const.f64 {reg}, [{NUMBERS}+{offset}]");
        reg.into()
    }

    pub(super) fn compare(&mut self, dst: Local, op: CmpOp, a: Operand, b: Operand) -> Result<()> {
        let ty = self.type_of(a);
        if ty == Type::I1 {
            let (a, b) = (self.reg(a)?, self.reg(b)?);
            let dst = self.local(dst)?;
            if op == CmpOp::Ne {
                ins!(self, "xor.pred {dst}, {a}, {b}");
            } else {
                let differ = self.temp(Class::Pred);
                ins!(self, "xor.pred {differ}, {a}, {b}");
                ins!(self, "not.pred {dst}, {differ}");
            }
            return Ok(());
        }
        let (mut a, mut b) = (self.value(a)?, self.value(b)?);
        if let Value::Int(_) | Value::F32(_) | Value::F64(_) = a {
            let class = self.class(ty)?;
            a = self.in_register(class, a).into();
        }
        let dst = self.local(dst)?;
        if ty.is_float() {
            let (ftz, name) = (self.flush(ty), self.class(ty)?.name());
            let comparison = match op {
                CmpOp::Eq => "eq",
                CmpOp::Ne => "neu",
                CmpOp::Lt | CmpOp::ULt => "lt",
                CmpOp::Le | CmpOp::ULe => "le",
                CmpOp::Gt | CmpOp::UGt => "gt",
                CmpOp::Ge | CmpOp::UGe => "ge",
                CmpOp::Unordered => "nan",
            };
            put!(self, ["setp.", comparison, ftz, ".", name], dst, a, b);
            return Ok(());
        }
        let (comparison, signed) = match op {
            CmpOp::Eq => ("eq", false),
            CmpOp::Ne => ("ne", false),
            CmpOp::Lt => ("lt", true),
            CmpOp::Le => ("le", true),
            CmpOp::Gt => ("gt", true),
            CmpOp::Ge => ("ge", true),
            CmpOp::ULt => ("lt", false),
            CmpOp::ULe => ("le", false),
            CmpOp::UGt => ("gt", false),
            CmpOp::UGe => ("ge", false),
            CmpOp::Unordered => {
                return Err(self.error("integers are compared like floats (a mistake in accrue)"));
            }
        };
        if signed {
            (a, b) = (self.sign_extended(ty, a), self.sign_extended(ty, b));
        }
        let kind = match (signed, op) {
            (_, CmpOp::Eq | CmpOp::Ne) => "b",
            (true, _) => "s",
            (false, _) => "u",
        };
        put!(self, ["setp.", comparison, ".", kind, width(ty)], dst, a, b);
        Ok(())
    }
}

/// Whether a value is the number 1.
/// Of a power of two, the number by which to multiply for the same quotient, if neither loses bits.
fn exact_inverse(divisor: Value) -> Option<Value> {
    match divisor {
        Value::F32(bits) => {
            let (value, inverse) = (f32::from_bits(bits), 1.0 / f32::from_bits(bits));
            let is_exact = bits << 9 == 0 && value.is_normal() && inverse.is_normal();
            is_exact.then_some(Value::F32(inverse.to_bits()))
        }
        Value::F64(bits) => {
            let (value, inverse) = (f64::from_bits(bits), 1.0 / f64::from_bits(bits));
            let is_exact = bits << 12 == 0 && value.is_normal() && inverse.is_normal();
            is_exact.then_some(Value::F64(inverse.to_bits()))
        }
        Value::Int(_) | Value::Reg(_) => None,
    }
}

fn is_one(value: Value) -> bool {
    match value {
        Value::F32(bits) => f32::from_bits(bits) == 1.0,
        Value::F64(bits) => f64::from_bits(bits) == 1.0,
        Value::Reg(_) | Value::Int(_) => false,
    }
}
