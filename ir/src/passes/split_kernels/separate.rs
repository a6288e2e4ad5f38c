//! Gives launches locals of their own, since each becomes another function.
//!
//! What a launch reads of other code comes as a value from the host, or from memory of the data region, where
//! the launch before has left it.

use super::host::Known;
use super::live::Live;
use super::outside::Outside;
use super::owners::{Owner, Owners};
use crate::analysis::bases::Bases;
use crate::builder::Cursor;
use crate::edit::rename::Rename;
use crate::edit::split::split_edges;
use crate::entities::{Block, Construct, Local, Loop, Slot, map_below};
use crate::function::{Body, LoopData};
use crate::op::{Inst, Operand};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntitySet, SecondaryMap};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// A launch in the making.
pub(super) struct Piece {
    pub(super) construct: Construct,
    pub(super) nest: Option<Loop>,
    pub(super) entry: Block,
    /// The host's block behind it.
    pub(super) exit: Block,
    pub(super) blocks: Vec<Block>,
    /// What the host knows before it, and behind [`Piece::exit`].
    pub(super) known: [Known; 2],
    /// A loop of the host is around it.
    pub(super) repeats: bool,
}

impl Piece {
    /// Its loops.
    fn loops(&self, body: &Body) -> Vec<Loop> {
        let is_own = |&(_, data): &(Loop, &LoopData)| {
            body.blocks.get(data.header).is_some_and(|header| header.construct == Some(self.construct))
        };
        body.loops.iter().filter(is_own).map(|(loop_, _)| loop_).collect()
    }

    /// Takes out what a nest's launch computes in front of the loops and does not use: what the host needs of
    /// it, the host computes.
    pub(super) fn drop_unused(&self, body: &mut Body) {
        let Some(nest) = self.nest else { return };
        let is_around = |block: &Block| !body.loop_is_within(body.blocks[*block].loop_, nest);
        let around: Vec<Block> = self.blocks.iter().copied().filter(is_around).collect();
        let mut used_inside: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
        let mut note = |part: Part<'_>| used_inside.extend(part.used());
        let inside = self.blocks.iter().filter(|&block| !is_around(block));
        inside.for_each(|&block| body.blocks[block].parts(&mut note));
        self.loops(body).into_iter().for_each(|loop_| body.loops[loop_].parts(&mut note));
        loop {
            let mut used = used_inside.clone();
            let mut note = |part: Part<'_>| used.extend(part.used());
            around.iter().for_each(|&block| body.blocks[block].parts(&mut note));
            let is_needed = |inst: &Inst| {
                let mut is_needed = !inst.op.effects().pure;
                inst.op.defs(|local| is_needed |= used.contains(local));
                is_needed
            };
            let mut is_changed = false;
            for &block in &around {
                let insts = &mut body.blocks[block].insts;
                let count = insts.len();
                insts.retain(is_needed);
                is_changed |= insts.len() < count;
            }
            if !is_changed {
                break;
            }
        }
        let mut named: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
        self.operands(body, |operand| named.extend(operand.as_local()));
        let clauses = &mut body.constructs[self.construct].firstprivate;
        clauses.retain(|clause| clause.var.as_local().is_none_or(|local| named.contains(local)));
    }

    /// Every operand of its code.
    pub(super) fn operands(&self, body: &Body, mut visit: impl FnMut(Operand)) {
        let mut visit = |part: Part<'_>| part.operand().into_iter().for_each(&mut visit);
        for &block in &self.blocks {
            body.blocks[block].parts(&mut visit);
        }
        self.loops(body).into_iter().for_each(|loop_| body.loops[loop_].parts(&mut visit));
    }
}

/// The locals that a launch mentions, and those that its instructions assign.
struct Mentioned {
    all: EntitySet<Local>,
    assigned: EntitySet<Local>,
}

