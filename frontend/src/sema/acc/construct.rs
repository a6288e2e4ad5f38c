//! Compute constructs, alone and combined with `loop`, and the structured data constructs.

use super::build::Wanted;
use super::clauses;
use super::data::covers;
use super::repeats::Repeats;
use super::subarrays::bracketed;
use super::text::expr_text;
use super::visit::{VisitMut, walk_expr_mut, walk_stmt_mut};
use super::{Enclosing, ids, nothing};
use crate::ast;
use crate::clause_table::{data_name, on};
use crate::ctype::{IntKind, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, DefaultKind, Directive, DirectiveKind};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, MapKind};
use rustc_hash::FxHashMap;

impl Sema<'_> {
    /// `parallel`, `serial`, `kernels`, alone or combined with `loop`.
    pub(super) fn compute_construct(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        let (kind, combined) = match directive.kind {
            DirectiveKind::Serial { loop_ } => (ConstructKind::Serial, loop_),
            DirectiveKind::Kernels { loop_ } => (ConstructKind::Kernels, loop_),
            _ => (ConstructKind::Parallel, matches!(directive.kind, DirectiveKind::Parallel { loop_: true })),
        };
        self.check_compute_place(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        // What `loop` takes belongs to it (OpenACC 3.3, section 2.11).
        let (on_loop, on_construct): (Vec<&Clause>, Vec<&Clause>) =
            selected.into_iter().partition(|clause| combined && clause.row.is_for(on::LOOP));
        let mut compute = Compute {
            kind,
            scheduling: self.scheduling(&on_construct),
            dims: Dims::default(),
            data: Vec::new(),
            private: Vec::new(),
            firstprivate: Vec::new(),
            firstprivate_written: 0,
            reductions: Vec::new(),
            default: None,
            maps_by_use: true,
            defaultmap: None,
            body: nothing(statement.span),
            span: directive.span,
        };
        self.check_repeated_private(&on_construct);
        for clause in &on_construct {
            self.compute_clause(clause, &mut compute);
        }
        compute.default = compute.default.or_else(|| self.default_around());
        self.resolve_repeats(&mut compute.data, Repeats::OneAddress);
        self.check_exclusive(&compute);
        self.check_gangs_of_reductions(&compute);
        compute.body = self.compute_body(directive, kind, |sema| match combined {
            true => sema.loop_construct(directive, &on_loop, statement),
            false => sema.stmt(statement),
        });
        self.private_subarrays(&on_construct, &mut compute.body);
        self.firstprivate_subarrays(&on_construct, &mut compute);
        self.finish_compute(compute, directive, statement)
    }

    /// The clause `default` of the innermost `data` construct around that has one (OpenACC 3.3, 2.5.16).
    fn default_around(&self) -> Option<DefaultKind> {
        self.acc.constructs.iter().rev().find_map(|around| match around {
            Enclosing::Data { default, .. } => *default,
            _ => None,
        })
    }

    /// Analyses the statement of a compute construct.
    pub(super) fn compute_body(
        &mut self,
        directive: &Directive,
        kind: ConstructKind,
        statement: impl FnOnce(&mut Self) -> Stmt,
    ) -> Stmt {
        let outside = self.vars.len();
        self.acc.constructs.push(Enclosing::Compute { kind, span: directive.name_span });
        self.enter_construct(directive.kind.name(), directive.name_span);
        let body = statement(self);
        self.leave_construct();
        self.acc.constructs.pop();
        // A static object declared inside exists on the device, once, for as long as the program.
        for var in &mut self.vars[outside..] {
            if let Storage::Static { linkage: Linkage::Internal, .. } = var.storage
                && var.name.is_some()
            {
                var.declare.get_or_insert(MapKind::Create);
            }
        }
        body
    }

    /// What follows from the body: reductions that loops lack, results of reductions are copied, implicit
    /// attributes.
    pub(super) fn finish_compute(
        &mut self,
        mut compute: Compute,
        directive: &Directive,
        statement: &ast::Stmt,
    ) -> Stmt {
        self.drop_unset_private(&mut compute);
        self.complete_reductions(&mut compute);
        self.promote_reductions(&mut compute);
        for index in 0..compute.data.len() {
            let (var, span) = (compute.data[index].var, compute.data[index].span);
            self.check_host_data(var, span);
        }
        let name = compute.kind.name();
        self.implicit_attributes(&mut compute, name);
        Stmt { kind: StmtKind::Compute(Box::new(compute)), span: directive.span.to(statement.span) }
    }

    fn check_compute_place(&mut self, directive: &Directive) {
        if !self.check_host_code(directive) {
            return;
        }
        if self.current_routine().is_some() {
            self.emit(
                Diagnostic::error(
                    ids::CONSTRUCT_NESTING,
                    directive.name_span,
                    "a compute construct inside of a `routine` function is not supported",
                )
                .note("the function may run on the device, which cannot start another region"),
            );
        }
    }

    fn compute_clause(&mut self, clause: &Clause, compute: &mut Compute) {
        match &clause.kind {
            ClauseKind::NumGangs(args) => {
                let max = if compute.kind == ConstructKind::Parallel { 3 } else { 1 };
                if args.len() > max {
                    self.error(
                        ids::CLAUSE_ARGUMENT,
                        clause.span,
                        format!(
                            "`num_gangs` takes at most {max} argument{} here",
                            if max == 1 { "" } else { "s" }
                        ),
                    );
                    return;
                }
                for arg in args {
                    compute.dims.num_gangs.extend(self.int_argument("num_gangs", arg, Wanted::Positive));
                }
            }
            ClauseKind::NumWorkers(arg) => {
                compute.dims.num_workers = self.int_argument("num_workers", arg, Wanted::Positive);
            }
            ClauseKind::VectorLength(arg) => {
                compute.dims.vector_length = self.int_argument("vector_length", arg, Wanted::Positive);
            }
            ClauseKind::Default(kind) => compute.default = Some(*kind),
            ClauseKind::Data(which, modifiers, items) => {
                self.data_items(*which, *modifiers, items, &mut compute.data);
            }
            ClauseKind::Private(items) => self.private_items("private", items, &mut compute.private),
            ClauseKind::FirstPrivate(items) => {
                self.private_items("firstprivate", items, &mut compute.firstprivate);
            }
            ClauseKind::Reduction(op, items) => {
                self.reduction_items(*op, items, &mut compute.reductions);
            }
            _ => {}
        }
    }

    /// `private`, `firstprivate` of OpenMP, which take variables.
    pub(super) fn private_vars(&mut self, clause: &str, items: &[ast::Expr], out: &mut Vec<VarId>) {
        for item in items {
            self.private_var(clause, item, out);
        }
    }

    /// `private`, `firstprivate` of OpenACC, which take subarrays, too. Of those only the variable is dealt
    /// with here.
    pub(super) fn private_items(&mut self, clause: &str, items: &[ast::Expr], out: &mut Vec<VarId>) {
        for item in items {
            let name = bracketed(item);
            if let ast::ExprKind::Member(..) | ast::ExprKind::Arrow(..) = name.unwrap_or(item).kind {
                let text = expr_text(item, &self.session.interner);
                let message = format!("`{text}` is a part of a structure, of which `{clause}` makes no copy");
                self.emit(
                    Diagnostic::error(ids::MEMBER_PRIVATE_UNSUPPORTED, item.span, message)
                        .note("name the whole variable, or use one that is declared inside of the construct"),
                );
                continue;
            }
            let before = out.len();
            self.private_var(clause, name.unwrap_or(item), out);
            let is_replaced = |var: &VarId| {
                let ty = self.vars[var.0 as usize].ty.ty;
                // The section of a pointer is mapped instead.
                let is_mapped = name.is_some() && clause == "firstprivate" && self.types.is_pointer(ty);
                is_mapped || self.types.is_vla(ty)
            };
            if out[before..].iter().any(is_replaced) {
                out.truncate(before);
            }
        }
    }

    fn private_var(&mut self, clause: &str, item: &ast::Expr, out: &mut Vec<VarId>) {
        let Some(var) = self.plain_variable(clause, item) else { return };
        if out.contains(&var) {
            return;
        }
        let ty = self.vars[var.0 as usize].ty;
        if !self.types.is_complete(ty.ty) {
            let text = self.type_text(ty);
            self.error(
                ids::NOT_MAPPABLE,
                item.span,
                format!("`{text}` has no known size: `{clause}` cannot copy it"),
            );
            return;
        }
        out.push(var);
    }

    /// OpenACC 3.3, section 2.5.4.
    fn check_gangs_of_reductions(&mut self, compute: &Compute) {
        let (Some(reduced), [_, second, ..]) = (compute.reductions.first(), &compute.dims.num_gangs[..])
        else {
            return;
        };
        let message = "`parallel` takes no `reduction` if `num_gangs` has several arguments";
        self.emit(
            Diagnostic::error(ids::CONFLICTING_CLAUSES, reduced.span, message)
                .related(second.span, "the gangs of more than one dimension")
                .note("write the total number of gangs in one argument"),
        );
    }

    /// A variable is either private, or firstprivate, or mapped, or reduced.
    fn check_exclusive(&mut self, compute: &Compute) {
        let mut conflicts: Vec<(VarId, Span, String)> = Vec::new();
        for var in compute.private.iter().filter(|v| compute.firstprivate.contains(v)) {
            conflicts.push((*var, compute.span, "`private` and `firstprivate`".to_owned()));
        }
        let private = [("private", &compute.private), ("firstprivate", &compute.firstprivate)];
        for (clause, list) in private {
            for item in &compute.reductions {
                if list.contains(&item.var) {
                    conflicts.push((item.var, item.span, format!("`reduction` and `{clause}`")));
                }
            }
            for item in &compute.data {
                if list.iter().any(|var| covers(item, *var)) {
                    let data = data_name(item.clause);
                    conflicts.push((item.var, item.span, format!("`{data}` and `{clause}`")));
                }
            }
        }
        for (var, span, clauses) in conflicts {
            let name = self.var_text(var);
            self.error(
                ids::DUPLICATE_VARIABLE,
                span,
                format!("`{name}` is in {clauses} of one construct, which exclude each other"),
            );
        }
    }

    /// The result of a reduction must be copied both ways.
    fn promote_reductions(&mut self, compute: &mut Compute) {
        let mut reduced: Vec<VarId> = compute.reductions.iter().map(|item| item.var).collect();
        let body = match &compute.body.kind {
            StmtKind::Block(list) => list.last().unwrap_or(&compute.body),
            _ => &compute.body,
        };
        if let StmtKind::Loop(inner) = &body.kind
            && inner.span == compute.span
        {
            reduced.extend(inner.reductions.iter().map(|item| item.var));
        }
        for item in &mut compute.data {
            let one_way = matches!(item.clause, MapKind::CopyIn | MapKind::CopyOut | MapKind::Create);
            if !one_way || !reduced.iter().any(|var| covers(item, *var)) {
                continue;
            }
            self.session.sink.push(
                Diagnostic::warning(
                    ids::REDUCTION_DATA_CLAUSE,
                    item.span,
                    format!(
                        "`{}` does not copy the result of the reduction of `{}` both ways; treated as `copy`",
                        data_name(item.clause),
                        item.name
                    ),
                )
                .note("write `copy`"),
            );
            item.clause = MapKind::Copy;
        }
    }

    /// `data`.
    pub(super) fn data_construct(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        self.check_host_code(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let scheduling = self.scheduling(&selected);
        let mut data = Vec::new();
        for clause in &selected {
            if let ClauseKind::Data(which, modifiers, items) = &clause.kind {
                self.data_items(*which, *modifiers, items, &mut data);
            }
        }
        self.resolve_repeats(&mut data, Repeats::EachSection);
        let default = selected.iter().find_map(|clause| match clause.kind {
            ClauseKind::Default(kind) => Some(kind),
            _ => None,
        });
        self.finish_data(directive, scheduling, (data, default), statement)
    }

    /// Analyses the statement of a data construct.
    pub(super) fn finish_data(
        &mut self,
        directive: &Directive,
        scheduling: Scheduling,
        (data, default): (Vec<DataItem>, Option<DefaultKind>),
        statement: &ast::Stmt,
    ) -> Stmt {
        self.acc.constructs.push(Enclosing::Data { items: data.clone(), default });
        self.enter_construct(directive.kind.name(), directive.name_span);
        let body = self.stmt(statement);
        self.leave_construct();
        self.acc.constructs.pop();
        let span = directive.span;
        Stmt {
            kind: StmtKind::Data(Box::new(DataConstruct { scheduling, data, body, span })),
            span: span.to(statement.span),
        }
    }

    /// `host_data`.
    pub(super) fn host_data_construct(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        self.check_host_code(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let scheduling = self.scheduling(&selected);
        let mut items = Vec::new();
        for clause in &selected {
            if let ClauseKind::Data(which, modifiers, list) = &clause.kind {
                self.data_items(*which, *modifiers, list, &mut items);
            }
        }
        self.resolve_repeats(&mut items, Repeats::OneAddress);
        if items.is_empty() && !directive.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Data(..))) {
            self.emit(Diagnostic::warning(
                ids::HOST_DATA_EMPTY,
                directive.name_span,
                "`host_data` without `use_device` has no effect",
            ));
        }
        let if_present = selected.iter().any(|c| matches!(c.kind, ClauseKind::IfPresent));
        let vars: Vec<VarId> = items.iter().map(|item| item.var).collect();
        self.acc.constructs.push(Enclosing::HostData { vars, span: directive.name_span });
        self.enter_construct(directive.kind.name(), directive.name_span);
        let mut body = self.stmt(statement);
        self.leave_construct();
        self.acc.constructs.pop();
        let vars = self.use_device_addresses(items, &mut body);
        let span = directive.span;
        Stmt {
            kind: StmtKind::HostData(Box::new(HostDataConstruct {
                scheduling,
                if_present,
                vars,
                body,
                span,
            })),
            span: span.to(statement.span),
        }
    }

    /// Replaces the variables of `use_device` in `body` by fresh ones that hold the device addresses.
    pub(super) fn use_device_addresses(
        &mut self,
        items: Vec<DataItem>,
        body: &mut Stmt,
    ) -> Vec<(DataItem, VarId)> {
        let mut fresh = FxHashMap::default();
        let mut vars = Vec::new();
        for item in items {
            let ty = self.vars[item.var.0 as usize].ty;
            let object = !matches!(item.shape, DataShape::Pointer(_));
            let pointer = if object { self.types.pointer_to(ty) } else { ty.ty };
            let var = self.hidden_var(QualType::plain(pointer), item.span);
            if !object {
                // The statement may change it, as it may the one that it stands for.
                self.vars[var.0 as usize].name = self.vars[item.var.0 as usize].name;
            }
            fresh.insert(item.var, DeviceAddress { var, pointer, object });
            vars.push((item, var));
        }
        let mut rewrite = DeviceAddresses { fresh, ..DeviceAddresses::default() };
        rewrite.stmt(body);
        for var in rewrite.addressed {
            self.vars[var.0 as usize].in_memory = true;
        }
        vars
    }

    /// `if`, `self`, `async`, `wait`.
    pub(super) fn scheduling(&mut self, clauses: &[&Clause]) -> Scheduling {
        let mut out = Scheduling::default();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::If(condition) => out.if_ = self.condition_argument("if", condition),
                ClauseKind::SelfCondition(Some(condition)) => {
                    out.self_ = self.condition_argument("self", condition);
                }
                ClauseKind::SelfCondition(None) => {
                    let ty = QualType::plain(IntKind::Int.type_id());
                    out.self_ = Some(Expr { kind: ExprKind::Int(1), ty, span: clause.span });
                }
                ClauseKind::Async(queue) => {
                    out.async_ = match queue {
                        None => Some(None),
                        Some(queue) => self.int_argument("async", queue, Wanted::Queue).map(Some),
                    };
                }
                ClauseKind::Wait(args) => {
                    let wait = out.wait.get_or_insert_with(WaitArgs::default);
                    let args = args.as_ref().map(|args| self.wait_args(args));
                    if let Some(args) = args {
                        wait.devnum = args.devnum.or(wait.devnum.take());
                        wait.queues.extend(args.queues);
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// The arguments of a `wait` clause or directive.
    pub(super) fn wait_args(&mut self, args: &crate::directive::WaitArgs) -> WaitArgs {
        WaitArgs {
            devnum: args.devnum.as_ref().and_then(|e| self.int_argument("wait(devnum:)", e, Wanted::Any)),
            queues: args.queues.iter().filter_map(|e| self.int_argument("wait", e, Wanted::Queue)).collect(),
        }
    }
}

/// What holds the device address of a variable.
#[derive(Clone, Copy)]
pub(super) struct DeviceAddress {
    /// The variable that holds it.
    pub(super) var: VarId,
    /// The type of `var`.
    pub(super) pointer: TypeId,
    /// The variable is an object on the device, which `var` points to; else it is a pointer, whose place
    /// `var` takes.
    pub(super) object: bool,
}

/// Rewrites uses of variables to uses of their device addresses.
#[derive(Default)]
pub(super) struct DeviceAddresses {
    /// The address of each variable.
    pub(super) fresh: FxHashMap<VarId, DeviceAddress>,
    /// Fresh variables whose own address is taken.
    addressed: Vec<VarId>,
}

impl VisitMut for DeviceAddresses {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::Loop(construct) = &mut stmt.kind
            && let Some(shared) = &mut construct.team
        {
            // What lies at a known address is in no memory of the team's.
            shared.retain(|var| !self.fresh.contains_key(var));
        }
        walk_stmt_mut(self, stmt);
    }

    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::AddrOf(inner) = &expr.kind
            && let ExprKind::Var(var) = inner.kind
            && let Some(address) = self.fresh.get(&var)
            && !address.object
        {
            self.addressed.push(address.var);
        }
        let ExprKind::Var(var) = expr.kind else { return walk_expr_mut(self, expr) };
        let Some(&DeviceAddress { var, pointer, object }) = self.fresh.get(&var) else { return };
        let span = expr.span;
        let place = Expr { kind: ExprKind::Var(var), ty: QualType::plain(pointer), span };
        if object {
            let address = Expr { kind: ExprKind::Load(Box::new(place)), ty: QualType::plain(pointer), span };
            expr.kind = ExprKind::Deref(Box::new(address));
        } else {
            *expr = place;
        }
    }
}
