//! The forms of `atomic`.

use super::{check_body, in_function, summary};

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
