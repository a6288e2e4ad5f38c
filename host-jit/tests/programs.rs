//! What whole programs need: threads, callbacks, non-local jumps, thread-local objects, dynamic stack memory,
//! names.

mod support;

use accrue_host_jit::{CompileMode, Error, OptLevel, Options, Roots, Symbols, compile};
use accrue_ir::builder::Cursor;
use accrue_ir::*;
use std::ffi::c_void;
use std::sync::Arc;
use support::*;

fn frame_slot(c: &mut Cursor<'_>, size: u64, align: u32) -> Operand {
    let kind = SlotKind::Frame;
    Operand::Slot(c.body.slots.push(SlotData {
        size,
        align,
        name: None,
        restrict: false,
        kind,
        declared_in: None,
    }))
}

fn call(c: &mut Cursor<'_>, func: Func, sig: Sig, result: Type, args: Vec<Operand>) -> Operand {
    let dst = c.temp(result);
    c.op(Op::Call { dst: Some(dst), callee: Callee::Direct(func), sig, args, dest: None });
    Operand::Local(dst)
}

#[test]
fn library_calls_back() {
    let mut b = Builder::new();
    let compare_sig = b.sig(&[scalar(Type::Ptr), scalar(Type::Ptr)], Some(scalar(Type::I32)), false);
    let compare = b.define("compare", compare_sig, |c, args| {
        let (x, y) = (c.load(Type::I32, local(args[0])), c.load(Type::I32, local(args[1])));
        let more = c.compare(CmpOp::Gt, x, y);
        let less = c.compare(CmpOp::Lt, x, y);
        let more = c.convert(ConvertOp::ZExt, Type::I32, more);
        let less = c.convert(ConvertOp::ZExt, Type::I32, less);
        let result = c.sub(more, less);
        c.ret(Some(result));
    });
    let qsort_sig =
        b.sig(&[scalar(Type::Ptr), scalar(Type::I64), scalar(Type::I64), scalar(Type::Ptr)], None, false);
    let qsort = b.declare("qsort", qsort_sig);
    let sig = b.sig(&[scalar(Type::Ptr), scalar(Type::I64)], None, false);
    b.define("sort", sig, |c, args| {
        let args = vec![args[0], args[1], i64c(4), Operand::Func(compare)];
        c.op(Op::Call { dst: None, callee: Callee::Direct(qsort), sig: qsort_sig, args, dest: None });
        c.ret(None);
    });
    let address = b.sig(&[], Some(scalar(Type::Ptr)), false);
    b.define("address_of_compare", address, |c, _| c.ret(Some(Operand::Func(compare))));
    b.each(|program| {
        let mut list: Vec<i32> = (0..100).map(|i| (i * 37) % 101).collect();
        call!(program, "sort", extern "C" fn(*mut i32, i64), list.as_mut_ptr(), 100);
        assert!(list.is_sorted());
        let address = call!(program, "address_of_compare", extern "C" fn() -> *const u8);
        assert_eq!(address, function(program, "compare"), "a function has one address");
    });
}

