//! Declarations of objects and typedefs: linkage, redeclaration, storage (C11 6.2.2, 6.7, 6.9.2).

use super::attributes::Attributes;
use super::types::VlaMode;
use super::{Entity, Sema, ids};
use crate::ast::{self, Ident, Qualifiers, StorageClass};
use crate::ctype::{ArrayLen, CType, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::intern::{Symbol, names};
use crate::source::Span;
use crate::typed::*;

/// What the specifiers and attributes of a declarator say besides its type.
pub(super) struct Declared<'a> {
    pub name: Ident,
    pub ty: QualType,
    pub storage: Option<StorageClass>,
    pub thread_local: bool,
    pub inline: bool,
    pub constexpr: bool,
    pub align: Option<u64>,
    pub attributes: Attributes,
    pub asm_label: Option<Symbol>,
    pub init: Option<&'a ast::Initializer>,
    /// The value of the initialiser where that gave the object its type.
    pub value: Option<&'a Expr>,
}

impl Sema<'_> {
    /// Analyses a declaration; what it does when control reaches it is added to `out`.
    pub(super) fn declaration(&mut self, declaration: &ast::Declaration, out: &mut Vec<Stmt>) {
        let specs = &declaration.specs;
        let standalone = declaration.declarators.is_empty();
        let what = match declaration.declarators.first().and_then(|first| first.declarator.name) {
            Some(name) => format!("declaration of '{}'", self.text(name.sym)),
            None => "declaration".to_owned(),
        };
        let (base, alignas) = self.specifiers(specs, standalone, &what);
        let mut shared = Attributes::default();
        self.read_attributes(&specs.attributes, &mut shared);
        shared.noreturn |= specs.noreturn;
        if standalone {
            self.empty_declaration(declaration, base);
            self.no_function_declared();
        }
        for declarator in &declaration.declarators {
            let mut attributes = shared.clone();
            self.read_attributes(&declarator.attributes, &mut attributes);
            let Some(name) = declarator.declarator.name else { continue };
            let is_auto = matches!(specs.ty, ast::TypeSpec::Auto);
            let value = if is_auto { self.auto_value(name, declarator) } else { None };
            let ty = match &value {
                Some(value) => self.types.qualified(QualType::plain(value.ty.ty), specs.qualifiers),
                None if is_auto => QualType::plain(TypeId::ERROR),
                None => {
                    let mode = self.vla_mode(specs.storage.map(|(class, _)| class));
                    self.declarator_type(base, &declarator.declarator, mode)
                }
            };
            let mut ty = self.type_with_attributes(ty, &attributes);
            if specs.constexpr {
                self.check_constexpr(name, ty, declarator.init.is_some());
                ty = self.types.qualified(ty, Qualifiers { const_: true, ..Qualifiers::NONE });
            }
            if let (true, Some(union)) = (attributes.transparent_union, self.types.record(ty.ty)) {
                self.transparent_unions.insert(union);
            }
            let declared = Declared {
                name,
                ty,
                storage: specs.storage.map(|(class, _)| class),
                thread_local: specs.thread_local,
                inline: specs.inline,
                constexpr: specs.constexpr,
                align: attributes.aligned.max(alignas),
                attributes,
                asm_label: declarator.asm_label,
                init: declarator.init.as_ref(),
                value: value.as_ref(),
            };
            self.declare(declared, out);
        }
        self.flush_pending(out);
    }

    /// What an object that is `constexpr` may not be.
    fn check_constexpr(&mut self, name: Ident, ty: QualType, is_initialised: bool) {
        let problem = if !is_initialised {
            "is not initialized"
        } else if ty.quals.volatile || ty.quals.atomic || self.types.is_variably_modified(ty.ty) {
            "has a type that is volatile, atomic or variably modified"
        } else if self.types.is_function(ty.ty) {
            "is a function"
        } else {
            return;
        };
        let message = format!("'constexpr' object '{}' {problem}", self.text(name.sym));
        self.error(ids::INVALID_STORAGE_CLASS, name.span, message);
    }

    fn vla_mode(&self, storage: Option<StorageClass>) -> VlaMode {
        match storage {
            _ if self.function.is_none() => VlaMode::Forbidden,
            Some(StorageClass::Extern) => VlaMode::Forbidden,
            Some(
                StorageClass::Static | StorageClass::Typedef | StorageClass::Auto | StorageClass::Register,
            )
            | None => VlaMode::Allowed,
        }
    }

    /// Moves the statements that analysing types left behind to where they run.
    pub(super) fn flush_pending(&mut self, out: &mut Vec<Stmt>) {
        out.append(&mut self.pending);
    }

    fn empty_declaration(&mut self, declaration: &ast::Declaration, base: QualType) {
        let useful = match &declaration.specs.ty {
            ast::TypeSpec::Record(spec) => spec.tag.is_some() || self.types.get(base.ty) == &CType::Error,
            ast::TypeSpec::Enum(spec) => spec.tag.is_some() || spec.constants.is_some(),
            _ => base.ty == TypeId::ERROR,
        };
        if !useful {
            self.warn(ids::EMPTY_DECLARATION, declaration.span, "useless type name in empty declaration");
        }
    }

    /// The value whose type `__auto_type` stands for. It is analysed once: its type may name its parts.
    fn auto_value(&mut self, name: Ident, declarator: &ast::InitDeclarator) -> Option<Expr> {
        match &declarator.init {
            Some(ast::Initializer::Expr(init)) if declarator.declarator.derived.is_empty() => {
                Some(self.rvalue(init))
            }
            _ => {
                self.error(
                    ids::INVALID_DECLARATOR,
                    name.span,
                    "a type that is the initializer's requires a plain identifier with one",
                );
                None
            }
        }
    }

    fn declare(&mut self, declared: Declared<'_>, out: &mut Vec<Stmt>) {
        let is_function = self.types.is_function(declared.ty.ty);
        if declared.storage == Some(StorageClass::Typedef) {
            self.declare_typedef(&declared);
            self.flush_pending(out);
        } else if is_function {
            if declared.init.is_some() {
                let message =
                    format!("function '{}' is initialized like a variable", self.text(declared.name.sym));
                self.error(ids::INVALID_DECLARATOR, declared.name.span, message);
            }
            let func = self.declare_function(&declared);
            if let Some(func) = func {
                self.function_declared(func);
            }
            return;
        } else {
            self.declare_object(declared, out);
        }
        self.no_function_declared();
    }

    fn declare_typedef(&mut self, declared: &Declared<'_>) {
        let name = declared.name;
        if declared.init.is_some() {
            self.error(
                ids::INVALID_DECLARATOR,
                name.span,
                format!("typedef '{}' is initialized", self.text(name.sym)),
            );
        }
        if let Some((previous, span)) = self.idents.get_here(name.sym).map(|known| (known.entity, known.span))
        {
            match previous {
                Entity::Error => {}
                Entity::Typedef(old) => {
                    if !self.types.compatible_qualified(old, declared.ty) {
                        let message = format!(
                            "conflicting types for '{}'; have '{}'",
                            self.text(name.sym),
                            self.type_text(declared.ty)
                        );
                        let diagnostic = Diagnostic::error(ids::CONFLICTING_TYPES, name.span, message);
                        let text = format!("previous declaration with type '{}'", self.type_text(old));
                        self.emit(diagnostic.related(span, text));
                    }
                    return;
                }
                _ => return self.different_kind(name, span),
            }
        }
        let align = declared.align.map(|align| align as u32).or(declared.ty.align);
        let ty = QualType { align, ..declared.ty };
        self.idents.bind(name.sym, Entity::Typedef(ty), name.span);
        self.enter_vla_scope(name, declared.ty);
    }

    pub(super) fn different_kind(&mut self, name: Ident, previous: Span) {
        let message = format!("'{}' redeclared as different kind of symbol", self.text(name.sym));
        self.emit(
            Diagnostic::error(ids::DIFFERENT_KIND, name.span, message)
                .related(previous, "previous declaration is here"),
        );
    }

    /// A new object.
    pub(crate) fn new_var(
        &mut self,
        name: Option<Symbol>,
        ty: QualType,
        storage: Storage,
        span: Span,
    ) -> VarId {
        let id = VarId(self.vars.len() as u32);
        let in_memory = ty.quals.volatile || self.types.is_array(ty.ty) || self.types.record(ty.ty).is_some();
        self.vars.push(Var {
            name,
            ty,
            storage,
            align: None,
            copies_align: None,
            in_memory,
            asm_label: None,
            weak: false,
            init: None,
            declare: None,
            span,
        });
        id
    }

    /// A new hidden automatic variable.
    pub fn hidden_var(&mut self, ty: QualType, span: Span) -> VarId {
        self.new_var(None, ty, Storage::Auto, span)
    }

    fn declare_object(&mut self, declared: Declared<'_>, out: &mut Vec<Stmt>) {
        let name = declared.name;
        if declared.inline {
            self.error(
                ids::INVALID_STORAGE_CLASS,
                name.span,
                format!("variable '{}' declared 'inline'", self.text(name.sym)),
            );
        }
        if declared.attributes.alias.is_some() {
            self.error(ids::ATTRIBUTE_UNSUPPORTED, name.span, "aliases of variables are not supported");
        }
        if declared.ty.ty == TypeId::VOID {
            self.error(
                ids::INCOMPLETE_TYPE,
                name.span,
                format!("variable or field '{}' declared void", self.text(name.sym)),
            );
            self.bind_error(name);
            return;
        }
        if declared.ty.ty == TypeId::ERROR {
            self.broken = true;
            self.bind_error(name);
            return;
        }
        let file_scope = self.function.is_none();
        match declared.storage {
            Some(StorageClass::Auto | StorageClass::Register) if file_scope => {
                let message = format!(
                    "file-scope declaration of '{}' specifies 'auto' or 'register'",
                    self.text(name.sym)
                );
                self.error(ids::INVALID_STORAGE_CLASS, name.span, message);
            }
            _ if file_scope => self.declare_linked(&declared),
            Some(StorageClass::Extern) => {
                if declared.init.is_some() {
                    let message = format!("'{}' has both 'extern' and initializer", self.text(name.sym));
                    self.error(ids::INVALID_STORAGE_CLASS, name.span, message);
                }
                self.declare_linked(&declared);
            }
            storage => {
                if declared.thread_local && storage != Some(StorageClass::Static) {
                    let message = format!(
                        "function-scope '{}' implicitly auto and declared '_Thread_local'",
                        self.text(name.sym)
                    );
                    self.error(ids::INVALID_STORAGE_CLASS, name.span, message);
                }
                self.declare_local(&declared, out);
            }
        }
    }

    fn bind_error(&mut self, name: Ident) {
        if self.idents.get_here(name.sym).is_none() {
            self.idents.bind(name.sym, Entity::Error, name.span);
        }
    }

    /// An object of block scope without linkage.
    fn declare_local(&mut self, declared: &Declared<'_>, out: &mut Vec<Stmt>) {
        let name = declared.name;
        if let Some((previous, span)) = self.idents.get_here(name.sym).map(|known| (known.entity, known.span))
            && previous != Entity::Error
        {
            let message = format!("redeclaration of '{}' with no linkage", self.text(name.sym));
            self.emit(
                Diagnostic::error(ids::REDEFINITION, name.span, message)
                    .related(span, "previous declaration is here"),
            );
        }
        let is_static = declared.storage == Some(StorageClass::Static);
        let storage = match (is_static, declared.thread_local) {
            (true, false) => Storage::Static { linkage: Linkage::Internal, defined: true, tentative: false },
            (true, true) => Storage::Thread { linkage: Linkage::Internal, defined: true },
            (false, _) => Storage::Auto,
        };
        self.flush_pending(out);
        let var = self.new_var(Some(name.sym), declared.ty, storage, name.span);
        self.object_attributes(var, declared);
        if declared.storage == Some(StorageClass::Register) {
            self.register_vars.insert(var);
        }
        self.idents.bind(name.sym, Entity::Var(var), name.span);
        self.enter_vla_scope(name, declared.ty);
        if is_static && self.types.is_variably_modified(declared.ty.ty) && self.types.is_vla(declared.ty.ty) {
            self.error(
                ids::VLA_NOT_ALLOWED,
                name.span,
                format!("storage size of '{}' is not constant", self.text(name.sym)),
            );
        }
        let init = self.object_initializer(var, declared, is_static);
        if !self.complete_object(var, declared) {
            return;
        }
        if is_static {
            self.vars[var.0 as usize].init = init;
            // Says where it is declared: inside a construct, say.
            out.push(Stmt { kind: StmtKind::Declare(var, None), span: name.span });
        } else {
            self.flush_pending(out);
            out.push(Stmt { kind: StmtKind::Declare(var, init), span: name.span });
            if declared.init.is_some() && self.types.is_vla(declared.ty.ty) {
                out.push(self.cleared(name));
            }
            if let Some(function) = declared.attributes.cleanup {
                out.push(self.cleanup(function, name));
            }
        }
    }

    /// `__attribute__((cleanup(function)))` on the variable `name`: where its scope is left,
    /// The empty initialiser of an array of variable length: `memset(name, 0, sizeof name)`.
    fn cleared(&mut self, name: Ident) -> Stmt {
        let span = name.span;
        let expr = |kind| ast::Expr { kind, span };
        let array = || expr(ast::ExprKind::Ident(name.sym));
        let memset = expr(ast::ExprKind::Ident(self.session.interner.intern("__builtin_memset")));
        let zero = expr(ast::ExprKind::Number(names::ZERO));
        let size = expr(ast::ExprKind::SizeofExpr(Box::new(array())));
        let call = expr(ast::ExprKind::Call(Box::new(memset), vec![array(), zero, size]));
        Stmt { kind: StmtKind::Expr(self.discarded(&call)), span }
    }

    /// `function(&name)`.
    fn cleanup(&mut self, function: Ident, name: Ident) -> Stmt {
        let ident =
            |name: Ident| Box::new(ast::Expr { kind: ast::ExprKind::Ident(name.sym), span: name.span });
        let address = ast::ExprKind::Unary(ast::UnaryOp::AddrOf, ident(name));
        let address = ast::Expr { kind: address, span: name.span };
        let call = ast::ExprKind::Call(ident(function), vec![address]);
        let call = self.discarded(&ast::Expr { kind: call, span: function.span });
        Stmt { kind: StmtKind::Cleanup(call), span: name.span }
    }

    fn object_attributes(&mut self, var: VarId, declared: &Declared<'_>) {
        let natural = self.types.align_of(declared.ty);
        let label = declared.asm_label.and_then(|label| self.asm_name(label));
        let object = &mut self.vars[var.0 as usize];
        object.align = object.align.max(declared.align.filter(|&align| align > natural));
        object.weak |= declared.attributes.weak;
        if label.is_some() {
            object.asm_label = label;
        }
    }

    /// Analyses the initialiser and completes the object's type by it.
    fn object_initializer(&mut self, var: VarId, declared: &Declared<'_>, is_static: bool) -> Option<Init> {
        let init = declared.init?;
        if self.types.is_vla(declared.ty.ty) {
            if matches!(init, ast::Initializer::List(list) if list.items.is_empty()) {
                return None;
            }
            self.error(
                ids::VLA_INITIALIZER,
                declared.name.span,
                "variable-sized object may not be initialized",
            );
            return None;
        }
        let is_constant = is_static || declared.constexpr;
        let (ty, init) = match declared.value {
            Some(value) => self.value_initializer(declared.ty, value.clone(), is_constant),
            None => self.initializer(declared.ty, init, is_constant),
        };
        self.vars[var.0 as usize].ty = ty;
        if declared.constexpr {
            self.constexpr_vars.insert(var);
        }
        self.note_constant(var, ty, &init);
        Some(init)
    }

    fn complete_object(&mut self, var: VarId, declared: &Declared<'_>) -> bool {
        let ty = self.vars[var.0 as usize].ty;
        if self.types.is_complete(ty.ty) {
            return ty.ty != TypeId::ERROR;
        }
        if matches!(self.types.get(ty.ty), CType::Unsupported(_)) {
            self.incomplete(ty, declared.name.span);
        } else if let CType::Array(..) = self.types.get(ty.ty) {
            let message = format!("array size missing in '{}'", self.text(declared.name.sym));
            self.error(ids::INCOMPLETE_TYPE, declared.name.span, message);
        } else {
            let message = format!(
                "storage size of '{}' isn't known: type '{}' is incomplete",
                self.text(declared.name.sym),
                self.type_text(ty)
            );
            self.error(ids::INCOMPLETE_TYPE, declared.name.span, message);
        }
        self.vars[var.0 as usize].ty = QualType::plain(TypeId::ERROR);
        false
    }

    /// The object an earlier declaration with linkage made, whether or not it is visible here.
    fn linked_object(&mut self, name: Ident) -> Option<VarId> {
        if let Some(here) = self.idents.get_here(name.sym).map(|known| (known.entity, known.span)) {
            match here.0 {
                Entity::Var(var)
                    if !matches!(self.vars[var.0 as usize].storage, Storage::Auto | Storage::Param(_)) =>
                {
                    return Some(var);
                }
                Entity::Error => {}
                _ => {
                    self.different_kind(name, here.1);
                    return None;
                }
            }
        }
        match self.externs.get(&name.sym).copied() {
            Some(Entity::Var(var)) => Some(var),
            Some(Entity::Func(func)) => {
                let span = self.functions[func.0 as usize].span;
                self.different_kind(name, span);
                None
            }
            _ => None,
        }
    }

    /// An object of file scope, or one declared `extern` in a block.
    fn declare_linked(&mut self, declared: &Declared<'_>) {
        let name = declared.name;
        let reported = self.session.sink.errors();
        let var = match self.linked_object(name) {
            Some(var) => {
                self.merge_object(var, declared);
                var
            }
            None if self.session.sink.errors() != reported => return,
            None => self.new_linked(declared),
        };
        if self.idents.get_here(name.sym).is_none() {
            self.idents.bind(name.sym, Entity::Var(var), name.span);
        }
        self.object_attributes(var, declared);
        if declared.init.is_some() {
            let object_type = self.vars[var.0 as usize].ty;
            let init = self.object_initializer(
                var,
                &Declared {
                    ty: object_type,
                    init: declared.init,
                    attributes: Attributes::default(),
                    ..*declared
                },
                true,
            );
            self.vars[var.0 as usize].init = init;
            self.vars[var.0 as usize].span = name.span;
            self.complete_object(var, declared);
        }
    }

    fn new_linked(&mut self, declared: &Declared<'_>) -> VarId {
        let is_extern = declared.storage == Some(StorageClass::Extern);
        let is_static = declared.storage == Some(StorageClass::Static) || declared.constexpr;
        let linkage = if is_static { Linkage::Internal } else { Linkage::External };
        let defined = !is_extern || declared.init.is_some();
        let storage = if declared.thread_local {
            Storage::Thread { linkage, defined }
        } else {
            Storage::Static { linkage, defined, tentative: !is_extern && declared.init.is_none() }
        };
        let var = self.new_var(Some(declared.name.sym), declared.ty, storage, declared.name.span);
        let object = &mut self.vars[var.0 as usize];
        object.asm_label = self.renamed.get(&declared.name.sym).map(|&new| self.session.interner.shared(new));
        object.weak = self.weak_names.contains(&declared.name.sym);
        self.externs.insert(declared.name.sym, Entity::Var(var));
        var
    }

    /// A further declaration of an object.
    fn merge_object(&mut self, var: VarId, declared: &Declared<'_>) {
        let name = declared.name;
        let old = &self.vars[var.0 as usize];
        let (old_type, old_span, had_init) = (old.ty, old.span, old.init.is_some());
        if !self.types.compatible_qualified(old_type, declared.ty) {
            let message = format!(
                "conflicting types for '{}'; have '{}'",
                self.text(name.sym),
                self.type_text(declared.ty)
            );
            let text = format!("previous declaration with type '{}'", self.type_text(old_type));
            self.emit(Diagnostic::error(ids::CONFLICTING_TYPES, name.span, message).related(old_span, text));
            return;
        }
        let ty = self.types.composite(old_type.ty, declared.ty.ty);
        self.vars[var.0 as usize].ty = QualType { ty, ..old_type };
        if had_init && declared.init.is_some() {
            let message = format!("redefinition of '{}'", self.text(name.sym));
            self.emit(
                Diagnostic::error(ids::REDEFINITION, name.span, message)
                    .related(old_span, "previous definition is here"),
            );
            return;
        }
        let (is_static, is_extern) =
            (declared.storage == Some(StorageClass::Static), declared.storage == Some(StorageClass::Extern));
        let mut conflict = None;
        let storage = &mut self.vars[var.0 as usize].storage;
        match storage {
            Storage::Static { linkage, defined, tentative } => {
                conflict = linkage_conflict(*linkage, is_static, is_extern);
                *defined |= !is_extern || declared.init.is_some();
                *tentative = declared.init.is_none() && !had_init && (*tentative || !is_extern);
                if declared.thread_local {
                    conflict = Some("thread-local declaration follows non-thread-local declaration");
                }
            }
            Storage::Thread { linkage, defined } => {
                conflict = linkage_conflict(*linkage, is_static, is_extern);
                *defined |= !is_extern || declared.init.is_some();
                if !declared.thread_local && !self.acc.threadprivate.contains(&var) {
                    conflict = Some("non-thread-local declaration follows thread-local declaration");
                }
            }
            Storage::Auto | Storage::Param(_) => {}
        }
        if let Some(conflict) = conflict {
            let message = format!("conflicting declarations of '{}': {conflict}", self.text(name.sym));
            self.emit(
                Diagnostic::error(ids::LINKAGE, name.span, message)
                    .related(old_span, "previous declaration is here"),
            );
        }
    }

    /// What is left to do for objects when the translation unit ends.
    pub(super) fn finish_objects(&mut self) {
        for index in 0..self.vars.len() {
            let Var { name: Some(name), ty, span, .. } = self.vars[index] else { continue };
            let tentative = matches!(self.vars[index].storage, Storage::Static { tentative: true, .. });
            if !tentative || self.types.is_complete(ty.ty) {
                continue;
            }
            let text = self.text(name);
            match *self.types.get(ty.ty) {
                CType::Array(element, ArrayLen::Incomplete) => {
                    self.warn(
                        ids::TENTATIVE_ARRAY,
                        span,
                        format!("array '{text}' assumed to have one element"),
                    );
                    let one = self.types.array_of(element, ArrayLen::Known(1));
                    self.vars[index].ty = QualType { ty: one, ..ty };
                }
                CType::Unsupported(_) => self.incomplete(ty, span),
                _ => {
                    let message = format!(
                        "storage size of '{text}' isn't known: type '{}' is incomplete",
                        self.type_text(ty)
                    );
                    self.error(ids::INCOMPLETE_TYPE, span, message);
                }
            }
        }
    }
}

pub(super) fn linkage_conflict(linkage: Linkage, is_static: bool, is_extern: bool) -> Option<&'static str> {
    match linkage {
        Linkage::External if is_static => Some("static declaration follows non-static declaration"),
        Linkage::Internal if !is_static && !is_extern => {
            Some("non-static declaration follows static declaration")
        }
        Linkage::External | Linkage::Internal => None,
    }
}
