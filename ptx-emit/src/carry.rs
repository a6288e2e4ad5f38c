//! Quotients of a counter, carried from iteration to iteration.
//!
//! The iterations of collapsed loops are numbered through, and the index of each loop is a quotient or a
//! remainder of the number. A GPU has no instruction that divides 64-bit integers. But a thread's next number
//! is always the same distance away, and so are its quotient and its remainder, up to a carry:
//!
//! ```text
//!     before the loop:  q = i / d, r = i % d;  dq = step / d, dr = step % d
//!     after i += step:  r >= d - dr?  yes: r += dr - d, q += dq + 1  no: r += dr, q += dq
//! ```
//!
//! Where the step is no less than the bound, no thread has a second iteration, and the step is not divided.
//!
//! Remainders of what counts the iterations of a loop with a 32-bit counter have 32 bits.
//!
//! Before: a partitioned loop, counted upwards, divides its counter, or a quotient of it, by what does not
//! change in it. After: quotients and remainders are locals that the loop steps.

use accrue_ir::analysis::loops::Nest;
use accrue_ir::builder::Cursor;
use accrue_ir::passes::dce;
use accrue_ir::{
    BinaryOp, Block, Body, CmpOp, ConvertOp, Inst, Local, Loop, Module, Op, Operand, Type, map_below,
};
use cranelift_entity::SecondaryMap;

/// Runs the pass on all regions and routines.
pub fn run(module: &mut Module) {
    crate::partitioned_bodies(module).for_each(carry);
}

fn carry(body: &mut Body) {
    let divides = |&block: &Block| {
        body.blocks[block].insts.iter().any(|inst| matches!(inst.op, Op::Binary { op: BinaryOp::UDiv, .. }))
    };
    if !body.order.iter().any(divides) {
        return;
    }
    let nest = Nest::new(body);
    for loop_ in body.loop_tree() {
        if let Some(counter) = Counter::of(body, loop_, nest.blocks(loop_)) {
            counter.carry_quotients(body);
        }
    }
}

/// A loop whose counter is stepped once in each iteration, at the end of its latch.
struct Counter {
    loop_: Loop,
    blocks: Vec<Block>,
    /// How often the loop writes a local.
    written: SecondaryMap<Local, u32>,
    local: Local,
    step: Operand,
    bound: Operand,
}

/// `quotient = dividend / divisor`, at this place of a block.
struct Division {
    index: usize,
    dividend: Local,
    quotient: Local,
    divisor: Operand,
}

/// A number that is stepped with the counter: its first value, by how much it is stepped, and what tells
/// whether it is one more.
#[derive(Clone, Copy)]
struct Stepped {
    first: Operand,
    step: Operand,
    carry: Option<Operand>,
}

