//! Warnings about loops: bodies that change the loop variable, and, on reductions, iterations that update a shared variable without a clause, and nested loops whose
//! clauses do not fit together (OpenACC 3.3 section 2.9.11). They look at a whole function.

use super::reduction::spelling;
use super::visit::{Visit, same_expr, strip_casts, walk_expr, walk_stmt};
use super::{compute_name, ids};
use crate::diag::Diagnostic;
use crate::directive::ReductionOperator;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::LoopKind;
use rustc_hash::FxHashSet;

/// An update of a variable that a reduction could make safe.
struct Accumulation {
    var: VarId,
    op: ReductionOperator,
    span: Span,
}

/// A loop (or the compute construct) around the place being looked at.
struct Frame {
    span: Span,
    /// Its iterations may run at the same time.
    parallel: bool,
    /// It is a compute construct.
    construct: Option<ComputeKind>,
    /// Variables of which each gang of the construct has a copy: by `private`, by `firstprivate`, and because no clause names
    /// them.
    copies: [Vec<VarId>; 3],
    /// A loop that is partitioned over gangs and nothing else.
    gangs_only: bool,
    reductions: Vec<(VarId, ReductionOperator, Span)>,
    private: Vec<VarId>,
    /// The variables that count its iterations.
    counters: Vec<VarId>,
    own: FxHashSet<VarId>,
    accumulations: Vec<Accumulation>,
    /// Variables that get a value that does not depend on their old one.
    assigned: FxHashSet<VarId>,
    /// Variables a warning was given for already.
    warned: Vec<VarId>,
}

impl Frame {
    fn hides(&self, var: VarId) -> bool {
        self.own.contains(&var) || self.private.contains(&var)
    }

    fn reduces(&self, var: VarId) -> Option<Outer> {
        let (_, op, place) = *self.reductions.iter().find(|(v, _, _)| *v == var)?;
        Some(Outer { op, place, construct: self.construct })
    }

    /// The construct or loop, as messages call it.
    fn name(construct: Option<ComputeKind>) -> String {
        construct.map_or("loop".to_owned(), |kind| format!("`{}` construct", compute_name(kind)))
    }
}

/// A reduction around the place being looked at.
#[derive(Clone, Copy)]
struct Outer {
    op: ReductionOperator,
    place: Span,
    /// It is one of a compute construct.
    construct: Option<ComputeKind>,
}

struct Walk<'a, 's> {
    sema: &'a mut Sema<'s>,
    frames: Vec<Frame>,
    compute: Option<ComputeKind>,
}

impl Sema<'_> {
    /// Looks for reductions that are missing or contradict each other, and for loop variables that the body changes.
    pub(super) fn warn_reductions(&mut self, body: &FunctionBody) {
        if self.session.errors() > 0 {
            // A clause with an error is not in the tree, and would be missed.
            return;
        }
        let mut walk = Walk { sema: self, frames: Vec::new(), compute: None };
        for stmt in &body.body {
            walk.stmt(stmt);
        }
    }
}

impl Walk<'_, '_> {
    /// Whether the iterations of a loop may run at the same time, as far as the directives say.
    fn is_parallel(&self, l: &LoopConstruct) -> bool {
        let levels = l.gang.is_some() || l.worker.is_some() || l.vector.is_some();
        match l.kind {
            LoopKind::Seq | LoopKind::Auto => false,
            LoopKind::Independent => self.compute != Some(ComputeKind::Serial),
            LoopKind::Default => match self.compute {
                Some(ComputeKind::Parallel) => true,
                Some(ComputeKind::Serial | ComputeKind::Kernels) => false,
                None => levels,
            },
        }
    }

    /// Compares the clauses of a loop with those of the loops around it.
    fn compare_reductions(&mut self, reductions: &[ReductionItem]) {
        for item in reductions {
            let mut between = Vec::new();
            for index in (0..self.frames.len()).rev() {
                let frame = &self.frames[index];
                if let Some(outer) = frame.reduces(item.var) {
                    if outer.op != item.op {
                        self.conflicting(item, outer);
                    }
                    for index in between {
                        self.nested_missing(index, item.var, outer);
                    }
                    break;
                }
                if frame.hides(item.var) || frame.construct.is_some() {
                    break;
                }
                if frame.parallel {
                    between.push(index);
                }
            }
        }
    }

