//! Integer values as sums of products of atoms.
//!
//! A subscript such as `(i + 1) * m + j` is a sum: products of *atoms* with a constant before each. An atom
//! is a number that nothing here looks into: the counter of a loop, what a variable held at the beginning,
//! the value of an element that nobody writes, or a value that is not understood at all. Equal expressions
//! are equal sums, since operations that are no sums (a division, say) become atoms by their arguments.
//!
//! Sums are those of unbounded integers. The caller sees to it that the program's numbers do not wrap around:
//! signed arithmetic of C may not, and what a narrower or unsigned type makes of a sum is an atom of its own.

mod terms;

use super::accumulation::Step;
use crate::entities::{Local, Loop};
use crate::op::{BinaryOp, CmpOp, ConvertOp, Operand, UnaryOp};
use crate::types::Type;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, entity_impl};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Deref;
use terms::{Term, Terms};

/// A number that is not taken apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(u32);
entity_impl!(Atom, "atom");

/// What an atom stands for. Atoms of equal kinds are one atom.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The iterations of a loop before this one: 0 in the first.
    Counter(Loop),
    /// What a local held before the code that is looked at.
    Entry(Local),
    /// The address of an object, the value of a function's name, or a floating-point constant.
    Object(Name),
    /// An element of memory that the code does not write.
    Element {
        /// Its type.
        ty: Type,
        /// Its address.
        at: Sum,
    },
    /// An element of memory, as long as nothing is written.
    Loaded {
        /// Its type.
        ty: Type,
        /// Its address.
        at: Sum,
        /// Everything that was written before.
        version: u32,
    },
    /// An operation with one operand.
    Unary(UnaryOp, Sum),
    /// An operation that is no sum.
    Binary(BinaryOp, Sum, Sum),
    /// A comparison of values of a type.
    Compare(CmpOp, Type, Sum, Sum),
    /// What a conversion makes of a value that may not fit, or of a value that is not an integer.
    Converted(ConvertOp, Type, Sum),
    /// One of two values, as a truth value says.
    Choice {
        /// The truth value.
        cond: Atom,
        /// The value where it holds.
        then: Sum,
        /// The value elsewhere.
        otherwise: Sum,
    },
    /// What a loop makes of a value by an operator and terms.
    Accumulated {
        /// The operator.
        step: Step,
        /// The value before the loop.
        before: Sum,
        /// What stands for the terms.
        terms: Atom,
    },
    /// A value of its own, which depends on others in some way.
    Opaque(u32, Vec<Sum>),
}

impl Kind {
    /// The sums that the value depends on.
    pub fn inputs(&self, mut visit: impl FnMut(&Sum)) {
        match self {
            Kind::Counter(_) | Kind::Entry(_) | Kind::Object(_) => {}
            Kind::Element { at: sum, .. }
            | Kind::Loaded { at: sum, .. }
            | Kind::Unary(_, sum)
            | Kind::Converted(_, _, sum) => visit(sum),
            Kind::Accumulated { before, terms, .. } => {
                visit(before);
                visit(&Sum::atom(*terms));
            }
            Kind::Binary(_, a, b) | Kind::Compare(_, _, a, b) => {
                visit(a);
                visit(b);
            }
            Kind::Choice { cond, then, otherwise } => {
                visit(&Sum::atom(*cond));
                visit(then);
                visit(otherwise);
            }
            Kind::Opaque(_, sums) => sums.iter().for_each(visit),
        }
    }
}

/// An operand that is the same everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Name {
    /// A slot's address.
    Slot(crate::entities::Slot),
    /// A global's address.
    Global(crate::entities::Global),
    /// A function's address.
    Func(crate::entities::Func),
    /// A binary32 constant.
    F32(u32),
    /// A binary64 constant.
    F64(u64),
}

/// What is known about an atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtomData {
    /// What it stands for.
    pub kind: Kind,
    /// The innermost loop from one iteration of which to the next it may change; `None`: it is the same
    /// everywhere.
    pub varies: Option<Loop>,
    /// It is at least this, and at most that.
    pub range: (i64, i64),
}

/// A product of atoms, in order; empty for 1.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// Behind the factors stands [`NO_ATOM`].
    atoms: [Atom; MOST_FACTORS],
}

const NO_ATOM: Atom = Atom(u32::MAX);

impl Product {
    const NONE: Product = Product { atoms: [NO_ATOM; MOST_FACTORS] };

