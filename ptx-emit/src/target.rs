//! The hooks of an NVIDIA GPU.
//!
//! Forks and joins of workers and lanes stay in the code: they say where single mode ends and begins, which
//! [`crate::neuter`] needs to know. Those of gangs go: gangs execute everything redundantly. A thread's share
//! of a loop interleaves the threads, lanes first, so that neighbouring lanes touch neighbouring elements.

use crate::Strategy;
use crate::arch::{self, WARP};
use crate::dims::{self, Choice};
use crate::levels::Assigned;
use crate::levels::rows::Lanes;
use crate::library::DeviceLibrary;
use crate::options::Options;
use crate::recipe::recipe;
use crate::reduce::declared::Before;
use crate::reduce::gangs::Partial;
use crate::reduce::strategy::Meeting;
use crate::text::{self, EmitError, Reached};
use crate::{levels, reduce, storage, strips};
use accrue_ir::analysis::inner_sums::InnerSums;
use accrue_ir::analysis::strides::{Access, Strides};
use accrue_ir::edit::clone::recompute;
use accrue_ir::report::{Decision, Limit, Report, Warning, topics};
use accrue_ir::target::accumulate::accumulate;
use accrue_ir::target::chunks::Chunks;
use accrue_ir::target::{
    Arithmetic, Context, DEVICE_NOT_HOST, DEVICE_NVIDIA, Emitter, Exchange, Loads, Parts, RoutineCall,
    Staging, Strips, Target, Tile, arrays, is_one_of, operators,
};
use accrue_ir::{
    Address, BinaryOp, Block, Body, CmpOp, ConvertOp, Declared, Dims, Func, FunctionKind, Level, Local, Loop,
    LoopDirective, LoopShare, Module, Op, Operand, Pos, Red, RedObject, RedType, Reduction, ReductionKind,
    RegionData, SlotKind, Type,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Threads of all gangs of a row, at most, where loops are shared in 32 bits.
const MOST_THREADS: u64 = 1 << 28;

/// How many iterations of a nest, rows and columns, a thread may execute together.
const JAMS: [[u32; 2]; 7] = [[4, 4], [4, 2], [2, 2], [4, 1], [1, 4], [2, 1], [1, 2]];

/// The same where neighbouring lanes go through rows of their own: one of them for a thread, as each load of
/// a row's element is from as many places as there are lanes, and as much use of it as there are registers
/// for.
const JAMS_OF_ROWS: [[u32; 2]; 3] = [[8, 1], [4, 1], [2, 1]];

/// Registers for what loops of all these iterations carry, at most.
const MOST_CARRIED: usize = 32;

/// Bytes of a sector: memory moves nothing smaller.
const SECTOR: i64 = arch::SECTOR as i64;

/// How often a loop inside of a nest is taken to run.
const INSIDE: u64 = 32;

/// Bytes of the memory of a gang through which its threads exchange values of a nest, and bytes of a value.
const MOST_EXCHANGED: i64 = 20 << 10;
const MOST_EXCHANGED_EACH: i64 = 8;

/// `mad.wide` extends its 32-bit factor.
pub(crate) const EXTENDS_INDICES: bool = true;

/// An NVIDIA GPU, and what its passes share.
#[derive(Debug)]
pub struct PtxTarget {
    pub(crate) options: Options,
    /// Where functions come from that a program calls and does not define.
    pub(crate) library: &'static dyn DeviceLibrary,
    /// What the device executes of the linked program, if a pass has found that out and none has changed it
    /// since.
    pub(crate) reached: Option<Reached>,
    /// What [`Target::assign_levels`] found out for [`Target::choose_dims`].
    threads: FxHashMap<Func, storage::Threads>,
    /// Launch dimensions of the function at hand, gangs in three dimensions, workers, lanes; 0 if known at
    /// run time only.
    dims: [u32; 5],
    /// The function at hand, or the region's parent.
    function: Arc<str>,
    /// The lock that was opened last, until it is known whether anything needs it.
    lock: Option<OpenLock>,
    /// Whether the gangs of the function at hand wait for each other.
    waits: bool,
    /// What gangs have of their own, and into which object it goes at the end of the launch.
    partials: Vec<(Partial, Address)>,
    /// The memory in which workers meet over arrays of variable length, and the height of the stack before
    /// it.
    arrays: FxHashMap<Red, [Local; 2]>,
    /// What threads keep of private copies that functions of the program combine.
    befores: FxHashMap<(Red, Level), Before>,
}

/// An [`Op::Lock`] in the code, and whether a `fini` since then relies on it.
#[derive(Clone, Copy, Debug)]
struct OpenLock {
    block: Block,
    index: usize,
    needed: bool,
}

impl PtxTarget {
    /// A GPU as the options say, with a library.
    pub fn new(options: Options, library: &'static dyn DeviceLibrary) -> PtxTarget {
        PtxTarget {
            options,
            library,
            reached: None,
            threads: FxHashMap::default(),
            dims: [0; 5],
            function: "".into(),
            lock: None,
            waits: false,
            partials: Vec::new(),
            arrays: FxHashMap::default(),
            befores: FxHashMap::default(),
        }
    }

    /// The same GPU for a source of the library, about which nothing is explained.
    pub(crate) fn for_library(&self) -> PtxTarget {
        PtxTarget::new(Options { explain: false, ..self.options.clone() }, self.library)
    }

    /// What the device executes of the linked program. Whoever takes it and does not change the program puts
    /// it back.
    pub(crate) fn take_reached(&mut self, module: &Module) -> Result<Reached, EmitError> {
        self.reached.take().map_or_else(|| text::reach(module), Ok)
    }

    fn explain_levels(&self, context: Context<'_>, body: &Body, open: &[Assigned], report: &mut Report) {
        if !self.options.explain {
            return;
        }
        for (loop_, data) in &body.loops {
            let Some(directive) = &data.directive else { continue };
            let names: Vec<&str> = directive.levels.iter().map(|level| level.name()).collect();
            let chosen = open.iter().find(|assigned| assigned.loop_ == loop_).map(|assigned| &assigned.why);
            let text = match (names.is_empty(), chosen) {
                (true, Some(None)) => "the loop is sequential: no level is free for it".to_owned(),
                (true, Some(Some(why))) => format!("the loop is sequential: {why}"),
                (true, None) => "the loop is sequential".to_owned(),
                (false, Some(None)) => {
                    format!("the loop is shared by {}: chosen, as none was named", names.join(" "))
                }
                (false, Some(Some(why))) => {
                    format!("the loop is shared by {}: chosen, as none was named; {why}", names.join(" "))
                }
                (false, None) => format!("the loop is shared by {}: as the program says", names.join(" ")),
            };
            let (pos, function) = (directive.pos, context.name.clone());
            report.decisions.push(Decision { pos, function, topic: topics::LEVEL, text });
        }
    }

    /// Says of loops that more threads share them than their directives name.
    fn explain_shared(
        &self,
        context: Context<'_>,
        body: &Body,
        loops: &[Loop],
        text: &str,
        report: &mut Report,
    ) {
        if !self.options.explain {
            return;
        }
        for directive in loops.iter().filter_map(|&loop_| body.loops[loop_].directive.as_ref()) {
            let (pos, function, text) = (directive.pos, context.name.clone(), text.to_owned());
            report.decisions.push(Decision { pos, function, topic: topics::LEVEL, text });
        }
    }

    fn explain_dims(
        &self,
        region: &RegionData,
        asked: &Dims,
        (choice, threads): (&Choice, storage::Threads),
        body: &Body,
        report: &mut Report,
    ) {
        if !self.options.explain {
            return;
        }
        let Choice { dims, ref warnings } = *choice;
        let text = dims::describe(asked, dims, threads);
        let pos = body.blocks[body.entry()].term_pos;
        let function = || region.parent.clone();
        // What a routine does with its caller's threads is its own affair.
        let idle = if threads.calls_routines { Vec::new() } else { dims::idle(dims, body) };
        for text in [text].into_iter().chain(idle) {
            report.decisions.push(Decision { pos, function: function(), topic: topics::LAUNCH, text });
        }
        for Warning { pos, message, .. } in warnings {
            let (pos, text) = (*pos, message.clone());
            report.decisions.push(Decision { pos, function: function(), topic: topics::CLAUSE, text });
        }
    }

    /// How many threads a level has; 0 if that is known at run time only.
    fn constant_size(&self, level: Level) -> u32 {
        match level {
            Level::Gang => self.dims[0],
            Level::Gang2 => self.dims[1],
            Level::Gang3 => self.dims[2],
            Level::Worker => self.dims[3],
            Level::Vector => self.dims[4],
            Level::Unassigned => 1,
        }
    }

    /// The thread's number among the threads that share a loop, and the number of these threads, from the
    /// outer level inwards.
    fn position(&mut self, emit: &mut Emitter<'_>, ty: Type, levels: &[Level]) -> (Operand, Operand) {
        let mut position = Operand::Int(ty, 0);
        let mut size = Operand::Int(ty, 1);
        for &level in levels {
            let [at, count] = [self.dim_pos(emit, level), self.dim_size(emit, level)].map(|value| match ty {
                Type::I64 => wide(emit, value),
                _ => value,
            });
            let rows = emit.mul(position, count);
            position = emit.add(rows, at);
            size = emit.mul(size, count);
        }
        (position, size)
    }

    /// First iteration and length of a gang's share when shares are contiguous.
    fn chunk(&mut self, emit: &mut Emitter<'_>, trip: Operand) -> (Operand, Operand) {
        let gangs = self.dim_size(emit, Level::Gang);
        let gangs = wide(emit, gangs);
        let gang = self.dim_pos(emit, Level::Gang);
        let gang = wide(emit, gang);
        let rest = emit.binary(BinaryOp::URem, trip, gangs);
        let whole = emit.binary(BinaryOp::UDiv, trip, gangs);
        let some = emit.compare(CmpOp::Ne, rest, Operand::Int(Type::I64, 0));
        let more = emit.convert(ConvertOp::ZExt, Type::I64, some);
        let length = emit.add(whole, more);
        let first = emit.mul(gang, length);
        (emit.binary(BinaryOp::SMin, first, trip), length)
    }
}

/// A dimension as an `i64`.
fn wide(emit: &mut Emitter<'_>, value: Operand) -> Operand {
    match value {
        Operand::Int(_, value) => Operand::Int(Type::I64, value),
        _ => emit.convert(ConvertOp::ZExt, Type::I64, value),
    }
}

/// The threads of a gang that executes iterations of a nest: rows of lanes, one row for each worker.
fn rows_of_lanes(context: Context<'_>, body: &Body, nest: &[Loop]) -> Option<Tile> {
    let FunctionKind::Region(region) = context.kind else { return None };
    let directive = body.loops[nest[0]].directive.as_ref()?;
    let is_shared_by_all =
        [Level::Gang, Level::Worker, Level::Vector].iter().all(|level| directive.levels.contains(level));
    let [.., rows, columns] = region.constant_dims;
    let fits = rows > 1 && rows.is_power_of_two() && columns == WARP && is_shared_by_all;
    let fits = fits && !is_chunked(directive);
    fits.then_some(Tile { rows, columns, has_rows: false })
}

/// Threads of a gang that share a loop, all of them, where gangs are as many as a launch chooses.
fn threads_of_gang(context: Context<'_>, body: &Body, loop_: Loop) -> Option<u32> {
    let FunctionKind::Region(region) = context.kind else { return None };
    let [gangs @ .., workers, lanes] = region.constant_dims;
    let levels = &body.loops[loop_].directive.as_ref()?.levels;
    let are_all = workers == 1 || levels.contains(&Level::Worker);
    let is_open = gangs == [0, 1, 1] && !region.cooperative && lanes.is_multiple_of(WARP);
    (is_open && are_all && levels::columns::is_flat(body, loop_)).then_some(workers * lanes)
}

fn is_chunked(directive: &LoopDirective) -> bool {
    directive.gang.as_ref().is_some_and(|gang| gang.static_.is_some())
}

fn has_loop_inside(body: &Body, loop_: Loop) -> bool {
    body.loops.values().any(|data| data.parent == Some(loop_))
}

/// Whether neighbouring iterations of a loop of the nest access neighbours in memory that the iterations of
/// the innermost loop do not have in common.
fn goes_along(body: &Body, outermost: Loop, (loop_, inner): (Loop, Loop)) -> bool {
    let strides = Strides::of(body, outermost);
    strides.accesses().any(|access| {
        let stride = |along| strides.stride(body, access, along);
        stride(loop_).is_some_and(|stride| stride.unsigned_abs() == access.bytes.unsigned_abs())
            && stride(inner) != Some(0)
    })
}

/// Whether a loop inside of a nest loads element after element of a row, and neighbouring iterations of a
/// loop of the nest, which neighbouring lanes execute, go through rows of their own.
fn has_rows(body: &Body, nest: &[Loop], along_lanes: Loop) -> bool {
    let strides = Strides::of(body, nest[0]);
    strides.accesses().any(|access| {
        let is_element = || strides.stride(body, access, access.loop_) == Some(access.bytes);
        let is_far = || strides.stride(body, access, along_lanes).is_none_or(|by| by.abs() >= SECTOR);
        !nest.contains(&access.loop_) && is_element() && is_far()
    })
}

impl Target for PtxTarget {
    fn name(&self) -> &'static str {
        "ptx"
    }

    fn assign_levels(
        &mut self,
        context: Context<'_>,
        (calls, asked): (&[RoutineCall], Option<&Dims>),
        body: &mut Body,
        report: &mut Report,
    ) {
        let are_open = |asked: &Dims| dims::threads_are_open(&self.options, asked);
        let open = levels::assign(context, (calls, asked.is_some_and(are_open)), body);
        self.explain_levels(context, body, &open, report);
        // Where threads meet at barriers of the program, loops keep the levels that they have.
        let has_team = body.has_team();
        let elements = if has_team { Vec::new() } else { levels::share_elements(context, calls, body) };
        self.explain_shared(
            context,
            body,
            &elements,
            "workers and lanes share the elements of tiles",
            report,
        );
        let gangs_wait = levels::gangs_wait(context.kind, body);
        // Rows of two loops keep the threads busy that the program asks for; planes may be few.
        let fewest = if asked.is_some_and(are_open) { 2 } else { 3 };
        let stays = gangs_wait || has_team;
        let merged = if stays { Vec::new() } else { levels::flatten(context, calls, body, fewest) };
        for levels::Flat { outer, is_triangle } in merged {
            let inside = match body.loops[outer].directive.as_ref().map_or(1, |directive| directive.collapse)
            {
                ..=2 => "with the loop inside: nothing stands between the two",
                3 => "with both loops inside: nothing stands between the three",
                _ => "with all loops inside: nothing stands between them",
            };
            let rest = if is_triangle { "; iterations beside the triangle do nothing" } else { "" };
            let text = format!("shared by gang worker vector, {inside}{rest}");
            self.explain_shared(context, body, &[outer], &text, report);
        }
        let rows = match asked.is_some_and(|asked| asked.gangs.iter().all(Option::is_none)) && !stays {
            true => levels::merge_workers(context, calls, body),
            false => Vec::new(),
        };
        let text = "shared by gang worker, with the loop over workers inside: nothing stands between the two";
        self.explain_shared(context, body, &rows, text, report);
        let asked = asked.zip(context.kind.launched());
        let sizes_are_open = !has_team
            && asked
                .is_some_and(|(asked, region)| dims::rows_and_lanes_are_open(&self.options, asked, region));
        let rows_are_open =
            !stays && asked.is_some_and(|(asked, region)| dims::rows_are_open(&self.options, asked, region));
        let columns = match rows_are_open && sizes_are_open {
            true => levels::turn_columns(context, calls, body),
            false => Vec::new(),
        };
        for (outer, inner) in columns {
            let text = "shared by gang worker vector: neighbouring iterations load neighbours in memory";
            self.explain_shared(context, body, &[outer], text, report);
            let text = "sequential: its iterations load from other rows";
            self.explain_shared(context, body, &[inner], text, report);
        }
        let lanes = match sizes_are_open {
            true => levels::rows::of_region(context, calls, body),
            false => Lanes::Usual,
        };
        let is_open = rows_are_open && !lanes.fill_gangs();
        let widened = if is_open { levels::share_rows(context, calls, body) } else { Vec::new() };
        let text = "a gang does several iterations at once: nothing in the loop needs the workers";
        self.explain_shared(context, body, &widened, text, report);
        let filled =
            if is_open && sizes_are_open { levels::fill_gangs(context, calls, body) } else { Vec::new() };
        let text = "shared by all threads of the gangs: nothing else in the region needs them";
        self.explain_shared(context, body, &filled, text, report);
        let calls_routines = !calls.is_empty();
        let calls_workers = calls.iter().any(|call| call.level != Level::Vector);
        let have_columns = is_open && sizes_are_open && !calls_routines && levels::columns::has_sums(body);
        let are_few = || sizes_are_open && !have_columns && levels::are_long_and_flat(context, calls, body);
        let workers_are_open = !widened.is_empty() || is_open && (levels::are_rows(lanes, body) || are_few());
        let threads = storage::Threads {
            gangs_wait,
            calls_routines,
            calls_workers,
            workers_are_open,
            lanes,
            have_columns,
        };
        self.threads.insert(context.func, threads);
        storage::share_scalars(context, threads, body);
        storage::place(context, threads, body);
    }

    fn choose_dims(
        &mut self,
        func: Func,
        asked: &Dims,
        region: &mut RegionData,
        body: &Body,
        report: &mut Report,
    ) {
        let threads = self.threads.get(&func).copied().unwrap_or_default();
        let choice = dims::choose(&self.options, asked, region, body, threads);
        // Of copies that are tried nobody hears.
        if region.shape.is_none_or(|shape| shape.trial.is_none()) {
            self.explain_dims(region, asked, (&choice, threads), body, report);
            report.warnings.extend_from_slice(&choice.warnings);
        }
        region.constant_dims = choice.dims;
        region.open_workers = dims::rows_are_open(&self.options, asked, region);
        if let Lanes::Launch(row) = threads.lanes {
            region.row = Some(row);
        }
        region.cooperative = threads.gangs_wait && choice.dims[0] != 1;
        if region.cooperative {
            // A launch has no more gangs than can be resident.
            region.wanted_gangs = std::mem::take(&mut region.constant_dims[0]);
        }
    }

    fn has_lanes(&self) -> bool {
        true
    }

    fn explains(&self) -> bool {
        self.options.explain
    }

    fn arithmetic(&self) -> Arithmetic {
        self.options.arithmetic
    }

    fn keeps_arguments(&self) -> bool {
        self.options.keeps_arguments
    }

    fn extends_indices(&self) -> bool {
        EXTENDS_INDICES
    }

    fn combines_atomically(&self, region: &RegionData) -> bool {
        let is_alone = region.constant_dims[..3] == [1; 3];
        let is_atomic = matches!(self.options.strategy, None | Some(Strategy::Atomic | Strategy::Cas));
        is_atomic && !self.options.deterministic && !is_alone
    }

    fn collapses(&self, _: Context<'_>, directive: &accrue_ir::LoopDirective) -> bool {
        !directive.levels.is_empty()
    }

    /// Rows of lanes, one for each worker, where that pays: what the threads of a gang read is shared in both
    /// directions in code with loops inside, where an access goes along the outer loop, and where a straight
    /// iteration loads much. Elsewhere it is cheaper to count through all iterations.
    fn tiles(&self, context: Context<'_>, body: &Body, nest: &[Loop], order: &[usize]) -> Option<Tile> {
        let tile = rows_of_lanes(context, body, nest)?;
        let (&[.., inner], &[.., outer, _]) = (nest, order) else { return None };
        let has_loop = has_loop_inside(body, inner);
        let pays = has_loop
            || goes_along(body, nest[0], (nest[outer], inner))
            || strips::are_better_off_in_tiles(body, nest);
        let has_rows = has_loop && has_rows(body, nest, order.last().map_or(inner, |&last| nest[last]));
        pays.then_some(Tile { has_rows, ..tile })
    }

    fn strips(&self, context: Context<'_>, body: &Body, nest: &[Loop]) -> Option<Strips> {
        let Tile { rows: workers, columns: lanes, .. } = rows_of_lanes(context, body, nest)?;
        let FunctionKind::Region(region) = context.kind else { return None };
        let is_open = region.constant_dims[..3] == [0, 1, 1] && !region.cooperative;
        let rows = if is_open { strips::rows(body, nest)? } else { return None };
        let threads = workers * lanes;
        let (least_threads, most_workers) =
            if region.open_workers { (strips::LEAST_THREADS.min(threads), workers) } else { (threads, 0) };
        Some(Strips { rows, least_threads, most_workers })
    }

    fn knows_before_launch(&self, body: &Body, value: Operand) -> bool {
        recipe(body, value).is_some()
    }

    /// The loop along which the fewest accesses take a sector of their own for each lane. Those in a loop
    /// inside count as often as it may run where threads do not execute several iterations together, which
    /// have their rows in common: there code takes several ways.
    fn innermost(&self, _: Context<'_>, body: &Body, nest: &[Loop]) -> usize {
        let last = nest.len() - 1;
        let Some(directive) = &body.loops[nest[0]].directive else { return last };
        // Which gang a chunk goes to, the program may know.
        if !directive.levels.contains(&Level::Vector) || is_chunked(directive) {
            return last;
        }
        let strides = Strides::of(body, nest[0]);
        let is_far =
            |access, loop_| strides.stride(body, access, loop_).is_none_or(|stride| stride.abs() >= SECTOR);
        let are_together = strides.accesses().all(|access| access.is_certain);
        let weight = |access: Access<'_>| {
            let inside = body.loops_around(Some(access.loop_)).take_while(|&at| at != nest[last]).count();
            if are_together { 1 } else { INSIDE.saturating_pow(inside as u32) }
        };
        let far = |n: usize| {
            let far = strides.accesses().filter(|&access| is_far(access, nest[n]));
            far.map(weight).fold(0, u64::saturating_add)
        };
        (0..nest.len()).rev().min_by_key(|&n| far(n)).unwrap_or(last)
    }

    /// Where some accesses go along an outer loop, and others along the innermost one.
    fn exchanges(&self, context: Context<'_>, body: &Body, nest: &[Loop]) -> Option<Exchange> {
        let Tile { rows, columns, .. } = rows_of_lanes(context, body, nest)?;
        let threads = rows * columns;
        let &[ref around @ .., inner] = nest else { return None };
        if has_loop_inside(body, inner) {
            return None;
        }
        let strides = Strides::of(body, nest[0]);
        let stride = |access: Access<'_>, loop_: Loop| strides.stride(body, access, loop_);
        let is_along = |access: Access<'_>, loop_: Loop| {
            stride(access, loop_).is_some_and(|stride| stride.unsigned_abs() == access.bytes.unsigned_abs())
        };
        let is_far = |access: Access<'_>| stride(access, inner).is_none_or(|stride| stride.abs() >= SECTOR);
        if !strides.accesses().any(|access| is_along(access, inner)) {
            return None;
        }
        let across = |outer: Loop| {
            let wanted = |access: &Access<'_>| is_along(*access, outer) && is_far(*access);
            strides.accesses().filter(wanted).collect::<Vec<_>>()
        };
        let (outer, across) = (0..around.len())
            .rev()
            .map(|outer| (outer, across(around[outer])))
            .find(|(_, across)| !across.is_empty())?;
        let is_in_gang = |kind| !matches!(kind, SlotKind::Frame | SlotKind::Mapped(_) | SlotKind::Launch);
        let in_use: u64 =
            body.slots.values().filter(|slot| is_in_gang(slot.kind)).map(|slot| slot.size).sum();
        let bytes =
            across.iter().map(|access| access.bytes).max().filter(|&most| most <= MOST_EXCHANGED_EACH)?;
        let side = if bytes <= 4 && across.len() == 1 { 2 * WARP } else { WARP };
        let squares: i64 = across.iter().map(|access| i64::from(side * (side + 1)) * access.bytes).sum();
        let is_small = squares <= MOST_EXCHANGED && in_use <= MOST_EXCHANGED as u64;
        (is_small && threads / side >= 1).then(|| Exchange {
            outer,
            side,
            rows: threads / side,
            across: across.iter().map(|access| access.at).collect(),
        })
    }

    fn parts(&self, context: Context<'_>, body: &Body, outer: Loop) -> Option<(InnerSums, Parts)> {
        let parts = levels::columns::parts(threads_of_gang(context, body, outer)?)?;
        Some((levels::columns::sums(body, outer)?, parts))
    }

    fn stages(&self, context: Context<'_>, body: &Body, outer: Loop) -> Option<Staging> {
        levels::own_rows::staging(body, outer, threads_of_gang(context, body, outer)?)
    }

    /// As many as save a third of the loads, or more, and leave the values that loops carry in registers.
    fn jams(&self, loads: &Loads) -> [u32; 2] {
        let [none, rows, columns, both] = loads.by_class;
        // Loads of all iterations together, and how many iterations that is.
        let cost = |[high, wide]: [u32; 2]| {
            let [high, wide] = [high, wide].map(|count| count as usize);
            (none + rows * high + columns * wide + both * high * wide, high * wide)
        };
        // What all threads load alike they load at once.
        if rows + columns == 0 {
            return [1, 1];
        }
        let before = none + rows + columns + both;
        let pays = |&together: &[u32; 2]| {
            let (loads_together, iterations) = cost(together);
            let registers = loads.carried as usize * iterations;
            3 * loads_together <= 2 * before * iterations && registers <= MOST_CARRIED
        };
        let less = |a: &[u32; 2], b: &[u32; 2]| {
            let ((a, of_a), (b, of_b)) = (cost(*a), cost(*b));
            (a * of_b).cmp(&(b * of_a))
        };
        let jams = if loads.has_rows { &JAMS_OF_ROWS[..] } else { &JAMS };
        jams.iter().copied().filter(pays).min_by(less).unwrap_or([1, 1])
    }

    fn partitions(&self, _: Context<'_>, levels: &[Level]) -> bool {
        !levels.is_empty()
    }

    fn shares_narrow(&self, context: Context<'_>) -> bool {
        let dims = match context.kind {
            FunctionKind::Region(region) => region.constant_dims,
            FunctionKind::Normal | FunctionKind::Threaded(_) => return false,
        };
        let threads = [dims[0], dims[3], dims[4]].map(|size| u64::from(size.max(1)));
        threads.iter().product::<u64>() <= MOST_THREADS
    }

    fn begin(&mut self, context: Context<'_>) {
        self.dims = match context.kind {
            FunctionKind::Region(region) => region.constant_dims,
            FunctionKind::Normal | FunctionKind::Threaded(_) => [0; 5],
        };
        self.waits = matches!(context.kind, FunctionKind::Region(region) if region.cooperative);
        self.function = context.name.clone();
        self.partials.clear();
        self.arrays.clear();
        self.befores.clear();
    }

    /// The gang that comes last combines what all have.
    fn leave(&mut self, _: Context<'_>, emit: &mut Emitter<'_>) -> Result<(), Limit> {
        if self.partials.is_empty() {
            return Ok(());
        }
        let last = emit.cursor.last_gang();
        let then = emit.new_block();
        let before = emit.block;
        emit.switch_to(then);
        for (partial, result) in std::mem::take(&mut self.partials) {
            // All of the region is in sight now, the rest of the block that the reduction was in, too.
            let ops = crate::recipe::recipe(emit.body, result.base)
                .ok_or_else(|| no_tree(emit.pos, "to an object whose address changes in the region"))?;
            let base = recompute(&mut emit.cursor, &ops).operand(result.base);
            partial.combine(emit, self.options.arch, Address { base, ..result });
            self.partials.push((partial, result));
        }
        let done = emit.new_block();
        emit.jump(done);
        emit.switch_to(before);
        emit.branch(last, then, done);
        emit.switch_to(done);
        Ok(())
    }

    /// The reductions have brought objects of their own.
    fn end(&mut self, context: Context<'_>, emit: &mut Emitter<'_>) {
        let calls_routines = !RoutineCall::all_in(emit.module, emit.cursor.body).is_empty();
        let threads = storage::Threads { gangs_wait: self.waits, calls_routines, ..Default::default() };
        storage::place(context, threads, emit.body);
        for (partial, _) in &self.partials {
            partial.clear(emit);
        }
    }

    fn fork(&mut self, emit: &mut Emitter<'_>, level: Level, loop_: Option<Loop>) {
        if !level.is_gang() || self.waits {
            emit.cursor.fork(level, loop_);
        }
    }

    fn join(&mut self, emit: &mut Emitter<'_>, level: Level, loop_: Option<Loop>) {
        if !level.is_gang() || self.waits {
            emit.cursor.join(level, loop_);
        }
    }

    /// What is left of a lock is of no loop: one that only counted its iterations for a reduction is removed
    /// later, its lock is not.
    fn lock(&mut self, emit: &mut Emitter<'_>, level: Level, _loop: Option<Loop>) {
        self.lock = None;
        if level != Level::Vector {
            let (block, index) = (emit.block, emit.body.blocks[emit.block].insts.len());
            self.lock = Some(OpenLock { block, index, needed: false });
            emit.cursor.lock(level, None);
        }
    }

    fn unlock(&mut self, emit: &mut Emitter<'_>, level: Level, _loop: Option<Loop>) {
        match self.lock.take() {
            Some(OpenLock { needed: true, .. }) => emit.cursor.unlock(level, None),
            Some(OpenLock { block, index, needed: false }) => {
                emit.body.blocks[block].insts.remove(index);
            }
            None => {}
        }
    }

    fn reduce_scalar(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Operand,
    ) -> Result<Operand, Limit> {
        Ok(match (call.level, call.kind) {
            (Level::Vector, ReductionKind::Init) => {
                let identity = operators::identity(emit, call.op, call.ty);
                reduce::of_first(emit, Level::Vector, local, identity)
            }
            (Level::Vector, ReductionKind::Fini) => {
                self.explain_lanes(emit, call);
                reduce::lanes::combine(emit, self.options.arch, self.dims[4], call, local)
            }
            (Level::Vector, ReductionKind::Setup | ReductionKind::Teardown) => local,
            // One worker has nobody to meet.
            (Level::Worker, _) if self.dims[3] == 1 => local,
            (Level::Worker, ReductionKind::Setup) => {
                let slot = reduce::workers::slot(emit, call);
                emit.store(slot, local);
                local
            }
            (Level::Worker, ReductionKind::Init) => operators::identity(emit, call.op, call.ty),
            (Level::Worker, ReductionKind::Fini) => {
                let ty = reduce::promoted(call.ty);
                match self.strategy(emit, call, ty) {
                    Strategy::Tree => reduce::workers::leave(emit, call, self.dims[3], local),
                    strategy => {
                        let slot = reduce::workers::slot(emit, call);
                        accumulate(emit, strategy.exclusion(), call.op, ty, slot.into(), local);
                    }
                }
                local
            }
            (Level::Worker, ReductionKind::Teardown) => {
                let ty = reduce::promoted(call.ty);
                match self.meeting(emit, call, ty).strategy(&self.options) {
                    Strategy::Tree => reduce::workers::collect(emit, self.options.arch, call, self.dims[3]),
                    Strategy::Lock | Strategy::Cas | Strategy::Atomic => {
                        let slot = reduce::workers::slot(emit, call);
                        emit.load(operators::promoted(call.ty), slot)
                    }
                }
            }
            (Level::Gang | Level::Gang2 | Level::Gang3 | Level::Unassigned, kind) => {
                let Some(result) = call.result else { return Ok(local) };
                match kind {
                    ReductionKind::Init => return Ok(operators::identity(emit, call.op, call.ty)),
                    ReductionKind::Fini => match self.strategy(emit, call, call.ty) {
                        Strategy::Tree => {
                            self.partial(emit, call, result, None)?.add(emit, local, self.waits);
                        }
                        strategy => {
                            accumulate(emit, strategy.exclusion(), call.op, call.ty, result, local);
                        }
                    },
                    ReductionKind::Teardown => self.combine_waiting(emit, call, result, None)?,
                    ReductionKind::Setup => {}
                }
                local
            }
        })
    }

    fn reduce_array(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Address,
        count: Operand,
    ) -> Result<(), Limit> {
        if let Some(declared) = call.op.declared()
            && self.reduce_alone(emit, call, declared, (local, count))
        {
            return Ok(());
        }
        match (call.level, call.kind) {
            (Level::Vector, ReductionKind::Init) => {
                let lane = emit.dim_pos(Level::Vector);
                let other = emit.compare(CmpOp::Ne, lane, Operand::Int(Type::I32, 0));
                emit.if_then(other, |cursor| arrays::fill_identity(cursor, call, local, count));
            }
            (Level::Vector, ReductionKind::Fini) => {
                self.explain_lanes(emit, call);
                let (arch, vector) = (self.options.arch, self.dims[4]);
                arrays::each(emit, count, |emit, index| {
                    let at = operators::element(emit, call.ty, local, index);
                    let value = operators::load_result(emit, call.ty, at);
                    let value = reduce::lanes::combine(emit, arch, vector, call, value);
                    operators::store_result(emit, call.ty, at, value);
                });
            }
            (Level::Vector, ReductionKind::Setup | ReductionKind::Teardown) => {}
            (Level::Worker, _) if self.dims[3] == 1 => {}
            (Level::Worker, ReductionKind::Setup) => {
                let size = emit.mul(count, Operand::Int(Type::I64, i64::from(call.ty.ty.bytes())));
                if count.as_int().is_none() {
                    let [memory, before] = self.shared_array(emit, call);
                    emit.op(Op::StackSave { dst: before, each: false });
                    let align = call.op.align(call.ty);
                    emit.op(Op::StackAlloc { dst: memory, bytes: size, align, each: false });
                }
                let slot = self.meeting_place(emit, call, count);
                emit.mem_copy(slot, local, size, call.op.align(call.ty));
            }
            (Level::Worker, ReductionKind::Teardown) => {
                let size = emit.mul(count, Operand::Int(Type::I64, i64::from(call.ty.ty.bytes())));
                let slot = self.meeting_place(emit, call, count);
                emit.mem_copy(local, slot, size, call.op.align(call.ty));
                if count.as_int().is_none() {
                    let [_, before] = self.shared_array(emit, call);
                    emit.stack_restore(Operand::Local(before));
                }
            }
            (Level::Worker, ReductionKind::Init) => arrays::fill_identity(emit, call, local, count),
            (Level::Worker, ReductionKind::Fini) => {
                let slot = self.meeting_place(emit, call, count);
                match self.strategy(emit, call, call.ty) {
                    Strategy::Tree => {
                        // Workers wait for each other: nobody may hold the lock meanwhile.
                        self.unlock(emit, Level::Worker, call.loop_);
                        reduce::workers::in_turn(emit, self.dims[3], |emit| {
                            accumulate_array(emit, Strategy::Tree, call, slot, local, count);
                        });
                        self.lock(emit, Level::Worker, call.loop_);
                    }
                    strategy => accumulate_array(emit, strategy, call, slot, local, count),
                }
            }
            (Level::Gang | Level::Gang2 | Level::Gang3 | Level::Unassigned, kind) => {
                let Some(result) = call.result else { return Ok(()) };
                match kind {
                    ReductionKind::Init => arrays::fill_identity(emit, call, local, count),
                    ReductionKind::Fini => match self.strategy(emit, call, call.ty) {
                        Strategy::Tree => {
                            let partial = self.partial(emit, call, result, Some(count))?;
                            partial.add_array(emit, local, count, self.waits);
                        }
                        strategy => accumulate_array(emit, strategy, call, result, local, count),
                    },
                    ReductionKind::Teardown => self.combine_waiting(emit, call, result, Some(count))?,
                    ReductionKind::Setup => {}
                }
            }
        }
        Ok(())
    }

    fn dim_size(&mut self, emit: &mut Emitter<'_>, level: Level) -> Operand {
        match self.constant_size(level) {
            0 => emit.cursor.dim_size(level),
            size => Operand::Int(Type::I32, i64::from(size)),
        }
    }

    fn dim_pos(&mut self, emit: &mut Emitter<'_>, level: Level) -> Operand {
        // Rows of lanes are padded to warps, so that a lane may have another position than 0 even in a vector
        // of one.
        match (self.constant_size(level), level) {
            (1, Level::Gang | Level::Gang2 | Level::Gang3 | Level::Worker) => Operand::Int(Type::I32, 0),
            _ => emit.cursor.dim_pos(level),
        }
    }

    fn on_device(&mut self, emit: &mut Emitter<'_>, device: Operand) -> Operand {
        is_one_of(emit, device, [DEVICE_NOT_HOST, DEVICE_NVIDIA])
    }

    fn loop_share(
        &mut self,
        emit: &mut Emitter<'_>,
        share: LoopShare,
        loop_: Loop,
        trip: Operand,
    ) -> Operand {
        let Some(directive) = emit.body.loops[loop_].directive.clone() else { return trip };
        let levels = directive.levels;
        let ty = emit.body.operand_type(trip);
        let is_static = directive.gang.as_ref().is_some_and(|gang| gang.static_ == Some(None));
        let inner: Vec<Level> = levels.iter().copied().filter(|level| !level.is_gang()).collect();
        let chunked = is_static && levels.contains(&Level::Gang);
        let chunks = match directive.gang.and_then(|gang| gang.static_) {
            Some(Some(argument)) if levels.contains(&Level::Gang) => {
                let size = Chunks::size_of(emit, argument);
                let [gang, gangs] = [self.dim_pos(emit, Level::Gang), self.dim_size(emit, Level::Gang)];
                Some(Chunks { gang: wide(emit, gang), gangs: wide(emit, gangs), size })
            }
            _ => None,
        };
        let trip = match (share, chunks) {
            (LoopShare::Iteration, Some(chunks)) => return chunks.iteration(emit, trip),
            (LoopShare::Bound | LoopShare::Offset, Some(chunks)) => chunks.count(emit, trip),
            _ => trip,
        };
        let chunked = chunked || chunks.is_some();
        let value = match (share, chunked) {
            (LoopShare::Bound, false) | (LoopShare::Iteration, _) => return trip,
            (LoopShare::Bound, true) if chunks.is_some() => return trip,
            (LoopShare::Offset, true) if chunks.is_some() => self.position(emit, ty, &inner).0,
            (LoopShare::Bound, true) => {
                let (first, length) = self.chunk(emit, trip);
                let end = emit.add(first, length);
                return emit.binary(BinaryOp::SMin, end, trip);
            }
            (LoopShare::Step, false) => return self.position(emit, ty, &levels).1,
            (LoopShare::Step, true) => return self.position(emit, ty, &inner).1,
            (LoopShare::Offset, false) => self.position(emit, ty, &levels).0,
            (LoopShare::Offset, true) => {
                let first = self.chunk(emit, trip).0;
                let position = self.position(emit, ty, &inner).0;
                emit.add(first, position)
            }
        };
        if !levels.contains(&Level::Vector) || self.dims[4].is_multiple_of(32) && self.dims[4] != 0 {
            return value;
        }
        // Lanes that only fill up the last warp of a row execute no iteration.
        let lane = emit.cursor.dim_pos(Level::Vector);
        let lanes = emit.cursor.dim_size(Level::Vector);
        let real = emit.compare(CmpOp::ULt, lane, lanes);
        emit.select(real, value, trip)
    }
}

