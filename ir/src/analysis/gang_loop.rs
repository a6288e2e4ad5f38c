//! Whether several gangs may execute a region of `kernels` without waiting for each other.

use super::bases::{Base, Bases};
use crate::entities::{Block, Loop};
use crate::function::{Body, SlotKind};
use crate::op::Op;
use crate::visit::Part;

/// Whether one loop over gangs is all that a region does: nothing outside of it is written, and what is read
/// there before the loop, the loop does not write. In `kernels { int x = a[40]; loop gang: a[i] += x; }` a
/// gang must not begin before the other gangs have read `x`.
pub fn is_one_gang_loop(body: &Body) -> bool {
    let has_gangs = |loop_: &Loop| {
        let directive = body.loops[*loop_].directive.as_ref();
        directive.is_some_and(|directive| directive.levels.iter().any(|level| level.is_gang()))
    };
    let outermost = |block: Block| body.loops_around(body.blocks[block].loop_).last();
    let bases = Bases::new(body);
    let is_own =
        |base| matches!(base, Base::Slot(slot) if !matches!(body.slots[slot].kind, SlotKind::Mapped(_)));
    let (mut read, mut written) = (Vec::new(), Vec::new());
    let mut gang_loop = None;
    for &block in &body.order {
        let insts = &body.blocks[block].insts;
        match outermost(block) {
            Some(loop_) if has_gangs(&loop_) => {
                if gang_loop.is_some_and(|other| other != loop_) {
                    return false;
                }
                gang_loop = Some(loop_);
                for inst in insts.iter().filter(|inst| inst.op.effects().writes) {
                    let before = written.len();
                    inst.op.parts(|part| {
                        if let Part::Address(address) = part {
                            written.push(bases.of(address.base));
                        }
                    });
                    // A call writes anywhere.
                    if written.len() == before {
                        written.push(Base::Unknown);
                    }
                }
            }
            _ => {
                if insts.iter().any(|inst| inst.op.effects().writes) {
                    return false;
                }
                read.extend(insts.iter().filter_map(|inst| match &inst.op {
                    Op::Load { addr, .. } => Some(bases.of(addr.base)),
                    _ => None,
                }));
            }
        }
    }
    read.into_iter()
        .filter(|base| !is_own(*base))
        .all(|read| written.iter().all(|written| bases.differ(read, *written)))
}
