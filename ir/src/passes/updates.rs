//! Elements that the iterations of a loop over gangs update atomically become reduction variables.
//!
//! ```text
//!     before:  for each i, shared by all threads:                       atomic: y[3] += x[i]
//!     after:   for each i, shared by all threads, reduction(+: y[3]):   y[3] += x[i]
//! ```
//!
//! Threads that update one element wait for each other, however near its memory is. In a reduction each
//! thread has a number of its own, and the element is updated once for each gang.
//!
//! When updates happen is nobody's business in the region where [`Updates`] finds them; a region on another
//! queue may update the element, too, so that gangs must combine by atomic operations. Besides,
//! - the element must be the same in all iterations: a variable, `y[3]`, or `y[k]` where `k` does not change;
//! - it must be there even if no iteration updates it, since gangs add zero then: all of its object is, or
//!   each iteration updates it, so that only a loop without any need not be entered;
//! - elements of one object must not be the same one: they are constant distances apart, or there is only
//!   one.
//!
//! Before: levels are assigned, nests merged. After: the same.

use super::env::{Env, each_body};
use crate::acc::{RedType, ReductionClause, ReductionPart};
use crate::analysis::accumulation::Step;
use crate::analysis::cfg::{Cfg, Dominators};
use crate::analysis::updates::{Defined, Update, Updated, Updates, has_updates};
use crate::builder::Cursor;
use crate::edit::clone::recompute;
use crate::edit::induction::constant_trip_count;
use crate::edit::split::{block_like, split_exit};
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, FunctionKind, Induction, LoopData};
use crate::module::Module;
use crate::op::{Address, Inst, Op, Operand, Pos, Terminator};
use crate::report::{Decision, PassError, topics};
use crate::types::Type;
use std::cmp::Reverse;
use std::sync::Arc;

/// Elements of an object at most, since each thread has registers for all of them.
const MOST_ELEMENTS: usize = 16;

/// Operations that lead to an element at most.
const LONGEST_PATH: usize = 16;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let (function, body) = (&work.module.functions[work.func], &*work.body);
        let FunctionKind::Region(region) = &function.kind else { return Ok(()) };
        if !env.target.combines_atomically(region) || !has_updates(body) {
            return Ok(());
        }
        let updates = Updates::new(work.module, function, body);
        let dominators = Dominators::new(&Cfg::new(body));
        let finder = Finder { body, updates: &updates, dominators };
        let found = updates.found(|updated| updates.is_apart_from_other_updates(updated));
        let found: Vec<Sums> = found.into_iter().filter_map(|updated| finder.sums(updated)).collect();
        for sums in &found {
            let (pos, function) = (sums.pos, region.parent.clone());
            let text = sums.describe(work.body);
            env.report.decisions.push(Decision { pos, function, topic: topics::ATOMIC, text });
        }
        apply(work.body, &found);
        Ok(())
    })
}

/// An element, and the numbers of its updates among those of the object.
struct Element {
    place: Place,
    updates: Vec<usize>,
    /// Without any iteration it need not be there.
    is_guarded: bool,
}

/// An address that does not change in a loop.
#[derive(PartialEq)]
enum Place {
    /// So many bytes behind the object.
    Constant(i64),
    /// So many bytes behind what a local has after these operations, which give the same in each iteration.
    Computed(Local, Vec<Op>, i64),
}

/// An object with all its elements that are updated.
struct Sums {
    updated: Updated,
    elements: Vec<Element>,
    name: Arc<str>,
    /// The loop.
    pos: Pos,
}

struct Finder<'a> {
    body: &'a Body,
    updates: &'a Updates<'a>,
    dominators: Dominators,
}

impl Finder<'_> {
    fn sums(&self, updated: Updated) -> Option<Sums> {
        let mut elements: Vec<Element> = Vec::new();
        for (number, update) in updated.updates.iter().enumerate() {
            let place = self.place(&updated, update)?;
            match elements.iter_mut().find(|element| element.place == place) {
                Some(element) => element.updates.push(number),
                None => elements.push(Element { place, updates: vec![number], is_guarded: false }),
            }
        }
        let size = u64::from(updated.ty.bytes());
        let are_apart = elements.len() == 1
            || elements.iter().all(|element| match element.place {
                Place::Constant(offset) => offset.unsigned_abs() % size == 0,
                Place::Computed(..) => false,
            });
        if !are_apart || elements.len() > MOST_ELEMENTS {
            return None;
        }
        for element in &mut elements {
            element.is_guarded = !self.is_there(&updated, element);
            if element.is_guarded && !self.is_in_each_iteration(&updated, element) {
                return None;
            }
        }
        let name = self.updates.name(updated.object).into();
        let pos = self.body.loops[updated.loop_].pos;
        Some(Sums { updated, elements, name, pos })
    }

    fn place(&self, updated: &Updated, update: &Update) -> Option<Place> {
        let mut offset = update.addr.offset;
        let is_constant =
            update.path.iter().all(|&(_, (block, at))| match self.body.blocks[block].insts[at].op {
                Op::Copy { .. } => true,
                Op::Index { index: Operand::Int(_, index), scale, offset: more, .. } => {
                    let further = index.checked_mul(scale).and_then(|further| further.checked_add(more));
                    let sum = further.and_then(|further| offset.checked_add(further));
                    offset = sum.unwrap_or(offset);
                    sum.is_some()
                }
                _ => false,
            });
        if is_constant {
            return Some(Place::Constant(offset));
        }
        let (local, mut ops) = (update.addr.base.as_local()?, Vec::new());
        let is_steady = self.add(updated.loop_, local, &mut ops);
        is_steady.then_some(Place::Computed(local, ops, update.addr.offset))
    }

    /// Adds what computes a local in a loop, in order. Says whether that is the same in each iteration.
    fn add(&self, loop_: Loop, local: Local, ops: &mut Vec<Op>) -> bool {
        let (block, at) = match self.updates.defined(local) {
            Defined::Before => return true,
            Defined::At(block, at) => (block, at),
            Defined::Nowhere | Defined::Often => return false,
        };
        if !self.body.loop_is_within(self.body.blocks[block].loop_, loop_) {
            return true;
        }
        let op = &self.body.blocks[block].insts[at].op;
        if !op.effects().pure || ops.len() == LONGEST_PATH {
            return false;
        }
        let mut is_steady = true;
        op.uses(|used| is_steady = is_steady && self.add(loop_, used, ops));
        ops.push(op.clone());
        is_steady
    }

    /// Whether an element is there whatever the loop does, by what is known of the object.
    fn is_there(&self, updated: &Updated, element: &Element) -> bool {
        let Place::Constant(offset) = element.place else { return false };
        let end = u64::try_from(offset).ok().map(|offset| offset + u64::from(updated.ty.bytes()));
        end.zip(self.updates.whole_bytes(updated.object)).is_some_and(|(end, bytes)| end <= bytes)
    }

    /// Whether each iteration of the loop updates an element.
    fn is_in_each_iteration(&self, updated: &Updated, element: &Element) -> bool {
        let data = &self.body.loops[updated.loop_];
        let is_always_met = |block: Block| self.dominators.dominates(block, data.latch);
        let mut blocks = element.updates.iter().map(|&number| updated.updates[number].place.0);
        data.induction.is_some() && blocks.any(is_always_met)
    }
}

