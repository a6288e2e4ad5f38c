//! Which constructs of OpenMP may stand in which.

use super::{check_with, in_function};

/// Checks a body, `@` in which stands for a loop's head, and `!` for what is at fault in its line.
fn check(body: &str) {
    let body = body.replace('@', "for (int q = 0; q < 10; q++)").replace('!', " //~ construct-nesting");
    check_with(&in_function(&body), true);
}

/// Constructs that not all threads of a team come to, or not equally often.
const OF_SOME_THREADS: [&str; 9] = [
    "#pragma omp for\n@",
    "#pragma omp single",
    "#pragma omp parallel for simd\n@",
    "#pragma omp task",
    "#pragma omp taskloop\n@",
    "#pragma omp critical",
    "#pragma omp masked",
    "#pragma omp master",
    "#pragma omp for ordered\n@\n#pragma omp ordered",
];

#[test]
fn barriers_are_for_whole_teams() {
    for around in OF_SOME_THREADS.iter().filter(|around| !around.contains("simd")) {
        check(&format!("{around}\n{{\n#pragma omp barrier!\n}}"));
        check(&format!("{around}\n{{\n#pragma omp parallel\n{{\n#pragma omp barrier\n}} }}"));
        check(&format!("{around}\n{{\n#pragma omp taskgroup\n{{\n#pragma omp barrier!\n}} }}"));
    }
    check("#pragma omp sections\n{\nx = 1;\n#pragma omp section\n{\n#pragma omp barrier!\n}\n}");
    check("#pragma omp parallel\n{\n#pragma omp barrier\n#pragma omp scope\n{\n#pragma omp barrier\n} }");
    check("#pragma omp task\n#pragma omp target parallel\n{\n#pragma omp barrier\n}");
}

#[test]
fn a_loop_in_a_loop_is_of_one_thread() {
    for outer in ["loop", "loop bind(parallel)"] {
        check(&format!(
            "#pragma omp parallel\n{{\n#pragma omp {outer}\n@\n{{\n#pragma omp loop\n@ x = q;\n}} }}"
        ));
        check(&format!(
            "#pragma omp parallel\n{{\n#pragma omp {outer}\n@\n{{\n#pragma omp loop bind(parallel)!\n@ x = q;\n}} }}"
        ));
    }
    for outer in ["target teams loop", "target teams\n#pragma omp loop", "teams loop bind(teams)"] {
        check(&format!("#pragma omp {outer}\n@\n{{\n#pragma omp loop bind(parallel)\n@ x = q;\n}}"));
    }
    check("#pragma omp target parallel loop\n@\n{\n#pragma omp loop bind(parallel)!\n@ x = q;\n}");
    check("#pragma omp parallel for simd ordered\n@\n{\n#pragma omp ordered threads simd\nx = q;\n}");
    check("#pragma omp parallel for simd ordered\n@\n{\n#pragma omp ordered threads!\nx = q;\n}");
}

#[test]
fn whole_teams_share_work() {
    let shared =
        ["for!\n@", "single!\n", "sections!\n", "scope!\n", "for simd!\n@", "loop bind(parallel)!\n@"];
    for around in OF_SOME_THREADS {
        for inner in shared {
            check(&format!("{around}\n{{\n#pragma omp {inner}\n{{ x = 1; }}\n}}"));
        }
        let simd = around.contains("simd");
        if !simd {
            check(&format!("{around}\n{{\n#pragma omp parallel for\n@ x = 1;\n}}"));
        }
    }
    check("#pragma omp parallel\n{\n#pragma omp single\n#pragma omp loop!\n@ x = 1;\n}");
    check("#pragma omp parallel\n{\n#pragma omp single\n#pragma omp loop bind(thread)\n@ x = 1;\n}");
    check("#pragma omp scope\n{\n#pragma omp single\nx = 1;\n}");
    check("#pragma omp target parallel for\n@ {\n#pragma omp single!\nx = 1;\n}");
}

#[test]
fn masked_and_ordered_regions_take_turns_of_threads() {
    check("#pragma omp for\n@ {\n#pragma omp master!\nx = 1;\n}");
    check("#pragma omp task\n{\n#pragma omp masked!\nx = 1;\n}");
    check("#pragma omp critical\n{\n#pragma omp masked\nx = 1;\n}");
    check("#pragma omp for ordered\n@ {\n#pragma omp critical\n{\n#pragma omp ordered!\nx = 1;\n} }");
    check("#pragma omp for ordered\n@ {\n#pragma omp ordered\n{\n#pragma omp ordered!\nx = 1;\n} }");
    check("#pragma omp for ordered\n@ {\n#pragma omp ordered\n{\n#pragma omp critical\nx = 1;\n} }");
}

