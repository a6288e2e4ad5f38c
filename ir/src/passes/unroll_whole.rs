//! Writes short loops out, one iteration after the other.
//!
//! Before: any code; `for (int i = 0; i < 3; i++) r.v[i] = a.v[i] * s;` subscripts `r` and `a` by a variable,
//! so that both need memory. After: counted loops of few iterations, known in number, are gone. Every block
//! of an iteration begins with the counter's value, a constant that is left to `fold`. [`super::inline`] runs
//! it, by [`unroll`], before objects become locals, on loops that subscript an object of the function's own,
//! and on short ones of a few iterations, or that sum up floating-point numbers.
//! A target for which all short loops are worth it has [`unroll_all`] in its list: there, what an iteration
//! computes for itself has a name of its own in each, so that later passes see that it has one value. There,
//! loops whose subscripts alone keep an array in memory are written out up to a size of their own
//! (`objects`), those around loops whose number of iterations depends on them included: `for (int i = k;
//! ...)`. Loops that are too long, but whose subscripts come again, stay, with a body as long as the period
//! (`period`). So are loops with a further test, such as that of an insertion (`unlisted`).

mod counter;
mod objects;
mod period;
mod unlisted;

use super::env::{Env, device_bodies};
use super::fold::fold;
use super::{dce, split_objects};
use crate::analysis::cfg::Cfg;
use crate::analysis::inner_sums::InnerSums;
use crate::analysis::liveness::Liveness;
use crate::analysis::loops::Nest;
use crate::analysis::strides::{Constants, Strides};
use crate::edit::clone::BlockCopies;
use crate::edit::rename::Rename;
use crate::entities::{Block, Local, Loop, map_below, set_of};
use crate::function::{Body, LoopData};
use crate::module::Module;
use crate::op::{Class, Inst, Op, Operand, Terminator};
use crate::report::PassError;
use crate::visit::PartMut;
use counter::Counter;
use cranelift_entity::{EntitySet, SecondaryMap};
use objects::Wanted;
use rustc_hash::FxHashMap;

/// What loops are written out.
struct Limits {
    /// Loops of more iterations are left.
    times: usize,
    /// Operations of all iterations of a loop.
    size: usize,
    /// By how many operations a function may grow.
    growth: usize,
    /// Only those that subscript an object of the function's own.
    of_objects: bool,
    /// Operations of all iterations of other loops, of a few iterations or with a sum of floating-point
    /// numbers.
    of_others: usize,
}

/// What counts and tests the iterations of a short loop is much of it. A sum of a few products is a chain
/// that iterations done at once may not change, so that `vectorize` leaves such loops alone; written out, the
/// function is often short enough to stand where it is called, and a loop around it may be done at once.
const OF_OBJECTS: Limits =
    Limits { times: 8, size: usize::MAX, growth: 1400, of_objects: true, of_others: 160 };

/// Iterations of a loop that are fewer than it would take to do several at once.
const FEW_TIMES: usize = 4;

/// Code of a GPU is made often and executed by many: as much as its loops of five by five taps need.
const ALL: Limits = Limits { times: 64, size: 1200, growth: 3000, of_objects: false, of_others: 0 };

/// Loops around loops that have been written out are smaller once constants are known.
const ROUNDS: usize = 2;

/// What is left to write out then: of loops in loops that keep an array in memory, those further inside.
const OF_ARRAYS_ONLY: Limits = Limits { size: 0, ..ALL };
const MOST_ROUNDS: usize = 6;

/// Loops that keep arrays in memory; what they may grow by is counted apart.
const OF_ARRAYS: Limits = Limits { size: usize::MAX, ..ALL };

/// By how many operations a function may grow with loops that keep arrays in memory, those that are constants
/// behind included.
const GROWTH_BY_ARRAYS: usize = 24000;

/// Iterations from which on a loop in a nest that is merged stays one, if it has no more operations than this
/// and only adds up what it loads: the threads of a gang are then arranged so that they load the same.
const MANY_IN_NEST: usize = 16;
const FEW_OPERATIONS: usize = 32;

/// Larger objects stay in memory anyway.
const MOST_BYTES: u64 = 512;

