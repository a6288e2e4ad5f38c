//! Which clauses a directive takes, how often, and which of them apply to the device being compiled for.
//!
//! The tables are OpenACC 3.3's. After [`select`] the later stages see only clauses that are legal on the directive
//! and apply to the target, in source order; everything else has been reported.

use super::ids;
use crate::diag::{Diagnostic, Sink};
use crate::directive::*;
use crate::source::Span;
use accrue_ir::MapKind;

/// A clause without its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the clause of its name")]
pub enum Tag {
    If,
    SelfCondition,
    Async,
    Wait,
    NumGangs,
    NumWorkers,
    VectorLength,
    DeviceType,
    DeviceNum,
    DefaultAsync,
    Default,
    Data(MapKind),
    Private,
    FirstPrivate,
    Reduction,
    Gang,
    Worker,
    Vector,
    Seq,
    Auto,
    Independent,
    Collapse,
    Tile,
    Finalize,
    IfPresent,
    Bind,
    Nohost,
    Nowait,
    Depend,
    Map,
    MotionTo,
    MotionFrom,
    Device,
    NumTeams,
    ThreadLimit,
    NumThreads,
    Shared,
    IsDevicePtr,
    Final,
    Untied,
    Mergeable,
    Priority,
    Schedule,
    Simdlen,
}

impl Tag {
    /// The tag of a clause.
    pub fn of(kind: &ClauseKind) -> Tag {
        match kind {
            ClauseKind::If(_) => Tag::If,
            ClauseKind::SelfCondition(_) => Tag::SelfCondition,
            ClauseKind::Async(_) => Tag::Async,
            ClauseKind::Wait(_) => Tag::Wait,
            ClauseKind::NumGangs(_) => Tag::NumGangs,
            ClauseKind::NumWorkers(_) => Tag::NumWorkers,
            ClauseKind::VectorLength(_) => Tag::VectorLength,
            ClauseKind::DeviceType(_) => Tag::DeviceType,
            ClauseKind::DeviceNum(_) => Tag::DeviceNum,
            ClauseKind::DefaultAsync(_) => Tag::DefaultAsync,
            ClauseKind::Default(_) => Tag::Default,
            ClauseKind::Data(clause, _, _) => Tag::Data(*clause),
            ClauseKind::Private(_) => Tag::Private,
            ClauseKind::FirstPrivate(_) => Tag::FirstPrivate,
            ClauseKind::Reduction(..) => Tag::Reduction,
            ClauseKind::Gang(_) => Tag::Gang,
            ClauseKind::Worker(_) => Tag::Worker,
            ClauseKind::Vector(_) => Tag::Vector,
            ClauseKind::Seq => Tag::Seq,
            ClauseKind::Auto => Tag::Auto,
            ClauseKind::Independent => Tag::Independent,
            ClauseKind::Collapse { .. } => Tag::Collapse,
            ClauseKind::Tile(_) => Tag::Tile,
            ClauseKind::Finalize => Tag::Finalize,
            ClauseKind::IfPresent => Tag::IfPresent,
            ClauseKind::Bind(_) => Tag::Bind,
            ClauseKind::Nohost => Tag::Nohost,
            ClauseKind::Nowait => Tag::Nowait,
            ClauseKind::Depend(..) => Tag::Depend,
            ClauseKind::Map(..) => Tag::Map,
            ClauseKind::Motion(true, _) => Tag::MotionTo,
            ClauseKind::Motion(false, _) => Tag::MotionFrom,
            ClauseKind::Device(_) => Tag::Device,
            ClauseKind::NumTeams(_) => Tag::NumTeams,
            ClauseKind::ThreadLimit(_) => Tag::ThreadLimit,
            ClauseKind::NumThreads(_) => Tag::NumThreads,
            ClauseKind::Shared(_) => Tag::Shared,
            ClauseKind::IsDevicePtr(_) => Tag::IsDevicePtr,
            ClauseKind::Final(_) => Tag::Final,
            ClauseKind::Untied => Tag::Untied,
            ClauseKind::Mergeable => Tag::Mergeable,
            ClauseKind::Priority(_) => Tag::Priority,
            ClauseKind::Schedule => Tag::Schedule,
            ClauseKind::Simdlen(_) => Tag::Simdlen,
        }
    }

