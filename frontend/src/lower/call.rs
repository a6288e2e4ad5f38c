//! Calls.

use super::function::{FnLower, slot_address};
use super::lvalue::is_simple;
use super::types::{Repr, repr};
use crate::ctype::{CType, TypeId};
use crate::diag::ids;
use crate::typed::{Expr, ExprKind};
use accrue_ir as ir;
use accrue_ir::{Callee, Op, Operand, Terminator};

impl FnLower<'_, '_> {
    /// Calls a function. Results of struct type go to `dest`; the value of a scalar one is returned.
    pub(super) fn call(
        &mut self,
        expr: &Expr,
        callee: &Expr,
        args: &[Expr],
        dest: Option<Operand>,
    ) -> Option<Operand> {
        let function_type = self.callee_type(callee.ty.ty);
        let target = self.callee(callee, args);
        let sig = self.call_signature(function_type, args);
        let operands = self.arguments(args);
        self.at(expr.span);
        let noreturn = self.never_returns(target);
        let result = expr.ty.ty;
        let value = match repr(&self.m.unit.types, result) {
            Repr::Void => {
                self.emit(Op::Call { dst: None, callee: target, sig, args: operands, dest: None });
                None
            }
            Repr::Scalar(ty) if ty.is_complex() => {
                let slot = self.temp_slot(result);
                let dest = Some(Operand::Slot(slot));
                self.emit(Op::Call { dst: None, callee: target, sig, args: operands, dest });
                Some(self.load(ty, slot_address(slot), ty.align(), false))
            }
            Repr::Scalar(ty) => {
                let dst = self.temp(ty);
                self.emit(Op::Call { dst: Some(dst), callee: target, sig, args: operands, dest: None });
                Some(Operand::Local(dst))
            }
            Repr::Memory => {
                let dest = match dest {
                    Some(dest) => dest,
                    None => Operand::Slot(self.temp_slot(result)),
                };
                self.emit(Op::Call { dst: None, callee: target, sig, args: operands, dest: Some(dest) });
                None
            }
        };
        if noreturn {
            self.terminate(Terminator::Unreachable);
        }
        value
    }

    fn never_returns(&self, callee: Callee) -> bool {
        match callee {
            Callee::Direct(func) => self.m.module.functions[func].noreturn,
            Callee::Indirect(_) => false,
        }
    }

    /// The function type behind a callee's type.
    fn callee_type(&self, ty: TypeId) -> TypeId {
        match self.m.unit.types.get(ty) {
            CType::Pointer(pointee) => self.callee_type(pointee.ty),
            _ => ty,
        }
    }

    fn callee(&mut self, callee: &Expr, args: &[Expr]) -> Callee {
        match &callee.kind {
            ExprKind::Func(id) => Callee::Direct(self.func(*id)),
            ExprKind::Decay(inner) | ExprKind::AddrOf(inner) if self.is_function(inner.ty.ty) => {
                self.callee(inner, args)
            }
            ExprKind::Deref(pointer) => self.callee(pointer, args),
            _ => {
                let mut target = self.value(callee);
                for arg in args {
                    target = self.protect(target, arg);
                }
                Callee::Indirect(target)
            }
        }
    }

    /// The signature of a call: of a function without a prototype the arguments make it, as they do for
    /// structs passed through `...`, whose layout nothing else tells.
    fn call_signature(&mut self, function: TypeId, args: &[Expr]) -> ir::Sig {
        let CType::Function(ty) = self.m.unit.types.get(function) else {
            unreachable!("what is called has function type")
        };
        let fixed = ty.params.len();
        let by_layout = |arg: &Expr| match repr(&self.m.unit.types, arg.ty.ty) {
            Repr::Scalar(ty) => ty.is_complex(),
            Repr::Memory => true,
            Repr::Void => false,
        };
        if !ty.unprototyped && !args.iter().skip(fixed).any(by_layout) {
            return self.m.signature(function);
        }
        let (result, unprototyped) = (ty.result.ty, ty.unprototyped);
        let types = &self.m.unit.types;
        let over_aligned = args.iter().skip(fixed).find(|arg| by_layout(arg) && types.align(arg.ty.ty) > 16);
        if let Some(arg) = over_aligned {
            let message = "an argument aligned to more than 16 bytes is not supported where no prototype tells its type";
            self.m.limit(ids::ARGUMENT_ALIGNMENT_UNSUPPORTED, arg.span, message);
        }
        let mut params = match unprototyped {
            true => Vec::new(),
            false => {
                let declared = self.m.signature(function);
                self.m.module.signatures[declared].params.clone()
            }
        };
        let passed = args.iter().skip(params.len());
        params.extend(passed.filter_map(|arg| self.m.pass_by(arg.ty.ty)));
        let result = self.m.pass_by(result);
        self.m.intern_signature(ir::Signature { params, result, variadic: true })
    }

    fn arguments(&mut self, args: &[Expr]) -> Vec<Operand> {
        // Behind the last argument that may change variables, nothing needs to be kept.
        let changing = args.iter().rposition(|arg| !is_simple(arg)).unwrap_or(0);
        let mut operands = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let operand = self.argument(arg);
            operands.push(if index < changing { self.snapshot(operand) } else { operand });
        }
        operands
    }

    fn argument(&mut self, arg: &Expr) -> Operand {
        match repr(&self.m.unit.types, arg.ty.ty) {
            Repr::Scalar(ty) if ty.is_complex() => {
                let value = self.value(arg);
                let slot = self.temp_slot(arg.ty.ty);
                self.store(ty, slot_address(slot), value, ty.align(), false);
                Operand::Slot(slot)
            }
            Repr::Scalar(_) | Repr::Void => self.value(arg),
            Repr::Memory => {
                let memory = self.record(arg);
                // Functions rely on the alignment of a parameter's type, which a packed member does not have.
                if u64::from(memory.align) >= self.m.unit.types.align(arg.ty.ty) {
                    return self.address_value(memory.addr);
                }
                let slot = self.temp_slot(arg.ty.ty);
                let aligned = self.unnamed(slot_address(slot), arg.ty.ty);
                self.copy_record(aligned, memory, arg.ty.ty);
                Operand::Slot(slot)
            }
        }
    }
}