/// `int f(int n) { static __thread int count = 40; return ++count + n; }`
#[test]
fn thread_local_objects() {
    let mut b = Builder::new();
    let count = b.global("count", 4, Init::Bytes(Box::new([40, 0, 0, 0]), Vec::new()));
    b.module.globals[count].thread_local = true;
    b.module.globals[count].align = 4;
    let pointed = b.global("pointed", 4, Init::Zero);
    let init = Init::Bytes(
        vec![0; 8].into(),
        vec![Relocation { offset: 0, target: Operand::Global(pointed), addend: 4 }],
    );
    let pointer = b.global("pointer", 8, init);
    b.module.globals[pointer].thread_local = true;
    let sig = b.sig(&[scalar(Type::I32)], Some(scalar(Type::I32)), false);
    b.define("f", sig, |c, args| {
        let old = c.load(Type::I32, count);
        let new = c.add(old, i32c(1));
        c.store(count, new);
        let result = c.add(new, args[0]);
        c.ret(Some(result));
    });
    let sig = b.sig(&[], Some(scalar(Type::I64)), false);
    b.define("distance", sig, |c, _| {
        let value = c.load(Type::Ptr, pointer);
        let value = c.convert(ConvertOp::Bits, Type::I64, value);
        let base = c.convert(ConvertOp::Bits, Type::I64, Operand::Global(pointed));
        let result = c.sub(value, base);
        c.ret(Some(result));
    });
    b.each(|program| {
        type F = extern "C" fn(i32) -> i32;
        assert_eq!(call!(program, "f", F, 100), 141);
        assert_eq!(call!(program, "f", F, 100), 142);
        let program = *program;
        let others: Vec<_> = (0..4)
            .map(|_| std::thread::spawn(move || (call!(&program, "f", F, 0), call!(&program, "f", F, 0))))
            .collect();
        for other in others {
            assert_eq!(other.join().ok(), Some((41, 42)));
        }
        assert_eq!(call!(&program, "distance", extern "C" fn() -> i64), 4);
    });
}

/// Many threads meet functions that are not compiled yet.
#[test]
fn lazy_compilation_under_threads() {
    let mut b = Builder::new();
    let sig = b.sig(&[scalar(Type::I64), scalar(Type::F64)], Some(scalar(Type::F64)), false);
    let mut last = None;
    for index in 0..60 {
        let callee = last;
        last = Some(b.define(&format!("f{index}"), sig, |c, args| {
            let value = match callee {
                Some(callee) => call(c, callee, sig, Type::F64, args.to_vec()),
                None => args[1],
            };
            let n = c.convert(ConvertOp::SToF, Type::F64, args[0]);
            let sum = c.add(value, n);
            c.ret(Some(sum));
        }));
    }
    let module = Arc::new(verified(b.module));
    for _ in 0..5 {
        let options = Options { verify: true, roots: Roots::All, ..Options::default() };
        let program = compile(module.clone(), &options, Symbols::default()).expect("a program");
        let threads: Vec<_> = (0..8)
            .map(|_| {
                std::thread::spawn(move || call!(&program, "f59", extern "C" fn(i64, f64) -> f64, 2, 0.5))
            })
            .collect();
        for thread in threads {
            assert_eq!(thread.join().ok(), Some(120.5));
        }
    }
}

/// Sums `1..=n` in a local that is changed between `setjmp` and `longjmp`.
#[test]
fn non_local_jumps() {
    let mut b = Builder::new();
    let setjmp_sig = b.sig(&[scalar(Type::Ptr)], Some(scalar(Type::I32)), false);
    let setjmp = b.declare("_setjmp", setjmp_sig);
    b.module.functions[setjmp].returns_twice = true;
    let longjmp_sig = b.sig(&[scalar(Type::Ptr), scalar(Type::I32)], None, false);
    let longjmp = b.declare("longjmp", longjmp_sig);
    let jump_sig = b.sig(&[scalar(Type::Ptr), scalar(Type::I32)], None, false);
    let jump = b.define("jump", jump_sig, |c, args| {
        // Memory of this call is skipped by the jump.
        c.stack_alloc(i64c(1 << 20), 16);
        c.op(Op::Call {
            dst: None,
            callee: Callee::Direct(longjmp),
            sig: longjmp_sig,
            args: args.to_vec(),
            dest: None,
        });
        c.terminate(Terminator::Unreachable);
    });
    let sig = b.sig(&[scalar(Type::I32)], Some(scalar(Type::I32)), false);
    b.define("sum", sig, |c, args| {
        let buffer = frame_slot(c, 200, 16);
        let (sum, limit) = (c.temp(Type::I32), c.temp(Type::I32));
        c.assign(sum, i32c(0));
        c.assign(limit, args[0]);
        let result = call(c, setjmp, setjmp_sig, Type::I32, vec![buffer]);
        let new = c.add(Operand::Local(sum), result);
        c.assign(sum, new);
        let done = c.compare(CmpOp::Ge, result, Operand::Local(limit));
        let (out, again) = (c.new_block(), c.new_block());
        c.branch(done, out, again);
        c.switch_to(again);
        let next = c.add(result, i32c(1));
        c.op(Op::Call {
            dst: None,
            callee: Callee::Direct(jump),
            sig: jump_sig,
            args: vec![buffer, next],
            dest: None,
        });
        c.terminate(Terminator::Unreachable);
        c.switch_to(out);
        c.ret(Some(Operand::Local(sum)));
    });
    b.each(|program| {
        // More memory than there is, if jumps did not give it back.
        assert_eq!(call!(program, "sum", extern "C" fn(i32) -> i32, 3000), 3000 * 3001 / 2);
    });
}