    /// The clause as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Tag::If => "if",
            Tag::SelfCondition => "self",
            Tag::Async => "async",
            Tag::Wait => "wait",
            Tag::NumGangs => "num_gangs",
            Tag::NumWorkers => "num_workers",
            Tag::VectorLength => "vector_length",
            Tag::DeviceType => "device_type",
            Tag::DeviceNum => "device_num",
            Tag::DefaultAsync => "default_async",
            Tag::Default => "default",
            Tag::Data(clause) => data_name(clause),
            Tag::Private => "private",
            Tag::FirstPrivate => "firstprivate",
            Tag::Reduction => "reduction",
            Tag::Gang => "gang",
            Tag::Worker => "worker",
            Tag::Vector => "vector",
            Tag::Seq => "seq",
            Tag::Auto => "auto",
            Tag::Independent => "independent",
            Tag::Collapse => "collapse",
            Tag::Tile => "tile",
            Tag::Finalize => "finalize",
            Tag::IfPresent => "if_present",
            Tag::Bind => "bind",
            Tag::Nohost => "nohost",
            Tag::Nowait => "nowait",
            Tag::Depend => "depend",
            Tag::Map => "map",
            Tag::MotionTo => "to",
            Tag::MotionFrom => "from",
            Tag::Device => "device",
            Tag::NumTeams => "num_teams",
            Tag::ThreadLimit => "thread_limit",
            Tag::NumThreads => "num_threads",
            Tag::Shared => "shared",
            Tag::IsDevicePtr => "is_device_ptr",
            Tag::Final => "final",
            Tag::Untied => "untied",
            Tag::Mergeable => "mergeable",
            Tag::Priority => "priority",
            Tag::Schedule => "schedule",
            Tag::Simdlen => "simdlen",
        }
    }

    /// Whether a directive may have several of it.
    fn repeats(self) -> bool {
        matches!(
            self,
            Tag::Data(_)
                | Tag::Private
                | Tag::FirstPrivate
                | Tag::Reduction
                | Tag::DeviceType
                | Tag::Wait
                | Tag::Depend
                | Tag::Map
                | Tag::MotionTo
                | Tag::MotionFrom
                | Tag::Shared
                | Tag::IsDevicePtr
        )
    }

    /// Whether it takes the place of `general` when it stands behind a matching `device_type`.
    fn replaces(self, general: Tag) -> bool {
        let level = |tag| matches!(tag, Tag::Gang | Tag::Worker | Tag::Vector);
        let kind = |tag| matches!(tag, Tag::Seq | Tag::Auto | Tag::Independent);
        self == general
            || kind(self) && kind(general)
            || matches!(self, Tag::Seq | Tag::Auto) && level(general)
            || level(self) && matches!(general, Tag::Seq | Tag::Auto)
    }

    /// Whether it may follow `device_type`.
    fn device_specific(self) -> bool {
        matches!(
            self,
            Tag::Async
                | Tag::Wait
                | Tag::NumGangs
                | Tag::NumWorkers
                | Tag::VectorLength
                | Tag::Gang
                | Tag::Worker
                | Tag::Vector
                | Tag::Seq
                | Tag::Auto
                | Tag::Independent
                | Tag::Collapse
                | Tag::Tile
                | Tag::Bind
                | Tag::DeviceType
                | Tag::DefaultAsync
                | Tag::DeviceNum
        )
    }
}

/// A data clause as users write it.
pub fn data_name(clause: MapKind) -> &'static str {
    match clause {
        MapKind::UpdateSelf => "self",
        MapKind::UpdateDevice => "device",
        _ => clause.clause(),
    }
}

