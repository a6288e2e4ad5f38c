//! Whether the iterations of a loop depend on each other.
//!
//! Two accesses depend on each other if they touch the same bytes in different iterations and one of them writes. For each
//! pair that is a system of equations and inequalities ([`super::integers`]): the facts under which the accesses are executed
//! ([`super::survey`]), once for the earlier iteration and once for the later one, an earlier counter below a later one,
//! and addresses that overlap. Loops around the one that is judged are in the same iteration on both sides.
//!
//! Addresses with a symbolic stride, such as `p + 8 * (i * m + j)`, are taken apart into subscripts where the facts prove
//! that `0 <= j < m`; otherwise a product such as `i * m` is a number that nothing is known about.

use super::integers::{Answer, Linear, System};
use super::sums::{Atom, Atoms, Kind, Name, Product, Sum};
use super::survey::{Fact, Obstacle, Survey, Touch};
use crate::entities::{Local, Loop};
use crate::function::Body;
use crate::op::Pos;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// What is known about the iterations of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No iteration touches what another one writes.
    Independent,
    /// A local keeps its value from one iteration to the next, and does not merely count.
    Scalar(Local),
    /// Two accesses, by their places in [`Survey::touches`], touch the same bytes: the first in an earlier iteration.
    Carried {
        /// The access in the earlier iteration.
        earlier: usize,
        /// The access in a later one.
        later: usize,
        /// The least number of iterations from one to the other.
        distance: i64,
    },
    /// Whether two accesses depend on each other is not known: their pointers may lead to the same object.
    Alias(usize, usize),
    /// Whether two accesses depend on each other is not known: a subscript is not a sum over counters.
    Subscript(usize, usize),
    /// Something in the loop is not looked into.
    Obstacle(Obstacle, Pos),
}

/// Questions that the search for the least distance may ask.
const QUESTIONS: u32 = 70;

/// Judges a loop of a nest.
pub fn judge(body: &Body, survey: &Survey, loop_: Loop) -> Verdict {
    let Some(facts) = survey.loops.get(&loop_) else {
        return Verdict::Obstacle(Obstacle::Directive, body.loops[loop_].pos);
    };
    if let Some(&(obstacle, pos)) = facts.obstacles.first() {
        return Verdict::Obstacle(obstacle, pos);
    }
    if let Some(&local) = facts.carried.first() {
        return Verdict::Scalar(local);
    }
    let inside: Vec<usize> = (0..survey.touches.len())
        .filter(|&n| body.loop_is_within(Some(survey.touches[n].loop_), loop_))
        .collect();
    let mut verdict = Verdict::Independent;
    for (n, &a) in inside.iter().enumerate() {
        for &b in &inside[n..] {
            if !survey.touches[a].writes && !survey.touches[b].writes {
                continue;
            }
            match (Pair { body, survey, loop_, a, b }).judge() {
                Verdict::Independent => {}
                // A dependence that is certain is the better explanation.
                certain @ Verdict::Carried { .. } => return certain,
                other => {
                    if verdict == Verdict::Independent {
                        verdict = other;
                    }
                }
            }
        }
    }
    verdict
}

/// Two accesses of a loop; `a` stands first in the program, or is `b`.
struct Pair<'a> {
    body: &'a Body,
    survey: &'a Survey,
    loop_: Loop,
    a: usize,
    b: usize,
}

impl Pair<'_> {
    fn judge(&self) -> Verdict {
        let (a, b) = (&self.survey.touches[self.a], &self.survey.touches[self.b]);
        match (a.root, b.root) {
            // A pointer that each iteration loads leads elsewhere each time.
            (Some(x), Some(y)) if x == y && !self.changes(x) => {}
            (Some(x), Some(y)) if self.are_apart(x, y) || have_other_types(a, b) => {
                return Verdict::Independent;
            }
            (Some(_), Some(_)) => return Verdict::Alias(self.a, self.b),
            _ if have_other_types(a, b) => return Verdict::Independent,
            _ => return Verdict::Subscript(self.a, self.b),
        }
        let mut nearest: Option<(i64, usize, usize)> = None;
        let orders = [(self.a, self.b), (self.b, self.a)];
        for &(earlier, later) in &orders[..if self.a == self.b { 1 } else { 2 }] {
            let mut question = Question::new(self, earlier, later);
            match question.distance() {
                Some(None) => {}
                Some(Some(distance)) => {
                    if nearest.is_none_or(|(least, ..)| distance < least) {
                        nearest = Some((distance, earlier, later));
                    }
                }
                None => return Verdict::Subscript(self.a, self.b),
            }
        }
        match nearest {
            Some((distance, earlier, later)) => Verdict::Carried { earlier, later, distance },
            None => Verdict::Independent,
        }
    }

    /// Whether an atom may differ from one iteration of the loop to the next.
    fn changes(&self, atom: Atom) -> bool {
        let varies = self.survey.atoms.data(atom).varies;
        varies.is_some_and(|varies| self.body.loop_is_within(Some(varies), self.loop_))
    }

    /// Whether two roots are different objects for certain.
    fn are_apart(&self, a: Atom, b: Atom) -> bool {
        let object = |atom: Atom| match self.survey.atoms.data(atom).kind {
            Kind::Object(name @ (Name::Slot(_) | Name::Global(_))) => Some(name),
            _ => None,
        };
        matches!((object(a), object(b)), (Some(a), Some(b)) if a != b)
    }
}

