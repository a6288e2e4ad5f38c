//! Rewrites mapped variables to their device addresses.
//!
//! Before: a region names a mapped object by a slot of kind [`SlotKind::Mapped`], except where an active
//! reduction has replaced it. After: no such slot is left; accesses go through the parameter that holds the
//! address.

use super::env::{Env, Work, each_body};
use crate::edit::compact::compact;
use crate::edit::rename::Rename;
use crate::entities::Loop;
use crate::function::SlotKind;
use crate::module::Module;
use crate::op::Operand;
use crate::report::PassError;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let Work { body, .. } = work;
        let mut rename = Rename::default();
        for (slot, data) in &body.slots {
            match data.kind {
                SlotKind::Mapped(address) => _ = rename.slots.insert(slot, Operand::Local(address)),
                SlotKind::Frame
                | SlotKind::GangPrivate
                | SlotKind::GangCopy
                | SlotKind::WorkerPrivate
                | SlotKind::Reduction
                | SlotKind::Broadcast
                | SlotKind::Launch
                | SlotKind::GangScratch => {}
            }
        }
        if !rename.is_empty() {
            let blocks = body.order.clone();
            let loops: Vec<Loop> = body.loops.keys().collect();
            rename.apply(body, &blocks, &loops);
            compact(body);
        }
        Ok(())
    })
}
