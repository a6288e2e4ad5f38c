//! Objects that the iterations of a loop over gangs update atomically, and that nobody else looks at.
//!
//! An update that nobody sees until the loop has ended may as well happen then, as if it were the last of
//! all: that is one of the orders that atomic updates may have. So updates may be collected on the way, in a
//! copy of a histogram for each gang or in a number for each thread, as long as
//! - they do not use the old value, all of one object combine by one operator, and a part of them combined
//!   first gives the same;
//! - no clause reduces the object;
//! - nothing else of the region accesses the object, and what may be the object under another name is
//!   accessed before an iteration's updates only. (What one iteration updates and another accesses otherwise
//!   is a race.)

use super::library;
use super::roots::{Root, Roots};
use crate::entities::{Block, Func, Local, Loop, map_below};
use crate::function::{Body, Function, FunctionKind, SlotKind};
use crate::module::Module;
use crate::op::{Address, BinaryOp, Callee, Inst, Op, Operand};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// An operation: the block, and its number there.
pub type Place = (Block, usize);

/// An atomic update.
#[derive(Clone, Debug)]
pub struct Update {
    /// Where it is.
    pub place: Place,
    /// The operations that lead from the object to the element, the last one first, with their results.
    pub path: Vec<(Local, Place)>,
    /// The element.
    pub addr: Address,
}

/// An object whose updates may happen when their loop ends.
#[derive(Clone, Debug)]
pub struct Updated {
    /// Its address.
    pub object: Operand,
    /// The type of what is updated.
    pub ty: Type,
    /// The operator by which what was collected is combined with the object.
    pub op: BinaryOp,
    /// The outermost loop around the updates, over gangs.
    pub loop_: Loop,
    /// All updates, in order.
    pub updates: Vec<Update>,
}

impl Updated {
    fn is_updated_at(&self, place: Place) -> bool {
        self.updates.iter().any(|update| update.place == place)
    }

    /// The line of the first update.
    pub fn first_line(&self, body: &Body) -> u32 {
        self.updates.first().map_or(0, |update| {
            let (block, at) = update.place;
            body.blocks[block].insts[at].pos.line
        })
    }
}

/// The operator by which parts are combined that were updated by an operator, if it may be done in parts.
fn combines_by(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::Add | BinaryOp::Sub => Some(BinaryOp::Add),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Some(op),
        BinaryOp::SMin | BinaryOp::SMax | BinaryOp::UMin | BinaryOp::UMax => Some(op),
        BinaryOp::Mul
        | BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::FDiv
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::FMin
        | BinaryOp::FMax
        | BinaryOp::CopySign
        | BinaryOp::Complex => None,
    }
}

/// Where a local is defined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Defined {
    /// Not at all.
    #[default]
    Nowhere,
    /// By this operation alone.
    At(Block, usize),
    /// By the launch.
    Before,
    /// By several operations.
    Often,
}

/// All operations of a body with their places, in order.
fn insts(body: &Body) -> impl Iterator<Item = (Place, &Inst)> {
    body.order
        .iter()
        .flat_map(|&block| (0..).zip(&body.blocks[block].insts).map(move |(at, inst)| ((block, at), inst)))
}

/// Whether there is anything to look at, which costs little to say.
pub fn has_updates(body: &Body) -> bool {
    insts(body).any(|(_, inst)| matches!(inst.op, Op::AtomicRmw { dst: None, .. }))
}

/// What a region does with the objects that it updates.
pub struct Updates<'a> {
    module: &'a Module,
    function: &'a Function,
    body: &'a Body,
    roots: Roots,
    defined: SecondaryMap<Local, Defined>,
    /// The functions that [`Updates::keeps_to_arguments`] was asked about.
    keeping: RefCell<FxHashMap<Func, bool>>,
}

