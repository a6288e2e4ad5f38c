//! Levels of parallelism over a whole function: which level may stand inside which, calls of routines,
//! orphaned gang reductions (OpenACC 3.3 sections 2.9.2 to 2.9.4 and 2.15.1).

use super::ids;
use super::routine::level_name;
use super::visit::{Visit, walk_expr, walk_stmt};
use crate::diag::Diagnostic;
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{ConstructKind, Level, LoopKind};

/// The levels, outermost first, as bits; the three gang dimensions are levels of their own.
pub(super) mod bits {
    pub const GANG3: u8 = 1;
    pub const GANG2: u8 = 2;
    pub const GANG: u8 = 4;
    pub const WORKER: u8 = 8;
    pub const VECTOR: u8 = 16;
    pub const ALL: [(u8, &str); 5] = [
        (GANG3, "gang(dim:3)"),
        (GANG2, "gang(dim:2)"),
        (GANG, "gang"),
        (WORKER, "worker"),
        (VECTOR, "vector"),
    ];
}

const GANGS: u8 = bits::GANG | bits::GANG2 | bits::GANG3;

/// The bit of a level.
fn bit(level: Level) -> u8 {
    match level {
        Level::Gang3 => bits::GANG3,
        Level::Gang2 => bits::GANG2,
        Level::Gang => bits::GANG,
        Level::Worker => bits::WORKER,
        Level::Vector => bits::VECTOR,
        Level::Unassigned => 0,
    }
}

/// The levels a loop is written to be partitioned over.
pub(super) fn explicit(l: &LoopConstruct) -> u8 {
    let gang = l.gang.as_ref().map_or(0, |gang| bit(Level::of_gangs(gang.dim)));
    let worker = if l.worker.is_some() { bits::WORKER } else { 0 };
    let vector = if l.vector.is_some() { bits::VECTOR } else { 0 };
    gang | worker | vector
}

/// The levels a routine may use.
pub(super) fn available(level: Option<Level>) -> u8 {
    let Some(level) = level else { return 0 };
    let outermost = bit(level);
    bits::ALL.iter().filter(|(bit, _)| *bit >= outermost).fold(0, |all, (bit, _)| all | bit)
}

fn name_of(levels: u8) -> &'static str {
    bits::ALL.iter().find(|(bit, _)| levels & bit != 0).map_or("seq", |(_, name)| name)
}

/// The innermost of `levels` and everything outside of it.
fn up_to_innermost(levels: u8) -> u8 {
    if levels == 0 { 0 } else { u8::MAX >> levels.leading_zeros() }
}

/// A loop around the place being looked at.
struct Around {
    levels: u8,
    span: Span,
}

/// The dimensions of which a `parallel` construct has more than one gang, and the clause that says so.
#[derive(Default)]
struct Gangs {
    several: u8,
    place: Option<Span>,
    /// Variables that all gangs have in common.
    shared: Vec<VarId>,
}

struct Check<'a, 's> {
    sema: &'a mut Sema<'s>,
    routine: Option<(Option<Level>, Span)>,
    compute: Option<ConstructKind>,
    gangs: Gangs,
    around: Vec<Around>,
    /// Expressions hold something to check.
    in_expressions: bool,
    /// The function has a `parallel` that the threads of a gang may share.
    has_orphans: bool,
}

impl Sema<'_> {
    /// Checks the levels of all loops and calls of a function. `in_expressions`: some may be in expressions;
    /// `has_orphans`: a `parallel` of OpenMP asks for the threads of a gang.
    pub(super) fn check_levels(
        &mut self,
        function: FuncId,
        body: &FunctionBody,
        in_expressions: bool,
        has_orphans: bool,
    ) {
        let known = &self.functions[function.0 as usize];
        let routine = known.routine.as_ref().map(|r| (r.level, known.span));
        let in_expressions = in_expressions || self.acc.routines_have_levels;
        let (compute, gangs, around) = (None, Gangs::default(), Vec::new());
        let mut check = Check { sema: self, routine, compute, gangs, around, in_expressions, has_orphans };
        for stmt in &body.body {
            check.stmt(stmt);
        }
    }
}

impl Check<'_, '_> {
    /// `kernels` decides itself what to do with levels that it cannot use: of a gang loop inside of a gang
    /// loop, the pass `kernels` gives the inner one a level that is free.
    fn is_strict(&self) -> bool {
        self.compute != Some(ConstructKind::Kernels)
    }

