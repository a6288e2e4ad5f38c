//! Makes locals of the parts of objects whose addresses nothing needs: `p.x` and `p.y` of a `struct point p`.
//!
//! Before: structs, unions and arrays are slots. After: a frame slot that is only loaded, stored, copied and
//! filled, at constant offsets and never volatile, is a local for each part that is accessed. Parts are the
//! extents of the accesses; an object of which two of them overlap without being the same stays in memory.
//! Accesses of one extent with several types, as the members of a union make, convert the bits. Copies
//! between an object that is split and memory become an access for each part.
//!
//! [`super::inline`] runs it, by [`split`]: most objects of plain code have an address because they cross
//! calls.

use crate::edit::compact::compact;
use crate::entities::{Block, Local, Loop, Slot, map_below, set_of};
use crate::function::{Body, LocalData, SlotKind};
use crate::op::{Access, Address, ConvertOp, Inst, Op, Operand, Pos};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Objects with more parts stay in memory: registers are few, too.
const MOST_PARTS: usize = 64;

/// Runs the pass on a body; whether it changed. An object that a clause names needs its address. Shared loops
/// must be divided among the threads: until then, they may share an object, too.
pub fn split(body: &mut Body) -> bool {
    let has_any = body.slots.values().any(|data| data.kind == SlotKind::Frame);
    has_any && Objects::of(body).split(body, |_| {})
}

/// The same in front of that, on objects whose iteration has no shared loop inside. Others may be split
/// later: what is copied to and from them stays whole, or its words would be the parts into which they are
/// cut.
pub fn split_unshared(body: &mut Body) -> bool {
    if body.slots.values().all(|data| data.kind != SlotKind::Frame) {
        return false;
    }
    let shared = body.live_loops().into_iter().filter(|&loop_| body.loops[loop_].is_partitioned());
    let around: EntitySet<Loop> =
        set_of(shared.flat_map(|loop_| body.loops_around(body.loops[loop_].parent)));
    let mut objects = Objects::of(body);
    for (slot, data) in &body.slots {
        if data.declared_in.is_none_or(|loop_| around.contains(loop_)) {
            objects.keep(Operand::Slot(slot));
        }
    }
    objects.split(body, Objects::keep_partners)
}

/// Bytes of the objects that stay in memory, too, where the place of a call takes the function's result.
pub fn bytes_in_memory(body: &Body) -> u64 {
    let mut objects = Objects::new(body);
    objects.insts(body);
    body.annotations(|part| objects.part(part));
    objects.settle(body);
    body.slots.iter().filter(|(slot, _)| objects.of_slot[*slot].in_memory).map(|(_, data)| data.size).sum()
}

/// A part of an object.
#[derive(Clone, Copy, Debug)]
struct Piece {
    offset: u64,
    ty: Type,
    /// The local that it becomes.
    local: Option<Local>,
}

impl Piece {
    fn end(&self) -> u64 {
        self.offset + u64::from(self.ty.bytes())
    }
}

/// What is known about a slot.
#[derive(Clone, Debug, Default)]
struct Object {
    /// It stays in memory.
    in_memory: bool,
    /// By offset; they do not overlap.
    pieces: Vec<Piece>,
    /// Indices of the transfers that concern it.
    transfers: Vec<usize>,
}

impl Object {
    /// Notes an access. An access that overlaps parts of earlier accesses puts the object into memory.
    fn access(&mut self, size: u64, offset: i64, ty: Type) {
        if self.in_memory {
            return;
        }
        let (Ok(offset), true) = (u64::try_from(offset), is_part(ty)) else {
            self.in_memory = true;
            return;
        };
        let piece = Piece { offset, ty, local: None };
        let at = self.pieces.partition_point(|other| other.end() <= offset);
        match self.pieces.get_mut(at) {
            Some(other) if other.offset < piece.end() => {
                let is_same = (other.offset, other.end()) == (offset, piece.end());
                self.in_memory |= !is_same || !exchanges_bits(other.ty, ty);
            }
            _ => self.pieces.insert(at, piece),
        }
        self.in_memory |= piece.end() > size || self.pieces.len() > MOST_PARTS;
    }

