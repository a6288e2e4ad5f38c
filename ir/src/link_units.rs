//! Merges the modules of several translation units into one program.
//!
//! Names are resolved as linkers do, functions and objects in one name space, by linker name:
//!
//! | a name's definitions | what all its uses get |
//! | --- | --- |
//! | one external | that one |
//! | several external | an error that names both places |
//! | common, none external | one object of the greatest size and alignment |
//! | weak, none of the above | the first |
//! | inline, none of the above | each unit its own; units without one the first |
//! | none | one declaration, left to libraries; weak if every declaration is |
//!
//! Internal names never meet. Where one occurs again it gets a suffix, so that names in the text form and in
//! messages stay distinct. Units may disagree on the type of a function, as no linker sees it: each call
//! keeps its own signature. What one declaration knows of a function (`noreturn`, `acc routine`) holds for
//! all.

use crate::entities::{Agg, File, Func, Global, Sig};
use crate::function::{Function, Linkage};
use crate::module::{GlobalData, Init, Module};
use crate::op::{Operand, Pos};
use crate::types::{AggregateLayout, Signature};
use crate::visit::PartMut;
use cranelift_entity::packed_option::ReservedValue;
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::sync::Arc;

/// Units that do not fit together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkError {
    /// The name they disagree on.
    pub name: Arc<str>,
    /// The mistake, worded to follow the name in a sentence: "is defined twice".
    pub problem: &'static str,
    /// The place that counts, as `file:line:column`.
    pub first: String,
    /// The place that disagrees.
    pub second: String,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LinkError { name, problem, first, second } = self;
        write!(f, "{second}: error: `{name}` {problem}; the other place is {first}")
    }
}

/// Everything that does not fit together, in order of the units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkErrors(pub Vec<LinkError>);

impl fmt::Display for LinkErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LinkErrors {}

/// Merges translation units, in the order given.
pub fn link(mut modules: Vec<Module>) -> Result<Module, LinkErrors> {
    if modules.len() < 2 {
        return Ok(modules.pop().unwrap_or_default());
    }
    let mut names = Names::new(&modules);
    names.resolve(&modules);
    if !names.errors.is_empty() {
        return Err(LinkErrors(names.errors));
    }
    Ok(Merger::new(names, &modules).merge(modules))
}

/// A function or object of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Func(Func),
    Global(Global),
}

/// How much a mention of a name weighs; the greatest decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    Declared,
    Inline,
    Weak,
    Common,
    Strong,
}

fn linker_name<'a>(link_name: &'a Option<Arc<str>>, name: &'a Arc<str>) -> &'a Arc<str> {
    link_name.as_ref().unwrap_or(name)
}

fn function_rank(function: &Function) -> Rank {
    if function.body.is_none() && function.alias.is_none() {
        return Rank::Declared;
    }
    match function.linkage {
        Linkage::External | Linkage::Internal | Linkage::Common => Rank::Strong,
        Linkage::Weak => Rank::Weak,
        Linkage::Inline => Rank::Inline,
    }
}

fn global_rank(global: &GlobalData) -> Rank {
    match (&global.init, global.linkage) {
        (Init::Extern, _) => Rank::Declared,
        (Init::Zero | Init::Bytes(..), Linkage::Common) => Rank::Common,
        (Init::Zero | Init::Bytes(..), Linkage::Weak) => Rank::Weak,
        (Init::Zero | Init::Bytes(..), Linkage::Inline) => Rank::Inline,
        (Init::Zero | Init::Bytes(..), Linkage::External | Linkage::Internal) => Rank::Strong,
    }
}

/// A mention of a name in a unit.
#[derive(Clone, Copy)]
struct Mention {
    unit: usize,
    item: Item,
    rank: Rank,
}

/// A name that units share.
struct Symbol {
    name: Arc<str>,
    mentions: Vec<Mention>,
    /// Index of the mention that the later mentions refer to.
    winner: usize,
}

