//! Where the workers of a gang meet (`docs/design/reductions.md`): one slot of shared memory per loop and
//! reduction, or, for the strategy `tree`, one per worker besides.

use super::lanes;
use crate::arch::{Arch, WARP};
use accrue_ir::target::{Emitter, operators};
use accrue_ir::{Address, CmpOp, ConvertOp, Level, Operand, Reduction, Slot, SlotData, SlotKind, Type};

/// Most workers of a gang.
const MOST_WORKERS: u64 = 32;

/// The slot of a quad, its value in promoted form. All calls of a quad get the same one.
pub fn slot(emit: &mut Emitter<'_>, call: &Reduction) -> Slot {
    let ty = operators::promoted(call.ty);
    super::named_slot(emit, SlotKind::Reduction, call.loop_, call.red, u64::from(ty.bytes()), ty.align())
}

/// The slot of an array of constant length, its elements as they are in memory.
pub fn array(emit: &mut Emitter<'_>, call: &Reduction, count: u64) -> Slot {
    let size = u64::from(call.ty.ty.bytes()).saturating_mul(count);
    super::named_slot(emit, SlotKind::Reduction, call.loop_, call.red, size, call.op.align(call.ty))
}

/// What each worker has, for the strategy `tree`.
fn of_each(emit: &mut Emitter<'_>, call: &Reduction, workers: u32) -> Slot {
    let ty = operators::promoted(call.ty);
    let workers = if workers == 0 { MOST_WORKERS } else { u64::from(workers) };
    let name = format!("{} of each", call.red);
    let found = super::gangs::find(emit, SlotKind::Reduction, call.loop_, &name);
    found.unwrap_or_else(|| {
        emit.body.slots.push(SlotData {
            size: workers * u64::from(ty.bytes()),
            align: ty.align(),
            name: Some(name.into()),
            restrict: false,
            kind: SlotKind::Reduction,
            declared_in: call.loop_,
        })
    })
}

/// The address of a worker's own among them.
fn own(emit: &mut Emitter<'_>, slots: Slot, ty: Type, worker: Operand) -> Address {
    let worker = emit.convert(ConvertOp::ZExt, Type::I64, worker);
    Address::at(emit.index(Operand::Slot(slots), worker, i64::from(ty.bytes()), 0))
}

/// `fini` of the strategy `tree`: a worker leaves what it has. `workers` is their number, or 0.
pub fn leave(emit: &mut Emitter<'_>, call: &Reduction, workers: u32, value: Operand) {
    let slots = of_each(emit, call, workers);
    let worker = emit.cursor.dim_pos(Level::Worker);
    let at = own(emit, slots, operators::promoted(call.ty), worker);
    emit.store(at, value);
}

/// `teardown` of the strategy `tree`: every warp combines what the workers have left, so that nobody has to
/// be told.
pub fn collect(emit: &mut Emitter<'_>, arch: Arch, call: &Reduction, workers: u32) -> Operand {
    let ty = operators::promoted(call.ty);
    let before = slot(emit, call);
    let slots = of_each(emit, call, workers);
    emit.cursor.fork(Level::Worker, None);
    emit.cursor.fork(Level::Vector, None);
    let before = emit.load(ty, before);
    let lane = lanes::in_warp(emit);
    let count = match workers {
        0 => emit.cursor.dim_size(Level::Worker),
        workers => Operand::Int(Type::I32, i64::from(workers)),
    };
    let exists = emit.compare(CmpOp::ULt, lane, count);
    let partial = emit.temp(ty);
    let identity = operators::identity(emit, call.op, call.ty);
    emit.assign(partial, identity);
    let scale = i64::from(ty.bytes());
    emit.if_then(exists, |cursor| {
        let lane = cursor.convert(ConvertOp::ZExt, Type::I64, lane);
        let at = cursor.index(Operand::Slot(slots), lane, scale, 0);
        let value = cursor.load(ty, Address::at(at));
        cursor.assign(partial, value);
    });
    let width = if workers == 0 { WARP } else { workers.next_power_of_two() };
    let all = lanes::of_first(emit, arch, call, Operand::Local(partial), width);
    let result = operators::emit_op(emit, call.op, call.ty, before, all);
    emit.cursor.join(Level::Vector, None);
    emit.cursor.join(Level::Worker, None);
    result
}

/// `fini` of the strategy `tree` for an array: workers add theirs one after the other. `count` is the
/// array's.
pub fn in_turn(emit: &mut Emitter<'_>, workers: u32, add: impl FnOnce(&mut Emitter<'_>)) {
    let count = match workers {
        0 => emit.cursor.dim_size(Level::Worker),
        workers => Operand::Int(Type::I32, i64::from(workers)),
    };
    let worker = emit.cursor.dim_pos(Level::Worker);
    let turn = emit.temp(Type::I32);
    emit.assign(turn, Operand::Int(Type::I32, 0));
    let header = emit.new_block();
    emit.jump_into(header);
    let mine = emit.compare(CmpOp::Eq, Operand::Local(turn), worker);
    let then = emit.new_block();
    emit.switch_to(then);
    add(emit);
    let met = emit.new_block();
    emit.jump(met);
    emit.switch_to(header);
    emit.branch(mine, then, met);
    emit.switch_to(met);
    emit.barrier(Level::Worker);
    let next = emit.add(Operand::Local(turn), Operand::Int(Type::I32, 1));
    emit.assign(turn, next);
    let more = emit.compare(CmpOp::ULt, Operand::Local(turn), count);
    let done = emit.new_block();
    emit.branch(more, header, done);
    emit.switch_to(done);
}
