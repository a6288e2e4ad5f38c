//! Which regions may stand in which (OpenMP 5.2, 17.1), as far as one function shows it: a barrier that not
//! all threads come to would wait for ever, and so would a thread for a critical section that it is in.
//!
//! Two constructs are *closely* nested if no team begins in between, *strictly* if nothing does. `atomic` and
//! `flush` are let in everywhere, as they work everywhere.

use crate::intern::Symbol;
use crate::source::Span;

/// What a construct is for the rules about nesting. A combined directive is several, from outer to inner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
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
    pub(super) role: Role,
    /// Its iterations may be executed in any order: `loop`, and `order(concurrent)`.
    pub(super) concurrent: bool,
    /// The name of a critical section, if it has one.
    pub(super) lock: Option<Symbol>,
    /// The directive, as users write it.
    pub(super) name: &'static str,
    pub(super) place: Span,
}

impl Region {
    /// Whether threads or teams begin with it.
    pub(super) fn begins_team(&self) -> bool {
        matches!(self.role, Role::Target | Role::Teams | Role::Parallel)
    }
}

/// Why a directive must not stand where it does: the construct around it, and the reason.
pub(super) type Fault<'a> = (&'a Region, &'static str);

/// Why `inner` must not stand in `regions`, innermost last.
pub(super) fn fault<'a>(inner: &Region, regions: &'a [Region]) -> Option<Fault<'a>> {
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
