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

#[test]
fn one_thread_in_the_place_of_many_is_told() {
    let of_threads = |what: &str| {
        format!("int omp_get_thread_num(void);\n#pragma omp target\n#pragma omp parallel\n{{\n{what}\n}}")
    };
    check(&of_threads("x = 1;\narr[omp_get_thread_num()] = 1;"));
    let ordered = "#pragma omp for ordered\nfor (i = 0; i < 9; i++) {\n#pragma omp ordered\nx = i;\n}";
    check(&of_threads(&format!("{ordered}\narr[omp_get_thread_num()] = 1; //~ omp-one-thread")));
    check(&of_threads("#pragma omp for\nfor (i = 0; i < 9; i++) arr[omp_get_thread_num()] = i;"));
    let loop_ = "for (i = 0; i < 9; i++)";
    check(&format!(
        "#pragma omp declare reduction(also: double: omp_out = omp_in)\n\
         #pragma omp target teams distribute parallel for reduction(also: x)\n{loop_} x += i;\n\
         #pragma omp target parallel for reduction(+: x)\n{loop_} x += i;\n\
         #pragma omp target parallel for reduction(inscan, +: x) //~ omp-one-thread\n{loop_} {{ x += i;\n\
         #pragma omp scan inclusive(x)\narr[i] = x; }}\n\
         #pragma omp target parallel for //~ omp-one-thread\n{loop_}\n{{\n#pragma omp critical\nx += i;\n}}"
    ));
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
    // What one thread at a time executes is for one thread of one team: programs count on it that teams
    // exclude each other, too.
    let critical = "for (i = 0; i < 4; i++)\n#pragma omp critical\nx += i;";
    assert_eq!(
        levels(&format!("#pragma omp target teams distribute parallel for\n{critical}")),
        ["Parallel(1)", "Seq"]
    );
    // Code beside the loops is for all threads of the gang, each of which is an iteration.
    let mixed = "{ s = 1;\n#pragma omp for\nfor (i = 0; i < 4; i++) arr[i] = s; }";
    assert_eq!(levels(&format!("#pragma omp target parallel\n{mixed}")), ["Parallel(1)", "worker vector"]);
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
    check("#pragma omp target simd defaultmap(none) reduction(+ : x)\nfor (int k = 0; k < 9; k++) x += k;");
    check("#pragma omp target defaultmap(none) map(sp->n)\nsp->n = 1;");
    check("#pragma omp target teams default(none) shared(x) shared(arr)\nx = arr[0];");
    check("#pragma omp target parallel default(firstprivate) //~ omp-unsupported\nx = 1;");
    check("#pragma omp target teams default(private) //~ omp-unsupported\nx = 1;");
    check("#pragma omp target teams default(firstprivate)\nx = 1;");
    check("#pragma omp target teams default(firstprivate) map(x) //~ conflicting-clauses\nx = 1;");
    check("#pragma omp target teams default(firstprivate) map(x) shared(x)\nx = 1;");
    check("#pragma omp teams default(none)\nx = 1; //~ default-none");
    check(
        "#pragma omp teams distribute default(none) shared(x)\nfor (i = 0; i < 9; i++) x = s; //~ default-none",
    );
    check(
        "#pragma omp teams distribute default(none) shared(x) firstprivate(s)\nfor (i = 0; i < 9; i++) x = s;",
    );
}

#[test]
fn transformations_take_loops_that_they_can_count() {
    let nest = "for (i = 0; i < 9; i++)\nfor (j = 0; j < 9; j++)\nx += 1;";
    for valid in
        ["tile sizes(n, 4)", "interchange", "interchange permutation(2, 1)", "reverse", "unroll full"]
    {
        check(&format!("#pragma omp {valid}\n{nest}"));
    }
    check(&format!("#pragma omp tile //~ missing-clause\n{nest}"));
    check(&format!("#pragma omp tile sizes(0) //~ clause-value\n{nest}"));
    check(&format!("#pragma omp interchange permutation(1, 1) //~ clause-argument\n{nest}"));
    check(&format!("#pragma omp interchange permutation(3, 1) //~ clause-argument\n{nest}"));
    check(
        "#pragma omp tile sizes(2, 2)\nfor (i = 0; i < 9; i++)\nfor (j = i; j < 9; j++) //~ loop-not-rectangular\nx += 1;",
    );
    check("#pragma omp reverse\nfor (i = 0; i < 9; i++) {\nif (x > 9) break; //~ loop-break\nx += 1; }");
}