#[test]
fn a_critical_section_is_in_none_of_its_name() {
    check("#pragma omp critical\n{\n#pragma omp critical!\nx = 1;\n}");
    check("#pragma omp critical(p)\n{\n#pragma omp critical(r)\n{\n#pragma omp critical(p)!\nx = 1;\n} }");
    check("#pragma omp critical(p)\n{\n#pragma omp parallel\n{\n#pragma omp critical(p)!\nx = 1;\n} }");
    check("#pragma omp critical(p)\n{\n#pragma omp critical\nx = 1;\n}\n#pragma omp critical(p)\nx = 2;");
}

#[test]
fn what_stands_in_simd_and_in_loops_of_any_order() {
    for inner in ["critical", "single", "task", "parallel", "masked", "target", "for\n@", "taskgroup"] {
        let inner = if inner.contains('\n') { inner.replacen('\n', "!\n", 1) } else { format!("{inner}!") };
        check(&format!("#pragma omp simd\n@ {{\n#pragma omp {inner}\nx = 1;\n}}"));
        if !inner.contains("parallel") {
            check(&format!("#pragma omp loop bind(thread)\n@ {{\n#pragma omp {inner}\nx = 1;\n}}"));
            check(&format!("#pragma omp for order(concurrent)\n@ {{\n#pragma omp {inner}\nx = 1;\n}}"));
        }
    }
    check("#pragma omp simd\n@ {\n#pragma omp taskwait!\n}");
    check("#pragma omp simd\n@ {\n#pragma omp atomic\nx += 1;\n#pragma omp ordered simd\nx = 1;\n}");
    check("#pragma omp simd\n@ {\n#pragma omp simd\nfor (int r = 0; r < 3; r++) x = 1;\n}");
    check("#pragma omp loop bind(thread)\n@ {\n#pragma omp atomic\nx += 1;\n#pragma omp parallel\nx = 1;\n}");
    check("#pragma omp loop bind(thread)\n@ {\n#pragma omp parallel\n{\n#pragma omp critical\nx = 1;\n} }");
}

#[test]
fn what_stands_in_leagues() {
    for inner in ["critical", "single", "task", "masked", "for\n@", "simd\n@", "taskgroup", "target"] {
        let inner = if inner.contains('\n') { inner.replacen('\n', "!\n", 1) } else { format!("{inner}!") };
        check(&format!("#pragma omp teams\n{{\n#pragma omp {inner}\nx = 1;\n}}"));
    }
    check("#pragma omp target teams\n{\n#pragma omp barrier!\n}");
    check("#pragma omp teams\n{\n#pragma omp distribute\n@ {\n#pragma omp critical\nx = 1;\n} }");
    check("#pragma omp teams\n{\n#pragma omp parallel\n{\n#pragma omp single\nx = 1;\n} }");
    check("#pragma omp teams\n{\n#pragma omp loop\n@ x = 1;\n#pragma omp atomic\nx += 1;\n}");
    check("#pragma omp parallel\n{\n#pragma omp teams!\nx = 1;\n}");
    check("#pragma omp target data map(x)\n{\n#pragma omp teams!\nx = 1;\n}");
    check("#pragma omp parallel\n{\n#pragma omp distribute!\n@ x = 1;\n}");
    check("#pragma omp distribute\n@ x = 1;");
}

#[test]
fn a_wait_for_tasks_excludes_none() {
    let check = |body: &str| check_with(&in_function(body), true);
    check("#pragma omp taskwait depend(mutexinoutset: x) //~ unknown-modifier\n;");
    check("#pragma omp taskwait depend(inout: x)\n;");
}

/// What is told of the first function depends on an error in the second one, which is parsed later.
#[test]
fn a_directive_with_an_error_keeps_warnings_of_functions_before_it_back() {
    let warned =
        "void f(int s) {\n#pragma acc parallel loop copy(s)\nfor (int i = 0; i < 10; i++) s += i; }\n";
    let outcome = super::analyse(warned, false);
    assert_eq!(outcome.diagnostics.iter().map(|told| told.1).collect::<Vec<_>>(), ["missing-reduction"]);
    let wrong = format!("{warned}void g(void) {{\n#pragma acc paralel\n;}}\n");
    let outcome = super::analyse(&wrong, false);
    assert_eq!(outcome.diagnostics.iter().map(|told| told.1).collect::<Vec<_>>(), ["unknown-directive"]);
}
