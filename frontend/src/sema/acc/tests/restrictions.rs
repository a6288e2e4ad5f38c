//! What OpenMP forbids of the clauses of one directive: each program that is refused has a neighbour that is
//! accepted.

use super::{check_with, in_function};

const LOOP: &str = "for (i = 0; i < 9; i++) x = 1;";

/// A directive in front of something.
fn before(directive: &str, statement: &str) {
    check_with(&in_function(&format!("#pragma omp {directive}\n{statement}")), true);
}

#[test]
fn combined_constructs_take_the_clauses_of_their_parts() {
    let on_loops = [
        ("schedule(static)", "for", "simd"),
        ("schedule(static)", "teams distribute parallel for", "teams distribute"),
        ("schedule(static)", "parallel for", "teams loop"),
        ("num_threads(2)", "parallel for", "for"),
        ("num_threads(2)", "parallel for simd", "simd"),
        ("if(s)", "parallel for", "for"),
        ("shared(x)", "parallel for", "for"),
        ("default(shared)", "parallel for", "for"),
        ("dist_schedule(static)", "teams distribute", "for"),
        ("num_teams(2)", "teams distribute", "for"),
        ("thread_limit(2)", "teams distribute", "for"),
        ("thread_limit(2)", "target parallel for", "parallel for"),
        ("safelen(2)", "for simd", "for"),
        ("simdlen(2)", "simd", "for"),
        ("aligned(a)", "simd", "for"),
        ("nontemporal(a)", "simd", "parallel for"),
        ("proc_bind(close)", "parallel for", "for"),
        ("bind(thread)", "loop", "for"),
        ("firstprivate(s)", "for", "simd"),
        ("nowait", "for", "parallel for"),
        ("nowait", "for simd", "teams distribute"),
        ("nowait", "target parallel for", "teams distribute parallel for"),
        ("ordered", "for", "teams distribute"),
        ("ordered", "parallel for", "teams distribute parallel for"),
        ("linear(s)", "parallel for", "teams distribute parallel for"),
    ];
    for (clause, taken, refused) in on_loops {
        before(&format!("{taken} {clause}"), LOOP);
        before(&format!("{refused} {clause} //~ clause-not-allowed"), LOOP);
    }
}

#[test]
fn clauses_that_exclude_each_other() {
    let on_loops = [
        ("parallel for order(concurrent)", "parallel for order(concurrent) ordered //~ conflicting-clauses"),
        ("simd safelen(8) simdlen(4)", "simd safelen(4) simdlen(8) //~ conflicting-clauses"),
        ("simd simdlen(4)", "simd simdlen(s) //~ clause-argument"),
        ("simd safelen(4)", "simd safelen(0) //~ clause-argument"),
        ("parallel for schedule(auto)", "parallel for schedule(auto, 2) //~ clause-argument"),
        ("parallel for schedule(runtime)", "parallel for schedule(runtime, 2) //~ clause-argument"),
        (
            "parallel for schedule(nonmonotonic: dynamic)",
            "parallel for schedule(nonmonotonic: dynamic) ordered //~ conflicting-clauses",
        ),
        (
            "parallel for schedule(monotonic: dynamic) ordered",
            "parallel for schedule(monotonic, nonmonotonic: dynamic) //~ conflicting-clauses",
        ),
        ("unroll full", "unroll full partial(2) //~ conflicting-clauses"),
        ("unroll partial(2)", "unroll partial(0) //~ clause-argument"),
        ("unroll partial", "unroll partial(s) //~ clause-argument"),
        ("for reduction(task, +: s)", "for nowait reduction(task, +: s) //~ conflicting-clauses"),
        ("parallel for reduction(+: s)", "parallel for simd reduction(task, +: s) //~ conflicting-clauses"),
        ("parallel for if(parallel: s)", "parallel for if(target: s) //~ clause-not-allowed"),
        ("parallel for simd if(simd: s) if(parallel: t)", "parallel for if(s) if(t) //~ duplicate-clause"),
        ("parallel for if(s)", "parallel for if(parallel: s) if(parallel: t) //~ duplicate-clause"),
        ("parallel for simd if(s)", "parallel for simd if(simd: s) if(t) //~ conflicting-clauses"),
    ];
    for (taken, refused) in on_loops {
        before(taken, LOOP);
        before(refused, LOOP);
    }
    before("task if(s)", ";");
    before("task if(taskloop: s)", ";");
    before("task if(parallel: s) //~ clause-not-allowed", ";");
}

