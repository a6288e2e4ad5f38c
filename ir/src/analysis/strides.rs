//! How far apart neighbouring iterations touch memory.

use super::callees::Callees;
use super::cfg::Cfg;
use super::liveness::Liveness;
use super::loops::Nest;
use super::sums::{Kind, Sum};
use super::survey::{Control, Survey, Whole};
use crate::entities::{Block, Local, Loop, map_below};
use crate::function::{Body, Induction};
use crate::op::{CmpOp, Op, Operand};
use cranelift_entity::SecondaryMap;

/// Facts about a body that the questions of this module need.
#[derive(Debug)]
pub struct Facts {
    /// The loops.
    pub nest: Nest,
    /// Which locals are read later.
    pub live: Liveness,
    /// Which locals are constants.
    pub constants: Constants,
}

impl Facts {
    /// Of a body as it is now.
    pub fn new(body: &Body) -> Facts {
        let cfg = Cfg::new(body);
        let (live, constants) = (Liveness::new(body, &cfg), Constants::of(body));
        Facts { nest: Nest::new(body), live, constants }
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
    /// Nothing but the bounds of loops decides whether it is executed.
    pub is_certain: bool,
    address: &'a Sum,
}

impl Strides {
    /// Of a loop and all loops inside of it.
    pub fn of(body: &Body, loop_: Loop) -> Strides {
        // What calls do to memory is no matter of strides.
        let callees = Callees::default();
        Strides { survey: Survey::assuming(&Whole::new(body, &callees), loop_) }
    }

    /// The accesses, in the order of the code.
    pub fn accesses(&self) -> impl Iterator<Item = Access<'_>> {
        self.survey.touches.iter().map(|touch| Access {
            loop_: touch.loop_,
            bytes: touch.bytes,
            at: touch.at,
            is_certain: touch.control.iter().all(Control::is_of_header),
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

    /// Whether two accesses are a constant number of bytes from each other, whatever the counters are.
    pub fn are_beside(&self, access: Access<'_>, other: Access<'_>) -> bool {
        access.address.plus(-1, other.address).is_some_and(|distance| distance.as_constant().is_some())
    }

    /// How many iterations of a loop sooner an access touches what another one touches, all other counters
    /// being equal: 2 of `a[i + 1]` and `a[i - 1]`. `None` if they do not touch the same, or that cannot be
    /// said.
    pub fn iterations_ahead(&self, (access, other): (Access<'_>, Access<'_>), loop_: Loop) -> Option<i64> {
        let counter = self.survey.atoms.known(&Kind::Counter(loop_))?;
        let [step, other_step] = [access, other].map(|access| Some(access.address.linear_in(counter)?.0));
        let step = step.filter(|step| other_step.as_ref() == Some(step))?;
        let (ahead, rest) = access.address.plus(-1, other.address)?.divided_by(&step)?;
        ahead.as_constant().filter(|_| rest.as_constant() == Some(0))
    }
}

/// The locals of a body that are constants.
#[derive(Debug)]
pub struct Constants {
    definitions: SecondaryMap<Local, Definition>,
}

/// How often a local is assigned, and what, if that is a copy.
#[derive(Clone, Copy, Default, Debug)]
enum Definition {
    #[default]
    Missing,
    Copy(Operand),
    Other,
}

/// How many copies of a constant are followed.
const MAX_COPIES: u32 = 8;

impl Constants {
    /// Of a body as it is now.
    pub fn of(body: &Body) -> Constants {
        let mut definitions: SecondaryMap<Local, Definition> = map_below(body.locals.len());
        body.params.iter().for_each(|&param| definitions[param] = Definition::Other);
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            inst.op.defs(|local| {
                definitions[local] = match (definitions[local], &inst.op) {
                    (Definition::Missing, Op::Copy { src, .. }) => Definition::Copy(*src),
                    _ => Definition::Other,
                };
            });
        }
        Constants { definitions }
    }

    /// The number of iterations of a counted loop, if it is a constant.
    pub fn trip(&self, induction: &Induction) -> Option<u64> {
        let number = |operand: Operand| self.number(operand, MAX_COPIES).map(i128::from);
        // A bound is a constant the least often.
        let (bound, init, step) =
            (number(induction.bound)?, number(induction.init)?, number(induction.step)?);
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

    /// The value of an operand that is a constant, or a local that is assigned once, a constant.
    fn number(&self, operand: Operand, copies: u32) -> Option<i64> {
        let Operand::Local(local) = operand else { return operand.as_int() };
        match self.definitions[local] {
            Definition::Copy(src) if copies > 0 => self.number(src, copies - 1),
            _ => None,
        }
    }
}
