//! The host's expansion of the abstract operations: a gang is one worker of one lane.
//!
//! With one gang nothing is partitioned and every level expands alike (`docs/design/reductions.md`, the rows
//! of the host). With several, loops over gangs are shared between them, each gang a block of iterations, and
//! reductions at gang levels take the gang row ([`crate::reduce`]).

use crate::alone;
use crate::around_calls;
use crate::codegen;
use crate::explain;
use crate::inline;
use crate::reduce::{self, Gangs};
use crate::teams;
use accrue_ir::analysis::gang_loop::is_one_gang_loop;
use accrue_ir::passes::trace::Traced;
use accrue_ir::passes::{Pass, Pipeline};
use accrue_ir::report::{Limit, Report};
use accrue_ir::target::chunks::Chunks;
use accrue_ir::target::{Arithmetic, Context, Emitter, RoutineCall, Target, arrays, operators};
use accrue_ir::{
    Address, BinaryOp, Body, CmpOp, ConstructKind, Dims, Func, FunctionKind, Level, Local, Loop, LoopShare,
    Op, Operand, Red, Reduction, ReductionKind, RegionData, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The host.
#[derive(Debug, Default)]
pub struct HostTarget {
    gangs: Gangs,
    vectors: bool,
    explains: bool,
    counts_terms: bool,
    arithmetic: Arithmetic,
    fuses: bool,
    keeps_arguments: bool,
    traces: Option<Traced>,
    /// Functions that call gang routines.
    call_gang_routines: FxHashSet<Func>,
    /// The function that is expanded, as the program names it.
    name: Arc<str>,
    /// What a quad remembers from its setup on.
    originals: FxHashMap<(Red, Level), Original>,
}

/// The original of a reduction object whose private copy starts at the identity.
#[derive(Clone, Copy, Debug)]
struct Original {
    /// The value of a scalar, the address of the copy of an array.
    value: Local,
    /// Height of the stack below the copy.
    height: Local,
}

impl HostTarget {
    /// A host that executes regions with such gangs.
    pub fn new(gangs: Gangs) -> HostTarget {
        HostTarget { gangs, vectors: true, ..HostTarget::default() }
    }

    /// The same target, whose code is not worth the time that making it fast takes.
    pub fn without_vectors(self) -> HostTarget {
        HostTarget { vectors: false, ..self }
    }

    /// The same target, for a user who wants to know what is decided.
    pub fn with_explanations(self) -> HostTarget {
        HostTarget { explains: true, ..self }
    }

    /// The same target, for a program with this arithmetic.
    pub fn with_arithmetic(self, arithmetic: Arithmetic) -> HostTarget {
        HostTarget { arithmetic, ..self }
    }

    /// The same target, of a program that a device executes whose launches are fused: host and device must
    /// have the same ones.
    pub fn fusing(self, fuses: bool) -> HostTarget {
        HostTarget { fuses, ..self }
    }

    /// The same target, with arguments for sizes that all calls pass alike: launches pass what regions take.
    pub fn keeping_arguments(self, keeps_arguments: bool) -> HostTarget {
        HostTarget { keeps_arguments, ..self }
    }

    /// Whether launches are fused.
    pub fn fuses(&self) -> bool {
        self.fuses
    }

    /// The same target, for a runtime that compares results and wants to know how many terms reductions have.
    pub fn counting_terms(self) -> HostTarget {
        HostTarget { counts_terms: true, ..self }
    }

    /// The same target, for a runtime that judges loops by what they carry, or tasks by what orders them.
    pub fn tracing(self, traced: Traced) -> HostTarget {
        HostTarget { traces: Some(traced), ..self }
    }

    /// Whether the runtime judges tasks.
    pub fn traces_tasks(&self) -> bool {
        self.traces == Some(Traced::Tasks)
    }

    fn original(&mut self, emit: &mut Emitter<'_>, call: &Reduction, ty: Type) -> Original {
        *self
            .originals
            .entry((call.red, call.level))
            .or_insert_with(|| Original { value: emit.temp(ty), height: emit.temp(Type::Ptr) })
    }

    fn dimension(
        &self,
        emit: &mut Emitter<'_>,
        level: Level,
        alone: i64,
        op: fn(Local, Level) -> Op,
    ) -> Operand {
        // Regions get the first gang dimension as an argument; the host has no others.
        if !self.gangs.are_several() || level != Level::Gang {
            return Operand::Int(Type::I32, alone);
        }
        let dst = emit.temp(Type::I32);
        emit.op(op(dst, level));
        Operand::Local(dst)
    }

    fn gang(&self, emit: &mut Emitter<'_>) -> Operand {
        let gang = self.dim_pos_of(emit, Level::Gang);
        emit.convert(accrue_ir::ConvertOp::SExt, Type::I64, gang)
    }

    fn gangs(&self, emit: &mut Emitter<'_>) -> Operand {
        let gangs = self.dim_size_of(emit, Level::Gang);
        emit.convert(accrue_ir::ConvertOp::SExt, Type::I64, gangs)
    }

    fn dim_size_of(&self, emit: &mut Emitter<'_>, level: Level) -> Operand {
        self.dimension(emit, level, 1, |dst, level| Op::DimSize { dst, level })
    }

    fn dim_pos_of(&self, emit: &mut Emitter<'_>, level: Level) -> Operand {
        self.dimension(emit, level, 0, |dst, level| Op::DimPos { dst, level })
    }

    /// The first of a gang's iterations, and the one behind its last: shares are blocks whose lengths differ
    /// by one at the most.
    fn block(&self, emit: &mut Emitter<'_>, trip: Operand) -> (Operand, Operand) {
        let (gang, gangs) = (self.gang(emit), self.gangs(emit));
        let whole = emit.binary(BinaryOp::SDiv, trip, gangs);
        let dealt = emit.mul(whole, gangs);
        let rest = emit.sub(trip, dealt);
        let before = emit.mul(gang, whole);
        let more_before = emit.binary(BinaryOp::SMin, gang, rest);
        let first = emit.add(before, more_before);
        let has_more = emit.compare(CmpOp::Lt, gang, rest);
        let more = emit.convert(accrue_ir::ConvertOp::ZExt, Type::I64, has_more);
        let length = emit.add(whole, more);
        (first, emit.add(first, length))
    }

    /// The chunks of a loop with `gang(static:n)`.
    fn chunks(&self, emit: &mut Emitter<'_>, loop_: Loop) -> Option<Chunks> {
        let directive = emit.body.loops[loop_].directive.as_ref()?;
        let argument = directive.gang.as_ref()?.static_??;
        let size = Chunks::size_of(emit, argument);
        Some(Chunks { gang: self.gang(emit), gangs: self.gangs(emit), size })
    }
}

impl Pipeline for HostTarget {
    const PASSES: &'static [Pass<HostTarget>] = &[
        Pass::LOWER,
        Pass::TASKS.when(|host| host.explains),
        Pass::OUTLINE_THREADS,
        Pass::ORPHANS,
        Pass::CONSTANT_DATA,
        Pass::INLINE_EARLY,
        Pass::FOLLOWED,
        Pass::SECTIONS,
        Pass::KERNELS,
        Pass::ARGUMENTS,
        Pass::PRIVATIZE,
        Pass::SPLIT_KERNELS,
        Pass::FUSE.when(|host| host.fuses),
        Pass::WIDEN.when(|host| host.vectors && !host.arithmetic.signed_wraps),
        Pass::SIGNS,
        Pass::OUTLINE,
        Pass::PROMOTE_SLOTS,
        Pass::TRACE.when(|host| host.traces == Some(Traced::Parallel)),
        Pass::TRACE_ALL.when(|host| host.traces == Some(Traced::All)),
        Pass::TRACE_TASKS.when(|host| host.traces == Some(Traced::Tasks)),
        Pass::EXCLUDE,
        Pass::ASSIGN_LEVELS.when(|host| host.gangs.are_several()),
        Pass::ASK_THREADS,
        Pass::UNITE,
        // The host merges no nests, and says so.
        Pass::COLLAPSE.when(|host| host.explains),
        Pass::UPDATES.when(|host| host.gangs.combine_atomically()),
        Pass::TERMS.when(|host| host.counts_terms),
        Pass::REDUCTIONS,
        Pass::MAP_VARS,
        Pass::PARTITION,
        Pass::EXPAND,
        Pass::FOLD,
        Pass::DCE,
        Pass::SIMPLIFY_CFG,
        Pass::new("teams", "make functions of what the threads of a team execute", |module, _| {
            teams::run(module)
        }),
        Pass::CONTRACT.when(|host| host.arithmetic.contracts),
        Pass::new("inline", "put functions where they are called, make locals of objects", |module, _| {
            inline::run(module);
            Ok(())
        })
        .when(|host: &HostTarget| host.vectors),
        Pass::new("alone", "update plainly what no other thread can disturb", |module, _| {
            alone::run(module);
            Ok(())
        })
        .when(|host: &HostTarget| host.vectors),
        Pass::HOIST.when(|host| host.vectors),
        Pass::AHEAD.when(|host| host.vectors),
        Pass::RECIPROCALS.when(|host| host.vectors && host.arithmetic.fast_math),
        Pass::VECTORIZE.when(|host| host.vectors && !host.arithmetic.fast_math),
        Pass::VECTORIZE_FAST.when(|host| host.vectors && host.arithmetic.fast_math),
        Pass::ROTATE.when(|host| host.vectors),
        Pass::STEPS.when(|host| host.vectors),
        Pass::REMEMBER.when(|host| host.vectors),
        Pass::OVERWRITTEN.when(|host| host.vectors),
        Pass::CHOOSE.when(|host| host.vectors),
        Pass::CONTRACT_REST
            .when(|host| host.arithmetic.contracts && host.arithmetic.fast_math && codegen::rounds_once()),
        Pass::of_each(
            "around-calls",
            "load in front of loops what calls take from registers",
            around_calls::run,
        )
        .when(|host: &HostTarget| host.vectors),
    ];
}

