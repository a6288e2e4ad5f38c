//! Writes the vectorized loop of a plan in front of the loop it comes from, which executes the iterations
//! that are left: of 10 iterations by vectors of four, the last two.

mod values;

pub(super) use values::instance;

use super::plan::{
    Accumulator, Apart, Control, Extended, Kind, Pair, Plan, Stream, as_number, int_bits, vector_type,
    widened,
};
use crate::analysis::iteration::{Iteration, Stored, Value};
use crate::builder::Cursor;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, LoopData};
use crate::op::{Address, BinaryOp, CmpOp, ConvertOp, Op, Operand};
use crate::types::Type;
use rustc_hash::FxHashMap;

/// The blocks of the new code, in the order of the layout, to be placed behind the old preheader.
#[derive(Debug)]
pub struct Placed {
    /// The old preheader, in which the number of iterations is looked at.
    pub after: Block,
    /// The new blocks.
    pub blocks: Vec<Block>,
}

struct Emitter<'a, 'b> {
    c: Cursor<'b>,
    iteration: &'a Iteration,
    plan: &'a Plan,
    /// The block before the loop: values that are the same in all iterations are computed there.
    setup: Block,
    uniform: FxHashMap<Value, Operand>,
    splats: FxHashMap<(Value, Extended), Operand>,
    constants: FxHashMap<i64, Operand>,
    /// What counting locals differ by from lane to lane, by their types and steps.
    steps: FxHashMap<(Type, i64), Operand>,
    scalars: FxHashMap<(Value, i64), Operand>,
    vectors: FxHashMap<(Value, u32), Operand>,
    /// What is loaded in one piece for parts from this one on.
    memory: FxHashMap<(Value, u32), Operand>,
    /// Halves of vectors in wider lanes.
    halves: FxHashMap<(Operand, u8, bool), Operand>,
    /// Which values change by a constant from one iteration to the next.
    slopes: Vec<bool>,
    slope_values: FxHashMap<Value, Operand>,
    /// The partial results of each accumulator.
    partial: Vec<Vec<Local>>,
}

/// Writes the code, and makes the old loop start from where the new one ends.
pub fn emit(body: &mut Body, loop_: Loop, iteration: &Iteration, plan: &Plan) -> Placed {
    let LoopData { preheader, header, parent, pos, .. } = body.loops[loop_];
    let [check, setup, main, done, again, commit, rest] = [(); 7].map(|()| {
        let block = body.detached_block();
        body.blocks[block].loop_ = parent;
        block
    });
    let mut emitter = Emitter {
        c: Cursor::with_pos(body, preheader, pos),
        iteration,
        plan,
        setup: preheader,
        uniform: FxHashMap::default(),
        splats: FxHashMap::default(),
        constants: FxHashMap::default(),
        steps: FxHashMap::default(),
        scalars: FxHashMap::default(),
        vectors: FxHashMap::default(),
        memory: FxHashMap::default(),
        halves: FxHashMap::default(),
        slopes: Emitter::find_slopes(iteration, plan),
        slope_values: FxHashMap::default(),
        partial: Vec::new(),
    };
    let (enough, span) = emitter.span(&plan.control);
    emitter.c.branch(enough, check, rest);
    let left = emitter.check(check, setup, rest, span);
    let starts = emitter.starts();
    emitter.main(setup, main, done, left);
    let sure = emitter.totals(done);
    let mut blocks = vec![check, setup, main, done];
    if let Some(sure) = sure.condition {
        emitter.c.branch(sure, commit, again);
        emitter.c.switch_to(again);
        for (local, start) in starts {
            emitter.c.assign(local, start);
        }
        emitter.c.jump(rest);
        emitter.c.switch_to(commit);
        blocks.extend([again, commit]);
    }
    emitter.commit(&sure.values);
    emitter.c.jump(rest);
    emitter.c.switch_to(rest);
    emitter.c.jump(header);
    blocks.push(rest);
    body.loops[loop_].preheader = rest;
    Placed { after: preheader, blocks }
}

/// What the new loop found.
struct Totals {
    /// The combined partial results, by accumulator.
    values: Vec<Operand>,
    /// Whether they can be relied upon; if not, the old loop does everything.
    condition: Option<Operand>,
}

