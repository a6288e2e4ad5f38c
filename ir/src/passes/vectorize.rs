//! Executes several iterations of innermost loops at once, where that gives the same result.
//!
//! Before: loops are as simple as `fold` and `simplify-cfg` leave them. After: in front of a loop that allows
//! it stands a new one, outside of the loop tree, that does the work of a whole number of groups of
//! iterations; the old loop goes on from there. The target has vectors of 128 bits.
//!
//! - A sum, product, or other fold gets several partial results, in vectors where the types allow. On
//!   integers that changes nothing; on floating-point numbers it is done only where a `reduction` clause on
//!   the loop or `-ffast-math` allows it.
//! - The largest or smallest floating-point number does not depend on the order, save for the sign of zero
//!   and the treatment of NaN: if the partial results cannot tell, the old loop does all the work again.
//! - A loop that stores gets vectors if it computes consecutive elements from consecutive elements, and if
//!   the iterations done at once, which load before they store, do not come to what others of them store:
//!   `x[i] = x[i + 1]` does not, `x[i + 4] = x[i]` does five iterations on. Of streams at a constant distance
//!   that is known, of others it is asked at run time.
//!
//! What iterations store that are not done at once stays in a local where one of the next loads it
//! ([`carry`]).
//!
//! Iterations done at once are always such as the old loop would have done, and in the end all locals hold
//! what the old loop would have left there, up to the order of a `reduction`.

mod carry;
mod emit;
mod plan;
mod unite;

pub use plan::Order;

use crate::acc::ReductionClause;
use crate::analysis::bases::Bases;
use crate::analysis::iteration::Iteration;
use crate::analysis::loops::Nest;
use crate::analysis::mentions::Mentions;
use crate::entities::{Block, Func, Loop};
use crate::function::{Body, Function};
use crate::module::Module;
use crate::passes::ahead::has_plain_test;
use cranelift_entity::SecondaryMap;
use plan::Origins;
use std::cell::OnceCell;

/// Runs the pass.
pub fn run(module: &Module, func: Func, body: &mut Body) {
    rewrite(&module.functions[func], body, Order::OfC);
}

/// Runs the pass where floating-point numbers may be added and multiplied in any order.
pub fn run_in_any_order(module: &Module, func: Func, body: &mut Body) {
    rewrite(&module.functions[func], body, Order::Any);
}

/// Runs the pass on the body of a function.
pub fn rewrite(function: &Function, body: &mut Body, order: Order) {
    if body.loops.is_empty() {
        return;
    }
    let nest = Nest::new(body);
    let definitions = body.definitions();
    for loop_ in body.loops.keys().collect::<Vec<_>>() {
        let blocks = nest.blocks(loop_);
        if !blocks.is_empty() {
            unite::unite(body, loop_, &blocks, &definitions);
        }
    }
    let mentions = Mentions::new(body);
    let origins = Origins { bases: Bases::new(body), roots: OnceCell::new(), function };
    let mut behind: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    let mut any = false;
    for loop_ in body.loops.keys().collect::<Vec<_>>() {
        let blocks = nest.blocks(loop_);
        if blocks.is_empty() || !nest.inside(loop_).is_empty() {
            continue;
        }
        let Some(iteration) = Iteration::of(body, &mentions, loop_, &blocks) else { continue };
        let mut planner = plan::planner(body, &mentions, &origins, loop_, &iteration, order);
        let Some(plan) = planner.plan(&blocks, &clauses(body, loop_)) else {
            let carried = planner.carried();
            if !carried.is_empty() && has_plain_test(body, &body.loops[loop_]) {
                carry::carry(body, loop_, &iteration, &carried);
            }
            continue;
        };
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
