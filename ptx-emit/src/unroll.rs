//! Several iterations of a loop at once.
//!
//! A thread of a GPU waits hundreds of cycles for memory, and what hides them is that many loads are on their
//! way. One iteration of a short loop has one or two; several of them one after the other, without a test in
//! between, have that many more. The order of a thread's iterations stays, and so do its results. Sequential
//! loops, which are entered again and again and often have few iterations, are repeated less often than those
//! whose iterations threads share; short ones also without a load, since a jump takes as long as several
//! operations.
//!
//! In copies of a sequential body, what is accessed at the counter's place of an array is a constant distance
//! behind the first copy's, since the counter does not overflow below its bound.
//!
//! ```text
//!     before:  limit = bound - (n - 1) * step
//!     several: i < limit?  yes: body; i += step; ... n times; several   no: one
//!     one:     i < bound?  yes: body; i += step; one                    no: exit
//! ```

use accrue_ir::builder::Cursor;
use accrue_ir::edit::clone::BlockCopies;
use accrue_ir::entities::set_of;
use accrue_ir::{
    Access, BinaryOp, Block, BlockData, Body, CmpOp, Inst, Local, Loop, LoopData, Module, Op, Operand, Space,
    Terminator, Type, map_below,
};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Operations of a body that is repeated most often, and how often that is; larger bodies half as often, and
/// so on.
const SHORT: usize = 14;
const MOST: usize = 8;
/// How often the bodies of sequential loops are repeated at most.
const MOST_OF_SEQUENTIAL: usize = 4;

/// Operations of a sequential body that is repeated so often: the loads of a matrix product of which a thread
/// has several elements are all on their way then.
const SHORT_OF_SEQUENTIAL: usize = 50;

/// How often sequential bodies without accesses are repeated at most, and operations of all repetitions: what
/// they wait for is the jump.
const MOST_OF_ARITHMETIC: usize = 16;
const OPERATIONS_OF_ARITHMETIC: usize = 64;

/// Bodies with more operations than this wait for arithmetic, not for memory.
const LONG: usize = 4 * SHORT;

/// A sequential loop with longer steps, several of which might not fit its counter, is left alone.
const LONGEST_STEP: i64 = 1 << 20;

/// Runs the pass on all regions and routines.
pub fn run(module: &mut Module) {
    crate::partitioned_bodies(module).for_each(unroll);
}

fn unroll(body: &mut Body) {
    let mut blocks: SecondaryMap<Loop, Vec<Block>> = map_below(body.loops.len());
    for &block in &body.order {
        if let Some(loop_) = body.blocks[block].loop_ {
            blocks[loop_].push(block);
        }
    }
    // A loop that is gone has no block.
    let live = || body.loops.keys().filter(|&loop_| !blocks[loop_].is_empty());
    let has_inner = set_of(live().filter_map(|loop_| body.loops[loop_].parent));
    let plans: Vec<Plan> = live()
        .filter(|&loop_| !has_inner.contains(loop_))
        .filter_map(|loop_| Plan::of(body, loop_, &blocks[loop_]))
        .collect();
    if plans.is_empty() {
        return;
    }
    let mut before: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    for plan in plans {
        let header = body.loops[plan.loop_].header;
        before.insert(header, plan.unroll(body));
    }
    for block in std::mem::take(&mut body.order) {
        body.order.extend(before.remove(&block).into_iter().flatten());
        body.order.push(block);
    }
}

/// A loop that is worth it.
struct Plan {
    loop_: Loop,
    /// Its blocks without the header, each before those it jumps to.
    blocks: Vec<Block>,
    iv: Operand,
    /// The counter's type.
    ty: Type,
    bound: Operand,
    step: Operand,
    times: usize,
    /// Threads share its iterations.
    is_shared: bool,
}

