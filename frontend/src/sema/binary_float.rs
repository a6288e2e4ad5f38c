//! Binary floating formats in software: rounding exact values to any of C's formats, and the arithmetic of
//! x87 extended precision, which the host's Rust has no type for. Constants of type `long double` are folded
//! with it.

use std::cmp::Ordering;

/// A binary interchange format.
#[derive(Clone, Copy)]
struct Format {
    /// Bits of the significand, the leading one included.
    precision: u32,
    /// Exponent of the least normal number.
    min_exponent: i32,
    /// Exponent of the largest number.
    max_exponent: i32,
}

const SINGLE: Format = Format { precision: 24, min_exponent: -126, max_exponent: 127 };
const DOUBLE: Format = Format { precision: 53, min_exponent: -1022, max_exponent: 1023 };
const EXTENDED: Format = Format { precision: 64, min_exponent: -16382, max_exponent: 16383 };

/// A magnitude rounded to a format.
enum Rounded {
    /// `significand * 2^(exponent - precision + 1)`; a significand without its leading bit is subnormal or
    /// zero.
    Finite { significand: u64, exponent: i32 },
    /// Too large.
    Infinite,
}

/// Rounds `(value + something less than one unit if sticky) * 2^exponent` to nearest, ties to even.
fn round(format: Format, value: u128, exponent: i32, sticky: bool) -> Rounded {
    if value == 0 {
        return Rounded::Finite { significand: 0, exponent: format.min_exponent };
    }
    let bits = 128 - value.leading_zeros() as i32;
    let top = (exponent + bits - 1).max(format.min_exponent);
    // The weight of the last place of the result.
    let unit = top - format.precision as i32 + 1;
    let drop = unit - exponent;
    let mut significand = if drop <= 0 {
        value << -drop
    } else if drop > 128 {
        0
    } else {
        let kept = if drop == 128 { 0 } else { value >> drop };
        let rest = if drop == 128 { value } else { value & ((1 << drop) - 1) };
        let half = 1u128 << (drop - 1);
        let up = match rest.cmp(&half) {
            Ordering::Greater => true,
            Ordering::Equal => sticky || kept & 1 == 1,
            Ordering::Less => false,
        };
        kept + u128::from(up)
    };
    let mut exponent = top;
    if significand >> format.precision != 0 {
        significand >>= 1;
        exponent += 1;
    }
    if exponent > format.max_exponent {
        return Rounded::Infinite;
    }
    Rounded::Finite { significand: significand as u64, exponent }
}

/// `value * 2^exponent` as `float`.
pub(super) fn to_single(value: u128, exponent: i32, sticky: bool) -> f32 {
    match round(SINGLE, value, exponent, sticky) {
        Rounded::Infinite => f32::INFINITY,
        Rounded::Finite { significand, exponent } => {
            let significand = significand as u32;
            let biased = if significand >> 23 == 0 { 0 } else { (exponent + 127) as u32 };
            f32::from_bits(biased << 23 | significand & 0x7f_ffff)
        }
    }
}

/// `value * 2^exponent` as `double`.
pub(super) fn to_double(value: u128, exponent: i32, sticky: bool) -> f64 {
    match round(DOUBLE, value, exponent, sticky) {
        Rounded::Infinite => f64::INFINITY,
        Rounded::Finite { significand, exponent } => {
            let biased = if significand >> 52 == 0 { 0 } else { (exponent + 1023) as u64 };
            f64::from_bits(biased << 52 | significand & ((1 << 52) - 1))
        }
    }
}

/// A value of x87 extended precision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Extended {
    /// Not a number.
    Nan,
    /// An infinity; true is negative.
    Infinite(bool),
    /// `(-1)^negative * significand * 2^(exponent - 63)`; zero has no significand.
    Finite { negative: bool, significand: u64, exponent: i32 },
}

use Extended::{Finite, Infinite, Nan};

