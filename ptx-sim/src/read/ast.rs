//! A module as written.

use crate::error::Pos;

/// A module.
#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    /// `.version`.
    pub(crate) version: (u32, u32),
    /// Number of the first `.target`: 90 of `sm_90a`.
    pub(crate) target: u32,
    /// `.file`s by number.
    pub(crate) files: Vec<(u32, &'a str)>,
    pub(crate) variables: Vec<Variable<'a>>,
    pub(crate) functions: Vec<Function<'a>>,
    /// `.alias NAME, FUNCTION`.
    pub(crate) aliases: Vec<(&'a str, &'a str, Pos)>,
}

/// A state space that a variable can be in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum VarSpace {
    Global,
    Const,
    Shared,
    Local,
    Param,
}

/// A declaration of memory.
#[derive(Debug)]
pub(crate) struct Variable<'a> {
    pub(crate) name: &'a str,
    pub(crate) pos: Pos,
    pub(crate) space: VarSpace,
    /// Declared elsewhere.
    pub(crate) external: bool,
    /// Bytes of an element.
    pub(crate) element: u32,
    /// `b8`, `f32`, ...
    pub(crate) ty: &'a str,
    pub(crate) align: u32,
    /// Number of elements; `None` for `[]`.
    pub(crate) count: Option<u64>,
    pub(crate) init: Vec<Init<'a>>,
}

/// An element of an initial value.
#[derive(Clone, Debug)]
pub(crate) struct Init<'a> {
    pub(crate) pos: Pos,
    pub(crate) value: InitValue<'a>,
}

/// What an element is set to.
#[derive(Clone, Debug)]
pub(crate) enum InitValue<'a> {
    Number(Number),
    /// The address of a symbol, `generic(SYMBOL)` or plain, and what is added.
    Address {
        symbol: &'a str,
        generic: bool,
        addend: i64,
    },
    /// `mask(SYMBOL)`: a byte of an address.
    AddressByte {
        symbol: &'a str,
        generic: bool,
        addend: i64,
        shift: u32,
    },
}

/// A constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Number {
    /// Bits of an integer, negative ones in two's complement.
    Int(u64),
    /// `0f...`: bits.
    F32(u32),
    /// `0d...` or decimal: bits.
    F64(u64),
}

/// A kernel or function.
#[derive(Debug)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) pos: Pos,
    pub(crate) entry: bool,
    pub(crate) results: Vec<Variable<'a>>,
    pub(crate) params: Vec<Variable<'a>>,
    /// `.reqntid`, missing dimensions 1.
    pub(crate) required_threads: Option<[u32; 3]>,
    /// `.maxntid`, multiplied.
    pub(crate) max_threads: Option<u32>,
    /// Absent for declarations.
    pub(crate) body: Option<Vec<Statement<'a>>>,
}

/// A line of a function.
#[derive(Debug)]
pub(crate) struct Statement<'a> {
    pub(crate) pos: Pos,
    pub(crate) kind: StatementKind<'a>,
}

#[derive(Debug)]
pub(crate) enum StatementKind<'a> {
    Label(&'a str),
    Open,
    Close,
    Registers { ty: &'a str, names: Vec<RegisterName<'a>> },
    Variable(Variable<'a>),
    Location(Location),
    Targets { label: &'a str, targets: Vec<&'a str> },
    Prototype(Prototype<'a>),
    Instruction(Instruction<'a>),
}

/// `%r<10>` or `%r1`.
#[derive(Debug)]
pub(crate) struct RegisterName<'a> {
    pub(crate) name: &'a str,
    pub(crate) count: Option<u32>,
}

/// `.loc`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Location {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// `.callprototype`, or the targets of `.calltargets` without sizes.
#[derive(Debug)]
pub(crate) struct Prototype<'a> {
    pub(crate) label: &'a str,
    pub(crate) results: Vec<Variable<'a>>,
    pub(crate) params: Vec<Variable<'a>>,
}

#[derive(Debug)]
pub(crate) struct Instruction<'a> {
    pub(crate) guard: Option<Guard<'a>>,
    /// Name and modifiers: `ld.global.u32`.
    pub(crate) opcode: &'a str,
    pub(crate) operands: Vec<Operand<'a>>,
}

/// `@%p` or `@!%p`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard<'a> {
    pub(crate) name: &'a str,
    pub(crate) negated: bool,
}

/// An operand.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Operand<'a> {
    /// A register, symbol or label, and a constant added to it.
    Name(&'a str, i64),
    /// `!%p`
    Not(&'a str),
    Number(Number),
    /// `[base + offset]`
    Address(AddressBase<'a>, i64),
    /// `{a, b}`
    Vector(Vec<Operand<'a>>),
    /// `(a, b)`
    List(Vec<Operand<'a>>),
    /// `a|b`
    Pair(&'a str, &'a str),
}

/// What stands in an address.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum AddressBase<'a> {
    Name(&'a str),
    Absolute,
}
