//! Operations on bits.

use super::{Fn1, Fn2, Fn3, fn1, fn2, fn3};
use crate::ty::Ty;

pub(crate) fn unary(name: &str, ty: Ty) -> Option<Fn1> {
    Some(match (name, ty) {
        ("popc", Ty::B32 | Ty::B64) => fn1!(|a| u64::from(a.count_ones())),
        ("clz", Ty::B32) => fn1!(|a| u64::from((a as u32).leading_zeros())),
        ("clz", Ty::B64) => fn1!(|a| u64::from(a.leading_zeros())),
        ("brev", Ty::B32) => fn1!(|a| u64::from((a as u32).reverse_bits())),
        ("brev", Ty::B64) => fn1!(|a| a.reverse_bits()),
        _ => return None,
    })
}

/// `bfind`: the highest bit that differs from the sign; with `.shiftamt` how far it is from the top.
pub(crate) fn find(ty: Ty, shift_amount: bool) -> Option<Fn1> {
    macro_rules! highest {
        ($a:expr, $bits:expr) => {{
            let a: u64 = $a;
            if a == 0 { 0xffff_ffff } else { u64::from(63 - a.leading_zeros()) }
        }};
    }
    macro_rules! distance {
        ($a:expr, $bits:expr) => {{
            let found: u64 = highest!($a, $bits);
            if found == 0xffff_ffff { found } else { $bits - 1 - found }
        }};
    }
    macro_rules! signed {
        ($a:expr, $t:ty, $u:ty) => {
            (if ($a as $t) < 0 { !($a as $u) } else { $a as $u }) as u64
        };
    }
    Some(match (ty, shift_amount) {
        (Ty::U32, false) => fn1!(|a| highest!(a, 32)),
        (Ty::U64, false) => fn1!(|a| highest!(a, 64)),
        (Ty::S32, false) => fn1!(|a| highest!(signed!(a, i32, u32), 32)),
        (Ty::S64, false) => fn1!(|a| highest!(signed!(a, i64, u64), 64)),
        (Ty::U32, true) => fn1!(|a| distance!(a, 32)),
        (Ty::U64, true) => fn1!(|a| distance!(a, 64)),
        (Ty::S32, true) => fn1!(|a| distance!(signed!(a, i32, u32), 32)),
        (Ty::S64, true) => fn1!(|a| distance!(signed!(a, i64, u64), 64)),
        _ => return None,
    })
}

/// `bfe`: (value, position, length).
pub(crate) fn extract(ty: Ty) -> Option<Fn3> {
    fn field(a: u64, position: u64, length: u64, bits: u64, signed: bool) -> u64 {
        let (position, length) = (position & 0xff, length & 0xff);
        let top = bits - 1;
        let sign_at = (position + length).saturating_sub(1).min(top);
        let sign = signed && length > 0 && a >> sign_at & 1 == 1;
        let below = position.min(63);
        let mut field = if position > top { 0 } else { a >> below };
        let kept = length.min((top + 1).saturating_sub(position));
        let mask = if kept >= 64 { u64::MAX } else { (1 << kept) - 1 };
        field &= mask;
        if sign {
            field |= !mask;
        }
        if bits == 32 { field & 0xffff_ffff } else { field }
    }
    Some(match ty {
        Ty::U32 => fn3!(|a, p, l| field(a, p, l, 32, false)),
        Ty::S32 => fn3!(|a, p, l| field(a, p, l, 32, true)),
        Ty::U64 => fn3!(|a, p, l| field(a, p, l, 64, false)),
        Ty::S64 => fn3!(|a, p, l| field(a, p, l, 64, true)),
        _ => return None,
    })
}

/// `bfi`: the low bits of `a` into `b`.
pub(crate) fn insert(a: u64, b: u64, position: u64, length: u64, bits: u64) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    if position >= bits || length == 0 {
        return b;
    }
    let length = length.min(bits - position);
    let mask = (if length >= 64 { u64::MAX } else { (1 << length) - 1 }) << position;
    let result = (b & !mask) | ((a << position) & mask);
    if bits == 32 { result & 0xffff_ffff } else { result }
}

