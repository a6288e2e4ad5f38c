//! Calls: of functions, through pointers, of the C library.

use super::*;

fn program(signatures: &str, rest: &str, locals: &str, ops: &str) -> String {
    let region = region("0, 0, 0, 1, 32", locals, &format!("bb0:\n{ops}  return\n"));
    with_header(&format!("{signatures}{region}{rest}"))
}

#[test]
fn scalars_and_objects_cross_calls() {
    let ir = program(
        "",
        "function fn1.mk sig1 internal {\n  params v0.o, v1.k\n  locals v0.o: ptr\n  locals v1.k: i8\nbb0:\n  \
         store.i8 [v0.o + 8], v1.k\n  return v0.o\n}\n\
         function fn2.f sig2 internal {\n  params v0.x\n  locals v0.x: f64\nbb0:\n  return v0.x\n}\n",
        "  locals v2: ptr\n  locals v3: f64\n  slot s0.o size 12 align 4\n  slot s1.r size 12 align 4\n",
        "  call fn1.mk(s0.o, -1i8) sig1 to s1.r\n  v2 = copy fn2.f\n  v3 = call *v2(2.0f64) sig2\n  store.f64 [v0.p], v3\n  \
         store.ptr [v0.p], v2\n  call *v2(v3) sig2\n",
    )
    .replace(
        "signature sig0 (ptr, i64)\n",
        "aggregate agg0 size 12 align 4 leaves(0 i64, 8 i32)\nsignature sig0 (ptr, i64)\nsignature sig1 (agg0, i8 sext) -> agg0\nsignature sig2 (f64) -> f64\n",
    );
    let text = emit(&ir);
    has_lines(
        &text,
        ".func (.param .align 4 .b8 __result[12]) mk(.param .align 4 .b8 o[12], .param .b32 k);",
    );
    has_lines(
        &text,
        ".param .b32 __p1;\nst.param.b32 [__p1], 255;\n.param .align 4 .b8 __p2[12];\ncall (__p2), mk, (__p0, __p1);",
    );
    has_lines(&text, "ld.param.u32 %r4, [__p2];\nst.local.u32 [__frame+12], %r4;");
    has_lines(&text, "$prototype1: .callprototype (.param .f64 _) _ (.param .f64 _);\n{\n.param .f64 __p0;");
    has_lines(&text, "call (__p1), %rd2, (__p0), $prototype1;\nld.param.f64 %fd1, [__p1];");
}

