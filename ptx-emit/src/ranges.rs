//! Between which constants the integers of a function lie, as far as that follows from constants, counted
//! loops and the sizes of launches: that a sum of 32 bits does not wrap around.
//!
//! A loop over rows of a constant number counts from a gang's number on below a constant, so that the rows of
//! a strip, `8 * i`, `8 * i + 1`, ... are all numbers of rows.

use accrue_ir::analysis::cfg::{Cfg, Dominators};
use accrue_ir::{BinaryOp, Block, Body, CmpOp, ConvertOp, Level, Local, Loop, Op, Operand, Type, map_below};
use cranelift_entity::SecondaryMap;

/// Most threads of a CTA (CUDA C++ Programming Guide, compute capabilities).
const THREADS: i64 = 1024;

/// A block and the number of an instruction in it.
pub(crate) type Place = (Block, usize);

/// The least and the greatest value of an integer, with a sign.
type Range = [i64; 2];

/// What is known of a function's locals.
pub(crate) struct Ranges {
    /// How often a local is assigned, and where last.
    sites: SecondaryMap<Local, (u32, Option<Place>)>,
    /// The counted loop whose counter a local is.
    counters: SecondaryMap<Local, Option<Loop>>,
    dominators: Dominators,
    /// Of locals that are assigned once, where they are; of counters, in an iteration before its step.
    known: SecondaryMap<Local, Option<Range>>,
}

impl Ranges {
    /// Those of a body.
    pub fn of(body: &Body) -> Ranges {
        let mut sites: SecondaryMap<Local, (u32, Option<Place>)> = map_below(body.locals.len());
        body.params.iter().for_each(|&param| sites[param].0 += 1);
        for &block in &body.order {
            for (index, inst) in body.blocks[block].insts.iter().enumerate() {
                inst.op.defs(|local| sites[local] = (sites[local].0 + 1, Some((block, index))));
            }
        }
        let mut counters: SecondaryMap<Local, Option<Loop>> = map_below(body.locals.len());
        for loop_ in body.loop_tree() {
            if let Some(induction) = &body.loops[loop_].induction {
                counters[induction.iv] = Some(loop_);
            }
        }
        let mut begun: SecondaryMap<Block, Option<Loop>> = map_below(body.blocks.len());
        counters.values().flatten().for_each(|&loop_| begun[body.loops[loop_].body] = Some(loop_));
        let cfg = Cfg::new(body);
        let (dominators, known) = (Dominators::new(&cfg), map_below(body.locals.len()));
        let mut ranges = Ranges { sites, counters, dominators, known };
        // What is assigned before a place on every way to it comes first.
        for &block in cfg.reverse_postorder() {
            if let Some(loop_) = begun[block]
                && let Some(counter) = body.loops[loop_].induction.as_ref().map(|induction| induction.iv)
            {
                ranges.known[counter] = ranges.of_counter(body, counter, loop_);
            }
            for (index, inst) in body.blocks[block].insts.iter().enumerate() {
                if let Some(dst) = inst.op.dst().filter(|&dst| ranges.sites[dst].0 == 1) {
                    ranges.known[dst] = ranges.of_result(body, dst, &inst.op, (block, index));
                }
            }
        }
        ranges
    }

    /// How often a local is assigned; parameters are at the start.
    pub fn assignments(&self, local: Local) -> u32 {
        self.sites[local].0
    }

    /// Where a local gets its value that is assigned once, if that comes before a place on every way to it.
    pub fn before(&self, local: Local, place: Place) -> Option<Place> {
        let (1, Some(at)) = self.sites[local] else { return None };
        let is_before =
            if at.0 == place.0 { at.1 < place.1 } else { self.dominators.dominates(at.0, place.0) };
        is_before.then_some(at)
    }

