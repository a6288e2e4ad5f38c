//! Warns of loops whose bound is a scalar that the host has changed since it was copied to the device: the
//! device has the value from before.
//!
//! ```text
//! #pragma acc data copyin(n) copy(a[0:n])
//! {
//!     n = n / 2;
//! #pragma acc parallel loop present(n)
//!     for (int i = 0; i < n; i++)             all of a, not half of it
//!         a[i] = 0;
//! }
//! ```
//!
//! The code of a function is walked in the order of execution. A scalar is followed from the directive that
//! maps it as long as all ways have passed that; where ways meet, an assignment on one of them counts, unless
//! another one has updated the device. What is not certain is silent: functions with labels, objects whose
//! address is taken, static ones behind a call, and whatever a `switch` contains.

use super::ids;
use super::temporaries::Addressed;
use super::visit::{Visit, root_var, walk_expr, walk_stmt};
use crate::diag::Diagnostic;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{DataKind, MapKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Loops around one in which scalars are followed: its body is walked twice for each of them.
const DEEPEST: usize = 8;

/// How the device's copy of a scalar compares with the host's.
#[derive(Clone, Copy)]
enum Value {
    /// Nothing has changed the host's since it was mapped.
    Mapped,
    /// The host has assigned its own, here.
    Stale(Span),
    /// A directive has copied one to the other, at least on some way.
    Updated,
}

/// A scalar that is on the device.
#[derive(Clone, Copy)]
struct OnDevice {
    /// The item that mapped it.
    clause: Span,
    value: Value,
}

/// The scalars that are on the device; `None` where control does not come.
type State = Option<FxHashMap<VarId, OnDevice>>;

/// States at jumps out of the body of a loop, or to its end.
#[derive(Default)]
struct Jumps {
    breaks: State,
    continues: State,
}

/// A bound that the device reads.
struct StaleBound {
    var: VarId,
    bound: Span,
    clause: Span,
    assignment: Span,
}

struct Walk<'a> {
    sema: &'a Sema<'a>,
    /// Scalars that code elsewhere may change, or bring to the device.
    addressed: FxHashSet<VarId>,
    state: State,
    loops: Vec<Jumps>,
    found: Vec<StaleBound>,
}

impl Sema<'_> {
    /// Looks at the constructs of a function.
    pub(super) fn warn_stale_bounds(&mut self, body: &FunctionBody) {
        if !body.labels.is_empty() {
            return;
        }
        let mut addressed = Addressed::default();
        body.body.iter().for_each(|stmt| addressed.stmt(stmt));
        let mut walk = Walk {
            sema: self,
            addressed: addressed.0,
            state: Some(FxHashMap::default()),
            loops: Vec::new(),
            found: Vec::new(),
        };
        body.body.iter().for_each(|stmt| walk.stmt(stmt));
        for StaleBound { var, bound, clause, assignment } in walk.found {
            let (name, line) = (self.var_text(var), self.line_of(assignment));
            let message = format!(
                "on the device, the bound `{name}` has the value from before line {line}, where the host assigns it"
            );
            self.emit(
                Diagnostic::warning(ids::STALE_BOUND, bound, message)
                    .related(assignment, "the host changes its own copy here")
                    .related(clause, format!("`{name}` is on the device since here"))
                    .note(format!(
                        "write `#pragma acc update device({name})` behind the assignment, or leave `{name}` out of the \
                         data clauses: each construct then takes the value that it has there"
                    )),
            );
        }
    }
}

/// Where two ways meet.
fn join(a: State, b: State) -> State {
    let (mut a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => return a.or(b),
    };
    a.retain(|var, _| b.contains_key(var));
    for (var, here) in &mut a {
        here.value = match (here.value, b[var].value) {
            (Value::Updated, _) | (_, Value::Updated) => Value::Updated,
            (stale @ Value::Stale(_), _) | (_, stale @ Value::Stale(_)) => stale,
            (Value::Mapped, Value::Mapped) => Value::Mapped,
        };
    }
    Some(a)
}

/// Whether a place is the whole of a variable.
fn whole(place: &Expr) -> Option<VarId> {
    match place.kind {
        ExprKind::Var(var) => Some(var),
        _ => None,
    }
}

