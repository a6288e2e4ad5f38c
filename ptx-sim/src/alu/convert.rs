//! Conversions.

use super::half::{bf16_of, f16_of, to_bf16, to_f16};
use super::round::{self, Mode};
use super::{Fn1, fn1};
use crate::ty::{Class, Ty};

/// A conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Conversion {
    pub(crate) to: Ty,
    pub(crate) from: Ty,
    /// `rni` and the like round to whole numbers.
    pub(crate) mode: Option<Mode>,
    pub(crate) whole: bool,
    pub(crate) ftz: bool,
    pub(crate) sat: bool,
    /// Width of the register that receives the result.
    pub(crate) register_bits: u32,
}

/// The conversions that programs do all the time, without a decision per lane.
pub(crate) fn fast(conversion: Conversion) -> Option<Fn1> {
    let Conversion { to, from, sat, ftz, register_bits, .. } = conversion;
    let plain = to.is_int() && from.is_int() && !sat && register_bits == to.bits().max(register_bits.min(32));
    if plain && register_bits == to.bits() {
        return Some(match (to.bits(), from) {
            (64, Ty::U32 | Ty::B32) => fn1!(|a| a & 0xffff_ffff),
            (64, Ty::S32) => fn1!(|a| a as i32 as i64 as u64),
            (32, Ty::U64 | Ty::S64 | Ty::B64 | Ty::U32 | Ty::S32 | Ty::B32) => fn1!(|a| a & 0xffff_ffff),
            (32, Ty::U8 | Ty::B8) => fn1!(|a| a & 0xff),
            (32, Ty::S8) => fn1!(|a| a as i8 as u32 as u64),
            (32, Ty::U16 | Ty::B16) => fn1!(|a| a & 0xffff),
            (32, Ty::S16) => fn1!(|a| a as i16 as u32 as u64),
            _ => return None,
        });
    }
    let nearest = matches!(conversion.mode, None | Some(Mode::Nearest)) && !conversion.whole && !sat && !ftz;
    Some(match (to, from) {
        (Ty::F64, Ty::S32) if nearest => fn1!(|a| f64::from(a as i32).to_bits()),
        (Ty::F64, Ty::U32) if nearest => fn1!(|a| f64::from(a as u32).to_bits()),
        (Ty::F64, Ty::F32) if nearest => fn1!(|a| f64::from(f32::from_bits(a as u32)).to_bits()),
        (Ty::F32, Ty::F64) if nearest => fn1!(|a| {
            let value = f64::from_bits(a) as f32;
            u64::from(if value.is_nan() { 0x7fff_ffff } else { value.to_bits() })
        }),
        (Ty::F32, Ty::S32) if nearest => fn1!(|a| u64::from((a as i32 as f32).to_bits())),
        _ => return None,
    })
}

/// Whether bits of the result stem from the same bits of the operand: a conversion between integers.
pub(crate) fn moves_bits(conversion: Conversion) -> bool {
    conversion.to.is_int() && conversion.from.is_int() && !conversion.sat
}

fn integer(bits: u64, ty: Ty) -> i128 {
    let cut = bits & ty.mask();
    if ty.is_signed() {
        let shift = 64 - ty.bits();
        i128::from(((cut << shift) as i64) >> shift)
    } else {
        i128::from(cut)
    }
}

fn limits(ty: Ty) -> (i128, i128) {
    if ty.is_signed() {
        (-(1 << (ty.bits() - 1)), (1 << (ty.bits() - 1)) - 1)
    } else {
        (0, i128::from(ty.mask()))
    }
}

fn real(bits: u64, from: Ty, ftz: bool) -> f64 {
    match from {
        Ty::F64 => f64::from_bits(bits),
        Ty::F32 => {
            let value = f32::from_bits(bits as u32);
            f64::from(if ftz && value.is_subnormal() { 0.0f32.copysign(value) } else { value })
        }
        Ty::Bf16 => f64::from(bf16_of(bits)),
        _ => f64::from(f16_of(bits)),
    }
}

fn real_bits(value: f64, to: Ty, mode: Mode, ftz: bool, sat: bool) -> u64 {
    let value = if sat { super::float::unit(value) } else { value };
    match to {
        Ty::F64 => value.to_bits(),
        Ty::F32 => {
            let narrow = round::narrow(value, 0.0, mode);
            let narrow = if ftz && narrow.is_subnormal() { 0.0f32.copysign(narrow) } else { narrow };
            u64::from(if narrow.is_nan() { 0x7fff_ffff } else { narrow.to_bits() })
        }
        Ty::Bf16 => to_bf16(value, mode),
        _ => to_f16(value, mode),
    }
}

