//! What holds at a place, and systems of it over the integers.
//!
//! Facts are sums that are zero, or zero or more: bounds of loops, guards, declared extents. A system has an
//! unknown for each product of atoms that occurs in its facts, once for each side: a question about two
//! iterations of a loop has the atoms that differ between them twice.

use super::accumulation::Choice;
use super::integers::{Linear, System};
use super::sums::{Atom, AtomData, Atoms, Kind, Product, Sum};
use crate::entities::Loop;
use crate::op::{BinaryOp, CmpOp};
use crate::types::Type;
use smallvec::SmallVec;

/// Something that holds where it is noted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The sum is zero or more.
    AtLeastZero(Sum),
    /// The sum is zero.
    Zero(Sum),
    /// The sum is not zero. A system has no such condition, but is two systems by it: one with a sum above
    /// zero, and one with a sum below.
    NonZero(Sum),
}

impl Fact {
    /// The fact that a sum is no less than another one by this much.
    pub fn exceeds(sum: &Sum, other: &Sum, by: i64) -> Option<Fact> {
        Some(Fact::AtLeastZero(sum.plus(-1, other)?.plus(-1, &Sum::constant(by))?))
    }

    /// What follows from a comparison of signed numbers or of addresses.
    pub fn of(cmp: CmpOp, a: &Sum, b: &Sum) -> Option<Fact> {
        match cmp {
            CmpOp::Eq => a.plus(-1, b).map(Fact::Zero),
            CmpOp::Lt | CmpOp::ULt => Fact::exceeds(b, a, 1),
            CmpOp::Le | CmpOp::ULe => Fact::exceeds(b, a, 0),
            CmpOp::Gt | CmpOp::UGt => Fact::exceeds(a, b, 1),
            CmpOp::Ge | CmpOp::UGe => Fact::exceeds(a, b, 0),
            CmpOp::Ne => a.plus(-1, b).map(Fact::NonZero),
            CmpOp::Unordered => None,
        }
    }

    /// The same as a condition of a system, if a number that is not zero can only be on one side of it.
    #[must_use]
    pub fn on_one_side(self, atoms: &Atoms) -> Fact {
        let Fact::NonZero(sum) = &self else { return self };
        let one_less = |sum: Sum| sum.plus(1, &Sum::constant(-1)).map(Fact::AtLeastZero);
        let found = match interval(atoms, sum) {
            Some((0.., _)) => one_less(sum.clone()),
            Some((_, ..=0)) => sum.scaled(-1).and_then(one_less),
            _ => None,
        };
        found.unwrap_or(self)
    }

    /// The sum it is about.
    pub fn sum(&self) -> &Sum {
        let (Fact::AtLeastZero(sum) | Fact::Zero(sum) | Fact::NonZero(sum)) = self;
        sum
    }
}

/// The comparison that holds where this one does not, of numbers that are ordered.
pub fn opposite(cmp: CmpOp) -> Option<CmpOp> {
    Some(match cmp {
        CmpOp::Eq => CmpOp::Ne,
        CmpOp::Ne => CmpOp::Eq,
        CmpOp::Lt => CmpOp::Ge,
        CmpOp::Le => CmpOp::Gt,
        CmpOp::Gt => CmpOp::Le,
        CmpOp::Ge => CmpOp::Lt,
        CmpOp::ULt => CmpOp::UGe,
        CmpOp::ULe => CmpOp::UGt,
        CmpOp::UGt => CmpOp::ULe,
        CmpOp::UGe => CmpOp::ULt,
        CmpOp::Unordered => return None,
    })
}

/// The least number and the greatest one.
pub type Limits = (i64, i64);

/// What a sum is between, from the ranges of its atoms; `None` if it may be anything.
pub fn interval(atoms: &Atoms, sum: &Sum) -> Option<(i64, i64)> {
    let (mut least, mut most) = (0i64, 0i64);
    for (product, factor) in sum.terms() {
        let (mut low, mut high) = (factor, factor);
        for &atom in product.iter() {
            let (a, b) = atoms.data(atom).range;
            let ends = [low.checked_mul(a)?, low.checked_mul(b)?, high.checked_mul(a)?, high.checked_mul(b)?];
            low = *ends.iter().min()?;
            high = *ends.iter().max()?;
        }
        least = least.checked_add(low)?;
        most = most.checked_add(high)?;
    }
    Some((least, most))
}