    fn check_loop(&mut self, l: &LoopConstruct) {
        let levels = explicit(l);
        if levels == 0 {
            return;
        }
        if let Some((level, place)) = self.routine
            && self.compute.is_none()
            && levels & !available(level) != 0
        {
            let bad = name_of(levels & !available(level));
            self.sema.emit(
                Diagnostic::error(
                    ids::LOOP_LEVEL_ROUTINE,
                    l.span,
                    format!("`{bad}` is not available in a `routine {}` function", level_name(level)),
                )
                .related(place, "the function"),
            );
            return;
        }
        if !self.is_strict() {
            return;
        }
        for outer in self.around.iter().rev() {
            let (same, inverted) = (outer.levels & levels, up_to_innermost(outer.levels) & levels);
            let message = if same != 0 {
                format!("inner loop uses the same level `{}` as the loop around it", name_of(same))
            } else if inverted != 0 {
                format!(
                    "a `{}` loop is incorrectly nested inside of a `{}` loop",
                    name_of(levels),
                    name_of(outer.levels)
                )
            } else {
                continue;
            };
            let span = outer.span;
            self.sema.emit(
                Diagnostic::error(ids::LOOP_LEVEL_NESTING, l.span, message)
                    .related(span, "the containing loop")
                    .note("gang loops contain worker loops, worker loops contain vector loops"),
            );
            return;
        }
    }

    /// Whether a loop is divided among gangs, by its clauses or for want of another.
    fn takes_gang(&self, l: &LoopConstruct) -> bool {
        let written = explicit(l);
        written & GANGS != 0
            || written == 0
                && self.around.is_empty()
                && l.kind != LoopKind::Seq
                && gangs_of_loops_in(&l.body) == 0
    }

    fn gangs_of(&self, compute: &Compute) -> Gangs {
        let dims = &compute.dims.num_gangs;
        if compute.kind != ConstructKind::Parallel {
            return Gangs::default();
        }
        let is_reduced = |var: &VarId| compute.reductions.iter().any(|item| item.var == *var);
        let levels = [bits::GANG, bits::GANG2, bits::GANG3];
        let several = dims.iter().zip(levels).filter(|(size, _)| self.sema.const_int(size) != Some(1));
        Gangs {
            several: several.fold(0, |all, (_, level)| all | level),
            place: dims.first().map(|size| size.span),
            shared: compute.data.iter().map(|item| item.var).filter(|var| !is_reduced(var)).collect(),
        }
    }

    /// Gangs of a dimension that no loop divides repeat the loops of others, and would add to a result what
    /// others have added: OpenACC 3.3, section 2.9.11, excludes reductions beside several dimensions. Where
    /// loops divide all of them, a result is what the program computes, and is accepted.
    fn check_repeated_reduction(&mut self, l: &LoopConstruct) {
        let Some(place) = self.gangs.place else { return };
        // The least of the same numbers is the least of them once.
        let is_harmed = |item: &ReductionItem| {
            let is_idempotent = matches!(item.by, Combining::Operator(op) if op.is_idempotent());
            !is_idempotent && self.gangs.shared.contains(&item.var)
        };
        if !l.reductions.iter().any(is_harmed) || !self.takes_gang(l) {
            return;
        }
        let own = match explicit(l) {
            0 => bits::GANG,
            written => written,
        };
        let around = self.around.iter().fold(0, |all, loops| all | loops.levels);
        let repeated = self.gangs.several & !(own | around | gangs_of_loops_in(&l.body));
        if repeated == 0 {
            return;
        }
        let name = if repeated == bits::GANG { "gang(dim:1)" } else { name_of(repeated) };
        let note = if self.gangs.several == bits::GANG {
            "the gangs that `num_gangs` tells are those of dimension 1: let `gang` share this loop, or one around it"
        } else {
            "give `num_gangs` one argument, or each of its dimensions a loop"
        };
        self.sema.emit(
            Diagnostic::error(
                ids::CONFLICTING_CLAUSES,
                l.span,
                format!("gangs of a dimension without a `{name}` loop repeat this loop and its reduction"),
            )
            .related(place, "the numbers of gangs")
            .note(note),
        );
    }

