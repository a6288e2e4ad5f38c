//! OpenACC in the IR: levels, reductions, directives on loops, constructs, regions, launches and data
//! operations.
//!
//! The front end fills [`LoopDirective`] and [`ConstructData`]; passes turn them into regions and quads.

use crate::entities::{Block, Construct, Func, Local, Loop, Red, Sig};
use crate::op::{Address, Operand, Pos};
use crate::types::Type;
use cranelift_entity::packed_option::ReservedValue;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A dimension of parallel execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Level {
    /// Gangs: `gang`, `gang(dim:1)`.
    Gang,
    /// `gang(dim:2)`.
    Gang2,
    /// `gang(dim:3)`.
    Gang3,
    /// Workers of a gang.
    Worker,
    /// Vector lanes of a worker.
    Vector,
    /// Left to the target's `assign-levels` pass.
    Unassigned,
}

impl Level {
    /// Name in the text form and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Level::Gang => "gang",
            Level::Gang2 => "gang2",
            Level::Gang3 => "gang3",
            Level::Worker => "worker",
            Level::Vector => "vector",
            Level::Unassigned => "unassigned",
        }
    }

    /// The gang dimension that `dim:` names; 1 where the clause names none.
    pub fn of_gangs(dim: u8) -> Level {
        match dim {
            3 => Level::Gang3,
            2 => Level::Gang2,
            _ => Level::Gang,
        }
    }

    /// Whether it is one of the three gang dimensions.
    pub fn is_gang(self) -> bool {
        matches!(self, Level::Gang | Level::Gang2 | Level::Gang3)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The operators of a `reduction` clause (OpenACC 3.3 section 2.9.11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ReductionOp {
    /// `+`, identity 0.
    Add,
    /// `*`, identity 1.
    Mul,
    /// `max`, identity the least value (floats: negative infinity).
    Max,
    /// `min`, identity the largest value (floats: infinity).
    Min,
    /// `&`, identity all ones.
    BitAnd,
    /// `|`, identity 0.
    BitOr,
    /// `^`, identity 0.
    BitXor,
    /// `&&`, identity 1.
    LogAnd,
    /// `||`, identity 0.
    LogOr,
    /// What a program declares for a type (`declare reduction` of OpenMP 5.2, 5.5.11).
    Declared(Declared),
}

/// How a program combines elements of a type. Elements have an address only: the parts of a clause and the
/// arrays of quads are runs of `i8`, whose number is that of the bytes of one element or several.
///
/// Both functions have the signature `(ptr, ptr)`, and no value. They are called where all lanes of a warp
/// are, and where one thread is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Declared {
    /// `start(element, original)` gives a private copy its first value. The two may be one.
    pub start: Func,
    /// `combine(out, in)` adds what is in `in` to `out`; it may change both.
    pub combine: Func,
    /// The signature of both.
    pub sig: Sig,
    /// Bytes of an element.
    pub size: u32,
    /// Their alignment.
    pub align: u32,
    /// The first value depends on the original: who has the variable may not change it before all private
    /// copies have started.
    pub reads_original: bool,
}

/// The scalars that operators distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ScalarClass {
    /// Integers, `_Bool` and enumerations.
    Integer,
    /// Floating-point numbers.
    Real,
    /// Complex numbers.
    Complex,
}

impl ReductionOp {
    /// All that the language has, as messages list them.
    pub const ALL: &[ReductionOp] = &[
        ReductionOp::Add,
        ReductionOp::Mul,
        ReductionOp::Max,
        ReductionOp::Min,
        ReductionOp::BitAnd,
        ReductionOp::BitOr,
        ReductionOp::BitXor,
        ReductionOp::LogAnd,
        ReductionOp::LogOr,
    ];

    /// Whether there is such a reduction of scalars of a class.
    pub fn is_defined_on(self, class: ScalarClass) -> bool {
        match self {
            ReductionOp::Add | ReductionOp::Mul | ReductionOp::LogAnd | ReductionOp::LogOr => true,
            ReductionOp::Max | ReductionOp::Min => class != ScalarClass::Complex,
            ReductionOp::BitAnd | ReductionOp::BitOr | ReductionOp::BitXor | ReductionOp::Declared(_) => {
                class == ScalarClass::Integer
            }
        }
    }

    /// What the program declares, if it is that.
    pub fn declared(self) -> Option<Declared> {
        match self {
            ReductionOp::Declared(declared) => Some(declared),
            _ => None,
        }
    }

