//! Subarrays, and arrays of variable length, in `private` and `firstprivate`.
//!
//! A private subarray of an array is a private array. One through a pointer, `private(p[0:n])`, is what the
//! programmer would write by hand: an array declared in the body, with the pointer, private itself, set to
//! where its element 0 would be. For `firstprivate` the section comes to the device as with `copyin`, and the
//! array starts as a copy of it. An array of variable length is such an array, too, and the body means that
//! one.

use super::copies::Copies;
use super::ids;
use super::visit::VisitMut;
use crate::ast;
use crate::ctype::{ArrayLen, CType, IntKind, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind};
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{MapKind, MapModifiers};
use rustc_hash::FxHashMap;

/// What an item names in front of its brackets: the item itself, if it has none.
pub(super) fn without_brackets(item: &ast::Expr) -> &ast::Expr {
    let mut base = item;
    while let ast::ExprKind::Index(inner, _) | ast::ExprKind::Section(inner, _) = &base.kind {
        base = inner;
    }
    base
}

/// The variable in front of the brackets of an item, if it has any.
pub(super) fn bracketed(item: &ast::Expr) -> Option<&ast::Expr> {
    let base = without_brackets(item);
    (!std::ptr::eq(base, item)).then_some(base)
}

/// A subarray through a pointer.
struct Subarray {
    var: VarId,
    element: QualType,
    lower: Expr,
    length: Expr,
    span: Span,
}

