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
//! An update is late by this, which nobody may notice ([`accrue_ir::analysis::updates`]).
//!
//! Each gang has its part in the end, so that a launch has no more gangs than can be resident
//! ([`SlotKind::GangCopy`]).
//!
//! Before: levels are assigned, nests merged, and objects are mapped slots or pointers. After: the same, with
//! loops over workers and lanes around loops over gangs.

use crate::arch;
use crate::options::Options;
use accrue_ir::analysis::updates::{Defined, Place, Update, Updated, Updates, has_updates};
use accrue_ir::builder::Cursor;
use accrue_ir::edit::split::{block_like, redirect, split_exit};
use accrue_ir::report::{Decision, topics};
use accrue_ir::{
    Address, BinaryOp, Block, Body, CmpOp, ConvertOp, FunctionKind, Level, Local, LoopData, LoopDirective,
    Module, Op, Operand, SlotData, SlotKind, Terminator, Type,
};
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
        let found = Finder { body, options, updates: Updates::new(module, function, body) }.found();
        let Some(body) = module.functions[func].body.as_deref_mut() else { continue };
        for copied in found.iter().filter(|_| options.explain) {
            let (pos, function) = (body.loops[copied.updated.loop_].pos, parent.clone());
            decisions.push(Decision { pos, function, topic: topics::ATOMIC, text: copied.describe(body) });
        }
        apply(body, &found);
    }
    decisions
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

/// An object that the gangs get copies of.
struct Copied {
    updated: Updated,
    name: String,
    bytes: u64,
    /// How each update leads to its element.
    ways: Vec<Way>,
}

/// How an update leads to its element.
struct Way {
    /// The number of the element, if one operation leads there.
    subscript: Option<Operand>,
    /// Whether no subscript on the way leads out of the copy.
    stays: bool,
}

/// Finds out for which objects copies are possible.
struct Finder<'a> {
    body: &'a Body,
    options: &'a Options,
    updates: Updates<'a>,
}

impl Finder<'_> {
    fn found(&self) -> Vec<Copied> {
        let found = self.updates.found(|updated| {
            let has_lanes = |update: &Update| {
                let around = self.body.loops_around(self.body.blocks[update.place.0].loop_);
                let directives = around.filter_map(|loop_| self.body.loops[loop_].directive.as_ref());
                directives.flat_map(|directive| &directive.levels).any(|&level| level == Level::Vector)
            };
            // A gang of one thread waits for nobody.
            let waits = updated.updates.iter().all(has_lanes);
            let is_native = updated.updates.iter().all(|update| {
                let (block, at) = update.place;
                matches!(self.body.blocks[block].insts[at].op, Op::AtomicRmw { op, ty, .. }
                    if arch::native_atomic(self.options.arch, op, ty).is_some())
            });
            waits && is_native && self.bytes_of_copy(updated) > 0
        });
        let mut left = MOST_BYTES.saturating_sub(self.in_use());
        let mut copied = Vec::new();
        for updated in found {
            let bytes = self.bytes_of_copy(&updated);
            if bytes > left {
                continue;
            }
            left -= bytes;
            let way = |update: &Update| Way {
                subscript: self.subscript(update, updated.ty),
                stays: self.stays(update, bytes, updated.ty),
            };
            let ways = updated.updates.iter().map(way).collect();
            copied.push(Copied { name: self.updates.name(updated.object), bytes, ways, updated });
        }
        copied
    }

    /// Bytes of shared memory that a gang has for other things.
    fn in_use(&self) -> u64 {
        let is_in_gang = |kind| !matches!(kind, SlotKind::Frame | SlotKind::Mapped(_) | SlotKind::Launch);
        self.body.slots.values().filter(|slot| is_in_gang(slot.kind)).map(|slot| slot.size).sum()
    }

    fn bytes_of_copy(&self, updated: &Updated) -> u64 {
        let bytes = self.updates.known_bytes(updated.object).unwrap_or(BYTES_OF_UNKNOWN);
        bytes - bytes % u64::from(updated.ty.bytes())
    }

    /// Whether no subscript on a path leads out of the copy.
    fn stays(&self, update: &Update, bytes: u64, ty: Type) -> bool {
        let mut last = update.addr.offset;
        for &(_, (block, at)) in &update.path {
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
    fn subscript(&self, update: &Update, ty: Type) -> Option<Operand> {
        let &[(_, (block, at))] = &update.path[..] else { return None };
        let insts = &self.body.blocks[block].insts;
        let Op::Index { index, scale, offset: 0, .. } = insts[at].op else { return None };
        if update.addr.offset != 0 || scale != i64::from(ty.bytes()) {
            return None;
        }
        let narrow = index.as_local().and_then(|local| {
            let Defined::At(of_index, converts) = self.updates.defined(local) else { return None };
            let Op::Convert { op: ConvertOp::SExt, src, .. } = self.body.blocks[of_index].insts[converts].op
            else {
                return None;
            };
            let Defined::At(of_src, first) = self.updates.defined(src.as_local()?) else { return None };
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
        let Defined::At(block, at) = self.updates.defined(local) else { return None };
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
}

fn int(value: u64) -> Operand {
    Operand::Int(Type::I64, value as i64)
}

impl Copied {
    fn describe(&self, body: &Body) -> String {
        let Copied { name, bytes, ways, updated } = self;
        let line = updated.first_line(body);
        let rest = match ways.iter().all(|way| way.stays) {
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
        let Updated { object, ty, op, loop_, .. } = self.updated;
        let bytes = self.bytes;
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
        let data = SlotData::frame(each.bytes, each.updated.ty.align().max(WORD), None);
        let copy = Operand::Slot(body.slots.push(SlotData { kind: SlotKind::GangCopy, ..data }));
        let ways = each.updated.updates.iter().zip(&each.ways);
        ways.for_each(|(update, way)| rewriting.plan(body, each, (update, way), copy));
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
    fn plan(&mut self, body: &mut Body, copied: &Copied, (update, way): (&Update, &Way), copy: Operand) {
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
        let test = match (way.stays, update.path.as_slice(), way.subscript) {
            (true, ..) => Test::Always,
            (false, &[(_, place)], Some(subscript)) => {
                let dst = body.temp(Type::I1);
                let elements = (copied.bytes / u64::from(copied.updated.ty.bytes())) as i64;
                let b = Operand::Int(body.operand_type(subscript), elements);
                let op = Op::Compare { dst, op: CmpOp::ULt, a: subscript, b };
                self.behind.entry(place).or_default().push(op);
                Test::If(dst)
            }
            _ => Test::Distance { object: copied.updated.object, bytes: copied.bytes },
        };
        self.updates.insert(update.place, Instead { element: base, test });
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