/// A directive as users write it, with its sentinel.
pub fn directive_name(kind: &DirectiveKind) -> &'static str {
    match kind {
        DirectiveKind::Parallel { loop_: false } => "acc parallel",
        DirectiveKind::Parallel { loop_: true } => "acc parallel loop",
        DirectiveKind::Serial { loop_: false } => "acc serial",
        DirectiveKind::Serial { loop_: true } => "acc serial loop",
        DirectiveKind::Kernels { loop_: false } => "acc kernels",
        DirectiveKind::Kernels { loop_: true } => "acc kernels loop",
        DirectiveKind::Loop => "acc loop",
        DirectiveKind::Data => "acc data",
        DirectiveKind::EnterData => "acc enter data",
        DirectiveKind::ExitData => "acc exit data",
        DirectiveKind::HostData => "acc host_data",
        DirectiveKind::Update => "acc update",
        DirectiveKind::Atomic(_) => "acc atomic",
        DirectiveKind::Cache { .. } => "acc cache",
        DirectiveKind::Declare => "acc declare",
        DirectiveKind::Routine(_) => "acc routine",
        DirectiveKind::Wait(_) => "acc wait",
        DirectiveKind::Init => "acc init",
        DirectiveKind::Shutdown => "acc shutdown",
        DirectiveKind::Set => "acc set",
        DirectiveKind::Omp(omp) => omp_name(*omp),
    }
}

fn omp_name(kind: OmpKind) -> &'static str {
    match kind {
        OmpKind::Target => "omp target",
        OmpKind::TargetData => "omp target data",
        OmpKind::TargetEnterData => "omp target enter data",
        OmpKind::TargetExitData => "omp target exit data",
        OmpKind::TargetUpdate => "omp target update",
        OmpKind::DeclareTarget => "omp declare target",
        OmpKind::EndDeclareTarget => "omp end declare target",
        OmpKind::Task => "omp task",
        OmpKind::Taskwait => "omp taskwait",
        OmpKind::Taskgroup => "omp taskgroup",
        OmpKind::Parallel => "omp parallel",
        OmpKind::Single => "omp single",
        OmpKind::Master => "omp master",
        OmpKind::Critical => "omp critical",
        OmpKind::Barrier => "omp barrier",
        OmpKind::TargetTeamsLoop => "omp target teams distribute parallel for",
        OmpKind::ParallelLoop => "omp parallel for",
        OmpKind::Unsupported => "omp",
    }
}

const PARALLEL: &[Tag] = &[
    Tag::If,
    Tag::SelfCondition,
    Tag::Async,
    Tag::Wait,
    Tag::NumGangs,
    Tag::NumWorkers,
    Tag::VectorLength,
    Tag::DeviceType,
    Tag::Default,
    Tag::Private,
    Tag::FirstPrivate,
    Tag::Reduction,
    Tag::Data(MapKind::Copy),
    Tag::Data(MapKind::CopyIn),
    Tag::Data(MapKind::CopyOut),
    Tag::Data(MapKind::Create),
    Tag::Data(MapKind::NoCreate),
    Tag::Data(MapKind::Present),
    Tag::Data(MapKind::DevicePtr),
    Tag::Data(MapKind::Attach),
];
const KERNELS_EXCLUDES: &[Tag] = &[Tag::Private, Tag::FirstPrivate, Tag::Reduction];
const SERIAL_EXCLUDES: &[Tag] = &[Tag::NumGangs, Tag::NumWorkers, Tag::VectorLength];
const LOOP: &[Tag] = &[
    Tag::Collapse,
    Tag::Tile,
    Tag::Gang,
    Tag::Worker,
    Tag::Vector,
    Tag::Seq,
    Tag::Auto,
    Tag::Independent,
    Tag::DeviceType,
    Tag::Private,
    Tag::Reduction,
];
const DATA: &[Tag] = &[
    Tag::If,
    Tag::Async,
    Tag::Wait,
    Tag::DeviceType,
    Tag::Default,
    Tag::Data(MapKind::Copy),
    Tag::Data(MapKind::CopyIn),
    Tag::Data(MapKind::CopyOut),
    Tag::Data(MapKind::Create),
    Tag::Data(MapKind::NoCreate),
    Tag::Data(MapKind::Present),
    Tag::Data(MapKind::DevicePtr),
    Tag::Data(MapKind::Attach),
];
const ENTER_DATA: &[Tag] = &[
    Tag::If,
    Tag::Async,
    Tag::Wait,
    Tag::Data(MapKind::CopyIn),
    Tag::Data(MapKind::Create),
    Tag::Data(MapKind::Attach),
];
const EXIT_DATA: &[Tag] = &[
    Tag::If,
    Tag::Async,
    Tag::Wait,
    Tag::Finalize,
    Tag::Data(MapKind::CopyOut),
    Tag::Data(MapKind::Delete),
    Tag::Data(MapKind::Detach),
];
const HOST_DATA: &[Tag] = &[Tag::If, Tag::IfPresent, Tag::Data(MapKind::UseDevice)];
const UPDATE: &[Tag] = &[
    Tag::If,
    Tag::IfPresent,
    Tag::Async,
    Tag::Wait,
    Tag::DeviceType,
    Tag::Data(MapKind::UpdateSelf),
    Tag::Data(MapKind::UpdateDevice),
];
const DECLARE: &[Tag] = &[
    Tag::Data(MapKind::Copy),
    Tag::Data(MapKind::CopyIn),
    Tag::Data(MapKind::CopyOut),
    Tag::Data(MapKind::Create),
    Tag::Data(MapKind::Present),
    Tag::Data(MapKind::DevicePtr),
    Tag::Data(MapKind::DeviceResident),
    Tag::Data(MapKind::Link),
];
const ROUTINE: &[Tag] =
    &[Tag::Gang, Tag::Worker, Tag::Vector, Tag::Seq, Tag::Bind, Tag::Nohost, Tag::DeviceType];
