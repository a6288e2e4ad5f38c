//! Reading of operations, operands and terminators.

use super::lex::{Kind, Token};
use super::names::Named;
use super::parse::{Parser, Result};
use crate::op::{Access, Address, BinaryOp, Callee, Op, Terminator, UnaryOp};
use crate::types::Type;
use crate::{Level, Local, Loop, Operand};
use std::num::NonZeroU32;

/// The constant that a number token stands for.
fn constant(text: &str) -> Option<Operand> {
    Type::ALL.into_iter().find_map(|ty| {
        let number = text.strip_suffix(ty.name())?;
        match ty {
            Type::F32 => number.parse().ok().map(Operand::f32),
            Type::F64 => number.parse().ok().map(Operand::f64),
            Type::I1
            | Type::I8
            | Type::I16
            | Type::I32
            | Type::I64
            | Type::I128
            | Type::F80
            | Type::C32
            | Type::C64
            | Type::Ptr
            | Type::I8x16
            | Type::I16x8
            | Type::I32x4
            | Type::I64x2
            | Type::F32x4
            | Type::F64x2 => number.parse().ok().map(|value| Operand::Int(ty, value)),
        }
    })
}

/// The constant that a word stands for.
fn constant_word(word: &str) -> Option<Operand> {
    match word {
        "true" => Some(Operand::bool(true)),
        "false" => Some(Operand::bool(false)),
        "null" => Some(Operand::NULL),
        _ => match (word.strip_prefix("f32.0x"), word.strip_prefix("f64.0x")) {
            (Some(bits), _) => u32::from_str_radix(bits, 16).ok().map(Operand::F32),
            (_, Some(bits)) => u64::from_str_radix(bits, 16).ok().map(Operand::F64),
            (None, None) => None,
        },
    }
}

impl<'t> Parser<'t> {
    pub(super) fn operand(&mut self) -> Result<Operand> {
        match self.eat_operand()? {
            Some(operand) => Ok(operand),
            None => self.expected("an operand"),
        }
    }

    pub(super) fn eat_operand(&mut self) -> Result<Option<Operand>> {
        let found = match self.token.kind {
            Kind::Number => constant(self.token.text),
            Kind::Word => constant_word(self.token.text),
            Kind::String | Kind::Punct | Kind::End => None,
        };
        if let Some(constant) = found {
            self.next()?;
            return Ok(Some(constant));
        }
        if let Some(local) = self.eat_local()? {
            return Ok(Some(Operand::Local(local)));
        }
        if let Some(slot) = self.eat_slot()? {
            return Ok(Some(Operand::Slot(slot)));
        }
        if let Some(global) = self.eat_global()? {
            return Ok(Some(Operand::Global(global)));
        }
        Ok(self.eat_func()?.map(Operand::Func))
    }

    fn next_operand(&mut self) -> Result<Operand> {
        self.expect(",")?;
        self.operand()
    }

    pub(super) fn address(&mut self) -> Result<Address> {
        self.expect("[")?;
        let base = self.operand()?;
        let offset = self.offset()?;
        self.expect("]")?;
        Ok(Address { base, offset })
    }

    fn next_address(&mut self) -> Result<Address> {
        self.expect(",")?;
        self.address()
    }

    fn align(&mut self) -> Result<u32> {
        self.expect("align")?;
        self.int()
    }

    fn access(&mut self, ty: Type) -> Result<Access> {
        let align = if self.is("align") { self.align()? } else { ty.align() };
        let space = self.eat_named()?.unwrap_or_default();
        let volatile = self.eat("volatile")?;
        Ok(Access { align, space, volatile, typed: !self.eat("untyped")? })
    }

    /// A terminator, if one is next.
    pub(super) fn terminator(&mut self) -> Result<Option<Terminator>> {
        if self.eat("jump")? {
            return Ok(Some(Terminator::Jump(self.block()?)));
        }
        if self.eat("branch")? {
            let cond = self.operand()?;
            self.expect(",")?;
            let then = self.block()?;
            self.expect(",")?;
            return Ok(Some(Terminator::Branch { cond, then, otherwise: self.block()? }));
        }
        if self.eat("switch")? {
            return self.switch().map(Some);
        }
        if self.eat("return")? {
            return Ok(Some(Terminator::Return(self.eat_operand()?)));
        }
        Ok(self.eat("unreachable")?.then_some(Terminator::Unreachable))
    }

