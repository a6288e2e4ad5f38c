//! What the analysis of a translation unit keeps, and what every part of it asks: names, types as text,
//! diagnostics.

use super::acc::State as AccState;
use super::jumps::Jumps;
use super::scope::{Entity, NameSpace};
use crate::ast::Pragma;
use crate::ctype::{ArrayLen, CType, EnumId, Field, IntKind, QualType, Record, RecordId, TypeId, TypeTable};
use crate::diag::{Diagnostic, Id, ids};
use crate::intern::Symbol;
use crate::session::Session;
use crate::source::Span;
use crate::suggest;
use crate::typed::{Expr, ExprKind, FuncId, Function, InitEntry, Stmt, StrId, StringLit, Var, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state of the analysis of one translation unit.
pub struct Sema<'s> {
    /// Spellings, options, diagnostics.
    pub session: &'s mut Session,
    /// The types met so far.
    pub types: TypeTable,
    /// All objects.
    pub vars: Vec<Var>,
    /// All functions.
    pub functions: Vec<Function>,
    /// All string literals.
    pub strings: Vec<StringLit>,
    /// Ordinary identifiers.
    pub(crate) idents: NameSpace<Entity>,
    /// Tags.
    pub(crate) tags: NameSpace<TypeId>,
    /// Identifiers of `declare reduction`, each with its place in [`AccState::declared_reductions`].
    pub(crate) reductions: NameSpace<usize>,
    /// Mappers, by their numbers in [`AccState::mappers`].
    pub(crate) mappers: NameSpace<usize>,
    /// The function whose body is being analysed.
    pub(crate) function: Option<Box<FunctionContext>>,
    /// Statements that must run before what is being analysed: sizes of VLA types.
    pub(crate) pending: Vec<Stmt>,
    /// Inside how many operands of `sizeof` and the like, which are not evaluated.
    pub(crate) unevaluated: u32,
    /// What the analysis of directives keeps.
    pub(crate) acc: AccState,
    /// A static initialiser is being folded: operations that make NaNs, otherwise left to run time, are
    /// folded too.
    pub(super) static_fold: bool,
    /// Inside how many operands that constant conditions skip.
    pub(super) skipped: u32,
    /// Nesting of expressions and statements.
    pub(super) depth: u32,
    pub(super) depth_reported: bool,
    /// Inside how many parameter lists.
    pub(super) prototype_depth: u32,
    /// Something was left out of the typed tree; an error has been or will be reported for it.
    pub(super) broken: bool,
    /// Whether there is a type that `__attribute__((may_alias))` lets access everything: no type is trusted
    /// then.
    pub(super) may_alias: bool,
    /// Objects and functions with linkage, visible or not.
    pub(super) externs: FxHashMap<Symbol, Entity>,
    /// By function: what [`Function`] does not say.
    pub(super) notes: Vec<FunctionNotes>,
    pub(super) register_vars: FxHashSet<VarId>,
    pub(super) transparent_unions: FxHashSet<RecordId>,
    /// Enumerations whose underlying type the program says.
    pub(super) fixed_enums: FxHashSet<EnumId>,
    /// How many constants enumerations have whose definition was read.
    pub(super) enum_constants: FxHashMap<EnumId, usize>,
    /// Objects that are `constexpr`: their values are constants.
    pub(super) constexpr_vars: FxHashSet<VarId>,
    /// Structs and unions with a `const` member at any depth.
    pub(super) const_records: FxHashSet<RecordId>,
    pub(super) string_ids: FxHashMap<(Vec<u8>, TypeId), StrId>,
    /// The initialisers of `const` objects.
    pub(super) constant_inits: FxHashMap<VarId, Vec<InitEntry>>,
    /// `#pragma pack`: the value in force, and below it the pushed values.
    pub(super) pack: Vec<Option<u32>>,
    pub(super) va_list: Option<TypeId>,
    /// `#pragma weak` for names that are not declared yet.
    pub(super) weak_names: Vec<Symbol>,
    /// `#pragma redefine_extname`.
    pub(super) renamed: FxHashMap<Symbol, Symbol>,
}

/// What is known of the function whose body is being analysed.
pub(crate) struct FunctionContext {
    /// Which.
    pub id: FuncId,
    /// What it returns.
    pub result: QualType,
    pub(super) jumps: Jumps,
    pub(super) switches: Vec<SwitchContext>,
}