    /// Whether floating-point results are rounded, so that they depend on the order of the operands.
    pub fn rounds(self) -> bool {
        matches!(self, ReductionOp::Add | ReductionOp::Mul)
    }

    /// Whether a result of a type in memory depends on the order of the operands.
    pub fn depends_on_order(self, ty: Type) -> bool {
        // Nobody knows what a function does.
        self.declared().is_some()
            || self.rounds() && matches!(ty, Type::F32 | Type::F64 | Type::F80 | Type::C32 | Type::C64)
    }

    /// Whether the order of the values decides which of them is the result.
    pub fn is_extremum(self) -> bool {
        matches!(self, ReductionOp::Max | ReductionOp::Min)
    }

    /// Whether a value may take part several times, as in `max`.
    pub fn is_idempotent(self) -> bool {
        !matches!(self, ReductionOp::Add | ReductionOp::Mul | ReductionOp::BitXor | ReductionOp::Declared(_))
    }

    /// The alignment of elements of a type in memory.
    pub fn align(self, ty: RedType) -> u32 {
        self.declared().map_or(ty.ty.align(), |declared| declared.align)
    }

    /// The operator as written in a clause.
    pub fn spelling(self) -> &'static str {
        match self {
            ReductionOp::Add => "+",
            ReductionOp::Mul => "*",
            ReductionOp::Max => "max",
            ReductionOp::Min => "min",
            ReductionOp::BitAnd => "&",
            ReductionOp::BitOr => "|",
            ReductionOp::BitXor => "^",
            ReductionOp::LogAnd => "&&",
            ReductionOp::LogOr => "||",
            ReductionOp::Declared(_) => "declared",
        }
    }
}

/// The type of a reduction variable, or of each of its elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RedType {
    /// Type in memory.
    pub ty: Type,
    /// Integers: signed (decides `min`, `max` and promotion).
    pub signed: bool,
    /// C `_Bool`: every result is normalised to 0 or 1.
    pub boolean: bool,
}

/// A scalar part of a reduction variable: a plain variable has one, a struct one per member.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReductionPart {
    /// Byte offset in the variable, from [`ReductionClause::lower`] on.
    pub offset: i64,
    /// Type of an element.
    pub ty: RedType,
    /// Number of elements, an `i64`; `None` for a scalar, `Some` for an array or a subarray (even of one
    /// element).
    pub count: Option<Operand>,
}

impl ReductionPart {
    /// Its length in bytes, if that is constant.
    pub fn bytes(&self) -> Option<u64> {
        let count = self.count.map_or(Some(1), Operand::as_int)?;
        u64::try_from(count).ok()?.checked_mul(self.ty.ty.bytes().into())
    }
}

/// One variable of a `reduction` clause.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReductionClause {
    /// The operator.
    pub op: ReductionOp,
    /// Name in the source.
    pub name: Arc<str>,
    /// The variable: a local, or the slot or global it lives in. A subarray through a pointer names the
    /// pointer.
    pub var: Operand,
    /// The variable is a pointer, and the parts are those of what it points to.
    pub pointee: bool,
    /// Where the parts begin, in bytes from the start of the variable, an `i64`; `None` is 0. Of `a[k:4]`,
    /// which begins at an element that is known at run time only.
    pub lower: Option<Operand>,
    /// Its scalar parts.
    pub parts: Vec<ReductionPart>,
    /// The clause.
    pub pos: Pos,
}

impl ReductionClause {
    /// Whether it is about an element whose address it names.
    pub fn is_element(&self) -> bool {
        self.pointee && matches!(self.parts[..], [ReductionPart { offset: 0, count: None, .. }])
    }
}

/// A variable named by `private` or `firstprivate`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PrivateVar {
    /// Name in the source.
    pub name: Arc<str>,
    /// The local, slot or global.
    pub var: Operand,
    /// Size in bytes of the object.
    pub bytes: u64,
    /// Alignment in bytes of the object.
    pub align: u32,
    /// Determined by the compiler, not written by the user.
    pub implicit: bool,
    /// The clause.
    pub pos: Pos,
}

/// `gang`, `gang(num:n)`, `gang(static:s)`, `gang(dim:d)`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GangClause {
    /// `num:`, allowed on `kernels`.
    pub num: Option<Operand>,
    /// `static:`; the inner `None` is `*`.
    pub static_: Option<Option<Operand>>,
    /// `dim:` 1, 2 or 3; 1 if absent.
    pub dim: u8,
}

