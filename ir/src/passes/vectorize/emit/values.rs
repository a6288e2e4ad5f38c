//! The values of iterations in the new loop: once for all, one by one, or as vectors.

use super::super::plan::{Extended, Plan, Wide, as_number, has_steps, int_bits, is_within, signed};
use super::Emitter;
use crate::analysis::iteration::{Iteration, Node, Value};
use crate::builder::Cursor;
use crate::entities::Local;
use crate::op::{Address, BinaryOp, ConvertOp, Op, Operand};
use crate::types::Type;

impl<'a> Emitter<'a, '_> {
    /// Writes something where it is executed once.
    pub(super) fn in_setup(&mut self, write: impl FnOnce(&mut Self) -> Operand) -> Operand {
        let here = self.c.block;
        let at = self.setup;
        self.c.switch_to(at);
        let value = write(self);
        self.c.switch_to(here);
        value
    }

    /// A value that is the same in all iterations.
    pub(super) fn uniform(&mut self, value: Value) -> Operand {
        if let Some(&known) = self.uniform.get(&value) {
            return known;
        }
        let iteration = self.iteration;
        let operand = match iteration.node(value) {
            Node::Invariant(operand) => *operand,
            Node::Entry(local) => Operand::Local(*local),
            Node::Op { op, args, .. } => {
                let args: Vec<Operand> = args.iter().map(|&arg| self.uniform(arg)).collect();
                let ty = iteration.ty(value);
                self.in_setup(|this| instance(&mut this.c, op, ty, &args))
            }
        };
        self.uniform.insert(value, operand);
        operand
    }

    /// A local that counts, some steps ahead.
    pub(super) fn advanced(&mut self, local: Local, by: i64) -> Operand {
        let ty = self.c.body.locals[local].ty;
        match (by, ty) {
            (0, _) => Operand::Local(local),
            (_, Type::Ptr) => self.c.index(Operand::Local(local), Operand::Int(Type::I64, 0), 1, by),
            _ => self.c.add(Operand::Local(local), Operand::Int(ty, by)),
        }
    }

    /// The value that the old loop would have `ahead` iterations on.
    pub(super) fn scalar(&mut self, value: Value, ahead: i64) -> Operand {
        if self.plan.uniform[value.0 as usize] {
            return self.uniform(value);
        }
        if let Some(&known) = self.scalars.get(&(value, ahead)) {
            return known;
        }
        let iteration = self.iteration;
        let operand = match iteration.node(value) {
            Node::Invariant(operand) => *operand,
            Node::Entry(local) => match self.step_of(*local) {
                Some(step) => self.advanced(*local, step.wrapping_mul(ahead)),
                None => self.so_far(value, ahead as u32),
            },
            Node::Op { op: Op::Index { .. }, .. } if ahead > 0 && self.slopes[value.0 as usize] => {
                self.stepped(value, ahead)
            }
            Node::Op { op, args, .. } => {
                let args: Vec<Operand> = args.iter().map(|&arg| self.scalar(arg, ahead)).collect();
                let around = std::mem::replace(&mut self.c.pos, iteration.places[value.0 as usize]);
                let result = instance(&mut self.c, op, iteration.ty(value), &args);
                self.c.pos = around;
                result
            }
        };
        self.scalars.insert((value, ahead), operand);
        operand
    }

    /// Which values of 64 bits change by the same amount in every iteration, modulo two to the 64.
    pub(super) fn find_slopes(iteration: &Iteration, plan: &Plan) -> Vec<bool> {
        let mut slopes = Vec::with_capacity(iteration.nodes.len());
        for (n, node) in iteration.nodes.iter().enumerate() {
            let is_uniform = |value: Value| plan.uniform[value.0 as usize];
            let has_slope = |value: Value| slopes[value.0 as usize];
            let has = is_uniform(Value(n as u32))
                || match node {
                    Node::Entry(local) => plan.inductions.iter().any(|(known, _)| known == local),
                    Node::Invariant(_) => true,
                    Node::Op { op, args, .. } => match op {
                        Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. } | Op::Index { .. } => {
                            args.iter().all(|&arg| has_slope(arg))
                        }
                        Op::Binary { op: BinaryOp::Mul, .. } => {
                            let by = |factor: usize| is_uniform(args[factor]) && has_slope(args[1 - factor]);
                            by(0) || by(1)
                        }
                        _ => false,
                    },
                };
            slopes.push(has && matches!(iteration.types[n], Type::I64 | Type::Ptr));
        }
        slopes
    }

    /// What a value with a slope changes by.
    fn slope(&mut self, value: Value) -> Operand {
        if let Some(&known) = self.slope_values.get(&value) {
            return known;
        }
        let slope = self.find_slope(value);
        self.slope_values.insert(value, slope);
        slope
    }

    fn find_slope(&mut self, value: Value) -> Operand {
        let iteration = self.iteration;
        if self.plan.uniform[value.0 as usize] {
            return Operand::Int(Type::I64, 0);
        }
        let (op, args) = match iteration.node(value) {
            Node::Entry(local) => {
                return Operand::Int(Type::I64, self.step_of(*local).unwrap_or(0));
            }
            Node::Invariant(_) => return Operand::Int(Type::I64, 0),
            Node::Op { op, args, .. } => (op, args),
        };
        match *op {
            Op::Binary { op: BinaryOp::Mul, .. } => {
                let (counts, factor) = if self.plan.uniform[args[1].0 as usize] {
                    (args[0], args[1])
                } else {
                    (args[1], args[0])
                };
                let (slope, factor) = (self.slope(counts), self.uniform(factor));
                self.calculate(BinaryOp::Mul, slope, factor)
            }
            Op::Index { scale, .. } => {
                let (base, index) = (self.slope(args[0]), self.slope(args[1]));
                let bytes = self.calculate(BinaryOp::Mul, index, Operand::Int(Type::I64, scale));
                self.calculate(BinaryOp::Add, base, bytes)
            }
            Op::Binary { op, .. } => {
                let (a, b) = (self.slope(args[0]), self.slope(args[1]));
                self.calculate(op, a, b)
            }
            _ => unreachable!("{value:?} has no slope"),
        }
    }

    /// `a op b` of `i64`, computed once or now.
    fn calculate(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        match (op, a, b) {
            (BinaryOp::Add, Operand::Int(_, a), Operand::Int(_, b)) => {
                Operand::Int(Type::I64, a.wrapping_add(b))
            }
            (BinaryOp::Sub, Operand::Int(_, a), Operand::Int(_, b)) => {
                Operand::Int(Type::I64, a.wrapping_sub(b))
            }
            (BinaryOp::Mul, Operand::Int(_, a), Operand::Int(_, b)) => {
                Operand::Int(Type::I64, a.wrapping_mul(b))
            }
            (BinaryOp::Add | BinaryOp::Sub, _, Operand::Int(_, 0))
            | (BinaryOp::Mul, _, Operand::Int(_, 1)) => a,
            (BinaryOp::Add, Operand::Int(_, 0), _) | (BinaryOp::Mul, Operand::Int(_, 1), _) => b,
            _ => self.in_setup(|this| this.c.binary(op, a, b)),
        }
    }

    /// An address some iterations ahead, from the one before: no multiplication, and constants that accesses
    /// fold.
    fn stepped(&mut self, value: Value, ahead: i64) -> Operand {
        match self.slope(value) {
            Operand::Int(_, bytes) => {
                let first = self.scalar(value, 0);
                self.c.index(first, Operand::Int(Type::I64, 0), 1, bytes.wrapping_mul(ahead))
            }
            slope => {
                let before = self.scalar(value, ahead - 1);
                self.c.index(before, slope, 1, 0)
            }
        }
    }

    /// The partial result that an accumulator's entry value stands for.
    pub(super) fn so_far(&self, entry: Value, part: u32) -> Operand {
        match self.plan.accumulators.iter().position(|accumulator| accumulator.entry == entry) {
            Some(n) => Operand::Local(self.partial[n][part as usize]),
            None => unreachable!("{entry:?} is neither counted nor accumulated"),
        }
    }

    /// A vector of what consecutive iterations have, or the one value if the new loop is scalar.
    pub(super) fn part(&mut self, value: Value, part: u32) -> Operand {
        if self.plan.lanes == 1 { self.scalar(value, i64::from(part)) } else { self.vector(value, part) }
    }

    pub(super) fn vector(&mut self, value: Value, part: u32) -> Operand {
        if self.plan.uniform[value.0 as usize] {
            return self.splat(value, Extended::Signed);
        }
        if let Some(&known) = self.vectors.get(&(value, part)) {
            return known;
        }
        let iteration = self.iteration;
        let ty = iteration.ty(value);
        let ahead = i64::from(part * self.plan.lanes);
        let is_accumulator = self.plan.accumulators.iter().any(|a| a.entry == value);
        let operand = match iteration.node(value) {
            Node::Entry(_) if is_accumulator => self.so_far(value, part),
            Node::Entry(local)
                if has_steps(ty)
                    && let Some(step) = self.step_of(*local) =>
            {
                self.counted_on(value, (ty, step), ahead)
            }
            Node::Op { op: Op::Load { .. }, .. } if self.plan.contiguous(value) => self.loaded(value, part),
            // What a comparison of vectors gives is all ones.
            Node::Op { .. } if let Some(condition) = as_number(iteration, value) => {
                let mask = self.vector(condition, part);
                let one = self.constant(1);
                self.c.binary(BinaryOp::And, mask, one)
            }
            Node::Op { args, .. } if let Some(Wide { op, args: wide, extended }) = self.wide(value) => {
                let vectors = wide.iter().map(|&arg| self.extended(arg, part, extended)).collect::<Vec<_>>();
                let others = args[wide.len()..].iter().map(|&arg| self.uniform(arg)).collect::<Vec<_>>();
                let args = [vectors, others].concat();
                match op {
                    None => args[0],
                    Some(op) => {
                        let ty = match op {
                            Op::Compare { .. } => self.c.body.operand_type(args[0]).comparison(),
                            _ => self.wide_type(ty),
                        };
                        instance(&mut self.c, &op, ty, &args)
                    }
                }
            }
            Node::Entry(_) | Node::Invariant(_) | Node::Op { .. } => self.pack(value, ahead),
        };
        self.vectors.insert((value, part), operand);
        operand
    }

    /// The form on vectors of the operation that gives a value.
    fn wide(&self, value: Value) -> Option<Wide<'a>> {
        self.plan.in_lanes.as_ref()?.wide(self.iteration, &self.plan.uniform, value)
    }

    /// Bits of a lane.
    fn lane_bits(&self) -> u32 {
        128 / self.plan.lanes
    }

    /// What consecutive iterations load from consecutive elements.
    fn loaded(&mut self, value: Value, part: u32) -> Operand {
        let ty = self.iteration.ty(value);
        let times = self.lane_bits() / (ty.bytes() * 8);
        let mut vector = self.in_memory(value, part - part % times);
        // From half to half.
        let is_signed = self.is_loaded_signed(value);
        let (mut element, mut within) = (ty, part % times);
        let mut left = times;
        while left > 1 {
            left /= 2;
            let half = within / left;
            within %= left;
            element = twice(element);
            vector = self.half(vector, element, half as u8, is_signed);
        }
        vector
    }

    /// A vector as it is in memory, with what the iterations of a part load first.
    fn in_memory(&mut self, value: Value, part: u32) -> Operand {
        if let Some(&known) = self.memory.get(&(value, part)) {
            return known;
        }
        let iteration = self.iteration;
        let ty = iteration.ty(value);
        let Some((Op::Load { addr, access, .. }, args)) = iteration.op(value) else {
            unreachable!("{value:?} is no load");
        };
        let base = self.scalar(args[0], 0);
        let dst = self.c.temp(self.vector_of(ty));
        let addr = Address { base, offset: addr.offset }.plus(self.first_byte(ty, part));
        let around = std::mem::replace(&mut self.c.pos, iteration.places[value.0 as usize]);
        self.c.op(Op::Load { dst, addr, access: *access });
        self.c.pos = around;
        self.memory.insert((value, part), Operand::Local(dst));
        Operand::Local(dst)
    }

    /// Half of the lanes of a vector in lanes of twice the width.
    fn half(&mut self, vector: Operand, element: Type, half: u8, is_signed: bool) -> Operand {
        if let Some(&known) = self.halves.get(&(vector, half, is_signed)) {
            return known;
        }
        let widened = self.c.widen(self.vector_of(element), vector, half, is_signed);
        self.halves.insert((vector, half, is_signed), widened);
        widened
    }

    /// Whether lanes that are wider than what they are loaded from are so with its sign: unless somebody asks
    /// for numbers without.
    fn is_loaded_signed(&self, value: Value) -> bool {
        let asks = |node: &Node| match node {
            Node::Op { op: Op::Convert { op: ConvertOp::ZExt, .. }, args, .. } => args[0] == value,
            Node::Entry(_) | Node::Invariant(_) | Node::Op { .. } => false,
        };
        !self.iteration.nodes.iter().any(asks)
    }

    /// A vector of a value, with lanes that say what is asked for.
    pub(super) fn extended(&mut self, value: Value, part: u32, extended: Extended) -> Operand {
        let bits = int_bits(self.iteration.ty(value)).unwrap_or(64);
        if extended == Extended::Any || bits >= self.lane_bits() {
            return self.vector(value, part);
        }
        if self.plan.uniform[value.0 as usize] {
            return self.splat(value, extended);
        }
        let vector = self.vector(value, part);
        let is_signed = extended == Extended::Signed;
        if self.plan.contiguous(value) && self.is_loaded_signed(value) == is_signed {
            return vector;
        }
        if !is_signed {
            return self.lowest_bits(vector, bits);
        }
        let above = Operand::Int(Type::I32, i64::from(self.lane_bits() - bits));
        let up = self.c.binary(BinaryOp::Shl, vector, above);
        self.c.binary(BinaryOp::AShr, up, above)
    }

    /// The lanes of a vector with nothing in them but their lowest bits.
    fn lowest_bits(&mut self, vector: Operand, bits: u32) -> Operand {
        let mask = self.constant((1 << bits) - 1);
        self.c.binary(BinaryOp::And, vector, mask)
    }

    /// The vectors that are stored for `parts` of the iterations, of elements of a type.
    pub(super) fn stored(&mut self, value: Value, ty: Type, parts: u32) -> Vec<Operand> {
        let mut vectors: Vec<Operand> = (0..parts).map(|part| self.vector(value, part)).collect();
        let (bits, mut lane) = (ty.bytes() * 8, self.lane_bits());
        if self.plan.lanes == 1 || bits == lane {
            return vectors;
        }
        let is_signed = match self.is_exact(value, bits) {
            Some(is_signed) => is_signed,
            None => {
                vectors = vectors.into_iter().map(|vector| self.lowest_bits(vector, bits)).collect();
                false
            }
        };
        while lane > bits {
            lane /= 2;
            let ty = if lane == 8 { Type::I8x16 } else { Type::I16x8 };
            vectors = vectors.chunks(2).map(|pair| self.c.narrow(ty, pair[0], pair[1], is_signed)).collect();
        }
        vectors
    }

    /// Whether the lanes of a value are numbers that a narrower lane has as they are, and if so, those with a
    /// sign.
    fn is_exact(&self, value: Value, bits: u32) -> Option<bool> {
        let lanes = self.plan.in_lanes.as_ref()?;
        let wider = match self.iteration.op(value) {
            Some((Op::Convert { op: ConvertOp::Trunc, .. }, args)) => args[0],
            _ => value,
        };
        if self.plan.uniform[wider.0 as usize] || int_bits(self.iteration.ty(wider))? < self.lane_bits() {
            return None;
        }
        let range = lanes.range(wider);
        if is_within(range, (0, (1 << bits) - 1)) {
            Some(false)
        } else if is_within(range, signed(bits)) {
            Some(true)
        } else {
            None
        }
    }

    /// A vector of a value that is the same in all iterations.
    fn splat(&mut self, value: Value, extended: Extended) -> Operand {
        if let Some(&known) = self.splats.get(&(value, extended)) {
            return known;
        }
        let scalar = self.uniform(value);
        let ty = self.iteration.ty(value);
        let wide = self.wide_type(ty);
        let splat = self.in_setup(|this| {
            let element = wide.element();
            let fitted = match int_bits(ty) {
                // All ones, as comparisons of vectors give.
                None if ty == Type::I1 => {
                    let number = this.c.convert(ConvertOp::ZExt, element, scalar);
                    this.c.sub(Operand::Int(element, 0), number)
                }
                Some(bits) if bits > this.lane_bits() => this.c.convert(ConvertOp::Trunc, element, scalar),
                Some(bits) if bits < this.lane_bits() => {
                    let op = if extended == Extended::Unsigned { ConvertOp::ZExt } else { ConvertOp::SExt };
                    this.c.convert(op, element, scalar)
                }
                _ => scalar,
            };
            this.c.splat(wide, fitted)
        });
        self.splats.insert((value, extended), splat);
        splat
    }

    /// A vector of integers that are all the same.
    fn constant(&mut self, value: i64) -> Operand {
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        let wide = self.wide_type(Type::I1);
        let element = Operand::Int(wide.element(), value);
        let splat = self.in_setup(|this| this.c.splat(wide, element));
        self.constants.insert(value, splat);
        splat
    }

    /// A vector of values that are computed one by one.
    fn pack(&mut self, value: Value, ahead: i64) -> Operand {
        let ty = self.wide_type(self.iteration.ty(value));
        self.with_lanes(ty, |this, on| this.scalar(value, ahead + on))
    }

    /// A vector of what the iterations have that it is for, as many iterations on from its first one as
    /// `element` is asked for.
    fn with_lanes(&mut self, ty: Type, mut element: impl FnMut(&mut Self, i64) -> Operand) -> Operand {
        let last = ty.lanes() as u8 - 1;
        let on = |lane: u8, backward: bool| i64::from(if backward { last - lane } else { lane });
        let backward = self.plan.backward;
        let first = element(self, on(0, backward));
        let mut vector = self.c.splat(ty, first);
        for lane in 1..=last {
            let element = element(self, on(lane, backward));
            vector = self.c.insert_lane(vector, element, lane);
        }
        vector
    }

    fn step_of(&self, local: Local) -> Option<i64> {
        self.plan.inductions.iter().find(|(known, _)| *known == local).map(|(_, step)| *step)
    }

    /// A vector of what a local has that counts.
    fn counted_on(&mut self, value: Value, (ty, step): (Type, i64), ahead: i64) -> Operand {
        let vector = self.wide_type(ty);
        let steps = match self.steps.get(&(ty, step)) {
            Some(&known) => known,
            None => {
                let element = |_: &mut Self, on: i64| Operand::Int(ty, step.wrapping_mul(on));
                let steps = self.in_setup(|this| this.with_lanes(vector, element));
                self.steps.insert((ty, step), steps);
                steps
            }
        };
        let first = self.scalar(value, ahead);
        let first = self.c.splat(vector, first);
        self.c.add(first, steps)
    }
}

/// The integer of twice the width.
fn twice(ty: Type) -> Type {
    match ty {
        Type::I8 => Type::I16,
        Type::I16 => Type::I32,
        _ => Type::I64,
    }
}

/// A copy of an operation, with its result in a new local.
pub fn instance(c: &mut Cursor<'_>, op: &Op, ty: Type, args: &[Operand]) -> Operand {
    let dst = c.temp(ty);
    let mut op = op.clone();
    let mut next = args.iter();
    op.map_operands(|operand| next.next().copied().unwrap_or(operand));
    op.map_defs(|_| dst);
    c.op(op);
    Operand::Local(dst)
}
