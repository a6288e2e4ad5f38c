//! The shapes of `docs/design/reductions.md`, and its rules where shapes meet.

use crate::acc::{
    ConstructData, ConstructKind, Level, LoopKind, RedObject, RedType, ReductionClause, ReductionOp,
    ReductionPart,
};
use crate::entities::{Global, Slot};
use crate::module::Module;
use crate::op::{Address, BinaryOp, CmpOp, ConvertOp, Op, Operand};
use crate::passes::Pipeline;
use crate::passes::testing::machine::Machine;
use crate::passes::testing::{
    INT, Program, Single, copy, directive, reduction, region, run_to, skeleton, sum,
};
use crate::passes::topics;
use crate::types::Type;

const G: Level = Level::Gang;
const W: Level = Level::Worker;
const V: Level = Level::Vector;

fn zero() -> Operand {
    Operand::Int(Type::I32, 0)
}

/// `parallel copy(a)` around `inside`; `a` starts at 1000 and is written to global memory at the end.
fn with_copy(own: bool, inside: impl FnOnce(&mut Program, Slot)) -> Module {
    let mut p = Program::new();
    let out = result_global(&mut p);
    let a = p.slot("a", 4);
    p.at().store(a, Operand::Int(Type::I32, 1000));
    let clauses = |data: &mut ConstructData| {
        data.maps.push(copy("a", Operand::Slot(a), 4));
        if own {
            data.reductions.push(sum("a", a));
        }
    };
    p.construct(ConstructKind::Parallel, clauses, |p| inside(p, a));
    let last = p.at().load(Type::I32, a);
    p.at().store(out, last);
    p.finish()
}

fn result_global(p: &mut Program) -> Global {
    p.module.globals.push(crate::GlobalData::external("out", 4, 4, crate::Init::Zero))
}

fn lowered(module: &Module) -> Vec<String> {
    let mut module = module.clone();
    run_to(&mut module, &mut Single::default(), "reductions");
    skeleton(region(&module).1)
}

/// What the whole program computes, every pass applied.
fn result(module: &Module) -> i64 {
    let mut module = module.clone();
    run_to(&mut module, &mut Single::default(), "simplify-cfg");
    let mut machine = Machine::new(&module);
    machine.call("f", &[]);
    let at = machine.global(Global::from_u32(0));
    machine.read(at, Type::I32) as i64
}

#[test]
fn gang_loop_with_copy_object() {
    let module = with_copy(false, |p, a| {
        p.count(10, Some(directive(&[G], vec![sum("a", a)])), |p, i| p.add_to(a, i));
    });
    assert_eq!(
        lowered(&module),
        [
            "head loop0",
            "setup(RES gang loop0 red0)",
            "fork gang",
            "init(RES gang loop0 red0)",
            "head loop0 inner",
            "<loop0>",
            "tail loop0 inner",
            "lock gang loop0",
            "fini(RES gang loop0 red0)",
            "unlock gang loop0",
            "join gang",
            "teardown(RES gang loop0 red0)",
            "tail loop0",
        ]
    );
    assert_eq!(result(&module), 1045);
}

#[test]
fn worker_loop_with_private_object() {
    let module = with_copy(false, |p, a| {
        let x = p.local("x", Type::I32);
        p.at().assign(x, zero());
        let clause = reduction(ReductionOp::Add, "x", Operand::Local(x), INT);
        p.count(10, Some(directive(&[W], vec![clause])), |p, i| {
            let next = p.at().add(Operand::Local(x), i);
            p.at().assign(x, next);
        });
        p.at().store(a, Operand::Local(x));
    });
    assert_eq!(
        lowered(&module),
        [
            "head loop0",
            "setup(- worker loop0 red0)",
            "fork worker",
            "init(- worker loop0 red0)",
            "head loop0 inner",
            "<loop0>",
            "tail loop0 inner",
            "lock worker loop0",
            "fini(- worker loop0 red0)",
            "unlock worker loop0",
            "join worker",
            "teardown(- worker loop0 red0)",
            "tail loop0",
        ]
    );
    assert_eq!(result(&module), 45);
}

