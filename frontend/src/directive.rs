//! Directives as written: OpenACC 3.3, and the OpenMP tasking and target directives that accrue knows.
//!
//! The parser checks spelling and the form of arguments (and suggests what was meant); which clauses a
//! directive takes, how often, and what their operands mean is semantic analysis. Clauses keep their source
//! order, because `device_type` changes the meaning of those that follow it.

use crate::ast::{Expr, Ident, TypeName};
use crate::clause_table::ClauseRow;
use crate::source::Span;
use accrue_ir::{MapKind, MapModifiers, ReductionOp};

/// A directive.
#[derive(Debug)]
pub struct Directive {
    /// Which.
    pub kind: DirectiveKind,
    /// Its clauses, in source order.
    pub clauses: Vec<Clause>,
    /// The name: `parallel loop`.
    pub name_span: Span,
    /// The whole line from `acc` or `omp`.
    pub span: Span,
}

/// Directive names. Combined constructs have `loop_: true`.
#[derive(Debug)]
#[allow(missing_docs, reason = "each variant is the directive of its name")]
pub enum DirectiveKind {
    Parallel {
        loop_: bool,
    },
    Serial {
        loop_: bool,
    },
    Kernels {
        loop_: bool,
    },
    Loop,
    Data,
    EnterData,
    ExitData,
    HostData,
    Update,
    Atomic(AtomicKind),
    /// `cache([readonly:] list)`.
    Cache {
        readonly: bool,
        list: Vec<Expr>,
    },
    Declare,
    /// `routine` or `routine(name)`.
    Routine(Option<Ident>),
    /// `wait` or `wait([devnum: e :] [queues:] list)`.
    Wait(Option<WaitArgs>),
    Init,
    Shutdown,
    Set,
    /// A directive of OpenMP.
    Omp(OmpKind),
}

/// `atomic read`, ...; `Update` without a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the clause of its name")]
pub enum AtomicKind {
    Read,
    Write,
    Update,
    Capture,
}

/// OpenMP directives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the directive of its name")]
pub enum OmpKind {
    Target,
    TargetData,
    TargetEnterData,
    TargetExitData,
    TargetUpdate,
    DeclareTarget,
    EndDeclareTarget,
    Task,
    Taskwait,
    Taskgroup,
    Parallel,
    Single,
    Master,
    Critical,
    Barrier,
    /// `target` combined with `teams`, `distribute`, `parallel for`, `simd`.
    TargetTeamsLoop,
    /// `teams`, `distribute`, `parallel for`, `sections`, `taskloop` and so on, without `target`.
    Combined(OmpParts),
    /// A `section` of `sections`.
    Section,
    /// `ordered`, as a block.
    Ordered,
    Scope,
    Taskyield,
    Flush,
    Threadprivate,
    Depobj,
    Nothing,
    /// Known by name, not implemented: an error that says so.
    Unsupported,
}

/// The constructs that a directive of OpenMP without `target` combines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OmpParts(u16);

impl OmpParts {
    /// `teams`.
    pub const TEAMS: OmpParts = OmpParts(1);
    /// `distribute`.
    pub const DISTRIBUTE: OmpParts = OmpParts(2);
    /// `parallel`.
    pub const PARALLEL: OmpParts = OmpParts(4);
    /// `masked`, and `master`.
    pub const MASKED: OmpParts = OmpParts(8);
    /// `for`.
    pub const FOR: OmpParts = OmpParts(16);
    /// `simd`.
    pub const SIMD: OmpParts = OmpParts(32);
    /// `loop`.
    pub const LOOP: OmpParts = OmpParts(64);
    /// `sections`.
    pub const SECTIONS: OmpParts = OmpParts(128);
    /// `taskloop`.
    pub const TASKLOOP: OmpParts = OmpParts(256);

    /// The words that combined directives consist of.
    const WORDS: &[(&str, OmpParts)] = &[
        ("teams", OmpParts::TEAMS),
        ("distribute", OmpParts::DISTRIBUTE),
        ("parallel", OmpParts::PARALLEL),
        ("masked", OmpParts::MASKED),
        ("master", OmpParts::MASKED),
        ("for", OmpParts::FOR),
        ("simd", OmpParts::SIMD),
        ("loop", OmpParts::LOOP),
        ("sections", OmpParts::SECTIONS),
        ("taskloop", OmpParts::TASKLOOP),
    ];

    /// What a directive's words mean together, if all of them are names of such constructs.
    pub fn of(words: &[&str]) -> Option<OmpParts> {
        let part = |word: &str| OmpParts::WORDS.iter().find(|(name, _)| *name == word).map(|&(_, part)| part);
        words.iter().try_fold(OmpParts::default(), |parts, word| Some(OmpParts(parts.0 | part(word)?.0)))
    }

    /// The constructs of a set.
    pub const fn with(self, other: OmpParts) -> OmpParts {
        OmpParts(self.0 | other.0)
    }

