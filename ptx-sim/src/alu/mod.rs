//! Arithmetic on the lanes of a warp: each function computes all lanes at once, those that are switched off
//! included, and the executor keeps what it wants. Nothing here can fail.

pub(crate) mod bits;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod half;
pub(crate) mod int;
pub(crate) mod round;

/// Threads of a warp.
pub(crate) const LANES: usize = 32;

/// A register of all lanes; narrower values are zero-extended.
pub(crate) type Lanes = [u64; LANES];

/// A function of one value, and so on. The first argument tells the lanes whose result is looked at, for
/// functions that are so slow that they leave out the others.
pub(crate) type Fn1 = fn(u32, &mut Lanes, &Lanes);
pub(crate) type Fn2 = fn(u32, &mut Lanes, &Lanes, &Lanes);
pub(crate) type Fn3 = fn(u32, &mut Lanes, &Lanes, &Lanes, &Lanes);
/// A comparison; gives a mask of lanes.
pub(crate) type FnP = fn(&Lanes, &Lanes) -> u32;

macro_rules! fn1 {
    (|$a:ident| $body:expr) => {{
        fn lanes(_: u32, out: &mut $crate::alu::Lanes, x: &$crate::alu::Lanes) {
            for (out, x) in out.iter_mut().zip(x) {
                let $a = *x;
                *out = $body;
            }
        }
        lanes as $crate::alu::Fn1
    }};
}

macro_rules! fn2 {
    (|$a:ident, $b:ident| $body:expr) => {{
        fn lanes(_: u32, out: &mut $crate::alu::Lanes, x: &$crate::alu::Lanes, y: &$crate::alu::Lanes) {
            for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
                let ($a, $b) = (*x, *y);
                *out = $body;
            }
        }
        lanes as $crate::alu::Fn2
    }};
}

macro_rules! fn3 {
    (|$a:ident, $b:ident, $c:ident| $body:expr) => {{
        fn lanes(
            _: u32,
            out: &mut $crate::alu::Lanes,
            x: &$crate::alu::Lanes,
            y: &$crate::alu::Lanes,
            z: &$crate::alu::Lanes,
        ) {
            for (((out, x), y), z) in out.iter_mut().zip(x).zip(y).zip(z) {
                let ($a, $b, $c) = (*x, *y, *z);
                *out = $body;
            }
        }
        lanes as $crate::alu::Fn3
    }};
}

/// As `fn1` to `fn3`, for what is slow: lanes that nobody looks at are left out.
macro_rules! slow1 {
    (|$a:ident| $body:expr) => {{
        fn lanes(mask: u32, out: &mut $crate::alu::Lanes, x: &$crate::alu::Lanes) {
            for lane in $crate::alu::lanes_of(mask) {
                let $a = x[lane];
                out[lane] = $body;
            }
        }
        lanes as $crate::alu::Fn1
    }};
}

macro_rules! slow2 {
    (|$a:ident, $b:ident| $body:expr) => {{
        fn lanes(mask: u32, out: &mut $crate::alu::Lanes, x: &$crate::alu::Lanes, y: &$crate::alu::Lanes) {
            for lane in $crate::alu::lanes_of(mask) {
                let ($a, $b) = (x[lane], y[lane]);
                out[lane] = $body;
            }
        }
        lanes as $crate::alu::Fn2
    }};
}

macro_rules! slow3 {
    (|$a:ident, $b:ident, $c:ident| $body:expr) => {{
        fn lanes(
            mask: u32,
            out: &mut $crate::alu::Lanes,
            x: &$crate::alu::Lanes,
            y: &$crate::alu::Lanes,
            z: &$crate::alu::Lanes,
        ) {
            for lane in $crate::alu::lanes_of(mask) {
                let ($a, $b, $c) = (x[lane], y[lane], z[lane]);
                out[lane] = $body;
            }
        }
        lanes as $crate::alu::Fn3
    }};
}

pub(crate) use {fn1, fn2, fn3, slow1, slow2, slow3};

/// The lanes of a mask, in order.
pub(crate) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        Some(lane)
    })
}
