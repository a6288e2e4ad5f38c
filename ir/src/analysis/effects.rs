//! What calls write, and whose effects others may see, as far as the summaries of functions tell.

use super::bases::{Base, Bases};
use super::callees::{Access, Callees, Deed, Place, Witness};
use crate::function::{BlockData, Body};
use crate::op::{Callee, Inst, Op, Operand, Pos, Terminator};
use crate::types::Type;

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
