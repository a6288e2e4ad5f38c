//! Several iterations of a loop at once.
//!
//! A thread of a GPU waits hundreds of cycles for memory, and what hides them is that many loads are on their
//! way. One iteration of a short loop has one or two; several of them one after the other, without a test in
//! between, have that many more. The order of a thread's iterations stays, and so do its results. Sequential
//! loops, which are entered again and again and often have few iterations, are repeated less often than those
//! whose iterations threads share; short ones also without a load, since a jump takes as long as several
//! operations.
//!
//! Iterations that threads share depend on none of each other, unless the directive is marked `in_order`. So,
//! where a body takes one way and stores behind its last load, all repetitions load before the first one
//! stores: what is stored might be what the next iteration loads, as far as the assembler can tell, and it
//! would wait.
//!
//! In copies of a sequential body, what is accessed at the counter's place of an array is a constant distance
//! behind the first copy's, since the counter does not overflow below its bound. Sequential loops that count
//! down, as the way back of a recursive filter or of an elimination does, are the same with the signs turned.
//!
//! ```text
//!     before:  limit = bound - (n - 1) * step
//!     several: i < limit?  yes: body; i += step; ... n times; several   no: one
//!     one:     i < bound?  yes: body; i += step; one                    no: exit
//! ```

mod ahead;
mod counted;
mod facts;
mod few;
mod first;
mod stepped;
mod tail;

pub(crate) use few::write_out;

use crate::arch::WARP;
use crate::lift::is_dear;
use crate::text::{Reached, Tame};
use accrue_ir::builder::Cursor;
use accrue_ir::edit::clone::BlockCopies;
use accrue_ir::entities::set_of;
use accrue_ir::passes::simplify_cfg;
use accrue_ir::{
    Access, BinaryOp, Block, Body, CmpOp, Function, Inst, Local, Loop, LoopData, Module, Op, Operand, Space,
    Terminator, map_below,
};
use ahead::LoadsAhead;
use counted::{Counted, at_least, at_most};
use cranelift_entity::SecondaryMap;
use facts::{Facts, definitions};
use first::FirstLoads;
use rustc_hash::FxHashMap;
use stepped::{has_rows_of_lanes, loads_rows_of_lanes, stepped_addresses};
use tail::Tail;

/// Operations of a body that is repeated most often, and how often that is; larger bodies half as often, and
/// so on.
const SHORT: usize = 14;
const MOST: usize = 8;
/// Operations of all repetitions of bodies whose iterations threads share: the loads of four iterations that
/// compute an exponential are on their way.
const OPERATIONS_OF_SHARED: usize = 192;
/// How often the bodies of sequential loops are repeated at most.
const MOST_OF_SEQUENTIAL: usize = 4;

/// Operations of a sequential body that is repeated so often in front of that: with few threads, or far
/// strides, the loads of one are what is on its way.
const SHORTEST_OF_SEQUENTIAL: usize = 12;
const MOST_OF_SHORTEST: usize = 16;

/// Operations of a sequential body that is repeated so often: the loads of a matrix product of which a thread
/// has several elements are all on their way then.
const SHORT_OF_SEQUENTIAL: usize = 50;

/// How often sequential bodies without accesses are repeated at most, operations of all repetitions, and of a
/// body that is repeated: what they wait for is the jump, and results that one iteration has for the next one
/// while the rest of both could be under way.
const MOST_OF_ARITHMETIC: usize = 16;
const OPERATIONS_OF_ARITHMETIC: usize = 128;
const LONGEST_OF_ARITHMETIC: usize = 32;

/// Bodies with more operations than this wait for arithmetic, not for memory; fewer operations where the loop
/// stands in an iteration that has registers, too, or is seldom the one that a launch goes through.
const LONG: usize = 8 * SHORT;
const LESS_LONG: usize = 4 * SHORT;

/// Operations of a sequential body that goes through rows of lanes, which each load fetches from as many
/// places as there are lanes: sixteen elements of a product of such rows take some hundred.
const LONG_WITH_ROWS: usize = 160;

/// What a division or root counts for.
const DEAR: usize = 4;

