//! The typed tree: what the program means. Made by `sema`, consumed by `lower`.
//!
//! Everything implicit is explicit here: conversions are [`ExprKind::Cast`], reading an object is
//! [`ExprKind::Load`], array-to-pointer and function-to-pointer conversions are [`ExprKind::Decay`],
//! initialisers are flat lists of (offset, value), `sizeof` is a constant or an expression over the hidden
//! variables of VLAs, loop directives hold canonical loops, clauses hold variables and evaluated-once
//! expressions, implicit data attributes are filled in. A typed tree exists only for a program without
//! errors, so lowering never reports any but known limits.

use crate::ctype::{QualType, RecordId, TypeId, TypeTable};
use crate::directive::{DefaultKind, ImplicitMap};
use crate::intern::Symbol;
use crate::source::Span;
use accrue_ir::{
    ConstructKind, DataKind, LoopKind, MapKind, MapModifiers, Member, ReductionOp, Routine, ThreadBound,
};
use std::sync::Arc;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
    };
}
id!(
    /// An object: global, static, automatic, parameter, compound literal, or hidden (VLA sizes).
    VarId
);
id!(
    /// A function, declared or defined.
    FuncId
);
id!(
    /// A string literal's array.
    StrId
);
id!(
    /// A label of a function.
    LabelId
);

/// A translation unit.
pub struct Unit {
    /// Its types.
    pub types: TypeTable,
    /// All objects.
    pub vars: Vec<Var>,
    /// All functions.
    pub functions: Vec<Function>,
    /// String literals: bytes including the terminator (and elements of 2 or 4 bytes, little endian).
    pub strings: Vec<StringLit>,
    /// Whether objects are accessed by their own types only, or as characters: C's rule of effective types.
    pub strict_aliasing: bool,
}

impl Unit {
    /// The alignment of a variable in bytes: what it declares or, if that is more, what its typedef or its
    /// type has.
    pub fn align_of(&self, var: &Var) -> u32 {
        let of_type = self.types.align_of(var.ty).max(self.types.align(var.ty.ty));
        var.align.unwrap_or(0).max(of_type).max(1) as u32
    }

    /// Whether a variable is a pointer declared `restrict`; of a parameter `a[restrict n]`, that is its type.
    pub fn is_restrict(&self, var: &Var) -> bool {
        var.ty.quals.restrict && self.types.is_pointer(var.ty.ty)
    }
}

/// A string literal.
#[derive(Clone, PartialEq, Debug)]
pub struct StringLit {
    /// Bytes, terminator included.
    pub bytes: Vec<u8>,
    /// The array type.
    pub ty: TypeId,
}

/// Linkage of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// `static` at file scope, and everything without linkage.
    Internal,
    /// `extern`.
    External,
}

/// Where an object lives.
#[derive(Clone, PartialEq, Debug)]
pub enum Storage {
    /// Static storage duration.
    Static {
        /// Internal for block-scope statics.
        linkage: Linkage,
        /// Has a definition here: with an initialiser, or tentative (`init` of the variable is `None`).
        defined: bool,
        /// Declared at file scope without initialiser and `extern`.
        tentative: bool,
    },
    /// One per thread, otherwise as [`Storage::Static`].
    Thread {
        /// Internal for block-scope statics.
        linkage: Linkage,
        /// Has a definition here.
        defined: bool,
    },
    /// Automatic.
    Auto,
    /// A parameter, by position.
    Param(u32),
}