/// Runs [`unroll_all`] on what threads of a device execute.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    for body in device_bodies(module) {
        // Bounds that are known by now.
        fold(body, false);
        drop_clauses_of_own(body);
        if unroll_all(body) && !body.slots.is_empty() {
            // Addresses that accesses took the constant offset of keep no object in memory.
            dce::clean(body);
            split_objects::split_unshared(body);
        }
    }
    Ok(())
}

/// Takes away reductions of sequential loops onto what an iteration of the shared loop around computes for
/// itself: they say nothing to its thread, and a loop with clauses is not written out. But a loop that may be
/// long several threads may yet share ([`InnerSums`]).
fn drop_clauses_of_own(body: &mut Body) {
    let reduces = |data: &LoopData| {
        let directive = data.directive.as_ref();
        directive.is_some_and(|directive| directive.levels.is_empty() && !directive.reductions.is_empty())
    };
    let reducing: Vec<Loop> =
        body.loop_tree().into_iter().filter(|&loop_| reduces(&body.loops[loop_])).collect();
    if reducing.is_empty() {
        return;
    }
    let live = Liveness::new(body, &Cfg::new(body));
    let constants = Constants::of(body);
    for loop_ in reducing {
        let is_shared = |&around: &Loop| body.loops[around].is_partitioned();
        let LoopData { parent, ref induction, .. } = body.loops[loop_];
        let Some(shared) = body.loops_around(parent).find(is_shared) else { continue };
        let trip = induction.as_ref().and_then(|induction| constants.trip(induction));
        if trip.is_none_or(|trip| trip > ALL.times as u64)
            && InnerSums::of(body, shared).is_some_and(|sums| sums.inner == loop_)
        {
            continue;
        }
        let ends = [body.loops[shared].header, body.loops[shared].exit];
        if let Some(directive) = &mut body.loops[loop_].directive {
            let is_own = |var: Operand| {
                var.as_local().is_some_and(|local| !ends.iter().any(|&end| live.is_live_in(local, end)))
            };
            directive.reductions.retain(|clause| clause.pointee || !is_own(clause.var));
        }
    }
}

/// Runs the pass on a body; whether it changed. `is_object`: the parameter with this number is an object by
/// value.
pub fn unroll(body: &mut Body, is_object: impl Fn(usize) -> bool) -> bool {
    write_out(body, (&OF_OBJECTS, &taken_in(body)), is_object, &mut Wanted::default())
}

/// Writes all short loops of a body out that its threads do not share, and folds what that makes constant;
/// whether there were any.
pub fn unroll_all(body: &mut Body) -> bool {
    let taken_in = taken_in(body);
    unroll_but(body, &taken_in)
}

/// The same for a body where the loops of each `collapse` have become one, so that those in it are none of
/// them.
pub fn unroll_all_of_merged(body: &mut Body) -> bool {
    unroll_but(body, &EntitySet::new())
}

/// The loops that a `collapse` around them takes in: they are one with others.
fn taken_in(body: &Body) -> EntitySet<Loop> {
    set_of(body.loop_tree().into_iter().filter(|&loop_| body.associated(loop_).is_some()))
}

fn unroll_but(body: &mut Body, taken_in: &EntitySet<Loop>) -> bool {
    let unlisted = unlisted::list(body, ALL.times);
    let changed = unroll_listed(body, taken_in);
    unlisted::forget(body, unlisted);
    changed
}

fn unroll_listed(body: &mut Body, taken_in: &EntitySet<Loop>) -> bool {
    let mut wanted = Wanted::of(body, taken_in);
    for round in 0..MOST_ROUNDS {
        let limits = if round < ROUNDS { &ALL } else { &OF_ARRAYS_ONLY };
        if round >= ROUNDS && wanted.is_empty()
            || !write_out(body, (limits, taken_in), |_| false, &mut wanted)
        {
            return round > 0;
        }
        fold(body, false);
    }
    true
}

