//! What the tests of passes share: programs with directives in a few lines, a target of one thread, a target
//! of many, and an interpreter.

pub mod machine;

use crate::acc::{
    ConstructData, ConstructKind, DataMap, Dims, Level, LoopDirective, LoopKind, MapKind, PrivateVar,
    RedType, Reduction, ReductionClause, ReductionKind, ReductionOp, ReductionPart, RegionData, Scheduling,
};
use crate::builder::Cursor;
use crate::entities::{Block, Construct, Local, Loop, Red, Slot};
use crate::function::{Body, Function, FunctionKind, Induction, LoopData, SlotData};
use crate::module::Module;
use crate::op::{Address, BinaryOp, CmpOp, LoopShare, Op, Operand, Pos};
use crate::passes::{Pass, Pipeline, Section, run};
use crate::report::{Limit, PassError, Report};
use crate::target::{Context, Emitter, Target, arrays, operators};
use crate::types::{Signature, Type};
use crate::verify::Verified;

pub const INT: RedType = RedType { ty: Type::I32, signed: true, boolean: false };

/// A function `f` in the making.
pub struct Program {
    pub module: Module,
    pub body: Body,
    pub block: Block,
    loop_: Option<Loop>,
    construct: Option<Construct>,
}

impl Program {
    pub fn new() -> Program {
        let mut body = Body::default();
        let block = body.block();
        Program { module: Module::default(), body, block, loop_: None, construct: None }
    }