    fn switch(&mut self) -> Result<Terminator> {
        let value = self.operand()?;
        self.expect("{")?;
        let mut cases = Vec::new();
        while !self.eat("default")? {
            if self.token.kind != Kind::Number {
                return self.expected("a case or `default`");
            }
            let low = self.int()?;
            let high = if self.eat("..=")? { self.int()? } else { low };
            self.expect(":")?;
            cases.push((low, high, self.block()?));
        }
        self.expect(":")?;
        let default = self.block()?;
        self.expect("}")?;
        Ok(Terminator::Switch { value, cases, default })
    }

    /// An instruction without its position.
    pub(super) fn inst(&mut self) -> Result<Op> {
        let dst = self.eat_local()?;
        if dst.is_some() {
            self.expect("=")?;
        }
        let mnemonic = self.word("an operation")?;
        let op = self.operation(dst, mnemonic)?;
        if dst.is_some() && op.dst() != dst {
            return self.error_at(mnemonic.at, format!("`{}` has no result", mnemonic.text));
        }
        Ok(op)
    }

    /// The result, where the operation needs one.
    fn result(&self, dst: Option<Local>, mnemonic: Token<'t>) -> Result<Local> {
        match dst {
            Some(dst) => Ok(dst),
            None => self.error_at(mnemonic.at, format!("expected `LOCAL =` before `{}`", mnemonic.text)),
        }
    }

    fn unknown<T>(&self, mnemonic: Token<'t>) -> Result<T> {
        self.error_at(mnemonic.at, format!("expected an operation, found {}", mnemonic.describe()))
    }

    /// The part of a mnemonic that names a variant.
    fn variant<T: Named>(&self, text: &str, mnemonic: Token<'t>) -> Result<T> {
        match T::from_spelling(text) {
            Some(variant) => Ok(variant),
            None => self.unknown(mnemonic),
        }
    }

    fn operation(&mut self, dst: Option<Local>, mnemonic: Token<'t>) -> Result<Op> {
        let text = mnemonic.text;
        if let Some(op) = UnaryOp::from_spelling(text) {
            let dst = self.result(dst, mnemonic)?;
            return Ok(Op::Unary { dst, op, src: self.operand()? });
        }
        if let Some(op) = BinaryOp::from_spelling(text) {
            let dst = self.result(dst, mnemonic)?;
            let a = self.operand()?;
            return Ok(Op::Binary { dst, op, a, b: self.next_operand()? });
        }
        match text.split_once('.') {
            Some((head, tail)) => self.operation_with_variant(dst, mnemonic, head, tail),
            None => self.plain_operation(dst, mnemonic),
        }
    }