impl Plan {
    /// For a loop with no other inside of it, and these blocks in layout order.
    fn of(body: &Body, loop_: Loop, blocks: &[Block]) -> Option<Plan> {
        let data = &body.loops[loop_];
        let header = &body.blocks[data.header];
        let [compare] = &header.insts[..] else { return None };
        let Op::Compare { dst, op: CmpOp::Lt, a: iv @ Operand::Local(counter), b: bound } = compare.op else {
            return None;
        };
        let expected =
            Terminator::Branch { cond: Operand::Local(dst), then: data.body, otherwise: data.exit };
        if header.term != expected {
            return None;
        }
        let step = body.blocks[data.latch].insts.iter().find_map(|inst| match inst.op {
            Op::Binary { dst, op: BinaryOp::Add, a, b } if dst == counter && a == iv => Some(b),
            _ => None,
        })?;
        let ty = body.locals[counter].ty;
        let is_shared = data.is_partitioned();
        // What threads share is counted in 64 bits, by a step that is positive, up to a bound that is not
        // negative.
        let counts_up = if is_shared {
            data.induction
                .as_ref()
                .is_some_and(|induction| (induction.iv, induction.cmp) == (counter, CmpOp::Lt))
                && ty == Type::I64
        } else {
            matches!(ty, Type::I32 | Type::I64)
                && step.as_int().is_some_and(|step| (1..=LONGEST_STEP).contains(&step))
        };
        if !counts_up {
            return None;
        }
        let blocks = in_order(body, data, blocks)?;
        let mut operations = 0;
        let (mut loads, mut accesses) = (0, 0);
        let mut steps = 0;
        for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
            if !is_plain(&inst.op) {
                return None;
            }
            let mut changes = false;
            inst.op.defs(|local| {
                changes |= [bound, step].contains(&Operand::Local(local));
                steps += usize::from(iv == Operand::Local(local));
            });
            if changes {
                return None;
            }
            operations += 1;
            accesses += usize::from(!inst.op.effects().pure || matches!(inst.op, Op::Load { .. }));
            loads += usize::from(
                matches!(inst.op, Op::Load { access: Access { space, .. }, .. } if space != Space::Local),
            );
        }
        let is_worth_it = loads > 0 || !is_shared && operations <= SHORT;
        if !is_worth_it || operations > LONG || steps != 1 {
            return None;
        }
        let (mut times, most) = match (is_shared, accesses) {
            (true, _) => (MOST, MOST * SHORT),
            (false, 0) => (MOST_OF_ARITHMETIC, OPERATIONS_OF_ARITHMETIC),
            (false, _) => (MOST_OF_SEQUENTIAL, MOST_OF_SEQUENTIAL * SHORT_OF_SEQUENTIAL),
        };
        while times > 2 && operations * times > most {
            times /= 2;
        }
        Some(Plan { loop_, blocks, iv, ty, bound, step, times, is_shared })
    }

    /// Gives the blocks that are to stand in front of the loop's header.
    fn unroll(self, body: &mut Body) -> Vec<Block> {
        let LoopData { parent, preheader, header, body: first, latch, pos, .. } =
            body.loops[self.loop_].clone();
        let new_block = |body: &mut Body| {
            let block = body.detached_block();
            body.blocks[block].loop_ = parent;
            block
        };
        let before = new_block(body);
        let several = new_block(body);
        let copies: Vec<BlockCopies> =
            (0..self.times).map(|_| BlockCopies::new(body, &self.blocks)).collect();
        let rest = new_block(body);
        let loop_ = body.loops.push(LoopData {
            parent,
            preheader: before,
            header: several,
            body: copies[0].of(first),
            latch: copies[self.times - 1].of(latch),
            exit: rest,
            induction: None,
            directive: None,
            pos,
        });
        body.blocks[preheader].term.map_successors(|to| if to == header { before } else { to });
        body.loops[self.loop_].preheader = rest;

        let mut cursor = Cursor::with_pos(body, before, pos);
        let more = self.times as i64 - 1;
        let ahead = match self.step {
            Operand::Int(ty, step) => Operand::Int(ty, step.wrapping_mul(more)),
            step => cursor.mul(step, Operand::Int(Type::I64, more)),
        };
        let bound =
            if self.is_shared { self.bound } else { at_least(&mut cursor, self.ty, self.bound, ahead) };
        let limit = cursor.binary(BinaryOp::Sub, bound, ahead);
        cursor.jump(several);
        let mut cursor = Cursor::with_pos(body, several, pos);
        let enough = cursor.compare(CmpOp::Lt, self.iv, limit);
        cursor.branch(enough, copies[0].of(first), rest);
        Cursor::with_pos(body, rest, pos).jump(header);
        body.blocks[several].loop_ = Some(loop_);
        for (index, copy) in copies.iter().enumerate() {
            let next = copies.get(index + 1).map_or(several, |next| next.of(first));
            copy.fill(body, Some(loop_), |to| if to == header { next } else { to });
        }
        if let Some(step) = self.step.as_int() {
            for stepped in self.stepped_addresses(body, first) {
                for (copy, number) in copies.iter().zip(0i64..).skip(1) {
                    let by = stepped.scale.wrapping_mul(step).wrapping_mul(number);
                    stepped.offset_in(&mut body.blocks[copy.of(first)], by);
                }
            }
        }
        let copied = copies.iter().flat_map(BlockCopies::blocks);
        [before, several].into_iter().chain(copied).chain([rest]).collect()
    }
}

