//! Which regions may stand in which (OpenMP 5.2, 17.1), as far as one function shows it: a barrier that not
//! all threads come to would wait for ever, and so would a thread for a critical section that it is in.
//!
//! Two constructs are *closely* nested if no team begins in between, *strictly* if nothing does. `atomic` and
//! `flush` are let in everywhere, as they work everywhere.

use super::super::ids;
use crate::diag::Diagnostic;
use crate::directive::{BindKind, ClauseKind, Directive, OmpKind, Parts, takes_statement};
use crate::intern::Symbol;
use crate::sema::Sema;
use crate::source::Span;

/// What a construct is for the rules about nesting. A combined directive is several, from outer to inner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Target,
    Teams,
    Distribute,
    Parallel,
    /// `for`, `sections`, `single`.
    Worksharing,
    /// `scope`: all threads must come to it, and do what stands in it.
    Scope,
    /// A `loop` that binds to no team of threads.
    Loop,
    /// A `loop` whose iterations the threads of a team share.
    SharedLoop,
    Simd,
    Masked,
    /// `task`, `taskloop`.
    Tasks,
    Critical,
    /// `ordered` with a block: which iterations take turns.
    Ordered,
    /// `ordered simd`.
    OrderedSimd,
    Barrier,
    /// Another construct, such as `taskgroup`, and another directive without a statement.
    Other,
}

/// A construct around the statement being analysed.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    role: Role,
    /// Its iterations may be executed in any order: `loop`, and `order(concurrent)`.
    concurrent: bool,
    /// The name of a critical section, if it has one.
    lock: Option<Symbol>,
    /// The directive, as users write it.
    name: &'static str,
    place: Span,
}

impl Region {
    /// Whether threads or teams begin with it.
    fn begins_team(&self) -> bool {
        matches!(self.role, Role::Target | Role::Teams | Role::Parallel)
    }
}

/// Why a directive must not stand where it does: the construct around it, and the reason.
type Fault<'a> = (&'a Region, &'static str);

impl Sema<'_> {
    /// Analyses a construct of OpenMP by `analyse`, for which it is around what that analyses.
    pub(in super::super) fn nested_omp<T>(
        &mut self,
        directive: &Directive,
        kind: OmpKind,
        analyse: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outside = self.acc.regions.len();
        let regions = self.regions_of(directive, kind);
        self.check_nesting(directive, &regions);
        if takes_statement(&directive.kind) {
            self.acc.regions.extend(regions);
        }
        let analysed = analyse(self);
        self.acc.regions.truncate(outside);
        analysed
    }

    /// Says if a directive must not stand where it does.
    fn check_nesting(&mut self, directive: &Directive, regions: &[Region]) {
        let Some(first) = regions.first() else { return };
        let Some((around, why)) = fault(first, &self.acc.regions) else { return };
        let message = match (first.role, around.role) {
            (Role::Critical, Role::Critical) => "`omp critical` inside of one of the same name".to_owned(),
            _ => format!("`{}` inside of `{}`", directive.kind.name(), around.name),
        };
        let diagnostic = Diagnostic::error(ids::CONSTRUCT_NESTING, directive.name_span, message)
            .related(around.place, "the construct around it")
            .note(why);
        self.emit(diagnostic);
    }

    /// What a directive is for the rules, from outer to inner; nothing if there are none about it.
    fn regions_of(&self, directive: &Directive, kind: OmpKind) -> Vec<Region> {
        let parts = directive.parts;
        let roles = match kind {
            OmpKind::Target
            | OmpKind::TargetTeamsLoop(_)
            | OmpKind::Parallel
            | OmpKind::Combined(_)
            | OmpKind::Master => self.roles_of_parts(directive),
            OmpKind::Task => vec![Role::Tasks],
            OmpKind::Single => vec![Role::Worksharing],
            OmpKind::Scope => vec![Role::Scope],
            OmpKind::Critical => vec![Role::Critical],
            OmpKind::Ordered if parts.has(Parts::SIMD) => vec![Role::OrderedSimd],
            OmpKind::Ordered => vec![Role::Ordered],
            OmpKind::Barrier => vec![Role::Barrier],
            OmpKind::Taskgroup
            | OmpKind::TargetData
            | OmpKind::TargetEnterData
            | OmpKind::TargetExitData
            | OmpKind::TargetUpdate
            | OmpKind::Taskwait
            | OmpKind::Taskyield
            | OmpKind::Doacross
            | OmpKind::Cancel(_)
            | OmpKind::CancellationPoint(_)
            | OmpKind::Depobj => vec![Role::Other],
            OmpKind::Section
            | OmpKind::Flush
            | OmpKind::DeclareTarget
            | OmpKind::EndDeclareTarget
            | OmpKind::Requires
            | OmpKind::Threadprivate
            | OmpKind::DeclareReduction
            | OmpKind::DeclareMapper
            | OmpKind::DeclareSimd
            | OmpKind::Allocate
            | OmpKind::LoopTransformation
            | OmpKind::Scan
            | OmpKind::Nothing
            | OmpKind::Error
            | OmpKind::Assume
            | OmpKind::Assumes
            | OmpKind::Unsupported => Vec::new(),
        };
        let lock = directive.clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Names(names) if kind == OmpKind::Critical => names.first().map(|name| name.sym),
            _ => None,
        });
        let concurrent = parts.has(Parts::LOOP)
            || directive.clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Order { .. }));
        let (name, place) = (directive.kind.name(), directive.name_span);
        roles.into_iter().map(|role| Region { role, concurrent, lock, name, place }).collect()
    }

    /// The constructs that the name of a directive combines.
    fn roles_of_parts(&self, directive: &Directive) -> Vec<Role> {
        let of_loop = if self.loop_is_shared(directive) { Role::SharedLoop } else { Role::Loop };
        let roles = [
            (Parts::TARGET, Role::Target),
            (Parts::TEAMS, Role::Teams),
            (Parts::DISTRIBUTE, Role::Distribute),
            (Parts::PARALLEL, Role::Parallel),
            (Parts::MASKED, Role::Masked),
            (Parts::FOR.with(Parts::SECTIONS), Role::Worksharing),
            (Parts::TASKLOOP, Role::Tasks),
            (Parts::LOOP, of_loop),
            (Parts::SIMD, Role::Simd),
        ];
        roles.into_iter().filter(|&(part, _)| directive.parts.has(part)).map(|(_, role)| role).collect()
    }

    /// Whether the threads of a team share the iterations of a `loop`.
    pub(super) fn loop_is_shared(&self, directive: &Directive) -> bool {
        let bind = directive.clauses.iter().find_map(|clause| match clause.kind {
            ClauseKind::BindTo(bind) => Some(bind),
            _ => None,
        });
        let closest = || self.acc.regions.iter().rev().find(|region| region.begins_team());
        match bind {
            Some(bind) => bind == BindKind::Parallel,
            None => {
                directive.parts.has(Parts::PARALLEL)
                    || closest().is_some_and(|region| region.role == Role::Parallel)
            }
        }
    }
}

