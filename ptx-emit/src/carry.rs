//! Quotients of a counter, carried from iteration to iteration.
//!
//! The iterations of collapsed loops are numbered through, and the index of each loop is a quotient or a
//! remainder of the number. A GPU has no instruction that divides 64-bit integers. But a thread's next number
//! is always the same distance away, and so are its quotient and its remainder, up to a carry:
//!
//! ```text
//!     before the loop:  q = i / d, r = i % d;  dq = step / d, dr = step % d
//!     after i += step:  r += dr;  r >= d?  r -= d, q += 1;  q += dq
//! ```
//!
//! Before: a partitioned loop, counted upwards, divides its counter, or a quotient of it, by what does not
//! change in it. After: quotients and remainders are locals that the loop steps.

use accrue_ir::analysis::loops::Nest;
use accrue_ir::builder::Cursor;
use accrue_ir::{BinaryOp, Block, Body, CmpOp, ConvertOp, Local, Loop, Module, Op, Operand, Type, map_below};
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
}

/// `quotient = dividend / divisor`, at this place of a block.
struct Division {
    index: usize,
    dividend: Local,
    quotient: Local,
    divisor: Operand,
}

/// A local that is stepped with the counter, and by how much, besides a carry of one if there is one.
#[derive(Clone, Copy)]
struct Stepped {
    local: Local,
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
        let (local, step) = (induction.iv, induction.step);
        let is_step = match body.blocks[data.latch].insts.last()?.op {
            Op::Binary { dst, op: BinaryOp::Add, a, b } => {
                dst == local && a == Operand::Local(local) && b == step
            }
            _ => false,
        };
        let counter = Counter { loop_, blocks, written, local, step };
        (is_step && counter.written[local] == 1 && counter.is_invariant(step)).then_some(counter)
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
        let mut stepped = Stepped { local: self.local, step: self.step, carry: None };
        loop {
            let Division { index, quotient: result, divisor, .. } = division;
            let (quotient, remainder) = self.step_quotient(body, stepped, divisor);
            body.blocks[block].insts[index].op =
                Op::Copy { dst: result, src: Operand::Local(quotient.local) };
            replace_remainder(body, block, &division, remainder);
            // Quotients of quotients: the indices of a nest, from the inside out.
            let Some(next) = self.division(body, result, block, index + 1) else { return };
            (stepped, division) = (quotient, next);
        }
    }

    /// Writes the code before the loop and at its end; gives the locals of quotient and remainder.
    fn step_quotient(&self, body: &mut Body, of: Stepped, divisor: Operand) -> (Stepped, Local) {
        let (preheader, latch, pos) = {
            let data = &body.loops[self.loop_];
            (data.preheader, data.latch, data.pos)
        };
        let one = Operand::Int(Type::I64, 1);
        let mut cursor = Cursor::with_pos(body, preheader, pos);
        // A nest with an empty loop has no iterations, and nothing to divide.
        let divisor = match divisor {
            Operand::Int(..) => divisor,
            _ => cursor.binary(BinaryOp::UMax, divisor, one),
        };
        let mut divide = |value: Operand| {
            let quotient = cursor.binary(BinaryOp::UDiv, value, divisor);
            let covered = cursor.mul(quotient, divisor);
            (quotient, cursor.sub(value, covered))
        };
        let (first, first_rest) = divide(Operand::Local(of.local));
        let (step, step_rest) = divide(of.step);
        let [quotient, remainder] = [first, first_rest].map(|value| {
            let local = cursor.temp(Type::I64);
            cursor.assign(local, value);
            local
        });

        let mut cursor = Cursor::with_pos(body, latch, pos);
        let mut rest = cursor.add(Operand::Local(remainder), step_rest);
        if let Some(carry) = of.carry {
            rest = cursor.add(rest, carry);
        }
        let wraps = cursor.compare(CmpOp::ULe, divisor, rest);
        let less = cursor.sub(rest, divisor);
        let rest = cursor.select(wraps, less, rest);
        cursor.assign(remainder, rest);
        let carry = cursor.convert(ConvertOp::ZExt, Type::I64, wraps);
        let next = cursor.add(Operand::Local(quotient), step);
        let next = cursor.add(next, carry);
        cursor.assign(quotient, next);
        (Stepped { local: quotient, step, carry: Some(carry) }, remainder)
    }
}

/// A remainder that the program computes from a quotient, behind the division: `n - n / d * d`.
fn replace_remainder(body: &mut Body, block: Block, division: &Division, remainder: Local) {
    let Division { index, dividend, quotient, divisor } = *division;
    let mut covered = None;
    for inst in &mut body.blocks[block].insts[index + 1..] {
        match inst.op {
            Op::Binary { dst, op: BinaryOp::Mul, a, b } if (a, b) == (Operand::Local(quotient), divisor) => {
                covered = Some(dst);
            }
            Op::Binary { dst, op: BinaryOp::Sub, a, b: Operand::Local(b) }
                if a == Operand::Local(dividend) && covered == Some(b) =>
            {
                inst.op = Op::Copy { dst, src: Operand::Local(remainder) };
                return;
            }
            ref op => op.defs(|local| covered = covered.filter(|covered| *covered != local)),
        }
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
        let (before, inside) = text.split_once("bb1 loop0").expect("there is a loop");
        assert_eq!((before.matches("= udiv").count(), inside.matches("udiv").count()), (4, 0), "{text}");
        assert_eq!(inside.matches("cmp.ule").count(), 2, "{text}");
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
