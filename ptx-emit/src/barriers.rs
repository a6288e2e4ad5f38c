//! Barriers that keep nothing in order.
//!
//! Threads meet where single mode ends and where it begins again, and twice where they combine what they have
//! of a reduction. Each barrier of several warps waits for the slowest one. Much of that is for accesses that
//! might concern the same memory, and do not:
//!
//! ```text
//!     before:  a = load row[i]      barrier   vector loop: atomic y[a] += 1   barrier   next i
//!     after:   a = load row[i]                vector loop: atomic y[a] += 1             next i
//! ```
//!
//! A barrier is needed if, on some way through it that comes to no other one, an access of memory that
//! threads share in front of it and one behind it may conflict: they may lead to the same memory
//! ([`Roots`]), and one writes. It goes if there are no such two. All pairs that it ordered then either do
//! not conflict or are ordered by another one, so that barriers can be looked at one by one.
//!
//! One in each iteration of a loop that is needed for what comes before the loop only stands in front of the
//! loop:
//!
//! ```text
//!     before:  store row[0]             loop:  barrier   vector loop: row[j] = row[j - 1]   barrier
//!     after:   store row[0]   barrier   loop:            vector loop: row[j] = row[j - 1]   barrier
//! ```
//!
//! Iterations of a loop that gangs or workers share are independent: what the program's memory holds need not
//! be kept in order from one to the next. The gang's own memory must, since all iterations use it.

use crate::neuter::is_private;
use crate::text::{BarrierKind, Reached, Rows, Tame};
use accrue_ir::analysis::cfg::{Cfg, Dominators};
use accrue_ir::analysis::roots::{Root, Roots};
use accrue_ir::analysis::written::given;
use accrue_ir::{
    BinaryOp, Block, Body, Callee, Function, FunctionKind, Inst, Level, Loop, LoopData, Module, Op, map_below,
};
use cranelift_entity::SecondaryMap;
use std::cell::LazyCell;
use std::cmp::Reverse;

/// Runs the pass on all regions. A routine does not know what its caller did before.
pub(crate) fn run(module: &mut Module, reached: &Reached) {
    let tame = Tame::new(module, reached);
    for func in module.functions.keys().collect::<Vec<_>>() {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        let changes = Meetings::of(&module.functions[func], &body, &tame).map(|mut meetings| {
            let needless = meetings.needless();
            (needless, meetings.in_front_of_loops())
        });
        if let Some((needless, moved)) = changes {
            let places = needless.into_iter().chain(moved.iter().map(|&(from, _)| from));
            let mut places: Vec<(Block, usize)> = places.collect();
            places.sort_unstable_by_key(|&(_, at)| Reverse(at));
            let added: Vec<(Block, Inst)> =
                moved.iter().map(|&((block, at), to)| (to, body.blocks[block].insts[at].clone())).collect();
            for (block, at) in places {
                body.blocks[block].insts.remove(at);
            }
            for (block, barrier) in added {
                body.blocks[block].insts.push(barrier);
            }
        }
        module.functions[func].body = Some(body);
    }
}

/// An access of memory that threads share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Load(Root),
    Store(Root),
    /// An atomic update of an integer whose result nobody reads: the order of those by one operator does not
    /// matter.
    Update(Root, BinaryOp),
    /// Anything, such as a fence or a call of what is not known.
    Everything,
}

impl Access {
    /// Whether two of them must keep their order.
    fn conflicts(self, other: Access, roots: &Roots) -> bool {
        match (self, other) {
            (Access::Everything, _) | (_, Access::Everything) => true,
            (Access::Load(_), Access::Load(_)) => false,
            (Access::Update(a, by), Access::Update(b, other)) => by != other && !roots.are_apart(a, b),
            (
                Access::Load(a) | Access::Store(a) | Access::Update(a, _),
                Access::Load(b) | Access::Store(b) | Access::Update(b, _),
            ) => !roots.are_apart(a, b),
        }
    }

    /// Whether the memory is the program's for certain, rather than the gang's own.
    fn is_of_program(self) -> bool {
        match self {
            Access::Load(root) | Access::Store(root) | Access::Update(root, _) => {
                matches!(root, Root::Param(_) | Root::Global(_))
            }
            Access::Everything => false,
        }
    }
}

/// Where an access is, seen from a barrier in a loop whose iterations are independent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In the same iteration.
    Same,
    /// In another one.
    Other,
    /// Outside of the loop.
    Outside,
}

/// How many places there are.
const PLACES: usize = Place::Outside as usize + 1;

/// What of a block matters, and where it stands in the block.
#[derive(Clone, Copy)]
enum Step {
    Access(Access),
    Barrier(BarrierKind),
}

/// The direction of a walk from a barrier.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    On,
}

