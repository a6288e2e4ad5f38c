//! Symbols of the module: functions get numbers, variables addresses.

use super::Output;
use super::symbol::Symbol;
use crate::code::{Builtin, Code, Function, SharedVariable};
use crate::error::{Pos, Problem, Result};
use crate::memory::address;
use crate::memory::device::{Allocation, Memory, Purpose};
use crate::read::ast::{self, InitValue, Number, StatementKind, VarSpace, Variable};
use crate::ty::Ty;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Bytes between variables in shared memory that belong to none.
const SHARED_RED_ZONE: u32 = 32;
/// Most bytes of shared variables in a module; those of a kernel are counted when it is launched.
const MOST_SHARED: u64 = 1 << 30;

/// Addresses of a module's symbols.
#[derive(Debug)]
pub(crate) struct Linker<'a> {
    symbols: FxHashMap<&'a str, Symbol>,
    /// Variables that are declared inside functions.
    inner: FxHashMap<Pos, Symbol>,
    allocations: Vec<(String, Arc<Allocation>)>,
    shared: Vec<SharedVariable>,
    shared_end: u32,
    dynamic: Vec<&'a str>,
    dynamic_align: u32,
    /// Functions whose addresses variables hold.
    held: BTreeSet<u32>,
}

/// Bytes of a variable.
pub(crate) fn bytes_of(variable: &Variable<'_>) -> u64 {
    variable.count.unwrap_or(0).saturating_mul(u64::from(variable.element))
}

/// What the driver offers by a name.
fn builtin(name: &str) -> Option<Builtin> {
    Some(match name {
        "vprintf" => Builtin::Vprintf,
        "__assertfail" => Builtin::AssertFail,
        "malloc" => Builtin::Malloc,
        "free" => Builtin::Free,
        _ => return None,
    })
}

