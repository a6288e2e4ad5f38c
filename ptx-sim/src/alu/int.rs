//! Integer arithmetic.

use super::{Fn1, Fn2, Fn3, fn1, fn2, fn3, slow2};
use crate::ty::Ty;

/// A function on values of a Rust integer type.
macro_rules! int1 {
    ($t:ty, $u:ty, |$a:ident| $body:expr) => {
        fn1!(|x| {
            let $a = x as $t;
            ($body) as $u as u64
        })
    };
}

macro_rules! int2 {
    ($t:ty, $u:ty, |$a:ident, $b:ident| $body:expr) => {
        fn2!(|x, y| {
            let ($a, $b) = (x as $t, y as $t);
            ($body) as $u as u64
        })
    };
}

macro_rules! int3 {
    ($t:ty, $u:ty, |$a:ident, $b:ident, $c:ident| $body:expr) => {
        fn3!(|x, y, z| {
            let ($a, $b, $c) = (x as $t, y as $t, z as $t);
            ($body) as $u as u64
        })
    };
}

macro_rules! slow_int2 {
    ($t:ty, $u:ty, |$a:ident, $b:ident| $body:expr) => {
        slow2!(|x, y| {
            let ($a, $b) = (x as $t, y as $t);
            ($body) as $u as u64
        })
    };
}

/// By the six integer types of arithmetic instructions.
macro_rules! all_ints {
    ($ty:expr, $make:ident!(|$($arg:ident),+| $body:expr)) => {
        match $ty {
            Ty::U16 | Ty::B16 => Some($make!(u16, u16, |$($arg),+| $body)),
            Ty::S16 => Some($make!(i16, u16, |$($arg),+| $body)),
            Ty::U32 | Ty::B32 => Some($make!(u32, u32, |$($arg),+| $body)),
            Ty::S32 => Some($make!(i32, u32, |$($arg),+| $body)),
            Ty::U64 | Ty::B64 => Some($make!(u64, u64, |$($arg),+| $body)),
            Ty::S64 => Some($make!(i64, u64, |$($arg),+| $body)),
            _ => None,
        }
    };
}

/// Which part of a product is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Low,
    High,
    /// All of it, in a register of twice the width.
    Wide,
}

/// The high half of a product.
macro_rules! high {
    ($a:expr, $b:expr, $wide:ty, $bits:expr) => {
        (($a as $wide).wrapping_mul($b as $wide) >> $bits)
    };
}

