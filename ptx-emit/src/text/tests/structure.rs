//! Functions, blocks, names, line information.

use super::*;

#[test]
fn a_whole_kernel() {
    let ir = with_header(&region(
        "0, 1, 1, 1, 32",
        "  locals v2.i: i64\n  locals v3: i1\n  locals v4.x: f32\n  locals v5: ptr\n  \
         loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 \
         for v2.i = 0i64, lt v1.n, step 1i64 @4:3 {\n    directive levels(gang, vector)\n  }\n",
        "bb0:\n  v2.i = copy 0i64 @4:8\n  jump bb1 @4:8\nbb1 loop0:\n  v3 = cmp.lt v2.i, v1.n @4:15\n  \
         branch v3, bb2, bb3 @4:15\nbb2 loop0:\n  v5 = index v0.p + v2.i * 4 @5:5\n  v4.x = load [v5] @5:9\n  \
         v4.x = add v4.x, 1.0f32 @5:9\n  store.f32 [v5], v4.x @5:9\n  v2.i = add v2.i, 1i64 @4:20\n  \
         jump bb1 @4:20\nbb3:\n  return\n",
    ));
    let expected = r#".version 6.0
.target sm_70
.address_size 64
.file 1 "dir/a.c"


// parallel in main, a.c:3
//   p: pointer
//   n: i64 value
//   loop0 over i, a.c:4: gang vector
.visible .entry main$region0(
	.param .u64 p,
	.param .u64 n,
	.param .u64 __accrue_scratch
)
.reqntid 32, 1, 1
{
	.reg .pred	%p<2>;
	.reg .b64	%rd<5>;	// %rd1 i, %rd2 n, %rd3 p
	.reg .f32	%f<2>;	// %f1 x
	ld.param.u64 %rd3, [p];
	ld.param.u64 %rd2, [n];
	.loc 1 4 8
	mov.b64 %rd1, 0;
	// loop0 over i, a.c:4: gang vector
$bb1:
	setp.lt.s64 %p1, %rd1, %rd2;
	@!%p1 bra $bb3;
	.loc 1 5 5
	shl.b64 %rd4, %rd1, 2;
	add.s64 %rd4, %rd3, %rd4;
	ld.global.f32 %f1, [%rd4];
	add.rn.f32 %f1, %f1, 0f3F800000;
	st.global.f32 [%rd4], %f1;
	.loc 1 4 20
	add.s64 %rd1, %rd1, 1;
	bra $bb1;
$bb3:
	ret;
}
"#;
    assert_eq!(emit(&ir), expected);
}

#[test]
fn launch_bounds_follow_the_constant_dimensions() {
    let kernel = |dims| with_header(&region(dims, "", "bb0:\n  return\n"));
    has_lines(&emit(&kernel("0, 0, 0, 4, 33")), ".reqntid 64, 4, 1");
    has_lines(&emit(&kernel("0, 0, 0, 0, 33")), ".maxntid 1024, 1, 1");
    has_lines(&emit(&kernel("0, 0, 0, 0, 0")), ".param .u32 __accrue_vector_length");
    assert!(refused(&kernel("0, 0, 0, 32, 64")).contains("more than the 1024 threads"));
}

#[test]
fn empty_blocks_vanish_and_endless_loops_stay() {
    let ir = with_header(&region(
        "0, 0, 0, 1, 32",
        "  locals v2: i1\n",
        "bb0:\n  v2 = cmp.eq v1.n, 0i64\n  branch v2, bb1, bb2\nbb1:\n  jump bb3\nbb2:\n  jump bb3\nbb3:\n  \
         branch v2, bb4, bb5\nbb4:\n  jump bb4\nbb5:\n  jump bb6\nbb6:\n  return\n",
    ));
    let text = emit(&ir);
    has_lines(&text, "setp.eq.b64 %p1, %rd1, 0;\n@!%p1 bra $bb6;\n$bb4:\nbra $bb4;\n$bb6:\nret;");
}

#[test]
fn what_some_path_does_not_write_is_zero() {
    let ir = with_header(&region(
        "0, 0, 0, 1, 32",
        "  locals v2: i1\n  locals v3: f64\n  locals v4: i1\n",
        "bb0:\n  v2 = cmp.eq v1.n, 0i64\n  branch v2, bb1, bb2\nbb1:\n  v3 = copy 1.0f64\n  v4 = copy true\n  \
         jump bb2\nbb2:\n  store.f64 [v0.p], v3\n  branch v4, bb3, bb4\nbb3:\n  trap\n  jump bb4\n\
         bb4:\n  return\n",
    ));
    let text = emit(&ir);
    has_lines(&text, "mov.f64 %fd1, 0d0000000000000000;\nmov.pred %p1, 0;");
}

