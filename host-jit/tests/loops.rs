//! Loops give the same results after the passes that make them fast, whatever their bounds and wherever their
//! arrays are.

mod support;

use accrue_host_jit::{CompileMode, OptLevel, Options, Program, Roots, Symbols, compile};
use accrue_ir::builder::Cursor;
use accrue_ir::passes::rotate;
use accrue_ir::passes::vectorize::{self, Order};
use accrue_ir::*;
use std::sync::Arc;
use support::*;

/// `for (iv = init; iv cmp bound; iv += step)`.
#[derive(Clone, Copy)]
struct Count {
    iv: Type,
    cmp: CmpOp,
    step: i64,
}

const UP: Count = Count { iv: Type::I64, cmp: CmpOp::Lt, step: 1 };

/// Writes a loop; the cursor ends up behind it.
fn counted(
    c: &mut Cursor<'_>,
    count: Count,
    init: Operand,
    bound: Operand,
    reductions: Vec<ReductionClause>,
    inside: impl FnOnce(&mut Cursor<'_>, Operand),
) {
    let iv = c.temp(count.iv);
    let preheader = c.block;
    let loop_ = c.body.loops.next_key();
    let parent = c.body.blocks[preheader].loop_;
    let [header, first, exit] = [(); 3].map(|()| c.body.block());
    for block in [header, first] {
        c.body.blocks[block].loop_ = Some(loop_);
    }
    c.body.blocks[exit].loop_ = parent;
    c.assign(iv, init);
    c.jump(header);
    c.switch_to(header);
    let more = c.compare(count.cmp, Operand::Local(iv), bound);
    c.branch(more, first, exit);
    c.switch_to(first);
    let directive = (!reductions.is_empty())
        .then(|| LoopDirective { reductions, ..LoopDirective::new(LoopKind::Default, Pos::none()) });
    let pos = c.pos;
    c.body.loops.push(LoopData {
        parent,
        preheader,
        header,
        body: first,
        latch: first,
        exit,
        induction: None,
        directive,
        pos,
    });
    inside(c, Operand::Local(iv));
    let latch = c.block;
    let next = c.add(Operand::Local(iv), Operand::Int(count.iv, count.step));
    c.assign(iv, next);
    c.jump(header);
    c.body.loops[loop_].latch = latch;
    c.switch_to(exit);
}

fn clause(op: ReductionOp, ty: Type, local: Local) -> ReductionClause {
    let ty = RedType { ty, signed: true, boolean: false };
    let parts = vec![ReductionPart { offset: 0, ty, count: None }];
    ReductionClause {
        op,
        name: "s".into(),
        var: Operand::Local(local),
        pointee: false,
        lower: None,
        parts,
        pos: Pos::none(),
    }
}

fn load(c: &mut Cursor<'_>, ty: Type, base: Operand, index: Operand) -> Operand {
    load_at(c, ty, base, index, 0)
}

fn load_at(c: &mut Cursor<'_>, ty: Type, base: Operand, index: Operand, offset: i64) -> Operand {
    let size = i64::from(ty.bytes());
    let at = c.index(base, index, size, offset * size);
    c.load(ty, Address::at(at))
}

fn store(c: &mut Cursor<'_>, base: Operand, index: Operand, value: Operand) {
    let ty = c.body.operand_type(value);
    let at = c.index(base, index, i64::from(ty.bytes()), 0);
    c.store(Address::at(at), value);
}

/// A kernel before and after the passes.
struct Pair {
    plain: Program,
    fast: Program,
}

const KERNEL: &str = "kernel";

impl Pair {
    /// Of a kernel with these parameters; `new` says whether code is to be added.
    fn new(
        params: &[Type],
        result: Option<Type>,
        new: bool,
        build: impl FnOnce(&mut Cursor<'_>, &[Operand]),
    ) -> Pair {
        let mut b = Builder::new();
        let params: Vec<PassBy> = params.iter().map(|&ty| scalar(ty)).collect();
        let sig = b.sig(&params, result.map(scalar), false);
        let func = b.define(KERNEL, sig, build);
        let plain = b.module.clone();
        let mut body = b.module.functions[func].body.take().expect("a body");
        let blocks = body.order.len();
        vectorize::rewrite(&b.module.functions[func], &mut body, Order::OfC);
        assert_eq!(body.order.len() > blocks, new, "code was added");
        rotate::rewrite(&mut body);
        b.module.functions[func].body = Some(body);
        if let Err(errors) = verify::verify(&b.module, "rotate") {
            panic!("{errors}");
        }
        let text = text::print(&b.module);
        assert_eq!(text::print(&text::parse(&text).expect("the text form reads back")), text);
        if std::env::var_os("SHOW").is_some() {
            println!("{text}\n{}", accrue_host_jit::clif(&verified(b.module.clone()), None));
        }
        let compile = |module| {
            let options = Options {
                opt: OptLevel::Speed,
                mode: CompileMode::Lazy,
                verify: true,
                roots: Roots::All,
                ..Options::default()
            };
            compile(Arc::new(verified(module)), &options, Symbols::default()).expect("the kernel compiles")
        };
        Pair { plain: compile(plain), fast: compile(b.module) }
    }
}

const TRIPS: [i64; 16] = [-5, 0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 1025];

fn doubles(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 7919 + 13) % 1009) as f64 / 64.0 - 7.5).collect()
}