const WAIT: &[Tag] = &[Tag::If, Tag::Async];
const INIT: &[Tag] = &[Tag::If, Tag::DeviceType, Tag::DeviceNum];
const SET: &[Tag] = &[Tag::If, Tag::DeviceType, Tag::DeviceNum, Tag::DefaultAsync];

const OMP_TARGET: &[Tag] = &[
    Tag::If,
    Tag::Device,
    Tag::Map,
    Tag::Private,
    Tag::FirstPrivate,
    Tag::Nowait,
    Tag::Depend,
    Tag::IsDevicePtr,
    Tag::ThreadLimit,
];
const OMP_TARGET_LOOP: &[Tag] = &[
    Tag::If,
    Tag::Device,
    Tag::Map,
    Tag::Private,
    Tag::FirstPrivate,
    Tag::Nowait,
    Tag::Depend,
    Tag::IsDevicePtr,
    Tag::ThreadLimit,
    Tag::NumTeams,
    Tag::NumThreads,
    Tag::Reduction,
    Tag::Collapse,
    Tag::Schedule,
    Tag::Simdlen,
    Tag::Shared,
    Tag::Default,
];
const OMP_LOOP: &[Tag] = &[
    Tag::If,
    Tag::Private,
    Tag::FirstPrivate,
    Tag::Nowait,
    Tag::ThreadLimit,
    Tag::NumTeams,
    Tag::NumThreads,
    Tag::Reduction,
    Tag::Collapse,
    Tag::Schedule,
    Tag::Simdlen,
    Tag::Shared,
    Tag::Default,
];
const OMP_TARGET_DATA: &[Tag] = &[Tag::If, Tag::Device, Tag::Map];
const OMP_ENTER_EXIT: &[Tag] = &[Tag::If, Tag::Device, Tag::Map, Tag::Nowait, Tag::Depend];
const OMP_UPDATE: &[Tag] = &[Tag::If, Tag::Device, Tag::MotionTo, Tag::MotionFrom, Tag::Nowait, Tag::Depend];
const OMP_TASK: &[Tag] = &[
    Tag::If,
    Tag::Final,
    Tag::Untied,
    Tag::Mergeable,
    Tag::Priority,
    Tag::Default,
    Tag::Private,
    Tag::FirstPrivate,
    Tag::Shared,
    Tag::Depend,
];
const OMP_PARALLEL: &[Tag] =
    &[Tag::If, Tag::NumThreads, Tag::Default, Tag::Private, Tag::FirstPrivate, Tag::Shared, Tag::Reduction];
