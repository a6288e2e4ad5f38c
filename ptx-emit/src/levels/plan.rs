//! Levels by strides: which loops of a nest in `kernels` are shared by which threads.
//!
//! Neighbouring lanes touch memory at the same time, so lanes belong to the loop whose neighbouring
//! iterations touch neighbouring elements. The cost of a choice is estimated in sectors, the 32 bytes that a
//! GPU moves at once: 32 lanes that read doubles in a row need 8, 32 lanes that each read from another row
//! need 32, and 32 lanes that read the same element need one. What an inner loop accesses is cheaper where a
//! thread executes several iterations together that have it in common. Rows that lanes go through each for
//! itself are cheaper where they are short, so that a lane finds the next element in the cache. A loop of few
//! iterations leaves lanes idle, which makes its accesses dearer by as much.
//!
//! A perfect nest whose bounds are known before it becomes one loop (`collapse`), with the loop of the
//! cheapest stride innermost: `for (i) for (j) a[j][i]` is interchanged. Where a nest cannot be merged,
//! either its outer loop takes the lanes, and what is inside is sequential, or the loops inside take them: in
//! `for (i) { s = 0; for (j) s += a[i][j]; y[i] = s; }`, `j` is better.

use super::{Assigned, ORDER, columns};
use crate::arch;
use accrue_ir::analysis::perfect::only_inner;
use accrue_ir::analysis::strides::{Access, Facts, Strides};
use accrue_ir::edit::nest::{bounds_before, interchange};
use accrue_ir::target::{FEWEST_JAMMED, RoutineCall};
use accrue_ir::{Body, Level, Loop, LoopDirective};

/// Lanes of a warp.
const LANES: u64 = arch::WARP as u64;

/// Bytes that a GPU's memory moves at once.
const SECTOR: u64 = arch::SECTOR as u64;

/// How much more often than the code around it the body of a loop of unknown length is executed: enough that
/// inner loops decide.
const ITERATIONS: u64 = 32;

/// Iterations that a thread executes together where they have accesses in common.
const TOGETHER: u64 = 8;

/// Sectors of the longest row of a lane that is in the cache until the lane has gone through it. Sums of rows
/// of so many take 0.86 of the time that lanes along the row take, those of 8 sectors 1.18, on an H100.
const SHORT_ROW: u64 = 6;

/// Iterations that are too few for threads that each go through a running sum alone.
const FEW_THREADS: u64 = 1 << 12;

/// Sectors' worth of time that the lanes of a warp need to combine what they have accumulated.
const COMBINING: u64 = 16;

/// What becomes of a loop, merged with the loops directly inside of it.
struct Plan {
    /// The loops that become one, outermost first.
    merged: Vec<Loop>,
    lanes: Lanes,
}

/// Who takes the lanes.
enum Lanes {
    /// The loop itself, of whose merged loops this one becomes the innermost.
    Here(Loop),
    /// Loops inside.
    Inside(Vec<Plan>),
}

/// Gives levels to the nests that are wholly left to the compiler, and returns their loops.
pub(super) fn assign(calls: &[RoutineCall], body: &mut Body) -> Vec<Assigned> {
    let mut assigned = Vec::new();
    let facts = Facts::new(body);
    let roots: Vec<Loop> =
        body.loop_tree().into_iter().filter(|&loop_| is_root(body, &facts, calls, loop_)).collect();
    for root in roots {
        let strides = Strides::of(body, root);
        let plan = Planner { body, facts: &facts, strides: &strides }.plan(root).0;
        apply(body, &plan, &ORDER, &mut assigned);
    }
    assigned
}

/// Gives all levels to loops that are sums of columns, and returns them with what is inside: lanes along a
/// column would each load from another row.
pub(super) fn assign_columns(calls: &[RoutineCall], body: &mut Body) -> Vec<Assigned> {
    let is_open = |&at: &Loop| super::is_unassigned(body, at) && body.loops[at].parent.is_none();
    let open: Vec<Loop> = body.loop_tree().into_iter().filter(is_open).collect();
    let mut assigned = Vec::new();
    for loop_ in open {
        if columns::sums(body, loop_).is_some() && is_root(body, &Facts::new(body), calls, loop_) {
            let plan = Plan { merged: vec![loop_], lanes: Lanes::Here(loop_) };
            apply(body, &plan, &ORDER, &mut assigned);
        }
    }
    assigned
}