    fn conflicting(&mut self, item: &ReductionItem, around: Outer) {
        let Outer { op, place, construct } = around;
        let name = self.sema.var_text(item.var);
        let (inner, outer) = (spelling(item.op), spelling(op));
        let around = Frame::name(construct);
        self.sema.emit(
            Diagnostic::warning(
                ids::NESTED_REDUCTION_OPERATOR,
                item.span,
                format!("conflicting reduction operators for `{name}`: `{inner}` here, `{outer}` on the {around} around it"),
            )
            .related(place, format!("`reduction({outer}:{name})`")),
        );
    }

    fn nested_missing(&mut self, index: usize, var: VarId, Outer { op, place, construct }: Outer) {
        if self.frames[index].warned.contains(&var) {
            return;
        }
        self.frames[index].warned.push(var);
        let (name, op) = (self.sema.var_text(var), spelling(op));
        self.sema.emit(
            Diagnostic::warning(
                ids::NESTED_REDUCTION_MISSING,
                self.frames[index].span,
                format!("nested loop in a reduction needs a `reduction` clause for `{name}`"),
            )
            .related(place, format!("`{name}` is reduced by the {} around it", Frame::name(construct)))
            .note(format!("add `reduction({op}:{name})`")),
        );
    }

    /// An update of `var` belongs to every loop around it that shares the variable between iterations.
    fn record(&mut self, var: VarId, op: ReductionOperator, span: Span) {
        for frame in self.frames.iter_mut().rev() {
            if frame.construct.is_some() || frame.hides(var) {
                return;
            }
            frame.accumulations.push(Accumulation { var, op, span });
        }
    }

    fn assigned(&mut self, var: VarId) {
        for frame in self.frames.iter_mut().rev() {
            if frame.construct.is_some() || frame.hides(var) {
                return;
            }
            frame.assigned.insert(var);
        }
    }

    /// Reports what a loop's iterations update without protection.
    fn finish_loop(&mut self) {
        let Some(index) = self.frames.len().checked_sub(1) else { return };
        let accumulations = std::mem::take(&mut self.frames[index].accumulations);
        if self.frames[index].parallel {
            for accumulation in accumulations {
                self.missing(index, &accumulation);
            }
        }
        self.frames.pop();
    }

    fn missing(&mut self, index: usize, accumulation: &Accumulation) {
        let Accumulation { var, op, span } = *accumulation;
        let frame = &self.frames[index];
        if frame.reduces(var).is_some() || frame.warned.contains(&var) || frame.assigned.contains(&var) {
            return;
        }
        if frame.gangs_only && self.frames.iter().any(|f| f.construct.is_some() && f.hides(var)) {
            // Every gang has its own.
            return;
        }
        let outer =
            self.frames[..index].iter().rev().take_while(|f| !f.hides(var)).find_map(|f| f.reduces(var));
        if let Some(outer) = outer {
            self.nested_missing(index, var, outer);
            return;
        }
        self.frames[index].warned.push(var);
        let (name, op) = (self.sema.var_text(var), spelling(op));
        let construct = self.frames.iter().rev().find(|frame| frame.construct.is_some());
        let copied = construct.and_then(|frame| frame.copies.iter().position(|list| list.contains(&var)));
        let what = match copied {
            None => format!("iterations of this loop update the shared variable `{name}` at the same time"),
            Some(attribute) => {
                let fate = match attribute {
                    0 => String::new(),
                    _ => format!(", which is lost behind the construct: `{name}` is `firstprivate`"),
                };
                format!("iterations of this loop update the gang's copy of `{name}` at the same time{fate}")
            }
        };
        let mut diagnostic = Diagnostic::warning(ids::MISSING_REDUCTION, self.frames[index].span, what)
            .related(span, format!("`{name}` is updated here"))
            .note(format!("add `reduction({op}:{name})` to the loop"));
        if copied == Some(2) {
            diagnostic = diagnostic.note(format!(
                "`{name}` is a scalar that no clause of the construct names, and so `firstprivate` (OpenACC 3.3, section 2.6.2)"
            ));
        }
        self.sema.emit(diagnostic);
    }

