//! Instructions that only move and compute values.

use super::access::sign_extend;
use super::frame::{Env, Frame};
use crate::alu::{LANES, Lanes, bits, convert, lanes_of};
use crate::code::{Combine, Dst, Flow, Op, Src};

/// What stopped an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Undefined {
    /// The source has undefined bits in these lanes.
    Source(Src, u32),
    /// A predicate has none in these lanes.
    Predicate(u32),
}

/// What an instruction came to.
pub(super) type Done = Result<bool, Undefined>;

/// Executes an instruction if it is of this kind.
#[inline]
pub(super) fn step(frame: &mut Frame, env: Env<'_>, op: &Op, act: u32, check: bool) -> Done {
    match op {
        Op::Mov { dst, src } => {
            if frame.defined(*src) & act == act {
                let value = *frame.value(env, *src);
                frame.put(*dst, &value, act);
            } else {
                copy(frame, env, *dst, *src, act);
            }
        }
        Op::Alu1 { f, dst, a, flow } => {
            let mut out = [0; LANES];
            f(act, &mut out, frame.value(env, *a));
            if frame.defined(*a) & act == act || !check {
                frame.put(*dst, &out, act);
            } else {
                let undefined = frame.undefined(*a);
                let bits = match flow {
                    Flow::Strict => return strict(frame, &[*a], act),
                    Flow::And | Flow::Or | Flow::Union => undefined,
                    Flow::Moves(_) => {
                        let mut bits = [0; LANES];
                        f(act, &mut bits, &undefined);
                        bits
                    }
                };
                frame.put_undefined(*dst, &out, &bits, act);
            }
        }
        Op::Alu2 { f, dst, a, b, flow } => {
            let mut out = [0; LANES];
            f(act, &mut out, frame.value(env, *a), frame.value(env, *b));
            if frame.defined(*a) & frame.defined(*b) & act == act || !check {
                frame.put(*dst, &out, act);
            } else {
                let (ua, ub) = (frame.undefined(*a), frame.undefined(*b));
                let (va, vb) = (frame.value(env, *a), frame.value(env, *b));
                let each = |f: &dyn Fn(usize) -> u64| std::array::from_fn(f);
                let bits: Lanes = match flow {
                    Flow::Strict => return strict(frame, &[*a, *b], act),
                    Flow::And => each(&|l| (ua[l] | ub[l]) & (va[l] | ua[l]) & (vb[l] | ub[l])),
                    Flow::Or => each(&|l| (ua[l] | ub[l]) & (!va[l] | ua[l]) & (!vb[l] | ub[l])),
                    Flow::Union => each(&|l| ua[l] | ub[l]),
                    Flow::Moves(_) => {
                        strict(frame, &[*b], act)?;
                        let mut bits = [0; LANES];
                        f(act, &mut bits, &ua, vb);
                        bits
                    }
                };
                frame.put_undefined(*dst, &out, &bits, act);
            }
        }
        Op::Alu3 { f, dst, a, b, c, flow } => {
            let mut out = [0; LANES];
            f(act, &mut out, frame.value(env, *a), frame.value(env, *b), frame.value(env, *c));
            if frame.defined(*a) & frame.defined(*b) & frame.defined(*c) & act == act || !check {
                frame.put(*dst, &out, act);
            } else {
                let Flow::Moves(data) = flow else { return strict(frame, &[*a, *b, *c], act) };
                let others = [*b, *c];
                strict(frame, &others[usize::from(*data) - 1..], act)?;
                let ua = frame.undefined(*a);
                let second = if *data == 1 { *frame.value(env, *b) } else { frame.undefined(*b) };
                let mut bits = [0; LANES];
                f(act, &mut bits, &ua, &second, frame.value(env, *c));
                frame.put_undefined(*dst, &out, &bits, act);
            }
        }
        Op::SetPred { f, dst, complement, a, b, combine } => {
            if frame.defined(*a) & frame.defined(*b) & act != act && check {
                return strict(frame, &[*a, *b], act);
            }
            let holds = f(frame.value(env, *a), frame.value(env, *b));
            let (yes, no) = match combine {
                None => (holds, !holds),
                Some((combine, with)) => {
                    let (with, defined) = frame.pred(*with);
                    if act & !defined != 0 && check {
                        return Err(Undefined::Predicate(act & !defined));
                    }
                    (combined(*combine, holds, with), combined(*combine, !holds, with))
                }
            };
            frame.put_pred(*dst, yes, act);
            if *complement != 0 {
                frame.put_pred(*complement, no, act);
            }
        }
        Op::Select { dst, a, b, by } => {
            let (by, defined) = frame.pred(*by);
            if act & !defined != 0 && check {
                return Err(Undefined::Predicate(act & !defined));
            }
            let (va, vb) = (frame.value(env, *a), frame.value(env, *b));
            let out = std::array::from_fn(|l| if by >> l & 1 == 1 { va[l] } else { vb[l] });
            if frame.defined(*a) & frame.defined(*b) & act == act {
                frame.put(*dst, &out, act);
            } else {
                let (ua, ub) = (frame.undefined(*a), frame.undefined(*b));
                let bits = std::array::from_fn(|l| if by >> l & 1 == 1 { ua[l] } else { ub[l] });
                frame.put_undefined(*dst, &out, &bits, act);
            }
        }
        Op::PredMove { dst, a } => {
            let (value, defined) = frame.pred(*a);
            frame.put_pred(*dst, value, act);
            frame.undefine_pred(*dst, act & !defined);
        }
        Op::PredLogic { op, dst, a, b } => {
            let ((va, da), (vb, db)) = (frame.pred(*a), frame.pred(*b));
            // An operand that decides the result hides the other one.
            let known = match op {
                Combine::And => da & db | da & !va | db & !vb,
                Combine::Or => da & db | da & va | db & vb,
                Combine::Xor => da & db,
            };
            frame.put_pred(*dst, combined(*op, va, vb), act);
            frame.undefine_pred(*dst, act & !known);
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
                frame.put_undefined(*dst, &value, &bits, act);
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
            frame.put_undefined(Dst(*slot), &value, &bits, act);
        }
        _ => return rare(frame, env, op, act, check),
    }
    Ok(true)
}

