//! Every rule is broken once: a place of the sample is changed, and the verifier must say what is wrong
//! there.

use super::*;
use crate::text::parse;

const SAMPLE: &str = include_str!("../text/sample.ir");

/// The errors of the sample with one place changed.
fn errors(from: &str, to: &str) -> Vec<VerifyError> {
    assert_eq!(SAMPLE.matches(from).count(), 1, "`{from}` must be in the sample once");
    let module = parse(&SAMPLE.replace(from, to)).unwrap_or_else(|error| panic!("{from} -> {to}: {error}"));
    match verify(&module, "test") {
        Ok(()) => panic!("{from} -> {to} is accepted"),
        Err(VerifyErrors { errors, .. }) => errors,
    }
}

/// Every line: the text that is replaced, its replacement, and the error.
fn all_fail(cases: &[(&str, &str, &str)]) {
    for (from, to, message) in cases {
        let errors = errors(from, to);
        let found = errors.iter().any(|error| error.to_string().contains(message));
        let list: Vec<String> = errors.iter().map(|error| error.to_string()).collect();
        assert!(found, "{from} -> {to}: expected `{message}` among\n{}", list.join("\n"));
    }
}

#[test]
fn module_level_rules() {
    all_fail(&[
        ("size 16 align 8 leaves", "size 16 align 6 leaves", "`agg0`: the alignment is no power of two"),
        ("leaves(0 i32, 8 f64)", "leaves(0 i32, 9 f64)", "the f64 at 9 is not inside"),
        ("leaves(0 i32, 8 f64)", "leaves(0 c32)", "c32 is no leaf"),
        ("signature sig5 (f64, f64) -> f64", "signature sig5 (c64, f64) -> f64", "c64 does not cross calls"),
        ("signature sig5 (f64, f64) -> f64", "signature sig5 (f64 sext, f64) -> f64", "f64 is not extended"),
        ("signature sig2 (ptr) -> agg0", "signature sig2 (ptr) -> agg7", "agg7 does not exist"),
        ("weak size 4 align 4 thread_local", "internal size 4 align 4 thread_local", "must be defined"),
        (
            "common size 8 align 8 declare(copyin) zero",
            "common size 8 align 8 bytes \"x\"",
            "a tentative definition",
        ),
        (
            "g1.\"str 0\\u{1}\" internal size 8",
            "g1.\"str 0\\u{1}\" internal size 5",
            "larger than the object",
        ),
        ("16 g0.x - 4", "17 g0.x - 4", "the address at 17 is not inside"),
        ("16 g0.x - 4", "12 g0.x - 4", "the addresses at 8 and 12 overlap"),
        ("16 g0.x - 4", "16 5i64", "the address at 16 is not that of a global or function"),
        ("@file1:2:0", "@file9:2:0", "the position is in file9"),
        ("function fn4.empty sig0 internal", "function fn4.empty sig9 internal", "sig9 does not exist"),
        ("function fn5.other sig5 weak", "function fn5.other sig5 common", "a function is not common"),
        (
            "function fn4.empty sig0 internal",
            "function fn4.empty sig0 internal alias \"x\"",
            "no body of its own",
        ),
    ]);
}

