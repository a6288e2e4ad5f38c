//! Subscripts that come again: `w[i % 16]`.
//!
//! ```text
//!     before:  i < n?  yes: w[i % 4] = a[i]; i++; again
//!     after:   i < n?  yes: w[0] = a[i]; i++
//!              i < n?  yes: w[1] = a[i]; i++ ... w[3] = a[i]; i++; again     no, anywhere: exit
//! ```
//!
//! The loop stays, of any number of iterations, and its body stands there as often as the period is long,
//! each time behind a test of its own, unless the period divides the number of iterations.

use super::counter::Counter;
use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::Liveness;
use crate::analysis::sums::gcd;
use crate::edit::clone::BlockCopies;
use crate::edit::rename::Rename;
use crate::entities::{Block, Local, Loop};
use crate::function::Body;
use crate::op::{BinaryOp, Class, CmpOp, ConvertOp, Op, Operand, Terminator, last_definition};

/// Longest period.
const LONGEST: i64 = 64;

/// Most iterations that are counted.
const MOST_TIMES: usize = 4096;

/// A remainder of a loop's counter.
#[derive(Clone, Copy)]
struct Remainder {
    dst: Local,
    /// What is added to the counter before.
    plus: i64,
    divisor: i64,
}

/// How many iterations it takes until what an operation of a loop's body, the one with this number in a
/// block, makes of the counter comes again: a remainder.
pub(super) fn period(body: &Body, loop_: Loop, counter: &Counter, block: Block, at: usize) -> Option<i64> {
    let remainder = Remainder::of(body, loop_, counter, block, at)?;
    let times = remainder.divisor / gcd(remainder.divisor, counter.step);
    (times <= LONGEST).then_some(times)
}

/// A number of iterations after which both of two remainders come again, if it is small.
pub(super) fn common(a: i64, b: i64) -> Option<i64> {
    let both = a.max(1) * (b / gcd(a.max(1), b));
    (both <= LONGEST).then_some(both)
}

impl Remainder {
    fn of(body: &Body, loop_: Loop, counter: &Counter, block: Block, at: usize) -> Option<Remainder> {
        // The counter's next value is the latch's.
        let (Operand::Int(_, first), true) = (counter.first, block != body.loops[loop_].latch) else {
            return None;
        };
        let insts = &body.blocks[block].insts;
        let Op::Binary { dst, op, a, b: Operand::Int(ty, divisor) } = insts[at].op else { return None };
        let mut plus: i64 = 0;
        let (mut value, mut end) = (a.as_local()?, at);
        while value != counter.iv {
            end = last_definition(&insts[..end], value)?;
            value = match insts[end].op {
                Op::Copy { src: Operand::Local(src), .. } => src,
                Op::Convert { op: ConvertOp::SExt, src: Operand::Local(src), .. } => src,
                Op::Binary { op: BinaryOp::Add, a: Operand::Local(a), b: Operand::Int(_, by), .. } => {
                    plus = plus.checked_add(by)?;
                    a
                }
                _ => return None,
            };
        }
        let is_small = |value: i64| (0..1 << 30).contains(&value);
        // The counter is below a bound: neither it nor what is next to it is too large for its type.
        let last = match counter.bound {
            Operand::Int(_, bound) => bound,
            _ => 0,
        };
        let fits = is_small(first.checked_add(plus)?)
            && (plus <= 1 || matches!(counter.bound, Operand::Int(..)) && is_small(last.checked_add(plus)?));
        let divisor = match op {
            BinaryOp::SRem | BinaryOp::URem if fits => divisor,
            BinaryOp::URem if divisor.count_ones() == 1 && ty == counter.ty => divisor,
            BinaryOp::And if divisor >= 0 && (divisor + 1).count_ones() == 1 => divisor + 1,
            _ => return None,
        };
        let is_up = is_small(first) && counter.step > 0 && counter.cmp == CmpOp::Lt;
        (is_up && (2..=LONGEST * counter.step).contains(&divisor)).then_some(Remainder { dst, plus, divisor })
    }
}

/// Puts the body of a loop without others inside behind itself, so that it is there `times` times, if there
/// is room; whether it is.
pub(super) fn write_out(
    body: &mut Body,
    loop_: Loop,
    blocks: &[Block],
    (times, room): (i64, &mut usize),
) -> bool {
    let Some(counter) = Counter::of(body, loop_) else { return false };
    let Operand::Int(_, start) = counter.first else { return false };
    let (mut size, mut steps) = (0, 0);
    for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
        if !matches!(inst.op.class(), Class::Value | Class::Memory | Class::Call | Class::Atomic) {
            return false;
        }
        inst.op.defs(|local| steps += usize::from(local == counter.iv));
        size += times as usize;
    }
    if steps != 1 || size > *room {
        return false;
    }
    *room -= size;
    let data = &body.loops[loop_];
    let (header, first, latch, exit) = (data.header, data.body, data.latch, data.exit);
    let blocks: Vec<Block> = blocks.iter().copied().filter(|&block| block != header).collect();
    let own = Liveness::new(body, &Cfg::new(body)).own_of(body, loop_, &blocks);
    let is_even = counter.times(MOST_TIMES).is_some_and(|(_, all)| (all as i64) % times == 0);
    let remainders: Vec<(Block, usize, Remainder)> = blocks
        .iter()
        .flat_map(|&block| (0..body.blocks[block].insts.len()).map(move |at| (block, at)))
        .filter_map(|(block, at)| Some((block, at, Remainder::of(body, loop_, &counter, block, at)?)))
        .filter(|(_, _, remainder)| times * counter.step % remainder.divisor == 0)
        .collect();
    let copies: Vec<(Block, BlockCopies)> =
        (1..times).map(|_| (body.detached_block(), BlockCopies::new(body, &blocks))).collect();
    let mut added = Vec::new();
    for (number, (test, copy)) in copies.iter().enumerate() {
        let next = copies.get(number + 1).map_or(header, |&(next, _)| next);
        copy.fill(body, Some(loop_), |to| if to == header { next } else { to });
        let mut data = body.blocks[header].clone();
        data.term.map_successors(|to| if to == first { copy.of(first) } else { exit });
        if is_even {
            data.insts.clear();
            data.term = Terminator::Jump(copy.of(first));
        }
        body.blocks[*test] = data;
        added.push(*test);
        added.extend(copy.blocks());
    }
    let all = (0..).zip(std::iter::once(None).chain(copies.iter().map(|(_, copy)| Some(copy))));
    for (number, copy) in all {
        for &(block, at, Remainder { dst, plus, divisor }) in &remainders {
            let block = copy.map_or(block, |copy| copy.of(block));
            let value = (start + counter.step * number + plus).rem_euclid(divisor);
            let src = Operand::Int(body.locals[dst].ty, value);
            body.blocks[block].insts[at].op = Op::Copy { dst, src };
        }
        if let Some(copy) = copy {
            let written: Vec<Block> = copy.blocks().collect();
            Rename::fresh(body, own.iter().copied()).apply(body, &written, &[]);
        }
    }
    let (Some(&(second, _)), Some((_, last))) = (copies.first(), copies.last()) else { return false };
    body.blocks[latch].term.map_successors(|to| if to == header { second } else { to });
    let data = &mut body.loops[loop_];
    (data.latch, data.induction, data.directive) = (last.of(latch), None, None);
    let at = blocks.iter().filter_map(|&block| body.order.iter().position(|&other| other == block)).max();
    let at = at.map_or(body.order.len(), |at| at + 1);
    body.order.splice(at..at, added);
    true
}
