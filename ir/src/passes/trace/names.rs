//! The variable that an address leads to, for messages.

use crate::entities::{Global, Local};
use crate::function::Body;
use crate::module::GlobalData;
use crate::op::{Op, Operand};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::sync::Arc;

/// Steps of address arithmetic that are followed.
const MOST_STEPS: usize = 32;

/// Where locals that are written once take their value from, if that is a part of an address.
pub struct Names {
    origins: SecondaryMap<Local, Option<Origin>>,
}

/// Where a local takes its value from.
#[derive(Clone, Copy)]
enum Origin {
    /// It is an address in the same object.
    Object(Operand),
    /// It is a pointer in the object at this address.
    Pointer(Operand),
}

impl Origin {
    fn operand(self) -> Operand {
        let (Origin::Object(operand) | Origin::Pointer(operand)) = self;
        operand
    }
}

impl Names {
    /// Of a body.
    pub fn new(body: &Body) -> Names {
        let mut writes: SecondaryMap<Local, u32> = SecondaryMap::with_capacity(body.locals.len());
        body.params.iter().for_each(|&local| writes[local] += 1);
        let mut origins = SecondaryMap::with_capacity(body.locals.len());
        let insts = || body.order.iter().flat_map(|&block| &body.blocks[block].insts);
        insts().for_each(|inst| inst.op.defs(|local| writes[local] += 1));
        for inst in insts() {
            let (dst, origin) = match inst.op {
                Op::Copy { dst, src: origin } | Op::Index { dst, base: origin, .. } => {
                    (dst, Origin::Object(origin))
                }
                Op::Load { dst, addr, .. } => (dst, Origin::Pointer(addr.base)),
                _ => continue,
            };
            if writes[dst] == 1 {
                origins[dst] = Some(origin);
            }
        }
        Names { origins }
    }

    /// The name of the variable whose address, or whose value, leads to an address.
    pub fn of(
        &self,
        body: &Body,
        globals: &PrimaryMap<Global, GlobalData>,
        mut base: Operand,
    ) -> Option<Arc<str>> {
        for _ in 0..MOST_STEPS {
            base = match base {
                Operand::Slot(slot) => return body.slots[slot].name.clone(),
                Operand::Global(global) => return Some(globals[global].name.clone()),
                Operand::Local(local) => match &body.locals[local].name {
                    Some(name) => return Some(name.clone()),
                    None => self.origins[local]?.operand(),
                },
                Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => return None,
            };
        }
        None
    }

    /// Whether an address is in an object that each thread has for itself.
    pub fn is_of_thread(&self, globals: &PrimaryMap<Global, GlobalData>, mut base: Operand) -> bool {
        for _ in 0..MOST_STEPS {
            base = match base {
                Operand::Global(global) => return globals[global].thread_local,
                Operand::Local(local) => match self.origins[local] {
                    Some(Origin::Object(origin)) => origin,
                    _ => return false,
                },
                _ => return false,
            };
        }
        false
    }
}
