//! Operators: unary, binary, assignment, conditional.

use super::constant::{self, IntFold};
use super::convert::AssignTo;
use super::{Sema, ids};
use crate::ast::{self, BinaryOp, ExprKind as Ast};
use crate::ctype::{QualType, TypeId};
use crate::diag::{Diagnostic, Id};
use crate::source::Span;
use crate::typed::*;

/// The operator as written.
pub(crate) fn spelling(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
}

impl Sema<'_> {
    /// `a op b op c ...`: the left spine is walked in a loop, since generated code has thousands of terms.
    pub(super) fn binary_chain(&mut self, expr: &ast::Expr) -> Expr {
        let mut spine = Vec::new();
        let mut node = expr;
        while let Ast::Binary(op, op_span, left, right) = &node.kind {
            spine.push((*op, *op_span, right, node.span));
            node = left;
        }
        // What is not folded nests as deep as the chain is long, and the stages behind recurse.
        const LONGEST: usize = 4000;
        if spine.len() > LONGEST {
            let message = format!("an expression of more than {LONGEST} operators in a row is not supported");
            self.error(ids::NESTING_UNSUPPORTED, expr.span, message);
            return self.error_expr(expr.span);
        }
        let mut left = self.rvalue(node);
        for (op, op_span, right, span) in spine.into_iter().rev() {
            // The right side of `0 && x` is not evaluated.
            let skipped = match op {
                BinaryOp::LogAnd => constant::truth(&left) == Some(false),
                BinaryOp::LogOr => constant::truth(&left) == Some(true),
                _ => false,
            };
            self.skipped += u32::from(skipped);
            let right = self.rvalue(right);
            self.skipped -= u32::from(skipped);
            left = self.binary(op, op_span, left, right, span);
        }
        left
    }

    /// `left op right`, of analysed values.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Expr {
        if self.is_error(&left) || self.is_error(&right) {
            return self.error_expr(span);
        }
        let types = &self.types;
        let (a, b) = (left.ty.ty, right.ty.ty);
        let arithmetic = types.is_arithmetic(a) && types.is_arithmetic(b);
        let integers = types.is_integer(a) && types.is_integer(b);
        let pointer = types.is_pointer(a) || types.is_pointer(b);
        let valid = match op {
            BinaryOp::Add if types.is_pointer(a) && types.is_integer(b) => {
                return self.pointer_add(left, right, false, span);
            }
            BinaryOp::Add if types.is_integer(a) && types.is_pointer(b) => {
                return self.pointer_add(right, left, false, span);
            }
            BinaryOp::Sub if types.is_pointer(a) && types.is_integer(b) => {
                return self.pointer_add(left, right, true, span);
            }
            BinaryOp::Sub if types.is_pointer(a) && types.is_pointer(b) => {
                return self.pointer_difference(op_span, left, right, span);
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge
                if pointer =>
            {
                return self.compare_pointers(op, op_span, left, right, span);
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Eq | BinaryOp::Ne => {
                arithmetic
            }
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => types.is_real(a) && types.is_real(b),
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => integers,
            BinaryOp::Shl | BinaryOp::Shr if integers => return self.shift(op, op_span, left, right, span),
            BinaryOp::Shl | BinaryOp::Shr => false,
            BinaryOp::LogAnd | BinaryOp::LogOr if types.is_scalar(a) && types.is_scalar(b) => {
                return self.logical(op, left, right, span);
            }
            BinaryOp::LogAnd | BinaryOp::LogOr => false,
        };
        if !valid {
            return self.invalid_operands(op, op_span, &left, &right, span);
        }
        let (left, right, common) = self.usual_conversions(left, right);
        let ty = if is_comparison(op) { TypeId::INT } else { common };
        self.arithmetic(op, left, right, ty, span)
    }

    fn invalid_operands(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Expr {
        let (a, b) = (self.type_text(left.ty), self.type_text(right.ty));
        let message = format!("invalid operands to binary {} (have '{a}' and '{b}')", spelling(op));
        let diagnostic = Diagnostic::error(ids::INVALID_OPERANDS, op_span, message);
        self.emit(diagnostic.related(left.span, format!("'{a}'")).related(right.span, format!("'{b}'")));
        self.error_expr(span)
    }

    /// An operator on operands of one arithmetic type, folded if both are constant; `ty` is the type of the
    /// result.
    pub(crate) fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        let kind = match self.fold_binary(op, &left, &right, ty, span) {
            Some(kind) => kind,
            None => ExprKind::Binary(op, Box::new(left), Box::new(right)),
        };
        Expr { kind, ty: QualType::plain(ty), span }
    }

    fn fold_binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        ty: TypeId,
        span: Span,
    ) -> Option<ExprKind> {
        match (&left.kind, &right.kind) {
            (ExprKind::Int(a), ExprKind::Int(b)) => {
                let kind = constant::int_type(&self.types, left.ty.ty)?;
                self.fold_integers(op, constant::fold_int(op, kind, *a, *b), kind.name(), span)
                    .map(ExprKind::Int)
            }
            (_, ExprKind::Int(0)) if matches!(op, BinaryOp::Div | BinaryOp::Rem) => {
                self.warn_evaluated(ids::DIV_BY_ZERO, span, "division by zero");
                None
            }
            (ExprKind::Float(a), ExprKind::Float(b)) => {
                let kind = self.types.float_kind(left.ty.ty)?;
                if let Some(truth) = constant::compare_floats(op, kind, *a, *b) {
                    return Some(ExprKind::Int(i128::from(truth)));
                }
                constant::fold_float(op, kind, *a, *b, self.static_fold).map(ExprKind::Float)
            }
            (ExprKind::Complex(re_a, im_a), ExprKind::Complex(re_b, im_b)) => {
                let kind = self.types.complex_kind(ty)?;
                let value =
                    |part: &Expr| if let ExprKind::Float(value) = part.kind { Some(value) } else { None };
                let a = [value(re_a)?, value(im_a)?];
                let b = [value(re_b)?, value(im_b)?];
                let [re, im] = constant::fold_complex(op, kind, a, b)?;
                let part = |value| {
                    Box::new(Expr { kind: ExprKind::Float(value), ty: QualType::plain(kind.type_id()), span })
                };
                Some(ExprKind::Complex(part(re), part(im)))
            }
            _ => None,
        }
    }

    fn fold_integers(&mut self, op: BinaryOp, fold: IntFold, type_name: &str, span: Span) -> Option<i128> {
        match fold {
            IntFold::Value(value) => Some(value),
            IntFold::Overflow(value) => {
                let message =
                    format!("integer overflow in expression of type '{type_name}' results in '{value}'");
                self.warn_evaluated(ids::OVERFLOW, span, &message);
                Some(value)
            }
            IntFold::DivideByZero => {
                self.warn_evaluated(ids::DIV_BY_ZERO, span, "division by zero");
                None
            }
            IntFold::BadShift => {
                let side = if op == BinaryOp::Shl { "left" } else { "right" };
                let message = format!("{side} shift count is negative or at least the width of the type");
                self.warn_evaluated(ids::SHIFT_COUNT, span, &message);
                None
            }
        }
    }

    /// Warns about something that happens only where the expression is evaluated.
    fn warn_evaluated(&mut self, id: &'static Id, span: Span, message: &str) {
        if self.unevaluated == 0 && self.skipped == 0 {
            self.warn(id, span, message);
        }
    }

    fn shift(&mut self, op: BinaryOp, op_span: Span, left: Expr, right: Expr, span: Span) -> Expr {
        let (left, right) = (self.promote(left), self.promote(right));
        let ty = left.ty.ty;
        if let ExprKind::Int(count) = right.kind {
            let width = self.types.int_kind(ty).map_or(0, |kind| i128::from(kind.bits()));
            if !matches!(left.kind, ExprKind::Int(_)) && (count < 0 || count >= width) {
                self.fold_integers(op, IntFold::BadShift, "", op_span);
            }
        }
        self.arithmetic(op, left, right, ty, span)
    }

    fn logical(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let ty = QualType::plain(TypeId::INT);
        let decided = op == BinaryOp::LogOr;
        let (a, b) = (constant::truth(&left), constant::truth(&right));
        match (a, b) {
            (Some(a), _) if a == decided => self.int_expr(i128::from(decided), TypeId::INT, span),
            (Some(_), Some(b)) => self.int_expr(i128::from(b), TypeId::INT, span),
            _ => Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span },
        }
    }

    /// The index of pointer arithmetic, widened to 64 bits; reports pointers that have none.
    fn pointer_index(&mut self, target: QualType, index: Expr, span: Span) -> Option<Expr> {
        if !self.steps_by_bytes(target) && !self.types.is_complete(target.ty) {
            let message = format!("arithmetic on pointer to incomplete type '{}'", self.type_text(target));
            self.error(ids::INCOMPLETE_TYPE, span, message);
            return None;
        }
        let index = self.promote(index);
        let wide = if self.types.is_signed(index.ty.ty) { TypeId::LONG } else { TypeId::ULONG };
        Some(self.convert(index, wide))
    }

    /// GNU: pointers to void and to functions step by bytes.
    fn steps_by_bytes(&self, target: QualType) -> bool {
        target.ty == TypeId::VOID || self.types.is_function(target.ty)
    }

    /// `pointer + index`, or minus.
    pub(crate) fn pointer_add(&mut self, pointer: Expr, index: Expr, subtract: bool, span: Span) -> Expr {
        let ty = pointer.ty;
        let Some(target) = self.types.pointee(ty.ty) else { return self.error_expr(span) };
        let Some(index) = self.pointer_index(target, index, span) else { return self.error_expr(span) };
        let pointer =
            if self.steps_by_bytes(target) { self.convert(pointer, TypeId::CHAR_PTR) } else { pointer };
        let inner = pointer.ty;
        let kind = ExprKind::PtrAdd { pointer: Box::new(pointer), index: Box::new(index), subtract };
        let sum = self.fold_pointer_add(Expr { kind, ty: inner, span });
        self.convert(sum, ty.ty)
    }

    /// Arithmetic on a constant address (`(char *)0 + 4`) is done now.
    fn fold_pointer_add(&mut self, sum: Expr) -> Expr {
        let ExprKind::PtrAdd { pointer, index, .. } = &sum.kind else { return sum };
        if !matches!((&pointer.kind, &index.kind), (ExprKind::Int(_), ExprKind::Int(_))) {
            return sum;
        }
        match constant::absolute_address(&self.types, &sum) {
            Some(value) => Expr { kind: ExprKind::Int(i128::from(value as u64)), ..sum },
            None => sum,
        }
    }

    fn pointer_difference(&mut self, op_span: Span, left: Expr, right: Expr, span: Span) -> Expr {
        let (Some(a), Some(b)) = (self.types.pointee(left.ty.ty), self.types.pointee(right.ty.ty)) else {
            return self.error_expr(span);
        };
        if !self.types.compatible(a.ty, b.ty) {
            return self.invalid_operands(BinaryOp::Sub, op_span, &left, &right, span);
        }
        let bytes = self.steps_by_bytes(a);
        if !bytes && !self.types.is_complete(a.ty) {
            let message = format!("arithmetic on pointer to incomplete type '{}'", self.type_text(a));
            self.error(ids::INCOMPLETE_TYPE, span, message);
            return self.error_expr(span);
        }
        let common = if bytes { TypeId::CHAR_PTR } else { left.ty.ty };
        let (left, right) = (self.convert(left, common), self.convert(right, common));
        let ty = QualType::plain(TypeId::PTRDIFF);
        let size = if bytes { Some(1) } else { self.types.size(a.ty) };
        if let (Some(x), Some(y)) =
            (constant::address(&self.types, &left), constant::address(&self.types, &right))
            && let (true, Some(size @ 1..)) = (x.base == y.base, size)
        {
            let difference = i128::from(x.offset) - i128::from(y.offset);
            return self.int_expr(difference / i128::from(size), TypeId::PTRDIFF, span);
        }
        Expr { kind: ExprKind::PtrDiff(Box::new(left), Box::new(right)), ty, span }
    }

    fn compare_pointers(&mut self, op: BinaryOp, op_span: Span, left: Expr, right: Expr, span: Span) -> Expr {
        let (a, b) = (left.ty.ty, right.ty.ty);
        let common = match (self.types.pointee(a), self.types.pointee(b)) {
            (Some(x), Some(y)) => {
                let void = x.ty == TypeId::VOID || y.ty == TypeId::VOID;
                let null = self.is_null_constant(&left) || self.is_null_constant(&right);
                let (p, q) = (self.types.innermost_element(x).ty, self.types.innermost_element(y).ty);
                if !void && !null && !self.types.compatible(x.ty, y.ty) && !self.types.compatible(p, q) {
                    let (have, other) = (self.type_text(left.ty), self.type_text(right.ty));
                    let message =
                        format!("comparison of distinct pointer types '{have}' and '{other}' lacks a cast");
                    self.warn(ids::COMPARE_DISTINCT_POINTER_TYPES, op_span, message);
                }
                if a == b { a } else { TypeId::VOID_PTR }
            }
            (Some(_), None) if self.types.is_integer(b) => {
                if !self.is_null_constant(&right) {
                    self.warn(
                        ids::POINTER_INTEGER_COMPARE,
                        op_span,
                        "comparison between pointer and integer",
                    );
                }
                a
            }
            (None, Some(_)) if self.types.is_integer(a) => {
                if !self.is_null_constant(&left) {
                    self.warn(
                        ids::POINTER_INTEGER_COMPARE,
                        op_span,
                        "comparison between pointer and integer",
                    );
                }
                b
            }
            _ => return self.invalid_operands(op, op_span, &left, &right, span),
        };
        let (left, right) = (self.convert(left, common), self.convert(right, common));
        if let (ExprKind::Int(x), ExprKind::Int(y)) = (&left.kind, &right.kind)
            && let IntFold::Value(truth) = constant::fold_int(op, crate::ctype::IntKind::ULong, *x, *y)
        {
            return self.int_expr(truth, TypeId::INT, span);
        }
        let ty = QualType::plain(TypeId::INT);
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
    }

    /// Prefix operators.
    pub(super) fn unary(&mut self, op: ast::UnaryOp, inner: &ast::Expr, span: Span) -> Expr {
        match op {
            ast::UnaryOp::PreInc => self.inc_dec(inner, true, true, span),
            ast::UnaryOp::PreDec => self.inc_dec(inner, false, true, span),
            ast::UnaryOp::AddrOf => self.address_of(inner, span),
            ast::UnaryOp::Deref => {
                let pointer = self.rvalue(inner);
                self.dereference(pointer, span)
            }
            ast::UnaryOp::Real | ast::UnaryOp::Imag => {
                self.complex_part(inner, op == ast::UnaryOp::Imag, span)
            }
            ast::UnaryOp::Not => {
                let operand = self.rvalue(inner);
                let operand = self.condition(operand);
                self.unary_value(UnaryOp::Not, operand, TypeId::INT, span)
            }
            ast::UnaryOp::Plus | ast::UnaryOp::Minus | ast::UnaryOp::BitNot => {
                let operand = self.rvalue(inner);
                self.signed_unary(op, operand, span)
            }
        }
    }

    fn signed_unary(&mut self, op: ast::UnaryOp, operand: Expr, span: Span) -> Expr {
        let ty = operand.ty.ty;
        if self.is_error(&operand) {
            return self.error_expr(span);
        }
        let complex = self.types.is_complex(ty);
        let (valid, name) = match op {
            ast::UnaryOp::Plus => (self.types.is_arithmetic(ty), "plus"),
            ast::UnaryOp::Minus => (self.types.is_arithmetic(ty), "minus"),
            _ => (self.types.is_integer(ty) || complex, "bit-complement"),
        };
        if !valid {
            let message =
                format!("wrong type argument to unary {name} (have '{}')", self.type_text(operand.ty));
            self.error(ids::INVALID_OPERAND, span, message);
            return self.error_expr(span);
        }
        let operand = self.promote(operand);
        let ty = operand.ty.ty;
        match op {
            ast::UnaryOp::Plus => Expr { span, ..operand },
            ast::UnaryOp::Minus => self.unary_value(UnaryOp::Neg, operand, ty, span),
            _ if complex => self.unary_value(UnaryOp::Conj, operand, ty, span),
            _ => self.unary_value(UnaryOp::BitNot, operand, ty, span),
        }
    }

    /// A unary operator on a value, folded if that is constant.
    pub(crate) fn unary_value(&mut self, op: UnaryOp, operand: Expr, ty: TypeId, span: Span) -> Expr {
        if self.is_error(&operand) {
            return self.error_expr(span);
        }
        let kind = constant::fold_unary(&self.types, op, &operand);
        let kind = kind.unwrap_or_else(|| ExprKind::Unary(op, Box::new(operand)));
        Expr { kind, ty: QualType::plain(ty), span }
    }

    /// `__real__` and `__imag__`.
    fn complex_part(&mut self, inner: &ast::Expr, imaginary: bool, span: Span) -> Expr {
        let operand = self.expr(inner);
        if self.is_error(&operand) {
            return operand;
        }
        let Some(kind) = self.types.complex_kind(operand.ty.ty) else {
            if !self.types.is_arithmetic(operand.ty.ty) {
                let message = format!(
                    "wrong type argument to __real__ or __imag__ (have '{}')",
                    self.type_text(operand.ty)
                );
                self.error(ids::INVALID_OPERAND, span, message);
                return self.error_expr(span);
            }
            if !imaginary {
                return Expr { span, ..operand };
            }
            let value = self.to_rvalue(operand);
            let ty = value.ty.ty;
            return self.unary_value(UnaryOp::Imag, value, ty, span);
        };
        if self.is_lvalue(&operand) {
            let ty = QualType::qualified(kind.type_id(), operand.ty.quals);
            return Expr { kind: ExprKind::Part(Box::new(operand), imaginary), ty, span };
        }
        let op = if imaginary { UnaryOp::Imag } else { UnaryOp::Real };
        self.unary_value(op, operand, kind.type_id(), span)
    }

    fn address_of(&mut self, inner: &ast::Expr, span: Span) -> Expr {
        let operand = self.expr(inner);
        if self.is_error(&operand) {
            return self.error_expr(span);
        }
        self.address_of_lvalue(operand, span)
    }

    /// `&operand`, of an analysed lvalue or function designator.
    pub(crate) fn address_of_lvalue(&mut self, operand: Expr, span: Span) -> Expr {
        if self.types.is_function(operand.ty.ty) {
            return Expr { span, ..self.to_rvalue(operand) };
        }
        let array_value = self.types.is_array(operand.ty.ty);
        if !self.is_lvalue(&operand) && !array_value {
            self.error(ids::LVALUE_REQUIRED, span, "lvalue required as unary '&' operand");
            return self.error_expr(span);
        }
        if self.is_bit_field(&operand) {
            self.error(ids::BIT_FIELD_OPERAND, span, "cannot take the address of a bit-field");
            return self.error_expr(span);
        }
        if let ExprKind::Var(var) = operand.kind
            && self.register_vars.contains(&var)
        {
            let name = self.var_text(var);
            self.error(
                ids::REGISTER_ADDRESS,
                span,
                format!("address of register variable '{name}' requested"),
            );
            return self.error_expr(span);
        }
        self.mark_in_memory(&operand);
        let ty = QualType::plain(self.types.pointer_to(operand.ty));
        // `&*p` is `p`.
        if let ExprKind::Deref(pointer) = operand.kind {
            let pointer = Expr { span, ..*pointer };
            return self.convert(pointer, ty.ty);
        }
        Expr { kind: ExprKind::AddrOf(Box::new(operand)), ty, span }
    }

    pub(super) fn inc_dec(&mut self, inner: &ast::Expr, increment: bool, prefix: bool, span: Span) -> Expr {
        let target = self.expr(inner);
        if self.is_error(&target) {
            return self.error_expr(span);
        }
        let action = if increment { "increment" } else { "decrement" };
        if !self.modifiable(&target, span, action) {
            return self.error_expr(span);
        }
        let ty = target.ty.ty;
        if !self.types.is_arithmetic(ty) && !self.types.is_pointer(ty) {
            let message = format!("wrong type argument to {action} (have '{}')", self.type_text(target.ty));
            self.error(ids::INVALID_OPERAND, span, message);
            return self.error_expr(span);
        }
        if let Some(pointed) = self.types.pointee(ty)
            && !self.steps_by_bytes(pointed)
            && !self.types.is_complete(pointed.ty)
        {
            let message = format!("{action} of pointer to incomplete type '{}'", self.type_text(pointed));
            self.error(ids::INCOMPLETE_TYPE, span, message);
            return self.error_expr(span);
        }
        let kind = ExprKind::IncDec { target: Box::new(target), increment, prefix };
        Expr { kind, ty: QualType::plain(ty), span }
    }

    /// Whether an lvalue may be assigned to; reported if not.
    pub(crate) fn modifiable(&mut self, target: &Expr, span: Span, action: &str) -> bool {
        if !self.is_lvalue(target) {
            let what = match action {
                "assignment" => "left operand of assignment".to_owned(),
                _ => format!("{action} operand"),
            };
            self.error(ids::LVALUE_REQUIRED, span, format!("lvalue required as {what}"));
            return false;
        }
        if self.types.is_array(target.ty.ty) {
            self.error(ids::ARRAY_ASSIGNMENT, span, "assignment to expression with array type");
            return false;
        }
        if target.ty.quals.const_ || self.has_const_member(target.ty.ty) {
            let what = match target.kind {
                ExprKind::Var(var) => format!("variable '{}'", self.var_text(var)),
                ExprKind::Member(_, record, index) => match self.field(record, index).name {
                    Some(name) => format!("member '{}'", self.text(name)),
                    None => "member".to_owned(),
                },
                _ => "location".to_owned(),
            };
            self.error(ids::READ_ONLY, span, format!("{action} of read-only {what}"));
            return false;
        }
        if !self.types.is_complete(target.ty.ty) {
            self.incomplete(target.ty, span);
            return false;
        }
        true
    }

    pub(super) fn assignment(&mut self, target: &ast::Expr, value: &ast::Expr, span: Span) -> Expr {
        let target = self.expr(target);
        let value = self.rvalue(value);
        if self.is_error(&target) || !self.modifiable(&target, span, "assignment") {
            return self.error_expr(span);
        }
        let value = self.assign_convert(value, target.ty, AssignTo::Assignment);
        let ty = QualType::plain(target.ty.ty);
        Expr { kind: ExprKind::Assign(Box::new(target), Box::new(value)), ty, span }
    }

    pub(super) fn compound_assignment(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        target: &ast::Expr,
        value: &ast::Expr,
        span: Span,
    ) -> Expr {
        let target = self.expr(target);
        let value = self.rvalue(value);
        if self.is_error(&target) || self.is_error(&value) || !self.modifiable(&target, span, "assignment") {
            return self.error_expr(span);
        }
        let (a, b) = (target.ty.ty, value.ty.ty);
        let types = &self.types;
        let valid = match op {
            BinaryOp::Add | BinaryOp::Sub if types.is_pointer(a) => types.is_integer(b),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                types.is_arithmetic(a) && types.is_arithmetic(b)
            }
            _ => types.is_integer(a) && types.is_integer(b),
        };
        if !valid {
            return self.invalid_operands(op, op_span, &target, &value, span);
        }
        let compute = match op {
            BinaryOp::Add | BinaryOp::Sub if self.types.is_pointer(a) => a,
            BinaryOp::Shl | BinaryOp::Shr => self.promoted_type(&target),
            _ => self.common_type(self.promoted_type(&target), self.promoted_type(&value)),
        };
        if matches!((&value.kind, op), (ExprKind::Int(0), BinaryOp::Div | BinaryOp::Rem))
            && self.types.is_integer(compute)
        {
            self.warn_evaluated(ids::DIV_BY_ZERO, op_span, "division by zero");
        }
        let value = match (op, self.types.pointee(compute)) {
            (_, Some(pointed)) => match self.pointer_index(pointed, value, span) {
                Some(index) => index,
                None => return self.error_expr(span),
            },
            (BinaryOp::Shl | BinaryOp::Shr, None) => self.promote(value),
            (_, None) => self.operand(value, compute),
        };
        let ty = QualType::plain(a);
        let kind = ExprKind::AssignOp { op, target: Box::new(target), value: Box::new(value), compute };
        Expr { kind, ty, span }
    }

    pub(super) fn conditional(
        &mut self,
        condition: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Expr {
        let condition = self.rvalue(condition);
        let condition = self.condition(condition);
        let truth = constant::truth(&condition);
        let Some(then) = then else {
            return self.elvis(condition, otherwise, span);
        };
        self.skipped += u32::from(truth == Some(false));
        let then = self.rvalue(then);
        self.skipped -= u32::from(truth == Some(false));
        self.skipped += u32::from(truth == Some(true));
        let otherwise = self.rvalue(otherwise);
        self.skipped -= u32::from(truth == Some(true));
        if self.is_error(&condition) || self.is_error(&then) || self.is_error(&otherwise) {
            return self.error_expr(span);
        }
        let Some(ty) = self.conditional_type(&then, &otherwise, span) else { return self.error_expr(span) };
        let (then, otherwise) = (self.convert(then, ty), self.convert(otherwise, ty));
        let constant =
            |expr: &Expr| matches!(expr.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Complex(..));
        // Only a constant arm is chosen now, and other address constants, which static initialisers may be:
        // dropping code is not for this stage.
        match truth {
            Some(true) if constant(&then) || constant::address(&self.types, &then).is_some() => {
                return Expr { span, ..then };
            }
            Some(false) if constant(&otherwise) || constant::address(&self.types, &otherwise).is_some() => {
                return Expr { span, ..otherwise };
            }
            _ => {}
        }
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Expr { kind, ty: QualType::plain(ty), span }
    }

    fn elvis(&mut self, condition: Expr, otherwise: &ast::Expr, span: Span) -> Expr {
        let otherwise = self.rvalue(otherwise);
        if self.is_error(&condition) || self.is_error(&otherwise) {
            return self.error_expr(span);
        }
        let condition = self.promote(condition);
        let Some(ty) = self.conditional_type(&condition, &otherwise, span) else {
            return self.error_expr(span);
        };
        match (constant::truth(&condition), &condition.kind) {
            (Some(true), ExprKind::Int(_) | ExprKind::Float(_)) => {
                return Expr { span, ..self.convert(condition, ty) };
            }
            (Some(false), _) => return Expr { span, ..self.convert(otherwise, ty) },
            _ => {}
        }
        let value = Expr { kind: ExprKind::ConditionValue, ty: condition.ty, span: condition.span };
        let (convert, otherwise) = (self.convert(value, ty), self.convert(otherwise, ty));
        let kind = ExprKind::Elvis {
            condition: Box::new(condition),
            convert: Box::new(convert),
            otherwise: Box::new(otherwise),
        };
        Expr { kind, ty: QualType::plain(ty), span }
    }

    /// The type of `c ? a : b` (C11 6.5.15).
    fn conditional_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Option<TypeId> {
        let (x, y) = (a.ty.ty, b.ty.ty);
        let types = &self.types;
        if types.is_arithmetic(x) && types.is_arithmetic(y) {
            return Some(self.common_type(self.promoted_type(a), self.promoted_type(b)));
        }
        if x == TypeId::VOID || y == TypeId::VOID {
            return Some(TypeId::VOID);
        }
        if types.record(x).is_some() && types.compatible(x, y) {
            return Some(x);
        }
        match (types.pointee(x), types.pointee(y)) {
            (Some(_), Some(_)) if self.is_null_constant(a) => Some(y),
            (Some(_), Some(_)) if self.is_null_constant(b) => Some(x),
            (Some(p), Some(q)) => Some(self.conditional_pointer(p, q, a, b, span)),
            (Some(_), None) if types.is_integer(y) => {
                if !self.is_null_constant(b) {
                    self.warn(
                        ids::INT_CONVERSION,
                        span,
                        "pointer/integer type mismatch in conditional expression",
                    );
                }
                Some(x)
            }
            (None, Some(_)) if types.is_integer(x) => {
                if !self.is_null_constant(a) {
                    self.warn(
                        ids::INT_CONVERSION,
                        span,
                        "pointer/integer type mismatch in conditional expression",
                    );
                }
                Some(y)
            }
            _ => {
                let (have, other) = (self.type_text(a.ty), self.type_text(b.ty));
                let message =
                    format!("type mismatch in conditional expression (have '{have}' and '{other}')");
                self.error(ids::INVALID_OPERANDS, span, message);
                None
            }
        }
    }

    fn conditional_pointer(&mut self, p: QualType, q: QualType, a: &Expr, b: &Expr, span: Span) -> TypeId {
        let quals = p.quals.union(q.quals);
        let target = if p.ty == TypeId::VOID || q.ty == TypeId::VOID {
            TypeId::VOID
        } else if self.types.compatible(p.ty, q.ty) {
            self.types.composite(p.ty, q.ty)
        } else if self.types.is_array(p.ty) && self.types.is_array(q.ty) {
            p.ty
        } else {
            let (have, other) = (self.type_text(a.ty), self.type_text(b.ty));
            let message =
                format!("pointer type mismatch in conditional expression (have '{have}' and '{other}')");
            self.warn(ids::INCOMPATIBLE_POINTER_TYPES, span, message);
            TypeId::VOID
        };
        self.types.pointer_to(QualType::qualified(target, quals))
    }
}