/// Runs the pass on all regions and routines that the device executes.
pub(crate) fn run(module: &mut Module, reached: &Reached) {
    let tame = Tame::new(module, reached);
    each_partitioned(module, reached, |module, function, body| {
        let facts = Facts::new((module, &tame), function);
        compute_bounds_in_front(&facts, body);
        unroll(&facts, body);
    });
}

/// Moves what the headers of innermost loops compute for their tests in front of the loops, where it does not
/// change in them: `j < first + n`.
fn compute_bounds_in_front(facts: &Facts<'_>, body: &mut Body) {
    for (loop_, blocks) in innermost(body) {
        let LoopData { preheader, header, .. } = body.loops[loop_];
        let insts = &body.blocks[header].insts;
        if insts.len() < 2 {
            continue;
        }
        let mut definitions = definitions(body, &blocks);
        let is_fixed = |op: &Op, definitions: &FxHashMap<Local, usize>| {
            let mut changes = op.dst().is_none_or(|dst| definitions.get(&dst) != Some(&1));
            op.uses(|local| changes |= definitions.contains_key(&local));
            facts.gives_the_same(body, op) && !changes
        };
        let mut moved = 0;
        while let Some(inst) = insts[..insts.len() - 1].get(moved)
            && is_fixed(&inst.op, &definitions)
        {
            inst.op.defs(|local| _ = definitions.remove(&local));
            moved += 1;
        }
        let moved: Vec<Inst> = body.blocks[header].insts.drain(..moved).collect();
        body.blocks[preheader].insts.extend(moved);
    }
}

/// Shows the bodies of all regions and routines that the device executes; the module has none of the one that
/// is shown.
fn each_partitioned(
    module: &mut Module,
    reached: &Reached,
    mut visit: impl FnMut(&Module, &Function, &mut Body),
) {
    for func in reached.with_code() {
        let function = &mut module.functions[func];
        let is_wanted = crate::is_partitioned(function);
        let Some(mut body) = function.body.take_if(|_| is_wanted) else { continue };
        visit(module, &module.functions[func], &mut body);
        module.functions[func].body = Some(body);
    }
}

fn unroll(facts: &Facts<'_>, body: &mut Body) {
    let mut plans = plans(facts, body, true);
    plans.retain(|plan| plan.times > 1);
    if plans.is_empty() {
        return;
    }
    // Where a longer loop is the one that matters, registers are its own.
    let are_shortest = plans.iter().all(|plan| plan.counted.is_shared || plan.is_shortest);
    let mut before: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    for plan in plans {
        let header = body.loops[plan.loop_].header;
        let written = before.entry(header).or_default();
        if are_shortest && plan.is_shortest {
            written.extend(plan.unroll(body, MOST_OF_SHORTEST));
        }
        written.extend(plan.unroll(body, plan.times));
        let mut least = plan.times;
        if plan.is_of_row && plan.times == MOST {
            least = MOST / 2;
            written.extend(plan.unroll(body, least));
        }
        if let Some(tail) = &plan.tail {
            written.extend(tail.write(body, plan.loop_, plan.counted, least));
        }
        if let Some(directive) = body.loops[plan.loop_].directive.as_mut().filter(|_| plan.counted.is_shared)
        {
            directive.at_once = plan.times as u32;
        }
    }
    for block in std::mem::take(&mut body.order) {
        body.order.extend(before.remove(&block).into_iter().flatten());
        body.order.push(block);
    }
    // Loads of several iterations can only become one access in one block.
    simplify_cfg::simplify(body);
}

/// The loops of a body that have none inside, with their blocks in layout order.
fn innermost(body: &Body) -> Vec<(Loop, Vec<Block>)> {
    let mut blocks: SecondaryMap<Loop, Vec<Block>> = map_below(body.loops.len());
    for &block in &body.order {
        if let Some(loop_) = body.blocks[block].loop_ {
            blocks[loop_].push(block);
        }
    }
    // A loop that is gone has no block.
    let live = || body.loops.keys().filter(|&loop_| !blocks[loop_].is_empty());
    let has_inner = set_of(live().filter_map(|loop_| body.loops[loop_].parent));
    let found: Vec<Loop> = live().filter(|&loop_| !has_inner.contains(loop_)).collect();
    found.into_iter().map(|loop_| (loop_, std::mem::take(&mut blocks[loop_]))).collect()
}

