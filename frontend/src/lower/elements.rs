//! What the arrays of data clauses hold, scalar by scalar: for whoever compares their contents.

use super::ModuleLower;
use super::types::{Repr, repr};
use crate::ctype::{ArrayLen, CType, FloatKind, TypeId, TypeTable};
use accrue_ir::{ElementPart, Elements, RedType, Type};
use std::sync::Arc;

/// Elements with more parts count as bytes: nested structs may have any number of them.
const MAX_PARTS: usize = 256;

/// Structs and arrays nest less deeply than this, or count as bytes.
const MAX_DEPTH: u32 = 64;

impl ModuleLower<'_> {
    /// The elements of an object of a type, or of the arrays behind so many levels of pointers.
    pub(super) fn elements(&mut self, ty: TypeId, pointers: usize) -> Option<Arc<Elements>> {
        let types = &self.unit.types;
        let mut ty = innermost(types, ty);
        for _ in 0..pointers {
            ty = innermost(types, types.pointee(ty)?.ty);
        }
        if let Some(known) = self.element_types.get(&ty) {
            return known.clone();
        }
        let bytes = types.bytes(ty);
        let mut parts = Vec::new();
        let complete = bytes > 0 && collect(types, ty, 0, MAX_DEPTH, &mut parts).is_some();
        let elements = (complete && !parts.is_empty()).then(|| Arc::new(Elements { bytes, parts }));
        self.element_types.insert(ty, elements.clone());
        elements
    }

    /// What the elements behind a pointer hold: those of a pointer to arrays are arrays.
    pub(super) fn pointees(&mut self, pointer: TypeId) -> Option<Arc<Elements>> {
        let elements = self.elements(pointer, 1)?;
        let types = &self.unit.types;
        let bytes = types.bytes(types.pointee(pointer)?.ty);
        let count = bytes / elements.bytes;
        match &elements.parts[..] {
            [part] if count > 1 && part.count == 1 => {
                Some(Arc::new(Elements { bytes, parts: vec![ElementPart { count, ..*part }] }))
            }
            _ => Some(elements),
        }
    }
}

fn innermost(types: &TypeTable, mut ty: TypeId) -> TypeId {
    while let Some((element, _)) = types.element(ty) {
        ty = element.ty;
    }
    ty
}

/// Adds the parts of an object at an offset; `None` if there are too many.
fn collect(types: &TypeTable, ty: TypeId, at: u64, depth: u32, parts: &mut Vec<ElementPart>) -> Option<()> {
    if depth == 0 || parts.len() >= MAX_PARTS {
        return None;
    }
    match types.get(ty) {
        CType::Array(element, ArrayLen::Known(count)) => {
            let (first, size) = (parts.len(), types.bytes(element.ty));
            if *count == 0 {
                return Some(());
            }
            collect(types, element.ty, at, depth - 1, parts)?;
            match &mut parts[first..] {
                // A row of scalars without gaps stays one part.
                [only] if only.count * u64::from(only.ty.ty.bytes()) == size => only.count *= count,
                _ => {
                    for index in 1..*count {
                        collect(types, element.ty, at + index * size, depth - 1, parts)?;
                    }
                }
            }
        }
        CType::Array(..) => {}
        CType::Record(id) => {
            for field in types.records[id.0 as usize].fields.iter().flatten() {
                match field.bit_bytes() {
                    Some(bytes) if bytes.is_empty() => {}
                    Some(bytes) => {
                        let count = bytes.end - bytes.start;
                        parts.push(ElementPart { offset: at + bytes.start, ty: bits(), count });
                    }
                    None => collect(types, field.ty.ty, at + field.offset, depth - 1, parts)?,
                }
            }
        }
        CType::Complex(FloatKind::LongDouble) => parts.push(scalar(types, ty, Type::F80, at, 2)),
        _ => match repr(types, ty) {
            Repr::Scalar(Type::C32) => parts.push(scalar(types, ty, Type::F32, at, 2)),
            Repr::Scalar(Type::C64) => parts.push(scalar(types, ty, Type::F64, at, 2)),
            Repr::Scalar(of) => parts.push(scalar(types, ty, of, at, 1)),
            Repr::Void | Repr::Memory => {}
        },
    }
    Some(())
}

fn scalar(types: &TypeTable, ty: TypeId, of: Type, offset: u64, count: u64) -> ElementPart {
    let ty = RedType { ty: of, signed: types.is_signed(ty), boolean: types.is_bool(ty) };
    ElementPart { offset, ty, count }
}

fn bits() -> RedType {
    RedType { ty: Type::I8, signed: false, boolean: false }
}
