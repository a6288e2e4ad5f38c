//! Quotients and remainders of integers.
//!
//! By a power of two, they are shifts and masks; by another constant, the dividend is multiplied by its
//! reciprocal, and the upper half of the product is shifted (Granlund and Montgomery, 1994). `ptxas` does
//! that with a single division of 32 bits; of several by the same number it makes one reciprocal in floating
//! point.
//!
//! GPUs divide 32-bit integers by a short piece of code, and 64-bit integers by calling a long one; in a
//! function with a call, `ptxas` keeps fewer values where the other instructions want them. So 64-bit
//! integers are divided here: as 32-bit ones if both operands turn out to be such, else by a reciprocal in
//! double precision.
//!
//! What the host knows when it launches the kernel comes with a factor and a shift ([`super::at_launch`]),
//! for dividends below 2^31, as nearly all are; others are divided as if it came without.
//!
//! # The reciprocal
//! `r` is a little less than `1 / b`: two steps of Newton's method leave an error of some 2^-52, and the
//! product with `1 - 2^-48` is below. So `q = trunc(a * r)` is never more than the quotient, and what is
//! left, `a - q * b`, is not negative; it is at most `b * (2^17 + 3)`, as the quotient is below 2^64. The
//! same once more leaves less than `2 * b`, which one comparison ends.

use super::at_launch::Prepared;
use super::function::{FunctionWriter, put};
use super::operand::Value;
use super::register::{Class, Reg};
use accrue_ir::{BinaryOp, Type};

/// What is wanted of a division.
#[derive(Clone, Copy)]
pub(super) struct Division {
    /// The remainder, not the quotient.
    pub(super) rest: bool,
    /// Of numbers with signs.
    pub(super) signed: bool,
}

impl Division {
    /// What an operator wants of a division of integers, if it is one.
    pub(super) fn of(op: BinaryOp) -> Option<Division> {
        Some(match op {
            BinaryOp::UDiv => Division { rest: false, signed: false },
            BinaryOp::URem => Division { rest: true, signed: false },
            BinaryOp::SDiv => Division { rest: false, signed: true },
            BinaryOp::SRem => Division { rest: true, signed: true },
            _ => return None,
        })
    }
}

/// 1.0 and `1 - 2^-48`, by their bits.
const ONE: u64 = 0x3ff0_0000_0000_0000;
const BELOW_ONE: u64 = 0x3fef_ffff_ffff_ffe0;

/// What to divide by a constant with.
#[derive(Clone, Copy, Debug)]
struct Reciprocal {
    /// What to multiply by: of one bit more than the dividend for some divisors of unsigned numbers.
    factor: u128,
    /// By how much to shift the upper half of the product.
    shift: u32,
}

impl Reciprocal {
    /// For divisors from 2 to `2^63`, and dividends of so many bits whose magnitude is at most `2^precision`:
    /// `2^(bits + shift) / divisor`, rounded up, with the smallest shift that will do (Granlund and Montgomery,
    /// figure 6.2).
    fn of(divisor: u64, bits: u32, precision: u32) -> Reciprocal {
        let length = u64::BITS - (divisor - 1).leading_zeros();
        let power = 1u128 << (bits + length);
        let mut low = power / u128::from(divisor);
        let mut high = (power + (power >> precision)) / u128::from(divisor);
        let mut shift = length;
        while shift > 0 && low >> 1 < high >> 1 {
            (low, high, shift) = (low >> 1, high >> 1, shift - 1);
        }
        Reciprocal { factor: high, shift }
    }

    /// The bits of the factor that a register holds.
    fn low_factor(self) -> Value {
        Value::Int((self.factor as u64).cast_signed())
    }
}

/// A size of integers, and what it divides by constants with.
struct Size {
    bits: u32,
    multiply_high: &'static str,
    multiply_high_signed: &'static str,
    multiply: &'static str,
    shift: &'static str,
    shift_signed: &'static str,
    and: &'static str,
    add: &'static str,
    sub: &'static str,
}

