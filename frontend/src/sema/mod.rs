//! Semantic analysis: from the syntax tree to the typed tree.
//!
//! One [`Sema`] per translation unit. Expressions come back typed, with every conversion explicit and with constant
//! operands folded: an integer constant expression is an [`ExprKind::Int`] by the time it is looked at. What did not
//! type-check has [`TypeId::ERROR`], with which everything is compatible, so that one mistake is reported once.

mod acc;
mod scope;

use crate::ast;
use crate::ctype::{CType, QualType, TypeId, TypeTable};
use crate::diag::Diagnostic;
use crate::intern::Symbol;
use crate::session::Session;
use crate::source::Span;
use crate::typed::*;
use rustc_hash::FxHashMap;
use scope::NameSpace;

pub use scope::{Binding, Entity};

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
    /// The function whose body is being analysed.
    pub(crate) function: Option<Box<FunctionContext>>,
    /// Inside how many operands of `sizeof` and the like, which are not evaluated.
    pub(crate) unevaluated: u32,
    /// What the analysis of directives keeps.
    pub(crate) acc: acc::State,
}

/// What is known of the function whose body is being analysed.
pub(crate) struct FunctionContext {
    /// Which.
    pub id: FuncId,
    /// What it returns.
    pub result: QualType,
    /// Statements that must run before the one being analysed: sizes of VLA types.
    pub pending: Vec<Stmt>,
}

impl<'s> Sema<'s> {
    /// Analyses an expression; lvalues stay lvalues, arrays and functions stay themselves.
    pub fn expr(&mut self, expr: &ast::Expr) -> Expr {
        todo!()
    }

    /// Analyses an expression for its value: objects are read, arrays and functions decay.
    pub fn rvalue(&mut self, expr: &ast::Expr) -> Expr {
        todo!()
    }

    /// The value of an analysed expression.
    pub fn to_rvalue(&mut self, expr: Expr) -> Expr {
        todo!()
    }

    /// Converts a value to a type, without any check: the types are known to allow it.
    pub fn convert(&mut self, expr: Expr, ty: TypeId) -> Expr {
        todo!()
    }

    /// Analyses a statement.
    pub fn stmt(&mut self, stmt: &ast::Stmt) -> Stmt {
        todo!()
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

    /// The size in bytes of a type, as an expression of type `size_t`: a constant, or one over the hidden variables of
    /// VLAs.
    pub fn size_expr(&mut self, ty: TypeId, span: Span) -> Expr {
        todo!()
    }

    /// The text of a type, for messages.
    pub fn type_text(&self, ty: QualType) -> String {
        self.types.display(ty, &self.session.interner)
    }

    /// Reports something.
    pub fn emit(&mut self, diagnostic: Diagnostic) {
        self.session.sink.push(diagnostic);
    }

    /// Reports an error.
    pub fn error(&mut self, id: &'static str, span: Span, message: impl Into<String>) {
        self.emit(Diagnostic::error(id, span, message));
    }

    /// Opens a scope.
    pub fn enter_scope(&mut self) {
        self.idents.enter();
        self.tags.enter();
    }

    /// Closes the innermost scope.
    pub fn leave_scope(&mut self) {
        self.idents.leave();
        self.tags.leave();
    }

    /// A new hidden automatic variable.
    pub fn hidden_var(&mut self, ty: QualType, span: Span) -> VarId {
        todo!()
    }

    /// Starts a construct that must not be branched into or out of; `name` is the directive, for messages.
    pub fn enter_construct(&mut self, name: &'static str, span: Span) {
        todo!()
    }

    /// Ends the innermost construct.
    pub fn leave_construct(&mut self) {
        todo!()
    }

    /// The loop is a counted one, or why it is not.
    pub fn canonical_loop(&self, stmt: &Stmt) -> Result<CanonicalLoop, Reason> {
        todo!()
    }
}

/// Why a `for` is not a counted loop.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The part at fault.
    pub span: Span,
    /// What is wrong with it.
    pub text: String,
}

/// Analyses a translation unit; none if there are errors, which are in the session's sink.
pub fn analyze(session: &mut Session, unit: &ast::TranslationUnit) -> Option<Unit> {
    todo!()
}