/// Runs a kernel `(f64 *x, f64 *y, i64 n) -> f64` both ways.
fn reduce(pair: &Pair, x: &[f64], y: &[f64], n: i64) -> (f64, f64) {
    type Kernel = extern "C" fn(*const f64, *const f64, i64) -> f64;
    let [plain, fast] =
        [&pair.plain, &pair.fast].map(|p| call!(p, KERNEL, Kernel, x.as_ptr(), y.as_ptr(), n));
    (plain, fast)
}

/// A kernel that folds `item` over `0..n`.
fn fold_kernel(
    op: ReductionOp,
    start: f64,
    step: impl Fn(&mut Cursor<'_>, Local, &[Operand], Operand),
    with_clause: bool,
    new: bool,
) -> Pair {
    Pair::new(&[Type::Ptr, Type::Ptr, Type::I64], Some(Type::F64), new, |c, args| {
        let s = c.temp(Type::F64);
        c.assign(s, Operand::f64(start));
        let clauses = if with_clause { vec![clause(op, Type::F64, s)] } else { Vec::new() };
        counted(c, UP, i64c(0), args[2], clauses, |c, i| step(c, s, args, i));
        c.ret(Some(Operand::Local(s)));
    })
}

fn accumulate(c: &mut Cursor<'_>, op: BinaryOp, s: Local, value: Operand) {
    let next = c.binary(op, Operand::Local(s), value);
    c.assign(s, next);
}

fn i64c(value: i64) -> Operand {
    Operand::Int(Type::I64, value)
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

#[test]
fn sums_and_dots() {
    let x = doubles(1100);
    let y: Vec<f64> = doubles(1101)[1..].to_vec();
    let sum = |c: &mut Cursor<'_>, s, args: &[Operand], i| {
        let value = load(c, Type::F64, args[0], i);
        accumulate(c, BinaryOp::Add, s, value);
    };
    let dot = |c: &mut Cursor<'_>, s, args: &[Operand], i| {
        let (a, b) = (load(c, Type::F64, args[0], i), load(c, Type::F64, args[1], i));
        let product = c.mul(a, b);
        accumulate(c, BinaryOp::Add, s, product);
    };
    let strided = |c: &mut Cursor<'_>, s, args: &[Operand], i| {
        let twice = c.mul(i, i64c(2));
        let value = load(c, Type::F64, args[0], twice);
        accumulate(c, BinaryOp::Add, s, value);
    };
    let pairs = [
        fold_kernel(ReductionOp::Add, 0.5, sum, true, true),
        fold_kernel(ReductionOp::Add, 0.5, dot, true, true),
    ];
    for n in TRIPS {
        for pair in &pairs {
            let (plain, fast) = reduce(pair, &x, &y, n);
            assert!(close(plain, fast), "{n} iterations: {plain} {fast}");
        }
    }
    let pair = fold_kernel(ReductionOp::Add, 0.5, strided, true, true);
    for n in TRIPS.into_iter().filter(|n| *n < 500) {
        let (plain, fast) = reduce(&pair, &x, &y, n);
        assert!(close(plain, fast), "{n} iterations: {plain} {fast}");
    }
    // Without a clause the order stands.
    fold_kernel(ReductionOp::Add, 0.5, sum, false, false);
    // Sums of negative zeros keep the sign.
    let zeros = vec![-0.0; 64];
    let pair = fold_kernel(ReductionOp::Add, -0.0, sum, true, true);
    let (plain, fast) = reduce(&pair, &zeros, &zeros, 64);
    assert_eq!((plain.to_bits(), fast.to_bits()), ((-0.0f64).to_bits(), (-0.0f64).to_bits()));
}

