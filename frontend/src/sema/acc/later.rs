//! What the host does with an object after a construct: whether it reads it before it writes it. Results of
//! `create` that stay on the device are lost only for somebody who wants them, temporaries of loops have no
//! value behind them, and a pointer that a device assigns, or a scalar that is `firstprivate` without saying
//! so, is missed by who reads it.

use super::accumulation::accumulation;
use super::ids;
use super::temporaries::{self, Addressed};
use super::visit::{Visit, VisitMut, root_var, walk_expr, walk_stmt, walk_stmt_mut};
use crate::ctype::TypeTable;
use crate::diag::Diagnostic;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, MapKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What host code does with an object's elements, in the order of the source.
struct Event {
    time: u32,
    read: bool,
}

/// The end of a construct with objects of interest.
struct End {
    vars: Vec<VarId>,
    /// Pointers that the construct assigns, and where.
    pointers: Vec<(VarId, Span)>,
    /// Scalars of which each gang assigns its own, and where.
    scalars: Vec<(VarId, Span)>,
    time: u32,
    /// Where the outermost loop of the host around it begins: what stands there comes after it, too.
    again: u32,
}

struct Walk<'a> {
    sema: &'a Sema<'a>,
    time: u32,
    events: FxHashMap<VarId, Vec<Event>>,
    /// The same of pointers themselves.
    of_pointers: FxHashMap<VarId, Vec<Event>>,
    /// When functions are called that may read variables of the program.
    calls: Vec<u32>,
    /// In the order of the constructs' ends.
    ends: Vec<End>,
}

impl Sema<'_> {
    /// Marks the items of `create` clauses that the host reads later, makes temporaries of `kernels` private,
    /// and warns of pointers that the host misses.
    pub(super) fn apply_later_uses(&mut self, body: &mut FunctionBody) {
        let mut walk = Walk {
            sema: self,
            time: 0,
            events: FxHashMap::default(),
            of_pointers: FxHashMap::default(),
            calls: Vec::new(),
            ends: Vec::new(),
        };
        body.body.iter().for_each(|stmt| walk.stmt(stmt));
        let missed_behind = |end| {
            let is_missed = |&&(var, _): &&(VarId, Span)| {
                reads_first(&walk.of_pointers, var, end) || walk.others_read(var, end, body.is_main)
            };
            end.pointers.iter().filter(is_missed).copied().collect::<Vec<_>>()
        };
        let missed: Vec<(VarId, Span)> = walk.ends.iter().flat_map(missed_behind).collect();
        let lost_behind = |end: &End| {
            let is_lost = |&&(var, _): &&(VarId, Span)| reads_first(&walk.events, var, end);
            end.scalars.iter().filter(is_lost).copied().collect::<Vec<_>>()
        };
        let lost: Vec<(VarId, Span)> = walk.ends.iter().flat_map(lost_behind).collect();
        let wanted: Vec<FxHashSet<VarId>> = walk
            .ends
            .iter()
            .map(|end| end.vars.iter().copied().filter(|&var| reads_first(&walk.events, var, end)).collect())
            .collect();
        let mut addressed = Addressed::default();
        body.body.iter().for_each(|stmt| addressed.stmt(stmt));
        let mut marks = Marks { sema: self, wanted: wanted.into_iter(), addressed: addressed.0 };
        body.body.iter_mut().for_each(|stmt| marks.stmt(stmt));
        for (var, span) in missed {
            let name = self.var_text(var);
            let message = format!(
                "`{name}` has the value of before behind the construct, which assigns it or gives its address away"
            );
            self.emit(Diagnostic::warning(ids::POINTER_KEPT, span, message).note(format!(
                "no pointer is copied back, as a device's memory is not the host's: declare `{name}` in the construct, \
                 or assign it behind it"
            )));
        }
        for (var, span) in lost {
            let name = self.var_text(var);
            let message = format!(
                "the value that `{name}` gets here is lost behind the construct: `{name}` is `firstprivate`"
            );
            self.emit(Diagnostic::warning(ids::LOST_SCALAR, span, message).note(format!(
                "no clause of the construct names it (OpenACC 3.3, section 2.6.2), and the host reads the value of before: \
                 `copy({name})` brings a value back that one iteration assigns"
            )));
        }
    }
}

