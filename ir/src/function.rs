//! Functions: blocks, locals, slots, loops and constructs.

use crate::acc::{
    ConstructData, DataMap, Level, LoopDirective, MapKind, PrivateVar, ReductionClause, RegionData,
};
use crate::entities::{Block, Construct, Local, Loop, Red, Sig, Slot, map_below, set_of};
use crate::op::{CmpOp, Inst, Op, Operand, Pos, Terminator};
use crate::types::Type;
use cranelift_entity::packed_option::ReservedValue;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A basic block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockData {
    /// In execution order.
    pub insts: Vec<Inst>,
    /// How it ends. Blocks under construction end in [`Terminator::Unreachable`].
    pub term: Terminator,
    /// Position of the terminator.
    pub term_pos: Pos,
    /// The innermost loop it belongs to: header, body and latch do, preheader and exit do not.
    pub loop_: Option<Loop>,
    /// The innermost compute construct it belongs to; gone after `outline`.
    pub construct: Option<Construct>,
}

/// A local.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LocalData {
    /// Its type.
    pub ty: Type,
    /// Name in the source; `None` for temporaries.
    pub name: Option<Arc<str>>,
    /// A part of an object that was taken apart, of which the name is. Copies of the object move it, whether
    /// or not it has a value: C allows that of members and padding, and not of a variable.
    pub is_part: bool,
    /// A pointer that the program declares `restrict`: as long as the block that declares it is executed, an
    /// object that is accessed through it and modified is accessed only through pointers made from it
    /// (C11 6.7.3.1). A loop that sets it, other than by moving it, may be around that block; in
    /// `for (...) { double *restrict p = q; ... }` nothing is said of two iterations.
    pub restrict: bool,
}

impl SlotData {
    /// Memory in the frame, declared outside of all loops.
    pub fn frame(size: u64, align: u32, name: Option<Arc<str>>) -> SlotData {
        SlotData { size, align, name, restrict: false, kind: SlotKind::Frame, declared_in: None }
    }
}

impl LocalData {
    /// What clauses and messages call it: a value of the compiler's has no name in the source.
    pub fn label(&self) -> Arc<str> {
        self.name.clone().unwrap_or_else(|| UNNAMED.into())
    }
}

/// What clauses and messages call a local or slot without a name.
const UNNAMED: &str = "<value>";

/// Where a slot's memory is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SlotKind {
    /// In the frame of the call.
    Frame,
    /// In a region before `map-vars`: stands for the mapped object whose address this local holds, a
    /// parameter or computed from one at the start.
    Mapped(Local),
    /// In a region: one instance per gang, shared by its workers.
    GangPrivate,
    /// In a region: the gang's own copy of an object that the gangs of a launch share, which each adds to it
    /// when it has done its part of the iterations.
    GangCopy,
    /// In a region: one instance per worker, shared by its lanes.
    WorkerPrivate,
    /// In a region: memory of the gang in which a worker reduction of the loop [`SlotData::declared_in`]
    /// meets. Loops do not overlap in time, so their buffers overlap in memory.
    Reduction,
    /// In a region: memory of the gang through which what one thread changed reaches the others; used between
    /// two barriers, so all of it overlaps. Reductions are in flight meanwhile, so it is apart from their
    /// buffer.
    Broadcast,
    /// In a region: one instance per launch, shared by its gangs; zero when the launch begins.
    Launch,
    /// In a region: one instance per gang, in memory that the other gangs reach by [`crate::Op::Instance`];
    /// zero when the launch begins.
    GangScratch,
}

/// A slot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SlotData {
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Name in the source; `None` for temporaries.
    pub name: Option<Arc<str>>,
    /// It holds a pointer declared `restrict`, see [`LocalData::restrict`].
    pub restrict: bool,
    /// Where it is.
    pub kind: SlotKind,
    /// The loop whose body declares it, for levels of privacy; `None` outside all loops.
    pub declared_in: Option<Loop>,
}

/// The counted form of a loop: `for (iv = init; iv cmp bound; iv += step)`, everything but `iv` evaluated
/// once, before the loop. Only the latch writes `iv` after the preheader did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Induction {
    /// The induction local, of integer or pointer type.
    pub iv: Local,
    /// First value.
    pub init: Operand,
    /// The other side of the comparison.
    pub bound: Operand,
    /// Added each time; may be negative. For pointers: in bytes, an `i64`.
    pub step: Operand,
    /// `iv cmp bound` lets an iteration run: one of `<`, `<=`, `>`, `>=`, `!=` (signed or unsigned).
    pub cmp: CmpOp,
}