/// The `switch` whose body is being analysed.
pub(super) struct SwitchContext {
    pub kind: IntKind,
    /// (low, high, index, place).
    pub cases: Vec<(i128, i128, u32, Span)>,
    pub default: Option<(u32, Span)>,
    pub next: u32,
    pub region: u32,
    /// The operand.
    pub span: Span,
}

/// What the declarations of a function have said so far, beyond [`Function`].
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct FunctionNotes {
    /// Every file-scope declaration had `inline` and none `extern` (C99 6.7.4p7).
    pub inline_everywhere: bool,
    /// The definition had both `extern` and `inline`.
    pub extern_inline_definition: bool,
    /// `__attribute__((gnu_inline))`.
    pub gnu_inline: bool,
    /// Some declaration had a prototype, or only a call implied it.
    pub implicit: bool,
    /// The definition is given up for the one behind it, as it calls what only another compiler has.
    pub is_left: bool,
}

impl<'s> Sema<'s> {
    /// An analysis that has seen nothing yet.
    pub(super) fn new(session: &'s mut Session) -> Self {
        let acc = AccState::new(session.options.target);
        Sema {
            session,
            types: TypeTable::new(),
            vars: Vec::new(),
            functions: Vec::new(),
            strings: Vec::new(),
            idents: NameSpace::new(),
            tags: NameSpace::new(),
            reductions: NameSpace::new(),
            mappers: NameSpace::new(),
            function: None,
            pending: Vec::new(),
            unevaluated: 0,
            acc,
            static_fold: false,
            skipped: 0,
            depth: 0,
            depth_reported: false,
            prototype_depth: 0,
            broken: false,
            may_alias: false,
            externs: FxHashMap::default(),
            notes: Vec::new(),
            register_vars: FxHashSet::default(),
            transparent_unions: FxHashSet::default(),
            fixed_enums: FxHashSet::default(),
            enum_constants: FxHashMap::default(),
            constexpr_vars: FxHashSet::default(),
            const_records: FxHashSet::default(),
            string_ids: FxHashMap::default(),
            constant_inits: FxHashMap::default(),
            pack: vec![None],
            va_list: None,
            weak_names: Vec::new(),
            renamed: FxHashMap::default(),
        }
    }

    /// What a name stands for here.
    pub fn lookup(&self, symbol: Symbol) -> Option<Entity> {
        self.idents.get(symbol).map(|binding| binding.entity)
    }

    /// The value of an integer constant expression: constants have been folded.
    pub fn const_int(&self, expr: &Expr) -> Option<i128> {
        match expr.kind {
            ExprKind::Int(value) if self.types.is_integer(expr.ty.ty) => Some(value),
            _ => None,
        }
    }

    /// The text of a type, for messages.
    pub fn type_text(&self, ty: QualType) -> String {
        self.types.display(ty, &self.session.interner)
    }

    /// The text of a name.
    pub(crate) fn text(&self, symbol: Symbol) -> String {
        self.session.interner.text(symbol).to_owned()
    }

    /// The name of an object, for messages.
    pub(crate) fn var_text(&self, var: VarId) -> String {
        self.vars[var.0 as usize].name.map_or_else(|| "<unnamed>".to_owned(), |name| self.text(name))
    }

    /// Reports something.
    pub fn emit(&mut self, diagnostic: Diagnostic) {
        self.session.sink.push(diagnostic);
    }

    /// Reports an error.
    pub fn error(&mut self, id: &'static Id, span: Span, message: impl Into<String>) {
        self.emit(Diagnostic::error(id, span, message));
    }

    /// Reports a warning.
    pub fn warn(&mut self, id: &'static Id, span: Span, message: impl Into<String>) {
        self.emit(Diagnostic::warning(id, span, message));
    }

    /// Opens a scope.
    pub fn enter_scope(&mut self) {
        self.idents.enter();
        self.tags.enter();
        self.reductions.enter();
        self.mappers.enter();
    }

    /// Closes the innermost scope.
    pub fn leave_scope(&mut self) {
        self.idents.leave();
        self.tags.leave();
        self.reductions.leave();
        self.mappers.leave();
    }

