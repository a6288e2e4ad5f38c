//! Addresses whose subscript is a sum, as steps from address to address.
//!
//! Before: subscripts of 64 bits may be sums ([`crate::widen`]). After: each term is a step of its own, a
//! constant the last one:
//!
//! ```text
//!     before:  at = i * n + (k + 1) * 2;  p = x + at * 4
//!     after:   q = x + i * n * 4;  r = q + k * 8;  p = r + 8
//! ```
//!
//! Where one term changes in the innermost loop it comes behind the others, which can then stand in front of
//! the loop, unless these would be too many addresses. Where several do, they come first: neighbours of a
//! point share them.

use crate::ranges::{Place, Ranges};
use crate::text::Reached;
use accrue_ir::analysis::roots::{Root, Roots};
use accrue_ir::passes::dce;
use accrue_ir::{
    BinaryOp, Block, Body, ConvertOp, Function, Inst, Local, Module, Op, Operand, Type, map_below,
};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// Sums of more terms stay.
const MOST: usize = 6;

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
                    sum.order(&known, inside_first);
                    sum.steps(body, from, dst, |op| split.push(Inst { op, pos: inst.pos }));
                }
                _ => split.push(inst),
            }
        }
        body.blocks[block].insts = split;
    }
    dce::clean(body);
}

/// A local of 32 or 64 bits, and how many bytes for each.
type Term = (Local, i64);

/// What the addresses that a term leads to begin with, for each first base, and term that changes in the
/// deepest loop.
#[derive(Default)]
struct Bases(FxHashMap<(Local, Term), FxHashSet<Vec<Term>>>);

impl Bases {
    /// The term of a sum that alone changes in the deepest loop, and the terms around.
    fn apart(known: &Definitions, sum: &Sum) -> Option<(Term, Vec<Term>)> {
        let deepest = sum.deepest(known);
        let (inside, outside): (Vec<_>, Vec<_>) =
            sum.terms.iter().partition(|(local, _)| known.depths[*local] == deepest);
        let [inside] = inside[..] else { return None };
        Some((inside, outside))
    }

    fn add(&mut self, known: &Definitions, from: Operand, sum: &Sum) {
        if let Some(from) = from.as_local()
            && let Some((inside, outside)) = Bases::apart(known, sum)
        {
            self.0.entry((from, inside)).or_default().insert(outside);
        }
    }

    /// Whether there are too many bases for a register each.
    fn are_many(&self, known: &Definitions, from: Operand, sum: &Sum) -> bool {
        from.as_local()
            .zip(Bases::apart(known, sum))
            .and_then(|(from, (inside, _))| self.0.get(&(from, inside)))
            .is_some_and(|bases| bases.len() > MOST_BASES)
    }
}

/// Where locals get their values, and in how deep a loop they change.
struct Definitions {
    depths: SecondaryMap<Local, usize>,
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
        Definitions { depths, ranges }
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
        // A step may leave the object. What is in memory of the thread or gang is accessed by its name.
        if let Root::Slot(_) | Root::Scratch = roots.of(base) {
            return None;
        }
        let mut sum = Sum { place, terms: Vec::new(), constant: offset };
        if !sum.add(body, known, (subscript, scale), place) {
            return None;
        }
        let mut from = base;
        while let Some(inner) = sum.with_base(body, known, from) {
            (from, sum) = inner;
        }
        let is_one_step = sum.terms.is_empty() || from == base && sum.terms == [(local, scale)];
        (!is_one_step).then_some((from, sum))
    }

    /// The distance from what the base is made from, if the base is a step that changes in a deeper loop than
    /// the steps behind it: `y + k * n` of `(y + k * n)[j]`.
    fn with_base(&self, body: &Body, known: &Definitions, base: Operand) -> Option<(Operand, Sum)> {
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
        let mut inner = Sum { terms: Vec::new(), ..*self };
        if !inner.add(body, known, (index, scale), at) || inner.deepest(known) <= self.deepest(known) {
            return None;
        }
        inner.terms.extend(&self.terms);
        inner.constant = inner.constant.wrapping_add(offset);
        (inner.terms.len() <= MOST).then_some((base, inner))
    }

    /// The number of loops that the sum changes in.
    fn deepest(&self, known: &Definitions) -> usize {
        self.terms.iter().map(|&(local, _)| known.depths[local]).max().unwrap_or(0)
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
            let (terms, constant) = (self.terms.len(), self.constant);
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
            self.terms.truncate(terms);
            self.constant = constant;
        }
        let stays = known.stays(body, local, user, self.place);
        if stays {
            self.terms.push((local, factor));
        }
        stays
    }

    /// Puts the terms in the order of the steps.
    fn order(&mut self, known: &Definitions, inside_first: bool) {
        let depth = |&(local, _): &Term| known.depths[local];
        let deepest = self.deepest(known);
        let is_last = !inside_first && self.terms.iter().filter(|term| depth(term) == deepest).count() == 1;
        self.terms.sort_by_key(|term| if is_last { depth(term) } else { deepest - depth(term) });
    }

    /// Writes the steps, the last of which gives the address.
    fn steps(&self, body: &mut Body, mut from: Operand, last: Local, mut write: impl FnMut(Op)) {
        let constant = (self.constant != 0).then_some((Operand::Int(Type::I64, 0), 1, self.constant));
        let terms = self.terms.iter().map(|&(term, factor)| (Operand::Local(term), factor, 0));
        let mut steps = terms.chain(constant).peekable();
        while let Some((index, scale, offset)) = steps.next() {
            let dst = if steps.peek().is_some() { body.temp(Type::Ptr) } else { last };
            write(Op::Index { dst, base: from, index, scale, offset, extent: None });
            from = Operand::Local(dst);
        }
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
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n\
             bb0:\n  v3.k = copy 0i32\n  v8 = copy 5i64\n  jump bb1\n\
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
            "v12 = index v0.a + v2.i * 4; v13 = index v12 + v3.k * 512; v9 = index v13 + 0i64 * 1 + 8"
        );
        let code = "v4 = mul v2.i, v1.n\n  v5 = convert.sext v3.k\n  v6 = convert.sext v4\n  v7 = sub v5, v6\n  \
                    v9 = index v0.a + v7 * 4 + 8";
        assert_eq!(
            split_in_loop(code),
            "v12 = index v0.a + v4 * -4; v13 = index v12 + v3.k * 4; v9 = index v13 + 0i64 * 1 + 8"
        );
    }

    #[test]
    fn multiples_of_sums_are_sums_of_multiples() {
        let code =
            "v5 = convert.sext v3.k\n  v6 = add v5, 2i64\n  v7 = mul v6, -8i64\n  v9 = index v0.a + v7 * 4";
        assert_eq!(split_in_loop(code), "v12 = index v0.a + v3.k * -32; v9 = index v12 + 0i64 * 1 - 64");
    }

    #[test]
    fn what_changed_since_the_sum_was_made_is_no_term() {
        let code = "v5 = convert.sext v3.k\n  v7 = add v5, 2i64\n  v3.k = add v3.k, 3i32\n  v9 = index v0.a + v7 * 4";
        assert_eq!(split_in_loop(code), "v12 = index v0.a + v5 * 4; v9 = index v12 + 0i64 * 1 + 8");
        let code =
            "v5 = convert.sext v3.k\n  v7 = add v5, v8\n  v8 = add v8, 1i64\n  v9 = index v0.a + v7 * 4";
        assert_eq!(split_in_loop(code), "v9 = index v0.a + v7 * 4");
    }
}
