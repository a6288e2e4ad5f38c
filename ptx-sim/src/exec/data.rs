//! Instructions that only move and compute values.
//!
//! Values that nobody set go where their copies go, bit by bit; what is computed from them has no value at
//! all. None of that is a mistake here: see [`crate::origin`].

use super::access::sign_extend;
use super::frame::{Env, Frame};
use crate::alu::FnP;
use crate::alu::{LANES, Lanes, bits, convert, lanes_of};
use crate::code::{Combine, Dst, Flow, Op, PredSrc, Src};
use crate::origin::{LaneOrigins, Origin};
use crate::origins::Follow;

/// Executes an instruction if it is of this kind; tells whether it is.
#[inline]
pub(super) fn step(frame: &mut Frame, env: Env<'_>, op: &Op, act: u32, follow: &mut Follow<'_>) -> bool {
    match op {
        Op::Mov { dst, src } => {
            if frame.defined(*src) & act == act {
                let value = *frame.value(env, *src);
                frame.put(*dst, &value, act);
            } else {
                copy(frame, env, *dst, *src, act, follow);
            }
        }
        Op::Alu1 { f, dst, a, flow } => {
            let mut out = [0; LANES];
            f(act, &mut out, frame.value(env, *a));
            if frame.defined(*a) & act == act || !follow.check {
                frame.put(*dst, &out, act);
            } else {
                let undefined = frame.undefined(*a);
                let bits = match flow {
                    Flow::Computes => return computed(frame, *dst, &out, &[*a], act, follow),
                    Flow::And | Flow::Or | Flow::Union => undefined,
                    Flow::Moves(_) => {
                        let mut bits = [0; LANES];
                        f(act, &mut bits, &undefined);
                        bits
                    }
                };
                moved(frame, *dst, &out, &bits, &[*a], act, follow);
            }
        }
        Op::Alu2 { f, dst, a, b, flow } => {
            let mut out = [0; LANES];
            f(act, &mut out, frame.value(env, *a), frame.value(env, *b));
            if frame.defined(*a) & frame.defined(*b) & act == act || !follow.check {
                frame.put(*dst, &out, act);
            } else {
                let (ua, ub) = (frame.undefined(*a), frame.undefined(*b));
                let (va, vb) = (frame.value(env, *a), frame.value(env, *b));
                let each = |f: &dyn Fn(usize) -> u64| std::array::from_fn(f);
                let bits: Lanes = match flow {
                    Flow::And => each(&|l| (ua[l] | ub[l]) & (va[l] | ua[l]) & (vb[l] | ub[l])),
                    Flow::Or => each(&|l| (ua[l] | ub[l]) & (!va[l] | ua[l]) & (!vb[l] | ub[l])),
                    Flow::Union => each(&|l| ua[l] | ub[l]),
                    Flow::Moves(_) if frame.defined(*b) & act == act => {
                        let mut bits = [0; LANES];
                        f(act, &mut bits, &ua, vb);
                        bits
                    }
                    Flow::Computes | Flow::Moves(_) => {
                        return computed(frame, *dst, &out, &[*a, *b], act, follow);
                    }
                };
                moved(frame, *dst, &out, &bits, &[*a, *b], act, follow);
            }
        }
        Op::Alu3 { f, dst, a, b, c, flow } => {
            let mut out = [0; LANES];
            f(act, &mut out, frame.value(env, *a), frame.value(env, *b), frame.value(env, *c));
            if frame.defined(*a) & frame.defined(*b) & frame.defined(*c) & act == act || !follow.check {
                frame.put(*dst, &out, act);
            } else {
                let operands = [*a, *b, *c];
                let Flow::Moves(data) = flow else {
                    return computed(frame, *dst, &out, &operands, act, follow);
                };
                if operands[usize::from(*data)..].iter().any(|src| frame.defined(*src) & act != act) {
                    return computed(frame, *dst, &out, &operands, act, follow);
                }
                let ua = frame.undefined(*a);
                let second = if *data == 1 { *frame.value(env, *b) } else { frame.undefined(*b) };
                let mut bits = [0; LANES];
                f(act, &mut bits, &ua, &second, frame.value(env, *c));
                moved(frame, *dst, &out, &bits, &operands[..usize::from(*data)], act, follow);
            }
        }
        Op::SetPred { f, dst, complement, a, b, combine } => {
            let compared = compare(frame, env, *f, [*a, *b], *combine, act, follow);
            frame.put_pred(*dst, compared.yes, act);
            frame.undefine_pred(*dst, act & compared.undef_yes, &compared.origins);
            if *complement != 0 {
                frame.put_pred(*complement, compared.no, act);
                frame.undefine_pred(*complement, act & compared.undef_no, &compared.origins);
            }
        }
        Op::Select { dst, a, b, by } => {
            let (holds, defined) = frame.pred(*by);
            let (va, vb) = (frame.value(env, *a), frame.value(env, *b));
            let out = std::array::from_fn(|l| if holds >> l & 1 == 1 { va[l] } else { vb[l] });
            if frame.defined(*a) & frame.defined(*b) & defined & act == act || !follow.check {
                frame.put(*dst, &out, act);
            } else {
                select(frame, env, op, &out, act, follow);
            }
        }
        Op::PredMove { dst, a } => {
            let (value, defined) = frame.pred(*a);
            let origins = pred_origins(frame, &[*a], act & !defined, follow);
            frame.put_pred(*dst, value, act);
            frame.undefine_pred(*dst, act & !defined, &origins);
        }
        Op::PredLogic { op, dst, a, b } => {
            let ((va, da), (vb, db)) = (frame.pred(*a), frame.pred(*b));
            let known = known(*op, (va, da), (vb, db));
            let origins = pred_origins(frame, &[*a, *b], act & !known, follow);
            frame.put_pred(*dst, combined(*op, va, vb), act);
            frame.undefine_pred(*dst, act & !known, &origins);
        }
        Op::LoadSlot { dst, slot, shift, bytes, signed_to } => {
            let mask = if *bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
            let cut = |value: u64| match signed_to {
                Some(bits) => sign_extend(value >> shift & mask, *bytes, *bits),
                None => value >> shift & mask,
            };
            let value = frame.regs[*slot as usize].map(cut);
            let src = Src::slot(*slot);
            if frame.defined(src) & act == act {
                frame.put(*dst, &value, act);
            } else {
                let bits = frame.undefined(src).map(cut);
                moved(frame, *dst, &value, &bits, &[src], act, follow);
            }
        }
        Op::StoreSlot { src, slot, shift, bytes } => {
            let mask = if *bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 } << shift;
            let merge = |old: &Lanes, new: &Lanes| -> Lanes {
                std::array::from_fn(|l| (old[l] & !mask) | (new[l] << shift) & mask)
            };
            let target = Src::slot(*slot);
            let value = merge(&frame.regs[*slot as usize], frame.value(env, *src));
            let bits = merge(&frame.undefined(target), &frame.undefined(*src));
            moved(frame, Dst(*slot), &value, &bits, &[*src, target], act, follow);
        }
        _ => return rare(frame, env, op, act, follow),
    }
    true
}