#[test]
fn worker_loop_with_copy_object_gets_a_dummy_gang_reduction() {
    let module = with_copy(false, |p, a| {
        p.count(10, Some(directive(&[W], vec![sum("a", a)])), |p, i| p.add_to(a, i));
    });
    assert_eq!(
        lowered(&module),
        [
            "setup(RES gang loop0 red0)",
            "init(RES gang loop0 red0)",
            "head loop0",
            "setup(- worker loop0 red0)",
            "fork worker",
            "init(- worker loop0 red0)",
            "head loop0 inner",
            "<loop0>",
            "tail loop0 inner",
            "lock worker loop0",
            "fini(- worker loop0 red0)",
            "unlock worker loop0",
            "join worker",
            "teardown(- worker loop0 red0)",
            "tail loop0",
            "lock gang loop0",
            "fini(RES gang loop0 red0)",
            "unlock gang loop0",
            "teardown(RES gang loop0 red0)",
        ]
    );
    assert_eq!(result(&module), 1045);
}

#[test]
fn dummy_gang_reduction_goes_outside_of_the_gang_loop() {
    let module = with_copy(false, |p, a| {
        p.count(3, Some(directive(&[G], vec![])), |p, _| {
            p.count(10, Some(directive(&[V], vec![sum("a", a)])), |p, i| p.add_to(a, i));
        });
    });
    let text = lowered(&module);
    assert_eq!(
        &text[..4],
        ["setup(RES gang loop1 red0)", "init(RES gang loop1 red0)", "head loop0", "fork gang"]
    );
    assert_eq!(
        &text[text.len() - 5..],
        [
            "tail loop0",
            "lock gang loop1",
            "fini(RES gang loop1 red0)",
            "unlock gang loop1",
            "teardown(RES gang loop1 red0)"
        ]
    );
    assert_eq!(text.iter().filter(|line| line.contains("RES")).count(), 4);
    assert_eq!(result(&module), 1135);
}

#[test]
fn combined_worker_and_vector_nest_their_quads() {
    let module = with_copy(false, |p, a| {
        let x = p.local("x", Type::I32);
        p.at().assign(x, zero());
        let clause = reduction(ReductionOp::Add, "x", Operand::Local(x), INT);
        p.count(10, Some(directive(&[W, V], vec![clause])), |p, i| {
            let next = p.at().add(Operand::Local(x), i);
            p.at().assign(x, next);
        });
        p.at().store(a, Operand::Local(x));
    });
    assert_eq!(
        lowered(&module),
        [
            "head loop0",
            "setup(- worker loop0 red0)",
            "fork worker",
            "init(- worker loop0 red0)",
            "setup(- vector loop0 red0)",
            "fork vector",
            "init(- vector loop0 red0)",
            "head loop0 inner",
            "<loop0>",
            "tail loop0 inner",
            "lock vector loop0",
            "fini(- vector loop0 red0)",
            "unlock vector loop0",
            "join vector",
            "teardown(- vector loop0 red0)",
            "lock worker loop0",
            "fini(- worker loop0 red0)",
            "unlock worker loop0",
            "join worker",
            "teardown(- worker loop0 red0)",
            "tail loop0",
        ]
    );
    assert_eq!(result(&module), 45);
}

#[test]
fn reduction_on_parallel_is_a_null_outer_gang_loop() {
    let module = with_copy(true, |p, a| p.add_to(a, Operand::Int(Type::I32, 5)));
    assert_eq!(
        lowered(&module),
        [
            "setup(RES gang outer red0)",
            "init(RES gang outer red0)",
            "lock gang outer",
            "fini(RES gang outer red0)",
            "unlock gang outer",
            "teardown(RES gang outer red0)",
        ]
    );
    assert_eq!(result(&module), 1005);
}

#[test]
fn reduction_on_parallel_consumes_that_of_the_gang_loop() {
    let module = with_copy(true, |p, a| {
        p.add_to(a, Operand::Int(Type::I32, 5));
        p.count(10, Some(directive(&[G], vec![sum("a", a)])), |p, i| p.add_to(a, i));
        p.add_to(a, Operand::Int(Type::I32, 7));
    });
    assert_eq!(
        lowered(&module),
        [
            "setup(RES gang outer red0)",
            "init(RES gang outer red0)",
            "head loop0",
            "fork gang",
            "head loop0 inner",
            "<loop0>",
            "tail loop0 inner",
            "join gang",
            "tail loop0",
            "lock gang outer",
            "fini(RES gang outer red0)",
            "unlock gang outer",
            "teardown(RES gang outer red0)",
        ]
    );
    assert_eq!(result(&module), 1057);
}

