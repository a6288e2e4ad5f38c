//! Two tests in a row as one.
//!
//! `a && b` tests `b` only if `a` holds. Where `b` is computed from numbers in a few operations, a thread may
//! as well compute it in any case: one branch is left of two, which is worth more in a loop, where lanes that
//! leave by the one wait for those that leave by the other.
//!
//! ```text
//!     before:  first: branch a, second, out      second: b = ...; branch b, on, out
//!     after:   first: b = ...; c = a and b; branch c, on, out
//! ```

use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::builder::Cursor;
use accrue_ir::{BinaryOp, Block, Body, Module, Op, Terminator, UnaryOp};

/// Most operations of the second test.
const MOST: usize = 6;

/// Runs the pass on all regions and routines.
pub(crate) fn run(module: &mut Module) {
    crate::partitioned_bodies(module).for_each(join_all);
}

/// Two tests.
#[derive(Clone, Copy)]
struct Tests {
    first: Block,
    second: Block,
    on: Block,
    out: Block,
    /// Whether either leads out, rather than both on.
    either: bool,
}

impl Tests {
    fn of(body: &Body, first: Block) -> Option<Tests> {
        let Terminator::Branch { then, otherwise, .. } = body.blocks[first].term else { return None };
        let lead = |second: Block, out: Block| match body.blocks[second].term {
            Terminator::Branch { then: on, otherwise: last, .. } if last == out => Some((on, false)),
            Terminator::Branch { then: last, otherwise: on, .. } if last == out => Some((on, true)),
            _ => None,
        };
        [(then, otherwise, false), (otherwise, then, true)].into_iter().find_map(|(second, out, either)| {
            let (on, leads_out) = lead(second, out)?;
            let is_simple = leads_out == either && on != out && on != second && second != first;
            is_simple.then_some(Tests { first, second, on, out, either })
        })
    }

    /// Whether the second test comes after the first one only, and takes numbers alone.
    fn may_join(&self, body: &Body, cfg: &Cfg, live: &Liveness) -> bool {
        let data = &body.blocks[self.second];
        let is_quick = |op: &Op| {
            let is_dear = matches!(
                op,
                Op::Load { .. }
                    | Op::Binary {
                        op: BinaryOp::FDiv
                            | BinaryOp::SDiv
                            | BinaryOp::UDiv
                            | BinaryOp::SRem
                            | BinaryOp::URem,
                        ..
                    }
                    | Op::Unary { op: UnaryOp::Sqrt, .. }
            );
            op.effects().pure && !is_dear
        };
        let mut stays = true;
        for inst in &data.insts {
            inst.op.defs(|local| stays &= !live.is_live_in(local, self.out));
        }
        stays
            && data.insts.len() <= MOST
            && cfg.predecessors(self.second) == [self.first]
            && data.loop_ == body.blocks[self.first].loop_
            && data.insts.iter().all(|inst| is_quick(&inst.op))
    }
}

fn join_all(body: &mut Body) {
    let blocks = body.order.clone();
    if !blocks.iter().any(|&block| Tests::of(body, block).is_some()) {
        return;
    }
    let cfg = Cfg::new(body);
    let live = Liveness::new(body, &cfg);
    // From the last to the first: what is left of two tests is the second one of a third.
    for &first in blocks.iter().rev() {
        if let Some(tests) = Tests::of(body, first).filter(|tests| tests.may_join(body, &cfg, &live)) {
            join(body, tests);
        }
    }
    body.remove_unreachable();
}

fn join(body: &mut Body, tests: Tests) {
    let Tests { first, second, on, out, either } = tests;
    let (Terminator::Branch { cond: a, .. }, Terminator::Branch { cond: b, .. }) =
        (body.blocks[first].term.clone(), body.blocks[second].term.clone())
    else {
        return;
    };
    let insts = std::mem::take(&mut body.blocks[second].insts);
    let pos = body.blocks[first].term_pos;
    body.blocks[first].insts.extend(insts);
    let mut cursor = Cursor::with_pos(body, first, pos);
    let op = if either { BinaryOp::Or } else { BinaryOp::And };
    let both = cursor.binary(op, a, b);
    let (then, otherwise) = if either { (out, on) } else { (on, out) };
    cursor.branch(both, then, otherwise);
    for data in body.loops.values_mut().filter(|data| data.header == first && data.body == second) {
        data.body = on;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    const TESTS: &str = "file file0 \"a.c\"\nsignature sig0 (ptr, i32)\nfunction fn0.r sig0 internal\n  \
        region parallel of \"main\" dims(0, 1, 1, 1, 32) {\n    param \"a\" pointer deviceptr bytes 0\n    \
        param \"n\" value i32 bytes 8\n  } {\n  params v0.a, v1.n\n  locals v0.a: ptr\n  locals v1.n: i32\n  \
        locals v2: i1\n  locals v3: i1\n  locals v4: i32\nbb0:\n  v4 = copy 0i32\n  \
        v2 = cmp.lt v1.n, 8i32\n  branch v2, bb1, bb3\nbb1:\n  v4 = add v1.n, 1i32\n  \
        v3 = cmp.lt v4, 5i32\n  branch v3, bb2, bb3\nbb2:\n  store.i32 [v0.a], v4\n  jump bb3\n\
        bb3:\n  return\n}\n";

    /// How many branches are left.
    fn branches(text: &str) -> (usize, String) {
        let mut module = parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        accrue_ir::verify::verify(&module, "input").unwrap_or_else(|errors| panic!("{errors}"));
        run(&mut module);
        accrue_ir::verify::verify(&module, "conditions").unwrap_or_else(|errors| panic!("{errors}"));
        let text = print(&module);
        (text.matches("branch ").count(), text)
    }

    #[test]
    fn both_have_to_hold_or_one_of_them() {
        let (count, text) = branches(TESTS);
        assert_eq!(count, 1, "{text}");
        assert!(text.contains("= and v2, v3") && text.contains(", bb2, bb3"), "{text}");
        let either = TESTS.replace("v2, bb1, bb3", "v2, bb3, bb1").replace("v3, bb2, bb3", "v3, bb3, bb2");
        let (count, text) = branches(&either);
        assert_eq!(count, 1, "{text}");
        assert!(text.contains("= or v2, v3") && text.contains(", bb3, bb2"), "{text}");
    }

    #[test]
    fn three_tests_become_one() {
        let three = TESTS
            .replace("bb2:\n", "bb2:\n  v2 = cmp.ne v4, 2i32\n  branch v2, bb4, bb3\nbb4:\n")
            .replace("bb2:\n  v2 = cmp", "bb2:\n  v3 = cmp")
            .replace("branch v2, bb4", "branch v3, bb4");
        let (count, text) = branches(&three);
        assert_eq!(count, 1, "{text}");
    }

    #[test]
    fn what_must_not_happen_in_any_case_is_left_behind_its_test() {
        for (old, new) in [
            ("v4 = add v1.n, 1i32", "v4 = load [v0.a]"),
            ("v4 = add v1.n, 1i32", "v4 = sdiv 7i32, v1.n"),
            ("v4 = add v1.n, 1i32", "store.i32 [v0.a], 7i32"),
            // One leads out where the other one leads on.
            ("v3, bb2, bb3", "v3, bb3, bb2"),
            // The number from before is still needed.
            ("bb3:\n", "bb3:\n  store.i32 [v0.a + 4], v4\n"),
            // There is another way to the second test.
            ("  jump bb3\nbb3", "  jump bb1\nbb3"),
        ] {
            let (count, text) = branches(&TESTS.replace(old, new));
            assert_eq!(count, 2, "{old} {new}\n{text}");
        }
    }
}
