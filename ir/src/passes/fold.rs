//! Propagates copies and constants, evaluates what is constant, and folds constant offsets into addresses.
//!
//! Before: any code. After: within a stretch of blocks that control goes through one after the other, an
//! operand that is known to equal a constant, another local or the address of a variable is replaced by it.
//! So is, in every block, a local whose only definition copies a constant, or what has turned out to be one:
//! a reading before the definition gives an unspecified value, which may as well be the constant. Constant
//! offsets of [`Op::Index`] are part of the addresses that use it; an index that was extended from 32 bits
//! with its sign is the narrow one, for targets that take it. Operations without use are left to `dce`.
//!
//! Floating-point operations are evaluated where IEEE arithmetic leaves no choice: results that are NaN,
//! whose sign and payload differ between machines, stay operations.

mod evaluate;
#[cfg(test)]
mod tests;

use super::env::{Env, each_body};
use crate::entities::{Block, Local, map_below};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Address, BinaryOp, ConvertOp, Op, Operand, Terminator, UnaryOp};
use crate::report::PassError;
use crate::types::Type;
use crate::visit::PartMut;
use cranelift_entity::SecondaryMap;
pub(super) use evaluate::evaluate;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    let narrow_indices = env.target.extends_indices();
    each_body(module, |work| {
        fold(work.body, narrow_indices);
        Ok(())
    })
}

/// What a local is known to be at a point of a block.
#[derive(Clone, Copy, PartialEq)]
enum Fact {
    /// This operand.
    Is(Operand),
    /// The address of a local, slot or global, and an offset.
    Offset(Address),
    /// This `i32`, extended with its sign.
    Extended(Local),
    /// A complex number of these parts, which are constants.
    Complex([Operand; 2]),
}

/// Facts about locals, each good as long as no version it was made from has changed.
struct Facts {
    entries: SecondaryMap<Local, Option<Entry>>,
    /// Counts the definitions of a local, and of stretches entered, so that old facts die at once.
    versions: SecondaryMap<Local, u32>,
    stretch: u32,
    /// See [`crate::target::Target::extends_indices`].
    narrow_indices: bool,
}

#[derive(Clone, Copy)]
struct Entry {
    fact: Fact,
    /// Version of the local that the fact refers to, if it refers to one.
    version: u32,
    stretch: u32,
}

impl Facts {
    fn referred(fact: Fact) -> Option<Local> {
        match fact {
            Fact::Is(operand) => operand.as_local(),
            Fact::Offset(address) => address.base.as_local(),
            Fact::Extended(local) => Some(local),
            Fact::Complex(_) => None,
        }
    }

    fn get(&self, local: Local) -> Option<Fact> {
        let entry = self.entries[local].as_ref().filter(|entry| entry.stretch == self.stretch)?;
        let fresh = Facts::referred(entry.fact).is_none_or(|source| self.versions[source] == entry.version);
        fresh.then_some(entry.fact)
    }

    /// A local was written; `fact`, made from values before the write, is its value now.
    fn define(&mut self, local: Local, fact: Option<Fact>) {
        self.versions[local] += 1;
        let fact = fact.filter(|fact| Facts::referred(*fact) != Some(local));
        self.entries[local] = fact.map(|fact| {
            let version = Facts::referred(fact).map_or(0, |source| self.versions[source]);
            Entry { fact, version, stretch: self.stretch }
        });
    }

    fn operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Local(local) => match self.get(local) {
                Some(Fact::Is(known)) => known,
                Some(Fact::Offset(_) | Fact::Extended(_) | Fact::Complex(_)) | None => operand,
            },
            Operand::Slot(_)
            | Operand::Global(_)
            | Operand::Func(_)
            | Operand::Int(..)
            | Operand::F32(_)
            | Operand::F64(_) => operand,
        }
    }

    fn address(&self, address: Address) -> Address {
        let address = Address { base: self.operand(address.base), offset: address.offset };
        match address.base.as_local().and_then(|local| self.get(local)) {
            Some(Fact::Offset(base)) => base.plus(address.offset),
            Some(Fact::Is(_) | Fact::Extended(_) | Fact::Complex(_)) | None => address,
        }
    }
}

