//! Reductions among threads and tasks of the host: a private copy that starts at the identity, and is
//! combined with the original under the lock of reductions (OpenMP 5.2, 5.5).

use super::super::copies::Copies;
use super::super::ids;
use super::super::reduced::{Reduced, Reducer};
use super::super::target_region::GangTeam;
use super::super::visit::VisitMut;
use super::code::{Routine, block, declare, effect, stmt};
use super::private::Privates;
use crate::ctype::{ArrayLen, CType, FloatKind, QualType, TypeId};
use crate::diag::Diagnostic;
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
    pub copies: Copies,
    /// The copies start with what depends on their originals.
    pub reads_original: bool,
    objects: Vec<Object>,
}

/// Who combines private copies with their original.
#[derive(Clone, Copy)]
pub(super) enum Combiners {
    /// Each thread of a team, and nobody else.
    Threads,
    /// Each thread of a team, and tasks.
    ThreadsAndTasks,
    /// The one thread that executes the construct; it does not meet others there.
    OneThread,
}

/// A private copy whose tasks may take part in the reduction.
struct Object {
    item: Reduced,
    copy: VarId,
    /// Of an array or section: its first element here, how many there are, and their type.
    elements: Option<(VarId, VarId, TypeId)>,
}

impl Reducing {
    /// Lets code work on the copies.
    pub fn rewrite(&mut self, body: &mut Stmt) {
        self.copies.stmt(body);
    }
}

