//! Memory for arrays of variable length, and what `alloca` gives.
//!
//! PTX has an instruction for it, but no number that the driver reads says how much of a thread's stack it
//! takes: a kernel that calls a function with an array of 33 bytes asks for 32 bytes of stack in all, and
//! some programs like that ended with an illegal access on an H200. So a function with such arrays has a part
//! of its frame for them, [`ARENA`] bytes, which the assembler counts. What does not fit there goes to the
//! heap of the device, however large it is.
//!
//! Allocations form a chain: in front of each stands where the one before is, and where its own memory
//! begins. To go back to an earlier height of the stack is to free the chain down to there. An allocation is
//! known by a number: in the arena it is its offset, which is less than [`ARENA`], and on the heap its
//! address. No address of a frame is stored, so that pointers which the program loads are still known to be
//! addresses of global memory ([`crate::text`] asks for that).

use crate::callee;
use crate::text::{OWN, SHARE};
use accrue_ir::builder::Cursor;
use accrue_ir::{
    Access, Address, BinaryOp, Block, Body, Callee, CmpOp, ConvertOp, Func, Inst, Local, Module, Op, Operand,
    Pos, Sig, Slot, SlotData, Terminator, Type,
};

/// Bytes of a frame for arrays of variable length. As many threads as an H200 can hold have 1 GB of them.
const ARENA: i64 = 4 << 10;

/// Bytes in front of an allocation: where its memory begins, and the number of the one before. Also the least
/// alignment.
const HEADER: i64 = 16;

/// Gives each function its own memory for what it allocates. Executors that watch the memory of each array
/// ([`Options::keep_undefined`]) get PTX's instruction.
pub(crate) fn run(module: &mut Module) {
    for func in module.functions.keys().collect::<Vec<_>>() {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        let insts = || body.order.iter().flat_map(|&block| &body.blocks[block].insts);
        let align = |inst: &Inst| match inst.op {
            Op::StackAlloc { align, .. } => Some(i64::from(align)),
            _ => None,
        };
        if let Some(align) = insts().filter_map(align).max() {
            let stack = Stack::new(module, &mut body, Some(align.max(HEADER)));
            for block in body.order.clone() {
                stack.rewrite(&mut body, block, |_| true);
            }
            stack.begin(&mut body);
        }
        module.functions[func].body = Some(body);
    }
}

/// The stack of a function.
pub(crate) struct Stack {
    /// The number of the last allocation; zero if there is none.
    top: Local,
    arena: Option<Arena>,
    /// Takes memory from the heap.
    take: (Func, Sig),
    free: (Func, Sig),
}

/// The part of a frame for arrays.
struct Arena {
    slot: Slot,
    /// How many bytes are taken.
    used: Local,
}

impl Stack {
    /// A stack of the body; its arena, if it has one, has this alignment in bytes.
    pub(crate) fn new(module: &mut Module, body: &mut Body, arena_align: Option<i64>) -> Stack {
        let pos = body.blocks[body.entry()].term_pos;
        let take = if arena_align.is_some() { OWN } else { SHARE };
        let arena = arena_align.map(|align| Arena {
            slot: body.slots.push(SlotData::frame(
                ARENA as u64,
                u32::try_from(align).unwrap_or(u32::MAX),
                None,
            )),
            used: body.local(Type::I64, Some("stack_used".into())),
        });
        Stack {
            top: body.local(Type::I64, Some("stack".into())),
            arena,
            take: callee::declare(module, take, &[Type::I64], Some(Type::Ptr), pos),
            free: callee::declare(module, "free", &[Type::Ptr], None, pos),
        }
    }

    /// Empties the stack where the function begins.
    pub(crate) fn begin(&self, body: &mut Body) {
        let entry = body.entry();
        let mut cursor = Cursor::before(body, entry, 0);
        for local in [Some(self.top), self.arena.as_ref().map(|arena| arena.used)].into_iter().flatten() {
            cursor.assign(local, Operand::Int(Type::I64, 0));
        }
    }