    fn frame(&self, l: &LoopConstruct) -> Frame {
        let counters: Vec<VarId> = l.loops.iter().map(|c| c.var).collect();
        let mut private = l.private.clone();
        private.extend(&counters);
        Frame {
            span: l.span,
            parallel: self.is_parallel(l),
            construct: None,
            copies: Default::default(),
            gangs_only: l.gang.is_some() && l.worker.is_none() && l.vector.is_none(),
            reductions: l.reductions.iter().map(|r| (r.var, r.op, r.span)).collect(),
            private,
            counters,
            own: FxHashSet::default(),
            accumulations: Vec::new(),
            assigned: FxHashSet::default(),
            warned: Vec::new(),
        }
    }

    /// A counter of a parallel loop changes in its body: the next iteration of the thread does not see that.
    fn check_counter(&mut self, var: VarId, span: Span) {
        let Some(frame) = self.frames.iter_mut().rev().find(|frame| frame.hides(var)) else { return };
        if !frame.parallel || !frame.counters.contains(&var) || frame.warned.contains(&var) {
            return;
        }
        frame.warned.push(var);
        let (loop_, name) = (frame.span, self.sema.var_text(var));
        self.sema.emit(
            Diagnostic::warning(
                ids::COUNTER_CHANGED,
                span,
                format!("`{name}` counts the iterations of a parallel loop: this changes it for one iteration only"),
            )
            .related(loop_, "the loop"),
        );
    }
}

impl Visit for Walk<'_, '_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Compute(c) => {
                let compute = self.compute.replace(c.kind);
                let private = c.private.clone();
                let (written, implicit) = c.firstprivate.split_at(c.firstprivate_written);
                self.frames.push(Frame {
                    span: c.span,
                    parallel: false,
                    construct: Some(c.kind),
                    copies: [private.clone(), written.to_vec(), implicit.to_vec()],
                    gangs_only: false,
                    reductions: c.reductions.iter().map(|r| (r.var, r.op, r.span)).collect(),
                    private,
                    counters: Vec::new(),
                    own: FxHashSet::default(),
                    accumulations: Vec::new(),
                    assigned: FxHashSet::default(),
                    warned: Vec::new(),
                });
                self.stmt(&c.body);
                self.frames.pop();
                self.compute = compute;
            }
            StmtKind::Loop(l) => {
                self.compare_reductions(&l.reductions);
                let frame = self.frame(l);
                self.frames.push(frame);
                walk_stmt(self, stmt);
                self.finish_loop();
            }
            StmtKind::Atomic(_) => {}
            StmtKind::Declare(var, _) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.own.insert(*var);
                }
                walk_stmt(self, stmt);
            }
            StmtKind::If(condition, then, None) if !self.frames.is_empty() => {
                match guarded_extremum(condition, then) {
                    Some((var, op, span)) => self.record(var, op, span),
                    None => walk_stmt(self, stmt),
                }
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if self.frames.is_empty() {
            return;
        }
        if let ExprKind::Assign(target, _)
        | ExprKind::AssignOp { target, .. }
        | ExprKind::IncDec { target, .. } = &expr.kind
            && let ExprKind::Var(var) = target.kind
        {
            self.check_counter(var, expr.span);
        }
        if let Some((var, op)) = accumulation(expr) {
            self.record(var, op, expr.span);
        } else if let ExprKind::Assign(target, _) = &expr.kind
            && let ExprKind::Var(var) = target.kind
        {
            self.assigned(var);
        }
        walk_expr(self, expr);
    }
}

fn reads_var(expr: &Expr, var: VarId) -> bool {
    matches!(&strip_casts(expr).kind, ExprKind::Load(x) if matches!(x.kind, ExprKind::Var(v) if v == var))
}

fn operator(op: BinaryOp) -> Option<ReductionOperator> {
    Some(match op {
        BinaryOp::Add | BinaryOp::Sub => ReductionOperator::Add,
        BinaryOp::Mul => ReductionOperator::Mul,
        BinaryOp::BitAnd => ReductionOperator::BitAnd,
        BinaryOp::BitOr => ReductionOperator::BitOr,
        BinaryOp::BitXor => ReductionOperator::BitXor,
        BinaryOp::LogAnd => ReductionOperator::LogAnd,
        BinaryOp::LogOr => ReductionOperator::LogOr,
        BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Lt
        | BinaryOp::Gt
        | BinaryOp::Le
        | BinaryOp::Ge
        | BinaryOp::Eq
        | BinaryOp::Ne => return None,
    })
}

