//! Reductions by functions of the program ([`Declared`]): elements go from lane to lane word by word, and are
//! combined where they are in memory.
//!
//! The first value of a private copy may be anything, so that no lane may begin with what was there before:
//! the first one keeps it aside, and adds it to what it has at the end.

use super::gangs::Partial;
use crate::arch::WARP;
use accrue_ir::builder::Cursor;
use accrue_ir::{
    Address, BinaryOp, CmpOp, ConvertOp, Declared, Level, Loop, Op, Operand, Reduction, ShuffleMode,
    SlotData, SlotKind, Type,
};

/// Most warps of a row.
const MAX_WARPS: u32 = 32;
/// Most words that are exchanged one by one instead of in a loop.
const FEW_WORDS: u32 = 8;

/// What was in LOCAL in front of a quad, kept by the thread that has it.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    /// Its memory.
    pub memory: Operand,
    /// The height of the stack below it, if its length is known at run time only.
    pub height: Option<Operand>,
}

impl Before {
    /// Memory for so many bytes.
    pub fn new(cursor: &mut Cursor<'_>, declared: Declared, loop_: Option<Loop>, bytes: Operand) -> Before {
        match bytes.as_int().and_then(|bytes| u64::try_from(bytes).ok()) {
            Some(bytes) => Before { memory: private(cursor, declared, loop_, bytes), height: None },
            None => {
                let [memory, height] = [(); 2].map(|()| cursor.temp(Type::Ptr));
                Before { memory: Operand::Local(memory), height: Some(Operand::Local(height)) }
            }
        }
    }

    /// Keeps what LOCAL has, and gives it its first value. `is_first` says whether there is anything to keep.
    pub fn set_aside(
        self,
        cursor: &mut Cursor<'_>,
        (declared, call): (Declared, &Reduction),
        is_first: Option<Operand>,
        (local, bytes): (Address, Operand),
    ) {
        if let (Some(Operand::Local(height)), Operand::Local(memory)) = (self.height, self.memory) {
            cursor.op(Op::StackSave { dst: height, each: true });
            cursor.op(Op::StackAlloc { dst: memory, bytes, align: declared.align, each: true });
        }
        let keep = |cursor: &mut Cursor<'_>| {
            cursor.mem_copy(Address::at(self.memory), local, bytes, declared.align);
        };
        match is_first {
            Some(is_first) => cursor.if_then(is_first, keep),
            None => keep(cursor),
        }
        declared.start_all(cursor, local, call.original, bytes);
    }

    /// Adds what was kept to LOCAL.
    pub fn add(
        self,
        cursor: &mut Cursor<'_>,
        declared: Declared,
        is_first: Option<Operand>,
        (local, bytes): (Address, Operand),
    ) {
        let add = |cursor: &mut Cursor<'_>| {
            let memory = Address::at(self.memory);
            declared.combine_all(cursor, memory, local, bytes);
            cursor.mem_copy(local, memory, bytes, declared.align);
        };
        match is_first {
            Some(is_first) => cursor.if_then(is_first, add),
            None => add(cursor),
        }
        if let Some(saved) = self.height {
            cursor.op(Op::StackRestore { saved, each: true });
        }
    }
}

/// Whether a thread is the first of its row.
pub fn is_first_lane(cursor: &mut Cursor<'_>) -> Operand {
    let lane = cursor.dim_pos(Level::Vector);
    cursor.compare(CmpOp::Eq, lane, Operand::Int(Type::I32, 0))
}

/// Combines what the lanes of a row of `vector` (0: known at run time) have in the elements of LOCAL; all of
/// them get it.
pub fn combine_lanes(
    cursor: &mut Cursor<'_>,
    declared: Declared,
    loop_: Option<Loop>,
    vector: u32,
    (local, bytes): (Address, Operand),
) {
    let other = Address::at(private(cursor, declared, loop_, declared.size.into()));
    let width = if vector == 0 { WARP } else { vector.min(WARP).next_power_of_two() };
    let warps = (vector == 0 || vector > WARP).then(|| {
        let size = u64::from(declared.size) * u64::from(MAX_WARPS);
        let of_row = slot(declared, None, size, SlotKind::WorkerPrivate);
        Address::at(Operand::Slot(cursor.body.slots.push(of_row)))
    });
    declared.each(cursor, bytes, |cursor, index| {
        let element = declared.element(cursor, local, index);
        let mut distance = width / 2;
        while distance > 0 {
            exchange(cursor, declared, ShuffleMode::Down, distance, other, element);
            declared.combine(cursor, element, other);
            distance /= 2;
        }
        exchange(cursor, declared, ShuffleMode::Index, 0, element, element);
        match (warps, vector) {
            (None, _) => {}
            (Some(warps), 0) => {
                let lanes = cursor.dim_size(Level::Vector);
                let is_long = cursor.compare(CmpOp::UGt, lanes, Operand::Int(Type::I32, WARP.into()));
                cursor.if_then(is_long, |cursor| combine_warps(cursor, declared, warps, element, other));
            }
            (Some(warps), _) => combine_warps(cursor, declared, warps, element, other),
        }
    });
}

