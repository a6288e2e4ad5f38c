//! Single elements as reduction variables: `reduction(+ : y[i])`.
//!
//! Such a clause names the element of an object, or of what a pointer leads to, that its directive chooses.
//! Where the loop accesses this element by the same subscript, the element becomes a variable: its address is
//! computed in front of the loop, and clause and accesses name that. The object has no LOCAL then, however
//! large it is, and what the loop does with elements that are others for certain it does with the object. Any
//! other clause stays as it is.

use super::accumulate::Definitions;
use super::written::Written;
use crate::acc::{ReductionClause, ReductionPart};
use crate::analysis::loops::Nest;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, LoopData};
use crate::op::{Address, BinaryOp, ConvertOp, Inst, Op, Operand};
use crate::types::Type;
use crate::visit::{Part, PartMut};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;

/// How deep expressions are followed.
const MAX_DEPTH: u32 = 12;

/// An element that became a variable.
pub struct Element {
    /// Its address.
    pub address: Local,
    /// The clause as it was.
    pub clause: ReductionClause,
}

/// Makes variables of the elements that clauses of loops name. The variables in `kept` are left alone.
pub fn run(body: &mut Body, nest: &Nest, definitions: &Definitions, kept: &[Operand]) -> Vec<Element> {
    let mut found = Vec::new();
    for loop_ in body.loop_tree() {
        for index in 0..clauses(body, loop_).len() {
            let clause = clauses(body, loop_)[index].clone();
            let is_named = |outer: Loop| clauses(body, outer).iter().any(|other| other.var == clause.var);
            let around = body.loops_around(body.loops[loop_].parent).any(is_named);
            if around || kept.contains(&clause.var) || !is_single(&clause) {
                continue;
            }
            let scope = Scope::new(body, nest, definitions, loop_);
            if let Some(accesses) = scope.accesses(&clause) {
                let address = name(body, loop_, &clause, &accesses, &scope.loops);
                found.push(Element { address, clause });
            }
        }
    }
    found
}

fn clauses(body: &Body, loop_: Loop) -> &[ReductionClause] {
    body.loops[loop_].directive.as_ref().map_or(&[], |directive| &directive.reductions)
}

fn is_single(clause: &ReductionClause) -> bool {
    matches!(clause.parts[..], [ReductionPart { count: Some(Operand::Int(_, 1)), .. }])
}

/// Computes the address in front of the loop, and has accesses and clauses name it.
fn name(
    body: &mut Body,
    loop_: Loop,
    clause: &ReductionClause,
    accesses: &[(Block, usize)],
    loops: &[Loop],
) -> Local {
    let address = body.local(Type::Ptr, Some(clause.name.clone()));
    let index = clause.lower.unwrap_or(Operand::Int(Type::I64, 0));
    let base = clause.var;
    let op = Op::Index { dst: address, base, index, scale: 1, offset: clause.parts[0].offset, extent: None };
    let preheader = body.loops[loop_].preheader;
    body.blocks[preheader].insts.push(Inst { op, pos: clause.pos });
    for &(block, index) in accesses {
        if let Op::Load { addr, .. } | Op::Store { addr, .. } = &mut body.blocks[block].insts[index].op {
            *addr = Address::at(Operand::Local(address));
        }
    }
    for &inner in loops {
        let directive = body.loops[inner].directive.as_mut();
        for other in directive.into_iter().flat_map(|directive| &mut directive.reductions) {
            if other.var == clause.var {
                (other.var, other.pointee, other.lower) = (Operand::Local(address), true, None);
                other.parts.iter_mut().for_each(|part| (part.offset, part.count) = (0, None));
            }
        }
    }
    address
}

/// A loop, as its clauses see it.
struct Scope<'a> {
    body: &'a Body,
    definitions: &'a Definitions,
    blocks: Vec<Block>,
    /// The loop and those in it.
    loops: Vec<Loop>,
    assigned: EntitySet<Local>,
    written: Written,
}

/// Where an address leads.
struct Place {
    base: Operand,
    sum: Sum,
}