impl Counter {
    fn of(body: &Body, loop_: Loop, blocks: Vec<Block>) -> Option<Counter> {
        let data = &body.loops[loop_];
        let induction = data.induction.as_ref()?;
        if !data.is_partitioned() || induction.cmp != CmpOp::Lt || body.locals[induction.iv].ty != Type::I64 {
            return None;
        }
        let mut written: SecondaryMap<Local, u32> = map_below(body.locals.len());
        for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
            inst.op.defs(|local| written[local] += 1);
        }
        let (local, step, bound) = (induction.iv, induction.step, induction.bound);
        let is_step = match body.blocks[data.latch].insts.last()?.op {
            Op::Binary { dst, op: BinaryOp::Add, a, b } => {
                dst == local && a == Operand::Local(local) && b == step
            }
            _ => false,
        };
        let counter = Counter { loop_, blocks, written, local, step, bound };
        let is_steady = counter.is_invariant(step) && counter.is_invariant(bound);
        (is_step && counter.written[local] == 1 && is_steady).then_some(counter)
    }

    fn is_invariant(&self, operand: Operand) -> bool {
        match operand {
            Operand::Local(local) => self.written[local] == 0,
            Operand::Int(..) => true,
            Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) | Operand::F32(_) | Operand::F64(_) => {
                false
            }
        }
    }

    /// The first division of a local by what the loop does not change, in a block, from this place on.
    fn division(&self, body: &Body, of: Local, block: Block, from: usize) -> Option<Division> {
        let insts = body.blocks[block].insts.iter().enumerate().skip(from);
        insts.into_iter().find_map(|(index, inst)| match inst.op {
            Op::Binary { dst, op: BinaryOp::UDiv, a, b }
                if a == Operand::Local(of) && self.is_invariant(b) && self.written[dst] == 1 =>
            {
                Some(Division { index, dividend: of, quotient: dst, divisor: b })
            }
            _ => None,
        })
    }

    fn carry_quotients(&self, body: &mut Body) {
        let found = |&block: &Block| Some((block, self.division(body, self.local, block, 0)?));
        let Some((block, mut division)) = self.blocks.iter().find_map(found) else { return };
        let mut stepped = Stepped { first: Operand::Local(self.local), step: self.step, carry: None };
        loop {
            let covered = Covered::of(body, block, &division);
            let Division { index, quotient: result, divisor, .. } = division;
            let width = |fits| if fits { Type::I32 } else { Type::I64 };
            let types = [width(is_cut(body, block, result, covered.as_ref())), width(fits(body, divisor))];
            let (next, [quotient, remainder]) = self.step_quotient(body, stepped, divisor, types);
            let insts = &mut body.blocks[block].insts;
            insts[index].op = widened(result, quotient, types[0]);
            if let Some(Covered { index, rest, .. }) = covered {
                insts[index].op = widened(rest, remainder, types[1]);
            }
            // Quotients of quotients: the indices of a nest, from the inside out.
            stepped = next;
            match self.division(body, result, block, index + 1) {
                Some(next) => division = next,
                None => break,
            }
        }
        // What only the divisions used.
        dce::clean(body);
    }

    /// Writes the code before the loop and at its end; gives the quotient as what is stepped, and the locals
    /// of quotient and remainder, which have these types.
    fn step_quotient(
        &self,
        body: &mut Body,
        of: Stepped,
        divisor: Operand,
        types: [Type; 2],
    ) -> (Stepped, [Local; 2]) {
        let (preheader, latch, pos) = {
            let data = &body.loops[self.loop_];
            (data.preheader, data.latch, data.pos)
        };
        let [_, narrow] = types;
        let entry = body.blocks[preheader].term.clone();
        let mut cursor = Cursor::with_pos(body, preheader, pos);
        // A nest with an empty loop has no iterations, and nothing to divide.
        let divisor = match divisor {
            Operand::Int(..) => divisor,
            _ => cursor.binary(BinaryOp::UMax, divisor, Operand::Int(Type::I64, 1)),
        };
        let divide = |cursor: &mut Cursor<'_>, value: Operand| {
            let quotient = cursor.binary(BinaryOp::UDiv, value, divisor);
            let covered = cursor.mul(quotient, divisor);
            [quotient, cursor.sub(value, covered)]
        };
        let first = divide(&mut cursor, of.first);
        let step = match self.step {
            Operand::Int(..) => divide(&mut cursor, of.step),
            // A launch often has a thread for each iteration.
            _ => {
                let locals = [(); 2].map(|()| cursor.temp(Type::I64));
                locals.into_iter().for_each(|local| cursor.assign(local, Operand::Int(Type::I64, 0)));
                let is_stepped = cursor.compare(CmpOp::Lt, self.step, self.bound);
                cursor.if_then(is_stepped, |cursor| {
                    let step = divide(cursor, of.step);
                    locals.into_iter().zip(step).for_each(|(local, part)| cursor.assign(local, part));
                });
                locals.map(Operand::Local)
            }
        };
        let mut cut = |value: Operand, ty| match (ty, value) {
            (Type::I64, _) => value,
            (_, Operand::Int(_, value)) => Operand::Int(ty, i64::from(value as i32)),
            _ => cursor.convert(ConvertOp::Trunc, ty, value),
        };
        let locals = [0, 1].map(|n| cut(first[n], types[n]));
        let [step_quotient, step_rest] = [0, 1].map(|n| cut(step[n], types[n]));
        let divisor = cut(divisor, narrow);
        let [quotient, remainder] = [0, 1].map(|n| {
            let local = cursor.temp(types[n]);
            cursor.assign(local, locals[n]);
            local
        });
        // The remainder of the next iteration wraps from here on, and is then stepped by this (less than
        // nothing). No sum is larger than the divisor, so that all of this fits the remainder's type.
        let wraps_from = cursor.sub(divisor, step_rest);
        let step_back = cursor.sub(step_rest, divisor);
        let one_more = cursor.add(step_quotient, Operand::Int(types[0], 1));

        // Where the divisions end, the loop begins.
        let end = cursor.block;
        cursor.terminate(entry);
        let loops = cursor.body.loops.values_mut();
        loops.filter(|data| data.preheader == preheader).for_each(|data| data.preheader = end);

        let mut cursor = Cursor::with_pos(body, latch, pos);
        let mut rest = Operand::Local(remainder);
        if let Some(carry) = of.carry {
            let carry = cursor.convert(ConvertOp::ZExt, narrow, carry);
            rest = cursor.add(rest, carry);
        }
        let wraps = cursor.compare(CmpOp::ULe, wraps_from, rest);
        let by = cursor.select(wraps, step_back, step_rest);
        let rest = cursor.add(rest, by);
        cursor.assign(remainder, rest);
        let by = cursor.select(wraps, one_more, step_quotient);
        let next = cursor.add(Operand::Local(quotient), by);
        cursor.assign(quotient, next);
        let [first, step] = [first[0], step[0]];
        (Stepped { first, step, carry: Some(wraps) }, [quotient, remainder])
    }
}

