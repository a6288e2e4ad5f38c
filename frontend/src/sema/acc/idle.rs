//! Warns of threads that a construct asks for and has no work for: `gang vector_length(128)` on a loop that
//! `vector` does not share leaves 127 of 128 lanes idle.

use super::ids;
use super::levels::{available, bits, explicit};
use super::visit::{Visit, walk_expr, walk_stmt};
use crate::diag::Diagnostic;
use crate::sema::Sema;
use crate::typed::*;
use accrue_ir::{ConstructKind, LoopKind};

/// The levels that may share something of a construct.
struct Shared<'a> {
    functions: &'a [Function],
    levels: u8,
    /// Functions without a directive may have loops that threads share, as those of OpenMP.
    calls_are_open: bool,
}

impl Visit for Shared<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Loop(l) = &stmt.kind {
            let named = explicit(l);
            // The compiler gives a loop without levels those that are free.
            let is_open = named == 0 && l.kind != LoopKind::Seq;
            self.levels |= if is_open { u8::MAX } else { named };
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call { callee, .. } => {
                self.levels |= match callee.kind {
                    ExprKind::Func(function) => {
                        let routine = self.functions[function.0 as usize].routine.as_ref();
                        let otherwise = if self.calls_are_open { u8::MAX } else { 0 };
                        routine.map_or(otherwise, |routine| available(routine.level))
                    }
                    _ => u8::MAX,
                };
            }
            // Who asks for the number of a thread knows that there are several.
            ExprKind::Builtin(Builtin::ParlevelId | Builtin::ParlevelSize, _) => self.levels = u8::MAX,
            _ => {}
        }
        walk_expr(self, expr);
    }
}

impl Sema<'_> {
    /// Looks at the compute constructs of a function.
    pub(super) fn warn_idle_threads(&mut self, body: &FunctionBody) {
        struct Constructs<'a, 's>(&'a mut Sema<'s>);
        impl Visit for Constructs<'_, '_> {
            fn stmt(&mut self, stmt: &Stmt) {
                if let StmtKind::Compute(compute) = &stmt.kind {
                    self.0.idle_threads(compute);
                }
                walk_stmt(self, stmt);
            }
        }
        let mut constructs = Constructs(self);
        body.body.iter().for_each(|stmt| constructs.stmt(stmt));
    }

    fn idle_threads(&mut self, compute: &Compute) {
        // In `kernels` the compiler finds loops of its own.
        if compute.kind != ConstructKind::Parallel {
            return;
        }
        let [_, workers, lanes] = compute.dims.sizes();
        if workers.is_none() && lanes.is_none() {
            return;
        }
        let calls_are_open = compute.defaultmap.is_some();
        let mut shared = Shared { functions: &self.functions, levels: 0, calls_are_open };
        shared.stmt(&compute.body);
        let levels = shared.levels;
        let clauses = [
            (lanes, bits::VECTOR, "vector_length", "lanes", "vector"),
            (workers, bits::WORKER, "num_workers", "workers", "worker"),
        ];
        for (size, level, clause, threads, name) in clauses {
            let Some(size) = size.filter(|_| levels & level == 0) else { continue };
            let idle = match self.const_int(size) {
                Some(..=1) => continue,
                Some(count) => format!("{} of {count} {threads} are idle", count - 1),
                None => format!("all {threads} but one are idle"),
            };
            let message = format!("{idle}: no loop of the construct is shared by `{name}`");
            self.emit(
                Diagnostic::warning(ids::IDLE_THREADS, size.span, message)
                    .related(compute.span, "the construct")
                    .note(format!("add `{name}` to a loop, or leave `{clause}` out")),
            );
        }
    }
}
