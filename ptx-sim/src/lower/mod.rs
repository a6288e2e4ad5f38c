//! From the text's tree to decoded code. Lowering is verification, too: each instruction's modifiers,
//! operands, registers and symbols are checked on the way, and all problems are collected.

mod arith;
mod control;
mod convert;
mod function;
mod link;
mod mbarrier;
mod memory;
pub(crate) mod mods;
mod operand;
mod symbol;
mod sync;

#[cfg(test)]
mod tests;

use crate::code::{Code, Inst, Site};
use crate::error::{LoadError, Pos, Problem};
use crate::memory::device::Memory;
use crate::read::ast;
use crate::verify::Typing;
use function::FunctionLowerer;
use link::Linker;

/// What functions add to while they are lowered.
#[derive(Debug, Default)]
pub(crate) struct Output {
    pub(crate) insts: Vec<Inst>,
    pub(crate) sites: Vec<Site>,
    constants: Vec<crate::alu::Lanes>,
    constant_numbers: rustc_hash::FxHashMap<u64, u32>,
}

impl Output {
    /// A constant as a source.
    pub(crate) fn constant(&mut self, value: u64) -> crate::code::Src {
        let constants = &mut self.constants;
        let number = *self.constant_numbers.entry(value).or_insert_with(|| {
            constants.push([value; crate::alu::LANES]);
            (constants.len() - 1) as u32
        });
        crate::code::Src(crate::code::Src::CONST | number)
    }
}

/// Lowers a module; its variables are allocated in the memory of a device.
pub(crate) fn lower(module: &ast::Module<'_>, memory: &Memory, typing: Typing) -> Result<Code, LoadError> {
    let mut problems = Vec::new();
    let (major, minor) = accrue_ptx_isa::first_version(module.target);
    if module.version < (major, minor) {
        let message = format!("sm_{} needs .version {major}.{minor} or higher", module.target);
        problems.push(Problem::new(Pos { line: 1, column: 1 }, message));
    }
    let linker = match Linker::new(module, memory) {
        Ok(linker) => linker,
        Err(problem) => {
            problems.push(problem);
            return Err(LoadError { problems });
        }
    };
    let mut output = Output::default();
    let mut functions = Vec::new();
    for function in crate::read::definitions(module) {
        functions
            .push(FunctionLowerer::new(module, &linker, typing, function, &mut output).lower(&mut problems));
    }
    if problems.is_empty() {
        problems.extend(linker.initialise(module).err());
    }
    if !problems.is_empty() {
        linker.release(memory);
        return Err(LoadError { problems });
    }
    Ok(linker.finish(module, output, functions))
}
