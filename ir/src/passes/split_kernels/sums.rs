//! Results of reductions, which launches leave in memory.

use super::outside::Outside;
use super::parts::{Layout, nests};
use crate::edit::memory;
use crate::entities::{Construct, Local, Loop};
use crate::function::Body;
use crate::op::Operand;
use std::collections::BTreeSet;

/// Lets locals that nests reduce to be in memory, if anything else mentions them: a launch leaves its result
/// there. `None` if one of them is a variable of a clause.
pub(super) fn keep_sums_in_memory(
    body: &mut Body,
    construct: Construct,
    Layout { parts, nest, .. }: &Layout,
    outside: &Outside,
) -> Option<()> {
    for outer in nests(parts) {
        let loops: Vec<Loop> = nest.inside(outer).into_iter().chain([outer]).collect();
        let directives = loops.iter().filter_map(|&loop_| body.loops[loop_].directive.as_ref());
        let reduced: BTreeSet<Local> = directives
            .flat_map(|directive| &directive.reductions)
            .filter(|clause| !clause.pointee)
            .filter_map(|clause| clause.var.as_local())
            .collect();
        let blocks = nest.blocks(outer);
        for local in reduced {
            let is_outside = body.order.iter().any(|block| {
                let mut mentions = false;
                body.blocks[*block].parts(|part| mentions |= part.operand() == Some(Operand::Local(local)));
                mentions && !blocks.contains(block)
            });
            if !is_outside && !outside.mentions(construct, Operand::Local(local)) {
                continue;
            }
            let data = &body.constructs[construct];
            let mut is_in_clause = false;
            data.parts(|part| is_in_clause |= part.operand() == Some(Operand::Local(local)));
            if is_in_clause {
                return None;
            }
            into_memory(body, construct, local);
        }
    }
    Some(())
}

/// Makes a slot of a local in all of a construct.
fn into_memory(body: &mut Body, construct: Construct, local: Local) {
    let slot = body.slot_for(local);
    let blocks = body.construct_blocks(construct);
    let mut loops = body.live_loops();
    loops.retain(|&loop_| blocks.contains(&body.loops[loop_].header));
    memory::demote(body, &blocks, &loops, local, slot);
}
