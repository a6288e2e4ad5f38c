//! Statements between the loops of a nest: in front of an inner loop and behind it.
//!
//! OpenMP (5.2, 4.4.1) leaves open how often they are executed, from once in each iteration of the loop
//! around them to once in each iteration of the whole nest. They are executed in each iteration of the nest,
//! as parts of its body, so that nothing behind the analysis knows of them.

use super::ids;
use super::visit::{Visit, variables, walk_expr, walk_stmt};
use crate::ctype::{QualType, TypeId};
use crate::diag::Diagnostic;
use crate::intern::Interner;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

/// What may stand between the loops of a nest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    /// Nothing.
    Nothing,
    /// `collapse(force:)`: what stands in front of an inner loop stays there.
    Forced,
    /// What OpenMP calls intervening code.
    Intervening,
}

/// Statements in front of a loop and behind it.
#[derive(Default)]
pub(super) struct Around {
    pub before: Vec<Stmt>,
    pub after: Vec<Stmt>,
}

impl Sema<'_> {
    /// Whether these statements may stand around an inner loop; reports what may not.
    pub(super) fn may_stand_between(&mut self, around: &Around, inner: &CanonicalLoop, place: Span) -> bool {
        let mut found = Unfit {
            functions: &self.functions,
            names: &self.session.interner,
            declared: Vec::new(),
            unfit: None,
        };
        around.before.iter().chain(&around.after).for_each(|stmt| found.stmt(stmt));
        let Unfit { declared, mut unfit, .. } = found;
        for expr in [&inner.init, &inner.bound, &inner.step] {
            let own = variables(expr).into_iter().find(|(var, _)| declared.contains(var));
            unfit = unfit.or(own.map(|(_, span)| {
                (span, "what a loop of a nest counts with cannot be declared between the loops")
            }));
        }
        if !inner.declared && declared.contains(&inner.var) {
            unfit = unfit
                .or(Some((inner.span, "the variable of a loop of a nest is declared between the loops")));
        }
        let Some((span, text)) = unfit else { return true };
        self.emit(Diagnostic::error(ids::LOOP_NEST, span, text).related(place, "the directive"));
        false
    }
}

/// The body of a nest together with what stands around its loops; the list begins with the outermost.
pub(super) fn with_statements(body: Stmt, between: Vec<Around>) -> Stmt {
    let span = body.span;
    let mut body = body;
    // `continue` must reach what stands behind the loop.
    if between.iter().any(|around| !around.after.is_empty()) && first_jump(&body, Jump::Continue).is_some() {
        body = repeated_never(body);
    }
    for Around { mut before, after } in between.into_iter().rev() {
        if before.is_empty() && after.is_empty() {
            continue;
        }
        before.push(body);
        before.extend(after);
        body = Stmt { kind: StmtKind::Block(before), span };
    }
    body
}

/// `do body while (0)`.
fn repeated_never(body: Stmt) -> Stmt {
    let span = body.span;
    let zero = Expr { kind: ExprKind::Int(0), ty: QualType::plain(TypeId::INT), span };
    Stmt { kind: StmtKind::DoWhile(Box::new(body), zero), span }
}

/// What must not stand between loops.
struct Unfit<'a> {
    functions: &'a [Function],
    names: &'a Interner,
    declared: Vec<VarId>,
    unfit: Option<(Span, &'static str)>,
}

impl Visit for Unfit<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        let text = match &stmt.kind {
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => {
                "a loop cannot stand between the loops of a nest"
            }
            StmtKind::Compute(_)
            | StmtKind::Loop(_)
            | StmtKind::Data(_)
            | StmtKind::HostData(_)
            | StmtKind::Executable(_)
            | StmtKind::Atomic(_)
            | StmtKind::OmpInline(..) => "a directive cannot stand between the loops of a nest",
            StmtKind::Continue => "`continue` cannot stand between the loops of a nest",
            StmtKind::Declare(var, _) => {
                self.declared.push(*var);
                return walk_stmt(self, stmt);
            }
            _ => return walk_stmt(self, stmt),
        };
        self.unfit = self.unfit.or(Some((stmt.span, text)));
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Call { callee, .. } = &expr.kind
            && let ExprKind::Func(function) = callee.kind
        {
            let name = self.names.text(self.functions[function.0 as usize].name);
            if name.starts_with("omp_") {
                let text = "a routine of OpenMP cannot be called between the loops of a nest";
                self.unfit = self.unfit.or(Some((expr.span, text)));
            }
        }
        walk_expr(self, expr);
    }
}

/// What leaves an iteration or a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    Break,
    Continue,
}

/// The first such statement that concerns the loop whose body this is.
pub(super) fn first_jump(body: &Stmt, jump: Jump) -> Option<Span> {
    struct Jumps(Jump, Option<Span>);
    impl Visit for Jumps {
        fn stmt(&mut self, stmt: &Stmt) {
            match &stmt.kind {
                StmtKind::Break if self.0 == Jump::Break => self.1 = self.1.or(Some(stmt.span)),
                StmtKind::Continue if self.0 == Jump::Continue => self.1 = self.1.or(Some(stmt.span)),
                StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } | StmtKind::Loop(_) => {}
                StmtKind::Switch { .. } if self.0 == Jump::Break => {}
                _ => walk_stmt(self, stmt),
            }
        }
    }
    let mut jumps = Jumps(jump, None);
    jumps.stmt(body);
    jumps.1
}