    /// A reduction over gangs needs a result outside of the routine.
    fn check_orphan_reduction(&mut self, l: &LoopConstruct) {
        let Some((Some(level), place)) = self.routine else { return };
        if !level.is_gang() || self.compute.is_some() || l.reductions.is_empty() {
            return;
        }
        if !self.takes_gang(l) {
            return;
        }
        self.sema.emit(
            Diagnostic::error(
                ids::ORPHAN_GANG_REDUCTION,
                l.span,
                "gang reduction on an orphaned loop: the gangs of a routine cannot combine their results",
            )
            .related(place, "the `routine gang` function")
            .note("reduce over `worker` or `vector` here, or move the reduction to the compute construct"),
        );
    }

    /// `__builtin_goacc_parlevel_id(level)`, `__builtin_goacc_parlevel_size(level)`.
    fn check_parlevel(&mut self, expr: &Expr, args: &[Expr]) {
        let constant = args.first().and_then(|arg| self.sema.const_int(arg));
        let message = if self.compute.is_none() && self.routine.is_none() && !self.has_orphans {
            "`__builtin_goacc_parlevel_*` is for compute constructs and routines"
        } else if constant.is_none_or(|level| !(0..=2).contains(&level)) {
            "the level must be a constant: 0 (gang), 1 (worker) or 2 (vector)"
        } else {
            return;
        };
        self.sema.error(ids::PARLEVEL, expr.span, message);
    }

    fn check_call(&mut self, function: FuncId, span: Span) {
        let callee = &self.sema.functions[function.0 as usize];
        let Some(routine) = &callee.routine else { return };
        let (level, declared, uses) = (routine.level, callee.span, available(routine.level));
        if uses == 0 || !self.is_strict() || self.compute.is_none() && self.routine.is_none() {
            return;
        }
        let name = self.sema.session.interner.text(callee.name).to_owned();
        let outer = self.around.iter().rev().find(|o| up_to_innermost(o.levels) & uses != 0 && o.levels != 0);
        if let Some(outer) = outer {
            let diagnostic = Diagnostic::error(
                ids::ROUTINE_CALL,
                span,
                format!(
                    "call of `routine {}` function `{name}` uses the same level as the `{}` loop around it",
                    level_name(level),
                    name_of(outer.levels)
                ),
            )
            .related(outer.span, "the containing loop")
            .related(declared, format!("`{name}` is declared here"));
            self.sema.emit(diagnostic);
            return;
        }
        if let Some((own, place)) = self.routine
            && self.compute.is_none()
            && uses & !available(own) != 0
        {
            self.sema.emit(
                Diagnostic::error(
                    ids::ROUTINE_CALL,
                    span,
                    format!(
                        "call of `routine {}` function `{name}` uses a level that is not available in a `routine {}` function",
                        level_name(level),
                        level_name(own)
                    ),
                )
                .related(place, "the calling function")
                .related(declared, format!("`{name}` is declared here")),
            );
        }
    }
}

impl Visit for Check<'_, '_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Compute(c) => {
                let gangs = self.gangs_of(c);
                let outer = (
                    self.compute.replace(c.kind),
                    std::mem::replace(&mut self.gangs, gangs),
                    std::mem::take(&mut self.around),
                );
                walk_stmt(self, stmt);
                (self.compute, self.gangs, self.around) = outer;
            }
            StmtKind::Loop(l) => {
                self.check_loop(l);
                self.check_orphan_reduction(l);
                self.check_repeated_reduction(l);
                let levels = explicit(l);
                let counts = levels != 0 || l.kind != LoopKind::Seq;
                if counts {
                    self.around.push(Around { levels, span: l.span });
                }
                walk_stmt(self, stmt);
                if counts {
                    self.around.pop();
                }
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if !self.in_expressions {
            return;
        }
        if let ExprKind::Builtin(Builtin::ParlevelId | Builtin::ParlevelSize, args) = &expr.kind {
            self.check_parlevel(expr, args);
        }
        if let ExprKind::Call { callee, .. } = &expr.kind {
            let mut target = callee;
            while let ExprKind::Decay(inner) | ExprKind::Deref(inner) = &target.kind {
                target = inner;
            }
            if let ExprKind::Func(function) = target.kind {
                self.check_call(function, expr.span);
            }
        }
        walk_expr(self, expr);
    }
}

/// The dimensions of gangs that loops inside are written to be divided among.
fn gangs_of_loops_in(body: &Stmt) -> u8 {
    struct Inner(u8);
    impl Visit for Inner {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Loop(l) = &stmt.kind {
                self.0 |= explicit(l) & GANGS;
            }
            walk_stmt(self, stmt);
        }
        fn expr(&mut self, _: &Expr) {}
    }
    let mut inner = Inner(0);
    inner.stmt(body);
    inner.0
}
