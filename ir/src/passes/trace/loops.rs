//! Which loops of a function are traced, and the calls that tell of them.

use super::calls::{Calls, Spare, bytes};
use super::scalars::StandIns;
use super::table::{Kind, Table};
use crate::acc::{LoopDirective, LoopKind, ReductionClause};
use crate::analysis::cfg::{Cfg, Dominators};
use crate::builder::Cursor;
use crate::edit::split::split_edges;
use crate::entities::{Block, Func, Local, Loop, Slot};
use crate::function::{Body, SlotKind};
use crate::module::Module;
use crate::op::{Address, Callee, Op, Operand, Terminator};
use crate::passes::env::Work;
use crate::types::{PassBy, Type};
use cranelift_entity::SecondaryMap;

/// Which loops are traced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Traced {
    /// Those called parallel.
    Parallel,
    /// All of regions and routines.
    All,
    /// None: what tasks of the host access is told of, wherever that is.
    Tasks,
}

/// The loops of a function.
pub struct Loops {
    /// All that are alive, parents before children.
    pub all: Vec<Loop>,
    /// The numbers of traced loops in the table.
    numbers: SecondaryMap<Loop, Option<u32>>,
    /// Per clause of a loop's reductions: the read of the variable before the loop, and the write behind it.
    results: SecondaryMap<Loop, Vec<[u32; 2]>>,
}

impl Loops {
    /// Those of a function.
    pub fn of(work: &Work<'_>, traced: Traced, table: &mut Table) -> Loops {
        let (body, function) = (&*work.body, &work.module.functions[work.func]);
        let is_of_device = function.is_device_code();
        let name = function.kind.launched().map_or(&function.name, |region| &region.parent);
        let live = body.live_entities();
        let all: Vec<Loop> =
            body.loop_tree().into_iter().filter(|&loop_| live.loops.contains(loop_)).collect();
        let mut numbers = SecondaryMap::new();
        let mut results: SecondaryMap<Loop, Vec<[u32; 2]>> = SecondaryMap::new();
        for &loop_ in &all {
            let data = &body.loops[loop_];
            let is_parallel = parallel(body, loop_).is_some();
            let is_meant = match traced {
                Traced::Parallel => is_parallel,
                Traced::All => is_parallel || is_of_device,
                Traced::Tasks => false,
            };
            if is_meant {
                numbers[loop_] = Some(table.loop_(data.pos, name, is_parallel, data.induction.is_some()));
            }
            let clauses = data.directive.iter().flat_map(|directive| &directive.reductions);
            let site = |clause: &ReductionClause| {
                [Kind::Read, Kind::Write]
                    .map(|kind| table.site(clause.pos, kind, Some(clause.op), &clause.name))
            };
            results[loop_] = clauses.map(site).collect();
        }
        Loops { all, numbers, results }
    }

    /// Whether a loop is traced.
    pub fn is_traced(&self, loop_: Loop) -> bool {
        self.numbers[loop_].is_some()
    }

    /// The number of traced loops around a place in a loop.
    fn depth(&self, body: &Body, innermost: Option<Loop>) -> i64 {
        body.loops_around(innermost).filter(|&loop_| self.is_traced(loop_)).count() as i64
    }
}

/// The loop whose directive speaks about a loop: itself, or one around it whose `collapse` or `tile` it
/// belongs to.
fn speaker(body: &Body, loop_: Loop) -> Option<Loop> {
    match body.loops[loop_].directive {
        Some(_) => Some(loop_),
        None => body.associated(loop_).map(|(outer, _)| outer),
    }
}

/// The directive that calls a loop parallel: the analysis's or the programmer's. What threads of a team leave
/// for each other, barriers keep in order.
pub fn parallel(body: &Body, loop_: Loop) -> Option<&LoopDirective> {
    let directive = body.loops[speaker(body, loop_)?].directive.as_ref()?;
    let is_parallel =
        directive.kind != LoopKind::Seq && directive.team.is_none() && !directive.levels.is_empty();
    is_parallel.then_some(directive)
}

/// What a loop reduces: the clauses of its directive, and where gangs alone share the loop, those of the
/// construct.
pub fn reductions(body: &Body, loop_: Loop) -> impl Iterator<Item = &ReductionClause> {
    let directive = parallel(body, loop_);
    let of_construct = directive.filter(|directive| is_for_gangs(directive)).map(|_| &body.region_reductions);
    directive
        .into_iter()
        .flat_map(|directive| &directive.reductions)
        .chain(of_construct.into_iter().flatten())
}

fn is_for_gangs(directive: &LoopDirective) -> bool {
    directive.levels.iter().all(|level| level.is_gang())
}

