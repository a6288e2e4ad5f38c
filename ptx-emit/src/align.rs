//! Asks once whether what a thread accesses element after element is aligned for wide accesses.
//!
//! Before: any code. After: a block whose accesses have elements side by side is there twice, and one of both
//! knows that their addresses are aligned:
//!
//! ```text
//!     before:  a = load [row]; b = load [row + 4]; ...
//!     after:   branch row % 16 == 0, wide, narrow
//!              wide:    a = load [row] align 16; b = load [row + 4]; ...; jump rest
//!              narrow:  a = load [row]; b = load [row + 4]; ...; jump rest
//! ```
//!
//! The text has one access for each run of the first ([`crate::runs`]). That pays where each lane has a row
//! or a structure of its own: an access of one element fetches from 32 places then, and one of four costs no
//! more. Lanes that have neighbouring elements are served by one access of one element each; and rows that
//! all lanes have in common are no reason to ask, but go along where another is ([`Multiples`]).

use crate::multiples::Multiples;
use crate::runs::{self, Facts, Run};
use crate::text::{Reached, ReadOnly, Tame, global_pointers};
use accrue_ir::analysis::roots::Root;
use accrue_ir::analysis::written::Place;
use accrue_ir::builder::Cursor;
use accrue_ir::entities::set_of;
use accrue_ir::*;
use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Range;

/// Operations that are there twice for each run, at most, and operations that are done ahead.
const COPIED: usize = 64;
const AHEAD: usize = 6;

/// Runs the pass on all regions that the device executes.
pub(crate) fn run(module: &mut Module, reached: &Reached) {
    let tame = Tame::new(module, reached);
    for func in reached.with_code() {
        let FunctionKind::Region(region) = &module.functions[func].kind else { continue };
        let lanes = region.constant_dims[4];
        let Some(mut body) = module.functions[func].body.take() else { continue };
        let plans = plans(module, &tame, (func, lanes), &body);
        plans.into_iter().for_each(|plan| plan.apply(&mut body));
        module.functions[func].body = Some(body);
    }
}

fn plans(module: &Module, tame: &Tame, (func, lanes): (Func, u32), body: &Body) -> Vec<Plan> {
    let headers = set_of(body.loops.values().map(|data| data.header));
    let is_eligible =
        |block: &Block| !headers.contains(*block) && runs::may_be_in(body, &body.blocks[*block]);
    let blocks: Vec<Block> = body.order.iter().copied().filter(is_eligible).collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    let function = &module.functions[func];
    let pointers = global_pointers(function, body);
    let read_only = ReadOnly::of(tame, function, body);
    let facts = Facts { module, body, tame, read_only: &read_only };
    let multiples = LazyCell::new(|| Multiples::new(body, lanes));
    blocks.into_iter().filter_map(|block| Plan::of(facts, block, &pointers, &multiples)).collect()
}

/// A block that is worth it.
struct Plan {
    block: Block,
    /// The operations that are there twice.
    copied: Range<usize>,
    /// Operations that compute bases among them, which are done in front of the copies, too.
    ahead: BTreeSet<usize>,
    /// The bases of runs, how far behind them a run begins, and how many bytes that must be aligned to.
    bases: Vec<(Base, i64, u32)>,
    /// The first operation of each run, and its bytes.
    wide: Vec<(usize, u32)>,
}

/// A base of a run.
#[derive(Clone, Copy, PartialEq)]
enum Base {
    /// It has its value where the copies begin.
    Before(Local),
    /// The result of an operation among those that are there twice.
    Ahead(usize),
}

