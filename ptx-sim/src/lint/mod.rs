//! Rules that PTX need not keep to be executed, and that accrue's own PTX keeps.
//!
//! The reader and the verifier are those of every module: names are declared and none twice, instructions
//! exist on the target and have the operands they take. On top of that:
//!
//! - A register is declared as what it holds: floats as floats, integers in no wider register than they need.
//! - On every path, a register was written before it is read: an undefined predicate, even in a lane that is
//!   switched off, has broken a driver. A write under a guard counts for reads under the same guard.
//! - No label stands before another, or before nothing but a jump, and control does not run off the end of a
//!   function.
//! - No barrier follows another, but that of a warp comes before that of a gang.

mod flow;
mod layout;
mod operands;
#[cfg(test)]
mod tests;

use crate::error::LoadError;
use crate::memory::device::Memory;
use crate::read;
use crate::verify::Typing;

/// Checks a module of accrue's; gives all problems. `unset` says of a function's registers, by both names,
/// whether the program itself may read them before it writes them.
pub fn lint(text: &str, unset: impl Fn(&str, &str) -> bool) -> Result<(), LoadError> {
    let module = read::module(text)?;
    // Variables get addresses, and are given back with the memory.
    let code = crate::lower::lower(&module, &Memory::new(u64::MAX, 0, 0), Typing::Exact)?;
    let mut problems = Vec::new();
    for function in read::definitions(&module) {
        layout::check(function, &mut problems);
    }
    for function in &code.functions {
        flow::check(&code, function, |register| unset(&function.name, register), &mut problems);
    }
    problems.sort_by_key(|problem| problem.pos);
    if problems.is_empty() { Ok(()) } else { Err(LoadError { problems }) }
}
