//! The Cranelift IR of a program as text.

use crate::helpers::Helper;
use crate::lower::{self, Traits};
use crate::names::Name;
use accrue_ir::verify::Verified;
use accrue_ir::{Func, Module};
use cranelift_codegen::ir;
use cranelift_frontend::FunctionBuilderContext;
use std::fmt::Write as _;

/// The Cranelift IR of the function with this name, or of all defined functions in the order of the module.
/// What user names (`u0:3`, `userextname1`) stand for is said in comments ahead of each function.
pub fn clif(module: &Verified, function: Option<&str>) -> String {
    let mut out = String::new();
    for (func, data) in &module.functions {
        let wanted = function.is_none_or(|name| &*data.name == name);
        if wanted && data.body.is_some() {
            if !out.is_empty() {
                out.push('\n');
            }
            one(module, func, &mut out);
        }
    }
    out
}

fn one(module: &Module, func: Func, out: &mut String) {
    let data = &module.functions[func];
    let Some(body) = data.body.as_deref() else {
        return;
    };
    let traits = Traits::of(module, body);
    let mut clif = ir::Function::new();
    lower::lower(module, (func, body), &traits, &mut clif, &mut FunctionBuilderContext::new());
    // Writing to a string does not fail.
    let _ = writeln!(out, "; {}", data.name);
    for (reference, name) in clif.params.user_named_funcs() {
        if let Some(decoded) = Name::decode(name.namespace, name.index) {
            let _ = writeln!(out, ";   {reference}, {name}: {}", describe(module, decoded));
        }
    }
    // Positions are numbered per function, which would say nothing here.
    clif.srclocs.clear();
    let _ = write!(out, "{}", clif.display());
}

fn describe(module: &Module, name: Name) -> String {
    match name {
        Name::Call(func) => module.functions[func].name.to_string(),
        Name::Address(func) => format!("&{}", module.functions[func].name),
        Name::Global(global) => format!("&{}", module.globals[global].name),
        Name::Helper(helper) => helper_name(helper),
        Name::Variadic(func, xmms) => format!("{} with {xmms} vector registers", module.functions[func].name),
        Name::VariadicIndirect(offset, xmms) => {
            format!("indirect call, callee at {offset}, with {xmms} vector registers")
        }
        Name::Descriptor(index) => format!("descriptor {index}"),
        Name::Launch => accrue_runtime::abi::LAUNCH_SYMBOL.into(),
        Name::Direct => accrue_runtime::abi::DIRECT_SYMBOL.into(),
        Name::Data => accrue_runtime::abi::DATA_SYMBOL.into(),
        Name::ThreadLocals => "the thread-local objects".into(),
    }
}

fn helper_name(helper: Helper) -> String {
    format!("helper {helper:?}")
}
