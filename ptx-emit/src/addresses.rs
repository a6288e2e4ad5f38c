//! Addresses whose subscript is a sum, as steps from address to address.
//!
//! Before: subscripts of 64 bits may be sums (the pass `widen`). After: each term is a step of its own, a
//! constant the last one:
//!
//! ```text
//!     before:  at = i * n + (k + 1) * 2;  p = x + at * 4
//!     after:   q = x + i * n * 4;  r = q + k * 8;  p = r + 8
//! ```
//!
//! Where terms change in the innermost loop they come behind the others, which can then stand in front of
//! the loop, unless these would be too many addresses; several of them are added up first, which accesses
//! with other bases share. Where all terms change there, each is a step: neighbours of a point share them.

use crate::ranges::{Place, Ranges};
use crate::text::Reached;
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::analysis::roots::{Root, Roots};
use accrue_ir::passes::dce;
use accrue_ir::{
    BinaryOp, Block, Body, ConvertOp, Function, Inst, Local, LoopData, Module, Op, Operand, SlotKind, Type,
    map_below,
};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sums of more terms stay; the same of subscripts one behind the other that have terms in common.
const MOST: usize = 6;
const MOST_JOINED: usize = 8;

/// Products of more locals stay: three are a plane, a row and a column of a cube.
const MOST_FACTORS: usize = 3;

/// Addresses that stand in front of a loop, at most, for one term that changes in it: each takes two
/// registers as long as the loop runs.
const MOST_BASES: usize = 4;

/// Runs the pass on all functions that the device executes.
pub(crate) fn run(module: &mut Module, reached: &Reached) {
    for func in reached.with_code() {
        let function = &mut module.functions[func];
        let Some(mut body) = function.body.take() else { continue };
        split(function, &mut body);
        function.body = Some(body);
    }
}

fn split(function: &Function, body: &mut Body) {
    let has_subscript = |inst: &Inst| matches!(inst.op, Op::Index { index: Operand::Local(_), .. });
    if !body.order.iter().any(|&block| body.blocks[block].insts.iter().any(has_subscript)) {
        return;
    }
    // Where merged loops began is assigned, and overwritten by what each iteration begins with.
    dce::clean(body);
    drop_first_values(body);
    let (known, roots) = (Definitions::of(body), Roots::new(function, body));
    let mut sums: FxHashMap<Place, (Operand, Sum)> = FxHashMap::default();
    let mut bases = Bases::default();
    for &block in &body.order {
        for index in 0..body.blocks[block].insts.len() {
            let place = (block, index);
            if let Some((from, sum)) = Sum::of(body, &known, &roots, place) {
                bases.add(&known, from, &sum);
                sums.insert(place, (from, sum));
            }
        }
    }
    if sums.is_empty() {
        return;
    }
    for block in body.order.clone() {
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut split = Vec::with_capacity(insts.len());
        for (index, inst) in insts.into_iter().enumerate() {
            match (inst.op.dst(), sums.remove(&(block, index))) {
                (Some(dst), Some((from, mut sum))) => {
                    let inside_first = bases.are_many(&known, from, &sum);
                    let joined = sum.order(&known, inside_first);
                    sum.steps(body, &known, from, (dst, joined), |op| split.push(Inst { op, pos: inst.pos }));
                }
                _ => split.push(inst),
            }
        }
        body.blocks[block].insts = split;
    }
    dce::clean(body);
}

/// Removes the constants that counters of merged loops begin with in front of the loop that they are merged
/// into, where each iteration gives them the value of its own: a local with one value is a term.
fn drop_first_values(body: &mut Body) {
    let is_merged = |data: &LoopData| data.directive.as_ref().is_some_and(|directive| directive.collapse > 1);
    if !body.loops.values().any(is_merged) {
        return;
    }
    let live = Liveness::new(body, &Cfg::new(body));
    // The launch asks for some, too, such as the sizes of a grid.
    let mut kept = FxHashSet::default();
    body.annotations(|part| kept.extend(part.used()));
    for &block in &body.order {
        let mut read = kept.clone();
        let data = &mut body.blocks[block];
        data.term.uses(|local| _ = read.insert(local));
        let mut dead = Vec::new();
        for (index, inst) in data.insts.iter().enumerate().rev() {
            if let Op::Copy { dst, src: Operand::Int(..) } = inst.op
                && !read.contains(&dst)
                && !live.is_live_out(dst, block)
            {
                dead.push(index);
            }
            inst.op.uses(|local| _ = read.insert(local));
        }
        dead.into_iter().for_each(|index| _ = data.insts.remove(index));
    }
}

