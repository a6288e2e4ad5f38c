//! Calls of builtins that are not plain functions.

use super::acc::visit::is_pure;
use super::builtins::{Meaning, Signature, Special};
use super::{Sema, atomics, constant, ids};
use crate::ast::{self, BinaryOp};
use crate::ctype::{CType, FloatKind, IntKind, QualType, TypeId};
use crate::intern::Symbol;
use crate::source::Span;
use crate::typed::*;

impl Sema<'_> {
    pub(super) fn call_builtin(
        &mut self,
        symbol: Symbol,
        meaning: Meaning,
        signature: Signature,
        args: &[ast::Expr],
        name_span: Span,
        span: Span,
    ) -> Expr {
        let name = self.text(symbol);
        match meaning {
            Meaning::Special(Special::Atomic(family)) => self.call_atomic(&name, family, args, span),
            Meaning::Special(special) => self.call_special(&name, special, signature, args, span),
            Meaning::Library(library) => {
                let func = self.library_function(&library, &signature, name_span);
                let designator = self.function_designator(func, name_span);
                let Some(ty) = self.types.function(designator.ty.ty).cloned() else {
                    return self.error_expr(span);
                };
                let values = args.iter().map(|arg| self.rvalue(arg)).collect();
                let args = self.convert_arguments(&ty, values, Some((&name, name_span)), span);
                let result = QualType::plain(ty.result.ty);
                Expr { kind: ExprKind::Call { callee: Box::new(designator), args }, ty: result, span }
            }
            Meaning::Operation(builtin) => {
                let ty = self.signature_type(&signature);
                let Some(ty) = self.types.function(ty).cloned() else { return self.error_expr(span) };
                let values = args.iter().map(|arg| self.rvalue(arg)).collect();
                let args = self.convert_arguments(&ty, values, Some((&name, name_span)), span);
                if args.iter().any(|arg| self.is_error(arg)) || args.len() != ty.params.len() {
                    return self.error_expr(span);
                }
                self.operation(builtin, args, ty.result.ty, span)
            }
        }
    }

    /// An operation on converted operands, folded if it can be.
    fn operation(&mut self, builtin: Builtin, args: Vec<Expr>, result: TypeId, span: Span) -> Expr {
        if let [Expr { kind: ExprKind::Int(value), ty, .. }] = args[..]
            && let Some(value) = self.types.int_kind(ty.ty).and_then(|kind| fold_bits(builtin, value, kind))
        {
            return self.int_expr(value, result, span);
        }
        if let (Builtin::Fabs, [Expr { kind: ExprKind::Float(FloatConst::Double(value)), .. }]) =
            (builtin, &args[..])
        {
            let kind = ExprKind::Float(FloatConst::Double(value.abs()));
            return Expr { kind, ty: QualType::plain(result), span };
        }
        self.builtin_used(builtin);
        Expr { kind: ExprKind::Builtin(builtin, args), ty: QualType::plain(result), span }
    }

    /// Checks the number of arguments and analyses them.
    pub(super) fn builtin_args(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        least: usize,
        most: usize,
        span: Span,
    ) -> Option<Vec<Expr>> {
        if args.len() < least || args.len() > most {
            let wrong = if args.len() < least { "few" } else { "many" };
            self.error(ids::ARGUMENT_COUNT, span, format!("too {wrong} arguments to function '{name}'"));
            return None;
        }
        let values: Vec<Expr> = args.iter().map(|arg| self.rvalue(arg)).collect();
        (!values.iter().any(|value| self.is_error(value))).then_some(values)
    }

    fn call_special(
        &mut self,
        name: &str,
        special: Special,
        signature: Signature,
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let result = match special {
            Special::ConstantP => self.constant_p(name, args, span),
            Special::ClassifyType => self.classify_type(name, args, span),
            Special::Expect => self.expect(name, args, span),
            Special::ObjectSize => self.object_size(name, args, span),
            Special::VaStart => self.va_start(name, args, span),
            Special::VaEnd => self.va_list_call(name, Builtin::VaEnd, args, 1, span),
            Special::VaCopy => self.va_list_call(name, Builtin::VaCopy, args, 2, span),
            Special::Classify(builtin) => self.classify(name, builtin, args, span),
            Special::Compare(builtin) => self.quiet_comparison(name, builtin, args, span),
            Special::InfSign => self.infinity_sign(name, args, span),
            Special::FpClassify => self.fp_classify(name, args, span),
            Special::Infinity => self
                .builtin_args(name, args, 0, 0, span)
                .map(|_| self.special_value(f64::INFINITY, signature.real, span)),
            Special::Nan(signalling) => self.nan(name, signalling, signature.real, args, span),
            Special::Overflow(builtin) => self.overflow(name, builtin, None, args, span),
            Special::WouldOverflow(builtin) => self.would_overflow(name, builtin, args, span),
            Special::TypedOverflow(builtin) => {
                let ty = self.signature_type(&signature);
                let ty = self.types.function(ty).map(|function| function.result.ty);
                self.overflow(name, builtin, ty, args, span)
            }
            Special::Complex => self.complex_value(name, args, span),
            Special::Line => {
                let line = self.line_of(span);
                Some(self.int_expr(line, TypeId::INT, span))
            }
            Special::File | Special::Function => {
                let text =
                    if special == Special::File { self.file_of(span) } else { self.current_function() };
                let elements: Vec<u32> = text.bytes().map(u32::from).collect();
                let string = self.string_expr(&elements, super::literal::Encoding::Plain, span);
                Some(self.to_rvalue(string))
            }
            Special::Prefetch => self.builtin_args(name, args, 1, 3, span).map(|mut args| {
                args.truncate(1);
                Expr {
                    kind: ExprKind::Builtin(Builtin::Prefetch, args),
                    ty: QualType::plain(TypeId::VOID),
                    span,
                }
            }),
            // Code for what some processors have is for compilers with its instructions.
            Special::CpuTrait => self
                .unevaluated(|sema| sema.builtin_args(name, args, 1, 1, span))
                .map(|_| self.int_expr(0, TypeId::INT, span)),
            Special::AssumeAligned => self.builtin_args(name, args, 2, 3, span).map(|mut args| {
                let pointer = args.swap_remove(0);
                Expr { span, ..self.convert(pointer, TypeId::VOID_PTR) }
            }),
            Special::Atomic(_) => None,
        };
        result.unwrap_or_else(|| self.error_expr(span))
    }

    fn constant_p(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let args = self.unevaluated(|sema| sema.builtin_args(name, args, 1, 1, span))?;
        let constant = match &args[0].kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Complex(..) => true,
            ExprKind::Decay(inner) => matches!(inner.kind, ExprKind::String(_)),
            _ => false,
        };
        Some(self.int_expr(i128::from(constant), TypeId::INT, span))
    }

    /// The kind of the argument's type, as a number of GCC's enumeration.
    fn classify_type(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let args = self.unevaluated(|sema| sema.builtin_args(name, args, 1, 1, span))?;
        let kind = match self.types.get(args[0].ty.ty) {
            CType::Void => 0,
            CType::Int(_) | CType::Enum(_) => 1,
            CType::Pointer(_) | CType::Array(..) | CType::Function(_) => 5,
            CType::Float(_) => 8,
            CType::Complex(_) => 9,
            CType::Record(id) if self.types.records[id.0 as usize].is_union => 13,
            CType::Record(_) => 12,
            CType::Unsupported(_) | CType::Error => -1,
        };
        Some(self.int_expr(kind, TypeId::INT, span))
    }

    fn expect(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let args = self.builtin_args(name, args, 2, 3, span)?;
        let mut values = Vec::with_capacity(2);
        for value in args.into_iter().take(2) {
            if !self.types.is_scalar(value.ty.ty) {
                self.error(ids::SCALAR_REQUIRED, value.span, format!("argument of '{name}' is not a scalar"));
                return None;
            }
            values.push(self.convert(value, TypeId::LONG));
        }
        if matches!(values[0].kind, ExprKind::Int(_)) {
            return Some(Expr { span, ..values.swap_remove(0) });
        }
        Some(Expr {
            kind: ExprKind::Builtin(Builtin::Expect, values),
            ty: QualType::plain(TypeId::LONG),
            span,
        })
    }

    /// The size is never known here: all ones, or zero for the kinds that ask for a minimum.
    fn object_size(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let args = self.unevaluated(|sema| sema.builtin_args(name, args, 2, 2, span))?;
        let minimum = self.const_int(&args[1]).is_some_and(|kind| kind & 2 != 0);
        let value = if minimum { 0 } else { i128::from(u64::MAX) };
        Some(self.int_expr(value, TypeId::SIZE, span))
    }

    fn va_start(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let variadic = self.function.as_ref().is_some_and(|function| {
            let ty = self.functions.get(function.id.0 as usize).map(|function| function.ty);
            ty.and_then(|ty| self.types.function(ty)).is_some_and(|function| function.variadic)
        });
        if !variadic {
            self.error(ids::VA_START, span, "'va_start' used in function with fixed arguments");
            return None;
        }
        let [list, last @ ..] = args else {
            self.error(ids::ARGUMENT_COUNT, span, format!("too few arguments to function '{name}'"));
            return None;
        };
        // The name of the last parameter says nothing that is not known.
        self.unevaluated(|sema| last.iter().for_each(|last| drop(sema.expr(last))));
        self.va_list_call(name, Builtin::VaStart, std::slice::from_ref(list), 1, span)
    }

    fn va_list_call(
        &mut self,
        name: &str,
        builtin: Builtin,
        args: &[ast::Expr],
        count: usize,
        span: Span,
    ) -> Option<Expr> {
        if args.len() != count {
            self.error(ids::ARGUMENT_COUNT, span, format!("wrong number of arguments to function '{name}'"));
            return None;
        }
        let lists: Vec<Expr> = args.iter().map(|arg| self.va_list_operand(arg)).collect();
        if lists.iter().any(|list| self.is_error(list)) {
            return None;
        }
        Some(Expr { kind: ExprKind::Builtin(builtin, lists), ty: QualType::plain(TypeId::VOID), span })
    }

    fn real_argument(&mut self, name: &str, value: &Expr) -> bool {
        let real = self.types.is_float(value.ty.ty);
        if !real {
            let message = format!("non-floating-point argument in call to function '{name}'");
            self.error(ids::INVALID_OPERAND, value.span, message);
        }
        real
    }

    fn classify(&mut self, name: &str, builtin: Builtin, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let args = self.builtin_args(name, args, 1, 1, span)?;
        if !self.real_argument(name, &args[0]) {
            return None;
        }
        if let ExprKind::Float(FloatConst::Double(value)) = args[0].kind {
            let float = self.types.float_kind(args[0].ty.ty) == Some(FloatKind::Float);
            let truth = match builtin {
                Builtin::IsNan => Some(value.is_nan()),
                Builtin::IsInf => Some(value.is_infinite()),
                Builtin::IsFinite => Some(value.is_finite()),
                Builtin::IsNormal if float => Some((value as f32).is_normal()),
                Builtin::IsNormal => Some(value.is_normal()),
                _ => None,
            };
            if let Some(truth) = truth {
                return Some(self.int_expr(i128::from(truth), TypeId::INT, span));
            }
        }
        Some(Expr { kind: ExprKind::Builtin(builtin, args), ty: QualType::plain(TypeId::INT), span })
    }

    fn quiet_comparison(
        &mut self,
        name: &str,
        builtin: Builtin,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let mut args = self.builtin_args(name, args, 2, 2, span)?;
        let (right, left) = (args.pop()?, args.pop()?);
        let valid = self.types.is_real(left.ty.ty)
            && self.types.is_real(right.ty.ty)
            && (self.types.is_float(left.ty.ty) || self.types.is_float(right.ty.ty));
        if !valid {
            self.error(
                ids::INVALID_OPERAND,
                span,
                format!("non-floating-point arguments in call to function '{name}'"),
            );
            return None;
        }
        let (left, right, _) = self.usual_conversions(left, right);
        Some(Expr {
            kind: ExprKind::Builtin(builtin, vec![left, right]),
            ty: QualType::plain(TypeId::INT),
            span,
        })
    }

    /// A value that an expression built from it may use more than once: `work` gets the reading of a hidden
    /// variable.
    fn with_temporary(
        &mut self,
        value: Expr,
        span: Span,
        work: impl FnOnce(&mut Self, &Expr) -> Expr,
    ) -> Expr {
        let ty = value.ty;
        let var = self.hidden_var(ty, span);
        let init = Init { entries: vec![InitEntry { offset: 0, bits: None, ty: ty.ty, value }] };
        let declare = Stmt { kind: StmtKind::Declare(var, Some(init)), span };
        let lvalue = Expr { kind: ExprKind::Var(var), ty, span };
        let reading = self.to_rvalue(lvalue);
        let result = work(self, &reading);
        self.statements_in_expression(vec![declare], Some(result), span)
    }

    fn int_builtin(&self, builtin: Builtin, value: &Expr, span: Span) -> Expr {
        Expr { kind: ExprKind::Builtin(builtin, vec![value.clone()]), ty: QualType::plain(TypeId::INT), span }
    }

    fn choose(&self, condition: Expr, then: Expr, otherwise: Expr, span: Span) -> Expr {
        let ty = then.ty;
        Expr {
            kind: ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)),
            ty,
            span,
        }
    }

    /// 1, -1 or 0.
    fn infinity_sign(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let value = self.builtin_args(name, args, 1, 1, span)?.pop()?;
        if !self.real_argument(name, &value) {
            return None;
        }
        Some(self.with_temporary(value, span, |sema, value| {
            let number = |value| sema.int_expr(value, TypeId::INT, span);
            let sign =
                sema.choose(sema.int_builtin(Builtin::SignBit, value, span), number(-1), number(1), span);
            sema.choose(sema.int_builtin(Builtin::IsInf, value, span), sign, number(0), span)
        }))
    }

    /// `fpclassify(nan, infinite, normal, subnormal, zero, value)`.
    fn fp_classify(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let mut args = self.builtin_args(name, args, 6, 6, span)?;
        let value = args.pop()?;
        if !self.real_argument(name, &value) {
            return None;
        }
        let classes: Vec<Expr> = args.into_iter().map(|class| self.convert(class, TypeId::INT)).collect();
        Some(self.with_temporary(value, span, |sema, value| {
            let zero = sema.int_expr(0, TypeId::INT, span);
            let zero = sema.convert(zero, value.ty.ty);
            let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(value.clone()), Box::new(zero));
            let is_zero = Expr { kind, ty: QualType::plain(TypeId::INT), span };
            let tests = [
                (sema.int_builtin(Builtin::IsNan, value, span), 0),
                (sema.int_builtin(Builtin::IsInf, value, span), 1),
                (is_zero, 4),
                (sema.int_builtin(Builtin::IsNormal, value, span), 2),
            ];
            tests.into_iter().rev().fold(classes[3].clone(), |otherwise, (test, class)| {
                sema.choose(test, classes[class].clone(), otherwise, span)
            })
        }))
    }

    fn special_value(&self, value: f64, kind: FloatKind, span: Span) -> Expr {
        let value = constant::convert_float(FloatConst::Double(value), kind);
        Expr { kind: ExprKind::Float(value), ty: QualType::plain(kind.type_id()), span }
    }

    fn nan(
        &mut self,
        name: &str,
        signalling: bool,
        kind: FloatKind,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let args = self.builtin_args(name, args, 1, 1, span)?;
        let text = match &args[0].kind {
            ExprKind::Decay(inner) => match inner.kind {
                ExprKind::String(id) => Some(self.strings[id.0 as usize].bytes.clone()),
                _ => None,
            },
            _ => None,
        };
        let payload = text.as_deref().and_then(|bytes| bytes.strip_suffix(&[0])).and_then(nan_payload);
        let Some(payload) = payload else {
            self.error(
                ids::NOT_CONSTANT,
                args[0].span,
                format!("the argument of '{name}' is not a number in a string literal"),
            );
            return None;
        };
        let quiet = !signalling;
        let value = match kind {
            FloatKind::Double => {
                let payload = payload & ((1 << 51) - 1);
                let payload = if quiet || payload != 0 { payload } else { 1 << 50 };
                FloatConst::Double(f64::from_bits(0x7ff0_0000_0000_0000 | u64::from(quiet) << 51 | payload))
            }
            // A float constant is held as a double; the bits that survive the conversion are those of the
            // top.
            FloatKind::Float => {
                let payload = payload & ((1 << 22) - 1);
                let bits = 0x7fc0_0000 | payload as u32;
                FloatConst::Double(f64::from_bits(
                    0x7ff8_0000_0000_0000 | (u64::from(bits) & 0x3f_ffff) << 29,
                ))
            }
            FloatKind::LongDouble => {
                let payload = payload & ((1 << 62) - 1);
                let payload = if quiet || payload != 0 { payload } else { 1 << 61 };
                let significand = 1 << 63 | u64::from(quiet) << 62 | payload;
                let mut bytes = [0; 10];
                bytes[..8].copy_from_slice(&significand.to_le_bytes());
                bytes[8..].copy_from_slice(&0x7fffu16.to_le_bytes());
                FloatConst::Extended(bytes)
            }
        };
        Some(Expr { kind: ExprKind::Float(value), ty: QualType::plain(kind.type_id()), span })
    }

    fn overflow(
        &mut self,
        name: &str,
        builtin: Builtin,
        typed: Option<TypeId>,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let mut args = self.builtin_args(name, args, 3, 3, span)?;
        let result = args.pop()?;
        let target = self.types.pointee(result.ty.ty);
        let fits = target.is_some_and(|target| self.types.is_integer(target.ty) && target.ty != TypeId::BOOL);
        if !fits
            || typed
                .is_some_and(|ty| target.map(|target| target.ty) != Some(ty) && !self.types.is_integer(ty))
        {
            self.error(
                ids::INVALID_OPERAND,
                result.span,
                format!("argument 3 in call to function '{name}' does not have pointer to integer type"),
            );
            return None;
        }
        let mut operands = Vec::with_capacity(3);
        for value in args {
            self.expect_integer(name, &value)?;
            operands.push(match typed {
                Some(ty) => self.convert(value, ty),
                None => value,
            });
        }
        operands.push(result);
        Some(Expr { kind: ExprKind::Builtin(builtin, operands), ty: QualType::plain(TypeId::BOOL), span })
    }

    fn expect_integer(&mut self, name: &str, value: &Expr) -> Option<()> {
        if !self.types.is_integer(value.ty.ty) {
            let message = format!("an argument of '{name}' is not an integer");
            self.error(ids::INVALID_OPERAND, value.span, message);
            return None;
        }
        Some(())
    }

    /// Whether a result would not fit the type of the last argument, which for a bit-field is its own. A
    /// constant if both operands are constants.
    fn would_overflow(
        &mut self,
        name: &str,
        builtin: Builtin,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let mut args = self.builtin_args(name, args, 3, 3, span)?;
        for arg in &args {
            self.expect_integer(name, arg)?;
        }
        let target = args[2].ty.ty;
        if target == TypeId::BOOL {
            let message = format!("argument 3 in call to function '{name}' has boolean type");
            self.error(ids::INVALID_OPERAND, args[2].span, message);
            return None;
        }
        let width = self.bit_field_width(&args[2]);
        let operand = |value: &Expr| Some((self.const_int(value)?, self.types.is_signed(value.ty.ty)));
        if let (Some(a), Some(b)) = (operand(&args[0]), operand(&args[1]))
            && is_pure(&args[2])
        {
            let width = width.unwrap_or(8 * self.types.size(target)? as u32);
            let truth = constant::overflows(builtin, a, b, width, self.types.is_signed(target));
            return Some(self.int_expr(truth.into(), TypeId::BOOL, span));
        }
        if let Some(width) = width {
            args.push(self.int_expr(width.into(), TypeId::INT, span));
        }
        Some(Expr { kind: ExprKind::Builtin(builtin, args), ty: QualType::plain(TypeId::BOOL), span })
    }

    fn complex_value(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let mut args = self.builtin_args(name, args, 2, 2, span)?;
        let (im, re) = (args.pop()?, args.pop()?);
        let kinds = (self.types.float_kind(re.ty.ty), self.types.float_kind(im.ty.ty));
        let (Some(a), Some(b)) = kinds else {
            self.error(
                ids::INVALID_OPERAND,
                span,
                format!("operands of '{name}' are not of real floating type"),
            );
            return None;
        };
        let kind = a.max(b);
        let (re, im) = (self.convert(re, kind.type_id()), self.convert(im, kind.type_id()));
        let ty = QualType::plain(kind.complex_id());
        Some(Expr { kind: ExprKind::Complex(Box::new(re), Box::new(im)), ty, span })
    }

    fn current_function(&self) -> String {
        match &self.function {
            Some(function) => self.text(self.functions[function.id.0 as usize].name),
            None => String::new(),
        }
    }

    fn call_atomic(&mut self, name: &str, family: atomics::Family, args: &[ast::Expr], span: Span) -> Expr {
        self.atomic_builtin(name, family, args, span).unwrap_or_else(|| self.error_expr(span))
    }
}

/// The number in the string of `nan("...")`.
fn nan_payload(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    if text.is_empty() {
        return Some(0);
    }
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(&text[1..], 8).ok(),
        None => text.parse().ok(),
    }
}

/// Bit counting on a constant.
fn fold_bits(builtin: Builtin, value: i128, kind: IntKind) -> Option<i128> {
    let width = kind.bits();
    let bits = kind.to_unsigned().wrap(value) as u128;
    let leading = bits.leading_zeros().saturating_sub(128 - width);
    let result = match builtin {
        Builtin::Clz if bits != 0 => leading,
        Builtin::Ctz if bits != 0 => bits.trailing_zeros(),
        Builtin::Popcount => bits.count_ones(),
        Builtin::Parity => bits.count_ones() & 1,
        Builtin::Ffs => {
            if bits == 0 {
                0
            } else {
                bits.trailing_zeros() + 1
            }
        }
        Builtin::Clrsb => {
            let sign = if value < 0 { !value } else { value } as u128;
            sign.leading_zeros() - (128 - width) - 1
        }
        Builtin::Bswap => return Some((bits.swap_bytes() >> (128 - width)) as i128),
        _ => return None,
    };
    Some(i128::from(result))
}
