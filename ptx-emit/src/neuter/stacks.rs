//! Arrays of variable length that several threads share.
//!
//! What a thread allocates on its stack, no other thread reaches. In single mode, such an array goes to the heap of the
//! device instead: the thread that executes the allocation tells the others the address, as of anything it computes. The
//! blocks form a chain, each with the address of the one before in front of it, so that going back to an earlier height
//! of the stack is to free the chain down to there.

use super::Threads;
use super::modes::{self, Modes};
use crate::callee;
use crate::text::SHARE;
use accrue_ir::builder::Cursor;
use accrue_ir::{
    Access, Address, Block, Body, Callee, CmpOp, ConvertOp, Func, Inst, Level, Local, Module, Op, Operand,
    Pos, Sig, Terminator, Type,
};

/// Bytes in front of a block: the address of the block before, and room for the alignment.
const HEADER: i64 = 16;

/// The function that gives a block back.
#[derive(Clone, Copy)]
struct Free {
    func: Func,
    sig: Sig,
}

/// Moves the shared arrays of a region or routine to the heap.
pub fn share(module: &mut Module, body: &mut Body, threads: Threads) {
    modes::split(module, body);
    let modes = Modes::of(module, body, threads.single);
    let lanes = super::index(Level::Vector);
    let single: Vec<Block> =
        body.order.iter().copied().filter(|&block| modes.is_single(block, lanes)).collect();
    let forks =
        |block: &Block| body.blocks[*block].insts.iter().any(|inst| matches!(inst.op, Op::Fork { .. }));
    let allocates = |block: &Block| {
        let is_shared = |inst: &Inst| matches!(inst.op, Op::StackAlloc { each: false, .. });
        body.blocks[*block].insts.iter().any(is_shared)
    };
    if !body.order.iter().any(forks) || !single.iter().any(allocates) {
        return;
    }
    let pos = body.blocks[body.entry()].term_pos;
    let (share, share_sig) = callee::declare(module, SHARE, &[Type::I64], Some(Type::Ptr), pos);
    let (free, free_sig) = callee::declare(module, "free", &[Type::Ptr], None, pos);
    let free = Free { func: free, sig: free_sig };
    let top = body.local(Type::Ptr, Some("stack".into()));
    for block in single {
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let term = std::mem::replace(&mut body.blocks[block].term, Terminator::Unreachable);
        let term_pos = body.blocks[block].term_pos;
        let mut at = block;
        for inst in insts {
            at = rewrite(body, at, inst, top, (share, share_sig), free);
        }
        if matches!(term, Terminator::Return(_)) {
            at = free_down_to(body, at, term_pos, top, Operand::Int(Type::Ptr, 0), free);
        }
        body.blocks[at].term = term;
        body.blocks[at].term_pos = term_pos;
        for data in body.loops.values_mut() {
            for role in [&mut data.preheader, &mut data.latch] {
                if *role == block {
                    *role = at;
                }
            }
        }
    }
    let entry = body.entry();
    Cursor::before(body, entry, 0).assign(top, Operand::Int(Type::Ptr, 0));
}

/// Puts an instruction at the end of a block; returns the block in which it goes on.
fn rewrite(
    body: &mut Body,
    at: Block,
    inst: Inst,
    top: Local,
    (share, sig): (Func, Sig),
    free: Free,
) -> Block {
    let pos = inst.pos;
    match inst.op {
        Op::StackAlloc { dst, bytes, each: false, .. } => {
            let mut cursor = Cursor::with_pos(body, at, pos);
            let bytes = cursor.add(bytes, Operand::Int(Type::I64, HEADER));
            let memory = body_call(&mut cursor, share, sig, bytes);
            cursor.store(Address::at(memory), Operand::Local(top));
            let object = cursor.index(memory, Operand::Int(Type::I64, 0), 1, HEADER);
            cursor.assign(top, object);
            cursor.assign(dst, Operand::Local(top));
            at
        }
        Op::StackSave { dst, each: false } => {
            Cursor::with_pos(body, at, pos).assign(dst, Operand::Local(top));
            at
        }
        Op::StackRestore { saved, each: false } => free_down_to(body, at, pos, top, saved, free),
        op => {
            body.blocks[at].insts.push(Inst { op, pos });
            at
        }
    }
}

fn body_call(cursor: &mut Cursor<'_>, func: Func, sig: Sig, argument: Operand) -> Operand {
    let result = cursor.temp(Type::Ptr);
    cursor.op(Op::Call {
        dst: Some(result),
        callee: Callee::Direct(func),
        sig,
        args: vec![argument],
        dest: None,
    });
    Operand::Local(result)
}

/// Writes the loop that frees the chain down to a block that stays; returns where it goes on.
fn free_down_to(body: &mut Body, at: Block, pos: Pos, top: Local, saved: Operand, free: Free) -> Block {
    let mut cursor = Cursor::with_pos(body, at, pos);
    let (header, inside, after) = (cursor.new_block(), cursor.new_block(), cursor.new_block());
    cursor.jump(header);
    cursor.switch_to(header);
    let [now, end] =
        [Operand::Local(top), saved].map(|address| cursor.convert(ConvertOp::Bits, Type::I64, address));
    let more = cursor.compare(CmpOp::Ne, now, end);
    cursor.branch(more, inside, after);
    cursor.switch_to(inside);
    let memory = cursor.index(Operand::Local(top), Operand::Int(Type::I64, 0), 1, -HEADER);
    cursor.op(Op::Load { dst: top, addr: Address::at(memory), access: Access::natural(Type::Ptr) });
    let args = vec![memory];
    cursor.op(Op::Call { dst: None, callee: Callee::Direct(free.func), sig: free.sig, args, dest: None });
    cursor.jump(header);
    after
}