impl Emitter<'_, '_> {
    /// Iterations of the old loop per iteration of the new one.
    fn group(&self) -> i64 {
        i64::from(self.plan.lanes * self.plan.parts)
    }

    /// How far the induction local goes in an iteration of the new loop.
    fn stride(&self) -> u64 {
        self.plan.control.step.unsigned_abs() * self.group() as u64
    }

    /// Whether there are enough iterations, and the distance between the induction local and its bound: that
    /// many steps are within the loop for certain, whatever the comparison is.
    fn span(&mut self, control: &Control) -> (Operand, Operand) {
        let bound = self.uniform(control.bound);
        let iv = Operand::Local(control.iv);
        let unsigned = matches!(control.cmp, CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe);
        let extend = control.widened.unwrap_or(if unsigned { ConvertOp::ZExt } else { ConvertOp::SExt });
        let c = &mut self.c;
        let mut wide = |operand| match c.body.operand_type(operand) {
            Type::Ptr => c.convert(ConvertOp::Bits, Type::I64, operand),
            Type::I32 => c.convert(extend, Type::I64, operand),
            _ => operand,
        };
        let (iv, bound) = (wide(iv), wide(bound));
        let up = control.step > 0;
        let (low, high) = if up { (iv, bound) } else { (bound, iv) };
        let mut span = c.sub(high, low);
        let unsigned = unsigned || c.body.locals[control.iv].ty == Type::Ptr;
        let entered = c.compare(if unsigned { CmpOp::ULt } else { CmpOp::Lt }, low, high);
        if self.plan.leaves_one {
            // Without its last step, which the loop is not entered without.
            span = self.c.sub(span, Operand::Int(Type::I64, 1));
        }
        let stride = Operand::Int(Type::I64, self.stride() as i64);
        let enough = self.c.compare(CmpOp::UGe, span, stride);
        let mut all = self.c.binary(BinaryOp::And, entered, enough);
        if unsigned && extend == ConvertOp::SExt {
            // An unsigned comparison of what was sign-extended: both have to have the same sign.
            let ordered = self.c.compare(CmpOp::Lt, low, high);
            all = self.c.binary(BinaryOp::And, all, ordered);
        }
        if let Some(op) = control.widened {
            // The bound may lie where the narrow local never gets.
            let narrow = self.c.convert(ConvertOp::Trunc, Type::I32, bound);
            let again = self.c.convert(op, Type::I64, narrow);
            let same = self.c.compare(CmpOp::Eq, again, bound);
            all = self.c.binary(BinaryOp::And, all, same);
        }
        (all, span)
    }

    /// Computes the number of iterations, and looks at what has to hold besides. Returns the local that
    /// counts.
    fn check(&mut self, check: Block, setup: Block, rest: Block, span: Operand) -> Local {
        self.c.switch_to(check);
        self.setup = check;
        let stride = self.stride();
        let groups = if stride.is_power_of_two() {
            let amount = Operand::Int(Type::I64, i64::from(stride.trailing_zeros()));
            self.c.binary(BinaryOp::LShr, span, amount)
        } else {
            self.c.binary(BinaryOp::UDiv, span, Operand::Int(Type::I64, stride as i64))
        };
        let mut fine = Operand::bool(true);
        let limit = self.plan.accumulators.iter().map(|accumulator| match accumulator.kind {
            Kind::Count { limit } => limit,
            Kind::Fold(_) | Kind::Product { .. } | Kind::Extreme { .. } => 0,
        });
        let limit = limit.max().filter(|limit| *limit > 0 && self.plan.lanes == 4);
        if !self.plan.no_wrap.is_empty() || !self.plan.apart.is_empty() || limit.is_some() {
            let total = self.c.mul(groups, Operand::Int(Type::I64, self.group()));
            if let Some(limit) = limit {
                // All counts together fit into one lane.
                let most = Operand::Int(Type::I64, i64::from(i32::MAX) / limit);
                fine = self.c.compare(CmpOp::ULe, total, most);
            }
            if !self.plan.no_wrap.is_empty() && self.c.body.locals[self.plan.control.iv].ty != Type::I32 {
                // So many steps cannot wrap around in 64 bits.
                let few = self.c.compare(CmpOp::ULe, total, Operand::Int(Type::I64, i64::from(i32::MAX)));
                fine = self.also(fine, few);
            }
            for &(value, change) in &self.plan.no_wrap {
                let within = self.stays_within(value, change, total);
                fine = self.also(fine, within);
            }
            for &pair in &self.plan.apart {
                let apart = self.are_apart(pair, total);
                fine = self.also(fine, apart);
            }
        }
        self.scalars.clear();
        match fine {
            Operand::Int(..) => self.c.jump(setup),
            cond => self.c.branch(cond, setup, rest),
        }
        self.setup = setup;
        self.c.switch_to(setup);
        let left = self.c.temp(Type::I64);
        self.c.assign(left, groups);
        left
    }

