//! Which functions lead to others by calls.

use crate::entities::Func;
use crate::module::Module;
use crate::op::{Callee, Op};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// The functions `found`, and those that call one of them, or one that does.
pub fn callers_of(module: &Module, mut found: Vec<Func>) -> SecondaryMap<Func, bool> {
    let mut reaching = SecondaryMap::with_default(false);
    let mut callers: FxHashMap<Func, Vec<Func>> = FxHashMap::default();
    for (func, function) in &module.functions {
        let Some(body) = function.body.as_deref() else { continue };
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            if let Op::Call { callee: Callee::Direct(callee), .. } = inst.op {
                callers.entry(callee).or_default().push(func);
            }
        }
    }
    while let Some(func) = found.pop() {
        if !std::mem::replace(&mut reaching[func], true) {
            found.extend(callers.get(&func).into_iter().flatten());
        }
    }
    reaching
}
