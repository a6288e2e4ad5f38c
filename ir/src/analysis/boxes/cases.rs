//! Accesses at one of two addresses: `b[i > 0 ? i - 1 : 0]`, `b[min(i + 1, n - 1)]`.
//!
//! Each address is an access of its own, under the condition that chooses it: `b[i - 1]` where `i > 0`, and
//! `b[0]` where `i <= 0`. A condition may ask for what another one has chosen, as the second one in
//! `if (k < 0) k = 0; if (k > n - 1) k = n - 1;` does.

use crate::analysis::facts::{Fact, is_number, opposite};
use crate::analysis::sums::{Atom, Atoms, Kind, Sum};
use crate::analysis::survey::Touch;
use crate::op::{BinaryOp, CmpOp};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// An access, at one of its addresses.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) address: Sum,
    pub(super) facts: Rc<Vec<Fact>>,
    /// The choices that are made, each with its value.
    made: SmallVec<[(Atom, Sum); 2]>,
}

/// The two values of a choice, each with the fact under which it is that value.
type Alternatives = [(Sum, Fact); 2];

/// Addresses of one access that are told apart.
const MOST_CASES: usize = 16;
/// Choices that a condition asks for, one behind the other.
const MOST_STEPS: usize = 8;

/// The cases of an access; `is_fine` tells of atoms that are no choice, or known before the code.
pub(super) fn of(
    atoms: &Atoms,
    touch: &Touch,
    is_fine: &impl Fn(&Atoms, Atom) -> bool,
) -> SmallVec<[Case; 1]> {
    let facts = Rc::clone(&touch.facts);
    let mut cases: SmallVec<[Case; 1]> =
        smallvec![Case { address: touch.address.clone(), facts, made: SmallVec::new() }];
    let mut next = 0;
    while let Some(case) = cases.get(next) {
        let split = case.choice(atoms, is_fine).and_then(|(atom, [then, otherwise])| {
            Some([case.with(atom, then)?, case.with(atom, otherwise)?])
        });
        // One that is not understood is an address that is not known.
        match split {
            Some(split) if cases.len() < MOST_CASES => {
                cases.remove(next);
                cases.insert_many(next, split);
            }
            _ => next += 1,
        }
    }
    cases
}

impl Case {
    /// A choice of the address, or of what one of its choices asks for, whose condition is understood.
    fn choice(&self, atoms: &Atoms, is_fine: &impl Fn(&Atoms, Atom) -> bool) -> Option<(Atom, Alternatives)> {
        let is_open = |&atom: &Atom| is_choice(&atoms.data(atom).kind) && !is_fine(atoms, atom);
        let mut atom = self.address.atoms().find(is_open)?;
        for _ in 0..MOST_STEPS {
            let alternatives = self.alternatives(atoms, atom)?;
            let asked = |is_it: &dyn Fn(&Atom) -> bool| {
                alternatives.iter().flat_map(|(_, fact)| fact.sum().atoms()).find(|atom| is_it(atom))
            };
            if let Some(other) = asked(&is_open) {
                atom = other;
                continue;
            }
            // Of a condition on data nothing is known, and neither is which elements it leaves out.
            let is_known = asked(&|&atom| !is_fine(atoms, atom)).is_none();
            return is_known.then_some((atom, alternatives));
        }
        None
    }

    fn alternatives(&self, atoms: &Atoms, atom: Atom) -> Option<Alternatives> {
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
        if !is_signed {
            return None;
        }
        let made = |sum: &Sum| {
            self.made.iter().try_fold(sum.clone(), |sum, (choice, value)| replaced(&sum, *choice, value))
        };
        let (left, right) = (made(left)?, made(right)?);
        let fact = |cmp: CmpOp| Some(Fact::of(cmp, &left, &right)?.on_one_side(atoms));
        Some([(made(then)?, fact(cmp)?), (made(otherwise)?, fact(opposite(cmp)?)?)])
    }

    /// The same where a choice has a value.
    fn with(&self, choice: Atom, (value, fact): (Sum, Fact)) -> Option<Case> {
        let mut facts = Vec::with_capacity(self.facts.len() + 1);
        for fact in self.facts.iter() {
            facts.push(match fact {
                Fact::AtLeastZero(sum) => Fact::AtLeastZero(replaced(sum, choice, &value)?),
                Fact::Zero(sum) => Fact::Zero(replaced(sum, choice, &value)?),
                Fact::NonZero(sum) => Fact::NonZero(replaced(sum, choice, &value)?),
            });
        }
        facts.push(fact);
        let address = replaced(&self.address, choice, &value)?;
        let mut made = self.made.clone();
        made.push((choice, value));
        Some(Case { address, facts: Rc::new(facts), made })
    }
}

fn is_choice(kind: &Kind) -> bool {
    matches!(kind, Kind::Choice { .. } | Kind::Binary(BinaryOp::SMin | BinaryOp::SMax, ..))
}

/// A sum with a value in the place of an atom.
fn replaced(sum: &Sum, atom: Atom, value: &Sum) -> Option<Sum> {
    if sum.atoms().all(|other| other != atom) {
        return Some(sum.clone());
    }
    let (factor, rest) = sum.linear_in(atom)?;
    rest.plus(1, &factor.times(value)?)
}
