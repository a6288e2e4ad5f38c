//! Items of data clauses: objects, parts of arrays, sections through pointers, pointers.

use super::subarrays::without_brackets;
use super::text::expr_text;
use super::visit::root_var;
use super::{Enclosing, ids};
use crate::ast;
use crate::clause_table::data_name;
use crate::ctype::{ArrayLen, CType, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{MapKind, MapModifiers};
use std::sync::Arc;

/// One `[...]` of an item, in source order.
pub(super) struct Step<'a> {
    /// First element.
    lower: Option<&'a ast::Expr>,
    /// Number of elements; `None` for `[i]` (one element) and for `[l:]`.
    length: Option<&'a ast::Expr>,
    /// From one element to the next.
    stride: Option<&'a ast::Expr>,
    /// `[i]`.
    single: bool,
    /// The index or the whole section.
    span: Span,
}

/// An item taken apart: the lvalue and the brackets behind it.
pub(super) struct Item {
    /// What stands before the brackets that form the section.
    pub base: Expr,
    /// The variable at its root.
    pub var: VarId,
    /// The bounds of each dimension, outermost first.
    pub dims: Vec<Dim>,
}

/// A dimension of a section, checked.
pub(super) struct Dim {
    /// First element, a 64-bit integer.
    pub lower: Expr,
    /// Number of elements, a 64-bit integer.
    pub length: Expr,
    /// From one element to the next, a 64-bit integer; 1 without.
    pub stride: Option<Expr>,
    /// The dimension is behind a pointer; otherwise of an array.
    pub pointer: bool,
    /// The array, which is none behind a pointer.
    pub array: Option<TypeId>,
    /// The number of elements of the array, if it is known.
    pub extent: Option<u64>,
    /// The length is not written: all that is behind the first element.
    pub to_end: bool,
    /// The element.
    pub element: QualType,
    /// Where it is written.
    pub span: Span,
}

impl Dim {
    fn constant(expr: &Expr) -> Option<i128> {
        match expr.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The whole dimension is covered, whatever the program's values are.
    fn is_whole(&self) -> bool {
        let known = Self::constant(&self.length).zip(self.extent);
        Self::constant(&self.lower) == Some(0)
            && self.stride.is_none()
            && (self.to_end || known.is_some_and(|(length, extent)| length == i128::from(extent)))
    }

    /// As far as is known, the whole dimension is covered.
    fn may_be_whole(&self) -> bool {
        let from_start = Self::constant(&self.lower).is_none_or(|l| l == 0) && self.stride.is_none();
        let to_end = match (Self::constant(&self.length), self.extent) {
            (Some(length), Some(extent)) => length == i128::from(extent),
            _ => true,
        };
        from_start && to_end
    }

    fn is_one(&self) -> bool {
        Self::constant(&self.length) == Some(1)
    }
}

/// Whether a clause names a pointer, not the pointer variable's own storage, when it stands without a
/// section.
fn names_target(clause: MapKind) -> bool {
    matches!(
        clause,
        MapKind::Present
            | MapKind::NoCreate
            | MapKind::DevicePtr
            | MapKind::Attach
            | MapKind::Detach
            | MapKind::UseDevice
    )
}

impl Sema<'_> {
    /// The items of a data clause.
    pub(super) fn data_items(
        &mut self,
        clause: MapKind,
        modifiers: MapModifiers,
        items: &[ast::Expr],
        out: &mut Vec<DataItem>,
    ) {
        for item in items {
            if let Some((var, shape)) = self.data_shape(clause, item) {
                let name = self.item_name(item, &shape);
                let members = Vec::new();
                let item = DataItem {
                    clause,
                    modifiers,
                    implicit: false,
                    name,
                    var,
                    shape,
                    members,
                    span: item.span,
                };
                self.take_addresses(&item);
                out.push(item);
            }
        }
    }

    /// The text of an item. `*s.p` is `s.p[0]`, and `(*p).x` is `p->x`, so that all items name the pointer
    /// that leads to them alike.
    fn item_name(&self, expr: &ast::Expr, shape: &DataShape) -> Arc<str> {
        let interner = &self.session.interner;
        let mut inner = expr;
        while let ast::ExprKind::Paren(e) = &inner.kind {
            inner = e;
        }
        match (&inner.kind, shape) {
            (ast::ExprKind::Unary(ast::UnaryOp::Deref, pointer), DataShape::Section { .. }) => {
                format!("{}[0]", expr_text(pointer, interner)).into()
            }
            _ => {
                let text = expr_text(expr, interner);
                let pointer = text.strip_prefix("(*").and_then(|rest| rest.split_once(")."));
                match pointer.filter(|(pointer, _)| is_name(pointer)) {
                    Some((pointer, member)) => format!("{pointer}->{member}").into(),
                    None => text.into(),
                }
            }
        }
    }

