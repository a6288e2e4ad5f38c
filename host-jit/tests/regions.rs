//! Compute constructs and data directives, from annotated IR through the passes to a runtime that this test
//! plays.

mod support;

use accrue_host_jit::{Gangs, HostTarget, Symbols};
use accrue_ir::builder::Cursor;
use accrue_ir::*;
use accrue_runtime::abi::{
    self, ABSENT, ASYNC_NOVAL, ASYNC_SYNC, ArgKind, DATA_SYMBOL, DIRECT_SYMBOL, DataDesc, LAUNCH_SYMBOL,
    LaunchDesc, MapDesc,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use support::*;

static GANGS: AtomicU64 = AtomicU64::new(1);
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// The log is one for all tests of this program.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn log(line: String) {
    LOG.lock().expect("unpoisoned").push(line);
}

fn log_taken() -> Vec<String> {
    std::mem::take(&mut LOG.lock().expect("unpoisoned"))
}

/// The values of a directive, in the order the descriptor fixes.
struct Values(*const u64);

impl Values {
    fn next(&mut self) -> u64 {
        // SAFETY: compiled code gives as many values as the descriptor says.
        unsafe {
            let value = *self.0;
            self.0 = self.0.add(1);
            value
        }
    }

    fn scheduling(&mut self) -> String {
        let [device, if_, self_, queue, devnum, count] = [(); 6].map(|()| self.next() as i64);
        let queues: Vec<i64> = (0..count).map(|_| self.next() as i64).collect();
        let device = if device == ABSENT { String::new() } else { format!("device {device} ") };
        format!("{device}if {if_} self {self_} queue {queue} devnum {devnum} wait {queues:?}")
    }
}

extern "C" fn launch(desc: *const LaunchDesc, values: *const u64) {
    // SAFETY: compiled code gives a descriptor and its values.
    let desc = unsafe { LaunchDesc::read(desc) };
    let mut values = Values(values);
    let scheduling = values.scheduling();
    let dims: Vec<u64> = (0..5).map(|_| values.next()).collect();
    let mut maps = Vec::new();
    for map in desc.maps() {
        let [start, bytes, bias, at] = [(); 4].map(|()| values.next());
        assert_eq!((map.strides, map.rows.list().len()), (0, 0), "no test has them");
        log(format!("map {:?} {} {bytes} bytes bias {bias} attach {}", map.kind(), map.name, at != 0));
        maps.push((start, bias));
    }
    let args: Vec<u64> = desc
        .args()
        .iter()
        .map(|arg| match arg.kind() {
            ArgKind::Address => maps[arg.map as usize].0,
            ArgKind::Pointer => maps[arg.map as usize].0 - maps[arg.map as usize].1,
            ArgKind::Value | ArgKind::PointerValue => values.next(),
        })
        .collect();
    log(format!("launch {:?} line {} {scheduling} dims {dims:?}", desc.kind(), desc.pos.line));
    let entry = desc.host_entry.expect("every region has host code");
    let gangs = GANGS.load(Ordering::Relaxed);
    for gang in 0..gangs {
        // SAFETY: one argument per parameter.
        unsafe { entry(args.as_ptr(), gang, gangs) };
    }
}

extern "C" fn data(desc: *const DataDesc, values: *const u64, addresses: *mut u64) {
    // SAFETY: compiled code gives a descriptor and its values.
    let desc = unsafe { DataDesc::read(desc) };
    let mut values = Values(values);
    let mut line = format!("{:?} flags {} {}", desc.kind(), desc.flags, values.scheduling());
    if matches!(desc.kind(), abi::DataKind::Set | abi::DataKind::Init | abi::DataKind::Shutdown) {
        for _ in 0..3 {
            let value = values.next() as i64;
            line += &if value == ABSENT { " absent".to_owned() } else { format!(" {value}") };
        }
    }
    for (index, map) in desc.maps().iter().enumerate() {
        let [start, bytes, bias, _] = [(); 4].map(|()| values.next());
        line += &format!(" {} {bytes} {bias} through {}", map.name, map.is(MapDesc::THROUGH_POINTER));
        if desc.kind() == abi::DataKind::HostDataBegin {
            // SAFETY: there is room for one address per map.
            unsafe { *addresses.add(index) = start + 1000 };
        }
    }
    log(line);
}

/// Whether constructs are calls of their regions.
static DIRECT: AtomicU32 = AtomicU32::new(0);