/// A product of locals of 32 or 64 bits, each behind those with lower numbers, and how many bytes for each.
type Term = (Vec<Local>, i64);

/// What the addresses that terms lead to begin with, for each first base, and the terms that change in the
/// deepest loop.
#[derive(Default)]
struct Bases(FxHashMap<(Local, Vec<Term>), FxHashSet<Vec<Term>>>);

impl Bases {
    /// The terms of a sum that change in the deepest loop, and those around.
    fn apart(known: &Definitions, sum: &Sum) -> (Vec<Term>, Vec<Term>) {
        let deepest = sum.deepest(known);
        sum.terms.iter().cloned().partition(|(factors, _)| known.depth(factors) == deepest)
    }

    fn add(&mut self, known: &Definitions, from: Operand, sum: &Sum) {
        if let Some(from) = from.as_local() {
            let (inside, outside) = Bases::apart(known, sum);
            self.0.entry((from, inside)).or_default().insert(outside);
        }
    }

    /// Whether there are too many bases for a register each.
    fn are_many(&self, known: &Definitions, from: Operand, sum: &Sum) -> bool {
        from.as_local()
            .and_then(|from| self.0.get(&(from, Bases::apart(known, sum).0)))
            .is_some_and(|bases| bases.len() > MOST_BASES)
    }
}

/// Where locals get their values, and in how deep a loop they change.
struct Definitions {
    depths: SecondaryMap<Local, usize>,
    /// What is computed from parameters that keep their values: all threads have the same.
    fixed: EntitySet<Local>,
    ranges: Ranges,
}

impl Definitions {
    fn of(body: &Body) -> Definitions {
        let ranges = Ranges::of(body);
        let insts = || {
            let of_block = |&block: &Block| body.blocks[block].insts.iter().map(move |inst| (block, inst));
            body.order.iter().flat_map(of_block)
        };
        let mut depths: SecondaryMap<Local, usize> = map_below(body.locals.len());
        let is_computed = |op: &Op| op.effects().pure && !op.effects().reads;
        let is_once = |local: Local| ranges.assignments(local) == 1;
        // Counters first: what is computed from them may stand in front of their step.
        for (block, inst) in insts() {
            let around = body.loops_around(body.blocks[block].loop_).count();
            inst.op.defs(|local| {
                if !is_once(local) || !is_computed(&inst.op) {
                    depths[local] = depths[local].max(around);
                }
            });
        }
        for (_, Inst { op, .. }) in insts() {
            if let Some(dst) = op.dst().filter(|&dst| is_once(dst) && is_computed(op)) {
                let mut depth = 0;
                op.uses(|operand| depth = depth.max(depths[operand]));
                depths[dst] = depth;
            }
        }
        let fixed = body.fixed(is_once);
        Definitions { depths, fixed, ranges }
    }

    /// The number of loops that a product changes in.
    fn depth(&self, factors: &[Local]) -> usize {
        factors.iter().map(|&factor| self.depths[factor]).max().unwrap_or(0)
    }

    /// Whether all threads have the same sum.
    fn is_fixed(&self, sum: &Sum) -> bool {
        sum.terms.iter().all(|(factors, _)| self.is_product_fixed(factors))
    }

    fn is_product_fixed(&self, factors: &[Local]) -> bool {
        factors.iter().all(|&factor| self.fixed.contains(factor))
    }

