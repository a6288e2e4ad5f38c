//! Computes and loads once what is computed or loaded again.
//!
//! Before: any code. After: an operation whose result a local has already, on every way to it, is gone, and
//! the local stands where the result was used. That holds for arithmetic, for loads with no write of the same
//! memory in between, and for loads of what was stored before. `ptxas` shares arithmetic by itself, but no
//! load across a store, for it knows nothing of `restrict` and of objects; and shorter bodies are repeated
//! more often.
//!
//! Locals are assigned again and again, so each assignment gives its local a number, the same for the same
//! operation on operands with the same numbers. The walk goes down the tree of dominators: a block begins
//! with what its dominator ends with, without what blocks in between write. Memory has a number for each
//! root ([`Roots`]) and kind of access, which whatever may write there renews; a load has it among its
//! operands. Whatever threads do together, and atomic operations, and calls of most functions ([`Tame`]), may
//! write everything but what nothing writes while the kernel runs ([`ReadOnly`]).
//!
//! [`Roots`]: accrue_ir::analysis::roots::Roots

use crate::text::{Reached, ReadOnly, Tame};
use accrue_ir::analysis::cfg::{Cfg, Dominators};
use accrue_ir::analysis::roots::Root;
use accrue_ir::analysis::written::{IsQuiet, Place, Written};
use accrue_ir::passes::dce;
use accrue_ir::{
    Access, Address, BinaryOp, Block, Body, CmpOp, ConvertOp, Global, Level, Local, MemoryKind, Module, Op,
    Operand, Slot, Type, UnaryOp, map_below,
};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Runs the pass on all functions that the device executes.
pub(crate) fn run(module: &mut Module, reached: &Reached) {
    let tame = Tame::new(module, reached);
    for func in reached.with_code() {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        let read_only = ReadOnly::of(&tame, &module.functions[func], &body);
        share(module, read_only, &mut body, &|func| tame.is_quiet(func));
        module.functions[func].body = Some(body);
    }
}

fn share(module: &Module, read_only: ReadOnly, body: &mut Body, is_quiet: IsQuiet<'_>) {
    let cfg = Cfg::new(body);
    let mut walk = Walk::new(module, read_only, is_quiet, body);
    walk.blocks(body, &cfg);
    if walk.has_shared {
        dce::clean(body);
    }
}

/// Whether an operation counts on. Loops are known by it, and a copy costs as much.
fn is_step(op: &Op) -> bool {
    matches!(*op, Op::Binary { dst, op: BinaryOp::Add, a, .. } if a == Operand::Local(dst))
}

/// The number of a value. Locals begin with one each.
type Number = u32;

/// What an operation computes: equal for operations with equal results.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    what: What,
    ty: Type,
    operands: [Number; 3],
    numbers: [i64; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Compare(CmpOp),
    Convert(ConvertOp),
    Select,
    MultiplyAdd,
    /// An integer and a constant, which `numbers` tells, modulo their width.
    Sum,
    Index,
    Load,
    Size(Level),
    Position(Level),
    /// A constant, or an address; `numbers` tells which.
    Constant,
    Slot(Slot),
    Global(Global),
}

/// What an operation is to the walk.
enum Kind {
    Computes(Key),
    Copies(Number),
    Other,
}

/// A change of the walk's state, to be taken back where it leaves the blocks that a block dominates.
enum Change {
    Local(Local, Number),
    Memory(usize, Number),
    Known(Key, Option<(Operand, Number)>),
    Home(Number, Option<Local>),
}

/// Memory that loads read.
struct Memory {
    read: (Root, MemoryKind),
    number: Number,
    /// Nothing writes it.
    is_fixed: bool,
}