    /// The pieces in a range; none if one is only partly in it.
    fn within(&self, start: u64, end: u64) -> Option<&[Piece]> {
        let first = self.pieces.partition_point(|piece| piece.end() <= start);
        let last = self.pieces.partition_point(|piece| piece.offset < end);
        let pieces = self.pieces.get(first..last).unwrap_or_default();
        let is_whole = pieces.iter().all(|piece| piece.offset >= start && piece.end() <= end);
        is_whole.then_some(pieces)
    }
}

/// Whether a part may have this type: it has one in memory, and no lanes.
fn is_part(ty: Type) -> bool {
    ty.is_word() || ty.is_complex() || matches!(ty, Type::I128 | Type::F80)
}

/// Whether one conversion makes a value of each type out of one of the other, of the same size.
fn exchanges_bits(a: Type, b: Type) -> bool {
    a == b || (a.is_word() && b.is_word() && (a.is_int() || b.is_int()))
}

/// A copy or fill of constant size that an object takes part in.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    /// The object and where in it; for copies between two of them both.
    ends: [Option<(Slot, u64)>; 2],
    bytes: u64,
    /// A fill needs no parts on the other side.
    is_fill: bool,
}

/// All slots of a body.
struct Objects {
    of_slot: SecondaryMap<Slot, Object>,
    transfers: Vec<Transfer>,
}

impl Objects {
    fn of(body: &Body) -> Objects {
        let mut objects = Objects::new(body);
        objects.insts(body);
        body.order.iter().for_each(|&block| body.blocks[block].term.parts(|part| objects.part(part)));
        body.annotations(|part| objects.part(part));
        objects
    }

    /// What is known without the code.
    fn new(body: &Body) -> Objects {
        let mut objects = Objects { of_slot: map_below(body.slots.len()), transfers: Vec::new() };
        for (slot, data) in &body.slots {
            objects.of_slot[slot].in_memory = data.kind != SlotKind::Frame;
        }
        objects
    }

    /// Adds what instructions do.
    fn insts(&mut self, body: &Body) {
        let insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
        insts.for_each(|inst| self.op(body, &inst.op));
    }

    /// An object that something may need the address of.
    fn keep(&mut self, operand: Operand) {
        if let Operand::Slot(slot) = operand {
            self.of_slot[slot].in_memory = true;
        }
    }

    fn part(&mut self, part: Part<'_>) {
        part.operand().into_iter().for_each(|operand| self.keep(operand));
    }

    fn op(&mut self, body: &Body, op: &Op) {
        match op {
            Op::Load { dst, addr, access } if !access.volatile => {
                self.access(body, addr, body.locals[*dst].ty);
            }
            Op::Store { ty, addr, src, access } if !access.volatile => {
                self.access(body, addr, *ty);
                self.keep(*src);
            }
            Op::MemCopy { dst, src, bytes: Operand::Int(_, bytes), align: _ } => {
                self.transfer([Some(dst), Some(src)], *bytes, false);
            }
            Op::MemSet { dst, value: Operand::Int(..), bytes: Operand::Int(_, bytes), align: _ } => {
                self.transfer([Some(dst), None], *bytes, true);
            }
            other => other.parts(|part| self.part(part)),
        }
    }

    fn access(&mut self, body: &Body, addr: &Address, ty: Type) {
        if let Operand::Slot(slot) = addr.base {
            self.of_slot[slot].access(body.slots[slot].size, addr.offset, ty);
        }
    }

    fn transfer(&mut self, addresses: [Option<&Address>; 2], bytes: i64, is_fill: bool) {
        let slots = addresses.map(|address| match address?.base {
            Operand::Slot(slot) => Some(slot),
            _ => None,
        });
        let Ok(bytes) = u64::try_from(bytes) else {
            slots.into_iter().flatten().for_each(|slot| self.of_slot[slot].in_memory = true);
            return;
        };
        let mut ends = [None; 2];
        for (end, (slot, address)) in ends.iter_mut().zip(slots.into_iter().zip(addresses)) {
            let (Some(slot), Some(address)) = (slot, address) else { continue };
            match u64::try_from(address.offset) {
                Ok(offset) if slots[0] != slots[1] => *end = Some((slot, offset)),
                _ => self.of_slot[slot].in_memory = true,
            }
        }
        let index = self.transfers.len();
        for (slot, _) in ends.into_iter().flatten() {
            self.of_slot[slot].transfers.push(index);
        }
        if ends.iter().any(Option::is_some) {
            self.transfers.push(Transfer { ends, bytes, is_fill });
        }
    }

