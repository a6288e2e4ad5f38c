//! Scalars that the iterations of an `independent` loop in `kernels` use as temporaries.
//!
//! By their implicit attribute, `copy`, all iterations would share one copy of them, which contradicts what
//! the programmer says of the loop. Where every iteration writes such a scalar before it reads it, and nobody
//! reads it behind the loop, the copies that the threads need are the ones that a `private` clause would
//! give.

use super::visit::{Visit, VisitMut, walk_expr, walk_stmt, walk_stmt_mut};
use crate::ctype::TypeTable;
use crate::typed::*;
use accrue_ir::{ConstructKind, LoopKind, MapKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether a clause that nobody wrote makes a scalar common to all iterations.
pub(super) fn is_candidate(types: &TypeTable, vars: &[Var], item: &DataItem) -> bool {
    let DataShape::Object(base) = &item.shape else { return false };
    let object = &vars[item.var.0 as usize];
    item.implicit
        && item.clause == MapKind::Copy
        && matches!(base.kind, ExprKind::Var(_))
        && matches!(object.storage, Storage::Auto | Storage::Param(_))
        && !object.ty.quals.volatile
        && types.is_arithmetic(object.ty.ty)
}

/// Makes temporaries of a `kernels` construct private to its independent loops. `read_later` are the
/// variables that the host reads behind the construct, `addressed` those whose address is taken.
pub(super) fn privatise(
    types: &TypeTable,
    vars: &[Var],
    compute: &mut Compute,
    read_later: &FxHashSet<VarId>,
    addressed: &FxHashSet<VarId>,
) {
    if compute.kind != ConstructKind::Kernels {
        return;
    }
    let candidates: FxHashSet<VarId> = compute
        .data
        .iter()
        .filter(|item| is_candidate(types, vars, item))
        .map(|item| item.var)
        .filter(|var| !read_later.contains(var) && !addressed.contains(var))
        .collect();
    if candidates.is_empty() {
        return;
    }
    let mut uses = Uses { order: Order::new(candidates), written: FxHashSet::default() };
    uses.stmt(&compute.body);
    let Uses { order, mut written } = uses;
    written.retain(|var| order.candidates.contains(var));
    if !written.is_empty() {
        compute.data.retain(|item| !(item.implicit && written.contains(&item.var)));
        Loops(&written).stmt(&mut compute.body);
    }
}

/// Finds the candidates all of whose uses are those of a temporary of independent loops. Each statement is
/// looked at once, whatever the number of variables.
struct Uses {
    order: Order,
    written: FxHashSet<VarId>,
}

impl Visit for Uses {
    fn stmt(&mut self, stmt: &Stmt) {
        let StmtKind::Loop(l) = &stmt.kind else {
            walk_stmt(self, stmt);
            return;
        };
        if l.kind != LoopKind::Independent || l.loops.is_empty() {
            walk_stmt(self, stmt);
            return;
        }
        for canonical in &l.loops {
            for e in [&canonical.init, &canonical.bound, &canonical.step] {
                self.expr(e);
            }
        }
        for item in &l.reductions {
            self.order.candidates.remove(&item.var);
        }
        let order = &mut self.order;
        order.body(l);
        self.written.extend(order.states.drain().map(|(var, _)| var));
        order.changes.clear();
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Var(var) = expr.kind {
            self.order.candidates.remove(&var);
        }
        walk_expr(self, expr);
    }
}

/// What an iteration has done with a variable so far; nothing, if there is no entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Written on some ways.
    Maybe,
    /// Written on all ways.
    Written,
}

/// Looks at statements in the order in which they are executed. A variable that is read, or otherwise used,
/// where it may not have been written is no candidate any more.
struct Order {
    candidates: FxHashSet<VarId>,
    states: FxHashMap<VarId, State>,
    /// States that were changed, and what they were before.
    changes: Vec<(VarId, Option<State>)>,
    /// How many of the loops around have a private copy of a variable.
    hidden: FxHashMap<VarId, u32>,
}

impl Order {
    fn new(candidates: FxHashSet<VarId>) -> Order {
        let (states, hidden) = (FxHashMap::default(), FxHashMap::default());
        Order { candidates, states, changes: Vec::new(), hidden }
    }

    fn is_tracked(&self, var: VarId) -> bool {
        self.candidates.contains(&var) && self.hidden.get(&var).is_none_or(|&count| count == 0)
    }

    fn set(&mut self, var: VarId, state: Option<State>) {
        let old = match state {
            Some(state) => self.states.insert(var, state),
            None => self.states.remove(&var),
        };
        self.changes.push((var, old));
    }

    fn read(&mut self, var: VarId) {
        if self.is_tracked(var) && self.states.get(&var) != Some(&State::Written) {
            self.candidates.remove(&var);
        }
    }

