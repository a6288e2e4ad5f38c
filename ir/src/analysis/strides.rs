//! How far apart neighbouring iterations touch memory.

use super::callees::Callees;
use super::cfg::Cfg;
use super::liveness::Liveness;
use super::loops::Nest;
use super::sums::{Kind, Sum};
use super::survey::{Survey, Whole};
use crate::entities::{Block, Loop};
use crate::function::{Body, Induction};
use crate::op::{CmpOp, Inst, Op, Operand};

/// Facts about a body that the questions of this module need.
#[derive(Debug)]
pub struct Facts {
    /// The loops.
    pub nest: Nest,
    /// Which locals are read later.
    pub live: Liveness,
}

impl Facts {
    /// Of a body as it is now.
    pub fn new(body: &Body) -> Facts {
        let cfg = Cfg::new(body);
        Facts { nest: Nest::new(body), live: Liveness::new(body, &cfg) }
    }
}

/// The accesses of a nest of loops.
#[derive(Debug)]
pub struct Strides {
    survey: Survey,
}

/// An access of a nest.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// The innermost loop around it.
    pub loop_: Loop,
    /// Bytes that it reads or writes.
    pub bytes: i64,
    /// The block and the number of the instruction in it.
    pub at: (Block, usize),
    address: &'a Sum,
}

impl Strides {
    /// Of a loop and all loops inside of it.
    pub fn of(body: &Body, loop_: Loop) -> Strides {
        // What calls do to memory is no matter of strides.
        let callees = Callees::default();
        Strides { survey: Survey::of(&Whole::new(body, &callees), loop_) }
    }

    /// The accesses, in the order of the code.
    pub fn accesses(&self) -> impl Iterator<Item = Access<'_>> {
        self.survey.touches.iter().map(|touch| Access {
            loop_: touch.loop_,
            bytes: touch.bytes,
            at: touch.at,
            address: &touch.address,
        })
    }

    /// Bytes from what an access touches in an iteration of a loop to what it touches in the next one, all
    /// other counters being equal: 8 of `a[i]` for doubles. `None` if that is no constant.
    pub fn stride(&self, body: &Body, access: Access<'_>, loop_: Loop) -> Option<i64> {
        let counter = self.survey.atoms.known(&Kind::Counter(loop_));
        let mut stride = 0i64;
        for (product, factor) in access.address.terms() {
            if counter.is_some() && product.iter().copied().eq(counter) {
                stride = stride.checked_add(factor)?;
                continue;
            }
            let varies = product.iter().any(|&atom| {
                let data = self.survey.atoms.data(atom);
                match data.kind {
                    Kind::Counter(other) => other == loop_,
                    _ => data.varies.is_some_and(|varies| body.loop_is_within(Some(varies), loop_)),
                }
            });
            if varies {
                return None;
            }
        }
        Some(stride)
    }
}

/// The number of iterations of a counted loop, if it is a constant.
pub fn constant_trip(body: &Body, induction: &Induction) -> Option<u64> {
    let number = |operand: Operand| constant(body, operand, MAX_COPIES).map(i128::from);
    // A bound is a constant the least often.
    let (bound, init, step) = (number(induction.bound)?, number(induction.init)?, number(induction.step)?);
    let (span, step) = match induction.cmp {
        CmpOp::Lt | CmpOp::ULt => (bound - init, step),
        CmpOp::Le | CmpOp::ULe => (bound - init + 1, step),
        CmpOp::Gt | CmpOp::UGt => (init - bound, -step),
        CmpOp::Ge | CmpOp::UGe => (init - bound + 1, -step),
        CmpOp::Ne if step.abs() == 1 => ((bound - init) * step, 1),
        CmpOp::Ne | CmpOp::Eq | CmpOp::Unordered => return None,
    };
    let trip = if step > 0 { (span + step - 1) / step } else { return None };
    u64::try_from(trip.max(0)).ok()
}

/// How many copies of a constant are followed.
const MAX_COPIES: u32 = 8;

/// The value of an operand that is a constant, or a local that is assigned once, a constant.
fn constant(body: &Body, operand: Operand, copies: u32) -> Option<i64> {
    let Operand::Local(local) = operand else { return operand.as_int() };
    if copies == 0 || body.params.contains(&local) {
        return None;
    }
    let insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    let mut definitions = insts.filter(|inst: &&Inst| {
        let mut found = false;
        inst.op.defs(|defined| found |= defined == local);
        found
    });
    let Op::Copy { src, .. } = definitions.next()?.op else { return None };
    if definitions.next().is_some() { None } else { constant(body, src, copies - 1) }
}
