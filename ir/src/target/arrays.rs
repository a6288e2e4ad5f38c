//! Element by element: what quads of arrays are expanded to.

use super::{Emitter, operators};
use crate::acc::Reduction;
use crate::builder::Cursor;
use crate::op::{Address, CmpOp, Operand};
use crate::types::Type;

/// Most elements that are written one by one instead of as a loop.
const FEW: i64 = 4;

/// Writes a loop over the elements of an array; every thread executes the same iterations. The loop tree does
/// not have it.
pub fn each<'a>(emit: &mut Emitter<'a>, count: Operand, mut body: impl FnMut(&mut Emitter<'a>, Operand)) {
    if let Some(count @ 0..=FEW) = count.as_int() {
        for index in 0..count {
            body(emit, Operand::Int(Type::I64, index));
        }
        return;
    }
    let index = emit.temp(Type::I64);
    emit.assign(index, Operand::Int(Type::I64, 0));
    let header = emit.new_block();
    emit.jump_into(header);
    let inside = emit.new_block();
    let more = emit.compare(CmpOp::Lt, Operand::Local(index), count);
    emit.switch_to(inside);
    body(emit, Operand::Local(index));
    let next = emit.add(Operand::Local(index), Operand::Int(Type::I64, 1));
    emit.assign(index, next);
    emit.jump(header);
    let exit = emit.new_block();
    emit.switch_to(header);
    emit.branch(more, inside, exit);
    emit.switch_to(exit);
}

/// Sets every element of an array to the identity.
pub fn fill_identity(cursor: &mut Cursor<'_>, call: &Reduction, array: Address, count: Operand) {
    let (op, ty) = (call.op, call.ty);
    if let Some(declared) = op.declared() {
        return declared.start_all(cursor, array, call.original, count);
    }
    over(cursor, count, |cursor, index| {
        let at = operators::element(cursor, ty, array, index);
        let identity = operators::identity(cursor, op, ty);
        operators::store_result(cursor, ty, at, identity);
    });
}

/// `to[i] = a[i] OP b[i]`. What the program combines may be left in `a`, too.
pub fn combine(cursor: &mut Cursor<'_>, call: &Reduction, to: Address, [a, b]: [Address; 2], count: Operand) {
    let (op, ty) = (call.op, call.ty);
    if let Some(declared) = op.declared() {
        declared.combine_all(cursor, a, b, count);
        if to != a {
            cursor.mem_copy(to, a, count, declared.align);
        }
        return;
    }
    over(cursor, count, |cursor, index| {
        let [a, b, to] = [a, b, to].map(|array| operators::element(cursor, ty, array, index));
        let [a, b] = [a, b].map(|at| operators::load_result(cursor, ty, at));
        let value = operators::emit_op(cursor, op, ty, a, b);
        operators::store_result(cursor, ty, to, value);
    });
}

/// A loop over the indices of an array.
pub(super) fn over(cursor: &mut Cursor<'_>, count: Operand, body: impl FnOnce(&mut Cursor<'_>, Operand)) {
    cursor.counted(Operand::Int(Type::I64, 0), Operand::Int(Type::I64, 1), count, body);
}