impl Sema<'_> {
    /// Private copies for the variables of `reduction` clauses, which threads of the host combine: by one
    /// atomic operation where nothing else is combined, and nobody else combines copies with the original, as
    /// tasks do under the lock.
    pub(super) fn reducing(&mut self, items: &[Reduced], by: Combiners, span: Span) -> Reducing {
        let (mut out, mut combined) = self.reducing_alone(items);
        if let Some(team) = self.gang_team() {
            match by {
                Combiners::OneThread => out.after = combined,
                _ => self.reduce_in_gang(team, &mut out, combined, span),
            }
            return out;
        }
        if let ([item], [object], Combiners::Threads) = (items, &out.objects[..], by)
            && let Some(update) = self.atomic_combination(item, object.copy)
        {
            combined.clear();
            out.after.push(update);
        }
        if out.reads_original {
            // Other tasks may be combining theirs with it.
            out.before.insert(0, self.do_routine(Routine::REDUCE_START, Vec::new(), span));
            out.before.push(self.do_routine(Routine::REDUCE_END, Vec::new(), span));
        }
        if !combined.is_empty() {
            out.after.push(self.do_routine(Routine::REDUCE_START, Vec::new(), span));
            out.after.extend(combined);
            out.after.push(self.do_routine(Routine::REDUCE_END, Vec::new(), span));
        }
        out
    }

    /// Lets the threads of a gang combine their copies: integers by atomic operations where there are some,
    /// the rest one thread after the other, so that the order of what is rounded is always the same.
    fn reduce_in_gang(&mut self, team: GangTeam, out: &mut Reducing, combined: Vec<Stmt>, span: Span) {
        let mut rest = Vec::new();
        for (object, combined) in std::mem::take(&mut out.objects).into_iter().zip(combined) {
            let is_exact = self.types.is_integer(self.vars[object.copy.0 as usize].ty.ty);
            let atomic = is_exact.then(|| self.atomic_combination(&object.item, object.copy)).flatten();
            match atomic {
                Some(update) => out.after.push(update),
                None => rest.push(combined),
            }
            out.objects.push(object);
        }
        if !rest.is_empty() {
            out.after.extend(self.in_turn(team, rest, span));
        }
    }

    /// Gives code of a device that one thread executes its private copies for variables that declared
    /// reductions combine.
    pub(super) fn with_reduced(&mut self, mut body: Stmt, items: &[Reduced]) -> Stmt {
        if items.is_empty() {
            return body;
        }
        let span = body.span;
        let (mut reducing, combined) = self.reducing_alone(items);
        reducing.rewrite(&mut body);
        let mut list = reducing.before;
        list.push(body);
        list.extend(combined);
        block(list, span)
    }

    /// Private copies, and apart from them what combines them with their originals, a statement for each.
    pub(super) fn reducing_alone(&mut self, items: &[Reduced]) -> (Reducing, Vec<Stmt>) {
        let mut out = Reducing {
            before: Vec::new(),
            after: Vec::new(),
            copies: Copies(FxHashMap::default()),
            reads_original: false,
            objects: Vec::new(),
        };
        let mut combined = Vec::new();
        for item in items {
            let element = self.reduced_element(item);
            match item.by {
                Reducer::Operator(op) if self.types.record(element.ty).is_some() => {
                    self.undeclared_reduction(op, item, element);
                    continue;
                }
                Reducer::Operator(_) => {}
                Reducer::Declared(index) => {
                    out.reads_original |= self.acc.declared_reductions[index].reads_original;
                }
            }
            match &item.section {
                None => self.reduce_scalar(item, &mut out, &mut combined),
                Some(section) => {
                    self.reduce_array(item, section.clone(), element.ty, &mut out, &mut combined)
                }
            }
        }
        (out, combined)
    }

    /// The type of what is combined: of an array, its elements.
    pub(super) fn reduced_element(&self, item: &Reduced) -> QualType {
        let ty = self.vars[item.var.0 as usize].ty.ty;
        match (self.types.get(ty), &item.section) {
            (CType::Pointer(target), Some(_)) => self.types.innermost_element(*target),
            _ => self.types.innermost_element(QualType::plain(ty)),
        }
    }

    fn undeclared_reduction(&mut self, op: ReductionOp, item: &Reduced, element: QualType) {
        let (name, ty) = (self.var_text(item.var), self.type_text(QualType::plain(element.ty)));
        let op = op.spelling();
        let message = format!("`{name}` is a structure, and no reduction `{op}` is declared for its type");
        let diagnostic = Diagnostic::error(ids::REDUCTION_TYPE, item.span, message);
        self.emit(diagnostic.note(format!("write `#pragma omp declare reduction({op} : {ty} : ...)`")));
    }

    fn reduce_scalar(&mut self, item: &Reduced, out: &mut Reducing, combined: &mut Vec<Stmt>) {
        let (span, ty) = (item.span, self.vars[item.var.0 as usize].ty.ty);
        let copy = self.copy_of(item.var);
        let original = self.original_of(item, span);
        match item.by {
            Reducer::Operator(op) => {
                let identity = self.identity(op, ty, span);
                out.before.push(declare(copy, Some(identity), span));
            }
            Reducer::Declared(index) => {
                out.before.extend(self.declared_start(index, copy, original.clone(), span));
            }
        }
        out.copies.0.insert(item.var, copy);
        out.objects.push(Object { item: item.clone(), copy, elements: None });
        let value = self.var_lvalue(copy, span);
        combined.push(self.fold(item.by, original, value, span));
    }

    /// Those of the items that are scalars and have an operator of the language.
    pub(super) fn scalars_of_operators(&self, items: &[Reduced]) -> Vec<ReductionItem> {
        let is_scalar = |item: &&Reduced| {
            item.section.is_none() && self.types.is_arithmetic(self.vars[item.var.0 as usize].ty.ty)
        };
        items.iter().filter(is_scalar).filter_map(|item| item.clone().by_operator().ok()).collect()
    }

    /// Gives the one thread that executes a loop copies of scalars, which begin with what these hold: no
    /// other access can see what becomes of them.
    pub(super) fn go_on_in_copies(&mut self, items: &[ReductionItem], privates: &mut Privates, span: Span) {
        for item in items {
            let copy = self.copy_of(item.var);
            let value = self.var_value(item.var, span);
            privates.before.push(declare(copy, Some(value), span));
            let value = self.var_value(copy, span);
            privates.after.push(self.assign_var(item.var, value, span));
            privates.reducing.copies.0.insert(item.var, copy);
        }
    }

    /// `original op= copy` as an atomic operation, if processors have one, or the number is a sum.
    fn atomic_combination(&mut self, item: &Reduced, copy: VarId) -> Option<Stmt> {
        let op = match item.by {
            Reducer::Operator(ReductionOp::Add) => BinaryOp::Add,
            Reducer::Operator(ReductionOp::BitAnd) => BinaryOp::BitAnd,
            Reducer::Operator(ReductionOp::BitOr) => BinaryOp::BitOr,
            Reducer::Operator(ReductionOp::BitXor) => BinaryOp::BitXor,
            Reducer::Operator(_) | Reducer::Declared(_) => return None,
        };
        let ty = self.vars[item.var.0 as usize].ty.ty;
        let is_word = self.types.is_real(ty) && matches!(self.types.size(ty), Some(4 | 8));
        if item.section.is_some() || !is_word {
            return None;
        }
        let x = self.original_of(item, item.span);
        self.mark_in_memory(&x);
        let value = self.var_value(copy, item.span);
        let update = Atomic::Update { x, op, value, reversed: false, compute: ty, capture: None };
        Some(stmt(StmtKind::Atomic(Box::new(update)), item.span))
    }

    /// What a scalar's copy is combined with.
    fn original_of(&mut self, item: &Reduced, span: Span) -> Expr {
        let Some(origin) = item.origin else { return self.var_lvalue(item.var, span) };
        let pointer = self.types.pointer_to(QualType::plain(self.vars[item.var.0 as usize].ty.ty));
        let address = self.var_value(origin, span);
        let address = self.convert(address, pointer);
        self.dereference(address, span)
    }

    /// A variable that points to the first element of what an array's copy is combined with.
    fn original_section(
        &mut self,
        item: &Reduced,
        pointer: TypeId,
        first: VarId,
        span: Span,
    ) -> (VarId, Stmt) {
        let Some(origin) = item.origin else { return self.section(item.var, pointer, Some(first), span) };
        let start = self.elements(origin, pointer, span);
        self.fresh(pointer, Some(start), span)
    }

    /// Finds where the tasks of a construct combine their copies: not with the copy that the task around has,
    /// which that one may be changing, but with the original.
    pub(super) fn find_origins(&mut self, items: &mut [Reduced], before: &mut Vec<Stmt>, span: Span) {
        for item in items.iter_mut().filter(|item| item.participates) {
            let address = self.reduced_address(item, span);
            let found = self.call_routine(Routine::REDUCE_ORIGIN, vec![address], span);
            let (origin, declared) = self.fresh(TypeId::VOID_PTR, Some(found), span);
            before.push(declared);
            item.origin = Some(origin);
        }
    }

    /// Where an item begins, by the name that it has here.
    fn reduced_address(&mut self, item: &Reduced, span: Span) -> Expr {
        let address = match &item.section {
            Some((lower, _)) => {
                let element = self.reduced_element(item).ty;
                let pointer = self.types.pointer_to(QualType::plain(element));
                let start = self.elements(item.var, pointer, span);
                self.op(BinaryOp::Add, start, lower.clone())
            }
            None => self.object_address(item.var, span),
        };
        self.convert(address, TypeId::VOID_PTR)
    }

    fn object_address(&mut self, var: VarId, span: Span) -> Expr {
        let lvalue = self.var_lvalue(var, span);
        self.mark_in_memory(&lvalue);
        self.address_of_lvalue(lvalue, span)
    }

    /// Lets [`Sema::find_origins`] know the copies of a construct whose tasks may take part in the reduction:
    /// what begins and what ends that.
    pub(super) fn known_copies(&mut self, reducing: &Reducing, span: Span) -> (Vec<Stmt>, Vec<Stmt>) {
        let (mut enter, mut leave) = (Vec::new(), Vec::new());
        for Object { item, copy, elements } in &reducing.objects {
            let (address, bytes) = match *elements {
                None => {
                    let bytes = self.types.size(self.vars[copy.0 as usize].ty.ty).unwrap_or_default();
                    (self.object_address(*copy, span), self.int_expr(i128::from(bytes), TypeId::SIZE, span))
                }
                Some((first, length, element)) => {
                    let size = self.types.size(element).unwrap_or_default();
                    let size = self.int_expr(i128::from(size), TypeId::SIZE, span);
                    let length = self.var_value(length, span);
                    let length = self.convert(length, TypeId::SIZE);
                    (self.var_value(first, span), self.op(BinaryOp::Mul, length, size))
                }
            };
            let address = self.convert(address, TypeId::VOID_PTR);
            let original = match item.origin {
                Some(origin) => self.var_value(origin, span),
                None => self.reduced_address(item, span),
            };
            leave.push(self.do_routine(Routine::REDUCE_LEAVE, vec![address.clone()], span));
            enter.push(self.do_routine(Routine::REDUCE_ENTER, vec![address, bytes, original], span));
        }
        leave.reverse();
        (enter, leave)
    }

    /// A `taskgroup` with `task_reduction` begins a reduction of its own, of what may be a task's copy: what
    /// lets [`Sema::find_origins`] know that, and what ends it.
    pub(super) fn reduction_begins(
        &mut self,
        items: &[Reduced],
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> (Vec<Stmt>, Vec<Stmt>) {
        let (mut enter, mut leave) = (Vec::new(), Vec::new());
        for item in items {
            let element = self.reduced_element(item).ty;
            let size = self.types.size(element).unwrap_or_default();
            let mut bytes = self.int_expr(i128::from(size), TypeId::SIZE, span);
            if let Some((_, count)) = &item.section {
                let count = self.convert(count.clone(), TypeId::SIZE);
                bytes = self.op(BinaryOp::Mul, count, bytes);
            }
            let address = self.reduced_address(item, span);
            let (start, declared) = self.fresh(TypeId::VOID_PTR, Some(address), span);
            before.push(declared);
            let start = self.var_value(start, span);
            leave.push(self.do_routine(Routine::REDUCE_LEAVE, vec![start.clone()], span));
            enter.push(self.do_routine(Routine::REDUCE_ENTER, vec![start.clone(), bytes, start], span));
        }
        leave.reverse();
        (enter, leave)
    }

    /// Combines what an lvalue holds with another one.
    pub(super) fn fold(&mut self, by: Reducer, original: Expr, value: Expr, span: Span) -> Stmt {
        match by {
            Reducer::Operator(op) => {
                let value = self.to_rvalue(value);
                self.combine(op, original, value, span)
            }
            Reducer::Declared(index) => self.declared_combination(index, original, value),
        }
    }

    /// An array's copy is an array as long as the section, which the copy of a pointer leads into.
    fn reduce_array(
        &mut self,
        item: &Reduced,
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
            self.vars[array.0 as usize].align = self.vars[item.var.0 as usize].copies_align;
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
        let filled = match item.by {
            Reducer::Operator(op) => {
                let identity = self.identity(op, element, span);
                self.each(length, span, |sema, index| {
                    let target = sema.element_at(own_first, index, span);
                    sema.assign(target, identity, span)
                })
            }
            Reducer::Declared(declared) => {
                let (original, declaration) = self.original_section(item, pointer, first, span);
                out.before.push(declaration);
                self.each(length, span, |sema, index| {
                    let target = sema.element_at(own_first, index.clone(), span);
                    let original = sema.element_at(original, index, span);
                    sema.declared_start_of_element(declared, target, original, span)
                })
            }
        };
        out.before.extend(filled);
        let elements = Some((own_first, length, element));
        out.objects.push(Object { item: item.clone(), copy, elements });
        let (original, declared) = self.original_section(item, pointer, first, span);
        let by = item.by;
        let [folded] = self.each(length, span, |sema, index| {
            let target = sema.element_at(original, index.clone(), span);
            let value = sema.element_at(own_first, index, span);
            sema.fold(by, target, value, span)
        });
        combined.push(block(vec![declared, folded], span));
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
    pub(super) fn section(
        &mut self,
        var: VarId,
        pointer: TypeId,
        first: Option<VarId>,
        span: Span,
    ) -> (VarId, Stmt) {
        let mut start = self.elements(var, pointer, span);
        if let Some(first) = first {
            let first = self.var_value(first, span);
            start = self.pointer_add(start, first, false, span);
        }
        self.fresh(pointer, Some(start), span)
    }

    /// `for (index = 0; index < length; index++) body`.
    pub(super) fn each(
        &mut self,
        length: VarId,
        span: Span,
        body: impl FnOnce(&mut Self, Expr) -> Stmt,
    ) -> [Stmt; 1] {
        let zero = self.int_expr(0, TypeId::LONG, span);
        let (index, declared) = self.fresh(TypeId::LONG, Some(zero), span);
        let value = self.var_value(index, span);
        let body = body(self, value);
        let loop_ = self.counting(index, length, vec![body], span);
        [block(vec![declared, loop_], span)]
    }

    /// `for (; index < bound; index++) body`.
    pub(super) fn counting(&mut self, index: VarId, bound: VarId, body: Vec<Stmt>, span: Span) -> Stmt {
        let step = self.increment(index, span);
        self.stepping(index, bound, step, body, span)
    }

    /// The same with another step.
    pub(super) fn stepping(
        &mut self,
        index: VarId,
        bound: VarId,
        step: Expr,
        body: Vec<Stmt>,
        span: Span,
    ) -> Stmt {
        let (a, b) = (self.var_value(index, span), self.var_value(bound, span));
        let condition = self.op(BinaryOp::Lt, a, b);
        let body = Box::new(block(body, span));
        let kind = StmtKind::For {
            init: Vec::new(),
            condition: Some(condition),
            step: Some(step),
            body,
            canonical: None,
            any_order: Vec::new(),
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
            ReductionOp::Declared(_) => unreachable!("what programs declare is a `Reducer::Declared`"),
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
        let lowest = -1i128 << (kind.size() * 8 - 1);
        let value = match (kind.is_signed(), least) {
            (true, true) => lowest,
            (true, false) => !lowest,
            (false, true) => 0,
            (false, false) if ty == TypeId::BOOL => 1,
            (false, false) => kind.wrap(-1),
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
            ReductionOp::Declared(_) => unreachable!("what programs declare is a `Reducer::Declared`"),
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