    /// Remembers where the old loop starts from, if it may have to.
    fn starts(&mut self) -> Vec<(Local, Operand)> {
        let unsure = |a: &Accumulator| matches!(a.kind, Kind::Extreme { .. });
        if !self.plan.accumulators.iter().any(unsure) {
            return Vec::new();
        }
        let c = &mut self.c;
        self.plan.inductions.iter().map(|&(local, _)| (local, c.copy(Operand::Local(local)))).collect()
    }

    fn also(&mut self, a: Operand, b: Operand) -> Operand {
        match a {
            Operand::Int(..) => b,
            _ => self.c.binary(BinaryOp::And, a, b),
        }
    }

    /// Whether a widened value changes evenly over all iterations: it does if the last one fits, too.
    fn stays_within(&mut self, value: Value, change: i64, total: Operand) -> Operand {
        let first = self.scalar(value, 0);
        let way = self.c.mul(total, Operand::Int(Type::I64, change));
        let last = self.c.add(first, way);
        let narrow = self.c.convert(ConvertOp::Trunc, Type::I32, last);
        let op = match self.iteration.op(value) {
            Some((&Op::Convert { op, .. }, _)) => op,
            _ => unreachable!("only widened values may wrap around"),
        };
        let again = self.c.convert(op, Type::I64, narrow);
        self.c.compare(CmpOp::Eq, again, last)
    }

    fn are_apart(&mut self, Pair { first, second, apart }: Pair, total: Operand) -> Operand {
        match apart {
            Apart::Whole => self.have_no_common_byte(first, second, total),
            Apart::Ahead { is_later } => {
                let [first_at, second_at] = [first, second].map(|stream| {
                    let base = self.scalar(stream.base, 0);
                    let start = self.c.index(base, Operand::Int(Type::I64, 0), 1, stream.offset);
                    self.c.convert(ConvertOp::Bits, Type::I64, start)
                });
                // The distances that are not allowed, from the lowest on.
                let lowest = if is_later { 1 } else { 1 - first.bytes };
                let count = self.group() * first.bytes - lowest;
                let ahead = match self.plan.backward {
                    false => self.c.sub(first_at, second_at),
                    true => self.c.sub(second_at, first_at),
                };
                let above = self.c.sub(ahead, Operand::Int(Type::I64, lowest));
                self.c.compare(CmpOp::UGe, above, Operand::Int(Type::I64, count))
            }
        }
    }

    fn have_no_common_byte(&mut self, a: Stream, b: Stream, total: Operand) -> Operand {
        let [(a_start, a_end), (b_start, b_end)] = [a, b].map(|stream| {
            let base = self.scalar(stream.base, 0);
            let first = self.c.index(base, Operand::Int(Type::I64, 0), 1, stream.offset);
            let behind = |this: &mut Self, at| this.c.index(at, Operand::Int(Type::I64, 1), stream.bytes, 0);
            if stream.fixed {
                (first, behind(self, first))
            } else if self.plan.backward {
                let end = behind(self, first);
                (self.c.index(end, total, -stream.bytes, 0), end)
            } else {
                (first, self.c.index(first, total, stream.bytes, 0))
            }
        });
        let before = self.c.compare(CmpOp::ULe, a_end, b_start);
        let after = self.c.compare(CmpOp::ULe, b_end, a_start);
        self.c.binary(BinaryOp::Or, before, after)
    }

