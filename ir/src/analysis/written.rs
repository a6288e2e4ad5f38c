//! What code writes of memory: where ([`Root`]), and what of ([`MemoryKind`]).

use super::roots::{Root, Roots};
use crate::entities::Func;
use crate::function::Body;
use crate::op::{Address, Callee, MemoryKind, Op, Operand};
use crate::types::Type;

/// Whether calls of a function write no more of the caller's than what their arguments lead to, and have
/// nothing to do with other threads.
pub type IsQuiet<'a> = &'a dyn Fn(Func) -> bool;

/// What code writes of memory.
#[derive(Clone, Default, Debug)]
pub struct Written {
    everything: bool,
    memory: Vec<(Root, MemoryKind)>,
}

impl Written {
    /// Adds what an operation writes.
    pub fn op(&mut self, body: &Body, (roots, is_quiet): (&Roots, IsQuiet<'_>), op: &Op) {
        match op {
            Op::Call { callee: Callee::Direct(func), args, dest, .. } if is_quiet(*func) => {
                let given = given(body, args, dest.as_ref());
                given.for_each(|pointer| self.add(roots.of(pointer), MemoryKind::Any));
            }
            Op::Store { ty, addr, access, .. } if !access.volatile => {
                self.add(roots.of(addr.base), access.kind(*ty));
            }
            Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } => {
                self.add(roots.of(dst.base), MemoryKind::Any);
            }
            // Counts as writing because it may trap, which no load minds.
            Op::Binary { .. } => {}
            op => {
                let effects = op.effects();
                self.everything |= effects.writes || effects.synchronises.is_some();
            }
        }
    }

    fn add(&mut self, root: Root, kind: MemoryKind) {
        if !self.memory.contains(&(root, kind)) {
            self.memory.push((root, kind));
        }
    }

    /// Whether nothing is written at all.
    pub fn is_nothing(&self) -> bool {
        !self.everything && self.memory.is_empty()
    }

    /// Whether a load of this kind may give what was written, from memory that a root leads to.
    pub fn may_be(&self, roots: &Roots, (root, kind): (Root, MemoryKind)) -> bool {
        let may_be =
            |&(written, of): &(Root, MemoryKind)| !roots.are_apart(written, root) && !of.is_apart(kind);
        self.everything || self.memory.iter().any(may_be)
    }

    /// Whether something may be written to memory that a root leads to, of whatever kind: two stores there
    /// may not change their order.
    pub fn may_overwrite(&self, roots: &Roots, root: Root) -> bool {
        self.may_be(roots, (root, MemoryKind::Any))
    }
}

/// The pointers that a call gives, that to its result included.
pub fn given<'a>(
    body: &'a Body,
    args: &'a [Operand],
    dest: Option<&'a Operand>,
) -> impl Iterator<Item = Operand> {
    args.iter().chain(dest).copied().filter(|arg| body.operand_type(*arg) == Type::Ptr)
}

/// What a load or store accesses, if that is all it does to memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// The address.
    pub addr: Address,
    /// The type of the value.
    pub ty: Type,
    /// What the access says of the memory.
    pub kind: MemoryKind,
    /// Whether it is a store.
    pub writes: bool,
}

impl Place {
    /// What an operation accesses; none of a volatile access.
    pub fn of(body: &Body, op: &Op) -> Option<Place> {
        let (addr, ty, access, writes) = match *op {
            Op::Load { dst, addr, access } => (addr, body.locals[dst].ty, access, false),
            Op::Store { ty, addr, access, .. } => (addr, ty, access, true),
            _ => return None,
        };
        (!access.volatile).then(|| Place { addr, ty, kind: access.kind(ty), writes })
    }

    /// Whether two accesses mean the same bytes, as long as the base is not assigned in between.
    pub fn is_same(&self, other: &Place) -> bool {
        self.addr == other.addr && self.ty == other.ty
    }

    /// Whether two accesses are beside each other at one base, as long as it is not assigned in between.
    pub fn is_beside(&self, other: &Place) -> bool {
        let end = |place: &Place| place.addr.offset.saturating_add(i64::from(place.ty.bytes()));
        self.addr.base == other.addr.base
            && (end(self) <= other.addr.offset || end(other) <= self.addr.offset)
    }
}
