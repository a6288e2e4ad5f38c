//! What a C type is in the IR.

use super::ModuleLower;
use crate::ctype::{ArrayLen, CType, FloatKind, IntKind, TypeId, TypeTable};
use crate::diag::ids;
use crate::source::Span;
use accrue_ir as ir;
use accrue_ir::{AggregateLayout, Extend, PassBy, Signature, Type};
use rustc_hash::FxHashSet;

/// More parameters than this the code generator cannot number.
const MAX_PARAMS: usize = 10_000;

/// Aggregates of more bytes are passed in memory, whatever they hold.
const IN_REGISTERS: u64 = 16;

/// The scalars that an aggregate is made of.
struct Leaves {
    list: Vec<(u64, Type)>,
    /// Types and places that were visited: the members of a union may name one type over and over.
    seen: FxHashSet<(TypeId, u64)>,
    in_memory: bool,
}

impl Leaves {
    /// Of an aggregate that is passed in memory, nobody asks for all leaves: nested structs may have 2^60 of
    /// them.
    fn is_full(&self) -> bool {
        self.in_memory && self.list.len() > 1000
    }
}

/// How values of a type are handled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repr {
    /// No value.
    Void,
    /// In operands and locals, complex included.
    Scalar(Type),
    /// By the address of an object: structs and unions. Arrays have no values.
    Memory,
}

/// The IR type of an integer type.
pub(super) fn int_type(kind: IntKind) -> Type {
    match kind {
        IntKind::Bool | IntKind::Char | IntKind::SChar | IntKind::UChar => Type::I8,
        IntKind::Short | IntKind::UShort => Type::I16,
        IntKind::Int | IntKind::UInt => Type::I32,
        IntKind::Long | IntKind::ULong | IntKind::LongLong | IntKind::ULongLong => Type::I64,
        IntKind::Int128 | IntKind::UInt128 => Type::I128,
    }
}

/// How values of a type are handled. Types without values (functions, incomplete ones) count as
/// [`Repr::Void`].
pub(super) fn repr(types: &TypeTable, ty: TypeId) -> Repr {
    match types.get(ty) {
        CType::Void | CType::Function(_) | CType::Unsupported(_) | CType::Error => Repr::Void,
        CType::Int(kind) => Repr::Scalar(int_type(*kind)),
        CType::Enum(_) => Repr::Scalar(types.int_kind(ty).map_or(Type::I32, int_type)),
        CType::Float(FloatKind::Float) => Repr::Scalar(Type::F32),
        CType::Float(FloatKind::Double) => Repr::Scalar(Type::F64),
        CType::Float(FloatKind::LongDouble) => Repr::Scalar(Type::F80),
        CType::Complex(FloatKind::Float) => Repr::Scalar(Type::C32),
        // `long double _Complex` is refused where a function uses it; its values have no representation.
        CType::Complex(FloatKind::Double | FloatKind::LongDouble) => Repr::Scalar(Type::C64),
        CType::Pointer(_) => Repr::Scalar(Type::Ptr),
        CType::Array(..) | CType::Record(_) => Repr::Memory,
    }
}

/// Whether the type is `long double _Complex`.
pub(super) fn is_extended_complex(types: &TypeTable, ty: TypeId) -> bool {
    matches!(types.get(ty), CType::Complex(FloatKind::LongDouble))
}

impl TypeTable {
    /// Bytes of an object of the type; 0 for types without objects of a fixed size.
    pub(super) fn bytes(&self, ty: TypeId) -> u64 {
        self.size(ty).unwrap_or(0)
    }

    /// Whether the type is `_Bool`.
    pub(super) fn is_bool(&self, ty: TypeId) -> bool {
        self.int_kind(ty) == Some(IntKind::Bool)
    }
}