/// Combines what the warps of a row have; all of them get it.
fn combine_warps(
    cursor: &mut Cursor<'_>,
    declared: Declared,
    warps: Address,
    element: Address,
    other: Address,
) {
    let lane = cursor.dim_pos(Level::Vector);
    let in_warp = cursor.binary(BinaryOp::And, lane, Operand::Int(Type::I32, 31));
    let leads = cursor.compare(CmpOp::Eq, in_warp, Operand::Int(Type::I32, 0));
    cursor.if_then(leads, |cursor| {
        let warp = cursor.binary(BinaryOp::LShr, lane, Operand::Int(Type::I32, 5));
        let warp = cursor.convert(ConvertOp::ZExt, Type::I64, warp);
        let to = declared.element(cursor, warps, warp);
        declared.copy(cursor, to, element);
    });
    cursor.barrier(Level::Vector);
    let lanes = cursor.dim_size(Level::Vector);
    let padded = cursor.add(lanes, Operand::Int(Type::I32, 31));
    let count = cursor.binary(BinaryOp::LShr, padded, Operand::Int(Type::I32, 5));
    let count = cursor.convert(ConvertOp::ZExt, Type::I64, count);
    let one = Operand::Int(Type::I64, 1);
    declared.copy(cursor, element, warps);
    cursor.counted(one, one, count, |cursor, warp| {
        let from = declared.element(cursor, warps, warp);
        // The function may change what it takes.
        declared.copy(cursor, other, from);
        declared.combine(cursor, element, other);
    });
    // The next element is written to the same memory.
    cursor.barrier(Level::Vector);
}

/// `to` = the element of another lane of the warp.
fn exchange(
    cursor: &mut Cursor<'_>,
    declared: Declared,
    mode: ShuffleMode,
    by: u32,
    to: Address,
    from: Address,
) {
    let word = match declared.align {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        _ => Type::I64,
    };
    let by = Operand::Int(Type::I32, by.into());
    let one = |cursor: &mut Cursor<'_>, [to, from]: [Address; 2]| {
        let value = cursor.load(word, from);
        match word {
            Type::I8 | Type::I16 => {
                let wide = cursor.convert(ConvertOp::ZExt, Type::I32, value);
                let wide = cursor.shuffle(mode, wide, by);
                let value = cursor.convert(ConvertOp::Trunc, word, wide);
                cursor.store(to, value);
            }
            _ => {
                let value = cursor.shuffle(mode, value, by);
                cursor.store(to, value);
            }
        }
    };
    let (bytes, words) = (i64::from(word.bytes()), declared.size / word.bytes());
    if words <= FEW_WORDS {
        for offset in (0..words).map(|index| i64::from(index) * bytes) {
            one(cursor, [to, from].map(|element| element.plus(offset)));
        }
        return;
    }
    let [zero, step, count] = [0, 1, i64::from(words)].map(|value| Operand::Int(Type::I64, value));
    cursor.counted(zero, step, count, |cursor, index| {
        let at =
            [to, from].map(|Address { base, offset }| Address::at(cursor.index(base, index, bytes, offset)));
        one(cursor, at);
    });
}

impl Partial {
    /// Combines what all gangs have into an array of elements. Lanes of a row: each one some gangs' in the
    /// place of the first of these, then halves onto halves.
    pub(super) fn combine_declared(
        &self,
        cursor: &mut Cursor<'_>,
        declared: Declared,
        result: Address,
        gangs: Operand,
    ) {
        let bytes = Operand::Int(Type::I64, self.count.unwrap_or(0) as i64);
        let lane = cursor.dim_pos(Level::Vector);
        let lane = cursor.convert(ConvertOp::ZExt, Type::I64, lane);
        let warp = Operand::Int(Type::I64, WARP.into());
        let helps = cursor.compare(CmpOp::ULt, lane, warp);
        let bound = cursor.select(helps, gangs, Operand::Int(Type::I64, 0));
        let slot = self.slot;
        let of = move |cursor: &mut Cursor<'_>, gang: Operand, index: Operand| {
            let gang = cursor.convert(ConvertOp::Trunc, Type::I32, gang);
            let array = Address::at(cursor.instance(slot, gang));
            declared.element(cursor, array, index)
        };
        declared.each(cursor, bytes, |cursor, index| {
            let second = cursor.add(lane, warp);
            cursor.counted(second, warp, bound, |cursor, gang| {
                let [own, other] = [lane, gang].map(|gang| of(cursor, gang, index));
                declared.combine(cursor, own, other);
            });
            let mut distance = WARP / 2;
            while distance > 0 {
                cursor.barrier(Level::Vector);
                let distant = Operand::Int(Type::I64, distance.into());
                let is_half = cursor.compare(CmpOp::ULt, lane, distant);
                let end = cursor.select(is_half, gangs, Operand::Int(Type::I64, 0));
                let other = cursor.add(lane, distant);
                let exists = cursor.compare(CmpOp::ULt, other, end);
                cursor.if_then(exists, |cursor| {
                    let [own, other] = [lane, other].map(|gang| of(cursor, gang, index));
                    declared.combine(cursor, own, other);
                });
                distance /= 2;
            }
            let is_first = cursor.compare(CmpOp::Eq, lane, Operand::Int(Type::I64, 0));
            cursor.if_then(is_first, |cursor| {
                let own = of(cursor, lane, index);
                let to = declared.element(cursor, result, index);
                declared.combine(cursor, to, own);
            });
        });
    }
}

/// Memory that each thread has for itself.
fn private(cursor: &mut Cursor<'_>, declared: Declared, loop_: Option<Loop>, size: u64) -> Operand {
    Operand::Slot(cursor.body.slots.push(slot(declared, loop_, size, SlotKind::Frame)))
}

fn slot(declared: Declared, loop_: Option<Loop>, size: u64, kind: SlotKind) -> SlotData {
    SlotData { size, align: declared.align, name: None, restrict: false, kind, declared_in: loop_ }
}