/// Whether a loop is an outermost one with a directive, and no directive or call in it says anything about
/// levels.
fn is_root(body: &Body, facts: &Facts, calls: &[RoutineCall], loop_: Loop) -> bool {
    let is_open = |directive: &LoopDirective| {
        directive.levels == [Level::Unassigned]
            && directive.tile.is_empty()
            && !directive.collapse_force
            && directive.gang.is_none()
    };
    let directive_of = |at: Loop| body.loops[at].directive.as_ref();
    let has_levels = |at: Loop| body.loops[at].is_partitioned();
    directive_of(loop_).is_some_and(is_open)
        && !body.loops_around(body.loops[loop_].parent).any(has_levels)
        && facts
            .nest
            .inside(loop_)
            .into_iter()
            .filter(|&at| has_levels(at))
            .filter_map(directive_of)
            .all(is_open)
        && !calls.iter().any(|call| body.loop_is_within(call.loop_, loop_))
}

struct Planner<'a> {
    body: &'a mut Body,
    facts: &'a Facts,
    strides: &'a Strides,
}

impl Planner<'_> {
    /// The best plan for a loop, and what it costs.
    fn plan(&mut self, loop_: Loop) -> (Plan, u64) {
        let merged = self.mergeable(loop_);
        let innermost = merged[merged.len() - 1];
        // Of equal ones the innermost, which stays where it is.
        let candidates = merged.iter().rev().map(|&candidate| (candidate, self.cost(&merged, candidate)));
        let (own, own_cost) = candidates.min_by_key(|&(_, cost)| cost).unwrap_or((innermost, u64::MAX));
        let children = self.parallel_children(innermost);
        if children.is_empty() {
            return (Plan { merged, lanes: Lanes::Here(own) }, own_cost);
        }
        let mut inside_cost = self.cost_around(loop_, &children);
        let mut plans = Vec::new();
        let has_long_scan = children.iter().any(|&child| {
            let directive = self.body.loops[child].directive.as_ref();
            directive.is_some_and(|directive| !directive.scans.is_empty())
                && self.trip(child).is_none_or(|trip| trip >= LANES)
        });
        for child in children {
            let (plan, cost) = self.plan(child);
            let combines = |d: &LoopDirective| !d.reductions.is_empty() || !d.scans.is_empty();
            let reduces = self.body.loops[child].directive.as_ref().is_some_and(combines) && !has_long_scan;
            let combining =
                if reduces { COMBINING * self.executions(self.body.loops[child].parent) } else { 0 };
            inside_cost = inside_cost.saturating_add(cost).saturating_add(combining);
            plans.push(plan);
        }
        // Of equal ones, what has more threads. A part of a scan is one warp's.
        let are_few = self.trips(&merged).is_some_and(|trips| trips < FEW_THREADS);
        if inside_cost <= own_cost || has_long_scan && are_few {
            (Plan { merged, lanes: Lanes::Inside(plans) }, inside_cost)
        } else {
            (Plan { merged, lanes: Lanes::Here(own) }, own_cost)
        }
    }

    /// The loop with those of its `collapse`, and those directly inside that can be merged with it.
    fn mergeable(&mut self, loop_: Loop) -> Vec<Loop> {
        let nest_of = |body: &Body, at: Loop| {
            let directive = body.loops[at].directive.as_ref();
            let depth = directive.map_or(1, |directive| directive.collapse);
            body.nest_of(at, depth as usize).unwrap_or_else(|| vec![at])
        };
        let mut merged = nest_of(self.body, loop_);
        while let Some(inner) =
            only_inner(self.body, &self.facts.nest, &self.facts.live, merged[merged.len() - 1])
        {
            // A `loop seq`, or one that is not independent, has a directive without levels.
            let parallel = |at: Loop| {
                let directive = self.body.loops[at].directive.as_ref();
                directive.filter(|d| !d.levels.is_empty() && d.scans.is_empty())
            };
            let reductions = |at: Loop| parallel(at).map(|directive| &directive.reductions);
            let outer_reductions = reductions(loop_);
            let is_free = reductions(inner).is_some_and(|inner| {
                inner.iter().all(|clause| {
                    let same =
                        |outer: &accrue_ir::ReductionClause| outer.op == clause.op && outer.var == clause.var;
                    outer_reductions.is_some_and(|outer| outer.iter().any(same))
                })
            });
            let before = merged.len();
            merged.extend(nest_of(self.body, inner));
            if !is_free || bounds_before(self.body, &merged).is_none() {
                merged.truncate(before);
                break;
            }
        }
        merged
    }

    /// The outermost loops with a directive that may be parallel inside of a loop.
    fn parallel_children(&self, loop_: Loop) -> Vec<Loop> {
        let is_open = |at: Loop| self.body.loops[at].is_partitioned();
        let inside = self.facts.nest.inside(loop_).into_iter().filter(|&at| is_open(at));
        inside
            .filter(|&at| {
                let mut between =
                    self.body.loops_around(self.body.loops[at].parent).take_while(|&up| up != loop_);
                !between.any(is_open)
            })
            .collect()
    }

    /// What the accesses of a nest cost with the lanes of warps along one of its merged loops.
    fn cost(&self, merged: &[Loop], lanes: Loop) -> u64 {
        let trips = self.trips(merged);
        let busy = trips.map_or(LANES, |trips| trips.clamp(1, LANES));
        let is_long = trips.is_none_or(|trips| trips >= FEWEST_JAMMED as u64);
        let inside = self.strides.accesses().filter(|at| self.body.loop_is_within(Some(at.loop_), merged[0]));
        let costs = inside.map(|access| {
            let distance = self.strides.stride(self.body, access, lanes).map(i64::unsigned_abs);
            let sectors = match distance {
                Some(0) => 1,
                Some(distance) => (distance.saturating_mul(LANES) / SECTOR).clamp(1, LANES),
                None => LANES,
            };
            let is_of_several = is_long && self.is_in_common(access, merged, lanes);
            let sectors = if is_of_several { sectors.div_ceil(TOGETHER) } else { sectors };
            let each = sectors.saturating_mul(self.executions(Some(access.loop_)));
            let short = self.cost_of_short_row(access, merged).unwrap_or(u64::MAX);
            each.min(short).saturating_mul(LANES) / busy
        });
        costs.fold(0, u64::saturating_add)
    }

    /// What an access costs that goes through a short row in a loop inside of a nest, with a row for each
    /// lane: a sector is moved once, and is in the cache for what the lane accesses next.
    fn cost_of_short_row(&self, access: Access<'_>, merged: &[Loop]) -> Option<u64> {
        let along = self.strides.stride(self.body, access, access.loop_)?;
        if merged.contains(&access.loop_) || along.abs() != access.bytes {
            return None;
        }
        let row = self.trip(access.loop_)?.saturating_mul(along.unsigned_abs()).div_ceil(SECTOR);
        let rows = self.executions(self.body.loops[access.loop_].parent);
        (row <= SHORT_ROW).then(|| row.saturating_mul(LANES).saturating_mul(rows))
    }

    /// Whether iterations of the merged loop that comes next to that of the lanes have an access in common
    /// that a loop inside of the nest makes: a thread executes several of them together. Of a product of
    /// matrices, `a[i][k] * b[k][j]` with lanes along `j`, that is the one of `b`.
    fn is_in_common(&self, access: Access<'_>, merged: &[Loop], lanes: Loop) -> bool {
        let next = merged.iter().rev().copied().find(|&at| at != lanes);
        !merged.contains(&access.loop_)
            && next.is_some_and(|next| self.strides.stride(self.body, access, next) == Some(0))
    }

    /// What the accesses of a nest cost that are in none of these loops: one lane makes them.
    fn cost_around(&self, nest: Loop, children: &[Loop]) -> u64 {
        let is_around = |at: Loop| {
            self.body.loop_is_within(Some(at), nest)
                && !children.iter().any(|&child| self.body.loop_is_within(Some(at), child))
        };
        let around = self.strides.accesses().filter(|access| is_around(access.loop_));
        around
            .map(|access| LANES.saturating_mul(self.executions(Some(access.loop_))))
            .fold(0, u64::saturating_add)
    }

    /// How often the body of a loop is executed, compared with the code around the region's outermost loop.
    fn executions(&self, loop_: Option<Loop>) -> u64 {
        let trips =
            self.body.loops_around(loop_).map(|at| self.trip(at).unwrap_or(ITERATIONS).clamp(1, 1 << 10));
        trips.fold(1, u64::saturating_mul)
    }

    /// How many iterations merged loops have together.
    fn trips(&self, merged: &[Loop]) -> Option<u64> {
        merged.iter().map(|&at| self.trip(at)).product()
    }

    fn trip(&self, loop_: Loop) -> Option<u64> {
        self.facts.constants.trip(self.body.loops[loop_].induction.as_ref()?)
    }
}

