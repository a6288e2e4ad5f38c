//! Instructions, operands, terminators, and the effects of each operation.

use crate::acc::{DataOp, Launch, Level, RedObject, Reduction};
use crate::entities::{Agg, Block, File, Func, Global, Local, Loop, Sig, Slot};
use crate::types::Type;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// Where an instruction comes from. `line == 0` is "nowhere".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Pos {
    /// The file.
    pub file: File,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

impl Pos {
    /// No position.
    pub fn none() -> Pos {
        Pos { file: File::from_u32(0), line: 0, column: 0 }
    }
}

/// A value that an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Operand {
    /// The current value of a local.
    Local(Local),
    /// The address of a slot.
    Slot(Slot),
    /// The address of a global (of this thread's instance, if it is thread-local).
    Global(Global),
    /// The address of a function.
    Func(Func),
    /// An integer, truth value or null/absolute address. The value is sign-extended from the type's width (so
    /// an `i8` 255 is -1); `i128` constants are limited to this range.
    Int(Type, i64),
    /// A binary32 constant, by its bits.
    F32(u32),
    /// A binary64 constant, by its bits.
    F64(u64),
}

impl Operand {
    /// A truth value.
    pub fn bool(value: bool) -> Operand {
        Operand::Int(Type::I1, i64::from(value))
    }

    /// The null pointer.
    pub const NULL: Operand = Operand::Int(Type::Ptr, 0);

    /// A binary64 constant.
    pub fn f64(value: f64) -> Operand {
        Operand::F64(value.to_bits())
    }

    /// A binary32 constant.
    pub fn f32(value: f32) -> Operand {
        Operand::F32(value.to_bits())
    }

    /// The local, if it is one.
    pub fn as_local(self) -> Option<Local> {
        match self {
            Operand::Local(local) => Some(local),
            _ => None,
        }
    }

    /// The slot, if it is the address of one.
    pub fn as_slot(self) -> Option<Slot> {
        match self {
            Operand::Slot(slot) => Some(slot),
            _ => None,
        }
    }

    /// The value of an integer constant.
    pub fn as_int(self) -> Option<i64> {
        match self {
            Operand::Int(_, value) => Some(value),
            _ => None,
        }
    }
}

/// An address in memory: a base and a constant byte offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Address {
    /// A pointer-typed operand.
    pub base: Operand,
    /// Bytes added to it.
    pub offset: i64,
}

/// The state space an access is known to be in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Space {
    /// Any of the spaces below; the only space before the target's passes run.
    #[default]
    Generic,
    /// Device memory.
    Global,
    /// Memory of one CTA.
    Shared,
    /// Memory of one thread.
    Local,
    /// Parameters of a kernel.
    Param,
}

/// How an access is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Access {
    /// Guaranteed alignment of the address in bytes.
    pub align: u32,
    /// State space.
    pub space: Space,
    /// C `volatile`: neither removed, nor repeated, nor moved over another volatile access.
    pub volatile: bool,
    /// C's rule of effective types holds (C11 6.5p7): what this accesses is of its own [`MemoryKind`]. Not so
    /// for members of unions, bit-fields and initial values, and for what passes make, which may copy bytes
    /// of anything.
    pub typed: bool,
}

/// What an access says of the memory that it means: a load never gives what a store of another kind wrote.
///
/// That permits loads to be moved over stores, not stores over each other: memory of the heap takes the kind
/// of what was stored there last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MemoryKind {
    /// Nothing: characters may be a part of everything.
    Any,
    /// A pointer, or numbers of this type; a complex number is two numbers.
    Of(Type),
}

impl MemoryKind {
    /// Whether a load of one never gives what a store of the other wrote.
    pub fn is_apart(self, other: MemoryKind) -> bool {
        match (self, other) {
            (MemoryKind::Of(a), MemoryKind::Of(b)) => a != b,
            (MemoryKind::Any, _) | (_, MemoryKind::Any) => false,
        }
    }
}

