//! Operations.

use super::error::Result;
use super::function::{FunctionWriter, ins, put};
use super::operand::Value;
use super::register::Class;
use accrue_ir::*;

impl FunctionWriter<'_, '_> {
    /// Writes an operation.
    pub(super) fn inst(&mut self, op: &Op) -> Result<()> {
        match op {
            Op::Copy { dst, src } => self.copy(*dst, *src),
            Op::Unary { dst, op, src } => self.unary(*dst, *op, *src),
            Op::Binary { dst, op, a, b } => self.binary_op(*dst, *op, *a, *b),
            Op::Compare { dst, op, a, b } => self.compare(*dst, *op, *a, *b),
            Op::Convert { dst, op, src } => self.convert(*dst, *op, *src),
            Op::Select { dst, cond, a, b } => self.select(*dst, *cond, *a, *b),
            Op::Fma { dst, a, b, c } => {
                let (a, b, c) = (self.value(*a)?, self.value(*b)?, self.value(*c)?);
                let dst = self.local(*dst)?;
                self.fused_multiply_add(dst, a, b, c);
                Ok(())
            }
            Op::Index { dst, base, index, scale, offset, extent: _ } => {
                self.index(*dst, *base, *index, *scale, *offset)
            }
            Op::Load { dst, addr, access } => self.load(*dst, *addr, *access),
            Op::Store { ty, addr, src, access } => self.store(*ty, *addr, *src, *access),
            Op::MemCopy { dst, src, bytes, align } => self.mem_copy(*dst, *src, *bytes, *align),
            Op::MemSet { dst, value, bytes, align } => self.mem_set(*dst, *value, *bytes, *align),
            Op::Call { dst, callee, sig, args, dest } => self.call(*dst, *callee, *sig, args, *dest),
            Op::StackAlloc { dst, bytes, align, each: _ } => self.stack_alloc(*dst, *bytes, *align),
            Op::StackSave { dst, each: _ } => {
                let dst = self.local(*dst)?;
                ins!(self, "stacksave.u64 {dst}");
                Ok(())
            }
            Op::StackRestore { saved, each: _ } => {
                let saved = self.reg(*saved)?;
                ins!(self, "stackrestore.u64 {saved}");
                Ok(())
            }
            Op::AtomicRmw { dst, op, ty, addr, value, reversed, result_new } => {
                let rmw = super::atomic::Rmw {
                    op: *op,
                    ty: *ty,
                    value: *value,
                    reversed: *reversed,
                    result_new: *result_new,
                };
                self.atomic_rmw(*dst, *addr, rmw)
            }
            Op::AtomicSwap { dst, ty, addr, value } => self.atomic_swap(*dst, *ty, *addr, *value),
            Op::AtomicCas { dst, ty, addr, expected, desired } => {
                self.atomic_cas(*dst, *ty, *addr, *expected, *desired)
            }
            Op::AtomicLoad { dst, addr } => self.atomic_load(*dst, *addr),
            Op::AtomicStore { ty, addr, src } => self.atomic_store(*ty, *addr, *src),
            Op::Fence => {
                ins!(self, "fence.sc.gpu");
                Ok(())
            }
            Op::Trap => {
                ins!(self, "trap");
                Ok(())
            }
            // A device has no addresses of frames to give.
            Op::FrameAddress { dst, level: _, return_address: _ } => {
                let dst = self.local(*dst)?;
                ins!(self, "mov.u64 {dst}, 0");
                Ok(())
            }
            Op::Lock { level, loop_: _ } => self.lock(*level),
            Op::Unlock { level, loop_: _ } => self.unlock(*level),
            Op::DimSize { dst, level } => self.dim_size(*dst, *level),
            Op::DimPos { dst, level } => self.dim_pos(*dst, *level),
            Op::Barrier { level } => self.barrier(*level),
            Op::Shuffle { dst, src, by, mode } => self.shuffle(*dst, *src, *by, *mode),
            Op::Meet { dst, any } => self.meet(*dst, *any),
            Op::LastGang { dst } => self.last_gang(*dst),
            Op::Instance { dst, slot, gang } => self.instance(*dst, *slot, *gang),
            Op::LaneReduce { dst, op, src } => self.lane_reduce(*dst, *op, *src),
            Op::VaStart { .. } | Op::VaArg { .. } | Op::VaArgAggregate { .. } | Op::VaCopy { .. } => {
                Err(self.error("functions with a variable number of arguments do not exist on a device"))
            }
            Op::Launch(_) => Err(self.error("a compute construct in code that runs on a device")),
            Op::Data(_) => Err(self.error("a data directive in code that runs on a device")),
            Op::ExtractLane { .. } | Op::InsertLane { .. } | Op::Widen { .. } | Op::Narrow { .. } => {
                Err(self.error("vector instructions of the host in code for a device (a mistake in accrue)"))
            }
            Op::HeadMark { .. }
            | Op::TailMark { .. }
            | Op::Fork { .. }
            | Op::Join { .. }
            | Op::Reduction(_)
            | Op::OnDevice { .. }
            | Op::LoopShare { .. } => {
                Err(self.error("an abstract operation was not expanded (a mistake in accrue)"))
            }
        }
    }

    fn copy(&mut self, dst: Local, src: Operand) -> Result<()> {
        if src == Operand::Local(dst) {
            return Ok(());
        }
        if let Operand::Int(Type::I1, value) = src {
            let dst = self.local(dst)?;
            put!(self, ["mov.pred"], dst, Value::Int(value & 1));
            return Ok(());
        }
        let src = self.value_for(dst, src)?;
        let dst = self.local(dst)?;
        put!(self, ["mov.", dst.class.name()], dst, src);
        Ok(())
    }

    fn select(&mut self, dst: Local, cond: Operand, a: Operand, b: Operand) -> Result<()> {
        if let Operand::Int(_, value) = cond {
            return self.copy(dst, if value & 1 == 0 { b } else { a });
        }
        let cond = self.reg(cond)?;
        if self.body.locals[dst].ty == Type::I1 {
            let (a, b) = (self.reg(a)?, self.reg(b)?);
            let (first, not, second) =
                (self.temp(Class::Pred), self.temp(Class::Pred), self.temp(Class::Pred));
            let dst = self.local(dst)?;
            ins!(self, "and.pred {first}, {cond}, {a}");
            ins!(self, "not.pred {not}, {cond}");
            ins!(self, "and.pred {second}, {not}, {b}");
            ins!(self, "or.pred {dst}, {first}, {second}");
            return Ok(());
        }
        let (a, b) = (self.value_for(dst, a)?, self.value_for(dst, b)?);
        let dst = self.local(dst)?;
        put!(self, ["selp.", dst.class.name()], dst, a, b, cond);
        Ok(())
    }
}
