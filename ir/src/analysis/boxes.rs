//! The bytes that accesses to an object lie in, as expressions over values known before the code.
//!
//! An access in a nest of loops has an address such as `p + 8 * (i * m + j)` and facts such as `0 <= i`, `i <
//! n`. The counters are projected out by Fourier-Motzkin elimination, the innermost first: an upper bound of
//! the address takes the place of a counter, the largest value of `j` is `m - 1`, so that the address is at
//! most `p + 8 * (i * m + m - 1)`, and so on. Several bounds of one counter give the least of the results.
//! The coefficient of a counter may be a symbol: where the facts do not tell its sign, the result is the
//! greater one of those at both ends.
//!
//! What is left of the facts without counters are the conditions under which there is an access at all. They
//! belong to the result: with `n = m = -1`, the bounds of two nested loops alone would speak of an element.
//!
//! A remainder or quotient of a counter (`i % n`, `i / 2`) is projected out as a counter is. Where its values
//! at both ends are not known, the access lies in a box that another one has anyway, or has none.
//!
//! An access at one of two addresses is two accesses, each under the condition that chooses it.
//!
//! A box holds all bytes that are accessed. It has no others at its ends if the loops step by constants and
//! the counters of outer loops stand in bounds of inner ones with a factor that the step divides.

mod bound;
mod cases;
mod quotients;
#[cfg(test)]
mod tests;

use super::facts::Fact;
use super::sums::{Atom, Atoms, Kind, Sum};
use super::survey::Touch;
use crate::op::{BinaryOp, ConvertOp};
pub use bound::Bound;
use bound::Outermost;
use cases::Case;
use quotients::Quotient;
use std::rc::Rc;

/// More facts than this are not worth projecting.
const MOST_FACTS: usize = 64;

/// Why accesses have no box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unbounded {
    /// The address has a value that is not known before the code: an element that another one selects, or a
    /// pointer read from memory.
    Address,
    /// A narrow or unsigned number in the address may wrap around.
    Wraps,
    /// The address is no sum over the counters of loops.
    Shape,
    /// Nothing says before the code how far this counter goes.
    Loop(Atom),
    /// There are too many conditions to look through.
    Size,
}

/// The bytes of some accesses that are executed under the same conditions.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// There are accesses only if each of these sums is zero or more.
    pub guard: Vec<Sum>,
    /// The address of the first byte.
    pub low: Bound,
    /// The address behind the last byte.
    pub high: Bound,
}

/// The bytes of all accesses to an object: from the lowest of its parts to the highest.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ByteBox {
    /// None for an object without accesses.
    pub parts: Vec<Part>,
}

/// An access, and why it has no box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stray {
    /// Its place among the touches that were given.
    pub touch: usize,
    /// The reason.
    pub why: Unbounded,
}

/// What is left of facts when the counters are projected out. Most accesses of a nest have their facts in
/// common, and stand in several boxes.
#[derive(Debug, Default)]
pub struct Projections {
    known: Vec<Rc<Projection>>,
}

#[derive(Debug)]
struct Projection {
    facts: Rc<Vec<Fact>>,
    /// The quotients of the address and of the facts.
    quotients: Vec<Quotient>,
    /// The bounds of one of them say less than all of it.
    is_loose: bool,
    /// The counters and quotients of the facts and of the address, in the order in which they are projected
    /// out, with the bounds that each has then.
    counters: Vec<(Atom, Bounds)>,
    guard: System,
}

impl Projections {
    /// The projection of the facts of an access; `None` if there are too many of them.
    fn of(
        &mut self,
        atoms: &mut Atoms,
        facts: &Rc<Vec<Fact>>,
        (address, quotients): (&Sum, Vec<Quotient>),
        is_fine: &impl Fn(&Atoms, Atom) -> bool,
    ) -> Option<Rc<Projection>> {
        let of_address = || address.atoms().filter(|&atom| is_moving(atoms, atom));
        // Of further counters, which the address does not have, nothing is said.
        let is_same = |known: &&Rc<Projection>| {
            let has = |atom: Atom| known.counters.iter().any(|(counter, _)| *counter == atom);
            let has_quotients = || !known.quotients.is_empty() || !quotients.is_empty();
            are_equal(&known.facts, facts) && of_address().all(has) && !has_quotients()
        };
        if let Some(known) = self.known.iter().find(is_same) {
            return Some(Rc::clone(known));
        }
        let new = Projection::new(atoms, Rc::clone(facts), (address, quotients), is_fine)?;
        let new = Rc::new(new);
        self.known.push(Rc::clone(&new));
        Some(new)
    }
}

