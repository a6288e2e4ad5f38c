//! Every form of loop, executed in shares and compared with the plain loop.

use crate::acc::{ConstructKind, Level, MapKind};
use crate::entities::Global;
use crate::function::Induction;
use crate::module::Module;
use crate::op::{Address, CmpOp, ConvertOp, Operand};
use crate::passes::testing::machine::Machine;
use crate::passes::testing::{OneOf, Program, Single, directive, region, run_between, run_to};
use crate::types::Type;

/// A loop that writes the values of its induction local to a log: the count, then the values as `i64`.
#[derive(Clone, Copy, Debug)]
struct Case {
    ty: Type,
    init: i64,
    bound: i64,
    step: i64,
    cmp: CmpOp,
    /// Bound and step are read from memory.
    variable: bool,
}

const LOG: u32 = 0;
const CAPACITY: i64 = 700;

fn global(p: &mut Program, name: &str, size: u64, declare: bool) -> Operand {
    let global = p.module.globals.push(crate::GlobalData {
        declare: declare.then_some(crate::DeclareKind::Map(MapKind::Create)),
        ..crate::GlobalData::external(name, size, 8, crate::Init::Zero)
    });
    Operand::Global(global)
}

fn program(case: Case) -> Module {
    let Case { ty, init, bound, step, cmp, variable } = case;
    let mut p = Program::new();
    let log = global(&mut p, "log", (CAPACITY as u64 + 1) * 8, true);
    let step_ty = if ty == Type::Ptr { Type::I64 } else { ty };
    let parameters = global(&mut p, "parameters", 24, true);
    p.at().store(Address::at(log), Operand::Int(Type::I64, 0));
    let values = [(ty, init), (ty, bound), (step_ty, step)];
    for (n, (ty, value)) in values.into_iter().enumerate() {
        p.at().store(Address { base: parameters, offset: 8 * n as i64 }, Operand::Int(ty, value));
    }
    p.construct(
        ConstructKind::Parallel,
        |_| {},
        |p| {
            let iv = p.local("i", ty);
            let [init, bound, step] = [0, 1, 2].map(|n| {
                let (ty, value) = values[n];
                if variable {
                    p.at().load(ty, Address { base: parameters, offset: 8 * n as i64 })
                } else {
                    Operand::Int(ty, value)
                }
            });
            p.for_(
                Induction { iv, init, bound, step, cmp },
                Some(directive(&[Level::Gang], vec![])),
                |p, i| {
                    let mut c = p.at();
                    let count = c.load(Type::I64, Address::at(log));
                    let at = c.index(log, count, 8, 8);
                    let wide = match ty {
                        Type::I64 => i,
                        Type::Ptr => c.convert(ConvertOp::Bits, Type::I64, i),
                        _ => c.convert(ConvertOp::SExt, Type::I64, i),
                    };
                    c.store(Address::at(at), wide);
                    let next = c.add(count, Operand::Int(Type::I64, 1));
                    c.store(Address::at(log), next);
                },
            );
        },
    );
    p.finish()
}

/// The values that a module's loop logs.
fn log(module: &Module) -> Vec<i64> {
    let mut machine = Machine::new(module);
    machine.call("f", &[]);
    let at = machine.global(Global::from_u32(LOG));
    let count = machine.read(at, Type::I64);
    assert!(count <= CAPACITY as u64, "too many iterations");
    (1..=count).map(|n| machine.read(at + 8 * n, Type::I64) as i64).collect()
}

fn check(case: Case) {
    let module = program(case);
    let mut plain = module.clone();
    run_to(&mut plain, &mut Single::default(), "simplify-cfg");
    let expected = log(&plain);
    for (threads, blocks) in [(1, false), (3, false), (1, true), (3, true)] {
        let mut shares: Vec<Vec<i64>> = Vec::new();
        for position in 0..threads {
            let mut part = module.clone();
            let mut target = OneOf { position, threads, blocks, single: Single::default() };
            run_to(&mut part, &mut target, "expand");
            let expanded = log(&part);
            run_between(&mut part, &mut target, "expand", "simplify-cfg");
            assert_eq!(expanded, log(&part), "{case:?}");
            shares.push(expanded);
        }
        if blocks {
            assert_eq!(shares.concat(), expected, "{case:?} in blocks of {threads} threads");
            continue;
        }
        let mut merged = Vec::new();
        for n in 0.. {
            match shares[n % shares.len()].get(n / shares.len()) {
                Some(value) => merged.push(*value),
                None => break,
            }
        }
        assert_eq!(merged.len(), shares.iter().map(Vec::len).sum::<usize>(), "{case:?} on {threads} threads");
        assert_eq!(merged, expected, "{case:?} on {threads} threads");
    }
}

