//! What can be done with a loop: how it counts, what it accumulates, how it touches memory, how wide it can
//! be.

mod accumulate;
mod carried;
mod lanes;
mod streams;

pub use carried::Carried;
pub use lanes::{Extended, Lanes, Wide, as_number, int_bits, is_within, signed, widened};

use crate::acc::ReductionClause;
use crate::analysis::accumulation::swapped;
use crate::analysis::bases::Bases;
use crate::analysis::iteration::{Iteration, Node, Value};
use crate::analysis::mentions::Mentions;
use crate::analysis::roots::Roots;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, Function};
use crate::op::{BinaryOp, CmpOp, ConvertOp, Op, Operand};
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// In which order floating-point numbers are added and multiplied that no `reduction` clause is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// In the order of iterations.
    OfC,
    /// In any.
    Any,
}

/// What is known of where addresses lead.
pub struct Origins<'a> {
    /// Which variables they are made from.
    pub bases: Bases,
    /// What `restrict` says; found when it is first asked for.
    pub roots: OnceCell<Roots>,
    /// The function of the body.
    pub function: &'a Function,
}

impl Origins<'_> {
    /// Whether addresses made from two operands of the body lie in different objects for certain.
    fn differ(&self, body: &Body, a: Operand, b: Operand) -> bool {
        let roots = || self.roots.get_or_init(|| Roots::new(self.function, body));
        self.bases.differ(self.bases.of(a), self.bases.of(b))
            || roots().are_apart(roots().of(a), roots().of(b))
    }
}

/// How a loop counts.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// The local that is compared.
    pub iv: Local,
    /// Added to it by every iteration, in bytes for a pointer.
    pub step: i64,
    /// The comparison that lets an iteration run, `iv` on the left.
    pub cmp: CmpOp,
    /// The other side.
    pub bound: Value,
    /// The comparison is of `iv` widened to `i64`, by this conversion.
    pub widened: Option<ConvertOp>,
}

/// How partial results combine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// By an operation that is associative and commutative, or may be taken for it.
    Fold(BinaryOp),
    /// The product of floating-point numbers. Neighbours are multiplied with each other first: partial
    /// products of every second number, say, could overflow where the product of all does not.
    Product {
        /// The factor.
        item: Value,
    },
    /// A sum of constants and numbers of few bits, up to `limit` per iteration, kept in lanes of another
    /// width than the local's.
    Count {
        /// The most that an iteration adds or subtracts.
        limit: i64,
    },
    /// The larger or smaller of floating-point numbers.
    Extreme {
        /// The larger.
        max: bool,
        /// What the iteration compares with.
        item: Value,
        /// By maxNum or minNum, which know NaN from numbers and zeros from each other; otherwise by a
        /// comparison that keeps the old value unless the new one is beyond it.
        by_number: bool,
        /// A zero may have the sign of any zero among the items: a `reduction` clause leaves the order open.
        any_zero: bool,
    },
}

/// A local that the iterations accumulate into.
#[derive(Clone, Copy, Debug)]
pub struct Accumulator {
    /// The local.
    pub local: Local,
    /// Its value when the iteration begins.
    pub entry: Value,
    /// Its value at the end.
    pub result: Value,
    /// How.
    pub kind: Kind,
}

/// A load or store of consecutive elements.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    /// The base of the address, a value of the iteration.
    pub base: Value,
    /// Bytes added to it.
    pub offset: i64,
    /// Bytes of an element.
    pub bytes: i64,
    /// The address is the same in all iterations.
    pub fixed: bool,
}

/// What has to hold of two streams for iterations to be done at once, which load before they store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// They have no byte in common.
    Whole,
    /// Both go through memory side by side, and what the first accesses is not what the second comes to in
    /// one of the next iterations of a group.
    Ahead {
        /// In an iteration the access of the first comes behind that of the second, so that both may be at
        /// one place.
        is_later: bool,
    },
}

/// Two streams of which something has to hold at run time.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// That of a store.
    pub first: Stream,
    /// That of a load, or of a store further up.
    pub second: Stream,
    /// What has to hold.
    pub apart: Apart,
}

