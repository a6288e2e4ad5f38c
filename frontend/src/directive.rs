//! Directives as written: OpenACC 3.3, and the OpenMP tasking and target directives that accrue knows.
//!
//! The parser checks spelling and the form of arguments (and suggests what was meant); which clauses a
//! directive takes, how often, and what their operands mean is semantic analysis. Clauses keep their source
//! order, because `device_type` changes the meaning of those that follow it.

use crate::ast::{Expr, Ident, Initializer, TypeName};
use crate::clause_table::ClauseRow;
use crate::intern::Symbol;
use crate::source::Span;
use accrue_ir::{MapKind, MapModifiers, ReductionOp};

/// A directive.
#[derive(Debug)]
pub struct Directive {
    /// Which.
    pub kind: DirectiveKind,
    /// Of a directive of OpenMP, the constructs that its name combines.
    pub parts: Parts,
    /// Its clauses, in source order.
    pub clauses: Vec<Clause>,
    /// Whether these are all that are written: one with an error is reported and left out.
    pub is_complete: bool,
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
    /// OpenMP.
    Compare,
    /// OpenMP: `compare capture`.
    CompareCapture,
}

/// Constructs that the name of an OpenMP directive combines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parts(u16);

impl Parts {
    /// Of no construct.
    pub const NONE: Parts = Parts(0);
    /// `target`.
    pub const TARGET: Parts = Parts(1);
    /// `teams`.
    pub const TEAMS: Parts = Parts(2);
    /// `distribute`.
    pub const DISTRIBUTE: Parts = Parts(4);
    /// `parallel`.
    pub const PARALLEL: Parts = Parts(8);
    /// `for`.
    pub const FOR: Parts = Parts(16);
    /// `simd`.
    pub const SIMD: Parts = Parts(32);
    /// `loop`.
    pub const LOOP: Parts = Parts(64);
    /// `masked`, and `master`.
    pub const MASKED: Parts = Parts(128);
    /// `sections`.
    pub const SECTIONS: Parts = Parts(256);
    /// `taskloop`.
    pub const TASKLOOP: Parts = Parts(512);
    /// `dispatch`.
    pub const DISPATCH: Parts = Parts(1024);

    /// The constructs of two sets.
    pub const fn with(self, other: Parts) -> Parts {
        Parts(self.0 | other.0)
    }

    /// A directive of them in words, or the most telling part where many are combined.
    fn name(self) -> &'static str {
        let named = [
            (Parts::TASKLOOP, "omp taskloop"),
            (Parts::SECTIONS, "omp sections"),
            (Parts::PARALLEL.with(Parts::FOR), "omp parallel for"),
            (Parts::FOR, "omp for"),
            (Parts::DISTRIBUTE, "omp distribute"),
            (Parts::SIMD, "omp simd"),
            (Parts::LOOP, "omp loop"),
            (Parts::TEAMS, "omp teams"),
            (Parts::MASKED, "omp masked"),
        ];
        let found = named.iter().find(|(parts, _)| parts.0 & self.0 == parts.0);
        found.map_or("omp parallel", |&(_, name)| name)
    }

    /// The same of a directive that begins with `target`.
    fn name_with_target(self) -> &'static str {
        let (simd, loop_) = (self.has(Parts::SIMD), self.has(Parts::LOOP));
        match (self.has(Parts::TEAMS), self.has(Parts::FOR)) {
            (true, true) if simd => "omp target teams distribute parallel for simd",
            (true, true) => "omp target teams distribute parallel for",
            (true, false) if loop_ => "omp target teams loop",
            (true, false) if simd => "omp target teams distribute simd",
            (true, false) if self.has(Parts::DISTRIBUTE) => "omp target teams distribute",
            (true, false) => "omp target teams",
            (false, true) if simd => "omp target parallel for simd",
            (false, true) => "omp target parallel for",
            (false, false) if loop_ => "omp target parallel loop",
            (false, false) if simd => "omp target simd",
            (false, false) => "omp target parallel",
        }
    }

    /// The constructs that the words of a name mean; other words mean none.
    pub fn of(words: &[&str]) -> Parts {
        let part = |word: &str| match word {
            "target" => Parts::TARGET,
            "teams" => Parts::TEAMS,
            "distribute" => Parts::DISTRIBUTE,
            "parallel" => Parts::PARALLEL,
            "for" => Parts::FOR,
            "simd" => Parts::SIMD,
            "loop" => Parts::LOOP,
            "masked" | "master" => Parts::MASKED,
            "sections" => Parts::SECTIONS,
            "taskloop" => Parts::TASKLOOP,
            _ => Parts::default(),
        };
        words.iter().fold(Parts::default(), |all, word| Parts(all.0 | part(word).0))
    }

    /// Whether one of the constructs is among them.
    pub fn has(self, construct: Parts) -> bool {
        self.0 & construct.0 != 0
    }

    /// Whether a loop belongs to the directive.
    pub fn has_loop(self) -> bool {
        let loops = [Parts::DISTRIBUTE, Parts::FOR, Parts::SIMD, Parts::LOOP, Parts::TASKLOOP];
        loops.into_iter().any(|part| self.has(part))
    }
}

