//! C types, interned: two types of one [`TypeTable`] are the same exactly when their ids are equal, except that
//! *compatible* types (C11 6.2.7) may differ (incomplete and complete arrays, unprototyped functions).

use crate::ast::Qualifiers;
use crate::intern::Symbol;
use crate::source::Span;
use crate::typed::VarId;
use rustc_hash::FxHashMap;

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
}

impl QualType {
    /// Without qualifiers.
    pub fn plain(ty: TypeId) -> Self {
        QualType { ty, quals: Qualifiers::default() }
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

/// Real floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the type of its name")]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
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
    /// Byte offset. For a bit-field: of its storage unit, chosen so that one load of the field's type (or a wider
    /// one) reads it.
    pub offset: u64,
    /// For a bit-field: (bit offset from `offset`, width).
    pub bits: Option<(u32, u32)>,
    /// Where it is declared.
    pub span: Span,
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
}

impl TypeTable {
    /// An empty table.
    pub fn new() -> Self {
        TypeTable { types: Vec::new(), map: FxHashMap::default(), records: Vec::new(), enums: Vec::new() }
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