/// The innermost loops of a function that are worth it; sequential ones only if asked for.
fn plans(facts: &Facts<'_>, body: &Body, has_sequential: bool) -> Vec<Plan> {
    let found = innermost(body).into_iter();
    found
        .filter(|&(loop_, _)| has_sequential || body.loops[loop_].is_partitioned())
        .filter_map(|(loop_, blocks)| {
            let loads_first = Plan::with_loads_first(body, loop_, &blocks, facts);
            loads_first.or_else(|| Plan::of(body, loop_, &blocks, facts))
        })
        .collect()
}

/// A loop that is worth it.
struct Plan {
    loop_: Loop,
    /// Its blocks without the header, each before those it jumps to.
    blocks: Vec<Block>,
    counted: Counted,
    /// Of an iteration.
    operations: usize,
    /// How often it is repeated; once where it has no two iterations.
    times: usize,
    /// It may be repeated [`MOST_OF_SHORTEST`] times in front of that.
    is_shortest: bool,
    /// It is entered again and again, for rows that may be short for so many lanes: 512 elements are 4 for
    /// each of 128.
    is_of_row: bool,
    /// How its repetitions load before they store.
    ahead: Option<LoadsAhead>,
    /// What its repetitions load before any of them goes on.
    first: Option<FirstLoads>,
    /// How what is left behind them comes at once.
    tail: Option<Tail>,
}