    /// Objects that are mapped by address have one.
    pub(super) fn take_addresses(&mut self, item: &DataItem) {
        match &item.shape {
            DataShape::Object(_) | DataShape::Part { .. } => self.vars[item.var.0 as usize].in_memory = true,
            DataShape::Section { .. } | DataShape::Pointer(_) => {}
        }
    }

    /// What a clause names: the variable, and what of it.
    pub(super) fn data_shape(&mut self, clause: MapKind, expr: &ast::Expr) -> Option<(VarId, DataShape)> {
        match clause {
            MapKind::DevicePtr | MapKind::UseDevice => return self.pointer_variable(clause, expr),
            MapKind::Attach | MapKind::Detach => return self.attached_pointer(clause, expr),
            _ => {}
        }
        let name = data_name(clause);
        let item = self.section_item(name, expr)?;
        if item.dims.is_empty() {
            if names_target(clause) && self.types.is_pointer(item.base.ty.ty) {
                return Some((item.var, DataShape::Pointer(item.base)));
            }
            if let Some(item) = self.array_parameter_section(&item) {
                return self.section_shape(clause, item);
            }
            if !self.types.is_complete(item.base.ty.ty) {
                let text = self.type_text(item.base.ty);
                self.error(
                    ids::NOT_MAPPABLE,
                    expr.span,
                    format!("`{text}` has no known size: `{name}` cannot map it"),
                );
                return None;
            }
            let shape = self.behind_member(DataShape::Object(item.base));
            return Some((item.var, shape));
        }
        let (var, shape) = self.section_shape(clause, item)?;
        Some((var, self.behind_member(shape)))
    }

    /// What `s.p->x` and `*s.p` map: the pointer is a member itself, and is attached to what it leads to.
    /// Whoever uses a variable `p` in `p->x` brings it without that.
    pub(super) fn behind_member(&mut self, shape: DataShape) -> DataShape {
        self.behind_pointer(shape, |_, pointer| {
            matches!(pointer.kind, ExprKind::Member(..)).then(|| pointer.clone())
        })
    }

    /// The section that an object is, `p->x` or `*p`, through the pointer that `attached` makes of `p`, if
    /// any.
    pub(super) fn behind_pointer(
        &mut self,
        shape: DataShape,
        attached: impl Fn(&mut Self, &Expr) -> Option<Expr>,
    ) -> DataShape {
        let (object, part) = match &shape {
            DataShape::Object(object) => (object, None),
            DataShape::Part { array, runs, rows } => (array, Some((runs, rows))),
            DataShape::Section { .. } | DataShape::Pointer(_) => return shape,
        };
        let Some(Behind { pointer, index, element }) = behind(object) else { return shape };
        let Some(pointer) = attached(self, pointer) else { return shape };
        let (mut inner, mut offset) = (object, 0);
        while let ExprKind::Member(base, record, index) = &inner.kind {
            offset += self.field(*record, *index).offset;
            inner = base;
        }
        let (span, ty) = (object.span, object.ty.ty);
        let mut lower = self.long(i128::from(offset), span);
        if let Some(index) = index {
            let element = self.long_size(element, span);
            let distance = self.long_mul(element, index.clone());
            lower = self.long_add(lower, distance);
        }
        let (runs, rows) = match part {
            None => (Runs::one(lower, self.long_size(ty, span)), Vec::new()),
            Some((runs, rows)) => {
                let lower = self.long_add(lower, runs.lower.clone());
                (Runs { lower, ..runs.clone() }, rows.clone())
            }
        };
        DataShape::Section { pointer, runs, rows }
    }

    /// The whole array, where a clause names a parameter declared as one.
    fn array_parameter_section(&mut self, item: &Item) -> Option<Item> {
        let ExprKind::Var(var) = item.base.kind else { return None };
        let length = *self.acc.array_params.get(&var)?;
        let element =
            self.types.pointee(item.base.ty.ty).filter(|element| self.types.is_complete(element.ty))?;
        let span = item.base.span;
        let (lower, length) = (self.long(0, span), self.long(i128::from(length), span));
        let dim = Dim {
            lower,
            length,
            stride: None,
            pointer: true,
            array: None,
            extent: None,
            to_end: false,
            element,
            span,
        };
        Some(Item { base: item.base.clone(), var, dims: vec![dim] })
    }

