//! Every way a variable gets into a region.

use crate::acc::{
    ConstructData, ConstructKind, DataKind, DataMap, DataOp, Level, PassHow, RegionParam, Scheduling,
};
use crate::entities::{Func, Global, Loop};
use crate::module::Module;
use crate::op::{Address, CmpOp, ConvertOp, Op, Operand};
use crate::passes::testing::machine::Machine;
use crate::passes::testing::{Program, Single, copy, directive, private, region, run_to, try_to};
use crate::report::{Fault, Report};
use crate::types::Type;

fn int(value: i64) -> Operand {
    Operand::Int(Type::I32, value)
}

/// A program that ends by storing `int`s to a global.
struct Checked {
    p: Program,
    out: Operand,
    count: i64,
}

impl Checked {
    fn new() -> Checked {
        let mut p = Program::new();
        let global = p.module.globals.push(crate::GlobalData::external("out", 64, 4, crate::Init::Zero));
        Checked { p, out: Operand::Global(global), count: 0 }
    }

    fn record(&mut self, value: Operand) {
        let at = Address { base: self.out, offset: 4 * self.count };
        self.p.at().store(at, value);
        self.count += 1;
    }

    /// What is recorded when the program has run, every pass applied.
    fn results(self) -> Vec<i64> {
        let mut module = self.p.finish();
        run_to(&mut module, &mut Single::default(), "simplify-cfg");
        let mut machine = Machine::new(&module);
        machine.call("f", &[]);
        let at = machine.global(Global::from_u32(0));
        (0..self.count as u64).map(|n| machine.read(at + 4 * n, Type::I32) as i64).collect()
    }
}

#[test]
fn mapped_private_and_firstprivate() {
    let mut c = Checked::new();
    let p = &mut c.p;
    let (mapped, by_value, large, own) = (p.slot("m", 4), p.slot("v", 4), p.slot("l", 12), p.slot("own", 4));
    let scalar = p.local("scalar", Type::I32);
    let scratch = p.local("scratch", Type::I32);
    p.at().assign(scalar, int(7));
    p.at().assign(scratch, int(70));
    for (slot, offset, value) in [(mapped, 0, 1), (by_value, 0, 2), (large, 0, 3), (large, 8, 5), (own, 0, 9)]
    {
        p.at().store(Address::from(slot).plus(offset), int(value));
    }
    let clauses = |data: &mut ConstructData| {
        data.maps.push(copy("m", Operand::Slot(mapped), 4));
        data.firstprivate = vec![
            private("v", Operand::Slot(by_value), 4),
            private("l", Operand::Slot(large), 12),
            private("scalar", Operand::Local(scalar), 4),
        ];
        data.private =
            vec![private("own", Operand::Slot(own), 4), private("scratch", Operand::Local(scratch), 4)];
    };
    p.construct(ConstructKind::Parallel, clauses, |p| {
        let mut at = p.at();
        at.store(own, int(1000));
        at.assign(scratch, int(2000));
        let mut total = at.load(Type::I32, mapped);
        for (slot, offset) in [(by_value, 0), (large, 0), (large, 8), (own, 0)] {
            let value = at.load(Type::I32, Address::from(slot).plus(offset));
            total = at.add(total, value);
            at.store(Address::from(slot).plus(offset), int(-1));
        }
        total = at.add(total, Operand::Local(scalar));
        total = at.add(total, Operand::Local(scratch));
        at.assign(scalar, int(-1));
        at.store(mapped, total);
    });
    for (slot, offset) in [(mapped, 0), (by_value, 0), (large, 0), (large, 8), (own, 0)] {
        let value = c.p.at().load(Type::I32, Address::from(slot).plus(offset));
        c.record(value);
    }
    c.record(Operand::Local(scalar));
    c.record(Operand::Local(scratch));
    assert_eq!(c.results(), [3018, 2, 3, 5, 9, 7, 70]);
}