const SIZE_32: Size = Size {
    bits: 32,
    multiply_high: "mul.hi.u32",
    multiply_high_signed: "mul.hi.s32",
    multiply: "mul.lo.s32",
    shift: "shr.u32",
    shift_signed: "shr.s32",
    and: "and.b32",
    add: "add.s32",
    sub: "sub.s32",
};
const SIZE_64: Size = Size {
    bits: 64,
    multiply_high: "mul.hi.u64",
    multiply_high_signed: "mul.hi.s64",
    multiply: "mul.lo.s64",
    shift: "shr.u64",
    shift_signed: "shr.s64",
    and: "and.b64",
    add: "add.s64",
    sub: "sub.s64",
};

impl FunctionWriter<'_, '_> {
    /// Writes a division.
    pub(super) fn divide(&mut self, division: Division, dst: Reg, ty: Type, a: Value, b: Value) {
        let name = if division.rest { "rem" } else { "div" };
        match (ty, b) {
            (Type::I32, Value::Int(b)) if !matches!(b, -1..=1) => {
                let b = if division.signed { b } else { i64::from(b as u32) };
                self.divide_by(&SIZE_32, division, dst, a, b);
            }
            (Type::I64, Value::Int(b)) if !matches!(b, -1..=1) => {
                self.divide_by(&SIZE_64, division, dst, a, b);
            }
            (Type::I64, Value::Reg(b)) => {
                let a = self.in_register(Class::B64, a);
                self.divide_wide(division, dst, a, b);
            }
            _ if division.signed => self.signed(name, dst, ty, a, b),
            _ => put!(self, [name, if ty.bytes() == 8 { ".u64" } else { ".u32" }], dst, a, b),
        }
    }

    /// Divides by a number that the host knows.
    pub(super) fn divide_by_known(
        &mut self,
        division: Division,
        dst: Reg,
        ty: Type,
        a: Value,
        Prepared { divisor, factor, shift, limit }: &Prepared,
    ) {
        let a = self.in_register(dst.class, a);
        let is_long = dst.class == Class::B64;
        let is_small = self.temp(Class::Pred);
        let [other, done] = [self.label("wide"), self.label("divided")];
        put!(self, [if is_long { "setp.lt.u64" } else { "setp.lt.u32" }], is_small, a, *limit);
        self.guarded("@!", is_small, other);
        let [twice, high, quotient] = [(); 3].map(|()| self.temp(Class::B32));
        let dividend = self.lower_half(a);
        put!(self, ["add.s32"], twice, dividend, dividend);
        put!(self, ["mul.hi.u32"], high, twice, *factor);
        put!(self, ["shr.u32"], quotient, high, *shift);
        let mut result = quotient;
        if division.rest {
            let [multiple, rest] = [(); 2].map(|()| self.temp(Class::B32));
            let divisor = self.lower_half(*divisor);
            put!(self, ["mul.lo.s32"], multiple, quotient, divisor);
            put!(self, ["sub.s32"], rest, dividend, multiple);
            result = rest;
        }
        put!(self, [if is_long { "cvt.u64.u32" } else { "mov.b32" }], dst, result);
        put!(self, ["bra"], done);
        self.place_label(other);
        match (is_long, division.signed) {
            (false, _) => self.divide(division, dst, ty, a.into(), (*divisor).into()),
            (true, true) => self.divide_signed(division, dst, a, *divisor),
            (true, false) => self.divide_unsigned(division, dst, a, *divisor),
        }
        self.place_label(done);
    }

    /// The lower 32 bits of a register.
    fn lower_half(&mut self, reg: Reg) -> Reg {
        if reg.class != Class::B64 {
            return reg;
        }
        let half = self.temp(Class::B32);
        put!(self, ["cvt.u32.u64"], half, reg);
        half
    }

    /// Divides by a constant other than 0, 1 and -1.
    fn divide_by(&mut self, size: &Size, division: Division, dst: Reg, a: Value, b: i64) {
        let a = self.in_register(dst.class, a);
        let is_power = b.cast_unsigned().is_power_of_two() && !(division.signed && b < 0);
        match division.signed {
            _ if is_power => self.divide_by_power(size, division, dst, a, b),
            true => self.divide_by_constant_signed(size, division, dst, a, b),
            // At most once.
            false if b < 0 => self.divide_by_most(size, division, dst, a, b),
            false => self.divide_by_constant(size, division, dst, a, b.cast_unsigned()),
        }
    }

