//! Questions about types: sizes, categories, parts, compatibility.

use super::{ArrayLen, CType, FloatKind, FunctionType, IntKind, QualType, RecordId, TypeId, TypeTable};
use crate::ast::Qualifiers;

impl TypeTable {
    /// Bytes of an object of the type; `None` for incomplete types, functions, and types whose size is only
    /// known when the program runs.
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        match self.get(ty) {
            CType::Int(kind) => Some(kind.size()),
            CType::Float(kind) => Some(kind.size()),
            CType::Complex(kind) => Some(2 * kind.size()),
            CType::Pointer(_) => Some(8),
            CType::Array(element, ArrayLen::Known(count)) => self.size(element.ty)?.checked_mul(*count),
            CType::Record(id) => {
                let record = &self.records[id.0 as usize];
                record.fields.as_ref().map(|_| record.size)
            }
            CType::Enum(id) => self.enums[id.0 as usize].underlying.map(IntKind::size),
            CType::Array(..) | CType::Void | CType::Function(_) | CType::Unsupported(_) | CType::Error => {
                None
            }
        }
    }

    /// Alignment in bytes; 1 where there is none.
    pub fn align(&self, ty: TypeId) -> u64 {
        match self.get(ty) {
            CType::Int(kind) => kind.size(),
            CType::Float(kind) | CType::Complex(kind) => kind.size(),
            CType::Pointer(_) => 8,
            CType::Array(element, _) => self.align_of(*element),
            CType::Record(id) => self.records[id.0 as usize].align.max(1),
            CType::Enum(id) => self.enums[id.0 as usize].underlying.map_or(4, IntKind::size),
            CType::Void | CType::Function(_) | CType::Unsupported(_) | CType::Error => 1,
        }
    }

    /// Alignment in bytes of objects that are declared with the type; 1 where there is none.
    pub fn align_of(&self, ty: QualType) -> u64 {
        ty.align.map_or_else(|| self.align(ty.ty), u64::from)
    }

    /// Whether objects of the type can exist: VLAs are complete, `[]` and undefined structs are not.
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            CType::Int(_) | CType::Float(_) | CType::Complex(_) | CType::Pointer(_) => true,
            CType::Array(element, len) => {
                !matches!(len, ArrayLen::Incomplete | ArrayLen::Star) && self.is_complete(element.ty)
            }
            CType::Record(id) => self.records[id.0 as usize].fields.is_some(),
            CType::Enum(id) => self.enums[id.0 as usize].underlying.is_some(),
            CType::Error => true,
            CType::Void | CType::Function(_) | CType::Unsupported(_) => false,
        }
    }

    /// The integer type behind an integer or enumerated type.
    pub fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match self.get(ty) {
            CType::Int(kind) => Some(*kind),
            CType::Enum(id) => self.enums[id.0 as usize].underlying,
            _ => None,
        }
    }

    /// The format of a real floating type.
    pub fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self.get(ty) {
            CType::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// The format of the parts of a complex type.
    pub fn complex_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self.get(ty) {
            CType::Complex(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Integer types, `_Bool` and complete enumerated types among them.
    pub fn is_integer(&self, ty: TypeId) -> bool {
        self.int_kind(ty).is_some()
    }

    /// Real floating types.
    pub fn is_float(&self, ty: TypeId) -> bool {
        self.float_kind(ty).is_some()
    }

    /// Complex types.
    pub fn is_complex(&self, ty: TypeId) -> bool {
        self.complex_kind(ty).is_some()
    }

    /// Integer and real floating types.
    pub fn is_real(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    /// Integer, floating and complex types.
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_real(ty) || self.is_complex(ty)
    }

    /// Pointers.
    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), CType::Pointer(_))
    }

    /// Arithmetic types and pointers.
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    /// Arrays.
    pub fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), CType::Array(..))
    }

    /// Functions.
    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), CType::Function(_))
    }

    /// Whether an integer or enumerated type is signed; false for others.
    pub fn is_signed(&self, ty: TypeId) -> bool {
        self.int_kind(ty).is_some_and(IntKind::is_signed)
    }

    /// The struct or union behind a type.
    pub fn record(&self, ty: TypeId) -> Option<RecordId> {
        match self.get(ty) {
            CType::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match self.get(ty) {
            CType::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// Whether it is `nullptr_t`.
    pub fn is_nullptr(&self, ty: TypeId) -> bool {
        let target = self.pointee(ty).map(|target| self.get(target.ty));
        target == Some(&CType::Unsupported(super::NULLPTR_TARGET))
    }

    /// The element type and the length of an array.
    pub fn element(&self, ty: TypeId) -> Option<(QualType, ArrayLen)> {
        match self.get(ty) {
            CType::Array(element, len) => Some((*element, *len)),
            _ => None,
        }
    }

    /// The function type itself.
    pub fn function(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.get(ty) {
            CType::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The innermost element of an array of arrays; the type itself for others. Qualifiers add up.
    pub fn innermost_element(&self, mut ty: QualType) -> QualType {
        while let CType::Array(element, _) = self.get(ty.ty) {
            ty = QualType { quals: ty.quals.union(element.quals), ..*element };
        }
        ty
    }

    /// An array whose size (or whose element's size) is known only when the program runs.
    pub fn is_vla(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            CType::Array(element, len) => {
                matches!(len, ArrayLen::Variable(_) | ArrayLen::Star) || self.is_vla(element.ty)
            }
            _ => false,
        }
    }

    /// A VLA, or a type derived from one (C11 6.7.6.3).
    pub fn is_variably_modified(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            CType::Array(element, len) => {
                matches!(len, ArrayLen::Variable(_) | ArrayLen::Star) || self.is_variably_modified(element.ty)
            }
            CType::Pointer(target) => self.is_variably_modified(target.ty),
            CType::Function(function) => self.is_variably_modified(function.result.ty),
            _ => false,
        }
    }

    /// The type of a pointer to `target`.
    pub fn pointer_to(&mut self, target: QualType) -> TypeId {
        self.intern(CType::Pointer(target))
    }

    /// The type of an array.
    pub fn array_of(&mut self, element: QualType, len: ArrayLen) -> TypeId {
        self.intern(CType::Array(element, len))
    }

    /// Whether two qualified types are compatible (C11 6.7.3p10: the qualifiers must be the same).
    pub fn compatible_qualified(&self, a: QualType, b: QualType) -> bool {
        // The qualifiers of an array are those of its elements.
        let (qa, qb) = (self.innermost_element(a).quals, self.innermost_element(b).quals);
        qa == qb && self.compatible_ignoring_outer(a.ty, b.ty)
    }

    /// Whether two unqualified types are compatible (C11 6.2.7).
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (CType::Error, _) | (_, CType::Error) => true,
            (CType::Pointer(x), CType::Pointer(y)) => self.compatible_qualified(*x, *y),
            (CType::Array(x, m), CType::Array(y, n)) => {
                lengths_compatible(*m, *n) && self.compatible_qualified(*x, *y)
            }
            (CType::Function(x), CType::Function(y)) => {
                let known = self.compatible_functions.borrow().contains(&(a, b));
                let compatible = known || self.functions_agree(x, y);
                if compatible && !known {
                    self.compatible_functions.borrow_mut().insert((a, b));
                }
                compatible
            }
            (CType::Enum(id), CType::Int(kind)) | (CType::Int(kind), CType::Enum(id)) => {
                self.enums[id.0 as usize].underlying == Some(*kind)
            }
            _ => false,
        }
    }

    /// As [`Self::compatible`], after the qualifiers of both (and of array elements) were found equal.
    fn compatible_ignoring_outer(&self, a: TypeId, b: TypeId) -> bool {
        match (self.get(a), self.get(b)) {
            (CType::Array(x, m), CType::Array(y, n)) => {
                lengths_compatible(*m, *n) && self.compatible_ignoring_outer(x.ty, y.ty)
            }
            _ => self.compatible(a, b),
        }
    }

    fn functions_agree(&self, x: &FunctionType, y: &FunctionType) -> bool {
        if !self.compatible(x.result.ty, y.result.ty) {
            return false;
        }
        match (x.unprototyped, y.unprototyped) {
            (true, true) => true,
            (true, false) => self.matches_unprototyped(y),
            (false, true) => self.matches_unprototyped(x),
            (false, false) => {
                x.variadic == y.variadic
                    && x.params.len() == y.params.len()
                    && x.params.iter().zip(&y.params).all(|(a, b)| self.compatible(a.ty, b.ty))
            }
        }
    }

    /// Whether a prototype agrees with a declaration without one: no `...`, and no parameter that the default
    /// argument promotions would change (C11 6.7.6.3p15).
    fn matches_unprototyped(&self, prototype: &FunctionType) -> bool {
        !prototype.variadic
            && prototype.params.iter().all(|param| match self.get(param.ty) {
                CType::Int(kind) => kind.rank() >= IntKind::Int.rank(),
                CType::Float(kind) => *kind != FloatKind::Float,
                CType::Enum(_)
                | CType::Void
                | CType::Complex(_)
                | CType::Pointer(_)
                | CType::Array(..)
                | CType::Function(_)
                | CType::Record(_)
                | CType::Unsupported(_)
                | CType::Error => true,
            })
    }

    /// The composite of two compatible types (C11 6.2.7p3): what both say together.
    pub fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        match (self.get(a).clone(), self.get(b).clone()) {
            (CType::Error, _) => b,
            (_, CType::Error) => a,
            (CType::Pointer(x), CType::Pointer(y)) => {
                let ty = self.composite(x.ty, y.ty);
                self.pointer_to(QualType { ty, ..x })
            }
            (CType::Array(x, m), CType::Array(y, n)) => {
                let ty = self.composite(x.ty, y.ty);
                let len = match (m, n) {
                    (ArrayLen::Known(_), _) => m,
                    (_, ArrayLen::Known(_)) => n,
                    (ArrayLen::Variable(_), _) => m,
                    (_, ArrayLen::Variable(_)) => n,
                    (ArrayLen::Star, _) => m,
                    (ArrayLen::Incomplete, _) => n,
                };
                self.array_of(QualType { ty, ..x }, len)
            }
            (CType::Function(x), CType::Function(y)) => {
                if let Some(&known) = self.composites.get(&(a, b)) {
                    return known;
                }
                let composite = self.composite_function(x, y);
                self.composites.insert((a, b), composite);
                composite
            }
            (CType::Enum(_), _) => a,
            (_, CType::Enum(_)) => b,
            _ => a,
        }
    }

    fn composite_function(&mut self, x: FunctionType, y: FunctionType) -> TypeId {
        let result = QualType { ty: self.composite(x.result.ty, y.result.ty), ..x.result };
        // Of an old-style definition and a declaration `f()`, the definition knows more.
        if y.unprototyped && (!x.unprototyped || y.params.is_empty()) {
            return self.intern(CType::Function(FunctionType { result, ..x }));
        }
        if x.unprototyped {
            return self.intern(CType::Function(FunctionType { result, ..y }));
        }
        let params = x.params.iter().zip(&y.params);
        let params = params.map(|(a, b)| QualType { ty: self.composite(a.ty, b.ty), ..*a }).collect();
        let (variadic, unprototyped) = (x.variadic, false);
        self.intern(CType::Function(FunctionType { result, params, variadic, unprototyped }))
    }

    /// `ty` with the lengths of its VLAs forgotten (`[*]`): what may be said of it outside of their scope.
    pub fn without_vla_lengths(&mut self, ty: TypeId) -> TypeId {
        if !self.is_variably_modified(ty) {
            return ty;
        }
        match self.get(ty).clone() {
            CType::Pointer(target) => {
                let inner = self.without_vla_lengths(target.ty);
                self.pointer_to(QualType { ty: inner, ..target })
            }
            CType::Array(element, len) => {
                let inner = self.without_vla_lengths(element.ty);
                let len = if matches!(len, ArrayLen::Variable(_)) { ArrayLen::Star } else { len };
                self.array_of(QualType { ty: inner, ..element }, len)
            }
            CType::Function(mut function) => {
                function.result.ty = self.without_vla_lengths(function.result.ty);
                self.intern(CType::Function(function))
            }
            _ => ty,
        }
    }

    /// The qualified type with `quals` added; on arrays they go to the elements (C11 6.7.3p9).
    pub fn qualified(&mut self, ty: QualType, quals: Qualifiers) -> QualType {
        if quals.is_none() {
            return ty;
        }
        if let CType::Array(element, len) = *self.get(ty.ty) {
            let element = self.qualified(element, quals);
            return QualType { ty: self.array_of(element, len), ..ty };
        }
        QualType { quals: ty.quals.union(quals), ..ty }
    }
}

fn lengths_compatible(m: ArrayLen, n: ArrayLen) -> bool {
    match (m, n) {
        (ArrayLen::Known(a), ArrayLen::Known(b)) => a == b,
        _ => true,
    }
}