/// Operations with one operand; the result has the operand's type unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    /// Integer, float or complex negation (floats: flips the sign bit).
    Neg,
    /// Bitwise complement; logical complement on `i1`.
    Not,
    /// Absolute value of a float (clears the sign bit).
    FAbs,
    /// IEEE square root.
    Sqrt,
    /// Two to the power of an `f32`, with a relative error of 2^-22 on a GPU; subnormal numbers count as zero
    /// there. What the device's library is made from.
    Exp2,
    /// One over a float, with a relative error of 2^-23 (`f32`) or 2^-20 (`f64`) on a GPU; subnormal numbers
    /// count as zero there. What the device's library divides by where neither a zero nor an infinity can
    /// come.
    Reciprocal,
    /// One over the square root of a float, likewise.
    ReciprocalRoot,
    /// Round to an integral value: down.
    Floor,
    /// Round to an integral value: up.
    Ceil,
    /// Round to an integral value: towards zero.
    Trunc,
    /// Round to an integral value: to nearest, ties to even.
    Nearest,
    /// Count leading zeros; the width for zero.
    Clz,
    /// Count trailing zeros; the width for zero.
    Ctz,
    /// Number of one bits.
    Popcnt,
    /// Reverse the bytes.
    Bswap,
    /// Real part of a complex value; the result has the element type.
    Re,
    /// Imaginary part of a complex value; the result has the element type.
    Im,
    /// Complex conjugate.
    Conj,
    /// All lanes of a vector result set to the scalar operand; the result type is the destination's.
    Splat,
}

/// Operations with two operands of one type; shifts take any integer type as amount.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinaryOp {
    /// Addition: integers, floats, complex, vectors.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication. Complex: C11 Annex G, infinities recovered.
    Mul,
    /// Signed integer division, towards zero.
    SDiv,
    /// Unsigned integer division.
    UDiv,
    /// Signed remainder; the sign is the dividend's.
    SRem,
    /// Unsigned remainder.
    URem,
    /// Floating-point or complex division. Complex: C11 Annex G.
    FDiv,
    /// Bitwise and; logical on `i1`.
    And,
    /// Bitwise or; logical on `i1`.
    Or,
    /// Bitwise exclusive or; logical on `i1`.
    Xor,
    /// Shift left.
    Shl,
    /// Shift right, zeros in.
    LShr,
    /// Shift right, sign in.
    AShr,
    /// Signed minimum.
    SMin,
    /// Signed maximum.
    SMax,
    /// Unsigned minimum.
    UMin,
    /// Unsigned maximum.
    UMax,
    /// IEEE minNum: a NaN operand yields the other one; -0 is less than +0.
    FMin,
    /// IEEE maxNum: a NaN operand yields the other one; -0 is less than +0.
    FMax,
    /// The first operand with the sign of the second.
    CopySign,
    /// A complex value from real and imaginary part; operands have the element type, the result is complex.
    Complex,
}

/// Comparisons; the result is an `i1`. On vectors it is a mask: the integer vector with as many lanes, all
/// bits of a lane set where the comparison holds, none elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CmpOp {
    /// Equal (floats: ordered; complex: both parts).
    Eq,
    /// Not equal (floats: unordered or different).
    Ne,
    /// Signed less, or ordered float less.
    Lt,
    /// Signed less or equal, or ordered float.
    Le,
    /// Signed greater, or ordered float.
    Gt,
    /// Signed greater or equal, or ordered float.
    Ge,
    /// Unsigned or pointer less.
    ULt,
    /// Unsigned or pointer less or equal.
    ULe,
    /// Unsigned or pointer greater.
    UGt,
    /// Unsigned or pointer greater or equal.
    UGe,
    /// Floats: at least one NaN.
    Unordered,
}