#[test]
fn transformations_below_what_tells_the_order() {
    let nest = "for (i = 0; i < 9; i++)\nfor (j = 0; j < 9; j++)\nx = 1;";
    for (around, transformation) in [
        ("parallel for", "reverse"),
        ("parallel for collapse(2)", "interchange"),
        ("parallel for lastprivate(x)", "unroll partial(2)"),
        ("parallel for lastprivate(x)", "tile sizes(4)"),
        ("tile sizes(2)", "unroll partial(2)"),
        ("parallel for lastprivate(x) //~ omp-unsupported", "reverse"),
        ("simd lastprivate(conditional: x) //~ omp-unsupported", "tile sizes(2, 2)"),
        ("parallel for ordered //~ omp-unsupported", "reverse"),
        ("for linear(s) //~ omp-unsupported", "interchange"),
        ("tile sizes(2) //~ omp-unsupported", "reverse"),
        ("unroll partial(2) //~ omp-unsupported", "interchange"),
    ] {
        check(&format!("#pragma omp {around}\n#pragma omp {transformation}\n{nest}"));
    }
    let ordered =
        |place: &str| format!("for (i = 0; i < 9; i++) {{\n#pragma omp ordered simd{place}\nx += i; }}");
    check(&format!("#pragma omp simd\n#pragma omp reverse\n{}", ordered(" //~ omp-unsupported")));
    check(&format!("#pragma omp simd\n#pragma omp unroll partial(2)\n{}", ordered("")));
}

#[test]
fn newer_clauses_that_need_nothing_here() {
    check("#pragma omp parallel num_threads(strict: 2) severity(warning) message(\"m\") safesync(1)\n;");
    check("#pragma omp assume no_openmp_constructs\n;");
    check("#pragma omp task threadset(omp_pool)\n;");
    check("#pragma omp target nowait(0) map(x)\nx = 1;");
    check("#pragma omp target nowait(n > 1) map(x)\nx = 1;");
    check("#pragma omp target map(self: x) //~ omp-unsupported\nx = 1;");
}

#[test]
fn what_devices_do_not_have() {
    check("#pragma omp target\n{ x = 1;\n#pragma omp teams //~ construct-nesting\n; }");
    check("#pragma omp target\n#pragma omp task\n x = 1;");
    check("#pragma omp target\n#pragma omp task shared(x)\n x = 1;");
    check("#pragma omp target\n{ x = 1;\n#pragma omp target //~ omp-in-place\n x = 2; }");
    check("#pragma omp target data in_reduction(+: x) map(x) //~ clause-not-allowed\nx = 1;");
    check("#pragma omp target ompx_bare //~ unknown-clause\nx = 1;");
    check(
        "__typeof__(void *[2]) d;\n#pragma omp depobj(d) depend(iterator(q = 0 : 3), in : arr[q]) //~ unknown-modifier\n;",
    );
    check("#pragma omp target map(too: x) //~ unknown-modifier\nx = 1;");
    check("#pragma omp target enter data map(from: arr) //~ data-item");
    check("#pragma omp target enter data //~ missing-clause");
    check("#pragma omp target exit data nowait //~ missing-clause");
    check("#pragma omp target update //~ update-empty");
    check("#pragma omp target data //~ missing-clause\n;");
    check("#pragma omp declare target (s) //~ declare-placement");
    check_with("#pragma omp requires reverse_offload //~ omp-unsupported\n", true);
    check_with("#pragma omp requires unified_shared_memory //~ omp-requires\n", true);
    check_with("#pragma omp requires unified_shared_memory, self_maps //~ omp-requires\n", true);
    check_with("int n;\n#pragma omp declare target indirect to(n)\n", true);
}