    /// Divides by a power of two above 1. Signed quotients are rounded towards zero: to a negative dividend
    /// comes what the shift would round down.
    fn divide_by_power(&mut self, size: &Size, division: Division, dst: Reg, a: Reg, power: i64) {
        let log = i64::from(power.trailing_zeros());
        match division {
            Division { rest: false, signed: false } => put!(self, [size.shift], dst, a, Value::Int(log)),
            Division { rest: true, signed: false } => {
                put!(self, [size.and], dst, a, Value::Int(power.wrapping_sub(1)));
            }
            Division { rest, signed: true } => {
                let [sign, missing, sum] = [(); 3].map(|()| self.temp(dst.class));
                let bits = i64::from(size.bits);
                put!(self, [size.shift_signed], sign, a, Value::Int(bits - 1));
                put!(self, [size.shift], missing, sign, Value::Int(bits - log));
                put!(self, [size.add], sum, a, missing);
                if rest {
                    let multiple = self.temp(dst.class);
                    put!(self, [size.and], multiple, sum, Value::Int(-power));
                    put!(self, [size.sub], dst, a, multiple);
                } else {
                    put!(self, [size.shift_signed], dst, sum, Value::Int(log));
                }
            }
        }
    }

    /// Divides unsigned numbers of 64 bits by one above `2^63`.
    fn divide_by_most(&mut self, size: &Size, division: Division, dst: Reg, a: Reg, b: i64) {
        let is_once = self.temp(Class::Pred);
        put!(self, ["setp.ge.u64"], is_once, a, Value::Int(b));
        if division.rest {
            let rest = self.temp(Class::B64);
            put!(self, [size.sub], rest, a, Value::Int(b));
            put!(self, ["selp.b64"], dst, rest, a, is_once);
        } else {
            put!(self, ["selp.b64"], dst, Value::Int(1), Value::Int(0), is_once);
        }
    }

    /// Divides by a constant that is no power of two. Where the factor has one bit more than a register, the
    /// product has the dividend as another summand, and halves of the sum are what does not wrap around. An
    /// even divisor leaves fewer bits to divide, for which a register is enough.
    fn divide_by_constant(&mut self, size: &Size, division: Division, dst: Reg, a: Reg, b: u64) {
        let is_long = |reciprocal: Reciprocal| reciprocal.factor >> size.bits != 0;
        let zeros = b.trailing_zeros();
        let (dividend, reciprocal) = match Reciprocal::of(b, size.bits, size.bits) {
            long if is_long(long) && zeros > 0 => {
                let dividend = self.temp(dst.class);
                put!(self, [size.shift], dividend, a, Value::Int(i64::from(zeros)));
                (dividend, Reciprocal::of(b >> zeros, size.bits, size.bits - zeros))
            }
            reciprocal => (a, reciprocal),
        };
        let quotient = if division.rest { self.temp(dst.class) } else { dst };
        let high = self.temp(dst.class);
        put!(self, [size.multiply_high], high, dividend, reciprocal.low_factor());
        if is_long(reciprocal) {
            let [rest, half, sum] = [(); 3].map(|()| self.temp(dst.class));
            put!(self, [size.sub], rest, a, high);
            put!(self, [size.shift], half, rest, Value::Int(1));
            put!(self, [size.add], sum, half, high);
            put!(self, [size.shift], quotient, sum, Value::Int(i64::from(reciprocal.shift) - 1));
        } else {
            put!(self, [size.shift], quotient, high, Value::Int(reciprocal.shift.into()));
        }
        self.rest_of(size, division, dst, (a, quotient), b.cast_signed());
    }