/// Conversions; source and destination types are the operand's and the destination's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ConvertOp {
    /// Integer to a wider integer, sign-extended.
    SExt,
    /// Integer or truth value to a wider integer, zero-extended.
    ZExt,
    /// Integer to a narrower integer (not to `i1`: compare with zero instead).
    Trunc,
    /// Signed integer to float.
    SToF,
    /// Unsigned integer to float.
    UToF,
    /// Float to signed integer, towards zero. Out of range or NaN: what x86-64's `cvttsd2si` gives, the
    /// "integer indefinite" value, truncated for narrow types; never a trap.
    FToS,
    /// Float to unsigned integer, towards zero; as [`ConvertOp::FToS`] out of range.
    FToU,
    /// Float to float of another width.
    FToF,
    /// Same width, bits kept: pointer and integer, float and integer. Between equal types it is a copy that
    /// shows a change of sign, see [`crate`].
    Bits,
    /// Complex to complex of another width.
    CToC,
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A function of the module.
    Direct(Func),
    /// The function at an address.
    Indirect(Operand),
}

/// An operation. Fields named `dst` are the local it writes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "fields of variants are named by their role; each variant says what it does")]
pub enum Op {
    /// `dst = src`.
    Copy { dst: Local, src: Operand },
    /// `dst = op src`.
    Unary { dst: Local, op: UnaryOp, src: Operand },
    /// `dst = a op b`.
    Binary { dst: Local, op: BinaryOp, a: Operand, b: Operand },
    /// `dst = a op b ? 1 : 0`, an `i1`; a mask for vectors.
    Compare { dst: Local, op: CmpOp, a: Operand, b: Operand },
    /// `dst = (type of dst) src`.
    Convert { dst: Local, op: ConvertOp, src: Operand },
    /// `dst = cond ? a : b`; both are evaluated operands. For vectors `cond` may be a mask, which picks lane
    /// by lane.
    Select { dst: Local, cond: Operand, a: Operand, b: Operand },
    /// `dst = a * b + c`, rounded once: `f32`, `f64`, vectors of these.
    Fma { dst: Local, a: Operand, b: Operand, c: Operand },
    /// `dst = base + index * scale + offset`: address arithmetic of one array dimension or one pointer step.
    /// `index` is an `i64`, or, for targets whose address arithmetic extends it, an `i32` with a sign. Kept
    /// apart from other arithmetic so that subscripts stay visible to dependence analysis.
    ///
    /// `extent`: the program subscripts an array that is declared with so many elements, more than one, so
    /// that `index` is in `0..extent` whenever something is accessed at the address. What steps a pointer has
    /// none, and nor has a subscript whose address the program takes, which may be that of the end.
    Index { dst: Local, base: Operand, index: Operand, scale: i64, offset: i64, extent: Option<NonZeroU32> },
    /// `dst = *addr`.
    Load { dst: Local, addr: Address, access: Access },
    /// `*addr = src`; `ty` is the type stored.
    Store { ty: Type, addr: Address, src: Operand, access: Access },
    /// Copies `bytes` (an `i64`); the objects do not overlap, unless they are the same.
    MemCopy { dst: Address, src: Address, bytes: Operand, align: u32 },
    /// Sets `bytes` (an `i64`) bytes to `value` (an `i8`).
    MemSet { dst: Address, value: Operand, bytes: Operand, align: u32 },
    /// Calls a function; `dest` receives an aggregate result.
    Call { dst: Option<Local>, callee: Callee, sig: Sig, args: Vec<Operand>, dest: Option<Operand> },
    /// Allocates `bytes` (an `i64`) on the stack until the matching [`Op::StackRestore`] or the return: C's
    /// VLAs. `each`: all threads that share the code around it get memory of their own, also where that code
    /// is executed once for all of them.
    StackAlloc { dst: Local, bytes: Operand, align: u32, each: bool },
    /// Remembers the stack's height.
    StackSave { dst: Local, each: bool },
    /// Frees what was allocated since the height was remembered.
    StackRestore { saved: Operand, each: bool },
    /// `va_start` on the `va_list` object at `list`.
    VaStart { list: Operand },
    /// `va_arg` for a scalar.
    VaArg { dst: Local, list: Operand },
    /// `va_arg` for an aggregate: `dst` is the address of the argument, good until the function returns.
    VaArgAggregate { dst: Local, list: Operand, agg: Agg },
    /// `va_copy`.
    VaCopy { dst: Operand, src: Operand },
    /// `old = *addr; *addr = old op value` as one step (`reversed`: `value op old`). `dst`, if any, receives
    /// the old or, with `result_new`, the new value. `ty` is the type in memory.
    AtomicRmw {
        dst: Option<Local>,
        op: BinaryOp,
        ty: Type,
        addr: Address,
        value: Operand,
        reversed: bool,
        result_new: bool,
    },
    /// Atomic exchange; `dst` receives the old value.
    AtomicSwap { dst: Option<Local>, ty: Type, addr: Address, value: Operand },
    /// Atomic compare and swap; `dst` receives the value found.
    AtomicCas { dst: Local, ty: Type, addr: Address, expected: Operand, desired: Operand },
    /// Atomic load.
    AtomicLoad { dst: Local, addr: Address },
    /// Atomic store.
    AtomicStore { ty: Type, addr: Address, src: Operand },
    /// A sequentially consistent fence.
    Fence,
    /// Stops the program (`__builtin_trap`).
    Trap,
    /// The address of the frame `level` calls up, and the like, for `__builtin_return_address` and
    /// `__builtin_frame_address`; null where the target cannot tell.
    FrameAddress { dst: Local, level: u32, return_address: bool },

