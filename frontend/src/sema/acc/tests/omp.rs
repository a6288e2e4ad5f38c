//! The subset of OpenMP.

use super::super::levels::{bits, explicit};
use super::super::visit::{Visit, walk_stmt};
use super::{analyse_with, check_with, in_function, summary};
use crate::options::Options;
use crate::typed::*;

fn check(body: &str) {
    check_with(&in_function(body), true);
}

#[test]
fn target_becomes_a_compute_construct() {
    let lines = |body: &str| summary(&in_function(body), true);
    assert_eq!(
        lines("#pragma omp target map(tofrom: arr) map(to: a[0:n])\narr[0] = a[0] + s;"),
        ["Serial Copy(arr: object) CopyIn(a[0:n]: section 0+?) firstprivate(s)"]
    );
    assert_eq!(
        lines(
            "#pragma omp target teams distribute parallel for reduction(+:x) map(to: arr)\nfor (i = 0; i < 10; i++) x += arr[i];"
        ),
        ["Parallel CopyIn(arr: object) implicit Copy(x: object)", "loop Independent x1 private(i) Add(x)"]
    );
    assert_eq!(lines("#pragma omp target data map(alloc: arr)\n;"), ["data Create(arr: object)"]);
    assert_eq!(lines("#pragma omp target update to(arr) from(x)").len(), 1);
    assert_eq!(
        lines("#pragma omp target exit data map(delete: arr)"),
        ["Exit { finalize: false } Delete(arr: object)"]
    );
}

#[test]
fn what_runs_in_place() {
    check(
        "#pragma omp parallel\n{\n#pragma omp single\n{\n#pragma omp task depend(out: x) firstprivate(s)\n{ x = s; s = 3; }\n#pragma omp taskwait\n}\n}",
    );
    check("#pragma omp critical\nx = 1;\n#pragma omp barrier");
    check("#pragma omp task if(st) //~ clause-argument\n;");
    check("#pragma omp task map(to: x) //~ clause-not-allowed\n;");
    check("#pragma omp target map(release: x) //~ data-item\n;");
}

/// The levels of the loops of a function body, outer ones first.
fn levels(body: &str) -> Vec<String> {
    struct Levels(Vec<String>);
    impl Visit for Levels {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Compute(c) = &stmt.kind {
                let gangs: Vec<String> = c.dims.num_gangs.iter().map(super::constant).collect();
                self.0.push(format!("{:?}({})", c.kind, gangs.concat()));
            }
            if let StmtKind::Loop(l) = &stmt.kind {
                let used = explicit(l);
                let names: Vec<&str> =
                    bits::ALL.iter().filter(|(bit, _)| used & bit != 0).map(|(_, name)| *name).collect();
                self.0.push(if names.is_empty() { format!("{:?}", l.kind) } else { names.join(" ") });
            }
            walk_stmt(self, stmt);
        }
        fn expr(&mut self, _: &Expr) {}
    }
    let source = in_function(body);
    let outcome = analyse_with(&source, Options { openmp: true, ..Options::default() });
    let Some(unit) = outcome.unit else { panic!("rejected: {:?}\n{source}", outcome.diagnostics) };
    let mut levels = Levels(Vec::new());
    for function in &unit.functions {
        function.body.iter().flat_map(|b| &b.body).for_each(|stmt| levels.stmt(stmt));
    }
    levels.0
}

#[test]
fn split_and_combined_constructs_use_the_same_levels() {
    const LOOP: &str = "for (i = 0; i < 10; i++) arr[i] = i;";
    let all = ["Parallel()", "gang worker vector"];
    for directives in [
        "target teams distribute parallel for",
        "target teams loop",
        "target teams\n#pragma omp distribute parallel for",
        "target\n#pragma omp teams distribute parallel for",
        "target\n#pragma omp teams\n#pragma omp distribute parallel for simd",
    ] {
        assert_eq!(levels(&format!("#pragma omp {directives}\n{LOOP}")), all, "{directives}");
    }
    let one = ["Parallel(1)", "worker vector"];
    for directives in [
        "target parallel for",
        "target\n#pragma omp parallel for simd",
        "target parallel\n#pragma omp for",
        "target parallel loop",
        "target\n#pragma omp loop",
    ] {
        assert_eq!(levels(&format!("#pragma omp {directives}\n{LOOP}")), one, "{directives}");
    }
    assert_eq!(levels(&format!("#pragma omp target simd\n{LOOP}")), ["Parallel(1)", "vector"]);
    assert_eq!(levels(&format!("#pragma omp target teams distribute\n{LOOP}")), ["Parallel()", "gang"]);
    assert_eq!(levels(&format!("#pragma omp target\n{LOOP}")), ["Serial()"]);
}

