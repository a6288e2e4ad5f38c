//! Typed code that constructs of the host's threads are spelled out as: calls of the runtime, and the
//! statements around them. `docs/design/tasks.md` lists what the runtime has.

use crate::ast;
use crate::ctype::{FloatKind, QualType, TypeId};
use crate::sema::Sema;
use crate::sema::builtins::Signature;
use crate::sema::literal::Encoding;
use crate::source::Span;
use crate::typed::*;

/// A function of the runtime: its name, and the letters of its type ([`Sema::signature_type`]).
#[derive(Clone, Copy)]
pub(super) struct Routine(&'static str, &'static str);

impl Routine {
    pub const DEFAULT_DEVICE: Routine = Routine("omp_get_default_device", "i:");
    pub const SET_DEFAULT_DEVICE: Routine = Routine("omp_set_default_device", "v:i");
    pub const DEVICE_POINTER: Routine = Routine("__accrue_omp_device_pointer", "p:p");
    pub const LOOP_START: Routine = Routine("__accrue_omp_loop_start", "i:Silmpp");
    pub const LOOP_NEXT: Routine = Routine("__accrue_omp_loop_next", "i:pp");
    pub const LOOP_MEMORY: Routine = Routine("__accrue_omp_loop_memory", "p:m");
    pub const LOOP_END: Routine = Routine("__accrue_omp_loop_end", "v:");
    pub const ORDERED_START: Routine = Routine("__accrue_omp_ordered_start", "v:m");
    pub const ORDERED_END: Routine = Routine("__accrue_omp_ordered_end", "v:");
    pub const ORDERED_ITERATION: Routine = Routine("__accrue_omp_ordered_iteration", "v:m");
    pub const ORDERED_CALLED: Routine = Routine("__accrue_omp_ordered_called", "v:");
    pub const ORDERED_LEFT: Routine = Routine("__accrue_omp_ordered_left", "v:");
    pub const DOACROSS: Routine = Routine("__accrue_omp_doacross", "v:m");
    pub const DOACROSS_WAIT: Routine = Routine("__accrue_omp_doacross_wait", "v:m");
    pub const DOACROSS_POST: Routine = Routine("__accrue_omp_doacross_post", "v:m");
    pub const SINGLE_START: Routine = Routine("__accrue_omp_single_start", "i:");
    pub const COPYPRIVATE_GIVE: Routine = Routine("__accrue_omp_copyprivate_give", "v:p");
    pub const COPYPRIVATE_TAKE: Routine = Routine("__accrue_omp_copyprivate_take", "p:");
    pub const BARRIER: Routine = Routine("__accrue_omp_barrier", "v:");
    pub const MEET: Routine = Routine(accrue_ir::MEET, "v:");
    pub const CANCEL: Routine = Routine("__accrue_omp_cancel", "i:ii");
    pub const CANCELLATION_POINT: Routine = Routine("__accrue_omp_cancellation_point", "i:i");
    pub const CANCEL_BARRIER: Routine = Routine("__accrue_omp_cancel_barrier", "i:");
    pub const ERROR: Routine = Routine("__accrue_omp_error", "v:SSi");
    pub const LEAGUE_START: Routine = Routine("__accrue_omp_league_start", "p:ii");
    pub const LEAGUE_NEXT: Routine = Routine("__accrue_omp_league_next", "i:p");
    pub const TEAM_NUM: Routine = Routine("omp_get_team_num", "i:");
    pub const NUM_TEAMS: Routine = Routine("omp_get_num_teams", "i:");
    pub const CRITICAL_START: Routine = Routine("__accrue_omp_critical_start", "v:p");
    pub const CRITICAL_END: Routine = Routine("__accrue_omp_critical_end", "v:p");
    pub const ALONE: Routine = Routine("__accrue_omp_alone", "v:");
    pub const REDUCE_START: Routine = Routine("__accrue_omp_reduce_start", "v:");
    pub const REDUCE_END: Routine = Routine("__accrue_omp_reduce_end", "v:");
    pub const REDUCE_ORIGIN: Routine = Routine("__accrue_omp_reduce_origin", "p:p");
    pub const REDUCE_ENTER: Routine = Routine("__accrue_omp_reduce_enter", "v:pmp");
    pub const REDUCE_LEAVE: Routine = Routine("__accrue_omp_reduce_leave", "v:p");
    pub const TASKWAIT: Routine = Routine("__accrue_omp_taskwait", "v:S");
    pub const TASKWAIT_DEPEND: Routine = Routine("__accrue_omp_taskwait_depend", "v:Spli");
    pub const TASKGROUP_START: Routine = Routine("__accrue_omp_taskgroup_start", "v:");
    pub const TASKGROUP_END: Routine = Routine("__accrue_omp_taskgroup_end", "v:");
    pub const TASKYIELD: Routine = Routine("__accrue_omp_taskyield", "v:");
    pub const TASKLOOP: Routine = Routine("__accrue_omp_taskloop", "v:m");
    pub const TASK_NUMBER: Routine = Routine("__accrue_omp_task_number", "m:");
    pub const EVENT: Routine = Routine("__accrue_omp_event", "p:");
    pub const THREAD_NUM: Routine = Routine("omp_get_thread_num", "i:");
    pub const NUM_THREADS: Routine = Routine("omp_get_num_threads", "i:");
    pub const MALLOC: Routine = Routine("malloc", "p:m");
    pub const FREE: Routine = Routine("free", "v:p");

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// A statement.
pub(super) fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

/// A block.
pub(super) fn block(list: Vec<Stmt>, span: Span) -> Stmt {
    stmt(StmtKind::Block(list), span)
}

/// `if (condition) then`.
pub(super) fn if_stmt(condition: Expr, then: Vec<Stmt>, span: Span) -> Stmt {
    stmt(StmtKind::If(condition, Box::new(block(then, span)), None), span)
}

/// `if` with an `else`.
pub(super) fn if_else(condition: Expr, then: Stmt, otherwise: Stmt) -> Stmt {
    let span = then.span;
    stmt(StmtKind::If(condition, Box::new(then), Some(Box::new(otherwise))), span)
}

/// An expression for its effects.
pub(super) fn effect(expr: Expr) -> Stmt {
    let span = expr.span;
    stmt(StmtKind::Expr(expr), span)
}

/// A declaration, perhaps with a value of the variable's type.
pub(super) fn declare(var: VarId, init: Option<Expr>, span: Span) -> Stmt {
    let init = init.map(|value| {
        let entry = InitEntry { offset: 0, bits: None, ty: value.ty.ty, value };
        Init { entries: vec![entry] }
    });
    stmt(StmtKind::Declare(var, init), span)
}

/// `condition ? then : otherwise` of two values of one type.
pub(super) fn conditional(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let (ty, span) = (then.ty, then.span);
    Expr { kind: ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)), ty, span }
}

