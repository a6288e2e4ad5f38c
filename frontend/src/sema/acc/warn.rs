//! Reductions that loops lack, and what is wrong about loops besides: bodies that change the loop variable or
//! a bound, iterations that update a shared variable without a clause, and nested loops whose clauses do not
//! fit together (OpenACC 3.3 section 2.9.11).
//!
//! A loop whose iterations may run at the same time, and which writes what the construct or a loop around it
//! reduces, needs the clause, too, or all but one thread's part is lost. Programs leave it out, and compilers
//! carry the clause inward; so does this, with a warning:
//!
//! ```text
//! #pragma acc parallel loop gang reduction(+:s)
//! for (i ...)
//! #pragma acc loop vector                          is given reduction(+:s)
//!     for (j ...) s += a[i][j];
//! ```
//!
//! A construct is looked at before its implicit data attributes are determined, so that these know the
//! clauses.

use super::accumulation::{accumulation, guarded_extremum};
use super::ids;
use super::visit::{VisitMut, root_var, variables, walk_expr_mut, walk_loop_mut, walk_stmt_mut};
use crate::diag::Diagnostic;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, LoopKind, ReductionOp};
use rustc_hash::FxHashSet;

/// A write to a variable that is not the loop's own.
#[derive(Clone, Copy)]
struct Write {
    var: VarId,
    /// How it accumulates; `None` if the new value is not known to depend on the old one.
    op: Option<ReductionOp>,
    /// To the variable itself, not to an element or member.
    whole: bool,
    span: Span,
}

/// A loop (or the compute construct) around the place being looked at.
struct Frame {
    span: Span,
    /// Its iterations may run at the same time.
    parallel: bool,
    /// A compute construct.
    construct: bool,
    /// A loop that is partitioned over gangs and nothing else.
    gangs_only: bool,
    /// A loop that names workers or lanes, and no gangs.
    within_gangs: bool,
    reductions: Vec<ReductionItem>,
    private: Vec<VarId>,
    /// The variables that count its iterations.
    counters: Vec<VarId>,
    /// The variables that its bounds and steps name.
    bounds: Vec<VarId>,
    own: FxHashSet<VarId>,
    /// Variables that it reads for something else than to accumulate in them.
    read: FxHashSet<VarId>,
    writes: Vec<Write>,
    /// Clauses that are carried inward to it.
    implied: Vec<ReductionItem>,
    /// Variables a warning was given for already.
    warned: Vec<VarId>,
}

impl Frame {
    fn hides(&self, var: VarId) -> bool {
        self.own.contains(&var) || self.private.contains(&var)
    }

    fn reduces(&self, var: VarId) -> Option<&ReductionItem> {
        self.reductions.iter().find(|item| item.var == var)
    }
}

struct Walk<'a, 's> {
    sema: &'a mut Sema<'s>,
    frames: Vec<Frame>,
    compute: Option<ConstructKind>,
    /// The construct is one of OpenMP.
    is_openmp: bool,
    /// The variables in data clauses of the construct, and those in `firstprivate`.
    named: [Vec<VarId>; 2],
    /// The next expression is a statement, whose value nobody uses.
    is_statement: bool,
    /// What the expressions around accumulate in.
    accumulating: Vec<VarId>,
}

/// Whose a variable is that iterations update.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copies {
    /// There is one of it.
    Shared,
    /// Each iteration of a parallel loop around has one.
    Iteration,
    /// Each gang has one: it is private to the construct, or declared in it.
    Private,
    /// Each gang has one: `firstprivate`.
    FirstPrivate,
    /// As before, since no clause names the scalar.
    Implicit,
}

