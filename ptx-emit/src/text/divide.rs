//! Quotients and remainders of integers.
//!
//! By a power of two, they are shifts and masks: where a function has several such divisions, `ptxas` makes
//! one reciprocal for all.
//!
//! GPUs divide 32-bit integers by a short piece of code, and 64-bit integers by calling a long one; in a
//! function with a call, `ptxas` keeps fewer values where the other instructions want them. So 64-bit
//! integers are divided here: as 32-bit ones if both operands turn out to be such, else by a reciprocal in
//! double precision.
//!
//! # The reciprocal
//! `r` is a little less than `1 / b`: two steps of Newton's method leave an error of some 2^-52, and the
//! product with `1 - 2^-48` is below. So `q = trunc(a * r)` is never more than the quotient, and what is
//! left, `a - q * b`, is not negative; it is at most `b * (2^17 + 3)`, as the quotient is below 2^64. The
//! same once more leaves less than `2 * b`, which one comparison ends.

use super::function::{FunctionWriter, put};
use super::operand::Value;
use super::register::{Class, Reg};
use accrue_ir::Type;

/// What is wanted of a division.
#[derive(Clone, Copy)]
pub(super) struct Division {
    /// The remainder, not the quotient.
    pub(super) rest: bool,
    /// Of numbers with signs.
    pub(super) signed: bool,
}

/// 1.0 and `1 - 2^-48`, by their bits.
const ONE: u64 = 0x3ff0_0000_0000_0000;
const BELOW_ONE: u64 = 0x3fef_ffff_ffff_ffe0;

impl FunctionWriter<'_, '_> {
    /// Writes a division. One by a constant that is no power of two is left to `ptxas`, which multiplies.
    pub(super) fn divide(&mut self, division: Division, dst: Reg, ty: Type, a: Value, b: Value) {
        let name = if division.rest { "rem" } else { "div" };
        match (ty, b) {
            (Type::I32 | Type::I64, Value::Int(b)) if b > 1 && b & (b - 1) == 0 => {
                self.divide_by_power(division, dst, ty, a, b);
            }
            (Type::I64, Value::Reg(b)) => {
                let a = self.in_register(Class::B64, a);
                self.divide_wide(division, dst, a, b);
            }
            _ if division.signed => self.signed(name, dst, ty, a, b),
            _ => put!(self, [name, if ty.bytes() == 8 { ".u64" } else { ".u32" }], dst, a, b),
        }
    }

    /// Divides by a power of two above 1. Signed quotients are rounded towards zero: to a negative dividend
    /// comes what the shift would round down.
    fn divide_by_power(&mut self, division: Division, dst: Reg, ty: Type, a: Value, power: i64) {
        let bits = i64::from(ty.bytes() * 8);
        let [shift, shift_signed, and, add, sub] = match ty {
            Type::I64 => ["shr.u64", "shr.s64", "and.b64", "add.s64", "sub.s64"],
            _ => ["shr.u32", "shr.s32", "and.b32", "add.s32", "sub.s32"],
        };
        let log = Value::Int(i64::from(power.trailing_zeros()));
        match division {
            Division { rest: false, signed: false } => put!(self, [shift], dst, a, log),
            Division { rest: true, signed: false } => put!(self, [and], dst, a, Value::Int(power - 1)),
            Division { rest, signed: true } => {
                let [sign, missing, sum] = [(); 3].map(|()| self.temp(dst.class));
                put!(self, [shift_signed], sign, a, Value::Int(bits - 1));
                put!(self, [shift], missing, sign, Value::Int(bits - i64::from(power.trailing_zeros())));
                put!(self, [add], sum, a, missing);
                if rest {
                    let multiple = self.temp(dst.class);
                    put!(self, [and], multiple, sum, Value::Int(-power));
                    put!(self, [sub], dst, a, multiple);
                } else {
                    put!(self, [shift_signed], dst, sum, log);
                }
            }
        }
    }