#[test]
fn inner_constructs_take_the_levels_that_are_left() {
    let nest = |outer: &str, inner: &str| {
        levels(&format!(
            "#pragma omp {outer}\nfor (i = 0; i < 4; i++) {{\n#pragma omp {inner}\nfor (j = 0; j < 5; j++) mat[i][j] = j; }}"
        ))
    };
    assert_eq!(nest("target teams distribute", "parallel for"), ["Parallel()", "gang", "worker vector"]);
    assert_eq!(nest("target teams distribute parallel for", "simd"), ["Parallel()", "gang worker", "vector"]);
    assert_eq!(nest("target teams loop", "loop"), ["Parallel()", "gang", "worker vector"]);
    assert_eq!(nest("target parallel for", "parallel for"), ["Parallel(1)", "worker vector", "Seq"]);
    // What one thread at a time executes is for one thread of each team.
    let critical = "for (i = 0; i < 4; i++)\n#pragma omp critical\nx += i;";
    assert_eq!(
        levels(&format!("#pragma omp target teams distribute parallel for\n{critical}")),
        ["Parallel()", "gang"]
    );
    // Code beside the loops makes a team of one thread.
    let mixed = "{ s = 1;\n#pragma omp for\nfor (i = 0; i < 4; i++) arr[i] = s; }";
    assert_eq!(levels(&format!("#pragma omp target parallel\n{mixed}")), ["Serial()", "Seq"]);
    let chunks = "for (i = 8; i < 10; i++) arr[i] = arr[i - 8];";
    assert_eq!(
        levels(&format!("#pragma omp target simd safelen(8)\n{chunks}")),
        ["Parallel(1)", "Seq", "vector"]
    );
    assert_eq!(levels(&format!("#pragma omp target simd safelen(1)\n{chunks}")), ["Serial()", "Seq"]);
}

#[test]
fn implicit_mappings_are_those_of_openmp() {
    let lines = |body: &str| summary(&in_function(body), true);
    assert_eq!(
        lines("#pragma omp target data map(tofrom: x, arr)\n#pragma omp target\nx = arr[0] + a[1];"),
        [
            "data Copy(x: object) Copy(arr: object)",
            "Serial implicit Copy(arr: object) implicit NoCreate(a: pointer) firstprivate(x)"
        ]
    );
    assert_eq!(
        lines(
            "#pragma omp target defaultmap(tofrom: scalar) defaultmap(firstprivate: aggregate)\nx = arr[0];"
        ),
        ["Serial implicit Copy(x: object) firstprivate(arr)"]
    );
    check("#pragma omp target defaultmap(none)\nx = 1; //~ default-none");
    check("#pragma omp target teams default(firstprivate) //~ omp-unsupported\nx = 1;");
}

#[test]
fn what_devices_do_not_have() {
    check("#pragma omp target\n{ x = 1;\n#pragma omp teams //~ construct-nesting\n; }");
    check("#pragma omp target\n#pragma omp task //~\n x = 1; //~ omp-unsupported");
    check("#pragma omp target\n#pragma omp task shared(x)\n x = 1;");
    check("#pragma omp target in_reduction(+: x) //~ clause-not-allowed\nx = 1;");
    check("#pragma omp target ompx_bare //~ unknown-clause\nx = 1;");
    check("#pragma omp target map(too: x) //~ unknown-modifier\nx = 1;");
    check("#pragma omp target enter data map(from: arr) //~ data-item");
    check("#pragma omp declare target (s) //~ declare-placement");
    check_with("#pragma omp requires reverse_offload //~ omp-unsupported\n", true);
    check_with("#pragma omp requires unified_shared_memory //~ omp-requires\n", true);
    check_with("int n;\n#pragma omp declare target indirect to(n) //~ unsupported-clause\n", true);
}