/// `prmt` by its mode: (low word, high word, selector).
pub(crate) fn permute(mode: Option<&str>) -> Option<Fn3> {
    fn pick(a: u64, b: u64, which: u64) -> u64 {
        let all = (a & 0xffff_ffff) | b << 32;
        all >> (8 * (which & 7)) & 0xff
    }
    fn join(a: u64, b: u64, which: [u64; 4]) -> u64 {
        which.iter().enumerate().fold(0, |word, (byte, which)| word | pick(a, b, *which) << (8 * byte))
    }
    fn general(a: u64, b: u64, selector: u64) -> u64 {
        (0..4).fold(0, |word, byte| {
            let which = selector >> (4 * byte) & 0xf;
            let value = pick(a, b, which);
            let value = if which & 8 == 0 {
                value
            } else if value & 0x80 == 0 {
                0
            } else {
                0xff
            };
            word | value << (8 * byte)
        })
    }
    Some(match mode {
        None => fn3!(|a, b, c| general(a, b, c)),
        Some("f4e") => fn3!(|a, b, c| {
            let c = c & 3;
            join(a, b, [c, c + 1, c + 2, c + 3])
        }),
        Some("b4e") => fn3!(|a, b, c| {
            let c = c & 3;
            join(a, b, [c, (c + 7) & 7, (c + 6) & 7, (c + 5) & 7])
        }),
        Some("rc8") => fn3!(|a, b, c| join(a, b, [c & 3; 4])),
        Some("ecl") => fn3!(|a, b, c| {
            let c = c & 3;
            join(a, b, [c, c.max(1), c.max(2), 3])
        }),
        Some("ecr") => fn3!(|a, b, c| {
            let c = c & 3;
            join(a, b, [0, c.min(1), c.min(2), c])
        }),
        Some("rc16") => fn3!(|a, b, c| {
            let c = (c & 1) * 2;
            join(a, b, [c, c + 1, c, c + 1])
        }),
        Some(_) => return None,
    })
}

/// `shf`: (low word, high word, amount).
pub(crate) fn funnel(left: bool, clamp: bool) -> Fn3 {
    macro_rules! both {
        ($a:expr, $b:expr) => {
            (($a & 0xffff_ffff) | $b << 32)
        };
    }
    match (left, clamp) {
        (true, true) => fn3!(|a, b, c| both!(a, b) << (c as u32).min(32) >> 32),
        (true, false) => fn3!(|a, b, c| both!(a, b) << (c & 31) >> 32),
        (false, true) => fn3!(|a, b, c| both!(a, b) >> (c as u32).min(32) & 0xffff_ffff),
        (false, false) => fn3!(|a, b, c| both!(a, b) >> (c & 31) & 0xffff_ffff),
    }
}

/// `lop3`: the function of three bits that a table of eight bits gives.
pub(crate) fn logic(a: u64, b: u64, c: u64, table: u8) -> u64 {
    let mut result = 0;
    for row in 0..8u8 {
        if table >> row & 1 == 1 {
            let term = |value: u64, bit: u8| if row >> bit & 1 == 1 { value } else { !value };
            result |= term(a, 2) & term(b, 1) & term(c, 0);
        }
    }
    result & 0xffff_ffff
}

/// `bmsk`: ones from a position on.
pub(crate) fn mask(clamp: bool) -> Fn2 {
    fn ones(position: u32, length: u32) -> u64 {
        let ones = if length >= 32 { u32::MAX } else { (1 << length) - 1 };
        u64::from(ones.checked_shl(position).unwrap_or(0))
    }
    if clamp {
        fn2!(|a, b| ones(a as u32, b as u32))
    } else {
        fn2!(|a, b| ones(a as u32 & 31, b as u32 & 31))
    }
}

/// `dp4a`: products of bytes, and a sum; signedness of the first and of the second operand.
pub(crate) fn dot4(a_signed: bool, b_signed: bool) -> Fn3 {
    macro_rules! dot {
        ($t:ty, $u:ty) => {
            fn3!(|a, b, c| {
                let products = (0..4).map(|byte| {
                    let (x, y) = ((a >> (8 * byte)) as $t, (b >> (8 * byte)) as $u);
                    i32::from(x) * i32::from(y)
                });
                u64::from(products.fold(c as u32, |sum, product| sum.wrapping_add(product as u32)))
            })
        };
    }
    match (a_signed, b_signed) {
        (true, true) => dot!(i8, i8),
        (true, false) => dot!(i8, u8),
        (false, true) => dot!(u8, i8),
        (false, false) => dot!(u8, u8),
    }
}

