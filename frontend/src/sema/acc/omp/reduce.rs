//! Reductions among threads and tasks of the host: a private copy that starts at the identity, and is
//! combined with the original under the lock of reductions (OpenMP 5.2, 5.5).

use super::super::copies::Copies;
use super::super::ids;
use super::super::visit::VisitMut;
use super::code::{Routine, block, declare, effect, stmt};
use crate::ctype::{ArrayLen, CType, FloatKind, QualType, TypeId};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::ReductionOp;
use rustc_hash::FxHashMap;

/// The private copies of a reduction.
pub(super) struct Reducing {
    /// Declares them.
    pub before: Vec<Stmt>,
    /// Combines them with their originals.
    pub after: Vec<Stmt>,
    /// What stands for which variable in between.
    copies: Copies,
}

impl Reducing {
    /// Lets code work on the copies.
    pub fn rewrite(&mut self, body: &mut Stmt) {
        self.copies.stmt(body);
    }
}

impl Sema<'_> {
    /// Private copies for the variables of `reduction` clauses.
    pub(super) fn reducing(&mut self, items: &[ReductionItem], span: Span) -> Reducing {
        let mut out =
            Reducing { before: Vec::new(), after: Vec::new(), copies: Copies(FxHashMap::default()) };
        let mut combined = Vec::new();
        for item in items {
            let ty = self.vars[item.var.0 as usize].ty.ty;
            let element = match (self.types.get(ty), &item.section) {
                (CType::Pointer(target), Some(_)) => self.types.innermost_element(*target),
                _ => self.types.innermost_element(QualType::plain(ty)),
            };
            if self.types.record(element.ty).is_some() {
                let name = self.var_text(item.var);
                let message = format!(
                    "`{name}` is a structure: OpenMP reduces them by `declare reduction`, which is not supported"
                );
                self.error(ids::OMP_UNSUPPORTED, item.span, message);
                continue;
            }
            match &item.section {
                None => self.reduce_scalar(item, &mut out, &mut combined),
                Some(section) => {
                    self.reduce_array(item, section.clone(), element.ty, &mut out, &mut combined)
                }
            }
        }
        if !combined.is_empty() {
            out.after.push(self.do_routine(Routine::REDUCE_START, Vec::new(), span));
            out.after.extend(combined);
            out.after.push(self.do_routine(Routine::REDUCE_END, Vec::new(), span));
        }
        out
    }

    fn reduce_scalar(&mut self, item: &ReductionItem, out: &mut Reducing, combined: &mut Vec<Stmt>) {
        let (span, ty) = (item.span, self.vars[item.var.0 as usize].ty.ty);
        let copy = self.copy_of(item.var);
        let identity = self.identity(item.op, ty, span);
        out.before.push(declare(copy, Some(identity), span));
        out.copies.0.insert(item.var, copy);
        let original = self.var_lvalue(item.var, span);
        let value = self.var_value(copy, span);
        combined.push(self.combine(item.op, original, value, span));
    }

    /// An array's copy is an array as long as the section, which the copy of a pointer leads into.
    fn reduce_array(
        &mut self,
        item: &ReductionItem,
        (lower, count): (Expr, Expr),
        element: TypeId,
        out: &mut Reducing,
        combined: &mut Vec<Stmt>,
    ) {
        let (span, ty) = (item.span, self.vars[item.var.0 as usize].ty.ty);
        let (first, first_declared) = self.fresh(TypeId::LONG, Some(lower), span);
        let (length, length_declared) = self.fresh(TypeId::LONG, Some(count), span);
        out.before.extend([first_declared, length_declared]);
        let pointer = self.types.pointer_to(QualType::plain(element));
        let is_pointer = self.types.is_pointer(ty);
        let copy = self.copy_of(item.var);
        let own = if is_pointer {
            let array = self.run_time_array(element, length, &mut out.before, span);
            let start = self.elements(array, pointer, span);
            let first = self.var_value(first, span);
            let biased = self.pointer_add(start, first, true, span);
            let biased = self.convert(biased, ty);
            out.before.push(declare(copy, Some(biased), span));
            array
        } else {
            out.before.push(declare(copy, None, span));
            copy
        };
        out.copies.0.insert(item.var, copy);
        let (own_first, declared) = self.section(own, pointer, (!is_pointer).then_some(first), span);
        out.before.push(declared);
        let identity = self.identity(item.op, element, span);
        let filled = self.each(length, span, |sema, index| {
            let target = sema.element_at(own_first, index, span);
            sema.assign(target, identity, span)
        });
        out.before.extend(filled);
        let (original, declared) = self.section(item.var, pointer, Some(first), span);
        combined.push(declared);
        let op = item.op;
        let folded = self.each(length, span, |sema, index| {
            let target = sema.element_at(original, index, span);
            let value = sema.element_at(own_first, index, span);
            let value = sema.to_rvalue(value);
            sema.combine(op, target, value, span)
        });
        combined.extend(folded);
    }

    /// An array of as many elements as a variable says.
    pub(super) fn run_time_array(
        &mut self,
        element: TypeId,
        length: VarId,
        out: &mut Vec<Stmt>,
        span: Span,
    ) -> VarId {
        let size = self.hidden_var(QualType::plain(TypeId::SIZE), span);
        let count = self.var_value(length, span);
        let count = self.convert(count, TypeId::SIZE);
        out.push(stmt(StmtKind::VlaSize(size, count), span));
        let ty = self.types.array_of(QualType::plain(element), ArrayLen::Variable(size));
        let array = self.hidden_var(QualType::plain(ty), span);
        out.push(declare(array, None, span));
        array
    }

    /// An array's first element, or where a pointer leads.
    fn elements(&mut self, var: VarId, pointer: TypeId, span: Span) -> Expr {
        let value = self.var_value(var, span);
        self.convert(value, pointer)
    }

    /// A variable that points to an element of an array or behind a pointer, and its declaration.
    fn section(&mut self, var: VarId, pointer: TypeId, first: Option<VarId>, span: Span) -> (VarId, Stmt) {
        let mut start = self.elements(var, pointer, span);
        if let Some(first) = first {
            let first = self.var_value(first, span);
            start = self.pointer_add(start, first, false, span);
        }
        self.fresh(pointer, Some(start), span)
    }

    /// `pointer[index]`.
    fn element_at(&mut self, pointer: VarId, index: VarId, span: Span) -> Expr {
        let (pointer, index) = (self.var_value(pointer, span), self.var_value(index, span));
        let address = self.pointer_add(pointer, index, false, span);
        self.dereference(address, span)
    }

    /// `for (index = 0; index < length; index++) body`.
    fn each(&mut self, length: VarId, span: Span, body: impl FnOnce(&mut Self, VarId) -> Stmt) -> [Stmt; 1] {
        let zero = self.int_expr(0, TypeId::LONG, span);
        let (index, declared) = self.fresh(TypeId::LONG, Some(zero), span);
        let body = body(self, index);
        let loop_ = self.counting(index, length, vec![body], span);
        [block(vec![declared, loop_], span)]
    }

    /// `for (; index < bound; index++) body`.
    pub(super) fn counting(&mut self, index: VarId, bound: VarId, body: Vec<Stmt>, span: Span) -> Stmt {
        let (a, b) = (self.var_value(index, span), self.var_value(bound, span));
        let condition = self.op(BinaryOp::Lt, a, b);
        let target = Box::new(self.var_lvalue(index, span));
        let ty = QualType::plain(self.vars[index.0 as usize].ty.ty);
        let step = Expr { kind: ExprKind::IncDec { target, increment: true, prefix: true }, ty, span };
        let body = Box::new(block(body, span));
        let kind = StmtKind::For {
            init: Vec::new(),
            condition: Some(condition),
            step: Some(step),
            body,
            canonical: None,
        };
        stmt(kind, span)
    }

    /// The identity of an operator.
    fn identity(&mut self, op: ReductionOp, ty: TypeId, span: Span) -> Expr {
        let value = match op {
            ReductionOp::Add | ReductionOp::BitOr | ReductionOp::BitXor | ReductionOp::LogOr => 0,
            ReductionOp::Mul | ReductionOp::LogAnd => 1,
            ReductionOp::BitAnd => -1,
            ReductionOp::Max | ReductionOp::Min => return self.extreme(op == ReductionOp::Max, ty, span),
        };
        let value = self.int_expr(value, TypeId::INT, span);
        self.convert(value, ty)
    }

    /// The least value of a type, or the greatest.
    fn extreme(&mut self, least: bool, ty: TypeId, span: Span) -> Expr {
        let Some(kind) = self.types.int_kind(ty) else {
            let infinity = if least { f64::NEG_INFINITY } else { f64::INFINITY };
            let kind = ExprKind::Float(FloatConst::Double(infinity));
            let value = Expr { kind, ty: QualType::plain(FloatKind::Double.type_id()), span };
            return self.convert(value, ty);
        };
        let bits = kind.size() as u32 * 8;
        let value = match (kind.is_signed(), least) {
            (true, true) => -(1i128 << (bits - 1)),
            (true, false) => (1i128 << (bits - 1)) - 1,
            (false, true) => 0,
            (false, false) if ty == TypeId::BOOL => 1,
            (false, false) => (1i128 << bits) - 1,
        };
        Expr { kind: ExprKind::Int(value), ty: QualType::plain(ty), span }
    }

    /// `original = original op value`.
    fn combine(&mut self, op: ReductionOp, original: Expr, value: Expr, span: Span) -> Stmt {
        let old = self.to_rvalue(original.clone());
        let binary = match op {
            ReductionOp::Add => BinaryOp::Add,
            ReductionOp::Mul => BinaryOp::Mul,
            ReductionOp::BitAnd => BinaryOp::BitAnd,
            ReductionOp::BitOr => BinaryOp::BitOr,
            ReductionOp::BitXor => BinaryOp::BitXor,
            ReductionOp::LogAnd => BinaryOp::LogAnd,
            ReductionOp::LogOr => BinaryOp::LogOr,
            ReductionOp::Max | ReductionOp::Min => {
                let cmp = if op == ReductionOp::Max { BinaryOp::Gt } else { BinaryOp::Lt };
                let better = self.op(cmp, value.clone(), old);
                let taken = self.assign(original, value, span);
                return super::code::if_stmt(better, vec![taken], span);
            }
        };
        let result = self.op(binary, old, value);
        let ty = original.ty.ty;
        let result = self.convert(result, ty);
        let kind = ExprKind::Assign(Box::new(original), Box::new(result));
        effect(Expr { kind, ty: QualType::plain(ty), span })
    }
}