/// Whether two lists have the same facts. Accesses in one place share a list.
fn are_equal(a: &Rc<Vec<Fact>>, b: &Rc<Vec<Fact>>) -> bool {
    Rc::ptr_eq(a, b) || a == b
}

impl Projection {
    fn new(
        atoms: &mut Atoms,
        facts: Rc<Vec<Fact>>,
        (address, mut quotients): (&Sum, Vec<Quotient>),
        is_fine: &impl Fn(&Atoms, Atom) -> bool,
    ) -> Option<Projection> {
        let mut sums: Vec<Sum> = Vec::with_capacity(facts.len());
        // Those with quotients, which count if these are known exactly.
        let mut further: Vec<Sum> = Vec::new();
        for fact in &*facts {
            // Where one element is left out, the box is the same, but for its ends.
            if matches!(fact, Fact::NonZero(_)) {
                continue;
            }
            let list = match fact.sum().atoms().all(|atom| is_fine(atoms, atom)) {
                true => &mut sums,
                false => &mut further,
            };
            list.push(fact.sum().clone());
            list.extend(if let Fact::Zero(sum) = fact { sum.scaled(-1) } else { None });
        }
        let mut is_loose = false;
        let mut bounds = Vec::new();
        for quotient in &quotients {
            let between = quotient.between(atoms, &sums, &[address])?;
            is_loose |= !between.is_exact;
            bounds.extend(between.facts);
        }
        for sum in further {
            let Some(new) = quotients_of(atoms, &facts, &sum, is_fine) else { continue };
            // A condition that has nothing but the remainder leaves out some of its values.
            let is_plain = !sum.atoms().any(|atom| is_counter(atoms, atom));
            let mut all = Vec::new();
            let is_known = new.iter().all(|quotient| {
                let between = quotient.between(atoms, &sums, &[address]);
                between.is_some_and(|between| {
                    if !quotients.contains(quotient) {
                        all.extend(between.facts);
                    }
                    between.is_exact && between.is_dense
                })
            });
            if is_known && !is_plain {
                bounds.extend(all);
                sums.push(sum);
                quotients.extend(new);
            }
        }
        sums.extend(bounds);
        let mut counters: Vec<Atom> = address.atoms().filter(|&atom| is_moving(atoms, atom)).collect();
        counters.extend(sums.iter().flat_map(Sum::atoms).filter(|&atom| is_moving(atoms, atom)));
        // Loops come before the loops in them, and counters before their quotients.
        counters.sort_unstable_by_key(|&atom| {
            (std::cmp::Reverse(atoms.data(atom).varies), is_counter(atoms, atom), atom)
        });
        counters.dedup();
        let mut system = System { facts: Vec::with_capacity(sums.len() + counters.len()) };
        sums.into_iter().for_each(|sum| system.add(sum));
        counters.iter().for_each(|&counter| system.add(Sum::atom(counter)));
        let mut projected = Vec::with_capacity(counters.len());
        for counter in counters {
            let (rest, bounds) = system.eliminate(atoms, counter)?;
            projected.push((counter, bounds));
            system = rest;
        }
        Some(Projection { facts, quotients, is_loose, counters: projected, guard: system })
    }
}

/// The quotients in a sum, each once; `None` if something in it is neither that nor fine.
fn quotients_of(
    atoms: &Atoms,
    facts: &[Fact],
    sum: &Sum,
    is_fine: &impl Fn(&Atoms, Atom) -> bool,
) -> Option<Vec<Quotient>> {
    let mut found: Vec<Quotient> = Vec::new();
    for atom in sum.atoms().filter(|&atom| !is_fine(atoms, atom)) {
        if !found.iter().any(|known| known.atom == atom) {
            found.push(Quotient::of(atoms, facts, atom, is_fine)?);
        }
    }
    Some(found)
}

