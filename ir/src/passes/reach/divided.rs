//! Objects of which host and device have one each, though the program means one: what a function that regions call uses,
//! and code of the host, too, where no `declare` names it. The two begin alike and part with the first write.
//!
//! ```c
//! double factor = 2;                                        // host and device have one each
//! double scaled(double x) { return factor * x; }            // no `routine`: the call in the region makes it one
//! factor = 5;
//! #pragma acc parallel loop
//! for (...) a[i] = scaled(b[i]);                            // 2, on a device
//! ```
//!
//! What nobody writes is the same on both sides. Functions with `routine` are the front end's affair.

use super::super::bases::{Base, Bases};
use super::super::{Report, Warning};
use super::Walk;
use crate::entities::*;
use crate::function::{Body, Function, FunctionKind, Linkage};
use crate::module::Module;
use crate::op::*;
use crate::visit::Part;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Id of the warning; the front end's about routines has the same.
const ROUTINE_VARIABLE: &str = "routine-variable";

/// What the functions of one side do with an object.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// They read it, or write it.
    any: bool,
    /// They may write it: they store to it, or give its address away.
    written: bool,
}

/// Warns of objects that are divided between host and device.
pub(super) fn warn(module: &Module, report: &mut Report) {
    if !module.functions.values().any(is_region) {
        return;
    }
    let (device, host) = (on_device(module), on_host(module));
    let mut there: SecondaryMap<Global, Uses> = SecondaryMap::new();
    let mut here: SecondaryMap<Global, Uses> = SecondaryMap::new();
    let mut first: FxHashMap<Global, (Func, Pos)> = FxHashMap::default();
    let mut candidates: Vec<Global> = Vec::new();
    for (func, function) in &module.functions {
        let Some(body) = function.body.as_deref().filter(|_| device[func] || host[func]) else { continue };
        let is_implicit = device[func] && function.routine.is_none() && !is_region(function);
        each_use(body, |global, written, pos| {
            for (side, is_there) in [(&mut there, device[func]), (&mut here, host[func])] {
                side[global].any |= is_there;
                side[global].written |= is_there && written;
            }
            let data = &module.globals[global];
            if is_implicit
                && !(data.constant || data.thread_local || data.declare.is_some())
                && let Entry::Vacant(place) = first.entry(global)
            {
                place.insert((func, pos));
                candidates.push(global);
            }
        });
    }
    for global in candidates {
        let (there, here) = (there[global], here[global]);
        if there.any && here.any && (there.written || here.written) {
            report.warnings.push(warning(module, global, first[&global], there, here));
        }
    }
}

fn is_region(function: &Function) -> bool {
    matches!(function.kind, FunctionKind::Region(_))
}

/// Functions that regions reach.
fn on_device(module: &Module) -> SecondaryMap<Func, bool> {
    let mut walk = Walk::new(module);
    let regions = module.functions.iter().filter(|(_, function)| is_region(function));
    regions.for_each(|(func, _)| walk.function(func));
    walk.run();
    walk.functions
}

/// Functions that the host reaches otherwise than through regions: from `main`, or from whatever others can call.
fn on_host(module: &Module) -> SecondaryMap<Func, bool> {
    let is_main = |function: &Function| &*function.name == "main" && function.body.is_some();
    let has_main = module.functions.values().any(is_main);
    let mut walk = Walk::new(module);
    walk.enters_regions = false;
    for (func, function) in &module.functions {
        if is_main(function) || !has_main && function.linkage != Linkage::Internal {
            walk.function(func);
        }
    }
    module.constructors.iter().chain(&module.destructors).for_each(|(_, func)| walk.function(*func));
    walk.run();
    walk.functions
}

/// Tells which objects a body uses, whether it may write them, and where. Directives that name an object do neither.
fn each_use(body: &Body, mut tell: impl FnMut(Global, bool, Pos)) {
    let bases = Bases::new(body);
    for &block in &body.order {
        let data = &body.blocks[block];
        for Inst { op, pos } in &data.insts {
            let mut note = |operand: Operand, written: bool| {
                if let Base::Global(global) = bases.of(operand) {
                    tell(global, written, *pos);
                }
            };
            match op {
                Op::Data(_) | Op::Launch(_) => {}
                Op::Load { addr, .. } | Op::AtomicLoad { addr, .. } => note(addr.base, false),
                Op::MemCopy { dst, src, .. } => {
                    note(dst.base, true);
                    note(src.base, false);
                }
                // The local stands for the object from there on.
                Op::Copy { dst, src: base } | Op::Index { dst, base, .. }
                    if bases.of(Operand::Local(*dst)) == bases.of(*base) => {}
                op => op.parts(|part| match part {
                    Part::Value(operand) => note(*operand, true),
                    Part::Address(address) => note(address.base, true),
                    Part::Variable(_)
                    | Part::Def(_)
                    | Part::NamedLocal(_)
                    | Part::Func(_)
                    | Part::Sig(_)
                    | Part::Agg(_)
                    | Part::Block(_)
                    | Part::Loop(_)
                    | Part::Construct(_)
                    | Part::Red(_)
                    | Part::Pos(_) => {}
                }),
            }
        }
        data.term.operands(|operand| {
            if let Base::Global(global) = bases.of(operand) {
                tell(global, true, data.term_pos);
            }
        });
    }
}

fn warning(module: &Module, global: Global, (func, pos): (Func, Pos), there: Uses, here: Uses) -> Warning {
    let function = module.functions[func].name.clone();
    let name = &module.globals[global].name;
    let message = format!(
        "`{function}` runs on the device, where `{name}` is another object than on the host: no `declare` names it"
    );
    let mut advice = format!("write `#pragma acc declare copyin({name})` behind its declaration");
    let device = format!("`#pragma acc update device({name})` where the host has changed it");
    let host = format!("`#pragma acc update self({name})` where the host needs what the device wrote");
    advice += &match (here.written, there.written) {
        (true, true) => format!(", {device}, and {host}"),
        (true, false) => format!(", and {device}"),
        (false, _) => format!(", and {host}"),
    };
    Warning { id: ROUTINE_VARIABLE, pos, function, message, notes: vec![advice] }
}
