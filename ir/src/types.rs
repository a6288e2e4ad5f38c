//! Types of scalars, and layouts of what crosses calls by value.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The type of a local, an operand, or a memory access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Type {
    /// A truth value: what comparisons produce and branches consume. Never in memory.
    I1,
    /// 8-bit integer; C `_Bool` is stored as one, 0 or 1.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// 128-bit integer.
    I128,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// x87 extended precision (C `long double` of the System V ABI): 10 bytes stored in 16. Host only.
    F80,
    /// Complex of two [`Type::F32`], real part first.
    C32,
    /// Complex of two [`Type::F64`], real part first.
    C64,
    /// A 64-bit address.
    Ptr,
    /// Sixteen 8-bit integers. Vector types appear only in optimised host code.
    I8x16,
    /// Eight 16-bit integers.
    I16x8,
    /// Four 32-bit integers.
    I32x4,
    /// Two 64-bit integers.
    I64x2,
    /// Four [`Type::F32`].
    F32x4,
    /// Two [`Type::F64`].
    F64x2,
}

impl Type {
    /// All types, in the order of the enum.
    pub const ALL: [Type; 18] = [
        Type::I1,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::I128,
        Type::F32,
        Type::F64,
        Type::F80,
        Type::C32,
        Type::C64,
        Type::Ptr,
        Type::I8x16,
        Type::I16x8,
        Type::I32x4,
        Type::I64x2,
        Type::F32x4,
        Type::F64x2,
    ];

    /// Bytes in memory. [`Type::I1`] has no memory form; 1 is its size in a register file.
    pub fn bytes(self) -> u32 {
        match self {
            Type::I1 | Type::I8 => 1,
            Type::I16 => 2,
            Type::I32 | Type::F32 => 4,
            Type::I64 | Type::F64 | Type::Ptr | Type::C32 => 8,
            Type::I128 | Type::F80 | Type::C64 => 16,
            Type::I8x16 | Type::I16x8 | Type::I32x4 | Type::I64x2 | Type::F32x4 | Type::F64x2 => 16,
        }
    }

    /// Natural alignment in bytes.
    pub fn align(self) -> u32 {
        match self {
            Type::C32 => 4,
            Type::C64 => 8,
            other => other.bytes(),
        }
    }

    /// Width in bits of an integer type or a pointer.
    pub fn int_bits(self) -> Option<u32> {
        match self {
            Type::I1 => Some(1),
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 | Type::Ptr => Some(self.bytes() * 8),
            _ => None,
        }
    }

    /// Whether a value is one number or address of up to 64 bits, with a form in memory.
    pub fn is_word(self) -> bool {
        match self {
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::Ptr => true,
            Type::I1
            | Type::I128
            | Type::F80
            | Type::C32
            | Type::C64
            | Type::I8x16
            | Type::I16x8
            | Type::I32x4
            | Type::I64x2
            | Type::F32x4
            | Type::F64x2 => false,
        }
    }

    /// An integer type proper: not a truth value, not an address, not a vector.
    pub fn is_int(self) -> bool {
        matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128)
    }

    /// A real floating-point scalar.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64 | Type::F80)
    }

    /// A complex scalar.
    pub fn is_complex(self) -> bool {
        matches!(self, Type::C32 | Type::C64)
    }

    /// A vector type.
    pub fn is_vector(self) -> bool {
        self.lanes() > 1
    }

    /// Number of lanes; 1 for scalars.
    pub fn lanes(self) -> u32 {
        match self {
            Type::I8x16 => 16,
            Type::I16x8 => 8,
            Type::I32x4 | Type::F32x4 => 4,
            Type::I64x2 | Type::F64x2 => 2,
            _ => 1,
        }
    }

    /// The scalar that a complex or vector type is made of; every other type is its own.
    pub fn element(self) -> Type {
        match self {
            Type::C32 | Type::F32x4 => Type::F32,
            Type::C64 | Type::F64x2 => Type::F64,
            Type::I8x16 => Type::I8,
            Type::I16x8 => Type::I16,
            Type::I32x4 => Type::I32,
            Type::I64x2 => Type::I64,
            other => other,
        }
    }

    /// What a comparison of values of this type gives: a truth value, or a mask with as many lanes.
    pub fn comparison(self) -> Type {
        match self {
            Type::I8x16 | Type::I16x8 => self,
            Type::I32x4 | Type::F32x4 => Type::I32x4,
            Type::I64x2 | Type::F64x2 => Type::I64x2,
            Type::I1
            | Type::I8
            | Type::I16
            | Type::I32
            | Type::I64
            | Type::I128
            | Type::F32
            | Type::F64
            | Type::F80
            | Type::C32
            | Type::C64
            | Type::Ptr => Type::I1,
        }
    }

    /// Name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Type::I1 => "i1",
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::I128 => "i128",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::F80 => "f80",
            Type::C32 => "c32",
            Type::C64 => "c64",
            Type::Ptr => "ptr",
            Type::I8x16 => "i8x16",
            Type::I16x8 => "i16x8",
            Type::I32x4 => "i32x4",
            Type::I64x2 => "i64x2",
            Type::F32x4 => "f32x4",
            Type::F64x2 => "f64x2",
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The layout of a type passed or returned by value: enough for a calling convention to classify it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct AggregateLayout {
    /// Bytes, tail padding included.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Scalar leaves by byte offset, unions and arrays flattened; bit-fields as the integer that covers them.
    /// Overlapping leaves are normal (unions). Unaligned leaves (packed structs) put the whole in memory
    /// class.
    pub leaves: Vec<(u64, Type)>,
}

/// How a small integer is widened when it crosses a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Extend {
    /// Upper bits are unspecified, or the type is wide enough.
    None,
    /// Sign extension.
    Sign,
    /// Zero extension.
    Zero,
}

/// A parameter or a result in a [`Signature`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum PassBy {
    /// A scalar. Complex scalars never cross calls as such: they are aggregates of two leaves there.
    Scalar(Type, Extend),
    /// An aggregate by value. The operand is the address of the object: a caller gives an object that the
    /// callee's side copies; a callee finds in its parameter local the address of a copy of its own.
    Aggregate(crate::Agg),
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Signature {
    /// Fixed parameters.
    pub params: Vec<PassBy>,
    /// The result; `None` is `void`. A call whose result is an aggregate gives the address that receives it
    /// as its `dest` operand; the callee returns the address of the object to copy from.
    pub result: Option<PassBy>,
    /// Takes further arguments: `...`, or a declaration without a prototype (the ABI is the same at a call).
    pub variadic: bool,
}
