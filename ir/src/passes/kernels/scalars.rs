//! Scalars of a construct become locals.
//!
//! A scalar that a `kernels` construct names is mapped, so that it lives in a slot: bounds of loops are
//! loads, and counters that are declared outside are memory that all iterations write. Before the loops are
//! judged, a slot that the construct only loads and stores as one scalar, and whose address nothing else has,
//! becomes a local there: loaded at the entry, and stored at the exit if the construct assigns it.

use crate::acc::{MapKind, PrivateVar, ReductionClause};
use crate::analysis::loops::Nest;
use crate::bits::BitMatrix;
use crate::builder::Cursor;
use crate::edit::memory;
use crate::edit::split::split_edges;
use crate::entities::{Block, Construct, Local, Loop, Slot};
use crate::function::{Body, LoopData};
use crate::op::{Access, Op, Operand};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntityRef, EntitySet};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How a slot is used.
#[derive(Clone, Copy, Default)]
struct Use {
    /// The construct does something else with it than to load and store one type.
    is_memory: bool,
    /// The type of the accesses in the construct.
    ty: Option<Type>,
    /// The construct stores it.
    is_stored: bool,
}

/// A slot that becomes a local in the construct.
struct Scalar {
    slot: Slot,
    local: Local,
    ty: Type,
    /// The construct stores it.
    is_stored: bool,
}

/// Makes locals of the scalars of a construct, but for those that are in memory for other reasons; tells
/// which local stands for which slot.
pub fn promote(
    body: &mut Body,
    construct: Construct,
    blocks: &[Block],
    in_memory: &EntitySet<Slot>,
) -> Vec<(Local, Slot)> {
    let data = &body.constructs[construct];
    let (entry, exit, pos) = (data.entry, data.exit, data.pos);
    if blocks.iter().any(|&block| body.blocks[block].term.leads_to(entry)) {
        return Vec::new();
    }
    let mut promoted: Vec<Scalar> = Vec::new();
    for (slot, how) in uses(body, construct, blocks) {
        let Use { is_memory: false, ty: Some(ty), is_stored } = how else { continue };
        if body.slots[slot].size == u64::from(ty.bytes()) && !in_memory.contains(slot) {
            let local = body.local_for(slot, ty);
            promoted.push(Scalar { slot, local, ty, is_stored });
        }
    }
    if promoted.is_empty() {
        return Vec::new();
    }
    let locals: FxHashMap<Slot, Local> = promoted.iter().map(|scalar| (scalar.slot, scalar.local)).collect();
    let leaving: Vec<Block> =
        blocks.iter().copied().filter(|&block| body.blocks[block].term.leads_to(exit)).collect();
    memory::promote(body, blocks, |addr| locals.get(&addr.base.as_slot()?).copied());
    let reads = Reads::of(body, blocks, &promoted);
    let mut loaded: Vec<&Scalar> = Vec::new();
    let mut left: Vec<&Scalar> = Vec::new();
    for (n, scalar) in promoted.iter().enumerate() {
        let is_read = reads.reach(body, entry, n);
        let is_left = scalar.is_stored && Wanted { body, construct, scalar, is_read }.behind();
        // A path that assigns nothing leaves what was there.
        if is_read || is_left {
            loaded.push(scalar);
        }
        if is_left {
            left.push(scalar);
        }
    }
    Cursor::at_start(body, entry, pos, |cursor| {
        for &&Scalar { slot, local, ty, .. } in &loaded {
            cursor.op(Op::Load { dst: local, addr: slot.into(), access: Access::natural(ty) });
        }
    });
    if !leaving.is_empty() && !left.is_empty() {
        let last = split_edges(body, &leaving, exit, pos);
        body.blocks[last].construct = Some(construct);
        let mut cursor = Cursor::with_pos(body, last, pos);
        left.into_iter().for_each(|scalar| cursor.store(scalar.slot, Operand::Local(scalar.local)));
    }
    promoted.iter().map(|scalar| (scalar.local, scalar.slot)).collect()
}

