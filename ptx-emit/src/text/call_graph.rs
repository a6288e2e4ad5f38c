//! What a module's regions reach: functions by calls and addresses, globals by addresses and initial values.

use super::error::{EmitError, Result};
use super::library::Library;
use accrue_ir::visit::Part;
use accrue_ir::*;
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Who runs when a function is called on the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A function with a body: itself, the one it is an alias of or bound to, or its device version.
    Function(Func),
    /// Something that PTX or the driver offers.
    Library(Library),
    /// Nobody.
    None,
}

/// Functions by their names.
pub(super) struct Targets<'a> {
    module: &'a Module,
    by_name: FxHashMap<&'a str, Func>,
}

impl<'a> Targets<'a> {
    pub(super) fn new(module: &'a Module) -> Targets<'a> {
        let mut by_name = FxHashMap::default();
        for (func, function) in module.functions.iter().filter(|(_, function)| function.body.is_some()) {
            by_name.entry(&*function.name).or_insert(func);
            if let Some(name) = &function.link_name {
                by_name.entry(name).or_insert(func);
            }
        }
        Targets { module, by_name }
    }

    /// The target of calls to a function.
    pub(super) fn of(&self, func: Func) -> Target {
        let function = &self.module.functions[func];
        let bound = bound_to(function);
        if let Some(&found) = bound.and_then(|name| self.by_name.get(&**name)) {
            return Target::Function(found);
        }
        if function.body.is_some() {
            return Target::Function(func);
        }
        if let Some(&found) = function.alias.as_deref().and_then(|name| self.by_name.get(name)) {
            return Target::Function(found);
        }
        let name = &**bound.unwrap_or(&function.name);
        let device = || self.by_name.get(format!("__accrue_{name}").as_str()).copied();
        match Library::by_name(name) {
            // A function does these word by word, and stands there once.
            Some(library @ (Library::MemCopy | Library::MemSet)) => {
                device().map_or(Target::Library(library), Target::Function)
            }
            Some(library) => Target::Library(library),
            None => device().map_or(Target::None, Target::Function),
        }
    }
}

/// The name that `bind` gives a function.
fn bound_to(function: &Function) -> Option<&Arc<str>> {
    function.routine.as_ref()?.bind.as_ref()
}

/// What the regions of a module reach.
#[derive(Debug)]
pub struct Reached {
    /// C functions and routines, in the module's order.
    pub(super) functions: Vec<Func>,
    /// Regions, in the module's order.
    pub(super) regions: Vec<Func>,
    /// Globals; each after those that its initial value names.
    pub(super) globals: Vec<Global>,
    /// The functions that a function calls or names, directly or through initial values.
    pub(crate) callees: SecondaryMap<Func, Vec<Func>>,
    /// Who runs when one of the functions that are called or named is called.
    pub(crate) targets: SecondaryMap<Func, Option<Func>>,
    /// How often a function is called or named, initial values included.
    pub(crate) mentions: SecondaryMap<Func, u32>,
    missing: Vec<Arc<str>>,
}

/// Makes operations of calls of functions that are one, such as `fma`: passes know what operations do.
pub(crate) fn make_operations(module: &mut Module, reached: &Reached) {
    let targets = Targets::new(module);
    let operation = |(func, function): (Func, &Function)| {
        let is_named = function.body.is_none() && Library::by_name(&function.name).is_some();
        match targets.of(func) {
            Target::Library(library) if is_named => Some((func, library)),
            _ => None,
        }
    };
    let operations: FxHashMap<Func, Library> = module.functions.iter().filter_map(operation).collect();
    for func in reached.with_code().filter(|_| !operations.is_empty()) {
        let Some(body) = module.functions[func].body.as_deref_mut() else { continue };
        let Body { order, blocks, locals, .. } = body;
        let made = |op: &Op| {
            let &Op::Call { dst: Some(dst), callee: Callee::Direct(called), ref args, .. } = op else {
                return None;
            };
            let ty = locals[dst].ty;
            let has_type = |arg: &Operand| match *arg {
                Operand::Local(local) => locals[local].ty == ty,
                Operand::F32(_) => ty == Type::F32,
                Operand::F64(_) => ty == Type::F64,
                _ => false,
            };
            let library = operations.get(&called).filter(|_| args.iter().all(has_type))?;
            library.operation(dst, args)
        };
        for &block in order.iter() {
            for inst in &mut blocks[block].insts {
                if let Some(op) = made(&inst.op) {
                    inst.op = op;
                }
            }
        }
    }
}

impl Reached {
    /// Routines and C functions, then regions, each in the module's order.
    pub(crate) fn with_code(&self) -> impl Iterator<Item = Func> + '_ {
        self.functions.iter().chain(&self.regions).copied()
    }