impl ByteBox {
    /// The box of accesses. `is_known` tells of an atom that is no counter whether it has its value before
    /// the code (see [`super::computable`]); `projections` are those of other boxes with the same `is_known`.
    pub fn of<'t>(
        atoms: &mut Atoms,
        projections: &mut Projections,
        touches: impl IntoIterator<Item = &'t Touch>,
        is_known: impl Fn(&Atoms, Atom) -> bool,
    ) -> Result<ByteBox, Stray> {
        let mut groups: Vec<Group> = Vec::new();
        let is_fine = |atoms: &Atoms, atom| is_counter(atoms, atom) || is_known(atoms, atom);
        for (n, touch) in touches.into_iter().enumerate() {
            for Case { address, facts, .. } in cases::of(atoms, touch, &is_fine) {
                let (rest, first) = address.without_constant();
                let end = first.checked_add(touch.bytes);
                let Some(end) = end else { return Err(Stray { touch: n, why: Unbounded::Shape }) };
                match groups.iter_mut().find(|group| group.rest == rest && are_equal(&group.facts, &facts)) {
                    Some(group) => (group.first, group.end) = (group.first.min(first), group.end.max(end)),
                    None => groups.push(Group { touch: n, rest, first, end, facts }),
                }
            }
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut loose: Vec<(usize, Part)> = Vec::new();
        for group in &groups {
            let (part, is_loose) =
                group.part(atoms, projections, &is_known).map_err(|why| Stray { touch: group.touch, why })?;
            if is_loose {
                loose.push((group.touch, part));
            } else if !parts.contains(&part) {
                parts.push(part);
            }
        }
        let stray = loose.iter().find(|(_, part)| !parts.iter().any(|other| other.has(part)));
        match stray {
            Some(&(touch, _)) => Err(Stray { touch, why: Unbounded::Address }),
            None => Ok(ByteBox { parts }),
        }
    }

    /// Its ends, as far as its parts are not empty; `None` for an object without accesses.
    pub fn ends(&self) -> Option<(Bound, Bound)> {
        let low = self.parts.iter().map(|part| part.low.clone()).collect();
        let high = self.parts.iter().map(|part| part.high.clone()).collect();
        Some((Bound::pick(low, true, |a, b| b.is_below(a))?, Bound::pick(high, false, Bound::is_below)?))
    }
}

impl Part {
    /// Whether each byte of another part is between bytes of this one, if there are any.
    fn has(&self, other: &Part) -> bool {
        self.guard.iter().all(|fact| other.guard.contains(fact))
            && self.low.is_below(&other.low)
            && other.high.is_below(&self.high)
    }
}

/// Accesses under the same conditions whose addresses differ by constants.
struct Group {
    /// The first of them.
    touch: usize,
    /// The address without its constant.
    rest: Sum,
    /// The least constant.
    first: i64,
    /// The greatest constant with the bytes of its access.
    end: i64,
    facts: Rc<Vec<Fact>>,
}

impl Group {
    fn part(
        &self,
        atoms: &mut Atoms,
        projections: &mut Projections,
        is_known: &impl Fn(&Atoms, Atom) -> bool,
    ) -> Result<(Part, bool), Unbounded> {
        let address = &self.rest;
        let is_fine = |atoms: &Atoms, atom| is_counter(atoms, atom) || is_known(atoms, atom);
        let Some(quotients) = quotients_of(atoms, &self.facts, address, &is_fine) else {
            let wraps = |atom| !is_fine(atoms, atom) && may_wrap(atoms, atom, is_known);
            return Err(if address.atoms().any(wraps) { Unbounded::Wraps } else { Unbounded::Address });
        };
        let of_address = (address, quotients);
        let projection = projections.of(atoms, &self.facts, of_address, &is_fine).ok_or(Unbounded::Size)?;
        let Projection { counters, guard, is_loose, .. } = &*projection;
        let (moving, fixed) = address.split(|product| product.iter().any(|&atom| is_moving(atoms, atom)));
        let step = moving.divisor().max(1);
        let mut ends = [(1, self.end), (-1, self.first)].into_iter().map(|(sign, constant)| {
            let fixed = fixed.plus(1, &Sum::constant(constant)).ok_or(Unbounded::Shape)?;
            let distance = moving.scaled(sign).ok_or(Unbounded::Shape)?;
            let mut search = Outermost { atoms, guard, step, sign, fixed, left: MOST_FACTS };
            search.greatest(&distance, 1, counters)
        });
        let (Some(high), Some(low)) = (ends.next(), ends.next()) else { return Err(Unbounded::Shape) };
        drop(ends);
        Ok((Part { guard: guard.facts.clone(), low: low?, high: high? }, *is_loose))
    }
}

/// Sums that are zero or more.
#[derive(Clone, Debug, Default)]
struct System {
    facts: Vec<Sum>,
}

