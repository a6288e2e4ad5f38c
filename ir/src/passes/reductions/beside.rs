//! Accesses beside the section that a clause names: in `reduction(+ : t[0:4])`, `t[i]` is the element of the
//! program where `i` is not below 4.
//!
//! LOCAL stands for the whole object, or has as much in front of it as the section of a pointer, so that
//! subscripts stay what they are. Where the place is a constant, the access keeps its object or gets LOCAL;
//! where a subscript is computed, the iteration chooses; where an address is computed in several steps, it is
//! looked at when it is used. Addresses that leave the loop, or that lead to this variable or another one,
//! lead to LOCAL: they find there what was beside the section of an object when the loop began.

use super::scope::Scope;
use crate::acc::{ReductionClause, ReductionPart};
use crate::builder::Cursor;
use crate::entities::{Block, Local};
use crate::function::Body;
use crate::op::{Address, CmpOp, ConvertOp, Inst, Op, Operand};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// Instructions of a scope that may be about what is beside a section: block and number.
pub struct Beside {
    /// Accesses of elements that are not reduced.
    outside: Vec<(Block, usize)>,
    /// Accesses, and addresses of elements, of which that is seen at run time only, in the order of the code.
    open: Vec<(Block, usize, Open)>,
    /// Nothing reads LOCAL beside the section.
    is_complete: bool,
}

/// How an iteration finds out whether a place is in the section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// By the subscript.
    Subscript,
    /// By the address, which was computed before.
    Address,
}

impl Beside {
    /// Of a clause whose variable is an object of so many bytes.
    pub fn of(body: &Body, scope: &Scope, clause: &ReductionClause, size: u64) -> Beside {
        let is_whole = |part: &ReductionPart| part.offset == 0 && part.bytes() == Some(size);
        if clause.lower.is_none() && clause.parts.iter().any(is_whole) {
            return Beside { outside: Vec::new(), open: Vec::new(), is_complete: true };
        }
        Beside::find(body, scope, clause, &Derived::of(body, scope, clause.var, false))
    }

    /// Of a clause for what a pointer leads to. Nothing is known about a pointer that the scope changes.
    pub fn behind(body: &Body, scope: &Scope, clause: &ReductionClause) -> Beside {
        let is_in_memory = clause.var.as_local().is_none();
        let changes = |op: &Op| match op {
            Op::Store { addr, .. } => is_in_memory && addr.base == clause.var,
            op => op.dst().is_some_and(|dst| clause.var == Operand::Local(dst)),
        };
        if insts(body, scope).any(|(_, _, inst)| changes(&inst.op)) {
            return Beside { outside: Vec::new(), open: Vec::new(), is_complete: false };
        }
        Beside::find(body, scope, clause, &Derived::of(body, scope, clause.var, is_in_memory))
    }