    /// Names of functions that are called or named and that nothing defines: what a library may have.
    pub fn missing(&self) -> &[Arc<str>] {
        &self.missing
    }
}

struct Walk<'a> {
    module: &'a Module,
    targets: &'a Targets<'a>,
    functions: Vec<Func>,
    seen_functions: SecondaryMap<Func, bool>,
    seen_globals: SecondaryMap<Global, Visit>,
    globals: Vec<Global>,
    in_globals: SecondaryMap<Global, Vec<Func>>,
    resolved: SecondaryMap<Func, Option<Func>>,
    mentions: SecondaryMap<Func, u32>,
    missing: Vec<Arc<str>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Visit {
    #[default]
    New,
    Open,
    Done,
}

/// Finds it. An initial value that leads back to itself is an error.
pub fn reach(module: &Module) -> Result<Reached> {
    let targets = &Targets::new(module);
    let is_region = |func: &Func| matches!(module.functions[*func].kind, FunctionKind::Region(_));
    let regions: Vec<Func> = module
        .functions
        .keys()
        .filter(|func| is_region(func) && module.functions[*func].body.is_some())
        .collect();
    let mut walk = Walk {
        module,
        targets,
        functions: Vec::new(),
        seen_functions: SecondaryMap::new(),
        seen_globals: SecondaryMap::new(),
        globals: Vec::new(),
        in_globals: SecondaryMap::new(),
        resolved: SecondaryMap::new(),
        mentions: SecondaryMap::new(),
        missing: Vec::new(),
    };
    let mut callees: SecondaryMap<Func, Vec<Func>> = SecondaryMap::new();
    for &region in &regions {
        walk.enter(region);
    }
    while let Some(func) = walk.functions.pop() {
        callees[func] = walk.function(func)?;
    }
    let seen = &walk.seen_functions;
    let functions = module.functions.keys().filter(|func| seen[*func] && !is_region(func)).collect();
    let Walk { globals, resolved, mentions, mut missing, .. } = walk;
    missing.sort_unstable();
    missing.dedup();
    Ok(Reached { functions, regions, globals, callees, targets: resolved, mentions, missing })
}

