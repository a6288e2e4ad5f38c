//! Keeps in a local what an iteration stores for a later one to load.
//!
//! ```text
//!     before:  i < n?  yes: s[i] = s[i - 1] + a[i]; i += 1
//!     after:   x = s[i - 1]
//!              i < n?  yes: y = x + a[i]; s[i] = y; x = y; i += 1
//! ```
//!
//! What was stored is in the way of a sum for as long as the processor takes to find it again: several times
//! as long as the addition. The first iteration's loads stand behind its test.

use super::emit::instance;
use super::plan::Carried;
use crate::analysis::iteration::{Iteration, Node, Value};
use crate::builder::Cursor;
use crate::entities::{Block, Local, Loop};
use crate::function::Body;
use crate::op::{Inst, Op, Operand};
use crate::passes::ahead::guard;
use rustc_hash::FxHashMap;

/// Rewrites a loop with a plain test.
pub(super) fn carry(body: &mut Body, loop_: Loop, iteration: &Iteration, all: &[Carried]) {
    let preheader = guard(body, loop_);
    let (latch, pos) = (body.loops[loop_].latch, body.loops[loop_].pos);
    let mut at_start = FxHashMap::default();
    let mut edits: Vec<(Block, usize, Edit)> = Vec::new();
    for Carried { store, loads } in all {
        let stored = &iteration.stores[*store];
        let mut c = Cursor::with_pos(body, preheader, pos);
        let before: Vec<Local> = loads
            .iter()
            .map(|loads| {
                let first = value_at_start(&mut c, iteration, loads[0], &mut at_start);
                let local = c.temp(stored.ty);
                c.assign(local, first);
                local
            })
            .collect();
        let now = body.temp(stored.ty);
        edits.push((stored.place.0, stored.place.1, Edit::Keep(now)));
        for (loads, &local) in loads.iter().zip(&before) {
            let places = loads.iter().filter_map(|&value| iteration.loads_of(value)).flatten();
            edits.extend(places.map(|(block, index)| (block, index, Edit::Take(local))));
        }
        let mut c = Cursor::with_pos(body, latch, pos);
        for pair in before.windows(2).rev() {
            c.assign(pair[1], Operand::Local(pair[0]));
        }
        c.assign(before[0], Operand::Local(now));
    }
    // From the end, so that the places before stay where they are.
    edits.sort_by_key(|&(block, index, _)| std::cmp::Reverse((block, index)));
    for (block, index, edit) in edits {
        let insts = &mut body.blocks[block].insts;
        let pos = insts[index].pos;
        match (edit, &mut insts[index].op) {
            (Edit::Keep(local), &mut Op::Store { src, .. }) => {
                insts.insert(index + 1, Inst { op: Op::Copy { dst: local, src }, pos });
            }
            (Edit::Take(local), op @ &mut Op::Load { .. }) => {
                if let Some(dst) = op.dst() {
                    *op = Op::Copy { dst, src: Operand::Local(local) };
                }
            }
            (Edit::Keep(_) | Edit::Take(_), op) => unreachable!("{op:?} is not what was looked at"),
        }
    }
}

/// What becomes of an access.
enum Edit {
    /// What is stored is kept in a local, too.
    Keep(Local),
    /// A local has what is loaded.
    Take(Local),
}

/// A value of the first iteration, in front of the loop.
fn value_at_start(
    c: &mut Cursor<'_>,
    iteration: &Iteration,
    value: Value,
    known: &mut FxHashMap<Value, Operand>,
) -> Operand {
    if let Some(&known) = known.get(&value) {
        return known;
    }
    let operand = match iteration.node(value) {
        Node::Invariant(operand) => *operand,
        Node::Entry(local) => Operand::Local(*local),
        Node::Op { op, args, .. } => {
            let args: Vec<Operand> =
                args.iter().map(|&arg| value_at_start(c, iteration, arg, known)).collect();
            instance(c, op, iteration.ty(value), &args)
        }
    };
    known.insert(value, operand);
    operand
}
