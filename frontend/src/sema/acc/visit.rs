//! Walks over the typed tree, reading and rewriting. Both are one macro, so that they cannot disagree about
//! what a node contains. Children are visited in the order of the source.

use crate::source::Span;
use crate::typed::*;

macro_rules! walkers {
    (
        $(#[$doc:meta])*
        $visit:ident, $walk_stmt:ident, $walk_expr:ident, $walk_init:ident, $walk_data:ident, $walk_reduction:ident,
        $walk_scheduling:ident, $walk_loop:ident, $walk_canonical:ident, $walk_compute:ident, $walk_atomic:ident,
        $values:ident, [$($mutability:tt)?]
    ) => {
        $(#[$doc])*
        #[allow(missing_docs, reason = "one method per kind of node")]
        pub trait $visit {
            fn stmt(&mut self, stmt: &$($mutability)? Stmt) {
                $walk_stmt(self, stmt);
            }
            fn expr(&mut self, expr: &$($mutability)? Expr) {
                $walk_expr(self, expr);
            }
        }

        /// Visits what the statement contains.
        pub fn $walk_stmt<V: $visit + ?Sized>(v: &mut V, stmt: &$($mutability)? Stmt) {
            match &$($mutability)? stmt.kind {
                StmtKind::Expr(e) | StmtKind::GotoComputed(e) | StmtKind::Cleanup(e) => v.expr(e),
                StmtKind::Block(list) => {
                    for s in list {
                        v.stmt(s);
                    }
                }
                StmtKind::Declare(_, init) => {
                    if let Some(init) = init {
                        $walk_init(v, init);
                    }
                }
                StmtKind::VlaSize(_, e) => v.expr(e),
                StmtKind::If(condition, then, otherwise) => {
                    v.expr(condition);
                    v.stmt(then);
                    if let Some(s) = otherwise {
                        v.stmt(s);
                    }
                }
                StmtKind::While(condition, body) => {
                    v.expr(condition);
                    v.stmt(body);
                }
                StmtKind::DoWhile(body, condition) => {
                    v.stmt(body);
                    v.expr(condition);
                }
                StmtKind::For { init, condition, step, body, canonical, any_order: _ } => {
                    for s in init {
                        v.stmt(s);
                    }
                    if let Some(e) = condition {
                        v.expr(e);
                    }
                    if let Some(e) = step {
                        v.expr(e);
                    }
                    v.stmt(body);
                    if let Some(canonical) = canonical {
                        $walk_canonical(v, canonical);
                    }
                }
                StmtKind::Switch { value, body, cases: _, default: _ } => {
                    v.expr(value);
                    v.stmt(body);
                }
                StmtKind::Case(_, s) | StmtKind::Label(_, s) => v.stmt(s),
                StmtKind::Return(e) => {
                    if let Some(e) = e {
                        v.expr(e);
                    }
                }
                StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Barrier => {}
                StmtKind::Compute(c) => $walk_compute(v, c),
                StmtKind::Loop(l) => $walk_loop(v, l),
                StmtKind::Data(d) => {
                    $walk_scheduling(v, &$($mutability)? d.scheduling);
                    $walk_data(v, &$($mutability)? d.data);
                    v.stmt(&$($mutability)? d.body);
                }
                StmtKind::HostData(h) => {
                    $walk_scheduling(v, &$($mutability)? h.scheduling);
                    v.stmt(&$($mutability)? h.body);
                }
                StmtKind::Executable(x) => {
                    $walk_scheduling(v, &$($mutability)? x.scheduling);
                    $walk_data(v, &$($mutability)? x.data);
                    x.$values().for_each(|e| v.expr(e));
                }
                StmtKind::Atomic(a) => $walk_atomic(v, a),
                StmtKind::DeclareData(items) => $walk_data(v, items),
                StmtKind::OmpInline(list, body) => {
                    for e in list {
                        v.expr(e);
                    }
                    v.stmt(body);
                }
                StmtKind::Threaded(t) => {
                    $walk_scheduling(v, &$($mutability)? t.scheduling);
                    if let Some(e) = &$($mutability)? t.num_threads {
                        v.expr(e);
                    }
                    v.stmt(&$($mutability)? t.body);
                }
            }
        }

        /// Visits what the expression contains.
        pub fn $walk_expr<V: $visit + ?Sized>(v: &mut V, expr: &$($mutability)? Expr) {
            match &$($mutability)? expr.kind {
                ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Var(_)
                | ExprKind::Func(_)
                | ExprKind::String(_)
                | ExprKind::ConditionValue
                | ExprKind::LabelAddr(_) => {}
                ExprKind::Load(e)
                | ExprKind::Decay(e)
                | ExprKind::AddrOf(e)
                | ExprKind::Deref(e)
                | ExprKind::Member(e, _, _)
                | ExprKind::Part(e, _)
                | ExprKind::Unary(_, e)
                | ExprKind::Cast(_, e)
                | ExprKind::VaArg(e)
                | ExprKind::IncDec { target: e, .. } => v.expr(e),
                ExprKind::Complex(a, b)
                | ExprKind::PtrAdd { pointer: a, index: b, subtract: _ }
                | ExprKind::PtrDiff(a, b)
                | ExprKind::Binary(_, a, b)
                | ExprKind::Assign(a, b)
                | ExprKind::AssignOp { target: a, value: b, .. }
                | ExprKind::Comma(a, b) => {
                    v.expr(a);
                    v.expr(b);
                }
                ExprKind::Conditional(a, b, c)
                | ExprKind::Elvis { condition: a, convert: b, otherwise: c } => {
                    v.expr(a);
                    v.expr(b);
                    v.expr(c);
                }
                ExprKind::Call { callee, args } => {
                    v.expr(callee);
                    for e in args {
                        v.expr(e);
                    }
                }
                ExprKind::StmtExpr(list, last) => {
                    for s in list {
                        v.stmt(s);
                    }
                    if let Some(e) = last {
                        v.expr(e);
                    }
                }
                ExprKind::CompoundLiteral(_, init) => {
                    if let Some(init) = init {
                        $walk_init(v, init);
                    }
                }
                ExprKind::Builtin(_, args) => {
                    for e in args {
                        v.expr(e);
                    }
                }
            }
        }

        fn $walk_init<V: $visit + ?Sized>(v: &mut V, init: &$($mutability)? Init) {
            for entry in &$($mutability)? init.entries {
                v.expr(&$($mutability)? entry.value);
            }
        }

        /// Visits the expressions of data items.
        pub fn $walk_data<V: $visit + ?Sized>(v: &mut V, items: &$($mutability)? [DataItem]) {
            for item in items {
                match &$($mutability)? item.shape {
                    DataShape::Object(e) | DataShape::Pointer(e) => v.expr(e),
                    DataShape::Part { array: base, runs, rows }
                    | DataShape::Section { pointer: base, runs, rows } => {
                        v.expr(base);
                        for Runs { lower, bytes, strides } in std::iter::once(runs).chain(rows) {
                            v.expr(lower);
                            v.expr(bytes);
                            for (count, distance) in strides {
                                v.expr(count);
                                v.expr(distance);
                            }
                        }
                    }
                }
            }
        }

        fn $walk_reduction<V: $visit + ?Sized>(v: &mut V, items: &$($mutability)? [ReductionItem]) {
            for item in items {
                if let Some((lower, count)) = &$($mutability)? item.section {
                    v.expr(lower);
                    v.expr(count);
                }
            }
        }

        fn $walk_scheduling<V: $visit + ?Sized>(v: &mut V, s: &$($mutability)? Scheduling) {
            s.$values().for_each(|e| v.expr(e));
        }

        fn $walk_canonical<V: $visit + ?Sized>(v: &mut V, l: &$($mutability)? CanonicalLoop) {
            v.expr(&$($mutability)? l.init);
            v.expr(&$($mutability)? l.bound);
            v.expr(&$($mutability)? l.step);
        }

        /// Visits a loop construct: clauses, associated loops, body.
        pub fn $walk_loop<V: $visit + ?Sized>(v: &mut V, l: &$($mutability)? LoopConstruct) {
            if let Some(gang) = &$($mutability)? l.gang {
                if let Some(e) = &$($mutability)? gang.num {
                    v.expr(e);
                }
                if let Some(Some(e)) = &$($mutability)? gang.static_ {
                    v.expr(e);
                }
            }
            for e in [&$($mutability)? l.worker, &$($mutability)? l.vector] {
                if let Some(Some(e)) = e {
                    v.expr(e);
                }
            }
            for e in &$($mutability)? l.tile {
                if let Some(e) = e {
                    v.expr(e);
                }
            }
            $walk_reduction(v, &$($mutability)? l.reductions);
            for canonical in &$($mutability)? l.loops {
                $walk_canonical(v, canonical);
            }
            for list in &$($mutability)? l.between {
                for s in list {
                    v.stmt(s);
                }
            }
            v.stmt(&$($mutability)? l.body);
        }

        /// Visits a compute construct: clauses, then the body.
        pub fn $walk_compute<V: $visit + ?Sized>(v: &mut V, c: &$($mutability)? Compute) {
            $walk_scheduling(v, &$($mutability)? c.scheduling);
            c.dims.$values().for_each(|e| v.expr(e));
            $walk_data(v, &$($mutability)? c.data);
            $walk_reduction(v, &$($mutability)? c.reductions);
            v.stmt(&$($mutability)? c.body);
        }

        fn $walk_atomic<V: $visit + ?Sized>(v: &mut V, a: &$($mutability)? Atomic) {
            match a {
                Atomic::Read { v: a, x: b } | Atomic::Write { x: a, value: b } => {
                    v.expr(a);
                    v.expr(b);
                }
                Atomic::Update { x, value, capture, .. } => {
                    v.expr(x);
                    v.expr(value);
                    if let Some((e, _)) = capture {
                        v.expr(e);
                    }
                }
                Atomic::Exchange { v: a, x, value } => {
                    v.expr(a);
                    v.expr(x);
                    v.expr(value);
                }
                Atomic::Compare(AtomicCompare { x, with, value, capture, result, op: _ }) => {
                    v.expr(x);
                    v.expr(with);
                    v.expr(value);
                    if let Some((e, _)) = capture {
                        v.expr(e);
                    }
                    if let Some(e) = result {
                        v.expr(e);
                    }
                }
            }
        }
    };
}

walkers!(
    /// Reads a tree.
    Visit, walk_stmt, walk_expr, walk_init, walk_data, walk_reduction, walk_scheduling, walk_loop, walk_canonical,
    walk_compute, walk_atomic, values, []
);
walkers!(
    /// Rewrites a tree in place.
    VisitMut, walk_stmt_mut, walk_expr_mut, walk_init_mut, walk_data_mut, walk_reduction_mut, walk_scheduling_mut,
    walk_loop_mut, walk_canonical_mut, walk_compute_mut, walk_atomic_mut, values_mut, [mut]
);

/// Whether two expressions are written the same way: the same operations on the same objects. Spans are
/// ignored. Expressions with effects are never the same.
pub fn same_expr(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
        (ExprKind::Float(x), ExprKind::Float(y)) => x == y,
        (ExprKind::Var(x), ExprKind::Var(y)) => x == y,
        (ExprKind::Func(x), ExprKind::Func(y)) => x == y,
        (ExprKind::String(x), ExprKind::String(y)) => x == y,
        (ExprKind::Load(x), ExprKind::Load(y))
        | (ExprKind::Decay(x), ExprKind::Decay(y))
        | (ExprKind::AddrOf(x), ExprKind::AddrOf(y))
        | (ExprKind::Deref(x), ExprKind::Deref(y)) => same_expr(x, y),
        (ExprKind::Member(x, r, i), ExprKind::Member(y, s, j)) => r == s && i == j && same_expr(x, y),
        (ExprKind::Part(x, i), ExprKind::Part(y, j)) => i == j && same_expr(x, y),
        (ExprKind::Unary(o, x), ExprKind::Unary(p, y)) => o == p && same_expr(x, y),
        (ExprKind::Cast(k, x), ExprKind::Cast(l, y)) => k == l && a.ty.ty == b.ty.ty && same_expr(x, y),
        (
            ExprKind::PtrAdd { pointer: p, index: i, subtract: s },
            ExprKind::PtrAdd { pointer: q, index: j, subtract: t },
        ) => s == t && same_expr(p, q) && same_expr(i, j),
        (ExprKind::PtrDiff(x, y), ExprKind::PtrDiff(z, w))
        | (ExprKind::Comma(x, y), ExprKind::Comma(z, w)) => same_expr(x, z) && same_expr(y, w),
        (ExprKind::Binary(o, x, y), ExprKind::Binary(p, z, w)) => {
            o == p && same_expr(x, z) && same_expr(y, w)
        }
        (ExprKind::Conditional(x, y, z), ExprKind::Conditional(u, v, w)) => {
            same_expr(x, u) && same_expr(y, v) && same_expr(z, w)
        }
        (ExprKind::Call { callee: x, args: xs }, ExprKind::Call { callee: y, args: ys }) => {
            same_expr(x, y) && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same_expr(x, y))
        }
        _ => false,
    }
}