    /// `deviceptr(p)`, `use_device(a)`.
    fn pointer_variable(&mut self, clause: MapKind, expr: &ast::Expr) -> Option<(VarId, DataShape)> {
        let name = data_name(clause);
        let base = without_brackets(expr);
        let var = self.plain_variable(name, base)?;
        let ty = self.vars[var.0 as usize].ty;
        if ty.ty == TypeId::ERROR {
            return None;
        }
        if clause == MapKind::DevicePtr && !self.types.is_pointer(ty.ty) {
            let text = self.type_text(ty);
            self.emit(
                Diagnostic::error(
                    ids::NOT_A_POINTER,
                    base.span,
                    format!(
                        "`{}` is not a pointer: only pointers hold addresses of a device",
                        self.var_text(var)
                    ),
                )
                .label(format!("this has type `{text}`")),
            );
            return None;
        }
        if !std::ptr::eq(base, expr) {
            self.error(ids::DATA_ITEM, expr.span, format!("`{name}` takes a variable, not a section of it"));
            return None;
        }
        let lvalue = self.var_lvalue(var, expr.span);
        let shape =
            if self.types.is_pointer(ty.ty) { DataShape::Pointer(lvalue) } else { DataShape::Object(lvalue) };
        Some((var, shape))
    }

    /// `attach(p)`, `detach(s.p)`.
    fn attached_pointer(&mut self, clause: MapKind, expr: &ast::Expr) -> Option<(VarId, DataShape)> {
        let name = data_name(clause);
        if let ast::ExprKind::Section(..) = &expr.kind {
            self.error(
                ids::NOT_A_POINTER,
                expr.span,
                format!("`{name}` takes one pointer, not an array section"),
            );
            return None;
        }
        let lvalue = self.expr(expr);
        if lvalue.ty.ty == TypeId::ERROR {
            return None;
        }
        if !self.types.is_pointer(lvalue.ty.ty) {
            let text = self.type_text(lvalue.ty);
            self.emit(
                Diagnostic::error(ids::NOT_A_POINTER, expr.span, format!("`{name}` takes a pointer"))
                    .label(format!("this has type `{text}`")),
            );
            return None;
        }
        let var = self.item_root(name, &lvalue, expr.span)?;
        if let ExprKind::Var(_) = lvalue.kind {
            self.vars[var.0 as usize].in_memory = true;
        }
        Some((var, DataShape::Pointer(lvalue)))
    }

    /// An identifier that is a variable.
    pub(super) fn plain_variable(&mut self, clause: &str, expr: &ast::Expr) -> Option<VarId> {
        let mut inner = expr;
        while let ast::ExprKind::Paren(e) = &inner.kind {
            inner = e;
        }
        let ast::ExprKind::Ident(symbol) = inner.kind else {
            if !matches!(inner.kind, ast::ExprKind::Error) {
                let text = expr_text(expr, &self.session.interner);
                self.error(
                    ids::DATA_ITEM,
                    expr.span,
                    format!("`{clause}` takes variables, `{text}` is not a name"),
                );
            }
            return None;
        };
        match self.lookup(symbol) {
            Some(Entity::Var(_)) | None => {
                let lvalue = self.expr(inner);
                let ExprKind::Var(var) = lvalue.kind else { return None };
                self.check_variable(clause, var, expr.span).then_some(var)
            }
            Some(Entity::Error) => None,
            Some(Entity::Func(_) | Entity::Typedef(..) | Entity::Constant(..)) => {
                let text = self.session.interner.text(symbol);
                let message = format!("`{text}` is not a variable: `{clause}` does not take it");
                self.error(ids::NOT_A_VARIABLE, expr.span, message);
                None
            }
        }
    }

    /// What no clause takes: thread-local objects, and variables that `host_data` has redefined.
    fn check_variable(&mut self, clause: &str, var: VarId, span: Span) -> bool {
        let object = &self.vars[var.0 as usize];
        if let Storage::Thread { .. } = object.storage {
            let diagnostic = Diagnostic::error(
                ids::THREAD_LOCAL_VARIABLE,
                span,
                format!("`{}` is thread-local: `{clause}` cannot take it", self.var_text(var)),
            )
            .related(object.span, "declared here");
            self.emit(diagnostic);
            return false;
        }
        true
    }

