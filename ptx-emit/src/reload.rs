//! Lets the iterations that threads share load again what would take too many registers between them.
//!
//! Before: any code. After: where a loop of gangs loads much at fixed places, through a pointer that it does
//! not change, it goes through a copy of the pointer that each iteration renews, by adding what is always
//! zero:
//!
//! ```text
//!     before:  p' = p
//!     loop:    i < n?  yes: x = load p' + 8; ...; i += step; p' += step >> 31
//! ```
//!
//! `ptxas` loads what is read only and stays the same in front of such a loop. A thread has one iteration, if
//! the gangs are as many as they can be: a table of 48 numbers then takes 48 registers, half of the warps of
//! a processor have room, and nothing is loaded less often.

use accrue_ir::analysis::loops::Nest;
use accrue_ir::builder::Cursor;
use accrue_ir::entities::set_of;
use accrue_ir::{BinaryOp, Block, Body, ConvertOp, Level, Local, Loop, Module, Op, Operand, Space, Type};
use std::collections::{BTreeMap, BTreeSet};

/// So many places that stay the same may be loaded in front of a loop.
const MOST_IN_FRONT: usize = 16;

/// Runs the pass on all regions and routines.
pub(crate) fn run(module: &mut Module) {
    for function in module.functions.values_mut().filter(|function| crate::is_partitioned(function)) {
        let Some(body) = function.body.as_deref_mut() else { continue };
        let nest = Nest::new(body);
        for loop_ in body.loop_tree() {
            let data = &body.loops[loop_];
            let levels = data.directive.as_ref().map(|directive| &directive.levels);
            if data.parent.is_none() && levels.is_some_and(|levels| levels.contains(&Level::Gang)) {
                reload(body, loop_, &nest.blocks(loop_));
            }
        }
    }
}

/// Rewrites a loop of these blocks, if it loads too much.
fn reload(body: &mut Body, loop_: Loop, blocks: &[Block]) {
    let data = &body.loops[loop_];
    let Some(step) = data.induction.as_ref().map(|induction| induction.step) else { return };
    let (preheader, latch, pos) = (data.preheader, data.latch, data.pos);
    let insts = || blocks.iter().flat_map(|&block| &body.blocks[block].insts);
    let mut changed = Vec::new();
    insts().for_each(|inst| inst.op.defs(|local| changed.push(local)));
    let changed = set_of(changed);
    let mut places: BTreeMap<Local, BTreeSet<i64>> = BTreeMap::new();
    for inst in insts() {
        if let Op::Load { addr, access, .. } = &inst.op
            && matches!(access.space, Space::Generic | Space::Global)
            && let Operand::Local(base) = addr.base
            && !changed.contains(base)
        {
            places.entry(base).or_default().insert(addr.offset);
        }
    }
    if places.values().map(BTreeSet::len).sum::<usize>() <= MOST_IN_FRONT {
        return;
    }
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let mut renewed: BTreeMap<Local, Local> = BTreeMap::new();
    for base in places.into_keys() {
        let copy = cursor.temp(Type::Ptr);
        cursor.assign(copy, Operand::Local(base));
        renewed.insert(base, copy);
    }
    for &block in blocks {
        for inst in &mut body.blocks[block].insts {
            if let Op::Load { addr, .. } = &mut inst.op
                && let Operand::Local(base) = &mut addr.base
                && let Some(&copy) = renewed.get(base)
            {
                *base = copy;
            }
        }
    }
    let mut cursor = Cursor::with_pos(body, latch, pos);
    // Steps are much smaller (`ir/src/edit/induction.rs`).
    let zero = match cursor.body.operand_type(step) {
        Type::I64 => cursor.binary(BinaryOp::LShr, step, Operand::Int(Type::I64, 63)),
        ty => {
            let zero = cursor.binary(BinaryOp::LShr, step, Operand::Int(ty, 31));
            cursor.convert(ConvertOp::ZExt, Type::I64, zero)
        }
    };
    for copy in renewed.into_values() {
        let base = Operand::Local(copy);
        cursor.op(Op::Index { dst: copy, base, index: zero, scale: 1, offset: 0, extent: None });
    }
}
