//! The clauses of OpenACC 3.3, and those of OpenMP that accrue knows: one row each. The parser finds a clause
//! and the form of its arguments here, semantic analysis which directives take it and how often, and messages
//! its name.

use crate::ast::Expr;
use crate::directive::{
    ClauseKind, DefaultKind, DepobjAction, DirectiveKind, OmpKind, Parts, ReductionName, Requirement,
};
use accrue_ir::MapKind;

/// Sets of directives, one bit each.
pub mod on {
    #![allow(missing_docs, reason = "each constant is the directive of its name")]

    pub const PARALLEL: u64 = 1;
    pub const SERIAL: u64 = 1 << 1;
    pub const KERNELS: u64 = 1 << 2;
    pub const COMPUTE: u64 = PARALLEL | SERIAL | KERNELS;
    pub const LOOP: u64 = 1 << 3;
    pub const DATA: u64 = 1 << 4;
    pub const ENTER_DATA: u64 = 1 << 5;
    pub const EXIT_DATA: u64 = 1 << 6;
    pub const HOST_DATA: u64 = 1 << 7;
    pub const UPDATE: u64 = 1 << 8;
    pub const DECLARE: u64 = 1 << 9;
    pub const ROUTINE: u64 = 1 << 10;
    pub const WAIT: u64 = 1 << 11;
    /// `init` and `shutdown`.
    pub const INIT: u64 = 1 << 12;
    pub const SET: u64 = 1 << 13;
    /// All directives of OpenACC.
    pub const OPENACC: u64 = (1 << 14) - 1;

    pub const OMP_TARGET: u64 = 1 << 14;
    /// `target` combined with loops.
    pub const OMP_TARGET_LOOP: u64 = 1 << 15;
    /// `teams`, `distribute`, `for`, `simd` and their combinations without `target`.
    pub const OMP_LOOP: u64 = 1 << 16;
    pub const OMP_TARGET_DATA: u64 = 1 << 17;
    /// `target enter data` and `target exit data`.
    pub const OMP_ENTER_EXIT: u64 = 1 << 18;
    pub const OMP_UPDATE: u64 = 1 << 19;
    pub const OMP_TASK: u64 = 1 << 20;
    pub const OMP_TASKWAIT: u64 = 1 << 21;
    pub const OMP_PARALLEL: u64 = 1 << 22;
    pub const OMP_SINGLE: u64 = 1 << 23;
    pub const OMP_DECLARE_TARGET: u64 = 1 << 24;
    pub const OMP_TASKLOOP: u64 = 1 << 25;
    pub const OMP_SECTIONS: u64 = 1 << 26;
    pub const OMP_MASKED: u64 = 1 << 27;
    pub const OMP_TASKGROUP: u64 = 1 << 28;
    pub const OMP_DEPOBJ: u64 = 1 << 29;
    pub const OMP_SCOPE: u64 = 1 << 30;
    /// `ordered` with `depend` or `doacross`.
    pub const OMP_DOACROSS: u64 = 1 << 32;
    pub const OMP_CANCEL: u64 = 1 << 33;
    pub const OMP_ERROR: u64 = 1 << 34;
    pub const OMP_ASSUME: u64 = 1 << 35;
    pub const OMP_ORDERED: u64 = 1 << 36;
    pub const OMP_DECLARE_SIMD: u64 = 1 << 37;
    pub const OMP_ALLOCATE: u64 = 1 << 38;
    pub const OMP_DECLARE_MAPPER: u64 = 1 << 40;
    /// `target` with a `for` whose iterations one team has.
    pub const OMP_ORDERED_LOOP: u64 = 1 << 41;
    /// `tile` and `unroll`.
    pub const OMP_TRANSFORMATION: u64 = 1 << 39;
    pub const OMP_DISPATCH: u64 = 1 << 42;
    pub const OMP_CRITICAL: u64 = 1 << 43;
    /// `atomic`, whose clauses of its own are none of the table.
    pub const OMP_ATOMIC: u64 = 1 << 44;
    /// What makes tasks of the host.
    pub const OMP_TASKS: u64 = OMP_TASK | OMP_TASKLOOP;
    pub const OMP_REQUIRES: u64 = 1 << 31;
    /// `target`, alone and combined.
    pub const OMP_TARGETS: u64 = OMP_TARGET | OMP_TARGET_LOOP;
    /// Loops, with and without `target`.
    pub const OMP_LOOPS: u64 = OMP_TARGET_LOOP | OMP_LOOP;
    /// Directives whose statement has private variables.
    pub const OMP_PRIVATE: u64 =
        OMP_TARGETS | OMP_LOOP | OMP_TASKS | OMP_PARALLEL | OMP_SINGLE | OMP_SECTIONS | OMP_SCOPE;
    /// All directives of OpenMP.
    pub const OPENMP: u64 = !OPENACC;
}
use on::{
    COMPUTE, DATA, DECLARE, ENTER_DATA, EXIT_DATA, HOST_DATA, INIT, KERNELS, LOOP, OMP_ALLOCATE, OMP_ASSUME,
    OMP_ATOMIC, OMP_CANCEL, OMP_CRITICAL, OMP_DECLARE_MAPPER, OMP_DECLARE_SIMD, OMP_DECLARE_TARGET,
    OMP_DEPOBJ, OMP_DISPATCH, OMP_DOACROSS, OMP_ENTER_EXIT, OMP_ERROR, OMP_LOOP, OMP_LOOPS, OMP_MASKED,
    OMP_ORDERED, OMP_ORDERED_LOOP, OMP_PARALLEL, OMP_PRIVATE, OMP_REQUIRES, OMP_SCOPE, OMP_SECTIONS,
    OMP_SINGLE, OMP_TARGET, OMP_TARGET_DATA, OMP_TARGET_LOOP, OMP_TARGETS, OMP_TASK, OMP_TASKGROUP,
    OMP_TASKLOOP, OMP_TASKS, OMP_TASKWAIT, OMP_TRANSFORMATION, OMP_UPDATE, OPENMP, PARALLEL, ROUTINE, SERIAL,
    SET, UPDATE, WAIT,
};

