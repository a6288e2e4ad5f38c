//! Structs, unions and enumerations: their members and their layout, as GCC lays them out on x86-64.

use super::attributes::Attributes;
use super::types::VlaMode;
use super::{Entity, Sema, ids};
use crate::ast::{self, Ident};
use crate::ctype::{ArrayLen, CType, Enum, EnumId, Field, IntKind, QualType, Record, RecordId, TypeId};
use crate::diag::Diagnostic;
use crate::intern::Symbol;
use crate::options::Standard;
use crate::source::Span;
use crate::typed::Expr;
use rustc_hash::FxHashMap;

/// What the layout needs to know of a member.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Bytes of its type; 0 for a flexible array.
    size: u64,
    /// Alignment of its type, or of the typedef it is declared with, in bytes.
    align: u64,
    /// Bits, for a bit-field.
    width: Option<u32>,
    named: bool,
    /// `aligned`, `_Alignas`.
    aligned: Option<u64>,
    packed: bool,
    /// `#pragma pack` where it is declared.
    pack: Option<u64>,
}

impl Slot {
    /// At most the alignment of `#pragma pack`.
    fn capped(&self, align: u64) -> u64 {
        self.pack.map_or(align, |pack| align.min(pack))
    }

    /// The alignment of a member that is no bit-field, in bytes.
    fn alignment(&self) -> u64 {
        let natural = if self.packed { 1 } else { self.align };
        self.capped(natural.max(self.aligned.unwrap_or(1)))
    }
}

/// Where members are.
struct Layout {
    /// In bits.
    positions: Vec<u64>,
    /// Bytes.
    size: u64,
    align: u64,
}

fn round_up(value: u64, to: u64) -> Option<u64> {
    value.checked_next_multiple_of(to)
}

/// Lays out members; none if the type gets too large.
fn layout(slots: &[Slot], is_union: bool, aligned: Option<u64>) -> Option<Layout> {
    let (mut position, mut end, mut record_align) = (0u64, 0u64, 1u64);
    let mut positions = Vec::with_capacity(slots.len());
    for slot in slots {
        let start = if is_union { 0 } else { position };
        let (at, bits) = match slot.width {
            None => {
                let align = slot.alignment();
                record_align = record_align.max(align);
                (round_up(start, align * 8)?, slot.size.checked_mul(8)?)
            }
            // A zero width moves what follows to the next unit, packed or not.
            Some(0) => (round_up(start, slot.align * 8)?, 0),
            Some(width) => {
                let mut at = start;
                if let Some(aligned) = slot.aligned {
                    at = round_up(at, slot.capped(aligned) * 8)?;
                    record_align = record_align.max(slot.capped(aligned));
                }
                // A bit-field does not span more units of its alignment than its type does.
                let unit = slot.align * 8;
                let crosses = (at % unit + u64::from(width)).div_ceil(unit) > slot.size * 8 / unit;
                if !slot.packed && slot.pack.is_none() && crosses {
                    at = round_up(at, unit)?;
                }
                if slot.named {
                    let natural =
                        if slot.packed && slot.pack.is_none() { 1 } else { slot.capped(slot.align) };
                    record_align = record_align.max(natural);
                    // What happens to be all of an integer is aligned as one, whatever its typedef asks.
                    let whole = matches!(width, 8 | 16 | 32 | 64) && start.is_multiple_of(u64::from(width));
                    if whole && !slot.packed {
                        record_align = record_align.max(slot.capped(u64::from(width / 8)));
                    }
                }
                (at, u64::from(width))
            }
        };
        positions.push(at);
        position = at.checked_add(bits)?;
        end = end.max(position);
    }
    let align = record_align.max(aligned.unwrap_or(1));
    let size = round_up(end.div_ceil(8), align)?;
    (size <= i64::MAX as u64 / 8).then_some(Layout { positions, size, align })
}

/// Members while a definition is read.
#[derive(Default)]
struct Members {
    fields: Vec<Field>,
    slots: Vec<Slot>,
    names: FxHashMap<Symbol, Span>,
    flexible: bool,
}

