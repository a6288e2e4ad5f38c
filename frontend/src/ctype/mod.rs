//! C types, interned: two types of one [`TypeTable`] are the same exactly when their ids are equal, except
//! that *compatible* types (C11 6.2.7) may differ (incomplete and complete arrays, unprototyped functions).

mod display;
mod query;

use crate::ast::Qualifiers;
use crate::intern::Symbol;
use crate::source::Span;
use crate::typed::VarId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::ops::Range;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
    };
}
id!(
    /// An unqualified type.
    TypeId
);
id!(
    /// A struct or union type.
    RecordId
);
id!(
    /// An enumerated type.
    EnumId
);

/// A type with qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    /// The type.
    pub ty: TypeId,
    /// Its qualifiers.
    pub quals: Qualifiers,
    /// The alignment in bytes that a typedef gives its objects, more or less than that of the type (GNU C's
    /// `aligned`). As a qualifier it is part of what pointers lead to and of what arrays consist of; unlike a
    /// qualifier it makes no types incompatible.
    pub align: Option<u32>,
}

impl QualType {
    /// Without qualifiers.
    pub fn plain(ty: TypeId) -> Self {
        QualType::qualified(ty, Qualifiers::NONE)
    }

    /// With qualifiers.
    pub const fn qualified(ty: TypeId, quals: Qualifiers) -> Self {
        QualType { ty, quals, align: None }
    }
}

/// Integer types. `char` is signed, distinct from `signed char`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the type of its name")]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// Bytes; also the alignment.
    pub fn size(self) -> u64 {
        match self {
            IntKind::Bool | IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 4,
            IntKind::Long | IntKind::ULong | IntKind::LongLong | IntKind::ULongLong => 8,
            IntKind::Int128 | IntKind::UInt128 => 16,
        }
    }

    /// Bits of value and sign; 1 for `_Bool`.
    pub fn bits(self) -> u32 {
        if self == IntKind::Bool { 1 } else { self.size() as u32 * 8 }
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        match self {
            IntKind::Char
            | IntKind::SChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LongLong
            | IntKind::Int128 => true,
            IntKind::Bool
            | IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULongLong
            | IntKind::UInt128 => false,
        }
    }

    /// The unsigned type of the same size.
    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Bool => IntKind::Bool,
            IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
            IntKind::Short | IntKind::UShort => IntKind::UShort,
            IntKind::Int | IntKind::UInt => IntKind::UInt,
            IntKind::Long | IntKind::ULong => IntKind::ULong,
            IntKind::LongLong | IntKind::ULongLong => IntKind::ULongLong,
            IntKind::Int128 | IntKind::UInt128 => IntKind::UInt128,
        }
    }

    /// The signed type of the same size; `_Bool` stays.
    pub fn to_signed(self) -> IntKind {
        match self {
            IntKind::Bool => IntKind::Bool,
            IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::SChar,
            IntKind::Short | IntKind::UShort => IntKind::Short,
            IntKind::Int | IntKind::UInt => IntKind::Int,
            IntKind::Long | IntKind::ULong => IntKind::Long,
            IntKind::LongLong | IntKind::ULongLong => IntKind::LongLong,
            IntKind::Int128 | IntKind::UInt128 => IntKind::Int128,
        }
    }

    /// Conversion rank (C11 6.3.1.1).
    pub fn rank(self) -> u32 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }

    /// `value` reduced to the range of the type: what an assignment stores. Values of `unsigned __int128`
    /// above the range of `i128` are kept as the negative number of the same bits.
    pub fn wrap(self, value: i128) -> i128 {
        match self {
            IntKind::Bool => i128::from(value != 0),
            IntKind::Int128 | IntKind::UInt128 => value,
            _ => {
                let shift = 128 - self.bits();
                if self.is_signed() {
                    (value << shift) >> shift
                } else {
                    (((value as u128) << shift) >> shift) as i128
                }
            }
        }
    }

    /// Whether the type can hold `value`.
    pub fn holds(self, value: i128) -> bool {
        match self {
            IntKind::UInt128 => value >= 0,
            _ => self.wrap(value) == value,
        }
    }

    /// The id of the type.
    pub fn type_id(self) -> TypeId {
        match self {
            IntKind::Bool => TypeId::BOOL,
            IntKind::Char => TypeId::CHAR,
            IntKind::SChar => TypeId::SCHAR,
            IntKind::UChar => TypeId::UCHAR,
            IntKind::Short => TypeId::SHORT,
            IntKind::UShort => TypeId::USHORT,
            IntKind::Int => TypeId::INT,
            IntKind::UInt => TypeId::UINT,
            IntKind::Long => TypeId::LONG,
            IntKind::ULong => TypeId::ULONG,
            IntKind::LongLong => TypeId::LLONG,
            IntKind::ULongLong => TypeId::ULLONG,
            IntKind::Int128 => TypeId::INT128,
            IntKind::UInt128 => TypeId::UINT128,
        }
    }

    /// The name in C.
    pub fn name(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

/// Real floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the type of its name")]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
}

