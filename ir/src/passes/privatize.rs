//! Gives loops their own copies of the variables in their `private` clauses.
//!
//! Before: a loop's body uses the variable itself, and the directive lists it. After: it uses a new local, or
//! a new slot declared in the loop, so that every iteration, and so every thread, has its own; the original
//! keeps its value; the lists are empty. Sequential loops are treated alike, since code after the loop must
//! find the original.
//!
//! This comes before `outline`: a variable of the function around a construct may be named by loops in it
//! only, and is no concern of the construct then.
//!
//! A loop's own induction local is private by definition and is left alone: the preheader writes it.

use super::env::{Env, Work, each_body};
use crate::acc::PrivateVar;
use crate::analysis::loops::Nest;
use crate::edit::rename::Rename;
use crate::entities::{Construct, Loop};
use crate::function::{Body, LoopData, SlotData};
use crate::module::Module;
use crate::op::Operand;
use crate::report::PassError;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let Work { body, .. } = work;
        let listed = |data: &LoopData| data.directive.as_ref().is_some_and(|d| !d.private.is_empty());
        if !body.loops.values().any(listed) {
            return Ok(());
        }
        let nest = Nest::new(body);
        // Outer loops first: what an inner loop lists may be an outer loop's copy by then.
        for loop_ in body.loops.keys().collect::<Vec<_>>() {
            privatize(body, &nest, loop_, &|_| true);
        }
        Ok(())
    })
}

/// Gives the loops of a construct their own locals in the place of those in their `private` clauses, for an
/// analysis of what iterations read: they do not read the originals.
pub fn privatize_locals(body: &mut Body, construct: Construct) {
    let is_local = |var: Operand| matches!(var, Operand::Local(_));
    let has_locals = |data: &LoopData| {
        let directive = data.directive.as_ref();
        directive.is_some_and(|directive| directive.private.iter().any(|private| is_local(private.var)))
    };
    let is_listed = |loop_: &Loop| {
        let data = &body.loops[*loop_];
        has_locals(data) && body.blocks.get(data.header).is_some_and(|it| it.construct == Some(construct))
    };
    let listed: Vec<Loop> = body.loops.keys().filter(is_listed).collect();
    if listed.is_empty() {
        return;
    }
    let nest = Nest::new(body);
    listed.into_iter().for_each(|loop_| privatize(body, &nest, loop_, &is_local));
}

fn privatize(body: &mut Body, nest: &Nest, loop_: Loop, is_wanted: &dyn Fn(Operand) -> bool) {
    let iv = body.loops[loop_].induction.as_ref().map(|induction| induction.iv);
    let Some(directive) = &mut body.loops[loop_].directive else { return };
    let mut rename = Rename::default();
    let (listed, kept) =
        std::mem::take(&mut directive.private).into_iter().partition(|private| is_wanted(private.var));
    directive.private = kept;
    let listed: Vec<PrivateVar> = listed;
    for private in listed {
        let copy = match private.var {
            Operand::Local(local) if Some(local) == iv => continue,
            Operand::Local(local) => Operand::Local(body.local_like(local)),
            Operand::Slot(_)
            | Operand::Global(_)
            | Operand::Func(_)
            | Operand::Int(..)
            | Operand::F32(_)
            | Operand::F64(_) => {
                let data = SlotData::frame(private.bytes, private.align, Some(private.name));
                Operand::Slot(body.slots.push(SlotData { declared_in: Some(loop_), ..data }))
            }
        };
        rename.variable(private.var, copy);
    }
    if !rename.is_empty() {
        rename.apply(body, &nest.blocks(loop_), &nest.inside(loop_));
    }
}