/// Which of two iterations a number belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Both: it is the same in either.
    Both,
    /// The earlier one.
    Earlier,
    /// The later one.
    Later,
}

/// A system under construction.
#[derive(Clone, Debug)]
pub struct Conditions<'a> {
    atoms: &'a Atoms,
    system: System,
    /// Columns whose ranges and definitions are in the system.
    bounded: usize,
    /// What each column stands for. There are some dozens at most, so that nothing helps to find one.
    order: Vec<(Side, Product)>,
}

/// One more than a mask has to be a number, too.
const MOST_MASK: i64 = i64::MAX - 1;

/// Columns of most systems.
const SOME_COLUMNS: usize = 16;
/// Rows of most systems.
const SOME_ROWS: usize = 32;

impl<'a> Conditions<'a> {
    /// Without conditions.
    pub fn new(atoms: &'a Atoms) -> Conditions<'a> {
        Conditions { atoms, system: System::default(), bounded: 0, order: Vec::new() }
    }

    fn column(&mut self, side: Side, product: &Product) -> usize {
        let is_it = |(of, known): &(Side, Product)| known == product && *of == side;
        self.order.iter().position(is_it).unwrap_or_else(|| {
            // Many questions are answered without a system.
            if self.order.is_empty() {
                self.order.reserve(SOME_COLUMNS);
                self.system.at_least_zero.reserve(SOME_ROWS);
            }
            self.order.push((side, *product));
            self.system.unknowns = self.order.len();
            self.order.len() - 1
        })
    }

    /// A sum on a side, which `side_of` says for each of its products; `None` if a number does not fit.
    pub fn linear(&mut self, sum: &Sum, side_of: &dyn Fn(&Product) -> Side) -> Option<Linear> {
        let mut row = Linear::with_room(self.order.len());
        for (product, factor) in sum.terms() {
            if product.is_empty() {
                row.constant = factor;
                continue;
            }
            let column = self.column(side_of(product), product);
            row.add(column, factor)?;
        }
        Some(row)
    }

    /// Demands a fact. One whose numbers do not fit is left out, and so is that a number is not zero: there
    /// are more solutions then.
    pub fn demand(&mut self, fact: &Fact, side_of: &dyn Fn(&Product) -> Side) {
        let is_zero = match fact {
            Fact::AtLeastZero(_) => false,
            Fact::Zero(_) => true,
            Fact::NonZero(_) => return,
        };
        let Some(row) = self.linear(fact.sum(), side_of) else { return };
        let rows = if is_zero { &mut self.system.zero } else { &mut self.system.at_least_zero };
        rows.push(row);
    }

    /// Demands that a row is zero or more.
    pub fn at_least_zero(&mut self, row: Linear) {
        self.system.at_least_zero.push(row);
    }

    /// Demands that a row is zero.
    pub fn zero(&mut self, row: Linear) {
        self.system.zero.push(row);
    }

    /// The system.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Adds what is known about the atoms in it.
    pub fn close(&mut self, side_of: &dyn Fn(&Product, Side) -> Side) {
        // Definitions may bring in further atoms.
        while self.bounded < self.order.len() {
            let (side, product) = self.order[self.bounded];
            let column = self.bounded;
            self.bounded += 1;
            if product.is_empty() {
                continue;
            }
            if let [atom] = product[..] {
                self.range(column, atom);
                self.definition(atom, side, side_of);
            } else {
                self.sign(column, &product);
            }
        }
    }

    /// The system, and that no number that is the same for both sides is below zero and no counter that
    /// `is_brief` is above one.
    pub fn of_usual_numbers(&self, is_brief: &dyn Fn(Atom) -> bool) -> System {
        let mut system = self.system.clone();
        for (column, (side, product)) in self.order.iter().enumerate() {
            let [atom] = product[..] else { continue };
            let (factor, constant) = match side {
                Side::Both => (1, 0),
                Side::Earlier | Side::Later if is_brief(atom) => (-1, 1),
                Side::Earlier | Side::Later => continue,
            };
            let mut row = Linear::with_room(self.order.len());
            row.constant = constant;
            if row.add(column, factor).is_some() {
                system.at_least_zero.push(row);
            }
        }
        system
    }

    /// Points that may well be solutions, where an iteration of a loop is followed by the next one: counters
    /// inside of the loop are 0, and what bounds them is large.
    pub fn guesses(&self, counter: Atom) -> impl Iterator<Item = Vec<i64>> + '_ {
        // Counters of loops around are 0, too, or larger than those of the loops in them.
        let around = [|_: Loop| 0, |loop_: Loop| (1 << 12) - i64::from(loop_.as_u32())];
        around.into_iter().map(move |around| {
            let value = |&(side, product): &(Side, Product)| {
                let [atom] = product[..] else { return 0 };
                let AtomData { kind, range: (low, high), .. } = self.atoms.data(atom);
                match (kind, side) {
                    (Kind::Counter(_), Side::Later) if atom == counter => 1,
                    (Kind::Counter(loop_), Side::Both) => around(*loop_),
                    (Kind::Counter(_), _) => 0,
                    (_, Side::Both) => 1 << 20,
                    _ => 1 << 10,
                }
                .clamp(*low, *high)
            };
            self.order.iter().map(value).collect()
        })
    }

