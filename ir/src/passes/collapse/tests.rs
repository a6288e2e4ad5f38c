//! Merged nests visit what the nests visited, in order.

use crate::acc::{ConstructKind, Level, MapKind};
use crate::entities::Global;
use crate::function::Induction;
use crate::module::Module;
use crate::op::{Address, BinaryOp, CmpOp, ConvertOp, Operand};
use crate::passes::testing::machine::Machine;
use crate::passes::testing::{OneOf, Program, Single, directive, region, run_to};
use crate::types::Type;

/// Three loops of different types and directions; the bound of the innermost is loaded inside of the nest,
/// and code stands between the loops. Every iteration logs `i + 100 * j + 10000 * k`.
fn nest(trips: [i64; 3], collapse: u32) -> Module {
    let mut p = Program::new();
    let mut global = |name: &str, size| {
        Operand::Global(p.module.globals.push(crate::GlobalData {
            declare: Some(crate::DeclareKind::Map(MapKind::Create)),
            ..crate::GlobalData::external(name, size, 8, crate::Init::Zero)
        }))
    };
    let (log, limit) = (global("log", 8000), global("limit", 8));
    p.at().store(Address::at(log), Operand::Int(Type::I64, 0));
    p.at().store(Address::at(limit), Operand::Int(Type::I16, trips[2] * 3));
    p.construct(
        ConstructKind::Parallel,
        |_| {},
        |p| {
            let [i, j, k] = [Type::I32, Type::I64, Type::I16].map(|ty| p.local("i", ty));
            let mut list = directive(&[Level::Gang], vec![]);
            (list.collapse, list.collapse_force) = (collapse, true);
            let int = |value| Operand::Int(Type::I32, value);
            let long = |value| Operand::Int(Type::I64, value);
            let outer = Induction { iv: i, init: int(0), bound: int(trips[0]), step: int(1), cmp: CmpOp::Lt };
            p.for_(outer, Some(list), |p, i| {
                let middle = Induction {
                    iv: j,
                    init: long(trips[1]),
                    bound: long(0),
                    step: long(-1),
                    cmp: CmpOp::UGt,
                };
                p.for_(middle, None, |p, j| {
                    let short = p.at().load(Type::I16, Address::at(limit));
                    let bound = p.at().sub(short, Operand::Int(Type::I16, 1));
                    let twice = p.at().add(i, i);
                    let (init, step) = (Operand::Int(Type::I16, 0), Operand::Int(Type::I16, 3));
                    p.for_(Induction { iv: k, init, bound, step, cmp: CmpOp::Le }, None, |p, k| {
                        let mut c = p.at();
                        let half = c.binary(BinaryOp::LShr, twice, Operand::Int(Type::I32, 1));
                        let i = c.convert(ConvertOp::SExt, Type::I64, half);
                        let j = c.mul(j, Operand::Int(Type::I64, 100));
                        let k = c.convert(ConvertOp::SExt, Type::I64, k);
                        let k = c.mul(k, Operand::Int(Type::I64, 10_000));
                        let sum = c.add(i, j);
                        let sum = c.add(sum, k);
                        let count = c.load(Type::I64, Address::at(log));
                        let at = c.index(log, count, 8, 8);
                        c.store(Address::at(at), sum);
                        let next = c.add(count, Operand::Int(Type::I64, 1));
                        c.store(Address::at(log), next);
                    });
                });
            });
        },
    );
    p.finish()
}

fn log(module: &Module) -> Vec<u64> {
    let mut machine = Machine::new(module);
    machine.call("f", &[]);
    let at = machine.global(Global::from_u32(0));
    (1..=machine.read(at, Type::I64)).map(|n| machine.read(at + 8 * n, Type::I64)).collect()
}

#[test]
fn merged_nests_visit_the_same_in_the_same_order() {
    for trips in [[2, 3, 4], [1, 1, 1], [3, 0, 2], [3, 2, 0], [0, 2, 2], [5, 1, 3]] {
        for collapse in [2, 3] {
            let module = nest(trips, collapse);
            let mut plain = module.clone();
            run_to(&mut plain, &mut Single::default(), "simplify-cfg");
            let expected = log(&plain);
            assert_eq!(expected.len() as i64, trips.iter().product::<i64>());
            let mut shares = Vec::new();
            for position in 0..3 {
                let mut part = module.clone();
                let mut target = OneOf { position, threads: 3, blocks: false, single: Single::default() };
                run_to(&mut part, &mut target, "simplify-cfg");
                let loops = region(&part).1.loops.len();
                assert_eq!(loops as u32, 4 - collapse, "the nest is merged");
                shares.push(log(&part));
            }
            // What is left of the nest runs as a whole in each merged iteration.
            let run = if collapse == 2 { trips[2].max(1) as usize } else { 1 };
            let of = |n: usize| (n / run % 3, n / run / 3 * run + n % run);
            let merged: Vec<u64> =
                (0..expected.len()).filter_map(|n| shares[of(n).0].get(of(n).1).copied()).collect();
            assert_eq!(merged, expected, "{trips:?} collapse({collapse})");
            assert_eq!(shares.iter().map(Vec::len).sum::<usize>(), expected.len());
        }
    }
}
