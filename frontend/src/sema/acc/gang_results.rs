//! Warns of values that depend on the number of gangs: gangs do not wait for each other inside of a
//! `parallel` construct, so that what they reduce is complete behind it, and what every gang executes is done
//! as often as there are gangs.
//!
//! ```text
//! #pragma acc parallel num_gangs(4) copy(a, b, out)
//! {
//! #pragma acc loop gang reduction(+:a)
//!     for (i ...) a += i;
//!     out = a;                                other gangs may not have added their part
//! #pragma acc loop worker reduction(+:b)      four gangs add the sum
//!     for (i ...) b += i;
//! }
//! ```
//!
//! What gangs reduce in a variable of which each has its own never becomes one result.

use super::levels::{bits, explicit};
use super::visit::{Visit, root_var, walk_expr, walk_loop, walk_stmt};
use super::{accumulation::accumulation, ids};
use crate::diag::Diagnostic;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, LoopKind};
use rustc_hash::FxHashSet;

const GANGS: u8 = bits::GANG | bits::GANG2 | bits::GANG3;

/// What a construct says about its gangs.
#[derive(Default)]
struct Facts {
    /// A loop is shared by gangs.
    gang_loop: bool,
    /// The code asks which gang executes it: its author knows that there are several.
    asks: bool,
    /// A loop has a reduction, without which there are no results of gangs.
    reduces: bool,
}

impl Visit for Facts {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Loop(l) = &stmt.kind {
            let levels = explicit(l);
            self.gang_loop |= levels & GANGS != 0 || levels == 0 && is_parallel(l);
            self.reduces |= !l.reductions.is_empty();
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        self.asks |= matches!(expr.kind, ExprKind::Builtin(Builtin::ParlevelId | Builtin::ParlevelSize, _));
        walk_expr(self, expr);
    }
}

/// The variables that a construct mentions, but for assignments to them and for the loops that reduce them.
#[derive(Default)]
struct Mentions {
    vars: FxHashSet<VarId>,
    /// What the loops around the place being looked at reduce.
    reduced: Vec<VarId>,
}

impl Visit for Mentions {
    fn stmt(&mut self, stmt: &Stmt) {
        let before = self.reduced.len();
        if let StmtKind::Loop(l) = &stmt.kind {
            self.reduced.extend(l.reductions.iter().map(|item| item.var));
        }
        walk_stmt(self, stmt);
        self.reduced.truncate(before);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) if !self.reduced.contains(var) => _ = self.vars.insert(*var),
            ExprKind::Assign(target, value) if matches!(target.kind, ExprKind::Var(_)) => self.expr(value),
            _ => walk_expr(self, expr),
        }
    }
}

/// Whether the iterations of a loop in `parallel` are shared between threads.
fn is_parallel(l: &LoopConstruct) -> bool {
    !matches!(l.kind, LoopKind::Seq | LoopKind::Auto)
}

/// A variable to which gangs have contributed, but perhaps not all.
struct Partial {
    var: VarId,
    by: Combining,
    /// The clause.
    span: Span,
}

/// A loop around the place being looked at.
struct Around {
    gangs: bool,
    reduced: Vec<VarId>,
    private: Vec<VarId>,
}

struct Walk<'a, 's> {
    sema: &'a mut Sema<'s>,
    compute: &'a Compute,
    /// More than one gang executes what no loop shares between gangs.
    redundant: bool,
    /// Declared in the construct.
    own: FxHashSet<VarId>,
    loops: Vec<Around>,
    partial: Vec<Partial>,
    /// What gangs reduce in variables of which each has its own.
    own_results: Vec<(VarId, Span)>,
    warned: FxHashSet<VarId>,
}

