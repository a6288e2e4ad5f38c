//! The host's expansion of the abstract operations: one worker of one lane executes everything, gang after
//! gang.
//!
//! With one gang nothing is partitioned and every level expands alike (`docs/design/reductions.md`, the rows
//! of the host). With several, loops over gangs are shared between them and reductions at gang levels take
//! the gang row; gangs run in turn, so no lock is needed.

use crate::inline;
use accrue_ir::passes::trace::Traced;
use accrue_ir::passes::{Pass, Pipeline};
use accrue_ir::report::{Limit, Report};
use accrue_ir::target::chunks::Chunks;
use accrue_ir::target::{Arithmetic, Context, Emitter, RoutineCall, Target, arrays, operators};
use accrue_ir::{
    Address, BinaryOp, Body, CmpOp, Dims, FunctionKind, Level, Local, Loop, LoopShare, Op, Operand, Red,
    Reduction, ReductionKind, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The host.
#[derive(Debug, Default)]
pub struct HostTarget {
    several_gangs: bool,
    vectors: bool,
    explains: bool,
    counts_terms: bool,
    arithmetic: Arithmetic,
    traces: Option<Traced>,
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
    /// A host that executes regions with one gang, or with a number that is known when a region starts.
    pub fn new(several_gangs: bool) -> HostTarget {
        HostTarget { several_gangs, vectors: true, ..HostTarget::default() }
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

    /// The same target, for a runtime that compares results and wants to know how many terms reductions have.
    pub fn counting_terms(self) -> HostTarget {
        HostTarget { counts_terms: true, ..self }
    }

    /// The same target, for a runtime that judges loops by what they carry.
    pub fn tracing(self, traced: Traced) -> HostTarget {
        HostTarget { traces: Some(traced), ..self }
    }

    fn original(&mut self, emit: &mut Emitter<'_>, call: &Reduction, ty: Type) -> Original {
        *self
            .originals
            .entry((call.red, call.level))
            .or_insert_with(|| Original { value: emit.temp(ty), height: emit.temp(Type::Ptr) })
    }

    /// The gang row: every gang adds its own part to RESULT.
    fn reduce_in_gangs(emit: &mut Emitter<'_>, call: &Reduction, result: Address, local: Operand) -> Operand {
        match call.kind {
            ReductionKind::Init => operators::identity(emit, call.op, call.ty),
            ReductionKind::Fini => {
                let old = operators::load_result(emit, call.ty, result);
                let new = operators::emit_op(emit, call.op, call.ty, old, local);
                operators::store_result(emit, call.ty, result, new);
                local
            }
            ReductionKind::Setup | ReductionKind::Teardown => local,
        }
    }

    fn dimension(
        &self,
        emit: &mut Emitter<'_>,
        level: Level,
        alone: i64,
        op: fn(Local, Level) -> Op,
    ) -> Operand {
        // Regions get the first gang dimension as an argument; the host has no others.
        if !self.several_gangs || level != Level::Gang {
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

    /// First iteration and length of a gang's share when shares are contiguous.
    fn chunk(&self, emit: &mut Emitter<'_>, trip: Operand) -> (Operand, Operand) {
        let gangs = self.gangs(emit);
        let last = emit.sub(gangs, Operand::Int(Type::I64, 1));
        // Rounded up without overflow: trips may be as large as the type.
        let whole = emit.binary(BinaryOp::SDiv, trip, gangs);
        let rest = emit.binary(BinaryOp::SRem, trip, gangs);
        let some = emit.compare(CmpOp::Gt, rest, Operand::Int(Type::I64, 0));
        let more = emit.convert(accrue_ir::ConvertOp::ZExt, Type::I64, some);
        let length = emit.add(whole, more);
        let gang = self.gang(emit);
        let gang = emit.binary(BinaryOp::SMin, gang, last);
        let first = emit.mul(gang, length);
        (emit.binary(BinaryOp::SMin, first, trip), length)
    }

    /// The chunks of a loop with `gang(static:n)`.
    fn chunks(&self, emit: &mut Emitter<'_>, loop_: Loop) -> Option<Chunks> {
        let directive = emit.body.loops[loop_].directive.as_ref()?;
        let argument = directive.gang.as_ref()?.static_??;
        let size = Chunks::size_of(emit, argument);
        Some(Chunks { gang: self.gang(emit), gangs: self.gangs(emit), size })
    }

    fn is_contiguous(emit: &Emitter<'_>, loop_: Loop) -> bool {
        let directive = emit.body.loops[loop_].directive.as_ref();
        directive.and_then(|d| d.gang.as_ref()).is_some_and(|gang| gang.static_ == Some(None))
    }
}

impl Pipeline for HostTarget {
    const PASSES: &'static [Pass<HostTarget>] = &[
        Pass::LOWER,
        Pass::TASKS.when(|host| host.explains),
        Pass::OUTLINE_THREADS,
        Pass::SECTIONS,
        Pass::KERNELS,
        Pass::SIGNS,
        Pass::PRIVATIZE,
        Pass::SPLIT_KERNELS,
        Pass::OUTLINE,
        Pass::PROMOTE_SLOTS,
        Pass::TRACE.when(|host| host.traces == Some(Traced::Parallel)),
        Pass::TRACE_ALL.when(|host| host.traces == Some(Traced::All)),
        Pass::ASSIGN_LEVELS.when(|host| host.several_gangs),
        Pass::UNITE,
        // The host merges no nests, and says so.
        Pass::COLLAPSE.when(|host| host.explains),
        Pass::TERMS.when(|host| host.counts_terms),
        Pass::REDUCTIONS,
        Pass::MAP_VARS,
        Pass::PARTITION.when(|host| host.several_gangs),
        Pass::EXPAND,
        Pass::FOLD,
        Pass::DCE,
        Pass::SIMPLIFY_CFG,
        Pass::CONTRACT.when(|host| host.arithmetic.contracts),
        Pass::new("inline", "put functions where they are called, make locals of objects", |module, _| {
            inline::run(module);
            Ok(())
        })
        .when(|host: &HostTarget| host.vectors),
        Pass::HOIST.when(|host| host.vectors),
        Pass::VECTORIZE.when(|host| host.vectors),
        Pass::ROTATE.when(|host| host.vectors),
    ];
}

impl Target for HostTarget {
    fn name(&self) -> &'static str {
        "host"
    }

    /// With several gangs, outermost loops without a level are shared between them; not those around a gang
    /// loop, and nor around the call of a gang routine, and not in routines that are no gang routines.
    fn assign_levels(
        &mut self,
        context: Context<'_>,
        (calls, _): (&[RoutineCall], Option<&Dims>),
        body: &mut Body,
        _: &mut Report,
    ) {
        let gangs_are_free = match (context.kind, context.routine) {
            (FunctionKind::Region(_), _) => true,
            (FunctionKind::Normal, Some(routine)) => routine.level.is_some_and(Level::is_gang),
            (FunctionKind::Normal, None) | (FunctionKind::Threaded(_), _) => false,
        };
        if !gangs_are_free {
            return;
        }
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

    fn partitions(&self, _: Context<'_>, levels: &[Level]) -> bool {
        levels.contains(&Level::Gang)
    }

    fn explains(&self) -> bool {
        self.explains
    }

    fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    fn begin(&mut self, _: Context<'_>) {
        self.originals.clear();
    }

    fn reduce_scalar(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Operand,
    ) -> Result<Operand, Limit> {
        if self.several_gangs
            && call.level == Level::Gang
            && let Some(result) = call.result
        {
            return Ok(HostTarget::reduce_in_gangs(emit, call, result, local));
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
                arrays::combine(emit, call, result, [result, local], count)
            }
            (Some(_), ReductionKind::Setup | ReductionKind::Teardown) => {}
            (None, _) if !call.escapes => {}
            (None, ReductionKind::Setup) => {
                let Original { value, height } = self.original(emit, call, Type::Ptr);
                emit.op(Op::StackSave { dst: height, each: true });
                let size = emit.mul(count, Operand::Int(Type::I64, bytes));
                emit.op(Op::StackAlloc { dst: value, bytes: size, align: call.ty.ty.align(), each: true });
                emit.mem_copy(Address::at(Operand::Local(value)), local, size, call.ty.ty.align());
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

    /// Round robin; contiguous for `static:*`; chunk after chunk for `static:n`.
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
        let contiguous = HostTarget::is_contiguous(emit, loop_);
        match (share, contiguous) {
            (LoopShare::Offset, false) => self.gang(emit),
            (LoopShare::Step, false) => self.gangs(emit),
            (LoopShare::Bound, false) | (LoopShare::Iteration, _) => trip,
            (LoopShare::Offset, true) => self.chunk(emit, trip).0,
            (LoopShare::Step, true) => Operand::Int(Type::I64, 1),
            (LoopShare::Bound, true) => {
                let (first, length) = self.chunk(emit, trip);
                let rest = emit.sub(trip, first);
                let length = emit.binary(BinaryOp::SMin, length, rest);
                emit.add(first, length)
            }
        }
    }
}