    /// 1.
    pub fn new() -> Product {
        Product::NONE
    }

    /// The product of atoms in order; `None` if they are too many.
    fn of(atoms: impl Iterator<Item = Atom>) -> Option<Product> {
        let mut product = Product::new();
        for (n, atom) in atoms.enumerate() {
            *product.atoms.get_mut(n)? = atom;
        }
        Some(product)
    }

    /// Two numbers that products are in the order of: an atom has a greater digit than none.
    #[inline]
    fn rank(&self) -> (u64, u64) {
        let [a, b, c, d] = self.atoms.map(|atom| u64::from(atom.0.wrapping_add(1)));
        (a << 32 | b, c << 32 | d)
    }

    fn has(&self, atom: Atom) -> bool {
        self.atoms.contains(&atom)
    }

    /// The product of some of its atoms.
    pub fn retained(&self, keeps: impl Fn(Atom) -> bool) -> Product {
        Product::of(self.iter().copied().filter(|&atom| keeps(atom))).unwrap_or_default()
    }

    /// Without the first atom that a condition holds for, and that atom.
    pub fn without_one(&self, is_it: impl Fn(Atom) -> bool) -> Option<(Product, Atom)> {
        let at = self.iter().position(|&atom| is_it(atom))?;
        let rest = self[..at].iter().chain(&self[at + 1..]).copied();
        Some((Product::of(rest)?, self[at]))
    }

    /// Without the factors of another product; `None` if it lacks one of them.
    pub fn quotient(&self, by: &Product) -> Option<Product> {
        let mut left = by.iter().peekable();
        let rest = self.iter().copied().filter(|atom| left.next_if_eq(&atom).is_none());
        let rest = Product::of(rest)?;
        left.next().is_none().then_some(rest)
    }

    fn times(&self, other: &Product) -> Option<Product> {
        let mut product = Product::of(self.iter().chain(other.iter()).copied())?;
        // What stands behind the factors is greater than any of them.
        product.atoms.sort_unstable();
        Some(product)
    }
}

impl Default for Product {
    fn default() -> Product {
        Product::new()
    }
}

impl Deref for Product {
    type Target = [Atom];

    fn deref(&self) -> &[Atom] {
        let factors = self.atoms.iter().filter(|&&atom| atom != NO_ATOM).count();
        &self.atoms[..factors]
    }
}

impl PartialEq for Product {
    #[inline]
    fn eq(&self, other: &Product) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Product {}

impl Hash for Product {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (first, last) = self.rank();
        state.write_u64(first);
        state.write_u64(last);
    }
}

impl PartialOrd for Product {
    fn partial_cmp(&self, other: &Product) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Product {
    #[inline]
    fn cmp(&self, other: &Product) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// A sum of products with constants before them, in order of the products; none of the constants is 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sum {
    terms: Terms,
}

/// More products than this are not worth keeping apart.
const MOST_TERMS: usize = 24;
/// Nor are longer ones.
const MOST_FACTORS: usize = 4;

impl Sum {
    /// A constant.
    pub fn constant(value: i64) -> Sum {
        Sum::term(Product::new(), value)
    }

    /// An atom.
    pub fn atom(atom: Atom) -> Sum {
        let mut product = Product::new();
        product.atoms[0] = atom;
        Sum { terms: Terms::one((product, 1)) }
    }

    /// A product with a constant before it.
    pub fn term(product: Product, factor: i64) -> Sum {
        Sum { terms: if factor == 0 { Terms::default() } else { Terms::one((product, factor)) } }
    }

    /// Products and the constants before them.
    pub fn terms(&self) -> impl Iterator<Item = (&Product, i64)> {
        self.terms.iter().map(|(product, factor)| (product, *factor))
    }

    /// Its value, if it has no atoms.
    pub fn as_constant(&self) -> Option<i64> {
        match &self.terms[..] {
            [] => Some(0),
            [(product, factor)] if product.is_empty() => Some(*factor),
            _ => None,
        }
    }

    /// The atom, if it is nothing else.
    pub fn as_atom(&self) -> Option<Atom> {
        match &self.terms[..] {
            [(product, 1)] if product.len() == 1 => Some(product[0]),
            _ => None,
        }
    }

    /// The atoms it has.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.terms.iter().flat_map(|(product, _)| product.iter().copied())
    }