/// A loop with one entry edge. Control flow: `preheader -> header -> body ... -> latch -> header`,
/// `header -> exit`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LoopData {
    /// The loop around it.
    pub parent: Option<Loop>,
    /// The block before the loop, whose only successor is the header.
    pub preheader: Block,
    /// The block all iterations pass; of a counted loop it holds only the comparison.
    pub header: Block,
    /// First block of the body.
    pub body: Block,
    /// The only block that jumps back to the header.
    pub latch: Block,
    /// Where the header leaves to.
    pub exit: Block,
    /// Its counted form, if it has one. Loops with a directive do, save `seq` ones.
    pub induction: Option<Induction>,
    /// Its directive.
    pub directive: Option<LoopDirective>,
    /// The `for` statement.
    pub pos: Pos,
}

impl LoopData {
    /// What stands for a loop whose data nothing looks at again, so that later loops keep their ids.
    pub fn dead() -> LoopData {
        let none = Block::reserved_value();
        LoopData {
            parent: None,
            preheader: none,
            header: none,
            body: none,
            latch: none,
            exit: none,
            induction: None,
            directive: None,
            pos: Pos::none(),
        }
    }

    /// What is left of the loop when its blocks are no loop any more: its counter, directive and place, for
    /// comments. It goes with the next [`crate::edit::compact`].
    pub fn dissolved(self) -> LoopData {
        let LoopData { induction, directive, pos, .. } = self;
        LoopData { induction, directive, pos, ..LoopData::dead() }
    }

    /// Whether threads share its iterations: its directive has levels.
    pub fn is_partitioned(&self) -> bool {
        self.directive.as_ref().is_some_and(|directive| !directive.levels.is_empty())
    }

    /// Whether its iterations are the threads of a team ([`LoopDirective::team`]).
    pub fn is_team(&self) -> bool {
        self.directive.as_ref().is_some_and(|directive| directive.team.is_some())
    }

    /// Whether it is no loop of the loop tree any more, and something is left of it.
    pub fn is_dissolved(&self) -> bool {
        self.header.is_reserved_value() && (self.induction.is_some() || self.directive.is_some())
    }
}

/// The body of a function.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Body {
    /// Locals that receive the parameters, one per [`crate::Signature::params`] entry.
    pub params: Vec<Local>,
    /// All blocks; [`Body::order`] says which are alive.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Blocks in layout order; the first is the entry and has no predecessor.
    pub order: Vec<Block>,
    /// Locals.
    pub locals: PrimaryMap<Local, LocalData>,
    /// Slots.
    pub slots: PrimaryMap<Slot, SlotData>,
    /// Loops, parents before children.
    pub loops: PrimaryMap<Loop, LoopData>,
    /// Compute constructs; not nested.
    pub constructs: PrimaryMap<Construct, ConstructData>,
    /// Number of [`Red`] ids given out.
    pub reductions: u32,
    /// In a region up to the pass `reductions`: the clauses of the construct itself, which a null outer gang
    /// loop carries.
    pub region_reductions: Vec<ReductionClause>,
    /// In a region: what gangs in y and z are for.
    pub beside: Option<Beside>,
}

/// A nest of which gangs in y and z have rows and planes of their own. The values are computed from
/// parameters that nothing writes: whoever launches the region computes them, too. In a launch without such
/// gangs, those in x go through the nest alone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Beside {
    /// An `i1`: whether a launch should have gangs in y and z.
    pub used: Operand,
    /// `i64`s: iterations that gangs in x, y and z share then.
    pub counts: [Operand; 3],
    /// Rows of the nest that are one iteration for gangs in y.
    pub rows: u32,
    /// Most workers of a launch that chooses how many there are; 0 if it does not.
    pub most_workers: u32,
}

impl Body {
    /// The locals that blocks assign.
    pub fn assigned(&self, blocks: impl IntoIterator<Item = Block>) -> EntitySet<Local> {
        let mut assigned = EntitySet::with_capacity(self.locals.len());
        for inst in blocks.into_iter().flat_map(|block| &self.blocks[block].insts) {
            inst.op.defs(|local| _ = assigned.insert(local));
        }
        assigned
    }

    /// How often each local is assigned, a parameter by the call as well.
    pub fn definitions(&self) -> SecondaryMap<Local, u32> {
        let mut definitions: SecondaryMap<Local, u32> = map_below(self.locals.len());
        self.params.iter().for_each(|&param| definitions[param] += 1);
        for inst in self.order.iter().flat_map(|&block| &self.blocks[block].insts) {
            inst.op.defs(|local| definitions[local] += 1);
        }
        definitions
    }

