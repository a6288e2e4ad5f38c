//! Rounds a product and the sum that takes it once: `a * b + c` becomes one operation, as every compiler for
//! GPUs does it unless it is told not to (C11, 6.5, paragraph 8, leaves it to the implementation).
//!
//! A product is contracted if its only use is a sum or difference further down in its block, and its factors
//! are unchanged until there. Of `a * b + c * d` the first product is contracted, and the other is the
//! addend. Code that regions execute is contracted, functions that they call included, and no other: the host
//! computes what a device does, bit for bit, since both have this pass behind the same passes; and C code
//! without regions what other compilers for the host make of it. The device's library, which relies on its
//! roundings, is linked later.
//!
//! With `-ffast-math` the host contracts the rest of its code at the end ([`contract_rest`]), vectors
//! included.

use super::env::Env;
use super::reach;
use crate::builder::Cursor;
use crate::entities::{Block, Func, Local, map_below};
use crate::function::Body;
use crate::module::Module;
use crate::op::{BinaryOp, Inst, Op, Operand, UnaryOp};
use crate::report::PassError;
use crate::types::Type;
use cranelift_entity::SecondaryMap;

/// Runs the pass.
pub fn run(module: &mut Module, _: &mut Env<'_>) -> Result<(), PassError> {
    let of_device = reach::of_device(module);
    for (func, function) in module.functions.iter_mut() {
        if let Some(body) = function.body.as_mut().filter(|_| of_device[func]) {
            contract(body, Chains::Contracted);
        }
    }
    Ok(())
}

/// Contracts what is left of a function of the host, where the user wants all of it contracted.
pub fn contract_rest(_: &Module, _: Func, body: &mut Body) {
    contract(body, Chains::Left);
}

/// What becomes of sums that go from one iteration to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chains {
    Contracted,
    /// They stay sums: their product is ready before the sum of the iteration before is, and the operation
    /// that computes both has a longer latency on the host, where its result has to be moved besides.
    Left,
}

fn contract(body: &mut Body, chains: Chains) {
    let is_product = |inst: &Inst| matches!(inst.op, Op::Binary { op: BinaryOp::Mul, dst, .. } if !body.locals[dst].ty.is_int());
    if !body.order.iter().any(|&block| body.blocks[block].insts.iter().any(is_product)) {
        return;
    }
    let [mut uses, mut defs]: [SecondaryMap<Local, u32>; 2] = [(); 2].map(|()| map_below(body.locals.len()));
    for &block in &body.order {
        let data = &body.blocks[block];
        for inst in &data.insts {
            inst.op.uses(|local| uses[local] += 1);
            inst.op.defs(|local| defs[local] += 1);
        }
        data.term.uses(|local| uses[local] += 1);
    }
    for block in body.order.clone() {
        let is_scalar = |local: Local| matches!(body.locals[local].ty, Type::F32 | Type::F64);
        let is_vector = |local: Local| matches!(body.locals[local].ty, Type::F32x4 | Type::F64x2);
        let is_float = |local: Local| is_scalar(local) || is_vector(local);
        let insts = &body.blocks[block].insts;
        let stays = |sum: usize, product: Local| {
            chains == Chains::Left && is_scalar(product) && is_carried(insts, sum, product, &defs)
        };
        let mut sums: Vec<Sum> = Vec::new();
        for (at, inst) in insts.iter().enumerate() {
            let Op::Binary { dst, op: BinaryOp::Mul, a, b } = inst.op else { continue };
            if is_float(dst)
                && (uses[dst], defs[dst]) == (1, 1)
                && let Some(sum) = sum_after(insts, at, dst, [a, b])
                && !stays(sum, dst)
                && sums.iter().all(|other| other.at != sum)
            {
                sums.push(Sum { at: sum, product: at, factors: [a, b], value: dst });
            }
        }
        if !sums.is_empty() {
            rewrite(body, block, &sums);
        }
    }
}

/// A sum, and the product that it takes.
struct Sum {
    /// Where it stands in its block.
    at: usize,
    /// Where the product stands.
    product: usize,
    factors: [Operand; 2],
    value: Local,
}

/// Whether a sum adds the product to a local that has other definitions, or to a copy of one.
fn is_carried(insts: &[Inst], sum: usize, product: Local, defs: &SecondaryMap<Local, u32>) -> bool {
    let Op::Binary { a, b, .. } = insts[sum].op else { return false };
    let addend = if a == Operand::Local(product) { b } else { a };
    let copied = insts[..sum].iter().rev().find_map(|inst| match inst.op {
        Op::Copy { dst, src } if addend == Operand::Local(dst) => Some(src),
        _ => None,
    });
    [Some(addend), copied]
        .iter()
        .flatten()
        .any(|operand| operand.as_local().is_some_and(|local| defs[local] > 1))
}