    /// `self + factor * other`; `None` if a number does not fit, or there is too much of it.
    pub fn plus(&self, factor: i64, other: &Sum) -> Option<Sum> {
        // What is added is nothing more often than anything else: the offset of most accesses is zero.
        if other.terms.is_empty() {
            return Some(self.clone());
        }
        if self.terms.is_empty() && factor == 1 {
            return Some(other.clone());
        }
        if let [(product, number)] = &other.terms[..] {
            return self.plus_term((*product, number.checked_mul(factor)?));
        }
        let (mut left, mut right) = (&self.terms[..], &other.terms[..]);
        let mut terms = Terms::default();
        while let ([a, after_a @ ..], [b, after_b @ ..]) = (left, right) {
            let order = a.0.cmp(&b.0);
            let mut sum = if order.is_le() { a.1 } else { 0 };
            if order.is_ge() {
                sum = sum.checked_add(b.1.checked_mul(factor)?)?;
                right = after_b;
            }
            if order.is_le() {
                left = after_a;
            }
            if sum != 0 {
                terms.push((if order.is_le() { a.0 } else { b.0 }, sum));
            }
        }
        terms.extend_from_slice(left);
        for (product, number) in right {
            match number.checked_mul(factor)? {
                0 => {}
                number => terms.push((*product, number)),
            }
        }
        (terms.len() <= MOST_TERMS).then_some(Sum { terms })
    }

    fn plus_term(&self, (product, number): Term) -> Option<Sum> {
        let mut terms = self.terms.clone();
        let at = terms.iter().position(|(known, _)| *known >= product).unwrap_or(terms.len());
        match terms.get_mut(at) {
            Some((known, already)) if *known == product => {
                *already = already.checked_add(number)?;
                if *already == 0 {
                    terms.remove(at);
                }
            }
            _ if number != 0 => terms.insert(at, (product, number)),
            _ => {}
        }
        (terms.len() <= MOST_TERMS).then_some(Sum { terms })
    }

    /// `self - other`, if that is a constant.
    pub fn distance_from(&self, other: &Sum) -> Option<i64> {
        let ((terms, constant), (others, other)) = (self.parts(), other.parts());
        if terms == others { constant.checked_sub(other) } else { None }
    }

    /// `self + other`, if the terms with atoms are opposite.
    pub fn if_opposite(&self, other: &Sum) -> Option<i64> {
        let ((terms, constant), (others, other)) = (self.parts(), other.parts());
        let mut pairs = terms.iter().zip(others);
        let is_opposite =
            terms.len() == others.len() && pairs.all(|(a, b)| a.1.checked_neg() == Some(b.1) && a.0 == b.0);
        if is_opposite { constant.checked_add(other) } else { None }
    }

    /// The terms with atoms, and the constant.
    fn parts(&self) -> (&[Term], i64) {
        // The empty product is the first one.
        match &self.terms[..] {
            [(product, constant), rest @ ..] if product.is_empty() => (rest, *constant),
            terms => (terms, 0),
        }
    }

    /// The terms whose product fulfils a condition, and the others.
    pub fn split(&self, has: impl Fn(&Product) -> bool) -> (Sum, Sum) {
        let (mut with, mut without) = (Sum::default(), Sum::default());
        for term in self.terms.iter() {
            let side = if has(&term.0) { &mut with } else { &mut without };
            side.terms.push(*term);
        }
        (with, without)
    }

    /// The sum without its constant, and the constant.
    pub fn without_constant(&self) -> (Sum, i64) {
        let (terms, constant) = self.parts();
        (Sum { terms: terms.into() }, constant)
    }

    /// The factor of an atom, and the terms that do not have it; `None` if its square is in the sum.
    pub fn linear_in(&self, atom: Atom) -> Option<(Sum, Sum)> {
        let (mut factor, mut rest) = (Sum::default(), Sum::default());
        for &(product, number) in self.terms.iter() {
            if !product.has(atom) {
                rest.terms.push((product, number));
                continue;
            }
            let (product, _) = product.without_one(|other| other == atom)?;
            if product.has(atom) {
                return None;
            }
            factor = factor.plus_term((product, number))?;
        }
        Some((factor, rest))
    }

    /// The greatest number that divides the factors of all products; 0 for a constant.
    pub fn divisor(&self) -> i64 {
        let mut divisor = 0;
        for (_, by) in self.parts().0 {
            divisor = gcd(divisor, *by);
            if divisor == 1 {
                break;
            }
        }
        divisor
    }