#[test]
fn ids_and_declarations() {
    all_fail(&[
        ("jump bb4\nbb4:", "jump bb9\nbb4:", "`jump bb9`: bb9 does not exist"),
        ("jump bb4\nbb4:", "jump bb2\nbb4:", "`jump bb2`: bb2 is not in the layout"),
        ("va_arg_aggregate s0.buf, agg0", "va_arg_aggregate s0.buf, agg9", "agg9 does not exist"),
        ("call *v3.s(v4) sig2 to", "call *v3.s(v4) sig9 to", "sig9 does not exist"),
        ("size 4 align 4 in loop1", "size 4 align 4 in loop9", "`s1`: loop9 does not exist"),
        ("  reductions 2\n", "  reductions 1\n", "red1 does not exist"),
        ("bb5:\n  unreachable", "bb5 loop4:\n  unreachable", "loop4 does not exist"),
        ("bb5:\n  unreachable", "bb5 construct4:\n  unreachable", "construct4 does not exist"),
        ("v0.n = copy 5i32 @11:3", "v0.n = copy 2147483648i32", "2147483648 is no constant of type i32"),
        ("v5 = copy true", "v5 = copy -1i1", "-1 is no constant of type i1"),
        ("v5 = copy true", "v5 = copy 1c32", "1 is no constant of type c32"),
        (
            "params v0.n, v1.flag, v2.x, v3.s",
            "params v0.n, v1.flag, v2.x",
            "3 parameters for a signature of 4",
        ),
        (
            "params v0.n, v1.flag, v2.x, v3.s",
            "params v0.n, v1.flag, v3.s, v2.x",
            "parameter 2 is ptr, not f64",
        ),
        ("params v0.a, v1.p, v2.n", "params v0.a, v0.a, v2.n", "v0 receives two parameters"),
        ("locals v15: i16 part", "locals v15: i16 part restrict", "v15 is `restrict`, and no pointer"),
        ("slot s8.q size 8", "slot s8.q size 4", "it is `restrict`, and has not the size of a pointer"),
        (
            "slot s0.buf size 400 align 16",
            "slot s0.buf size 400 align 12",
            "the alignment 12 is no power of two",
        ),
        ("slot s0.a size 80 align 8\n", "slot s0.a size 80 align 8 mapped v3.p\n", "in no region"),
        ("slot s0.a size 80 align 8\n", "slot s0.a size 80 align 8 gang_private\n", "not run by one"),
        ("align 8 mapped v0.a", "align 8 mapped v2.n", "the address of the mapped object is i64, not ptr"),
    ]);
}

