//! A value for what some path reads before it writes.
//!
//! C leaves such a value open as long as nothing depends on it. But a predicate without one has broken a driver's
//! compiler even where only inactive lanes had it, so each of these locals is zero where its function begins. This runs
//! before iterations are repeated, while functions are short: repeating them makes no new ones.

use crate::options::Options;
use accrue_ir::cfg::Cfg;
use accrue_ir::liveness::Liveness;
use accrue_ir::{Body, Inst, Module, Op, Operand, Pos, Type};

/// Runs the pass on all functions that have a body.
pub fn run(module: &mut Module, options: &Options) {
    for func in module.functions.keys().collect::<Vec<_>>() {
        // What the user's functions do is what a simulator shows them; the library does it on purpose.
        let keep_named = options.keep_undefined && !crate::is_library(module, func);
        if let Some(body) = &mut module.functions[func].body {
            define(body, keep_named);
        }
    }
}

fn define(body: &mut Body, keep_named: bool) {
    let live = Liveness::new(body, &Cfg::new(body));
    let entry = body.entry();
    let mut undefined: Vec<_> = live.live_in(entry).filter(|local| !body.params.contains(local)).collect();
    undefined.retain(|local| !(keep_named && body.locals[*local].name.is_some()));
    undefined.sort_unstable();
    let copies: Vec<Inst> = undefined
        .into_iter()
        .filter_map(|dst| Some(Op::Copy { dst, src: zero(body.locals[dst].ty)? }))
        .map(|op| Inst { op, pos: Pos::none() })
        .collect();
    body.blocks[entry].insts.splice(0..0, copies);
}

/// Zero of a type that registers have.
fn zero(ty: Type) -> Option<Operand> {
    match ty {
        Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr => Some(Operand::Int(ty, 0)),
        Type::F32 => Some(Operand::F32(0)),
        Type::F64 => Some(Operand::F64(0)),
        Type::I128
        | Type::F80
        | Type::C32
        | Type::C64
        | Type::I32x4
        | Type::I64x2
        | Type::F32x4
        | Type::F64x2 => None,
    }
}
