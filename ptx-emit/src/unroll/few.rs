//! Loops over lanes of which each lane has few iterations, as many as are known: written out.
//!
//! Where the length of a row and the number of lanes are constants, so is the number of iterations of a lane.
//! Without a loop around them, the loads of all of them are on their way at once, and code that goes through
//! the row again finds what it has loaded before in registers, if nothing writes there.
//!
//! ```text
//!     before:  for (j = lane; j < 300; j += 128) y[j] = x[j]
//!     after:   y[lane] = x[lane]; y[lane + 128] = x[lane + 128]; if (lane + 256 < 300) y[lane + 256] = x[lane + 256]
//! ```

use super::facts::Facts;
use super::{Plan, each_partitioned, plans};
use crate::once::fills_warps;
use crate::text::{Reached, Tame};
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::clone::BlockCopies;
use accrue_ir::edit::rename::Rename;
use accrue_ir::passes::simplify_cfg;
use accrue_ir::{Block, Body, Level, Loop, LoopData, Module, Operand, Terminator};

/// Iterations of a lane that are written out, at most, and operations of all of them.
const ITERATIONS: usize = 16;
const OPERATIONS: usize = 512;

/// Runs the pass on all regions and routines that the device executes.
pub(crate) fn write_out(module: &mut Module, reached: &Reached) {
    let tame = Tame::new(module, reached);
    each_partitioned(module, reached, |module, function, body| {
        let fills_warps = fills_warps(function);
        let plans = plans(&Facts::new((module, &tame), function), body, false);
        let times = |plan: &Plan| Times::of(body, plan, fills_warps);
        let found: Vec<(Plan, Times)> =
            plans.into_iter().filter_map(|plan| times(&plan).map(|times| (plan, times))).collect();
        for (plan, times) in &found {
            write(body, plan, times);
        }
        if !found.is_empty() {
            simplify_cfg::simplify(body);
        }
    });
}

/// The iterations of a lane.
struct Times {
    /// Those that all lanes have.
    all: usize,
    /// Some lanes have one more.
    has_rest: bool,
}

impl Times {
    fn of(body: &Body, plan: &Plan, fills_warps: bool) -> Option<Times> {
        let levels = &body.loops[plan.loop_].directive.as_ref()?.levels;
        let is_of_gang = levels.iter().all(|level| matches!(level, Level::Worker | Level::Vector));
        let are_all_lanes_of_gang = fills_warps || !levels.contains(&Level::Vector);
        // The first iteration is the number of the thread, and the step the number of threads.
        let (Operand::Int(_, trip), Operand::Int(_, threads)) = (plan.counted.bound, plan.counted.step)
        else {
            return None;
        };
        if levels.is_empty() || !is_of_gang || !are_all_lanes_of_gang || threads <= 0 || trip < threads {
            return None;
        }
        let all = usize::try_from(trip / threads).ok()?;
        let times = Times { all, has_rest: trip % threads != 0 };
        let written = all + usize::from(times.has_rest);
        (written <= ITERATIONS && written * plan.operations <= OPERATIONS).then_some(times)
    }
}

fn write(body: &mut Body, plan: &Plan, times: &Times) {
    let LoopData { parent, preheader, header, latch, exit, pos, .. } = body.loops[plan.loop_].clone();
    let behind = if times.has_rest { header } else { exit };
    let (start, written) = match &plan.ahead {
        Some(ahead) => {
            let merged = body.detached_block();
            body.blocks[merged].loop_ = parent;
            let mut cursor = Cursor::with_pos(body, merged, pos);
            ahead.write(&mut cursor, plan.counted, times.all);
            cursor.jump(behind);
            (merged, vec![merged])
        }
        None => copies(body, plan, times.all, (parent, behind)),
    };
    body.blocks[preheader].term.map_successors(|to| if to == header { start } else { to });
    body.blocks[latch].term = Terminator::Jump(exit);
    let at = body.order.iter().position(|&block| block == header).unwrap_or(body.order.len());
    body.order.splice(at..at, written);
    body.dissolve_loop(plan.loop_);
    body.remove_unreachable();
}

/// So many copies of a loop's body, one after the other, and then the block `behind`. Gives the block to
/// begin with, and all of them.
fn copies(
    body: &mut Body,
    plan: &Plan,
    times: usize,
    (parent, behind): (Option<Loop>, Block),
) -> (Block, Vec<Block>) {
    let LoopData { header, body: first, .. } = body.loops[plan.loop_];
    let own = Liveness::new(body, &Cfg::new(body)).own_of(body, plan.loop_, &plan.blocks);
    let copies: Vec<BlockCopies> = (0..times).map(|_| BlockCopies::new(body, &plan.blocks)).collect();
    for (index, copy) in copies.iter().enumerate() {
        let next = copies.get(index + 1).map_or(behind, |next| next.of(first));
        copy.fill(body, parent, |to| if to == header { next } else { to });
        let blocks: Vec<Block> = copy.blocks().collect();
        Rename::fresh(body, own.iter().copied()).apply(body, &blocks, &[]);
    }
    let start = copies.first().map_or(behind, |copy| copy.of(first));
    (start, copies.iter().flat_map(BlockCopies::blocks).collect())
}

#[cfg(test)]
mod tests {
    use accrue_ir::text::{parse, print};

    /// How many loads there are of a loop over so many lanes, and whether the loop is left.
    fn written(lanes: u32, trip: i64, levels: &str) -> (usize, bool) {
        let step = lanes.max(1);
        let text = format!(
            "signature sig0 (ptr, ptr)\nfunction fn0.r sig0 internal\n  region parallel of \"r\" dims(1, 1, 1, 1, {lanes}) {{\n    \
             param \"a\" pointer\n    param \"b\" pointer\n  }} {{\n  params v0.a, v1.b\n  locals v0.a, v1.b: ptr\n  \
             locals v2, v3: i64\n  locals v4: i1\n  locals v5: ptr\n  locals v6: i32\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 for v3 = v2, lt {trip}i64, step {step}i64 {{\n    \
             directive levels({levels})\n  }}\nbb0:\n  v2 = copy 5i64\n  v3 = copy v2\n  jump bb1\n\
             bb1 loop0:\n  v4 = cmp.lt v3, {trip}i64\n  branch v4, bb2, bb3\n\
             bb2 loop0:\n  v5 = index v0.a + v3 * 4\n  v6 = load [v5]\n  store.i32 [v1.b], v6\n  \
             v3 = add v3, {step}i64\n  jump bb1\nbb3:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let reached = crate::text::reach(&module).unwrap_or_else(|error| panic!("{error}"));
        super::write_out(&mut module, &reached);
        accrue_ir::verify::verify(&module, "few").unwrap_or_else(|errors| panic!("{errors}"));
        let text = print(&module);
        (text.matches("= load").count(), text.contains("loop0"))
    }

    #[test]
    fn few_iterations_of_whole_warps_are_written_out() {
        assert_eq!(written(128, 512, "vector"), (4, false));
        // The last one is for some lanes only.
        assert_eq!(written(128, 513, "vector"), (5, false));
        assert_eq!(written(64, 16 * 64, "vector"), (16, false));
        for (lanes, trip, levels) in
            [(64, 17 * 64, "vector"), (128, 127, "vector"), (40, 160, "vector"), (32, 64, "gang, vector")]
        {
            assert_eq!(written(lanes, trip, levels), (1, true), "{lanes} {trip} {levels}");
        }
    }
}
