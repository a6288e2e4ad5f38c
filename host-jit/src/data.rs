//! The program's objects with static storage duration.

use crate::data_object::{DataObject, Relocation, Symbol, WORD};
use accrue_ir::{GlobalData, Init, Operand};

/// Objects from this size on start at a cache line, so that vectors in arrays do not straddle lines.
pub(crate) const LARGE: usize = 64;

/// A defined global. Its size is within the limit of `needed`.
pub(crate) fn object(data: &GlobalData) -> DataObject {
    // Objects without bytes still have addresses of their own.
    let size = data.size.max(1) as usize;
    let align = data.align.max(1) as usize;
    let mut object = DataObject {
        bytes: Vec::new(),
        zeros: 0,
        align: if size >= LARGE { align.max(LARGE) } else { align },
        relocations: Vec::new(),
    };
    if let Init::Bytes(bytes, relocations) = &data.init {
        object.bytes.extend_from_slice(&bytes[..bytes.len().min(data.size as usize)]);
        for relocation in relocations {
            let offset = relocation.offset as usize;
            let end = offset + WORD;
            if end > data.size as usize {
                continue;
            }
            object.bytes.resize(object.bytes.len().max(end), 0);
            let addend = relocation.addend;
            let target = match relocation.target {
                Operand::Func(func) => Symbol::Function(func),
                Operand::Global(global) => Symbol::Global(global),
                Operand::Int(_, value) => {
                    object.write(offset, &value.wrapping_add(addend).to_le_bytes());
                    continue;
                }
                Operand::Local(_) | Operand::Slot(_) | Operand::F32(_) | Operand::F64(_) => {
                    unreachable!("an initial value refers to {:?}", relocation.target)
                }
            };
            object.relocations.push(Relocation { offset, target: Some(target), addend });
        }
    }
    object.zeros = size - object.bytes.len();
    object
}