    /// What is computed from parameters alone, of locals that are assigned once: the same in all threads and
    /// iterations. `is_once` says which these are.
    pub fn fixed(&self, is_once: impl Fn(Local) -> bool) -> EntitySet<Local> {
        let mut fixed = set_of(self.params.iter().copied().filter(|&param| is_once(param)));
        for inst in self.order.iter().flat_map(|&block| &self.blocks[block].insts) {
            if let Op::Binary { dst, .. } | Op::Convert { dst, .. } | Op::Copy { dst, .. } = inst.op
                && is_once(dst)
            {
                let mut is_fixed = true;
                inst.op.uses(|operand| is_fixed &= fixed.contains(operand));
                if is_fixed {
                    fixed.insert(dst);
                }
            }
        }
        fixed
    }

    /// A copy of all but the instructions outside of a construct.
    #[must_use]
    pub fn with_code_of(&self, construct: Construct) -> Body {
        Body {
            params: self.params.clone(),
            blocks: self.blocks_with_code_of(construct),
            order: self.order.clone(),
            locals: self.locals.clone(),
            slots: self.slots.clone(),
            loops: self.loops.clone(),
            constructs: self.constructs.clone(),
            reductions: self.reductions,
            region_reductions: self.region_reductions.clone(),
            beside: self.beside.clone(),
        }
    }

    /// A copy of the blocks, of which those of a construct have their instructions.
    pub fn blocks_with_code_of(&self, construct: Construct) -> PrimaryMap<Block, BlockData> {
        let copy = |data: &BlockData| BlockData {
            insts: if data.construct == Some(construct) { data.insts.clone() } else { Vec::new() },
            term: data.term.clone(),
            ..*data
        };
        self.blocks.values().map(copy).collect()
    }

    /// Whether threads of a team execute some of it: a loop is theirs.
    pub fn has_team(&self) -> bool {
        self.loops.values().any(LoopData::is_team)
    }

    /// Whether threads of a team execute a block.
    pub fn is_in_team(&self, block: Block) -> bool {
        self.loops_around(self.blocks[block].loop_).any(|loop_| self.loops[loop_].is_team())
    }

    /// The loops, parents before children, but for those that were dissolved.
    pub fn loop_tree(&self) -> Vec<Loop> {
        let is_there = |data: &LoopData| !data.header.is_reserved_value();
        self.loops.iter().filter(|(_, data)| is_there(data)).map(|(loop_, _)| loop_).collect()
    }

    /// A new local.
    pub fn local(&mut self, ty: Type, name: Option<Arc<str>>) -> Local {
        self.locals.push(LocalData { ty, name, is_part: false, restrict: false })
    }

    /// A new temporary.
    pub fn temp(&mut self, ty: Type) -> Local {
        self.local(ty, None)
    }

    /// A new local like another one.
    pub fn local_like(&mut self, local: Local) -> Local {
        self.locals.push(self.locals[local].clone())
    }

    /// A new slot of the frame for the values of a local.
    pub fn slot_for(&mut self, local: Local) -> Slot {
        let LocalData { ty, ref name, .. } = self.locals[local];
        self.slots.push(SlotData::frame(ty.bytes().into(), ty.align(), name.clone()))
    }

    /// A new local for the scalar in a slot.
    pub fn local_for(&mut self, slot: Slot, ty: Type) -> Local {
        let SlotData { ref name, restrict, .. } = self.slots[slot];
        self.locals.push(LocalData { ty, name: name.clone(), is_part: false, restrict })
    }

    /// The implicit clause that gives a slot memory on the device and moves nothing.
    pub fn create_clause(&self, slot: Slot, pos: Pos) -> DataMap {
        let SlotData { size, ref name, .. } = self.slots[slot];
        let name = name.clone().unwrap_or_else(|| UNNAMED.into());
        let map = DataMap::whole(MapKind::Create, name, Operand::Slot(slot), size, pos);
        DataMap { implicit: true, ..map }
    }

    /// The implicit `private` or `firstprivate` clause of a local.
    pub fn private_clause(&self, local: Local, pos: Pos) -> PrivateVar {
        let data = &self.locals[local];
        PrivateVar {
            name: data.label(),
            var: Operand::Local(local),
            bytes: data.ty.bytes().into(),
            align: data.ty.align(),
            implicit: true,
            pos,
        }
    }

    /// A new block at the end of the layout.
    pub fn block(&mut self) -> Block {
        let block = self.detached_block();
        self.order.push(block);
        block
    }

