//! Types as written: declaration specifiers, declarators, type names.

use super::attributes::Attributes;
use super::expr::has_effects;
use super::{Entity, Sema, ids};
use crate::ast::{self, BuiltinType, Declarator, Derived, Ident, Qualifiers, TypeSpec};
use crate::ctype::{ArrayLen, CType, FloatKind, FunctionType, IntKind, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::options::Standard;
use crate::source::Span;
use crate::typed::{Stmt, StmtKind};

/// What becomes of an array whose length is no constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VlaMode {
    /// An error: file scope, members.
    Forbidden,
    /// Its length is stored in a hidden variable, where there is a function to hold it.
    Allowed,
    /// `[*]`: parameters of a declaration.
    Prototype,
}

/// The largest object.
const MAX_SIZE: u64 = i64::MAX as u64;

impl Sema<'_> {
    /// A type name.
    pub(super) fn type_name(&mut self, name: &ast::TypeName, mode: VlaMode) -> QualType {
        let (base, _) = self.specifiers(&name.specs, false, "type name");
        self.declarator_type(base, &name.declarator, mode)
    }

    /// The type of declaration specifiers, and the alignment that `_Alignas` asks for. `standalone`: no
    /// declarator follows. `what` is what is declared, for messages.
    pub(super) fn specifiers(
        &mut self,
        specs: &ast::DeclSpecs,
        standalone: bool,
        what: &str,
    ) -> (QualType, Option<u64>) {
        let mut ty = match &specs.ty {
            TypeSpec::Builtin(builtin) => QualType::plain(self.builtin_type(*builtin)),
            TypeSpec::Typedef(name) => self.typedef_name(*name),
            TypeSpec::Record(spec) => {
                QualType::plain(self.record_specifier(spec, standalone && specs.storage.is_none()))
            }
            TypeSpec::Enum(spec) => QualType::plain(self.enum_specifier(spec, standalone)),
            TypeSpec::TypeofExpr(expr) => self.typeof_expr(expr),
            TypeSpec::TypeofType(name) => self.type_name(name, VlaMode::Allowed),
            TypeSpec::Unqualified(inner) => {
                let ty = match &**inner {
                    TypeSpec::TypeofExpr(expr) => self.typeof_expr(expr),
                    TypeSpec::TypeofType(name) => self.type_name(name, VlaMode::Allowed),
                    _ => QualType::plain(TypeId::ERROR),
                };
                self.unqualified(ty)
            }
            TypeSpec::Atomic(name) => {
                let ty = self.type_name(name, VlaMode::Forbidden);
                QualType { quals: Qualifiers { atomic: true, ..ty.quals }, ..ty }
            }
            TypeSpec::VaList => QualType::plain(self.va_list_type()),
            TypeSpec::Auto => QualType::plain(TypeId::ERROR),
            TypeSpec::Error => {
                self.broken = true;
                QualType::plain(TypeId::ERROR)
            }
            TypeSpec::Missing => {
                if self.session.options.standard != Standard::C89 {
                    self.warn(ids::IMPLICIT_INT, specs.span, format!("type defaults to 'int' in {what}"));
                }
                QualType::plain(TypeId::INT)
            }
        };
        if specs.qualifiers.restrict && !self.types.is_pointer(ty.ty) && ty.ty != TypeId::ERROR {
            self.error(ids::INVALID_RESTRICT, specs.span, "invalid use of 'restrict'");
        }
        ty = self.types.qualified(ty, specs.qualifiers);
        let mut align = None;
        for alignas in &specs.alignas {
            let wanted = match alignas {
                ast::Alignas::Type(name) => {
                    let ty = self.unevaluated(|sema| sema.type_name(name, VlaMode::Forbidden));
                    Some(self.types.align_of(ty))
                }
                ast::Alignas::Expr(expr) => self.alignment(expr),
            };
            align = align.max(wanted);
        }
        (ty, align)
    }

    /// The operand of `typeof` is evaluated if its type is variably modified. It is analysed a second time
    /// for that, but not where it is inside of another operand: the work would double with each level.
    fn typeof_expr(&mut self, expr: &ast::Expr) -> QualType {
        let pending = self.pending.len();
        self.unevaluated += 1;
        let mut value = self.expr(expr);
        self.unevaluated -= 1;
        if !self.types.is_variably_modified(value.ty.ty) {
            self.pending.truncate(pending);
            return value.ty;
        }
        if self.unevaluated == 0 {
            self.pending.truncate(pending);
            value = self.expr(expr);
        }
        let ty = value.ty;
        if has_effects(&value) {
            let span = value.span;
            let discarded = self.convert_to_void_address(value);
            self.pending.push(Stmt { kind: StmtKind::Expr(discarded), span });
        }
        ty
    }

    /// A type without qualifiers; an array has those of its elements.
    fn unqualified(&mut self, ty: QualType) -> QualType {
        let inner = match self.types.element(ty.ty) {
            Some((element, len)) => {
                let element = self.unqualified(element);
                self.types.array_of(element, len)
            }
            None => ty.ty,
        };
        QualType { ty: inner, quals: Qualifiers::NONE, ..ty }
    }

    fn typedef_name(&mut self, name: Ident) -> QualType {
        match self.lookup(name.sym) {
            Some(Entity::Typedef(ty)) => ty,
            Some(Entity::Error) => QualType::plain(TypeId::ERROR),
            _ => {
                let message = format!("unknown type name '{}'", self.text(name.sym));
                self.error(ids::UNKNOWN_TYPE, name.span, message);
                QualType::plain(TypeId::ERROR)
            }
        }
    }

    fn builtin_type(&mut self, builtin: BuiltinType) -> TypeId {
        match builtin {
            BuiltinType::Void => TypeId::VOID,
            BuiltinType::Bool => TypeId::BOOL,
            BuiltinType::Char => TypeId::CHAR,
            BuiltinType::SChar => TypeId::SCHAR,
            BuiltinType::UChar => TypeId::UCHAR,
            BuiltinType::Short => TypeId::SHORT,
            BuiltinType::UShort => TypeId::USHORT,
            BuiltinType::Int => TypeId::INT,
            BuiltinType::UInt => TypeId::UINT,
            BuiltinType::Long => TypeId::LONG,
            BuiltinType::ULong => TypeId::ULONG,
            BuiltinType::LongLong => TypeId::LLONG,
            BuiltinType::ULongLong => TypeId::ULLONG,
            BuiltinType::Int128 => IntKind::Int128.type_id(),
            BuiltinType::UInt128 => IntKind::UInt128.type_id(),
            BuiltinType::Float => TypeId::FLOAT,
            BuiltinType::Double => TypeId::DOUBLE,
            BuiltinType::LongDouble => TypeId::LDOUBLE,
            BuiltinType::ComplexFloat => FloatKind::Float.complex_id(),
            BuiltinType::ComplexDouble => FloatKind::Double.complex_id(),
            BuiltinType::ComplexLongDouble => FloatKind::LongDouble.complex_id(),
            BuiltinType::Float128 => self.types.intern(CType::Unsupported("_Float128")),
            BuiltinType::Nullptr => {
                let target = self.types.intern(CType::Unsupported(crate::ctype::NULLPTR_TARGET));
                self.types.pointer_to(QualType::plain(target))
            }
        }
    }

    /// The type of a declarator around `base`.
    pub(super) fn declarator_type(
        &mut self,
        base: QualType,
        declarator: &Declarator,
        mode: VlaMode,
    ) -> QualType {
        self.derive(base, &declarator.derived, mode, declarator.name, declarator.span)
    }

    /// Applies derivation steps, the one closest to the base (the last) first.
    pub(super) fn derive(
        &mut self,
        base: QualType,
        steps: &[Derived],
        mode: VlaMode,
        name: Option<Ident>,
        span: Span,
    ) -> QualType {
        let mut ty = base;
        for step in steps.iter().rev() {
            ty = match step {
                Derived::Pointer(quals) => QualType::qualified(self.types.pointer_to(ty), *quals),
                Derived::Array { size, star, .. } => {
                    self.array_type(ty, size.as_deref(), *star, mode, name, span)
                }
                Derived::Function(function) => self.function_derivation(ty, function, name, span),
            };
        }
        ty
    }

    fn array_type(
        &mut self,
        element: QualType,
        size: Option<&ast::Expr>,
        star: bool,
        mode: VlaMode,
        name: Option<Ident>,
        span: Span,
    ) -> QualType {
        let span = name.map_or(span, |name| name.span);
        if element.ty == TypeId::ERROR {
            return element;
        }
        let what = match self.types.get(element.ty) {
            CType::Function(_) => Some("functions"),
            CType::Void => Some("voids"),
            _ => None,
        };
        if let Some(what) = what {
            let message = format!("declaration of {} as array of {what}", self.declared(name));
            self.error(ids::INVALID_DECLARATOR, span, message);
            return QualType::plain(TypeId::ERROR);
        }
        let star_element = matches!(self.types.element(element.ty), Some((_, ArrayLen::Star)));
        if !self.types.is_complete(element.ty)
            && !star_element
            && !matches!(self.types.get(element.ty), CType::Unsupported(_))
        {
            let text = self.type_text(element);
            self.error(
                ids::INCOMPLETE_TYPE,
                span,
                format!("array type has incomplete element type '{text}'"),
            );
            return QualType::plain(TypeId::ERROR);
        }
        // Elements lie side by side: none but the first would be where the typedef says.
        let align = self.types.align_of(element);
        if self.types.size(element.ty).is_some_and(|size| size % align != 0) {
            let text = self.type_text(element);
            let message =
                format!("array of '{text}', whose alignment of {align} bytes does not divide its size");
            self.error(ids::INVALID_DECLARATOR, span, message);
            return QualType::plain(TypeId::ERROR);
        }
        let len = match size {
            Some(size) => match self.array_length(size, element, mode, name, span) {
                Some(len) => len,
                None => return QualType::plain(TypeId::ERROR),
            },
            None if star => ArrayLen::Star,
            None => ArrayLen::Incomplete,
        };
        QualType::plain(self.types.array_of(element, len))
    }

    fn array_length(
        &mut self,
        size: &ast::Expr,
        element: QualType,
        mode: VlaMode,
        name: Option<Ident>,
        span: Span,
    ) -> Option<ArrayLen> {
        let value = self.rvalue(size);
        if self.is_error(&value) {
            return None;
        }
        if !self.types.is_integer(value.ty.ty) {
            let message = format!("size of {} has non-integer type", self.array_name(name));
            self.error(ids::ARRAY_SIZE, value.span, message);
            return None;
        }
        if let Some(count) = self.const_int(&value) {
            if count < 0 {
                let message = format!("size of {} is negative", self.array_name(name));
                self.error(ids::ARRAY_SIZE, value.span, message);
                return None;
            }
            let count = u64::try_from(count).ok();
            let total = count.and_then(|count| count.checked_mul(self.types.size(element.ty).unwrap_or(1)));
            return match (count, total) {
                (Some(count), Some(total)) if total <= MAX_SIZE => Some(ArrayLen::Known(count)),
                _ => {
                    let message = format!("size of {} is too large", self.array_name(name));
                    self.error(ids::ARRAY_SIZE, span, message);
                    None
                }
            };
        }
        match mode {
            VlaMode::Prototype => Some(ArrayLen::Star),
            VlaMode::Allowed if self.function.is_some() => {
                let count = self.convert(value, TypeId::SIZE);
                let var = self.hidden_var(QualType::plain(TypeId::SIZE), span);
                self.pending.push(Stmt { kind: StmtKind::VlaSize(var, count), span });
                Some(ArrayLen::Variable(var))
            }
            VlaMode::Allowed | VlaMode::Forbidden => {
                let message =
                    format!("variably modified {} where its size must be constant", self.declared(name));
                self.error(ids::VLA_NOT_ALLOWED, span, message);
                None
            }
        }
    }

    fn declared(&self, name: Option<Ident>) -> String {
        name.map_or_else(|| "type name".to_owned(), |name| format!("'{}'", self.text(name.sym)))
    }

    fn array_name(&self, name: Option<Ident>) -> String {
        name.map_or_else(|| "unnamed array".to_owned(), |name| format!("array '{}'", self.text(name.sym)))
    }

    fn function_derivation(
        &mut self,
        result: QualType,
        function: &ast::FunctionDeclarator,
        name: Option<Ident>,
        span: Span,
    ) -> QualType {
        let result = self.check_result(result, name, span);
        let (params, unprototyped) = match &function.params {
            ast::Params::Unknown => (Vec::new(), true),
            ast::Params::Identifiers(list) => {
                if let Some(first) = list.first() {
                    self.error(
                        ids::INVALID_DECLARATOR,
                        first.span,
                        "parameter names without types in a function declaration",
                    );
                }
                (Vec::new(), true)
            }
            ast::Params::Prototype(list) => (self.prototype_params(list), false),
        };
        let function = FunctionType { result, params, variadic: function.variadic, unprototyped };
        QualType::plain(self.types.intern(CType::Function(function)))
    }

    /// A function may return neither functions nor arrays.
    pub(super) fn check_result(&mut self, result: QualType, name: Option<Ident>, span: Span) -> QualType {
        let what = match self.types.get(result.ty) {
            CType::Function(_) => "a function",
            CType::Array(..) => "an array",
            _ => return result,
        };
        let message = format!("{} declared as function returning {what}", self.declared(name));
        self.error(ids::INVALID_DECLARATOR, name.map_or(span, |name| name.span), message);
        QualType::plain(TypeId::ERROR)
    }

    fn prototype_params(&mut self, list: &[ast::Param]) -> Vec<QualType> {
        let uses_names = list.iter().any(|param| {
            param.declarator.derived.iter().any(|step| match step {
                Derived::Array { size: Some(size), .. } => !matches!(size.kind, ast::ExprKind::Number(_)),
                _ => false,
            })
        });
        self.enter_scope();
        self.prototype_depth += 1;
        let mut params = Vec::with_capacity(list.len());
        for param in list {
            let (ty, _) = self.parameter_type(param, VlaMode::Prototype);
            if let (true, Some(name)) = (uses_names, param.declarator.name) {
                let var = self.new_var(Some(name.sym), ty, crate::typed::Storage::Auto, name.span);
                self.idents.bind(name.sym, Entity::Var(var), name.span);
            }
            params.push(ty);
        }
        self.prototype_depth -= 1;
        self.leave_scope();
        params
    }

    /// The adjusted type of a parameter (C11 6.7.6.3p7), and its attributes.
    pub(super) fn parameter_type(&mut self, param: &ast::Param, mode: VlaMode) -> (QualType, Attributes) {
        let (base, alignas) = self.specifiers(&param.specs, false, "parameter");
        let mut attributes = Attributes { aligned: alignas, ..Attributes::default() };
        self.read_attributes(&param.specs.attributes, &mut attributes);
        self.read_attributes(&param.attributes, &mut attributes);
        if let Some((class, span)) = param.specs.storage
            && class != ast::StorageClass::Register
        {
            self.error(ids::INVALID_STORAGE_CLASS, span, "storage class specified for parameter");
        }
        let ty = self.adjusted_parameter(base, &param.declarator, mode);
        let ty = self.type_with_attributes(ty, &attributes);
        if ty.ty == TypeId::VOID {
            let span = param.declarator.name.map_or(param.specs.span, |name| name.span);
            self.error(ids::INCOMPLETE_TYPE, span, "parameter has void type");
            return (QualType::plain(TypeId::ERROR), attributes);
        }
        (ty, attributes)
    }

    /// The type of a parameter's declarator: arrays and functions become pointers.
    pub(super) fn adjusted_parameter(
        &mut self,
        base: QualType,
        declarator: &Declarator,
        mode: VlaMode,
    ) -> QualType {
        let (name, span) = (declarator.name, declarator.span);
        if let [Derived::Array { size, qualifiers, .. }, rest @ ..] = &declarator.derived[..] {
            let element = self.derive(base, rest, mode, name, span);
            // The outermost length is no part of the type; it is analysed for its errors, and for what else a
            // definition does where it evaluates it.
            let ty = match size {
                Some(size) if !matches!(size.kind, ast::ExprKind::Number(_)) => {
                    let pending = self.pending.len();
                    let checked = self.array_type(element, Some(size), false, mode, name, span);
                    let idle =
                        |stmt: &Stmt| matches!(&stmt.kind, StmtKind::VlaSize(_, len) if !has_effects(len));
                    if mode == VlaMode::Prototype || self.pending[pending..].iter().all(idle) {
                        self.pending.truncate(pending);
                    }
                    checked
                }
                _ => self.array_type(element, None, false, mode, name, span),
            };
            if ty.ty == TypeId::ERROR {
                return ty;
            }
            return QualType::qualified(self.types.pointer_to(element), *qualifiers);
        }
        let ty = self.derive(base, &declarator.derived, mode, name, span);
        match *self.types.get(ty.ty) {
            CType::Array(element, _) => QualType::plain(self.types.pointer_to(element)),
            CType::Function(_) => QualType::plain(self.types.pointer_to(QualType::plain(ty.ty))),
            _ => ty,
        }
    }

    /// Reports the use of an incomplete type.
    pub(super) fn incomplete(&mut self, ty: QualType, span: Span) {
        let message = match self.types.get(ty.ty) {
            CType::Error => return,
            CType::Void => "invalid use of void expression".to_owned(),
            CType::Unsupported(name) => {
                let message = format!("objects of type '{name}' are not supported");
                self.error(ids::TYPE_UNSUPPORTED, span, message);
                return;
            }
            _ => format!("invalid use of incomplete type '{}'", self.type_text(ty)),
        };
        let mut diagnostic = Diagnostic::error(ids::INCOMPLETE_TYPE, span, message);
        if let Some(record) = self.types.record(ty.ty) {
            let declared = self.types.records[record.0 as usize].span;
            diagnostic = diagnostic.related(declared, "declared here, but not defined");
        }
        self.emit(diagnostic);
    }

    /// Whether a type is complete; reported if not.
    pub(super) fn require_complete(&mut self, ty: QualType, span: Span) -> bool {
        let complete = self.types.is_complete(ty.ty);
        if !complete {
            self.incomplete(ty, span);
        }
        complete && ty.ty != TypeId::ERROR
    }
}
