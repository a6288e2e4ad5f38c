//! Values chosen instead of jumps around assignments.
//!
//! ```text
//!     before:  c?  yes: x = y; join     no: join
//!     after:   x = c ? y : x; join
//! ```
//!
//! Lanes that part have to meet again, and a value that comes by two ways waits for both; a choice is one
//! instruction. The values are computed anyway: only copies stand in the block that goes.
//!
//! Before: any code. After: no block has copies of a few locals only that a branch leads around, all of which
//! are read behind it.

use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::{Block, Body, Inst, LoopData, Module, Op, Operand, Terminator, Type};

/// Most values that are chosen by one condition.
const MOST: usize = 2;

/// Runs the pass on all regions and routines.
pub fn run(module: &mut Module) {
    crate::partitioned_bodies(module).for_each(choose);
}

/// A branch around a block of copies.
struct Choice {
    branch: Block,
    copies: Block,
    join: Block,
    cond: Operand,
    /// The condition holds where the copies are made.
    holds: bool,
}

fn choose(body: &mut Body) {
    let candidates: Vec<Choice> = body.order.iter().filter_map(|&block| Choice::of(body, block)).collect();
    if candidates.is_empty() {
        return;
    }
    let cfg = Cfg::new(body);
    let live = Liveness::new(body, &cfg);
    for choice in candidates {
        let is_read = |inst: &Inst| inst.op.dst().is_some_and(|dst| live.is_live_in(dst, choice.join));
        if cfg.predecessors(choice.copies).len() == 1 && body.blocks[choice.copies].insts.iter().all(is_read)
        {
            choice.apply(body);
        }
    }
}

impl Choice {
    fn of(body: &Body, branch: Block) -> Option<Choice> {
        let Terminator::Branch { cond, then, otherwise } = body.blocks[branch].term else { return None };
        let leads = |from: Block, to: Block| from != to && body.blocks[from].term == Terminator::Jump(to);
        let (copies, join, holds) = match () {
            () if leads(then, otherwise) => (then, otherwise, true),
            () if leads(otherwise, then) => (otherwise, then, false),
            () => return None,
        };
        let has_role = body.loops.values().any(|data| {
            let LoopData { preheader, header, body: first, latch, exit, .. } = *data;
            [preheader, header, first, latch, exit].contains(&copies)
        });
        let insts = &body.blocks[copies].insts;
        let is_choice = (1..=MOST).contains(&insts.len())
            && body.blocks[copies].loop_ == body.blocks[branch].loop_
            && insts.iter().all(|inst| is_plain_copy(body, inst));
        // A copy of what the one before it has changed would read the old value.
        let is_apart = insts.iter().enumerate().all(|(at, inst)| {
            let mut is_apart = true;
            inst.op
                .uses(|local| is_apart &= !insts[..at].iter().any(|before| before.op.dst() == Some(local)));
            is_apart
        });
        (is_choice && is_apart && !has_role).then_some(Choice { branch, copies, join, cond, holds })
    }

    fn apply(&self, body: &mut Body) {
        let copies = std::mem::take(&mut body.blocks[self.copies].insts);
        let selects = copies.into_iter().filter_map(|inst| {
            let Op::Copy { dst, src } = inst.op else { return None };
            let (a, b) = if self.holds { (src, Operand::Local(dst)) } else { (Operand::Local(dst), src) };
            Some(Inst { op: Op::Select { dst, cond: self.cond, a, b }, pos: inst.pos })
        });
        body.blocks[self.branch].insts.extend(selects);
        body.blocks[self.branch].term = Terminator::Jump(self.join);
        body.order.retain(|&block| block != self.copies);
    }
}

fn is_plain_copy(body: &Body, inst: &Inst) -> bool {
    let Op::Copy { dst, src } = inst.op else { return false };
    let is_word = matches!(body.locals[dst].ty, Type::I32 | Type::I64 | Type::F32 | Type::F64);
    is_word && body.operand_type(src) == body.locals[dst].ty
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    fn chosen(copies: &str, read: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, i32)\nfunction fn0.r sig0 internal\n  \
             region parallel of \"main\" dims(0, 1, 1, 1, 32) {{\n    param \"a\" pointer deviceptr bytes 0\n    \
             param \"n\" value i32 bytes 4\n  }} {{\n  params v0.a, v1.n\n  locals v0.a: ptr\n  \
             locals v1.n, v2, v3: i32\n  locals v4: i1\nbb0:\n  v2 = copy 1i32\n  v3 = copy 2i32\n  \
             v4 = cmp.lt v1.n, 5i32\n  branch v4, bb1, bb2\nbb1:\n  {copies}\n  jump bb2\n\
             bb2:\n  store.i32 [v0.a], {read}\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        run(&mut module);
        accrue_ir::verify::verify(&module, "selects").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    #[test]
    fn copies_that_are_read_are_chosen() {
        let text = chosen("v2 = copy v1.n", "v2");
        assert!(text.contains("v2 = select v4, v1.n, v2") && !text.contains("branch"), "{text}");
    }

    #[test]
    fn what_is_computed_or_not_read_or_depends_on_another_copy_stays() {
        for (copies, read) in
            [("v2 = add v1.n, 1i32", "v2"), ("v2 = copy v1.n", "v3"), ("v2 = copy v3\n  v3 = copy v2", "v2")]
        {
            let text = chosen(copies, read);
            assert!(text.contains("branch") && !text.contains("select"), "{text}");
        }
    }
}