impl Plan {
    fn of(
        facts: Facts<'_>,
        block: Block,
        pointers: &EntitySet<Local>,
        multiples: &LazyCell<Multiples, impl FnOnce() -> Multiples>,
    ) -> Option<Plan> {
        let data = &facts.body.blocks[block];
        // Tables of constants are small, and near at hand whatever the lanes read of them.
        let is_table = |base| match facts.read_only.roots().of(base) {
            Root::Global(global) => facts.module.globals[global].constant,
            _ => false,
        };
        let in_global =
            |base: Operand| base.as_local().is_some_and(|local| pointers.contains(local)) && !is_table(base);
        let forwarded = forwarded(facts.body, data);
        // The assembler loads in front of a loop what stays the same there, unless a branch leads to it;
        // bytes of a word would be taken apart again and again.
        let of_loop = |block: &Block| facts.body.blocks[*block].loop_ == data.loop_;
        let assigned =
            LazyCell::new(|| facts.body.assigned(facts.body.order.iter().copied().filter(of_loop)));
        let stays = |base: Operand| {
            data.loop_.is_some() && base.as_local().is_none_or(|local| !assigned.contains(local))
        };
        let is_worth_loading = |place: &Place| {
            let base = place.addr.base;
            !forwarded.contains(&base) && (place.ty.bytes() >= 4 || !stays(base))
        };
        let found = runs::find(facts, data, |place| {
            in_global(place.addr.base) && (place.writes || is_worth_loading(place))
        });
        if found.is_empty() {
            return None;
        }
        let mut walk = multiples.walk(block);
        let mut passed = 0;
        let mut varies = false;
        let mut runs: Vec<Run> = Vec::new();
        for run in found.into_iter().filter(|run| !run.is_known_aligned(data)) {
            data.insts[passed..run.first()].iter().for_each(|inst| walk.step(&inst.op));
            passed = run.first();
            let base = walk.value(run.base);
            let is_to_be_asked = |run: &Run| {
                !run.is_known_aligned(data) && base.behind(run.offset).zeros() >= run.bytes().trailing_zeros()
            };
            let parts = run.eligible_parts(is_to_be_asked);
            varies |= !parts.is_empty() && base.varies();
            runs.extend(parts);
        }
        runs.sort_by_key(Run::first);
        if !varies {
            return None;
        }
        let start = runs.first()?.first();
        let mut plan =
            Plan { block, copied: start..start, ahead: BTreeSet::new(), bases: Vec::new(), wide: Vec::new() };
        for run in &runs {
            let end = (run.last() + 1).max(plan.copied.end);
            // The lanes meet in what synchronises, whichever way they come.
            let is_alone = data.insts[plan.copied.end..end].iter().all(|inst| {
                inst.op.effects().synchronises.is_none() && !matches!(inst.op.class(), Class::Frame)
            });
            if !is_alone {
                break;
            }
            plan.add(data, run);
        }
        (!plan.wide.is_empty() && plan.copied.len() <= COPIED * plan.wide.len()).then_some(plan)
    }

    /// Adds a run if its base can be computed in front of the copies.
    fn add(&mut self, data: &BlockData, run: &Run) {
        let Some(own) = run.base.as_local() else { return };
        let most = AHEAD * (self.wide.len() + 1);
        let ahead_of = |(local, before, offset): (Local, usize, i64)| {
            let mut ahead = self.ahead.clone();
            let base = compute(data, local, self.copied.start..before, (&mut ahead, most))?;
            Some((base, offset, ahead))
        };
        let found = ahead_of((own, run.first(), run.offset));
        let Some((base, offset, ahead)) =
            found.or_else(|| ahead_of(what_decides(data, run, self.copied.start)?))
        else {
            return;
        };
        self.ahead = ahead;
        let beside = offset.rem_euclid(i64::from(run.bytes()));
        match self.bases.iter_mut().find(|asked| (asked.0, asked.1) == (base, beside)) {
            Some(asked) => asked.2 = asked.2.max(run.bytes()),
            None => self.bases.push((base, beside, run.bytes())),
        }
        let lowest = run.at.first().copied().unwrap_or_default();
        self.wide.push((lowest, run.bytes()));
        self.copied.end = self.copied.end.max(run.last() + 1);
    }

    fn apply(self, body: &mut Body) {
        let Plan { block, copied, ahead, bases, wide } = self;
        let [wide_block, narrow, rest] = [(); 3].map(|()| body.detached_block());
        let data = &mut body.blocks[block];
        let (loop_, construct, pos) = (data.loop_, data.construct, data.insts[copied.start].pos);
        let after = data.insts.split_off(copied.end);
        let once = data.insts.split_off(copied.start);
        let mut twice = once.clone();
        for (first, bytes) in wide {
            if let Op::Load { access, .. } | Op::Store { access, .. } = &mut twice[first - copied.start].op {
                access.align = bytes;
            }
        }
        let (term, term_pos) = (std::mem::replace(&mut data.term, Terminator::Unreachable), data.term_pos);
        let mut cursor = Cursor::with_pos(body, block, pos);
        let mut names: FxHashMap<usize, Local> = FxHashMap::default();
        for number in ahead {
            let mut op = once[number - copied.start].op.clone();
            op.map_operands(|operand| {
                let Operand::Local(local) = operand else { return operand };
                let defined = last_definition(&once[..number - copied.start], local);
                let name = defined.and_then(|at| names.get(&(at + copied.start)));
                Operand::Local(name.copied().unwrap_or(local))
            });
            op.map_defs(|local| {
                let ty = cursor.body.locals[local].ty;
                *names.entry(number).or_insert_with(|| cursor.temp(ty))
            });
            cursor.op(op);
        }
        let mut all = Operand::Int(Type::I32, 0);
        for (base, beside, bytes) in bases {
            let base = match base {
                Base::Before(local) => local,
                Base::Ahead(number) => names[&number],
            };
            let address = cursor.convert(ConvertOp::Bits, Type::I64, Operand::Local(base));
            let mut low = cursor.convert(ConvertOp::Trunc, Type::I32, address);
            if beside != 0 {
                low = cursor.binary(BinaryOp::Add, low, Operand::Int(Type::I32, beside));
            }
            let beside = cursor.binary(BinaryOp::And, low, Operand::Int(Type::I32, i64::from(bytes) - 1));
            all = if all.as_int() == Some(0) { beside } else { cursor.binary(BinaryOp::Or, all, beside) };
        }
        let is_aligned = cursor.compare(CmpOp::Eq, all, Operand::Int(Type::I32, 0));
        cursor.branch(is_aligned, wide_block, narrow);
        for (new, insts) in [(wide_block, twice), (narrow, once), (rest, after)] {
            let term = Terminator::Jump(rest);
            body.blocks[new] = BlockData { insts, term, term_pos, loop_, construct };
        }
        body.blocks[rest].term = term;
        for data in body.loops.values_mut() {
            for end in [&mut data.preheader, &mut data.latch] {
                if *end == block {
                    *end = rest;
                }
            }
        }
        let place = body.order.iter().position(|&other| other == block).map_or(body.order.len(), |at| at + 1);
        body.order.splice(place..place, [wide_block, narrow, rest]);
    }
}