#[test]
fn types_of_operations() {
    all_fail(&[
        ("v4 = copy v3.s", "v4 = copy v0.n", "`v4 = copy v0.n`: the result is ptr, not i32"),
        ("v2.x = neg v2.x", "v3.s = neg v3.s", "not defined for ptr"),
        ("v5 = not v5", "v2.x = not v2.x", "not defined for f64"),
        ("v2.x = sqrt v2.x", "v0.n = sqrt v0.n", "not defined for i32"),
        ("v0.n = clz v0.n", "v2.x = clz v2.x", "not defined for f64"),
        ("v2.x = re v7", "v7 = re v7", "the result is c64, not f64"),
        ("v7 = conj v8", "v2.x = conj v2.x", "not defined for f64"),
        ("v9 = splat v10", "v9 = splat v2.x", "the operand is f64, not f32"),
        ("v9 = splat v10", "v10 = splat v10", "the result is f32, no vector"),
        ("v0.n = add v0.n, 1i32", "v3.s = add v3.s, null", "not defined for ptr"),
        ("v0.n = add v0.n, 1i32", "v0.n = add v0.n, 1i64", "the second operand is i64, not i32"),
        ("v0.n = sdiv v0.n, 3i32", "v2.x = sdiv v2.x, v2.x", "not defined for f64"),
        ("v7 = fdiv v7, v8", "v0.n = fdiv v0.n, v0.n", "not defined for i32"),
        ("v0.n = shl v0.n, v1.flag", "v0.n = shl v0.n, v2.x", "the amount is f64, no integer"),
        ("v7 = complex v2.x, 0.0f64", "v7 = complex v10, v10", "the first operand is f32, not f64"),
        ("v5 = cmp.eq v7, v8", "v5 = cmp.lt v7, v8", "the comparison is not defined for c64"),
        ("v5 = cmp.eq v7, v8", "v5 = cmp.eq v9, v9", "the result is i1, not i32x4"),
        ("v5 = cmp.eq v7, v8", "v0.n = cmp.eq v7, v8", "the result is i32, not i1"),
        ("v5 = cmp.ult v3.s, v4", "v5 = cmp.lt v3.s, v4", "the comparison is not defined for ptr"),
        ("v5 = cmp.unordered v2.x, v2.x", "v5 = cmp.unordered v0.n, v0.n", "not defined for i32"),
        ("v6 = convert.sext v0.n", "v0.n = convert.sext v6", "it does not convert i64 to i32"),
        ("v6 = convert.zext v5", "v6 = convert.sext v5", "it does not convert i1 to i64"),
        ("v15 = convert.trunc v0.n", "v5 = convert.trunc v0.n", "it does not convert i32 to i1"),
        ("v10 = convert.ftof v2.x", "v2.x = convert.ftof v2.x", "it does not convert f64 to f64"),
        ("v6 = convert.bits v3.s", "v0.n = convert.bits v3.s", "it does not convert ptr to i32"),
        (
            "v2.x = select v5, v2.x, 1.0f64",
            "v2.x = select v0.n, v2.x, 1.0f64",
            "the condition is i32, not i1",
        ),
        ("v4 = index s0.buf + v6 * 8", "v4 = index s0.buf + v5 * 8", "the index is i1, not i64"),
        ("v6 * 8 below 50", "v6 * 8 below 1", "an extent is 2 or more"),
        ("v12 = load [v3.s] shared", "v5 = load [v3.s]", "i1 is not kept in memory"),
        ("v12 = load [v3.s] shared", "v12 = load [v6]", "the base of the address is i64, not ptr"),
        ("v12 = load [v3.s] shared", "v12 = load [v3.s] align 3", "the alignment 3 is no power of two"),
        ("store.f64 [g0.x], v2.x", "store.f32 [g0.x], v2.x", "the value is f64, not f32"),
        (
            "mem_copy [s0.buf], [v3.s + 4], 16i64",
            "mem_copy [s0.buf], [v3.s + 4], 16i32",
            "the size is i32, not i64",
        ),
        ("mem_set [s0.buf], 0i8", "mem_set [s0.buf], 0i32", "the value is i32, not i8"),
        ("call fn0.printf() sig3", "call fn0.printf() sig5", "0 arguments for 2 parameters"),
        ("call fn0.printf() sig3", "call fn0.printf(v7) sig3", "c64 does not cross calls"),
        ("call fn0.printf() sig3", "v0.n = call fn0.printf() sig3", "the signature has no scalar result"),
        ("call fn0.printf() sig3", "call fn4.empty() sig3", "a region is launched, not called"),
        ("call *v3.s(v4) sig2 to s0.buf", "call *v3.s(v4) sig2", "needs an address that receives it"),
        ("call *v3.s(v4) sig2 to s0.buf", "call *v6(v4) sig2 to s0.buf", "the function is i64, not ptr"),
        ("v0.n = va_arg s0.buf", "v7 = va_arg s0.buf", "c64 does not cross calls"),
        (
            "v0.n = atomic_rmw.add.i32 [v3.s], 1i32",
            "v0.n = atomic_rmw.fmin.i32 [v3.s], 1i32",
            "not defined for i32",
        ),
        (
            "atomic_rmw.shl.i32 [v3.s], v1.flag",
            "atomic_rmw.shl.i32 [v3.s], v1.flag reversed",
            "the value is i8, not i32",
        ),
        (
            "v0.n = atomic_cas.i32 [v3.s], 1i32, 2i32",
            "v0.n = atomic_cas.i32 [v3.s], 1i32, 2i8",
            "the desired value is i8",
        ),
        ("v10 = extract_lane v9, 3", "v10 = extract_lane v9, 4", "f32x4 has no lane 4"),
        ("v9 = insert_lane v9, v10, 0", "v9 = insert_lane v9, v2.x, 0", "the value is f64, not f32"),
        ("v14 = swiden v17, 1", "v14 = swiden v18, 1", "i8x16 is not half as wide as i32x4"),
        ("v14 = swiden v17, 1", "v14 = swiden v17, 2", "there is no half 2"),
        ("v18 = unarrow v17, v17", "v18 = unarrow v14, v14", "i8x16 is not half as wide as i32x4"),
        ("v18 = unarrow v17, v17", "v18 = unarrow v17, v14", "the second operand is i32x4, not i16x8"),
        ("v0.n = dim_size gang", "v2.x = dim_size gang", "the result is f64, no integer"),
        (
            "v6 = loop_share.step loop0, v2.n",
            "v6 = loop_share.step loop0, 1i32",
            "the result is i64, not i32",
        ),
        ("data exit\n", "fork gang, loop1\n", "this belongs into a region or routine"),
    ]);
}

#[test]
fn terminators() {
    all_fail(&[
        ("branch v5, bb5, bb6", "branch v0.n, bb5, bb6", "the condition is i32, not i1"),
        ("switch v0.n {", "switch v2.x {", "the value is f64, no integer"),
        ("7..=9: bb3", "9..=7: bb3", "the case 9..=7 is empty"),
        ("7..=9: bb3", "-1..=9: bb3", "the cases -5..=-1 and -1..=9 overlap"),
        ("7..=9: bb3", "7..=4294967296: bb3", "out of range for i32"),
        ("return v0.n", "return v2.x", "the value is f64, not i32"),
        ("return v0.n", "return", "the function has a result"),
        ("bb6:\n  return\n", "bb6:\n  return 0i32\n", "the function has no result"),
    ]);
}

