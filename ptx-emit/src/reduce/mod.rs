//! The quads of reductions on a GPU (`docs/design/reductions.md`), as IR.
//!
//! - [`lanes`]: the lanes of a worker, by shuffles; rows of several warps meet in shared memory.
//! - [`workers`]: the slots of shared memory in which workers meet.
//! - [`gangs`]: the places that gangs have of their own, and how one gang combines them.
//! - [`declared`]: what functions of the program combine, at all of these.
//! - `recipe.rs` of the crate: where results go that are combined at the end of a launch.
//! - [`strategy`]: the table that chooses among these, and `accrue_ir::target::accumulate`.

pub mod declared;
pub mod gangs;
pub mod lanes;
pub mod strategy;
pub mod workers;

use accrue_ir::builder::Cursor;
use accrue_ir::target::{Emitter, operators};
use accrue_ir::{CmpOp, ConvertOp, Level, Loop, Operand, Red, RedType, Slot, SlotData, SlotKind, Type};

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

/// Writes a loop over the elements of an array that the lanes of a row share. Lanes that only fill up the
/// last warp of the row take no part.
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
        emit.body.slots.push(SlotData {
            size,
            align,
            name: Some(name.into()),
            restrict: false,
            kind,
            declared_in: loop_,
        })
    })
}
