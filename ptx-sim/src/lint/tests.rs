//! The rules, each with what breaks it.

use super::lint;
use crate::error::LoadError;

fn module(body: &str) -> String {
    format!(
        ".version 6.0\n.target sm_70\n.address_size 64\n.global .align 4 .b8 x[4];\n\
         .visible .entry k(\n\t.param .u64 p\n)\n{{\n\t.reg .pred\t%p<2>;\n\t.reg .b32\t%r<4>;\t// %r1 a\n\
         \t.reg .b64\t%rd<3>;\n\t.reg .f32\t%f<2>;\n{body}}}\n"
    )
}

fn problem(body: &str) -> String {
    let messages =
        |error: LoadError| error.problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>();
    lint(&module(body), |_, _| false).map_or_else(|error| messages(error).join("; "), |()| "nothing".into())
}

#[test]
fn good_code_passes() {
    let body = "\tld.param.u64 %rd1, [p];\n\tmov.u64 %rd2, x;\n\tmov.u32 %r1, %tid.x;\n\
                \tsetp.eq.s32 %p1, %r1, 0;\n\t@%p1 bra $bb1;\n\tst.global.u32 [%rd1+4], %r1;\n$bb1:\n\
                \tbarrier.sync 0;\n\tadd.s32 %r1, %r1, 1;\n\tbarrier.sync 0;\n\tret;\n";
    assert_eq!(problem(body), "nothing");
}

#[test]
fn each_rule_is_held() {
    for (body, expected) in [
        ("\tmov.b32 %r9, 1;\n\tret;\n", "`%r9` is not declared"),
        (
            "\tmov.b32 %r1, 1;\n\tneg.f32 %f1, %r1;\n\tret;\n",
            "`%r1` is declared as .b32, and the instruction works on .f32",
        ),
        (
            "\tmov.b32 %f1, 0f00000000;\n\tadd.s32 %r1, %f1, 1;\n\tret;\n",
            "`%f1` is declared as .f32, and the instruction works on .s32",
        ),
        (
            "\tmov.b32 %f1, 0f00000000;\n\tselp.b32 %r1, %f1, 1, 1;\n\tret;\n",
            "`%f1` is declared as .f32, and the instruction works on .b32",
        ),
        (
            "\tmov.u64 %rd2, x;\n\tld.global.u32 %rd1, [%rd2];\n\tret;\n",
            "`%rd1` is declared as .b64, and the instruction works on .u32",
        ),
        ("\tmov.f32 %f1, 0d0000000000000000;\n\tret;\n", "this constant is not of type .f32"),
        (
            "\tmov.b32 %r1, 1;\n\tld.local.u32 %r2, [%r1];\n\tret;\n",
            "`%r1` is declared as .b32 and cannot hold an address",
        ),
        ("\tadd.s32 %r2, %r1, 1;\n\tret;\n", "%r1 may be read before it is written"),
        ("\t@%p1 bra $bb1;\n\tbarrier.sync 0;\n$bb1:\n\tret;\n", "%p1 may be read before it is written"),
        ("\tbra $bb7;\n", "there is no label `$bb7`"),
        (
            "\tbarrier.sync 0;\n\t.loc 1 2 3\n\tbar.warp.sync 0xffffffff;\n\tret;\n",
            "a barrier follows a barrier",
        ),
        ("\tbar.warp.sync 0xffffffff;\n\tbarrier.sync 0;\n\tret;\n", "nothing"),
        ("\tgriddepcontrol.wait;\n\tret;\n", "`griddepcontrol.wait` needs a target of at least sm_90"),
        ("\tnanosleep.u32 20;\n\tret;\n", "`nanosleep.u32` needs .version 6.3 or higher"),
        (
            "\tredux.sync.add.s32 %r1, 1, -1;\n\tret;\n",
            "`redux.sync.add.s32` needs a target of at least sm_80",
        ),
        ("\tmov.u64 %rd1, y;\n\tret;\n", "`y` is not declared"),
        ("\tret;\n$bb1:\n$bb2:\n\tret;\n", "nothing stands between `$bb1` and what follows"),
        ("\tret;\n$bb1:\n\tbra $bb2;\n$bb2:\n\tret;\n", "nothing stands between `$bb1` and what follows"),
        ("\tret;\n$bb1:\n\tbra $bb1;\n", "nothing"),
        ("\tmov.b32 %r1, 1;\n", "control runs off the end of the function"),
        ("$bb1:\n\tbarrier.sync 0;\n\tret;\n$bb1:\n\tret;\n", "the label `$bb1` is defined twice"),
        (
            "\tadd.f64 %f1, %f1, %f1;\n\tret;\n",
            "`%f1` is declared as .f32, and the instruction works on .f64",
        ),
        ("\tneg.f32 %f1;\n\tret;\n", "2 operands are expected, not 1"),
        ("\tfoo.b32 %r1, 1;\n\tret;\n", "`foo.b32` is unknown or not simulated"),
    ] {
        assert_eq!(problem(body), expected, "{body}");
    }
}