impl Walk<'_> {
    fn enter(&mut self, func: Func) {
        if !self.seen_functions[func] {
            self.seen_functions[func] = true;
            self.functions.push(func);
        }
    }

    /// Follows a function that is named.
    fn named(&mut self, func: Func) -> Option<Func> {
        match self.targets.of(func) {
            Target::Function(target) => {
                self.resolved[func] = Some(target);
                self.mentions[target] += 1;
                self.enter(target);
                return Some(target);
            }
            Target::None | Target::Library(Library::MemCopy | Library::MemSet) => {
                let function = &self.module.functions[func];
                self.missing.push(bound_to(function).unwrap_or(&function.name).clone());
            }
            Target::Library(_) => {}
        }
        None
    }

    /// Follows what a function names; gives the functions among it.
    fn function(&mut self, func: Func) -> Result<Vec<Func>> {
        let mut found = Found::default();
        let function = &self.module.functions[func];
        if let Some(body) = &function.body {
            for &block in &body.order {
                let data = &body.blocks[block];
                data.insts.iter().for_each(|inst| inst.op.parts(|part| found.part(part)));
                data.term.parts(|part| found.part(part));
            }
        }
        for &named in &found.addressed {
            self.refuse_address(named, &function.name, function.pos)?;
        }
        let named = found.called.into_iter().chain(found.addressed);
        let mut callees: Vec<Func> = named.filter_map(|named| self.named(named)).collect();
        for global in found.globals {
            self.global(global, &function.name)?;
            callees.extend_from_slice(&self.in_globals[global]);
        }
        callees.sort_unstable();
        callees.dedup();
        Ok(callees)
    }

    /// All threads of a level call its routines together, which a call through a pointer cannot know.
    fn refuse_address(&self, func: Func, user: &str, pos: Pos) -> Result<()> {
        let function = &self.module.functions[func];
        let Some(level) = function.routine.as_ref().and_then(|routine| routine.level) else { return Ok(()) };
        let message = format!(
            "the address of `{}` is taken on the device; a `routine {}` can be called by its name only",
            function.name,
            level.name()
        );
        Err(EmitError { function: user.to_owned(), pos, message })
    }

    /// Follows the initial value of a global.
    fn global(&mut self, first: Global, user: &str) -> Result<()> {
        let mut stack = vec![(first, 0)];
        while let Some((global, next)) = stack.last_mut() {
            let (global, index) = (*global, *next);
            *next += 1;
            let data = &self.module.globals[global];
            if index == 0 {
                match self.seen_globals[global] {
                    Visit::Done => {
                        stack.pop();
                        continue;
                    }
                    Visit::Open => {
                        let message = format!(
                            "the initial value of `{}` leads back to itself, which PTX cannot express",
                            data.name
                        );
                        return Err(EmitError { function: user.to_owned(), pos: data.pos, message });
                    }
                    Visit::New => self.seen_globals[global] = Visit::Open,
                }
            }
            let relocations: &[Relocation] = match &data.init {
                Init::Bytes(_, relocations) => relocations,
                Init::Extern | Init::Zero => &[],
            };
            match relocations.get(index).map(|relocation| relocation.target) {
                None => {
                    self.seen_globals[global] = Visit::Done;
                    self.globals.push(global);
                    stack.pop();
                    let inner = self.in_globals[global].clone();
                    if let Some((outer, _)) = stack.last() {
                        self.in_globals[*outer].extend(inner);
                    }
                }
                Some(Operand::Global(inner)) => {
                    if self.seen_globals[inner] == Visit::Done {
                        let functions = self.in_globals[inner].clone();
                        self.in_globals[global].extend(functions);
                    } else {
                        stack.push((inner, 0));
                    }
                }
                Some(Operand::Func(func)) => {
                    self.refuse_address(func, user, data.pos)?;
                    if let Some(target) = self.named(func) {
                        self.in_globals[global].push(target);
                    }
                }
                Some(
                    Operand::Local(_)
                    | Operand::Slot(_)
                    | Operand::Int(..)
                    | Operand::F32(_)
                    | Operand::F64(_),
                ) => {}
            }
        }
        Ok(())
    }
}

/// What a body names, each once per mention.
#[derive(Default)]
struct Found {
    /// Functions that are called by name.
    called: Vec<Func>,
    /// Functions whose addresses are used.
    addressed: Vec<Func>,
    globals: Vec<Global>,
}

impl Found {
    fn part(&mut self, part: Part<'_>) {
        if let Part::Func(func) = part {
            self.called.push(*func);
        }
        let Some(operand) = part.operand() else { return };
        match operand {
            Operand::Func(func) => self.addressed.push(func),
            Operand::Global(global) => self.globals.push(global),
            Operand::Local(_) | Operand::Slot(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
    }
}

/// Everything that a function reaches through calls, itself included.
pub(super) fn closure(callees: &SecondaryMap<Func, Vec<Func>>, from: Func) -> Vec<Func> {
    let mut seen: SecondaryMap<Func, bool> = SecondaryMap::new();
    let mut list = vec![from];
    seen[from] = true;
    let mut next = 0;
    while next < list.len() {
        for &callee in &callees[list[next]] {
            if !seen[callee] {
                seen[callee] = true;
                list.push(callee);
            }
        }
        next += 1;
    }
    list.sort_unstable_by_key(|func| func.index());
    list
}
