//! Expressions: names, primary and postfix expressions, casts, `sizeof` and its kin.

use super::types::VlaMode;
use super::{Entity, Sema, constant, ids};
use crate::ast::{self, ExprKind as Ast, Ident, Qualifiers};
use crate::ctype::{ArrayLen, CType, QualType, RecordId, TypeId};
use crate::diag::Diagnostic;
use crate::intern::Symbol;
use crate::source::Span;
use crate::typed::*;

/// How deep expressions and statements may nest: the analysis recurses.
const MAX_DEPTH: u32 = 1500;

impl Sema<'_> {
    /// Analyses an expression; lvalues stay lvalues, arrays and functions stay themselves.
    pub fn expr(&mut self, expr: &ast::Expr) -> Expr {
        if !self.enter_nesting(expr.span) {
            return self.error_expr(expr.span);
        }
        let result = self.expr_kind(expr);
        self.depth -= 1;
        result
    }

    /// Counts one more level of nesting; false, reported once, where there are too many.
    pub(super) fn enter_nesting(&mut self, span: Span) -> bool {
        if self.depth >= MAX_DEPTH {
            if !self.depth_reported {
                self.depth_reported = true;
                self.error(
                    ids::NESTING_UNSUPPORTED,
                    span,
                    format!("nested more than {MAX_DEPTH} levels deep: not supported"),
                );
            }
            return false;
        }
        self.depth += 1;
        true
    }

    fn expr_kind(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            Ast::Ident(symbol) => self.identifier(*symbol, span),
            Ast::Number(spelling) => self.number(*spelling, span),
            Ast::Char(spelling) => self.character(*spelling, span),
            Ast::String(spellings) => self.string(spellings, span),
            Ast::FuncName => self.function_name(span),
            Ast::Paren(inner) => Expr { span, ..self.expr(inner) },
            Ast::Generic(control, associations) => self.generic(control, associations, span),
            Ast::Index(base, index) => self.index(base, index, span),
            Ast::Section(..) => {
                self.error(
                    ids::SECTION_OUTSIDE_CLAUSE,
                    span,
                    "an array section may only stand in a clause of a directive",
                );
                self.error_expr(span)
            }
            Ast::Call(callee, args) => self.call(callee, args, span),
            Ast::Member(base, name) => {
                let base = self.expr(base);
                self.member(base, *name, span)
            }
            Ast::Arrow(base, name) => self.arrow(base, *name, span),
            Ast::PostInc(inner) => self.inc_dec(inner, true, false, span),
            Ast::PostDec(inner) => self.inc_dec(inner, false, false, span),
            Ast::CompoundLiteral(name, list) => self.compound_literal(name, list, span),
            Ast::Unary(op, inner) => self.unary(*op, inner, span),
            Ast::SizeofExpr(inner) => self.sizeof_expr(inner, span),
            Ast::SizeofType(name) => self.sizeof_type(name, span),
            Ast::AlignofExpr(inner) => self.alignof_expr(inner, span),
            Ast::AlignofType(name) => {
                let ty = self.unevaluated(|sema| sema.type_name(name, VlaMode::Allowed));
                self.alignof(ty, span)
            }
            Ast::Cast(name, inner) => self.cast_expr(name, inner, span),
            Ast::Binary(..) => self.binary_chain(expr),
            Ast::Assign(target, value) => self.assignment(target, value, span),
            Ast::AssignOp(op, op_span, target, value) => {
                self.compound_assignment(*op, *op_span, target, value, span)
            }
            Ast::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then.as_deref(), otherwise, span)
            }
            Ast::Comma(left, right) => {
                let left = self.discarded(left);
                let right = self.rvalue(right);
                let ty = right.ty;
                Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), ty, span }
            }
            Ast::StmtExpr(items) => self.statement_expr(items, span),
            Ast::LabelAddr(label) => self.label_address(*label, span),
            Ast::VaArg(list, name) => self.va_arg(list, name, span),
            Ast::Offsetof(name, designators) => self.offsetof(name, designators, span),
            Ast::TypesCompatible(a, b) => {
                let a = self.unevaluated(|sema| sema.type_name(a, VlaMode::Allowed));
                let b = self.unevaluated(|sema| sema.type_name(b, VlaMode::Allowed));
                let same = self.types.compatible(a.ty, b.ty);
                self.int_expr(i128::from(same), TypeId::INT, span)
            }
            Ast::ChooseExpr(condition, then, otherwise) => {
                let condition = self.rvalue(condition);
                match self.const_int(&condition) {
                    Some(0) => self.expr(otherwise),
                    Some(_) => self.expr(then),
                    None => {
                        if !self.is_error(&condition) {
                            let text = "first argument to '__builtin_choose_expr' is not a constant";
                            self.error(ids::NOT_CONSTANT, condition.span, text);
                        }
                        self.error_expr(span)
                    }
                }
            }
            Ast::DevicePointer(pointer) => {
                let pointer = self.rvalue(pointer);
                self.dispatched_pointer(pointer)
            }
            Ast::Error => {
                // Reported by the parser; without an error of ours the tree must still not be used.
                self.broken = true;
                self.error_expr(span)
            }
        }
    }

    /// Analyses an expression for its value: objects are read, arrays and functions decay.
    pub fn rvalue(&mut self, expr: &ast::Expr) -> Expr {
        let expr = self.expr(expr);
        self.to_rvalue(expr)
    }

    /// Analyses an expression whose value is not used.
    pub(super) fn discarded(&mut self, expr: &ast::Expr) -> Expr {
        let expr = self.expr(expr);
        if !matches!(expr.kind, ExprKind::Deref(_))
            || self.types.is_complete(expr.ty.ty)
            || self.types.is_function(expr.ty.ty)
        {
            return self.to_rvalue(expr);
        }
        // An incomplete or void lvalue (`*p` with `void *p`) may be discarded; it is not read.
        match expr.kind {
            ExprKind::Deref(pointer) => self.convert(*pointer, TypeId::VOID),
            _ => expr,
        }
    }

    /// Runs `work` on an operand that is not evaluated: what it names is not used by the program.
    pub(super) fn unevaluated<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let pending = self.pending.len();
        self.unevaluated += 1;
        let result = work(self);
        self.unevaluated -= 1;
        self.pending.truncate(pending);
        result
    }

    fn identifier(&mut self, symbol: Symbol, span: Span) -> Expr {
        match self.lookup(symbol) {
            Some(Entity::Var(var)) => {
                let ty = self.vars[var.0 as usize].ty;
                Expr { kind: ExprKind::Var(var), ty, span }
            }
            Some(Entity::Func(func)) => self.function_designator(func, span),
            Some(Entity::Constant(value, ty)) => self.int_expr(value, ty, span),
            Some(Entity::Error) => self.error_expr(span),
            Some(Entity::Typedef(..)) => {
                let message = format!("unexpected type name '{}': expected an expression", self.text(symbol));
                self.error(ids::UNEXPECTED_TYPE_NAME, span, message);
                self.error_expr(span)
            }
            None => match self.builtin_designator(symbol, span) {
                Some(expr) => expr,
                None => self.undeclared(symbol, span),
            },
        }
    }

    /// A use of a function.
    pub(in crate::sema) fn function_designator(&mut self, func: FuncId, span: Span) -> Expr {
        let function = &mut self.functions[func.0 as usize];
        function.referenced |= self.unevaluated == 0;
        Expr { kind: ExprKind::Func(func), ty: QualType::plain(function.ty), span }
    }

    fn undeclared(&mut self, symbol: Symbol, span: Span) -> Expr {
        let text = self.text(symbol);
        let mut diagnostic = Diagnostic::error(ids::UNDECLARED, span, format!("'{text}' undeclared"));
        if self.function.is_some() {
            diagnostic.message.push_str(" (first use in this function)");
        }
        if let Some(remedy) = self.remedy(symbol) {
            diagnostic = diagnostic.note(remedy);
        }
        self.emit(diagnostic);
        // Further uses are not reported.
        self.idents.bind(symbol, Entity::Error, span);
        self.error_expr(span)
    }

    /// `__func__`.
    fn function_name(&mut self, span: Span) -> Expr {
        let name = match &self.function {
            Some(function) => {
                let name = self.functions[function.id.0 as usize].name;
                self.text(name)
            }
            None => {
                self.warn(
                    ids::FUNC_OUTSIDE_FUNCTION,
                    span,
                    "'__func__' is not defined outside of function scope",
                );
                String::new()
            }
        };
        let elements: Vec<u32> = name.bytes().map(u32::from).collect();
        let mut expr = self.string_expr(&elements, super::literal::Encoding::Plain, span);
        let quals = Qualifiers { const_: true, ..Qualifiers::NONE };
        expr.ty = self.types.qualified(expr.ty, quals);
        expr
    }

    fn generic(
        &mut self,
        control: &ast::Expr,
        associations: &[(Option<ast::TypeName>, ast::Expr)],
        span: Span,
    ) -> Expr {
        let control = self.unevaluated(|sema| sema.rvalue(control));
        let (mut chosen, mut default) = (None, None);
        let mut seen: Vec<(QualType, Span)> = Vec::with_capacity(associations.len());
        for (name, result) in associations {
            let Some(name) = name else {
                if default.replace(result).is_some() {
                    self.error(ids::GENERIC_SELECTION, span, "duplicate 'default' case in '_Generic'");
                }
                continue;
            };
            let ty = self.unevaluated(|sema| sema.type_name(name, VlaMode::Allowed));
            if let Some((_, first)) =
                seen.iter().find(|(other, _)| self.types.compatible_qualified(*other, ty))
            {
                let diagnostic = Diagnostic::error(
                    ids::GENERIC_SELECTION,
                    name.specs.span,
                    "'_Generic' specifies two compatible types",
                );
                self.emit(diagnostic.related(*first, "compatible type is here"));
            } else if ty.quals.is_none() && self.types.compatible(ty.ty, control.ty.ty) {
                chosen = Some(result);
            }
            seen.push((ty, name.specs.span));
        }
        match chosen.or(default) {
            Some(result) => self.expr(result),
            None => {
                if !self.is_error(&control) {
                    let text = self.type_text(control.ty);
                    let message = format!(
                        "'_Generic' selector of type '{text}' is not compatible with any association"
                    );
                    self.error(ids::GENERIC_SELECTION, control.span, message);
                }
                self.error_expr(span)
            }
        }
    }

    fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Expr {
        let base = self.rvalue(base);
        let index = self.rvalue(index);
        if self.is_error(&base) || self.is_error(&index) {
            return self.error_expr(span);
        }
        let (pointer, index) = if self.types.is_pointer(base.ty.ty) { (base, index) } else { (index, base) };
        let Some(target) = self.types.pointee(pointer.ty.ty) else {
            self.error(
                ids::INVALID_SUBSCRIPT,
                span,
                "subscripted value is neither array nor pointer nor vector",
            );
            return self.error_expr(span);
        };
        if !self.types.is_integer(index.ty.ty) {
            self.error(ids::INVALID_SUBSCRIPT, index.span, "array subscript is not an integer");
            return self.error_expr(span);
        }
        if self.types.is_function(target.ty) {
            self.error(ids::INVALID_SUBSCRIPT, span, "subscripted value is pointer to function");
            return self.error_expr(span);
        }
        let element = self.pointer_add(pointer, index, false, span);
        self.dereference(element, span)
    }

    /// `*pointer`, of an analysed pointer value.
    pub(crate) fn dereference(&mut self, pointer: Expr, span: Span) -> Expr {
        if self.is_error(&pointer) {
            return self.error_expr(span);
        }
        let Some(target) = self.types.pointee(pointer.ty.ty) else {
            let message =
                format!("invalid type argument of unary '*' (have '{}')", self.type_text(pointer.ty));
            self.error(ids::INVALID_OPERAND, span, message);
            return self.error_expr(span);
        };
        Expr { kind: ExprKind::Deref(Box::new(pointer)), ty: target, span }
    }

    fn arrow(&mut self, base: &ast::Expr, name: Ident, span: Span) -> Expr {
        let pointer = self.rvalue(base);
        if self.is_error(&pointer) {
            return self.error_expr(span);
        }
        if self.types.pointee(pointer.ty.ty).is_none() {
            let hint = if self.types.record(pointer.ty.ty).is_some() { "; did you mean '.'?" } else { "" };
            let message =
                format!("invalid type argument of '->' (have '{}'){hint}", self.type_text(pointer.ty));
            self.error(ids::INVALID_MEMBER_ACCESS, span, message);
            return self.error_expr(span);
        }
        let object = self.dereference(pointer, span);
        self.member(object, name, span)
    }

    /// `base.name`.
    pub(crate) fn member(&mut self, base: Expr, name: Ident, span: Span) -> Expr {
        if self.is_error(&base) {
            return self.error_expr(span);
        }
        let Some(record) = self.types.record(base.ty.ty) else {
            let text = self.text(name.sym);
            let pointer =
                self.types.pointee(base.ty.ty).is_some_and(|target| self.types.record(target.ty).is_some());
            let message = if pointer {
                format!("'{}' is a pointer; did you mean to use '->'?", self.type_text(base.ty))
            } else {
                format!(
                    "request for member '{text}' in something not a structure or union (have '{}')",
                    self.type_text(base.ty)
                )
            };
            self.error(ids::INVALID_MEMBER_ACCESS, span, message);
            return self.error_expr(span);
        };
        if self.types.records[record.0 as usize].fields.is_none() {
            self.incomplete(base.ty, span);
            return self.error_expr(span);
        }
        let Some(path) = self.find_field(record, name.sym) else {
            let message = format!(
                "'{}' has no member named '{}'",
                self.type_text(QualType::plain(base.ty.ty)),
                self.text(name.sym)
            );
            self.error(ids::NO_SUCH_MEMBER, name.span, message);
            return self.error_expr(span);
        };
        path.into_iter().fold(base, |base, (record, index)| self.member_at(base, record, index, span))
    }

    /// The member at a position.
    pub(crate) fn member_at(&mut self, base: Expr, record: RecordId, index: u32, span: Span) -> Expr {
        // A struct value that was read is read through its member only.
        let base = match base.kind {
            ExprKind::Load(lvalue) => *lvalue,
            _ => base,
        };
        let field = self.field(record, index).ty;
        let quals = base.ty.quals;
        let ty = self.types.qualified(field, Qualifiers { restrict: false, ..quals });
        Expr { kind: ExprKind::Member(Box::new(base), record, index), ty, span }
    }

    fn compound_literal(&mut self, name: &ast::TypeName, list: &ast::InitList, span: Span) -> Expr {
        let ty = self.type_name(name, VlaMode::Allowed);
        if ty.ty == TypeId::ERROR {
            return self.error_expr(span);
        }
        if self.types.is_vla(ty.ty) {
            self.error(ids::VLA_INITIALIZER, span, "compound literal has variable size");
            return self.error_expr(span);
        }
        let specs = &name.specs;
        let mut ty = ty;
        if specs.constexpr {
            ty = self.types.qualified(ty, Qualifiers { const_: true, ..Qualifiers::NONE });
        }
        let is_static =
            self.function.is_none() || matches!(specs.storage, Some((ast::StorageClass::Static, _)));
        let (ty, init) = self.list_initializer(ty, list, is_static || specs.constexpr);
        if !self.require_complete(ty, span) {
            return self.error_expr(span);
        }
        let storage = match (is_static, specs.thread_local) {
            (true, false) => Storage::Static { linkage: Linkage::Internal, defined: true, tentative: false },
            (true, true) => Storage::Thread { linkage: Linkage::Internal, defined: true },
            (false, _) => Storage::Auto,
        };
        let var = self.new_var(None, ty, storage, span);
        self.vars[var.0 as usize].in_memory = true;
        if specs.constexpr {
            self.constexpr_vars.insert(var);
            self.note_constant(var, ty, &init);
        }
        if is_static {
            self.vars[var.0 as usize].init = Some(init);
            return Expr { kind: ExprKind::Var(var), ty, span };
        }
        Expr { kind: ExprKind::CompoundLiteral(var, Some(init)), ty, span }
    }

    /// A struct or union value whose first bytes are `value`: a compound literal that is read.
    pub(super) fn union_value(&mut self, union: TypeId, member: TypeId, value: Expr, span: Span) -> Expr {
        let ty = QualType::plain(union);
        let var = self.new_var(None, ty, Storage::Auto, span);
        let init = Init { entries: vec![InitEntry { offset: 0, bits: None, ty: member, value }] };
        let literal = Expr { kind: ExprKind::CompoundLiteral(var, Some(init)), ty, span };
        self.to_rvalue(literal)
    }

    fn sizeof_expr(&mut self, inner: &ast::Expr, span: Span) -> Expr {
        let pending = self.pending.len();
        self.unevaluated += 1;
        let operand = self.expr(inner);
        self.unevaluated -= 1;
        if self.is_error(&operand) {
            self.pending.truncate(pending);
            return self.error_expr(span);
        }
        if self.is_bit_field(&operand) {
            self.error(ids::BIT_FIELD_OPERAND, span, "'sizeof' applied to a bit-field");
        }
        let size = self.sizeof(operand.ty, span);
        self.pending.truncate(pending);
        // A VLA operand is evaluated (C11 6.5.3.4p2); only its side effects could be noticed.
        if self.types.is_vla(operand.ty.ty) && has_effects(&operand) {
            let address = self.convert_to_void_address(operand);
            let ty = size.ty;
            return Expr { kind: ExprKind::Comma(Box::new(address), Box::new(size)), ty, span };
        }
        size
    }

    pub(super) fn convert_to_void_address(&mut self, operand: Expr) -> Expr {
        let value = self.to_rvalue(operand);
        self.convert(value, TypeId::VOID)
    }

    fn sizeof_type(&mut self, name: &ast::TypeName, span: Span) -> Expr {
        let pending = self.pending.len();
        let ty = self.type_name(name, VlaMode::Allowed);
        let size = self.sizeof(ty, span);
        self.with_pending(pending, size)
    }

    /// Puts the statements that analysing a type name left behind in front of the expression that uses the
    /// type.
    pub(super) fn with_pending(&mut self, from: usize, expr: Expr) -> Expr {
        if self.pending.len() == from {
            return expr;
        }
        let statements = self.pending.split_off(from);
        let span = expr.span;
        self.statements_in_expression(statements, Some(expr), span)
    }

    fn sizeof(&mut self, ty: QualType, span: Span) -> Expr {
        match self.types.get(ty.ty) {
            CType::Error => self.error_expr(span),
            // GNU C.
            CType::Void | CType::Function(_) => self.int_expr(1, TypeId::SIZE, span),
            CType::Unsupported(name) => {
                let message = format!("the size of type '{name}' is not supported");
                self.error(ids::TYPE_UNSUPPORTED, span, message);
                self.error_expr(span)
            }
            _ if !self.types.is_complete(ty.ty) => {
                let message =
                    format!("invalid application of 'sizeof' to incomplete type '{}'", self.type_text(ty));
                self.error(ids::INCOMPLETE_TYPE, span, message);
                self.error_expr(span)
            }
            _ => self.size_expr(ty.ty, span),
        }
    }

    /// The size in bytes of a type, as an expression of type `size_t`: a constant, or one over the hidden
    /// variables of VLAs.
    pub fn size_expr(&mut self, ty: TypeId, span: Span) -> Expr {
        if let Some(size) = self.types.size(ty) {
            return self.int_expr(i128::from(size), TypeId::SIZE, span);
        }
        let Some((element, len)) = self.types.element(ty) else {
            return self.int_expr(1, TypeId::SIZE, span);
        };
        let element = self.size_expr(element.ty, span);
        let count = match len {
            ArrayLen::Known(count) => self.int_expr(i128::from(count), TypeId::SIZE, span),
            ArrayLen::Variable(var) => {
                let lvalue = Expr { kind: ExprKind::Var(var), ty: QualType::plain(TypeId::SIZE), span };
                self.to_rvalue(lvalue)
            }
            ArrayLen::Incomplete | ArrayLen::Star => self.int_expr(0, TypeId::SIZE, span),
        };
        self.arithmetic(ast::BinaryOp::Mul, count, element, TypeId::SIZE, span)
    }

    fn alignof_expr(&mut self, inner: &ast::Expr, span: Span) -> Expr {
        let operand = self.unevaluated(|sema| sema.expr(inner));
        if self.is_bit_field(&operand) {
            self.error(ids::BIT_FIELD_OPERAND, span, "'_Alignof' applied to a bit-field");
            return self.error_expr(span);
        }
        let declared = match operand.kind {
            ExprKind::Var(var) => self.vars[var.0 as usize].align,
            ExprKind::Member(_, record, index) => Some(self.field(record, index).align),
            _ => None,
        };
        if let Some(align) = declared {
            return self.int_expr(i128::from(align), TypeId::SIZE, span);
        }
        self.alignof(operand.ty, span)
    }

    fn alignof(&mut self, ty: QualType, span: Span) -> Expr {
        if ty.ty == TypeId::ERROR {
            return self.error_expr(span);
        }
        let element = self.types.innermost_element(ty);
        if !self.types.is_complete(element.ty)
            && element.ty != TypeId::VOID
            && !self.types.is_function(element.ty)
        {
            let message =
                format!("invalid application of '_Alignof' to incomplete type '{}'", self.type_text(element));
            self.error(ids::INCOMPLETE_TYPE, span, message);
            return self.error_expr(span);
        }
        self.int_expr(i128::from(self.types.align_of(ty)), TypeId::SIZE, span)
    }

    fn cast_expr(&mut self, name: &ast::TypeName, inner: &ast::Expr, span: Span) -> Expr {
        let pending = self.pending.len();
        let ty = self.type_name(name, VlaMode::Allowed);
        let value = if ty.ty == TypeId::VOID { self.discarded(inner) } else { self.rvalue(inner) };
        let result = self.cast_value(value, ty, span);
        self.with_pending(pending, result)
    }

    /// `(ty)value`.
    pub(super) fn cast_value(&mut self, value: Expr, ty: QualType, span: Span) -> Expr {
        let (to, from) = (ty.ty, value.ty.ty);
        if to == TypeId::ERROR || from == TypeId::ERROR {
            return self.error_expr(span);
        }
        if to == TypeId::VOID {
            return Expr { span, ..self.convert(value, to) };
        }
        let types = &self.types;
        if types.record(to).is_some() {
            return self.cast_to_record(value, to, span);
        }
        let allowed = types.is_scalar(to)
            && types.is_scalar(from)
            && !(types.is_pointer(to) && !(types.is_integer(from) || types.is_pointer(from)))
            && !(types.is_pointer(from) && !(types.is_integer(to) || types.is_pointer(to)));
        if !allowed {
            let (have, want) = (self.type_text(value.ty), self.type_text(QualType::plain(to)));
            let message = match self.types.get(to) {
                CType::Array(..) => "cast specifies array type".to_owned(),
                CType::Function(_) => "cast specifies function type".to_owned(),
                CType::Unsupported(name) => {
                    let message = format!("values of type '{name}' are not supported");
                    self.error(ids::TYPE_UNSUPPORTED, span, message);
                    return self.error_expr(span);
                }
                _ if from == TypeId::VOID => "void value not ignored as it ought to be".to_owned(),
                _ => format!("cannot convert a value of type '{have}' to type '{want}'"),
            };
            self.error(ids::INVALID_CAST, span, message);
            return self.error_expr(span);
        }
        self.check_cast_size(&value, to, span);
        let null = self.is_null_constant(&value);
        // The value of a bit-field is promoted by its width; a cast makes it a value like any other.
        let value = match self.bit_field_width(&value) {
            Some(_) if from == to => Expr {
                ty: QualType::plain(to),
                span,
                kind: ExprKind::Cast(CastKind::Arithmetic, Box::new(value)),
            },
            _ => value,
        };
        let mut result = Expr { span, ..self.convert(value, to) };
        // `(char *)0` is a null pointer, `(void *)1` an address; neither is a null pointer constant of its
        // own, but only `(void *)0` has the type that would make it one.
        if null && to != TypeId::VOID_PTR {
            result.ty = QualType::plain(to);
        }
        result
    }

    fn check_cast_size(&mut self, value: &Expr, to: TypeId, span: Span) {
        if matches!(value.kind, ExprKind::Int(_)) {
            return;
        }
        let types = &self.types;
        let (from_pointer, to_pointer) = (types.is_pointer(value.ty.ty), types.is_pointer(to));
        if from_pointer && types.int_kind(to).is_some_and(|kind| kind.size() != 8 && kind.bits() != 1) {
            self.warn(ids::POINTER_TO_INT_CAST, span, "cast from pointer to integer of different size");
        } else if to_pointer && types.int_kind(value.ty.ty).is_some_and(|kind| kind.size() != 8) {
            self.warn(ids::INT_TO_POINTER_CAST, span, "cast to pointer from integer of different size");
        }
    }

    fn cast_to_record(&mut self, value: Expr, to: TypeId, span: Span) -> Expr {
        if self.types.compatible(to, value.ty.ty) {
            return Expr { span, ..value };
        }
        // GNU: a union from the type of one of its members.
        let member = self.types.record(to).and_then(|id| {
            let record = &self.types.records[id.0 as usize];
            let mut fields = record.fields.iter().flatten().filter(|_| record.is_union);
            fields.find(|field| self.types.compatible(field.ty.ty, value.ty.ty)).map(|field| field.ty.ty)
        });
        match member {
            Some(member) => {
                let value = self.convert(value, member);
                self.union_value(to, member, value, span)
            }
            None => {
                let (have, want) = (self.type_text(value.ty), self.type_text(QualType::plain(to)));
                self.error(
                    ids::INVALID_CAST,
                    span,
                    format!("cannot convert a value of type '{have}' to type '{want}'"),
                );
                self.error_expr(span)
            }
        }
    }

    fn va_arg(&mut self, list: &ast::Expr, name: &ast::TypeName, span: Span) -> Expr {
        let list = self.va_list_operand(list);
        let ty = self.type_name(name, VlaMode::Forbidden);
        if self.is_error(&list) || !self.require_complete(ty, name.specs.span) {
            return self.error_expr(span);
        }
        let promoted = match self.types.get(ty.ty) {
            CType::Float(crate::ctype::FloatKind::Float) => Some("double"),
            CType::Int(kind) if kind.rank() < crate::ctype::IntKind::Int.rank() => Some("int"),
            _ => None,
        };
        if let Some(promoted) = promoted {
            let message =
                format!("'{}' is promoted to '{promoted}' when passed through '...'", self.type_text(ty));
            self.error(ids::VA_ARG_TYPE, span, message);
            return self.error_expr(span);
        }
        if self.types.is_array(ty.ty) {
            self.error(ids::VA_ARG_TYPE, span, "'va_arg' of an array type is not supported");
            return self.error_expr(span);
        }
        Expr { kind: ExprKind::VaArg(Box::new(list)), ty: QualType::plain(ty.ty), span }
    }

    /// The operand of the `va_*` builtins: a pointer to the list's first element.
    pub(super) fn va_list_operand(&mut self, list: &ast::Expr) -> Expr {
        let list = self.expr(list);
        self.mark_in_memory(&list);
        let value = self.to_rvalue(list);
        let wanted = self.va_list_pointer();
        if value.ty.ty != wanted && !self.is_error(&value) {
            let message =
                format!("expected a 'va_list' but argument is of type '{}'", self.type_text(value.ty));
            self.error(ids::INCOMPATIBLE_TYPES, value.span, message);
            return self.error_expr(value.span);
        }
        value
    }

    fn offsetof(&mut self, name: &ast::TypeName, designators: &[ast::Designator], span: Span) -> Expr {
        let ty = self.type_name(name, VlaMode::Forbidden);
        if ty.ty == TypeId::ERROR || !self.require_complete(ty, span) {
            return self.error_expr(span);
        }
        let null = self.int_expr(0, TypeId::ULONG, span);
        let pointer = self.types.pointer_to(ty);
        let pointer = self.convert(null, pointer);
        let mut lvalue = self.dereference(pointer, span);
        for designator in designators {
            lvalue = match designator {
                ast::Designator::Field(name) => self.member(lvalue, *name, span),
                ast::Designator::Index(index) => {
                    let index = self.rvalue(index);
                    let base = self.to_rvalue(lvalue);
                    if self.is_error(&base) || self.is_error(&index) || !self.types.is_integer(index.ty.ty) {
                        return self.error_expr(span);
                    }
                    let element = self.pointer_add(base, index, false, span);
                    self.dereference(element, span)
                }
                ast::Designator::Range(..) => self.error_expr(span),
            };
            if self.is_error(&lvalue) {
                return lvalue;
            }
        }
        if self.is_bit_field(&lvalue) {
            self.error(ids::BIT_FIELD_OPERAND, span, "attempt to take address of bit-field");
            return self.error_expr(span);
        }
        let pointer = self.types.pointer_to(lvalue.ty);
        let address = Expr { kind: ExprKind::AddrOf(Box::new(lvalue)), ty: QualType::plain(pointer), span };
        match constant::absolute_address(&self.types, &address) {
            Some(offset) => self.int_expr(i128::from(offset), TypeId::SIZE, span),
            None => self.convert(address, TypeId::SIZE),
        }
    }

    /// Whether an lvalue is a bit-field.
    pub(super) fn is_bit_field(&self, expr: &Expr) -> bool {
        match expr.kind {
            ExprKind::Member(_, record, index) => self.field(record, index).bits.is_some(),
            _ => false,
        }
    }

    /// Notes that the object at the root of an lvalue needs an address.
    pub(crate) fn mark_in_memory(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => self.vars[var.0 as usize].in_memory |= self.unevaluated == 0,
            ExprKind::Member(base, ..) | ExprKind::Part(base, _) => self.mark_in_memory(base),
            _ => {}
        }
    }
}

/// Whether evaluating an expression may do more than compute a value from variables.
pub(super) fn has_effects(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Var(_)
        | ExprKind::Func(_)
        | ExprKind::String(_) => false,
        ExprKind::Load(inner)
        | ExprKind::Decay(inner)
        | ExprKind::AddrOf(inner)
        | ExprKind::Deref(inner)
        | ExprKind::Member(inner, ..)
        | ExprKind::Cast(_, inner)
        | ExprKind::Unary(_, inner) => has_effects(inner),
        ExprKind::PtrAdd { pointer, index, .. } => has_effects(pointer) || has_effects(index),
        ExprKind::Binary(_, left, right) => has_effects(left) || has_effects(right),
        _ => true,
    }
}
