//! Accesses beside the section that a clause names: in `reduction(+ : t[0:4])`, `t[i]` is the element of the
//! program where `i` is not below 4.
//!
//! LOCAL stands for the whole object, so that subscripts stay what they are. Where the place is a constant,
//! the access keeps its object or gets LOCAL; where a subscript is computed, the iteration chooses. Addresses
//! that are computed in several steps, or that leave the loop, lead to LOCAL: they find there what was beside
//! the section when the loop began.

use super::scope::Scope;
use crate::acc::{ReductionClause, ReductionPart};
use crate::builder::Cursor;
use crate::entities::{Block, Local};
use crate::function::Body;
use crate::op::{Address, CmpOp, Inst, Op, Operand};
use crate::types::Type;
use rustc_hash::FxHashMap;

/// Instructions of a scope that may be about what is beside a section: block and number.
pub struct Beside {
    /// Accesses of elements that are not reduced.
    outside: Vec<(Block, usize)>,
    /// Accesses, and addresses of elements, of which that is seen at run time only.
    open: Vec<(Block, usize)>,
    /// Nothing reads LOCAL beside the section.
    is_complete: bool,
}

impl Beside {
    /// Of a clause whose variable is an object of so many bytes.
    pub fn of(body: &Body, scope: &Scope, clause: &ReductionClause, size: u64) -> Beside {
        let mut beside = Beside { outside: Vec::new(), open: Vec::new(), is_complete: true };
        let is_whole = |part: &ReductionPart| part.offset == 0 && part.bytes() == Some(size);
        if clause.lower.is_none() && clause.parts.iter().any(is_whole) {
            return beside;
        }
        let uses = uses(body, scope);
        for (block, at, inst) in insts(body, scope) {
            let mut mentions = 0;
            inst.op.operands(|operand| mentions += usize::from(operand == clause.var));
            let known = match inst.op {
                // Of several parts, members of structs, none has a subscript.
                Op::Index { dst, base, .. }
                    if base == clause.var
                        && clause.parts.len() == 1
                        && uses.get(&dst).is_none_or(|&how| how == Use::Accesses) =>
                {
                    beside.open.push((block, at));
                    1
                }
                // A reduction around this one has chosen already.
                Op::Select { a, .. } if a == clause.var => 1,
                ref op => match access(body, op) {
                    Some((addr, ty)) if addr.base == clause.var => match is_inside(clause, addr.offset, ty) {
                        Some(true) => 1,
                        Some(false) => {
                            beside.outside.push((block, at));
                            1
                        }
                        None if clause.parts.len() == 1 => {
                            beside.open.push((block, at));
                            1
                        }
                        None => 0,
                    },
                    _ => 0,
                },
            };
            beside.is_complete &= mentions == known;
        }
        for &block in &scope.blocks {
            body.blocks[block].term.operands(|operand| beside.is_complete &= operand != clause.var);
        }
        beside
    }

    /// Whether LOCAL need not have what is beside the section.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Gives the accesses, which lead to LOCAL, the object where it is meant.
    pub fn apply(self, body: &mut Body, clause: &ReductionClause, object: Operand, local: Operand) {
        for (block, at) in self.outside {
            if let Some(addr) = address(&mut body.blocks[block].insts[at].op) {
                addr.base = object;
            }
        }
        let [ReductionPart { offset: first, ty, count }] = clause.parts[..] else { return };
        for (block, at) in self.open.into_iter().rev() {
            let op = &body.blocks[block].insts[at].op;
            let (index, scale, offset) = match (op, access(body, op)) {
                (&Op::Index { index, scale, offset, .. }, _) => (index, scale, offset),
                (_, Some((addr, _))) => (Operand::Int(Type::I64, 0), 1, addr.offset),
                _ => continue,
            };
            let before = body.blocks[block].insts.len();
            let mut cursor = Cursor::before(body, block, at);
            let size = i64::from(ty.ty.bytes());
            let bytes =
                cursor.mul(count.unwrap_or(Operand::Int(Type::I64, 1)), Operand::Int(Type::I64, size));
            let scaled = cursor.mul(index, Operand::Int(Type::I64, scale));
            let start = Operand::Int(Type::I64, offset.wrapping_sub(first));
            let mut place = cursor.add(scaled, start);
            if let Some(lower) = clause.lower {
                place = cursor.sub(place, lower);
            }
            let is_inside = cursor.compare(CmpOp::ULt, place, bytes);
            let chosen = cursor.select(is_inside, local, object);
            let insts = &mut body.blocks[block].insts;
            let moved = at + insts.len() - before;
            match &mut insts[moved].op {
                Op::Index { base, .. } => *base = chosen,
                op => address(op).into_iter().for_each(|addr| addr.base = chosen),
            }
        }
    }
}

