//! Removes operations whose results nobody uses.
//!
//! Before: any code. After: no operation that may be left out ([`crate::Effects::pure`]) writes a local that
//! is read by nothing but such operations' own updates of it, or that its block writes again before anything
//! reads it; and nothing computes into a temporary only for the next operation to copy it. Works on counts of
//! uses, in time linear in the code; a local whose only uses are in definitions of itself counts as unused.

use super::env::{Env, each_body};
use crate::analysis::liveness;
use crate::entities::{Block, Local, map_below};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Inst, Op, Operand};
use crate::report::PassError;
use crate::visit::PartMut;
use cranelift_entity::SecondaryMap;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        clean(work.body);
        Ok(())
    })
}

/// Runs the pass on a body.
pub fn clean(body: &mut Body) {
    let uses = remove_unused(body);
    join_copies(body, &uses);
    remove_overwritten(body);
}

/// How often a local is defined, and used by others.
#[derive(Clone, Copy, Default)]
struct Facts {
    uses: u32,
    defs: u32,
    /// One more than the place of its last definition in the list of all; 0 if there is none.
    last: u32,
}

/// A definition of a local.
struct Definition {
    block: Block,
    index: u32,
    /// The one before it, as in [`Facts::last`].
    previous: u32,
}

/// Removes operations without use, and nothing else.
pub(super) fn remove_only(body: &mut Body) {
    remove_unused(body);
}

/// Says what the locals that are left are used for.
fn remove_unused(body: &mut Body) -> SecondaryMap<Local, Facts> {
    let (mut facts, definitions) = collect(body);
    let mut worklist: Vec<Local> = body.locals.keys().filter(|&local| facts[local].uses == 0).collect();
    let mut dead: SecondaryMap<Block, Vec<u32>> = map_below(body.blocks.len());
    while let Some(local) = worklist.pop() {
        let mut next = std::mem::take(&mut facts[local].last);
        while let Some(&Definition { block, index, previous }) =
            next.checked_sub(1).and_then(|place| definitions.get(place as usize))
        {
            next = previous;
            let op = &body.blocks[block].insts[index as usize].op;
            if !op.effects().pure || op.dst() != Some(local) {
                continue;
            }
            dead[block].push(index);
            op.uses(|used| {
                if used != local {
                    facts[used].uses -= 1;
                    if facts[used].uses == 0 {
                        worklist.push(used);
                    }
                }
            });
        }
    }
    for &block in &body.order {
        let gone = &mut dead[block];
        if !gone.is_empty() {
            gone.sort_unstable();
            remove_at(&mut body.blocks[block].insts, gone);
        }
    }
    facts
}

/// Removes the instructions at these places, which ascend.
fn remove_at(insts: &mut Vec<Inst>, places: &[u32]) {
    let (mut places, mut index) = (places.iter().peekable(), 0);
    insts.retain(|_| {
        let keep = places.next_if_eq(&&index).is_none();
        index += 1;
        keep
    });
}

/// Lets operations write where the next one would copy their result to.
fn join_copies(body: &mut Body, facts: &SecondaryMap<Local, Facts>) {
    for &block in &body.order {
        let mut insts = std::mem::take(&mut body.blocks[block].insts);
        insts.dedup_by(|next, previous| {
            let Op::Copy { dst, src: Operand::Local(temporary) } = next.op else { return false };
            let is_temporary = facts[temporary].uses == 1 && facts[temporary].defs == 1;
            let joins = is_temporary
                && previous.op.dst() == Some(temporary)
                && body.locals[dst].ty == body.locals[temporary].ty
                && may_write(body, &previous.op, dst);
            if joins {
                previous.op.parts_mut(|part| {
                    if let PartMut::Def(local) = part {
                        *local = dst;
                    }
                });
            }
            joins
        });
        body.blocks[block].insts = insts;
    }
}

/// Whether an operation may have this local as its destination: it does not read it, or reads it before it
/// writes, as whatever is one instruction does.
fn may_write(body: &Body, op: &Op, dst: Local) -> bool {
    let is_simple = matches!(op, Op::Unary { .. } | Op::Binary { .. }) && body.locals[dst].ty.bytes() <= 8;
    let mut count = 0;
    op.defs(|_| count += 1);
    let mut reads = false;
    liveness::reads(body, op, |local| reads |= local == dst);
    count == 1 && (is_simple || !reads)
}

