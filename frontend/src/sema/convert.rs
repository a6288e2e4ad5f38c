//! Conversions (C11 6.3): values from lvalues, promotions, the usual arithmetic conversions, assignment.

use super::{Sema, constant, ids};
use crate::ctype::{CType, FloatKind, IntKind, QualType, TypeId};
use crate::diag::{Diagnostic, Id};
use crate::source::Span;
use crate::typed::{CastKind, Expr, ExprKind, FloatConst};

/// What a value is converted for, as messages say it.
#[derive(Clone, Copy)]
pub(crate) enum AssignTo<'a> {
    /// `=`.
    Assignment,
    /// An initialiser.
    Initialization,
    /// `return`.
    Return,
    /// An argument, from 1, of the named function.
    Argument(usize, Option<&'a str>, Option<Span>),
}

impl Sema<'_> {
    /// What did not type-check.
    pub(crate) fn error_expr(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(0), ty: QualType::plain(TypeId::ERROR), span }
    }

    /// An integer constant.
    pub(crate) fn int_expr(&self, value: i128, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value), ty: QualType::plain(ty), span }
    }

    pub(super) fn is_error(&self, expr: &Expr) -> bool {
        expr.ty.ty == TypeId::ERROR
    }

    /// Whether an expression designates an object.
    pub(crate) fn is_lvalue(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(_) | ExprKind::String(_) | ExprKind::CompoundLiteral(..) => true,
            ExprKind::Deref(_) => !self.types.is_function(expr.ty.ty),
            ExprKind::Member(base, ..) | ExprKind::Part(base, _) => self.is_lvalue(base),
            _ => false,
        }
    }

    /// The value of an analysed expression.
    pub fn to_rvalue(&mut self, expr: Expr) -> Expr {
        let span = expr.span;
        match *self.types.get(expr.ty.ty) {
            CType::Array(element, _) => {
                let element = self.types.qualified(element, expr.ty.quals);
                let ty = QualType::plain(self.types.pointer_to(element));
                Expr { kind: ExprKind::Decay(Box::new(expr)), ty, span }
            }
            CType::Function(_) => {
                let ty = QualType::plain(self.types.pointer_to(QualType::plain(expr.ty.ty)));
                // `*f` is the function again, and so is its value.
                if let ExprKind::Deref(pointer) = expr.kind {
                    return Expr { kind: pointer.kind, ty, span };
                }
                Expr { kind: ExprKind::Decay(Box::new(expr)), ty, span }
            }
            CType::Unsupported(name) if self.is_lvalue(&expr) => {
                let message = format!("values of type '{name}' are not supported");
                self.error(ids::TYPE_UNSUPPORTED, span, message);
                self.error_expr(span)
            }
            CType::Error | CType::Void => expr,
            _ if self.is_lvalue(&expr) => {
                if let Some(value) = self.constexpr_value(&expr) {
                    return value;
                }
                let ty = QualType::plain(expr.ty.ty);
                if !self.types.is_complete(ty.ty) {
                    self.incomplete(ty, span);
                    return self.error_expr(span);
                }
                Expr { kind: ExprKind::Load(Box::new(expr)), ty, span }
            }
            _ => Expr { ty: QualType::plain(expr.ty.ty), ..expr },
        }
    }

    /// Converts a value to a type, without any check: the types are known to allow it. Constants are folded.
    pub fn convert(&mut self, expr: Expr, ty: TypeId) -> Expr {
        let from = expr.ty.ty;
        if from == ty || from == TypeId::ERROR {
            return expr;
        }
        let span = expr.span;
        if ty == TypeId::ERROR {
            return self.error_expr(span);
        }
        if ty == TypeId::VOID {
            return self.cast(CastKind::ToVoid, expr, ty);
        }
        let (from_pointer, to_pointer) = (self.types.is_pointer(from), self.types.is_pointer(ty));
        let kind = match (from_pointer, to_pointer) {
            (true, true) => CastKind::Pointer,
            _ if ty == TypeId::BOOL => CastKind::ToBool,
            (false, true) => CastKind::IntToPointer,
            (true, false) => CastKind::PointerToInt,
            (false, false) if self.types.is_arithmetic(from) && self.types.is_arithmetic(ty) => {
                CastKind::Arithmetic
            }
            // Structs of compatible types: the same bytes.
            (false, false) => return Expr { ty: QualType::plain(ty), ..expr },
        };
        match self.fold_cast(kind, &expr, ty) {
            Some(kind) => Expr { kind, ty: QualType::plain(ty), span },
            None => self.cast(kind, expr, ty),
        }
    }

    fn cast(&self, kind: CastKind, expr: Expr, ty: TypeId) -> Expr {
        let span = expr.span;
        Expr { kind: ExprKind::Cast(kind, Box::new(expr)), ty: QualType::plain(ty), span }
    }

    fn fold_cast(&self, kind: CastKind, expr: &Expr, ty: TypeId) -> Option<ExprKind> {
        let types = &self.types;
        match (kind, &expr.kind) {
            (CastKind::ToBool, _) => constant::truth(expr).map(|truth| ExprKind::Int(i128::from(truth))),
            (CastKind::Pointer, ExprKind::Int(value)) => Some(ExprKind::Int(*value)),
            (CastKind::IntToPointer, ExprKind::Int(value)) => {
                Some(ExprKind::Int(IntKind::ULong.wrap(*value)))
            }
            (CastKind::PointerToInt, _) => {
                let value = constant::absolute_address(types, expr)?;
                Some(ExprKind::Int(types.int_kind(ty)?.wrap(i128::from(value))))
            }
            (CastKind::Arithmetic, ExprKind::Int(value)) => {
                if let Some(to) = types.int_kind(ty) {
                    return Some(ExprKind::Int(to.wrap(*value)));
                }
                let from = types.int_kind(expr.ty.ty)?;
                match *types.get(ty) {
                    CType::Float(to) => Some(ExprKind::Float(constant::int_to_float(*value, from, to))),
                    CType::Complex(to) => {
                        Some(self.real_as_complex(constant::int_to_float(*value, from, to), to, expr.span))
                    }
                    _ => None,
                }
            }
            (CastKind::Arithmetic, ExprKind::Float(value)) => match *types.get(ty) {
                CType::Float(to) => Some(ExprKind::Float(constant::convert_float(*value, to))),
                CType::Complex(to) => {
                    Some(self.real_as_complex(constant::convert_float(*value, to), to, expr.span))
                }
                _ => types.int_kind(ty).map(|to| ExprKind::Int(constant::float_to_int(*value, to))),
            },
            (CastKind::Arithmetic, ExprKind::Complex(re, im)) => {
                let (ExprKind::Float(re_value), ExprKind::Float(im_value)) = (&re.kind, &im.kind) else {
                    return None;
                };
                match *types.get(ty) {
                    CType::Complex(to) => {
                        let part = |value, span| {
                            let ty = QualType::plain(to.type_id());
                            Box::new(Expr {
                                kind: ExprKind::Float(constant::convert_float(value, to)),
                                ty,
                                span,
                            })
                        };
                        Some(ExprKind::Complex(part(*re_value, re.span), part(*im_value, im.span)))
                    }
                    _ => self.fold_cast(CastKind::Arithmetic, re, ty),
                }
            }
            _ => None,
        }
    }

    fn real_as_complex(&self, value: FloatConst, kind: FloatKind, span: Span) -> ExprKind {
        let part = |value| {
            Box::new(Expr { kind: ExprKind::Float(value), ty: QualType::plain(kind.type_id()), span })
        };
        let zero = constant::convert_float(FloatConst::Double(0.0), kind);
        ExprKind::Complex(part(value), part(zero))
    }

    /// The width of the bit-field an expression is the value of.
    pub(super) fn bit_field_width(&self, expr: &Expr) -> Option<u32> {
        let lvalue = match &expr.kind {
            ExprKind::Load(lvalue) | ExprKind::Assign(lvalue, _) => lvalue,
            ExprKind::AssignOp { target, .. } | ExprKind::IncDec { target, .. } => target,
            ExprKind::Member(..) => expr,
            ExprKind::Comma(_, last) | ExprKind::StmtExpr(_, Some(last)) => {
                return self.bit_field_width(last);
            }
            _ => return None,
        };
        match lvalue.kind {
            ExprKind::Member(_, record, index) => self.field(record, index).bits.map(|(_, width)| width),
            _ => None,
        }
    }

    /// The type the integer promotions (C11 6.3.1.1p2) give a value or the value of an lvalue; other types
    /// stay.
    pub(super) fn promoted_type(&self, expr: &Expr) -> TypeId {
        let Some(kind) = self.types.int_kind(expr.ty.ty) else { return expr.ty.ty };
        match self.bit_field_width(expr) {
            Some(width) if width < 32 || width == 32 && kind.is_signed() => TypeId::INT,
            Some(32) => TypeId::UINT,
            _ if kind.rank() < IntKind::Int.rank() => TypeId::INT,
            _ => kind.type_id(),
        }
    }

    /// The integer promotions; values of other types stay.
    pub(crate) fn promote(&mut self, expr: Expr) -> Expr {
        let ty = self.promoted_type(&expr);
        self.convert(expr, ty)
    }

    /// The default argument promotions (C11 6.5.2.2p6).
    pub(crate) fn promote_argument(&mut self, expr: Expr) -> Expr {
        if expr.ty.ty == TypeId::FLOAT { self.convert(expr, TypeId::DOUBLE) } else { self.promote(expr) }
    }

    /// The common type of two promoted arithmetic values (C11 6.3.1.8). A real and a complex operand both
    /// become complex; lowering sees the conversion and may multiply by the real part alone.
    pub(super) fn common_type(&self, a: TypeId, b: TypeId) -> TypeId {
        let float = |ty| self.types.float_kind(ty).or(self.types.complex_kind(ty));
        if let Some(kind) = float(a).max(float(b)) {
            let complex = self.types.is_complex(a) || self.types.is_complex(b);
            return if complex { kind.complex_id() } else { kind.type_id() };
        }
        let (Some(x), Some(y)) = (self.types.int_kind(a), self.types.int_kind(b)) else {
            return TypeId::ERROR;
        };
        if x == y {
            return x.type_id();
        }
        if x.is_signed() == y.is_signed() {
            return if x.rank() >= y.rank() { x.type_id() } else { y.type_id() };
        }
        let (signed, unsigned) = if x.is_signed() { (x, y) } else { (y, x) };
        if unsigned.rank() >= signed.rank() {
            unsigned.type_id()
        } else if signed.size() > unsigned.size() {
            signed.type_id()
        } else {
            signed.to_unsigned().type_id()
        }
    }

    /// Promotes two arithmetic values and converts both to their common type.
    pub(super) fn usual_conversions(&mut self, a: Expr, b: Expr) -> (Expr, Expr, TypeId) {
        let (a, b) = (self.promote(a), self.promote(b));
        let ty = self.common_type(a.ty.ty, b.ty.ty);
        let constant =
            |expr: &Expr| matches!(expr.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Complex(..));
        if constant(&a) && constant(&b) {
            return (self.convert(a, ty), self.convert(b, ty), ty);
        }
        (self.operand(a, ty), self.operand(b, ty), ty)
    }

    /// A value converted to the type that an operator computes in. A real operand of a complex operator stays
    /// recognisable even if it is a constant: its imaginary part is not zero, but absent (C11 G.5).
    pub(super) fn operand(&mut self, expr: Expr, ty: TypeId) -> Expr {
        let Some(kind) = self.types.complex_kind(ty).filter(|_| !self.types.is_complex(expr.ty.ty)) else {
            return self.convert(expr, ty);
        };
        let real = self.convert(expr, kind.type_id());
        let span = real.span;
        Expr { kind: ExprKind::Cast(CastKind::Arithmetic, Box::new(real)), ty: QualType::plain(ty), span }
    }

    /// A null pointer constant (C11 6.3.2.3p3), or a value of `nullptr_t`.
    pub(super) fn is_null_constant(&self, expr: &Expr) -> bool {
        if self.types.is_nullptr(expr.ty.ty) {
            return true;
        }
        matches!(expr.kind, ExprKind::Int(0))
            && (self.types.is_integer(expr.ty.ty) || expr.ty.ty == TypeId::VOID_PTR)
    }

    /// A value used as a condition: a scalar, as it is.
    pub(crate) fn condition(&mut self, expr: Expr) -> Expr {
        let expr = self.to_rvalue(expr);
        if !self.types.is_scalar(expr.ty.ty) && !self.is_error(&expr) {
            let message = format!("used '{}' where a scalar is required", self.type_text(expr.ty));
            self.error(ids::SCALAR_REQUIRED, expr.span, message);
            return self.error_expr(expr.span);
        }
        expr
    }

    /// Converts a value as if by assignment to an object of type `to` (C11 6.5.16.1), with the checks of
    /// that.
    pub(crate) fn assign_convert(&mut self, expr: Expr, to: QualType, context: AssignTo<'_>) -> Expr {
        let from = expr.ty.ty;
        if from == TypeId::ERROR || to.ty == TypeId::ERROR {
            return self.convert(expr, to.ty);
        }
        if from == TypeId::VOID {
            self.error(ids::VOID_VALUE, expr.span, "void value not ignored as it ought to be");
            return self.error_expr(expr.span);
        }
        let types = &self.types;
        if types.is_arithmetic(to.ty) && types.is_arithmetic(from) {
            self.check_constant_range(&expr, to.ty);
            return self.convert(expr, to.ty);
        }
        if to.ty == TypeId::BOOL && types.is_pointer(from) {
            return self.convert(expr, to.ty);
        }
        if let (Some(target), Some(source)) = (types.pointee(to.ty), types.pointee(from)) {
            if !self.is_null_constant(&expr) {
                self.check_pointers(&expr, to, target, source, context);
            }
            return self.convert(expr, to.ty);
        }
        if types.is_pointer(to.ty) && types.is_integer(from) {
            if !self.is_null_constant(&expr) {
                self.conversion_warning(
                    ids::INT_CONVERSION,
                    &expr,
                    to,
                    context,
                    "makes pointer from integer without a cast",
                );
            }
            return self.convert(expr, to.ty);
        }
        if types.is_integer(to.ty) && types.is_pointer(from) {
            self.conversion_warning(
                ids::INT_CONVERSION,
                &expr,
                to,
                context,
                "makes integer from pointer without a cast",
            );
            return self.convert(expr, to.ty);
        }
        if types.record(to.ty).is_some() && types.compatible(to.ty, from) {
            return self.convert(expr, to.ty);
        }
        if let Some(member) = self.transparent_member(to.ty, &expr) {
            return member;
        }
        let (have, want) = (self.type_text(expr.ty), self.type_text(QualType::plain(to.ty)));
        let message = match context {
            AssignTo::Assignment => {
                format!("incompatible types when assigning to type '{want}' from type '{have}'")
            }
            AssignTo::Initialization => {
                format!("incompatible types when initializing type '{want}' using type '{have}'")
            }
            AssignTo::Return => {
                format!("incompatible types when returning type '{have}' but '{want}' was expected")
            }
            AssignTo::Argument(index, name, _) => {
                format!(
                    "incompatible type for argument {index}{}: expected '{want}' but have '{have}'",
                    of_function(name)
                )
            }
        };
        let mut diagnostic = Diagnostic::error(ids::INCOMPATIBLE_TYPES, expr.span, message);
        if let AssignTo::Argument(_, _, Some(declared)) = context {
            diagnostic = diagnostic.related(declared, "declared here");
        }
        self.emit(diagnostic);
        self.error_expr(expr.span)
    }

    fn check_constant_range(&mut self, expr: &Expr, to: TypeId) {
        let (Some(kind), ExprKind::Int(value)) = (self.types.int_kind(to), &expr.kind) else { return };
        // The other reading of the same bits is what programs mean by `unsigned x = -1` and `char c = 0xff`.
        let fits = kind == IntKind::Bool
            || kind.holds(*value)
            || kind.to_unsigned().holds(*value)
            || kind.to_signed().holds(*value);
        if !fits && kind.size() < 16 {
            let message = format!(
                "conversion from '{}' to '{}' changes value from '{value}' to '{}'",
                self.type_text(expr.ty),
                self.type_text(QualType::plain(to)),
                kind.wrap(*value)
            );
            self.warn(ids::OVERFLOW, expr.span, message);
        }
    }

    fn check_pointers(
        &mut self,
        expr: &Expr,
        to: QualType,
        target: QualType,
        source: QualType,
        context: AssignTo<'_>,
    ) {
        let types = &self.types;
        let (target_inner, source_inner) = (types.innermost_element(target), types.innermost_element(source));
        let unqualified_match = target.ty == TypeId::VOID
            || source.ty == TypeId::VOID
            || types.compatible_qualified(QualType::plain(target.ty), QualType::plain(source.ty))
            || types.is_array(target.ty) && self.arrays_differ_in_qualifiers(target, source)
            || self.same_but_for_sign(target.ty, source.ty);
        if !unqualified_match {
            let text = "from incompatible pointer type";
            self.conversion_warning(ids::INCOMPATIBLE_POINTER_TYPES, expr, to, context, text);
        } else if !target_inner.quals.covers(source_inner.quals) {
            let missing = [
                (source_inner.quals.const_ && !target_inner.quals.const_, "const"),
                (source_inner.quals.volatile && !target_inner.quals.volatile, "volatile"),
            ];
            let name = missing.iter().find(|(is_missing, _)| *is_missing).map_or("_Atomic", |(_, name)| name);
            let text = format!("discards '{name}' qualifier from pointer target type");
            self.conversion_warning(ids::DISCARDED_QUALIFIERS, expr, to, context, &text);
        }
    }

    fn arrays_differ_in_qualifiers(&self, a: QualType, b: QualType) -> bool {
        match (self.types.element(a.ty), self.types.element(b.ty)) {
            (Some((x, m)), Some((y, n))) => {
                use crate::ctype::ArrayLen::Known;
                !matches!((m, n), (Known(p), Known(q)) if p != q) && self.arrays_differ_in_qualifiers(x, y)
            }
            (None, None) => self.types.compatible(a.ty, b.ty),
            _ => false,
        }
    }

    /// `int *` and `unsigned *`: gcc says nothing about these without -Wall.
    fn same_but_for_sign(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.int_kind(a), self.types.int_kind(b)) {
            (Some(x), Some(y)) => {
                x.to_unsigned() == y.to_unsigned() && x != IntKind::Bool && y != IntKind::Bool
            }
            _ => match (self.types.pointee(a), self.types.pointee(b)) {
                (Some(x), Some(y)) => x.quals == y.quals && self.same_but_for_sign(x.ty, y.ty),
                _ => false,
            },
        }
    }

    fn conversion_warning(
        &mut self,
        id: &'static Id,
        expr: &Expr,
        to: QualType,
        context: AssignTo<'_>,
        what: &str,
    ) {
        let (have, want) = (self.type_text(expr.ty), self.type_text(QualType::plain(to.ty)));
        let action = match context {
            AssignTo::Assignment => "assignment".to_owned(),
            AssignTo::Initialization => "initialization".to_owned(),
            AssignTo::Return => "return".to_owned(),
            AssignTo::Argument(index, name, _) => format!("passing argument {index}{}", of_function(name)),
        };
        let message = format!("{action} {what} (expected '{want}', have '{have}')");
        let mut diagnostic = Diagnostic::warning(id, expr.span, message);
        if let AssignTo::Argument(_, _, Some(declared)) = context {
            diagnostic = diagnostic.related(declared, "declared here");
        }
        self.emit(diagnostic);
    }

    /// The value of a union with the GNU attribute `transparent_union`, made from a value of one of its
    /// members' types.
    fn transparent_member(&mut self, union: TypeId, expr: &Expr) -> Option<Expr> {
        let id = self.types.record(union)?;
        if !self.transparent_unions.contains(&id) {
            return None;
        }
        let fields: Vec<QualType> =
            self.types.records[id.0 as usize].fields.iter().flatten().map(|field| field.ty).collect();
        let null = self.is_null_constant(expr);
        let accepts = |sema: &Self, member: QualType| {
            sema.types.compatible(member.ty, expr.ty.ty)
                || match (sema.types.pointee(member.ty), sema.types.pointee(expr.ty.ty)) {
                    (Some(a), Some(b)) => sema.types.compatible(a.ty, b.ty) || b.ty == TypeId::VOID,
                    (Some(_), None) => null,
                    _ => false,
                }
        };
        let index = fields.iter().position(|&member| accepts(self, member))?;
        let value = self.convert(expr.clone(), fields[index].ty);
        Some(self.union_value(union, fields[index].ty, value, expr.span))
    }
}

fn of_function(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(" of '{name}'"))
}
