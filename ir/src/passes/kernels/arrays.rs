//! Gives the iterations of a parallel loop their own copies of arrays.
//!
//! An array that nothing reads behind the loop is listed as `private`. Of one that is read there, the last
//! iteration's values have to be in the original: that iteration uses the original, and all others a copy.

use super::found::PrivateArray;
use crate::acc::PrivateVar;
use crate::analysis::loops::Nest;
use crate::builder::Cursor;
use crate::edit::induction::{last_value, trip_count};
use crate::edit::rename::Rename;
use crate::entities::Loop;
use crate::function::{Body, SlotData};
use crate::op::{CmpOp, Operand};
use crate::types::Type;
use std::sync::Arc;

/// Gives the iterations of a counted loop with a directive their copies.
pub fn give_copies(body: &mut Body, loop_: Loop, arrays: &[PrivateArray]) {
    let pos = body.loops[loop_].pos;
    let (kept, dropped): (Vec<&PrivateArray>, Vec<&PrivateArray>) =
        arrays.iter().partition(|array| array.is_kept);
    for &&PrivateArray { var, bytes, align, .. } in &dropped {
        let name = name(body, var);
        let private = PrivateVar { name, var, bytes, align, implicit: true, pos };
        if let Some(directive) = &mut body.loops[loop_].directive {
            directive.private.push(private);
        }
    }
    if !kept.is_empty() {
        keep_last(body, loop_, &kept);
    }
}

/// Lets the last iteration of a loop use arrays themselves, and all others copies.
fn keep_last(body: &mut Body, loop_: Loop, arrays: &[&PrivateArray]) {
    let (preheader, first, pos) = {
        let data = &body.loops[loop_];
        (data.preheader, data.body, data.pos)
    };
    let Some(induction) = body.loops[loop_].induction.clone() else { return };
    let mut cursor = Cursor::with_pos(body, preheader, pos);
    let trip = trip_count(&mut cursor, &induction);
    let last = last_value(&mut cursor, &induction, trip);
    let copies: Vec<Operand> = arrays
        .iter()
        .map(|array| {
            let data = SlotData::frame(array.bytes, array.align, Some(name(body, array.var)));
            Operand::Slot(body.slots.push(SlotData { declared_in: Some(loop_), ..data }))
        })
        .collect();
    let nest = Nest::new(body);
    let blocks = nest.blocks(loop_);
    let mut rename = Rename::default();
    for array in arrays {
        let used = body.temp(Type::Ptr);
        rename.variable(array.var, Operand::Local(used));
    }
    let inside = nest.inside(loop_);
    rename.apply(body, &blocks, &inside);
    for &inner in &inside {
        let clauses = body.loops[inner].directive.iter_mut().flat_map(|directive| &mut directive.reductions);
        for clause in clauses {
            let is_used = |array: &&&PrivateArray| rename.operand(array.var) == clause.var;
            clause.pointee |= arrays.iter().find(is_used).is_some();
        }
    }
    Cursor::at_start(body, first, pos, |cursor| {
        let is_last = cursor.compare(CmpOp::Eq, Operand::Local(induction.iv), last);
        for (array, &copy) in arrays.iter().zip(&copies) {
            let place = cursor.select(is_last, array.var, copy);
            if let Operand::Local(used) = rename.operand(array.var) {
                cursor.assign(used, place);
            }
        }
    });
}

/// The name of an array.
pub fn name(body: &Body, var: Operand) -> Arc<str> {
    let of_slot = match var {
        Operand::Slot(slot) => body.slots[slot].name.clone(),
        _ => None,
    };
    of_slot.unwrap_or_else(|| "an array".into())
}