impl Sema<'_> {
    /// A call of the runtime, whose arguments have the types of its parameters.
    pub(super) fn call_routine(&mut self, routine: Routine, args: Vec<Expr>, span: Span) -> Expr {
        let Routine(name, text) = routine;
        let signature = Signature { text, real: FloatKind::Double };
        let func = self.library_function(name, &signature, span);
        self.functions[func.0 as usize].referenced = true;
        let ty = self.functions[func.0 as usize].ty;
        let result = self.types.function(ty).map_or(QualType::plain(TypeId::VOID), |ty| ty.result);
        let callee = Expr { kind: ExprKind::Func(func), ty: QualType::plain(ty), span };
        Expr { kind: ExprKind::Call { callee: Box::new(callee), args }, ty: result, span }
    }

    /// The same as a statement.
    pub(super) fn do_routine(&mut self, routine: Routine, args: Vec<Expr>, span: Span) -> Stmt {
        effect(self.call_routine(routine, args, span))
    }

    /// File and line, for messages of the runtime.
    pub(super) fn place_argument(&mut self, span: Span) -> Expr {
        let text = format!("{}:{}", self.file_of(span), self.line_of(span));
        let elements: Vec<u32> = text.bytes().map(u32::from).collect();
        let string = self.string_expr(&elements, Encoding::Plain, span);
        let pointer = self.to_rvalue(string);
        let constant = ast::Qualifiers { const_: true, ..ast::Qualifiers::NONE };
        let ty = self.types.pointer_to(QualType::qualified(TypeId::CHAR, constant));
        self.convert(pointer, ty)
    }

    /// The value of a variable.
    pub(super) fn var_value(&mut self, var: VarId, span: Span) -> Expr {
        let lvalue = self.var_lvalue(var, span);
        self.to_rvalue(lvalue)
    }

    /// The address of a variable, as `void *`.
    pub(super) fn var_address(&mut self, var: VarId, span: Span) -> Expr {
        self.vars[var.0 as usize].in_memory = true;
        let lvalue = self.var_lvalue(var, span);
        let address = self.address_of_lvalue(lvalue, span);
        self.convert(address, TypeId::VOID_PTR)
    }

    /// `pointer[index]` of a variable that is a pointer or an array.
    pub(super) fn element_at(&mut self, pointer: VarId, index: Expr, span: Span) -> Expr {
        let start = self.var_value(pointer, span);
        let address = self.pointer_add(start, index, false, span);
        self.dereference(address, span)
    }

    /// `++var`.
    pub(super) fn increment(&mut self, var: VarId, span: Span) -> Expr {
        let target = Box::new(self.var_lvalue(var, span));
        let ty = QualType::plain(target.ty.ty);
        Expr { kind: ExprKind::IncDec { target, increment: true, prefix: true }, ty, span }
    }

    /// `var = value`, converted to its type.
    pub(super) fn assign_var(&mut self, var: VarId, value: Expr, span: Span) -> Stmt {
        let target = self.var_lvalue(var, span);
        self.assign(target, value, span)
    }

    /// `target = value`, converted to its type.
    pub(super) fn assign(&mut self, target: Expr, value: Expr, span: Span) -> Stmt {
        let ty = QualType::plain(target.ty.ty);
        let value = if value.ty.ty == ty.ty { value } else { self.convert(value, ty.ty) };
        effect(Expr { kind: ExprKind::Assign(Box::new(target), Box::new(value)), ty, span })
    }

    /// A new hidden variable that starts with a value, and its declaration.
    pub(super) fn fresh(&mut self, ty: TypeId, value: Option<Expr>, span: Span) -> (VarId, Stmt) {
        let var = self.hidden_var(QualType::plain(ty), span);
        let value = value.map(|value| self.convert(value, ty));
        (var, declare(var, value, span))
    }

    /// `a op b` of analysed values.
    pub(super) fn op(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let span = a.span;
        self.binary(op, span, a, b, span)
    }

    /// A whole object copied to another one of its type: arrays by their bytes.
    pub(super) fn copy_object(&mut self, to: Expr, from: Expr, span: Span) -> Stmt {
        let ty = to.ty.ty;
        if !self.types.is_array(ty) {
            let value = self.to_rvalue(from);
            return self.assign(to, value, span);
        }
        let size = self.size_expr(ty, span);
        let mut address = |lvalue: Expr| {
            self.mark_in_memory(&lvalue);
            let address = self.address_of_lvalue(lvalue, span);
            self.convert(address, TypeId::VOID_PTR)
        };
        let args = vec![address(to), address(from), size];
        effect(self.call_routine(Routine("memcpy", "p:pPm"), args, span))
    }
}