impl System {
    /// Adds a sum of integers: what all factors have in common is taken out. Of sums that differ by a
    /// constant, as `i + 1` and `i + 3` do where a subscript has to be in its array, the least says all.
    fn add(&mut self, fact: Sum) {
        let common = fact.divisor();
        if common == 0 && fact.as_constant().is_some_and(|constant| constant >= 0) {
            return;
        }
        let new = fact.divided(common.max(1));
        let above = |known: &Sum| known.distance_from(&new);
        match self.facts.iter_mut().find_map(|known| Some((above(known)?, known))) {
            Some((1.., known)) => *known = new,
            Some(_) => {}
            None => self.facts.push(new),
        }
    }

    /// What is known of the others when nothing is said of a counter any more, and its bounds. Facts in which
    /// the counter has a factor that is no number are dropped.
    fn eliminate(&self, atoms: &mut Atoms, counter: Atom) -> Option<(System, Bounds)> {
        let mut bounds = Bounds::default();
        let mut system = System::default();
        for fact in &self.facts {
            let Some((factor, rest)) = fact.linear_in(counter) else { continue };
            match factor.as_constant() {
                Some(0) => system.add(rest),
                Some(factor @ 1..) => bounds.lower.push((rest.scaled(-1)?, factor)),
                Some(factor) => bounds.upper.push((rest, factor.checked_neg()?)),
                None => {}
            }
        }
        for (low, of_low) in &bounds.lower {
            for (high, of_high) in &bounds.upper {
                system.add(high.scaled(*of_low)?.plus(of_high.checked_neg()?, low)?);
            }
        }
        if system.facts.len() > MOST_FACTS {
            return None;
        }
        bounds.divide(atoms);
        Some((system, bounds))
    }

    /// Whether a sum without counters is zero or more for certain.
    fn proves(&self, atoms: &Atoms, sum: &Sum) -> bool {
        let natural = |atom: Atom| {
            let known = |fact: &Sum| fact.distance_from(&Sum::atom(atom));
            atoms.data(atom).range.0 >= 0
                || self.facts.iter().any(|fact| known(fact).is_some_and(|rest| rest <= 0))
        };
        let by_terms =
            || sum.terms().all(|(product, factor)| factor >= 0 && product.iter().all(|&atom| natural(atom)));
        let by_fact = |fact: &Sum| sum.distance_from(fact).is_some_and(|rest| rest >= 0);
        by_terms() || self.facts.iter().any(by_fact)
    }
}

/// Bounds of a counter: the counter times the number is at least, or at most, the sum.
#[derive(Debug, Default)]
struct Bounds {
    lower: Vec<(Sum, i64)>,
    upper: Vec<(Sum, i64)>,
}

impl Bounds {
    /// Divides bounds by their numbers where the quotient is known before the code. A counter is not
    /// negative, so that neither is its upper bound where there is an access, and a lower bound below zero
    /// says nothing.
    fn divide(&mut self, atoms: &mut Atoms) {
        let lower = self.lower.iter_mut().map(|bound| (bound, true));
        let upper = self.upper.iter_mut().map(|bound| (bound, false));
        for ((sum, number), is_lower) in lower.chain(upper) {
            if *number == 1 || sum.atoms().any(|atom| is_moving(atoms, atom)) {
                continue;
            }
            let up = if is_lower { *number - 1 } else { 0 };
            let Some(dividend) = sum.plus(1, &Sum::constant(up)) else { continue };
            let quotient = match dividend.as_constant() {
                Some(dividend) => Sum::constant(dividend.div_euclid(*number)),
                None => {
                    let kind = Kind::Binary(BinaryOp::SDiv, dividend, Sum::constant(*number));
                    Sum::atom(atoms.intern(kind, None, (i64::MIN, i64::MAX)))
                }
            };
            (*sum, *number) = (quotient, 1);
        }
    }
}

/// Whether an atom is what a type with fewer bits makes of counters and values that are known.
fn may_wrap(atoms: &Atoms, atom: Atom, is_known: &impl Fn(&Atoms, Atom) -> bool) -> bool {
    match &atoms.data(atom).kind {
        Kind::Converted(ConvertOp::ZExt | ConvertOp::Trunc | ConvertOp::Bits, _, value) => {
            let is_fine =
                |atom| is_counter(atoms, atom) || is_known(atoms, atom) || may_wrap(atoms, atom, is_known);
            value.atoms().all(is_fine)
        }
        _ => false,
    }
}

fn is_counter(atoms: &Atoms, atom: Atom) -> bool {
    matches!(atoms.data(atom).kind, Kind::Counter(_))
}

/// Whether an atom is projected out: a counter, or a remainder of one.
fn is_moving(atoms: &Atoms, atom: Atom) -> bool {
    atoms.data(atom).varies.is_some()
}