/// `seq`, `independent`, `auto`: at most one stands on a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LoopKind {
    /// No clause: independent in `parallel`, analysed in `kernels`.
    Default,
    /// `seq`.
    Seq,
    /// `independent`.
    Independent,
    /// `auto`.
    Auto,
}

/// The routine in which the threads of a team meet: a barrier that all of them come to.
pub const MEET: &str = "__accrue_omp_meet";

/// A `loop` directive.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LoopDirective {
    /// `seq`, `independent`, `auto`.
    pub kind: LoopKind,
    /// `gang`.
    pub gang: Option<GangClause>,
    /// `worker`, with its `num:` argument.
    pub worker: Option<Option<Operand>>,
    /// `vector`, with its `length:` argument.
    pub vector: Option<Option<Operand>>,
    /// Number of associated loops: `n` of `collapse(n)`, the number of sizes of `tile`, 1 if both are absent.
    pub collapse: u32,
    /// `collapse(force:n)`.
    pub collapse_force: bool,
    /// An iteration may depend on earlier ones of the thread that executes it, such as through an element
    /// that the number of the thread says, or where the thread turns out to be the only one.
    pub in_order: bool,
    /// Iterations that a thread executes at once as long as it has so many, in a loop in front of this one; 1
    /// without such a loop.
    pub at_once: u32,
    /// The iterations are the threads of a team, as OpenMP's `parallel` has one: all of them run at the same
    /// time, a thread of the gang each, and meet where they call [`MEET`]. The list has the objects from
    /// outside that some of them change and all of them see. Behind the pass `partition`, a GPU has as many
    /// threads in each gang as the loop has iterations.
    pub team: Option<Vec<Operand>>,
    /// `tile`, outermost first; `None` is `*`. Iterations of its nest may be executed in any order, so that
    /// the nest is as free as one of `collapse`, and a target takes the sizes as a wish.
    pub tile: Vec<Option<Operand>>,
    /// `private`.
    pub private: Vec<PrivateVar>,
    /// `reduction`.
    pub reductions: Vec<ReductionClause>,
    /// Locals in which iterations accumulate, and whose values in between they use. Otherwise iterations are
    /// independent, and nothing reads the locals behind the loop: the lanes of a warp can execute it, if they
    /// tell each other what they add. A loop that has some is sequential elsewhere.
    pub scans: Vec<ReductionClause>,
    /// Levels the loop is partitioned over, outermost first: from the clauses, or by the `assign-levels`
    /// pass.
    pub levels: Vec<Level>,
    /// The directive.
    pub pos: Pos,
}

impl LoopDirective {
    /// Lets one thread execute the loop: its clauses ask for no threads of the launch either.
    pub fn make_sequential(&mut self) {
        self.kind = LoopKind::Seq;
        self.levels.clear();
        (self.gang, self.worker, self.vector) = (None, None, None);
    }

    /// A directive without clauses but perhaps for that of its kind.
    pub fn new(kind: LoopKind, pos: Pos) -> LoopDirective {
        LoopDirective {
            kind,
            gang: None,
            worker: None,
            vector: None,
            collapse: 1,
            collapse_force: false,
            in_order: false,
            at_once: 1,
            team: None,
            tile: Vec::new(),
            private: Vec::new(),
            reductions: Vec::new(),
            scans: Vec::new(),
            levels: Vec::new(),
            pos,
        }
    }

    /// The clause that says how many loops the directive is about, as messages write it.
    pub fn nest_clause(&self) -> String {
        match self.tile.is_empty() {
            true => format!("`collapse({})`", self.collapse),
            false => "`tile`".to_owned(),
        }
    }

    /// The levels that its clauses name, outermost first.
    pub fn named_levels(&self) -> Vec<Level> {
        let gang = self.gang.as_ref().map(|gang| Level::of_gangs(gang.dim));
        let worker = self.worker.as_ref().map(|_| Level::Worker);
        let vector = self.vector.as_ref().map(|_| Level::Vector);
        [gang, worker, vector].into_iter().flatten().collect()
    }
}

/// The kind of a construct that becomes a function of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ConstructKind {
    /// `parallel`.
    Parallel,
    /// `serial`.
    Serial,
    /// `kernels`.
    Kernels,
    /// OpenMP's `parallel`: every thread of a team of the host executes it.
    Team,
    /// OpenMP's `task`: some thread of the host executes it.
    Task,
}

