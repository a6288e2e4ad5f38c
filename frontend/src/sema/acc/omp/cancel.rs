//! `cancel` and `cancellation point` (OpenMP 5.2, 11.6): the runtime keeps the mark, and the code of a thread
//! or task that finds it goes to a label at the end of its construct. Where a `parallel` can be cancelled, so
//! do its barriers.

use super::super::sharing::Cancellable;
use super::super::visit::{VisitMut, strip_casts, walk_stmt_mut};
use super::super::{clauses, ids, nothing};
use super::code::{Routine, block, if_stmt, stmt};
use crate::ctype::{QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{CancelKind, Clause, ClauseKind, Directive, IfOf};
use crate::intern::Symbol;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

impl Sema<'_> {
    /// The construct that has just been entered can be cancelled.
    pub(super) fn cancellable(&mut self, kind: CancelKind, directive: &Directive) {
        if let Some(innermost) = self.acc.sharing.last_mut() {
            innermost.cancel = Some(Cancellable { kind, place: directive.name_span, end: None });
        }
    }

    /// `cancel`, `cancellation point`.
    pub(super) fn cancel(&mut self, directive: &Directive, kind: CancelKind, is_point: bool) -> Stmt {
        let span = directive.span;
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let mut wanted = self.int_expr(1, TypeId::INT, span);
        for clause in &selected {
            if let ClauseKind::If(e) | ClauseKind::IfOf(IfOf::Cancel, e) = &clause.kind
                && let Some(condition) = self.condition_argument("if", e)
            {
                wanted = self.convert(condition, TypeId::INT);
            }
        }
        if self.acc.target_region.is_some() || self.is_device_code() {
            let message = format!("`{}` is not supported in code of a device", directive.kind.name());
            self.error(ids::OMP_UNSUPPORTED, directive.name_span, message);
            return nothing(span);
        }
        let Some(end) = self.cancelled_end(directive, kind) else { return nothing(span) };
        let number = match kind {
            CancelKind::Parallel => 1,
            CancelKind::For | CancelKind::Sections => 2,
            CancelKind::Taskgroup => 3,
        };
        let number = self.int_expr(number, TypeId::INT, span);
        let leaves = if is_point {
            self.call_routine(Routine::CANCELLATION_POINT, vec![number], span)
        } else {
            self.call_routine(Routine::CANCEL, vec![number, wanted], span)
        };
        if_stmt(leaves, vec![stmt(StmtKind::Goto(end), span)], span)
    }

    /// The label at the end of the construct that a directive means, in whose statement it must stand
    /// directly.
    fn cancelled_end(&mut self, directive: &Directive, kind: CancelKind) -> Option<LabelId> {
        let around = self.enclosing_construct().map(|(_, place)| place);
        let found = self.acc.sharing.last().and_then(|innermost| innermost.cancel);
        let cancellable = found.filter(|known| known.kind == kind && Some(known.place) == around);
        let Some(cancellable) = cancellable else {
            let construct = if kind == CancelKind::Taskgroup { "task" } else { kind.name() };
            let message = format!("`{} {}` stands in no `{construct}`", directive.kind.name(), kind.name());
            let mut diagnostic = Diagnostic::error(ids::DIRECTIVE_PLACEMENT, directive.name_span, message);
            if let Some(place) = around {
                diagnostic = diagnostic.related(place, "the innermost construct");
            }
            self.emit(diagnostic.note("it must stand in the statement of the construct, in this function"));
            return None;
        };
        if let Some(end) = cancellable.end {
            return Some(end);
        }
        let end = self.hidden_label("cancelled");
        if let Some(known) = self.acc.sharing.last_mut().and_then(|innermost| innermost.cancel.as_mut()) {
            known.end = Some(end);
        }
        Some(end)
    }

    /// What stands at the end of a construct that something in it may cancel.
    pub(super) fn cancelled_label(&self, end: Option<LabelId>, span: Span) -> Option<Stmt> {
        end.map(|end| stmt(StmtKind::Label(end, Box::new(block(Vec::new(), span))), span))
    }

    /// Clauses that a worksharing construct cannot have if it can be cancelled.
    pub(super) fn check_cancellable(&mut self, end: Option<LabelId>, clauses: &[&Clause]) {
        let wrong = clauses.iter().find_map(|clause| match clause.kind {
            ClauseKind::Nowait | ClauseKind::Ordered(_) => Some((clause, clause.row.name)),
            ClauseKind::InscanReduction(..) => Some((clause, "reduction(inscan, ...)")),
            _ => None,
        });
        if let (Some(_), Some((clause, what))) = (end, wrong) {
            let message = format!("a construct with `{what}` cannot be cancelled");
            self.error(ids::CONFLICTING_CLAUSES, clause.span, message);
        }
    }

    /// Lets the threads of a `parallel` leave it at its barriers, if it can be cancelled.
    pub(super) fn leave_at_barriers(&mut self, end: Option<LabelId>, body: &mut Stmt, span: Span) {
        let Some(end) = end else { return };
        let mut name = |routine: Routine| self.session.interner.intern(routine.name());
        let [barrier, take] = [name(Routine::BARRIER), name(Routine::COPYPRIVATE_TAKE)];
        let waits = self.call_routine(Routine::CANCEL_BARRIER, Vec::new(), span);
        Barriers { functions: &self.functions, barrier, take, waits, end }.stmt(body);
    }
}

