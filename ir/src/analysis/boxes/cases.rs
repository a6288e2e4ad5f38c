//! Accesses at one of two addresses: `b[i > 0 ? i - 1 : 0]`, `b[min(i + 1, n - 1)]`.
//!
//! Each address is an access of its own, under the condition that chooses it: `b[i - 1]` where `i > 0`, and
//! `b[0]` where `i <= 0`.

use crate::analysis::facts::{Fact, is_number, opposite};
use crate::analysis::sums::{Atom, Atoms, Kind, Sum};
use crate::analysis::survey::Touch;
use crate::op::{BinaryOp, CmpOp};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// An access, at one of its addresses.
pub(super) struct Case {
    pub(super) address: Sum,
    pub(super) facts: Rc<Vec<Fact>>,
}

/// Addresses of one access that are told apart.
const MOST_CASES: usize = 16;

/// The cases of an access; `is_fine` tells of atoms that are no choice, or known before the code.
pub(super) fn of(
    atoms: &Atoms,
    touch: &Touch,
    is_fine: &impl Fn(&Atoms, Atom) -> bool,
) -> SmallVec<[Case; 1]> {
    let mut cases: SmallVec<[Case; 1]> =
        smallvec![Case { address: touch.address.clone(), facts: Rc::clone(&touch.facts) }];
    let mut next = 0;
    while let Some(case) = cases.get(next) {
        let choice = case.address.atoms().find_map(|atom| {
            let alternatives = alternatives(atoms, atom).filter(|_| !is_fine(atoms, atom))?;
            // Of a condition on data nothing is known, and neither is which elements it leaves out.
            let is_known = |(_, fact): &(Sum, Fact)| fact.sum().atoms().all(|atom| is_fine(atoms, atom));
            alternatives.iter().all(is_known).then_some((atom, alternatives))
        });
        let Some((atom, alternatives)) = choice else {
            next += 1;
            continue;
        };
        let split = alternatives.into_iter().map(|(value, fact)| case.with(atom, &value, fact));
        // One that is not understood is an address that is not known.
        match split.collect::<Option<Vec<Case>>>() {
            Some(split) if cases.len() < MOST_CASES => {
                cases.remove(next);
                cases.insert_many(next, split);
            }
            _ => next += 1,
        }
    }
    cases
}

/// The two values of a choice, each with the fact under which it is that value.
fn alternatives(atoms: &Atoms, atom: Atom) -> Option<[(Sum, Fact); 2]> {
    let (cmp, left, right, then, otherwise) = match &atoms.data(atom).kind {
        Kind::Choice { cond, then, otherwise } => match &atoms.data(*cond).kind {
            Kind::Compare(cmp, ty, left, right) if is_number(*ty) => (*cmp, left, right, then, otherwise),
            _ => return None,
        },
        Kind::Binary(BinaryOp::SMin, a, b) => (CmpOp::Lt, a, b, a, b),
        Kind::Binary(BinaryOp::SMax, a, b) => (CmpOp::Gt, a, b, a, b),
        _ => return None,
    };
    let is_signed = matches!(cmp, CmpOp::Eq | CmpOp::Ne | CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge);
    let fact = |cmp: CmpOp| Some(Fact::of(cmp, left, right)?.on_one_side(atoms));
    is_signed.then_some([(then.clone(), fact(cmp)?), (otherwise.clone(), fact(opposite(cmp)?)?)])
}

impl Case {
    /// The same where a choice has a value.
    fn with(&self, choice: Atom, value: &Sum, fact: Fact) -> Option<Case> {
        let replaced = |sum: &Sum| {
            let (factor, rest) = sum.linear_in(choice)?;
            rest.plus(1, &factor.times(value)?)
        };
        let mut facts = Vec::with_capacity(self.facts.len() + 1);
        for fact in self.facts.iter() {
            facts.push(match fact {
                Fact::AtLeastZero(sum) => Fact::AtLeastZero(replaced(sum)?),
                Fact::Zero(sum) => Fact::Zero(replaced(sum)?),
                Fact::NonZero(sum) => Fact::NonZero(replaced(sum)?),
            });
        }
        facts.push(fact);
        Some(Case { address: replaced(&self.address)?, facts: Rc::new(facts) })
    }
}