    /// The sum divided by a number that divides the factors of all products; of the constant, the quotient
    /// below.
    pub fn divided(mut self, by: i64) -> Sum {
        if by == 1 {
            return self;
        }
        self.terms.iter_mut().for_each(|(_, factor)| *factor = factor.div_euclid(by));
        self.terms.retain(|(_, factor)| *factor != 0);
        self
    }

    /// The product of two sums; `None` as for [`Sum::plus`].
    pub fn times(&self, other: &Sum) -> Option<Sum> {
        if let Some(factor) = other.as_constant() {
            return self.scaled(factor);
        }
        if let Some(factor) = self.as_constant() {
            return other.scaled(factor);
        }
        let mut sum = Sum::default();
        for (a, x) in self.terms.iter() {
            for (b, y) in other.terms.iter() {
                let term = Sum { terms: Terms::one((a.times(b)?, x.checked_mul(*y)?)) };
                sum = sum.plus(1, &term)?;
            }
        }
        Some(sum)
    }

    /// The quotient by another sum, as a polynomial, and what is left: `i * (n + 2) + j` by `n + 2` is `i`,
    /// and `j` is left. `None` as for [`Sum::plus`].
    pub fn divided_by(&self, by: &Sum) -> Option<(Sum, Sum)> {
        let (lead, number) = by.lead()?;
        let (mut quotient, mut rest, mut left) = (Sum::default(), Sum::default(), self.clone());
        while let Some((product, factor)) = left.lead() {
            let ratio = product.quotient(&lead).filter(|_| factor.checked_rem(number) == Some(0));
            if let Some(ratio) = ratio {
                let term = Sum::term(ratio, factor.checked_div(number)?);
                left = left.plus(-1, &term.times(by)?)?;
                quotient = quotient.plus(1, &term)?;
            } else {
                let term = Sum::term(product, factor);
                left = left.plus(-1, &term)?;
                rest = rest.plus(1, &term)?;
            }
        }
        Some((quotient, rest))
    }

    /// The term with the most factors; of several such terms, the last one in the order of products, which
    /// a further factor does not change.
    fn lead(&self) -> Option<Term> {
        self.terms.iter().copied().max_by_key(|(product, _)| (product.len(), *product))
    }

    /// Divided by the greatest number that divides the sum, so that the leading term is above zero.
    pub fn primitive(&self) -> Option<Sum> {
        let (_, number) = self.lead()?;
        let common = self.terms.iter().fold(0, |common, (_, factor)| gcd(common, *factor));
        self.scaled(number.signum()).map(|sum| sum.divided(common))
    }

    /// The degree: how many factors the longest product has.
    pub fn degree(&self) -> usize {
        self.lead().map_or(0, |(product, _)| product.len())
    }

    /// The sum times a constant.
    pub fn scaled(&self, factor: i64) -> Option<Sum> {
        if factor == 1 {
            return Some(self.clone());
        }
        Sum::default().plus(factor, self)
    }
}