    /// Whether an enclosing `host_data` has made the variable a device address; says so.
    pub(super) fn check_host_data(&mut self, var: VarId, span: Span) -> bool {
        let place = self.acc.constructs.iter().find_map(|c| match c {
            Enclosing::HostData { vars, span } => vars.contains(&var).then_some(*span),
            _ => None,
        });
        let Some(place) = place else { return true };
        let name = self.var_text(var);
        self.emit(
            Diagnostic::error(
                ids::HOST_DATA_VARIABLE,
                span,
                format!("`{name}` is in `use_device` of the enclosing `host_data` construct"),
            )
            .related(place, "the `host_data` construct")
            .note("inside it the name stands for the device address, which a compute construct cannot map"),
        );
        false
    }

    fn item_root(&mut self, clause: &str, lvalue: &Expr, span: Span) -> Option<VarId> {
        match root_var(lvalue) {
            Some(var) => self.check_variable(clause, var, span).then_some(var),
            None => {
                self.error(
                    ids::DATA_ITEM,
                    span,
                    format!("`{clause}` takes variables, members and array sections"),
                );
                None
            }
        }
    }

    /// Takes an item apart and checks its bounds.
    pub(super) fn section_item(&mut self, clause: &str, expr: &ast::Expr) -> Option<Item> {
        let mut steps = Vec::new();
        let mut inner = expr;
        loop {
            match &inner.kind {
                ast::ExprKind::Index(base, index) => {
                    steps.push(Step {
                        lower: Some(index),
                        length: None,
                        stride: None,
                        single: true,
                        span: index.span,
                    });
                    inner = base;
                }
                ast::ExprKind::Section(base, bounds) => {
                    let ast::Bounds { lower, length, stride } = &**bounds;
                    let (lower, length, stride) = (lower.as_ref(), length.as_ref(), stride.as_ref());
                    let span = lower.or(length).map_or(inner.span, |e| e.span);
                    steps.push(Step { lower, length, stride, single: false, span });
                    inner = base;
                }
                ast::ExprKind::Paren(base) if steps.is_empty() => inner = base,
                _ => break,
            }
        }
        steps.reverse();
        if let ast::ExprKind::Ident(_) = inner.kind {
            self.plain_variable(clause, inner)?;
        } else if !matches!(
            inner.kind,
            ast::ExprKind::Member(..)
                | ast::ExprKind::Arrow(..)
                | ast::ExprKind::Unary(ast::UnaryOp::Deref, _)
                | ast::ExprKind::Paren(_)
        ) {
            if !matches!(inner.kind, ast::ExprKind::Error) {
                self.error(
                    ids::DATA_ITEM,
                    expr.span,
                    format!("`{clause}` takes variables, members and array sections"),
                );
            }
            return None;
        }
        let base = self.expr(inner);
        if base.ty.ty == TypeId::ERROR {
            return None;
        }
        let var = self.item_root(clause, &base, expr.span)?;
        let (base, offset) = addressed_from(base);
        if !self.is_lvalue(&base) || offset.is_some() && steps.is_empty() {
            self.error(
                ids::DATA_ITEM,
                expr.span,
                format!("`{clause}` takes variables, members and array sections"),
            );
            return None;
        }
        let mut item = self.section_dims(clause, Item { base, var, dims: Vec::new() }, &steps, inner)?;
        if let (Some(offset), Some(first)) = (offset, item.dims.first_mut()) {
            first.lower = self.long_add(first.lower.clone(), offset);
        }
        Some(item)
    }