    /// The directive in words, or its most telling part where many are combined.
    fn name(self) -> &'static str {
        let named = [
            (OmpParts::TASKLOOP, "omp taskloop"),
            (OmpParts::SECTIONS, "omp sections"),
            (OmpParts::PARALLEL.with(OmpParts::FOR), "omp parallel for"),
            (OmpParts::FOR, "omp for"),
            (OmpParts::DISTRIBUTE, "omp distribute"),
            (OmpParts::SIMD, "omp simd"),
            (OmpParts::LOOP, "omp loop"),
            (OmpParts::TEAMS, "omp teams"),
            (OmpParts::MASKED, "omp masked"),
        ];
        let found = named.iter().find(|(parts, _)| parts.0 & self.0 == parts.0);
        found.map_or("omp parallel", |&(_, name)| name)
    }

    /// Whether one of some constructs is among them.
    pub fn has(self, some: OmpParts) -> bool {
        self.0 & some.0 != 0
    }

    /// Whether the directive applies to a loop.
    pub fn is_for_loops(self) -> bool {
        [OmpParts::DISTRIBUTE, OmpParts::FOR, OmpParts::SIMD, OmpParts::LOOP, OmpParts::TASKLOOP]
            .into_iter()
            .any(|part| self.has(part))
    }
}

/// A clause.
#[derive(Debug)]
pub struct Clause {
    /// What is known of it: its name, which directives take it.
    pub row: &'static ClauseRow,
    /// Which, with its arguments.
    pub kind: ClauseKind,
    /// From its name to its last parenthesis.
    pub span: Span,
}

/// Devices a `device_type` clause can name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the device of its name")]
pub enum DeviceTypeName {
    /// `*`.
    Any,
    Host,
    /// `not_host`, `default`.
    NotHost,
    Default,
    Nvidia,
    Radeon,
    Multicore,
    /// A name this implementation does not know: never matches.
    Other,
}

/// Arguments of `wait`.
#[derive(Debug)]
pub struct WaitArgs {
    /// `devnum:`.
    pub devnum: Option<Expr>,
    /// The queues.
    pub queues: Vec<Expr>,
}

/// Arguments of `gang`.
#[derive(Debug, Default)]
pub struct GangArgs {
    /// `num:` or a bare expression.
    pub num: Option<Expr>,
    /// `dim:`.
    pub dim: Option<Expr>,
    /// `static:`; the inner `None` is `*`.
    pub static_: Option<Option<Expr>>,
}

/// `default(none)`, `default(present)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the argument of its name")]
pub enum DefaultKind {
    None,
    Present,
    /// OpenMP.
    Shared,
    /// OpenMP.
    FirstPrivate,
    /// OpenMP.
    Private,
}

/// Kinds of OpenMP `depend`, by their numbers in the runtime (`docs/design/tasks.md`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the kind of its name")]
pub enum DependKind {
    In = 1,
    Out = 2,
    InOut = 3,
    MutexInOutSet = 4,
    InOutSet = 5,
    Depobj = 6,
}

/// A variable of an `iterator` modifier: `type name = begin : end : step`.
#[derive(Debug)]
pub struct OmpIterator {
    /// The variable's type; `int` if the program names none.
    pub ty: Option<Box<TypeName>>,
    /// Its name.
    pub name: Ident,
    /// The first value.
    pub begin: Expr,
    /// The bound.
    pub end: Expr,
    /// The step; 1 if the program gives none.
    pub step: Option<Expr>,
}

/// An item of `depend`.
#[derive(Debug)]
pub enum DependItem {
    /// What is depended on.
    Place(Expr),
    /// `omp_all_memory`.
    AllMemory,
}

/// Kinds of `schedule`, by their numbers in the runtime (`docs/design/tasks.md`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the kind of its name")]
pub enum ScheduleKind {
    Static = 1,
    Dynamic = 2,
    Guided = 3,
    Auto = 4,
    Runtime = 5,
}

/// What a `depobj` directive does with its object.
#[derive(Debug)]
pub enum DepobjAction {
    /// `depend(kind: item)`.
    Depend(DependKind, Vec<DependItem>),
    /// `update(kind)`.
    Update(DependKind),
    /// `destroy`.
    Destroy,
}

/// Kinds of OpenMP `map`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the kind of its name")]
pub enum OmpMapKind {
    To,
    From,
    ToFrom,
    Alloc,
    Release,
    Delete,
}