#[test]
fn products() {
    let x: Vec<f64> = doubles(1100).iter().map(|v| 1.0 + v / 1000.0).collect();
    let product = |c: &mut Cursor<'_>, s, args: &[Operand], i| {
        let value = load(c, Type::F64, args[0], i);
        accumulate(c, BinaryOp::Mul, s, value);
    };
    let pair = fold_kernel(ReductionOp::Mul, 2.0, product, true, true);
    for n in TRIPS {
        let (plain, fast) = reduce(&pair, &x, &x, n);
        assert!(close(plain, fast), "{n} iterations: {plain} {fast}");
    }
}

#[test]
fn extremes_are_exact() {
    let selected = |cmp, item_first| {
        move |c: &mut Cursor<'_>, s: Local, args: &[Operand], i: Operand| {
            let value = load(c, Type::F64, args[0], i);
            let s_now = Operand::Local(s);
            let (a, b) = if item_first { (value, s_now) } else { (s_now, value) };
            let cond = c.compare(cmp, a, b);
            let next = c.select(cond, value, s_now);
            c.assign(s, next);
        }
    };
    let by_number = |op| {
        move |c: &mut Cursor<'_>, s: Local, args: &[Operand], i: Operand| {
            let value = load(c, Type::F64, args[0], i);
            accumulate(c, op, s, value);
        }
    };
    let mut inputs =
        vec![doubles(70), vec![f64::NAN; 70], vec![f64::NEG_INFINITY; 70], vec![f64::INFINITY; 70]];
    for at in [0, 1, 7, 31, 32, 65] {
        for (value, fill) in
            [(f64::NAN, 1.0), (0.0, -0.0), (-0.0, 0.0), (0.0, -1.0), (-0.0, 1.0), (3.0, f64::NAN)]
        {
            let mut x = vec![fill; 70];
            x[at] = value;
            inputs.push(x);
        }
    }
    for start in [f64::NEG_INFINITY, f64::INFINITY, 0.0, -0.0, f64::NAN, 1.0] {
        let pairs = [
            fold_kernel(ReductionOp::Max, start, selected(CmpOp::Gt, true), false, true),
            fold_kernel(ReductionOp::Max, start, selected(CmpOp::Ge, true), false, true),
            fold_kernel(ReductionOp::Max, start, selected(CmpOp::Lt, false), false, true),
            fold_kernel(ReductionOp::Min, start, selected(CmpOp::Lt, true), false, true),
            fold_kernel(ReductionOp::Min, start, selected(CmpOp::Gt, false), false, true),
            fold_kernel(ReductionOp::Max, start, by_number(BinaryOp::FMax), false, true),
            fold_kernel(ReductionOp::Min, start, by_number(BinaryOp::FMin), false, true),
        ];
        for (kernel, pair) in pairs.iter().enumerate() {
            for (input, x) in inputs.iter().enumerate() {
                for n in [0, 1, 7, 8, 32, 33, 70] {
                    let (plain, fast) = reduce(pair, x, x, n);
                    let same = plain.to_bits() == fast.to_bits() || plain.is_nan() && fast.is_nan();
                    assert!(
                        same,
                        "kernel {kernel}, start {start}, input {input}, {n} iterations: {plain} {fast}"
                    );
                }
            }
        }
    }
}

