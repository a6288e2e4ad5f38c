//! A cursor for writing IR tersely: one method per operation, results in fresh temporaries of the right type.
//!
//! Methods that compute return the temporary as an [`Operand`], so that calls nest through `let`s without
//! unwrapping ids. Nothing is folded or checked here; the verifier judges what was built.

use crate::acc::{DataOp, Launch, Level, Reduction};
use crate::entities::{Agg, Block, Global, Local, Loop, Sig, Slot};
use crate::function::{BlockData, Body};
use crate::op::{
    Access, Address, BinaryOp, Callee, CmpOp, ConvertOp, Inst, LoopShare, MemoryKind, Op, Operand, Pos,
    ShuffleMode, Space, Terminator, UnaryOp,
};
use crate::types::Type;

/// A place in a body, and the source position of the instructions written there.
#[derive(Debug)]
pub struct Cursor<'a> {
    /// The body.
    pub body: &'a mut Body,
    /// The block that is written.
    pub block: Block,
    /// Position of new instructions and terminators.
    pub pos: Pos,
    /// Index in the block where the next instruction goes; `None` is the end.
    at: Option<usize>,
}

impl Address {
    /// The memory at an operand's value.
    pub fn at(base: Operand) -> Address {
        Address { base, offset: 0 }
    }

    /// The same, some bytes on.
    pub fn plus(self, bytes: i64) -> Address {
        Address { base: self.base, offset: self.offset.wrapping_add(bytes) }
    }
}

impl From<Local> for Address {
    fn from(local: Local) -> Address {
        Address::at(Operand::Local(local))
    }
}

impl From<Slot> for Address {
    fn from(slot: Slot) -> Address {
        Address::at(Operand::Slot(slot))
    }
}

impl From<Global> for Address {
    fn from(global: Global) -> Address {
        Address::at(Operand::Global(global))
    }
}

impl Access {
    /// A plain access of a type at its natural alignment, in generic space, to memory of any kind.
    pub fn natural(ty: Type) -> Access {
        Access { align: ty.align(), space: Space::Generic, volatile: false, typed: false }
    }

    /// What an access as a type says of the memory.
    pub fn kind(self, ty: Type) -> MemoryKind {
        match ty.element() {
            Type::I1 | Type::I8 => MemoryKind::Any,
            element if self.typed => MemoryKind::Of(element),
            _ => MemoryKind::Any,
        }
    }
}

