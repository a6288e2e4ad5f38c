//! A construct as one iteration of a loop: the form in which a survey walks all of it, straight code,
//! conditions and several nests of loops.
//!
//! The survey sees a copy of the body in which variables that are only loaded and stored are locals, in which
//! accesses that no survey knows are loads and stores of the same bytes, and in which positions number the
//! instructions, so that a touch leads back to its instruction.

use crate::acc::ConstructData;
use crate::analysis::bases::{Base, Bases};
use crate::analysis::callees::Callees;
use crate::analysis::cfg::{Cfg, Dominators};
use crate::analysis::liveness::Liveness;
use crate::analysis::survey::{Obstacle, Survey, Whole, are_of_one_type};
use crate::edit::memory;
use crate::edit::split::redirect;
use crate::entities::{Block, Construct, File, Global, Local, Loop, Slot, set_of};
use crate::function::{Body, LocalData, LoopData};
use crate::module::Module;
use crate::op::{Access, Address, Callee, Class, Inst, Op, Operand, Pos, Terminator};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::OnceCell;

/// A construct, surveyed.
pub struct View {
    /// The copy.
    pub body: Body,
    /// Where variables in memory are that are locals of the copy.
    pub in_memory: FxHashMap<Local, (Operand, Type)>,
    /// What the construct computes and accesses.
    pub survey: Survey,
    /// Instructions of the construct that compute what may be an address, by their places.
    movers: Vec<(Block, usize)>,
    /// Those that do more than to compute a value, and comparisons.
    users: Vec<(Block, usize)>,
    /// Instructions by the number that is their line in the copy, and their positions in the program.
    insts: Vec<(Block, Pos)>,
    /// What each of them reads and writes, as places in [`Survey::touches`].
    touches: Vec<[Option<usize>; 2]>,
    cfg: Cfg,
    /// Of the graph; few pointers ask.
    dominators: OnceCell<Dominators>,
    /// The loop that the construct is an iteration of.
    whole: Loop,
}

impl View {
    /// Of a construct of a body, with the objects of its addresses but for what clauses say.
    pub fn new(
        (module, callees): (&Module, &Callees),
        (body, bases): (&Body, &Bases),
        construct: Construct,
        signed_wraps: bool,
    ) -> View {
        let mut copy = copy_of(body, construct);
        let data = &body.constructs[construct];
        let inside = |block: &Block| copy.blocks[*block].construct == Some(construct);
        let blocks: Vec<Block> = copy.order.iter().copied().filter(inside).collect();
        simplify(&mut copy, module, &blocks);
        let in_memory = promote(&mut copy, (callees, bases), &blocks);
        let insts = number(&mut copy, &blocks);
        let whole = wrap(&mut copy, data, construct, &blocks);
        let facts = Whole::without_origins(&copy, Cow::Borrowed(bases), callees).with_wrapping(signed_wraps);
        let survey = Survey::of_first_iteration(&facts, whole);
        let Whole { cfg, .. } = facts;
        let mut touches = vec![[None; 2]; insts.len()];
        for (n, touch) in survey.touches.iter().enumerate() {
            touches[touch.pos.line as usize - 1][usize::from(touch.writes)] = Some(n);
        }
        let (movers, users) = movers_and_users(&copy, &blocks);
        let dominators = OnceCell::new();
        View { cfg, dominators, body: copy, in_memory, survey, movers, users, insts, touches, whole }
    }

    /// The instructions of the construct that compute what may be an address, in the order of the layout.
    pub fn movers(&self) -> impl Iterator<Item = &Inst> {
        self.movers.iter().map(|&(block, n)| &self.body.blocks[block].insts[n])
    }

    /// The instructions of the construct that do more than to compute a value, and comparisons, in the order
    /// of the layout.
    pub fn users(&self) -> impl Iterator<Item = &Inst> {
        self.users.iter().map(|&(block, n)| &self.body.blocks[block].insts[n])
    }

    /// The block of an instruction with a position of the copy, and its position in the program.
    pub fn place(&self, pos: Pos) -> (Block, Pos) {
        self.insts[pos.line as usize - 1]
    }

    /// The access of an instruction with a position of the copy, if control reaches it.
    pub fn touch_at(&self, pos: Pos, writes: bool) -> Option<usize> {
        self.touches[pos.line as usize - 1][usize::from(writes)]
    }

    /// The variable in memory that a local of the copy stands for.
    pub fn variable(&self, local: Local) -> Option<Operand> {
        self.in_memory.get(&local).map(|(place, _)| *place)
    }

