//! Rows of memory that the iterations of a loop have each for themselves.
//!
//! In `for (i) for (j) s[i] += a[i * m + j];`, iteration `i` goes through a row of `a` that starts `m`
//! elements behind the row of the iteration before. The places of a row that are touched are those of some
//! accesses in inner loops, whose bounds are the same in each iteration: they are known in front of the loop
//! then, and so is how long a row is.

use super::callees::Callees;
use super::computable::is_computable;
use super::effects::may_be_copied;
use super::regroup::{leaves_nothing, may_be_regrouped, names_own_slot};
use super::roots::Roots;
use super::sums::{Atom, Atoms, Kind, Name, Sum};
use super::survey::{Control, LoopFacts, Obstacle, Survey, Touch, Whole};
use crate::entities::{Block, Loop};
use crate::function::{Body, Function, LoopData};
use crate::op::{Address, Op, Operand};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// Loops with more operations have none: their code is written several times.
const MOST_OPERATIONS: usize = 1024;

/// The rows of a loop.
#[derive(Debug)]
pub struct OwnRows {
    /// The loop.
    pub outer: Loop,
    /// Its blocks, without the header and the latch.
    pub blocks: Vec<Block>,
    /// The loops inside, those around first.
    pub inside: Vec<Loop>,
    /// What the sums are about.
    pub atoms: Atoms,
    /// How often the loops inside run that accesses of rows are in; not at all if that is below one.
    pub trips: FxHashMap<Loop, Sum>,
    /// Each object that is accessed in rows.
    pub rows: Vec<Row>,
    /// Pairs of rows that may be the same memory as far as the code tells, of which one is written: whether
    /// they are has to be tested in front of the loop.
    pub tested: Vec<(usize, usize)>,
}

/// The rows of one object, or of one of its parts.
#[derive(Debug)]
pub struct Row {
    /// The object, or a pointer to it.
    pub base: Operand,
    /// Bytes from there to the place in the row of the first iteration that reaches count from.
    pub from: Sum,
    /// Bytes from row to row.
    pub step: Sum,
    /// Bytes of an element, 4 or 8.
    pub bytes: i64,
    /// Its accesses.
    pub reaches: Vec<Reach>,
    /// Whether other threads may load it for an iteration, and store what that has written.
    pub may_be_staged: bool,
}

/// The places of a row that an access goes through.
#[derive(Clone, PartialEq, Debug)]
pub struct Reach {
    /// The first one, in bytes, where all counters are zero.
    pub first: i64,
    /// Bytes from one iteration of an inner loop to the next.
    pub along: Vec<(i64, Loop)>,
    /// All loops inside of the outer one that it is in.
    pub around: Vec<Loop>,
    /// Whether it writes.
    pub writes: bool,
    /// The access: its block, and the number of the instruction there.
    pub at: (Block, usize),
    /// Nothing but the bounds of loops decides whether it is executed.
    is_certain: bool,
}

impl Row {
    /// Whether something in it is written.
    pub fn is_written(&self) -> bool {
        self.reaches.iter().any(|reach| reach.writes)
    }

    /// The accesses that say which places of the row there are: those that are always executed.
    pub fn certain(&self, writes: bool) -> impl Iterator<Item = &Reach> {
        self.reaches.iter().filter(move |reach| reach.is_certain && reach.writes == writes)
    }

    /// Whether each access is to places that certain ones go through, in whole elements, and what is
    /// written is written without gaps.
    fn is_known(&self, trips: &FxHashMap<Loop, Sum>) -> bool {
        let is_aligned = |reach: &Reach| {
            let distance = |by: i64| by.rem_euclid(self.bytes) == 0;
            distance(reach.first - self.reaches[0].first) && reach.along.iter().all(|&(by, _)| distance(by))
        };
        let is_reached = |reach: &Reach| {
            reach.is_certain || self.certain(reach.writes).any(|other| other.contains(reach, trips))
        };
        self.reaches.iter().all(|reach| is_aligned(reach) && is_reached(reach))
            && self.is_written_densely(trips)
    }

