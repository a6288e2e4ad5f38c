//! Whether the iterations of a loop depend on each other.
//!
//! Two accesses depend on each other if they touch the same bytes in different iterations and one of them
//! writes. For each pair that is a system of equations and inequalities ([`super::integers`]): the facts
//! under which the accesses are executed ([`super::survey`]), once for the earlier iteration and once for the
//! later one, an earlier counter below a later one, and addresses that overlap. Loops around the one that is
//! judged are in the same iteration on both sides.
//!
//! Addresses with a symbolic stride, such as `p + 8 * (i * m + j)`, are taken apart into subscripts where the
//! facts prove that `0 <= j < m`; otherwise a product such as `i * m` is a number that nothing is known
//! about.

pub mod across;
mod rings;

use super::facts::{Conditions, Fact, Side, are_free, is_quotient};
use super::integers::{Answer, Linear, System};
use super::scalars::{Role, accumulates};
use super::sums::{Atom, Atoms, Kind, Name, Product, Sum, gcd};
use super::survey::{Obstacle, Survey, Touch, Whole, are_of_one_type};
use crate::acc::ReductionOp;
use crate::entities::{Block, Local, Loop, Slot};
use crate::op::{Operand, Pos};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::RefCell;
use std::rc::Rc;

/// What keeps the iterations of a loop from running at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hindrance {
    /// Two accesses, by their places in [`Survey::touches`], touch the same bytes: the first in an earlier
    /// iteration.
    Carried {
        /// The access in the earlier iteration.
        earlier: usize,
        /// The access in a later one.
        later: usize,
        /// The least number of iterations from one to the other.
        distance: i64,
        /// It happens whenever the loop runs that often: no condition is left that may keep it from
        /// happening.
        is_certain: bool,
    },
    /// A local keeps its value from one iteration to the next, and does not merely count or accumulate.
    Scalar(Local),
    /// Iterations accumulate in a local, and use what it has come to.
    Scan(Local, ReductionOp),
    /// Whether two accesses depend on each other is not known: a subscript is not a sum over counters.
    Subscript(usize, usize),
    /// Whether two accesses depend on each other is not known: their pointers may lead to the same object.
    Alias(usize, usize),
    /// Something in the loop is not looked into.
    Obstacle(Obstacle, Pos),
    /// There are more accesses than are compared.
    Size,
}

/// What is known about the iterations of a loop.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Why the loop is sequential; `None`: iterations are independent if the pairs in `apart` are.
    pub hindrance: Option<Hindrance>,
    /// The hindrance is a scan, and there would be none without the scans.
    pub is_by_scans: bool,
    /// Pairs of accesses that are independent if what they touch in all of the nest does not overlap.
    pub apart: Vec<(usize, usize)>,
    /// Accesses that have to stay within their rows, so that other accesses are independent of them.
    pub rows: Vec<Row>,
    /// Accesses by which iterations accumulate onto elements of memory, with the operator: independent of
    /// each other as an atomic update is.
    pub updates: FxHashMap<usize, ReductionOp>,
}

/// A condition under which a subscript says where an access is: `p[i * s + j]` is in row `i` if `j` is below
/// `s`.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The access, by its place in [`Survey::touches`].
    pub touch: usize,
    /// Its distance from the beginning of the row, in bytes.
    pub place: Sum,
    /// How many bytes from there on have to be in the row.
    pub bytes: i64,
    /// The length of the row in bytes.
    pub size: Sum,
}

/// Questions that the search for the least distance may ask.
const QUESTIONS: u32 = 70;
/// Pairs of which nothing becomes known, after which no more are compared.
const MOST_UNKNOWN: usize = 12;
/// Numbers that are known not to be zero, of the two iterations that a question is about: each doubles the
/// systems, where it matters.
const MOST_NONZERO: usize = 4;
/// Pairs of accesses of a loop that are compared.
const MOST_PAIRS: usize = 6000;

/// What is asked about a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Whether its iterations are independent, and on which conditions.
    Independence,
    /// Whether they need each other for certain ([`Hindrance::Carried`]): the programmer has decided about
    /// the loop, so that anything else the verdict says is of no interest.
    Refutation,
}

