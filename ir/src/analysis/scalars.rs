//! What becomes of a scalar from one iteration of a loop to the next.
//!
//! A local whose value at the end of an iteration is its value at the beginning, combined with terms that do
//! not depend on it, by one operator all along, is a reduction, whatever the form: a sum of several
//! statements, under conditions, in inner loops, a maximum by `if`. The condition is that nothing else
//! depends on the value in between.

use super::accumulation::{Choice, Step, takes_either};
use super::facts::interval;
use super::sums::{Atom, Atoms, Kind, Product, Sum, range};
use super::survey::Touch;
use crate::acc::ReductionOp;
use crate::entities::Local;
use crate::op::{BinaryOp, CmpOp, ConvertOp, UnaryOp};
use crate::types::Type;
use cranelift_entity::EntitySet;

/// The part of a scalar in the iterations of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Each iteration assigns it before it reads it.
    Private,
    /// Iterations accumulate in it.
    Reduction {
        /// The operator.
        op: ReductionOp,
        /// Of integers with a sign, as far as a minimum or maximum shows.
        signed: bool,
    },
    /// Iterations accumulate in it, and each stores what it has come to: `s += x[i]; p[i] = s`.
    Scan {
        /// The operator.
        op: ReductionOp,
        /// Of integers with a sign, as of a reduction.
        signed: bool,
    },
    /// An iteration uses the value that an earlier one left.
    Carried,
}

/// The role of a local that iterations read before they assign it: `start` is its value at the beginning of
/// one, `kept` has the locals whose values later code reads, with those at the end.
pub(super) fn role(
    atoms: &Atoms,
    (local, start): (Local, Atom),
    kept: &[(Local, Sum)],
    touches: &[Touch],
    header: Option<Atom>,
) -> Role {
    let Some((_, made)) = kept.iter().find(|(other, _)| *other == local) else { return Role::Carried };
    let dependent = atoms.dependent(start);
    let search = Search { atoms, start, dependent: &dependent };
    let Some(Some(Step { op, is_unsigned })) = search.operator(made) else { return Role::Carried };
    let depends = |sum: &Sum| sum.atoms().any(|atom| dependent.contains(atom));
    let elsewhere = kept.iter().any(|(other, sum)| *other != local && depends(sum))
        || header.is_some_and(|cond| dependent.contains(cond))
        || touches.iter().filter(|touch| touch.writes).any(|touch| {
            depends(&touch.address) || touch.control.iter().any(|control| dependent.contains(control.cond))
        });
    // A reading matters by the value that it gives.
    let stored = touches.iter().any(|touch| touch.writes && touch.value.as_ref().is_some_and(depends));
    match (elsewhere, stored) {
        (false, false) => Role::Reduction { op, signed: !is_unsigned },
        (false, true) => Role::Scan { op, signed: !is_unsigned },
        (true, _) => Role::Carried,
    }
}

/// How a value accumulates on what it started as; `Some(None)` if it is that, and `None` if it is
/// something else.
pub(super) fn accumulates(atoms: &Atoms, value: &Sum, start: Atom) -> Option<Option<Step>> {
    let dependent = atoms.dependent(start);
    (Search { atoms, start, dependent: &dependent }).operator(value)
}

struct Search<'a> {
    atoms: &'a Atoms,
    start: Atom,
    dependent: &'a EntitySet<Atom>,
}