/// Shares outermost loops without a level between gangs; not those around a gang loop, and nor around the
/// call of a gang routine.
fn give_gangs(calls: &[RoutineCall], body: &mut Body) {
    let ids: Vec<Loop> = body.loops.keys().collect();
    let has = |body: &Body, id: Loop, what: fn(Level) -> bool| {
        body.loops[id].directive.as_ref().is_some_and(|d| d.levels.iter().any(|&level| what(level)))
    };
    let mut holds_gangs: FxHashSet<Loop> = FxHashSet::default();
    let called = calls.iter().filter(|call| call.level.is_gang()).filter_map(|call| call.loop_);
    for id in ids.iter().copied().filter(|&id| has(body, id, Level::is_gang)).chain(called) {
        holds_gangs.extend(std::iter::successors(Some(id), |&id| body.loops[id].parent));
    }
    for &id in &ids {
        let mut around = std::iter::successors(body.loops[id].parent, |&id| body.loops[id].parent);
        let inside = around.any(|around| has(body, around, |level| level != Level::Unassigned));
        if !inside
            && !holds_gangs.contains(&id)
            && let Some(directive) = &mut body.loops[id].directive
            && directive.levels == [Level::Unassigned]
        {
            directive.levels = vec![Level::Gang];
        }
    }
}