/// The construct that an `if` clause of OpenMP is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the construct of its name")]
pub enum IfOf {
    Target,
    Teams,
    Parallel,
    Simd,
    Task,
    Cancel,
    /// The data directives: `target data`, `target enter data`, ...
    TargetData,
}

/// What `defaultmap` says of variables without a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs, reason = "each variant is the argument of its name")]
pub enum ImplicitMap {
    #[default]
    Default,
    Alloc,
    To,
    From,
    ToFrom,
    FirstPrivate,
    None,
    Present,
}

/// The variables that a `defaultmap` is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the argument of its name")]
pub enum MapCategory {
    All,
    Scalar,
    Aggregate,
    Pointer,
}

/// What `requires` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the clause of its name")]
pub enum Requirement {
    UnifiedSharedMemory,
    ReverseOffload,
    /// What every device has, or no program can tell: `unified_address`, ...
    Harmless,
}

/// Modifiers of OpenMP's `map`, `to` and `from`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OmpMapModifiers {
    /// `always`.
    pub always: bool,
    /// `present`.
    pub present: bool,
    /// `self`: the storage itself, not a copy.
    pub is_self: bool,
    /// `mapper(name)`.
    pub mapper: Option<Symbol>,
}

/// Constructs that can be cancelled, by their numbers in the runtime (`docs/design/tasks.md`): a loop is
/// known there as `sections` are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the construct of its name")]
pub enum CancelKind {
    Parallel = 1,
    For = 2,
    Taskgroup = 3,
    Sections = 4,
}

impl CancelKind {
    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            CancelKind::Parallel => "parallel",
            CancelKind::For => "for",
            CancelKind::Taskgroup => "taskgroup",
            CancelKind::Sections => "sections",
        }
    }
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
    /// `declare target` and `begin declare target`.
    DeclareTarget,
    EndDeclareTarget,
    Requires,
    Task,
    Taskwait,
    Taskgroup,
    /// `dispatch`.
    Dispatch,
    Parallel,
    Single,
    Master,
    Critical,
    Barrier,
    /// `target` combined with `teams`, `distribute`, `parallel for`, `simd`.
    TargetTeamsLoop(Parts),
    /// `teams`, `distribute`, `parallel for`, `sections`, `taskloop` and so on, without `target`.
    Combined(Parts),
    /// A `section` of `sections`.
    Section,
    /// `ordered`, as a block.
    Ordered,
    /// `ordered`, with `depend` or `doacross`.
    Doacross,
    Scope,
    Taskyield,
    Flush,
    Threadprivate,
    Depobj,
    DeclareReduction,
    DeclareMapper,
    /// `declare simd`.
    DeclareSimd,
    /// `allocate`, with a list of variables.
    Allocate,
    /// `tile`, `unroll` and their like.
    LoopTransformation(Transformation),
    Scan,
    /// `cancel`.
    Cancel(CancelKind),
    /// `cancellation point`.
    CancellationPoint(CancelKind),
    Nothing,
    /// `error`.
    Error,
    /// `assume`: hints about its statement.
    Assume,
    /// `assumes`, `begin assumes` and `end assumes`.
    Assumes,
    /// Known by name, not implemented: an error that says so.
    Unsupported,
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

/// `depend` and `doacross` of an `ordered` directive.
#[derive(Debug)]
pub enum DoacrossKind {
    /// `source`: others need not wait any more.
    Source,
    /// `sink: i - 1, j`: waits for this iteration.
    Sink(Vec<Expr>),
    /// `sink: omp_cur_iteration - 1`: waits for the iteration before. The number, which is 1.
    Before(Expr),
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

/// What a `schedule` promises of the order in which a thread executes its iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScheduleModifiers {
    /// The order of the loop.
    pub monotonic: bool,
    /// Any order.
    pub nonmonotonic: bool,
}

impl OmpMapKind {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            OmpMapKind::To => "to",
            OmpMapKind::From => "from",
            OmpMapKind::ToFrom => "tofrom",
            OmpMapKind::Alloc => "alloc",
            OmpMapKind::Release => "release",
            OmpMapKind::Delete => "delete",
        }
    }
}

