//! Addresses that go on with a loop's counter: how far, and whether lanes go through rows of their own.

use super::counted::Counted;
use super::facts::{Facts, definitions};
use crate::arch::SECTOR;
use crate::runs::BYTES as WIDEST;
use accrue_ir::{Block, BlockData, Body, Inst, Local, Op, Operand, map_below};
use cranelift_entity::SecondaryMap;

/// An address that goes on by so many bytes for each that the counter does.
pub(super) struct Stepped {
    pub(super) dst: Local,
    pub(super) scale: i64,
    /// What it has beside the counter, and how often.
    beside: (Operand, i64),
}

impl Stepped {
    /// Lets a copy of the block that makes the address access it so many bytes behind that of the first copy.
    pub(super) fn offset_in(&self, data: &mut BlockData, by: i64) {
        data.insts.retain(|inst| inst.op.dst() != Some(self.dst));
        for inst in &mut data.insts {
            inst.op.addresses_mut(|address| {
                if address.base == Operand::Local(self.dst) {
                    address.offset = address.offset.wrapping_add(by);
                }
            });
        }
    }
}

/// Addresses that the first block of a loop's body, `block`, makes of the counter, and that it only accesses,
/// or goes on from by what is the same in all iterations.
pub(super) fn stepped_addresses(
    (body, block): (&Body, Block),
    blocks: &[Block],
    counted: Counted,
) -> Vec<Stepped> {
    let defined = definitions(body, blocks);
    let is_fixed = |operand: Operand| !operand.as_local().is_some_and(|local| defined.contains_key(&local));
    let mut found: Vec<Stepped> = Vec::new();
    // Behind the step the counter is that of the next iteration.
    let steps = |inst: &&Inst| inst.op.dst().map(Operand::Local) != Some(counted.iv);
    for inst in body.blocks[block].insts.iter().take_while(steps) {
        let Op::Index { dst, base, index, scale, .. } = inst.op else { continue };
        let from = found.iter().find(|from| base == Operand::Local(from.dst)).map(|from| from.scale);
        let (scale, beside) = match from {
            Some(by) if is_fixed(index) => (by, (index, scale)),
            None if index == counted.iv && is_fixed(base) => (scale, (base, 1)),
            _ => continue,
        };
        if defined.get(&dst) == Some(&1) {
            found.push(Stepped { dst, scale, beside });
        }
    }
    if found.is_empty() {
        return found;
    }
    let mut others: SecondaryMap<Local, u32> = map_below(body.locals.len());
    let mut accesses: SecondaryMap<Local, u32> = map_below(body.locals.len());
    body.params.iter().for_each(|&param| others[param] += 2);
    for &at in &body.order {
        let data = &body.blocks[at];
        for inst in &data.insts {
            inst.op.defs(|local| others[local] += 1);
            inst.op.uses(|local| others[local] += 1);
            if at == block {
                inst.op.addresses(|address| {
                    if let Operand::Local(base) = address.base {
                        accesses[base] += 1;
                    }
                });
            }
        }
        data.term.uses(|local| others[local] += 1);
    }
    body.annotations(|part| part.used().into_iter().for_each(|local| others[local] += 1));
    // From the last one, as an address counts for the one that it goes on from only if it is kept.
    let mut kept: Vec<Stepped> = Vec::new();
    for stepped in found.into_iter().rev() {
        if others[stepped.dst] != accesses[stepped.dst] + 1 {
            continue;
        }
        let made = body.blocks[block].insts.iter().find(|inst| inst.op.dst() == Some(stepped.dst));
        if let Some(Inst { op: Op::Index { base: Operand::Local(base), .. }, .. }) = made {
            accesses[*base] += 1;
        }
        kept.push(stepped);
    }
    kept
}

/// Whether each iteration of a shared loop loads from several sectors of a row of its own: what lanes have on
/// their way is much then, and more of it does not stay in the cache until the lane loads its next part.
/// Sums of 12 doubles of a row take twice as long with several iterations at once, on an H100.
pub(super) fn loads_rows_of_lanes(body: &Body, blocks: &[Block], counter: Operand) -> bool {
    let insts = || blocks.iter().flat_map(|&block| &body.blocks[block].insts);
    insts().any(|inst| {
        let Op::Index { dst: row, index, scale, .. } = inst.op else { return false };
        let offset = |inst: &Inst| match inst.op {
            Op::Load { addr, .. } if addr.base == Operand::Local(row) => Some(addr.offset),
            _ => None,
        };
        let offsets = || insts().filter_map(offset);
        let span = || offsets().max().zip(offsets().min()).map_or(0, |(last, first)| last.abs_diff(first));
        index == counter && scale.unsigned_abs() > SECTOR.into() && span() >= SECTOR.into()
    })
}

/// Whether a sequential loop goes through rows that the lanes have each for themselves, element after
/// element: several elements, which one access loads, take no longer than one.
pub(super) fn has_rows_of_lanes(
    (body, first): (&Body, Block),
    blocks: &[Block],
    counted: Counted,
    facts: &Facts<'_>,
) -> bool {
    let Some(step) = counted.step.as_int() else { return false };
    let stepped = stepped_addresses((body, first), blocks, counted);
    let insts = &body.blocks[first].insts;
    let is_element = |stepped: &Stepped, op: &Op| match *op {
        Op::Load { dst, addr, .. } => {
            addr.base == Operand::Local(stepped.dst)
                && i64::from(body.locals[dst].ty.bytes()) == stepped.scale.wrapping_mul(step).saturating_abs()
        }
        _ => false,
    };
    stepped.iter().any(|stepped| {
        if !insts.iter().any(|inst| is_element(stepped, &inst.op)) {
            return false;
        }
        let mut walk = facts.multiples(body).walk(first);
        insts
            .iter()
            .take_while(|inst| inst.op.dst() != Some(stepped.dst))
            .for_each(|inst| walk.step(&inst.op));
        let (operand, factor) = stepped.beside;
        let beside = walk.value(operand).times(factor);
        beside.varies() && beside.zeros() >= WIDEST.trailing_zeros()
    })
}