#[test]
fn dynamic_stack_memory() {
    let mut b = Builder::new();
    let sig = b.sig(&[scalar(Type::I64)], Some(scalar(Type::I64)), false);
    let fill_sig = b.sig(&[scalar(Type::I64)], Some(scalar(Type::Ptr)), false);
    let _ = fill_sig;
    b.define("f", sig, |c, args| {
        let first = c.stack_alloc(args[0], 64);
        let saved = c.stack_save();
        let second = c.stack_alloc(args[0], 16);
        c.mem_set(local(first), Operand::Int(Type::I8, 1), args[0], 1);
        c.mem_set(local(second), Operand::Int(Type::I8, 2), args[0], 1);
        c.stack_restore(saved);
        let third = c.stack_alloc(args[0], 16);
        let one = c.load(Type::I8, local(first));
        let two = c.load(Type::I8, local(third));
        let ten = c.convert(ConvertOp::ZExt, Type::I64, one);
        let ten = c.mul(ten, i64c(10));
        let two = c.convert(ConvertOp::ZExt, Type::I64, two);
        let address = c.convert(ConvertOp::Bits, Type::I64, first);
        let misaligned = c.binary(BinaryOp::And, address, i64c(63));
        let sum = c.add(ten, two);
        let sum = c.add(sum, misaligned);
        c.ret(Some(sum));
    });
    b.each(|program| {
        for _ in 0..2000 {
            assert_eq!(call!(program, "f", extern "C" fn(i64) -> i64, 1 << 20), 12);
        }
    });
}

