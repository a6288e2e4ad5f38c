//! Functions in the place of their calls, for the host.
//!
//! Before: abstract operations are expanded. After: calls of small functions in code that may run more than
//! once are gone, and so are objects that had an address only because they crossed such a call, or one of
//! `memcpy` or `memset`.
//! [`accrue_ir::passes::inline`] says what stays a call. Functions keep their bodies: which of them are
//! compiled is found out when the program is.
//!
//! A function that is compiled on its first call should take little time for it, so that sizes are far below
//! those of GPUs; and what its callees keep in memory makes its frame larger, which recursion must not
//! notice. Functions that call `setjmp` and its kin stay as they are: what they keep in memory has its value
//! when the call returns once more.

use crate::definitions::{self, Definitions};
use accrue_ir::passes::inline::{self, Calls, Policy, bytes};
use accrue_ir::{Callee, Func, Module, Op};
use cranelift_entity::SecondaryMap;

/// What is worth it.
const POLICY: Policy = Policy {
    small: 50,
    wanted: 120,
    objects: 200,
    only: 200,
    growth: 1000,
    frame: 128,
    only_frame: 128,
    frames: 512,
    unfolded: 300,
    wide_scalars: true,
    unrolls: true,
    keeps_loops_apart: true,
    threads_jumps: true,
    narrow_indices: false,
    is_library: |_, _| false,
    runs_once: |module, func| definitions::function_name(&module.functions[func]) == "main",
};

/// Makes operations of what the library copies and fills. Objects that only this kept in memory become
/// locals, and a few bytes are copied faster than a function is called.
fn make_operations(module: &mut Module) {
    let most = inline::MOST_BYTES as i64;
    for func in module.functions.keys().collect::<Vec<_>>() {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        for block in body.blocks.values_mut() {
            bytes::make_operations(module, &mut block.insts, most);
        }
        module.functions[func].body = Some(body);
    }
}

/// Runs the pass.
pub(crate) fn run(module: &mut Module) {
    make_operations(module);
    let definitions = Definitions::new(module);
    let mut functions = Vec::new();
    let (mut callees, mut targets) = (SecondaryMap::<_, Vec<Func>>::new(), SecondaryMap::new());
    let mut mentions = SecondaryMap::<_, u32>::new();
    for (func, function) in module.functions.iter().filter(|(_, function)| definitions::has_code(function)) {
        let Some(body) = &function.body else { continue };
        let mut returns_twice = false;
        let mut called = Vec::new();
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            let Op::Call { callee: Callee::Direct(named), .. } = inst.op else { continue };
            returns_twice |= module.functions[named].returns_twice;
            let Some(target) = definitions.function(named) else { continue };
            targets[named] = Some(target);
            called.push(target);
        }
        if returns_twice {
            continue;
        }
        called.iter().for_each(|&callee| mentions[callee] += 1);
        called.sort_unstable();
        called.dedup();
        callees[func] = called;
        functions.push(func);
    }
    let calls = Calls { functions: &functions, callees: &callees, targets: &targets, mentions: &mentions };
    inline::run(module, calls, &POLICY);
}
