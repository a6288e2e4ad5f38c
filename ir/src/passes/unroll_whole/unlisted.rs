//! Loops that count by constants, but are not of the form that a directive asks for.
//!
//! The front end lists `for` loops with one test; `while (k > 0 && best[k - 1] > x) { ...; k--; }` has two.
//! It runs at most as often as the first one says, and its subscripts may be all that keeps an array in
//! memory.

use super::counter::Counter;
use crate::analysis::cfg::{Cfg, Dominators};
use crate::entities::{Block, Loop, set_of};
use crate::function::{Body, LoopData};
use crate::op::Terminator;

/// Lists such loops of at most so many iterations. They stay in the list while the pass runs.
pub(super) fn list(body: &mut Body, most: usize) -> Vec<Loop> {
    let headers = set_of(body.loops.values().map(|data| data.header));
    let candidates: Vec<Block> = body
        .order
        .iter()
        .copied()
        .filter(|&block| !headers.contains(block) && is_test(body, block))
        .collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let (mut cfg, mut found) = (Cfg::new(body), Vec::new());
    let mut dominators = Dominators::new(&cfg);
    for header in candidates {
        let Some(mut data) = shape(body, (&cfg, &dominators), header) else { continue };
        if join_latch(body, &cfg, &mut data) {
            cfg = Cfg::new(body);
            dominators = Dominators::new(&cfg);
        }
        if Counter::of_loop(body, &data).and_then(|counter| counter.times(most)).is_none() {
            continue;
        }
        let blocks = cfg.natural_loop(header, data.latch);
        let loop_ = body.loops.push(data);
        blocks.into_iter().for_each(|block| body.blocks[block].loop_ = Some(loop_));
        found.push(loop_);
    }
    found
}

/// Takes what is left of them out of the list.
pub(super) fn forget(body: &mut Body, found: Vec<Loop>) {
    for loop_ in found {
        if body.order.iter().any(|&block| body.blocks[block].loop_ == Some(loop_)) {
            body.dissolve_loop(loop_);
        }
    }
}

/// Whether a block is a comparison and a branch.
fn is_test(body: &Body, block: Block) -> bool {
    let data = &body.blocks[block];
    data.insts.len() == 1 && matches!(data.term, Terminator::Branch { .. })
}

/// The loop that a block is the header of, if it is entered and goes on in one place each, and has no listed
/// loop inside.
fn shape(body: &Body, (cfg, dominators): (&Cfg, &Dominators), header: Block) -> Option<LoopData> {
    let code = &body.blocks[header];
    let Terminator::Branch { then, otherwise, .. } = code.term else { return None };
    let &[a, b] = cfg.predecessors(header) else { return None };
    let (preheader, latch) = if dominators.dominates(header, b) { (a, b) } else { (b, a) };
    let jumps = |block: Block| body.blocks[block].term == Terminator::Jump(header);
    if !dominators.dominates(header, latch)
        || dominators.dominates(header, preheader)
        || !jumps(preheader)
        || !jumps(latch)
    {
        return None;
    }
    let blocks = set_of(cfg.natural_loop(header, latch));
    let are_alike = blocks.iter().all(|block| body.blocks[block].loop_ == code.loop_);
    (are_alike && blocks.contains(then) && !blocks.contains(otherwise)).then(|| LoopData {
        parent: code.loop_,
        preheader,
        header,
        body: then,
        latch,
        exit: otherwise,
        pos: code.term_pos,
        ..LoopData::dead()
    })
}

/// Lets the block that counts on be the latch, if that is empty; whether it was.
fn join_latch(body: &mut Body, cfg: &Cfg, data: &mut LoopData) -> bool {
    let &[before] = cfg.predecessors(data.latch) else { return false };
    if !body.blocks[data.latch].insts.is_empty()
        || before == data.header
        || body.blocks[before].term != Terminator::Jump(data.latch)
    {
        return false;
    }
    body.blocks[before].term = Terminator::Jump(data.header);
    body.order.retain(|&block| block != data.latch);
    data.latch = before;
    true
}

#[cfg(test)]
mod tests {
    use super::super::unroll_all;
    use crate::entities::Func;
    use crate::{edit, text, verify};

    /// A function that counts `v1` down from `first` while it is above zero and `v0` is below it, behind the
    /// pass; whether it changed.
    fn unrolled(first: &str, step: &str) -> (bool, String) {
        let text = format!(
            "signature sig0 (i32) -> i32\nfunction fn0.f sig0 external {{\n params v0.n locals v0.n, v1.k: i32\n\
             locals v2, v3: i1 locals v4: i32\n\
             bb0: v1.k = copy {first} v4 = copy 0i32 jump bb1\n\
             bb1: v2 = cmp.gt v1.k, 0i32 branch v2, bb2, bb5\n\
             bb2: v3 = cmp.lt v0.n, v1.k branch v3, bb3, bb5\n\
             bb3: v4 = add v4, v1.k v1.k = sub v1.k, {step} jump bb4\nbb4: jump bb1\n\
             bb5: v4 = mul v4, v1.k return v4\n}}\n"
        );
        let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let body = module.functions[Func::from_u32(0)].body.as_deref_mut();
        let changed = body.is_some_and(|body| {
            let changed = unroll_all(body);
            edit::compact::compact(body);
            changed
        });
        verify::verify(&module, "unroll")
            .unwrap_or_else(|errors| panic!("{errors}\n{}", text::print(&module)));
        (changed, text::print(&module))
    }

    #[test]
    fn a_loop_with_two_tests_runs_as_often_as_the_first_one_says() {
        let (changed, text) = unrolled("5i32", "2i32");
        assert!(changed && !text.contains("loop0"), "{text}");
        assert_eq!(text.matches("cmp.lt v0.n").count(), 3, "{text}");
        for value in [5, 3, 1] {
            assert!(text.contains(&format!("cmp.lt v0.n, {value}i32")), "{text}");
        }
    }

    #[test]
    fn loops_that_begin_or_step_anywhere_stay_unlisted() {
        for (first, step) in [("v0.n", "1i32"), ("5i32", "v0.n"), ("900i32", "1i32")] {
            let (changed, text) = unrolled(first, step);
            assert!(!changed && !text.contains("loop0"), "{first} {step}: {text}");
        }
    }
}