impl Sema<'_> {
    /// Gives the loops of a compute construct the reductions that they lack, as far as the clauses around
    /// them tell, and warns about those that are missing or contradict each other, and about loop variables
    /// that the body changes.
    pub(super) fn complete_reductions(&mut self, compute: &mut Compute) {
        // A clause with an error is not in the tree, and would be missed.
        if self.session.errors() > 0 {
            return;
        }
        // What OpenMP makes firstprivate is meant to be a team's own.
        let of_teams = compute.firstprivate.iter().filter(|_| compute.defaultmap.is_some());
        let frame = Frame {
            span: compute.span,
            parallel: false,
            construct: true,
            gangs_only: false,
            within_gangs: false,
            reductions: compute.reductions.clone(),
            private: compute.private.iter().chain(of_teams).copied().collect(),
            counters: Vec::new(),
            bounds: Vec::new(),
            own: FxHashSet::default(),
            read: FxHashSet::default(),
            writes: Vec::new(),
            implied: Vec::new(),
            warned: Vec::new(),
        };
        let mapped = compute.data.iter().map(|item| item.var).collect();
        let named = [mapped, compute.firstprivate.clone()];
        let (kind, is_openmp) = (Some(compute.kind), compute.defaultmap.is_some());
        let mut walk = Walk {
            sema: self,
            frames: vec![frame],
            compute: kind,
            is_openmp,
            named,
            is_statement: false,
            accumulating: Vec::new(),
        };
        walk.stmt(&mut compute.body);
    }

    /// The same for a routine, whose loops stand outside of constructs.
    pub(super) fn complete_orphan_reductions(&mut self, body: &mut FunctionBody) {
        if self.session.errors() == 0 {
            let named = Default::default();
            let mut walk = Walk {
                sema: self,
                frames: Vec::new(),
                compute: None,
                is_openmp: false,
                named,
                is_statement: false,
                accumulating: Vec::new(),
            };
            body.body.iter_mut().for_each(|stmt| walk.stmt(stmt));
        }
    }
}

impl Walk<'_, '_> {
    /// Whether the iterations of a loop may run at the same time, as far as the directives say.
    fn is_parallel(&self, l: &LoopConstruct) -> bool {
        let levels = l.gang.is_some() || l.worker.is_some() || l.vector.is_some();
        match l.kind {
            // What threads of a team share, barriers keep in order.
            _ if l.team.is_some() => false,
            LoopKind::Seq | LoopKind::Auto => false,
            LoopKind::Independent => self.compute != Some(ConstructKind::Serial),
            LoopKind::Default => match self.compute {
                Some(ConstructKind::Parallel) => true,
                Some(
                    ConstructKind::Serial
                    | ConstructKind::Kernels
                    | ConstructKind::Team
                    | ConstructKind::Task,
                ) => false,
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
                if let Some(outer) = frame.reduces(item.var).cloned() {
                    if outer.by != item.by {
                        self.conflicting(item, &outer, index);
                    }
                    for inner in between {
                        self.nested_missing(inner, &outer, index, outer.by == item.by);
                    }
                    break;
                }
                if frame.hides(item.var) || frame.construct {
                    break;
                }
                if frame.parallel {
                    between.push(index);
                }
            }
        }
    }

    /// What a frame is, seen from inside.
    fn around(&self, index: usize) -> String {
        match self.compute {
            Some(_) if self.frames[index].construct && self.is_openmp => "the construct around it".to_owned(),
            Some(kind) if self.frames[index].construct => {
                format!("the `{}` construct around it", kind.name())
            }
            _ => "the loop around it".to_owned(),
        }
    }

    fn conflicting(&mut self, item: &ReductionItem, outer: &ReductionItem, index: usize) {
        let (name, around) = (self.sema.var_text(item.var), self.around(index));
        let (inner, op) = (item.by.spelling(), outer.by.spelling());
        self.sema.emit(
            Diagnostic::warning(
                ids::NESTED_REDUCTION_OPERATOR,
                item.span,
                format!("conflicting reduction operators for `{name}`: `{inner}` here, `{op}` on {around}"),
            )
            .related(outer.span, format!("`reduction({op}:{name})`")),
        );
    }