fn runtime() -> [(&'static str, *const u8); 3] {
    [
        (LAUNCH_SYMBOL, launch as *const u8),
        (DIRECT_SYMBOL, DIRECT.as_ptr().cast_const().cast()),
        (DATA_SYMBOL, data as *const u8),
    ]
}

const INT: RedType = RedType { ty: Type::I32, signed: true, boolean: false };

fn sum_of(var: Operand, count: Option<i64>) -> ReductionClause {
    let parts = vec![ReductionPart { offset: 0, ty: INT, count: count.map(i64c) }];
    ReductionClause {
        op: ReductionOp::Add,
        name: "x".into(),
        var,
        pointee: false,
        lower: None,
        parts,
        pos: Pos::none(),
    }
}

fn copy(name: &str, var: Operand, bytes: u64) -> DataMap {
    DataMap::whole(MapKind::Copy, name.into(), var, bytes, Pos::none())
}

/// What a test's construct looks like.
struct Shape {
    levels: Vec<Level>,
    on_loop: Vec<ReductionClause>,
    on_construct: Vec<ReductionClause>,
    contiguous: bool,
    async_: Async,
}

/// `#pragma acc parallel copy(x, seen) ...` around `for (i = 0; i < n; i++) inside(i)`; `before` stands ahead
/// of the loop.
fn construct(
    b: &mut Builder,
    maps: Vec<DataMap>,
    shape: Shape,
    before: impl FnOnce(&mut Cursor<'_>),
    inside: impl FnOnce(&mut Cursor<'_>, Operand),
) {
    let sig = b.sig(&[scalar(Type::I32)], None, false);
    b.define("f", sig, |c, args| {
        let bound = args[0];
        let construct = Construct::from_u32(0);
        let loop_ = Loop::from_u32(0);
        let [entry, preheader, header, body, latch, exit, out] = [(); 7].map(|()| c.body.block());
        for block in [entry, preheader, header, body, latch, exit] {
            c.body.blocks[block].construct = Some(construct);
        }
        for block in [header, body, latch] {
            c.body.blocks[block].loop_ = Some(loop_);
        }
        let i = c.temp(Type::I32);
        c.body.constructs.push(ConstructData {
            parent: None,
            kind: ConstructKind::Parallel,
            entry,
            exit: out,
            scheduling: Scheduling { async_: shape.async_, ..Scheduling::default() },
            dims: Dims { workers: Some(i32c(4)), ..Dims::default() },
            maps,
            private: Vec::new(),
            firstprivate: vec![PrivateVar {
                name: "n".into(),
                var: bound,
                bytes: 4,
                align: 4,
                implicit: false,
                pos: Pos::none(),
            }],
            fused: 0,
            reductions: shape.on_construct,
            pos: Pos { line: 30, ..c.pos },
        });
        c.body.loops.push(LoopData {
            parent: None,
            preheader,
            header,
            body,
            latch,
            exit,
            induction: Some(Induction { iv: i, init: i32c(0), bound, step: i32c(1), cmp: CmpOp::Lt }),
            directive: Some(LoopDirective {
                gang: shape.contiguous.then_some(GangClause { num: None, static_: Some(None), dim: 1 }),
                reductions: shape.on_loop,
                levels: shape.levels,
                ..LoopDirective::new(LoopKind::Independent, Pos::none())
            }),
            pos: Pos::none(),
        });
        c.jump(entry);
        c.switch_to(entry);
        before(c);
        c.jump(preheader);
        c.switch_to(preheader);
        c.assign(i, i32c(0));
        c.jump(header);
        c.switch_to(header);
        let more = c.compare(CmpOp::Lt, Operand::Local(i), bound);
        c.branch(more, body, exit);
        c.switch_to(body);
        inside(c, Operand::Local(i));
        c.jump(latch);
        c.switch_to(latch);
        let next = c.add(Operand::Local(i), i32c(1));
        c.assign(i, next);
        c.jump(header);
        c.switch_to(exit);
        c.jump(out);
        c.switch_to(out);
        c.ret(None);
    });
}

/// Runs the passes for one gang or several, and the result in every mode; gives `f(n)`'s effect on the
/// object.
fn run<const N: usize>(
    build: impl Fn() -> (Builder, Global),
    gangs: u64,
    n: i32,
    start: [i32; N],
    expected: [i32; N],
) {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    GANGS.store(gangs, Ordering::Relaxed);
    let (mut b, object) = build();
    b.lower(HostTarget::new(if gangs > 1 { Gangs::InTurn } else { Gangs::One }));
    // A way to the object.
    let sig = b.sig(&[], Some(scalar(Type::Ptr)), false);
    b.define("object", sig, |c, _| c.ret(Some(Operand::Global(object))));
    let table = runtime();
    b.each_with(Symbols { runtime: &table, ..Symbols::default() }, |program| {
        let object = call!(program, "object", extern "C" fn() -> *mut [i32; N]);
        for direct in 0..=u32::from(gangs == 1) {
            DIRECT.store(direct, Ordering::Relaxed);
            log_taken();
            // SAFETY: the object is an array of this size.
            unsafe { *object = start };
            call!(program, "f", extern "C" fn(i32), n);
            DIRECT.store(0, Ordering::Relaxed);
            // SAFETY: as above.
            assert_eq!(unsafe { *object }, expected, "{gangs} gangs");
            assert_eq!(log_taken().is_empty(), direct == 1, "{gangs} gangs");
        }
    });
}

fn add_to(c: &mut Cursor<'_>, object: impl Into<Address>, value: Operand) {
    let object = object.into();
    let old = c.load(Type::I32, object);
    let new = c.add(old, value);
    c.store(object, new);
}

#[test]
fn gang_loop_with_reduction() {
    for levels in
        [vec![Level::Gang], vec![Level::Gang, Level::Worker, Level::Vector], vec![Level::Vector], vec![]]
    {
        for contiguous in [false, true] {
            let build = || {
                let mut b = Builder::new();
                let x = b.global("x", 4, Init::Zero);
                let gang = levels.contains(&Level::Gang);
                let shape = Shape {
                    levels: levels.clone(),
                    on_loop: if levels.is_empty() { vec![] } else { vec![sum_of(Operand::Global(x), None)] },
                    on_construct: vec![],
                    contiguous: contiguous && gang,
                    async_: Async::Sync,
                };
                let maps = vec![copy("x", Operand::Global(x), 4)];
                construct(&mut b, maps, shape, |_| {}, |c, i| add_to(c, x, i));
                (b, x)
            };
            for n in [0, 1, 2, 10, 33] {
                let sum = n * (n - 1) / 2;
                run(build, 1, n, [100], [100 + sum]);
                if levels.contains(&Level::Gang) {
                    run(build, 3, n, [100], [100 + sum]);
                }
            }
        }
    }
}

/// `x = 123; parallel reduction(+:x) { x = 23; }` gives 146 with one gang: the private copy starts at the
/// identity.
#[test]
fn reduction_on_the_construct_that_assigns() {
    let build = || {
        let mut b = Builder::new();
        let x = b.global("x", 4, Init::Zero);
        let shape = Shape {
            levels: vec![],
            on_loop: vec![],
            on_construct: vec![sum_of(Operand::Global(x), None)],
            contiguous: false,
            async_: Async::Sync,
        };
        let maps = vec![copy("x", Operand::Global(x), 4)];
        construct(&mut b, maps, shape, |c| c.store(x, i32c(23)), |_, _| {});
        (b, x)
    };
    run(build, 1, 3, [123], [146]);
    run(build, 3, 3, [123], [123 + 3 * 23]);
}

#[test]
fn array_reduction() {
    for level in [Level::Gang, Level::Worker] {
        let build = || {
            let mut b = Builder::new();
            let x = b.global("x", 12, Init::Zero);
            let shape = Shape {
                levels: vec![level],
                on_loop: vec![sum_of(Operand::Global(x), Some(3))],
                on_construct: vec![],
                contiguous: false,
                async_: Async::Sync,
            };
            let maps = vec![copy("x", Operand::Global(x), 12)];
            let inside = |c: &mut Cursor<'_>, i: Operand| {
                let which = c.binary(BinaryOp::URem, i, i32c(3));
                let which = c.convert(ConvertOp::ZExt, Type::I64, which);
                let at = c.index(Operand::Global(x), which, 4, 0);
                add_to(c, Address::at(at), i);
            };
            construct(&mut b, maps, shape, |_| {}, inside);
            (b, x)
        };
        run(build, 1, 10, [100, 200, 300], [118, 212, 315]);
        if level == Level::Gang {
            run(build, 3, 10, [100, 200, 300], [118, 212, 315]);
        }
    }
}

/// Each iteration runs once, in the gang that `static` says.
#[test]
fn every_iteration_runs_once() {
    for contiguous in [false, true] {
        let build = || {
            let mut b = Builder::new();
            let seen = b.global("seen", 40, Init::Zero);
            let shape = Shape {
                levels: vec![Level::Gang],
                on_loop: vec![],
                on_construct: vec![],
                contiguous,
                async_: Async::Sync,
            };
            let maps = vec![copy("seen", Operand::Global(seen), 40)];
            let inside = |c: &mut Cursor<'_>, i: Operand| {
                let wide = c.convert(ConvertOp::SExt, Type::I64, i);
                let at = c.index(Operand::Global(seen), wide, 4, 0);
                let gang = c.dim_pos(Level::Gang);
                let gang = if c.body.operand_type(gang) == Type::I32 {
                    gang
                } else {
                    c.convert(ConvertOp::Trunc, Type::I32, gang)
                };
                let gang = c.add(gang, i32c(1));
                add_to(c, Address::at(at), gang);
            };
            construct(&mut b, maps, shape, |_| {}, inside);
            (b, seen)
        };
        run(build, 1, 10, [0; 10], [1; 10]);
        // Blocks, whatever the clause says, whose lengths differ by one.
        run(build, 3, 10, [0; 10], [1, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    }
}

#[test]
fn what_the_runtime_is_told() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    GANGS.store(1, Ordering::Relaxed);
    let mut b = Builder::new();
    let x = b.global("x", 4, Init::Zero);
    let async_ = Async::Default;
    let shape = Shape { levels: vec![], on_loop: vec![], on_construct: vec![], contiguous: false, async_ };
    construct(&mut b, vec![copy("x", Operand::Global(x), 4)], shape, |_| {}, |c, i| add_to(c, x, i));
    let sig = b.sig(&[scalar(Type::Ptr), scalar(Type::I32)], Some(scalar(Type::I64)), false);
    b.define("directives", sig, |c, args| {
        let none = DataOp {
            kind: DataKind::Wait,
            maps: vec![],
            device_addresses: vec![],
            scheduling: Scheduling::default(),
            device_type: None,
            device_num: None,
            default_async: None,
        };
        let condition = c.compare(CmpOp::Gt, args[1], i32c(0));
        c.data(DataOp {
            kind: DataKind::Update { if_present: true },
            maps: vec![DataMap {
                start: Operand::Local(local(args[0])),
                pointer_bias: Some(i64c(-8)),
                ..copy("p[-1:2]", Operand::Global(x), 16)
            }],
            scheduling: Scheduling {
                device: Device::Number(i32c(2)),
                if_: Some(condition),
                self_: None,
                async_: Async::Queue(args[1]),
                wait: Wait { present: true, devnum: Some(i32c(2)), queues: vec![i32c(-5), args[1]] },
                ..Scheduling::default()
            },
            ..none.clone()
        });
        c.data(DataOp { kind: DataKind::Set, device_num: Some(i32c(-3)), ..none.clone() });
        let address = c.temp(Type::Ptr);
        c.data(DataOp {
            kind: DataKind::HostDataBegin { if_present: false },
            maps: vec![copy("x", Operand::Global(x), 4)],
            device_addresses: vec![address],
            ..none
        });
        let address = c.convert(ConvertOp::Bits, Type::I64, Operand::Local(address));
        let base = c.convert(ConvertOp::Bits, Type::I64, Operand::Global(x));
        let distance = c.sub(address, base);
        c.ret(Some(distance));
    });
    b.lower(HostTarget::new(Gangs::One));
    let table = runtime();
    b.each_with(Symbols { runtime: &table, ..Symbols::default() }, |program| {
        log_taken();
        call!(program, "f", extern "C" fn(i32), 5);
        let expected = [
            "map Copy x 4 bytes bias 0 attach false".to_owned(),
            format!("launch Parallel line 30 if 1 self 0 queue {ASYNC_NOVAL} devnum -1 wait [] dims [0, 0, 0, 4, 0]"),
        ];
        assert_eq!(log_taken(), expected);
        let mut object = 0;
        let distance = call!(program, "directives", extern "C" fn(*mut i32, i32) -> i64, &mut object, 7);
        assert_eq!(distance, 1000);
        let expected = [
            "Update flags 5 device 2 if 1 self 0 queue 7 devnum 2 wait [-5, 7] p[-1:2] 16 -8 through true".to_owned(),
            format!("Set flags 0 if 1 self 0 queue {ASYNC_SYNC} devnum -1 wait [] absent -3 absent"),
            format!("HostDataBegin flags 0 if 1 self 0 queue {ASYNC_SYNC} devnum -1 wait [] x 4 0 through false"),
        ];
        let expected: Vec<String> = expected.into_iter().map(|line| line.replace(" -8 ", &format!(" {} ", -8_i64 as u64))).collect();
        assert_eq!(log_taken(), expected);
    });
}
