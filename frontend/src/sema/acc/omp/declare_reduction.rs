//! `declare reduction` (OpenMP 5.2, 5.5.11): what a program combines values of a type by. Combiner and
//! initializer are analysed where they are declared, on variables that stand for `omp_out` and the others;
//! where a clause uses them, objects take the places of these variables.

use super::super::ids;
use super::super::reduced::{DeclaredReduction, Start};
use super::super::visit::{VisitMut, variables, walk_expr_mut};
use super::code::{block, effect, stmt};
use crate::ast;
use crate::ctype::{CType, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive, ReductionDeclaration, ReductionStart};
use crate::sema::types::VlaMode;
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;

/// Puts lvalues in the places of variables.
struct Places(Vec<(VarId, Expr)>);

impl VisitMut for Places {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Var(var) = expr.kind
            && let Some((_, place)) = self.0.iter().find(|(of, _)| *of == var)
        {
            *expr = place.clone();
            return;
        }
        walk_expr_mut(self, expr);
    }
}

impl Sema<'_> {
    /// `declare reduction`: one for each of its types.
    pub(super) fn declare_reduction(&mut self, directive: &Directive) {
        for clause in &directive.clauses {
            let ClauseKind::DeclareReduction(declaration) = &clause.kind else { continue };
            for (ty, span) in &declaration.types {
                self.declare_reduction_for(declaration, ty, *span);
            }
        }
    }

    fn declare_reduction_for(
        &mut self,
        declaration: &ReductionDeclaration,
        name: &ast::TypeName,
        span: Span,
    ) {
        let ty = self.type_name(name, VlaMode::Allowed);
        if ty.ty == TypeId::ERROR || !self.may_declare_reduction(declaration, ty, span) {
            return;
        }
        let ty = ty.ty;
        self.enter_scope();
        let [out, in_] = ["omp_out", "omp_in"].map(|name| self.stand_in(name, ty, span));
        let combiner = self.expr(&declaration.combiner);
        self.leave_scope();
        self.only_variables(&combiner, [out, in_], "the combiner", ["omp_out", "omp_in"]);
        self.enter_scope();
        let [private, original] = ["omp_priv", "omp_orig"].map(|name| self.stand_in(name, ty, span));
        let start = self.reduction_start(declaration, ty, [private, original]);
        self.leave_scope();
        let Some(start) = start else { return };
        let reads_original = used_in(&start).iter().any(|&(var, _)| var == original);
        let made = DeclaredReduction { ty, out, in_, private, original, combiner, start, reads_original };
        self.reductions.bind(declaration.name.name.sym, self.acc.declared_reductions.len(), span);
        self.acc.declared_reductions.push(made);
    }

    /// Whether the name can be given a meaning for a type here.
    fn may_declare_reduction(
        &mut self,
        declaration: &ReductionDeclaration,
        ty: QualType,
        span: Span,
    ) -> bool {
        let name = declaration.name.name;
        let (word, text) = (self.text(name.sym), self.type_text(ty));
        let is_arithmetic = self.types.is_arithmetic(ty.ty);
        let is_predefined = is_arithmetic
            && declaration.name.operator.is_some_and(|op| self.operator_on(op, ty.ty, 0).is_ok());
        let why = match self.types.get(ty.ty) {
            _ if is_predefined => format!("`{word}` has its meaning for `{text}` already"),
            CType::Void | CType::Function(_) | CType::Array(..) => {
                format!("values of type `{text}` cannot be reduced: name the type of an object or element")
            }
            _ if ty.quals != ast::Qualifiers::NONE => {
                format!("`{text}` is a qualified type: name it without qualifiers")
            }
            _ => {
                let here = self.reductions.depth();
                let same = self.reductions.chain(name.sym).take_while(|binding| binding.depth == here).find(
                    |binding| {
                        let declared = &self.acc.declared_reductions[binding.entity];
                        self.types.compatible(declared.ty, ty.ty)
                    },
                );
                let Some(first) = same.map(|binding| binding.span) else { return true };
                let message = format!("the reduction `{word}` is declared for `{text}` twice in one scope");
                let diagnostic = Diagnostic::error(ids::REDUCTION_DECLARATION, span, message);
                self.emit(diagnostic.related(first, "first here"));
                return false;
            }
        };
        self.error(ids::REDUCTION_DECLARATION, span, why);
        false
    }

    /// A variable that an object will stand for.
    fn stand_in(&mut self, name: &str, ty: TypeId, span: Span) -> VarId {
        let name = self.session.interner.intern(name);
        let var = self.new_var(Some(name), QualType::plain(ty), Storage::Auto, span);
        self.idents.bind(name, Entity::Var(var), span);
        var
    }

    /// Reports variables from outside other than those that an expression is about.
    fn only_variables(&mut self, expr: &Expr, known: [VarId; 2], what: &str, names: [&str; 2]) {
        self.only_known(variables(expr), known, what, names);
    }

    fn only_known(
        &mut self,
        used: Vec<(VarId, Span)>,
        known: [VarId; 2],
        what: &str,
        [first, second]: [&str; 2],
    ) {
        // What is declared inside has a higher number.
        let outside = known.iter().map(|var| var.0).min().unwrap_or(0);
        if let Some((var, span)) = used.into_iter().find(|(var, _)| var.0 < outside) {
            let message = format!("{what} of a reduction knows no variable `{}`", self.var_text(var));
            let diagnostic = Diagnostic::error(ids::REDUCTION_DECLARATION, span, message);
            self.emit(diagnostic.note(format!(
                "only `{first}` and `{second}` stand in it; a function that it calls may use others"
            )));
        }
    }

    fn reduction_start(
        &mut self,
        declaration: &ReductionDeclaration,
        ty: TypeId,
        known: [VarId; 2],
    ) -> Option<Start> {
        let start = match &declaration.start {
            None => Start::Zero,
            Some(ReductionStart::Value(value)) => {
                Start::Value(self.initializer(QualType::plain(ty), value, false).1)
            }
            Some(ReductionStart::Call(call)) => {
                let is_call = matches!(call.kind, ast::ExprKind::Call(..));
                let value = self.expr(call);
                if self.is_error(&value) {
                    return None;
                }
                if !is_call || !variables(&value).iter().any(|&(var, _)| var == known[0]) {
                    let message = "`initializer` takes a call that sets `omp_priv`, or `omp_priv = value`";
                    let diagnostic = Diagnostic::error(ids::REDUCTION_DECLARATION, call.span, message);
                    self.emit(diagnostic.note("pass `&omp_priv` to the function"));
                    return None;
                }
                Start::Call(value)
            }
        };
        self.only_known(used_in(&start), known, "the initializer", ["omp_priv", "omp_orig"]);
        Some(start)
    }

    /// Declares a private copy, with what it starts with.
    pub(super) fn declared_start(
        &mut self,
        index: usize,
        copy: VarId,
        original: Expr,
        span: Span,
    ) -> Vec<Stmt> {
        let lvalue = self.var_lvalue(copy, span);
        let mut places = self.places_of_start(index, lvalue, original);
        match self.acc.declared_reductions[index].start.clone() {
            Start::Zero => vec![stmt(StmtKind::Declare(copy, Some(self.zero(copy, span))), span)],
            Start::Value(mut init) => {
                init.entries.iter_mut().for_each(|entry| places.expr(&mut entry.value));
                vec![stmt(StmtKind::Declare(copy, Some(init)), span)]
            }
            Start::Call(mut call) => {
                places.expr(&mut call);
                vec![stmt(StmtKind::Declare(copy, None), span), effect(call)]
            }
        }
    }

    /// The same for an element of an array.
    pub(super) fn declared_start_of_element(
        &mut self,
        index: usize,
        element: Expr,
        original: Expr,
        span: Span,
    ) -> Stmt {
        let mut places = self.places_of_start(index, element.clone(), original);
        let init = match self.acc.declared_reductions[index].start.clone() {
            Start::Zero => None,
            Start::Value(mut init) => {
                init.entries.iter_mut().for_each(|entry| places.expr(&mut entry.value));
                Some(init)
            }
            Start::Call(mut call) => {
                places.expr(&mut call);
                return effect(call);
            }
        };
        let value = self.hidden_var(QualType::plain(element.ty.ty), span);
        let init = init.unwrap_or_else(|| self.zero(value, span));
        let from = self.var_lvalue(value, span);
        let list =
            vec![stmt(StmtKind::Declare(value, Some(init)), span), self.copy_object(element, from, span)];
        block(list, span)
    }

    /// Combines what `value` holds with `original`.
    pub(super) fn declared_combination(&mut self, index: usize, original: Expr, value: Expr) -> Stmt {
        let declared = &self.acc.declared_reductions[index];
        let (out, in_, mut combiner) = (declared.out, declared.in_, declared.combiner.clone());
        self.keep_place(out, &original);
        self.keep_place(in_, &value);
        Places(vec![(out, original), (in_, value)]).expr(&mut combiner);
        effect(combiner)
    }

    fn places_of_start(&mut self, index: usize, private: Expr, original: Expr) -> Places {
        let declared = &self.acc.declared_reductions[index];
        let (of_private, of_original) = (declared.private, declared.original);
        if declared.reads_original {
            self.keep_place(of_original, &original);
        }
        self.keep_place(of_private, &private);
        Places(vec![(of_private, private), (of_original, original)])
    }

    /// An object whose address is taken has one.
    fn keep_place(&mut self, stand_in: VarId, object: &Expr) {
        if self.vars[stand_in.0 as usize].in_memory {
            self.mark_in_memory(object);
        }
    }

    /// The initialiser of zeros for a variable.
    fn zero(&mut self, var: VarId, span: Span) -> Init {
        let ty = self.vars[var.0 as usize].ty.ty;
        if !self.types.is_scalar(ty) {
            return Init { entries: Vec::new() };
        }
        let zero = self.int_expr(0, TypeId::INT, span);
        let value = self.convert(zero, ty);
        Init { entries: vec![InitEntry { offset: 0, bits: None, ty, value }] }
    }
}

/// The variables that a start names.
fn used_in(start: &Start) -> Vec<(VarId, Span)> {
    match start {
        Start::Zero => Vec::new(),
        Start::Value(init) => init.entries.iter().flat_map(|entry| variables(&entry.value)).collect(),
        Start::Call(call) => variables(call),
    }
}