    fn main(&mut self, setup: Block, main: Block, done: Block, left: Local) {
        let plan = self.plan;
        for accumulator in &plan.accumulators {
            let element = self.lane_type(accumulator);
            let ty = self.wide_type(element);
            let identity = self.identity(accumulator, element, ty);
            let partial = (0..self.partial_results(accumulator))
                .map(|_| {
                    let local = self.c.temp(ty);
                    self.c.assign(local, identity);
                    local
                })
                .collect();
            self.partial.push(partial);
        }
        self.c.switch_to(main);
        let stored = self.stored_values();
        let mut results = Vec::new();
        for (n, accumulator) in plan.accumulators.iter().enumerate() {
            for part in 0..self.partial_results(accumulator) {
                results.push((self.partial[n][part as usize], self.result(n, accumulator, part)));
            }
        }
        // Everything is loaded by now.
        self.store(&stored);
        for (local, value) in results {
            self.c.assign(local, value);
        }
        let group = self.group();
        for &(local, step) in &plan.inductions {
            let next = self.advanced(local, step.wrapping_mul(group));
            self.c.assign(local, next);
        }
        let fewer = self.c.sub(Operand::Local(left), Operand::Int(Type::I64, 1));
        self.c.assign(left, fewer);
        let more = self.c.compare(CmpOp::Ne, fewer, Operand::Int(Type::I64, 0));
        self.c.branch(more, main, done);
        self.c.switch_to(setup);
        self.c.jump(main);
    }

    /// How many partial results an accumulator has.
    fn partial_results(&self, accumulator: &Accumulator) -> u32 {
        match accumulator.kind {
            Kind::Product { .. } => 1,
            Kind::Fold(_) | Kind::Count { .. } | Kind::Extreme { .. } => self.plan.parts,
        }
    }

    /// What the stores write, by part.
    fn stored_values(&mut self) -> Vec<Vec<Operand>> {
        let iteration = self.iteration;
        let parts = self.plan.parts;
        let values = |store: &Stored| self.stored(store.value, store.ty, parts);
        iteration.stores.iter().map(values).collect()
    }

    /// Where the vector of a part of the iterations lies, in bytes from where the first iteration accesses an
    /// element.
    fn first_byte(&self, element: Type, part: u32) -> i64 {
        let bytes = i64::from(element.bytes());
        let lanes = i64::from(self.plan.lanes);
        match self.plan.backward {
            false => i64::from(part) * lanes * bytes,
            true => -((i64::from(part) + 1) * lanes - 1) * bytes,
        }
    }

    fn store(&mut self, values: &[Vec<Operand>]) {
        let iteration = self.iteration;
        for (store, values) in iteration.stores.iter().zip(values) {
            let ty = self.vector_of(store.ty);
            let base = self.scalar(store.base, 0);
            let parts = self.plan.parts / values.len() as u32;
            let around = std::mem::replace(&mut self.c.pos, store.pos);
            for (part, &src) in values.iter().enumerate() {
                let first = self.first_byte(store.ty, part as u32 * parts);
                let addr = Address { base, offset: store.offset }.plus(first);
                self.c.op(Op::Store { ty, addr, src, access: store.access });
            }
            self.c.pos = around;
        }
    }

    /// The type in which an accumulator's partial results are kept, lane by lane.
    fn lane_type(&self, accumulator: &Accumulator) -> Type {
        match accumulator.kind {
            Kind::Count { .. } if self.plan.lanes == 4 => Type::I32,
            Kind::Count { .. } => Type::I64,
            Kind::Fold(_) | Kind::Product { .. } | Kind::Extreme { .. } => {
                self.c.body.locals[accumulator.local].ty
            }
        }
    }

    /// The type of a vector with a lane for each value of a type; that type if the new loop is scalar.
    fn wide_type(&self, element: Type) -> Type {
        if self.plan.lanes > 1 && (int_bits(element).is_some() || element == Type::I1) {
            return match self.plan.lanes {
                2 => Type::I64x2,
                4 => Type::I32x4,
                8 => Type::I16x8,
                _ => Type::I8x16,
            };
        }
        self.vector_of(element)
    }

    /// The type of a vector of elements as they are in memory.
    fn vector_of(&self, element: Type) -> Type {
        match vector_type(element) {
            Some(vector) if self.plan.lanes > 1 => vector,
            _ => element,
        }
    }

