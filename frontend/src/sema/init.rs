//! Initialisers (C11 6.7.9): from braces and designators to a flat list of offsets and values.

use super::constant;
use super::convert::AssignTo;
use super::designators::Step;
use super::{Sema, ids};
use crate::ast::{self, InitItem, Initializer};
use crate::ctype::{ArrayLen, CType, IntKind, QualType, TypeId, TypeTable};
use crate::source::Span;
use crate::typed::*;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The items of a list that are still to be placed.
struct Items<'a> {
    items: &'a [InitItem],
    /// The first item's expression, analysed to see whether it initialises a whole struct.
    value: Option<Expr>,
}

impl<'a> Items<'a> {
    fn new(items: &'a [InitItem]) -> Self {
        Items { items, value: None }
    }

    fn peek(&self) -> Option<&'a InitItem> {
        self.items.first()
    }

    fn skip(&mut self) {
        self.items = self.items.get(1..).unwrap_or(&[]);
        self.value = None;
    }

    /// Leaves the first item only, and returns the rest of the items.
    fn take_first(&mut self) -> &'a [InitItem] {
        let (first, others) = self.items.split_at(self.items.len().min(1));
        self.items = first;
        others
    }
}

/// What has been initialised so far.
struct Target {
    /// Where several are about the same bytes, the last one counts.
    entries: Vec<InitEntry>,
    is_static: bool,
    /// Bytes up to here may have entries.
    end: u64,
    /// Parts that were initialised anew as a whole, from their first byte to the one behind their last. Where
    /// the first element of a range is placed, those inside of it are what the other elements follow.
    anew: Vec<Range<u64>>,
    /// The member of each union, by the union's offset and type, that was initialised last.
    active: FxHashMap<(u64, TypeId), u64>,
}

impl Target {
    fn new(is_static: bool) -> Self {
        Target { entries: Vec::new(), is_static, end: 0, anew: Vec::new(), active: FxHashMap::default() }
    }

    /// Forgets what lies in `part` or in one of `copies` parts of its size that follow it, each `stride`
    /// bytes behind the last one. A string of which the part is one element stays.
    fn forget(&mut self, types: &TypeTable, part: Range<u64>, stride: u64, copies: u64) {
        if part.start >= self.end {
            return;
        }
        self.entries.retain(|entry| {
            let bytes = bytes_of(types, entry);
            let Some(from) = bytes.start.checked_sub(part.start) else { return true };
            let (copy, within) = if copies == 0 { (0, from) } else { (from / stride, from % stride) };
            copy > copies || within + (bytes.end - bytes.start) > part.end - part.start
        });
        let moved = |copy: u64| part.start + copy * stride..part.end + copy * stride;
        self.anew.extend((0..=copies).map(moved));
    }
}

/// Where an entry is. The unit of a bit-field may begin in front of it, in the member before.
fn bytes_of(types: &TypeTable, entry: &InitEntry) -> Range<u64> {
    match entry.bits {
        Some((bit, width)) => {
            entry.offset + u64::from(bit / 8)..entry.offset + u64::from((bit + width).div_ceil(8))
        }
        None => entry.offset..entry.offset + types.size(entry.ty).unwrap_or(0),
    }
}

/// What an item was, that went to where a designation leads.
#[derive(Clone, Copy)]
enum Placed {
    /// A list in braces.
    Whole,
    /// A value of a type, which may be that of a part only; none if it was reported.
    Value(Option<TypeId>),
}

/// A part of the object being initialised.
#[derive(Clone, Copy)]
struct Part {
    ty: QualType,
    offset: u64,
    bits: Option<(u32, u32)>,
}

