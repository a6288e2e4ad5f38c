//! Subscripts that are sums of 32-bit numbers, or constant multiples, as sums and multiples of 64-bit
//! numbers.
//!
//! Signed numbers do not overflow in a correct program, so that `x[at - n + 1]` is `x + at - n + 1` as well,
//! and `x[(at + 1) * 8]` is `x + at * 8 + 8`: terms that a loop does not change can be added before it, and
//! constants become offsets of accesses. A multiple of a counter moves by a constant from iteration to
//! iteration. This must see where a number is signed, so it runs in front of the pass `signs`.
//!
//! On the host, where all code is looked at, a variable that a block steps several times is followed from
//! step to step: of `o[k++] = a; o[k++] = b`, the second subscript is the first one and 1. Then counters of
//! loops are extended once, in front of the loop ([`counters`]).
//!
//! A grid whose size is an argument has rows of `n`. Where some rows are neighbours, `(i + 1) * n` and
//! `i * n`, all products by `n` are made in 64 bits: as sums, neighbours are steps from one address.
//!
//! Before: [`ConvertOp::Bits`] shows changes of sign. After: what extends a signed sum, or a multiple, to
//! subscript with it copies one of extended numbers, which stands beside it.

mod counters;

use crate::acc::{Level, LoopDirective, LoopKind};
use crate::analysis::strides::Constants;
use crate::entities::{Block, Local, Loop, map_below, set_of};
use crate::function::{Body, FunctionKind, LoopData};
use crate::module::Module;
use crate::op::{BinaryOp, ConvertOp, Inst, Op, Operand};
use crate::types::Type;
use cranelift_entity::packed_option::ReservedValue;
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sums of sums are followed so far.
const DEEPEST: usize = 6;

/// Iterations of a short loop.
const SHORT: u64 = 64;

/// So many sums with a common term are many.
const MANY: u32 = 3;

/// So many rows of a grid are worth an address of 64 bits that they are steps from.
const MANY_ROWS: u64 = 2;

/// Runs the pass on constructs and routines.
pub fn run_on_regions(module: &mut Module) {
    for function in module.functions.values_mut() {
        let is_region = matches!(function.kind, FunctionKind::Region(_));
        let is_routine = function.routine.is_some();
        if let Some(body) = function.body.as_deref_mut()
            && (is_region || is_routine || !body.constructs.is_empty())
        {
            widen(body, false);
        }
    }
}

/// Runs the pass on all functions of the host, whose loops one thread goes through.
pub fn run_on_all(module: &mut Module) {
    for function in module.functions.values_mut() {
        if let Some(body) = function.body.as_deref_mut() {
            widen(body, true);
            counters::widen(body);
        }
    }
}

fn widen(body: &mut Body, is_host: bool) {
    let mut sums = Sums {
        is_host,
        sites: map_below(body.locals.len()),
        depths: map_below(body.locals.len()),
        summed: map_below(body.locals.len()),
        few: FxHashMap::default(),
        fixed: EntitySet::new(),
        pitches: EntitySet::new(),
        wide: FxHashMap::default(),
        added: Vec::new(),
    };
    let mut subscripts: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    body.params.iter().for_each(|&param| sums.sites[param].count += 1);
    for &block in &body.order {
        for (index, inst) in body.blocks[block].insts.iter().enumerate() {
            inst.op.defs(|local| {
                let site = &mut sums.sites[local];
                *site = Site { count: site.count + 1, at: Some((block, index)) };
            });
            if let Op::Index { index: Operand::Local(index), .. } = inst.op {
                subscripts.insert(index);
            }
        }
    }
    if subscripts.is_empty() {
        return;
    }
    sums.find_depths(body);
    sums.fixed = body.fixed(|local| sums.sites[local].count == 1);
    let extended = sums.extended(body, subscripts);
    sums.find_pitches(body, &extended);
    for ((block, index), sum) in extended {
        if let Some(wide) = sums.wide(body, block, sum, DEEPEST)
            && let Op::Convert { dst, .. } = body.blocks[block].insts[index].op
        {
            body.blocks[block].insts[index].op = Op::Copy { dst, src: Operand::Local(wide) };
        }
    }
    sums.insert(body);
}

