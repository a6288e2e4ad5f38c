//! What the iterations of a nest of loops compute and touch, as sums over counters.
//!
//! The code of a loop is walked once in the order of execution, with the value of each local in sight: locals that change by
//! the same amount in every iteration are sums over the counter of the loop, whatever the form of the loop (`for`,
//! `while`, two variables that go in step). Each access to memory is noted with its address as a sum and with the
//! conditions under which it is executed.
//!
//! Sums ignore overflow: signed arithmetic of C has none, and a loop that runs has a counter that fits. A conversion
//! whose operand may not fit makes an atom of its own (see [`super::sums`]).

use super::bases::{Base, Bases};
use super::cfg::Cfg;
use super::liveness::{Liveness, reads};
use super::loops::Nest;
use super::sums::{Atom, Atoms, Kind, Name, Sum, name, range};
use crate::entities::{Block, Local, Loop};
use crate::function::Body;
use crate::op::{Access, Address, BinaryOp, Class, CmpOp, ConvertOp, Op, Operand, Pos, Terminator};
use crate::types::Type;
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that holds where it is noted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The sum is zero or more.
    AtLeastZero(Sum),
    /// The sum is zero.
    Zero(Sum),
}

/// An access to memory.
#[derive(Clone, Debug)]
pub struct Touch {
    /// Its address.
    pub address: Sum,
    /// The object or pointer that the address is derived from, if there is just one.
    pub root: Option<Atom>,
    /// Bytes.
    pub bytes: u32,
    /// The type in memory.
    pub ty: Type,
    /// It writes.
    pub writes: bool,
    /// The innermost loop around it.
    pub loop_: Loop,
    /// Conditions under which it is executed, bounds of loops among them.
    pub facts: Vec<Fact>,
    /// Where the program has it.
    pub pos: Pos,
}

/// What stands in the way of knowing all that iterations do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Obstacle {
    /// A function is called.
    Call,
    /// The loop is left from its middle, or the function returns.
    Exit,
    /// An access is volatile or atomic, or orders memory.
    Ordered,
    /// Objects are copied as a whole.
    Bulk,
    /// Memory is taken from the stack, or variable arguments are read.
    Frame,
    /// A directive.
    Directive,
}

/// A loop of the nest.
#[derive(Clone, Debug, Default)]
pub struct LoopFacts {
    /// What holds in each of its iterations: its condition, in terms of its counter.
    pub runs: Vec<Fact>,
    /// Locals that an iteration reads before it writes them and that do not change by the same amount each time.
    pub carried: Vec<Local>,
    /// Locals that change by the same amount in each iteration, with that amount.
    pub inductions: Vec<(Local, Sum)>,
    /// What stands in the way, inner loops included.
    pub obstacles: Vec<(Obstacle, Pos)>,
}

/// A nest of loops.
#[derive(Debug)]
pub struct Survey {
    /// The atoms of all sums.
    pub atoms: Atoms,
    /// The outermost loop and all inside.
    pub loops: FxHashMap<Loop, LoopFacts>,
    /// Accesses to memory, in order of execution.
    pub touches: Vec<Touch>,
}

/// Values and facts at a point of the walk. A local that is missing has its value from before the nest.
#[derive(Clone, Debug, Default)]
struct State {
    values: FxHashMap<Local, Sum>,
    facts: Vec<Fact>,
}

/// A comparison, to be used where a branch asks for it.
#[derive(Clone, Debug)]
struct Condition {
    cmp: CmpOp,
    a: Sum,
    b: Sum,
    ty: Type,
}

struct Walk<'a> {
    body: &'a Body,
    nest: &'a Nest,
    cfg: &'a Cfg,
    live: &'a Liveness,
    outermost: Loop,
    survey: Survey,
    /// Stores of the nest: base and type.
    stored: Vec<(Base, Type)>,
    bases: &'a Bases,
    /// Something other than plain stores may write memory.
    writes_anything: bool,
    /// Nothing is noted: the walk looks for inductions.
    quiet: bool,
    /// The state along edges.
    edges: FxHashMap<(Block, Block), State>,
}