impl ConstructKind {
    /// Name of the directive.
    pub fn name(self) -> &'static str {
        match self {
            ConstructKind::Parallel => "parallel",
            ConstructKind::Serial => "serial",
            ConstructKind::Kernels => "kernels",
            ConstructKind::Team => "team",
            ConstructKind::Task => "task",
        }
    }

    /// Name of the directive in the program whose sizes come from these clauses.
    pub fn written(self, clauses: SizeClauses) -> &'static str {
        match (self, clauses) {
            (ConstructKind::Parallel | ConstructKind::Serial, SizeClauses::OpenMp(_)) => "target",
            _ => self.name(),
        }
    }

    /// Whether threads of the host execute it, as a part of the program around it.
    pub fn is_threaded(self) -> bool {
        matches!(self, ConstructKind::Team | ConstructKind::Task)
    }
}

/// What a data clause does. The names are the clauses'.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each variant is the clause of its name")]
pub enum MapKind {
    Copy,
    CopyIn,
    CopyOut,
    Create,
    NoCreate,
    Present,
    DevicePtr,
    Attach,
    Detach,
    Delete,
    UseDevice,
    /// `update self` / `update host`.
    UpdateSelf,
    UpdateDevice,
    DeviceResident,
    Link,
    /// A `firstprivate` object too large for a register: its bytes travel with the launch.
    FirstPrivate,
    /// A variable that threads of the host share with the code around the construct.
    Shared,
}

impl MapKind {
    /// The clause on `item` as a program spells it whose sizes come from these clauses.
    pub fn written(self, clauses: SizeClauses, item: &str) -> String {
        let (clause, kind) = match (clauses, self) {
            (SizeClauses::OpenAcc, _) => (self.clause(), ""),
            (SizeClauses::OpenMp(_), MapKind::Copy) => ("map", "tofrom: "),
            (SizeClauses::OpenMp(_), MapKind::CopyIn) => ("map", "to: "),
            (SizeClauses::OpenMp(_), MapKind::CopyOut) => ("map", "from: "),
            (SizeClauses::OpenMp(_), MapKind::Create) => ("map", "alloc: "),
            (SizeClauses::OpenMp(_), MapKind::Delete) => ("map", "delete: "),
            (SizeClauses::OpenMp(_), MapKind::Present) => ("map", "present, alloc: "),
            (SizeClauses::OpenMp(_), MapKind::DevicePtr) => ("is_device_ptr", ""),
            (SizeClauses::OpenMp(_), _) => (self.clause(), ""),
        };
        format!("{clause}({kind}{item})")
    }

    /// The clause as OpenACC spells it.
    pub const fn clause(self) -> &'static str {
        match self {
            MapKind::Copy => "copy",
            MapKind::CopyIn => "copyin",
            MapKind::CopyOut => "copyout",
            MapKind::Create => "create",
            MapKind::NoCreate => "no_create",
            MapKind::Present => "present",
            MapKind::DevicePtr => "deviceptr",
            MapKind::Attach => "attach",
            MapKind::Detach => "detach",
            MapKind::Delete => "delete",
            MapKind::UseDevice => "use_device",
            MapKind::UpdateSelf => "update self",
            MapKind::UpdateDevice => "update device",
            MapKind::DeviceResident => "device_resident",
            MapKind::Link => "link",
            MapKind::FirstPrivate => "firstprivate",
            MapKind::Shared => "shared",
        }
    }
}

/// Modifiers of a data clause (OpenACC 3.3 section 2.7.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct MapModifiers {
    /// `zero`.
    pub zero: bool,
    /// `readonly`.
    pub readonly: bool,
    /// `always` or `alwaysin`.
    pub always_in: bool,
    /// `always` or `alwaysout`.
    pub always_out: bool,
    /// `capture`.
    pub capture: bool,
    /// Of `create` on a construct: behind it, the host reads the object before it writes it. No clause says
    /// so; the simulator, which knows that a region's results are lost, asks whether anybody wanted them.
    pub read_later: bool,
    /// Of a pointer that no clause names, in a compute construct. If anything of the section is present, the
    /// construct uses that and copies nothing. Up to the pass `sections` it is a `no_create` without bytes;
    /// the pass gives it the bytes that the construct accesses and the clause that fits. On `exit data`: of a
    /// pointer without a section, which ends the lifetime of what it leads to, however many bytes these are.
    pub by_use: bool,
    /// `present` of OpenMP: nothing is made, what is not there ends the program.
    pub required: bool,
    /// Of `delete` on `exit data`: all lifetimes end, as if the directive had `finalize` for this item.
    /// OpenMP's `delete` is that.
    pub finalize: bool,
}

