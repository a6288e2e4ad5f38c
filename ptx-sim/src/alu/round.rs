//! Rounding towards zero, down and up. Each operation is rounded to nearest first; the sign of what was lost
//! tells whether a neighbour is the right result.

/// How a result is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Nearest,
    Zero,
    Down,
    Up,
    /// To nearest, ties away from zero.
    NearestAway,
}

impl Mode {
    /// By the modifier: `rn`, `rzi`, ...
    pub(crate) fn by_name(name: &str) -> Option<Mode> {
        Some(match name.trim_end_matches('i') {
            "rn" => Mode::Nearest,
            "rz" => Mode::Zero,
            "rm" => Mode::Down,
            "rp" => Mode::Up,
            "rna" => Mode::NearestAway,
            _ => return None,
        })
    }

    fn lowers(self, lost: f64, negative: bool) -> bool {
        lost < 0.0 && (self == Mode::Down || (self == Mode::Zero && !negative))
    }

    fn raises(self, lost: f64, negative: bool) -> bool {
        lost > 0.0 && (self == Mode::Up || (self == Mode::Zero && negative))
    }
}

/// Corrects a value that was rounded to nearest; the exact one is `lost` more.
fn correct64(value: f64, lost: f64, mode: Mode) -> f64 {
    let lost = if value.is_infinite() { -value } else { lost };
    if mode.lowers(lost, value.is_sign_negative()) {
        value.next_down()
    } else if mode.raises(lost, value.is_sign_negative()) {
        value.next_up()
    } else {
        value
    }
}

/// The nearest `f32`s of the exact value `value + lost`.
pub(crate) fn narrow(value: f64, lost: f64, mode: Mode) -> f32 {
    let near = value as f32;
    if !value.is_finite() {
        return near;
    }
    let lost = if near.is_infinite() { -f64::from(near) } else { (value - f64::from(near)) + lost };
    if mode.lowers(lost, near.is_sign_negative()) {
        near.next_down()
    } else if mode.raises(lost, near.is_sign_negative()) {
        near.next_up()
    } else {
        near
    }
}

/// The rounded sum, and what it lacks.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

fn zero_sum(sum: f64, a: f64, b: f64, mode: Mode) -> f64 {
    let cancelled = sum == 0.0 && mode == Mode::Down && (a.is_sign_negative() || b.is_sign_negative());
    if cancelled { -0.0 } else { sum }
}

pub(crate) fn add64(a: f64, b: f64, mode: Mode) -> f64 {
    let (sum, lost) = two_sum(a, b);
    if !(a.is_finite() && b.is_finite()) {
        return sum;
    }
    correct64(zero_sum(sum, a, b, mode), lost, mode)
}

pub(crate) fn add32(a: f32, b: f32, mode: Mode) -> f32 {
    let (a, b) = (f64::from(a), f64::from(b));
    let (sum, lost) = two_sum(a, b);
    narrow(zero_sum(sum, a, b, mode), lost, mode)
}

pub(crate) fn mul64(a: f64, b: f64, mode: Mode) -> f64 {
    let product = a * b;
    if !(a.is_finite() && b.is_finite()) {
        return product;
    }
    correct64(product, a.mul_add(b, -product), mode)
}

pub(crate) fn mul32(a: f32, b: f32, mode: Mode) -> f32 {
    narrow(f64::from(a) * f64::from(b), 0.0, mode)
}

pub(crate) fn div64(a: f64, b: f64, mode: Mode) -> f64 {
    let quotient = a / b;
    if !(a.is_finite() && b.is_finite()) || b == 0.0 {
        return quotient;
    }
    correct64(quotient, (-quotient).mul_add(b, a) * b.signum(), mode)
}

pub(crate) fn div32(a: f32, b: f32, mode: Mode) -> f32 {
    let (a, b) = (f64::from(a), f64::from(b));
    let quotient = a / b;
    if !quotient.is_finite() || b.is_infinite() {
        return quotient as f32;
    }
    // The sign counts only; scaled, so that it does not vanish beside the quotient.
    let lost = (-quotient).mul_add(b, a) * b.signum();
    narrow(quotient, lost.signum() * f64::from(u8::from(lost != 0.0)) * quotient.abs() * 1e-17, mode)
}

