//! Random modules that the verifier accepts.
//!
//! A module is a function of a seed and a size, so that a failure is two numbers. Bodies are structured:
//! straight stretches of any operation, branches, switches, counted loops with directives, constructs;
//! regions have quads.

use super::names::Named;
use crate::acc::{
    Async, ConstructData, ConstructKind, DataKind, DataMap, DataOp, Declared, Device, Dims, ElementPart,
    Elements, GangClause, Launch, LaunchArg, Level, LoopDirective, LoopKind, MapKind, MapModifiers, Member,
    PassHow, PrivateVar, RedObject, RedType, Reduction, ReductionClause, ReductionKind, ReductionOp,
    ReductionPart, RegionData, RegionParam, RegionShape, Row, RowSection, Scheduling, ShapeTrial,
    SizeClauses, Stride, TaskClauses, ThreadBound, Wait,
};
use crate::builder::Cursor;
use crate::entities::{Agg, Block, Construct, File, Func, Global, Local, Loop, Sig, Slot};
use crate::function::{
    Beside, Body, Function, FunctionKind, Induction, Linkage, LoopData, Routine, SlotData, SlotKind,
};
use crate::module::{DeclareKind, GlobalData, Init, Module, Relocation};
use crate::op::{
    Access, Address, BinaryOp, Callee, CmpOp, ConvertOp, LoopShare, Op, Operand, Pos, ShuffleMode, Space,
    Terminator, UnaryOp,
};
use crate::types::{AggregateLayout, Extend, PassBy, Signature, Type};
use std::num::NonZeroU32;
use std::sync::Arc;

/// Constructs that become regions.
const COMPUTE: [ConstructKind; 3] = [ConstructKind::Parallel, ConstructKind::Serial, ConstructKind::Kernels];

/// A module of about `size` instructions per function.
pub(super) fn module(seed: u64, size: u32) -> Module {
    let mut random = Random { state: seed.wrapping_mul(2).wrapping_add(1) };
    let mut module = Module::default();
    for _ in 0..3 {
        let name = random.name();
        module.files.push(name);
    }
    module.aggregates.push(AggregateLayout {
        size: 16,
        align: 8,
        leaves: vec![(0, Type::I64), (8, Type::F32)],
    });
    for signature in signatures(&mut random) {
        module.signatures.push(signature);
    }
    for _ in 0..4 {
        let global = global(&mut random);
        module.globals.push(global);
    }
    // Declared first, so that bodies can refer to all of them.
    let funcs: Vec<Func> = (0..4).map(|i| module.functions.push(function(&mut random, i))).collect();
    for &func in &funcs[..3] {
        let body = Writer::new(&mut random, &module, func).write(size);
        module.functions[func].body = Some(Box::new(body));
    }
    module.constructors.push((random.below(9), funcs[1]));
    module
}

/// The signatures the writer knows by index.
const NOTHING: u32 = 0;
const MIXED: u32 = 1;
const AGGREGATE: u32 = 2;
const REGION: u32 = 3;

fn signatures(random: &mut Random) -> [Signature; 4] {
    let scalar = |ty| PassBy::Scalar(ty, Extend::None);
    let extend = *random.pick(Extend::ALL);
    [
        Signature::default(),
        Signature {
            params: vec![
                PassBy::Scalar(Type::I8, extend),
                scalar(Type::F64),
                PassBy::Aggregate(Agg::from_u32(0)),
            ],
            result: Some(scalar(Type::I32)),
            variadic: true,
        },
        Signature { params: vec![], result: Some(PassBy::Aggregate(Agg::from_u32(0))), variadic: false },
        Signature { params: vec![scalar(Type::Ptr), scalar(Type::I64)], result: None, variadic: false },
    ]
}

fn global(random: &mut Random) -> GlobalData {
    let linkage = *random.pick(Linkage::ALL);
    let bytes = (0..random.below(9)).map(|_| random.next() as u8).collect();
    let target =
        if random.coin() { Operand::Global(Global::from_u32(2)) } else { Operand::Func(Func::from_u32(0)) };
    let relocation = Relocation { offset: 8, target, addend: random.int(64) };
    let init = match (random.below(3), linkage) {
        (0, Linkage::External | Linkage::Weak | Linkage::Inline) => Init::Extern,
        (_, Linkage::Common) | (1, _) => Init::Zero,
        _ => Init::Bytes(bytes, if random.coin() { vec![relocation] } else { vec![] }),
    };
    GlobalData {
        name: random.name(),
        link_name: random.coin().then(|| random.name()),
        size: 16 + u64::from(random.below(100)),
        align: 1 << random.below(6),
        init,
        linkage,
        thread_local: random.coin(),
        constant: random.coin(),
        restrict: random.coin(),
        declare: random.coin().then(|| DeclareKind::Map(*random.pick(MapKind::ALL))),
        pos: random.pos(),
    }
}