fn all(ty: Type, init: i64, bound: i64, step: i64, cmp: CmpOp) {
    for variable in [false, true] {
        check(Case { ty, init, bound, step, cmp, variable });
    }
}

#[test]
fn every_comparison_and_direction() {
    for ty in [Type::I32, Type::I64, Type::I16] {
        for (first, last) in [(0, 10), (-5, 6), (3, 3), (4, 3), (7, 8)] {
            for step in [1, 2, 3, 11] {
                all(ty, first, last, step, CmpOp::Lt);
                all(ty, first, last, step, CmpOp::Le);
                all(ty, last, first, -step, CmpOp::Gt);
                all(ty, last, first, -step, CmpOp::Ge);
            }
        }
        for step in [1, 2, 3, 5, 6] {
            all(ty, -4, -4 + 7 * step, step, CmpOp::Ne);
            all(ty, 9, 9 - 7 * step, -step, CmpOp::Ne);
            all(ty, 9, 9, step, CmpOp::Ne);
        }
    }
}

#[test]
fn limits_of_types() {
    // Up to the last value that the comparison can exclude.
    all(Type::I8, -128, 127, 1, CmpOp::Lt);
    all(Type::I8, 127, -128, -1, CmpOp::Gt);
    all(Type::I8, 0, -1, 1, CmpOp::ULt);
    all(Type::I8, -1, 0, -1, CmpOp::UGt);
    all(Type::I8, 0, -26, 50, CmpOp::ULe);
    all(Type::I32, i64::from(i32::MIN), 1 << 30, 1 << 30, CmpOp::Lt);
    all(Type::I32, 0, -0x1000_0000, 0x1100_0000, CmpOp::ULt);
    all(Type::I64, i64::MIN, i64::MAX / 2, i64::MAX / 2, CmpOp::Lt);
    all(Type::I64, 0, -(1 << 60), 1 << 60, CmpOp::ULt);
    all(Type::I64, -2, 1 << 61, -(1 << 61), CmpOp::UGt);
    // Wrapping around to the bound is what `!=` means for unsigned types.
    all(Type::I8, 0, 4, 20, CmpOp::Ne);
    all(Type::I8, 5, 6, 3, CmpOp::Ne);
    all(Type::I16, 1, 16445, 4099, CmpOp::Ne);
    all(Type::I64, 0, 160 - (3 << 61), 1 << 61 | 32, CmpOp::Ne);
}

#[test]
fn a_step_over_the_bound_ends_the_loop() {
    // Each wraps around on its last step, and meets its condition again.
    all(Type::I32, 20, 3, -7, CmpOp::UGt);
    all(Type::I32, 20, 6, -7, CmpOp::UGe);
    all(Type::I32, 0, -2, 0x4000_0001, CmpOp::ULt);
    all(Type::I32, 0, -2, 0x4000_0000, CmpOp::ULe);
    all(Type::I32, -6, -1, 7, CmpOp::ULt);
    all(Type::I16, 100, 1, -30, CmpOp::UGt);
    all(Type::I8, 0, -6, 100, CmpOp::ULt);
    for (init, bound, step, cmp) in [(20, 0, -7, CmpOp::UGt), (-9, -2, 5, CmpOp::ULe)] {
        check(Case { ty: Type::I64, init, bound, step, cmp, variable: false });
    }
}

#[test]
fn pointers() {
    for (first, last) in [(0x1000, 0x1028), (0x1000, 0x1000), (0x1008, 0x1000)] {
        all(Type::Ptr, first, last, 8, CmpOp::ULt);
        all(Type::Ptr, first, last, 24, CmpOp::ULe);
        all(Type::Ptr, last, first, -8, CmpOp::UGt);
        all(Type::Ptr, last, first, -8, CmpOp::UGe);
    }
    all(Type::Ptr, 0x1000, 0x1028, 8, CmpOp::Ne);
    all(Type::Ptr, 0x1028, 0x1000, -8, CmpOp::Ne);
    all(Type::Ptr, 0x1000, 0x1000 + 36, 12, CmpOp::Ne);
}

#[test]
fn a_step_of_zero_that_is_not_taken_does_not_trap() {
    check(Case { ty: Type::I32, init: 5, bound: 5, step: 0, cmp: CmpOp::Lt, variable: true });
}

#[test]
fn one_thread_keeps_the_loop() {
    let case = Case { ty: Type::I32, init: 0, bound: 10, step: 1, cmp: CmpOp::Lt, variable: false };
    let [mut before, mut after] = [program(case), program(case)];
    run_to(&mut before, &mut Single::default(), "map-vars");
    run_to(&mut after, &mut Single::default(), "partition");
    assert_eq!(region(&after).1, region(&before).1);
}