#[test]
fn conditional_counts() {
    type Kernel = extern "C" fn(*const f64, *const f64, i64) -> i64;
    let x = doubles(1100);
    // With branches, as the front end writes it.
    let kernel = |element: Type, counter: Type, low: Operand, high: Operand| {
        Pair::new(&[Type::Ptr, Type::Ptr, Type::I64], Some(counter), true, |c, args| {
            let count = c.temp(counter);
            c.assign(count, Operand::Int(counter, 7));
            counted(c, UP, i64c(0), args[2], Vec::new(), |c, i| {
                let value = load(c, element, args[0], i);
                let above = c.compare(CmpOp::Gt, value, low);
                let [both, then, other, join] = [(); 4].map(|()| c.new_block());
                c.branch(above, both, join);
                c.switch_to(both);
                let value = load(c, element, args[0], i);
                let below = c.compare(CmpOp::Lt, value, high);
                c.branch(below, then, other);
                c.switch_to(then);
                accumulate(c, BinaryOp::Add, count, Operand::Int(counter, 1));
                c.jump(join);
                c.switch_to(other);
                accumulate(c, BinaryOp::Add, count, Operand::Int(counter, -3));
                c.jump(join);
                c.switch_to(join);
            });
            c.ret(Some(Operand::Local(count)));
        })
    };
    let ints: Vec<i32> = x.iter().map(|v| (v * 8.0) as i32).collect();
    let (low, high) = (Operand::f64(-2.25), Operand::f64(3.0));
    let (int_low, int_high) = (Operand::Int(Type::I32, -20), Operand::Int(Type::I32, 30));
    for n in TRIPS {
        for counter in [Type::I32, Type::I64] {
            for (pair, data) in [
                (kernel(Type::F64, counter, low, high), x.as_ptr()),
                (kernel(Type::I32, counter, int_low, int_high), ints.as_ptr().cast()),
            ] {
                let [plain, fast] =
                    [&pair.plain, &pair.fast].map(|p| call!(p, KERNEL, Kernel, data, data, n));
                let mask = if counter == Type::I32 { 0xffff_ffff } else { -1 };
                assert_eq!(plain & mask, fast & mask, "{n} iterations, {counter}");
            }
        }
    }
}

