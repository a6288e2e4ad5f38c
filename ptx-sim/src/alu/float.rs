//! Floating-point arithmetic. `.ftz` flushes subnormal operands and results to zero, `.sat` clamps to [0, 1];
//! NaNs of `f32` are the canonical one.

use super::round::{self, Mode};
use super::{Fn1, Fn2, Fn3, fn1, fn2, slow1, slow2, slow3};
use crate::ty::Ty;

/// What modifies an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    pub(crate) mode: Mode,
    pub(crate) ftz: bool,
    pub(crate) sat: bool,
}

impl Style {
    pub(crate) const PLAIN: Style = Style { mode: Mode::Nearest, ftz: false, sat: false };
}

/// The NaN that single precision gives.
const NAN32: u32 = 0x7fff_ffff;

pub(crate) fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

pub(crate) fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn flush<const FTZ: bool>(value: f32) -> f32 {
    if FTZ && value.is_subnormal() { 0.0f32.copysign(value) } else { value }
}

fn input<const FTZ: bool>(bits: u64) -> f32 {
    flush::<FTZ>(f32_of(bits))
}

/// Clamped to [0, 1]; NaN becomes zero.
pub(crate) fn unit(value: f64) -> f64 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

fn output<const FTZ: bool, const SAT: bool>(value: f32) -> u64 {
    let value = flush::<FTZ>(value);
    if SAT {
        return u64::from((unit(f64::from(value)) as f32).to_bits());
    }
    u64::from(if value.is_nan() { NAN32 } else { value.to_bits() })
}

fn output64<const SAT: bool>(value: f64) -> u64 {
    (if SAT { unit(value) } else { value }).to_bits()
}

/// The variants of a function on `f32`, by flushing and clamping.
macro_rules! single {
    ($style:expr, $make:ident, |$($x:ident),+| $body:expr) => {
        match ($style.ftz, $style.sat) {
            (false, false) => $make!(|$($x),+| { $(let $x = input::<false>($x);)+ output::<false, false>($body) }),
            (true, false) => $make!(|$($x),+| { $(let $x = input::<true>($x);)+ output::<true, false>($body) }),
            (false, true) => $make!(|$($x),+| { $(let $x = input::<false>($x);)+ output::<false, true>($body) }),
            (true, true) => $make!(|$($x),+| { $(let $x = input::<true>($x);)+ output::<true, true>($body) }),
        }
    };
}

/// The variants of a rounded function: to nearest with the first expression, else with the second.
macro_rules! rounded {
    ($style:expr, $fast:ident, $slow:ident, |$($x:ident),+| $near:expr, |$mode:ident| $body:expr) => {
        match $style.mode {
            Mode::Nearest | Mode::NearestAway => single!($style, $fast, |$($x),+| $near),
            Mode::Zero => single!($style, $slow, |$($x),+| { const $mode: Mode = Mode::Zero; $body }),
            Mode::Down => single!($style, $slow, |$($x),+| { const $mode: Mode = Mode::Down; $body }),
            Mode::Up => single!($style, $slow, |$($x),+| { const $mode: Mode = Mode::Up; $body }),
        }
    };
}

macro_rules! double {
    ($style:expr, $fast:ident, $slow:ident, |$($x:ident),+| $near:expr, |$mode:ident| $body:expr) => {
        match $style.mode {
            Mode::Nearest | Mode::NearestAway => {
                $fast!(|$($x),+| { $(let $x = f64_of($x);)+ output64::<false>($near) })
            }
            Mode::Zero => $slow!(|$($x),+| {
                const $mode: Mode = Mode::Zero;
                $(let $x = f64_of($x);)+
                output64::<false>($body)
            }),
            Mode::Down => $slow!(|$($x),+| {
                const $mode: Mode = Mode::Down;
                $(let $x = f64_of($x);)+
                output64::<false>($body)
            }),
            Mode::Up => $slow!(|$($x),+| {
                const $mode: Mode = Mode::Up;
                $(let $x = f64_of($x);)+
                output64::<false>($body)
            }),
        }
    };
}