    /// A new block outside the layout, for code that decides later where it goes.
    pub fn detached_block(&mut self) -> Block {
        self.blocks.push(Body::empty_block())
    }

    /// What a new block holds.
    pub fn empty_block() -> BlockData {
        BlockData {
            insts: Vec::new(),
            term: Terminator::Unreachable,
            term_pos: Pos::none(),
            loop_: None,
            construct: None,
        }
    }

    /// The entry block.
    pub fn entry(&self) -> Block {
        self.order[0]
    }

    /// A new reduction id.
    pub fn red(&mut self) -> Red {
        let red = Red::from_u32(self.reductions);
        self.reductions += 1;
        red
    }

    /// Type of an operand.
    pub fn operand_type(&self, operand: Operand) -> Type {
        match operand {
            Operand::Local(local) => self.locals[local].ty,
            Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) => Type::Ptr,
            Operand::Int(ty, _) => ty,
            Operand::F32(_) => Type::F32,
            Operand::F64(_) => Type::F64,
        }
    }
}

/// What a function is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum FunctionKind {
    /// A C function.
    Normal,
    /// A compute construct that was cut out, for a device.
    Region(Box<RegionData>),
    /// A `parallel` or `task` that was cut out. Threads of the host execute it; it may launch regions.
    Threaded(Box<RegionData>),
}

impl FunctionKind {
    /// What makes a function one that is launched, by a device or a thread.
    pub fn launched(&self) -> Option<&RegionData> {
        match self {
            FunctionKind::Normal => None,
            FunctionKind::Region(data) | FunctionKind::Threaded(data) => Some(data),
        }
    }
}

/// `acc routine`: the highest level of parallelism its callees may use.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Routine {
    /// `gang` (1 to 3 for `dim:`), `worker`, `vector`, or `None` for `seq`.
    pub level: Option<Level>,
    /// `bind`: the name to call on a device.
    pub bind: Option<Arc<str>>,
    /// `nohost`.
    pub nohost: bool,
    /// No directive marks it: a pass has found out that threads share its loops.
    pub implicit: bool,
}

/// How a name is seen by other translation units and by the dynamic linker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Linkage {
    /// Defined or declared, one definition in the program.
    External,
    /// Private to its translation unit.
    Internal,
    /// `weak`: another definition wins; undefined is null.
    Weak,
    /// A tentative definition (`-fcommon` and C11 6.9.2): merges with others of its name.
    Common,
    /// C99 `inline` without `extern`: usable here, but an external definition elsewhere wins.
    Inline,
}

/// A function, declared or defined.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Name in C.
    pub name: Arc<str>,
    /// Name for the linker, where an asm label changes it.
    pub link_name: Option<Arc<str>>,
    /// Its type.
    pub sig: Sig,
    /// Linkage.
    pub linkage: Linkage,
    /// A C function or a region.
    pub kind: FunctionKind,
    /// `acc routine`.
    pub routine: Option<Routine>,
    /// Never returns.
    pub noreturn: bool,
    /// `inline` or `always_inline` was written.
    pub inline_hint: bool,
    /// `noinline` was written: calls stay calls.
    pub noinline: bool,
    /// May return more than once (`setjmp` and its kin): what its caller keeps in locals must survive that.
    pub returns_twice: bool,
    /// Linker name of the function this one is another name for; the body is absent then.
    pub alias: Option<Arc<str>>,
    /// The body; `None` for a declaration.
    pub body: Option<Box<Body>>,
    /// Where it is declared.
    pub pos: Pos,
}

impl Function {
    /// Whether threads of a device may execute it: a region, or a routine that one calls.
    pub fn is_device_code(&self) -> bool {
        matches!(self.kind, FunctionKind::Region(_)) || self.routine.is_some()
    }

    /// The function once more, under a name of its own that no other unit sees.
    pub fn internal_copy(&self, suffix: &str) -> Function {
        Function {
            name: format!("{}${suffix}", self.name).into(),
            link_name: None,
            linkage: Linkage::Internal,
            ..self.clone()
        }
    }

    /// An external C function without a body, and without anything else that is out of the ordinary.
    pub fn declared(name: Arc<str>, sig: Sig, pos: Pos) -> Function {
        Function {
            name,
            link_name: None,
            sig,
            linkage: Linkage::External,
            kind: FunctionKind::Normal,
            routine: None,
            noreturn: false,
            inline_hint: false,
            noinline: false,
            returns_twice: false,
            alias: None,
            body: None,
            pos,
        }
    }
}
