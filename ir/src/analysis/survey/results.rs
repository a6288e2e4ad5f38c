//! What a loop leaves: how often it runs, the values behind it, and what becomes of scalars in it.

use super::super::facts::{Fact, excludes};
use super::super::liveness::reads;
use super::super::scalars::{Role, accumulates, role};
use super::super::sums::{Kind, Sum, range};
use super::{Header, LoopFacts, State, Walk};
use crate::entities::{Local, Loop};
use crate::op::{BinaryOp, CmpOp};
use rustc_hash::FxHashSet;

/// Of more locals it is not asked which of them follow from which.
const MOST_FOLLOWED: usize = 32;

impl Walk<'_> {
    /// What the number changes by in each iteration that the header compares, if the other one stays; and the
    /// number of iterations as a sum, for a loop that runs at least once.
    pub(super) fn steps(&self, loop_: Loop, facts: &LoopFacts) -> (Option<i64>, Option<Sum>) {
        let Some(Header { cmp, a, b, .. }) = self.headers.get(&loop_) else { return (None, None) };
        let counter = self.survey.atoms.known(&Kind::Counter(loop_));
        let Some((step, first)) = counter.and_then(|counter| a.linear_in(counter)) else {
            return (None, None);
        };
        let is_one = !self.varies(b, loop_) && !self.varies(&first, loop_);
        let Some(step) = step.as_constant().filter(|_| is_one) else { return (None, None) };
        // `i - 1 < n` of unsigned numbers does not hold for zero.
        let is_induction =
            |(_, change, start): &(Local, Sum, Sum)| change.as_constant() == Some(step) && *start == first;
        let is_natural = !matches!(cmp, CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe)
            || first.as_constant().is_some_and(|first| first >= 0)
            || facts.inductions.iter().any(is_induction);
        let way = match (cmp, step) {
            _ if !is_natural => None,
            (CmpOp::Lt | CmpOp::ULt | CmpOp::Ne, 1) => b.plus(-1, &first),
            (CmpOp::Le | CmpOp::ULe, 1) => b.plus(-1, &first).and_then(|way| way.plus(1, &Sum::constant(1))),
            (CmpOp::Gt | CmpOp::UGt | CmpOp::Ne, -1) => first.plus(-1, b),
            (CmpOp::Ge | CmpOp::UGe, -1) => first.plus(-1, b).and_then(|way| way.plus(1, &Sum::constant(1))),
            _ => None,
        };
        (Some(step), way)
    }

    /// The state behind a loop.
    pub(super) fn behind(
        &mut self,
        loop_: Loop,
        mut state: State,
        facts: &LoopFacts,
        own: &[(Local, Sum)],
        end: Option<&State>,
    ) -> State {
        let parent = self.body.loops[loop_].parent;
        let parent = parent.filter(|&parent| self.body.loop_is_within(Some(parent), self.survey.outermost));
        let trips = self.trips(loop_, &state, facts);
        let entering = match trips.is_none() || !own.is_empty() {
            true => self.entering(loop_, &state),
            false => Vec::new(),
        };
        let all = |entering: &[(Option<Local>, Sum)]| entering.iter().map(|(_, sum)| sum.clone()).collect();
        let sources = self.sources(loop_, own, end);
        for (local, change, first) in &facts.inductions {
            let last = trips.as_ref().and_then(|trips| first.plus(1, &change.times(trips)?));
            let last = last.unwrap_or_else(|| self.fresh(all(&entering), *local, parent));
            state.values.set(*local, last);
        }
        for (n, (local, start)) in own.iter().enumerate() {
            // What the last value of a local follows from.
            let follows = |other: Option<Local>| {
                let other = own.iter().position(|(local, _)| Some(*local) == other);
                other.is_none_or(|other| sources.as_ref().is_none_or(|sources| sources[n][other]))
            };
            let mut inputs = entering.clone();
            inputs.retain(|(other, _)| follows(*other));
            let made = end.and_then(|end| end.values.get(*local));
            let accumulated =
                made.and_then(|made| accumulates(&self.survey.atoms, made, start.as_atom()?)).flatten();
            let value = if let Some(step) = accumulated {
                let before = self.value_before(&state, *local);
                let range = range(self.body.locals[*local].ty, true);
                inputs.retain(|(other, _)| other != &Some(*local));
                let terms = self.survey.atoms.opaque(all(&inputs), parent, range);
                let kind = Kind::Accumulated { step, before, terms };
                Sum::atom(self.survey.atoms.intern(kind, parent, range))
            } else {
                self.fresh(all(&inputs), *local, parent)
            };
            state.values.set(*local, value);
        }
        state
    }

    /// From the first values of which locals the last one of each follows, by all iterations together. A loop
    /// that is left from its middle is not looked into.
    fn sources(&mut self, loop_: Loop, own: &[(Local, Sum)], end: Option<&State>) -> Option<Vec<Vec<bool>>> {
        let (end, header) = (end?, self.headers.get(&loop_)?.cond);
        if own.len() > MOST_FOLLOWED || !self.form(loop_).exits.is_empty() {
            return None;
        }
        let mut sources = vec![vec![false; own.len()]; own.len()];
        for (from, (_, start)) in own.iter().enumerate() {
            let dependent = self.survey.atoms.dependent(start.as_atom()?);
            // How often the loop runs is part of all that it leaves.
            let is_of_all = dependent.contains(header);
            for (n, (local, _)) in own.iter().enumerate() {
                let follows = end.values.get(*local)?.atoms().any(|atom| dependent.contains(atom));
                sources[n][from] = n == from || is_of_all || follows;
            }
        }
        for through in 0..own.len() {
            let further = sources[through].clone();
            for list in sources.iter_mut().filter(|list| list[through]) {
                list.iter_mut().zip(&further).for_each(|(follows, more)| *follows |= more);
            }
        }
        Some(sources)
    }

    /// How often a loop runs, as a sum that holds whether it runs or not.
    fn trips(&mut self, loop_: Loop, before: &State, facts: &LoopFacts) -> Option<Sum> {
        let trip = facts.trip.as_ref()?;
        if !self.form(loop_).exits.is_empty() {
            return None;
        }
        let none = Fact::AtLeastZero(Sum::constant(-1).plus(-1, trip)?);
        if trip.as_constant().is_some_and(|trip| trip >= 0)
            || excludes(&self.survey.atoms, &before.facts, &none)
        {
            return Some(trip.clone());
        }
        let varies = self.innermost(trip);
        let kind = Kind::Binary(BinaryOp::SMax, trip.clone(), Sum::default());
        Some(Sum::atom(self.survey.atoms.intern(kind, varies, (0, i64::MAX >> 1))))
    }

    /// The values that a loop starts with, of locals that it may read before it assigns them, and what
    /// decides whether it is executed.
    fn entering(&mut self, loop_: Loop, before: &State) -> Vec<(Option<Local>, Sum)> {
        let form = self.form(loop_);
        let mut sums: Vec<(Option<Local>, Sum)> =
            form.read.iter().map(|&local| (Some(local), self.value_before(before, local))).collect();
        sums.extend(before.control.iter().map(|control| (None, Sum::atom(control.cond))));
        sums
    }

    /// Says what becomes of the locals that are no inductions.
    pub(super) fn find_roles(
        &mut self,
        loop_: Loop,
        facts: &mut LoopFacts,
        own: &[(Local, Sum)],
        end: Option<&State>,
        first_touch: usize,
    ) {
        if own.is_empty() {
            return;
        }
        let data = &self.body.loops[loop_];
        // A local that the code behind the loop reads is live in the header without being read by an
        // iteration.
        let mut read_first: FxHashSet<Local> = FxHashSet::default();
        let mut written: FxHashSet<Local> = FxHashSet::default();
        for inst in &self.body.blocks[data.header].insts {
            reads(self.body, &inst.op, |local| {
                if !written.contains(&local) {
                    read_first.insert(local);
                }
            });
            inst.op.defs(|local| _ = written.insert(local));
        }
        let carried = |local: Local| {
            let arrives = !written.contains(&local) && self.whole.live.is_live_in(local, data.body);
            arrives || read_first.contains(&local)
        };
        let is_wanted = |local: Local| carried(local) || self.whole.live.is_live_in(local, data.exit);
        let kept: Vec<(Local, Sum)> = own
            .iter()
            .filter(|(local, _)| is_wanted(*local))
            .filter_map(|(local, _)| Some((*local, end?.values.get(*local)?.clone())))
            .collect();
        let header = self.headers.get(&loop_).map(|header| header.cond);
        for (local, start) in own {
            let role = if !carried(*local) {
                Role::Private
            } else if let (Some(start), Some(_)) = (start.as_atom(), end) {
                let inside = &self.survey.touches[first_touch..];
                role(&self.survey.atoms, (*local, start), &kept, inside, header)
            } else {
                Role::Carried
            };
            facts.scalars.push((*local, role));
        }
        facts.kept = kept;
    }
}
