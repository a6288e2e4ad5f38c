//! What is said about loops, in terms of the program's text.

use super::found::{Accumulator, Finding, Reason, Shared, object_of};
use super::located::Located;
use crate::acc::ReductionOp;
use crate::analysis::bases::Base;
use crate::analysis::boxes::ByteBox;
use crate::analysis::depend::Hindrance;
use crate::analysis::spell::Spelling;
use crate::analysis::sums::{Atom, Kind, Name, Sum as Terms};
use crate::analysis::survey::{Obstacle, Survey};
use crate::entities::{Local, Loop};
use crate::function::Body;
use crate::module::Module;
use crate::op::Pos;
use crate::report::{LoopVerdict, Outcome};
use std::fmt::Write;
use std::sync::Arc;

/// Names of what a survey is about.
pub struct Words<'a> {
    /// The module.
    pub module: &'a Module,
    /// The body.
    pub body: &'a Body,
    /// The survey.
    pub survey: &'a Survey,
}

impl Words<'_> {
    /// The verdict on a loop.
    pub fn verdict(&self, finding: &Finding, is_believed: bool, function: &Arc<str>) -> LoopVerdict {
        let mut verdict = LoopVerdict {
            pos: self.body.loops[finding.loop_].pos,
            function: function.clone(),
            outcome: Outcome::Sequential,
            reason: None,
            from: None,
            to: None,
            distance: None,
            condition: None,
            private: self.names(&finding.private),
            last: self.names(&finding.lasts),
            reductions: Vec::new(),
            text: String::new(),
        };
        if let Some(reason) = &finding.reason {
            let reason = self.reason(reason, &mut verdict);
            verdict.text = format!("not parallel: {reason}{}", self.shared(finding));
            if is_believed {
                verdict.outcome = Outcome::Parallel;
                verdict.text = format!("parallel, as the levels of its directive say: {reason}");
            }
            return verdict;
        }
        for array in &finding.arrays {
            let list = if array.is_kept { &mut verdict.last } else { &mut verdict.private };
            list.push(self.object(array.write));
        }
        verdict.reductions = finding.sums.iter().map(|sum| (sum.op, self.local(sum.local))).collect();
        for &(touch, op) in &finding.updates {
            let (name, op) = (self.object(touch), op);
            if self.survey.touches[touch].writes && !verdict.reductions.contains(&(op, name.clone())) {
                verdict.reductions.push((op, name));
            }
        }
        let mut parts = parts(&verdict);
        if let Some(located) = &finding.located {
            self.located(located, &mut verdict, &mut parts);
        }
        verdict.outcome = if finding.apart.is_empty() { Outcome::Parallel } else { Outcome::Versioned };
        verdict.text = match self.condition(finding) {
            None if parts.is_empty() => "parallel: no iteration uses what another one writes".to_owned(),
            None => format!("parallel: {}", parts.join(", ")),
            Some(condition) => {
                let advice = if self.restrict_helps(finding) { "; `restrict` saves the test" } else { "" };
                let parts = parts.iter().map(|part| format!("; {part}")).collect::<String>();
                let text =
                    format!("parallel if {condition}: two versions, tested at run time{advice}{parts}");
                verdict.condition = Some(condition);
                text
            }
        };
        verdict
    }

    /// What one iteration decides.
    fn located(&self, located: &Located, verdict: &mut LoopVerdict, parts: &mut Vec<String>) {
        let Some(extremum) = located.extremum else {
            let names = self.names(&located.locals);
            parts.extend(listed(&names).map(|list| format!("the last value of {list} is kept")));
            verdict.last.extend(names);
            return;
        };
        let name = self.local(extremum.local);
        let kind = kind_of_sum(extremum.op);
        parts.push(format!("`{name}` is a {kind}"));
        for &local in located.locals.iter().filter(|&&local| local != extremum.local) {
            parts.push(format!("`{}` is the place of the {kind} `{name}`", self.local(local)));
        }
        verdict.reductions.push((extremum.op, name));
    }

    /// Why iterations cannot have the array for themselves by which they depend on each other.
    fn shared(&self, finding: &Finding) -> String {
        let Some(Reason::Hindrance(
            Hindrance::Carried { earlier: touch, .. }
            | Hindrance::Subscript(touch, _)
            | Hindrance::Alias(touch, _),
        )) = finding.reason
        else {
            return String::new();
        };
        let object = object_of(self.survey, &self.survey.touches[touch]);
        let of_it = finding.shared.iter().find(|shared| {
            let (Shared::Read(other) | Shared::Kept(other) | Shared::Large(other)) = **shared;
            object.is_some() && object_of(self.survey, &self.survey.touches[other]) == object
        });
        match of_it {
            None => String::new(),
            Some(&Shared::Read(read)) => format!(
                "; `{}` is not private: {} ({}) may read what the iteration has not written",
                self.object(read),
                self.access(read),
                self.line(read)
            ),
            Some(&Shared::Kept(write)) => format!(
                "; `{}` would be private, but it may be read behind the loop, and the last iteration may not write all \
                 of it",
                self.object(write)
            ),
            Some(&Shared::Large(write)) => {
                format!("; `{}` would be private, but it is too large to be copied", self.object(write))
            }
        }
    }

    /// The condition under which a loop is parallel, if there is one.
    fn condition(&self, finding: &Finding) -> Option<String> {
        let mut pairs: Vec<String> = Vec::new();
        for test in &finding.tests {
            let ((a, b), (one, two)) = (test.touches, &test.boxes);
            let text = if self.object(a) == self.object(b) {
                format!("{} and {} are apart in all iterations", self.access(a), self.access(b))
            } else {
                format!("`{}` and `{}` do not overlap", self.memory(a, one), self.memory(b, two))
            };
            if !pairs.contains(&text) {
                pairs.push(text);
            }
        }
        (!pairs.is_empty()).then(|| pairs.join(" and "))
    }

    /// The bytes of a test, as a section of the variable that an access is to: `p[0:n]`.
    fn memory(&self, touch: usize, whole: &ByteBox) -> String {
        let name = self.object(touch);
        let touch = &self.survey.touches[touch];
        let spelling = Spelling {
            module: self.module,
            body: self.body,
            atoms: &self.survey.atoms,
            in_memory: &|_| None,
        };
        let section = || {
            let (root, element) = (Terms::atom(touch.root?), i64::from(touch.ty?.bytes()));
            let (first, count) = spelling.section(&root, &whole.ends()?, element)?;
            Some(format!("{name}[{first}:{count}]"))
        };
        section().unwrap_or_else(|| name.to_string())
    }

    fn restrict_helps(&self, finding: &Finding) -> bool {
        finding.apart.iter().any(|&(a, b)| self.survey.touches[a].root != self.survey.touches[b].root)
    }

    /// Why a loop is sequential; fills in what programs may look for.
    pub fn reason(&self, reason: &Reason, verdict: &mut LoopVerdict) -> String {
        let (id, text) = match reason {
            Reason::Uncounted => ("bound", "the number of its iterations is not known before it".to_owned()),
            Reason::OfRegion(slot) => {
                let name = self.body.slots[*slot].name.as_deref().unwrap_or("an object");
                ("region", format!("it writes `{name}`, which belongs to the region"))
            }
            Reason::StrictFp(accumulator, op) => {
                let name = match *accumulator {
                    Accumulator::Local(local) => format!("`{}`", self.local(local)),
                    Accumulator::Element(touch) => self.access(touch),
                };
                let what = kind_of_sum(*op);
                (
                    "strict-fp",
                    format!("{name} is a floating-point {what}, which `--strict-fp` keeps in order"),
                )
            }
            Reason::Hindrance(hindrance) => self.hindrance(hindrance, verdict),
        };
        verdict.reason = Some(id);
        text
    }

    fn hindrance(&self, hindrance: &Hindrance, verdict: &mut LoopVerdict) -> (&'static str, String) {
        match *hindrance {
            Hindrance::Carried { earlier, later, distance, is_certain } => {
                self.places(earlier, later, verdict);
                verdict.distance = Some(distance);
                ("carried", self.carried((earlier, later), distance, is_certain))
            }
            Hindrance::Scalar(local) => {
                let name = self.local(local);
                ("scalar", format!("`{name}` carries a value from one iteration to the next"))
            }
            Hindrance::Scan(local, op) => {
                let name = self.local(local);
                let text = format!(
                    "`{name}` is a running {}, whose value each iteration uses (a scan)",
                    kind_of_sum(op)
                );
                ("scan", text)
            }
            Hindrance::Subscript(a, b) => {
                self.places(a, b, verdict);
                let (x, y) = (self.access(a), self.access(b));
                let (own, other) = (self.line(a), self.line(b));
                let what = if a == b {
                    format!("whether {x} ({own}) is another element in each iteration is not known")
                } else {
                    format!("whether {x} ({own}) and {y} ({other}) touch the same element is not known")
                };
                let advice = self.advice(a).or_else(|| self.advice(b)).unwrap_or_default();
                ("unknown-subscript", format!("{what}{advice}"))
            }
            Hindrance::Alias(a, b) => {
                self.places(a, b, verdict);
                let (x, y) = (self.access(a), self.access(b));
                let text = format!(
                    "{x} ({}) and {y} ({}) may be the same object, which cannot be tested before the loop",
                    self.line(a),
                    self.line(b)
                );
                ("alias", text)
            }
            Hindrance::Obstacle(obstacle, pos) => {
                verdict.from = Some(pos);
                self.obstacle(obstacle, pos)
            }
            Hindrance::Size => ("size", "it has more accesses than are compared".to_owned()),
        }
    }

    fn obstacle(&self, obstacle: Obstacle, pos: Pos) -> (&'static str, String) {
        let line = format!("line {}", pos.line);
        match obstacle {
            Obstacle::Call(witness) => {
                let Some(function) = witness.function else {
                    return ("call", format!("calls a function through a pointer ({line})"));
                };
                let name = &self.module.functions[function].name;
                let what = match witness.object {
                    Some(global) => {
                        let global = &self.module.globals[global].name;
                        format!("writes the global `{global}` (line {})", witness.pos.line)
                    }
                    None if witness.pos.line == 0 => "is defined elsewhere and may do anything".to_owned(),
                    None => format!("writes memory (line {})", witness.pos.line),
                };
                ("call", format!("calls `{name}` ({line}), which {what}"))
            }
            Obstacle::Exit => ("exit", format!("it is left from its middle ({line})")),
            Obstacle::Ordered => ("order", format!("an access is volatile or atomic ({line})")),
            Obstacle::Frame => ("frame", format!("memory is taken from the stack ({line})")),
            Obstacle::Cycle => ("cycle", format!("a loop that is not analysed ends in it ({line})")),
            Obstacle::Directive => ("directive", format!("a directive stands in it ({line})")),
        }
    }

    /// Both accesses of a dependence and the way between them.
    pub fn carried(&self, (earlier, later): (usize, usize), distance: i64, is_certain: bool) -> String {
        let (first, second) = (&self.survey.touches[earlier], &self.survey.touches[later]);
        let (x, y) = (self.access(earlier), self.access(later));
        let may = if is_certain { "" } else { "may " };
        let verb = |certain: &'static str, unsure: &'static str| if is_certain { certain } else { unsure };
        let when = match distance {
            1 => "the iteration before".to_owned(),
            _ => format!("{distance} iterations before"),
        };
        let (a, b) = (self.line(earlier), self.line(later));
        let text = match (first.writes, second.writes) {
            (true, false) if earlier != later => {
                format!("{y} ({b}) {may}{} what {x} ({a}) wrote {when}", verb("reads", "read"))
            }
            (false, true) => {
                format!("{y} ({b}) {may}{} what {x} ({a}) read {when}", verb("overwrites", "overwrite"))
            }
            _ if earlier == later => {
                format!("{x} ({a}) {may}{} the same element in several iterations", verb("writes", "write"))
            }
            _ => format!("{y} ({b}) {may}{} what {x} ({a}) wrote {when}", verb("overwrites", "overwrite")),
        };
        format!("{text}, distance {distance}")
    }

    fn places(&self, from: usize, to: usize, verdict: &mut LoopVerdict) {
        let place = |touch: usize| self.survey.touches[touch].pos;
        (verdict.from, verdict.to) = (Some(place(from)), Some(place(to)));
    }

    fn line(&self, touch: usize) -> String {
        format!("line {}", self.survey.touches[touch].pos.line)
    }

    /// What would help where a subscript is itself an element of an array.
    fn advice(&self, touch: usize) -> Option<String> {
        let touch = &self.survey.touches[touch];
        let list = touch.subscripts.iter().flat_map(|sum| sum.atoms()).find_map(|atom| {
            let (Kind::Element { at, .. } | Kind::Loaded { at, .. }) = &self.survey.atoms.data(atom).kind
            else {
                return None;
            };
            at.atoms().find_map(|atom| self.atom(atom))
        })?;
        Some(format!("; `loop independent` says so if `{list}` has no equal elements"))
    }

    fn local(&self, local: Local) -> Arc<str> {
        self.body.locals[local].label()
    }

    fn names(&self, locals: &[Local]) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> =
            locals.iter().filter_map(|&local| self.body.locals[local].name.clone()).collect();
        names.dedup();
        names
    }

    /// The variable that an access is to.
    pub fn object(&self, touch: usize) -> Arc<str> {
        let touch = &self.survey.touches[touch];
        let by_root = touch.root.and_then(|root| self.atom(root));
        by_root
            .or_else(|| match touch.base {
                Base::Slot(slot) => self.body.slots[slot].name.clone(),
                Base::Global(global) => Some(self.module.globals[global].name.clone()),
                Base::Unknown => None,
            })
            .unwrap_or_else(|| "memory".into())
    }

    fn atom(&self, atom: Atom) -> Option<Arc<str>> {
        match &self.survey.atoms.data(atom).kind {
            Kind::Entry(local) => self.body.locals[*local].name.clone(),
            Kind::Object(Name::Slot(slot)) => self.body.slots[*slot].name.clone(),
            Kind::Object(Name::Global(global)) => Some(self.module.globals[*global].name.clone()),
            Kind::Element { at, .. } | Kind::Loaded { at, .. } => at.atoms().find_map(|atom| self.atom(atom)),
            _ => None,
        }
    }

    /// An access as the program may have written it.
    pub fn access(&self, touch: usize) -> String {
        let mut text = format!("`{}", self.object(touch));
        for subscript in &self.survey.touches[touch].subscripts {
            match self.terms(subscript) {
                Some(subscript) => _ = write!(text, "[{subscript}]"),
                None => text.push_str("[…]"),
            }
        }
        text.push('`');
        text
    }

    /// A sum in terms of the variables that count.
    fn terms(&self, sum: &Terms) -> Option<String> {
        let mut rest = sum.clone();
        let mut parts: Vec<(i64, Arc<str>)> = Vec::new();
        let counters: Vec<(Loop, i64)> = sum
            .terms()
            .filter_map(|(product, factor)| match self.survey.atoms.data(*product.first()?).kind {
                Kind::Counter(loop_) if product.len() == 1 => Some((loop_, factor)),
                _ => None,
            })
            .collect();
        for (loop_, factor) in counters {
            let inductions = &self.survey.loops.get(&loop_)?.inductions;
            let (name, step, first) = inductions.iter().find_map(|(local, step, first)| {
                let step = step.as_constant().filter(|step| *step != 0 && factor % step == 0)?;
                Some((self.body.locals[*local].name.clone()?, step, first))
            })?;
            let counter = Terms::atom(self.survey.atoms.known(&Kind::Counter(loop_))?);
            let value = first.plus(step, &counter)?;
            rest = rest.plus(-(factor / step), &value)?;
            parts.push((factor / step, name));
        }
        let mut constant = 0;
        for (product, factor) in rest.terms() {
            match product[..] {
                [] => constant = factor,
                [atom] => parts.push((factor, self.value(atom)?)),
                _ => return None,
            }
        }
        Some(sum_text(&parts, constant))
    }

    fn value(&self, atom: Atom) -> Option<Arc<str>> {
        match &self.survey.atoms.data(atom).kind {
            Kind::Entry(local) => self.body.locals[*local].name.clone(),
            Kind::Element { .. } | Kind::Loaded { .. } => {
                let touch = self.survey.touches.iter().position(|touch| {
                    !touch.writes && touch.value.as_ref().and_then(Terms::as_atom) == Some(atom)
                })?;
                Some(self.access(touch).trim_matches('`').into())
            }
            _ => None,
        }
    }
}