struct Names {
    symbols: Vec<Symbol>,
    errors: Vec<LinkError>,
}

impl Names {
    fn new(modules: &[Module]) -> Names {
        let mut index: FxHashMap<Arc<str>, usize> = FxHashMap::default();
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut mention = |name: &Arc<str>, mention| {
            let at = *index.entry(name.clone()).or_insert_with(|| {
                symbols.push(Symbol { name: name.clone(), mentions: Vec::new(), winner: 0 });
                symbols.len() - 1
            });
            symbols[at].mentions.push(mention);
        };
        for (unit, module) in modules.iter().enumerate() {
            for (global, data) in module.globals.iter().filter(|(_, data)| data.linkage != Linkage::Internal)
            {
                let rank = global_rank(data);
                mention(
                    linker_name(&data.link_name, &data.name),
                    Mention { unit, item: Item::Global(global), rank },
                );
            }
            for (func, data) in module.functions.iter().filter(|(_, data)| data.linkage != Linkage::Internal)
            {
                let rank = function_rank(data);
                mention(
                    linker_name(&data.link_name, &data.name),
                    Mention { unit, item: Item::Func(func), rank },
                );
            }
        }
        Names { symbols, errors: Vec::new() }
    }

    /// Picks every name's winner and collects errors.
    fn resolve(&mut self, modules: &[Module]) {
        for symbol in &mut self.symbols {
            // The first of the greatest rank.
            let ranks = symbol.mentions.iter().enumerate().map(|(i, m)| (m.rank, std::cmp::Reverse(i)));
            symbol.winner = ranks.max().map_or(0, |(_, std::cmp::Reverse(i))| i);
            let winner = symbol.mentions[symbol.winner];
            for (i, other) in symbol.mentions.iter().enumerate() {
                if i == symbol.winner {
                    continue;
                }
                let problem = match (winner.item, other.item) {
                    (Item::Func(_), Item::Func(_)) | (Item::Global(_), Item::Global(_))
                        if winner.rank == Rank::Strong && other.rank == Rank::Strong =>
                    {
                        "is defined twice"
                    }
                    (Item::Func(a), Item::Func(b)) => {
                        let of = |unit: usize, func: Func| modules[unit].functions[func].routine.as_ref();
                        match (of(winner.unit, a), of(other.unit, b)) {
                            // A caller that expects another level would call it with too many threads or too
                            // few.
                            (Some(a), Some(b)) if a.level != b.level => {
                                "is an `acc routine` of one level in one unit and of another in another"
                            }
                            _ => continue,
                        }
                    }
                    (Item::Global(a), Item::Global(b)) => {
                        let (a, b) = (&modules[winner.unit].globals[a], &modules[other.unit].globals[b]);
                        if a.thread_local == b.thread_local {
                            continue;
                        }
                        "is thread-local in one unit and not in another"
                    }
                    (Item::Func(_), Item::Global(_)) | (Item::Global(_), Item::Func(_)) => {
                        "is a function in one unit and an object in another"
                    }
                };
                let (first, second) = (place(modules, winner), place(modules, *other));
                self.errors.push(LinkError { name: symbol.name.clone(), problem, first, second });
            }
        }
    }
}

/// Where something is declared, as `file:line:column`.
fn place(modules: &[Module], mention: Mention) -> String {
    let module = &modules[mention.unit];
    let Pos { file, line, column } = match mention.item {
        Item::Func(func) => module.functions[func].pos,
        Item::Global(global) => module.globals[global].pos,
    };
    match module.files.get(file) {
        Some(name) if line != 0 => format!("{name}:{line}:{column}"),
        Some(_) | None => format!("unit {}", mention.unit + 1),
    }
}

/// The ids of a unit's entities in the program.
#[derive(Default)]
struct Ids {
    files: SecondaryMap<File, Option<File>>,
    aggregates: SecondaryMap<Agg, Option<Agg>>,
    signatures: SecondaryMap<Sig, Option<Sig>>,
    globals: SecondaryMap<Global, Option<Global>>,
    functions: SecondaryMap<Func, Option<Func>>,
}