/// A repetition: the bytes that the list says before it, `count` times, `distance` bytes apart.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stride {
    /// How often, an `i64`.
    pub count: Operand,
    /// Bytes from one start to the next, an `i64`.
    pub distance: Operand,
}

/// Rows behind an array of pointers: `a[0:n][lo:len]` with `T **a`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RowSection {
    /// First byte within each row, an `i64`.
    pub lower: Operand,
    /// Bytes of a run in each row, an `i64`; without strides, of each row.
    pub bytes: Operand,
    /// How runs follow each other, the outermost stride first.
    pub strides: Vec<Stride>,
    /// Rows behind the rows.
    pub rows: Option<Box<RowSection>>,
}

/// One variable of a data clause, with everything the runtime asks for evaluated.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DataMap {
    /// The clause.
    pub kind: MapKind,
    /// Its modifiers.
    pub modifiers: MapModifiers,
    /// Determined by the compiler, not written by the user.
    pub implicit: bool,
    /// As written: `a`, `a[0:n]`, `s.p[0:n]`.
    pub name: Arc<str>,
    /// The variable: the slot or global of an object, the local or slot or global of a pointer, or `None` for
    /// an lvalue that is no variable (`s.p[0:n]`, `p->a`).
    pub var: Option<Operand>,
    /// Host address of the first mapped byte.
    pub start: Operand,
    /// Number of bytes of a run, an `i64`; without strides, of all.
    pub bytes: Operand,
    /// How runs follow each other, the outermost stride first. Where they leave gaps, the directive is
    /// `update`, or the program is wrong.
    pub strides: Vec<Stride>,
    /// For a section through a pointer: bytes from the pointer's value to `start`, an `i64`. `None`: the map
    /// is the object itself, or a part of it that `var` contains. On a launch a part of an object has a bias
    /// as well: from the object's first byte.
    pub pointer_bias: Option<Operand>,
    /// Host address of the pointer that leads to the section, where it is in memory: to be attached.
    pub pointer_at: Option<Address>,
    /// Rows behind an array of pointers.
    pub rows: Option<RowSection>,
    /// What the section holds, or what its rows do; `None` if that is only bytes.
    pub elements: Option<Arc<Elements>>,
    /// Of what no clause of a compute construct names, a structure or a pointer to one: all members that the
    /// construct uses, if it uses nothing but members. None: whatever it likes.
    pub members: Vec<Member>,
    /// The clause.
    pub pos: Pos,
}

/// A member of a structure that a compute construct uses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Member {
    /// As written: `s.a`, `p->t.b`.
    pub name: Arc<str>,
    /// Bytes from the start of the structure.
    pub offset: u64,
    /// Its bytes, at least one.
    pub bytes: u64,
    /// Only if a condition in the construct holds.
    pub maybe: bool,
}

impl DataMap {
    /// The clause of a whole object, as a programmer writes it, without modifiers.
    pub fn whole(kind: MapKind, name: Arc<str>, object: Operand, bytes: u64, pos: Pos) -> DataMap {
        DataMap {
            kind,
            modifiers: MapModifiers::default(),
            implicit: false,
            name,
            var: Some(object),
            start: object,
            bytes: Operand::Int(Type::I64, bytes as i64),
            strides: Vec::new(),
            pointer_bias: None,
            pointer_at: None,
            rows: None,
            elements: None,
            members: Vec::new(),
            pos,
        }
    }
}

/// What an array holds, over and over from its first byte on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Elements {
    /// Bytes of an element, at least one.
    pub bytes: u64,
    /// The scalars in it. What they leave out means nothing; parts of a union may overlap.
    pub parts: Vec<ElementPart>,
}

/// A scalar part of an element, or several in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ElementPart {
    /// Byte offset in the element.
    pub offset: u64,
    /// Type in memory; a complex number is two parts.
    pub ty: RedType,
    /// How many.
    pub count: u64,
}

/// The `async` clause: a queue number, or no argument.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Async {
    /// Not given: synchronous.
    Sync,
    /// `async`: the default queue.
    Default,
    /// `async(q)`, an `i32`.
    Queue(Operand),
    /// Not given to a construct that has become several launches: the data region around them has a queue
    /// that no program can name, all launches go there, and the end of the region waits for them.
    OfData,
}

/// A `wait` clause or the arguments of a `wait` directive.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Wait {
    /// `wait` stands there; with no queues it means all of them.
    pub present: bool,
    /// `devnum:`, an `i32`.
    pub devnum: Option<Operand>,
    /// Queue numbers, `i32`.
    pub queues: Vec<Operand>,
}