    /// Whether a local that is read at a place has the same value at another, to which every way leads
    /// through the first.
    fn stays(&self, body: &Body, local: Local, from: Place, to: Place) -> bool {
        if self.ranges.assignments(local) == 1 {
            return body.params.contains(&local) || self.ranges.before(local, from).is_some();
        }
        let mut stays = from.0 == to.0 && from.1 <= to.1;
        if stays {
            for inst in &body.blocks[from.0].insts[from.1..to.1] {
                inst.op.defs(|written| stays &= written != local);
            }
        }
        stays
    }
}

/// The bytes between an address and what it is made from.
#[derive(Clone)]
struct Sum {
    /// Where the address is made.
    place: Place,
    terms: Vec<Term>,
    constant: i64,
}

impl Sum {
    /// The distance that an instruction adds to a base, and the base, if there are steps to take.
    fn of(body: &Body, known: &Definitions, roots: &Roots, place: Place) -> Option<(Operand, Sum)> {
        let Op::Index { base, index: subscript @ Operand::Local(local), scale, offset, .. } =
            body.blocks[place.0].insts[place.1].op
        else {
            return None;
        };
        // A step may leave the object. What is in memory of the thread or gang is accessed by its name, but
        // for rows of a gang, of which a thread has a pointer.
        match roots.of(base) {
            Root::Slot(slot)
                if body.slots[slot].kind != SlotKind::GangPrivate || base.as_local().is_none() =>
            {
                return None;
            }
            Root::Scratch => return None,
            Root::Slot(_) | Root::Param(_) | Root::Global(_) | Root::Unknown => {}
        }
        let mut sum = Sum { place, terms: Vec::new(), constant: offset };
        if !sum.add(body, known, (subscript, scale), place) {
            return None;
        }
        let (from, sum) = sum.with_bases(body, known, base);
        let is_one_step = sum.terms.is_empty() || from == base && sum.terms == [(vec![local], scale)];
        (!is_one_step).then_some((from, sum))
    }

    /// The distance from what the base is made from, and that, as far as the base is a step that changes in a
    /// deeper loop than the steps behind it, `y + k * n` of `(y + k * n)[j]`, or they have terms in common:
    /// subscripts of merged loops are quotients, `a[q / n][q - q / n * n]`.
    fn with_bases(self, body: &Body, known: &Definitions, base: Operand) -> (Operand, Sum) {
        let mut found = (base, self);
        let (mut from, mut sum) = found.clone();
        let mut apart = sum.terms.len();
        while let Some((base, mut inner)) = sum.base(body, known, from) {
            // Rows as far from each other as the launch says are steps of one address.
            let is_product = |(factors, _): &Term| factors.len() > 1;
            let is_deeper = inner.deepest(known) > sum.deepest(known) || inner.terms.iter().any(is_product);
            apart += inner.terms.len();
            sum.terms.iter().for_each(|term| inner.add_term(term.clone()));
            inner.constant = inner.constant.wrapping_add(sum.constant);
            (from, sum) = (base, inner);
            let most = match sum.terms.len() < apart {
                true => MOST_JOINED,
                false if is_deeper => MOST,
                false => 0,
            };
            if sum.terms.len() <= most {
                found = (from, sum.clone());
                apart = sum.terms.len();
            }
        }
        found
    }

    /// The distance between an address and what it is made from, and that, for a base.
    fn base(&self, body: &Body, known: &Definitions, base: Operand) -> Option<(Operand, Sum)> {
        let local = base.as_local()?;
        let at = known.ranges.before(local, self.place)?;
        let Op::Index { base, index, scale, offset, .. } = body.blocks[at.0].insts[at.1].op else {
            return None;
        };
        if let Operand::Local(base) = base
            && !known.stays(body, base, at, self.place)
        {
            return None;
        }
        let mut inner = Sum { place: self.place, terms: Vec::new(), constant: offset };
        inner.add(body, known, (index, scale), at).then_some((base, inner))
    }

    /// The number of loops that the sum changes in.
    fn deepest(&self, known: &Definitions) -> usize {
        self.terms.iter().map(|(factors, _)| known.depth(factors)).max().unwrap_or(0)
    }

