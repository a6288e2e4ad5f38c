//! Objects with static storage duration, string literals and declarations of functions.

use super::types::{Repr, repr};
use super::{ModuleLower, Pending};
use crate::ctype::{CType, TypeId};
use crate::diag::ids;
use crate::typed::{
    Expr, ExprKind, FloatConst, FuncId, Function, Init, InitEntry, Linkage, Storage, StrId, UnaryOp, VarId,
};
use accrue_ir as ir;
use accrue_ir::{DeclareKind, Operand, Relocation, Type};
use std::sync::Arc;

/// A constant address: an object and the distance in bytes from its start.
struct ConstantAddress {
    target: Option<Operand>,
    addend: i64,
}

impl ModuleLower<'_> {
    pub(super) fn is_root_var(&self, id: VarId) -> bool {
        match self.unit.vars[id.0 as usize].storage {
            Storage::Static { linkage, defined, tentative } => {
                linkage == Linkage::External && (defined || tentative)
            }
            Storage::Thread { linkage, defined } => linkage == Linkage::External && defined,
            Storage::Auto | Storage::Param(_) => false,
        }
    }

    pub(super) fn is_root_function(&self, id: FuncId) -> bool {
        let function = &self.unit.functions[id.0 as usize];
        let external = function.linkage == Linkage::External && !function.inline_only;
        let is_called = !self.only_reached || self.is_entry(function);
        let runs_by_itself = function.constructor.is_some() || function.destructor.is_some();
        function.body.is_some() && (external && is_called || runs_by_itself) || function.alias.is_some()
    }

    /// Whether only what `main` needs is to be emitted: it is here, and no other function is meant by a name
    /// in an attribute or clause.
    pub(super) fn is_whole_program(&self) -> bool {
        let functions = &self.unit.functions;
        let is_main = |function: &Function| function.body.as_ref().is_some_and(|body| body.is_main);
        let is_named = |function: &Function| {
            let bound = function.routine.as_ref().is_some_and(|routine| routine.bind.is_some());
            bound || function.alias.is_some()
        };
        functions.iter().any(is_main) && !functions.iter().any(is_named)
    }

    /// Whether the runtime calls a function: `main`, and the one that registers a profiling library. Others
    /// may stand for these by the name that a label gives them.
    fn is_entry(&self, function: &Function) -> bool {
        const ENTRIES: [&str; 2] = ["main", "acc_register_library"];
        function.asm_label.is_some() || ENTRIES.contains(&self.interner.text(function.name))
    }

    /// The global of an object; the first call declares it and asks for its definition.
    pub(super) fn global(&mut self, id: VarId) -> ir::Global {
        if let Some(global) = self.vars[id.0 as usize] {
            return global;
        }
        let var = &self.unit.vars[id.0 as usize];
        let (linkage, defined, thread_local) = match var.storage {
            Storage::Static { linkage, defined, tentative } => (linkage, defined || tentative, false),
            Storage::Thread { linkage, defined } => (linkage, defined, true),
            Storage::Auto | Storage::Param(_) => unreachable!("automatic objects are not globals"),
        };
        let name: Arc<str> = match (var.name, linkage) {
            (Some(name), _) => self.interner.shared(name),
            (None, _) => {
                self.anonymous += 1;
                format!(".L{}", self.anonymous).into()
            }
        };
        let types = &self.unit.types;
        let pos = self.pos(var.span);
        let global = self.module.globals.push(ir::GlobalData {
            name,
            link_name: var.asm_label.clone(),
            size: self.object_size(id),
            align: self.unit.align_of(var),
            init: ir::Init::Extern,
            linkage: match (linkage, var.weak) {
                (Linkage::Internal, _) => ir::Linkage::Internal,
                (Linkage::External, true) => ir::Linkage::Weak,
                (Linkage::External, false) => ir::Linkage::External,
            },
            thread_local,
            constant: {
                let quals = types.innermost_element(var.ty).quals;
                quals.const_ && !quals.volatile
            },
            restrict: self.unit.is_restrict(var),
            declare: var.declare.map(DeclareKind::Map),
            pos,
        });
        self.vars[id.0 as usize] = Some(global);
        if defined {
            self.pending.push(Pending::Global(id));
        }
        global
    }

    /// Bytes of an object, with what its initialiser adds to a flexible array member.
    fn object_size(&self, id: VarId) -> u64 {
        let var = &self.unit.vars[id.0 as usize];
        let types = &self.unit.types;
        let size = match types.get(var.ty.ty) {
            // An array that stayed incomplete: a tentative definition has one element (C11 6.9.2p5).
            CType::Array(element, crate::ctype::ArrayLen::Incomplete) => match var.storage {
                Storage::Static { tentative: true, .. } => types.bytes(element.ty),
                _ => 0,
            },
            _ if repr(types, var.ty.ty) == Repr::Void => 0,
            _ => types.bytes(var.ty.ty),
        };
        let initialised = var.init.as_ref().map_or(0, |init| {
            init.entries.iter().map(|entry| entry.offset + types.bytes(entry.ty)).max().unwrap_or(0)
        });
        size.max(initialised)
    }

    pub(super) fn define_global(&mut self, id: VarId) {
        let global = self.global(id);
        let var = &self.unit.vars[id.0 as usize];
        let init = match &var.init {
            None => ir::Init::Zero,
            Some(init) => self.static_init(init, self.module.globals[global].size),
        };
        self.module.globals[global].init = init;
    }

    fn static_init(&mut self, init: &Init, size: u64) -> ir::Init {
        let mut image = Image { bytes: vec![0; size as usize], relocations: Vec::new() };
        for entry in &init.entries {
            self.static_entry(entry, &mut image);
        }
        image.relocations.sort_by_key(|relocation| relocation.offset);
        ir::Init::of(&image.bytes, image.relocations)
    }

    fn static_entry(&mut self, entry: &InitEntry, image: &mut Image) {
        match &entry.value.kind {
            ExprKind::String(id) => {
                let bytes = &self.unit.strings[id.0 as usize].bytes;
                let size = self.unit.types.bytes(entry.ty) as usize;
                let count = bytes.len().min(size);
                image.put(entry.offset, &bytes[..count]);
                let zeros = vec![0; size - count];
                image.put(entry.offset + count as u64, &zeros);
            }
            // A constant compound literal or another constant object as a struct's value.
            ExprKind::Load(value) => match &value.kind {
                ExprKind::CompoundLiteral(_, Some(init)) => {
                    for inner in &init.entries {
                        let mut shifted = inner.clone();
                        shifted.offset += entry.offset;
                        self.static_entry(&shifted, image);
                    }
                }
                ExprKind::CompoundLiteral(_, None) => {}
                _ => self.not_constant(&entry.value),
            },
            _ => self.static_scalar(entry, image),
        }
    }

    fn static_scalar(&mut self, entry: &InitEntry, image: &mut Image) {
        let size = self.unit.types.bytes(entry.ty);
        if let Some((bit, width)) = entry.bits {
            match self.constant(&entry.value, entry.ty) {
                Some(Constant::Bytes(bytes)) => image.put_bits(entry.offset, bit, width, bytes),
                Some(Constant::Address(_)) | None => self.not_constant(&entry.value),
            }
            return;
        }
        match self.constant(&entry.value, entry.ty) {
            Some(Constant::Bytes(bytes)) => image.put(entry.offset, &bytes[..size.min(32) as usize]),
            Some(Constant::Address(ConstantAddress { target: Some(target), addend })) if size == 8 => {
                image.put(entry.offset, &[0; 8]);
                image.relocations.push(Relocation { offset: entry.offset, target, addend });
            }
            Some(Constant::Address(ConstantAddress { target: None, addend })) => {
                image.put(entry.offset, &addend.to_le_bytes()[..size.min(8) as usize]);
            }
            Some(Constant::Address(_)) | None => self.not_constant(&entry.value),
        }
    }

    fn not_constant(&mut self, value: &Expr) {
        self.limit(
            ids::CONSTANT_INITIALISER_UNSUPPORTED,
            value.span,
            "this constant initialiser is not supported by accrue",
        );
    }

    /// The bytes of a constant of type `ty`, or the address it is.
    fn constant(&mut self, value: &Expr, ty: TypeId) -> Option<Constant> {
        match &value.kind {
            ExprKind::Int(int) => Some(Constant::of_int(*int)),
            ExprKind::Float(float) => Some(Constant::Bytes(self.float_bytes(*float, ty))),
            ExprKind::Complex(re, im) => {
                let part = self.unit.types.bytes(ty) as usize / 2;
                let (Constant::Bytes(re), Constant::Bytes(im)) =
                    (self.constant(re, re.ty.ty)?, self.constant(im, im.ty.ty)?)
                else {
                    return None;
                };
                let mut bytes = [0; 32];
                bytes[..part].copy_from_slice(&re[..part]);
                bytes[part..2 * part].copy_from_slice(&im[..part]);
                Some(Constant::Bytes(bytes))
            }
            ExprKind::Cast(_, inner) => match self.constant(inner, inner.ty.ty)? {
                Constant::Bytes(bytes) if self.unit.types.bytes(inner.ty.ty) == self.unit.types.bytes(ty) => {
                    Some(Constant::Bytes(bytes))
                }
                Constant::Bytes(_) => None,
                address => Some(address),
            },
            ExprKind::Unary(UnaryOp::Neg, inner) => match &inner.kind {
                ExprKind::Int(int) => Some(Constant::of_int(int.wrapping_neg())),
                _ => None,
            },
            _ => self.constant_pointer(value).map(Constant::Address),
        }
    }

    fn float_bytes(&self, float: FloatConst, ty: TypeId) -> [u8; 32] {
        let mut bytes = [0; 32];
        match (float, repr(&self.unit.types, ty)) {
            (FloatConst::Double(value), Repr::Scalar(Type::F32)) => {
                bytes[..4].copy_from_slice(&(value as f32).to_le_bytes());
            }
            (FloatConst::Double(value), Repr::Scalar(Type::F80)) => {
                bytes[..10].copy_from_slice(&super::convert::extended_from_f64(value));
            }
            (FloatConst::Double(value), _) => bytes[..8].copy_from_slice(&value.to_le_bytes()),
            (FloatConst::Extended(image), _) => bytes[..10].copy_from_slice(&image),
        }
        bytes
    }

    /// The value of a pointer expression that is an address constant.
    fn constant_pointer(&mut self, value: &Expr) -> Option<ConstantAddress> {
        match &value.kind {
            ExprKind::Int(int) => Some(ConstantAddress { target: None, addend: *int as i64 }),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.constant_place(place),
            ExprKind::LabelAddr(label) => {
                Some(ConstantAddress { target: None, addend: super::function::label_address(*label) })
            }
            ExprKind::Cast(_, inner) => self.constant_pointer(inner),
            ExprKind::PtrAdd { pointer, index, subtract } => {
                let base = self.constant_pointer(pointer)?;
                let index = constant_int(index)?;
                let size = self.pointee_size(pointer.ty.ty)?;
                let distance = index.wrapping_mul(size as i64);
                let addend = if *subtract { base.addend - distance } else { base.addend + distance };
                Some(ConstantAddress { addend, ..base })
            }
            _ => None,
        }
    }

    /// The address of an lvalue (or function designator) that is an address constant.
    fn constant_place(&mut self, place: &Expr) -> Option<ConstantAddress> {
        let whole = |target| Some(ConstantAddress { target: Some(target), addend: 0 });
        match &place.kind {
            ExprKind::Var(id) => match self.unit.vars[id.0 as usize].storage {
                Storage::Static { .. } => whole(Operand::Global(self.global(*id))),
                Storage::Thread { .. } | Storage::Auto | Storage::Param(_) => None,
            },
            ExprKind::CompoundLiteral(id, _) => whole(Operand::Global(self.global(*id))),
            ExprKind::Func(id) => whole(Operand::Func(self.function(*id))),
            ExprKind::String(id) => whole(Operand::Global(self.string(*id))),
            ExprKind::Deref(pointer) => self.constant_pointer(pointer),
            ExprKind::Member(base, record, field) => {
                let base = self.constant_place(base)?;
                let fields = self.unit.types.records[record.0 as usize].fields.as_ref()?;
                let offset = fields[*field as usize].offset as i64;
                Some(ConstantAddress { addend: base.addend + offset, ..base })
            }
            _ => None,
        }
    }

    /// Size of what a pointer type points to; 1 for `void` and functions.
    pub(super) fn pointee_size(&self, ty: TypeId) -> Option<u64> {
        let CType::Pointer(pointee) = self.unit.types.get(ty) else { return None };
        Some(match repr(&self.unit.types, pointee.ty) {
            Repr::Void => 1,
            Repr::Scalar(_) | Repr::Memory => self.unit.types.bytes(pointee.ty),
        })
    }

    /// The object of a string literal; literals with the same contents share one.
    pub(super) fn define_string(&mut self, id: StrId) -> ir::Global {
        let literal = &self.unit.strings[id.0 as usize];
        let align = self.unit.types.align(literal.ty) as u32;
        let key = (literal.bytes.clone(), align);
        if let Some(&global) = self.strings.get(&key) {
            return global;
        }
        let size = literal.bytes.len() as u64;
        let global = self.module.globals.push(ir::GlobalData {
            name: format!(".str{}", self.strings.len()).into(),
            link_name: None,
            size,
            align,
            init: ir::Init::of(&literal.bytes, Vec::new()),
            linkage: ir::Linkage::Internal,
            thread_local: false,
            constant: true,
            restrict: false,
            declare: None,
            pos: ir::Pos::none(),
        });
        self.strings.insert(key, global);
        global
    }

    /// The IR function; the first call declares it and asks for its definition.
    pub(super) fn function(&mut self, id: FuncId) -> ir::Func {
        if let Some(func) = self.functions[id.0 as usize] {
            return func;
        }
        let function = &self.unit.functions[id.0 as usize];
        let sig = self.signature(function.ty);
        let pos = self.pos(function.span);
        let func = self.module.functions.push(ir::Function {
            name: self.interner.shared(function.name),
            link_name: function.asm_label.clone(),
            sig,
            linkage: match (function.linkage, function.weak) {
                (Linkage::Internal, _) => ir::Linkage::Internal,
                (Linkage::External, true) => ir::Linkage::Weak,
                (Linkage::External, false) if function.inline_only && function.body.is_some() => {
                    ir::Linkage::Inline
                }
                (Linkage::External, false) => ir::Linkage::External,
            },
            kind: ir::FunctionKind::Normal,
            routine: function.routine.clone(),
            noreturn: function.noreturn,
            inline_hint: function.inline_hint,
            noinline: function.noinline,
            returns_twice: function.returns_twice,
            alias: function.alias.clone(),
            body: None,
            pos,
        });
        self.functions[id.0 as usize] = Some(func);
        // The unit that defines a function runs it.
        if function.body.is_some() || function.alias.is_some() {
            self.module.constructors.extend(function.constructor.map(|priority| (priority, func)));
            self.module.destructors.extend(function.destructor.map(|priority| (priority, func)));
        }
        if function.body.is_some() && function.alias.is_none() {
            self.pending.push(Pending::Function(id));
        }
        func
    }
}

/// The value of an integer constant, conversions looked through.
pub(super) fn constant_int(value: &Expr) -> Option<i64> {
    match &value.kind {
        ExprKind::Int(int) => i64::try_from(*int).ok(),
        _ => None,
    }
}

enum Constant {
    /// Little endian; the type's size says how many count.
    Bytes([u8; 32]),
    Address(ConstantAddress),
}

impl Constant {
    fn of_int(value: i128) -> Constant {
        let mut bytes = [if value < 0 { 0xff } else { 0 }; 32];
        bytes[..16].copy_from_slice(&value.to_le_bytes());
        Constant::Bytes(bytes)
    }
}

/// The bytes of an object being initialised.
struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Image {
    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let start = offset as usize;
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        let end = offset + bytes.len() as u64;
        self.relocations.retain(|relocation| relocation.offset + 8 <= offset || end <= relocation.offset);
    }

    fn put_bits(&mut self, offset: u64, bit: u32, width: u32, value: [u8; 32]) {
        for index in 0..width {
            let set = value[index as usize / 8] >> (index % 8) & 1;
            let position = bit + index;
            let byte = &mut self.bytes[offset as usize + position as usize / 8];
            *byte = *byte & !(1 << (position % 8)) | set << (position % 8);
        }
    }
}