/// What decides whether a run is aligned, with its value in front of an operation that is no earlier than
/// `start`, and how far behind that a run would begin: what the run's base adds to it is a multiple of the
/// run's bytes, whatever the number. `y[at[i]] = x` of structures asks about `y` alone, once for all.
fn what_decides(data: &BlockData, run: &Run, start: usize) -> Option<(Local, usize, i64)> {
    let bytes = i64::from(run.bytes());
    let mut found = (run.base.as_local()?, run.first(), run.offset);
    let (mut base, mut before, mut offset) = found;
    while let Some(at) = last_definition(&data.insts[..before], base) {
        match data.insts[at].op {
            Op::Index { base: Operand::Local(from), scale, offset: by, .. } if scale % bytes == 0 => {
                (base, before, offset) = (from, at, offset.wrapping_add(by));
            }
            _ => break,
        }
        // Further ahead, it must still have the value where the copies begin.
        if at >= start {
            found = (base, before, offset);
        } else if last_definition(&data.insts[at..start], base).is_none() {
            found = (base, start, offset);
        }
    }
    Some(found)
}

/// The bases behind which a block loads what it has stored there, as several iterations of a recurrence do,
/// `y[j] = f * y[j + 1] + y[j]`: the assembler keeps that in a register, unless the load is a part of a run.
fn forwarded(body: &Body, data: &BlockData) -> Vec<Operand> {
    let mut stored: Vec<(Operand, i64)> = Vec::new();
    let mut found = Vec::new();
    for place in data.insts.iter().filter_map(|inst| Place::of(body, &inst.op)) {
        let at = (place.addr.base, place.addr.offset);
        if place.writes {
            stored.push(at);
        } else if stored.contains(&at) {
            found.push(at.0);
        }
    }
    found
}