    /// Between which values an operand lies that is read at a place, and all that it is computed from, so
    /// that none of its operations wraps around.
    pub fn at(&self, body: &Body, operand: Operand, place: Place) -> Option<Range> {
        let local = match operand {
            Operand::Int(Type::I32 | Type::I64, value) => return Some([value; 2]),
            Operand::Local(local) => local,
            _ => return None,
        };
        let is_there = match self.counters[local] {
            Some(loop_) if self.sites[local].0 > 1 => {
                is_before_step(body, local, loop_, place, &self.dominators)
            }
            _ => self.before(local, place).is_some(),
        };
        self.known[local].filter(|_| is_there)
    }

    /// Of what an operation gives.
    fn of_result(&self, body: &Body, dst: Local, op: &Op, at: Place) -> Option<Range> {
        let of = |operand: Operand| self.at(body, operand, at);
        let [low, high] = match *op {
            Op::DimPos { level: Level::Worker | Level::Vector, .. } => [0, THREADS - 1],
            Op::DimPos { .. } => [0, i64::from(i32::MAX) - 1],
            Op::DimSize { .. } => [1, i64::from(i32::MAX)],
            Op::Copy { src, .. } => of(src)?,
            Op::Convert { op: ConvertOp::SExt | ConvertOp::Trunc, src, .. } => of(src)?,
            Op::Convert { op: ConvertOp::ZExt, src, .. } => of(src).filter(|[low, _]| *low >= 0)?,
            // Whatever the other one is.
            Op::Binary { op: BinaryOp::SMax, a, b, .. } if of(a).is_some() != of(b).is_some() => {
                let [least, _] = of(a).or(of(b))?;
                [least, if body.locals[dst].ty == Type::I32 { i32::MAX.into() } else { i64::MAX }]
            }
            // Whatever bits the other one has.
            Op::Binary { op: BinaryOp::And, b: Operand::Int(_, mask @ 0..), .. } => [0, mask],
            // However far it is shifted.
            Op::Binary { op: BinaryOp::LShr, a, b, .. } if of(b).is_none() => {
                let [low, high] = of(a)?;
                (low >= 0).then_some([0, high])?
            }
            Op::Binary { op, a, b, .. } => {
                let ([a, c], [b, d]) = (of(a)?, of(b)?);
                match op {
                    BinaryOp::Add => [a.checked_add(b)?, c.checked_add(d)?],
                    BinaryOp::Sub => [a.checked_sub(d)?, c.checked_sub(b)?],
                    BinaryOp::Mul if a >= 0 && b >= 0 => [a.checked_mul(b)?, c.checked_mul(d)?],
                    BinaryOp::SMax => [a.max(b), c.max(d)],
                    BinaryOp::SMin => [a.min(b), c.min(d)],
                    BinaryOp::UDiv if a >= 0 && b > 0 => [a / d, c / b],
                    BinaryOp::URem if a >= 0 && b > 0 => [0, c.min(d - 1)],
                    BinaryOp::SRem if b > 0 => [a.min(0).max(1 - d), c.max(0).min(d - 1)],
                    BinaryOp::LShr if a >= 0 && b >= 0 && d < 64 => [a >> d, c >> b],
                    _ => return None,
                }
            }
            Op::Select { a, b, .. } => {
                let ([a, c], [b, d]) = (of(a)?, of(b)?);
                [a.min(b), c.max(d)]
            }
            _ => return None,
        };
        let fits = match body.locals[dst].ty {
            Type::I32 => i32::try_from(low).is_ok() && i32::try_from(high).is_ok(),
            ty => ty == Type::I64,
        };
        fits.then_some([low, high])
    }

