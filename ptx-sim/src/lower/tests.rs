//! What is refused, and why.

use crate::memory::device::Memory;
use crate::verify::Typing;

fn problems(text: &str) -> Vec<String> {
    let module = crate::read::module(text).expect("the text can be read");
    match super::lower(&module, &Memory::new(1 << 30, 0, 0), Typing::Loose) {
        Ok(_) => Vec::new(),
        Err(error) => error.problems.iter().map(|problem| problem.to_string()).collect(),
    }
}

fn in_kernel(body: &str) -> Vec<String> {
    problems(&format!(
        ".version 7.8\n.target sm_90\n.address_size 64\n.global .u32 g;\n.shared .u32 s;\n.entry k(.param .u64 p)\n\
         {{ .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .f64 %fd<4>;\n{body}\nret; }}"
    ))
}

#[test]
fn what_is_right_is_taken() {
    for body in [
        "add.s32 %r1, %r2, 3;",
        "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p1;",
        "mov.b64 {%r1, %r2}, %rd1;",
        "ld.param.u64 %rd1, [p];",
        "atom.global.cas.b32 %r1, [%rd1], 0, 1;",
        "shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;",
        "cvt.rn.f32.s32 %f1, %r1;",
        "st.shared.u32 [s], %r1;",
        "@!%p1 bra $a; $a: add.rn.f64 %fd1, %fd2, 0d3FF0000000000000;",
        "fence.acq_rel.gpu;",
        "mul.wide.u32 %rd1, %r1, 8;",
        "bar.sync 0;",
    ] {
        assert_eq!(in_kernel(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (body, message) in [
        ("add.s32 %r1, %r9, 3;", "`%r9` is not declared"),
        ("add.s32 %rd1, %r1, 3;", "declared as .b64"),
        ("add.s32 %r1, %r2;", "3 operands are expected"),
        ("add.f32 %r1, 1, %f1;", "constant is not of type .f32"),
        ("add.rn.f32 %f1, %fd1, %f1;", "declared as .f64"),
        ("setp.lt.b32 %p1, %r1, %r2;", "there is no `setp.lt.b32`"),
        ("setp.eq.s32 %r1, %r1, %r2;", "`%r1` is no predicate"),
        ("bra $nowhere;", "there is no label `$nowhere`"),
        ("$a: $a: ret;", "defined twice"),
        ("ld.shared.u32 %r1, [g];", "`g` is global"),
        ("ld.global.u32 %r1, [s];", "`s` is shared"),
        ("ld.global.u32 %r1, [%r2];", "cannot hold an address"),
        ("frobnicate.u32 %r1;", "unknown or not simulated"),
        ("add.s32.frob %r1, %r2, 3;", "`.frob` in `add.s32.frob`"),
        ("cvt.f32.s32 %f1, %r1;", "lacks its rounding"),
        ("div.f32 %f1, %f1, %f1;", "there is no `div.f32`"),
        ("shfl.down.b32 %r1, %r2, 16, 31;", "no instruction of sm_70"),
        ("redux.sync.add.u64 %rd1, %rd2, -1;", "there is no"),
        ("atom.global.add.s64 %rd1, [%rd2], 1;", "there is no `atom.global.add.s64`"),
        ("call foo;", "`foo` is not declared"),
        ("bar.sync 16;", "0 to 15"),
        ("tanh.approx.bf16x2 %r1, %rd1;", "declared as .b64"),
    ] {
        let found = in_kernel(body);
        assert!(found.iter().any(|found| found.contains(message)), "{body}: {found:?}");
    }
}

#[test]
fn all_problems_are_collected_with_their_lines() {
    let found = in_kernel("add.s32 %r1, %r9, 3;\nsub.s32 %r1, %r8, 3;");
    assert_eq!(found.len(), 2);
    assert!(found[0].starts_with("8:1") && found[1].starts_with("9:1"), "{found:?}");
}

#[test]
fn targets_and_versions_are_judged() {
    let old =
        ".version 6.0\n.target sm_60\n.entry k() { .reg .b32 %r<3>; redux.sync.add.s32 %r1, %r2, -1; ret; }";
    assert!(problems(old)[0].contains("needs a target of at least sm_80"));
    let version = ".version 6.0\n.target sm_70\n.entry k() { nanosleep.u32 5; ret; }";
    assert!(problems(version)[0].contains("needs .version 6.3"));
    let module = ".version 7.0\n.target sm_90\n.entry k() { ret; }";
    assert!(problems(module)[0].contains("sm_90 needs .version 7.8"));
}
