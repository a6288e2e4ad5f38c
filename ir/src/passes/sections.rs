//! Maps what pointers lead to that no clause names.
//!
//! Before: such a pointer has an implicit `no_create` with [`MapModifiers::by_use`](crate::MapModifiers) and
//! without bytes. After: it has the box of bytes that the construct accesses through it, which code before
//! the construct computes, with the clause that fits: `copyin` if nothing is written, `copyout` if every byte
//! is written before it is read, else `copy`. The runtime maps it only if nothing of it is present. A pointer
//! whose box is not known before the construct keeps its `no_create`: what it leads to must be present.
//!
//! The box holds what the construct accesses, and nothing beyond the first and last such byte: the rest may
//! not belong to the program's object, or not be there at all. In a construct whose loops have no iterations
//! it is empty.

mod uses;
mod view;

use super::env::{Env, Work, each_body};
use crate::acc::{ConstructData, DataMap, ElementPart, Elements, MapKind};
use crate::analysis::bases::Bases;
use crate::analysis::boxes::{Bound, ByteBox, Projections, Stray, Unbounded};
use crate::analysis::computable::is_computable;
use crate::analysis::facts::Limits;
use crate::analysis::spell::Spelling;
use crate::analysis::summaries;
use crate::analysis::sums::{Atom, Atoms, Kind, Sum};
use crate::analysis::survey::{Assumption, Touch};
use crate::builder::Cursor;
use crate::edit::evaluate::{Ends, Evaluator};
use crate::edit::split::split_edges;
use crate::entities::{Block, Construct, Local};
use crate::function::Body;
use crate::module::Module;
use crate::op::{BinaryOp, CmpOp, Operand, Pos, Terminator};
use crate::report::{Decision, PassError, Warning, ids, topics};
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use uses::{Lost, Pointer};
use view::{Parts, View, Views};

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    let mut callees = None;
    let signed_wraps = env.target.arithmetic().signed_wraps;
    each_body(module, |mut work| {
        let wants = |data: &ConstructData| data.maps.iter().any(|map| map.modifiers.by_use);
        let mut constructs = work.body.live_constructs();
        constructs.retain(|&construct| wants(&work.body.constructs[construct]));
        if constructs.is_empty() {
            return Ok(());
        }
        let callees = callees.get_or_insert_with(|| work.whole(|module| summaries::of(module, signed_wraps)));
        // What is written for a construct is of no object that another one uses.
        let bases = Bases::new(work.body).without_clauses();
        let parts = Parts::of((work.module, callees), (work.body, &bases), &constructs);
        let views = Views::new(&parts, (callees, &bases), signed_wraps);
        let entries = Entries::of(work.body, &constructs);
        for (n, construct) in constructs.into_iter().enumerate() {
            give_sections(&mut work, (&views, n), (construct, &entries), env)?;
        }
        Ok(())
    })
}

/// A section that a map gets.
struct Section {
    /// The place of the map in its construct.
    map: usize,
    kind: MapKind,
    /// Distances from the pointer.
    bytes: ByteBox,
}

/// What is said of a pointer.
struct Said {
    pos: Pos,
    text: String,
    note: Option<String>,
}

/// A view, what it has sections of, and what has to hold for these.
struct Found<'a> {
    view: View<'a>,
    sections: Vec<Section>,
    exact: Vec<(Limits, ByteBox)>,
}