impl<'a> Linker<'a> {
    pub(crate) fn new(module: &ast::Module<'a>, memory: &Memory) -> Result<Linker<'a>> {
        let mut linker = Linker {
            symbols: FxHashMap::default(),
            inner: FxHashMap::default(),
            allocations: Vec::new(),
            shared: Vec::new(),
            shared_end: 0,
            dynamic: Vec::new(),
            dynamic_align: 16,
            held: BTreeSet::new(),
        };
        linker.functions(module)?;
        for variable in &module.variables {
            let symbol = linker.variable(variable, memory)?;
            linker.declare(variable.name, symbol, variable.pos)?;
        }
        for function in crate::read::definitions(module) {
            for statement in function.body.iter().flatten() {
                if let StatementKind::Variable(variable) = &statement.kind
                    && !matches!(variable.space, VarSpace::Local | VarSpace::Param)
                {
                    let symbol = linker.variable(variable, memory)?;
                    linker.inner.insert(variable.pos, symbol);
                }
            }
        }
        linker.place_dynamic();
        linker.held = linker.held_functions(module);
        Ok(linker)
    }

    fn functions(&mut self, module: &ast::Module<'a>) -> Result<()> {
        for (number, function) in crate::read::definitions(module).enumerate() {
            if self.symbols.insert(function.name, Symbol::Function(number as u32)).is_some() {
                return Err(Problem::new(function.pos, format!("`{}` is defined twice", function.name)));
            }
        }
        for function in module.functions.iter().filter(|function| function.body.is_none()) {
            let outer = builtin(function.name).map_or(Symbol::Undefined, Symbol::Builtin);
            self.symbols.entry(function.name).or_insert(outer);
        }
        for (alias, of, pos) in &module.aliases {
            let Some(symbol) = self.symbols.get(of).cloned() else {
                return Err(Problem::new(*pos, format!("`{of}` is not declared")));
            };
            self.symbols.insert(alias, symbol);
        }
        Ok(())
    }

    fn declare(&mut self, name: &'a str, symbol: Symbol, pos: Pos) -> Result<()> {
        match self.symbols.get(name) {
            None | Some(Symbol::Undefined) => {}
            // Declared again, without another definition.
            Some(_) if matches!(symbol, Symbol::Undefined) => return Ok(()),
            Some(_) => return Err(Problem::new(pos, format!("`{name}` is defined twice"))),
        }
        self.symbols.insert(name, symbol);
        Ok(())
    }

    fn variable(&mut self, variable: &Variable<'a>, memory: &Memory) -> Result<Symbol> {
        let problem = |message: String| Err(Problem::new(variable.pos, message));
        let bytes = bytes_of(variable);
        match variable.space {
            VarSpace::Shared => {
                if variable.count.is_none() {
                    self.dynamic.push(variable.name);
                    self.dynamic_align = self.dynamic_align.max(variable.align);
                    return Ok(Symbol::Shared { offset: u32::MAX });
                }
                if !variable.init.is_empty() {
                    return problem(format!(
                        "`{}` is in shared memory and has an initial value",
                        variable.name
                    ));
                }
                let offset = self.shared_end.next_multiple_of(variable.align.max(16));
                let end = u64::from(offset) + bytes + u64::from(SHARED_RED_ZONE);
                if end > MOST_SHARED {
                    return problem("the module has too many bytes of shared variables".to_owned());
                }
                self.shared_end = end as u32;
                self.shared.push(SharedVariable {
                    name: variable.name.to_owned(),
                    offset,
                    bytes: bytes as u32,
                });
                Ok(Symbol::Shared { offset })
            }
            _ if variable.external => Ok(Symbol::Undefined),
            VarSpace::Global | VarSpace::Const => {
                let constant = variable.space == VarSpace::Const;
                let purpose = if constant { Purpose::Constant } else { Purpose::Variable };
                let Some(allocation) = memory.alloc(bytes, variable.name.to_owned(), purpose) else {
                    return problem(format!("no memory is left for `{}`", variable.name));
                };
                // Variables begin as zero.
                allocation.region.define_all();
                let address = allocation.base;
                self.allocations.push((variable.name.to_owned(), allocation));
                Ok(Symbol::Global { address, constant })
            }
            VarSpace::Local | VarSpace::Param => {
                problem(format!("`{}` is outside of a function", variable.name))
            }
        }
    }

    /// Arrays whose size the launch gives stand behind the arrays of known size, all at one place.
    fn place_dynamic(&mut self) {
        if self.dynamic.is_empty() {
            return;
        }
        let start = self.shared_end.next_multiple_of(self.dynamic_align);
        self.shared_end = start;
        let name = self.dynamic.join(", ");
        self.shared.push(SharedVariable { name, offset: start, bytes: 0 });
        for symbol in self.symbols.values_mut().chain(self.inner.values_mut()) {
            if let Symbol::Shared { offset } = symbol
                && *offset == u32::MAX
            {
                *offset = start;
            }
        }
    }

    fn held_functions(&self, module: &ast::Module<'a>) -> BTreeSet<u32> {
        let elements = module.variables.iter().flat_map(|variable| &variable.init);
        let held = elements.filter_map(|element| match &element.value {
            InitValue::Address { symbol, .. } | InitValue::AddressByte { symbol, .. } => {
                self.symbols.get(symbol)
            }
            InitValue::Number(_) => None,
        });
        held.filter_map(|symbol| match symbol {
            Symbol::Function(number) => Some(*number),
            _ => None,
        })
        .collect()
    }

    pub(crate) fn find(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).cloned()
    }

    /// The symbol of a variable that is declared inside a function.
    pub(crate) fn inner(&self, pos: Pos) -> Option<Symbol> {
        self.inner.get(&pos).cloned()
    }

    /// Sets variables to their initial values.
    pub(crate) fn initialise(&self, module: &ast::Module<'a>) -> Result<()> {
        let mut allocations = self.allocations.iter();
        let functions = crate::read::definitions(module);
        let inner = functions.flat_map(|function| function.body.iter().flatten()).filter_map(|statement| {
            match &statement.kind {
                StatementKind::Variable(variable) => Some(variable),
                _ => None,
            }
        });
        let all = module.variables.iter().chain(inner);
        let placed = all.filter(|variable| {
            matches!(variable.space, VarSpace::Global | VarSpace::Const) && !variable.external
        });
        for (variable, (_, allocation)) in placed.zip(&mut allocations) {
            for (index, element) in variable.init.iter().enumerate() {
                let value = self.element(element, variable)?;
                let bytes = value.to_le_bytes();
                let size = variable.element as usize;
                let mut wide = [0; 16];
                wide[..8].copy_from_slice(&bytes);
                let offset = index as u64 * u64::from(variable.element);
                allocation.region.copy_in(offset, wide.get(..size).unwrap_or(&wide));
            }
        }
        Ok(())
    }