    /// A loop lacks the clause that another frame has. `implied`: it is given the clause, unless the user
    /// wants none.
    fn nested_missing(&mut self, index: usize, outer: &ReductionItem, outer_index: usize, implied: bool) {
        if self.frames[index].warned.contains(&outer.var) {
            return;
        }
        let implied = implied && self.sema.session.options.implied_reductions;
        let span = self.frames[index].span;
        self.frames[index].warned.push(outer.var);
        if implied {
            self.frames[index].implied.push(ReductionItem { span, ..outer.clone() });
        }
        // `distribute` does not take the clause: it shares the copies that its `teams` has.
        if implied && self.is_openmp && self.frames[index].gangs_only {
            return;
        }
        let (name, op, around) =
            (self.sema.var_text(outer.var), outer.by.spelling(), self.around(outer_index));
        let advice = match implied {
            true => format!(
                "add `reduction({op}:{name})`; until then the loop is treated as if it had the clause"
            ),
            false => format!("add `reduction({op}:{name})`"),
        };
        self.sema.emit(
            Diagnostic::warning(
                ids::NESTED_REDUCTION_MISSING,
                span,
                format!("nested loop in a reduction needs a `reduction` clause for `{name}`"),
            )
            .related(outer.span, format!("`{name}` is reduced by {around}"))
            .note(advice),
        );
    }

    /// An expression that may be an assignment, and how it accumulates.
    fn write(&mut self, expr: &Expr, op: Option<ReductionOp>) {
        let (ExprKind::Assign(target, _)
        | ExprKind::AssignOp { target, .. }
        | ExprKind::IncDec { target, .. }) = &expr.kind
        else {
            return;
        };
        let Some(var) = root_var(target) else { return };
        let whole = matches!(target.kind, ExprKind::Var(_));
        if whole {
            self.check_counter(var, expr.span);
            self.check_bounds(var, expr.span);
        }
        self.record(Write { var, op, whole, span: expr.span });
    }

    /// A write to a variable belongs to every loop around it that shares the variable between iterations.
    fn record(&mut self, write: Write) {
        for frame in self.frames.iter_mut().rev() {
            if frame.construct || frame.hides(write.var) {
                return;
            }
            frame.writes.push(write);
        }
    }

    /// Reports what a loop's iterations update without protection. Returns the clauses that are carried
    /// inward to it.
    fn finish_loop(&mut self) -> Vec<ReductionItem> {
        let Some(index) = self.frames.len().checked_sub(1) else { return Vec::new() };
        let writes = std::mem::take(&mut self.frames[index].writes);
        if self.frames[index].parallel {
            for write in &writes {
                self.unprotected(index, write, &writes);
            }
        }
        self.frames.pop().map_or_else(Vec::new, |frame| frame.implied)
    }

    fn unprotected(&mut self, index: usize, write: &Write, all: &[Write]) {
        let var = write.var;
        let frame = &self.frames[index];
        if frame.reduces(var).is_some() || frame.warned.contains(&var) {
            return;
        }
        let mut around = (0..index).rev().take_while(|&outer| !self.frames[outer].hides(var));
        let outer = around.find_map(|outer| Some((outer, self.frames[outer].reduces(var)?.clone())));
        let mut others = all.iter().filter(|other| other.var == var);
        if let Some((outer_index, outer)) = outer {
            let agrees = match self.is_openmp {
                // The threads of a team share its copy: one of them may assign to it, and each to elements of
                // its own.
                true => {
                    others.all(|other| other.whole && other.op.is_some_and(|op| outer.by.is_operator(op)))
                }
                false => others.all(|other| other.op.is_none_or(|op| outer.by.is_operator(op))),
            };
            if agrees || !self.is_openmp {
                self.nested_missing(index, &outer, outer_index, agrees);
            }
        } else if let (Some(op), true) = (write.op, write.whole)
            && !others.any(|other| other.whole && other.op.is_none())
            // Every gang has its own.
            && !(frame.gangs_only && self.frames.iter().any(|f| f.construct && f.hides(var)))
        {
            let is_one = all.iter().filter(|other| other.var == var).all(|other| other.op == Some(op));
            self.missing(index, (var, op), is_one, write.span);
        }
    }

