//! Constructs as loops of one iteration: the form in which a survey walks all of a construct, straight code,
//! conditions and several nests of loops.
//!
//! The survey sees a copy of the body, one for all constructs of a function, in which variables that are only
//! loaded and stored are locals, in which accesses that no survey knows are loads and stores of the same
//! bytes, and in which positions number the instructions, so that a touch leads back to its instruction.

use crate::acc::ConstructData;
use crate::analysis::bases::{Base, Bases};
use crate::analysis::callees::Callees;
use crate::analysis::cfg::Dominators;
use crate::analysis::effects::{seen_by_others, written_by};
use crate::analysis::survey::{Obstacle, Survey, Whole, are_of_one_type};
use crate::edit::memory;
use crate::edit::split::redirect;
use crate::entities::{Block, Construct, File, Global, Local, Loop, Slot, map_below, set_of};
use crate::function::{BlockData, Body, LocalData, LoopData};
use crate::module::Module;
use crate::op::{Access, Address, Callee, Class, Inst, Op, Operand, Pos, Terminator};
use crate::types::Type;
use crate::visit;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// The constructs of a body, about which views are to be had.
pub struct Views<'a> {
    facts: Whole<'a>,
    parts: &'a Parts,
    /// Of the graph; few pointers ask.
    dominators: OnceCell<Dominators>,
}

/// A copy of a body in which constructs are loops.
pub struct Parts {
    body: Body,
    in_memory: FxHashMap<Local, (Operand, Type)>,
    insts: Vec<(Block, Pos)>,
    constructs: Vec<Part>,
}

/// A construct in a copy.
struct Part {
    /// The loop that it is an iteration of.
    whole: Loop,
    blocks: Vec<Block>,
    /// The numbers of its instructions.
    insts: Range<usize>,
}

impl Parts {
    /// Of constructs of a body, with the objects of its addresses but for what clauses say.
    pub fn of(
        (module, callees): (&Module, &Callees),
        (body, bases): (&Body, &Bases),
        constructs: &[Construct],
    ) -> Parts {
        let mut copy = copy_of(body, constructs);
        let mut in_memory = FxHashMap::default();
        let mut insts = Vec::new();
        let mut parts = Vec::with_capacity(constructs.len());
        for (n, blocks) in blocks_of(&copy, constructs).into_iter().enumerate() {
            simplify(&mut copy, module, &blocks);
            in_memory.extend(promote(&mut copy, (callees, bases), &blocks, &body.constructs[constructs[n]]));
            let first = insts.len();
            number(&mut copy, &blocks, &mut insts);
            parts.push(Part { whole: Loop::new(n), blocks, insts: first..insts.len() });
        }
        wrap(&mut copy, body, constructs, &parts);
        Parts { body: copy, in_memory, insts, constructs: parts }
    }
}

impl<'a> Views<'a> {
    /// Of a copy.
    pub fn new(
        parts: &'a Parts,
        (callees, bases): (&'a Callees, &'a Bases),
        signed_wraps: bool,
    ) -> Views<'a> {
        let facts = Whole::without_origins(&parts.body, Cow::Borrowed(bases), callees);
        Views { facts: facts.with_wrapping(signed_wraps), parts, dominators: OnceCell::new() }
    }

    /// That of the construct with a number; `assumes`: if unsigned numbers do not wrap around.
    pub fn of(&'a self, n: usize, assumes: bool) -> View<'a> {
        let Parts { body, in_memory, insts, constructs } = self.parts;
        let Part { whole, blocks, insts: own } = &constructs[n];
        let survey = Survey::of_first_iteration(&self.facts, *whole, assumes);
        let mut touches = vec![[None; 2]; own.len()];
        for (n, touch) in survey.touches.iter().enumerate() {
            touches[touch.pos.line as usize - 1 - own.start][usize::from(touch.writes)] = Some(n);
        }
        let (movers, users) = movers_and_users(body, blocks);
        View {
            body,
            in_memory,
            survey,
            movers,
            users,
            insts: &insts[own.clone()],
            first: own.start,
            touches,
            views: self,
            whole: *whole,
        }
    }
}

