//! Takes out conversions between signed and unsigned numbers of one width.
//!
//! Before: [`ConvertOp::Bits`] between equal types says where a signed number becomes an unsigned one, or the
//! other way round. After: there is none. Within its block the operand stands for the result, as if there had
//! been no conversion; elsewhere the conversion is a copy.

use super::env::{Env, each_body};
use crate::entities::{Block, Local};
use crate::function::Body;
use crate::module::Module;
use crate::op::{ConvertOp, Op, Operand};
use crate::report::PassError;
use crate::visit::{Part, PartMut};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        take_out(work.body);
        Ok(())
    })
}

/// Runs the pass on a body.
pub fn take_out(body: &mut Body) {
    let mut results = EntitySet::with_capacity(body.locals.len());
    for block in body.order.clone() {
        let has_any = body.blocks[block].insts.iter().any(|inst| change_of_sign(body, &inst.op).is_some());
        if has_any {
            replace_in(body, block, &mut results);
        }
    }
    if results.is_empty() {
        return;
    }
    let mut used = EntitySet::with_capacity(body.locals.len());
    let mut note = |part: Part<'_>| match part {
        Part::Value(Operand::Local(local)) | Part::Variable(Operand::Local(local)) => _ = used.insert(*local),
        Part::Address(address) => _ = address.base.as_local().map(|local| used.insert(local)),
        Part::NamedLocal(local) => _ = used.insert(*local),
        _ => {}
    };
    for &block in &body.order {
        body.blocks[block].parts(&mut note);
    }
    body.annotations(&mut note);
    for &block in &body.order {
        let is_left_over = |op: &Op| match op {
            Op::Copy { dst, .. } => results.contains(*dst) && !used.contains(*dst),
            _ => false,
        };
        body.blocks[block].insts.retain(|inst| !is_left_over(&inst.op));
    }
}

/// The result and the operand of a conversion between signed and unsigned.
fn change_of_sign(body: &Body, op: &Op) -> Option<(Local, Operand)> {
    match *op {
        Op::Convert { dst, op: ConvertOp::Bits, src } if body.operand_type(src) == body.locals[dst].ty => {
            Some((dst, src))
        }
        _ => None,
    }
}

/// Makes copies of the conversions of a block, and lets their operands stand for their results in it as long
/// as neither is written again.
fn replace_in(body: &mut Body, block: Block, results: &mut EntitySet<Local>) {
    let mut known: FxHashMap<Local, Operand> = FxHashMap::default();
    let substitute = |known: &FxHashMap<Local, Operand>, part: PartMut<'_>| {
        let operand = match part {
            PartMut::Value(operand) => operand,
            PartMut::Address(address) => &mut address.base,
            _ => return,
        };
        if let Some(source) = operand.as_local().and_then(|local| known.get(&local)) {
            *operand = *source;
        }
    };
    let mut insts = std::mem::take(&mut body.blocks[block].insts);
    for inst in &mut insts {
        inst.op.parts_mut(|part| substitute(&known, part));
        let change = change_of_sign(body, &inst.op);
        inst.op.defs(|written| {
            known.remove(&written);
            known.retain(|_, source| source.as_local() != Some(written));
        });
        if let Some((dst, src)) = change {
            inst.op = Op::Copy { dst, src };
            results.insert(dst);
            if src != Operand::Local(dst) {
                known.insert(dst, src);
            }
        }
    }
    let data = &mut body.blocks[block];
    data.insts = insts;
    data.term.parts_mut(|part| substitute(&known, part));
}

#[cfg(test)]
mod tests;