    /// Operations written `head.tail`.
    fn operation_with_variant(
        &mut self,
        dst: Option<Local>,
        mnemonic: Token<'t>,
        head: &str,
        tail: &str,
    ) -> Result<Op> {
        match head {
            "cmp" => {
                let (dst, op) = (self.result(dst, mnemonic)?, self.variant(tail, mnemonic)?);
                let a = self.operand()?;
                Ok(Op::Compare { dst, op, a, b: self.next_operand()? })
            }
            "convert" => {
                let (dst, op) = (self.result(dst, mnemonic)?, self.variant(tail, mnemonic)?);
                Ok(Op::Convert { dst, op, src: self.operand()? })
            }
            "loop_share" => {
                let (dst, share) = (self.result(dst, mnemonic)?, self.variant(tail, mnemonic)?);
                let loop_ = self.loop_()?;
                Ok(Op::LoopShare { dst, share, loop_, trip: self.next_operand()? })
            }
            "lane_reduce" => {
                let (dst, op) = (self.result(dst, mnemonic)?, self.variant(tail, mnemonic)?);
                Ok(Op::LaneReduce { dst, op, src: self.operand()? })
            }
            "shuffle" => {
                let (dst, mode) = (self.result(dst, mnemonic)?, self.variant(tail, mnemonic)?);
                let src = self.operand()?;
                Ok(Op::Shuffle { dst, src, by: self.next_operand()?, mode })
            }
            "reduction" => {
                let kind = self.variant(tail, mnemonic)?;
                self.reduction(dst, kind)
            }
            "store" => {
                let ty: Type = self.variant(tail, mnemonic)?;
                let addr = self.address()?;
                let src = self.next_operand()?;
                Ok(Op::Store { ty, addr, src, access: self.access(ty)? })
            }
            "atomic_store" => {
                let ty = self.variant(tail, mnemonic)?;
                let addr = self.address()?;
                Ok(Op::AtomicStore { ty, addr, src: self.next_operand()? })
            }
            "atomic_swap" => {
                let ty = self.variant(tail, mnemonic)?;
                let addr = self.address()?;
                Ok(Op::AtomicSwap { dst, ty, addr, value: self.next_operand()? })
            }
            "atomic_cas" => {
                let (dst, ty) = (self.result(dst, mnemonic)?, self.variant(tail, mnemonic)?);
                let addr = self.address()?;
                let expected = self.next_operand()?;
                Ok(Op::AtomicCas { dst, ty, addr, expected, desired: self.next_operand()? })
            }
            "atomic_rmw" => {
                let Some((op, ty)) = tail.split_once('.') else { return self.unknown(mnemonic) };
                let (op, ty) = (self.variant(op, mnemonic)?, self.variant(ty, mnemonic)?);
                let addr = self.address()?;
                let value = self.next_operand()?;
                let reversed = self.eat("reversed")?;
                let result_new = self.eat("result_new")?;
                Ok(Op::AtomicRmw { dst, op, ty, addr, value, reversed, result_new })
            }
            _ => self.unknown(mnemonic),
        }
    }

    /// Operations written as one word: those with a result.
    fn plain_operation(&mut self, dst: Option<Local>, mnemonic: Token<'t>) -> Result<Op> {
        let result = self.result(dst, mnemonic);
        Ok(match mnemonic.text {
            "copy" => Op::Copy { dst: result?, src: self.operand()? },
            "select" => {
                let (dst, cond) = (result?, self.operand()?);
                let a = self.next_operand()?;
                Op::Select { dst, cond, a, b: self.next_operand()? }
            }
            "fma" => {
                let (dst, a) = (result?, self.operand()?);
                let b = self.next_operand()?;
                Op::Fma { dst, a, b, c: self.next_operand()? }
            }
            "index" => self.index(result?)?,
            "load" => self.load(result?)?,
            "stack_alloc" => {
                let (dst, bytes, align) = (result?, self.operand()?, self.align()?);
                Op::StackAlloc { dst, bytes, align, each: self.eat("each")? }
            }
            "stack_save" => Op::StackSave { dst: result?, each: self.eat("each")? },
            "va_arg" => Op::VaArg { dst: result?, list: self.operand()? },
            "va_arg_aggregate" => {
                let (dst, list) = (result?, self.operand()?);
                self.expect(",")?;
                Op::VaArgAggregate { dst, list, agg: self.agg()? }
            }
            "atomic_load" => Op::AtomicLoad { dst: result?, addr: self.address()? },
            "frame_address" => Op::FrameAddress { dst: result?, level: self.int()?, return_address: false },
            "return_address" => Op::FrameAddress { dst: result?, level: self.int()?, return_address: true },
            "extract_lane" => {
                let (dst, src) = (result?, self.operand()?);
                self.expect(",")?;
                Op::ExtractLane { dst, src, lane: self.int()? }
            }
            "insert_lane" => {
                let (dst, src) = (result?, self.operand()?);
                let value = self.next_operand()?;
                self.expect(",")?;
                Op::InsertLane { dst, src, value, lane: self.int()? }
            }
            "swiden" | "uwiden" => {
                let (dst, src) = (result?, self.operand()?);
                self.expect(",")?;
                Op::Widen { dst, src, half: self.int()?, signed: mnemonic.text == "swiden" }
            }
            "snarrow" | "unarrow" => {
                let (dst, a) = (result?, self.operand()?);
                Op::Narrow { dst, a, b: self.next_operand()?, signed: mnemonic.text == "snarrow" }
            }
            "dim_size" => Op::DimSize { dst: result?, level: self.level()? },
            "meet" => Op::Meet { dst: result?, any: self.operand()? },
            "last_gang" => Op::LastGang { dst: result? },
            "instance" => Op::Instance { dst: result?, slot: self.operand()?, gang: self.next_operand()? },
            "on_device" => Op::OnDevice { dst: result?, device: self.operand()? },
            "dim_pos" => Op::DimPos { dst: result?, level: self.level()? },
            "call" => self.call(dst)?,
            _ => self.statement(mnemonic)?,
        })
    }

