//! Cuts a `kernels` construct with several nests of parallel loops into launches.
//!
//! Before: a construct is one launch, in which gangs wait for each other between nests, so that no more gangs
//! than can be resident take part. After: each nest is a construct of its own, and so is the code between
//! nests that changes device memory; one data region around them holds the construct's data clauses, so that
//! everything stays on the device:
//!
//! ```text
//! kernels copy(a, b)             data copy(a, b) create(w)
//! {                              {
//!     w = a[3];                      kernels { w = a[3]; }
//!     for (t = 0; t < n; t++) {      for (t = 0; t < n; t++) {
//!         nest: b = f(a) + w             kernels nest
//!         nest: a = b                    kernels nest
//!     }                              }
//! }                              }
//! ```
//!
//! What the host can compute without the device it computes: the counter of a sequential loop around nests,
//! from constants and from scalars that only this construct maps (`split_kernels/host.rs`). The launches of
//! such a loop come from the host. A value that one launch computes and another one uses is in memory of the
//! data region meanwhile.
//!
//! A construct stays one launch, in which gangs wait for each other, if the host cannot know what is executed
//! next (a nest inside of a condition, a loop that ends when a sum is small), or if its nests are so small,
//! by constants, that the launches would take longer.

mod clauses;
mod cut;
mod host;
mod live;
mod outside;
mod owners;
mod parts;
mod separate;
mod sums;

use super::env::{Env, Work, each_body};
use crate::analysis::strides::Constants;
use crate::entities::{Block, Construct, Local, Loop};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Class, Operand, Pos, Terminator};
use crate::report::{Decision, PassError, topics};
use cranelift_entity::EntitySet;
use outside::{Draft, Outside};
use parts::nests;

/// Nests of no more iterations than this, several of them, are not worth a launch each: all threads that can
/// be resident at once are more.
const SMALL: u64 = 1 << 14;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |mut work| {
        let mut outside = Outside::of(work.module, work.body);
        for construct in outside.constructs() {
            let pos = work.body.constructs[construct].pos;
            let Some(narrowed) = outside.narrow(work.body, construct) else { continue };
            let places = split(&mut work, construct, &outside);
            outside.widen(work.body, narrowed);
            let Some(places) = places else { continue };
            if env.explains {
                let (function, text) = (work.name(), describe(&places, pos));
                env.report.decisions.push(Decision { pos, function, topic: topics::LAUNCH, text });
            }
        }
        Ok(())
    })
}

/// What the launches of a construct are: the position of the nest of each, none of one without a nest.
type Places = Vec<Option<Pos>>;

fn describe(places: &[Option<Pos>], pos: Pos) -> String {
    let names: Vec<String> = places
        .iter()
        .map(|place| match place {
            Some(nest) => format!("the loop at line {}", nest.line),
            None => "code between loops, in one gang".to_owned(),
        })
        .collect();
    match &names[..] {
        [only] => {
            format!("{only} is the launch of the construct at line {}; the host does the rest", pos.line)
        }
        _ => format!("{} launches, one after the other: {}", names.len(), names.join("; ")),
    }
}

/// Cuts a construct; `None` if it stays one launch.
fn split(work: &mut Work<'_>, construct: Construct, outside: &Outside) -> Option<Places> {
    if is_nest_alone(work.body, construct, outside) || !is_simple(work, construct, outside) {
        return None;
    }
    // Only code of the construct is changed before it is known that the cut can be made.
    let draft = Draft::of(work.body, construct);
    let places = cut(work.body, construct, outside);
    if places.is_none() {
        draft.restore(work.body);
    }
    places
}

/// The same, with a body that may be left half cut.
fn cut(body: &mut Body, construct: Construct, outside: &Outside) -> Option<Places> {
    let layout = parts::of(body, construct)?;
    let nests = nests(&layout.parts);
    let constants = outside.constants(body);
    if nests.is_empty() || nests.len() > 1 && nests.iter().all(|&nest| is_small(body, nest, constants)) {
        return None;
    }
    cut::cut(body, construct, layout, outside)
}

