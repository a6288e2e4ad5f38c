//! The bounds of a clause's section, in front of a loop around the clause's own.
//!
//! Lowering computes where `a[k:n]` begins and ends at its directive, inside of the loops around. A dummy
//! gang reduction goes outside of these and needs the bounds there: they are computed once more in front of
//! the loop, unless they change in it, as in `loop gang` over `i` around `loop vector reduction(+ : a[i])`.

use super::accumulate::Definitions;
use super::written::Written;
use crate::acc::ReductionClause;
use crate::edit::rename::Rename;
use crate::entities::{Block, Local, Loop};
use crate::function::Body;
use crate::op::{Inst, Op, Operand};
use crate::visit::PartMut;
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;

/// The locals that say where a clause's parts begin and how many elements they have. Of an element that was
/// chosen at run time it is the address.
fn bounds(clause: &ReductionClause) -> impl Iterator<Item = Local> + '_ {
    let counts = clause.parts.iter().filter_map(|part| part.count);
    let address = clause.is_element().then_some(clause.var);
    clause.lower.into_iter().chain(counts).chain(address).filter_map(Operand::as_local)
}

/// Whether blocks leave the bounds of a clause alone.
pub fn are_known(body: &Body, blocks: &[Block], clause: &ReductionClause) -> bool {
    let bounds: FxHashSet<Local> = bounds(clause).collect();
    let mut known = true;
    for &block in blocks.iter().filter(|_| !bounds.is_empty()) {
        let insts = &body.blocks[block].insts;
        insts.iter().for_each(|inst| inst.op.defs(|local| known &= !bounds.contains(&local)));
    }
    known
}

/// Computes the bounds of a clause in front of a loop with these blocks, and names them in the clause.
/// Nothing happens to bounds that need what the loop computes.
pub fn bring_out(
    body: &mut Body,
    definitions: &Definitions,
    loop_: Loop,
    blocks: &[Block],
    clause: &mut ReductionClause,
) {
    let mut chain = Chain::new(body, definitions, loop_, blocks);
    if !bounds(clause).all(|bound| chain.add(bound)) {
        return;
    }
    let insts = chain.insts;
    let mut rename = Rename::fresh(body, insts.iter().filter_map(|inst| inst.op.dst()));
    // The accesses of an element name its address, too: it keeps its name, and the loop computes another.
    if let Some(address) = clause.var.as_local().filter(|_| clause.is_element())
        && let Some(vain) = rename.locals.remove(&address)
    {
        for &block in blocks {
            for inst in &mut body.blocks[block].insts {
                inst.op.parts_mut(|part| match part {
                    PartMut::Def(dst) if *dst == address => *dst = vain,
                    _ => {}
                });
            }
        }
    }
    let preheader = body.loops[loop_].preheader;
    for mut inst in insts {
        inst.op.parts_mut(|part| rename.part(part));
        body.blocks[preheader].insts.push(inst);
    }
    clause.parts_mut(|part| rename.part(part));
}

/// Operations of a loop that give the same in each iteration, in order.
struct Chain<'a> {
    body: &'a Body,
    definitions: &'a Definitions,
    loop_: Loop,
    /// The locals that the loop assigns.
    assigned: EntitySet<Local>,
    written: Written,
    done: FxHashSet<Local>,
    insts: Vec<Inst>,
}

impl<'a> Chain<'a> {
    fn new(body: &'a Body, definitions: &'a Definitions, loop_: Loop, blocks: &[Block]) -> Chain<'a> {
        Chain {
            body,
            definitions,
            loop_,
            assigned: body.assigned(blocks.iter().copied()),
            written: Written::new(body, blocks),
            done: FxHashSet::default(),
            insts: Vec::new(),
        }
    }

    /// Adds what computes a local, if that is the same in each iteration.
    fn add(&mut self, local: Local) -> bool {
        if !self.assigned.contains(local) || !self.done.insert(local) {
            return true;
        }
        let Some(inst) = self.definitions.only(self.body, local) else { return false };
        let may_go_out = match inst.op {
            // A variable is there even if the loop has no iteration.
            Op::Load { addr, access, .. } => {
                !access.volatile
                    && matches!(addr.base, Operand::Slot(_) | Operand::Global(_))
                    && self.written.leaves(addr.base)
            }
            ref op => op.effects().pure,
        };
        // An object that the loop declares is another one in each iteration, and has no address outside.
        let mut is_of_loop = false;
        inst.op.operands(|operand| {
            let declared_in = operand.as_slot().and_then(|slot| self.body.slots[slot].declared_in);
            is_of_loop |= declared_in.is_some_and(|inner| self.body.loop_is_within(Some(inner), self.loop_));
        });
        let mut operands = Vec::new();
        inst.op.uses(|used| operands.push(used));
        let found = may_go_out && !is_of_loop && operands.into_iter().all(|used| self.add(used));
        self.insts.push(inst.clone());
        found
    }
}