impl Plan {
    /// For a loop with no other inside of it, and these blocks in layout order.
    fn of(body: &Body, loop_: Loop, blocks: &[Block], facts: &Facts<'_>) -> Option<Plan> {
        let data = &body.loops[loop_];
        let counted = Counted::of(body, loop_, facts)?;
        let Counted { iv, counter, bound, step, is_shared, .. } = counted;
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
            operations += if is_dear(&inst.op) { DEAR } else { 1 };
            accesses += usize::from(!inst.op.effects().pure || matches!(inst.op, Op::Load { .. }));
            loads += usize::from(
                matches!(inst.op, Op::Load { access: Access { space, .. }, .. } if space != Space::Local),
            );
        }
        let longest_without_loads = if accesses == 0 { LONGEST_OF_ARITHMETIC } else { SHORT };
        let is_worth_it = loads > 0 || !is_shared && operations <= longest_without_loads;
        // Launches with gangs for rows do not come to it, but all loops of a kernel have the same registers.
        let is_often = is_shared && body.beside.is_none();
        let is_longer = operations > SHORT_OF_SEQUENTIAL && operations <= LONG_WITH_ROWS;
        let has_rows =
            !is_shared && is_longer && has_rows_of_lanes((body, data.body), &blocks, counted, facts);
        let longest = match (is_often, has_rows) {
            (true, _) => LONG,
            (false, true) => LONG_WITH_ROWS,
            (false, false) => LESS_LONG,
        };
        if !is_worth_it || operations > longest || steps != 1 {
            return None;
        }
        if is_shared && loads_rows_of_lanes(body, &blocks, iv) {
            return None;
        }
        let (mut times, most) = match (is_shared, accesses) {
            (true, _) if is_often => (MOST, OPERATIONS_OF_SHARED),
            (true, _) => (MOST, MOST * SHORT),
            (false, 0) => (MOST_OF_ARITHMETIC, OPERATIONS_OF_ARITHMETIC),
            (false, _) if has_rows => (MOST_OF_SEQUENTIAL, MOST_OF_SEQUENTIAL * LONG_WITH_ROWS),
            (false, _) => (MOST_OF_SEQUENTIAL, MOST_OF_SEQUENTIAL * SHORT_OF_SEQUENTIAL),
        };
        while times > 2 && operations * times > most {
            times /= 2;
        }
        let iterations = counted.iterations(body, loop_, facts);
        let times = iterations.map_or(times, |iterations| iterations.fit(times));
        let has_one_warp = step.as_int().is_some_and(|step| step <= WARP.into());
        let is_of_row = is_shared && data.parent.is_some() && !has_one_warp;
        let is_shortest = !is_shared
            && loads > 0
            && operations <= SHORTEST_OF_SEQUENTIAL
            && !is_of_list(body, loop_, counted, facts)
            && iterations.is_none_or(|iterations| iterations.number >= MOST_OF_SHORTEST);
        let in_order = data.directive.as_ref().is_some_and(|directive| directive.in_order);
        let is_mixed = is_shared && !in_order;
        let ahead = is_mixed.then(|| LoadsAhead::of(body, loop_, &blocks, counter, facts)).flatten();
        let is_entered_often = !is_shared || data.parent.is_some();
        let has_tail = is_entered_often && loads > 0 && times > 2 && iterations.is_none();
        let tail = has_tail.then(|| Tail::of(body, loop_, &blocks, (counted, facts))).flatten();
        Some(Plan {
            loop_,
            blocks,
            counted,
            operations,
            times,
            is_shortest,
            is_of_row,
            ahead,
            first: None,
            tail,
        })
    }

    /// Gives the blocks that are to stand in front of the loop's header.
    fn unroll(&self, body: &mut Body, times: usize) -> Vec<Block> {
        let LoopData { parent, preheader, header, body: first, latch, pos, .. } =
            body.loops[self.loop_].clone();
        let new_block = |body: &mut Body| {
            let block = body.detached_block();
            body.blocks[block].loop_ = parent;
            block
        };
        let before = new_block(body);
        let several = new_block(body);
        let ahead = self.ahead.as_ref().map(|ahead| (ahead, new_block(body)));
        let number_of_copies = if ahead.is_some() { 0 } else { times };
        let copies: Vec<BlockCopies> =
            (0..number_of_copies).map(|_| BlockCopies::new(body, &self.blocks)).collect();
        let [first_copy, last_latch] = match (&ahead, copies.as_slice()) {
            (None, [first_copy, .., last]) => [first_copy.of(first), last.of(latch)],
            (Some((_, merged)), _) => [*merged; 2],
            (None, _) => return Vec::new(),
        };
        let rest = new_block(body);
        let loop_ = body.loops.push(LoopData {
            parent,
            preheader: before,
            header: several,
            body: first_copy,
            latch: last_latch,
            exit: rest,
            induction: None,
            directive: None,
            pos,
        });
        body.blocks[preheader].term.map_successors(|to| if to == header { before } else { to });
        body.loops[self.loop_].preheader = rest;

        let mut cursor = Cursor::with_pos(body, before, pos);
        let more = times as i64 - 1;
        // Up to a bound is below the next number, which need not exist.
        let (less, included) = match self.counted.less {
            CmpOp::Le => (CmpOp::Lt, 1),
            CmpOp::Ge => (CmpOp::Gt, -1),
            less => (less, 0),
        };
        let distance = match self.counted.step {
            Operand::Int(ty, step) => Operand::Int(ty, step.wrapping_mul(more) - included),
            step => cursor.mul(step, Operand::Int(self.counted.ty, more)),
        };
        let bound = match (self.counted.is_shared, self.counted.less) {
            (_, CmpOp::ULt) => cursor.binary(BinaryOp::UMax, self.counted.bound, distance),
            (true, _) => self.counted.bound,
            (false, CmpOp::Gt | CmpOp::Ge) => {
                at_most(&mut cursor, self.counted.ty, self.counted.bound, distance)
            }
            (false, _) => at_least(&mut cursor, self.counted.ty, self.counted.bound, distance),
        };
        let limit = cursor.binary(BinaryOp::Sub, bound, distance);
        cursor.jump(several);
        let mut cursor = Cursor::with_pos(body, several, pos);
        let enough = cursor.compare(less, self.counted.iv, limit);
        cursor.branch(enough, first_copy, rest);
        Cursor::with_pos(body, rest, pos).jump(header);
        body.blocks[several].loop_ = Some(loop_);
        if let Some((ahead, merged)) = ahead {
            body.blocks[merged].loop_ = Some(loop_);
            ahead.write(&mut Cursor::with_pos(body, merged, pos), self.counted, times);
            Cursor::with_pos(body, merged, pos).jump(several);
            return vec![before, several, merged, rest];
        }
        for (index, copy) in copies.iter().enumerate() {
            let next = copies.get(index + 1).map_or(several, |next| next.of(first));
            copy.fill(body, Some(loop_), |to| if to == header { next } else { to });
        }
        if let Some(step) = self.counted.step.as_int().filter(|_| self.first.is_none()) {
            for stepped in stepped_addresses((body, first), &self.blocks, self.counted) {
                for (copy, number) in copies.iter().zip(0i64..).skip(1) {
                    let by = stepped.scale.wrapping_mul(step).wrapping_mul(number);
                    stepped.offset_in(&mut body.blocks[copy.of(first)], by);
                }
            }
        }
        let mut front = Vec::new();
        if let Some(loads) = &self.first {
            let at_front = body.detached_block();
            body.blocks[at_front].loop_ = Some(loop_);
            loads.write(body, (&copies, first, at_front), self.counted);
            Cursor::with_pos(body, at_front, pos).jump(first_copy);
            body.blocks[several].term.map_successors(|to| if to == first_copy { at_front } else { to });
            body.loops[loop_].body = at_front;
            front.push(at_front);
        }
        let copied = copies.iter().flat_map(BlockCopies::blocks);
        [before, several].into_iter().chain(front).chain(copied).chain([rest]).collect()
    }
}

