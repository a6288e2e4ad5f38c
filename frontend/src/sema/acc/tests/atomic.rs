//! The forms of `atomic`.

use super::{check_body, check_with, in_function, summary};

fn form(kind: &str, statement: &str) -> String {
    let body = format!("#pragma acc parallel copy(s, x)\n{{\n#pragma acc atomic {kind}\n{statement}\n}}");
    summary(&in_function(&body), false).swap_remove(1)
}

#[test]
fn accepted_forms() {
    for (kind, statement, meaning) in [
        ("read", "t = s;", "read"),
        ("read", "y = arr[n];", "read"),
        ("write", "s = t + 1;", "write"),
        ("", "s++;", "update Add"),
        ("update", "--x;", "update Sub"),
        ("update", "s += t;", "update Add"),
        ("update", "s <<= 2;", "update Shl"),
        ("update", "x = x * y;", "update Mul"),
        ("update", "x = y - x;", "update Sub reversed"),
        ("update", "s = s + t + 1;", "update Add"),
        ("update", "arr[n] = arr[n] / 2;", "update Div"),
        ("update", "st.n |= 4;", "update BitOr"),
        ("capture", "t = s++;", "update Add capture old"),
        ("capture", "t = --s;", "update Sub capture new"),
        ("capture", "t = s += 2;", "update Add capture new"),
        ("capture", "t = s = s ^ 2;", "update BitXor capture new"),
        ("capture", "{ t = s; s *= 2; }", "update Mul capture old"),
        ("capture", "{ t = s; s = 2 - s; }", "update Sub reversed capture old"),
        ("capture", "{ s++; t = s; }", "update Add capture new"),
        ("capture", "{ t = s; s++; }", "update Add capture old"),
        ("capture", "{ t = s; s = n; }", "exchange"),
    ] {
        assert_eq!(form(kind, statement), meaning, "{kind} {statement}");
    }
}

#[test]
fn stored_values_that_are_computed_before() {
    for statement in [
        "{ t = s; s = t == 3 ? n : t; //~ atomic-operand\n}",
        "{ t = s; s = s == 3 ? n : 1; //~ atomic-operand\n}",
        "{ t = s; s += t; //~ atomic-operand\n}",
        "{ t = s; s = n ? 3 : n; }",
        "{ t = s; s = s + n; }",
        "t = s += n;",
        "t = s += t;",
        "{ s += t; t = s; }",
    ] {
        check_body(&format!("#pragma acc parallel copy(s)\n{{\n#pragma acc atomic capture\n{statement}\n}}"));
    }
}

#[test]
fn rejected_forms() {
    for (kind, statement) in [
        ("read", "t = s + 1;"),
        ("read", "t += s;"),
        ("write", "s += 1;"),
        ("update", "s = t;"),
        ("update", "s %= 3;"),
        ("update", "s = t + 1;"),
        ("update", "s = s - t - 1;"),
        ("update", "if (s) s = 1;"),
        ("update", "g(a);"),
        ("capture", "s++;"),
        ("capture", "{ t = s; n++; }"),
        ("capture", "{ s++; }"),
        ("capture", "{ t = s; s++; s++; }"),
    ] {
        check_body(&format!(
            "#pragma acc parallel copy(s)\n{{\n#pragma acc atomic {kind}\n{statement} //~ atomic-form\n}}"
        ));
    }
    check_body(
        "#pragma acc parallel copy(st)\n{ struct S o;\n#pragma acc atomic write\nst = o; //~ atomic-type\n}",
    );
}

/// What `atomic` of OpenMP makes of a statement.
fn omp_form(clauses: &str, statement: &str) -> String {
    let body = format!("#pragma omp parallel\n{{\n#pragma omp atomic {clauses}\n{statement}\n}}");
    summary(&in_function(&body), true).swap_remove(0)
}

#[test]
fn accepted_comparisons() {
    for (clauses, statement, meaning) in [
        ("compare", "if (s == t) { s = 3; }", "compare Eq"),
        ("compare", "if (t == s) s = 3;", "compare Eq"),
        ("compare", "s = s == t ? 3 : s;", "compare Eq"),
        ("compare", "if (x > y) { x = y; }", "compare Gt"),
        ("compare", "if (y > x) { x = y; }", "compare Lt"),
        ("compare", "x = x < 0.1f ? 0.1f : x;", "compare Lt"),
        ("compare capture", "{ t = s; if (s == n) { s = 3; } }", "compare Eq Old"),
        ("capture compare", "{ if (s < n) { s = n; } t = s; }", "compare Lt New"),
        ("capture, update, compare", "t = s = s == 1 ? 2 : s;", "compare Eq New"),
        ("compare capture weak", "if (s == 1) { s = 2; } else { t = s; }", "compare Eq WhereFalse"),
        ("compare capture", "{ t = s == 1; if (t) { s = 2; } }", "compare Eq result"),
        (
            "compare capture fail(relaxed) seq_cst",
            "{ t = s == 1; if (t) { s = 2; } else { n = s; } }",
            "compare Eq WhereFalse result",
        ),
    ] {
        assert_eq!(omp_form(clauses, statement), meaning, "{clauses} {statement}");
    }
}

#[test]
fn rejected_comparisons() {
    for (clauses, statement) in [
        ("compare", "s = 1;"),
        ("compare", "if (s != 1) { s = 2; }"),
        ("compare", "if (s > 1) { s = 2; }"),
        ("compare", "if (s >= 1) { s = 1; }"),
        ("compare", "if (t == 1) { s = 2; }"),
        ("compare", "if (s == 1) { s = 2; } else { t = s; }"),
        ("compare", "s = s == 1 ? 2 : t;"),
        ("compare capture", "if (s == 1) { s = 2; }"),
        ("compare capture", "if (s > 1) { s = 1; } else { t = s; }"),
        ("compare capture", "{ t = n; if (s == 1) { s = 2; } }"),
        ("compare capture", "{ t = s > 1; if (t) { s = 1; } }"),
    ] {
        check_omp(&format!("#pragma omp atomic {clauses}\n{statement} //~ atomic-form"));
    }
    for (clauses, statement) in [
        ("read compare", "t = s;"),
        ("read write", "t = s;"),
        ("weak", "s++;"),
        ("fail(relaxed)", "s++;"),
        ("seq_cst relaxed", "s++;"),
        ("read release", "t = s;"),
        ("write acquire", "s = t;"),
    ] {
        check_omp(&format!("#pragma omp atomic {clauses} //~ atomic-clauses\n{statement}"));
    }
    check_omp("#pragma omp atomic compare fail(release) //~ unknown-modifier\nif (s == 1) { s = 2; }");
    check_omp("#pragma omp atomic compair //~ unknown-clause\ns++;");
    check_omp("#pragma omp atomic nowait //~ clause-not-allowed\ns++;");
    check_omp("#pragma omp atomic compare\nif (st.n == 1) { st.n = 2; }");
}

fn check_omp(body: &str) {
    check_with(&in_function(body), true);
}
