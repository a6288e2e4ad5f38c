//! One function: registers and variables get slots, labels get indices, instructions are lowered one by one.

use super::Output;
use super::link::{Linker, bytes_of};
use super::mods::Mods;
use super::symbol::{Scope, Symbol, slots_of};
use crate::code::{Function, Inst, Op, PredSrc, RegisterNames, Site, Src, Words};
use crate::error::{Pos, Problem, Result};
use crate::read::ast::{self, Location, RegisterName, Statement, StatementKind, VarSpace, Variable};
use crate::ty::Ty;
use crate::verify::{Typing, needs};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Problems of a function after which the rest is not looked at.
const MOST_PROBLEMS: usize = 20;
/// Largest frame of local variables.
const MOST_LOCAL: u64 = 512 << 10;
/// The least alignment of a frame.
const FRAME_ALIGN: u32 = 16;

/// A jump whose target is not known yet.
enum Patch<'a> {
    Branch { at: usize, label: &'a str, pos: Pos },
    Table { at: usize, labels: Vec<&'a str>, pos: Pos },
}

/// Lowers a function.
pub(crate) struct FunctionLowerer<'m, 'a, 'o> {
    pub(super) module: &'m ast::Module<'a>,
    pub(super) linker: &'m Linker<'a>,
    pub(super) typing: Typing,
    function: &'m ast::Function<'a>,
    pub(super) output: &'o mut Output,
    scopes: Vec<Scope<'a>>,
    labels: FxHashMap<&'a str, u32>,
    patches: Vec<Patch<'a>>,
    tables: FxHashMap<&'a str, Vec<&'a str>>,
    pub(super) prototypes: FxHashMap<&'a str, (usize, usize)>,
    /// The next free one of each.
    slots: u32,
    predicates: u32,
    local_bytes: u64,
    local_align: u32,
    location: Option<Location>,
    slot_names: Vec<RegisterNames>,
    predicate_names: Vec<RegisterNames>,
    locals: Vec<(u32, u32, String)>,
    /// Shared variables and functions that were named.
    shared: RefCell<BTreeSet<u32>>,
    callees: RefCell<BTreeSet<u32>>,
    pub(super) pos: Pos,
}

impl<'m, 'a, 'o> FunctionLowerer<'m, 'a, 'o> {
    pub(crate) fn new(
        module: &'m ast::Module<'a>,
        linker: &'m Linker<'a>,
        typing: Typing,
        function: &'m ast::Function<'a>,
        output: &'o mut Output,
    ) -> Self {
        FunctionLowerer {
            module,
            linker,
            typing,
            function,
            output,
            scopes: vec![Scope::default()],
            labels: FxHashMap::default(),
            patches: Vec::new(),
            tables: FxHashMap::default(),
            prototypes: FxHashMap::default(),
            // Behind the sinks.
            slots: 1,
            predicates: 1,
            local_bytes: 0,
            local_align: FRAME_ALIGN,
            location: None,
            slot_names: Vec::new(),
            predicate_names: Vec::new(),
            locals: Vec::new(),
            shared: RefCell::default(),
            callees: RefCell::default(),
            pos: function.pos,
        }
    }

