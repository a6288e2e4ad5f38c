//! Structured code in the middle of a function.
//!
//! While a pass rewrites a body it rebuilds [`crate::Body::order`] block by block, so that the blocks a
//! [`Cursor`] makes land behind the block that is being rewritten.

use crate::builder::Cursor;
use crate::entities::{Block, Loop};
use crate::function::{Induction, LoopData};
use crate::module::Module;
use crate::op::{BinaryOp, CmpOp, Op, Operand};
use crate::report::Report;
use std::ops::{Deref, DerefMut};

/// A cursor, and the module around the function that it stands in. Code goes to the end of the current block;
/// the pass puts what follows (the rest of the original block, and its terminator) behind it afterwards.
#[derive(Debug)]
pub struct Emitter<'a> {
    /// The module, for functions and globals that the emitted code needs. The body being rewritten is not in
    /// it.
    pub module: &'a mut Module,
    /// Where code goes.
    pub cursor: Cursor<'a>,
    /// What to tell the user.
    pub report: &'a mut Report,
}

impl<'a> Deref for Emitter<'a> {
    type Target = Cursor<'a>;

    fn deref(&self) -> &Cursor<'a> {
        &self.cursor
    }
}

impl<'a> DerefMut for Emitter<'a> {
    fn deref_mut(&mut self) -> &mut Cursor<'a> {
        &mut self.cursor
    }
}

impl Cursor<'_> {
    /// Ends the block with a jump and goes on in its target.
    pub fn jump_into(&mut self, block: Block) {
        self.jump(block);
        self.switch_to(block);
    }

    /// Writes `if (cond) body` and goes on behind it.
    pub fn if_then(&mut self, cond: Operand, body: impl FnOnce(&mut Self)) {
        let from = self.block;
        let then = self.new_block();
        self.switch_to(then);
        body(self);
        let join = self.new_block();
        self.jump(join);
        self.switch_to(from);
        self.branch(cond, then, join);
        self.switch_to(join);
    }

    /// Writes a loop with an index of the type of `count`, `i32` or `i64`, that runs over `first,
    /// first + step, ...` below `count`, and goes on behind it.
    pub fn counted(
        &mut self,
        first: Operand,
        step: Operand,
        count: Operand,
        body: impl FnOnce(&mut Self, Operand),
    ) -> Loop {
        let iv = self.temp(self.body.operand_type(count));
        self.assign(iv, first);
        let preheader = self.block;
        let parent = self.body.blocks[preheader].loop_;
        let header = self.new_block();
        let inside = self.new_block();
        let loop_ = self.body.loops.push(LoopData {
            parent,
            preheader,
            header,
            body: inside,
            latch: inside,
            exit: inside,
            induction: Some(Induction { iv, init: first, bound: count, step, cmp: CmpOp::Lt }),
            directive: None,
            pos: self.pos,
        });
        self.body.blocks[header].loop_ = Some(loop_);
        self.body.blocks[inside].loop_ = Some(loop_);
        self.jump(header);

        self.switch_to(inside);
        body(self, Operand::Local(iv));
        let latch = self.new_block();
        self.jump_into(latch);
        self.op(Op::Binary { dst: iv, op: BinaryOp::Add, a: Operand::Local(iv), b: step });
        self.jump(header);

        let exit = self.new_block();
        self.body.blocks[exit].loop_ = parent;
        self.switch_to(header);
        let more = self.compare(CmpOp::Lt, Operand::Local(iv), count);
        self.branch(more, inside, exit);
        let data = &mut self.body.loops[loop_];
        (data.latch, data.exit) = (latch, exit);
        self.switch_to(exit);
        loop_
    }
}