/// Judges a loop of a nest; `in_range` is what the judgements on other loops of the nest have found.
pub fn judge(
    (whole, survey): (&Whole<'_>, &Survey),
    (loop_, asked): (Loop, Asked),
    in_range: &InRange,
    is_exempt: &dyn Fn(&Touch) -> bool,
) -> Verdict {
    let Some(facts) = survey.loops.get(&loop_) else {
        let obstacle = Hindrance::Obstacle(Obstacle::Directive, whole.body.loops[loop_].pos);
        return Verdict { hindrance: Some(obstacle), ..Verdict::default() };
    };
    // What was noted of accesses is that of one way around a cycle.
    if let Some(&(cycle, pos)) = facts.obstacles.iter().find(|(obstacle, _)| *obstacle == Obstacle::Cycle) {
        return Verdict { hindrance: Some(Hindrance::Obstacle(cycle, pos)), ..Verdict::default() };
    }
    let inside = distinct(whole, survey, loop_, is_exempt);
    let mut verdict = Verdict::default();
    let judge = Judge {
        whole,
        survey,
        loop_,
        in_range,
        is_across: false,
        same: first_alike(survey, &inside),
        known: RefCell::default(),
    };
    // What is certain explains more than what is not known.
    let obstacle = facts.obstacles.first().map(|&(obstacle, pos)| Hindrance::Obstacle(obstacle, pos));
    let scalar = facts.scalars.iter().find_map(|&(local, role)| match role {
        Role::Carried => Some(Hindrance::Scalar(local)),
        Role::Scan { op, .. } => Some(Hindrance::Scan(local, op)),
        Role::Private | Role::Reduction { .. } => None,
    });
    let pairs = compare(&judge, asked, &inside, &mut verdict);
    let is_carried = facts.scalars.iter().any(|(_, role)| *role == Role::Carried);
    let is_scan = matches!(scalar, Some(Hindrance::Scan(..)));
    verdict.is_by_scans = is_scan && !is_carried && pairs.is_none() && obstacle.is_none();
    let is_proof = |hindrance: &Hindrance| matches!(hindrance, Hindrance::Carried { .. });
    verdict.hindrance = match pairs {
        Some(pair) if is_proof(&pair) => Some(pair),
        pair => scalar.or(obstacle).or(pair),
    };
    verdict
}

/// The accesses inside of a loop, equal ones once.
fn distinct(
    whole: &Whole<'_>,
    survey: &Survey,
    loop_: Loop,
    is_exempt: &dyn Fn(&Touch) -> bool,
) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for (n, touch) in survey.touches.iter().enumerate() {
        if !whole.body.loop_is_within(Some(touch.loop_), loop_) || is_exempt(touch) {
            continue;
        }
        let same = |&other: &usize| {
            let other = &survey.touches[other];
            // A store is told from another one by its value: it may be an update.
            (other.address == touch.address && other.bytes == touch.bytes && other.ty == touch.ty)
                && (other.writes == touch.writes && other.loop_ == touch.loop_)
                && other.facts == touch.facts
                && other.value == touch.value
        };
        if !found.iter().any(same) {
            found.push(n);
        }
    }
    found
}

/// Compares the accesses of a loop in pairs; what hinders most, certain things first.
fn compare(judge: &Judge<'_>, asked: Asked, inside: &[usize], verdict: &mut Verdict) -> Option<Hindrance> {
    let survey = judge.survey;
    let updates = updates(survey, inside);
    let mut found = None;
    let (mut count, mut unknown) = (0, 0);
    // Pairs that may be apart, which refutes nothing, or may count as unknown.
    let mut open: Vec<(Pair<'_>, bool)> = Vec::new();
    for (n, &a) in inside.iter().enumerate() {
        for &b in &inside[n..] {
            if !survey.touches[a].writes && !survey.touches[b].writes {
                continue;
            }
            count += 1;
            if count > MOST_PAIRS {
                return Some(Hindrance::Size);
            }
            let pair = Pair { judge, a, b };
            let meeting = match pair.judge() {
                Meeting::Open { is_symbolic } if asked == Asked::Refutation => {
                    if !commute(&updates, a, b) {
                        open.push((pair, is_symbolic));
                    }
                    if unknown + open.len() > MOST_UNKNOWN {
                        let settled = open.drain(..).map(|(pair, is_symbolic)| pair.settled(is_symbolic));
                        unknown += settled.filter(|meeting| matches!(meeting, Meeting::Hindered(_))).count();
                    }
                    if unknown > MOST_UNKNOWN {
                        return found;
                    }
                    continue;
                }
                Meeting::Open { is_symbolic } => pair.settled(is_symbolic),
                meeting => meeting,
            };
            match meeting {
                Meeting::Never | Meeting::Open { .. } => {}
                Meeting::Apart => verdict.apart.push((a, b)),
                Meeting::Hindered(_) | Meeting::InRows(_) if commute(&updates, a, b) => {
                    verdict.updates.extend([a, b].map(|touch| (touch, updates[&touch])));
                }
                Meeting::InRows(rows) => {
                    for row in rows {
                        if !verdict.rows.contains(&row) {
                            verdict.rows.push(row);
                        }
                    }
                }
                Meeting::Hindered(certain @ Hindrance::Carried { .. }) => {
                    let is_nearer = |old: &Hindrance| match (old, &certain) {
                        (
                            Hindrance::Carried { distance: old, .. },
                            Hindrance::Carried { distance: new, .. },
                        ) => new < old,
                        _ => true,
                    };
                    if found.as_ref().is_none_or(is_nearer) {
                        found = Some(certain);
                    }
                }
                Meeting::Hindered(other) => {
                    // What takes the solver too long does so pair after pair.
                    unknown += usize::from(matches!(other, Hindrance::Subscript(..)));
                    found = found.or(Some(other));
                    if unknown > MOST_UNKNOWN {
                        return found;
                    }
                }
            }
        }
    }
    found
}

/// Whether two accesses accumulate by the same operator, so that their order is no matter.
fn commute(updates: &FxHashMap<usize, ReductionOp>, a: usize, b: usize) -> bool {
    updates.contains_key(&a) && updates.get(&a) == updates.get(&b)
}

/// Finds the accesses that read an element, combine it with a term, and write it, where nothing else uses the
/// value that was read.
fn updates(survey: &Survey, inside: &[usize]) -> FxHashMap<usize, ReductionOp> {
    let mut found = FxHashMap::default();
    for &store in inside {
        let write = &survey.touches[store];
        let (true, Some(value)) = (write.writes, &write.value) else { continue };
        let read = inside.iter().copied().find_map(|load| {
            let read = &survey.touches[load];
            let start = read.value.as_ref()?.as_atom()?;
            let is_same = !read.writes && read.address == write.address && read.loop_ == write.loop_;
            let is_loaded = matches!(survey.atoms.data(start).kind, Kind::Loaded { .. });
            let step = (is_same && is_loaded)
                .then(|| accumulates(&survey.atoms, value, start))
                .flatten()
                .flatten()?;
            Some((load, start, step.op))
        });
        let Some((load, start, op)) = read else { continue };
        let dependent = survey.atoms.dependent(start);
        let depends = |sum: &Sum| sum.atoms().any(|atom| dependent.contains(atom));
        let kept = survey.loops.values().flat_map(|facts| &facts.kept);
        let is_used = kept.into_iter().any(|(_, sum)| depends(sum))
            || survey.touches.iter().enumerate().any(|(n, touch)| {
                let by_way = touch.control.iter().any(|control| dependent.contains(control.cond));
                let by_value = n != store && touch.value.as_ref().is_some_and(depends);
                touch.writes && (by_way || by_value || depends(&touch.address))
            });
        if !is_used {
            found.insert(store, op);
            // `c > t ? c : t` may read `c` twice.
            let value = &survey.touches[load].value;
            let loads = inside.iter().filter(|&&other| survey.touches[other].value == *value);
            found.extend(loads.filter(|&&other| other != store).map(|&other| (other, op)));
        }
    }
    found
}

/// A loop that is judged.
struct Judge<'a> {
    whole: &'a Whole<'a>,
    survey: &'a Survey,
    loop_: Loop,
    in_range: &'a InRange,
    /// All iterations of the code of the first access come before those of the second one's.
    is_across: bool,
    /// By the place of an access, that of the first one to which all questions have the same answers: one
    /// element is read and written, and read again.
    same: FxHashMap<usize, usize>,
    /// What is known of two such accesses, the earlier one first.
    known: RefCell<FxHashMap<(usize, usize), Answered>>,
}