    /// Adds so many times an operand that is read at a place. Says whether its terms have the same values
    /// where the subscript stands.
    fn add(
        &mut self,
        body: &Body,
        known: &Definitions,
        (operand, factor): (Operand, i64),
        user: Place,
    ) -> bool {
        let local = match operand {
            Operand::Local(local) => local,
            Operand::Int(_, value) => {
                self.constant = self.constant.wrapping_add(value.wrapping_mul(factor));
                return true;
            }
            _ => return false,
        };
        // A sum of 32 bits may wrap around.
        let is_wide = body.locals[local].ty == Type::I64;
        let is_in_range = known.ranges.at(body, operand, user).is_some();
        if (is_wide || is_in_range)
            && let Some(at) = known.ranges.before(local, user)
        {
            let before = self.clone();
            let is_sum = match body.blocks[at.0].insts[at.1].op {
                Op::Binary { op: BinaryOp::Add, a, b, .. } => {
                    self.add(body, known, (a, factor), at) && self.add(body, known, (b, factor), at)
                }
                Op::Binary { op: BinaryOp::Sub, a, b, .. } => {
                    self.add(body, known, (a, factor), at)
                        && self.add(body, known, (b, factor.wrapping_neg()), at)
                }
                Op::Binary { op: BinaryOp::Mul, a, b: Operand::Int(_, by), .. } => {
                    self.add(body, known, (a, factor.wrapping_mul(by)), at)
                }
                Op::Binary { op: BinaryOp::Mul, a, b, .. } => {
                    self.add_product(body, known, ([a, b], factor), at)
                }
                Op::Copy { src, .. } => self.add(body, known, (src, factor), at),
                Op::Convert { op: ConvertOp::SExt, src: src @ Operand::Local(narrow), .. } => {
                    body.locals[narrow].ty == Type::I32 && self.add(body, known, (src, factor), at)
                }
                Op::Convert { op: ConvertOp::ZExt | ConvertOp::Trunc, src, .. } => {
                    is_in_range && self.add(body, known, (src, factor), at)
                }
                _ => false,
            };
            if is_sum && self.terms.len() <= MOST {
                return true;
            }
            *self = before;
        }
        let stays = known.stays(body, local, user, self.place);
        if stays {
            self.add_term((vec![local], factor));
        }
        stays
    }

    /// Adds so many times the product of two operands that are read at a place, of which one is the same for
    /// all threads: neighbours in a grid of any size, `(i + 1) * n` and `i * n`, are steps from each other.
    fn add_product(
        &mut self,
        body: &Body,
        known: &Definitions,
        (operands, factor): ([Operand; 2], i64),
        user: Place,
    ) -> bool {
        let Sum { place, .. } = *self;
        let [a, b] = operands.map(|operand| {
            let mut sum = Sum { place, terms: Vec::new(), constant: 0 };
            sum.add(body, known, (operand, 1), user).then_some(sum)
        });
        let (Some(a), Some(b)) = (a, b) else { return false };
        if !known.is_fixed(&a) && !known.is_fixed(&b) {
            return false;
        }
        // A sum of no locals is a constant.
        let terms = |sum: &Sum| {
            let constant = (sum.constant != 0).then(|| (Vec::new(), sum.constant));
            sum.terms.clone().into_iter().chain(constant).collect::<Vec<Term>>()
        };
        for (first, times) in terms(&a) {
            for (second, by) in terms(&b) {
                let mut factors = [&first[..], &second[..]].concat();
                factors.sort_unstable();
                let bytes = factor.wrapping_mul(times).wrapping_mul(by);
                match factors.len() {
                    0 => self.constant = self.constant.wrapping_add(bytes),
                    1..=MOST_FACTORS => self.add_term((factors, bytes)),
                    _ => return false,
                }
            }
        }
        true
    }

