//! Addresses whose subscript is a sum, as steps from address to address.
//!
//! ```text
//!     before:  s = row + j; t = s - 1; p = index a + t * 8
//!     after:   q = index a + row * 8; p = index q + j * 8 - 8
//! ```
//!
//! Before: loops need their form no more. After: constants of subscripts are offsets, which accesses take for
//! nothing, and terms that an innermost loop does not change are steps of their own in front of the others:
//! code generation moves them in front of the loop. All terms must stand in the block of the address.
//!
//! GPUs have a pass of their own (`ptx-emit/src/addresses.rs`): it knows how large numbers are, which ones
//! all threads have alike and come with the launch, and leaves to the assembler what is computed where.

use crate::analysis::cfg::{Cfg, NaturalLoop};
use crate::entities::{Block, Local, map_below};
use crate::function::Body;
use crate::op::{BinaryOp, Inst, Op, Operand};
use crate::types::Type;
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;

/// Sums of more terms stay.
const MOST_TERMS: usize = 4;

/// Addresses in front of a loop, at most: each takes a register as long as the loop runs.
const MOST_BASES: usize = 5;

/// Runs the pass on a function.
pub(super) fn rewrite(body: &mut Body) {
    let is_sum = |inst: &Inst| matches!(inst.op, Op::Index { index: Operand::Local(_), .. });
    if !body.order.iter().any(|&block| body.blocks[block].insts.iter().any(is_sum)) {
        return;
    }
    let loops = Loops::of(body);
    let mut bases: FxHashMap<usize, Vec<(Operand, Vec<Local>, i64)>> = FxHashMap::default();
    for block in body.order.clone() {
        let innermost = loops.innermost[block];
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut all: Vec<Inst> = Vec::with_capacity(insts.len());
        // Where locals were last assigned in the block, among what is rewritten.
        let mut assigned: FxHashMap<Local, usize> = FxHashMap::default();
        for mut inst in insts {
            if let Op::Index { dst, base, index: Operand::Local(index), scale, offset, .. } = inst.op
                && body.locals[index].ty == Type::I64
                && let Some(sum) = Sum::of(&all, &assigned, index)
                && let Some(bytes) = sum.constant.checked_mul(scale)
                && let Some(offset) = offset.checked_add(bytes).filter(|sum| i32::try_from(*sum).is_ok())
            {
                let varies = |local: &Local| innermost.is_some_and(|n| loops.varying[n].contains(*local));
                let (moving, fixed): (Vec<Local>, Vec<Local>) =
                    sum.terms.iter().partition(|term| varies(term));
                let known = innermost.map(|number| bases.entry(number).or_default());
                let (mut base, mut terms) = (base, sum.terms.clone());
                if let Some(known) = known
                    && !moving.is_empty()
                    && !fixed.is_empty()
                    && base.as_local().is_none_or(|base| !varies(&base))
                {
                    let key = (base, fixed.clone(), scale);
                    let is_known = known.contains(&key);
                    if is_known || known.len() < MOST_BASES {
                        if !is_known {
                            known.push(key);
                        }
                        for term in fixed {
                            let dst = body.temp(Type::Ptr);
                            let index = Operand::Local(term);
                            let op = Op::Index { dst, base, index, scale, offset: 0, extent: None };
                            assigned.insert(dst, all.len());
                            all.push(Inst { op, pos: inst.pos });
                            base = Operand::Local(dst);
                        }
                        terms = moving;
                    }
                }
                // A sum that nothing is taken from stands there already.
                let index = match terms[..] {
                    [only] => only,
                    _ if terms.len() == sum.terms.len() && sum.constant == 0 => index,
                    _ => {
                        let mut so_far = terms[0];
                        for &term in &terms[1..] {
                            let sum = body.temp(Type::I64);
                            let (a, b) = (Operand::Local(so_far), Operand::Local(term));
                            assigned.insert(sum, all.len());
                            let op = Op::Binary { dst: sum, op: BinaryOp::Add, a, b };
                            all.push(Inst { op, pos: inst.pos });
                            so_far = sum;
                        }
                        so_far
                    }
                };
                inst.op = Op::Index { dst, base, index: Operand::Local(index), scale, offset, extent: None };
            }
            inst.op.defs(|local| _ = assigned.insert(local, all.len()));
            all.push(inst);
        }
        body.blocks[block].insts = all;
    }
}

/// A subscript as a sum.
struct Sum {
    /// In the order of their numbers, so that equal sums look alike.
    terms: Vec<Local>,
    constant: i64,
}

impl Sum {
    /// Of a local that the block of these instructions has assigned a sum to, if its terms have their values
    /// still.
    fn of(insts: &[Inst], assigned: &FxHashMap<Local, usize>, index: Local) -> Option<Sum> {
        let mut sum = Sum { terms: Vec::new(), constant: 0 };
        sum.add(insts, assigned, index, insts.len())?;
        sum.terms.sort_unstable_by_key(|term| term.as_u32());
        let is_sum = sum.terms.len() > 1 || sum.terms.first().is_some_and(|&term| term != index);
        (is_sum && !sum.terms.is_empty()).then_some(sum)
    }

