//! `routine`: which functions are compiled for the device, and at which level (OpenACC 3.3 section 2.15.1).

use super::clauses;
use super::ids;
use super::state::Pending;
use super::visit::{Visit, walk_expr, walk_stmt};
use crate::ast::Ident;
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, Directive};
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;
use accrue_ir::{Level, MapKind, Routine};
use rustc_hash::FxHashSet;

/// The level as users write it.
pub(super) fn level_name(level: Option<Level>) -> &'static str {
    match level {
        None => "seq",
        Some(level) if level.is_gang() => "gang",
        Some(level) => level.name(),
    }
}

impl Sema<'_> {
    /// `routine` at file scope.
    pub(super) fn routine_directive(&mut self, directive: &Directive, name: Option<&Ident>) {
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let routine = self.routine_clauses(&selected);
        let nohost = selected.iter().find(|c| matches!(c.kind, ClauseKind::Nohost));
        let span = directive.name_span;
        let pending = Pending { routine, span, nohost: nohost.map_or(span, |c| c.span) };
        let Some(name) = name else {
            self.acc.pending_routine = Some(pending);
            return;
        };
        let text = self.session.interner.text(name.sym).to_owned();
        match self.lookup(name.sym) {
            Some(Entity::Func(function)) => self.apply_routine(function, pending),
            Some(Entity::Error) => {}
            Some(Entity::Var(_) | Entity::Typedef(..) | Entity::Constant(..)) => {
                self.error(ids::ROUTINE_NAME, name.span, format!("`{text}` is not a function"));
            }
            None => self.emit(
                Diagnostic::error(ids::ROUTINE_NAME, name.span, format!("`{text}` has not been declared"))
                    .note("`routine` with a name stands behind the declaration of the function"),
            ),
        }
    }

    fn routine_clauses(&mut self, clauses: &[&Clause]) -> Routine {
        let mut routine = Routine { level: None, bind: None, nohost: false, implicit: false };
        let mut level: Option<(&'static str, Span)> = None;
        for clause in clauses {
            let new = match &clause.kind {
                ClauseKind::Gang(args) => {
                    let dim = args.as_ref().and_then(|args| args.dim.as_ref());
                    if args.as_ref().is_some_and(|args| args.num.is_some() || args.static_.is_some()) {
                        self.error(
                            ids::CLAUSE_ARGUMENT,
                            clause.span,
                            "`gang` of a routine takes no argument but `dim:`",
                        );
                    }
                    let dim = dim.and_then(|e| self.constant_argument("gang(dim:)", e, 3)).unwrap_or(1);
                    Some(Level::of_gangs(dim as u8))
                }
                ClauseKind::Worker(_) => Some(Level::Worker),
                ClauseKind::Vector(_) => Some(Level::Vector),
                ClauseKind::Seq => None,
                ClauseKind::Bind(name) => {
                    let text = self.session.interner.text(name.sym);
                    routine.bind = Some(text.trim_matches('"').into());
                    continue;
                }
                ClauseKind::Nohost => {
                    routine.nohost = true;
                    continue;
                }
                _ => continue,
            };
            if let ClauseKind::Worker(Some(arg)) | ClauseKind::Vector(Some(arg)) = &clause.kind {
                let name = clause.row.name;
                self.error(
                    ids::CLAUSE_ARGUMENT,
                    arg.span,
                    format!("`{name}` of a routine takes no argument"),
                );
            }
            match level {
                None => {
                    routine.level = new;
                    level = Some((level_name(new), clause.span));
                }
                Some((first, place)) => self.emit(
                    Diagnostic::error(
                        ids::CONFLICTING_CLAUSES,
                        clause.span,
                        format!("`{}` contradicts the level `{first}` of this routine", level_name(new)),
                    )
                    .related(place, format!("`{first}`")),
                ),
            }
        }
        routine
    }

    fn apply_routine(&mut self, function: FuncId, pending: Pending) {
        let Pending { routine, span, nohost } = pending;
        let known = &self.functions[function.0 as usize];
        let name = self.session.interner.text(known.name).to_owned();
        let place = self.acc.routines.get(&function).copied().unwrap_or(known.span);
        let late = match &known.routine {
            Some(before) => {
                let difference = if before.level != routine.level {
                    let (old, new) = (level_name(before.level), level_name(routine.level));
                    Some((span, format!("`{new}`, but it was marked `{old}` before")))
                } else if before.nohost != routine.nohost {
                    let old = if before.nohost { "with" } else { "without" };
                    let new = if routine.nohost { "with" } else { "without" };
                    Some((nohost, format!("{new} `nohost`, but it was marked {old} it before")))
                } else if before.bind != routine.bind {
                    Some((span, "with another `bind` than before".to_owned()))
                } else {
                    None
                };
                if let Some((span, difference)) = difference {
                    let message = format!("`routine` marks `{name}` {difference}");
                    self.emit(
                        Diagnostic::error(ids::ROUTINE_CONFLICT, span, message)
                            .related(place, "the first directive"),
                    );
                }
                return;
            }
            None if known.body.is_some() => Some("definition"),
            None if known.referenced => Some("use"),
            None => None,
        };
        if let Some(late) = late {
            self.emit(
                Diagnostic::error(
                    ids::ROUTINE_LATE,
                    span,
                    format!("`routine` must stand before the {late} of `{name}`"),
                )
                .related(place, "the function"),
            );
        }
        self.acc.routines_have_levels |= routine.level.is_some();
        self.functions[function.0 as usize].routine = Some(routine);
        self.acc.routines.insert(function, span);
    }

    /// Called for every declaration of a function, before its body: `routine` without a name applies to the
    /// next one.
    pub(crate) fn function_declared(&mut self, function: FuncId) {
        if let Some(pending) = self.acc.pending_routine.take() {
            self.apply_routine(function, pending);
        }
    }

    /// Called where something other than a function was declared, and at the end of the translation unit.
    pub(crate) fn no_function_declared(&mut self) {
        if let Some(pending) = self.acc.pending_routine.take() {
            self.emit(
                Diagnostic::error(
                    ids::ROUTINE_PLACEMENT,
                    pending.span,
                    "`#pragma acc routine` is not followed by a function declaration or definition",
                )
                .note("or name the function: `#pragma acc routine(name)`"),
            );
        }
    }

    /// Objects with static storage duration that a routine uses exist on the device.
    pub(super) fn check_routine_variables(&mut self, function: FuncId, body: &FunctionBody) {
        if self.functions[function.0 as usize].routine.is_none() {
            return;
        }
        let mut globals = Globals::default();
        for stmt in &body.body {
            globals.stmt(stmt);
        }
        for (var, span, in_loop) in globals.list {
            let object = &self.vars[var.0 as usize];
            if !self.is_global(var) || self.types.innermost_element(object.ty).quals.const_ {
                continue;
            }
            let (name, declared) = (self.var_text(var), object.span);
            let (problem, advice) = match object.declare {
                None => (
                    "needs a `declare` directive to be used in a `routine` function",
                    format!(
                        "write `#pragma acc declare copyin({name})` behind its declaration, and `#pragma acc update device({name})` where the host has changed it"
                    ),
                ),
                Some(MapKind::Link) => (
                    "has `declare link` and cannot be used in a `routine` function",
                    format!(
                        "write `copyin({name})` instead, and `#pragma acc update device({name})` where the host has changed it"
                    ),
                ),
                Some(_) => continue,
            };
            // Other compilers accept uses in loops.
            let diagnostic = if in_loop { Diagnostic::warning } else { Diagnostic::error };
            self.emit(
                diagnostic(ids::ROUTINE_VARIABLE, declared, format!("`{name}` {problem}"))
                    .related(span, "used here")
                    .note(advice),
            );
        }
    }

    /// Whether an object is shared by several functions: has linkage, or was declared at file scope.
    fn is_global(&self, var: VarId) -> bool {
        let object = &self.vars[var.0 as usize];
        match object.storage {
            Storage::Static { linkage: Linkage::External, .. } => true,
            Storage::Static { .. } => object.name.is_some_and(|name| {
                self.idents.get(name).is_some_and(|b| b.depth == 0 && b.entity == Entity::Var(var))
            }),
            Storage::Thread { .. } | Storage::Auto | Storage::Param(_) => false,
        }
    }
}

/// The variables a function uses, with the place of their first use and whether it is in a loop construct;
/// not where a loop has a private copy.
#[derive(Default)]
struct Globals {
    list: Vec<(VarId, Span, bool)>,
    seen: FxHashSet<VarId>,
    private: Vec<VarId>,
    loops: u32,
}

impl Visit for Globals {
    fn stmt(&mut self, stmt: &Stmt) {
        let StmtKind::Loop(l) = &stmt.kind else {
            walk_stmt(self, stmt);
            return;
        };
        let outer = self.private.len();
        self.private.extend(&l.private);
        self.loops += 1;
        walk_stmt(self, stmt);
        self.loops -= 1;
        self.private.truncate(outer);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Var(var) = expr.kind
            && !self.private.contains(&var)
            && self.seen.insert(var)
        {
            self.list.push((var, expr.span, self.loops > 0));
        }
        walk_expr(self, expr);
    }
}