impl FloatKind {
    /// Bytes; also the alignment.
    pub fn size(self) -> u64 {
        match self {
            FloatKind::Float => 4,
            FloatKind::Double => 8,
            FloatKind::LongDouble => 16,
        }
    }

    /// The id of the real type.
    pub fn type_id(self) -> TypeId {
        match self {
            FloatKind::Float => TypeId::FLOAT,
            FloatKind::Double => TypeId::DOUBLE,
            FloatKind::LongDouble => TypeId::LDOUBLE,
        }
    }

    /// The id of the complex type.
    pub fn complex_id(self) -> TypeId {
        match self {
            FloatKind::Float => TypeId::CFLOAT,
            FloatKind::Double => TypeId::CDOUBLE,
            FloatKind::LongDouble => TypeId::CLDOUBLE,
        }
    }

    /// The name in C.
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
        }
    }
}

/// The length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    /// A constant; zero is GNU C.
    Known(u64),
    /// `[]`.
    Incomplete,
    /// A VLA: the hidden variable (of type `size_t`) that holds the number of elements.
    Variable(VarId),
    /// `[*]` in a prototype.
    Star,
}

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// Result.
    pub result: QualType,
    /// Adjusted parameter types.
    pub params: Vec<QualType>,
    /// `...`.
    pub variadic: bool,
    /// Declared with `()`: nothing is known of the parameters.
    pub unprototyped: bool,
}

/// What `nullptr_t` points to: it is a pointer like no other, whose values are all null.
pub const NULLPTR_TARGET: &str = "nullptr_t";

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "variants are C's type categories")]
pub enum CType {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Complex(FloatKind),
    Pointer(QualType),
    Array(QualType, ArrayLen),
    Function(FunctionType),
    Record(RecordId),
    Enum(EnumId),
    /// GNU vector types and `_Float128`: named in headers, cannot be used.
    Unsupported(&'static str),
    /// The type of what did not type-check; compatible with everything, reported already.
    Error,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its name; `None` for anonymous members and padding bit-fields.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: QualType,
    /// Byte offset. For a bit-field: of its storage unit, chosen so that one load of the field's type (or a
    /// wider one) reads it.
    pub offset: u64,
    /// Alignment in bytes that the record gives it; of no meaning for a bit-field.
    pub align: u64,
    /// For a bit-field: (bit offset from `offset`, width).
    pub bits: Option<(u32, u32)>,
    /// Where it is declared.
    pub span: Span,
}

impl Field {
    /// For a bit-field, the bytes of the record that have bits of it: none if its width is 0.
    pub fn bit_bytes(&self) -> Option<Range<u64>> {
        let (bit, width) = self.bits?;
        let first = self.offset + u64::from(bit / 8);
        let end = if width == 0 { first } else { self.offset + u64::from((bit + width - 1) / 8) + 1 };
        Some(first..end)
    }
}

/// A struct or union.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// `union`.
    pub is_union: bool,
    /// The tag.
    pub tag: Option<Symbol>,
    /// Its members, once it is complete.
    pub fields: Option<Vec<Field>>,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Its last member is a flexible array.
    pub flexible: bool,
    /// Where it is declared.
    pub span: Span,
}