/// `wanted`: loops that are worth more than the limits; copies of such loops become some, too.
fn write_out(
    body: &mut Body,
    (limits, taken_in): (&Limits, &EntitySet<Loop>),
    is_object: impl Fn(usize) -> bool,
    wanted: &mut Wanted,
) -> bool {
    let is_short = |loop_: &Loop| {
        !taken_in.contains(*loop_) && Count::of(body, *loop_, limits).is_some() || wanted.times[*loop_] > 0
    };
    let short: Vec<Loop> = body.loop_tree().into_iter().filter(is_short).collect();
    if short.is_empty() {
        return false;
    }
    let own = addresses(body, is_object);
    let nest = Nest::new(body);
    let mut inner: SecondaryMap<Loop, u32> = map_below(body.loops.len());
    let mut blocks: SecondaryMap<Loop, Vec<Block>> = map_below(body.loops.len());
    for loop_ in body.loop_tree() {
        blocks[loop_] = nest.own(loop_).to_vec();
        if let Some(parent) = body.loops[loop_].parent
            && !blocks[loop_].is_empty()
        {
            inner[parent] += 1;
        }
    }
    let mut room = limits.growth;
    let mut room_of_wanted = GROWTH_BY_ARRAYS;
    let mut changed = false;
    // Parents come before their children.
    for loop_ in short.into_iter().rev() {
        let is_wanted = wanted.whole.contains(loop_);
        if wanted.times[loop_] > 0 {
            if inner[loop_] == 0 {
                let times = std::mem::take(&mut wanted.times[loop_]);
                changed |= period::write_out(body, loop_, &blocks[loop_], (times, &mut room_of_wanted));
            }
            continue;
        }
        let plan = match (is_wanted, inner[loop_]) {
            (false, 0) if is_sum_in_nest(body, taken_in, loop_, &blocks[loop_]) => None,
            (false, 0) => Plan::of(body, loop_, &blocks[loop_], (&own, limits, room)),
            (true, 0) => Plan::of(body, loop_, &blocks[loop_], (&own, &OF_ARRAYS, room_of_wanted)),
            (true, _) => Plan::around_loops(body, taken_in, loop_, (&own, room_of_wanted)),
            (false, _) => None,
        };
        let Some(plan) = plan else { continue };
        if is_wanted {
            room_of_wanted -= plan.size;
        } else {
            room -= plan.size;
        }
        let parent = body.loops[loop_].parent;
        let loops = plan.inner.len();
        let (written, copied) = plan.write(body);
        for (original, copy) in copied {
            wanted.copy(original, copy);
        }
        wanted.whole.remove(loop_);
        if let Some(parent) = parent
            && loops == 0
        {
            // Loops around copies of loops wait for these to be written out.
            inner[parent] -= 1;
            blocks[parent].extend(written);
        }
        changed = true;
    }
    if changed {
        body.remove_unreachable();
    }
    changed
}

/// Whether a loop is long, short of operations, and in the innermost loop of a nest that becomes one loop, of
/// which each iteration has something else to load.
fn is_sum_in_nest(body: &Body, taken_in: &EntitySet<Loop>, loop_: Loop, blocks: &[Block]) -> bool {
    let is_in_nest = body.loops[loop_].parent.is_some_and(|parent| taken_in.contains(parent));
    let insts = || blocks.iter().flat_map(|&block| &body.blocks[block].insts);
    let is_small = || insts().filter(|inst| !matches!(inst.op, Op::Copy { .. })).count() <= FEW_OPERATIONS;
    let only_loads =
        || insts().all(|inst| inst.op.class() == Class::Value || matches!(inst.op, Op::Load { .. }));
    let count = || Counter::of(body, loop_)?.times(usize::MAX);
    let is_long = || count().is_some_and(|(_, times)| times >= MANY_IN_NEST);
    is_in_nest && is_small() && only_loads() && is_long() && has_loads_of_nest(body, loop_)
}

/// Whether a loop loads what only some iterations of the loops around it load.
fn has_loads_of_nest(body: &Body, loop_: Loop) -> bool {
    let around: Vec<Loop> = body.loops_around(body.loops[loop_].parent).collect();
    let Some(&outermost) = around.last() else { return false };
    let strides = Strides::of(body, outermost);
    let mut inside = strides.accesses().filter(|access| access.loop_ == loop_);
    inside.any(|access| around.iter().any(|&outer| strides.stride(body, access, outer) != Some(0)))
}