/// A local in the place of an I64 value.
fn widened(dst: Local, src: Local, ty: Type) -> Op {
    let src = Operand::Local(src);
    if ty == Type::I64 { Op::Copy { dst, src } } else { Op::Convert { dst, op: ConvertOp::ZExt, src } }
}

/// The remainder that the program computes from a quotient, behind the division: `n - n / d * d`.
struct Covered {
    /// The product.
    product: Local,
    /// Where the difference stands.
    index: usize,
    /// The difference.
    rest: Local,
}

impl Covered {
    fn of(body: &Body, block: Block, division: &Division) -> Option<Covered> {
        let Division { index, dividend, quotient, divisor } = *division;
        let mut covered = None;
        for (index, inst) in body.blocks[block].insts.iter().enumerate().skip(index + 1) {
            match inst.op {
                Op::Binary { dst, op: BinaryOp::Mul, a, b }
                    if (a, b) == (Operand::Local(quotient), divisor) =>
                {
                    covered = Some(dst);
                }
                Op::Binary { dst, op: BinaryOp::Sub, a, b: Operand::Local(b) }
                    if a == Operand::Local(dividend) && covered == Some(b) =>
                {
                    return Some(Covered { product: b, index, rest: dst });
                }
                ref op => op.defs(|local| covered = covered.filter(|covered| *covered != local)),
            }
        }
        None
    }
}

/// Whether only the lower half of a quotient, computed in the block `home`, is used, besides its part in a
/// remainder that is known.
fn is_cut(body: &Body, home: Block, quotient: Local, covered: Option<&Covered>) -> bool {
    let uses = |op: &Op, of: Local| {
        let mut uses = false;
        op.uses(|local| uses |= local == of);
        uses
    };
    let mut is_cut = true;
    for &block in &body.order {
        for (index, Inst { op, .. }) in body.blocks[block].insts.iter().enumerate() {
            if let Some(covered) = covered {
                is_cut &= (block, index) == (home, covered.index) || !uses(op, covered.product);
            }
            is_cut &= match op {
                Op::Convert { op: ConvertOp::Trunc, .. } => true,
                Op::Binary { dst, op: BinaryOp::Mul, .. } => {
                    covered.is_some_and(|covered| covered.product == *dst) || !uses(op, quotient)
                }
                op => !uses(op, quotient),
            };
        }
        body.blocks[block].term.uses(|local| is_cut &= local != quotient);
    }
    is_cut
}