impl<'a> Cursor<'a> {
    /// At the end of a block.
    pub fn new(body: &'a mut Body, block: Block) -> Cursor<'a> {
        Cursor { body, block, pos: Pos::none(), at: None }
    }

    /// At the end of a block, with a position.
    pub fn with_pos(body: &'a mut Body, block: Block, pos: Pos) -> Cursor<'a> {
        Cursor { body, block, pos, at: None }
    }

    /// Before the instruction with this index; further instructions follow the first. Each insertion moves
    /// the rest of the block: to rewrite many instructions, take the list and write it anew.
    pub fn before(body: &'a mut Body, block: Block, index: usize) -> Cursor<'a> {
        let at = index.min(body.blocks[block].insts.len());
        Cursor { body, block, pos: Pos::none(), at: Some(at) }
    }

    /// Writes code at the start of a block. The rest of the block moves once, however much is written.
    pub fn at_start<T>(
        body: &mut Body,
        block: Block,
        pos: Pos,
        write: impl FnOnce(&mut Cursor<'_>) -> T,
    ) -> T {
        let mut rest = std::mem::take(&mut body.blocks[block].insts);
        let result = write(&mut Cursor::with_pos(body, block, pos));
        body.blocks[block].insts.append(&mut rest);
        result
    }

    /// Goes on at the end of another block.
    pub fn switch_to(&mut self, block: Block) {
        self.block = block;
        self.at = None;
    }

    /// A new block at the end of the layout, in the loop and construct of the current one.
    pub fn new_block(&mut self) -> Block {
        let BlockData { loop_, construct, .. } = self.body.blocks[self.block];
        let block = self.body.block();
        self.body.blocks[block].loop_ = loop_;
        self.body.blocks[block].construct = construct;
        block
    }

    /// A fresh temporary.
    pub fn temp(&mut self, ty: Type) -> Local {
        self.body.temp(ty)
    }

    /// Writes an operation.
    pub fn op(&mut self, op: Op) {
        let inst = Inst { op, pos: self.pos };
        let insts = &mut self.body.blocks[self.block].insts;
        match &mut self.at {
            Some(at) => {
                insts.insert(*at, inst);
                *at += 1;
            }
            None => insts.push(inst),
        }
    }

    fn define(&mut self, ty: Type, op: impl FnOnce(Local) -> Op) -> Operand {
        let dst = self.temp(ty);
        self.op(op(dst));
        Operand::Local(dst)
    }

    /// Sets how the block ends.
    pub fn terminate(&mut self, term: Terminator) {
        let block = &mut self.body.blocks[self.block];
        block.term = term;
        block.term_pos = self.pos;
    }

    /// `dst = src`.
    pub fn assign(&mut self, dst: Local, src: Operand) {
        self.op(Op::Copy { dst, src });
    }

    /// A copy of a value, in a temporary.
    pub fn copy(&mut self, src: Operand) -> Operand {
        let ty = self.body.operand_type(src);
        self.define(ty, |dst| Op::Copy { dst, src })
    }

    /// `op src`, for operators whose result follows from the operand's type (not [`UnaryOp::Splat`]).
    pub fn unary(&mut self, op: UnaryOp, src: Operand) -> Operand {
        let ty = self.body.operand_type(src);
        let ty = match op {
            UnaryOp::Re | UnaryOp::Im => ty.element(),
            UnaryOp::Neg
            | UnaryOp::Not
            | UnaryOp::FAbs
            | UnaryOp::Sqrt
            | UnaryOp::Exp2
            | UnaryOp::Reciprocal
            | UnaryOp::ReciprocalRoot
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::Nearest
            | UnaryOp::Clz
            | UnaryOp::Ctz
            | UnaryOp::Popcnt
            | UnaryOp::Bswap
            | UnaryOp::Conj
            | UnaryOp::Splat => ty,
        };
        self.define(ty, |dst| Op::Unary { dst, op, src })
    }

    /// All lanes of a vector set to a scalar.
    pub fn splat(&mut self, ty: Type, src: Operand) -> Operand {
        self.define(ty, |dst| Op::Unary { dst, op: UnaryOp::Splat, src })
    }

    /// `a op b`, of the type of `a` (not [`BinaryOp::Complex`]).
    pub fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        let ty = self.body.operand_type(a);
        self.define(ty, |dst| Op::Binary { dst, op, a, b })
    }

    /// A complex value of this type from its parts.
    pub fn complex(&mut self, ty: Type, re: Operand, im: Operand) -> Operand {
        self.define(ty, |dst| Op::Binary { dst, op: BinaryOp::Complex, a: re, b: im })
    }

    /// `a + b`.
    pub fn add(&mut self, a: Operand, b: Operand) -> Operand {
        self.binary(BinaryOp::Add, a, b)
    }

    /// `a - b`.
    pub fn sub(&mut self, a: Operand, b: Operand) -> Operand {
        self.binary(BinaryOp::Sub, a, b)
    }

    /// `a * b`.
    pub fn mul(&mut self, a: Operand, b: Operand) -> Operand {
        self.binary(BinaryOp::Mul, a, b)
    }

    /// `a op b`, an `i1`.
    pub fn compare(&mut self, op: CmpOp, a: Operand, b: Operand) -> Operand {
        self.define(Type::I1, |dst| Op::Compare { dst, op, a, b })
    }

    /// A value of another type.
    pub fn convert(&mut self, op: ConvertOp, to: Type, src: Operand) -> Operand {
        self.define(to, |dst| Op::Convert { dst, op, src })
    }

    /// `cond ? a : b`.
    pub fn select(&mut self, cond: Operand, a: Operand, b: Operand) -> Operand {
        let ty = self.body.operand_type(a);
        self.define(ty, |dst| Op::Select { dst, cond, a, b })
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, a: Operand, b: Operand, c: Operand) -> Operand {
        let ty = self.body.operand_type(a);
        self.define(ty, |dst| Op::Fma { dst, a, b, c })
    }

    /// `base + index * scale + offset`.
    pub fn index(&mut self, base: Operand, index: Operand, scale: i64, offset: i64) -> Operand {
        self.define(Type::Ptr, |dst| Op::Index { dst, base, index, scale, offset, extent: None })
    }

    /// A load at natural alignment.
    pub fn load(&mut self, ty: Type, addr: impl Into<Address>) -> Operand {
        self.load_with(ty, addr, Access::natural(ty))
    }

    /// A load.
    pub fn load_with(&mut self, ty: Type, addr: impl Into<Address>, access: Access) -> Operand {
        let addr = addr.into();
        self.define(ty, |dst| Op::Load { dst, addr, access })
    }

    /// A store at natural alignment.
    pub fn store(&mut self, addr: impl Into<Address>, src: Operand) {
        let ty = self.body.operand_type(src);
        self.store_with(addr, src, Access::natural(ty));
    }

    /// A store.
    pub fn store_with(&mut self, addr: impl Into<Address>, src: Operand, access: Access) {
        let ty = self.body.operand_type(src);
        self.op(Op::Store { ty, addr: addr.into(), src, access });
    }

    /// Copies bytes.
    pub fn mem_copy(&mut self, dst: impl Into<Address>, src: impl Into<Address>, bytes: Operand, align: u32) {
        self.op(Op::MemCopy { dst: dst.into(), src: src.into(), bytes, align });
    }

    /// Fills bytes.
    pub fn mem_set(&mut self, dst: impl Into<Address>, value: Operand, bytes: Operand, align: u32) {
        self.op(Op::MemSet { dst: dst.into(), value, bytes, align });
    }

    /// A call with a scalar result of this type, or none.
    pub fn call(
        &mut self,
        callee: Callee,
        sig: Sig,
        args: Vec<Operand>,
        result: Option<Type>,
    ) -> Option<Operand> {
        let dst = result.map(|ty| self.temp(ty));
        self.op(Op::Call { dst, callee, sig, args, dest: None });
        dst.map(Operand::Local)
    }

    /// A call whose aggregate result goes to `dest`.
    pub fn call_aggregate(&mut self, callee: Callee, sig: Sig, args: Vec<Operand>, dest: Operand) {
        self.op(Op::Call { dst: None, callee, sig, args, dest: Some(dest) });
    }

    /// Stack memory of variable size.
    pub fn stack_alloc(&mut self, bytes: Operand, align: u32) -> Operand {
        self.define(Type::Ptr, |dst| Op::StackAlloc { dst, bytes, align, each: false })
    }

    /// The stack's height.
    pub fn stack_save(&mut self) -> Operand {
        self.define(Type::Ptr, |dst| Op::StackSave { dst, each: false })
    }

    /// Back to a height.
    pub fn stack_restore(&mut self, saved: Operand) {
        self.op(Op::StackRestore { saved, each: false });
    }

    /// `va_start`.
    pub fn va_start(&mut self, list: Operand) {
        self.op(Op::VaStart { list });
    }

    /// `va_arg` of a scalar.
    pub fn va_arg(&mut self, ty: Type, list: Operand) -> Operand {
        self.define(ty, |dst| Op::VaArg { dst, list })
    }

    /// `va_arg` of an aggregate: its address.
    pub fn va_arg_aggregate(&mut self, list: Operand, agg: Agg) -> Operand {
        self.define(Type::Ptr, |dst| Op::VaArgAggregate { dst, list, agg })
    }

    /// `va_copy`.
    pub fn va_copy(&mut self, dst: Operand, src: Operand) {
        self.op(Op::VaCopy { dst, src });
    }

    /// `*addr = *addr op value` in one step; the old value.
    pub fn atomic_rmw(&mut self, op: BinaryOp, addr: impl Into<Address>, value: Operand) -> Operand {
        let (ty, addr) = (self.body.operand_type(value), addr.into());
        self.define(ty, |dst| Op::AtomicRmw {
            dst: Some(dst),
            op,
            ty,
            addr,
            value,
            reversed: false,
            result_new: false,
        })
    }

    /// Atomic exchange; the old value.
    pub fn atomic_swap(&mut self, addr: impl Into<Address>, value: Operand) -> Operand {
        let (ty, addr) = (self.body.operand_type(value), addr.into());
        self.define(ty, |dst| Op::AtomicSwap { dst: Some(dst), ty, addr, value })
    }

    /// Atomic compare and swap; the value found.
    pub fn atomic_cas(&mut self, addr: impl Into<Address>, expected: Operand, desired: Operand) -> Operand {
        let (ty, addr) = (self.body.operand_type(expected), addr.into());
        self.define(ty, |dst| Op::AtomicCas { dst, ty, addr, expected, desired })
    }

    /// Atomic load.
    pub fn atomic_load(&mut self, ty: Type, addr: impl Into<Address>) -> Operand {
        let addr = addr.into();
        self.define(ty, |dst| Op::AtomicLoad { dst, addr })
    }

    /// Atomic store.
    pub fn atomic_store(&mut self, addr: impl Into<Address>, src: Operand) {
        let ty = self.body.operand_type(src);
        self.op(Op::AtomicStore { ty, addr: addr.into(), src });
    }

    /// A sequentially consistent fence.
    pub fn fence(&mut self) {
        self.op(Op::Fence);
    }

    /// Stops the program.
    pub fn trap(&mut self) {
        self.op(Op::Trap);
    }

    /// A frame's address, or (`return_address`) where it returns to.
    pub fn frame_address(&mut self, level: u32, return_address: bool) -> Operand {
        self.define(Type::Ptr, |dst| Op::FrameAddress { dst, level, return_address })
    }

    /// A lane of a vector.
    pub fn extract_lane(&mut self, src: Operand, lane: u8) -> Operand {
        let ty = self.body.operand_type(src).element();
        self.define(ty, |dst| Op::ExtractLane { dst, src, lane })
    }

    /// A vector with one lane replaced.
    pub fn insert_lane(&mut self, src: Operand, value: Operand, lane: u8) -> Operand {
        let ty = self.body.operand_type(src);
        self.define(ty, |dst| Op::InsertLane { dst, src, value, lane })
    }

    /// A half of the lanes of a vector in a vector of twice their width.
    pub fn widen(&mut self, to: Type, src: Operand, half: u8, signed: bool) -> Operand {
        self.define(to, |dst| Op::Widen { dst, src, half, signed })
    }

    /// The lanes of two vectors in a vector of half their width; what does not fit is limited.
    pub fn narrow(&mut self, to: Type, a: Operand, b: Operand, signed: bool) -> Operand {
        self.define(to, |dst| Op::Narrow { dst, a, b, signed })
    }

    /// Runs a region.
    pub fn launch(&mut self, launch: Launch) {
        self.op(Op::Launch(Box::new(launch)));
    }

    /// A data directive.
    pub fn data(&mut self, data: DataOp) {
        self.op(Op::Data(Box::new(data)));
    }

    /// Marker before a partitioned loop.
    pub fn head_mark(&mut self, loop_: Loop, inner: bool) {
        self.op(Op::HeadMark { loop_, inner });
    }

    /// Marker after a partitioned loop.
    pub fn tail_mark(&mut self, loop_: Loop, inner: bool) {
        self.op(Op::TailMark { loop_, inner });
    }

    /// Into partitioned execution.
    pub fn fork(&mut self, level: Level, loop_: Option<Loop>) {
        self.op(Op::Fork { level, loop_ });
    }

    /// Back to single execution.
    pub fn join(&mut self, level: Level, loop_: Option<Loop>) {
        self.op(Op::Join { level, loop_ });
    }

    /// One call of a quad.
    pub fn reduction(&mut self, reduction: Reduction) {
        self.op(Op::Reduction(Box::new(reduction)));
    }

    /// Begins the locked section of a loop's `fini` calls.
    pub fn lock(&mut self, level: Level, loop_: Option<Loop>) {
        self.op(Op::Lock { level, loop_ });
    }

    /// Ends it.
    pub fn unlock(&mut self, level: Level, loop_: Option<Loop>) {
        self.op(Op::Unlock { level, loop_ });
    }

    /// Number of gangs, workers or lanes, an `i32`.
    pub fn dim_size(&mut self, level: Level) -> Operand {
        self.define(Type::I32, |dst| Op::DimSize { dst, level })
    }

    /// Position among them, an `i32`.
    pub fn dim_pos(&mut self, level: Level) -> Operand {
        self.define(Type::I32, |dst| Op::DimPos { dst, level })
    }

    /// A meeting of all threads of a launch, of a gang, or of all lanes of a worker.
    pub fn barrier(&mut self, level: Level) {
        self.op(Op::Barrier { level });
    }

    /// A meeting of the threads of a team, none of which says anything; see [`Op::Meet`].
    pub fn meet(&mut self) {
        let any = Operand::Int(Type::I1, 0);
        self.define(Type::I1, |dst| Op::Meet { dst, any });
    }

    /// Whether this gang comes last; see [`Op::LastGang`].
    pub fn last_gang(&mut self) -> Operand {
        self.define(Type::I1, |dst| Op::LastGang { dst })
    }

    /// The address of another gang's instance of a slot.
    pub fn instance(&mut self, slot: Slot, gang: Operand) -> Operand {
        self.define(Type::Ptr, |dst| Op::Instance { dst, slot: Operand::Slot(slot), gang })
    }

    /// An operation over the `i32` values of all lanes of a warp.
    pub fn lane_reduce(&mut self, op: BinaryOp, src: Operand) -> Operand {
        self.define(Type::I32, |dst| Op::LaneReduce { dst, op, src })
    }

    /// The value in another lane of the warp.
    pub fn shuffle(&mut self, mode: ShuffleMode, src: Operand, by: Operand) -> Operand {
        let ty = self.body.operand_type(src);
        self.define(ty, |dst| Op::Shuffle { dst, src, by, mode })
    }

    /// A thread's share of a partitioned loop, an `i64`.
    pub fn loop_share(&mut self, share: LoopShare, loop_: Loop, trip: Operand) -> Operand {
        self.define(Type::I64, |dst| Op::LoopShare { dst, share, loop_, trip })
    }

    /// Ends the block with a jump.
    pub fn jump(&mut self, to: Block) {
        self.terminate(Terminator::Jump(to));
    }

    /// Ends the block with a two-way branch.
    pub fn branch(&mut self, cond: Operand, then: Block, otherwise: Block) {
        self.terminate(Terminator::Branch { cond, then, otherwise });
    }

    /// Ends the block with a many-way branch.
    pub fn switch(&mut self, value: Operand, cases: Vec<(i64, i64, Block)>, default: Block) {
        self.terminate(Terminator::Switch { value, cases, default });
    }

    /// Ends the block with a return.
    pub fn ret(&mut self, value: Option<Operand>) {
        self.terminate(Terminator::Return(value));
    }

    /// Ends the block where control never arrives.
    pub fn unreachable(&mut self) {
        self.terminate(Terminator::Unreachable);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertion_keeps_order_and_results_have_types() {
        let mut body = Body::default();
        let block = body.block();
        let mut c = Cursor::new(&mut body, block);
        let z = c.complex(Type::C64, Operand::f64(1.0), Operand::f64(2.0));
        let re = c.unary(UnaryOp::Re, z);
        c.ret(Some(re));
        let mut c = Cursor::before(&mut body, block, 1);
        c.fence();
        c.trap();
        assert_eq!(body.operand_type(z), Type::C64);
        assert_eq!(body.operand_type(re), Type::F64);
        let ops: Vec<_> = body.blocks[block].insts.iter().map(|inst| &inst.op).collect();
        assert!(matches!(ops[..], [Op::Binary { .. }, Op::Fence, Op::Trap, Op::Unary { .. }]));
    }
}
