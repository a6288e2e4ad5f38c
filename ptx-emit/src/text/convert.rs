//! Conversions.

use super::error::Result;
use super::function::{FunctionWriter, ins, put};
use super::operand::Value;
use super::register::{Class, Reg};
use accrue_ir::*;

/// 2^31 and 2^63, which both float types hold exactly.
const LIMIT_32: f64 = 2147483648.0;
const LIMIT_64: f64 = 9223372036854775808.0;

impl FunctionWriter<'_, '_> {
    pub(super) fn convert(&mut self, dst: Local, op: ConvertOp, src: Operand) -> Result<()> {
        let (from, to) = (self.type_of(src), self.body.locals[dst].ty);
        let src = self.reg(src)?;
        let dst = self.local(dst)?;
        let bits = from.bytes() * 8;
        match op {
            ConvertOp::ZExt if from == Type::I1 => match dst.class {
                Class::B64 => ins!(self, "selp.b64 {dst}, 1, 0, {src}"),
                _ => ins!(self, "selp.b32 {dst}, 1, 0, {src}"),
            },
            // Narrow values stand zero-extended already.
            ConvertOp::ZExt if dst.class == Class::B32 => put!(self, ["mov.b32"], dst, src),
            ConvertOp::ZExt => put!(self, ["cvt.u64.u32"], dst, src),
            ConvertOp::SExt if to == Type::I16 => {
                let wide = self.temp(Class::B32);
                ins!(self, "cvt.s32.s{bits} {wide}, {src}");
                ins!(self, "and.b32 {dst}, {wide}, 65535");
            }
            ConvertOp::SExt if (from, to) == (Type::I32, Type::I64) => put!(self, ["cvt.s64.s32"], dst, src),
            ConvertOp::SExt => ins!(self, "cvt.s{}.s{bits} {dst}, {src}", to.bytes() * 8),
            ConvertOp::Trunc => self.truncate(dst, to, src),
            ConvertOp::SToF => ins!(self, "cvt.rn.{}.s{bits} {dst}, {src}", dst.class.name()),
            ConvertOp::UToF => {
                let bits = bits.max(32);
                ins!(self, "cvt.rn.{}.u{bits} {dst}, {src}", dst.class.name());
            }
            ConvertOp::FToS => match to {
                Type::I64 | Type::Ptr => self.signed_of(dst, src),
                Type::I32 => self.signed_of(dst, src),
                _ => {
                    let wide = self.temp(Class::B32);
                    self.signed_of(wide, src);
                    self.truncate(dst, to, wide);
                }
            },
            ConvertOp::FToU => self.unsigned_of(dst, to, src),
            ConvertOp::FToF => match dst.class {
                Class::F64 => put!(self, ["cvt.f64.f32"], dst, src),
                _ => put!(self, ["cvt.rn.f32.f64"], dst, src),
            },
            ConvertOp::Bits => ins!(self, "mov.b{bits} {dst}, {src}", bits = bits.max(32)),
            ConvertOp::CToC => {
                return Err(self.error("a complex number was not taken apart before PTX was written"));
            }
        }
        Ok(())
    }

    /// The low bits of an integer.
    pub(super) fn truncate(&mut self, dst: Reg, to: Type, src: Reg) {
        let mask = match to {
            Type::I8 => Some(0xff),
            Type::I16 => Some(0xffff),
            _ => None,
        };
        match (src.class, mask) {
            (Class::B64, None) => put!(self, ["cvt.u32.u64"], dst, src),
            (Class::B64, Some(mask)) => {
                let low = self.temp(Class::B32);
                put!(self, ["cvt.u32.u64"], low, src);
                ins!(self, "and.b32 {dst}, {low}, {mask}");
            }
            (_, Some(mask)) => ins!(self, "and.b32 {dst}, {src}, {mask}"),
            (_, None) => put!(self, ["mov.b32"], dst, src),
        }
    }

    /// A float constant of the class.
    fn float(class: Class, value: f64) -> Value {
        match class {
            Class::F32 => Value::F32((value as f32).to_bits()),
            _ => Value::F64(value.to_bits()),
        }
    }

    /// As x86-64's `cvttsd2si`: PTX saturates and turns NaN into zero, so what does not fit is replaced by
    /// the least integer; below, both agree.
    fn signed_of(&mut self, dst: Reg, src: Reg) {
        let name = src.class.name();
        let (bits, limit, least) = match dst.class {
            Class::B64 => (64, LIMIT_64, i64::MIN),
            _ => (32, LIMIT_32, i64::from(i32::MIN)),
        };
        let (converted, fits) = (self.temp(dst.class), self.temp(Class::Pred));
        ins!(self, "cvt.rzi.s{bits}.{name} {converted}, {src}");
        ins!(self, "setp.lt.{name} {fits}, {src}, {}", Self::float(src.class, limit));
        ins!(self, "selp.b{bits} {dst}, {converted}, {}, {fits}", Value::Int(least));
    }

    /// As compilers for x86-64 do it: through the next wider signed type, and from 2^63 on less that, whose
    /// bit is then set again.
    fn unsigned_of(&mut self, dst: Reg, to: Type, src: Reg) {
        let name = src.class.name();
        match to {
            Type::I64 | Type::Ptr => {
                let (large, less, small) =
                    (self.temp(Class::Pred), self.temp(src.class), self.temp(src.class));
                let (converted, bit) = (self.temp(Class::B64), self.temp(Class::B64));
                let limit = Self::float(src.class, LIMIT_64);
                ins!(self, "setp.ge.{name} {large}, {src}, {limit}");
                ins!(self, "sub.rn.{name} {less}, {src}, {limit}");
                ins!(self, "selp.{name} {small}, {less}, {src}, {large}");
                self.signed_of(converted, small);
                ins!(self, "selp.b64 {bit}, {}, 0, {large}", Value::Int(i64::MIN));
                ins!(self, "xor.b64 {dst}, {converted}, {bit}");
            }
            Type::I32 => {
                let wide = self.temp(Class::B64);
                self.signed_of(wide, src);
                put!(self, ["cvt.u32.u64"], dst, wide);
            }
            _ => {
                let wide = self.temp(Class::B32);
                self.signed_of(wide, src);
                self.truncate(dst, to, wide);
            }
        }
    }
}