/// A construct, surveyed.
pub struct View<'a> {
    /// The copy.
    pub body: &'a Body,
    /// Where variables in memory are that are locals of the copy.
    pub in_memory: &'a FxHashMap<Local, (Operand, Type)>,
    /// What the construct computes and accesses.
    pub survey: Survey,
    /// Instructions of the construct that compute what may be an address, by their places.
    movers: Vec<(Block, usize)>,
    /// Those that do more than to compute a value, and comparisons.
    users: Vec<(Block, usize)>,
    /// Instructions by the number that is their line in the copy, and their positions in the program.
    insts: &'a [(Block, Pos)],
    /// The number of the first one.
    first: usize,
    /// What each of them reads and writes, as places in [`Survey::touches`].
    touches: Vec<[Option<usize>; 2]>,
    views: &'a Views<'a>,
    /// The loop that the construct is an iteration of.
    whole: Loop,
}

impl View<'_> {
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
        self.insts[pos.line as usize - 1 - self.first]
    }

    /// The access of an instruction with a position of the copy, if control reaches it.
    pub fn touch_at(&self, pos: Pos, writes: bool) -> Option<usize> {
        self.touches[pos.line as usize - 1 - self.first][usize::from(writes)]
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

    /// The locals whose values from before the construct are read there.
    pub fn live_at_entry(&self) -> EntitySet<Local> {
        set_of(self.views.facts.live.live_in(self.body.loops[self.whole].body))
    }

    /// Whether every execution of the construct executes a block.
    pub fn is_unconditional(&self, block: Block) -> bool {
        self.dominates(block, self.body.loops[self.whole].latch)
    }

    fn dominates(&self, block: Block, other: Block) -> bool {
        let Views { facts, dominators, .. } = self.views;
        dominators.get_or_init(|| Dominators::new(&facts.cfg)).dominates(block, other)
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

/// A copy of a body that has nothing but constructs, between which its first block chooses. What clauses say
/// is known from the constructs themselves: a variable that they name is not in the reach of a pointer
/// because of that.
fn copy_of(body: &Body, constructs: &[Construct]) -> Body {
    let inside: EntitySet<Construct> = set_of(constructs.iter().copied());
    let is_inside = |data: &BlockData| data.construct.is_some_and(|construct| inside.contains(construct));
    let block = |data: &BlockData| match is_inside(data) {
        true => data.clone(),
        false => BlockData { insts: Vec::new(), term: Terminator::Unreachable, ..*data },
    };
    let blocks: PrimaryMap<Block, BlockData> = body.blocks.values().map(block).collect();
    let first = body.entry();
    let is_kept = |&block: &Block| block == first || is_inside(&blocks[block]);
    let order = body.order.iter().copied().filter(is_kept).collect();
    let construct = |(construct, data): (Construct, &ConstructData)| match inside.contains(construct) {
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

/// The blocks of each construct, in the order of the layout.
fn blocks_of(body: &Body, constructs: &[Construct]) -> Vec<Vec<Block>> {
    let mut place: SecondaryMap<Construct, Option<usize>> = map_below(body.constructs.len());
    constructs.iter().enumerate().for_each(|(n, &construct)| place[construct] = Some(n));
    let mut blocks = vec![Vec::new(); constructs.len()];
    for &block in &body.order {
        if let Some(n) = body.blocks[block].construct.and_then(|construct| place[construct]) {
            blocks[n].push(block);
        }
    }
    blocks
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
    construct: &ConstructData,
) -> FxHashMap<Local, (Operand, Type)> {
    let mut types: FxHashMap<Object, Option<Type>> = FxHashMap::default();
    let mut stored: Vec<(Base, Option<Type>)> = Vec::new();
    let mut writes_anything = false;
    for &block in blocks {
        let seen = seen_by_others(&body.blocks[block]).len();
        for (n, inst) in body.blocks[block].insts.iter().enumerate() {
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
                op @ Op::Call { .. } => {
                    match written_by(body, (callees, bases), op) {
                        _ if n >= seen => {}
                        Some(written) => stored.extend(written),
                        None => writes_anything = true,
                    }
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
            if let visit::Part::Value(operand) = part
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
        // Nothing leads to the construct's own copy of a variable.
        let mut copies = construct.private.iter().chain(&construct.firstprivate);
        copies.any(|copy| copy.var == object.operand()) || !writes_anything && !stored.iter().any(meets)
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

/// Gives each instruction a position of its own; adds where they were.
fn number(body: &mut Body, blocks: &[Block], insts: &mut Vec<(Block, Pos)>) {
    insts.reserve(count(body, blocks));
    for &block in blocks {
        for inst in &mut body.blocks[block].insts {
            insts.push((block, inst.pos));
            inst.pos = Pos { file: File::from_u32(0), line: insts.len() as u32, column: 0 };
        }
    }
}

/// Puts a loop around each construct of a copy, from the construct's entry back to it.
fn wrap(copy: &mut Body, body: &Body, constructs: &[Construct], parts: &[Part]) {
    // Parents come before children, so that new loops are the first.
    let moved = |loop_: Loop| Loop::new(loop_.index() + parts.len());
    let mut whole_of: SecondaryMap<Block, Option<Loop>> = map_below(copy.blocks.len());
    for Part { whole, blocks, .. } in parts {
        blocks.iter().for_each(|&block| whole_of[block] = Some(*whole));
    }
    let old = std::mem::take(&mut copy.loops);
    let whole = |loop_: Loop| old.get(loop_).and_then(|data| whole_of[data.header]);
    let mut loops: PrimaryMap<Loop, LoopData> = parts.iter().map(|_| LoopData::dead()).collect();
    for (loop_, data) in &old {
        let is_around = |parent: &Loop| whole(loop_).is_none() || whole(*parent).is_some();
        let parent = data.parent.filter(is_around).map(moved).or_else(|| whole(loop_));
        loops.push(LoopData { parent, ..data.clone() });
    }
    for slot in copy.slots.values_mut() {
        slot.declared_in = slot.declared_in.map(moved);
    }
    let wholes: Vec<Option<Loop>> = old.keys().map(whole).collect();
    for (block, data) in &mut copy.blocks {
        let own = data.loop_.filter(|loop_| whole_of[block].is_none() || wholes[loop_.index()].is_some());
        data.loop_ = own.map(moved).or(whole_of[block]);
    }
    let end = copy.block();
    let cond = copy.temp(Type::I1);
    let mut headers = Vec::with_capacity(parts.len());
    for (&construct, Part { whole, blocks, .. }) in constructs.iter().zip(parts) {
        let data = &body.constructs[construct];
        let [header, latch] = [(); 2].map(|()| copy.block());
        blocks.iter().for_each(|&block| redirect(copy, block, data.exit, latch));
        for (loop_, data_of) in loops.iter_mut().skip(parts.len()) {
            if wholes[loop_.index() - parts.len()] == Some(*whole) && data_of.exit == data.exit {
                data_of.exit = latch;
            }
        }
        for (block, term) in [
            (header, Terminator::Branch { cond: Operand::Local(cond), then: data.entry, otherwise: end }),
            (latch, Terminator::Jump(header)),
        ] {
            let target = &mut copy.blocks[block];
            (target.term, target.loop_, target.construct) = (term, Some(*whole), Some(construct));
        }
        loops[*whole] =
            LoopData { header, body: data.entry, latch, exit: end, pos: data.pos, ..LoopData::dead() };
        headers.push(header);
    }
    copy.loops = loops;
    let entry = copy.entry();
    copy.blocks[entry].term = match headers[..] {
        [only] => Terminator::Jump(only),
        _ => {
            let cases = headers.iter().enumerate().map(|(n, &header)| (n as i64, n as i64, header));
            Terminator::Switch { value: Operand::Local(cond), cases: cases.collect(), default: end }
        }
    };
}