/// Where the sum is that uses the product at `index` once and comes before anything that changes its factors.
fn sum_after(insts: &[Inst], index: usize, product: Local, factors: [Operand; 2]) -> Option<usize> {
    for (at, inst) in insts.iter().enumerate().skip(index + 1) {
        let mut uses = false;
        inst.op.uses(|local| uses |= local == product);
        if uses {
            let is_sum = matches!(inst.op, Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. });
            return is_sum.then_some(at);
        }
        let mut changes = false;
        inst.op.defs(|local| changes |= factors.contains(&Operand::Local(local)));
        if changes {
            return None;
        }
    }
    None
}

fn rewrite(body: &mut Body, block: Block, sums: &[Sum]) {
    let insts = std::mem::take(&mut body.blocks[block].insts);
    for (at, inst) in insts.into_iter().enumerate() {
        if sums.iter().any(|sum| sum.product == at) {
            continue;
        }
        match (sums.iter().find(|sum| sum.at == at), &inst.op) {
            (Some(sum), &Op::Binary { dst, op, a, b }) => {
                let mut cursor = Cursor::with_pos(body, block, inst.pos);
                let mut negated = |operand| match operand {
                    Operand::F32(bits) => Operand::f32(-f32::from_bits(bits)),
                    Operand::F64(bits) => Operand::f64(-f64::from_bits(bits)),
                    operand => cursor.unary(UnaryOp::Neg, operand),
                };
                let [x, y] = sum.factors;
                let is_first = a == Operand::Local(sum.value);
                let (x, c) = match (op, is_first) {
                    (BinaryOp::Sub, true) => (x, negated(b)),
                    (BinaryOp::Sub, false) => (negated(x), a),
                    (_, true) => (x, b),
                    (_, false) => (x, a),
                };
                cursor.op(Op::Fma { dst, a: x, b: y, c });
            }
            _ => body.blocks[block].insts.push(inst),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    fn contracted(ops: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr)\nfunction fn0.r sig0 internal\n  region parallel of \"main\" \
             dims(0, 1, 1, 1, 1) {{\n    param \"p\" pointer deviceptr bytes 0\n  }} {{\n  params v0.p\n  \
             locals v0.p: ptr\n  locals v1, v2, v3, v4: f64\n  locals v5: i32\nbb0:\n  v1 = load [v0.p]\n  \
             v2 = load [v0.p + 8]\n{ops}  store.f64 [v0.p], v4\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let body = module.functions.values_mut().next().and_then(|f| f.body.as_mut()).expect("a body");
        contract(body, Chains::Contracted);
        crate::verify::verify(&module, "contract").unwrap_or_else(|errors| panic!("{errors}"));
        let text = print(&module);
        let from = text.find("v2 = load").and_then(|at| text[at..].find('\n').map(|end| at + end + 1));
        text[from.unwrap_or(0)..text.find("  store.f64").unwrap_or(0)].to_owned()
    }

    #[test]
    fn a_sum_takes_the_product_in_front_of_it() {
        for (sum, expected) in [
            ("add v3, v1", "  v4 = fma v1, v2, v1\n"),
            ("add v2, v3", "  v4 = fma v1, v2, v2\n"),
            ("sub v3, v1", "  v6 = neg v1\n  v4 = fma v1, v2, v6\n"),
            ("sub v3, 2.0f64", "  v4 = fma v1, v2, -2.0f64\n"),
            ("sub v2, v3", "  v6 = neg v1\n  v4 = fma v6, v2, v2\n"),
        ] {
            assert_eq!(contracted(&format!("  v3 = mul v1, v2\n  v4 = {sum}\n")), expected, "{sum}");
        }
    }

    #[test]
    fn of_two_products_the_first_is_contracted() {
        for (sum, expected) in [("add v3, v4", "v4"), ("add v4, v3", "v4")] {
            let text = contracted(&format!("  v3 = mul v1, v2\n  v4 = mul v1, v1\n  v4 = {sum}\n"));
            assert_eq!(text, format!("  v4 = mul v1, v1\n  v4 = fma v1, v2, {expected}\n"), "{sum}");
        }
    }

    #[test]
    fn products_with_other_uses_or_changed_factors_stay() {
        for ops in [
            "  v3 = mul v1, v2\n  v4 = add v3, v3\n",
            "  v3 = mul v1, v2\n  v4 = fdiv v3, v1\n",
            "  v3 = mul v1, v2\n  v4 = add v3, v1\n  v4 = add v4, v3\n",
            "  v3 = mul v1, v2\n  v1 = copy 1.0f64\n  v4 = add v3, v1\n",
            "  v3 = mul v1, v2\n  jump bb1\nbb1:\n  v4 = add v3, v1\n",
        ] {
            assert_eq!(contracted(ops), ops);
        }
    }
}