    /// A loop accumulates in a variable, and no clause says so. In `kernels`, where the compiler finds such
    /// loops by itself if nobody calls them independent, and where the variable belongs to an iteration
    /// around or to the gang, no other meaning makes sense than that of the clause.
    /// `is_one`: by the same operator everywhere.
    fn missing(&mut self, index: usize, (var, op): (VarId, ReductionOp), is_one: bool, span: Span) {
        let copies = self.copies(index, var);
        let frame = &mut self.frames[index];
        frame.warned.push(var);
        let is_read = frame.read.contains(&var);
        let may_be_implied = match copies {
            Copies::Shared => self.compute == Some(ConstructKind::Kernels),
            Copies::Iteration => true,
            Copies::Private => frame.within_gangs,
            Copies::FirstPrivate | Copies::Implicit => false,
        };
        let implied = may_be_implied && is_one && !is_read && self.sema.session.options.implied_reductions;
        let place = frame.span;
        if implied {
            frame.implied.push(ReductionItem {
                by: Combining::Operator(op),
                var,
                section: None,
                span: place,
            });
        }
        let (name, op) = (self.sema.var_text(var), op.spelling());
        let (whose, rule) = match self.is_openmp {
            true => ("team", "OpenMP 5.2, section 5.1.1"),
            false => ("gang", "OpenACC 3.3, section 2.6.2"),
        };
        let what = match copies {
            Copies::Shared => format!("the shared variable `{name}` at the same time"),
            Copies::Iteration => {
                format!("the `{name}` of an iteration of the loop around at the same time")
            }
            Copies::Private => format!("the {whose}'s copy of `{name}` at the same time"),
            Copies::FirstPrivate | Copies::Implicit => format!(
                "the {whose}'s copy of `{name}` at the same time, which is lost behind the construct: `{name}` is `firstprivate`"
            ),
        };
        let message = match implied {
            true => format!("this loop accumulates in `{name}` and needs a `reduction` clause for it"),
            false => format!("iterations of this loop update {what}"),
        };
        let advice = match (implied, is_read) {
            (true, _) => format!(
                "add `reduction({op}:{name})`; until then the loop is treated as if it had the clause"
            ),
            (false, false) => format!("add `reduction({op}:{name})` to the loop"),
            (false, true) => format!(
                "`{name}` is also read in the loop, which no `reduction` clause allows: `atomic capture` gives each iteration a value of its own, in any order; else the loop is sequential"
            ),
        };
        let mut diagnostic = Diagnostic::warning(ids::MISSING_REDUCTION, place, message)
            .related(span, format!("`{name}` is updated here"))
            .note(advice);
        if copies == Copies::Implicit {
            diagnostic = diagnostic.note(format!(
                "`{name}` is a scalar that no clause of the construct names, and so `firstprivate` ({rule})"
            ));
        }
        self.sema.emit(diagnostic);
    }

    /// Whose a variable is that a loop updates. What no clause says is about to be determined, and follows
    /// from the same.
    fn copies(&self, index: usize, var: VarId) -> Copies {
        if let Some(owner) = self.frames[..index].iter().rposition(|frame| frame.hides(var)) {
            return match self.frames[..=owner].iter().any(|frame| frame.parallel) {
                true => Copies::Iteration,
                false => Copies::Private,
            };
        }
        let object = &self.sema.vars[var.0 as usize];
        let Some(kind) = self.compute else {
            return match object.storage {
                Storage::Auto | Storage::Param(_) => Copies::Private,
                _ => Copies::Shared,
            };
        };
        let [mapped, firstprivate] = &self.named;
        if firstprivate.contains(&var) {
            return Copies::FirstPrivate;
        }
        let is_scalar = self.sema.types.is_scalar(object.ty.ty);
        match kind {
            ConstructKind::Kernels | ConstructKind::Team | ConstructKind::Task => Copies::Shared,
            _ if !is_scalar || mapped.contains(&var) || self.sema.is_named_outside(var) => Copies::Shared,
            ConstructKind::Parallel | ConstructKind::Serial => Copies::Implicit,
        }
    }

