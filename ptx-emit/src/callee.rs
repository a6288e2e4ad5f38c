//! Functions that the passes of this crate call: they are declared when they are first needed, and defined by
//! the device library or the driver.

use accrue_ir::{Extend, Func, Function, Module, PassBy, Pos, Sig, Signature, Type};

/// The function with a name, declared if the module does not have it, and a signature to call it by.
pub fn declare(
    module: &mut Module,
    name: &str,
    params: &[Type],
    result: Option<Type>,
    pos: Pos,
) -> (Func, Sig) {
    let scalar = |ty: Type| PassBy::Scalar(ty, Extend::None);
    let params = params.iter().copied().map(scalar).collect();
    let signature = Signature { params, result: result.map(scalar), variadic: false };
    let known = module.signatures.iter().find(|(_, known)| **known == signature).map(|(sig, _)| sig);
    let sig = known.unwrap_or_else(|| module.signatures.push(signature));
    let known = module.functions.iter().find(|(_, function)| *function.name == *name).map(|(func, _)| func);
    let func = known.unwrap_or_else(|| module.functions.push(Function::declared(name.into(), sig, pos)));
    (func, sig)
}