#[test]
fn the_graph_and_its_loops() {
    all_fail(&[
        ("bb6:\n  return 0i32", "bb6:\n  jump bb0", "control jumps to the entry"),
        (
            "jump bb4\nbb4:",
            "jump bb4\nbb7: jump bb4\nbb4:",
            "control never arrives, but the block is in the layout",
        ),
        // The latch of loop1 goes elsewhere, so that the header has one predecessor.
        (
            "v0.i = add v0.i, 1i32\n  jump bb2",
            "v0.i = add v0.i, 1i32\n  jump bb5",
            "the header's predecessors are bb1, not",
        ),
        ("bb1 construct1:\n  jump bb2", "bb1 construct1:\n  jump bb3", "loop1 is entered by another edge"),
        (
            "bb1 construct1:\n  jump bb2",
            "bb1 construct1:\n  branch v2, bb2, bb2",
            "does not end in a jump to bb2",
        ),
        ("bb10 loop1 construct1:", "bb10 loop2 construct1:", "the exit bb10 belongs to loop2, not to loop1"),
        ("bb4 loop1 construct1:", "bb4 construct1:", "the latch bb4 belongs to no loop, not to loop1"),
        ("loop loop2 in loop1 preheader bb7", "loop loop2 in loop2 preheader bb7", "younger than its parent"),
        ("v2 = cmp.lt v0.i, v1.n\n  branch v2, bb3, bb5", "fence branch v2, bb3, bb5", "does more than test"),
        ("branch v2, bb3, bb5", "branch v2, bb5, bb3", "branches to body or exit"),
        (
            "bb10 loop1 construct1:\n",
            "bb10 loop1 construct1:\n  v0.i = copy 0i32\n",
            "written in loop1 outside of the latch",
        ),
        ("for v0.i = 0i32, lt v1.n", "for v0.i = 0i64, lt v1.n", "the first value is i64, not i32"),
        (
            "for v0.i = 0i32, lt v1.n",
            "for v0.i = 0i32, eq v1.n",
            "no counted loop over i32 has this comparison",
        ),
        (
            "for v3.p = s0.a, ne v4.d, step -8i64",
            "for v3.p = s0.a, lt v4.d, step -8i64",
            "no counted loop over ptr",
        ),
        (
            "for v3.p = s0.a, ne v4.d, step -8i64",
            "for v0.i = 0i32, lt 1i32, step 1i32",
            "and of a loop around it",
        ),
        (" for v0.i = 0i32, lt v1.n, step 1i32", "", "a partitioned loop has a counted form"),
    ]);
}

#[test]
fn constructs() {
    all_fail(&[
        ("bb1 construct1:\n", "bb1:\n", "the entry bb1 is not inside"),
        ("bb6:\n  return\n", "bb6 construct1:\n  return\n", "construct1 returns from its function"),
        ("bb6:\n  return\n", "bb6 construct1:\n  return\n", "the exit bb6 is inside"),
        (
            "bb5 construct1:\n  jump bb6",
            "bb5:\n  jump bb6",
            "construct1 is left to another block than its exit",
        ),
        ("bb5 construct1:\n  jump bb6", "bb5:\n  jump bb6", "the loop is only partly inside of construct1"),
        (
            "kernels entry bb1 exit bb6 fused 2 gangs",
            "kernels entry bb2 exit bb6 gangs",
            "construct1 is entered at another block",
        ),
        ("if v2 self false async(3i32)", "if 1i32 self false async(3i32)", "`if` is i32, not i1"),
        ("wait(devnum 0i32, 1i32, v1.n)", "wait(devnum 0i64, 1i32, v1.n)", "`devnum` is i64, not i32"),
        ("gangs(1i32, _, v1.n)", "gangs(1i32, _, v5)", "`num_gangs` is i64, not i32"),
    ]);
}

