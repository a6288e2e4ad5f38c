//! Arrays that each iteration of a loop writes before it reads them.
//!
//! Iterations that share such an array, `double t[8]` in front of the loop, overwrite each other's
//! elements, and yet none uses what another one has written: with a copy each, they are independent.
//!
//! A read is covered if each element that it may read has been written by the same iteration of the loop.
//! The proof names the write: `t[j]` in a loop over `j` covers `t[x]` in its iteration `j = x`, which there
//! is if the facts at the read prove that `x` is between the bounds of that loop. The write has to stand
//! before the read, or in an earlier iteration of an inner loop around both, and nothing but loops may
//! decide whether it is executed. Writes of single elements cover what the facts leave of their places
//! together.

use super::bases::Base;
use super::facts::{Fact, excludes};
use super::sums::{Atom, Kind, Name, Sum};
use super::survey::{Control, Survey, Touch, Whole, are_of_one_type};
use crate::entities::{Block, Loop, set_of};
use crate::op::{Op, Operand};
use crate::visit::Part;
use rustc_hash::FxHashSet;

/// Questions about the integers that the proof for one array may ask.
const QUESTIONS: u32 = 400;

/// What is known about an array that the iterations of a loop write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Each iteration reads what it has written itself.
    Covered {
        /// All iterations write the same elements, so that the last one leaves what is left of all.
        evenly: bool,
    },
    /// This read, by its place in [`Survey::touches`], may be of an element that the iteration has not
    /// written.
    Exposed(usize),
}

/// A slot or global that the iterations of a loop write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Array {
    /// The slot or global.
    pub name: Name,
    /// The first access that writes it.
    pub write: usize,
    /// Whether iterations find what they have written themselves.
    pub coverage: Coverage,
}

/// The slots and globals that a loop of a nest writes, and that all of its accesses name. What functions
/// that it calls access by name is not among them: they would not find the copies.
pub fn arrays(whole: &Whole<'_>, survey: &Survey, loop_: Loop) -> Vec<Array> {
    let inside: Vec<usize> = (0..survey.touches.len())
        .filter(|&touch| whole.body.loop_is_within(Some(survey.touches[touch].loop_), loop_))
        .collect();
    let mut found: Vec<Array> = Vec::new();
    for &write in &inside {
        let Some((root, name)) = object(survey, &survey.touches[write]) else { continue };
        if !survey.touches[write].writes || found.iter().any(|array| array.name == name) {
            continue;
        }
        if inside.iter().all(|&other| is_told_apart(whole, survey, other, (root, name))) {
            let proof = Proof { whole, survey, loop_, inside: &inside, root };
            found.push(Array { name, write, coverage: proof.coverage() });
        }
    }
    found
}

/// The slot or global that an access is to.
fn object(survey: &Survey, touch: &Touch) -> Option<(Atom, Name)> {
    let root = touch.root?;
    match survey.atoms.data(root).kind {
        Kind::Object(name @ (Name::Slot(_) | Name::Global(_))) => Some((root, name)),
        _ => None,
    }
}

fn base_of(name: Name) -> Base {
    match name {
        Name::Slot(slot) => Base::Slot(slot),
        Name::Global(global) => Base::Global(global),
        Name::Func(_) | Name::F32(_) | Name::F64(_) => Base::Unknown,
    }
}

/// Whether an access is to the object for certain, or to other objects for certain.
fn is_told_apart(whole: &Whole<'_>, survey: &Survey, touch: usize, (root, name): (Atom, Name)) -> bool {
    let touch = &survey.touches[touch];
    if touch.root == Some(root) || object(survey, touch).is_some() {
        return touch.root != Some(root) || !touch.is_by_name();
    }
    let writes = survey.touches.iter().filter(|other| other.root == Some(root));
    // What only clauses name is no place for a pointer that comes from elsewhere.
    let is_elsewhere =
        matches!(name, Name::Slot(slot) if touch.base == Base::Unknown && !whole.bases.is_addressed(slot));
    is_elsewhere
        || whole.bases.differ(touch.base, base_of(name))
        || writes.into_iter().all(|other| !are_of_one_type(touch.ty, other.ty))
}

/// The question whether the reads of an array are covered.
struct Proof<'a> {
    whole: &'a Whole<'a>,
    survey: &'a Survey,
    loop_: Loop,
    /// The accesses in the loop.
    inside: &'a [usize],
    root: Atom,
}

