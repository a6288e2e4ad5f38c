//! Counters of loops that subscripts extend to 64 bits, as counters of 64 bits.
//!
//! ```text
//!     before:  i = 0;  i < n?  yes: x = sext i; a[x] = 0; t = i + 1; i = t
//!     after:   w = 0; m = sext n;  w < m?  yes: x = w; a[x] = 0; w = w + 1
//! ```
//!
//! A signed counter does not overflow. Counters that are used otherwise, too, are kept beside the new ones in
//! innermost loops: there it matters how far apart the subscripts of two iterations are.

use crate::entities::{Block, Local, Loop, map_below};
use crate::function::Body;
use crate::op::{BinaryOp, CmpOp, ConvertOp, Inst, Op, Operand};
use crate::passes::dce;
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Functions of more blocks stay: each counter is looked for in all of them.
const MOST_BLOCKS: usize = 2000;

/// Rewrites the counters of a function of the host.
pub(super) fn widen(body: &mut Body) {
    // What a construct takes over and what directives say of counters is not for this pass to change.
    if body.loops.is_empty() || !body.constructs.is_empty() || body.order.len() > MOST_BLOCKS {
        return;
    }
    // The sums of 32 bits that subscripts were made of before.
    dce::remove_only(body);
    let Uses { named, definitions, extended } = Uses::of(body);
    let found: Vec<Counter> = extended
        .iter()
        .filter(|&iv| body.locals[iv].ty == Type::I32 && !named.contains(iv))
        .filter_map(|iv| Counter::of(body, iv, &definitions))
        .collect();
    found.iter().for_each(|counter| counter.rewrite(body));
}

/// How locals are used.
struct Uses {
    /// Those that parameters, loops or clauses name.
    named: EntitySet<Local>,
    /// Where each is assigned.
    definitions: SecondaryMap<Local, Vec<(Block, usize)>>,
    /// Those of 32 bits that are extended with their sign.
    extended: EntitySet<Local>,
}

impl Uses {
    fn of(body: &Body) -> Uses {
        let mut named = EntitySet::with_capacity(body.locals.len());
        body.annotations(|part| match part {
            Part::Value(Operand::Local(local)) | Part::Variable(Operand::Local(local)) => {
                _ = named.insert(*local);
            }
            Part::Address(address) => _ = address.base.as_local().map(|local| named.insert(local)),
            Part::NamedLocal(local) | Part::Def(local) => _ = named.insert(*local),
            _ => {}
        });
        body.params.iter().for_each(|&param| _ = named.insert(param));
        let mut definitions: SecondaryMap<Local, Vec<(Block, usize)>> = map_below(body.locals.len());
        let mut extended = EntitySet::with_capacity(body.locals.len());
        for &block in &body.order {
            for (index, inst) in body.blocks[block].insts.iter().enumerate() {
                inst.op.defs(|local| definitions[local].push((block, index)));
                if let Op::Convert { op: ConvertOp::SExt, src: Operand::Local(src), dst } = inst.op
                    && body.locals[dst].ty == Type::I64
                {
                    extended.insert(src);
                }
            }
        }
        Uses { named, definitions, extended }
    }
}

/// A counter of 32 bits.
struct Counter {
    iv: Local,
    loop_: Loop,
    /// Bounds that it is compared with in the loop, which changes none of them.
    bounds: Vec<Operand>,
    /// Nothing else uses it, so that the wide one takes its place.
    is_replaced: bool,
}

impl Counter {
    fn of(body: &Body, iv: Local, definitions: &SecondaryMap<Local, Vec<(Block, usize)>>) -> Option<Counter> {
        let stepped = |&(block, index): &(Block, usize)| step_of(body, iv, (block, index), definitions);
        let all = &definitions[iv];
        let steps: Vec<(Block, usize)> = all.iter().copied().filter(|at| stepped(at).is_some()).collect();
        let (&[(latch, _)], 2..=3) = (&steps[..], all.len()) else { return None };
        let loop_ = body.blocks[latch].loop_?;
        let is_inside = |block: Block| body.loop_is_within(body.blocks[block].loop_, loop_);
        let starts_outside = all.iter().all(|at| *at == steps[0] || !is_inside(at.0));
        if !starts_outside
            || body.loops_around(Some(loop_)).any(|around| body.loops[around].directive.is_some())
        {
            return None;
        }
        let changes = |local: Local| definitions[local].iter().any(|at| is_inside(at.0));
        let (mut bounds, mut is_subscript, mut others) = (Vec::new(), false, 0usize);
        for &block in &body.order {
            let data = &body.blocks[block];
            for (index, inst) in data.insts.iter().enumerate() {
                let mut count = 0;
                inst.op.uses(|local| count += usize::from(local == iv));
                if count == 0 {
                    continue;
                }
                match inst.op {
                    Op::Convert { op: ConvertOp::SExt, dst, .. } if body.locals[dst].ty == Type::I64 => {
                        is_subscript |= is_inside(block);
                        others += usize::from(!is_inside(block));
                    }
                    Op::Compare { op, a, b, .. } if is_inside(block) && count == 1 && is_signed(op) => {
                        let bound = if a == Operand::Local(iv) { b } else { a };
                        match bound {
                            Operand::Int(..) => {}
                            Operand::Local(local) if !changes(local) => bounds.push(bound),
                            _ => others += 1,
                        }
                    }
                    Op::Binary { dst, .. }
                        if definitions[iv].contains(&(block, index + 1))
                            && step_of(body, iv, (block, index + 1), definitions).is_some()
                            && uses_of(body, dst) == 1 => {}
                    _ => others += count,
                }
            }
            data.term.uses(|local| others += usize::from(local == iv));
        }
        let is_innermost = || !body.loops.values().any(|data| data.parent == Some(loop_));
        let is_replaced = others == 0;
        (is_subscript && (is_replaced || is_innermost())).then_some(Counter {
            iv,
            loop_,
            bounds,
            is_replaced,
        })
    }