/// What is said of a loop that is none of the loop tree, at the place where it ends.
pub fn of_cycle(pos: Pos, function: &Arc<str>) -> LoopVerdict {
    LoopVerdict {
        pos,
        function: function.clone(),
        outcome: Outcome::Sequential,
        reason: Some("cycle"),
        from: None,
        to: None,
        distance: None,
        condition: None,
        private: Vec::new(),
        last: Vec::new(),
        reductions: Vec::new(),
        text: "not parallel: a loop made by `goto`, or without a condition at its head, is not analysed"
            .to_owned(),
    }
}

/// What becomes of the scalars of a parallel loop.
fn parts(verdict: &LoopVerdict) -> Vec<String> {
    let mut parts = Vec::new();
    for (op, name) in &verdict.reductions {
        parts.push(format!("`{name}` is a {}", kind_of_sum(*op)));
    }
    if let Some(list) = listed(&verdict.private) {
        parts.push(format!("{list} private"));
    }
    if let Some(list) = listed(&verdict.last) {
        parts.push(format!("the last value of {list} is kept"));
    }
    parts
}

fn sum_text(parts: &[(i64, Arc<str>)], constant: i64) -> String {
    let mut text = String::new();
    for (factor, name) in parts {
        let sign = if *factor < 0 {
            "-"
        } else if text.is_empty() {
            ""
        } else {
            "+"
        };
        text.push_str(sign);
        match factor.unsigned_abs() {
            1 => text.push_str(name),
            factor => _ = write!(text, "{factor}*{name}"),
        }
    }
    if constant != 0 || text.is_empty() {
        let sign = if constant > 0 && !text.is_empty() { "+" } else { "" };
        _ = write!(text, "{sign}{constant}");
    }
    text
}

fn listed(names: &[Arc<str>]) -> Option<String> {
    (!names.is_empty()).then(|| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
}

/// What iterations accumulate to by an operator.
fn kind_of_sum(op: ReductionOp) -> &'static str {
    match op {
        ReductionOp::Add => "sum",
        ReductionOp::Mul => "product",
        ReductionOp::Max => "maximum",
        ReductionOp::Min => "minimum",
        ReductionOp::BitAnd => "bitwise and",
        ReductionOp::BitOr => "bitwise or",
        ReductionOp::BitXor => "bitwise exclusive or",
        ReductionOp::LogAnd => "logical and",
        ReductionOp::LogOr => "logical or",
    }
}