impl Sema<'_> {
    /// Looks at the `parallel` constructs of a function.
    pub(super) fn warn_gang_results(&mut self, body: &FunctionBody) {
        struct Constructs<'a, 's>(&'a mut Sema<'s>);
        impl Visit for Constructs<'_, '_> {
            fn stmt(&mut self, stmt: &Stmt) {
                if let StmtKind::Compute(compute) = &stmt.kind {
                    self.0.gang_results(compute);
                }
                walk_stmt(self, stmt);
            }
        }
        let mut constructs = Constructs(self);
        body.body.iter().for_each(|stmt| constructs.stmt(stmt));
    }

    fn gang_results(&mut self, compute: &Compute) {
        let sizes = &compute.dims.num_gangs;
        let is_one = !sizes.is_empty() && sizes.iter().all(|size| self.const_int(size) == Some(1));
        // In `kernels`, gangs wait for each other between loops.
        if compute.kind != ConstructKind::Parallel || is_one {
            return;
        }
        let mut facts = Facts::default();
        facts.stmt(&compute.body);
        if facts.asks || !facts.reduces {
            return;
        }
        // Without a loop for them and without `num_gangs`, there is one gang.
        let redundant = facts.gang_loop || !sizes.is_empty();
        let mut walk = Walk {
            sema: self,
            compute,
            redundant,
            own: FxHashSet::default(),
            loops: Vec::new(),
            partial: Vec::new(),
            own_results: Vec::new(),
            warned: FxHashSet::default(),
        };
        walk.stmt(&compute.body);
        walk.lost();
    }
}

impl Walk<'_, '_> {
    /// Every gang has a variable of its own.
    fn is_private(&self, var: VarId) -> bool {
        self.own.contains(&var)
            || self.loops.iter().any(|around| around.private.contains(&var))
            || self.compute.private.contains(&var)
            || self.compute.firstprivate.contains(&var)
            || self.is_reduced(var)
    }

    /// The construct puts together what the gangs have.
    fn is_reduced(&self, var: VarId) -> bool {
        self.compute.reductions.iter().any(|item| item.var == var)
    }

    fn loop_(&mut self, l: &LoopConstruct) {
        let levels = explicit(l);
        // The compiler gives gangs the outermost loop that names no level.
        let gangs = levels & GANGS != 0 || levels == 0 && is_parallel(l) && self.loops.is_empty();
        if is_parallel(l) && !gangs && self.redundant && !self.loops.iter().any(|around| around.gangs) {
            l.reductions.iter().for_each(|item| self.redundantly(item));
        }
        if is_parallel(l) {
            let reduced = l.reductions.iter().map(|item| item.var).collect();
            self.loops.push(Around { gangs, reduced, private: l.private.clone() });
            walk_loop(self, l);
            self.loops.pop();
        } else {
            self.repeated(|walk| walk_loop(walk, l));
        }
        if gangs {
            let is_own = |item: &&ReductionItem| self.is_private(item.var) && !self.is_reduced(item.var);
            let own: Vec<&ReductionItem> = l.reductions.iter().filter(is_own).collect();
            self.own_results.extend(own.into_iter().map(|item| (item.var, item.span)));
            let partial =
                l.reductions.iter().map(|item| Partial { var: item.var, by: item.by, span: item.span });
            self.partial.extend(partial);
        }
    }

    /// A loop that is executed in order: what an iteration leaves, the next one meets.
    fn repeated(&mut self, mut walk: impl FnMut(&mut Self)) {
        let before = self.partial.len();
        walk(self);
        if self.partial.len() > before {
            walk(self);
        }
    }

    /// A reduction onto a shared variable that every gang executes.
    fn redundantly(&mut self, item: &ReductionItem) {
        let is_idempotent = matches!(item.by, Combining::Operator(op) if op.is_idempotent());
        if is_idempotent || self.is_private(item.var) || !self.warned.insert(item.var) {
            return;
        }
        let (name, op) = (self.sema.var_text(item.var), item.by.spelling());
        let message = format!(
            "every gang executes this loop: its result goes into `{name}` (`{op}`) once for each gang"
        );
        self.sema.emit(
            Diagnostic::warning(ids::REDUNDANT_GANG_REDUCTION, item.span, message)
                .related(self.compute.span, "the gangs are those of this construct")
                .note("add `gang` to the loop, or `num_gangs(1)` to the construct"),
        );
    }