struct Meetings<'a> {
    body: &'a Body,
    roots: Roots,
    cfg: Cfg,
    steps: SecondaryMap<Block, Vec<(usize, Step)>>,
    rows: Rows,
}

impl<'a> Meetings<'a> {
    /// Of a region; none if it has no barrier that costs much.
    fn of(function: &Function, body: &'a Body, tame: &Tame) -> Option<Meetings<'a>> {
        if !matches!(function.kind, FunctionKind::Region(_)) {
            return None;
        }
        let rows = Rows::of(&function.kind);
        let kind = |level: Level| BarrierKind::of(level, rows);
        let is_dear = |kind: BarrierKind| is_dear(kind, rows);
        let is_wanted =
            |inst: &Inst| matches!(inst.op, Op::Barrier { level } if kind(level).is_some_and(is_dear));
        if !body.order.iter().any(|&block| body.blocks[block].insts.iter().any(is_wanted)) {
            return None;
        }
        let roots = Roots::new(function, body);
        let mut steps: SecondaryMap<Block, Vec<(usize, Step)>> = map_below(body.blocks.len());
        for &block in &body.order {
            let mut found = Vec::new();
            for (at, inst) in body.blocks[block].insts.iter().enumerate() {
                match inst.op {
                    Op::Barrier { level } => {
                        let step = kind(level).map_or(Step::Access(Access::Everything), Step::Barrier);
                        found.push((at, step));
                    }
                    ref op => {
                        accesses(body, (&roots, tame), op, |access| found.push((at, Step::Access(access))))
                    }
                }
            }
            steps[block] = found;
        }
        Some(Meetings { body, roots, cfg: Cfg::new(body), steps, rows })
    }

    /// Barriers in loops that are not needed behind one in front of the loop, and where that one stands.
    fn in_front_of_loops(&mut self) -> Vec<((Block, usize), Block)> {
        let mut moved = Vec::new();
        // Most regions have no such barrier.
        let dominators = LazyCell::new(|| Dominators::new(&self.cfg));
        let is_wanted =
            |(_, step): &(usize, Step)| matches!(*step, Step::Barrier(kind) if is_dear(kind, self.rows));
        for &block in &self.body.order {
            let Some(loop_) = self.body.blocks[block].loop_ else { continue };
            if !self.steps[block].iter().any(is_wanted) {
                continue;
            }
            let LoopData { preheader, ref directive, .. } = self.body.loops[loop_];
            // Of a loop that threads share, some threads have no iteration. What a leader does alone, other
            // threads go around.
            let is_shared = directive.as_ref().is_some_and(|directive| !directive.levels.is_empty());
            if is_shared || !dominators.dominates(preheader, block) {
                continue;
            }
            for index in (0..self.steps[block].len()).rev() {
                let (at, step @ Step::Barrier(kind)) = self.steps[block][index] else { continue };
                if !is_dear(kind, self.rows) {
                    continue;
                }
                self.steps[preheader].push((self.body.blocks[preheader].insts.len(), step));
                if self.is_needed((block, index), kind) {
                    self.steps[preheader].pop();
                } else {
                    self.steps[block].remove(index);
                    moved.push(((block, at), preheader));
                }
            }
        }
        moved
    }

    /// Places of the barriers that are not needed, the last one of a block first.
    fn needless(&mut self) -> Vec<(Block, usize)> {
        let mut needless = Vec::new();
        for &block in &self.body.order {
            for index in (0..self.steps[block].len()).rev() {
                let (at, Step::Barrier(kind)) = self.steps[block][index] else { continue };
                if is_dear(kind, self.rows) && !self.is_needed((block, index), kind) {
                    self.steps[block].remove(index);
                    needless.push((block, at));
                }
            }
        }
        needless
    }

    fn is_needed(&self, (block, index): (Block, usize), kind: BarrierKind) -> bool {
        let is_independent = |loop_: &Loop| {
            self.body.loops[*loop_].directive.as_ref().is_some_and(|directive| {
                !directive.in_order
                    && directive.levels.iter().any(|level| level.is_gang() || *level == Level::Worker)
            })
        };
        let loop_ = self.body.loops_around(self.body.blocks[block].loop_).find(is_independent);
        let [before, behind] = [Way::Back, Way::On].map(|way| self.walk((block, index), (kind, loop_), way));
        let is_ordered_anyway = |(a, at): (Access, Place), (b, to): (Access, Place)| {
            let are_apart =
                at != Place::Outside && to != Place::Outside && (at, to) != (Place::Same, Place::Same);
            are_apart && (a.is_of_program() || b.is_of_program())
        };
        before
            .iter()
            .any(|&a| behind.iter().any(|&b| a.0.conflicts(b.0, &self.roots) && !is_ordered_anyway(a, b)))
    }

    /// What is accessed on the way from a barrier to the next ones.
    fn walk(
        &self,
        (block, index): (Block, usize),
        (kind, loop_): (BarrierKind, Option<Loop>),
        way: Way,
    ) -> Vec<(Access, Place)> {
        let mut found = Vec::new();
        let mut seen: SecondaryMap<Block, [bool; PLACES]> = map_below(self.body.blocks.len());
        let own = &self.steps[block];
        let first = if way == Way::Back { &own[..index] } else { &own[index + 1..] };
        let start = if loop_.is_some() { Place::Same } else { Place::Outside };
        let mut work = Vec::new();
        if self.visit((first, start), (kind, way), &mut found) {
            self.leave((block, start), (loop_, way), |next| work.push(next));
        }
        while let Some((block, place)) = work.pop() {
            let is_new = !std::mem::replace(&mut seen[block][place as usize], true);
            if is_new && self.visit((&self.steps[block], place), (kind, way), &mut found) {
                self.leave((block, place), (loop_, way), |next| work.push(next));
            }
        }
        found
    }

    /// Adds what is accessed up to a barrier, which is little that differs; whether there is none.
    fn visit(
        &self,
        (steps, place): (&[(usize, Step)], Place),
        (kind, way): (BarrierKind, Way),
        found: &mut Vec<(Access, Place)>,
    ) -> bool {
        let mut go = |&(_, step): &(usize, Step)| match step {
            Step::Access(access) => {
                if !found.contains(&(access, place)) {
                    found.push((access, place));
                }
                true
            }
            Step::Barrier(other) => !kind.is_covered_by(other),
        };
        match way {
            Way::Back => steps.iter().rev().all(&mut go),
            Way::On => steps.iter().all(&mut go),
        }
    }

    /// Shows the blocks that follow in a direction, and where they are.
    fn leave(
        &self,
        (block, place): (Block, Place),
        (loop_, way): (Option<Loop>, Way),
        mut show: impl FnMut((Block, Place)),
    ) {
        let is_inside = |block: Block| {
            loop_.is_some_and(|loop_| self.body.loop_is_within(self.body.blocks[block].loop_, loop_))
        };
        let mut go = |next: Block| {
            let (from, to) = if way == Way::Back { (next, block) } else { (block, next) };
            let goes_round =
                is_inside(from) && loop_.is_some_and(|loop_| self.body.loops[loop_].header == to);
            let place = match (is_inside(next), place) {
                // Who comes back to the loop executes it again.
                (false, _) | (_, Place::Outside) => Place::Outside,
                (true, _) if goes_round => Place::Other,
                (true, place) => place,
            };
            show((next, place));
        };
        match way {
            Way::Back => self.cfg.predecessors(block).iter().copied().for_each(&mut go),
            Way::On => self.body.blocks[block].term.successors(&mut go),
        }
    }
}

/// Whether a barrier is one of several warps of a gang.
fn is_dear(kind: BarrierKind, rows: Rows) -> bool {
    kind == BarrierKind::Block || kind == BarrierKind::Row && rows != Rows::Warps
}

/// Shows what an operation accesses of memory that threads share.
fn accesses(body: &Body, (roots, tame): (&Roots, &Tame), op: &Op, mut show: impl FnMut(Access)) {
    match op {
        Op::Load { addr, access, .. } | Op::Store { addr, access, .. }
            if is_private(body, addr.base, access.space) => {}
        Op::Load { access, .. } | Op::Store { access, .. } if access.volatile => show(Access::Everything),
        Op::Load { addr, .. } => show(Access::Load(roots.of(addr.base))),
        Op::Store { addr, .. } => show(Access::Store(roots.of(addr.base))),
        // Floating-point numbers are rounded, so that the order may be seen.
        Op::AtomicRmw { dst: None, op, ty, addr, reversed: false, .. } if ty.is_int() => {
            show(Access::Update(roots.of(addr.base), *op));
        }
        Op::AtomicRmw { dst: None, addr, .. } => show(Access::Store(roots.of(addr.base))),
        Op::MemCopy { dst, src, .. } => {
            show(Access::Load(roots.of(src.base)));
            show(Access::Store(roots.of(dst.base)));
        }
        Op::MemSet { dst, .. } => show(Access::Store(roots.of(dst.base))),
        Op::Call { callee: Callee::Direct(func), args, dest, .. } if tame.is_quiet(*func) => {
            show(Access::Load(Root::Unknown));
            given(body, args, dest.as_ref()).for_each(|pointer| show(Access::Store(roots.of(pointer))));
        }
        // May trap, and does so in every thread.
        Op::Binary { .. } | Op::Shuffle { .. } | Op::LaneReduce { .. } => {}
        op if op.effects().pure => {}
        _ => show(Access::Everything),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};
    use accrue_ir::verify;

    /// How many barriers of a region with two `restrict` pointers and an array that its gang shares are not
    /// needed; `code` is what each iteration of a loop over gangs does.
    fn needless(lanes: u32, code: &str) -> usize {
        let text = format!(
            "signature sig0 (ptr, ptr)\nfunction fn0.r sig0 internal\n  \
             region parallel of \"main\" dims(0, 1, 1, 1, {lanes}) {{\n    \
             param \"a\" pointer deviceptr bytes 0\n    param \"b\" pointer deviceptr bytes 0\n  }} {{\n  \
             params v0.a, v1.b\n  locals v0.a, v1.b: ptr restrict\n  locals v2, v3: i32\n  locals v4: i1\n  \
             slot s0 size 4 align 4 worker_private\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 for v2 = 0i32, lt 9i32, step 1i32 {{\n    \
             directive levels(gang)\n  }}\n\
             bb0:\n  v2 = copy 0i32\n  jump bb1\nbb1 loop0:\n  v4 = cmp.lt v2, 9i32\n  branch v4, bb2, bb3\n\
             bb2 loop0:\n{code}  v2 = add v2, 1i32\n  jump bb1\nbb3:\n  return\n}}\n"
        );
        let module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let function = module.functions.values().next().unwrap_or_else(|| panic!("a function"));
        let body = function.body.as_deref().unwrap_or_else(|| panic!("a body"));
        Meetings::of(function, body, &Tame::default()).map_or(0, |mut meetings| meetings.needless().len())
    }

    #[test]
    fn only_what_conflicts_keeps_a_barrier() {
        let barrier = "  barrier vector\n";
        let [load_a, store_a] = ["  v3 = load [v0.a]\n", "  store.i32 [v0.a], v3\n"];
        let [load_b, store_own, load_own] =
            ["  v3 = load [v1.b]\n", "  store.i32 [s0], v3\n", "  v3 = load [s0]\n"];
        let count = |parts: &[&str]| needless(128, &parts.concat());
        assert_eq!(count(&[load_a, barrier, load_b, barrier]), 2);
        assert_eq!(count(&[store_a, barrier, load_b]), 1);
        assert_eq!(count(&[store_a, barrier, load_a]), 0);
        // One of two in a row is enough.
        assert_eq!(count(&[store_a, barrier, barrier, load_a]), 1);
        // Iterations are independent, but the gang's own memory is the same in all of them.
        assert_eq!(count(&[load_a, store_a, barrier]), 1);
        assert_eq!(count(&[load_own, store_own, barrier]), 0);
        assert_eq!(count(&[store_own, barrier, load_own, barrier]), 0);
    }

    #[test]
    fn lanes_of_one_warp_meet_for_nothing() {
        assert_eq!(needless(32, "  v3 = load [v0.a]\n  barrier vector\n  v3 = load [v1.b]\n"), 0);
    }

    /// The code of a region whose lanes fill a row and go around a loop together, with a barrier and this
    /// code in each iteration.
    fn around(code: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, i32)\nfunction fn0.r sig0 internal\n  \
             region parallel of \"main\" dims(1, 1, 1, 1, 64) {{\n    param \"p\" pointer deviceptr\n    \
             param \"n\" value i32\n  }} {{\n  params v0.p, v1.n\n  locals v0.p: ptr\n  locals v1.n: i32\n  \
             locals v2.i: i32\n  locals v3: i1\n  locals v4: i32\n  locals v5: ptr\n  locals v6: i32\n  \
             slot s0.row size 256 align 4 gang_private\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n\
             bb0:\n  v2.i = copy 0i32\n  v4 = dim_pos vector\n  v5 = index s0.row + v4 * 4\n  \
             store.i32 [v5], v4\n  jump bb1\n\
             bb1 loop0:\n  v3 = cmp.lt v2.i, v1.n\n  branch v3, bb2, bb3\n\
             bb2 loop0:\n  barrier vector\n{code}  v2.i = add v2.i, 1i32\n  jump bb1\nbb3:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let reached = crate::text::reach(&module).expect("it has a form");
        run(&mut module, &reached);
        let text = print(&module);
        verify::verify(&module, "barriers").unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        text
    }

    #[test]
    fn what_was_stored_in_front_of_a_loop_is_waited_for_there() {
        let text = around("  v6 = load [s0.row]\n");
        let (before, behind) = text.split_once("bb1 loop0:").expect("a loop");
        assert!(before.contains("barrier vector") && !behind.contains("barrier vector"), "{text}");
    }

    #[test]
    fn what_iterations_store_is_waited_for_in_each() {
        let text = around("  v6 = load [s0.row]\n  store.i32 [v5], v6\n");
        let (before, behind) = text.split_once("bb1 loop0:").expect("a loop");
        assert!(!before.contains("barrier vector") && behind.contains("barrier vector"), "{text}");
    }
}