#[test]
fn declared_reductions_have_scopes_and_types() {
    let check = |source: &str| check_with(source, true);
    let two =
        "struct s { int a; };\n#pragma omp declare reduction(+ : struct s, long : omp_out.a += omp_in.a)";
    check(&format!("{two} //~ reduction-declaration\n"));
    check(
        "#pragma omp declare reduction(add : int : omp_out += omp_in)\nint f(int n)\n{\nint k = 0; double d = 0;\n\
         #pragma omp declare reduction(add : double : omp_out += omp_in) initializer(omp_priv = omp_orig)\n\
         #pragma omp parallel reduction(add : k, d)\n{ k += n; d += 1; }\n\
         #pragma omp parallel reduction(add : n)\nn++;\nreturn k + (int)d;\n}\n\
         void g(double d)\n{\n#pragma omp parallel reduction(add : d) //~ reduction-operator\nd++;\n}\n",
    );
    for (declaration, id) in [
        ("(f : int : omp_out += outside)", "reduction-declaration"),
        ("(f : int : omp_out += omp_priv)", "undeclared"),
        ("(f : int : omp_out += omp_in) initializer(omp_priv = outside)", "reduction-declaration"),
        ("(f : int : omp_out += omp_in) initializer(set(&omp_orig))", "reduction-declaration"),
        ("(f : int : omp_out += omp_in) initializer(omp_priv)", "reduction-declaration"),
        ("(f : int, unsigned, int : omp_out += omp_in)", "reduction-declaration"),
        ("(f : int[2] : omp_out[0] += omp_in[0])", "reduction-declaration"),
        ("(f : const int : omp_out)", "reduction-declaration"),
        ("(f : void : 0)", "reduction-declaration"),
        ("(max : int : omp_out += omp_in)", "reduction-declaration"),
    ] {
        check(&format!(
            "int outside;\nvoid set(int *);\n#pragma omp declare reduction{declaration} //~ {id}\n"
        ));
    }
    check(
        "struct s { int a; } t;\nvoid f(void)\n{\n#pragma omp parallel reduction(+ : t) //~ reduction-type\nt.a++;\n}\n",
    );
    // What one scope hides, another one shows.
    check(
        "#pragma omp declare reduction(f : int : omp_out += omp_in)\nvoid g(void)\n{\n\
         #pragma omp declare reduction(f : int : omp_out *= omp_in)\n{\n\
         #pragma omp declare reduction(f : int : omp_out -= omp_in)\n}\n\
         #pragma omp declare reduction(f : int : omp_out += omp_in) //~ reduction-declaration\n}\n",
    );
}

#[test]
fn threads_of_a_device_share_what_no_operator_combines() {
    let declared =
        "#pragma omp declare reduction(+ : struct S : omp_out.n += omp_in.n)\n#pragma omp target teams";
    let loop_ = "\nfor (i = 0; i < 9; i++)";
    let one = |body: &str| levels(&format!("{declared} {body}"));
    assert_eq!(
        one(&format!("distribute parallel for reduction(+ : st){loop_} st.n += i;")),
        ["Parallel()", "gang worker vector"]
    );
    // Teams that are done would change the original.
    let from_original =
        "#pragma omp declare reduction(f : int : omp_out += omp_in) initializer(omp_priv = omp_orig)";
    assert_eq!(
        levels(&format!(
            "{from_original}\n#pragma omp target teams distribute parallel for reduction(f : s){loop_} s++;"
        )),
        ["Parallel(1)", "gang worker vector"]
    );
    assert_eq!(
        one(&format!("num_teams(8) reduction(+ : st)\n#pragma omp distribute{loop_} st.n += i;")),
        ["Parallel(8)", "gang"]
    );
    let scan = "{ x += i;\n#pragma omp scan inclusive(x)\narr[i] = x; }";
    let in_order = format!("#pragma omp target parallel for simd reduction(inscan, + : x){loop_} {scan}");
    assert_eq!(levels(&in_order), ["Serial()", "Seq"]);
    // A reduction within a team leaves the teams alone.
    assert_eq!(
        one(&format!(
            "distribute\nfor (j = 0; j < 9; j++) {{\n#pragma omp parallel for reduction(+ : st){loop_} st.n++; }}"
        )),
        ["Parallel()", "gang", "worker vector"]
    );
}

