//! Makes constructs of the parts of one.
//!
//! Every launch gets its blocks, and behind it stands a block of the host for what the host computes of the
//! same code.

use super::clauses::{give_clauses, writes_clause_variables};
use super::host::{HostSide, Known};
use super::live::Live;
use super::outside::Outside;
use super::parts::{Layout, Part, Then};
use super::separate::{Piece, separate};
use super::sums::keep_sums_in_memory;
use crate::acc::ConstructData;
use crate::analysis::liveness::reads;
use crate::analysis::loops::Nest;
use crate::builder::Cursor;
use crate::edit::split::{block_before, redirect, split_edges};
use crate::entities::{Block, Construct, Local, Loop};
use crate::function::Body;
use crate::op::{Class, Inst, Operand, Pos, Terminator};
use std::collections::BTreeSet;

/// Cuts a construct; returns the place of each launch's nest. `None` if that cannot be done.
pub(super) fn cut(
    body: &mut Body,
    construct: Construct,
    layout: Layout,
    outside: &Outside,
) -> Option<Vec<Option<Pos>>> {
    keep_sums_in_memory(body, construct, &layout, outside)?;
    let Layout { parts, nest } = layout;
    let side = HostSide::of(body, &nest, (construct, &parts), outside)?;
    if writes_clause_variables(body, construct) {
        return None;
    }
    // Only what the construct assigns is asked about.
    let assigned = body.assigned(body.construct_blocks(construct));
    let live = Live::of(body, &assigned, outside.live_behind(construct));
    let mut known = side.at_entry.clone();
    let end = body.constructs[construct].exit;
    let first_new = body.blocks.len() as u32;
    let mut cutter = Cutter {
        body,
        nest,
        side,
        live,
        construct,
        pieces: Vec::new(),
        code: Vec::new(),
        depth: 0,
        first_new,
    };
    cutter.parts(&parts, end, &mut known);
    let Cutter { side, mut pieces, code, .. } = cutter;
    // A nest alone stays as it is.
    let stores = |(_, insts): &(Block, Vec<Inst>)| insts.iter().any(|inst| inst.op.effects().writes);
    if matches!(&pieces[..], [only] if !only.repeats && !code.iter().any(stores)) || pieces.is_empty() {
        return None;
    }
    let places = pieces.iter().map(|piece| piece.nest.map(|loop_| body.loops[loop_].pos)).collect();
    let created = separate(body, construct, (&mut pieces, &code), outside)?;
    pieces.iter().for_each(|piece| piece.drop_unused(body));
    for (block, insts) in code {
        let old = std::mem::take(&mut body.blocks[block].insts);
        body.blocks[block].insts = insts.into_iter().chain(old).collect();
    }
    give_clauses(body, construct, &side, pieces, created);
    Some(places)
}

struct Cutter<'a> {
    body: &'a mut Body,
    nest: Nest,
    side: HostSide,
    /// Of the body before it is cut.
    live: Live,
    construct: Construct,
    pieces: Vec<Piece>,
    /// What the host executes, and at the start of which block.
    code: Vec<(Block, Vec<Inst>)>,
    /// Loops of the host around.
    depth: u32,
    /// Blocks from this number on are of the cut.
    first_new: u32,
}