    /// Adds a term to those there are. What a nest that was merged has for a counter is what is left of a
    /// division by the trips of the next one: `i * 64 + (q - i * 64)` of `a[i][k]` is the quotient itself.
    fn add_term(&mut self, (factors, bytes): Term) {
        match self.terms.iter().position(|term| term.0 == factors) {
            Some(at) => {
                self.terms[at].1 = self.terms[at].1.wrapping_add(bytes);
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
            None => self.terms.push((factors, bytes)),
        }
    }

    /// Puts the terms in the order of the steps, those that are the same for all threads at one of the ends.
    /// Says how many of the last ones are added up before.
    fn order(&mut self, known: &Definitions, inside_first: bool) -> usize {
        let depth = |(factors, _): &Term| known.depth(factors);
        let deepest = self.deepest(known);
        let inside = self.terms.iter().filter(|term| depth(term) == deepest).count();
        let is_last = !inside_first && (inside == 1 || inside < self.terms.len());
        self.terms.sort_by_key(|term| {
            let is_fixed = known.is_product_fixed(&term.0);
            if is_last { (depth(term), !is_fixed) } else { (deepest - depth(term), is_fixed) }
        });
        if is_last { inside } else { 1 }
    }

    /// Writes the steps, the last of which gives the address; `joined` of the terms in one.
    fn steps(
        &self,
        body: &mut Body,
        known: &Definitions,
        mut from: Operand,
        (last, joined): (Local, usize),
        write: impl FnMut(Op),
    ) {
        let mut code = Code { body, known, write };
        let one_by_one = if joined > 1 { self.terms.len() - joined } else { self.terms.len() };
        let (alone, together) = self.terms.split_at(one_by_one);
        let mut steps = Vec::with_capacity(self.terms.len() + 1);
        for terms in alone.chunk_by(|(a, _), (b, _)| [a, b].iter().all(|term| known.is_product_fixed(term))) {
            steps.push(match terms {
                // A multiple of 32 bits is one operation.
                [(factors, bytes)] if !known.is_product_fixed(factors) || code.is_narrow(factors) => {
                    (code.product(factors), *bytes, 0)
                }
                // A launch hands over sums of what all threads have alike.
                _ => (code.sum(terms), 1, 0),
            });
        }
        if !together.is_empty() {
            steps.push((code.sum(together), 1, 0));
        }
        if self.constant != 0 {
            steps.push((Operand::Int(Type::I64, 0), 1, self.constant));
        }
        let mut steps = steps.into_iter().peekable();
        while let Some((index, scale, offset)) = steps.next() {
            let dst = if steps.peek().is_some() { code.body.temp(Type::Ptr) } else { last };
            (code.write)(Op::Index { dst, base: from, index, scale, offset, extent: None });
            from = Operand::Local(dst);
        }
    }
}

/// Operations in front of an address.
struct Code<'a, W> {
    body: &'a mut Body,
    known: &'a Definitions,
    write: W,
}

