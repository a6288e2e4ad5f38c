//! The calls that tell of accesses.

use super::calls::{Calls, bytes};
use super::names::Names;
use super::scalars::StandIns;
use super::sums::Sums;
use super::table::{Kind, Table};
use crate::acc::ReductionOp;
use crate::analysis::library::{self, Count, LibraryAccess};
use crate::analysis::liveness::reads;
use crate::builder::Cursor;
use crate::entities::{Block, Local};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Address, Callee, Inst, Op, Operand, Pos};
use crate::types::{PassBy, Type};
use std::sync::Arc;

/// Writes the calls into a body.
pub fn tell(module: &Module, body: &mut Body, calls: &Calls, table: &mut Table, stand_ins: &StandIns) {
    let (names, sums) = (Names::new(body), Sums::of(module, body));
    let teller = Teller { module, calls, stand_ins, names, sums, of_tasks: calls.are_of_tasks() };
    for block in body.order.clone() {
        teller.block(body, table, block);
    }
}

struct Teller<'a> {
    module: &'a Module,
    calls: &'a Calls,
    stand_ins: &'a StandIns,
    names: Names,
    sums: Sums,
    /// Tasks are judged.
    of_tasks: bool,
}

/// An access before it is told of.
struct Told {
    address: Address,
    bytes: Operand,
    kind: Kind,
}