/// What a construct does with a scalar.
struct Inside {
    var: VarId,
    /// Loops compare with it, first here.
    bound: Option<Span>,
    /// It is assigned, or loops have their own.
    changes: bool,
}

impl Inside {
    fn bounded_by(&mut self, expr: &Expr) {
        let names = super::visit::variables(expr);
        let first = names.into_iter().find(|(var, _)| *var == self.var);
        self.bound = self.bound.or(first.map(|(_, span)| span));
    }
}

impl Visit for Inside {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::While(condition, _)
            | StmtKind::DoWhile(_, condition)
            | StmtKind::For { condition: Some(condition), .. } => self.bounded_by(condition),
            StmtKind::Loop(l) => {
                l.loops.iter().for_each(|one| self.bounded_by(&one.bound));
                self.changes |= l.private.contains(&self.var);
            }
            // Its lvalues are assigned in a way of their own.
            StmtKind::Atomic(_) => self.changes = true,
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Assign(target, _)
        | ExprKind::AssignOp { target, .. }
        | ExprKind::IncDec { target, .. } = &expr.kind
        {
            self.changes |= root_var(target) == Some(self.var);
        }
        walk_expr(self, expr);
    }
}

impl Walk<'_> {
    /// Whether what happens to a variable is seen here.
    fn follows(&self, var: VarId) -> bool {
        let data = &self.sema.vars[var.0 as usize];
        let is_plain = data.declare.is_none() && !data.ty.quals.volatile;
        is_plain && self.sema.types.is_integer(data.ty.ty) && !self.addressed.contains(&var)
    }

    fn set(&mut self, var: VarId, value: Value) {
        if let Some(here) = self.state.as_mut().and_then(|state| state.get_mut(&var)) {
            here.value = value;
        }
    }

    fn forget(&mut self, forgotten: impl Fn(&Sema<'_>, VarId) -> bool) {
        if let Some(state) = &mut self.state {
            state.retain(|&var, _| !forgotten(self.sema, var));
        }
    }

    /// A data directive begins; the result is what it has mapped.
    fn map(&mut self, data: &[DataItem], scheduling: &Scheduling) -> Vec<VarId> {
        let mut mapped = Vec::new();
        for item in data {
            if item.modifiers.always_in {
                self.set(item.var, Value::Updated);
            }
            let copies = matches!(item.clause, MapKind::Copy | MapKind::CopyIn);
            let is_whole = matches!(&item.shape, DataShape::Object(object) if whole(object).is_some());
            let is_certain = copies && is_whole && scheduling.if_.is_none() && self.follows(item.var);
            if let Some(state) = &mut self.state
                && is_certain
                && !state.contains_key(&item.var)
            {
                state.insert(item.var, OnDevice { clause: item.span, value: Value::Mapped });
                mapped.push(item.var);
            }
        }
        mapped
    }

    fn data(&mut self, construct: &DataConstruct) {
        let mapped = self.map(&construct.data, &construct.scheduling);
        self.stmt(&construct.body);
        self.forget(|_, var| mapped.contains(&var));
        for item in construct.data.iter().filter(|item| item.modifiers.always_out) {
            self.set(item.var, Value::Updated);
        }
    }

    fn executable(&mut self, directive: &Executable) {
        let data = &directive.data;
        match directive.kind {
            DataKind::Enter => _ = self.map(data, &directive.scheduling),
            DataKind::Exit { .. } => self.forget(|_, var| data.iter().any(|item| item.var == var)),
            DataKind::Update { .. } => data.iter().for_each(|item| self.set(item.var, Value::Updated)),
            DataKind::Wait => {}
            _ => self.forget(|_, _| true),
        }
    }

    fn compute(&mut self, compute: &Compute) {
        let Some(state) = self.state.clone() else { return };
        let may_be_the_host = compute.scheduling.if_.is_some() || compute.scheduling.self_.is_some();
        // In the order of the clauses, so that messages have one.
        for item in &compute.data {
            let Some(OnDevice { clause, value }) = state.get(&item.var).copied() else { continue };
            let mut inside = Inside { var: item.var, bound: None, changes: false };
            inside.stmt(&compute.body);
            if inside.changes || item.modifiers.always_in || item.modifiers.always_out {
                self.forget(|_, var| var == item.var);
            } else if let (Value::Stale(assignment), Some(bound)) = (value, inside.bound)
                && !may_be_the_host
                && !self.found.iter().any(|found| found.bound == bound)
            {
                self.found.push(StaleBound { var: item.var, bound, clause, assignment });
            }
        }
    }

    /// A loop of the host: its body is walked again, with what an iteration leaves to the next one. Where no
    /// scalar is on the device, that is what it began with, and in very deep nests none is followed.
    fn host_loop(&mut self, before: Option<&Expr>, body: &Stmt, step: Option<&Expr>, behind: Option<&Expr>) {
        let endless = before.is_none() && behind.is_none();
        if self.loops.len() >= DEEPEST {
            self.forget(|_, _| true);
        }
        for is_again in [false, true] {
            let entry = self.state.clone();
            before.iter().for_each(|condition| self.expr(condition));
            let mut left = if behind.is_none() && !endless { self.state.clone() } else { None };
            self.loops.push(Jumps::default());
            self.stmt(body);
            let Jumps { breaks, continues } = self.loops.pop().unwrap_or_default();
            self.state = join(self.state.take(), continues);
            step.iter().chain(&behind).for_each(|e| self.expr(e));
            if behind.is_some() {
                left = self.state.clone();
            }
            let is_empty = |state: &State| state.as_ref().is_none_or(FxHashMap::is_empty);
            if is_again || is_empty(&entry) && is_empty(&self.state) {
                self.state = join(left, breaks);
                break;
            }
            self.state = join(entry, self.state.take());
        }
    }

    fn jump(&mut self, target: impl Fn(&mut Jumps) -> &mut State) {
        let state = self.state.take();
        if let Some(target) = self.loops.last_mut().map(target) {
            *target = join(target.take(), state);
        }
    }

    fn assigned(&mut self, target: &Expr, span: Span) {
        if let Some(var) = whole(target) {
            self.set(var, Value::Stale(span));
        }
    }

    /// Routines of OpenACC do what directives do. Another function may have directives for variables that it
    /// sees.
    fn called(&mut self, callee: &Expr) {
        let name = match super::later::called(callee) {
            Some(id) => self.sema.session.interner.text(self.sema.functions[id.0 as usize].name),
            None => "",
        };
        let is_runtime = name.starts_with("acc_") || name.starts_with("omp_");
        self.forget(|sema, var| {
            let storage = &sema.vars[var.0 as usize].storage;
            is_runtime || !matches!(storage, Storage::Auto)
        });
    }
}

