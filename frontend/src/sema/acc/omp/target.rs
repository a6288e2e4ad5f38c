//! `target` and its kin as compute constructs and data directives.

use super::super::build::Wanted;
use super::super::repeats::Repeats;
use super::super::{clauses, ids, nothing};
use crate::ast;
use crate::directive::{Clause, ClauseKind, Directive, OmpMapKind};
use crate::sema::Sema;
use crate::typed::*;
use accrue_ir::{ConstructKind, MapKind, MapModifiers};

/// Whether a clause of a combined `target` construct belongs to its loop.
fn belongs_to_loop(clause: &Clause) -> bool {
    matches!(clause.kind, ClauseKind::Collapse { .. } | ClauseKind::Private(_) | ClauseKind::Reduction(..))
}

/// What a map kind is on a construct with a statement, or on `target enter data`.
pub(super) fn entering(kind: OmpMapKind) -> Option<MapKind> {
    match kind {
        OmpMapKind::To => Some(MapKind::CopyIn),
        OmpMapKind::From => Some(MapKind::CopyOut),
        OmpMapKind::ToFrom => Some(MapKind::Copy),
        OmpMapKind::Alloc => Some(MapKind::Create),
        OmpMapKind::Release | OmpMapKind::Delete => None,
    }
}

/// What a map kind is on `target exit data`.
pub(super) fn leaving(kind: OmpMapKind) -> Option<MapKind> {
    match kind {
        OmpMapKind::From | OmpMapKind::ToFrom => Some(MapKind::CopyOut),
        OmpMapKind::Release | OmpMapKind::Delete => Some(MapKind::Delete),
        OmpMapKind::To | OmpMapKind::Alloc => None,
    }
}

impl Sema<'_> {
    /// `target`, alone or with `teams`, `distribute`, `parallel for`.
    pub(super) fn omp_target(
        &mut self,
        directive: &Directive,
        kind: ConstructKind,
        statement: &ast::Stmt,
    ) -> Stmt {
        self.check_host_code(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let combined = kind == ConstructKind::Parallel && matches!(statement.kind, ast::StmtKind::For { .. });
        let (on_loop, rest): (Vec<&Clause>, Vec<&Clause>) =
            selected.into_iter().partition(|clause| combined && belongs_to_loop(clause));
        let (scheduling, data) = self.omp_data(&rest, entering);
        let mut compute = Compute {
            kind,
            scheduling,
            dims: Dims::default(),
            data,
            private: Vec::new(),
            firstprivate: Vec::new(),
            firstprivate_written: 0,
            reductions: Vec::new(),
            default: None,
            maps_by_use: false,
            body: nothing(statement.span),
            span: directive.span,
        };
        self.check_repeated_private(&rest);
        for clause in &rest {
            self.omp_compute_clause(clause, &mut compute);
        }
        self.resolve_repeats(&mut compute.data, Repeats::OneAddress);
        compute.body = self.compute_body(directive, kind, combined.then_some(&on_loop), statement);
        self.finish_compute(compute, directive, statement)
    }

    pub(super) fn omp_compute_clause(&mut self, clause: &Clause, compute: &mut Compute) {
        match &clause.kind {
            ClauseKind::NumTeams(arg) => {
                compute.dims.num_gangs.extend(self.int_argument("num_teams", arg, Wanted::Positive));
            }
            ClauseKind::ThreadLimit(arg) => drop(self.int_argument("thread_limit", arg, Wanted::Positive)),
            ClauseKind::NumThreads(arg) => drop(self.int_argument("num_threads", arg, Wanted::Positive)),
            ClauseKind::Simdlen(arg) => drop(self.constant_argument("simdlen", arg, u32::MAX)),
            ClauseKind::Private(items) => self.private_vars("private", items, &mut compute.private),
            ClauseKind::FirstPrivate(items) => {
                self.private_vars("firstprivate", items, &mut compute.firstprivate);
            }
            ClauseKind::Reduction(op, items) => {
                self.reduction_items(*op, items, &mut compute.reductions);
            }
            ClauseKind::IsDevicePtr(items) => {
                self.data_items(MapKind::DevicePtr, MapModifiers::default(), items, &mut compute.data);
            }
            ClauseKind::Default(kind) => compute.default = Some(*kind),
            _ => {}
        }
    }

    /// Clauses that all `target` directives share: `if`, `device`, `map`, `depend`, `nowait`. The host runs
    /// them at once and in order, so that `nowait` and `depend` hold by themselves.
    pub(super) fn omp_data(
        &mut self,
        clauses: &[&Clause],
        meaning: fn(OmpMapKind) -> Option<MapKind>,
    ) -> (Scheduling, Vec<DataItem>) {
        let mut scheduling = Scheduling { device: Device::Default, ..Scheduling::default() };
        let mut data = Vec::new();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::If(condition) => scheduling.if_ = self.condition_argument("if", condition),
                ClauseKind::Device(device) => {
                    if let Some(number) = self.int_argument("device", device, Wanted::Any) {
                        scheduling.device = Device::Number(number);
                    }
                }
                ClauseKind::Depend(_, items) => self.depend_items(items),
                ClauseKind::Map(kind, always, items) => {
                    let Some(which) = meaning(*kind) else {
                        self.error(
                            ids::DATA_ITEM,
                            clause.span,
                            "this kind of `map` is not valid on this directive",
                        );
                        continue;
                    };
                    let first = data.len();
                    self.data_items(which, MapModifiers::default(), items, &mut data);
                    if *always {
                        for item in &mut data[first..] {
                            item.modifiers =
                                MapModifiers { always_in: true, always_out: true, ..item.modifiers };
                        }
                    }
                }
                _ => {}
            }
        }
        (scheduling, data)
    }

    /// Items of `depend` are checked; one thread meets every dependence by running tasks in order.
    pub(super) fn depend_items(&mut self, items: &[ast::Expr]) {
        for item in items {
            if matches!(item.kind, ast::ExprKind::Section(..) | ast::ExprKind::Index(..)) {
                self.section_item("depend", item);
            } else {
                self.expr(item);
            }
        }
    }
}
