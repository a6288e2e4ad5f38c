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
use crate::entities::{Block, Construct, Local, Loop, Slot};
use crate::function::Body;
use crate::op::{Access, Inst, Operand};
use crate::types::Type;
use crate::visit::Part as CodePart;
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

/// Who mentions a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Piece(usize),
    Several,
}

/// Gives each launch locals of its own, and moves values between them. Returns the memory that the launches
/// share; `None` if a value cannot be moved.
pub(super) fn separate(
    body: &mut Body,
    construct: Construct,
    pieces: &mut [Piece],
    code: &[(Block, Vec<Inst>)],
) -> Option<Vec<Slot>> {
    let piece_of: BTreeMap<Block, usize> = pieces
        .iter()
        .enumerate()
        .flat_map(|(n, piece)| piece.blocks.iter().map(move |&block| (block, n)))
        .collect();
    let mut locals: BTreeMap<Local, Owner> = BTreeMap::new();
    let mut slots: BTreeMap<Slot, Owner> = BTreeMap::new();
    let mut note = |part: CodePart<'_>, owner: Owner| {
        let mut local = |local: Local| {
            _ = locals
                .entry(local)
                .and_modify(|known| {
                    if *known != owner {
                        *known = Owner::Several
                    }
                })
                .or_insert(owner)
        };
        match part {
            CodePart::Def(def) | CodePart::NamedLocal(def) => local(*def),
            CodePart::Value(Operand::Local(used)) | CodePart::Variable(Operand::Local(used)) => local(*used),
            CodePart::Address(address) if address.base.as_local().is_some() => {
                address.base.as_local().into_iter().for_each(local)
            }
            CodePart::Value(operand) | CodePart::Variable(operand) => note_slot(&mut slots, *operand, owner),
            CodePart::Address(address) => note_slot(&mut slots, address.base, owner),
            _ => {}
        }
    };
    for &block in &body.order {
        let owner = piece_of.get(&block).map_or(Owner::Several, |&n| Owner::Piece(n));
        body.blocks[block].parts(|part| note(part, owner));
    }
    for data in body.loops.values() {
        let owner = piece_of.get(&data.header).map_or(Owner::Several, |&n| Owner::Piece(n));
        data.parts(|part| note(part, owner));
    }
    code.iter()
        .flat_map(|(_, insts)| insts)
        .for_each(|inst| inst.op.parts(|part| note(part, Owner::Several)));
    let clause_locals: BTreeSet<Local> = {
        let mut found = BTreeSet::new();
        body.constructs[construct].parts(|part| {
            if let CodePart::Variable(Operand::Local(local)) | CodePart::Value(Operand::Local(local)) = part {
                found.insert(*local);
            }
        });
        found
    };
    let live = Liveness::new(body, &Cfg::new(body));
    let mut homes: BTreeMap<Local, Slot> = BTreeMap::new();
    for (n, piece) in pieces.iter_mut().enumerate() {
        let mut defined = BTreeSet::new();
        let insts = piece.blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        insts.for_each(|inst| inst.op.defs(|local| _ = defined.insert(local)));
        let mentioned: Vec<Local> = mentioned(body, piece);
        let [before, behind] = &piece.known;
        let mut rename = Rename::default();
        let (mut values, mut loads, mut stores) = (Vec::new(), Vec::new(), Vec::new());
        for local in mentioned {
            let arrives = live.is_live_in(local, piece.entry);
            let is_own = locals.get(&local) == Some(&Owner::Piece(n)) && !arrives;
            if is_own || clause_locals.contains(&local) {
                continue;
            }
            let leaves =
                defined.contains(&local) && !behind.contains(&local) && live.is_live_in(local, piece.exit);
            if (arrives || leaves) && body.locals[local].ty == Type::I1 || leaves && piece.nest.is_some() {
                return None;
            }
            let data = body.locals[local].clone();
            let fresh = body.locals.push(data);
            rename.locals.insert(local, fresh);
            if arrives && before.contains(&local) {
                values.push((local, fresh));
            } else if arrives {
                loads.push((local, fresh));
            }
            if leaves {
                stores.push((local, fresh));
            }
        }
        let loops: Vec<Loop> = body
            .loops
            .iter()
            .filter(|(_, data)| piece.blocks.contains(&data.header))
            .map(|(loop_, _)| loop_)
            .collect();
        rename.apply(body, &piece.blocks, &loops);
        for &(local, _) in loads.iter().chain(&stores) {
            homes.entry(local).or_insert_with(|| body.slot_for(local));
        }
        hand_over(body, piece, &homes, (&values, &loads, &stores));
    }
    // Objects that are declared in the construct, and that several launches mention.
    let mapped = |slot: Slot| {
        let data = &body.constructs[construct];
        data.maps.iter().any(|map| map.var == Some(Operand::Slot(slot)))
            || data.firstprivate.iter().any(|private| private.var == Operand::Slot(slot))
    };
    let shared = slots.into_iter().filter(|&(slot, owner)| {
        let stays = match owner {
            Owner::Several => true,
            Owner::Piece(n) => {
                pieces[n].repeats
                    && body.slots[slot]
                        .declared_in
                        .is_none_or(|loop_| !pieces[n].blocks.contains(&body.loops[loop_].header))
            }
        };
        let is_inside = pieces.iter().any(|piece| mentions(body, piece, Operand::Slot(slot)));
        stays && is_inside && !mapped(slot)
    });
    let shared: Vec<Slot> = shared.map(|(slot, _)| slot).collect();
    let all: BTreeSet<Slot> = shared.into_iter().chain(homes.into_values()).collect();
    Some(all.into_iter().collect())
}