    /// A place is read.
    fn read(&mut self, place: &Expr, span: Span) {
        let Some(var) = root_var(place) else { return };
        let is_pointer = matches!(place.kind, ExprKind::Var(_))
            && self.sema.types.is_pointer(self.sema.vars[var.0 as usize].ty.ty);
        let reduced = self.loops.iter().any(|around| around.reduced.contains(&var));
        let Some(partial) = self.partial.iter().find(|partial| partial.var == var) else { return };
        if is_pointer || reduced || !self.warned.insert(var) {
            return;
        }
        let (clause, name) = (partial.span, self.sema.var_text(var));
        let (message, advice) = match self.is_private(var) {
            true => (
                format!(
                    "each gang has its own `{name}`, in which the parts of the other gangs are missing here"
                ),
                "declare the variable outside of the construct, and use the result behind the construct",
            ),
            false => (
                format!(
                    "the parts of other gangs may be missing in `{name}` here: gangs do not wait for each other"
                ),
                "the result is complete behind the construct: end the construct here and begin another one",
            ),
        };
        self.sema.emit(
            Diagnostic::warning(ids::PARTIAL_GANG_RESULT, span, message)
                .related(clause, format!("gangs reduce `{name}` here"))
                .note(advice),
        );
    }

    /// Results that nothing reads.
    fn lost(&mut self) {
        if self.own_results.is_empty() {
            return;
        }
        let mut mentions = Mentions::default();
        mentions.stmt(&self.compute.body);
        for (var, span) in std::mem::take(&mut self.own_results) {
            if mentions.vars.contains(&var) || !self.warned.insert(var) {
                continue;
            }
            let name = self.sema.var_text(var);
            let advice = match self.own.contains(&var) {
                true => "declare the variable outside of the construct",
                false => "leave the variable out of the construct's `private` or `firstprivate` clause",
            };
            self.sema.emit(
                Diagnostic::warning(
                    ids::LOST_GANG_RESULT,
                    span,
                    format!("each gang has its own `{name}`, so that the result of this reduction is lost"),
                )
                .note(advice),
            );
        }
    }

    /// More of the same on a gang's own part is a part, too.
    fn contributes(&self, expr: &Expr) -> bool {
        let (ExprKind::AssignOp { target, .. }
        | ExprKind::IncDec { target, .. }
        | ExprKind::Assign(target, _)) = &expr.kind
        else {
            return false;
        };
        let Some(var) = root_var(target).filter(|&var| self.is_private(var)) else { return false };
        let Some(op) = accumulation(expr) else { return false };
        self.partial.iter().any(|partial| partial.var == var && partial.by.is_operator(op))
    }
}

impl Visit for Walk<'_, '_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Loop(l) => self.loop_(l),
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => {
                self.repeated(|walk| walk_stmt(walk, stmt));
            }
            // Gangs may put their parts together themselves.
            StmtKind::Atomic(_) => {}
            StmtKind::Declare(var, _) => {
                self.own.insert(*var);
                self.partial.retain(|partial| partial.var != *var);
                walk_stmt(self, stmt);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            _ if self.contributes(expr) => {}
            ExprKind::Load(place) => {
                self.read(place, expr.span);
                walk_expr(self, expr);
            }
            ExprKind::AssignOp { target, .. } | ExprKind::IncDec { target, .. } => {
                self.read(target, expr.span);
                walk_expr(self, expr);
            }
            ExprKind::Assign(target, _) => {
                walk_expr(self, expr);
                if let ExprKind::Var(var) = target.kind {
                    self.partial.retain(|partial| partial.var != var);
                }
            }
            _ => walk_expr(self, expr),
        }
    }
}
