//! One name for each address.
//!
//! Before: an element that the source names twice has two addresses, each computed for its own access. After:
//! an access whose base has the value of a local that was computed before, on every way, names that local:
//!
//! ```text
//!     before:  v2 = index a + i * 4; v3 = load [v2]; ...; v5 = index a + i * 4; v6 = load [v5]
//!     after:   v2 = index a + i * 4; v3 = load [v2]; ...; v5 = index a + i * 4; v6 = load [v2]
//! ```
//!
//! Cranelift finds equal arithmetic, but in a loop that stores no load that stands in another block than the
//! first one.
//!
//! A value has a number, as in SSA form: locals get a new one where they are assigned, and where ways meet on
//! which they were assigned. Only locals that addresses are made of are looked at.

use crate::analysis::cfg::{Cfg, Dominators};
use crate::analysis::written::Place;
use crate::entities::{Block, Local, map_below};
use crate::function::Body;
use crate::op::{BinaryOp, ConvertOp, Inst, Op, Operand};
use crate::types::Type;
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;

/// The number of a value.
type Number = u32;

/// A value, or a constant or name that is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Value {
    Number(Number),
    Is(Operand),
}

/// What a number is computed by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Expression {
    Binary(BinaryOp, Type, Value, Value),
    Convert(ConvertOp, Type, Value),
    Index(Value, Value, i64, i64),
}

/// Runs the step: bases of accesses are other locals then, which have the same value. Addresses that are
/// assigned for the next iteration are assigned behind the accesses at those of this one.
pub(super) fn unite(body: &mut Body, cfg: &Cfg) {
    let accesses = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    let bases = accesses.filter_map(|inst| Place::of(body, &inst.op)?.addr.base.as_local());
    let asked = Asked::of(body, bases.collect());
    if !asked.are_several {
        return;
    }
    let dominators = Dominators::new(cfg);
    let meetings = asked.meetings(body, cfg, &dominators);
    for &block in cfg.reverse_postorder() {
        delay(&mut body.blocks[block].insts, &asked.locals);
    }
    let mut children: SecondaryMap<Block, Vec<Block>> = map_below(body.blocks.len());
    for &block in cfg.reverse_postorder() {
        dominators.immediate(block).into_iter().for_each(|parent| children[parent].push(block));
    }
    let mut numbers = Numbers::new(body);
    for local in asked.locals.iter() {
        numbers.assign(local, None);
    }
    // Entered, or to be left by taking back what was assigned since.
    let mut work = vec![(body.entry(), None)];
    while let Some((block, left)) = work.pop() {
        if let Some(height) = left {
            numbers.take_back(height);
            continue;
        }
        work.push((block, Some(numbers.undo.len())));
        meetings[block].iter().for_each(|&local| numbers.assign(local, None));
        let mut insts = std::mem::take(&mut body.blocks[block].insts);
        for inst in &mut insts {
            if Place::of(body, &inst.op).is_some() {
                inst.op.addresses_mut(|address| address.base = numbers.named(address.base));
            }
            let number = numbers.of(body, &inst.op);
            inst.op.defs(|local| {
                if asked.locals.contains(local) {
                    numbers.assign(local, number);
                }
            });
        }
        body.blocks[block].insts = insts;
        work.extend(children[block].iter().rev().map(|&child| (child, None)));
    }
}

/// Names alike what the accesses of a loop have as their base and the block in front of the loop computes
/// twice: so that a loop loads and stores at one address what `a[i * n] = a[i * n] + x` does.
pub(super) fn unite_before(body: &mut Body, preheader: Block, blocks: &[Block]) {
    let mut bases = EntitySet::with_capacity(body.locals.len());
    for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
        let base = Place::of(body, &inst.op).and_then(|place| place.addr.base.as_local());
        base.into_iter().for_each(|base| _ = bases.insert(base));
    }
    let computed = body.blocks[preheader].insts.iter().filter_map(|inst| inst.op.dst());
    if computed.filter(|&local| bases.contains(local)).count() < 2 {
        return;
    }
    let mut numbers = Numbers::new(body);
    for inst in &body.blocks[preheader].insts {
        inst.op.operands(|operand| {
            if let Some(local) = operand.as_local().filter(|&local| numbers.of_local[local].is_none()) {
                numbers.assign(local, None);
            }
        });
        let number = numbers.of(body, &inst.op);
        inst.op.defs(|local| numbers.assign(local, number));
    }
    for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
        inst.op.defs(|local| numbers.assign(local, None));
    }
    for &block in blocks {
        let mut insts = std::mem::take(&mut body.blocks[block].insts);
        for inst in insts.iter_mut().filter(|inst| Place::of(body, &inst.op).is_some()) {
            inst.op.addresses_mut(|address| {
                if address.base.as_local().is_some_and(|base| bases.contains(base)) {
                    address.base = numbers.named(address.base);
                }
            });
        }
        body.blocks[block].insts = insts;
    }
}

