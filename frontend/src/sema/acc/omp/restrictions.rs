//! What OpenMP forbids of clauses beside each other: rules about the clauses of one directive, whatever
//! its statement is. Which directives take a clause is in [`crate::clause_table`].

use super::super::build::Wanted;
use super::super::ids;
use super::super::loops::MAX_NEST;
use super::sharing::loop_variables;
use crate::ast;
use crate::clause_table::ClauseRow;
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, Directive, IfOf, OmpKind, Parts, ScheduleKind};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

impl Sema<'_> {
    /// Reports clauses that exclude each other, and variables that clauses cannot be about.
    pub(super) fn check_restrictions(&mut self, directive: &Directive, kind: OmpKind, statement: &ast::Stmt) {
        let clauses: Vec<&Clause> = directive.clauses.iter().collect();
        for (first, second) in
            [("order", "ordered"), ("mergeable", "detach"), ("grainsize", "num_tasks"), ("full", "partial")]
        {
            self.check_one_of(&clauses, first, second);
        }
        self.check_conditions(directive, kind);
        let parts = directive.parts;
        for clause in &clauses {
            match &clause.kind {
                ClauseKind::Schedule(.., modifiers) if modifiers.nonmonotonic && modifiers.monotonic => {
                    let message = "`monotonic` and `nonmonotonic` exclude each other";
                    self.error(ids::CONFLICTING_CLAUSES, clause.span, message);
                }
                ClauseKind::Schedule(.., modifiers)
                    if modifiers.nonmonotonic
                        && let Some(ordered) =
                            clauses.iter().find(|other| matches!(other.kind, ClauseKind::Ordered(_))) =>
                {
                    let message = "`nonmonotonic` and `ordered` exclude each other";
                    let diagnostic = Diagnostic::error(ids::CONFLICTING_CLAUSES, clause.span, message);
                    self.emit(diagnostic.related(ordered.span, "the other one"));
                }
                ClauseKind::Schedule(ScheduleKind::Auto | ScheduleKind::Runtime, Some(chunk), _) => {
                    let message = "`auto` and `runtime` take no chunk: the runtime chooses it";
                    self.error(ids::CLAUSE_ARGUMENT, chunk.span, message);
                }
                ClauseKind::Schedule(_, Some(chunk), _) => {
                    self.int_argument("schedule", chunk, Wanted::Any);
                }
                ClauseKind::IsDevicePtr(items) => self.check_no_section(items),
                ClauseKind::UseDevicePtr(items) => self.check_addresses(items),
                ClauseKind::ReductionOfTasks(..) if parts.has(Parts::SIMD.with(Parts::LOOP)) => {
                    let message = "no task can take part in a reduction of `simd` or `loop`";
                    self.error(ids::CONFLICTING_CLAUSES, clause.span, message);
                }
                ClauseKind::ReductionOfTasks(..)
                    if clauses.iter().any(|other| matches!(other.kind, ClauseKind::Nowait)) =>
                {
                    let message = "tasks take part until the threads meet, which `nowait` leaves out";
                    self.error(ids::CONFLICTING_CLAUSES, clause.span, message);
                }
                ClauseKind::Linear(items, step) => {
                    self.check_not_const(clause.row, items);
                    self.check_linear(items, step.as_ref());
                    let doacross =
                        clauses.iter().find(|other| matches!(other.kind, ClauseKind::Ordered(Some(_))));
                    if let Some(ordered) = doacross {
                        let message = "`linear` and `ordered` with a number of loops exclude each other";
                        let diagnostic = Diagnostic::error(ids::CONFLICTING_CLAUSES, clause.span, message);
                        self.emit(diagnostic.related(ordered.span, "the other one"));
                    }
                }
                ClauseKind::Private(items)
                | ClauseKind::LastPrivate(items)
                | ClauseKind::ConditionalLastPrivate(items) => self.check_not_const(clause.row, items),
                ClauseKind::Aligned(items, alignment) => self.check_aligned(items, alignment.as_ref()),
                ClauseKind::Hint(hint) if kind == OmpKind::Critical => {
                    let name = clauses.iter().find_map(|other| match &other.kind {
                        ClauseKind::Names(names) => names.first(),
                        _ => None,
                    });
                    match (self.check_hint(hint), name) {
                        (Some(hint), Some(name)) => self.check_hint_of_lock(hint, clause.span, *name),
                        (Some(hint), None) if hint != 0 => {
                            let message =
                                "a `critical` that has a hint needs a name: all others share its lock";
                            self.error(ids::MISSING_CLAUSE, clause.span, message);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        self.check_lanes(&clauses);
        if parts.has_loop() {
            self.check_counters(parts, &clauses, statement);
        }
        self.check_named_once(&clauses, "`linear` clauses", |kind| match kind {
            ClauseKind::Linear(items, _) => Some(items),
            _ => None,
        });
        self.check_named_once(&clauses, "`aligned` clauses", |kind| match kind {
            ClauseKind::Aligned(items, _) => Some(items),
            _ => None,
        });
        self.check_named_once(&clauses, "`nontemporal` clauses", |kind| match kind {
            ClauseKind::Nontemporal(items) => Some(items),
            _ => None,
        });
        if kind == OmpKind::Target {
            self.check_named_once(&clauses, "the clauses of `target`", |kind| match kind {
                ClauseKind::Private(items)
                | ClauseKind::FirstPrivate(items)
                | ClauseKind::IsDevicePtr(items)
                | ClauseKind::HasDeviceAddr(items) => Some(items),
                _ => None,
            });
            self.check_not_mapped(&clauses);
        }
    }

    /// The constructs that `if` clauses are about.
    fn check_conditions(&mut self, directive: &Directive, kind: OmpKind) {
        let has = |of: IfOf| match of {
            IfOf::Target => matches!(kind, OmpKind::Target | OmpKind::TargetTeamsLoop(_)),
            IfOf::Teams => directive.parts.has(Parts::TEAMS),
            IfOf::Parallel => kind == OmpKind::Parallel || directive.parts.has(Parts::PARALLEL),
            IfOf::Simd => directive.parts.has(Parts::SIMD),
            IfOf::Task => kind == OmpKind::Task || directive.parts.has(Parts::TASKLOOP),
            IfOf::Cancel => false,
            IfOf::TargetData => kind == OmpKind::TargetData,
        };
        let (mut of_all, mut named) = (None, Vec::new());
        for clause in &directive.clauses {
            match &clause.kind {
                ClauseKind::If(_) => {
                    if let Some(first) = of_all.replace(clause.span) {
                        self.two_conditions(clause.span, first);
                    }
                }
                ClauseKind::IfOf(of, _) => {
                    if !has(*of) {
                        let message = "this `if` is about a construct that the directive has not";
                        let diagnostic = Diagnostic::error(ids::CLAUSE_NOT_ALLOWED, clause.span, message);
                        self.emit(diagnostic.related(directive.name_span, "the directive"));
                    }
                    if let Some((_, first)) = named.iter().find(|(other, _)| other == of) {
                        self.two_conditions(clause.span, *first);
                    }
                    named.push((*of, clause.span));
                }
                _ => {}
            }
        }
        if let (Some(of_all), Some((_, first))) = (of_all, named.first()) {
            let message = "one `if` names its construct, so that each must";
            let diagnostic = Diagnostic::error(ids::CONFLICTING_CLAUSES, of_all, message);
            self.emit(diagnostic.related(*first, "the other one"));
        }
    }

    fn two_conditions(&mut self, second: Span, first: Span) {
        let diagnostic = Diagnostic::error(ids::DUPLICATE_CLAUSE, second, "too many `if` clauses");
        self.emit(diagnostic.related(first, "the first one"));
    }

    /// A private copy of a constant would never get a value.
    fn check_not_const(&mut self, row: &ClauseRow, items: &[ast::Expr]) {
        for item in items {
            let Some(var) = self.item_variable(item) else { continue };
            if self.vars[var.0 as usize].ty.quals.const_ {
                let message = format!("`{}` in `{}` is `const`", self.var_text(var), row.name);
                let note = "`shared` and `firstprivate` take constants";
                self.emit(Diagnostic::error(ids::DATA_ITEM, item.span, message).note(note));
            }
        }
    }

    /// What advances from one iteration to the next is an integer or a pointer.
    fn check_linear(&mut self, items: &[ast::Expr], step: Option<&ast::Expr>) {
        if let Some(step) = step {
            self.int_argument("linear", step, Wanted::Any);
        }
        for item in items {
            let Some(var) = self.item_variable(item) else { continue };
            let ty = self.vars[var.0 as usize].ty;
            if !self.types.is_integer(ty.ty) && !self.types.is_pointer(ty.ty) {
                let (name, ty) = (self.var_text(var), self.type_text(ty));
                let message = format!("`{name}` in `linear` has type `{ty}`");
                let note = "a variable that advances by steps is an integer or a pointer";
                self.emit(Diagnostic::error(ids::DATA_ITEM, item.span, message).note(note));
            }
        }
    }

    /// Pointers and arrays have what is aligned, to a constant number of bytes.
    fn check_aligned(&mut self, items: &[ast::Expr], alignment: Option<&ast::Expr>) {
        if let Some(alignment) = alignment {
            self.constant_argument("aligned", alignment, u32::MAX);
        }
        for item in items {
            let Some(var) = self.item_variable(item) else { continue };
            let ty = self.vars[var.0 as usize].ty;
            if !self.types.is_pointer(ty.ty) && !self.types.is_array(ty.ty) {
                let (name, ty) = (self.var_text(var), self.type_text(ty));
                let message = format!("`{name}` in `aligned` has type `{ty}`");
                let note = "the clause takes pointers and arrays";
                self.emit(Diagnostic::error(ids::DATA_ITEM, item.span, message).note(note));
            }
        }
    }

    /// The value of a hint; none if it is no hint, which is told.
    pub(in crate::sema::acc) fn check_hint(&mut self, hint: &ast::Expr) -> Option<i128> {
        let value = self.rvalue(hint);
        if self.is_error(&value) {
            return None;
        }
        let Some(value) = self.const_int(&value).filter(|value| *value >= 0) else {
            let message = "the argument of `hint` must be a constant of `omp_sync_hint_t`";
            self.error(ids::CLAUSE_ARGUMENT, hint.span, message);
            return None;
        };
        for (bits, one, other) in [(3, "uncontended", "contended"), (12, "nonspeculative", "speculative")] {
            if value & bits == bits {
                let message = format!("the hint says `{one}` and `{other}`");
                self.error(ids::CLAUSE_ARGUMENT, hint.span, message);
            }
        }
        Some(value)
    }

    /// All `critical` constructs of a name say the same about their lock.
    fn check_hint_of_lock(&mut self, hint: i128, span: Span, name: ast::Ident) {
        let (first, place) = *self.acc.hints_of_locks.entry(name.sym).or_insert((hint, span));
        if first != hint {
            let message = format!(
                "the hint is {hint}, and {first} on another `critical` named `{}`",
                self.session.interner.text(name.sym)
            );
            let diagnostic = Diagnostic::error(ids::CLAUSE_ARGUMENT, span, message);
            self.emit(diagnostic.related(place, "the other one"));
        }
    }

    /// Variables that one directive updates in both directions.
    pub(super) fn check_motions(&mut self, directive: &Directive) {
        let clauses: Vec<&Clause> = directive.clauses.iter().collect();
        self.check_named_once(&clauses, "the motion clauses", |kind| match kind {
            ClauseKind::Motion(_, _, items) => Some(items),
            _ => None,
        });
    }

    /// `is_device_ptr` is about a pointer, not about what it leads to.
    fn check_no_section(&mut self, items: &[ast::Expr]) {
        for item in items.iter().filter(|item| matches!(item.kind, ast::ExprKind::Section(..))) {
            let message = "a section in `is_device_ptr`";
            let note = "name the pointer; `has_device_addr` takes sections";
            self.emit(Diagnostic::error(ids::DATA_ITEM, item.span, message).note(note));
        }
    }

    /// `use_device_ptr` is about variables that hold addresses.
    fn check_addresses(&mut self, items: &[ast::Expr]) {
        for item in items.iter().filter(|item| is_plain(item)) {
            let Some(var) = self.item_variable(item) else { continue };
            let ty = self.vars[var.0 as usize].ty.ty;
            if !self.types.is_pointer(ty) && !self.types.is_array(ty) {
                let message = format!("`{}` in `use_device_ptr` is no pointer", self.var_text(var));
                let note = "`use_device_addr` takes other variables";
                self.emit(Diagnostic::error(ids::DATA_ITEM, item.span, message).note(note));
            }
        }
    }

    /// How many iterations `simd` may execute at once.
    fn check_lanes(&mut self, clauses: &[&Clause]) {
        let (mut safelen, mut simdlen) = (None, None);
        for clause in clauses {
            let (ClauseKind::Safelen(count) | ClauseKind::Simdlen(count)) = &clause.kind else { continue };
            let value = self.constant_argument(clause.row.name, count, u32::MAX);
            match clause.kind {
                ClauseKind::Safelen(_) => safelen = value,
                _ => simdlen = value.map(|value| (value, clause.span)),
            }
        }
        if let (Some(most), Some((wanted, span))) = (safelen, simdlen)
            && wanted > most
        {
            let message = format!("`simdlen({wanted})` is more than `safelen({most})` allows");
            self.error(ids::CONFLICTING_CLAUSES, span, message);
        }
    }

    /// A variable that counts iterations is each thread's own, with a value that the loop gives it.
    fn check_counters(&mut self, parts: Parts, clauses: &[&Clause], statement: &ast::Stmt) {
        let count = clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Collapse { count, .. } => Some(count),
            _ => None,
        });
        let count = count.map(|count| self.rvalue(count)).and_then(|count| self.const_int(&count));
        let depth = count.and_then(|count| u32::try_from(count).ok()).unwrap_or(1);
        let counters = loop_variables(self, statement, depth.min(MAX_NEST));
        for clause in clauses {
            let is_about_others = match &clause.kind {
                ClauseKind::FirstPrivate(_)
                | ClauseKind::Reduction(..)
                | ClauseKind::ReductionOfTasks(..)
                | ClauseKind::InscanReduction(..) => true,
                ClauseKind::Linear(..) => !parts.has(Parts::SIMD),
                _ => false,
            };
            let named = if is_about_others { self.named_in(clause) } else { Vec::new() };
            if let Some(var) = named.into_iter().find(|var| counters.contains(var)) {
                let (name, clause_name) = (self.var_text(var), clause.row.name);
                let message = format!("`{name}` in `{clause_name}`: the loop counts its iterations with it");
                let note = "`private` and `lastprivate` take such a variable";
                self.emit(Diagnostic::error(ids::DATA_ITEM, clause.span, message).note(note));
            }
        }
    }

    /// Variables that stand twice in clauses of a kind.
    fn check_named_once<'a>(
        &mut self,
        clauses: &[&'a Clause],
        what: &str,
        items: impl Fn(&'a ClauseKind) -> Option<&'a Vec<ast::Expr>>,
    ) {
        let mut known: Vec<(VarId, Span)> = Vec::new();
        for item in clauses.iter().filter_map(|clause| items(&clause.kind)).flatten() {
            let Some(var) = is_plain(item).then(|| self.item_variable(item)).flatten() else { continue };
            if let Some(&(_, first)) = known.iter().find(|(other, _)| *other == var) {
                let message = format!("`{}` stands twice in {what} of one directive", self.var_text(var));
                let diagnostic = Diagnostic::error(ids::DUPLICATE_VARIABLE, item.span, message);
                self.emit(diagnostic.related(first, "first here"));
            }
            known.push((var, item.span));
        }
    }

    /// A variable of which `target` has copies is not mapped.
    fn check_not_mapped(&mut self, clauses: &[&Clause]) {
        let mut mapped: Vec<(VarId, Span)> = Vec::new();
        for clause in clauses {
            if let ClauseKind::Map(_, _, items) = &clause.kind {
                let plain = items.iter().filter(|item| is_plain(item));
                mapped.extend(plain.filter_map(|item| Some((self.item_variable(item)?, item.span))));
            }
        }
        for clause in clauses {
            let (ClauseKind::Private(items) | ClauseKind::FirstPrivate(items)) = &clause.kind else {
                continue;
            };
            for item in items {
                let var = self.item_variable(item);
                let Some(&(var, place)) = mapped.iter().find(|(other, _)| Some(*other) == var) else {
                    continue;
                };
                let (name, clause) = (self.var_text(var), clause.row.name);
                let message = format!("`{name}` is in `{clause}` and in `map` of one `target`");
                let diagnostic = Diagnostic::error(ids::DUPLICATE_VARIABLE, item.span, message);
                self.emit(diagnostic.related(place, "mapped here"));
            }
        }
    }
}

/// Whether an item is a name alone.
fn is_plain(item: &ast::Expr) -> bool {
    matches!(item.kind, ast::ExprKind::Ident(_))
}