#[test]
fn where_scan_and_conditional_may_stand() {
    let sum = "#pragma omp parallel for reduction(inscan, + : x)";
    check(&format!(
        "{sum}\nfor (i = 0; i < 9; i++) {{\nx += i;\n#pragma omp scan inclusive(x)\narr[i] = x;\n}}"
    ));
    for (body, id) in [
        ("x += i; {\n#pragma omp scan inclusive(x)\n}", "directive-placement"),
        ("x += i;", "directive-placement"),
    ] {
        check(&format!("{sum} //~ directive-placement\nfor (i = 0; i < 9; i++) {{ {body} }}"));
        check(&format!("#pragma omp target\n{sum} //~ {id}\nfor (i = 0; i < 9; i++) {{ {body} }}"));
    }
    check(&format!(
        "{sum}\nfor (i = 0; i < 9; i++) {{\nx += i;\n#pragma omp scan exclusive(x, s) //~ data-item\narr[i] = x;\n}}"
    ));
    check(
        "#pragma omp parallel for reduction(inscan, + : x, s)\nfor (i = 0; i < 9; i++) {\nx += i;\n\
         #pragma omp scan inclusive(x) //~ data-item\ns = x;\n}",
    );
    check(&format!(
        "{sum} schedule(dynamic) //~ conflicting-clauses\nfor (i = 0; i < 9; i++) {{\nx += i;\n\
         #pragma omp scan inclusive(x)\narr[i] = x;\n}}"
    ));
    check(
        "#pragma omp for reduction(inscan, + : st) //~ reduction-type\nfor (i = 0; i < 9; i++) {\nst.n += i;\n\
         #pragma omp scan inclusive(st)\n}",
    );
    let scan = "{\nx += i;\n#pragma omp scan inclusive(x)\narr[i] = x;\n}";
    check(&format!("{sum} ordered(1) //~ conflicting-clauses\nfor (i = 0; i < 9; i++) {scan}"));
    check(
        "#pragma omp parallel for reduction(inscan, + : x) //~ conflicting-clauses\nfor (i = 0; i < 9; i++) {\n\
         x += i;\n#pragma omp cancel for\n#pragma omp scan inclusive(x)\narr[i] = x;\n}",
    );
    let nest = "for (j = 0; j < 9; j++) for (i = 0; i < j; i++)";
    check(&format!("{sum} collapse(2) //~ omp-unsupported\n{nest} {scan}"));
    check(&format!("#pragma omp simd reduction(inscan, + : x) collapse(2)\n{nest} {scan}"));
    check("x++;\n#pragma omp scan inclusive(x) //~ directive-placement\nx++;");
    check(
        "#pragma omp target teams distribute parallel for reduction(inscan, + : x) //~ clause-not-allowed\n\
         for (i = 0; i < 9; i++) {\nx += i;\n#pragma omp scan inclusive(x)\n}",
    );
    check("#pragma omp parallel reduction(inscan, + : x) //~ clause-not-allowed\nx++;");
    check(
        "#pragma omp taskloop lastprivate(conditional : x) //~ clause-not-allowed\nfor (i = 0; i < 9; i++) x = i;",
    );
    check("#pragma omp parallel for lastprivate(conditional : st) //~ data-item\nfor (i = 0; i < 9; i++) ;");
}

#[test]
fn iterators_of_sections() {
    let data = |directive: &str| summary(&in_function(directive), true);
    assert_eq!(
        data("#pragma omp target enter data map(iterator(q = 2:n), to: a[q])"),
        data("#pragma omp target enter data map(to: a[2:n - 2])")
    );
    check("#pragma omp target map(iterator(q = 0:2): a[2 * q]) //~ two-sections-unsupported\nx = 1;");
    let listed = |directive: &str| summary(&in_function(&format!("int *lists[4];\n{directive}")), true);
    assert_eq!(
        listed("#pragma omp target enter data map(iterator(q = 3:0:-2, r = q - 1:q), to: lists[r][0:q], x)"),
        listed("#pragma omp target enter data map(to: lists[2][0:3], x, lists[0][0:1])")
    );
    check(
        "int *lists[4];\n#pragma omp target update to(iterator(q = 0:n): lists[q][0:3]) //~ omp-unsupported",
    );
    check("#pragma omp target update to(iterator(q = 0:4:0): a[q]) //~ omp-unsupported");
    check("#pragma omp target update to(iterator(q = 0:2000): a[q + 0]) //~ omp-unsupported");
}

#[test]
fn addresses_behind_pointers() {
    check(
        "int *lists[3];\n#pragma omp target has_device_addr(lists[1][0]) //~ omp-unsupported\nlists[1][0] = 1;",
    );
    check("#pragma omp target data use_device_addr(rows[1][0:4]) //~ omp-unsupported\nx = 1;");
    check("int *row = 0;\n#pragma omp target has_device_addr(row[0:4])\nrow[0] = 1;");
}

#[test]
fn what_stands_between_loops() {
    let nest = |inner: &str| {
        check(&format!("#pragma omp parallel for collapse(2)\nfor (i = 0; i < 4; i++) {{\n{inner}\n}}"));
    };
    nest("int q = i; for (j = 0; j < 5; j++) if (j == q) continue; x = q;");
    nest("for (j = 0; j < 5; j++) ;\nfor (int q = 0; q < 5; q++) ; //~ loop-nest");
    nest("int q = 5; for (j = 0;\nj < q; //~ loop-nest\nj++) ;");
    nest("if (i == 2)\ncontinue; //~ loop-nest\nfor (j = 0; j < 5; j++) ;");
    nest("x = 1; //~ loop-nest");
    check(
        "#pragma omp parallel for ordered(2)\nfor (i = 0; i < 4; i++) {\nx = i; //~ loop-nest\nfor (j = 0; j < 5; j++) ; }",
    );
}