/// The instructions that are seldom.
fn rare(frame: &mut Frame, env: Env<'_>, op: &Op, act: u32, follow: &mut Follow<'_>) -> bool {
    match op {
        Op::Nop => {}
        Op::Insert { dst, a, b, position, length, bits: width } => {
            let (from, count) = (*frame.value(env, *position), *frame.value(env, *length));
            let join = |a: &Lanes, b: &Lanes| -> Lanes {
                std::array::from_fn(|l| bits::insert(a[l], b[l], from[l], count[l], u64::from(*width)))
            };
            let out = join(frame.value(env, *a), frame.value(env, *b));
            if frame.defined(*position) & frame.defined(*length) & act != act && follow.check {
                return computed(frame, *dst, &out, &[*a, *b, *position, *length], act, follow);
            }
            let undefined = join(&frame.undefined(*a), &frame.undefined(*b));
            moved(frame, *dst, &out, &undefined, &[*a, *b], act, follow);
        }
        Op::Logic { dst, a, b, c, table } => {
            let srcs = [*a, *b, *c];
            let [x, y, z] = srcs.map(|src| frame.value(env, src));
            let out = std::array::from_fn(|l| bits::logic(x[l], y[l], z[l], *table));
            let [x, y, z] = srcs.map(|src| frame.undefined(src));
            let undefined = std::array::from_fn(|l| (x[l] | y[l] | z[l]) & 0xffff_ffff);
            moved(frame, *dst, &out, &undefined, &srcs, act, follow);
        }
        Op::Carry { .. } => carry(frame, env, op, act, follow),
        Op::Convert { dst, a, conversion } => {
            let undefined = frame.undefined(*a).map(|bits| bits & conversion.from.mask());
            let value = *frame.value(env, *a);
            let mut out = [0; LANES];
            lanes_of(act).for_each(|lane| out[lane] = convert::convert(**conversion, value[lane]));
            if lanes_of(act).all(|lane| undefined[lane] == 0) {
                frame.put(*dst, &out, act);
                return true;
            }
            if !convert::moves_bits(**conversion) {
                return computed(frame, *dst, &out, &[*a], act, follow);
            }
            let mut bits = [0; LANES];
            lanes_of(act).for_each(|lane| bits[lane] = convert::convert(**conversion, undefined[lane]));
            moved(frame, *dst, &out, &bits, &[*a], act, follow);
        }
        Op::Set { f, dst, a, b, combine, one } => {
            let compared = compare(frame, env, *f, [*a, *b], *combine, act, follow);
            let out = std::array::from_fn(|l| if compared.yes >> l & 1 == 1 { *one } else { 0 });
            let bits = std::array::from_fn(|l| if compared.undef_yes >> l & 1 == 1 { u64::MAX } else { 0 });
            frame.put_undefined(*dst, &out, (&bits, &compared.origins), act);
        }
        Op::Test { f, dst, a } => {
            let compared = compare(frame, env, *f, [*a, *a], None, act, follow);
            frame.put_pred(*dst, compared.yes, act);
            frame.undefine_pred(*dst, act & compared.undef_yes, &compared.origins);
        }
        Op::SelectSign { dst, a, b, by, float } => {
            let sign = *frame.value(env, *by);
            let first = |value: u64| {
                if *float { f32::from_bits(value as u32) >= 0.0 } else { (value as i32) >= 0 }
            };
            let pick = |a: &Lanes, b: &Lanes| -> Lanes {
                std::array::from_fn(|l| if first(sign[l]) { a[l] } else { b[l] })
            };
            let out = pick(frame.value(env, *a), frame.value(env, *b));
            if frame.defined(*by) & act != act && follow.check {
                return computed(frame, *dst, &out, &[*a, *b, *by], act, follow);
            }
            let undefined = pick(&frame.undefined(*a), &frame.undefined(*b));
            moved(frame, *dst, &out, &undefined, &[*a, *b], act, follow);
        }
        Op::Pack { dst, srcs, bits: width } => pack(frame, env, *dst, srcs, *width, act, follow),
        Op::Unpack { dsts, src, bits: width } => unpack(frame, env, dsts, *src, *width, act, follow),
        _ => return false,
    }
    true
}