    fn range(&mut self, column: usize, atom: Atom) {
        let (low, high) = self.atoms.data(atom).range;
        let mut bound = |factor: i64, constant: Option<i64>| {
            let mut row = Linear::with_room(column + 1);
            row.constant = constant?;
            row.add(column, factor)?;
            self.system.at_least_zero.push(row);
            Some(())
        };
        if low > i64::MIN {
            bound(1, low.checked_neg());
        }
        if high < i64::MAX {
            bound(-1, Some(high));
        }
    }

    /// A product of numbers that cannot be negative is none.
    fn sign(&mut self, column: usize, product: &Product) {
        if product.iter().all(|&atom| self.atoms.data(atom).range.0 >= 0) {
            let mut row = Linear::default();
            if row.add(column, 1).is_some() {
                self.system.at_least_zero.push(row);
            }
        }
    }

    /// Demands that a number is another one less a multiple of a third.
    fn remainder(&mut self, whole: &Sum, rest: &Sum, by: i64, side_of: &dyn Fn(&Product) -> Side) {
        let Some(multiple) = whole.plus(-1, rest) else { return };
        let Some(mut row) = self.linear(&multiple, side_of) else { return };
        // The quotient is a number of its own, without an atom.
        let column = self.order.len();
        self.order.push((Side::Both, Product::new()));
        self.system.unknowns = column + 1;
        if row.add(column, -by).is_some() {
            self.system.zero.push(row);
        }
    }

    /// What a quotient, a remainder or a limit has to do with its operands.
    fn definition(&mut self, atom: Atom, side: Side, side_of: &dyn Fn(&Product, Side) -> Side) {
        let atoms = self.atoms;
        let on_side = |product: &Product| side_of(product, side);
        let result = Sum::atom(atom);
        let (op, a, b) = match &atoms.data(atom).kind {
            Kind::Binary(op, a, b) => (*op, a, b),
            Kind::Choice { cond, then, otherwise } => match limit(atoms, *cond, then, otherwise) {
                Some(op) => (op, then, otherwise),
                None => return,
            },
            _ => return,
        };
        let is_natural = interval(atoms, a).is_some_and(|(least, _)| least >= 0);
        let rest = match (op, b.as_constant()) {
            // The remainder of a number below zero is one less a multiple, too, and not above zero.
            (BinaryOp::SRem, Some(by @ 1..)) => Some(by),
            (BinaryOp::URem, Some(by @ 1..)) if is_natural => Some(by),
            (BinaryOp::And, Some(mask @ 0..=MOST_MASK)) if mask & (mask + 1) == 0 => Some(mask + 1),
            _ => None,
        };
        if let Some(by) = rest {
            self.remainder(a, &result, by, &on_side);
            return;
        }
        let facts = match (op, b.as_constant()) {
            (BinaryOp::SDiv | BinaryOp::UDiv, Some(by @ 1..)) if is_natural => result
                .scaled(by)
                .map(|whole| vec![Fact::exceeds(a, &whole, 0), Fact::exceeds(&whole, a, 1 - by)]),
            // Towards zero, from above or from below.
            (BinaryOp::SDiv, Some(by @ 1..)) => result
                .scaled(by)
                .map(|whole| vec![Fact::exceeds(a, &whole, 1 - by), Fact::exceeds(&whole, a, 1 - by)]),
            (BinaryOp::AShr, Some(by @ 0..=31)) => result
                .scaled(1 << by)
                .map(|whole| vec![Fact::exceeds(a, &whole, 0), Fact::exceeds(&whole, a, 1 - (1 << by))]),
            (BinaryOp::SMax, _) => Some(vec![Fact::exceeds(&result, a, 0), Fact::exceeds(&result, b, 0)]),
            (BinaryOp::SMin, _) => Some(vec![Fact::exceeds(a, &result, 0), Fact::exceeds(b, &result, 0)]),
            _ => None,
        };
        for fact in facts.into_iter().flatten().flatten() {
            self.demand(&fact, &on_side);
        }
    }
}

