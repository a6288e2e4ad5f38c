//! What has to hold so that unsigned numbers are sums of unbounded integers.
//!
//! Nothing proves of `i + j * nx` in unsigned arithmetic that it does not wrap around, nor of `i < n - 1`
//! that `n` is not zero. A survey that assumes it has subscripts and bounds as sums, and a list of numbers
//! that have to stay within limits wherever they are computed: who uses the survey tests that in front of the
//! nest, where the least and the greatest value of each follow from the loops ([`Assumption::touch`]).

use super::super::bases::Base;
use super::super::computable::is_computable;
use super::super::facts::{Fact, Limits, fits};
use super::super::sums::{Kind, Sum};
use super::{Assumption, Promise, Survey, Touch, Walk};
use crate::entities::Loop;
use crate::op::{CmpOp, Terminator};
use std::rc::Rc;

/// Natural numbers of 32 bits with a sign.
const NATURAL: Limits = (0, i32::MAX as i64);
/// Numbers of which two are never one in 64 bits.
pub(super) const OF_64_BITS: Limits = (-1 << 62, (1 << 62) - 1);

impl Assumption {
    /// The number as an access to one byte at that distance from zero, of which boxes can be had.
    pub fn touch(&self) -> Touch {
        Touch {
            address: self.number.clone(),
            root: None,
            base: Base::Unknown,
            variable: None,
            subscripts: Rc::default(),
            bytes: 1,
            ty: None,
            writes: false,
            value: None,
            loop_: self.loop_,
            facts: Rc::clone(&self.facts),
            control: Rc::default(),
            pos: self.pos,
            at: self.at,
            callee: None,
        }
    }
}

impl Survey {
    /// The assumptions by their limits, of each limit all that share it.
    pub fn assumptions(&self) -> Vec<(Limits, Vec<&Assumption>)> {
        let mut found: Vec<(Limits, Vec<&Assumption>)> = Vec::new();
        for assumption in &self.assumed {
            match found.iter_mut().find(|(limits, _)| *limits == assumption.limits) {
                Some((_, list)) => list.push(assumption),
                None => found.push((assumption.limits, vec![assumption])),
            }
        }
        found
    }
}

impl Walk<'_> {
    /// Whether a number may be taken for one within limits: it is so by the facts, or by an assumption.
    pub(super) fn assume(&mut self, known: &Rc<Vec<Fact>>, number: &Sum, limits: Limits) -> bool {
        let is_so = |walk: &Self| fits(&walk.survey.atoms, known, number, limits);
        if is_so(self) {
            return true;
        }
        if !self.is_assumable(number) {
            return false;
        }
        if !self.assumes {
            self.survey.is_open |= !self.is_before;
            return false;
        }
        if self.is_before {
            return false;
        }
        let atoms: Vec<_> = number.atoms().collect();
        for atom in atoms {
            let data = self.survey.atoms.data(atom);
            if limits.0 == 0 && !matches!(data.kind, Kind::Counter(_)) && data.range.0 < 0 {
                self.note(Sum::atom(atom), NATURAL, Rc::default());
                self.survey.atoms.narrow(atom, NATURAL);
            }
        }
        // What nothing is noted of is walked again.
        if !self.quiet && !is_so(self) {
            self.note(number.clone(), limits, Rc::clone(known));
        }
        true
    }

    /// Whether a number is a sum over counters and numbers that are known before the nest.
    fn is_assumable(&self, number: &Sum) -> bool {
        let atoms = &self.survey.atoms;
        number.as_constant().is_none()
            && number.atoms().all(|atom| {
                matches!(atoms.data(atom).kind, Kind::Counter(_))
                    || is_computable(atoms, atom, &|atoms, atom| atoms.data(atom).varies.is_none())
            })
    }

    fn note(&mut self, number: Sum, limits: Limits, facts: Rc<Vec<Fact>>) {
        let (block, n) = self.at;
        let code = &self.body.blocks[block];
        let pos = code.insts.get(n).map_or(code.term_pos, |inst| inst.pos);
        let loop_ = code.loop_.unwrap_or(self.survey.outermost);
        let is_known =
            |known: &Assumption| known.number == number && known.limits == limits && *known.facts == *facts;
        if !self.survey.assumed.iter().any(is_known) {
            self.survey.assumed.push(Assumption { number, limits, facts, loop_, pos, at: (block, n) });
        }
    }

    /// An unsigned number in the header of a loop, which goes up with it, as what it is without wrapping
    /// around: whether it does, the bound decides, which the header's own comparison names.
    pub(super) fn promise(&mut self, number: &Sum, most: i64) -> bool {
        if !self.is_in_header() {
            return false;
        }
        let Some(loop_) = self.body.blocks[self.at.0].loop_ else { return false };
        let Some(counter) = self.survey.atoms.known(&Kind::Counter(loop_)) else { return false };
        let Some((step, first)) = number.linear_in(counter) else { return false };
        let goes_up = step.as_constant().is_some_and(|step| (1..=NATURAL.1).contains(&step));
        if !goes_up || first.as_constant().is_none() && !self.is_assumable(&first) {
            return false;
        }
        if !self.assumes || self.is_before {
            self.survey.is_open |= !self.is_before;
            return false;
        }
        self.promised.push(Promise { loop_, number: number.clone(), most });
        true
    }

    /// Looks whether the comparison of a header keeps what was promised of numbers in it.
    pub(super) fn keep_promises(&mut self, loop_: Loop, known: &Rc<Vec<Fact>>) {
        let (own, others) = std::mem::take(&mut self.promised).into_iter().partition(|it| it.loop_ == loop_);
        self.promised = others;
        let own: Vec<Promise> = own;
        for promise in own {
            // What a walk that notes nothing promises, the one that does promises again.
            self.survey.is_wrong |= self.keep(&promise, known).is_none() && !self.quiet;
        }
    }

    /// Whether the comparison of a header lets iterations run, rather than ending the loop.
    pub(super) fn runs_where_it_holds(&self, loop_: Loop) -> bool {
        let data = &self.body.loops[loop_];
        matches!(self.body.blocks[data.header].term, Terminator::Branch { then, .. } if then == data.body)
    }

    /// Each number that the header has is less than the bound, or the first one, or one step above such a
    /// number.
    fn keep(&mut self, promise: &Promise, known: &Rc<Vec<Fact>>) -> Option<()> {
        let header = self.headers.get(&promise.loop_)?.clone();
        let counter = self.survey.atoms.known(&Kind::Counter(promise.loop_))?;
        let (step, first) = promise.number.linear_in(counter)?;
        let ahead = promise.number.distance_from(&header.a)?;
        let is_upper = matches!(header.cmp, CmpOp::ULt | CmpOp::ULe | CmpOp::Lt | CmpOp::Le);
        if !is_upper || !self.runs_where_it_holds(promise.loop_) || self.varies(&header.b, promise.loop_) {
            return None;
        }
        let greatest = header.b.plus(1, &Sum::constant(step.as_constant()?.checked_add(ahead.max(0))?))?;
        let is_first = match first.as_constant() {
            Some(first) => (0..=promise.most).contains(&first),
            None => self.assume(known, &first, (0, promise.most)),
        };
        let is_bound = match greatest.as_constant() {
            Some(greatest) => (0..=promise.most).contains(&greatest),
            None => {
                self.assume(known, &greatest, (0, promise.most)) && self.assume(known, &header.b, NATURAL)
            }
        };
        (is_first && is_bound).then_some(())
    }
}