#[test]
fn gang_and_vector_loop_inside_a_reduction_on_parallel_keeps_its_vector_quads() {
    let module = with_copy(true, |p, a| {
        p.count(10, Some(directive(&[G, V], vec![sum("a", a)])), |p, i| p.add_to(a, i));
    });
    let text = lowered(&module);
    assert!(text.contains(&"setup(- vector loop0 red1)".to_string()), "{text:?}");
    assert!(!text.iter().any(|line| line.contains("gang loop0")), "{text:?}");
    assert_eq!(result(&module), 1045);
}

#[test]
fn inner_result_is_the_outer_local() {
    let module = with_copy(false, |p, a| {
        p.count(4, Some(directive(&[G, W], vec![sum("a", a)])), |p, _| {
            p.count(10, Some(directive(&[V], vec![sum("a", a)])), |p, i| p.add_to(a, i));
        });
    });
    assert_eq!(
        lowered(&module),
        [
            "head loop0",
            "setup(RES gang loop0 red0)",
            "fork gang",
            "init(RES gang loop0 red0)",
            "setup(- worker loop0 red0)",
            "fork worker",
            "init(- worker loop0 red0)",
            "head loop0 inner",
            "<loop0>",
            "head loop1",
            "setup(- vector loop1 red1)",
            "fork vector",
            "init(- vector loop1 red1)",
            "head loop1 inner",
            "<loop1>",
            "tail loop1 inner",
            "lock vector loop1",
            "fini(- vector loop1 red1)",
            "unlock vector loop1",
            "join vector",
            "teardown(- vector loop1 red1)",
            "tail loop1",
            "tail loop0 inner",
            "lock worker loop0",
            "fini(- worker loop0 red0)",
            "unlock worker loop0",
            "join worker",
            "teardown(- worker loop0 red0)",
            "lock gang loop0",
            "fini(RES gang loop0 red0)",
            "unlock gang loop0",
            "join gang",
            "teardown(RES gang loop0 red0)",
            "tail loop0",
        ]
    );
    assert_eq!(result(&module), 1180);
}

#[test]
fn rewriting_is_inhibited_inside_and_active_outside() {
    let mut module = with_copy(false, |p, a| {
        p.at().store(a, Operand::Int(Type::I32, 5));
        p.count(10, Some(directive(&[W], vec![sum("a", a)])), |p, i| p.add_to(a, i));
        p.add_to(a, Operand::Int(Type::I32, 100));
    });
    assert_eq!(result(&module), 150);
    run_to(&mut module, &mut Single::default(), "map-vars");
    let body = region(&module).1;
    let mut inside = 0;
    let mut outside = 0;
    for &block in &body.order {
        for inst in &body.blocks[block].insts {
            if matches!(inst.op, Op::Load { .. } | Op::Store { .. }) {
                *if body.blocks[block].loop_.is_some() { &mut inside } else { &mut outside } += 1;
            }
        }
    }
    assert_eq!((inside, outside), (0, 3));
}

#[test]
fn several_variables_share_the_locked_section() {
    let module = with_copy(false, |p, a| {
        let b = p.slot("b", 4);
        p.at().store(b, zero());
        p.count(10, Some(directive(&[W], vec![sum("a", a), sum("b", b)])), |p, i| {
            p.add_to(a, i);
            p.add_to(b, i);
        });
        let b = p.at().load(Type::I32, b);
        p.add_to(a, b);
    });
    let text = lowered(&module);
    assert_eq!(text.iter().filter(|line| line.starts_with("lock worker")).count(), 1);
    let lock = text.iter().position(|line| line == "lock worker loop0").expect("a lock");
    assert_eq!(text[lock + 1..lock + 3], ["fini(- worker loop0 red0)", "fini(- worker loop0 red1)"]);
    assert_eq!(result(&module), 1090);
}

#[test]
fn sequential_loops_get_nothing() {
    let module = with_copy(false, |p, a| {
        let mut seq = directive(&[], vec![sum("a", a)]);
        seq.kind = LoopKind::Seq;
        p.count(10, Some(seq), |p, i| p.add_to(a, i));
    });
    assert_eq!(lowered(&module), ["<loop0>"]);
    assert_eq!(result(&module), 1045);
}