fn carry(frame: &mut Frame, env: Env<'_>, op: &Op, act: u32, follow: &mut Follow<'_>) {
    let Op::Carry { dst, a, b, bits: width, subtract, carry_in, carry_out } = op else { return };
    let (x, y) = (*frame.value(env, *a), *frame.value(env, *b));
    let mut out = [0; LANES];
    let mut carries = 0u32;
    for lane in lanes_of(act) {
        let carry = *carry_in && frame.carry >> lane & 1 == 1;
        let mask = if *width == 64 { u64::MAX } else { (1 << width) - 1 };
        // A borrow is the complement of the carry.
        let (sum, carry) = if *subtract {
            let (sum, out) = bits::add_carry(x[lane], !y[lane] & mask, !carry, *width);
            (sum, !out)
        } else {
            bits::add_carry(x[lane], y[lane], carry, *width)
        };
        out[lane] = sum;
        carries |= u32::from(carry) << lane;
    }
    let from_carry = if *carry_in { frame.carry_undef & act } else { 0 };
    let undef = (act & !(frame.defined(*a) & frame.defined(*b)) | from_carry) * u32::from(follow.check);
    let mut origins = source_origins(frame, &[*a, *b], undef & !from_carry, follow);
    lanes_of(from_carry).for_each(|lane| origins[lane] = frame.carry_origins[lane]);
    let bits = std::array::from_fn(|lane| if undef >> lane & 1 == 1 { u64::MAX } else { 0 });
    origins = origins.map(Origin::computed);
    frame.put_undefined(*dst, &out, (&bits, &origins), act);
    if *carry_out {
        frame.carry = (frame.carry & !act) | carries;
        frame.carry_undef = (frame.carry_undef & !act) | undef;
        lanes_of(undef).for_each(|lane| frame.carry_origins[lane] = origins[lane]);
    }
}