/// The device that a directive means.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub enum Device {
    /// OpenACC: the one that the thread uses.
    #[default]
    Current,
    /// OpenMP without `device`: the one whose number is the thread's default.
    Default,
    /// OpenMP: `device(n)`, an `i32`.
    Number(Operand),
}

/// Clauses that compute constructs and data directives share.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scheduling {
    /// The device, and which standard's rules hold for data.
    pub device: Device,
    /// `if`, an `i1`.
    pub if_: Option<Operand>,
    /// `self`, an `i1`.
    pub self_: Option<Operand>,
    /// `async`.
    pub async_: Async,
    /// `wait`.
    pub wait: Wait,
    /// The construct or directive is a task of OpenMP.
    pub task: Option<Box<TaskClauses>>,
}

impl Default for Scheduling {
    fn default() -> Self {
        Scheduling {
            device: Device::Current,
            if_: None,
            self_: None,
            async_: Async::Sync,
            wait: Wait::default(),
            task: None,
        }
    }
}

/// Clauses of a task, or of a `target` that is one (OpenMP 5.2, 12.5).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskClauses {
    /// Address of the dependences, each two words: an address and its kind (`docs/design/tasks.md`).
    pub depends: Operand,
    /// How many there are, an `i64`.
    pub count: Operand,
    /// Sum of the flags of [`TaskClauses`], an `i32`.
    pub flags: Operand,
    /// `priority`, an `i32`.
    pub priority: Operand,
    /// Address of the variable of `detach`; null without.
    pub event: Operand,
}

impl TaskClauses {
    /// `untied`.
    pub const UNTIED: i32 = 1;
    /// `final`, and its condition is true.
    pub const FINAL: i32 = 2;
    /// `mergeable`.
    pub const MERGEABLE: i32 = 4;
    /// `nowait`, of a `target`.
    pub const NOWAIT: i32 = 8;
    /// `detach`.
    pub const DETACHABLE: i32 = 16;
    /// A `taskloop`: there are as many of the task as the runtime was told.
    pub const LOOP: i32 = 32;
}

/// Launch dimensions, `i32`; `None` leaves the choice to the target.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dims {
    /// `num_gangs`, up to three dimensions.
    pub gangs: [Option<Operand>; 3],
    /// `num_workers`.
    pub workers: Option<Operand>,
    /// `vector_length`.
    pub vector: Option<Operand>,
    /// Of the arguments of `num_gangs`, `num_workers`, `vector_length`; none where the clause is absent.
    pub pos: [Pos; 3],
    /// The clauses of the program that the sizes come from.
    pub clauses: SizeClauses,
}

impl Default for Dims {
    fn default() -> Self {
        let clauses = SizeClauses::OpenAcc;
        Dims { gangs: [None; 3], workers: None, vector: None, pos: [Pos::none(); 3], clauses }
    }
}

/// The clauses of a compute construct that sizes of its launch come from: a message names the one that the
/// programmer wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SizeClauses {
    /// `num_gangs`, `num_workers` and `vector_length`.
    OpenAcc,
    /// `num_teams`, and what bounds the threads of a team.
    OpenMp(ThreadBound),
}

/// A clause of OpenMP that bounds the number of threads of a team.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ThreadBound {
    /// `thread_limit`.
    ThreadLimit,
    /// `num_threads`.
    NumThreads,
    /// `if`: one thread where it is false.
    If,
}

impl ThreadBound {
    /// The clause as programs spell it.
    pub const fn name(self) -> &'static str {
        match self {
            ThreadBound::ThreadLimit => "thread_limit",
            ThreadBound::NumThreads => "num_threads",
            ThreadBound::If => "if",
        }
    }
}

impl SizeClauses {
    /// The clause that says how many gangs there are.
    pub const fn gangs(self) -> &'static str {
        match self {
            SizeClauses::OpenAcc => "num_gangs",
            SizeClauses::OpenMp(_) => "num_teams",
        }
    }

    /// The clause that says how many workers a gang has.
    pub const fn workers(self) -> &'static str {
        match self {
            SizeClauses::OpenAcc => "num_workers",
            SizeClauses::OpenMp(bound) => bound.name(),
        }
    }

    /// The clause that says how many lanes a worker has.
    pub const fn vector(self) -> &'static str {
        match self {
            SizeClauses::OpenAcc => "vector_length",
            SizeClauses::OpenMp(bound) => bound.name(),
        }
    }
}