    /// Keeps what is copied to or from objects that stay in memory.
    fn keep_partners(&mut self) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for transfer in &self.transfers {
                let [Some((a, _)), Some((b, _))] = transfer.ends else { continue };
                if self.of_slot[a].in_memory != self.of_slot[b].in_memory {
                    self.of_slot[a].in_memory = true;
                    self.of_slot[b].in_memory = true;
                    changed = true;
                }
            }
        }
    }

    /// Makes locals of the parts of what need not stay in memory; whether there are any. `decide`: what else
    /// stays there once that is known.
    fn split(mut self, body: &mut Body, decide: impl Fn(&mut Objects)) -> bool {
        self.settle(body);
        decide(&mut self);
        if !self.make_locals(body) {
            return false;
        }
        for index in 0..body.order.len() {
            rewrite(body, &self, body.order[index]);
        }
        compact(body);
        true
    }

    fn is_split(&self, end: Option<(Slot, u64)>) -> Option<(Slot, u64)> {
        end.filter(|(slot, _)| !self.of_slot[*slot].in_memory)
    }

    /// Gives both sides of every copy the same parts, first those that the code accesses; then cuts what else
    /// goes to or comes from memory into words.
    fn settle(&mut self, body: &Body) {
        for fills_gaps in [false, true] {
            let mut work: Vec<usize> = (0..self.transfers.len()).rev().collect();
            let mut is_waiting = vec![true; work.len()];
            while let Some(index) = work.pop() {
                is_waiting[index] = false;
                for slot in self.meet(body, self.transfers[index], fills_gaps) {
                    for &other in &self.of_slot[slot].transfers {
                        if !std::mem::replace(&mut is_waiting[other], true) {
                            work.push(other);
                        }
                    }
                }
            }
        }
    }

    /// Gives both sides of a transfer the same parts; tells whose changed.
    fn meet(&mut self, body: &Body, transfer: Transfer, fills_gaps: bool) -> Vec<Slot> {
        let state = |objects: &Objects, (slot, _): (Slot, u64)| {
            let object = &objects.of_slot[slot];
            (object.in_memory, object.pieces.len())
        };
        let before = transfer.ends.map(|end| end.map(|end| state(self, end)));
        let Transfer { ends, bytes, is_fill } = transfer;
        for (slot, start) in ends.into_iter().flatten() {
            let pieces = self.of_slot[slot].within(start, start.saturating_add(bytes));
            // Only words have a constant for every fill.
            let is_wide = |pieces: &[Piece]| is_fill && pieces.iter().any(|piece| !piece.ty.is_word());
            if pieces.is_none_or(is_wide) {
                self.of_slot[slot].in_memory = true;
            }
        }
        for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            match (self.is_split(from), self.is_split(to)) {
                (Some(from), Some(to)) => self.share(body, from, to, bytes),
                (Some((slot, start)), None) if fills_gaps && !is_fill => {
                    self.fill_gaps(body, slot, start, bytes);
                }
                _ => {}
            }
        }
        let changed = ends.into_iter().zip(before).filter_map(|(end, before)| {
            let end = end?;
            (Some(state(self, end)) != before).then_some(end.0)
        });
        changed.collect()
    }

    fn share(&mut self, body: &Body, from: (Slot, u64), to: (Slot, u64), bytes: u64) {
        let pieces = self.of_slot[from.0].within(from.1, from.1.saturating_add(bytes));
        let pieces = pieces.map(<[Piece]>::to_vec).unwrap_or_default();
        for piece in pieces {
            let offset = i64::try_from(piece.offset - from.1 + to.1).unwrap_or(-1);
            self.of_slot[to.0].access(body.slots[to.0].size, offset, piece.ty);
        }
    }

    /// Makes parts of what no access has named.
    fn fill_gaps(&mut self, body: &Body, slot: Slot, start: u64, bytes: u64) {
        let end = start.saturating_add(bytes);
        let size = body.slots[slot].size;
        if end > size {
            self.of_slot[slot].in_memory = true;
        }
        let mut at = start;
        while at < end && !self.of_slot[slot].in_memory {
            let object = &mut self.of_slot[slot];
            let next = object.pieces.partition_point(|piece| piece.end() <= at);
            let limit = match object.pieces.get(next) {
                Some(piece) if piece.offset <= at => {
                    at = piece.end();
                    continue;
                }
                Some(piece) => piece.offset.min(end),
                None => end,
            };
            let fits = |ty: &Type| {
                let bytes = u64::from(ty.bytes());
                at.is_multiple_of(bytes) && at + bytes <= limit
            };
            let ty = [Type::I64, Type::I32, Type::I16].into_iter().find(fits).unwrap_or(Type::I8);
            object.access(size, at as i64, ty);
            at += u64::from(ty.bytes());
        }
    }

    /// Whether there are any.
    fn make_locals(&mut self, body: &mut Body) -> bool {
        let mut any = false;
        for slot in body.slots.keys().collect::<Vec<_>>() {
            let object = &mut self.of_slot[slot];
            if object.in_memory {
                continue;
            }
            any = true;
            for piece in &mut object.pieces {
                let name = body.slots[slot].name.clone();
                piece.local =
                    Some(body.locals.push(LocalData { ty: piece.ty, name, is_part: true, restrict: false }));
            }
        }
        any
    }

    /// The object that an address is in, and where, if it is split.
    fn split_at(&self, address: &Address) -> Option<(&Object, u64)> {
        let Operand::Slot(slot) = address.base else { return None };
        let object = Some(&self.of_slot[slot]).filter(|object| !object.in_memory)?;
        Some((object, u64::try_from(address.offset).ok()?))
    }

    /// The local of the part that an address leads to.
    fn local_at(&self, address: &Address) -> Option<Local> {
        let (object, offset) = self.split_at(address)?;
        let at = object.pieces.partition_point(|piece| piece.offset < offset);
        object.pieces.get(at).filter(|piece| piece.offset == offset)?.local
    }
}

