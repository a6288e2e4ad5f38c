//! What the iterations of a nest of loops compute and touch.
//!
//! The code of a loop is walked in the order of execution, with the value of each local in sight: locals that
//! change by the same amount in every iteration are sums over the counter of the loop, whatever the form of
//! the loop (`for`, `while`, two variables that go in step). Each access to memory is noted with its address
//! as a sum, the facts that hold there, and the truth values that decide whether it is executed; each local
//! with what an iteration makes of it.
//!
//! Sums ignore overflow: signed arithmetic of C has none, and a loop that runs has a counter that fits. A
//! conversion whose operand may not fit makes an atom of its own (see [`super::sums`]), and so does
//! arithmetic whose result may not, where the user says that signed integers wrap around
//! ([`Whole::signed_wraps`]).

mod assumed;
mod calls;
mod form;
mod known;
mod results;
mod settled;
mod spans;
mod values;
mod ways;

use super::bases::{Base, Bases};
use super::callees::{Access, Callees, Place, Witness};
use super::cfg::Cfg;
use super::compared::Compared;
use super::effects::{seen_by_others, written_by};
use super::facts::{Fact, Limits, fits};
use super::liveness::{Liveness, reads_of_part};
use super::loops::Nest;
use super::scalars::Role;
use super::sums::{Atom, Atoms, Kind, Sum, range};
use crate::entities::{Block, Local, Loop, map_below};
use crate::function::Body;
use crate::op::{BinaryOp, Callee, Class, CmpOp, Inst, Op, Operand, Pos, Terminator};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use form::{Counts, Form};
use known::Known;
use rustc_hash::{FxBuildHasher, FxHashMap};
use settled::Settled;
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// A truth value that decides whether code is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Control {
    /// The truth value.
    pub cond: Atom,
    /// What it has to be.
    pub holds: bool,
    /// All that it says is among the facts.
    pub is_fact: bool,
    /// The share of the ways through the iteration that led to the branch.
    share: u64,
}

impl Control {
    /// The header of a loop asks for it, which lets iterations run.
    pub fn is_of_header(&self) -> bool {
        self.share == u64::MAX
    }
}

/// An access to memory.
#[derive(Clone, Debug)]
pub struct Touch {
    /// Its address.
    pub address: Sum,
    /// The object or pointer that the address is derived from, if there is just one.
    pub root: Option<Atom>,
    /// The same as far as all of the body shows it.
    pub base: Base,
    /// The variable that the program subscripts, for explanations: `q` of `q[i]`, which may be `p + 2`.
    pub variable: Option<Operand>,
    /// The subscripts after it, outermost first.
    pub subscripts: Rc<Vec<Sum>>,
    /// How many bytes.
    pub bytes: i64,
    /// The type in memory; `None`: any, as of an object that is copied as a whole.
    pub ty: Option<Type>,
    /// It writes.
    pub writes: bool,
    /// The value that is read or written.
    pub value: Option<Sum>,
    /// The innermost loop around it.
    pub loop_: Loop,
    /// What holds where it is executed, bounds of loops among it.
    pub facts: Rc<Vec<Fact>>,
    /// What decides whether it is executed.
    pub control: Rc<Vec<Control>>,
    /// Where the program has it.
    pub pos: Pos,
    /// The block and the number of the instruction in it.
    pub at: (Block, usize),
    /// The access of a function called there, which may do it.
    pub callee: Option<Access>,
}

/// What stands in the way of knowing all that iterations do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A function is called that may do more than to access memory that is known.
    Call(Witness),
    /// The loop is left from its middle, or the function returns.
    Exit,
    /// An access is volatile or atomic, or orders memory.
    Ordered,
    /// Memory is taken from the stack, or variable arguments are read.
    Frame,
    /// A directive.
    Directive,
    /// A loop that is none of the loop tree, as labels and `goto` make it.
    Cycle,
}

/// A loop of the nest.
#[derive(Clone, Debug, Default)]
pub struct LoopFacts {
    /// Locals that change by the same amount in each iteration: with that amount, and the value in the first
    /// one.
    pub inductions: Vec<(Local, Sum, Sum)>,
    /// What becomes of the other locals that the loop assigns.
    pub scalars: Vec<(Local, Role)>,
    /// What stands in the way, inner loops included.
    pub obstacles: Vec<(Obstacle, Pos)>,
    /// The number of iterations if there are any, as far as it is a sum.
    pub trip: Option<Sum>,
    /// What the number changes by in each iteration that the header compares with one that stays.
    pub step: Option<i64>,
    /// What an iteration leaves in locals that are read later.
    pub kept: Vec<(Local, Sum)>,
}

/// A number that has to stay within limits.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The number.
    pub number: Sum,
    /// The least and the greatest that it may be.
    pub limits: Limits,
    /// What holds where it is computed.
    pub facts: Rc<Vec<Fact>>,
    /// The loop around that place.
    pub loop_: Loop,
    /// The place in the program.
    pub pos: Pos,
    at: (Block, usize),
}

/// What an unsigned number is that the header of a loop compares, or makes of one that counts: exact, if the
/// bound is not too close to the greatest number of the type.
#[derive(Clone, Debug)]
struct Promise {
    loop_: Loop,
    number: Sum,
    most: i64,
}

/// A nest of loops.
#[derive(Debug)]
pub struct Survey {
    /// The loop around all others.
    pub outermost: Loop,
    /// The atoms of all sums.
    pub atoms: Atoms,
    /// The outermost loop and all inside.
    pub loops: FxHashMap<Loop, LoopFacts>,
    /// Accesses to memory, in order of execution.
    pub touches: Vec<Touch>,
    /// The pointers that the nest reads and that have another name: `p` of `p = q + 2` is `q + 2`.
    pub renamed: Vec<(Local, Sum)>,
    /// What has to hold so that numbers are what the survey takes them for.
    pub assumed: Vec<Assumption>,
    /// Assumptions would make sums of further numbers.
    pub is_open: bool,
    /// An assumption was made that cannot be written down, so that nothing here counts.
    pub is_wrong: bool,
}

