//! Calls: of functions, of builtins, of functions nobody declared.

use super::builtins::{self, Meaning};
use super::convert::AssignTo;
use super::{Entity, Sema, ids};
use crate::ast::{self, ExprKind as Ast};
use crate::ctype::{CType, FunctionType, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::intern::Symbol;
use crate::options::Standard;
use crate::source::Span;
use crate::typed::*;

impl Sema<'_> {
    pub(super) fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
        let mut name = callee;
        while let Ast::Paren(inner) = &name.kind {
            name = inner;
        }
        let Ast::Ident(symbol) = name.kind else {
            let callee = self.rvalue(callee);
            return self.call_value(callee, args, span);
        };
        match self.lookup(symbol) {
            Some(Entity::Func(func)) => self.call_function(func, args, name.span, span),
            None => match self.builtin_meaning(symbol) {
                Some((meaning, signature)) => {
                    self.call_builtin(symbol, meaning, signature, args, name.span, span)
                }
                None => {
                    let func = self.implicit_function(symbol, name.span);
                    self.call_function(func, args, name.span, span)
                }
            },
            Some(_) => {
                let callee = self.rvalue(callee);
                self.call_value(callee, args, span)
            }
        }
    }

    /// A call of a function by its name.
    fn call_function(&mut self, func: FuncId, args: &[ast::Expr], name_span: Span, span: Span) -> Expr {
        let function = &self.functions[func.0 as usize];
        let (name, linkage, defined) = (function.name, function.linkage, function.body.is_some());
        let designator = self.function_designator(func, name_span);
        let Some(ty) = self.types.function(designator.ty.ty).cloned() else { return self.error_expr(span) };
        let text = self.session.interner.shared(name);
        let declared = self.functions[func.0 as usize].span;
        let args = self.arguments(&ty, args, Some((&text, declared)), span);
        if linkage == Linkage::External
            && !defined
            && let Some(builtin) = self.library_operation(&text, &ty)
        {
            let kind = ExprKind::Builtin(builtin, args);
            return Expr { kind, ty: QualType::plain(ty.result.ty), span };
        }
        if linkage == Linkage::External
            && !defined
            && let Some(kind) = self.omp_thread_query(&text, &args, span)
        {
            return Expr { kind, ty: QualType::plain(ty.result.ty), span };
        }
        self.finish_call(designator, args, &ty, span)
    }

    fn finish_call(&mut self, callee: Expr, args: Vec<Expr>, ty: &FunctionType, span: Span) -> Expr {
        let result = ty.result;
        if result.ty != TypeId::VOID && !self.types.is_complete(result.ty) {
            self.incomplete(result, span);
            return self.error_expr(span);
        }
        if args.iter().any(|arg| self.is_error(arg)) {
            self.broken = true;
        }
        let kind = ExprKind::Call { callee: Box::new(callee), args };
        Expr { kind, ty: QualType::plain(result.ty), span }
    }

    fn call_value(&mut self, callee: Expr, args: &[ast::Expr], span: Span) -> Expr {
        if self.is_error(&callee) {
            args.iter().for_each(|arg| drop(self.rvalue(arg)));
            return self.error_expr(span);
        }
        let target = self.types.pointee(callee.ty.ty).map(|target| target.ty);
        let Some(ty) = target.and_then(|target| self.types.function(target)).cloned() else {
            let text = self.type_text(callee.ty);
            self.error(
                ids::NOT_A_FUNCTION,
                callee.span,
                format!("called object of type '{text}' is not a function or function pointer"),
            );
            args.iter().for_each(|arg| drop(self.rvalue(arg)));
            return self.error_expr(span);
        };
        let args = self.arguments(&ty, args, None, span);
        // The value of a function designator is called by its name.
        let callee = match callee.kind {
            ExprKind::Decay(function) if matches!(function.kind, ExprKind::Func(_)) => *function,
            _ => callee,
        };
        self.finish_call(callee, args, &ty, span)
    }

    /// Converts arguments to the parameters' types (C11 6.5.2.2).
    fn arguments(
        &mut self,
        ty: &FunctionType,
        args: &[ast::Expr],
        function: Option<(&str, Span)>,
        span: Span,
    ) -> Vec<Expr> {
        let values: Vec<Expr> = args.iter().map(|arg| self.rvalue(arg)).collect();
        self.convert_arguments(ty, values, function, span)
    }

    pub(super) fn convert_arguments(
        &mut self,
        ty: &FunctionType,
        args: Vec<Expr>,
        function: Option<(&str, Span)>,
        span: Span,
    ) -> Vec<Expr> {
        if !ty.unprototyped {
            let wrong = match args.len().cmp(&ty.params.len()) {
                std::cmp::Ordering::Less => Some("few"),
                std::cmp::Ordering::Greater if !ty.variadic => Some("many"),
                _ => None,
            };
            if let Some(wrong) = wrong {
                let name = function.map_or_else(String::new, |(name, _)| format!(" to function '{name}'"));
                let expected = ty.params.len();
                let message =
                    format!("too {wrong} arguments{name}: expected {expected}, have {}", args.len());
                let mut diagnostic = Diagnostic::error(ids::ARGUMENT_COUNT, span, message);
                if let Some((_, declared)) = function {
                    diagnostic = diagnostic.related(declared, "declared here");
                }
                self.emit(diagnostic);
                return args;
            }
        }
        let mut converted = Vec::with_capacity(args.len());
        for (index, arg) in args.into_iter().enumerate() {
            let param = if ty.unprototyped { None } else { ty.params.get(index) };
            converted.push(match param {
                Some(&param) => {
                    let context = AssignTo::Argument(
                        index + 1,
                        function.map(|(name, _)| name),
                        function.map(|(_, span)| span),
                    );
                    self.assign_convert(arg, param, context)
                }
                None => self.variable_argument(arg),
            });
        }
        converted
    }

    /// An argument for which there is no parameter.
    fn variable_argument(&mut self, arg: Expr) -> Expr {
        if arg.ty.ty == TypeId::VOID {
            self.error(ids::VOID_VALUE, arg.span, "invalid use of void expression");
            return self.error_expr(arg.span);
        }
        if let CType::Unsupported(_) = self.types.get(arg.ty.ty) {
            self.incomplete(arg.ty, arg.span);
            return self.error_expr(arg.span);
        }
        self.promote_argument(arg)
    }

    /// A function that is called without a declaration: as the library declares it if it is one of the
    /// library's, else `int name()`.
    fn implicit_function(&mut self, symbol: Symbol, span: Span) -> FuncId {
        let text = self.text(symbol);
        let library = builtins::library(&text).map(|signature| self.signature_type(&signature));
        let known = match self.externs.get(&symbol) {
            Some(&Entity::Func(func)) => Some(func),
            _ => None,
        };
        let is_declared = known.is_some_and(|func| !self.notes[func.0 as usize].implicit);
        if text.starts_with("__builtin_") && library.is_none() && !is_declared {
            if !self.leave_alternative() {
                let message = format!("the builtin function '{text}' is not supported");
                self.error(ids::BUILTIN_UNSUPPORTED, span, message);
            }
        } else if self.session.options.standard != Standard::C89 {
            let mut diagnostic = Diagnostic::warning(
                ids::IMPLICIT_FUNCTION,
                span,
                format!("implicit declaration of function '{text}'"),
            );
            if let Some(remedy) = self.remedy(symbol) {
                diagnostic = diagnostic.note(remedy);
            } else if library.is_some() {
                diagnostic = diagnostic
                    .note(format!("'{text}' is a library function: include the header that declares it"));
            }
            self.emit(diagnostic);
        }
        let func = known.unwrap_or_else(|| {
            let result = QualType::plain(TypeId::INT);
            let ty = FunctionType { result, params: Vec::new(), variadic: false, unprototyped: true };
            let ty = library.unwrap_or_else(|| self.types.intern(CType::Function(ty)));
            let func = self.add_function(symbol, ty, Linkage::External, span);
            self.notes[func.0 as usize].implicit = true;
            self.externs.insert(symbol, Entity::Func(func));
            func
        });
        self.idents.bind(symbol, Entity::Func(func), span);
        func
    }

    /// The operation a library function is, if it was declared as the library declares it.
    fn library_operation(&mut self, name: &str, ty: &FunctionType) -> Option<Builtin> {
        let builtin = builtins::operation_of_library(name)?;
        let matches = match builtin {
            Builtin::Alloca => ty.params.len() == 1 && self.types.is_pointer(ty.result.ty),
            Builtin::AccOnDevice => {
                ty.params.len() == 1
                    && self.types.is_integer(ty.result.ty)
                    && self.types.is_integer(ty.params[0].ty)
            }
            _ => {
                let wanted = builtins::library(name).map(|signature| self.signature_type(&signature))?;
                let wanted = self.types.function(wanted)?;
                wanted.result.ty == ty.result.ty
                    && !ty.unprototyped
                    && wanted.params.len() == ty.params.len()
                    && wanted.params.iter().zip(&ty.params).all(|(a, b)| a.ty == b.ty)
            }
        };
        matches.then_some(builtin)
    }

    /// The meaning of a builtin's name, where nothing hides it.
    pub(super) fn builtin_meaning(&self, symbol: Symbol) -> Option<(Meaning, builtins::Signature)> {
        builtins::find(self.session.interner.text(symbol))
    }

    /// A builtin that is named without being called: only those that are library functions have an address.
    pub(super) fn builtin_designator(&mut self, symbol: Symbol, span: Span) -> Option<Expr> {
        let (meaning, signature) = self.builtin_meaning(symbol)?;
        let Meaning::Library(name) = meaning else {
            let message = format!("builtin function '{}' must be directly called", self.text(symbol));
            self.error(ids::BUILTIN_ADDRESS, span, message);
            return Some(self.error_expr(span));
        };
        let func = self.library_function(&name, &signature, span);
        Some(self.function_designator(func, span))
    }

    /// The library function a builtin stands for.
    pub(super) fn library_function(
        &mut self,
        name: &str,
        signature: &builtins::Signature,
        span: Span,
    ) -> FuncId {
        // Sizes of objects are never known here, so that these check nothing, and devices have none of them.
        if name.ends_with("_chk") {
            self.leave_alternative();
        }
        let symbol = self.session.interner.intern(name);
        if let Some(&Entity::Func(func)) = self.externs.get(&symbol) {
            return func;
        }
        let ty = self.signature_type(signature);
        let func = self.add_function(symbol, ty, Linkage::External, span);
        self.functions[func.0 as usize].noreturn = matches!(name, "abort" | "exit" | "_exit" | "_Exit");
        // A later declaration in the program continues this one.
        self.externs.insert(symbol, Entity::Func(func));
        func
    }

    /// The function type a signature says.
    pub(super) fn signature_type(&mut self, signature: &builtins::Signature) -> TypeId {
        let mut types = signature.text.chars();
        let result = QualType::plain(self.signature_letter(types.next().unwrap_or('v'), signature.real));
        let (mut params, mut variadic) = (Vec::new(), false);
        for letter in types {
            match letter {
                ':' => {}
                '.' => variadic = true,
                _ => params.push(QualType::plain(self.signature_letter(letter, signature.real))),
            }
        }
        let ty = FunctionType { result, params, variadic, unprototyped: false };
        self.types.intern(CType::Function(ty))
    }

    /// The type a letter of a signature stands for; `real` replaces `double` in families of functions.
    fn signature_letter(&mut self, letter: char, real: crate::ctype::FloatKind) -> TypeId {
        let constant = ast::Qualifiers { const_: true, ..ast::Qualifiers::NONE };
        match letter {
            'v' => TypeId::VOID,
            'b' => TypeId::BOOL,
            'c' => TypeId::CHAR,
            'i' => TypeId::INT,
            'u' => TypeId::UINT,
            'h' => TypeId::USHORT,
            'l' => TypeId::LONG,
            'm' => TypeId::ULONG,
            'L' => TypeId::LLONG,
            'M' => TypeId::ULLONG,
            'x' => TypeId::UINT128,
            'f' => TypeId::FLOAT,
            'd' => TypeId::DOUBLE,
            'e' => TypeId::LDOUBLE,
            'r' => real.type_id(),
            'R' => self.types.pointer_to(QualType::plain(real.type_id())),
            'C' => real.complex_id(),
            'p' => TypeId::VOID_PTR,
            'P' => self.types.pointer_to(QualType::qualified(TypeId::VOID, constant)),
            's' => TypeId::CHAR_PTR,
            'S' => self.types.pointer_to(QualType::qualified(TypeId::CHAR, constant)),
            'I' => self.types.pointer_to(QualType::plain(TypeId::INT)),
            'V' => self.va_list_pointer(),
            _ => TypeId::ERROR,
        }
    }
}