/// Objects accessed as different types are different objects (C11 6.5), characters excepted.
fn have_other_types(a: &Touch, b: &Touch) -> bool {
    a.ty != b.ty && a.ty != Type::I8 && b.ty != Type::I8
}

/// Which of the two iterations a number belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Side {
    /// Both: it is the same in all iterations of the loop.
    Both,
    Earlier,
    Later,
}

/// Whether two accesses can meet.
struct Question<'a> {
    pair: &'a Pair<'a>,
    earlier: &'a Touch,
    later: &'a Touch,
    system: System,
    columns: FxHashMap<(Side, Product), usize>,
    /// A solution is a dependence for certain: the addresses are counters and numbers that both have in common.
    is_certain: bool,
}

impl<'a> Question<'a> {
    fn new(pair: &'a Pair<'a>, earlier: usize, later: usize) -> Question<'a> {
        let touches = &pair.survey.touches;
        Question {
            pair,
            earlier: &touches[earlier],
            later: &touches[later],
            system: System::default(),
            columns: FxHashMap::default(),
            is_certain: true,
        }
    }

    fn atoms(&self) -> &'a Atoms {
        &self.pair.survey.atoms
    }

    /// The least distance of two iterations in which the accesses meet: `None` if that is not known, `Some(None)` if they
    /// never do.
    fn distance(&mut self) -> Option<Option<i64>> {
        for (side, touch) in [(Side::Earlier, self.earlier), (Side::Later, self.later)] {
            for fact in &touch.facts {
                self.fact(fact, side);
            }
        }
        let counter: Product = self.counter().into_iter().collect();
        let (first, second) = (self.column(Side::Earlier, &counter), self.column(Side::Later, &counter));
        let mut distance = Linear::default();
        distance.add(second, 1)?;
        distance.add(first, -1)?;
        let mut apart = distance.clone();
        apart.constant = -1;
        self.system.at_least_zero.push(apart);
        self.meet()?;
        self.ranges();
        match self.system.least(&distance, 1, QUESTIONS) {
            Answer::Empty => Some(None),
            Answer::Point(point) if self.is_certain => distance.at(&point).map(Some),
            Answer::Point(_) | Answer::Unknown => None,
        }
    }

    fn counter(&self) -> Option<Atom> {
        self.atoms().known(&Kind::Counter(self.pair.loop_))
    }

    /// Demands that the accesses touch a byte in common.
    fn meet(&mut self) -> Option<()> {
        let root = Sum::atom(self.earlier.root?);
        let addresses = [&self.earlier.address, &self.later.address];
        let [a, b] = addresses.map(|address| address.plus(-1, &root));
        let (a, b) = (a?, b?);
        let strides = self.strides(&[&a, &b]);
        if let (Some(subscripts), Some(others)) =
            (self.subscripts(&a, &strides), self.subscripts(&b, &strides))
            && self.are_in_range(&subscripts, &strides, Side::Earlier)?
            && self.are_in_range(&others, &strides, Side::Later)?
        {
            for n in 0..strides.len() {
                let row = self.difference(&others[n], Side::Later, &subscripts[n], Side::Earlier)?;
                self.system.zero.push(row);
            }
            let last = strides.len();
            return self.overlap(&subscripts[last], &others[last]);
        }
        let is_counter = |product: &Product| {
            let [atom] = product[..] else { return product.is_empty() };
            matches!(self.atoms().data(atom).kind, Kind::Counter(_))
        };
        let fixed = |sum: &Sum| {
            let terms = sum.terms().filter(|(product, _)| !is_counter(product));
            terms.map(|(product, factor)| (product.clone(), factor)).collect::<Vec<_>>()
        };
        let others = fixed(&a);
        self.is_certain = others == fixed(&b) && others.iter().all(|(product, _)| !self.varies(product));
        self.overlap(&a, &b)
    }

    /// Demands that bytes from two distances on have one in common.
    fn overlap(&mut self, a: &Sum, b: &Sum) -> Option<()> {
        let (first, second) = (i64::from(self.earlier.bytes), i64::from(self.later.bytes));
        let mut below = self.difference(b, Side::Later, a, Side::Earlier)?;
        let mut above = self.difference(a, Side::Earlier, b, Side::Later)?;
        // b + second > a and a + first > b.
        below.constant = below.constant.checked_add(second - 1)?;
        above.constant = above.constant.checked_add(first - 1)?;
        self.system.at_least_zero.extend([below, above]);
        Some(())
    }

    /// Symbolic strides of addresses, the largest first; each divides the one before it.
    fn strides(&self, sums: &[&Sum]) -> Vec<Product> {
        let mut strides: Vec<Product> = Vec::new();
        for (product, _) in sums.iter().flat_map(|sum| sum.terms()) {
            let fixed: Product = product.iter().copied().filter(|&atom| !self.pair.changes(atom)).collect();
            if !fixed.is_empty() && fixed.len() < product.len() && !strides.contains(&fixed) {
                strides.push(fixed);
            }
        }
        strides.sort_by_key(|stride| std::cmp::Reverse(stride.len()));
        let nested = strides.windows(2).all(|pair| quotient(&pair[0], &pair[1]).is_some());
        if nested { strides } else { Vec::new() }
    }

    /// Subscripts by stride, and what is left in bytes; `None` if there are no strides. The bytes of an element are part of
    /// the subscripts' constants: they are the same on both sides.
    fn subscripts(&self, sum: &Sum, strides: &[Product]) -> Option<Vec<Sum>> {
        if strides.is_empty() {
            return None;
        }
        let mut parts = vec![Sum::default(); strides.len() + 1];
        for (product, factor) in sum.terms() {
            let found =
                strides.iter().enumerate().find_map(|(n, stride)| Some((n, quotient(product, stride)?)));
            let (n, rest) = found.unwrap_or((strides.len(), product.clone()));
            let term = Sum::term(rest, factor);
            parts[n] = parts[n].plus(1, &term)?;
        }
        Some(parts)
    }

    /// Whether the facts prove that each subscript but the first is within its dimension.
    fn are_in_range(&mut self, parts: &[Sum], strides: &[Product], side: Side) -> Option<bool> {
        let touch = if side == Side::Earlier { self.earlier } else { self.later };
        // All subscripts are in bytes of an element; the step of a stride is one element.
        let unit = parts[..strides.len()]
            .iter()
            .flat_map(|part| part.terms())
            .map(|(_, factor)| factor.unsigned_abs());
        let unit = i64::try_from(unit.fold(0, gcd)).ok()?;
        for n in 1..parts.len() {
            let size = match strides.get(n) {
                Some(stride) => quotient(&strides[n - 1], stride)?,
                None => strides[n - 1].clone(),
            };
            let size = Sum::term(size, unit);
            let room = if n == strides.len() { i64::from(touch.bytes) } else { unit };
            // Neither below zero, nor so far up that the access ends behind the dimension.
            let negative = Sum::constant(-1).plus(-1, &parts[n])?;
            let beyond = parts[n].plus(-1, &size)?.plus(1, &Sum::constant(room - 1))?;
            for outside in [negative, beyond] {
                let mut question =
                    Question { system: System::default(), columns: FxHashMap::default(), ..*self };
                for fact in &touch.facts {
                    question.fact(fact, side);
                }
                let row = question.linear(&outside, side)?;
                question.system.at_least_zero.push(row);
                question.ranges();
                if question.system.solve() != Answer::Empty {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    fn fact(&mut self, fact: &Fact, side: Side) {
        let (Fact::AtLeastZero(sum) | Fact::Zero(sum)) = fact;
        if let Some(row) = self.linear(sum, side) {
            match fact {
                Fact::AtLeastZero(_) => self.system.at_least_zero.push(row),
                Fact::Zero(_) => self.system.zero.push(row),
            }
        }
    }

    /// A sum in one of the iterations, with its products as unknowns.
    fn linear(&mut self, sum: &Sum, side: Side) -> Option<Linear> {
        let mut row = Linear::default();
        for (product, factor) in sum.terms() {
            if product.is_empty() {
                row.constant = factor;
                continue;
            }
            let column = self.column(side, product);
            row.add(column, factor)?;
        }
        Some(row)
    }

    fn difference(&mut self, a: &Sum, a_side: Side, b: &Sum, b_side: Side) -> Option<Linear> {
        let mut row = self.linear(a, a_side)?;
        let taken = self.linear(b, b_side)?;
        for (column, factor) in taken.coefficients.iter().enumerate() {
            row.add(column, factor.checked_neg()?)?;
        }
        row.constant = row.constant.checked_sub(taken.constant)?;
        Some(row)
    }

    fn column(&mut self, side: Side, product: &Product) -> usize {
        let side = if self.varies(product) { side } else { Side::Both };
        let next = self.columns.len();
        let column = *self.columns.entry((side, product.clone())).or_insert(next);
        self.system.unknowns = self.columns.len();
        column
    }

    /// Adds what is known about the atoms in use.
    fn ranges(&mut self) {
        for ((_, product), &column) in &self.columns {
            let [atom] = product[..] else { continue };
            let (low, high) = self.atoms().data(atom).range;
            let mut bound = |factor: i64, constant: Option<i64>| {
                let mut row = Linear::constant(constant?);
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
    }

    fn varies(&self, product: &Product) -> bool {
        product.iter().any(|&atom| self.pair.changes(atom))
    }
}

/// A product without the factors of another; `None` if it lacks one of them.
fn quotient(product: &Product, by: &Product) -> Option<Product> {
    let mut rest = product.clone();
    for atom in by {
        let at = rest.iter().position(|other| other == atom)?;
        rest.remove(at);
    }
    Some(rest)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