#[test]
fn atomics() {
    let mut b = Builder::new();
    let sig = b.sig(&[scalar(Type::Ptr), scalar(Type::I64)], None, false);
    let types = [
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::I128,
        Type::F32,
        Type::F64,
        Type::F80,
        Type::C32,
        Type::C64,
    ];
    for ty in types {
        b.define(&format!("count_{ty}"), sig, |c, args| {
            let i = c.temp(Type::I64);
            c.assign(i, i64c(0));
            let (head, inside, out) = (c.new_block(), c.new_block(), c.new_block());
            c.jump(head);
            c.switch_to(head);
            let more = c.compare(CmpOp::Lt, Operand::Local(i), args[1]);
            c.branch(more, inside, out);
            c.switch_to(inside);
            let one = match ty {
                Type::F32 => Operand::f32(1.0),
                Type::F64 => Operand::f64(1.0),
                Type::F80 => c.convert(ConvertOp::FToF, ty, Operand::f64(1.0)),
                Type::C32 => c.complex(ty, Operand::f32(1.0), Operand::f32(2.0)),
                Type::C64 => c.complex(ty, Operand::f64(1.0), Operand::f64(2.0)),
                _ => Operand::Int(ty, 1),
            };
            c.atomic_rmw(BinaryOp::Add, local(args[0]), one);
            let next = c.add(Operand::Local(i), i64c(1));
            c.assign(i, next);
            c.jump(head);
            c.switch_to(out);
            c.ret(None);
        });
    }
    // `*p = 100 - *p`, captured after; exchange; compare and swap; load; store.
    let other = b.sig(&[scalar(Type::Ptr)], Some(scalar(Type::I32)), false);
    b.define("others", other, |c, args| {
        let p = Address::at(args[0]);
        let reversed = c.temp(Type::I32);
        c.op(Op::AtomicRmw {
            dst: Some(reversed),
            op: BinaryOp::Sub,
            ty: Type::I32,
            addr: p,
            value: i32c(100),
            reversed: true,
            result_new: true,
        });
        let old = c.atomic_swap(p, i32c(7));
        let missed = c.atomic_cas(p, i32c(8), i32c(9));
        let hit = c.atomic_cas(p, i32c(7), i32c(11));
        let now = c.atomic_load(Type::I32, p);
        c.atomic_store(p, i32c(5));
        c.fence();
        let mut sum = Operand::Local(reversed);
        for (value, weight) in [(old, 100), (missed, 10000), (hit, 100000), (now, 1000000)] {
            let scaled = c.mul(value, i32c(weight));
            sum = c.add(sum, scaled);
        }
        c.ret(Some(sum));
    });
    b.each(|program| {
        for ty in types {
            let memory = Arc::new(std::sync::Mutex::new(Box::new([0_u128; 2])));
            let address = memory.lock().expect("unpoisoned").as_mut_ptr().addr();
            let program = *program;
            let threads: Vec<_> = (0..3)
                .map(|_| {
                    std::thread::spawn(move || {
                        let to = std::ptr::with_exposed_provenance_mut::<u8>(address);
                        call!(&program, &format!("count_{ty}"), extern "C" fn(*mut u8, i64), to, 40);
                    })
                })
                .collect();
            for thread in threads {
                assert!(thread.join().is_ok());
            }
            let bits = memory.lock().expect("unpoisoned")[0];
            let low = f64::from_bits(bits as u64);
            let expected = match ty {
                Type::F32 => u128::from(120_f32.to_bits()),
                Type::F64 => u128::from(120_f64.to_bits()),
                Type::C32 => u128::from(120_f32.to_bits()) | u128::from(240_f32.to_bits()) << 32,
                Type::C64 => u128::from(120_f64.to_bits()) | u128::from(240_f64.to_bits()) << 64,
                Type::F80 => (16383 + 6) << 64 | 0xf000_0000_0000_0000,
                _ => 120,
            };
            assert_eq!(bits, expected, "{ty} {low}");
        }
        let mut value = 30;
        let got = call!(program, "others", extern "C" fn(*mut i32) -> i32, &mut value);
        assert_eq!((got, value), (70 + 70 * 100 + 7 * 10000 + 7 * 100000 + 11 * 1000000, 5));
    });
}

#[test]
fn globals_and_their_addresses() {
    let mut b = Builder::new();
    let numbers = b.global("numbers", 12, Init::Bytes(vec![1, 0, 0, 0, 2, 0, 0, 0].into(), Vec::new()));
    let sig = b.sig(&[], Some(scalar(Type::I32)), false);
    let get = b.define("get", sig, |c, _| {
        let value = c.load(Type::I32, Address { base: Operand::Global(numbers), offset: 4 });
        c.ret(Some(value));
    });
    let table = b.global(
        "table",
        16,
        Init::Bytes(
            vec![0; 16].into(),
            vec![
                Relocation { offset: 0, target: Operand::Func(get), addend: 0 },
                Relocation { offset: 8, target: Operand::Global(numbers), addend: 8 },
            ],
        ),
    );
    b.module.globals[table].constant = true;
    // A declaration of what is defined under the same name, as another translation unit has it.
    let again = b.global("numbers", 12, Init::Extern);
    b.define("through_table", sig, |c, _| {
        let f = c.load(Type::Ptr, table);
        let dst = c.temp(Type::I32);
        c.op(Op::Call { dst: Some(dst), callee: Callee::Indirect(f), sig, args: vec![], dest: None });
        let p = c.load(Type::Ptr, Address { base: Operand::Global(table), offset: 8 });
        c.store(local(p), i32c(40));
        let stored = c.load(Type::I32, Address { base: Operand::Global(again), offset: 8 });
        let sum = c.add(Operand::Local(dst), stored);
        c.ret(Some(sum));
    });
    // The C library's own object.
    let environ = b.global("environ", 8, Init::Extern);
    b.define("has_environment", sig, |c, _| {
        let value = c.load(Type::Ptr, environ);
        let some = c.compare(CmpOp::Ne, value, Operand::NULL);
        let some = c.convert(ConvertOp::ZExt, Type::I32, some);
        c.ret(Some(some));
    });
    b.each(|program| {
        type F = extern "C" fn() -> i32;
        assert_eq!(call!(program, "through_table", F), 42);
        assert_eq!(call!(program, "has_environment", F), 1);
    });
}