impl Cutter<'_> {
    /// Cuts parts, behind which control goes to `end`.
    fn parts(&mut self, parts: &[Part], end: Block, known: &mut Known) {
        for Part { straight, then } in parts {
            match then {
                Then::Nest(loop_) => self.before_nest(straight, *loop_, known),
                Then::Loop(loop_, inner) => {
                    let preheader = self.own_preheader(*loop_);
                    self.straight(straight, preheader, known);
                    self.first_values(*loop_, inner, known);
                    self.host_loop(*loop_, inner, known);
                }
                Then::End => self.straight(straight, end, known),
            }
        }
    }

    /// Lets a launch in front of a loop of the host leave in memory what the host knows there, and no longer
    /// in the loop, because a launch in it assigns it: `s = 6; for (t...) { ...s...; s = a[t]; }`.
    fn first_values(&mut self, loop_: Loop, inner: &[Part], known: &mut Known) {
        let (in_loop, _) =
            self.side.header(self.body, &self.nest, (loop_, inner), known, &mut BTreeSet::new());
        let header = self.body.loops[loop_].header;
        let is_lost = |&local: &Local| !in_loop.contains(local) && self.live.is_live_in(local, header);
        let lost: Vec<Local> = known.iter().filter(is_lost).collect();
        if lost.is_empty() {
            return;
        }
        let (block, pos) = (self.body.loops[loop_].preheader, self.body.loops[loop_].pos);
        let behind = self.own_preheader(loop_);
        let before = known.clone();
        let mut cursor = Cursor::with_pos(self.body, block, pos);
        for local in lost {
            cursor.assign(local, Operand::Local(local));
            known.remove(local);
        }
        self.piece(None, (block, behind), vec![block], [before, known.clone()]);
    }

    /// A loop that the host executes.
    fn host_loop(&mut self, loop_: Loop, inner: &[Part], known: &mut Known) {
        let before = known.clone();
        let (behind_header, _) =
            self.side.header(self.body, &self.nest, (loop_, inner), &before, &mut BTreeSet::new());
        let data = &mut self.body.loops[loop_];
        // Nothing is shared by it, and its counter is stepped where the host computes.
        (data.induction, data.directive) = (None, None);
        let (header, first, exit, pos) = (data.header, data.body, data.exit, data.pos);
        self.body.blocks[header].construct = None;
        split_edges(self.body, &[header], first, pos);
        split_edges(self.body, &[header], exit, pos);
        let latch = self.own_latch(loop_);
        self.depth += 1;
        *known = behind_header.clone();
        self.parts(inner, latch, known);
        self.depth -= 1;
        *known = behind_header;
    }

    /// A preheader of the host between the present one and the header.
    fn own_preheader(&mut self, loop_: Loop) -> Block {
        let (old, header, parent, pos) = {
            let data = &self.body.loops[loop_];
            (data.preheader, data.header, data.parent, data.pos)
        };
        let fresh = block_before(self.body, header);
        redirect(self.body, old, header, fresh);
        let block = &mut self.body.blocks[fresh];
        (block.loop_, block.term, block.term_pos) = (parent, Terminator::Jump(header), pos);
        self.body.loops[loop_].preheader = fresh;
        fresh
    }

    /// A latch of the host behind the present one.
    fn own_latch(&mut self, loop_: Loop) -> Block {
        let (old, header, pos) = {
            let data = &self.body.loops[loop_];
            (data.latch, data.header, data.pos)
        };
        let fresh = self.body.detached_block();
        let at = self.body.order.iter().position(|&block| block == old).map_or(0, |at| at + 1);
        self.body.order.insert(at, fresh);
        redirect(self.body, old, header, fresh);
        let block = &mut self.body.blocks[fresh];
        (block.loop_, block.term, block.term_pos) = (Some(loop_), Terminator::Jump(header), pos);
        self.body.loops[loop_].latch = fresh;
        fresh
    }

    /// Straight code in front of a nest: what has no effect goes with the nest, in which all gangs compute
    /// it.
    fn before_nest(&mut self, regions: &[Vec<Block>], loop_: Loop, known: &mut Known) {
        let exit = self.body.loops[loop_].exit;
        let start = known.clone();
        let mut after = known.clone();
        let host = self.through(regions, &mut after);
        let is_needed_later =
            |cutter: &Self, local: Local| !after.contains(local) && cutter.live.is_live_in(local, exit);
        let goes_along = |cutter: &Self, inst: &Inst, known: &Known| {
            let mut goes = !cutter.has_effect(inst, known);
            inst.op.defs(|local| goes &= !is_needed_later(cutter, local));
            goes
        };
        let mut at = start.clone();
        let whole = regions.iter().all(|region| {
            region.iter().flat_map(|&block| &self.body.blocks[block].insts).all(|inst| {
                let goes = goes_along(self, inst, &at);
                self.side.step(self.body, &inst.op, &mut at);
                goes
            })
        });
        if whole {
            let blocks: Vec<Block> = regions.iter().flatten().copied().collect();
            *known = self.nest(blocks[0], blocks, loop_, [start, after], host);
            return;
        }
        // The end of the preheader that goes along.
        let preheader = self.body.loops[loop_].preheader;
        let fresh = self.own_preheader(loop_);
        let insts = &self.body.blocks[preheader].insts;
        let mut at = start;
        self.through(&regions[..regions.len() - 1], &mut at);
        let mut first = 0;
        for (index, inst) in insts.iter().enumerate() {
            if !goes_along(self, inst, &at) {
                first = index + 1;
            }
            self.side.step(self.body, &inst.op, &mut at);
        }
        let tail = self.body.blocks[preheader].insts.split_off(first);
        self.body.blocks[fresh].insts.clone_from(&tail);
        self.straight(regions, fresh, known);
        let between = known.clone();
        let mut ends = known.clone();
        let host = self.along(&tail, &mut ends);
        *known = self.nest(fresh, vec![fresh], loop_, [between, ends], host);
    }

    /// A launch of a nest with the code in front of it; `known` is what the host knows before that code and
    /// behind it. Returns what it knows behind the nest.
    fn nest(
        &mut self,
        entry: Block,
        mut blocks: Vec<Block>,
        loop_: Loop,
        mut known: [Known; 2],
        host: Vec<Inst>,
    ) -> Known {
        let (header, exit, pos) = {
            let data = &self.body.loops[loop_];
            (data.header, data.exit, data.pos)
        };
        let inside = self.nest.blocks(loop_);
        self.side.region(self.body, &inside, &mut known[1], &mut BTreeSet::new());
        let own_exit = split_edges(self.body, &[header], exit, pos);
        let behind = split_edges(self.body, &[own_exit], exit, pos);
        blocks.extend(inside);
        blocks.push(own_exit);
        let after = known[1].clone();
        self.piece(Some(loop_), (entry, behind), blocks, known);
        self.code.push((behind, host));
        after
    }

    /// Straight code, behind which control goes to `next`.
    fn straight(&mut self, regions: &[Vec<Block>], next: Block, known: &mut Known) {
        let start = known.clone();
        let host = self.through(regions, known);
        let mut at = start.clone();
        let mut is_needed = false;
        for region in regions {
            for inst in region.iter().flat_map(|&block| &self.body.blocks[block].insts) {
                is_needed |= self.has_effect(inst, &at);
                inst.op.defs(|local| is_needed |= !known.contains(local) && self.is_live_behind(local, next));
                if region.len() == 1 {
                    self.side.step(self.body, &inst.op, &mut at);
                }
            }
        }
        let blocks: Vec<Block> = regions.iter().flatten().copied().collect();
        let is_line = regions.iter().all(|region| {
            matches!(region[..], [block] if matches!(self.body.blocks[block].term, Terminator::Jump(_)))
        });
        if !is_needed && is_line {
            for &block in &blocks {
                self.body.blocks[block].construct = None;
                self.body.blocks[block].insts.clear();
            }
            self.code.push((blocks[0], host));
            return;
        }
        let pos = self.body.constructs[self.construct].pos;
        let leaving: Vec<Block> = blocks
            .iter()
            .copied()
            .filter(|&block| self.body.blocks[block].term.targets().contains(&next))
            .collect();
        let behind = split_edges(self.body, &leaving, next, pos);
        self.piece(None, (blocks[0], behind), blocks, [start, known.clone()]);
        self.code.push((behind, host));
    }

    /// Whether a local is live in front of a block, which may be one that the cut has made.
    fn is_live_behind(&self, local: Local, mut next: Block) -> bool {
        while next.as_u32() >= self.first_new {
            for inst in &self.body.blocks[next].insts {
                let (mut is_read, mut is_written) = (false, false);
                reads(self.body, &inst.op, |other| is_read |= other == local);
                inst.op.defs(|other| is_written |= other == local);
                if is_read || is_written {
                    return is_read;
                }
            }
            let Terminator::Jump(to) = self.body.blocks[next].term else { return true };
            next = to;
        }
        self.live.is_live_in(local, next)
    }

    fn piece(
        &mut self,
        nest: Option<Loop>,
        (entry, exit): (Block, Block),
        blocks: Vec<Block>,
        known: [Known; 2],
    ) {
        let data = self.body.constructs[self.construct].clone();
        let construct = self.body.constructs.push(ConstructData { entry, exit, ..data });
        for &block in &blocks {
            self.body.blocks[block].construct = Some(construct);
        }
        self.pieces.push(Piece { construct, nest, entry, exit, blocks, known, repeats: self.depth > 0 });
    }

    /// Goes through straight code, from what the host knows before it to what it knows behind it; returns
    /// what the host executes of it.
    fn through(&self, regions: &[Vec<Block>], known: &mut Known) -> Vec<Inst> {
        let mut code = Vec::new();
        for region in regions {
            if let [block] = region[..] {
                code.extend(self.along(&self.body.blocks[block].insts, known));
            } else {
                self.side.region(self.body, region, known, &mut BTreeSet::new());
            }
        }
        code
    }

    /// The same of instructions in a row.
    fn along(&self, insts: &[Inst], known: &mut Known) -> Vec<Inst> {
        insts.iter().filter(|inst| self.side.step(self.body, &inst.op, known)).cloned().collect()
    }

    /// Whether an instruction changes something that the host does not change.
    fn has_effect(&self, inst: &Inst, known: &Known) -> bool {
        let effects = inst.op.effects();
        let is_plain =
            effects.pure && !matches!(inst.op.class(), Class::Atomic | Class::Call | Class::Directive);
        !is_plain && !self.side.executes(self.body, &inst.op, known)
    }
}
