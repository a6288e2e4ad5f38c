//! Removes operations whose results nobody uses.
//!
//! Before: any code. After: no operation that may be left out ([`crate::Effects::pure`]) writes a local that is read by
//! nothing but such operations' own updates of it. Works on counts of uses, in time linear in the code; a local
//! whose only uses are in definitions of itself counts as unused.

use super::{Env, PassError, each_body};
use crate::entities::*;
use crate::function::*;
use crate::module::Module;
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        remove_unused(work.body);
        Ok(())
    })
}

/// Where a local is defined, and how often it is used by others.
#[derive(Clone, Default)]
struct Facts {
    uses: u32,
    defs: SmallVec<[(Block, u32); 1]>,
}

fn remove_unused(body: &mut Body) {
    let mut facts = collect(body);
    let mut worklist: Vec<Local> = body.locals.keys().filter(|&local| facts[local].uses == 0).collect();
    let mut dead: SecondaryMap<Block, Vec<u32>> = SecondaryMap::new();
    while let Some(local) = worklist.pop() {
        for (block, index) in std::mem::take(&mut facts[local].defs) {
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
            let (mut gone, mut index) = (gone.iter().peekable(), 0);
            body.blocks[block].insts.retain(|_| {
                let keep = gone.next_if_eq(&&index).is_none();
                index += 1;
                keep
            });
        }
    }
}

fn collect(body: &Body) -> SecondaryMap<Local, Facts> {
    let mut facts: SecondaryMap<Local, Facts> = SecondaryMap::new();
    facts.resize(body.locals.len());
    for &block in &body.order {
        let data = &body.blocks[block];
        for (index, inst) in data.insts.iter().enumerate() {
            let dst = inst.op.dst();
            inst.op.uses(|local| facts[local].uses += u32::from(Some(local) != dst));
            inst.op.defs(|local| facts[local].defs.push((block, index as u32)));
        }
        data.term.uses(|local| facts[local].uses += 1);
    }
    for data in body.loops.values() {
        data.uses(|local| facts[local].uses += 1);
    }
    for data in body.slots.values() {
        data.uses(|local| facts[local].uses += 1);
    }
    for data in body.constructs.values() {
        data.uses(|local| facts[local].uses += 1);
    }
    facts
}