    /// Adds the dimensions that `steps` select.
    fn section_dims(
        &mut self,
        clause: &str,
        mut item: Item,
        steps: &[Step<'_>],
        inner: &ast::Expr,
    ) -> Option<Item> {
        let mut ty = item.base.ty;
        for (index, step) in steps.iter().enumerate() {
            let (element, extent, pointer, incomplete) = match *self.types.get(ty.ty) {
                CType::Array(element, ArrayLen::Known(n)) => (element, Some(n), false, false),
                CType::Array(element, ArrayLen::Variable(_)) => (element, None, false, false),
                CType::Array(element, _) => (element, None, false, true),
                CType::Pointer(element) => (element, None, true, true),
                CType::Error => return None,
                _ => {
                    let text = expr_text(inner, &self.session.interner);
                    self.error(
                        ids::ARRAY_SECTION,
                        item.base.span,
                        format!("`{text}` does not have pointer or array type"),
                    );
                    return None;
                }
            };
            if !self.types.is_complete(element.ty) {
                let text = self.type_text(element);
                self.error(
                    ids::NOT_MAPPABLE,
                    step.span,
                    format!("elements of type `{text}` have no known size"),
                );
                return None;
            }
            let lower = self.section_bound("low bound", step.lower)?;
            let stride = match step.stride {
                Some(_) => Some(self.section_bound("stride", step.stride)?),
                None => None,
            };
            let stride = stride.filter(|stride| Dim::constant(stride) != Some(1));
            let length = if step.single {
                Some(self.long(1, step.span))
            } else if step.length.is_some() {
                Some(self.section_bound("length", step.length)?)
            } else {
                None
            };
            let length = match length {
                Some(length) => length,
                // A hint that says too little is no reason to stop.
                None if incomplete && clause == "cache" => self.long(1, step.span),
                None if incomplete => {
                    let what = if pointer { "a pointer" } else { "an array of unknown size" };
                    self.error(
                        ids::ARRAY_SECTION,
                        step.span,
                        format!("the length of a section of {what} must be given"),
                    );
                    return None;
                }
                None => {
                    let count = self.extent_expr(ty.ty, element.ty, extent, step.span);
                    let behind = self.long_sub(count, lower.clone());
                    match &stride {
                        None => behind,
                        Some(stride) => {
                            // Those that begin before the end.
                            let most = self.long_sub(stride.clone(), self.long(1, step.span));
                            let most = self.long_add(behind, most);
                            self.long_div(most, stride.clone())
                        }
                    }
                }
            };
            let array = (!pointer).then_some(ty.ty);
            let to_end = !step.single && step.length.is_none();
            let dim = Dim { lower, length, stride, pointer, array, extent, to_end, element, span: step.span };
            if !self.check_bounds(&dim, step, index == 0) {
                return None;
            }
            let next_is_pointer = self.types.is_pointer(element.ty) && index + 1 < steps.len();
            if next_is_pointer && step.single && item.dims.iter().all(Dim::is_one) {
                // `a[3][0:n]` where `a[3]` is a pointer: a section through that pointer.
                let lvalue = self.element_lvalue(item.base, item.dims, dim);
                item = Item { base: lvalue, var: item.var, dims: Vec::new() };
            } else {
                item.dims.push(dim);
            }
            ty = element;
        }
        Some(item)
    }

    /// The lvalue `base[i]...[j]`.
    fn element_lvalue(&mut self, base: Expr, dims: Vec<Dim>, last: Dim) -> Expr {
        let mut lvalue = base;
        for dim in dims.into_iter().chain([last]) {
            let span = lvalue.span.to(dim.span);
            let pointer = self.to_rvalue(lvalue);
            let ty = pointer.ty;
            let sum = Expr {
                kind: ExprKind::PtrAdd {
                    pointer: Box::new(pointer),
                    index: Box::new(dim.lower),
                    subtract: false,
                },
                ty,
                span,
            };
            lvalue = Expr { kind: ExprKind::Deref(Box::new(sum)), ty: dim.element, span };
        }
        lvalue
    }

    fn extent_expr(&mut self, array: TypeId, element: TypeId, extent: Option<u64>, span: Span) -> Expr {
        match extent {
            Some(n) => self.long(i128::from(n), span),
            None => {
                let (whole, one) = (self.long_size(array, span), self.long_size(element, span));
                self.long_div(whole, one)
            }
        }
    }

    fn section_bound(&mut self, what: &str, expr: Option<&ast::Expr>) -> Option<Expr> {
        let Some(expr) = expr else { return Some(self.long(0, Span::default())) };
        let value = self.rvalue(expr);
        if value.ty.ty == TypeId::ERROR {
            return None;
        }
        if !self.types.is_integer(value.ty.ty) {
            let text = self.type_text(value.ty);
            self.emit(
                Diagnostic::error(
                    ids::ARRAY_SECTION,
                    expr.span,
                    format!("the {what} of an array section must be an integer"),
                )
                .label(format!("this has type `{text}`")),
            );
            return None;
        }
        Some(self.as_long(value))
    }

    fn check_bounds(&mut self, dim: &Dim, step: &Step<'_>, first: bool) -> bool {
        let (lower, length) = (Dim::constant(&dim.lower), Dim::constant(&dim.length));
        let bad = |text: String| Diagnostic::error(ids::ARRAY_SECTION_BOUNDS, step.span, text);
        if lower.is_some_and(|l| l < 0) && !(dim.pointer && first) {
            self.emit(bad(format!("negative low bound {} of an array section", lower.unwrap_or(0))));
            return false;
        }
        if step.length.is_some() && length.is_some_and(|l| l < 0) {
            self.emit(bad(format!("negative length {} of an array section", length.unwrap_or(0))));
            return false;
        }
        let stride = dim.stride.as_ref().map_or(Some(1), Dim::constant);
        if let Some(stride) = stride.filter(|&stride| stride < 1) {
            self.emit(bad(format!("the stride {stride} of an array section is not positive")));
            return false;
        }
        let Some(extent) = dim.extent.map(i128::from) else { return true };
        if let Some(low) = lower
            && low > extent
        {
            self.emit(bad(format!(
                "low bound {low} is beyond the end of the array, which has {extent} elements"
            )));
            return false;
        }
        if let Some(length) = length
            && length > extent
        {
            self.emit(bad(format!("length {length} is more than the {extent} elements of the array")));
            return false;
        }
        if let (Some(low), Some(length), Some(stride)) = (lower, length, stride)
            && length > 0
        {
            let end = (length - 1).saturating_mul(stride).saturating_add(low + 1);
            if end > extent {
                self.emit(bad(format!("the section ends at {end}, but the array has {extent} elements")));
                return false;
            }
        }
        true
    }

    /// The mapped bytes of an item with at least one dimension.
    fn section_shape(&mut self, clause: MapKind, item: Item) -> Option<(VarId, DataShape)> {
        let Item { base, var, dims } = item;
        let mut groups: Vec<Vec<Dim>> = Vec::new();
        for dim in dims {
            if groups.is_empty() || dim.pointer {
                groups.push(Vec::new());
            }
            if let Some(group) = groups.last_mut() {
                group.push(dim);
            }
        }
        let through_pointer = groups.first().and_then(|g| g.first()).is_some_and(|d| d.pointer);
        let is_update = matches!(clause, MapKind::UpdateSelf | MapKind::UpdateDevice);
        let mut list = Vec::new();
        for group in groups {
            if !is_update {
                self.check_contiguous(&group)?;
            }
            list.push(self.runs(&group));
        }
        let mut list = list.into_iter();
        let runs = list.next()?;
        let rows = list.collect();
        let shape = if through_pointer {
            DataShape::Section { pointer: base, runs, rows }
        } else {
            DataShape::Part { array: base, runs, rows }
        };
        Some((var, shape))
    }

    /// An error for dimensions of one object that surely do not follow each other in memory.
    fn check_contiguous(&mut self, dims: &[Dim]) -> Option<()> {
        if let Some(dim) = dims.iter().find(|dim| dim.stride.is_some() && !dim.is_one()) {
            self.emit(
                Diagnostic::error(ids::NON_CONTIGUOUS_SECTION, dim.span, "array section is not contiguous")
                    .note("only `to` and `from` of `target update` take a stride"),
            );
            return None;
        }
        let partial = dims.iter().position(|d| !d.is_one());
        if let Some(partial) = partial
            && let Some(gap) = dims[partial + 1..].iter().find(|d| !d.may_be_whole())
        {
            self.emit(
                Diagnostic::error(ids::NON_CONTIGUOUS_SECTION, gap.span, "array section is not contiguous")
                    .related(dims[partial].span, "more than one row is selected here")
                    .note("only `update` takes parts of several rows"),
            );
            return None;
        }
        Some(())
    }

    /// The bytes that dimensions of one object select. Dimensions that surely follow each other in memory are
    /// one run; whether others do is seen when the directive is executed.
    fn runs(&mut self, dims: &[Dim]) -> Runs {
        let span = dims.last().map_or(Span::default(), |dim| dim.span);
        let element = dims.last().map_or(TypeId::ERROR, |dim| dim.element.ty);
        let mut runs = Runs::one(self.long(0, span), self.long_size(element, span));
        for dim in dims {
            let distance = self.long_size(dim.element.ty, span);
            let offset = self.long_mul(distance, dim.lower.clone());
            runs.lower = self.long_add(runs.lower, offset);
        }
        let mut follows = true;
        for dim in dims.iter().rev() {
            if dim.is_one() {
                // Which one is in `lower`.
            } else if follows && runs.strides.is_empty() && dim.stride.is_none() {
                runs.bytes = self.long_mul(runs.bytes, dim.length.clone());
            } else {
                let mut distance = self.long_size(dim.element.ty, span);
                if let Some(stride) = &dim.stride {
                    distance = self.long_mul(distance, stride.clone());
                }
                runs.strides.insert(0, (dim.length.clone(), distance));
            }
            follows = dim.is_whole();
        }
        runs
    }

    /// First byte and number of bytes of dimensions that follow each other in memory, or are taken as if they
    /// did: of rows that the program's values may select a part of, all is meant.
    pub(super) fn contiguous_run(&mut self, dims: &[Dim]) -> Option<(Expr, Expr)> {
        self.check_contiguous(dims)?;
        let inner = dims.last()?;
        let partial = dims.iter().position(|d| !d.is_one()).unwrap_or(dims.len());
        let span = inner.span;
        let (mut lower, mut bytes) = (self.long(0, span), self.long_size(inner.element.ty, span));
        for (index, dim) in dims.iter().enumerate() {
            let (first, length) = match dim.array.filter(|_| index > partial) {
                Some(array) => {
                    (self.long(0, span), self.extent_expr(array, dim.element.ty, dim.extent, span))
                }
                None => (dim.lower.clone(), dim.length.clone()),
            };
            bytes = self.long_mul(bytes, length);
            let distance = self.long_size(dim.element.ty, span);
            let offset = self.long_mul(distance, first);
            lower = self.long_add(lower, offset);
        }
        Some((lower, bytes))
    }
}

/// Whether a text is the name of a variable.
pub(super) fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// An object behind a pointer: `*p`, `p->x` or `p[i].x`.
pub(super) struct Behind<'a> {
    /// The lvalue `p`.
    pub pointer: &'a Expr,
    /// `i`, in elements.
    pub index: Option<&'a Expr>,
    /// The type of what `p` points to.
    pub element: TypeId,
}