#[test]
fn undefined_names() {
    let mut b = Builder::new();
    let sig = b.sig(&[], None, false);
    let missing = b.declare("no_such_function_1", sig);
    let unused = b.declare("no_such_function_2", sig);
    let weak = b.declare("no_such_function_3", sig);
    b.module.functions[weak].linkage = Linkage::Weak;
    let object = b.global("no_such_object", 4, Init::Extern);
    let answer = b.sig(&[], Some(scalar(Type::I32)), false);
    let main = b.define("main", answer, |c, _| {
        let there = c.compare(CmpOp::Ne, Operand::Func(weak), Operand::NULL);
        let there = c.convert(ConvertOp::ZExt, Type::I32, there);
        c.ret(Some(there));
    });
    b.define("not_reached", sig, |c, _| {
        c.op(Op::Call { dst: None, callee: Callee::Direct(unused), sig, args: vec![], dest: None });
        c.ret(None);
    });
    let options = Options { verify: true, ..Options::default() };
    let program =
        compile(Arc::new(verified(b.module.clone())), &options, Symbols::default()).expect("a program");
    assert_eq!(program.run_main(&[]), Some(0), "a weak undefined function is null");

    let body = b.module.functions[main].body.as_deref_mut().expect("a body");
    let entry = body.entry();
    body.blocks[entry].insts.insert(
        0,
        Inst {
            op: Op::Call { dst: None, callee: Callee::Direct(missing), sig, args: vec![], dest: None },
            pos: Pos { file: File::from_u32(0), line: 17, column: 3 },
        },
    );
    let dst = body.temp(Type::I32);
    let load = Op::Load { dst, addr: object.into(), access: Access::natural(Type::I32) };
    body.blocks[entry]
        .insts
        .insert(1, Inst { op: load, pos: Pos { file: File::from_u32(0), line: 18, column: 3 } });
    let error = compile(Arc::new(verified(b.module)), &options, Symbols::default()).err();
    assert_eq!(
        error.map(|e| e.to_string()).as_deref(),
        Some(
            "undefined symbol `no_such_function_1`, declared at test.c:1, used in `main` at test.c:17\n\
             undefined symbol `no_such_object`, used in `main` at test.c:18"
        )
    );
}

#[test]
fn limits_are_errors() {
    let mut b = Builder::new();
    let sig = b.sig(&[], None, false);
    b.define("main", sig, |c, _| {
        let slot = frame_slot(c, 1 << 32, 16);
        c.store(Address::at(slot), i32c(1));
        c.ret(None);
    });
    let error = compile(Arc::new(verified(b.module)), &Options::default(), Symbols::default()).err();
    assert!(matches!(error, Some(Error::Limit(_))), "{error:?}");
    let library = ["no-such-library".to_owned()];
    let symbols = Symbols { libraries: &library, ..Symbols::default() };
    let error = compile(Arc::new(verified(Module::default())), &Options::default(), symbols).err();
    assert!(matches!(error, Some(Error::Libraries(_))), "{error:?}");
}