fn rewrite(body: &mut Body, objects: &Objects, block: Block) {
    let concerns = |inst: &Inst| {
        let mut found = false;
        inst.op.addresses(|address| found |= objects.split_at(address).is_some());
        found
    };
    if !body.blocks[block].insts.iter().any(concerns) {
        return;
    }
    let insts = std::mem::take(&mut body.blocks[block].insts);
    let mut out = Writer { body, objects, insts: Vec::with_capacity(insts.len()), pos: Pos::none() };
    for inst in insts {
        out.inst(inst);
    }
    let insts = out.insts;
    body.blocks[block].insts = insts;
}

/// Writes the instructions of a block anew.
struct Writer<'a> {
    body: &'a mut Body,
    objects: &'a Objects,
    insts: Vec<Inst>,
    pos: Pos,
}

impl Writer<'_> {
    fn push(&mut self, op: Op) {
        self.insts.push(Inst { op, pos: self.pos });
    }

    /// Writes the bits of a value of the destination's size.
    fn assign(&mut self, dst: Local, src: Operand) {
        let (from, to) = (self.body.operand_type(src), self.body.locals[dst].ty);
        self.push(match src {
            _ if from == to => Op::Copy { dst, src },
            src => Op::Convert { dst, op: ConvertOp::Bits, src },
        });
    }

    fn inst(&mut self, inst: Inst) {
        self.pos = inst.pos;
        let objects = self.objects;
        match &inst.op {
            Op::Load { dst, addr, .. } => {
                if let Some(local) = objects.local_at(addr) {
                    return self.assign(*dst, Operand::Local(local));
                }
            }
            Op::Store { addr, src, .. } => {
                if let Some(local) = objects.local_at(addr) {
                    return self.assign(local, *src);
                }
            }
            Op::MemCopy { dst, src, bytes: Operand::Int(_, bytes), align } => {
                let bytes = bytes.unsigned_abs();
                match (objects.split_at(dst), objects.split_at(src)) {
                    (None, None) => {}
                    (Some(to), Some(from)) => return self.copy_within(to, from, bytes),
                    (Some(to), None) => return self.copy_in(to, *src, bytes, *align),
                    (None, Some(from)) => return self.copy_out(*dst, from, bytes, *align),
                }
            }
            Op::MemSet { dst, value: Operand::Int(_, value), bytes: Operand::Int(_, bytes), .. } => {
                if let Some(to) = objects.split_at(dst) {
                    return self.fill(to, *value as u8, bytes.unsigned_abs());
                }
            }
            _ => {}
        }
        self.insts.push(inst);
    }

    fn copy_within(&mut self, (to, at): (&Object, u64), (from, start): (&Object, u64), bytes: u64) {
        let from = from.within(start, start + bytes).unwrap_or_default();
        let to = to.within(at, at + bytes).unwrap_or_default();
        for (dst, src) in to.iter().zip(from) {
            if let (Some(dst), Some(src)) = (dst.local, src.local) {
                self.assign(dst, Operand::Local(src));
            }
        }
    }

    fn copy_in(&mut self, (to, at): (&Object, u64), src: Address, bytes: u64, align: u32) {
        for piece in to.within(at, at + bytes).unwrap_or_default() {
            let Some(dst) = piece.local else { continue };
            let (addr, access) = outside(src, piece, at, align);
            self.push(Op::Load { dst, addr, access });
        }
    }

    fn copy_out(&mut self, dst: Address, (from, start): (&Object, u64), bytes: u64, align: u32) {
        for piece in from.within(start, start + bytes).unwrap_or_default() {
            let Some(src) = piece.local.map(Operand::Local) else { continue };
            let (addr, access) = outside(dst, piece, start, align);
            self.push(Op::Store { ty: piece.ty, addr, src, access });
        }
    }

    fn fill(&mut self, (to, at): (&Object, u64), byte: u8, bytes: u64) {
        for piece in to.within(at, at + bytes).unwrap_or_default() {
            let Some(dst) = piece.local else { continue };
            let all = u64::from_le_bytes([byte; 8]);
            let src = match piece.ty {
                Type::F32 => Operand::F32(all as u32),
                Type::F64 => Operand::F64(all),
                ty => {
                    let spare = 64 - ty.bytes() * 8;
                    Operand::Int(ty, (all << spare) as i64 >> spare)
                }
            };
            self.push(Op::Copy { dst, src });
        }
    }
}

