//! Copies of an object that gangs update atomically: histograms.
//!
//! Memory has one place for an element, and updates of one element wait for each other there: of a histogram
//! with 256 elements, all threads of a launch wait for the same few. So each gang counts into a copy of its
//! own, in shared memory, which is near and waits for the threads of one gang only, and adds to the object
//! what the copy has come to.
//!
//! ```text
//!     before:  for each i, shared by all threads:                 atomic: h[x[i]] += 1
//!     after:   for each e of the copy, shared by a gang:          c[e] = 0
//!              for each i, shared by all threads:
//!                  if x[i] is in the copy:                        atomic, in shared memory: c[x[i]] += 1
//!                  else:                                          atomic: h[x[i]] += 1
//!              for each e of the copy, shared by a gang:
//!                  if c[e] is not 0:                              atomic: h[e] += c[e]
//! ```
//!
//! The copy is of the first bytes of the object: of all, where its size is known, and of a part where it is
//! not or where a clause's section may begin elsewhere. Nothing relies on that size. What is updated beyond
//! the copy goes to the object, and of the object nothing is touched that the program does not update. The
//! test is left out where types or declarations say that a subscript cannot lead out of the copy.
//!
//! An update is late by this: it happens at the end of the loop, as if it were the last of all. That is one
//! of the orders that atomic updates may have, as long as nobody looks at the object meanwhile. So
//! - updates do not use the old value, all of one object combine by one operator, and a part of it combined
//!   first gives the same;
//! - no clause reduces the object;
//! - nothing else of the region accesses the object, and what may be the object under another name is
//!   accessed before an iteration's updates only. (What one iteration updates and another accesses otherwise
//!   is a race.)
//!
//! Each gang has its part in the end, so that a launch has no more gangs than can be resident
//! ([`SlotKind::GangCopy`]).
//!
//! Before: levels are assigned, nests merged, and objects are mapped slots or pointers. After: the same, with
//! loops over workers and lanes around loops over gangs.

use crate::arch;
use crate::options::Options;
use accrue_ir::analysis::library;
use accrue_ir::analysis::roots::{Root, Roots};
use accrue_ir::builder::Cursor;
use accrue_ir::edit::split::{block_like, redirect, split_exit};
use accrue_ir::report::{Decision, topics};
use accrue_ir::visit::Part;
use accrue_ir::{
    Address, BinaryOp, Block, Body, Callee, CmpOp, ConvertOp, Function, FunctionKind, Inst, Level, Local,
    Loop, LoopData, LoopDirective, Module, Op, Operand, SlotData, SlotKind, Terminator, Type,
};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most bytes of the copies of a gang, beside what it has in shared memory anyway: several gangs share a
/// processor.
const MOST_BYTES: u64 = 32 << 10;

/// An atomic update accesses at least so many bytes.
const WORD: u32 = 4;

/// Bytes of the copy of an object of unknown size.
const BYTES_OF_UNKNOWN: u64 = 16 << 10;

/// Lets gangs update copies, and says for what objects.
pub(crate) fn run(module: &mut Module, options: &Options) -> Vec<Decision> {
    let mut decisions = Vec::new();
    for func in module.functions.keys().collect::<Vec<_>>() {
        let function = &module.functions[func];
        let (FunctionKind::Region(region), Some(body)) = (&function.kind, function.body.as_deref()) else {
            continue;
        };
        if region.cooperative || !has_updates(body) {
            continue;
        }
        let parent = region.parent.clone();
        let found = Finder::new(module, function, body, options).found();
        let Some(body) = module.functions[func].body.as_deref_mut() else { continue };
        for copied in found.iter().filter(|_| options.explain) {
            let (pos, function) = (body.loops[copied.loop_].pos, parent.clone());
            decisions.push(Decision { pos, function, topic: topics::ATOMIC, text: copied.describe(body) });
        }
        apply(body, &found);
    }
    decisions
}

fn insts(body: &Body) -> impl Iterator<Item = (Block, usize, &Inst)> {
    body.order
        .iter()
        .flat_map(|&block| (0..).zip(&body.blocks[block].insts).map(move |(at, inst)| (block, at, inst)))
}

/// Whether there is anything to look at, which costs little to say.
fn has_updates(body: &Body) -> bool {
    insts(body).any(|(_, _, inst)| matches!(inst.op, Op::AtomicRmw { dst: None, .. }))
}

/// The operator by which the copies of gangs are combined that were updated by an operator, if it may be done
/// in parts.
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