#[test]
fn switches() {
    let mut b = Builder::new();
    for ty in [Type::I8, Type::I32, Type::I64, Type::I128] {
        let sig = b.sig(&[scalar(Type::I64)], Some(scalar(Type::I32)), false);
        b.define(&format!("switch_{ty}"), sig, |c, args| {
            let value = match ty {
                Type::I64 => args[0],
                Type::I128 => c.convert(ConvertOp::SExt, ty, args[0]),
                _ => c.convert(ConvertOp::Trunc, ty, args[0]),
            };
            let cases = [(-100, -50), (-1, -1), (0, 3), (5, 5), (6, 6), (100, 127)];
            let entry = c.block;
            let mut list = Vec::new();
            for (number, (low, high)) in cases.into_iter().enumerate() {
                let block = c.new_block();
                c.switch_to(block);
                c.ret(Some(i32c(number as i64 + 1)));
                list.push((low, high, block));
            }
            let default = c.new_block();
            c.switch_to(default);
            c.ret(Some(i32c(0)));
            c.switch_to(entry);
            c.terminate(Terminator::Switch { value, cases: list, default });
        });
    }
    b.each(|program| {
        for ty in [Type::I8, Type::I32, Type::I64, Type::I128] {
            for value in -128..=127_i64 {
                let expected = match value {
                    -100..=-50 => 1,
                    -1 => 2,
                    0..=3 => 3,
                    5 => 4,
                    6 => 5,
                    100..=127 => 6,
                    _ => 0,
                };
                let got = call!(program, &format!("switch_{ty}"), extern "C" fn(i64) -> i32, value);
                assert_eq!(got, expected, "{ty} {value}");
            }
        }
        // Equal to a case in the lower 64 bits only.
        assert_eq!(call!(program, "switch_i64", extern "C" fn(i64) -> i32, 1 << 40 | 5), 0);
    });
}

#[test]
fn over_aligned_and_volatile_objects() {
    let mut b = Builder::new();
    let sig = b.sig(&[scalar(Type::I32)], Some(scalar(Type::I64)), false);
    b.define("f", sig, |c, args| {
        let slot = frame_slot(c, 256, 128);
        let access = Access { volatile: true, ..Access::natural(Type::I32) };
        c.store_with(Address { base: slot, offset: 132 }, args[0], access);
        let back = c.load_with(Type::I32, Address { base: slot, offset: 132 }, access);
        let wide = c.convert(ConvertOp::SExt, Type::I64, back);
        let address = c.convert(ConvertOp::Bits, Type::I64, slot);
        let low = c.binary(BinaryOp::And, address, i64c(127));
        let low = c.mul(low, i64c(1 << 40));
        let sum = c.add(wide, low);
        c.ret(Some(sum));
    });
    b.each(|program| assert_eq!(call!(program, "f", extern "C" fn(i32) -> i64, -5), -5));
}

#[test]
fn constructors_run_before_main() {
    let mut b = Builder::new();
    let order = b.global("order", 4, Init::Zero);
    let sig = b.sig(&[], None, false);
    for (index, priority) in [(1, 200), (2, 100)] {
        let func = b.define(&format!("c{index}"), sig, |c, _| {
            let old = c.load(Type::I32, order);
            let old = c.mul(old, i32c(10));
            let new = c.add(old, i32c(index));
            c.store(order, new);
            c.ret(None);
        });
        b.module.constructors.push((priority, func));
    }
    let main = b.sig(&[scalar(Type::I32), scalar(Type::Ptr)], Some(scalar(Type::I32)), false);
    b.define("main", main, |c, args| {
        let order = c.load(Type::I32, order);
        let scaled = c.mul(order, i32c(10));
        let sum = c.add(scaled, args[0]);
        c.ret(Some(sum));
    });
    let module = Arc::new(verified(b.module));
    for mode in [CompileMode::Lazy, CompileMode::Eager(2)] {
        let options =
            Options { mode, opt: OptLevel::None, verify: true, roots: Roots::Main, ..Options::default() };
        let program = compile(module.clone(), &options, Symbols::default()).expect("a program");
        assert_eq!(program.run_main(&[c"prog".into(), c"x".into()]), Some(212));
    }
}