#[test]
fn variables_that_clauses_are_not_about() {
    let constant =
        |directive: &str| before(&format!("nothing\nconst int c = 1;\n#pragma omp {directive}"), LOOP);
    constant("parallel for firstprivate(c)");
    constant("parallel for private(c) //~ data-item");
    constant("parallel for lastprivate(c) //~ data-item");
    before("parallel for lastprivate(i)", LOOP);
    before("simd linear(i)", LOOP);
    before("parallel for linear(i) //~ data-item", LOOP);
    before("parallel for reduction(+: i) //~ data-item", LOOP);
    before("parallel for firstprivate(i) //~ data-item", LOOP);
    before("parallel for linear(s) linear(t)", LOOP);
    before("parallel for linear(s) linear(s) //~ duplicate-variable", LOOP);
    before("simd linear(a: 2)", LOOP);
    before("simd linear(x) //~ data-item", LOOP);
    before("simd linear(arr) //~ data-item", LOOP);
    before("simd linear(s: x) //~ clause-argument", LOOP);
    before("parallel for schedule(static, x) //~ clause-argument", LOOP);
    before("for ordered(1) linear(s) //~ conflicting-clauses", LOOP);
    before("target data map(a[0:1]) use_device_ptr(a)", ";");
    before("target data map(s) use_device_ptr(s) //~ data-item", ";");
    before("target is_device_ptr(a)", "a[0] = 1;");
    before("target is_device_ptr(a[0:2]) //~ data-item", "a[0] = 1;");
    before("target map(s) firstprivate(t)", "s = t;");
    before("target map(s) firstprivate(s) //~ duplicate-variable", "s = t;");
    before("target private(s) firstprivate(s) //~ duplicate-variable", "s = t;");
    // What each thread has already is no value of the team's.
    before("parallel firstprivate(s)\n#pragma omp for private(s)", LOOP);
    before("parallel firstprivate(s)\n#pragma omp for firstprivate(s) //~ data-item", LOOP);
    before("parallel private(s)\n#pragma omp single firstprivate(s) //~ data-item", ";");
}

#[test]
fn iterators_take_values_one_after_the_other() {
    before("task depend(iterator(k = 0:3:2), in: arr[k])", ";");
    before("task depend(iterator(k = 0:3:0), in: arr[k]) //~ clause-argument", ";");
    before("task depend(iterator(double k = 0:3), in: arr[0]) //~ clause-argument", ";");
}

#[test]
fn loops_count_towards_their_bounds() {
    before("parallel for", "for (i = 9; i > 0; i -= 2) x = 1;");
    before("parallel for", "for (i = 0; i < 9; i--) x = 1; //~ loop-not-canonical");
    before("parallel for", "for (i = 9; i >= 0; i += 2) x = 1; //~ loop-not-canonical");
}

#[test]
fn default_is_not_about_variables_of_file_scope() {
    before("parallel default(firstprivate)", "s++;");
    before("parallel default(firstprivate) shared(n)", "n++;");
    before("parallel default(firstprivate)", "{ static int own; own++; }");
    before("parallel default(firstprivate)", "n++; //~ default-none");
    before("parallel default(private)", "n++; //~ default-none");
    before("task default(firstprivate)", "n++; //~ default-none");
    before("teams default(firstprivate)", "n++; //~ default-none");
}