pub(crate) fn unary(name: &str, ty: Ty, style: Style) -> Option<Fn1> {
    Some(match (name, ty) {
        ("neg", Ty::F32) if style.ftz => fn1!(|a| u64::from((-input::<true>(a)).to_bits())),
        ("neg", Ty::F32) => fn1!(|a| a ^ 1 << 31),
        ("neg", Ty::F64) => fn1!(|a| a ^ 1 << 63),
        ("abs", Ty::F32) if style.ftz => fn1!(|a| u64::from(input::<true>(a).abs().to_bits())),
        ("abs", Ty::F32) => fn1!(|a| a & 0x7fff_ffff),
        ("abs", Ty::F64) => fn1!(|a| a & !(1 << 63)),
        ("sqrt", Ty::F32) => rounded!(style, slow1, slow1, |a| a.sqrt(), |MODE| round::sqrt32(a, MODE)),
        ("sqrt", Ty::F64) => double!(style, slow1, slow1, |a| a.sqrt(), |MODE| round::sqrt64(a, MODE)),
        ("rcp", Ty::F32) => rounded!(style, slow1, slow1, |a| 1.0 / a, |MODE| round::div32(1.0, a, MODE)),
        ("rcp", Ty::F64) => double!(style, slow1, slow1, |a| 1.0 / a, |MODE| round::div64(1.0, a, MODE)),
        _ => return None,
    })
}

/// Functions that GPUs approximate; here they are as exact as the host's library.
pub(crate) fn approximate(name: &str, ty: Ty, style: Style) -> Option<Fn1> {
    macro_rules! through_double {
        (|$a:ident| $body:expr) => {
            single!(style, slow1, |a| {
                let $a = f64::from(a);
                ($body) as f32
            })
        };
    }
    Some(match (name, ty) {
        ("sin", Ty::F32) => through_double!(|a| a.sin()),
        ("cos", Ty::F32) => through_double!(|a| a.cos()),
        ("lg2", Ty::F32) => through_double!(|a| a.log2()),
        ("ex2", Ty::F32) => through_double!(|a| a.exp2()),
        ("tanh", Ty::F32) => through_double!(|a| a.tanh()),
        ("rsqrt", Ty::F32) => through_double!(|a| 1.0 / a.sqrt()),
        ("rcp", Ty::F32) => single!(style, slow1, |a| 1.0 / a),
        ("sqrt", Ty::F32) => single!(style, slow1, |a| a.sqrt()),
        ("rsqrt", Ty::F64) if !style.ftz => slow1!(|a| (1.0 / f64_of(a).sqrt()).to_bits()),
        // Gross approximations: the upper half of the number.
        ("rsqrt", Ty::F64) => slow1!(|a| (1.0 / f64_of(a).sqrt()).to_bits() >> 32 << 32),
        ("rcp", Ty::F64) => slow1!(|a| (1.0 / f64_of(a)).to_bits() >> 32 << 32),
        _ => return None,
    })
}

pub(crate) fn binary(name: &str, ty: Ty, style: Style) -> Option<Fn2> {
    Some(match (name, ty) {
        ("add", Ty::F32) => rounded!(style, fn2, slow2, |a, b| a + b, |MODE| round::add32(a, b, MODE)),
        ("add", Ty::F64) => double!(style, fn2, slow2, |a, b| a + b, |MODE| round::add64(a, b, MODE)),
        ("sub", Ty::F32) => rounded!(style, fn2, slow2, |a, b| a - b, |MODE| round::add32(a, -b, MODE)),
        ("sub", Ty::F64) => double!(style, fn2, slow2, |a, b| a - b, |MODE| round::add64(a, -b, MODE)),
        ("mul", Ty::F32) => rounded!(style, fn2, slow2, |a, b| a * b, |MODE| round::mul32(a, b, MODE)),
        ("mul", Ty::F64) => double!(style, fn2, slow2, |a, b| a * b, |MODE| round::mul64(a, b, MODE)),
        ("div", Ty::F32) => rounded!(style, slow2, slow2, |a, b| a / b, |MODE| round::div32(a, b, MODE)),
        ("div", Ty::F64) => double!(style, slow2, slow2, |a, b| a / b, |MODE| round::div64(a, b, MODE)),
        ("copysign", Ty::F32) => fn2!(|a, b| (a & 1 << 31) | (b & 0x7fff_ffff)),
        ("copysign", Ty::F64) => fn2!(|a, b| (a & 1 << 63) | (b & !(1 << 63))),
        _ => return None,
    })
}