/// Why `inner` must not stand in `regions`, innermost last.
fn fault<'a>(inner: &Region, regions: &'a [Region]) -> Option<Fault<'a>> {
    let around = regions.last()?;
    if inner.role == Role::Critical {
        let same = regions.iter().rev().find(|r| r.role == Role::Critical && r.lock == inner.lock);
        if let Some(same) = same {
            return Some((same, "a thread in the one would wait in the other for itself"));
        }
    }
    if let Some(why) = strictly(inner.role, around.role) {
        return Some((around, why));
    }
    // Of what is closely around, the innermost is at fault.
    for around in regions.iter().rev() {
        let why = match around.role {
            Role::Simd => within_simd(inner.role),
            _ => within_concurrent(inner.role).filter(|_| around.concurrent && !around.begins_team()),
        };
        if let Some(why) = why.or_else(|| closely(inner.role, around.role)) {
            return Some((around, why));
        }
        if around.begins_team() {
            return None;
        }
    }
    None
}

/// Why a construct must not stand in another one with nothing between.
fn strictly(inner: Role, around: Role) -> Option<&'static str> {
    match (inner, around) {
        (Role::Teams, Role::Target) => None,
        (Role::Teams, _) => Some("`teams` stands in `target` with nothing between, or in no construct"),
        (Role::Distribute, Role::Teams) => None,
        (Role::Distribute, _) => Some("`distribute` stands in `teams` with nothing between"),
        (Role::Parallel | Role::Loop | Role::SharedLoop, Role::Teams) => None,
        (_, Role::Teams) => Some(
            "in `teams` stand `distribute`, `parallel` and `loop`, and all else in one of them: put a \
             `parallel` between",
        ),
        _ => None,
    }
}

/// Why a construct must not stand in `simd`.
fn within_simd(inner: Role) -> Option<&'static str> {
    match inner {
        Role::Simd | Role::Loop | Role::SharedLoop | Role::OrderedSimd => None,
        _ => Some("in `simd` stand `simd`, `loop`, `atomic`, `ordered simd`: one thread executes it"),
    }
}

/// Why a construct must not stand in a loop whose order is concurrent.
fn within_concurrent(inner: Role) -> Option<&'static str> {
    match inner {
        Role::Parallel | Role::Simd | Role::Loop | Role::SharedLoop | Role::OrderedSimd => None,
        _ => {
            Some("where the order is concurrent, as in `loop`, stand `parallel`, `simd`, `loop` and `atomic`")
        }
    }
}

/// Why a construct must not be closely nested in another one.
fn closely(inner: Role, around: Role) -> Option<&'static str> {
    use Role::{Barrier, Critical, Loop, Masked, Ordered, Scope, SharedLoop, Tasks, Worksharing};
    match (inner, around) {
        (Barrier, Worksharing | SharedLoop | Loop | Tasks | Critical | Ordered | Masked) => {
            Some("not every thread of the team comes here equally often: those that do would wait for ever")
        }
        (
            Worksharing | SharedLoop | Scope,
            Worksharing | SharedLoop | Loop | Tasks | Critical | Ordered | Masked,
        ) => Some(
            "the threads of a team must all come to what they share: put a `parallel` between, or it behind \
             the construct",
        ),
        (Masked, Worksharing | SharedLoop | Loop | Tasks) => {
            Some("which thread comes here is not known; `if (omp_get_thread_num() == 0)` asks for that")
        }
        (Ordered, Critical | Ordered | SharedLoop | Loop | Tasks) => {
            Some("a thread that waits for its turn must hold nothing that others need to come to theirs")
        }
        _ => None,
    }
}
