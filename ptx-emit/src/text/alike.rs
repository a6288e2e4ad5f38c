//! Whether all threads of a gang come to each barrier of a kernel on the same way.
//!
//! A barrier is mostly reached by warps on different ways: those that wait until the first one has gone
//! through single mode jump there. `barrier.sync` is for that, wherever `ptxas` puts copies of it. Where no
//! branch that tells threads of a gang apart has a barrier behind it before its ways meet, `bar.sync` does,
//! which promises that whole warps come:
//!
//! ```text
//!     for (i = 255; i >= 0; i--) {          the same i for all threads
//!         if (lane <= i) ...                parts threads, who meet behind it
//!         bar.sync 0
//! ```
//!
//! `ptxas` then believes of what lies behind the barrier that warps are whole, and keeps what is one value
//! for them in registers of the warp; and bringing the lanes together in front costs one instruction
//! instead of nine, one of which compares the masks of all lanes.

use super::barrier::{BarrierKind, Rows};
use super::flow::Flow;
use super::together::{Who, gives_common, is_common, never_assigned};
use crate::surplus::is_meeting;
use accrue_ir::{Block, FunctionKind, Inst, Op, Terminator, map_below};
use cranelift_entity::{EntitySet, SecondaryMap};
use std::cell::LazyCell;

/// Whether that is so of a function. Who calls a routine is not known, and a barrier of the whole launch is
/// a loop of its own.
pub(super) fn come_alike(flow: &Flow<'_>, kind: &FunctionKind) -> bool {
    let (body, blocks, rows) = (flow.body(), flow.blocks(), Rows::of(kind));
    let kind_of = |inst: &Inst| match inst.op {
        Op::Barrier { level } => BarrierKind::of(level, rows),
        _ => None,
    };
    let kinds = |block: Block| body.blocks[block].insts.iter().filter_map(kind_of);
    let met: Vec<Block> =
        blocks.iter().copied().filter(|&block| kinds(block).any(|kind| kind >= BarrierKind::Block)).collect();
    let is_of_launch = met.iter().any(|&block| kinds(block).any(|kind| kind == BarrierKind::Launch));
    // Lanes that are none of a team wait for it elsewhere.
    let has_surplus = blocks.iter().flat_map(|&block| &body.blocks[block].insts).any(is_meeting);
    if met.is_empty() || is_of_launch || has_surplus || !matches!(kind, FunctionKind::Region(_)) {
        return false;
    }
    let ways = LazyCell::new(|| Ways::of(flow));
    let mut differ = never_assigned(body, blocks);
    let mut is_parted: SecondaryMap<Block, bool> = map_below(body.blocks.len());
    loop {
        let mut grows = false;
        for &block in blocks {
            let data = &body.blocks[block];
            for Inst { op, .. } in &data.insts {
                let is_common = !is_parted[block] && gives_common(op, &differ, Who::Gang);
                op.defs(|local| grows |= !is_common && differ.insert(local));
            }
            let is_common = match &data.term {
                Terminator::Branch { cond: value, .. } | Terminator::Switch { value, .. } => {
                    is_common(*value, &differ)
                }
                Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => true,
            };
            if !is_common {
                for between in ways.until_they_meet(flow, block) {
                    grows |= !std::mem::replace(&mut is_parted[between], true);
                }
            }
        }
        if met.iter().any(|&block| is_parted[block]) {
            return false;
        }
        if !grows {
            return true;
        }
    }
}

/// Which blocks all ways from a block to the end of the function lead through.
struct Ways {
    /// The place of a block in the function's order.
    places: SecondaryMap<Block, usize>,
    /// By place, a bit for each place that all ways from there lead through, the block's own among them.
    behind: Vec<Vec<u64>>,
}

impl Ways {
    fn of(flow: &Flow<'_>) -> Ways {
        let (body, blocks) = (flow.body(), flow.blocks());
        let mut places = map_below(body.blocks.len());
        blocks.iter().enumerate().for_each(|(place, &block)| places[block] = place);
        let mut ways = Ways { places, behind: vec![vec![u64::MAX; blocks.len().div_ceil(64)]; blocks.len()] };
        let mut shrinks = true;
        while std::mem::take(&mut shrinks) {
            for (place, &block) in blocks.iter().enumerate().rev() {
                let mut all = ways.behind_all(flow, block);
                all[place / 64] |= 1 << (place % 64);
                shrinks |= all != ways.behind[place];
                ways.behind[place] = all;
            }
        }
        ways
    }

    /// What all ways out of a block lead through.
    fn behind_all(&self, flow: &Flow<'_>, block: Block) -> Vec<u64> {
        let mut all: Option<Vec<u64>> = None;
        flow.body().blocks[block].term.successors(|to| {
            let other = &self.behind[self.places[flow.destination(to)]];
            match &mut all {
                Some(all) => all.iter_mut().zip(other).for_each(|(word, other)| *word &= other),
                None => all = Some(other.clone()),
            }
        });
        all.unwrap_or_else(|| vec![0; self.behind.first().map_or(0, Vec::len)])
    }

    /// The blocks behind a branch before its ways meet.
    fn until_they_meet(&self, flow: &Flow<'_>, branch: Block) -> Vec<Block> {
        let meet = self.behind_all(flow, branch);
        let mut between = Vec::new();
        let mut seen = EntitySet::with_capacity(flow.body().blocks.len());
        let mut work = vec![branch];
        while let Some(block) = work.pop() {
            flow.body().blocks[block].term.successors(|to| {
                let to = flow.destination(to);
                let place = self.places[to];
                if meet[place / 64] >> (place % 64) & 1 == 0 && seen.insert(to) {
                    between.push(to);
                    work.push(to);
                }
            });
        }
        between
    }
}
