//! Reduction over the lanes of a worker: a tree of shuffles, and shared memory between the warps of a long
//! row.
//!
//! Lanes that only fill up the last warp of a row hold the identity, which `init` gave them. All lanes get
//! the result: what later code in partitioned mode reads must be the same everywhere.

use crate::arch::{self, Arch, WARP};
use accrue_ir::target::{Emitter, operators};
use accrue_ir::{
    BinaryOp, CmpOp, ConvertOp, Level, Operand, Reduction, ShuffleMode, Slot, SlotData, SlotKind, Type,
};

/// Most warps of a row.
const MAX_WARPS: u32 = 32;

/// The number of a lane in its warp.
pub fn in_warp(emit: &mut Emitter<'_>) -> Operand {
    let lane = emit.cursor.dim_pos(Level::Vector);
    emit.binary(BinaryOp::And, lane, Operand::Int(Type::I32, 31))
}

/// The value of `op` over the values of all lanes of a warp, in every lane.
pub fn of_warp(emit: &mut Emitter<'_>, arch: Arch, call: &Reduction, local: Operand) -> Operand {
    of_first(emit, arch, call, local, WARP)
}

/// The value of `op` over the first `width` lanes of a warp, in every lane.
pub fn of_first(emit: &mut Emitter<'_>, arch: Arch, call: &Reduction, local: Operand, width: u32) -> Operand {
    // All lanes take part in it, so that every one must have a value that counts.
    if width == WARP
        && let Some(op) = single_instruction(emit, arch, call, local)
    {
        return emit.cursor.lane_reduce(op, local);
    }
    let value = tree(emit, call, local, width);
    from_first(emit, value)
}

/// The value of `op` over the `local` values of a row of `vector` lanes (0: known at run time), in every
/// lane.
pub fn combine(emit: &mut Emitter<'_>, arch: Arch, vector: u32, call: &Reduction, local: Operand) -> Operand {
    let width = if vector == 0 { WARP } else { vector.min(WARP).next_power_of_two() };
    let value = of_first(emit, arch, call, local, width);
    match vector {
        0 => {
            let all = emit.temp(operators::promoted(call.ty));
            emit.assign(all, value);
            let lanes = emit.cursor.dim_size(Level::Vector);
            let is_long = emit.compare(CmpOp::UGt, lanes, Operand::Int(Type::I32, WARP.into()));
            let [long, end] = [(); 2].map(|()| emit.new_block());
            emit.branch(is_long, long, end);
            emit.switch_to(long);
            let of_row = of_warps(emit, arch, MAX_WARPS, call, value);
            emit.assign(all, of_row);
            emit.jump(end);
            emit.switch_to(end);
            Operand::Local(all)
        }
        1..=WARP => value,
        _ => of_warps(emit, arch, vector.div_ceil(WARP), call, value),
    }
}

/// The value of `op` over the values that so many warps of a row have at most, in every lane.
fn of_warps(emit: &mut Emitter<'_>, arch: Arch, warps: u32, call: &Reduction, value: Operand) -> Operand {
    let ty = operators::promoted(call.ty);
    let slots = partial_results(emit, ty);
    let lane = emit.cursor.dim_pos(Level::Vector);
    let warp = emit.binary(BinaryOp::LShr, lane, Operand::Int(Type::I32, 5));
    let in_warp = in_warp(emit);
    let leads = emit.compare(CmpOp::Eq, in_warp, Operand::Int(Type::I32, 0));
    let scale = i64::from(ty.bytes());
    emit.if_then(leads, |cursor| {
        let index = cursor.convert(ConvertOp::ZExt, Type::I64, warp);
        let at = cursor.index(Operand::Slot(slots), index, scale, 0);
        cursor.store(accrue_ir::Address::at(at), value);
    });
    emit.barrier(Level::Vector);
    let lanes = emit.cursor.dim_size(Level::Vector);
    let last = emit.sub(lanes, Operand::Int(Type::I32, 1));
    let last = emit.binary(BinaryOp::LShr, last, Operand::Int(Type::I32, 5));
    let exists = emit.compare(CmpOp::ULe, in_warp, last);
    let partial = emit.temp(ty);
    let identity = operators::identity(emit, call.op, call.ty);
    emit.assign(partial, identity);
    emit.if_then(exists, |cursor| {
        let index = cursor.convert(ConvertOp::ZExt, Type::I64, in_warp);
        let at = cursor.index(Operand::Slot(slots), index, scale, 0);
        let value = cursor.load(ty, accrue_ir::Address::at(at));
        cursor.assign(partial, value);
    });
    // One instruction is for whole warps.
    let partial = Operand::Local(partial);
    let width = match single_instruction(emit, arch, call, partial) {
        Some(_) => WARP,
        None => warps.next_power_of_two(),
    };
    let value = of_first(emit, arch, call, partial, width);
    // The next reduction of the row writes the same memory.
    emit.barrier(Level::Vector);
    value
}

/// The operation of the one instruction that does what [`tree`] does, if there is one.
fn single_instruction(emit: &Emitter<'_>, arch: Arch, call: &Reduction, local: Operand) -> Option<BinaryOp> {
    let op = operators::binary_op(call.op, call.ty)?;
    let name = arch::lane_reduction(op)?;
    // Truth values are made 0 or 1 after every step.
    let fits = emit.body.operand_type(local) == Type::I32 && !call.ty.boolean;
    (fits && arch.has(&format!("redux.sync.{name}"))).then_some(op)
}

/// Folds `width` lanes of each warp into the first: halves onto halves.
fn tree(emit: &mut Emitter<'_>, call: &Reduction, local: Operand, width: u32) -> Operand {
    let mut value = local;
    let mut distance = width / 2;
    while distance > 0 {
        let other = shuffle(emit, ShuffleMode::Down, value, distance);
        value = operators::emit_op(emit, call.op, call.ty, value, other);
        distance /= 2;
    }
    value
}

fn from_first(emit: &mut Emitter<'_>, value: Operand) -> Operand {
    shuffle(emit, ShuffleMode::Index, value, 0)
}

fn shuffle(emit: &mut Emitter<'_>, mode: ShuffleMode, value: Operand, by: u32) -> Operand {
    emit.shuffle(mode, value, Operand::Int(Type::I32, i64::from(by)))
}

/// Memory for one value of each warp of a row.
fn partial_results(emit: &mut Emitter<'_>, ty: Type) -> Slot {
    let size = u64::from(ty.bytes() * MAX_WARPS);
    emit.body.slots.push(SlotData {
        size,
        align: ty.align(),
        name: None,
        restrict: false,
        kind: SlotKind::WorkerPrivate,
        declared_in: None,
    })
}
