//! Scalars that the iterations of an `independent` loop in `kernels` use as temporaries.
//!
//! By their implicit attribute, `copy`, all iterations would share one copy of them, which contradicts what the programmer
//! says of the loop. Where every iteration writes such a scalar before it reads it, and nobody reads it behind the loop, the
//! copies that the threads need are the ones that a `private` clause would give.

use super::visit::{Visit, VisitMut, walk_expr, walk_stmt, walk_stmt_mut};
use crate::ctype::TypeTable;
use crate::directive::DataClause;
use crate::typed::*;
use accrue_ir::LoopKind;
use rustc_hash::FxHashSet;

/// Whether a clause that nobody wrote makes a scalar common to all iterations.
pub(super) fn is_candidate(types: &TypeTable, vars: &[Var], item: &DataItem) -> bool {
    let DataShape::Object(base) = &item.shape else { return false };
    let object = &vars[item.var.0 as usize];
    item.implicit
        && item.clause == DataClause::Copy
        && matches!(base.kind, ExprKind::Var(_))
        && matches!(object.storage, Storage::Auto | Storage::Param(_))
        && !object.ty.quals.volatile
        && types.is_arithmetic(object.ty.ty)
}

/// Makes temporaries of a `kernels` construct private to its independent loops. `read_later` are the variables that the
/// host reads behind the construct, `addressed` those whose address is taken.
pub(super) fn privatise(
    types: &TypeTable,
    vars: &[Var],
    compute: &mut Compute,
    read_later: &FxHashSet<VarId>,
    addressed: &FxHashSet<VarId>,
) {
    if compute.kind != ComputeKind::Kernels {
        return;
    }
    let candidates: Vec<VarId> = compute
        .data
        .iter()
        .filter(|item| is_candidate(types, vars, item))
        .map(|item| item.var)
        .filter(|var| !read_later.contains(var) && !addressed.contains(var))
        .collect();
    let mut found: FxHashSet<VarId> = FxHashSet::default();
    for var in candidates {
        let mut uses = Uses { var, is_temporary: true, written: false };
        uses.stmt(&compute.body);
        if uses.is_temporary && uses.written {
            found.insert(var);
        }
    }
    if !found.is_empty() {
        compute.data.retain(|item| !(item.implicit && found.contains(&item.var)));
        Loops(&found).stmt(&mut compute.body);
    }
}

/// Whether all uses of a variable are those of a temporary of independent loops.
struct Uses {
    var: VarId,
    is_temporary: bool,
    written: bool,
}

impl Visit for Uses {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Loop(l) if l.kind == LoopKind::Independent && !l.loops.is_empty() => {
                let mut bounds = Order::of(self.var);
                for canonical in &l.loops {
                    for e in [&canonical.init, &canonical.bound, &canonical.step] {
                        bounds.expr(e);
                    }
                }
                if bounds.state != State::Untouched || l.reductions.iter().any(|item| item.var == self.var) {
                    self.is_temporary = false;
                }
                if l.private.contains(&self.var) {
                    return;
                }
                let mut order = Order::of(self.var);
                l.between.iter().flatten().for_each(|stmt| order.stmt(stmt));
                order.stmt(&l.body);
                self.is_temporary &= order.state != State::Read;
                self.written |= order.state != State::Untouched;
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Var(var) = expr.kind {
            self.is_temporary &= var != self.var;
        }
        walk_expr(self, expr);
    }
}

/// What an iteration has done with a variable so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Untouched,
    /// Written on some ways.
    Maybe,
    /// Written on all ways.
    Written,
    /// Read, or otherwise used, where it may not have been written.
    Read,
}

/// Looks at statements in the order in which they are executed.
struct Order {
    var: VarId,
    state: State,
}

impl Order {
    fn of(var: VarId) -> Order {
        Order { var, state: State::Untouched }
    }

    fn read(&mut self) {
        if self.state != State::Written {
            self.state = State::Read;
        }
    }

    /// Something that may be executed once, several times, or not at all.
    fn perhaps(&mut self, look: impl FnOnce(&mut Self)) {
        let before = self.state;
        look(self);
        if self.state == State::Written && before != State::Written {
            self.state = State::Maybe;
        }
    }
}

impl Visit for Order {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let before = self.state;
                self.stmt(then);
                let then = std::mem::replace(&mut self.state, before);
                otherwise.iter().for_each(|stmt| self.stmt(stmt));
                self.state = match (then, self.state) {
                    (State::Read, _) | (_, State::Read) => State::Read,
                    (a, b) if a == b => a,
                    _ => State::Maybe,
                };
            }
            StmtKind::For { init, condition, step, body, canonical: _ } => {
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
                if l.private.contains(&self.var) {
                    return;
                }
                for canonical in &l.loops {
                    for e in [&canonical.init, &canonical.bound, &canonical.step] {
                        self.expr(e);
                    }
                }
                if l.reductions.iter().any(|item| item.var == self.var) {
                    self.read();
                }
                self.perhaps(|order| {
                    l.between.iter().flatten().for_each(|stmt| order.stmt(stmt));
                    order.stmt(&l.body);
                });
            }
            // Where jumps decide what is executed, any use counts as a read; `continue` and `break` only leave out what
            // follows.
            StmtKind::Switch { .. }
            | StmtKind::DoWhile(..)
            | StmtKind::Label(..)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Atomic(_)
            | StmtKind::Cleanup(_) => {
                let mut mentions = Mentions { var: self.var, found: false };
                mentions.stmt(stmt);
                if mentions.found {
                    self.read();
                }
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assign(place, value) if matches!(place.kind, ExprKind::Var(var) if var == self.var) => {
                self.expr(value);
                if self.state != State::Read {
                    self.state = State::Written;
                }
            }
            ExprKind::Var(var) if *var == self.var => self.read(),
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

/// Whether a statement names a variable.
struct Mentions {
    var: VarId,
    found: bool,
}

impl Visit for Mentions {
    fn expr(&mut self, expr: &Expr) {
        self.found |= matches!(expr.kind, ExprKind::Var(var) if var == self.var);
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