/// Clauses. Items of variable lists are expressions: identifiers, members, sections.
#[derive(Debug)]
#[allow(missing_docs, reason = "each variant is the clause of its name")]
pub enum ClauseKind {
    If(Expr),
    /// `self` or `self(condition)` on compute constructs.
    SelfCondition(Option<Expr>),
    Async(Option<Expr>),
    Wait(Option<WaitArgs>),
    NumGangs(Vec<Expr>),
    NumWorkers(Expr),
    VectorLength(Expr),
    DeviceType(Vec<(DeviceTypeName, Ident)>),
    DeviceNum(Expr),
    DefaultAsync(Expr),
    Default(DefaultKind),
    Data(MapKind, MapModifiers, Vec<Expr>),
    Private(Vec<Expr>),
    FirstPrivate(Vec<Expr>),
    Reduction(ReductionOp, Vec<Expr>),
    Gang(Option<GangArgs>),
    Worker(Option<Expr>),
    Vector(Option<Expr>),
    Seq,
    Auto,
    Independent,
    /// `collapse(n)`, `collapse(force:n)`.
    Collapse {
        count: Expr,
        force: bool,
    },
    /// `tile`; `None` is `*`.
    Tile(Vec<Option<Expr>>),
    Finalize,
    IfPresent,
    /// `bind(name)` or `bind("name")`.
    Bind(Ident),
    Nohost,
    // OpenMP.
    Nowait,
    Depend(DependKind, Vec<OmpIterator>, Vec<DependItem>),
    Map(OmpMapKind, bool, Vec<Expr>),
    /// `to(list)`, `from(list)` of `target update`; `true` is `to`.
    Motion(bool, Vec<Expr>),
    /// `device(e)`.
    Device(Expr),
    NumTeams(Expr),
    ThreadLimit(Expr),
    NumThreads(Expr),
    Shared(Vec<Expr>),
    IsDevicePtr(Vec<Expr>),
    Final(Expr),
    Untied,
    Mergeable,
    Priority(Expr),
    /// `schedule(kind, chunk)`.
    Schedule(ScheduleKind, Option<Expr>),
    DistSchedule,
    Simdlen(Expr),
    LastPrivate(Vec<Expr>),
    /// `linear(list : step)`.
    Linear(Vec<Expr>, Option<Expr>),
    /// `ordered`, without the loops of a doacross nest.
    Ordered,
    CopyIn(Vec<Expr>),
    CopyPrivate(Vec<Expr>),
    InReduction(ReductionOp, Vec<Expr>),
    TaskReduction(ReductionOp, Vec<Expr>),
    Detach(Expr),
    Filter(Expr),
    /// `grainsize`; `true` is `strict`.
    Grainsize(bool, Expr),
    /// `num_tasks`; `true` is `strict`.
    NumTasks(bool, Expr),
    Nogroup,
    /// The object of `depobj`, and what becomes of it.
    DepobjTarget(Expr),
    DepobjAction(DepobjAction),
    /// The names of a critical section, and of `threadprivate`.
    Names(Vec<Ident>),
}

/// Whether a directive is followed by a statement that belongs to it.
pub fn takes_statement(kind: &DirectiveKind) -> bool {
    match kind {
        DirectiveKind::Parallel { .. }
        | DirectiveKind::Serial { .. }
        | DirectiveKind::Kernels { .. }
        | DirectiveKind::Loop
        | DirectiveKind::Data
        | DirectiveKind::HostData
        | DirectiveKind::Atomic(_) => true,
        DirectiveKind::EnterData
        | DirectiveKind::ExitData
        | DirectiveKind::Update
        | DirectiveKind::Cache { .. }
        | DirectiveKind::Declare
        | DirectiveKind::Routine(_)
        | DirectiveKind::Wait(_)
        | DirectiveKind::Init
        | DirectiveKind::Shutdown
        | DirectiveKind::Set => false,
        DirectiveKind::Omp(omp) => match omp {
            OmpKind::Target
            | OmpKind::TargetData
            | OmpKind::Task
            | OmpKind::Taskgroup
            | OmpKind::Parallel
            | OmpKind::Single
            | OmpKind::Master
            | OmpKind::Critical
            | OmpKind::TargetTeamsLoop
            | OmpKind::Section
            | OmpKind::Ordered
            | OmpKind::Scope
            | OmpKind::Combined(_) => true,
            OmpKind::TargetEnterData
            | OmpKind::TargetExitData
            | OmpKind::TargetUpdate
            | OmpKind::DeclareTarget
            | OmpKind::EndDeclareTarget
            | OmpKind::Taskwait
            | OmpKind::Barrier
            | OmpKind::Taskyield
            | OmpKind::Flush
            | OmpKind::Threadprivate
            | OmpKind::Depobj
            | OmpKind::Nothing
            | OmpKind::Unsupported => false,
        },
    }
}

impl DirectiveKind {
    /// As users write it, with its sentinel.
    pub fn name(&self) -> &'static str {
        match self {
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
            DirectiveKind::Omp(omp) => omp.name(),
        }
    }
}

impl OmpKind {
    fn name(self) -> &'static str {
        match self {
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
            OmpKind::Combined(parts) => parts.name(),
            OmpKind::Section => "omp section",
            OmpKind::Ordered => "omp ordered",
            OmpKind::Scope => "omp scope",
            OmpKind::Taskyield => "omp taskyield",
            OmpKind::Flush => "omp flush",
            OmpKind::Threadprivate => "omp threadprivate",
            OmpKind::Depobj => "omp depobj",
            OmpKind::Nothing => "omp nothing",
            OmpKind::Unsupported => "omp",
        }
    }
}
