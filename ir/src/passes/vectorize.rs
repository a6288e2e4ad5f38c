//! Executes several iterations of innermost loops at once, where that gives the same result.
//!
//! Before: loops are as simple as `fold` and `simplify-cfg` leave them. After: in front of a loop that allows
//! it stands a new one, outside of the loop tree, that does the work of a whole number of groups of
//! iterations; the old loop goes on from there. The target has vectors of 128 bits.
//!
//! - A sum, product, or other fold gets several partial results, in vectors where the types allow. On
//!   integers that changes nothing; on floating-point numbers it is done only where a `reduction` clause on
//!   the loop allows it.
//! - The largest or smallest floating-point number does not depend on the order, save for the sign of zero
//!   and the treatment of NaN: if the partial results cannot tell, the old loop does all the work again.
//! - A loop that stores gets vectors if it computes consecutive elements from consecutive elements, and if at
//!   run time what it stores does not overlap with what else it touches. Outside of compute constructs, of
//!   other loops, and without a directive, it is left alone if that takes a check: most such loops are no hot
//!   ones, and compilation is.
//!
//! Iterations done at once are always such as the old loop would have done, and in the end all locals hold
//! what the old loop would have left there, up to the order of a `reduction`.

mod emit;
mod plan;

use crate::acc::ReductionClause;
use crate::analysis::bases::Bases;
use crate::analysis::iteration::Iteration;
use crate::analysis::loops::Nest;
use crate::analysis::mentions::Mentions;
use crate::entities::{Block, Func, Loop};
use crate::function::{Body, FunctionKind};
use crate::module::Module;
use cranelift_entity::SecondaryMap;

/// Runs the pass.
pub fn run(module: &Module, func: Func, body: &mut Body) {
    rewrite(body, matches!(module.functions[func].kind, FunctionKind::Region(_)));
}

/// Runs the pass on one function. Loops of a region, those inside of others, and those with a directive are
/// worth a check at run time.
pub fn rewrite(body: &mut Body, is_region: bool) {
    if body.loops.is_empty() {
        return;
    }
    let nest = Nest::new(body);
    let mentions = Mentions::new(body);
    let bases = Bases::new(body);
    let mut behind: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    let mut any = false;
    for loop_ in body.loops.keys().collect::<Vec<_>>() {
        let blocks = nest.blocks(loop_);
        if blocks.is_empty() || !nest.inside(loop_).is_empty() {
            continue;
        }
        let Some(iteration) = Iteration::of(body, &mentions, loop_, &blocks) else { continue };
        let clauses = clauses(body, loop_);
        let Some(plan) = plan::plan(body, &mentions, &bases, loop_, &iteration, &clauses) else { continue };
        let has_directive = |at: Loop| body.loops[at].directive.is_some();
        let asked = is_region
            || body.loops[loop_].parent.is_some()
            || body.loops_around(Some(loop_)).any(has_directive);
        if !asked && !plan.apart.is_empty() {
            continue;
        }
        let placed = emit::emit(body, loop_, &iteration, &plan);
        behind[placed.after].extend(placed.blocks);
        any = true;
    }
    if any {
        let order = std::mem::take(&mut body.order);
        for block in order {
            body.order.push(block);
            body.order.append(&mut behind[block]);
        }
    }
}

/// The `reduction` clauses that hold for a loop: its own, and those of a loop it is collapsed with.
fn clauses(body: &Body, loop_: Loop) -> Vec<&ReductionClause> {
    let mut found = Vec::new();
    for (depth, around) in body.loops_around(Some(loop_)).enumerate() {
        if let Some(directive) = &body.loops[around].directive
            && (depth == 0 || directive.collapse as usize > depth)
        {
            found.extend(&directive.reductions);
        }
    }
    found
}
