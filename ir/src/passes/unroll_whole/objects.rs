//! Loops that keep arrays of a thread in memory, and only they do.
//!
//! `float t[4][8]` is a set of registers once every subscript is a constant, which it is when the loops are
//! written out whose counters it is computed from. What that takes is more code than short loops are worth in
//! general; an access to a thread's memory costs more than what it is about. Of loops that are too long for
//! that a subscript may come again after some iterations (`period`): it is a constant in each of so many.

use super::counter::Counter;
use super::period;
use crate::entities::{Block, Local, Loop, Slot, map_below};
use crate::function::{Body, SlotKind};
use crate::op::{BinaryOp, Class, CmpOp, ConvertOp, Op, Operand};
use crate::passes::elements;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Loops of more iterations stay loops.
const MOST_TIMES: i64 = 64;

/// Registers of all objects together: as many as leave a thread some for what it computes.
const MOST_REGISTERS: u64 = 80;

/// Operations that are left of loops that are written out.
const MOST_OPERATIONS: usize = 5000;

/// How far operands are followed.
const DEPTH: u32 = 12;

/// The loops of a body to write out.
#[derive(Clone, Default)]
pub(super) struct Wanted {
    /// Those that are to be gone.
    pub(super) whole: EntitySet<Loop>,
    /// How often the bodies of others are to stand there; 0: once.
    pub(super) times: SecondaryMap<Loop, i64>,
}

impl Wanted {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.times.values().all(|&times| times == 0)
    }

    /// Makes a copy of a loop as wanted as the original.
    pub(super) fn copy(&mut self, original: Loop, copy: Loop) {
        if self.whole.contains(original) {
            self.whole.insert(copy);
        }
        self.times[copy] = self.times[original];
    }

    /// With what an object needs.
    fn with(&self, needs: &Needs) -> Option<Wanted> {
        let mut with = self.clone();
        with.whole.extend(needs.whole.iter().copied());
        for &(loop_, times) in &needs.times {
            with.times[loop_] = period::common(with.times[loop_], times)?;
        }
        let of_both = self.whole.iter().chain(needs.whole.iter().copied());
        of_both.for_each(|loop_| with.times[loop_] = 0);
        Some(with)
    }

    /// `taken_in`: loops that are one with loops around them.
    pub(super) fn of(body: &Body, taken_in: &EntitySet<Loop>) -> Wanted {
        let mut wanted = Wanted::default();
        let mut finder = Finder::new(body, taken_in);
        let mut registers = 0;
        for comes_again in [false, true] {
            finder.comes_again = comes_again;
            let objects = finder.objects();
            if objects.values().all(|object| object.needs.is_empty()) {
                continue;
            }
            let operations = finder.operations(&objects);
            for (slot, object) in objects.iter().filter(|(_, object)| object.is_constant) {
                let needed = registers + body.slots[slot].size.div_ceil(4);
                if needed > MOST_REGISTERS || finder.done.contains(slot) {
                    continue;
                }
                let with = wanted.with(&object.needs);
                let is_worth = |with: &Wanted| finder.written(&operations, with) <= MOST_OPERATIONS;
                if let Some(with) = with.filter(is_worth) {
                    (registers, wanted) = (needed, with);
                    finder.done.insert(slot);
                }
            }
        }
        wanted
    }
}

/// What it takes to make subscripts constant.
#[derive(Clone, Default)]
struct Needs {
    /// Loops that are written out.
    whole: Vec<Loop>,
    /// Loops whose body is there so often.
    times: Vec<(Loop, i64)>,
}

impl Needs {
    fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.times.is_empty()
    }
}

/// What is known about a slot.
#[derive(Clone, Default)]
struct Object {
    /// It is accessed, and every subscript is a constant with what it needs, or one of a few elements.
    is_constant: bool,
    needs: Needs,
}

/// Where a local is computed.
#[derive(Clone, Copy, Default)]
enum Definition {
    #[default]
    Nowhere,
    /// By this operation of a block.
    Once(Block, usize),
    Elsewhere,
}

struct Finder<'a> {
    body: &'a Body,
    definitions: SecondaryMap<Local, Definition>,
    counters: SecondaryMap<Loop, Option<Counter>>,
    /// The objects that locals hold addresses in.
    slots: SecondaryMap<Local, Option<Slot>>,
    /// Whether remainders of counters are looked for before loops are written out.
    comes_again: bool,
    /// The objects that are to be registers.
    done: EntitySet<Slot>,
}