/// Function 0 is plain, 1 has a routine's level, 2 is a region, 3 is declared only.
fn function(random: &mut Random, index: u32) -> Function {
    let routine = Routine {
        level: random.coin().then(|| *random.pick(Level::ALL)),
        bind: random.coin().then(|| random.name()),
        nohost: random.coin(),
        implicit: random.coin(),
    };
    let param = |name: &str, how| {
        let argument = how == PassHow::Pointer;
        RegionParam { name: name.into(), how, kind: None, bytes: Some(8), argument }
    };
    let region = RegionData {
        construct: *random.pick(&COMPUTE),
        params: vec![param("a b", PassHow::Address), param("n", PassHow::Value(Type::I64))],
        parent: random.name(),
        constant_dims: [0, 1, 2, u32::MAX, 4],
        cooperative: random.coin(),
        wanted_gangs: random.below(3),
        open_workers: random.coin(),
        row: random.coin().then(|| Row {
            stride: random.below(65),
            reductions: random.below(3),
            has_loops: random.coin(),
        }),
        shape: random.coin().then(|| RegionShape {
            workers: random.below(33),
            lanes: random.below(1025),
            trial: random.coin().then(|| ShapeTrial { of: Func::from_u32(2), code: random.next() }),
        }),
    };
    Function {
        name: random.name(),
        link_name: random.coin().then(|| random.name()),
        sig: Sig::from_u32([NOTHING, MIXED, REGION, AGGREGATE][index as usize]),
        linkage: *random.pick(&[Linkage::External, Linkage::Internal, Linkage::Weak, Linkage::Inline]),
        kind: if index == 2 { FunctionKind::Region(Box::new(region)) } else { FunctionKind::Normal },
        routine: (index == 1).then_some(routine),
        noreturn: random.coin(),
        inline_hint: random.coin(),
        noinline: random.coin(),
        returns_twice: random.coin(),
        alias: (index == 3).then(|| random.name()),
        body: None,
        pos: random.pos(),
    }
}

struct Random {
    state: u64,
}

impl Random {
    /// The next number of a splitmix sequence.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: u32) -> u32 {
        (self.next() % u64::from(n)) as u32
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// A number that `bits` hold, often one at the edge.
    fn int(&mut self, bits: u32) -> i64 {
        let shift = 64 - bits.min(64);
        match self.below(4) {
            0 => i64::MAX >> shift,
            1 => i64::MIN >> shift,
            2 => i64::from(self.below(3)) - 1,
            _ => (self.next() as i64) >> shift,
        }
    }

    fn name(&mut self) -> Arc<str> {
        let choices =
            ["a", "sum", "a.b", "x$1", "a b", "", "\"q\\\n", "\u{1}é", ".", "v3", "0", "a.", "none"];
        (*self.pick(&choices)).into()
    }

    fn pos(&mut self) -> Pos {
        match self.below(4) {
            0 => Pos::none(),
            1 => Pos { file: File::from_u32(0), line: 1, column: self.below(3) },
            _ => Pos { file: File::from_u32(self.below(3)), line: 1 + self.below(4), column: self.below(4) },
        }
    }
}

struct Writer<'a> {
    random: &'a mut Random,
    module: &'a Module,
    func: Func,
    body: Body,
    block: Block,
    loop_: Option<Loop>,
    construct: Option<Construct>,
    left: u32,
}