    fn rewrite(&self, body: &mut Body) {
        let (iv, wide) = (self.iv, body.temp(Type::I64));
        let mut wide_bounds: Vec<(Operand, Local)> = Vec::new();
        if self.is_replaced {
            let (preheader, pos) = (body.loops[self.loop_].preheader, body.loops[self.loop_].pos);
            for &src in &self.bounds {
                if wide_bounds.iter().all(|(known, _)| *known != src) {
                    let dst = body.temp(Type::I64);
                    let op = Op::Convert { dst, op: ConvertOp::SExt, src };
                    body.blocks[preheader].insts.push(Inst { op, pos });
                    wide_bounds.push((src, dst));
                }
            }
        }
        let widened = |operand: Operand| match operand {
            Operand::Local(local) if local == iv => Operand::Local(wide),
            Operand::Int(_, value) => Operand::Int(Type::I64, i64::from(value as i32)),
            _ => wide_bounds
                .iter()
                .find(|(known, _)| *known == operand)
                .map_or(operand, |(_, wide)| Operand::Local(*wide)),
        };
        for block in body.order.clone() {
            let is_inside = body.loop_is_within(body.blocks[block].loop_, self.loop_);
            let insts = std::mem::take(&mut body.blocks[block].insts);
            let mut all: Vec<Inst> = Vec::with_capacity(insts.len() + 1);
            for mut inst in insts {
                let pos = inst.pos;
                match inst.op {
                    Op::Convert { op: ConvertOp::SExt, src: Operand::Local(src), dst }
                        if src == iv && is_inside && body.locals[dst].ty == Type::I64 =>
                    {
                        inst.op = Op::Copy { dst, src: Operand::Local(wide) };
                    }
                    Op::Compare { ref mut a, ref mut b, .. }
                        if self.is_replaced && [*a, *b].contains(&Operand::Local(iv)) =>
                    {
                        (*a, *b) = (widened(*a), widened(*b));
                    }
                    _ => {}
                }
                if inst.op.dst() != Some(iv) {
                    all.push(inst);
                    continue;
                }
                // The only assignment inside is the step.
                let step = all.last().and_then(|last| constant_step(&last.op, iv)).filter(|_| is_inside);
                if let Some((op, by)) = step {
                    if self.is_replaced {
                        all.pop();
                    } else {
                        all.push(inst);
                    }
                    let by = Operand::Int(Type::I64, by);
                    let op = Op::Binary { dst: wide, op, a: Operand::Local(wide), b: by };
                    all.push(Inst { op, pos });
                    continue;
                }
                all.push(inst);
                let extend = Op::Convert { dst: wide, op: ConvertOp::SExt, src: Operand::Local(iv) };
                let op = match all.last().map(|last| &last.op) {
                    Some(&Op::Copy { src: Operand::Int(_, value), .. }) => {
                        Op::Copy { dst: wide, src: Operand::Int(Type::I64, i64::from(value as i32)) }
                    }
                    _ => extend,
                };
                all.push(Inst { op, pos });
            }
            body.blocks[block].insts = all;
        }
    }
}

fn is_signed(op: CmpOp) -> bool {
    matches!(op, CmpOp::Eq | CmpOp::Ne | CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge)
}

fn uses_of(body: &Body, local: Local) -> usize {
    let mut count = 0;
    for &block in &body.order {
        let data = &body.blocks[block];
        data.insts.iter().for_each(|inst| inst.op.uses(|used| count += usize::from(used == local)));
        data.term.uses(|used| count += usize::from(used == local));
    }
    count
}

