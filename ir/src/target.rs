//! What differs between the host and a device: the hooks that expand the abstract operations of a region.
//!
//! The passes `assign-levels`, `collapse`, `partition` and `expand` ask a [`Target`]; nothing else does. A
//! hook that emits code gets an [`Emitter`] standing where the abstract operation stood and returns the value
//! that the operation produces; the pass writes it to the operation's destination. A hook may emit any
//! control flow through it. It may also emit the operation it was asked to expand again, if its code
//! generator implements that operation.
//!
//! Values of reduction variables are in *promoted* form between the calls of a quad: small integers are `i32`
//! ([`operators::promoted`]); everything else has its own type. Only `*RES` has the width of the C type, and
//! [`operators::load_result`] and [`operators::store_result`] cross between the two.
//!
//! What hooks of several targets emit for reductions stands beside the trait: operators, shares in chunks,
//! arrays element by element, elements that functions of the program combine, and accumulation into what
//! threads share.

pub mod accumulate;
pub mod arrays;
pub mod chunks;
pub mod declared;
pub mod emitter;
pub mod operators;

use crate::acc::{Dims, Level, LoopDirective, Reduction, RegionData};
use crate::analysis::inner_sums::InnerSums;
use crate::entities::{Block, Func, Loop};
use crate::function::{Body, Function, FunctionKind, Routine};
use crate::module::Module;
use crate::op::{Address, BinaryOp, Callee, CmpOp, LoopShare, Op, Operand};
use crate::report::{Limit, Report};
use crate::types::Type;
pub use emitter::Emitter;
use std::sync::Arc;

/// A function as the target sees it while its body is being rewritten.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Its id.
    pub func: Func,
    /// Its name in the program: for a region, that of the function it was cut out of.
    pub name: &'a Arc<str>,
    /// Region or C function.
    pub kind: &'a FunctionKind,
    /// `acc routine`, if it is one.
    pub routine: Option<&'a Routine>,
}

/// A call of a routine that may use a level of parallelism.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoutineCall {
    /// The innermost loop around the call.
    pub loop_: Option<Loop>,
    /// The routine's level.
    pub level: Level,
}

impl RoutineCall {
    /// The calls of routines with a level of their own in a body.
    pub fn all_in(module: &Module, body: &Body) -> Vec<RoutineCall> {
        let mut found = Vec::new();
        for &block in &body.order {
            let data = &body.blocks[block];
            for inst in &data.insts {
                if let Op::Call { callee: Callee::Direct(func), .. } = inst.op
                    && let Some(level) =
                        module.functions[func].routine.as_ref().and_then(|routine| routine.level)
                {
                    found.push(RoutineCall { loop_: data.loop_, level });
                }
            }
        }
        found
    }
}

/// `acc_device_none` of `openacc.h`.
pub const DEVICE_NONE: i64 = 0;
/// `acc_device_host`.
pub const DEVICE_HOST: i64 = 2;
/// `acc_device_not_host`.
pub const DEVICE_NOT_HOST: i64 = 4;
/// `acc_device_nvidia`.
pub const DEVICE_NVIDIA: i64 = 5;

/// Whether a kind of device is one of two.
pub fn is_one_of(emit: &mut Emitter<'_>, device: Operand, kinds: [i64; 2]) -> Operand {
    let [a, b] = kinds.map(|kind| emit.compare(CmpOp::Eq, device, Operand::Int(Type::I32, kind)));
    emit.binary(BinaryOp::Or, a, b)
}

impl<'a> Context<'a> {
    /// Of a function of a module.
    pub fn of(func: Func, function: &'a Function) -> Context<'a> {
        let name = function.kind.launched().map_or(&function.name, |region| &region.parent);
        Context { func, name, kind: &function.kind, routine: function.routine.as_ref() }
    }
}

/// Iterations of two loops of a merged nest that are executed at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Of the outer one.
    pub rows: u32,
    /// Of the one whose iterations neighbouring threads execute.
    pub columns: u32,
    /// Loops in the body go through rows of elements that neighbouring threads have each for themselves:
    /// `x[j][k]` for each `k`.
    pub has_rows: bool,
}

/// How threads execute the rows of a merged nest in strips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strips {
    /// Neighbours along the next to innermost loop that a thread executes together: a power of two.
    pub rows: u32,
    /// Threads that a gang has at least, which execute neighbours along the innermost loop: a power of two.
    pub least_threads: u32,
    /// Workers that a gang has at most, if they are as many as a row has use for; 0 if their number is fixed.
    pub most_workers: u32,
}