/// The distance of two accesses, and whether nothing but numbers of the program may keep them from it.
type Answered = (Distance, bool);

impl Judge<'_> {
    fn distance(&self, pair: &Pair<'_>, earlier: usize, later: usize) -> Answered {
        let key = (self.same[&earlier], self.same[&later]);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let mut question = Question::new(pair, earlier, later);
        let distance = question.distance();
        let is_certain = question.knows_facts && question.knows_all && question.is_usual;
        let answered = (distance, is_certain);
        self.known.borrow_mut().insert(key, answered);
        answered
    }
}

/// The first access to the same bytes under the same facts, for each access.
fn first_alike(survey: &Survey, inside: &[usize]) -> FxHashMap<usize, usize> {
    let mut first: Vec<usize> = Vec::with_capacity(inside.len());
    let mut same = FxHashMap::with_capacity_and_hasher(inside.len(), FxBuildHasher);
    for &n in inside {
        let touch = &survey.touches[n];
        let is_alike = |&other: &usize| {
            let other = &survey.touches[other];
            (other.address == touch.address && other.bytes == touch.bytes)
                && (other.root == touch.root && other.facts == touch.facts)
        };
        let alike = first.iter().copied().find(is_alike);
        first.extend(alike.is_none().then_some(n));
        same.insert(n, alike.unwrap_or(n));
    }
    same
}

/// The subscripts of accesses, taken apart by strides, that are within their dimensions. Each access of a
/// nest is one of many pairs, in the judgement on each loop around it.
#[derive(Debug, Default)]
pub struct InRange {
    /// By the place of an access in [`Survey::touches`].
    known: RefCell<FxHashMap<usize, ByDimensions>>,
}

/// Dimensions, of which an access has few different ones, and the subscripts in them, if there are any.
type ByDimensions = Vec<(Dimensions, Option<Rc<[Sum]>>)>;

/// What addresses are taken apart by.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Dimensions {
    /// The largest first; each divides the one before it.
    strides: Vec<Sum>,
    /// Bytes of one element, as subscripts have it: two accesses have rows of one length only if their
    /// elements have one size. Rows of `p[2 * i * n + j]` hold two of `p[i * n + j]`.
    unit: i64,
}

/// Two accesses of a loop; `a` stands first in the program, or is `b`.
struct Pair<'a> {
    judge: &'a Judge<'a>,
    a: usize,
    b: usize,
}

/// Whether two accesses touch the same bytes in different iterations.
enum Meeting {
    Never,
    /// Not if what they touch in all iterations does not overlap.
    Apart,
    /// Not if both stay within these rows.
    InRows(Vec<Row>),
    /// Their distance is not known; [`Pair::settled`] tells what is.
    Open {
        /// The distance is a number that the loop does not change.
        is_symbolic: bool,
    },
    Hindered(Hindrance),
}