/// A rewriting that is possible and worth it.
#[derive(Debug)]
pub struct Plan {
    /// How the loop counts.
    pub control: Control,
    /// The old loop executes one iteration at least.
    pub leaves_one: bool,
    /// All locals that change by a constant in every iteration.
    pub inductions: Vec<(Local, i64)>,
    /// Locals that its iterations accumulate into.
    pub accumulators: Vec<Accumulator>,
    /// Lanes of a vector; 1 if all stays scalar.
    pub lanes: u32,
    /// Vectors (or scalars) per iteration of the new loop.
    pub parts: u32,
    /// What is known of the lanes; nothing if all stays scalar.
    pub in_lanes: Option<Lanes>,
    /// Accesses go down through memory: the first lane is the last iteration's.
    pub backward: bool,
    /// Values that are the same in all iterations.
    pub uniform: Vec<bool>,
    /// Loads of consecutive elements.
    pub loads: Vec<Value>,
    /// 32-bit values that addresses extend, with their change per iteration: the addresses rely on them not
    /// wrapping around.
    pub no_wrap: Vec<(Value, i64)>,
    /// Pairs of streams that may touch the same bytes.
    pub apart: Vec<Pair>,
}

/// Iterations with more values than this are not unrolled by more than two, those with twice as many only as
/// vectors.
const SMALL: usize = 24;

impl Plan {
    /// Whether a value is loaded from consecutive elements.
    pub fn contiguous(&self, value: Value) -> bool {
        self.loads.contains(&value)
    }
}

/// What is known of a loop.
pub struct Planner<'a> {
    body: &'a Body,
    mentions: &'a Mentions,
    loop_: Loop,
    iteration: &'a Iteration,
    origins: &'a Origins<'a>,
    inductions: Vec<(Local, i64)>,
    uniform: Vec<bool>,
    /// Uniform loads, if a check at run time finds that no store is where they are.
    checked: Vec<Value>,
    order: Order,
    control: Option<Control>,
    /// Streams go down through memory.
    backward: bool,
    no_wrap: Vec<(Value, i64)>,
    changes: FxHashMap<Value, Option<i64>>,
}

/// Looks at an innermost loop.
pub fn planner<'a>(
    body: &'a Body,
    mentions: &'a Mentions,
    origins: &'a Origins<'a>,
    loop_: Loop,
    iteration: &'a Iteration,
    order: Order,
) -> Planner<'a> {
    let mut planner = Planner {
        body,
        mentions,
        loop_,
        iteration,
        origins,
        inductions: Vec::new(),
        uniform: Vec::new(),
        checked: Vec::new(),
        order,
        control: None,
        backward: false,
        no_wrap: Vec::new(),
        changes: FxHashMap::default(),
    };
    planner.find_uniform();
    planner.find_inductions();
    planner.control = planner.find_control();
    planner
}