/// Whether the first that the host does with a variable behind a construct is to read it.
fn reads_first(events: &FxHashMap<VarId, Vec<Event>>, var: VarId, end: &End) -> bool {
    let Some(events) = events.get(&var) else { return false };
    let from = |time: u32| events.partition_point(|event| event.time < time);
    let later = events.get(from(end.time));
    let again = || events.get(from(end.again)).filter(|event| event.time < end.time);
    later.or_else(again).is_some_and(|event| event.read)
}

/// The pointers that `kernels` assigns, of which nobody says how they get there and back.
fn assigned_pointers(compute: &Compute) -> Vec<(VarId, Span)> {
    struct Assigned<'a>(&'a [DataItem], Vec<(VarId, Span)>);
    impl Visit for Assigned<'_> {
        fn expr(&mut self, expr: &Expr) {
            // Through its address, too: `((char *) &p)[i] = 0`.
            if let ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::IncDec { target, .. }
            | ExprKind::AddrOf(target) = &expr.kind
                && let ExprKind::Var(var) = target.kind
                && self.0.iter().any(|item| {
                    item.implicit && item.var == var && matches!(item.shape, DataShape::Pointer(_))
                })
                && self.1.iter().all(|(known, _)| *known != var)
            {
                self.1.push((var, expr.span));
            }
            walk_expr(self, expr);
        }
    }
    if compute.kind != ConstructKind::Kernels {
        return Vec::new();
    }
    let mut assigned = Assigned(&compute.data, Vec::new());
    assigned.stmt(&compute.body);
    assigned.1
}

/// The scalars that a construct assigns without accumulating in them, and that are `firstprivate` because no
/// clause names them.
fn assigned_copies(compute: &Compute) -> Vec<(VarId, Span)> {
    struct Assigned<'a> {
        copies: &'a [VarId],
        /// The variables that loops around have for their iterations.
        hidden: Vec<VarId>,
        found: Vec<(VarId, Span)>,
    }
    impl Visit for Assigned<'_> {
        fn stmt(&mut self, stmt: &Stmt) {
            // An atomic update of what each gang has of its own reaches nobody else.
            if let StmtKind::Atomic(atomic) = &stmt.kind
                && !matches!(**atomic, Atomic::Read { .. })
                && let ExprKind::Var(var) = atomic.object().kind
            {
                self.found(var, stmt.span);
            }
            let StmtKind::Loop(l) = &stmt.kind else { return walk_stmt(self, stmt) };
            let outer = self.hidden.len();
            let counters = l.loops.iter().map(|canonical| canonical.var);
            self.hidden.extend(l.private.iter().copied().chain(counters));
            walk_stmt(self, stmt);
            self.hidden.truncate(outer);
        }

        fn expr(&mut self, expr: &Expr) {
            // What the loops of directives accumulate in is a matter of reductions.
            let is_shared = !self.hidden.is_empty();
            if let ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::IncDec { target, .. } = &expr.kind
                && let ExprKind::Var(var) = target.kind
                && !(is_shared && accumulation(expr).is_some())
            {
                self.found(var, expr.span);
            }
            walk_expr(self, expr);
        }
    }
    impl Assigned<'_> {
        fn found(&mut self, var: VarId, span: Span) {
            if self.copies.contains(&var)
                && !self.hidden.contains(&var)
                && self.found.iter().all(|(known, _)| *known != var)
            {
                self.found.push((var, span));
            }
        }
    }
    let copies = &compute.firstprivate[compute.firstprivate_written..];
    let is_ours = matches!(compute.kind, ConstructKind::Parallel | ConstructKind::Serial);
    if copies.is_empty() || !is_ours || compute.defaultmap.is_some() {
        return Vec::new();
    }
    let mut assigned = Assigned { copies, hidden: Vec::new(), found: Vec::new() };
    assigned.stmt(&compute.body);
    assigned.found
}

