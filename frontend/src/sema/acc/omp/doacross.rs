//! Loops whose iterations wait for single earlier ones (OpenMP 5.2, 15.9.5): `ordered(n)`, and in the body
//! `ordered depend(sink: i - 1)` and `ordered depend(source)`, or `doacross` in the place of `depend`.
//!
//! The iterations of the whole nest have numbers in the order of the source. An iteration publishes that
//! everything up to its number is done; another waits for a number.

use super::super::clauses;
use super::super::ids;
use super::super::sharing::{Doacross, DoacrossLoop, Sink};
use super::code::{Routine, block, declare, if_stmt};
use super::loops::Iterations;
use super::sharing::loop_names;
use crate::ast;
use crate::ctype::{QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{ClauseKind, Directive, DoacrossKind};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

impl Sema<'_> {
    /// What the body of a nest of `count` loops refers to.
    pub(super) fn doacross_nest(&mut self, statement: &ast::Stmt, count: u32, span: Span) -> Doacross {
        let mut number = |ty| self.hidden_var(QualType::plain(ty), span);
        let loops = (0..count).map(|_| DoacrossLoop {
            number: number(TypeId::ULONG),
            trip: number(TypeId::ULONG),
            step: number(TypeId::LONG),
            stride: number(TypeId::ULONG),
        });
        let loops = loops.collect();
        let current = number(TypeId::ULONG);
        Doacross { names: loop_names(statement, count), loops, current, sinks: Vec::new() }
    }

    /// Gives what the body refers to its values in front of the loops, and says which sinks make no sense.
    pub(super) fn start_doacross(
        &mut self,
        doacross: &Doacross,
        iterations: &mut Iterations,
        out: &mut Vec<Stmt>,
        span: Span,
    ) {
        self.check_sinks(doacross, iterations);
        let mut stride = self.int_expr(1, TypeId::ULONG, span);
        let counted = iterations.loops.iter_mut().chain(&mut iterations.inner);
        for (one, known) in counted.zip(&doacross.loops).collect::<Vec<_>>().into_iter().rev() {
            one.number = known.number;
            let trip = self.var_value(one.trip, span);
            let step = self.var_value(one.step, span);
            out.push(declare(known.trip, Some(trip.clone()), span));
            out.push(declare(known.step, Some(step), span));
            out.push(declare(known.stride, Some(stride), span));
            let own = self.var_value(known.stride, span);
            stride = self.op(BinaryOp::Mul, own, trip);
        }
        iterations.current = Some(doacross.current);
        out.push(declare(doacross.current, None, span));
        let innermost = iterations.loops.len() - 1;
        let per_iteration = self.var_value(doacross.loops[innermost].stride, span);
        out.push(self.do_routine(Routine::DOACROSS, vec![per_iteration], span));
    }

    /// Sinks that no iteration waits for: later ones, and such as the loops jump over.
    fn check_sinks(&mut self, doacross: &Doacross, iterations: &Iterations) {
        for Sink { offsets, span } in &doacross.sinks {
            let mut is_earlier = None;
            for (offset, one) in offsets.iter().zip(iterations.loops.iter().chain(&iterations.inner)) {
                let Some(step) = one.constant_step.filter(|&step| step != 0) else {
                    is_earlier = Some(true);
                    break;
                };
                if offset % step != 0 {
                    let message = format!("no iteration is {offset} away: the loop has steps of {step}");
                    self.warn(ids::CLAUSE_VALUE, *span, message);
                    is_earlier = Some(true);
                    break;
                }
                if *offset != 0 && is_earlier.is_none() {
                    is_earlier = Some((*offset < 0) == (step > 0));
                }
            }
            if !is_earlier.unwrap_or(false) {
                let message = "this is no earlier iteration: nothing waits for it";
                self.warn(ids::CLAUSE_VALUE, *span, message.to_owned());
            }
        }
    }

    /// What an iteration of the shared loops does in front of its body and behind it: what it has not
    /// published is done then.
    pub(super) fn doacross_iteration(
        &mut self,
        doacross: &Doacross,
        (outer, inner): (usize, usize),
        index: VarId,
        span: Span,
    ) -> (Vec<Stmt>, Vec<Stmt>) {
        let stride = self.var_value(doacross.loops[outer - 1].stride, span);
        let number = self.var_value(index, span);
        let one = self.int_expr(1, TypeId::ULONG, span);
        let mut first = self.op(BinaryOp::Mul, number.clone(), stride.clone());
        if inner > 0 {
            // The loops inside count from there.
            first = self.op(BinaryOp::Sub, first, one.clone());
        }
        let before = self.assign_var(doacross.current, first, span);
        let next = self.op(BinaryOp::Add, number, one);
        let end = self.op(BinaryOp::Mul, next, stride);
        (vec![before], vec![self.do_routine(Routine::DOACROSS_POST, vec![end], span)])
    }

    /// `ordered depend(...)`, `ordered doacross(...)`.
    pub(super) fn doacross(&mut self, directive: &Directive) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let within = self.acc.sharing.iter().rposition(|around| around.doacross.is_some());
        let within = within.filter(|&at| self.acc.sharing[at..].iter().all(|around| around.kind.is_none()));
        let Some(at) = within else {
            let message = "`ordered` with `depend` or `doacross` stands in no loop of this function that has \
                           the clause `ordered(n)`";
            self.error(ids::DIRECTIVE_PLACEMENT, directive.name_span, message);
            return block(Vec::new(), span);
        };
        let mut list = Vec::new();
        let mut sources = 0;
        for clause in &selected {
            let ClauseKind::Doacross(kind) = &clause.kind else { continue };
            match kind {
                DoacrossKind::Source => {
                    sources += 1;
                    let one = self.int_expr(1, TypeId::ULONG, span);
                    let end = self.beyond_current(at, one, span);
                    list.push(self.do_routine(Routine::DOACROSS_POST, vec![end], span));
                }
                DoacrossKind::Before(number) => {
                    let value = self.rvalue(number);
                    if self.const_int(&value) != Some(1) {
                        let message = "`sink` takes a vector of iterations, or `omp_cur_iteration - 1`";
                        self.error(ids::CLAUSE_ARGUMENT, number.span, message);
                    }
                    let zero = self.int_expr(0, TypeId::ULONG, span);
                    let done = self.beyond_current(at, zero, span);
                    list.push(self.do_routine(Routine::DOACROSS_WAIT, vec![done], span));
                }
                DoacrossKind::Sink(vector) => list.extend(self.sink(at, vector, clause.span)),
            }
        }
        if selected.is_empty() || sources > 0 && selected.len() > 1 {
            let message = "`ordered` takes either one `source` or `sink`s";
            self.error(ids::CONFLICTING_CLAUSES, directive.name_span, message);
        }
        block(list, span)
    }

    /// The number of the running iteration of a nest, plus something.
    fn beyond_current(&mut self, at: usize, more: Expr, span: Span) -> Expr {
        let current = self.acc.sharing[at].doacross.as_ref().map(|doacross| doacross.current);
        match current {
            Some(current) => {
                let current = self.var_value(current, span);
                self.op(BinaryOp::Add, current, more)
            }
            None => more,
        }
    }

    /// `sink: i - 1, j`: waits for this iteration, if there is one and it is an earlier one.
    fn sink(&mut self, at: usize, vector: &[ast::Expr], span: Span) -> Option<Stmt> {
        let Some(doacross) = &self.acc.sharing[at].doacross else { return None };
        let (names, loops) = (doacross.names.clone(), doacross.loops.clone());
        if vector.len() != loops.len() {
            let message =
                format!("`sink` names {} iterations, and the nest has {} loops", vector.len(), loops.len());
            self.error(ids::CLAUSE_ARGUMENT, span, message);
            return None;
        }
        let mut offsets = Vec::new();
        for (component, name) in vector.iter().zip(&names) {
            offsets.push(self.sink_offset(component, *name)?);
        }
        let mut conditions = Vec::new();
        let mut distance = self.long(0, span);
        for (offset, one) in offsets.iter().zip(&loops).filter(|(offset, _)| **offset != 0) {
            let step = self.var_value(one.step, span);
            let offset = self.long(*offset, span);
            let rest = self.op(BinaryOp::Rem, offset.clone(), step.clone());
            let none = self.long(0, span);
            conditions.push(self.op(BinaryOp::Eq, rest, none));
            let away = self.op(BinaryOp::Div, offset, step);
            let number = self.var_value(one.number, span);
            let number = self.convert(number, TypeId::LONG);
            let number = self.op(BinaryOp::Add, number, away.clone());
            // A negative number is a large one here.
            let number = self.convert(number, TypeId::ULONG);
            let trip = self.var_value(one.trip, span);
            conditions.push(self.op(BinaryOp::Lt, number, trip));
            let stride = self.var_value(one.stride, span);
            let stride = self.convert(stride, TypeId::LONG);
            let away = self.op(BinaryOp::Mul, away, stride);
            distance = self.op(BinaryOp::Add, distance, away);
        }
        let none = self.long(0, span);
        conditions.push(self.op(BinaryOp::Lt, distance.clone(), none));
        let one = self.int_expr(1, TypeId::ULONG, span);
        let distance = self.convert(distance, TypeId::ULONG);
        let more = self.op(BinaryOp::Add, distance, one);
        let done = self.beyond_current(at, more, span);
        let mut waits = self.do_routine(Routine::DOACROSS_WAIT, vec![done], span);
        for condition in conditions.into_iter().rev() {
            waits = if_stmt(condition, vec![waits], span);
        }
        if let Some(doacross) = &mut self.acc.sharing[at].doacross {
            doacross.sinks.push(Sink { offsets, span });
        }
        Some(waits)
    }

    /// How far a component of a sink is from the loop's variable: `i`, `i - 2`, `i + 1`.
    fn sink_offset(&mut self, component: &ast::Expr, name: Option<crate::intern::Symbol>) -> Option<i128> {
        let is_var =
            |expr: &ast::Expr| matches!(expr.kind, ast::ExprKind::Ident(found) if Some(found) == name);
        let (var, offset, is_back) = match &component.kind {
            ast::ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), _, var, offset) => {
                (&**var, Some(offset), *op == BinaryOp::Sub)
            }
            _ => (component, None, false),
        };
        let offset = match offset {
            Some(offset) => {
                let value = self.rvalue(offset);
                self.const_int(&value).filter(|offset| i64::try_from(*offset).is_ok())
            }
            None => Some(0),
        };
        match offset.filter(|_| is_var(var)) {
            Some(offset) => Some(if is_back { -offset } else { offset }),
            None => {
                let name = name.map_or_else(|| "the loop's variable".to_owned(), |name| self.text(name));
                let diagnostic = Diagnostic::error(
                    ids::CLAUSE_ARGUMENT,
                    component.span,
                    format!("this component of `sink` is not `{name}` with a constant added or subtracted"),
                );
                self.emit(diagnostic.note("the components stand in the order of the loops, outermost first"));
                None
            }
        }
    }
}
