//! Slots, globals, copies, alignment, stack allocation.

use super::*;

#[test]
fn slots_are_accessed_in_their_own_space() {
    let ir = with_header(&region(
        "0, 0, 0, 4, 32",
        "  locals v2: i32\n  locals v3: ptr\n  slot s0.own size 12 align 4\n  slot s1.tile size 100 align 8 gang_private\n  \
         slot s2.row size 20 align 8 worker_private\n  slot s3.more size 8 align 8\n",
        "bb0:\n  v2 = load [s0.own + 4]\n  store.i32 [s1.tile + 96], v2\n  store.i32 [s2.row + 4], v2\n  \
         v3 = copy s1.tile\n  store.ptr [v0.p], v3\n  store.i32 [v3], v2 shared\n  store.ptr [v0.p], s3.more\n  \
         store.ptr [v0.p], s2.row\n  return\n",
    ));
    let text = emit(&ir);
    has_lines(&text, "// __frame+0: own\n// __frame+16: more\n.local .align 8 .b8 __frame[24];");
    has_lines(&text, ".shared .align 8 .b8 tile[100];\t// tile\n.shared .align 8 .b8 row[96];\t// row");
    has_lines(&text, "mov.u32 %r3, %tid.y;\nmov.b32 %r4, row;\nmad.lo.s32 %r2, %r3, 24, %r4;");
    has_lines(
        &text,
        "ld.local.u32 %r1, [__frame+4];\nst.shared.u32 [tile+96], %r1;\nst.shared.u32 [%r2+4], %r1;",
    );
    has_lines(&text, "mov.u64 %rd1, tile;\ncvta.shared.u64 %rd2, %rd1;\nmov.b64 %rd3, %rd2;");
    has_lines(&text, "cvta.to.shared.u64 %rd5, %rd3;\nst.shared.u32 [%rd5], %r1;");
}

#[test]
fn addresses_in_shared_memory_are_short_unless_something_else_needs_them() {
    let code = |ops: &str| {
        emit(&with_header(&region(
            "0, 1, 1, 2, 32",
            "  locals v2: i32\n  locals v3: ptr\n  locals v4: ptr\n  locals v5: i8\n  \
             slot s0.tile size 100 align 8 gang_private\n  slot s1.row size 20 align 8 worker_private\n",
            &format!("bb0:\n  v2 = dim_pos vector\n  v3 = index s0.tile + v2 * 4\n{ops}  return\n"),
        )))
    };
    let short = code("  v4 = index v3 + v2 * 1 + 8\n  store.i32 [v4 + 4], v2\n");
    assert!(short.contains("st.shared.u32 [%r") && !short.contains("cvta"), "{short}");
    let stored = code("  v4 = index v3 + v2 * 1 + 8\n  store.i32 [v4 + 4], v2\n  store.ptr [v0.p], v4\n");
    assert!(stored.contains("cvta.shared.u64"), "{stored}");
    // The part of a worker has an address of 32 bits, whatever is done there.
    let copied = code("  mem_copy [s1.row + 1], [s0.tile + 1], v1.n align 1\n");
    assert!(copied.contains("$copy1:") && copied.contains("cvt.u64.u32"), "{copied}");
    let updated = code("  atomic_rmw.add.i8 [s1.row + 3], 1i8\n");
    assert!(updated.contains("cas.b32"), "{updated}");
}

#[test]
fn buffers_of_reductions_and_broadcasts_overlap_where_they_may() {
    let ir = with_header(&region(
        "0, 0, 0, 4, 32",
        "  locals v2.i, v3.j: i64\n  locals v4: i1\n  locals v5.k: i64\n  slot s0.a size 8 align 8 reduction in loop0\n  \
         slot s1.b size 4 align 4 reduction in loop0\n  slot s2.c size 16 align 8 reduction in loop1\n  \
         slot s3.d size 8 align 8 reduction in loop2\n  slot s4.e size 24 align 8 broadcast\n  slot s5.f size 8 align 8 broadcast\n  \
         loop loop0 preheader bb0 header bb1 body bb2 latch bb5 exit bb6\n  \
         loop loop1 in loop0 preheader bb2 header bb3 body bb4 latch bb4 exit bb5\n  \
         loop loop2 preheader bb6 header bb7 body bb8 latch bb8 exit bb9\n",
        "bb0:\n  v2.i = copy 0i64\n  jump bb1\nbb1 loop0:\n  v4 = cmp.lt v2.i, v1.n\n  branch v4, bb2, bb6\n\
         bb2 loop0:\n  store.i64 [s0.a], v2.i\n  store.i32 [s1.b], 1i32\n  v3.j = copy 0i64\n  jump bb3\n\
         bb3 loop1:\n  v4 = cmp.lt v3.j, v1.n\n  branch v4, bb4, bb5\nbb4 loop1:\n  store.i64 [s2.c + 8], v3.j\n  \
         v3.j = add v3.j, 1i64\n  jump bb3\nbb5 loop0:\n  v2.i = add v2.i, 1i64\n  jump bb1\n\
         bb6:\n  v5.k = copy 0i64\n  jump bb7\nbb7 loop2:\n  v4 = cmp.lt v5.k, v1.n\n  branch v4, bb8, bb9\n\
         bb8 loop2:\n  store.i64 [s3.d], v5.k\n  v5.k = add v5.k, 1i64\n  jump bb7\n\
         bb9:\n  store.i64 [s4.e + 16], v1.n\n  store.i64 [s5.f], v1.n\n  return\n",
    ));
    let text = emit(&ir);
    has_lines(
        &text,
        ".shared .align 16 .b8 __accrue_reductions[32];\n.shared .align 16 .b8 __accrue_broadcast[24];",
    );
    for line in [
        "st.shared.u64 [__accrue_reductions], %rd1;",
        "st.shared.u32 [__accrue_reductions+8], 1;",
        "st.shared.u64 [__accrue_reductions+24], %rd3;",
        "st.shared.u64 [__accrue_broadcast+16], %rd2;",
        "st.shared.u64 [__accrue_broadcast], %rd2;",
    ] {
        has_lines(&text, line);
    }
    has_lines(&text, "st.shared.u64 [__accrue_reductions], %rd4;");
}

