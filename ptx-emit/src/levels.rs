//! Levels for loops whose programmer named none.
//!
//! The rule: in a nest of such loops the outermost takes the gangs, the innermost the vector lanes and the
//! second innermost the workers; loops between are sequential. A loop alone takes all three, an outer of two
//! takes gangs and workers. A level that a loop around or inside already has is not given again, and a level
//! that is inside of one of the free levels is not given outside of it: gangs are around workers, workers
//! around lanes. A routine that is called in a loop has its levels as a loop inside would. Routines give only
//! the levels below the one that they are declared with, itself included.
//!
//! In `kernels`, where the programmer left it to the compiler how loops are executed, strides decide instead
//! (`levels/plan.rs`).

mod alone;
pub mod columns;
pub mod own_rows;
mod plan;
pub mod rows;
mod triangles;

use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::gang_loop::is_one_gang_loop;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::analysis::loops::Nest;
use accrue_ir::analysis::perfect;
use accrue_ir::edit::nest;
use accrue_ir::entities::set_of;
use accrue_ir::target::{Context, RoutineCall};
use accrue_ir::{Body, Class, ConstructKind, FunctionKind, Level, Loop, LoopDirective, LoopKind};
use alone::Alone;
use rows::Lanes;

/// From the outside in.
const ORDER: [Level; 3] = [Level::Gang, Level::Worker, Level::Vector];

/// Rank of a level in [`ORDER`]; all gang dimensions are one.
fn rank(level: Level) -> Option<usize> {
    match level {
        Level::Gang | Level::Gang2 | Level::Gang3 => Some(0),
        Level::Worker => Some(1),
        Level::Vector => Some(2),
        Level::Unassigned => None,
    }
}

/// Whether a loop of a region or routine has the level.
pub fn uses(body: &Body, level: Level) -> bool {
    let mut directives = body.loops.values().filter_map(|data| data.directive.as_ref());
    directives.any(|directive| directive.levels.contains(&level))
}

/// Gives loops that gangs share, alone or with their workers or lanes, to all threads of the gangs, if that
/// is all that threads of the region share and nothing is a gang's own: a gang of one warp leaves half of a
/// processor's room empty, one of one lane nearly all of it. Returns the loops.
pub fn fill_gangs(context: Context<'_>, calls: &[RoutineCall], body: &mut Body) -> Vec<Loop> {
    let FunctionKind::Region(region) = context.kind else { return Vec::new() };
    let is_shared = |&loop_: &Loop| body.loops[loop_].is_partitioned();
    let shared: Vec<Loop> = body.loops.keys().filter(is_shared).collect();
    let fits = |&loop_: &Loop| {
        body.loops[loop_].directive.as_ref().is_some_and(|directive| {
            matches!(directive.levels[..], [Level::Gang] | [Level::Gang, Level::Worker | Level::Vector])
                && may_be_shared(directive)
        })
    };
    if region.constant_dims[3..] != [0; 2]
        || !calls.is_empty()
        || shared.is_empty()
        || !shared.iter().all(fits)
    {
        return Vec::new();
    }
    let alone = Alone::of(body);
    if may_wait(body) || !shared.iter().all(|&loop_| alone.is_true_of(body, loop_)) {
        return Vec::new();
    }
    for &loop_ in &shared {
        body.loops[loop_].directive.iter_mut().for_each(|directive| directive.levels = ORDER.to_vec());
    }
    shared
}

