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
    /// Places in [`Survey::touches`](crate::analysis::survey::Survey), in order of execution, each with the
    /// pointer in its address.
    pub touches: Vec<(usize, Atom)>,
    /// All of these are the variable's value before the construct, and not that of one of several which
    /// change places.
    pub is_alone: bool,
}

impl Pointer {
    /// Of a variable; `None` if the construct accesses nothing through it.
    pub fn of(view: &View<'_>, var: Operand) -> Result<Option<Pointer>, (Lost, Pos)> {
        let derived = derived(view, var);
        let is_derived = |operand: Operand| operand.as_local().is_some_and(|local| derived.contains(local));
        if let Some(pos) = view.cycle() {
            return Err((Lost::Cycle, pos));
        }
        let mut rotation = None;
        let mut is_alone = true;
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
                let touch = &view.survey.touches[n];
                if let Some(root) = touch.root.filter(|&atom| is_value_of(view, atom, var)) {
                    touches.push((n, root));
                    continue;
                }
                let rotation = rotation.get_or_insert_with(|| Rotation::of(view, var));
                let Some(rotation) = rotation else { return lost(Lost::Mixed) };
                match (touch.root, addr.and_then(|addr| addr.base.as_local())) {
                    (Some(root), _) if rotation.others.iter().any(|&it| is_value_of(view, root, it)) => {}
                    (None, Some(base)) if rotation.leads_to(view, base) => {
                        let Some(pointer) = changing(&view.survey.atoms, &touch.address) else {
                            return lost(Lost::Mixed);
                        };
                        if rotation.has_value {
                            touches.push((n, pointer));
                            is_alone = false;
                        }
                    }
                    _ => return lost(Lost::Mixed),
                }
            }
        }
        touches.sort_unstable();
        Ok((!touches.is_empty()).then_some(Pointer { touches, is_alone }))
    }

    /// The accesses, with the distance from the pointer in the place of the address.
    pub fn distances(&self, view: &View<'_>) -> Option<Vec<Touch>> {
        let touches = self.touches.iter().map(|&(n, pointer)| (&view.survey.touches[n], Sum::atom(pointer)));
        touches
            .map(|(touch, root)| Some(Touch { address: touch.address.plus(-1, &root)?, ..touch.clone() }))
            .collect()
    }
}

/// Pointer variables that only get each other's values in a construct: `tmp = a; a = b; b = tmp;`.
struct Rotation {
    members: EntitySet<Local>,
    /// Those but the one that is asked about.
    others: Vec<Operand>,
    /// What the variable has before the construct is read there.
    has_value: bool,
}

impl Rotation {
    /// That of a variable; `None` if it, or one that gets its value, may lead elsewhere.
    fn of(view: &View<'_>, var: Operand) -> Option<Rotation> {
        let of_var = |local: Local| {
            Operand::Local(local) == var || view.variable(local).is_some_and(|place| place == var)
        };
        let own: Vec<Local> = view.body.locals.keys().filter(|&local| of_var(local)).collect();
        let is_pointer = |local: Local| view.body.locals[local].ty == Type::Ptr;
        let mut members: EntitySet<Local> = EntitySet::with_capacity(view.body.locals.len());
        members.extend(own.iter().copied());
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for inst in view.movers() {
                let Op::Copy { dst, src: Operand::Local(src) } = inst.op else { continue };
                if members.contains(dst) != members.contains(src) && is_pointer(dst) && is_pointer(src) {
                    changed = true;
                    members.extend([dst, src]);
                }
            }
        }
        let is_member = |operand: Operand| operand.as_local().is_some_and(|local| members.contains(local));
        let is_kept = |op: &Op| match op {
            Op::Copy { dst, src } => !members.contains(*dst) || is_member(*src),
            op => {
                let mut is_kept = true;
                op.defs(|local| is_kept &= !members.contains(local));
                is_kept
            }
        };
        if !view.movers().chain(view.users()).all(|inst| is_kept(&inst.op)) {
            return None;
        }
        let live = view.live_at_entry();
        let others = members.iter().filter(|local| !own.contains(local));
        let others = others.map(|local| view.variable(local).unwrap_or(Operand::Local(local))).collect();
        Some(Rotation { has_value: own.iter().any(|&local| live.contains(local)), others, members })
    }

    /// Whether a pointer is one of them, or computed from one of them only.
    fn leads_to(&self, view: &View<'_>, mut pointer: Local) -> bool {
        while !self.members.contains(pointer) {
            let mut made = view.movers().filter(|inst| inst.op.dst() == Some(pointer));
            let (Some(only), None) = (made.next(), made.next()) else { return false };
            pointer = match only.op {
                Op::Copy { src: Operand::Local(from), .. } => from,
                Op::Index { base: Operand::Local(from), .. } => from,
                _ => return false,
            };
        }
        true
    }
}

/// The pointer in an address whose value changes: what is no sum there, once.
fn changing(atoms: &Atoms, address: &Sum) -> Option<Atom> {
    let mut found = address.terms().filter_map(|(product, factor)| match product[..] {
        [atom] if factor == 1 => {
            matches!(atoms.data(atom).kind, Kind::Opaque(..) | Kind::Choice { .. }).then_some(atom)
        }
        _ => None,
    });
    found.next().filter(|_| found.next().is_none())
}

/// Locals whose values may be computed from a pointer's.
fn derived(view: &View<'_>, var: Operand) -> EntitySet<Local> {
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
fn is_value_of(view: &View<'_>, atom: Atom, var: Operand) -> bool {
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
pub fn covering(view: &View<'_>, distances: &[Touch]) -> Vec<usize> {
    let covers = |(n, touch): &(usize, &Touch)| {
        touch.writes
            && is_dense(view, touch)
            && view.is_in_every_iteration(view.place(touch.pos).0)
            && distances.iter().enumerate().all(|(m, read)| read.writes || is_after(view, read, m, touch, *n))
    };
    distances.iter().enumerate().filter(covers).map(|(n, _)| n).collect()
}

/// Whether what an access reads was written by another one that writes all elements, one in each iteration.
fn is_after(view: &View<'_>, read: &Touch, at: usize, write: &Touch, written_at: usize) -> bool {
    let nest = |touch: &Touch| view.nest_of(view.place(touch.pos).0);
    let same_iteration =
        || read.address == write.address && view.body.loop_is_within(Some(read.loop_), write.loop_);
    at > written_at && (nest(read) != nest(write) || same_iteration())
}

/// Whether the accesses of all iterations lie side by side: each loop has the bytes of all iterations of
/// the loop inside as its stride, and runs as often whatever the iterations of the others.
fn is_dense(view: &View<'_>, touch: &Touch) -> bool {
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
        // Remainders, quotients and choices leave elements out: `d[(i & 1) * 3]`.
        if product.iter().any(|atom| !is_counter(atom) && atoms.data(*atom).varies.is_some()) {
            return false;
        }
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
