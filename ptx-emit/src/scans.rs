//! Loops whose iterations store what a sum has come to, executed by the lanes of a warp.
//!
//! Before: a loop that lanes share has scans, scalars in which its iterations accumulate and whose values in
//! between they use. After: it is a loop over rounds, in which each lane has one iteration:
//!
//! ```text
//!     for each round:
//!         d = 0; if the lane has an iteration: d += x[i]        what only the sum needs, once more
//!         s = carry + what the lanes before have added; carry += what all lanes have added
//!         if the lane has an iteration: s += x[i]; p[i] = s
//! ```
//!
//! All lanes are in each round, so that they can tell each other their numbers. Where the lanes are not those
//! of one warp, because the program says how many there are, the first one executes all iterations.

use crate::arch::WARP;
use accrue_ir::analysis::loops::Nest;
use accrue_ir::analysis::slices::needed;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::clone::BlockCopies;
use accrue_ir::edit::induction::{induction_value, trip_count};
use accrue_ir::edit::logical::{Logical, in_front, run_over};
use accrue_ir::edit::rename::Rename;
use accrue_ir::edit::split::block_like;
use accrue_ir::target::operators;
use accrue_ir::{
    BinaryOp, Block, Body, CmpOp, ConvertOp, FunctionKind, Level, Local, Loop, LoopData, Module, Op, Operand,
    RedType, ReductionClause, ReductionOp, ShuffleMode, Type,
};

/// Runs the pass.
pub fn run(module: &mut Module) {
    for function in module.functions.values_mut() {
        let FunctionKind::Region(region) = &function.kind else { continue };
        let lanes = region.constant_dims[4];
        let Some(body) = function.body.as_deref_mut() else { continue };
        for loop_ in body.loop_tree() {
            let Some(directive) = &mut body.loops[loop_].directive else { continue };
            if directive.scans.is_empty() || directive.levels.is_empty() {
                continue;
            }
            directive.levels.clear();
            let sums: Option<Vec<Sum>> = directive.scans.drain(..).map(|scan| Sum::of(&scan)).collect();
            match sums {
                Some(sums) if lanes == WARP => by_lanes(body, loop_, &sums),
                _ => by_first_lane(body, loop_),
            }
        }
    }
}

/// A scalar in which iterations accumulate.
struct Sum {
    local: Local,
    op: ReductionOp,
    ty: RedType,
}

impl Sum {
    fn of(clause: &ReductionClause) -> Option<Sum> {
        let [part] = &clause.parts[..] else { return None };
        Some(Sum { local: clause.var.as_local()?, op: clause.op, ty: part.ty })
    }

    fn combine(&self, cursor: &mut Cursor<'_>, a: Operand, b: Operand) -> Operand {
        operators::emit_op(cursor, self.op, self.ty, a, b)
    }
}

/// Where a lane stands in its warp.
struct Lane {
    /// Its number, an `i32`.
    number: Operand,
    /// For 1, 2, 4, ...: the number of the lane so many before it, or its own, and whether there is one.
    before: Vec<(Operand, Operand)>,
}

impl Lane {
    fn new(cursor: &mut Cursor<'_>) -> Lane {
        let number = cursor.dim_pos(Level::Vector);
        let mut before = Vec::new();
        for log in 0..WARP.ilog2() {
            let distance = Operand::Int(Type::I32, 1 << log);
            let is_there = cursor.compare(CmpOp::Ge, number, distance);
            let lane = cursor.sub(number, distance);
            before.push((cursor.select(is_there, lane, number), is_there));
        }
        Lane { number, before }
    }

