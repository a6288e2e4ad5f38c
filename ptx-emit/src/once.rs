//! Shared loops of which each thread executes one iteration at most.
//!
//! Where a loop has no more iterations than the gang has threads, a constant number, a thread that has
//! executed one goes on behind the loop: `for (j = 0; j <= i; j++)` in one over `i` from 255 down. If there
//! are as many, it need not ask whether it has one, unless the warp has lanes that are none of the gang's:
//! with one lane in a row, 31 of them go along.

use crate::arch::WARP;
use crate::ranges::Ranges;
use accrue_ir::{Body, CmpOp, Function, Induction, Level, Loop, LoopData, Module, Op, Operand, Terminator};
use std::cell::LazyCell;
use std::cmp::Ordering;

/// Runs the pass on all regions and routines.
pub fn run(module: &mut Module) {
    for function in module.functions.values_mut().filter(|function| crate::is_partitioned(function)) {
        let fills_warps = fills_warps(function);
        let Some(body) = function.body.as_deref_mut() else { continue };
        let ranges = LazyCell::new(|| Ranges::of(body));
        let iterations = |loop_: Loop| Iterations::of(body, loop_, fills_warps, &ranges);
        let found: Vec<(Loop, Iterations)> =
            body.loop_tree().into_iter().filter_map(|loop_| Some((loop_, iterations(loop_)?))).collect();
        found.into_iter().for_each(|(loop_, iterations)| open_up(body, loop_, iterations));
    }
}

/// Whether the rows of lanes are known to be whole warps.
pub(crate) fn fills_warps(function: &Function) -> bool {
    let lanes = function.kind.launched().map(|region| region.constant_dims[4]);
    lanes.is_some_and(|lanes| lanes > 0 && lanes.is_multiple_of(WARP))
}

/// How many iterations a thread executes.
enum Iterations {
    One,
    AtMostOne,
}

impl Iterations {
    fn of(
        body: &Body,
        loop_: Loop,
        fills_warps: bool,
        ranges: &LazyCell<Ranges, impl FnOnce() -> Ranges>,
    ) -> Option<Iterations> {
        let data = &body.loops[loop_];
        let levels = &data.directive.as_ref()?.levels;
        let is_of_gang = levels.iter().all(|level| matches!(level, Level::Worker | Level::Vector));
        // The first iteration is the number of the thread, and the step the number of threads.
        let &Induction { iv, bound, step: Operand::Int(_, threads), cmp, .. } = data.induction.as_ref()?
        else {
            return None;
        };
        let is_compared = |op: &Op| match *op {
            Op::Compare { op, a, b, .. } => op == cmp && (a, b) == (Operand::Local(iv), bound),
            _ => false,
        };
        let [compare] = &body.blocks[data.header].insts[..] else { return None };
        let is_simple = is_of_gang
            && !levels.is_empty()
            && matches!(cmp, CmpOp::Lt | CmpOp::ULt)
            && is_compared(&compare.op);
        if !is_simple {
            return None;
        }
        let are_all = fills_warps || !levels.contains(&Level::Vector);
        if let Operand::Int(_, trip) = bound {
            return match trip.cmp(&threads) {
                Ordering::Greater => None,
                Ordering::Equal if are_all => Some(Iterations::One),
                Ordering::Less | Ordering::Equal => Some(Iterations::AtMostOne),
            };
        }
        let in_front = (data.preheader, body.blocks[data.preheader].insts.len());
        let [least, most] = ranges.at(body, bound, in_front)?;
        (least >= 0 && most <= threads).then_some(Iterations::AtMostOne)
    }
}

fn open_up(body: &mut Body, loop_: Loop, iterations: Iterations) {
    let LoopData { header, body: first, latch, exit, ref induction, .. } = body.loops[loop_];
    let counter = induction.as_ref().map(|induction| induction.iv);
    body.blocks[latch].insts.retain(|inst| counter.is_none() || inst.op.dst() != counter);
    body.blocks[latch].term = Terminator::Jump(exit);
    if matches!(iterations, Iterations::One) {
        body.blocks[header].insts.clear();
        body.blocks[header].term = Terminator::Jump(first);
    }
    body.dissolve_loop(loop_);
}

#[cfg(test)]
mod tests {
    use accrue_ir::text::{parse, print};

