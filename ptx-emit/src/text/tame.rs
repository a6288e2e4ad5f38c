//! Functions that write no memory but their own objects and what their arguments lead to: loads of anything
//! else have nothing to do with calls of them, unless threads learn there what others have written.

use super::call_graph::{Reached, Target, Targets};
use super::library::Library;
use accrue_ir::analysis::roots::{Root, Roots};
use accrue_ir::analysis::written::given;
use accrue_ir::{Body, Callee, Class, Func, Inst, Module, Op};
use cranelift_entity::SecondaryMap;

/// Which functions are so, by the names that calls have for them.
#[derive(Default)]
pub(crate) struct Tame {
    known: SecondaryMap<Func, Option<Known>>,
}

/// What is known of a function.
#[derive(Clone, Copy, Default)]
struct Known {
    /// It writes nothing else.
    is_tame: bool,
    /// And has nothing to do with other threads.
    is_quiet: bool,
}

impl Tame {
    /// Looks at all that is called on the device.
    pub(crate) fn new(module: &Module, reached: &Reached) -> Tame {
        let (mut tame, targets) = (Tame::default(), Targets::new(module));
        let bodies = reached.with_code().filter_map(|func| module.functions[func].body.as_deref());
        for inst in bodies.flat_map(insts) {
            if let Op::Call { callee: Callee::Direct(func), .. } = inst.op {
                tame.learn(module, &targets, func);
            }
        }
        tame
    }

    /// Whether a function is known to be so.
    pub(crate) fn has(&self, func: Func) -> bool {
        self.known[func].is_some_and(|known| known.is_tame)
    }

    /// Whether it has nothing to do with other threads, besides.
    pub(crate) fn is_quiet(&self, func: Func) -> bool {
        self.known[func].is_some_and(|known| known.is_tame && known.is_quiet)
    }

    fn learn(&mut self, module: &Module, targets: &Targets<'_>, func: Func) -> Known {
        if let Some(known) = self.known[func] {
            return known;
        }
        // The answer for calls of itself.
        self.known[func] = Some(Known::default());
        let known = match targets.of(func) {
            Target::Function(target) => {
                let function = &module.functions[target];
                function.body.as_deref().map_or(Known::default(), |body| {
                    let is_own = |root| matches!(root, Root::Slot(_) | Root::Param(_));
                    let mut is_quiet = !insts(body).any(|inst| meets_others(&inst.op));
                    let mut is_tame = |func| {
                        let known = self.learn(module, targets, func);
                        is_quiet &= known.is_quiet;
                        known.is_tame
                    };
                    let is_tame = each_write(body, &Roots::new(function, body), &mut is_tame, is_own);
                    Known { is_tame, is_quiet }
                })
            }
            Target::None | Target::Library(Library::Free) => Known::default(),
            Target::Library(Library::Unary(_) | Library::Binary(_) | Library::MultiplyAdd) => {
                Known { is_tame: true, is_quiet: true }
            }
            Target::Library(_) => Known { is_tame: true, is_quiet: false },
        };
        self.known[func] = Some(known);
        known
    }
}

fn insts(body: &Body) -> impl Iterator<Item = &Inst> {
    body.order.iter().flat_map(|&block| &body.blocks[block].insts)
}

/// Whether a thread may learn by an operation what others have written, or meets them there.
fn meets_others(op: &Op) -> bool {
    match op {
        Op::Load { access, .. } | Op::Store { access, .. } => access.volatile,
        Op::AtomicRmw { .. }
        | Op::AtomicSwap { .. }
        | Op::AtomicCas { .. }
        | Op::AtomicLoad { .. }
        | Op::AtomicStore { .. }
        | Op::Fence
        | Op::Meet { .. }
        | Op::LastGang { .. } => true,
        op => op.effects().synchronises.is_some(),
    }
}

/// Shows the roots of all that a function and its callees write, as long as `visit` agrees; whether all were
/// shown.
pub(super) fn each_write(
    body: &Body,
    roots: &Roots,
    is_tame: &mut dyn FnMut(Func) -> bool,
    mut visit: impl FnMut(Root) -> bool,
) -> bool {
    insts(body).all(|inst| match &inst.op {
        Op::Store { addr, .. }
        | Op::AtomicRmw { addr, .. }
        | Op::AtomicSwap { addr, .. }
        | Op::AtomicCas { addr, .. }
        | Op::AtomicStore { addr, .. } => visit(roots.of(addr.base)),
        Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } => visit(roots.of(dst.base)),
        Op::Call { callee: Callee::Direct(func), args, dest, .. } => {
            is_tame(*func) && given(body, args, dest.as_ref()).all(|pointer| visit(roots.of(pointer)))
        }
        Op::Call { callee: Callee::Indirect(_), .. } => false,
        op => {
            !matches!(op.class(), Class::Frame)
                || matches!(op, Op::StackAlloc { .. } | Op::StackSave { .. } | Op::StackRestore { .. })
        }
    })
}