impl ModuleLower<'_> {
    /// Scalar leaves of an object, for calling conventions.
    fn leaves(&self, ty: TypeId, base: u64, out: &mut Leaves) {
        let types = &self.unit.types;
        if out.is_full() || !out.seen.insert((ty, base)) {
            return;
        }
        match types.get(ty) {
            CType::Array(element, ArrayLen::Known(count)) => {
                let size = types.bytes(element.ty);
                // Beyond two eightbytes every aggregate goes to memory, whatever it holds.
                for index in 0..(*count).min(17) {
                    self.leaves(element.ty, base + index * size, out);
                }
            }
            CType::Array(..) => {}
            CType::Record(id) => {
                for field in types.records[id.0 as usize].fields.iter().flatten() {
                    match field.bit_bytes() {
                        Some(bytes) => out.list.extend(bytes.map(|byte| (base + byte, Type::I8))),
                        None => self.leaves(field.ty.ty, base + field.offset, out),
                    }
                }
            }
            CType::Complex(FloatKind::LongDouble) => {
                out.list.extend([(base, Type::F80), (base + 16, Type::F80)]);
            }
            _ => match repr(types, ty) {
                Repr::Scalar(Type::C32) => out.list.extend([(base, Type::F32), (base + 4, Type::F32)]),
                Repr::Scalar(Type::C64) => out.list.extend([(base, Type::F64), (base + 8, Type::F64)]),
                Repr::Scalar(scalar) => out.list.push((base, scalar)),
                Repr::Void | Repr::Memory => {}
            },
        }
    }

    /// The aggregate by which a struct, a union or a complex value crosses calls.
    pub(super) fn aggregate(&mut self, ty: TypeId) -> ir::Agg {
        if let Some(&agg) = self.aggregates.get(&ty) {
            return agg;
        }
        let types = &self.unit.types;
        let (size, align) = (types.bytes(ty), types.align(ty));
        let mut leaves =
            Leaves { list: Vec::new(), seen: FxHashSet::default(), in_memory: size > IN_REGISTERS };
        self.leaves(ty, 0, &mut leaves);
        let layout = AggregateLayout { size, align, leaves: leaves.list };
        let agg = self.module.aggregates.push(layout);
        self.aggregates.insert(ty, agg);
        agg
    }

    /// How a parameter or result of a type crosses a call; `None` for `void`.
    pub(super) fn pass_by(&mut self, ty: TypeId) -> Option<PassBy> {
        let types = &self.unit.types;
        match repr(types, ty) {
            Repr::Void => None,
            Repr::Memory => Some(PassBy::Aggregate(self.aggregate(ty))),
            Repr::Scalar(scalar) if scalar.is_complex() => Some(PassBy::Aggregate(self.aggregate(ty))),
            Repr::Scalar(scalar) => {
                let extend = match scalar {
                    Type::I8 | Type::I16 if types.is_signed(ty) => Extend::Sign,
                    Type::I8 | Type::I16 => Extend::Zero,
                    _ => Extend::None,
                };
                Some(PassBy::Scalar(scalar, extend))
            }
        }
    }

    /// The signature of a function type.
    pub(super) fn signature(&mut self, ty: TypeId) -> ir::Sig {
        if let Some(&sig) = self.signatures.get(&ty) {
            return sig;
        }
        let CType::Function(function) = self.unit.types.get(ty).clone() else {
            unreachable!("a callee has function type");
        };
        let params = function.params.iter().filter_map(|param| self.pass_by(param.ty)).collect();
        let result = self.pass_by(function.result.ty);
        let signature = Signature { params, result, variadic: function.variadic || function.unprototyped };
        let sig = self.intern_signature(signature);
        self.signatures.insert(ty, sig);
        sig
    }

    /// The id of a signature, new or known.
    pub(super) fn intern_signature(&mut self, mut signature: Signature) -> ir::Sig {
        if signature.params.len() > MAX_PARAMS {
            self.limit(
                ids::TOO_MANY_PARAMETERS_UNSUPPORTED,
                Span::default(),
                format!("a function with more than {MAX_PARAMS} parameters is not supported by accrue"),
            );
            signature.params.truncate(MAX_PARAMS);
        }
        if let Some(&sig) = self.signature_ids.get(&signature) {
            return sig;
        }
        let sig = self.module.signatures.push(signature.clone());
        self.signature_ids.insert(signature, sig);
        sig
    }
}