    fn find(body: &Body, scope: &Scope, clause: &ReductionClause, derived: &Derived) -> Beside {
        let mut beside = Beside { outside: Vec::new(), open: Vec::new(), is_complete: true };
        let uses = uses(body, scope);
        for (block, at, inst) in insts(body, scope) {
            if let Some((Address { base: Operand::Local(local), .. }, _)) = access(body, &inst.op)
                && derived.has(local)
                && clause.parts.len() == 1
                && !beside.is_chosen(body, local)
            {
                beside.open.push((block, at, Open::Address));
            }
            let mut mentions = 0;
            inst.op.operands(|operand| mentions += usize::from(operand == clause.var));
            let known = match inst.op {
                // Of several parts, members of structs, none has a subscript.
                Op::Index { dst, base, .. }
                    if base == clause.var
                        && clause.parts.len() == 1
                        && uses.get(&dst).is_none_or(|&how| how == Use::Accesses) =>
                {
                    beside.open.push((block, at, Open::Subscript));
                    1
                }
                // Its accesses are looked at.
                Op::Copy { dst, .. } | Op::Index { dst, .. }
                    if clause.parts.len() == 1 && derived.stays(body, scope, dst) =>
                {
                    mentions
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
                            beside.open.push((block, at, Open::Subscript));
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
        let size = i64::from(ty.ty.bytes());
        for (block, at, how) in self.open.into_iter().rev() {
            let op = &body.blocks[block].insts[at].op;
            let (base, index, scale, offset) = match (op, access(body, op)) {
                (&Op::Index { base, index, scale, offset, .. }, _) => (base, index, scale, offset),
                (_, Some((addr, _))) => (addr.base, Operand::Int(Type::I64, 0), 1, addr.offset),
                _ => continue,
            };
            let before = body.blocks[block].insts.len();
            let mut cursor = Cursor::before(body, block, at);
            let start = Operand::Int(Type::I64, offset.wrapping_sub(first));
            // How far the base is from that of LOCAL, and what stands for it in the program.
            let (distance, other) = match how {
                Open::Subscript => (cursor.mul(index, Operand::Int(Type::I64, scale)), object),
                Open::Address => {
                    let local = if clause.pointee && local.as_local().is_none() {
                        cursor.load(Type::Ptr, Address::at(local))
                    } else {
                        local
                    };
                    let [at, start] = [base, local].map(|it| cursor.convert(ConvertOp::Bits, Type::I64, it));
                    let distance = cursor.sub(at, start);
                    (distance, cursor.index(object, distance, 1, 0))
                }
            };
            let mut place = cursor.add(distance, start);
            if let Some(lower) = clause.lower {
                place = cursor.sub(place, lower);
            }
            let bytes =
                cursor.mul(count.unwrap_or(Operand::Int(Type::I64, 1)), Operand::Int(Type::I64, size));
            let is_inside = cursor.compare(CmpOp::ULt, place, bytes);
            let chosen = cursor.select(is_inside, base, other);
            let insts = &mut body.blocks[block].insts;
            let moved = at + insts.len() - before;
            match &mut insts[moved].op {
                Op::Index { base, .. } => *base = chosen,
                op => address(op).into_iter().for_each(|addr| addr.base = chosen),
            }
        }
    }

    /// Whether a local is the address of an element whose subscript is looked at.
    fn is_chosen(&self, body: &Body, local: Local) -> bool {
        self.open.iter().any(|&(block, at, how)| {
            how == Open::Subscript && body.blocks[block].insts[at].op.dst() == Some(local)
        })
    }
}

/// Locals that for certain lead to where a variable does: whatever assigns them computes them from it.
struct Derived {
    locals: FxHashSet<Local>,
}

impl Derived {
    /// Of a variable, which may be memory that holds a pointer.
    fn of(body: &Body, scope: &Scope, var: Operand, is_in_memory: bool) -> Derived {
        let mut assigned: FxHashMap<Local, usize> = FxHashMap::default();
        body.params.iter().for_each(|&local| *assigned.entry(local).or_default() += 1);
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            inst.op.defs(|local| *assigned.entry(local).or_default() += 1);
        }
        let mut derived = Derived { locals: FxHashSet::default() };
        // All of the scope that compute addresses, without those that something else assigns, too.
        derived.locals = insts(body, scope).filter_map(|(_, _, inst)| inst.op.dst()).collect();
        loop {
            let mut leads: FxHashMap<Local, usize> = FxHashMap::default();
            for (_, _, inst) in insts(body, scope) {
                let is_it = |operand: Operand| {
                    operand == var && !is_in_memory || operand.as_local().is_some_and(|it| derived.has(it))
                };
                let is_so = match inst.op {
                    Op::Copy { src, .. } => is_it(src),
                    Op::Index { base, .. } => is_it(base),
                    Op::Select { a, b, .. } => is_it(a) && is_it(b),
                    Op::Load { addr, .. } => is_in_memory && addr == Address::at(var),
                    _ => false,
                };
                if let Some(dst) = inst.op.dst().filter(|_| is_so) {
                    *leads.entry(dst).or_default() += 1;
                }
            }
            let before = derived.locals.len();
            derived.locals.retain(|local| leads.get(local) == assigned.get(local));
            if derived.locals.len() == before {
                return derived;
            }
        }
    }

    fn has(&self, local: Local) -> bool {
        self.locals.contains(&local)
    }

    /// Whether all that a local is used for are accesses, and further addresses of which that holds.
    fn stays(&self, body: &Body, scope: &Scope, local: Local) -> bool {
        let uses_of = |local: Local| {
            let mut next = Vec::new();
            let mut is_known = self.has(local);
            for (_, _, inst) in insts(body, scope) {
                let mut mentions = 0;
                inst.op.uses(|used| mentions += usize::from(used == local));
                let known = match (&inst.op, access(body, &inst.op)) {
                    (_, Some((addr, _))) => usize::from(addr.base == Operand::Local(local)),
                    (Op::Copy { dst, .. } | Op::Index { dst, .. } | Op::Select { dst, .. }, _) => {
                        if mentions > 0 {
                            next.push(*dst);
                        }
                        mentions
                    }
                    _ => 0,
                };
                is_known &= mentions == known;
            }
            is_known.then_some(next)
        };
        let mut seen = FxHashSet::default();
        let mut work = vec![local];
        while let Some(local) = work.pop() {
            if seen.insert(local) {
                let Some(next) = uses_of(local) else { return false };
                work.extend(next);
            }
        }
        true
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