#[test]
fn directives_and_clauses() {
    all_fail(&[
        (
            "gang(num 4i32, static *, dim 3)",
            "gang(num 4i32, static *, dim 4)",
            "there is no gang dimension 4",
        ),
        ("gang(num 4i32, static *, dim 3)", "gang(num v2, static *, dim 3)", "`num` is i1, no integer"),
        ("levels(gang3, worker, vector)", "levels(gang3, worker, worker)", "partitioned twice over worker"),
        ("collapse 2 force", "collapse 0 force", "no loop is collapsed"),
        (
            "private \"i\" v0.i size 4 align 4",
            "private \"i\" 5i32 size 4 align 4",
            "a clause names a local, slot or global",
        ),
        (
            "first private \"t\" s1.t size 4 align 4",
            "first private \"t\" s1.t size 4 align 0",
            "no power of two",
        ),
        ("reduction max \"n\" v1.n parts(0 i32)", "reduction max \"n\" v1.n parts()", "has parts"),
        (
            "reduction max \"n\" v1.n parts(0 i32)",
            "reduction max \"n\" v1.n parts(0 c32)",
            "`max` is not defined for c32",
        ),
        (
            "reduction & \"m\" v4.m parts(0 i32)",
            "reduction & \"m\" v4.m parts(0 f32)",
            "`&` is not defined for f32",
        ),
        (
            "reduction max \"n\" v1.n parts(0 i32)",
            "reduction max \"n\" v1.n parts(0 ptr)",
            "ptr is not reduced",
        ),
        ("parts(0 i8 bool, 4 i8 bool x v5)", "parts(0 i32 bool, 4 i8 bool x v5)", "_Bool is an i8"),
        (
            "reduction | \"m\" v4.m parts(0 i32)",
            "reduction | \"k\" v4.m parts(0 i32)",
            "the clause of `k` names `m`",
        ),
        (
            "reduction | \"m\" v4.m parts(0 i32)",
            "reduction | \"m\" v4.m parts(0 i64)",
            "`m` is reduced, but not as i32",
        ),
        (
            "reduction | \"m\" v4.m parts(0 i32)",
            "reduction | \"m\" v4.m parts(4 i32)",
            "`m` is reduced, but not as i32",
        ),
        (
            "parts(0 i32 signed, 8 i32 x v2.n)",
            "parts(0 i32 signed, 8 i32 x 3i64)",
            "`arr` of 16 bytes does not hold",
        ),
        (
            "parts(0 i32 signed, 8 i32 x v2.n)",
            "parts(16 i32 signed, 8 i32 x v2.n)",
            "`arr` of 16 bytes does not hold",
        ),
        (
            "parts(0 i32 signed, 8 i32 x v2.n)",
            "parts(-4 i32 signed, 8 i32 x v2.n)",
            "`arr` of 16 bytes does not hold",
        ),
        (
            "  slot s0.buf size 400",
            "  reduction + \"n\" v0.n parts(0 i32)\n  slot s0.buf size 400",
            "reductions of a construct are in no region",
        ),
        (
            "parts(0 i8 bool, 4 i8 bool x v5)",
            "parts(0 i8 bool, 4 i8 bool x v1.n)",
            "the number of elements is i32, not i64",
        ),
        ("start v3.p bytes v5 @29:10", "start v5 bytes v5", "the start of the map is i64, not ptr"),
        ("rows(v5, 16i64)", "rows(v5, 16i32)", "the size of the rows is i32, not i64"),
        ("strides(v5 by 320i64", "strides(v1.n by 320i64", "the number of runs is i32, not i64"),
        ("strides(4i64 by v5)", "strides(4i64 by 3i32)", "the distance of runs is i32, not i64"),
        ("host_begin addresses(v3.p)", "host_begin addresses(v3.p, v4.d)", "2 device addresses, not 1"),
        ("host_begin addresses(v3.p)", "host_begin addresses(v1.n)", "a device address is i32, not ptr"),
        ("data exit\n", "data exit default_async 1i64\n", "`default_async` is i64, not i32"),
    ]);
}

