//! Which loads of a kernel read what nothing writes while it runs, so that they need no order
//! (`ld.global.nc`).
//!
//! That is so for constant objects, and for what a parameter leads to if all writes of the kernel, and of the
//! functions that it calls, are elsewhere for certain ([`Roots`]). Whether gangs wait for each other inside
//! of the launch does not matter: no part of it writes there.

use super::call_graph::Target;
use super::library::Library;
use super::program::Program;
use crate::roots::{Root, Roots};
use accrue_ir::*;
use cranelift_entity::SecondaryMap;

/// What a kernel writes.
pub(super) struct ReadOnly {
    roots: Roots,
    /// The roots of all that is written; none if anything may be.
    written: Option<Vec<Root>>,
}

impl ReadOnly {
    pub(super) fn of(program: &Program<'_>, function: &Function, body: &Body) -> ReadOnly {
        let roots = Roots::new(function, body);
        let mut written = Vec::new();
        let mut tame = SecondaryMap::new();
        let is_known = matches!(function.kind, FunctionKind::Region(_))
            && each_write(program, body, &roots, &mut tame, |root| {
                if !written.contains(&root) {
                    written.push(root);
                }
                root != Root::Unknown
            });
        ReadOnly { roots, written: is_known.then_some(written) }
    }

    /// Whether nothing writes what an address with this base leads to.
    pub(super) fn has(&self, module: &Module, base: Operand) -> bool {
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

/// Shows the roots of all that a function and its callees write, as long as `visit` agrees; whether all were
/// shown.
fn each_write(
    program: &Program<'_>,
    body: &Body,
    roots: &Roots,
    tame: &mut SecondaryMap<Func, Option<bool>>,
    mut visit: impl FnMut(Root) -> bool,
) -> bool {
    let insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    insts.into_iter().all(|inst| match &inst.op {
        Op::Store { addr, .. }
        | Op::AtomicRmw { addr, .. }
        | Op::AtomicSwap { addr, .. }
        | Op::AtomicCas { addr, .. }
        | Op::AtomicStore { addr, .. } => visit(roots.of(addr.base)),
        Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } => visit(roots.of(dst.base)),
        Op::Call { callee: Callee::Direct(func), args, dest, .. } => {
            let stays = match program.targets.of(*func) {
                Target::Function(func) => is_tame(program, func, tame),
                Target::Library(Library::Free) | Target::None => false,
                Target::Library(_) => true,
            };
            let given = args.iter().chain(dest).filter(|arg| body.operand_type(**arg) == Type::Ptr);
            stays && given.into_iter().all(|arg| visit(roots.of(*arg)))
        }
        Op::Call { callee: Callee::Indirect(_), .. } => false,
        op => {
            !matches!(op.class(), Class::Frame)
                || matches!(op, Op::StackAlloc { .. } | Op::StackSave { .. } | Op::StackRestore { .. })
        }
    })
}

/// Whether a function writes nothing but its own objects and what its arguments lead to.
fn is_tame(program: &Program<'_>, func: Func, known: &mut SecondaryMap<Func, Option<bool>>) -> bool {
    if let Some(known) = known[func] {
        return known;
    }
    // The answer for calls of itself.
    known[func] = Some(false);
    let function = &program.module.functions[func];
    let Some(body) = &function.body else { return false };
    let roots = Roots::new(function, body);
    let is_own = |root| matches!(root, Root::Slot(_) | Root::Param(_));
    let is_tame = each_write(program, body, &roots, known, is_own);
    known[func] = Some(is_tame);
    is_tame
}