    /// Writes at the end of the current block.
    pub fn at(&mut self) -> Cursor<'_> {
        Cursor::new(&mut self.body, self.block)
    }

    pub fn block(&mut self) -> Block {
        let block = self.body.block();
        (self.body.blocks[block].loop_, self.body.blocks[block].construct) = (self.loop_, self.construct);
        block
    }

    pub fn go(&mut self, block: Block) {
        self.at().jump(block);
        self.block = block;
    }

    pub fn slot(&mut self, name: &str, size: u64) -> Slot {
        let name = Some(name.into());
        let align = if size.is_multiple_of(8) { 8 } else { size.min(4) as u32 };
        let data = SlotData::frame(size, align, name);
        self.body.slots.push(SlotData { declared_in: self.loop_, ..data })
    }

    pub fn local(&mut self, name: &str, ty: Type) -> Local {
        self.body.local(ty, Some(name.into()))
    }

    /// A compute construct around what `inside` writes; `clauses` completes its data.
    pub fn construct(
        &mut self,
        kind: ConstructKind,
        clauses: impl FnOnce(&mut ConstructData),
        inside: impl FnOnce(&mut Self),
    ) {
        let construct = Construct::from_u32(self.body.constructs.len() as u32);
        let exit = self.block();
        self.construct = Some(construct);
        let entry = self.block();
        let mut data = ConstructData {
            parent: None,
            kind,
            entry,
            exit,
            scheduling: Scheduling::default(),
            dims: Dims::default(),
            maps: Vec::new(),
            private: Vec::new(),
            firstprivate: Vec::new(),
            reductions: Vec::new(),
            fused: 0,
            pos: Pos::none(),
        };
        clauses(&mut data);
        self.body.constructs.push(data);
        self.go(entry);
        inside(self);
        self.construct = None;
        self.go(exit);
        self.body.order.retain(|&block| block != exit);
        self.body.order.push(exit);
    }

    /// `for (iv = init; iv cmp bound; iv += step)`, with a directive.
    pub fn for_(
        &mut self,
        induction: Induction,
        directive: Option<LoopDirective>,
        inside: impl FnOnce(&mut Self, Operand),
    ) -> Loop {
        let iv = Operand::Local(induction.iv);
        let open = self.open(induction, directive);
        inside(self, iv);
        self.close(open);
        open
    }

    /// The first half of [`Program::for_`]: what is written next is in the loop.
    pub fn open(&mut self, induction: Induction, directive: Option<LoopDirective>) -> Loop {
        let Induction { iv, init, bound, cmp, .. } = induction;
        let parent = self.loop_;
        let preheader = self.block();
        self.go(preheader);
        self.at().assign(iv, init);
        let loop_ = Loop::from_u32(self.body.loops.len() as u32);
        self.loop_ = Some(loop_);
        let [header, body, latch] = [(); 3].map(|()| self.block());
        self.loop_ = parent;
        let exit = self.block();
        let (induction, pos) = (Some(induction), Pos::none());
        let data = LoopData { parent, preheader, header, body, latch, exit, induction, directive, pos };
        self.body.loops.push(data);
        self.go(header);
        let more = self.at().compare(cmp, Operand::Local(iv), bound);
        self.at().branch(more, body, exit);
        self.block = body;
        self.loop_ = Some(loop_);
        loop_
    }

    /// The second half.
    pub fn close(&mut self, loop_: Loop) {
        let LoopData { parent, header, latch, exit, induction, .. } = self.body.loops[loop_].clone();
        let Some(Induction { iv, step, .. }) = induction else { panic!("a counted loop") };
        self.go(latch);
        let next = match self.body.locals[iv].ty {
            Type::Ptr => self.at().index(Operand::Local(iv), step, 1, 0),
            _ => self.at().add(Operand::Local(iv), step),
        };
        self.at().assign(iv, next);
        self.at().jump(header);
        for moved in [latch, exit] {
            self.body.order.retain(|&block| block != moved);
            self.body.order.push(moved);
        }
        self.loop_ = parent;
        self.block = exit;
    }

    /// `for (int i = 0; i < n; i++)`.
    pub fn count(
        &mut self,
        n: i64,
        directive: Option<LoopDirective>,
        inside: impl FnOnce(&mut Self, Operand),
    ) -> Loop {
        let iv = self.local("i", Type::I32);
        let [init, bound, step] = [0, n, 1].map(|value| Operand::Int(Type::I32, value));
        self.for_(Induction { iv, init, bound, step, cmp: CmpOp::Lt }, directive, inside)
    }

    /// `object += value`, an `int` in memory.
    pub fn add_to(&mut self, object: impl Into<Address>, value: Operand) {
        let object = object.into();
        let old = self.at().load(Type::I32, object);
        let new = self.at().add(old, value);
        self.at().store(object, new);
    }

    /// The module, with the function finished by a return.
    pub fn finish(mut self) -> Module {
        self.at().ret(None);
        let sig = self.module.signatures.push(Signature::default());
        self.module.functions.push(Function {
            body: Some(Box::new(self.body)),
            ..Function::declared("f".into(), sig, Pos::none())
        });
        self.module
    }
}

/// A `loop` directive with levels and reductions.
pub fn directive(levels: &[Level], reductions: Vec<ReductionClause>) -> LoopDirective {
    let plain = LoopDirective::new(LoopKind::Default, Pos::none());
    LoopDirective { reductions, levels: levels.to_vec(), ..plain }
}

/// `reduction(op: name)` of a scalar.
pub fn reduction(op: ReductionOp, name: &str, var: Operand, ty: RedType) -> ReductionClause {
    let parts = vec![ReductionPart { offset: 0, ty, count: None }];
    ReductionClause { op, name: name.into(), var, pointee: false, lower: None, parts, pos: Pos::none() }
}

/// `reduction(+: name)` of an `int`.
pub fn sum(name: &str, var: impl Into<Address>) -> ReductionClause {
    reduction(ReductionOp::Add, name, var.into().base, INT)
}

/// `copy(name)` of a whole object.
pub fn copy(name: &str, var: Operand, bytes: u64) -> DataMap {
    DataMap::whole(MapKind::Copy, name.into(), var, bytes, Pos::none())
}

/// `private(name)` and `firstprivate(name)`.
pub fn private(name: &str, var: Operand, bytes: u64) -> PrivateVar {
    let (align, implicit) = (bytes.min(8) as u32, false);
    PrivateVar { name: name.into(), var, bytes, align, implicit, pos: Pos::none() }
}