/// What an operation adds to or subtracts from a counter.
fn constant_step(op: &Op, iv: Local) -> Option<(BinaryOp, i64)> {
    match *op {
        Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), a, b: Operand::Int(_, by), .. }
            if a == Operand::Local(iv) =>
        {
            Some((op, by))
        }
        _ => None,
    }
}

/// The step that an assignment to a counter is, which copies the sum computed right in front of it.
fn step_of(
    body: &Body,
    iv: Local,
    (block, index): (Block, usize),
    definitions: &SecondaryMap<Local, Vec<(Block, usize)>>,
) -> Option<(BinaryOp, i64)> {
    let insts = &body.blocks[block].insts;
    let Op::Copy { src: Operand::Local(sum), .. } = insts[index].op else { return None };
    let sum_op = &insts[index.checked_sub(1)?].op;
    if sum_op.dst() != Some(sum) || definitions[sum].len() != 1 {
        return None;
    }
    constant_step(sum_op, iv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// A loop from 3 to `bound` with a step, a body and code behind it, after the pass.
    fn after([bound, step, inside, behind]: [&str; 4]) -> String {
        let text = format!(
            "signature sig0 (ptr, i32)\nfunction fn0.f sig0 external {{\n  params v0.a, v1.n\n  \
             locals v0.a: ptr\n  locals v1.n, v2.i, v3, v4: i32\n  locals v5: i64\n  locals v6: ptr\n  \
             locals v7: i1\n  locals v8: f64\n  loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4\nbb0:\n  \
             v2.i = copy 3i32\n  jump bb1\nbb1 loop0:\n  v7 = cmp.lt v2.i, {bound}\n  branch v7, bb2, bb4\n\
             bb2 loop0:\n  v5 = convert.sext v2.i\n  v6 = index v0.a + v5 * 4\n  store.i32 [v6], v1.n\n{inside}  \
             jump bb3\nbb3 loop0:\n{step}  jump bb1\nbb4:\n{behind}  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        for function in module.functions.values_mut() {
            function.body.as_deref_mut().into_iter().for_each(widen);
        }
        crate::verify::verify(&module, "widen").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    const STEP: &str = "  v3 = add v2.i, 1i32\n  v2.i = copy v3\n";

    #[test]
    fn a_counter_of_subscripts_is_one_of_64_bits() {
        let text = after(["v1.n", STEP, "", ""]);
        assert!(text.contains("v9 = copy 3i64\n  v10 = convert.sext v1.n\n  jump bb1\n"), "{text}");
        assert!(text.contains("v7 = cmp.lt v9, v10\n"), "{text}");
        assert!(text.contains("v5 = copy v9\n"), "{text}");
        assert!(text.contains("bb3 loop0:\n  v9 = add v9, 1i64\n  jump bb1\n"), "{text}");
        let text = after(["-5i32", "  v3 = sub v2.i, 2i32\n  v2.i = copy v3\n", "", ""]);
        assert!(text.contains("v7 = cmp.lt v9, -5i64\n"), "{text}");
        assert!(text.contains("v9 = sub v9, 2i64\n"), "{text}");
    }

    #[test]
    fn what_else_uses_the_counter_has_it_still() {
        for (bound, step, inside, behind) in [
            ("v1.n", STEP, "  v8 = convert.stof v2.i\n  store.f64 [v0.a], v8\n", ""),
            ("v1.n", STEP, "", "  store.i32 [v0.a], v2.i\n"),
            ("v1.n", STEP, "  v1.n = sub v1.n, 1i32\n", ""),
            ("v1.n", "  v3 = add v2.i, 1i32\n  v2.i = copy v3\n  store.i32 [v0.a], v3\n", "", ""),
        ] {
            let text = after([bound, step, inside, behind]);
            assert!(text.contains("v7 = cmp.lt v2.i, v1.n\n"), "{text}");
            assert!(text.contains("v2.i = copy v3\n  v9 = add v9, 1i64\n"), "{text}");
            assert!(text.contains("v5 = copy v9\n"), "{text}");
        }
    }

    #[test]
    fn other_variables_stay() {
        for (step, inside) in [
            // Moved twice, or by what the run tells.
            (STEP, "  v4 = add v2.i, 1i32\n  v2.i = copy v4\n"),
            ("  v3 = add v2.i, v1.n\n  v2.i = copy v3\n", ""),
            ("  v3 = mul v2.i, 2i32\n  v2.i = copy v3\n", ""),
            // An unsigned one may wrap around.
            ("  v4 = convert.bits v2.i\n  v3 = add v4, 1i32\n  v2.i = copy v3\n", ""),
        ] {
            let text = after(["v1.n", step, inside, ""]);
            assert!(text.contains("v5 = convert.sext v2.i\n"), "{text}");
        }
    }
}