/// Whether it matters what the host does behind a compute construct.
pub(super) fn concerns_compute(sema: &Sema<'_>, compute: &Compute) -> bool {
    concerns(sema, &compute.data, compute.kind == ConstructKind::Kernels)
        || !assigned_copies(compute).is_empty()
}

/// Whether it matters what the host does behind a construct with these items, of which `kernels` may have
/// temporaries and pointers that it assigns.
pub(super) fn concerns(sema: &Sema<'_>, data: &[DataItem], is_kernels: bool) -> bool {
    let Sema { types, vars, .. } = sema;
    data.iter().any(|item| {
        let is_pointer = || item.implicit && matches!(item.shape, DataShape::Pointer(_));
        is_created(types, item)
            || is_kernels && (is_pointer() || temporaries::is_candidate(types, vars, item))
    })
}

/// Whether an item is an object of several elements that lives on the device for the construct only.
fn is_created(types: &TypeTable, item: &DataItem) -> bool {
    let base = match &item.shape {
        DataShape::Object(base) if types.is_array(base.ty.ty) || types.record(base.ty.ty).is_some() => base,
        DataShape::Part { array: base, .. } | DataShape::Section { pointer: base, .. } => base,
        DataShape::Object(_) | DataShape::Pointer(_) => return false,
    };
    item.clause == MapKind::Create && matches!(base.kind, ExprKind::Var(_))
}

impl Walk<'_> {
    fn event(&mut self, var: VarId, read: bool) {
        self.time += 1;
        self.events.entry(var).or_default().push(Event { time: self.time, read });
    }

    /// The same with a pointer itself, if the place is one.
    fn pointer_event(&mut self, place: &Expr, read: bool) {
        if let ExprKind::Var(var) = place.kind
            && self.sema.types.is_pointer(self.sema.vars[var.0 as usize].ty.ty)
        {
            self.time += 1;
            self.of_pointers.entry(var).or_default().push(Event { time: self.time, read });
        }
    }

    /// Whether other functions may read a pointer behind a construct before this one writes it:
    /// one of the program that they may name.
    fn others_read(&self, var: VarId, end: &End, is_main: bool) -> bool {
        let is_ours = !matches!(self.sema.vars[var.0 as usize].storage, Storage::Static { .. });
        let from = |times: &[u32]| times.partition_point(|&time| time < end.time);
        let called = self.calls.get(from(&self.calls)).copied();
        let events = self.of_pointers.get(&var).into_iter().flatten().map(|event| event.time);
        let own = events.filter(|&time| time >= end.time).min();
        !is_ours
            && match (called, own) {
                (Some(called), Some(own)) => called < own,
                (called, own) => own.is_none() && (called.is_some() || !is_main),
            }
    }

    fn end(&mut self, data: &[DataItem], pointers: Vec<(VarId, Span)>, scalars: Vec<(VarId, Span)>) {
        let (types, vars) = (&self.sema.types, &self.sema.vars);
        let matters =
            |item: &&DataItem| is_created(types, item) || temporaries::is_candidate(types, vars, item);
        let vars = data.iter().filter(matters).map(|item| item.var).collect();
        self.time += 1;
        self.ends.push(End { vars, pointers, scalars, time: self.time, again: self.time });
    }

    /// The variable whose elements a place is one of: not the pointer itself.
    fn element_of(&self, place: &Expr) -> Option<VarId> {
        let var = root_var(place)?;
        let is_pointer = self.sema.types.is_pointer(self.sema.vars[var.0 as usize].ty.ty);
        (!is_pointer || !matches!(place.kind, ExprKind::Var(_))).then_some(var)
    }

    /// A function that gets a pointer reads through it if that is all it may do, and may write otherwise. The
    /// routines of OpenACC look at the address only, or copy.
    fn call(&mut self, callee: &Expr, args: &[Expr]) {
        let function = called(callee).map(|id| &self.sema.functions[id.0 as usize]);
        if function.is_some_and(|function| self.sema.session.interner.text(function.name).starts_with("acc_"))
        {
            return;
        }
        if function.is_none_or(|function| !self.sema.session.sources.is_system(function.span.first)) {
            self.time += 1;
            self.calls.push(self.time);
        }
        for arg in args {
            let Some(target) = self.sema.types.pointee(arg.ty.ty) else { continue };
            if let Some(var) = root_var(arg) {
                self.event(var, target.quals.const_);
            }
        }
    }

    fn host_loop(&mut self, walk: impl FnOnce(&mut Self)) {
        let (start, first) = (self.time, self.ends.len());
        walk(self);
        self.ends[first..].iter_mut().for_each(|end| end.again = start);
    }
}