/// What stands behind a clause's name, and the clause that it makes.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Nothing.
    Bare(fn() -> ClauseKind),
    /// `( expression )`.
    Condition(fn(Expr) -> ClauseKind),
    /// `( expression )` or nothing.
    OptionalCondition(fn(Option<Expr>) -> ClauseKind),
    /// `( assignment-expression )`.
    Argument(fn(Expr) -> ClauseKind),
    /// `( assignment-expression )` or nothing.
    OptionalArgument(fn(Option<Expr>) -> ClauseKind),
    /// `( assignment-expression , ... )`.
    Arguments(fn(Vec<Expr>) -> ClauseKind),
    /// `( [name:] assignment-expression )` or nothing.
    NamedArgument(&'static str, fn(Option<Expr>) -> ClauseKind),
    /// `( var , ... )`.
    Variables(fn(Vec<Expr>) -> ClauseKind),
    /// `( [modifier , ... :] var , ... )`.
    Data(MapKind),
    /// One of the words.
    Default(&'static [(&'static str, DefaultKind)]),
    /// Parentheses whose contents have no effect.
    Skipped(fn() -> ClauseKind),
    /// `( [directive-name:] expression )`.
    If,
    /// Arguments of `wait`.
    Wait,
    /// Device types.
    DeviceType,
    /// Operator and variables.
    Reduction,
    /// Arguments of `gang`.
    Gang,
    /// `( [force:] expression )`.
    Collapse,
    /// Sizes.
    Tile,
    /// A name.
    Bind,
    /// Kind and variables.
    Depend,
    /// The same, of `depobj`.
    DepobjDepend,
    /// `( kind )`.
    DepobjUpdate,
    /// Kind and chunk.
    Schedule,
    /// Variables and step.
    Linear,
    /// Variables and alignment.
    Aligned,
    /// Variables.
    LastPrivate,
    /// `source`, or `sink` with an iteration.
    Doacross,
    /// `( static )`, `( static , chunk )`.
    DistSchedule,
    /// `( compilation )`, `( execution )`.
    At,
    /// `( fatal )`, `( warning )`.
    Severity,
    /// `nowait`, perhaps with a condition.
    Nowait,
    /// `( [strict:] expression )`.
    Strict(fn(bool, Expr) -> ClauseKind),
    /// Operator and variables, of a reduction among tasks.
    Reducing(fn(ReductionName, Vec<Expr>) -> ClauseKind),
    /// `( [modifier:] concurrent )`.
    Order,
    /// What a loop belongs to.
    BindTo,
    /// Names right behind those of the directive.
    Names,
    /// Modifiers, kind and variables.
    Map,
    /// `( [lower-bound :] upper-bound )`.
    NumTeams,
    /// Allocator, alignment and variables.
    Allocate,
    /// `( [present:] var , ... )`; whether it is `to`.
    Motion(bool),
    /// Behaviour and category.
    DefaultMap,
    /// `( [device_num:] expression )`.
    Device,
    /// Places that a task is to run near to, which has no effect.
    Affinity,
    /// Advice, or an assertion that helps only optimisers: has no effect on one thread.
    Ignored,
    /// The same, one of the words.
    IgnoredWord(&'static [&'static str]),
    /// Has no effect where a processor executes regions; code of a GPU cannot have what it asks for.
    NotOnGpu,
}

