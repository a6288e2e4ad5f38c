//! Locals that stay what they once are.

use crate::entities::{Local, map_below};
use crate::function::Body;
use crate::op::Operand;
use crate::visit::Part;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::ReservedValue;

/// Which parameters nothing writes, and nothing but an operand or a `firstprivate` clause names: the argument
/// may stand wherever they are read.
pub fn steady_params(body: &Body) -> Vec<bool> {
    let named = named(body);
    // The list of parameters defines each.
    body.params.iter().map(|&param| named[param] == 1).collect()
}

/// How often each local is named, but as an operand and in a `firstprivate` clause: where it is written, and
/// in clauses that make it a variable. What is named once has one definition, whose value may stand wherever
/// the local is read.
pub fn named(body: &Body) -> SecondaryMap<Local, i64> {
    let mut named: SecondaryMap<Local, i64> = map_below(body.locals.len());
    let mut visit = |part: Part<'_>| {
        if !matches!(part, Part::Value(_) | Part::Address(_)) {
            let local = part.operand().and_then(Operand::as_local);
            local.into_iter().for_each(|local| named[local] += 1);
        }
    };
    body.annotations(&mut visit);
    for &block in &body.order {
        body.blocks[block].insts.iter().for_each(|inst| inst.op.parts(&mut visit));
    }
    let constructs = body.constructs.values().filter(|data| !data.entry.is_reserved_value());
    for local in constructs.flat_map(|data| &data.firstprivate).filter_map(|private| private.var.as_local()) {
        named[local] -= 1;
    }
    named
}