/// The instructions that are seldom.
fn rare(frame: &mut Frame, env: Env<'_>, op: &Op, act: u32, check: bool) -> Done {
    let need =
        |frame: &Frame, srcs: &[Src]| if check { strict(frame, srcs, act).map(|_| ()) } else { Ok(()) };
    match op {
        Op::Nop => {}
        Op::Insert { dst, a, b, position, length, bits: width } => {
            need(frame, &[*position, *length])?;
            let (position, length) = (*frame.value(env, *position), *frame.value(env, *length));
            let join = |a: &Lanes, b: &Lanes| -> Lanes {
                std::array::from_fn(|l| bits::insert(a[l], b[l], position[l], length[l], u64::from(*width)))
            };
            let out = join(frame.value(env, *a), frame.value(env, *b));
            let undefined = join(&frame.undefined(*a), &frame.undefined(*b));
            frame.put_undefined(*dst, &out, &undefined, act);
        }
        Op::Logic { dst, a, b, c, table } => {
            let [x, y, z] = [a, b, c].map(|src| frame.value(env, *src));
            let out = std::array::from_fn(|l| bits::logic(x[l], y[l], z[l], *table));
            let [x, y, z] = [a, b, c].map(|src| frame.undefined(*src));
            let undefined = std::array::from_fn(|l| (x[l] | y[l] | z[l]) & 0xffff_ffff);
            frame.put_undefined(*dst, &out, &undefined, act);
        }
        Op::Carry { dst, a, b, bits: width, subtract, carry_in, carry_out } => {
            need(frame, &[*a, *b])?;
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
            frame.put(*dst, &out, act);
            if *carry_out {
                frame.carry = (frame.carry & !act) | carries;
            }
        }
        Op::Convert { dst, a, conversion } => {
            let moves = convert::moves_bits(**conversion);
            let undefined = frame.undefined(*a).map(|bits| bits & conversion.from.mask());
            if !moves && check && lanes_of(act).any(|lane| undefined[lane] != 0) {
                return strict(frame, &[*a], act);
            }
            let value = *frame.value(env, *a);
            let mut out = [0; LANES];
            lanes_of(act).for_each(|lane| out[lane] = convert::convert(**conversion, value[lane]));
            let mut bits = [0; LANES];
            if moves {
                lanes_of(act).for_each(|lane| bits[lane] = convert::convert(**conversion, undefined[lane]));
            }
            frame.put_undefined(*dst, &out, &bits, act);
        }
        Op::Set { f, dst, a, b, combine, one } => {
            need(frame, &[*a, *b])?;
            let mut holds = f(frame.value(env, *a), frame.value(env, *b));
            if let Some((combine, with)) = combine {
                let (with, defined) = frame.pred(*with);
                if act & !defined != 0 && check {
                    return Err(Undefined::Predicate(act & !defined));
                }
                holds = combined(*combine, holds, with);
            }
            let out = std::array::from_fn(|l| if holds >> l & 1 == 1 { *one } else { 0 });
            frame.put(*dst, &out, act);
        }
        Op::Test { f, dst, a } => {
            need(frame, &[*a])?;
            let value = frame.value(env, *a);
            let holds = f(value, value);
            frame.put_pred(*dst, holds, act);
        }
        Op::SelectSign { dst, a, b, by, float } => {
            need(frame, &[*by])?;
            let by = *frame.value(env, *by);
            let first = |value: u64| {
                if *float { f32::from_bits(value as u32) >= 0.0 } else { (value as i32) >= 0 }
            };
            let pick = |a: &Lanes, b: &Lanes| -> Lanes {
                std::array::from_fn(|l| if first(by[l]) { a[l] } else { b[l] })
            };
            let out = pick(frame.value(env, *a), frame.value(env, *b));
            let undefined = pick(&frame.undefined(*a), &frame.undefined(*b));
            frame.put_undefined(*dst, &out, &undefined, act);
        }
        Op::Pack { dst, srcs, bits: width } => pack(frame, env, *dst, srcs, *width, act),
        Op::Unpack { dsts, src, bits: width } => unpack(frame, env, dsts, *src, *width, act),
        _ => return Ok(false),
    }
    Ok(true)
}