impl Plan {
    /// Addresses that the first block of the body, `block`, makes of the counter, and that it only accesses.
    fn stepped_addresses(&self, body: &Body, block: Block) -> Vec<Stepped> {
        let insts = || self.blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        let candidate = |inst: &Inst| match inst.op {
            Op::Index { dst, base, index, scale, .. } if index == self.iv => {
                let mut is_fixed = true;
                insts().for_each(|inst| inst.op.defs(|local| is_fixed &= base != Operand::Local(local)));
                is_fixed.then_some(Stepped { dst, scale })
            }
            _ => None,
        };
        // Behind the step the counter is that of the next iteration.
        let steps = |inst: &&Inst| inst.op.dst().map(Operand::Local) != Some(self.iv);
        let found: Vec<Stepped> =
            body.blocks[block].insts.iter().take_while(steps).filter_map(candidate).collect();
        if found.is_empty() {
            return found;
        }
        let mut others: SecondaryMap<Local, u32> = map_below(body.locals.len());
        let mut accesses: SecondaryMap<Local, u32> = map_below(body.locals.len());
        body.params.iter().for_each(|&param| others[param] += 2);
        for &at in &body.order {
            let data = &body.blocks[at];
            for inst in &data.insts {
                inst.op.defs(|local| others[local] += 1);
                inst.op.uses(|local| others[local] += 1);
                if at == block {
                    inst.op.addresses(|address| {
                        if let Operand::Local(base) = address.base {
                            accesses[base] += 1;
                        }
                    });
                }
            }
            data.term.uses(|local| others[local] += 1);
        }
        body.annotations(|part| part.used().into_iter().for_each(|local| others[local] += 1));
        found.into_iter().filter(|stepped| others[stepped.dst] == accesses[stepped.dst] + 1).collect()
    }
}

/// An address that goes on by so many bytes for each that the counter does.
struct Stepped {
    dst: Local,
    scale: i64,
}

impl Stepped {
    /// Lets a copy of the block that makes the address access it so many bytes behind that of the first copy.
    fn offset_in(&self, data: &mut BlockData, by: i64) {
        data.insts.retain(|inst| inst.op.dst() != Some(self.dst));
        for inst in &mut data.insts {
            inst.op.addresses_mut(|address| {
                if address.base == Operand::Local(self.dst) {
                    address.offset = address.offset.wrapping_add(by);
                }
            });
        }
    }
}

/// A bound from which something can be taken: below that, the loop has no iterations anyway.
fn at_least(cursor: &mut Cursor<'_>, ty: Type, bound: Operand, ahead: Operand) -> Operand {
    let least = if ty == Type::I32 { i64::from(i32::MIN) } else { i64::MIN };
    let least = Operand::Int(ty, least.saturating_add(ahead.as_int().unwrap_or(i64::MAX)));
    cursor.binary(BinaryOp::SMax, bound, least)
}

/// The blocks of a loop without its header, each before those it jumps to; none if they jump in circles, or
/// out of the loop.
fn in_order(body: &Body, data: &LoopData, blocks: &[Block]) -> Option<Vec<Block>> {
    let blocks: Vec<Block> = blocks.iter().copied().filter(|&block| block != data.header).collect();
    let place: FxHashMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
    for (index, &block) in blocks.iter().enumerate() {
        let mut forwards = true;
        body.blocks[block].term.successors(|to| {
            forwards &= match place.get(&to) {
                Some(&at) => at > index,
                None => to == data.header && block == data.latch,
            };
        });
        if !forwards || matches!(body.blocks[block].term, Terminator::Return(_) | Terminator::Unreachable) {
            return None;
        }
    }
    (blocks.first() == Some(&data.body)).then_some(blocks)
}

