//! Keeps in a local what a loop loads and stores at one address again and again.
//!
//! Where a loop loads and stores a scalar at an address that it does not change, and writes nothing else that
//! a load there may give, the value is loaded once in front of the loop, and a local has it from then on:
//!
//! ```text
//!     before:  k < n?  yes: sum = load p; loop     no: exit
//!     loop:    ... x = sum; y = x + ...; store y, p; sum = y
//! ```
//!
//! Where nothing else in the loop may read or write that memory either, the store stands behind the loop. The
//! first iteration must have stored by then: threads share C's memory, and a program may not write where it
//! does not say so.

use super::{Memory, always, has_plain_test};
use crate::analysis::cfg::Cfg;
use crate::analysis::loops::Nest;
use crate::analysis::written::{Place, Written};
use crate::edit::split::{split_edges, split_exit};
use crate::entities::{Block, Local, Loop};
use crate::function::Body;
use crate::op::{Access, Class, Inst, Op, Operand, Terminator};
use crate::types::Type;
use cranelift_entity::EntitySet;

/// Most places that are kept for one loop: each takes a register.
const MOST: usize = 4;

/// What a loop keeps.
pub(super) struct Plan {
    loop_: Loop,
    blocks: Vec<Block>,
    kept: Vec<Kept>,
    /// The edges that leave the loop other than at its exit.
    exits: Vec<(Block, Block)>,
}

struct Kept {
    place: Place,
    /// How it is loaded, or stored.
    access: Access,
    /// Whether it is stored behind the loop only.
    sinks: bool,
}

impl Plan {
    /// What a loop is to keep, if it is something.
    pub(super) fn of(
        body: &Body,
        memory: Memory<'_>,
        loop_: Loop,
        (nest, cfg): (&Nest, &Cfg),
    ) -> Option<Plan> {
        let data = &body.loops[loop_];
        if !has_plain_test(body, data) {
            return None;
        }
        let blocks = nest.blocks(loop_);
        let mut accesses = Accesses::of(body, memory, &blocks, &always(body, data, cfg));
        accesses.may_end |= nest.ends_within(body, loop_);
        let kept = accesses.kept(memory);
        let mut exits = nest.exits(body, loop_);
        exits.dedup();
        (!kept.is_empty()).then_some(Plan { loop_, blocks, kept, exits })
    }

    /// What of it the code in front of the loop has stored, in the same iteration of the loops around: it may
    /// be loaded and stored there even if the loop has no iteration.
    pub(super) fn of_stored(mut self, body: &Body, cfg: &Cfg) -> Option<Plan> {
        let stored = stored_before(body, cfg, body.loops[self.loop_].preheader);
        let definitions = body.definitions();
        let is_one = |place: &Place| place.addr.base.as_local().is_none_or(|base| definitions[base] == 1);
        self.kept.retain(|kept| is_one(&kept.place) && stored.iter().any(|place| place.is_same(&kept.place)));
        (!self.kept.is_empty()).then_some(self)
    }

    /// Rewrites the loop, whose preheader is executed only if there is an iteration, or that makes no
    /// difference.
    pub(super) fn run(self, body: &mut Body) {
        let preheader = body.loops[self.loop_].preheader;
        let pos = body.loops[self.loop_].pos;
        let mut sunk = Vec::new();
        for Kept { place, access, sinks } in self.kept {
            // Reports about the one access name the line of an access that the program has.
            let insts = self.blocks.iter().flat_map(|&block| &body.blocks[block].insts);
            let written = insts.filter(|inst| Place::of(body, &inst.op).is_some_and(|of| of.is_same(&place)));
            let pos = written.map(|inst| inst.pos).next().unwrap_or(pos);
            let value = body.temp(place.ty);
            body.blocks[preheader]
                .insts
                .push(Inst { op: Op::Load { dst: value, addr: place.addr, access }, pos });
            for &block in &self.blocks {
                let insts = std::mem::take(&mut body.blocks[block].insts);
                let mut kept = Vec::with_capacity(insts.len() + 1);
                for inst in insts {
                    match (Place::of(body, &inst.op), &inst.op) {
                        (Some(other), &Op::Load { dst, .. }) if other.is_same(&place) => {
                            kept.push(Inst { op: Op::Copy { dst, src: Operand::Local(value) }, ..inst });
                        }
                        (Some(other), &Op::Store { src, .. }) if other.is_same(&place) => {
                            let pos = inst.pos;
                            kept.extend((!sinks).then_some(inst));
                            kept.push(Inst { op: Op::Copy { dst: value, src }, pos });
                        }
                        _ => kept.push(inst),
                    }
                }
                body.blocks[block].insts = kept;
            }
            if sinks {
                let Place { addr, ty, .. } = place;
                sunk.push(Inst { op: Op::Store { ty, addr, src: Operand::Local(value), access }, pos });
            }
        }
        if !sunk.is_empty() {
            let behind = split_exit(body, self.loop_);
            body.blocks[behind].insts.extend(sunk.iter().cloned());
            for (from, to) in self.exits {
                let behind = split_edges(body, &[from], to, pos);
                body.blocks[behind].insts.extend(sunk.iter().cloned());
            }
        }
    }
}