/// Rewrites the barriers of a team's code.
struct Barriers<'a> {
    functions: &'a [Function],
    barrier: Symbol,
    take: Symbol,
    /// The barrier that tells whether the region is cancelled.
    waits: Expr,
    end: LabelId,
}

impl Barriers<'_> {
    fn calls(&self, expr: &Expr, name: Symbol) -> bool {
        match &expr.kind {
            ExprKind::Call { callee, .. } => {
                matches!(callee.kind, ExprKind::Func(function) if self.functions[function.0 as usize].name == name)
            }
            _ => false,
        }
    }

    /// The variable that gets what another thread hands over: nothing, if the region is cancelled.
    fn taken(&self, one: &Stmt) -> Option<VarId> {
        let StmtKind::Declare(var, Some(init)) = &one.kind else { return None };
        let entry = init.entries.first()?;
        self.calls(strip_casts(&entry.value), self.take).then_some(*var)
    }

    fn leave_if(&self, condition: Expr) -> Stmt {
        let span = condition.span;
        if_stmt(condition, vec![stmt(StmtKind::Goto(self.end), span)], span)
    }
}

impl VisitMut for Barriers<'_> {
    fn stmt(&mut self, one: &mut Stmt) {
        match &mut one.kind {
            StmtKind::Expr(call) if self.calls(call, self.barrier) => {
                *one = self.leave_if(self.waits.clone())
            }
            // Another team, or a task: it has no barriers of this one.
            StmtKind::Threaded(_) => {}
            StmtKind::Block(list) => {
                list.iter_mut().for_each(|inner| self.stmt(inner));
                let found = list.iter().enumerate().find_map(|(at, inner)| Some((at, self.taken(inner)?)));
                if let Some((at, var)) = found {
                    let StmtKind::Declare(_, Some(init)) = &list[at].kind else { return };
                    let (ty, span) = (QualType::plain(init.entries[0].ty), list[at].span);
                    let lvalue = Expr { kind: ExprKind::Var(var), ty, span };
                    let value = Expr { kind: ExprKind::Load(Box::new(lvalue)), ty, span };
                    let truth = QualType::plain(TypeId::INT);
                    let is_null =
                        Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(value)), ty: truth, span };
                    list.insert(at + 1, self.leave_if(is_null));
                }
            }
            _ => walk_stmt_mut(self, one),
        }
    }

    fn expr(&mut self, _: &mut Expr) {}
}