struct Walk<'a> {
    read_only: ReadOnly,
    is_quiet: IsQuiet<'a>,
    /// The number that each local has now.
    numbers: SecondaryMap<Local, Number>,
    /// A local that has a number, if it still does.
    homes: Vec<Option<Local>>,
    /// All that loads of the function read.
    memory: Vec<Memory>,
    known: FxHashMap<Key, (Operand, Number)>,
    /// The numbers of constants, which are known everywhere.
    constants: FxHashMap<Key, Number>,
    /// The numbers of extended 32-bit values, and what was extended: cutting gives it back.
    extended: FxHashMap<Number, Number>,
    /// The numbers of lower halves, by those of what they are of.
    halves: FxHashMap<Number, Number>,
    /// The numbers of integers that are a constant more than another one, modulo their width.
    sums: FxHashMap<Number, (Number, i64)>,
    /// The numbers of addresses that are a constant behind another one.
    offsets: FxHashMap<Number, (Number, i64)>,
    changes: Vec<Change>,
    written: SecondaryMap<Block, Written>,
    /// The block of each search for blocks in between, and where it was seen last.
    seen: SecondaryMap<Block, Option<Block>>,
    has_shared: bool,
}

impl Walk<'_> {
    fn new<'a>(module: &Module, read_only: ReadOnly, is_quiet: IsQuiet<'a>, body: &Body) -> Walk<'a> {
        let roots = read_only.roots();
        let mut memory: Vec<Memory> = Vec::new();
        let mut written: SecondaryMap<Block, Written> = map_below(body.blocks.len());
        let mut next = body.locals.len() as Number;
        for &block in &body.order {
            for inst in &body.blocks[block].insts {
                if let Some(place) = Place::of(body, &inst.op).filter(|place| !place.writes) {
                    let read = (roots.of(place.addr.base), place.kind);
                    if memory.iter().all(|known| known.read != read) {
                        let is_fixed = read_only.has(module, place.addr.base);
                        memory.push(Memory { read, number: next, is_fixed });
                        next += 1;
                    }
                }
                written[block].op(body, (roots, is_quiet), &inst.op);
            }
        }
        let mut numbers = map_below(body.locals.len());
        let mut homes = Vec::with_capacity(2 * body.locals.len());
        for (local, number) in body.locals.keys().zip(0..) {
            numbers[local] = number;
            homes.push(Some(local));
        }
        homes.resize(next as usize, None);
        Walk {
            read_only,
            is_quiet,
            numbers,
            homes,
            memory,
            known: FxHashMap::with_capacity_and_hasher(body.locals.len(), FxBuildHasher),
            constants: FxHashMap::default(),
            extended: FxHashMap::default(),
            halves: FxHashMap::default(),
            sums: FxHashMap::default(),
            offsets: FxHashMap::default(),
            changes: Vec::with_capacity(2 * body.locals.len()),
            written,
            seen: map_below(body.blocks.len()),
            has_shared: false,
        }
    }

    /// Goes down the tree of dominators.
    fn blocks(&mut self, body: &mut Body, cfg: &Cfg) {
        let dominators = Dominators::new(cfg);
        let mut children: SecondaryMap<Block, Vec<Block>> = map_below(body.blocks.len());
        for &block in cfg.reverse_postorder() {
            if let Some(dominator) = dominators.immediate(block) {
                children[dominator].push(block);
            }
        }
        let mut stack: Vec<(Block, usize, usize)> = Vec::new();
        let mut next = cfg.reverse_postorder().first().copied();
        loop {
            if let Some(block) = next.take() {
                stack.push((block, 0, self.changes.len()));
                if let Some(dominator) = dominators.immediate(block) {
                    self.forget_between(body, cfg, dominator, block);
                }
                self.block(body, block);
            }
            let Some((block, done, start)) = stack.last_mut() else { return };
            match children[*block].get(*done) {
                Some(&child) => {
                    *done += 1;
                    next = Some(child);
                }
                None => {
                    let start = *start;
                    stack.pop();
                    // Behind the entry nothing follows.
                    if !stack.is_empty() {
                        self.take_back(start);
                    }
                }
            }
        }
    }

    fn take_back(&mut self, start: usize) {
        while self.changes.len() > start {
            match self.changes.pop() {
                Some(Change::Local(local, number)) => self.numbers[local] = number,
                Some(Change::Memory(index, number)) => self.memory[index].number = number,
                Some(Change::Known(key, Some(before))) => _ = self.known.insert(key, before),
                Some(Change::Known(key, None)) => _ = self.known.remove(&key),
                Some(Change::Home(number, home)) => self.homes[number as usize] = home,
                None => return,
            }
        }
    }

    /// Renews what blocks on the ways from a block's dominator to it write, the block itself if it is on one.
    fn forget_between(&mut self, body: &Body, cfg: &Cfg, dominator: Block, block: Block) {
        if cfg.predecessors(block) == [dominator] {
            return;
        }
        let mut work: Vec<Block> = cfg.predecessors(block).to_vec();
        while let Some(between) = work.pop() {
            let is_new = self.seen[between] != Some(block);
            if between == dominator || !is_new || !cfg.is_reachable(between) {
                continue;
            }
            self.seen[between] = Some(block);
            work.extend_from_slice(cfg.predecessors(between));
            for inst in &body.blocks[between].insts {
                inst.op.defs(|local| {
                    let number = self.fresh(None);
                    self.set(local, number);
                });
            }
            let written = std::mem::take(&mut self.written[between]);
            self.forget(&written);
            self.written[between] = written;
        }
    }

    fn forget(&mut self, written: &Written) {
        for index in 0..self.memory.len() {
            let Memory { read, number, is_fixed } = self.memory[index];
            if !is_fixed && written.may_be(self.read_only.roots(), read) {
                self.changes.push(Change::Memory(index, number));
                self.memory[index].number = self.fresh(None);
            }
        }
    }

    fn fresh(&mut self, home: Option<Local>) -> Number {
        self.homes.push(home);
        self.homes.len() as Number - 1
    }

    fn set(&mut self, local: Local, number: Number) {
        self.changes.push(Change::Local(local, self.numbers[local]));
        self.numbers[local] = number;
        let home = &mut self.homes[number as usize];
        if home.is_none_or(|home| self.numbers[home] != number) {
            self.changes.push(Change::Home(number, *home));
            *home = Some(local);
        }
    }

    /// The local that stands for this one.
    fn home(&self, local: Local) -> Local {
        let number = self.numbers[local];
        self.homes[number as usize].filter(|home| self.numbers[*home] == number).unwrap_or(local)
    }

    fn block(&mut self, body: &mut Body, block: Block) {
        let mut insts = std::mem::take(&mut body.blocks[block].insts);
        for inst in &mut insts {
            inst.op.map_operands(|operand| self.instead(body, operand));
            inst.op.addresses_mut(|address| self.has_shared |= self.step_less(address));
            let op = &mut inst.op;
            if let Some(copy) = self.cut_again(body, op) {
                *op = copy;
                self.has_shared = true;
            }
            match (self.kind(body, block, op), op.dst()) {
                (Kind::Computes(key), Some(dst)) => {
                    let (value, number) = self.known(key);
                    if let Some(value) = value.filter(|_| !is_step(op)) {
                        *op = Op::Copy { dst, src: value };
                        self.has_shared = true;
                    }
                    let number = number.unwrap_or_else(|| {
                        let number = self.fresh(Some(dst));
                        // Its operands may be what it writes.
                        self.derived(op, key, number);
                        number
                    });
                    self.set(dst, number);
                    if value.is_none() {
                        self.learn(key, Operand::Local(dst), number);
                    }
                }
                (Kind::Copies(number), Some(dst)) => {
                    let home = self.homes[number as usize].filter(|home| self.numbers[*home] == number);
                    if let Some(home) = home.filter(|_| !matches!(op, Op::Copy { .. })) {
                        *op = Op::Copy { dst, src: Operand::Local(home) };
                        self.has_shared = true;
                    }
                    self.set(dst, number);
                }
                (Kind::Computes(_) | Kind::Copies(_) | Kind::Other, _) => {
                    op.defs(|local| {
                        let number = self.fresh(Some(local));
                        self.set(local, number);
                    });
                    let mut written = Written::default();
                    written.op(body, (self.read_only.roots(), self.is_quiet), op);
                    self.forget(&written);
                    self.stored(body, op);
                }
            }
        }
        let data = &mut body.blocks[block];
        data.insts = insts;
        let mut term = data.term.clone();
        term.map_operands(|operand| self.instead(body, operand));
        body.blocks[block].term = term;
    }

    /// What stands in the place of an operand.
    fn instead(&self, body: &Body, operand: Operand) -> Operand {
        match operand {
            Operand::Local(local) => {
                let home = self.home(local);
                let is_like = body.locals[home].ty == body.locals[local].ty;
                Operand::Local(if is_like { home } else { local })
            }
            other => other,
        }
    }

    /// Remembers what a value was made of, for what takes it apart again.
    fn derived(&mut self, op: &Op, key: Key, number: Number) {
        match *op {
            _ if key.what == What::Sum => {
                self.sums.insert(number, (key.operands[0], key.numbers[0]));
            }
            Op::Convert { op: ConvertOp::ZExt | ConvertOp::SExt, src, .. } => {
                let from = self.number(src);
                self.extended.insert(number, from);
            }
            Op::Index {
                base: base @ Operand::Local(_),
                index: Operand::Int(_, index),
                scale,
                offset,
                ..
            } => {
                let by = index.wrapping_mul(scale).wrapping_add(offset);
                let from = self.number(base);
                self.offsets.insert(number, (from, by));
            }
            _ => {}
        }
    }

    /// Lets an access do the last step to its address, if that is a constant; says whether it does now.
    fn step_less(&self, address: &mut Address) -> bool {
        let Operand::Local(base) = address.base else { return false };
        let Some(&(from, by)) = self.offsets.get(&self.numbers[base]) else { return false };
        let Some(home) = self.homes[from as usize].filter(|home| self.numbers[*home] == from) else {
            return false;
        };
        *address = Address { base: Operand::Local(home), offset: address.offset.wrapping_add(by) };
        true
    }

    /// What cuts an extended value gives the value.
    fn cut_again(&self, body: &Body, op: &Op) -> Option<Op> {
        let Op::Convert { dst, op: ConvertOp::Trunc, src: Operand::Local(src) } = *op else { return None };
        let from = *self.extended.get(&self.numbers[src])?;
        let home = self.homes[from as usize].filter(|home| self.numbers[*home] == from)?;
        let is_like = body.locals[home].ty == body.locals[dst].ty;
        is_like.then_some(Op::Copy { dst, src: Operand::Local(home) })
    }

    /// What has the value of a key, if something still does, and its number, if it was computed before.
    fn known(&self, key: Key) -> (Option<Operand>, Option<Number>) {
        let Some(&(value, number)) = self.known.get(&key) else { return (None, None) };
        let is_lost = matches!(value, Operand::Local(local) if self.numbers[local] != number);
        (Some(value).filter(|_| !is_lost), Some(number))
    }

    fn learn(&mut self, key: Key, value: Operand, number: Number) {
        let before = self.known.insert(key, (value, number));
        self.changes.push(Change::Known(key, before));
    }

    fn number(&mut self, operand: Operand) -> Number {
        let (what, ty, value) = match operand {
            Operand::Local(local) => return self.numbers[local],
            Operand::Int(ty, value) => (What::Constant, ty, value),
            Operand::F32(bits) => (What::Constant, Type::F32, i64::from(bits)),
            Operand::F64(bits) => (What::Constant, Type::F64, bits.cast_signed()),
            Operand::Slot(slot) => (What::Slot(slot), Type::Ptr, 0),
            Operand::Global(global) => (What::Global(global), Type::Ptr, 0),
            // Its own type: a function and an object are at different addresses.
            Operand::Func(func) => (What::Constant, Type::I1, func.index() as i64 + 2),
        };
        let key = Key { what, ty, operands: [0; 3], numbers: [value, 0] };
        if let Some(&number) = self.constants.get(&key) {
            return number;
        }
        let number = self.fresh(None);
        self.constants.insert(key, number);
        number
    }

    /// `body` has all but the instructions of the block that the operation stands in.
    fn kind(&mut self, body: &Body, block: Block, op: &Op) -> Kind {
        let Some(dst) = op.dst() else { return Kind::Other };
        let ty = body.locals[dst].ty;
        let (what, operands, numbers): (What, &[Operand], [i64; 2]) = match op {
            Op::Copy { src, .. } if body.operand_type(*src) == ty => return Kind::Copies(self.number(*src)),
            Op::Unary { op, src, .. } => (What::Unary(*op), &[*src], [0; 2]),
            Op::Binary { op: BinaryOp::Add, a, b: Operand::Int(_, by), .. }
            | Op::Binary { op: BinaryOp::Add, a: Operand::Int(_, by), b: a, .. }
                if is_number(ty) =>
            {
                let a = self.number(*a);
                return self.sum(ty, a, *by);
            }
            Op::Binary { op: BinaryOp::Sub, a, b: Operand::Int(_, by), .. } if is_number(ty) => {
                let a = self.number(*a);
                return self.sum(ty, a, by.wrapping_neg());
            }
            Op::Binary { op, a, b, .. } if is_number(ty) && commutes(*op) => {
                let [a, b] = [*a, *b].map(|operand| self.number(operand));
                let operands = [a.min(b), a.max(b), 0];
                return Kind::Computes(Key { what: What::Binary(*op), ty, operands, numbers: [0; 2] });
            }
            Op::Convert { op: ConvertOp::Trunc, src, .. } if ty == Type::I32 => {
                let whole = self.number(*src);
                let (whole, by) = self.sums.get(&whole).copied().unwrap_or((whole, 0));
                let half = match self.halves.get(&whole) {
                    Some(&half) => half,
                    None => self.fresh(None),
                };
                self.halves.insert(whole, half);
                return self.sum(ty, half, by);
            }
            Op::Binary { op, a, b, .. } => (What::Binary(*op), &[*a, *b], [0; 2]),
            Op::Compare { op, a, b, .. } => (What::Compare(*op), &[*a, *b], [0; 2]),
            Op::Convert { op, src, .. } => (What::Convert(*op), &[*src], [0; 2]),
            Op::Select { cond, a, b, .. } => (What::Select, &[*cond, *a, *b], [0; 2]),
            Op::Fma { a, b, c, .. } => (What::MultiplyAdd, &[*a, *b, *c], [0; 2]),
            Op::Index { base, index, scale, offset, .. } => {
                (What::Index, &[*base, *index], [*scale, *offset])
            }
            Op::DimSize { level, .. } => (What::Size(*level), &[], [0; 2]),
            Op::DimPos { level, .. } => (What::Position(*level), &[], [0; 2]),
            Op::Load { addr, access, .. } if !access.volatile => {
                let kind = access.kind(ty);
                return self.load(ty, *addr, kind).map_or(Kind::Other, Kind::Computes);
            }
            _ => return Kind::Other,
        };
        let mut found = [0; 3];
        for (number, operand) in found.iter_mut().zip(operands) {
            *number = self.number(*operand);
        }
        // There are few predicates, and comparing again is cheap.
        let numbers = if ty == Type::I1 { [i64::from(block.as_u32()), 0] } else { numbers };
        Kind::Computes(Key { what, ty, operands: found, numbers })
    }

    /// What a number and a constant are together.
    fn sum(&self, ty: Type, number: Number, by: i64) -> Kind {
        let (from, before) = self.sums.get(&number).copied().unwrap_or((number, 0));
        let by = before.wrapping_add(by);
        let by = if ty == Type::I32 { i64::from(by as i32) } else { by };
        match by {
            0 => Kind::Copies(from),
            by => Kind::Computes(Key { what: What::Sum, ty, operands: [from, 0, 0], numbers: [by, 0] }),
        }
    }

    /// The key of what an address leads to; none if no load reads there.
    fn load(&mut self, ty: Type, addr: Address, kind: MemoryKind) -> Option<Key> {
        let read = (self.read_only.roots().of(addr.base), kind);
        let memory = self.memory.iter().find(|known| known.read == read)?.number;
        let operands = [self.number(addr.base), memory, 0];
        Some(Key { what: What::Load, ty, operands, numbers: [addr.offset, 0] })
    }

    /// Remembers what a store leaves in memory. Narrower values are cut there.
    fn stored(&mut self, body: &Body, op: &Op) {
        let Op::Store { ty, addr, src, access } = *op else { return };
        let is_whole = matches!(ty, Type::I32 | Type::I64 | Type::Ptr | Type::F32 | Type::F64);
        if !is_whole || access.volatile || body.operand_type(src) != ty {
            return;
        }
        let number = self.number(src);
        // Any load of the same bytes and type gives it, whatever it says of the memory.
        for kind in [true, false].map(|typed| Access { typed, ..access }.kind(ty)) {
            if let Some(key) = self.load(ty, addr, kind) {
                self.learn(key, src, number);
            }
        }
    }
}