/// Gives sums of columns over gangs, with lanes along each column as the program says, to all threads of the
/// gangs: neighbouring lanes load from other rows there, and from one row here. Only where no other loop of
/// the region is shared, and nothing is a gang's own. Returns the loops, with those along the columns.
pub fn turn_columns(context: Context<'_>, calls: &[RoutineCall], body: &mut Body) -> Vec<(Loop, Loop)> {
    let FunctionKind::Region(region) = context.kind else { return Vec::new() };
    let shared: Vec<Loop> =
        body.loop_tree().into_iter().filter(|&at| body.loops[at].is_partitioned()).collect();
    if region.constant_dims[3..] != [0; 2] || !calls.is_empty() || shared.is_empty() {
        return Vec::new();
    }
    let is_over_gangs = |loop_: Loop| {
        let directive = body.loops[loop_].directive.as_ref();
        directive.is_some_and(|of| (of.levels == ORDER[..1] || of.levels == ORDER[..2]) && may_be_shared(of))
    };
    let columns: Vec<(Loop, Loop)> = shared
        .chunks(2)
        .map_while(|pair| {
            let &[outer, inner] = pair else { return None };
            let sums = columns::sums(body, outer).filter(|_| is_over_gangs(outer))?;
            (sums.inner == inner && has_levels(body, inner, &ORDER[2..])).then_some((outer, inner))
        })
        .collect();
    if columns.len() * 2 != shared.len() {
        return Vec::new();
    }
    let alone = Alone::of(body);
    if !columns.iter().all(|&(outer, _)| alone.is_true_of(body, outer)) {
        return Vec::new();
    }
    for &(outer, inner) in &columns {
        body.loops[outer].directive.iter_mut().for_each(|directive| directive.levels = ORDER.to_vec());
        make_sequential(body, inner);
    }
    columns
}

/// Leaves a loop to the thread that comes to it.
fn make_sequential(body: &mut Body, loop_: Loop) {
    if let Some(directive) = &mut body.loops[loop_].directive {
        directive.levels.clear();
        directive.kind = LoopKind::Seq;
    }
}

/// Whether other threads of a gang may execute iterations that one thread has in turn, or in chunks.
fn may_be_shared(directive: &LoopDirective) -> bool {
    !directive.in_order && directive.gang.as_ref().is_none_or(|gang| gang.static_.is_none())
}

/// Whether iterations may wait for each other: code goes around, and not as often as a counter says, where
/// atomic operations are, as where a lock is taken. Lanes of a warp might wait for each other for good.
fn may_wait(body: &Body) -> bool {
    let mut insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    if !insts.any(|inst| inst.op.class() == Class::Atomic) {
        return false;
    }
    let cfg = Cfg::new(body);
    let headers = set_of(body.loop_tree().into_iter().map(|loop_| body.loops[loop_].header));
    let mut goes_around = false;
    for &block in &body.order {
        body.blocks[block]
            .term
            .successors(|next| goes_around |= cfg.is_no_later(next, block) && !headers.contains(next));
    }
    goes_around
}

/// Whether workers share no loop without their lanes.
pub fn rows_are_alike(body: &Body) -> bool {
    let mut directives = body.loops.values().filter_map(|data| data.directive.as_ref());
    directives.all(|LoopDirective { levels, .. }| {
        !levels.contains(&Level::Worker) || levels.contains(&Level::Vector)
    })
}

/// Whether the gangs of a region must wait for each other: statements between the loops of `kernels` are
/// executed once, after one loop and before the next.
pub fn gangs_wait(kind: &FunctionKind, body: &Body) -> bool {
    let FunctionKind::Region(region) = kind else { return false };
    let has_rows_of_gangs = uses(body, Level::Gang2) || uses(body, Level::Gang3);
    region.construct == ConstructKind::Kernels
        && uses(body, Level::Gang)
        && !has_rows_of_gangs
        && !is_one_gang_loop(body)
}

/// A loop that has got its levels, and what speaks for them if that is not the rule for nests.
pub struct Assigned {
    pub loop_: Loop,
    pub why: Option<String>,
}