pub(crate) fn unary(name: &str, ty: Ty) -> Option<Fn1> {
    match name {
        "neg" => all_ints!(ty, int1!(|a| a.wrapping_neg())),
        "abs" => match ty {
            Ty::S16 => Some(int1!(i16, u16, |a| a.wrapping_abs())),
            Ty::S32 => Some(int1!(i32, u32, |a| a.wrapping_abs())),
            Ty::S64 => Some(int1!(i64, u64, |a| a.wrapping_abs())),
            _ => None,
        },
        "not" => match ty {
            Ty::B16 => Some(int1!(u16, u16, |a| !a)),
            Ty::B32 => Some(int1!(u32, u32, |a| !a)),
            Ty::B64 => Some(int1!(u64, u64, |a| !a)),
            _ => None,
        },
        "cnot" => match ty {
            Ty::B16 | Ty::B32 | Ty::B64 => Some(fn1!(|a| u64::from(a == 0))),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn binary(name: &str, ty: Ty) -> Option<Fn2> {
    match name {
        "add" => all_ints!(ty, int2!(|a, b| a.wrapping_add(b))),
        "sub" => all_ints!(ty, int2!(|a, b| a.wrapping_sub(b))),
        "min" => all_ints!(ty, int2!(|a, b| a.min(b))),
        "max" => all_ints!(ty, int2!(|a, b| a.max(b))),
        // A division by zero gives all ones, its remainder the dividend, as GPUs do.
        "div" => all_ints!(ty, slow_int2!(|a, b| if b == 0 { !b } else { a.wrapping_div(b) })),
        "rem" => all_ints!(ty, slow_int2!(|a, b| if b == 0 { a } else { a.wrapping_rem(b) })),
        _ => None,
    }
}

/// Sums that are clamped, `.sat`.
pub(crate) fn saturating(name: &str) -> Option<Fn2> {
    match name {
        "add" => Some(int2!(i32, u32, |a, b| a.saturating_add(b))),
        "sub" => Some(int2!(i32, u32, |a, b| a.saturating_sub(b))),
        _ => None,
    }
}

pub(crate) fn bitwise(name: &str) -> Option<Fn2> {
    match name {
        "and" => Some(fn2!(|a, b| a & b)),
        "or" => Some(fn2!(|a, b| a | b)),
        "xor" => Some(fn2!(|a, b| a ^ b)),
        _ => None,
    }
}

/// The amount is 32 bits wide and clamped to the width.
pub(crate) fn shift(name: &str, ty: Ty) -> Option<Fn2> {
    macro_rules! left {
        ($t:ty) => {
            Some(fn2!(|a, b| if (b as u32) < <$t>::BITS { ((a as $t) << (b as u32)) as u64 } else { 0 }))
        };
    }
    macro_rules! right {
        ($t:ty, $u:ty) => {
            Some(fn2!(|a, b| {
                let by = (b as u32).min(<$t>::BITS - 1);
                let shifted = (a as $t) >> by;
                (if (b as u32) < <$t>::BITS { shifted } else { shifted >> 1 }) as $u as u64
            }))
        };
    }
    match (name, ty) {
        ("shl", Ty::B16) => left!(u16),
        ("shl", Ty::B32) => left!(u32),
        ("shl", Ty::B64) => left!(u64),
        ("shr", Ty::B16 | Ty::U16) => right!(u16, u16),
        ("shr", Ty::B32 | Ty::U32) => right!(u32, u32),
        ("shr", Ty::B64 | Ty::U64) => right!(u64, u64),
        ("shr", Ty::S16) => right!(i16, u16),
        ("shr", Ty::S32) => right!(i32, u32),
        ("shr", Ty::S64) => right!(i64, u64),
        _ => None,
    }
}

pub(crate) fn multiply(part: Part, ty: Ty) -> Option<Fn2> {
    match part {
        Part::Low => all_ints!(ty, int2!(|a, b| a.wrapping_mul(b))),
        Part::High => Some(match ty {
            Ty::U16 => int2!(u16, u16, |a, b| high!(a, b, u32, 16)),
            Ty::S16 => int2!(i16, u16, |a, b| high!(a, b, i32, 16)),
            Ty::U32 => int2!(u32, u32, |a, b| high!(a, b, u64, 32)),
            Ty::S32 => int2!(i32, u32, |a, b| high!(a, b, i64, 32)),
            Ty::U64 => int2!(u64, u64, |a, b| high!(a, b, u128, 64)),
            Ty::S64 => int2!(i64, u64, |a, b| high!(a, b, i128, 64)),
            _ => return None,
        }),
        Part::Wide => Some(match ty {
            Ty::U16 => int2!(u16, u32, |a, b| u32::from(a) * u32::from(b)),
            Ty::S16 => int2!(i16, u32, |a, b| i32::from(a) * i32::from(b)),
            Ty::U32 => int2!(u32, u64, |a, b| u64::from(a) * u64::from(b)),
            Ty::S32 => int2!(i32, u64, |a, b| i64::from(a) * i64::from(b)),
            _ => return None,
        }),
    }
}

/// A product and a sum; the third operand of `Wide` has twice the width.
pub(crate) fn multiply_add(part: Part, ty: Ty) -> Option<Fn3> {
    match part {
        Part::Low => all_ints!(ty, int3!(|a, b, c| a.wrapping_mul(b).wrapping_add(c))),
        Part::High => Some(match ty {
            Ty::U16 => int3!(u16, u16, |a, b, c| (high!(a, b, u32, 16) as u16).wrapping_add(c)),
            Ty::S16 => int3!(i16, u16, |a, b, c| (high!(a, b, i32, 16) as i16).wrapping_add(c)),
            Ty::U32 => int3!(u32, u32, |a, b, c| (high!(a, b, u64, 32) as u32).wrapping_add(c)),
            Ty::S32 => int3!(i32, u32, |a, b, c| (high!(a, b, i64, 32) as i32).wrapping_add(c)),
            Ty::U64 => int3!(u64, u64, |a, b, c| (high!(a, b, u128, 64) as u64).wrapping_add(c)),
            Ty::S64 => int3!(i64, u64, |a, b, c| (high!(a, b, i128, 64) as i64).wrapping_add(c)),
            _ => return None,
        }),
        Part::Wide => Some(match ty {
            Ty::U16 => fn3!(|a, b, c| u64::from(
                (a as u32 & 0xffff).wrapping_mul(b as u32 & 0xffff).wrapping_add(c as u32)
            )),
            Ty::S16 => fn3!(|a, b, c| u64::from(
                i32::from(a as i16).wrapping_mul(i32::from(b as i16)).wrapping_add(c as i32) as u32
            )),
            Ty::U32 => fn3!(|a, b, c| u64::from(a as u32).wrapping_mul(u64::from(b as u32)).wrapping_add(c)),
            Ty::S32 => {
                fn3!(|a, b, c| i64::from(a as i32).wrapping_mul(i64::from(b as i32)).wrapping_add(c as i64)
                    as u64)
            }
            _ => return None,
        }),
    }
}

/// `mul24` and `mad24`, whose operands are 24 bits wide; `mul24` adds zero.
pub(crate) fn multiply_add_24(part: Part, ty: Ty) -> Option<Fn3> {
    macro_rules! signed {
        ($a:expr) => {
            i64::from((($a as u32) << 8) as i32 >> 8)
        };
    }
    macro_rules! unsigned {
        ($a:expr) => {
            ($a & 0xff_ffff)
        };
    }
    Some(match (part, ty) {
        (Part::Low, Ty::U32) => {
            fn3!(|a, b, c| u64::from((unsigned!(a) * unsigned!(b)) as u32).wrapping_add(c) & 0xffff_ffff)
        }
        (Part::High, Ty::U32) => {
            fn3!(|a, b, c| ((unsigned!(a) * unsigned!(b)) >> 16).wrapping_add(c) & 0xffff_ffff)
        }
        (Part::Low, Ty::S32) => {
            fn3!(|a, b, c| ((signed!(a) * signed!(b)) as u64).wrapping_add(c) & 0xffff_ffff)
        }
        (Part::High, Ty::S32) => {
            fn3!(|a, b, c| (((signed!(a) * signed!(b)) >> 16) as u64).wrapping_add(c) & 0xffff_ffff)
        }
        _ => return None,
    })
}

/// `sad`: the distance of two values, and a sum.
pub(crate) fn distance(ty: Ty) -> Option<Fn3> {
    all_ints!(ty, int3!(|a, b, c| c.wrapping_add(if a > b { a.wrapping_sub(b) } else { b.wrapping_sub(a) })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alu::LANES;

    fn run2(f: Fn2, a: u64, b: u64) -> u64 {
        let mut out = [0; LANES];
        f(u32::MAX, &mut out, &[a; LANES], &[b; LANES]);
        assert!(out.iter().all(|value| *value == out[0]));
        out[0]
    }

    fn run3(f: Fn3, a: u64, b: u64, c: u64) -> u64 {
        let mut out = [0; LANES];
        f(u32::MAX, &mut out, &[a; LANES], &[b; LANES], &[c; LANES]);
        out[0]
    }

    const VALUES: [u64; 8] =
        [0, 1, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff];

    #[test]
    fn sums_and_products_are_those_of_rust() {
        for a in VALUES {
            for b in VALUES {
                let f = |name, ty| binary(name, ty).expect("there is one");
                assert_eq!(run2(f("add", Ty::S32), a, b), u64::from((a as u32).wrapping_add(b as u32)));
                assert_eq!(run2(f("sub", Ty::U64), a, b), a.wrapping_sub(b));
                assert_eq!(run2(f("min", Ty::S16), a, b), (a as i16).min(b as i16) as u16 as u64);
                assert_eq!(run2(f("max", Ty::U32), a, b), u64::from((a as u32).max(b as u32)));
                let high = multiply(Part::High, Ty::S64).expect("there is one");
                assert_eq!(run2(high, a, b), ((a as i64 as i128 * b as i64 as i128) >> 64) as u64);
                let wide = multiply(Part::Wide, Ty::S32).expect("there is one");
                assert_eq!(run2(wide, a, b), (i64::from(a as i32) * i64::from(b as i32)) as u64);
                let mad = multiply_add(Part::Wide, Ty::U32).expect("there is one");
                assert_eq!(run3(mad, a, b, 7), u64::from(a as u32) * u64::from(b as u32) + 7);
                let mad = multiply_add(Part::Low, Ty::S16).expect("there is one");
                assert_eq!(run3(mad, a, b, 7), u64::from((a as u16).wrapping_mul(b as u16).wrapping_add(7)));
            }
        }
    }

    #[test]
    fn division_never_traps() {
        let div = binary("div", Ty::S32).expect("there is one");
        assert_eq!(run2(div, 0x8000_0000, 0xffff_ffff), 0x8000_0000);
        assert_eq!(run2(div, 5, 0), 0xffff_ffff);
        assert_eq!(run2(div, (-7i32) as u32 as u64, 2), (-3i32) as u32 as u64);
        let rem = binary("rem", Ty::S64).expect("there is one");
        assert_eq!(run2(rem, i64::MIN as u64, u64::MAX), 0);
        assert_eq!(run2(rem, 5, 0), 5);
    }

    #[test]
    fn shifts_clamp_their_amount() {
        let shl = shift("shl", Ty::B32).expect("there is one");
        assert_eq!(run2(shl, 1, 31), 1 << 31);
        assert_eq!(run2(shl, 1, 32), 0);
        let shr = shift("shr", Ty::S32).expect("there is one");
        assert_eq!(run2(shr, 0x8000_0000, 40), 0xffff_ffff);
        let shr = shift("shr", Ty::U64).expect("there is one");
        assert_eq!(run2(shr, u64::MAX, 64), 0);
        assert_eq!(run2(shr, u64::MAX, 63), 1);
    }

    #[test]
    fn the_others() {
        let sad = distance(Ty::S32).expect("there is one");
        assert_eq!(run3(sad, (-3i32) as u32 as u64, 4, 10), 17);
        let mad24 = multiply_add_24(Part::Low, Ty::S32).expect("there is one");
        assert_eq!(run3(mad24, 0xff_ffff, 3, 10), 7);
        assert_eq!(run2(saturating("add").expect("there is one"), 0x7fff_ffff, 1), 0x7fff_ffff);
    }
}