/// What is known about a body as a whole, for the nests in it.
#[derive(Debug)]
pub struct Whole<'a> {
    /// The body.
    pub body: &'a Body,
    /// Its loops.
    pub nest: Nest,
    /// Its graph.
    pub cfg: Cfg,
    /// Its live locals.
    pub live: Liveness,
    /// The objects of its addresses.
    pub bases: Cow<'a, Bases>,
    /// What blocks of loops mention.
    mentions: Mentioned,
    /// For whoever counts locals of a loop.
    counts: RefCell<Counts>,
    /// The pointers that are set once, with what sets them: `int *q = p + 2`.
    origins: FxHashMap<Local, Op>,
    /// The pointers that are set once, to what an allocation returns, with its place.
    allocated: FxHashMap<Local, (Block, usize)>,
    /// What has one value for good; with the origins only.
    settled: Option<Settled>,
    /// What it shares with the rest of its module.
    pub callees: &'a Callees,
    /// Signed integers wrap around.
    pub signed_wraps: bool,
}

impl<'a> Whole<'a> {
    /// Of a body.
    pub fn new(body: &'a Body, callees: &'a Callees) -> Whole<'a> {
        let whole = Whole::without_origins(body, Cow::Owned(Bases::new(body)), callees);
        let settled = Some(Settled::of(body, &whole.cfg, &whole.bases));
        let allocated = allocated(body, &whole.bases, callees);
        Whole { origins: origins(body, &whole.bases), allocated, settled, ..whole }
    }

    /// The same, with each pointer for itself, whatever it comes from. The objects of addresses may be those
    /// of a body of which this one is a part.
    pub fn without_origins(body: &'a Body, bases: Cow<'a, Bases>, callees: &'a Callees) -> Whole<'a> {
        let cfg = Cfg::new(body);
        let live = Liveness::new(body, &cfg);
        Whole {
            origins: FxHashMap::default(),
            allocated: FxHashMap::default(),
            settled: None,
            mentions: Mentioned::of(body, &live),
            counts: RefCell::new(Counts::below(body.locals.len())),
            body,
            nest: Nest::new(body),
            cfg,
            live,
            bases,
            callees,
            signed_wraps: false,
        }
    }

    /// The same, of a program whose signed integers wrap around or never overflow.
    #[must_use]
    pub fn with_wrapping(self, signed_wraps: bool) -> Whole<'a> {
        Whole { signed_wraps, ..self }
    }
}

/// The locals of more than one block that the instructions of blocks mention, and the variables that they
/// assign. A block is part of every loop around it.
#[derive(Debug)]
struct Mentioned {
    /// Lists, one after the other.
    locals: Vec<Local>,
    /// The places of a block's locals: first those it reads, each once, then those it assigns, as often as it
    /// does.
    places: SecondaryMap<Block, [u32; 3]>,
}

impl Mentioned {
    /// By the blocks of loops.
    fn of(body: &Body, live: &Liveness) -> Mentioned {
        let mut mentioned =
            Mentioned { locals: Vec::with_capacity(body.locals.len()), places: map_below(body.blocks.len()) };
        // The number of the last block that read a local.
        let mut last: Vec<u32> = vec![0; body.locals.len()];
        let mut assigned = Vec::new();
        let of_loops = body.order.iter().filter(|&&block| body.blocks[block].loop_.is_some());
        for (&block, number) in of_loops.zip(1..) {
            let locals = &mut mentioned.locals;
            let start = locals.len() as u32;
            let mut on_read = |local: Local| {
                if std::mem::replace(&mut last[local.index()], number) != number && live.crosses(local) {
                    locals.push(local);
                }
            };
            for Inst { op, .. } in &body.blocks[block].insts {
                op.parts(|part| match part {
                    Part::Def(&local) => {
                        if live.crosses(local) || body.locals[local].name.is_some() {
                            assigned.push(local);
                        }
                    }
                    Part::Value(Operand::Local(local)) => on_read(*local),
                    part => reads_of_part(body, part, &mut on_read),
                });
            }
            let middle = locals.len() as u32;
            locals.append(&mut assigned);
            mentioned.places[block] = [start, middle, locals.len() as u32];
        }
        mentioned
    }

    /// What a block reads.
    fn reads(&self, block: Block) -> &[Local] {
        let [start, middle, _] = self.places[block];
        &self.locals[start as usize..middle as usize]
    }

    /// What a block assigns.
    fn defs(&self, block: Block) -> &[Local] {
        let [_, middle, end] = self.places[block];
        &self.locals[middle as usize..end as usize]
    }
}

impl Whole<'_> {
    /// Whether a local is a parameter that has the value of its argument everywhere.
    pub fn keeps_argument(&self, local: Local) -> bool {
        self.body.params.contains(&local) && self.bases.is_set_once(local)
    }

    /// The call that has allocated what a pointer leads to, if it leads nowhere else.
    pub fn allocation(&self, local: Local) -> Option<(Block, usize)> {
        self.allocated.get(&local).copied()
    }

    /// Whether an operation is a call that may write memory or do something else that is noticed.
    pub fn writes(&self, op: &Op) -> bool {
        match op {
            Op::Call { callee, dest, .. } => dest.is_some() || self.callees.writes(*callee),
            op => op.effects().writes,
        }
    }
}

/// Locals of most nests that are pointers with subscripts, or have a value in front of the nest.
const SOME_LOCALS: usize = 28;
/// Blocks in front of a nest whose values are looked for.
const MOST_BLOCKS_BEFORE: usize = 8;

/// What the number of an iteration is between.
const ITERATIONS: (i64, i64) = (0, i64::MAX >> 1);

/// All the ways through an iteration: halved at each branch, added where ways meet.
const ALL_WAYS: u64 = 1 << 62;

/// Values and facts at a point of the walk. A local that is missing has its value from before the nest.
#[derive(Clone, Debug)]
struct State {
    values: Known,
    facts: Rc<Vec<Fact>>,
    control: Rc<Vec<Control>>,
    share: u64,
}