    /// Whether what is written is one element behind the other: constant places side by side, or the places
    /// of one access in a loop.
    fn is_written_densely(&self, trips: &FxHashMap<Loop, Sum>) -> bool {
        let written = || self.certain(true);
        if written().all(|reach| reach.around.is_empty()) {
            let mut places: Vec<i64> = written().map(|reach| reach.first).collect();
            places.sort_unstable();
            return places.windows(2).all(|pair| pair[1] - pair[0] <= self.bytes);
        }
        written().any(|all| {
            matches!(all.along[..], [(by, _)] if by.abs() == self.bytes)
                && written().all(|reach| all.contains(reach, trips))
        })
    }
}

impl Reach {
    /// Whether it goes through all places that another one goes through.
    fn contains(&self, other: &Reach, trips: &FxHashMap<Loop, Sum>) -> bool {
        if (self.first, &self.along, &self.around) == (other.first, &other.along, &other.around) {
            return true;
        }
        let (&[(by, loop_)], &[(other_by, of_other)]) = (&self.along[..], &other.along[..]) else {
            return false;
        };
        // Both step alike: one begins no sooner, and ends no later.
        let begins = (other.first - self.first).checked_div(by);
        let ends = || trips.get(&of_other)?.distance_from(trips.get(&loop_)?);
        self.around == [loop_]
            && by == other_by
            && (other.first - self.first) % by == 0
            && begins.is_some_and(|begins| {
                begins >= 0 && ends().is_some_and(|further| begins.saturating_add(further) <= 0)
            })
    }
}

impl OwnRows {
    /// Of a loop that nothing stands in the way of; `None` if there are no rows that may be staged.
    /// `signed_wraps`: signed integers wrap around.
    pub fn of(
        (function, body): (&Function, &Body),
        (callees, signed_wraps): (&Callees, bool),
        outer: Loop,
    ) -> Option<OwnRows> {
        if !may_be_regrouped(body, outer) {
            return None;
        }
        let whole = Whole::new(body, callees).with_wrapping(signed_wraps);
        let LoopData { header, latch, .. } = body.loops[outer];
        let mut blocks = whole.nest.blocks(outer);
        blocks.retain(|block| ![header, latch].contains(block));
        let inside = whole.nest.inside(outer);
        let insts = || blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        let is_fine = insts().count() <= MOST_OPERATIONS
            && insts().all(|inst| may_be_copied(&inst.op) && !names_own_slot(body, inst))
            && leaves_nothing(body, &whole.live, outer, blocks.iter().copied())
            && blocks.iter().all(|&block| {
                let mut stays = true;
                body.blocks[block]
                    .term
                    .successors(|to| stays &= to == latch || to != header && blocks.contains(&to));
                stays
            });
        if !is_fine {
            return None;
        }
        let survey = Survey::of(&whole, outer);
        let stands_in_the_way = |&(obstacle, _): &(Obstacle, _)| obstacle != Obstacle::Directive;
        if survey.loops.values().flat_map(|facts| &facts.obstacles).any(stands_in_the_way) {
            return None;
        }
        let finder = Finder::of((function, body), &survey, outer);
        let tested = finder.tested();
        let Finder { trips, rows, .. } = finder;
        let has_any = rows.iter().any(|row| row.may_be_staged);
        has_any.then_some(OwnRows { outer, blocks, inside, atoms: survey.atoms, trips, rows, tested })
    }
}

/// Sorts the accesses of a loop into rows.
struct Finder<'a> {
    body: &'a Body,
    roots: Roots,
    outer: Loop,
    trips: FxHashMap<Loop, Sum>,
    rows: Vec<Row>,
}