impl Extended {
    /// The nearest extended number to `value * 2^exponent`.
    pub fn rounded(negative: bool, value: u128, exponent: i32, sticky: bool) -> Self {
        match round(EXTENDED, value, exponent, sticky) {
            Rounded::Infinite => Infinite(negative),
            Rounded::Finite { significand, exponent } => Finite { negative, significand, exponent },
        }
    }

    /// From the ten bytes of memory.
    pub fn from_bytes(bytes: [u8; 10]) -> Self {
        let [m @ .., low, high] = bytes;
        let significand = u64::from_le_bytes(m);
        let head = u16::from_le_bytes([low, high]);
        let (negative, biased) = (head >> 15 == 1, i32::from(head & 0x7fff));
        match biased {
            0x7fff if significand << 1 == 0 => Infinite(negative),
            0x7fff => Nan,
            _ => Finite { negative, significand, exponent: biased.max(1) - 16383 },
        }
    }

    /// To the ten bytes of memory.
    pub fn to_bytes(self) -> [u8; 10] {
        let (negative, biased, significand) = match self {
            Nan => (false, 0x7fff, 0xc000_0000_0000_0000),
            Infinite(negative) => (negative, 0x7fff, 1 << 63),
            Finite { negative, significand, exponent } => {
                (negative, if significand >> 63 == 0 { 0 } else { (exponent + 16383) as u16 }, significand)
            }
        };
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&significand.to_le_bytes());
        bytes[8..].copy_from_slice(&(biased | u16::from(negative) << 15).to_le_bytes());
        bytes
    }

    /// Exactly.
    pub fn from_f64(value: f64) -> Self {
        if value.is_nan() {
            return Nan;
        }
        let negative = value.is_sign_negative();
        if value.is_infinite() {
            return Infinite(negative);
        }
        let bits = value.to_bits();
        let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let significand = if biased == 0 { fraction } else { fraction | 1 << 52 };
        Self::rounded(negative, u128::from(significand), biased.max(1) - 1075, false)
    }

    /// The nearest, for integers of more than 64 bits.
    pub fn from_int(value: i128, unsigned: bool) -> Self {
        let negative = !unsigned && value < 0;
        let magnitude = if negative { value.unsigned_abs() } else { value as u128 };
        Self::rounded(negative, magnitude, 0, false)
    }

    /// Rounded to nearest.
    pub fn to_f64(self) -> f64 {
        match self {
            Nan => f64::NAN,
            Infinite(negative) => signed(negative, f64::INFINITY),
            Finite { negative, significand, exponent } => {
                signed(negative, to_double(u128::from(significand), exponent - 63, false))
            }
        }
    }

    /// Rounded to nearest, without the double rounding of a way through `double`.
    pub fn to_f32(self) -> f32 {
        match self {
            Nan => f32::NAN,
            Infinite(negative) => signed(negative, f64::INFINITY) as f32,
            Finite { negative, significand, exponent } => {
                let value = to_single(u128::from(significand), exponent - 63, false);
                if negative { -value } else { value }
            }
        }
    }

    /// Truncated toward zero; none if it has no such integer.
    pub fn to_int(self) -> Option<i128> {
        let Finite { negative, significand, exponent } = self else { return None };
        let magnitude = match exponent {
            ..0 => 0,
            0..=63 => i128::from(significand >> (63 - exponent)),
            64..=125 => i128::from(significand) << (exponent - 63),
            _ => return None,
        };
        Some(if negative { -magnitude } else { magnitude })
    }

    /// Whether it is a zero.
    pub fn is_zero(self) -> bool {
        matches!(self, Finite { significand: 0, .. })
    }

    /// `-self`.
    pub fn negate(self) -> Self {
        match self {
            Nan => Nan,
            Infinite(negative) => Infinite(!negative),
            Finite { negative, significand, exponent } => {
                Finite { negative: !negative, significand, exponent }
            }
        }
    }

    /// `self + other`.
    pub fn add(self, other: Self) -> Self {
        let (
            Finite { negative: na, significand: sa, exponent: ea },
            Finite { negative: nb, significand: sb, exponent: eb },
        ) = (self, other)
        else {
            return match (self, other) {
                (Nan, _) | (_, Nan) => Nan,
                (Infinite(a), Infinite(b)) if a != b => Nan,
                (Infinite(_), _) => self,
                _ => other,
            };
        };
        if sa == 0 && sb == 0 {
            return Finite { negative: na && nb, significand: 0, exponent: EXTENDED.min_exponent };
        }
        if sa == 0 || sb != 0 && ea < eb {
            return other.add(self);
        }
        // 62 bits below the larger operand's last place leave room for guard bits and the carry.
        let large = u128::from(sa) << 62;
        let distance = (ea - eb) as u32;
        let small = u128::from(sb) << 62;
        let (small, sticky) = if sb == 0 {
            (0, false)
        } else if distance > 126 {
            (0, true)
        } else {
            (small >> distance, small & ((1 << distance) - 1) != 0)
        };
        let exponent = ea - 63 - 62;
        if na == nb {
            return Self::rounded(na, large + small, exponent, sticky);
        }
        match large.cmp(&small) {
            // What the shift cut off makes the difference smaller: borrow one, and something is left below.
            Ordering::Greater => Self::rounded(na, large - small - u128::from(sticky), exponent, sticky),
            Ordering::Less => Self::rounded(nb, small - large, exponent, false),
            Ordering::Equal => Finite { negative: false, significand: 0, exponent: EXTENDED.min_exponent },
        }
    }

    /// `self * other`.
    pub fn mul(self, other: Self) -> Self {
        match (self, other) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinite(a), Infinite(b)) => Infinite(a != b),
            (Infinite(a), Finite { negative: b, significand, .. })
            | (Finite { negative: b, significand, .. }, Infinite(a)) => {
                if significand == 0 {
                    Nan
                } else {
                    Infinite(a != b)
                }
            }
            (
                Finite { negative: na, significand: sa, exponent: ea },
                Finite { negative: nb, significand: sb, exponent: eb },
            ) => Self::rounded(na != nb, u128::from(sa) * u128::from(sb), ea + eb - 126, false),
        }
    }

    /// `self / other`.
    pub fn div(self, other: Self) -> Self {
        match (self, other) {
            (Nan, _) | (_, Nan) | (Infinite(_), Infinite(_)) => Nan,
            (Infinite(a), Finite { negative: b, .. }) => Infinite(a != b),
            (Finite { negative: a, .. }, Infinite(b)) => {
                Finite { negative: a != b, significand: 0, exponent: EXTENDED.min_exponent }
            }
            (
                Finite { negative: na, significand: sa, exponent: ea },
                Finite { negative: nb, significand: sb, exponent: eb },
            ) => {
                if sb == 0 {
                    return if sa == 0 { Nan } else { Infinite(na != nb) };
                }
                let (za, zb) = (sa.leading_zeros(), sb.leading_zeros());
                if sa == 0 {
                    return Finite { negative: na != nb, significand: 0, exponent: EXTENDED.min_exponent };
                }
                let divisor = u128::from(sb << zb);
                let numerator = u128::from(sa << za) << 64;
                let (mut quotient, mut rest) = (numerator / divisor, numerator % divisor);
                for _ in 0..2 {
                    rest <<= 1;
                    quotient = quotient << 1 | u128::from(rest >= divisor);
                    if rest >= divisor {
                        rest -= divisor;
                    }
                }
                let exponent = (ea - za as i32) - (eb - zb as i32) - 66;
                Self::rounded(na != nb, quotient, exponent, rest != 0)
            }
        }
    }

    /// The order of two numbers; none if one is not a number.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        match self.add(other.negate()) {
            Nan => match (self, other) {
                (Infinite(a), Infinite(b)) if a == b => Some(Ordering::Equal),
                _ => None,
            },
            Infinite(negative) => Some(if negative { Ordering::Less } else { Ordering::Greater }),
            Finite { significand: 0, .. } => Some(Ordering::Equal),
            Finite { negative, .. } => Some(if negative { Ordering::Less } else { Ordering::Greater }),
        }
    }
}