/// Whether sums of values of a type wrap around, and PTX has registers for it.
fn is_number(ty: Type) -> bool {
    matches!(ty, Type::I32 | Type::I64)
}

fn commutes(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    /// A region of three pointers, two of them `restrict`, after the pass.
    fn shared(blocks: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, ptr, ptr, i32)\nsignature sig1 (ptr)\n\
             function fn0.r sig0 internal\n  region parallel of \"main\" dims(0, 1, 1, 1, 32) {{\n    \
             param \"a\" pointer present\n    param \"b\" pointer present\n    param \"c\" pointer present\n    \
             param \"n\" value i32 bytes 4\n  }} {{\n  params v0.a, v1.b, v2.c, v3.n\n  \
             locals v0.a, v1.b: ptr restrict\n  locals v2.c: ptr\n  locals v3.n, v4, v5, v6: i32\n  \
             locals v7: i1\n  locals v8: i64\n{blocks}}}\n\
             function fn1.other sig1 internal {{ params v0 locals v0: ptr\nbb0: store.i32 [v0], 1i32 return }}\n\
             function fn2.meets sig1 internal {{ params v0 locals v0: ptr\nbb0: fence return }}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let reached = crate::text::reach(&module).unwrap_or_else(|error| panic!("{error}"));
        run(&mut module, &reached);
        accrue_ir::verify::verify(&module, "share").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    /// How many loads are left of two of the same memory, with this in between.
    fn loads_left(between: &str) -> usize {
        let text = shared(&format!(
            "bb0:\n  v4 = load [v0.a]\n  {between}\n  v5 = load [v0.a]\n  v6 = add v4, v5\n  \
             store.i32 [v0.a], v6\n  return\n"
        ));
        text.matches("= load [v0.a]").count()
    }

    #[test]
    fn a_load_is_shared_unless_something_may_write_in_between() {
        for harmless in [
            "",
            "store.f32 [v2.c], f32.0x3f800000",
            "store.i32 [v1.b], 1i32",
            "v6 = sdiv v3.n, v4",
            "v4 = copy v4",
            // It writes what it is given.
            "call fn1.other(v1.b) sig1",
        ] {
            assert_eq!(loads_left(harmless), 1, "{harmless}");
        }
        for writes in [
            "store.i32 [v0.a + 4], 1i32",
            "store.i32 [v2.c], 1i32",
            "store.f32 [v2.c], f32.0x3f800000 untyped",
            "store.i8 [v2.c], 1i8",
            "store.i32 [v1.b], 1i32 volatile",
            "call fn1.other(v0.a) sig1",
            "call fn1.other(v2.c) sig1",
            "call fn2.meets(v1.b) sig1",
            "v6 = atomic_rmw.add.i32 [v1.b], 1i32",
            "fence",
            "barrier worker",
            "mem_set [v2.c], 0i8, 4i64 align 4",
        ] {
            assert_eq!(loads_left(writes), 2, "{writes}");
        }
    }

    #[test]
    fn what_counts_on_stays_a_sum() {
        let text = shared(
            "bb0:\n  v4 = copy 0i32\n  jump bb1\nbb1:\n  v5 = add v4, 32i32\n  v6 = add v4, 32i32\n  \
             store.i32 [v0.a], v6\n  v4 = add v4, 32i32\n  v7 = cmp.lt v4, v3.n\n  branch v7, bb1, bb2\n\
             bb2:\n  return\n",
        );
        assert!(text.contains("v4 = add v4, 32i32") && !text.contains("v6 = add"), "{text}");
    }

    #[test]
    fn a_local_that_is_assigned_again_stands_for_nothing() {
        assert_eq!(loads_left("v4 = copy 1i32"), 2);
        let text = shared(
            "bb0:\n  v4 = add v3.n, 1i32\n  v3.n = copy 5i32\n  v5 = add v3.n, 1i32\n  v6 = add v4, v5\n  \
             store.i32 [v0.a], v6\n  return\n",
        );
        assert_eq!(text.matches("= add").count(), 3, "{text}");
    }

    #[test]
    fn what_is_stored_need_not_be_loaded() {
        let stored = |store: &str| {
            let text =
                shared(&format!("bb0:\n  {store}\n  v4 = load [v0.a]\n  store.i32 [v1.b], v4\n  return\n"));
            text.matches("= load").count()
        };
        assert_eq!(stored("store.i32 [v0.a], v3.n"), 0);
        assert_eq!(stored("store.i32 [v0.a], 7i32"), 0);
        assert_eq!(stored("store.i64 [v0.a], 7i64"), 1);
        assert_eq!(stored("store.i32 [v0.a], v3.n\n  store.i32 [v2.c], 1i32"), 1);
    }

    #[test]
    fn a_branch_that_writes_is_between_and_one_that_does_not_is_not() {
        for (then, loads) in
            [("store.i32 [v0.a], 1i32", 2), ("store.i32 [v1.b], 1i32", 1), ("v4 = copy 1i32", 2)]
        {
            let text = shared(&format!(
                "bb0:\n  v4 = load [v0.a]\n  v7 = cmp.lt v4, v3.n\n  branch v7, bb1, bb2\nbb1:\n  {then}\n  \
                 jump bb2\nbb2:\n  v5 = load [v0.a]\n  store.i32 [v1.b], v5\n  return\n"
            ));
            assert_eq!(text.matches("= load [v0.a]").count(), loads, "{text}");
        }
    }

    #[test]
    fn an_iteration_does_not_have_what_the_one_before_it_overwrote() {
        for (inside, loads) in [("store.i32 [v0.a], v5", 2), ("store.i32 [v1.b], v5", 1)] {
            let text = shared(&format!(
                "loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n\
                 bb0:\n  v4 = load [v0.a]\n  v6 = copy 0i32\n  jump bb1\n\
                 bb1 loop0:\n  v7 = cmp.lt v6, v4\n  branch v7, bb2, bb3\n\
                 bb2 loop0:\n  v5 = load [v0.a]\n  v5 = add v5, v6\n  {inside}\n  v6 = add v6, 1i32\n  jump bb1\n\
                 bb3:\n  return\n"
            ));
            assert_eq!(text.matches("= load [v0.a]").count(), loads, "{text}");
        }
    }

    #[test]
    fn what_cuts_an_extended_value_gives_it_back() {
        let text = shared(
            "bb0:\n  v8 = convert.zext v3.n\n  store.i64 [v0.a], v8\n  v5 = convert.trunc v8\n  \
             store.i32 [v1.b], v5\n  return\n",
        );
        assert!(text.contains("store.i32 [v1.b], v3.n"), "{text}");
    }
}
