//! Places of variables by the level that declares them (`docs/design/partitioning.md`).
//!
//! A variable that is declared in single mode exists once, however many threads later come by: once per gang
//! outside of loops over workers and lanes, once per worker inside of a worker loop, once per launch outside
//! of gang loops where gangs wait for each other. Objects in memory are put there. Scalars in locals may stay
//! in registers as long as only single mode writes them: every thread is told their values. One that
//! partitioned code writes, and that is read after the loop or in a later iteration, is turned into an object
//! first.

use crate::levels::rows::Lanes;
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::{Liveness, Summaries};
use accrue_ir::analysis::loops::Nest;
use accrue_ir::builder::Cursor;
use accrue_ir::edit::memory;
use accrue_ir::target::Context;
use accrue_ir::visit::PartMut;
use accrue_ir::{Body, FunctionKind, Level, Local, Loop, Operand, SlotKind};
use cranelift_entity::SecondaryMap;

/// What a function does with its threads, beyond its own loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threads {
    /// Gangs wait for each other.
    pub gangs_wait: bool,
    /// It calls routines that have levels, and may give them addresses of its variables.
    pub calls_routines: bool,
    /// Workers share loops of some of them.
    pub calls_workers: bool,
    /// Workers only share iterations of loops over gangs: the launch decides how many there are.
    pub workers_are_open: bool,
    /// How many lanes there are where nobody says.
    pub lanes: Lanes,
    /// Nobody says how many threads there are, and they share sums of columns.
    pub have_columns: bool,
}

/// Places the slots of a region or routine.
pub fn place(context: Context<'_>, threads: Threads, body: &mut Body) {
    let Some(base) = base(context, threads, body) else { return };
    for slot in body.slots.keys().collect::<Vec<_>>() {
        if body.slots[slot].kind == SlotKind::Frame {
            body.slots[slot].kind = kind_in(body, base, body.slots[slot].declared_in);
        }
    }
}

/// Turns scalars that partitioned loops write, and later code reads, into slots.
pub fn share_scalars(context: Context<'_>, threads: Threads, body: &mut Body) {
    let Some(base) = base(context, threads, body) else { return };
    for (local, at) in shared_scalars(body, threads.gangs_wait) {
        let kind = kind_in(body, base, body.loops[at].parent);
        demote(body, local, kind);
    }
}

/// Where an object is that is declared outside of all loops; none in code that all of its threads execute
/// alike.
fn base(context: Context<'_>, threads: Threads, body: &Body) -> Option<SlotKind> {
    if threads.gangs_wait {
        return Some(SlotKind::Launch);
    }
    let has_own_loops = body
        .loops
        .values()
        .any(|data| data.directive.as_ref().is_some_and(|d| d.levels.iter().any(|level| !level.is_gang())));
    let is_partitioned = has_own_loops || threads.calls_routines;
    match (context.kind, context.routine.and_then(|routine| routine.level)) {
        _ if !is_partitioned => None,
        (FunctionKind::Region(_), _) => Some(SlotKind::GangPrivate),
        (FunctionKind::Normal, Some(Level::Vector)) => Some(SlotKind::WorkerPrivate),
        (FunctionKind::Normal, Some(_)) => Some(SlotKind::GangPrivate),
        (FunctionKind::Normal, None) | (FunctionKind::Threaded(_), _) => None,
    }
}

/// Where an object declared in the body of a loop is, `base` being where one outside of all loops is.
fn kind_in(body: &Body, base: SlotKind, declared_in: Option<Loop>) -> SlotKind {
    let mut kind = base;
    for loop_ in body.loops_around(declared_in) {
        let levels = body.loops[loop_].directive.iter().flat_map(|directive| &directive.levels);
        for level in levels {
            kind = match (level, kind) {
                (Level::Vector, _) | (_, SlotKind::Frame) => SlotKind::Frame,
                (Level::Worker, _) => SlotKind::WorkerPrivate,
                (_, SlotKind::Launch) => SlotKind::GangPrivate,
                (_, kind) => kind,
            };
        }
    }
    kind
}

