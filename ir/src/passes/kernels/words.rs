//! What is said about loops, in terms of the program's text.

use super::found::{Accumulator, Finding, Reason, Shared, object_of};
use super::located::Located;
use super::versions::Test;
use crate::acc::ReductionOp;
use crate::analysis::bases::Base;
use crate::analysis::boxes::ByteBox;
use crate::analysis::callees::{Deed, Place, Witness};
use crate::analysis::depend::Hindrance;
use crate::analysis::spell::Spelling;
use crate::analysis::sums::{Atom, Kind, Name, Product, Sum as Terms};
use crate::analysis::survey::{Obstacle, Survey, Touch};
use crate::entities::{Local, Loop};
use crate::function::Body;
use crate::module::Module;
use crate::op::{BinaryOp, ConvertOp, Operand, Pos};
use crate::report::{LoopVerdict, Outcome};
use rustc_hash::FxHashSet;
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
            scans: Vec::new(),
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
        verdict.reductions.extend(finding.inherited.iter().map(|clause| (clause.op, clause.name.clone())));
        for &(touch, op) in &finding.updates {
            let (name, op) = (self.object(touch), op);
            if self.survey.touches[touch].writes && !verdict.reductions.contains(&(op, name.clone())) {
                verdict.reductions.push((op, name));
            }
        }
        if let Some(scans) = &finding.scans {
            let stored = scans.sums.iter().filter(|sum| scans.stored.contains(&sum.local));
            verdict.scans = stored.map(|sum| (sum.op, self.local(sum.local))).collect();
            verdict.last.extend(self.names(&scans.lasts));
        }
        let mut parts = parts(&verdict);
        let along = listed(&self.along(finding));
        parts.extend(along.map(|list| format!("{list} computed from the counter")));
        for located in &finding.located {
            self.located(located, &mut verdict, &mut parts);
        }
        verdict.outcome = if finding.has_condition() { Outcome::Versioned } else { Outcome::Parallel };
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

    /// The verdict on a loop outside of `kernels` whose iterations are independent but for what they
    /// accumulate or leave in variables that no clause names; `None` if there are none of these.
    pub fn unclaimed(&self, finding: &Finding, function: &Arc<str>) -> Option<LoopVerdict> {
        let mut verdict = self.verdict(finding, false, function);
        if verdict.reason.is_some() {
            return None;
        }
        let sums = verdict.reductions.iter().map(|(op, name)| {
            let kind = kind_of_sum(*op);
            format!("`{name}` is a {kind}, which a `reduction` clause has to name outside of `kernels`")
        });
        let lasts = listed(&verdict.last).map(|list| {
            format!("the last value of {list} is kept, for which there is no memory outside of `kernels`")
        });
        let results: Vec<String> = sums.chain(lasts).collect();
        if results.is_empty() {
            return None;
        }
        verdict.text = format!("not parallel: {}", results.join("; "));
        (verdict.outcome, verdict.reason) = (Outcome::Sequential, Some("result"));
        verdict.reductions.clear();
        Some(verdict)
    }

    /// Variables that change by the same amount in each iteration, beside the one that the loop counts by.
    fn along(&self, finding: &Finding) -> Vec<Arc<str>> {
        let counted = self.body.loops[finding.loop_].induction.as_ref().map(|induction| induction.iv);
        let Some(counter) = counted.or(finding.count.as_ref().map(|count| count.local())) else {
            return Vec::new();
        };
        // That of a `do` loop is none of the program's.
        let Some(name) = &self.body.locals[counter].name else { return Vec::new() };
        let facts = self.survey.loops.get(&finding.loop_);
        let moving = facts.into_iter().flat_map(|facts| &facts.inductions);
        let moving = moving.filter(|(_, step, _)| step.as_constant() != Some(0));
        let others: Vec<Local> = moving.map(|(local, ..)| *local).collect();
        self.names(&others).into_iter().filter(|other| other != name).collect()
    }

    /// What one iteration decides.
    fn located(&self, located: &Located, verdict: &mut LoopVerdict, parts: &mut Vec<String>) {
        let Some(extremum) = located.extremum else {
            let names = self.names(&located.locals);
            parts.extend(listed(&names).map(|list| format!("the last value of {list} is kept")));
            verdict.last.extend(names);
            return;
        };
        let kind = kind_of_sum(extremum.op);
        // An element that a variable leads to has no name (`followed.rs`).
        let has_name = self.body.locals[extremum.local].name.is_some();
        let article = if has_name { "that" } else { "a" };
        if has_name {
            let name = self.local(extremum.local);
            parts.push(format!("`{name}` is a {kind}"));
            verdict.reductions.push((extremum.op, name));
        }
        let of_place: Vec<Local> =
            located.locals.iter().copied().filter(|&local| local != extremum.local).collect();
        let names = self.names(&of_place);
        let verb = if names.len() == 1 { "is" } else { "are" };
        parts.extend(
            listed(&names).map(|list| format!("{list} {verb} from the iteration of {article} {kind}")),
        );
        verdict.last.extend(names);
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
        // Iterations want an array for themselves where they use the same elements.
        if self.survey.touches[touch].callee.is_some() {
            return String::new();
        }
        let atoms = &self.survey.atoms;
        let counter = atoms.known(&Kind::Counter(finding.loop_)).map(|counter| atoms.dependent(counter));
        let touch = &self.survey.touches[touch];
        if counter.is_some_and(|counter| touch.address.atoms().any(|atom| counter.contains(atom))) {
            return String::new();
        }
        let object = object_of(self.survey, touch);
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
        let mut texts: Vec<String> = Vec::new();
        let mut pairs: Vec<[String; 2]> = Vec::new();
        let mut exact: Vec<u32> = Vec::new();
        for test in &finding.tests {
            let ((a, b), (one, two), by) = match test {
                Test::Apart { touches, boxes, by } => (*touches, boxes, by),
                Test::Within { touch, .. } => {
                    texts.push(format!("{} stays within its row", self.access(*touch)));
                    continue;
                }
                Test::Exact { pos, .. } => {
                    exact.push(pos.line);
                    continue;
                }
            };
            if self.object(a) == self.object(b) {
                texts.push(format!("{} and {} are apart in all iterations", self.access(a), self.access(b)));
            } else {
                let [one, two] = [self.memory((a, by.0), one), self.memory((b, by.1), two)];
                if !pairs.iter().any(|pair| pair.contains(&one) && pair.contains(&two)) {
                    pairs.push([one, two]);
                }
            }
        }
        exact.sort_unstable();
        exact.dedup();
        if let [_, ..] = exact[..] {
            let lines: Vec<String> = exact.iter().map(u32::to_string).collect();
            let word = if lines.len() == 1 { "line" } else { "lines" };
            texts.push(format!("no unsigned number wraps around ({word} {})", lines.join(", ")));
        }
        let mut seen = FxHashSet::default();
        texts.retain(|text| seen.insert(text.clone()));
        texts.extend(not_overlapping(pairs));
        (!texts.is_empty()).then(|| texts.join(" and "))
    }

    /// The bytes of a test, as a section of the variable that an access is to, or goes by: `p[0:n]`.
    fn memory(&self, (touch, by): (usize, Option<Local>), whole: &ByteBox) -> String {
        let name = by.map_or_else(|| self.object(touch), |local| self.local(local));
        let touch = &self.survey.touches[touch];
        let root = match by {
            Some(local) => self.survey.atoms.known(&Kind::Entry(local)),
            None => touch.root,
        };
        let spelling = Spelling {
            module: self.module,
            body: self.body,
            atoms: &self.survey.atoms,
            in_memory: &|_| None,
        };
        let section = || {
            let (root, element) = (Terms::atom(root?), i64::from(touch.ty?.bytes()));
            let (first, count) = spelling.section(&root, &whole.ends()?, element)?;
            Some(format!("{name}[{first}:{count}]"))
        };
        section().unwrap_or_else(|| name.to_string())
    }

    fn restrict_helps(&self, finding: &Finding) -> bool {
        let is_object = |root| matches!(self.survey.atoms.data(root).kind, Kind::Object(_));
        let breaks = |[a, b]: [Atom; 2]| self.survey.atoms.is_of_file_scope(a) && is_object(b);
        finding.apart.iter().any(|&(a, b)| match [a, b].map(|touch| self.survey.touches[touch].root) {
            [Some(a), Some(b)] => a != b && !breaks([a, b]) && !breaks([b, a]),
            [a, b] => a != b,
        })
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
        if let Hindrance::Carried { earlier: a, later: b, .. }
        | Hindrance::Subscript(a, b)
        | Hindrance::Alias(a, b) = *hindrance
            && let Some(text) = [a, b].into_iter().find_map(|touch| self.written_by_call(touch))
        {
            self.places(a, b, verdict);
            return ("call", text);
        }
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
            Obstacle::Call(witness) => ("call", self.call(witness, pos)),
            Obstacle::Exit => ("exit", format!("it is left from its middle ({line})")),
            Obstacle::Ordered => ("order", format!("an access is volatile or atomic ({line})")),
            Obstacle::Frame => ("frame", format!("memory is taken from the stack ({line})")),
            Obstacle::Cycle => ("cycle", format!("a loop that is not analysed ends in it ({line})")),
            Obstacle::Directive => ("directive", format!("a directive stands in it ({line})")),
        }
    }

    /// A call that does more than to access memory that is known.
    fn call(&self, Witness { function, deed, pos: place }: Witness, pos: Pos) -> String {
        let line = pos.line;
        let Some(function) = function else {
            return match deed {
                Deed::Ends => format!("it may end the program (line {line})"),
                _ => format!("calls a function through a pointer (line {line})"),
            };
        };
        let what = match deed {
            Deed::Accesses => "writes through a pointer",
            Deed::Ends => "ends the program",
            Deed::Prints => "prints",
            Deed::Orders => "has a volatile or atomic access, or a directive",
            Deed::Unknown if place.line == 0 => "is defined elsewhere and may do anything",
            Deed::Unknown => "calls a function through a pointer",
        };
        let place = if place.line == 0 { String::new() } else { format!(" (line {})", place.line) };
        format!("calls `{}` (line {line}), which {what}{place}", self.module.functions[function].name)
    }

    /// An access by which a called function writes.
    fn written_by_call(&self, touch: usize) -> Option<String> {
        let Touch { callee: Some(access), pos, root, writes: true, .. } = self.survey.touches[touch] else {
            return None;
        };
        let Witness { function, pos: place, .. } = access.witness;
        let name = &self.module.functions[function?].name;
        let what = match (access.place, root.and_then(|root| self.atom(root))) {
            (Place::Global(global), _) => {
                format!("writes the global `{}`", self.module.globals[global].name)
            }
            (_, Some(object)) => format!("writes `{object}` through a pointer"),
            (_, None) => "writes through a pointer".to_owned(),
        };
        let place = if place.line == 0 { String::new() } else { format!(" (line {})", place.line) };
        Some(format!("calls `{name}` (line {}), which {what}{place}", pos.line))
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

    /// The line of an access.
    pub fn line(&self, touch: usize) -> String {
        format!("line {}", self.survey.touches[touch].pos.line)
    }

    /// What would help where a subscript is itself an element of an array.
    fn advice(&self, touch: usize) -> Option<String> {
        let touch = &self.survey.touches[touch];
        let kind = |atom: Atom| &self.survey.atoms.data(atom).kind;
        let (list, subscript) = touch.subscripts.iter().find_map(|sum| {
            let list = sum.atoms().find_map(|atom| match kind(atom) {
                Kind::Element { at, .. } | Kind::Loaded { at, .. } => {
                    at.atoms().find_map(|atom| self.atom(atom))
                }
                _ => None,
            })?;
            Some((list, sum))
        })?;
        let goes_on = subscript.atoms().any(|atom| matches!(kind(atom), Kind::Counter(_)));
        let what = match goes_on {
            true => format!("no two ranges that `{list}` selects overlap"),
            false => format!("`{list}` has no equal elements"),
        };
        Some(format!("; `loop independent` says so if {what}"))
    }

    fn local(&self, local: Local) -> Arc<str> {
        self.body.locals[local].label()
    }

    fn names(&self, locals: &[Local]) -> Vec<Arc<str>> {
        // Variables of several blocks may have one name.
        let mut names: Vec<Arc<str>> = Vec::new();
        for name in locals.iter().filter_map(|&local| self.body.locals[local].name.as_ref()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
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
        let variable = self.survey.touches[touch].variable;
        let name = variable.and_then(|variable| match variable {
            Operand::Local(local) => self.body.locals[local].name.clone(),
            _ => None,
        });
        let mut text = format!("`{}", name.unwrap_or_else(|| self.object(touch)));
        for subscript in &*self.survey.touches[touch].subscripts {
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
        let mut parts: Vec<(i64, String)> = Vec::new();
        while let Some((counter, others, factor)) = self.innermost_counter(&rest) {
            let (name, step, value) = self.variable(counter, factor)?;
            let times = factor / step;
            // What the variable starts with may have counters of the loops around.
            rest = rest.plus(-times, &value.times(&Terms::term(others, 1))?)?;
            parts.push((times, self.product(Some(name), &others)?));
        }
        parts.reverse();
        let mut constant = 0;
        for (product, factor) in rest.terms() {
            match product.is_empty() {
                true => constant = factor,
                false => parts.push((factor, self.product(None, product)?)),
            }
        }
        parts.sort_by_key(|(factor, _)| *factor < 0);
        Some(sum_text(&parts, constant))
    }

    /// A term with the counter of the innermost loop that the sum has: the loop, the other atoms of the term,
    /// and its factor.
    fn innermost_counter(&self, sum: &Terms) -> Option<(Loop, Product, i64)> {
        let loop_of = |atom: Atom| match self.survey.atoms.data(atom).kind {
            Kind::Counter(loop_) => Some(loop_),
            _ => None,
        };
        let depth = |loop_: Loop| self.body.loops_around(Some(loop_)).count();
        let of_term = |(product, factor): (&Product, i64)| {
            let loops = product.iter().filter_map(|&atom| loop_of(atom));
            let loop_ = loops.max_by_key(|&loop_| depth(loop_))?;
            let (others, _) = product.without_one(|atom| loop_of(atom) == Some(loop_))?;
            Some((loop_, others, factor))
        };
        sum.terms().filter_map(of_term).max_by_key(|(loop_, ..)| depth(*loop_))
    }

    /// A variable with a name that counts in a loop, in steps that divide a factor: the name, the step, and
    /// the value.
    fn variable(&self, loop_: Loop, factor: i64) -> Option<(Arc<str>, i64, Terms)> {
        let counter = Terms::atom(self.survey.atoms.known(&Kind::Counter(loop_))?);
        self.survey.loops.get(&loop_)?.inductions.iter().find_map(|(local, step, first)| {
            let step = step.as_constant().filter(|step| *step != 0 && factor % step == 0)?;
            let name = self.body.locals[*local].name.clone()?;
            Some((name, step, first.plus(step, &counter)?))
        })
    }

    /// A product of a variable that counts, if there is one, and of atoms.
    fn product(&self, counted: Option<Arc<str>>, atoms: &Product) -> Option<String> {
        let names = counted.map(Some).into_iter().chain(atoms.iter().map(|&atom| self.value(atom)));
        Some(names.collect::<Option<Vec<_>>>()?.join("*"))
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
            Kind::Binary(op, a, b) => {
                let sign = match op {
                    BinaryOp::SRem | BinaryOp::URem => '%',
                    BinaryOp::SDiv | BinaryOp::UDiv => '/',
                    _ => return None,
                };
                let operand = |sum: &Terms| {
                    let text = self.terms(sum)?;
                    let is_one = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    Some(if is_one { text } else { format!("({text})") })
                };
                // A quotient of an unsigned number is one of the number with more bits.
                let dividend = match a.as_atom().map(|atom| &self.survey.atoms.data(atom).kind) {
                    Some(Kind::Converted(ConvertOp::ZExt, _, narrow)) => narrow,
                    _ => a,
                };
                Some(format!("{}{sign}{}", operand(dividend)?, operand(b)?).into())
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
        scans: Vec::new(),
        text: "not parallel: a loop made by `goto` is not analysed".to_owned(),
    }
}

/// What becomes of the scalars of a parallel loop.
fn parts(verdict: &LoopVerdict) -> Vec<String> {
    let mut parts = Vec::new();
    for (op, name) in &verdict.reductions {
        parts.push(format!("`{name}` is a {}", kind_of_sum(*op)));
    }
    for (op, name) in &verdict.scans {
        parts.push(format!(
            "`{name}` is a running {}, whose value each iteration uses (a scan)",
            kind_of_sum(*op)
        ));
    }
    if let Some(list) = listed(&verdict.private) {
        parts.push(format!("{list} private"));
    }
    if let Some(list) = listed(&verdict.last) {
        parts.push(format!("the last value of {list} is kept"));
    }
    parts
}

/// That memory does not overlap, of pairs of sections: what is in several of them comes first.
fn not_overlapping(mut pairs: Vec<[String; 2]>) -> Vec<String> {
    let mut texts = Vec::new();
    while let Some([first, second]) = pairs.first().cloned() {
        let count = |name: &String| pairs.iter().filter(|pair| pair.contains(name)).count();
        let names = pairs.iter().flatten();
        let most = names.max_by_key(|name| (count(name), **name == first)).cloned().unwrap_or_default();
        let (own, rest): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|pair| pair.contains(&most));
        pairs = rest;
        let mut others: Vec<Arc<str>> = Vec::new();
        for other in own.iter().flatten().filter(|name| **name != most) {
            if !others.iter().any(|known| **known == **other) {
                others.push(other.as_str().into());
            }
        }
        texts.push(match (others.len(), listed(&others)) {
            (2.., Some(list)) => format!("`{most}` does not overlap {list}"),
            _ => format!("`{first}` and `{second}` do not overlap"),
        });
    }
    texts
}

fn sum_text(parts: &[(i64, String)], constant: i64) -> String {
    let mut text = String::new();
    // `9-i` rather than `-i+9`.
    let mut constant = constant;
    if constant > 0 && parts.iter().all(|(factor, _)| *factor < 0) {
        text = std::mem::take(&mut constant).to_string();
    }
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
        ReductionOp::Declared(_) => "declared reduction",
    }
}
