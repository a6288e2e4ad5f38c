//! Loops that keep arrays of a thread in memory, and only they do.
//!
//! `float t[4][8]` is a set of registers once every subscript is a constant, which it is when the loops are
//! written out whose counters it is computed from. What that takes is more code than short loops are worth in
//! general; an access to a thread's memory costs more than what it is about.

use super::counter::Counter;
use crate::entities::{Block, Local, Loop, Slot, map_below};
use crate::function::{Body, SlotKind};
use crate::op::{BinaryOp, Class, CmpOp, ConvertOp, Op, Operand};
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
pub(super) fn wanted(body: &Body) -> EntitySet<Loop> {
    let mut wanted = EntitySet::with_capacity(body.loops.len());
    let finder = Finder::new(body);
    let objects = finder.objects();
    if objects.values().all(|object| object.loops.is_empty()) {
        return wanted;
    }
    let operations = finder.operations(&objects);
    let mut registers = 0;
    for (slot, object) in objects.iter().filter(|(_, object)| object.is_constant) {
        let needed = registers + body.slots[slot].size.div_ceil(4);
        if needed > MOST_REGISTERS {
            continue;
        }
        let mut with = wanted.clone();
        with.extend(object.loops.iter().copied());
        if finder.written(&operations, &with) <= MOST_OPERATIONS {
            (registers, wanted) = (needed, with);
        }
    }
    wanted
}

/// What is known about a slot.
#[derive(Clone, Default)]
struct Object {
    /// It is accessed, and every subscript is a constant once `loops` are written out.
    is_constant: bool,
    loops: Vec<Loop>,
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
}

impl<'a> Finder<'a> {
    fn new(body: &'a Body) -> Finder<'a> {
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
            // The loops of a `collapse` are one.
            counters[loop_] = Counter::of(body, loop_).filter(|_| body.associated(loop_).is_none());
        }
        Finder { body, definitions, counters, slots }
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
                let Op::Index { base, index, .. } = inst.op else { continue };
                let Some(slot) = self.slot(base).filter(|&slot| objects[slot].is_constant) else { continue };
                let object = &mut objects[slot];
                if !self.is_constant(index, block, DEPTH, &mut object.loops) {
                    *object = Object::default();
                }
            }
        }
        objects
    }

    /// Whether an operand is a constant in a block of the code that is there when `loops` are written out, to
    /// which those are added that it takes.
    fn is_constant(&self, operand: Operand, block: Block, depth: u32, loops: &mut Vec<Loop>) -> bool {
        let Operand::Local(local) = operand else { return true };
        if depth == 0 {
            return false;
        }
        if let Some((loop_, counter)) = self.counter(local, block) {
            if loops.contains(&loop_) {
                return true;
            }
            loops.push(loop_);
            let (before, header) = (self.body.loops[loop_].preheader, self.body.loops[loop_].header);
            return self.times(loop_).is_some()
                && self.is_constant(counter.first, before, depth - 1, loops)
                && self.is_constant(counter.bound, header, depth - 1, loops);
        }
        let Definition::Once(block, at) = self.definitions[local] else { return false };
        self.is_folded(&self.body.blocks[block].insts[at].op, block, depth - 1, loops)
    }

    /// The same for the result of an operation.
    fn is_folded(&self, op: &Op, block: Block, depth: u32, loops: &mut Vec<Loop>) -> bool {
        let mut is_constant = op.class() == Class::Value && !matches!(op, Op::Index { .. });
        op.parts(|part| {
            let operand = part.used_operand();
            is_constant &= operand.is_none_or(|operand| self.is_constant(operand, block, depth, loops));
        });
        is_constant
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
                ref op => !self.is_folded(op, block, DEPTH, &mut Vec::new()),
            };
            operations[loop_] += self.body.blocks[block].insts.iter().filter(|inst| stays(&inst.op)).count();
        }
        operations
    }

    /// How many operations loops are written out to.
    fn written(&self, operations: &SecondaryMap<Loop, usize>, wanted: &EntitySet<Loop>) -> usize {
        let mut copies: SecondaryMap<Loop, usize> = map_below(self.body.loops.len());
        let mut sum: usize = 0;
        // Parents come before their children.
        for loop_ in self.body.loop_tree() {
            let around = self.body.loops[loop_].parent.map_or(0, |parent| copies[parent]);
            copies[loop_] = match self.times(loop_).filter(|_| wanted.contains(loop_)) {
                Some(times) => around.max(1).saturating_mul(times as usize),
                None => around,
            };
            sum = sum.saturating_add(copies[loop_].saturating_mul(operations[loop_]));
        }
        sum
    }
}