/// What the blocks that lead to the end of one, and nowhere else, store behind the last operation that may
/// wait for other threads.
pub(super) fn stored_before(body: &Body, cfg: &Cfg, end: Block) -> Vec<Place> {
    let mut stored = Vec::new();
    let mut block = end;
    loop {
        for Inst { op, .. } in body.blocks[block].insts.iter().rev() {
            match op.class() {
                Class::Value | Class::Memory => {}
                _ => return stored,
            }
            stored.extend(Place::of(body, op).filter(|place| place.writes));
        }
        match cfg.predecessors(block) {
            &[before] if body.blocks[before].term == Terminator::Jump(block) => block = before,
            _ => return stored,
        }
    }
}

/// What a loop does to memory.
struct Accesses {
    /// Loads and stores, and whether each iteration executes them before anything can end the program.
    places: Vec<(Place, Access, bool)>,
    /// The sources of copies.
    copied: Vec<Operand>,
    /// What is written other than by `places`.
    written: Written,
    /// Whether something may read everything.
    reads_everything: bool,
    /// Whether the function or the program may end in the loop.
    may_end: bool,
    /// Locals that the loop assigns.
    assigned: EntitySet<Local>,
}

impl Accesses {
    fn of(body: &Body, memory: Memory<'_>, blocks: &[Block], always: &[Block]) -> Accesses {
        let mut accesses = Accesses {
            places: Vec::new(),
            copied: Vec::new(),
            written: Written::default(),
            reads_everything: false,
            may_end: false,
            assigned: EntitySet::with_capacity(body.locals.len()),
        };
        // What is behind a call, the call may keep from being executed.
        let is_call =
            |block: &Block| body.blocks[*block].insts.iter().any(|inst| inst.op.class() == Class::Call);
        let certain = always.iter().position(is_call).unwrap_or(always.len());
        for block in blocks {
            let is_certain = always[..certain].contains(block);
            for Inst { op, .. } in &body.blocks[*block].insts {
                op.defs(|local| _ = accesses.assigned.insert(local));
                match (Place::of(body, op), op) {
                    (Some(place), Op::Load { access, .. } | Op::Store { access, .. }) => {
                        accesses.places.push((place, *access, is_certain));
                    }
                    (_, op) => {
                        if let Op::MemCopy { src, .. } = op {
                            accesses.copied.push(src.base);
                        }
                        accesses.reads_everything |= op.class() == Class::Call;
                        accesses.may_end |= op.class() == Class::Call;
                        accesses.written.op(body, memory, op);
                    }
                }
            }
        }
        accesses
    }

    fn kept(&self, memory: Memory<'_>) -> Vec<Kept> {
        let mut kept: Vec<Kept> = Vec::new();
        for (place, access, _) in &self.places {
            if kept.len() < MOST && !kept.iter().any(|kept| kept.place.is_same(place)) {
                kept.extend(self.keep(memory, *place, *access));
            }
        }
        kept
    }

    fn keep(&self, (roots, _): Memory<'_>, mut place: Place, mut access: Access) -> Option<Kept> {
        let is_kept = !place.ty.is_vector() && !matches!(place.ty, Type::I1 | Type::I128 | Type::F80);
        let is_fixed = match place.addr.base {
            Operand::Local(local) => !self.assigned.contains(local),
            base => matches!(base, Operand::Slot(_) | Operand::Global(_)),
        };
        let same = || self.places.iter().filter(|(other, ..)| other.is_same(&place));
        let is_accessed =
            [false, true].iter().all(|writes| same().any(|(other, ..)| other.writes == *writes));
        if !is_kept || !is_fixed || !is_accessed || !same().any(|(_, _, is_certain)| *is_certain) {
            return None;
        }
        let mut sinks = same().any(|(other, _, is_certain)| other.writes && *is_certain)
            && !self.may_end
            && !self.reads_everything;
        access.typed = same().all(|(_, access, _)| access.typed);
        access.align = same().map(|(_, access, _)| access.align).min().unwrap_or(access.align);
        place.kind = access.kind(place.ty);
        let root = roots.of(place.addr.base);
        if self.written.may_be(roots, (root, place.kind)) {
            return None;
        }
        sinks &= !self.written.may_overwrite(roots, root)
            && self.copied.iter().all(|&copied| roots.are_apart(roots.of(copied), root));
        for (other, ..) in self.places.iter().filter(|(other, ..)| !other.is_same(&place)) {
            if other.is_beside(&place) || roots.are_apart(roots.of(other.addr.base), root) {
                continue;
            }
            let is_apart = other.kind.is_apart(place.kind);
            if other.writes && !is_apart {
                return None;
            }
            // Stores of different kinds keep their order.
            sinks &= is_apart && !other.writes;
        }
        Some(Kept { place, access, sinks })
    }
}
