//! `target` and its kin as compute constructs and data directives.

use super::super::build::Wanted;
use super::super::copies::Copies;
use super::super::data::behind;
use super::super::repeats::Repeats;
use super::super::target_region::{Limit, TargetRegion};
use super::super::visit::{Visit, VisitMut, is_pure, walk_expr};
use super::super::{clauses, ids, nothing};
use super::code::{block, conditional, declare};
use super::gang_team::USUAL_THREADS;
use super::nest::{THREADS, is_teams};
use super::reduce::Combiners;
use crate::ast;
use crate::ctype::{IntKind, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{
    Clause, ClauseKind, DefaultKind, Directive, IfOf, ImplicitMap, MapCategory, OmpMapKind, OmpMapModifiers,
    Parts,
};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, MapKind, MapModifiers, ThreadBound};
use rustc_hash::FxHashMap;

/// `omp_initial_device`.
const INITIAL_DEVICE: i128 = -1;
/// Most threads of a team: those of a CTA.
const MOST_THREADS: i128 = 1024;
/// Lanes of a worker where the number of threads has a bound: those of a warp.
const LANES: i128 = 32;

/// What a map kind is on a construct with a statement.
pub(super) fn around(kind: OmpMapKind) -> Option<MapKind> {
    match kind {
        OmpMapKind::To => Some(MapKind::CopyIn),
        OmpMapKind::From => Some(MapKind::CopyOut),
        OmpMapKind::ToFrom => Some(MapKind::Copy),
        OmpMapKind::Alloc => Some(MapKind::Create),
        OmpMapKind::Release | OmpMapKind::Delete => None,
    }
}

/// What a map kind is on `target enter data`; OpenMP 5.2 takes `tofrom` for `to`.
pub(super) fn entering(kind: OmpMapKind) -> Option<MapKind> {
    match kind {
        OmpMapKind::To | OmpMapKind::ToFrom => Some(MapKind::CopyIn),
        OmpMapKind::Alloc => Some(MapKind::Create),
        OmpMapKind::From | OmpMapKind::Release | OmpMapKind::Delete => None,
    }
}

/// What a map kind is on `target exit data`; OpenMP 5.2 takes `tofrom` for `from`.
pub(super) fn leaving(kind: OmpMapKind) -> Option<MapKind> {
    match kind {
        OmpMapKind::From | OmpMapKind::ToFrom => Some(MapKind::CopyOut),
        OmpMapKind::Release | OmpMapKind::Delete => Some(MapKind::Delete),
        OmpMapKind::To | OmpMapKind::Alloc => None,
    }
}

/// The modifiers of a `map` clause.
pub(super) fn modifiers(kind: OmpMapKind, written: OmpMapModifiers) -> MapModifiers {
    MapModifiers {
        always_in: written.always,
        always_out: written.always,
        required: written.present,
        finalize: kind == OmpMapKind::Delete,
        ..MapModifiers::default()
    }
}

/// Of a pointer variable that is mapped beside a section through it, the section says all: in the construct
/// the pointer leads to the section's copy.
fn drop_pointers_of_sections(items: &mut Vec<DataItem>) {
    let through = |item: &DataItem| match &item.shape {
        DataShape::Section { pointer, .. } if matches!(pointer.kind, ExprKind::Var(_)) => Some(item.var),
        _ => None,
    };
    let sections: Vec<VarId> = items.iter().filter_map(through).collect();
    items.retain(|item| match &item.shape {
        DataShape::Object(object) => {
            !(matches!(object.kind, ExprKind::Var(_)) && sections.contains(&item.var))
        }
        _ => true,
    });
}

/// Whether a statement calls functions.
fn has_calls(body: &Stmt) -> bool {
    struct Calls(bool);
    impl Visit for Calls {
        fn expr(&mut self, expr: &Expr) {
            self.0 |= matches!(expr.kind, ExprKind::Call { .. });
            walk_expr(self, expr);
        }
    }
    let mut calls = Calls(false);
    calls.stmt(body);
    calls.0
}

