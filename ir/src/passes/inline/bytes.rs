//! `memset` and `memcpy` of a constant number of bytes as operations.
//!
//! Before: calls of the C library. After: operations, which keep no object in memory that is copied to or
//! from another one: `memcpy(&x, p, 4)` is how C reads a number at any address.

use super::early::called;
use crate::function::Linkage;
use crate::module::Module;
use crate::op::{Address, Inst, Op, Operand};
use crate::types::Type;

/// Replaces the calls among some instructions, those of up to so many bytes.
pub fn make_operations(module: &Module, insts: &mut Vec<Inst>, most: i64) {
    if insts.iter().any(|inst| operation(module, &inst.op, most).is_some()) {
        let made = std::mem::take(insts).into_iter().flat_map(|inst| of_bytes(module, inst, most));
        *insts = made.collect();
    }
}

/// The operation that a call is.
fn operation(module: &Module, op: &Op, most: i64) -> Option<Op> {
    let Op::Call { args, dest: None, .. } = op else { return None };
    let function = &module.functions[called(op)?];
    if function.body.is_some() || function.linkage != Linkage::External {
        return None;
    }
    let name = function.link_name.as_ref().unwrap_or(&function.name);
    match (&**name, &args[..]) {
        ("memset", &[to, Operand::Int(_, value), Operand::Int(Type::I64, bytes @ 1..)]) if bytes <= most => {
            let (dst, value) = (Address::at(to), Operand::Int(Type::I8, i64::from(value as i8)));
            Some(Op::MemSet { dst, value, bytes: Operand::Int(Type::I64, bytes), align: 1 })
        }
        ("memcpy", &[to, from, Operand::Int(Type::I64, bytes @ 1..)]) if bytes <= most => {
            let (dst, src) = (Address::at(to), Address::at(from));
            Some(Op::MemCopy { dst, src, bytes: Operand::Int(Type::I64, bytes), align: 1 })
        }
        _ => None,
    }
}

/// What an instruction is: the operation, if it calls one, and a copy for what the function returns.
fn of_bytes(module: &Module, inst: Inst, most: i64) -> impl Iterator<Item = Inst> + use<> {
    let made = operation(module, &inst.op, most);
    let result = match &inst.op {
        Op::Call { dst: Some(dst), args, .. } if made.is_some() => Some(Op::Copy { dst: *dst, src: args[0] }),
        _ => None,
    };
    let pos = inst.pos;
    [Some(made.unwrap_or(inst.op)), result].into_iter().flatten().map(move |op| Inst { op, pos })
}
