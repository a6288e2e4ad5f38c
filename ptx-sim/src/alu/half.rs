//! Half precision: each operation is done in `f32` or `f64`, which holds it exactly or rounds harmlessly, and
//! is narrowed.

use super::float::Style;
use super::round::Mode;
use super::{Fn1, Fn2, Fn3, fn1, slow1, slow2, slow3};
use crate::ty::Ty;
use ::half::{bf16, f16};

pub(crate) fn f16_of(bits: u64) -> f32 {
    f16::from_bits(bits as u16).to_f32()
}

pub(crate) fn bf16_of(bits: u64) -> f32 {
    bf16::from_bits(bits as u16).to_f32()
}

/// A format narrower than `f64`, by its widths.
#[derive(Clone, Copy)]
struct Format {
    fraction: u32,
    least_exponent: i32,
    greatest_exponent: i32,
    nan: u64,
}

const F16: Format = Format { fraction: 10, least_exponent: -14, greatest_exponent: 15, nan: 0x7fff };
const BF16: Format = Format { fraction: 7, least_exponent: -126, greatest_exponent: 127, nan: 0x7fff };

/// Rounds to a narrow format, once and in any direction. `f16::from_f64` rounds to nearest only, and twice:
/// it drops the lower half of the significand first, so that what lies just above a tie is taken for the tie.
fn narrow(value: f64, mode: Mode, format: Format) -> u64 {
    if value.is_nan() {
        return format.nan;
    }
    let top = format.fraction + if format.greatest_exponent == 15 { 5 } else { 8 };
    let sign = u64::from(value.is_sign_negative()) << top;
    let infinity = ((1u64 << (top - format.fraction)) - 1) << format.fraction;
    let magnitude = value.abs();
    if magnitude.is_infinite() {
        return sign | infinity;
    }
    if magnitude == 0.0 {
        return sign;
    }
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(format.least_exponent);
    // In units of the last place, exactly.
    let units = magnitude * 2f64.powi(format.fraction as i32 - exponent);
    let negative = value.is_sign_negative();
    let rounded = match mode {
        Mode::Nearest => units.round_ties_even(),
        Mode::NearestAway => units.round(),
        Mode::Zero => units.floor(),
        Mode::Down if negative => units.ceil(),
        Mode::Up if !negative => units.ceil(),
        Mode::Down | Mode::Up => units.floor(),
    };
    // Carries into the exponent by themselves.
    let biased = (exponent - format.least_exponent) as u64;
    let bits = (biased << format.fraction) + rounded as u64;
    if bits < infinity {
        return sign | bits;
    }
    let stays = mode == Mode::Zero || (mode == Mode::Down && !negative) || (mode == Mode::Up && negative);
    sign | if stays { infinity - 1 } else { infinity }
}

pub(crate) fn to_f16(value: f64, mode: Mode) -> u64 {
    narrow(value, mode, F16)
}

pub(crate) fn to_bf16(value: f64, mode: Mode) -> u64 {
    narrow(value, mode, BF16)
}

fn clamp<const SAT: bool>(value: f64) -> f64 {
    if SAT { super::float::unit(value) } else { value }
}

/// The variants of a function by format, packing and clamping.
macro_rules! halves {
    ($ty:expr, $sat:expr, $make:ident, |$($x:ident),+| $body:expr) => {{
        macro_rules! one {
            ($of:expr, $to:expr, $clamp:literal) => {
                $make!(|$($x),+| {
                    $(let $x = f64::from($of($x));)+
                    $to(clamp::<$clamp>($body), Mode::Nearest)
                })
            };
        }
        macro_rules! two {
            ($of:expr, $to:expr, $clamp:literal) => {
                $make!(|$($x),+| {
                    let half = |shift: u32| {
                        $(let $x = f64::from($of($x >> shift));)+
                        $to(clamp::<$clamp>($body), Mode::Nearest)
                    };
                    half(0) | half(16) << 16
                })
            };
        }
        match ($ty, $sat) {
            (Ty::F16, false) => Some(one!(f16_of, to_f16, false)),
            (Ty::F16, true) => Some(one!(f16_of, to_f16, true)),
            (Ty::Bf16, _) => Some(one!(bf16_of, to_bf16, false)),
            (Ty::F16x2, false) => Some(two!(f16_of, to_f16, false)),
            (Ty::F16x2, true) => Some(two!(f16_of, to_f16, true)),
            (Ty::Bf16x2, _) => Some(two!(bf16_of, to_bf16, false)),
            _ => None,
        }
    }};
}

pub(crate) fn unary(name: &str, ty: Ty) -> Option<Fn1> {
    match (name, ty) {
        ("neg", Ty::F16 | Ty::Bf16) => Some(fn1!(|a| a ^ 0x8000)),
        ("neg", Ty::F16x2 | Ty::Bf16x2) => Some(fn1!(|a| a ^ 0x8000_8000)),
        ("abs", Ty::F16 | Ty::Bf16) => Some(fn1!(|a| a & 0x7fff)),
        ("abs", Ty::F16x2 | Ty::Bf16x2) => Some(fn1!(|a| a & 0x7fff_7fff)),
        ("ex2", _) => halves!(ty, false, slow1, |a| a.exp2()),
        ("tanh", _) => halves!(ty, false, slow1, |a| a.tanh()),
        _ => None,
    }
}

pub(crate) fn binary(name: &str, ty: Ty, style: Style, nan: bool) -> Option<Fn2> {
    match name {
        "add" => halves!(ty, style.sat, slow2, |a, b| a + b),
        "sub" => halves!(ty, style.sat, slow2, |a, b| a - b),
        "mul" => halves!(ty, style.sat, slow2, |a, b| a * b),
        "min" if nan => halves!(ty, false, slow2, |a, b| if a.is_nan() { a } else { a.min(b) + b * 0.0 }),
        "max" if nan => halves!(ty, false, slow2, |a, b| if a.is_nan() { a } else { a.max(b) + b * 0.0 }),
        "min" => halves!(ty, false, slow2, |a, b| a.min(b)),
        "max" => halves!(ty, false, slow2, |a, b| a.max(b)),
        _ => None,
    }
}

pub(crate) fn multiply_add(ty: Ty, style: Style) -> Option<Fn3> {
    halves!(ty, style.sat, slow3, |a, b, c| a.mul_add(b, c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_way_there_and_back() {
        for bits in 0..=0xffffu64 {
            let value = f16_of(bits);
            if !value.is_nan() {
                assert_eq!(to_f16(value.into(), Mode::Nearest), bits);
            }
            let value = bf16_of(bits);
            if !value.is_nan() {
                assert_eq!(to_bf16(value.into(), Mode::Zero), bits);
            }
        }
    }

    #[test]
    fn rounding_to_halves() {
        assert_eq!(f16_of(to_f16(65519.0, Mode::Nearest)), 65504.0);
        assert_eq!(f16_of(to_f16(65520.0, Mode::Nearest)), f32::INFINITY);
        assert_eq!(f16_of(to_f16(1e9, Mode::Zero)), 65504.0);
        assert_eq!(f16_of(to_f16(-1e9, Mode::Down)), f32::NEG_INFINITY);
        assert_eq!(to_f16(1e-30, Mode::Up), 1);
        assert_eq!(f16_of(to_f16(2049.0, Mode::Nearest)), 2048.0);
        let above_a_tie = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        assert_eq!(to_f16(above_a_tie, Mode::Nearest), 0x3c01);
    }
}
