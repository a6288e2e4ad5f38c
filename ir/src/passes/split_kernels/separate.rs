//! Gives launches locals of their own, since each becomes another function.
//!
//! What a launch reads of other code comes as a value from the host, or from memory of the data region, where
//! the launch before has left it.

use super::host::Known;
use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::Liveness;
use crate::builder::Cursor;
use crate::edit::rename::Rename;
use crate::edit::split::split_edges;
use crate::entities::{Block, Construct, Local, Loop, Slot, map_below};
use crate::function::{Body, LoopData};
use crate::op::{Inst, Operand};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntitySet, SecondaryMap};
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
        let is_own = |&(_, data): &(Loop, &LoopData)| self.blocks.contains(&data.header);
        body.loops.iter().filter(is_own).map(|(loop_, _)| loop_).collect()
    }

    /// Every variable that its code mentions, as often as it does.
    pub(super) fn variables(&self, body: &Body, mut visit: impl FnMut(Operand)) {
        let mut visit = |part: Part<'_>| part.operand().into_iter().for_each(&mut visit);
        for &block in &self.blocks {
            let data = &body.blocks[block];
            data.insts.iter().for_each(|inst| inst.op.parts(&mut visit));
            data.term.parts(&mut visit);
        }
        self.loops(body).into_iter().for_each(|loop_| body.loops[loop_].parts(&mut visit));
    }

    /// Whether its code mentions a variable.
    fn mentions(&self, body: &Body, variable: Operand) -> bool {
        let mut found = false;
        self.variables(body, |operand| found |= operand == variable);
        found
    }
}

/// Which launch mentions a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Piece(usize),
    /// Several launches, or the host.
    Several,
}

impl Owner {
    /// The same, where it may have been another one before.
    fn with(self, before: Option<Owner>) -> Owner {
        if before.is_none_or(|before| before == self) { self } else { Owner::Several }
    }
}

/// Which launches mention which variables; `None`: no code does.
struct Owners {
    locals: SecondaryMap<Local, Option<Owner>>,
    slots: SecondaryMap<Slot, Option<Owner>>,
}

impl Owners {
    /// Of a body, and of the code that the host is to execute besides; of what no launch mentions nothing is
    /// said.
    fn of(body: &Body, pieces: &[Piece], code: &[(Block, Vec<Inst>)]) -> Owners {
        let mut piece_of: SecondaryMap<Block, Option<Owner>> = map_below(body.blocks.len());
        let mut owners = Owners { locals: map_below(body.locals.len()), slots: map_below(body.slots.len()) };
        for (n, piece) in pieces.iter().enumerate() {
            let owner = Owner::Piece(n);
            for &block in &piece.blocks {
                piece_of[block] = Some(owner);
                let data = &body.blocks[block];
                data.insts.iter().for_each(|inst| inst.op.parts(|part| owners.note(&part, owner)));
                data.term.parts(|part| owners.note(&part, owner));
            }
        }
        for data in body.loops.values() {
            if let Some(owner) = piece_of[data.header] {
                data.parts(|part| owners.note(&part, owner));
            }
        }
        for data in body.loops.values().filter(|data| piece_of[data.header].is_none()) {
            data.parts(|part| owners.share(&part));
        }
        for &block in body.order.iter().filter(|&&block| piece_of[block].is_none()) {
            let data = &body.blocks[block];
            data.insts.iter().for_each(|inst| inst.op.parts(|part| owners.share(&part)));
            data.term.parts(|part| owners.share(&part));
        }
        for inst in code.iter().flat_map(|(_, insts)| insts) {
            inst.op.parts(|part| owners.share(&part));
        }
        owners
    }

    /// Notes that code of the host mentions something, too.
    fn share(&mut self, part: &Part<'_>) {
        let owner = match part.operand() {
            Some(Operand::Local(local)) => self.locals.get_mut(local),
            Some(Operand::Slot(slot)) => self.slots.get_mut(slot),
            _ => None,
        };
        if let Some(owner) = owner.and_then(Option::as_mut) {
            *owner = Owner::Several;
        }
    }