    // Vectors, made by the host's vectoriser only.
    /// `dst` = lane `lane` of `src`.
    ExtractLane { dst: Local, src: Operand, lane: u8 },
    /// `dst` = `src` with lane `lane` replaced by `value`.
    InsertLane { dst: Local, src: Operand, value: Operand, lane: u8 },
    /// `dst` = one half of the lanes of `src`, `half` 0 or 1, as numbers of twice the width.
    Widen { dst: Local, src: Operand, half: u8, signed: bool },
    /// `dst` = the lanes of `a` and then those of `b`, which are signed, as numbers of half the width with or
    /// without a sign: what is too small or too large becomes the smallest or largest of these.
    Narrow { dst: Local, a: Operand, b: Operand, signed: bool },

    // OpenACC on the host side of a construct.
    /// Runs a region; see [`Launch`].
    Launch(Box<Launch>),
    /// A data, update, wait, ... directive, or one end of a structured data construct.
    Data(Box<DataOp>),

    // OpenACC inside a region, generic until the target's hooks expand them.
    /// Before a partitioned loop: outer marker (before the fork) and inner marker (after it):
    /// `docs/design/reductions.md`.
    HeadMark { loop_: Loop, inner: bool },
    /// After a partitioned loop: inner marker (before the join) and outer marker (after it).
    TailMark { loop_: Loop, inner: bool },
    /// From single to partitioned execution at a level; no loop: for code that a target made.
    Fork { level: Level, loop_: Option<Loop> },
    /// Back to single execution.
    Join { level: Level, loop_: Option<Loop> },
    /// One call of a quad; see [`Reduction`].
    Reduction(Box<Reduction>),
    /// Begins the locked section around the `fini` calls of a loop at a level; no loop: of the null outer
    /// gang loop.
    Lock { level: Level, loop_: Option<Loop> },
    /// Ends it.
    Unlock { level: Level, loop_: Option<Loop> },
    /// Number of gangs, workers or lanes.
    DimSize { dst: Local, level: Level },
    /// Position of the executing thread among them.
    DimPos { dst: Local, level: Level },
    /// Whether the device that executes this is of the kind `device`, the `i32` of an `acc_device_t`; `dst`
    /// is an `i1`.
    OnDevice { dst: Local, device: Operand },
    /// All threads of a launch (level gang), of a gang (level worker) or all lanes of a worker (level vector)
    /// wait for each other; what was written before it is seen after it. Made by targets only.
    Barrier { level: Level },
    /// All threads of a team (`team` in [`crate::LoopDirective`]) wait for each other, and so do those of the
    /// gang that are none of it; what was written before it is seen after it. `dst` is an `i1`: whether the
    /// `i1`
    /// `any` is true for one of them. Made for targets with lanes only.
    Meet { dst: Local, any: Operand },
    /// `dst` is an `i1`: true in the gang that executes this last. What other gangs wrote before is seen
    /// after it. One thread of each gang executes it, once per launch. Made by targets only.
    LastGang { dst: Local },
    /// `dst` = address of the instance of a [`crate::SlotKind::GangScratch`] that belongs to the gang with
    /// the number `gang`, an `i32`, among all of the launch. Made by targets only.
    Instance { dst: Local, slot: Operand, gang: Operand },
    /// `dst` = `op` over the values of `src`, an `i32`, in all 32 lanes of the warp, in every lane. Made by
    /// targets only.
    LaneReduce { dst: Local, op: BinaryOp, src: Operand },
    /// `dst` = `src` in another lane of the warp: `by` (an `i32`) lanes further, or lane `by` itself. All 32
    /// lanes take part; a lane that would read beyond the last gets its own value. Made by targets only.
    Shuffle { dst: Local, src: Operand, by: Operand, mode: ShuffleMode },
    /// What an executing thread does of a partitioned loop; see [`LoopShare`].
    LoopShare { dst: Local, share: LoopShare, loop_: Loop, trip: Operand },
}