/// Writes a plan into the directives; `levels` are those that are left for it.
fn apply(body: &mut Body, plan: &Plan, levels: &[Level], assigned: &mut Vec<Assigned>) {
    let loop_ = plan.merged[0];
    let line = |body: &Body, at: Loop| body.loops[at].pos.line;
    let (own, why) = match &plan.lanes {
        Lanes::Here(innermost) => {
            let interchanged = move_inside(body, &plan.merged, *innermost);
            let why = interchanged.then(|| {
                format!("interchanged, so that neighbouring lanes have neighbouring iterations of the loop at line {}", line(body, *innermost))
            });
            (levels, why)
        }
        Lanes::Inside(_) if levels.len() == 1 => {
            (&levels[..0], Some("the lanes share a loop inside of it".to_owned()))
        }
        Lanes::Inside(plans) => {
            let is_last = plans.iter().all(|plan| matches!(plan.lanes, Lanes::Here(_)));
            (&levels[..if is_last { levels.len() - 1 } else { 1 }], None)
        }
    };
    // A loop without levels is not merged.
    let merged = if own.is_empty() { &plan.merged[..1] } else { &plan.merged[..] };
    set_levels(body, loop_, own, merged.len() as u32);
    assigned.push(Assigned { loop_, why });
    for &inner in &merged[1..] {
        body.loops[inner].directive = None;
    }
    for &inner in &plan.merged[merged.len()..] {
        make_sequential(body, inner, "the lanes share a loop inside of it", assigned);
    }
    match &plan.lanes {
        Lanes::Inside(plans) => {
            plans.iter().for_each(|plan| apply(body, plan, &levels[own.len()..], assigned))
        }
        Lanes::Here(_) => {
            for inner in open_inside(body, loop_) {
                let why = format!("the loop at line {} has all levels", line(body, loop_));
                make_sequential(body, inner, &why, assigned);
            }
        }
    }
}