const OMP_SINGLE: &[Tag] = &[Tag::Private, Tag::FirstPrivate, Tag::Nowait];

/// Whether `kind` takes the clause.
pub fn allowed(kind: &DirectiveKind, tag: Tag) -> bool {
    let compute = |loop_: bool, excluded: &[Tag]| {
        PARALLEL.contains(&tag) && !excluded.contains(&tag) || loop_ && LOOP.contains(&tag)
    };
    match kind {
        DirectiveKind::Parallel { loop_ } => compute(*loop_, &[]),
        DirectiveKind::Serial { loop_ } => compute(*loop_, SERIAL_EXCLUDES),
        DirectiveKind::Kernels { loop_ } => compute(*loop_, KERNELS_EXCLUDES),
        DirectiveKind::Loop => LOOP.contains(&tag),
        DirectiveKind::Data => DATA.contains(&tag),
        DirectiveKind::EnterData => ENTER_DATA.contains(&tag),
        DirectiveKind::ExitData => EXIT_DATA.contains(&tag),
        DirectiveKind::HostData => HOST_DATA.contains(&tag),
        DirectiveKind::Update => UPDATE.contains(&tag),
        DirectiveKind::Atomic(_) | DirectiveKind::Cache { .. } => false,
        DirectiveKind::Declare => DECLARE.contains(&tag),
        DirectiveKind::Routine(_) => ROUTINE.contains(&tag),
        DirectiveKind::Wait(_) => WAIT.contains(&tag),
        DirectiveKind::Init | DirectiveKind::Shutdown => INIT.contains(&tag),
        DirectiveKind::Set => SET.contains(&tag),
        DirectiveKind::Omp(omp) => match omp {
            OmpKind::Target => OMP_TARGET.contains(&tag),
            OmpKind::TargetTeamsLoop => OMP_TARGET_LOOP.contains(&tag),
            OmpKind::ParallelLoop => OMP_LOOP.contains(&tag),
            OmpKind::TargetData => OMP_TARGET_DATA.contains(&tag),
            OmpKind::TargetEnterData | OmpKind::TargetExitData => OMP_ENTER_EXIT.contains(&tag),
            OmpKind::TargetUpdate => OMP_UPDATE.contains(&tag),
            OmpKind::Task => OMP_TASK.contains(&tag),
            OmpKind::Parallel => OMP_PARALLEL.contains(&tag),
            OmpKind::Single => OMP_SINGLE.contains(&tag),
            OmpKind::Taskwait => tag == Tag::Depend,
            OmpKind::DeclareTarget => tag == Tag::MotionTo,
            OmpKind::EndDeclareTarget
            | OmpKind::Taskgroup
            | OmpKind::Master
            | OmpKind::Critical
            | OmpKind::Barrier => false,
            OmpKind::Unsupported => true,
        },
    }
}

/// The device that `device_type` clauses are resolved for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// The processor the compiler runs on.
    #[default]
    Host,
    /// NVIDIA GPUs.
    Nvidia,
}

impl Target {
    /// Whether a name in `device_type` means this device.
    fn is(self, name: DeviceTypeName) -> bool {
        match name {
            DeviceTypeName::Any => false,
            DeviceTypeName::Default => true,
            DeviceTypeName::Host => self == Target::Host,
            DeviceTypeName::Nvidia | DeviceTypeName::NotHost => self == Target::Nvidia,
            DeviceTypeName::Radeon | DeviceTypeName::Multicore | DeviceTypeName::Other => false,
        }
    }
}

/// A stretch of clauses: those before the first `device_type`, or those behind one.
struct Segment<'a> {
    names: &'a [(DeviceTypeName, crate::ast::Ident)],
    clauses: Vec<&'a Clause>,
}

