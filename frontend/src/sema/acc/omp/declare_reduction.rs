//! `declare reduction` (OpenMP 5.2, 5.5.11): what a program combines values of a type by. Combiner and
//! initializer are analysed where they are declared, on variables that stand for `omp_out` and the others;
//! where a clause uses them, objects take the places of these variables. Where threads of a device share
//! loops, both are functions of pointers to such objects, unless the combiner does no more than an operator.

use super::super::ids;
use super::super::reduced::{DeclaredReduction, Reduced, Reducer, Start};
use super::super::visit::{VisitMut, strip_void, variables, walk_expr_mut};
use super::code::{block, effect, stmt};
use crate::ast;
use crate::ctype::{CType, FunctionType, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive, ReductionDeclaration, ReductionStart};
use crate::intern::Symbol;
use crate::sema::types::VlaMode;
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;
use accrue_ir::ReductionOp;

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
        let made = DeclaredReduction {
            ty,
            out,
            in_,
            private,
            original,
            combiner,
            start,
            reads_original,
            functions: None,
        };
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

    /// Items of reductions that threads of a device share: functions combine them.
    pub(super) fn by_functions(&mut self, items: Vec<Reduced>) -> Vec<ReductionItem> {
        let mut made = Vec::new();
        for Reduced { by, var, section, span, .. } in items {
            let Reducer::Declared(index) = by else { continue };
            let by = self.functions_of_declared(index, span);
            // The functions get addresses.
            self.vars[var.0 as usize].in_memory = true;
            if let (true, Some(region)) =
                (self.acc.declared_reductions[index].reads_original, &mut self.acc.target_region)
            {
                // Teams that are done would change it before others begin.
                region.one_team = true;
            }
            made.push(ReductionItem { by, var, section, span });
        }
        made
    }

    /// The functions that start and combine private copies.
    fn functions_of_declared(&mut self, index: usize, span: Span) -> Combining {
        if let Some(made) = self.acc.declared_reductions[index].functions {
            return made;
        }
        let [combine, start] = ["__accrue_combine", "__accrue_start"].map(|name| {
            let name = self.session.interner.intern(&format!("{name}_{index}"));
            self.function_of_elements(name, index, span)
        });
        let [[out, value], [element, original]] = [combine, start].map(|(_, params)| {
            params.map(|param| {
                let zero = self.int_expr(0, TypeId::LONG, span);
                self.element_at(param, zero, span)
            })
        });
        let combination = self.declared_combination(index, out, value);
        // What the original is, and what starts, may be one.
        let first = self.hidden_var(QualType::plain(self.acc.declared_reductions[index].ty), span);
        let mut list = self.declared_start(index, first, original, span);
        let from = self.var_lvalue(first, span);
        list.push(self.copy_object(element, from, span));
        for ((func, params), body) in [(combine, vec![combination]), (start, list)] {
            let (labels, address_taken) = (Vec::new(), Vec::new());
            let params = params.to_vec();
            let body = FunctionBody { params, body, labels, address_taken, is_main: false, end: span };
            self.functions[func.0 as usize].body = Some(body);
        }
        let reads_original = self.acc.declared_reductions[index].reads_original;
        let operator = self.operator_of_declared(index);
        let made = Combining::Functions { start: start.0, combine: combine.0, reads_original, operator };
        self.acc.declared_reductions[index].functions = Some(made);
        made
    }

    /// A function of two pointers to elements, without a body.
    fn function_of_elements(&mut self, name: Symbol, index: usize, span: Span) -> (FuncId, [VarId; 2]) {
        let element = QualType::plain(self.acc.declared_reductions[index].ty);
        let pointer = QualType::plain(self.types.pointer_to(element));
        let result = QualType::plain(TypeId::VOID);
        let params = vec![pointer; 2];
        let ty = FunctionType { result, params, variadic: false, unprototyped: false };
        let ty = self.types.intern(CType::Function(ty));
        let func = self.add_function(name, ty, Linkage::Internal, span);
        self.functions[func.0 as usize].inline_hint = true;
        self.functions[func.0 as usize].referenced = true;
        (func, [0, 1].map(|number| self.new_var(None, pointer, Storage::Param(number), span)))
    }

    /// The operator that does what a declared reduction does: its combiner is one assignment by it for each
    /// scalar of the type, and private copies start with its identity.
    fn operator_of_declared(&self, index: usize) -> Option<ReductionOp> {
        let declared = &self.acc.declared_reductions[index];
        let mut scalars = Vec::new();
        self.scalars_of(declared.ty, 0, &mut scalars)?;
        let mut assigned = Vec::new();
        let op = self.operator_of(&declared.combiner, declared, &mut assigned)?;
        assigned.sort_unstable();
        let is_start = match &declared.start {
            Start::Zero => op != ReductionOp::Mul,
            Start::Value(init) => scalars.iter().all(|&(offset, _)| {
                let entry = init.entries.iter().rev().find(|entry| entry.offset == offset);
                let value = entry.map_or(Some(0.0), |entry| constant_value(&entry.value));
                value == Some(if op == ReductionOp::Mul { 1.0 } else { 0.0 })
            }),
            Start::Call(_) => false,
        };
        let is_each_once = assigned.iter().copied().eq(scalars.iter().map(|&(offset, _)| offset));
        let is_defined = scalars.iter().all(|&(_, ty)| self.operator_on(op, ty, 0).is_ok());
        (is_start && is_each_once && is_defined).then_some(op)
    }

    /// The scalars of a type with their offsets, in ascending order. `None` if it has other parts.
    fn scalars_of(&self, ty: TypeId, offset: u64, out: &mut Vec<(u64, TypeId)>) -> Option<()> {
        match self.types.get(ty) {
            CType::Record(id) => {
                let record = &self.types.records[id.0 as usize];
                let fields = record.fields.as_ref().filter(|_| !record.is_union)?;
                fields.iter().try_for_each(|field| match field.bits {
                    Some(_) => None,
                    None => self.scalars_of(field.ty.ty, offset + field.offset, out),
                })
            }
            _ if self.types.is_arithmetic(ty) => {
                out.push((offset, ty));
                Some(())
            }
            _ => None,
        }
    }

    /// The operator of `omp_out.a += omp_in.a, omp_out.b = omp_out.b + omp_in.b`, with the offsets of what is
    /// assigned.
    fn operator_of(
        &self,
        combiner: &Expr,
        declared: &DeclaredReduction,
        assigned: &mut Vec<u64>,
    ) -> Option<ReductionOp> {
        let place = |expr: &Expr, root: VarId| self.place_in(expr, root);
        let value = |expr: &Expr, root: VarId| match &expr.kind {
            ExprKind::Load(lvalue) => place(lvalue, root),
            _ => None,
        };
        let (target, op, own, other) = match &strip_void(combiner).kind {
            ExprKind::Comma(first, second) => {
                let op = self.operator_of(first, declared, assigned)?;
                return (self.operator_of(second, declared, assigned)? == op).then_some(op);
            }
            ExprKind::AssignOp { op, target, value: other, compute } if *compute == target.ty.ty => {
                let own = place(target, declared.out)?;
                (own, *op, own, value(other, declared.in_)?)
            }
            ExprKind::Assign(target, sum) => {
                let ExprKind::Binary(op, a, b) = &sum.kind else { return None };
                let of =
                    |own: &Expr, other: &Expr| Some((value(own, declared.out)?, value(other, declared.in_)?));
                let (own, other) = of(a, b).or_else(|| of(b, a))?;
                (place(target, declared.out)?, *op, own, other)
            }
            _ => return None,
        };
        let op = match op {
            BinaryOp::Add => ReductionOp::Add,
            BinaryOp::Mul => ReductionOp::Mul,
            BinaryOp::BitOr => ReductionOp::BitOr,
            BinaryOp::BitXor => ReductionOp::BitXor,
            _ => return None,
        };
        assigned.push(target);
        (target == own && own == other).then_some(op)
    }

    /// The offset of a member in a variable.
    fn place_in(&self, expr: &Expr, root: VarId) -> Option<u64> {
        match &expr.kind {
            ExprKind::Var(var) => (*var == root).then_some(0),
            ExprKind::Member(base, record, number) => {
                let fields = self.types.records[record.0 as usize].fields.as_ref()?;
                let field = fields.get(*number as usize).filter(|field| field.bits.is_none())?;
                Some(self.place_in(base, root)? + field.offset)
            }
            _ => None,
        }
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

/// The value of a constant that a conversion leaves what it is.
fn constant_value(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value as f64),
        ExprKind::Float(FloatConst::Double(value)) => Some(*value),
        ExprKind::Complex(re, im) => constant_value(re).filter(|_| constant_value(im) == Some(0.0)),
        _ => None,
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
