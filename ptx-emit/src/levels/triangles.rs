//! Triangles of iterations that are worth a rectangle.
//!
//! Half of a rectangle around a triangle is nothing to do, but only in a rectangle does a thread execute
//! several iterations together. It pays where each has a loop in which it shares what it loads with all of
//! its row, and with all of its column, as in a product of a matrix with its transpose.

use crate::arch::WARP;
use accrue_ir::analysis::depends::Depends;
use accrue_ir::analysis::loops::Nest;
use accrue_ir::analysis::strides::{Constants, Strides};
use accrue_ir::edit::{nest, triangle};
use accrue_ir::target::{FEWEST_GUARDED, FEWEST_TILES};
use accrue_ir::{Body, Loop};

/// Makes rectangles of the triangles of the two innermost loops of a nest. False if they are none, or nothing
/// for a rectangle.
pub fn become_rectangles(body: &mut Body, loops_of: &Nest, loops: &[Loop]) -> bool {
    let &[.., outer, inner] = loops else { return false };
    if loops_of.inside(inner).is_empty()
        || are_few(body, loops)
        || !go_the_same_way(body, loops_of, outer, inner)
    {
        return false;
    }
    let mut rectangle = body.clone();
    let is_one = triangle::make_rectangular(&mut rectangle, outer, inner)
        && nest::bounds_before(&mut rectangle, loops).is_some()
        && share_what_they_load(&rectangle, outer, inner);
    if is_one {
        *body = rectangle;
    }
    is_one
}

/// Whether a nest is known to have too few iterations for threads that execute several together. A triangle
/// has as many columns as rows.
fn are_few(body: &Body, loops: &[Loop]) -> bool {
    let constants = Constants::of(body);
    let trip = |&loop_: &Loop| constants.trip(body.loops[loop_].induction.as_ref()?);
    let around: Option<Vec<u64>> = loops[..loops.len() - 1].iter().map(trip).collect();
    around.is_some_and(|around| {
        let rows = around[around.len() - 1];
        let all = around.iter().copied().fold(rows, u64::saturating_mul);
        rows < u64::from(FEWEST_TILES * WARP) || all < FEWEST_GUARDED as u64
    })
}

/// Whether all that loops inside of two loops access is the same along one of them, and some of it along
/// each.
fn share_what_they_load(body: &Body, outer: Loop, inner: Loop) -> bool {
    let strides = Strides::of(body, outer);
    let mut shared = [false; 2];
    let all = strides.accesses().filter(|access| access.loop_ != inner).all(|access| {
        let [of_row, of_column] = [inner, outer].map(|at| strides.stride(body, access, at) == Some(0));
        shared[0] |= of_row;
        shared[1] |= of_column;
        of_row || of_column
    });
    all && shared == [true; 2]
}

/// Whether all iterations of two loops take the same way through the body of the inner one.
fn go_the_same_way(body: &Body, loops_of: &Nest, outer: Loop, inner: Loop) -> bool {
    let counter = |loop_: Loop| body.loops[loop_].induction.as_ref().map(|induction| induction.iv);
    let Some((of_outer, of_inner)) = counter(outer).zip(counter(inner)) else { return false };
    let depends = Depends::of(body, &loops_of.blocks(outer), Vec::new(), &[of_outer, of_inner]);
    let goes_on = body.loops[inner].header;
    loops_of.blocks(inner).into_iter().filter(|&block| block != goes_on).all(|block| {
        let mut same = true;
        body.blocks[block].term.uses(|local| same &= depends.local(local) == 0);
        same
    })
}