/// Runs the pass on a body; `narrow_indices` is what [`crate::target::Target::extends_indices`] says.
pub fn fold(body: &mut Body, narrow_indices: bool) {
    let locals = body.locals.len();
    let (defs, mut constants) = lone_constants(body);
    let mut facts =
        Facts { entries: map_below(locals), versions: map_below(locals), stretch: 0, narrow_indices };
    for (block, is_first) in stretches(body) {
        facts.stretch += u32::from(is_first);
        let mut insts = std::mem::take(&mut body.blocks[block].insts);
        for inst in &mut insts {
            inst.op.parts_mut(|part| propagate(&facts, &constants, part));
            if let Some(op) = simplify(body, &facts, &inst.op) {
                inst.op = op;
            }
            if let Op::Copy { dst, src } = inst.op
                && src.as_local().is_none()
                && defs[dst] == 1
            {
                constants[dst] = Some(src);
            }
            let fact = fact_of(body, &facts, &inst.op);
            let dst = inst.op.dst();
            inst.op.defs(|local| facts.define(local, fact.filter(|_| dst == Some(local))));
        }
        let data = &mut body.blocks[block];
        data.insts = insts;
        data.term.parts_mut(|part| propagate(&facts, &constants, part));
    }
    for data in body.loops.values_mut() {
        facts.stretch += 1;
        data.parts_mut(|part| propagate(&facts, &constants, part));
    }
}

/// The blocks, those of a stretch one after the other, and whether each is the first of its stretch. A
/// stretch is in one loop and one construct, whose threads may know other values of a local than the code
/// around.
fn stretches(body: &Body) -> Vec<(Block, bool)> {
    let mut entries: SecondaryMap<Block, u32> = map_below(body.blocks.len());
    entries[body.entry()] += 1;
    for &block in &body.order {
        body.blocks[block].term.successors(|to| entries[to] += 1);
    }
    let behind = |block: Block| {
        let Terminator::Jump(next) = body.blocks[block].term else { return None };
        let [from, to] = [block, next].map(|block| &body.blocks[block]);
        (entries[next] == 1 && from.loop_ == to.loop_ && from.construct == to.construct).then_some(next)
    };
    let mut is_behind: SecondaryMap<Block, bool> = map_below(body.blocks.len());
    body.order.iter().filter_map(|&block| behind(block)).for_each(|next| is_behind[next] = true);
    let mut list = Vec::with_capacity(body.order.len());
    for &first in body.order.iter().filter(|&&block| !is_behind[block]) {
        list.push((first, true));
        let mut last = first;
        while let Some(next) = behind(last) {
            list.push((next, false));
            last = next;
        }
    }
    list
}

fn propagate(facts: &Facts, constants: &SecondaryMap<Local, Option<Operand>>, part: PartMut<'_>) {
    let constant = |operand: Operand| match operand {
        Operand::Local(local) => constants[local].unwrap_or(operand),
        _ => operand,
    };
    match part {
        PartMut::Value(operand) => *operand = constant(facts.operand(*operand)),
        PartMut::Address(address) => {
            *address = facts.address(*address);
            address.base = constant(address.base);
        }
        PartMut::Variable(_)
        | PartMut::Def(_)
        | PartMut::NamedLocal(_)
        | PartMut::Func(_)
        | PartMut::Sig(_)
        | PartMut::Agg(_)
        | PartMut::Block(_)
        | PartMut::Loop(_)
        | PartMut::Construct(_)
        | PartMut::Red(_)
        | PartMut::Pos(_) => {}
    }
}