/// Whether a loop of all lanes of a row ends where a list says, as the rows of a sparse matrix do. These
/// are mostly short, and there are many: registers for more of their loads at once would be registers of
/// other threads.
fn is_of_list(body: &Body, loop_: Loop, counted: Counted, facts: &Facts<'_>) -> bool {
    let mut insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    insts.any(|inst| matches!(inst.op, Op::Load { dst, .. } if counted.bound == Operand::Local(dst)))
        && !facts.multiples(body).walk(body.loops[loop_].preheader).value(counted.bound).varies()
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
        let reached = crate::text::reach(&module).unwrap_or_else(|error| panic!("{error}"));
        run(&mut module, &reached);
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
    fn iterations_that_are_few_are_repeated_as_often_as_a_thread_has_them() {
        let times = |bound: &str, code: &str| {
            let text = LOOP
                .replace("lt v1.n", &format!("lt {bound}"))
                .replace("cmp.lt v2.i, v1.n", &format!("cmp.lt v2.i, {bound}"))
                .replace("  locals v5: f32", "  locals v5: f32\n  locals v6, v7, v8: i64\n  locals v9: i32")
                .replace("bb0:\n", &format!("bb0:\n{code}"));
            unrolled(&text).matches("= load [v4]").count() - 1
        };
        // Of 191 iterations, the 32 lanes have five each, and most have one more; 384 are twice six.
        assert_eq!([times("191i64", ""), times("384i64", ""), times("1024i64", "")], [5, 6, MOST]);
        // The bound is 190 or 191, or anything.
        let bound =
            "  v9 = dim_pos worker\n  v6 = convert.zext v9\n  v7 = urem v6, 2i64\n  v8 = sub 191i64, v7\n";
        assert_eq!([times("v8", bound), times("v1.n", "")], [5, MOST]);
        assert_eq!(times("63i64", ""), 0);
    }

    #[test]
    fn iterations_that_load_from_several_sectors_of_their_own_come_one_by_one() {
        let rows = |scale: &str, offset: &str| {
            let text = LOOP
                .replace("v2.i * 4", &format!("v2.i * {scale}"))
                .replace("v5 = load [v4]", &format!("v5 = load [v4]\n  v5 = load [v4 + {offset}]"));
            unrolled(&text).matches("= load [v4]").count()
        };
        assert_eq!(rows("48", "40"), 1);
        // Of one sector, or one that the next iteration has, too.
        assert_eq!([rows("48", "28"), rows("32", "40")], [MOST + 1; 2]);
    }

    #[test]
    fn steps_need_no_more_than_be_known_to_be_short() {
        let sequential = LOOP
            .replace(" for v2.i = 0i64, lt v1.n, step 32i64 {\n    directive levels(vector)\n  }", "")
            .replace("locals v2.i: i64", "locals v2.i: i32")
            .replace("locals v5: f32", "locals v5: f32\n  locals v6, v7, v8: i32")
            .replace(
                "bb0:\n  v2.i = copy 0i64",
                "bb0:\n  v6 = convert.trunc v1.n\n  v7 = lshr 512i32, v6\n  v8 = smax v6, 0i32\n  v2.i = copy 0i32",
            )
            .replace("cmp.lt v2.i, v1.n", "cmp.lt v2.i, v6")
            .replace("add v2.i, 32i64", "add v2.i, v7");
        let copies = |text: &str| unrolled(text).matches("= load [v4]").count();
        let repeated = MOST_OF_SHORTEST + MOST_OF_SEQUENTIAL + 1;
        assert_eq!(copies(&sequential), repeated);
        assert!(unrolled(&sequential).contains("= mul v7, 15i32"));
        assert_eq!(copies(&sequential.replace("lshr 512i32, v6", "lshr v6, 1i32")), 1);
        assert_eq!(copies(&sequential.replace("cmp.lt v2.i", "cmp.le v2.i")), 1);
        // Without a sign, as long as bounds are numbers that have none.
        let unsigned = sequential.replace("cmp.lt v2.i, v6", "cmp.ult v2.i, v8");
        assert_eq!(copies(&unsigned), repeated);
        assert!(unrolled(&unsigned).contains("= umax v8, "));
        assert_eq!(copies(&unsigned.replace("ult v2.i, v8", "ult v2.i, v6")), 1);
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
        let copies = MOST_OF_SHORTEST + MOST_OF_SEQUENTIAL;
        assert_eq!(text.matches("= load [v4]").count(), copies + 1, "{text}");
        assert!(text.contains("= smax v6, -2147483642i32"), "{text}");
        for (old, new) in [
            ("add v2.i, 2i32", "add v2.i, 2097152i32"),
            ("add v2.i, 2i32", "add v2.i, v6"),
            ("add v2.i, 2i32", "add v2.i, 2i32\n  v2.i = add v2.i, 2i32"),
            ("cmp.lt v2.i", "cmp.ne v2.i"),
        ] {
            let text = unrolled(&sequential.replace(old, new));
            assert_eq!(text.matches("= load [v4]").count(), 1, "{text}");
        }
        // The last copy may reach the bound, but the least number is reached by one copy alone.
        let text = unrolled(&sequential.replace("cmp.lt v2.i", "cmp.le v2.i"));
        assert_eq!(text.matches("= load [v4]").count(), copies + 1, "{text}");
        assert!(text.contains("= smax v6, -2147483643i32") && text.contains("= sub v10, 5i32"), "{text}");
        assert_eq!(text.matches("= cmp.le v2.i, v6").count(), 1, "{text}");
    }

    #[test]
    fn loops_that_count_down_are_repeated_too() {
        let down = LOOP
            .replace(" for v2.i = 0i64, lt v1.n, step 32i64 {\n    directive levels(vector)\n  }", "")
            .replace("locals v2.i: i64", "locals v2.i: i32")
            .replace("locals v5: f32", "locals v5: f32\n  locals v6: i32")
            .replace("bb0:\n  v2.i = copy 0i64", "bb0:\n  v6 = convert.trunc v1.n\n  v2.i = copy 99i32")
            .replace("cmp.lt v2.i, v1.n", "cmp.ge v2.i, v6")
            .replace("add v2.i, 32i64", "sub v2.i, 2i32");
        let copies = MOST_OF_SHORTEST + MOST_OF_SEQUENTIAL;
        let text = unrolled(&down);
        assert_eq!(text.matches("= load [v4").count(), copies + 1, "{text}");
        // Four go down by 6, from at least that above the bound, which is reached.
        assert!(text.contains("= smin v6, 2147483642i32") && text.contains("= sub v10, -5i32"), "{text}");
        for (old, new) in [("sub v2.i, 2i32", "add v2.i, 2i32"), ("cmp.ge v2.i", "cmp.lt v2.i")] {
            let text = unrolled(&down.replace(old, new));
            assert_eq!(text.matches("= load [v4").count(), 1, "{text}");
        }
    }

    #[test]
    fn what_is_left_of_short_rows_loads_at_once() {
        let sum = LOOP
            .replace(" for v2.i = 0i64, lt v1.n, step 32i64 {\n    directive levels(vector)\n  }", "")
            .replace("add v2.i, 32i64", "add v2.i, 2i64")
            .replace("locals v5: f32", "locals v5: f32\n  locals v6.sum: f32\n  locals v7: ptr")
            .replace("bb0:\n", "bb0:\n  v6.sum = copy 0.0f32\n  v7 = copy v0.a\n")
            .replace("v3 = cmp.lt v5, 0.0f32\n  branch v3, bb3, bb4", "v6.sum = add v6.sum, v5\n  jump bb3")
            .replace("store.f32 [v4], 0.0f32", "v5 = neg v5")
            .replace("bb5:\n", "bb5:\n  store.f32 [v0.a], v6.sum\n");
        let text = unrolled(&sum);
        // The third one is one, or the first one again.
        assert_eq!(text.matches("= select").count(), 3, "{text}");
        assert!(text.contains("= cmp.lt 2i64, ") && text.contains("= cmp.lt 4i64, "), "{text}");
        for (old, new) in [
            // A store; loads of loads; addresses that go along; a division; two ways.
            ("v5 = neg v5", "store.f32 [v4], 0.0f32"),
            ("v4 = index v0.a", "v7 = load [v0.a]\n  v4 = index v7"),
            ("v4 = index v0.a + v2.i * 4", "v7 = index v7 + 1i64 * 4\n  v4 = copy v7"),
            ("v5 = neg v5", "v6.sum = fdiv v6.sum, v5"),
            ("jump bb3", "v3 = cmp.lt v5, 0.0f32\n  branch v3, bb3, bb4"),
        ] {
            let text = unrolled(&sum.replace(old, new));
            assert!(text.matches("= load").count() > 2 && !text.contains("= select"), "{new}: {text}");
        }
    }

    /// The loop with a body of one block, that loads and then stores.
    fn straight(load: &str, store: &str) -> String {
        let text = LOOP
            .replace("locals v5: f32", "locals v5: f32\n  slot s0 size 64 align 4")
            .replace("  v3 = cmp.lt v5, 0.0f32\n  branch v3, bb3, bb4\n", "  jump bb3\n")
            .replace("v5 = load [v4]", load)
            .replace("store.f32 [v4], 0.0f32", store);
        unrolled(&text)
    }

    #[test]
    fn iterations_of_several_threads_load_before_they_store() {
        let (load, store) = ("v5 = load [v4]", "store.f32 [v4], v5");
        let text = straight(load, store);
        let (ahead, _) = text.split_once("store.f32").unwrap_or_else(|| panic!("{text}"));
        assert_eq!(ahead.matches("= load").count(), MOST, "{text}");
        for (load, store) in [
            // A thread's own memory; a pointer that may lead there.
            ("v5 = load [s0 + 4]", "store.f32 [s0 + 4], v5"),
            ("v4 = load [s0 + 8]\n  v5 = load [v4]", store),
        ] {
            let text = straight(load, store);
            let (ahead, _) = text.split_once("store.f32").unwrap_or_else(|| panic!("{text}"));
            assert!(ahead.matches("= load").count() < MOST, "{text}");
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
        for number in 1..MOST_OF_SHORTEST {
            assert!(text.contains(&format!("v5 = load [v4 + {}]", 8 * number)), "{text}");
        }
        assert_eq!(text.matches("= index").count(), 3, "{text}");
        for (old, new) in [
            // The address is a value, too; the base moves.
            ("v3 = cmp.lt v5, 0.0f32", "store.ptr [v4], v4"),
            ("v3 = cmp.lt v5, 0.0f32", "v0.a = index v0.a + 1i64 * 8"),
        ] {
            let text = unrolled(&sequential.replace(old, new));
            let copies = MOST_OF_SHORTEST + MOST_OF_SEQUENTIAL;
            assert_eq!(text.matches("v4 = index").count(), copies + 1, "{new}: {text}");
        }
    }
}