/// The greatest number that divides both; 1 if it does not fit.
pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    if a == 1 || b == 1 {
        return 1;
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// The atoms of a piece of code.
#[derive(Debug)]
pub struct Atoms {
    data: PrimaryMap<Atom, AtomData>,
    /// Atoms by the hashes of their kinds; of kinds with one hash, the later ones by the numbers that follow.
    /// Kinds are large, and there is one copy of each.
    known: FxHashMap<u64, Atom>,
}

/// Atoms that a nest has as a rule: room for them from the start.
const MANY_ATOMS: usize = 64;

impl Atoms {
    /// No atoms yet.
    pub fn new() -> Atoms {
        let known = FxHashMap::with_capacity_and_hasher(MANY_ATOMS, FxBuildHasher);
        Atoms { data: PrimaryMap::with_capacity(MANY_ATOMS), known }
    }

    /// What is known about an atom.
    pub fn data(&self, atom: Atom) -> &AtomData {
        &self.data[atom]
    }

    /// The atom of a kind, if there is one.
    pub fn known(&self, kind: &Kind) -> Option<Atom> {
        self.find(kind).ok()
    }

    /// The atom of a kind, or where one would be in the table.
    fn find(&self, kind: &Kind) -> Result<Atom, u64> {
        let mut hash = FxBuildHasher.hash_one(kind);
        while let Some(&atom) = self.known.get(&hash) {
            if self.data[atom].kind == *kind {
                return Ok(atom);
            }
            hash = hash.wrapping_add(1);
        }
        Err(hash)
    }

    /// The atom of a kind; its properties count if it is new.
    pub fn intern(&mut self, kind: Kind, varies: Option<Loop>, range: (i64, i64)) -> Atom {
        self.find(&kind).unwrap_or_else(|place| {
            let atom = self.data.push(AtomData { kind, varies, range });
            self.known.insert(place, atom);
            atom
        })
    }

    /// An atom that stands for a value of its own, which depends on others.
    pub fn opaque(&mut self, inputs: Vec<Sum>, varies: Option<Loop>, range: (i64, i64)) -> Atom {
        let kind = Kind::Opaque(self.data.len() as u32, inputs);
        self.data.push(AtomData { kind, varies, range })
    }

    /// The object and the offset of an address in an object with a name.
    pub fn object_at(&self, at: &Sum) -> Option<(Operand, i64)> {
        let (object, offset) = at.without_constant();
        match self.data(object.as_atom()?).kind {
            Kind::Object(Name::Slot(slot)) => Some((Operand::Slot(slot), offset)),
            Kind::Object(Name::Global(global)) => Some((Operand::Global(global), offset)),
            _ => None,
        }
    }

    /// The variable that a pointer was loaded from.
    pub fn variable(&self, pointer: Atom) -> Option<Operand> {
        let Kind::Element { at, .. } = &self.data(pointer).kind else { return None };
        self.object_at(at).filter(|&(_, offset)| offset == 0).map(|(variable, _)| variable)
    }

    /// Whether a variable at file scope held a pointer. What `restrict` promises of it lasts as long as the
    /// program, so that `p = array + 4;` anywhere breaks it for `array`: programs do that, and count on the
    /// answer that other compilers give.
    pub fn is_of_file_scope(&self, pointer: Atom) -> bool {
        matches!(self.variable(pointer), Some(Operand::Global(_)))
    }

    /// Notes that an atom is between closer limits than were known.
    pub fn narrow(&mut self, atom: Atom, (low, high): (i64, i64)) {
        let (least, most) = self.data[atom].range;
        self.data[atom].range = (least.max(low), most.min(high));
    }

    /// Says anew what an atom is between.
    pub fn set_range(&mut self, atom: Atom, range: (i64, i64)) {
        self.data[atom].range = range;
    }

    /// The atoms whose values depend on that of an atom, itself included.
    pub fn dependent(&self, on: Atom) -> EntitySet<Atom> {
        let mut found = EntitySet::with_capacity(self.data.len());
        found.insert(on);
        // Atoms are made of older atoms.
        for index in on.index() + 1..self.data.len() {
            let mut depends = false;
            let atom = Atom::new(index);
            self.data[atom].kind.inputs(|sum| depends |= sum.atoms().any(|input| found.contains(input)));
            if depends {
                found.insert(atom);
            }
        }
        found
    }

    /// Whether any of a sum's atoms may change from one iteration of a loop to the next.
    /// `is_within(inner, outer)` says whether a loop is another one or inside of it.
    pub fn varies_in(&self, sum: &Sum, loop_: Loop, is_within: impl Fn(Loop, Loop) -> bool) -> bool {
        sum.atoms().any(|atom| self.data[atom].varies.is_some_and(|varies| is_within(varies, loop_)))
    }
}

impl Default for Atoms {
    /// None, and no room for any.
    fn default() -> Atoms {
        Atoms { data: PrimaryMap::new(), known: FxHashMap::default() }
    }
}

/// What numbers of a type are between; addresses and wide integers are any number.
pub fn range(ty: Type, signed: bool) -> (i64, i64) {
    match (ty.int_bits(), signed) {
        (Some(bits @ 1..=63), true) => (-1 << (bits - 1), (1 << (bits - 1)) - 1),
        (Some(bits @ 1..=62), false) => (0, (1 << bits) - 1),
        (Some(63 | 64), false) => (0, i64::MAX),
        _ => (i64::MIN, i64::MAX),
    }
}

/// The name behind an operand that is the same everywhere and is no integer.
pub fn name(operand: Operand) -> Option<Name> {
    match operand {
        Operand::Slot(slot) => Some(Name::Slot(slot)),
        Operand::Global(global) => Some(Name::Global(global)),
        Operand::Func(func) => Some(Name::Func(func)),
        Operand::F32(bits) => Some(Name::F32(bits)),
        Operand::F64(bits) => Some(Name::F64(bits)),
        Operand::Local(_) | Operand::Int(..) => None,
    }
}
