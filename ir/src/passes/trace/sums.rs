//! Statements that accumulate onto an object or a local: `a[i] += e`, `s = max(s, e)`. A loop that carries
//! nothing else has a reduction.

use crate::acc::ReductionOp;
use crate::analysis::accumulation::{library_operator, operator, takes_either};
use crate::entities::{Block, Local};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Address, Callee, Op, Operand};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Operations that are followed from a value back to the object, and within an address.
const MOST_STEPS: u32 = 12;

/// Where an operation stands.
type Place = (Block, usize);

/// Operations that read or write what a statement accumulates onto.
pub struct Sums {
    at: FxHashMap<Place, ReductionOp>,
}

impl Sums {
    /// Those of a body.
    pub fn of(module: &Module, body: &Body) -> Sums {
        let finder = Finder::new(module, body);
        let mut at = FxHashMap::default();
        for &block in &body.order {
            for (n, inst) in body.blocks[block].insts.iter().enumerate() {
                let found = match inst.op {
                    Op::Store { addr, src, .. } => finder.accumulates(src, Onto::Memory(addr)),
                    Op::Copy { dst, src } => finder.accumulates(src, Onto::Local(dst)),
                    ref op => op.dst().and_then(|dst| finder.operation((block, n), Onto::Local(dst))),
                };
                if let Some((read, operator)) = found {
                    at.insert(read, operator);
                    at.insert((block, n), operator);
                }
            }
        }
        Sums { at }
    }

    /// The operator by which a statement accumulates onto what an operation reads or writes.
    pub fn at(&self, block: Block, n: usize) -> Option<ReductionOp> {
        self.at.get(&(block, n)).copied()
    }
}

/// What a statement accumulates onto.
#[derive(Clone, Copy)]
enum Onto {
    Memory(Address),
    Local(Local),
}

struct Finder<'a> {
    module: &'a Module,
    body: &'a Body,
    /// The only operation that writes a local.
    definitions: SecondaryMap<Local, Option<Place>>,
}

impl<'a> Finder<'a> {
    fn new(module: &'a Module, body: &'a Body) -> Finder<'a> {
        let mut writes: SecondaryMap<Local, u32> = SecondaryMap::new();
        let mut definitions = SecondaryMap::new();
        body.params.iter().for_each(|&local| writes[local] += 1);
        for &block in &body.order {
            for (n, inst) in body.blocks[block].insts.iter().enumerate() {
                inst.op.defs(|local| {
                    writes[local] += 1;
                    definitions[local] = (writes[local] == 1).then_some((block, n));
                });
            }
        }
        Finder { module, body, definitions }
    }

    fn op(&self, (block, n): Place) -> &'a Op {
        &self.body.blocks[block].insts[n].op
    }

    /// Where a value is read that another accumulates onto, and by which operator.
    fn accumulates(&self, value: Operand, onto: Onto) -> Option<(Place, ReductionOp)> {
        self.operation(self.definitions[value.as_local()?]?, onto)
    }

    fn operation(&self, place: Place, onto: Onto) -> Option<(Place, ReductionOp)> {
        let (operator, _) = self.operands(place)?;
        Some((self.find(place, operator, onto, MOST_STEPS)?, operator))
    }

    /// The operator of an operation, and the operands onto which it accumulates.
    fn operands(&self, place: Place) -> Option<(ReductionOp, Vec<Operand>)> {
        match *self.op(place) {
            Op::Binary { op, a, b, .. } => {
                Some((operator(op)?, if takes_either(op) { vec![a, b] } else { vec![a] }))
            }
            Op::Call { callee: Callee::Direct(func), ref args, .. } => {
                Some((library_operator(&self.module.functions[func].name)?, args.clone()))
            }
            _ => None,
        }
    }

    /// Where the object is read, along operations by one operator.
    fn find(&self, place: Place, wanted: ReductionOp, onto: Onto, steps: u32) -> Option<Place> {
        let (operator, operands) = self.operands(place).filter(|_| steps > 0)?;
        operands.into_iter().filter(|_| operator == wanted).find_map(|operand| {
            let local = operand.as_local()?;
            if matches!(onto, Onto::Local(object) if object == local) {
                return Some(place);
            }
            let source = self.definitions[local]?;
            match (self.op(source), onto) {
                (Op::Load { addr, .. }, Onto::Memory(object)) if self.same(*addr, object) => Some(source),
                (Op::Copy { src, .. }, Onto::Local(object)) if *src == Operand::Local(object) => Some(source),
                _ => self.find(source, wanted, onto, steps - 1),
            }
        })
    }

    fn same(&self, a: Address, b: Address) -> bool {
        a.offset == b.offset && self.equal(a.base, b.base, MOST_STEPS)
    }

    /// Whether two operands are computed alike. Of variables in memory the same value is assumed.
    fn equal(&self, a: Operand, b: Operand, steps: u32) -> bool {
        if a == b {
            return true;
        }
        let definition = |operand: Operand| Some(self.op(self.definitions[operand.as_local()?]?));
        let (Some(a), Some(b)) = (definition(a), definition(b)) else { return false };
        let equal = |a: &Operand, b: &Operand| steps > 0 && self.equal(*a, *b, steps - 1);
        match (a, b) {
            (
                Op::Index { base, index, scale, offset, .. },
                Op::Index { base: base_b, index: index_b, scale: scale_b, offset: offset_b, .. },
            ) => (scale, offset) == (scale_b, offset_b) && equal(base, base_b) && equal(index, index_b),
            (Op::Copy { src, .. }, Op::Copy { src: src_b, .. }) => equal(src, src_b),
            (Op::Convert { op, src, .. }, Op::Convert { op: op_b, src: src_b, .. }) => {
                op == op_b && equal(src, src_b)
            }
            (Op::Binary { op, a, b, .. }, Op::Binary { op: op_b, a: a_b, b: b_b, .. }) => {
                op == op_b && equal(a, a_b) && equal(b, b_b)
            }
            (Op::Load { addr, .. }, Op::Load { addr: addr_b, .. }) => {
                addr.offset == addr_b.offset && equal(&addr.base, &addr_b.base)
            }
            _ => false,
        }
    }
}