impl Proof<'_> {
    fn coverage(&self) -> Coverage {
        let ours = || self.inside.iter().copied().filter(|&n| self.survey.touches[n].root == Some(self.root));
        let writes: Vec<usize> = ours().filter(|&n| self.survey.touches[n].writes).collect();
        let mut questions = QUESTIONS;
        let exposed = ours().find(|&read| {
            if self.survey.touches[read].writes {
                return false;
            }
            let covers = writes.iter().flat_map(|&write| self.covers(write, read)).collect::<Vec<_>>();
            !self.is_covered(&self.survey.touches[read].facts, &covers, &mut questions)
        });
        match exposed {
            Some(read) => Coverage::Exposed(read),
            None => Coverage::Covered { evenly: writes.iter().all(|&write| self.is_even(write)) },
        }
    }

    /// Whether facts leave no place that none of some covers has.
    fn is_covered(&self, facts: &[Fact], covers: &[Vec<Sum>], questions: &mut u32) -> bool {
        let Some((cover, rest)) = covers.split_first() else { return false };
        cover.iter().all(|sum| {
            // Outside of the cover, because this sum is below zero.
            let Some(outside) = Fact::exceeds(&Sum::constant(-1), sum, 0) else { return false };
            let Some(left) = questions.checked_sub(1) else { return false };
            *questions = left;
            if excludes(&self.survey.atoms, facts, &outside) {
                return true;
            }
            let mut facts = facts.to_vec();
            facts.push(outside);
            self.is_covered(&facts, rest, questions)
        })
    }

    /// The conditions, as sums that are zero or more, under which a write has written what a read reads,
    /// for each way in which it may have come before.
    fn covers(&self, write: usize, read: usize) -> Vec<Vec<Sum>> {
        let (by, of) = (&self.survey.touches[write], &self.survey.touches[read]);
        let (mine, others) = (self.inner_loops(by.loop_), self.inner_loops(of.loop_));
        let common = mine.iter().zip(&others).take_while(|(a, b)| a == b).count();
        (0..=common)
            .filter(|&shared| shared < common || write < read)
            .filter_map(|shared| {
                let earlier = (shared < common).then(|| mine[shared]);
                self.cover(by, of, &mine[shared..], earlier)
            })
            .collect()
    }

    /// The loops from the one inside of the judged loop to the innermost one.
    fn inner_loops(&self, innermost: Loop) -> Vec<Loop> {
        let body = self.whole.body;
        let mut loops: Vec<Loop> =
            body.loops_around(Some(innermost)).take_while(|&around| around != self.loop_).collect();
        loops.reverse();
        loops
    }

    /// The cover of a write that is executed in all iterations of its `own` loops before the read: of the
    /// first of them, if it is `earlier`, in those before the iteration of the read.
    fn cover(&self, by: &Touch, of: &Touch, own: &[Loop], earlier: Option<Loop>) -> Option<Vec<Sum>> {
        if !self.is_unconditional(&by.control, &of.control, own, earlier) {
            return None;
        }
        let (place, mut way) = (self.offset(by)?, self.offset(of)?);
        let (rest, mut steps) = self.steps(&place, own)?;
        way = way.plus(-1, &rest)?;
        // The iteration of each loop in which the write is to the place of the read: large steps first.
        steps.sort_by_key(|&(_, step)| std::cmp::Reverse(step.unsigned_abs()));
        let mut conditions = Vec::new();
        for &(loop_, step) in &steps {
            let (iteration, left) = divided(&way, step)?;
            way = left;
            let trip = match earlier {
                Some(around) if around == loop_ => Sum::atom(self.counter(loop_)?),
                _ => self.trip(loop_, own)?,
            };
            conditions.push(trip.plus(-1, &iteration)?.plus(-1, &Sum::constant(1))?);
            conditions.push(iteration);
        }
        // A loop that the place does not depend on has to run.
        for &loop_ in own.iter().filter(|loop_| !steps.iter().any(|(other, _)| other == *loop_)) {
            let trip = match earlier {
                Some(around) if around == loop_ => Sum::atom(self.counter(loop_)?),
                _ => self.trip(loop_, own)?,
            };
            conditions.push(trip.plus(-1, &Sum::constant(1))?);
        }
        // What is left lies within the bytes that are written at once.
        conditions.push(Sum::constant(by.bytes.checked_sub(of.bytes)?).plus(-1, &way)?);
        conditions.push(way);
        Some(conditions)
    }

    /// Whether code is executed in each iteration of its own loops wherever other code is. What decides
    /// about the iteration of an `earlier` loop decides about another one than that of the other code.
    fn is_unconditional(
        &self,
        control: &[Control],
        other: &[Control],
        own: &[Loop],
        earlier: Option<Loop>,
    ) -> bool {
        let common = control.iter().zip(other).take_while(|(a, b)| a == b).count();
        // The heads of the own loops are the last ones, but for what comes between them.
        let outside = match earlier {
            Some(_) => control.len().checked_sub(own.len()).filter(|&outside| outside <= common),
            None => Some(common),
        };
        let Some(outside) = outside else { return false };
        let inner = &control[outside..];
        let has_exit =
            |&loop_: &Loop| self.survey.loops.get(&loop_).is_none_or(|facts| !facts.obstacles.is_empty());
        inner.len() == own.len() && inner.iter().all(Control::is_of_header) && !own.iter().any(has_exit)
    }

    /// Bytes from the start of the array.
    fn offset(&self, touch: &Touch) -> Option<Sum> {
        touch.address.plus(-1, &Sum::atom(self.root))
    }

    fn counter(&self, loop_: Loop) -> Option<Atom> {
        self.survey.atoms.known(&Kind::Counter(loop_))
    }

    /// The bytes that a place moves in an iteration of each loop, and what does not change in any of them.
    fn steps(&self, place: &Sum, own: &[Loop]) -> Option<(Sum, Vec<(Loop, i64)>)> {
        let (mut rest, mut steps) = (place.clone(), Vec::new());
        for &loop_ in own {
            let Some(counter) = self.counter(loop_) else { continue };
            let step = place.terms().find(|(product, _)| product[..] == [counter]).map(|(_, step)| step);
            if let Some(step) = step {
                rest = rest.plus(step.checked_neg()?, &Sum::atom(counter))?;
                steps.push((loop_, step));
            }
        }
        (!self.varies(&rest, own)).then_some((rest, steps))
    }

    /// The number of iterations of a loop, if it is the same in all iterations of some loops.
    fn trip(&self, loop_: Loop, own: &[Loop]) -> Option<Sum> {
        let trip = self.survey.loops.get(&loop_)?.trip.clone()?;
        (!self.varies(&trip, own)).then_some(trip)
    }

    fn varies(&self, sum: &Sum, loops: &[Loop]) -> bool {
        let body = self.whole.body;
        loops.iter().any(|&loop_| {
            self.survey.atoms.varies_in(sum, loop_, |inner, outer| body.loop_is_within(Some(inner), outer))
        })
    }

    /// Whether a write is executed in all iterations, and to the same places.
    fn is_even(&self, write: usize) -> bool {
        let touch = &self.survey.touches[write];
        let own = self.inner_loops(touch.loop_);
        let is_constant = |sum: &Sum| !self.varies(sum, &[self.loop_]);
        let places = self.offset(touch).and_then(|place| self.steps(&place, &own));
        // Outside of the judged loop, what decides is the same for all of its iterations.
        let inner = touch.control.iter().rev().take_while(|control| control.is_of_header()).count();
        inner > own.len()
            && places.is_some_and(|(rest, _)| is_constant(&rest))
            && own.iter().all(|&loop_| {
                let facts = self.survey.loops.get(&loop_);
                facts.is_some_and(|facts| facts.obstacles.is_empty())
                    && self.trip(loop_, &own).is_some_and(|trip| is_constant(&trip))
            })
    }
}