/// How the header of a loop counts.
#[derive(Clone, Debug)]
struct Header {
    cond: Atom,
    cmp: CmpOp,
    a: Sum,
    b: Sum,
}

/// The locals that an iteration assigns, and what it adds to each of them, if that is always the same.
type Changes = Vec<(Local, Option<Sum>)>;

/// The variable that a pointer was computed from, and the subscripts.
type Chain = (Operand, Rc<Vec<Sum>>);

struct Walk<'a> {
    whole: &'a Whole<'a>,
    body: &'a Body,
    survey: Survey,
    /// Stores of the nest: base and type.
    stored: Vec<(Base, Option<Type>)>,
    /// Something other than plain stores may write memory.
    writes_anything: bool,
    /// Nothing is noted: the walk looks for inductions.
    quiet: bool,
    /// Accesses and their places are asked for only: not what becomes of locals, nor of values.
    only_accesses: bool,
    /// Of these it is not asked what numbers with a fraction are, since none of them leads to an address, a
    /// bound or a condition.
    skips_fractions: bool,
    /// Unsigned numbers are assumed not to wrap around.
    assumes: bool,
    /// The code in front of the nest is walked, or what was computed once.
    is_before: bool,
    /// Numbers in headers of which the comparison there is still to say whether they wrap around.
    promised: Vec<Promise>,
    /// The state along edges that are to be followed: a handful at a time, so that a list is searched faster
    /// than a table.
    edges: Vec<((Block, Block), State)>,
    /// How often memory has been written.
    version: u32,
    /// The instruction that is looked at.
    at: (Block, usize),
    /// What pointers were computed from, for explanations.
    subscripts: FxHashMap<Local, Chain>,
    /// Those of an access without any.
    no_subscripts: Rc<Vec<Sum>>,
    /// The comparison in a header, as of the last walk.
    headers: FxHashMap<Loop, Header>,
    /// The locals that a loop assigns, and what it adds to each of them, where that is known for good.
    changes: FxHashMap<Loop, Rc<Changes>>,
    /// What the code of loops says about them.
    forms: FxHashMap<Loop, Rc<Form>>,
    /// Values that locals have for good, as far as they were asked for.
    settled: FxHashMap<Local, Option<Sum>>,
    /// The atoms of what locals held before the nest.
    entries: FxHashMap<Local, Atom>,
}

impl State {
    /// Where nothing has happened yet.
    fn empty() -> State {
        State { values: Known::default(), facts: Rc::default(), control: Rc::default(), share: ALL_WAYS }
    }
}

impl Touch {
    /// A called function has it by the name of the object, so that it is to the object itself wherever the
    /// loop has copies.
    pub fn is_by_name(&self) -> bool {
        self.callee.is_some_and(|access| matches!(access.place, Place::Global(_)))
    }
}

impl Survey {
    /// Of a loop and all loops inside.
    pub fn of(whole: &Whole<'_>, loop_: Loop) -> Survey {
        Survey::walked(whole, loop_, (false, false))
    }

    /// The same, if unsigned numbers do not wrap around ([`Survey::assumed`]).
    pub fn assuming(whole: &Whole<'_>, loop_: Loop) -> Survey {
        Survey::walked(whole, loop_, (false, true))
    }

    /// Of code that a loop stands for: what its first iteration accesses. Touches have no values and nothing
    /// for explanations, loops nothing about scalars. `assumes`: as [`Survey::assuming`] does.
    pub fn of_first_iteration(whole: &Whole<'_>, loop_: Loop, assumes: bool) -> Survey {
        Survey::walked(whole, loop_, (true, assumes))
    }

    fn walked(whole: &Whole<'_>, loop_: Loop, (is_once, assumes): (bool, bool)) -> Survey {
        let survey = Survey {
            outermost: loop_,
            atoms: Atoms::new(),
            loops: FxHashMap::default(),
            touches: Vec::new(),
            renamed: Vec::new(),
            assumed: Vec::new(),
            is_open: false,
            is_wrong: false,
        };
        let mut walk = Walk {
            whole,
            body: whole.body,
            survey,
            stored: Vec::new(),
            writes_anything: false,
            quiet: false,
            only_accesses: is_once,
            skips_fractions: false,
            assumes,
            is_before: false,
            promised: Vec::new(),
            edges: Vec::new(),
            version: 0,
            at: (whole.body.loops[loop_].header, 0),
            subscripts: FxHashMap::with_capacity_and_hasher(SOME_LOCALS, FxBuildHasher),
            no_subscripts: Rc::default(),
            headers: FxHashMap::default(),
            changes: FxHashMap::default(),
            forms: FxHashMap::default(),
            settled: FxHashMap::default(),
            entries: FxHashMap::with_capacity_and_hasher(SOME_LOCALS, FxBuildHasher),
        };
        walk.find_stores();
        walk.skips_fractions = is_once && !walk.needs_fractions();
        let start = walk.before(loop_);
        if is_once {
            walk.survey.loops.insert(loop_, LoopFacts::default());
            walk.iteration(loop_, start);
        } else {
            walk.survey.renamed = walk.renamed(loop_, &start);
            walk.loop_(loop_, start);
        }
        walk.survey
    }
}

/// Whether values of a type are numbers with a fraction.
fn is_fraction(ty: Type) -> bool {
    ty.is_float() || ty.is_complex()
}

/// Whether an operation that is no call may write memory in a way that is not looked into.
fn has_unknown_effect(op: &Op) -> bool {
    match op {
        Op::Load { access, .. } => access.volatile,
        op => match op.class() {
            Class::Value | Class::Lane | Class::Memory => false,
            Class::Call
            | Class::Atomic
            | Class::Frame
            | Class::Directive
            | Class::Abstract
            | Class::Threads => op.effects().writes,
        },
    }
}