#[test]
fn switches_become_chains_searches_and_tables() {
    let switch = |cases: &str| {
        with_header(&region(
            "0, 0, 0, 1, 32",
            "  locals v2: i32\n  locals v3: i8\n",
            &format!(
                "bb0:\n  v2 = load [v0.p]\n  v3 = load [v0.p]\n  switch v2 {{\n{cases}    default: bb3\n  }}\nbb1:\n  \
                 store.i32 [v0.p], 1i32\n  jump bb3\nbb2:\n  store.i32 [v0.p], 2i32\n  jump bb3\nbb3:\n  return\n"
            ),
        ))
    };
    let chain = emit(&switch("    -5..=-1: bb1\n    7: bb2\n"));
    has_lines(
        &chain,
        "sub.s32 %r3, %r1, -5;\nsetp.le.u32 %p1, %r3, 4;\n@%p1 bra $bb1;\n\
         setp.eq.s32 %p2, %r1, 7;\n@%p2 bra $bb2;\nbra $bb3;",
    );
    let dense: String = (0..8).map(|case| format!("    {}: bb{}\n", case - 3, 1 + case % 2)).collect();
    let table = emit(&switch(&dense));
    has_lines(
        &table,
        "sub.s32 %r3, %r1, -3;\nsetp.ge.u32 %p1, %r3, 8;\n@%p1 bra $bb3;\n$table1:\n\
         .branchtargets $bb1, $bb2, $bb1, $bb2, $bb1, $bb2, $bb1, $bb2;\nbrx.idx %r3, $table1;\n$bb1:",
    );
    let sparse: String =
        (0..12).map(|case| format!("    {}: bb{}\n", case * 1000 - 4000, 1 + case % 2)).collect();
    let search = emit(&switch(&sparse));
    assert!(!search.contains("brx") && search.contains("setp.ge.s32"), "{search}");
    let narrow = switch("    -1: bb1\n    5: bb2\n").replace("switch v2", "switch v3");
    has_lines(&emit(&narrow), "cvt.s32.s8 %r3, %r2;\nsetp.eq.s32 %p1, %r3, -1;");
}

#[test]
fn names_of_c_survive_and_never_collide() {
    let ir = with_header(&format!(
        "signature sig1 ()\nglobal g0.p internal size 4 align 4 zero\nglobal g1.\"..str0\" internal size 3 align 1 constant bytes \"hi\"\n{}\
         function fn1.add sig1 internal {{\nbb0:\n  store.i32 [g0.p], 1i32\n  return\n}}\n\
         function fn2.add sig1 internal {{\nbb0:\n  store.i32 [g0.p], 2i32\n  return\n}}\n\
         function fn3.WARP_SZ sig1 internal {{\nbb0:\n  return\n}}\n",
        region(
            "0, 0, 0, 1, 32",
            "",
            "bb0:\n  call fn1.add() sig1\n  call fn2.add() sig1\n  call fn3.WARP_SZ() sig1\n  \
             store.ptr [v0.p], g1\n  return\n"
        )
    ));
    let text = emit(&ir);
    for line in [".func add()", ".func add$1()", ".func WARP_SZ$1()", "// \"hi\""] {
        assert!(text.contains(line), "{line} in {text}");
    }
    has_lines(&text, ".param .u64 p$1,\n.param .u64 n,");
    has_lines(&text, ".global .align 1 .b8 str0[3] = {104, 105};");
}

#[test]
fn operations_that_a_device_lacks_are_named() {
    let with = |op: &str| {
        with_header(&region(
            "0, 0, 0, 1, 32",
            "  locals v2: c64\n  locals v3: f80\n  locals v4: i128\n",
            &format!("bb0:\n  {op}\n  return\n"),
        ))
    };
    assert!(refused(&with("va_start v0.p")).contains("variable number of arguments"));
    assert!(refused(&with("v3 = load [v0.p]")).contains("`long double` does not exist"));
    assert!(refused(&with("v2 = load [v0.p]")).contains("not taken apart"));
    assert!(refused(&with("v4 = atomic_load [v0.p]")).contains("no atomic operations on `__int128`"));
    assert!(refused(&with("barrier gang2")).contains("a barrier at level"));
}

#[test]
fn text_is_ascii() {
    for (path, quoted) in
        [("a dir/b.c", "a dir/b.c"), ("é/\"x\".c", "%C3%A9/%22x%22.c"), ("100%\\\n.c", "100%25%5C%0A.c")]
    {
        assert_eq!(crate::text::source_text::quoted_path(path), quoted);
    }
    assert_eq!(crate::text::source_text::comment_text("größe \n😀"), "gr\\u00F6\\u00DFe  \\U0001F600");
}

#[test]
fn a_text_that_reads_what_nothing_wrote_is_found() {
    let found = |local: &str, keep_undefined: bool| {
        let declarations = format!("  locals v2{local}: i64\n  locals v3: ptr\n");
        let code = "bb0:\n  v3 = index v0.p + v2 * 8\n  store.i64 [v3], v1.n\n  return\n";
        let ir = with_header(&region("1, 1, 1, 1, 32", &declarations, code));
        let module = accrue_ir::text::parse(&ir).unwrap_or_else(|error| panic!("{error:?}\n{ir}"));
        let reached = super::super::reach(&module).expect("it is reached");
        let options = Options { keep_undefined, ..options(sm(90)) };
        let ptx = super::super::module(&module, reached, &options).expect("it is written");
        let linted = accrue_ptx_sim::lint(&ptx.text, |function, register| ptx.is_unset(function, register));
        linted.err().map(|error| error.to_string())
    };
    for (local, keep_undefined) in [("", false), (".x", false), ("", true)] {
        let found = found(local, keep_undefined).expect("something is wrong");
        assert!(found.contains("may be read before it is written"), "{found}");
    }
    // What a variable of the program has is what the simulator shows; a temporary is accrue's.
    assert_eq!(found(".x", true), None);
}