#[test]
fn pointers_with_sections_are_translated() {
    for in_memory in [false, true] {
        let mut c = Checked::new();
        let p = &mut c.p;
        let array = p.slot("array", 40);
        let (local, slot) = (p.local("p", Type::Ptr), p.slot("p", 8));
        let var = if in_memory { Operand::Slot(slot) } else { Operand::Local(local) };
        p.at().store(slot, Operand::Slot(array));
        p.at().assign(local, Operand::Slot(array));
        let start = p.at().index(Operand::Slot(array), Operand::Int(Type::I64, 2), 4, 0);
        let clauses = |data: &mut ConstructData| {
            let mut map = copy("p[2:3]", var, 12);
            map.start = start;
            map.pointer_bias = Some(Operand::Int(Type::I64, 8));
            data.maps.push(map);
        };
        p.construct(ConstructKind::Parallel, clauses, |p| {
            let base = if in_memory { p.at().load(Type::Ptr, slot) } else { var };
            p.at().store(Address { base, offset: 12 }, int(33));
            let moved = p.at().index(base, Operand::Int(Type::I64, 4), 4, 0);
            if in_memory {
                p.at().store(slot, moved)
            } else {
                p.at().assign(local, moved)
            }
            p.at().store(Address::at(moved), int(44));
        });
        let after = if in_memory { c.p.at().load(Type::Ptr, slot) } else { var };
        let same = c.p.at().compare(CmpOp::Eq, after, Operand::Slot(array));
        let same = c.p.at().convert(ConvertOp::ZExt, Type::I32, same);
        c.record(same);
        for offset in [12, 16] {
            let value = c.p.at().load(Type::I32, Address::from(array).plus(offset));
            c.record(value);
        }
        assert_eq!(c.results(), [1, 33, 44], "pointer in memory: {in_memory}");
    }
}

#[test]
fn a_part_of_an_object_keeps_its_place() {
    let mut c = Checked::new();
    let array = c.p.slot("array", 40);
    let start = c.p.at().index(Operand::Slot(array), Operand::Int(Type::I64, 5), 4, 0);
    let clauses = |data: &mut ConstructData| {
        let mut map = copy("array[5:2]", Operand::Slot(array), 8);
        map.start = start;
        data.maps.push(map);
    };
    c.p.construct(ConstructKind::Parallel, clauses, |p| {
        p.at().store(Address::from(array).plus(24), int(6));
    });
    let value = c.p.at().load(Type::I32, Address::from(array).plus(24));
    c.record(value);
    assert_eq!(c.results(), [6]);
}

fn in_loop_twice() -> (Module, Loop) {
    let mut p = Program::new();
    let a = p.slot("a", 4);
    let mut inner = None;
    p.count(3, None, |p, _| {
        for _ in 0..2 {
            let clauses = |data: &mut ConstructData| data.maps.push(copy("a", Operand::Slot(a), 4));
            p.construct(ConstructKind::Parallel, clauses, |p| {
                inner = Some(p.count(4, None, |p, i| {
                    p.slot("t", 4);
                    p.add_to(a, i);
                }));
            });
        }
    });
    (p.finish(), inner.expect("a loop"))
}

#[test]
fn loops_are_renumbered_and_parents_keep_theirs() {
    let (mut module, _) = in_loop_twice();
    run_to(&mut module, &mut Single::default(), "outline");
    let names: Vec<_> = module.functions.values().map(|function| function.name.to_string()).collect();
    assert_eq!(names, ["f", "f.region0", "f.region1"]);
    for (func, loops) in [(0, 1), (1, 1), (2, 1)] {
        let body = module.functions[Func::from_u32(func)].body.as_ref().expect("a body");
        assert_eq!(body.loops.len(), loops, "{func}");
        assert!(body.loops.values().all(|data| data.parent.is_none()));
        assert!(body.constructs.is_empty());
    }
    let parent = module.functions[Func::from_u32(0)].body.as_ref().expect("a body");
    let launches = parent.order.iter().filter(|&&b| {
        parent.blocks[b].insts.iter().any(|inst| matches!(inst.op, Op::Launch(_)))
            && parent.blocks[b].loop_.is_some()
    });
    assert_eq!(launches.count(), 2);
}