/// Where the locals of a construct are read and assigned that stand for its scalars. No code but copies in
/// the construct's blocks mentions them.
struct Reads {
    /// The places of the construct's blocks, by which the sets below have them.
    places: FxHashMap<Block, Block>,
    /// The scalars, by their numbers, that a block reads before it assigns them.
    first: BitMatrix<Block, Local>,
    /// Those that it assigns.
    assigned: BitMatrix<Block, Local>,
}

/// Makes locals of the scalars that loops of a construct have private copies of, and takes them from
/// the clauses: an analysis sees counters and sums then, rather than memory that iterations write. Those that
/// clauses of inner loops name stay as they are.
pub fn promote_private(body: &mut Body, construct: Construct, in_memory: &EntitySet<Slot>) {
    let private_slots = |data: &LoopData| -> Vec<Slot> {
        let listed = data.directive.iter().flat_map(|directive| &directive.private);
        listed.filter_map(|private| private.var.as_slot()).filter(|&slot| !in_memory.contains(slot)).collect()
    };
    let is_ours = |body: &Body, data: &LoopData| {
        body.blocks.get(data.header).is_some_and(|it| it.construct == Some(construct))
    };
    let listed: Vec<(Loop, Vec<Slot>)> = body
        .loops
        .iter()
        .filter(|(_, data)| is_ours(body, data))
        .map(|(loop_, data)| (loop_, private_slots(data)))
        .filter(|(_, slots)| !slots.is_empty())
        .collect();
    if listed.is_empty() {
        return;
    }
    let nest = Nest::new(body);
    for (loop_, slots) in listed {
        let blocks = nest.blocks(loop_);
        let inside = nest.inside(loop_);
        let how = accesses(body, &blocks);
        let mut locals: FxHashMap<Slot, Local> = FxHashMap::default();
        for slot in slots {
            let var = Operand::Slot(slot);
            let is_named =
                inside.iter().filter_map(|&inner| body.loops[inner].directive.as_ref()).any(|directive| {
                    directive.reductions.iter().any(|clause| clause.var == var)
                        || directive.private.iter().any(|private| private.var == var)
                });
            if let Some(&Use { is_memory: false, ty: Some(ty), .. }) = how.get(&slot)
                && body.slots[slot].size == u64::from(ty.bytes())
                && !is_named
            {
                locals.insert(slot, body.local_for(slot, ty));
            }
        }
        memory::promote(body, &blocks, |addr| locals.get(&addr.base.as_slot()?).copied());
        if let Some(directive) = &mut body.loops[loop_].directive {
            directive
                .private
                .retain(|private| private.var.as_slot().is_none_or(|slot| !locals.contains_key(&slot)));
        }
    }
}

impl Reads {
    fn of(body: &Body, blocks: &[Block], scalars: &[Scalar]) -> Reads {
        let sets = || BitMatrix::new(blocks.len(), scalars.len());
        let (mut first, mut assigned) = (sets(), sets());
        let numbers: FxHashMap<Local, Local> =
            scalars.iter().enumerate().map(|(n, scalar)| (scalar.local, Local::new(n))).collect();
        for (&block, place) in blocks.iter().zip((0..).map(Block::from_u32)) {
            for inst in &body.blocks[block].insts {
                let Op::Copy { dst, src } = inst.op else { continue };
                if let Some(&n) = src.as_local().and_then(|src| numbers.get(&src))
                    && !assigned.contains(place, n)
                {
                    first.extend(place, [n].into_iter());
                }
                assigned.extend(place, numbers.get(&dst).copied().into_iter());
            }
        }
        let places = blocks.iter().copied().zip((0..).map(Block::from_u32)).collect();
        Reads { places, first, assigned }
    }