impl Sema<'_> {
    /// A field of a complete record.
    pub(crate) fn field(&self, record: RecordId, index: u32) -> &Field {
        // Records are looked into only after they were found complete, and indices come from their own list.
        &self.types.records[record.0 as usize].fields.as_deref().unwrap_or(&[])[index as usize]
    }

    /// A struct or union, or an array of them, with a `const` member at any depth: not assignable.
    pub(super) fn has_const_member(&self, ty: TypeId) -> bool {
        let element = self.types.innermost_element(QualType::plain(ty));
        self.types.record(element.ty).is_some_and(|id| self.const_records.contains(&id))
    }

    /// The way to a named member: positions in nested anonymous members.
    pub(crate) fn find_field(&self, record: RecordId, name: Symbol) -> Option<Vec<(RecordId, u32)>> {
        let fields = self.types.records[record.0 as usize].fields.as_deref()?;
        for (index, field) in fields.iter().enumerate() {
            let here = (record, index as u32);
            if field.name == Some(name) {
                return Some(vec![here]);
            }
            if field.name.is_none() && field.bits.is_none() {
                let inner = self.types.record(field.ty.ty).and_then(|inner| self.find_field(inner, name));
                if let Some(mut path) = inner {
                    path.insert(0, here);
                    return Some(path);
                }
            }
        }
        None
    }

    /// `struct s`, `union u { ... }`.
    pub(super) fn record_specifier(&mut self, spec: &ast::RecordSpec, standalone: bool) -> TypeId {
        let mut attributes = Attributes::default();
        let Some(members) = &spec.members else {
            let Some(tag) = spec.tag else { return TypeId::ERROR };
            let known = if standalone { self.tags.get_here(tag.sym) } else { self.tags.get(tag.sym) };
            let Some(known) = known.map(|known| (known.entity, known.span)) else {
                let ty = self.new_record(spec, Some(tag));
                self.warn_of_prototype(spec, ty);
                return ty;
            };
            return self.check_tag_kind(spec, tag, known).unwrap_or(TypeId::ERROR);
        };
        let existing = spec
            .tag
            .and_then(|tag| self.tags.get_here(tag.sym).map(|known| (tag, (known.entity, known.span))));
        // In C23 what says the same in a scope around defines the same type.
        let outer = spec.tag.filter(|_| existing.is_none() && self.session.options.standard >= Standard::C23);
        let outer = outer.and_then(|tag| Some((tag, self.tags.get(tag.sym)?.entity)));
        let mut before = None;
        let ty = match existing {
            None => self.new_record(spec, spec.tag),
            Some((tag, known)) => match self.check_tag_kind(spec, tag, known) {
                None => self.new_record(spec, None),
                Some(ty) if self.types.is_complete(ty) => {
                    before = Some((tag, ty, known.1));
                    self.new_record(spec, None)
                }
                Some(ty) => ty,
            },
        };
        self.read_attributes(&spec.attributes, &mut attributes);
        if let Some(id) = self.types.record(ty) {
            self.define_record(id, spec.is_union, members, &attributes, spec.span);
        }
        match before {
            Some((tag, known, span)) if !self.is_same_record(known, ty) => {
                self.redefined(tag, known, span);
                ty
            }
            Some((_, known, _)) => known,
            None => match outer {
                Some((tag, known)) if self.is_same_record(known, ty) => {
                    self.tags.bind(tag.sym, known, tag.span);
                    known
                }
                _ => {
                    if existing.is_none() {
                        self.warn_of_prototype(spec, ty);
                    }
                    ty
                }
            },
        }
    }

    /// Warns of a type that nothing behind the parameters can name.
    fn warn_of_prototype(&mut self, spec: &ast::RecordSpec, ty: TypeId) {
        let Some(tag) = spec.tag.filter(|_| self.prototype_depth > 0) else { return };
        let text = self.type_text(QualType::plain(ty));
        let message = format!("'{text}' declared inside parameter list will not be visible outside of it");
        self.warn(ids::TAG_IN_PROTOTYPE, tag.span, message);
    }

    /// Whether two definitions say the same of a structure or union: in C23 they define one type.
    fn is_same_record(&self, known: TypeId, again: TypeId) -> bool {
        self.session.options.standard >= Standard::C23 && self.same_members(known, again, (known, again))
    }

    /// Whether structures or unions have the same members, where `pair` are two names of one type.
    fn same_members(&self, a: TypeId, b: TypeId, pair: (TypeId, TypeId)) -> bool {
        let (Some(a), Some(b)) = (self.types.record(a), self.types.record(b)) else { return false };
        let [a, b] = [a, b].map(|id| &self.types.records[id.0 as usize]);
        let (Some(first), Some(second)) = (&a.fields, &b.fields) else { return false };
        (a.is_union, a.tag, a.size, a.align, a.flexible) == (b.is_union, b.tag, b.size, b.align, b.flexible)
            && first.len() == second.len()
            && first.iter().zip(second).all(|(a, b)| {
                (a.name, a.offset, a.bits) == (b.name, b.offset, b.bits) && self.same_type(a.ty, b.ty, pair)
            })
    }

    fn same_type(&self, a: QualType, b: QualType, pair: (TypeId, TypeId)) -> bool {
        if a.quals != b.quals {
            return false;
        }
        if self.types.compatible(a.ty, b.ty) || (a.ty, b.ty) == pair {
            return true;
        }
        match (self.types.get(a.ty), self.types.get(b.ty)) {
            (&CType::Pointer(a), &CType::Pointer(b)) => self.same_type(a, b, pair),
            (&CType::Array(a, m), &CType::Array(b, n)) => m == n && self.same_type(a, b, pair),
            (CType::Record(_), CType::Record(_)) => self.same_members(a.ty, b.ty, pair),
            (CType::Enum(_), CType::Enum(_)) => self.is_same_enum(a.ty, b.ty),
            (CType::Function(a), CType::Function(b)) => {
                (a.variadic, a.unprototyped, a.params.len()) == (b.variadic, b.unprototyped, b.params.len())
                    && self.same_type(a.result, b.result, pair)
                    && a.params.iter().zip(&b.params).all(|(&a, &b)| self.same_type(a, b, pair))
            }
            _ => false,
        }
    }

    fn check_tag_kind(
        &mut self,
        spec: &ast::RecordSpec,
        tag: Ident,
        known: (TypeId, Span),
    ) -> Option<TypeId> {
        let same = match self.types.record(known.0) {
            Some(id) => self.types.records[id.0 as usize].is_union == spec.is_union,
            None => false,
        };
        if same {
            return Some(known.0);
        }
        let message = format!("'{}' defined as wrong kind of tag", self.text(tag.sym));
        self.emit(
            Diagnostic::error(ids::TAG_KIND, tag.span, message)
                .related(known.1, "previous declaration is here"),
        );
        None
    }

    fn new_record(&mut self, spec: &ast::RecordSpec, tag: Option<Ident>) -> TypeId {
        let id = RecordId(self.types.records.len() as u32);
        let span = spec.tag.map_or(spec.span, |tag| tag.span);
        self.types.records.push(Record {
            is_union: spec.is_union,
            tag: spec.tag.map(|tag| tag.sym),
            fields: None,
            size: 0,
            align: 1,
            flexible: false,
            span,
        });
        let ty = self.types.intern(CType::Record(id));
        if let Some(tag) = tag {
            self.tags.bind(tag.sym, ty, span);
        }
        ty
    }

    fn define_record(
        &mut self,
        id: RecordId,
        is_union: bool,
        list: &[ast::Member],
        attributes: &Attributes,
        span: Span,
    ) {
        let mut members = Members::default();
        for member in list {
            match member {
                ast::Member::Field { specs, declarators, span } => {
                    self.read_member(&mut members, specs, declarators, is_union, *span);
                }
                ast::Member::StaticAssert(assertion) => self.static_assert(assertion),
                ast::Member::Pragma(pragma) => self.pragma(pragma),
            }
        }
        if attributes.packed {
            members.slots.iter_mut().for_each(|slot| slot.packed = true);
        }
        if attributes.transparent_union && is_union {
            self.transparent_unions.insert(id);
        }
        let layout = layout(&members.slots, is_union, attributes.aligned).unwrap_or_else(|| {
            self.error(ids::ARRAY_SIZE, span, "size of type is too large");
            Layout { positions: vec![0; members.slots.len()], size: 0, align: 1 }
        });
        for ((field, slot), &position) in members.fields.iter_mut().zip(&members.slots).zip(&layout.positions)
        {
            place(field, slot, position, layout.size);
        }
        let is_constant = |field: &Field| {
            let element = self.types.innermost_element(field.ty);
            element.quals.const_ || self.has_const_member(element.ty)
        };
        if members.fields.iter().any(is_constant) {
            self.const_records.insert(id);
        }
        let record = &mut self.types.records[id.0 as usize];
        record.fields = Some(members.fields);
        record.size = layout.size;
        record.align = layout.align;
        record.flexible = members.flexible;
    }

    fn read_member(
        &mut self,
        members: &mut Members,
        specs: &ast::DeclSpecs,
        declarators: &[ast::FieldDeclarator],
        is_union: bool,
        span: Span,
    ) {
        let (base, alignas) = self.specifiers(specs, false, "member declaration");
        let mut shared = Attributes { aligned: alignas, ..Attributes::default() };
        self.read_attributes(&specs.attributes, &mut shared);
        if declarators.is_empty() {
            self.anonymous_member(members, specs, base, &shared, span);
            return;
        }
        for field in declarators {
            let mut attributes = shared.clone();
            self.read_attributes(&field.attributes, &mut attributes);
            let name = field.declarator.name;
            let span = name.map_or(field.declarator.span, |name| name.span);
            let ty = self.declarator_type(base, &field.declarator, VlaMode::Forbidden);
            let ty = self.type_with_attributes(ty, &attributes);
            let width = field.width.as_ref().map(|width| self.bit_field_declared(ty, width, name, span));
            let Some(ty) = self.check_member_type(members, ty, name, is_union, span) else { continue };
            let width = match width {
                Some(None) => continue,
                Some(width) => width,
                None => None,
            };
            if let Some(name) = name {
                self.add_member_name(members, name.sym, span);
            }
            self.add_member(members, name.map(|name| name.sym), ty, width, &attributes, span);
        }
    }

    fn add_member(
        &mut self,
        members: &mut Members,
        name: Option<Symbol>,
        ty: QualType,
        width: Option<u32>,
        attributes: &Attributes,
        span: Span,
    ) {
        let size = self.types.size(ty.ty).unwrap_or(0);
        members.slots.push(Slot {
            size,
            align: self.types.align_of(ty),
            width,
            named: name.is_some(),
            aligned: attributes.aligned,
            packed: attributes.packed,
            pack: self.pack.last().copied().flatten().map(u64::from),
        });
        members.fields.push(Field {
            name,
            ty,
            offset: 0,
            align: 1,
            bits: width.map(|width| (0, width)),
            span,
        });
    }

    fn add_member_name(&mut self, members: &mut Members, name: Symbol, span: Span) {
        if let Some(&previous) = members.names.get(&name) {
            let message = format!("duplicate member '{}'", self.text(name));
            self.emit(
                Diagnostic::error(ids::DUPLICATE_MEMBER, span, message)
                    .related(previous, "previous declaration is here"),
            );
        }
        members.names.insert(name, span);
    }

    fn anonymous_member(
        &mut self,
        members: &mut Members,
        specs: &ast::DeclSpecs,
        base: QualType,
        attributes: &Attributes,
        span: Span,
    ) {
        let anonymous =
            matches!(&specs.ty, ast::TypeSpec::Record(spec) if spec.tag.is_none() && spec.members.is_some());
        let Some(record) = self.types.record(base.ty).filter(|_| anonymous) else {
            if base.ty != TypeId::ERROR {
                self.warn(ids::EMPTY_DECLARATION, span, "declaration does not declare anything");
            }
            return;
        };
        for name in self.member_names(record) {
            self.add_member_name(members, name, span);
        }
        self.add_member(members, None, base, None, attributes, span);
    }

    fn member_names(&self, record: RecordId) -> Vec<Symbol> {
        let mut names = Vec::new();
        for field in self.types.records[record.0 as usize].fields.iter().flatten() {
            match (field.name, self.types.record(field.ty.ty)) {
                (Some(name), _) => names.push(name),
                (None, Some(inner)) => names.extend(self.member_names(inner)),
                (None, None) => {}
            }
        }
        names
    }

    /// The type a member has, if it can have it.
    fn check_member_type(
        &mut self,
        members: &mut Members,
        ty: QualType,
        name: Option<Ident>,
        is_union: bool,
        span: Span,
    ) -> Option<QualType> {
        if std::mem::take(&mut members.flexible) {
            self.error(ids::FLEXIBLE_ARRAY, span, "flexible array member not at end of struct");
        }
        let text = name.map_or_else(|| "<unnamed>".to_owned(), |name| self.text(name.sym));
        match *self.types.get(ty.ty) {
            CType::Error => None,
            CType::Function(_) => {
                self.error(ids::INVALID_MEMBER, span, format!("field '{text}' declared as a function"));
                None
            }
            CType::Array(element, ArrayLen::Incomplete)
                if !is_union && self.types.is_complete(element.ty) =>
            {
                if members.fields.is_empty() {
                    self.error(
                        ids::FLEXIBLE_ARRAY,
                        span,
                        "flexible array member in a struct with no named members",
                    );
                }
                members.flexible = true;
                Some(ty)
            }
            CType::Unsupported(_) => Some(ty),
            _ if !self.types.is_complete(ty.ty) => {
                let message = format!("field '{text}' has incomplete type '{}'", self.type_text(ty));
                self.error(ids::INCOMPLETE_TYPE, span, message);
                None
            }
            _ => Some(ty),
        }
    }

    /// The width of a bit-field; none if it cannot be one.
    fn bit_field_declared(
        &mut self,
        ty: QualType,
        width: &ast::Expr,
        name: Option<Ident>,
        span: Span,
    ) -> Option<u32> {
        let text = name.map_or_else(|| "<anonymous>".to_owned(), |name| self.text(name.sym));
        let value = self.rvalue(width);
        if self.is_error(&value) || ty.ty == TypeId::ERROR {
            return None;
        }
        let Some(kind) = self.types.int_kind(ty.ty) else {
            self.error(ids::INVALID_BIT_FIELD, span, format!("bit-field '{text}' has invalid type"));
            return None;
        };
        if kind.size() > 8 {
            self.error(ids::TYPE_UNSUPPORTED, span, "bit-fields of '__int128' are not supported");
            return None;
        }
        // GCC's rule for them differs with the width, and Clang's is another one.
        if self.types.align_of(ty) > kind.size() {
            let message = "bit-fields of a typedef that is aligned to more than its size are not supported";
            self.error(ids::TYPE_UNSUPPORTED, span, message);
            return None;
        }
        let message = match self.const_int(&value) {
            None => format!("bit-field '{text}' width not an integer constant"),
            Some(width) if width < 0 => format!("negative width in bit-field '{text}'"),
            Some(0) if name.is_some() => format!("zero width for bit-field '{text}'"),
            Some(width) if width > i128::from(kind.bits()) => format!("width of '{text}' exceeds its type"),
            Some(width) => return Some(width as u32),
        };
        self.error(ids::INVALID_BIT_FIELD, span, message);
        None
    }

    /// `enum e`, `enum e { A, B }`.
    pub(super) fn enum_specifier(&mut self, spec: &ast::EnumSpec, standalone: bool) -> TypeId {
        let known = spec.tag.and_then(|tag| {
            let known = if standalone || spec.constants.is_some() {
                self.tags.get_here(tag.sym)
            } else {
                self.tags.get(tag.sym)
            };
            known.map(|known| (tag, known.entity, known.span))
        });
        let mut before = None;
        let ty = match known {
            Some((tag, ty, span)) if !matches!(self.types.get(ty), CType::Enum(_)) => {
                let message = format!("'{}' defined as wrong kind of tag", self.text(tag.sym));
                self.emit(
                    Diagnostic::error(ids::TAG_KIND, tag.span, message)
                        .related(span, "previous declaration is here"),
                );
                self.new_enum(spec, false)
            }
            Some((tag, ty, span)) if spec.constants.is_some() && self.is_defined_enum(ty) => {
                before = Some((tag, ty, span));
                self.new_enum(spec, false)
            }
            Some((_, ty, _)) => ty,
            None => self.new_enum(spec, true),
        };
        let underlying = self.enum_type_specifier(spec, ty);
        if let (Some(constants), CType::Enum(id)) = (&spec.constants, self.types.get(ty).clone()) {
            let mut attributes = Attributes::default();
            self.read_attributes(&spec.attributes, &mut attributes);
            match underlying {
                Some(kind) => self.define_fixed_enum(id, (ty, kind), constants),
                None => self.define_enum(id, ty, constants, &attributes),
            }
        }
        match before {
            Some((tag, known, span)) if !self.is_same_enum(known, ty) => {
                self.redefined(tag, known, span);
                ty
            }
            Some((_, known, _)) => known,
            None => ty,
        }
    }

    /// Whether two definitions say the same of an enumeration, which C23 allows. That the constants have the
    /// values they had is known from their declarations.
    fn is_same_enum(&self, known: TypeId, again: TypeId) -> bool {
        let (CType::Enum(a), CType::Enum(b)) = (self.types.get(known), self.types.get(again)) else {
            return false;
        };
        let underlying = |id: &EnumId| self.types.enums[id.0 as usize].underlying;
        self.session.options.standard >= Standard::C23
            && underlying(a) == underlying(b)
            && self.fixed_enums.contains(a) == self.fixed_enums.contains(b)
            && self.enum_constants.get(a) == self.enum_constants.get(b)
    }

    fn redefined(&mut self, tag: Ident, ty: TypeId, first: Span) {
        let message = format!("redefinition of '{}'", self.type_text(QualType::plain(ty)));
        let diagnostic = Diagnostic::error(ids::REDEFINITION, tag.span, message);
        self.emit(diagnostic.related(first, "originally defined here"));
    }

    /// The type behind the `:` of an enumeration, which is complete from there on.
    fn enum_type_specifier(&mut self, spec: &ast::EnumSpec, ty: TypeId) -> Option<IntKind> {
        let CType::Enum(id) = *self.types.get(ty) else { return None };
        let known = self.types.enums[id.0 as usize].underlying.filter(|_| self.fixed_enums.contains(&id));
        let Some(name) = &spec.underlying else { return known };
        let wanted = self.type_name(name, VlaMode::Forbidden);
        let Some(kind) = self.types.int_kind(wanted.ty) else {
            if wanted.ty != TypeId::ERROR {
                let message = format!("invalid underlying type '{}'", self.type_text(wanted));
                self.error(ids::INVALID_DECLARATOR, name.specs.span, message);
            }
            return known;
        };
        let other =
            self.types.enums[id.0 as usize].underlying.filter(|other| *other != kind || known.is_none());
        if let Some(other) = other {
            let (had, has) = (self.type_text(QualType::plain(other.type_id())), self.type_text(wanted));
            let message = format!("underlying type '{has}' of an enumeration that has '{had}'");
            self.error(ids::CONFLICTING_TYPES, name.specs.span, message);
            return Some(other);
        }
        self.types.enums[id.0 as usize].underlying = Some(kind);
        self.fixed_enums.insert(id);
        Some(kind)
    }

    /// The constants of an enumeration whose underlying type the program says have its type.
    fn define_fixed_enum(
        &mut self,
        id: EnumId,
        (ty, kind): (TypeId, IntKind),
        constants: &[(Ident, Option<ast::Expr>)],
    ) {
        let mut next = 0;
        for (name, value) in constants {
            if let Some(value) = value {
                let expr = self.rvalue(value);
                next = self.enumerator_value(*name, &expr).unwrap_or(next);
            }
            if !kind.holds(next) {
                let message = format!(
                    "enumerator value '{next}' outside the range of the underlying type '{}'",
                    self.type_text(QualType::plain(kind.type_id()))
                );
                self.error(ids::OVERFLOW_ERROR, name.span, message);
                next = 0;
            }
            self.declare_constant(*name, next, ty);
            next += 1;
        }
        self.enum_constants.insert(id, constants.len());
    }

    /// The value that a program gives an enumerator.
    fn enumerator_value(&mut self, name: Ident, value: &Expr) -> Option<i128> {
        let known = self.const_int(value);
        if known.is_none() && !self.is_error(value) {
            let message =
                format!("enumerator value for '{}' is not an integer constant", self.text(name.sym));
            self.error(ids::NOT_CONSTANT, value.span, message);
        }
        known
    }

    /// Whether the constants of an enumeration are known: one with an underlying type is complete before.
    fn is_defined_enum(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            CType::Enum(id) if self.fixed_enums.contains(id) => self.enum_constants.contains_key(id),
            _ => self.types.is_complete(ty),
        }
    }

    fn new_enum(&mut self, spec: &ast::EnumSpec, bind: bool) -> TypeId {
        let id = EnumId(self.types.enums.len() as u32);
        let span = spec.tag.map_or(spec.span, |tag| tag.span);
        self.types.enums.push(Enum { tag: spec.tag.map(|tag| tag.sym), underlying: None, span });
        let ty = self.types.intern(CType::Enum(id));
        if let Some(tag) = spec.tag.filter(|_| bind) {
            self.tags.bind(tag.sym, ty, span);
        }
        ty
    }

    fn define_enum(
        &mut self,
        id: EnumId,
        ty: TypeId,
        constants: &[(Ident, Option<ast::Expr>)],
        attributes: &Attributes,
    ) {
        let (mut next, mut least, mut most) = (0i128, 0i128, 0i128);
        let mut values = Vec::with_capacity(constants.len());
        for (name, value) in constants {
            if let Some(value) = value {
                let expr = self.rvalue(value);
                next = self.enumerator_value(*name, &expr).unwrap_or(next);
            }
            if !IntKind::Long.holds(next) && !IntKind::ULong.holds(next) {
                self.error(
                    ids::OVERFLOW_ERROR,
                    name.span,
                    "enumerator value outside the range of the largest integer type",
                );
                next = 0;
            }
            (least, most) = (least.min(next), most.max(next));
            values.push((*name, next));
            // Constants are usable by those that follow; their final type is known at the end.
            let kind = if IntKind::Int.holds(next) {
                IntKind::Int
            } else if IntKind::Long.holds(next) {
                IntKind::Long
            } else {
                IntKind::ULong
            };
            self.declare_constant(*name, next, kind.type_id());
            next += 1;
        }
        self.enum_constants.insert(id, constants.len());
        let underlying = enum_type(least, most, attributes.packed);
        self.types.enums[id.0 as usize].underlying = Some(underlying);
        if !IntKind::Int.holds(least) || !IntKind::Int.holds(most) {
            for (name, value) in values {
                let constant_type = if IntKind::Int.holds(value) { TypeId::INT } else { ty };
                if let Some(binding) = self.idents.get_mut(name.sym)
                    && matches!(binding.entity, Entity::Constant(..))
                {
                    binding.entity = Entity::Constant(value, constant_type);
                }
            }
        }
    }

    fn declare_constant(&mut self, name: Ident, value: i128, ty: TypeId) {
        if let Some(previous) =
            self.idents.get_here(name.sym).map(|previous| (previous.entity, previous.span))
        {
            // C23 allows a definition to be repeated.
            let is_known = |entity| matches!(entity, Entity::Constant(known, _) if known == value);
            if self.session.options.standard >= Standard::C23 && is_known(previous.0) {
                return;
            }
            if previous.0 != Entity::Error {
                let text = self.text(name.sym);
                let what = if matches!(previous.0, Entity::Constant(..)) {
                    "redeclaration of enumerator"
                } else {
                    "redeclaration of"
                };
                let diagnostic = Diagnostic::error(ids::REDEFINITION, name.span, format!("{what} '{text}'"));
                self.emit(diagnostic.related(previous.1, "previous declaration is here"));
            }
            return;
        }
        self.idents.bind(name.sym, Entity::Constant(value, ty), name.span);
    }
}