#[test]
fn a_predicate_set_on_one_path_only_is_found() {
    let body = "\tmov.u32 %r1, %tid.x;\n\tsetp.eq.s32 %p1, %r1, 0;\n\t@%p1 bra $bb2;\n\tmov.b32 %r2, 1;\n\
                $bb2:\n\tadd.s32 %r3, %r2, 1;\n\tret;\n";
    assert_eq!(problem(body), "%r2 may be read before it is written");
    let guarded = "\tmov.u32 %r1, %tid.x;\n\tsetp.eq.s32 %p1, %r1, 0;\n\t@%p1 mov.b32 %r2, 1;\n\
                   \tadd.s32 %r3, %r2, 1;\n\tret;\n";
    assert_eq!(problem(guarded), "%r2 may be read before it is written");
}

#[test]
fn a_write_under_a_guard_serves_reads_under_that_guard() {
    let head = "\tmov.u32 %r1, %tid.x;\n\tsetp.eq.s32 %p1, %r1, 0;\n\t@%p1 mov.b32 %r2, 1;\n";
    let tail = |code: &str| problem(&format!("{head}{code}\tret;\n"));
    let unwritten = "%r2 may be read before it is written";
    assert_eq!(tail("\t@%p1 add.s32 %r3, %r2, 1;\n"), "nothing");
    assert_eq!(tail("\t@!%p1 add.s32 %r3, %r2, 1;\n"), unwritten);
    assert_eq!(tail("\tsetp.eq.s32 %p1, %r1, 1;\n\t@%p1 add.s32 %r3, %r2, 1;\n"), unwritten);
    assert_eq!(tail("\t@!%p1 bra $bb1;\n\tadd.s32 %r3, %r2, 1;\n$bb1:\n\tbarrier.sync 0;\n"), "nothing");
    assert_eq!(tail("\t@%p1 bra $bb1;\n\tadd.s32 %r3, %r2, 1;\n$bb1:\n\tbarrier.sync 0;\n"), unwritten);
    // Where a path that writes in any case meets one that writes under the guard.
    assert_eq!(
        tail("\t@%p1 bra $bb1;\n\tmov.b32 %r2, 2;\n$bb1:\n\tbarrier.sync 0;\n\tadd.s32 %r3, %r2, 1;\n"),
        "nothing"
    );
}

#[test]
fn what_the_program_leaves_open_is_its_own_affair() {
    let text = module("\tadd.s32 %r2, %r1, 1;\n\tadd.s32 %r3, %r2, %r1;\n\tret;\n");
    assert_eq!(lint(&text, |function, register| (function, register) == ("k", "%r1")), Ok(()));
    assert!(lint(&text, |function, register| (function, register) == ("f", "%r1")).is_err());
    assert!(lint(&text, |function, register| (function, register) == ("k", "%r2")).is_err());
}