    /// What partial results start from: it changes nothing.
    fn identity(&mut self, accumulator: &Accumulator, element: Type, ty: Type) -> Operand {
        let number = |value: f64| match element {
            Type::F32 | Type::C32 => Operand::f32(value as f32),
            Type::F64 | Type::C64 => Operand::f64(value),
            _ => Operand::Int(element, value as i64),
        };
        let bits = element.int_bits().unwrap_or(64);
        let highest = if bits == 32 { i64::from(i32::MAX) } else { i64::MAX };
        let scalar = match accumulator.kind {
            // A sum of nothing but negative zeros is a negative zero.
            Kind::Fold(BinaryOp::Add) => number(-0.0),
            Kind::Fold(BinaryOp::Mul) | Kind::Product { .. } => number(1.0),
            Kind::Fold(BinaryOp::And | BinaryOp::UMin) => Operand::Int(element, -1),
            Kind::Fold(BinaryOp::SMin) => Operand::Int(element, highest),
            Kind::Fold(BinaryOp::SMax) => Operand::Int(element, !highest),
            Kind::Fold(_) | Kind::Count { .. } => Operand::Int(element, 0),
            Kind::Extreme { max, .. } => number(if max { f64::NEG_INFINITY } else { f64::INFINITY }),
        };
        match element {
            Type::C32 | Type::C64 => {
                let imaginary = match accumulator.kind {
                    Kind::Fold(BinaryOp::Add) => scalar,
                    Kind::Fold(_) | Kind::Product { .. } | Kind::Count { .. } | Kind::Extreme { .. } => {
                        number(0.0)
                    }
                };
                self.c.complex(element, scalar, imaginary)
            }
            _ if ty.is_vector() => self.c.splat(ty, scalar),
            _ => scalar,
        }
    }

    /// The next partial result of an accumulator.
    fn result(&mut self, n: usize, accumulator: &Accumulator, part: u32) -> Operand {
        match accumulator.kind {
            Kind::Fold(_) => self.part(accumulator.result, part),
            Kind::Product { item } => {
                let items = (0..self.plan.parts).map(|part| self.scalar(item, i64::from(part))).collect();
                let product = self.tree(accumulator.kind, items);
                self.c.mul(Operand::Local(self.partial[n][0]), product)
            }
            Kind::Count { .. } => self.counted(accumulator, accumulator.result, part),
            Kind::Extreme { max, item, .. } => {
                let item = self.part(item, part);
                let so_far = Operand::Local(self.partial[n][part as usize]);
                self.beyond(max, item, so_far)
            }
        }
    }

    /// A value on the chain of a count, in the type of its lanes.
    fn counted(&mut self, accumulator: &Accumulator, value: Value, part: u32) -> Operand {
        if value == accumulator.entry {
            return self.so_far(value, part);
        }
        if let Some(&known) = self.vectors.get(&(value, part)) {
            return known;
        }
        let iteration = self.iteration;
        let element = self.lane_type(accumulator);
        let ty = self.wide_type(element);
        let operand = match iteration.op(value) {
            Some((Op::Select { .. }, args)) => {
                let cond = self.vector(args[0], part);
                let (a, b) = (args[1], args[2]);
                let (a, b) = (self.counted(accumulator, a, part), self.counted(accumulator, b, part));
                let dst = self.c.temp(ty);
                self.c.op(Op::Select { dst, cond, a, b });
                Operand::Local(dst)
            }
            // What a comparison of vectors gives is all ones, which is -1.
            Some((_, args)) if let Some(condition) = as_number(iteration, args[1]) => {
                let mask = self.vector(condition, part);
                let so_far = self.counted(accumulator, args[0], part);
                self.c.sub(so_far, mask)
            }
            Some((_, args)) if let Some((item, extended)) = widened(iteration, args[1]) => {
                let item = self.extended(item, part, extended);
                let so_far = self.counted(accumulator, args[0], part);
                self.c.add(so_far, item)
            }
            Some((_, args)) => {
                let constant = Operand::Int(element, iteration.constant(args[1]).unwrap_or(0));
                let more = self.in_setup(|this| this.c.splat(ty, constant));
                let so_far = self.counted(accumulator, args[0], part);
                self.c.add(so_far, more)
            }
            None => unreachable!("{value:?} is no part of a count"),
        };
        self.vectors.insert((value, part), operand);
        operand
    }