/// Which launches of a construct mention which variables, and the locals of each; of what no launch mentions
/// nothing is said. `code` is what the host is to execute besides.
fn owners(
    body: &Body,
    construct: Construct,
    (pieces, code): (&[Piece], &[(Block, Vec<Inst>)]),
    outside: &Outside,
) -> (Owners<u32>, Vec<Mentioned>) {
    let mut is_launched: SecondaryMap<Block, bool> = map_below(body.blocks.len());
    let mut owners = Owners::new(body);
    let mut lists = Vec::with_capacity(pieces.len());
    for (n, piece) in (0..).zip(pieces) {
        let [mut all, mut assigned] = [(); 2].map(|()| EntitySet::with_capacity(body.locals.len()));
        let mut note = |part: Part<'_>| {
            owners.note(&part, n);
            all.extend(part.operand().and_then(Operand::as_local));
            if let Part::Def(local) = part {
                assigned.insert(*local);
            }
        };
        for &block in &piece.blocks {
            is_launched[block] = true;
            let data = &body.blocks[block];
            data.insts.iter().for_each(|inst| inst.op.parts(&mut note));
            data.term.parts(&mut note);
        }
        piece.loops(body).into_iter().for_each(|loop_| body.loops[loop_].parts(&mut note));
        lists.push(Mentioned { all, assigned });
    }
    let mut share = |part: Part<'_>| owners.share(part.operand());
    for loop_ in body.live_loops() {
        if !is_launched[body.loops[loop_].header] {
            body.loops[loop_].parts(&mut share);
        }
    }
    for &block in body.order.iter().filter(|&&block| !is_launched[block]) {
        let data = &body.blocks[block];
        data.insts.iter().for_each(|inst| inst.op.parts(&mut share));
        data.term.parts(&mut share);
    }
    code.iter().flat_map(|(_, insts)| insts).for_each(|inst| inst.op.parts(&mut share));
    let locals = lists.iter().flat_map(|mentioned: &Mentioned| mentioned.all.iter().map(Operand::Local));
    let slots = body.slots.keys().map(Operand::Slot);
    for variable in locals.chain(slots).filter(|&variable| outside.mentions(construct, variable)) {
        owners.share(Some(variable));
    }
    (owners, lists)
}

/// Gives each launch locals of its own, and moves values between them. Returns the memory that the launches
/// share; `None` if a value cannot be moved.
pub(super) fn separate(
    body: &mut Body,
    construct: Construct,
    (pieces, code): (&mut [Piece], &[(Block, Vec<Inst>)]),
    outside: &Outside,
) -> Option<Vec<Slot>> {
    let (owners, lists) = owners(body, construct, (pieces, code), outside);
    let mut clause_locals: BTreeSet<Local> = BTreeSet::new();
    body.constructs[construct].parts(|part| {
        if let Part::Variable(operand) | Part::Value(operand) = part {
            clause_locals.extend(operand.as_local());
        }
    });
    // Only what launches mention is asked about.
    let mut asked: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    lists.iter().for_each(|mentioned: &Mentioned| asked.extend(mentioned.all.iter()));
    let live = Live::of(body, &asked, outside.live_behind(construct));
    let loaded = loaded(pieces, &lists, &live);
    // What the host alone assigns is in no memory of the device.
    let is_of_host = |local: Local| {
        code.iter().any(|(block, insts)| {
            let is_assigned = |insts: &[Inst]| {
                let mut found = false;
                insts.iter().for_each(|inst| inst.op.defs(|written| found |= written == local));
                found
            };
            let is_launched = |piece: &Piece| {
                let mut blocks = piece.blocks.iter();
                piece.exit == *block && blocks.any(|&block| is_assigned(&body.blocks[block].insts))
            };
            is_assigned(insts) && !pieces.iter().any(is_launched)
        })
    };
    if loaded.iter().any(is_of_host) {
        return None;
    }
    let mut homes: BTreeMap<Local, Slot> = BTreeMap::new();
    for (n, (piece, mentioned)) in (0..).zip(pieces.iter_mut().zip(&lists)) {
        let [before, behind] = &piece.known;
        let mut rename = Rename::default();
        let (mut values, mut loads, mut stores) = (Vec::new(), Vec::new(), Vec::new());
        for local in mentioned.all.iter() {
            let arrives = live.is_live_in(local, piece.entry);
            let is_own = owners.locals[local] == Some(Owner::Only(n)) && !arrives;
            if is_own || clause_locals.contains(&local) {
                continue;
            }
            // The host may know it here, and no more where a way meets on which it does not.
            let is_wanted = !behind.contains(local) || loaded.contains(local);
            let leaves =
                mentioned.assigned.contains(local) && is_wanted && live.is_live_in(local, piece.exit);
            if (arrives || leaves) && body.locals[local].ty == Type::I1 || leaves && piece.nest.is_some() {
                return None;
            }
            let fresh = body.local_like(local);
            rename.locals.insert(local, fresh);
            if arrives && before.contains(local) {
                values.push((local, fresh));
            } else if arrives {
                loads.push((local, fresh));
            }
            if leaves {
                stores.push((local, fresh));
            }
        }
        rename.apply(body, &piece.blocks, &piece.loops(body));
        for &(local, _) in loads.iter().chain(&stores) {
            homes.entry(local).or_insert_with(|| body.slot_for(local));
        }
        hand_over(body, piece, &homes, (&values, &loads, &stores));
    }
    let shared = shared_objects(body, construct, pieces, &owners);
    let all: BTreeSet<Slot> = shared.into_iter().chain(homes.into_values()).collect();
    Some(all.into_iter().collect())
}

