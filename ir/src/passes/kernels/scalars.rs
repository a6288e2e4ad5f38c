//! Scalars of a construct become locals.
//!
//! A scalar that a `kernels` construct names is mapped, so that it lives in a slot: bounds of loops are
//! loads, and counters that are declared outside are memory that all iterations write. Before the loops are
//! judged, a slot that the construct only loads and stores as one scalar, and whose address nothing else has,
//! becomes a local there: loaded at the entry, and stored at the exit if the construct assigns it.

use crate::analysis::cfg::Cfg;
use crate::builder::Cursor;
use crate::edit::memory;
use crate::edit::split::split_edges;
use crate::entities::{Block, Construct, Local, Slot};
use crate::function::Body;
use crate::op::{Access, Op, Operand};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntitySet, SecondaryMap};

/// How a slot is used.
#[derive(Clone, Copy, Default)]
struct Use {
    /// Instructions do something else with it than load and store one type.
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

/// Makes locals of the scalars of a construct; tells which local stands for which slot.
pub fn promote(body: &mut Body, construct: Construct) -> Vec<(Local, Slot)> {
    let data = &body.constructs[construct];
    let (entry, exit, pos) = (data.entry, data.exit, data.pos);
    let cfg = Cfg::new(body);
    let is_inside = |block: Block| body.blocks[block].construct == Some(construct);
    if cfg.predecessors(entry).iter().any(|&block| is_inside(block)) {
        return Vec::new();
    }
    let uses = uses(body, construct);
    let mut promoted: Vec<Scalar> = Vec::new();
    for slot in body.slots.keys() {
        let Use { is_memory: false, ty: Some(ty), is_stored } = uses[slot] else { continue };
        if body.slots[slot].size == u64::from(ty.bytes()) {
            let local = body.local_for(slot, ty);
            promoted.push(Scalar { slot, local, ty, is_stored });
        }
    }
    let mut locals: SecondaryMap<Slot, Option<Local>> = SecondaryMap::new();
    promoted.iter().for_each(|scalar| locals[scalar.slot] = Some(scalar.local));
    let blocks = body.construct_blocks(construct);
    let leaving: Vec<Block> =
        cfg.predecessors(exit).iter().copied().filter(|block| blocks.contains(block)).collect();
    memory::promote(body, &blocks, |addr| match addr.base {
        Operand::Slot(slot) => locals[slot],
        _ => None,
    });
    Cursor::at_start(body, entry, pos, |cursor| {
        for &Scalar { slot, local, ty, .. } in &promoted {
            cursor.op(Op::Load { dst: local, addr: slot.into(), access: Access::natural(ty) });
        }
    });
    let is_left = |scalar: &&Scalar| scalar.is_stored && is_wanted(body, construct, scalar.slot);
    let left: Vec<&Scalar> = promoted.iter().filter(is_left).collect();
    if !leaving.is_empty() && !left.is_empty() {
        let last = split_edges(body, &leaving, exit, pos);
        body.blocks[last].construct = Some(construct);
        let mut cursor = Cursor::with_pos(body, last, pos);
        left.into_iter().for_each(|scalar| cursor.store(scalar.slot, Operand::Local(scalar.local)));
    }
    promoted.iter().map(|scalar| (scalar.local, scalar.slot)).collect()
}

/// Whether anything behind a construct may read a scalar: code that control reaches from there, or a
/// directive that names it. Where control comes back to the construct, its own load at the entry does.
fn is_wanted(body: &Body, construct: Construct, slot: Slot) -> bool {
    let mut reached: EntitySet<Block> = EntitySet::with_capacity(body.blocks.len());
    let mut work = vec![body.constructs[construct].exit];
    while let Some(block) = work.pop() {
        if reached.insert(block) {
            body.blocks[block].term.successors(|next| work.push(next));
        }
    }
    let mentions = |part: Part<'_>| part.operand() == Some(Operand::Slot(slot));
    reached.iter().any(|block| {
        let data = &body.blocks[block];
        let mut found = false;
        for inst in &data.insts {
            // An assignment reads nothing.
            match &inst.op {
                Op::Store { addr, src, .. } if addr.base == Operand::Slot(slot) => {
                    found |= *src == Operand::Slot(slot);
                }
                op => op.parts(|part| found |= mentions(part)),
            }
        }
        data.term.operands(|operand| found |= operand == Operand::Slot(slot));
        found
    })
}

fn uses(body: &Body, construct: Construct) -> SecondaryMap<Slot, Use> {
    let mut uses: SecondaryMap<Slot, Use> = SecondaryMap::new();
    let in_memory = |operand: Operand, uses: &mut SecondaryMap<Slot, Use>| {
        if let Operand::Slot(slot) = operand {
            uses[slot].is_memory = true;
        }
    };
    for &block in &body.order {
        let data = &body.blocks[block];
        let is_inside = data.construct == Some(construct);
        for inst in &data.insts {
            let (addr, ty, access, src) = match &inst.op {
                Op::Load { dst, addr, access } => (addr, body.locals[*dst].ty, access, None),
                Op::Store { ty, addr, src, access } => (addr, *ty, access, Some(*src)),
                op => {
                    op.parts(|part| match part {
                        Part::Value(operand) => in_memory(*operand, &mut uses),
                        Part::Address(address) => in_memory(address.base, &mut uses),
                        // Clauses of directives name variables; that gives nobody their address.
                        _ => {}
                    });
                    continue;
                }
            };
            src.into_iter().for_each(|src| in_memory(src, &mut uses));
            let Operand::Slot(slot) = addr.base else { continue };
            let seen = &mut uses[slot];
            if is_inside {
                seen.is_memory |=
                    access.volatile || addr.offset != 0 || seen.ty.is_some_and(|known| known != ty);
                seen.ty = Some(ty);
                seen.is_stored |= src.is_some();
            }
        }
        data.term.operands(|operand| in_memory(operand, &mut uses));
    }
    // A reduction or a private variable of a directive in the construct keeps its place.
    for data in body.loops.values() {
        if let Some(directive) = &data.directive {
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