/// How the threads of a gang share a loop that reduces in each iteration of another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Threads of a gang: a power of two, not below twice the widest group.
    pub threads: u32,
    /// Outer loops with so many iterations, or more, stay as they are.
    pub most: u64,
    /// So do those around inner loops with fewer iterations than this.
    pub least: u64,
    /// From how many iterations of the outer loop on a gang takes 2, 4, 8, 16, 32 of them at a time.
    pub widths: [u64; 5],
}

/// How the threads of a gang load and store rows of memory for each other that iterations have each for
/// themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Staging {
    /// Bytes of memory of a gang that rows may take.
    pub room: u64,
    /// Iterations that a gang takes at a time, at least and at most: powers of two.
    pub least: u32,
    /// See [`Staging::least`].
    pub most: u32,
    /// A gang takes more of them only if there are so many times that many.
    pub groups: u64,
    /// Loops with fewer iterations stay as they are.
    pub fewest: u64,
    /// Rows of fewer bytes stay where they are.
    pub shortest: u64,
    /// Rows that iterations store at places of their own stay where they are if they have fewer bytes.
    pub stored: u64,
    /// So do those of fewer bytes that loops come back to at places of their own.
    pub repeated: u64,
    /// Bytes that a thread stores at once where a row starts at a multiple of so many.
    pub vector: u32,
}

/// How the threads of a gang exchange values in a merged nest some of whose accesses go along an outer loop,
/// the rest along the innermost one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// The number of the outer loop in the nest.
    pub outer: usize,
    /// Iterations of each of the two loops in a square that a gang executes at a time: a power of two.
    pub side: u32,
    /// Threads of a gang, in rows of that many: how many rows. A power of two, and at most the side.
    pub rows: u32,
    /// The accesses that go along the outer loop, by block and number of the instruction.
    pub across: Vec<(Block, usize)>,
}

/// Iterations of a merged nest from which on a thread may execute several together ([`Target::jams`]): of
/// fewer, there would be too little for all threads to do.
pub const FEWEST_JAMMED: i64 = 1 << 18;

/// Threads that are left where each executes as many rows as a square of iterations has, one column of them
/// ([`Target::jams`]): from so many on that is faster than one iteration for each. Products of 300 by 300
/// floats take 0.86 of the time then, of 400 by 400 0.60, of 256 by 256 1.5, on an H200.
pub const FEWEST_THIN: i64 = 20 << 10;

/// The same as [`FEWEST_JAMMED`] where a test leaves some of the iterations with nothing to do.
pub const FEWEST_GUARDED: i64 = 1 << 20;

/// Tiles in a row or a column of a merged nest, at least ([`Target::tiles`]): of fewer, too much of the last
/// one would be over the edge.
pub const FEWEST_TILES: u32 = 4;

/// What the innermost loops in the body of a merged nest load, once through each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Loads {
    /// Loads whose address depends on no counter of the nest's two innermost loops, on the outer one, on the
    /// innermost one, on both.
    pub by_class: [usize; 4],
    /// Registers of 32 bits that such a loop hands from iteration to iteration and that are not the same for
    /// different iterations of the nest.
    pub carried: u32,
    /// Some go through rows of elements that neighbouring threads have each for themselves
    /// ([`Tile::has_rows`]).
    pub has_rows: bool,
}

/// What passes have to know about arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Arithmetic {
    /// Sums, products and extrema of floating-point numbers keep their order, unless a clause says otherwise.
    pub strict_fp: bool,
    /// Signed integers wrap around; otherwise a program whose integers overflow has no meaning.
    pub signed_wraps: bool,
    /// Code that devices execute rounds a product and the sum that takes it once.
    pub contracts: bool,
    /// Floating-point numbers are taken for real ones (`-ffast-math`): code of the host is contracted, too,
    /// sums and products have any order, and a quotient may be a product with a reciprocal.
    pub fast_math: bool,
}

/// The hooks. Defaults are those of a machine with one thread, where they can be.
///
/// Per function the order of calls is: [`Target::assign_levels`], later [`Target::collapses`] and
/// [`Target::partitions`] per loop, later [`Target::begin`], the emitting hooks in layout order of the
/// operations, [`Target::leave`] where the function returns, and [`Target::end`]. Layout order is not
/// execution order: what a hook must remember from one call of a quad to the next is keyed by `(red, level)`,
/// and by `loop_` for locks, and may not rely on `setup` being seen before `fini`.
///
/// What a hook knows from one pass to the next it finds in the IR again, since work may stop between any two
/// passes and go on in another process ([`crate::passes::Section`]). What the user is told goes to the report
/// as it arises, and what is asked for and not supported is a [`Limit`].
pub trait Target {
    /// Name in messages.
    fn name(&self) -> &'static str;