/// A loop whose number of iterations is known and small.
#[derive(Clone, Copy)]
struct Count {
    counter: Counter,
    first: i64,
    times: usize,
}

impl Count {
    fn of(body: &Body, loop_: Loop, limits: &Limits) -> Option<Count> {
        let counter = Counter::of(body, loop_)?;
        let (first, times) = counter.times(limits.times)?;
        Some(Count { counter, first, times })
    }
}

/// Locals that hold addresses in objects of the function's own: parameters that are such objects, and what is
/// computed from them and from slots.
fn addresses(body: &Body, is_object: impl Fn(usize) -> bool) -> EntitySet<Local> {
    let mut own: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    own.extend(
        body.params.iter().enumerate().filter(|(index, _)| is_object(*index)).map(|(_, &param)| param),
    );
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        if let Op::Index { dst, base, .. } | Op::Copy { dst, src: base } = inst.op
            && is_own(body, &own, base)
        {
            own.insert(dst);
        }
    }
    own
}

fn is_own(body: &Body, own: &EntitySet<Local>, base: Operand) -> bool {
    match base {
        Operand::Slot(slot) => body.slots[slot].size <= MOST_BYTES,
        base => base.as_local().is_some_and(|local| own.contains(local)),
    }
}

/// Whether a loop reads floating-point numbers that it assigns behind that.
fn carries_numbers(body: &Body, blocks: &[Block]) -> bool {
    let mut is_read: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    let mut is_written = is_read.clone();
    let mut carries = false;
    for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
        inst.op.operands(|operand| {
            let local = operand.as_local().filter(|local| !is_written.contains(*local));
            local.into_iter().for_each(|local| _ = is_read.insert(local));
        });
        inst.op.defs(|local| {
            is_written.insert(local);
            carries |= is_read.contains(local) && body.locals[local].ty.is_float();
        });
    }
    carries
}

/// A loop that is worth it.
struct Plan {
    loop_: Loop,
    /// Its blocks without the header.
    blocks: Vec<Block>,
    count: Count,
    /// Operations that it is written out to.
    size: usize,
    /// Locals of which each iteration gets its own.
    own: Vec<Local>,
    /// The loops in it, outer before inner.
    inner: Vec<Loop>,
}