/// The clauses of `directive` that are legal on it and apply to `target`, in source order; `device_type` itself is left
/// out unless the directive takes it as an argument (`init`, `shutdown`, `set`).
pub fn select<'a>(directive: &'a Directive, target: Target, sink: &mut Sink) -> Vec<&'a Clause> {
    let argument =
        matches!(directive.kind, DirectiveKind::Init | DirectiveKind::Shutdown | DirectiveKind::Set);
    let mut segments = vec![Segment { names: &[], clauses: Vec::new() }];
    for clause in &directive.clauses {
        let tag = Tag::of(&clause.kind);
        if !allowed(&directive.kind, tag) {
            sink.push(not_allowed(directive, tag, clause.span));
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
        if behind && !tag.device_specific() {
            sink.push(
                Diagnostic::error(
                    ids::DEVICE_TYPE_CLAUSE,
                    clause.span,
                    format!("`{}` may not follow `device_type`", tag.name()),
                )
                .note("clauses that hold for every device stand before the first `device_type`"),
            );
            continue;
        }
        let first = segment.clauses.iter().find(|c| Tag::of(&c.kind) == tag);
        if let Some(first) = first
            && !tag.repeats()
        {
            sink.push(match says_the_same(&directive.kind, &clause.kind, &first.kind) {
                true => repeated(tag, clause.span, first.span),
                false => duplicate(tag, clause.span, first.span),
            });
            continue;
        }
        segment.clauses.push(clause);
    }
    resolve(segments, target)
}

/// Clauses behind a `device_type` that names the target (else those behind `device_type(*)`) replace clauses of the
/// same name before the first, and those they contradict.
fn resolve(segments: Vec<Segment<'_>>, target: Target) -> Vec<&Clause> {
    let named = segments.iter().any(|s| s.names.iter().any(|(name, _)| target.is(*name)));
    let mut segments = segments.into_iter();
    let mut chosen = segments.next().map_or_else(Vec::new, |s| s.clauses);
    for segment in segments {
        let active = segment
            .names
            .iter()
            .any(|(name, _)| if named { target.is(*name) } else { *name == DeviceTypeName::Any });
        if active {
            chosen.retain(|c| {
                !segment.clauses.iter().any(|other| Tag::of(&other.kind).replaces(Tag::of(&c.kind)))
            });
            chosen.extend(segment.clauses);
        }
    }
    chosen
}

fn not_allowed(directive: &Directive, tag: Tag, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        ids::CLAUSE_NOT_ALLOWED,
        span,
        format!("`{}` is not valid on `#pragma {}`", tag.name(), directive_name(&directive.kind)),
    )
    .related(directive.name_span, "the directive");
    match (&directive.kind, tag) {
        (DirectiveKind::Kernels { loop_: false }, Tag::Private | Tag::Reduction) => {
            diagnostic.note(format!("put `{}` on the loop inside", tag.name()))
        }
        (DirectiveKind::Parallel { loop_: false } | DirectiveKind::Kernels { loop_: false }, tag)
            if LOOP.contains(&tag) =>
        {
            diagnostic.note(format!("`{} loop` takes it", directive_name(&directive.kind)))
        }
        (DirectiveKind::EnterData, Tag::Data(MapKind::Copy)) => diagnostic.note("write `copyin` here"),
        (DirectiveKind::ExitData, Tag::Data(MapKind::Copy)) => diagnostic.note("write `copyout` here"),
        (DirectiveKind::EnterData, Tag::Data(MapKind::CopyOut | MapKind::Delete | MapKind::Detach)) => {
            diagnostic.note("`exit data` takes it")
        }
        (DirectiveKind::ExitData, Tag::Data(MapKind::CopyIn | MapKind::Create | MapKind::Attach)) => {
            diagnostic.note("`enter data` takes it")
        }
        _ => diagnostic,
    }
}

/// Whether the second of two clauses of one name adds nothing, where OpenACC does not say that there may be one only (as
/// of `if`, `default`, `gang`, of the kind of a loop, and of the level of a routine).
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

fn repeated(tag: Tag, second: Span, first: Span) -> Diagnostic {
    let message = format!("`{}` stands twice on one directive, which changes nothing", tag.name());
    Diagnostic::warning(ids::REPEATED_CLAUSE, second, message).related(first, "the first one")
}

fn duplicate(tag: Tag, second: Span, first: Span) -> Diagnostic {
    Diagnostic::error(ids::DUPLICATE_CLAUSE, second, format!("too many `{}` clauses", tag.name()))
        .related(first, "the first one")
}