/// Gives levels to loops that have [`Level::Unassigned`], and returns these loops. `are_open`: nobody says
/// how many threads there are.
pub fn assign(
    context: Context<'_>,
    (calls, are_open): (&[RoutineCall], bool),
    body: &mut Body,
) -> Vec<Assigned> {
    let construct = context.kind.launched().map(|region| region.construct);
    let mut assigned = match construct {
        Some(ConstructKind::Kernels) => with_scans(body, |body| plan::assign(calls, body)),
        Some(ConstructKind::Parallel) if are_open => plan::assign_columns(calls, body),
        _ => Vec::new(),
    };
    let open: Vec<Loop> = body.loops.keys().filter(|&loop_| is_unassigned(body, loop_)).collect();
    let outermost = match (context.kind, context.routine.and_then(|routine| routine.level)) {
        (FunctionKind::Region(_), _) => Some(0),
        (FunctionKind::Normal | FunctionKind::Threaded(_), level) => level.and_then(rank),
    };
    for &loop_ in &open {
        let levels = outermost.map_or_else(Vec::new, |first| choose(body, calls, loop_, first));
        if let Some(directive) = &mut body.loops[loop_].directive {
            directive.levels = levels;
        }
    }
    assigned.extend(open.into_iter().map(|loop_| Assigned { loop_, why: None }));
    assigned
}

/// Lets loops with scans take part while levels are chosen: lanes may have them, and no other threads.
fn with_scans(body: &mut Body, choose: impl FnOnce(&mut Body) -> Vec<Assigned>) -> Vec<Assigned> {
    for directive in body.loops.values_mut().filter_map(|data| data.directive.as_mut()) {
        let are_locals = directive.scans.iter().all(|scan| scan.var.as_local().is_some());
        if !directive.scans.is_empty() && are_locals {
            directive.levels = vec![Level::Unassigned];
        }
    }
    let assigned = choose(body);
    for directive in body.loops.values_mut().filter_map(|data| data.directive.as_mut()) {
        if !directive.scans.is_empty() && directive.levels != [Level::Vector] {
            directive.levels.clear();
        }
    }
    assigned
}

/// Whether lanes share a loop with scans.
pub fn have_scans(body: &Body) -> bool {
    let mut directives = body.loops.values().filter_map(|data| data.directive.as_ref());
    directives.any(|directive| !directive.scans.is_empty() && !directive.levels.is_empty())
}

/// Gives the loops in the tiles of `tile` to the levels below those that its directive names, if nothing else
/// in the nest has them: which threads execute the elements of a tile is the compiler's choice where it
/// names levels for the tiles only. Returns the loops.
pub fn share_elements(context: Context<'_>, calls: &[RoutineCall], body: &mut Body) -> Vec<Loop> {
    let is_partitioned_inside = |loop_: Loop| {
        let inside = |at: Loop| at != loop_ && body.loop_is_within(Some(at), loop_);
        body.loops.keys().any(|at| inside(at) && body.loops[at].is_partitioned())
            || calls.iter().any(|call| body.loop_is_within(call.loop_, loop_))
    };
    let is_open = |&loop_: &Loop| {
        let Some(directive) = &body.loops[loop_].directive else { return false };
        let named = &directive.levels;
        let is_whole = directive.gang.as_ref().is_none_or(|gang| gang.dim == 1 && gang.static_.is_none());
        let is_outer = *named == ORDER[..1] || *named == ORDER[..2];
        !directive.tile.is_empty() && is_outer && is_whole && !is_partitioned_inside(loop_)
    };
    let candidates: Vec<Loop> = body.loops.keys().filter(is_open).collect();
    if candidates.is_empty() || !matches!(context.kind, FunctionKind::Region(_)) {
        return Vec::new();
    }
    let alone = Alone::of(body);
    let found: Vec<Loop> = candidates.into_iter().filter(|&loop_| alone.is_true_of(body, loop_)).collect();
    for &loop_ in &found {
        body.loops[loop_].directive.iter_mut().for_each(|directive| directive.levels = ORDER.to_vec());
    }
    found
}

/// Most bytes of variables that each iteration of a loop has, if workers are to have one each.
const ROOM: u64 = 64;

