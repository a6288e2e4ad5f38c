//! Gives what is computed twice in front of a loop one name in the loop.
//!
//! ```text
//!     before:  v1 = index g + i * 80; v2 = index g + i * 80;  loop: load v1 + j * 8, store v2 + j * 8
//!     after:   v1 = index g + i * 80; v2 = v1;                loop: load v1 + j * 8, store v1 + j * 8
//! ```
//!
//! The same holds of two loads from one address with nothing between that writes, and of copies of what the
//! block computed, as the pass `hoist` makes them of a variable: each mention of it has one.
//!
//! Each mention of an element of a row brings an address of the row of its own. Of two streams from one
//! address the distance is known; of others it has to be asked for.

use crate::entities::{Block, Local, Loop};
use crate::function::Body;
use crate::op::{Class, Op, Operand};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Blocks in front of loops with more operations are left alone.
const MOST: usize = 200;

/// Rewrites the uses in a loop, which is of these blocks, of what its preheader computes more than once.
/// `definitions` are those of [`Body::definitions`].
pub(super) fn unite(body: &mut Body, loop_: Loop, blocks: &[Block], definitions: &SecondaryMap<Local, u32>) {
    let preheader = body.loops[loop_].preheader;
    if body.blocks[preheader].insts.len() > MOST {
        return;
    }
    let mut known: Vec<(Op, Local)> = Vec::new();
    let mut names: FxHashMap<Local, Local> = FxHashMap::default();
    for index in 0..body.blocks[preheader].insts.len() {
        let op = &mut body.blocks[preheader].insts[index].op;
        op.map_operands(|operand| renamed(&names, operand));
        if op.effects().writes {
            known.retain(|(op, _)| !op.effects().reads);
        }
        // What was computed from the local before has another value from here on.
        op.defs(|defined| {
            known.retain(|(op, _)| {
                let mut mentions = false;
                op.uses(|local| mentions |= local == defined);
                !mentions
            });
        });
        let Some(dst) = op.dst().filter(|dst| definitions[*dst] == 1) else { continue };
        if let Op::Copy { src: Operand::Local(src), .. } = *op
            && definitions[src] == 1
            && body.blocks[preheader].insts[..index].iter().any(|inst| inst.op.dst() == Some(src))
        {
            names.insert(dst, src);
            continue;
        }
        let op = &body.blocks[preheader].insts[index].op;
        let is_load = matches!(op, Op::Load { access, .. } if !access.volatile);
        let is_computed = op.class() == Class::Value && op.effects().pure && !matches!(op, Op::Copy { .. });
        if !is_load && !is_computed {
            continue;
        }
        let mut template = op.clone();
        template.map_defs(|_| Local::from_u32(0));
        let ty = body.locals[dst].ty;
        match known.iter().find(|(op, first)| *op == template && body.locals[*first].ty == ty) {
            Some(&(_, first)) => {
                names.insert(dst, first);
                body.blocks[preheader].insts[index].op = Op::Copy { dst, src: Operand::Local(first) };
            }
            None => known.push((template, dst)),
        }
    }
    if names.is_empty() {
        return;
    }
    for &block in blocks {
        let data = &mut body.blocks[block];
        for inst in &mut data.insts {
            inst.op.map_operands(|operand| renamed(&names, operand));
        }
        data.term.map_operands(|operand| renamed(&names, operand));
    }
}

fn renamed(names: &FxHashMap<Local, Local>, operand: Operand) -> Operand {
    match operand {
        Operand::Local(local) => Operand::Local(names.get(&local).copied().unwrap_or(local)),
        other => other,
    }
}