    /// Rewrites what a block does with the stack, as far as its `each` is asked for.
    pub(crate) fn rewrite(&self, body: &mut Body, block: Block, takes: impl Fn(bool) -> bool) {
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let term = std::mem::replace(&mut body.blocks[block].term, Terminator::Unreachable);
        let term_pos = body.blocks[block].term_pos;
        let mut at = block;
        for inst in insts {
            at = self.rewrite_inst(body, at, inst, &takes);
        }
        if matches!(term, Terminator::Return(_)) {
            at = self.free_down_to(body, at, term_pos, Operand::Int(Type::I64, 0));
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

    /// Puts an instruction at the end of a block; returns the block in which it goes on.
    fn rewrite_inst(&self, body: &mut Body, at: Block, inst: Inst, takes: &impl Fn(bool) -> bool) -> Block {
        let pos = inst.pos;
        match inst.op {
            Op::StackAlloc { dst, bytes, align, each } if takes(each) => {
                self.allocate(body, at, pos, dst, bytes, i64::from(align).max(HEADER))
            }
            Op::StackSave { dst, each } if takes(each) => {
                let mut cursor = Cursor::with_pos(body, at, pos);
                let height = cursor.convert(ConvertOp::Bits, Type::Ptr, Operand::Local(self.top));
                cursor.assign(dst, height);
                at
            }
            Op::StackRestore { saved, each } if takes(each) => {
                let height = Cursor::with_pos(body, at, pos).convert(ConvertOp::Bits, Type::I64, saved);
                self.free_down_to(body, at, pos, height)
            }
            op => {
                body.blocks[at].insts.push(Inst { op, pos });
                at
            }
        }
    }

    /// Writes an allocation; returns where it goes on.
    fn allocate(
        &self,
        body: &mut Body,
        at: Block,
        pos: Pos,
        dst: Local,
        bytes: Operand,
        align: i64,
    ) -> Block {
        let mut cursor = Cursor::with_pos(body, at, pos);
        let int = |value: i64| Operand::Int(Type::I64, value);
        // The header, the way to the alignment, and the array, in whole units of the least alignment.
        let some = cursor.add(bytes, int(align + HEADER - 1));
        let need = cursor.binary(BinaryOp::And, some, int(-HEADER));
        let Some(Arena { slot, used }) = &self.arena else {
            self.allocate_on_heap(&mut cursor, dst, need, align);
            return at;
        };
        let (used, slot) = (*used, Operand::Slot(*slot));
        let (own, heap, after) = (cursor.new_block(), cursor.new_block(), cursor.new_block());
        let left = cursor.sub(int(ARENA), Operand::Local(used));
        let fits = cursor.compare(CmpOp::ULe, need, left);
        cursor.branch(fits, own, heap);

        cursor.switch_to(own);
        let behind = cursor.add(Operand::Local(used), int(align + HEADER - 1));
        let object = cursor.binary(BinaryOp::And, behind, int(-align));
        let address = cursor.index(slot, object, 1, 0);
        self.link(&mut cursor, address, Operand::Local(used), object);
        let behind = cursor.add(Operand::Local(used), need);
        cursor.assign(used, behind);
        cursor.assign(dst, address);
        cursor.jump(after);

        cursor.switch_to(heap);
        self.allocate_on_heap(&mut cursor, dst, need, align);
        cursor.jump(after);
        after
    }

    fn allocate_on_heap(&self, cursor: &mut Cursor<'_>, dst: Local, need: Operand, align: i64) {
        let (callee, sig) = (Callee::Direct(self.take.0), self.take.1);
        let memory = cursor.temp(Type::Ptr);
        cursor.op(Op::Call { dst: Some(memory), callee, sig, args: vec![need], dest: None });
        let memory = cursor.convert(ConvertOp::Bits, Type::I64, Operand::Local(memory));
        let behind = cursor.add(memory, Operand::Int(Type::I64, align + HEADER - 1));
        let object = cursor.binary(BinaryOp::And, behind, Operand::Int(Type::I64, -align));
        let address = cursor.convert(ConvertOp::Bits, Type::Ptr, object);
        self.link(cursor, address, memory, object);
        cursor.assign(dst, address);
    }

    /// Writes the header of an allocation and makes it the last one.
    fn link(&self, cursor: &mut Cursor<'_>, address: Operand, memory: Operand, number: Operand) {
        cursor.store(Address::at(address).plus(-HEADER), memory);
        cursor.store(Address::at(address).plus(-HEADER / 2), Operand::Local(self.top));
        cursor.assign(self.top, number);
    }

    /// Writes the loop that frees the chain down to an allocation that stays; returns where it goes on.
    fn free_down_to(&self, body: &mut Body, at: Block, pos: Pos, stays: Operand) -> Block {
        let mut cursor = Cursor::with_pos(body, at, pos);
        let (header, inside, after) = (cursor.new_block(), cursor.new_block(), cursor.new_block());
        let top = Operand::Local(self.top);
        cursor.jump(header);
        cursor.switch_to(header);
        let more = cursor.compare(CmpOp::Ne, top, stays);
        cursor.branch(more, inside, after);
        cursor.switch_to(inside);
        if let Some(Arena { slot, used }) = &self.arena {
            let (own, heap) = (cursor.new_block(), cursor.new_block());
            let is_own = cursor.compare(CmpOp::ULt, top, Operand::Int(Type::I64, ARENA));
            cursor.branch(is_own, own, heap);
            cursor.switch_to(own);
            let address = cursor.index(Operand::Slot(*slot), top, 1, 0);
            let begin = self.unlink(&mut cursor, address);
            cursor.assign(*used, begin);
            cursor.jump(header);
            cursor.switch_to(heap);
        }
        let address = cursor.convert(ConvertOp::Bits, Type::Ptr, top);
        let begin = self.unlink(&mut cursor, address);
        let memory = cursor.convert(ConvertOp::Bits, Type::Ptr, begin);
        let (callee, sig) = (Callee::Direct(self.free.0), self.free.1);
        cursor.op(Op::Call { dst: None, callee, sig, args: vec![memory], dest: None });
        cursor.jump(header);
        after
    }

    /// Makes the allocation before the last one; gives where the memory of the one at the address begins.
    fn unlink(&self, cursor: &mut Cursor<'_>, address: Operand) -> Operand {
        let begin = cursor.load(Type::I64, Address::at(address).plus(-HEADER));
        let addr = Address::at(address).plus(-HEADER / 2);
        cursor.op(Op::Load { dst: self.top, addr, access: Access::natural(Type::I64) });
        begin
    }
}