/// Gives loops over gangs with loops over lanes inside the workers, too, if no loop of the region and no
/// routine that it calls needs them: a gang of one warp leaves half of a processor's room empty. Returns the
/// loops.
pub fn share_rows(context: Context<'_>, calls: &[RoutineCall], body: &mut Body) -> Vec<Loop> {
    let FunctionKind::Region(region) = context.kind else { return Vec::new() };
    let has = |loop_: Loop, level: Level| {
        body.loops[loop_].directive.as_ref().is_some_and(|directive| directive.levels.contains(&level))
    };
    let room = |loop_: Loop| {
        let own = body.slots.values().filter(|slot| slot.declared_in == Some(loop_)).map(|slot| slot.size);
        let private =
            body.loops[loop_].directive.iter().flat_map(|d| &d.private).map(|private| private.bytes);
        own.chain(private).fold(0, u64::saturating_add)
    };
    let fits = |loop_: Loop| {
        let Some(directive) = &body.loops[loop_].directive else { return false };
        let lanes = |at: Loop| at != loop_ && body.loop_is_within(Some(at), loop_) && has(at, Level::Vector);
        directive.levels == [Level::Gang]
            && may_be_shared(directive)
            && body.loops.keys().any(lanes)
            && room(loop_) <= ROOM
    };
    let is_gang_loop = |&loop_: &Loop| {
        let directive = body.loops[loop_].directive.as_ref();
        directive.is_some_and(|directive| directive.levels.iter().any(|level| level.is_gang()))
    };
    let found: Vec<Loop> = body.loops.keys().filter(is_gang_loop).collect();
    let is_free = region.constant_dims[3] == 0
        && calls.iter().all(|call| call.level == Level::Vector)
        && !uses(body, Level::Worker);
    if !is_free || found.is_empty() || !found.iter().all(|&loop_| fits(loop_)) {
        return Vec::new();
    }
    let alone = Alone::of(body);
    if !found.iter().all(|&loop_| alone.is_true_of(body, loop_)) {
        return Vec::new();
    }
    for &loop_ in &found {
        body.loops[loop_].directive.iter_mut().for_each(|directive| directive.levels.push(Level::Worker));
    }
    found
}

/// Whether workers share all loops over gangs of a region that has such lanes, and nothing else.
pub fn are_rows(lanes: Lanes, body: &Body) -> bool {
    let mut directives = body.loops.values().filter_map(|data| data.directive.as_ref());
    lanes != Lanes::Usual
        && directives.all(|LoopDirective { levels, .. }| {
            let has_gangs = levels.iter().any(|level| level.is_gang());
            has_gangs == levels.contains(&Level::Worker)
        })
}

/// Whether all threads share each loop of a region that threads share, one by one, and iterations have loops
/// of their own: they take long, and where they are few, a launch is better off with small gangs, of which
/// each processor gets some, than with large ones for some processors.
pub fn are_long_and_flat(context: Context<'_>, calls: &[RoutineCall], body: &Body) -> bool {
    let FunctionKind::Region(region) = context.kind else { return false };
    let nest = Nest::new(body);
    let fits = |loop_: Loop| {
        body.loops[loop_].directive.as_ref().is_some_and(|directive| {
            directive.levels == ORDER
                && directive.collapse == 1
                && is_plain(directive)
                && !nest.inside(loop_).is_empty()
        })
    };
    let mut shared =
        body.loop_tree().into_iter().filter(|&loop_| body.loops[loop_].is_partitioned()).peekable();
    // What is combined in a gang, the more threads combine it, the better.
    let is_atomic =
        body.order.iter().flat_map(|&at| &body.blocks[at].insts).any(|inst| inst.op.class() == Class::Atomic);
    region.constant_dims[3..] == [0; 2]
        && calls.is_empty()
        && !is_atomic
        && shared.peek().is_some()
        && shared.all(fits)
}