/// The value that an operator leaves everything as it is with, bit for bit: of sums of floating-point
/// numbers, -0.
fn identity(op: BinaryOp, ty: Type) -> Operand {
    let least = if ty == Type::I32 { i64::from(i32::MIN) } else { i64::MIN };
    match (ty, op) {
        (Type::F32, _) => Operand::f32(-0.0),
        (Type::F64, _) => Operand::f64(-0.0),
        (_, BinaryOp::And | BinaryOp::UMin) => Operand::Int(ty, -1),
        (_, BinaryOp::SMin) => Operand::Int(ty, !least),
        (_, BinaryOp::SMax) => Operand::Int(ty, least),
        _ => Operand::Int(ty, 0),
    }
}

/// An operation: the block, and its number there.
type Place = (Block, usize);

/// An update of an element.
struct Update {
    block: Block,
    at: usize,
    /// The operations that lead from the object to the element, the last one first.
    path: Vec<(Local, Place)>,
    /// The number of the element, if one operation leads there.
    subscript: Option<Operand>,
    /// Whether no subscript on the way leads out of the copy.
    stays: bool,
}

/// An object that the gangs get copies of.
struct Copied {
    /// Its address, and its name.
    object: Operand,
    name: String,
    ty: Type,
    op: BinaryOp,
    loop_: Loop,
    bytes: u64,
    updates: Vec<Update>,
}

/// Finds out for which objects copies are possible.
struct Finder<'a> {
    module: &'a Module,
    function: &'a Function,
    body: &'a Body,
    options: &'a Options,
    roots: Roots,
    /// Where each local is defined, if that is one place.
    defined: SecondaryMap<Local, Defined>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Defined {
    #[default]
    Nowhere,
    At(Block, usize),
    /// By the launch.
    Before,
    Often,
}

