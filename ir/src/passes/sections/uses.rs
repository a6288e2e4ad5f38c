//! What a construct does with the value of a pointer.

use super::view::View;
use crate::analysis::boxes::Unbounded;
use crate::analysis::sums::{Atom, Atoms, Kind, Sum};
use crate::analysis::survey::Touch;
use crate::entities::{Local, Loop};
use crate::op::{Class, Op, Operand, Pos};
use crate::types::Type;
use cranelift_entity::EntitySet;

/// Why the accesses through a pointer are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// An access has no box.
    Box(Unbounded),
    /// A loop that is none of the loop tree stands in the construct.
    Cycle,
    /// The pointer is one of several that an access may go through.
    Mixed,
    /// The pointer is compared with another one, which may lead to the host's memory.
    Compared,
    /// The pointer is stored to memory.
    Stored,
    /// The pointer is passed to a function, or used in another way that no survey follows.
    Passed,
}

/// The accesses of a construct through a pointer variable.
pub struct Pointer {
    /// Its value before the construct.
    pub root: Atom,
    /// Places in [`Survey::touches`](crate::analysis::survey::Survey), in order of execution.
    pub touches: Vec<usize>,
}

impl Pointer {
    /// Of a variable; `None` if the construct accesses nothing through it.
    pub fn of(view: &View, var: Operand) -> Result<Option<Pointer>, (Lost, Pos)> {
        let derived = derived(view, var);
        let is_derived = |operand: Operand| operand.as_local().is_some_and(|local| derived.contains(local));
        if let Some(pos) = view.cycle() {
            return Err((Lost::Cycle, pos));
        }
        let mut root = None;
        let mut touches = Vec::new();
        for inst in view.users() {
            let lost = |why: Lost| Err((why, view.place(inst.pos).1));
            let (read, written) = match &inst.op {
                Op::Load { addr, .. } => (Some(addr), None),
                Op::Store { src, .. } if is_derived(*src) => return lost(Lost::Stored),
                Op::Store { addr, .. } => (None, Some(addr)),
                Op::MemCopy { dst, src, bytes: Operand::Int(..), .. } => (Some(src), Some(dst)),
                Op::MemSet { dst, bytes: Operand::Int(..), .. } => (None, Some(dst)),
                Op::Compare { a, b, .. }
                    if is_derived(*a) != is_derived(*b) && ![a, b].contains(&&Operand::NULL) =>
                {
                    return lost(Lost::Compared);
                }
                op if op.class() == Class::Value => continue,
                op => {
                    let mut uses = false;
                    op.operands(|operand| uses |= is_derived(operand));
                    if uses {
                        return lost(Lost::Passed);
                    }
                    continue;
                }
            };
            for (addr, writes) in [(read, false), (written, true)] {
                if !addr.is_some_and(|addr| is_derived(addr.base)) {
                    continue;
                }
                // Code that control does not reach accesses nothing.
                let Some(n) = view.touch_at(inst.pos, writes) else { continue };
                match view.survey.touches[n].root.filter(|&atom| is_value_of(view, atom, var)) {
                    Some(atom) => root = Some(atom),
                    None => return lost(Lost::Mixed),
                }
                touches.push(n);
            }
        }
        touches.sort_unstable();
        Ok(root.map(|root| Pointer { root, touches }))
    }

    /// The accesses, with the distance from the pointer in the place of the address.
    pub fn distances(&self, view: &View) -> Option<Vec<Touch>> {
        let root = Sum::atom(self.root);
        let touches = self.touches.iter().map(|&n| &view.survey.touches[n]);
        touches
            .map(|touch| Some(Touch { address: touch.address.plus(-1, &root)?, ..touch.clone() }))
            .collect()
    }
}