impl Pair<'_> {
    fn judge(&self) -> Meeting {
        let (a, b) = (&self.judge.survey.touches[self.a], &self.judge.survey.touches[self.b]);
        if self.judge.whole.bases.differ(a.base, b.base) {
            return Meeting::Never;
        }
        match (a.root, b.root) {
            // A pointer that each iteration loads leads elsewhere each time.
            (Some(x), Some(y)) if x == y && !self.changes(x) => {}
            (Some(x), Some(y)) if x != y && self.are_apart(x, y) => return Meeting::Never,
            // A store gives memory of the heap another type, so that it must not come before a load that
            // stands in front of it.
            _ if !(are_of_one_type(a.ty, b.ty) || self.judge.is_across && b.writes) => {
                return Meeting::Never;
            }
            (Some(x), Some(y)) if x != y && !self.changes(x) && !self.changes(y) => return Meeting::Apart,
            (Some(_), Some(_)) => return Meeting::Hindered(Hindrance::Alias(self.a, self.b)),
            _ => return Meeting::Hindered(Hindrance::Subscript(self.a, self.b)),
        }
        let mut nearest: Option<(i64, usize, usize, bool)> = None;
        let orders = [(self.a, self.b), (self.b, self.a)];
        for &(earlier, later) in &orders[..if self.a == self.b { 1 } else { 2 }] {
            let (distance, is_certain) = self.judge.distance(self, earlier, later);
            match distance {
                Distance::Never => {}
                Distance::Least(distance) => {
                    if nearest.is_none_or(|(least, ..)| distance < least) {
                        nearest = Some((distance, earlier, later, is_certain));
                    }
                }
                Distance::Symbolic => return Meeting::Open { is_symbolic: true },
                Distance::Unknown => return Meeting::Open { is_symbolic: false },
            }
        }
        let Some((distance, earlier, later, is_certain)) = nearest else { return Meeting::Never };
        // A guard that does not count may hold in no iteration.
        let is_plain = |touch: &Touch| {
            let mut control = touch.control.iter();
            control.all(|control| control.is_fact && (control.is_of_header() || self.counts(control.cond)))
        };
        Meeting::Hindered(Hindrance::Carried {
            earlier,
            later,
            distance,
            is_certain: is_certain
                && [a, b].into_iter().all(|touch| is_plain(touch) && self.happens(touch))
                && are_free(&self.judge.survey.atoms, a.facts.iter().chain(&*b.facts)),
        })
    }

    /// What is known of accesses whose distance is not.
    fn settled(&self, is_symbolic: bool) -> Meeting {
        match self.rows() {
            Some(rows) => Meeting::InRows(rows),
            None if self.a != self.b && is_symbolic => Meeting::Apart,
            None => Meeting::Hindered(Hindrance::Subscript(self.a, self.b)),
        }
    }

    /// The rows that keep the accesses apart if both stay within them, as far as that is not known.
    fn rows(&self) -> Option<Vec<Row>> {
        let question = Question::new(self, self.a, self.b);
        let whole = question.distances_from_root()?;
        let is_apart = |(earlier, from, later, to): (usize, &[Sum], usize, &[Sum])| {
            matches!(Question::new(self, earlier, later).between(from, to), Distance::Never)
        };
        question.without_common(&whole).into_iter().chain([whole]).find_map(|sums| {
            // Lengths that are sums say more than the products in them.
            let strides: Vec<Vec<Sum>> = question.strides(&sums).collect();
            strides.into_iter().rev().find_map(|strides| {
                let mut rows = Vec::new();
                let [a, b] = question.taken_apart(&sums, strides, Some(&mut rows))?;
                let orders = [(self.a, &*a, self.b, &*b), (self.b, &*b, self.a, &*a)];
                (!rows.is_empty() && orders.into_iter().all(is_apart)).then_some(rows)
            })
        })
    }

    /// Whether nothing but what the facts say keeps an iteration from an access: no loop around it ends
    /// early, and no function that is called has it on one of its ways only.
    fn happens(&self, touch: &Touch) -> bool {
        let body = self.judge.whole.body;
        let around = body.loops_around(Some(touch.loop_));
        let mut inside = around.take_while(|&loop_| body.loop_is_within(Some(loop_), self.judge.loop_));
        let ends_early = |loop_: Loop| {
            let obstacles = self.judge.survey.loops.get(&loop_).map(|facts| &facts.obstacles);
            obstacles.into_iter().flatten().any(|(obstacle, _)| *obstacle == Obstacle::Exit)
        };
        touch.callee.is_none() && !inside.any(ends_early)
    }

    /// Whether an atom may differ from one iteration of the loop to the next.
    fn changes(&self, atom: Atom) -> bool {
        let varies = self.judge.survey.atoms.data(atom).varies;
        varies.is_some_and(|varies| self.judge.whole.body.loop_is_within(Some(varies), self.judge.loop_))
    }

    /// Whether a truth value compares a counter of the loop or of one inside.
    fn counts(&self, cond: Atom) -> bool {
        let Kind::Compare(_, _, a, b) = &self.judge.survey.atoms.data(cond).kind else { return false };
        a.atoms().chain(b.atoms()).any(|atom| match self.judge.survey.atoms.data(atom).kind {
            Kind::Counter(loop_) => self.judge.whole.body.loop_is_within(Some(loop_), self.judge.loop_),
            _ => false,
        })
    }

    /// Whether two roots are different objects for certain.
    fn are_apart(&self, a: Atom, b: Atom) -> bool {
        let object = |atom: Atom| match self.judge.survey.atoms.data(atom).kind {
            Kind::Object(name @ (Name::Slot(_) | Name::Global(_))) => Some(name),
            _ => None,
        };
        // New memory is none that a parameter or the name of an object leads to.
        let is_new = match [a, b].map(|root| self.allocation(root)) {
            [Some(one), Some(other)] => one != other,
            [Some(_), None] => object(b).is_some() || self.is_parameter(b),
            [None, Some(_)] => object(a).is_some() || self.is_parameter(a),
            [None, None] => false,
        };
        match (object(a), object(b)) {
            _ if is_new => true,
            (Some(a), Some(b)) => a != b,
            (None, None) => {
                let promises = [a, b].map(|root| self.is_restrict(root));
                promises == [true, true]
                    || promises[0] && self.is_parameter(b)
                    || promises[1] && self.is_parameter(a)
            }
            (Some(_), None) => self.is_restrict(b) && !self.judge.survey.atoms.is_of_file_scope(b),
            (None, Some(_)) => self.is_restrict(a) && !self.judge.survey.atoms.is_of_file_scope(a),
        }
    }

    /// The call that has allocated what a pointer leads to.
    fn allocation(&self, root: Atom) -> Option<(Block, usize)> {
        let Kind::Entry(local) = self.judge.survey.atoms.data(root).kind else { return None };
        self.judge.whole.allocation(local)
    }

    /// Whether a pointer is declared `restrict`: what is written through it is accessed through no other
    /// pointer that does not come from it.
    fn is_restrict(&self, root: Atom) -> bool {
        let body = self.judge.whole.body;
        let atoms = &self.judge.survey.atoms;
        match (&atoms.data(root).kind, atoms.variable(root)) {
            (Kind::Entry(local), _) => body.locals[*local].restrict,
            (_, Some(Operand::Slot(slot))) => body.slots[slot].restrict,
            (_, Some(Operand::Global(global))) => self.judge.whole.callees.is_restrict(global),
            _ => false,
        }
    }

    /// Whether a pointer is a parameter as the caller gave it, so that it comes from no other one of the
    /// function.
    fn is_parameter(&self, root: Atom) -> bool {
        let Kind::Entry(local) = self.judge.survey.atoms.data(root).kind else { return false };
        self.judge.whole.keeps_argument(local)
    }
}