    /// Of the counter of a loop with a constant bound.
    fn of_counter(&self, body: &Body, local: Local, loop_: Loop) -> Option<Range> {
        let data = &body.loops[loop_];
        let induction = data.induction.as_ref()?;
        let (2, Some((last, step))) = self.sites[local] else { return None };
        let is_step = last == data.latch
            && matches!(body.blocks[last].insts[step].op, Op::Binary { op: BinaryOp::Add, a, b, .. }
                if a == Operand::Local(local) && b == induction.step)
            && step_of(body, local, loop_) == Some(step);
        if !is_step {
            return None;
        }
        let in_front = (data.preheader, body.blocks[data.preheader].insts.len());
        let of_bound = self.at(body, induction.bound, in_front);
        // Whatever it began with, it has come through the test.
        if let (CmpOp::ULt, Some([low, high])) = (induction.cmp, of_bound)
            && low >= 0
            && high > 0
        {
            return Some([0, high - 1]);
        }
        let [first, latest] = self.at(body, induction.init, in_front)?;
        let [forwards, at_most] = self.at(body, induction.step, in_front)?;
        if at_most < 0 {
            let Operand::Int(_, bound) = induction.bound else { return None };
            let last = match induction.cmp {
                CmpOp::Ge => bound,
                CmpOp::Gt => bound.checked_add(1)?,
                _ => return None,
            };
            // Nor does it wrap around where it ends.
            let end = last.checked_add(forwards)?;
            let is_below = body.locals[local].ty == Type::I32 && end < i32::MIN.into();
            return (last <= latest && !is_below).then_some([last, latest]);
        }
        // Below a bound there is no greatest number.
        let bound = match (of_bound, body.locals[local].ty) {
            (Some([_, most]), _) => most,
            (None, Type::I32) => i32::MAX.into(),
            _ => return None,
        };
        (induction.cmp == CmpOp::Lt && forwards > 0 && first < bound).then_some([first, bound - 1])
    }
}

/// The place of a counter's first assignment in its latch.
fn step_of(body: &Body, counter: Local, loop_: Loop) -> Option<usize> {
    body.blocks[body.loops[loop_].latch].insts.iter().position(|inst| inst.op.dst() == Some(counter))
}

