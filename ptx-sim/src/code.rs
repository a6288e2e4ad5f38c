//! Decoded code: what the executor runs. Names are slots, labels are indices, constants are lanes.
//!
//! A function's frame has numbered slots, a value of up to 64 bits per lane each; 128-bit registers and
//! parameters take several. Predicates are masks of lanes and numbered apart.

use crate::alu::convert::Conversion;
use crate::alu::{Fn1, Fn2, Fn3, FnP, Lanes};
use crate::joins::Joins;
use crate::memory::device::Allocation;
use crate::memory::space::{Scope, Space};
use crate::read::ast::Location;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// A source: a slot of the frame, a constant, or a special register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Src(pub(crate) u32);

impl Src {
    pub(crate) const CONST: u32 = 1 << 30;
    pub(crate) const SPECIAL: u32 = 2 << 30;
    const INDEX: u32 = (1 << 30) - 1;

    pub(crate) fn slot(slot: u32) -> Src {
        Src(slot)
    }

    pub(crate) fn kind(self) -> u32 {
        self.0 & !Src::INDEX
    }

    pub(crate) fn index(self) -> usize {
        (self.0 & Src::INDEX) as usize
    }
}

/// A slot that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Dst(pub(crate) u32);

/// The slot of results that nobody wants; each frame has it.
pub(crate) const SINK: Dst = Dst(0);

/// A predicate that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PredSrc {
    Constant(bool),
    Slot { index: u32, negated: bool },
}

/// A predicate that is written; the first of each frame is the one that nobody reads.
pub(crate) type PredDst = u32;

/// How undefined bits of operands reach the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// What is computed from them is undefined as a whole.
    Computes,
    And,
    Or,
    /// A bit of the result is undefined if one of the operands has it undefined: `xor`, `not`.
    Union,
    /// The function, applied to the undefined bits of the first so many operands and to the values of the
    /// others; if those have undefined bits, as `Computes`.
    Moves(u8),
}

/// The address of an access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addr {
    pub(crate) space: Space,
    /// `None`: the thread's local variables of this frame.
    pub(crate) base: Option<Src>,
    pub(crate) offset: i64,
    /// The base is a register of 32 bits, and so is the address: they wrap around together.
    pub(crate) is_narrow: bool,
}

/// How an access is ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    /// Relaxed or stronger, or volatile: no race with others of its kind.
    pub(crate) strong: bool,
    pub(crate) acquire: bool,
    pub(crate) release: bool,
    pub(crate) scope: Scope,
}

/// An atomic operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rmw {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Inc,
    Dec,
    Exch,
    Cas,
}

/// How values meet at `shfl`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// A vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// What a barrier does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BarrierKind {
    Sync,
    Arrive,
    /// Counts or combines a predicate.
    Popc,
    And,
    Or,
}

/// What `call` calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Callee {
    Function(u32),
    Builtin(Builtin),
    /// By an address.
    Through(Src),
}

/// Functions of the driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Builtin {
    Vprintf,
    AssertFail,
    Malloc,
    Free,
}

/// Slots of arguments or results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Words {
    pub(crate) slot: u32,
    pub(crate) count: u32,
    pub(crate) bytes: u32,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CallSite {
    pub(crate) callee: Callee,
    pub(crate) args: Vec<Words>,
    pub(crate) results: Vec<Words>,
}

/// A barrier of the CTA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BarrierSite {
    pub(crate) kind: BarrierKind,
    pub(crate) number: Src,
    pub(crate) threads: Option<Src>,
    pub(crate) value: PredSrc,
    pub(crate) dst: Dst,
    pub(crate) dst_pred: PredDst,
    /// All lanes of a warp arrive together.
    pub(crate) aligned: bool,
}

impl BarrierSite {
    /// Whether those who came know afterwards what all of them said.
    pub(crate) fn answers(&self) -> bool {
        matches!(self.kind, BarrierKind::Popc | BarrierKind::And | BarrierKind::Or)
    }
}

/// What is done with a barrier object in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MbarrierAction {
    /// Makes a barrier object whose phases end with `count` arrivals.
    Init { count: Src },
    /// Ends it: its bytes are plain memory again.
    Inval,
    /// Counts arrivals, and gives the phase that they belong to. `last` may end the phase, others must not.
    Arrive { state: Dst, count: Src, last: bool },
    /// Whether the phase of a state is over.
    Wait { over: PredDst, state: Src },
    /// Whether the latest phase of this parity is over.
    WaitParity { over: PredDst, parity: Src },
}

/// An instruction on a barrier object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MbarrierSite {
    pub(crate) action: MbarrierAction,
    pub(crate) addr: Addr,
}

/// A value that is different at each read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clock {
    Low,
    High,
    Whole,
    Timer,
    TimerLow,
    TimerHigh,
}