impl PtxTarget {
    /// The calls of a quad by functions of the program in which the lanes of a row take part, or one thread
    /// alone; whether it is one of these.
    fn reduce_alone(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        declared: Declared,
        (local, bytes): (Address, Operand),
    ) -> bool {
        let is_of_lanes = match call.level {
            Level::Vector => true,
            Level::Worker if self.dims[3] == 1 => false,
            Level::Worker => return false,
            Level::Gang | Level::Gang2 | Level::Gang3 | Level::Unassigned if call.result.is_some() => {
                return false;
            }
            Level::Gang | Level::Gang2 | Level::Gang3 | Level::Unassigned => false,
        };
        if matches!(call.kind, ReductionKind::Setup | ReductionKind::Teardown) {
            return true;
        }
        let before = *self
            .befores
            .entry((call.red, call.level))
            .or_insert_with(|| Before::new(emit, declared, call.loop_, bytes));
        let is_first = is_of_lanes.then(|| reduce::declared::is_first_lane(emit));
        if call.kind == ReductionKind::Init {
            before.set_aside(emit, (declared, call), is_first, (local, bytes));
            return true;
        }
        before.add(emit, declared, is_first, (local, bytes));
        if is_of_lanes {
            self.explain_lanes(emit, call);
            reduce::declared::combine_lanes(emit, declared, call.loop_, self.dims[4], (local, bytes));
        }
        true
    }