impl Planner<'_> {
    /// Makes a plan for the loop, which is of these blocks, if there is a good one.
    pub fn plan(&mut self, blocks: &[Block], clauses: &[&ReductionClause]) -> Option<Plan> {
        let iteration = self.iteration;
        let control = self.control?;
        let mut accumulators = Vec::new();
        let mut leaves_one = false;
        for &(local, result) in &iteration.results {
            let entry = iteration.entries().find(|(_, entry)| *entry == local).map(|(value, _)| value);
            match entry {
                _ if self.inductions.iter().any(|(known, _)| *known == local) => {}
                Some(entry) if result == entry => {}
                Some(entry) => {
                    let clause = clauses.iter().find(|clause| clause.var == Operand::Local(local)).copied();
                    accumulators.push(self.accumulator(local, entry, result, clause)?);
                }
                None if self.mentions.only_in(self.body, local, self.loop_) => {}
                // The old loop tests once more before it ends.
                None if self.is_of_test(local, blocks) => {}
                // The last iteration says what it holds behind the loop, and the old loop executes that one.
                None => leaves_one = true,
            }
        }
        if accumulators.is_empty() && iteration.stores.is_empty() {
            return None;
        }
        let known = |local: Local| {
            self.step_of(local).is_some() || accumulators.iter().any(|accumulator| accumulator.local == local)
        };
        if iteration.entries().any(|(entry, local)| !self.is_uniform(entry) && !known(local)) {
            return None;
        }
        // Where an extreme is not certain all is done again, which stores would notice.
        let may_repeat =
            accumulators.iter().any(|accumulator| matches!(accumulator.kind, Kind::Extreme { .. }));
        if may_repeat && !iteration.stores.is_empty() {
            return None;
        }
        self.finish(control, accumulators, leaves_one)
    }

    /// A load is uniform if its address is and the loop stores nothing that it could see. Whether it does may
    /// be left to a check at run time ([`Planner::separation`]): `a[i][j] -= a[i][k] * b` with `j` above `k`.
    fn find_uniform(&mut self) {
        for (n, node) in self.iteration.nodes.iter().enumerate() {
            let uniform = match node {
                // An assignment may have changed nothing.
                Node::Entry(local) => self.iteration.result(*local) == Some(Value(n as u32)),
                Node::Invariant(_) => true,
                Node::Op { op, args, .. } => {
                    let same = args.iter().all(|arg| self.uniform[arg.0 as usize]);
                    match op {
                        Op::Load { .. } => {
                            let stores = &self.iteration.stores;
                            if same && !stores.iter().all(|store| self.roots_differ(args[0], store.base)) {
                                self.checked.push(Value(n as u32));
                            }
                            same
                        }
                        _ => same,
                    }
                }
            };
            debug_assert_eq!(n, self.uniform.len());
            self.uniform.push(uniform);
        }
    }

    fn is_uniform(&self, value: Value) -> bool {
        self.uniform[value.0 as usize]
    }

    /// Whether the header of the loop, which is of these blocks, computes a local, and no other block does.
    fn is_of_test(&self, local: Local, blocks: &[Block]) -> bool {
        let header = self.body.loops[self.loop_].header;
        let defines = |block: Block| {
            let mut any = false;
            let insts = &self.body.blocks[block].insts;
            insts.iter().for_each(|inst| inst.op.defs(|defined| any |= defined == local));
            any
        };
        blocks.iter().all(|&block| defines(block) == (block == header))
    }

    /// Whether two addresses lie in different objects for certain.
    fn roots_differ(&self, a: Value, b: Value) -> bool {
        let root = |mut value: Value| loop {
            match self.iteration.node(value) {
                Node::Entry(local) => break Some(Operand::Local(*local)),
                Node::Invariant(operand) => break Some(*operand),
                Node::Op { op: Op::Index { .. }, args, .. } => value = args[0],
                Node::Op { .. } => break None,
            }
        };
        let (Some(a), Some(b)) = (root(a), root(b)) else { return false };
        self.origins.differ(self.body, a, b)
    }

    fn find_inductions(&mut self) {
        for (entry, local) in self.iteration.entries() {
            let Some(result) = self.iteration.result(local) else { continue };
            let Some((op, args)) = self.iteration.op(result) else { continue };
            let constant = |n: usize| self.iteration.constant(args[n]);
            let step = match op {
                Op::Binary { op: BinaryOp::Add, .. } if args[0] == entry => constant(1),
                Op::Binary { op: BinaryOp::Add, .. } if args[1] == entry => constant(0),
                Op::Binary { op: BinaryOp::Sub, .. } if args[0] == entry => {
                    constant(1).and_then(i64::checked_neg)
                }
                Op::Index { scale, offset, .. } if args[0] == entry => constant(1)
                    .and_then(|index| index.checked_mul(*scale))
                    .and_then(|bytes| bytes.checked_add(*offset)),
                _ => None,
            };
            let counts = matches!(self.body.locals[local].ty, Type::I32 | Type::I64 | Type::Ptr);
            if let Some(step) = step
                && counts
                && step != 0
                && step.unsigned_abs() < 1 << 24
            {
                self.inductions.push((local, step));
            }
        }
    }

    fn step_of(&self, local: Local) -> Option<i64> {
        self.inductions.iter().find(|(known, _)| *known == local).map(|(_, step)| *step)
    }

    fn find_control(&self) -> Option<Control> {
        let (&Op::Compare { op, .. }, args) = self.iteration.op(self.iteration.condition)? else {
            return None;
        };
        let (left, right) = (args[0], args[1]);
        self.control_of(op, left, right).or_else(|| self.control_of(swapped(op), right, left))
    }

    fn control_of(&self, cmp: CmpOp, left: Value, bound: Value) -> Option<Control> {
        if !self.is_uniform(bound) {
            return None;
        }
        let (entry, widened) = match self.iteration.op(left) {
            Some((&Op::Convert { op: op @ (ConvertOp::SExt | ConvertOp::ZExt), .. }, args))
                if self.iteration.ty(left) == Type::I64 && self.iteration.ty(args[0]) == Type::I32 =>
            {
                (args[0], Some(op))
            }
            Some(_) => return None,
            None => (left, None),
        };
        let &Node::Entry(iv) = self.iteration.node(entry) else { return None };
        let step = self.step_of(iv)?;
        let up = match cmp {
            CmpOp::Lt | CmpOp::Le | CmpOp::ULt | CmpOp::ULe => step > 0,
            CmpOp::Gt | CmpOp::Ge | CmpOp::UGt | CmpOp::UGe => step < 0,
            CmpOp::Ne => step.abs() == 1 || self.iteration.ty(entry) == Type::Ptr,
            CmpOp::Eq | CmpOp::Unordered => false,
        };
        // A widened comparison must agree with the widening about the sign.
        let agrees = match widened {
            Some(ConvertOp::SExt) => {
                matches!(cmp, CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge | CmpOp::ULt | CmpOp::ULe)
            }
            Some(_) => true,
            None => true,
        };
        (up && agrees).then_some(Control { iv, step, cmp, bound, widened })
    }

    fn finish(&mut self, control: Control, accumulators: Vec<Accumulator>, leaves_one: bool) -> Option<Plan> {
        let mut plan = Plan {
            control,
            leaves_one,
            inductions: Vec::new(),
            accumulators,
            lanes: 1,
            parts: 4,
            in_lanes: None,
            backward: false,
            uniform: Vec::new(),
            loads: Vec::new(),
            no_wrap: Vec::new(),
            apart: Vec::new(),
        };
        self.backward = self.goes_down();
        let widest = match self.width(&mut plan) {
            Some(widest) => widest,
            None => {
                self.no_wrap.clear();
                plan.loads.clear();
                for accumulator in &mut plan.accumulators {
                    if let Kind::Count { .. } = accumulator.kind {
                        accumulator.kind = Kind::Fold(BinaryOp::Add);
                    }
                }
                let gains = |accumulator: &Accumulator| {
                    let ty = self.body.locals[accumulator.local].ty;
                    !ty.is_int() || accumulator.kind == Kind::Fold(BinaryOp::Mul)
                };
                // So much work takes longer than the sum of the iteration before.
                let is_long = self.iteration.nodes.len() > 2 * SMALL;
                if is_long || !self.iteration.stores.is_empty() || !plan.accumulators.iter().any(gains) {
                    return None;
                }
                1
            }
        };
        let mut most = i64::MAX;
        if !self.iteration.stores.is_empty() {
            let separation = self.separation()?;
            most = separation.most;
            plan.apart = separation.pairs;
            // Bytes that are copied without a change are few more often than not: what was found in a window
            // of text. A check would take as long as they do.
            let is_copy = self.iteration.stores.iter().all(|store| plan.loads.contains(&store.value));
            if plan.lanes > 4 && is_copy && !plan.apart.is_empty() {
                return None;
            }
        }
        let is_product = |accumulator: &Accumulator| matches!(accumulator.kind, Kind::Product { .. });
        if plan.accumulators.iter().all(is_product) {
            plan.parts = 8;
        }
        if self.iteration.nodes.len() > SMALL || !self.iteration.stores.is_empty() {
            plan.parts = 2;
        }
        // What is accessed in vectors of narrower lanes is so in several parts at once.
        if plan.lanes > 4 {
            plan.parts = 1;
        }
        plan.parts = plan.parts.max(widest);
        let at_most = most / i64::from(plan.lanes);
        if at_most < i64::from(widest) {
            return None;
        }
        while i64::from(plan.parts) > at_most {
            plan.parts /= 2;
        }
        plan.backward = self.backward;
        plan.inductions = std::mem::take(&mut self.inductions);
        plan.uniform = std::mem::take(&mut self.uniform);
        plan.no_wrap = std::mem::take(&mut self.no_wrap);
        Some(plan)
    }

    /// Finds the lanes with which everything that is accumulated or stored can be computed, if it is worth
    /// it. Returns how many times as wide they are as the narrowest numbers in memory.
    fn width(&mut self, plan: &mut Plan) -> Option<u32> {
        let iteration = self.iteration;
        let mut lanes = Lanes::new(iteration, 0);
        let mut has_items = false;
        let mut wanted: Vec<Value> = Vec::new();
        for accumulator in &mut plan.accumulators {
            match accumulator.kind {
                Kind::Fold(op) => match self.count_of_other_width(accumulator, op, &lanes) {
                    Some(count) => {
                        accumulator.kind = Kind::Count { limit: count.limit };
                        has_items |= !count.items.is_empty();
                        wanted.extend(count.conditions);
                        wanted.extend(count.items);
                    }
                    None => wanted.push(accumulator.result),
                },
                Kind::Product { .. } => return None,
                Kind::Count { .. } => {}
                Kind::Extreme { item, .. } => wanted.extend([accumulator.entry, item]),
            }
        }
        for store in &iteration.stores {
            if self.stream(store.base, store.offset, store.ty)?.fixed {
                return None;
            }
            wanted.push(store.value);
        }
        let chains: Vec<_> = plan.accumulators.iter().map(|a| iteration.dependents(a.entry)).collect();
        // Counts have lanes of 32 bits at least.
        let widths = match plan.accumulators.is_empty() {
            true => &[8, 16, 32, 64][..],
            false if has_items => &[32],
            false => &[32, 64],
        };
        for &bits in widths {
            lanes.bits = bits;
            plan.loads.clear();
            if let Some(widest) = self.in_lanes(plan, wanted.clone(), &chains, &lanes) {
                plan.lanes = 128 / bits;
                plan.in_lanes = Some(lanes);
                return Some(widest);
            }
        }
        None
    }

    /// Whether values can be computed in lanes of a width, and how many times as wide these are as the
    /// narrowest numbers in memory.
    fn in_lanes(
        &mut self,
        plan: &mut Plan,
        mut work: Vec<Value>,
        chains: &[Vec<bool>],
        lanes: &Lanes,
    ) -> Option<u32> {
        let iteration = self.iteration;
        let mut widest = 1;
        for store in &iteration.stores {
            let times = self.times_as_wide(store.ty, lanes)?;
            // Lanes of 64 bits are not narrowed by one instruction.
            if times > 1 && lanes.bits == 64 {
                return None;
            }
            widest = widest.max(times);
        }
        let mut seen = vec![false; iteration.nodes.len()];
        let (mut wide, mut packed) = (0, 0);
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut seen[value.0 as usize], true) {
                continue;
            }
            let ty = iteration.ty(value);
            let is_float = matches!(ty, Type::F32 | Type::F64);
            let is_whole = (is_float || int_bits(ty).is_some()) && ty.bytes() * 8 == lanes.bits;
            if !is_whole && ty != Type::I1 && int_bits(ty).is_none() {
                return None;
            }
            if self.is_uniform(value) {
                continue;
            }
            let is_accumulator = plan.accumulators.iter().any(|a| a.entry == value);
            match iteration.node(value) {
                Node::Entry(_) if is_accumulator && is_whole => {}
                Node::Entry(local) if is_whole && has_steps(ty) && self.step_of(*local).is_some() => {}
                Node::Op { op: Op::Load { addr, .. }, args, .. }
                    if let Some(times) = self.times_as_wide(ty, lanes)
                        && self.stream(args[0], addr.offset, ty).is_some_and(|s| !s.fixed) =>
                {
                    widest = widest.max(times);
                    plan.loads.push(value);
                }
                Node::Op { .. } if let Some(found) = lanes.wide(iteration, &self.uniform, value) => {
                    wide += 1;
                    work.extend(found.args.iter().copied());
                }
                // Lanes that are put together one by one are few, and have all of their values.
                Node::Entry(_) | Node::Op { .. } if !is_whole || lanes.bits < 32 => return None,
                // A partial result is a vector, of which a single iteration has none: products of 64 bits.
                Node::Op { .. } if chains.iter().any(|chain| chain[value.0 as usize]) => return None,
                Node::Entry(_) | Node::Invariant(_) | Node::Op { .. } => packed += 1,
            }
        }
        (packed * 3 <= wide).then_some(widest)
    }

    /// How many times as wide lanes are as numbers in memory; `None` if they are narrower, or too wide.
    fn times_as_wide(&self, ty: Type, lanes: &Lanes) -> Option<u32> {
        let times = lanes.bits / (ty.bytes() * 8);
        let narrows = int_bits(ty).is_some() && !self.backward;
        match times {
            1 if int_bits(ty).is_some() || matches!(ty, Type::F32 | Type::F64) => Some(1),
            2 | 4 if narrows => Some(times),
            _ => None,
        }
    }
}

/// Whether locals of this type that count have vectors of consecutive values.
pub fn has_steps(ty: Type) -> bool {
    matches!(ty, Type::I32 | Type::I64)
}

/// The vector with elements of a type.
pub fn vector_type(ty: Type) -> Option<Type> {
    match ty {
        Type::F64 => Some(Type::F64x2),
        Type::F32 => Some(Type::F32x4),
        Type::I64 => Some(Type::I64x2),
        Type::I32 => Some(Type::I32x4),
        Type::I16 => Some(Type::I16x8),
        Type::I8 => Some(Type::I8x16),
        Type::I1
        | Type::I128
        | Type::F80
        | Type::C32
        | Type::C64
        | Type::Ptr
        | Type::I8x16
        | Type::I16x8
        | Type::I32x4
        | Type::I64x2
        | Type::F32x4
        | Type::F64x2 => None,
    }
}