/// Locals whose values may be computed from a pointer's.
fn derived(view: &View, var: Operand) -> EntitySet<Local> {
    let mut derived: EntitySet<Local> = EntitySet::with_capacity(view.body.locals.len());
    derived.extend(var.as_local());
    derived.extend(view.in_memory.iter().filter(|(_, (place, _))| *place == var).map(|(&local, _)| local));
    loop {
        let mut changed = false;
        for inst in view.movers() {
            let Some(dst) = inst.op.dst().filter(|&dst| !derived.contains(dst)) else { continue };
            let from = match &inst.op {
                // A variable in memory; what a parameter leads to is no value of its own.
                Op::Load { addr, .. } => addr.base == var && var.as_local().is_none(),
                op => {
                    let mut from = false;
                    op.operands(|operand| {
                        from |= operand.as_local().is_some_and(|local| derived.contains(local))
                    });
                    from
                }
            };
            if from {
                changed |= derived.insert(dst);
            }
        }
        if !changed {
            return derived;
        }
    }
}

/// Whether an atom is what a variable holds before the construct.
fn is_value_of(view: &View, atom: Atom, var: Operand) -> bool {
    match &view.survey.atoms.data(atom).kind {
        Kind::Entry(local) => {
            Operand::Local(*local) == var || view.in_memory.get(local).is_some_and(|(place, _)| *place == var)
        }
        Kind::Element { ty: Type::Ptr, at } => view.survey.atoms.object_at(at) == Some((var, 0)),
        _ => false,
    }
}

/// The accesses that write all of their own box, by their places in `distances`, before any of the others
/// reads it.
pub fn covering(view: &View, distances: &[Touch]) -> Vec<usize> {
    let covers = |(n, touch): &(usize, &Touch)| {
        touch.writes
            && is_dense(view, touch)
            && view.is_in_every_iteration(view.place(touch.pos).0)
            && distances.iter().enumerate().all(|(m, read)| read.writes || is_after(view, read, m, touch, *n))
    };
    distances.iter().enumerate().filter(covers).map(|(n, _)| n).collect()
}

/// Whether what an access reads was written by another one that writes all elements, one in each iteration.
fn is_after(view: &View, read: &Touch, at: usize, write: &Touch, written_at: usize) -> bool {
    let nest = |touch: &Touch| view.nest_of(view.place(touch.pos).0);
    let same_iteration =
        || read.address == write.address && view.body.loop_is_within(Some(read.loop_), write.loop_);
    at > written_at && (nest(read) != nest(write) || same_iteration())
}

/// Whether the accesses of all iterations lie side by side: each loop has the bytes of all iterations of
/// the loop inside as its stride, and runs as often whatever the iterations of the others.
fn is_dense(view: &View, touch: &Touch) -> bool {
    let atoms = &view.survey.atoms;
    let is_counter = |&atom: &Atom| loop_of(atoms, atom).is_some();
    let trip = |atom: Atom| -> Option<&Sum> {
        let trip = view.survey.loops.get(&loop_of(atoms, atom)?)?.trip.as_ref()?;
        trip.atoms().all(|atom| !is_counter(&atom)).then_some(trip)
    };
    // The strides, from the innermost loop outwards.
    let mut bytes = Sum::constant(touch.bytes);
    let mut left: Vec<(Atom, Sum)> = Vec::new();
    for (product, factor) in touch.address.terms() {
        let Some((stride, atom)) = product.without_one(|atom| is_counter(&atom)) else { continue };
        let Some(factor) = factor.checked_abs() else { return false };
        if stride.iter().any(is_counter) || left.iter().any(|(other, _)| *other == atom) {
            return false;
        }
        left.push((atom, Sum::term(stride, factor)));
    }
    while !left.is_empty() {
        let Some(next) = left.iter().position(|(_, stride)| *stride == bytes) else { return false };
        let (atom, _) = left.remove(next);
        let Some(all) = trip(atom).and_then(|trip| bytes.times(trip)) else { return false };
        bytes = all;
    }
    true
}

/// The loop whose counter an atom is.
pub fn loop_of(atoms: &Atoms, atom: Atom) -> Option<Loop> {
    match atoms.data(atom).kind {
        Kind::Counter(loop_) => Some(loop_),
        _ => None,
    }
}