/// The least number of iterations between two accesses to the same bytes.
#[derive(Clone, Copy)]
enum Distance {
    /// There are none.
    Never,
    /// This many.
    Least(i64),
    /// It is a number that the loop does not change, and which is not known.
    Symbolic,
    /// Nothing is known about it.
    Unknown,
}

/// Whether two accesses can meet.
struct Question<'a> {
    pair: &'a Pair<'a>,
    /// The accesses, by their places and as they are.
    places: [usize; 2],
    earlier: &'a Touch,
    later: &'a Touch,
    conditions: Conditions<'a>,
    /// A solution is a dependence for certain: the addresses are counters and numbers that both have in
    /// common.
    is_certain: bool,
    /// The addresses are counters and numbers that the loop does not change.
    is_symbolic: bool,
    /// All that the facts speak of are counters and numbers that the loop does not change. Of another number,
    /// such as `end` in `i < end`, the system may have a value that the program never gives it.
    knows_facts: bool,
    /// No fact is left out.
    knows_all: bool,
    /// The accesses meet, too, where no number that the loop does not change is below zero, and loops inside
    /// that end nobody knows when go around twice. `a[n * i + k]` and `a[n * i + j]`, `j` from `k + 1` to
    /// `n - 1`, meet for a negative `k` only; `a[30 * i + j]`, `j` below `n`, meets itself for a large `n`.
    is_usual: bool,
}

