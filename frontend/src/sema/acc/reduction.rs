//! `reduction` clauses: variables, sections, and which operators are defined on which types (OpenACC 3.3
//! section 2.9.11).

use super::ids;
use super::reduced::{Reduced, Reducer};
use super::subarrays::without_brackets;
use super::text::expr_text;
use crate::ast;
use crate::ctype::{ArrayLen, CType, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::ReductionName;
use crate::intern::Symbol;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ReductionOp, ScalarClass};

/// How deep structs may nest before a reduction over their members is given up.
const MAX_NESTING: u32 = 64;

impl Sema<'_> {
    /// The items of a `reduction` clause of OpenACC.
    pub(super) fn reduction_items(
        &mut self,
        name: ReductionName,
        items: &[ast::Expr],
        out: &mut Vec<ReductionItem>,
    ) {
        let mut all = out.drain(..).filter_map(Reduced::of_item).collect();
        self.add_reduced(name, items, false, &mut all);
        out.extend(all.into_iter().filter_map(|item| item.by_operator().ok()));
    }

    /// The items of a `reduction` clause of OpenMP.
    pub(super) fn reduced_items(&mut self, name: ReductionName, items: &[ast::Expr], out: &mut Vec<Reduced>) {
        self.add_reduced(name, items, true, out);
    }

    /// `declared`: a `declare reduction` may give the name its meaning.
    fn add_reduced(
        &mut self,
        name: ReductionName,
        items: &[ast::Expr],
        declared: bool,
        out: &mut Vec<Reduced>,
    ) {
        for expr in items {
            let Some(item) = self.reduced_item(name, expr, declared) else { continue };
            if let Some(index) = out.iter().position(|other| other.var == item.var) {
                if self.repeats_reduction(&out[index], &item) {
                    continue;
                }
                // Items of OpenMP may be several elements of an array.
                if let Some(section) = self.joined_section(&out[index], &item).filter(|_| declared) {
                    out[index].section = Some(section);
                    continue;
                }
                let first = &out[index];
                let name = self.var_text(item.var);
                let diagnostic = Diagnostic::error(
                    ids::DUPLICATE_VARIABLE,
                    item.span,
                    format!("`{name}` appears more than once in `reduction` clauses"),
                )
                .related(first.span, "first here");
                self.emit(diagnostic);
                continue;
            }
            out.push(item);
        }
    }

    /// The section of two that lie side by side, in either order, and are reduced alike.
    fn joined_section(&self, first: &Reduced, second: &Reduced) -> Option<(Expr, Expr)> {
        let bounds = |item: &Reduced| {
            let (lower, count) = item.section.as_ref()?;
            Some((self.const_int(lower)?, self.const_int(count)?))
        };
        let (a, b) = (bounds(first)?, bounds(second)?);
        if first.by != second.by || a.0 + a.1 != b.0 && b.0 + b.1 != a.0 {
            return None;
        }
        let (lower, _) = if a.0 <= b.0 { first.section.clone()? } else { second.section.clone()? };
        let count = self.long(a.1 + b.1, first.span);
        Some((lower, count))
    }

    fn reduced_item(&mut self, name: ReductionName, expr: &ast::Expr, declared: bool) -> Option<Reduced> {
        let inner = without_brackets(expr);
        if let ast::ExprKind::Member(..) | ast::ExprKind::Arrow(..) = inner.kind {
            let text = expr_text(inner, &self.session.interner);
            self.emit(
                Diagnostic::error(
                    ids::REDUCTION_VARIABLE,
                    inner.span,
                    format!("`{text}` is a member: `reduction` takes whole variables and sections of arrays"),
                )
                .note("accumulate into a local variable and store it behind the loop"),
            );
            return None;
        }
        let var = self.plain_variable("reduction", inner)?;
        let object = &self.vars[var.0 as usize];
        let (ty, place) = (object.ty, object.span);
        if ty.ty == TypeId::ERROR {
            return None;
        }
        if ty.quals.const_ {
            let name = self.var_text(var);
            self.emit(
                Diagnostic::error(
                    ids::REDUCTION_VARIABLE,
                    expr.span,
                    format!("`{name}` is `const`: a reduction cannot store its result"),
                )
                .related(place, "declared here"),
            );
            return None;
        }
        let section = if std::ptr::eq(inner, expr) {
            self.whole_section(var, expr.span)
        } else {
            Some(self.reduction_section(expr)?)
        };
        let element = match *self.types.get(ty.ty) {
            CType::Pointer(target) if section.is_some() => self.types.innermost_element(target),
            _ => self.types.innermost_element(ty),
        };
        let by = self.reducer(name, element, var, declared, expr.span)?;
        Some(Reduced { by, var, section, span: expr.span, participates: false, origin: None })
    }

    /// What combines values of a type, by the name in front of the colon.
    fn reducer(
        &mut self,
        name: ReductionName,
        ty: QualType,
        var: VarId,
        declared: bool,
        span: Span,
    ) -> Option<Reducer> {
        if declared && let Some(found) = self.declared_reduction(name.name.sym, ty.ty) {
            return Some(Reducer::Declared(found));
        }
        if let Some(op) = name.operator {
            return self.check_operator(op, ty, var, span).then_some(Reducer::Operator(op));
        }
        let (word, ty) = (self.text(name.name.sym), self.type_text(QualType::plain(ty.ty)));
        let message =
            format!("no reduction `{word}` is declared for type `{ty}`, which `{}` has", self.var_text(var));
        let diagnostic = Diagnostic::error(ids::REDUCTION_OPERATOR, name.name.span, message)
            .note(format!("write `#pragma omp declare reduction({word} : {ty} : ...)`, or use an operator"))
            .note(ReductionName::operators());
        self.emit(diagnostic);
        None
    }

    /// The innermost visible `declare reduction` of a name for a type.
    pub(super) fn declared_reduction(&self, name: Symbol, ty: TypeId) -> Option<usize> {
        let mut declared = self.reductions.chain(name).map(|binding| binding.entity);
        declared.find(|&index| self.types.compatible(self.acc.declared_reductions[index].ty, ty))
    }

    /// All elements of an array variable; `None` for what is no array.
    fn whole_section(&mut self, var: VarId, span: Span) -> Option<(Expr, Expr)> {
        let ty = self.vars[var.0 as usize].ty;
        if !self.types.is_array(ty.ty) {
            return None;
        }
        let element = self.types.innermost_element(ty);
        let (bytes, size) = (self.long_size(ty.ty, span), self.long_size(element.ty, span));
        Some((self.long(0, span), self.long_div(bytes, size)))
    }

    /// First element and number of elements of a section, in elements of the innermost type.
    fn reduction_section(&mut self, expr: &ast::Expr) -> Option<(Expr, Expr)> {
        let item = self.section_item("reduction", expr)?;
        let span = expr.span;
        if item.dims.iter().skip(1).any(|d| d.pointer) || !matches!(item.base.kind, ExprKind::Var(_)) {
            self.error(
                ids::REDUCTION_VARIABLE,
                span,
                "`reduction` does not take sections through several pointers".to_owned(),
            );
            return None;
        }
        let element = self.types.innermost_element(item.dims.last()?.element);
        let (lower, bytes) = self.contiguous_run(&item.dims)?;
        let size = self.long_size(element.ty, span);
        Some((self.long_div(lower, size.clone()), self.long_div(bytes, size)))
    }

    fn check_operator(&mut self, op: ReductionOp, ty: QualType, var: VarId, span: Span) -> bool {
        let Err((bad, why)) = self.operator_on(op, ty.ty, 0) else { return true };
        let (name, text) = (self.var_text(var), self.type_text(QualType::plain(bad)));
        let mut diagnostic = Diagnostic::error(
            ids::REDUCTION_TYPE,
            span,
            format!("`{}` is not a reduction operator for `{name}`: {why}", op.spelling()),
        )
        .label(format!("this has type `{text}`"))
        .related(self.vars[var.0 as usize].span, "declared here");
        if self.types.is_pointer(bad) && bad == ty.ty {
            diagnostic =
                diagnostic.note(format!("to reduce what it points to, write a section: `{name}[0:n]`"));
        }
        self.emit(diagnostic);
        false
    }

    /// The first type inside `ty` on which the operator is not defined.
    pub(super) fn operator_on(
        &self,
        op: ReductionOp,
        ty: TypeId,
        depth: u32,
    ) -> Result<(), (TypeId, &'static str)> {
        let class = match self.types.get(ty) {
            CType::Int(_) | CType::Enum(_) => ScalarClass::Integer,
            CType::Float(_) => ScalarClass::Real,
            CType::Complex(_) => ScalarClass::Complex,
            CType::Record(id) if depth < MAX_NESTING => {
                let record = &self.types.records[id.0 as usize];
                if record.is_union {
                    return Err((ty, "a union has no members that could be reduced"));
                }
                let Some(fields) = &record.fields else { return Err((ty, "the type is incomplete")) };
                if fields.iter().any(|f| f.bits.is_some()) {
                    return Err((ty, "it has bit-fields"));
                }
                for field in fields {
                    self.operator_on(op, field.ty.ty, depth + 1)?;
                }
                return Ok(());
            }
            CType::Array(element, ArrayLen::Known(_) | ArrayLen::Variable(_)) => {
                return self.operator_on(op, element.ty, depth + 1);
            }
            CType::Pointer(_) => return Err((ty, "pointers cannot be reduced")),
            CType::Error => return Ok(()),
            _ => return Err((ty, "values of its type cannot be reduced")),
        };
        if op.is_defined_on(class) {
            Ok(())
        } else {
            Err((
                ty,
                match class {
                    ScalarClass::Integer | ScalarClass::Real => "the operator is for integers",
                    ScalarClass::Complex => "the operator is not defined on complex numbers",
                },
            ))
        }
    }
}
