//! Turns slots into locals where nothing needs the address.
//!
//! Before: front ends put a variable into a slot whenever some code might want its address. After: a frame
//! slot that is only loaded and stored, as one scalar of its own size, never volatile, is a local. Since
//! locals are assignable, no more than renaming is needed. Clauses that name the slot name the local.

use super::env::{Env, Work, each_body};
use crate::acc::ReductionClause;
use crate::edit::compact::compact;
use crate::edit::memory;
use crate::entities::{Local, Slot};
use crate::function::{Body, SlotKind};
use crate::module::Module;
use crate::op::{Address, Op, Operand};
use crate::report::PassError;
use crate::types::Type;
use crate::visit::{Part, PartMut};
use cranelift_entity::SecondaryMap;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        promote(work);
        Ok(())
    })
}

/// What is known about a slot.
#[derive(Clone, Copy, Default)]
struct Uses {
    code: Use,
    /// A clause names it for what it points to.
    as_pointer: bool,
}

/// What is done with a slot.
#[derive(Clone, Copy, PartialEq, Default)]
enum Use {
    /// Nothing refers to it.
    #[default]
    Unused,
    /// Loads and stores of this type.
    Scalar(Type),
    /// Anything else.
    Memory,
}

impl Use {
    fn access(&mut self, ty: Type, offset: i64) {
        *self = match *self {
            Use::Unused if offset == 0 => Use::Scalar(ty),
            Use::Scalar(known) if offset == 0 && known == ty => *self,
            Use::Unused | Use::Scalar(_) | Use::Memory => Use::Memory,
        };
    }
}

fn promote(work: Work<'_>) {
    let body = work.body;
    if body.slots.is_empty() {
        return;
    }
    let uses = classify(body);
    let mut locals: SecondaryMap<Slot, Option<Local>> = SecondaryMap::new();
    let mut any = false;
    for slot in body.slots.keys() {
        let (data, Uses { code, as_pointer }) = (&body.slots[slot], uses[slot]);
        if let Use::Scalar(ty) = code
            && data.kind == SlotKind::Frame
            && (!as_pointer || ty == Type::Ptr)
            && data.size == u64::from(ty.bytes())
        {
            locals[slot] = Some(body.local_for(slot, ty));
            any = true;
        }
    }
    if any {
        rewrite(body, &locals);
        compact(body);
    }
}

fn classify(body: &Body) -> SecondaryMap<Slot, Uses> {
    let mut uses = SecondaryMap::new();
    for &block in &body.order {
        let data = &body.blocks[block];
        for inst in &data.insts {
            classify_op(body, &inst.op, &mut uses);
        }
        data.term.operands(|operand| in_memory(operand, &mut uses));
    }
    for data in body.loops.values() {
        data.operands(|operand| in_memory(operand, &mut uses));
        for clause in data.directive.iter().flat_map(|directive| &directive.reductions) {
            classify_clause(clause, &mut uses);
        }
    }
    body.region_reductions.iter().for_each(|clause| classify_clause(clause, &mut uses));
    for data in body.constructs.values() {
        data.parts(|part| {
            if let Part::Value(operand) | Part::Variable(operand) = part {
                in_memory(*operand, &mut uses);
            }
        });
    }
    uses
}

fn classify_clause(clause: &ReductionClause, uses: &mut SecondaryMap<Slot, Uses>) {
    let Operand::Slot(slot) = clause.var else { return };
    match clause.parts.as_slice() {
        _ if clause.pointee => uses[slot].as_pointer = true,
        [part] if part.count.is_none() && clause.lower.is_none() => {
            uses[slot].code.access(part.ty.ty, part.offset)
        }
        _ => uses[slot].code = Use::Memory,
    }
}

fn in_memory(operand: Operand, uses: &mut SecondaryMap<Slot, Uses>) {
    if let Operand::Slot(slot) = operand {
        uses[slot].code = Use::Memory;
    }
}

fn classify_op(body: &Body, op: &Op, uses: &mut SecondaryMap<Slot, Uses>) {
    let (addr, ty, access, src) = match op {
        Op::Load { dst, addr, access } => (addr, body.locals[*dst].ty, access, None),
        Op::Store { ty, addr, src, access } => (addr, *ty, access, Some(*src)),
        other => {
            other.parts(|part| part.operand().into_iter().for_each(|operand| in_memory(operand, uses)));
            return;
        }
    };
    if let Operand::Slot(slot) = addr.base {
        if access.volatile {
            uses[slot].code = Use::Memory;
        } else {
            uses[slot].code.access(ty, addr.offset);
        }
    }
    if let Some(src) = src {
        in_memory(src, uses);
    }
}

fn rewrite(body: &mut Body, locals: &SecondaryMap<Slot, Option<Local>>) {
    let local = |addr: &Address| match addr.base {
        Operand::Slot(slot) => locals[slot],
        Operand::Local(_)
        | Operand::Global(_)
        | Operand::Func(_)
        | Operand::Int(..)
        | Operand::F32(_)
        | Operand::F64(_) => None,
    };
    let blocks = body.order.clone();
    memory::promote(body, &blocks, local);
    body.annotations_mut(|part| rename_variable(part, locals));
}

fn rename_variable(part: PartMut<'_>, locals: &SecondaryMap<Slot, Option<Local>>) {
    if let PartMut::Variable(variable) = part
        && let Operand::Slot(slot) = *variable
        && let Some(local) = locals[slot]
    {
        *variable = Operand::Local(local);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Program, Single, copy, directive, private, region, run_to, sum};
    use crate::acc::{ConstructData, ConstructKind, Level};
    use crate::op::Operand;
    use crate::types::Type;

    /// A scalar before the reduced object becomes a local, and what nothing uses goes: the clauses of the
    /// region, as those of its loop, go on to name the object.
    #[test]
    fn clauses_of_a_region_are_renumbered() {
        let mut p = Program::new();
        let [scalar, unused, a, object] = ["scalar", "unused", "a", "object"].map(|name| p.slot(name, 4));
        p.at().store(scalar, Operand::Int(Type::I32, 1));
        p.at().store(a, Operand::Int(Type::I32, 1000));
        let clauses = |data: &mut ConstructData| {
            data.firstprivate.push(private("scalar", Operand::Slot(scalar), 4));
            data.maps.push(copy("unused", Operand::Slot(unused), 4));
            data.maps.push(copy("a", Operand::Slot(a), 4));
            data.reductions.push(sum("a", a));
            data.private.push(private("object", Operand::Slot(object), 4));
        };
        p.construct(ConstructKind::Parallel, clauses, |p| {
            p.count(10, Some(directive(&[Level::Gang], vec![sum("a", a)])), |p, _| {
                let value = p.at().load(Type::I32, scalar);
                p.add_to(a, value);
            });
        });
        let mut module = p.finish();
        run_to(&mut module, &mut Single::default(), "promote-slots");
        let (_, body) = region(&module);
        let in_loop = body.loops.values().filter_map(|data| data.directive.as_ref());
        let clauses: Vec<_> =
            in_loop.flat_map(|directive| &directive.reductions).chain(&body.region_reductions).collect();
        assert_eq!(clauses.len(), 2);
        for clause in clauses {
            let Operand::Slot(slot) = clause.var else { panic!("{clause:?} names no object") };
            assert_eq!(body.slots[slot].name.as_deref(), Some("a"));
        }
        assert_eq!(body.slots.len(), 1, "the scalar is a local, and nothing else is used");
    }
}
