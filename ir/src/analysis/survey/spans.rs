//! Whether a sum of unsigned numbers of 64 bits is that of unbounded integers.
//!
//! Such a number may wrap around: `p[i * ld]` is `p[0]` in each iteration that is executed, if `ld` is 2^59
//! and the others are left out. What keeps it from that is time. All iterations of a nest together are no
//! more than [`MOST_ITERATIONS`], so that `i * n + j` is no more than these where loops go around `n` times:
//! `j < n`.

use super::super::accumulation::nearer;
use super::super::facts::interval;
use super::super::sums::{Atom, Kind, Product, Sum, range};
use super::assumed::OF_64_BITS;
use super::{Header, State, Walk};
use crate::entities::Loop;
use crate::op::{BinaryOp, CmpOp, ConvertOp};
use crate::types::Type;

/// No program comes to more iterations: a GPU that executes a million millions in a second is at it for a
/// quarter of an hour.
const MOST_ITERATIONS: f64 = (1u64 << 50) as f64;
/// Numbers that are no greater than this have few bits.
const FEW: i64 = 1 << 33;
/// A length may be so much more than the number of iterations of a loop: borders of a stencil.
const MOST_BORDER: i64 = 16;
/// Numbers as large as this are taken apart by their factors.
const MOST: f64 = (1u64 << 60) as f64;

/// A loop around a place, all of whose iterations are executed in each iteration of those around it.
struct Full {
    loop_: Loop,
    /// How many there are.
    trip: Sum,
    is_used: bool,
}