/// `dp2a`: products of two halves with two bytes, and a sum.
pub(crate) fn dot2(a_signed: bool, b_signed: bool, high: bool) -> Fn3 {
    macro_rules! dot {
        ($t:ty, $u:ty, $shift:expr) => {
            fn3!(|a, b, c| {
                let products = (0..2).map(|part| {
                    let (x, y) = ((a >> (16 * part)) as $t, (b >> (8 * part + $shift)) as $u);
                    i32::from(x).wrapping_mul(i32::from(y))
                });
                u64::from(products.fold(c as u32, |sum, product| sum.wrapping_add(product as u32)))
            })
        };
    }
    match (a_signed, b_signed, high) {
        (true, true, false) => dot!(i16, i8, 0),
        (true, false, false) => dot!(i16, u8, 0),
        (false, true, false) => dot!(u16, i8, 0),
        (false, false, false) => dot!(u16, u8, 0),
        (true, true, true) => dot!(i16, i8, 16),
        (true, false, true) => dot!(i16, u8, 16),
        (false, true, true) => dot!(u16, i8, 16),
        (false, false, true) => dot!(u16, u8, 16),
    }
}

/// The sum of two values and a carry: (sum, carry out).
pub(crate) fn add_carry(a: u64, b: u64, carry: bool, bits: u32) -> (u64, bool) {
    let sum = u128::from(a) + u128::from(b) + u128::from(carry);
    let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    (sum as u64 & mask, sum >> bits != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alu::LANES;

    fn run3(f: Fn3, a: u64, b: u64, c: u64) -> u64 {
        let mut out = [0; LANES];
        f(u32::MAX, &mut out, &[a; LANES], &[b; LANES], &[c; LANES]);
        out[0]
    }

    fn run1(f: Option<Fn1>, a: u64) -> u64 {
        let mut out = [0; LANES];
        f.expect("there is one")(u32::MAX, &mut out, &[a; LANES]);
        out[0]
    }

    #[test]
    fn bits_are_found_and_counted() {
        assert_eq!(run1(find(Ty::U32, false), 0x10), 4);
        assert_eq!(run1(find(Ty::U32, true), 0x10), 27);
        assert_eq!(run1(find(Ty::S32, false), 0xffff_fff0), 3);
        assert_eq!(run1(find(Ty::S64, false), u64::MAX), 0xffff_ffff);
        assert_eq!(run1(unary("clz", Ty::B32), 1), 31);
        assert_eq!(run1(unary("brev", Ty::B32), 1), 1 << 31);
        assert_eq!(run1(unary("popc", Ty::B64), u64::MAX), 64);
    }

    #[test]
    fn fields_are_extracted_and_inserted() {
        let unsigned = extract(Ty::U32).expect("there is one");
        let signed = extract(Ty::S32).expect("there is one");
        assert_eq!(run3(unsigned, 0xabcd_1234, 8, 8), 0x12);
        assert_eq!(run3(signed, 0x0000_f000, 12, 4), 0xffff_ffff);
        assert_eq!(run3(signed, 0x8000_0000, 28, 20), 0xffff_fff8);
        assert_eq!(run3(unsigned, 0xffff_ffff, 40, 4), 0);
        assert_eq!(run3(signed, 0x8000_0000, 40, 4), 0xffff_ffff);
        assert_eq!(insert(0x5, 0xffff_ffff, 4, 4, 32), 0xffff_ff5f);
        assert_eq!(insert(u64::MAX, 0, 60, 64, 64), 0xf << 60);
    }

    #[test]
    fn bytes_are_permuted() {
        let general = permute(None).expect("there is one");
        assert_eq!(run3(general, 0x3322_1100, 0x7766_5544, 0x0123), 0x0011_2233);
        assert_eq!(run3(general, 0x0000_0080, 0, 0x8888), 0xffff_ffff);
        assert_eq!(
            run3(permute(Some("f4e")).expect("there is one"), 0x3322_1100, 0x7766_5544, 1),
            0x4433_2211
        );
        assert_eq!(run3(funnel(true, false), 0x8000_0000, 1, 1), 3);
        assert_eq!(run3(funnel(false, true), 1, 2, 32), 2);
    }

    #[test]
    fn tables_and_dots() {
        assert_eq!(logic(0b1100, 0b1010, 0xff, 0x80), 0b1000);
        assert_eq!(logic(0xf0, 0xcc, 0xaa, 0x96), 0xf0 ^ 0xcc ^ 0xaa);
        assert_eq!(run3(dot4(true, true), 0xff02_0304, 0x0101_0101, 10), 10 - 1 + 2 + 3 + 4);
        assert_eq!(run3(dot2(false, false, true), 0x0002_0003, 0x0504_0000, 1), 1 + 3 * 4 + 2 * 5);
        assert_eq!(add_carry(u64::MAX, 0, true, 64), (0, true));
        assert_eq!(add_carry(0xffff_ffff, 1, false, 32), (0, true));
    }
}