/// The operations that addresses are computed by.
fn is_arithmetic(op: &Op) -> bool {
    matches!(op, Op::Copy { .. } | Op::Binary { .. } | Op::Convert { .. } | Op::Index { .. })
}

/// Puts assignments of a new value, as `p++` makes them in front of the access at `p`, behind the accesses
/// through copies of the old one in the block: where the variable still has it, those name it.
fn delay(insts: &mut [Inst], asked: &EntitySet<Local>) {
    let mut at = 0;
    while at < insts.len() {
        let Op::Copy { dst, src: Operand::Local(src) } = insts[at].op else {
            at += 1;
            continue;
        };
        let of_old = |inst: &Inst| match inst.op {
            Op::Copy { dst: old, src: Operand::Local(from) } if from == dst => Some(old),
            _ => None,
        };
        let old = insts[..at].iter().rev().take(MOST_BETWEEN).find_map(of_old);
        let Some(old) = old.filter(|_| asked.contains(dst)) else {
            at += 1;
            continue;
        };
        let behind = insts[at + 1..].iter().take(MOST_BETWEEN).position(|inst| {
            let mut meets = false;
            inst.op.operands(|operand| meets |= operand == Operand::Local(dst));
            inst.op.defs(|local| meets |= local == dst || local == src);
            meets
        });
        let end = behind.map_or(insts.len().min(at + 1 + MOST_BETWEEN), |behind| at + 1 + behind);
        let is_access = |inst: &Inst| {
            let mut found = false;
            inst.op.addresses(|address| found |= address.base == Operand::Local(old));
            found
        };
        if let Some(last) = insts[at + 1..end].iter().rposition(is_access) {
            insts[at..at + last + 2].rotate_left(1);
        } else {
            at += 1;
        }
    }
}

/// How many instructions an assignment may move over: `*p++ = f(*q++)` has few.
const MOST_BETWEEN: usize = 32;

/// The locals that addresses of accesses are made of.
struct Asked {
    locals: EntitySet<Local>,
    /// The blocks that assign a local, if they are several, or if a block reads it that does not assign it
    /// first.
    assigned_in: FxHashMap<Local, Vec<Block>>,
    /// Whether more than one local is the base of an access.
    are_several: bool,
}

impl Asked {
    fn of(body: &Body, mut work: Vec<Local>) -> Asked {
        let mut locals = EntitySet::with_capacity(body.locals.len());
        work.retain(|&base| locals.insert(base));
        let are_several = work.len() > 1;
        let mut asked = Asked { locals, assigned_in: FxHashMap::default(), are_several };
        if !are_several {
            return asked;
        }
        let mut made_by: SecondaryMap<Local, Vec<(Block, u32)>> = map_below(body.locals.len());
        for &block in &body.order {
            for (index, inst) in body.blocks[block].insts.iter().enumerate() {
                if is_arithmetic(&inst.op) {
                    inst.op.defs(|local| made_by[local].push((block, index as u32)));
                }
            }
        }
        while let Some(local) = work.pop() {
            for &(block, index) in &made_by[local] {
                body.blocks[block].insts[index as usize].op.operands(|operand| {
                    if let Operand::Local(part) = operand
                        && asked.locals.insert(part)
                    {
                        work.push(part);
                    }
                });
            }
        }
        asked.find_assigned(body);
        asked
    }

    fn find_assigned(&mut self, body: &Body) {
        let mut crosses = EntitySet::with_capacity(body.locals.len());
        let mut last: SecondaryMap<Local, Option<Block>> = map_below(body.locals.len());
        for &block in &body.order {
            let data = &body.blocks[block];
            for inst in &data.insts {
                inst.op.operands(|operand| {
                    if let Operand::Local(local) = operand
                        && last[local] != Some(block)
                    {
                        crosses.insert(local);
                    }
                });
                inst.op.defs(|local| {
                    if last[local].replace(block) != Some(block) && self.locals.contains(local) {
                        self.assigned_in.entry(local).or_default().push(block);
                    }
                });
            }
        }
        self.assigned_in.retain(|local, blocks| blocks.len() > 1 || crosses.contains(*local));
    }

