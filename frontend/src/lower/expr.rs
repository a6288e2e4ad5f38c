//! Expressions as values, as conditions, for their effects, and as struct objects.

use super::function::{FnLower, slot_address};
use super::lvalue::Place;
use super::types::{Repr, repr};
use crate::ctype::{CType, TypeId};
use crate::typed::{self, BinaryOp as CBinaryOp, CastKind, Expr, ExprKind, FloatConst, UnaryOp as CUnaryOp};
use accrue_ir as ir;
use accrue_ir::{BinaryOp, Block, CmpOp, ConvertOp, Op, Operand, Type, UnaryOp};

/// An operand of an arithmetic operator.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// A value of the type that the operator computes in.
    Whole(Operand),
    /// The real part of a complex value that has no imaginary one.
    Real(Operand),
}

impl Part {
    fn map(self, f: impl FnOnce(Operand) -> Operand) -> Part {
        match self {
            Part::Whole(operand) => Part::Whole(f(operand)),
            Part::Real(operand) => Part::Real(f(operand)),
        }
    }
}

impl FnLower<'_, '_> {
    /// Evaluates an expression and drops its value.
    pub(super) fn effect(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Cast(CastKind::ToVoid, inner) => self.effect(inner),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.effect(b);
            }
            ExprKind::Conditional(condition, a, b) => {
                let [yes, no, end] = [(); 3].map(|()| self.new_block());
                self.branch(condition, yes, no);
                self.start(yes);
                self.effect(a);
                self.jump(end);
                self.start(no);
                self.effect(b);
                self.jump(end);
                self.start(end);
            }
            ExprKind::StmtExpr(stmts, last) => {
                let scope = self.open_scope();
                self.stmts(stmts);
                if let Some(last) = last {
                    self.effect(last);
                }
                self.close_scope(scope);
            }
            ExprKind::IncDec { .. } => {
                self.inc_dec(expr, false);
            }
            // A volatile object is read even if nothing needs the value.
            ExprKind::Load(place) => {
                let volatile = place.ty.quals.volatile;
                let place_of = self.place_or_record(place);
                if volatile && let Repr::Scalar(_) = repr(&self.m.unit.types, place.ty.ty) {
                    self.read(place_of, place.ty.ty);
                }
            }
            _ => match repr(&self.m.unit.types, expr.ty.ty) {
                Repr::Void if self.is_lvalue_like(expr) => {
                    self.place_or_record(expr);
                }
                Repr::Void => {
                    self.void(expr);
                }
                Repr::Scalar(_) => {
                    self.value(expr);
                }
                Repr::Memory => {
                    self.record(expr);
                }
            },
        }
    }

    fn is_lvalue_like(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Deref(_) | ExprKind::Var(_) | ExprKind::Member(..))
    }

    fn place_or_record(&mut self, expr: &Expr) -> Place {
        self.place(expr)
    }

    /// Evaluates an expression of type `void`.
    fn void(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call { callee, args } => {
                self.call(expr, callee, args, None);
            }
            ExprKind::Builtin(builtin, args) => {
                self.builtin(expr, *builtin, args);
            }
            ExprKind::Elvis { condition, otherwise, .. } => {
                let [end, no] = [(); 2].map(|()| self.new_block());
                self.branch(condition, end, no);
                self.start(no);
                self.effect(otherwise);
                self.jump(end);
                self.start(end);
            }
            _ => {}
        }
    }

    /// The value of a scalar expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Operand {
        let ty = match repr(&self.m.unit.types, expr.ty.ty) {
            Repr::Scalar(ty) => ty,
            Repr::Void => {
                self.effect(expr);
                return Operand::Int(Type::I32, 0);
            }
            Repr::Memory => {
                let memory = self.record(expr);
                return self.address_value(memory.addr);
            }
        };
        if ty == Type::C64 {
            self.refuse_extended_complex(expr.ty.ty, expr.span);
        }
        match &expr.kind {
            ExprKind::Int(value) => self.int_constant(*value, ty),
            ExprKind::Float(value) => self.float_constant(*value, ty),
            ExprKind::Complex(re, im) => {
                let re = self.value(re);
                let re = self.snapshot(re);
                let im = self.value(im);
                self.binary_as(BinaryOp::Complex, re, im, ty)
            }
            ExprKind::Load(place) => {
                let place_of = self.place(place);
                self.read(place_of, place.ty.ty)
            }
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => self.address_of(place),
            ExprKind::PtrAdd { .. } => {
                let address = self.pointer_address_of(expr);
                self.address_value(address)
            }
            ExprKind::PtrDiff(a, b) => self.pointer_difference(a, b),
            ExprKind::Unary(op, operand) => self.unary_expr(*op, operand, ty),
            ExprKind::Binary(op, a, b) => self.binary_expr(*op, a, b, ty),
            ExprKind::Assign(target, value) => self.assign(target, value),
            ExprKind::AssignOp { op, target, value, compute } => self.assign_op(*op, target, value, *compute),
            ExprKind::IncDec { .. } => self.inc_dec(expr, true),
            ExprKind::Conditional(condition, a, b) => self.conditional(condition, a, b, ty),
            ExprKind::Elvis { condition, convert, otherwise } => {
                self.elvis(condition, convert, otherwise, ty)
            }
            ExprKind::ConditionValue => match self.conditions.last() {
                Some(&value) => value,
                None => unreachable!("a condition's value is named only inside its expression"),
            },
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.value(b)
            }
            ExprKind::Call { callee, args } => match self.call(expr, callee, args, None) {
                Some(value) => value,
                None => self.zero(ty),
            },
            ExprKind::Cast(kind, inner) => self.cast(*kind, inner, expr.ty.ty, ty),
            ExprKind::StmtExpr(stmts, last) => {
                let scope = self.open_scope();
                self.stmts(stmts);
                let value = match last {
                    Some(last) => self.value(last),
                    None => self.zero(ty),
                };
                let value = if self.scope_ends.len() > scope.ends { self.snapshot(value) } else { value };
                self.close_scope(scope);
                value
            }
            ExprKind::VaArg(list) => {
                let list = self.value(list);
                if ty.is_complex() {
                    let agg = self.m.aggregate(expr.ty.ty);
                    let dst = self.temp(Type::Ptr);
                    self.emit(Op::VaArgAggregate { dst, list, agg });
                    return self.load(ty, super::function::pointer_address(dst), ty.align(), false);
                }
                let dst = self.temp(ty);
                self.emit(Op::VaArg { dst, list });
                Operand::Local(dst)
            }
            ExprKind::Builtin(builtin, args) => match self.builtin(expr, *builtin, args) {
                Some(value) => value,
                None => self.zero(ty),
            },
            ExprKind::LabelAddr(label) => Operand::Int(Type::Ptr, super::function::label_address(*label)),
            ExprKind::Var(_)
            | ExprKind::String(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::Part(..)
            | ExprKind::CompoundLiteral(..) => {
                let place = self.place(expr);
                self.read(place, expr.ty.ty)
            }
            ExprKind::Func(id) => Operand::Func(self.func(*id)),
        }
    }

    fn int_constant(&mut self, value: i128, ty: Type) -> Operand {
        if ty != Type::I128 {
            let spare = 64 - ty.int_bits().unwrap_or(64);
            return Operand::Int(ty, (value as i64) << spare >> spare);
        }
        if let Ok(small) = i64::try_from(value) {
            return Operand::Int(ty, small);
        }
        let high = Operand::Int(ty, (value >> 64) as i64);
        let high = self.binary(BinaryOp::Shl, high, Operand::Int(Type::I32, 64));
        let low = self.convert_op(ConvertOp::ZExt, Operand::Int(Type::I64, value as i64), ty);
        self.binary(BinaryOp::Or, high, low)
    }

    fn float_constant(&mut self, value: FloatConst, ty: Type) -> Operand {
        match (value, ty) {
            (FloatConst::Double(value), Type::F32) => Operand::f32(value as f32),
            (FloatConst::Double(value), Type::F80) => {
                self.convert_op(ConvertOp::FToF, Operand::f64(value), Type::F80)
            }
            (FloatConst::Double(value), _) => Operand::f64(value),
            (FloatConst::Extended(image), _) => {
                let slot = self.slot(16, 16, None);
                let low = i64::from_le_bytes(image[..8].try_into().expect("eight bytes"));
                let high = i64::from(u16::from_le_bytes([image[8], image[9]]));
                let address = slot_address(slot);
                self.store(Type::I64, address, Operand::Int(Type::I64, low), 8, false);
                let upper = ir::Address { offset: 8, ..address };
                self.store(Type::I64, upper, Operand::Int(Type::I64, high), 8, false);
                self.load(Type::F80, address, 16, false)
            }
        }
    }

    fn address_of(&mut self, place: &Expr) -> Operand {
        match &place.kind {
            ExprKind::Func(id) => return Operand::Func(self.func(*id)),
            ExprKind::Deref(pointer) if self.is_function(place.ty.ty) => return self.value(pointer),
            _ => {}
        }
        match self.place_of_address(place) {
            Place::Memory(memory) => self.address_value(memory.addr),
            Place::Local(_) | Place::Part(..) | Place::Bits(_) => {
                unreachable!("what has its address taken lives in memory")
            }
        }
    }

    fn pointer_difference(&mut self, a: &Expr, b: &Expr) -> Operand {
        let CType::Pointer(pointee) = *self.m.unit.types.get(a.ty.ty) else {
            unreachable!("pointer differences are of pointers")
        };
        let size = match repr(&self.m.unit.types, pointee.ty) {
            Repr::Void => Operand::Int(Type::I64, 1),
            Repr::Scalar(_) | Repr::Memory => self.size_of(pointee.ty),
        };
        let first = self.value(a);
        let first = self.protect(first, b);
        let second = self.value(b);
        let (first, second) = (self.pointer_to_int(first), self.pointer_to_int(second));
        let bytes = self.binary(BinaryOp::Sub, first, second);
        match size.as_int() {
            Some(0 | 1) => bytes,
            Some(size) if size.count_ones() == 1 => {
                self.binary(BinaryOp::AShr, bytes, Operand::Int(Type::I32, i64::from(size.trailing_zeros())))
            }
            _ => self.binary(BinaryOp::SDiv, bytes, size),
        }
    }

    fn unary_expr(&mut self, op: CUnaryOp, operand: &Expr, ty: Type) -> Operand {
        match op {
            CUnaryOp::Not => {
                let truth = self.condition(operand);
                let inverse = self.invert(truth);
                self.widen_truth(inverse, ty)
            }
            CUnaryOp::Neg => {
                let value = self.value(operand);
                match value {
                    Operand::Int(ty, constant) if ty != Type::I128 => {
                        let spare = 64 - ty.int_bits().unwrap_or(64);
                        Operand::Int(ty, constant.wrapping_neg() << spare >> spare)
                    }
                    Operand::F64(bits) => Operand::F64(bits ^ (1 << 63)),
                    Operand::F32(bits) => Operand::F32(bits ^ (1 << 31)),
                    _ => self.unary(UnaryOp::Neg, value),
                }
            }
            CUnaryOp::BitNot => {
                let value = self.value(operand);
                self.unary(UnaryOp::Not, value)
            }
            CUnaryOp::Conj => {
                let value = self.value(operand);
                self.unary(UnaryOp::Conj, value)
            }
            CUnaryOp::Real | CUnaryOp::Imag => {
                let value = self.value(operand);
                match (self.ty(value).is_complex(), op) {
                    (true, CUnaryOp::Real) => self.unary(UnaryOp::Re, value),
                    (true, _) => self.unary(UnaryOp::Im, value),
                    (false, CUnaryOp::Real) => value,
                    (false, _) => self.zero(ty),
                }
            }
        }
    }

    fn invert(&mut self, truth: Operand) -> Operand {
        match truth.as_int() {
            Some(value) => Operand::bool(value == 0),
            None => self.unary(UnaryOp::Not, truth),
        }
    }

    fn binary_expr(&mut self, op: CBinaryOp, a: &Expr, b: &Expr, ty: Type) -> Operand {
        match op {
            CBinaryOp::LogAnd | CBinaryOp::LogOr => self.logical(op, a, b, ty),
            _ if comparison(op, false).is_some() => {
                let truth = self.comparison(op, a, b);
                self.widen_truth(truth, ty)
            }
            _ => {
                // Long sums are left-deep; walk down the left spine instead of recursing.
                let mut spine = vec![(op, b, a.ty.ty)];
                let mut left = a;
                while let ExprKind::Binary(inner, x, y) = &left.kind
                    && arithmetic(*inner, true, false).is_some()
                {
                    spine.push((*inner, y, x.ty.ty));
                    left = x;
                }
                let mut value = self.part(left);
                while let Some((op, right, ty)) = spine.pop() {
                    let first = value.map(|operand| self.protect(operand, right));
                    let second = self.part(right);
                    value = Part::Whole(self.arithmetic(op, first, second, ty));
                }
                match value {
                    Part::Whole(value) | Part::Real(value) => value,
                }
            }
        }
    }

    /// The value of an operand of an arithmetic operator.
    fn part(&mut self, expr: &Expr) -> Part {
        match &expr.kind {
            ExprKind::Cast(CastKind::Arithmetic, inner)
                if self.m.unit.types.is_complex(expr.ty.ty) && !self.m.unit.types.is_complex(inner.ty.ty) =>
            {
                let real = self.value(inner);
                let part = match self.m.unit.types.get(expr.ty.ty) {
                    CType::Complex(kind) => kind.type_id(),
                    _ => inner.ty.ty,
                };
                Part::Real(self.convert(real, inner.ty.ty, part))
            }
            _ => Part::Whole(self.value(expr)),
        }
    }

    /// An arithmetic operator on two values of type `ty` (shifts: the left one's).
    pub(super) fn arithmetic(&mut self, op: CBinaryOp, a: Part, b: Part, ty: TypeId) -> Operand {
        let (a, b) = match (a, b) {
            (Part::Whole(a), Part::Whole(b)) => (a, b),
            (Part::Whole(a), Part::Real(b)) => return self.complex_and_real(op, a, b),
            (Part::Real(a), Part::Whole(b)) => return self.real_and_complex(op, a, b),
            (Part::Real(a), Part::Real(b)) => (self.as_complex(a), self.as_complex(b)),
        };
        let scalar = self.ty(a);
        let float = scalar.is_float() || scalar.is_complex();
        let signed = self.m.unit.types.is_signed(ty);
        match arithmetic(op, signed, float) {
            Some(op) => self.binary(op, a, b),
            None => unreachable!("comparisons and logical operators are not arithmetic"),
        }
    }

    fn as_complex(&mut self, real: Operand) -> Operand {
        let part = self.ty(real);
        let im = self.zero(part);
        self.binary_as(BinaryOp::Complex, real, im, complex_of(part))
    }

    fn complex_and_real(&mut self, op: CBinaryOp, complex: Operand, real: Operand) -> Operand {
        let ty = self.ty(complex);
        let (re, im) = (self.unary(UnaryOp::Re, complex), self.unary(UnaryOp::Im, complex));
        let (re, im) = match op {
            CBinaryOp::Add => (self.binary(BinaryOp::Add, re, real), im),
            CBinaryOp::Sub => (self.binary(BinaryOp::Sub, re, real), im),
            CBinaryOp::Mul => (self.binary(BinaryOp::Mul, re, real), self.binary(BinaryOp::Mul, im, real)),
            _ => (self.binary(BinaryOp::FDiv, re, real), self.binary(BinaryOp::FDiv, im, real)),
        };
        self.binary_as(BinaryOp::Complex, re, im, ty)
    }

    fn real_and_complex(&mut self, op: CBinaryOp, real: Operand, complex: Operand) -> Operand {
        let ty = self.ty(complex);
        if op == CBinaryOp::Div {
            let dividend = self.as_complex(real);
            return self.binary(BinaryOp::FDiv, dividend, complex);
        }
        let (re, im) = (self.unary(UnaryOp::Re, complex), self.unary(UnaryOp::Im, complex));
        let (re, im) = match op {
            CBinaryOp::Add => (self.binary(BinaryOp::Add, real, re), im),
            CBinaryOp::Sub => (self.binary(BinaryOp::Sub, real, re), self.unary(UnaryOp::Neg, im)),
            _ => (self.binary(BinaryOp::Mul, real, re), self.binary(BinaryOp::Mul, real, im)),
        };
        self.binary_as(BinaryOp::Complex, re, im, ty)
    }

    fn comparison(&mut self, op: CBinaryOp, a: &Expr, b: &Expr) -> Operand {
        let types = &self.m.unit.types;
        let unsigned = match repr(types, a.ty.ty) {
            Repr::Scalar(ty) if ty.is_float() || ty.is_complex() => false,
            _ => !types.is_signed(a.ty.ty),
        };
        let Some(op) = comparison(op, unsigned) else { unreachable!("the operator compares") };
        let first = self.value(a);
        let first = self.protect(first, b);
        let second = self.value(b);
        self.compare(op, first, second)
    }

    fn logical(&mut self, op: CBinaryOp, a: &Expr, b: &Expr, ty: Type) -> Operand {
        let result = self.temp(ty);
        let [right, end] = [(); 2].map(|()| self.new_block());
        let short = i64::from(op == CBinaryOp::LogOr);
        self.copy(result, Operand::Int(ty, short));
        match op {
            CBinaryOp::LogAnd => self.branch(a, right, end),
            _ => self.branch(a, end, right),
        }
        self.start(right);
        let truth = self.condition(b);
        let value = self.widen_truth(truth, ty);
        self.copy(result, value);
        self.jump(end);
        self.start(end);
        Operand::Local(result)
    }

    /// A condition as a truth value.
    pub(super) fn condition(&mut self, expr: &Expr) -> Operand {
        match &expr.kind {
            ExprKind::Comma(first, last) => {
                self.effect(first);
                self.condition(last)
            }
            ExprKind::Binary(CBinaryOp::Ne, truth, zero) if is_truth(truth) && is_zero(zero) => {
                self.condition(truth)
            }
            ExprKind::Binary(CBinaryOp::Eq, truth, zero) if is_truth(truth) && is_zero(zero) => {
                let truth = self.condition(truth);
                self.invert(truth)
            }
            ExprKind::Binary(op, a, b) if comparison(*op, false).is_some() => self.comparison(*op, a, b),
            ExprKind::Unary(CUnaryOp::Not, inner) => {
                let truth = self.condition(inner);
                self.invert(truth)
            }
            ExprKind::Cast(CastKind::ToBool, inner) => self.condition(inner),
            ExprKind::Cast(CastKind::Arithmetic, inner) if self.keeps_truth(inner.ty.ty, expr.ty.ty) => {
                self.condition(inner)
            }
            ExprKind::Builtin(typed::Builtin::Expect, args) => {
                for hint in &args[1..] {
                    self.effect(hint);
                }
                self.condition(&args[0])
            }
            _ => {
                let value = self.value(expr);
                self.truth(value)
            }
        }
    }

    /// Whether a conversion between integers cannot turn a nonzero value into zero.
    fn keeps_truth(&self, from: TypeId, to: TypeId) -> bool {
        let types = &self.m.unit.types;
        match (repr(types, from), repr(types, to)) {
            (Repr::Scalar(from), Repr::Scalar(to)) => {
                from.is_int() && to.is_int() && to.bytes() >= from.bytes()
            }
            _ => false,
        }
    }

    /// Jumps to `then` or `otherwise`; `&&`, `||` and `!` become control flow.
    pub(super) fn branch(&mut self, expr: &Expr, then: Block, otherwise: Block) {
        match &expr.kind {
            ExprKind::Binary(op @ (CBinaryOp::LogAnd | CBinaryOp::LogOr), a, b) => {
                let middle = self.new_block();
                match op {
                    CBinaryOp::LogAnd => self.branch(a, middle, otherwise),
                    _ => self.branch(a, then, middle),
                }
                self.start(middle);
                self.branch(b, then, otherwise);
            }
            ExprKind::Comma(first, last) => {
                self.effect(first);
                self.branch(last, then, otherwise);
            }
            ExprKind::Binary(CBinaryOp::Ne, truth, zero) if is_truth(truth) && is_zero(zero) => {
                self.branch(truth, then, otherwise);
            }
            ExprKind::Binary(CBinaryOp::Eq, truth, zero) if is_truth(truth) && is_zero(zero) => {
                self.branch_unless(truth, then, otherwise);
            }
            ExprKind::Unary(CUnaryOp::Not, inner) => self.branch_unless(inner, then, otherwise),
            ExprKind::Cast(CastKind::ToBool, inner) => self.branch(inner, then, otherwise),
            ExprKind::Cast(CastKind::Arithmetic, inner) if self.keeps_truth(inner.ty.ty, expr.ty.ty) => {
                self.branch(inner, then, otherwise);
            }
            _ => {
                let condition = self.condition(expr);
                self.branch_on(condition, then, otherwise);
            }
        }
    }

    /// Jumps to `then` where a condition does not hold. Numbers that are ordered compare the other way round,
    /// so that a loop goes on where the comparison in its header holds: `while (!(i >= n))`.
    fn branch_unless(&mut self, expr: &Expr, then: Block, otherwise: Block) {
        match &expr.kind {
            ExprKind::Binary(op, a, b) if !is_truth(a) && self.is_ordered(a) => match opposite(*op) {
                Some(op) => {
                    let condition = self.comparison(op, a, b);
                    self.branch_on(condition, then, otherwise);
                }
                None => self.branch(expr, otherwise, then),
            },
            _ => self.branch(expr, otherwise, then),
        }
    }

    /// Whether of two values of this expression's type, one is less, or both are equal.
    fn is_ordered(&self, expr: &Expr) -> bool {
        matches!(repr(&self.m.unit.types, expr.ty.ty), Repr::Scalar(ty) if ty.is_int() || ty == Type::Ptr)
    }

    fn assign(&mut self, target: &Expr, value: &Expr) -> Operand {
        // The value comes first when that saves keeping an address alive over a call; C leaves the order
        // open.
        let result = self.value(value);
        let result = self.protect(result, target);
        let place = self.place(target);
        self.write(place, target.ty.ty, result)
    }

    fn assign_op(&mut self, op: CBinaryOp, target: &Expr, value: &Expr, compute: TypeId) -> Operand {
        let ty = target.ty.ty;
        let operand = self.part(value).map(|operand| self.protect(operand, target));
        let place = self.place(target);
        let (_, new) = self.update(place, ty, |lower, old| {
            if let (CType::Pointer(_), Part::Whole(index)) = (lower.m.unit.types.get(ty), operand) {
                return lower.step_pointer(old, index, ty, op == CBinaryOp::Sub);
            }
            let old = match *lower.m.unit.types.get(compute) {
                CType::Complex(kind) if !lower.m.unit.types.is_complex(ty) => {
                    Part::Real(lower.convert(old, ty, kind.type_id()))
                }
                _ => Part::Whole(lower.convert(old, ty, compute)),
            };
            let new = lower.arithmetic(op, old, operand, compute);
            lower.convert(new, compute, ty)
        });
        new
    }

    /// A pointer moved by a number of elements.
    pub(super) fn step_pointer(
        &mut self,
        pointer: Operand,
        index: Operand,
        ty: TypeId,
        back: bool,
    ) -> Operand {
        let CType::Pointer(pointee) = *self.m.unit.types.get(ty) else {
            unreachable!("pointers are stepped")
        };
        let size = match repr(&self.m.unit.types, pointee.ty) {
            Repr::Void => Operand::Int(Type::I64, 1),
            Repr::Scalar(_) | Repr::Memory => self.size_of(pointee.ty),
        };
        let sign = if back { -1 } else { 1 };
        match (size.as_int(), index.as_int()) {
            (Some(size), Some(index)) => {
                let offset = size.wrapping_mul(index).wrapping_mul(sign);
                self.index(pointer, Operand::Int(Type::I64, 0), 0, offset)
            }
            (Some(size), None) => self.index(pointer, index, size.wrapping_mul(sign), 0),
            (None, _) => {
                let bytes = self.binary(BinaryOp::Mul, index, size);
                self.index(pointer, bytes, sign, 0)
            }
        }
    }

    /// `++` and `--`; `needed` says whether the result is used.
    fn inc_dec(&mut self, expr: &Expr, needed: bool) -> Operand {
        let ExprKind::IncDec { target, increment, prefix } = &expr.kind else {
            unreachable!("called for increments and decrements")
        };
        let ty = target.ty.ty;
        let place = self.place(target);
        let boolean = self.is_bool_type(ty);
        let step = |lower: &mut Self, old: Operand| {
            if let CType::Pointer(_) = lower.m.unit.types.get(ty) {
                return lower.step_pointer(old, Operand::Int(Type::I64, 1), ty, !increment);
            }
            let scalar = lower.ty(old);
            if boolean {
                // `b++` sets it; `b--` toggles it (C11 6.5.2.4, by way of `b + 1` and `b - 1` converted to
                // `_Bool`).
                return match increment {
                    true => Operand::Int(scalar, 1),
                    false => lower.binary(BinaryOp::Xor, old, Operand::Int(scalar, 1)),
                };
            }
            let one = lower.one(scalar);
            let op = if *increment { BinaryOp::Add } else { BinaryOp::Sub };
            lower.binary(op, old, one)
        };
        if let Place::Local(local) = place
            && !needed
        {
            let new = step(self, Operand::Local(local));
            self.copy(local, new);
            return new;
        }
        let (old, new) = self.update(place, ty, step);
        if *prefix { new } else { old }
    }

    fn one(&mut self, ty: Type) -> Operand {
        match ty {
            Type::F32 => Operand::f32(1.0),
            Type::F64 => Operand::f64(1.0),
            Type::F80 => self.convert_op(ConvertOp::FToF, Operand::f64(1.0), Type::F80),
            Type::C32 | Type::C64 => {
                let (re, im) = (self.one(ty.element()), self.zero(ty.element()));
                self.binary_as(BinaryOp::Complex, re, im, ty)
            }
            other => Operand::Int(other, 1),
        }
    }

    fn conditional(&mut self, condition: &Expr, a: &Expr, b: &Expr, ty: Type) -> Operand {
        if super::lvalue::is_simple(a) && super::lvalue::is_simple(b) && is_cheap(a) && is_cheap(b) {
            let cond = self.condition(condition);
            let (a, b) = (self.value(a), self.value(b));
            return match cond.as_int() {
                Some(0) => b,
                Some(_) => a,
                None => self.select(cond, a, b),
            };
        }
        let result = self.temp(ty);
        let [yes, no, end] = [(); 3].map(|()| self.new_block());
        self.branch(condition, yes, no);
        self.start(yes);
        let value = self.value(a);
        self.copy(result, value);
        self.jump(end);
        self.start(no);
        let value = self.value(b);
        self.copy(result, value);
        self.jump(end);
        self.start(end);
        Operand::Local(result)
    }

    fn elvis(&mut self, condition: &Expr, convert: &Expr, otherwise: &Expr, ty: Type) -> Operand {
        let result = self.temp(ty);
        let [yes, no, end] = [(); 3].map(|()| self.new_block());
        let value = self.value(condition);
        let value = self.snapshot(value);
        let truth = self.truth(value);
        self.branch_on(truth, yes, no);
        self.start(yes);
        self.conditions.push(value);
        let converted = self.value(convert);
        self.conditions.pop();
        self.copy(result, converted);
        self.jump(end);
        self.start(no);
        let other = self.value(otherwise);
        self.copy(result, other);
        self.jump(end);
        self.start(end);
        Operand::Local(result)
    }

    fn cast(&mut self, kind: CastKind, inner: &Expr, to: TypeId, ty: Type) -> Operand {
        match kind {
            CastKind::ToVoid => {
                self.effect(inner);
                self.zero(ty)
            }
            CastKind::ToBool => {
                let truth = self.condition(inner);
                self.widen_truth(truth, ty)
            }
            CastKind::Arithmetic | CastKind::Pointer | CastKind::IntToPointer | CastKind::PointerToInt => {
                let value = self.value(inner);
                self.convert(value, inner.ty.ty, to)
            }
        }
    }
}