/// The one region of a module.
pub fn region(module: &Module) -> (&RegionData, &Body) {
    let function = module.functions.values().find_map(|function| match &function.kind {
        FunctionKind::Region(region) => Some((&**region, function.body.as_deref()?)),
        FunctionKind::Normal | FunctionKind::Threaded(_) => None,
    });
    function.expect("a region")
}

/// The abstract operations of a body in layout order, `loop` where a loop's header stands; LOCAL, RES and
/// flags are short: `setup(RES gang loop0 red0)`.
pub fn skeleton(body: &Body) -> Vec<String> {
    let mut list = Vec::new();
    for &block in &body.order {
        if let Some((loop_, _)) = body.loops.iter().find(|(_, data)| data.header == block) {
            list.push(format!("<{loop_}>"));
        }
        for inst in &body.blocks[block].insts {
            let id = |loop_: Option<Loop>| loop_.map_or("outer".to_string(), |loop_| loop_.to_string());
            match &inst.op {
                Op::HeadMark { loop_, inner } => list.push(mark("head", *loop_, *inner)),
                Op::TailMark { loop_, inner } => list.push(mark("tail", *loop_, *inner)),
                Op::Fork { level, .. } => list.push(format!("fork {level}")),
                Op::Join { level, .. } => list.push(format!("join {level}")),
                Op::Lock { level, loop_ } => list.push(format!("lock {level} {}", id(*loop_))),
                Op::Unlock { level, loop_ } => list.push(format!("unlock {level} {}", id(*loop_))),
                Op::Reduction(call) => {
                    let result = if call.result.is_some() { "RES" } else { "-" };
                    let escapes = if call.escapes { " escapes" } else { "" };
                    let Reduction { kind, level, loop_, red, .. } = **call;
                    list.push(format!("{}({result} {level} {} {red}{escapes})", kind.name(), id(loop_)));
                }
                _ => {}
            }
        }
    }
    list
}

fn mark(which: &str, loop_: Loop, inner: bool) -> String {
    format!("{which} {loop_}{}", if inner { " inner" } else { "" })
}

/// One thread: the host's expansion in its short and its long form.
#[derive(Default)]
pub struct Single {
    originals: rustc_hash::FxHashMap<(Red, Level), Local>,
}

impl Target for Single {
    fn name(&self) -> &'static str {
        "single"
    }

    fn partitions(&self, _: Context<'_>, _: &[Level]) -> bool {
        false
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
        let key = (call.red, call.level);
        let ty = operators::promoted(call.ty);
        let original = *self.originals.entry(key).or_insert_with(|| emit.temp(ty));
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

    /// The array form: RESULT is left alone until the end.
    fn reduce_array(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Address,
        count: Operand,
    ) -> Result<(), Limit> {
        match (call.kind, call.result) {
            (ReductionKind::Init, Some(_)) => arrays::fill_identity(emit, call, local, count),
            (ReductionKind::Fini, Some(result)) => {
                arrays::combine(emit, call, result, [result, local], count);
            }
            _ => {}
        }
        Ok(())
    }

    fn dim_size(&mut self, _: &mut Emitter<'_>, _: Level) -> Operand {
        Operand::Int(Type::I32, 1)
    }

    fn dim_pos(&mut self, _: &mut Emitter<'_>, _: Level) -> Operand {
        Operand::Int(Type::I32, 0)
    }

    fn loop_share(&mut self, _: &mut Emitter<'_>, share: LoopShare, _: Loop, trip: Operand) -> Operand {
        match share {
            LoopShare::Offset => Operand::Int(Type::I64, 0),
            LoopShare::Step => Operand::Int(Type::I64, 1),
            LoopShare::Bound | LoopShare::Iteration => trip,
        }
    }
}

