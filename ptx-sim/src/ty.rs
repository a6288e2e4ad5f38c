//! Types of instructions and registers.

use std::fmt;

/// A type that an instruction names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the variants are the names")]
pub(crate) enum Ty {
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
}

/// Names in PTX.
const NAMES: &[(&str, Ty)] = &[
    ("pred", Ty::Pred),
    ("b8", Ty::B8),
    ("b16", Ty::B16),
    ("b32", Ty::B32),
    ("b64", Ty::B64),
    ("b128", Ty::B128),
    ("u8", Ty::U8),
    ("u16", Ty::U16),
    ("u32", Ty::U32),
    ("u64", Ty::U64),
    ("s8", Ty::S8),
    ("s16", Ty::S16),
    ("s32", Ty::S32),
    ("s64", Ty::S64),
    ("f16", Ty::F16),
    ("f16x2", Ty::F16x2),
    ("bf16", Ty::Bf16),
    ("bf16x2", Ty::Bf16x2),
    ("f32", Ty::F32),
    ("f64", Ty::F64),
];

/// What the bits of a value mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Pred,
    Bits,
    Unsigned,
    Signed,
    Float,
}

impl Ty {
    pub(crate) fn by_name(name: &str) -> Option<Ty> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, ty)| *ty)
    }

    /// Bits of a value; a predicate has one.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Ty::Pred => 1,
            Ty::B8 | Ty::U8 | Ty::S8 => 8,
            Ty::B16 | Ty::U16 | Ty::S16 | Ty::F16 | Ty::Bf16 => 16,
            Ty::B32 | Ty::U32 | Ty::S32 | Ty::F32 | Ty::F16x2 | Ty::Bf16x2 => 32,
            Ty::B64 | Ty::U64 | Ty::S64 | Ty::F64 => 64,
            Ty::B128 => 128,
        }
    }

    pub(crate) fn bytes(self) -> u32 {
        self.bits() / 8
    }

    pub(crate) fn class(self) -> Class {
        match self {
            Ty::Pred => Class::Pred,
            Ty::B8 | Ty::B16 | Ty::B32 | Ty::B64 | Ty::B128 => Class::Bits,
            Ty::U8 | Ty::U16 | Ty::U32 | Ty::U64 => Class::Unsigned,
            Ty::S8 | Ty::S16 | Ty::S32 | Ty::S64 => Class::Signed,
            Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2 | Ty::F32 | Ty::F64 => Class::Float,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        self.class() == Class::Float
    }

    pub(crate) fn is_signed(self) -> bool {
        self.class() == Class::Signed
    }

    /// An integer or untyped bits.
    pub(crate) fn is_int(self) -> bool {
        matches!(self.class(), Class::Bits | Class::Unsigned | Class::Signed)
    }

    /// All bits of a value of at most 64 bits.
    pub(crate) fn mask(self) -> u64 {
        match self.bits() {
            bits if bits >= 64 => u64::MAX,
            bits => (1 << bits) - 1,
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, ty)| ty == self).map_or("?", |(name, _)| name);
        write!(f, ".{name}")
    }
}
