//! Which powers of two the values of a function are multiples of, as far as it matters whether an address
//! is.
//!
//! A value is a constant and a multiple of a power in every thread and at any time, but for what all threads
//! have in common, which may be anything: parameters, sizes of the launch. A program that is written for
//! accesses of many bytes chooses such numbers to suit, and whether it did is asked when it runs. So
//! `a + 16 * i + n` is a multiple of 16 here, `a + 4 * i` of 4, and a number that comes from memory of 1.
//! In how many bits the lanes of a row differ is found on the way: `32 * i + lane` of a row of 32 is the same
//! for all of them without its last five.

use accrue_ir::*;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// The powers that divide 0, and what all threads have in common.
const ALL: u32 = 64;

/// A constant and a multiple of a power of two.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Value {
    /// The power's exponent.
    power: u32,
    constant: i64,
    /// The lanes of a row differ in these last bits at most.
    lane_bits: u32,
}

impl Value {
    const COMMON: Value = Value { power: ALL, constant: 0, lane_bits: 0 };

    fn constant(constant: i64) -> Value {
        Value { constant, ..Value::COMMON }
    }

    fn multiple(power: u32, lane_bits: u32) -> Value {
        Value { power: power.min(ALL), constant: 0, lane_bits: lane_bits.min(ALL) }
    }

    /// Whether the lanes of a row may differ in it.
    pub(crate) fn varies(self) -> bool {
        self.lane_bits > 0
    }

    /// The exponent of the power that divides it.
    pub(crate) fn zeros(self) -> u32 {
        self.power.min(self.constant.trailing_zeros())
    }

    /// It and a constant.
    pub(crate) fn behind(self, offset: i64) -> Value {
        Value { constant: self.constant.wrapping_add(offset), ..self }
    }

    fn plus(self, other: Value) -> Value {
        Value {
            power: self.power.min(other.power),
            constant: self.constant.wrapping_add(other.constant),
            lane_bits: match (self.lane_bits, other.lane_bits) {
                (0, 0) => 0,
                // Nothing is carried into the bits of a multiple.
                (bits, 0) if other.zeros() >= bits => bits,
                (0, bits) if self.zeros() >= bits => bits,
                _ => ALL,
            },
        }
    }

    /// A multiple of it.
    pub(crate) fn times(self, factor: i64) -> Value {
        let power = self.power.saturating_add(factor.trailing_zeros()).min(ALL);
        let lane_bits = match self.lane_bits {
            0 => 0,
            bits if factor.count_ones() == 1 => (bits + factor.trailing_zeros()).min(ALL),
            _ => ALL,
        };
        Value { power, constant: self.constant.wrapping_mul(factor), lane_bits }
    }

    /// Either of two values.
    fn or(self, other: Value) -> Value {
        let apart = self.constant.wrapping_sub(other.constant).trailing_zeros();
        let lane_bits = self.lane_bits.max(other.lane_bits);
        Value { power: self.power.min(other.power).min(apart), lane_bits, ..self }
    }
}

/// What locals are: those that are assigned once in the text wherever they are used, others where blocks
/// begin.
pub(crate) struct Multiples {
    once: SecondaryMap<Local, Value>,
    /// The number of each local that is assigned more often.
    numbers: FxHashMap<Local, usize>,
    /// By block and number; nothing of a block that has not been reached.
    entry: SecondaryMap<Block, Vec<Value>>,
    /// The bits of a lane's number.
    lane_bits: u32,
}

/// The values of locals at a place inside of a block.
pub(crate) struct Walk<'m> {
    multiples: &'m Multiples,
    block: Block,
    /// Those that the block has assigned.
    now: FxHashMap<Local, Value>,
}

impl Multiples {
    /// Of a function whose rows have so many lanes; 0 if that is not known.
    pub(crate) fn new(body: &Body, lanes: u32) -> Multiples {
        let mut is_assigned: SecondaryMap<Local, bool> = map_below(body.locals.len());
        let mut numbers = FxHashMap::default();
        // A parameter has a value before its first assignment: `p += 16` of a pointer that is given.
        body.params.iter().for_each(|&param| is_assigned[param] = true);
        let insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
        insts.for_each(|inst| {
            inst.op.defs(|local| {
                if std::mem::replace(&mut is_assigned[local], true) {
                    let next = numbers.len();
                    numbers.entry(local).or_insert(next);
                }
            });
        });
        let mut multiples = Multiples {
            once: SecondaryMap::with_default(Value::COMMON),
            numbers,
            entry: map_below(body.blocks.len()),
            lane_bits: if lanes == 0 { ALL } else { lanes.next_power_of_two().trailing_zeros().max(1) },
        };
        multiples.entry[body.entry()] = vec![Value::COMMON; multiples.numbers.len()];
        let mut shrinks = true;
        while shrinks {
            shrinks = false;
            for &block in &body.order {
                if multiples.entry[block].is_empty() && block != body.entry() {
                    continue;
                }
                let data = &body.blocks[block];
                let mut walk = multiples.walk(block);
                data.insts.iter().for_each(|inst| walk.step(&inst.op));
                let now = walk.now;
                let mut exit = multiples.entry[block].clone();
                for (local, value) in now {
                    match multiples.numbers.get(&local) {
                        Some(&number) => exit[number] = value,
                        None => {
                            shrinks |= multiples.once[local] != value;
                            multiples.once[local] = value;
                        }
                    }
                }
                data.term.successors(|to| {
                    let entry = &mut multiples.entry[to];
                    if entry.is_empty() {
                        shrinks |= !exit.is_empty();
                        entry.clone_from(&exit);
                    }
                    for (entry, exit) in entry.iter_mut().zip(&exit) {
                        let either = entry.or(*exit);
                        shrinks |= either != *entry;
                        *entry = either;
                    }
                });
            }
        }
        multiples
    }