    /// The same for numbers with signs: the quotient is one more for a negative dividend. A factor that is
    /// negative in a register lacks `2^bits`, and the product the dividend.
    fn divide_by_constant_signed(&mut self, size: &Size, division: Division, dst: Reg, a: Reg, b: i64) {
        let reciprocal = Reciprocal::of(b.unsigned_abs(), size.bits, size.bits - 1);
        let [high, sign] = [(); 2].map(|()| self.temp(dst.class));
        put!(self, [size.multiply_high_signed], high, a, reciprocal.low_factor());
        let mut product = high;
        if reciprocal.factor >> (size.bits - 1) != 0 {
            product = self.temp(dst.class);
            put!(self, [size.add], product, high, a);
        }
        if reciprocal.shift > 0 {
            let whole = self.temp(dst.class);
            put!(self, [size.shift_signed], whole, product, Value::Int(reciprocal.shift.into()));
            product = whole;
        }
        put!(self, [size.shift_signed], sign, a, Value::Int(i64::from(size.bits - 1)));
        let quotient = if division.rest { self.temp(dst.class) } else { dst };
        let [more, less] = if b < 0 { [sign, product] } else { [product, sign] };
        put!(self, [size.sub], quotient, more, less);
        self.rest_of(size, division, dst, (a, quotient), b);
    }

    /// Gives the remainder, if that is wanted of a division by a constant.
    fn rest_of(&mut self, size: &Size, division: Division, dst: Reg, (a, quotient): (Reg, Reg), b: i64) {
        if division.rest {
            let multiple = self.temp(dst.class);
            put!(self, [size.multiply], multiple, quotient, Value::Int(b));
            put!(self, [size.sub], dst, a, multiple);
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
    use super::Reciprocal;

    /// What the code for a division computes, of numbers of so many bits.
    fn divided(a: u64, b: u64, bits: u32) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        let high = |a: u64, factor: u128| ((u128::from(a) * u128::from(factor as u64 & mask)) >> bits) as u64;
        let zeros = b.trailing_zeros();
        let whole = Reciprocal::of(b, bits, bits);
        if whole.factor >> bits == 0 {
            high(a, whole.factor) >> whole.shift
        } else if zeros > 0 {
            let Reciprocal { factor, shift } = Reciprocal::of(b >> zeros, bits, bits - zeros);
            assert_eq!(factor >> bits, 0, "{b}");
            high(a >> zeros, factor) >> shift
        } else {
            let high = high(a, whole.factor);
            (((a - high) >> 1) + high) >> (whole.shift - 1)
        }
    }

    fn divided_signed(a: i64, b: i64, bits: u32) -> i64 {
        let Reciprocal { factor, shift } = Reciprocal::of(b.unsigned_abs(), bits, bits - 1);
        let in_register = (factor as u64).cast_signed() << (64 - bits) >> (64 - bits);
        let high = ((i128::from(a) * i128::from(in_register)) >> bits) as i64;
        let product = if factor >> (bits - 1) == 0 { high } else { high.wrapping_add(a) };
        let product = product << (64 - bits) >> (64 - bits);
        let quotient = (product >> shift) - (a >> 63);
        if b < 0 { -quotient } else { quotient }
    }

    #[test]
    fn products_are_quotients() {
        let mut random = 1u64;
        for bits in [32, 64] {
            let mask = u64::MAX >> (64 - bits);
            let mut numbers = vec![3, 5, 7, 10, 14, 28, 641, mask - 4, mask, mask / 2, (mask / 2) + 2];
            for length in 2..bits {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                numbers.extend([
                    (1 << length) + 1,
                    (1 << length) - 1,
                    random >> (64 - length),
                    6 << (length - 2),
                ]);
            }
            let signed = |number: u64| (number << (64 - bits)).cast_signed() >> (64 - bits);
            for &b in numbers.iter().filter(|b| **b > 2 && !b.is_power_of_two()) {
                for &a in &numbers {
                    for a in [a, a.wrapping_mul(b), a.wrapping_mul(b).wrapping_sub(1), !a] {
                        let a = a & mask;
                        if b <= 1 << 63 {
                            assert_eq!((divided(a, b, bits), b), (a / b, b), "{a}");
                        }
                        let (a, b) = (signed(a), signed(b));
                        for b in [b, b.wrapping_neg()] {
                            if b.unsigned_abs() > 2 {
                                assert_eq!((divided_signed(a, b, bits), b), (a / b, b), "{a}");
                            }
                        }
                    }
                }
            }
        }
    }
}