/// Whose value an [`Op::Shuffle`] gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ShuffleMode {
    /// The lane `by` lanes further.
    Down,
    /// The lane with number `by`.
    Index,
}

/// The abstract loop operations. A partitioned loop runs over logical iterations `0..trip`; the thread
/// executes `offset, offset + step, ...` below `bound`. All values are `i64`, or all are `i32` without a
/// sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LoopShare {
    /// First logical iteration of the thread.
    Offset,
    /// Distance between two of its iterations.
    Step,
    /// One past its last.
    Bound,
    /// For loops with `gang(static:n)`, where the three above count the iterations of the gang: the logical
    /// iteration that `trip`, the thread's index, stands for.
    Iteration,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Where it comes from.
    pub pos: Pos,
}

/// The number of the last of some instructions that assigns a local.
pub fn last_definition(insts: &[Inst], local: Local) -> Option<usize> {
    insts.iter().rposition(|inst| inst.op.dst() == Some(local))
}

/// The end of a block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Terminator {
    /// Unconditional.
    Jump(Block),
    /// `cond` is an `i1`.
    Branch {
        /// The condition.
        cond: Operand,
        /// Where to go if it holds.
        then: Block,
        /// Where to go otherwise.
        otherwise: Block,
    },
    /// Many-way branch on an integer. Ranges (inclusive, in the value's own signedness as sign-extended
    /// `i64`) do not overlap.
    Switch {
        /// The integer.
        value: Operand,
        /// `(low, high, target)`.
        cases: Vec<(i64, i64, Block)>,
        /// Where to go if no case matches.
        default: Block,
    },
    /// Returns; for an aggregate result the operand is the object's address.
    Return(Option<Operand>),
    /// Control never arrives here.
    Unreachable,
}

/// What kind of thing an operation is: declared once, in [`Op::class`]. Passes that treat many operations
/// alike ask for it and list no operations, so that a new one finds its way through them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Class {
    /// Computes its destination from its operands and touches nothing else.
    Value,
    /// Computes with single lanes of a vector; made by the host's vectorizer only.
    Lane,
    /// Reads or writes memory, for one thread.
    Memory,
    /// Reads or writes memory as one step, or orders such steps.
    Atomic,
    /// Calls a function, or stops the program.
    Call,
    /// Belongs to the frame of the function that it stands in: its stack, its variable arguments, its return
    /// address.
    Frame,
    /// A directive, on the host's side of a region.
    Directive,
    /// An operation of OpenACC inside of a region, which the pass `expand` gives to the target's hooks.
    Abstract,
    /// Something that threads of a launch do together; made by targets only.
    Threads,
}