/// The function that a call names.
pub(super) fn called(callee: &Expr) -> Option<FuncId> {
    match &callee.kind {
        ExprKind::Func(id) => Some(*id),
        ExprKind::Decay(inner) | ExprKind::AddrOf(inner) | ExprKind::Deref(inner) => called(inner),
        _ => None,
    }
}

impl Visit for Walk<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Compute(compute) => {
                for item in &compute.data {
                    if let DataShape::Pointer(place) | DataShape::Section { pointer: place, .. } = &item.shape
                    {
                        self.pointer_event(place, true);
                    }
                }
                self.end(&compute.data, assigned_pointers(compute), assigned_copies(compute));
            }
            StmtKind::Data(data) => {
                self.stmt(&data.body);
                self.end(&data.data, Vec::new(), Vec::new());
            }
            StmtKind::Executable(_) | StmtKind::DeclareData(_) => {}
            // Jumps back could make a loop of anything.
            StmtKind::For { init, condition, step, body, .. } => {
                init.iter().for_each(|stmt| self.stmt(stmt));
                self.host_loop(|walk| {
                    condition.iter().for_each(|e| walk.expr(e));
                    step.iter().for_each(|e| walk.expr(e));
                    walk.stmt(body);
                });
            }
            StmtKind::While(..) | StmtKind::DoWhile(..) => self.host_loop(|walk| walk_stmt(walk, stmt)),
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => {
                walk_expr(self, expr);
                self.pointer_event(place, true);
                if let Some(var) = self.element_of(place) {
                    self.event(var, true);
                }
            }
            ExprKind::Assign(place, value) => {
                self.expr(value);
                walk_expr(self, place);
                self.pointer_event(place, false);
                if let Some(var) = root_var(place) {
                    self.event(var, false);
                }
            }
            ExprKind::AssignOp { target, value, .. } => {
                self.expr(value);
                self.expr(target);
                self.pointer_event(target, true);
                if let Some(var) = self.element_of(target) {
                    self.event(var, true);
                }
            }
            ExprKind::IncDec { target, .. } => {
                walk_expr(self, expr);
                self.pointer_event(target, true);
            }
            ExprKind::Call { callee, args } => {
                walk_expr(self, expr);
                self.call(callee, args);
            }
            // Whoever gets the address of a pointer reads it.
            ExprKind::AddrOf(place) => {
                walk_expr(self, expr);
                self.pointer_event(place, true);
            }
            _ => walk_expr(self, expr),
        }
    }
}

/// Changes the constructs, in the order in which [`Walk`] saw their ends.
struct Marks<'a, I> {
    sema: &'a Sema<'a>,
    wanted: I,
    addressed: FxHashSet<VarId>,
}

fn mark(data: &mut [DataItem], wanted: &FxHashSet<VarId>) {
    for item in data.iter_mut().filter(|item| item.clause == MapKind::Create) {
        item.modifiers.read_later = wanted.contains(&item.var);
    }
}

impl<I: Iterator<Item = FxHashSet<VarId>>> VisitMut for Marks<'_, I> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Compute(compute) => {
                let Some(wanted) = self.wanted.next() else { return };
                mark(&mut compute.data, &wanted);
                let Sema { types, vars, .. } = self.sema;
                temporaries::privatise(types, vars, compute, &wanted, &self.addressed);
            }
            StmtKind::Data(data) => {
                self.stmt(&mut data.body);
                let Some(wanted) = self.wanted.next() else { return };
                mark(&mut data.data, &wanted);
            }
            _ => walk_stmt_mut(self, stmt),
        }
    }
}