/// Removes what a block writes and then writes again, with no read in between.
fn remove_overwritten(body: &mut Body) {
    // Stamped with the block where a local is written further down, before it is read.
    let mut written: SecondaryMap<Local, u32> = map_below(body.locals.len());
    let mut gone = Vec::new();
    for index in 0..body.order.len() {
        let (block, stamp) = (body.order[index], index as u32 + 1);
        gone.clear();
        for (index, inst) in body.blocks[block].insts.iter().enumerate().rev() {
            if inst.op.dst().is_some_and(|dst| written[dst] == stamp) && inst.op.effects().pure {
                gone.push(index as u32);
                continue;
            }
            inst.op.defs(|local| written[local] = stamp);
            liveness::reads(body, &inst.op, |local| written[local] = 0);
        }
        if !gone.is_empty() {
            gone.reverse();
            remove_at(&mut body.blocks[block].insts, &gone);
        }
    }
}

fn collect(body: &Body) -> (SecondaryMap<Local, Facts>, Vec<Definition>) {
    let mut facts: SecondaryMap<Local, Facts> = map_below(body.locals.len());
    let mut definitions = Vec::with_capacity(body.locals.len());
    for &block in &body.order {
        let data = &body.blocks[block];
        for (index, inst) in data.insts.iter().enumerate() {
            let dst = inst.op.dst();
            inst.op.uses(|local| facts[local].uses += u32::from(Some(local) != dst));
            inst.op.defs(|local| {
                let facts = &mut facts[local];
                definitions.push(Definition { block, index: index as u32, previous: facts.last });
                facts.defs += 1;
                facts.last = definitions.len() as u32;
            });
        }
        data.term.uses(|local| facts[local].uses += 1);
    }
    body.annotations(|part| part.used().into_iter().for_each(|local| facts[local].uses += 1));
    (facts, definitions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Cursor;
    use crate::types::Type;

    /// The instructions of a block that are kept.
    fn cleaned(write: impl FnOnce(&mut Cursor<'_>, [Local; 2])) -> Vec<Op> {
        let mut body = Body::default();
        let locals = ["x", "y"].map(|name| body.local(Type::I64, Some(name.into())));
        let block = body.block();
        write(&mut Cursor::new(&mut body, block), locals);
        let uses = remove_unused(&mut body);
        join_copies(&mut body, &uses);
        remove_overwritten(&mut body);
        body.blocks[block].insts.iter().map(|inst| inst.op.clone()).collect()
    }

    #[test]
    fn a_result_goes_where_it_is_copied() {
        let left = cleaned(|c, [x, y]| {
            let sum = c.add(Operand::Local(x), Operand::Local(y));
            c.assign(x, sum);
            c.ret(Some(Operand::Local(x)));
        });
        assert!(matches!(left[..], [Op::Binary { dst, a, .. }] if Operand::Local(dst) == a), "{left:?}");
    }

    #[test]
    fn a_result_that_is_used_twice_stays() {
        let left = cleaned(|c, [x, y]| {
            let sum = c.add(Operand::Local(x), Operand::Local(y));
            c.assign(x, sum);
            c.assign(y, sum);
            let both = c.add(Operand::Local(x), Operand::Local(y));
            c.ret(Some(both));
        });
        assert_eq!(left.len(), 4, "{left:?}");
    }

    #[test]
    fn what_is_overwritten_goes_and_what_is_read_before_stays() {
        let zero = Operand::Int(Type::I64, 0);
        let left = cleaned(|c, [x, y]| {
            c.assign(x, zero);
            c.assign(x, Operand::Local(y));
            c.assign(y, Operand::Local(x));
            c.assign(x, zero);
            let sum = c.add(Operand::Local(x), Operand::Local(y));
            c.ret(Some(sum));
        });
        assert_eq!(left.len(), 4, "{left:?}");
    }
}
