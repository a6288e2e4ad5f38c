//! Perfect nests: loops with nothing between them but arithmetic.

use super::liveness::Liveness;
use super::loops::Nest;
use crate::entities::{Block, Loop};
use crate::function::Body;
use crate::op::Terminator;

/// The only loop inside of a counted loop, counted itself, if all else that an iteration of the outer loop
/// does is to compute, without memory and branches, what no other iteration and no code behind the loop
/// reads.
pub fn only_inner(body: &Body, nest: &Nest, live: &Liveness, outer: Loop) -> Option<Loop> {
    let mut children =
        nest.inside(outer).into_iter().filter(|&loop_| body.loops[loop_].parent == Some(outer));
    let (inner, None) = (children.next()?, children.next()) else { return None };
    let data = &body.loops[outer];
    let counter = data.induction.as_ref()?.iv;
    body.loops[inner].induction.as_ref()?;
    let own = |block: &Block| body.blocks[*block].loop_ == Some(outer) && *block != data.header;
    let is_plain = nest.blocks(outer).iter().filter(|block| own(block)).all(|&block| {
        let code = &body.blocks[block];
        let computes = code.insts.iter().all(|inst| {
            let effects = inst.op.effects();
            let mut stays_inside = true;
            inst.op.defs(|local| stays_inside &= local == counter || !live.is_live_in(local, data.header));
            effects.pure && !effects.reads && stays_inside
        });
        computes && matches!(code.term, Terminator::Jump(_))
    });
    is_plain.then_some(inner)
}