    /// Begins at the start of a block.
    pub(crate) fn walk(&self, block: Block) -> Walk<'_> {
        Walk { multiples: self, block, now: FxHashMap::default() }
    }
}

impl Walk<'_> {
    /// An operand at this place.
    pub(crate) fn value(&self, operand: Operand) -> Value {
        let Multiples { once, numbers, entry, .. } = self.multiples;
        match operand {
            Operand::Local(local) => match (self.now.get(&local), numbers.get(&local)) {
                (Some(value), _) => *value,
                (None, Some(&number)) => entry[self.block].get(number).copied().unwrap_or(Value::COMMON),
                (None, None) => once[local],
            },
            Operand::Int(_, value) => Value::constant(value),
            Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) | Operand::F32(_) | Operand::F64(_) => {
                Value::COMMON
            }
        }
    }

    /// Goes on behind an operation.
    pub(crate) fn step(&mut self, op: &Op) {
        let Some(dst) = op.dst() else { return };
        let value = match *op {
            Op::Copy { src, .. }
            | Op::Convert { op: ConvertOp::SExt | ConvertOp::ZExt | ConvertOp::Trunc, src, .. } => {
                self.value(src)
            }
            Op::Binary { op, a, b, .. } => self.binary(op, a, b),
            Op::Index { base, index, scale, offset, .. } => {
                let steps = self.value(index).times(scale);
                self.value(base).plus(steps).plus(Value::constant(offset))
            }
            Op::Select { cond, a, b, .. } => {
                let either = self.value(a).or(self.value(b));
                let lane_bits = if self.value(cond).varies() { ALL } else { either.lane_bits };
                Value { lane_bits, ..either }
            }
            Op::DimSize { .. } => Value::COMMON,
            Op::DimPos { level: Level::Vector, .. } => Value::multiple(0, self.multiples.lane_bits),
            Op::DimPos { .. } => Value::multiple(0, 0),
            ref op => {
                let mut all = Value::COMMON;
                op.operands(|operand| all = all.or(self.value(operand)));
                let is_computed = matches!(op.class(), Class::Value | Class::Memory);
                // What all threads load is one number as good as another.
                let is_common = matches!(op, Op::Load { .. }) && all.power >= ALL;
                let varies = all.varies() || !is_computed;
                Value::multiple(if is_common { ALL } else { 0 }, if varies { ALL } else { 0 })
            }
        };
        self.now.insert(dst, value);
    }

    fn binary(&self, op: BinaryOp, a: Operand, b: Operand) -> Value {
        let (of_a, of_b) = (self.value(a), self.value(b));
        let varies = of_a.varies() || of_b.varies();
        let power = |power| Value::multiple(power, if varies { ALL } else { 0 });
        match (op, b) {
            (BinaryOp::Add, _) => of_a.plus(of_b),
            (BinaryOp::Sub, _) => of_a.plus(of_b.times(-1)),
            (BinaryOp::Mul, Operand::Int(_, factor)) => of_a.times(factor),
            (BinaryOp::Mul, _) => power(of_a.zeros().saturating_add(of_b.zeros())),
            (BinaryOp::Shl, Operand::Int(_, by)) => of_a.times(1i64.wrapping_shl(by as u32)),
            (BinaryOp::And, Operand::Int(_, mask)) => {
                let lane_bits = if mask.trailing_zeros() >= of_a.lane_bits { 0 } else { of_a.lane_bits };
                Value::multiple(of_a.zeros().max(mask.trailing_zeros()), lane_bits)
            }
            (BinaryOp::LShr | BinaryOp::AShr, Operand::Int(_, by)) if of_a.lane_bits < ALL => {
                Value::multiple(0, of_a.lane_bits.saturating_sub(by as u32))
            }
            (BinaryOp::SMin | BinaryOp::SMax | BinaryOp::UMin | BinaryOp::UMax, _) => of_a.or(of_b),
            _ => power(if of_a.power.min(of_b.power) >= ALL { ALL } else { 0 }),
        }
    }
}