/// Writes the calls that tell of loops.
pub fn tell(
    module: &Module,
    func: Func,
    body: &mut Body,
    calls: &Calls,
    loops: &Loops,
    stand_ins: &StandIns,
) {
    let any = loops.all.iter().any(|&loop_| loops.is_traced(loop_));
    let entry = body.entry();
    let pos = module.functions[func].pos;
    let mark = Cursor::at_start(body, entry, pos, |cursor| {
        calls.begin(cursor);
        begin_objects(module, func, cursor, calls);
        any.then(|| calls.mark(cursor))
    });
    let (arrays, dominators) = (arrays(body), Dominators::new(&Cfg::new(body)));
    let teller = Teller { calls, loops, stand_ins, mark, arrays, dominators };
    for &loop_ in &loops.all {
        teller.iterations(body, loop_);
    }
    if any {
        loops
            .all
            .iter()
            .filter(|&&loop_| loops.is_traced(loop_))
            .for_each(|&loop_| teller.enter(body, loop_));
        teller.exits(body);
        teller.returns(body);
        teller.jumps_back(module, body);
    }
}

/// The objects of a call begin to exist, its slots and the copies that it gets of aggregates.
fn begin_objects(module: &Module, func: Func, cursor: &mut Cursor<'_>, calls: &Calls) {
    let signature = &module.signatures[module.functions[func].sig];
    let params = cursor.body.params.clone();
    for (param, by) in params.into_iter().zip(&signature.params) {
        if let PassBy::Aggregate(agg) = by {
            calls.fresh(cursor, (Operand::Local(param), bytes(module.aggregates[*agg].size)));
        }
    }
    fresh_slots(cursor, calls, |declared_in| declared_in.is_none());
}

fn fresh_slots(cursor: &mut Cursor<'_>, calls: &Calls, is_meant: impl Fn(Option<Loop>) -> bool) {
    let slots = cursor.body.slots.iter();
    let slots: Vec<(Slot, u64)> = slots
        .filter(|(_, data)| data.kind == SlotKind::Frame && is_meant(data.declared_in))
        .map(|(slot, data)| (slot, data.size))
        .collect();
    for (slot, size) in slots {
        calls.fresh(cursor, (Operand::Slot(slot), bytes(size)));
    }
}

struct Teller<'a> {
    calls: &'a Calls,
    loops: &'a Loops,
    stand_ins: &'a StandIns,
    /// The number of traced loops when the function begins; if it has traced loops.
    mark: Option<Local>,
    arrays: Vec<Array>,
    dominators: Dominators,
}

/// An array of variable length that is in no loop.
struct Array {
    block: Block,
    address: Local,
    bytes: Operand,
}

fn arrays(body: &Body) -> Vec<Array> {
    let blocks = body.order.iter().filter(|&&block| body.blocks[block].loop_.is_none());
    let insts = blocks.flat_map(|&block| body.blocks[block].insts.iter().map(move |inst| (block, &inst.op)));
    let array = |(block, op): (Block, &Op)| match *op {
        Op::StackAlloc { dst, bytes, .. } => Some(Array { block, address: dst, bytes }),
        _ => None,
    };
    insts.filter_map(array).collect()
}

