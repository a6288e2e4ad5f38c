//! Directives the host executes and that have no statement: `enter data`, `exit data`, `update`, `wait`,
//! `init`, `shutdown`, `set`; and `cache`.

use super::build::Wanted;
use super::clauses;
use super::repeats::Repeats;
use super::{Enclosing, ids, nothing};
use crate::ast;
use crate::ctype::TypeId;
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, DeviceTypeName, Directive, DirectiveKind, OmpKind};
use crate::sema::Sema;
use crate::typed::*;
use accrue_ir::{DataKind, MapKind};

/// The `acc_device_t` of a device, as `openacc.h` has it.
fn device_number(name: DeviceTypeName) -> Option<i32> {
    match name {
        DeviceTypeName::Any | DeviceTypeName::Default => Some(1),
        DeviceTypeName::Host | DeviceTypeName::Multicore => Some(2),
        DeviceTypeName::NotHost => Some(4),
        DeviceTypeName::Nvidia => Some(5),
        DeviceTypeName::Radeon => Some(8),
        DeviceTypeName::Other => None,
    }
}

impl Sema<'_> {
    pub(super) fn executable(&mut self, directive: &Directive) -> Stmt {
        self.check_host_code(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let kind = match &directive.kind {
            DirectiveKind::EnterData => DataKind::Enter,
            DirectiveKind::ExitData => {
                DataKind::Exit { finalize: selected.iter().any(|c| matches!(c.kind, ClauseKind::Finalize)) }
            }
            DirectiveKind::Update => DataKind::Update {
                if_present: selected.iter().any(|c| matches!(c.kind, ClauseKind::IfPresent)),
            },
            DirectiveKind::Wait(_) => DataKind::Wait,
            DirectiveKind::Init => DataKind::Init,
            DirectiveKind::Shutdown => DataKind::Shutdown,
            _ => DataKind::Set,
        };
        let mut out = Executable::new(kind, self.scheduling(&selected), directive.span);
        if let DirectiveKind::Wait(args) = &directive.kind {
            out.scheduling.wait = Some(match args {
                Some(args) => self.wait_args(args),
                None => WaitArgs::default(),
            });
        }
        for clause in &selected {
            self.executable_clause(clause, &mut out);
        }
        if matches!(out.kind, DataKind::Exit { .. }) {
            out.data.iter_mut().for_each(|item| self.name_target(item));
        }
        if !matches!(out.kind, DataKind::Update { .. }) {
            self.resolve_repeats(&mut out.data, Repeats::Counted);
        }
        self.check_required(directive);
        Stmt { kind: StmtKind::Executable(Box::new(out)), span: directive.span }
    }

    /// `delete(p)` and `copyout(p)` of a pointer end the lifetime of what it leads to, unless the pointer's own
    /// storage has one: what is present tells.
    fn name_target(&self, item: &mut DataItem) {
        if let DataShape::Object(lvalue) = &item.shape
            && matches!(item.clause, MapKind::Delete | MapKind::CopyOut)
            && self.types.is_pointer(lvalue.ty.ty)
        {
            item.shape = DataShape::Pointer(lvalue.clone());
            item.modifiers.by_use = true;
        }
    }

    fn executable_clause(&mut self, clause: &Clause, out: &mut Executable) {
        match &clause.kind {
            ClauseKind::Data(which, modifiers, items) => {
                self.data_items(*which, *modifiers, items, &mut out.data);
            }
            ClauseKind::DeviceType(names) => {
                for (name, ident) in names {
                    match device_number(*name) {
                        Some(number) => out.device_type = Some(out.device_type.unwrap_or(number)),
                        None => self.error(
                            ids::CLAUSE_ARGUMENT,
                            ident.span,
                            "unknown device; known are `host`, `not_host`, `default`, `nvidia`, `radeon`, `multicore`",
                        ),
                    }
                }
            }
            ClauseKind::DeviceNum(arg) => out.device_num = self.int_argument("device_num", arg, Wanted::Any),
            ClauseKind::DefaultAsync(arg) => {
                out.default_async = self.int_argument("default_async", arg, Wanted::Any);
            }
            _ => {}
        }
    }

    /// Reports directives that do nothing without certain clauses and have none of them.
    pub(super) fn check_required(&mut self, directive: &Directive) {
        let any = |wanted: fn(&ClauseKind) -> bool| directive.clauses.iter().any(|c| wanted(&c.kind));
        let data = any(|kind| matches!(kind, ClauseKind::Data(..)));
        let map = any(|kind| matches!(kind, ClauseKind::Map(..)));
        let (found, wanted) = match &directive.kind {
            DirectiveKind::EnterData => (data, "`copyin`, `create` or `attach`"),
            DirectiveKind::ExitData => (data, "`copyout`, `delete` or `detach`"),
            DirectiveKind::Update => (data, "`self`, `host` or `device`"),
            DirectiveKind::Set => {
                let set = any(|kind| {
                    matches!(
                        kind,
                        ClauseKind::DeviceType(_) | ClauseKind::DeviceNum(_) | ClauseKind::DefaultAsync(_)
                    )
                });
                (set, "`device_type`, `device_num` or `default_async`")
            }
            DirectiveKind::Omp(OmpKind::TargetEnterData | OmpKind::TargetExitData) => (map, "`map`"),
            DirectiveKind::Omp(OmpKind::TargetUpdate) => {
                (any(|kind| matches!(kind, ClauseKind::Motion(..))), "`to` or `from`")
            }
            DirectiveKind::Omp(OmpKind::TargetData) => {
                let pointers =
                    |kind: &_| matches!(kind, ClauseKind::UseDevicePtr(_) | ClauseKind::UseDeviceAddr(_));
                (map || any(pointers), "`map`, `use_device_ptr` or `use_device_addr`")
            }
            _ => return,
        };
        if found || !directive.is_complete {
            return;
        }
        let id = match &directive.kind {
            DirectiveKind::Update | DirectiveKind::Omp(OmpKind::TargetUpdate) => ids::UPDATE_EMPTY,
            _ => ids::MISSING_CLAUSE,
        };
        let message = format!("`#pragma {}` needs {wanted}", directive.kind.name());
        self.error(id, directive.name_span, message);
    }

    /// `cache`: a hint, checked and then dropped.
    pub(super) fn cache(&mut self, directive: &Directive, list: &[ast::Expr]) -> Stmt {
        for clause in &directive.clauses {
            let name = clause.row.name;
            self.error(
                ids::CLAUSE_NOT_ALLOWED,
                clause.span,
                format!("`{name}` is not valid on `#pragma acc cache`"),
            );
        }
        for expr in list {
            if !matches!(expr.kind, ast::ExprKind::Index(..) | ast::ExprKind::Section(..)) {
                self.whole_in_cache(expr);
                continue;
            }
            let Some(item) = self.section_item("cache", expr) else { continue };
            if item.dims.iter().skip(1).any(|d| d.pointer) {
                self.error(ids::NON_CONTIGUOUS_SECTION, expr.span, "array section is not contiguous");
                continue;
            }
            let _ = self.contiguous_run(&item.dims);
        }
        let in_loop = self.acc.constructs.iter().any(|c| matches!(c, Enclosing::Loop));
        if !in_loop && self.enclosing_compute().is_none() && self.current_routine().is_none() {
            self.emit(Diagnostic::warning(
                ids::CACHE_PLACEMENT,
                directive.name_span,
                "`cache` has no effect outside of loops on the device",
            ));
        }
        nothing(directive.span)
    }

    /// An item of `cache` without brackets: other compilers take a whole array.
    fn whole_in_cache(&mut self, expr: &ast::Expr) {
        let message = "`cache` takes array elements and sections, such as `a[i:4]`";
        let value = self.rvalue(expr);
        if matches!(expr.kind, ast::ExprKind::Error) || value.ty.ty == TypeId::ERROR {
            return;
        }
        if self.types.is_pointer(value.ty.ty) {
            self.emit(Diagnostic::warning(ids::CACHE_ITEM, expr.span, message));
        } else {
            self.error(ids::DATA_ITEM, expr.span, message);
        }
    }
}
