//! What the analysis of directives keeps while it walks through a translation unit.

use super::omp::Region;
use super::reduced::DeclaredReduction;
use super::sharing::Sharing;
use super::target_region::TargetRegion;
use crate::ctype::TypeId;
use crate::directive::{DefaultKind, OmpMapKind, OmpMapModifiers};
use crate::intern::Symbol;
use crate::options::Target;
use crate::source::Span;
use crate::typed::{DataItem, FuncId, VarId};
use accrue_ir::{ConstructKind, Routine};
use rustc_hash::{FxHashMap, FxHashSet};

/// A `routine` directive without a name, until its function is declared.
pub(super) struct Pending {
    pub routine: Routine,
    pub span: Span,
    /// Where `nohost` stands, or the directive.
    pub nohost: Span,
}

/// A construct around the statement being analysed.
pub(crate) enum Enclosing {
    /// A compute construct, and its directive.
    Compute {
        /// Which.
        kind: ConstructKind,
        /// The directive.
        span: Span,
    },
    /// A `data` construct.
    Data {
        /// Its clauses.
        items: Vec<DataItem>,
        /// What compute constructs in it have that lack a clause `default`.
        default: Option<DefaultKind>,
    },
    /// A `host_data` construct.
    HostData {
        /// The variables in `use_device`.
        vars: Vec<VarId>,
        /// The directive.
        span: Span,
    },
    /// A `loop` construct.
    Loop,
}

/// A loop with `reduction(inscan, ...)` whose body is being analysed.
pub(crate) struct Scan {
    /// The variables of the clause.
    pub(super) vars: Vec<VarId>,
    /// The `scan` directive in the body: a hidden variable that is declared in its place, and whether the
    /// directive says `exclusive`.
    pub(super) found: Option<(VarId, bool)>,
}

/// What `declare mapper` says of a type.
pub(crate) struct Mapper {
    /// The type.
    pub(super) ty: TypeId,
    /// Stands for the object that is mapped.
    pub(super) var: VarId,
    /// What is mapped of it.
    pub(super) items: Vec<(OmpMapKind, OmpMapModifiers, DataItem)>,
}

/// What the analysis of directives keeps between calls.
#[derive(Default)]
pub(crate) struct State {
    /// The device that `device_type` is resolved for.
    pub(crate) target: Target,
    /// The constructs around the statement being analysed, innermost last.
    pub(super) constructs: Vec<Enclosing>,
    /// The constructs of OpenMP around it, innermost last.
    pub(super) regions: Vec<Region>,
    /// The constructs of the host's threads around it that say what threads share.
    pub(super) sharing: Vec<Sharing>,
    /// `routine` without a name, waiting for its function.
    pub(super) pending_routine: Option<Pending>,
    /// The directive behind each function's [`Function::routine`].
    pub(super) routines: FxHashMap<FuncId, Span>,
    /// The directive behind each variable's [`Var::declare`].
    pub(super) declares: FxHashMap<VarId, Span>,
    /// The `target` construct of OpenMP around the statement being analysed.
    pub(crate) target_region: Option<TargetRegion>,
    /// For each `omp declare target` that has not ended, the number of variables there were at its start.
    pub(super) declare_targets: Vec<usize>,
    /// The objects that stand for names of critical sections: no clause says anything about them.
    pub(super) locks: Vec<VarId>,
    /// The statement being analysed is the host's version of one that devices execute, too.
    pub(super) in_version_of_host: bool,
    /// The statement being analysed is one that a device may execute, as far as anybody knows yet.
    pub(super) in_version_of_device: bool,
    /// Whether the program may have `target` constructs, once somebody has asked.
    pub(super) has_targets: Option<bool>,
    /// `requires unified_shared_memory`: directives of OpenMP mean the host, whose memory is shared.
    pub(super) on_initial_device: bool,
    /// The loops around the statement being analysed that have `reduction(inscan, ...)`, innermost last.
    pub(super) scans: Vec<Scan>,
    /// Variables of `threadprivate`: their declarations say nothing of threads.
    pub(crate) threadprivate: FxHashSet<VarId>,
    /// What `declare reduction` has declared, visible or not.
    pub(super) declared_reductions: Vec<DeclaredReduction>,
    /// What `declare mapper` has declared, visible or not.
    pub(super) mappers: Vec<Mapper>,
    /// Mappers whose items are being mapped, inside of each other.
    pub(super) mapping: u32,
    /// Parameters declared as arrays of known length: clauses can mean the array, though C makes a pointer of
    /// it.
    pub(super) array_params: FxHashMap<VarId, u64>,
    /// The function being analysed has directives, or builtins that are for device code.
    pub(super) has_directives: bool,
    /// Its expressions hold statements, or ask which thread executes them: rules about all statements of the
    /// function have to look at expressions, too.
    pub(crate) in_expressions: bool,
    /// It has a `parallel` that the threads of a gang may share.
    pub(super) has_orphans: bool,
    /// The hint that the first `critical` of each name has, if it has one, and where that stands.
    pub(super) hints_of_locks: FxHashMap<Symbol, (i128, Span)>,
    /// Some routine has a level, so that calls have to be looked at.
    pub(super) routines_have_levels: bool,
}

impl State {
    /// What is known before the first directive.
    pub(crate) fn new(target: Target) -> State {
        State { target, ..State::default() }
    }
}