    /// What the lanes before this one have added, and what all have.
    fn scan(&self, cursor: &mut Cursor<'_>, sum: &Sum, own: Operand) -> (Operand, Operand) {
        let mut value = own;
        for &(lane, is_there) in &self.before {
            let earlier = cursor.shuffle(ShuffleMode::Index, value, lane);
            let both = sum.combine(cursor, earlier, value);
            value = cursor.select(is_there, both, value);
        }
        let last = Operand::Int(Type::I32, i64::from(WARP) - 1);
        let all = cursor.shuffle(ShuffleMode::Index, value, last);
        let (lane, is_there) = self.before[0];
        let earlier = cursor.shuffle(ShuffleMode::Index, value, lane);
        let nothing = operators::identity(cursor, sum.op, sum.ty);
        (cursor.select(is_there, earlier, nothing), all)
    }
}

/// Lets the lanes of a warp execute a counted loop in rounds.
fn by_lanes(body: &mut Body, loop_: Loop, sums: &[Sum]) {
    let LoopData { header, body: first, latch, exit, pos, .. } = body.loops[loop_];
    let mut blocks = Nest::new(body).blocks(loop_);
    blocks.retain(|&block| block != header);
    let Some((mut cursor, counted)) = in_front(body, loop_) else { return };
    let trip = trip_count(&mut cursor, &counted);
    let lane = Lane::new(&mut cursor);
    let number = cursor.convert(ConvertOp::ZExt, Type::I64, lane.number);
    let carried: Vec<Local> = sums.iter().map(|sum| cursor.body.local_like(sum.local)).collect();
    for (sum, &carried) in sums.iter().zip(&carried) {
        cursor.assign(carried, Operand::Local(sum.local));
    }
    let round = cursor.temp(Type::I64);
    cursor.assign(round, Operand::Int(Type::I64, 0));

    body.blocks[latch].insts.retain(|inst| inst.op.dst() != Some(counted.iv));
    let added = Added::copy(body, loop_, &blocks, sums);
    let start = block_like(body, first, first, pos);
    let meet = block_like(body, first, first, pos);
    added.lead(body, &blocks, (header, meet));

    body.blocks[header].insts.clear();
    let mut cursor = Cursor::with_pos(body, header, pos);
    let more = cursor.compare(CmpOp::Lt, Operand::Local(round), trip);
    cursor.branch(more, start, exit);

    cursor.switch_to(start);
    let iteration = cursor.add(Operand::Local(round), number);
    induction_value(&mut cursor, &counted, iteration);
    let is_one = cursor.compare(CmpOp::Lt, iteration, trip);
    for sum in sums {
        let nothing = operators::identity(&mut cursor, sum.op, sum.ty);
        cursor.assign(added.rename.local(sum.local), nothing);
    }
    cursor.branch(is_one, added.copies.of(first), meet);

    cursor.switch_to(meet);
    for (sum, &carried) in sums.iter().zip(&carried) {
        let own = Operand::Local(added.rename.local(sum.local));
        let (before, all) = lane.scan(&mut cursor, sum, own);
        let value = sum.combine(&mut cursor, Operand::Local(carried), before);
        cursor.assign(sum.local, value);
        let value = sum.combine(&mut cursor, Operand::Local(carried), all);
        cursor.assign(carried, value);
    }
    cursor.branch(is_one, first, latch);

    let mut cursor = Cursor::with_pos(body, latch, pos);
    let step = Operand::Int(Type::I64, WARP.into());
    cursor.op(Op::Binary { dst: round, op: BinaryOp::Add, a: Operand::Local(round), b: step });
    body.loops[loop_].body = start;
}

/// Lets the first lane execute all iterations of a counted loop.
fn by_first_lane(body: &mut Body, loop_: Loop) {
    let Some((mut cursor, counted)) = in_front(body, loop_) else { return };
    let trip = trip_count(&mut cursor, &counted);
    let lane = cursor.dim_pos(Level::Vector);
    let is_first = cursor.compare(CmpOp::Eq, lane, Operand::Int(Type::I32, 0));
    let from = cursor.select(is_first, Operand::Int(Type::I64, 0), trip);
    let step = Operand::Int(Type::I64, 1);
    run_over(body, loop_, &counted, Logical { ty: Type::I64, from, step, end: trip, in_chunks: false });
}

