//! Nests inside of `target` that are no boxes ([`super::nonrect`] has those of the host): threads of a device
//! share the box around such a nest, and leave out what is not in it. Where the bounds of an inner loop are
//! linear in an outer variable, it iterates most often at one of the ends of that variable's range.

use super::super::copies::Copies;
use super::super::visit::VisitMut;
use super::super::{ids, nothing};
use super::code::{block, conditional, declare, if_stmt};
use super::nest::LoopClauses;
use crate::ctype::{QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{Directive, Parts};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// A chain of loops, each of which depends on the one before, has twice as many ends each time.
const MOST_ENDS: usize = 64;

impl Sema<'_> {
    /// Makes a box of the nest of a construct: what comes in front of it. `None` after an error.
    pub(super) fn boxed(
        &mut self,
        directive: &Directive,
        construct: &mut LoopConstruct,
        clauses: &LoopClauses,
    ) -> Option<Vec<Stmt>> {
        let all = &construct.loops;
        if (0..all.len()).all(|level| !all[..level].iter().any(|outer| self.uses(&all[level], outer.var))) {
            return Some(Vec::new());
        }
        self.check_ragged(directive);
        let span = construct.span;
        let mut before = Vec::new();
        let mut loops = std::mem::take(&mut construct.loops);
        let mut ends: Vec<Vec<Expr>> = Vec::new();
        let mut values = Vec::new();
        let mut inside: Vec<Expr> = Vec::new();
        let mut copies = Copies::default();
        let written = loops.clone();
        for level in 0..loops.len() {
            let (outer, inner) = (&written[..level], &mut loops[level]);
            if !self.depends_on_outer(outer, inner, &mut before)? {
                let trip = self.trip_count(inner);
                ends.push(self.ends_of(inner, trip, &mut before));
                continue;
            }
            let on = outer.iter().rposition(|one| self.uses(inner, one.var))?;
            let mut own_ends = Vec::new();
            let mut most: Option<Expr> = None;
            for end in ends[on].clone() {
                let at_end = self.with_value(inner, outer[on].var, &end);
                let trip = self.trip_count(&at_end);
                let trip = self.kept(trip, &mut before);
                own_ends.extend(self.ends_of(&at_end, trip.clone(), &mut before));
                most = Some(match most {
                    None => trip,
                    Some(other) => {
                        let is_more = self.op(BinaryOp::Gt, trip.clone(), other.clone());
                        let more = conditional(is_more, trip, other);
                        self.kept(more, &mut before)
                    }
                });
            }
            if own_ends.len() > MOST_ENDS {
                self.unsupported_nest(span, "a nest of so many loops that depend on each other");
                return None;
            }
            ends.push(own_ends);
            let number = self.hidden_var(QualType::plain(TypeId::LONG), span);
            let var = inner.var;
            let own = self.copy_of(var);
            let at = self.var_value(number, span);
            let offset = self.op(BinaryOp::Mul, at.clone(), inner.step.clone());
            values.push(declare(own, Some(self.advanced(inner.init.clone(), offset)), span));
            let trip = self.trip_count(inner);
            inside.push(self.op(BinaryOp::Lt, at, trip));
            copies.0.insert(var, own);
            construct.private.retain(|&other| other != var);
            construct.private.push(number);
            let bound = most?;
            let zero = self.long(0, span);
            let one = self.long(1, span);
            let compare_type = TypeId::LONG;
            let cmp = BinaryOp::Lt;
            *inner = CanonicalLoop {
                var: number,
                declared: true,
                init: zero,
                cmp,
                bound,
                compare_type,
                step: one,
                span,
            };
        }
        construct.loops = loops;
        let gives_back = directive.parts.has(Parts::SIMD) && construct.loops.iter().any(|one| !one.declared);
        if gives_back || !clauses.last.is_empty() || !clauses.linear.is_empty() {
            self.unsupported_nest(span, "a last or `linear` value of a nest that is no box");
            return None;
        }
        let body = std::mem::replace(&mut construct.body, nothing(span));
        let mut body = body;
        for condition in inside.into_iter().rev() {
            body = if_stmt(condition, vec![body], span);
        }
        values.push(body);
        construct.body = block(values, span);
        copies.stmt(&mut construct.body);
        Some(before)
    }

    fn unsupported_nest(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not supported inside of `target`");
        let diagnostic = Diagnostic::error(ids::OMP_UNSUPPORTED, span, message);
        self.emit(diagnostic.note("`collapse` the loops only whose bounds do not depend on each other"));
    }

    fn uses(&self, one: &CanonicalLoop, var: VarId) -> bool {
        let uses = |expr: &Expr| super::super::visit::variables(expr).iter().any(|(used, _)| *used == var);
        [&one.init, &one.bound, &one.step].into_iter().any(uses)
    }

    /// A value in a hidden variable.
    fn kept(&mut self, value: Expr, before: &mut Vec<Stmt>) -> Expr {
        let span = value.span;
        let (var, declared) = self.fresh(value.ty.ty, Some(value), span);
        before.push(declared);
        self.var_value(var, span)
    }

    /// The first and the last value of a loop's variable.
    fn ends_of(&mut self, one: &CanonicalLoop, trip: Expr, before: &mut Vec<Stmt>) -> Vec<Expr> {
        let span = one.span;
        let ty = self.vars[one.var.0 as usize].ty.ty;
        let first = self.convert(one.init.clone(), ty);
        let first = self.kept(first, before);
        let less = self.long(1, span);
        let steps = self.op(BinaryOp::Sub, trip, less);
        let offset = self.op(BinaryOp::Mul, steps, one.step.clone());
        let last = self.advanced(first.clone(), offset);
        let last = self.kept(last, before);
        vec![first, last]
    }

    /// A loop where a variable that it depends on has a value.
    fn with_value(&self, one: &CanonicalLoop, var: VarId, value: &Expr) -> CanonicalLoop {
        struct Value<'a>(VarId, &'a Expr);
        impl VisitMut for Value<'_> {
            fn expr(&mut self, expr: &mut Expr) {
                match &expr.kind {
                    ExprKind::Load(lvalue) if matches!(lvalue.kind, ExprKind::Var(var) if var == self.0) => {
                        *expr = self.1.clone();
                    }
                    _ => super::super::visit::walk_expr_mut(self, expr),
                }
            }
        }
        let mut at = one.clone();
        for expr in [&mut at.init, &mut at.bound] {
            Value(var, value).expr(expr);
        }
        at
    }
}