/// How far a row is from another one of the same grid.
#[derive(PartialEq, Eq, Hash)]
enum Step {
    /// So many rows.
    By(i64),
    /// As many rows as the counter of a short loop says, and whether in front.
    ByCounter(Local, bool),
}

/// How often a local is assigned, and where last.
#[derive(Clone, Copy, Default)]
struct Site {
    count: u32,
    at: Option<(Block, usize)>,
}

struct Sums {
    /// Every loop is gone through by one thread, and variables are followed.
    is_host: bool,
    sites: SecondaryMap<Local, Site>,
    /// In how many loops that one thread goes through a local changes.
    depths: SecondaryMap<Local, usize>,
    /// How many sums a local is a term of.
    summed: SecondaryMap<Local, u32>,
    /// The counters of short loops, and how many iterations these have.
    few: FxHashMap<Local, u64>,
    /// What is computed from parameters that keep their values.
    fixed: EntitySet<Local>,
    /// Fixed numbers by which many sums are multiplied.
    pitches: EntitySet<Local>,
    /// The 64-bit sums.
    wide: FxHashMap<Local, Local>,
    /// What is to stand in front of instructions.
    added: Vec<((Block, usize), Inst)>,
}

impl Sums {
    fn find_depths(&mut self, body: &Body) {
        let constants = Constants::of(body);
        for loop_ in body.loops.keys().filter(|&loop_| body.associated(loop_).is_none()) {
            if let Some(counts) = &body.loops[loop_].induction
                && let Some(trips) = constants.trip(counts).filter(|&trips| trips <= SHORT)
            {
                self.few.insert(counts.iv, trips);
            }
        }
        self.find_plain_counters(body);
        let is_short = |loop_: Loop| {
            body.loops[loop_].induction.as_ref().is_some_and(|counts| self.few.contains_key(&counts.iv))
        };
        let is_sequential = |loop_: Loop| match &body.loops[loop_].directive {
            // Lanes are not worth it for a short loop that nobody gives any: a thread goes through it.
            Some(LoopDirective { kind, levels, .. }) => {
                *kind == LoopKind::Seq || *levels == [Level::Unassigned] && is_short(loop_)
            }
            None => true,
        };
        let is_sequential = |loop_: Loop| self.is_host || is_sequential(loop_);
        let sequential: EntitySet<Loop> = set_of(body.loops.keys().filter(|&loop_| is_sequential(loop_)));
        let is_computed = |op: &Op| op.effects().pure && !op.effects().reads;
        let insts =
            || body.order.iter().flat_map(|&block| body.blocks[block].insts.iter().map(move |i| (block, i)));
        for (block, Inst { op, .. }) in insts() {
            let around = body
                .loops_around(body.blocks[block].loop_)
                .filter(|&loop_| sequential.contains(loop_))
                .count();
            op.defs(|local| {
                if self.sites[local].count > 1 || !is_computed(op) {
                    self.depths[local] = self.depths[local].max(around);
                }
            });
            if let Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, a, b, .. } = *op {
                [a, b].into_iter().filter_map(Operand::as_local).for_each(|term| self.summed[term] += 1);
            }
        }
        for (_, Inst { op, .. }) in insts() {
            if let Some(dst) = op.dst().filter(|dst| self.sites[*dst].count == 1 && is_computed(op)) {
                let mut depth = 0;
                op.uses(|operand| depth = depth.max(self.depths[operand]));
                self.depths[dst] = depth;
            }
        }
    }

    /// Counters of plain loops that a constant limits.
    fn find_plain_counters(&mut self, body: &Body) {
        let mut first: FxHashMap<Local, i64> = FxHashMap::default();
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            if let Op::Copy { dst, src: Operand::Int(_, value) } = inst.op {
                first.insert(dst, value);
            }
        }
        let is_plain = |data: &&LoopData| !data.header.is_reserved_value() && data.induction.is_none();
        for data in body.loops.values().filter(is_plain) {
            for inst in &body.blocks[data.header].insts {
                if let Op::Compare { a: Operand::Local(counter), b: Operand::Int(_, bound), .. } = inst.op
                    && let Some(&first) = first.get(&counter)
                    && let trips = bound.abs_diff(first)
                    && trips <= SHORT
                {
                    self.few.insert(counter, trips);
                }
            }
        }
    }

    /// What is extended for subscripts, or for products of them that are subscripts: rows of an array of
    /// variable size.
    fn extended(&self, body: &Body, mut subscripts: EntitySet<Local>) -> Vec<((Block, usize), Local)> {
        let insts = || {
            let of_block = |&block: &Block| (0..body.blocks[block].insts.len()).map(move |at| (block, at));
            body.order.iter().flat_map(of_block).map(|at| (at, &body.blocks[at.0].insts[at.1].op))
        };
        for (_, op) in insts() {
            if let Op::Binary { dst, op: BinaryOp::Mul, a, b } = *op
                && subscripts.contains(dst)
                && let [Some(a), Some(b)] = [a, b].map(Operand::as_local)
                && (self.fixed.contains(a) || self.fixed.contains(b))
            {
                subscripts.extend([a, b]);
            }
        }
        insts()
            .filter_map(|(at, op)| match *op {
                Op::Convert { dst, op: ConvertOp::SExt, src: Operand::Local(sum) } => {
                    (subscripts.contains(dst) && body.locals[dst].ty == Type::I64).then_some((at, sum))
                }
                _ => None,
            })
            .collect()
    }

    /// The factors of a product of which one is fixed, that one second.
    fn by_fixed(&self, a: Operand, b: Operand) -> Option<(Operand, Local)> {
        let fixed = |operand: Operand| operand.as_local().filter(|&local| self.fixed.contains(local));
        match (fixed(a), fixed(b)) {
            (_, Some(pitch)) => Some((a, pitch)),
            (Some(pitch), None) => Some((b, pitch)),
            (None, None) => None,
        }
    }

    /// Whether these are the factors of a product by a pitch.
    fn is_by_pitch(&self, a: Operand, b: Operand) -> bool {
        self.by_fixed(a, b).is_some_and(|(_, pitch)| self.pitches.contains(pitch))
    }

    /// The operation on two operands that gives a local its only value.
    fn made_by(&self, body: &Body, local: Local) -> Option<(BinaryOp, [Operand; 2])> {
        let Site { count: 1, at: Some((block, index)) } = *self.sites.get(local)? else { return None };
        match body.blocks[block].insts[index].op {
            Op::Binary { op, a, b, .. } => Some((op, [a, b])),
            _ => None,
        }
    }

    /// By which fixed numbers subscripts multiply many sums.
    fn find_pitches(&mut self, body: &Body, extended: &[((Block, usize), Local)]) {
        let mut products: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
        for &(_, sum) in extended {
            self.find_products(body, sum, DEEPEST, &mut products);
        }
        let mut steps: FxHashMap<Local, FxHashSet<Step>> = FxHashMap::default();
        for product in products.iter() {
            if let Some((_, [a, b])) = self.made_by(body, product)
                && let Some((times, pitch)) = self.by_fixed(a, b)
            {
                self.find_steps(body, times, (false, DEEPEST), steps.entry(pitch).or_default());
            }
        }
        let rows = |steps: &FxHashSet<Step>| -> u64 {
            let rows = steps.iter().map(|step| match step {
                Step::By(_) => 1,
                Step::ByCounter(counter, _) => self.few[counter],
            });
            rows.sum()
        };
        self.pitches =
            set_of(steps.iter().filter(|(_, steps)| rows(steps) >= MANY_ROWS).map(|(&pitch, _)| pitch));
    }

    /// Adds the products by fixed numbers that a sum is made from.
    fn find_products(&self, body: &Body, sum: Local, depth: usize, products: &mut EntitySet<Local>) {
        let Some((op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), [a, b])) = self.made_by(body, sum)
        else {
            return;
        };
        if depth == 0 || op == BinaryOp::Mul && (self.by_fixed(a, b).is_none() || !products.insert(sum)) {
            return;
        }
        for local in [a, b].into_iter().filter_map(Operand::as_local) {
            self.find_products(body, local, depth - 1, products);
        }
    }

    /// Adds the terms of a sum that are constants or counters of short loops.
    fn find_steps(
        &self,
        body: &Body,
        sum: Operand,
        (is_negative, depth): (bool, usize),
        steps: &mut FxHashSet<Step>,
    ) {
        let made = sum.as_local().and_then(|local| self.made_by(body, local));
        let Some((op @ (BinaryOp::Add | BinaryOp::Sub), [a, b])) = made else { return };
        if depth == 0 {
            return;
        }
        for (term, is_negative) in [(a, is_negative), (b, is_negative != (op == BinaryOp::Sub))] {
            match term {
                Operand::Int(_, value) => {
                    _ = steps.insert(Step::By(if is_negative { value.wrapping_neg() } else { value }))
                }
                Operand::Local(counter) if self.few.contains_key(&counter) => {
                    steps.insert(Step::ByCounter(counter, is_negative));
                }
                term => self.find_steps(body, term, (is_negative, depth - 1), steps),
            }
        }
    }

    /// Whether a term is, or contains, a product by a pitch.
    fn has_pitch(&self, body: &Body, term: Operand, depth: usize) -> bool {
        match term.as_local().and_then(|local| self.made_by(body, local)) {
            Some((BinaryOp::Mul, [a, b])) => self.is_by_pitch(a, b),
            Some((BinaryOp::Add | BinaryOp::Sub, terms)) => {
                depth > 0 && terms.into_iter().any(|term| self.has_pitch(body, term, depth - 1))
            }
            _ => false,
        }
    }

    /// Whether it is worth to add the terms of a sum one by one: a constant costs an access nothing, a term
    /// that an inner loop does not change stands in front of it, and a sum from which many others are made is
    /// made into an address once.
    fn is_worth_it(&self, body: &Body, terms: [Operand; 2]) -> bool {
        let is_common = |term: Operand| {
            let Some(local) = term.as_local() else { return false };
            let made = self.made_by(body, local);
            self.summed[local] >= MANY && matches!(made, Some((BinaryOp::Add | BinaryOp::Sub, _)))
        };
        let depth = |term: Operand| term.as_local().map(|local| self.depths[local]);
        let [a, b] = terms;
        depth(a) != depth(b) || is_common(a) || is_common(b)
    }

    /// The 64-bit form of a local that is a signed sum or a constant multiple, assigned once, in the loop and
    /// construct of a block; written beside it.
    fn wide(&mut self, body: &mut Body, user: Block, sum: Local, depth: usize) -> Option<Local> {
        let Site { count: 1, at: Some(at) } = *self.sites.get(sum)? else { return None };
        let home = |block: Block| (body.blocks[block].loop_, body.blocks[block].construct);
        let Inst { ref op, pos } = body.blocks[at.0].insts[at.1];
        // A construct takes over what it reads from outside: both targets must see the same there.
        let is_known = body.locals[sum].ty == Type::I32 && home(at.0) == home(user);
        if let Op::Copy { src: Operand::Local(variable), .. } = *op
            && self.is_host
            && is_known
        {
            return self.wide_variable(body, at, (sum, variable), depth);
        }
        let Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b, .. } = *op else {
            return None;
        };
        if let Some(&wide) = self.wide.get(&sum).filter(|_| is_known) {
            return Some(wide);
        }
        if depth == 0 || !is_known {
            return None;
        }
        let is_worth_it = match op {
            BinaryOp::Mul => b.as_int().is_some() || self.is_by_pitch(a, b),
            _ => {
                self.is_worth_it(body, [a, b])
                    || [a, b].into_iter().any(|term| self.has_pitch(body, term, depth))
            }
        };
        if !is_worth_it {
            return None;
        }
        let [a, b] = [a, b].map(|term| match term {
            Operand::Local(local) => match self.wide(body, at.0, local, depth - 1) {
                Some(wide) => Operand::Local(wide),
                None => {
                    let dst = body.temp(Type::I64);
                    self.added
                        .push((at, Inst { op: Op::Convert { dst, op: ConvertOp::SExt, src: term }, pos }));
                    Operand::Local(dst)
                }
            },
            Operand::Int(_, value) => Operand::Int(Type::I64, value),
            other => other,
        });
        let dst = body.temp(Type::I64);
        self.added.push((at, Inst { op: Op::Binary { dst, op, a, b }, pos }));
        self.wide.insert(sum, dst);
        Some(dst)
    }

    /// The 64-bit form of a local that copies a variable, to which its block has assigned a sum.
    fn wide_variable(
        &mut self,
        body: &mut Body,
        at: (Block, usize),
        (copy, variable): (Local, Local),
        depth: usize,
    ) -> Option<Local> {
        if let Some(&wide) = self.wide.get(&copy) {
            return Some(wide);
        }
        let before = &body.blocks[at.0].insts[..at.1];
        let defines = |inst: &Inst, local: Local| {
            let mut does = false;
            inst.op.defs(|defined| does |= defined == local);
            does
        };
        let assigned = before.iter().rposition(|inst| defines(inst, variable))?;
        let Op::Copy { src: Operand::Local(sum), .. } = before[assigned].op else { return None };
        if depth == 0 || before[assigned..].iter().any(|inst| defines(inst, sum)) {
            return None;
        }
        let wide = self.wide(body, at.0, sum, depth - 1)?;
        let (dst, pos) = (body.temp(Type::I64), body.blocks[at.0].insts[at.1].pos);
        self.added.push((at, Inst { op: Op::Copy { dst, src: Operand::Local(wide) }, pos }));
        self.wide.insert(copy, dst);
        Some(dst)
    }

    fn insert(mut self, body: &mut Body) {
        // Those of one place stay in their order.
        self.added.sort_by_key(|((block, index), _)| (*block, *index));
        let mut added = self.added.into_iter().peekable();
        while let Some(&((block, _), _)) = added.peek() {
            let insts = std::mem::take(&mut body.blocks[block].insts);
            let mut all = Vec::with_capacity(insts.len() + 8);
            for (index, inst) in insts.into_iter().enumerate() {
                while let Some((_, new)) = added.next_if(|(at, _)| *at == (block, index)) {
                    all.push(new);
                }
                all.push(inst);
            }
            body.blocks[block].insts = all;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// A region that subscripts with an extended number, which `code` computes in `v2`.
    fn widened(code: &str) -> String {
        widened_with("", code)
    }

    /// The same with more locals.
    fn widened_with(locals: &str, code: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, i32)\nfunction fn0.r sig0 internal\n  \
             region parallel of \"main\" dims(0, 1, 1, 1, 32) {{\n    param \"a\" pointer present\n    \
             param \"n\" value i32 bytes 4\n  }} {{\n  params v0.a, v1.n\n  locals v0.a: ptr\n  \
             locals v1.n, v2, v3, v4: i32\n  locals v5: i64\n  locals v6: ptr\n{locals}\
             bb0:\n  {code}\n  v5 = convert.sext v2\n  v6 = index v0.a + v5 * 4\n  store.i32 [v6], v1.n\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        run_on_regions(&mut module);
        crate::verify::verify(&module, "widen").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    #[test]
    fn a_signed_sum_with_a_constant_is_a_sum_of_extended_numbers() {
        let text = widened("v3 = mul v1.n, v1.n\n  v4 = sub v3, 1i32\n  v2 = add v4, 7i32");
        assert!(
            text.contains(
                "  v7 = convert.sext v3\n  v8 = sub v7, 1i64\n  v4 = sub v3, 1i32\n  v9 = add v8, 7i64\n  \
                 v2 = add v4, 7i32\n  v5 = copy v9\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn sums_with_a_common_sum_are_made_from_it() {
        let many = "v4 = mul v1.n, v1.n\n  v3 = add v1.n, v4\n  v2 = sub v3, v1.n\n  v4 = add v3, v1.n\n  v4 = add v3, v4";
        let text = widened(many);
        assert!(
            text.contains("v7 = convert.sext v3\n  v8 = convert.sext v1.n\n  v9 = sub v7, v8\n"),
            "{text}"
        );
        let text = widened("v4 = mul v1.n, v1.n\n  v3 = add v1.n, v4\n  v2 = sub v3, v1.n");
        assert!(text.contains("v5 = convert.sext v2\n"), "{text}");
    }

    #[test]
    fn a_multiple_of_a_sum_is_one_of_the_extended_sum() {
        let text = widened("v3 = add v1.n, 7i32\n  v2 = mul v3, 5i32");
        assert!(
            text.contains(
                "  v8 = add v7, 7i64\n  v3 = add v1.n, 7i32\n  v9 = mul v8, 5i64\n  v2 = mul v3, 5i32\n"
            ),
            "{text}"
        );
        let text = widened("v2 = mul v1.n, 3i32");
        assert!(text.contains("v7 = convert.sext v1.n\n  v8 = mul v7, 3i64\n"), "{text}");
    }

    #[test]
    fn products_by_what_is_between_rows_are_64_bits_wide_where_rows_are_neighbours() {
        let locals = "  locals v7, v8, v9, v10: i32\n";
        let rows = |first: &str, second: &str| {
            let code = format!(
                "v3 = dim_pos vector\n  v7 = {first}\n  v8 = mul v7, v1.n\n  v9 = {second}\n  \
                 v10 = mul v1.n, v9\n  v2 = add v8, v10"
            );
            widened_with(locals, &code).contains("v5 = copy")
        };
        assert!(rows("add v3, 1i32", "sub v3, 1i32"));
        // The same row twice, and rows that are something else.
        assert!(!rows("add v3, 1i32", "add v3, 1i32"));
        assert!(!rows("add v3, 1i32", "mul v3, v3") && !rows("add v3, v1.n", "sub v3, v1.n"));
        // By what each thread has for itself.
        let code = "v3 = dim_pos vector\n  v7 = add v1.n, 1i32\n  v8 = mul v7, v3\n  v9 = sub v3, 1i32\n  \
                    v10 = mul v9, v3\n  v2 = add v8, v10";
        assert!(widened_with(locals, code).contains("v5 = convert.sext v2"));
    }

    #[test]
    fn terms_that_a_short_loop_without_levels_does_not_change_stand_apart() {
        let in_loop = |directive: &str, trips: &str| {
            let text = format!(
                "file file0 \"a.c\"\nsignature sig0 (ptr, i32)\nfunction fn0.r sig0 internal\n  \
                 region kernels of \"main\" dims(0, 1, 1, 1, 32) {{\n    param \"a\" pointer present\n    \
                 param \"n\" value i32 bytes 4\n  }} {{\n  params v0.a, v1.n\n  locals v0.a: ptr\n  \
                 locals v1.n, v2, v3.k: i32\n  locals v4: i1\n  locals v5: i64\n  locals v6: ptr\n  \
                 loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 for v3.k = 0i32, lt {trips}, \
                 step 1i32 {{\n    directive {directive}\n  }}\n\
                 bb0:\n  v3.k = copy 0i32\n  jump bb1\nbb1 loop0:\n  v4 = cmp.lt v3.k, {trips}\n  \
                 branch v4, bb2, bb3\nbb2 loop0:\n  v2 = add v1.n, v3.k\n  v5 = convert.sext v2\n  \
                 v6 = index v0.a + v5 * 4\n  store.i32 [v6], v1.n\n  v3.k = add v3.k, 1i32\n  jump bb1\n\
                 bb3:\n  return\n}}\n"
            );
            let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
            run_on_regions(&mut module);
            crate::verify::verify(&module, "widen").unwrap_or_else(|errors| panic!("{errors}"));
            !print(&module).contains("v5 = convert.sext v2\n")
        };
        assert!(in_loop("seq", "v1.n") && in_loop("levels(unassigned)", "64i32"));
        for (directive, trips) in
            [("levels(unassigned)", "65i32"), ("levels(unassigned)", "v1.n"), ("levels(vector)", "64i32")]
        {
            assert!(!in_loop(directive, trips), "{directive} {trips}");
        }
    }

    #[test]
    fn unsigned_sums_other_operations_and_variables_stay() {
        for code in [
            "v3 = add v1.n, 1i32\n  v2 = convert.bits v3",
            "v2 = mul v1.n, v1.n",
            "v2 = add v1.n, 1i32\n  v2 = add v2, 1i32",
            "v2 = copy v1.n",
        ] {
            let text = widened(code);
            assert!(text.contains("v5 = convert.sext v2\n"), "{text}");
        }
    }
}