impl<'a> Finder<'a> {
    fn new(module: &'a Module, function: &'a Function, body: &'a Body, options: &'a Options) -> Finder<'a> {
        let mut defined: SecondaryMap<Local, Defined> = SecondaryMap::new();
        body.params.iter().for_each(|&param| defined[param] = Defined::Before);
        for (block, at, inst) in insts(body) {
            inst.op.defs(|local| {
                let is_first = defined[local] == Defined::Nowhere;
                defined[local] = if is_first { Defined::At(block, at) } else { Defined::Often };
            });
        }
        let roots = Roots::new(function, body);
        Finder { module, function, body, options, roots, defined }
    }

    fn found(&self) -> Vec<Copied> {
        let mut found: Vec<Copied> = Vec::new();
        let mut refused: Vec<Operand> = Vec::new();
        for (block, at, inst) in insts(self.body) {
            let Op::AtomicRmw { dst: None, op, ty, addr, reversed, .. } = inst.op else { continue };
            let Some((object, path)) = self.path(addr.base) else { continue };
            let known = found.iter_mut().find(|copied| copied.object == object);
            let copied = match (self.loop_of(block), combines_by(op), known) {
                (Some(loop_), Some(op), Some(known))
                    if (known.loop_, known.op, known.ty) == (loop_, op, ty) =>
                {
                    known
                }
                (Some(loop_), Some(op), None) if !refused.contains(&object) => {
                    let bytes = self.bytes_of_copy(object, ty);
                    let name = self.name(object);
                    found.push(Copied { object, name, ty, op, loop_, bytes, updates: Vec::new() });
                    let last = found.len() - 1;
                    &mut found[last]
                }
                _ => {
                    refused.push(object);
                    continue;
                }
            };
            let is_native = arch::native_atomic(self.options.arch, op, ty).is_some();
            if reversed || !is_native || addr.offset < 0 {
                refused.push(object);
            }
            let stays = self.stays(&path, addr, copied.bytes, ty);
            let subscript = self.subscript(&path, addr, ty);
            copied.updates.push(Update { block, at, path, subscript, stays });
        }
        found.retain(|copied| !refused.contains(&copied.object) && copied.bytes > 0);
        let of_updates: Vec<EntitySet<Block>> = found.iter().map(|copied| self.behind(copied)).collect();
        let mut is_fine: Vec<bool> = found
            .iter()
            .zip(&of_updates)
            .map(|(copied, behind)| self.is_left_alone(copied, behind))
            .collect();
        let mut left = MOST_BYTES.saturating_sub(self.in_use());
        for (copied, is_fine) in found.iter().zip(&mut is_fine) {
            *is_fine &= copied.bytes <= left;
            left -= if *is_fine { copied.bytes } else { 0 };
        }
        let mut is_fine = is_fine.into_iter();
        found.retain(|_| is_fine.next().unwrap_or(false));
        found
    }

    /// Bytes of shared memory that a gang has for other things.
    fn in_use(&self) -> u64 {
        let is_in_gang = |kind| !matches!(kind, SlotKind::Frame | SlotKind::Mapped(_) | SlotKind::Launch);
        self.body.slots.values().filter(|slot| is_in_gang(slot.kind)).map(|slot| slot.size).sum()
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

    /// The loop over gangs around an update, if lanes share something in it: a gang of one thread waits for
    /// nobody.
    fn loop_of(&self, block: Block) -> Option<Loop> {
        let around = || self.body.loops_around(self.body.blocks[block].loop_);
        let levels =
            |loop_: Loop| self.body.loops[loop_].directive.iter().flat_map(|directive| &directive.levels);
        let has_lanes = around().any(|loop_| levels(loop_).any(|&level| level == Level::Vector));
        let outermost = around().last()?;
        (has_lanes && levels(outermost).any(|level| level.is_gang())).then_some(outermost)
    }

    /// What is known of the size of an object, by its declaration or by a clause.
    fn known_bytes(&self, object: Operand) -> Option<u64> {
        let of_param = |local: Local| {
            let FunctionKind::Region(region) = &self.function.kind else { return None };
            let number = self.body.params.iter().position(|&param| param == local)?;
            region.params.get(number)?.bytes.filter(|&bytes| bytes > 0)
        };
        match object {
            Operand::Slot(slot) => Some(self.body.slots[slot].size),
            Operand::Global(global) => Some(self.module.globals[global].size),
            Operand::Local(local) => of_param(local),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => None,
        }
    }

    fn bytes_of_copy(&self, object: Operand, ty: Type) -> u64 {
        let bytes = self.known_bytes(object).unwrap_or(BYTES_OF_UNKNOWN);
        bytes - bytes % u64::from(ty.bytes())
    }

    fn name(&self, object: Operand) -> String {
        let name = match object {
            Operand::Slot(slot) => self.body.slots[slot].name.as_deref(),
            Operand::Global(global) => Some(&*self.module.globals[global].name),
            Operand::Local(local) => self.body.locals[local].name.as_deref(),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => None,
        };
        name.unwrap_or("<value>").to_owned()
    }

    /// Whether no subscript on a path leads out of the copy.
    fn stays(&self, path: &[(Local, Place)], addr: Address, bytes: u64, ty: Type) -> bool {
        let mut last = addr.offset;
        for &(_, (block, at)) in path {
            match self.body.blocks[block].insts[at].op {
                Op::Copy { .. } => {}
                Op::Index { index, scale, offset, extent, .. } if scale >= 0 && offset >= 0 => {
                    let by_type = self.most(index, 8);
                    let by_extent = extent.map(|extent| i64::from(extent.get()) - 1);
                    let Some(most) = by_type.into_iter().chain(by_extent).min() else { return false };
                    let Some(further) = most.checked_mul(scale).and_then(|far| far.checked_add(offset))
                    else {
                        return false;
                    };
                    last = last.saturating_add(further);
                }
                _ => return false,
            }
        }
        last.checked_add(i64::from(ty.bytes()))
            .and_then(|end| u64::try_from(end).ok())
            .is_some_and(|end| end <= bytes)
    }

    /// The number of an element that one operation leads to, as it is there.
    fn subscript(&self, path: &[(Local, Place)], addr: Address, ty: Type) -> Option<Operand> {
        let &[(_, (block, at))] = path else { return None };
        let insts = &self.body.blocks[block].insts;
        let Op::Index { index, scale, offset: 0, .. } = insts[at].op else { return None };
        if addr.offset != 0 || scale != i64::from(ty.bytes()) {
            return None;
        }
        let narrow = index.as_local().and_then(|local| {
            let Defined::At(of_index, converts) = self.defined[local] else { return None };
            let Op::Convert { op: ConvertOp::SExt, src, .. } = self.body.blocks[of_index].insts[converts].op
            else {
                return None;
            };
            let Defined::At(of_src, first) = self.defined[src.as_local()?] else { return None };
            let is_same = of_index == block && converts < at && (of_src != block || first < converts);
            (is_same && self.body.operand_type(src) == Type::I32).then_some(src)
        });
        narrow.or(Some(index))
    }

    /// The most that a number is which is not negative, if its types say so.
    fn most(&self, value: Operand, depth: u32) -> Option<i64> {
        let local = match value {
            Operand::Int(_, value) => return (value >= 0).then_some(value),
            Operand::Local(local) => local,
            _ => return None,
        };
        let Defined::At(block, at) = self.defined[local] else { return None };
        let deeper = |value| depth.checked_sub(1).and_then(|depth| self.most(value, depth));
        match self.body.blocks[block].insts[at].op {
            Op::Copy { src, .. } | Op::Convert { op: ConvertOp::SExt, src, .. } => deeper(src),
            Op::Convert { op: ConvertOp::ZExt, src, .. } => deeper(src).or_else(|| {
                let bits = self.body.operand_type(src).int_bits().filter(|&bits| bits < 32)?;
                Some((1 << bits) - 1)
            }),
            Op::Convert { op: ConvertOp::Bits, src, .. } if self.body.operand_type(src).is_int() => {
                deeper(src)
            }
            Op::Binary { op: BinaryOp::And, a, b, .. } => match (deeper(a), deeper(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            Op::Binary { op: BinaryOp::URem, b: Operand::Int(_, divisor), .. } if divisor > 0 => {
                Some(divisor - 1)
            }
            Op::Binary { op: BinaryOp::LShr, b: Operand::Int(_, by), .. } => {
                let bits = i64::from(self.body.locals[local].ty.int_bits()?);
                (1..bits).contains(&by).then(|| i64::MAX >> (by + 63 - bits))
            }
            _ => None,
        }
    }

    /// The blocks that may be executed behind an update, in the same iteration of the loops around it that
    /// threads share or behind these loops.
    fn behind(&self, copied: &Copied) -> EntitySet<Block> {
        let mut behind = EntitySet::with_capacity(self.body.blocks.len());
        for update in &copied.updates {
            let mut left = vec![update.block];
            while let Some(block) = left.pop() {
                self.body.blocks[block].term.successors(|to| {
                    let ends = self
                        .body
                        .loops_around(self.body.blocks[update.block].loop_)
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
        let number = self.body.params.iter().position(|&param| param == address);
        number.and_then(|number| u32::try_from(number).ok()).map_or(Root::Unknown, Root::Param)
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
    fn is_left_alone(&self, copied: &Copied, behind: &EntitySet<Block>) -> bool {
        let own = self.root(copied.object);
        let is_update =
            |block, at| copied.updates.iter().any(|update| (update.block, update.at) == (block, at));
        own != Root::Unknown
            && self.reduced().all(|root| root != own && self.roots.are_apart(own, root))
            && insts(self.body).filter(|&(block, at, _)| !is_update(block, at)).all(|(block, at, inst)| {
                let is_behind = || {
                    behind.contains(block)
                        || copied.updates.iter().any(|update| update.block == block && update.at < at)
                };
                self.is_harmless(copied, own, &inst.op, is_behind)
            })
    }

    fn is_harmless(&self, copied: &Copied, own: Root, op: &Op, is_behind: impl Fn() -> bool) -> bool {
        let effects = op.effects();
        if !effects.reads && !effects.writes {
            return true;
        }
        match *op {
            Op::Binary { .. } | Op::Trap => true,
            Op::Call { callee: Callee::Direct(func), .. } => {
                let function = &self.module.functions[func];
                let accesses = library::accesses(&function.name);
                function.body.is_none() && accesses.is_some_and(|accesses| accesses.is_empty())
            }
            Op::Load { .. } | Op::Store { .. } | Op::MemCopy { .. } | Op::MemSet { .. } => {
                let mut is_harmless = true;
                op.parts(|part| {
                    if let Part::Address(address) = part {
                        let root = self.root(address.base);
                        let is_apart = root != own && (self.roots.are_apart(own, root) || !is_behind());
                        is_harmless &= is_apart;
                    }
                });
                is_harmless
            }
            // Sums of another type are no sums of the same object.
            Op::AtomicRmw { dst: None, op, ty, addr, reversed: false, .. } => {
                let root = self.root(addr.base);
                let commutes = ty != copied.ty || combines_by(op) == Some(copied.op);
                root != own && (self.roots.are_apart(own, root) || commutes)
            }
            Op::AtomicRmw { addr, .. } | Op::AtomicSwap { addr, .. } | Op::AtomicCas { addr, .. } => {
                let root = self.root(addr.base);
                root != own && self.roots.are_apart(own, root)
            }
            _ => false,
        }
    }
}

fn int(value: u64) -> Operand {
    Operand::Int(Type::I64, value as i64)
}

impl Copied {
    fn describe(&self, body: &Body) -> String {
        let Copied { name, bytes, updates, .. } = self;
        let line = updates.first().map_or(0, |update| body.blocks[update.block].insts[update.at].pos.line);
        let rest = match updates.iter().all(|update| update.stays) {
            true => "",
            false => "; updates of what lies beyond go to the object",
        };
        format!(
            "updates of `{name}` at line {line}: each gang has a copy of {bytes} bytes in shared memory, and adds it at the \
             end{rest}"
        )
    }

    /// Writes the loops around the loop over gangs, in which the threads of a gang share the elements.
    fn write_ends(&self, body: &mut Body, copy: Operand) {
        let Copied { object, ty, op, loop_, bytes, .. } = *self;
        let Some(directive) = body.loops[loop_].directive.as_ref() else { return };
        let threads = LoopDirective {
            levels: vec![Level::Worker, Level::Vector],
            ..LoopDirective::new(directive.kind, directive.pos)
        };
        let after = split_exit(body, loop_);
        let LoopData { preheader, header, pos, .. } = body.loops[loop_];
        let [before, plain] = [(); 2].map(|()| block_like(body, preheader, header, pos));
        redirect(body, preheader, header, before);
        let (size, unchanged) = (i64::from(ty.bytes()), identity(op, ty));
        let elements = int(bytes / u64::from(ty.bytes()));
        Cursor::with_pos(body, plain, pos).jump(header);
        body.loops[loop_].preheader = plain;
        let mut cursor = Cursor::with_pos(body, before, pos);
        let clears = cursor.counted(int(0), int(1), elements, |cursor, index| {
            let at = cursor.index(copy, index, size, 0);
            cursor.store(Address::at(at), unchanged);
        });
        cursor.jump(plain);

        let Terminator::Jump(next) = body.blocks[after].term else { return };
        let mut cursor = Cursor::with_pos(body, after, pos);
        let adds = cursor.counted(int(0), int(1), elements, |cursor, index| {
            let at = cursor.index(copy, index, size, 0);
            let value = cursor.load(ty, Address::at(at));
            let (bits, none) = bits_of(cursor, value, unchanged);
            let has_changed = cursor.compare(CmpOp::Ne, bits, none);
            let [then, join] = [(); 2].map(|()| cursor.new_block());
            cursor.branch(has_changed, then, join);
            cursor.switch_to(then);
            let addr = Address::at(cursor.index(object, index, size, 0));
            cursor.op(Op::AtomicRmw { dst: None, op, ty, addr, value, reversed: false, result_new: false });
            cursor.jump(join);
            cursor.switch_to(join);
        });
        cursor.jump(next);
        for loop_ in [clears, adds] {
            body.loops[loop_].directive = Some(threads.clone());
        }
    }
}

/// A value and a constant of its type as integers, of which equal ones have equal bits.
fn bits_of(cursor: &mut Cursor<'_>, value: Operand, constant: Operand) -> (Operand, Operand) {
    match constant {
        Operand::F32(bits) => (
            cursor.convert(ConvertOp::Bits, Type::I32, value),
            Operand::Int(Type::I32, i64::from(bits as i32)),
        ),
        Operand::F64(bits) => {
            (cursor.convert(ConvertOp::Bits, Type::I64, value), Operand::Int(Type::I64, bits as i64))
        }
        _ => (value, constant),
    }
}

/// Lets updates go to the copies.
fn apply(body: &mut Body, copied: &[Copied]) {
    let mut rewriting = Rewriting::default();
    for each in copied {
        let data = SlotData::frame(each.bytes, each.ty.align().max(WORD), None);
        let copy = Operand::Slot(body.slots.push(SlotData { kind: SlotKind::GangCopy, ..data }));
        each.updates.iter().for_each(|update| rewriting.plan(body, each, update, copy));
    }
    rewriting.apply(body);
    let copies = body.slots.iter().filter(|(_, data)| data.kind == SlotKind::GangCopy).map(|(slot, _)| slot);
    let copies: Vec<Operand> = copies.map(Operand::Slot).collect();
    copied.iter().zip(copies).for_each(|(each, copy)| each.write_ends(body, copy));
}

/// What becomes of the code of updates.
#[derive(Default)]
struct Rewriting {
    /// Written behind operations.
    behind: FxHashMap<Place, Vec<Op>>,
    /// In the place of updates.
    updates: FxHashMap<Place, Instead>,
    /// Of the operations that lead from an object to an element, those that lead there in the copy.
    twins: FxHashMap<Local, Operand>,
}

/// An update of a copy.
struct Instead {
    /// The element of the copy.
    element: Operand,
    test: Test,
}

/// Whether an element is in the copy.
#[derive(Clone, Copy)]
enum Test {
    Always,
    /// This says so.
    If(Local),
    /// If it is less than so many bytes from the object.
    Distance {
        object: Operand,
        bytes: u64,
    },
}

impl Rewriting {
    fn plan(&mut self, body: &mut Body, copied: &Copied, update: &Update, copy: Operand) {
        let mut base = copy;
        for &(local, place) in update.path.iter().rev() {
            base = *self.twins.entry(local).or_insert_with(|| {
                let dst = body.temp(Type::Ptr);
                let mut op = body.blocks[place.0].insts[place.1].op.clone();
                if let Op::Index { dst: to, base: from, .. } | Op::Copy { dst: to, src: from } = &mut op {
                    (*to, *from) = (dst, base);
                }
                self.behind.entry(place).or_default().push(op);
                Operand::Local(dst)
            });
        }
        let test = match (update.stays, update.path.as_slice(), update.subscript) {
            (true, ..) => Test::Always,
            (false, &[(_, place)], Some(subscript)) => {
                let dst = body.temp(Type::I1);
                let elements = (copied.bytes / u64::from(copied.ty.bytes())) as i64;
                let b = Operand::Int(body.operand_type(subscript), elements);
                let op = Op::Compare { dst, op: CmpOp::ULt, a: subscript, b };
                self.behind.entry(place).or_default().push(op);
                Test::If(dst)
            }
            _ => Test::Distance { object: copied.object, bytes: copied.bytes },
        };
        self.updates.insert((update.block, update.at), Instead { element: base, test });
    }

    fn apply(&self, body: &mut Body) {
        let blocks: FxHashSet<Block> =
            self.behind.keys().chain(self.updates.keys()).map(|&(block, _)| block).collect();
        for block in body.order.clone().into_iter().filter(|block| blocks.contains(block)) {
            let insts = std::mem::take(&mut body.blocks[block].insts);
            let (term, pos) = (body.blocks[block].term.clone(), body.blocks[block].term_pos);
            let mut cursor = Cursor::with_pos(body, block, pos);
            for (at, inst) in insts.into_iter().enumerate() {
                cursor.pos = inst.pos;
                match self.updates.get(&(block, at)) {
                    Some(instead) => instead.write(&mut cursor, inst.op),
                    None => cursor.op(inst.op),
                }
                let behind = self.behind.get(&(block, at)).into_iter().flatten();
                behind.for_each(|op| cursor.op(op.clone()));
            }
            cursor.pos = pos;
            cursor.terminate(term);
            let last = cursor.block;
            for data in body.loops.values_mut() {
                for role in [&mut data.latch, &mut data.preheader] {
                    *role = if *role == block { last } else { *role };
                }
            }
        }
    }
}

impl Instead {
    fn write(&self, cursor: &mut Cursor<'_>, update: Op) {
        let mut of_copy = update.clone();
        let (Op::AtomicRmw { addr, .. }, Op::AtomicRmw { addr: of_object, .. }) = (&mut of_copy, &update)
        else {
            return;
        };
        addr.base = self.element;
        let is_inside = match self.test {
            Test::Always => return cursor.op(of_copy),
            Test::If(test) => Operand::Local(test),
            Test::Distance { object, bytes } => {
                let [to, from] =
                    [of_object.base, object].map(|at| cursor.convert(ConvertOp::Bits, Type::I64, at));
                let distance = cursor.sub(to, from);
                let distance = cursor.add(distance, Operand::Int(Type::I64, of_object.offset));
                cursor.compare(CmpOp::ULt, distance, int(bytes))
            }
        };
        let [inside, outside, join] = [(); 3].map(|()| cursor.new_block());
        cursor.branch(is_inside, inside, outside);
        for (block, op) in [(inside, of_copy), (outside, update)] {
            cursor.switch_to(block);
            cursor.op(op);
            cursor.jump(join);
        }
        cursor.switch_to(join);
    }
}