fn note_slot(slots: &mut BTreeMap<Slot, Owner>, operand: Operand, owner: Owner) {
    if let Operand::Slot(slot) = operand {
        slots
            .entry(slot)
            .and_modify(|known| {
                if *known != owner {
                    *known = Owner::Several
                }
            })
            .or_insert(owner);
    }
}

/// Whether the code of a launch mentions a variable.
pub(super) fn mentions(body: &Body, piece: &Piece, variable: Operand) -> bool {
    let mut found = false;
    let mut look = |part: CodePart<'_>| match part {
        CodePart::Value(operand) | CodePart::Variable(operand) => found |= *operand == variable,
        CodePart::Address(address) => found |= address.base == variable,
        _ => {}
    };
    piece.blocks.iter().for_each(|&block| body.blocks[block].parts(&mut look));
    body.loops
        .values()
        .filter(|data| piece.blocks.contains(&data.header))
        .for_each(|data| data.parts(&mut look));
    found
}

fn mentioned(body: &Body, piece: &Piece) -> Vec<Local> {
    let mut found: BTreeSet<Local> = BTreeSet::new();
    let mut look = |part: CodePart<'_>| match part {
        CodePart::Def(local) | CodePart::NamedLocal(local) => _ = found.insert(*local),
        CodePart::Value(operand) | CodePart::Variable(operand) => found.extend(operand.as_local()),
        CodePart::Address(address) => found.extend(address.base.as_local()),
        _ => {}
    };
    piece.blocks.iter().for_each(|&block| body.blocks[block].parts(&mut look));
    body.loops
        .values()
        .filter(|data| piece.blocks.contains(&data.header))
        .for_each(|data| data.parts(&mut look));
    found.into_iter().collect()
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
            let ty = cursor.body.locals[fresh].ty;
            let value = cursor.load_with(ty, homes[&local], Access::natural(ty));
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
            let ty = cursor.body.locals[fresh].ty;
            cursor.store_with(homes[&local], Operand::Local(fresh), Access::natural(ty));
        }
    }
    for &(local, _) in values {
        let private = body.private_clause(local, pos);
        body.constructs[piece.construct].firstprivate.push(private);
    }
}