/// Lets the threads of all gangs share the iterations of all loops of a nest, some over gangs, some over
/// lanes, and some over workers between them or with one of both, as `collapse` does, if nothing stands
/// between them: there are as many rows of lanes then as fit, however many iterations each loop has. Nests
/// of fewer loops stay as they are. Triangles become rectangles where that pays. Returns the outermost loops.
pub fn flatten(context: Context<'_>, calls: &[RoutineCall], body: &mut Body, fewest: usize) -> Vec<Flat> {
    if !matches!(context.kind, FunctionKind::Region(_)) || !calls.is_empty() {
        return Vec::new();
    }
    let candidates: Vec<Loop> = body.loop_tree().into_iter().filter(|&loop_| is_outer(body, loop_)).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let (nest, live) = (Nest::new(body), Liveness::new(body, &Cfg::new(body)));
    let mut found = Vec::new();
    for outer in candidates {
        let Some(loops) = flat_nest(body, (&nest, &live), outer) else { continue };
        if loops.len() < fewest {
            continue;
        }
        let is_triangle = nest::bounds_before(body, &loops).is_none();
        if is_triangle && !triangles::become_rectangles(body, &nest, &loops) {
            continue;
        }
        merge(body, &loops, &ORDER);
        found.push(Flat { outer, is_triangle });
    }
    found
}

/// A nest that has become one loop.
pub struct Flat {
    /// The outermost loop.
    pub outer: Loop,
    /// Its iterations are a triangle.
    pub is_triangle: bool,
}

/// Merges loops over gangs with the loops over workers inside of them, as `collapse` does, if nothing stands
/// between them: `gang` around `worker` around `vector` has as many gangs as the outermost loop has
/// iterations otherwise, which may be few, each with a row of iterations for its workers. Returns the outer
/// loops.
pub fn merge_workers(context: Context<'_>, calls: &[RoutineCall], body: &mut Body) -> Vec<Loop> {
    if !matches!(context.kind, FunctionKind::Region(_)) || !calls.is_empty() {
        return Vec::new();
    }
    let over_gangs = |&at: &Loop| is_outer(body, at) && has_levels(body, at, &ORDER[..1]);
    let candidates: Vec<Loop> = body.loop_tree().into_iter().filter(over_gangs).collect();
    if candidates.is_empty() || !uses(body, Level::Worker) {
        return Vec::new();
    }
    let (nest, live) = (Nest::new(body), Liveness::new(body, &Cfg::new(body)));
    let mut found = Vec::new();
    for outer in candidates {
        let depth = |at: Loop| body.loops[at].directive.as_ref().map_or(1, |directive| directive.collapse);
        let Some(mut loops) = body.nest_of(outer, depth(outer) as usize) else { continue };
        let inner = loops.last().and_then(|&last| perfect::only_inner(body, &nest, &live, last));
        let is_over_workers = |&at: &Loop| {
            body.loops[at].directive.as_ref().is_some_and(is_plain) && has_levels(body, at, &ORDER[1..2])
        };
        let Some(inner) = inner.filter(is_over_workers) else { continue };
        let Some(rows) = body.nest_of(inner, depth(inner) as usize) else { continue };
        loops.extend(rows);
        if nest::bounds_before(body, &loops).is_none() {
            continue;
        }
        merge(body, &loops, &ORDER[..2]);
        found.push(outer);
    }
    found
}

/// Makes the loops of a nest, the outermost first, those of its directive, over these levels.
fn merge(body: &mut Body, loops: &[Loop], levels: &[Level]) {
    let mut in_order = false;
    for &inner in &loops[1..] {
        in_order |= body.loops[inner].directive.take().is_some_and(|directive| directive.in_order);
    }
    if let Some(directive) = &mut body.loops[loops[0]].directive {
        (directive.collapse, directive.levels) = (loops.len() as u32, levels.to_vec());
        directive.in_order |= in_order;
    }
}