    /// The locals that have a new value at the start of each block, since ways meet on which they were
    /// assigned: the blocks at the frontiers of what those that assign them dominate.
    fn meetings(&self, body: &Body, cfg: &Cfg, dominators: &Dominators) -> SecondaryMap<Block, Vec<Local>> {
        let mut frontier: SecondaryMap<Block, Vec<Block>> = map_below(body.blocks.len());
        for &block in cfg.reverse_postorder() {
            let before = cfg.predecessors(block);
            if before.len() < 2 {
                continue;
            }
            let end = dominators.immediate(block);
            for &from in before.iter().filter(|&&from| cfg.is_reachable(from)) {
                let mut at = Some(from);
                while let Some(block_at) = at.filter(|_| at != end) {
                    if frontier[block_at].last() != Some(&block) {
                        frontier[block_at].push(block);
                    }
                    at = dominators.immediate(block_at);
                }
            }
        }
        let mut meetings: SecondaryMap<Block, Vec<Local>> = map_below(body.blocks.len());
        // In the order of the locals' numbers, so that the result is the same in each run.
        for local in self.locals.iter() {
            let Some(blocks) = self.assigned_in.get(&local) else { continue };
            let mut work = blocks.clone();
            while let Some(block) = work.pop() {
                for &next in &frontier[block] {
                    if meetings[next].last() != Some(&local) {
                        meetings[next].push(local);
                        work.push(next);
                    }
                }
            }
        }
        meetings
    }
}

/// The values of locals at a place that is gone through along the dominator tree.
struct Numbers {
    of_local: SecondaryMap<Local, Option<Number>>,
    by_expression: FxHashMap<Expression, Number>,
    /// The locals that have been assigned each value, the first ones first.
    names: Vec<Vec<Local>>,
    /// What locals had before they were assigned.
    undo: Vec<(Local, Option<Number>)>,
}

impl Numbers {
    fn new(body: &Body) -> Numbers {
        Numbers {
            of_local: map_below(body.locals.len()),
            by_expression: FxHashMap::default(),
            names: Vec::new(),
            undo: Vec::new(),
        }
    }

    fn fresh(&mut self) -> Number {
        self.names.push(Vec::new());
        (self.names.len() - 1) as Number
    }

    /// A local is assigned a value; without a number, one that is not known.
    fn assign(&mut self, local: Local, number: Option<Number>) {
        let number = number.unwrap_or_else(|| self.fresh());
        self.undo.push((local, self.of_local[local]));
        self.of_local[local] = Some(number);
        let names = &mut self.names[number as usize];
        if names.len() < MOST_NAMES && !names.contains(&local) {
            names.push(local);
        }
    }

    /// Goes back to where so many assignments had been made.
    fn take_back(&mut self, height: usize) {
        for (local, number) in self.undo.drain(height..).rev() {
            self.of_local[local] = number;
        }
    }

    fn value(&self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Local(local) => self.of_local[local].map(Value::Number),
            operand => Some(Value::Is(operand)),
        }
    }

    /// The number of what an operation computes.
    fn of(&mut self, body: &Body, op: &Op) -> Option<Number> {
        let expression = match *op {
            Op::Copy { src: Operand::Local(src), .. } => return self.of_local[src],
            Op::Binary { dst, op, a, b } => {
                Expression::Binary(op, body.locals[dst].ty, self.value(a)?, self.value(b)?)
            }
            Op::Convert { dst, op, src } => Expression::Convert(op, body.locals[dst].ty, self.value(src)?),
            Op::Index { base, index, scale, offset, .. } => {
                Expression::Index(self.value(base)?, self.value(index)?, scale, offset)
            }
            _ => return None,
        };
        if let Some(&number) = self.by_expression.get(&expression) {
            return Some(number);
        }
        let number = self.fresh();
        self.by_expression.insert(expression, number);
        Some(number)
    }

    /// The first local that has an operand's value here.
    fn named(&self, operand: Operand) -> Operand {
        let number = operand.as_local().and_then(|local| self.of_local[local]);
        let names = number.into_iter().flat_map(|number| &self.names[number as usize]);
        let name = names.copied().find(|&name| self.of_local[name] == number);
        name.map_or(operand, Operand::Local)
    }
}

/// Names of one value that are looked through.
const MOST_NAMES: usize = 8;