impl<T: Target> Pass<T> {
    /// Every pass of this crate that needs no vectors and keeps the host's code.
    const COMMON: &'static [Pass<T>] = &[
        Pass::LOWER,
        Pass::KERNELS,
        Pass::PRIVATIZE,
        Pass::OUTLINE,
        Pass::PROMOTE_SLOTS,
        Pass::ASSIGN_LEVELS,
        Pass::UNITE,
        Pass::COLLAPSE,
        Pass::REDUCTIONS,
        Pass::MAP_VARS,
        Pass::PARTITION,
        Pass::EXPAND,
        Pass::FOLD,
        Pass::DCE,
        Pass::SIMPLIFY_CFG,
    ];
}

impl Pipeline for Single {
    const PASSES: &'static [Pass<Single>] = Pass::COMMON;
}

impl Pipeline for OneOf {
    const PASSES: &'static [Pass<OneOf>] = Pass::COMMON;
}

/// One thread of several, seen alone: loops are shared round robin, or in blocks.
pub struct OneOf {
    pub position: i64,
    pub threads: i64,
    pub blocks: bool,
    pub single: Single,
}

impl Target for OneOf {
    fn name(&self) -> &'static str {
        "one-of"
    }

    fn collapses(&self, _: Context<'_>, _: &LoopDirective) -> bool {
        true
    }

    fn partitions(&self, _: Context<'_>, _: &[Level]) -> bool {
        true
    }

    fn reduce_scalar(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Operand,
    ) -> Result<Operand, Limit> {
        self.single.reduce_scalar(emit, call, local)
    }

    fn reduce_array(
        &mut self,
        emit: &mut Emitter<'_>,
        call: &Reduction,
        local: Address,
        count: Operand,
    ) -> Result<(), Limit> {
        self.single.reduce_array(emit, call, local, count)
    }

    fn dim_size(&mut self, _: &mut Emitter<'_>, _: Level) -> Operand {
        Operand::Int(Type::I32, self.threads)
    }

    fn dim_pos(&mut self, _: &mut Emitter<'_>, _: Level) -> Operand {
        Operand::Int(Type::I32, self.position)
    }

    fn shares_blocks(&self, _: &Body, _: Loop) -> bool {
        self.blocks
    }

    fn loop_share(&mut self, emit: &mut Emitter<'_>, share: LoopShare, _: Loop, trip: Operand) -> Operand {
        let mut part = |position| {
            let whole = emit.binary(BinaryOp::SDiv, trip, Operand::Int(Type::I64, self.threads));
            if position == self.threads {
                return trip;
            }
            emit.mul(whole, Operand::Int(Type::I64, position))
        };
        match share {
            LoopShare::Offset if self.blocks => part(self.position),
            LoopShare::Bound if self.blocks => part(self.position + 1),
            LoopShare::Offset => Operand::Int(Type::I64, self.position),
            LoopShare::Step => Operand::Int(Type::I64, self.threads),
            LoopShare::Bound | LoopShare::Iteration => trip,
        }
    }
}

/// Runs the pipeline up to a stage, which must succeed.
pub fn run_to<T: Pipeline>(module: &mut Module, target: &mut T, stage: &str) -> Report {
    let mut report = Report::default();
    try_to(module, target, stage, &mut report).unwrap_or_else(|error| panic!("{error}"));
    report
}

/// Goes on with the pipeline from one stage up to another.
pub fn run_between<T: Pipeline>(module: &mut Module, target: &mut T, start: &str, stage: &str) {
    let section = Section::new(target, Some(start), Some(stage)).expect("stages");
    try_section(module, target, section, &mut Report::default()).unwrap_or_else(|error| panic!("{error}"));
}

/// Runs the pipeline up to a stage.
pub fn try_to<T: Pipeline>(
    module: &mut Module,
    target: &mut T,
    stage: &str,
    report: &mut Report,
) -> Result<(), PassError> {
    let section = Section::new(target, None, Some(stage)).expect("a stage");
    try_section(module, target, section, report)
}

fn try_section<T: Pipeline>(
    module: &mut Module,
    target: &mut T,
    section: Section,
    report: &mut Report,
) -> Result<(), PassError> {
    let before = Verified::left_by_pass(std::mem::take(module));
    *module = run(before, target, section, true, report).map_err(|failed| failed.error)?.into_module();
    Ok(())
}