impl Search<'_> {
    fn depends(&self, sum: &Sum) -> bool {
        sum.atoms().any(|atom| self.dependent.contains(atom))
    }

    fn operator(&self, value: &Sum) -> Option<Option<Step>> {
        let depends = |product: &Product| product.iter().any(|&atom| self.dependent.contains(atom));
        let (own, others): (Vec<_>, Vec<_>) = value.terms().partition(|(product, _)| depends(product));
        // Several terms have one atom in common: `s * (2 * i + 1)`.
        let mut parts =
            own.iter().flat_map(|(product, _)| product.iter().filter(|&&atom| self.dependent.contains(atom)));
        let part = *parts.next()?;
        if !parts.all(|&other| other == part) || own.iter().any(|(product, _)| is_power(product, part)) {
            return None;
        }
        let inner = if part == self.start { None } else { self.of_atom(part)? };
        let is_plain = matches!(own[..], [(product, 1)] if product.len() == 1);
        let outer = match (is_plain, others.is_empty()) {
            (true, true) => return Some(inner),
            (true, false) => ReductionOp::Add,
            (false, true) => ReductionOp::Mul,
            (false, false) => return None,
        };
        together(inner, Some(Step::plain(outer)))
    }

    fn of_atom(&self, atom: Atom) -> Option<Option<Step>> {
        match &self.atoms.data(atom).kind {
            Kind::Binary(op, a, b) => {
                let outer = Step::of(*op)?;
                let inner = match (self.depends(a), self.depends(b)) {
                    (true, false) => self.operator(a)?,
                    (false, true) if takes_either(*op) => self.operator(b)?,
                    _ => return None,
                };
                together(inner, Some(outer))
            }
            Kind::Accumulated { step, before, terms } if !self.dependent.contains(*terms) => {
                together(self.operator(before)?, Some(*step))
            }
            Kind::Converted(op, to, inner) => self.of_conversion(*op, *to, inner),
            Kind::Choice { cond, then, otherwise } if self.dependent.contains(*cond) => {
                self.by_comparison(*cond, then, otherwise)
            }
            Kind::Choice { then, otherwise, .. } => together(self.operator(then)?, self.operator(otherwise)?),
            _ => None,
        }
    }

    /// Narrow integers and `float` are wide while they are computed with.
    fn of_conversion(&self, op: ConvertOp, to: Type, inner: &Sum) -> Option<Option<Step>> {
        match op {
            ConvertOp::FToF | ConvertOp::CToC => self.operator(inner),
            // The low bits of a sum or product are those of the sum of low bits; the greatest number may have
            // any, and another sign. `s = (short)(s + e)` loses bits of a wider `s`.
            ConvertOp::Trunc | ConvertOp::Bits
                if to.int_bits().is_some() && self.is_within(&Sum::atom(self.start), range(to, true)) =>
            {
                let found = self.operator(inner)?;
                let Some(Step { op: extremum @ (ReductionOp::Max | ReductionOp::Min), is_unsigned }) = found
                else {
                    return Some(found);
                };
                let is_within = |range: (i64, i64)| self.is_within(inner, range);
                if op == ConvertOp::Bits {
                    // Of integers without a sign, and of those that have none.
                    return (is_unsigned || is_within((0, range(to, true).1))).then_some(found);
                }
                // What is between zero and the greatest unsigned number is in the order of these.
                let as_unsigned = Step { op: extremum, is_unsigned: true };
                let keeps_order = is_within(range(to, true)).then_some(found);
                keeps_order.or_else(|| is_within(range(to, false)).then_some(Some(as_unsigned)))
            }
            // Otherwise what is above the bits is lost in each iteration: `s = (unsigned char)(s + e)`.
            ConvertOp::ZExt => {
                let found = self.operator(inner)?;
                let keeps = match found {
                    Some(Step { op: ReductionOp::LogAnd | ReductionOp::LogOr, .. }) => true,
                    Some(Step { op: ReductionOp::Max | ReductionOp::Min, is_unsigned }) => is_unsigned,
                    _ => inner.as_atom() == Some(self.start),
                };
                // Wide numbers that were unsigned narrow ones are in the order of signed ones.
                let wide = |step: Step| Step { is_unsigned: false, ..step };
                keeps.then(|| found.map(wide))
            }
            _ => None,
        }
    }

    /// Whether a value, or both that it is chosen from, are in a range.
    fn is_within(&self, sum: &Sum, (low, high): (i64, i64)) -> bool {
        if interval(self.atoms, sum).is_some_and(|(least, most)| low <= least && most <= high) {
            return true;
        }
        match sum.as_atom().map(|atom| &self.atoms.data(atom).kind) {
            Some(Kind::Choice { then, otherwise, .. }) => {
                self.is_within(then, (low, high)) && self.is_within(otherwise, (low, high))
            }
            // Natural numbers are the same with a sign and without.
            Some(Kind::Converted(ConvertOp::Bits, ty, inner)) if ty.int_bits().is_some() => {
                self.is_within(inner, (low.max(0), high.min(range(*ty, true).1)))
            }
            _ => false,
        }
    }

    /// A choice by a comparison with the value itself.
    fn by_comparison(&self, cond: Atom, then: &Sum, otherwise: &Sum) -> Option<Option<Step>> {
        let Kind::Compare(cmp, _, a, b) = &self.atoms.data(cond).kind else { return None };
        // `v && e`, `v || e`.
        if *cmp == CmpOp::Ne && b.as_constant() == Some(0) && a.as_atom() == Some(self.start) {
            return match (then.as_constant(), otherwise.as_constant()) {
                (None, Some(0)) if !self.depends(then) && self.is_truth(then) => {
                    Some(Some(Step::plain(ReductionOp::LogAnd)))
                }
                (Some(1), None) if !self.depends(otherwise) && self.is_truth(otherwise) => {
                    Some(Some(Step::plain(ReductionOp::LogOr)))
                }
                _ => None,
            };
        }
        // `e > v ? e : v`; `v` may be a maximum already.
        let (cmp, a, b) = self.without_widening(*cmp, (a, b), (then, otherwise)).unwrap_or((*cmp, a, b));
        let (old, new, new_is_first) = match (self.depends(a), self.depends(b)) {
            (true, false) => (a, b, false),
            (false, true) => (b, a, true),
            _ => return None,
        };
        let new_if_true = match (then == new && otherwise == old, then == old && otherwise == new) {
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        let extremum = Choice { cmp, new_is_first, new_if_true }.extremum()?;
        together(self.operator(old)?, Step::of(extremum))
    }

    /// The comparison of two unsigned numbers themselves, where the one of what they are with more bits
    /// decides between them: `unsigned char` are compared as `int`.
    fn without_widening<'s>(
        &'s self,
        cmp: CmpOp,
        (a, b): (&Sum, &Sum),
        (then, otherwise): (&Sum, &Sum),
    ) -> Option<(CmpOp, &'s Sum, &'s Sum)> {
        let narrow = |sum: &Sum| match &self.atoms.data(sum.as_atom()?).kind {
            Kind::Converted(ConvertOp::ZExt, ty, narrow) => Some((*ty, narrow)),
            _ => None,
        };
        let ((wide, x), (other, y)) = (narrow(a)?, narrow(b)?);
        let decides = (then, otherwise) == (x, y) || (then, otherwise) == (y, x);
        let cmp = match cmp {
            CmpOp::Lt => CmpOp::ULt,
            CmpOp::Le => CmpOp::ULe,
            CmpOp::Gt => CmpOp::UGt,
            CmpOp::Ge => CmpOp::UGe,
            _ => return None,
        };
        (wide == other && decides).then_some((cmp, x, y))
    }

    /// Whether a value is 0 or 1.
    fn is_truth(&self, sum: &Sum) -> bool {
        if let Some(value) = sum.as_constant() {
            return value == 0 || value == 1;
        }
        let Some(atom) = sum.as_atom() else { return false };
        match &self.atoms.data(atom).kind {
            Kind::Compare(..) => true,
            Kind::Converted(ConvertOp::ZExt, _, inner) => self.is_truth(inner),
            Kind::Choice { then, otherwise, .. } => self.is_truth(then) && self.is_truth(otherwise),
            Kind::Unary(UnaryOp::Not, inner) => self.is_truth(inner),
            Kind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) => {
                self.is_truth(a) && self.is_truth(b)
            }
            _ => false,
        }
    }
}

/// Whether a product has a power of an atom.
fn is_power(product: &Product, part: Atom) -> bool {
    product.iter().filter(|&&atom| atom == part).count() > 1
}

/// What two steps are together, one of which may be none at all.
fn together(a: Option<Step>, b: Option<Step>) -> Option<Option<Step>> {
    match (a, b) {
        (Some(a), Some(b)) if a != b => None,
        (a, b) => Some(a.or(b)),
    }
}
