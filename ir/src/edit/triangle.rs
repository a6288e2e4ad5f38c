//! Nests of two loops in which the range of the inner one begins or ends with the counter of the outer one.
//!
//! ```text
//!     before:  for i in 0..n: for j in 0..i + 1:                body
//!     after:   for i in 0..n: for j in 0..n:     if j < i + 1:  body
//! ```
//!
//! The inner loop goes through all that any iteration of the outer one goes through, and a test leaves out
//! the rest, so that the nest is one of two ranges that do not depend on each other.

use super::nest::count_with;
use super::split::{block_like, redirect};
use crate::builder::Cursor;
use crate::entities::{Local, Loop};
use crate::function::{Body, Induction, LoopData};
use crate::op::{BinaryOp, CmpOp, ConvertOp, Op, Operand};
use crate::types::Type;

/// Most operations between the counter of the outer loop and the end of the inner one's range.
const MOST: usize = 8;

/// Makes a rectangle of a loop and the only loop inside of it, as [`crate::analysis::perfect::only_inner`]
/// finds it. False if the range of the inner loop is not known to begin or end, but not both, with the
/// counter of the outer one, a constant more or less; then nothing is changed.
///
/// What the ends of the rectangle are computed from stands in front of the inner loop.
pub fn make_rectangular(body: &mut Body, outer: Loop, inner: Loop) -> bool {
    let Some(triangle) = Triangle::of(body, outer, inner) else { return false };
    let Triangle { of_outer, of_inner, begins, ops } = triangle;
    let LoopData { preheader, header, body: first, latch, pos, .. } = body.loops[inner];
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let end = cursor.copy(if begins { of_inner.init } else { of_inner.bound });
    let farthest = match of_outer.cmp {
        _ if begins => of_outer.init,
        CmpOp::Lt => {
            let ty = cursor.body.locals[of_outer.iv].ty;
            cursor.sub(of_outer.bound, Operand::Int(ty, 1))
        }
        _ => of_outer.bound,
    };
    let all = evaluate(&mut cursor, &ops, (of_outer.iv, farthest));
    let range = match begins {
        true => Induction { init: all, ..of_inner.clone() },
        false => Induction { bound: all, ..of_inner.clone() },
    };
    count_with(body, inner, of_inner.iv, &range);
    let test = block_like(body, first, first, pos);
    redirect(body, header, first, test);
    body.loops[inner].body = test;
    let mut cursor = Cursor::with_pos(body, test, pos);
    let cmp = if begins { CmpOp::Ge } else { of_inner.cmp };
    let is_inside = cursor.compare(cmp, Operand::Local(of_inner.iv), end);
    cursor.branch(is_inside, first, latch);
    true
}

/// Two loops that count up, the inner one by one.
struct Triangle {
    of_outer: Induction,
    of_inner: Induction,
    /// The inner loop begins, or else ends, with the counter of the outer one.
    begins: bool,
    /// How that is computed from the counter, in order.
    ops: Vec<Op>,
}

impl Triangle {
    fn of(body: &Body, outer: Loop, inner: Loop) -> Option<Triangle> {
        let [of_outer, of_inner] = [outer, inner].map(|loop_| body.loops[loop_].induction.clone());
        let (of_outer, of_inner) = of_outer.zip(of_inner)?;
        let counts_up = |induction: &Induction| {
            matches!(body.locals[induction.iv].ty, Type::I32 | Type::I64)
                && matches!(induction.cmp, CmpOp::Lt | CmpOp::Le)
                && induction.step.as_int().is_some_and(|step| step > 0)
        };
        let LoopData { body: first, latch, .. } = body.loops[inner];
        let steps_only = body.blocks[latch].insts.iter().all(|inst| inst.op.dst() == Some(of_inner.iv));
        if !counts_up(&of_outer)
            || !counts_up(&of_inner)
            || of_inner.step.as_int() != Some(1)
            || !steps_only
            || first == latch
        {
            return None;
        }
        let from_counter = |value| operations(body, outer, &of_outer, value);
        let (begins, ops) = match (from_counter(of_inner.init), from_counter(of_inner.bound)) {
            (Some(ops), None) => (true, ops),
            (None, Some(ops)) => (false, ops),
            _ => return None,
        };
        // What the outer loop begins with is asked for in its iterations.
        let stays = |value: Operand| {
            let inside = body.order.iter().filter(|&&at| body.loop_is_within(body.blocks[at].loop_, outer));
            value.as_local().is_none_or(|local| !body.assigned(inside.copied()).contains(local))
        };
        (!begins || stays(of_outer.init)).then_some(Triangle { of_outer, of_inner, begins, ops })
    }
}

/// The operations that compute a value from the counter of a loop in the same iteration, if the value grows
/// with the counter: copies, extensions, and sums with constants that no iteration takes out of range.
fn operations(body: &Body, loop_: Loop, counter: &Induction, value: Operand) -> Option<Vec<Op>> {
    let mut ops = Vec::new();
    let mut at = value.as_local()?;
    while at != counter.iv {
        let op = only_definition(body, loop_, at)?;
        let from = match *op {
            Op::Copy { src, .. } | Op::Convert { op: ConvertOp::SExt, src, .. } => src,
            Op::Binary { op: BinaryOp::Add, a, b: Operand::Int(..), .. }
            | Op::Binary { op: BinaryOp::Sub, a, b: Operand::Int(..), .. } => a,
            Op::Binary { op: BinaryOp::Add, a: Operand::Int(..), b, .. } => b,
            _ => return None,
        };
        ops.push(op.clone());
        at = from.as_local().filter(|_| ops.len() < MOST)?;
    }
    ops.reverse();
    let range = |ty: Type| {
        let half = 1i128 << (ty.bytes() * 8 - 1);
        (-half, half - 1)
    };
    let (least, most) = range(body.locals[counter.iv].ty);
    let first = |value: Operand, otherwise| value.as_int().map_or(otherwise, i128::from);
    let mut low = first(counter.init, least);
    let mut high = first(counter.bound, most) - i128::from(counter.cmp == CmpOp::Lt);
    for op in &ops {
        let Op::Binary { dst, op, a, b } = op else { continue };
        let constant = i128::from(a.as_int().or(b.as_int())?);
        let by = if *op == BinaryOp::Sub { -constant } else { constant };
        (low, high) = (low + by, high + by);
        let (least, most) = range(body.locals[*dst].ty);
        (least <= low && high <= most).then_some(())?;
    }
    Some(ops)
}