impl Visit for Walk<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if self.state.is_none() {
            return;
        }
        match &stmt.kind {
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let before = self.state.clone();
                self.stmt(then);
                let after = std::mem::replace(&mut self.state, before);
                otherwise.iter().for_each(|stmt| self.stmt(stmt));
                self.state = join(after, self.state.take());
            }
            StmtKind::While(condition, body) => self.host_loop(Some(condition), body, None, None),
            StmtKind::DoWhile(body, condition) => self.host_loop(None, body, None, Some(condition)),
            StmtKind::For { init, condition, step, body, .. } => {
                init.iter().for_each(|stmt| self.stmt(stmt));
                self.host_loop(condition.as_ref(), body, step.as_ref(), None);
            }
            StmtKind::Break => self.jump(|jumps| &mut jumps.breaks),
            StmtKind::Continue => self.jump(|jumps| &mut jumps.continues),
            StmtKind::Return(_) => {
                walk_stmt(self, stmt);
                self.state = None;
            }
            StmtKind::Declare(declared, _) => {
                walk_stmt(self, stmt);
                self.forget(|_, var| var == *declared);
            }
            StmtKind::Compute(compute) => self.compute(compute),
            StmtKind::Data(construct) => self.data(construct),
            StmtKind::Executable(directive) => self.executable(directive),
            StmtKind::Switch { .. } | StmtKind::Loop(_) | StmtKind::Atomic(_) => self.forget(|_, _| true),
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        walk_expr(self, expr);
        match &expr.kind {
            ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::IncDec { target, .. } => self.assigned(target, expr.span),
            ExprKind::Call { callee, .. } => self.called(callee),
            _ => {}
        }
    }
}