/// How a predicate is combined with another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combine {
    And,
    Or,
    Xor,
}

/// A load.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) addr: Addr,
    /// Bytes of an element.
    pub(crate) bytes: u32,
    /// Sign-extended to the register's bits.
    pub(crate) signed_to: Option<u32>,
    pub(crate) dsts: [Dst; 8],
    pub(crate) count: u32,
    pub(crate) order: Order,
}

/// A store.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) addr: Addr,
    pub(crate) bytes: u32,
    pub(crate) srcs: [Src; 8],
    pub(crate) count: u32,
    pub(crate) order: Order,
}

/// An atomic operation on memory; `red` has the sink as destination.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    pub(crate) op: Rmw,
    pub(crate) ty: crate::ty::Ty,
    pub(crate) addr: Addr,
    pub(crate) dst: Dst,
    /// Operands; of 128 bits two slots each.
    pub(crate) a: [Src; 2],
    pub(crate) b: [Src; 2],
    pub(crate) order: Order,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Nop,
    Mov {
        dst: Dst,
        src: Src,
    },
    Alu1 {
        f: Fn1,
        dst: Dst,
        a: Src,
        flow: Flow,
    },
    Alu2 {
        f: Fn2,
        dst: Dst,
        a: Src,
        b: Src,
        flow: Flow,
    },
    Alu3 {
        f: Fn3,
        dst: Dst,
        a: Src,
        b: Src,
        c: Src,
        flow: Flow,
    },
    /// `bfi`
    Insert {
        dst: Dst,
        a: Src,
        b: Src,
        position: Src,
        length: Src,
        bits: u32,
    },
    /// `lop3`
    Logic {
        dst: Dst,
        a: Src,
        b: Src,
        c: Src,
        table: u8,
    },
    /// Sums with a carry.
    Carry {
        dst: Dst,
        a: Src,
        b: Src,
        bits: u32,
        subtract: bool,
        carry_in: bool,
        carry_out: bool,
    },
    Convert {
        dst: Dst,
        a: Src,
        conversion: Box<Conversion>,
    },
    /// `dst` and its complement, combined with a predicate.
    SetPred {
        f: FnP,
        dst: PredDst,
        complement: PredDst,
        a: Src,
        b: Src,
        combine: Option<(Combine, PredSrc)>,
    },
    /// All bits or a float 1.0 where it holds.
    Set {
        f: FnP,
        dst: Dst,
        a: Src,
        b: Src,
        combine: Option<(Combine, PredSrc)>,
        one: u64,
    },
    /// A property of a float.
    Test {
        f: FnP,
        dst: PredDst,
        a: Src,
    },
    Select {
        dst: Dst,
        a: Src,
        b: Src,
        by: PredSrc,
    },
    /// By the sign of an integer or float.
    SelectSign {
        dst: Dst,
        a: Src,
        b: Src,
        by: Src,
        float: bool,
    },
    PredMove {
        dst: PredDst,
        a: PredSrc,
    },
    PredLogic {
        op: Combine,
        dst: PredDst,
        a: PredSrc,
        b: PredSrc,
    },
    /// Pieces of so many bits, lowest first, into one value and back.
    Pack {
        dst: [Dst; 2],
        srcs: Vec<Src>,
        bits: u32,
    },
    Unpack {
        dsts: Vec<Dst>,
        src: [Src; 2],
        bits: u32,
    },
    /// The address of a local variable.
    LocalAddress {
        dst: Dst,
        offset: u32,
    },
    /// Between an address of a space and a generic one.
    Cvta {
        dst: Dst,
        a: Src,
        space: Space,
        to_generic: bool,
    },
    IsSpace {
        dst: PredDst,
        a: Src,
        space: Space,
    },
    /// From and to parameters of calls, in slots.
    LoadSlot {
        dst: Dst,
        slot: u32,
        shift: u32,
        bytes: u32,
        signed_to: Option<u32>,
    },
    StoreSlot {
        src: Src,
        slot: u32,
        shift: u32,
        bytes: u32,
    },
    Load(Box<Load>),
    Store(Box<Store>),
    Atomic(Box<Atomic>),
    Fence {
        acquire: bool,
        release: bool,
        scope: Scope,
    },
    Branch {
        to: u32,
    },
    BranchTable {
        index: Src,
        targets: Box<[u32]>,
    },
    Call(Box<CallSite>),
    Return,
    Exit,
    Trap,
    Breakpoint,
    Barrier(Box<BarrierSite>),
    Mbarrier(Box<MbarrierSite>),
    WarpBarrier {
        mask: Src,
    },
    /// Without a mask the lanes that are together now take part.
    Shuffle {
        mode: Shuffle,
        dst: Dst,
        in_range: PredDst,
        a: Src,
        b: Src,
        c: Src,
        mask: Option<Src>,
    },
    Vote {
        vote: Vote,
        dst: Dst,
        dst_pred: PredDst,
        value: PredSrc,
        mask: Option<Src>,
    },
    /// `match`: lanes with the same value.
    Match {
        all: bool,
        dst: Dst,
        dst_pred: PredDst,
        a: Src,
        mask: Src,
    },
    Reduce {
        op: Rmw,
        signed: bool,
        dst: Dst,
        a: Src,
        mask: Src,
    },
    ActiveMask {
        dst: Dst,
    },
    /// `elect`: one lane of a mask.
    Elect {
        dst: Dst,
        dst_pred: PredDst,
        mask: Src,
    },
    ReadClock {
        dst: Dst,
        clock: Clock,
    },
    Sleep,
    Alloca {
        dst: Dst,
        bytes: Src,
        align: u32,
    },
    StackSave {
        dst: Dst,
    },
    StackRestore {
        src: Src,
    },
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Inst {
    /// Lanes where it does not hold skip the instruction.
    pub(crate) guard: Option<PredSrc>,
    pub(crate) op: Op,
}