/// A constant, and values times constants.
#[derive(Default)]
struct Sum {
    constant: i64,
    terms: Vec<(Operand, i64)>,
}

impl<'a> Scope<'a> {
    fn new(body: &'a Body, nest: &Nest, definitions: &'a Definitions, loop_: Loop) -> Scope<'a> {
        let blocks = nest.blocks(loop_);
        Scope {
            body,
            definitions,
            loops: std::iter::once(loop_).chain(nest.inside(loop_)).collect(),
            assigned: body.assigned(blocks.iter().copied()),
            written: Written::new(body, &blocks),
            blocks,
        }
    }

    /// The loads and stores of a clause's element; none if there are none, or if the object is used
    /// otherwise than by loads and stores.
    fn accesses(&self, clause: &ReductionClause) -> Option<Vec<(Block, usize)>> {
        let element = self.element(clause)?;
        let in_clauses = self.loops.iter().flat_map(|&loop_| clauses(self.body, loop_));
        let mut others = in_clauses.filter(|other| other.var == clause.var);
        let same = |other: &ReductionClause| {
            let is_same = is_single(other)
                && other.pointee == clause.pointee
                && other.parts[0].ty == clause.parts[0].ty
                && other.op == clause.op;
            is_same && self.element(other).is_some_and(|other| self.same_place(&element, &other))
        };
        if !others.all(same) || self.is_otherwise_named(clause.var) {
            return None;
        }
        let mut derived = FxHashSet::default();
        let mut found = Vec::new();
        for &block in &self.blocks {
            for (index, inst) in self.body.blocks[block].insts.iter().enumerate() {
                if let Op::Index { dst, base, .. } | Op::Copy { dst, src: base } = inst.op
                    && self.leads_to(base, clause, &derived)
                {
                    self.definitions.only(self.body, dst)?;
                    derived.insert(dst);
                    continue;
                }
                let (addr, ty, volatile, src) = match inst.op {
                    Op::Load { dst, addr, access } => (addr, self.body.locals[dst].ty, access.volatile, None),
                    Op::Store { ty, addr, src, access } => (addr, ty, access.volatile, Some(src)),
                    ref other => {
                        let mut plain = true;
                        other.operands(|operand| plain &= !self.leads_to(operand, clause, &derived));
                        plain.then_some(())?;
                        continue;
                    }
                };
                if src.is_some_and(|src| self.leads_to(src, clause, &derived)) {
                    return None;
                }
                if !self.leads_to(addr.base, clause, &derived) {
                    continue;
                }
                let place = self.place(addr)?;
                if self.same_place(&element, &place) {
                    (ty == clause.parts[0].ty.ty && !volatile).then_some(())?;
                    found.push((block, index));
                    continue;
                }
                // Behind a pointer, what is read by another subscript is nowhere but in the object.
                let is_other = clause.pointee && src.is_none()
                    || self.are_apart(&element, &place, clause.parts[0].ty.ty);
                is_other.then_some(())?;
            }
            let mut plain = true;
            let term = &self.body.blocks[block].term;
            term.operands(|operand| plain &= !self.leads_to(operand, clause, &derived));
            plain.then_some(())?;
        }
        (!found.is_empty()).then_some(found)
    }

    /// Whether something else than `reduction` of a loop in the scope names a variable.
    fn is_otherwise_named(&self, var: Operand) -> bool {
        self.loops.iter().any(|&loop_| {
            let mut mentions = 0;
            self.body.loops[loop_].parts(|part| match part {
                Part::Value(operand) | Part::Variable(operand) => mentions += usize::from(*operand == var),
                Part::Address(address) => mentions += usize::from(address.base == var),
                Part::Def(_)
                | Part::NamedLocal(_)
                | Part::Func(_)
                | Part::Sig(_)
                | Part::Agg(_)
                | Part::Block(_)
                | Part::Loop(_)
                | Part::Construct(_)
                | Part::Red(_)
                | Part::Pos(_) => {}
            });
            let own = clauses(self.body, loop_).iter().filter(|clause| clause.var == var).count();
            mentions != own
        })
    }

    fn leads_to(&self, operand: Operand, clause: &ReductionClause, derived: &FxHashSet<Local>) -> bool {
        let is_derived = operand.as_local().is_some_and(|local| derived.contains(&local));
        operand == clause.var || is_derived
    }

    fn element(&self, clause: &ReductionClause) -> Option<Place> {
        // Each access through a pointer in memory loads it.
        if clause.pointee && clause.var.as_local().is_none() {
            return None;
        }
        let mut place = self.place(Address { base: clause.var, offset: clause.parts[0].offset })?;
        if let Some(lower) = clause.lower {
            place.sum.add(1, self.sum(lower, MAX_DEPTH)?)?;
        }
        Some(place)
    }

    fn place(&self, addr: Address) -> Option<Place> {
        let mut place = Place { base: addr.base, sum: Sum { constant: addr.offset, terms: Vec::new() } };
        for _ in 0..MAX_DEPTH {
            let Operand::Local(local) = place.base else { break };
            match self.definitions.only(self.body, local).map(|inst| &inst.op) {
                Some(&Op::Copy { src, .. }) => place.base = src,
                Some(&Op::Index { base, index, scale, offset, .. }) => {
                    place.base = base;
                    place.sum.constant = place.sum.constant.checked_add(offset)?;
                    place.sum.add(scale, self.sum(index, MAX_DEPTH)?)?;
                }
                _ => break,
            }
        }
        Some(place)
    }

    /// A signed value, taken apart. Subscripts whose sums wrap around are none of an object's.
    fn sum(&self, value: Operand, depth: u32) -> Option<Sum> {
        let whole = || Some(Sum { constant: 0, terms: vec![(value, 1)] });
        let local = match value {
            Operand::Int(_, constant) => return Some(Sum { constant, terms: Vec::new() }),
            Operand::Local(local) => local,
            _ => return whole(),
        };
        let Some(inst) = self.definitions.only(self.body, local).filter(|_| depth > 0) else {
            return whole();
        };
        let binary = |a, b, factor| {
            let mut sum = self.sum(a, depth - 1)?;
            sum.add(factor, self.sum(b, depth - 1)?)?;
            Some(sum)
        };
        match inst.op {
            Op::Copy { src, .. } | Op::Convert { op: ConvertOp::SExt, src, .. } => self.sum(src, depth - 1),
            Op::Binary { op: BinaryOp::Add, a, b, .. } => binary(a, b, 1),
            Op::Binary { op: BinaryOp::Sub, a, b, .. } => binary(a, b, -1),
            Op::Binary { op: BinaryOp::Mul, a: Operand::Int(_, factor), b: other, .. }
            | Op::Binary { op: BinaryOp::Mul, a: other, b: Operand::Int(_, factor), .. } => {
                let mut sum = Sum::default();
                sum.add(factor, self.sum(other, depth - 1)?)?;
                Some(sum)
            }
            // Lowering divides bytes by the size of an element.
            Op::Binary { op: BinaryOp::SDiv, a, b: Operand::Int(_, by), .. } if by > 0 => {
                self.sum(a, depth - 1)?.divided(by).or_else(whole)
            }
            _ => whole(),
        }
    }

    fn same_place(&self, a: &Place, b: &Place) -> bool {
        let same = a.base == b.base && a.sum.constant == b.sum.constant;
        same && self.difference(a, b).iter().all(|&(_, factor)| factor == 0)
    }

    /// Whether two places are at least a number of a type apart: by counters that are never below where they
    /// begin.
    fn are_apart(&self, a: &Place, b: &Place, ty: Type) -> bool {
        let mut total = a.sum.constant.checked_sub(b.sum.constant);
        let mut factors = Vec::new();
        for (value, factor) in self.difference(a, b).into_iter().filter(|&(_, factor)| factor != 0) {
            factors.push(factor);
            let least = self.least(value).filter(|&least| least >= 0);
            total = least.and_then(|least| total?.checked_add(factor.checked_mul(least)?));
        }
        a.base == b.base
            && total.is_some_and(|total| {
                let away = |&factor: &i64| factor.signum() == total.signum();
                total.unsigned_abs() >= u64::from(ty.bytes()) && factors.iter().all(away)
            })
    }

    /// The least value of a counter that goes up, in each loop that it counts.
    fn least(&self, value: Operand) -> Option<i64> {
        let Operand::Local(local) = value else { return None };
        let loops = self.body.loops.values();
        let counts = |data: &&LoopData| data.induction.as_ref().is_some_and(|counted| counted.iv == local);
        let mut counted: Vec<&LoopData> = loops.filter(counts).collect();
        counted.retain(|data| data.induction.as_ref().is_some_and(|it| it.step.as_int() > Some(0)));
        let mut least = None;
        for &block in &self.body.order {
            for inst in self.body.blocks[block].insts.iter().filter(|inst| inst.op.dst() == Some(local)) {
                match inst.op {
                    Op::Copy { src: Operand::Int(_, first), .. } => {
                        least = Some(least.map_or(first, |least: i64| least.min(first)));
                    }
                    _ if counted.iter().any(|data| data.latch == block) => {}
                    _ => return None,
                }
            }
        }
        least
    }

    /// What one place is above another, without the constants.
    fn difference(&self, a: &Place, b: &Place) -> Vec<(Operand, i64)> {
        let mut difference: Vec<(Operand, i64)> = Vec::new();
        let theirs = b.sum.terms.iter().map(|&(value, factor)| (value, factor.wrapping_neg()));
        for (value, factor) in a.sum.terms.iter().copied().chain(theirs) {
            match difference.iter_mut().find(|(other, _)| self.same_value(value, *other, MAX_DEPTH)) {
                Some((_, sum)) => *sum = sum.wrapping_add(factor),
                None => difference.push((value, factor)),
            }
        }
        difference
    }

    /// Whether two values are the same wherever in the scope they are computed.
    fn same_value(&self, a: Operand, b: Operand, depth: u32) -> bool {
        let (Operand::Local(left), Operand::Local(right)) = (a, b) else { return a == b };
        if left == right && !self.assigned.contains(left) {
            return true;
        }
        let [Some(first), Some(second)] = [left, right].map(|local| self.definitions.only(self.body, local))
        else {
            return false;
        };
        if depth == 0 || self.body.locals[left].ty != self.body.locals[right].ty {
            return false;
        }
        let steady = match first.op {
            Op::Load { addr, access, .. } => !access.volatile && self.written.leaves(addr.base),
            ref op => op.effects().pure,
        };
        steady && self.same_operation(&first.op, &second.op, depth)
    }

    fn same_operation(&self, a: &Op, b: &Op, depth: u32) -> bool {
        // Equal but for the operands, and these the same one by one.
        let zero = Operand::Int(Type::I64, 0);
        let mut operands = [Vec::new(), Vec::new()];
        let [first, second] = [(a, 0), (b, 1)].map(|(op, side)| {
            let mut op = op.clone();
            op.map_operands(|operand| {
                operands[side].push(operand);
                zero
            });
            op.parts_mut(|part| {
                if let PartMut::Def(local) = part {
                    *local = Local::from_u32(0);
                }
            });
            op
        });
        let [ours, theirs] = operands;
        first == second
            && ours.len() == theirs.len()
            && ours.into_iter().zip(theirs).all(|(a, b)| self.same_value(a, b, depth - 1))
    }
}

impl Sum {
    fn add(&mut self, factor: i64, other: Sum) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (value, by) in other.terms {
            self.terms.push((value, by.checked_mul(factor)?));
        }
        Some(())
    }

    /// The sum over a number, if that divides all of it.
    fn divided(mut self, by: i64) -> Option<Sum> {
        let divides = |value: i64| value % by == 0;
        (divides(self.constant) && self.terms.iter().all(|&(_, factor)| divides(factor))).then_some(())?;
        self.constant /= by;
        self.terms.iter_mut().for_each(|(_, factor)| *factor /= by);
        Some(self)
    }
}