impl Teller<'_> {
    /// The number of traced loops that the thread is in where `depth` of them are the function's own.
    fn around(&self, cursor: &mut Cursor<'_>, depth: i64) -> Operand {
        let mark = self.mark.map_or(Operand::Int(Type::I32, 0), Operand::Local);
        if depth == 0 { mark } else { cursor.add(mark, Operand::Int(Type::I32, depth)) }
    }

    fn leave(&self, cursor: &mut Cursor<'_>, depth: i64) {
        let around = self.around(cursor, depth);
        self.calls.call(cursor, self.calls.leave, vec![around]);
    }

    /// The start of an iteration: of a counted loop behind the test, which its header is and nothing else.
    fn iterations(&self, body: &mut Body, loop_: Loop) {
        let data = &body.loops[loop_];
        let (block, pos) = (if data.induction.is_some() { data.body } else { data.header }, data.pos);
        let depth = self.loops.depth(body, data.parent);
        // Of a collapsed nest, each iteration of the inner loop has its own instance of what clauses name.
        let owners = [Some(loop_), speaker(body, loop_)];
        Cursor::at_start(body, block, pos, |cursor| {
            if self.loops.is_traced(loop_) {
                let around = self.around(cursor, depth);
                self.calls.call(cursor, self.calls.iterate, vec![around]);
            }
            fresh_slots(cursor, self.calls, |declared_in| {
                declared_in.is_some() && owners.contains(&declared_in)
            });
            if self.loops.is_traced(loop_) {
                self.spare(cursor, loop_);
            }
        });
    }

    /// What the loop may carry.
    fn spare(&self, cursor: &mut Cursor<'_>, loop_: Loop) {
        let clauses: Vec<ReductionClause> = reductions(cursor.body, loop_).cloned().collect();
        for clause in &clauses {
            for object in objects(cursor, clause) {
                self.calls.spare(cursor, object, Spare::Reduced);
            }
        }
        let spared = self.stand_ins.spared_by(loop_).iter().copied();
        // Each gang has what the construct makes private.
        let for_gangs = parallel(cursor.body, loop_).is_some_and(is_for_gangs);
        let header = cursor.body.loops[loop_].header;
        for array in
            self.arrays.iter().filter(|array| for_gangs && self.dominators.dominates(array.block, header))
        {
            self.calls.spare(cursor, (Operand::Local(array.address), array.bytes), Spare::FlowCounts);
        }
        let of_gangs = cursor.body.slots.iter().filter(|_| for_gangs);
        let of_gangs =
            of_gangs.filter(|(_, data)| data.kind == SlotKind::Frame && data.declared_in.is_none());
        for (slot, how) in
            spared.chain(of_gangs.map(|(slot, _)| (slot, Spare::FlowCounts))).collect::<Vec<_>>()
        {
            let size = cursor.body.slots[slot].size;
            self.calls.spare(cursor, (Operand::Slot(slot), bytes(size)), how);
        }
    }

    fn enter(&self, body: &mut Body, loop_: Loop) {
        let data = &body.loops[loop_];
        let (preheader, pos) = (data.preheader, data.pos);
        let depth = self.loops.depth(body, data.parent);
        let clauses = data.directive.iter().flat_map(|directive| &directive.reductions);
        let clauses: Vec<ReductionClause> = clauses.cloned().collect();
        let Some(number) = self.loops.numbers[loop_] else { return };
        let mut cursor = Cursor::with_pos(body, preheader, pos);
        for (clause, sites) in clauses.iter().zip(&self.loops.results[loop_]) {
            for object in objects(&mut cursor, clause) {
                sites.iter().for_each(|&site| self.calls.access(&mut cursor, object, site));
            }
        }
        let around = self.around(&mut cursor, depth);
        let number = Operand::Int(Type::I32, i64::from(number));
        let table = Operand::Global(self.calls.table);
        self.calls.call(&mut cursor, self.calls.enter, vec![table, number, around]);
    }

    /// Edges out of traced loops.
    fn exits(&self, body: &mut Body) {
        let cfg = Cfg::new(body);
        for to in body.order.clone() {
            let inner = |from: &Block| {
                let [from, to] = [*from, to].map(|block| body.blocks[block].loop_);
                self.loops.depth(body, from) > self.loops.depth(body, to)
            };
            let all = cfg.predecessors(to);
            let leaving: Vec<Block> = all.iter().copied().filter(inner).collect();
            if leaving.is_empty() {
                continue;
            }
            let pos = body.blocks[to].term_pos;
            let depth = self.loops.depth(body, body.blocks[to].loop_);
            let block = if leaving.len() == all.len() { to } else { split_edges(body, &leaving, to, pos) };
            body.blocks[block].construct = body.blocks[to].construct;
            Cursor::at_start(body, block, pos, |cursor| self.leave(cursor, depth));
        }
    }

    /// Returns from the middle of a loop.
    fn returns(&self, body: &mut Body) {
        for block in body.order.clone() {
            let data = &body.blocks[block];
            if matches!(data.term, Terminator::Return(_)) && self.loops.depth(body, data.loop_) > 0 {
                let pos = data.term_pos;
                self.leave(&mut Cursor::with_pos(body, block, pos), 0);
            }
        }
    }

    /// Calls that return a second time, in the middle of whatever ran then.
    fn jumps_back(&self, module: &Module, body: &mut Body) {
        let returns_twice = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(func), .. } if module.functions[*func].returns_twice);
        for block in body.order.clone() {
            let depth = self.loops.depth(body, body.blocks[block].loop_);
            let mut index = 0;
            while let Some(inst) = body.blocks[block].insts.get(index) {
                index += 1;
                if returns_twice(&inst.op) {
                    self.leave(&mut Cursor::before(body, block, index), depth);
                }
            }
        }
    }
}

/// Addresses and sizes of what a clause reduces, where it is in memory.
fn objects(cursor: &mut Cursor<'_>, clause: &ReductionClause) -> Vec<(Operand, Operand)> {
    let base = match clause.var {
        Operand::Local(local) if clause.pointee => Operand::Local(local),
        Operand::Local(_) => return Vec::new(),
        place if clause.pointee => cursor.load(Type::Ptr, Address::at(place)),
        place => place,
    };
    let mut objects = Vec::with_capacity(clause.parts.len());
    for part in &clause.parts {
        let lower = clause.lower.unwrap_or(Operand::Int(Type::I64, 0));
        let address = cursor.index(base, lower, 1, part.offset);
        let size = i64::from(part.ty.ty.bytes());
        let size = match part.count {
            None => Operand::Int(Type::I64, size),
            Some(Operand::Int(_, count)) => Operand::Int(Type::I64, count.saturating_mul(size)),
            Some(count) => cursor.mul(count, Operand::Int(Type::I64, size)),
        };
        objects.push((address, size));
    }
    objects
}
