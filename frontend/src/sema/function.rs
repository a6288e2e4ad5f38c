//! Functions: declarations, definitions, `inline`, old-style parameters.

use super::attributes::Attributes;
use super::decl::{Declared, linkage_conflict};
use super::jumps::Jumps;
use super::state::{FunctionContext, FunctionNotes};
use super::types::VlaMode;
use super::{Entity, Sema, ids};
use crate::ast::{self, Derived, Ident, StorageClass};
use crate::ctype::{CType, FunctionType, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::intern::Symbol;
use crate::options::Standard;
use crate::source::Span;
use crate::typed::*;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A parameter of a definition.
struct Parameter {
    name: Option<Ident>,
    ty: QualType,
    /// The object the body uses.
    var: VarId,
}

impl Sema<'_> {
    /// Declares a function; none if the declaration contradicts an earlier one so much that it is ignored.
    pub(super) fn declare_function(&mut self, declared: &Declared<'_>) -> Option<FuncId> {
        let name = declared.name;
        let is_static = declared.storage == Some(StorageClass::Static);
        if is_static && self.function.is_some() {
            self.error(
                ids::INVALID_STORAGE_CLASS,
                name.span,
                format!("invalid storage class for function '{}'", self.text(name.sym)),
            );
        }
        if matches!(declared.storage, Some(StorageClass::Auto | StorageClass::Register)) {
            self.error(
                ids::INVALID_STORAGE_CLASS,
                name.span,
                format!("invalid storage class for function '{}'", self.text(name.sym)),
            );
        }
        let here = self.idents.get_here(name.sym).map(|known| (known.entity, known.span));
        let known = match here {
            Some((Entity::Func(func), _)) => Some(func),
            Some((Entity::Error, _)) => None,
            Some((_, span)) => {
                self.different_kind(name, span);
                return None;
            }
            None => None,
        };
        let known = match known.map(Entity::Func).or_else(|| self.externs.get(&name.sym).copied()) {
            Some(Entity::Var(var)) => {
                let span = self.vars[var.0 as usize].span;
                self.different_kind(name, span);
                return None;
            }
            Some(Entity::Func(func)) => Some(func),
            _ => None,
        };
        let func = match known {
            Some(func) => {
                self.merge_function(func, declared);
                func
            }
            None => self.new_function(declared),
        };
        self.function_attributes(func, declared);
        if self.idents.get_here(name.sym).is_none() {
            self.idents.bind(name.sym, Entity::Func(func), name.span);
        }
        Some(func)
    }

    fn new_function(&mut self, declared: &Declared<'_>) -> FuncId {
        let linkage = if declared.storage == Some(StorageClass::Static) {
            Linkage::Internal
        } else {
            Linkage::External
        };
        let is_extern = declared.storage == Some(StorageClass::Extern);
        let func = self.add_function(declared.name.sym, declared.ty.ty, linkage, declared.name.span);
        self.notes[func.0 as usize].inline_everywhere = declared.inline && !is_extern;
        self.externs.insert(declared.name.sym, Entity::Func(func));
        func
    }

    /// A function without any attributes.
    pub(super) fn add_function(&mut self, name: Symbol, ty: TypeId, linkage: Linkage, span: Span) -> FuncId {
        let id = FuncId(self.functions.len() as u32);
        let ty = self.types.without_vla_lengths(ty);
        let returns_twice = returns_twice(self.session.interner.text(name));
        let asm_label = self.renamed.get(&name).map(|&new| self.session.interner.shared(new));
        let weak = self.weak_names.contains(&name);
        self.functions.push(Function {
            name,
            ty,
            linkage,
            inline_only: false,
            inline_hint: false,
            noinline: false,
            weak,
            noreturn: false,
            returns_twice,
            asm_label,
            alias: None,
            constructor: None,
            destructor: None,
            routine: None,
            body: None,
            span,
            referenced: false,
        });
        self.notes.push(FunctionNotes::default());
        id
    }

    fn merge_function(&mut self, func: FuncId, declared: &Declared<'_>) {
        let name = declared.name;
        let old = &self.functions[func.0 as usize];
        let (old_type, old_span, linkage) = (old.ty, old.span, old.linkage);
        if !self.types.compatible(old_type, declared.ty.ty) {
            let (have, previous) = (self.type_text(declared.ty), self.type_text(QualType::plain(old_type)));
            let message = format!("conflicting types for '{}'; have '{have}'", self.text(name.sym));
            let implicit = self.notes[func.0 as usize].implicit;
            let text = if implicit { "previous implicit declaration" } else { "previous declaration" };
            let diagnostic = if implicit && !self.returns_differ(old_type, declared.ty.ty) {
                Diagnostic::warning(ids::CONFLICTING_TYPES, name.span, message)
            } else {
                Diagnostic::error(ids::CONFLICTING_TYPES, name.span, message)
            };
            self.emit(diagnostic.related(old_span, format!("{text} with type '{previous}'")));
            self.functions[func.0 as usize].ty = declared.ty.ty;
            return;
        }
        if self.contradicts_old_style(func, declared) {
            return;
        }
        let ty = self.types.without_vla_lengths(declared.ty.ty);
        let composite = self.types.composite(old_type, ty);
        self.functions[func.0 as usize].ty = composite;
        let (is_static, is_extern) =
            (declared.storage == Some(StorageClass::Static), declared.storage == Some(StorageClass::Extern));
        // A function without storage class takes the linkage of the earlier declaration, as `extern` does.
        if let Some(conflict) = linkage_conflict(linkage, is_static, is_extern || !is_static) {
            let message = format!("conflicting declarations of '{}': {conflict}", self.text(name.sym));
            self.emit(
                Diagnostic::error(ids::LINKAGE, name.span, message)
                    .related(old_span, "previous declaration is here"),
            );
        }
        if self.function.is_none() {
            self.notes[func.0 as usize].inline_everywhere &= declared.inline && !is_extern;
        }
        self.notes[func.0 as usize].implicit = false;
    }

    /// Whether a prototype has another number of parameters than the definition without one that is there
    /// already. Inside of that definition nothing is wrong with it, but what is defined stays as it is.
    fn contradicts_old_style(&mut self, func: FuncId, declared: &Declared<'_>) -> bool {
        let function = &self.functions[func.0 as usize];
        let inside = self.function.as_ref().is_some_and(|context| context.id == func);
        let (Some(old), Some(new)) = (self.types.function(function.ty), self.types.function(declared.ty.ty))
        else {
            return false;
        };
        let defined = inside || function.body.is_some();
        if !defined || !old.unprototyped || new.unprototyped || old.params.len() == new.params.len() {
            return false;
        }
        if !inside {
            let message = format!(
                "prototype for '{}' has {} parameters, its old-style definition {}",
                self.text(declared.name.sym),
                new.params.len(),
                old.params.len()
            );
            let diagnostic = Diagnostic::error(ids::CONFLICTING_TYPES, declared.name.span, message);
            self.emit(diagnostic.related(function.span, "defined here"));
        }
        true
    }

    fn returns_differ(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.function(a), self.types.function(b)) {
            (Some(a), Some(b)) => !self.types.compatible(a.result.ty, b.result.ty),
            _ => true,
        }
    }

    fn function_attributes(&mut self, func: FuncId, declared: &Declared<'_>) {
        let label = declared.asm_label.and_then(|label| self.asm_name(label));
        let attributes = &declared.attributes;
        self.notes[func.0 as usize].gnu_inline |= attributes.gnu_inline;
        let function = &mut self.functions[func.0 as usize];
        function.inline_hint |= declared.inline || attributes.always_inline;
        function.noinline |= attributes.noinline;
        function.weak |= attributes.weak;
        function.noreturn |= attributes.noreturn;
        function.returns_twice |= attributes.returns_twice;
        function.alias = function.alias.take().or_else(|| attributes.alias.clone());
        function.constructor = function.constructor.or(attributes.constructor);
        function.destructor = function.destructor.or(attributes.destructor);
        if label.is_some() {
            function.asm_label = label;
        }
    }

    /// The name an `asm` label gives.
    pub(super) fn asm_name(&mut self, label: Symbol) -> Option<Arc<str>> {
        let text = self.session.interner.shared(label);
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&text);
        (!inner.is_empty()).then(|| inner.into())
    }

    /// A function definition.
    pub(super) fn function_definition(&mut self, definition: &ast::FunctionDef) {
        let Some(name) = definition.declarator.name else { return };
        let text = self.text(name.sym);
        let (base, _) = self.specifiers(&definition.specs, false, &format!("definition of '{text}'"));
        let mut attributes = Attributes::default();
        self.read_attributes(&definition.specs.attributes, &mut attributes);
        self.read_attributes(&definition.attributes, &mut attributes);
        attributes.noreturn |= definition.specs.noreturn;
        let [Derived::Function(function), rest @ ..] = &definition.declarator.derived[..] else {
            self.error(
                ids::INVALID_DECLARATOR,
                name.span,
                format!("'{text}' is defined like a function but is none"),
            );
            return;
        };
        let result = self.derive(base, rest, VlaMode::Forbidden, Some(name), definition.declarator.span);
        let result = self.check_result(result, Some(name), name.span);
        self.enter_scope();
        self.begin_function(result);
        let (params, unprototyped) = match &function.params {
            ast::Params::Unknown => (Vec::new(), true),
            ast::Params::Prototype(list) => (self.definition_params(list), false),
            ast::Params::Identifiers(list) => (self.old_style_params(list, &definition.old_style), true),
        };
        if !matches!(function.params, ast::Params::Identifiers(_))
            && let Some(first) = definition.old_style.first()
        {
            self.error(
                ids::INVALID_DECLARATOR,
                first.span,
                "old-style parameter declarations in prototyped function definition",
            );
        }
        let mut body = Vec::new();
        self.flush_pending(&mut body);
        let mut types: Vec<QualType> = params.iter().map(|param| param.ty).collect();
        let vars = self.passed_params(&params, unprototyped, &mut types, &mut body);
        let params_type = types
            .into_iter()
            .map(|ty| QualType { ty: self.types.without_vla_lengths(ty.ty), ..ty })
            .collect();
        let ty = FunctionType { result, params: params_type, variadic: function.variadic, unprototyped };
        let ty = QualType::plain(self.types.intern(CType::Function(ty)));
        // The function itself is declared outside the scope of its parameters.
        let hidden = (self.idents.suspend(), self.tags.suspend());
        let context = self.function.take();
        let declared = Declared {
            constexpr: false,
            name,
            ty,
            storage: definition.specs.storage.map(|(class, _)| class),
            thread_local: definition.specs.thread_local,
            inline: definition.specs.inline,
            align: None,
            attributes,
            asm_label: definition.asm_label,
            init: None,
            value: None,
        };
        let func = self.declare_function(&declared);
        if let Some(func) = func {
            self.function_declared(func);
        }
        self.function = context;
        self.idents.resume(hidden.0);
        self.tags.resume(hidden.1);
        let func = match func {
            Some(func) => func,
            None => self.add_function(name.sym, ty.ty, Linkage::Internal, name.span),
        };
        self.check_definition(func, &declared, result, &params);
        if let Some(context) = &mut self.function {
            context.id = func;
        }
        self.function_body(definition, &mut body);
        self.leave_scope();
        let (labels, address_taken) = self.end_function();
        let is_main = text == "main" && self.functions[func.0 as usize].linkage == Linkage::External;
        let end = Span::at(definition.body.span.last);
        let mut body = FunctionBody { params: vars, body, labels, address_taken, is_main, end };
        self.function_finished(func, &mut body);
        let notes = self.notes[func.0 as usize];
        let is_left = notes.is_left && notes.extern_inline_definition;
        self.functions[func.0 as usize].body = (!is_left).then_some(body);
        self.functions[func.0 as usize].span = name.span;
    }

    fn begin_function(&mut self, result: QualType) {
        self.function = Some(Box::new(FunctionContext {
            id: FuncId(0),
            result,
            jumps: Jumps::new(),
            switches: Vec::new(),
        }));
    }

    fn end_function(&mut self) -> (Vec<Symbol>, Vec<LabelId>) {
        self.pending.clear();
        let context = self.function.take();
        context.map_or_else(Default::default, |context| self.check_labels(context.jumps))
    }

    fn function_body(&mut self, definition: &ast::FunctionDef, body: &mut Vec<Stmt>) {
        if let ast::StmtKind::Compound(items) = &definition.body.kind {
            // The outermost block shares the scope of the parameters (C11 6.2.1p4).
            self.block_items(items, body);
        }
    }

    fn check_definition(
        &mut self,
        func: FuncId,
        declared: &Declared<'_>,
        result: QualType,
        params: &[Parameter],
    ) {
        let name = declared.name;
        let text = self.text(name.sym);
        let function = &self.functions[func.0 as usize];
        if function.body.is_some() {
            let previous = function.span;
            // A gnu89 `extern inline` definition may be followed by the real one.
            if !self.notes[func.0 as usize].extern_inline_definition || !self.gnu89_inline(func) {
                let diagnostic =
                    Diagnostic::error(ids::REDEFINITION, name.span, format!("redefinition of '{text}'"));
                self.emit(diagnostic.related(previous, "previous definition is here"));
            }
        }
        self.notes[func.0 as usize].extern_inline_definition =
            declared.inline && declared.storage == Some(StorageClass::Extern);
        if result.ty != TypeId::VOID && !self.types.is_complete(result.ty) {
            let message = format!("return type '{}' is incomplete or not supported", self.type_text(result));
            self.error(ids::INCOMPLETE_TYPE, name.span, message);
        }
        for param in params {
            // C23 and GCC: a parameter that the function does not use needs no name.
            self.require_complete(param.ty, param.name.map_or(name.span, |ident| ident.span));
        }
        if text == "main" && result.ty != TypeId::INT && result.ty != TypeId::ERROR {
            self.warn(ids::MAIN, name.span, "return type of 'main' is not 'int'");
        }
    }

    fn definition_params(&mut self, list: &[ast::Param]) -> Vec<Parameter> {
        let mut params = Vec::with_capacity(list.len());
        for param in list {
            self.prototype_depth += 1;
            let (ty, attributes) = self.parameter_type(param, VlaMode::Allowed);
            self.prototype_depth -= 1;
            let register = matches!(param.specs.storage, Some((StorageClass::Register, _)));
            params.push(self.bind_param(
                param.declarator.name,
                ty,
                &attributes,
                register,
                param.declarator.span,
                params.len(),
            ));
            if let (Some(ast::Derived::Array { size: Some(size), .. }), Some(bound)) =
                (param.declarator.derived.first(), params.last())
            {
                self.array_parameter(bound.var, size);
            }
        }
        params
    }

    fn bind_param(
        &mut self,
        name: Option<Ident>,
        ty: QualType,
        attributes: &Attributes,
        register: bool,
        span: Span,
        index: usize,
    ) -> Parameter {
        let span = name.map_or(span, |name| name.span);
        let var = self.new_var(name.map(|name| name.sym), ty, Storage::Param(index as u32), span);
        let natural = self.types.align_of(ty);
        self.vars[var.0 as usize].align = attributes.aligned.filter(|&align| align > natural);
        if register {
            self.register_vars.insert(var);
        }
        if let Some(name) = name {
            if let Some(previous) = self.idents.get_here(name.sym).map(|known| known.span) {
                let message = format!("redefinition of parameter '{}'", self.text(name.sym));
                self.emit(
                    Diagnostic::error(ids::REDEFINITION, name.span, message)
                        .related(previous, "previous definition is here"),
                );
            }
            self.idents.bind(name.sym, Entity::Var(var), name.span);
        }
        Parameter { name, ty, var }
    }

    /// The parameters of `f(a, b) int a; double b; { ... }`.
    fn old_style_params(&mut self, names: &[Ident], declarations: &[ast::Declaration]) -> Vec<Parameter> {
        let mut types: Vec<Option<(QualType, Attributes, bool)>> = vec![None; names.len()];
        for declaration in declarations {
            let (base, alignas) = self.specifiers(&declaration.specs, false, "parameter");
            let register = matches!(declaration.specs.storage, Some((StorageClass::Register, _)));
            for declarator in &declaration.declarators {
                let Some(name) = declarator.declarator.name else { continue };
                let mut attributes = Attributes { aligned: alignas, ..Attributes::default() };
                self.read_attributes(&declaration.specs.attributes, &mut attributes);
                self.read_attributes(&declarator.attributes, &mut attributes);
                let ty = self.adjusted_parameter(base, &declarator.declarator, VlaMode::Allowed);
                match names.iter().position(|known| known.sym == name.sym) {
                    Some(index) => types[index] = Some((ty, attributes, register)),
                    None => {
                        let message = format!(
                            "declaration for parameter '{}' but no such parameter",
                            self.text(name.sym)
                        );
                        self.error(ids::PARAMETER_NAME, name.span, message);
                    }
                }
            }
        }
        let mut params = Vec::with_capacity(names.len());
        for (&name, ty) in names.iter().zip(types) {
            let (ty, attributes, register) = ty.unwrap_or_else(|| {
                if self.session.options.standard != Standard::C89 {
                    let message = format!("type of '{}' defaults to 'int'", self.text(name.sym));
                    self.warn(ids::IMPLICIT_INT, name.span, message);
                }
                (QualType::plain(TypeId::INT), Attributes::default(), false)
            });
            params.push(self.bind_param(Some(name), ty, &attributes, register, name.span, params.len()));
        }
        params
    }

    /// The objects that receive the arguments. A caller of an old-style function passes promoted arguments:
    /// what is received is converted to the declared type first.
    fn passed_params(
        &mut self,
        params: &[Parameter],
        old_style: bool,
        types: &mut [QualType],
        body: &mut Vec<Stmt>,
    ) -> Vec<VarId> {
        let mut vars = Vec::with_capacity(params.len());
        for (index, param) in params.iter().enumerate() {
            let span = self.vars[param.var.0 as usize].span;
            let promoted = match self.types.get(param.ty.ty) {
                CType::Float(crate::ctype::FloatKind::Float) => TypeId::DOUBLE,
                CType::Int(kind) if kind.rank() < crate::ctype::IntKind::Int.rank() => TypeId::INT,
                _ => param.ty.ty,
            };
            if !old_style || promoted == param.ty.ty {
                vars.push(param.var);
                continue;
            }
            types[index] = QualType::plain(promoted);
            let passed = self.new_var(None, types[index], Storage::Param(index as u32), span);
            self.vars[param.var.0 as usize].storage = Storage::Auto;
            let lvalue = Expr { kind: ExprKind::Var(passed), ty: types[index], span };
            let value = self.to_rvalue(lvalue);
            let value = self.convert(value, param.ty.ty);
            let init = Init { entries: vec![InitEntry { offset: 0, bits: None, ty: param.ty.ty, value }] };
            body.push(Stmt { kind: StmtKind::Declare(param.var, Some(init)), span });
            vars.push(passed);
        }
        vars
    }

    fn gnu89_inline(&self, func: FuncId) -> bool {
        let options = &self.session.options;
        self.notes[func.0 as usize].gnu_inline || options.gnu89_inline || options.standard == Standard::C89
    }

    /// Gives the definition up that is being analysed if it is `extern inline`: calls go to the definition
    /// that stands behind it. Those of glibc's checks (`_FORTIFY_SOURCE`) are of this kind.
    pub(super) fn leave_alternative(&mut self) -> bool {
        let Some(func) = self.function.as_ref().map(|function| function.id) else { return false };
        let is_alternative = self.notes[func.0 as usize].extern_inline_definition && self.gnu89_inline(func);
        self.notes[func.0 as usize].is_left |= is_alternative;
        is_alternative
    }

    /// What is left to do for functions when the translation unit ends.
    pub(super) fn finish_functions(&mut self) {
        let labels = self.functions.iter().filter(|function| function.body.is_none());
        let elsewhere: FxHashSet<Arc<str>> =
            labels.filter_map(|function| function.asm_label.clone()).collect();
        for index in 0..self.functions.len() {
            let notes = self.notes[index];
            let gnu89 = self.gnu89_inline(FuncId(index as u32));
            let function = &mut self.functions[index];
            let inline_only = if gnu89 { notes.extern_inline_definition } else { notes.inline_everywhere };
            function.inline_only =
                function.linkage == Linkage::External && function.body.is_some() && inline_only;
            // The label of another declaration is this name, and that one means the definition elsewhere,
            // which this one may be about to call.
            if function.inline_only && elsewhere.contains(&*self.session.interner.shared(function.name)) {
                function.linkage = Linkage::Internal;
                function.inline_only = false;
            }
            let undefined =
                function.linkage == Linkage::Internal && function.body.is_none() && function.alias.is_none();
            if undefined && function.referenced {
                let (name, span) = (function.name, function.span);
                let message = format!("'{}' used but never defined", self.text(name));
                self.warn(ids::UNDEFINED_STATIC, span, message);
            }
        }
    }
}

/// The library functions that return more than once.
fn returns_twice(name: &str) -> bool {
    matches!(
        name,
        "setjmp"
            | "_setjmp"
            | "__setjmp"
            | "sigsetjmp"
            | "__sigsetjmp"
            | "vfork"
            | "__vfork"
            | "getcontext"
            | "savectx"
    )
}
