//! Recognises what the iterations of a loop accumulate.

use super::{Accumulator, Kind, Lanes, Order, Planner, as_number, widened};
use crate::acc::ReductionClause;
use crate::analysis::accumulation::{Choice, operator};
use crate::analysis::iteration::Value;
use crate::entities::Local;
use crate::op::{BinaryOp, Op};
use crate::types::Type;

/// A chain from the entry value to the result that adds constants, depending on conditions.
#[derive(Debug, Default)]
pub(super) struct Count {
    /// Values that were looked at.
    seen: Vec<Value>,
    /// No iteration adds more than this.
    pub(super) limit: i64,
    /// The conditions under which the chain adds.
    pub(super) conditions: Vec<Value>,
    /// What it adds besides: numbers with few bits, widened.
    pub(super) items: Vec<Value>,
}

impl Planner<'_> {
    /// How the iterations accumulate into a local, if they do so in a way that allows for partial results.
    pub(super) fn accumulator(
        &self,
        local: Local,
        entry: Value,
        result: Value,
        clause: Option<&ReductionClause>,
    ) -> Option<Accumulator> {
        let ty = self.body.locals[local].ty;
        let depends = self.iteration.dependents(entry);
        let kind = self.extreme(entry, result, &depends, clause).or_else(|| {
            let op = self.fold_op(result, entry, &depends)?;
            let free = ty.is_int() && matches!(ty, Type::I32 | Type::I64);
            let allowed = matches!(ty, Type::F32 | Type::F64 | Type::C32 | Type::C64)
                && matches!(op, BinaryOp::Add | BinaryOp::Mul)
                && (clause.is_some() || self.order == Order::Any);
            (free || allowed).then_some(Kind::Fold(op))
        })?;
        let kind = match (kind, self.iteration.op(result)) {
            (Kind::Fold(BinaryOp::Mul), Some((Op::Binary { .. }, args))) if !ty.is_int() => {
                // A chain of several products is folded as it is.
                let item = match (args[0] == entry, args[1] == entry) {
                    (true, _) => Some(args[1]),
                    (_, true) => Some(args[0]),
                    (false, false) => None,
                };
                match item.filter(|item| !depends[item.0 as usize]) {
                    Some(item) => Kind::Product { item },
                    None => kind,
                }
            }
            _ => kind,
        };
        // Nothing else may see the value before it is complete.
        let mut spine = vec![false; depends.len()];
        match kind {
            Kind::Fold(op) => self.spine(result, entry, op, &depends, &mut spine)?,
            Kind::Product { .. } | Kind::Count { .. } | Kind::Extreme { .. } => {
                for (n, on) in spine.iter_mut().enumerate() {
                    *on = depends[n];
                }
            }
        }
        let is_free = |n: usize| !depends[n] || spine[n];
        let others = self
            .iteration
            .results
            .iter()
            .all(|&(other, value)| other == local || !depends[value.0 as usize] || self.dead(other));
        let stored = self
            .iteration
            .stores
            .iter()
            .any(|store| depends[store.base.0 as usize] || depends[store.value.0 as usize]);
        let fits = (0..depends.len()).all(is_free) && others && !stored;
        let condition = depends[self.iteration.condition.0 as usize];
        (fits && !condition).then_some(Accumulator { local, entry, result, kind })
    }

    /// Whether a local is only a name for a value on its way to another local.
    fn dead(&self, local: Local) -> bool {
        self.mentions.only_in(self.body, local, self.loop_)
            && self.iteration.entries().all(|(_, entry)| entry != local)
    }

    /// The operation that a chain from the entry value to the result consists of.
    fn fold_op(&self, value: Value, entry: Value, depends: &[bool]) -> Option<BinaryOp> {
        let (op, args) = self.iteration.op(value)?;
        match *op {
            Op::Binary { op: BinaryOp::Sub, .. } => depends[args[0].0 as usize].then_some(BinaryOp::Add),
            // Numbers that may be NaN are compared otherwise.
            Op::Binary { op: BinaryOp::FMin | BinaryOp::FMax, .. } => None,
            Op::Binary { op, .. } => operator(op).map(|_| op),
            Op::Fma { .. } => depends[args[2].0 as usize].then_some(BinaryOp::Add),
            Op::Select { .. } => {
                if let Some((op, _)) = self.selected_extreme(value, entry) {
                    return self.iteration.ty(value).is_int().then_some(op);
                }
                let way = if args[1] == entry { args[2] } else { args[1] };
                if way == entry { None } else { self.fold_op(way, entry, depends) }
            }
            _ => None,
        }
    }

    /// Marks the chain from `value` back to the entry; fails if another operation than `op` is in the chain.
    fn spine(
        &self,
        value: Value,
        entry: Value,
        want: BinaryOp,
        depends: &[bool],
        spine: &mut [bool],
    ) -> Option<()> {
        if std::mem::replace(&mut spine[value.0 as usize], true) || value == entry {
            return Some(());
        }
        let (op, args) = self.iteration.op(value)?;
        let on = |n: usize| depends[args[n].0 as usize];
        match *op {
            Op::Binary { op: BinaryOp::Sub, .. } if want == BinaryOp::Add && on(0) && !on(1) => {
                self.spine(args[0], entry, want, depends, spine)
            }
            Op::Binary { op, .. } if op == want && on(0) != on(1) => {
                self.spine(args[usize::from(on(1))], entry, want, depends, spine)
            }
            Op::Fma { .. } if want == BinaryOp::Add && !on(0) && !on(1) => {
                self.spine(args[2], entry, want, depends, spine)
            }
            Op::Select { .. } => {
                if let Some((op, _)) = self.selected_extreme(value, entry)
                    && op == want
                {
                    spine[args[0].0 as usize] = true;
                    spine[entry.0 as usize] = true;
                    return Some(());
                }
                if on(0) || !on(1) || !on(2) {
                    return None;
                }
                self.spine(args[1], entry, want, depends, spine)?;
                self.spine(args[2], entry, want, depends, spine)
            }
            _ => None,
        }
    }

    /// `item cmp entry ? item : entry` on integers, in any order of operands: the operation, and the item.
    fn selected_extreme(&self, value: Value, entry: Value) -> Option<(BinaryOp, Value)> {
        let (Op::Select { .. }, args) = self.iteration.op(value)? else { return None };
        let (&Op::Compare { op: cmp, .. }, sides) = self.iteration.op(args[0])? else { return None };
        let item = if args[1] == entry { args[2] } else { args[1] };
        let picks_item = args[1] == item;
        let new_is_first =
            match (sides[0] == item && sides[1] == entry, sides[0] == entry && sides[1] == item) {
                (true, false) => true,
                (false, true) => false,
                _ => return None,
            };
        let op = Choice { cmp, new_is_first, new_if_true: picks_item }.extremum()?;
        (item != entry).then_some((op, item))
    }

    /// The larger or smaller of floating-point numbers.
    fn extreme(
        &self,
        entry: Value,
        result: Value,
        depends: &[bool],
        clause: Option<&ReductionClause>,
    ) -> Option<Kind> {
        if !matches!(self.iteration.ty(result), Type::F32 | Type::F64) {
            return None;
        }
        let (op, args) = self.iteration.op(result)?;
        let asked = |op| clause.is_some_and(|clause| operator(op).is_some_and(|own| own == clause.op));
        let (max, item, by_number) = match *op {
            Op::Binary { op: op @ (BinaryOp::FMin | BinaryOp::FMax), .. } => {
                let item = if args[0] == entry { args[1] } else { args[0] };
                if args[0] != entry && args[1] != entry {
                    return None;
                }
                (op == BinaryOp::FMax, item, true)
            }
            Op::Select { .. } => {
                let (op, item) = self.selected_extreme(result, entry)?;
                // The item must be what a comparison has to speak for, or else NaN would be picked, too.
                let keeps = args[1] == item;
                if !keeps && !asked(op) {
                    return None;
                }
                (op == BinaryOp::SMax, item, false)
            }
            _ => return None,
        };
        // Only the selection and its comparison may depend on the old value.
        let count = depends.iter().filter(|depends| **depends).count();
        let expected = if by_number { 2 } else { 3 };
        let any_zero = asked(if max { BinaryOp::SMax } else { BinaryOp::SMin });
        let kind = Kind::Extreme { max, item, by_number, any_zero };
        (!depends[item.0 as usize] && count == expected).then_some(kind)
    }

    /// The sum of constants that an accumulator is, if its conditions are about values of another width.
    pub(super) fn count_of_other_width(
        &self,
        accumulator: &Accumulator,
        op: BinaryOp,
        lanes: &Lanes,
    ) -> Option<Count> {
        let ty = self.body.locals[accumulator.local].ty;
        if op != BinaryOp::Add || !matches!(ty, Type::I32 | Type::I64) {
            return None;
        }
        let mut count = Count::default();
        self.count(accumulator.result, accumulator.entry, &mut count, lanes)?;
        if !count.items.is_empty() {
            return Some(count);
        }
        let (_, compared) = self.iteration.op(*count.conditions.first()?)?;
        (self.iteration.ty(compared[0]).bytes() != ty.bytes()).then_some(count)
    }

    fn count(&self, value: Value, entry: Value, count: &mut Count, lanes: &Lanes) -> Option<()> {
        if value == entry || count.seen.contains(&value) {
            return Some(());
        }
        count.seen.push(value);
        let (op, args) = self.iteration.op(value)?;
        match *op {
            Op::Select { .. } => {
                if !count.conditions.contains(&args[0]) {
                    count.conditions.push(args[0]);
                }
                self.count(args[1], entry, count, lanes)?;
                self.count(args[2], entry, count, lanes)
            }
            Op::Binary { op: BinaryOp::Add, .. }
                if let Some(condition) = as_number(self.iteration, args[1]) =>
            {
                count.conditions.push(condition);
                count.limit += 1;
                self.count(args[0], entry, count, lanes)
            }
            Op::Binary { op: BinaryOp::Add, .. }
                if let Some((item, _)) = widened(self.iteration, args[1]) =>
            {
                let (low, high) = lanes.range(args[1]);
                let most = low.unsigned_abs().max(high.unsigned_abs());
                count.limit += i64::try_from(most).ok().filter(|most| *most < 1 << 12)?;
                count.items.push(item);
                self.count(args[0], entry, count, lanes)
            }
            Op::Binary { op: BinaryOp::Add, .. } => {
                let constant = self.iteration.constant(args[1]).filter(|c| c.unsigned_abs() < 1 << 16)?;
                count.limit += constant.abs();
                self.count(args[0], entry, count, lanes)
            }
            _ => None,
        }
    }
}