#[test]
fn the_library_of_c() {
    let ir = program(
        "",
        "function fn1.printf sig1 external\nfunction fn2.puts sig2 external\nfunction fn3.putchar sig3 external\n\
         function fn4.abort sig4 external noreturn\nfunction fn5.malloc sig5 external\nfunction fn6.free sig6 external\n\
         function fn7.fma sig7 external\nfunction fn8.sqrtf sig8 external\nfunction fn9.sin sig9 external\n\
         function fn10.__accrue_sin sig9 external {\n  params v0.x\n  locals v0.x: f64\nbb0:\n  return v0.x\n}\n\
         function fn11.__assert_fail sig10 external noreturn\nfunction fn12.memcpy sig11 external\nfunction fn13.memset sig12 external\n\
         function fn14.calloc sig13 external\n",
        "  locals v2: i32\n  locals v3: f64\n  locals v4: f32\n  locals v5: ptr\n",
        "  v3 = load [v0.p]\n  v4 = load [v0.p]\n  v2 = call fn1.printf(g0.s, 7i32, v3, v0.p, 3i32) sig1\n  call fn1.printf(g0.s) sig1\n  \
         call fn2.puts(g0.s) sig2\n  call fn3.putchar(65i32) sig3\n  v5 = call fn5.malloc(16i64) sig5\n  call fn6.free(v5) sig6\n  \
         v5 = call fn14.calloc(v1.n, 8i64) sig13\n  \
         v3 = call fn7.fma(v3, 2.0f64, v3) sig7\n  v4 = call fn8.sqrtf(v4) sig8\n  v3 = call fn9.sin(v3) sig9\n  \
         v5 = call fn12.memcpy(v5, v0.p, v1.n) sig11\n  v5 = call fn13.memset(v5, 300i32, 8i64) sig12\n  store.ptr [v0.p], v5\n  \
         store.f64 [v0.p], v3\n  store.f32 [v0.p], v4\n  call fn11.__assert_fail(g0.s, g0.s, 3i32, g0.s) sig10\n  call fn4.abort() sig4\n",
    )
    .replace(
        "signature sig0 (ptr, i64)\n",
        "signature sig0 (ptr, i64)\nsignature sig1 (ptr, ...) -> i32\nsignature sig2 (ptr) -> i32\nsignature sig3 (i32) -> i32\n\
         signature sig4 ()\nsignature sig5 (i64) -> ptr\nsignature sig6 (ptr)\nsignature sig7 (f64, f64, f64) -> f64\n\
         signature sig8 (f32) -> f32\nsignature sig9 (f64) -> f64\nsignature sig10 (ptr, ptr, i32, ptr)\n\
         signature sig11 (ptr, ptr, i64) -> ptr\nsignature sig12 (ptr, i32, i64) -> ptr\nsignature sig13 (i64, i64) -> ptr\n\
         global g0.s internal size 3 align 1 constant bytes \"hi\"\n",
    );
    let text = emit(&ir);
    has_lines(
        &text,
        "st.local.b32 [__frame], 7;\nst.local.f64 [__frame+8], %fd1;\nst.local.b64 [__frame+16], %rd1;\nst.local.b32 [__frame+24], 3;",
    );
    has_lines(&text, "call (__p2), vprintf, (__p0, __p1);\nld.param.b32 %r1, [__p2];");
    has_lines(&text, ".global .align 1 .b8 __accrue_format2[4] = {37, 115, 10};");
    has_lines(&text, "fma.rn.f64 %fd1, %fd1, 0d4000000000000000, %fd1;");
    has_lines(&text, "call (__p1), __accrue_sin, (__p0);");
    assert_eq!(text.matches(".extern .func").count(), 4, "{text}");
    let missing = ir.replace("__accrue_sin", "__accrue_cos");
    assert_eq!(refused(&missing), "in `main.region0`: function `sin` has no device version");
    let asks = missing.replace(".sin", ".omp_get_level");
    assert!(refused(&asks).contains("knows what is around it, a function that it calls does not"), "{asks}");
    let declared = missing.replace(".sin sig9 external", ".sin sig9 external routine(seq)");
    assert!(refused(&declared).contains("routine `sin`, which is called here, is declared"), "{declared}");
}

#[test]
fn calls_without_a_prototype_adapt_integers_and_refuse_the_rest() {
    let ir = |arg: &str| {
        program(
            "",
            "function fn1.f sig1 internal {\n  params v0.q, v1.c\n  locals v0.q: ptr\n  locals v1.c: i8\nbb0:\n  \
             store.i8 [v0.q], v1.c\n  return 1i64\n}\n",
            "  locals v2: i32\n",
            &format!("  v2 = load [v0.p]\n  v2 = call fn1.f({arg}, v2) sig2\n  store.i32 [v0.p], v2\n"),
        )
        .replace(
            "signature sig0 (ptr, i64)\n",
            "signature sig0 (ptr, i64)\nsignature sig1 (ptr, i8 sext) -> i64\nsignature sig2 (...) -> i32\n",
        )
    };
    let text = emit(&ir("v2"));
    has_lines(&text, "cvt.u64.u32 %rd2, %r1;\nand.b32 %r2, %r1, 255;");
    has_lines(&text, "ld.param.b64 %rd3, [__p2];\ncvt.u32.u64 %r3, %rd3;\nmov.b32 %r1, %r3;");
    assert!(refused(&ir("2.0f64")).contains("of type f64 for one of type ptr"));
}

#[test]
fn routines_are_called_by_the_name_they_are_bound_to() {
    let ir = program(
        "",
        "function fn1.f sig1 internal routine(seq bind \"g\") {\nbb0:\n  return\n}\nfunction fn2.g sig1 internal {\nbb0:\n  trap\n  return\n}\n",
        "",
        "  call fn1.f() sig1\n",
    )
    .replace("signature sig0 (ptr, i64)\n", "signature sig0 (ptr, i64)\nsignature sig1 ()\n");
    let text = emit(&ir);
    has_lines(&text, "call g, ();");
    assert!(!text.contains(".func f("), "{text}");
}