impl Teller<'_> {
    fn block(&self, body: &mut Body, table: &mut Table, block: Block) {
        // The header of a counted loop tests its counter, and nothing else may stand there.
        let is_test = body.loops.values().any(|data| data.header == block && data.induction.is_some());
        if is_test {
            return;
        }
        let insts = std::mem::take(&mut body.blocks[block].insts);
        for (n, inst) in insts.into_iter().enumerate() {
            let Inst { op, pos } = inst;
            let sum = self.sums.at(block, n);
            let mut cursor = Cursor::with_pos(body, block, pos);
            for told in self.accesses(cursor.body, &op) {
                if self.of_tasks && self.names.is_of_thread(&self.module.globals, told.address.base) {
                    continue;
                }
                let name = self.names.of(cursor.body, &self.module.globals, told.address.base);
                let site = table.site(pos, told.kind, sum, name.as_deref().unwrap_or_default());
                let address = place(&mut cursor, told.address);
                self.calls.access(&mut cursor, (address, told.bytes), site);
            }
            let (used, set) = locals(cursor.body, &op);
            for (locals, kind) in [(used, Kind::Use), (set, Kind::Set)] {
                locals.into_iter().for_each(|local| self.local(&mut cursor, table, local, kind, (pos, sum)));
            }
            let freed = self.freed(&op);
            freed.into_iter().for_each(|block| self.calls.call(&mut cursor, self.calls.freed, vec![block]));
            let begins = match op {
                Op::StackAlloc { dst, bytes, .. } => Some((Operand::Local(dst), bytes)),
                _ => None,
            };
            cursor.op(op);
            begins.into_iter().for_each(|object| self.calls.fresh(&mut cursor, object));
        }
        let mut used = Vec::new();
        let data = &body.blocks[block];
        data.term.operands(|operand| used.extend(operand.as_local()));
        let pos = data.term_pos;
        let mut cursor = Cursor::with_pos(body, block, pos);
        used.into_iter().for_each(|local| self.local(&mut cursor, table, local, Kind::Use, (pos, None)));
    }

    /// Tells of a local, if a slot stands in for it.
    fn local(
        &self,
        cursor: &mut Cursor<'_>,
        table: &mut Table,
        local: Local,
        kind: Kind,
        (pos, sum): (Pos, Option<ReductionOp>),
    ) {
        let Some(slot) = self.stand_ins.of(local) else { return };
        let data = &cursor.body.slots[slot];
        let (name, size): (Option<Arc<str>>, u64) = (data.name.clone(), data.size);
        let site = table.site(pos, kind, sum, name.as_deref().unwrap_or_default());
        self.calls.access(cursor, (Operand::Slot(slot), bytes(size)), site);
    }

    /// What an operation does to memory.
    fn accesses(&self, body: &Body, op: &Op) -> Vec<Told> {
        let of = |address: Address, bytes: Operand, kind: Kind| Told { address, bytes, kind };
        let scalar = |address, ty: Type, kind| of(address, bytes(u64::from(ty.bytes())), kind);
        match *op {
            Op::Load { dst, addr, .. } => vec![scalar(addr, body.locals[dst].ty, Kind::Read)],
            Op::Store { ty, addr, .. } => vec![scalar(addr, ty, Kind::Write)],
            Op::MemCopy { dst, src, bytes, .. } => {
                vec![of(src, bytes, Kind::Read), of(dst, bytes, Kind::Write)]
            }
            Op::MemSet { dst, bytes, .. } => vec![of(dst, bytes, Kind::Write)],
            Op::AtomicRmw { ty, addr, .. }
            | Op::AtomicSwap { ty, addr, .. }
            | Op::AtomicCas { ty, addr, .. }
            | Op::AtomicStore { ty, addr, .. } => vec![scalar(addr, ty, Kind::AtomicWrite)],
            Op::AtomicLoad { dst, addr } => vec![scalar(addr, body.locals[dst].ty, Kind::AtomicRead)],
            Op::Call { callee, sig, ref args, dest, .. } => {
                let signature = &self.module.signatures[sig];
                let size = |by: &PassBy| match by {
                    PassBy::Aggregate(agg) => Some(bytes(self.module.aggregates[*agg].size)),
                    PassBy::Scalar(..) => None,
                };
                let copied =
                    args.iter().zip(&signature.params).filter_map(|(&arg, by)| Some((arg, size(by)?)));
                let mut all: Vec<Told> =
                    copied.map(|(arg, bytes)| of(Address::at(arg), bytes, Kind::Read)).collect();
                let result = dest.zip(signature.result.as_ref().and_then(size));
                all.extend(result.map(|(dest, bytes)| of(Address::at(dest), bytes, Kind::Write)));
                all.extend(self.library(callee).iter().filter_map(|access| {
                    let count = match access.count {
                        Count::Argument(n) => *args.get(n)?,
                        Count::Bytes(count) => bytes(count.into()),
                    };
                    let kind = if access.writes { Kind::Write } else { Kind::Read };
                    Some(of(Address::at(*args.get(access.argument)?), count, kind))
                }));
                all
            }
            // Nothing of these is in memory that the program shares between iterations, or they are no part
            // of a loop's body: parallel loops hold no directives that the host executes.
            _ => Vec::new(),
        }
    }

    /// What a function of the C library does to the objects that its arguments point to. Of others that is
    /// not known.
    fn library(&self, callee: Callee) -> &'static [LibraryAccess] {
        self.external(callee).and_then(library::accesses).unwrap_or_default()
    }

    /// The block of the heap that a call gives back.
    fn freed(&self, op: &Op) -> Option<Operand> {
        let &Op::Call { callee, ref args, .. } = op else { return None };
        matches!(self.external(callee)?, "free" | "realloc").then(|| args.first().copied()).flatten()
    }

    /// The name of a function that the program does not define.
    fn external(&self, callee: Callee) -> Option<&str> {
        let Callee::Direct(func) = callee else { return None };
        let function = &self.module.functions[func];
        function.body.is_none().then_some(&*function.name)
    }
}

/// The locals that an operation reads, and those it writes.
fn locals(body: &Body, op: &Op) -> (Vec<Local>, Vec<Local>) {
    let (mut used, mut set) = (Vec::new(), Vec::new());
    reads(body, op, |local| used.push(local));
    op.defs(|local| set.push(local));
    (used, set)
}

/// An address as a value.
fn place(cursor: &mut Cursor<'_>, Address { base, offset }: Address) -> Operand {
    if offset == 0 { base } else { cursor.index(base, Operand::Int(Type::I64, 0), 1, offset) }
}