fn signed(negative: bool, value: f64) -> f64 {
    if negative { -value } else { value }
}

/// A decimal number `digits * 10^exponent`, correctly rounded to extended precision. Digits are values 0 to
/// 9.
pub(super) fn decimal_to_extended(digits: &[u8], exponent: i64) -> Extended {
    let zero = Finite { negative: false, significand: 0, exponent: EXTENDED.min_exponent };
    let start = digits.iter().take_while(|&&digit| digit == 0).count();
    let digits = &digits[start..];
    if digits.is_empty() {
        return zero;
    }
    let scale = exponent.saturating_add(digits.len() as i64);
    if scale > 4940 {
        return Infinite(false);
    }
    if scale < -4970 {
        return zero;
    }
    // Beyond this many digits only "is there more" can matter: no tie between two numbers is longer.
    const MAX_DIGITS: usize = 11_600;
    let (used, cut) = if digits.len() > MAX_DIGITS { digits.split_at(MAX_DIGITS) } else { (digits, &[][..]) };
    let exponent = exponent + cut.len() as i64;
    let mut number = Natural::default();
    for &digit in used {
        number.multiply_add(10, u32::from(digit));
    }
    let sticky = cut.iter().any(|&digit| digit != 0);
    if exponent >= 0 {
        for _ in 0..exponent {
            number.multiply_add(10, 0);
        }
        let (top, shift, rest) = number.top_bits();
        return Extended::rounded(false, top, shift, rest || sticky);
    }
    let mut divisor = Natural::default();
    divisor.multiply_add(1, 1);
    for _ in 0..-exponent {
        divisor.multiply_add(10, 0);
    }
    // Scale so that the quotient has about 100 bits.
    let shift = 100 + divisor.bits() as i64 - number.bits() as i64;
    if shift > 0 {
        number.shift_left(shift as usize);
    } else {
        divisor.shift_left(-shift as usize);
    }
    let quotient = number.divide_small_quotient(&divisor);
    let rest = number.bits() != 0;
    Extended::rounded(false, quotient, -shift as i32, rest || sticky)
}