impl Walk<'_> {
    fn find_stores(&mut self) {
        for block in self.whole.nest.blocks(self.survey.outermost) {
            for inst in seen_by_others(&self.body.blocks[block]) {
                match &inst.op {
                    Op::Store { ty, addr, .. } => {
                        self.stored.push((self.whole.bases.of(addr.base), Some(*ty)))
                    }
                    Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } => {
                        self.stored.push((self.whole.bases.of(dst.base), None));
                    }
                    op @ Op::Call { .. } => {
                        match written_by(self.body, (self.whole.callees, &self.whole.bases), op) {
                            Some(written) => self.stored.extend(written),
                            None => self.writes_anything = true,
                        }
                    }
                    op => self.writes_anything |= has_unknown_effect(op),
                }
            }
        }
    }

    /// Whether the nest makes truth values or integers of numbers with a fraction.
    fn needs_fractions(&self) -> bool {
        let is_needed = |op: &Op| match op {
            Op::Compare { a, .. } => is_fraction(self.body.operand_type(*a)),
            Op::Convert { dst, src, .. } => {
                is_fraction(self.body.operand_type(*src)) && !is_fraction(self.body.locals[*dst].ty)
            }
            _ => false,
        };
        let blocks = self.whole.nest.blocks(self.survey.outermost);
        blocks.iter().flat_map(|&block| &self.body.blocks[block].insts).any(|inst| is_needed(&inst.op))
    }

    /// Whether nothing in the nest writes an address of this base, accessed with this type.
    fn is_constant(&self, base: Base, ty: Type) -> bool {
        let may_be_written = |&(other, stored): &(Base, Option<Type>)| {
            are_of_one_type(stored, Some(ty)) && !self.whole.bases.differ(base, other)
        };
        !self.writes_anything && !self.stored.iter().any(may_be_written)
    }

    /// The pointers that a nest reads and that it knows by another name.
    fn renamed(&mut self, loop_: Loop, start: &State) -> Vec<(Local, Sum)> {
        let (whole, header) = (self.whole, self.body.loops[loop_].header);
        let is_pointer = |local: &Local| self.body.locals[*local].ty == Type::Ptr;
        let pointers: Vec<Local> = whole.live.live_in(header).filter(is_pointer).collect();
        let named = pointers.into_iter().map(|local| (local, self.value_before(start, local)));
        let named: Vec<(Local, Sum)> = named.collect();
        named.into_iter().filter(|(local, value)| *value != self.entry(*local)).collect()
    }

    /// The state in front of the outermost loop: what the code right before it computes from constants, and
    /// from locals that keep their values up to the loop.
    fn before(&mut self, loop_: Loop) -> State {
        let mut state = State::empty();
        let mut chain = vec![self.body.loops[loop_].preheader];
        if !self.body.blocks.is_valid(chain[0]) {
            return state;
        }
        while let [pred] = self.whole.cfg.predecessors(chain[chain.len() - 1])
            && chain.len() < MOST_BLOCKS_BEFORE
        {
            chain.push(*pred);
        }
        let wanted = self.wanted(loop_, &chain);
        // The last places that assign locals: what these have there they have before the nest. Until then
        // they have values that are known by no name.
        let mut asked: SmallVec<[Local; 32]> = SmallVec::new();
        for &(block, n) in &wanted {
            let op = &self.body.blocks[block].insts[n].op;
            op.parts(|part| asked.extend(part.operand().and_then(Operand::as_local)));
        }
        asked.sort_unstable();
        asked.dedup();
        let mut places: SmallVec<[Option<(Block, usize)>; 32]> = smallvec![None; asked.len()];
        for &block in chain.iter().filter(|_| !asked.is_empty()) {
            for (n, inst) in self.body.blocks[block].insts.iter().enumerate().rev() {
                inst.op.defs(|local| {
                    if let Ok(at) = asked.binary_search(&local) {
                        places[at] = places[at].or(Some((block, n)));
                    }
                });
            }
        }
        let last = |local: Local| asked.binary_search(&local).ok().and_then(|at| places[at]);
        for &at in &wanted {
            let inst = &self.body.blocks[at.0].insts[at.1];
            inst.op.uses(|local| {
                if last(local).is_some() && state.values.get(local).is_none() {
                    let before = self.fresh(Vec::new(), local, None);
                    state.values.set(local, before);
                }
            });
        }
        let was_quiet = std::mem::replace(&mut self.quiet, true);
        self.is_before = true;
        let place = |block: Block| self.body.blocks[block].construct;
        let construct = place(self.body.loops[loop_].header);
        for &at in wanted.iter().rev() {
            self.inst(at, loop_, &mut state);
            let Some(dst) = self.body.blocks[at.0].insts[at.1].op.dst() else { continue };
            // A construct does not have the values of code in front of it, and of two locals with one value
            // the variable explains more.
            if place(at.0) != construct || self.body.locals[dst].name.is_none() {
                continue;
            }
            let atoms = &self.survey.atoms;
            let is_named = |value: &Sum| value.atoms().all(|atom| keeps_name(atoms, atom));
            if last(dst) == Some(at) && !state.values.get(dst).is_some_and(is_named) {
                let value = self.value_before(&State::empty(), dst);
                state.values.set(dst, value);
            }
        }
        self.quiet = was_quiet;
        self.is_before = false;
        let atoms = &self.survey.atoms;
        state.values.retain(|_, value| value.atoms().all(|atom| keeps_name(atoms, atom)));
        // Facts of the code in front are about values that it may have changed since.
        state.facts = Rc::default();
        self.subscripts.clear();
        state
    }

    /// The instructions of blocks, the last one first, that matter for values of locals which the nest
    /// mentions: code in front of a construct computes much for others.
    fn wanted(&self, loop_: Loop, blocks: &[Block]) -> Vec<(Block, usize)> {
        let wants = &mut *self.whole.counts.borrow_mut();
        wants.restart();
        for block in self.whole.nest.blocks(loop_) {
            let Mentioned { locals: all, places } = &self.whole.mentions;
            let [start, _, end] = places[block];
            all[start as usize..end as usize].iter().for_each(|&local| _ = wants.add(local));
            self.body.blocks[block].term.uses(|local| _ = wants.add(local));
        }
        let mut wanted = Vec::new();
        for &block in blocks {
            for (n, Inst { op, .. }) in self.body.blocks[block].insts.iter().enumerate().rev() {
                let is_plain = match op {
                    Op::Load { access, .. } => !access.volatile,
                    // A subscript that is in its dimension says something about others.
                    Op::Index { extent, .. } => extent.is_none(),
                    op => op.class() == Class::Value,
                };
                let mut is_wanted = !is_plain;
                op.defs(|local| is_wanted |= wants.take(local) > 0);
                if is_wanted {
                    op.operands(|operand| {
                        operand.as_local().into_iter().for_each(|local| _ = wants.add(local))
                    });
                    wanted.push((block, n));
                }
            }
        }
        wanted
    }

    fn fresh(&mut self, inputs: Vec<Sum>, local: Local, loop_: Option<Loop>) -> Sum {
        let ty = self.body.locals[local].ty;
        Sum::atom(self.survey.atoms.opaque(inputs, loop_, range(ty, true)))
    }

    fn form(&mut self, loop_: Loop) -> Rc<Form> {
        let form = self.forms.entry(loop_).or_insert_with(|| Rc::new(Form::of(self.whole, loop_)));
        Rc::clone(form)
    }

    /// Walks the iterations of a loop; the state before it becomes the state behind it.
    fn loop_(&mut self, loop_: Loop, before: State) -> State {
        let form = self.form(loop_);
        let found;
        let changes = match (&form.changes, self.changes.get(&loop_)) {
            (Some(changes), _) => changes,
            (None, Some(known)) => {
                found = Rc::clone(known);
                &*found
            }
            (None, None) => {
                found = self.find_changes(loop_, &form.kept, &before);
                &*found
            }
        };
        let counter = Sum::atom(self.survey.atoms.intern(Kind::Counter(loop_), Some(loop_), ITERATIONS));
        let mut start = before.clone();
        let mut facts = LoopFacts::default();
        let mut own = Vec::new();
        for &(local, ref change) in changes {
            let value = change.as_ref().and_then(|change| {
                let first = self.value_before(&before, local);
                let value = first.plus(1, &change.times(&counter)?)?;
                Some((first, value))
            });
            if let (Some(change), Some((first, value))) = (change, value) {
                start.values.set(local, value);
                facts.inductions.push((local, change.clone(), first));
            } else {
                // What an iteration starts with is made of what the loop started with.
                let first = self.value_before(&before, local);
                let value = self.fresh(vec![first], local, Some(loop_));
                own.push((local, value.clone()));
                start.values.set(local, value);
            }
        }
        self.bound_narrow_counters(loop_, &facts);
        self.bound_unsigned_counter(loop_, &facts);
        if !self.quiet {
            self.survey.loops.insert(loop_, LoopFacts::default());
        }
        let first_touch = self.survey.touches.len();
        let end = self.iteration(loop_, start);
        (facts.step, facts.trip) = self.steps(loop_, &facts);
        let after = self.behind(loop_, before, &facts, &own, end.as_ref());
        if !self.quiet {
            if !self.only_accesses {
                self.find_roles(loop_, &mut facts, &own, end.as_ref(), first_touch);
                facts.scalars.extend(form.temporary.iter().map(|&local| (local, Role::Private)));
            }
            if let Some(noted) = self.survey.loops.get_mut(&loop_) {
                facts.obstacles = std::mem::take(&mut noted.obstacles);
                *noted = facts;
            }
        }
        self.leave(&form, &after);
        after
    }

    /// Walks an iteration with a value of its own for each local, to see what it adds to them.
    fn find_changes(&mut self, loop_: Loop, assigned: &[Local], before: &State) -> Rc<Changes> {
        // A narrow number that begins with a natural constant stays natural if each iteration adds to it
        // without wrapping around: `unsigned char` is then what it is as a number with a sign.
        let mut natural: SmallVec<[Local; 1]> = SmallVec::new();
        for &local in assigned {
            if is_narrow(self.body.locals[local].ty)
                && matches!(self.value_before(before, local).as_constant(), Some(0..))
            {
                natural.push(local);
            }
        }
        if natural.is_empty() {
            return self.changes_if(loop_, assigned, before, &natural);
        }
        // What is found out about inner loops holds if that does.
        let inside = self.whole.nest.inside(loop_);
        let counter = |walk: &Self, inner: Loop| walk.survey.atoms.known(&Kind::Counter(inner));
        let range_of = |&inner: &Loop| counter(self, inner).map(|atom| self.survey.atoms.data(atom).range);
        let ranges: Vec<Option<(i64, i64)>> = inside.iter().map(range_of).collect();
        let known = self.changes.clone();
        let changes = self.changes_if(loop_, assigned, before, &natural);
        let grows = |(local, change): &(Local, Option<Sum>)| {
            let change = change.as_ref().and_then(Sum::as_constant);
            !natural.contains(local) || change.is_some_and(|change| change > 0)
        };
        if changes.iter().all(grows) {
            return changes;
        }
        self.changes = known;
        for (inner, range) in inside.into_iter().zip(ranges) {
            if let Some(atom) = counter(self, inner) {
                self.survey.atoms.set_range(atom, range.unwrap_or(ITERATIONS));
            }
        }
        self.changes_if(loop_, assigned, before, &[])
    }

    /// The same, if some locals are never below zero.
    fn changes_if(
        &mut self,
        loop_: Loop,
        assigned: &[Local],
        before: &State,
        natural: &[Local],
    ) -> Rc<Changes> {
        let mut start = before.clone();
        let mut own = Vec::with_capacity(assigned.len());
        for &local in assigned {
            let value = self.fresh(Vec::new(), local, Some(loop_));
            if let (true, Some(atom)) = (natural.contains(&local), value.as_atom()) {
                self.survey.atoms.narrow(atom, (0, i64::MAX));
            }
            own.push(value.clone());
            start.values.set(local, value);
        }
        let was_quiet = std::mem::replace(&mut self.quiet, true);
        let end = self.iteration(loop_, start);
        self.quiet = was_quiet;
        let mut changes = Vec::with_capacity(assigned.len());
        for (&local, own) in assigned.iter().zip(&own) {
            let ty = self.body.locals[local].ty;
            let change = end.as_ref().and_then(|end| end.values.get(local)?.plus(-1, own));
            let even = change.filter(|change| super::facts::is_number(ty) && !self.varies(change, loop_));
            changes.push((local, even));
        }
        // What is known here holds wherever the loop is walked if it names nothing of the loops around it.
        let is_fixed =
            |change: &Sum| change.atoms().all(|atom| self.survey.atoms.data(atom).varies.is_none());
        let is_for_good =
            natural.is_empty() && changes.iter().all(|(_, change)| change.as_ref().is_none_or(is_fixed));
        let changes = Rc::new(changes);
        if is_for_good {
            self.changes.insert(loop_, Rc::clone(&changes));
        }
        changes
    }

    /// What a narrow number comes to by steps that do not wrap around fits its type, and with it the number
    /// of iterations.
    fn bound_narrow_counters(&mut self, loop_: Loop, facts: &LoopFacts) {
        for (local, step, first) in &facts.inductions {
            let ty = self.body.locals[*local].ty;
            if let (Some(step @ 1..), Some(first @ 0..)) = (step.as_constant(), first.as_constant())
                && is_narrow(ty)
                && let Some(atom) = self.survey.atoms.known(&Kind::Counter(loop_))
            {
                self.survey.atoms.narrow(atom, (0, (range(ty, true).1 - first) / step));
            }
        }
    }

    /// A counter that an unsigned comparison lets go up by a power of two to a bound never wraps around, or
    /// the loop would not end, so that it is no more than its type holds; nor does one that has come to a
    /// constant before, nor one with a sign, which the comparison converts.
    fn bound_unsigned_counter(&mut self, loop_: Loop, facts: &LoopFacts) {
        let header = &self.body.blocks[self.body.loops[loop_].header].insts;
        let Some((cmp, local, bound)) = header.iter().rev().find_map(|inst| match inst.op {
            Op::Compare { op: op @ (CmpOp::ULt | CmpOp::ULe), a: Operand::Local(a), b, .. } => {
                Some((op, a, b))
            }
            _ => None,
        }) else {
            return;
        };
        // `i + 1 < n` is no less narrow.
        let (local, ahead) = ahead_of(header, local).unwrap_or((local, 0));
        let compared = Compared::of(self.body, header, local);
        let is_signed = compared.is_signed(cmp);
        if is_signed && self.whole.signed_wraps {
            return;
        }
        let counter = compared.local;
        let Some((_, step, first)) = facts.inductions.iter().find(|(local, ..)| *local == counter) else {
            return;
        };
        let (Some(step @ 1..), Some(first @ 0..)) = (step.as_constant(), first.as_constant()) else { return };
        let (_, most) = range(self.body.locals[counter].ty, is_signed);
        let ends_before =
            |bound: i64| compared.conversions.is_empty() && (0..=most - step - ahead).contains(&bound);
        // Where a loop ends in another way, or by another bound, its counter may have wrapped around before.
        let ends_here = |walk: &mut Self| {
            let is_left = !walk.form(loop_).exits.is_empty() || walk.whole.nest.ends_within(walk.body, loop_);
            let is_fixed = bound.as_local().is_none_or(|bound| {
                let bound = Compared::of(walk.body, header, bound).local;
                let blocks = walk.whole.nest.blocks(loop_);
                let mut insts = blocks.iter().flat_map(|&block| &walk.body.blocks[block].insts);
                insts.all(|inst| {
                    let mut is_other = true;
                    inst.op.defs(|local| is_other &= local != bound);
                    is_other
                })
            });
            !is_left && is_fixed && !walk.writes_anything
        };
        let is_exact = is_signed
            || step == 1
            || bound.as_int().is_some_and(ends_before)
            || (step as u64).is_power_of_two() && ends_here(self);
        if !is_exact || !compared.counts_alike(cmp, step) {
            return;
        }
        if let Some(atom) = self.survey.atoms.known(&Kind::Counter(loop_)) {
            self.survey.atoms.narrow(atom, (0, most.saturating_sub(first).saturating_sub(ahead) / step));
        }
    }

    /// Walks one iteration; the state at its end.
    fn iteration(&mut self, loop_: Loop, mut start: State) -> Option<State> {
        let data = &self.body.loops[loop_];
        let (header, latch, exit) = (data.header, data.latch, data.exit);
        self.version += 1;
        start.share = ALL_WAYS;
        let form = self.form(loop_);
        let mut start = Some(start);
        let mut end = None;
        for &block in &form.order {
            let state = if block == header { start.take() } else { self.merged(block, loop_) };
            let Some(mut state) = state else { continue };
            let is_back = |pred: &Block| {
                self.body.loop_is_within(self.body.blocks[*pred].loop_, loop_)
                    && self.whole.cfg.is_no_later(block, *pred)
            };
            if block != header && self.whole.cfg.predecessors(block).iter().any(is_back) {
                self.obstacle(loop_, Obstacle::Cycle, self.body.blocks[block].term_pos, None);
                self.forget_cycle(block, loop_, &mut state);
            }
            self.block(block, loop_, &mut state);
            let body = self.body;
            match &body.blocks[block].term {
                Terminator::Jump(next) if block == latch && *next == header => end = Some(state),
                Terminator::Jump(next) => self.go(block, *next, loop_, state),
                Terminator::Branch { cond, then, otherwise } => {
                    let cond = self.truth(&state, *cond);
                    if block == header {
                        self.note_header(loop_, cond);
                    }
                    let share = if block == header { state.share } else { state.share / 2 };
                    // Behind the header's other way there is no iteration.
                    let is_walked = |next: Block| block != header || next != exit;
                    let ways = [(*then, true), (*otherwise, false)].into_iter();
                    let mut ways = ways.filter(|(next, _)| is_walked(*next)).peekable();
                    let known = (block == header && self.assumes).then(|| Rc::clone(&state.facts));
                    let mut before = Some(state);
                    while let Some((next, holds)) = ways.next() {
                        let state = if ways.peek().is_some() { before.clone() } else { before.take() };
                        let Some(mut state) = state else { break };
                        let mut new = self.facts_of(cond, holds, &state, (block == header).then_some(loop_));
                        if block == header {
                            new.extend(self.fact_of_step(&form, loop_, cond));
                        }
                        let control = Control { cond, holds, is_fact: !new.is_empty(), share: state.share };
                        if !new.is_empty() {
                            Rc::make_mut(&mut state.facts).extend(new);
                        }
                        // The header's condition lets the iteration run, and all of it is under that.
                        if block == header {
                            Rc::make_mut(&mut state.control).push(Control { share: u64::MAX, ..control });
                        } else {
                            Rc::make_mut(&mut state.control).push(control);
                        }
                        state.share = share;
                        self.go(block, next, loop_, state);
                    }
                    if let Some(known) = known {
                        self.keep_promises(loop_, &known);
                    }
                }
                Terminator::Switch { value, cases, default } => {
                    let value = self.operand(&state, *value);
                    let cond = self.survey.atoms.opaque(vec![value], Some(loop_), (0, 1));
                    let mut targets: Vec<Block> = cases.iter().map(|case| case.2).chain([*default]).collect();
                    targets.sort_unstable();
                    targets.dedup();
                    let each = state.share / targets.len() as u64;
                    let mut rest = state.share;
                    for (n, &next) in targets.iter().enumerate() {
                        let mut state = state.clone();
                        let share = if n + 1 == targets.len() { rest } else { each };
                        rest -= share;
                        let control = Control { cond, holds: true, is_fact: false, share: state.share };
                        Rc::make_mut(&mut state.control).push(control);
                        state.share = share;
                        self.go(block, next, loop_, state);
                    }
                }
                Terminator::Return(_) => {
                    self.obstacle(loop_, Obstacle::Exit, body.blocks[block].term_pos, None)
                }
                Terminator::Unreachable => {}
            }
        }
        end
    }

    /// Forgets what a cycle that is no loop of the tree changes, where it begins: the state is that of the
    /// way in, and the cycle comes back there with other values.
    fn forget_cycle(&mut self, block: Block, loop_: Loop, state: &mut State) {
        let cfg = &self.whole.cfg;
        let is_inside = |&block: &Block| self.body.loop_is_within(self.body.blocks[block].loop_, loop_);
        let mut cycle = EntitySet::with_capacity(self.body.blocks.len());
        cycle.insert(block);
        let back = cfg.predecessors(block).iter().copied().filter(is_inside);
        let mut work: Vec<Block> = back.filter(|&pred| cfg.is_no_later(block, pred)).collect();
        while let Some(block) = work.pop() {
            if cycle.insert(block) {
                work.extend(cfg.predecessors(block).iter().copied().filter(is_inside));
            }
        }
        let mut assigned = EntitySet::with_capacity(self.body.locals.len());
        for block in cycle.iter() {
            for inst in &self.body.blocks[block].insts {
                inst.op.defs(|local| _ = assigned.insert(local));
            }
        }
        for local in assigned.iter() {
            let value = self.fresh(Vec::new(), local, Some(loop_));
            state.values.set(local, value);
        }
        self.version += 1;
    }

    /// A step that is no constant is one towards the bound, or the loop would not end, which one may be
    /// assumed to do (C11, 6.8.5): `s` of `for (i = 0; i < n; i += s)` is positive.
    fn fact_of_step(&self, form: &Form, loop_: Loop, cond: Atom) -> Option<Fact> {
        let Kind::Compare(cmp, _, a, b) = &self.survey.atoms.data(cond).kind else { return None };
        let up = match cmp {
            CmpOp::Lt | CmpOp::Le => 1,
            CmpOp::Gt | CmpOp::Ge => -1,
            _ => return None,
        };
        if self.writes_anything || self.whole.signed_wraps {
            return None;
        }
        let (step, _) = a.linear_in(self.survey.atoms.known(&Kind::Counter(loop_))?)?;
        if step.as_constant().is_some() || self.varies(&step, loop_) || self.varies(b, loop_) {
            return None;
        }
        let is_left = !form.exits.is_empty() || self.whole.nest.ends_within(self.body, loop_);
        (!is_left).then(|| step.scaled(up)?.plus(1, &Sum::constant(-1)).map(Fact::AtLeastZero)).flatten()
    }

    fn note_header(&mut self, loop_: Loop, cond: Atom) {
        if let Kind::Compare(cmp, _, a, b) = self.survey.atoms.data(cond).kind.clone() {
            let counts = |sum: &Sum| {
                let counter = self.survey.atoms.known(&Kind::Counter(loop_));
                sum.atoms().any(|atom| Some(atom) == counter)
            };
            let (cmp, a, b) = if counts(&a) || !counts(&b) {
                (cmp, a, b)
            } else {
                (super::accumulation::swapped(cmp), b, a)
            };
            self.headers.insert(loop_, Header { cond, cmp, a, b });
        }
    }

    /// Notes an obstacle for the loops around a place, as far as those that control stays in.
    fn obstacle(&mut self, loop_: Loop, obstacle: Obstacle, pos: Pos, within: Option<Loop>) {
        if self.quiet {
            return;
        }
        let body = self.body;
        for around in body.loops_around(Some(loop_)) {
            if !body.loop_is_within(Some(around), self.survey.outermost)
                || body.loop_is_within(within, around)
            {
                break;
            }
            if let Some(facts) = self.survey.loops.get_mut(&around) {
                facts.obstacles.push((obstacle, pos));
            }
        }
    }

    fn varies(&self, sum: &Sum, loop_: Loop) -> bool {
        let is_within = |inner, outer| self.body.loop_is_within(Some(inner), outer);
        self.survey.atoms.varies_in(sum, loop_, is_within)
    }

    /// The innermost loop that a sum varies in: loops that atoms vary in are nested in each other.
    fn innermost(&self, sum: &Sum) -> Option<Loop> {
        let loops = sum.atoms().filter_map(|atom| self.survey.atoms.data(atom).varies);
        loops.max_by_key(|&loop_| self.body.loops_around(Some(loop_)).count())
    }

    fn innermost_of(&self, sums: &[&Sum]) -> Option<Loop> {
        let loops = sums.iter().filter_map(|sum| self.innermost(sum));
        loops.max_by_key(|&loop_| self.body.loops_around(Some(loop_)).count())
    }

    fn value_before(&mut self, state: &State, local: Local) -> Sum {
        if let Some(value) = state.values.get(local) {
            return value.clone();
        }
        if let Some(op) = self.whole.origins.get(&local) {
            return match *op {
                Op::Index { base, index, scale, offset, .. } => {
                    let base = self.operand(&State::empty(), base);
                    let distance =
                        index.as_int().and_then(|index| index.checked_mul(scale)?.checked_add(offset));
                    distance.and_then(|distance| base.plus(1, &Sum::constant(distance))).unwrap_or(base)
                }
                Op::Copy { src, .. } => self.operand(&State::empty(), src),
                _ => Sum::default(),
            };
        }
        self.settled(local).unwrap_or_else(|| self.entry(local))
    }

    /// A local as a number of its own.
    fn entry(&mut self, local: Local) -> Sum {
        let Walk { survey: Survey { atoms, .. }, entries, body, .. } = self;
        let new = || atoms.intern(Kind::Entry(local), None, range(body.locals[local].ty, true));
        Sum::atom(*entries.entry(local).or_insert_with(new))
    }

    /// The value of a local that it has for good, by what it is computed from.
    fn settled(&mut self, local: Local) -> Option<Sum> {
        let settled = self.whole.settled.as_ref()?;
        let (block, n) = settled.place(local)?;
        if let Some(known) = self.settled.get(&local) {
            return known.clone();
        }
        let construct = self.body.blocks[self.body.loops[self.survey.outermost].header].construct;
        let op = &self.body.blocks[block].insts[n].op;
        let value = if let Op::Load { addr, .. } = op {
            let loaded = addr.base.as_slot().and_then(|slot| settled.loaded(slot, construct));
            Some(self.entry(loaded.unwrap_or(local)))
        } else {
            let at = self.at;
            let was_before = std::mem::replace(&mut self.is_before, true);
            let value = self.computed(&mut State::empty(), op);
            (self.at, self.is_before) = (at, was_before);
            let atoms = &self.survey.atoms;
            value.filter(|value| value.atoms().all(|atom| atoms.data(atom).varies.is_none()))
        };
        self.settled.insert(local, value.clone());
        value
    }

    fn fits(&self, state: &State, sum: &Sum, range: (i64, i64)) -> bool {
        fits(&self.survey.atoms, &state.facts, sum, range)
    }
}