fn has_levels(body: &Body, loop_: Loop, levels: &[Level]) -> bool {
    body.loops[loop_].directive.as_ref().is_some_and(|directive| directive.levels == levels)
}

/// A loop over gangs and those inside of it that are each the only thing inside of the one around, down to
/// the last one over lanes.
fn flat_nest(body: &Body, (nest, live): (&Nest, &Liveness), outer: Loop) -> Option<Vec<Loop>> {
    let mut loops = vec![outer];
    // Of the loops of a directive, how many are still to come.
    let mut open = body.loops[outer].directive.as_ref()?.collapse - 1;
    let mut has_lanes = false;
    while open > 0 || !has_lanes {
        let inner = perfect::only_inner(body, nest, live, *loops.last()?)?;
        let directive = body.loops[inner].directive.as_ref();
        if open > 0 {
            directive.is_none().then_some(())?;
            open -= 1;
        } else {
            let directive = directive.filter(|directive| is_plain(directive))?;
            has_lanes = ORDER[1..].ends_with(&directive.levels) && !directive.levels.is_empty();
            (has_lanes || directive.levels == [Level::Worker]).then_some(())?;
            open = directive.collapse - 1;
        }
        loops.push(inner);
    }
    let inside = nest.inside(*loops.last()?);
    (!inside.iter().any(|&inside| body.loops[inside].is_partitioned())).then_some(loops)
}

/// Whether a directive says nothing of its loops but levels and how many there are.
fn is_plain(directive: &LoopDirective) -> bool {
    let LoopDirective { gang, worker, vector, team, tile, private, reductions, scans, .. } = directive;
    team.is_none()
        && tile.is_empty()
        && private.is_empty()
        && reductions.is_empty()
        && scans.is_empty()
        && gang.as_ref().is_none_or(|gang| gang.num.is_none() && gang.static_.is_none())
        && worker.flatten().is_none()
        && vector.flatten().is_none()
}

/// Whether gangs share a loop alone, or with workers.
fn is_outer(body: &Body, loop_: Loop) -> bool {
    let directive = body.loops[loop_].directive.as_ref().filter(|directive| is_plain(directive));
    directive
        .is_some_and(|directive| ORDER[..2].starts_with(&directive.levels) && !directive.levels.is_empty())
}

fn is_unassigned(body: &Body, loop_: Loop) -> bool {
    has_levels(body, loop_, &[Level::Unassigned])
}

/// Levels of a loop around which everything has been decided.
fn choose(body: &Body, calls: &[RoutineCall], loop_: Loop, outermost: usize) -> Vec<Level> {
    let levels_of = |at: Loop| body.loops[at].directive.iter().flat_map(|d| &d.levels).copied();
    let around = body.loops_around(body.loops[loop_].parent);
    let used = around.flat_map(levels_of).filter_map(rank).max();
    let first = used.map_or(outermost, |rank| (rank + 1).max(outermost));
    let inside: Vec<Loop> =
        body.loops.keys().filter(|&at| at != loop_ && body.loop_is_within(Some(at), loop_)).collect();
    let called = calls.iter().filter(|call| body.loop_is_within(call.loop_, loop_)).map(|call| call.level);
    let taken = inside.iter().flat_map(|&at| levels_of(at)).chain(called).filter_map(rank).min();
    let end = taken.unwrap_or(ORDER.len());
    if first >= end {
        return Vec::new();
    }
    let free = &ORDER[first..end];
    // Loops inside that want levels, too: the longest chain of them counts.
    let depth = |at: Loop| body.loops_around(Some(at)).take_while(|&up| up != loop_);
    let below = inside.iter().map(|&at| depth(at).filter(|&up| is_unassigned(body, up)).count()).max();
    match below.unwrap_or(0) {
        0 => free.to_vec(),
        1 => free[..free.len().saturating_sub(1).max(1)].to_vec(),
        _ => free[..1].to_vec(),
    }
}