/// What defines a local, if that is one operation, in a loop.
fn only_definition(body: &Body, loop_: Loop, local: Local) -> Option<&Op> {
    let mut found = None;
    for &block in &body.order {
        for inst in &body.blocks[block].insts {
            let mut defines = false;
            inst.op.defs(|defined| defines |= defined == local);
            if defines && found.replace((block, &inst.op)).is_some() {
                return None;
            }
        }
    }
    let (block, op) = found?;
    body.loop_is_within(body.blocks[block].loop_, loop_).then_some(op)
}

/// Writes operations once more, for another value of what they begin with.
fn evaluate(cursor: &mut Cursor<'_>, ops: &[Op], (from, value): (Local, Operand)) -> Operand {
    let (mut from, mut value) = (from, value);
    for op in ops {
        let mut op = op.clone();
        let Some(dst) = op.dst() else { continue };
        let fresh = cursor.body.local_like(dst);
        op.map_operands(|operand| if operand == Operand::Local(from) { value } else { operand });
        op.map_defs(|_| fresh);
        cursor.op(op);
        (from, value) = (dst, Operand::Local(fresh));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// Two loops, `i` from `first` below `n` and `j` inside of it as said, after the change; none if there is
    /// none. `end` computes `v5` in front of the inner loop.
    fn rectangle(first: &str, end: &str, [init, cmp, bound]: [&str; 3]) -> Option<String> {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, i32, i32)\nfunction fn0.f sig0 external {{\n  \
             params v0.c, v1.n, v2.m\n  locals v0.c: ptr\n  locals v1.n, v2.m, v3.i, v4.j, v5: i32\n  \
             locals v6, v7: i1\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb6 exit bb7 for v3.i = {first}, lt v1.n, step 1i32\n  \
             loop loop1 in loop0 preheader bb2 header bb3 body bb4 latch bb5 exit bb6 for v4.j = {init}, {cmp} {bound}, step 1i32\n\
             bb0:\n  v3.i = copy {first}\n  jump bb1\n\
             bb1 loop0:\n  v6 = cmp.lt v3.i, v1.n\n  branch v6, bb2, bb7\n\
             bb2 loop0:\n  v5 = {end}\n  v4.j = copy {init}\n  jump bb3\n\
             bb3 loop1:\n  v7 = cmp.{cmp} v4.j, {bound}\n  branch v7, bb4, bb6\n\
             bb4 loop1:\n  store.i32 [v0.c], v4.j\n  jump bb5\n\
             bb5 loop1:\n  v4.j = add v4.j, 1i32\n  jump bb3\n\
             bb6 loop0:\n  v3.i = add v3.i, 1i32\n  jump bb1\n\
             bb7:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let func = module.functions.keys().next()?;
        let body = module.functions[func].body.as_mut()?;
        let loops: Vec<Loop> = body.loops.keys().collect();
        let is_changed = make_rectangular(body, loops[0], loops[1]);
        crate::verify::verify(&module, "triangle").unwrap_or_else(|errors| panic!("{errors}"));
        is_changed.then(|| print(&module))
    }

    #[test]
    fn a_triangle_is_a_rectangle_with_a_test() {
        let below = rectangle("0i32", "copy v3.i", ["0i32", "le", "v5"]).expect("a rectangle");
        for part in
            ["v8 = copy v5", "v9 = sub v1.n, 1i32", "v10 = copy v9", "cmp.le v4.j, v10", "cmp.le v4.j, v8"]
        {
            assert!(below.contains(part), "{part}\n{below}");
        }
        let above = rectangle("0i32", "add v3.i, 1i32", ["v5", "lt", "v1.n"]).expect("a rectangle");
        for part in ["v8 = copy v5", "v9 = add 0i32, 1i32", "v4.j = copy v9", "cmp.ge v4.j, v8"] {
            assert!(above.contains(part), "{part}\n{above}");
        }
    }

    #[test]
    fn ranges_that_may_wrap_around_or_are_something_else_stay() {
        // From 0 on, `i - 1` is a number below, and from anywhere on it may be the largest one.
        assert!(rectangle("0i32", "sub v3.i, 1i32", ["0i32", "lt", "v5"]).is_some());
        assert!(rectangle("v2.m", "sub v3.i, 1i32", ["0i32", "lt", "v5"]).is_none());
        assert!(rectangle("0i32", "add v3.i, 2i32", ["0i32", "lt", "v5"]).is_none());
        assert!(rectangle("0i32", "mul v3.i, 2i32", ["0i32", "lt", "v5"]).is_none());
        assert!(rectangle("0i32", "copy v3.i", ["0i32", "ult", "v5"]).is_none());
        assert!(rectangle("0i32", "copy v2.m", ["0i32", "lt", "v5"]).is_none());
        assert!(rectangle("0i32", "add v3.i, 1i32", ["v3.i", "lt", "v5"]).is_none());
    }
}
