//! Contraction of `a * b + c` to one rounding, on request: a product whose only use is a sum or difference
//! further down in its block, with its factors unchanged until there. In an unrolled loop a local is a
//! product several times, and each of them must have its sum. Of `a * b + c * d` one product is contracted,
//! the first; the other is its addend.

use super::error::Result;
use super::function::{FunctionWriter, ins};
use super::register::Class;
use accrue_ir::*;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

impl FunctionWriter<'_, '_> {
    /// Finds the products that will not be computed by themselves.
    pub(super) fn find_contractible(&mut self) {
        let body = self.body;
        let (mut uses, mut defs) = (SecondaryMap::<Local, u32>::new(), SecondaryMap::<Local, u32>::new());
        for &block in &body.order {
            let data = &body.blocks[block];
            for inst in &data.insts {
                inst.op.uses(|local| uses[local] += 1);
                inst.op.defs(|local| defs[local] += 1);
            }
            data.term.uses(|local| uses[local] += 1);
        }
        let mut sums = SecondaryMap::<Local, Vec<(Block, usize)>>::new();
        let mut products: Vec<Local> = Vec::new();
        for &block in &body.order {
            let insts = &body.blocks[block].insts;
            for (index, inst) in insts.iter().enumerate() {
                let Op::Binary { dst, op: BinaryOp::Mul, a, b } = inst.op else { continue };
                let is_float = matches!(body.locals[dst].ty, Type::F32 | Type::F64);
                if is_float
                    && uses[dst] == defs[dst]
                    && self.is_free(inst.pos)
                    && let Some(sum) = sum_after(insts, index, dst, [a, b])
                    && self.is_free(insts[sum].pos)
                {
                    sums[dst].push((block, sum));
                    products.extend((sums[dst].len() == 1).then_some(dst));
                }
            }
        }
        let mut taken: FxHashSet<(Block, usize)> = FxHashSet::default();
        for product in products {
            let has_all = sums[product].len() == defs[product] as usize;
            if has_all && sums[product].iter().all(|sum| !taken.contains(sum)) {
                taken.extend(&sums[product]);
                self.contractible[product] = true;
            }
        }
    }

    /// Puts a product off to its sum, or writes the sum with it; says whether it did.
    pub(super) fn fuse(&mut self, dst: Local, op: BinaryOp, a: Operand, b: Operand) -> Result<bool> {
        if !self.contracts() {
            return Ok(false);
        }
        if op == BinaryOp::Mul && self.contractible[dst] {
            self.fused[dst] = Some((a, b));
            return Ok(true);
        }
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return Ok(false);
        }
        let product = |w: &mut Self, operand: Operand| match operand {
            Operand::Local(local) => w.fused[local].take(),
            _ => None,
        };
        if let Some((x, y)) = product(self, a) {
            let (x, y) = (self.value(x)?, self.value(y)?);
            let mut addend = self.value(b)?;
            if op == BinaryOp::Sub {
                let class = self.class(self.type_of(b))?;
                addend = self.negated(class, addend);
            }
            let dst = self.local(dst)?;
            self.fused_multiply_add(dst, x, y, addend);
            return Ok(true);
        }
        if let Some((x, y)) = product(self, b) {
            let (mut x, y, addend) = (self.value(x)?, self.value(y)?, self.value(a)?);
            if op == BinaryOp::Sub {
                let class = self.class(self.type_of(a))?;
                x = self.negated(class, x);
            }
            let dst = self.local(dst)?;
            self.fused_multiply_add(dst, x, y, addend);
            return Ok(true);
        }
        Ok(false)
    }

    fn negated(&mut self, class: Class, value: super::operand::Value) -> super::operand::Value {
        let (value, negative) = (self.in_register(class, value), self.temp(class));
        ins!(self, "neg.{} {negative}, {value}", class.name());
        negative.into()
    }
}

/// Where the sum is that uses the product at `index` once and comes before anything that changes its factors
/// or the product.
fn sum_after(insts: &[Inst], index: usize, product: Local, factors: [Operand; 2]) -> Option<usize> {
    for (at, inst) in insts.iter().enumerate().skip(index + 1) {
        let mut used = 0;
        inst.op.uses(|local| used += u32::from(local == product));
        if used > 0 {
            let is_sum = matches!(inst.op, Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. });
            return Some(at).filter(|_| used == 1 && is_sum);
        }
        let mut changed = false;
        inst.op.defs(|local| changed |= local == product || factors.contains(&Operand::Local(local)));
        if changed {
            return None;
        }
    }
    None
}
