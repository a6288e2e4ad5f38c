//! Complex division, and products whose parts are no numbers.
//!
//! A product is computed where it stands, and the library is called where both parts turn out to be NaN, to
//! recover infinities. That is rare, so that such a call keeps all registers: what a loop around it has in
//! registers need not be in memory meanwhile.
//!
//! `double`: Smith's method in the robust form of Baudin and Smith (2012), with the operands scaled first
//! where a denominator could overflow or vanish. `float`: the textbook formula in `double`, where nothing
//! overflows. Both then recover infinities and zeros as C11 Annex G asks. GCC's library computes the same, to
//! the last bit.

use std::arch::naked_asm;

unsafe extern "C" {
    // The compiler's own support library, so that results equal what C compilers give.
    fn __muldc3();
    fn __mulsc3();
}

/// A function of the library, which gets a pointer besides, to where the result goes, under the convention
/// `preserve_all`: it returns nothing and keeps all registers.
macro_rules! keeping_registers {
    ($(#[$doc:meta])* $name:ident = $library:ident; $($store:literal),*) => {
        $(#[$doc])*
        #[unsafe(naked)]
        pub(crate) extern "C" fn $name() {
            naked_asm!(
                "sub rsp, 328",
                "mov [rsp + 256], rax",
                "mov [rsp + 264], rcx",
                "mov [rsp + 272], rdx",
                "mov [rsp + 280], rsi",
                "mov [rsp + 288], rdi",
                "mov [rsp + 296], r8",
                "mov [rsp + 304], r9",
                "mov [rsp + 312], r10",
                "mov [rsp + 320], r11",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "movups [rsp + 16 * \\n], xmm\\n",
                ".endr",
                "call {library}",
                "mov rdi, [rsp + 288]",
                $($store,)*
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "movups xmm\\n, [rsp + 16 * \\n]",
                ".endr",
                "mov rax, [rsp + 256]",
                "mov rcx, [rsp + 264]",
                "mov rdx, [rsp + 272]",
                "mov rsi, [rsp + 280]",
                "mov r8, [rsp + 296]",
                "mov r9, [rsp + 304]",
                "mov r10, [rsp + 312]",
                "mov r11, [rsp + 320]",
                "add rsp, 328",
                "ret",
                library = sym $library,
            )
        }
    };
}

keeping_registers! {
    /// `(a + bi) * (c + di)` of four `double`s.
    multiply64 = __muldc3; "movsd [rdi], xmm0", "movsd [rdi + 8], xmm1"
}

keeping_registers! {
    /// `(a + bi) * (c + di)` of four `float`s.
    multiply32 = __mulsc3; "movsd [rdi], xmm0"
}

/// A complex number, as it is returned in registers.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Complex<T> {
    re: T,
    im: T,
}

/// Halves of operands at least this large do not overflow when they are added.
const HUGE: f64 = f64::MAX / 2.0;
/// Operands below it are scaled up, by its inverse.
const TINY: f64 = f64::EPSILON;

/// `(a + bi) / (c + di)`.
pub(crate) extern "C" fn divide64(a: f64, b: f64, c: f64, d: f64) -> Complex<f64> {
    let [a, b, c, d] = scaled([a, b, c, d]);
    let imaginary_leads = c.abs() < d.abs();
    let (large, small) = if imaginary_leads { (d, c) } else { (c, d) };
    // The part of the dividend that is multiplied by the ratio for the real part, and the other one.
    let (u, v) = if imaginary_leads { (a, b) } else { (b, a) };
    let ratio = small / large;
    let denominator = small * ratio + large;
    // A ratio that underflows has lost its digits: multiply last.
    let times_ratio =
        |value: f64| if ratio.abs() > f64::MIN_POSITIVE { value * ratio } else { small * (value / large) };
    let re = (times_ratio(u) + v) / denominator;
    let im = match imaginary_leads {
        true => (times_ratio(v) - u) / denominator,
        false => (u - times_ratio(v)) / denominator,
    };
    recovered(Complex { re, im }, [a, b, c, d])
}

/// `(a + bi) / (c + di)`.
pub(crate) extern "C" fn divide32(a: f32, b: f32, c: f32, d: f32) -> Complex<f32> {
    let [a, b, c, d] = [a, b, c, d].map(f64::from);
    let denominator = c * c + d * d;
    let (re, im) = ((a * c + b * d) / denominator, (b * c - a * d) / denominator);
    let Complex { re, im } = recovered(Complex { re, im }, [a, b, c, d]);
    Complex { re: re as f32, im: im as f32 }
}

/// The same quotient of operands that neither overflow nor underflow on the way, as far as that can be
/// helped.
fn scaled(mut operands: [f64; 4]) -> [f64; 4] {
    let largest = |[_, _, c, d]: [f64; 4]| if c.abs() < d.abs() { d.abs() } else { c.abs() };
    if largest(operands) >= HUGE {
        operands = operands.map(|x| x / 2.0);
    }
    let ([a, b, ..], divisor) = (operands, largest(operands));
    let room = HUGE * TINY;
    let vanishing = |x: f64, other: f64| x.abs() < f64::MIN_POSITIVE && other.abs() < room && divisor < room;
    if divisor < TINY || vanishing(a, b) || vanishing(b, a) {
        operands = operands.map(|x| x / TINY);
    }
    operands
}

/// C11 G.5.1: what came out as NaN + NaN i, but is an infinity or a zero.
fn recovered(quotient: Complex<f64>, [a, b, c, d]: [f64; 4]) -> Complex<f64> {
    if !(quotient.re.is_nan() && quotient.im.is_nan()) {
        return quotient;
    }
    let direction = |x: f64| f64::from(u8::from(x.is_infinite())).copysign(x);
    let times = |factor: f64, [a, b, c, d]: [f64; 4]| Complex {
        re: factor * (a * c + b * d),
        im: factor * (b * c - a * d),
    };
    if c == 0.0 && d == 0.0 && !(a.is_nan() && b.is_nan()) {
        let infinity = f64::INFINITY.copysign(c);
        Complex { re: infinity * a, im: infinity * b }
    } else if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
        times(f64::INFINITY, [direction(a), direction(b), c, d])
    } else if (c.is_infinite() || d.is_infinite()) && a.is_finite() && b.is_finite() {
        times(0.0, [a, b, direction(c), direction(d)])
    } else {
        quotient
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_neither_overflow_nor_vanish() {
        let one = Complex { re: 1.0, im: 0.0 };
        for x in [1e308, 1.7e308, 1e-310, 5e-324, 1.0] {
            assert_eq!(divide64(x, x, x, x), one, "{x}");
        }
        let power = f64::from_bits(2023 << 52);
        assert_eq!(divide64(1.0, 2.0, 0.0, 1.0 / power), Complex { re: 2.0 * power, im: -power });
        assert_eq!(divide32(f32::MAX, f32::MAX, f32::MAX, f32::MAX), Complex { re: 1.0, im: 0.0 });
    }

    #[test]
    fn infinities_are_recovered() {
        let by_zero = divide64(1.0, -2.0, -0.0, 0.0);
        assert_eq!((by_zero.re, by_zero.im), (f64::NEG_INFINITY, f64::INFINITY));
        let infinite = divide64(f64::INFINITY, 1.0, 2.0, 3.0);
        assert!(infinite.re.is_infinite() && infinite.im.is_infinite());
        assert_eq!(divide64(1.0, 2.0, f64::INFINITY, f64::NAN), Complex { re: 0.0, im: 0.0 });
    }
}
