//! Whether iterations of a loop use nothing together that a gang has of its own.
//!
//! A programmer who shares a loop by gangs only may rely on it that a gang executes its iterations one after
//! the other: an array that is `private` to the construct serves each in turn, a counter that is declared in
//! front of the loop counts those of the gang. Workers and lanes may share such a loop without being asked
//! only if nothing of that kind is in it.

use accrue_ir::analysis::bases::{Base, Bases};
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::analysis::loops::Nest;
use accrue_ir::visit::Part;
use accrue_ir::{Block, Body, Local, Loop, Op, Operand, Slot, SlotKind};

/// What must be known of a body to tell.
pub(super) struct Alone {
    nest: Nest,
    live: Liveness,
    bases: Bases,
}

impl Alone {
    /// Of a body.
    pub(super) fn of(body: &Body) -> Alone {
        Alone { nest: Nest::new(body), live: Liveness::new(body, &Cfg::new(body)), bases: Bases::new(body) }
    }

    /// Whether no iteration of a loop writes what a later one of its gang, or code behind the loop, may read,
    /// but for memory that all gangs have together, and for what the loop reduces. Of what only the region
    /// reduces a gang has one copy.
    pub(super) fn is_true_of(&self, body: &Body, loop_: Loop) -> bool {
        self.leaves_no_values(body, loop_) && self.leaves_no_objects(body, loop_)
    }

    fn leaves_no_values(&self, body: &Body, loop_: Loop) -> bool {
        let data = &body.loops[loop_];
        let reduced = reduced(body, loop_);
        let counter = data.induction.as_ref().map(|induction| induction.iv);
        let is_left = |local: Local| {
            Some(local) != counter
                && !reduced.contains(&Operand::Local(local))
                && (self.live.is_live_in(local, data.header) || self.live.is_live_in(local, data.exit))
        };
        let mut left = false;
        for inst in self.nest.blocks(loop_).iter().flat_map(|&block| &body.blocks[block].insts) {
            inst.op.defs(|local| left |= is_left(local));
        }
        !left
    }

    fn leaves_no_objects(&self, body: &Body, loop_: Loop) -> bool {
        let reduced = reduced(body, loop_);
        let is_copy = |slot: Slot| body.region_reductions.iter().any(|by| by.var == Operand::Slot(slot));
        let is_outside = |slot: Slot| {
            (!matches!(body.slots[slot].kind, SlotKind::Mapped(_)) || is_copy(slot))
                && !body.loop_is_within(body.slots[slot].declared_in, loop_)
                && !reduced.contains(&Operand::Slot(slot))
        };
        let is_array = |block: Block| {
            !body.loop_is_within(body.blocks[block].loop_, loop_)
                && body.blocks[block].insts.iter().any(|inst| matches!(inst.op, Op::StackAlloc { .. }))
        };
        let outside = |operand: Operand| match self.bases.of(operand) {
            Base::Slot(slot) => is_outside(slot),
            Base::Global(_) | Base::Unknown => false,
        };
        let addressed = |slot: Slot| is_outside(slot) && self.bases.is_addressed(slot);
        let blocks = self.nest.blocks(loop_);
        let mut insts = blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        !body.slots.keys().any(addressed)
            && !body.order.iter().any(|&block| is_array(block))
            && insts.all(|inst| {
                let mut stays = true;
                inst.op.parts(|part| match part {
                    Part::Address(address) => {
                        stays &= matches!(inst.op, Op::Load { .. }) || !outside(address.base);
                    }
                    Part::Value(&value) if !matches!(inst.op, Op::Copy { .. } | Op::Index { .. }) => {
                        stays &= !outside(value);
                    }
                    _ => {}
                });
                stays
            })
    }
}

/// The variables that a loop reduces.
fn reduced(body: &Body, loop_: Loop) -> Vec<Operand> {
    let directive = body.loops[loop_].directive.iter();
    directive.flat_map(|directive| &directive.reductions).map(|clause| clause.var).collect()
}