/// The new id; an id that never existed stays one that does not, for the verifier to find.
fn renumber<T: EntityRef + ReservedValue>(map: &SecondaryMap<T, Option<T>>, id: &mut T) {
    *id = map.get(*id).copied().flatten().unwrap_or_else(T::reserved_value);
}

impl Ids {
    fn operand(&self, operand: &mut Operand) {
        match operand {
            Operand::Global(global) => renumber(&self.globals, global),
            Operand::Func(func) => renumber(&self.functions, func),
            Operand::Local(_) | Operand::Slot(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
    }

    fn pos(&self, pos: &mut Pos) {
        if *pos != Pos::none() {
            renumber(&self.files, &mut pos.file);
        }
    }

    fn part(&self, part: PartMut<'_>) {
        match part {
            PartMut::Value(operand) | PartMut::Variable(operand) => self.operand(operand),
            PartMut::Address(address) => self.operand(&mut address.base),
            PartMut::Func(func) => renumber(&self.functions, func),
            PartMut::Sig(sig) => renumber(&self.signatures, sig),
            PartMut::Agg(agg) => renumber(&self.aggregates, agg),
            PartMut::Pos(pos) => self.pos(pos),
            PartMut::Def(_)
            | PartMut::NamedLocal(_)
            | PartMut::Block(_)
            | PartMut::Loop(_)
            | PartMut::Construct(_)
            | PartMut::Red(_) => {}
        }
    }
}

struct Merger {
    out: Module,
    ids: Vec<Ids>,
    /// What becomes of the program's functions and globals: the mention each comes from.
    functions: Vec<(usize, Func)>,
    globals: Vec<(usize, Global)>,
    symbols: Vec<Symbol>,
}

impl Merger {
    fn new(names: Names, modules: &[Module]) -> Merger {
        let mut merger = Merger {
            out: Module::default(),
            ids: modules.iter().map(|_| Ids::default()).collect(),
            functions: Vec::new(),
            globals: Vec::new(),
            symbols: names.symbols,
        };
        merger.place_items(modules);
        merger
    }

    /// Gives ids: first to the winners of shared names, to which the losers refer, then to what units keep
    /// for themselves.
    fn place_items(&mut self, modules: &[Module]) {
        let symbols = std::mem::take(&mut self.symbols);
        for symbol in &symbols {
            let winner = symbol.mentions[symbol.winner];
            self.place(winner.unit, winner.item);
            for mention in &symbol.mentions {
                if mention.rank == Rank::Inline && winner.rank == Rank::Inline {
                    // Each unit has its own; the winner's is placed already.
                    if (mention.unit, mention.item) != (winner.unit, winner.item) {
                        self.place(mention.unit, mention.item);
                    }
                } else {
                    self.share(*mention, winner);
                }
            }
        }
        self.symbols = symbols;
        for (unit, module) in modules.iter().enumerate() {
            for (global, _) in module.globals.iter().filter(|(_, data)| data.linkage == Linkage::Internal) {
                self.place(unit, Item::Global(global));
            }
            for (func, _) in module.functions.iter().filter(|(_, data)| data.linkage == Linkage::Internal) {
                self.place(unit, Item::Func(func));
            }
        }
    }

    fn place(&mut self, unit: usize, item: Item) {
        match item {
            Item::Func(func) => {
                self.ids[unit].functions[func] = Some(Func::new(self.functions.len()));
                self.functions.push((unit, func));
            }
            Item::Global(global) => {
                self.ids[unit].globals[global] = Some(Global::new(self.globals.len()));
                self.globals.push((unit, global));
            }
        }
    }

    fn share(&mut self, mention: Mention, winner: Mention) {
        match (mention.item, winner.item) {
            (Item::Func(func), Item::Func(other)) => {
                self.ids[mention.unit].functions[func] = self.ids[winner.unit].functions[other];
            }
            (Item::Global(global), Item::Global(other)) => {
                self.ids[mention.unit].globals[global] = self.ids[winner.unit].globals[other];
            }
            // Such names were reported.
            (Item::Func(_), Item::Global(_)) | (Item::Global(_), Item::Func(_)) => {}
        }
    }

    fn merge(mut self, mut modules: Vec<Module>) -> Module {
        for symbol in std::mem::take(&mut self.symbols) {
            combine(&symbol, &mut modules);
        }
        distinguish(&mut modules, &self.functions, &self.globals);
        self.merge_types(&modules);
        let mut units: Vec<Unit> = modules.into_iter().map(Unit::new).collect();
        for (unit, global) in std::mem::take(&mut self.globals) {
            if let Some(mut data) = units[unit].globals[global.index()].take() {
                data.parts_mut(|part| self.ids[unit].part(part));
                self.out.globals.push(data);
            }
        }
        for (unit, func) in std::mem::take(&mut self.functions) {
            if let Some(mut data) = units[unit].functions[func.index()].take() {
                data.parts_mut(|part| self.ids[unit].part(part));
                self.out.functions.push(data);
            }
        }
        for (unit, ids) in units.iter().zip(&self.ids) {
            start_functions(&unit.constructors, ids, &mut self.out.constructors);
            start_functions(&unit.destructors, ids, &mut self.out.destructors);
        }
        self.out
    }

    /// Files, aggregates and signatures; equal ones become one.
    fn merge_types(&mut self, modules: &[Module]) {
        let mut files: FxHashMap<Arc<str>, File> = FxHashMap::default();
        let mut aggregates: FxHashMap<AggregateLayout, Agg> = FxHashMap::default();
        let mut signatures: FxHashMap<Signature, Sig> = FxHashMap::default();
        for (unit, module) in modules.iter().enumerate() {
            for (file, name) in &module.files {
                let new = *files.entry(name.clone()).or_insert_with(|| self.out.files.push(name.clone()));
                self.ids[unit].files[file] = Some(new);
            }
            for (agg, layout) in &module.aggregates {
                let new = *aggregates
                    .entry(layout.clone())
                    .or_insert_with(|| self.out.aggregates.push(layout.clone()));
                self.ids[unit].aggregates[agg] = Some(new);
            }
            for (sig, signature) in &module.signatures {
                let mut signature = signature.clone();
                signature.parts_mut(|part| self.ids[unit].part(part));
                let new = *signatures
                    .entry(signature)
                    .or_insert_with_key(|signature| self.out.signatures.push(signature.clone()));
                self.ids[unit].signatures[sig] = Some(new);
            }
        }
    }
}

/// What remains of a unit while its functions and globals are moved out.
struct Unit {
    functions: Vec<Option<Function>>,
    globals: Vec<Option<GlobalData>>,
    constructors: Vec<(u32, Func)>,
    destructors: Vec<(u32, Func)>,
}

impl Unit {
    fn new(module: Module) -> Unit {
        let Module { files: _, aggregates: _, signatures: _, globals, functions, constructors, destructors } =
            module;
        Unit {
            functions: functions.into_iter().map(|(_, data)| Some(data)).collect(),
            globals: globals.into_iter().map(|(_, data)| Some(data)).collect(),
            constructors,
            destructors,
        }
    }
}

/// A definition that lost against another does not make the other start twice.
fn start_functions(from: &[(u32, Func)], ids: &Ids, to: &mut Vec<(u32, Func)>) {
    let mut known: FxHashSet<(u32, Func)> = to.iter().copied().collect();
    for &(priority, mut func) in from {
        renumber(&ids.functions, &mut func);
        if known.insert((priority, func)) {
            to.push((priority, func));
        }
    }
}

/// Gives the definition that wins a name what the losing declarations know about it, for instance `noreturn`.
fn combine(symbol: &Symbol, modules: &mut [Module]) {
    let winner = symbol.mentions[symbol.winner];
    let declared = winner.rank == Rank::Declared;
    for (i, other) in symbol.mentions.iter().enumerate() {
        if i == symbol.winner {
            continue;
        }
        match (winner.item, other.item) {
            (Item::Func(func), Item::Func(from)) => {
                let from = &modules[other.unit].functions[from];
                let (noreturn, returns_twice, weak) =
                    (from.noreturn, from.returns_twice, from.linkage == Linkage::Weak);
                let routine = from.routine.clone();
                let data = &mut modules[winner.unit].functions[func];
                data.noreturn |= noreturn;
                data.returns_twice |= returns_twice;
                data.routine = data.routine.take().or(routine);
                if declared && !weak {
                    data.linkage = Linkage::External;
                }
            }
            (Item::Global(global), Item::Global(from)) => {
                let from = &modules[other.unit].globals[from];
                let (size, align, declare, weak) =
                    (from.size, from.align, from.declare, from.linkage == Linkage::Weak);
                let data = &mut modules[winner.unit].globals[global];
                data.declare = data.declare.or(declare);
                // A declaration may be more strictly aligned than the definition, and code relies on it.
                data.align = data.align.max(align);
                if winner.rank == Rank::Common && other.rank == Rank::Common || declared {
                    data.size = data.size.max(size);
                }
                if declared && !weak {
                    data.linkage = Linkage::External;
                }
            }
            (Item::Func(_), Item::Global(_)) | (Item::Global(_), Item::Func(_)) => {}
        }
    }
}

/// Gives distinct names to what units keep for themselves.
fn distinguish(modules: &mut [Module], functions: &[(usize, Func)], globals: &[(usize, Global)]) {
    let mut fresh = FreshNames::default();
    // Names of a unit's own functions that change, for its aliases.
    let mut renamed: Vec<FxHashMap<Arc<str>, Arc<str>>> =
        modules.iter().map(|_| FxHashMap::default()).collect();
    let own = |linkage| matches!(linkage, Linkage::Internal | Linkage::Inline);
    for &(unit, global) in globals {
        let data = &modules[unit].globals[global];
        if !own(data.linkage) {
            fresh.taken.insert(linker_name(&data.link_name, &data.name).clone());
        }
    }
    for &(unit, func) in functions {
        let data = &modules[unit].functions[func];
        if !own(data.linkage) {
            fresh.taken.insert(linker_name(&data.link_name, &data.name).clone());
        }
    }
    for &(unit, func) in functions {
        let data = &mut modules[unit].functions[func];
        if own(data.linkage)
            && let Some((old, new)) = fresh.rename(&mut data.name, &mut data.link_name)
        {
            renamed[unit].insert(old, new);
        }
    }
    for &(unit, global) in globals {
        let data = &mut modules[unit].globals[global];
        if own(data.linkage) {
            fresh.rename(&mut data.name, &mut data.link_name);
        }
    }
    for &(unit, func) in functions {
        let data = &mut modules[unit].functions[func];
        if let Some(new) = data.alias.as_ref().and_then(|alias| renamed[unit].get(alias)) {
            data.alias = Some(new.clone());
        }
    }
}

#[derive(Default)]
struct FreshNames {
    taken: FxHashSet<Arc<str>>,
    counters: FxHashMap<Arc<str>, u32>,
}

impl FreshNames {
    /// Takes a linker name, or another like it if it is taken; then reports the change.
    fn rename(
        &mut self,
        name: &mut Arc<str>,
        link_name: &mut Option<Arc<str>>,
    ) -> Option<(Arc<str>, Arc<str>)> {
        let old = linker_name(link_name, name).clone();
        if self.taken.insert(old.clone()) {
            return None;
        }
        let counter = self.counters.entry(old.clone()).or_insert(0);
        let new: Arc<str> = loop {
            *counter += 1;
            let candidate: Arc<str> = format!("{old}.{counter}").into();
            if self.taken.insert(candidate.clone()) {
                break candidate;
            }
        };
        match link_name {
            Some(link_name) => *link_name = new.clone(),
            None => *name = new.clone(),
        }
        Some((old, new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};
    use crate::verify::verify;

    fn linked(units: &[&str]) -> Result<Module, LinkErrors> {
        link(units.iter().map(|text| parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).collect())
    }

    fn program(units: &[&str]) -> String {
        let module = linked(units).unwrap_or_else(|errors| panic!("{errors}"));
        verify(&module, "link").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    #[test]
    fn ids_follow_what_they_named() {
        let a = "file file0 \"a.c\"
            signature sig0 (i32)
            signature sig1 ()
            global g0.x external size 4 align 4 extern @1:1
            global g1.table internal size 16 align 8 bytes \"\" relocate(0 g0.x, 8 fn0.f)
            function fn0.f sig0 external @2:1
            function fn1.main sig1 external @3:1 { bb0: call fn0.f(1i32) sig0 @4:1 return }";
        let b = "file file0 \"h.h\" file file1 \"a.c\" file file2 \"b.c\"
            aggregate agg0 size 8 align 8 leaves(0 ptr)
            signature sig0 (agg0)
            signature sig1 (i32)
            global g0.other internal size 4 align 4 zero
            global g1.x external size 4 align 4 bytes \"\\x01\" @file2:9:1
            function fn0.f sig1 external @file2:1:1 { params v0 locals v0: i32
                bb0: store.i32 [g1.x], v0 @file1:7:7 call fn1.g(g0) sig0 return }
            function fn1.g sig0 external";
        assert_eq!(
            program(&[a, b]),
            "file file0 \"a.c\"
file file1 \"h.h\"
file file2 \"b.c\"
aggregate agg0 size 8 align 8 leaves(0 ptr)
signature sig0 (i32)
signature sig1 ()
signature sig2 (agg0)
global g0.x external size 4 align 4 bytes \"\\x01\" @file2:9:1
global g1.table internal size 16 align 8 bytes \"\" relocate(0 g0.x, 8 fn0.f) @file0:1:1
global g2.other internal size 4 align 4 zero @none

function fn0.f sig0 external @file2:1:1 {
  params v0
  locals v0: i32
bb0:
  store.i32 [g0.x], v0 @file0:7:7
  call fn2.g(g2.other) sig2
  return
}

function fn1.main sig1 external @3:1 {
bb0:
  call fn0.f(1i32) sig0 @4:1
  return
}
function fn2.g sig2 external @7:7
"
        );
    }

    #[test]
    fn definitions_win_by_rank() {
        let unit = |linkage: &str, size: u32, init: &str| {
            format!(
                "global g0.x {linkage} size {size} align 4 {init}\nfunction fn0.f sig0 weak signature sig0 ()"
            )
        };
        let (common, larger, weak, strong, declared) = (
            unit("common", 4, "zero"),
            unit("common", 8, "zero"),
            unit("weak", 4, "bytes \"w\""),
            unit("external", 4, "bytes \"s\""),
            unit("external", 16, "extern"),
        );
        let first = |units: &[&String]| {
            let units: Vec<&str> = units.iter().map(|unit| unit.as_str()).collect();
            let text = program(&units);
            let line = text.lines().find(|line| line.starts_with("global")).map(str::to_owned);
            assert_eq!(text.matches("global").count(), 1, "{text}");
            line.unwrap_or_default()
        };
        assert_eq!(first(&[&common, &larger]), "global g0.x common size 8 align 4 zero");
        assert_eq!(first(&[&weak, &common]), "global g0.x common size 4 align 4 zero");
        assert_eq!(first(&[&weak, &declared, &weak]), "global g0.x weak size 4 align 4 bytes \"w\"");
        assert_eq!(first(&[&larger, &strong, &weak]), "global g0.x external size 4 align 4 bytes \"s\"");
        assert_eq!(first(&[&declared, &declared]), "global g0.x external size 16 align 4 extern");
        assert!(program(&[&weak, &weak]).contains("function fn0.f sig0 weak"));
    }

    #[test]
    fn internal_and_inline_names_stay_apart() {
        let unit = |value: u32| {
            format!(
                "signature sig0 () -> i32 signature sig1 ()
                global g0.count internal size 4 align 4 zero
                function fn0.get sig0 internal {{ bb0: return {value}i32 }}
                function fn1.twice sig0 inline {{ bb0: return {value}i32 }}
                function fn2.alias{value} sig0 external alias \"get\"
                function fn3.use{value} sig1 external {{ locals v0: i32 bb0: v0 = call fn0.get() sig0
                    v0 = call fn1.twice() sig0 v0 = load [g0.count] return }}"
            )
        };
        let module = linked(&[&unit(1), &unit(2)]).unwrap_or_else(|errors| panic!("{errors}"));
        let text = print(&module);
        for line in [
            "function fn6.get sig0 internal {",
            "function fn7.get.1 sig0 internal {",
            "function fn0.twice sig0 inline {",
            "function fn1.twice.1 sig0 inline {",
            "function fn2.alias1 sig0 external alias \"get\"",
            "function fn4.alias2 sig0 external alias \"get.1\"",
            "  v0 = call fn7.get.1() sig0",
            "  v0 = call fn1.twice.1() sig0",
            "  v0 = load [g1.count.1]",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} is not in\n{text}");
        }
    }

    #[test]
    fn an_external_definition_replaces_inline_ones_and_declarations_agree() {
        let inline = "signature sig0 () function fn0.f sig0 inline { bb0: trap unreachable }
            function fn1.die sig0 external noreturn routine(seq)";
        let external = "signature sig0 () function fn0.f sig0 external { bb0: return }
            function fn1.die sig0 external { bb0: trap unreachable }";
        let text = program(&[inline, external]);
        assert!(text.contains("function fn0.f sig0 external {\nbb0:\n  return"), "{text}");
        assert!(text.contains("function fn1.die sig0 external noreturn routine(seq) {"), "{text}");
        assert_eq!(text.matches("function").count(), 2);
    }

    #[test]
    fn conflicts_name_both_places() {
        let unit = |file: &str, line: u32| {
            format!(
                "file file0 \"{file}\" signature sig0 ()
                function fn0.f sig0 external @{line}:1 {{ bb0: return }}
                global g0.x external size 4 align 4 zero @{line}:5"
            )
        };
        let errors = linked(&[&unit("a.c", 3), &unit("b.c", 7)]).expect_err("a conflict");
        assert_eq!(
            errors.to_string(),
            "b.c:7:5: error: `x` is defined twice; the other place is a.c:3:5\n\
             b.c:7:1: error: `f` is defined twice; the other place is a.c:3:1"
        );
        let object = "global g0.f external size 4 align 4 zero";
        let errors = linked(&[&unit("a.c", 3), object]).expect_err("a conflict");
        assert!(
            errors.to_string().contains("is a function in one unit and an object in another"),
            "{errors}"
        );
        let routine = |level: &str, body: &str| {
            format!("signature sig0 () function fn0.f sig0 external routine({level}) {body}")
        };
        let (vector, seq) = (routine("vector", "{ bb0: return }"), routine("seq", ""));
        let errors = linked(&[&vector, &seq]).expect_err("a conflict");
        assert!(errors.to_string().contains("`f` is an `acc routine` of one level"), "{errors}");
        assert!(linked(&[&vector, &routine("vector", "")]).is_ok());
        let thread = "global g0.x external size 4 align 4 thread_local extern";
        let errors = linked(&[&unit("a.c", 3), thread]).expect_err("a conflict");
        assert!(errors.to_string().contains("is thread-local in one unit"), "{errors}");
    }
}