/// How a local is used in a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Accesses,
    Otherwise,
}

/// What accesses alone have as their address.
fn uses(body: &Body, scope: &Scope) -> FxHashMap<Local, Use> {
    let mut found = FxHashMap::default();
    let mut note = |operand: Operand, how: Use| {
        if let Operand::Local(local) = operand {
            let known = found.entry(local).or_insert(how);
            if how == Use::Otherwise {
                *known = how;
            }
        }
    };
    for (_, _, inst) in insts(body, scope) {
        let addr = access(body, &inst.op).map(|(addr, _)| addr.base);
        let mut is_address = addr.is_some();
        inst.op.uses(|used| {
            let how = if is_address && Some(used) == addr.and_then(Operand::as_local) {
                is_address = false;
                Use::Accesses
            } else {
                Use::Otherwise
            };
            note(Operand::Local(used), how);
        });
    }
    for &block in &scope.blocks {
        body.blocks[block].term.operands(|operand| note(operand, Use::Otherwise));
    }
    found
}

fn insts<'a>(body: &'a Body, scope: &'a Scope) -> impl Iterator<Item = (Block, usize, &'a Inst)> {
    scope.blocks.iter().flat_map(|&block| {
        let insts = body.blocks[block].insts.iter().enumerate();
        insts.map(move |(at, inst)| (block, at, inst))
    })
}

/// The address of an access of one number, and what type it has.
fn access(body: &Body, op: &Op) -> Option<(Address, Type)> {
    match *op {
        Op::Load { dst, addr, .. } | Op::AtomicLoad { dst, addr } => Some((addr, body.locals[dst].ty)),
        Op::Store { ty, addr, .. }
        | Op::AtomicStore { ty, addr, .. }
        | Op::AtomicRmw { ty, addr, .. }
        | Op::AtomicSwap { ty, addr, .. }
        | Op::AtomicCas { ty, addr, .. } => Some((addr, ty)),
        _ => None,
    }
}

fn address(op: &mut Op) -> Option<&mut Address> {
    match op {
        Op::Load { addr, .. }
        | Op::Store { addr, .. }
        | Op::AtomicLoad { addr, .. }
        | Op::AtomicStore { addr, .. }
        | Op::AtomicRmw { addr, .. }
        | Op::AtomicSwap { addr, .. }
        | Op::AtomicCas { addr, .. } => Some(addr),
        _ => None,
    }
}

/// Whether a number at an offset is one of those that are reduced, if where these are is constant.
fn is_inside(clause: &ReductionClause, offset: i64, ty: Type) -> Option<bool> {
    let end = offset.saturating_add(i64::from(ty.bytes()));
    let parts = clause.parts.iter().filter(|_| clause.lower.is_none());
    let ends = parts.map(|part| Some((part.offset, part.offset.saturating_add_unsigned(part.bytes()?))));
    let ends: Vec<(i64, i64)> = ends.collect::<Option<_>>().filter(|ends: &Vec<_>| !ends.is_empty())?;
    Some(ends.into_iter().any(|(first, behind)| offset >= first && end <= behind))
}