#[test]
fn what_does_not_fit_into_shared_memory_is_in_the_scratch_memory() {
    let ir = with_header(&region(
        "0, 0, 0, 0, 32",
        "  slot s0.big size 40000 align 8 gang_private\n  slot s1.row size 400 align 8 worker_private\n",
        "bb0:\n  store.i32 [s0.big], 1i32\n  store.i32 [s1.row], 1i32\n  return\n",
    ));
    let text = emit(&ir);
    has_lines(&text, "// scratch: 16 bytes and 40008 for each gang");
    has_lines(&text, ".shared .align 8 .b8 row[12800];\t// row");
    has_lines(&text, "mad.wide.u32 %rd2, %r7, 40008, %rd1;");
    has_lines(&text, "st.global.u32 [%rd2+24], 1;\nst.shared.u32 [%r8], 1;");
    let ir = ir.replace("size 40000 align 8 gang_private", "size 5000000000 align 8 gang_private");
    assert!(refused(&ir).contains("5000000008 bytes of scratch memory for each gang"));
    let ir = ir.replace("size 5000000000 align 8 gang_private", "size 50000 align 8 broadcast");
    assert!(refused(&ir).contains("50016 bytes of shared memory"));
}

#[test]
fn barrier_objects_of_rows_are_in_shared_memory_too() {
    let kernel = |barrier| {
        let ops = format!("bb0:\n  store.i32 [s0.big], 1i32\n{barrier}  return\n");
        with_header(&region("0, 0, 0, 2, 64", "  slot s0.big size 49016 align 8 gang_private\n", &ops))
    };
    let is_shared = |arch, barrier| emit_for(arch, &kernel(barrier)).contains(".b8 big[49016]");
    for barrier in ["", "  barrier worker\n"] {
        assert!(is_shared(sm(90), barrier));
    }
    assert!(is_shared(sm(75), "  barrier vector\n"));
    assert!(!is_shared(sm(80), "  barrier vector\n"));
    assert!(emit_for(sm(80), &kernel("  barrier vector\n").replace("49016", "49008")).contains("big[49008]"));
}

#[test]
fn what_gangs_share_is_in_the_scratch_memory() {
    let ir = with_header(&region(
        "0, 1, 1, 2, 32",
        "  locals v2: i32\n  locals v3: ptr\n  slot s0.total size 8 align 8 launch\n  slot s1.own size 4 align 4 gang_scratch\n",
        "bb0:\n  store.i64 [s0.total], v1.n\n  store.i32 [s1.own], 1i32\n  v3 = instance s1.own, 5i32\n  v2 = load [v3]\n  \
         store.i32 [v0.p], v2\n  return\n",
    ));
    let text = emit(&ir);
    has_lines(&text, "// scratch: 24 bytes and 8 for each gang");
    has_lines(&text, "st.global.u64 [%rd2+16], %rd1;\nst.global.u32 [%rd3+28], 1;");
    has_lines(&text, "mad.wide.u32 %rd4, %r2, 8, %rd2;\nadd.s64 %rd5, %rd4, 28;\nld.global.u32 %r3, [%rd5];");
}