/// The minimum or maximum of signed integers that a choice is: `a < b ? a : b`.
pub fn limit(atoms: &Atoms, cond: Atom, then: &Sum, otherwise: &Sum) -> Option<BinaryOp> {
    let Kind::Compare(cmp, ty, a, b) = &atoms.data(cond).kind else { return None };
    let new_is_first = then == a && otherwise == b;
    let is_one = is_number(*ty) && (new_is_first || then == b && otherwise == a);
    let limit = Choice { cmp: *cmp, new_is_first, new_if_true: true }.extremum();
    limit.filter(|op| is_one && matches!(op, BinaryOp::SMin | BinaryOp::SMax))
}

/// Whether facts about one iteration rule a further one out.
pub fn excludes(atoms: &Atoms, facts: &[Fact], other: &Fact) -> bool {
    // Most often one fact alone says the contrary.
    let contradicts = |fact: &Fact| match (fact, other) {
        (Fact::AtLeastZero(a), Fact::AtLeastZero(b)) => a.if_opposite(b).is_some_and(|sum| sum < 0),
        _ => false,
    };
    if facts.iter().any(contradicts) {
        return true;
    }
    let related = related(atoms, facts, other);
    if let Fact::AtLeastZero(sum) = other
        && let Some((_, most)) = interval(atoms, sum)
    {
        if most < 0 {
            return true;
        }
        // Numbers that nothing is said about but their ranges may all be where the sum is greatest.
        if related.is_empty() && sum.terms().all(|(product, _)| is_alone(atoms, product)) {
            return false;
        }
    }
    let mut conditions = Conditions::new(atoms);
    for fact in related.into_iter().chain([other]) {
        conditions.demand(fact, &|_| Side::Both);
    }
    conditions.close(&|_, side| side);
    conditions.system().is_empty()
}

/// Whether nothing is known about a product but the range of its one atom.
fn is_alone(atoms: &Atoms, product: &Product) -> bool {
    match product[..] {
        [] => true,
        [atom] => !matches!(atoms.data(atom).kind, Kind::Binary(..)),
        _ => false,
    }
}

/// The facts that have to do with another one: by an atom in both, or by further facts.
fn related<'a>(atoms: &Atoms, facts: &'a [Fact], other: &Fact) -> SmallVec<[&'a Fact; 8]> {
    let mut reached: SmallVec<[Atom; 16]> = SmallVec::new();
    let mut found: SmallVec<[&Fact; 8]> = SmallVec::new();
    let mut left: SmallVec<[&Fact; 8]> = facts.iter().collect();
    reach(atoms, other.sum(), &mut reached);
    loop {
        let before = found.len();
        left.retain(|fact| {
            let mut own = SmallVec::new();
            reach(atoms, fact.sum(), &mut own);
            let meets = own.iter().any(|atom| reached.contains(atom));
            if meets {
                found.push(*fact);
                reached.extend(own);
            }
            !meets
        });
        if found.len() == before {
            return found;
        }
    }
}

/// Adds the atoms of a sum, and those that their definitions bring in.
fn reach(atoms: &Atoms, sum: &Sum, reached: &mut SmallVec<[Atom; 16]>) {
    for atom in sum.atoms() {
        if reached.contains(&atom) {
            continue;
        }
        reached.push(atom);
        if let Kind::Binary(_, a, b) = &atoms.data(atom).kind {
            reach(atoms, a, reached);
            reach(atoms, b, reached);
        }
    }
}