/// A sum divided by a number: the quotient of the terms that it divides, and the others.
fn divided(sum: &Sum, by: i64) -> Option<(Sum, Sum)> {
    let (mut quotient, mut rest) = (Sum::default(), Sum::default());
    for (product, factor) in sum.terms() {
        // Of a constant, what is left points upwards.
        let part = match product.is_empty() {
            true => factor.checked_sub(factor.checked_rem_euclid(by)?)?.checked_div(by)?,
            false if factor.checked_rem(by)? == 0 => factor.checked_div(by)?,
            false => 0,
        };
        quotient = quotient.plus(1, &Sum::term(*product, part))?;
        let left = factor.checked_sub(part.checked_mul(by)?)?;
        rest = rest.plus(1, &Sum::term(*product, left))?;
    }
    Some((quotient, rest))
}

/// Whether code that control may reach behind a loop reads a slot or global, or code that nothing is known
/// of does: another function that knows its address.
pub fn is_read_behind(whole: &Whole<'_>, loop_: Loop, name: Name) -> bool {
    let body = whole.body;
    let Name::Slot(slot) = name else { return true };
    if whole.bases.is_addressed(slot) {
        return true;
    }
    let inside = set_of(whole.nest.blocks(loop_));
    let mut reached: FxHashSet<Block> = FxHashSet::default();
    let mut work = vec![body.loops[loop_].exit];
    while let Some(block) = work.pop() {
        // The loop itself writes before it reads.
        if reached.insert(block) {
            body.blocks[block].term.successors(|next| work.push(next));
        }
    }
    let is_ours = |operand: Operand| whole.bases.of(operand) == Base::Slot(slot);
    reached.into_iter().filter(|&block| !inside.contains(block)).any(|block| {
        body.blocks[block].insts.iter().any(|inst| match &inst.op {
            Op::Load { addr, .. } => is_ours(addr.base),
            // To write it or to compute an address in it reads nothing.
            Op::Store { .. } | Op::Index { .. } | Op::Copy { .. } | Op::MemSet { .. } => false,
            Op::MemCopy { src, .. } => is_ours(src.base),
            op => {
                let mut found = false;
                op.parts(|part| match part {
                    Part::Value(operand) | Part::Variable(operand) => found |= is_ours(*operand),
                    Part::Address(address) => found |= is_ours(address.base),
                    _ => {}
                });
                found
            }
        })
    })
}