impl Sema<'_> {
    /// `target`, alone or with `teams`, `distribute`, `parallel for`.
    pub(super) fn omp_target(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        self.check_host_code(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let parts = directive.parts;
        let (scheduling, data) = self.omp_data(&selected, IfOf::Target, around);
        let mut compute = Compute {
            kind: ConstructKind::Parallel,
            scheduling,
            dims: Dims::default(),
            data,
            private: Vec::new(),
            firstprivate: Vec::new(),
            firstprivate_written: 0,
            reductions: Vec::new(),
            default: None,
            maps_by_use: false,
            defaultmap: Some(DefaultMap::default()),
            body: nothing(statement.span),
            span: directive.span,
        };
        let sole_teams = is_teams(statement);
        let teams = parts.has(Parts::TEAMS);
        let mut region = TargetRegion::new(self.vars.len(), teams, sole_teams);
        self.check_repeated_private(&selected);
        for clause in &selected {
            self.omp_compute_clause(clause, parts, &mut compute, &mut region);
        }
        if parts.has_loop() {
            self.split_first_and_last(&selected, &mut compute, &mut region);
        }
        if teams && !parts.has_loop() {
            region.of_teams = compute.private.iter().chain(&compute.firstprivate).copied().collect();
        }
        self.default_of_teams(&selected, &mut compute);
        self.map_in_reductions(&selected, &mut compute);
        drop_pointers_of_sections(&mut compute.data);
        self.resolve_repeats(&mut compute.data, Repeats::OneAddressOfVariable);
        let addresses = self.known_addresses(&selected, &mut compute);
        let outer = self.acc.target_region.replace(region);
        compute.body = self.compute_body(directive, compute.kind, |sema| {
            if parts.has_loop() {
                sema.omp_loop(directive, &selected, statement)
            } else if parts.has(Parts::PARALLEL) {
                sema.omp_parallel(directive, &selected, statement)
            } else {
                let body = sema.stmt(statement);
                sema.with_own_copies(body)
            }
        });
        let region = std::mem::replace(&mut self.acc.target_region, outer);
        let Some(region) = region else { return nothing(directive.span) };
        let mut before = addresses.rewrite(&mut compute.body);
        before.extend(self.map_snapshots(&region.first_arrays, &mut compute));
        for &(var, first) in &region.first_values {
            let value = self.value_of(var, directive.span);
            before.push(self.initialised(first, value));
        }
        before.extend(self.shape_of_launch(&mut compute, region));
        before.extend(self.share_reduced(&mut compute));
        let construct = self.finish_compute(compute, directive, statement);
        if before.is_empty() {
            return construct;
        }
        let span = construct.span;
        before.push(construct);
        Stmt { kind: StmtKind::Block(before), span }
    }

    /// Gives the statement of a construct its copies that no clause of the typed tree asks for.
    fn with_own_copies(&mut self, body: Stmt) -> Stmt {
        let Some(region) = &mut self.acc.target_region else { return body };
        let private = region.private_arrays.clone();
        // Teams have a copy each of what the construct has one of.
        let first = if region.teams { region.first_arrays.clone() } else { Vec::new() };
        self.with_copies(body, &private, &first)
    }

    /// Removes the arrays of variable length from a list.
    pub(super) fn take_variable_arrays(&self, vars: &mut Vec<VarId>) -> Vec<VarId> {
        let is_array = |var: &VarId| self.types.is_vla(self.vars[var.0 as usize].ty.ty);
        let (arrays, others) = vars.drain(..).partition(is_array);
        *vars = others;
        arrays
    }

    /// `firstprivate` of arrays of variable length: the construct maps arrays of the host that nobody else
    /// knows, with the values of when it begins.
    fn map_snapshots(&mut self, vars: &[VarId], compute: &mut Compute) -> Vec<Stmt> {
        let span = compute.span;
        let mut list = Vec::new();
        let mut copies = Copies(FxHashMap::default());
        for &var in vars {
            let copy = self.copy_of(var);
            let (to, from) = (self.var_lvalue(copy, span), self.var_lvalue(var, span));
            list.extend([declare(copy, None, span), self.copy_object(to.clone(), from, span)]);
            copies.0.insert(var, copy);
            compute.data.push(DataItem {
                clause: MapKind::CopyIn,
                modifiers: MapModifiers::default(),
                implicit: false,
                name: self.var_text(var).into(),
                var: copy,
                shape: DataShape::Object(to),
                members: Vec::new(),
                span,
            });
        }
        copies.stmt(&mut compute.body);
        list
    }

    fn omp_compute_clause(
        &mut self,
        clause: &Clause,
        parts: Parts,
        compute: &mut Compute,
        region: &mut TargetRegion,
    ) {
        let alone = !parts.has_loop() && !parts.has(Parts::PARALLEL);
        match &clause.kind {
            ClauseKind::NumTeams(arg) => {
                region.num_teams = self.int_argument("num_teams", arg, Wanted::Positive);
            }
            ClauseKind::ThreadLimit(arg) => {
                let bound = self.int_argument("thread_limit", arg, Wanted::Positive);
                region.bound(ThreadBound::ThreadLimit, bound);
            }
            ClauseKind::NumThreads(arg) => {
                let bound = self.int_argument("num_threads", arg, Wanted::Positive);
                region.bound(ThreadBound::NumThreads, bound);
            }
            ClauseKind::IfOf(IfOf::Parallel, condition) if parts.has(Parts::PARALLEL) => {
                let condition = self.condition_argument("if", condition);
                region.bound(ThreadBound::If, condition.map(|condition| self.one_unless(condition)));
            }
            ClauseKind::Private(items) if alone => {
                self.private_vars("private", items, &mut compute.private);
                region.private_arrays.extend(self.take_variable_arrays(&mut compute.private));
            }
            ClauseKind::FirstPrivate(items) => {
                self.private_vars("firstprivate", items, &mut compute.firstprivate);
                region.first_arrays.extend(self.take_variable_arrays(&mut compute.firstprivate));
            }
            ClauseKind::Reduction(name, items) | ClauseKind::ReductionOfTasks(name, items) => {
                if !parts.has_loop() {
                    let mut declared = Vec::new();
                    self.device_reductions(*name, items, &mut compute.reductions, &mut declared);
                    // A `parallel` has its own copies.
                    if !parts.has(Parts::PARALLEL) {
                        region.reductions.extend(self.by_functions(declared));
                    }
                }
                self.map_back(items, compute);
            }
            ClauseKind::LastPrivate(items)
            | ClauseKind::ConditionalLastPrivate(items)
            | ClauseKind::Linear(items, _)
            | ClauseKind::InscanReduction(_, items) => self.map_back(items, compute),
            ClauseKind::IsDevicePtr(items) | ClauseKind::HasDeviceAddr(items) => {
                for item in items {
                    if let Some(pointer) = self.device_pointer(&clause.kind, item) {
                        let item = std::slice::from_ref(pointer);
                        self.data_items(MapKind::DevicePtr, MapModifiers::default(), item, &mut compute.data);
                    }
                }
            }
            ClauseKind::Shared(items) => {
                let vars = items.iter().filter_map(|item| self.plain_variable("shared", item));
                let vars: Vec<VarId> = vars.collect();
                if let Some(map) = &mut compute.defaultmap {
                    map.shared.extend(vars);
                }
            }
            ClauseKind::DefaultMap(what, category) => {
                self.default_map(clause.span, *what, *category, compute)
            }
            ClauseKind::Default(kind) => match kind {
                DefaultKind::None | DefaultKind::Shared | DefaultKind::Present => {
                    compute.default = Some(*kind)
                }
                // Each team has its own, as of variables that `defaultmap(firstprivate)` is about.
                DefaultKind::FirstPrivate if parts.has(Parts::TEAMS) && !parts.has(Parts::PARALLEL) => {
                    compute.default = Some(*kind);
                }
                DefaultKind::FirstPrivate | DefaultKind::Private => {
                    let message = "`default` of this `target` construct takes `none` and `shared` only";
                    let diagnostic = Diagnostic::error(ids::OMP_UNSUPPORTED, clause.span, message);
                    self.emit(diagnostic.note("name the variables in clauses"));
                }
            },
            _ => {}
        }
    }

    /// A variable that is `lastprivate`, too, is mapped by a combined construct, so that the host gets its
    /// last value. What it begins with, the host sends in another one: the last iteration may be over before
    /// another one begins.
    fn split_first_and_last(
        &mut self,
        clauses: &[&Clause],
        compute: &mut Compute,
        region: &mut TargetRegion,
    ) {
        for clause in clauses {
            let (ClauseKind::LastPrivate(items) | ClauseKind::ConditionalLastPrivate(items)) = &clause.kind
            else {
                continue;
            };
            for item in items {
                let Some(var) = self.item_variable(item).filter(|var| compute.firstprivate.contains(var))
                else {
                    continue;
                };
                compute.firstprivate.retain(|&other| other != var);
                if self.types.is_array(self.vars[var.0 as usize].ty.ty) {
                    continue;
                }
                let first = self.copy_of(var);
                compute.firstprivate.push(first);
                region.first_values.push((var, first));
            }
        }
    }

    /// `default(firstprivate)` of `target teams`: what no clause names begins in each team with the host's
    /// value. What a clause maps and no clause shares would, too, and the mapping would be without effect.
    fn default_of_teams(&mut self, clauses: &[&Clause], compute: &mut Compute) {
        if compute.default != Some(DefaultKind::FirstPrivate) {
            return;
        }
        compute.default = None;
        let Some(map) = &mut compute.defaultmap else { return };
        for place in [&mut map.scalar, &mut map.aggregate, &mut map.pointer] {
            if *place == ImplicitMap::Default {
                *place = ImplicitMap::FirstPrivate;
            }
        }
        let named = |var| map.shared.contains(&var) || map.back.contains(&var);
        let lost: Vec<(VarId, Span)> = compute.data.iter().map(|item| (item.var, item.span)).collect();
        let lost: Vec<(VarId, Span)> = lost.into_iter().filter(|&(var, _)| !named(var)).collect();
        let default = clauses.iter().find(|clause| matches!(clause.kind, ClauseKind::Default(_)));
        for (var, span) in lost {
            let name = self.var_text(var);
            let message = format!("`{name}` is mapped, and `default(firstprivate)` gives each team its own");
            let mut diagnostic = Diagnostic::error(ids::CONFLICTING_CLAUSES, span, message)
                .note(format!("add `shared({name})`"));
            if let Some(default) = default {
                diagnostic = diagnostic.related(default.span, "the `default` clause");
            }
            self.emit(diagnostic);
        }
    }

    /// Variables of a combined construct whose values the host gets: unless a clause maps them, they are
    /// mapped `tofrom`.
    fn map_back(&mut self, items: &[ast::Expr], compute: &mut Compute) {
        if let Some(map) = &mut compute.defaultmap {
            map.back.extend(items.iter().filter_map(|item| self.item_variable(item)));
        }
    }

    /// Variables in `in_reduction` are mapped both ways unless a clause maps them.
    fn map_in_reductions(&mut self, clauses: &[&Clause], compute: &mut Compute) {
        for clause in clauses {
            let ClauseKind::InReduction(_, items) = &clause.kind else { continue };
            for item in items {
                let Some(var) = self.item_variable(item) else { continue };
                if !compute.data.iter().any(|mapped| mapped.var == var) {
                    let item = std::slice::from_ref(item);
                    self.data_items(MapKind::Copy, MapModifiers::default(), item, &mut compute.data);
                }
            }
        }
    }

    /// A `target` construct that takes part in the reduction of a task group: it works on copies of the
    /// host, which are combined with the originals behind it.
    pub(super) fn reducing_of_target(&mut self, directive: &Directive, mut made: Stmt) -> Stmt {
        let span = directive.span;
        let mut items = Vec::new();
        for clause in &directive.clauses {
            if let ClauseKind::InReduction(name, list) = &clause.kind {
                self.reduced_items(*name, list, &mut items);
            }
        }
        if items.is_empty() {
            return made;
        }
        let mut list = Vec::new();
        self.fix_sections(&mut items, &mut list, span);
        let mut reducing = self.reducing(&items, Combiners::OneThread, span);
        reducing.rewrite(&mut made);
        list.extend(reducing.before);
        list.push(made);
        list.extend(reducing.after);
        block(list, span)
    }

    fn default_map(&mut self, span: Span, what: ImplicitMap, category: MapCategory, compute: &mut Compute) {
        let Some(map) = &mut compute.defaultmap else { return };
        let all = category == MapCategory::All;
        let mut twice = false;
        for (of, place) in [
            (MapCategory::Scalar, &mut map.scalar),
            (MapCategory::Aggregate, &mut map.aggregate),
            (MapCategory::Pointer, &mut map.pointer),
        ] {
            if all || of == category {
                twice |= *place != ImplicitMap::Default;
                *place = what;
            }
        }
        if twice {
            let message = "two `defaultmap` clauses are about the same variables";
            self.error(ids::CONFLICTING_CLAUSES, span, message);
        }
    }

    /// The kind and the dimensions of the construct, now that its loops are known. Without `teams` there is
    /// one gang, and without a loop that threads share one thread.
    fn shape_of_launch(&mut self, compute: &mut Compute, region: TargetRegion) -> Option<Stmt> {
        let levels = super::nest::levels_of(&compute.body);
        let span = compute.span;
        compute.reductions.extend(region.reductions);
        let limit = region.limits.into_iter().reduce(|a, b| self.lesser(a, b));
        // Functions may have loops that threads share: the pass `orphans` knows.
        let may_share = levels & THREADS != 0 || limit.is_some() && has_calls(&compute.body);
        if !region.teams && levels == 0 {
            compute.kind = ConstructKind::Serial;
            if let Some(limit) = limit.filter(|_| may_share) {
                self.limit_threads(compute, limit);
            }
            return None;
        }
        compute.dims.num_gangs = match region.num_teams {
            _ if region.one_team => vec![self.int(1, span)],
            Some(teams) => vec![teams],
            None if region.teams => Vec::new(),
            None => vec![self.int(1, span)],
        };
        if !may_share {
            return None;
        }
        if let Some(size) = region.team_size {
            let most = self.int(MOST_THREADS, span);
            let Limit { clause, bound } = limit.unwrap_or_else(|| Limit {
                clause: ThreadBound::NumThreads,
                bound: self.int(USUAL_THREADS, span),
            });
            let bound = self.least(bound, most);
            return Some(self.shape_of_teams(compute, size, (clause, bound)));
        }
        self.limit_threads(compute, limit?);
        None
    }

    /// Gives a team no more threads than a bound allows.
    fn limit_threads(&mut self, compute: &mut Compute, Limit { clause, bound: limit }: Limit) {
        let span = compute.span;
        let (most, lanes) = (self.int(MOST_THREADS, span), self.int(LANES, span));
        let limit = self.least(limit, most);
        let lanes_of_worker = self.least(limit.clone(), lanes.clone());
        let workers = self.int_binary(ast::BinaryOp::Div, limit, lanes);
        let one = self.int(1, span);
        compute.dims.set_threads(self.greatest(workers, one), lanes_of_worker, clause);
    }

    /// Gives the launch as many threads as teams of all threads of a gang have, exactly: workers of whole
    /// warps, or one of as many lanes. Declares the variable that tells the construct.
    fn shape_of_teams(
        &mut self,
        compute: &mut Compute,
        size: VarId,
        (clause, threads): (ThreadBound, Expr),
    ) -> Stmt {
        let span = compute.span;
        let declared = self.initialised(size, threads.clone());
        let (one, warp) = (self.int(1, span), self.int(LANES, span));
        let (workers, lanes) = match self.const_int(&threads) {
            Some(threads) if threads % LANES == 0 => (self.int(threads / LANES, span), warp),
            Some(_) => (one, threads),
            None => {
                let all = self.value_of(size, span);
                let rest = self.int_binary(ast::BinaryOp::Rem, all.clone(), warp.clone());
                let is_whole = self.int_binary(BinaryOp::Eq, rest, self.int(0, span));
                let workers = self.int_binary(ast::BinaryOp::Div, all.clone(), warp.clone());
                (conditional(is_whole.clone(), workers, one), conditional(is_whole, warp, all))
            }
        };
        compute.dims.set_threads(workers, lanes, clause);
        declared
    }

    /// Of a `teams` construct inside of a `target` of its own, a variable that its loops reduce over teams
    /// and no clause of `target` maps is firstprivate in `target`, and shared by the teams: it is a variable
    /// that nobody reads afterwards, and is mapped.
    fn share_reduced(&mut self, compute: &mut Compute) -> Vec<Stmt> {
        let reduced = super::nest::reduced_over_gangs(&compute.body, &compute.reductions);
        let back = compute.defaultmap.as_ref().map(|map| map.back.clone()).unwrap_or_default();
        let mut declarations = Vec::new();
        for var in reduced {
            let known = back.contains(&var)
                || self.vars[var.0 as usize].declare.is_some()
                || compute.data.iter().any(|item| super::super::data::covers(item, var));
            let ty = self.vars[var.0 as usize].ty;
            if known || !self.types.is_scalar(ty.ty) {
                continue;
            }
            let span = compute.span;
            let (copy, declaration) = self.initialised_copy(var, span);
            declarations.push(declaration);
            compute.firstprivate.retain(|&other| other != var);
            super::nest::rename(compute, var, copy);
            if let Some(map) = &mut compute.defaultmap {
                map.back.push(copy);
            }
        }
        declarations
    }

    /// A fresh variable that begins with the value of another.
    pub(super) fn initialised_copy(&mut self, var: VarId, span: Span) -> (VarId, Stmt) {
        let ty = QualType::plain(self.vars[var.0 as usize].ty.ty);
        let copy = self.copy_of(var);
        let lvalue = self.var_lvalue(var, span);
        let value = Expr { kind: ExprKind::Load(Box::new(lvalue)), ty, span };
        (copy, self.initialised(copy, value))
    }

    /// The declaration of a scalar with its first value.
    pub(super) fn initialised(&mut self, var: VarId, value: Expr) -> Stmt {
        let span = value.span;
        let ty = self.vars[var.0 as usize].ty.ty;
        let init = Init { entries: vec![InitEntry { offset: 0, bits: None, ty, value }] };
        Stmt { kind: StmtKind::Declare(var, Some(init)), span }
    }

    /// An `int` constant.
    pub(super) fn int(&self, value: i128, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value), ty: QualType::plain(IntKind::Int.type_id()), span }
    }

    /// An operation on two `int`s.
    fn int_binary(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let span = a.span;
        if let (Some(x), Some(y)) = (self.const_int(&a), self.const_int(&b))
            && op == BinaryOp::Div
            && y != 0
        {
            return self.int(x / y, span);
        }
        let ty = QualType::plain(IntKind::Int.type_id());
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
    }

    /// Both bounds as one, with the clause of the lower one, or of the first if that is not known.
    fn lesser(&self, a: Limit, b: Limit) -> Limit {
        let second = match (self.const_int(&a.bound), self.const_int(&b.bound)) {
            (Some(a), Some(b)) => b < a,
            _ => false,
        };
        let clause = if second { b.clause } else { a.clause };
        Limit { clause, bound: self.least(a.bound, b.bound) }
    }

    fn least(&self, a: Expr, b: Expr) -> Expr {
        self.chosen(BinaryOp::Lt, a, b)
    }

    fn greatest(&self, a: Expr, b: Expr) -> Expr {
        self.chosen(BinaryOp::Gt, a, b)
    }

    /// `a op b ? a : b` of two `int`s.
    fn chosen(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        if let (Some(x), Some(y)) = (self.const_int(&a), self.const_int(&b)) {
            let first = if op == BinaryOp::Lt { x < y } else { x > y };
            return if first { a } else { b };
        }
        let condition = self.int_binary(op, a.clone(), b.clone());
        conditional(condition, a, b)
    }

    /// The bound that an `if` of a `parallel` construct is for the number of threads.
    pub(super) fn one_unless(&mut self, condition: Expr) -> Expr {
        let span = condition.span;
        let (one, most) = (self.int(1, span), self.int(MOST_THREADS, span));
        match self.const_int(&condition) {
            Some(0) => one,
            Some(_) => most,
            None => conditional(condition, most, one),
        }
    }

    /// Whether the host can evaluate an expression of a construct inside of `target` at the start of that.
    pub(super) fn is_known_outside(&self, expr: &Expr) -> bool {
        let Some(region) = &self.acc.target_region else { return false };
        let vars = super::super::visit::variables(expr);
        is_pure(expr)
            && vars.iter().all(|(var, _)| {
                let object = &self.vars[var.0 as usize];
                (var.0 as usize) < region.outside
                    && object.declare.is_none()
                    && self.types.is_integer(object.ty.ty)
            })
    }

    /// Clauses that all `target` directives share: `if`, `device`, `map`, `depend`, `nowait`. The host runs
    /// them at once and in order, so that `nowait` and `depend` hold by themselves.
    pub(super) fn omp_data(
        &mut self,
        clauses: &[&Clause],
        of: IfOf,
        meaning: fn(OmpMapKind) -> Option<MapKind>,
    ) -> (Scheduling, Vec<DataItem>) {
        let device = match (self.acc.on_initial_device, clauses.first()) {
            (true, Some(clause)) => Device::Number(self.int(INITIAL_DEVICE, clause.span)),
            (true, None) => Device::Number(self.int(INITIAL_DEVICE, Span::default())),
            (false, _) => Device::Default,
        };
        let mut scheduling = Scheduling { device, ..Scheduling::default() };
        let mut data = Vec::new();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::If(condition) => scheduling.if_ = self.condition_argument("if", condition),
                ClauseKind::IfOf(which, condition) if *which == of => {
                    scheduling.if_ = self.condition_argument("if", condition);
                }
                ClauseKind::Device(device) => {
                    let number = self.int_argument("device", device, Wanted::Any);
                    // The host's memory is the one that all devices share, so that the host stands for them.
                    if let Some(number) = number.filter(|_| !self.acc.on_initial_device) {
                        scheduling.device = Device::Number(number);
                    }
                }
                ClauseKind::Map(kind, written, items) => {
                    let Some(which) = meaning(*kind) else {
                        self.error(
                            ids::DATA_ITEM,
                            clause.span,
                            format!("`map({}: ...)` is not valid on this directive", kind.name()),
                        );
                        continue;
                    };
                    if written.is_self && !self.acc.on_initial_device {
                        let message =
                            "`self` in `map` is not supported where devices have memory of their own";
                        let note = "with `#pragma omp requires unified_shared_memory` the constructs run on the host";
                        self.emit(Diagnostic::error(ids::OMP_UNSUPPORTED, clause.span, message).note(note));
                    }
                    let mut found = Vec::new();
                    self.data_items(which, modifiers(*kind, *written), items, &mut found);
                    self.mapped(found, *kind, *written, meaning, &mut data);
                }
                _ => {}
            }
        }
        self.attach_variables(of, &mut data);
        if of == IfOf::TargetData {
            self.unite_maps(&mut data);
        }
        (scheduling, data)
    }

    /// A pointer variable `p` that a directive maps is attached to what `p->x` and `*p` map beside it, as to
    /// sections through it, and one that is on the device itself to `p[i].x`. A construct that does not map
    /// it has it as `firstprivate`, whose value needs no attachment.
    fn attach_variables(&mut self, of: IfOf, data: &mut [DataItem]) {
        let variable = |object: &Expr| match object.kind {
            ExprKind::Var(var) => Some(var),
            _ => None,
        };
        let mapped = |item: &DataItem| match &item.shape {
            DataShape::Object(object) => variable(object),
            _ => None,
        };
        let mapped: Vec<VarId> = data.iter().filter_map(mapped).collect();
        for item in data {
            let object = match &item.shape {
                DataShape::Object(object) | DataShape::Part { array: object, .. } => Some(object),
                DataShape::Section { .. } | DataShape::Pointer(_) => None,
            };
            // Members of `*p` without `p` lie in their structure, however they are mapped one by one.
            let is_element = object.and_then(behind).is_some_and(|behind| behind.index.is_some());
            let is_led = |var: &VarId| mapped.contains(var) || is_element && matches!(of, IfOf::TargetData);
            item.shape = self.behind_pointer(item.shape.clone(), |sema, pointer| match of {
                _ if !variable(pointer).as_ref().is_some_and(is_led) => None,
                IfOf::TargetData => Some(pointer.clone()),
                _ => Some(sema.through_address(pointer.clone())),
            });
        }
    }

    /// `*&p`: the object `p`, which is not the variable of a clause for whoever looks at the expression.
    fn through_address(&mut self, object: Expr) -> Expr {
        let (ty, span) = (object.ty, object.span);
        let address = QualType::plain(self.types.pointer_to(ty));
        let address = Expr { kind: ExprKind::AddrOf(Box::new(object)), ty: address, span };
        Expr { kind: ExprKind::Deref(Box::new(address)), ty, span }
    }

    /// What an implicit attribute of OpenMP makes of a variable (OpenMP 5.2, 5.8.1): the clause, or none for
    /// `firstprivate`. An error has been reported where there is no attribute.
    pub(in super::super) fn implicit_map(
        &mut self,
        map: &DefaultMap,
        var: VarId,
        span: Span,
        compute: Span,
    ) -> Option<ImplicitMap> {
        let ty = self.vars[var.0 as usize].ty.ty;
        let what = if self.types.is_pointer(ty) {
            map.pointer
        } else if self.types.is_scalar(ty) {
            map.scalar
        } else {
            map.aggregate
        };
        if what != ImplicitMap::None || ty == TypeId::ERROR {
            return Some(what);
        }
        let name = self.var_text(var);
        let message =
            format!("`{name}` is in no clause of the `target` construct, which has `defaultmap(none)`");
        self.emit(Diagnostic::error(ids::DEFAULT_NONE, span, message).related(compute, "the construct"));
        None
    }
}