/// Where an object is, if that is behind a pointer.
pub(super) fn behind(object: &Expr) -> Option<Behind<'_>> {
    let mut inner = object;
    while let ExprKind::Member(base, ..) = &inner.kind {
        inner = base;
    }
    let (ExprKind::Deref(pointer), element) = (&inner.kind, inner.ty.ty) else { return None };
    let (mut pointer, index) = match &pointer.kind {
        ExprKind::PtrAdd { pointer, index, subtract: false } => (pointer, Some(&**index)),
        _ => (pointer, None),
    };
    while let ExprKind::Cast(CastKind::Pointer, from) = &pointer.kind {
        pointer = from;
    }
    match &pointer.kind {
        ExprKind::Load(pointer) => Some(Behind { pointer, index, element }),
        _ => None,
    }
}

/// The pointer that a computed address starts from, and the distance in elements: `p` and `i` of `p + i`, `p`
/// with the type that a conversion gives it.
fn addressed_from(address: Expr) -> (Expr, Option<Expr>) {
    let ty = address.ty;
    let (mut pointer, offset) = match address.kind {
        ExprKind::PtrAdd { pointer, index, subtract: false } => (*pointer, Some(*index)),
        kind => (Expr { kind, ..address }, None),
    };
    while let ExprKind::Cast(CastKind::Pointer, from) | ExprKind::Load(from) = pointer.kind {
        pointer = Expr { ty, ..*from };
    }
    match pointer.kind {
        ExprKind::Decay(array) => (*array, offset),
        kind => (Expr { kind, ..pointer }, offset),
    }
}

pub(super) fn attaches(clause: MapKind) -> bool {
    matches!(clause, MapKind::Attach | MapKind::Detach)
}

/// The lvalue an item is about, without its section.
pub(super) fn item_base(item: &DataItem) -> &Expr {
    match &item.shape {
        DataShape::Object(e) | DataShape::Pointer(e) | DataShape::Part { array: e, .. } => e,
        DataShape::Section { pointer, .. } => pointer,
    }
}

/// The item is about the variable itself or what it points to, not about a member.
pub(super) fn covers(item: &DataItem, var: VarId) -> bool {
    !attaches(item.clause) && matches!(item_base(item).kind, ExprKind::Var(v) if v == var)
}