pub(crate) fn sqrt64(a: f64, mode: Mode) -> f64 {
    let root = a.sqrt();
    if !root.is_finite() {
        return root;
    }
    correct64(root, (-root).mul_add(root, a), mode)
}

pub(crate) fn sqrt32(a: f32, mode: Mode) -> f32 {
    let a = f64::from(a);
    let root = a.sqrt();
    let lost = (-root).mul_add(root, a);
    narrow(root, lost.signum() * f64::from(u8::from(lost != 0.0)) * root * 1e-17, mode)
}

pub(crate) fn fma64(a: f64, b: f64, c: f64, mode: Mode) -> f64 {
    let result = a.mul_add(b, c);
    if mode == Mode::Nearest || !(a.is_finite() && b.is_finite() && c.is_finite()) {
        return result;
    }
    let product = a * b;
    let (sum, lost) = two_sum(product, c);
    let lost = ((sum - result) + lost) + a.mul_add(b, -product);
    correct64(zero_sum(result, product, c, mode), lost, mode)
}

pub(crate) fn fma32(a: f32, b: f32, c: f32, mode: Mode) -> f32 {
    if mode == Mode::Nearest {
        return a.mul_add(b, c);
    }
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let (sum, lost) = two_sum(product, c);
    narrow(zero_sum(sum, product, c, mode), lost, mode)
}

/// To a whole number in the same type.
pub(crate) fn whole(value: f64, mode: Mode) -> f64 {
    match mode {
        Mode::Nearest => value.round_ties_even(),
        Mode::Zero => value.trunc(),
        Mode::Down => value.floor(),
        Mode::Up => value.ceil(),
        Mode::NearestAway => value.round(),
    }
}

/// An integer as a double.
pub(crate) fn int64(value: i128, mode: Mode) -> f64 {
    let near = value as f64;
    correct64(near, (value - near as i128) as f64, mode)
}

/// An integer as a float.
pub(crate) fn int32(value: i128, mode: Mode) -> f32 {
    let near = value as f32;
    let lost = (value - near as i128) as f64;
    if mode.lowers(lost, near.is_sign_negative()) {
        near.next_down()
    } else if mode.raises(lost, near.is_sign_negative()) {
        near.next_up()
    } else {
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_chosen_by_the_direction() {
        let third = 1.0f64 / 3.0;
        assert_eq!(div64(1.0, 3.0, Mode::Zero), third);
        assert_eq!(div64(1.0, 3.0, Mode::Up), third.next_up());
        assert_eq!(div64(-1.0, 3.0, Mode::Up), -third);
        assert_eq!(div32(1.0, 3.0, Mode::Down), (1.0f32 / 3.0).next_down());
        assert_eq!(add64(1.0, 1e-30, Mode::Up), 1.0f64.next_up());
        assert_eq!(add64(1.0, 1e-30, Mode::Zero), 1.0);
        assert_eq!(add64(1.0, -1e-30, Mode::Zero), 1.0f64.next_down());
        assert_eq!(add32(1.0, 1e-30, Mode::Up), 1.0f32.next_up());
        assert_eq!(add64(1.0, -1.0, Mode::Down).to_bits(), (-0.0f64).to_bits());
        assert_eq!(mul64(f64::MAX, 2.0, Mode::Zero), f64::MAX);
        assert_eq!(mul64(f64::MAX, 2.0, Mode::Up), f64::INFINITY);
        assert_eq!(sqrt64(2.0, Mode::Up), 2.0f64.sqrt());
        assert_eq!(sqrt64(2.0, Mode::Down), 2.0f64.sqrt().next_down());
        assert_eq!(sqrt32(2.0, Mode::Down), 2.0f32.sqrt());
        assert_eq!(sqrt32(2.0, Mode::Up), 2.0f32.sqrt().next_up());
        assert_eq!(fma64(1.0, 1.0, 1e-40, Mode::Up), 1.0f64.next_up());
        assert_eq!(fma32(1.0, 1.0, -1e-30, Mode::Down), 1.0f32.next_down());
        assert_eq!(narrow(f64::MAX, 0.0, Mode::Zero), f32::MAX);
        assert_eq!(int32((1 << 25) + 1, Mode::Up), ((1 << 25) as f32).next_up());
        assert_eq!(int64(i128::from(u64::MAX), Mode::Zero), 18446744073709549568.0);
    }
}