/// A clause.
#[derive(Debug)]
pub struct ClauseRow {
    /// As users write it, and messages.
    pub name: &'static str,
    /// Other spellings.
    aliases: &'static [&'static str],
    /// What stands behind the name.
    pub form: Form,
    /// The directives that take it: bits of [`on`].
    on: u64,
    /// A directive may have several of it.
    pub repeats: bool,
    /// It may follow `device_type`.
    pub per_device: bool,
    /// The constructs of a combined directive that take it, if not all: one of them must be there.
    parts: Parts,
}

impl ClauseRow {
    /// Whether some directive of the set takes it.
    pub fn is_for(&self, directives: u64) -> bool {
        self.on & directives != 0 || matches!(self.form, Form::Names)
    }

    /// Whether a directive takes it.
    pub fn is_on(&self, kind: &DirectiveKind) -> bool {
        let combined = match kind {
            DirectiveKind::Omp(OmpKind::Combined(parts) | OmpKind::TargetTeamsLoop(parts)) => Some(*parts),
            _ => None,
        };
        let takes = |parts: Parts| match self.name {
            // Iterations that teams share have no order, and no step from one to the next.
            "ordered" => parts.has(Parts::FOR) && !parts.has(Parts::DISTRIBUTE),
            "linear" => parts.has(Parts::SIMD) || parts.has(Parts::FOR) && !parts.has(Parts::DISTRIBUTE),
            // A team ends with a barrier.
            "nowait" => parts.has(Parts::TARGET) || !parts.has(Parts::PARALLEL) && parts.has(self.parts),
            _ => self.parts == Parts::NONE || parts.has(self.parts),
        };
        self.is_for(bits(kind)) && combined.is_none_or(takes)
    }

    /// Whether every directive of a standard takes it.
    pub fn is_for_all(&self, standard: u64) -> bool {
        self.on == standard
    }

    /// The spellings.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    const fn aliases(self, aliases: &'static [&'static str]) -> ClauseRow {
        ClauseRow { aliases, ..self }
    }

    const fn repeats(self) -> ClauseRow {
        ClauseRow { repeats: true, ..self }
    }

    const fn per_device(self) -> ClauseRow {
        ClauseRow { per_device: true, ..self }
    }

    const fn of(self, parts: &[Parts]) -> ClauseRow {
        let (mut all, mut at) = (self.parts, 0);
        while at < parts.len() {
            all = all.with(parts[at]);
            at += 1;
        }
        ClauseRow { parts: all, ..self }
    }
}

const fn row(name: &'static str, form: Form, on: u64) -> ClauseRow {
    ClauseRow { name, aliases: &[], form, on, repeats: false, per_device: false, parts: Parts::NONE }
}

/// A data clause, by the IR's spelling.
const fn data(kind: MapKind, on: u64) -> ClauseRow {
    row(kind.clause(), Form::Data(kind), on).repeats()
}

const fn ignored(name: &'static str) -> ClauseRow {
    row(name, Form::Ignored, OPENMP)
}

/// Constructs that say how what is around them is shared.
const SHARING: &[Parts] = &[Parts::TEAMS, Parts::PARALLEL, Parts::TASKLOOP];

