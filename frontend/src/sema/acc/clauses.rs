//! Which clauses of a directive count: those that are legal on it, and apply to the device being compiled
//! for.
//!
//! After [`select`] the later stages see only such clauses, in source order; everything else has been
//! reported.

use super::ids;
use crate::clause_table::on;
use crate::diag::{Diagnostic, Sink};
use crate::directive::{Clause, ClauseKind, DeviceTypeName, Directive, DirectiveKind};
use crate::options::Target;
use accrue_ir::MapKind;

/// Whether a name in `device_type` means a device.
fn is_named(target: Target, name: DeviceTypeName) -> bool {
    match name {
        DeviceTypeName::Any => false,
        DeviceTypeName::Default => true,
        DeviceTypeName::Host => target != Target::Nvidia,
        DeviceTypeName::Multicore => target == Target::Multicore,
        DeviceTypeName::Nvidia | DeviceTypeName::NotHost => target == Target::Nvidia,
        DeviceTypeName::Radeon | DeviceTypeName::Other => false,
    }
}

/// A stretch of clauses: those before the first `device_type`, or those behind one.
struct Segment<'a> {
    names: &'a [(DeviceTypeName, crate::ast::Ident)],
    clauses: Vec<&'a Clause>,
}

/// The clauses of `directive` that are legal on it and apply to `target`, in source order; `device_type`
/// itself is left out unless the directive takes it as an argument (`init`, `shutdown`, `set`).
pub fn select<'a>(directive: &'a Directive, target: Target, sink: &mut Sink) -> Vec<&'a Clause> {
    let argument =
        matches!(directive.kind, DirectiveKind::Init | DirectiveKind::Shutdown | DirectiveKind::Set);
    let mut segments = vec![Segment { names: &[], clauses: Vec::new() }];
    for clause in &directive.clauses {
        if !clause.row.is_on(&directive.kind) {
            sink.push(not_allowed(directive, clause));
            continue;
        }
        if let ClauseKind::DeviceType(names) = &clause.kind
            && !argument
        {
            segments.push(Segment { names, clauses: Vec::new() });
            continue;
        }
        let behind = segments.len() > 1;
        let Some(segment) = segments.last_mut() else { continue };
        if behind && !clause.row.per_device {
            sink.push(
                Diagnostic::error(
                    ids::DEVICE_TYPE_CLAUSE,
                    clause.span,
                    format!("`{}` may not follow `device_type`", clause.row.name),
                )
                .note("clauses that hold for every device stand before the first `device_type`"),
            );
            continue;
        }
        let first = segment.clauses.iter().find(|other| std::ptr::eq(other.row, clause.row));
        if let Some(first) = first
            && !clause.row.repeats
        {
            sink.push(match says_the_same(&directive.kind, &clause.kind, &first.kind) {
                true => repeated(clause, first),
                false => duplicate(clause, first),
            });
            continue;
        }
        segment.clauses.push(clause);
    }
    resolve(segments, target)
}

/// Clauses behind a `device_type` that names the target (else those behind `device_type(*)`) replace clauses
/// of the same name before the first, and those they contradict.
fn resolve(segments: Vec<Segment<'_>>, target: Target) -> Vec<&Clause> {
    let named = segments.iter().any(|s| s.names.iter().any(|(name, _)| is_named(target, *name)));
    let mut segments = segments.into_iter();
    let mut chosen = segments.next().map_or_else(Vec::new, |s| s.clauses);
    for segment in segments {
        let active = segment
            .names
            .iter()
            .any(|(name, _)| if named { is_named(target, *name) } else { *name == DeviceTypeName::Any });
        if active {
            chosen.retain(|general| !segment.clauses.iter().any(|clause| replaces(clause, general)));
            chosen.extend(segment.clauses);
        }
    }
    chosen
}

/// Whether a clause behind a matching `device_type` takes the place of one before the first.
fn replaces(clause: &Clause, general: &Clause) -> bool {
    let is_level =
        |c: &Clause| matches!(c.kind, ClauseKind::Gang(_) | ClauseKind::Worker(_) | ClauseKind::Vector(_));
    let is_ordered = |c: &Clause| matches!(c.kind, ClauseKind::Seq);
    let is_kind = |c: &Clause| matches!(c.kind, ClauseKind::Seq | ClauseKind::Auto | ClauseKind::Independent);
    std::ptr::eq(clause.row, general.row)
        || is_kind(clause) && is_kind(general)
        || is_ordered(clause) && is_level(general)
        || is_level(clause) && is_ordered(general)
}

fn not_allowed(directive: &Directive, clause: &Clause) -> Diagnostic {
    let (row, name) = (clause.row, directive.kind.name());
    let message = format!("`{}` is not valid on `#pragma {name}`", row.name);
    let diagnostic = Diagnostic::error(ids::CLAUSE_NOT_ALLOWED, clause.span, message)
        .related(directive.name_span, "the directive");
    let is_copy = matches!(clause.kind, ClauseKind::Data(MapKind::Copy, ..));
    let is_of_each = matches!(clause.kind, ClauseKind::Private(_) | ClauseKind::Reduction(..));
    match &directive.kind {
        DirectiveKind::Kernels { loop_: false } if is_of_each => {
            diagnostic.note(format!("put `{}` on the loop inside", row.name))
        }
        DirectiveKind::Parallel { loop_: false } | DirectiveKind::Kernels { loop_: false }
            if row.is_for(on::LOOP) =>
        {
            diagnostic.note(format!("`{name} loop` takes it"))
        }
        DirectiveKind::EnterData if is_copy => diagnostic.note("write `copyin` here"),
        DirectiveKind::ExitData if is_copy => diagnostic.note("write `copyout` here"),
        DirectiveKind::EnterData if row.is_for(on::EXIT_DATA) => diagnostic.note("`exit data` takes it"),
        DirectiveKind::ExitData if row.is_for(on::ENTER_DATA) => diagnostic.note("`enter data` takes it"),
        _ => diagnostic,
    }
}

/// Whether the second of two clauses of one name adds nothing, where OpenACC does not say that there may be
/// one only (as of `if`, `default`, `gang`, of the kind of a loop, and of the level of a routine).
fn says_the_same(directive: &DirectiveKind, second: &ClauseKind, first: &ClauseKind) -> bool {
    match (second, first) {
        (ClauseKind::Finalize, ClauseKind::Finalize)
        | (ClauseKind::IfPresent, ClauseKind::IfPresent)
        | (ClauseKind::Nohost, ClauseKind::Nohost) => true,
        (ClauseKind::Worker(None), ClauseKind::Worker(None))
        | (ClauseKind::Vector(None), ClauseKind::Vector(None)) => {
            !matches!(directive, DirectiveKind::Routine(_))
        }
        _ => false,
    }
}

fn repeated(second: &Clause, first: &Clause) -> Diagnostic {
    let message = format!("`{}` stands twice on one directive, which changes nothing", second.row.name);
    Diagnostic::warning(ids::REPEATED_CLAUSE, second.span, message).related(first.span, "the first one")
}

fn duplicate(second: &Clause, first: &Clause) -> Diagnostic {
    let message = format!("too many `{}` clauses", second.row.name);
    Diagnostic::error(ids::DUPLICATE_CLAUSE, second.span, message).related(first.span, "the first one")
}