/// What an operation does besides writing its destination: declared once, here, and asked for by every pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effects {
    /// Reads memory.
    pub reads: bool,
    /// Writes memory, or does something else that must happen (calls, traps, stack changes).
    pub writes: bool,
    /// Synchronises or changes the set of executing threads: neither cloned, removed nor moved.
    pub synchronises: Option<Level>,
    /// May be executed more than once per execution of the program text, or not at all, if its result is not
    /// needed.
    pub pure: bool,
}

impl Op {
    /// The local it writes, if any. Operations that write several report them through [`Op::defs`].
    pub fn dst(&self) -> Option<Local> {
        match self {
            Op::Copy { dst, .. }
            | Op::Unary { dst, .. }
            | Op::Binary { dst, .. }
            | Op::Compare { dst, .. }
            | Op::Convert { dst, .. }
            | Op::Select { dst, .. }
            | Op::Fma { dst, .. }
            | Op::Index { dst, .. }
            | Op::Load { dst, .. }
            | Op::StackAlloc { dst, .. }
            | Op::StackSave { dst, .. }
            | Op::VaArg { dst, .. }
            | Op::VaArgAggregate { dst, .. }
            | Op::AtomicCas { dst, .. }
            | Op::AtomicLoad { dst, .. }
            | Op::FrameAddress { dst, .. }
            | Op::ExtractLane { dst, .. }
            | Op::InsertLane { dst, .. }
            | Op::Widen { dst, .. }
            | Op::Narrow { dst, .. }
            | Op::DimSize { dst, .. }
            | Op::DimPos { dst, .. }
            | Op::OnDevice { dst, .. }
            | Op::Shuffle { dst, .. }
            | Op::Meet { dst, .. }
            | Op::LastGang { dst }
            | Op::Instance { dst, .. }
            | Op::LaneReduce { dst, .. }
            | Op::LoopShare { dst, .. } => Some(*dst),
            Op::Call { dst, .. } | Op::AtomicRmw { dst, .. } | Op::AtomicSwap { dst, .. } => *dst,
            Op::Reduction(reduction) => match reduction.object {
                RedObject::Scalar { dst, .. } => Some(dst),
                RedObject::Array { .. } => None,
            },
            Op::Store { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::StackRestore { .. }
            | Op::VaStart { .. }
            | Op::VaCopy { .. }
            | Op::AtomicStore { .. }
            | Op::Fence
            | Op::Trap
            | Op::Launch(_)
            | Op::Data(_)
            | Op::HeadMark { .. }
            | Op::TailMark { .. }
            | Op::Fork { .. }
            | Op::Join { .. }
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::Barrier { .. } => None,
        }
    }

    /// Every local it writes.
    pub fn defs(&self, mut visit: impl FnMut(Local)) {
        if let Some(dst) = self.dst() {
            visit(dst);
        } else if let Op::Data(data) = self {
            data.device_addresses.iter().copied().for_each(visit);
        }
    }

    /// What kind of thing it is.
    pub fn class(&self) -> Class {
        match self {
            Op::Copy { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Convert { .. }
            | Op::Select { .. }
            | Op::Fma { .. }
            | Op::Index { .. } => Class::Value,
            Op::ExtractLane { .. } | Op::InsertLane { .. } | Op::Widen { .. } | Op::Narrow { .. } => {
                Class::Lane
            }
            Op::Load { .. } | Op::Store { .. } | Op::MemCopy { .. } | Op::MemSet { .. } => Class::Memory,
            Op::AtomicRmw { .. }
            | Op::AtomicSwap { .. }
            | Op::AtomicCas { .. }
            | Op::AtomicLoad { .. }
            | Op::AtomicStore { .. }
            | Op::Fence => Class::Atomic,
            Op::Call { .. } | Op::Trap => Class::Call,
            Op::StackAlloc { .. }
            | Op::StackSave { .. }
            | Op::StackRestore { .. }
            | Op::VaStart { .. }
            | Op::VaArg { .. }
            | Op::VaArgAggregate { .. }
            | Op::VaCopy { .. }
            | Op::FrameAddress { .. } => Class::Frame,
            Op::Launch(_) | Op::Data(_) => Class::Directive,
            Op::HeadMark { .. }
            | Op::TailMark { .. }
            | Op::Fork { .. }
            | Op::Join { .. }
            | Op::Reduction(_)
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::DimSize { .. }
            | Op::DimPos { .. }
            | Op::OnDevice { .. }
            | Op::LoopShare { .. } => Class::Abstract,
            Op::Barrier { .. }
            | Op::Meet { .. }
            | Op::LastGang { .. }
            | Op::Instance { .. }
            | Op::LaneReduce { .. }
            | Op::Shuffle { .. } => Class::Threads,
        }
    }

    /// Its effects.
    pub fn effects(&self) -> Effects {
        let pure = Effects { pure: true, ..Effects::default() };
        let reads = Effects { reads: true, ..pure };
        let writes = Effects { reads: true, writes: true, ..Effects::default() };
        let sync = |level| Effects { synchronises: Some(level), ..writes };
        match self {
            Op::Copy { .. }
            | Op::Unary { .. }
            | Op::Compare { .. }
            | Op::Convert { .. }
            | Op::Select { .. }
            | Op::Fma { .. }
            | Op::Index { .. }
            | Op::ExtractLane { .. }
            | Op::InsertLane { .. }
            | Op::Widen { .. }
            | Op::Narrow { .. }
            | Op::DimSize { .. }
            | Op::DimPos { .. }
            | Op::OnDevice { .. }
            | Op::Instance { .. }
            | Op::LoopShare { .. } => pure,
            // A constant that is neither 0 nor -1 divides everything.
            Op::Binary { b: Operand::Int(_, divisor), .. } if !matches!(divisor, 0 | -1) => pure,
            // Integer division traps on zero, so it may not be executed where the program would not.
            Op::Binary { op: BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem, .. } => {
                Effects { writes: true, ..Effects::default() }
            }
            Op::Binary { .. } => pure,
            Op::Load { access, .. } if access.volatile => writes,
            Op::Load { .. } => reads,
            Op::Store { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::Call { .. }
            | Op::StackAlloc { .. }
            | Op::StackSave { .. }
            | Op::StackRestore { .. }
            | Op::VaStart { .. }
            | Op::VaArg { .. }
            | Op::VaArgAggregate { .. }
            | Op::VaCopy { .. }
            | Op::AtomicRmw { .. }
            | Op::AtomicSwap { .. }
            | Op::AtomicCas { .. }
            | Op::AtomicLoad { .. }
            | Op::AtomicStore { .. }
            | Op::Fence
            | Op::Trap
            | Op::FrameAddress { .. }
            | Op::Launch(_)
            | Op::Data(_) => writes,
            Op::HeadMark { .. } | Op::TailMark { .. } => sync(Level::Unassigned),
            Op::Fork { level, .. } | Op::Join { level, .. } => sync(*level),
            Op::Lock { level, .. } | Op::Unlock { level, .. } | Op::Barrier { level } => sync(*level),
            Op::Meet { .. } => sync(Level::Worker),
            Op::LastGang { .. } => writes,
            Op::Shuffle { .. } | Op::LaneReduce { .. } => sync(Level::Vector),
            Op::Reduction(reduction) => sync(reduction.level),
        }
    }
}
