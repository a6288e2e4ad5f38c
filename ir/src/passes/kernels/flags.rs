//! Flags become sums.
//!
//! ```c
//! if (c[i]) { found = 1; a[i] = 0; }
//! ```
//!
//! What an iteration leaves in `found` is 1 or what was there before. Whether any iteration has assigned it
//! is accumulated in a local of its own, by `|`, and behind the loop `found` is assigned where that is so.
//! The loop must do nothing else with the flag.

use crate::acc::ConstructKind;
use crate::analysis::liveness::reads;
use crate::analysis::survey::Whole;
use crate::builder::Cursor;
use crate::edit::split::split_exit;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, LoopData};
use crate::op::{BinaryOp, CmpOp, Inst, Op, Operand, Terminator};
use crate::types::Type;

/// A local that a loop assigns one constant.
pub struct Flag {
    loop_: Loop,
    local: Local,
    value: Operand,
    blocks: Vec<Block>,
}

/// The flags of the loops of `kernels` without a directive.
pub fn of(whole: &Whole<'_>) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    // Loops around come first: what is a flag there is gone from the loops inside.
    for loop_ in whole.body.loops.keys() {
        for flag in flags_of(whole, loop_) {
            let is_inside = |other: &Flag| {
                other.local == flag.local && whole.body.loop_is_within(Some(loop_), other.loop_)
            };
            if !flags.iter().any(is_inside) {
                flags.push(flag);
            }
        }
    }
    flags
}

/// The flags of a loop.
fn flags_of(whole: &Whole<'_>, loop_: Loop) -> Vec<Flag> {
    let body = whole.body;
    let data = &body.loops[loop_];
    let construct = body.blocks.get(data.header).and_then(|block| block.construct);
    let is_inside =
        construct.is_some_and(|construct| body.constructs[construct].kind == ConstructKind::Kernels);
    // The programmer's word about a loop is about the variables that it has.
    let has_directive = |loop_: Loop| body.loops[loop_].directive.is_some();
    let inside = whole.nest.inside(loop_);
    let is_open = is_inside
        && !body.loops_around(Some(loop_)).any(has_directive)
        && !inside.iter().any(|&inner| has_directive(inner))
        && whole.nest.exits(body, loop_).is_empty()
        && matches!(
            body.blocks[data.header].term,
            Terminator::Branch { then, otherwise, .. } if then == data.body && otherwise == data.exit
        );
    if !is_open {
        return Vec::new();
    }
    let blocks = whole.nest.blocks(loop_);
    let insts = || blocks.iter().flat_map(|&block| &body.blocks[block].insts);
    // In other loops, one iteration is found that decides all scalars.
    let is_of_interest = !inside.is_empty() || insts().any(|inst| whole.writes(&inst.op));
    let mut found: Vec<Flag> = Vec::new();
    for inst in insts().filter(|_| is_of_interest) {
        let Op::Copy { dst: local, src: value @ Operand::Int(ty, _) } = inst.op else { continue };
        let is_number = matches!(ty, Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64);
        let is_known = found.iter().any(|flag| flag.local == local);
        let is_kept = || whole.live.is_live_in(local, data.exit) && whole.live.is_live_in(local, data.body);
        if !is_known && is_number && is_kept() && is_flag(body, &blocks, local, value) {
            found.push(Flag { loop_, local, value, blocks: blocks.clone() });
        }
    }
    found
}

/// Whether some blocks do nothing with a local but to assign it a constant.
fn is_flag(body: &Body, blocks: &[Block], local: Local, value: Operand) -> bool {
    blocks.iter().all(|&block| {
        let mut fits = true;
        for Inst { op, .. } in &body.blocks[block].insts {
            reads(body, op, |read| fits &= read != local);
            let is_value = matches!(op, Op::Copy { src, .. } if *src == value);
            op.defs(|written| fits &= written != local || is_value);
        }
        body.blocks[block].term.uses(|read| fits &= read != local);
        fits
    })
}

impl Flag {
    /// Accumulates whether any iteration assigns the flag, in the body in which it was found.
    pub fn accumulate(&self, body: &mut Body) {
        let Flag { loop_, local, value, ref blocks } = *self;
        let LoopData { preheader, pos, .. } = body.loops[loop_];
        let is_set = body.temp(Type::I32);
        body.locals[is_set].name = body.locals[local].name.clone();
        let (no, yes) = (Operand::Int(Type::I32, 0), Operand::Int(Type::I32, 1));
        for &block in blocks {
            for inst in &mut body.blocks[block].insts {
                if inst.op.dst() == Some(local) {
                    let a = Operand::Local(is_set);
                    inst.op = Op::Binary { dst: is_set, op: BinaryOp::Or, a, b: yes };
                }
            }
        }
        Cursor::with_pos(body, preheader, pos).assign(is_set, no);
        let after = split_exit(body, loop_);
        Cursor::at_start(body, after, pos, |cursor| {
            let is_unset = cursor.compare(CmpOp::Eq, Operand::Local(is_set), no);
            // In this order: the other one is that of a sum, which `leave_in_memory` looks for.
            let kept = cursor.select(is_unset, Operand::Local(local), value);
            cursor.assign(local, kept);
        });
    }
}
