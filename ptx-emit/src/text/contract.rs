//! Contraction of `a * b + c` to one rounding, on request: a product whose only use is a sum or difference further down in
//! its block, with its factors unchanged until there. In an unrolled loop a local is a product several times, and each
//! of them must have its sum.

use super::Result;
use super::function::{FunctionWriter, ins};
use super::register::Class;
use accrue_ir::*;
use cranelift_entity::SecondaryMap;

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
        let mut pairs = SecondaryMap::<Local, u32>::new();
        for &block in &body.order {
            let insts = &body.blocks[block].insts;
            for (index, inst) in insts.iter().enumerate() {
                let Op::Binary { dst, op: BinaryOp::Mul, a, b } = inst.op else { continue };
                let is_float = matches!(body.locals[dst].ty, Type::F32 | Type::F64);
                let sum = sum_after(&insts[index + 1..], dst, [a, b]);
                let is_free = self.is_free(inst.pos) && sum.is_some_and(|sum| self.is_free(sum.pos));
                if is_float && uses[dst] == defs[dst] && is_free {
                    pairs[dst] += 1;
                    self.contractible[dst] = pairs[dst] == defs[dst];
                }
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

    fn negated(&mut self, class: Class, value: super::register::Value) -> super::register::Value {
        let (value, negative) = (self.in_register(class, value), self.temp(class));
        ins!(self, "neg.{} {negative}, {value}", class.name());
        negative.into()
    }
}

/// The sum that uses the product once and comes before anything that changes its factors or the product.
fn sum_after(insts: &[Inst], product: Local, factors: [Operand; 2]) -> Option<&Inst> {
    for inst in insts {
        let mut used = 0;
        inst.op.uses(|local| used += u32::from(local == product));
        if used > 0 {
            let is_sum = matches!(inst.op, Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. });
            return Some(inst).filter(|_| used == 1 && is_sum);
        }
        let mut changed = false;
        inst.op.defs(|local| changed |= local == product || factors.contains(&Operand::Local(local)));
        if changed {
            return None;
        }
    }
    None
}