/// The locals that some launch loads, since the host does not know them there.
fn loaded(pieces: &[Piece], lists: &[Mentioned], live: &Live) -> EntitySet<Local> {
    let mut found = EntitySet::new();
    for (piece, mentioned) in pieces.iter().zip(lists) {
        let is_unknown =
            |local: &Local| live.is_live_in(*local, piece.entry) && !piece.known[0].contains(*local);
        found.extend(mentioned.all.iter().filter(is_unknown));
    }
    found
}

/// Objects without a clause whose contents outlive a launch: several launches mention them, one that a
/// loop of the host repeats, or one leaves a pointer to them for others: `int held[4], *p = held;`.
fn shared_objects(body: &Body, construct: Construct, pieces: &[Piece], owners: &Owners<u32>) -> Vec<Slot> {
    let has_clause = |slot: Slot| {
        let data = &body.constructs[construct];
        data.maps.iter().any(|map| map.var == Some(Operand::Slot(slot)))
            || data.firstprivate.iter().any(|private| private.var == Operand::Slot(slot))
    };
    let is_declared_in = |slot: Slot, piece: &Piece| {
        let loop_ = body.slots[slot].declared_in;
        loop_.is_some_and(|loop_| piece.blocks.contains(&body.loops[loop_].header))
    };
    let bases = OnceCell::new();
    let is_addressed = |slot: Slot| bases.get_or_init(|| Bases::new(body)).is_addressed(slot);
    let outlives = |slot: Slot, owner: Owner<u32>| match owner {
        Owner::Several => true,
        Owner::Only(n) => {
            let piece = &pieces[n as usize];
            !is_declared_in(slot, piece) && (piece.repeats || is_addressed(slot))
        }
    };
    let slots = owners.slots.iter().filter_map(|(slot, owner)| Some((slot, (*owner)?)));
    slots.filter(|&(slot, owner)| !has_clause(slot) && outlives(slot, owner)).map(|(slot, _)| slot).collect()
}

/// Locals of the construct, and what stands for them in a launch.
type Pairs = [(Local, Local)];

/// Writes what brings values into a launch and out of it.
fn hand_over(
    body: &mut Body,
    piece: &mut Piece,
    homes: &BTreeMap<Local, Slot>,
    (values, loads, stores): (&Pairs, &Pairs, &Pairs),
) {
    let pos = body.constructs[piece.construct].pos;
    Cursor::at_start(body, piece.entry, pos, |cursor| {
        for &(local, fresh) in values {
            cursor.assign(fresh, Operand::Local(local));
        }
        for &(local, fresh) in loads {
            let value = cursor.load(cursor.body.locals[fresh].ty, homes[&local]);
            cursor.assign(fresh, value);
        }
    });
    if !stores.is_empty() {
        let leaving: Vec<Block> = piece
            .blocks
            .iter()
            .copied()
            .filter(|&block| body.blocks[block].term.targets().contains(&piece.exit))
            .collect();
        let last = split_edges(body, &leaving, piece.exit, pos);
        body.blocks[last].construct = Some(piece.construct);
        piece.blocks.push(last);
        let mut cursor = Cursor::with_pos(body, last, pos);
        for &(local, fresh) in stores {
            cursor.store(homes[&local], Operand::Local(fresh));
        }
    }
    for &(local, _) in values {
        let private = body.private_clause(local, pos);
        body.constructs[piece.construct].firstprivate.push(private);
    }
}