/// An integer in a register: sign-extended or zero-extended from its type to the register.
fn extended(value: i128, to: Ty, register_bits: u32) -> u64 {
    let bits = value as u64 & to.mask();
    let wide = if to.is_signed() { integer(bits, to) as u64 } else { bits };
    if register_bits >= 64 { wide } else { wide & ((1 << register_bits) - 1) }
}

/// Any conversion of one value.
pub(crate) fn convert(conversion: Conversion, bits: u64) -> u64 {
    let Conversion { to, from, mode, whole, ftz, sat, register_bits } = conversion;
    let rounding = mode.unwrap_or(Mode::Nearest);
    match (from.class() == Class::Float, to.class() == Class::Float) {
        (false, false) => {
            let value = integer(bits, from);
            let (least, most) = limits(to);
            extended(if sat { value.clamp(least, most) } else { value }, to, register_bits)
        }
        (false, true) => {
            let value = integer(bits, from);
            match to {
                Ty::F64 => round::int64(value, rounding).to_bits(),
                Ty::F32 => {
                    let value = round::int32(value, rounding);
                    u64::from(if sat { value.clamp(0.0, 1.0) } else { value }.to_bits())
                }
                // More than 53 bits overflow a half, whatever is lost on the way.
                _ => real_bits(value as f64, to, rounding, false, sat),
            }
        }
        (true, false) => {
            let value = real(bits, from, ftz);
            let (least, most) = limits(to);
            if value.is_nan() {
                // 32-bit results are 0, 64-bit results the top bit.
                let wide = to.bits() == 64 && from != Ty::F32;
                return if wide { 1 << 63 } else { 0 };
            }
            let rounded = round::whole(value, mode.unwrap_or(Mode::Zero));
            // The cast clamps to 128 bits.
            extended((rounded as i128).clamp(least, most), to, register_bits)
        }
        (true, true) => {
            let value = real(bits, from, ftz);
            let value = if whole { round::whole(value, rounding) } else { value };
            real_bits(value, to, rounding, ftz, sat)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alu::LANES;

    fn conversion(to: Ty, from: Ty) -> Conversion {
        let register_bits = to.bits().max(16);
        Conversion { to, from, mode: None, whole: false, ftz: false, sat: false, register_bits }
    }

    #[test]
    fn integers_are_cut_extended_and_clamped() {
        let c = conversion(Ty::S64, Ty::S32);
        assert_eq!(convert(c, 0xffff_ffff), u64::MAX);
        let c = Conversion { sat: true, ..conversion(Ty::U16, Ty::S32) };
        assert_eq!(convert(c, (-5i32) as u32 as u64), 0);
        assert_eq!(convert(c, 70000), 65535);
        let c = Conversion { register_bits: 32, ..conversion(Ty::S8, Ty::S32) };
        assert_eq!(convert(c, 0x80), 0xffff_ff80);
    }

    #[test]
    fn floats_become_integers_by_their_mode() {
        let c = |mode| Conversion { mode: Some(mode), whole: true, ..conversion(Ty::S32, Ty::F64) };
        assert_eq!(convert(c(Mode::Zero), (-1.5f64).to_bits()), (-1i32) as u32 as u64);
        assert_eq!(convert(c(Mode::Nearest), 2.5f64.to_bits()), 2);
        assert_eq!(convert(c(Mode::Down), (-1.5f64).to_bits()), (-2i32) as u32 as u64);
        assert_eq!(convert(c(Mode::Zero), 1e20f64.to_bits()), 0x7fff_ffff);
        assert_eq!(convert(c(Mode::Zero), f64::NAN.to_bits()), 0);
    }

    #[test]
    fn fast_ways_agree_with_the_slow_one() {
        let all = [Ty::U8, Ty::S8, Ty::U16, Ty::S16, Ty::U32, Ty::S32, Ty::U64, Ty::S64, Ty::F32, Ty::F64];
        let values = [0u64, 1, 0x7f, 0x80, 0xffff, 0x8000_0000, 0x3fc0_0000, u64::MAX, 1.5f64.to_bits()];
        let mut tested = 0;
        for to in all {
            for from in all {
                let c = conversion(to, from);
                let Some(f) = fast(c) else { continue };
                for value in values.map(|value| value & from.mask()) {
                    let mut out = [0; LANES];
                    f(1, &mut out, &[value; LANES]);
                    assert_eq!(out[0], convert(c, value), "{to} {from} {value:x}");
                    tested += 1;
                }
            }
        }
        assert!(tested > 100);
    }
}