/// The code of an iteration that says what it adds.
struct Added {
    copies: BlockCopies,
    rename: Rename,
}

impl Added {
    /// Copies it, with locals of its own.
    fn copy(body: &mut Body, loop_: Loop, blocks: &[Block], sums: &[Sum]) -> Added {
        let locals: Vec<Local> = sums.iter().map(|sum| sum.local).collect();
        let needed = needed(body, blocks, &locals);
        let copies = BlockCopies::new(body, blocks);
        copies.fill(body, Some(loop_), |to| to);
        copies.keep(body, &needed);
        let assigned = body.assigned(copies.blocks());
        let rename = Rename::fresh(body, assigned.iter().chain(locals));
        let made: Vec<Block> = copies.blocks().collect();
        rename.apply(body, &made, &[]);
        Added { copies, rename }
    }

    /// Puts it in front of a block, and lets it lead there.
    fn lead(&self, body: &mut Body, blocks: &[Block], (header, meet): (Block, Block)) {
        for &block in blocks {
            let copy = self.copies.of(block);
            body.blocks[copy].term.map_successors(|to| if to == header { meet } else { to });
        }
        let at = body.order.iter().position(|&block| block == meet).unwrap_or(body.order.len());
        body.order.splice(at..at, self.copies.blocks());
    }
}

#[cfg(test)]
mod tests {
    use accrue_ir::text::{parse, print};

    /// `for (i = 0; i < 90; i++) { s += a[i]; a[i] = s; }` with so many lanes.
    fn with_lanes(lanes: u32) -> String {
        let text = format!(
            "signature sig0 (ptr)\nfunction fn0.r sig0 internal\n  region kernels of \"r\" dims(0, 1, 1, 8, {lanes}) {{\n    \
             param \"a\" pointer\n  }} {{\n  params v0.a\n  locals v0.a: ptr\n  locals v1.i: i64\n  locals v2.s: i32\n  \
             locals v3: i1\n  locals v4: ptr\n  locals v5: i32\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4 for v1.i = 0i64, lt 90i64, step 1i64 {{\n    \
             directive seq levels(vector)\n    scan + \"s\" v2.s parts(0 i32 signed)\n  }}\nbb0:\n  v2.s = copy 7i32\n  \
             v1.i = copy 0i64\n  jump bb1\nbb1 loop0:\n  v3 = cmp.lt v1.i, 90i64\n  branch v3, bb2, bb4\n\
             bb2 loop0:\n  v4 = index v0.a + v1.i * 4\n  v5 = load [v4]\n  v2.s = add v2.s, v5\n  \
             store.i32 [v4], v2.s\n  jump bb3\nbb3 loop0:\n  v1.i = add v1.i, 1i64\n  jump bb1\nbb4:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        super::run(&mut module);
        accrue_ir::verify::verify(&module, "scans").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    /// The number of times that a text has a word.
    fn count(text: &str, word: &str) -> usize {
        text.matches(word).count()
    }

    #[test]
    fn a_warp_has_an_iteration_for_each_lane_and_loads_twice() {
        let text = with_lanes(32);
        // Five steps, what is before the lane, and what all add.
        assert_eq!(count(&text, " = shuffle.index "), 7, "{text}");
        assert_eq!((count(&text, " = load "), count(&text, "store.i32 ")), (2, 1), "{text}");
        assert!(text.contains(", 32i64") && !text.contains("scan +") && !text.contains("levels("), "{text}");
    }

    #[test]
    fn other_lanes_leave_it_to_the_first() {
        for lanes in [0, 1, 16, 64, 128] {
            let text = with_lanes(lanes);
            assert_eq!((count(&text, "shuffle"), count(&text, " = load ")), (0, 1), "{text}");
            assert_eq!((count(&text, "dim_pos vector"), count(&text, ", 90i64\n")), (1, 2), "{text}");
            assert!(!text.contains("scan +") && !text.contains("levels("), "{text}");
        }
    }
}
