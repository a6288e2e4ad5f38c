//! Objects that cross calls by value.

use crate::entities::Agg;
use crate::function::SlotData;
use crate::module::Module;
use crate::op::{Address, Op, Operand};
use crate::types::Type;

/// An object of each thread's own.
pub fn slot(module: &Module, agg: Agg) -> SlotData {
    let layout = &module.aggregates[agg];
    let (size, align) = (layout.size.max(1), u32::try_from(layout.align).unwrap_or(8).max(8));
    SlotData::frame(size, align, None)
}

/// Copies such an object.
pub fn copy(module: &Module, agg: Agg, dst: Address, src: Address) -> Op {
    let layout = &module.aggregates[agg];
    let bytes = Operand::Int(Type::I64, i64::try_from(layout.size).unwrap_or(i64::MAX));
    Op::MemCopy { dst, src, bytes, align: u32::try_from(layout.align).unwrap_or(1).max(1) }
}