    /// Adds the value that a local has in front of an instruction.
    fn add(
        &mut self,
        insts: &[Inst],
        assigned: &FxHashMap<Local, usize>,
        local: Local,
        before: usize,
    ) -> Option<()> {
        let place = assigned.get(&local).copied();
        if place.is_some_and(|place| place >= before) {
            return None;
        }
        let stays = |operand: Operand, place: usize| match operand {
            Operand::Local(term) => assigned.get(&term).is_none_or(|&assigned| assigned < place),
            Operand::Int(..) => true,
            _ => false,
        };
        match place.map(|place| (place, &insts[place].op)) {
            Some((place, &Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), a, b, .. }))
                if stays(a, place) && stays(b, place) =>
            {
                match (a, op, b) {
                    (Operand::Local(a), BinaryOp::Add, Operand::Local(b)) => {
                        self.add(insts, assigned, a, place)?;
                        self.add(insts, assigned, b, place)?;
                    }
                    (Operand::Local(a), _, Operand::Int(_, by)) => {
                        let by = if op == BinaryOp::Sub { by.checked_neg()? } else { by };
                        self.constant = self.constant.checked_add(by)?;
                        self.add(insts, assigned, a, place)?;
                    }
                    _ => self.terms.push(local),
                }
            }
            Some((place, &Op::Copy { src: src @ Operand::Local(source), .. })) if stays(src, place) => {
                self.add(insts, assigned, source, place)?;
            }
            _ => self.terms.push(local),
        }
        (self.terms.len() <= MOST_TERMS).then_some(())
    }
}

/// Innermost loops, found in the graph.
struct Loops {
    /// The number of the innermost loop that a block is in.
    innermost: SecondaryMap<Block, Option<usize>>,
    /// What changes from iteration to iteration.
    varying: Vec<EntitySet<Local>>,
}

impl Loops {
    fn of(body: &Body) -> Loops {
        let cfg = Cfg::new(body);
        let found = cfg.natural_loops();
        let mut innermost: SecondaryMap<Block, Option<usize>> = map_below(body.blocks.len());
        for (number, natural) in found.iter().enumerate() {
            natural.blocks.iter().for_each(|block| innermost[block] = Some(number));
        }
        let definitions = body.definitions();
        let varying = found.iter().map(|NaturalLoop { blocks, .. }| {
            let mut varying = body.assigned(blocks.iter());
            // Computed in front of the loop, in effect.
            for &block in cfg.reverse_postorder().iter().filter(|&&block| blocks.contains(block)) {
                for Inst { op, .. } in &body.blocks[block].insts {
                    let mut is_fixed = op.effects().pure && !op.effects().reads;
                    op.uses(|local| is_fixed &= !varying.contains(local));
                    if let Some(dst) = op.dst().filter(|&dst| is_fixed && definitions[dst] == 1) {
                        varying.remove(dst);
                    }
                }
            }
            varying
        });
        Loops { varying: varying.collect(), innermost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// A loop whose counter is `v2`, with this code, after the pass.
    fn after(code: &str) -> String {
        let text = format!(
            "signature sig0 (ptr, i64)\nfunction fn0.f sig0 external {{\n  params v0.a, v1.row\n  \
             locals v0.a: ptr\n  locals v1.row, v2.j, v3, v4, v5: i64\n  locals v6: ptr\n  locals v7: i1\n\
             bb0:\n  v2.j = copy 0i64\n  jump bb1\nbb1:\n{code}\n  v6 = index v0.a + v3 * 8\n  \
             store.i64 [v6], v1.row\n  v2.j = add v2.j, 1i64\n  v7 = cmp.lt v2.j, 9i64\n  \
             branch v7, bb1, bb2\nbb2:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        for function in module.functions.values_mut() {
            function.body.as_deref_mut().into_iter().for_each(rewrite);
        }
        crate::verify::verify(&module, "steps").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    #[test]
    fn what_a_loop_does_not_change_is_a_step_of_its_own() {
        let text = after("  v4 = add v1.row, v2.j\n  v3 = sub v4, 1i64");
        assert!(text.contains("v8 = index v0.a + v1.row * 8\n  v6 = index v8 + v2.j * 8 - 8\n"), "{text}");
        let text = after("  v5 = mul v1.row, 3i64\n  v3 = add v2.j, v5");
        assert!(text.contains("v8 = index v0.a + v5 * 8\n  v6 = index v8 + v2.j * 8\n"), "{text}");
    }

    #[test]
    fn constants_are_offsets() {
        let text = after("  v4 = add v2.j, 5i64\n  v5 = copy v4\n  v3 = sub v5, 7i64");
        assert!(text.contains("v6 = index v0.a + v2.j * 8 - 16\n"), "{text}");
    }

    #[test]
    fn values_from_before_stay() {
        for code in [
            // The term has another value by now.
            "  v3 = add v2.j, 1i64\n  v2.j = add v2.j, 2i64",
            "  v4 = add v2.j, 1i64\n  v3 = copy v4\n  v4 = copy 7i64\n  v2.j = add v2.j, 2i64",
            // Too far for an offset.
            "  v3 = add v2.j, 4294967296i64",
            // No sum.
            "  v3 = mul v2.j, 8i64",
            "  v3 = sub v1.row, v2.j",
        ] {
            let text = after(code);
            assert!(text.contains("v6 = index v0.a + v3 * 8\n"), "{text}");
        }
    }
}