impl Sema<'_> {
    /// Gives the body of a construct the arrays for subarrays in its `private` clauses; the pointers
    /// themselves are private by the clause.
    pub(super) fn private_subarrays(&mut self, clauses: &[&Clause], body: &mut Stmt) {
        let (mut list, mut pointers) = (Vec::new(), Vec::new());
        let mut copies = Copies(FxHashMap::default());
        for clause in clauses {
            let ClauseKind::Private(items) = &clause.kind else { continue };
            for item in items {
                if let Some(var) = self.variable_array(item) {
                    if copies.0.contains_key(&var) {
                        continue;
                    }
                    let own = self.own_variable(var, item.span, &mut list);
                    copies.0.insert(var, own);
                    continue;
                }
                let Some(subarray) = self.subarray("private", item) else { continue };
                if pointers.contains(&subarray.var) {
                    continue;
                }
                pointers.push(subarray.var);
                let array = self.own_array(&subarray, &mut list);
                list.push(self.point_to(subarray.var, array, subarray.lower));
            }
        }
        if !copies.0.is_empty() {
            copies.stmt(body);
        }
        prepend(list, body);
    }

    /// The same for `firstprivate`, whose sections are mapped, too.
    pub(super) fn firstprivate_subarrays(&mut self, clauses: &[&Clause], compute: &mut Compute) {
        let mut list = Vec::new();
        let mut copies = Copies(FxHashMap::default());
        for clause in clauses {
            let ClauseKind::FirstPrivate(items) = &clause.kind else { continue };
            for item in items {
                if let Some(var) = self.variable_array(item) {
                    if copies.0.contains_key(&var) {
                        continue;
                    }
                    let Some(copied) = self.copied_elements(var, item) else { continue };
                    let own = self.own_variable(var, item.span, &mut list);
                    list.push(self.copy_loop(&copied, own, Some(&copied.lower)));
                    copies.0.insert(var, own);
                    self.data_items(
                        MapKind::CopyIn,
                        MapModifiers::default(),
                        std::slice::from_ref(item),
                        &mut compute.data,
                    );
                    continue;
                }
                let Some(subarray) = self.subarray("firstprivate", item) else { continue };
                if copies.0.contains_key(&subarray.var) {
                    continue;
                }
                if self.types.is_array(subarray.element.ty) {
                    self.error(
                        ids::DATA_ITEM,
                        subarray.span,
                        "`firstprivate` of rows through a pointer is not supported by accrue",
                    );
                    continue;
                }
                let array = self.own_array(&subarray, &mut list);
                list.push(self.copy_loop(&subarray, array, None));
                let own = self.own_variable(subarray.var, subarray.span, &mut list);
                list.push(self.point_to(own, array, subarray.lower));
                copies.0.insert(subarray.var, own);
                self.data_items(
                    MapKind::CopyIn,
                    MapModifiers::default(),
                    std::slice::from_ref(item),
                    &mut compute.data,
                );
            }
        }
        if !copies.0.is_empty() {
            copies.stmt(&mut compute.body);
            prepend(list, &mut compute.body);
        }
    }

    /// The variable that an item names, if it is an array of variable length.
    fn variable_array(&self, item: &ast::Expr) -> Option<VarId> {
        let ast::ExprKind::Ident(name) = without_brackets(item).kind else { return None };
        let Some(Entity::Var(var)) = self.lookup(name) else { return None };
        self.types.is_vla(self.vars[var.0 as usize].ty.ty).then_some(var)
    }

    /// The elements of an array of variable length that an item of `firstprivate` names: those of a section,
    /// or all.
    fn copied_elements(&mut self, var: VarId, item: &ast::Expr) -> Option<Subarray> {
        let whole = self.whole(var, item.span)?;
        if bracketed(item).is_none() {
            return Some(whole);
        }
        let dim = self.section_item("firstprivate", item)?.dims.into_iter().next()?;
        Some(Subarray { lower: dim.lower, length: dim.length, ..whole })
    }

    /// All of an array of variable length.
    fn whole(&mut self, var: VarId, span: Span) -> Option<Subarray> {
        let CType::Array(element, ArrayLen::Variable(count)) =
            *self.types.get(self.vars[var.0 as usize].ty.ty)
        else {
            return None;
        };
        if self.types.is_array(element.ty) {
            self.error(
                ids::DATA_ITEM,
                span,
                "`firstprivate` of an array of variable length with several dimensions is not supported by accrue",
            );
            return None;
        }
        let count = self.var_lvalue(count, span);
        let length = self.to_rvalue(count);
        Some(Subarray { var, element, lower: self.long(0, span), length, span })
    }

    /// Declares a variable of the type and name of another.
    fn own_variable(&mut self, var: VarId, span: Span, list: &mut Vec<Stmt>) -> VarId {
        let ty = QualType::plain(self.vars[var.0 as usize].ty.ty);
        let own = self.hidden_var(ty, span);
        self.vars[own.0 as usize].name = self.vars[var.0 as usize].name;
        list.push(Stmt { kind: StmtKind::Declare(own, None), span });
        own
    }

    /// An item that is a subarray through a pointer variable. What is wrong with its name has been reported.
    fn subarray(&mut self, clause: &str, item: &ast::Expr) -> Option<Subarray> {
        let ast::ExprKind::Ident(name) = bracketed(item)?.kind else { return None };
        let Some(Entity::Var(var)) = self.lookup(name) else { return None };
        let section = self.section_item(clause, item)?;
        if !self.types.is_pointer(self.vars[var.0 as usize].ty.ty) {
            return None;
        }
        if section.dims.iter().skip(1).any(|dim| dim.pointer) {
            self.emit(
                Diagnostic::error(
                    ids::NON_CONTIGUOUS_SECTION,
                    item.span,
                    format!("`{clause}` does not take sections of several pointers"),
                )
                .note("declare an array inside of the construct"),
            );
            return None;
        }
        let dim = section.dims.into_iter().next()?;
        Some(Subarray { var, element: dim.element, lower: dim.lower, length: dim.length, span: item.span })
    }

    /// Declares the array.
    fn own_array(&mut self, subarray: &Subarray, list: &mut Vec<Stmt>) -> VarId {
        let span = subarray.span;
        let length = match self.const_int(&subarray.length).and_then(|length| u64::try_from(length).ok()) {
            Some(length) => ArrayLen::Known(length.max(1)),
            None => {
                let count = self.hidden_var(QualType::plain(TypeId::SIZE), span);
                let length = self.convert(subarray.length.clone(), TypeId::SIZE);
                list.push(Stmt { kind: StmtKind::VlaSize(count, length), span });
                ArrayLen::Variable(count)
            }
        };
        let element = QualType::plain(subarray.element.ty);
        let ty = QualType::plain(self.types.array_of(element, length));
        let array = self.hidden_var(ty, span);
        list.push(Stmt { kind: StmtKind::Declare(array, None), span });
        array
    }

    /// `pointer = array - lower`.
    fn point_to(&mut self, pointer: VarId, array: VarId, lower: Expr) -> Stmt {
        let span = lower.span;
        let target = self.var_lvalue(pointer, span);
        let first = self.var_lvalue(array, span);
        let first = self.to_rvalue(first);
        let first = self.pointer_add(first, lower, true, span);
        let value = self.convert(first, target.ty.ty);
        let ty = QualType::plain(target.ty.ty);
        let assign = Expr { kind: ExprKind::Assign(Box::new(target), Box::new(value)), ty, span };
        Stmt { kind: StmtKind::Expr(assign), span }
    }

    /// `for (i = 0; i < length; i++) array[first + i] = pointer[lower + i];`, `first` being 0 if it is not
    /// given.
    fn copy_loop(&mut self, subarray: &Subarray, array: VarId, first: Option<&Expr>) -> Stmt {
        let span = subarray.span;
        let long = QualType::plain(IntKind::Long.type_id());
        let counter = self.hidden_var(long, span);
        let target = self.var_lvalue(counter, span);
        let read = self.to_rvalue(target.clone());
        let zero = Init {
            entries: vec![InitEntry { offset: 0, bits: None, ty: long.ty, value: self.long(0, span) }],
        };
        let condition =
            ExprKind::Binary(ast::BinaryOp::Lt, Box::new(read.clone()), Box::new(subarray.length.clone()));
        let condition = Expr { kind: condition, ty: QualType::plain(IntKind::Int.type_id()), span };
        let step = ExprKind::IncDec { target: Box::new(target), increment: true, prefix: true };
        let from = self.long_add(subarray.lower.clone(), read.clone());
        let value = self.element(subarray.var, from, subarray.element);
        let value = self.to_rvalue(value);
        let to = match first {
            Some(first) => self.long_add(first.clone(), read),
            None => read,
        };
        let place = self.element(array, to, QualType::plain(subarray.element.ty));
        let assign = Expr {
            ty: QualType::plain(subarray.element.ty),
            kind: ExprKind::Assign(Box::new(place), Box::new(value)),
            span,
        };
        let body = Box::new(Stmt { kind: StmtKind::Expr(assign), span });
        let init = vec![Stmt { kind: StmtKind::Declare(counter, Some(zero)), span }];
        let step = Some(Expr { kind: step, ty: long, span });
        let kind = StmtKind::For {
            init,
            condition: Some(condition),
            step,
            body,
            canonical: None,
            any_order: Vec::new(),
        };
        Stmt { kind: StmtKind::Block(vec![Stmt { kind, span }]), span }
    }

    /// `var[index]`, an lvalue.
    fn element(&mut self, var: VarId, index: Expr, ty: QualType) -> Expr {
        let span = index.span;
        let base = self.var_lvalue(var, span);
        let base = self.to_rvalue(base);
        let pointer = self.pointer_add(base, index, false, span);
        Expr { kind: ExprKind::Deref(Box::new(pointer)), ty, span }
    }
}

/// Puts statements in front of a body.
fn prepend(mut list: Vec<Stmt>, body: &mut Stmt) {
    if list.is_empty() {
        return;
    }
    let span = body.span;
    let inner = std::mem::replace(body, Stmt { kind: StmtKind::Block(Vec::new()), span });
    list.push(inner);
    body.kind = StmtKind::Block(list);
}