#[test]
fn regions_and_launches() {
    all_fail(&[
        ("launch fn4.empty()", "launch fn1.ops()", "fn1 is no region"),
        ("launch fn4.empty()", "launch fn4.empty(v1.n)", "1 arguments for 0 parameters"),
        (
            "launch fn3(map 0, v3.p, 8i64)",
            "launch fn3(map 1, v3.p, 8i64)",
            "argument 0 is map 1, which does not exist",
        ),
        (
            "launch fn3(map 0, v3.p, 8i64)",
            "launch fn3(map 0, v3.p, map 0)",
            "argument 2 is a map, not a value",
        ),
        ("launch fn3(map 0, v3.p, 8i64)", "launch fn3(map 0, v3.p, 8i32)", "argument 2 is i32, not i64"),
        ("param \"n\" value i64", "param \"n\" value i32", "the parameter of `n` is not i32"),
        ("    param \"n\" value i64\n", "", "the mapping table has 2 lines for 3 parameters"),
        ("function fn4.empty sig0 internal", "function fn4.empty sig3 internal", "a region has no result"),
        ("  v6 = loop_share.step loop0, v2.n\n", "  launch fn4.empty()\n", "this belongs to the host"),
    ]);
}

#[test]
fn quads() {
    let setup = "  v4.m = reduction.setup([v1.p], v4.m, gang, +, i32 signed, loop0, red0)\n";
    let fini = "  v4.m = reduction.fini([v1.p], v4.m, gang, +, i32 signed, loop0, red0)\n";
    let init = "  v4.m = reduction.init(none, v4.m, vector, +, i32 signed, loop0, red0)\n";
    all_fail(&[
        (setup, "", "0 setup, 1 init, 1 fini and 1 teardown of red0"),
        (fini, "", "1 setup, 1 init, 0 fini and 1 teardown of red0"),
        (setup, &setup.repeat(2), "2 setup, 1 init"),
        (init, &init.replace('+', "*"), "differ in operator or type"),
        (init, &init.replace("i32 signed", "i32"), "differ in operator or type"),
        (init, &init.replace("i32 signed", "f32"), "LOCAL is i32, not f32"),
        (setup, &setup.replace("v4.m = reduction.setup", "fence v4.m = reduction.teardown"), "2 teardown"),
        (
            "  lock gang, loop0\n  v4.m",
            "  lock worker, loop0\n  unlock worker, loop0\n  v4.m",
            "the lock of its loop and level is not held",
        ),
        ("  unlock gang, loop0\n", "", "a lock is not released in the block that takes it"),
        ("  unlock gang, outer\n", "", "another lock is held"),
        ("  unlock vector, loop0\n", "  unlock worker, loop0\n", "this lock is not held"),
        ("  fork gang, loop0\n", "", "fork and join of loop0 at level gang: 0 begin and 1 end"),
        (
            "  join vector, loop0\n",
            "  join vector, loop0\n  fork vector, loop0\n  join vector, loop0\n",
            "2 of them",
        ),
        ("  head_mark loop0\n", "", "head and tail mark of loop0: 0 begin and 1 end"),
        ("  reductions 2\n", "  reductions 3\n", "red2 has no quad"),
    ]);
}

#[test]
fn calls_of_a_quad_come_in_order() {
    let fini = "  lock vector, loop0\n  v4.m = reduction.fini(none, v4.m, vector, +, i32 signed, loop0, red0)\n  unlock vector, loop0\n";
    let text = SAMPLE.replace(fini, "").replace("  head_mark loop0\n", &format!("  head_mark loop0\n{fini}"));
    let errors = verify(&parse(&text).expect("text"), "test").expect_err("a broken quad");
    assert!(errors.to_string().contains("fini is reached without what comes before it"), "{errors}");
}

#[test]
fn all_errors_are_reported_with_their_place() {
    let text = "signature sig0 ()
        function fn0.f sig0 external { locals v0: i32 locals v1: f64
            bb0: v0 = add v0, v1 v1 = fneg_missing }";
    assert!(parse(text).is_err());
    let text = "signature sig0 ()
        function fn0.f sig0 external { locals v0: i32 locals v1: f64
            bb0: v0 = add v0, v1 v1 = copy v0 jump bb1 bb1: return v0 }
        function fn1.g sig0 external { bb0: branch 1i32, bb0, bb0 }";
    let errors = verify(&parse(text).expect("text"), "some-pass").expect_err("errors");
    assert_eq!(
        errors.to_string(),
        "the IR is wrong after `some-pass`:
  function `f`, bb0: `v0 = add v0, v1`: the second operand is f64, not i32
  function `f`, bb0: `v1 = copy v0`: the result is f64, not i32
  function `f`, bb1: `return v0`: the function has no result
  function `g`, bb0: `branch 1i32, bb0, bb0`: the condition is i32, not i1
  function `g`, bb0: control jumps to the entry"
    );
}