#[test]
fn a_variable_without_a_clause_is_a_defect() {
    let mut p = Program::new();
    let a = p.slot("a", 4);
    p.at().store(a, int(1));
    p.construct(ConstructKind::Parallel, |_| {}, |p| p.add_to(a, int(1)));
    let mut module = p.finish();
    let error = try_to(&mut module, &mut Single::default(), "outline", &mut Report::default());
    let error = error.expect_err("no clause for `a`");
    assert_eq!((error.pass, error.fault), ("outline", Fault::Defect));
    assert!(error.message.contains("`a`"), "{error}");
}

#[test]
fn loops_own_their_private_variables() {
    let mut c = Checked::new();
    let p = &mut c.p;
    let (out, local) = (p.slot("sum", 4), p.local("x", Type::I32));
    let slot = p.slot("y", 4);
    p.at().store(out, int(0));
    let clauses = |data: &mut ConstructData| {
        data.maps.push(copy("sum", Operand::Slot(out), 4));
        data.private = vec![private("x", Operand::Local(local), 4), private("y", Operand::Slot(slot), 4)];
    };
    p.construct(ConstructKind::Parallel, clauses, |p| {
        p.at().assign(local, int(100));
        p.at().store(slot, int(200));
        let mut list = directive(&[Level::Gang], vec![]);
        list.private = vec![private("x", Operand::Local(local), 4), private("y", Operand::Slot(slot), 4)];
        p.count(3, Some(list), |p, i| {
            p.at().assign(local, i);
            p.at().store(slot, i);
            let q = p.at().copy(Operand::Slot(slot));
            p.add_to(Address::at(q), Operand::Local(local));
            let both = p.at().load(Type::I32, slot);
            p.add_to(out, both);
        });
        p.add_to(out, Operand::Local(local));
        let y = p.at().load(Type::I32, slot);
        p.add_to(out, y);
    });
    let value = c.p.at().load(Type::I32, out);
    c.record(value);
    assert_eq!(c.results(), [306]);
}

/// Whether a construct that loads a scalar gets its value, rather than the address of the device's copy.
fn travels(
    implicit: bool,
    before: impl Fn(&mut Program, Operand),
    inside: impl Fn(&mut Program, Operand),
) -> bool {
    let mut p = Program::new();
    let n = Operand::Slot(p.slot("n", 4));
    let address = Address { base: n, offset: 0 };
    p.at().store(address, int(7));
    before(&mut p, n);
    let clauses = |data: &mut ConstructData| data.maps.push(DataMap { implicit, ..copy("n", n, 4) });
    p.construct(ConstructKind::Parallel, clauses, |p| {
        _ = p.at().load(Type::I32, address);
        inside(p, n);
    });
    let mut module = p.finish();
    run_to(&mut module, &mut Single::default(), "outline");
    match region(&module).0.params[..] {
        [RegionParam { how: PassHow::Value(Type::I32), .. }] => true,
        [RegionParam { how: PassHow::Address, .. }] => false,
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn a_scalar_that_is_only_read_travels_by_value() {
    let write = |p: &mut Program, n: Operand| p.at().store(Address { base: n, offset: 0 }, int(9));
    let nothing = |_: &mut Program, _: Operand| {};
    assert!(travels(true, nothing, nothing));
    // The host may write it between launches.
    assert!(travels(true, write, nothing));
    assert!(!travels(true, nothing, write));
    // What the programmer asks for is done.
    assert!(!travels(false, nothing, nothing));
    // Who knows the address may have put the object on the device.
    let keep = |p: &mut Program, n: Operand| {
        let kept = p.slot("kept", 8);
        p.at().store(kept, n);
    };
    assert!(!travels(true, keep, nothing));
    let enter = |p: &mut Program, n: Operand| {
        let op = DataOp::new(DataKind::Enter, vec![copy("n", n, 4)], Scheduling::default());
        p.at().op(Op::Data(Box::new(op)));
    };
    assert!(!travels(true, enter, nothing));
}