#[test]
fn local_used_otherwise_escapes() {
    // The specification's reading: the private copy starts at 0, and is added to the original.
    let assigned = with_copy(true, |p, a| p.at().store(a, Operand::Int(Type::I32, 23)));
    assert!(lowered(&assigned)[0].contains("escapes"));
    assert_eq!(result(&assigned), 1023);

    let read = with_copy(false, |p, a| {
        let b = p.slot("b", 4);
        p.count(10, Some(directive(&[G], vec![sum("a", a)])), |p, i| {
            p.add_to(a, i);
            let seen = p.at().load(Type::I32, a);
            p.at().store(b, seen);
        });
    });
    assert!(lowered(&read)[1].contains("escapes"));
    assert_eq!(result(&read), 1045);

    // What an inner reduction of the same variable does is no use of the outer LOCAL.
    let nested = with_copy(false, |p, a| {
        p.count(2, Some(directive(&[G], vec![sum("a", a)])), |p, _| {
            p.count(3, Some(directive(&[V], vec![sum("a", a)])), |p, i| p.at().store(a, i));
        });
    });
    let text = lowered(&nested);
    assert!(text.contains(&"setup(RES gang loop0 red0)".to_string()), "{text:?}");
    assert!(text.contains(&"setup(- vector loop1 red1 escapes)".to_string()), "{text:?}");
    assert_eq!(result(&nested), 1004);
}

#[test]
fn maximum_by_branch_is_an_accumulation() {
    let best = |cmp: CmpOp| {
        with_copy(false, |p, a| {
            let clause = reduction(ReductionOp::Max, "a", Operand::Slot(a), INT);
            p.count(10, Some(directive(&[G], vec![clause])), |p, i| {
                let [then, join] = [(); 2].map(|()| p.block());
                let candidate = p.at().mul(i, Operand::Int(Type::I32, 200));
                let old = p.at().load(Type::I32, a);
                let better = p.at().compare(cmp, candidate, old);
                p.at().branch(better, then, join);
                p.block = then;
                p.at().store(a, candidate);
                p.go(join);
            });
        })
    };
    assert!(!lowered(&best(CmpOp::Gt))[1].contains("escapes"));
    assert_eq!(result(&best(CmpOp::Gt)), 1800);
    // The wrong way round it is no maximum.
    assert!(lowered(&best(CmpOp::Lt))[1].contains("escapes"));
}

#[test]
fn taken_addresses_keep_local_in_memory() {
    let module = with_copy(false, |p, a| {
        let q = p.local("q", Type::Ptr);
        p.count(10, Some(directive(&[W], vec![sum("a", a)])), |p, i| {
            p.at().assign(q, Operand::Slot(a));
            p.add_to(q, i);
        });
    });
    assert_eq!(result(&module), 1045);
    let mut module = module;
    run_to(&mut module, &mut Single::default(), "reductions");
    let body = region(&module).1;
    let takes = |op: &Op| matches!(op, Op::Copy { src: Operand::Slot(slot), .. } if body.slots[*slot].kind == crate::SlotKind::Frame);
    assert!(body.order.iter().any(|&b| body.blocks[b].insts.iter().any(|inst| takes(&inst.op))));
}

/// A loop over lanes that writes what the gang loop around it reduces, and has no clause: its threads race
/// for one object, as no thread may go on with a value of its own. With the clause, LOCAL is a local.
#[test]
fn what_threads_write_without_a_clause_is_one_object() {
    let in_memory = |clauses: bool| {
        let mut module = with_copy(false, |p, a| {
            p.count(4, Some(directive(&[G], vec![sum("a", a)])), |p, _| {
                let inner = if clauses { vec![sum("a", a)] } else { Vec::new() };
                p.count(10, Some(directive(&[V], inner)), |p, i| p.add_to(a, i));
            });
        });
        run_to(&mut module, &mut Single::default(), "reductions");
        region(&module).1.slots.values().any(|slot| slot.declared_in.is_some())
    };
    assert!(in_memory(false));
    assert!(!in_memory(true));
}

#[test]
fn small_integers_are_promoted_between_the_calls() {
    let mut p = Program::new();
    let out = result_global(&mut p);
    let a = p.slot("a", 1);
    p.at().store(a, Operand::Int(Type::I8, 100));
    let ty = RedType { ty: Type::I8, signed: true, boolean: false };
    let clauses = |data: &mut ConstructData| data.maps.push(copy("a", Operand::Slot(a), 1));
    p.construct(ConstructKind::Parallel, clauses, |p| {
        let clause = reduction(ReductionOp::Add, "a", Operand::Slot(a), ty);
        p.count(100, Some(directive(&[G, V], vec![clause])), |p, _| {
            let old = p.at().load(Type::I8, a);
            let new = p.at().add(old, Operand::Int(Type::I8, 1));
            p.at().store(a, new);
        });
    });
    let last = p.at().load(Type::I8, a);
    let wide = p.at().convert(ConvertOp::SExt, Type::I32, last);
    p.at().store(out, wide);
    let module = p.finish();
    assert_eq!(result(&module), i64::from(200u8 as i8));
    let mut module = module;
    run_to(&mut module, &mut Single::default(), "reductions");
    let body = region(&module).1;
    for &block in &body.order {
        for inst in &body.blocks[block].insts {
            if let Op::Reduction(call) = &inst.op
                && let RedObject::Scalar { dst, .. } = call.object
            {
                assert_eq!(body.locals[dst].ty, Type::I32);
            }
        }
    }
}