    fn note(&mut self, part: &Part<'_>, owner: Owner) {
        match part.operand() {
            Some(Operand::Local(local)) => self.locals[local] = Some(owner.with(self.locals[local])),
            Some(Operand::Slot(slot)) => self.slots[slot] = Some(owner.with(self.slots[slot])),
            _ => {}
        }
    }
}

/// Gives each launch locals of its own, and moves values between them. Returns the memory that the launches
/// share; `None` if a value cannot be moved.
pub(super) fn separate(
    body: &mut Body,
    construct: Construct,
    pieces: &mut [Piece],
    code: &[(Block, Vec<Inst>)],
) -> Option<Vec<Slot>> {
    let owners = Owners::of(body, pieces, code);
    let mut clause_locals: BTreeSet<Local> = BTreeSet::new();
    body.constructs[construct].parts(|part| {
        if let Part::Variable(operand) | Part::Value(operand) = part {
            clause_locals.extend(operand.as_local());
        }
    });
    // Only what launches mention is asked about.
    let mut mentioned: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    for piece in &*pieces {
        piece.variables(body, |operand| mentioned.extend(operand.as_local()));
    }
    let live = Liveness::about(body, &Cfg::new(body), |local| mentioned.contains(local));
    let loaded = loaded(body, pieces, &live);
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
    for (n, piece) in pieces.iter_mut().enumerate() {
        let mut defined: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
        let insts = piece.blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        insts.for_each(|inst| inst.op.defs(|local| _ = defined.insert(local)));
        let mut mentioned: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
        piece.variables(body, |operand| mentioned.extend(operand.as_local()));
        let [before, behind] = &piece.known;
        let mut rename = Rename::default();
        let (mut values, mut loads, mut stores) = (Vec::new(), Vec::new(), Vec::new());
        for local in mentioned.iter() {
            let arrives = live.is_live_in(local, piece.entry);
            let is_own = owners.locals[local] == Some(Owner::Piece(n)) && !arrives;
            if is_own || clause_locals.contains(&local) {
                continue;
            }
            // The host may know it here, and no more where a way meets on which it does not.
            let is_wanted = !behind.contains(local) || loaded.contains(local);
            let leaves = defined.contains(local) && is_wanted && live.is_live_in(local, piece.exit);
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
fn loaded(body: &Body, pieces: &[Piece], live: &Liveness) -> EntitySet<Local> {
    let mut found = EntitySet::with_capacity(body.locals.len());
    for piece in pieces {
        piece.variables(body, |operand| {
            let local = operand.as_local();
            let is_unknown =
                |local: &Local| live.is_live_in(*local, piece.entry) && !piece.known[0].contains(*local);
            found.extend(local.filter(is_unknown));
        });
    }
    found
}

/// Objects without a clause whose contents outlive a launch: several launches mention them, or one that a
/// loop of the host repeats.
fn shared_objects(body: &Body, construct: Construct, pieces: &[Piece], owners: &Owners) -> Vec<Slot> {
    let has_clause = |slot: Slot| {
        let data = &body.constructs[construct];
        data.maps.iter().any(|map| map.var == Some(Operand::Slot(slot)))
            || data.firstprivate.iter().any(|private| private.var == Operand::Slot(slot))
    };
    let is_declared_in = |slot: Slot, piece: &Piece| {
        let loop_ = body.slots[slot].declared_in;
        loop_.is_some_and(|loop_| piece.blocks.contains(&body.loops[loop_].header))
    };
    let outlives = |slot: Slot, owner: Owner| match owner {
        Owner::Several => true,
        Owner::Piece(n) => pieces[n].repeats && !is_declared_in(slot, &pieces[n]),
    };
    let is_inside = |slot: Slot| pieces.iter().any(|piece| piece.mentions(body, Operand::Slot(slot)));
    let slots = owners.slots.iter().filter_map(|(slot, owner)| Some((slot, (*owner)?)));
    slots
        .filter(|&(slot, owner)| outlives(slot, owner) && !has_clause(slot) && is_inside(slot))
        .map(|(slot, _)| slot)
        .collect()
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