    /// `item` if it is beyond `so_far`, which stays otherwise.
    fn beyond(&mut self, max: bool, item: Operand, so_far: Operand) -> Operand {
        // Written so that one machine instruction does it.
        let (a, b) = if max { (so_far, item) } else { (item, so_far) };
        let ty = self.c.body.operand_type(item);
        let cond = self.c.temp(ty.comparison());
        self.c.op(Op::Compare { dst: cond, op: CmpOp::Lt, a, b });
        let dst = self.c.temp(ty);
        self.c.op(Op::Select { dst, cond: Operand::Local(cond), a: item, b: so_far });
        Operand::Local(dst)
    }

    /// Puts the partial results together.
    fn totals(&mut self, done: Block) -> Totals {
        self.c.switch_to(done);
        let plan = self.plan;
        let mut totals = Totals { values: Vec::new(), condition: None };
        for (n, accumulator) in plan.accumulators.iter().enumerate() {
            let values: Vec<Operand> = self.partial[n].iter().map(|&local| Operand::Local(local)).collect();
            let vector = self.tree(accumulator.kind, values);
            let lanes = self.lanes(vector);
            let total = self.tree(accumulator.kind, lanes);
            let total = match (self.c.body.operand_type(total), self.c.body.locals[accumulator.local].ty) {
                (Type::I32, ty @ Type::I64) => self.c.convert(ConvertOp::SExt, ty, total),
                (Type::I64, ty @ Type::I32) => self.c.convert(ConvertOp::Trunc, ty, total),
                _ => total,
            };
            totals.values.push(total);
        }
        for (accumulator, &total) in plan.accumulators.iter().zip(&totals.values) {
            if let Kind::Extreme { max, any_zero, .. } = accumulator.kind {
                let certain = self.certain((max, any_zero), total);
                totals.condition = Some(match totals.condition {
                    None => certain,
                    Some(others) => self.c.binary(BinaryOp::And, others, certain),
                });
            }
        }
        totals
    }

    /// Writes the results to the locals they belong to.
    fn commit(&mut self, totals: &[Operand]) {
        for (accumulator, &total) in self.plan.accumulators.iter().zip(totals) {
            let old = Operand::Local(accumulator.local);
            let value = match accumulator.kind {
                Kind::Extreme { max, by_number: true, .. } => {
                    self.c.binary(if max { BinaryOp::FMax } else { BinaryOp::FMin }, old, total)
                }
                kind @ (Kind::Fold(_)
                | Kind::Product { .. }
                | Kind::Count { .. }
                | Kind::Extreme { by_number: false, .. }) => self.combine(kind, total, old),
            };
            self.c.assign(accumulator.local, value);
        }
    }

    fn tree(&mut self, kind: Kind, mut values: Vec<Operand>) -> Operand {
        while values.len() > 1 {
            values = values
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.combine(kind, a, b),
                    _ => pair[0],
                })
                .collect();
        }
        values[0]
    }

    fn lanes(&mut self, vector: Operand) -> Vec<Operand> {
        let ty = self.c.body.operand_type(vector);
        match ty.lanes() {
            1 => vec![vector],
            lanes => (0..lanes as u8).map(|lane| self.c.extract_lane(vector, lane)).collect(),
        }
    }

    fn combine(&mut self, kind: Kind, a: Operand, b: Operand) -> Operand {
        match kind {
            Kind::Fold(op) => self.c.binary(op, a, b),
            Kind::Product { .. } => self.c.mul(a, b),
            Kind::Count { .. } => self.c.add(a, b),
            Kind::Extreme { max, .. } => self.beyond(max, a, b),
        }
    }

    /// Whether the extreme of the items is what it looks like: zeros may have met zeros of the other sign,
    /// and where nothing was found all may have been NaN.
    fn certain(&mut self, (max, any_zero): (bool, bool), total: Operand) -> Operand {
        let number = |value: f64| match total_is_single(self.c.body, total) {
            true => Operand::f32(value as f32),
            false => Operand::f64(value),
        };
        let (zero, worst) = (number(0.0), number(if max { f64::NEG_INFINITY } else { f64::INFINITY }));
        let found = self.c.compare(CmpOp::Ne, total, worst);
        if any_zero {
            return found;
        }
        let nonzero = self.c.compare(CmpOp::Ne, total, zero);
        self.c.binary(BinaryOp::And, nonzero, found)
    }
}

fn total_is_single(body: &Body, total: Operand) -> bool {
    body.operand_type(total) == Type::F32
}