impl Walk<'_> {
    /// Whether an unsigned number of 64 bits never wraps around where iterations differ. What is the same in
    /// all of them does so for all alike.
    pub(super) fn never_wraps(&self, state: &State, sum: &Sum) -> bool {
        let atoms = &self.survey.atoms;
        let moves = |product: &Product| product.iter().any(|&atom| atoms.data(atom).varies.is_some());
        let is_plain = |product: &Product, factor: i64| product.len() < 2 && factor.unsigned_abs() == 1;
        let mut full = None;
        sum.terms().filter(|&(product, factor)| moves(product) && !is_plain(product, factor)).all(
            |(product, factor)| {
                let full = full.get_or_insert_with(|| self.full_loops(state));
                full.iter_mut().for_each(|it| it.is_used = false);
                self.is_small(product, factor, full)
            },
        )
    }

    /// A bound of 64 bits, as a sum or, if its products may wrap around, as a number of its own.
    pub(super) fn exact(&mut self, state: &State, sum: Sum) -> Sum {
        let is_plain = |(product, factor): (&Product, i64)| {
            let is_counter = |atom: &Atom| matches!(self.survey.atoms.data(*atom).kind, Kind::Counter(_));
            product.is_empty() || product.len() == 1 && (factor.abs() == 1 || is_counter(&product[0]))
        };
        let is_sum = sum.terms().all(is_plain)
            || self.fits(state, &sum, OF_64_BITS)
            || self.assume(&state.facts, &sum, OF_64_BITS);
        if is_sum {
            return sum;
        }
        let varies = self.innermost(&sum);
        let kind = Kind::Converted(ConvertOp::Bits, Type::I64, sum);
        Sum::atom(self.survey.atoms.intern(kind, varies, range(Type::I64, true)))
    }

    /// The loops around a place that are always executed as a whole.
    fn full_loops(&self, state: &State) -> Vec<Full> {
        let headers = state.control.iter().rposition(|control| control.is_of_header());
        let is_certain =
            headers.is_none_or(|last| state.control[..last].iter().all(|control| control.is_of_header()));
        let around = self.body.loops_around(self.body.blocks[self.at.0].loop_);
        let full = |loop_: Loop| {
            let Header { cmp, a, b, .. } = self.headers.get(&loop_)?;
            let (step, first) = a.linear_in(self.survey.atoms.known(&Kind::Counter(loop_))?)?;
            let form = self.forms.get(&loop_)?;
            let is_left = !form.exits.is_empty() || self.whole.nest.ends_within(self.body, loop_);
            let trip = match (nearer(*cmp), step.as_constant()?) {
                (Some(BinaryOp::SMin | BinaryOp::UMin), 1) => b.plus(-1, &first)?,
                (Some(BinaryOp::SMax | BinaryOp::UMax), -1) => first.plus(-1, b)?,
                _ if *cmp == CmpOp::Ne && step.as_constant() == Some(1) => b.plus(-1, &first)?,
                _ => return None,
            };
            let is_fixed = trip.atoms().all(|atom| self.survey.atoms.data(atom).varies.is_none());
            (is_fixed && !is_left && self.runs_where_it_holds(loop_)).then_some(Full {
                loop_,
                trip,
                is_used: false,
            })
        };
        let inside = around.take_while(|&loop_| self.body.loop_is_within(Some(loop_), self.survey.outermost));
        if is_certain { inside.filter_map(full).collect() } else { Vec::new() }
    }

    /// Whether a product with a constant before it is far from the greatest number of 64 bits.
    fn is_small(&self, product: &Product, factor: i64, full: &mut [Full]) -> bool {
        let atoms = &self.survey.atoms;
        let mut size = factor.unsigned_abs() as f64;
        let mut is_by_time = false;
        let mut counted: Vec<Loop> = Vec::new();
        for &atom in product.iter() {
            let data = atoms.data(atom);
            let (low, high) = data.range;
            if low >= -FEW && high <= FEW {
                size *= low.unsigned_abs().max(high.unsigned_abs()) as f64;
                continue;
            }
            if let Kind::Counter(loop_) = data.kind {
                if let Some(most) = self.few_iterations(loop_, atom) {
                    size *= most as f64;
                    continue;
                }
                if counted.contains(&loop_) {
                    return false;
                }
                counted.push(loop_);
                full.iter_mut().filter(|it| it.loop_ == loop_).for_each(|it| it.is_used = true);
                is_by_time = true;
                continue;
            }
            let border = |it: &Full| it.trip.distance_from(&Sum::atom(atom)).map(i64::abs);
            let mut length = full.iter_mut().filter(|it| !it.is_used && border(it) <= Some(MOST_BORDER));
            let Some(found) = length.find(|it| border(it).is_some()) else { return false };
            found.is_used = true;
            size *= (1 + border(found).unwrap_or(0)) as f64;
            is_by_time = true;
        }
        // One counter of each loop, and loops within each other, whose iterations are those of all together.
        if counted.len() > 1 && !counted.iter().all(|&loop_| full.iter().any(|it| it.loop_ == loop_)) {
            return false;
        }
        for it in full.iter().filter(|it| is_by_time && !it.is_used) {
            if let Some(trip @ 2..) = it.trip.as_constant() {
                size /= trip as f64;
            }
        }
        size * if is_by_time { MOST_ITERATIONS } else { 1.0 } <= MOST * if is_by_time { 4.0 } else { 1.0 }
    }

    /// The iterations of a loop whose bounds are numbers of few bits.
    fn few_iterations(&self, loop_: Loop, counter: Atom) -> Option<i64> {
        let Header { cmp, a, b, .. } = self.headers.get(&loop_)?;
        let (step, first) = a.linear_in(counter)?;
        let comes_to_its_end = matches!(
            (nearer(*cmp), step.as_constant()?),
            (Some(BinaryOp::SMin | BinaryOp::UMin), 1..) | (Some(BinaryOp::SMax | BinaryOp::UMax), ..0)
        );
        if !comes_to_its_end || !self.runs_where_it_holds(loop_) {
            return None;
        }
        let (low, high) = interval(&self.survey.atoms, &b.plus(-1, &first)?)?;
        let most = low.checked_abs()?.max(high.checked_abs()?) / step.as_constant()?.checked_abs()?.max(1);
        (most <= FEW).then_some(most.max(1))
    }
}