/// How many definitions locals have, and those with one, a copy of a constant. That a `reduction` clause
/// names a pointer counts as one.
fn lone_constants(body: &Body) -> (SecondaryMap<Local, u32>, SecondaryMap<Local, Option<Operand>>) {
    let mut defs: SecondaryMap<Local, u32> = map_below(body.locals.len());
    let mut constants = map_below(body.locals.len());
    for &param in &body.params {
        defs[param] += 1;
    }
    // What is reduced behind a pointer is found by the pointer's name, also where that is an address.
    let of_loops = body.loops.values().filter_map(|data| data.directive.as_ref());
    let clauses = of_loops.flat_map(|directive| &directive.reductions).chain(&body.region_reductions);
    for pointer in clauses.filter(|clause| clause.pointee).filter_map(|clause| clause.var.as_local()) {
        defs[pointer] += 1;
    }
    for &block in &body.order {
        for inst in &body.blocks[block].insts {
            inst.op.defs(|local| defs[local] += 1);
            if let Op::Copy { dst, src } = inst.op
                && src.as_local().is_none()
            {
                constants[dst] = Some(src);
            }
        }
    }
    for (local, count) in defs.iter() {
        if *count != 1 && constants[local].is_some() {
            constants[local] = None;
        }
    }
    (defs, constants)
}

/// What an operation makes of its destination.
fn fact_of(body: &Body, facts: &Facts, op: &Op) -> Option<Fact> {
    match *op {
        Op::Copy { src, .. } => match src.as_local().and_then(|local| facts.get(local)) {
            Some(known @ (Fact::Offset(_) | Fact::Extended(_) | Fact::Complex(_))) => Some(known),
            Some(Fact::Is(_)) | None => Some(Fact::Is(src)),
        },
        Op::Convert { op: ConvertOp::SExt, src: Operand::Local(narrow), dst }
            if facts.narrow_indices
                && [narrow, dst].map(|local| body.locals[local].ty) == [Type::I32, Type::I64] =>
        {
            Some(Fact::Extended(narrow))
        }
        Op::Binary { op: BinaryOp::Complex, a, b, .. }
            if [a, b].iter().all(|part| part.as_local().is_none()) =>
        {
            Some(Fact::Complex([a, b]))
        }
        Op::Index { base, index: Operand::Int(_, index), scale, offset, .. } => {
            let distance = index.wrapping_mul(scale).wrapping_add(offset);
            Some(Fact::Offset(facts.address(Address { base, offset: distance })))
        }
        _ => None,
    }
}

/// A simpler operation with the same effect.
fn simplify(body: &Body, facts: &Facts, op: &Op) -> Option<Op> {
    match *op {
        Op::Unary { dst, op: part @ (UnaryOp::Re | UnaryOp::Im), src: Operand::Local(number) } => {
            match facts.get(number) {
                Some(Fact::Complex([re, im])) => {
                    Some(Op::Copy { dst, src: if part == UnaryOp::Re { re } else { im } })
                }
                _ => None,
            }
        }
        Op::Unary { .. }
        | Op::Binary { .. }
        | Op::Compare { .. }
        | Op::Convert { .. }
        | Op::Select { .. } => evaluate(body, op),
        Op::Index { dst, base, index: Operand::Int(_, index), scale, offset, .. } => {
            let distance = index.wrapping_mul(scale).wrapping_add(offset);
            let Address { base, offset } = facts.address(Address { base, offset: distance });
            Some(if offset == 0 {
                Op::Copy { dst, src: base }
            } else {
                Op::Index { dst, base, index: Operand::Int(Type::I64, 0), scale: 1, offset, extent: None }
            })
        }
        Op::Index { dst, base, index, scale, offset, extent } => {
            let address = facts.address(Address { base, offset });
            let narrow = match index.as_local().and_then(|local| facts.get(local)) {
                Some(Fact::Extended(narrow)) => Operand::Local(narrow),
                Some(Fact::Is(_) | Fact::Offset(_) | Fact::Complex(_)) | None => index,
            };
            ((address, narrow) != (Address { base, offset }, index)).then_some(Op::Index {
                dst,
                base: address.base,
                index: narrow,
                scale,
                offset: address.offset,
                extent,
            })
        }
        _ => None,
    }
}