impl Survey {
    /// Of a loop and all loops inside. Shared facts of the body come from the caller, who asks about many loops.
    pub fn of(body: &Body, nest: &Nest, cfg: &Cfg, live: &Liveness, bases: &Bases, loop_: Loop) -> Survey {
        let survey = Survey { atoms: Atoms::default(), loops: FxHashMap::default(), touches: Vec::new() };
        let mut walk = Walk {
            body,
            nest,
            cfg,
            live,
            outermost: loop_,
            survey,
            stored: Vec::new(),
            bases,
            writes_anything: false,
            quiet: false,
            edges: FxHashMap::default(),
        };
        walk.find_stores();
        walk.loop_(loop_, State::default());
        walk.survey
    }
}

impl Walk<'_> {
    fn find_stores(&mut self) {
        for block in self.nest.blocks(self.outermost) {
            for inst in &self.body.blocks[block].insts {
                match &inst.op {
                    Op::Store { ty, addr, .. } => self.stored.push((self.bases.of(addr.base), *ty)),
                    op => self.writes_anything |= op.effects().writes && op.class() != Class::Value,
                }
            }
        }
    }

    /// Whether nothing in the nest writes an address of this base, accessed with this type. Objects of different types
    /// are different objects, but for characters, through which C may look at any (C11 6.5).
    fn is_constant(&self, base: Base, ty: Type) -> bool {
        let may_be_written = |&(other, stored): &(Base, Type)| {
            let same_type = stored == ty || stored == Type::I8 || ty == Type::I8;
            same_type && !self.bases.differ(base, other)
        };
        !self.writes_anything && !self.stored.iter().any(may_be_written)
    }

    /// Walks the iterations of a loop; the state before it becomes that behind it.
    fn loop_(&mut self, loop_: Loop, mut before: State) -> State {
        let blocks = self.nest.blocks(loop_);
        let mut assigned = EntitySet::with_capacity(self.body.locals.len());
        for &block in &blocks {
            for inst in &self.body.blocks[block].insts {
                inst.op.defs(|local| _ = assigned.insert(local));
            }
        }
        let tracked: Vec<Local> =
            assigned.iter().filter(|&local| is_tracked(self.body.locals[local].ty)).collect();
        // First with a value of its own for each local, to see how an iteration changes it.
        let mut start = before.clone();
        let mut own = Vec::with_capacity(tracked.len());
        for &local in &tracked {
            let atom = self.survey.atoms.unknown(Some(loop_), range(self.body.locals[local].ty, true));
            own.push(atom);
            start.values.insert(local, Sum::atom(atom));
        }
        let was_quiet = std::mem::replace(&mut self.quiet, true);
        let end = self.iteration(loop_, start.clone());
        self.quiet = was_quiet;
        let counter = self.survey.atoms.intern(Kind::Counter(loop_), Some(loop_), (0, i64::MAX >> 1));
        let mut facts = LoopFacts::default();
        for (&local, &atom) in tracked.iter().zip(&own) {
            let change = end.as_ref().and_then(|end| end.values.get(&local)?.plus(-1, &Sum::atom(atom)));
            let even = change.filter(|change| !self.varies(change, loop_));
            let value = even.as_ref().and_then(|change| {
                let first = self.value_before(&before, local);
                first.plus(1, &change.times(&Sum::atom(counter))?)
            });
            if let (Some(change), Some(value)) = (even, value) {
                start.values.insert(local, value);
                facts.inductions.push((local, change));
            }
        }
        // A local that the code behind the loop reads is live in the header without being read by an iteration.
        let data = &self.body.loops[loop_];
        let mut read_first: FxHashSet<Local> = FxHashSet::default();
        let mut written: FxHashSet<Local> = FxHashSet::default();
        for inst in &self.body.blocks[data.header].insts {
            reads(self.body, &inst.op, |local| {
                if !written.contains(&local) {
                    read_first.insert(local);
                }
            });
            inst.op.defs(|local| _ = written.insert(local));
        }
        for local in assigned.iter() {
            let is_induction = facts.inductions.iter().any(|(other, _)| *other == local);
            let arrives = !written.contains(&local) && self.live.is_live_in(local, data.body);
            if !is_induction && (arrives || read_first.contains(&local)) {
                facts.carried.push(local);
            }
        }
        if !self.quiet {
            self.survey.loops.insert(loop_, facts);
        }
        self.iteration(loop_, start);
        // Behind the loop, what it assigned is a number of its own there.
        let parent = self.body.loops[loop_]
            .parent
            .filter(|&parent| self.body.loop_is_within(Some(parent), self.outermost));
        for &local in &tracked {
            let atom = self.survey.atoms.unknown(parent, range(self.body.locals[local].ty, true));
            before.values.insert(local, Sum::atom(atom));
        }
        before
    }

    /// Walks one iteration; the state at its end.
    fn iteration(&mut self, loop_: Loop, start: State) -> Option<State> {
        let data = self.body.loops[loop_].clone();
        let inside: FxHashSet<Block> = self.nest.blocks(loop_).into_iter().collect();
        let order: Vec<Block> =
            self.cfg.reverse_postorder().iter().copied().filter(|b| inside.contains(b)).collect();
        let mut end = None;
        for block in order {
            if self.body.blocks[block].loop_ != Some(loop_) {
                continue;
            }
            let state = if block == data.header { Some(start.clone()) } else { self.merged(block, loop_) };
            let Some(mut state) = state else { continue };
            let conditions = self.block(block, loop_, &mut state);
            let body = self.body;
            match &body.blocks[block].term {
                Terminator::Jump(next) if block == data.latch && *next == data.header => end = Some(state),
                Terminator::Jump(next) => self.go(block, *next, loop_, state),
                Terminator::Branch { cond, then, otherwise } => {
                    let condition = cond.as_local().and_then(|local| conditions.get(&local));
                    for (next, holds) in [(*then, true), (*otherwise, false)] {
                        let mut state = state.clone();
                        let new = condition.map_or_else(Vec::new, |condition| self.facts(condition, holds));
                        if block == data.header && holds && !self.quiet {
                            if let Some(facts) = self.survey.loops.get_mut(&loop_) {
                                facts.runs.extend(new.iter().cloned());
                            }
                        }
                        state.facts.extend(new);
                        let leaves = block == data.header && next == data.exit;
                        if !leaves {
                            self.go(block, next, loop_, state);
                        }
                    }
                }
                Terminator::Switch { cases, default, .. } => {
                    let targets: FxHashSet<Block> =
                        cases.iter().map(|case| case.2).chain([*default]).collect();
                    for next in targets {
                        self.go(block, next, loop_, state.clone());
                    }
                }
                Terminator::Return(_) | Terminator::Unreachable => {
                    self.obstacle(loop_, Obstacle::Exit, body.blocks[block].term_pos);
                }
            }
        }
        end
    }

    /// Follows an edge out of a block of a loop.
    fn go(&mut self, from: Block, to: Block, loop_: Loop, state: State) {
        let target = self.body.blocks[to].loop_;
        match target {
            Some(inner) if inner != loop_ && self.body.loop_is_within(Some(inner), loop_) => {
                let (header, exit) = (self.body.loops[inner].header, self.body.loops[inner].exit);
                let after = self.loop_(inner, state);
                self.edges.insert((header, exit), after);
            }
            _ if target == Some(loop_) => _ = self.edges.insert((from, to), state),
            _ => {
                self.obstacle(loop_, Obstacle::Exit, self.body.blocks[from].term_pos);
                // An outer loop of the nest goes on there: with the values of before, none of which can be trusted.
                if target.is_some_and(|target| self.body.loop_is_within(Some(target), self.outermost)) {
                    let values = state.values.keys().copied().collect::<Vec<_>>();
                    let mut unsure = State::default();
                    for local in values {
                        let atom = self.survey.atoms.unknown(target, range(self.body.locals[local].ty, true));
                        unsure.values.insert(local, Sum::atom(atom));
                    }
                    self.edges.insert((from, to), unsure);
                }
            }
        }
    }

    /// The state where edges meet; `None` if no edge arrives.
    fn merged(&mut self, block: Block, loop_: Loop) -> Option<State> {
        let cfg = self.cfg;
        let preds = cfg.predecessors(block).iter();
        let mut states: Vec<State> = preds.filter_map(|&pred| self.edges.remove(&(pred, block))).collect();
        let mut merged = states.pop()?;
        for state in states {
            merged.facts.retain(|fact| state.facts.contains(fact));
            let mut locals: Vec<Local> = merged.values.keys().chain(state.values.keys()).copied().collect();
            locals.sort_unstable();
            locals.dedup();
            for local in locals {
                let [a, b] = [&merged, &state].map(|state| self.value_before(state, local));
                if a != b {
                    let atom =
                        self.survey.atoms.unknown(Some(loop_), range(self.body.locals[local].ty, true));
                    merged.values.insert(local, Sum::atom(atom));
                }
            }
        }
        Some(merged)
    }

    /// Walks the instructions of a block; the comparisons it makes.
    fn block(&mut self, block: Block, loop_: Loop, state: &mut State) -> FxHashMap<Local, Condition> {
        let body = self.body;
        let mut conditions = FxHashMap::default();
        for inst in &body.blocks[block].insts {
            match &inst.op {
                Op::Compare { dst, op, a, b } => {
                    let ty = body.operand_type(*a);
                    if let (Some(a), Some(b)) = (self.operand(state, *a), self.operand(state, *b)) {
                        conditions.insert(*dst, Condition { cmp: *op, a, b, ty });
                    }
                }
                Op::Load { dst, addr, access } => {
                    let ty = body.locals[*dst].ty;
                    let address = self.touch(state, loop_, (ty, *addr, *access), false, inst.pos);
                    let base = self.bases.of(addr.base);
                    let is_constant = !access.volatile && self.is_constant(base, ty);
                    if is_tracked(ty) {
                        let value = address.filter(|_| is_constant).map(|at| {
                            let varies = self.innermost(&at);
                            self.survey.atoms.intern(Kind::Element { ty, at }, varies, range(ty, true))
                        });
                        let atom =
                            value.unwrap_or_else(|| self.survey.atoms.unknown(Some(loop_), range(ty, true)));
                        state.values.insert(*dst, Sum::atom(atom));
                    }
                }
                Op::Store { ty, addr, access, .. } => {
                    self.touch(state, loop_, (*ty, *addr, *access), true, inst.pos);
                }
                op => {
                    match op.class() {
                        Class::Value | Class::Lane => {}
                        Class::Call => self.obstacle(loop_, Obstacle::Call, inst.pos),
                        Class::Atomic => self.obstacle(loop_, Obstacle::Ordered, inst.pos),
                        Class::Memory => self.obstacle(loop_, Obstacle::Bulk, inst.pos),
                        Class::Frame => self.obstacle(loop_, Obstacle::Frame, inst.pos),
                        Class::Directive | Class::Abstract | Class::Threads => {
                            self.obstacle(loop_, Obstacle::Directive, inst.pos);
                        }
                    }
                    let value = self.computed(state, op);
                    let mut written: smallvec::SmallVec<[Local; 1]> = smallvec::SmallVec::new();
                    op.defs(|local| written.push(local));
                    for local in written.into_iter().filter(|&local| is_tracked(body.locals[local].ty)) {
                        let value = value.clone().unwrap_or_else(|| {
                            Sum::atom(
                                self.survey.atoms.unknown(Some(loop_), range(body.locals[local].ty, true)),
                            )
                        });
                        state.values.insert(local, value);
                    }
                }
            }
        }
        conditions
    }

    fn touch(
        &mut self,
        state: &State,
        loop_: Loop,
        (ty, addr, access): (Type, Address, Access),
        writes: bool,
        pos: Pos,
    ) -> Option<Sum> {
        if access.volatile {
            self.obstacle(loop_, Obstacle::Ordered, pos);
        }
        let address =
            self.operand(state, addr.base).and_then(|base| base.plus(1, &Sum::constant(addr.offset)));
        if !self.quiet {
            // An address that is not understood may be any.
            let known = address
                .clone()
                .unwrap_or_else(|| Sum::atom(self.survey.atoms.unknown(Some(loop_), (i64::MIN, i64::MAX))));
            let root = self.root(&known);
            let facts = state.facts.clone();
            self.survey.touches.push(Touch {
                address: known,
                root,
                bytes: ty.bytes(),
                ty,
                writes,
                loop_,
                facts,
                pos,
            });
        }
        address
    }

    /// The pointer in an address: of `p + 8 * i`, `p`.
    fn root(&self, address: &Sum) -> Option<Atom> {
        let is_pointer = |atom: Atom| match &self.survey.atoms.data(atom).kind {
            Kind::Entry(local) => self.body.locals[*local].ty == Type::Ptr,
            Kind::Object(_) => true,
            Kind::Element { ty, .. } => *ty == Type::Ptr,
            Kind::Counter(_) | Kind::Binary(..) | Kind::Converted(..) | Kind::Unknown(_) => false,
        };
        let mut roots = address.terms().filter(|(product, _)| product.iter().any(|&atom| is_pointer(atom)));
        match (roots.next(), roots.next()) {
            (Some((product, 1)), None) if product.len() == 1 => Some(product[0]),
            _ => None,
        }
    }

    fn obstacle(&mut self, loop_: Loop, obstacle: Obstacle, pos: Pos) {
        if self.quiet {
            return;
        }
        let body = self.body;
        for around in
            body.loops_around(Some(loop_)).take_while(|&l| body.loop_is_within(Some(l), self.outermost))
        {
            // A `break` out of an inner loop is no way out of the loops around it; a return is.
            if let Some(facts) = self.survey.loops.get_mut(&around) {
                facts.obstacles.push((obstacle, pos));
            }
        }
    }

    fn varies(&self, sum: &Sum, loop_: Loop) -> bool {
        let is_within = |inner, outer| self.body.loop_is_within(Some(inner), outer);
        self.survey.atoms.varies_in(sum, loop_, is_within)
    }

    /// The innermost loop that a sum varies in: loops that atoms vary in are nested in each other.
    fn innermost(&self, sum: &Sum) -> Option<Loop> {
        let loops = sum.atoms().filter_map(|atom| self.survey.atoms.data(atom).varies);
        loops.max_by_key(|&loop_| self.body.loops_around(Some(loop_)).count())
    }

    fn value_before(&mut self, state: &State, local: Local) -> Sum {
        if let Some(value) = state.values.get(&local) {
            return value.clone();
        }
        let range = range(self.body.locals[local].ty, true);
        Sum::atom(self.survey.atoms.intern(Kind::Entry(local), None, range))
    }

    fn operand(&mut self, state: &State, operand: Operand) -> Option<Sum> {
        match operand {
            Operand::Int(_, value) => Some(Sum::constant(value)),
            Operand::Local(local) if is_tracked(self.body.locals[local].ty) => {
                Some(self.value_before(state, local))
            }
            Operand::Local(_) | Operand::F32(_) | Operand::F64(_) => None,
            Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) => {
                let name: Name = name(operand)?;
                let atom = self.survey.atoms.intern(Kind::Object(name), None, (i64::MIN, i64::MAX));
                Some(Sum::atom(atom))
            }
        }
    }

    /// The value that an operation computes, if it is an integer or address that can be told.
    fn computed(&mut self, state: &State, op: &Op) -> Option<Sum> {
        match op {
            Op::Copy { src, .. } => self.operand(state, *src),
            Op::Binary { dst, op, a, b } => {
                let ty = self.body.locals[*dst].ty;
                let (a, b) = (self.operand(state, *a)?, self.operand(state, *b)?);
                self.binary(*op, ty, &a, &b)
            }
            Op::Index { base, index, scale, offset, .. } => {
                let (base, index) = (self.operand(state, *base)?, self.operand(state, *index)?);
                base.plus(*scale, &index)?.plus(1, &Sum::constant(*offset))
            }
            Op::Convert { dst, op, src } => {
                let (from, to) = (self.body.operand_type(*src), self.body.locals[*dst].ty);
                let value = self.operand(state, *src)?;
                self.converted(*op, from, to, value)
            }
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, a: &Sum, b: &Sum) -> Option<Sum> {
        match (op, b.as_constant()) {
            (BinaryOp::Add, _) => a.plus(1, b),
            (BinaryOp::Sub, _) => a.plus(-1, b),
            (BinaryOp::Mul, _) => a.times(b),
            (BinaryOp::Shl, Some(by @ 0..=31)) => a.scaled(1 << by),
            _ => {
                let varies = [a, b].into_iter().filter_map(|sum| self.innermost(sum));
                let varies = varies.max_by_key(|&loop_| self.body.loops_around(Some(loop_)).count());
                let range = match (op, b.as_constant()) {
                    (BinaryOp::And, Some(mask @ 0..)) => (0, mask),
                    (BinaryOp::URem, Some(divisor @ 1..)) => (0, divisor - 1),
                    (BinaryOp::SRem, Some(divisor @ 1..)) => (1 - divisor, divisor - 1),
                    _ => range(ty, true),
                };
                let atom = self.survey.atoms.intern(Kind::Binary(op, a.clone(), b.clone()), varies, range);
                Some(Sum::atom(atom))
            }
        }
    }

    fn converted(&mut self, op: ConvertOp, from: Type, to: Type, value: Sum) -> Option<Sum> {
        let fits = |(low, high): (i64, i64)| {
            let (least, most) = self.interval(&value)?;
            Some(low <= least && most <= high)
        };
        let keeps = match op {
            ConvertOp::SExt => true,
            ConvertOp::ZExt => fits(range(from, false)).unwrap_or(false),
            ConvertOp::Trunc => fits(range(to, true)).unwrap_or(false),
            // From signed to unsigned or back; and pointers as numbers.
            ConvertOp::Bits if from.int_bits() == to.int_bits() => {
                from == Type::I64 || fits((0, range(to, true).1)).unwrap_or(false)
            }
            ConvertOp::Bits => matches!((from, to), (Type::I64, Type::Ptr) | (Type::Ptr, Type::I64)),
            ConvertOp::SToF
            | ConvertOp::UToF
            | ConvertOp::FToS
            | ConvertOp::FToU
            | ConvertOp::FToF
            | ConvertOp::CToC => {
                return None;
            }
        };
        if keeps {
            return Some(value);
        }
        let range = match op {
            ConvertOp::ZExt => range(from, false),
            _ => range(to, true),
        };
        let varies = self.innermost(&value);
        Some(Sum::atom(self.survey.atoms.intern(Kind::Converted(op, to, value), varies, range)))
    }

    /// What a sum is between, from the ranges of its atoms.
    fn interval(&self, sum: &Sum) -> Option<(i64, i64)> {
        let (mut least, mut most) = (0i64, 0i64);
        for (product, factor) in sum.terms() {
            let (mut low, mut high) = (factor, factor);
            for &atom in product {
                let (a, b) = self.survey.atoms.data(atom).range;
                let ends =
                    [low.checked_mul(a)?, low.checked_mul(b)?, high.checked_mul(a)?, high.checked_mul(b)?];
                low = *ends.iter().min()?;
                high = *ends.iter().max()?;
            }
            least = least.checked_add(low)?;
            most = most.checked_add(high)?;
        }
        Some((least, most))
    }

    /// What follows from a comparison that holds, or does not.
    fn facts(&self, condition: &Condition, holds: bool) -> Vec<Fact> {
        let Condition { cmp, a, b, ty } = condition;
        let cmp = if holds { *cmp } else { opposite(*cmp) };
        let difference = |from: &Sum, take: &Sum, less: i64| {
            Some(Fact::AtLeastZero(from.plus(-1, take)?.plus(-1, &Sum::constant(less))?))
        };
        // Unsigned numbers compare as signed ones do where neither can be negative.
        let is_natural = |sum: &Sum| self.interval(sum).is_some_and(|(least, _)| least >= 0);
        let unsigned_is_known = *ty == Type::Ptr || is_natural(a) && is_natural(b);
        let fact = match cmp {
            CmpOp::Eq => a.plus(-1, b).map(Fact::Zero),
            CmpOp::Lt => difference(b, a, 1),
            CmpOp::Le => difference(b, a, 0),
            CmpOp::Gt => difference(a, b, 1),
            CmpOp::Ge => difference(a, b, 0),
            CmpOp::ULt if unsigned_is_known => difference(b, a, 1),
            CmpOp::ULe if unsigned_is_known => difference(b, a, 0),
            CmpOp::UGt if unsigned_is_known => difference(a, b, 1),
            CmpOp::UGe if unsigned_is_known => difference(a, b, 0),
            CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe | CmpOp::Ne | CmpOp::Unordered => None,
        };
        fact.into_iter().collect()
    }
}

/// Whether values of a type are followed.
fn is_tracked(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr)
}

/// The comparison that holds where this one does not, of integers.
fn opposite(cmp: CmpOp) -> CmpOp {
    match cmp {
        CmpOp::Eq => CmpOp::Ne,
        CmpOp::Ne => CmpOp::Eq,
        CmpOp::Lt => CmpOp::Ge,
        CmpOp::Le => CmpOp::Gt,
        CmpOp::Gt => CmpOp::Le,
        CmpOp::Ge => CmpOp::Lt,
        CmpOp::ULt => CmpOp::UGe,
        CmpOp::ULe => CmpOp::UGt,
        CmpOp::UGt => CmpOp::ULe,
        CmpOp::UGe => CmpOp::ULt,
        CmpOp::Unordered => CmpOp::Unordered,
    }
}
