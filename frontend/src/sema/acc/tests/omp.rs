//! The subset of OpenMP.

use super::{check_with, in_function, summary};

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
        ["Parallel CopyIn(arr: object) implicit Copy(x: object)", "loop Default x1 private(i) Add(x)"]
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