/// The comparisons and types a loop can count with; bounds at the ends of the type included.
#[test]
fn every_way_of_counting() {
    let cases = [
        (Type::I64, CmpOp::Lt, 1),
        (Type::I64, CmpOp::Le, 1),
        (Type::I64, CmpOp::ULt, 1),
        (Type::I64, CmpOp::Ne, 1),
        (Type::I64, CmpOp::Lt, 3),
        (Type::I64, CmpOp::Ge, -1),
        (Type::I64, CmpOp::Gt, -1),
        (Type::I64, CmpOp::Gt, -2),
        (Type::I32, CmpOp::Lt, 1),
        (Type::I32, CmpOp::Le, 1),
        (Type::I32, CmpOp::Le, 5),
        (Type::I32, CmpOp::ULt, 1),
        (Type::I32, CmpOp::Ne, 1),
        (Type::I32, CmpOp::Gt, -1),
        (Type::I32, CmpOp::Ge, -3),
    ];
    for (iv, cmp, step) in cases {
        // A checksum of the induction values.
        let pair = Pair::new(&[Type::Ptr, Type::I64, Type::I64], None, true, |c, args| {
            let narrow = |c: &mut Cursor<'_>, value| match iv {
                Type::I32 => c.convert(ConvertOp::Trunc, iv, value),
                _ => value,
            };
            let (init, bound) = (narrow(c, args[1]), narrow(c, args[2]));
            let product = c.temp(iv);
            c.assign(product, Operand::Int(iv, 1));
            counted(c, Count { iv, cmp, step }, init, bound, Vec::new(), |c, i| {
                let odd = c.binary(BinaryOp::Or, i, Operand::Int(iv, 1));
                accumulate(c, BinaryOp::Mul, product, odd);
            });
            store(c, args[0], i64c(0), Operand::Local(product));
            c.ret(None);
        });
        let (min, max) =
            if iv == Type::I32 { (i32::MIN.into(), i32::MAX.into()) } else { (i64::MIN, i64::MAX) };
        let lengths = [0, 1, 2, 3, 31, 33, 100];
        let mut bounds: Vec<(i64, i64)> =
            lengths.iter().map(|&n| if step > 0 { (5, 5 + n) } else { (5 + n, 5) }).collect();
        if cmp != CmpOp::Ne {
            bounds.extend([(100, 3), (3, 100), (-50, 50), (50, -50)]);
        }
        if matches!(cmp, CmpOp::Lt) {
            bounds.push((max - 40 * step, max - step));
        }
        if matches!(cmp, CmpOp::Gt) {
            bounds.push((min - 40 * step, min - step));
        }
        for (init, bound) in bounds {
            // Loops that run for very long in the unsigned sense are no test.
            if matches!(cmp, CmpOp::ULt) && (init < 0 || bound < 0) {
                continue;
            }
            let results = [&pair.plain, &pair.fast].map(|p| {
                let mut out = [0i64; 2];
                call!(p, KERNEL, extern "C" fn(*mut i64, i64, i64), out.as_mut_ptr(), init, bound);
                out
            });
            assert_eq!(results[0], results[1], "{iv} {cmp:?} {step} from {init} to {bound}");
        }
    }
}

/// `y[i + to] = a * x[i + from] + y[i + to]` and a stencil, with the arrays overlapping in every way.
#[test]
fn stores_keep_their_order() {
    type Kernel = extern "C" fn(*const f64, *mut f64, i64);
    let saxpy = Pair::new(&[Type::Ptr, Type::Ptr, Type::I64], None, true, |c, args| {
        counted(c, UP, i64c(0), args[2], Vec::new(), |c, i| {
            let x = load(c, Type::F64, args[0], i);
            let y = load(c, Type::F64, args[1], i);
            let scaled = c.mul(Operand::f64(1.5), x);
            let sum = c.add(scaled, y);
            store(c, args[1], i, sum);
        });
        c.ret(None);
    });
    let stencil = Pair::new(&[Type::Ptr, Type::Ptr, Type::I64], None, true, |c, args| {
        counted(c, UP, i64c(1), args[2], Vec::new(), |c, i| {
            let sides = [-1, 0, 1].map(|offset| load_at(c, Type::F64, args[0], i, offset));
            let sum = c.add(sides[0], sides[1]);
            let sum = c.add(sum, sides[2]);
            let third = c.mul(sum, Operand::f64(1.0 / 3.0));
            store(c, args[1], i, third);
        });
        c.ret(None);
    });
    // What an iteration stores the next one loads.
    let prefix = Pair::new(&[Type::Ptr, Type::Ptr, Type::I64], None, true, |c, args| {
        counted(c, UP, i64c(1), args[2], Vec::new(), |c, i| {
            let before = load_at(c, Type::F64, args[1], i, -1);
            let here = load(c, Type::F64, args[0], i);
            let sum = c.add(before, here);
            store(c, args[1], i, sum);
        });
        c.ret(None);
    });
    let start = doubles(400);
    for pair in [&saxpy, &stencil, &prefix] {
        for (x, y) in [
            (10, 200),
            (200, 10),
            (10, 10),
            (10, 11),
            (11, 10),
            (10, 12),
            (10, 13),
            (20, 10),
            (10, 40),
            (50, 10),
        ] {
            for n in [0, 1, 2, 3, 4, 5, 8, 31, 33, 100] {
                let results = [&pair.plain, &pair.fast].map(|p| {
                    let mut memory = start.clone();
                    let base = memory.as_mut_ptr();
                    // SAFETY: all accesses stay within the vector.
                    let (x, y) = unsafe { (base.add(x), base.add(y)) };
                    call!(p, KERNEL, Kernel, x, y, n);
                    memory.iter().map(|v| v.to_bits()).collect::<Vec<u64>>()
                });
                assert_eq!(results[0], results[1], "x at {x}, y at {y}, {n} iterations");
            }
        }
    }
}