/// What a `loop` of OpenMP belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the argument of its name")]
pub enum BindKind {
    Teams,
    Parallel,
    Thread,
}

/// What is made of a nest of loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the directive of its name")]
pub enum Transformation {
    Tile,
    Unroll,
    Interchange,
    Reverse,
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

/// What stands in front of the colon of a `reduction` clause.
#[derive(Clone, Copy, Debug)]
pub struct ReductionName {
    /// The identifier or operator.
    pub name: Ident,
    /// The operator of that spelling; none of an identifier that only `declare reduction` gives a meaning.
    pub operator: Option<ReductionOp>,
}

impl ReductionName {
    /// A note that lists the operators.
    pub fn operators() -> String {
        let known = ReductionOp::ALL.iter().map(|operator| format!("`{}`", operator.spelling()));
        format!("the operators are {}", known.collect::<Vec<_>>().join(", "))
    }
}

/// `declare mapper(name : type var)`.
#[derive(Debug)]
pub struct MapperDeclaration {
    /// What clauses call it; none is `default`.
    pub name: Option<Symbol>,
    /// The type that it is for.
    pub ty: TypeName,
    /// What its `map` clauses call the object.
    pub var: Ident,
    /// From parenthesis to parenthesis.
    pub span: Span,
}

/// `declare reduction(name : types : combiner) initializer(...)`.
#[derive(Debug)]
pub struct ReductionDeclaration {
    /// What clauses call it.
    pub name: ReductionName,
    /// The types that it is declared for.
    pub types: Vec<(TypeName, Span)>,
    /// What combines `omp_in` with `omp_out`.
    pub combiner: Expr,
    /// How a private copy starts; with zeros where this is missing.
    pub start: Option<ReductionStart>,
}

/// The argument of `initializer`.
#[derive(Debug)]
pub enum ReductionStart {
    /// `omp_priv = value`.
    Value(Initializer),
    /// `function(arguments)`.
    Call(Expr),
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
    Reduction(ReductionName, Vec<Expr>),
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
    /// `simd` of `ordered`: the lanes of a loop take turns.
    Simd,
    Depend(DependKind, Vec<OmpIterator>, Vec<DependItem>),
    /// `if(directive-name: condition)`.
    IfOf(IfOf, Expr),
    Map(OmpMapKind, OmpMapModifiers, Vec<Expr>),
    /// `to(list)`, `from(list)` of `target update`; `true` is `to`.
    Motion(bool, OmpMapModifiers, Vec<Expr>),
    DefaultMap(ImplicitMap, MapCategory),
    /// `device(e)`.
    Device(Expr),
    NumTeams(Expr),
    ThreadLimit(Expr),
    NumThreads(Expr),
    Shared(Vec<Expr>),
    IsDevicePtr(Vec<Expr>),
    HasDeviceAddr(Vec<Expr>),
    UseDevicePtr(Vec<Expr>),
    UseDeviceAddr(Vec<Expr>),
    /// `link(list)` of `declare target`.
    Link(Vec<Expr>),
    Requires(Requirement),
    LastPrivate(Vec<Expr>),
    /// `lastprivate(conditional: ...)`.
    ConditionalLastPrivate(Vec<Expr>),
    /// `linear(list[: step])`.
    Linear(Vec<Expr>, Option<Expr>),
    /// What pointers lead to has this alignment, or the type's.
    Aligned(Vec<Expr>, Option<Expr>),
    /// Variables that are accessed once.
    Nontemporal(Vec<Expr>),
    /// How a lock is expected to be used.
    Hint(Expr),
    Final(Expr),
    Untied,
    Mergeable,
    Priority(Expr),
    /// `schedule(modifiers: kind, chunk)`.
    Schedule(ScheduleKind, Option<Expr>, ScheduleModifiers),
    /// `full`, of `unroll`.
    Full,
    /// `partial(factor)`, of `unroll`.
    Partial(Option<Expr>),
    /// `dist_schedule(static, chunk)`.
    DistSchedule(Option<Expr>),
    Simdlen(Expr),
    /// `ordered`, perhaps with the number of loops whose iterations wait for single ones.
    Ordered(Option<Expr>),
    /// What an iteration of such a nest waits for, or that it is done.
    Doacross(DoacrossKind),
    CopyIn(Vec<Expr>),
    CopyPrivate(Vec<Expr>),
    /// `reduction(task, ...)`.
    ReductionOfTasks(ReductionName, Vec<Expr>),
    InReduction(ReductionName, Vec<Expr>),
    Order {
        reproducible: bool,
    },
    /// `bind`.
    BindTo(BindKind),
    TaskReduction(ReductionName, Vec<Expr>),
    /// `reduction(inscan, ...)`.
    InscanReduction(ReductionName, Vec<Expr>),
    /// `inclusive(list)`, `exclusive(list)` of `scan`; `true` is `exclusive`.
    Scan(bool, Vec<Expr>),
    /// The arguments of `declare reduction`.
    DeclareReduction(Box<ReductionDeclaration>),
    /// The arguments of `declare mapper`.
    DeclareMapper(Box<MapperDeclaration>),
    Detach(Expr),
    Filter(Expr),
    NoVariants(Expr),
    NoContext(Expr),
    /// `grainsize`; `true` is `strict`.
    Grainsize(bool, Expr),
    /// `num_tasks`; `true` is `strict`.
    NumTasks(bool, Expr),
    Nogroup,
    /// The object of `depobj`, and what becomes of it.
    DepobjTarget(Expr),
    DepobjAction(DepobjAction),
    /// `align` of `allocate`.
    Align(Expr),
    /// The clause `allocate`: its allocator, the argument of its `align`, its variables.
    Allocate(Option<Expr>, Option<Expr>, Vec<Expr>),
    /// The names of a critical section, of `threadprivate` and of `allocate`.
    Names(Vec<Ident>),
    Safelen(Expr),
    /// `at` of `error`; `true` is `execution`.
    At(bool),
    /// `severity`; `true` is `fatal`.
    Severity(bool),
    Message(Expr),
    /// `sizes` of `tile`.
    Sizes(Vec<Expr>),
    /// `permutation` of `interchange`: the loops from the outermost on, by the numbers that they had.
    Permutation(Vec<Expr>),
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
            | OmpKind::TargetTeamsLoop(_)
            | OmpKind::Section
            | OmpKind::Ordered
            | OmpKind::Scope
            | OmpKind::Assume
            | OmpKind::Dispatch
            | OmpKind::LoopTransformation(_)
            | OmpKind::Combined(_) => true,
            OmpKind::TargetEnterData
            | OmpKind::TargetExitData
            | OmpKind::TargetUpdate
            | OmpKind::DeclareTarget
            | OmpKind::EndDeclareTarget
            | OmpKind::Requires
            | OmpKind::Taskwait
            | OmpKind::Barrier
            | OmpKind::Taskyield
            | OmpKind::Flush
            | OmpKind::Threadprivate
            | OmpKind::Depobj
            | OmpKind::DeclareReduction
            | OmpKind::DeclareMapper
            | OmpKind::DeclareSimd
            | OmpKind::Allocate
            | OmpKind::Scan
            | OmpKind::Doacross
            | OmpKind::Cancel(_)
            | OmpKind::CancellationPoint(_)
            | OmpKind::Error
            | OmpKind::Assumes
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
            OmpKind::Requires => "omp requires",
            OmpKind::Task => "omp task",
            OmpKind::Taskwait => "omp taskwait",
            OmpKind::Taskgroup => "omp taskgroup",
            OmpKind::Parallel => "omp parallel",
            OmpKind::Single => "omp single",
            OmpKind::Master => "omp master",
            OmpKind::Critical => "omp critical",
            OmpKind::Barrier => "omp barrier",
            OmpKind::TargetTeamsLoop(parts) => parts.name_with_target(),
            OmpKind::Combined(parts) => parts.name(),
            OmpKind::Section => "omp section",
            OmpKind::Ordered | OmpKind::Doacross => "omp ordered",
            OmpKind::Scope => "omp scope",
            OmpKind::Taskyield => "omp taskyield",
            OmpKind::Flush => "omp flush",
            OmpKind::Threadprivate => "omp threadprivate",
            OmpKind::Depobj => "omp depobj",
            OmpKind::DeclareReduction => "omp declare reduction",
            OmpKind::DeclareMapper => "omp declare mapper",
            OmpKind::DeclareSimd => "omp declare simd",
            OmpKind::Allocate => "omp allocate",
            OmpKind::LoopTransformation(which) => match which {
                Transformation::Tile => "omp tile",
                Transformation::Unroll => "omp unroll",
                Transformation::Interchange => "omp interchange",
                Transformation::Reverse => "omp reverse",
            },
            OmpKind::Scan => "omp scan",
            OmpKind::Cancel(_) => "omp cancel",
            OmpKind::CancellationPoint(_) => "omp cancellation point",
            OmpKind::Nothing => "omp nothing",
            OmpKind::Error => "omp error",
            OmpKind::Assume => "omp assume",
            OmpKind::Assumes => "omp assumes",
            OmpKind::Dispatch => "omp dispatch",
            OmpKind::Unsupported => "omp",
        }
    }
}