impl Sema<'_> {
    /// Analyses an initialiser; the type comes back with the length that the initialiser gives an array.
    pub(super) fn initializer(
        &mut self,
        ty: QualType,
        init: &Initializer,
        is_static: bool,
    ) -> (QualType, Init) {
        match init {
            Initializer::List(list) => self.list_initializer(ty, list, is_static),
            Initializer::Expr(expr) => {
                let mut target = Target::new(is_static);
                let ty = self.expr_initializer(ty, expr, &mut target);
                (ty, Init { entries: target.entries })
            }
        }
    }

    /// The initialiser that is a value, for an object of its type.
    pub(super) fn value_initializer(
        &mut self,
        ty: QualType,
        value: Expr,
        is_static: bool,
    ) -> (QualType, Init) {
        let mut target = Target::new(is_static);
        self.place_value(Part { ty, offset: 0, bits: None }, value, &mut target);
        (ty, Init { entries: target.entries })
    }

    /// `{ ... }`.
    pub(super) fn list_initializer(
        &mut self,
        ty: QualType,
        list: &ast::InitList,
        is_static: bool,
    ) -> (QualType, Init) {
        let mut target = Target::new(is_static);
        let part = Part { ty, offset: 0, bits: None };
        let count = self.braced(part, list, &mut target);
        let ty = match (self.types.element(ty.ty), count) {
            (Some((element, ArrayLen::Incomplete)), Some(count)) => {
                QualType { ty: self.types.array_of(element, ArrayLen::Known(count)), ..ty }
            }
            _ => ty,
        };
        (ty, Init { entries: target.entries })
    }

    fn expr_initializer(&mut self, ty: QualType, expr: &ast::Expr, target: &mut Target) -> QualType {
        let part = Part { ty, offset: 0, bits: None };
        if let CType::Array(element, len) = *self.types.get(ty.ty) {
            if let Some(spellings) = string_literal(expr)
                && let Some(count) = self.string_initializer(part, spellings, expr.span, target)
            {
                let len = if len == ArrayLen::Incomplete { ArrayLen::Known(count) } else { len };
                return QualType { ty: self.types.array_of(element, len), ..ty };
            }
            let value = self.expr(expr);
            // GNU: an array from a compound literal of its type.
            if let ExprKind::CompoundLiteral(..) | ExprKind::Var(_) = value.kind
                && let Some(ty) = self.array_from_literal(ty, &value, target)
            {
                return ty;
            }
            if !self.is_error(&value) {
                self.error(ids::INVALID_INITIALIZER, expr.span, "invalid initializer");
            }
            return ty;
        }
        let value = self.rvalue(expr);
        self.place_value(part, value, target);
        ty
    }

    fn array_from_literal(&mut self, ty: QualType, value: &Expr, target: &mut Target) -> Option<QualType> {
        let init = match &value.kind {
            ExprKind::CompoundLiteral(_, init) => init.clone(),
            ExprKind::Var(var) if self.vars[var.0 as usize].name.is_none() => {
                self.vars[var.0 as usize].init.clone()
            }
            _ => None,
        };
        let init = init.filter(|_| self.types.compatible(ty.ty, value.ty.ty))?;
        target.entries = init.entries;
        Some(QualType { ty: self.types.composite(ty.ty, value.ty.ty), ..ty })
    }

    /// A braced list for one part; gives the number of elements of an array.
    fn braced(&mut self, part: Part, list: &ast::InitList, target: &mut Target) -> Option<u64> {
        if part.ty.ty == TypeId::ERROR {
            return None;
        }
        let mut items = Items::new(&list.items);
        match *self.types.get(part.ty.ty) {
            CType::Array(..) => {
                if let [InitItem { designators, init: Initializer::Expr(expr) }] = &list.items[..]
                    && let (true, Some(spellings)) = (designators.is_empty(), string_literal(expr))
                {
                    let count = self.string_initializer(part, spellings, expr.span, target);
                    if count.is_some() {
                        return count;
                    }
                }
                Some(self.fill(part, &mut items, true, &[], target))
            }
            CType::Record(_) => {
                if !self.require_complete(part.ty, list.span) {
                    return None;
                }
                self.fill(part, &mut items, true, &[], target);
                None
            }
            _ => {
                self.braced_scalar(part, list, target);
                None
            }
        }
    }

    fn braced_scalar(&mut self, part: Part, list: &ast::InitList, target: &mut Target) {
        let Some(first) = list.items.first() else {
            // GNU C and C23: zero.
            let zero = self.int_expr(0, TypeId::INT, list.span);
            return self.place_value(part, zero, target);
        };
        if !first.designators.is_empty() {
            self.error(ids::INVALID_DESIGNATOR, list.span, "designator in the initializer of a scalar");
            return;
        }
        match &first.init {
            Initializer::List(inner) => {
                self.warn(ids::BRACES_AROUND_SCALAR, inner.span, "braces around scalar initializer");
                self.braced_scalar(part, inner, target);
            }
            Initializer::Expr(expr) => {
                let value = self.rvalue(expr);
                self.place_value(part, value, target);
            }
        }
        if let Some(second) = list.items.get(1) {
            self.warn(
                ids::EXCESS_INITIALIZERS,
                span_of(&second.init),
                "excess elements in scalar initializer",
            );
        }
    }

    /// Places items into the members or elements of an aggregate, beginning with the part `path` designates,
    /// until the aggregate is full or, without braces of its own, a designator appears. Gives the number of
    /// elements reached.
    fn fill(
        &mut self,
        part: Part,
        items: &mut Items<'_>,
        braced: bool,
        path: &[Step],
        target: &mut Target,
    ) -> u64 {
        self.fill_from(part, items, braced, path, 0, target)
    }

    /// As [`Self::fill`], without a path beginning with the member or element `next`.
    fn fill_from(
        &mut self,
        part: Part,
        items: &mut Items<'_>,
        braced: bool,
        path: &[Step],
        mut next: u64,
        target: &mut Target,
    ) -> u64 {
        let (mut path, mut reached) = (path.to_vec(), 0u64);
        let count = self.part_count(part.ty.ty);
        loop {
            if path.is_empty() {
                let Some(item) = items.peek() else { break };
                if !item.designators.is_empty() {
                    if !braced {
                        break;
                    }
                    match self.resolve(part.ty, &item.designators) {
                        Some(steps) => path = steps,
                        None => {
                            items.skip();
                            continue;
                        }
                    }
                } else if next >= count {
                    if !braced {
                        break;
                    }
                    let what = if self.types.is_array(part.ty.ty) { "array" } else { "struct" };
                    self.warn(
                        ids::EXCESS_INITIALIZERS,
                        span_of(&item.init),
                        format!("excess elements in {what} initializer"),
                    );
                    items.skip();
                    continue;
                }
            }
            let (first, last) = match path.first() {
                Some(Step::Field(index)) => (u64::from(*index), u64::from(*index)),
                Some(Step::Index(index)) => (*index, *index),
                Some(Step::Range(low, high)) => (*low, *high),
                None => {
                    let index = self.next_named(part.ty.ty, next);
                    if index >= count {
                        next = count;
                        continue;
                    }
                    (index, index)
                }
            };
            let Some(sub) = self.part_at(part, first) else {
                items.skip();
                path.clear();
                continue;
            };
            let rest = path.get(1..).unwrap_or(&[]);
            if self.is_union(part.ty.ty) {
                self.activate(part, first, target);
            }
            if first < last {
                self.place_range((part, first, last), rest, items, target);
            } else {
                self.place(sub, rest, items, target);
            }
            path.clear();
            next = if self.is_union(part.ty.ty) { count } else { last + 1 };
            reached = reached.max(last + 1);
        }
        reached
    }

    /// The next item goes to where `path` leads in a part.
    fn place(&mut self, part: Part, path: &[Step], items: &mut Items<'_>, target: &mut Target) {
        if path.is_empty() {
            self.place_item(part, items, target);
        } else {
            self.fill(part, items, false, path, target);
        }
    }

    /// `[first ... last]` and what follows it in the designation: one item goes to all these elements, and
    /// what comes behind it, to the last one.
    fn place_range(
        &mut self,
        (array, first, last): (Part, u64, u64),
        path: &[Step],
        items: &mut Items<'_>,
        target: &mut Target,
    ) {
        let (Some(low), Some(high)) = (self.part_at(array, first), self.part_at(array, last)) else {
            items.skip();
            return;
        };
        let (first_item, others) = (items.peek(), items.take_first());
        let (entries, anew) = (std::mem::take(&mut target.entries), std::mem::take(&mut target.anew));
        self.place(low, path, items, target);
        let placed = std::mem::replace(&mut target.entries, entries);
        let placed_anew = std::mem::replace(&mut target.anew, anew);
        self.place_copies((array, first, last), &placed, &placed_anew, target);
        if items.peek().is_none() {
            items.items = others;
            let placed = match first_item {
                Some(InitItem { init: Initializer::List(_), .. }) => Placed::Whole,
                _ => Placed::Value(target.entries.last().map(|entry| entry.ty)),
            };
            self.resume(high, path, placed, items, target);
        }
    }

    /// Goes on behind the part that `path` leads to, or, if braces were left out there, behind its first part
    /// of the type of the value that was `placed`.
    fn resume(
        &mut self,
        part: Part,
        path: &[Step],
        placed: Placed,
        items: &mut Items<'_>,
        target: &mut Target,
    ) {
        if items.peek().is_none_or(|item| !item.designators.is_empty()) {
            return;
        }
        let count = self.part_count(part.ty.ty);
        let (index, rest) = match path.split_first() {
            Some((step, rest)) => (step.last(), rest),
            None if self.fills(placed, part.ty.ty) => return,
            None => (self.next_named(part.ty.ty, 0), path),
        };
        let Some(inner) = self.part_at(part, index) else { return };
        self.resume(inner, rest, placed, items, target);
        let next = if self.is_union(part.ty.ty) { count } else { index + 1 };
        self.fill_from(part, items, false, &[], next, target);
    }

    /// Whether what was placed is all of an object: a string literal may be shorter than its array.
    fn fills(&self, placed: Placed, ty: TypeId) -> bool {
        let element = |ty| self.types.element(ty).map(|(element, _)| element.ty);
        match placed {
            Placed::Whole => true,
            Placed::Value(placed) => placed.is_some_and(|placed| {
                placed == ty || element(placed).is_some() && element(placed) == element(ty)
            }),
        }
    }

    fn is_union(&self, ty: TypeId) -> bool {
        self.types.record(ty).is_some_and(|id| self.types.records[id.0 as usize].is_union)
    }

    /// Number of members or elements.
    pub(super) fn part_count(&self, ty: TypeId) -> u64 {
        match self.types.get(ty) {
            CType::Array(_, ArrayLen::Known(count)) => *count,
            CType::Array(..) => u64::MAX,
            CType::Record(id) => {
                self.types.records[id.0 as usize].fields.as_ref().map_or(0, |fields| fields.len() as u64)
            }
            _ => 0,
        }
    }

    /// The first member from `index` on that takes an initialiser: unnamed bit-fields do not.
    fn next_named(&self, ty: TypeId, mut index: u64) -> u64 {
        if let Some(id) = self.types.record(ty) {
            let fields = self.types.records[id.0 as usize].fields.as_deref().unwrap_or(&[]);
            while fields.get(index as usize).is_some_and(|field| field.name.is_none() && field.bits.is_some())
            {
                index += 1;
            }
        }
        index
    }

    fn part_at(&mut self, part: Part, index: u64) -> Option<Part> {
        match *self.types.get(part.ty.ty) {
            CType::Array(element, _) => {
                let size = self.types.size(element.ty)?;
                let offset = index.checked_mul(size)?.checked_add(part.offset)?;
                Some(Part { ty: element, offset, bits: None })
            }
            CType::Record(id) => {
                let field = self.types.records[id.0 as usize].fields.as_ref()?.get(index as usize)?;
                Some(Part { ty: field.ty, offset: part.offset + field.offset, bits: field.bits })
            }
            _ => None,
        }
    }

    /// The next item initialises this part, or its first scalar and what follows.
    fn place_item(&mut self, part: Part, items: &mut Items<'_>, target: &mut Target) {
        let Some(item) = items.peek() else { return };
        let expr = match &item.init {
            Initializer::List(list) => {
                items.skip();
                self.forget(part, target);
                self.flexible_part(part, list.span, target);
                self.braced(part, list, target);
                return;
            }
            Initializer::Expr(expr) => expr,
        };
        match *self.types.get(part.ty.ty) {
            CType::Array(..) => {
                self.flexible_part(part, expr.span, target);
                if let Some(spellings) = string_literal(expr) {
                    self.forget(part, target);
                    if self.string_initializer(part, spellings, expr.span, target).is_some() {
                        items.skip();
                        return;
                    }
                }
                self.descend(part, items, target);
            }
            CType::Record(_) => {
                let value = match items.value.take() {
                    Some(value) => value,
                    None => self.rvalue(expr),
                };
                if self.types.compatible(part.ty.ty, value.ty.ty) {
                    items.skip();
                    self.place_value(part, value, target);
                } else {
                    items.value = Some(value);
                    self.descend(part, items, target);
                }
            }
            _ => {
                let value = match items.value.take() {
                    Some(value) => value,
                    None => self.rvalue(expr),
                };
                items.skip();
                self.place_value(part, value, target);
            }
        }
    }

    /// Braces left out: the aggregate takes what it needs from the enclosing list.
    fn descend(&mut self, part: Part, items: &mut Items<'_>, target: &mut Target) {
        let index = self.next_named(part.ty.ty, 0);
        if index >= self.part_count(part.ty.ty) {
            let span = items.peek().map_or(Span::default(), |item| span_of(&item.init));
            self.warn(ids::EXCESS_INITIALIZERS, span, "initializer for an empty struct or array");
            items.skip();
            return;
        }
        // The item may have come by a designator, which was followed: its first part is next.
        let step = match self.types.record(part.ty.ty) {
            Some(_) => Step::Field(index as u32),
            None => Step::Index(index),
        };
        self.fill(part, items, false, &[step], target);
    }

    fn flexible_part(&mut self, part: Part, span: Span, target: &Target) {
        let flexible =
            matches!(self.types.get(part.ty.ty), CType::Array(_, ArrayLen::Incomplete)) && part.offset != 0;
        if flexible && !target.is_static {
            self.error(
                ids::FLEXIBLE_ARRAY,
                span,
                "initialization of a flexible array member of an object without static storage duration",
            );
        }
    }

    /// A character array from a string literal; gives the number of elements with the terminator. None if the
    /// element type does not fit the literal.
    fn string_initializer(
        &mut self,
        part: Part,
        spellings: &[crate::intern::Symbol],
        span: Span,
        target: &mut Target,
    ) -> Option<u64> {
        let (element, len) = self.types.element(part.ty.ty)?;
        let kind = self.types.int_kind(element.ty)?;
        if kind == IntKind::Bool {
            return None;
        }
        let (mut elements, encoding) = self.string_elements(spellings, span);
        if kind.to_unsigned() != encoding.element().to_unsigned() {
            if kind.size() == 1 || encoding.element().size() == 1 && kind.size() == 4 {
                self.error(
                    ids::INVALID_INITIALIZER,
                    span,
                    "array initialized from a string literal of another element type",
                );
                return Some(1);
            }
            return None;
        }
        let count = elements.len() as u64 + 1;
        if let ArrayLen::Known(room) = len
            && elements.len() as u64 > room
        {
            self.warn(ids::EXCESS_INITIALIZERS, span, "initializer-string for array is too long");
            elements.truncate(room as usize);
        }
        let mut value = self.string_expr(&elements, encoding, span);
        if let ArrayLen::Known(room) = len
            && elements.len() as u64 == room
        {
            value = self.unterminated(value, room);
        }
        let ty = value.ty.ty;
        let size = self.types.size(ty).unwrap_or(0);
        target.end = target.end.max(part.offset + size);
        target.entries.push(InitEntry { offset: part.offset, bits: None, ty, value });
        Some(count)
    }

    /// The string without its terminator, for an array that has no room for it.
    fn unterminated(&mut self, value: Expr, count: u64) -> Expr {
        let ExprKind::String(id) = value.kind else { return value };
        let Some((element, _)) = self.types.element(value.ty.ty) else { return value };
        let size = self.types.size(element.ty).unwrap_or(1);
        let mut bytes = self.strings[id.0 as usize].bytes.clone();
        bytes.truncate((count * size) as usize);
        let ty = self.types.array_of(element, ArrayLen::Known(count));
        let id = StrId(self.strings.len() as u32);
        self.strings.push(StringLit { bytes, ty });
        Expr { kind: ExprKind::String(id), ty: QualType::plain(ty), span: value.span }
    }

    /// Converts a value to the type of the part and notes it.
    fn place_value(&mut self, part: Part, value: Expr, target: &mut Target) {
        let span = value.span;
        let value = self.assign_convert(value, part.ty, AssignTo::Initialization);
        if self.is_error(&value) || part.ty.ty == TypeId::ERROR {
            self.broken = true;
            return;
        }
        let size = self.types.size(part.ty.ty).unwrap_or(0);
        target.end = target.end.max(part.offset + size);
        if target.is_static {
            if let Some(entries) = self.entries_of_literal(&value, part) {
                target.entries.extend(entries);
                return;
            }
            let Some(value) = self.static_value(value) else {
                self.error(ids::INITIALIZER_NOT_CONSTANT, span, "initializer element is not constant");
                return;
            };
            target.entries.push(InitEntry { offset: part.offset, bits: part.bits, ty: part.ty.ty, value });
            return;
        }
        target.entries.push(InitEntry { offset: part.offset, bits: part.bits, ty: part.ty.ty, value });
    }

    /// A value that a static initialiser may hold; as in GCC, constant objects may stand for their initial
    /// values.
    fn static_value(&mut self, value: Expr) -> Option<Expr> {
        if self.is_static_value(&value) {
            return Some(value);
        }
        self.static_fold = true;
        let value = self.read_constants(value);
        self.static_fold = false;
        self.is_static_value(&value).then_some(value)
    }

    fn is_static_value(&self, value: &Expr) -> bool {
        let is_static = |var: VarId| matches!(self.vars[var.0 as usize].storage, Storage::Static { .. });
        constant::is_static_constant(&self.types, value, &is_static)
    }

    /// An expression in which `const` objects are replaced by the constants they were initialised with.
    fn read_constants(&mut self, expr: Expr) -> Expr {
        let (ty, span) = (expr.ty, expr.span);
        match expr.kind {
            ExprKind::Load(lvalue) => match self.constant_object(&lvalue) {
                Some(value) => Expr { span, ..value },
                None => Expr { kind: ExprKind::Load(lvalue), ty, span },
            },
            ExprKind::Cast(_, inner) => {
                let inner = self.read_constants(*inner);
                self.convert(inner, ty.ty)
            }
            ExprKind::Unary(op, inner) => {
                let inner = self.read_constants(*inner);
                self.unary_value(op, inner, ty.ty, span)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.read_constants(*left), self.read_constants(*right));
                self.arithmetic(op, left, right, ty.ty, span)
            }
            ExprKind::PtrAdd { pointer, index, subtract } => {
                let pointer = self.read_constants(*pointer);
                let index = self.read_constants(*index);
                self.pointer_add(pointer, index, subtract, span)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.read_constants(*condition);
                match constant::truth(&condition) {
                    Some(true) => self.read_constants(*then),
                    Some(false) => self.read_constants(*otherwise),
                    None => {
                        Expr { kind: ExprKind::Conditional(Box::new(condition), then, otherwise), ty, span }
                    }
                }
            }
            kind => Expr { kind, ty, span },
        }
    }

    /// The value of the scalar that an lvalue names, if that is, or is a member of, a `constexpr` object.
    pub(super) fn constexpr_value(&self, lvalue: &Expr) -> Option<Expr> {
        let mut root = lvalue;
        while let ExprKind::Member(base, ..) = &root.kind {
            root = base;
        }
        let (ExprKind::Var(var) | ExprKind::CompoundLiteral(var, _)) = root.kind else { return None };
        let value = match self.constexpr_vars.contains(&var) && self.types.is_scalar(lvalue.ty.ty) {
            true => self.constant_object(lvalue)?,
            false => return None,
        };
        Some(Expr { span: lvalue.span, ..value })
    }

    /// The initial value of the scalar a `const` lvalue names.
    fn constant_object(&self, lvalue: &Expr) -> Option<Expr> {
        if !lvalue.ty.quals.const_ || lvalue.ty.quals.volatile {
            return None;
        }
        let mut root = lvalue;
        let mut offset = 0;
        while let ExprKind::Member(base, record, index) = &root.kind {
            let field = self.field(*record, *index);
            if field.bits.is_some() {
                return None;
            }
            offset += field.offset;
            root = base;
        }
        let (ExprKind::Var(var) | ExprKind::CompoundLiteral(var, _)) = root.kind else { return None };
        let init = self.constant_inits.get(&var)?;
        let Some(entry) = init.iter().rfind(|entry| entry.offset == offset && entry.bits.is_none()) else {
            let is_zero = self.constexpr_vars.contains(&var) && self.types.is_integer(lvalue.ty.ty);
            let end = offset + self.types.size(lvalue.ty.ty)?;
            let overlaps = init.iter().any(|entry| {
                let bytes = bytes_of(&self.types, entry);
                bytes.start < end && offset < bytes.end
            });
            return (is_zero && !overlaps).then(|| self.int_expr(0, lvalue.ty.ty, lvalue.span));
        };
        (entry.ty == lvalue.ty.ty && self.is_static_value(&entry.value)).then(|| entry.value.clone())
    }

    /// Remembers what a `const` object of few scalars is initialised with.
    pub(super) fn note_constant(&mut self, var: VarId, ty: QualType, init: &Init) {
        const MOST: usize = 16;
        let is_small = init.entries.len() <= MOST || self.constexpr_vars.contains(&var);
        if ty.quals.const_ && !ty.quals.volatile && is_small {
            self.constant_inits.insert(var, init.entries.clone());
        }
    }

    /// GNU: a static object from a compound literal has that literal's initialiser.
    fn entries_of_literal(&self, value: &Expr, part: Part) -> Option<Vec<InitEntry>> {
        let ExprKind::Load(lvalue) = &value.kind else { return None };
        let init = match &lvalue.kind {
            ExprKind::CompoundLiteral(_, init) => init.as_ref(),
            ExprKind::Var(var) if self.vars[var.0 as usize].name.is_none() => {
                self.vars[var.0 as usize].init.as_ref()
            }
            _ => None,
        }?;
        let constant = |entry: &InitEntry| {
            let is_static = |var: VarId| matches!(self.vars[var.0 as usize].storage, Storage::Static { .. });
            constant::is_static_constant(&self.types, &entry.value, &is_static)
        };
        if !init.entries.iter().all(constant) {
            return None;
        }
        let moved = |entry: &InitEntry| InitEntry { offset: entry.offset + part.offset, ..entry.clone() };
        Some(init.entries.iter().map(moved).collect())
    }

    /// A part is initialised as a whole: what an earlier item put there is overridden, also where this one is
    /// silent.
    fn forget(&mut self, part: Part, target: &mut Target) {
        if part.bits.is_none() {
            let end = part.offset + self.types.size(part.ty.ty).unwrap_or(0);
            target.forget(&self.types, part.offset..end, 1, 0);
        }
    }

    /// A member of a union is initialised: what an earlier item put into another one is overridden.
    fn activate(&mut self, union: Part, member: u64, target: &mut Target) {
        let before = target.active.insert((union.offset, union.ty.ty), member);
        if before.is_some_and(|before| before != member) {
            self.forget(union, target);
        }
    }

    /// Adds what was `placed` at the first of the elements `first` to `last` of an array, instead of what it
    /// initialises `anew`, to all of them.
    fn place_copies(
        &mut self,
        (array, first, last): (Part, u64, u64),
        placed: &[InitEntry],
        anew: &[Range<u64>],
        target: &mut Target,
    ) {
        let Some((element, _)) = self.types.element(array.ty.ty) else { return };
        let (size, copies) = (self.types.size(element.ty).unwrap_or(0), last - first);
        const MAX_REPEATED: u64 = 1 << 22;
        let parts = placed.len().max(anew.len()).max(target.active.len());
        if copies.saturating_mul(parts as u64) > MAX_REPEATED {
            let span = placed.first().map_or(Span::default(), |entry| entry.value.span);
            self.error(
                ids::RANGE_UNSUPPORTED,
                span,
                "a range designator of so many elements is not supported",
            );
            return;
        }
        for part in anew {
            target.forget(&self.types, part.clone(), size, copies);
        }
        for copy in 0..=copies {
            for entry in placed {
                target.entries.push(InitEntry { offset: entry.offset + copy * size, ..entry.clone() });
            }
        }
        let start = array.offset + first * size;
        let active: Vec<_> = target.active.iter().map(|(&union, &member)| (union, member)).collect();
        for ((offset, ty), member) in active {
            if (start..start + size).contains(&offset) {
                let others = (1..=copies).map(|copy| ((offset + copy * size, ty), member));
                target.active.extend(others);
            }
        }
        target.end = target.end.max(array.offset + (last + 1) * size);
    }
}

fn span_of(init: &Initializer) -> Span {
    match init {
        Initializer::Expr(expr) => expr.span,
        Initializer::List(list) => list.span,
    }
}

/// The string literal an initialiser is, perhaps in parentheses.
fn string_literal(expr: &ast::Expr) -> Option<&[crate::intern::Symbol]> {
    match &expr.kind {
        ast::ExprKind::String(spellings) => Some(spellings),
        ast::ExprKind::Paren(inner) => string_literal(inner),
        _ => None,
    }
}