    /// Chooses levels for the loops of a region or routine whose [`LoopDirective::levels`] are
    /// [`Level::Unassigned`], by overwriting them; an empty list makes the loop sequential. A target on which
    /// all levels are one thread leaves them as they are. Where levels decide about it, gives variables their
    /// place ([`crate::SlotKind`]), too. `calls` are the routines with levels that are called: their levels
    /// are not free for the loops around. `asked` is what the program says of a region's launch dimensions.
    fn assign_levels(
        &mut self,
        context: Context<'_>,
        (calls, asked): (&[RoutineCall], Option<&Dims>),
        body: &mut Body,
        report: &mut Report,
    ) {
        let _ = (context, calls, asked, body, report);
    }

    /// Decides how a region is launched: [`crate::RegionData::constant_dims`], which hold what the program
    /// says as constants, and whether gangs wait for each other. `dims` is all that the program says. A
    /// target may choose what it leaves open, and clamp what cannot be done.
    fn choose_dims(
        &mut self,
        func: Func,
        dims: &Dims,
        region: &mut RegionData,
        body: &Body,
        report: &mut Report,
    ) {
        let _ = (func, dims, region, body, report);
    }

    /// Whether gangs of a region add what they have of a scalar to the variable by an atomic operation behind
    /// the loop, so that others may update the variable meanwhile: a region on another queue, for instance.
    fn combines_atomically(&self, region: &RegionData) -> bool {
        let _ = region;
        false
    }

    /// Whether the loops associated with a `collapse` clause are merged into one before the loop is
    /// partitioned.
    fn collapses(&self, context: Context<'_>, directive: &LoopDirective) -> bool {
        let _ = (context, directive);
        false
    }

    /// The tile in which threads that execute iterations of a merged nest at the same time should lie, if
    /// that is better than one iteration of a loop behind the other. The last numbers of `order` are those of
    /// the two loops in the nest. Both sides are powers of two.
    fn tiles(&self, context: Context<'_>, body: &Body, nest: &[Loop], order: &[usize]) -> Option<Tile> {
        let _ = (context, body, nest, order);
        None
    }

    /// The strips in which a merged nest should be executed.
    fn strips(&self, context: Context<'_>, body: &Body, nest: &[Loop]) -> Option<Strips> {
        let _ = (context, body, nest);
        None
    }

    /// Whether who launches a region can compute a value of it from the arguments: it can give gangs to what
    /// is counted.
    fn knows_before_launch(&self, body: &Body, value: Operand) -> bool {
        let _ = (body, value);
        false
    }

    /// The number of the loop of a nest that is to be merged along which neighbouring threads should execute
    /// neighbouring iterations.
    fn innermost(&self, context: Context<'_>, body: &Body, nest: &[Loop]) -> usize {
        let _ = (context, body);
        nest.len() - 1
    }

    /// How the threads of a gang should exchange values in a nest that is to be merged, if that is better
    /// than to access memory as the program does: with lanes along the innermost loop. Its gangs, workers
    /// and lanes share the iterations, all of them.
    fn exchanges(&self, context: Context<'_>, body: &Body, nest: &[Loop]) -> Option<Exchange> {
        let _ = (context, body, nest);
        None
    }

    /// How the threads of a gang should load and store rows for each other in a loop whose iterations they
    /// share.
    fn stages(&self, context: Context<'_>, body: &Body, outer: Loop) -> Option<Staging> {
        let _ = (context, body, outer);
        None
    }

    /// How the threads of a gang should share the inner loop of one that reduces in each iteration, if one
    /// thread for each of these is too few.
    fn parts(&self, context: Context<'_>, body: &Body, outer: Loop) -> Option<(InnerSums, Parts)> {
        let _ = (context, body, outer);
        None
    }

    /// How many iterations of the two innermost loops of a tiled nest, rows and columns, a thread should
    /// execute together, so that it loads once what they share; powers of two.
    fn jams(&self, loads: &Loads) -> [u32; 2] {
        let _ = loads;
        [1, 1]
    }