/// The complex type with parts of a type.
fn complex_of(part: Type) -> Type {
    if part == Type::F32 { Type::C32 } else { Type::C64 }
}

/// Whether both arms of a conditional may be evaluated: no memory access that the condition may guard, no
/// division.
fn is_cheap(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) => true,
        ExprKind::Load(place) => matches!(place.kind, ExprKind::Var(_)) && !place.ty.quals.volatile,
        ExprKind::Cast(CastKind::Arithmetic | CastKind::Pointer, inner) => is_cheap(inner),
        ExprKind::Unary(CUnaryOp::Neg, inner) => is_cheap(inner),
        ExprKind::Binary(CBinaryOp::Add | CBinaryOp::Sub, a, b) => is_cheap(a) && is_cheap(b),
        _ => false,
    }
}

/// The IR operation of an arithmetic operator; `None` for comparisons and logical operators.
pub(super) fn arithmetic(op: CBinaryOp, signed: bool, float: bool) -> Option<BinaryOp> {
    Some(match op {
        CBinaryOp::Add => BinaryOp::Add,
        CBinaryOp::Sub => BinaryOp::Sub,
        CBinaryOp::Mul => BinaryOp::Mul,
        CBinaryOp::Div if float => BinaryOp::FDiv,
        CBinaryOp::Div if signed => BinaryOp::SDiv,
        CBinaryOp::Div => BinaryOp::UDiv,
        CBinaryOp::Rem if signed => BinaryOp::SRem,
        CBinaryOp::Rem => BinaryOp::URem,
        CBinaryOp::Shl => BinaryOp::Shl,
        CBinaryOp::Shr if signed => BinaryOp::AShr,
        CBinaryOp::Shr => BinaryOp::LShr,
        CBinaryOp::BitAnd => BinaryOp::And,
        CBinaryOp::BitOr => BinaryOp::Or,
        CBinaryOp::BitXor => BinaryOp::Xor,
        CBinaryOp::Lt | CBinaryOp::Gt | CBinaryOp::Le | CBinaryOp::Ge | CBinaryOp::Eq | CBinaryOp::Ne => {
            return None;
        }
        CBinaryOp::LogAnd | CBinaryOp::LogOr => return None,
    })
}