/// A construct in its function, before it is cut out. Operands of clauses were evaluated before `entry`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConstructData {
    /// Which directive.
    pub kind: ConstructKind,
    /// The construct around it, which is one of the host's threads.
    pub parent: Option<Construct>,
    /// The only block control enters by.
    pub entry: Block,
    /// The block control leaves to; it belongs to what is around the construct.
    pub exit: Block,
    /// `if`, `self`, `async`, `wait`.
    pub scheduling: Scheduling,
    /// `num_gangs`, `num_workers`, `vector_length`.
    pub dims: Dims,
    /// Data clauses, written and implicit, of this construct.
    pub maps: Vec<DataMap>,
    /// `private`.
    pub private: Vec<PrivateVar>,
    /// `firstprivate`, written and implicit.
    pub firstprivate: Vec<PrivateVar>,
    /// `reduction`.
    pub reductions: Vec<ReductionClause>,
    /// How many constructs behind it have become a part of it.
    pub fused: u32,
    /// The directive.
    pub pos: Pos,
}

impl ConstructData {
    /// What stands for a construct that was outlined, so that later constructs keep their ids.
    pub fn dead() -> ConstructData {
        ConstructData {
            kind: ConstructKind::Parallel,
            parent: None,
            entry: Block::reserved_value(),
            exit: Block::reserved_value(),
            scheduling: Scheduling::default(),
            dims: Dims::default(),
            maps: Vec::new(),
            private: Vec::new(),
            firstprivate: Vec::new(),
            reductions: Vec::new(),
            fused: 0,
            pos: Pos::none(),
        }
    }
}

/// How a value reaches a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum PassHow {
    /// The parameter is the device address of the mapped object.
    Address,
    /// The parameter is the value of the pointer variable, translated to the device.
    Pointer,
    /// The parameter is the value itself.
    Value(Type),
}

/// One line of a region's mapping table; parallel to the parameters of its function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RegionParam {
    /// Name of the variable.
    pub name: Arc<str>,
    /// How it is passed.
    pub how: PassHow,
    /// What the clause says; `None` for values (`firstprivate` scalars).
    pub kind: Option<MapKind>,
    /// Bytes of the object, if it is one of constant size.
    pub bytes: Option<u64>,
    /// A pointer that the parent was called with and never changes: it is made from no other one of these.
    pub argument: bool,
}

/// What makes a function a region.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RegionData {
    /// Which directive it comes from.
    pub construct: ConstructKind,
    /// The mapping table.
    pub params: Vec<RegionParam>,
    /// The function it was cut out of.
    pub parent: Arc<str>,
    /// Launch dimensions that the code may rely on: no launch changes them. 0 is "not constant".
    pub constant_dims: [u32; 5],
    /// Gangs wait for each other, so that all of them must be resident at once.
    pub cooperative: bool,
    /// Gangs of a launch that asks for no number of them, where [`RegionData::constant_dims`] has none, and
    /// not more can be resident than that: `num_gangs(33)` of a cooperative region. 0 leaves it to the
    /// launch.
    pub wanted_gangs: u32,
    /// Nobody says how many workers there are, so that a target may choose another number than
    /// [`RegionData::constant_dims`] has.
    pub open_workers: bool,
    /// The rows of which the launch computes how long they are, to choose how many lanes share one; none
    /// where it does not choose.
    pub row: Option<Row>,
    /// The workers and lanes that measurements say, where the program leaves these open.
    pub shape: Option<RegionShape>,
}

/// How many threads the gangs of a region have that measurements are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RegionShape {
    /// Workers of a gang.
    pub workers: u32,
    /// Lanes of a worker.
    pub lanes: u32,
    /// What is to be measured; none if it was before.
    pub trial: Option<ShapeTrial>,
}

/// A copy of a region whose shape is to be measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShapeTrial {
    /// The region.
    pub of: Func,
    /// A number of its code, by which what was measured is known again.
    pub code: u64,
}

/// What is known of rows: of iterations of a loop over gangs in which loops over lanes do the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Bytes from what an iteration over lanes touches to what the next one does, in memory that is the
    /// row's own; 0 if it has none.
    pub stride: u32,
    /// Variables that its lanes reduce.
    pub reductions: u32,
    /// Each iteration over lanes has a loop of its own: one is worth a lane.
    pub has_loops: bool,
}