/// Whether all that a construct does is one nest, which is one launch as it is; false if that takes more than
/// a look. Most constructs are that, and a copy of the body to cut would be in vain.
fn is_nest_alone(body: &Body, construct: Construct, outside: &Outside) -> bool {
    let loop_of = |block: Block| body.blocks[block].loop_;
    let around = loop_of(body.constructs[construct].entry);
    let is_inside = |block: &Block| body.blocks[*block].construct == Some(construct);
    let mut outermost: Option<Loop> = None;
    for &block in body.order.iter().filter(|&block| is_inside(block)) {
        let shared = body.loops_around(loop_of(block)).filter(|&loop_| body.loops[loop_].is_partitioned());
        let shared = shared.last();
        if shared.is_some() && outermost.is_some() && shared != outermost {
            return false;
        }
        outermost = outermost.or(shared);
    }
    // What comes around again may read what it has left in locals.
    let Some(nest) = outermost.filter(|&nest| around.is_none() && body.loops[nest].parent.is_none()) else {
        return false;
    };
    let is_of_nest = |block: &Block| body.loop_is_within(loop_of(*block), nest);
    let mut behind: EntitySet<Block> = EntitySet::with_capacity(body.blocks.len());
    let mut work = vec![body.loops[nest].exit];
    while let Some(block) = work.pop().filter(is_inside) {
        let Terminator::Jump(next) = body.blocks[block].term else { return false };
        if is_of_nest(&block) || !behind.insert(block) {
            return false;
        }
        work.push(next);
    }
    let mut kept: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    for block in body.order.iter().filter(|block| is_inside(block) && !is_of_nest(block)) {
        for inst in &body.blocks[*block].insts {
            let is_plain = inst.op.effects().pure
                && !matches!(inst.op.class(), Class::Atomic | Class::Call | Class::Directive);
            if !is_plain {
                return false;
            }
            inst.op.defs(|local| _ = kept.insert(local));
        }
    }
    // What the nest reduces to may have to be kept in memory.
    let mut reduced: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
    for (loop_, data) in &body.loops {
        let clauses = data.directive.iter().flat_map(|directive| &directive.reductions);
        if body.loop_is_within(Some(loop_), nest) {
            reduced.extend(clauses.filter_map(|clause| clause.var.as_local()));
        }
    }
    if reduced.is_empty() && kept.is_empty() {
        return true;
    }
    let is_kept = |block: Block| {
        // Behind the nest, code that nothing reads is of no use.
        let reads_kept = !is_inside(&block);
        let mut is_kept = false;
        body.blocks[block].parts(|part| {
            let local = part.operand().and_then(Operand::as_local);
            is_kept |= local.is_some_and(|local| reduced.contains(local));
            is_kept |= reads_kept && part.used().is_some_and(|local| kept.contains(local));
        });
        is_kept
    };
    let mut locals = reduced.iter().chain(kept.iter()).map(Operand::Local);
    !body.order.iter().any(|&block| !is_of_nest(&block) && is_kept(block))
        && !locals.any(|local| outside.mentions(construct, local))
}

/// Whether nothing ties the parts of a construct together: memory of its stack frame, or what gangs execute
/// together.
fn is_simple(work: &Work<'_>, construct: Construct, outside: &Outside) -> bool {
    let body = &*work.body;
    let data = &body.constructs[construct];
    let takes_from_frame = || {
        let blocks = body.construct_blocks(construct);
        let mut insts = blocks.iter().flat_map(|&block| &body.blocks[block].insts);
        insts.any(|inst| inst.op.class() == Class::Frame)
    };
    data.private.is_empty()
        && data.reductions.is_empty()
        && !takes_from_frame()
        && !outside.is_tied(work.module, body)
}

/// Whether all loops that may be parallel have, together, a small number of iterations.
fn is_small(body: &Body, nest: Loop, constants: &Constants) -> bool {
    let shared = body
        .loops
        .keys()
        .filter(|&loop_| body.loop_is_within(Some(loop_), nest) && body.loops[loop_].is_partitioned());
    let trips: Option<u64> = shared
        .map(|loop_| constants.trip(body.loops[loop_].induction.as_ref()?))
        .try_fold(1, |product: u64, trip| product.checked_mul(trip?));
    trips.is_some_and(|trips| trips <= SMALL)
}
