//! Directives and clauses: what is accepted, what is an error, and what the tree says.

use super::{accept, errors, parse};
use crate::ast::{BlockItem, Item, StmtKind};
use crate::directive::{Clause, ClauseKind, DirectiveKind};
use accrue_ir::{MapKind, MapModifiers};

/// `text` in a function that declares some names.
fn within(text: &str) -> String {
    format!(
        "struct s {{ int a, *p; struct {{ int b[9]; }} t[4]; }};\n\
         void f(int n, float *a, float **pp, struct s s, struct s *q, int b[9][9]) {{ int i, j, x, y; float r;\n{text}\n}}"
    )
}

/// The line that `text` starts on in [`within`].
const FIRST: u32 = 3;

/// The clauses of the only directive of `text`.
fn clauses(text: &str) -> Vec<Clause> {
    let (session, mut unit) = parse(&within(&format!("#pragma acc {text}\nfor (;;) ;")));
    assert!(session.sink.list().is_empty(), "{text}\n{:#?}", session.sink.list());
    let Some(Item::Function(function)) = unit.items.last_mut() else { panic!("no function") };
    let StmtKind::Compound(items) = &mut function.body.kind else { panic!("no block") };
    for item in items {
        if let BlockItem::Stmt(statement) = item
            && let StmtKind::Directive(directive, _) = &mut statement.kind
        {
            return std::mem::take(&mut directive.clauses);
        }
    }
    panic!("no directive in {text}")
}

#[test]
fn every_directive_and_clause_of_openacc() {
    let loops = [
        "parallel loop gang worker vector collapse(2) reduction(+:r)",
        "kernels loop independent, gang(num: 4, static: *), worker(num: 2), vector(length: 32)",
        "serial loop seq tile(*, 4)",
        "loop gang(static: n) worker(2) vector(n) auto private(x, y)",
        "loop gang(dim: 2) collapse(force: 2) device_type(nvidia) vector dtype(*) seq",
        "loop gang(n, static: 3) reduction(max: r) reduction(&&: x, y)",
        "loop gang(num: 3, dim: 1, static: *)",
    ];
    for directive in loops {
        accept(&within(&format!("#pragma acc {directive}\nfor (i = 0; i < n; i++) ;")));
    }
    let blocks = [
        "parallel if(n > 1) self(n) async wait num_gangs(4) num_workers(n) vector_length(32) default(none)",
        "parallel self async(1) wait(1, 2) num_gangs(1, 2, 3) default(present) firstprivate(x) private(b)",
        "parallel wait(devnum: 0 : queues: 1, 2) wait(queues: 3) wait(devnum: 1: 4)",
        "parallel copy(a[0:n]) copyin(a[:n]) copyout(b[1:2][0:9]) create(b[:][:]) no_create(x) present(y)",
        "parallel copyin(readonly: a[0:n]) copyout(zero: b) create(zero: x) copy(always, capture: y)",
        "parallel copy(alwaysin: x) copyout(alwaysout: y) copy(alwaysin, alwaysout: r)",
        "parallel pcopy(x) pcopyin(y) pcopyout(r) pcreate(b) deviceptr(a)",
        "parallel present_or_copy(x) present_or_copyin(y) present_or_copyout(r) present_or_create(b)",
        "kernels copy(s.a, s.p[0:n], s.t[1].b[0:3], q->p[0:n], *a, (*q).a, pp[0:n][0:n]) attach(q->p)",
        "serial reduction(*:x) reduction(|:y) reduction(^:i) reduction(&:j) reduction(min:r) reduction(||:n)",
        "data copy(x), create(y),if(n)",
        "host_data use_device(a, b) if(1) if_present",
        "serial device_type(host, not_host, NVIDIA, radeon, multicore, default, xyz) async(2)",
    ];
    for directive in blocks {
        accept(&within(&format!("#pragma acc {directive}\n{{ x = 1; }}")));
    }
    let standalone = [
        "enter data copyin(a[0:n]) create(zero: x) attach(q->p) async(1) wait(2) if(n)",
        "exit data copyout(a[0:n]) delete(x) detach(q->p) finalize",
        "update self(x) host(y) device(a[0:n]) if_present async wait(1) if(1)",
        "wait",
        "wait(1, 2) async(3) if(n)",
        "wait(devnum: n : queues : 1)",
        "wait async",
        "cache(a[i:4], b[i][0:9])",
        "cache(readonly: a[i])",
        "init device_type(nvidia) device_num(0) if(n)",
        "shutdown",
        "set default_async(2) device_num(n)",
        "declare create(x) device_resident(y) link(r)",
        "routine(f) seq bind(\"g\") nohost",
        "routine(f) gang(dim: 2) bind(g)",
    ];
    for directive in standalone {
        accept(&within(&format!("#pragma acc {directive}\nx = 1;")));
    }
    let atomic = ["atomic", "atomic read", "atomic write", "atomic update", "atomic capture"];
    for directive in atomic {
        accept(&within(&format!("#pragma acc {directive}\nx = y;")));
    }
}

