//! A check of the text that this crate writes.
//!
//! It knows PTX only as far as the writer does, and holds it to rules that ptxas does not:
//!
//! - Registers are declared, and operands have the class that the instruction's types ask for.
//! - On every path, a register was written before it is read: an undefined predicate, even in a lane that is switched off,
//!   has broken a driver. A write under a guard counts for reads under the same guard.
//! - Labels and symbols exist, and none twice.
//! - No label stands before another, or before nothing but a jump.
//! - No barrier follows another, but that of a warp comes before that of a gang.
//! - `.version` and `.target` are high enough for each instruction, by the table in [`crate::arch`].

mod flow;
mod read;
mod types;

use crate::arch::{self, Version};
use read::{Function, Line, Module};

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Problem {
    /// Line of the text, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    fn new(line: usize, message: impl Into<String>) -> Problem {
        Problem { line, message: message.into() }
    }
}

/// Checks a module's text; gives the first problem. `unset` says of a function's registers, by both names, whether the
/// program itself may read them before it writes them.
pub fn verify(text: &str, unset: impl Fn(&str, &str) -> bool) -> Result<(), Problem> {
    let module = read::module(text)?;
    for function in &module.functions {
        check_function(&module, function)?;
        flow::check(function, |register| unset(function.name, register))?;
    }
    Ok(())
}

fn check_function(module: &Module<'_>, function: &Function<'_>) -> Result<(), Problem> {
    for (index, (number, line)) in function.lines.iter().enumerate() {
        let rest = &function.lines[index + 1..];
        match line {
            Line::Label(label) => check_label(*number, label, rest)?,
            Line::Inst(inst) => {
                check_level(*number, inst.mnemonic, module.version, module.arch)?;
                types::check(module, function, *number, inst)?;
                let next = rest.first().and_then(|(_, line)| line.inst());
                if next.is_some_and(|next| is_idle(inst.mnemonic, next.mnemonic)) {
                    return Err(Problem::new(*number, "a barrier follows a barrier"));
                }
            }
        }
    }
    Ok(())
}

/// Whether a barrier waits for nothing that the one before did not wait for. Warps meet before `barrier.sync`, and that is no mistake.
fn is_idle(before: &str, barrier: &str) -> bool {
    let is_of_warp = |mnemonic: &str| mnemonic.starts_with("bar.warp.");
    is_barrier(before) && is_barrier(barrier) && (!is_of_warp(before) || is_of_warp(barrier))
}

fn is_barrier(mnemonic: &str) -> bool {
    mnemonic.starts_with("bar.") || mnemonic.starts_with("barrier.")
}

fn check_label(number: usize, label: &str, rest: &[(usize, Line<'_>)]) -> Result<(), Problem> {
    let empty = match rest.first() {
        None | Some((_, Line::Label(_))) => true,
        // A jump to itself is an endless loop, and all of it.
        Some((_, Line::Inst(inst))) => {
            inst.mnemonic == "bra" && inst.guard.is_none() && inst.operands.first() != Some(&label)
        }
    };
    if empty {
        Err(Problem::new(number, format!("nothing stands between {label} and what follows")))
    } else {
        Ok(())
    }
}

fn check_level(number: usize, mnemonic: &str, version: Version, arch: u32) -> Result<(), Problem> {
    let needed = arch::requirement(mnemonic);
    if needed.version > version {
        let (major, minor) = needed.version;
        return Err(Problem::new(number, format!("{mnemonic} needs .version {major}.{minor}")));
    }
    if needed.arch > arch {
        return Err(Problem::new(number, format!("{mnemonic} needs sm_{}", needed.arch)));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
