//! Complex numbers and 128-bit integers as pairs of what registers hold.
//!
//! Before: locals of type `c32`, `c64` and `i128`. After: two locals for each, real and imaginary part or low
//! and high half; in calls, too (`calls.rs`). What takes more than a few operations (quotients, products that
//! come out as NaN, 128-bit division) are calls of the device library, which the host's helpers agree with to
//! the last bit.

mod calls;
mod complex;
mod wide;

use crate::callee;
use accrue_ir::builder::Cursor;
use accrue_ir::{
    BinaryOp, Block, Body, Callee, ConvertOp, Inst, Local, Module, Op, Operand, Pos, Sig, Terminator, Type,
};
use calls::Calls;
use rustc_hash::FxHashMap;

/// Runs the pass on every body.
pub fn run(module: &mut Module) {
    let calls = Calls::of(module);
    for func in module.functions.keys().collect::<Vec<_>>() {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        let sig = module.functions[func].sig;
        let mut insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
        if calls.are_of(sig) || insts.any(|inst| concerns(&calls, &body, &inst.op)) {
            Scalarizer { module, calls: &calls, sig, body: &mut body, pairs: FxHashMap::default() }
                .function();
        }
        module.functions[func].body = Some(body);
    }
}

/// Whether an operation reads or writes a pair, which may be a constant, or calls what takes one.
fn concerns(calls: &Calls, body: &Body, op: &Op) -> bool {
    let mut found = calls.concern(op);
    op.operands(|operand| found |= is_pair(body.operand_type(operand)));
    op.defs(|local| found |= is_pair(body.locals[local].ty));
    found
}

fn is_pair(ty: Type) -> bool {
    ty.is_complex() || ty == Type::I128
}

/// Whether an operation becomes code with branches or calls, so that what it reads decides where threads go.
pub(crate) fn takes_branches(body: &Body, op: &Op) -> bool {
    match *op {
        Op::Binary { dst, op, .. } => match body.locals[dst].ty {
            ty if ty.is_complex() => matches!(op, BinaryOp::Mul | BinaryOp::FDiv),
            Type::I128 => matches!(op, BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem),
            _ => false,
        },
        Op::Convert { op: ConvertOp::SToF | ConvertOp::UToF, src, .. } => {
            body.operand_type(src) == Type::I128
        }
        Op::Convert { dst, op: ConvertOp::FToS | ConvertOp::FToU, .. } => body.locals[dst].ty == Type::I128,
        _ => false,
    }
}

/// The type of each half.
fn half(ty: Type) -> Type {
    match ty {
        Type::I128 => Type::I64,
        _ => ty.element(),
    }
}

/// Real and imaginary part, or low and high half.
type Pair = [Operand; 2];

struct Scalarizer<'a> {
    module: &'a mut Module,
    calls: &'a Calls,
    /// The signature of the function.
    sig: Sig,
    body: &'a mut Body,
    pairs: FxHashMap<Local, [Local; 2]>,
}