/// Exchanges loops of a nest until one of them is the innermost; the others keep their order.
fn move_inside(body: &mut Body, merged: &[Loop], innermost: Loop) -> bool {
    let Some(at) = merged.iter().position(|&loop_| loop_ == innermost) else { return false };
    let mut changed = false;
    for pair in merged[at..].windows(2) {
        if !interchange(body, pair[0], pair[1]) {
            break;
        }
        changed = true;
    }
    changed
}

/// Loops inside of one that have no levels yet.
fn open_inside(body: &Body, loop_: Loop) -> Vec<Loop> {
    let is_open = |&at: &Loop| {
        at != loop_
            && body.loop_is_within(Some(at), loop_)
            && body.loops[at]
                .directive
                .as_ref()
                .is_some_and(|directive| directive.levels == [Level::Unassigned])
    };
    body.loop_tree().into_iter().filter(is_open).collect()
}

fn set_levels(body: &mut Body, loop_: Loop, levels: &[Level], merged: u32) {
    if let Some(directive) = &mut body.loops[loop_].directive {
        directive.levels = levels.to_vec();
        directive.collapse = merged;
    }
}

fn make_sequential(body: &mut Body, loop_: Loop, why: &str, assigned: &mut Vec<Assigned>) {
    super::make_sequential(body, loop_);
    assigned.push(Assigned { loop_, why: Some(why.to_owned()) });
}