    fn element(&self, element: &ast::Init<'a>, variable: &Variable<'a>) -> Result<u64> {
        let problem = |message: String| Problem::new(element.pos, message);
        let is_double = variable.ty == "f64";
        let is_single = variable.ty == "f32";
        Ok(match &element.value {
            InitValue::Number(Number::Int(value)) if is_double => (*value as i64 as f64).to_bits(),
            InitValue::Number(Number::Int(value)) if is_single => u64::from((*value as i64 as f32).to_bits()),
            InitValue::Number(Number::Int(value)) => *value,
            InitValue::Number(Number::F32(bits)) => u64::from(*bits),
            InitValue::Number(Number::F64(bits)) if is_single => {
                u64::from((f64::from_bits(*bits) as f32).to_bits())
            }
            InitValue::Number(Number::F64(bits)) => *bits,
            InitValue::Address { symbol, generic, addend } => {
                let bytes = Ty::by_name(variable.ty).map_or(0, Ty::bytes);
                if bytes != 8 {
                    return Err(problem("an address has 64 bits".to_owned()));
                }
                self.address(symbol, *generic).map_err(problem)?.wrapping_add_signed(*addend)
            }
            InitValue::AddressByte { symbol, generic, addend, shift } => {
                self.address(symbol, *generic).map_err(problem)?.wrapping_add_signed(*addend) >> shift & 0xff
            }
        })
    }

    fn address(&self, symbol: &str, generic: bool) -> std::result::Result<u64, String> {
        match self.symbols.get(symbol) {
            Some(Symbol::Global { address, .. }) => Ok(*address),
            Some(Symbol::Function(number)) => Ok(address::function_address(*number)),
            Some(Symbol::Shared { offset }) if generic => Ok(address::SHARED + u64::from(*offset)),
            Some(Symbol::Shared { offset }) => Ok(u64::from(*offset)),
            Some(_) => Err(format!("`{symbol}` has no address that an initial value can hold")),
            None => Err(format!("`{symbol}` is not declared")),
        }
    }

    /// Gives the memory back.
    pub(crate) fn release(&self, memory: &Memory) {
        for (_, allocation) in &self.allocations {
            memory.free(allocation.base, |_| true);
        }
    }

    /// Bytes of the shared variables that a function names, and all functions that it names, and so on.
    fn shared_of(&self, functions: &[Function], number: usize) -> u32 {
        let mut reached: BTreeSet<usize> = BTreeSet::new();
        let mut work = vec![number];
        // Who calls through a variable may call whatever a variable holds.
        let held = self.held.iter().map(|number| *number as usize);
        while let Some(number) = work.pop() {
            if let Some(function) = functions.get(number)
                && reached.insert(number)
            {
                work.extend(function.callees.iter().map(|number| *number as usize));
                work.extend(held.clone());
            }
        }
        let named: BTreeSet<u32> =
            reached.iter().flat_map(|number| functions[*number].shared.iter().copied()).collect();
        let used = self.shared.iter().filter(|variable| named.contains(&variable.offset));
        used.map(|variable| variable.bytes).fold(0, u32::saturating_add)
    }

    /// The module, complete.
    pub(crate) fn finish(
        self,
        module: &ast::Module<'a>,
        output: Output,
        mut functions: Vec<Function>,
    ) -> Code {
        for number in 0..functions.len() {
            if functions[number].entry {
                functions[number].shared_bytes = self.shared_of(&functions, number);
            }
        }
        let mut by_name = BTreeMap::new();
        for (name, symbol) in &self.symbols {
            if let Symbol::Function(number) = symbol {
                by_name.insert((*name).to_owned(), *number);
            }
        }
        let dynamic_shared =
            (!self.dynamic.is_empty()).then(|| self.shared.last().map_or(0, |variable| variable.offset));
        Code {
            insts: output.insts,
            sites: output.sites,
            constants: output.constants,
            functions,
            by_name,
            files: module.files.iter().map(|(number, name)| (*number, (*name).to_owned())).collect(),
            shared: self.shared,
            shared_bytes: self.shared_end,
            dynamic_shared,
            globals: self.allocations,
            joins: std::sync::OnceLock::new(),
        }
    }
}