fn pack(
    frame: &mut Frame,
    env: Env<'_>,
    dst: [Dst; 2],
    srcs: &[Src],
    width: u32,
    act: u32,
    follow: &mut Follow<'_>,
) {
    let per_word = (64 / width) as usize;
    let words: Vec<(Lanes, Lanes)> = srcs
        .chunks(per_word)
        .map(|chunk| {
            let (mut value, mut undefined) = ([0; LANES], [0; LANES]);
            for (index, src) in chunk.iter().enumerate() {
                let shift = index as u32 * width;
                let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
                let (v, u) = (frame.value(env, *src), frame.undefined(*src));
                for lane in 0..LANES {
                    value[lane] |= (v[lane] & mask) << shift;
                    undefined[lane] |= (u[lane] & mask) << shift;
                }
            }
            (value, undefined)
        })
        .collect();
    let origins = source_origins(frame, srcs, act, follow);
    for (dst, (value, undefined)) in dst.iter().zip(&words) {
        frame.put_undefined(*dst, value, (undefined, &origins), act);
    }
}

fn unpack(
    frame: &mut Frame,
    env: Env<'_>,
    dsts: &[Dst],
    src: [Src; 2],
    width: u32,
    act: u32,
    follow: &mut Follow<'_>,
) {
    let per_word = (64 / width) as usize;
    let origins = source_origins(frame, &src, act, follow);
    let words = src.map(|src| (*frame.value(env, src), frame.undefined(src)));
    for (index, dst) in dsts.iter().enumerate() {
        let (value, undefined) = &words[(index / per_word).min(1)];
        let shift = (index % per_word) as u32 * width;
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let cut = |lanes: &Lanes| lanes.map(|lane| lane >> shift & mask);
        frame.put_undefined(*dst, &cut(value), (&cut(undefined), &origins), act);
    }
}

fn copy(frame: &mut Frame, env: Env<'_>, dst: Dst, src: Src, act: u32, follow: &mut Follow<'_>) {
    let value = *frame.value(env, src);
    let undefined = frame.undefined(src);
    moved(frame, dst, &value, &undefined, &[src], act, follow);
}

/// `selp` of what is not all defined. Who selects between equal values does not depend on the predicate.
#[cold]
fn select(frame: &mut Frame, env: Env<'_>, op: &Op, out: &Lanes, act: u32, follow: &mut Follow<'_>) {
    let Op::Select { dst, a, b, by } = op else { return };
    let (holds, defined) = frame.pred(*by);
    let (va, vb) = (frame.value(env, *a), frame.value(env, *b));
    let (ua, ub) = (frame.undefined(*a), frame.undefined(*b));
    let unknown =
        lanes_of(act & !defined).filter(|lane| (va[*lane], 0, 0) != (vb[*lane], ua[*lane], ub[*lane]));
    let unknown = unknown.fold(0, |mask, lane| mask | 1 << lane);
    let bits = std::array::from_fn(|l| match (unknown >> l & 1, holds >> l & 1) {
        (1, _) => u64::MAX,
        (_, 1) => ua[l],
        _ => ub[l],
    });
    let mut origins = source_origins(frame, &[*a], act & holds, follow);
    let others = source_origins(frame, &[*b], act & !holds, follow);
    lanes_of(act & !holds).for_each(|lane| origins[lane] = others[lane]);
    let by = pred_origins(frame, &[*by], unknown, follow);
    lanes_of(unknown).for_each(|lane| origins[lane] = by[lane].computed());
    frame.put_undefined(*dst, out, (&bits, &origins), act);
}

/// A comparison in all lanes.
struct Compared {
    yes: u32,
    no: u32,
    /// Lanes where the result is open, and where the complement is.
    undef_yes: u32,
    undef_no: u32,
    origins: LaneOrigins,
}