impl<'a> Writer<'a> {
    fn new(random: &'a mut Random, module: &'a Module, func: Func) -> Writer<'a> {
        let mut body = Body::default();
        // Two locals of every type, found by index.
        for ty in Type::ALL.into_iter().chain(Type::ALL) {
            let name = random.coin().then(|| random.name());
            let local = body.local(ty, name);
            body.locals[local].is_part = random.coin();
            body.locals[local].restrict = ty == Type::Ptr && random.coin();
        }
        let signature = &module.signatures[module.functions[func].sig];
        for pass in &signature.params {
            let ty = match pass {
                PassBy::Scalar(ty, _) => *ty,
                PassBy::Aggregate(_) => Type::Ptr,
            };
            let param = body.temp(ty);
            body.params.push(param);
        }
        for _ in 0..3 {
            let name = random.coin().then(|| random.name());
            let (size, align) = (if random.coin() { 8 } else { random.next() >> 32 }, 1 << random.below(8));
            let (kind, restrict) = (SlotKind::Frame, size == 8);
            body.slots.push(SlotData { size, align, name, restrict, kind, declared_in: None });
        }
        let is_region = matches!(module.functions[func].kind, FunctionKind::Region(_));
        if is_region {
            body.slots[Slot::from_u32(0)].kind = SlotKind::Mapped(body.params[0]);
            body.slots[Slot::from_u32(1)].kind =
                if random.coin() { SlotKind::GangPrivate } else { SlotKind::GangCopy };
            body.slots[Slot::from_u32(2)].kind = SlotKind::WorkerPrivate;
        }
        let block = body.block();
        let mut writer = Writer { random, module, func, body, block, loop_: None, construct: None, left: 0 };
        if is_region {
            let clause = writer.reduction_clause();
            writer.body.region_reductions.push(clause);
            let used = writer.value(Type::I1);
            let counts = [(); 3].map(|()| writer.value(Type::I64));
            let [rows, most_workers] = [1, 0].map(|least| least + writer.random.below(8));
            writer.body.beside = Some(Beside { used, counts, rows, most_workers });
        }
        writer
    }

    fn write(mut self, size: u32) -> Body {
        self.left = size;
        self.statements(3);
        self.body.blocks[self.block].term =
            match self.module.signatures[self.module.functions[self.func].sig].result {
                None => Terminator::Return(None),
                Some(PassBy::Scalar(ty, _)) => Terminator::Return(Some(self.value(ty))),
                Some(PassBy::Aggregate(_)) => Terminator::Return(Some(self.value(Type::Ptr))),
            };
        // Layout order is free but for the entry.
        let last = self.body.order.len() as u32;
        for i in 1..last {
            let j = 1 + self.random.below(last - 1);
            self.body.order.swap(i as usize, j as usize);
        }
        self.body
    }

    fn new_block(&mut self) -> Block {
        let block = self.body.block();
        (self.body.blocks[block].loop_, self.body.blocks[block].construct) = (self.loop_, self.construct);
        block
    }

    fn at(&mut self) -> Cursor<'_> {
        let pos = self.random.pos();
        Cursor::with_pos(&mut self.body, self.block, pos)
    }

    fn is_region(&self) -> bool {
        matches!(self.module.functions[self.func].kind, FunctionKind::Region(_))
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(6) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            match self.random.below(if depth == 0 { 6 } else { 10 }) {
                6 => self.branch(depth - 1),
                7 => self.switch(depth - 1),
                8 => self.counted_loop(depth - 1),
                9 if !self.is_region() && self.construct.is_none() => self.compute(depth - 1),
                _ => {
                    let op = self.op();
                    self.at().op(op);
                }
            }
        }
    }

    fn branch(&mut self, depth: u32) {
        let cond = self.value(Type::I1);
        let (then, after) = (self.new_block(), self.new_block());
        self.at().branch(cond, then, after);
        self.block = then;
        self.statements(depth);
        self.at().jump(after);
        self.block = after;
    }

    fn switch(&mut self, depth: u32) {
        let ty = *self.random.pick(&[Type::I8, Type::I32, Type::I64]);
        let value = self.value(ty);
        let (first, second, after) = (self.new_block(), self.new_block(), self.new_block());
        self.at().switch(value, vec![(-3, -1, first), (5, 5, first), (7, 9, second)], after);
        self.block = first;
        self.statements(depth);
        self.at().jump(second);
        self.block = second;
        self.at().terminate(Terminator::Jump(after));
        self.block = after;
    }

    fn counted_loop(&mut self, depth: u32) {
        let ty = *self.random.pick(&[Type::I16, Type::I32, Type::I64, Type::Ptr]);
        let iv = self.body.temp(ty);
        let (init, bound) = (self.value(ty), self.value(ty));
        let step = self.value(if ty == Type::Ptr { Type::I64 } else { ty });
        let cmp = *self.random.pick(if ty == Type::Ptr {
            &[CmpOp::ULt, CmpOp::Ne]
        } else {
            &[CmpOp::Lt, CmpOp::UGe]
        });
        let (preheader, exit, outer) = (self.new_block(), self.new_block(), self.loop_);
        self.at().jump(preheader);
        let directive = if self.random.coin() { Some(self.directive()) } else { None };
        let partitioned = directive.as_ref().is_some_and(|directive| !directive.levels.is_empty());
        let pos = self.random.pos();
        let loop_ = self.body.loops.push(LoopData {
            parent: outer,
            preheader,
            header: exit,
            body: exit,
            latch: exit,
            exit,
            induction: Some(Induction { iv, init, bound, step, cmp }),
            directive,
            pos,
        });
        self.block = preheader;
        self.at().assign(iv, init);
        let quad = (partitioned && self.is_region()).then(|| self.quad(loop_));
        if let Some(before) = quad.as_ref().map(|(before, _)| before.clone()) {
            before.into_iter().for_each(|op| self.at().op(op));
        }
        self.loop_ = Some(loop_);
        let (header, first, latch) = (self.new_block(), self.new_block(), self.new_block());
        self.at().jump(header);
        self.block = header;
        let more = self.at().compare(cmp, Operand::Local(iv), bound);
        self.at().branch(more, first, exit);
        self.block = first;
        self.statements(depth);
        self.at().jump(latch);
        self.block = latch;
        self.at().op(Op::Copy { dst: iv, src: init });
        self.at().jump(header);
        let data = &mut self.body.loops[loop_];
        (data.header, data.body, data.latch) = (header, first, latch);
        self.loop_ = outer;
        self.block = exit;
        if let Some((_, after)) = quad {
            after.into_iter().for_each(|op| self.at().op(op));
        }
    }

    fn reduction_op(&mut self, ty: RedType) -> ReductionOp {
        if ty.ty != Type::I8 || self.random.coin() {
            return *self.random.pick(ReductionOp::ALL);
        }
        let [start, combine] = [(); 2].map(|()| Func::from_u32(self.random.below(4)));
        let sig = Sig::from_u32(0);
        let (size, reads_original) = (1 + self.random.below(64), self.random.coin());
        ReductionOp::Declared(Declared { start, combine, sig, size, align: 4, reads_original })
    }

    /// What stands before and after a partitioned loop.
    fn quad(&mut self, loop_: Loop) -> (Vec<Op>, Vec<Op>) {
        let level = *self.random.pick(Level::ALL);
        let ty = RedType {
            ty: *self.random.pick(&[Type::I8, Type::I32, Type::I64]),
            signed: true,
            boolean: false,
        };
        let dst = self.body.temp(if ty.ty == Type::I64 { Type::I64 } else { Type::I32 });
        let result = if self.random.coin() { Some(self.address()) } else { None };
        let array = RedObject::Array { local: self.address(), count: self.value(Type::I64) };
        let scalar = RedObject::Scalar { dst, local: Operand::Local(dst) };
        let object = if self.random.coin() { array } else { scalar };
        let (op, red, escapes) = (self.reduction_op(ty), self.body.red(), self.random.coin());
        let original = self.random.coin().then(|| self.address());
        let owner = self.random.coin().then_some(loop_);
        let call = |kind| {
            Op::Reduction(Box::new(Reduction {
                kind,
                result,
                object,
                level,
                op,
                ty,
                loop_: owner,
                red,
                escapes,
                original,
            }))
        };
        let before = vec![
            Op::HeadMark { loop_, inner: false },
            call(ReductionKind::Setup),
            Op::Fork { level, loop_: Some(loop_) },
            call(ReductionKind::Init),
            Op::HeadMark { loop_, inner: true },
        ];
        let after = vec![
            Op::TailMark { loop_, inner: true },
            Op::Lock { level, loop_: owner },
            call(ReductionKind::Fini),
            Op::Unlock { level, loop_: owner },
            Op::Join { level, loop_: Some(loop_) },
            call(ReductionKind::Teardown),
            Op::TailMark { loop_, inner: false },
        ];
        (before, after)
    }

    fn compute(&mut self, depth: u32) {
        let exit = self.new_block();
        let data = ConstructData {
            kind: *self.random.pick(&COMPUTE),
            parent: None,
            entry: exit,
            exit,
            scheduling: self.scheduling(),
            dims: self.dims(),
            maps: self.maps(),
            private: vec![self.private_var()],
            firstprivate: vec![self.private_var(), self.private_var()],
            reductions: vec![self.reduction_clause()],
            fused: u32::from(self.random.coin()),
            pos: self.random.pos(),
        };
        let construct = self.body.constructs.push(data);
        self.construct = Some(construct);
        let entry = self.new_block();
        self.body.constructs[construct].entry = entry;
        self.at().jump(entry);
        self.block = entry;
        self.statements(depth);
        self.at().jump(exit);
        self.block = exit;
        self.construct = None;
    }

    // Operands and clauses.

    fn local(&mut self, ty: Type) -> Local {
        let index = Type::ALL.iter().position(|other| *other == ty).unwrap_or(0);
        Local::from_u32((index + if self.random.coin() { Type::ALL.len() } else { 0 }) as u32)
    }

    fn value(&mut self, ty: Type) -> Operand {
        let local = Operand::Local(self.local(ty));
        if self.random.below(3) == 0 {
            return local;
        }
        match ty {
            Type::I1 => Operand::bool(self.random.coin()),
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => {
                Operand::Int(ty, self.random.int(ty.bytes() * 8))
            }
            Type::F32 => Operand::F32(self.random.next() as u32),
            Type::F64 => Operand::F64(self.random.next()),
            Type::Ptr => match self.random.below(5) {
                0 => Operand::NULL,
                1 => Operand::Slot(Slot::from_u32(self.random.below(3))),
                2 => Operand::Global(Global::from_u32(self.random.below(4))),
                3 => Operand::Func(Func::from_u32(self.random.below(4))),
                _ => Operand::Int(Type::Ptr, self.random.int(64)),
            },
            Type::F80
            | Type::C32
            | Type::C64
            | Type::I8x16
            | Type::I16x8
            | Type::I32x4
            | Type::I64x2
            | Type::F32x4
            | Type::F64x2 => local,
        }
    }

    fn optional(&mut self, ty: Type) -> Option<Operand> {
        if self.random.coin() { Some(self.value(ty)) } else { None }
    }

    fn address(&mut self) -> Address {
        let offset = if self.random.coin() { 0 } else { self.random.int(64) };
        Address { base: self.value(Type::Ptr), offset }
    }

    fn access(&mut self) -> Access {
        let align = 1 << self.random.below(5);
        let space = *self.random.pick(Space::ALL);
        Access { align, space, volatile: self.random.coin(), typed: self.random.coin() }
    }

    fn variable(&mut self) -> Operand {
        match self.random.below(3) {
            0 => Operand::Slot(Slot::from_u32(1)),
            1 => Operand::Global(Global::from_u32(1)),
            _ => Operand::Local(self.local(Type::I32)),
        }
    }

    fn private_var(&mut self) -> PrivateVar {
        let var = self.variable();
        PrivateVar {
            name: self.random.name(),
            var,
            bytes: self.random.next(),
            align: 4,
            implicit: self.random.coin(),
            pos: self.random.pos(),
        }
    }

    fn reduction_clause(&mut self) -> ReductionClause {
        let ty = *self.random.pick(&[Type::I8, Type::I64, Type::I128]);
        let count = self.random.coin().then(|| Operand::Local(self.local(Type::I64)));
        let ty = RedType { ty, signed: self.random.coin(), boolean: ty == Type::I8 && self.random.coin() };
        let (var, parts) = match count {
            None => (self.local(ty.ty), vec![ReductionPart { offset: 0, ty, count }]),
            Some(_) => {
                let part = ReductionPart { offset: self.random.int(64), ty, count };
                (self.local(Type::Ptr), vec![part; 1 + self.random.below(3) as usize])
            }
        };
        ReductionClause {
            op: self.reduction_op(ty),
            name: self.body.locals[var].name.clone().unwrap_or_else(|| self.random.name()),
            var: Operand::Local(var),
            pointee: count.is_some(),
            lower: count,
            parts,
            pos: self.random.pos(),
        }
    }

    fn directive(&mut self) -> LoopDirective {
        let gang = GangClause {
            num: self.optional(Type::I32),
            static_: if self.random.coin() { Some(self.optional(Type::I64)) } else { None },
            dim: 1 + self.random.below(3) as u8,
        };
        let levels = [vec![], vec![Level::Unassigned, Level::Unassigned], vec![Level::Gang, Level::Vector]];
        LoopDirective {
            kind: *self.random.pick(LoopKind::ALL),
            gang: self.random.coin().then_some(gang),
            worker: if self.random.coin() { Some(self.optional(Type::I32)) } else { None },
            vector: if self.random.coin() { Some(self.optional(Type::I32)) } else { None },
            collapse: 1 + self.random.below(3),
            collapse_force: self.random.coin(),
            in_order: self.random.coin(),
            at_once: 1 + self.random.below(3),
            team: match self.random.coin() {
                true => Some((0..self.random.below(3)).map(|_| self.value(Type::Ptr)).collect()),
                false => None,
            },
            tile: (0..self.random.below(3)).map(|_| self.optional(Type::I32)).collect(),
            private: (0..self.random.below(3)).map(|_| self.private_var()).collect(),
            reductions: (0..self.random.below(3)).map(|_| self.reduction_clause()).collect(),
            scans: (0..self.random.below(2)).map(|_| self.reduction_clause()).collect(),
            levels: self.random.pick(&levels).clone(),
            pos: self.random.pos(),
        }
    }

    fn scheduling(&mut self) -> Scheduling {
        let wait = Wait {
            present: true,
            devnum: self.optional(Type::I32),
            queues: (0..self.random.below(3)).map(|_| self.value(Type::I32)).collect(),
        };
        let async_ = match self.random.below(4) {
            0 => Async::Sync,
            1 => Async::Default,
            2 => Async::OfData,
            _ => Async::Queue(self.value(Type::I32)),
        };
        let device = match self.random.below(3) {
            0 => Device::Current,
            1 => Device::Default,
            _ => Device::Number(self.value(Type::I32)),
        };
        Scheduling {
            device,
            if_: self.optional(Type::I1),
            self_: self.optional(Type::I1),
            async_,
            wait: if self.random.coin() { wait } else { Wait::default() },
            task: self.random.coin().then(|| Box::new(self.task_clauses())),
        }
    }

    fn task_clauses(&mut self) -> TaskClauses {
        let (depends, event) = (self.value(Type::Ptr), self.value(Type::Ptr));
        let (flags, priority) = (self.value(Type::I32), self.value(Type::I32));
        TaskClauses { depends, count: self.value(Type::I64), flags, priority, event }
    }

    fn dims(&mut self) -> Dims {
        let gangs = [(); 3].map(|()| self.optional(Type::I32));
        let (workers, vector) = (self.optional(Type::I32), self.optional(Type::I32));
        let present = [gangs.iter().any(Option::is_some), workers.is_some(), vector.is_some()];
        let pos = present.map(|present| if present { self.random.pos() } else { Pos::none() });
        let bound = *self.random.pick(ThreadBound::ALL);
        let clauses = *self.random.pick(&[SizeClauses::OpenAcc, SizeClauses::OpenMp(bound)]);
        Dims { gangs, workers, vector, pos, clauses }
    }

    fn maps(&mut self) -> Vec<DataMap> {
        (0..1 + self.random.below(2)).map(|_| self.map()).collect()
    }

    fn map(&mut self) -> DataMap {
        let mut rows = None;
        for _ in 0..self.random.below(3) {
            let (lower, bytes) = (self.value(Type::I64), self.value(Type::I64));
            rows = Some(RowSection { lower, bytes, strides: self.strides(), rows: rows.map(Box::new) });
        }
        let modifiers = MapModifiers {
            zero: self.random.coin(),
            readonly: self.random.coin(),
            always_in: self.random.coin(),
            always_out: self.random.coin(),
            capture: self.random.coin(),
            read_later: self.random.coin(),
            by_use: self.random.coin(),
            required: self.random.coin(),
            finalize: self.random.coin(),
        };
        DataMap {
            kind: *self.random.pick(MapKind::ALL),
            modifiers,
            implicit: self.random.coin(),
            name: self.random.name(),
            var: if self.random.coin() { Some(self.variable()) } else { None },
            start: self.value(Type::Ptr),
            bytes: self.value(Type::I64),
            strides: self.strides(),
            pointer_bias: self.optional(Type::I64),
            pointer_at: if self.random.coin() { Some(self.address()) } else { None },
            rows,
            elements: if self.random.coin() { Some(Arc::new(self.elements())) } else { None },
            members: (0..self.random.below(3)).map(|_| self.member()).collect(),
            pos: self.random.pos(),
        }
    }

    fn member(&mut self) -> Member {
        let (offset, bytes) = (self.random.below(64).into(), 1 + u64::from(self.random.below(64)));
        Member { name: self.random.name(), offset, bytes, maybe: self.random.coin() }
    }

    fn strides(&mut self) -> Vec<Stride> {
        let count = self.random.below(3);
        (0..count).map(|_| Stride { count: self.value(Type::I64), distance: self.value(Type::I64) }).collect()
    }

    fn elements(&mut self) -> Elements {
        let part = |random: &mut Random| ElementPart {
            offset: random.below(64).into(),
            ty: RedType {
                ty: *random.pick(&[Type::I8, Type::I64, Type::F32, Type::F80, Type::Ptr]),
                signed: random.coin(),
                boolean: random.coin(),
            },
            count: u64::from(random.below(3)),
        };
        let parts = (0..self.random.below(3)).map(|_| part(self.random)).collect();
        Elements { bytes: 1 + u64::from(self.random.below(64)), parts }
    }

    // Operations.

    fn op(&mut self) -> Op {
        match self.random.below(5) {
            0 => self.arithmetic(),
            1 => self.memory(),
            2 => self.atomic(),
            3 => self.control(),
            _ if self.is_region() => self.device(),
            _ => self.host(),
        }
    }

    fn arithmetic(&mut self) -> Op {
        let ints = [Type::I8, Type::I16, Type::I32, Type::I64, Type::I128];
        let floats = [Type::F32, Type::F64, Type::F80, Type::F32x4, Type::F64x2];
        let (int, float, any) =
            (*self.random.pick(&ints), *self.random.pick(&floats), *self.random.pick(&Type::ALL));
        match self.random.below(11) {
            0 => Op::Copy { dst: self.local(any), src: self.value(any) },
            1 => {
                let op = *self.random.pick(&[UnaryOp::Neg, UnaryOp::Not, UnaryOp::Clz, UnaryOp::Bswap]);
                Op::Unary { dst: self.local(int), op, src: self.value(int) }
            }
            2 => {
                let op = *self.random.pick(&[UnaryOp::Sqrt, UnaryOp::Floor, UnaryOp::Trunc, UnaryOp::Neg]);
                Op::Unary { dst: self.local(float), op, src: self.value(float) }
            }
            3 => {
                let op = *self.random.pick(&[BinaryOp::Add, BinaryOp::SDiv, BinaryOp::Xor, BinaryOp::UMax]);
                Op::Binary { dst: self.local(int), op, a: self.value(int), b: self.value(int) }
            }
            4 => {
                let op =
                    *self.random.pick(&[BinaryOp::Mul, BinaryOp::FDiv, BinaryOp::FMin, BinaryOp::CopySign]);
                Op::Binary { dst: self.local(float), op, a: self.value(float), b: self.value(float) }
            }
            5 => {
                let amount = *self.random.pick(&ints);
                Op::Binary {
                    dst: self.local(int),
                    op: BinaryOp::AShr,
                    a: self.value(int),
                    b: self.value(amount),
                }
            }
            6 => {
                let dst = self.local(Type::I1);
                let op = *self.random.pick(&[CmpOp::Eq, CmpOp::Lt, CmpOp::UGe]);
                Op::Compare { dst, op, a: self.value(int), b: self.value(int) }
            }
            7 => Op::Convert { dst: self.local(Type::I128), op: ConvertOp::SExt, src: self.value(Type::I64) },
            8 => {
                let ty = *self.random.pick(&[Type::F32, Type::F64, Type::F32x4, Type::F64x2]);
                let dst = self.local(ty);
                Op::Fma { dst, a: self.value(ty), b: self.value(ty), c: self.value(ty) }
            }
            9 => {
                let (dst, cond) = (self.local(any), self.value(Type::I1));
                Op::Select { dst, cond, a: self.value(any), b: self.value(any) }
            }
            _ => {
                let of = *self.random.pick(&[Type::I32, Type::I64]);
                let (dst, base, index) = (self.local(Type::Ptr), self.value(Type::Ptr), self.value(of));
                let (scale, offset) = (self.random.int(64), self.random.int(64));
                let extent = NonZeroU32::new(2 + self.random.below(100)).filter(|_| self.random.coin());
                Op::Index { dst, base, index, scale, offset, extent }
            }
        }
    }

    fn memory_type(&mut self) -> Type {
        // Not the truth value, which comes first.
        *self.random.pick(&Type::ALL[1..])
    }

    fn memory(&mut self) -> Op {
        let ty = self.memory_type();
        match self.random.below(4) {
            0 => Op::Load { dst: self.local(ty), addr: self.address(), access: self.access() },
            1 => Op::Store { ty, addr: self.address(), src: self.value(ty), access: self.access() },
            2 => {
                let (dst, src) = (self.address(), self.address());
                Op::MemCopy { dst, src, bytes: self.value(Type::I64), align: 8 }
            }
            _ => {
                let (dst, value) = (self.address(), self.value(Type::I8));
                Op::MemSet { dst, value, bytes: self.value(Type::I64), align: 1 }
            }
        }
    }

    fn atomic(&mut self) -> Op {
        let ty = *self.random.pick(&[Type::I8, Type::I32, Type::I64]);
        let addr = self.address();
        let dst = if self.random.coin() { Some(self.local(ty)) } else { None };
        match self.random.below(6) {
            0 => {
                let op = *self.random.pick(&[BinaryOp::Add, BinaryOp::Shl, BinaryOp::SMin]);
                let (reversed, result_new) = (self.random.coin(), self.random.coin());
                Op::AtomicRmw { dst, op, ty, addr, value: self.value(ty), reversed, result_new }
            }
            1 => Op::AtomicSwap { dst, ty, addr, value: self.value(ty) },
            2 => {
                let expected = self.value(ty);
                Op::AtomicCas { dst: self.local(ty), ty, addr, expected, desired: self.value(ty) }
            }
            3 => Op::AtomicLoad { dst: self.local(ty), addr },
            4 => Op::AtomicStore { ty, addr, src: self.value(ty) },
            _ => Op::Fence,
        }
    }

    fn control(&mut self) -> Op {
        let ptr = self.value(Type::Ptr);
        let dst = self.local(Type::Ptr);
        match self.random.below(14) {
            0 => Op::StackAlloc { dst, bytes: self.value(Type::I64), align: 16, each: self.random.coin() },
            1 => Op::StackSave { dst, each: self.random.coin() },
            2 => Op::StackRestore { saved: ptr, each: self.random.coin() },
            3 => Op::VaStart { list: ptr },
            4 => Op::VaArg { dst: self.local(Type::F80), list: ptr },
            5 => Op::VaArgAggregate { dst, list: ptr, agg: Agg::from_u32(0) },
            6 => Op::VaCopy { dst: ptr, src: self.value(Type::Ptr) },
            7 => Op::FrameAddress { dst, level: self.random.below(3), return_address: self.random.coin() },
            8 => Op::ExtractLane { dst: self.local(Type::I64), src: self.value(Type::I64x2), lane: 1 },
            9 => {
                let (dst, src) = (self.local(Type::I32x4), self.value(Type::I32x4));
                Op::InsertLane { dst, src, value: self.value(Type::I32), lane: self.random.below(4) as u8 }
            }
            12 => {
                let (dst, src) = (self.local(Type::I32x4), self.value(Type::I16x8));
                let half = self.random.below(2) as u8;
                Op::Widen { dst, src, half, signed: self.random.coin() }
            }
            13 => {
                let (a, b) = (self.value(Type::I16x8), self.value(Type::I16x8));
                Op::Narrow { dst: self.local(Type::I8x16), a, b, signed: self.random.coin() }
            }
            10 => {
                let args =
                    [Type::I8, Type::F64, Type::Ptr, Type::I16, Type::F32].map(|ty| self.value(ty)).to_vec();
                let dst = if self.random.coin() { Some(self.local(Type::I32)) } else { None };
                Op::Call {
                    dst,
                    callee: Callee::Direct(Func::from_u32(3)),
                    sig: Sig::from_u32(MIXED),
                    args,
                    dest: None,
                }
            }
            _ => {
                let dest = Some(self.value(Type::Ptr));
                Op::Call {
                    dst: None,
                    callee: Callee::Indirect(ptr),
                    sig: Sig::from_u32(AGGREGATE),
                    args: vec![],
                    dest,
                }
            }
        }
    }

    fn host(&mut self) -> Op {
        if self.construct.is_none() && self.random.coin() {
            let maps = self.maps();
            let first =
                if self.random.coin() { LaunchArg::Map(0) } else { LaunchArg::Value(self.value(Type::Ptr)) };
            let args = vec![first, LaunchArg::Value(self.value(Type::I64))];
            let (dims, scheduling) = (self.dims(), self.scheduling());
            let fused = u32::from(self.random.coin());
            let launch = Launch { region: Func::from_u32(2), maps, args, dims, scheduling, fused };
            return Op::Launch(Box::new(launch));
        }
        let kind = match *self.random.pick(&super::names::DATA_KINDS) {
            DataKind::Exit { .. } => DataKind::Exit { finalize: self.random.coin() },
            DataKind::Update { .. } => DataKind::Update { if_present: self.random.coin() },
            DataKind::HostDataBegin { .. } => DataKind::HostDataBegin { if_present: self.random.coin() },
            other => other,
        };
        let maps = self.maps();
        let wanted = if matches!(kind, DataKind::HostDataBegin { .. }) { maps.len() } else { 0 };
        Op::Data(Box::new(DataOp {
            kind,
            device_addresses: (0..wanted).map(|_| self.local(Type::Ptr)).collect(),
            maps,
            scheduling: self.scheduling(),
            device_type: self.optional(Type::I32),
            device_num: self.optional(Type::I32),
            default_async: self.optional(Type::I32),
        }))
    }

    fn device(&mut self) -> Op {
        let level = *self.random.pick(Level::ALL);
        match (self.random.below(10), self.loop_) {
            (0, Some(loop_)) => {
                let share = *self.random.pick(LoopShare::ALL);
                Op::LoopShare { dst: self.local(Type::I64), share, loop_, trip: self.value(Type::I64) }
            }
            (3, _) => Op::Barrier { level },
            (9, _) => Op::Meet { dst: self.local(Type::I1), any: self.value(Type::I1) },
            (6, _) => Op::LastGang { dst: self.local(Type::I1) },
            (7, _) => {
                let slot = Operand::Slot(Slot::from_u32(0));
                Op::Instance { dst: self.local(Type::Ptr), slot, gang: self.value(Type::I32) }
            }
            (8, _) => {
                let (dst, src) = (self.local(Type::I32), self.value(Type::I32));
                Op::LaneReduce { dst, op: *self.random.pick(BinaryOp::ALL), src }
            }
            (5, _) => Op::OnDevice { dst: self.local(Type::I1), device: self.value(Type::I32) },
            (4, _) => {
                let ty = *self.random.pick(&[Type::I32, Type::F64]);
                let mode = *self.random.pick(ShuffleMode::ALL);
                Op::Shuffle { dst: self.local(ty), src: self.value(ty), by: self.value(Type::I32), mode }
            }
            (1, _) => Op::DimSize { dst: self.local(Type::I32), level },
            _ => Op::DimPos { dst: self.local(Type::I64), level },
        }
    }
}