    /// Whether the iterations of a loop with these levels are shared between threads. If not, the loop stays
    /// as it is, at no cost; if so, the pass `partition` rewrites it in terms of [`crate::Op::LoopShare`].
    fn partitions(&self, context: Context<'_>, levels: &[Level]) -> bool;

    /// Whether loops of at most 2^31 iterations may be shared in 32 bits: then [`Target::loop_share`] is
    /// asked with an `i32` for them, which has no sign, and no launch has more than 2^28 threads in a row of
    /// gangs.
    fn shares_narrow(&self, context: Context<'_>) -> bool {
        let _ = context;
        false
    }

    /// Whether a thread's share of a loop is one block of consecutive iterations, from
    /// [`LoopShare::Offset`] up to [`LoopShare::Bound`]: then the loop keeps its form, and
    /// [`LoopShare::Step`] is not asked for.
    fn shares_blocks(&self, body: &Body, loop_: Loop) -> bool {
        let _ = (body, loop_);
        false
    }

    /// Whether a gang may have several threads.
    fn has_lanes(&self) -> bool {
        false
    }

    /// Whether the user asked for explanations: passes need not collect them otherwise.
    fn explains(&self) -> bool {
        false
    }

    /// What the user says about arithmetic.
    fn arithmetic(&self) -> Arithmetic {
        Arithmetic::default()
    }

    /// Whether arguments stay arguments which all calls pass alike, as those of calls that nobody sees.
    fn keeps_arguments(&self) -> bool {
        false
    }

    /// Whether address arithmetic extends 32-bit indices by itself, so that they need not be extended before.
    fn extends_indices(&self) -> bool {
        false
    }

    /// Before the first emitting hook of a function.
    fn begin(&mut self, context: Context<'_>) {
        let _ = context;
    }

    /// Before a return, when all operations were expanded.
    fn leave(&mut self, context: Context<'_>, emit: &mut Emitter<'_>) -> Result<(), Limit> {
        let _ = (context, emit);
        Ok(())
    }

    /// After the last emitting hook of a function. `emit` stands at the very start of the function, for code
    /// and storage that all of it shares.
    fn end(&mut self, context: Context<'_>, emit: &mut Emitter<'_>) {
        let _ = (context, emit);
    }

    /// [`crate::Op::HeadMark`].
    fn head_mark(&mut self, emit: &mut Emitter<'_>, loop_: Loop, inner: bool) {
        let _ = (emit, loop_, inner);
    }

    /// [`crate::Op::TailMark`].
    fn tail_mark(&mut self, emit: &mut Emitter<'_>, loop_: Loop, inner: bool) {
        let _ = (emit, loop_, inner);
    }

    /// [`crate::Op::Fork`].
    fn fork(&mut self, emit: &mut Emitter<'_>, level: Level, loop_: Option<Loop>) {
        let _ = (emit, level, loop_);
    }

    /// [`crate::Op::Join`].
    fn join(&mut self, emit: &mut Emitter<'_>, level: Level, loop_: Option<Loop>) {
        let _ = (emit, level, loop_);
    }

    /// [`crate::Op::Lock`]; the `fini` calls of the loop at this level follow.
    fn lock(&mut self, emit: &mut Emitter<'_>, level: Level, loop_: Option<Loop>) {
        let _ = (emit, level, loop_);
    }

    /// [`crate::Op::Unlock`].
    fn unlock(&mut self, emit: &mut Emitter<'_>, level: Level, loop_: Option<Loop>) {
        let _ = (emit, level, loop_);
    }

    /// One call of a scalar quad: `local` is LOCAL so far, promoted; returns LOCAL's new value, promoted.
    fn reduce_scalar(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Operand,
    ) -> Result<Operand, Limit>;

    /// One call of an array quad: updates the `count` elements of LOCAL at `local` in place. Elements are not
    /// promoted in memory.
    fn reduce_array(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Address,
        count: Operand,
    ) -> Result<(), Limit>;

    /// [`crate::Op::DimSize`]: an `i32` or the type of the destination.
    fn dim_size(&mut self, emit: &mut Emitter<'_>, level: Level) -> Operand;

    /// [`crate::Op::DimPos`]: as [`Target::dim_size`].
    fn dim_pos(&mut self, emit: &mut Emitter<'_>, level: Level) -> Operand;

    /// [`crate::Op::OnDevice`]: an `i1`. The host is `acc_device_host` and `acc_device_none`.
    fn on_device(&mut self, emit: &mut Emitter<'_>, device: Operand) -> Operand {
        is_one_of(emit, device, [DEVICE_HOST, DEVICE_NONE])
    }

    /// [`crate::Op::LoopShare`]: of the type of `trip`. [`LoopShare::Iteration`] is asked for loops with
    /// `gang(static:n)` only, with the thread's index in place of the number of iterations. The loop's directive, with its
    /// levels and `gang(static:)`, is in the emitter's body; `trip` is the number of logical iterations, an
    /// `i64` that is not negative, or an `i32` ([`Target::shares_narrow`]).
    fn loop_share(&mut self, emit: &mut Emitter<'_>, share: LoopShare, loop_: Loop, trip: Operand)
    -> Operand;
}