/// An object.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name; `None` for compound literals and hidden variables.
    pub name: Option<Symbol>,
    /// Its type, completed by its initialiser if it was an incomplete array.
    pub ty: QualType,
    /// Where it lives.
    pub storage: Storage,
    /// Its alignment if more than the type's, in bytes.
    pub align: Option<u64>,
    /// That of its private copies, where a clause `allocate` names it.
    pub copies_align: Option<u64>,
    /// It must have an address: `&` was applied, it is an array or a struct, it is `volatile`, or a data
    /// clause maps it by address. Automatic scalars without this live in IR locals.
    pub in_memory: bool,
    /// `asm("name")`.
    pub asm_label: Option<Arc<str>>,
    /// `__attribute__((weak))`.
    pub weak: bool,
    /// Initial value of an object with static storage duration; constants and addresses only.
    pub init: Option<Init>,
    /// `acc declare`.
    pub declare: Option<MapKind>,
    /// The declaration.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Its type, composite of all declarations.
    pub ty: TypeId,
    /// Linkage.
    pub linkage: Linkage,
    /// `inline` without an external definition in this translation unit (C99), or `extern inline` (gnu89):
    /// the body is for use here, the external definition is elsewhere.
    pub inline_only: bool,
    /// `inline` or `always_inline` was written.
    pub inline_hint: bool,
    /// `noinline` was written.
    pub noinline: bool,
    /// `__attribute__((weak))`.
    pub weak: bool,
    /// `_Noreturn`.
    pub noreturn: bool,
    /// May return more than once: `setjmp` and its kin.
    pub returns_twice: bool,
    /// `asm("name")`.
    pub asm_label: Option<Arc<str>>,
    /// `__attribute__((alias("target")))`.
    pub alias: Option<Arc<str>>,
    /// `__attribute__((constructor))`: runs before `main`; the value is the priority.
    pub constructor: Option<u32>,
    /// `__attribute__((destructor))`.
    pub destructor: Option<u32>,
    /// `acc routine`.
    pub routine: Option<Routine>,
    /// The definition.
    pub body: Option<FunctionBody>,
    /// The first declaration's name.
    pub span: Span,
    /// Some code of this translation unit names it.
    pub referenced: bool,
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct FunctionBody {
    /// Parameters, in order.
    pub params: Vec<VarId>,
    /// Statements; sizes of VLA parameters are declared first.
    pub body: Vec<Stmt>,
    /// Names of labels, for messages.
    pub labels: Vec<Symbol>,
    /// Labels whose address is taken: what `goto *` may jump to.
    pub address_taken: Vec<LabelId>,
    /// `main` returns 0 at its end.
    pub is_main: bool,
    /// The closing brace.
    pub end: Span,
}

/// A flat initialiser. Bytes without an entry are zero.
#[derive(Clone, Debug)]
pub struct Init {
    /// In the order of evaluation; where two overlap, the later one wins.
    pub entries: Vec<InitEntry>,
}

/// One initialised scalar, struct or string.
#[derive(Clone, Debug)]
pub struct InitEntry {
    /// Byte offset in the object.
    pub offset: u64,
    /// For a bit-field: (bit offset, width).
    pub bits: Option<(u32, u32)>,
    /// The type of the subobject.
    pub ty: TypeId,
    /// A value of that type: a scalar, a struct, or an lvalue [`ExprKind::String`] for a character array.
    pub value: Expr,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The whole.
    pub span: Span,
}

/// Statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression evaluated for its effects.
    Expr(Expr),
    /// A block; VLAs declared inside are freed at its end.
    Block(Vec<Stmt>),
    /// A declaration of an automatic object. Entering its scope makes a new object; `init` runs where it
    /// stands.
    Declare(VarId, Option<Init>),
    /// From here on, leaving the enclosing block in any way evaluates the call: `__attribute__((cleanup))`.
    Cleanup(Expr),
    /// A VLA type was declared: evaluates the count and stores it in the hidden variable.
    VlaSize(VarId, Expr),
    /// `if`.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do ... while`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`; the scope around the init part is a [`StmtKind::Block`] if it declares.
    For {
        /// First clause: declarations or one expression statement.
        init: Vec<Stmt>,
        /// Second.
        condition: Option<Expr>,
        /// Third.
        step: Option<Expr>,
        /// Body.
        body: Box<Stmt>,
        /// The loop is a counted one, for analyses that look for them; the fields above stay authoritative.
        canonical: Option<Box<CanonicalLoop>>,
        /// Scalars that iterations may accumulate into in any order, of a loop that a directive was about.
        any_order: Vec<ReductionItem>,
    },
    /// `switch`; `cases` are sorted and do not overlap, values converted to the promoted type of the operand
    /// and sign-extended. The index is that of the [`StmtKind::Case`] inside the body.
    Switch {
        /// The operand, promoted.
        value: Expr,
        /// (low, high, case index).
        cases: Vec<(i64, i64, u32)>,
        /// Case index of `default`.
        default: Option<u32>,
        /// Body.
        body: Box<Stmt>,
    },
    /// A `case` or `default` label of the innermost switch.
    Case(u32, Box<Stmt>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`; the value has the function's result type.
    Return(Option<Expr>),
    /// A label.
    Label(LabelId, Box<Stmt>),
    /// `goto`.
    Goto(LabelId),
    /// `goto *address`: jumps to one of the labels whose address was taken.
    GotoComputed(Expr),
    /// `asm` with an empty template: a compiler barrier; operands `"+r"(x)` have been checked to be harmless.
    Barrier,
    /// A compute construct.
    Compute(Box<Compute>),
    /// A `loop` construct.
    Loop(Box<LoopConstruct>),
    /// `data`.
    Data(Box<DataConstruct>),
    /// `host_data`.
    HostData(Box<HostDataConstruct>),
    /// `enter data`, `exit data`, `update`, `wait`, `init`, `shutdown`, `set`.
    Executable(Box<Executable>),
    /// `atomic`.
    Atomic(Box<Atomic>),
    /// `declare` in a function: data that lives as long as the scope it stands in.
    DeclareData(Vec<DataItem>),
    /// A statement of OpenMP that one thread executes in place, in code of a device: `parallel`, `single`,
    /// `critical`, ...; `if` and the like are evaluated and have no effect.
    OmpInline(Vec<Expr>, Box<Stmt>),
    /// A construct that threads of the host execute.
    Threaded(Box<Threaded>),
}

/// An expression. `ty` of an rvalue is unqualified.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type; of an lvalue: of the object.
    pub ty: QualType,
    /// The whole.
    pub span: Span,
}

/// A floating constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FloatConst {
    /// `float` and `double`, correctly rounded.
    Double(f64),
    /// `long double`: x87 extended, little endian.
    Extended([u8; 10]),
}

/// Conversions between scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastKind {
    /// To `void`.
    ToVoid,
    /// Between arithmetic types (including enums, `_Bool`, complex): C's value conversion, read from the two
    /// types.
    Arithmetic,
    /// Any scalar to `_Bool`: compares with zero.
    ToBool,
    /// Pointer to pointer, or a qualification change: the same bits.
    Pointer,
    /// Integer to pointer: sign- or zero-extends to 64 bits.
    IntToPointer,
    /// Pointer to integer: truncates.
    PointerToInt,
}

/// Unary operators on values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// Arithmetic negation.
    Neg,
    /// Bitwise complement.
    BitNot,
    /// `!`: the result is `int`.
    Not,
    /// Real part, of a value.
    Real,
    /// Imaginary part, of a value; 0 for a real one.
    Imag,
    /// Complex conjugate (`~` on complex, GNU).
    Conj,
}

/// Binary operators on values of one type (shifts: the right operand has its own promoted type).
pub type BinaryOp = crate::ast::BinaryOp;

/// Expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer, enumeration or null pointer constant, in range of its type.
    Int(i128),
    /// A floating constant.
    Float(FloatConst),
    /// A complex value from two real ones (also for imaginary constants).
    Complex(Box<Expr>, Box<Expr>),
    /// An object: an lvalue.
    Var(VarId),
    /// A function designator.
    Func(FuncId),
    /// A string literal: an lvalue of array type.
    String(StrId),
    /// The value of an lvalue. Of struct type: the whole object.
    Load(Box<Expr>),
    /// Array lvalue to pointer to its first element; function designator to pointer.
    Decay(Box<Expr>),
    /// `&lvalue`.
    AddrOf(Box<Expr>),
    /// `*pointer`: an lvalue (or a function designator).
    Deref(Box<Expr>),
    /// A member: an lvalue if the base is one; the base may be a struct value (a call's result).
    Member(Box<Expr>, RecordId, u32),
    /// Real or imaginary part of a complex lvalue: an lvalue.
    Part(Box<Expr>, bool),
    /// Pointer plus (or minus) integer; the integer is a 64-bit one (sign- or zero-extended by its type
    /// already), in elements.
    PtrAdd {
        /// The pointer.
        pointer: Box<Expr>,
        /// The integer.
        index: Box<Expr>,
        /// `-`.
        subtract: bool,
    },
    /// Difference of two pointers, in elements: `ptrdiff_t`.
    PtrDiff(Box<Expr>, Box<Expr>),
    /// Unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// Binary operator. Comparisons, `&&`, `||` give `int`; operands of `&&`, `||` are scalars of any type.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `lvalue = value`; the value has the lvalue's type. The result is the value assigned.
    Assign(Box<Expr>, Box<Expr>),
    /// `lvalue op= value`: the lvalue's value is converted to `compute`, the operator applied, the result
    /// converted back. For `+=` on pointers `value` is the index in elements. The lvalue is evaluated once.
    AssignOp {
        /// The operator.
        op: BinaryOp,
        /// The lvalue.
        target: Box<Expr>,
        /// The right operand, converted to `compute` (shifts: promoted on its own).
        value: Box<Expr>,
        /// The type the operation is done in.
        compute: TypeId,
    },
    /// `++` and `--` on an lvalue.
    IncDec {
        /// The lvalue.
        target: Box<Expr>,
        /// `++`.
        increment: bool,
        /// The result is the new value.
        prefix: bool,
    },
    /// `c ? a : b`; both arms have the expression's type.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// GNU `a ?: b`: `a` is evaluated once; it is converted to the result type by the cast inside `convert`,
    /// in which [`ExprKind::ConditionValue`] stands for its value.
    Elvis {
        /// The condition, a scalar.
        condition: Box<Expr>,
        /// The result if it is not zero.
        convert: Box<Expr>,
        /// The result if it is zero.
        otherwise: Box<Expr>,
    },
    /// The value of the condition of the innermost [`ExprKind::Elvis`].
    ConditionValue,
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// A call. Arguments are converted and promoted; `callee` is a pointer value, or a function designator.
    Call {
        /// What is called.
        callee: Box<Expr>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// A conversion.
    Cast(CastKind, Box<Expr>),
    /// `({ ... })`: the last statement's value, if it is an expression.
    StmtExpr(Vec<Stmt>, Option<Box<Expr>>),
    /// A compound literal: an lvalue. Evaluating it initialises the object anew (automatic ones).
    CompoundLiteral(VarId, Option<Init>),
    /// `va_arg`.
    VaArg(Box<Expr>),
    /// A compiler builtin that is not simply a library call.
    Builtin(Builtin, Vec<Expr>),
    /// `&&label`.
    LabelAddr(LabelId),
}

/// Builtins with a meaning of their own. `__builtin_printf` and others that are the library function of the
/// same name have become calls; those with constant operands, `__builtin_constant_p` and the like have been
/// evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(
    missing_docs,
    reason = "variants are the builtins of their names, with the types their operands have"
)]
pub enum Builtin {
    VaStart,
    VaEnd,
    VaCopy,
    Alloca,
    Trap,
    Unreachable,
    /// `__builtin_expect`: its first operand.
    Expect,
    Prefetch,
    Clz,
    Ctz,
    Popcount,
    Parity,
    Ffs,
    Clrsb,
    /// The absolute value of an integer; the least one is its own.
    Abs,
    Bswap,
    Fabs,
    Copysign,
    Sqrt,
    /// Two to the power of a `float`, as exact as a GPU's instruction: for the device's library.
    Exp2,
    /// One over a number, and over its square root, likewise.
    Reciprocal,
    ReciprocalRoot,
    Real,
    Imag,
    Conj,
    Floor,
    Ceil,
    Trunc,
    Rint,
    /// C `fmin`, `fmax`: which zero is returned is not specified there.
    Fmin,
    Fmax,
    /// `__builtin_isless` and the like: quiet comparisons.
    IsGreater,
    IsGreaterEqual,
    IsLess,
    IsLessEqual,
    IsLessGreater,
    IsUnordered,
    IsNan,
    IsInf,
    IsFinite,
    IsNormal,
    SignBit,
    FrameAddress,
    ReturnAddress,
    /// `__builtin_{add,sub,mul}_overflow(a, b, &result)`, or `_overflow_p(a, b, example)`: operands of any
    /// integer types. Behind the value of a bit-field as an example stands its width.
    AddOverflow,
    SubOverflow,
    MulOverflow,
    /// `__sync_*` and `__atomic_*`; the first operand is the address, memory orders are dropped (all are
    /// seq_cst).
    AtomicLoad,
    AtomicStore,
    AtomicExchange,
    /// `__atomic_compare_exchange(_n)`: (address, address of expected, desired), result `_Bool`.
    AtomicCompareExchange,
    /// `__sync_bool_compare_and_swap`, `__sync_val_compare_and_swap`: (address, old, new).
    SyncBoolCas,
    SyncValCas,
    AtomicFetch(AtomicFetchOp),
    AtomicFence,
    /// `__builtin_goacc_parlevel_id(level)` and `_size(level)`: level 0 gang, 1 worker, 2 vector.
    ParlevelId,
    ParlevelSize,
    /// `acc_on_device(type)` in a region.
    AccOnDevice,
    /// `memcpy`, `memset`, `memmove` as builtins stay calls; this one is for struct copies sema makes.
    MemCopy,
}

/// Read-modify-write builtins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct AtomicFetchOp {
    /// Add, Sub, BitAnd, BitOr, BitXor.
    pub op: BinaryOp,
    /// `nand`: the result is complemented.
    pub nand: bool,
    /// The result is the new value (`__sync_add_and_fetch`).
    pub new_value: bool,
}

/// A counted loop: `for (var = init; var cmp bound; var += step)`.
#[derive(Clone, Debug)]
pub struct CanonicalLoop {
    /// The loop variable: integer or pointer.
    pub var: VarId,
    /// Its declaration is part of the loop.
    pub declared: bool,
    /// First value, of the variable's type.
    pub init: Expr,
    /// `<`, `<=`, `>`, `>=`, `!=`, with the variable on the left.
    pub cmp: BinaryOp,
    /// The bound, in the type the comparison is made in.
    pub bound: Expr,
    /// The type the comparison is made in.
    pub compare_type: TypeId,
    /// The step, signed: an integer of 64 bits, in elements for pointers.
    pub step: Expr,
    /// The `for` statement.
    pub span: Span,
}

/// An item of a data clause.
#[derive(Clone, Debug)]
pub struct DataItem {
    /// The clause.
    pub clause: MapKind,
    /// Its modifiers.
    pub modifiers: MapModifiers,
    /// Not written by the user.
    pub implicit: bool,
    /// As written, for messages.
    pub name: Arc<str>,
    /// The variable at the root of the item.
    pub var: VarId,
    /// What is mapped.
    pub shape: DataShape,
    /// [`accrue_ir::DataMap::members`].
    pub members: Vec<Member>,
    /// The item.
    pub span: Span,
}

/// What a data item covers. All expressions are evaluated once, where the directive stands.
#[derive(Clone, Debug)]
pub enum DataShape {
    /// The whole of an object: the lvalue. Its type may be a VLA.
    Object(Expr),
    /// A part of an array object.
    Part {
        /// The array lvalue.
        array: Expr,
        /// What of it.
        runs: Runs,
        /// Behind an array of pointers: what of each level of rows.
        rows: Vec<Runs>,
    },
    /// A section through a pointer.
    Section {
        /// The pointer lvalue (an object; for `s.p[..]` and `q->p[..]` a member).
        pointer: Expr,
        /// What behind it.
        runs: Runs,
        /// Further pointers behind an array of pointers: what of each level of rows.
        rows: Vec<Runs>,
    },
    /// A pointer named without a section (`present(p)`, `deviceptr(p)`, `use_device(p)`, `attach(p)`): the
    /// lvalue.
    Pointer(Expr),
}

/// Bytes of an array, or behind a pointer: runs of the same length at regular distances. Only `update` takes
/// several that do not touch (OpenACC 3.3, section 2.14.4); elsewhere strides stand where only the program's
/// values say that they do.
#[derive(Clone, Debug)]
pub struct Runs {
    /// First byte, a 64-bit integer.
    pub lower: Expr,
    /// Bytes of a run, a 64-bit integer.
    pub bytes: Expr,
    /// How often a run is repeated and at which distance in bytes; how often all that is; and so on, the
    /// outermost first.
    pub strides: Vec<(Expr, Expr)>,
}

impl Runs {
    /// A single run.
    pub fn one(lower: Expr, bytes: Expr) -> Runs {
        Runs { lower, bytes, strides: Vec::new() }
    }

    /// The expressions that say which bytes, in the order of their evaluation.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        let strides = self.strides.iter().flat_map(|(count, distance)| [count, distance]);
        [&self.lower, &self.bytes].into_iter().chain(strides)
    }
}

/// What combines the private copies of a reduction variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combining {
    /// An operator of the language, checked against the type.
    Operator(ReductionOp),
    /// Functions made of a `declare reduction`, each of two pointers to elements.
    Functions {
        /// Gives the first its first value, which may depend on the second.
        start: FuncId,
        /// Adds the second to the first.
        combine: FuncId,
        /// The first value does depend on the original.
        reads_original: bool,
        /// The operator that does the same, where threads share what is reduced.
        operator: Option<ReductionOp>,
    },
}

impl Combining {
    /// As messages write it.
    pub fn spelling(self) -> &'static str {
        match self {
            Combining::Operator(op) => op.spelling(),
            Combining::Functions { .. } => "declare reduction",
        }
    }

    /// Whether a `declare reduction` says what it does.
    pub fn is_declared(self) -> bool {
        matches!(self, Combining::Functions { .. })
    }

    /// Whether it is an operator.
    pub fn is_operator(self, op: ReductionOp) -> bool {
        self == Combining::Operator(op)
    }
}

/// A reduction variable.
#[derive(Clone, Debug)]
pub struct ReductionItem {
    /// The operator or functions.
    pub by: Combining,
    /// The variable.
    pub var: VarId,
    /// For an array, a subarray or a section through a pointer: first element and number of elements
    /// (64-bit).
    pub section: Option<(Expr, Expr)>,
    /// The item.
    pub span: Span,
}

/// A construct that becomes a function, which threads of the host execute: OpenMP's `parallel` and `task`.
#[derive(Clone, Debug)]
pub struct Threaded {
    /// [`ConstructKind::Team`] or [`ConstructKind::Task`].
    pub kind: ConstructKind,
    /// `if`, and the clauses of a task.
    pub scheduling: Scheduling,
    /// `num_threads`, an `int`.
    pub num_threads: Option<Expr>,
    /// Variables from outside, in the order of first use.
    pub captures: Vec<(VarId, CaptureKind)>,
    /// The statement. Private copies of variables are declared in it.
    pub body: Stmt,
    /// The directive.
    pub span: Span,
}

/// How a construct of the host's threads has a variable from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureKind {
    /// The variable itself. One that is nowhere in memory is not changed while the construct runs, and its
    /// value serves.
    Shared,
    /// A copy of its own, made when the construct is encountered.
    FirstPrivate,
}

/// Clauses of a task, or of a `target` that is one.
#[derive(Clone, Debug)]
pub struct TaskClauses {
    /// The array of dependences, a pointer, and their number, 64 bits.
    pub depends: Option<(Expr, Expr)>,
    /// Flags ([`accrue_ir::TaskClauses`]), an `int`.
    pub flags: Expr,
    /// `priority`, an `int`.
    pub priority: Option<Expr>,
    /// The event of `detach`, a pointer.
    pub event: Option<Expr>,
}

impl TaskClauses {
    /// The arguments.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        let depends = self.depends.iter().flat_map(|(array, count)| [array, count]);
        depends.chain([&self.flags]).chain(&self.priority).chain(&self.event)
    }

    /// The arguments, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let depends = self.depends.iter_mut().flat_map(|(array, count)| [array, count]);
        depends.chain([&mut self.flags]).chain(&mut self.priority).chain(&mut self.event)
    }
}

/// The device that a directive means.
#[derive(Debug, Clone, Default)]
pub enum Device {
    /// OpenACC: the one that the thread uses.
    #[default]
    Current,
    /// OpenMP without `device`.
    Default,
    /// OpenMP's `device`, an `int`.
    Number(Expr),
}

/// `device`, `if`, `self`, `async`, `wait`, and the clauses of a task.
#[derive(Debug, Clone, Default)]
pub struct Scheduling {
    /// The device.
    pub device: Device,
    /// `if`: a scalar.
    pub if_: Option<Expr>,
    /// `self`: a scalar; the constant 1 without argument.
    pub self_: Option<Expr>,
    /// `async`; the inner `None` has no argument. An `int`.
    pub async_: Option<Option<Expr>>,
    /// `wait`.
    pub wait: Option<WaitArgs>,
    /// The construct or directive is a task.
    pub task: Option<TaskClauses>,
}

impl Scheduling {
    /// The arguments.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        let device = match &self.device {
            Device::Current | Device::Default => None,
            Device::Number(number) => Some(number),
        };
        let queue = self.async_.iter().flatten();
        let wait = self.wait.iter().flat_map(|wait| wait.devnum.iter().chain(&wait.queues));
        let task = self.task.iter().flat_map(TaskClauses::values);
        device.into_iter().chain(&self.if_).chain(&self.self_).chain(queue).chain(wait).chain(task)
    }

    /// The arguments, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let device = match &mut self.device {
            Device::Current | Device::Default => None,
            Device::Number(number) => Some(number),
        };
        let queue = self.async_.iter_mut().flatten();
        let wait = self.wait.iter_mut().flat_map(|wait| wait.devnum.iter_mut().chain(&mut wait.queues));
        let task = self.task.iter_mut().flat_map(TaskClauses::values_mut);
        device.into_iter().chain(&mut self.if_).chain(&mut self.self_).chain(queue).chain(wait).chain(task)
    }
}

/// Arguments of `wait`.
#[derive(Debug, Clone, Default)]
pub struct WaitArgs {
    /// `devnum`, an `int`.
    pub devnum: Option<Expr>,
    /// Queues, `int`.
    pub queues: Vec<Expr>,
}

/// How many gangs, workers and lanes a construct asks for.
#[derive(Debug, Clone, Default)]
pub struct Dims {
    /// `num_gangs`, `int` each.
    pub num_gangs: Vec<Expr>,
    /// `num_workers`, an `int`.
    pub num_workers: Option<Expr>,
    /// `vector_length`, an `int`.
    pub vector_length: Option<Expr>,
    /// The clause of OpenMP that the numbers of workers and lanes come from.
    pub bound: Option<ThreadBound>,
}

impl Dims {
    /// Sets the numbers of workers and of their lanes, as a clause bounds the threads of a team.
    pub fn set_threads(&mut self, workers: Expr, lanes: Expr, bound: ThreadBound) {
        (self.num_workers, self.vector_length) = (Some(workers), Some(lanes));
        self.bound = Some(bound);
    }

    /// The first argument of each clause.
    pub fn sizes(&self) -> [Option<&Expr>; 3] {
        [self.num_gangs.first(), self.num_workers.as_ref(), self.vector_length.as_ref()]
    }

    /// The arguments.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        self.num_gangs.iter().chain(&self.num_workers).chain(&self.vector_length)
    }

    /// The arguments, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.num_gangs.iter_mut().chain(&mut self.num_workers).chain(&mut self.vector_length)
    }
}

/// How a `target` construct of OpenMP maps variables that no clause names.
#[derive(Clone, Debug, Default)]
pub struct DefaultMap {
    /// Scalars.
    pub scalar: ImplicitMap,
    /// Arrays and structures.
    pub aggregate: ImplicitMap,
    /// Pointers.
    pub pointer: ImplicitMap,
    /// Variables that `reduction`, `lastprivate` and `linear` of the combined construct name: `tofrom`.
    pub back: Vec<VarId>,
    /// Variables that `shared` names: `default(none)` is content.
    pub shared: Vec<VarId>,
}

/// A compute construct. A combined construct is one of these around a [`LoopConstruct`], its clauses divided.
#[derive(Clone, Debug)]
pub struct Compute {
    /// Which.
    pub kind: ConstructKind,
    /// `if`, `self`, `async`, `wait`.
    pub scheduling: Scheduling,
    /// `num_gangs`, `num_workers`, `vector_length`.
    pub dims: Dims,
    /// Data clauses, written ones first, then implicit ones in the order of first use.
    pub data: Vec<DataItem>,
    /// `private`.
    pub private: Vec<VarId>,
    /// `firstprivate`, then implicit ones.
    pub firstprivate: Vec<VarId>,
    /// How many of them are written.
    pub firstprivate_written: usize,
    /// `reduction`.
    pub reductions: Vec<ReductionItem>,
    /// `default`.
    pub default: Option<DefaultKind>,
    /// What a pointer that no clause names leads to is mapped as far as it is used. In OpenMP such a pointer
    /// keeps its value unless what it leads to is present.
    pub maps_by_use: bool,
    /// Of OpenMP, whose rules hold then for variables that no clause names.
    pub defaultmap: Option<DefaultMap>,
    /// The statement.
    pub body: Stmt,
    /// The directive.
    pub span: Span,
}

/// `gang` with its arguments.
#[derive(Debug, Clone, Default)]
pub struct GangArgs {
    /// `num`, an `int`.
    pub num: Option<Expr>,
    /// `static`; the inner `None` is `*`.
    pub static_: Option<Option<Expr>>,
    /// `dim`: 1, 2 or 3.
    pub dim: u8,
}

/// A `loop` construct.
#[derive(Clone, Debug)]
pub struct LoopConstruct {
    /// `seq`, `independent`, `auto`.
    pub kind: LoopKind,
    /// `gang`.
    pub gang: Option<GangArgs>,
    /// `worker`.
    pub worker: Option<Option<Expr>>,
    /// `vector`.
    pub vector: Option<Option<Expr>>,
    /// Number of loops in `collapse`; 1 without.
    pub collapse: u32,
    /// `collapse(force:)`.
    pub collapse_force: bool,
    /// One thread may turn out to execute all iterations, which may depend on earlier ones then.
    pub in_order: bool,
    /// The iterations are the threads of a team, which meet at barriers, with the variables that they change
    /// and share.
    pub team: Option<Vec<VarId>>,
    /// `tile`: sizes; `None` is `*`.
    pub tile: Vec<Option<Expr>>,
    /// `private`, and the loop variables.
    pub private: Vec<VarId>,
    /// `reduction`.
    pub reductions: Vec<ReductionItem>,
    /// The associated loops, outermost first: `max(collapse, tile.len())` of them, at least one. For a `seq`
    /// loop that is not canonical this is empty and `body` is the whole loop statement.
    pub loops: Vec<CanonicalLoop>,
    /// Statements between the collapsed loops do not exist unless `collapse_force`; then they stand in
    /// `between[i]`, before loop `i + 1`.
    pub between: Vec<Vec<Stmt>>,
    /// The body of the innermost associated loop.
    pub body: Stmt,
    /// The directive.
    pub span: Span,
}

impl LoopConstruct {
    /// A construct whose clauses and loops are not known yet.
    pub fn new(kind: LoopKind, body: Stmt, span: Span) -> LoopConstruct {
        LoopConstruct {
            kind,
            gang: None,
            worker: None,
            vector: None,
            collapse: 1,
            collapse_force: false,
            in_order: false,
            team: None,
            tile: Vec::new(),
            private: Vec::new(),
            reductions: Vec::new(),
            loops: Vec::new(),
            between: Vec::new(),
            body,
            span,
        }
    }
}

/// A `data` construct.
#[derive(Clone, Debug)]
pub struct DataConstruct {
    /// `if`, `async`, `wait`.
    pub scheduling: Scheduling,
    /// Data clauses.
    pub data: Vec<DataItem>,
    /// The statement.
    pub body: Stmt,
    /// The directive.
    pub span: Span,
}

/// A `host_data` construct. Inside, `vars[i].1` (a fresh variable) replaces `vars[i].0`'s pointer value or
/// array address: sema has rewritten the body.
#[derive(Clone, Debug)]
pub struct HostDataConstruct {
    /// `if`.
    pub scheduling: Scheduling,
    /// `if_present`.
    pub if_present: bool,
    /// (item, the variable of pointer type that holds the device address inside).
    pub vars: Vec<(DataItem, VarId)>,
    /// The statement.
    pub body: Stmt,
    /// The directive.
    pub span: Span,
}

/// An executable directive without a body.
#[derive(Clone, Debug)]
pub struct Executable {
    /// Which.
    pub kind: DataKind,
    /// Data clauses.
    pub data: Vec<DataItem>,
    /// `if`, `async`, `wait`; a `wait` directive's arguments are in `scheduling.wait`.
    pub scheduling: Scheduling,
    /// `device_type`: an `acc_device_t` number.
    pub device_type: Option<i32>,
    /// `device_num`, an `int`.
    pub device_num: Option<Expr>,
    /// `default_async`, an `int`.
    pub default_async: Option<Expr>,
    /// The directive.
    pub span: Span,
}

impl Executable {
    /// A directive without data clauses, and without those that set a device.
    pub fn new(kind: DataKind, scheduling: Scheduling, span: Span) -> Executable {
        let (device_type, device_num, default_async) = (None, None, None);
        Executable { kind, data: Vec::new(), scheduling, device_type, device_num, default_async, span }
    }

    /// The arguments of clauses that only executable directives have.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        self.device_num.iter().chain(&self.default_async)
    }

    /// The same arguments, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.device_num.iter_mut().chain(&mut self.default_async)
    }
}

/// An `atomic` construct, reduced to what it does.
#[derive(Clone, Debug)]
pub enum Atomic {
    /// `v = x`.
    Read {
        /// An lvalue.
        v: Expr,
        /// The lvalue accessed atomically.
        x: Expr,
    },
    /// `x = value`.
    Write {
        /// The lvalue accessed atomically.
        x: Expr,
        /// Of the type of `x`.
        value: Expr,
    },
    /// `x = x op value` (`reversed`: `value op x`), and `v = x` before or after it.
    Update {
        /// The lvalue accessed atomically.
        x: Expr,
        /// The operator.
        op: BinaryOp,
        /// Converted to `compute`.
        value: Expr,
        /// `value op x`.
        reversed: bool,
        /// The type the operation is done in.
        compute: TypeId,
        /// `capture`: (an lvalue, whether it receives the new value).
        capture: Option<(Expr, bool)>,
    },
    /// `v = x; x = value`.
    Exchange {
        /// An lvalue.
        v: Expr,
        /// The lvalue accessed atomically.
        x: Expr,
        /// Of the type of `x`.
        value: Expr,
    },
    /// `if (x op with) x = value`.
    Compare(AtomicCompare),
}

impl Atomic {
    /// The lvalue accessed atomically.
    pub fn object(&self) -> &Expr {
        match self {
            Atomic::Read { x, .. }
            | Atomic::Write { x, .. }
            | Atomic::Update { x, .. }
            | Atomic::Exchange { x, .. } => x,
            Atomic::Compare(compare) => &compare.x,
        }
    }
}

/// `atomic compare`.
#[derive(Clone, Debug)]
pub struct AtomicCompare {
    /// The lvalue accessed atomically.
    pub x: Expr,
    /// `==`, which compares bits, or `<` or `>`, where `value` is `with`.
    pub op: BinaryOp,
    /// What `x` is compared with, in the type of the comparison.
    pub with: Expr,
    /// Of the type of `x`.
    pub value: Expr,
    /// `capture`: an lvalue, and what it receives.
    pub capture: Option<(Expr, Captured)>,
    /// An lvalue that receives whether the condition held.
    pub result: Option<Expr>,
}

/// What a captured variable receives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Captured {
    /// The value before.
    Old,
    /// The value behind.
    New,
    /// The value found, if the condition did not hold.
    WhereFalse,
}