/// GCC's choice: unsigned where nothing is negative, at least `int` wide unless packed.
fn enum_type(least: i128, most: i128, packed: bool) -> IntKind {
    let candidates: &[IntKind] = match (packed, least < 0) {
        (true, false) => &[IntKind::UChar, IntKind::UShort, IntKind::UInt, IntKind::ULong],
        (true, true) => &[IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long],
        (false, false) => &[IntKind::UInt, IntKind::ULong],
        (false, true) => &[IntKind::Int, IntKind::Long],
    };
    candidates.iter().copied().find(|kind| kind.holds(least) && kind.holds(most)).unwrap_or(IntKind::Long)
}

/// Sets where a member is. A bit-field gets the unit of its type that holds it; where packing makes it
/// straddle units, a wider one, aligned if possible, that does not reach past the record; and where there is
/// none, the byte it begins in.
fn place(field: &mut Field, slot: &Slot, position: u64, record_size: u64) {
    let Some(width) = slot.width else {
        field.offset = position / 8;
        field.align = slot.alignment();
        return;
    };
    let end = position + u64::from(width);
    let fits = |offset: u64, size: u64| {
        offset * 8 <= position && end <= (offset + size) * 8 && offset + size <= record_size
    };
    let sizes =
        || std::iter::successors(Some(slot.size), |size| Some(size * 2)).take_while(|&size| size <= 16);
    let aligned =
        sizes().map(|size| (position / 8 / size * size, size)).find(|&(offset, size)| fits(offset, size));
    let unaligned = || {
        sizes()
            .map(|size| ((position / 8).min(record_size.saturating_sub(size)), size))
            .find(|&(offset, size)| fits(offset, size))
    };
    field.offset = aligned.or_else(unaligned).map_or(position / 8, |(offset, _)| offset);
    field.bits = Some(((position - field.offset * 8) as u32, width));
}
