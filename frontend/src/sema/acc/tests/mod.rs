//! Snippets: in each, a comment `//~ id` says that a diagnostic of that id points at its line; a snippet
//! without such comments is accepted in silence. And summaries of what directives became.

mod atomic;
mod data;
mod declare;
mod loops;
mod nesting;
mod omp;
mod reduction;
mod restrictions;

use crate::diag::{Diagnostic, Severity};
use crate::options::Options;
use crate::parse::parse;
use crate::pp::{Input, preprocess};
use crate::sema::acc::visit::{Visit, walk_stmt};
use crate::sema::{analyze, parse_and_analyze};
use crate::session::Session;
use crate::typed::*;

/// What the front end makes of a text.
pub(super) struct Outcome {
    /// (line, id, message) of each diagnostic.
    pub diagnostics: Vec<(u32, &'static str, String)>,
    /// The typed tree, and the session for its spellings.
    pub unit: Option<Unit>,
    pub session: Session,
}

pub(super) fn analyse(source: &str, openmp: bool) -> Outcome {
    analyse_with(source, Options { openmp, ..Options::default() })
}

/// (line, id, message) of each diagnostic.
fn told(session: &Session) -> Vec<(u32, &'static str, String)> {
    let line = |d: &Diagnostic| session.sources.position(d.primary.first).map_or(0, |p| p.line);
    session.sink.list().iter().map(|d| (line(d), d.id, d.message.clone())).collect()
}

fn analyse_with(source: &str, options: Options) -> Outcome {
    let mut session = Session::new(options.clone());
    let input = Input::Memory { name: "t.c".to_owned(), text: source.as_bytes().to_vec() };
    let tokens = preprocess(&mut session, &input);
    let tree = parse(&mut session, &tokens);
    let unit = analyze(&mut session, &tree);
    let diagnostics = told(&session);
    if !tree.misread {
        let mut session = Session::new(options);
        let tokens = preprocess(&mut session, &input);
        let in_turns = parse_and_analyze(&mut session, &tokens);
        assert_eq!((in_turns.is_none(), told(&session)), (unit.is_none(), diagnostics.clone()), "{source}");
    }
    assert_eq!(unit.is_none(), session.sink.list().iter().any(|d| d.severity == Severity::Error), "{source}");
    Outcome { diagnostics, unit, session }
}

/// Compares the diagnostics of a snippet with its comments.
pub(super) fn check_with(source: &str, openmp: bool) {
    let outcome = analyse(source, openmp);
    let mut wanted: Vec<(u32, String)> = Vec::new();
    for (index, line) in source.lines().enumerate() {
        if let Some((_, ids)) = line.split_once("//~") {
            wanted.extend(ids.split_whitespace().map(|id| (index as u32 + 1, id.to_owned())));
        }
    }
    wanted.sort();
    let mut found: Vec<(u32, String)> =
        outcome.diagnostics.iter().map(|(line, id, _)| (*line, (*id).to_owned())).collect();
    found.sort();
    assert_eq!(found, wanted, "\n{source}\n{:?}", outcome.diagnostics);
}

pub(super) fn check(source: &str) {
    check_with(source, false);
}

/// Checks statements as the body of a function with some variables.
pub(super) fn check_body(body: &str) {
    check(&in_function(body));
}

pub(super) fn in_function(body: &str) -> String {
    format!(
        "struct S {{ int n; double *p; double q[4]; }}; \
         int n, m; double fmax(double, double); void g(double *);\n\
         void f(int i, int j, int k, double *a, double *b, double **rows, struct S *sp) {{ \
         int s = 0, t = 0; double x = 0, y = 0; double arr[10]; double mat[4][5]; struct S st;\n{body}\n}}\n"
    )
}

/// One line per construct of the unit: what its clauses became.
pub(super) fn summary(source: &str, openmp: bool) -> Vec<String> {
    summary_with(source, Options { openmp, ..Options::default() })
}

pub(super) fn summary_with(source: &str, options: Options) -> Vec<String> {
    let outcome = analyse_with(source, options);
    let Some(unit) = outcome.unit else { panic!("rejected: {:?}\n{source}", outcome.diagnostics) };
    let mut out = Summary { unit: &unit, session: &outcome.session, lines: Vec::new() };
    for function in &unit.functions {
        for stmt in function.body.iter().flat_map(|b| &b.body) {
            out.stmt(stmt);
        }
    }
    out.lines
}

struct Summary<'a> {
    unit: &'a Unit,
    session: &'a Session,
    lines: Vec<String>,
}