/// `int a[4]`, element `i % 4` counted up for each `i` below 10.
fn array_program(levels: &[Level], through_pointer: bool) -> Module {
    let mut p = Program::new();
    let out = result_global(&mut p);
    let a = p.slot("a", 16);
    for n in 0..4 {
        p.at().store(Address::from(a).plus(4 * n), Operand::Int(Type::I32, 1000 * n));
    }
    let pointer = p.local("p", Type::Ptr);
    p.at().assign(pointer, Operand::Slot(a));
    let var = if through_pointer { Operand::Local(pointer) } else { Operand::Slot(a) };
    let clauses = |data: &mut ConstructData| {
        let mut map = copy("a", var, 16);
        map.start = Operand::Slot(a);
        map.pointer_bias = through_pointer.then_some(Operand::Int(Type::I64, 0));
        data.maps.push(map);
    };
    p.construct(ConstructKind::Parallel, clauses, |p| {
        let count = Some(Operand::Int(Type::I64, 4));
        let clause = ReductionClause {
            pointee: through_pointer,
            parts: vec![ReductionPart { offset: 0, ty: INT, count }],
            ..reduction(ReductionOp::Add, if through_pointer { "p" } else { "a" }, var, INT)
        };
        p.count(10, Some(directive(levels, vec![clause])), |p, i| {
            let low = p.at().binary(BinaryOp::And, i, Operand::Int(Type::I32, 3));
            let index = p.at().convert(ConvertOp::SExt, Type::I64, low);
            let at = p.at().index(var, index, 4, 0);
            p.add_to(Address::at(at), Operand::Int(Type::I32, 1));
        });
    });
    // A checksum in which each element counts differently.
    let mut total = zero();
    for n in 0..4 {
        let element = p.at().load(Type::I32, Address::from(a).plus(4 * n));
        let weighted = p.at().mul(element, Operand::Int(Type::I32, 10_i64.pow(n as u32)));
        total = p.at().add(total, weighted);
    }
    p.at().store(out, total);
    p.finish()
}

#[test]
fn arrays_are_reduced_element_by_element() {
    let expected = 3 + 1003 * 10 + 2002 * 100 + 3002 * 1000;
    for levels in [&[G][..], &[W], &[V], &[G, W, V]] {
        for through_pointer in [false, true] {
            let module = array_program(levels, through_pointer);
            assert_eq!(result(&module), expected, "{levels:?} through a pointer: {through_pointer}");
        }
    }
}

#[test]
fn dummy_reductions_are_explained() {
    let explained = |module: &Module| {
        let report = run_to(&mut module.clone(), &mut Single::default(), "reductions");
        report.decisions.into_iter().find(|d| d.topic == topics::REDUCTION).map(|d| d.text)
    };
    let redundant = with_copy(false, |p, a| {
        p.count(10, Some(directive(&[W], vec![sum("a", a)])), |p, i| p.add_to(a, i));
    });
    assert!(explained(&redundant).is_some_and(|text| text.contains("multiplies")));
    let gang = with_copy(false, |p, a| {
        p.count(10, Some(directive(&[G, W], vec![sum("a", a)])), |p, i| p.add_to(a, i));
    });
    assert_eq!(explained(&gang), None);
}

#[test]
fn every_stage_reads_back() {
    let module = with_copy(true, |p, a| {
        p.count(4, Some(directive(&[G, W], vec![sum("a", a)])), |p, _| {
            p.count(10, Some(directive(&[V], vec![sum("a", a)])), |p, i| p.add_to(a, i));
        });
    });
    for module in [module, array_program(&[W, V], true)] {
        for pass in Single::PASSES {
            let mut stage = module.clone();
            run_to(&mut stage, &mut Single::default(), pass.name);
            let text = crate::text::print(&stage);
            let back = crate::text::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", pass.name));
            assert_eq!(crate::text::print(&back), text, "{}", pass.name);
        }
    }
}