impl Scalarizer<'_> {
    fn function(&mut self) {
        self.wide_params();
        let order = std::mem::take(&mut self.body.order);
        let mut tails: FxHashMap<Block, Block> = FxHashMap::default();
        for block in order {
            self.body.order.push(block);
            let last = self.block(block);
            if last != block {
                tails.insert(block, last);
            }
        }
        for data in self.body.loops.values_mut() {
            for role in [&mut data.preheader, &mut data.latch] {
                *role = *tails.get(role).unwrap_or(role);
            }
        }
    }

    /// Rewrites a block; returns the one in which it ends.
    fn block(&mut self, block: Block) -> Block {
        let data = &mut self.body.blocks[block];
        let insts = std::mem::take(&mut data.insts);
        let term = std::mem::replace(&mut data.term, Terminator::Unreachable);
        let term_pos = data.term_pos;
        let mut at = block;
        for inst in insts {
            at = self.inst(at, inst);
        }
        self.body.blocks[at].term = match term {
            Terminator::Return(Some(value)) if self.calls.return_memory(self.sig) => {
                Terminator::Return(Some(self.wide_return(at, term_pos, value)))
            }
            term => term,
        };
        self.body.blocks[at].term_pos = term_pos;
        at
    }

    fn ty(&self, operand: Operand) -> Type {
        self.body.operand_type(operand)
    }

    fn locals(&mut self, local: Local) -> [Local; 2] {
        if let Some(&pair) = self.pairs.get(&local) {
            return pair;
        }
        let ty = half(self.body.locals[local].ty);
        let name = self.body.locals[local].name.clone();
        let pair = [0, 1].map(|_| self.body.local(ty, name.clone()));
        self.pairs.insert(local, pair);
        pair
    }

    fn pair(&mut self, operand: Operand) -> Pair {
        match operand {
            Operand::Local(local) => self.locals(local).map(Operand::Local),
            Operand::Int(_, value) => {
                [Operand::Int(Type::I64, value), Operand::Int(Type::I64, if value < 0 { -1 } else { 0 })]
            }
            // No other operand has such a type.
            other => [other, other],
        }
    }

    fn define(&mut self, at: Block, pos: Pos, dst: Local, value: Pair) {
        let pair = self.locals(dst);
        let mut cursor = Cursor::with_pos(self.body, at, pos);
        // Both halves are read before either is written: the operands may be the destination's own.
        let value = value.map(|part| cursor.copy(part));
        for (local, part) in pair.into_iter().zip(value) {
            cursor.assign(local, part);
        }
    }

    /// Rewrites an instruction at the end of a block; returns the block in which it goes on.
    fn inst(&mut self, at: Block, inst: Inst) -> Block {
        if !concerns(self.calls, self.body, &inst.op) {
            self.body.blocks[at].insts.push(inst);
            return at;
        }
        self.rewrite(at, inst)
    }

    fn rewrite(&mut self, at: Block, inst: Inst) -> Block {
        let pos = inst.pos;
        match inst.op {
            Op::Copy { dst, src } => {
                let value = self.pair(src);
                self.define(at, pos, dst, value);
                at
            }
            Op::Select { dst, cond, a, b } => {
                let (a, b) = (self.pair(a), self.pair(b));
                let mut cursor = Cursor::with_pos(self.body, at, pos);
                let value = [cursor.select(cond, a[0], b[0]), cursor.select(cond, a[1], b[1])];
                self.define(at, pos, dst, value);
                at
            }
            Op::Load { dst, addr, access } => {
                let ty = half(self.body.locals[dst].ty);
                let bytes = i64::from(ty.bytes());
                let mut cursor = Cursor::with_pos(self.body, at, pos);
                let value =
                    [0, bytes].map(|offset| cursor.load_with(ty, addr.plus(offset), halved(access, ty)));
                self.define(at, pos, dst, value);
                at
            }
            Op::Store { ty, addr, src, access } => {
                let ty = half(ty);
                let bytes = i64::from(ty.bytes());
                let value = self.pair(src);
                let mut cursor = Cursor::with_pos(self.body, at, pos);
                for (offset, part) in [0, bytes].into_iter().zip(value) {
                    cursor.store_with(addr.plus(offset), part, halved(access, ty));
                }
                at
            }
            Op::Unary { dst, op, src } => self.unary(at, pos, dst, op, src),
            Op::Binary { dst, op, a, b } => match (self.ty(a), op) {
                (Type::I128, _) => self.wide_binary(at, pos, dst, op, a, b),
                // Of fewer bits by an amount of 128: what is defined is in its low half.
                (_, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) => {
                    let [b, _] = self.pair(b);
                    self.body.blocks[at].insts.push(Inst { op: Op::Binary { dst, op, a, b }, pos });
                    at
                }
                _ => self.complex_binary(at, pos, dst, op, a, b),
            },
            Op::Compare { dst, op, a, b } => match self.ty(a) {
                Type::I128 => self.wide_compare(at, pos, dst, op, a, b),
                _ => self.complex_compare(at, pos, dst, op, a, b),
            },
            Op::Convert { dst, op, src } => self.convert(at, pos, dst, op, src),
            Op::Shuffle { dst, src, by, mode } => {
                let value = self.pair(src);
                let mut cursor = Cursor::with_pos(self.body, at, pos);
                let value = value.map(|part| cursor.shuffle(mode, part, by));
                self.define(at, pos, dst, value);
                at
            }
            op if self.calls.concern(&op) => self.wide_call(at, pos, op),
            // What remains is reported where text is written.
            op => {
                self.body.blocks[at].insts.push(Inst { op, pos });
                at
            }
        }
    }

    /// Calls a function of the device library.
    fn call(&mut self, at: Block, pos: Pos, name: &str, args: Vec<Operand>, result: Type) -> Operand {
        let params: Vec<Type> = args.iter().map(|&arg| self.ty(arg)).collect();
        let (func, sig) = callee::declare(self.module, name, &params, Some(result), pos);
        let dst = self.body.temp(result);
        let op = Op::Call { dst: Some(dst), callee: Callee::Direct(func), sig, args, dest: None };
        self.body.blocks[at].insts.push(Inst { op, pos });
        Operand::Local(dst)
    }
}

/// The access of a half: no better aligned than the whole.
fn halved(access: accrue_ir::Access, ty: Type) -> accrue_ir::Access {
    accrue_ir::Access { align: access.align.min(ty.align()), ..access }
}
