//! Comparisons and tests.

#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "the unordered comparisons hold for NaNs")]

use super::float::{f32_of, f64_of};
use super::{FnP, LANES, Lanes, half};
use crate::ty::{Class, Ty};

macro_rules! mask {
    (|$a:ident, $b:ident| $body:expr) => {{
        fn lanes(x: &Lanes, y: &Lanes) -> u32 {
            let mut bits = [0u32; LANES];
            for (lane, ((bit, x), y)) in bits.iter_mut().zip(x).zip(y).enumerate() {
                let ($a, $b) = (*x, *y);
                *bit = u32::from($body) << lane;
            }
            bits.iter().fold(0, |mask, bit| mask | bit)
        }
        lanes as FnP
    }};
}

macro_rules! ints {
    ($t:ty, $name:expr) => {
        Some(match $name {
            "eq" => mask!(|a, b| a as $t == b as $t),
            "ne" => mask!(|a, b| a as $t != b as $t),
            "lt" | "lo" => mask!(|a, b| (a as $t) < b as $t),
            "le" | "ls" => mask!(|a, b| a as $t <= b as $t),
            "gt" | "hi" => mask!(|a, b| a as $t > b as $t),
            "ge" | "hs" => mask!(|a, b| a as $t >= b as $t),
            _ => return None,
        })
    };
}

macro_rules! floats {
    ($of:expr, $name:expr) => {
        Some(match $name {
            "eq" => mask!(|a, b| $of(a) == $of(b)),
            "ne" => mask!(|a, b| $of(a) < $of(b) || $of(a) > $of(b)),
            "lt" => mask!(|a, b| $of(a) < $of(b)),
            "le" => mask!(|a, b| $of(a) <= $of(b)),
            "gt" => mask!(|a, b| $of(a) > $of(b)),
            "ge" => mask!(|a, b| $of(a) >= $of(b)),
            "equ" => mask!(|a, b| !($of(a) < $of(b) || $of(a) > $of(b))),
            "neu" => mask!(|a, b| $of(a) != $of(b)),
            "ltu" => mask!(|a, b| !($of(a) >= $of(b))),
            "leu" => mask!(|a, b| !($of(a) > $of(b))),
            "gtu" => mask!(|a, b| !($of(a) <= $of(b))),
            "geu" => mask!(|a, b| !($of(a) < $of(b))),
            "num" => mask!(|a, b| !$of(a).is_nan() && !$of(b).is_nan()),
            "nan" => mask!(|a, b| $of(a).is_nan() || $of(b).is_nan()),
            _ => return None,
        })
    };
}

fn flushed(bits: u64) -> f32 {
    let value = f32_of(bits);
    if value.is_subnormal() { 0.0 } else { value }
}

/// The comparison of a name on a type. `lo`, `ls`, `hi`, `hs` are for unsigned integers, order is not for
/// plain bits.
pub(crate) fn function(name: &str, ty: Ty, ftz: bool) -> Option<FnP> {
    let unsigned_name = matches!(name, "lo" | "ls" | "hi" | "hs");
    let allowed = match ty.class() {
        Class::Bits => matches!(name, "eq" | "ne"),
        Class::Signed => !unsigned_name,
        Class::Unsigned => true,
        Class::Float | Class::Pred => !unsigned_name,
    };
    if !allowed {
        return None;
    }
    match ty {
        Ty::B16 | Ty::U16 => ints!(u16, name),
        Ty::B32 | Ty::U32 => ints!(u32, name),
        Ty::B64 | Ty::U64 => ints!(u64, name),
        Ty::S16 => ints!(i16, name),
        Ty::S32 => ints!(i32, name),
        Ty::S64 => ints!(i64, name),
        Ty::F32 if ftz => floats!(flushed, name),
        Ty::F32 => floats!(f32_of, name),
        Ty::F64 => floats!(f64_of, name),
        Ty::F16 => floats!(half::f16_of, name),
        Ty::Bf16 => floats!(half::bf16_of, name),
        _ => None,
    }
}

/// `testp`: a property of a float; the second argument is not looked at.
pub(crate) fn property(name: &str, ty: Ty) -> Option<FnP> {
    macro_rules! properties {
        ($of:expr) => {
            Some(match name {
                "finite" => mask!(|a, _b| $of(a).is_finite()),
                "infinite" => mask!(|a, _b| $of(a).is_infinite()),
                "number" => mask!(|a, _b| !$of(a).is_nan()),
                "notanumber" => mask!(|a, _b| $of(a).is_nan()),
                "normal" => mask!(|a, _b| $of(a).is_normal()),
                "subnormal" => mask!(|a, _b| $of(a).is_subnormal()),
                _ => return None,
            })
        };
    }
    match ty {
        Ty::F32 => properties!(f32_of),
        Ty::F64 => properties!(f64_of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(name: &str, ty: Ty, a: u64, b: u64) -> bool {
        let mask = function(name, ty, false).expect("there is one")(&[a; LANES], &[b; LANES]);
        assert!(mask == 0 || mask == u32::MAX);
        mask != 0
    }

    #[test]
    fn order_follows_the_type() {
        assert!(holds("lt", Ty::S32, 0xffff_ffff, 0));
        assert!(!holds("lt", Ty::U32, 0xffff_ffff, 0));
        assert!(holds("hi", Ty::U64, u64::MAX, 0));
        assert!(function("lt", Ty::B32, false).is_none());
        assert!(function("hi", Ty::S32, false).is_none());
    }

    #[test]
    fn nans_are_unordered() {
        let (nan, one) = (f64::NAN.to_bits(), 1f64.to_bits());
        for name in ["eq", "ne", "lt", "le", "gt", "ge", "num"] {
            assert!(!holds(name, Ty::F64, nan, one), "{name}");
        }
        for name in ["equ", "neu", "ltu", "leu", "gtu", "geu", "nan"] {
            assert!(holds(name, Ty::F64, nan, one), "{name}");
        }
        let subnormal = property("subnormal", Ty::F32).expect("there is one");
        assert_eq!(subnormal(&[1; LANES], &[0; LANES]), u32::MAX);
    }
}
