//! Quotients and remainders of integers.
//!
//! By a power of two, they are shifts and masks: where a function has several such divisions, `ptxas` makes
//! one reciprocal for all.
//!
//! By another constant, 64-bit integers are multiplied by its reciprocal, and the upper half of the product
//! is shifted (Granlund and Montgomery, 1994). 32-bit ones are left to `ptxas`, which does the same.
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

/// What to multiply by to divide by an unsigned number above 1: `2^64 + factor` is `2^(64 + shift) / b`,
/// rounded up (Granlund and Montgomery, figure 4.1).
fn unsigned_factor(b: u64) -> (u64, u32) {
    let shift = u64::BITS - (b - 1).leading_zeros();
    let above = (1u128 << shift) - u128::from(b);
    (((above << 64) / u128::from(b) + 1) as u64, shift)
}

/// The same for numbers with signs, of which one is divided by a number of this size, above 1:
/// `2^64 + factor` is `2^(64 + shift) / b`, rounded up (figure 5.2 there).
fn signed_factor(b: u64) -> (i64, u32) {
    let shift = u64::BITS - (b - 1).leading_zeros() - 1;
    (((1u128 << (64 + shift)) / u128::from(b) + 1) as i64, shift)
}

impl FunctionWriter<'_, '_> {
    /// Writes a division.
    pub(super) fn divide(&mut self, division: Division, dst: Reg, ty: Type, a: Value, b: Value) {
        let name = if division.rest { "rem" } else { "div" };
        match (ty, b) {
            (Type::I32 | Type::I64, Value::Int(b)) if b > 1 && b & (b - 1) == 0 => {
                self.divide_by_power(division, dst, ty, a, b);
            }
            (Type::I64, Value::Int(b)) if division.signed && b.unsigned_abs() > 2 && b != i64::MIN => {
                let a = self.in_register(Class::B64, a);
                self.divide_by_constant_signed(division, dst, a, b);
            }
            (Type::I64, Value::Int(b)) if !division.signed && b as u64 > 2 => {
                let a = self.in_register(Class::B64, a);
                self.divide_by_constant(division, dst, a, b as u64);
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

    /// Divides by a constant that is no power of two: `high = a * factor / 2^64`, and the quotient is
    /// `(high + a) >> shift`, the sum as one of 65 bits.
    fn divide_by_constant(&mut self, division: Division, dst: Reg, a: Reg, b: u64) {
        let (factor, shift) = unsigned_factor(b);
        let [high, rest, half, sum] = [(); 4].map(|()| self.temp(Class::B64));
        put!(self, ["mul.hi.u64"], high, a, Value::Int(factor.cast_signed()));
        put!(self, ["sub.s64"], rest, a, high);
        put!(self, ["shr.u64"], half, rest, Value::Int(1));
        put!(self, ["add.s64"], sum, half, high);
        let quotient = if division.rest { self.temp(Class::B64) } else { dst };
        put!(self, ["shr.u64"], quotient, sum, Value::Int(i64::from(shift - 1)));
        self.rest_of(division, dst, (a, quotient), b.cast_signed());
    }

    /// The same for numbers with signs: the quotient is `(high + a) >> shift`, and one more for a negative
    /// `a`.
    fn divide_by_constant_signed(&mut self, division: Division, dst: Reg, a: Reg, b: i64) {
        let (factor, shift) = signed_factor(b.unsigned_abs());
        let [high, sum, shifted, sign] = [(); 4].map(|()| self.temp(Class::B64));
        put!(self, ["mul.hi.s64"], high, a, Value::Int(factor));
        put!(self, ["add.s64"], sum, high, a);
        put!(self, ["shr.s64"], shifted, sum, Value::Int(i64::from(shift)));
        put!(self, ["shr.s64"], sign, a, Value::Int(63));
        let quotient = if division.rest { self.temp(Class::B64) } else { dst };
        let [more, less] = if b < 0 { [sign, shifted] } else { [shifted, sign] };
        put!(self, ["sub.s64"], quotient, more, less);
        self.rest_of(division, dst, (a, quotient), b);
    }

    /// Gives the remainder, if that is wanted of a division by a constant.
    fn rest_of(&mut self, division: Division, dst: Reg, (a, quotient): (Reg, Reg), b: i64) {
        if division.rest {
            let multiple = self.temp(Class::B64);
            put!(self, ["mul.lo.s64"], multiple, quotient, Value::Int(b));
            put!(self, ["sub.s64"], dst, a, multiple);
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

#[cfg(test)]
mod tests {
    use super::{signed_factor, unsigned_factor};

    /// What the code for a division computes.
    fn divided(a: u64, b: u64) -> u64 {
        let (factor, shift) = unsigned_factor(b);
        let high = ((u128::from(a) * u128::from(factor)) >> 64) as u64;
        (((a - high) >> 1) + high) >> (shift - 1)
    }

    fn divided_signed(a: i64, b: i64) -> i64 {
        let (factor, shift) = signed_factor(b.unsigned_abs());
        let high = ((i128::from(a) * i128::from(factor)) >> 64) as i64;
        let quotient = (high.wrapping_add(a) >> shift) - (a >> 63);
        if b < 0 { -quotient } else { quotient }
    }

    #[test]
    fn products_are_quotients() {
        let mut random = 1u64;
        let mut numbers =
            vec![3, 5, 7, 10, 4_294_967_291, u64::MAX, u64::MAX / 2, (1 << 63) + 1, (1 << 63) - 1];
        for bits in 2..64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            numbers.extend([(1 << bits) + 1, (1 << bits) - 1, random >> (64 - bits)]);
        }
        for &b in numbers.iter().filter(|b| **b > 2) {
            for &a in &numbers {
                for a in [a, a.wrapping_mul(b), a.wrapping_mul(b).wrapping_sub(1), !a] {
                    assert_eq!((divided(a, b), b), (a / b, b), "{a}");
                    let (a, b) = (a.cast_signed(), b.cast_signed());
                    for b in [b, b.wrapping_neg()] {
                        if b.unsigned_abs() > 2 && b != i64::MIN {
                            assert_eq!((divided_signed(a, b), b), (a / b, b), "{a}");
                        }
                    }
                }
            }
        }
    }
}