impl<'a> Question<'a> {
    fn new(pair: &'a Pair<'a>, earlier: usize, later: usize) -> Question<'a> {
        let touches = &pair.judge.survey.touches;
        Question {
            pair,
            places: [earlier, later],
            earlier: &touches[earlier],
            later: &touches[later],
            conditions: Conditions::new(&pair.judge.survey.atoms),
            is_certain: true,
            is_symbolic: true,
            knows_facts: true,
            knows_all: true,
            is_usual: true,
        }
    }

    fn atoms(&self) -> &'a Atoms {
        &self.pair.judge.survey.atoms
    }

    /// The side that a product is on, if it changes at all.
    fn on(&self, side: Side) -> impl Fn(&Product) -> Side + use<'a> {
        let pair = self.pair;
        move |product| if product.iter().any(|&atom| pair.changes(atom)) { side } else { Side::Both }
    }

    fn distance(&mut self) -> Distance {
        match self.subscripts_of_both() {
            _ if self.stays_ahead() => Distance::Never,
            Some([earlier, later]) => self.between(&earlier, &later),
            None => Distance::Unknown,
        }
    }

    /// The distance of accesses with these subscripts.
    fn between(&mut self, earlier: &[Sum], later: &[Sum]) -> Distance {
        if self.passes_by(earlier, later) {
            return Distance::Never;
        }
        match self.ask(earlier, later) {
            Some(Answer::Empty) => Distance::Never,
            // Which elements an iteration touches follows from numbers that are not known: `a[j]` with `j`
            // from `first[i]` on.
            Some(Answer::Point(_)) if !self.knows_facts && self.moves() => Distance::Unknown,
            Some(Answer::Point(distance)) if self.is_certain => Distance::Least(distance[0]),
            Some(Answer::Point(_)) if self.is_symbolic => Distance::Symbolic,
            _ => Distance::Unknown,
        }
    }

    /// The least distance of two iterations in which the accesses meet, as a point of one dimension.
    fn ask(&mut self, earlier: &[Sum], later: &[Sum]) -> Option<Answer> {
        let mut nonzero: Vec<Linear> = Vec::new();
        for (side, touch) in [(Side::Earlier, self.earlier), (Side::Later, self.later)] {
            let on = self.on(side);
            for fact in touch.facts.iter() {
                self.conditions.demand(fact, &on);
                if let Fact::NonZero(sum) = fact {
                    let row = self.conditions.linear(sum, &on).filter(|_| nonzero.len() < MOST_NONZERO);
                    self.knows_all &= row.is_some();
                    nonzero.extend(row.filter(|row| !nonzero.contains(row)));
                }
            }
            self.knows_facts &=
                touch.facts.iter().flat_map(|fact| fact.sum().atoms()).all(|atom| self.is_known(atom));
        }
        let atom = self.counter()?;
        let counter = Sum::atom(atom);
        let distance = self.difference(&counter, Side::Later, &counter, Side::Earlier)?;
        let mut apart = distance.clone();
        apart.constant = -1;
        self.conditions.at_least_zero(apart);
        self.meet(earlier, later)?;
        let pair = self.pair;
        let changes = move |product: &Product| product.iter().any(|&atom| pair.changes(atom));
        self.conditions.close(&|product, side| if changes(product) { side } else { Side::Both });
        let system = self.conditions.system();
        // No dependence has a smaller distance than that from one iteration to the next.
        let is_nearest = |point: &Vec<i64>| {
            let is_nonzero = |row: &Linear| row.at(point).is_some_and(|value| value != 0);
            distance.at(point) == Some(1)
                && system.holds_at(point) == Some(true)
                && nonzero.iter().all(is_nonzero)
        };
        if self.conditions.guesses(atom).any(|point| is_nearest(&point)) {
            return Some(Answer::Point(vec![1]));
        }
        Some(match least(system, &nonzero, &distance) {
            Answer::Point(point) => {
                // Asked of what is certain otherwise.
                if self.is_certain && self.knows_facts && self.knows_all {
                    let usual = self.conditions.of_usual_numbers(&|atom| self.may_be_brief(atom));
                    self.is_usual = matches!(least(&usual, &nonzero, &distance), Answer::Point(_));
                }
                Answer::Point(vec![distance.at(&point)?])
            }
            other => other,
        })
    }

    /// Whether an atom counts the iterations of a loop inside of which no number of the program says how many
    /// there are.
    fn may_be_brief(&self, atom: Atom) -> bool {
        let is_counter = |atom: Atom| matches!(self.atoms().data(atom).kind, Kind::Counter(_));
        let bounds = |fact: &&Fact| {
            let is_above = |(product, factor): (&Product, i64)| product[..] == [atom] && factor < 0;
            fact.sum().atoms().all(is_counter) && fact.sum().terms().any(is_above)
        };
        let mut facts = self.earlier.facts.iter().chain(self.later.facts.iter());
        is_counter(atom) && Some(atom) != self.counter() && facts.find(bounds).is_none()
    }

    /// The counter of the loop.
    fn counter(&self) -> Option<Atom> {
        self.atoms().known(&Kind::Counter(self.pair.judge.loop_))
    }

    /// Whether the accesses go on from one iteration to the next.
    fn moves(&self) -> bool {
        let counter = self.counter();
        let addresses = [&self.earlier.address, &self.later.address];
        addresses.iter().all(|address| address.atoms().any(|atom| Some(atom) == counter))
    }

    /// Whether an atom is a counter, a number that the loop does not change, or a quotient or remainder of
    /// such numbers by a constant.
    fn is_known(&self, atom: Atom) -> bool {
        if !self.pair.changes(atom) {
            return true;
        }
        match &self.atoms().data(atom).kind {
            Kind::Counter(_) => true,
            Kind::Binary(op, a, b) => {
                is_quotient(self.atoms(), *op, a, b) && a.atoms().all(|atom| self.is_known(atom))
            }
            _ => false,
        }
    }

    /// What the accesses have behind their root: subscripts by stride where the facts show that they are
    /// within their dimensions, and the distance in bytes from there, which is the last one.
    fn subscripts_of_both(&self) -> Option<[Rc<[Sum]>; 2]> {
        let whole = self.distances_from_root()?;
        let [a, b] = &whole;
        let by_strides = self.strides(&whole).find_map(|strides| {
            let (first, second) = (split(a, &strides)?, split(b, &strides)?);
            let dimensions = Dimensions::of(strides, [&first, &second]);
            let subscripts = self.subscripts(first, &dimensions, Side::Earlier)?;
            Some([subscripts, self.subscripts(second, &dimensions, Side::Later)?])
        });
        let from_common = || {
            let sums = self.without_common(&whole)?;
            self.strides(&sums).find_map(|strides| self.taken_apart(&sums, strides, None))
        };
        Some(by_strides.or_else(from_common).unwrap_or_else(|| whole.map(|sum| Rc::from([sum]))))
    }

    /// Addresses without what both have in common and the loop does not change: the row that `a[i]` of
    /// `i = 3, i += s` is in begins at the first element.
    fn without_common(&self, sums: &[Sum; 2]) -> Option<[Sum; 2]> {
        let changes = |product: &Product| product.iter().any(|&atom| self.pair.changes(atom));
        let [(a, fixed), (b, other)] = sums.each_ref().map(|sum| sum.split(changes));
        (fixed == other && fixed != Sum::default()).then_some([a, b])
    }

    /// The subscripts of both accesses by strides. What is not known of their being within dimensions is
    /// `assumed` if there is a list for it.
    fn taken_apart(
        &self,
        [a, b]: &[Sum; 2],
        strides: Vec<Sum>,
        mut assumed: Option<&mut Vec<Row>>,
    ) -> Option<[Rc<[Sum]>; 2]> {
        let (first, second) = (split(a, &strides)?, split(b, &strides)?);
        let dimensions = Dimensions::of(strides, [&first, &second]);
        let first = self.within(self.places[0], first, &dimensions, assumed.as_deref_mut())?;
        let second = self.within(self.places[1], second, &dimensions, assumed)?;
        Some([Rc::from(first), Rc::from(second)])
    }

    /// What the accesses have behind their root, in bytes.
    fn distances_from_root(&self) -> Option<[Sum; 2]> {
        let root = Sum::atom(self.earlier.root?);
        Some([self.earlier.address.plus(-1, &root)?, self.later.address.plus(-1, &root)?])
    }

    /// Whether one of the subscripts alone keeps the accesses apart, which needs no system: both go with the
    /// loop's counter by the same factor, and are a constant apart, as those of `a[i]` and `a[i + 1]` are.
    fn passes_by(&self, earlier: &[Sum], later: &[Sum]) -> bool {
        let Some(counter) = self.counter() else { return false };
        // The factor of the counter, and what does not change.
        let split = |sum: &Sum| {
            let (moving, fixed) = sum.split(|product| product.iter().any(|&atom| self.pair.changes(atom)));
            let factor = match moving.terms().next() {
                None => 0,
                Some((product, factor)) if product[..] == [counter] && moving.terms().count() == 1 => factor,
                Some(_) => return None,
            };
            Some((factor, fixed))
        };
        let last = earlier.len() - 1;
        earlier.iter().zip(later).enumerate().any(|(n, (a, b))| {
            let (Some((step, a)), Some((other, b))) = (split(a), split(b)) else { return false };
            let Some(gap) = b.distance_from(&a) else { return false };
            // Distances from one iteration to the next one that are those of bytes in common.
            let (low, high) = if n == last { (1 - self.later.bytes, self.earlier.bytes - 1) } else { (0, 0) };
            let Some(next) = gap.checked_add(step) else { return false };
            match step {
                _ if step != other => false,
                0 => next < low || next > high,
                1.. => next > high || n != last && gap % step != 0,
                _ => next < low || n != last && gap % step != 0,
            }
        })
    }

    /// Demands that the accesses touch a byte in common.
    fn meet(&mut self, earlier: &[Sum], later: &[Sum]) -> Option<()> {
        let last = earlier.len() - 1;
        for n in 0..last {
            let row = self.difference(&later[n], Side::Later, &earlier[n], Side::Earlier)?;
            self.conditions.zero(row);
        }
        self.find_certainty(earlier, later);
        self.overlap(&earlier[last], &later[last])
    }

    /// Looks at all subscripts: a number in one of them that is not known may keep the accesses apart.
    fn find_certainty(&mut self, earlier: &[Sum], later: &[Sum]) {
        let is_counter = |product: &Product| {
            let [atom] = product[..] else { return product.is_empty() };
            matches!(self.atoms().data(atom).kind, Kind::Counter(_))
        };
        let fixed = |sum: &'_ Sum| sum.split(is_counter).1;
        let changes = |sum: &Sum| sum.atoms().any(|atom| self.pair.changes(atom));
        let (mut is_common, mut is_symbolic) = (true, true);
        for (a, b) in earlier.iter().zip(later) {
            let (own, other) = (fixed(a), fixed(b));
            is_common &= own == other;
            is_symbolic &= !changes(&own) && !changes(&other);
        }
        (self.is_certain, self.is_symbolic) = (is_common && is_symbolic, is_symbolic);
    }

    /// Demands that bytes from two distances on have one in common.
    fn overlap(&mut self, a: &Sum, b: &Sum) -> Option<()> {
        let (first, second) = (self.earlier.bytes, self.later.bytes);
        let mut below = self.difference(b, Side::Later, a, Side::Earlier)?;
        let mut above = self.difference(a, Side::Earlier, b, Side::Later)?;
        // b + second > a and a + first > b.
        below.constant = below.constant.checked_add(second - 1)?;
        above.constant = above.constant.checked_add(first - 1)?;
        self.conditions.at_least_zero(below);
        self.conditions.at_least_zero(above);
        Some(())
    }

    /// Symbolic strides of addresses, the largest first, each of which divides the one before it: first
    /// products, such as `n` of `i * n + i`, then sums, such as `n + 2` of `i * (n + 2) + j`.
    fn strides(&self, sums: &[Sum; 2]) -> impl Iterator<Item = Vec<Sum>> + use<> {
        let is_counter = |atom: Atom| matches!(self.atoms().data(atom).kind, Kind::Counter(_));
        let changes = |sum: &Sum| sum.atoms().any(|atom| self.pair.changes(atom));
        let mut products: Vec<Sum> = Vec::new();
        let mut factors: Vec<(usize, Product, Sum)> = Vec::new();
        for (n, sum) in sums.iter().enumerate() {
            for (product, number) in sum.terms() {
                let counters = product.retained(is_counter);
                let fixed = product.retained(|atom| !is_counter(atom));
                if counters.is_empty() {
                    continue;
                }
                let stride = Sum::term(fixed, 1);
                if !fixed.is_empty() && !changes(&stride) && !products.contains(&stride) {
                    products.push(stride);
                }
                let term = Sum::term(fixed, number);
                match factors.iter_mut().find(|(of, known, _)| (*of, *known) == (n, counters)) {
                    Some((.., factor)) => *factor = factor.plus(1, &term).unwrap_or_default(),
                    None => factors.push((n, counters, term)),
                }
            }
        }
        let mut whole: Vec<Sum> = Vec::new();
        for (_, _, factor) in factors {
            if let Some(stride) = factor.primitive()
                && stride.as_constant().is_none()
                && !changes(&stride)
                && !whole.contains(&stride)
            {
                whole.push(stride);
            }
        }
        let is_new = whole != products;
        let nested = |mut strides: Vec<Sum>| {
            strides.sort_by_key(|stride| std::cmp::Reverse(stride.degree()));
            let divides =
                |pair: &[Sum]| pair[0].divided_by(&pair[1]).is_some_and(|(_, rest)| rest == Sum::default());
            (!strides.is_empty() && strides.windows(2).all(divides)).then_some(strides)
        };
        [Some(products), is_new.then_some(whole)].into_iter().flatten().filter_map(nested)
    }

    /// Subscripts by stride, and what is left in bytes, if the facts prove that each but the first is within
    /// its dimension. The bytes of an element are part of the subscripts' constants: they are the same on
    /// both sides.
    fn subscripts(&self, parts: Vec<Sum>, dimensions: &Dimensions, side: Side) -> Option<Rc<[Sum]>> {
        let place = self.places[usize::from(side != Side::Earlier)];
        let mut known = self.pair.judge.in_range.known.borrow_mut();
        let known = known.entry(place).or_default();
        if let Some((_, known)) = known.iter().find(|(others, _)| others == dimensions) {
            return known.clone();
        }
        let found = self.within(place, parts, dimensions, None).map(Rc::from);
        known.push((dimensions.clone(), found.clone()));
        found
    }

    /// The subscripts if each but the first is within its dimension. What is not known of that is `assumed`
    /// if there is a list for it.
    fn within(
        &self,
        place: usize,
        mut parts: Vec<Sum>,
        dimensions: &Dimensions,
        mut assumed: Option<&mut Vec<Row>>,
    ) -> Option<Vec<Sum>> {
        let touch = &self.pair.judge.survey.touches[place];
        let excludes = |outside: &Fact| super::facts::excludes(self.atoms(), &touch.facts, outside);
        let last = parts.len() - 1;
        for n in (1..=last).rev() {
            let size = dimensions.size(n)?;
            let room = if n == last { touch.bytes } else { dimensions.unit };
            // Neither below zero, nor so far up that the access ends behind the dimension.
            let is_within = |part: &Sum| {
                let negative = Fact::AtLeastZero(Sum::constant(-1).plus(-1, part)?);
                let beyond = Fact::AtLeastZero(part.plus(-1, &size)?.plus(1, &Sum::constant(room - 1))?);
                Some(excludes(&negative) && excludes(&beyond))
            };
            if is_within(&parts[n])? {
                continue;
            }
            // What goes through a row from its end has the row's length in its subscript, which looks like
            // one more row: `p[(i + 1) * n - 1 - j]`.
            let from_end = parts[n].plus(1, &size)?;
            let is_known = is_within(&from_end)?;
            if is_known || assumed.is_some() && excludes(&Fact::AtLeastZero(parts[n].clone())) {
                parts[n] = from_end;
                parts[n - 1] = parts[n - 1].plus(-1, &Sum::constant(dimensions.unit))?;
            }
            if !is_known {
                assumed.as_mut()?.push(Row { touch: place, place: parts[n].clone(), bytes: room, size });
            }
        }
        Some(parts)
    }

    fn difference(&mut self, a: &Sum, a_side: Side, b: &Sum, b_side: Side) -> Option<Linear> {
        let (on_a, on_b) = (self.on(a_side), self.on(b_side));
        let mut row = self.conditions.linear(a, &on_a)?;
        let taken = self.conditions.linear(b, &on_b)?;
        for (column, factor) in taken.coefficients.iter().enumerate() {
            row.add(column, factor.checked_neg()?)?;
        }
        row.constant = row.constant.checked_sub(taken.constant)?;
        Some(row)
    }
}

