//! Multiplies by reciprocals instead of dividing, as `-ffast-math` permits.
//!
//! Before: any code. After: a floating-point division by a constant is a product with the constant's
//! reciprocal, and a division in a loop by what the loop does not change is one with a reciprocal that the
//! code generator takes out of the loop: `x / c` has the latency of a division in each iteration, and
//! `x * (1 / c)` that of a product.
//!
//! A constant whose reciprocal is no normal number stays a divisor.

use crate::analysis::loops::Nest;
use crate::builder::Cursor;
use crate::entities::{Func, Local, Loop};
use crate::function::Body;
use crate::module::Module;
use crate::op::{BinaryOp, Op, Operand};
use crate::types::Type;
use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;

/// Runs the pass.
pub fn run(_: &Module, _: Func, body: &mut Body) {
    let is_quotient = |op: &Op| matches!(op, Op::Binary { op: BinaryOp::FDiv, .. });
    let divides = |block| body.blocks[block].insts.iter().any(|inst| is_quotient(&inst.op));
    let blocks: Vec<_> = body.order.iter().copied().filter(|&block| divides(block)).collect();
    if blocks.is_empty() {
        return;
    }
    let nest = Nest::new(body);
    let mut changed: FxHashMap<Loop, EntitySet<Local>> = FxHashMap::default();
    for block in blocks {
        if let Some(loop_) = body.blocks[block].loop_ {
            changed.entry(loop_).or_insert_with(|| body.assigned(nest.blocks(loop_)));
        }
        let changed = body.blocks[block].loop_.map(|loop_| &changed[&loop_]);
        for mut inst in std::mem::take(&mut body.blocks[block].insts) {
            if let Op::Binary { dst, op: BinaryOp::FDiv, a, b } = inst.op
                && let Some(one) = one(body.locals[dst].ty).filter(|&one| one != a)
                && let Some(reciprocal) = match b {
                    Operand::F32(bits) => of_float(f32::from_bits(bits)),
                    Operand::F64(bits) => of_double(f64::from_bits(bits)),
                    Operand::Local(local) => changed
                        .filter(|changed| !changed.contains(local))
                        .map(|_| Cursor::with_pos(body, block, inst.pos).binary(BinaryOp::FDiv, one, b)),
                    _ => None,
                }
            {
                inst.op = Op::Binary { dst, op: BinaryOp::Mul, a, b: reciprocal };
            }
            body.blocks[block].insts.push(inst);
        }
    }
}

/// The one of a type that there are reciprocals of.
fn one(ty: Type) -> Option<Operand> {
    match ty {
        Type::F32 => Some(Operand::f32(1.0)),
        Type::F64 => Some(Operand::f64(1.0)),
        _ => None,
    }
}

/// The reciprocal of a constant, if both are normal numbers.
fn of_float(divisor: f32) -> Option<Operand> {
    let reciprocal = divisor.recip();
    (divisor.is_normal() && reciprocal.is_normal()).then_some(Operand::f32(reciprocal))
}

fn of_double(divisor: f64) -> Option<Operand> {
    let reciprocal = divisor.recip();
    (divisor.is_normal() && reciprocal.is_normal()).then_some(Operand::f64(reciprocal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// What a loop does that divides `v4` by `by`; `v5` is loaded in each iteration, `v6` in front of it.
    fn rewritten(by: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, i32)\nfunction fn0.f sig0 external {{\n  params v0.p, v1.n\n  \
             locals v0.p: ptr\n  locals v1.n, v2.i: i32\n  locals v3: i1\n  locals v4, v5, v6, v7: f64\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4\nbb0:\n  v6 = load [v0.p]\n  v2.i = copy 0i32\n  jump bb1\n\
             bb1 loop0:\n  v3 = cmp.lt v2.i, v1.n\n  branch v3, bb2, bb4\nbb2 loop0:\n  v4 = load [v0.p + 8]\n  \
             v5 = load [v0.p + 16]\n  v7 = fdiv v4, {by}\n  store.f64 [v0.p + 24], v7\n  jump bb3\n\
             bb3 loop0:\n  v2.i = add v2.i, 1i32\n  jump bb1\nbb4:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let func = module.functions.keys().next().expect("a function");
        let mut body = module.functions[func].body.take().expect("a body");
        run(&module, func, &mut body);
        module.functions[func].body = Some(body);
        crate::verify::verify(&module, "reciprocals").unwrap_or_else(|errors| panic!("{errors}"));
        let text = print(&module);
        let (_, behind) = text.split_once("v5 = load [v0.p + 16]\n").expect("the load");
        behind.split_once("  store.f64").expect("the store").0.to_owned()
    }

    #[test]
    fn what_a_loop_divides_by_becomes_a_factor() {
        assert_eq!(rewritten("8.0f64"), "  v7 = mul v4, 0.125f64\n");
        assert_eq!(rewritten("v6"), "  v8 = fdiv 1.0f64, v6\n  v7 = mul v4, v8\n");
    }

    #[test]
    fn what_changes_and_what_has_no_normal_reciprocal_stays_a_divisor() {
        assert_eq!(rewritten("v5"), "  v7 = fdiv v4, v5\n");
        for divisor in [0.0, f64::MAX, f64::MIN_POSITIVE / 2.0, f64::INFINITY] {
            assert_eq!(of_double(divisor), None, "{divisor}");
            assert_eq!(of_float(divisor as f32), None, "{divisor}");
        }
    }
}