/// Notes what must be done ahead for a base, which is used behind some operations.
fn compute(
    data: &BlockData,
    local: Local,
    before: Range<usize>,
    (ahead, most): (&mut BTreeSet<usize>, usize),
) -> Option<Base> {
    let Some(at) = last_definition(&data.insts[before.clone()], local) else {
        return Some(Base::Before(local));
    };
    let at = before.start + at;
    if ahead.contains(&at) {
        return Some(Base::Ahead(at));
    }
    let op = &data.insts[at].op;
    if ahead.len() >= most || op.class() != Class::Value || !op.effects().pure {
        return None;
    }
    ahead.insert(at);
    let mut is_known = true;
    op.uses(|local| is_known &= compute(data, local, before.start..at, (ahead, most)).is_some());
    is_known.then_some(Base::Ahead(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};
    use accrue_ir::verify;

    /// The code of a region with one block: `v2` is `scale` times the lane's number behind `v0.a`, `v3` the
    /// same behind `v1.b`.
    fn aligned(scale: u32, code: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, ptr)\nfunction fn0.r sig0 internal\n  \
             region parallel of \"main\" dims(1, 1, 1, 1, 32) {{\n    param \"a\" pointer deviceptr bytes 0\n    \
             param \"b\" pointer deviceptr bytes 0\n  }} {{\n  params v0.a, v1.b\n  locals v0.a: ptr\n  \
             locals v1.b: ptr\n  locals v2: ptr\n  locals v3: ptr\n  locals v4: i32\n  locals v5: f32\n  \
             locals v6: f32\nbb0:\n  v4 = dim_pos vector\n  v2 = index v0.a + v4 * {scale}\n  \
             v3 = index v1.b + v4 * {scale}\n{code}  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let reached = crate::text::reach(&module).expect("it has a form");
        run(&mut module, &reached);
        let text = print(&module);
        verify::verify(&module, "align").unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        text
    }

    /// Four loads at `base`, with something in front of the last one.
    fn loads(base: &str, between: &str) -> String {
        format!(
            "  v5 = load [{base}]\n  v6 = load [{base} + 4]\n  v5 = load [{base} + 8]\n{between}  \
             v6 = load [{base} + 12]\n"
        )
    }

    #[test]
    fn rows_of_lanes_are_asked_about() {
        let text = aligned(48, &loads("v2", ""));
        assert_eq!(text.matches("align 16").count(), 1, "{text}");
        assert_eq!(text.matches("load [v2 + 12]").count(), 2, "{text}");
    }

    #[test]
    fn pairs_are_asked_about_and_what_adds_a_multiple_to_a_base_is_not() {
        let text = aligned(8, "  v5 = load [v2]\n  v6 = load [v2 + 4]\n");
        assert_eq!(text.matches("align 8").count(), 1, "{text}");
        // Down from the base, which is the last element.
        let text = aligned(
            16,
            "  v5 = load [v2]\n  v5 = load [v2 - 4]\n  v5 = load [v2 - 8]\n  v6 = load [v2 - 12]\n",
        );
        assert!(!text.contains("align 16"), "{text}");
        let text = aligned(
            8,
            "  v4 = load [v1.b]\n  v2 = index v0.a + v4 * 8\n  v5 = load [v3]\n  v6 = load [v3 + 4]\n  \
                               v4 = load [v1.b]\n  v2 = index v0.a + v4 * 8\n  store.f32 [v2], v5\n  store.f32 [v2 + 4], v6\n",
        );
        assert_eq!(text.matches("align 8").count(), 2, "{text}");
        // What was stored there a moment ago is not loaded with its neighbour.
        let text = aligned(8, "  store.f32 [v2], v6\n  v5 = load [v2]\n  v6 = load [v2 + 4]\n");
        assert!(!text.contains("align 8"), "{text}");
    }

    #[test]
    fn what_is_known_to_be_aligned_is_not_asked_about() {
        let known = |align: u32| loads("v2", "").replacen("[v2]", &format!("[v2] align {align}"), 1);
        let text = aligned(48, &known(16));
        assert_eq!(text.matches("load [v2 + 12]").count(), 1, "{text}");
        let text = aligned(48, &known(8));
        assert_eq!(text.matches("load [v2 + 12]").count(), 2, "{text}");
    }

    #[test]
    fn a_parameter_that_is_stepped_has_the_value_of_before_too() {
        let text = aligned(16, &format!("  v0.a = index v0.a + v4 * 1 + 12\n{}", loads("v2", "")));
        assert_eq!(text.matches("align 16").count(), 1, "{text}");
    }

    #[test]
    fn neighbours_common_rows_and_odd_rows_are_not() {
        for (scale, base) in [(4, "v2"), (16, "v0.a"), (20, "v2")] {
            let text = aligned(scale, &loads(base, ""));
            assert!(!text.contains("align 16"), "{scale} {base}: {text}");
        }
    }

    #[test]
    fn what_may_change_the_memory_parts_a_run() {
        for between in ["  store.f32 [v3], v5\n", "  barrier worker\n", "  v2 = index v0.a + v4 * 16\n"] {
            let text = aligned(16, &loads("v2", between));
            assert!(!text.contains("align 16"), "{between}: {text}");
        }
        // Another place of the same row, or a load.
        for between in ["  v5 = load [v3]\n", "  v5 = fma v5, v5, v6\n"] {
            let text = aligned(16, &loads("v2", between));
            assert!(text.contains("align 16"), "{between}: {text}");
        }
    }

    #[test]
    fn stores_wait_for_no_load() {
        let stores = |between: &str| {
            format!(
                "  v5 = load [v3]\n  store.f32 [v2], v5\n  store.f32 [v2 + 4], v5\n{between}  \
                 store.f32 [v2 + 8], v5\n  store.f32 [v2 + 12], v5\n"
            )
        };
        assert!(aligned(16, &stores("")).contains("align 16"));
        for between in ["  v5 = load [v3 + 4]\n", "  store.f32 [v3], v6\n", "  store.f32 [v2 + 4], v6\n"] {
            let text = aligned(16, &stores(between));
            assert!(!text.contains("align 16"), "{between}: {text}");
        }
    }

    #[test]
    fn bases_behind_the_first_access_are_computed_ahead() {
        let text =
            aligned(16, &format!("{}  v3 = index v1.b + v4 * 32\n{}", loads("v2", ""), loads("v3", "")));
        assert_eq!(text.matches("align 16").count(), 2, "{text}");
        assert_eq!(text.matches("= index v1.b + v4 * 32").count(), 3, "{text}");
    }
}
