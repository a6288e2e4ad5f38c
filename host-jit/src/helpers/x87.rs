//! `long double` arithmetic on the x87 unit. Values travel as two words: the low eight bytes, and the upper
//! two.

use super::int128::{Words as Words128, join};
use std::arch::{asm, naked_asm};

/// A `long double` in the two registers that return one.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Words {
    low: u64,
    high: u64,
}

impl Words {
    fn new(low: u64, high: u64) -> Words {
        Words { low, high }
    }

    /// Clears what is above the ten bytes.
    fn clean(self) -> Words {
        Words { low: self.low, high: self.high & 0xffff }
    }
}

macro_rules! binary {
    ($(#[$doc:meta])* $name:ident, $instruction:literal) => {
        $(#[$doc])*
        pub(crate) extern "C" fn $name(a_low: u64, a_high: u64, b_low: u64, b_high: u64) -> Words {
            let (a, b) = (Words::new(a_low, a_high), Words::new(b_low, b_high));
            let mut result = Words::default();
            // SAFETY: the operands are ten readable bytes each, the result ten writable ones; the x87 stack
            // is left as it was found.
            unsafe {
                asm!(
                    "fld tbyte ptr [{a}]",
                    "fld tbyte ptr [{b}]",
                    $instruction,
                    "fstp tbyte ptr [{result}]",
                    a = in(reg) &a, b = in(reg) &b, result = in(reg) &mut result,
                    out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                    out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                    options(nostack),
                );
            }
            result.clean()
        }
    };
}

binary!(
    /// Sum.
    add,
    "faddp st(1), st"
);
binary!(
    /// Difference.
    sub,
    "fsubp st(1), st"
);
binary!(
    /// Product.
    mul,
    "fmulp st(1), st"
);
binary!(
    /// Quotient.
    div,
    "fdivp st(1), st"
);

/// Runs one instruction on `st(0)`.
macro_rules! on_top {
    ($value:expr, $($instruction:literal),+) => {{
        let value: Words = $value;
        let mut result = Words::default();
        // SAFETY: as for binary operations.
        unsafe {
            asm!(
                "fld tbyte ptr [{value}]",
                $($instruction,)+
                "fstp tbyte ptr [{result}]",
                value = in(reg) &value, result = in(reg) &mut result,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        result.clean()
    }};
}

/// Square root.
pub(crate) extern "C" fn sqrt(low: u64, high: u64) -> Words {
    on_top!(Words::new(low, high), "fsqrt")
}

/// Rounding control in the x87 control word.
const NEAREST: u16 = 0;
const DOWN: u16 = 0x400;
const UP: u16 = 0x800;
const ZERO: u16 = 0xc00;

fn round(value: Words, mode: u16) -> Words {
    let mut saved = 0_u16;
    // SAFETY: stores the control word.
    unsafe { asm!("fnstcw word ptr [{}]", in(reg) &mut saved, options(nostack)) };
    let wanted = saved & !ZERO | mode;
    // SAFETY: loads a control word that differs in its rounding mode only, and below the saved one again.
    unsafe { asm!("fldcw word ptr [{}]", in(reg) &wanted, options(nostack)) };
    let result = on_top!(value, "frndint");
    // SAFETY: see above.
    unsafe { asm!("fldcw word ptr [{}]", in(reg) &saved, options(nostack)) };
    result
}

/// Round down.
pub(crate) extern "C" fn floor(low: u64, high: u64) -> Words {
    round(Words::new(low, high), DOWN)
}

/// Round up.
pub(crate) extern "C" fn ceil(low: u64, high: u64) -> Words {
    round(Words::new(low, high), UP)
}

/// Round towards zero.
pub(crate) extern "C" fn trunc(low: u64, high: u64) -> Words {
    round(Words::new(low, high), ZERO)
}

/// Round to nearest, ties to even.
pub(crate) extern "C" fn nearest(low: u64, high: u64) -> Words {
    round(Words::new(low, high), NEAREST)
}

const LESS: u32 = 1;
const EQUAL: u32 = 2;
const GREATER: u32 = 4;
const UNORDERED: u32 = 8;

/// One bit per outcome: 1 less, 2 equal, 4 greater, 8 unordered.
pub(crate) extern "C" fn compare(a_low: u64, a_high: u64, b_low: u64, b_high: u64) -> u32 {
    let (a, b) = (Words::new(a_low, a_high), Words::new(b_low, b_high));
    let (above, zero, parity): (u8, u8, u8);
    // SAFETY: both operands are readable; the x87 stack is left as it was found.
    unsafe {
        asm!(
            "fld tbyte ptr [{b}]",
            "fld tbyte ptr [{a}]",
            "fucomip st, st(1)",
            "fstp st(0)",
            "seta {above}",
            "sete {zero}",
            "setp {parity}",
            a = in(reg) &a, b = in(reg) &b,
            above = out(reg_byte) above, zero = out(reg_byte) zero, parity = out(reg_byte) parity,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack),
        );
    }
    match (parity, zero, above) {
        (1, _, _) => UNORDERED,
        (_, 1, _) => EQUAL,
        (_, _, 1) => GREATER,
        _ => LESS,
    }
}

fn extreme(a: Words, b: Words, wanted: u32, zero_sign: u64) -> Words {
    let outcome = compare(a.low, a.high, b.low, b.high);
    if outcome == UNORDERED {
        let a_is_nan = compare(a.low, a.high, a.low, a.high) == UNORDERED;
        return if a_is_nan { b } else { a };
    }
    if outcome == EQUAL {
        // Equal numbers differ at most in the sign of zero.
        return if a.high >> 15 & 1 == zero_sign { a } else { b };
    }
    if outcome == wanted { a } else { b }
}

/// minNum, with -0 below +0.
pub(crate) extern "C" fn min(a_low: u64, a_high: u64, b_low: u64, b_high: u64) -> Words {
    extreme(Words::new(a_low, a_high), Words::new(b_low, b_high), LESS, 1)
}

/// maxNum, with -0 below +0.
pub(crate) extern "C" fn max(a_low: u64, a_high: u64, b_low: u64, b_high: u64) -> Words {
    extreme(Words::new(a_low, a_high), Words::new(b_low, b_high), GREATER, 0)
}

/// Loads a value of another type and stores it as a `long double`.
macro_rules! load {
    ($value:expr, $instruction:literal) => {{
        let value = $value;
        let mut result = Words::default();
        // SAFETY: the operand is readable in the width the instruction reads; the x87 stack is left as it
        // was.
        unsafe {
            asm!(
                $instruction,
                "fstp tbyte ptr [{result}]",
                value = in(reg) &value, result = in(reg) &mut result,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        result.clean()
    }};
}

/// From a signed integer.
pub(crate) extern "C" fn from_i64(value: i64) -> Words {
    load!(value, "fild qword ptr [{value}]")
}

/// The value of a 64-bit mantissa times a power of two.
fn scaled(mantissa: u64, exponent: i32, negative: bool) -> Words {
    if mantissa == 0 {
        return Words::default();
    }
    let shift = mantissa.leading_zeros();
    let biased = (16383 + 63 + exponent - shift as i32) as u64;
    Words::new(mantissa << shift, biased | u64::from(negative) << 15)
}

/// From an unsigned integer.
pub(crate) extern "C" fn from_u64(value: u64) -> Words {
    scaled(value, 0, false)
}

fn from_wide(value: u128, negative: bool) -> Words {
    // High and low half are exact; their sum is rounded once.
    let high = scaled((value >> 64) as u64, 64, negative);
    let low = scaled(value as u64, 0, negative);
    let sum = add(high.low, high.high, low.low, low.high);
    if value == 0 { Words::default() } else { sum }
}

/// From a signed 128-bit integer.
pub(crate) extern "C" fn from_i128(low: u64, high: u64) -> Words {
    let value = join(low, high) as i128;
    from_wide(value.unsigned_abs(), value < 0)
}

/// From an unsigned 128-bit integer.
pub(crate) extern "C" fn from_u128(low: u64, high: u64) -> Words {
    from_wide(join(low, high), false)
}

/// From `float`.
pub(crate) extern "C" fn from_f32(value: f32) -> Words {
    load!(value, "fld dword ptr [{value}]")
}

/// From `double`.
pub(crate) extern "C" fn from_f64(value: f64) -> Words {
    load!(value, "fld qword ptr [{value}]")
}

/// Stores a `long double` as another type.
macro_rules! store {
    ($value:expr, $ty:ty, $instruction:literal) => {{
        let value: Words = $value;
        let mut result = <$ty>::default();
        // SAFETY: the result is writable in the width the instruction writes; the x87 stack is left as it
        // was.
        unsafe {
            asm!(
                "fld tbyte ptr [{value}]",
                $instruction,
                value = in(reg) &value, result = in(reg) &mut result,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        result
    }};
}

/// To `float`.
pub(crate) extern "C" fn to_f32(low: u64, high: u64) -> f32 {
    store!(Words::new(low, high), f32, "fstp dword ptr [{result}]")
}

/// To `double`.
pub(crate) extern "C" fn to_f64(low: u64, high: u64) -> f64 {
    store!(Words::new(low, high), f64, "fstp qword ptr [{result}]")
}

/// To a signed 32-bit integer, sign-extended; the integer indefinite value where it does not fit.
pub(crate) extern "C" fn to_i32(low: u64, high: u64) -> i64 {
    let whole = trunc(low, high);
    i64::from(store!(whole, i32, "fistp dword ptr [{result}]"))
}

/// To a signed 64-bit integer; the integer indefinite value where it does not fit.
pub(crate) extern "C" fn to_i64(low: u64, high: u64) -> i64 {
    let whole = trunc(low, high);
    store!(whole, i64, "fistp qword ptr [{result}]")
}

/// To an unsigned 64-bit integer: numbers from 2^63 on are converted less 2^63, whose bit is then set again.
pub(crate) extern "C" fn to_u64(low: u64, high: u64) -> u64 {
    let limit = scaled(1 << 63, 0, false);
    let outcome = compare(low, high, limit.low, limit.high);
    if outcome == EQUAL || outcome == GREATER {
        let less = sub(low, high, limit.low, limit.high);
        return to_i64(less.low, less.high) as u64 ^ 1 << 63;
    }
    to_i64(low, high) as u64
}

/// Magnitude as an integer, if it fits 128 bits, and the sign.
fn wide(low: u64, high: u64) -> (Option<u128>, bool) {
    let negative = high >> 15 & 1 == 1;
    let exponent = (high & 0x7fff) as i32 - 16383;
    if exponent < 0 {
        return (Some(0), negative);
    }
    let magnitude = match exponent {
        0..=63 => Some(u128::from(low >> (63 - exponent))),
        64..=127 => Some(u128::from(low) << (exponent - 63)),
        _ => None,
    };
    (magnitude, negative)
}

/// To a signed 128-bit integer, saturating; NaN gives 0.
pub(crate) extern "C" fn to_i128(low: u64, high: u64) -> Words128 {
    if compare(low, high, low, high) == UNORDERED {
        return 0.into();
    }
    let value = match wide(low, high) {
        (Some(magnitude), false) => i128::try_from(magnitude).unwrap_or(i128::MAX),
        (Some(magnitude), true) if magnitude <= 1 << 127 => (magnitude as i128).wrapping_neg(),
        (None, false) => i128::MAX,
        (_, true) => i128::MIN,
    };
    (value as u128).into()
}

/// To an unsigned 128-bit integer; negative numbers and NaN give 0, too large ones the greatest.
pub(crate) extern "C" fn to_u128(low: u64, high: u64) -> Words128 {
    if compare(low, high, low, high) == UNORDERED {
        return 0.into();
    }
    match wide(low, high) {
        (_, true) => 0.into(),
        (magnitude, false) => magnitude.unwrap_or(u128::MAX).into(),
    }
}

/// Pops `st(0)`, the result of the call just made, into ten bytes at `to`.
#[unsafe(naked)]
pub(crate) extern "C" fn take_st0(to: *mut u8) {
    naked_asm!("fstp tbyte ptr [rdi]", "ret")
}

/// Leaves the `long double` at `from` in `st(0)`, for the return that follows.
#[unsafe(naked)]
pub(crate) extern "C" fn give_st0(from: *const u8) {
    naked_asm!("fld tbyte ptr [rdi]", "ret")
}