/// Whether a solution of facts as a system proves that they can hold at once. To a system a product is a
/// number of its own, and so is a quotient: it has values for `n * n` and `n`, or for `2 / n` and `n`, that
/// no `n` gives them.
pub fn are_free<'a>(atoms: &Atoms, facts: impl Iterator<Item = &'a Fact>) -> bool {
    let mut products = Vec::new();
    facts.for_each(|fact| note_numbers(atoms, fact.sum(), &mut products));
    let is_made_of = |product: &Product, atom: Atom| {
        let mut reached = SmallVec::new();
        product.iter().for_each(|&other| reach_inputs(atoms, other, &mut reached));
        reached.contains(&atom)
    };
    products.iter().enumerate().all(|(n, product)| {
        let is_only_here = |atom: Atom| {
            let mut others = products[..n].iter().chain(&products[n + 1..]);
            others.all(|other| !is_made_of(other, atom))
        };
        let is_plain = |atom: Atom| {
            matches!(atoms.data(atom).kind, Kind::Entry(_) | Kind::Element { .. } | Kind::Loaded { .. })
        };
        let is_of_own = |sum: &Sum| sum.atoms().all(|atom| is_plain(atom) && is_only_here(atom));
        match product[..] {
            [] => true,
            [atom] => match &atoms.data(atom).kind {
                Kind::Counter(_)
                | Kind::Entry(_)
                | Kind::Object(_)
                | Kind::Element { .. }
                | Kind::Loaded { .. } => true,
                Kind::Converted(_, _, value) => is_of_own(value),
                Kind::Binary(op, a, b) => {
                    is_quotient(atoms, *op, a, b)
                        || matches!(op, BinaryOp::SMax | BinaryOp::SMin) && is_of_own(a) && is_of_own(b)
                }
                Kind::Choice { cond, then, otherwise } => {
                    limit(atoms, *cond, then, otherwise).is_some() && is_of_own(then) && is_of_own(otherwise)
                }
                Kind::Unary(..) | Kind::Compare(..) | Kind::Accumulated { .. } | Kind::Opaque(..) => false,
            },
            _ => {
                let is_square = product.windows(2).any(|pair| pair[0] == pair[1]);
                !is_square && product.iter().all(|&atom| is_plain(atom) && is_only_here(atom))
            }
        }
    })
}

/// Whether a system has all that is true of a quotient or remainder, by [`Conditions::definition`].
pub fn is_quotient(atoms: &Atoms, op: BinaryOp, a: &Sum, b: &Sum) -> bool {
    let is_natural = || interval(atoms, a).is_some_and(|(least, _)| least >= 0);
    match (op, b.as_constant()) {
        (BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem, Some(1..)) => is_natural(),
        (BinaryOp::AShr, Some(0..=31)) => true,
        (BinaryOp::And, Some(mask @ 0..=MOST_MASK)) => mask & (mask + 1) == 0,
        _ => false,
    }
}

/// Adds the products of a sum, and of what quotients among them are quotients of.
fn note_numbers(atoms: &Atoms, sum: &Sum, products: &mut Vec<Product>) {
    for (product, _) in sum.terms() {
        if products.contains(product) {
            continue;
        }
        products.push(*product);
        if let [atom] = product[..]
            && let Kind::Binary(op, a, b) = &atoms.data(atom).kind
            && is_quotient(atoms, *op, a, b)
        {
            note_numbers(atoms, a, products);
        }
    }
}

/// Adds an atom and all that it is made of.
fn reach_inputs(atoms: &Atoms, atom: Atom, reached: &mut SmallVec<[Atom; 16]>) {
    if !reached.contains(&atom) {
        reached.push(atom);
        atoms.data(atom).kind.inputs(|sum| sum.atoms().for_each(|input| reach_inputs(atoms, input, reached)));
    }
}

/// Whether a sum is the same as an integer of this type, signed or not.
pub fn fits(atoms: &Atoms, facts: &[Fact], sum: &Sum, (low, high): (i64, i64)) -> bool {
    if let Some((least, most)) = interval(atoms, sum)
        && low <= least
        && most <= high
    {
        return true;
    }
    let below = Fact::exceeds(&Sum::constant(low), sum, 1);
    let above = Fact::exceeds(sum, &Sum::constant(high), 1);
    let (Some(below), Some(above)) = (below, above) else { return false };
    !facts.is_empty() && excludes(atoms, facts, &below) && excludes(atoms, facts, &above)
}

/// Whether values of a type are integers or addresses, of which there are sums.
pub fn is_number(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr)
}