/// Whether numbers of a type are computed with more bits than they have.
fn is_narrow(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16)
}

/// The local that a number in a header is made of by adding a constant, with that constant, unless it is
/// below zero or large.
fn ahead_of(header: &[Inst], number: Local) -> Option<(Local, i64)> {
    let made = header.iter().rev().find(|inst| inst.op.dst() == Some(number))?;
    match made.op {
        Op::Binary {
            op: BinaryOp::Add,
            a: Operand::Local(local),
            b: Operand::Int(_, ahead @ 0..=0xffff),
            ..
        } => Some((local, ahead)),
        _ => None,
    }
}

/// The pointers that are set once, by a constant distance from an object, a parameter that keeps its value,
/// or another such pointer.
fn origins(body: &Body, bases: &Bases) -> FxHashMap<Local, Op> {
    let mut found: FxHashMap<Local, Op> = FxHashMap::default();
    let is_known = |operand: Operand, found: &FxHashMap<Local, Op>| match operand {
        Operand::Slot(_) | Operand::Global(_) => true,
        Operand::Local(local) => {
            found.contains_key(&local) || bases.is_set_once(local) && body.params.contains(&local)
        }
        _ => false,
    };
    // In the order of the code, so that what a pointer comes from is known before it.
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        let (dst, base) = match inst.op {
            Op::Copy { dst, src } => (dst, src),
            Op::Index { dst, base, index: Operand::Int(..), extent: None, .. } => (dst, base),
            _ => continue,
        };
        let is_pointer = body.locals[dst].ty == Type::Ptr;
        if is_pointer && bases.is_set_once(dst) && !body.params.contains(&dst) && is_known(base, &found) {
            found.insert(dst, inst.op.clone());
        }
    }
    found
}