/// Subscripts of 32 bits that wrap around address what they address.
#[test]
fn narrow_subscripts_may_wrap() {
    type Kernel = extern "C" fn(*const f64, i32, i32, i32) -> f64;
    let pair = Pair::new(&[Type::Ptr, Type::I32, Type::I32, Type::I32], Some(Type::F64), true, |c, args| {
        let s = c.temp(Type::F64);
        c.assign(s, Operand::f64(0.0));
        let clauses = vec![clause(ReductionOp::Add, Type::F64, s)];
        let count = Count { iv: Type::I32, cmp: CmpOp::Lt, step: 1 };
        counted(c, count, args[1], args[2], clauses, |c, i| {
            let sum = c.add(i, args[3]);
            let wide = c.convert(ConvertOp::ZExt, Type::I64, sum);
            let value = load(c, Type::F64, args[0], wide);
            accumulate(c, BinaryOp::Add, s, value);
        });
        c.ret(Some(Operand::Local(s)));
    });
    let x = doubles(200);
    // From -40 on the subscript is huge, and wraps to 0 after 40 iterations; those before must not be
    // executed.
    for (init, bound, more) in [(0, 33, 0), (0, 100, 50), (-10, 90, 10), (5, 5, 0)] {
        let [plain, fast] =
            [&pair.plain, &pair.fast].map(|p| call!(p, KERNEL, Kernel, x.as_ptr(), init, bound, more));
        assert!(close(plain, fast), "{init} {bound} {more}: {plain} {fast}");
    }
    // The subscript passes from the largest number to zero: the array has an element at either end.
    let around = |n: usize| n as u32 as usize;
    let size = (1usize << 32) * 8;
    // SAFETY: a private mapping without backing, touched at both ends only.
    let map = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if map == libc::MAP_FAILED {
        return;
    }
    let base = map.cast::<f64>();
    for n in 0..40 {
        // SAFETY: within the mapping.
        unsafe { base.add(around((1 << 32) - 20 + n)).write(n as f64) };
    }
    let [plain, fast] = [&pair.plain, &pair.fast].map(|p| call!(p, KERNEL, Kernel, base, 0, 40, -20));
    assert!(close(plain, fast), "{plain} {fast}");
    // SAFETY: mapped above.
    unsafe { libc::munmap(map, size) };
}