    /// What a quad combines, and among whom; `ty` is the type in memory.
    fn meeting(&self, emit: &Emitter<'_>, call: &Reduction, ty: RedType) -> Meeting {
        let is_array = matches!(call.object, RedObject::Array { .. });
        let has_places = self.no_places(emit, call).is_none();
        let directive = call.loop_.and_then(|loop_| emit.body.loops[loop_].directive.as_ref());
        let over_gangs =
            directive.is_none_or(|directive| directive.levels.iter().any(|level| level.is_gang()));
        let is_redundant = call.level.is_gang() && !over_gangs;
        Meeting { level: call.level, op: call.op, ty, is_array, has_places, is_redundant }
    }

    /// Why gangs cannot keep results of their own until one combines them.
    fn no_places(&self, emit: &Emitter<'_>, call: &Reduction) -> Option<&'static str> {
        let result = call.result?.base;
        let is_variable = matches!(call.object, RedObject::Array { count, .. } if count.as_int().is_none());
        match call.level {
            Level::Worker | Level::Vector => None,
            _ if is_variable => Some("of an array of variable length"),
            _ if !self.waits && crate::recipe::recipe(emit.body, result).is_none() => {
                Some("to an object whose address is computed in the region")
            }
            _ => None,
        }
    }

    fn explain_reduction(&self, emit: &mut Emitter<'_>, call: &Reduction, how: &str) {
        let name = match call.object {
            RedObject::Scalar { dst, .. } => emit.body.locals[dst].name.clone(),
            RedObject::Array { local, .. } => match local.base {
                Operand::Slot(slot) => emit.body.slots[slot].name.clone(),
                Operand::Local(pointer) => emit.body.locals[pointer].name.clone(),
                _ => None,
            },
        };
        let name = name.map_or_else(|| call.red.to_string(), |name| format!("`{name}`"));
        let by = if call.op.declared().is_some() { "a function" } else { call.op.spelling() };
        let text = format!("the {} reduction of {name} by {by}: {how}", call.level);
        let (pos, function) = (emit.pos, self.function.clone());
        emit.report.decisions.push(Decision { pos, function, topic: topics::REDUCTION, text });
    }

    /// The lanes of a worker combine their results.
    fn explain_lanes(&self, emit: &mut Emitter<'_>, call: &Reduction) {
        if !self.options.explain {
            return;
        }
        let how = match self.dims[4] {
            1 => "one lane has the result",
            2..=32 => "tree: the lanes of a warp exchange values by shuffles",
            _ => "tree: shuffles within a warp, then its warps meet in shared memory",
        };
        self.explain_reduction(emit, call, how);
    }

    /// The strategy of a `fini`, noted for `accrue explain`.
    fn strategy(&mut self, emit: &mut Emitter<'_>, call: &Reduction, ty: RedType) -> Strategy {
        let meeting = self.meeting(emit, call, ty);
        let is_alone = call.level != Level::Worker && self.dims[..3] == [1; 3];
        let strategy = if is_alone { Strategy::Lock } else { meeting.strategy(&self.options) };
        if self.options.explain {
            let how = match is_alone {
                true => "one gang is alone: no other thread takes part".to_owned(),
                false => format!("{}: {}", strategy.name(), meeting.reason(&self.options)),
            };
            self.explain_reduction(emit, call, &how);
        }
        if strategy == Strategy::Lock
            && !is_alone
            && let Some(lock) = &mut self.lock
        {
            lock.needed = true;
        }
        strategy
    }

    /// The array in which workers meet.
    fn meeting_place(&mut self, emit: &mut Emitter<'_>, call: &Reduction, count: Operand) -> Address {
        match count.as_int().and_then(|count| u64::try_from(count).ok()) {
            Some(count) => reduce::workers::array(emit, call, count).into(),
            None => Address::at(Operand::Local(self.shared_array(emit, call)[0])),
        }
    }

    /// The address of an array of variable length in which workers meet, and the height of the stack before
    /// it.
    fn shared_array(&mut self, emit: &mut Emitter<'_>, call: &Reduction) -> [Local; 2] {
        *self.arrays.entry(call.red).or_insert_with(|| [(); 2].map(|()| emit.body.local(Type::Ptr, None)))
    }

    /// Behind a loop whose gangs have waited for each other: the first gang combines what all have.
    fn combine_waiting(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        result: Address,
        count: Option<Operand>,
    ) -> Result<(), Limit> {
        if self.waits && self.meeting(emit, call, call.ty).strategy(&self.options) == Strategy::Tree {
            self.partial(emit, call, result, count)?.combine(emit, self.options.arch, result);
        }
        Ok(())
    }

    /// The gangs' own results of a quad. A limit where it is not known before the end of the launch where
    /// they go.
    fn partial(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        result: Address,
        count: Option<Operand>,
    ) -> Result<Partial, Limit> {
        if let Some(problem) = self.no_places(emit, call) {
            return Err(no_tree(emit.pos, problem));
        }
        let count = count.and_then(|count| count.as_int()).and_then(|count| u64::try_from(count).ok());
        let (size, align) = reduce::gangs::layout(call, count);
        let slot = reduce::gangs::slot(emit, call.loop_, call.red, size, align);
        let partial = Partial { call: call.clone(), slot, count };
        if !self.waits {
            self.partials.push((partial.clone(), result));
        }
        Ok(partial)
    }
}

/// A reduction cannot be combined in order.
fn no_tree(pos: Pos, problem: &str) -> Limit {
    let message = format!("a gang reduction {problem} has no strategy `tree`, which keeps the order");
    Limit { pos, message }
}

/// `into[i] = into[i] OP local[i]` for the elements of an array.
fn accumulate_array(
    emit: &mut Emitter<'_>,
    strategy: Strategy,
    call: &Reduction,
    into: Address,
    local: Address,
    count: Operand,
) {
    if let Some(declared) = call.op.declared() {
        return declared.combine_all(emit, into, local, count);
    }
    arrays::each(emit, count, |emit, index| {
        let from = operators::element(emit, call.ty, local, index);
        let to = operators::element(emit, call.ty, into, index);
        let value = operators::load_result(emit, call.ty, from);
        accumulate(emit, strategy.exclusion(), call.op, call.ty, to, value);
    });
}