    /// A loop of so many iterations, which 32 threads share.
    fn once(trip: i64, levels: &str, op: &str) -> String {
        in_dims("1, 1, 1, 1, 32", trip, levels, op)
    }

    fn in_dims(dims: &str, trip: i64, levels: &str, op: &str) -> String {
        let text = format!(
            "signature sig0 (ptr)\nfunction fn0.r sig0 internal\n  region parallel of \"r\" dims({dims}) {{\n    \
             param \"a\" pointer\n  }} {{\n  params v0.a\n  locals v0.a: ptr\n  locals v1, v2: i64\n  locals v3: i1\n  \
             locals v4: ptr\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4 for v2 = v1, {op} {trip}i64, step 32i64 {{\n    \
             directive levels({levels})\n  }}\nbb0:\n  v1 = copy 5i64\n  v2 = copy v1\n  jump bb1\n\
             bb1 loop0:\n  v3 = cmp.{op} v2, {trip}i64\n  branch v3, bb2, bb4\n\
             bb2 loop0:\n  v4 = index v0.a + v2 * 4\n  store.i32 [v4], 1i32\n  jump bb3\n\
             bb3 loop0:\n  v2 = add v2, 32i64\n  jump bb1\nbb4:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        super::run(&mut module);
        print(&module)
    }

    #[test]
    fn loops_of_one_iteration_for_each_thread_are_left() {
        for (trip, asks) in [(32, false), (31, true), (1, true)] {
            let text = once(trip, "vector", "lt");
            assert!(!text.contains("v2 = add") && text.contains("jump bb4"), "{trip}: {text}");
            assert_eq!(text.contains("branch v3, bb2, bb4"), asks, "{trip}: {text}");
        }
    }

    #[test]
    fn lanes_that_are_none_of_the_gang_are_asked() {
        for (dims, levels, asks) in [
            ("1, 1, 1, 32, 1", "worker, vector", true),
            ("1, 1, 1, 1, 0", "vector", true),
            ("1, 1, 1, 32, 1", "worker", false),
        ] {
            let text = in_dims(dims, 32, levels, "lt");
            assert_eq!(text.contains("branch v3, bb2, bb4"), asks, "{dims}: {text}");
        }
    }

    #[test]
    fn loops_of_more_iterations_stay() {
        for (trip, levels, op) in [(33, "vector", "lt"), (32, "gang, vector", "lt"), (31, "vector", "le")] {
            let text = once(trip, levels, op);
            assert!(text.contains("v2 = add v2, 32i64"), "{trip} {levels} {op}: {text}");
        }
    }

    #[test]
    fn so_are_loops_whose_number_of_iterations_is_known_to_be_small() {
        for (divisor, stays) in [(33, false), (34, true)] {
            let text = format!(
                "signature sig0 (ptr)\nfunction fn0.r sig0 internal\n  region parallel of \"r\" dims(0, 1, 1, 1, 32) {{\n    \
                 param \"a\" pointer\n  }} {{\n  params v0.a\n  locals v0.a: ptr\n  locals v1, v2: i64\n  locals v3: i1\n  \
                 locals v4: ptr\n  locals v5, v6: i32\n  locals v7: i64\n  \
                 loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4 for v2 = v1, lt v7, step 32i64 {{\n    \
                 directive levels(vector)\n  }}\nbb0:\n  v5 = dim_pos gang\n  v6 = urem v5, {divisor}i32\n  \
                 v7 = convert.sext v6\n  v1 = copy 5i64\n  v2 = copy v1\n  jump bb1\n\
                 bb1 loop0:\n  v3 = cmp.lt v2, v7\n  branch v3, bb2, bb4\n\
                 bb2 loop0:\n  v4 = index v0.a + v2 * 4\n  store.i32 [v4], 1i32\n  jump bb3\n\
                 bb3 loop0:\n  v2 = add v2, 32i64\n  jump bb1\nbb4:\n  return\n}}\n"
            );
            let mut module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            super::run(&mut module);
            let text = print(&module);
            assert_eq!(text.contains("v2 = add v2, 32i64"), stays, "{divisor}: {text}");
            assert!(text.contains("branch v3, bb2, bb4"), "{divisor}: {text}");
        }
    }
}