    /// Operations written as one word: those without a result.
    fn statement(&mut self, mnemonic: Token<'t>) -> Result<Op> {
        Ok(match mnemonic.text {
            "mem_copy" => {
                let dst = self.address()?;
                let src = self.next_address()?;
                let bytes = self.next_operand()?;
                Op::MemCopy { dst, src, bytes, align: self.align()? }
            }
            "mem_set" => {
                let dst = self.address()?;
                let value = self.next_operand()?;
                let bytes = self.next_operand()?;
                Op::MemSet { dst, value, bytes, align: self.align()? }
            }
            "stack_restore" => Op::StackRestore { saved: self.operand()?, each: self.eat("each")? },
            "va_start" => Op::VaStart { list: self.operand()? },
            "va_copy" => Op::VaCopy { dst: self.operand()?, src: self.next_operand()? },
            "fence" => Op::Fence,
            "trap" => Op::Trap,
            "launch" => Op::Launch(Box::new(self.launch()?)),
            "data" => Op::Data(Box::new(self.data()?)),
            "head_mark" => Op::HeadMark { loop_: self.loop_()?, inner: self.eat("inner")? },
            "tail_mark" => Op::TailMark { loop_: self.loop_()?, inner: self.eat("inner")? },
            "fork" => {
                let (level, loop_) = self.level_and_loop()?;
                Op::Fork { level, loop_ }
            }
            "join" => {
                let (level, loop_) = self.level_and_loop()?;
                Op::Join { level, loop_ }
            }
            "lock" => {
                let level = self.level()?;
                self.expect(",")?;
                Op::Lock { level, loop_: self.loop_or_outer()? }
            }
            "unlock" => {
                let level = self.level()?;
                self.expect(",")?;
                Op::Unlock { level, loop_: self.loop_or_outer()? }
            }
            "barrier" => Op::Barrier { level: self.level()? },
            _ => return self.unknown(mnemonic),
        })
    }

    fn level_and_loop(&mut self) -> Result<(Level, Option<Loop>)> {
        let level = self.level()?;
        let loop_ = if self.eat(",")? { Some(self.loop_()?) } else { None };
        Ok((level, loop_))
    }

    fn index(&mut self, dst: Local) -> Result<Op> {
        let base = self.operand()?;
        self.expect("+")?;
        let index = self.operand()?;
        self.expect("*")?;
        let scale = self.int()?;
        let offset = self.offset()?;
        let mut extent = None;
        if self.eat("below")? {
            extent = NonZeroU32::new(self.int()?);
            if extent.is_none() {
                return self.expected("a number of elements before this");
            }
        }
        Ok(Op::Index { dst, base, index, scale, offset, extent })
    }

    fn load(&mut self, dst: Local) -> Result<Op> {
        let at = self.token.at;
        let addr = self.address()?;
        // Declarations precede the blocks, so a local that is not known here is none.
        match self.body.locals.get(dst).map(|data| data.ty) {
            Some(ty) => Ok(Op::Load { dst, addr, access: self.access(ty)? }),
            None => self.error_at(at, format!("there is no `{dst}` to load to")),
        }
    }

    fn call(&mut self, dst: Option<Local>) -> Result<Op> {
        let callee =
            if self.eat("*")? { Callee::Indirect(self.operand()?) } else { Callee::Direct(self.func()?) };
        let mut args = Vec::new();
        self.expect("(")?;
        self.list(")", |p| {
            args.push(p.operand()?);
            Ok(())
        })?;
        let sig = self.sig()?;
        let dest = if self.eat("to")? { Some(self.operand()?) } else { None };
        Ok(Op::Call { dst, callee, sig, args, dest })
    }
}