impl<'a> Updates<'a> {
    /// Of a region with this body.
    pub fn new(module: &'a Module, function: &'a Function, body: &'a Body) -> Updates<'a> {
        let mut defined: SecondaryMap<Local, Defined> = map_below(body.locals.len());
        body.params.iter().for_each(|&param| defined[param] = Defined::Before);
        for ((block, at), inst) in insts(body) {
            inst.op.defs(|local| {
                let is_first = defined[local] == Defined::Nowhere;
                defined[local] = if is_first { Defined::At(block, at) } else { Defined::Often };
            });
        }
        let roots = Roots::new(function, body);
        Updates { module, function, body, roots, defined, keeping: RefCell::default() }
    }

    /// Where a local is defined.
    pub fn defined(&self, local: Local) -> Defined {
        self.defined[local]
    }

    /// The objects whose updates may wait for the end of their loop, with all of these; objects that are not
    /// wanted are left out, and what they are updated by is an access like another.
    pub fn found(&self, is_wanted: impl Fn(&Updated) -> bool) -> Vec<Updated> {
        let mut found: Vec<Updated> = Vec::new();
        let mut refused: Vec<Operand> = Vec::new();
        for (place, inst) in insts(self.body) {
            let Op::AtomicRmw { dst: None, op, ty, addr, reversed, .. } = inst.op else { continue };
            let Some((object, path)) = self.path(addr.base) else { continue };
            let known = found.iter_mut().find(|updated| updated.object == object);
            let updated = match (self.loop_of(place.0), combines_by(op), known) {
                (Some(loop_), Some(op), Some(known))
                    if (known.loop_, known.op, known.ty) == (loop_, op, ty) =>
                {
                    known
                }
                (Some(loop_), Some(op), None) if !refused.contains(&object) => {
                    found.push(Updated { object, ty, op, loop_, updates: Vec::new() });
                    let last = found.len() - 1;
                    &mut found[last]
                }
                _ => {
                    refused.push(object);
                    continue;
                }
            };
            if reversed || addr.offset < 0 {
                refused.push(object);
            }
            updated.updates.push(Update { place, path, addr });
        }
        found.retain(|updated| !refused.contains(&updated.object) && is_wanted(updated));
        found.retain(|updated| self.is_left_alone(updated, &self.behind(updated)));
        found
    }

    /// The outermost loop around an update, if gangs share it.
    fn loop_of(&self, block: Block) -> Option<Loop> {
        let outermost = self.body.loops_around(self.body.blocks[block].loop_).last()?;
        let directive = self.body.loops[outermost].directive.as_ref()?;
        directive.levels.iter().any(|level| level.is_gang()).then_some(outermost)
    }

    /// The object that an address leads into, and the operations on the way there, the last one first.
    fn path(&self, address: Operand) -> Option<(Operand, Vec<(Local, Place)>)> {
        let (mut at, mut path) = (address, Vec::new());
        loop {
            match at {
                Operand::Slot(slot) => {
                    let is_object = matches!(self.body.slots[slot].kind, SlotKind::Mapped(_));
                    return is_object.then_some((at, path));
                }
                Operand::Global(_) => return Some((at, path)),
                Operand::Local(local) => match self.defined[local] {
                    Defined::Before => return Some((at, path)),
                    Defined::At(block, number) => {
                        let (Op::Index { base, .. } | Op::Copy { src: base, .. }) =
                            self.body.blocks[block].insts[number].op
                        else {
                            return None;
                        };
                        path.push((local, (block, number)));
                        at = base;
                    }
                    Defined::Nowhere | Defined::Often => return None,
                },
                Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => return None,
            }
        }
    }

    /// The size of an object in bytes, by its declaration or by a clause.
    pub fn known_bytes(&self, object: Operand) -> Option<u64> {
        match object {
            Operand::Slot(slot) => Some(self.body.slots[slot].size),
            Operand::Global(global) => Some(self.module.globals[global].size),
            Operand::Local(local) => self.clause_bytes(local).filter(|&bytes| bytes > 0),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => None,
        }
    }

    /// The size of an object in bytes, if all of it is there: a clause may name a part of a variable, and
    /// where a pointer's section begins is known to the program only.
    pub fn whole_bytes(&self, object: Operand) -> Option<u64> {
        let bytes = self.known_bytes(object)?;
        let is_whole = match object {
            Operand::Slot(slot) => match self.body.slots[slot].kind {
                SlotKind::Mapped(address) => self.clause_bytes(address) == Some(bytes),
                _ => false,
            },
            Operand::Global(_) => true,
            _ => false,
        };
        is_whole.then_some(bytes)
    }

    /// The number of a parameter.
    fn number(&self, param: Local) -> Option<usize> {
        self.body.params.iter().position(|&other| other == param)
    }

    /// The bytes that a clause says for what a parameter leads to.
    fn clause_bytes(&self, param: Local) -> Option<u64> {
        let FunctionKind::Region(region) = &self.function.kind else { return None };
        region.params.get(self.number(param)?)?.bytes
    }

    /// The name of an object in the source.
    pub fn name(&self, object: Operand) -> String {
        let name = match object {
            Operand::Slot(slot) => self.body.slots[slot].name.as_deref(),
            Operand::Global(global) => Some(&*self.module.globals[global].name),
            Operand::Local(local) => self.body.locals[local].name.as_deref(),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => None,
        };
        name.unwrap_or("<value>").to_owned()
    }

    /// The blocks that may be executed behind an update, in the same iteration of the loops around it that
    /// threads share or behind these loops.
    fn behind(&self, updated: &Updated) -> EntitySet<Block> {
        let mut behind = EntitySet::with_capacity(self.body.blocks.len());
        for update in &updated.updates {
            let mut left = vec![update.place.0];
            while let Some(block) = left.pop() {
                self.body.blocks[block].term.successors(|to| {
                    let ends = self
                        .body
                        .loops_around(self.body.blocks[update.place.0].loop_)
                        .map(|loop_| &self.body.loops[loop_])
                        .find(|data| data.is_partitioned() && (data.latch, data.header) == (block, to));
                    let to = ends.map_or(to, |data| data.exit);
                    if behind.insert(to) {
                        left.push(to);
                    }
                });
            }
        }
        behind
    }

    /// The same object under one name.
    fn root(&self, base: Operand) -> Root {
        let root = self.roots.of(base);
        let Root::Slot(slot) = root else { return root };
        let SlotKind::Mapped(address) = self.body.slots[slot].kind else { return root };
        let number = self.number(address).and_then(|number| u32::try_from(number).ok());
        number.map_or(Root::Unknown, Root::Param)
    }

    /// What clauses reduce that other threads see: how that becomes one, is none of the updates.
    fn reduced(&self) -> impl Iterator<Item = Root> + '_ {
        let of_loops = self.body.loops.values().filter_map(|data| data.directive.as_ref());
        let clauses =
            of_loops.flat_map(|directive| &directive.reductions).chain(&self.body.region_reductions);
        let is_address = |var: &Operand| self.body.operand_type(*var) == Type::Ptr;
        clauses.map(|clause| clause.var).filter(is_address).map(|var| self.root(var))
    }