    /// A pragma that changes how what follows is read.
    pub(crate) fn pragma(&mut self, pragma: &Pragma) {
        match pragma {
            Pragma::Pack(value) => *self.pack_value() = *value,
            Pragma::PackPush(value) => {
                let current = *self.pack_value();
                self.pack.push(value.or(current));
            }
            Pragma::PackPop => {
                if self.pack.len() > 1 {
                    self.pack.pop();
                }
            }
            Pragma::Weak(name, None) => match self.externs.get(&name.sym).copied() {
                Some(Entity::Func(func)) => self.functions[func.0 as usize].weak = true,
                Some(Entity::Var(var)) => self.vars[var.0 as usize].weak = true,
                _ => self.weak_names.push(name.sym),
            },
            Pragma::Weak(name, Some(_)) => {
                self.error(
                    ids::ATTRIBUTE_UNSUPPORTED,
                    name.span,
                    "'#pragma weak' with an alias is not supported",
                );
            }
            Pragma::RedefineExtname(old, new) => {
                self.renamed.insert(old.sym, new.sym);
            }
            // Contraction is off and the rounding mode is the default one, whatever the program asks for.
            Pragma::Stdc(..) => {}
        }
    }

    fn pack_value(&mut self) -> &mut Option<u32> {
        if self.pack.is_empty() {
            self.pack.push(None);
        }
        let last = self.pack.len() - 1;
        &mut self.pack[last]
    }

    /// `__builtin_va_list`: an array of one `struct { unsigned, unsigned, void *, void * }`.
    pub(crate) fn va_list_type(&mut self) -> TypeId {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let names = ["gp_offset", "fp_offset", "overflow_arg_area", "reg_save_area"];
        let types = [(TypeId::UINT, 0), (TypeId::UINT, 4), (TypeId::VOID_PTR, 8), (TypeId::VOID_PTR, 16)];
        let field = |(name, (ty, offset)): (&str, (TypeId, u64))| Field {
            name: Some(self.session.interner.intern(name)),
            ty: QualType::plain(ty),
            offset,
            align: self.types.align(ty),
            bits: None,
            span: Span::default(),
        };
        let fields = names.into_iter().zip(types).map(field).collect();
        let id = RecordId(self.types.records.len() as u32);
        self.types.records.push(Record {
            is_union: false,
            tag: Some(self.session.interner.intern("__va_list_tag")),
            fields: Some(fields),
            size: 24,
            align: 8,
            flexible: false,
            span: Span::default(),
        });
        let element = self.types.intern(CType::Record(id));
        let ty = self.types.array_of(QualType::plain(element), ArrayLen::Known(1));
        self.va_list = Some(ty);
        ty
    }

    /// What a `va_list` becomes as a value.
    pub(crate) fn va_list_pointer(&mut self) -> TypeId {
        let list = self.va_list_type();
        match self.types.element(list) {
            Some((element, _)) => self.types.pointer_to(element),
            None => TypeId::ERROR,
        }
    }

    /// The visible name most similar to one that is not known.
    pub(super) fn similar_name(&self, symbol: Symbol) -> Option<String> {
        // Suggestions are for a few mistakes, not for a program that lacks its header.
        const MOST_ERRORS: usize = 50;
        if self.session.sink.errors() > MOST_ERRORS {
            return None;
        }
        let interner = &self.session.interner;
        let known = self.idents.all().filter(|binding| binding.entity != Entity::Error);
        let names: Vec<_> = known.map(|binding| interner.text(binding.symbol)).collect();
        // The program's own names come behind those of its headers, and are what is meant more often.
        suggest::nearest(interner.text(symbol), names.into_iter().rev()).map(str::to_owned)
    }

    /// What to write if a name is not declared: the header that declares it, or a name like it.
    pub(super) fn remedy(&self, symbol: Symbol) -> Option<String> {
        let text = self.session.interner.text(symbol);
        match suggest::header_of(text) {
            Some(header) => Some(format!("'{text}' is declared in <{header}>: include it")),
            None => self.similar_name(symbol).map(|similar| format!("did you mean '{similar}'?")),
        }
    }

    /// The line and the file a location is on, for `__builtin_LINE` and `__builtin_FILE`.
    pub(super) fn line_of(&self, span: Span) -> i128 {
        self.session.sources.position(span.first).map_or(0, |position| i128::from(position.line))
    }

    /// The file, for `__builtin_FILE`.
    pub(super) fn file_of(&self, span: Span) -> String {
        let position = self.session.sources.position(span.first);
        position.map_or_else(String::new, |position| self.session.sources.file_name(position.file).to_owned())
    }
}