    /// The value of a variable is used. It is the same for loops around as far as they share the variable.
    fn note_read(&mut self, var: VarId) {
        if self.accumulating.contains(&var) {
            return;
        }
        for frame in self.frames.iter_mut().rev() {
            if frame.construct || frame.hides(var) {
                return;
            }
            frame.read.insert(var);
        }
    }

    fn frame(&self, l: &LoopConstruct) -> Frame {
        let counters: Vec<VarId> = l.loops.iter().map(|c| c.var).collect();
        let mut private = l.private.clone();
        private.extend(&counters);
        let bounds = l.loops.iter().flat_map(|c| [&c.bound, &c.step]).flat_map(variables);
        Frame {
            span: l.span,
            parallel: self.is_parallel(l),
            construct: false,
            gangs_only: l.gang.is_some() && l.worker.is_none() && l.vector.is_none(),
            within_gangs: l.gang.is_none() && (l.worker.is_some() || l.vector.is_some()),
            reductions: l.reductions.clone(),
            private,
            counters,
            bounds: bounds.map(|(var, _)| var).collect(),
            own: FxHashSet::default(),
            read: FxHashSet::default(),
            writes: Vec::new(),
            implied: Vec::new(),
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

    /// A variable changes that a bound of a loop around the place names: the loop has been counted already.
    fn check_bounds(&mut self, var: VarId, span: Span) {
        for index in (0..self.frames.len()).rev() {
            let frame = &mut self.frames[index];
            if frame.construct || frame.hides(var) {
                return;
            }
            if frame.bounds.contains(&var) && !frame.warned.contains(&var) {
                frame.warned.push(var);
                let (loop_, name) = (frame.span, self.sema.var_text(var));
                self.sema.emit(
                    Diagnostic::warning(
                        ids::LOOP_BOUND_CHANGED,
                        span,
                        format!("`{name}` bounds a loop around this, which does not run more or less often for the change"),
                    )
                    .related(loop_, "the loop")
                    .note("the iterations of a loop with a directive are counted before the first one"),
                );
            }
        }
    }
}

impl VisitMut for Walk<'_, '_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Loop(l) => {
                self.compare_reductions(&l.reductions);
                let frame = self.frame(l);
                self.frames.push(frame);
                walk_loop_mut(self, l);
                l.reductions.append(&mut self.finish_loop());
            }
            StmtKind::Atomic(atomic) => {
                if let Atomic::Write { x, .. }
                | Atomic::Update { x, .. }
                | Atomic::Exchange { x, .. }
                | Atomic::Compare(AtomicCompare { x, .. }) = &**atomic
                    && let ExprKind::Var(var) = x.kind
                {
                    self.check_bounds(var, x.span);
                }
            }
            StmtKind::Declare(var, _) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.own.insert(*var);
                }
                walk_stmt_mut(self, stmt);
            }
            StmtKind::Expr(_) => {
                self.is_statement = true;
                walk_stmt_mut(self, stmt);
                self.is_statement = false;
            }
            StmtKind::If(condition, then, None) if !self.frames.is_empty() => {
                match guarded_extremum(condition, then) {
                    Some((assignment, op)) => self.write(assignment, Some(op)),
                    None => walk_stmt_mut(self, stmt),
                }
            }
            _ => walk_stmt_mut(self, stmt),
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        if self.frames.is_empty() {
            return;
        }
        let is_statement = std::mem::take(&mut self.is_statement);
        let op = accumulation(expr);
        self.write(expr, op);
        match &expr.kind {
            ExprKind::Var(var) => self.note_read(*var),
            ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::IncDec { target, .. }
                if is_statement && op.is_some() =>
            {
                if let ExprKind::Var(var) = target.kind {
                    self.accumulating.push(var);
                    walk_expr_mut(self, expr);
                    self.accumulating.pop();
                    return;
                }
            }
            // What it sets, it does not read.
            ExprKind::Assign(target, _) if matches!(target.kind, ExprKind::Var(_)) => {
                if let ExprKind::Assign(_, value) = &mut expr.kind {
                    self.expr(value);
                }
                return;
            }
            _ => {}
        }
        walk_expr_mut(self, expr);
    }
}