impl<'a> Finder<'a> {
    fn new(body: &'a Body, taken_in: &EntitySet<Loop>) -> Finder<'a> {
        let mut definitions = map_below(body.locals.len());
        let mut counters = map_below(body.loops.len());
        let mut slots: SecondaryMap<Local, Option<Slot>> = map_below(body.locals.len());
        for &param in &body.params {
            definitions[param] = Definition::Elsewhere;
        }
        for &block in &body.order {
            for (at, inst) in body.blocks[block].insts.iter().enumerate() {
                inst.op.defs(|local| {
                    definitions[local] = match definitions[local] {
                        Definition::Nowhere => Definition::Once(block, at),
                        Definition::Once(..) | Definition::Elsewhere => Definition::Elsewhere,
                    }
                });
                if let Op::Index { dst, base, .. } | Op::Copy { dst, src: base } = inst.op {
                    slots[dst] = match base {
                        Operand::Slot(slot) => Some(slot),
                        base => base.as_local().and_then(|local| slots[local]),
                    };
                }
            }
        }
        for loop_ in body.loop_tree() {
            counters[loop_] = Counter::of(body, loop_).filter(|_| !taken_in.contains(loop_));
        }
        Finder { body, definitions, counters, slots, comes_again: false, done: EntitySet::new() }
    }

    /// The object that an operand is an address in.
    fn slot(&self, operand: Operand) -> Option<Slot> {
        match operand {
            Operand::Slot(slot) => Some(slot),
            operand => operand.as_local().and_then(|local| self.slots[local]),
        }
    }

    fn objects(&self) -> SecondaryMap<Slot, Object> {
        let mut objects: SecondaryMap<Slot, Object> = map_below(self.body.slots.len());
        for (slot, data) in &self.body.slots {
            objects[slot].is_constant = data.kind == SlotKind::Frame && data.size <= super::MOST_BYTES;
        }
        if objects.values().all(|object| !object.is_constant) {
            return objects;
        }
        let mut escape = |operand: Operand| {
            if let Some(slot) = self.slot(operand) {
                objects[slot] = Object::default();
            }
        };
        self.body.annotations(|part| part.used_operand().into_iter().for_each(&mut escape));
        for &block in &self.body.order {
            let data = &self.body.blocks[block];
            data.term.parts(|part| part.used_operand().into_iter().for_each(&mut escape));
            for inst in &data.insts {
                match inst.op {
                    Op::Load { access, .. } if !access.volatile => {}
                    Op::Store { src, access, .. } if !access.volatile => escape(src),
                    Op::MemCopy { bytes: Operand::Int(..), .. }
                    | Op::MemSet { value: Operand::Int(..), bytes: Operand::Int(..), .. } => {}
                    // An address that is one of several is none that is known.
                    Op::Index { dst, .. } | Op::Copy { dst, .. }
                        if matches!(self.definitions[dst], Definition::Once(..)) => {}
                    ref op => op.parts(|part| part.operand().into_iter().for_each(&mut escape)),
                }
            }
        }
        for &block in &self.body.order {
            for inst in &self.body.blocks[block].insts {
                let Op::Index { base, index, extent, .. } = inst.op else { continue };
                let Some(slot) = self.slot(base).filter(|&slot| objects[slot].is_constant) else { continue };
                let mut needs = objects[slot].needs.clone();
                if self.is_constant(index, block, DEPTH, &mut needs) {
                    objects[slot].needs = needs;
                } else if !elements::is_choice(extent) {
                    objects[slot] = Object::default();
                }
            }
        }
        objects
    }

    /// Whether an operand is a constant in a block of the code that is there with what it needs, which is
    /// added to `needs`.
    fn is_constant(&self, operand: Operand, block: Block, depth: u32, needs: &mut Needs) -> bool {
        let Operand::Local(local) = operand else { return true };
        if depth == 0 {
            return false;
        }
        if let Some((loop_, counter)) = self.counter(local, block) {
            if needs.whole.contains(&loop_) {
                return true;
            }
            needs.whole.push(loop_);
            let (before, header) = (self.body.loops[loop_].preheader, self.body.loops[loop_].header);
            return self.times(loop_).is_some()
                && self.is_constant(counter.first, before, depth - 1, needs)
                && self.is_constant(counter.bound, header, depth - 1, needs);
        }
        let Definition::Once(block, at) = self.definitions[local] else { return false };
        if self.comes_again
            && let Some(again) = self.period(block, at)
        {
            needs.times.push(again);
            return true;
        }
        self.is_folded(&self.body.blocks[block].insts[at].op, block, depth - 1, needs)
    }

    /// The same for the result of an operation.
    fn is_folded(&self, op: &Op, block: Block, depth: u32, needs: &mut Needs) -> bool {
        let mut is_constant = op.class() == Class::Value && !matches!(op, Op::Index { .. });
        op.parts(|part| {
            let operand = part.used_operand();
            is_constant &= operand.is_none_or(|operand| self.is_constant(operand, block, depth, needs));
        });
        is_constant
    }

    /// The innermost loop around a block, if a result in it comes again after some iterations.
    fn period(&self, block: Block, at: usize) -> Option<(Loop, i64)> {
        let loop_ = self.body.blocks[block].loop_?;
        let counter = self.counters[loop_].as_ref()?;
        Some((loop_, period::period(self.body, loop_, counter, block, at)?))
    }

    /// The loop around a block whose counter a local is.
    fn counter(&self, local: Local, block: Block) -> Option<(Loop, Counter)> {
        let mut around = self.body.loops_around(self.body.blocks[block].loop_);
        around.find_map(|loop_| Some((loop_, self.counters[loop_].filter(|counter| counter.iv == local)?)))
    }

    /// The number of iterations at most, if it is small.
    fn times(&self, loop_: Loop) -> Option<i64> {
        let counter = self.counters[loop_]?;
        if let Some((_, times)) = counter.times(MOST_TIMES as usize) {
            return Some(times as i64);
        }
        let (before, header) = (self.body.loops[loop_].preheader, self.body.loops[loop_].header);
        let first = self.range(counter.first, before, DEPTH)?;
        let bound = self.range(counter.bound, header, DEPTH)?;
        let (distance, step) = match counter.cmp {
            CmpOp::Lt => (bound.1 - first.0, counter.step),
            CmpOp::Le => (bound.1 - first.0 + 1, counter.step),
            CmpOp::Gt => (first.1 - bound.0, -counter.step),
            CmpOp::Ge => (first.1 - bound.0 + 1, -counter.step),
            _ => return None,
        };
        let times = if step > 0 { (distance.max(0) + step - 1) / step } else { return None };
        (times <= MOST_TIMES).then_some(times)
    }

    /// The least and the greatest value of what is computed from counters, as far as that is simple.
    fn range(&self, operand: Operand, block: Block, depth: u32) -> Option<(i64, i64)> {
        let is_near = |range: &(i64, i64)| range.0 > i32::MIN.into() && range.1 < i32::MAX.into();
        let local = match operand {
            Operand::Int(_, value) => return Some((value, value)).filter(is_near),
            operand => operand.as_local().filter(|_| depth > 0)?,
        };
        if let Some((loop_, counter)) = self.counter(local, block) {
            let (before, header) = (self.body.loops[loop_].preheader, self.body.loops[loop_].header);
            let first = self.range(counter.first, before, depth - 1)?;
            let bound = self.range(counter.bound, header, depth - 1)?;
            let is_up = match counter.cmp {
                CmpOp::Lt | CmpOp::Le => true,
                CmpOp::Gt | CmpOp::Ge => false,
                _ => return None,
            };
            return Some(if is_up { (first.0, bound.1) } else { (bound.0, first.1) });
        }
        let Definition::Once(block, at) = self.definitions[local] else { return None };
        let of = |operand: Operand| self.range(operand, block, depth - 1);
        let range = match self.body.blocks[block].insts[at].op {
            Op::Copy { src, .. } | Op::Convert { op: ConvertOp::SExt, src, .. } => of(src)?,
            Op::Convert { op: ConvertOp::ZExt, src, .. } => of(src).filter(|range| range.0 >= 0)?,
            Op::Binary { op: BinaryOp::Add, a, b, .. } => {
                let (a, b) = (of(a)?, of(b)?);
                (a.0 + b.0, a.1 + b.1)
            }
            Op::Binary { op: BinaryOp::Sub, a, b, .. } => {
                let (a, b) = (of(a)?, of(b)?);
                (a.0 - b.1, a.1 - b.0)
            }
            _ => return None,
        };
        Some(range).filter(is_near)
    }

    /// How many operations of each loop, those of inner loops aside, are not constants or copies of registers
    /// once loops are written out.
    fn operations(&self, objects: &SecondaryMap<Slot, Object>) -> SecondaryMap<Loop, usize> {
        let is_object = |base| self.slot(base).is_some_and(|slot| objects[slot].is_constant);
        let mut operations: SecondaryMap<Loop, usize> = map_below(self.body.loops.len());
        for &block in &self.body.order {
            let Some(loop_) = self.body.blocks[block].loop_ else { continue };
            let stays = |op: &Op| match *op {
                Op::Copy { .. } => false,
                Op::Load { addr, .. } | Op::Store { addr, .. } => !is_object(addr.base),
                Op::Index { base, .. } => !is_object(base),
                ref op => !self.is_folded(op, block, DEPTH, &mut Needs::default()),
            };
            operations[loop_] += self.body.blocks[block].insts.iter().filter(|inst| stays(&inst.op)).count();
        }
        operations
    }

    /// How many operations loops are written out to.
    fn written(&self, operations: &SecondaryMap<Loop, usize>, wanted: &Wanted) -> usize {
        let mut copies: SecondaryMap<Loop, usize> = map_below(self.body.loops.len());
        let mut sum: usize = 0;
        // Parents come before their children.
        for loop_ in self.body.loop_tree() {
            let around = self.body.loops[loop_].parent.map_or(0, |parent| copies[parent]);
            let times = match wanted.times[loop_] {
                0 => self.times(loop_).filter(|_| wanted.whole.contains(loop_)),
                times => Some(times),
            };
            copies[loop_] = match times {
                Some(times) => around.max(1).saturating_mul(times as usize),
                None => around,
            };
            sum = sum.saturating_add(copies[loop_].saturating_mul(operations[loop_]));
        }
        sum
    }
}
