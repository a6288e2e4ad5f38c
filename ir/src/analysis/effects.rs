//! What calls write, and whose effects others may see, as far as the summaries of functions tell; which
//! operations may stand elsewhere, too.

use super::bases::{Base, Bases};
use super::callees::{Access, Callees, Deed, Place, Witness};
use crate::entities::Slot;
use crate::function::{BlockData, Body, SlotKind};
use crate::op::{self, Callee, Inst, Op, Operand, Pos, Terminator};
use crate::types::Type;
use crate::visit::Part;

/// The bases and types of what a call writes; `None`: it may be anything.
pub fn written_by(
    body: &Body,
    (callees, bases): (&Callees, &Bases),
    op: &Op,
) -> Option<Vec<(Base, Option<Type>)>> {
    let Op::Call { callee, args, dest, .. } = op else { return None };
    let accesses = match callees.of(*callee, Pos::none()) {
        Ok(accesses) => accesses,
        // Of a function that prints and does something else only the first deed is known.
        Err(Witness { function: Some(func), deed: Deed::Prints, .. }) if Callee::Direct(func) == *callee => {
            let pointers = args.iter().skip(1).filter(|&&arg| body.operand_type(arg) == Type::Ptr);
            return Some(pointers.map(|&pointer| (bases.of(pointer), None)).collect());
        }
        Err(_) => return None,
    };
    let written = accesses.iter().filter(|access| access.writes);
    let mut written: Vec<(Base, Option<Type>)> =
        written.map(|access| (bases.of(place(access, args)), access.ty)).collect();
    written.extend(dest.map(|dest| (bases.of(dest), None)));
    Some(written)
}

/// The instructions of a block whose effects others may see: all but a call that does not return, such as
/// `abort` or a failed `assert`.
pub fn seen_by_others(data: &BlockData) -> &[Inst] {
    match (&data.insts[..], &data.term) {
        ([before @ .., Inst { op: Op::Call { .. }, .. }], Terminator::Unreachable) => before,
        (insts, _) => insts,
    }
}

/// The argument or the object that an access of a called function is to.
pub(super) fn place(access: &Access, args: &[Operand]) -> Operand {
    match access.place {
        Place::Parameter(n) => args.get(n).copied().unwrap_or(Operand::NULL),
        Place::Global(global) => Operand::Global(global),
        Place::Elsewhere => Operand::NULL,
    }
}

/// Whether an operation means the same when those of other iterations stand between it and its neighbours:
/// it has no effect but on memory that iterations share, where they do not meet, and on objects of which each
/// has its own.
pub fn may_be_mixed(body: &Body, own: &[Slot], op: &Op) -> bool {
    let mut is_shared = true;
    op.parts(|part| {
        if let Some(Operand::Slot(slot)) = part.used_operand() {
            is_shared &= matches!(body.slots[slot].kind, SlotKind::Mapped(_)) || own.contains(&slot);
        }
    });
    let is_plain = |access: &op::Access| !access.volatile;
    is_shared
        && may_be_copied(op)
        && match op {
            Op::Load { access, .. } | Op::Store { access, .. } => is_plain(access),
            Op::Binary { .. } => true,
            _ => op.effects().pure,
        }
}

/// Whether an operation may stand in several places: it is about no loop and no reduction.
pub fn may_be_copied(op: &Op) -> bool {
    let mut is_free = true;
    op.parts(|part| is_free &= !matches!(part, Part::Loop(_) | Part::Red(_) | Part::Construct(_)));
    is_free
}