/// Whether a place is in an iteration of a loop, before its counter is stepped.
fn is_before_step(
    body: &Body,
    counter: Local,
    loop_: Loop,
    (block, index): Place,
    dominators: &Dominators,
) -> bool {
    let data = &body.loops[loop_];
    block != data.header
        && dominators.dominates(data.body, block)
        && body.loop_is_within(body.blocks[block].loop_, loop_)
        && (block != data.latch || step_of(body, counter, loop_).is_some_and(|step| index <= step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::parse;

    /// The range of `v6` where the body of a loop ends, which counts `v3` from `v2` on, below a bound.
    fn range(compare: &str, bound: &str, code: &str) -> Option<Range> {
        counted(("dim_pos gang", "dim_size gang"), compare, bound, code)
    }

    /// The same of a counter that begins and is stepped so.
    fn counted((first, step): (&str, &str), compare: &str, bound: &str, code: &str) -> Option<Range> {
        let text = format!(
            "signature sig0 (ptr, i32)\nfunction fn0.r sig0 internal\n  region parallel of \"r\" dims(0, 1, 1, 1, 32) {{\n    \
             param \"a\" pointer\n    param \"n\" value i32 bytes 4\n  }} {{\n  params v0.a, v1.n\n  locals v0.a: ptr\n  \
             locals v1.n, v2, v3: i32\n  locals v4: i1\n  locals v5, v6, v7: i32\n  locals v8, v9: i64\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4 for v3 = v2, {compare} {bound}, step v7\n\
             bb0:\n  v2 = {first}\n  v7 = {step}\n  v3 = copy v2\n  jump bb1\n\
             bb1 loop0:\n  v4 = cmp.{compare} v3, {bound}\n  branch v4, bb2, bb4\n\
             bb2 loop0:\n  {code}\n  jump bb3\nbb3 loop0:\n  v3 = add v3, v7\n  jump bb1\nbb4:\n  return\n}}\n"
        );
        let module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let body = module.functions.values().next().and_then(|function| function.body.as_deref());
        let body = body.unwrap_or_else(|| panic!("it has a body"));
        let inside = Block::from_u32(2);
        let wanted = Operand::Local(Local::from_u32(6));
        Ranges::of(body).at(body, wanted, (inside, body.blocks[inside].insts.len()))
    }

    #[test]
    fn rows_of_a_strip_are_below_the_bound() {
        let rows = "v5 = mul v3, 8i32\n  v6 = add v5, 7i32";
        assert_eq!(range("lt", "1023i32", rows), Some([7, 8183]));
        assert_eq!(range("ult", "1023i32", rows), Some([7, 8183]));
        let through =
            "v8 = convert.zext v3\n  v9 = udiv v8, 10i64\n  v5 = convert.trunc v9\n  v6 = sub v5, 1i32";
        assert_eq!(range("lt", "1000i32", through), Some([-1, 98]));
    }

    #[test]
    fn one_operand_may_be_enough() {
        assert_eq!(range("lt", "1000i32", "v6 = lshr v3, v1.n"), Some([0, 999]));
        assert_eq!(range("lt", "1000i32", "v6 = and v1.n, 255i32"), Some([0, 255]));
        assert_eq!(range("lt", "1000i32", "v6 = and v1.n, -8i32"), None);
        assert_eq!(range("lt", "1000i32", "v5 = sub v3, 1i32\n  v6 = lshr v5, v1.n"), None);
        assert_eq!(range("lt", "1000i32", "v6 = smax v1.n, 7i32"), Some([7, i32::MAX.into()]));
    }

    #[test]
    fn remainders_have_the_sign_of_what_is_divided() {
        assert_eq!(range("lt", "1000i32", "v6 = srem v3, 7i32"), Some([0, 6]));
        assert_eq!(range("lt", "4i32", "v6 = srem v3, 7i32"), Some([0, 3]));
        assert_eq!(range("lt", "1000i32", "v5 = sub v3, 3i32\n  v6 = srem v5, 7i32"), Some([-3, 6]));
        assert_eq!(range("lt", "1000i32", "v6 = srem v3, -7i32"), None);
    }

    #[test]
    fn what_may_wrap_around_has_no_range() {
        assert_eq!(range("lt", "1000000i32", "v6 = mul v3, 10000i32"), None);
        assert_eq!(range("lt", "v1.n", "v6 = mul v3, 2i32"), None);
        assert_eq!(range("lt", "v1.n", "v6 = add v3, 1i32"), Some([1, i64::from(i32::MAX)]));
        assert_eq!(range("lt", "v1.n", "v6 = add v3, 2i32"), None);
        // Nobody knows the parameter.
        assert_eq!(range("lt", "1000i32", "v6 = add v3, v1.n"), None);
        // It is assigned twice.
        assert_eq!(range("lt", "1000i32", "v6 = copy v3\n  v6 = copy 3i32"), None);
    }

    #[test]
    fn a_counter_has_its_range_before_its_step() {
        assert_eq!(range("lt", "1000i32", "v6 = copy v3"), Some([0, 999]));
        let stepped = "v3 = add v3, 1i32\n  v6 = copy v3";
        assert_eq!(range("lt", "1000i32", stepped), None);
    }

    #[test]
    fn a_counter_that_goes_down_is_between_its_bound_and_its_first_value() {
        let down = |step: &str, compare: &str, bound: &str, code: &str| {
            counted(("copy 255i32", &format!("copy {step}")), compare, bound, code)
        };
        assert_eq!(down("-1i32", "ge", "0i32", "v6 = add v3, 1i32"), Some([1, 256]));
        assert_eq!(down("-3i32", "gt", "0i32", "v6 = copy v3"), Some([1, 255]));
        assert_eq!(down("-1i32", "ge", "0i32", "v6 = smax v3, 100i32"), Some([100, 255]));
        assert_eq!(
            down("-1i32", "ge", "0i32", "v4 = cmp.lt v3, 9i32\n  v6 = select v4, 3i32, v3"),
            Some([0, 255])
        );
        assert_eq!(down("-1i32", "lt", "1000i32", "v6 = copy v3"), None);
        assert_eq!(down("-1i32", "ge", "v1.n", "v6 = copy v3"), None);
        assert_eq!(down("-2i32", "ge", "-2147483647i32", "v6 = copy v3"), None);
    }
}