#[test]
fn what_clauses_say() {
    let list = clauses("parallel loop copyin(readonly, always: a[0:n], x) pcreate(y)");
    let [copyin, create] = &list[..] else { panic!("{list:#?}") };
    let ClauseKind::Data(MapKind::CopyIn, modifiers, vars) = &copyin.kind else { panic!("{copyin:#?}") };
    let wanted =
        MapModifiers { readonly: true, always_in: true, always_out: true, ..MapModifiers::default() };
    assert_eq!(*modifiers, wanted);
    assert_eq!(vars.len(), 2);
    assert!(
        matches!(&create.kind, ClauseKind::Data(MapKind::Create, none, _) if *none == MapModifiers::default())
    );

    let list = clauses("loop gang(static: *, 3) tile(*, 4)");
    let [gang, tile] = &list[..] else { panic!("{list:#?}") };
    assert!(
        matches!(&gang.kind, ClauseKind::Gang(Some(args)) if args.num.is_some() && matches!(args.static_, Some(None)))
    );
    assert!(matches!(&tile.kind, ClauseKind::Tile(sizes) if sizes[0].is_none() && sizes[1].is_some()));

    let list = clauses("wait(devnum: 1 : queues : 2, 3) async");
    assert!(matches!(list[..], [Clause { kind: ClauseKind::Async(None), .. }]));
    assert!(matches!(clauses("update self(x)")[0].kind, ClauseKind::Data(MapKind::UpdateSelf, ..)));
    assert!(matches!(clauses("serial loop self")[0].kind, ClauseKind::SelfCondition(None)));
    // A variable may have the name of a modifier or an argument.
    accept(
        "void f(int num, int length, int zero) {\n#pragma acc parallel loop gang(num) vector(length) copy(zero)\nfor (;;) ; }",
    );
    accept("void f(int n, int *p) {\n#pragma acc parallel loop gang(static: * p)\nfor (;;) ; }");
}