    /// Whether control may come from the entry of the construct to a block that reads a scalar before any
    /// assigns it. What leaves the construct comes back by the entry.
    fn reach(&self, body: &Body, entry: Block, scalar: usize) -> bool {
        let scalar = Local::new(scalar);
        let mut seen: EntitySet<Block> = EntitySet::with_capacity(self.places.len());
        let mut work = vec![entry];
        while let Some(block) = work.pop() {
            let Some(&place) = self.places.get(&block) else { continue };
            if self.first.contains(place, scalar) {
                return true;
            }
            if seen.insert(place) && !self.assigned.contains(place, scalar) {
                body.blocks[block].term.successors(|next| work.push(next));
            }
        }
        false
    }
}

/// Whether anything behind a construct may read what it leaves in a scalar: code that control reaches from
/// there before it stores the scalar, or a directive that names it.
struct Wanted<'a> {
    body: &'a Body,
    construct: Construct,
    scalar: &'a Scalar,
    /// The construct reads what was there before it, which is its own where control comes back to it.
    is_read: bool,
}

impl Wanted<'_> {
    fn behind(&self) -> bool {
        let is_named = self.is_named();
        let blocks = self.body.blocks.len();
        // Where a construct has stored its own copy, nothing in it reads the scalar any more.
        let mut reached: [EntitySet<Block>; 2] = std::array::from_fn(|_| EntitySet::with_capacity(blocks));
        let mut work = vec![(self.body.constructs[self.construct].exit, false)];
        while let Some((block, mut is_copied)) = work.pop() {
            if !reached[usize::from(is_copied)].insert(block) {
                continue;
            }
            if self.is_read && block == self.body.constructs[self.construct].entry {
                return true;
            }
            let meaning = self.meaning(block);
            match self.first_use(block) {
                Some(_) if meaning == Meaning::Private => {}
                Some(FirstUse::Read) if !is_copied => return true,
                Some(_) if meaning == Meaning::Reduced => return true,
                Some(FirstUse::Store) if meaning == Meaning::Scalar && !is_named => continue,
                Some(FirstUse::Store) => is_copied |= meaning == Meaning::Copy,
                Some(FirstUse::Read) | None => {}
            }
            let place = |block: Block| self.body.blocks[block].construct;
            self.body.blocks[block].term.successors(|next| {
                work.push((next, is_copied && place(next) == place(block)));
            });
        }
        false
    }

    /// Whether a directive other than a construct or loop names the scalar. What the host and a device have
    /// of it are two things then: a store to the one leaves the other as it is.
    fn is_named(&self) -> bool {
        let insts = self.body.order.iter().flat_map(|&block| &self.body.blocks[block].insts);
        insts.filter(|inst| !matches!(inst.op, Op::Load { .. } | Op::Store { .. })).any(|inst| {
            let mut found = false;
            inst.op.parts(|part| found |= part.operand() == Some(self.var()));
            found
        })
    }

    fn var(&self) -> Operand {
        Operand::Slot(self.scalar.slot)
    }

    fn meaning(&self, block: Block) -> Meaning {
        let Some(construct) = self.body.blocks[block].construct else { return Meaning::Scalar };
        let data = &self.body.constructs[construct];
        let names = |vars: &[PrivateVar]| vars.iter().any(|private| private.var == self.var());
        let reduces = |clauses: &[ReductionClause]| clauses.iter().any(|clause| clause.var == self.var());
        let directives = || {
            let around = self.body.loops_around(self.body.blocks[block].loop_);
            around.filter_map(|loop_| self.body.loops[loop_].directive.as_ref())
        };
        let mut maps = data.maps.iter().filter(|map| map.var == Some(self.var()));
        if reduces(&data.reductions) || directives().any(|directive| reduces(&directive.reductions)) {
            Meaning::Reduced
        } else if directives().any(|directive| names(&directive.private)) {
            Meaning::Private
        } else if data.kind.is_threaded() {
            Meaning::Unknown
        } else if names(&data.private) || names(&data.firstprivate) {
            Meaning::Copy
        } else if maps.all(|map| map.kind == MapKind::Copy) {
            Meaning::Scalar
        } else {
            Meaning::Unknown
        }
    }

    fn first_use(&self, block: Block) -> Option<FirstUse> {
        let data = &self.body.blocks[block];
        for inst in &data.insts {
            match &inst.op {
                Op::Store { ty, addr, src, .. } if addr.base == self.var() && *src != self.var() => {
                    let is_all = ty.bytes() == self.scalar.ty.bytes();
                    return Some(if is_all { FirstUse::Store } else { FirstUse::Read });
                }
                op => {
                    let mut found = false;
                    op.parts(|part| found |= part.operand() == Some(self.var()));
                    if found {
                        return Some(FirstUse::Read);
                    }
                }
            }
        }
        let mut found = false;
        data.term.operands(|operand| found |= operand == self.var());
        found.then_some(FirstUse::Read)
    }
}