/// The comparison that holds of ordered values where one does not.
fn opposite(op: CBinaryOp) -> Option<CBinaryOp> {
    Some(match op {
        CBinaryOp::Eq => CBinaryOp::Ne,
        CBinaryOp::Ne => CBinaryOp::Eq,
        CBinaryOp::Lt => CBinaryOp::Ge,
        CBinaryOp::Ge => CBinaryOp::Lt,
        CBinaryOp::Gt => CBinaryOp::Le,
        CBinaryOp::Le => CBinaryOp::Gt,
        _ => return None,
    })
}

/// Whether the value of an expression is 0 or 1 because it is what C makes of a truth value.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(op, ..) => {
            matches!(op, CBinaryOp::LogAnd | CBinaryOp::LogOr) || comparison(*op, false).is_some()
        }
        ExprKind::Unary(CUnaryOp::Not, _) | ExprKind::Cast(CastKind::ToBool, _) => true,
        ExprKind::Comma(_, last) => is_truth(last),
        _ => false,
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int(0))
}

/// The IR comparison of a C comparison operator.
pub(super) fn comparison(op: CBinaryOp, unsigned: bool) -> Option<CmpOp> {
    Some(match (op, unsigned) {
        (CBinaryOp::Eq, _) => CmpOp::Eq,
        (CBinaryOp::Ne, _) => CmpOp::Ne,
        (CBinaryOp::Lt, false) => CmpOp::Lt,
        (CBinaryOp::Le, false) => CmpOp::Le,
        (CBinaryOp::Gt, false) => CmpOp::Gt,
        (CBinaryOp::Ge, false) => CmpOp::Ge,
        (CBinaryOp::Lt, true) => CmpOp::ULt,
        (CBinaryOp::Le, true) => CmpOp::ULe,
        (CBinaryOp::Gt, true) => CmpOp::UGt,
        (CBinaryOp::Ge, true) => CmpOp::UGe,
        _ => return None,
    })
}