    /// Where a loop ends that is none of the loop tree, whose iterations the survey does not follow.
    pub fn cycle(&self) -> Option<Pos> {
        let obstacles = self.survey.loops.get(&self.whole).map(|facts| &facts.obstacles);
        obstacles
            .into_iter()
            .flatten()
            .find_map(|&(obstacle, pos)| (obstacle == Obstacle::Cycle).then_some(pos))
    }

    /// Those of some locals whose values from before the construct are read there.
    pub fn live_at_entry(&self, is_asked: impl Fn(Local) -> bool) -> EntitySet<Local> {
        let live = Liveness::about(&self.body, &self.cfg, is_asked);
        set_of(live.live_in(self.body.loops[self.whole].body))
    }

    /// Whether every execution of the construct executes a block.
    pub fn is_unconditional(&self, block: Block) -> bool {
        self.dominates(block, self.body.loops[self.whole].latch)
    }

    fn dominates(&self, block: Block, other: Block) -> bool {
        self.dominators.get_or_init(|| Dominators::new(&self.cfg)).dominates(block, other)
    }

    /// Whether a block is executed in every iteration that the conditions of the loops around it allow.
    pub fn is_in_every_iteration(&self, mut block: Block) -> bool {
        let leaves = |loop_: Loop| {
            let facts = self.survey.loops.get(&loop_);
            facts.is_none_or(|facts| facts.obstacles.iter().any(|(obstacle, _)| *obstacle == Obstacle::Exit))
        };
        let around: Vec<Loop> = self.body.loops_around(self.body.blocks[block].loop_).collect();
        for loop_ in around {
            let data = &self.body.loops[loop_];
            if leaves(loop_) || !self.dominates(block, data.latch) {
                return false;
            }
            block = data.header;
        }
        true
    }

    /// The outermost loop of the program around a block of the construct.
    pub fn nest_of(&self, block: Block) -> Option<Loop> {
        let around = self.body.loops_around(self.body.blocks[block].loop_);
        around.take_while(|&loop_| loop_ != self.whole).last()
    }
}

/// Instructions, by their blocks and places there.
type Places = Vec<(Block, usize)>;

/// The places of instructions for [`View::movers`] and [`View::users`]: each pointer asks for them anew.
fn movers_and_users(body: &Body, blocks: &[Block]) -> (Places, Places) {
    let count = count(body, blocks);
    let (mut movers, mut users) = (Vec::with_capacity(count), Vec::with_capacity(count / 2));
    for &block in blocks {
        for (n, Inst { op, .. }) in body.blocks[block].insts.iter().enumerate() {
            let is_value = op.class() == Class::Value;
            // The result of a comparison is no address.
            let is_address = |dst: Local| matches!(body.locals[dst].ty, Type::Ptr | Type::I64);
            if (is_value || matches!(op, Op::Load { .. })) && op.dst().is_some_and(is_address) {
                movers.push((block, n));
            }
            if !is_value || matches!(op, Op::Compare { .. }) {
                users.push((block, n));
            }
        }
    }
    (movers, users)
}

/// A copy of a body that has nothing but a construct, to which its first block leads. What clauses say is
/// known from the construct itself: a variable that they name is not in the reach of a pointer because of
/// that.
fn copy_of(body: &Body, inside: Construct) -> Body {
    let (first, entry, exit) = (body.entry(), body.constructs[inside].entry, body.constructs[inside].exit);
    let mut blocks = body.blocks_with_code_of(inside);
    for data in blocks.values_mut().filter(|data| data.construct != Some(inside)) {
        data.term = Terminator::Unreachable;
    }
    blocks[first].term = Terminator::Jump(entry);
    let is_kept = |&block: &Block| block == first || block == exit || blocks[block].construct == Some(inside);
    let order = body.order.iter().copied().filter(is_kept).collect();
    let construct = |(construct, data): (Construct, &ConstructData)| match construct == inside {
        true => ConstructData {
            kind: data.kind,
            parent: data.parent,
            entry: data.entry,
            exit: data.exit,
            scheduling: data.scheduling.clone(),
            dims: data.dims.clone(),
            pos: data.pos,
            ..ConstructData::dead()
        },
        false => ConstructData::dead(),
    };
    let loop_ = |data: &LoopData| LoopData {
        parent: data.parent,
        preheader: data.preheader,
        header: data.header,
        body: data.body,
        latch: data.latch,
        exit: data.exit,
        induction: data.induction.clone(),
        directive: None,
        pos: data.pos,
    };
    Body {
        params: body.params.clone(),
        blocks,
        order,
        locals: body.locals.clone(),
        slots: body.slots.clone(),
        loops: body.loops.values().map(loop_).collect(),
        constructs: body.constructs.iter().map(construct).collect(),
        reductions: body.reductions,
        region_reductions: body.region_reductions.clone(),
        beside: body.beside.clone(),
    }
}