/// Whether a number of iterations is known to have 32 bits: it was a number of 32 bits, or is that of a loop
/// whose counter has no more.
/// Counting through all numbers of 32 bits would take a bound that the counter cannot pass.
fn fits(body: &Body, trips: Operand) -> bool {
    let definition = |operand: Operand| {
        let local = operand.as_local()?;
        let insts = || body.order.iter().flat_map(|&block| &body.blocks[block].insts);
        let mut found = insts().filter(|inst| inst.op.dst() == Some(local));
        let first = found.next()?;
        found.next().is_none().then_some(&first.op)
    };
    let is_extended = |op: &Op| match op {
        Op::Convert { op: ConvertOp::ZExt, src, .. } => body.operand_type(*src) == Type::I32,
        _ => false,
    };
    let is_short = |operand: Operand| match operand {
        Operand::Int(_, value) => u32::try_from(value).is_ok(),
        Operand::Local(_) => match definition(operand) {
            Some(Op::Binary { op: BinaryOp::Add, a, b: Operand::Int(_, 1), .. }) => {
                definition(*a).is_some_and(is_extended)
            }
            Some(op) => is_extended(op),
            None => false,
        },
        Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) | Operand::F32(_) | Operand::F64(_) => false,
    };
    match definition(trips) {
        Some(Op::Select { a, b, .. }) => is_short(*a) && is_short(*b),
        _ => is_short(trips),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    const LOOP: &str = "file file0 \"a.c\"\nsignature sig0 (ptr, i64, i64, i64)\nfunction fn0.r sig0 internal\n  \
        region parallel of \"main\" dims(0, 1, 1, 1, 32) {\n    param \"a\" pointer deviceptr bytes 0\n    \
        param \"n\" value i64 bytes 8\n    param \"m\" value i64 bytes 8\n    param \"s\" value i64 bytes 8\n  } {\n  \
        params v0.a, v1.n, v2.m, v3.s\n  locals v0.a: ptr\n  locals v1.n: i64\n  locals v2.m: i64\n  \
        locals v3.s: i64\n  locals v4.i: i64\n  locals v5: i1\n  locals v6: i64\n  locals v7: i64\n  \
        locals v8: i64\n  locals v9: i64\n  \
        loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 for v4.i = 0i64, lt v1.n, step v3.s {\n    \
        directive levels(vector)\n  }\nbb0:\n  v4.i = copy 0i64\n  jump bb1\n\
        bb1 loop0:\n  v5 = cmp.lt v4.i, v1.n\n  branch v5, bb2, bb3\n\
        bb2 loop0:\n  v6 = udiv v4.i, v2.m\n  v7 = mul v6, v2.m\n  v8 = sub v4.i, v7\n  v9 = udiv v6, 5i64\n  \
        store.i64 [v0.a], v8\n  v4.i = add v4.i, v3.s\n  jump bb1\nbb3:\n  return\n}\n";

    fn carried(text: &str) -> String {
        let mut module = parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        run(&mut module);
        accrue_ir::verify::verify(&module, "carry").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    #[test]
    fn quotients_and_quotients_of_them_are_stepped() {
        let text = carried(LOOP);
        let blocks: Vec<&str> = text.split("\nbb").skip(1).collect();
        let (inside, outside): (Vec<&str>, Vec<&str>) = blocks
            .into_iter()
            .partition(|block| block.lines().next().is_some_and(|line| line.ends_with("loop0:")));
        let count =
            |blocks: &[&str], what| blocks.iter().map(|block| block.matches(what).count()).sum::<usize>();
        assert_eq!((count(&outside, "= udiv"), count(&inside, "udiv")), (4, 0), "{text}");
        assert_eq!(count(&inside, "cmp.ule"), 2, "{text}");
        // The step is divided where a thread takes it.
        assert_eq!(count(&outside, "= cmp.lt v3.s, v1.n"), 2, "{text}");
    }

    #[test]
    fn what_changes_in_the_loop_is_divided_there() {
        let steps_divisor = "v2.m = add v2.m, 1i64\n  v6 = udiv v4.i, v2.m";
        let counts_twice = "v4.i = add v4.i, 1i64\n  v6 = udiv v4.i, v2.m";
        for change in [steps_divisor, counts_twice] {
            let text = LOOP.replace("v6 = udiv v4.i, v2.m", change);
            assert_eq!(carried(&text).matches("= udiv").count(), 2, "{change}");
        }
    }
}