fn compare(
    frame: &Frame,
    env: Env<'_>,
    f: FnP,
    [a, b]: [Src; 2],
    combine: Option<(Combine, PredSrc)>,
    act: u32,
    follow: &mut Follow<'_>,
) -> Compared {
    let holds = f(frame.value(env, a), frame.value(env, b));
    let defined = if follow.check { frame.defined(a) & frame.defined(b) } else { u32::MAX };
    let mut compared = Compared {
        yes: holds,
        no: !holds,
        undef_yes: act & !defined,
        undef_no: act & !defined,
        origins: [Origin::UNREAD; LANES],
    };
    if act & !defined != 0 {
        compared.origins = source_origins(frame, &[a, b], act & !defined, follow).map(Origin::computed);
    }
    let Some((combine, with)) = combine else { return compared };
    let (value, with_defined) = frame.pred(with);
    compared.yes = combined(combine, holds, value);
    compared.no = combined(combine, !holds, value);
    compared.undef_yes = act & !known(combine, (holds, defined), (value, with_defined));
    compared.undef_no = act & !known(combine, (!holds, defined), (value, with_defined));
    let by_with = (compared.undef_yes | compared.undef_no) & defined;
    if by_with != 0 {
        let origins = pred_origins(frame, &[with], by_with, follow);
        lanes_of(by_with).for_each(|lane| compared.origins[lane] = origins[lane]);
    }
    compared
}

fn combined(combine: Combine, a: u32, b: u32) -> u32 {
    match combine {
        Combine::And => a & b,
        Combine::Or => a | b,
        Combine::Xor => a ^ b,
    }
}

/// The lanes where a combination of predicates, each with the lanes where it is defined, has a value: an
/// operand that decides the result hides the other one.
fn known(combine: Combine, (a, a_defined): (u32, u32), (b, b_defined): (u32, u32)) -> u32 {
    let both = a_defined & b_defined;
    match combine {
        Combine::And => both | a_defined & !a | b_defined & !b,
        Combine::Or => both | a_defined & a | b_defined & b,
        Combine::Xor => both,
    }
}

/// Where values come from that an instruction reads: of the first source that lacks one.
fn source_origins(frame: &Frame, srcs: &[Src], lanes: u32, follow: &mut Follow<'_>) -> LaneOrigins {
    let mut origins = [Origin::UNREAD; LANES];
    for lane in lanes_of(lanes) {
        if let Some(src) = srcs.iter().find(|src| frame.undefined_bits(**src, lane) != 0) {
            origins[lane] = follow.read(frame.origin(*src, lane));
        }
    }
    origins
}

/// As `source_origins`, of predicates.
fn pred_origins(frame: &Frame, srcs: &[PredSrc], lanes: u32, follow: &mut Follow<'_>) -> LaneOrigins {
    let mut origins = [Origin::UNREAD; LANES];
    for lane in lanes_of(lanes) {
        if let Some(src) = srcs.iter().find(|src| frame.pred(**src).1 >> lane & 1 == 0) {
            origins[lane] = follow.read(frame.pred_origin(*src, lane));
        }
    }
    origins
}

/// Writes what instructions that move bits make of sources.
pub(super) fn moved(
    frame: &mut Frame,
    dst: Dst,
    value: &Lanes,
    undefined: &Lanes,
    srcs: &[Src],
    act: u32,
    follow: &mut Follow<'_>,
) {
    let lanes = lanes_of(act).filter(|lane| undefined[*lane] != 0).fold(0, |mask, lane| mask | 1 << lane);
    if lanes == 0 {
        frame.put(dst, value, act);
        return;
    }
    let origins = source_origins(frame, srcs, lanes, follow);
    frame.put_undefined(dst, value, (undefined, &origins), act);
}

/// Writes what is computed from sources: it has no value where one of them lacks a bit.
#[cold]
fn computed(
    frame: &mut Frame,
    dst: Dst,
    value: &Lanes,
    srcs: &[Src],
    act: u32,
    follow: &mut Follow<'_>,
) -> bool {
    let lanes =
        srcs.iter().fold(0, |lanes, src| lanes | act & !frame.defined(*src)) * u32::from(follow.check);
    let origins = source_origins(frame, srcs, lanes, follow).map(Origin::computed);
    let undefined = std::array::from_fn(|lane| if lanes >> lane & 1 == 1 { u64::MAX } else { 0 });
    frame.put_undefined(dst, value, (&undefined, &origins), act);
    true
}