/// Writes atomic accesses as loads and stores of the same bytes, and leaves out calls that write no memory
/// and give nothing: `abort()`.
fn simplify(body: &mut Body, module: &Module, blocks: &[Block]) {
    let is_rewritten = |inst: &Inst| matches!(inst.op.class(), Class::Atomic | Class::Call);
    for &block in blocks {
        if !body.blocks[block].insts.iter().any(is_rewritten) {
            continue;
        }
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len());
        for Inst { op, pos } in insts {
            let mut write = |op: Op| out.push(Inst { op, pos });
            match op {
                Op::AtomicRmw { dst, ty, addr, value, .. } | Op::AtomicSwap { dst, ty, addr, value } => {
                    let dst = dst.unwrap_or_else(|| body.temp(ty));
                    write(load(dst, ty, addr));
                    write(store(ty, addr, value));
                }
                Op::AtomicCas { dst, ty, addr, desired, .. } => {
                    write(load(dst, ty, addr));
                    write(store(ty, addr, desired));
                }
                Op::AtomicLoad { dst, addr } => {
                    let ty = body.locals[dst].ty;
                    write(load(dst, ty, addr));
                }
                Op::AtomicStore { ty, addr, src } => write(store(ty, addr, src)),
                Op::Call { dst: None, callee: Callee::Direct(func), ref args, dest: None, .. }
                    if module.functions[func].body.is_none()
                        && module.functions[func].routine.is_none()
                        && args.iter().all(|&arg| body.operand_type(arg) != Type::Ptr) => {}
                op => write(op),
            }
        }
        body.blocks[block].insts = out;
    }
}

fn load(dst: Local, ty: Type, addr: Address) -> Op {
    Op::Load { dst, addr, access: Access::natural(ty) }
}

fn store(ty: Type, addr: Address, src: Operand) -> Op {
    Op::Store { ty, addr, src, access: Access::natural(ty) }
}

/// An object with a name, to be a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Object {
    Slot(Slot),
    Global(Global),
}

impl Object {
    fn of(operand: Operand) -> Option<Object> {
        match operand {
            Operand::Slot(slot) => Some(Object::Slot(slot)),
            Operand::Global(global) => Some(Object::Global(global)),
            Operand::Local(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {
                None
            }
        }
    }

    fn operand(self) -> Operand {
        match self {
            Object::Slot(slot) => Operand::Slot(slot),
            Object::Global(global) => Operand::Global(global),
        }
    }
}

/// Makes locals of objects that the construct only loads and stores as one scalar, and that it does not write
/// otherwise. As in [`Survey`], an access with another type is one of another object.
fn promote(
    body: &mut Body,
    (callees, bases): (&Callees, &Bases),
    blocks: &[Block],
) -> FxHashMap<Local, (Operand, Type)> {
    let mut types: FxHashMap<Object, Option<Type>> = FxHashMap::default();
    let mut stored: Vec<(Base, Option<Type>)> = Vec::new();
    let mut writes_anything = false;
    for &block in blocks {
        for inst in &body.blocks[block].insts {
            let plain = match &inst.op {
                Op::Load { dst, addr, access } => Some((addr, body.locals[*dst].ty, access, None)),
                Op::Store { ty, addr, src, access } => {
                    stored.push((bases.of(addr.base), Some(*ty)));
                    Some((addr, *ty, access, Some(*src)))
                }
                Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } => {
                    stored.push((bases.of(dst.base), None));
                    None
                }
                Op::Call { callee, dest, .. } => {
                    writes_anything |= dest.is_some() || callees.writes(*callee);
                    None
                }
                op => {
                    writes_anything |= op.effects().writes && op.class() != Class::Value;
                    None
                }
            };
            let mut in_memory =
                |operand: Operand| _ = Object::of(operand).map(|object| types.insert(object, None));
            let Some((addr, ty, access, src)) = plain else {
                inst.op.operands(in_memory);
                continue;
            };
            src.into_iter().for_each(&mut in_memory);
            if let Some(object) = Object::of(addr.base) {
                let fits = addr.offset == 0 && !access.volatile;
                let known = types.entry(object).or_insert(Some(ty));
                *known = known.filter(|&known| known == ty && fits);
            }
        }
        body.blocks[block].term.parts(|part| {
            if let Part::Value(operand) = part
                && let Some(object) = Object::of(*operand)
            {
                types.insert(object, None);
            }
        });
    }
    let own = |object: Object, ty: Type| {
        let base = bases.of(object.operand());
        let meets = |&(other, stored): &(Base, Option<Type>)| {
            other != base && are_of_one_type(stored, Some(ty)) && !bases.differ(base, other)
        };
        !writes_anything && !stored.iter().any(meets)
    };
    let mut locals: FxHashMap<Object, Local> = FxHashMap::default();
    let mut in_memory = FxHashMap::default();
    let mut objects: Vec<(Object, Type)> = types
        .iter()
        .filter_map(|(&object, &ty)| Some((object, ty?)))
        .filter(|&(object, ty)| own(object, ty))
        .collect();
    objects.sort_by_key(|(object, _)| match object {
        Object::Slot(slot) => (0, slot.as_u32()),
        Object::Global(global) => (1, global.as_u32()),
    });
    for (object, ty) in objects {
        let name = match object {
            Object::Slot(slot) => body.slots[slot].name.clone(),
            Object::Global(_) => None,
        };
        let local = body.locals.push(LocalData { ty, name, is_part: false, restrict: false });
        locals.insert(object, local);
        in_memory.insert(local, (object.operand(), ty));
    }
    memory::promote(body, blocks, |addr| {
        Object::of(addr.base).and_then(|object| locals.get(&object).copied())
    });
    in_memory
}