#[test]
fn a_nest_that_is_no_box_has_no_chunks() {
    let nest = "for (i = 0; i < 9; i++)\nfor (j = i; j < 9; j++)\n x = 1;";
    before("parallel for collapse(2)", nest);
    before("parallel for schedule(static)", nest);
    before("parallel for collapse(2) schedule(static) //~ loop-not-rectangular", nest);
    before("for collapse(2) schedule(dynamic, 3) //~ loop-not-rectangular", nest);
    before("target teams distribute collapse(2)", nest);
    before("target teams distribute collapse(2) dist_schedule(static, 3) //~ loop-not-rectangular", nest);
    before("target parallel for collapse(2) schedule(static) //~ loop-not-rectangular", nest);
}

#[test]
fn advice_that_no_compiler_needs_is_checked() {
    before("simd aligned(a, arr: 16)", LOOP);
    before("simd aligned(s: 16) //~ data-item", LOOP);
    before("simd aligned(a: 0) //~ clause-argument", LOOP);
    before("simd aligned(a: s) //~ clause-argument", LOOP);
    before("simd aligned(a: 8) aligned(arr: 8)", LOOP);
    before("simd aligned(a: 8) aligned(a: 16) //~ duplicate-variable", LOOP);
    before("simd nontemporal(a, arr)", LOOP);
    before("simd nontemporal(a) nontemporal(a) //~ duplicate-variable", LOOP);
    before("parallel proc_bind(primary)", ";");
    before("parallel proc_bind(any) //~ unknown-modifier", ";");
    before("critical(lock) hint(2 | 4)", "s++;");
    before(
        "critical(lock) hint(2)",
        "{ s++; }\n#pragma omp critical(lock)\ns++;\n#pragma omp critical(o) hint(8)\ns++;",
    );
    before(
        "critical(lock) hint(2)",
        "{ s++; }\n#pragma omp critical(lock) hint(8) //~ clause-argument\ns++;",
    );
    before("task affinity(s, a[0:4]) affinity(iterator(k = 0:4): a[k])", "s++;");
    before("task affinity(5) //~ data-item", "s++;");
    before("critical hint(0)", "s++;");
    before("critical hint(2) //~ missing-clause", "s++;");
    before("critical(lock) hint(s) //~ clause-argument", "s++;");
    before("critical(lock) hint(-1) //~ clause-argument", "s++;");
    before("critical(lock) hint(1 | 2) //~ clause-argument", "s++;");
    before("atomic hint(8)", "s++;");
    before("atomic hint(12) //~ clause-argument", "s++;");
    before("atomic update hint(s) //~ clause-argument", "s++;");
    before("parallel hint(2) //~ clause-not-allowed", ";");
    before("flush", ";");
    before("flush(s, t)", ";");
    before("flush acq_rel", ";");
    before("flush acq_rel (s) //~ conflicting-clauses", ";");
    before("flush relaxed //~ unknown-modifier", ";");
    before("target update to(s) from(t)", ";");
    before("target update to(s) from(s) //~ duplicate-variable", ";");
}

#[test]
fn objects_of_tasks_have_their_types_and_one_meaning() {
    let object = |directive: &str| {
        let text = format!(
            "nothing\nstruct depend {{ void *p[2]; }} d;\nconst struct depend c = {{{{0}}}};\n#pragma omp {directive}"
        );
        before(&text, ";");
    };
    object("depobj(d) depend(in: s)");
    object("depobj(d) update(inout)");
    object("depobj(d) destroy");
    object("depobj(d) //~ missing-clause");
    object("depobj(d) depend(in: s) destroy //~ conflicting-clauses");
    object("depobj(d) depend(in: s, t) //~ data-item");
    object("depobj(d) depend(inout: omp_all_memory) //~ data-item");
    object("depobj(d) depend(depobj: d) //~ clause-argument");
    object("depobj(d) update(depobj) //~ clause-argument");
    object("depobj(c) depend(in: s) //~ data-item");
    object("depobj(s) depend(in: t) //~ data-item");
    before("nothing\nunsigned long event;\n#pragma omp task detach(event)", ";");
    before("task detach(s) //~ data-item", ";");
}