    /// Whether nothing of the region can tell when the updates happen.
    fn is_left_alone(&self, updated: &Updated, behind: &EntitySet<Block>) -> bool {
        let own = self.root(updated.object);
        own != Root::Unknown
            && self.reduced().all(|root| root != own && self.roots.are_apart(own, root))
            && insts(self.body).filter(|&(place, _)| !updated.is_updated_at(place)).all(
                |((block, at), inst)| {
                    let is_behind = || {
                        behind.contains(block)
                            || updated
                                .updates
                                .iter()
                                .any(|update| update.place.0 == block && update.place.1 < at)
                    };
                    self.is_harmless(updated, own, &inst.op, is_behind)
                },
            )
    }

    /// Whether no other atomic update may be one of the object.
    pub fn is_apart_from_other_updates(&self, updated: &Updated) -> bool {
        let own = self.root(updated.object);
        insts(self.body).filter(|&(place, _)| !updated.is_updated_at(place)).all(|(_, inst)| match inst.op {
            Op::AtomicRmw { addr, .. } => self.roots.are_apart(own, self.root(addr.base)),
            _ => true,
        })
    }

    fn is_harmless(&self, updated: &Updated, own: Root, op: &Op, is_behind: impl Fn() -> bool) -> bool {
        match *op {
            // Sums of another type are no sums of the same object.
            Op::AtomicRmw { dst: None, op, ty, addr, reversed: false, .. } => {
                let root = self.root(addr.base);
                let commutes = ty != updated.ty || combines_by(op) == Some(updated.op);
                root != own && (self.roots.are_apart(own, root) || commutes)
            }
            Op::AtomicRmw { addr, .. } | Op::AtomicSwap { addr, .. } | Op::AtomicCas { addr, .. } => {
                let root = self.root(addr.base);
                root != own && self.roots.are_apart(own, root)
            }
            _ => {
                // What a function does with its arguments is taken to be behind.
                let may_be_early = !matches!(op, Op::Call { .. });
                self.keeps(self.body, op, |base| {
                    let root = self.root(base);
                    root != own && (self.roots.are_apart(own, root) || may_be_early && !is_behind())
                })
            }
        }
    }

    /// Whether all that a function does with memory it does with its own objects and with what its arguments
    /// lead to.
    fn keeps_to_arguments(&self, func: Func) -> bool {
        if let Some(&known) = self.keeping.borrow().get(&func) {
            return known;
        }
        // What calls itself is not looked through.
        self.keeping.borrow_mut().insert(func, false);
        let function = &self.module.functions[func];
        let keeps = match &function.body {
            Some(body) => {
                let roots = Roots::new(function, body);
                let is_own = |base: Operand| matches!(roots.of(base), Root::Param(_) | Root::Slot(_));
                insts(body).all(|(_, inst)| self.keeps(body, &inst.op, is_own))
            }
            None => {
                function.alias.is_none()
                    && library::accesses(&function.name).is_some_and(|accesses| accesses.is_empty())
            }
        };
        self.keeping.borrow_mut().insert(func, keeps);
        keeps
    }

    /// Whether all that an operation does with memory it does with its own objects and with what is led to by
    /// addresses for which `is_own` holds.
    fn keeps(&self, body: &Body, op: &Op, is_own: impl Fn(Operand) -> bool) -> bool {
        let effects = op.effects();
        if !effects.reads && !effects.writes {
            return true;
        }
        match op {
            Op::Binary { .. } | Op::Trap => true,
            Op::Call { callee: Callee::Direct(func), args, .. } => {
                let mut pointers = args.iter().filter(|arg| body.operand_type(**arg) == Type::Ptr);
                pointers.all(|pointer| is_own(*pointer)) && self.keeps_to_arguments(*func)
            }
            Op::Load { .. } | Op::Store { .. } | Op::MemCopy { .. } | Op::MemSet { .. } => {
                let mut keeps = true;
                op.parts(|part| {
                    if let Part::Address(address) = part {
                        keeps &= is_own(address.base);
                    }
                });
                keeps
            }
            _ => false,
        }
    }
}