#[test]
fn aliases_and_unprototyped_calls() {
    let mut b = Builder::new();
    let sig = b.sig(&[scalar(Type::I32), scalar(Type::F64)], Some(scalar(Type::I32)), false);
    b.define("real", sig, |c, args| {
        let n = c.convert(ConvertOp::FToS, Type::I32, args[1]);
        let sum = c.add(args[0], n);
        c.ret(Some(sum));
    });
    let loose = b.sig(&[], Some(scalar(Type::I32)), true);
    let other = b.declare("other_name", loose);
    b.module.functions[other].alias = Some("real".into());
    let again = b.declare("real", loose);
    let outer = b.sig(&[], Some(scalar(Type::I32)), false);
    for (name, callee) in [
        ("by_alias", Callee::Direct(other)),
        ("by_declaration", Callee::Direct(again)),
        ("by_pointer", Callee::Indirect(Operand::Func(again))),
    ] {
        b.define(name, outer, |c, _| {
            let dst = c.temp(Type::I32);
            let args = vec![i32c(40), Operand::f64(2.9)];
            c.op(Op::Call { dst: Some(dst), callee, sig: loose, args, dest: None });
            c.ret(Some(Operand::Local(dst)));
        });
    }
    b.each(|program| {
        for name in ["by_alias", "by_declaration", "by_pointer"] {
            assert_eq!(call!(program, name, extern "C" fn() -> i32), 42, "{name}");
        }
    });
}

/// Thread start routines are C functions like any other, on small stacks too.
#[test]
fn threads_of_the_program() {
    let mut b = Builder::new();
    let start_sig = b.sig(&[scalar(Type::Ptr)], Some(scalar(Type::Ptr)), false);
    let start = b.define("start", start_sig, |c, args| {
        c.store(local(args[0]), i32c(77));
        c.ret(Some(args[0]));
    });
    let create_sig = b.sig(&[scalar(Type::Ptr); 4], Some(scalar(Type::I32)), false);
    let create = b.declare("pthread_create", create_sig);
    let join_sig = b.sig(&[scalar(Type::I64), scalar(Type::Ptr)], Some(scalar(Type::I32)), false);
    let join = b.declare("pthread_join", join_sig);
    let sig = b.sig(&[scalar(Type::Ptr), scalar(Type::Ptr)], Some(scalar(Type::Ptr)), false);
    b.define("run", sig, |c, args| {
        let thread = frame_slot(c, 8, 8);
        call(c, create, create_sig, Type::I32, vec![thread, args[0], Operand::Func(start), args[1]]);
        let thread = c.load(Type::I64, Address::at(thread));
        let result = frame_slot(c, 8, 8);
        call(c, join, join_sig, Type::I32, vec![thread, result]);
        let result = c.load(Type::Ptr, Address::at(result));
        c.ret(Some(result));
    });
    b.each(|program| {
        let mut value = 0_i32;
        let to: *mut i32 = &mut value;
        // SAFETY: the attributes are initialised before use.
        let attributes = unsafe {
            let mut attributes = std::mem::zeroed();
            libc::pthread_attr_init(&mut attributes);
            libc::pthread_attr_setstacksize(&mut attributes, libc::PTHREAD_STACK_MIN);
            attributes
        };
        let attributes: *const c_void = (&raw const attributes).cast();
        let back = call!(program, "run", extern "C" fn(*const c_void, *mut i32) -> *mut i32, attributes, to);
        // SAFETY: the thread has ended.
        assert_eq!((back, unsafe { *to }), (to, 77));
    });
}