/// The expression below conversions that the language inserted.
pub fn strip_casts(mut expr: &Expr) -> &Expr {
    while let ExprKind::Cast(_, inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// An expression without a conversion to `void` around it.
pub fn strip_void(mut expr: &Expr) -> &Expr {
    while let ExprKind::Cast(CastKind::ToVoid, inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// The variables that an expression names, and where, in the order of the source.
pub fn variables(expr: &Expr) -> Vec<(VarId, Span)> {
    struct Names(Vec<(VarId, Span)>);
    impl Visit for Names {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::Var(var) = expr.kind {
                self.0.push((var, expr.span));
            }
            walk_expr(self, expr);
        }
    }
    let mut names = Names(Vec::new());
    names.expr(expr);
    names.0
}

/// The variable at the root of an lvalue (or of the pointer it is reached through).
pub fn root_var(expr: &Expr) -> Option<VarId> {
    root(expr, true)
}

/// The variable that an lvalue or an address is a part of: none if it is reached through a pointer.
pub fn object_var(expr: &Expr) -> Option<VarId> {
    root(expr, false)
}

fn root(expr: &Expr, through_pointers: bool) -> Option<VarId> {
    match &expr.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Load(e) if through_pointers => root(e, through_pointers),
        ExprKind::Decay(e)
        | ExprKind::AddrOf(e)
        | ExprKind::Deref(e)
        | ExprKind::Member(e, _, _)
        | ExprKind::Part(e, _)
        | ExprKind::Cast(_, e)
        | ExprKind::PtrAdd { pointer: e, .. } => root(e, through_pointers),
        _ => None,
    }
}

/// Whether evaluating the expression changes nothing and calls nothing.
pub fn is_pure(expr: &Expr) -> bool {
    struct Pure(bool);
    impl Visit for Pure {
        fn expr(&mut self, expr: &Expr) {
            match &expr.kind {
                ExprKind::Assign(..)
                | ExprKind::AssignOp { .. }
                | ExprKind::IncDec { .. }
                | ExprKind::Call { .. }
                | ExprKind::StmtExpr(..)
                | ExprKind::CompoundLiteral(..)
                | ExprKind::VaArg(_)
                | ExprKind::Builtin(..) => self.0 = false,
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut pure = Pure(true);
    pure.expr(expr);
    pure.0
}