/// All clauses. Of two of one name, the first is meant where no directive decides.
static CLAUSES: &[ClauseRow] = &[
    row(
        "if",
        Form::Condition(ClauseKind::If),
        COMPUTE | DATA | ENTER_DATA | EXIT_DATA | HOST_DATA | UPDATE | WAIT | INIT | SET,
    ),
    row("self", Form::OptionalCondition(ClauseKind::SelfCondition), COMPUTE),
    row(
        "async",
        Form::OptionalArgument(ClauseKind::Async),
        COMPUTE | DATA | ENTER_DATA | EXIT_DATA | UPDATE | WAIT,
    )
    .per_device(),
    row("wait", Form::Wait, COMPUTE | DATA | ENTER_DATA | EXIT_DATA | UPDATE).repeats().per_device(),
    row("num_gangs", Form::Arguments(ClauseKind::NumGangs), PARALLEL | KERNELS).per_device(),
    row("num_workers", Form::Argument(ClauseKind::NumWorkers), PARALLEL | KERNELS).per_device(),
    row("vector_length", Form::Argument(ClauseKind::VectorLength), PARALLEL | KERNELS).per_device(),
    row("device_type", Form::DeviceType, COMPUTE | LOOP | DATA | UPDATE | ROUTINE | INIT | SET)
        .aliases(&["dtype"])
        .repeats()
        .per_device(),
    row("device_num", Form::Argument(ClauseKind::DeviceNum), INIT | SET).per_device(),
    row("default_async", Form::Argument(ClauseKind::DefaultAsync), SET).per_device(),
    row(
        "default",
        Form::Default(&[("none", DefaultKind::None), ("present", DefaultKind::Present)]),
        COMPUTE | DATA,
    ),
    data(MapKind::Copy, COMPUTE | DATA | DECLARE).aliases(&["pcopy", "present_or_copy"]),
    data(MapKind::CopyIn, COMPUTE | DATA | ENTER_DATA | DECLARE).aliases(&["pcopyin", "present_or_copyin"]),
    data(MapKind::CopyOut, COMPUTE | DATA | EXIT_DATA | DECLARE).aliases(&["pcopyout", "present_or_copyout"]),
    data(MapKind::Create, COMPUTE | DATA | ENTER_DATA | DECLARE).aliases(&["pcreate", "present_or_create"]),
    data(MapKind::NoCreate, COMPUTE | DATA),
    data(MapKind::Present, COMPUTE | DATA | DECLARE),
    data(MapKind::DevicePtr, COMPUTE | DATA | DECLARE),
    data(MapKind::Attach, COMPUTE | DATA | ENTER_DATA),
    data(MapKind::Detach, EXIT_DATA),
    data(MapKind::Delete, EXIT_DATA),
    data(MapKind::UseDevice, HOST_DATA),
    row("self", Form::Data(MapKind::UpdateSelf), UPDATE).aliases(&["host"]).repeats(),
    row("device", Form::Data(MapKind::UpdateDevice), UPDATE).repeats(),
    data(MapKind::DeviceResident, DECLARE),
    data(MapKind::Link, DECLARE),
    row("private", Form::Variables(ClauseKind::Private), PARALLEL | SERIAL | LOOP | OMP_PRIVATE).repeats(),
    row("firstprivate", Form::Variables(ClauseKind::FirstPrivate), PARALLEL | SERIAL | OMP_PRIVATE)
        .repeats()
        .of(&[
            Parts::TARGET,
            Parts::TEAMS,
            Parts::DISTRIBUTE,
            Parts::PARALLEL,
            Parts::FOR,
            Parts::SECTIONS,
            Parts::TASKLOOP,
        ]),
    row(
        "reduction",
        Form::Reduction,
        PARALLEL | SERIAL | LOOP | OMP_LOOPS | OMP_PARALLEL | OMP_SECTIONS | OMP_SCOPE | OMP_TASKLOOP,
    )
    .repeats(),
    row("gang", Form::Gang, LOOP | ROUTINE).per_device(),
    row("worker", Form::NamedArgument("num", ClauseKind::Worker), LOOP | ROUTINE).per_device(),
    row("vector", Form::NamedArgument("length", ClauseKind::Vector), LOOP | ROUTINE).per_device(),
    row("seq", Form::Bare(|| ClauseKind::Seq), LOOP | ROUTINE).per_device(),
    row("auto", Form::Bare(|| ClauseKind::Auto), LOOP).per_device(),
    row("independent", Form::Bare(|| ClauseKind::Independent), LOOP).per_device(),
    row("collapse", Form::Collapse, LOOP).per_device(),
    row("tile", Form::Tile, LOOP).per_device(),
    row("finalize", Form::Bare(|| ClauseKind::Finalize), EXIT_DATA),
    row("if_present", Form::Bare(|| ClauseKind::IfPresent), HOST_DATA | UPDATE),
    row("bind", Form::Bind, ROUTINE).per_device(),
    row("nohost", Form::Bare(|| ClauseKind::Nohost), ROUTINE),
    // OpenMP.
    row(
        "if",
        Form::If,
        OMP_TARGETS
            | OMP_LOOP
            | OMP_TARGET_DATA
            | OMP_ENTER_EXIT
            | OMP_UPDATE
            | OMP_TASKS
            | OMP_PARALLEL
            | OMP_CANCEL,
    )
    .repeats()
    .of(&[Parts::TARGET, Parts::TEAMS, Parts::PARALLEL, Parts::SIMD, Parts::TASKLOOP]),
    row("final", Form::Condition(ClauseKind::Final), OMP_TASKS),
    row("untied", Form::Bare(|| ClauseKind::Untied), OMP_TASKS),
    row("mergeable", Form::Bare(|| ClauseKind::Mergeable), OMP_TASKS),
    row(
        "priority",
        Form::Argument(ClauseKind::Priority),
        OMP_TASKS | OMP_TARGETS | OMP_ENTER_EXIT | OMP_UPDATE,
    ),
    row(
        "default",
        Form::Default(&[
            ("none", DefaultKind::None),
            ("shared", DefaultKind::Shared),
            ("firstprivate", DefaultKind::FirstPrivate),
            ("private", DefaultKind::Private),
        ]),
        OMP_LOOPS | OMP_TASKS | OMP_PARALLEL,
    )
    .of(SHARING),
    row("shared", Form::Variables(ClauseKind::Shared), OMP_LOOPS | OMP_TASKS | OMP_PARALLEL)
        .repeats()
        .of(SHARING),
    row(
        "depend",
        Form::Depend,
        OMP_TARGETS | OMP_ENTER_EXIT | OMP_UPDATE | OMP_TASK | OMP_TASKWAIT | OMP_DISPATCH,
    )
    .repeats(),
    row("map", Form::Map, OMP_TARGETS | OMP_TARGET_DATA | OMP_ENTER_EXIT | OMP_DECLARE_MAPPER).repeats(),
    row("to", Form::Motion(true), OMP_UPDATE | OMP_DECLARE_TARGET).aliases(&["enter"]).repeats(),
    row("local", Form::Motion(true), OMP_DECLARE_TARGET).repeats(),
    row("from", Form::Motion(false), OMP_UPDATE).repeats(),
    row("device", Form::Device, OMP_TARGETS | OMP_TARGET_DATA | OMP_ENTER_EXIT | OMP_UPDATE | OMP_DISPATCH),
    row("num_teams", Form::NumTeams, OMP_LOOPS).of(&[Parts::TEAMS]),
    row("thread_limit", Form::Argument(ClauseKind::ThreadLimit), OMP_TARGETS | OMP_LOOP)
        .of(&[Parts::TARGET, Parts::TEAMS]),
    // The number is taken as it is wanted anyway, so that nothing is left for `message` to be about.
    row("num_threads", Form::Strict(|_, count| ClauseKind::NumThreads(count)), OMP_LOOPS | OMP_PARALLEL)
        .of(&[Parts::PARALLEL]),
    row(
        "nowait",
        Form::Nowait,
        OMP_TARGETS
            | OMP_LOOP
            | OMP_ENTER_EXIT
            | OMP_UPDATE
            | OMP_DISPATCH
            | OMP_SINGLE
            | OMP_SECTIONS
            | OMP_SCOPE
            | OMP_TASKWAIT,
    )
    .of(&[Parts::FOR, Parts::SECTIONS]),
    row("is_device_ptr", Form::Variables(ClauseKind::IsDevicePtr), OMP_TARGETS | OMP_DISPATCH).repeats(),
    row("has_device_addr", Form::Variables(ClauseKind::HasDeviceAddr), OMP_TARGETS | OMP_DISPATCH).repeats(),
    row("use_device_ptr", Form::Variables(ClauseKind::UseDevicePtr), OMP_TARGET_DATA).repeats(),
    row("use_device_addr", Form::Variables(ClauseKind::UseDeviceAddr), OMP_TARGET_DATA).repeats(),
    row("link", Form::Variables(ClauseKind::Link), OMP_DECLARE_TARGET).repeats(),
    row(
        "unified_shared_memory",
        Form::Bare(|| ClauseKind::Requires(Requirement::UnifiedSharedMemory)),
        OMP_REQUIRES,
    ),
    row("self_maps", Form::Bare(|| ClauseKind::Requires(Requirement::UnifiedSharedMemory)), OMP_REQUIRES),
    row("reverse_offload", Form::Bare(|| ClauseKind::Requires(Requirement::ReverseOffload)), OMP_REQUIRES),
    row("unified_address", Form::Bare(|| ClauseKind::Requires(Requirement::Harmless)), OMP_REQUIRES),
    row("dynamic_allocators", Form::Bare(|| ClauseKind::Requires(Requirement::Harmless)), OMP_REQUIRES),
    row(
        "atomic_default_mem_order",
        Form::Skipped(|| ClauseKind::Requires(Requirement::Harmless)),
        OMP_REQUIRES,
    ),
    row("defaultmap", Form::DefaultMap, OMP_TARGETS).repeats(),
    row(
        "collapse",
        Form::Argument(|count| ClauseKind::Collapse { count, force: false }),
        OMP_LOOPS | OMP_TASKLOOP,
    ),
    row("schedule", Form::Schedule, OMP_LOOPS).of(&[Parts::FOR]),
    row("dist_schedule", Form::DistSchedule, OMP_LOOPS).of(&[Parts::DISTRIBUTE]),
    row("order", Form::Order, OMP_LOOPS),
    row("bind", Form::BindTo, OMP_LOOPS).of(&[Parts::LOOP]),
    row("lastprivate", Form::LastPrivate, OMP_LOOPS | OMP_SECTIONS | OMP_TASKLOOP).repeats(),
    row("linear", Form::Linear, OMP_LOOPS).repeats(),
    row("ordered", Form::OptionalArgument(ClauseKind::Ordered), OMP_LOOP | OMP_ORDERED_LOOP),
    row("depend", Form::Doacross, OMP_DOACROSS).repeats(),
    row("doacross", Form::Doacross, OMP_DOACROSS).repeats(),
    row("copyin", Form::Variables(ClauseKind::CopyIn), OMP_PARALLEL | OMP_LOOP)
        .repeats()
        .of(&[Parts::PARALLEL]),
    row("copyprivate", Form::Variables(ClauseKind::CopyPrivate), OMP_SINGLE).repeats(),
    row("in_reduction", Form::Reducing(ClauseKind::InReduction), OMP_TASKS | OMP_TARGETS).repeats(),
    row("task_reduction", Form::Reducing(ClauseKind::TaskReduction), OMP_TASKGROUP).repeats(),
    row("detach", Form::Argument(ClauseKind::Detach), OMP_TASK),
    row("novariants", Form::Argument(ClauseKind::NoVariants), OMP_DISPATCH),
    row("nocontext", Form::Argument(ClauseKind::NoContext), OMP_DISPATCH),
    row("filter", Form::Argument(ClauseKind::Filter), OMP_MASKED),
    row("grainsize", Form::Strict(ClauseKind::Grainsize), OMP_TASKLOOP),
    row("num_tasks", Form::Strict(ClauseKind::NumTasks), OMP_TASKLOOP),
    row("nogroup", Form::Bare(|| ClauseKind::Nogroup), OMP_TASKLOOP),
    row("depend", Form::DepobjDepend, OMP_DEPOBJ),
    row("update", Form::DepobjUpdate, OMP_DEPOBJ),
    // OpenMP 5.2 names the object once more.
    row("destroy", Form::OptionalArgument(|_| ClauseKind::DepobjAction(DepobjAction::Destroy)), OMP_DEPOBJ),
    row("simdlen", Form::Argument(ClauseKind::Simdlen), OMP_LOOPS).of(&[Parts::SIMD]),
    row("safelen", Form::Argument(ClauseKind::Safelen), OMP_LOOPS).of(&[Parts::SIMD]),
    row("at", Form::At, OMP_ERROR),
    row("severity", Form::Severity, OMP_ERROR),
    row("message", Form::Argument(ClauseKind::Message), OMP_ERROR),
    row("simd", Form::Bare(|| ClauseKind::Simd), OMP_ORDERED),
    row("uniform", Form::Ignored, OMP_DECLARE_SIMD).repeats(),
    row("linear", Form::Ignored, OMP_DECLARE_SIMD).repeats(),
    row("simdlen", Form::Ignored, OMP_DECLARE_SIMD),
    row("inbranch", Form::Ignored, OMP_DECLARE_SIMD),
    row("notinbranch", Form::Ignored, OMP_DECLARE_SIMD),
    row("allocator", Form::Ignored, OMP_ALLOCATE),
    row("align", Form::Argument(ClauseKind::Align), OMP_ALLOCATE),
    row("sizes", Form::Arguments(ClauseKind::Sizes), OMP_TRANSFORMATION),
    row("permutation", Form::Arguments(ClauseKind::Permutation), OMP_TRANSFORMATION),
    row("partial", Form::OptionalArgument(ClauseKind::Partial), OMP_TRANSFORMATION),
    row("full", Form::Bare(|| ClauseKind::Full), OMP_TRANSFORMATION),
    row("absent", Form::Ignored, OMP_ASSUME),
    row("contains", Form::Ignored, OMP_ASSUME),
    row("holds", Form::Ignored, OMP_ASSUME),
    row("no_openmp", Form::Ignored, OMP_ASSUME),
    row("no_openmp_routines", Form::Ignored, OMP_ASSUME),
    row("no_openmp_constructs", Form::Ignored, OMP_ASSUME),
    row("no_parallelism", Form::Ignored, OMP_ASSUME),
    row("safesync", Form::Ignored, OMP_PARALLEL),
    row("severity", Form::Ignored, OMP_PARALLEL),
    row("message", Form::Ignored, OMP_PARALLEL),
    row("threadset", Form::Ignored, OMP_TASKS),
    row("proc_bind", Form::IgnoredWord(&["primary", "master", "close", "spread"]), OMP_LOOPS | OMP_PARALLEL)
        .of(&[Parts::PARALLEL]),
    row("aligned", Form::Aligned, OMP_LOOPS | OMP_TASKLOOP).repeats().of(&[Parts::SIMD]),
    row("aligned", Form::Ignored, OMP_DECLARE_SIMD).repeats(),
    row("nontemporal", Form::Variables(ClauseKind::Nontemporal), OMP_LOOPS | OMP_TASKLOOP)
        .repeats()
        .of(&[Parts::SIMD]),
    row("hint", Form::Argument(ClauseKind::Hint), OMP_CRITICAL | OMP_ATOMIC),
    row("affinity", Form::Affinity, OPENMP).repeats(),
    ignored("threads"),
    ignored("device_type"),
    ignored("seq_cst"),
    ignored("acq_rel"),
    ignored("acquire"),
    ignored("release"),
    ignored("relaxed"),
    row("allocate", Form::Allocate, OMP_PRIVATE | OMP_TASKGROUP).repeats(),
    row("uses_allocators", Form::Ignored, OMP_TARGETS).repeats(),
    row("indirect", Form::NotOnGpu, OMP_DECLARE_TARGET),
];