/// How many instructions there are.
fn count(body: &Body, blocks: &[Block]) -> usize {
    blocks.iter().map(|&block| body.blocks[block].insts.len()).sum()
}

/// Gives each instruction a position of its own; tells where they were.
fn number(body: &mut Body, blocks: &[Block]) -> Vec<(Block, Pos)> {
    let mut insts = Vec::with_capacity(count(body, blocks));
    for &block in blocks {
        for inst in &mut body.blocks[block].insts {
            insts.push((block, inst.pos));
            inst.pos = Pos { file: File::from_u32(0), line: insts.len() as u32, column: 0 };
        }
    }
    insts
}

/// Puts a loop around the construct, from its entry back to it.
fn wrap(body: &mut Body, data: &ConstructData, construct: Construct, blocks: &[Block]) -> Loop {
    // Parents come before children, so that the new loop is the first.
    let old = std::mem::take(&mut body.loops);
    let is_inside = |loop_: Loop| {
        old.get(loop_)
            .and_then(|data| body.blocks.get(data.header))
            .is_some_and(|header| header.construct == Some(construct))
    };
    let moved = |loop_: Loop| Loop::new(loop_.index() + 1);
    let whole = Loop::new(0);
    let mut loops: PrimaryMap<Loop, LoopData> = PrimaryMap::new();
    loops.push(LoopData::dead());
    for (loop_, data) in &old {
        let parent = match data.parent {
            Some(parent) if is_inside(parent) || !is_inside(loop_) => Some(moved(parent)),
            None if !is_inside(loop_) => None,
            _ => Some(whole),
        };
        loops.push(LoopData { parent, ..data.clone() });
    }
    let inside: Vec<bool> = old.keys().map(is_inside).collect();
    for block in body.blocks.values_mut() {
        block.loop_ = block.loop_.map(moved);
    }
    for slot in body.slots.values_mut() {
        slot.declared_in = slot.declared_in.map(moved);
    }
    let [header, latch] = [(); 2].map(|()| body.block());
    let cond = body.temp(Type::I1);
    let outside: Vec<Block> = body.order.iter().copied().filter(|block| !blocks.contains(block)).collect();
    outside.iter().for_each(|&block| redirect(body, block, data.entry, header));
    for &block in blocks {
        redirect(body, block, data.exit, latch);
        let loop_ = &mut body.blocks[block].loop_;
        *loop_ = loop_.filter(|loop_| inside[loop_.index() - 1]).or(Some(whole));
    }
    for data_of in
        loops.values_mut().skip(1).zip(&inside).filter_map(|(data, &inside)| inside.then_some(data))
    {
        if data_of.exit == data.exit {
            data_of.exit = latch;
        }
    }
    for (block, term) in [
        (header, Terminator::Branch { cond: Operand::Local(cond), then: data.entry, otherwise: data.exit }),
        (latch, Terminator::Jump(header)),
    ] {
        let target = &mut body.blocks[block];
        (target.term, target.loop_, target.construct) = (term, Some(whole), Some(construct));
    }
    let (body_of, exit) = (data.entry, data.exit);
    loops[whole] = LoopData { header, body: body_of, latch, exit, pos: data.pos, ..LoopData::dead() };
    body.loops = loops;
    whole
}