impl<W: FnMut(Op)> Code<'_, W> {
    fn compute(&mut self, op: impl Fn(Local) -> Op) -> Operand {
        let dst = self.body.temp(Type::I64);
        (self.write)(op(dst));
        Operand::Local(dst)
    }

    fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        self.compute(|dst| Op::Binary { dst, op, a, b })
    }

    /// Whether a product is one local of 32 bits.
    fn is_narrow(&self, factors: &[Local]) -> bool {
        matches!(factors, &[factor] if self.body.locals[factor].ty == Type::I32)
    }

    /// A local in 64 bits.
    fn wide(&mut self, local: Local) -> Operand {
        let src = Operand::Local(local);
        match self.body.locals[local].ty {
            Type::I32 => self.compute(|dst| Op::Convert { dst, op: ConvertOp::SExt, src }),
            _ => src,
        }
    }

    /// A product, in 64 bits if it has several factors: first of those that are the same for all threads.
    fn product(&mut self, factors: &[Local]) -> Operand {
        let [first, others @ ..] = factors else { return Operand::Int(Type::I64, 1) };
        if others.is_empty() {
            return Operand::Local(*first);
        }
        let mut product = None;
        for is_fixed in [true, false] {
            for &factor in factors {
                if self.known.fixed.contains(factor) == is_fixed {
                    let factor = self.wide(factor);
                    product = Some(match product {
                        Some(before) => self.binary(BinaryOp::Mul, before, factor),
                        None => factor,
                    });
                }
            }
        }
        product.unwrap_or(Operand::Int(Type::I64, 1))
    }

    /// The sum of terms, in 64 bits.
    fn sum(&mut self, terms: &[Term]) -> Operand {
        let mut sum = None;
        for (factors, bytes) in terms {
            let mut value = self.product(factors);
            if let [factor] = factors[..] {
                value = self.wide(factor);
            }
            let value = self.binary(BinaryOp::Mul, value, Operand::Int(Type::I64, *bytes));
            sum = Some(match sum {
                Some(before) => self.binary(BinaryOp::Add, before, value),
                None => value,
            });
        }
        sum.unwrap_or(Operand::Int(Type::I64, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    /// The body of a loop over `k` within a region that has `i` and `n`.
    fn split_in_loop(code: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, i32, i32)\nfunction fn0.r sig0 internal\n  \
             region parallel of \"main\" dims(0, 1, 1, 1, 32) {{\n    param \"a\" pointer present\n    \
             param \"n\" value i32 bytes 4\n    param \"i\" value i32 bytes 4\n  }} {{\n  params v0.a, v1.n, v2.i\n  \
             locals v0.a: ptr\n  locals v1.n, v2.i, v3.k, v4: i32\n  locals v5, v6, v7, v8: i64\n  \
             locals v9: ptr\n  locals v10: i1\n  locals v11: ptr\n  \
             locals v12, v13, v14, v15: i64\n  loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n\
             bb0:\n  v3.k = copy 0i32\n  v8 = copy 5i64\n  v13 = convert.sext v1.n\n  jump bb1\n\
             bb1 loop0:\n  v10 = cmp.lt v3.k, v1.n\n  branch v10, bb2, bb3\nbb2 loop0:\n  {code}\n  \
             store.i32 [v9], v1.n\n  v3.k = add v3.k, 1i32\n  jump bb1\nbb3:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let reached = crate::text::reach(&module).unwrap_or_else(|error| panic!("{error}"));
        run(&mut module, &reached);
        accrue_ir::verify::verify(&module, "addresses").unwrap_or_else(|errors| panic!("{errors}"));
        let text = print(&module);
        let steps = text.lines().filter(|line| line.contains("= index")).map(str::trim);
        steps.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn terms_are_steps_from_the_outside_in_and_the_constant_the_last() {
        let sum = "v5 = convert.sext v3.k\n  v6 = convert.sext v2.i\n  v7 = add v5, v6\n  v6 = add v7, -1i64";
        let once = sum.replace("v6 = add v7", "v8 = add v7").replace("v6 = convert", "v5 = convert");
        assert!(
            split_in_loop(&format!("{once}\n  v9 = index v0.a + v8 * 4"))
                .contains("v9 = index v0.a + v8 * 4")
        );
        let code = "v5 = convert.sext v3.k\n  v6 = convert.sext v2.i\n  v11 = index v0.a + v5 * 512\n  v9 = index v11 + v6 * 4 + 8";
        assert_eq!(
            split_in_loop(code),
            "v16 = index v0.a + v2.i * 4; v17 = index v16 + v3.k * 512; v9 = index v17 + 0i64 * 1 + 8"
        );
        let code = "v4 = mul v2.i, v1.n\n  v5 = convert.sext v3.k\n  v6 = convert.sext v4\n  v7 = sub v5, v6\n  \
                    v9 = index v0.a + v7 * 4 + 8";
        assert_eq!(
            split_in_loop(code),
            "v16 = index v0.a + v4 * -4; v17 = index v16 + v3.k * 4; v9 = index v17 + 0i64 * 1 + 8"
        );
    }

    #[test]
    fn multiples_of_sums_are_sums_of_multiples() {
        let code =
            "v5 = convert.sext v3.k\n  v6 = add v5, 2i64\n  v7 = mul v6, -8i64\n  v9 = index v0.a + v7 * 4";
        assert_eq!(split_in_loop(code), "v16 = index v0.a + v3.k * -32; v9 = index v16 + 0i64 * 1 - 64");
    }

    #[test]
    fn products_of_sums_by_what_all_threads_have_alike_are_sums_of_products() {
        let product = |sum: &str| {
            split_in_loop(&format!(
                "v5 = convert.sext v3.k\n  {sum}\n  v4 = mul v3.k, v3.k\n  v9 = index v0.a + v7 * 4"
            ))
        };
        assert_eq!(
            product("v6 = add v5, 3i64\n  v7 = mul v6, v13"),
            "v19 = index v0.a + v1.n * 12; v9 = index v19 + v18 * 4"
        );
        // Nothing of it is the same for all.
        assert_eq!(product("v6 = add v5, 3i64\n  v7 = mul v6, v5"), "v9 = index v0.a + v7 * 4");
        // Planes and rows: what is known of both is one step.
        assert_eq!(
            product("v6 = add v5, 1i64\n  v14 = mul v6, v13\n  v15 = sub v14, 2i64\n  v7 = mul v15, v13"),
            "v28 = index v0.a + v22 * 1; v9 = index v28 + v27 * 4"
        );
    }

    #[test]
    fn a_local_is_one_term_and_none_where_its_multiples_are_none() {
        let code =
            "v5 = convert.sext v3.k\n  v6 = mul v5, 8i64\n  v7 = add v5, v6\n  v9 = index v0.a + v7 * 4";
        assert_eq!(split_in_loop(code), "v9 = index v0.a + v3.k * 36");
        let code = "v5 = convert.sext v3.k\n  v11 = index v0.a + v5 * 32\n  v6 = mul v5, -4i64\n  \
                    v7 = add v6, 3i64\n  v9 = index v11 + v7 * 4";
        assert_eq!(split_in_loop(code), "v16 = index v0.a + v3.k * 16; v9 = index v16 + 0i64 * 1 + 12");
    }

    #[test]
    fn a_counter_of_a_merged_loop_has_one_value() {
        let text = "file file0 \"a.c\"\nsignature sig0 (ptr)\nfunction fn0.r sig0 internal\n  \
            region parallel of \"main\" dims(0, 1, 1, 1, 32) {\n    param \"a\" pointer present\n  } {\n  \
            params v0.a\n  locals v0.a: ptr\n  locals v1, v2: i32\n  locals v3: i1\n  locals v4: ptr\n  \
            loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 for v1 = 0i32, ult 64i32, step 1i32 {\n    \
            directive collapse 2 levels(vector)\n  }\nbb0:\n  v2 = copy 0i32\n  v1 = copy 0i32\n  jump bb1\n\
            bb1 loop0:\n  v3 = cmp.ult v1, 64i32\n  branch v3, bb2, bb3\nbb2 loop0:\n  v2 = lshr v1, 3i32\n  \
            v4 = index v0.a + v2 * 4\n  store.i32 [v4], v2\n  v1 = add v1, 1i32\n  jump bb1\nbb3:\n  return\n}\n";
        let mut module = parse(text).unwrap_or_else(|error| panic!("{error:?}"));
        let reached = crate::text::reach(&module).unwrap_or_else(|error| panic!("{error}"));
        run(&mut module, &reached);
        let text = print(&module);
        assert!(!text.contains("v2 = copy 0i32") && text.contains("v1 = copy 0i32"), "{text}");
    }

    #[test]
    fn what_changed_since_the_sum_was_made_is_no_term() {
        let code = "v5 = convert.sext v3.k\n  v7 = add v5, 2i64\n  v3.k = add v3.k, 3i32\n  v9 = index v0.a + v7 * 4";
        assert_eq!(split_in_loop(code), "v16 = index v0.a + v5 * 4; v9 = index v16 + 0i64 * 1 + 8");
        let code =
            "v5 = convert.sext v3.k\n  v7 = add v5, v8\n  v8 = add v8, 1i64\n  v9 = index v0.a + v7 * 4";
        assert_eq!(split_in_loop(code), "v9 = index v0.a + v7 * 4");
    }
}