/// Names that stand right behind those of a directive, which are no clause to a user.
pub static NAMES: &ClauseRow = &row("", Form::Names, u64::MAX);

/// The clause that a word names on a directive, among those of a standard ([`on::OPENACC`], [`on::OPENMP`]).
/// If the directive takes none of that name, it is the clause of another directive.
pub fn find(word: &str, standard: u64, directive: u64) -> Option<&'static ClauseRow> {
    let mut named = CLAUSES.iter().filter(|row| row.is_for(standard) && row.names().any(|name| name == word));
    let first = named.clone().next();
    named.find(|row| row.is_for(directive)).or(first)
}

/// The names of a standard's clauses.
pub fn names(standard: u64) -> impl Iterator<Item = &'static str> {
    CLAUSES.iter().filter(move |row| row.is_for(standard)).flat_map(ClauseRow::names)
}

/// A data clause as users write it.
pub fn data_name(kind: MapKind) -> &'static str {
    let is_it = |row: &&ClauseRow| matches!(row.form, Form::Data(other) if other == kind);
    CLAUSES.iter().find(is_it).map_or(kind.clause(), |row| row.name)
}

/// The bits of a directive. A combined construct has those of its parts.
pub fn bits(kind: &DirectiveKind) -> u64 {
    let with_loop = |construct: u64, loop_: bool| if loop_ { construct | LOOP } else { construct };
    match kind {
        DirectiveKind::Parallel { loop_ } => with_loop(PARALLEL, *loop_),
        DirectiveKind::Serial { loop_ } => with_loop(SERIAL, *loop_),
        DirectiveKind::Kernels { loop_ } => with_loop(KERNELS, *loop_),
        DirectiveKind::Loop => LOOP,
        DirectiveKind::Data => DATA,
        DirectiveKind::EnterData => ENTER_DATA,
        DirectiveKind::ExitData => EXIT_DATA,
        DirectiveKind::HostData => HOST_DATA,
        DirectiveKind::Update => UPDATE,
        DirectiveKind::Atomic(_) => OMP_ATOMIC,
        DirectiveKind::Cache { .. } => 0,
        DirectiveKind::Declare => DECLARE,
        DirectiveKind::Routine(_) => ROUTINE,
        DirectiveKind::Wait(_) => WAIT,
        DirectiveKind::Init | DirectiveKind::Shutdown => INIT,
        DirectiveKind::Set => SET,
        DirectiveKind::Omp(omp) => match omp {
            OmpKind::Target => OMP_TARGET,
            OmpKind::TargetTeamsLoop(parts) if parts.has(Parts::FOR) && !parts.has(Parts::DISTRIBUTE) => {
                OMP_TARGET_LOOP | OMP_ORDERED_LOOP
            }
            OmpKind::TargetTeamsLoop(_) => OMP_TARGET_LOOP,
            OmpKind::Combined(parts) => combined_bits(*parts),
            OmpKind::TargetData => OMP_TARGET_DATA,
            OmpKind::TargetEnterData | OmpKind::TargetExitData => OMP_ENTER_EXIT,
            OmpKind::TargetUpdate => OMP_UPDATE,
            OmpKind::Task => OMP_TASK,
            OmpKind::Taskwait => OMP_TASKWAIT,
            OmpKind::Parallel => OMP_PARALLEL,
            OmpKind::Single => OMP_SINGLE,
            OmpKind::DeclareTarget => OMP_DECLARE_TARGET,
            OmpKind::Taskgroup => OMP_TASKGROUP,
            OmpKind::Master => OMP_MASKED,
            OmpKind::Dispatch => OMP_DISPATCH,
            OmpKind::Scope => OMP_SCOPE,
            OmpKind::Depobj => OMP_DEPOBJ,
            OmpKind::Doacross => OMP_DOACROSS,
            OmpKind::Cancel(_) => OMP_CANCEL,
            OmpKind::Error => OMP_ERROR,
            OmpKind::Assume | OmpKind::Assumes => OMP_ASSUME,
            OmpKind::Ordered => OMP_ORDERED,
            OmpKind::DeclareSimd => OMP_DECLARE_SIMD,
            OmpKind::DeclareMapper => OMP_DECLARE_MAPPER,
            OmpKind::Allocate => OMP_ALLOCATE,
            OmpKind::LoopTransformation(_) => OMP_TRANSFORMATION,
            OmpKind::Requires => OMP_REQUIRES,
            OmpKind::Critical => OMP_CRITICAL,
            OmpKind::EndDeclareTarget
            | OmpKind::Barrier
            | OmpKind::Section
            | OmpKind::Taskyield
            | OmpKind::Flush
            | OmpKind::Threadprivate
            | OmpKind::DeclareReduction
            | OmpKind::Scan
            | OmpKind::CancellationPoint(_)
            | OmpKind::Nothing
            | OmpKind::Unsupported => 0,
        },
    }
}

fn combined_bits(parts: Parts) -> u64 {
    let bit = |part: Parts, bit: u64| if parts.has(part) { bit } else { 0 };
    let loops = [Parts::TEAMS, Parts::DISTRIBUTE, Parts::FOR, Parts::SIMD, Parts::LOOP];
    let loops = loops.into_iter().fold(Parts::default(), Parts::with);
    bit(loops, OMP_LOOP)
        | bit(Parts::PARALLEL, OMP_PARALLEL)
        | bit(Parts::MASKED, OMP_MASKED)
        | bit(Parts::SECTIONS, OMP_SECTIONS)
        | bit(Parts::TASKLOOP, OMP_TASKLOOP)
}