/// Where a piece of an object is in memory that the object is copied from or to, `start` of the one being
/// `memory` in the other.
fn outside(memory: Address, piece: &Piece, start: u64, align: u32) -> (Address, Access) {
    let distance = piece.offset - start;
    let align = align.min(1 << distance.trailing_zeros().min(4));
    (memory.plus(distance as i64), Access { align, ..Access::natural(piece.ty) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::Func;
    use crate::text;

    /// A function of one block with a pointer `v0.a`, after the pass; whether it changed.
    fn after(declarations: &str, code: &str) -> (bool, String) {
        let text = format!(
            "signature sig0 (ptr)\nsignature sig1 (ptr) -> i32\nfunction fn0.g sig1 external\n\
             function fn1.f sig0 external {{\n params v0.a locals v0.a: ptr\n {declarations}\nbb0:\n {code} return\n}}\n"
        );
        let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        crate::verify::verify(&module, "parse").unwrap_or_else(|errors| panic!("{errors}"));
        let func = Func::from_u32(1);
        let changed = module.functions[func].body.as_deref_mut().is_some_and(split);
        crate::verify::verify(&module, "split").unwrap_or_else(|errors| panic!("{errors}"));
        (changed, text::print(&module))
    }

    fn is_split(declarations: &str, code: &str) -> String {
        let (changed, text) = after(declarations, code);
        assert!(changed && !text.contains("slot"), "{text}");
        text
    }

    fn stays(declarations: &str, code: &str) {
        let (changed, text) = after(declarations, code);
        assert!(!changed && text.contains("slot s0"), "{text}");
    }

    const LOCALS: &str =
        "locals v1: i32 locals v2: f32 locals v3: i64 locals v4: ptr locals v5: i8 slot s0.p size 8 align 8 ";

    #[test]
    fn members_are_locals() {
        let code = "store.i32 [s0.p], 3i32 store.f32 [s0.p + 4], v2 v1 = load [s0.p] store.i32 [v0.a], v1";
        let text = is_split(LOCALS, code);
        assert!(text.contains("v3.p = copy 3i32") && text.contains("v1 = copy v3.p"), "{text}");
        assert!(text.contains("v4.p = copy v2"), "{text}");
    }

    #[test]
    fn members_of_unions_are_conversions() {
        let text = is_split(LOCALS, "store.f32 [s0.p], 1.0f32 v1 = load [s0.p] store.i32 [v0.a], v1");
        assert!(text.contains("v1 = convert.bits"), "{text}");
        // Of an address and a number, none that one operation would make.
        let doubles = "locals v6: f64 ";
        stays(&format!("{LOCALS}{doubles}"), "store.ptr [s0.p], v0.a v6 = load [s0.p] store.f64 [v0.a], v6");
    }

    #[test]
    fn complex_numbers_are_parts_unless_halves_are_accessed_or_they_are_filled() {
        let numbers = format!("{LOCALS} locals v6: c32 ");
        let both = "v6 = load [v0.a] store.c32 [s0.p], v6 v6 = load [s0.p] store.c32 [v0.a + 8], v6";
        is_split(&numbers, both);
        stays(&numbers, "v6 = load [v0.a] store.c32 [s0.p], v6 v2 = load [s0.p] store.f32 [v0.a], v2");
        stays(&numbers, "mem_set [s0.p], 0i8, 8i64 align 4 v6 = load [s0.p] store.c32 [v0.a], v6");
    }

    #[test]
    fn what_overlaps_stays_in_memory() {
        stays(LOCALS, "store.i64 [s0.p], 3i64 v1 = load [s0.p] store.i32 [v0.a], v1");
        stays(LOCALS, "store.i32 [s0.p + 2], 3i32 v1 = load [s0.p] store.i32 [v0.a], v1");
        stays(LOCALS, "store.i64 [s0.p + 4], 3i64");
        stays(LOCALS, "store.i32 [s0.p - 4], 3i32");
    }

    #[test]
    fn what_has_an_address_or_is_volatile_stays_in_memory() {
        stays(LOCALS, "store.i32 [s0.p], 3i32 v1 = call fn0.g(s0.p) sig1");
        stays(LOCALS, "store.i32 [s0.p], 3i32 store.ptr [v0.a], s0.p");
        stays(LOCALS, "store.i32 [s0.p], 3i32 volatile");
        stays(LOCALS, "v4 = index s0.p + v3 * 4 store.i32 [v4], 3i32");
        stays(LOCALS, "mem_copy [s0.p], [v0.a], v3 align 4");
    }

    #[test]
    fn copies_between_objects_are_copies_of_the_members_of_either() {
        let declarations = format!("{LOCALS}slot s1.q size 8 align 8 slot s2.r size 8 align 8");
        let code = "store.i32 [s0.p], 3i32 mem_copy [s1.q], [s0.p], 8i64 align 4 mem_copy [s2.r], [s1.q], 8i64 align 4 \
            v2 = load [s2.r + 4] store.f32 [v0.a], v2";
        let text = is_split(&declarations, code);
        assert_eq!(text.matches(".q = copy").count(), 2, "{text}");
        assert_eq!(text.matches(".r = copy").count(), 2, "{text}");
    }

    #[test]
    fn copies_to_memory_leave_nothing_out() {
        let code = "mem_copy [s0.p], [v0.a], 8i64 align 4 v1 = load [s0.p + 4] mem_copy [v0.a + 16], [s0.p], 8i64 align 4 \
            store.i32 [v0.a], v1";
        let text = is_split(LOCALS, code);
        assert_eq!(text.matches("= load [v0.a").count(), 2, "{text}");
        assert!(text.contains("store.i32 [v0.a + 16]") && text.contains("store.i32 [v0.a + 20]"), "{text}");
    }

    #[test]
    fn copies_of_what_is_aligned_say_so() {
        let code = "mem_copy [s0.p], [v0.a], 8i64 align 16 v1 = load [s0.p] v2 = load [s0.p + 4] \
            store.i32 [v0.a + 8], v1 store.f32 [v0.a + 12], v2";
        let text = is_split(LOCALS, code);
        assert!(text.contains("load [v0.a] align 16") && text.contains("load [v0.a + 4] untyped"), "{text}");
    }

    #[test]
    fn a_copy_of_a_part_of_a_member_keeps_both_in_memory() {
        let declarations = format!("{LOCALS}slot s1.q size 8 align 8");
        let code = "store.i64 [s0.p], 3i64 mem_copy [s1.q], [s0.p], 4i64 align 4 v3 = load [s1.q] store.i64 [v0.a], v3";
        stays(&declarations, code);
    }

    #[test]
    fn a_fill_is_a_constant_for_each_member() {
        let code = "mem_set [s0.p], -1i8, 8i64 align 4 v1 = load [s0.p] v2 = load [s0.p + 4] \
            store.i32 [v0.a], v1 store.f32 [v0.a + 4], v2";
        let text = is_split(LOCALS, code);
        assert!(text.contains("copy -1i32") && text.contains("copy f32.0xffffffff"), "{text}");
        stays(LOCALS, "mem_set [s0.p], v5, 8i64 align 4 v1 = load [s0.p]");
    }
}