/// An enumerated type.
#[derive(Clone, PartialEq, Debug)]
pub struct Enum {
    /// The tag.
    pub tag: Option<Symbol>,
    /// The compatible integer type; `None` while incomplete.
    pub underlying: Option<IntKind>,
    /// Where it is declared.
    pub span: Span,
}

/// All types of a translation unit.
pub struct TypeTable {
    types: Vec<CType>,
    map: FxHashMap<CType, TypeId>,
    /// Structs and unions.
    pub records: Vec<Record>,
    /// Enumerated types.
    pub enums: Vec<Enum>,
    /// Pairs of function types found compatible, which they stay. Types share their parts: without this,
    /// comparing them would take time exponential in their depth.
    compatible_functions: RefCell<FxHashSet<(TypeId, TypeId)>>,
    /// Composites of function types, for the same reason.
    composites: FxHashMap<(TypeId, TypeId), TypeId>,
}

macro_rules! basic_types {
    ($($name:ident = $ty:expr,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "mirrors the constants below")]
        enum BasicIndex { $($name,)* }

        #[allow(missing_docs, reason = "each constant is the type of its name")]
        impl TypeId {
            $(pub const $name: TypeId = TypeId(BasicIndex::$name as u32);)*
        }

        const BASIC_TYPES: &[CType] = &[$($ty,)*];
    };
}

basic_types! {
    ERROR = CType::Error,
    VOID = CType::Void,
    BOOL = CType::Int(IntKind::Bool),
    CHAR = CType::Int(IntKind::Char),
    SCHAR = CType::Int(IntKind::SChar),
    UCHAR = CType::Int(IntKind::UChar),
    SHORT = CType::Int(IntKind::Short),
    USHORT = CType::Int(IntKind::UShort),
    INT = CType::Int(IntKind::Int),
    UINT = CType::Int(IntKind::UInt),
    LONG = CType::Int(IntKind::Long),
    ULONG = CType::Int(IntKind::ULong),
    LLONG = CType::Int(IntKind::LongLong),
    ULLONG = CType::Int(IntKind::ULongLong),
    INT128 = CType::Int(IntKind::Int128),
    UINT128 = CType::Int(IntKind::UInt128),
    FLOAT = CType::Float(FloatKind::Float),
    DOUBLE = CType::Float(FloatKind::Double),
    LDOUBLE = CType::Float(FloatKind::LongDouble),
    CFLOAT = CType::Complex(FloatKind::Float),
    CDOUBLE = CType::Complex(FloatKind::Double),
    CLDOUBLE = CType::Complex(FloatKind::LongDouble),
    VOID_PTR = CType::Pointer(QualType::qualified(TypeId::VOID, Qualifiers::NONE)),
    CHAR_PTR = CType::Pointer(QualType::qualified(TypeId::CHAR, Qualifiers::NONE)),
}

impl TypeId {
    /// `size_t`.
    pub const SIZE: TypeId = TypeId::ULONG;
    /// `ptrdiff_t`.
    pub const PTRDIFF: TypeId = TypeId::LONG;
    /// `wchar_t`.
    pub const WCHAR: TypeId = TypeId::INT;
}

impl TypeTable {
    /// A table that holds the basic types, the constants of [`TypeId`].
    pub fn new() -> Self {
        let mut table = TypeTable {
            types: Vec::new(),
            map: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
            compatible_functions: RefCell::default(),
            composites: FxHashMap::default(),
        };
        for ty in BASIC_TYPES {
            table.intern(ty.clone());
        }
        table
    }

    /// The id of a type, new or known.
    pub fn intern(&mut self, ty: CType) -> TypeId {
        if let Some(&id) = self.map.get(&ty) {
            return id;
        }
        let id = TypeId(u32::try_from(self.types.len()).expect("fewer than 2^32 types"));
        self.types.push(ty.clone());
        self.map.insert(ty, id);
        id
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &CType {
        &self.types[id.0 as usize]
    }
}

impl Default for TypeTable {
    fn default() -> Self {
        Self::new()
    }
}