/// The pointers that are set once, to what an allocation returns.
pub(super) fn allocated(body: &Body, bases: &Bases, callees: &Callees) -> FxHashMap<Local, (Block, usize)> {
    let mut found: FxHashMap<Local, (Block, usize)> = FxHashMap::default();
    if callees.allocators.is_empty() {
        return found;
    }
    for &block in &body.order {
        for (n, inst) in body.blocks[block].insts.iter().enumerate() {
            let (dst, place) = match inst.op {
                Op::Call { dst: Some(dst), callee: Callee::Direct(func), .. }
                    if callees.allocators.contains(&func) =>
                {
                    (dst, Some((block, n)))
                }
                Op::Copy { dst, src: Operand::Local(src) } => (dst, found.get(&src).copied()),
                _ => continue,
            };
            if let Some(place) = place.filter(|_| bases.is_set_once(dst)) {
                found.insert(dst, place);
            }
        }
    }
    found
}

/// Whether an atom is made of objects, and of what locals have before a nest.
fn keeps_name(atoms: &Atoms, atom: Atom) -> bool {
    let kind = &atoms.data(atom).kind;
    match kind {
        Kind::Object(_) | Kind::Entry(_) => true,
        Kind::Binary(..) | Kind::Converted(..) | Kind::Unary(..) => {
            let mut is_so = true;
            kind.inputs(|sum| is_so &= sum.atoms().all(|input| keeps_name(atoms, input)));
            is_so
        }
        _ => false,
    }
}

/// Whether accesses of two types may be to one object: objects of different types are different objects (C11
/// 6.5), but for characters, through which C may look at any.
pub fn are_of_one_type(a: Option<Type>, b: Option<Type>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return true };
    a == b || a == Type::I8 || b == Type::I8
}