impl Target for HostTarget {
    fn name(&self) -> &'static str {
        "host"
    }

    fn combines_atomically(&self, _: &RegionData) -> bool {
        self.gangs.combine_atomically()
    }

    fn assign_levels(
        &mut self,
        context: Context<'_>,
        (calls, _): (&[RoutineCall], Option<&Dims>),
        body: &mut Body,
        report: &mut Report,
    ) {
        let gangs_are_free = match (context.kind, context.routine) {
            (FunctionKind::Region(_), _) => true,
            (FunctionKind::Normal, Some(routine)) => routine.level.is_some_and(Level::is_gang),
            (FunctionKind::Normal, None) | (FunctionKind::Threaded(_), _) => false,
        };
        if calls.iter().any(|call| call.level.is_gang()) {
            self.call_gang_routines.insert(context.func);
        }
        if gangs_are_free {
            give_gangs(calls, body);
        }
        if self.explains {
            explain::levels(context, body, report);
        }
    }

    /// A region in which gangs would have to wait for each other has one, and the launch is told by the
    /// constant; so has one that shares nothing between gangs.
    fn choose_dims(
        &mut self,
        func: Func,
        asked: &Dims,
        region: &mut RegionData,
        body: &Body,
        report: &mut Report,
    ) {
        let has_gang_loop = explain::has_gang_loop(body);
        let one_is_enough = match region.construct {
            ConstructKind::Kernels => !(has_gang_loop && is_one_gang_loop(body)),
            // More of them would only repeat what one does; in turn they are there to try just that.
            ConstructKind::Parallel if matches!(self.gangs, Gangs::AtOnce { .. }) => {
                asked.gangs[0].is_none() && !has_gang_loop && !self.call_gang_routines.contains(&func)
            }
            ConstructKind::Parallel | ConstructKind::Serial | ConstructKind::Team | ConstructKind::Task => {
                false
            }
        };
        if one_is_enough {
            region.constant_dims[0] = 1;
        }
        if self.explains {
            explain::launch(asked, region, body, report);
        }
    }

    fn partitions(&self, _: Context<'_>, levels: &[Level]) -> bool {
        self.gangs.are_several() && levels.contains(&Level::Gang)
    }

    /// Blocks, so that gangs do not write to each other's cache lines, and the body of a loop is that of the
    /// program. Chunk after chunk for `static:n`.
    fn shares_blocks(&self, body: &Body, loop_: Loop) -> bool {
        let directive = body.loops[loop_].directive.as_ref();
        !directive
            .and_then(|directive| directive.gang.as_ref())
            .is_some_and(|gang| matches!(gang.static_, Some(Some(_))))
    }

    fn explains(&self) -> bool {
        self.explains
    }

    fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    fn keeps_arguments(&self) -> bool {
        self.keeps_arguments
    }

    fn begin(&mut self, context: Context<'_>) {
        self.name = context.name.clone();
        self.originals.clear();
    }

    fn reduce_scalar(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Operand,
    ) -> Result<Operand, Limit> {
        // Gangs of the first dimension have parts of what those of another one reduce.
        if self.gangs.are_several()
            && call.level.is_gang()
            && let Some(result) = call.result
        {
            if self.explains && call.kind == ReductionKind::Fini {
                explain::reduction(emit, &self.name, self.gangs, call);
            }
            return Ok(reduce::scalar(emit, self.gangs, call, result, local));
        }
        let original = self.original(emit, call, operators::promoted(call.ty)).value;
        Ok(match call.kind {
            ReductionKind::Setup => {
                let value = call.result.map_or(local, |at| operators::load_result(emit, call.ty, at));
                if call.escapes {
                    emit.assign(original, value);
                }
                value
            }
            ReductionKind::Init if call.escapes => operators::identity(emit, call.op, call.ty),
            ReductionKind::Fini if call.escapes => {
                operators::emit_op(emit, call.op, call.ty, Operand::Local(original), local)
            }
            ReductionKind::Init | ReductionKind::Fini => local,
            ReductionKind::Teardown => {
                if let Some(at) = call.result {
                    operators::store_result(emit, call.ty, at, local);
                }
                local
            }
        })
    }

    /// With a RESULT, it keeps the original until the end, on one gang as on several. Without one, LOCAL
    /// itself holds the original, and is set aside where the loop may see it.
    fn reduce_array(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Address,
        count: Operand,
    ) -> Result<(), Limit> {
        let bytes = i64::from(call.ty.ty.bytes());
        match (call.result, call.kind) {
            (Some(_), ReductionKind::Init) => arrays::fill_identity(emit, call, local, count),
            (Some(result), ReductionKind::Fini) => {
                if self.explains && call.level.is_gang() {
                    explain::reduction(emit, &self.name, self.gangs, call);
                }
                reduce::exclusive(emit, self.gangs, call, |emit| {
                    arrays::combine(emit, call, result, [result, local], count);
                });
            }
            (Some(_), ReductionKind::Setup | ReductionKind::Teardown) => {}
            (None, _) if !call.escapes => {}
            (None, ReductionKind::Setup) => {
                let Original { value, height } = self.original(emit, call, Type::Ptr);
                emit.op(Op::StackSave { dst: height, each: true });
                let size = emit.mul(count, Operand::Int(Type::I64, bytes));
                let align = call.op.align(call.ty);
                emit.op(Op::StackAlloc { dst: value, bytes: size, align, each: true });
                emit.mem_copy(Address::at(Operand::Local(value)), local, size, align);
            }
            (None, ReductionKind::Init) => arrays::fill_identity(emit, call, local, count),
            (None, ReductionKind::Fini) => {
                let original = Address::at(Operand::Local(self.original(emit, call, Type::Ptr).value));
                arrays::combine(emit, call, local, [original, local], count);
            }
            (None, ReductionKind::Teardown) => {
                let height = self.original(emit, call, Type::Ptr).height;
                emit.op(Op::StackRestore { saved: Operand::Local(height), each: true });
            }
        }
        Ok(())
    }

    fn dim_size(&mut self, emit: &mut Emitter<'_>, level: Level) -> Operand {
        self.dim_size_of(emit, level)
    }

    fn dim_pos(&mut self, emit: &mut Emitter<'_>, level: Level) -> Operand {
        self.dim_pos_of(emit, level)
    }

    fn loop_share(
        &mut self,
        emit: &mut Emitter<'_>,
        share: LoopShare,
        loop_: Loop,
        trip: Operand,
    ) -> Operand {
        if let Some(chunks) = self.chunks(emit, loop_) {
            return match share {
                LoopShare::Offset => Operand::Int(Type::I64, 0),
                LoopShare::Step => Operand::Int(Type::I64, 1),
                LoopShare::Bound => chunks.count(emit, trip),
                LoopShare::Iteration => chunks.iteration(emit, trip),
            };
        }
        match share {
            LoopShare::Offset => self.block(emit, trip).0,
            LoopShare::Step => Operand::Int(Type::I64, 1),
            LoopShare::Bound => self.block(emit, trip).1,
            LoopShare::Iteration => trip,
        }
    }
}