/// Locals that a partitioned loop writes and code outside of it reads later, with the outermost such loop.
/// What only the iterations of the loop read stays with the threads, even if an older value seems to come
/// round: no program may rely on one that another iteration left, and a thread of its own needs no clause
/// then. A loop over gangs is one where gangs wait for each other; what it reduces is among them, as its
/// result is for all gangs. Of other loops what they reduce themselves is not; what a loop around them
/// reduces is: without a clause their threads write one variable, which is a race, but the rest of the
/// program still sees one value of it, and takes branches together.
fn shared_scalars(body: &Body, gangs_wait: bool) -> Vec<(Local, Loop)> {
    let nest = Nest::new(body);
    let summaries = Summaries::of(body);
    let mut candidates: Vec<(Local, Loop)> = Vec::new();
    for loop_ in body.loop_tree() {
        let data = &body.loops[loop_];
        let Some(directive) = &data.directive else { continue };
        let over_gangs = gangs_wait && directive.levels.iter().any(|level| level.is_gang());
        if !over_gangs && !directive.levels.iter().any(|level| !level.is_gang()) {
            continue;
        }
        let own = data.induction.as_ref().map(|induction| induction.iv);
        let reduces = |local: Local| {
            !over_gangs && directive.reductions.iter().any(|clause| clause.var == Operand::Local(local))
        };
        let mut written = |local: Local| {
            if summaries.crosses(local) && Some(local) != own && !reduces(local) {
                candidates.push((local, loop_));
            }
        };
        for block in nest.blocks(loop_) {
            body.blocks[block].insts.iter().for_each(|inst| inst.op.defs(&mut written));
        }
    }
    if candidates.is_empty() {
        return Vec::new();
    }
    let live = Liveness::from_summaries(summaries, body, &Cfg::new(body));
    let mut readers = None;
    let mut found: Vec<(Local, Loop)> = Vec::new();
    for (local, loop_) in candidates {
        let outlives = live.is_live_in(local, body.loops[loop_].exit);
        if outlives
            && !found.iter().any(|(other, _)| *other == local)
            && !body
                .loop_is_within(readers.get_or_insert_with(|| reading_loops(body))[local].flatten(), loop_)
        {
            found.push((local, loop_));
        }
    }
    found
}

/// For each local that is read, the innermost loop that holds all reads, if a loop does.
fn reading_loops(body: &Body) -> SecondaryMap<Local, Option<Option<Loop>>> {
    let mut loops: SecondaryMap<Local, Option<Option<Loop>>> = SecondaryMap::new();
    let mut meet = |local: Local, at: Option<Loop>| match loops[local] {
        None => loops[local] = Some(at),
        Some(known) if known == at => {}
        Some(known) => {
            let common = body.loops_around(known).find(|&outer| body.loop_is_within(at, outer));
            loops[local] = Some(common);
        }
    };
    for &block in &body.order {
        let data = &body.blocks[block];
        data.insts.iter().for_each(|inst| inst.op.uses(|local| meet(local, data.loop_)));
        data.term.uses(|local| meet(local, data.loop_));
    }
    for data in body.loops.values() {
        data.uses(|local| meet(local, data.parent));
    }
    loops
}

/// Puts a local into memory: reads become loads, writes become stores.
fn demote(body: &mut Body, local: Local, kind: SlotKind) {
    let slot = body.slot_for(local);
    body.slots[slot].kind = kind;
    let (blocks, loops) = (body.order.clone(), body.loop_tree());
    memory::demote(body, &blocks, &loops, local, slot);
    body.annotations_mut(|part| {
        if let PartMut::Variable(variable) = part
            && *variable == Operand::Local(local)
        {
            *variable = Operand::Slot(slot);
        }
    });
    if body.params.contains(&local) {
        let incoming = body.temp(body.locals[local].ty);
        body.params.iter_mut().filter(|param| **param == local).for_each(|param| *param = incoming);
        let entry = body.entry();
        Cursor::before(body, entry, 0).store(slot, Operand::Local(incoming));
    }
}