/// What a launch gives for one parameter of a region.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum LaunchArg {
    /// The device address (or translated pointer) of the map with this index.
    Map(u32),
    /// A value.
    Value(Operand),
}

/// A region's execution, seen from the host.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// The function, of kind region.
    pub region: Func,
    /// What to map before and unmap after.
    pub maps: Vec<DataMap>,
    /// One per parameter.
    pub args: Vec<LaunchArg>,
    /// Launch dimensions.
    pub dims: Dims,
    /// `if`, `self`, `async`, `wait`.
    pub scheduling: Scheduling,
    /// How many constructs behind the one that it comes from are a part of it.
    pub fused: u32,
}

/// The directive behind a [`DataOp`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum DataKind {
    /// Start of a structured `data` construct.
    DataBegin,
    /// Its end. Carries the same maps as its start.
    DataEnd,
    /// `enter data`.
    Enter,
    /// `exit data`.
    Exit {
        /// `finalize`.
        finalize: bool,
    },
    /// `update`.
    Update {
        /// `if_present`.
        if_present: bool,
    },
    /// Start of `host_data`: each map's `var` afterwards holds the device address, until the end.
    HostDataBegin {
        /// `if_present`.
        if_present: bool,
    },
    /// End of `host_data`.
    HostDataEnd,
    /// `wait`.
    Wait,
    /// `init`.
    Init,
    /// `shutdown`.
    Shutdown,
    /// `set`.
    Set,
    /// Start of the scope of a function's `declare`.
    DeclareBegin,
    /// Its end.
    DeclareEnd,
}

/// A directive that is executed by the host and calls the runtime.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DataOp {
    /// Which.
    pub kind: DataKind,
    /// Its data clauses.
    pub maps: Vec<DataMap>,
    /// For `host_data`: the local that receives the device address (or translated pointer) of each map.
    pub device_addresses: Vec<Local>,
    /// `if`, `async`, `wait`.
    pub scheduling: Scheduling,
    /// `device_type` of `init`, `shutdown`, `set`: the number of the `acc_device_t`, an `i32`.
    pub device_type: Option<Operand>,
    /// `device_num`, an `i32`.
    pub device_num: Option<Operand>,
    /// `default_async`, an `i32`.
    pub default_async: Option<Operand>,
}

impl DataOp {
    /// A directive with these clauses and no others.
    pub fn new(kind: DataKind, maps: Vec<DataMap>, scheduling: Scheduling) -> DataOp {
        DataOp {
            kind,
            maps,
            device_addresses: Vec::new(),
            scheduling,
            device_type: None,
            device_num: None,
            default_async: None,
        }
    }
}

/// The position of a call in a quad.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ReductionKind {
    /// Before the partitioned stretch.
    Setup,
    /// At its start.
    Init,
    /// At its end. Never duplicated within one id.
    Fini,
    /// After it.
    Teardown,
}

impl ReductionKind {
    /// Name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            ReductionKind::Setup => "setup",
            ReductionKind::Init => "init",
            ReductionKind::Fini => "fini",
            ReductionKind::Teardown => "teardown",
        }
    }
}

/// What a quad works on: the LOCAL object of the documents.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum RedObject {
    /// `dst = CALL(..., local, ...)`. Of the reduction's type, promoted: small integers are `i32` here.
    Scalar {
        /// The new value of LOCAL.
        dst: Local,
        /// Its value so far.
        local: Operand,
    },
    /// Elements in memory, updated in place.
    Array {
        /// The first element of LOCAL.
        local: Address,
        /// Number of elements, an `i64`.
        count: Operand,
    },
}

/// One of the four calls of a quad (documents 000 and 002).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reduction {
    /// Which of the four.
    pub kind: ReductionKind,
    /// The RESULT object; `None` if it is private to the thread.
    pub result: Option<Address>,
    /// The LOCAL object.
    pub object: RedObject,
    /// The level this quad belongs to.
    pub level: Level,
    /// The operator.
    pub op: ReductionOp,
    /// Type of the elements in memory.
    pub ty: RedType,
    /// Loop identifier; `None` is the null outer gang loop that carries the reductions of the construct
    /// itself.
    pub loop_: Option<Loop>,
    /// Reduction identifier.
    pub red: Red,
    /// The loop uses LOCAL otherwise than as `v = v OP e`: expanders must start LOCAL at the identity and
    /// combine it with the original at the end, even on one thread.
    pub escapes: bool,
    /// Where the variable is that a private copy of [`ReductionOp::Declared`] may start from.
    pub original: Option<Address>,
}