    pub(super) fn problem<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Problem::new(self.pos, message))
    }

    /// Lowers all of it.
    pub(crate) fn lower(mut self, problems: &mut Vec<Problem>) -> Function {
        let start = self.output.insts.len() as u32;
        let before = problems.len();
        let function = self.function;
        let mut header = Function {
            name: function.name.to_owned(),
            entry: function.entry,
            start,
            end: start,
            slots: 0,
            predicates: 0,
            local_bytes: 0,
            local_align: FRAME_ALIGN,
            params: Vec::new(),
            results: Vec::new(),
            param_layout: Vec::new(),
            param_bytes: 0,
            required_threads: function.required_threads,
            max_threads: function.max_threads,
            shared: BTreeSet::new(),
            callees: BTreeSet::new(),
            shared_bytes: 0,
            locals: Vec::new(),
            slot_names: Vec::new(),
            predicate_names: Vec::new(),
        };
        problems.extend(self.parameters(&mut header).err());
        // Targets of `brx` may stand behind it.
        for statement in function.body.iter().flatten() {
            match &statement.kind {
                StatementKind::Targets { label, targets } => {
                    self.tables.insert(label, targets.clone());
                }
                StatementKind::Prototype(prototype) => {
                    let shape = (prototype.results.len(), prototype.params.len());
                    self.prototypes.insert(prototype.label, shape);
                }
                _ => {}
            }
        }
        for statement in function.body.iter().flatten() {
            self.pos = statement.pos;
            if let Err(problem) = self.statement(statement) {
                problems.push(problem);
                if problems.len() - before >= MOST_PROBLEMS {
                    break;
                }
            }
        }
        // Who runs off the end returns.
        self.emit(None, Op::Return);
        problems.extend(self.patch().err());
        header.end = self.output.insts.len() as u32;
        header.slots = self.slots;
        header.predicates = self.predicates;
        header.local_bytes = self.local_bytes as u32;
        header.local_align = self.local_align;
        header.slot_names = self.slot_names;
        header.predicate_names = self.predicate_names;
        header.locals = self.locals;
        header.shared = self.shared.into_inner();
        header.callees = self.callees.into_inner();
        header
    }

    fn parameters(&mut self, header: &mut Function) -> Result<()> {
        for variable in &self.function.results {
            let words = self.words(variable);
            header.results.push(words);
            self.declare(variable.name, Symbol::Words(words))?;
        }
        let mut offset = 0u64;
        for variable in &self.function.params {
            let bytes = bytes_of(variable);
            if bytes > 32 << 10 {
                return self.problem(format!("the parameter `{}` is too large", variable.name));
            }
            if !self.function.entry {
                let words = self.words(variable);
                header.params.push(words);
                self.declare(variable.name, Symbol::Words(words))?;
                continue;
            }
            offset = offset.next_multiple_of(u64::from(variable.align.max(1)));
            let place = (offset as u32, bytes as u32);
            header.param_layout.push((place.0, place.1, variable.name.to_owned()));
            self.declare(variable.name, Symbol::KernelParam { offset: place.0 })?;
            offset += bytes;
        }
        header.param_bytes = offset as u32;
        Ok(())
    }

    /// Slots for a parameter of a function or call.
    fn words(&mut self, variable: &Variable<'a>) -> Words {
        let bytes = bytes_of(variable).min(32 << 10) as u32;
        let count = bytes.div_ceil(8);
        let slot = self.slots;
        self.slots += count;
        for word in 0..count {
            self.slot_names.push((slot + word, variable.name.to_owned(), None));
        }
        Words { slot, count, bytes }
    }

    fn scope(&mut self) -> Result<&mut Scope<'a>> {
        let pos = self.pos;
        self.scopes.last_mut().ok_or_else(|| Problem::new(pos, "a scope is closed that was not opened"))
    }

    fn declare(&mut self, name: &'a str, symbol: Symbol) -> Result<()> {
        // Anonymous parameters of some compilers.
        if self.scope()?.add(name, symbol) || name == "_" {
            return Ok(());
        }
        self.problem(format!("`{name}` is declared twice"))
    }

    /// What a name means here.
    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        let inner = self.scopes.iter().rev().find_map(|scope| scope.find(name));
        let found = inner.or_else(|| self.linker.find(name));
        match found {
            Some(Symbol::Shared { offset }) => {
                self.shared.borrow_mut().insert(offset);
            }
            Some(Symbol::Function(number)) => {
                self.callees.borrow_mut().insert(number);
            }
            _ => {}
        }
        found
    }

    fn statement(&mut self, statement: &'m Statement<'a>) -> Result<()> {
        match &statement.kind {
            StatementKind::Label(label) => {
                if self.labels.insert(label, self.output.insts.len() as u32).is_some() {
                    return self.problem(format!("the label `{label}` is defined twice"));
                }
            }
            StatementKind::Open => self.scopes.push(Scope::default()),
            StatementKind::Close => {
                if self.scopes.len() > 1 {
                    self.scopes.pop();
                }
            }
            StatementKind::Registers { ty, names } => {
                let Some(ty) = Ty::by_name(ty) else { return self.problem(format!("`.{ty}` is no type")) };
                for name in names {
                    self.registers(ty, name)?;
                }
            }
            StatementKind::Variable(variable) => self.variable(variable)?,
            StatementKind::Location(location) => self.location = Some(*location),
            StatementKind::Targets { .. } | StatementKind::Prototype(_) => {}
            StatementKind::Instruction(instruction) => self.instruction(instruction)?,
        }
        Ok(())
    }

    fn registers(&mut self, ty: Ty, name: &RegisterName<'a>) -> Result<()> {
        let count = name.count.unwrap_or(1);
        let first = if ty == Ty::Pred { self.predicates } else { self.slots };
        let taken = count.saturating_mul(slots_of(ty));
        if u64::from(first) + u64::from(taken) > 1 << 21 {
            return self.problem("a function has too many registers");
        }
        let step = name.count.map(|_| slots_of(ty));
        let names = (first, name.name.to_owned(), step);
        if ty == Ty::Pred {
            self.predicates += count;
            self.predicate_names.push(names);
        } else {
            self.slots += taken;
            self.slot_names.push(names);
        }
        let new = match name.count {
            Some(count) => self.scope()?.add_family(name.name, (count, ty, first)),
            None if ty == Ty::Pred => self.scope()?.add(name.name, Symbol::Predicate(first)),
            None => self.scope()?.add(name.name, Symbol::Register { slot: first, ty }),
        };
        if new { Ok(()) } else { self.problem(format!("`{}` is declared twice", name.name)) }
    }

    fn variable(&mut self, variable: &Variable<'a>) -> Result<()> {
        let symbol = match variable.space {
            VarSpace::Param => Symbol::Words(self.words(variable)),
            VarSpace::Local => {
                if !variable.init.is_empty() {
                    return self.problem(format!("`{}` is local and has an initial value", variable.name));
                }
                let start = self.local_bytes.next_multiple_of(u64::from(variable.align.max(1)));
                let end = start.saturating_add(bytes_of(variable));
                if end > MOST_LOCAL {
                    return self.problem(format!("more than {MOST_LOCAL} bytes of local variables"));
                }
                // A red zone.
                self.local_bytes = end + 16;
                self.local_align = self.local_align.max(variable.align);
                self.locals.push((start as u32, (end - start) as u32, variable.name.to_owned()));
                Symbol::Local { offset: start as u32 }
            }
            VarSpace::Global | VarSpace::Const | VarSpace::Shared => {
                self.linker.inner(variable.pos).unwrap_or(Symbol::Undefined)
            }
        };
        self.declare(variable.name, symbol)
    }

    /// A slot for something between.
    pub(super) fn temporary(&mut self) -> u32 {
        let slot = self.slots;
        self.slots += 1;
        slot
    }

    pub(super) fn emit(&mut self, guard: Option<PredSrc>, op: Op) {
        self.output.insts.push(Inst { guard, op });
        self.output.sites.push(Site { line: self.pos.line, location: self.location });
    }

    pub(super) fn constant(&mut self, value: u64) -> Src {
        self.output.constant(value)
    }

    fn instruction(&mut self, instruction: &'m ast::Instruction<'a>) -> Result<()> {
        let guard = match instruction.guard {
            None => None,
            Some(guard) => match self.find(guard.name) {
                Some(Symbol::Predicate(index)) => Some(PredSrc::Slot { index, negated: guard.negated }),
                _ => return self.problem(format!("the predicate `{}` is not declared", guard.name)),
            },
        };
        let mut mods = Mods::new(instruction.opcode, self.pos)?;
        if let Some(message) = needs::missing(mods.text(), self.module.target, self.module.version) {
            return self.problem(message);
        }
        let ops = &instruction.operands[..];
        let lowered = self.arithmetic(&mut mods, ops)?;
        let lowered = match lowered {
            Some(op) => Some(op),
            None => self.conversion(&mut mods, ops)?,
        };
        let lowered = match lowered {
            Some(op) => Some(op),
            None => self.memory_access(&mut mods, ops)?,
        };
        let lowered = match lowered {
            Some(op) => Some(op),
            None => self.together(&mut mods, ops)?,
        };
        let lowered = match lowered {
            Some(op) => Some(op),
            None => self.control(&mut mods, ops)?,
        };
        let Some(op) = lowered else {
            return self.problem(format!("`{}` is unknown or not simulated", mods.text()));
        };
        mods.finish()?;
        self.emit(guard, op);
        Ok(())
    }

    /// Asks for the index of a label, once all are known, for the instruction that is about to be emitted.
    pub(super) fn jump(&mut self, label: &'a str) {
        self.patches.push(Patch::Branch { at: self.output.insts.len(), label, pos: self.pos });
    }

    /// As `jump`, for the labels of a table.
    pub(super) fn jump_table(&mut self, table: &'a str) -> Result<()> {
        let Some(labels) = self.tables.get(table).cloned() else {
            return self.problem(format!("there is no table `{table}`"));
        };
        self.patches.push(Patch::Table { at: self.output.insts.len(), labels, pos: self.pos });
        Ok(())
    }

    fn patch(&mut self) -> Result<()> {
        let labels = &self.labels;
        let index_of = |label: &str, pos: Pos| {
            let found = labels.get(label).copied();
            found.ok_or_else(|| Problem::new(pos, format!("there is no label `{label}`")))
        };
        for patch in &self.patches {
            match patch {
                Patch::Branch { at, label, pos } => {
                    let target = index_of(label, *pos)?;
                    if let Some(Inst { op: Op::Branch { to }, .. }) = self.output.insts.get_mut(*at) {
                        *to = target;
                    }
                }
                Patch::Table { at, labels, pos } => {
                    let all: Result<Vec<u32>> = labels.iter().map(|label| index_of(label, *pos)).collect();
                    let all = all?;
                    if let Some(Inst { op: Op::BranchTable { targets, .. }, .. }) =
                        self.output.insts.get_mut(*at)
                    {
                        *targets = all.into_boxed_slice();
                    }
                }
            }
        }
        Ok(())
    }
}