fn pack(frame: &mut Frame, env: Env<'_>, dst: [Dst; 2], srcs: &[Src], width: u32, act: u32) {
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
    for (dst, (value, undefined)) in dst.iter().zip(&words) {
        frame.put_undefined(*dst, value, undefined, act);
    }
}

fn unpack(frame: &mut Frame, env: Env<'_>, dsts: &[Dst], src: [Src; 2], width: u32, act: u32) {
    let per_word = (64 / width) as usize;
    let words = src.map(|src| (*frame.value(env, src), frame.undefined(src)));
    for (index, dst) in dsts.iter().enumerate() {
        let (value, undefined) = &words[(index / per_word).min(1)];
        let shift = (index % per_word) as u32 * width;
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let cut = |lanes: &Lanes| lanes.map(|lane| lane >> shift & mask);
        frame.put_undefined(*dst, &cut(value), &cut(undefined), act);
    }
}

fn copy(frame: &mut Frame, env: Env<'_>, dst: Dst, src: Src, act: u32) {
    let value = *frame.value(env, src);
    let undefined = frame.undefined(src);
    frame.put_undefined(dst, &value, &undefined, act);
}

fn combined(combine: Combine, a: u32, b: u32) -> u32 {
    match combine {
        Combine::And => a & b,
        Combine::Or => a | b,
        Combine::Xor => a ^ b,
    }
}

/// All sources must be wholly defined.
fn strict(frame: &Frame, srcs: &[Src], act: u32) -> Done {
    for src in srcs {
        let missing = act & !frame.defined(*src);
        if missing != 0 {
            return Err(Undefined::Source(*src, missing));
        }
    }
    Ok(true)
}
