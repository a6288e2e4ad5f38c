//! Functions in the place of their calls, for GPUs: a call costs a GPU more than a host, since what crosses
//! it goes through memory of the thread's own.
//!
//! Before: the program is linked, so that every call has its target. After: calls of functions that are worth
//! it are gone, their short loops are written out, as those of regions were long before, and functions that
//! nothing reaches any more have lost their bodies. Calls of `fma` and other functions that are one operation
//! of the device are that operation. Small copies that are left are loads and stores (`words`).
//! [`accrue_ir::passes::inline`] says what stays a call. The library marks what is rarely called `noinline`.

#[cfg(test)]
mod tests;
mod words;

use crate::library;
use crate::target::EXTENDS_INDICES;
use crate::text::{EmitError, Reached, make_operations, reach};
use accrue_ir::entities::set_of;
use accrue_ir::passes::inline::{self, Calls, Policy};
use accrue_ir::{FunctionKind, Module};

/// What is worth it.
const POLICY: Policy = Policy {
    small: 400,
    wanted: 1000,
    objects: 1000,
    only: 1000,
    growth: 4000,
    frame: 256,
    only_frame: u64::MAX,
    frames: u64::MAX,
    unfolded: 0,
    wide_scalars: false,
    unrolls: true,
    keeps_loops_apart: false,
    threads_jumps: false,
    narrow_indices: EXTENDS_INDICES,
    is_library: library::is_library,
    runs_once: |_, _| false,
};

/// Runs the pass. `reached` is what the device executes of the program, the result what it executes
/// afterwards.
pub(crate) fn run(module: &mut Module, mut reached: Reached) -> Result<Reached, EmitError> {
    let functions: Vec<_> = reached.with_code().collect();
    let Reached { callees, targets, mentions, .. } = &reached;
    let calls = Calls { functions: &functions, callees, targets, mentions };
    let grown = inline::run(module, calls, &POLICY);
    if !grown.is_empty() {
        reached = reach(module)?;
        drop_unreached(module, &reached);
    }
    for func in reached.with_code() {
        // Loops of regions and routines were written out before; those of the library are as they should be.
        let is_new = grown.contains(func) || !module.functions[func].is_device_code();
        if is_new && !library::is_library(module, func) {
            inline::write_loops_out(module, func, &POLICY);
        }
    }
    words::run(module, &reached);
    make_operations(module, &reached);
    Ok(reached)
}

/// Takes the bodies of functions that the device does not execute.
fn drop_unreached(module: &mut Module, reached: &Reached) {
    let executed = set_of(reached.with_code());
    for (func, function) in module.functions.iter_mut() {
        if !executed.contains(func) {
            function.body = None;
            // What launched a task was code for the host in a function of the device, and is gone.
            if matches!(function.kind, FunctionKind::Threaded(_)) {
                function.kind = FunctionKind::Normal;
            }
        }
    }
}
