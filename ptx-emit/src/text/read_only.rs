//! Which loads of a kernel read what nothing writes while it runs, so that they need no order
//! (`ld.global.nc`).
//!
//! That is so for constant objects, and for what a parameter leads to if all writes of the kernel, and of the
//! functions that it calls, are elsewhere for certain ([`Roots`]). Whether gangs wait for each other inside
//! of the launch does not matter: no part of it writes there.

use super::tame::{Tame, each_write};
use accrue_ir::analysis::roots::{Root, Roots};
use accrue_ir::*;

/// What a kernel writes.
pub(crate) struct ReadOnly {
    roots: Roots,
    /// The roots of all that is written; none if anything may be.
    written: Option<Vec<Root>>,
}

impl ReadOnly {
    pub(crate) fn of(tame: &Tame, function: &Function, body: &Body) -> ReadOnly {
        let roots = Roots::new(function, body);
        let mut written = Vec::new();
        let is_known = matches!(function.kind, FunctionKind::Region(_))
            && each_write(body, &roots, &mut |func| tame.has(func), |root| {
                if !written.contains(&root) {
                    written.push(root);
                }
                root != Root::Unknown
            });
        ReadOnly { roots, written: is_known.then_some(written) }
    }

    /// What the kernel's addresses lead to.
    pub(crate) fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Whether nothing writes what an address with this base leads to.
    pub(crate) fn has(&self, module: &Module, base: Operand) -> bool {
        let root = self.roots.of(base);
        match root {
            Root::Global(global) if module.globals[global].constant => true,
            Root::Param(_) | Root::Global(_) => {
                let apart = |written: &Vec<Root>| written.iter().all(|&w| self.roots.are_apart(w, root));
                self.written.as_ref().is_some_and(apart)
            }
            Root::Slot(_) | Root::Scratch | Root::Unknown => false,
        }
    }
}
