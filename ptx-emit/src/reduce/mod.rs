//! The quads of reductions on a GPU (`docs/design/reductions.md`), as IR.
//!
//! - [`lanes`]: the lanes of a worker, by shuffles; rows of several warps meet in shared memory.
//! - [`workers`]: the slots of shared memory in which workers meet.
//! - [`memory`]: accumulation into one object by many threads, by each strategy.
//! - [`gangs`]: the places that gangs have of their own, and how one gang combines them.
//! - [`address`]: where results go that are combined at the end of a launch.
//! - [`strategy`]: the table that chooses among these.

pub mod address;
pub mod gangs;
pub mod lanes;
pub mod memory;
pub mod strategy;
pub mod workers;

use accrue_ir::builder::Cursor;
use accrue_ir::target::{Emitter, operators};
use accrue_ir::{
    Address, CmpOp, ConvertOp, Level, Loop, Operand, Red, RedType, Reduction, Slot, SlotData, SlotKind, Type,
};

/// The type that a slot holds: promoted values as they are.
pub fn promoted(ty: RedType) -> RedType {
    RedType { ty: operators::promoted(ty), ..ty }
}

/// `first` in the first thread of a level, `others` in the rest.
pub fn of_first(emit: &mut Emitter<'_>, level: Level, first: Operand, others: Operand) -> Operand {
    let position = emit.cursor.dim_pos(level);
    let is_first = emit.compare(CmpOp::Eq, position, Operand::Int(Type::I32, 0));
    emit.select(is_first, first, others)
}

/// Writes a loop over the elements of an array; every thread executes the same iterations.
pub fn each<'a>(emit: &mut Emitter<'a>, count: Operand, mut body: impl FnMut(&mut Emitter<'a>, Operand)) {
    if let Some(count @ 0..=4) = count.as_int() {
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

/// Writes a loop over the elements of an array that the lanes of a row share. Lanes that only fill up the last warp of
/// the row take no part.
pub fn each_in_row(emit: &mut Emitter<'_>, count: Operand, body: impl FnOnce(&mut Cursor<'_>, Operand)) {
    let [lane, lanes] = [emit.cursor.dim_pos(Level::Vector), emit.cursor.dim_size(Level::Vector)];
    let real = emit.compare(CmpOp::ULt, lane, lanes);
    let bound = emit.select(real, count, Operand::Int(Type::I64, 0));
    let [lane, lanes] = [lane, lanes].map(|value| emit.convert(ConvertOp::ZExt, Type::I64, value));
    emit.counted(lane, lanes, bound, body);
}

/// The slot of a quad with a kind of its own, made when it is first asked for.
fn named_slot(
    emit: &mut Emitter<'_>,
    kind: SlotKind,
    loop_: Option<Loop>,
    red: Red,
    size: u64,
    align: u32,
) -> Slot {
    let name = red.to_string();
    gangs::find(emit, kind, loop_, &name).unwrap_or_else(|| {
        emit.body.slots.push(SlotData { size, align, name: Some(name.into()), kind, declared_in: loop_ })
    })
}

/// Sets every element of a LOCAL array to the identity.
pub fn fill_identity(cursor: &mut Cursor<'_>, call: &Reduction, array: Address, count: Operand) {
    let (op, ty) = (call.op, call.ty);
    cursor.counted(Operand::Int(Type::I64, 0), Operand::Int(Type::I64, 1), count, |cursor, index| {
        let at = operators::element(cursor, ty, array, index);
        let identity = operators::identity(cursor, op, ty);
        operators::store_result(cursor, ty, at, identity);
    });
}