/// The lesser of two numbers, negative zero below positive; a NaN is passed over unless `nan` asks for it.
macro_rules! lesser {
    ($a:expr, $b:expr, $nan:expr) => {{
        let (a, b) = ($a, $b);
        if a.is_nan() || b.is_nan() {
            if $nan || (a.is_nan() && b.is_nan()) {
                a + b
            } else if a.is_nan() {
                b
            } else {
                a
            }
        } else if a < b || (a == b && a.is_sign_negative()) {
            a
        } else {
            b
        }
    }};
}

/// `min` and `max`.
pub(crate) fn extreme(max: bool, ty: Ty, nan: bool, style: Style) -> Option<Fn2> {
    Some(match (ty, max, nan) {
        (Ty::F32, false, false) => single!(style, fn2, |a, b| lesser!(a, b, false)),
        (Ty::F32, false, true) => single!(style, fn2, |a, b| lesser!(a, b, true)),
        (Ty::F32, true, false) => single!(style, fn2, |a, b| -lesser!(-a, -b, false)),
        (Ty::F32, true, true) => single!(style, fn2, |a, b| -lesser!(-a, -b, true)),
        (Ty::F64, false, false) => fn2!(|a, b| lesser!(f64_of(a), f64_of(b), false).to_bits()),
        (Ty::F64, true, false) => fn2!(|a, b| (-lesser!(-f64_of(a), -f64_of(b), false)).to_bits()),
        _ => return None,
    })
}

pub(crate) fn multiply_add(ty: Ty, style: Style) -> Option<Fn3> {
    Some(match ty {
        Ty::F32 => {
            rounded!(style, slow3, slow3, |a, b, c| a.mul_add(b, c), |MODE| round::fma32(a, b, c, MODE))
        }
        Ty::F64 => {
            double!(style, slow3, slow3, |a, b, c| a.mul_add(b, c), |MODE| round::fma64(a, b, c, MODE))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alu::LANES;

    fn run2(f: Option<Fn2>, a: f32, b: f32) -> f32 {
        let mut out = [0; LANES];
        f.expect("there is one")(1, &mut out, &[a.to_bits().into(); LANES], &[b.to_bits().into(); LANES]);
        f32_of(out[0])
    }

    fn run2d(f: Option<Fn2>, a: f64, b: f64) -> f64 {
        let mut out = [0; LANES];
        f.expect("there is one")(1, &mut out, &[a.to_bits(); LANES], &[b.to_bits(); LANES]);
        f64_of(out[0])
    }

    #[test]
    fn nans_are_passed_over_and_zeros_are_ordered() {
        let min = |nan| extreme(false, Ty::F32, nan, Style::PLAIN);
        let max = |nan| extreme(true, Ty::F32, nan, Style::PLAIN);
        assert_eq!(run2(min(false), f32::NAN, 2.0), 2.0);
        assert!(run2(min(true), f32::NAN, 2.0).is_nan());
        assert!(run2(max(false), f32::NAN, f32::NAN).is_nan());
        assert!(run2(min(false), 0.0, -0.0).is_sign_negative());
        assert!(run2(max(false), -0.0, 0.0).is_sign_positive());
        assert_eq!(run2d(extreme(true, Ty::F64, false, Style::PLAIN), f64::NAN, -3.0), -3.0);
    }

    #[test]
    fn subnormals_are_flushed_when_asked() {
        let tiny = f32::from_bits(1);
        let ftz = Style { ftz: true, ..Style::PLAIN };
        assert_eq!(run2(binary("add", Ty::F32, ftz), tiny, tiny), 0.0);
        assert_eq!(run2(binary("add", Ty::F32, Style::PLAIN), tiny, tiny), f32::from_bits(2));
        let sat = Style { sat: true, ..Style::PLAIN };
        assert_eq!(run2(binary("mul", Ty::F32, sat), 3.0, 3.0), 1.0);
        assert_eq!(run2(binary("mul", Ty::F32, sat), f32::NAN, 3.0), 0.0);
    }

    #[test]
    fn directions_round() {
        let up = Style { mode: Mode::Up, ..Style::PLAIN };
        assert_eq!(run2d(binary("div", Ty::F64, up), 1.0, 3.0), (1.0f64 / 3.0).next_up());
        assert_eq!(run2(binary("sub", Ty::F32, up), 1.0, -1e-20), 1.0f32.next_up());
        assert_eq!(run2d(binary("copysign", Ty::F64, Style::PLAIN), -1.0, 2.0), -2.0);
    }
}