/// Where an instruction stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Site {
    pub(crate) line: u32,
    pub(crate) location: Option<Location>,
}

/// A kernel or function.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) entry: bool,
    /// Its first instruction, and the one after its last.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) slots: u32,
    pub(crate) predicates: u32,
    pub(crate) local_bytes: u32,
    /// Alignment of its frame.
    pub(crate) local_align: u32,
    pub(crate) params: Vec<Words>,
    pub(crate) results: Vec<Words>,
    /// Of a kernel: (offset, bytes, name).
    pub(crate) param_layout: Vec<(u32, u32, String)>,
    pub(crate) param_bytes: u32,
    pub(crate) required_threads: Option<[u32; 3]>,
    pub(crate) max_threads: Option<u32>,
    /// Offsets of the shared variables that it names, and the functions.
    pub(crate) shared: BTreeSet<u32>,
    pub(crate) callees: BTreeSet<u32>,
    /// Bytes of shared variables that it and all that it may call name.
    pub(crate) shared_bytes: u32,
    /// Its local variables: (offset, bytes, name).
    pub(crate) locals: Vec<(u32, u32, String)>,
    /// The names of its registers, for reports.
    pub(crate) slot_names: Vec<RegisterNames>,
    /// The same of its predicates.
    pub(crate) predicate_names: Vec<RegisterNames>,
}

/// Registers that were declared together: the first slot or predicate, the name or what the names begin with,
/// and the distance of a family's registers.
pub(crate) type RegisterNames = (u32, String, Option<u32>);

impl Function {
    /// The name of the register in a slot.
    pub(crate) fn register_name(&self, slot: u32) -> String {
        name_of(&self.slot_names, slot).map_or_else(|| "a register".to_owned(), |name| format!("`{name}`"))
    }
}

/// The name of the register that has a number among all slots or all predicates.
pub(crate) fn name_of(names: &[RegisterNames], number: u32) -> Option<String> {
    let before = names.iter().filter(|(first, _, _)| *first <= number);
    let (first, name, step) = before.max_by_key(|(first, _, _)| *first)?;
    Some(match step {
        Some(step) => format!("{name}{}", (number - first) / step.max(&1)),
        None => name.clone(),
    })
}

/// A variable in shared memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SharedVariable {
    pub(crate) name: String,
    pub(crate) offset: u32,
    /// 0 for those whose size the launch gives.
    pub(crate) bytes: u32,
}

/// A module that can be executed.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) insts: Vec<Inst>,
    pub(crate) sites: Vec<Site>,
    pub(crate) constants: Vec<Lanes>,
    pub(crate) functions: Vec<Function>,
    pub(crate) by_name: BTreeMap<String, u32>,
    pub(crate) files: BTreeMap<u32, String>,
    pub(crate) shared: Vec<SharedVariable>,
    /// Shared memory without the dynamic part, red zones included.
    pub(crate) shared_bytes: u32,
    /// Where the dynamic part begins, if there is one.
    pub(crate) dynamic_shared: Option<u32>,
    /// Variables in global memory.
    pub(crate) globals: Vec<(String, Arc<Allocation>)>,
    /// Where lanes meet that part, once somebody has asked.
    pub(crate) joins: OnceLock<Joins>,
}

impl Code {
    /// Where lanes meet that part.
    pub(crate) fn joins(&self) -> &Joins {
        self.joins.get_or_init(|| Joins::of(self))
    }

    /// The function that an instruction belongs to.
    pub(crate) fn function_at(&self, pc: u32) -> Option<&Function> {
        let index = self.functions.partition_point(|function| function.end <= pc);
        self.functions.get(index).filter(|function| function.start <= pc)
    }
}