/// A natural number, least significant word first.
#[derive(Default)]
struct Natural(Vec<u32>);

impl Natural {
    fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for word in &mut self.0 {
            let value = u64::from(*word) * u64::from(factor) + carry;
            *word = value as u32;
            carry = value >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn bits(&self) -> usize {
        self.0.last().map_or(0, |top| self.0.len() * 32 - top.leading_zeros() as usize)
    }

    fn shift_left(&mut self, by: usize) {
        let (words, bits) = (by / 32, by % 32);
        if bits != 0 {
            self.multiply_add(1 << bits, 0);
        }
        self.0.splice(0..0, std::iter::repeat_n(0, words));
    }

    fn halve(&mut self) {
        let mut carry = 0;
        for word in self.0.iter_mut().rev() {
            let low = *word & 1;
            *word = *word >> 1 | carry << 31;
            carry = low;
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn less_than(&self, other: &Natural) -> bool {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())).is_lt()
    }

    fn subtract(&mut self, other: &Natural) {
        let mut borrow = false;
        for (index, word) in self.0.iter_mut().enumerate() {
            let (value, b1) = word.overflowing_sub(other.0.get(index).copied().unwrap_or(0));
            let (value, b2) = value.overflowing_sub(u32::from(borrow));
            *word = value;
            borrow = b1 || b2;
        }
        self.trim();
    }

    /// Divides by `divisor`, leaving the remainder; the quotient fits 128 bits.
    fn divide_small_quotient(&mut self, divisor: &Natural) -> u128 {
        let shift = self.bits().saturating_sub(divisor.bits());
        let mut scaled = Natural(divisor.0.clone());
        scaled.shift_left(shift);
        let mut quotient = 0u128;
        for _ in 0..=shift {
            quotient <<= 1;
            if !self.less_than(&scaled) {
                self.subtract(&scaled);
                quotient |= 1;
            }
            scaled.halve();
        }
        quotient
    }

    /// The topmost bits, how far they were shifted down, and whether bits below are set.
    fn top_bits(&self) -> (u128, i32, bool) {
        let words = self.0.len().min(4);
        let (low, high) = self.0.split_at(self.0.len() - words);
        let top = high.iter().rev().fold(0u128, |value, &word| value << 32 | u128::from(word));
        (top, low.len() as i32 * 32, low.iter().any(|&word| word != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Extended {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0').collect();
        decimal_to_extended(&digits, exponent.parse::<i64>().unwrap() - fraction.len() as i64)
    }

    fn hex(value: Extended) -> String {
        value.to_bytes().iter().rev().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The expected bytes are what gcc 12 stores for the constant.
    #[test]
    fn decimals_round_as_gcc_rounds_them() {
        for (text, expected) in [
            ("1e4932", "7ffed72cb2a95c7ef6cd"),
            ("123456789012345678901234567890.0", "405fc77487fb61b9f077"),
            ("9.99999999999999999999e-4940", "00000000003fdf8b8fd5"),
            ("1.8225997659412373013e-4951", "00000000000000000001"),
            ("4.9406564584124654418e-324", "3bcd8000000000000000"),
            ("2.718281828459045235360287471352662498", "4000adf85458a2bb4a9b"),
            ("18446744073709551615.5", "403f8000000000000000"),
            ("18446744073709551616.5", "403f8000000000000000"),
            ("3.3621031431120935062626778173217526026e-4932", "00018000000000000000"),
            ("0.1", "3ffbcccccccccccccccd"),
            ("1.0", "3fff8000000000000000"),
            ("3.14159265358979323846264338327950288", "4000c90fdaa22168c235"),
            ("1.18973149535723176502e4932", "7ffeffffffffffffffff"),
            ("3.6451995318824746025e-4951", "00000000000000000001"),
            ("1e-4960", "00000000000000000000"),
            ("1e5000", "7fff8000000000000000"),
        ] {
            assert_eq!(hex(decimal(text)), expected, "{text}");
        }
    }

    #[test]
    fn arithmetic_is_that_of_doubles_where_doubles_are_exact() {
        let values = [0.0, 1.0, -1.0, 0.5, 3.0, -7.25, 1e10, 123456.0, -0.0];
        for a in values {
            for b in values {
                let (x, y) = (Extended::from_f64(a), Extended::from_f64(b));
                assert_eq!(x.add(y).to_f64(), a + b, "{a} + {b}");
                assert_eq!(x.mul(y).to_f64(), a * b, "{a} * {b}");
                assert_eq!(x.compare(y), a.partial_cmp(&b), "{a} <=> {b}");
                if b != 0.0 {
                    assert_eq!(x.div(y).to_f64(), a / b, "{a} / {b}");
                }
            }
        }
    }

    #[test]
    fn thirds_have_all_bits() {
        let third = Extended::from_f64(1.0).div(Extended::from_f64(3.0));
        assert_eq!(hex(third), "3ffdaaaaaaaaaaaaaaab");
        assert_eq!(hex(Extended::from_f64(1.0).add(third.negate())), "3ffeaaaaaaaaaaaaaaaa");
    }

    #[test]
    fn bytes_and_doubles_survive_the_way_there_and_back() {
        for value in [0.0, -0.0, 1.5, -2.25e-300, 5e-324, f64::MAX, f64::INFINITY] {
            let bytes = Extended::from_f64(value).to_bytes();
            assert_eq!(Extended::from_bytes(bytes).to_f64().to_bits(), value.to_bits());
        }
        assert!(Extended::from_f64(f64::NAN).to_f64().is_nan());
    }
}
