//! The values of iterations in the new loop: once for all, one by one, or as vectors.

use super::super::plan::{Plan, as_number, has_steps, wide_args};
use super::Emitter;
use crate::analysis::iteration::{Iteration, Node, Value};
use crate::builder::Cursor;
use crate::entities::Local;
use crate::op::{Address, BinaryOp, Op, Operand};
use crate::types::Type;

impl Emitter<'_, '_> {
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
            return self.splat(value);
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
            Node::Op { op: Op::Load { addr, access, .. }, args, .. } if self.plan.contiguous(value) => {
                let base = self.scalar(args[0], 0);
                let dst = self.c.temp(self.wide_type(ty));
                let addr = Address { base, offset: addr.offset }.plus(self.first_byte(ty, part));
                let around = std::mem::replace(&mut self.c.pos, iteration.places[value.0 as usize]);
                self.c.op(Op::Load { dst, addr, access: *access });
                self.c.pos = around;
                Operand::Local(dst)
            }
            // What a comparison of vectors gives is all ones.
            Node::Op { .. } if let Some(condition) = as_number(iteration, value) => {
                let mask = self.vector(condition, part);
                let ones = self.ones(self.c.body.operand_type(mask));
                self.c.binary(BinaryOp::And, mask, ones)
            }
            Node::Op { op, args, .. } if let Some(wide) = wide_args(iteration, &self.plan.uniform, value) => {
                let (vectors, others) = args.split_at(wide.len());
                let vectors = vectors.iter().map(|&arg| self.vector(arg, part)).collect::<Vec<_>>();
                let others = others.iter().map(|&arg| self.uniform(arg)).collect::<Vec<_>>();
                let args = [vectors, others].concat();
                let ty = match op {
                    Op::Compare { .. } => self.c.body.operand_type(args[0]).comparison(),
                    _ => self.wide_type(ty),
                };
                instance(&mut self.c, op, ty, &args)
            }
            Node::Entry(_) | Node::Invariant(_) | Node::Op { .. } => self.pack(value, ahead),
        };
        self.vectors.insert((value, part), operand);
        operand
    }

    fn splat(&mut self, value: Value) -> Operand {
        if let Some(&known) = self.splats.get(&value) {
            return known;
        }
        let scalar = self.uniform(value);
        let ty = self.wide_type(self.iteration.ty(value));
        let splat = self.in_setup(|this| this.c.splat(ty, scalar));
        self.splats.insert(value, splat);
        splat
    }

    /// A vector of integers that are 1.
    fn ones(&mut self, vector: Type) -> Operand {
        if let Some(&known) = self.ones.get(&vector) {
            return known;
        }
        let one = Operand::Int(if vector.lanes() == 2 { Type::I64 } else { Type::I32 }, 1);
        let ones = self.in_setup(|this| this.c.splat(vector, one));
        self.ones.insert(vector, ones);
        ones
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