impl<'a> Finder<'a> {
    fn of((function, body): (&Function, &'a Body), survey: &Survey, outer: Loop) -> Finder<'a> {
        let roots = Roots::new(function, body);
        let trip = |(&loop_, facts): (&Loop, &LoopFacts)| {
            let trip = facts.trip.clone().filter(|trip| is_known_before(&survey.atoms, trip))?;
            Some((loop_, trip))
        };
        let trips = survey.loops.iter().filter(|(loop_, _)| **loop_ != outer).filter_map(trip).collect();
        let mut finder = Finder { body, roots, outer, trips, rows: Vec::new() };
        // Accesses to other places, with what these are made from, and whether they write.
        let mut astray: Vec<(Option<Operand>, bool)> = Vec::new();
        // An access that a way through the iteration leads to other places than another one.
        let mut places: FxHashMap<(Block, usize), Option<usize>> = FxHashMap::default();
        let mut ambiguous: FxHashSet<(Block, usize)> = FxHashSet::default();
        for touch in &survey.touches {
            let row = finder.add(&survey.atoms, touch);
            if row.is_none() {
                astray.push((address(body, touch).map(|addr| addr.base), touch.writes));
            }
            if places.insert(touch.at, row).is_some_and(|known| known != row) {
                ambiguous.insert(touch.at);
            }
        }
        for n in 0..finder.rows.len() {
            let row = &finder.rows[n];
            let is_apart = |&(base, writes): &(Option<Operand>, bool)| {
                !(writes || row.is_written()) || base.is_some_and(|base| finder.are_apart(base, row.base))
            };
            let is_clear = |reach: &Reach| !ambiguous.contains(&reach.at);
            let may_be_staged = row.is_known(&finder.trips)
                && row.reaches.iter().all(is_clear)
                && astray.iter().all(is_apart);
            finder.rows[n].may_be_staged = may_be_staged;
        }
        finder
    }

    fn are_apart(&self, a: Operand, b: Operand) -> bool {
        self.roots.are_apart(self.roots.of(a), self.roots.of(b))
    }

    /// Adds an access to its row, if it has one, and returns the number of that.
    fn add(&mut self, atoms: &Atoms, touch: &Touch) -> Option<usize> {
        let counter = atoms.known(&Kind::Counter(self.outer))?;
        let (body, bytes) = (self.body, touch.bytes);
        let is_plain = matches!(touch.ty?, Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::Ptr);
        address(body, touch).filter(|_| is_plain && touch.callee.is_none())?;
        let base = match atoms.data(touch.root?).kind {
            Kind::Entry(local) => Operand::Local(local),
            Kind::Object(Name::Slot(slot)) => Operand::Slot(slot),
            Kind::Object(Name::Global(global)) => Operand::Global(global),
            _ => return None,
        };
        let (factor, rest) = touch.address.linear_in(touch.root?)?;
        let (step, rest) = rest.linear_in(counter)?;
        let is_inside = |atom: Atom| atoms.data(atom).varies.is_some();
        let (moving, fixed) = rest.split(|product| product.iter().any(|&atom| is_inside(atom)));
        let mut along = Vec::new();
        for (product, by) in moving.terms() {
            let [atom] = product[..] else { return None };
            let Kind::Counter(loop_) = atoms.data(atom).kind else { return None };
            along.push((by, loop_));
        }
        let (from, first) = fixed.without_constant();
        let is_row = factor.as_constant() == Some(1) && step.as_constant() != Some(0);
        (is_row && is_known_before(atoms, &step) && is_known_before(atoms, &from)).then_some(())?;
        let is_certain = touch.control.iter().all(Control::is_of_header);
        let around: Vec<Loop> =
            body.loops_around(Some(touch.loop_)).take_while(|&up| up != self.outer).collect();
        around.iter().all(|loop_| self.trips.contains_key(loop_)).then_some(())?;
        let reach = Reach { first, along, around, writes: touch.writes, at: touch.at, is_certain };
        let is_same =
            |row: &Row| row.base == base && (&row.from, &row.step, row.bytes) == (&from, &step, bytes);
        let number = self.rows.iter().position(is_same).unwrap_or_else(|| {
            self.rows.push(Row { base, from, step, bytes, reaches: Vec::new(), may_be_staged: false });
            self.rows.len() - 1
        });
        self.rows[number].reaches.push(reach);
        Some(number)
    }

    /// The pairs of [`OwnRows::tested`].
    fn tested(&self) -> Vec<(usize, usize)> {
        let mut tested = Vec::new();
        for (a, row) in self.rows.iter().enumerate() {
            for (b, other) in self.rows.iter().enumerate().skip(a + 1) {
                let is_written = row.is_written() || other.is_written();
                let may_be_staged = row.may_be_staged || other.may_be_staged;
                if is_written && may_be_staged && !self.are_apart(row.base, other.base) {
                    tested.push((a, b));
                }
            }
        }
        tested
    }
}

/// Whether a sum can be computed in front of the loop.
fn is_known_before(atoms: &Atoms, sum: &Sum) -> bool {
    sum.atoms().all(|atom| is_computable(atoms, atom, &|_, _| false))
}

/// The address of a load or a store of an element that lies where its type wants it.
fn address(body: &Body, touch: &Touch) -> Option<Address> {
    let (block, number) = touch.at;
    match body.blocks[block].insts[number].op {
        Op::Load { addr, access, .. } | Op::Store { addr, access, .. } => {
            (!access.volatile && i64::from(access.align) >= touch.bytes).then_some(addr)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::Local;

    /// An access in a loop of its own, from this byte on, by so many from iteration to iteration.
    fn reach(first: i64, by: i64, loop_: u32) -> Reach {
        let loop_ = Loop::from_u32(loop_);
        let at = (Block::from_u32(0), 0);
        Reach { first, along: vec![(by, loop_)], around: vec![loop_], writes: true, at, is_certain: true }
    }

    fn place(first: i64) -> Reach {
        Reach { along: Vec::new(), around: Vec::new(), ..reach(first, 4, 0) }
    }

    /// Rows of elements of four bytes, of which the first loop goes through `m`, the second through one less,
    /// the third through one more.
    fn row(reaches: Vec<Reach>) -> (Row, FxHashMap<Loop, Sum>) {
        let mut atoms = Atoms::new();
        let m = Sum::atom(atoms.intern(Kind::Entry(Local::from_u32(0)), None, (i64::MIN, i64::MAX)));
        let trip = |more: i64| m.plus(1, &Sum::constant(more)).expect("a sum");
        let trips = [0, -1, 1].map(trip).into_iter().enumerate();
        let trips = trips.map(|(n, trip)| (Loop::from_u32(n as u32), trip)).collect();
        let base = Operand::Local(Local::from_u32(1));
        let (from, step) = (Sum::default(), m.scaled(4).expect("a sum"));
        (Row { base, from, step, bytes: 4, reaches, may_be_staged: false }, trips)
    }

    fn is_known(reaches: Vec<Reach>) -> bool {
        let (row, trips) = row(reaches);
        row.is_known(&trips)
    }

    #[test]
    fn what_is_written_has_no_gaps() {
        assert!(is_known(vec![reach(0, 4, 0)]) && is_known(vec![reach(0, -4, 0)]));
        assert!(!is_known(vec![reach(0, 8, 0)]));
        // From the second element on, up to the end, beyond it, and two loops of which none has all.
        assert!(is_known(vec![reach(0, 4, 0), reach(4, 4, 1)]));
        assert!(!is_known(vec![reach(0, 4, 0), reach(4, 4, 0)]));
        assert!(!is_known(vec![reach(0, 4, 1), reach(4, 4, 2)]));
        assert!(!is_known(vec![reach(0, 4, 0), reach(2, 4, 1)]));
        // An element that there may not be, where the loop does not run.
        assert!(!is_known(vec![reach(0, 4, 0), place(0)]));
        assert!(is_known(vec![place(4), place(0), place(8)]));
        assert!(!is_known(vec![place(0), place(8)]));
    }

    #[test]
    fn conditions_leave_out_no_places_of_their_own() {
        let perhaps = |reach: Reach| Reach { is_certain: false, ..reach };
        assert!(is_known(vec![reach(0, 4, 0), perhaps(reach(4, 4, 1))]));
        assert!(!is_known(vec![perhaps(reach(0, 4, 0))]));
        // What is written for certain need not be there before.
        let read = Reach { writes: false, ..perhaps(reach(0, 4, 0)) };
        assert!(!is_known(vec![reach(0, 4, 0), read]));
    }
}
