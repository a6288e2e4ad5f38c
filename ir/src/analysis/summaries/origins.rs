//! What the pointers of a function point to, in terms of its parameters.
//!
//! A pointer that is copied, stepped, or chosen from two leads to what it was made of. Of others nothing is
//! known: of those that are loaded from memory, that calls return, or that are made of integers. Each
//! pointer is looked at for all of the function at once, whatever the order of its assignments.

use super::super::callees::Place;
use crate::entities::{Local, map_below};
use crate::function::Body;
use crate::op::{Op, Operand};
use crate::types::{PassBy, Signature, Type};
use cranelift_entity::SecondaryMap;

/// What a pointer may lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    /// The object; `None`: one in the frame of the function itself.
    pub place: Option<Place>,
    /// The least and the greatest distance in bytes from where the argument or the name points; `None`: any.
    pub distance: Option<(i64, i64)>,
}

/// The origins of the pointers of a body.
pub(super) struct Origins {
    of: SecondaryMap<Local, Vec<Origin>>,
}

/// Distances of a pointer that grow more often than this are not known: it steps in a loop.
const MOST_STEPS: u8 = 4;

impl Origins {
    /// Of a function.
    pub fn new(body: &Body, signature: &Signature) -> Origins {
        let mut origins = Origins { of: map_below(body.locals.len()) };
        for (n, &local) in body.params.iter().enumerate() {
            let is_copy = matches!(signature.params.get(n), Some(PassBy::Aggregate(_)));
            let place = (!is_copy).then_some(Place::Parameter(n));
            origins.of[local].push(Origin { place, distance: Some((0, 0)) });
        }
        let mut steps: SecondaryMap<Local, u8> = map_below(body.locals.len());
        loop {
            let mut changed = false;
            for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
                inst.op.defs(|dst| {
                    if body.locals[dst].ty == Type::Ptr && origins.add(dst, &inst.op, steps[dst]) {
                        steps[dst] += 1;
                        changed = true;
                    }
                });
            }
            if !changed {
                return origins;
            }
        }
    }

    /// What a pointer may lead to.
    pub fn of(&self, operand: Operand) -> Vec<Origin> {
        let known = self.known(operand);
        // Code that control does not reach has pointers that nothing sets.
        if known.is_empty() { vec![Origin::UNKNOWN] } else { known }
    }

    /// What is known so far.
    fn known(&self, operand: Operand) -> Vec<Origin> {
        let start = |place| vec![Origin { place, distance: Some((0, 0)) }];
        match operand {
            Operand::Local(local) => self.of[local].clone(),
            Operand::Slot(_) => start(None),
            Operand::Global(global) => start(Some(Place::Global(global))),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {
                vec![Origin::UNKNOWN]
            }
        }
    }

    /// Adds what an operation assigns to a pointer; whether that was not known.
    fn add(&mut self, dst: Local, op: &Op, steps: u8) -> bool {
        let made = match *op {
            Op::Copy { src, .. } => self.known(src),
            Op::Select { a, b, .. } => [self.known(a), self.known(b)].concat(),
            Op::Index { base, index, scale, offset, extent, .. } => {
                let way = match index.as_int() {
                    Some(index) => distance((index, index), scale, offset),
                    None => {
                        extent.and_then(|extent| distance((0, i64::from(extent.get()) - 1), scale, offset))
                    }
                };
                let stepped = |origin: Origin| Origin { distance: sum(origin.distance, way), ..origin };
                self.known(base).into_iter().map(stepped).collect()
            }
            Op::StackAlloc { .. } | Op::StackSave { .. } => vec![Origin { place: None, distance: None }],
            _ => vec![Origin::UNKNOWN],
        };
        let mut changed = false;
        for new in made {
            let known = &mut self.of[dst];
            let Some(old) = known.iter_mut().find(|old| old.place == new.place) else {
                known.push(new);
                changed = true;
                continue;
            };
            let grown = hull(old.distance, new.distance);
            if grown != old.distance {
                old.distance = grown.filter(|_| steps < MOST_STEPS);
                changed = true;
            }
        }
        changed
    }
}

impl Origin {
    const UNKNOWN: Origin = Origin { place: Some(Place::Elsewhere), distance: None };
}

/// The least and the greatest of `index * scale + offset`.
fn distance((low, high): (i64, i64), scale: i64, offset: i64) -> Option<(i64, i64)> {
    let at = |index: i64| index.checked_mul(scale)?.checked_add(offset);
    let (a, b) = (at(low)?, at(high)?);
    Some((a.min(b), a.max(b)))
}

/// The range that two ranges lie in.
pub(super) fn hull(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let ((a, b), (c, d)) = (a?, b?);
    Some((a.min(c), b.max(d)))
}

/// The range of the sums of numbers of two ranges.
pub(super) fn sum(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let ((a, b), (c, d)) = (a?, b?);
    Some((a.checked_add(c)?, b.checked_add(d)?))
}