#[track_caller]
fn check(cases: &[(&str, &[(u32, &str)])]) {
    for (text, expected) in cases {
        let found: Vec<_> = errors(&within(text)).into_iter().map(|(line, id)| (line - FIRST, id)).collect();
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn wrong_names_are_errors() {
    check(&[
        ("#pragma acc paralel\nx = 1;", &[(0, "unknown-directive")]),
        ("#pragma acc\nx = 1;", &[(0, "unknown-directive")]),
        ("#pragma acc enter\nx = 1;", &[(0, "unknown-directive")]),
        ("#pragma acc end parallel\nx = 1;", &[(0, "unknown-directive")]),
        (
            "#pragma acc parallel redution(+:x) copi(a[0:n]) num_gangs(3)\nx = 1;",
            &[(0, "unknown-clause"), (0, "unknown-clause")],
        ),
        ("#pragma acc parallel loop vector_lenght(n)\nfor (;;) ;", &[(0, "unknown-clause")]),
        ("#pragma acc parallel default(nine)\nx = 1;", &[(0, "unknown-modifier")]),
        ("#pragma acc parallel copyin(readnly: a[0:n])\nx = 1;", &[(0, "unknown-modifier")]),
        ("#pragma acc loop gang(nam: 3)\nfor (;;) ;", &[(0, "unknown-modifier")]),
        (
            "#pragma acc loop vector(num: 3) worker(length: 2)\nfor (;;) ;",
            &[(0, "unknown-modifier"), (0, "unknown-modifier")],
        ),
        ("#pragma acc loop collapse(froce: 2)\nfor (;;) ;", &[(0, "unknown-modifier")]),
        (
            "#pragma acc parallel reduction(%:x) reduction(mix:x)\nx = 1;",
            &[(0, "reduction-operator"), (0, "reduction-operator")],
        ),
        ("#pragma acc atomic read write\nx = y;", &[(0, "atomic-clauses")]),
        ("#pragma acc atomic update capture\ny = x++;", &[]),
        ("#pragma acc atomic capture update\ny = x++;", &[(0, "atomic-clauses")]),
        ("#pragma acc atomic update capture capture\ny = x++;", &[(0, "atomic-clauses")]),
        ("#pragma acc atomic reed\nx = y;", &[(0, "unknown-clause")]),
        ("#pragma acc loop gang(1, 2)\nfor (;;) ;", &[(0, "duplicate-argument")]),
        ("#pragma acc loop gang(static: 1, static: *)\nfor (;;) ;", &[(0, "duplicate-argument")]),
    ]);
}

#[test]
fn directives_of_both_models_before_a_loop_say_how_to_leave_one_out() {
    for text in
        ["#pragma acc loop\n#pragma omp parallel for\n", "#pragma omp parallel for\n#pragma acc loop\n"]
    {
        let (session, _) = parse(&within(&format!("{text}for (;;) ;")));
        assert!(session.sink.list()[0].notes[0].contains("`-fno-openacc`"), "{text}");
    }
    let (session, _) = parse(&within("#pragma acc loop\n#pragma acc loop\nfor (;;) ;"));
    assert!(session.sink.list()[0].notes.is_empty());
}

#[test]
fn misspelt_names_are_suggested() {
    for (text, note) in [
        ("paralel", "did you mean `parallel`?"),
        ("entr data copyin(x)", "did you mean `enter`?"),
        ("enter_data copyin(x)", "did you mean `enter data`?"),
        ("parallel lop", "did you mean `loop`?"),
        ("parallel redution(+:x)", "did you mean `reduction`?"),
        ("parallel nun_gangs(1)", "did you mean `num_gangs`?"),
        ("parallel copyin(raedonly: x)", "did you mean `readonly`?"),
        ("parallel default(nonr)", "did you mean `none`?"),
    ] {
        let (session, _) = parse(&within(&format!("#pragma acc {text}\nx = 1;")));
        assert_eq!(session.sink.list()[0].notes, [note], "{text}");
    }
}

#[test]
fn syntax_errors_in_clauses_do_not_spread() {
    check(&[
        (
            "#pragma acc parallel async(1 2) copy(x y) wait(,) num_gangs(2)\nx = 1;",
            &[(0, "expected-token"), (0, "expected-token"), (0, "expected-expression")],
        ),
        ("#pragma acc parallel copy(a[0:n)\nx = 1;", &[(0, "expected-token")]),
        ("#pragma acc parallel copy(\nx = 1;", &[(0, "expected-identifier")]),
        (
            "#pragma acc parallel copy() async() if() num_workers\nx = 1;",
            &[
                (0, "expected-identifier"),
                (0, "expected-expression"),
                (0, "expected-expression"),
                (0, "expected-token"),
            ],
        ),
        ("#pragma acc parallel copy(x),, async\nx = 1;", &[(0, "expected-clause")]),
        ("#pragma acc parallel copy(x),\nx = 1;", &[(0, "expected-clause")]),
        ("#pragma acc parallel, copy(x)\nx = 1;", &[(0, "expected-clause")]),
        ("#pragma acc parallel copy(x) 3\nx = 1;", &[(0, "expected-clause")]),
        ("#pragma acc parallel copy(x) }\nx = 1;", &[(0, "expected-clause")]),
        (
            "#pragma acc parallel copy(x[1:2:3]) copy(3)\nx = 1;",
            &[(0, "expected-token"), (0, "expected-identifier")],
        ),
        (
            "#pragma acc cache\n#pragma acc cache a[1]\n#pragma acc cache(a[1]) copy(x)\nx = 1;",
            &[(0, "expected-token"), (1, "expected-token"), (2, "expected-token")],
        ),
        ("#pragma acc wait(1\nx = 1;", &[(0, "expected-token")]),
        (
            "#pragma acc routine()\n#pragma acc routine(f, f)\nx = 1;",
            &[(0, "expected-identifier"), (1, "expected-token")],
        ),
        ("#pragma acc parallel if(({ x = 1; x; }))\nx = 1;", &[]),
        ("#pragma acc parallel if(({ x = 1;\nx = 1;", &[(0, "expected-token")]),
    ]);
}

#[test]
fn directives_stand_where_they_may() {
    check(&[
        ("if (x)\n#pragma acc wait\nx = 1;", &[(1, "misplaced-directive")]),
        ("while (x)\n#pragma acc update self(x)\nx = 1;", &[(1, "misplaced-directive")]),
        ("l:\n#pragma acc enter data copyin(x)\nx = 1;", &[(1, "misplaced-directive")]),
        ("switch (x) { case 1:\n#pragma acc exit data delete(x)\nx = 1; }", &[(1, "misplaced-directive")]),
        ("if (x)\n#pragma acc cache(a[1])\nx = 1;", &[]),
        ("if (x)\n#pragma acc parallel\nx = 1; else\n#pragma acc kernels\nx = 2;", &[]),
        (
            "l:\n#pragma acc parallel\nx = 1; switch (x) { case 1:\n#pragma acc parallel loop\nfor (;;) ; x = 2;\n#pragma acc wait\ncase 2: ; }",
            &[],
        ),
        ("#pragma acc loop\n}\nvoid g(void) {", &[(1, "expected-loop")]),
        ("#pragma acc parallel\n}\nvoid g(void) {", &[(1, "expected-statement")]),
        ("#pragma acc parallel loop\n{ x = 1; }\nx = 2;", &[(1, "expected-loop")]),
        ("#pragma acc loop\n#pragma acc loop\nfor (;;) ;", &[(1, "expected-loop")]),
        ("#pragma acc loop\n(i = 0; i < n; i++) x = i;\nx = 2;", &[(1, "expected-loop")]),
        ("if (x)\n#pragma acc loop\nwhile (x) ;\nelse x = 2;", &[(2, "expected-loop")]),
        ("if (x)\n#pragma acc paralel\n{ x = 1; }\nelse x = 2;", &[(1, "unknown-directive")]),
        ("#pragma acc data copy(x)\nint z;\nx = 1;", &[(1, "expected-statement")]),
        ("x = 1 +\n#pragma acc wait\n2; y = 1;", &[(0, "expected-expression")]),
        ("struct t {\n#pragma acc update\nint a; };", &[(1, "misplaced-directive")]),
        ("int g(\n#pragma acc routine\nvoid);", &[(1, "misplaced-directive")]),
        ("#pragma omp end declare target\nx = 1;", &[(0, "misplaced-directive")]),
        ("_Pragma(\"acc parallel loop\") for (;;) ;", &[]),
        ("#pragma acc parallel \\\n  copy(x) \\\n  asink\nx = 1;", &[(2, "unknown-clause")]),
    ]);
    assert_eq!(
        errors("#pragma acc update self(x)\nint x;\n#pragma acc wait\n#pragma acc declare create(x)\n"),
        [(1, "misplaced-directive"), (3, "misplaced-directive"),]
    );
}

#[test]
fn routine_without_a_name_is_followed_by_a_function() {
    let wrong = "routine-without-function";
    for (text, expected) in [
        ("#pragma acc routine\nint f(void);", &[][..]),
        ("#pragma acc routine seq\nstatic int f(int a) { return a; }", &[]),
        ("typedef int F(void);\n#pragma acc routine\nF f;", &[]),
        ("#pragma acc routine\n_Static_assert(1, \"\"); int f(void);", &[]),
        ("#pragma acc routine\n__extension__ extern void f();", &[]),
        ("#pragma acc routine\nint a;", &[(1, wrong)]),
        ("#pragma acc routine\nint f(void), g(void);", &[(1, wrong)]),
        ("#pragma acc routine\nint (*p)(void);", &[(1, wrong)]),
        ("#pragma acc routine\ntypedef int F(void);", &[(1, wrong)]),
        ("#pragma acc routine\n#pragma acc routine\nint f(void);", &[(1, wrong)]),
        ("#pragma acc routine", &[(1, wrong)]),
        ("void f(void) {\n#pragma acc routine\n}", &[(2, wrong)]),
        ("void f(void) {\n#pragma acc routine\nint g(void); g(); }", &[]),
        ("void f(void) {\n#pragma acc routine\nf(); int g(void); }", &[(2, wrong)]),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn openmp() {
    let accepted = [
        "target map(to: a[0:n]) map(tofrom: x) map(always, from: y) map(r) nowait depend(in: x) device(1)\n;",
        "target data map(alloc: b)\n;",
        "task depend(inout: a[0:n], *q) shared(x) firstprivate(y) if(task: n) final(0) untied priority(3)\n;",
        "taskgroup\n;",
        "parallel num_threads(4) default(shared)\n;",
        "single nowait\n;",
        "master\n;",
        "critical (name)\n;",
        "target teams num_teams(4) thread_limit(2)\n;",
        "target teams distribute parallel for simd collapse(2) schedule(static, 4) reduction(+:x)\nfor (;;) ;",
        "parallel for proc_bind(close)\nfor (;;) ;",
        "for nowait\nfor (;;) ;",
        "atomic capture seq_cst\nx = y++;",
        "target enter data map(to: x)",
        "target exit data map(delete: x)",
        "target defaultmap(tofrom: scalar) defaultmap(none: pointer) has_device_addr(x) map(present close to: b)\n;",
        "target data use_device_ptr(a) use_device_addr(b)\n;",
        "target update to(present: x)",
        "simd linear(x: 2) linear(val(y)) lastprivate(z) safelen(4) if(simd: 0)\nfor (;;) ;",
        "target teams num_teams(2 : 4)\n;",
        "target update to(x) from(y)",
        "declare mapper(struct s t) map(t)",
        "taskwait",
        "barrier",
    ];
    for directive in accepted {
        accept(&within(&format!("#pragma omp {directive}\nx = 1;")));
    }
    accept(
        "#pragma omp declare target\nint x;\n#pragma omp end declare target\n#pragma omp declare target (x)\n",
    );
    accept(
        "int x, y;\n#pragma omp begin declare target device_type(any)\nint z;\n#pragma omp end declare target\n\
         #pragma omp declare target enter(x) link(y)\n#pragma omp requires unified_address, dynamic_allocators\n",
    );
    check(&[
        ("#pragma omp tusk\nx = 1;", &[(0, "unknown-directive")]),
        ("#pragma omp declare reduction(foo: int)\nx = 1;", &[(0, "expected-token")]),
        (
            "#pragma omp declare reduction(foo: int: x) initializer(omp_priv = 1\nx = 1;",
            &[(0, "expected-token")],
        ),
        ("#pragma omp scan inclusively(x)\nx = 1;", &[(0, "unknown-modifier")]),
        ("#pragma omp parallel for lastprivate(condition: x)\nfor (;;) ;", &[(0, "unknown-modifier")]),
        ("#pragma omp parallel reduction(3: x)\nx = 1;", &[(0, "reduction-operator")]),
        (
            "#pragma omp task nowiat depend(im: x) indirect(x)\n;",
            &[(0, "unknown-clause"), (0, "unknown-modifier"), (0, "clause-not-allowed")],
        ),
        ("#pragma omp dispatch nowait\nx = 1;", &[(1, "expected-statement")]),
        ("#pragma omp target map(tu: x)\n;", &[(0, "unknown-modifier")]),
        ("#pragma omp target defaultmap(too)\n;", &[(0, "unknown-modifier")]),
        ("#pragma omp target if(targit: x)\n;", &[(0, "unknown-modifier")]),
        ("#pragma omp parallel for\nx = 1;", &[(1, "expected-loop")]),
        (
            "#pragma omp parallel for\n#pragma omp unroll full\nfor (i = 0; i < n; i++) x = i;",
            &[(1, "expected-loop")],
        ),
        ("#pragma omp metadirective default(parallel) when(user={condition(n > 9)}: single)\nx = 1;", &[]),
        (
            "#pragma omp metadirective otherwise(parallel) when(user={condition(n > 9)}: single)\nx = 1;",
            &[(0, "duplicate-argument")],
        ),
        ("#pragma omp metadirective default(parallel) default(single)\nx = 1;", &[(0, "duplicate-argument")]),
        ("#pragma omp parallel for\n{{ for (i = 0; i < n; i++) x = i; }}", &[]),
        (
            "#pragma omp parallel for\n{ for (i = 0; i < n; i++) x = i;\n{ x = 1; } }\nx = 2;",
            &[(2, "expected-loop")],
        ),
        ("#pragma omp parallel for\n{ x = 1; for (i = 0; i < n; i++) x = i; }", &[(1, "expected-loop")]),
        ("#pragma acc loop\n{ for (i = 0; i < n; i++) x = i; }", &[]),
        ("#pragma acc loop\n{ for (i = 0; i < n; i++) x = i; x = 1; }", &[(1, "expected-loop")]),
        ("#pragma acc parallel copyin(zero: x)\n;", &[(0, "unknown-modifier")]),
        ("#pragma acc parallel create(readonly: x)\n;", &[(0, "unknown-modifier")]),
        ("#pragma acc update self(always: x)", &[(0, "unknown-modifier")]),
        ("if (x)\n#pragma omp taskwait\nx = 1;", &[(1, "misplaced-directive")]),
    ]);
    let (_, unit) = parse("void f(int x) {\n#pragma omp atomic write\nx = 1; }");
    let Some(Item::Function(function)) = unit.items.first() else { panic!("no function") };
    let StmtKind::Compound(items) = &function.body.kind else { panic!("no block") };
    let Some(BlockItem::Stmt(statement)) = items.first() else { panic!("no statement") };
    assert!(
        matches!(&statement.kind, StmtKind::Directive(d, Some(_)) if matches!(d.kind, DirectiveKind::Atomic(_)))
    );
}