    fn divide_wide(&mut self, division: Division, dst: Reg, a: Reg, b: Reg) {
        let name = if division.rest { "rem.u32" } else { "div.u32" };
        let [both, high] = [(); 2].map(|()| self.temp(Class::B64));
        let [narrow_a, narrow_b, narrow] = [(); 3].map(|()| self.temp(Class::B32));
        let is_wide = self.temp(Class::Pred);
        let [wide, done] = [self.label("wide"), self.label("divided")];
        put!(self, ["or.b64"], both, a, b);
        put!(self, ["shr.u64"], high, both, Value::Int(32));
        put!(self, ["setp.ne.u64"], is_wide, high, Value::Int(0));
        self.guarded("@", is_wide, wide);
        put!(self, ["cvt.u32.u64"], narrow_a, a);
        put!(self, ["cvt.u32.u64"], narrow_b, b);
        put!(self, [name], narrow, narrow_a, narrow_b);
        put!(self, ["cvt.u64.u32"], dst, narrow);
        put!(self, ["bra"], done);
        self.place_label(wide);
        if division.signed {
            self.divide_signed(division, dst, a, b);
        } else {
            self.divide_unsigned(division, dst, a, b);
        }
        self.place_label(done);
    }

    /// The quotient of the magnitudes is negative if one operand is, their remainder if the dividend is.
    fn divide_signed(&mut self, division: Division, dst: Reg, a: Reg, b: Reg) {
        let [positive_a, positive_b, magnitude, negative, signs] = [(); 5].map(|()| self.temp(Class::B64));
        let is_negative = self.temp(Class::Pred);
        put!(self, ["abs.s64"], positive_a, a);
        put!(self, ["abs.s64"], positive_b, b);
        if division.rest {
            put!(self, ["mov.b64"], signs, a);
        } else {
            put!(self, ["xor.b64"], signs, a, b);
        }
        self.divide_unsigned(division, magnitude, positive_a, positive_b);
        put!(self, ["neg.s64"], negative, magnitude);
        put!(self, ["setp.lt.s64"], is_negative, signs, Value::Int(0));
        put!(self, ["selp.b64"], dst, negative, magnitude, is_negative);
    }

    fn divide_unsigned(&mut self, division: Division, dst: Reg, a: Reg, b: Reg) {
        self.out.push_str("\t// 64-bit division by a reciprocal\n");
        let [divisor, first, second, reciprocal] = [(); 4].map(|()| self.temp(Class::F64));
        put!(self, ["cvt.rn.f64.u64"], divisor, b);
        put!(self, ["rcp.approx.ftz.f64"], first, divisor);
        self.newton_step(second, first, divisor);
        let third = self.temp(Class::F64);
        self.newton_step(third, second, divisor);
        put!(self, ["mul.rn.f64"], reciprocal, third, Value::F64(BELOW_ONE));
        let (low, rest) = self.quotient_from_below(a, b, reciprocal);
        let (more, rest) = self.quotient_from_below(rest, b, reciprocal);
        let [sum, next, less] = [(); 3].map(|()| self.temp(Class::B64));
        let is_one_more = self.temp(Class::Pred);
        put!(self, ["setp.ge.u64"], is_one_more, rest, b);
        if division.rest {
            put!(self, ["sub.s64"], less, rest, b);
            put!(self, ["selp.b64"], dst, less, rest, is_one_more);
        } else {
            put!(self, ["add.s64"], sum, low, more);
            put!(self, ["add.s64"], next, sum, Value::Int(1));
            put!(self, ["selp.b64"], dst, next, sum, is_one_more);
        }
    }

    /// `better = reciprocal + reciprocal * (1 - reciprocal * divisor)`.
    fn newton_step(&mut self, better: Reg, reciprocal: Reg, divisor: Reg) {
        let [negative, error] = [(); 2].map(|()| self.temp(Class::F64));
        put!(self, ["neg.f64"], negative, reciprocal);
        put!(self, ["fma.rn.f64"], error, negative, divisor, Value::F64(ONE));
        put!(self, ["fma.rn.f64"], better, reciprocal, error, reciprocal);
    }

    /// A number that is not above `a / b`, and what is left of `a`.
    fn quotient_from_below(&mut self, a: Reg, b: Reg, reciprocal: Reg) -> (Reg, Reg) {
        let [dividend, product] = [(); 2].map(|()| self.temp(Class::F64));
        let [quotient, covered, rest] = [(); 3].map(|()| self.temp(Class::B64));
        put!(self, ["cvt.rn.f64.u64"], dividend, a);
        put!(self, ["mul.rn.f64"], product, dividend, reciprocal);
        put!(self, ["cvt.rzi.u64.f64"], quotient, product);
        put!(self, ["mul.lo.s64"], covered, quotient, b);
        put!(self, ["sub.s64"], rest, a, covered);
        (quotient, rest)
    }
}