#[test]
fn globals_have_their_initial_values() {
    let ir = with_header(&format!(
        "signature sig1 ()\nglobal g0.x external size 4 align 4 zero\n\
         global g1.table internal size 28 align 8 bytes \"\\x05\" relocate(8 g0.x + 2, 16 fn1.f)\n\
         global g2.unused internal size 4 align 4 zero\n{}\
         function fn1.f sig1 internal {{\nbb0:\n  return\n}}\n",
        region(
            "0, 0, 0, 1, 32",
            "  locals v2: ptr\n",
            "bb0:\n  v2 = load [g1.table + 8]\n  store.ptr [v0.p], v2\n  return\n"
        )
    ));
    let text = emit(&ir);
    has_lines(
        &text,
        ".func f();\n.global .align 4 .b8 x[4];\n.global .align 8 .u64 table[4] = {5, generic(x)+2, f, 0};",
    );
    has_lines(&text, "ld.global.u64 %rd1, [table+8];");
    assert!(!text.contains("unused"), "{text}");
    assert!(
        refused(&ir.replace("size 4 align 4 zero\nglobal g1", "size 4 align 4 extern\nglobal g1"))
            .contains("not defined")
    );
    assert!(refused(&ir.replace("8 g0.x + 2", "4 g0.x")).contains("not aligned"));
    assert!(refused(&ir.replace("8 g0.x + 2", "8 g1.table")).contains("leads back to itself"));
}

#[test]
fn copies_are_unrolled_or_loop() {
    let copy = |ops: &str| {
        let body = format!("bb0:\n{ops}  return\n");
        emit(&with_header(&region(
            "0, 0, 0, 1, 32",
            "  locals v2: i8\n  slot s0.s size 800 align 8\n",
            &body,
        )))
    };
    let small = copy("  mem_copy [s0.s], [v0.p + 4], 15i64 align 8\n");
    has_lines(
        &small,
        "ld.global.u64 %rd2, [%rd1+4];\nst.local.u64 [__frame], %rd2;\nld.global.u32 %r1, [%rd1+12];\n\
         st.local.u32 [__frame+8], %r1;\nld.global.u16 %r2, [%rd1+16];\nst.local.u16 [__frame+12], %r2;\n\
         ld.global.u8 %r3, [%rd1+18];\nst.local.u8 [__frame+14], %r3;\nret;",
    );
    let large = copy("  mem_copy [s0.s], [v0.p], 801i64 align 4\n");
    has_lines(&large, "$copy1:");
    has_lines(&large, "add.s64 %rd2, %rd2, 4;\nsetp.lt.u64 %p1, %rd2, 800;\n@%p1 bra $copy1;");
    let fill = copy(
        "  mem_set [s0.s], -1i8, 12i64 align 4\n  v2 = load [v0.p]\n  mem_set [v0.p], v2, v1.n align 8\n",
    );
    has_lines(&fill, "st.local.u32 [__frame], 4294967295;");
    has_lines(&fill, "mul.lo.s64 %rd3, %rd2, 72340172838076673;");
    assert_eq!(fill.matches("bra $copy").count(), 2, "{fill}");
}

#[test]
fn unaligned_and_volatile_accesses() {
    let ir = with_header(&region(
        "0, 0, 0, 1, 32",
        "  locals v2: f64\n  locals v3: i32\n  slot s0.s size 8 align 8\n",
        "bb0:\n  v2 = load [v0.p] align 4\n  store.f64 [v0.p + 1], v2 align 1\n  v3 = load [v0.p] volatile\n  \
         store.i32 [s0.s], v3 volatile\n  v2 = load [v0.p] align 1 volatile\n  store.f64 [v0.p], v2\n  return\n",
    ));
    let text = emit(&ir);
    has_lines(
        &text,
        "ld.global.u32 %r1, [%rd1];\ncvt.u64.u32 %rd2, %r1;\nld.global.u32 %r2, [%rd1+4];\n\
         cvt.u64.u32 %rd3, %r2;\nshl.b64 %rd4, %rd3, 32;\nor.b64 %rd5, %rd2, %rd4;\nmov.b64 %fd1, %rd5;",
    );
    assert_eq!(text.matches("st.global.u8").count(), 8, "{text}");
    assert_eq!(text.matches("ld.volatile.global.u8").count(), 8, "{text}");
    has_lines(&text, "ld.volatile.global.u32 %r11, [%rd1];\nst.local.u32 [__frame], %r11;");
}

#[test]
fn stack_allocation_raises_the_version() {
    let ir = with_header(&region(
        "0, 0, 0, 1, 32",
        "  locals v2, v3: ptr\n",
        "bb0:\n  v2 = stack_save\n  v3 = stack_alloc v1.n align 16\n  store.i32 [v3], 1i32\n  stack_restore v2\n  return\n",
    ));
    let text = emit(&ir);
    assert!(text.starts_with(".version 7.3\n"), "{text}");
    has_lines(&text, "max.u64 %rd4, %rd2, 1;\nalloca.u64 %rd5, %rd4, 16;\ncvta.local.u64 %rd3, %rd5;");
}