/// What is done again where an extreme is uncertain may not store; and a local that is assigned what it holds
/// is no obstacle.
#[test]
fn odd_bodies() {
    Pair::new(&[Type::Ptr, Type::Ptr, Type::I64], Some(Type::F64), false, |c, args| {
        let most = c.temp(Type::F64);
        c.assign(most, Operand::f64(0.0));
        counted(c, UP, i64c(0), args[2], Vec::new(), |c, i| {
            let value = load(c, Type::F64, args[1], i);
            let twice = c.add(value, value);
            store(c, args[1], i, twice);
            accumulate(c, BinaryOp::FMax, most, twice);
        });
        c.ret(Some(Operand::Local(most)));
    });
    let x = doubles(100);
    let scaled = Pair::new(&[Type::Ptr, Type::Ptr, Type::I64], Some(Type::F64), true, |c, args| {
        let (s, factor, other) = (c.temp(Type::F64), c.temp(Type::F64), c.temp(Type::F64));
        c.assign(s, Operand::f64(0.0));
        c.assign(factor, Operand::f64(1.5));
        counted(c, UP, i64c(0), args[2], vec![clause(ReductionOp::Add, Type::F64, s)], |c, i| {
            let value = load(c, Type::F64, args[0], i);
            c.assign(other, Operand::Local(factor));
            c.assign(factor, Operand::Local(other));
            let product = c.mul(value, Operand::Local(factor));
            accumulate(c, BinaryOp::Add, s, product);
        });
        c.ret(Some(Operand::Local(s)));
    });
    for n in TRIPS.into_iter().filter(|n| *n <= 100) {
        let (plain, fast) = reduce(&scaled, &x, &x, n);
        assert!(close(plain, fast), "{n} iterations: {plain} {fast}");
    }
    // A local that is read before it is written, on one side of a branch only.
    Pair::new(&[Type::Ptr, Type::Ptr, Type::I64], Some(Type::F64), false, |c, args| {
        let (s, lost) = (c.temp(Type::F64), c.temp(Type::F64));
        c.assign(s, Operand::f64(0.0));
        counted(c, UP, i64c(0), args[2], vec![clause(ReductionOp::Add, Type::F64, s)], |c, i| {
            let value = load(c, Type::F64, args[0], i);
            let above = c.compare(CmpOp::Gt, value, Operand::f64(0.25));
            let (then, join) = (c.new_block(), c.new_block());
            c.branch(above, then, join);
            c.switch_to(then);
            accumulate(c, BinaryOp::Add, lost, value);
            accumulate(c, BinaryOp::Add, s, Operand::Local(lost));
            c.jump(join);
            c.switch_to(join);
        });
        c.ret(Some(Operand::Local(s)));
    });
}

/// A 32-bit local compared as a sign-extended, unsigned number.
#[test]
fn mixed_signs_in_the_comparison() {
    type Kernel = extern "C" fn(*const f64, i32, i64) -> f64;
    let x = doubles(200);
    let pair = Pair::new(&[Type::Ptr, Type::I32, Type::I64], Some(Type::F64), true, |c, args| {
        let (s, iv) = (c.temp(Type::F64), c.temp(Type::I32));
        c.assign(s, Operand::f64(0.0));
        c.assign(iv, args[1]);
        let clauses = vec![clause(ReductionOp::Add, Type::F64, s)];
        // The loop's own local only counts along; its header is rewritten to compare the other.
        let count = Count { iv: Type::I32, cmp: CmpOp::Lt, step: 1 };
        let loop_ = c.body.loops.next_key();
        counted(c, count, args[1], Operand::Int(Type::I32, 0), clauses, |c, _| {
            let wide = c.convert(ConvertOp::SExt, Type::I64, Operand::Local(iv));
            let value = load(c, Type::F64, args[0], wide);
            accumulate(c, BinaryOp::Add, s, value);
            let next = c.add(Operand::Local(iv), Operand::Int(Type::I32, 1));
            c.assign(iv, next);
        });
        let exit = c.block;
        let (header, first) = (c.body.loops[loop_].header, c.body.loops[loop_].body);
        c.body.blocks[header].insts.clear();
        c.switch_to(header);
        let wide = c.convert(ConvertOp::SExt, Type::I64, Operand::Local(iv));
        let more = c.compare(CmpOp::ULt, wide, args[2]);
        c.branch(more, first, exit);
        c.switch_to(exit);
        c.ret(Some(Operand::Local(s)));
    });
    // SAFETY: the middle of the vector.
    let middle = unsafe { x.as_ptr().add(100) };
    for (init, bound) in [(0, 100), (0, 3), (5, 5), (-50, 50), (-50, -10), (-3, 100), (40, 20)] {
        let [plain, fast] = [&pair.plain, &pair.fast].map(|p| call!(p, KERNEL, Kernel, middle, init, bound));
        assert!(close(plain, fast), "{init} {bound}: {plain} {fast}");
    }
}