/// Whether an operation only computes, or accesses memory as any thread may at any time.
fn is_plain(op: &Op) -> bool {
    match op {
        Op::Load { access, .. } | Op::Store { access, .. } => !access.volatile,
        Op::Binary { .. } | Op::AtomicRmw { .. } => true,
        op => op.effects().pure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    const LOOP: &str = "file file0 \"a.c\"\nsignature sig0 (ptr, i64)\nfunction fn0.r sig0 internal\n  \
        region parallel of \"main\" dims(0, 1, 1, 1, 32) {\n    param \"a\" pointer deviceptr bytes 0\n    param \"n\" value i64 bytes 8\n  } {\n  params v0.a, v1.n\n  locals v0.a: ptr\n  locals v1.n: i64\n  \
        locals v2.i: i64\n  locals v3: i1\n  locals v4: ptr\n  locals v5: f32\n  \
        loop loop0 preheader bb0 header bb1 body bb2 latch bb4 exit bb5 for v2.i = 0i64, lt v1.n, step 32i64 {\n    \
        directive levels(vector)\n  }\nbb0:\n  v2.i = copy 0i64\n  jump bb1\n\
        bb1 loop0:\n  v3 = cmp.lt v2.i, v1.n\n  branch v3, bb2, bb5\n\
        bb2 loop0:\n  v4 = index v0.a + v2.i * 4\n  v5 = load [v4]\n  v3 = cmp.lt v5, 0.0f32\n  branch v3, bb3, bb4\n\
        bb3 loop0:\n  store.f32 [v4], 0.0f32\n  jump bb4\n\
        bb4 loop0:\n  v2.i = add v2.i, 32i64\n  jump bb1\nbb5:\n  return\n}\n";

    fn unrolled(text: &str) -> String {
        let mut module = parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        run(&mut module);
        accrue_ir::verify::verify(&module, "unroll").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    #[test]
    fn iterations_follow_each_other_without_a_test() {
        let text = unrolled(LOOP);
        assert_eq!(text.matches("= load [v4]").count(), MOST + 1, "{text}");
        assert_eq!(text.matches("store.f32").count(), MOST + 1, "{text}");
        assert!(text.contains("= sub v1.n, 224i64"), "{text}");
    }

    #[test]
    fn sequential_loops_are_repeated_less_and_bounds_near_the_least_number_stay_bounds() {
        let sequential = LOOP
            .replace(" for v2.i = 0i64, lt v1.n, step 32i64 {\n    directive levels(vector)\n  }", "")
            .replace("locals v2.i: i64", "locals v2.i: i32")
            .replace("locals v5: f32", "locals v5: f32\n  locals v6: i32")
            .replace("bb0:\n  v2.i = copy 0i64", "bb0:\n  v6 = convert.trunc v1.n\n  v2.i = copy 0i32")
            .replace("cmp.lt v2.i, v1.n", "cmp.lt v2.i, v6")
            .replace("add v2.i, 32i64", "add v2.i, 2i32");
        let text = unrolled(&sequential);
        assert_eq!(text.matches("= load [v4]").count(), MOST_OF_SEQUENTIAL + 1, "{text}");
        assert!(text.contains("= smax v6, -2147483642i32"), "{text}");
        for (old, new) in [
            ("add v2.i, 2i32", "add v2.i, 2097152i32"),
            ("add v2.i, 2i32", "add v2.i, v6"),
            ("add v2.i, 2i32", "add v2.i, 2i32\n  v2.i = add v2.i, 2i32"),
            ("cmp.lt v2.i", "cmp.le v2.i"),
        ] {
            let text = unrolled(&sequential.replace(old, new));
            assert_eq!(text.matches("= load [v4]").count(), 1, "{text}");
        }
    }

    #[test]
    fn calls_and_shared_loops_without_loads_stay() {
        for (old, new) in
            [("v5 = load [v4]", "v5 = copy 1.0f32"), ("v5 = load [v4]", "v5 = load [v4] volatile")]
        {
            let text = unrolled(&LOOP.replace(old, new));
            assert_eq!(text.matches("store.f32").count(), 1, "{text}");
        }
    }

    #[test]
    fn copies_access_a_constant_distance_behind_the_first() {
        let sequential = LOOP
            .replace(" for v2.i = 0i64, lt v1.n, step 32i64 {\n    directive levels(vector)\n  }", "")
            .replace("add v2.i, 32i64", "add v2.i, 2i64")
            .replace("store.f32 [v4], 0.0f32", "store.f32 [v0.a], 0.0f32");
        let text = unrolled(&sequential);
        for number in 1..MOST_OF_SEQUENTIAL {
            assert!(text.contains(&format!("v5 = load [v4 + {}]", 8 * number)), "{text}");
        }
        assert_eq!(text.matches("= index").count(), 2, "{text}");
        for (old, new) in [
            // The address is a value, too; the base moves.
            ("v3 = cmp.lt v5, 0.0f32", "store.ptr [v4], v4"),
            ("v3 = cmp.lt v5, 0.0f32", "v0.a = index v0.a + 1i64 * 8"),
        ] {
            let text = unrolled(&sequential.replace(old, new));
            assert_eq!(text.matches("v4 = index").count(), MOST_OF_SEQUENTIAL + 1, "{new}: {text}");
        }
    }
}