impl Sums {
    fn describe(&self, body: &Body) -> String {
        let line = self.updated.first_line(body);
        let elements = match self.elements.len() {
            1 => "an element".to_owned(),
            several => format!("{several} elements"),
        };
        format!(
            "updates of {elements} of `{}` at line {line}: each thread has a number of its own, as with `reduction`",
            self.name
        )
    }

    /// Has the loops reduce an element. Gives the variable.
    fn reduce(&self, body: &mut Body, element: &Element) -> Option<Operand> {
        let Updated { object, ty, op, loop_, ref updates } = self.updated;
        let Step { op, is_unsigned } = Step::of(op)?;
        let ty = RedType { ty, signed: !is_unsigned, boolean: false };
        let preheader = body.loops[loop_].preheader;
        let mut cursor = Cursor::with_pos(body, preheader, self.pos);
        let (base, offset) = match &element.place {
            Place::Constant(offset) => (object, *offset),
            Place::Computed(local, ops, offset) => {
                (Operand::Local(recompute(&mut cursor, ops).local(*local)), *offset)
            }
        };
        let var = cursor.index(base, Operand::Int(Type::I64, 0), 1, offset);
        let part = ReductionPart { offset: 0, ty, count: None };
        let (name, parts, pos) = (self.name.clone(), vec![part], self.pos);
        let clause = ReductionClause { op, name, var, pointee: true, lower: None, parts, pos };
        for &number in &element.updates {
            let around: Vec<Loop> = body.loops_around(body.blocks[updates[number].place.0].loop_).collect();
            for around in around {
                let Some(directive) = &mut body.loops[around].directive else { continue };
                if !directive.levels.is_empty() && directive.reductions.iter().all(|other| other.var != var) {
                    directive.reductions.push(clause.clone());
                }
            }
        }
        Some(var)
    }
}

fn apply(body: &mut Body, found: &[Sums]) {
    let mut plain = Vec::new();
    let mut guarded: Vec<Loop> = Vec::new();
    for sums in found.iter().filter(|sums| sums.elements.iter().any(|element| element.is_guarded)) {
        let loop_ = sums.updated.loop_;
        if !guarded.contains(&loop_) {
            guard(body, loop_);
            guarded.push(loop_);
        }
    }
    for sums in found {
        for element in &sums.elements {
            let Some(var) = sums.reduce(body, element) else { continue };
            let places = element.updates.iter().map(|&number| sums.updated.updates[number].place);
            plain.extend(places.map(|place| (place, var)));
        }
    }
    // Those behind keep their numbers.
    plain.sort_unstable_by_key(|&(place, _)| Reverse(place));
    for ((block, at), var) in plain {
        let Inst { op, pos } = body.blocks[block].insts.remove(at);
        let Op::AtomicRmw { op, ty, value, .. } = op else { continue };
        let mut cursor = Cursor::before(body, block, at);
        cursor.pos = pos;
        let before = cursor.load(ty, Address::at(var));
        let after = cursor.binary(op, before, value);
        cursor.store(Address::at(var), after);
    }
}

/// Goes around a loop that has no iteration.
fn guard(body: &mut Body, loop_: Loop) {
    let LoopData { preheader, header, ref induction, pos, .. } = body.loops[loop_];
    let Some(Induction { init, bound, cmp, .. }) = *induction else { return };
    let trips = induction.as_ref().and_then(constant_trip_count);
    if trips.is_some_and(|trips| trips > 0) {
        return;
    }
    let end = split_exit(body, loop_);
    let Terminator::Jump(behind) = body.blocks[end].term else { return };
    let entry = block_like(body, preheader, header, pos);
    Cursor::with_pos(body, entry, pos).jump(header);
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let has_iterations = cursor.compare(cmp, init, bound);
    cursor.branch(has_iterations, entry, behind);
    body.loops[loop_].preheader = entry;
}