/// What a scalar's name stands for in a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// The scalar that the construct has left, on the host or on a device.
    Scalar,
    /// What the construct around the block has for itself, and gives to nobody.
    Copy,
    /// What each iteration of a loop around the block has for itself.
    Private,
    /// Part of a reduction, which ends with the scalar's value from before it.
    Reduced,
    /// One or the other.
    Unknown,
}

/// What a block does first with a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstUse {
    Read,
    Store,
}

/// The slots of a body that instructions use otherwise than to load and store them.
pub fn in_memory(body: &Body) -> EntitySet<Slot> {
    let mut found = EntitySet::with_capacity(body.slots.len());
    let mut add = |operand: Operand| _ = operand.as_slot().map(|slot| found.insert(slot));
    for &block in &body.order {
        let data = &body.blocks[block];
        for inst in &data.insts {
            match &inst.op {
                Op::Load { .. } => {}
                Op::Store { src, .. } => add(*src),
                op => op.parts(|part| match part {
                    Part::Value(operand) => add(*operand),
                    Part::Address(address) => add(address.base),
                    // Clauses of directives name variables; that gives nobody their address.
                    _ => {}
                }),
            }
        }
        data.term.operands(&mut add);
    }
    found
}

/// How blocks access slots, for those that they access, in order.
fn accesses(body: &Body, blocks: &[Block]) -> BTreeMap<Slot, Use> {
    let mut uses: BTreeMap<Slot, Use> = BTreeMap::new();
    for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
        let (addr, ty, access, is_stored) = match &inst.op {
            Op::Load { dst, addr, access } => (addr, body.locals[*dst].ty, access, false),
            Op::Store { ty, addr, access, .. } => (addr, *ty, access, true),
            _ => continue,
        };
        let Operand::Slot(slot) = addr.base else { continue };
        let seen = uses.entry(slot).or_default();
        seen.is_memory |= access.volatile || addr.offset != 0 || seen.ty.is_some_and(|known| known != ty);
        seen.ty = Some(ty);
        seen.is_stored |= is_stored;
    }
    uses
}

/// How the blocks of a construct use slots, for those that they use, in order.
fn uses(body: &Body, construct: Construct, blocks: &[Block]) -> BTreeMap<Slot, Use> {
    let mut uses = accesses(body, blocks);
    let in_memory = |operand: Operand, uses: &mut BTreeMap<Slot, Use>| {
        if let Operand::Slot(slot) = operand {
            uses.entry(slot).or_default().is_memory = true;
        }
    };
    // A reduction or a private variable of a directive in the construct keeps its place.
    for data in body.loops.values() {
        let is_inside = body.blocks[data.header].construct == Some(construct);
        if let Some(directive) = data.directive.as_ref().filter(|_| is_inside) {
            let named = directive.reductions.iter().map(|clause| clause.var);
            named
                .chain(directive.private.iter().map(|private| private.var))
                .for_each(|var| in_memory(var, &mut uses));
        }
    }
    let data = &body.constructs[construct];
    for var in data.private.iter().chain(&data.firstprivate).map(|private| private.var) {
        in_memory(var, &mut uses);
    }
    uses
}