impl Plan {
    /// For a loop with no other inside of it.
    fn of(
        body: &Body,
        loop_: Loop,
        blocks: &[Block],
        (own, limits, room): (&EntitySet<Local>, &Limits, usize),
    ) -> Option<Plan> {
        let count = Count::of(body, loop_, limits)?;
        let (mut subscripts, mut steps, mut size) = (!limits.of_objects, 0, 0);
        for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
            match inst.op.class() {
                Class::Value | Class::Memory => {}
                Class::Call | Class::Atomic if !limits.of_objects => {}
                _ => return None,
            }
            if let Op::Index { base, index: Operand::Local(_), .. } = inst.op {
                subscripts |= is_own(body, own, base);
            }
            steps += usize::from(inst.op.dst() == Some(count.counter.iv));
            // Copies are gone once constants are known.
            size += usize::from(!matches!(inst.op, Op::Copy { .. }));
        }
        // The tests stay as blocks until they are merged.
        let size = (size + 1) * (count.times + 1);
        let is_short = || count.times <= FEW_TIMES || carries_numbers(body, blocks);
        let is_worth = subscripts || size <= limits.of_others && is_short();
        if !is_worth || steps != 1 || size > room.min(limits.size) {
            return None;
        }
        let header = body.loops[loop_].header;
        let blocks: Vec<Block> = blocks.iter().copied().filter(|&block| block != header).collect();
        let own = if limits.of_objects {
            Vec::new()
        } else {
            Liveness::new(body, &Cfg::new(body)).own_of(body, loop_, &blocks)
        };
        Some(Plan { loop_, blocks, count, size, own, inner: Vec::new() })
    }

    /// For a loop that keeps an array in memory, and others inside of it.
    fn around_loops(
        body: &Body,
        taken_in: &EntitySet<Loop>,
        loop_: Loop,
        (own, room): (&EntitySet<Local>, usize),
    ) -> Option<Plan> {
        let inner = Nest::new(body).inside(loop_);
        let are_sequential = inner.iter().all(|&inner| {
            let directive = body.loops[inner].directive.as_ref();
            !taken_in.contains(inner) && !directive.is_some_and(counter::says_something)
        });
        if !are_sequential {
            return None;
        }
        let is_inside = |block: &&Block| body.loop_is_within(body.blocks[**block].loop_, loop_);
        let blocks: Vec<Block> = body.order.iter().filter(is_inside).copied().collect();
        let plan = Plan::of(body, loop_, &blocks, (own, &OF_ARRAYS, room))?;
        Some(Plan { inner, ..plan })
    }

    /// Gives the blocks that now stand in the place of the loop, and the copies of loops in it.
    fn write(self, body: &mut Body) -> (Vec<Block>, Vec<(Loop, Loop)>) {
        let (header, parent) = (body.loops[self.loop_].header, body.loops[self.loop_].parent);
        let (first, exit) = (body.loops[self.loop_].body, body.loops[self.loop_].exit);
        let Counter { iv, ty, step, .. } = self.count.counter;
        let tests: Vec<Block> = (0..=self.count.times).map(|_| body.detached_block()).collect();
        let mut written = Vec::with_capacity((self.count.times + 1) * (self.blocks.len() + 1));
        let mut copied_loops = Vec::new();
        for (index, &test) in tests.iter().enumerate() {
            let mut data = body.blocks[header].clone();
            data.loop_ = parent;
            let next = tests.get(index + 1).copied();
            let value = Operand::Int(ty, self.count.first + step * index as i64);
            let copies = next.map(|next| {
                let copies = BlockCopies::new(body, &self.blocks);
                copies.fill(body, parent, |to| if to == header { next } else { to });
                let loops = self.copy_loops(body, &copies, value);
                let written: Vec<Block> = copies.blocks().collect();
                Rename::fresh(body, self.own.iter().copied()).apply(body, &written, &loops);
                copied_loops.extend(self.inner.iter().copied().zip(loops));
                copies
            });
            data.term = Terminator::Jump(copies.as_ref().map_or(exit, |copies| copies.of(first)));
            body.blocks[test] = data;
            let copied: Vec<Block> = copies.iter().flat_map(BlockCopies::blocks).collect();
            for &block in [test].iter().chain(&copied) {
                let data = &mut body.blocks[block];
                let pos = data.insts.first().map_or(data.term_pos, |inst| inst.pos);
                data.insts.insert(0, Inst { op: Op::Copy { dst: iv, src: value }, pos });
            }
            // The header of a loop holds its test only.
            for &(_, loop_) in copied_loops.iter().rev().take(self.inner.len()).filter(|_| next.is_some()) {
                let header = body.loops[loop_].header;
                body.blocks[header].insts.remove(0);
            }
            written.push(test);
            written.extend(copied);
        }
        let preheader = body.loops[self.loop_].preheader;
        body.blocks[preheader].term.map_successors(|to| if to == header { tests[0] } else { to });
        let at = body.order.iter().position(|&block| block == header).unwrap_or(body.order.len());
        let gone = set_of(self.blocks.iter().copied().chain([header]));
        body.order.splice(at..at, written.iter().copied());
        body.order.retain(|&block| !gone.contains(block));
        for &loop_ in self.inner.iter().rev().chain([&self.loop_]) {
            body.dissolve_loop(loop_);
        }
        (written, copied_loops)
    }

    /// Makes loops of copies of the loops inside; `value` is the counter's.
    fn copy_loops(&self, body: &mut Body, copies: &BlockCopies, value: Operand) -> Vec<Loop> {
        let iv = self.count.counter.iv;
        let mut by_original: FxHashMap<Loop, Loop> = FxHashMap::default();
        let is_counter = |operand: Operand| operand == Operand::Local(iv);
        let mut loops = Vec::with_capacity(self.inner.len());
        for &original in &self.inner {
            let mut data = body.loops[original].clone();
            data.parent = data.parent.map(|parent| by_original.get(&parent).copied()).unwrap_or_default();
            data.parent = data.parent.or(body.loops[self.loop_].parent);
            data.parts_mut(|part| match part {
                PartMut::Block(block) => *block = copies.of(*block),
                PartMut::Value(operand) if is_counter(*operand) => *operand = value,
                _ => {}
            });
            for inst in &mut body.blocks[data.header].insts {
                inst.op.map_operands(|operand| if is_counter(operand) { value } else { operand });
            }
            let copy = body.loops.push(data);
            by_original.insert(original, copy);
            loops.push(copy);
        }
        if !loops.is_empty() {
            for &block in &self.blocks {
                let around = body.blocks[block].loop_.and_then(|loop_| by_original.get(&loop_).copied());
                if around.is_some() {
                    body.blocks[copies.of(block)].loop_ = around;
                }
            }
        }
        loops
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::Func;
    use crate::text;

    /// A function with an object `s0` and a loop over `0..bound`, after the pass; whether it changed.
    fn unrolled(bound: &str, code: &str) -> (bool, String) {
        let text = format!(
            "signature sig0 (i32) -> i32\nfunction fn0.f sig0 external {{\n params v0.n locals v0.n, v1.i: i32\n\
             locals v2: i1 locals v3: i64 locals v4: ptr locals v5: i32 locals v6.s, v7: f64 slot s0.a size 32 align 8\n\
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 \
             for v1.i = 0i32, lt {bound}, step 1i32\n\
             bb0: v1.i = copy 0i32 jump bb1\nbb1 loop0: v2 = cmp.lt v1.i, {bound} branch v2, bb2, bb3\n\
             bb2 loop0: v3 = convert.sext v1.i v4 = index {code} v1.i = add v1.i, 1i32 jump bb1\n\
             bb3: v5 = load [s0.a + 8] return v5\n}}\n"
        );
        let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        crate::verify::verify(&module, "parse").unwrap_or_else(|errors| panic!("{errors}"));
        let body = module.functions[Func::from_u32(0)].body.as_deref_mut();
        let changed = body.is_some_and(|body| {
            let changed = unroll(body, |_| false);
            crate::edit::compact::compact(body);
            changed
        });
        crate::verify::verify(&module, "unroll")
            .unwrap_or_else(|errors| panic!("{errors}\n{}", text::print(&module)));
        (changed, text::print(&module))
    }

    const STORE: &str = "s0.a + v3 * 8 store.i32 [v4], v1.i";

    #[test]
    fn every_iteration_has_its_own_constant() {
        let (changed, text) = unrolled("3i32", STORE);
        assert!(changed && !text.contains("loop"), "{text}");
        assert_eq!(text.matches("store.i32").count(), 3, "{text}");
        for value in 0..3 {
            assert!(text.contains(&format!("v1.i = copy {value}i32\n  v3 = convert")), "{text}");
        }
    }

    #[test]
    fn a_few_iterations_and_short_sums_of_floating_point_numbers_are_written_out() {
        let is_changed = |bound: &str, code: &str| unrolled(bound, &format!("256ptr + v3 * 8 {code}")).0;
        assert!(is_changed("5i32", "v7 = load [v4] v6.s = add v6.s, v7"));
        // Iterations apart from each other may be done at once, if they are more than a few.
        assert!(!is_changed("5i32", "v7 = load [v4] v6.s = add v7, v7 store.f64 [v4], v6.s"));
        assert!(is_changed("4i32", "v7 = load [v4] v6.s = add v7, v7 store.f64 [v4], v6.s"));
        assert!(!is_changed("5i32", "v5 = load [v4] v5 = add v5, v1.i"));
        let long = "v6.s = mul v6.s, v6.s ".repeat(40);
        assert!(!is_changed("4i32", &format!("v7 = load [v4] {long}")));
    }

    #[test]
    fn loops_that_are_long_or_about_other_memory_stay() {
        for (bound, code) in [
            ("9i32", STORE),
            ("v0.n", STORE),
            ("5i32", "256ptr + v3 * 8 store.i32 [v4], v1.i"),
            ("5i32", "s0.a + 1i64 * 8 store.i32 [v4], v1.i"),
            ("3i32", "s0.a + v3 * 8 fence"),
        ] {
            let (changed, text) = unrolled(bound, code);
            assert!(!changed && text.contains("loop0"), "{text}");
        }
    }

    #[test]
    fn what_iterations_compute_for_themselves_has_a_name_in_each() {
        let text = "signature sig0 (ptr) -> i32\nfunction fn0.f sig0 external {\n params v0.p locals v0.p: ptr\n\
             locals v1.i: i32 locals v2: i1 locals v3: i64 locals v4: ptr locals v5, v6.sum: i32\n\
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n\
             bb0: v1.i = copy 0i32 v6.sum = copy 0i32 jump bb1\n\
             bb1 loop0: v2 = cmp.lt v1.i, 12i32 branch v2, bb2, bb3\n\
             bb2 loop0: v3 = convert.sext v1.i v4 = index v0.p + v3 * 4 v5 = load [v4] v6.sum = add v6.sum, v5 \
             v1.i = add v1.i, 1i32 jump bb1\nbb3: return v6.sum\n}\n";
        let mut module = text::parse(text).unwrap_or_else(|error| panic!("{error:?}"));
        let body =
            module.functions[Func::from_u32(0)].body.as_deref_mut().unwrap_or_else(|| panic!("a body"));
        assert!(!unroll(body, |_| false) && unroll_all(body));
        crate::verify::verify(&module, "unroll").unwrap_or_else(|errors| panic!("{errors}"));
        let text = text::print(&module);
        // The start of the sum, and twelve values behind it.
        let counts = (text.matches("= load").count(), text.matches("v6.sum = ").count());
        assert_eq!(counts, (12, 13), "{text}");
        assert!(!text.contains("v5 = load"), "{text}");
    }

    #[test]
    fn reductions_of_sequential_loops_onto_what_a_thread_has_for_itself_say_nothing() {
        let left = |start: &str, sum: &str| {
            let text = format!(
                "file file0 \"a.c\"\nsignature sig0 (ptr, i32)\nfunction fn0.r sig0 internal\n  \
                 region parallel of \"main\" dims(0, 1, 1, 1, 32) {{\n    param \"p\" pointer present\n    \
                 param \"n\" value i32 bytes 4\n  }} {{\n  params v0.p, v1.n\n  locals v0.p: ptr\n  \
                 locals v1.n, v2.i, v3.k, v4.s, v5.t: i32\n  locals v6: i1\n\
                 loop loop0 preheader bb0 header bb1 body bb2 latch bb5 exit bb6 for v2.i = 0i32, lt v1.n, step 1i32 \
                 {{\n directive levels(gang) }}\n\
                 loop loop1 in loop0 preheader bb2 header bb3 body bb4 latch bb4 exit bb5 for v3.k = 0i32, lt 3i32, \
                 step 1i32 {{\n directive seq\n reduction + \"{}\" {sum} parts(0 i32 signed) }}\n\
                 bb0: v2.i = copy 0i32 v5.t = copy 0i32 jump bb1\n\
                 bb1 loop0: v6 = cmp.lt v2.i, v1.n branch v6, bb2, bb6\n\
                 bb2 loop0: {start} v3.k = copy 0i32 jump bb3\n\
                 bb3 loop1: v6 = cmp.lt v3.k, 3i32 branch v6, bb4, bb5\n\
                 bb4 loop1: {sum} = add {sum}, v3.k v3.k = add v3.k, 1i32 jump bb3\n\
                 bb5 loop0: store.i32 [v0.p], {sum} v2.i = add v2.i, 1i32 jump bb1\nbb6: return\n}}\n",
                &sum[3..]
            );
            let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
            for body in device_bodies(&mut module) {
                drop_clauses_of_own(body);
                unroll_all(body);
                crate::edit::compact::compact(body);
            }
            crate::verify::verify(&module, "unroll").unwrap_or_else(|errors| panic!("{errors}"));
            let text = text::print(&module);
            (text.contains("reduction"), text.contains("loop1"))
        };
        assert_eq!(left("v4.s = copy 0i32", "v4.s"), (false, false));
        assert_eq!(left("", "v5.t"), (true, true));
    }

    #[test]
    fn a_loop_that_never_runs_goes() {
        let (changed, text) = unrolled("0i32", STORE);
        assert!(changed && !text.contains("store"), "{text}");
    }
}