impl Summary<'_> {
    fn var(&self, var: VarId) -> String {
        let name = self.unit.vars[var.0 as usize].name;
        name.map_or("_".to_owned(), |n| self.session.interner.text(n).to_owned())
    }

    fn vars(&self, label: &str, list: &[VarId], out: &mut String) {
        if !list.is_empty() {
            let names: Vec<String> = list.iter().map(|v| self.var(*v)).collect();
            out.push_str(&format!(" {label}({})", names.join(",")));
        }
    }

    fn data(&self, items: &[DataItem], out: &mut String) {
        for item in items {
            let shape = match &item.shape {
                DataShape::Object(_) => "object".to_owned(),
                DataShape::Pointer(_) => "pointer".to_owned(),
                DataShape::Part { runs, rows, .. } | DataShape::Section { runs, rows, .. } => {
                    let kind = if matches!(item.shape, DataShape::Part { .. }) { "part" } else { "section" };
                    let rows: Vec<String> = rows.iter().map(|row| format!(" row {}", bytes(row))).collect();
                    format!("{kind} {}{}", bytes(runs), rows.concat())
                }
            };
            let implicit = if item.implicit { "implicit " } else { "" };
            let later = if item.modifiers.read_later { ", read later" } else { "" };
            out.push_str(&format!(" {implicit}{:?}({}: {shape}{later})", item.clause, item.name));
        }
    }

    fn reductions(&self, items: &[ReductionItem], out: &mut String) {
        for item in items {
            let section = item
                .section
                .as_ref()
                .map_or(String::new(), |(l, n)| format!("[{}:{}]", constant(l), constant(n)));
            let by = match item.by {
                Combining::Operator(op) => format!("{op:?}"),
                Combining::Functions { .. } => "functions".to_owned(),
            };
            out.push_str(&format!(" {by}({}{section})", self.var(item.var)));
        }
    }
}

fn bytes(runs: &Runs) -> String {
    let strides = runs.strides.iter();
    let strides: Vec<String> =
        strides.map(|(count, distance)| format!(" x{} by {}", constant(count), constant(distance))).collect();
    format!("{}+{}{}", constant(&runs.lower), constant(&runs.bytes), strides.concat())
}

fn constant(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        _ => "?".to_owned(),
    }
}

impl Visit for Summary<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        let mut line = String::new();
        match &stmt.kind {
            StmtKind::Compute(c) => {
                line.push_str(&format!("{:?}", c.kind));
                self.data(&c.data, &mut line);
                self.vars("private", &c.private, &mut line);
                self.vars("firstprivate", &c.firstprivate, &mut line);
                self.reductions(&c.reductions, &mut line);
            }
            StmtKind::Loop(l) => {
                line.push_str(&format!("loop {:?} x{}", l.kind, l.loops.len()));
                self.vars("private", &l.private, &mut line);
                self.reductions(&l.reductions, &mut line);
            }
            StmtKind::Data(d) => {
                line.push_str("data");
                self.data(&d.data, &mut line);
            }
            StmtKind::HostData(h) => {
                line.push_str("host_data");
                for (item, _) in &h.vars {
                    self.data(std::slice::from_ref(item), &mut line);
                }
            }
            StmtKind::Executable(x) => {
                line.push_str(&format!("{:?}", x.kind));
                self.data(&x.data, &mut line);
            }
            StmtKind::DeclareData(items) => {
                line.push_str("declare");
                self.data(items, &mut line);
            }
            StmtKind::Atomic(a) => line.push_str(&match &**a {
                Atomic::Read { .. } => "read".to_owned(),
                Atomic::Write { .. } => "write".to_owned(),
                Atomic::Exchange { .. } => "exchange".to_owned(),
                Atomic::Compare(AtomicCompare { op, capture, result, .. }) => {
                    let result = if result.is_some() { " result" } else { "" };
                    let capture = capture.as_ref().map_or(String::new(), |(_, what)| format!(" {what:?}"));
                    format!("compare {op:?}{capture}{result}")
                }
                Atomic::Update { op, reversed, capture, .. } => {
                    let reversed = if *reversed { " reversed" } else { "" };
                    let capture = match capture {
                        None => "",
                        Some((_, true)) => " capture new",
                        Some((_, false)) => " capture old",
                    };
                    format!("update {op:?}{reversed}{capture}")
                }
            }),
            _ => {}
        }
        if !line.is_empty() {
            self.lines.push(line);
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, _: &Expr) {}
}