impl Dimensions {
    /// Those of two accesses, with the parts of their addresses by the strides.
    fn of(strides: Vec<Sum>, parts: [&[Sum]; 2]) -> Dimensions {
        let by_strides = parts.into_iter().flat_map(|parts| &parts[..strides.len()]);
        let factors = by_strides.flat_map(|part| part.terms().map(|(_, factor)| factor));
        Dimensions { unit: factors.fold(0, gcd), strides }
    }

    /// The bytes of all places along a dimension, but for the strides of further ones.
    fn size(&self, dimension: usize) -> Option<Sum> {
        let before = &self.strides[dimension - 1];
        let size = match self.strides.get(dimension) {
            Some(stride) => before.divided_by(stride)?.0,
            None => before.clone(),
        };
        size.scaled(self.unit)
    }
}

/// An address by strides: its quotient by each, and what is left.
fn split(address: &Sum, strides: &[Sum]) -> Option<Vec<Sum>> {
    let mut parts = Vec::with_capacity(strides.len() + 1);
    let mut left = address.clone();
    for stride in strides {
        let (part, rest) = left.divided_by(stride)?;
        parts.push(part);
        left = rest;
    }
    parts.push(left);
    Some(parts)
}

/// The least distance on solutions of a system in which none of some numbers is zero.
fn least(system: &System, nonzero: &[Linear], distance: &Linear) -> Answer {
    let answer = system.least(distance, 1, QUESTIONS);
    let is_zero = |row: &Linear| match &answer {
        Answer::Point(point) => row.at(point).is_none_or(|value| value == 0),
        Answer::Empty => false,
        Answer::Unknown => true,
    };
    let Some(at) = nonzero.iter().position(is_zero) else { return answer };
    let mut others = nonzero.to_vec();
    let row = others.swap_remove(at);
    let negated = |value: &i64| value.checked_neg();
    let coefficients: Option<Vec<i64>> = row.coefficients.iter().map(negated).collect();
    let below = coefficients.zip(row.constant.checked_neg());
    let below = below.map(|(coefficients, constant)| Linear { coefficients, constant });
    let sides = [Some(row), below].map(|side| {
        let mut side = side?;
        side.constant = side.constant.checked_sub(1)?;
        let mut system = system.clone();
        system.at_least_zero.push(side);
        Some(least(&system, &others, distance))
    });
    match sides {
        [Some(Answer::Empty), Some(answer)] | [Some(answer), Some(Answer::Empty)] => answer,
        [Some(Answer::Point(a)), Some(Answer::Point(b))] => {
            Answer::Point(if distance.at(&b) < distance.at(&a) { b } else { a })
        }
        _ => Answer::Unknown,
    }
}

/// The slot that an access is to, if it is to one for certain.
pub fn slot_of(survey: &Survey, touch: &Touch) -> Option<Slot> {
    match survey.atoms.data(touch.root?).kind {
        Kind::Object(Name::Slot(slot)) => Some(slot),
        _ => None,
    }
}