/// `s += e`, `s++`, `s = s op e`, `s = e op s`, `s = a > s ? a : s`, `s = fmax(s, a)`.
fn accumulation(expr: &Expr) -> Option<(VarId, ReductionOperator)> {
    match &expr.kind {
        ExprKind::AssignOp { op, target, .. } => match target.kind {
            ExprKind::Var(var) => Some((var, operator(*op)?)),
            _ => None,
        },
        ExprKind::IncDec { target, .. } => match target.kind {
            ExprKind::Var(var) => Some((var, ReductionOperator::Add)),
            _ => None,
        },
        ExprKind::Assign(target, value) => {
            let ExprKind::Var(var) = target.kind else { return None };
            Some((var, combination(strip_casts(value), var)?))
        }
        _ => None,
    }
}

fn combination(value: &Expr, var: VarId) -> Option<ReductionOperator> {
    match &value.kind {
        ExprKind::Binary(op, a, b) => {
            let found = operator(*op)?;
            let left = reads_var(a, var) || leftmost_reads(a, *op, var);
            (left || *op != BinaryOp::Sub && reads_var(b, var)).then_some(found)
        }
        ExprKind::Conditional(condition, a, b) => {
            let (condition, a, b) = (strip_casts(condition), strip_casts(a), strip_casts(b));
            if reads_var(b, var) {
                extremum(condition, a, var)
            } else if reads_var(a, var) {
                extremum(condition, b, var).map(opposite)
            } else {
                None
            }
        }
        ExprKind::Builtin(builtin @ (Builtin::Fmin | Builtin::Fmax), args) => {
            args.iter().any(|arg| reads_var(arg, var)).then_some(match builtin {
                Builtin::Fmin => ReductionOperator::Min,
                _ => ReductionOperator::Max,
            })
        }
        _ => None,
    }
}

/// `s + a + b`: `s` is the first operand of a chain of one operator.
fn leftmost_reads(expr: &Expr, op: BinaryOp, var: VarId) -> bool {
    match &strip_casts(expr).kind {
        ExprKind::Binary(inner, a, _) if *inner == op => reads_var(a, var) || leftmost_reads(a, op, var),
        _ => false,
    }
}

fn opposite(op: ReductionOperator) -> ReductionOperator {
    if op == ReductionOperator::Max { ReductionOperator::Min } else { ReductionOperator::Max }
}

/// Where `condition` holds, the variable becomes `new`: is it then the larger or the smaller of the two?
fn extremum(condition: &Expr, new: &Expr, var: VarId) -> Option<ReductionOperator> {
    let ExprKind::Binary(op, a, b) = &condition.kind else { return None };
    let greater = match op {
        BinaryOp::Gt | BinaryOp::Ge => true,
        BinaryOp::Lt | BinaryOp::Le => false,
        _ => return None,
    };
    let (a, b) = (strip_casts(a), strip_casts(b));
    let new_is_greater = if reads_var(b, var) && same_expr(a, new) {
        greater
    } else if reads_var(a, var) && same_expr(b, new) {
        !greater
    } else {
        return None;
    };
    Some(if new_is_greater { ReductionOperator::Max } else { ReductionOperator::Min })
}

/// `if (a > s) s = a;`
fn guarded_extremum(condition: &Expr, then: &Stmt) -> Option<(VarId, ReductionOperator, Span)> {
    match &then.kind {
        StmtKind::Block(list) => match list.as_slice() {
            [one] => guarded_extremum(condition, one),
            _ => None,
        },
        StmtKind::Expr(expr) => {
            let ExprKind::Assign(target, value) = &strip_casts(expr).kind else { return None };
            let ExprKind::Var(var) = target.kind else { return None };
            let op = extremum(strip_casts(condition), strip_casts(value), var)?;
            Some((var, op, expr.span))
        }
        _ => None,
    }
}