fn give_sections(
    work: &mut Work<'_>,
    (views, n): (&Views<'_>, usize),
    (construct, entries): (Construct, &Entries),
    env: &mut Env<'_>,
) -> Result<(), PassError> {
    let function = work.name();
    let data = &work.body.constructs[construct];
    let finder = |assumes: bool| Finder {
        module: work.module,
        body: work.body,
        data,
        view: views.of(n, assumes),
        projections: Projections::default(),
        said: Vec::new(),
        lost: Vec::new(),
        assumes,
    };
    let by_use = (0..data.maps.len()).filter(|&map| data.maps[map].modifiers.by_use).collect();
    let mut plain = finder(false);
    let sections = plain.sections(by_use);
    let mut lost = std::mem::take(&mut plain.lost);
    let mut said = std::mem::take(&mut plain.said);
    let is_box = |&(_, (why, _)): &(usize, (Lost, Pos))| matches!(why, Lost::Box(_));
    let mut found = Vec::with_capacity(2);
    if plain.view.survey.is_open && lost.iter().any(is_box) {
        let mut assuming = finder(true);
        if let Some(exact) = assuming.exact() {
            let sections = assuming.sections(lost.iter().map(|&(map, _)| map).collect());
            lost.retain(|&(map, _)| sections.iter().all(|section| section.map != map));
            said.append(&mut assuming.said);
            found.push(Found { view: assuming.view, sections, exact });
        }
    }
    lost.into_iter().for_each(|(map, (why, pos))| plain.say_lost(&data.maps[map], why, pos));
    plain.say_what_is_behind_pointers_in_memory();
    said.append(&mut plain.said);
    found.insert(0, Found { view: plain.view, sections, exact: Vec::new() });
    for Said { pos, text, note } in said {
        let warning = Warning {
            id: ids::IMPLICIT_SECTION,
            pos,
            function: function.clone(),
            message: text.clone(),
            notes: note.into_iter().collect(),
        };
        env.report.warnings.push(warning);
        env.report.decisions.push(Decision { pos, function: function.clone(), topic: topics::DATA, text });
    }
    for map in &mut work.body.constructs[construct].maps {
        map.modifiers.by_use = false;
    }
    let pos = work.body.constructs[construct].pos;
    let before = entries.entering_block(work.body, construct);
    match found.iter().try_for_each(|found| write(work.body, before, construct, found)) {
        Some(()) => Ok(()),
        None => Err(work.defect(pos, "a box is not known before its construct")),
    }
}

/// Looks for the sections of a construct.
struct Finder<'a, 'v> {
    module: &'a Module,
    body: &'a Body,
    data: &'a ConstructData,
    view: View<'v>,
    projections: Projections,
    said: Vec<Said>,
    /// Maps without a section.
    lost: Vec<(usize, (Lost, Pos))>,
    assumes: bool,
}

impl Finder<'_, '_> {
    fn sections(&mut self, maps: Vec<usize>) -> Vec<Section> {
        let mut sections = Vec::new();
        for n in maps {
            let Some(var) = self.data.maps[n].var else { continue };
            let found = Pointer::of(&self.view, var)
                .and_then(|pointer| pointer.map(|pointer| self.section(n, &pointer)).transpose());
            match found {
                Ok(section) => sections.extend(section),
                Err(lost) => self.lost.push((n, lost)),
            }
        }
        sections
    }

    /// What has to hold so that unsigned numbers are what the view takes them for; `None` if that is not
    /// known before the construct.
    fn exact(&mut self) -> Option<Vec<(Limits, ByteBox)>> {
        let within = |(limits, list): (Limits, Vec<&Assumption>)| -> (Limits, Vec<Touch>) {
            (limits, list.into_iter().map(Assumption::touch).collect())
        };
        let all: Vec<(Limits, Vec<Touch>)> = self.view.survey.assumptions().into_iter().map(within).collect();
        let boxes = all.into_iter().map(|(limits, touches)| Some((limits, self.box_of(&touches).ok()?)));
        boxes.collect::<Option<Vec<_>>>().filter(|_| !self.view.survey.is_wrong)
    }

    /// The box of accesses that are at distances from somewhere.
    fn box_of(&mut self, touches: &[Touch]) -> Result<ByteBox, Stray> {
        let mut atoms = std::mem::take(&mut self.view.survey.atoms);
        let mut projections = std::mem::take(&mut self.projections);
        let found = ByteBox::of(&mut atoms, &mut projections, touches, |atoms, atom| {
            is_computable(atoms, atom, &|atoms, atom| self.may_load(atoms, atom))
                && self.is_outside(atoms, atom)
        });
        (self.view.survey.atoms, self.projections) = (atoms, projections);
        found
    }

    fn section(&mut self, map: usize, pointer: &Pointer) -> Result<Section, (Lost, Pos)> {
        let pos = |view: &View<'_>, n: usize| view.place(view.survey.touches[pointer.touches[n].0].pos).1;
        let Some(distances) = pointer.distances(&self.view) else {
            return Err((Lost::Box(Unbounded::Shape), pos(&self.view, 0)));
        };
        let covering = match pointer.is_alone {
            true => uses::covering(&self.view, &distances),
            false => Vec::new(),
        };
        let bytes = self.box_of(&distances);
        let is_only = distances.len() == 1;
        let is_first = match &bytes {
            Ok(_) if covering.is_empty() || is_only => !covering.is_empty(),
            Ok(bytes) => {
                let ends = bytes.ends();
                let is_whole = |part: &ByteBox| match &part.parts[..] {
                    [one] => bytes.parts.iter().all(|part| part.guard == one.guard) && ends == part.ends(),
                    _ => false,
                };
                let mut wholes = covering.iter().map(|&n| std::slice::from_ref(&distances[n]));
                wholes.any(|touch| self.box_of(touch).is_ok_and(|part| is_whole(&part)))
            }
            Err(_) => false,
        };
        let bytes = bytes.map_err(|Stray { touch, why }| (Lost::Box(why), pos(&self.view, touch)))?;
        let kind = match distances.iter().any(|touch| touch.writes) {
            false => MapKind::CopyIn,
            true if is_first => MapKind::CopyOut,
            true => MapKind::Copy,
        };
        let section = Section { map, kind, bytes };
        self.say_section(&section, pointer);
        Ok(section)
    }

    /// Whether the host may load an element of memory before the construct: one of an object that is there,
    /// or one that the construct loads whatever happens.
    fn may_load(&self, atoms: &Atoms, atom: Atom) -> bool {
        let Kind::Element { ty, at } = &atoms.data(atom).kind else { return false };
        let loads = |touch: &Touch| {
            let is_certain = !touch.writes && touch.callee.is_none();
            is_certain && touch.ty == Some(*ty) && touch.address == *at && {
                let (block, _) = self.view.place(touch.pos);
                self.view.is_unconditional(block)
            }
        };
        match atoms.object_at(at) {
            Some((object, _)) => self.has_clause(object),
            None => self.view.survey.touches.iter().any(loads),
        }
    }

    /// Whether an atom is no variable of the construct's own.
    fn is_outside(&self, atoms: &Atoms, atom: Atom) -> bool {
        match atoms.data(atom).kind {
            Kind::Entry(local) => {
                self.view.in_memory.get(&local).is_none_or(|(object, _)| self.has_clause(*object))
            }
            _ => true,
        }
    }

    fn has_clause(&self, object: Operand) -> bool {
        let mut mapped = self.data.maps.iter().filter_map(|map| map.var);
        let mut copied = self.data.firstprivate.iter().map(|private| private.var);
        match object {
            Operand::Global(global) if self.module.globals[global].declare.is_some() => true,
            Operand::Global(global) if self.module.globals[global].constant => true,
            _ => mapped.any(|var| var == object) || copied.any(|var| var == object),
        }
    }

    fn say_section(&mut self, section: &Section, pointer: &Pointer) {
        let map = &self.data.maps[section.map];
        let what = match section.bytes.ends().and_then(|ends| self.spelled(map, &ends)) {
            Some(bytes) if bytes.starts_with('(') => format!("`{}{bytes}`", section.kind.clause()),
            Some(bytes) => format!("`{}`{bytes}", section.kind.clause()),
            None => format!("`{}` of what the construct uses", section.kind.clause()),
        };
        let places = pointer.touches.iter().map(|&(n, _)| self.view.place(self.view.survey.touches[n].pos).1);
        let condition = if self.assumes { ", if no unsigned number wraps around" } else { "" };
        let text =
            format!("`{}`: implicit {what}, from the accesses at {}{condition}", map.name, lines(places));
        self.said.push(Said { pos: map.pos, text, note: None });
    }

    /// The bytes between two distances from a pointer: `(p[0:n])` in elements, or how many of another size.
    fn spelled(&self, map: &DataMap, ends: &(Bound, Bound)) -> Option<String> {
        let in_memory = |local| self.view.variable(local);
        let spelling = self.spelling(&in_memory);
        let of = |size: u64| spelling.section(&Sum::default(), ends, size as i64);
        let elements = map.elements.as_ref();
        if let Some((first, count)) = elements.and_then(|elements| of(elements.bytes)) {
            return Some(format!("({}[{first}:{count}])", map.name));
        }
        let scalar =
            elements.and_then(|elements| elements.parts.first()).map_or(1, |part| part.ty.ty.bytes().into());
        let (size, (first, count)) = [scalar, 1].into_iter().find_map(|size| Some((size, of(size)?)))?;
        let what = if size == 1 { "bytes".to_owned() } else { format!("elements of {size} bytes") };
        Some(format!(" of {count} {what}, from number {first} on"))
    }

    fn spelling<'a>(&'a self, in_memory: &'a dyn Fn(Local) -> Option<Operand>) -> Spelling<'a> {
        Spelling { module: self.module, body: self.body, atoms: &self.view.survey.atoms, in_memory }
    }

    /// The name of the pointer in whose memory a pointer stands: `s` of `s->p`.
    fn holder(&self, atom: Atom) -> Option<String> {
        let atoms = &self.view.survey.atoms;
        let name = |atom| self.spelling(&|local| self.view.variable(local)).atom(atom);
        let Kind::Element { ty: Type::Ptr, at } = &atoms.data(atom).kind else { return None };
        at.atoms().find_map(|atom| match &atoms.data(atom).kind {
            Kind::Entry(local) if self.view.body.locals[*local].ty == Type::Ptr => name(atom),
            Kind::Element { ty: Type::Ptr, .. } => name(atom).or_else(|| self.holder(atom)),
            _ => None,
        })
    }

    fn say_lost(&mut self, map: &DataMap, why: Lost, pos: Pos) {
        let line = pos.line;
        let why = match why {
            Lost::Box(Unbounded::Address) => {
                format!(
                    "which element line {line} uses follows from memory or a call, and is not known before"
                )
            }
            Lost::Box(Unbounded::Wraps) => {
                format!("an unsigned or narrow number in a subscript at line {line} may wrap around")
            }
            Lost::Box(Unbounded::Shape) => format!("the subscript at line {line} is no sum of loop counters"),
            Lost::Box(Unbounded::Loop(counter)) => {
                let loop_ = uses::loop_of(&self.view.survey.atoms, counter);
                let of = loop_.map_or(line, |loop_| self.view.body.loops[loop_].pos.line);
                format!("how far the loop at line {of} goes is not known before, and line {line} follows it")
            }
            Lost::Box(Unbounded::Size) => format!("line {line} stands under too many conditions"),
            Lost::Cycle => format!("line {line} is in a loop that is not analysed: `do`, or made by `goto`"),
            Lost::Compared => format!("line {line} compares it with another pointer"),
            Lost::Mixed => format!("line {line} may use it or another pointer"),
            Lost::Stored => format!("line {line} stores its value"),
            Lost::Passed => format!("line {line} passes its value to a function"),
        };
        let clauses = self.data.dims.clauses;
        let kind = self.data.kind.written(clauses);
        self.said.push(Said {
            pos: map.pos,
            text: format!("`{}`: not mapped by the `{kind}` construct: {why}", map.name),
            note: Some(format!(
                "what `{}` leads to must be on the device already, unless a data clause says what is used: \
                 `{}`",
                map.name,
                MapKind::Copy.written(clauses, &format!("{}[0:n]", map.name))
            )),
        });
    }

    /// A copy of a structure or of an array of pointers has the host's pointers.
    fn say_what_is_behind_pointers_in_memory(&mut self) {
        if self.data.maps.iter().any(|map| map.var.is_none() || map.rows.is_some()) {
            return;
        }
        let clauses = self.data.dims.clauses;
        let mut holders: Vec<(String, Pos)> = Vec::new();
        for touch in &self.view.survey.touches {
            let holder = touch.root.and_then(|root| self.holder(root));
            let of_section =
                |name: &String| self.data.maps.iter().any(|map| map.modifiers.by_use && *map.name == **name);
            if let Some(name) = holder.filter(of_section)
                && !holders.iter().any(|(known, _)| *known == name)
            {
                holders.push((name, self.view.place(touch.pos).1));
            }
        }
        for (name, pos) in holders {
            self.said.push(Said {
                pos,
                text: format!("what pointers in the memory behind `{name}` lead to is not mapped"),
                note: Some(format!(
                    "a data clause must name it: `{}`, `{}`",
                    MapKind::Copy.written(clauses, "s->p[0:n]"),
                    MapKind::Copy.written(clauses, "rows[0:n][0:m]")
                )),
            });
        }
    }
}

/// The blocks outside of constructs that lead to their entries.
struct Entries {
    /// By the construct's entry, in the order of the layout.
    from: FxHashMap<Block, Vec<Block>>,
}

impl Entries {
    /// Of constructs of a body.
    fn of(body: &Body, constructs: &[Construct]) -> Entries {
        let entries = constructs.iter().map(|&construct| (body.constructs[construct].entry, Vec::new()));
        let mut from: FxHashMap<Block, Vec<Block>> = entries.collect();
        for &block in &body.order {
            let data = &body.blocks[block];
            for next in data.term.targets() {
                if data.construct != body.blocks[next].construct
                    && let Some(from) = from.get_mut(&next).filter(|from| from.last() != Some(&block))
                {
                    from.push(block);
                }
            }
        }
        Entries { from }
    }

    /// The block from which control enters a construct. What is written for other constructs leads to their
    /// entries only.
    fn entering_block(&self, body: &mut Body, construct: Construct) -> Block {
        let (entry, pos) = (body.constructs[construct].entry, body.constructs[construct].pos);
        match self.from[&entry][..] {
            [only] if body.blocks[only].term == Terminator::Jump(entry) => only,
            ref from => split_edges(body, from, entry, pos),
        }
    }
}

/// Writes code that computes sections, at the end of a block, and what maps say of them.
fn write(body: &mut Body, before: Block, construct: Construct, found: &Found<'_>) -> Option<()> {
    let Found { view, sections, exact } = found;
    let pos = body.constructs[construct].pos;
    let pointers: FxHashMap<usize, Operand> = sections
        .iter()
        .map(|section| (section.map, body.constructs[construct].maps[section.map].start))
        .collect();
    let in_memory = |local: Local| view.in_memory.get(&local).copied();
    let mut written = Vec::new();
    let mut evaluator = Evaluator::new(Cursor::with_pos(body, before, pos), &view.survey.atoms, &in_memory);
    let mut holds = None;
    for (limits, numbers) in exact.iter().filter(|_| !sections.is_empty()) {
        let one = evaluator.is_exact(numbers, *limits)?;
        holds = Some(holds.map_or(one, |holds| evaluator.cursor().binary(BinaryOp::And, holds, one)));
    }
    for section in sections {
        let mut ends = evaluator.ends(&section.bytes)?;
        if let Some(holds) = holds {
            let [most, least] = [i64::MAX, i64::MIN].map(|end| Operand::Int(Type::I64, end));
            ends.low = evaluator.cursor().select(holds, ends.low, most);
            ends.high = evaluator.cursor().select(holds, ends.high, least);
        }
        let (bias, bytes) = length(evaluator.cursor(), ends);
        let start = evaluator.cursor().index(pointers[&section.map], bias, 1, 0);
        written.push((start, bytes, bias));
    }
    for (section, (start, bytes, bias)) in sections.iter().zip(written) {
        let map = &mut body.constructs[construct].maps[section.map];
        map.kind = section.kind;
        map.modifiers.by_use = true;
        (map.start, map.bytes, map.pointer_bias) = (start, bytes, Some(bias));
        map.elements = map.elements.take().and_then(|elements| elements_from(elements, &section.bytes));
    }
    Some(())
}

/// Where a box begins and how many bytes it has: none, at the pointer itself, if it is empty.
fn length(cursor: &mut Cursor<'_>, Ends { low, high }: Ends) -> (Operand, Operand) {
    let none = Operand::Int(Type::I64, 0);
    if let (Some(first), Some(end)) = (low.as_int(), high.as_int()) {
        return (low, Operand::Int(Type::I64, (end - first).max(0)));
    }
    let is_empty = cursor.compare(CmpOp::Le, high, low);
    let all = cursor.sub(high, low);
    let bytes = cursor.select(is_empty, none, all);
    let bias = if low.as_int().is_some() { low } else { cursor.select(is_empty, none, low) };
    (bias, bytes)
}

/// What a box holds from its first byte on: elements, if it begins with one, or the numbers that an element
/// is an array of.
fn elements_from(elements: Arc<Elements>, bytes: &ByteBox) -> Option<Arc<Elements>> {
    let begins_with = |size: u64| {
        let is_multiple = |low: &Sum| low.terms().all(|(_, factor)| factor % size as i64 == 0);
        bytes.parts.iter().all(|part| matches!(&part.low, Bound::Sum(low) if is_multiple(low)))
    };
    if begins_with(elements.bytes) {
        return Some(elements);
    }
    let [part] = elements.parts[..] else { return None };
    let size = u64::from(part.ty.ty.bytes());
    let is_array = part.count * size == elements.bytes && begins_with(size);
    is_array.then(|| Arc::new(Elements { bytes: size, parts: vec![ElementPart { count: 1, ..part }] }))
}

/// `line 7`, `lines 7, 9 and 12`.
fn lines(places: impl Iterator<Item = Pos>) -> String {
    let mut lines: Vec<u32> = places.map(|pos| pos.line).collect();
    lines.sort_unstable();
    lines.dedup();
    let words: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &words[..] {
        [] => String::new(),
        [only] => format!("line {only}"),
        [more @ .., last] => format!("lines {} and {last}", more.join(", ")),
    }
}
