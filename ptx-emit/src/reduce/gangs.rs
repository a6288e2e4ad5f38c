//! Reduction over gangs without atomics: each gang keeps what it has, and one gang combines all of it in
//! order.
//!
//! A gang's partial result is in the gang's part of the scratch memory. In `parallel`, gangs never wait for
//! each other: the one that comes last to the end of the region combines the partial results of all. Until
//! then a gang adds to its own as often as the loop is executed. Where gangs wait for each other (`kernels`),
//! the first gang combines after each loop.

use super::{each_in_row, lanes};
use crate::arch::{Arch, WARP};
use accrue_ir::target::{Emitter, arrays, operators};
use accrue_ir::{Address, ConvertOp, Level, Loop, Operand, Red, Reduction, Slot, SlotData, SlotKind, Type};

/// Partial results of gangs, to be combined into one object.
#[derive(Clone, Debug)]
pub struct Partial {
    /// A call of the quad.
    pub call: Reduction,
    /// Where a gang's own is.
    pub slot: Slot,
    /// Number of elements of an array.
    pub count: Option<u64>,
}

/// The slot of a gang's partial result; all calls of a quad get the same one.
pub fn slot(emit: &mut Emitter<'_>, loop_: Option<Loop>, red: Red, size: u64, align: u32) -> Slot {
    super::named_slot(emit, SlotKind::GangScratch, loop_, red, size, align)
}

/// The number of gangs of the launch, an `i32`.
fn gangs(emit: &mut Emitter<'_>) -> Operand {
    let [x, y, z] = [Level::Gang, Level::Gang2, Level::Gang3].map(|level| emit.cursor.dim_size(level));
    let plane = emit.mul(x, y);
    emit.mul(plane, z)
}

impl Partial {
    /// At the start of the launch: a gang has nothing yet.
    pub fn clear(&self, emit: &mut Emitter<'_>) {
        match self.count {
            None => {
                let identity = operators::identity(emit, self.call.op, self.call.ty);
                emit.store(self.slot, identity);
            }
            Some(count) => {
                let count = Operand::Int(Type::I64, count as i64);
                arrays::fill_identity(emit, &self.call, self.slot.into(), count);
            }
        }
    }

    /// Combines what all gangs have, in order of their numbers, into an object. Executed by one thread up to
    /// here; the lanes of its row help.
    pub fn combine(&self, emit: &mut Emitter<'_>, arch: Arch, result: Address) {
        let (op, ty) = (self.call.op, self.call.ty);
        let zero = Operand::Int(Type::I64, 0);
        let one = Operand::Int(Type::I64, 1);
        emit.cursor.fork(Level::Vector, None);
        let gangs = gangs(emit);
        let gangs = emit.convert(ConvertOp::ZExt, Type::I64, gangs);
        if let Some(declared) = op.declared() {
            self.combine_declared(emit, declared, result, gangs);
            emit.cursor.join(Level::Vector, None);
            return;
        }
        match self.count {
            None => {
                let promoted = operators::promoted(ty);
                let sum = emit.temp(promoted);
                let identity = operators::identity(emit, op, ty);
                emit.assign(sum, identity);
                let first = lanes::in_warp(emit);
                let first = emit.convert(ConvertOp::ZExt, Type::I64, first);
                let step = Operand::Int(Type::I64, i64::from(WARP));
                let slot = self.slot;
                emit.counted(first, step, gangs, |cursor, gang| {
                    let gang = cursor.convert(ConvertOp::Trunc, Type::I32, gang);
                    let at = cursor.instance(slot, gang);
                    let value = cursor.load(promoted, Address::at(at));
                    let next = operators::emit_op(cursor, op, ty, Operand::Local(sum), value);
                    cursor.assign(sum, next);
                });
                let all = lanes::of_warp(emit, arch, &self.call, Operand::Local(sum));
                emit.cursor.join(Level::Vector, None);
                let before = operators::load_result(emit, ty, result);
                let after = operators::emit_op(emit, op, ty, before, all);
                operators::store_result(emit, ty, result, after);
            }
            Some(count) => {
                let slot = self.slot;
                each_in_row(emit, Operand::Int(Type::I64, count as i64), |cursor, index| {
                    let to = operators::element(cursor, ty, result, index);
                    let sum = cursor.temp(operators::promoted(ty));
                    let before = operators::load_result(cursor, ty, to);
                    cursor.assign(sum, before);
                    cursor.counted(zero, one, gangs, |cursor, gang| {
                        let gang = cursor.convert(ConvertOp::Trunc, Type::I32, gang);
                        let array = Address::at(cursor.instance(slot, gang));
                        let from = operators::element(cursor, ty, array, index);
                        let value = operators::load_result(cursor, ty, from);
                        let next = operators::emit_op(cursor, op, ty, Operand::Local(sum), value);
                        cursor.assign(sum, next);
                    });
                    operators::store_result(cursor, ty, to, Operand::Local(sum));
                });
                emit.cursor.join(Level::Vector, None);
            }
        }
    }

    /// What the gang adds to its own, once per execution of the loop; or, if there was nothing before, puts
    /// there.
    pub fn add(&self, emit: &mut Emitter<'_>, value: Operand, is_first: bool) {
        let (op, ty) = (self.call.op, self.call.ty);
        if is_first {
            emit.store(self.slot, value);
            return;
        }
        let before = emit.load(operators::promoted(ty), self.slot);
        let after = operators::emit_op(emit, op, ty, before, value);
        emit.store(self.slot, after);
    }

    /// As [`Partial::add`], for an array.
    pub fn add_array(&self, emit: &mut Emitter<'_>, local: Address, count: Operand, is_first: bool) {
        let (op, ty, slot) = (self.call.op, self.call.ty, self.slot);
        if let Some(declared) = op.declared() {
            match is_first {
                true => emit.mem_copy(slot, local, count, declared.align),
                false => declared.combine_all(emit, slot.into(), local, count),
            }
            return;
        }
        arrays::each(emit, count, |emit, index| {
            let [from, to] = [local, slot.into()].map(|array| operators::element(emit, ty, array, index));
            let value = operators::load_result(emit, ty, from);
            let after = match is_first {
                true => value,
                false => {
                    let before = operators::load_result(emit, ty, to);
                    operators::emit_op(emit, op, ty, before, value)
                }
            };
            operators::store_result(emit, ty, to, after);
        });
    }
}

/// Bytes and alignment of a gang's partial result.
pub fn layout(call: &Reduction, count: Option<u64>) -> (u64, u32) {
    let (ty, align) = match count {
        None => (operators::promoted(call.ty), operators::promoted(call.ty).align()),
        Some(_) => (call.ty.ty, call.op.align(call.ty)),
    };
    (u64::from(ty.bytes()).saturating_mul(count.unwrap_or(1)), align)
}

/// A new slot of a quad, or the one it has.
pub(super) fn find(emit: &Emitter<'_>, kind: SlotKind, loop_: Option<Loop>, name: &str) -> Option<Slot> {
    let is_it = |data: &SlotData| {
        data.kind == kind && data.declared_in == loop_ && data.name.as_deref() == Some(name)
    };
    emit.body.slots.iter().find(|(_, data)| is_it(data)).map(|(slot, _)| slot)
}
