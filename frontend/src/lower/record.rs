//! Struct expressions: the memory that holds their value.

use super::function::{FnLower, slot_address};
use super::lvalue::{Memory, Place};
use super::types::{Repr, repr};
use crate::ctype::TypeId;
use crate::typed::{Expr, ExprKind};
use accrue_ir as ir;
use accrue_ir::{Op, Type};

impl FnLower<'_, '_> {
    /// The memory that holds the value of a struct expression (or that an lvalue of memory type denotes).
    pub(super) fn record(&mut self, expr: &Expr) -> Memory {
        match &expr.kind {
            ExprKind::Load(place) | ExprKind::Cast(_, place) => self.record(place),
            ExprKind::Var(_)
            | ExprKind::String(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::Part(..)
            | ExprKind::CompoundLiteral(..) => match self.place(expr) {
                Place::Memory(memory) => memory,
                Place::Local(_) | Place::Part(..) | Place::Bits(_) => unreachable!("structs live in memory"),
            },
            ExprKind::Assign(target, value) => {
                let source = self.record(value);
                let Place::Memory(dest) = self.place(target) else { unreachable!("structs live in memory") };
                self.copy_record(dest, source, target.ty.ty);
                dest
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.record(b)
            }
            ExprKind::VaArg(list) => {
                let list = self.value(list);
                let agg = self.m.aggregate(expr.ty.ty);
                let dst = self.temp(Type::Ptr);
                self.emit(Op::VaArgAggregate { dst, list, agg });
                self.unnamed(super::function::pointer_address(dst), expr.ty.ty)
            }
            ExprKind::Conditional(..)
            | ExprKind::Elvis { .. }
            | ExprKind::StmtExpr(..)
            | ExprKind::Call { .. }
            | ExprKind::Builtin(..) => {
                let slot = self.temp_slot(expr.ty.ty);
                let memory = self.unnamed(slot_address(slot), expr.ty.ty);
                self.record_into(expr, memory);
                memory
            }
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Complex(..)
            | ExprKind::Func(_)
            | ExprKind::Decay(_)
            | ExprKind::AddrOf(_)
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrDiff(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::ConditionValue
            | ExprKind::LabelAddr(_) => {
                // A scalar value whose address is asked for (a part of a complex call's result, say) gets a
                // slot.
                let value = self.value(expr);
                let ty = self.ty(value);
                let slot = self.slot(u64::from(ty.bytes()), ty.align(), None);
                self.store(ty, slot_address(slot), value, ty.align(), false);
                self.unnamed(slot_address(slot), expr.ty.ty)
            }
        }
    }

    pub(super) fn unnamed(&self, addr: ir::Address, ty: TypeId) -> Memory {
        let align = self.m.unit.types.align(ty).max(1) as u32;
        Memory::untyped(addr, align)
    }

    pub(super) fn copy_record(&mut self, dest: Memory, source: Memory, ty: TypeId) {
        let size = self.m.unit.types.bytes(ty);
        self.copy_memory(dest.addr, source.addr, size, dest.align.min(source.align));
    }

    /// Evaluates a struct expression into memory that nothing else refers to.
    pub(super) fn record_into(&mut self, expr: &Expr, dest: Memory) {
        match &expr.kind {
            ExprKind::Conditional(condition, a, b) => {
                let [yes, no, end] = [(); 3].map(|()| self.new_block());
                self.branch(condition, yes, no);
                self.start(yes);
                self.record_into(a, dest);
                self.jump(end);
                self.start(no);
                self.record_into(b, dest);
                self.jump(end);
                self.start(end);
            }
            ExprKind::Call { callee, args } => {
                let address = self.address_value(dest.addr);
                self.call(expr, callee, args, Some(address));
            }
            ExprKind::StmtExpr(stmts, last) => {
                let scope = self.open_scope();
                self.stmts(stmts);
                if let Some(last) = last {
                    self.record_into(last, dest);
                }
                self.close_scope(scope);
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.record_into(b, dest);
            }
            _ if repr(&self.m.unit.types, expr.ty.ty) == Repr::Memory => {
                let source = self.record(expr);
                self.copy_record(dest, source, expr.ty.ty);
            }
            _ => {
                let value = self.value(expr);
                let ty = self.ty(value);
                self.store(ty, dest.addr, value, ty.align().min(dest.align), false);
            }
        }
    }
}