    /// The variables changed since a point, with their states then.
    fn changed_since(&self, point: usize) -> FxHashMap<VarId, Option<State>> {
        let mut before = FxHashMap::default();
        for &(var, old) in &self.changes[point..] {
            before.entry(var).or_insert(old);
        }
        before
    }

    /// Something that may be executed once, several times, or not at all.
    fn perhaps(&mut self, look: impl FnOnce(&mut Self)) {
        let point = self.changes.len();
        look(self);
        for (var, before) in self.changed_since(point) {
            if before != Some(State::Written) {
                self.states.insert(var, State::Maybe);
            }
        }
    }

    /// One of two things.
    fn either(&mut self, then: &Stmt, otherwise: Option<&Stmt>) {
        let point = self.changes.len();
        self.stmt(then);
        let first = self.changed_since(point);
        let after: Vec<(VarId, Option<State>)> =
            first.keys().map(|var| (*var, self.states.get(var).copied())).collect();
        for (&var, &before) in &first {
            self.set(var, before);
        }
        otherwise.into_iter().for_each(|stmt| self.stmt(stmt));
        let after: FxHashMap<VarId, Option<State>> = after.into_iter().collect();
        for (var, before) in self.changed_since(point) {
            let (a, b) = (after.get(&var).copied().unwrap_or(before), self.states.get(&var).copied());
            if a != b {
                self.states.insert(var, State::Maybe);
            }
        }
    }

    /// The body of a loop construct, with its private variables out of sight.
    fn body(&mut self, l: &LoopConstruct) {
        for var in &l.private {
            *self.hidden.entry(*var).or_default() += 1;
        }
        l.between.iter().flatten().for_each(|stmt| self.stmt(stmt));
        self.stmt(&l.body);
        for var in &l.private {
            *self.hidden.entry(*var).or_default() -= 1;
        }
    }
}

impl Visit for Order {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.either(then, otherwise.as_deref());
            }
            StmtKind::For { init, condition, step, body, .. } => {
                init.iter().for_each(|stmt| self.stmt(stmt));
                condition.iter().for_each(|e| self.expr(e));
                self.perhaps(|order| {
                    order.stmt(body);
                    step.iter().for_each(|e| order.expr(e));
                });
            }
            StmtKind::While(condition, body) => {
                self.expr(condition);
                self.perhaps(|order| order.stmt(body));
            }
            StmtKind::Loop(l) => {
                for canonical in &l.loops {
                    for e in [&canonical.init, &canonical.bound, &canonical.step] {
                        self.expr(e);
                    }
                }
                l.reductions.iter().for_each(|item| self.read(item.var));
                self.perhaps(|order| order.body(l));
            }
            // Where jumps decide what is executed, any use counts as a read; `continue` and `break` only
            // leave out what follows.
            StmtKind::Switch { .. }
            | StmtKind::DoWhile(..)
            | StmtKind::Label(..)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Atomic(_)
            | StmtKind::Cleanup(_) => Mentions(self).stmt(stmt),
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assign(place, value) if matches!(place.kind, ExprKind::Var(_)) => {
                self.expr(value);
                if let ExprKind::Var(var) = place.kind
                    && self.is_tracked(var)
                {
                    self.set(var, Some(State::Written));
                }
            }
            ExprKind::Var(var) => self.read(*var),
            ExprKind::Conditional(condition, a, b) => {
                self.expr(condition);
                self.perhaps(|order| order.expr(a));
                self.perhaps(|order| order.expr(b));
            }
            ExprKind::Binary(crate::ast::BinaryOp::LogAnd | crate::ast::BinaryOp::LogOr, a, b) => {
                self.expr(a);
                self.perhaps(|order| order.expr(b));
            }
            _ => walk_expr(self, expr),
        }
    }
}

/// Takes every mention of a variable for a read.
struct Mentions<'a>(&'a mut Order);

impl Visit for Mentions<'_> {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Var(var) = expr.kind {
            self.0.read(var);
        }
        walk_expr(self, expr);
    }
}

/// Adds the variables to the private ones of the outermost independent loops.
struct Loops<'a>(&'a FxHashSet<VarId>);

impl VisitMut for Loops<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Loop(l) if l.kind == LoopKind::Independent && !l.loops.is_empty() => {
                let mut new: Vec<VarId> =
                    self.0.iter().copied().filter(|var| !l.private.contains(var)).collect();
                // A set has no order of its own.
                new.sort_unstable_by_key(|var| var.0);
                l.private.extend(new);
            }
            _ => walk_stmt_mut(self, stmt),
        }
    }
}

/// The variables whose address a function takes.
#[derive(Default)]
pub(super) struct Addressed(pub(super) FxHashSet<VarId>);

impl Visit for Addressed {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::AddrOf(inner) = &expr.kind
            && let ExprKind::Var(var) = inner.kind
        {
            self.0.insert(var);
        }
        walk_expr(self, expr);
    }
}
