//! Positions, barriers, shuffles, locks, atomics.

use super::*;

fn kernel(dims: &str, ops: &str) -> String {
    let locals = "  locals v2: i32\n  locals v3: i64\n  locals v4: f64\n  locals v5: f32\n  locals v6: i8\n  locals v7: i1\n  \
                  locals v8: i16\n  slot s0.t size 8 align 8 gang_private\n  slot s1.own size 8 align 8\n";
    with_header(&region(dims, locals, &format!("bb0:\n{ops}  return\n")))
}

#[test]
fn positions_and_sizes() {
    let ops = "  v2 = dim_pos gang\n  v3 = dim_pos vector\n  v2 = dim_size gang2\n  v2 = dim_size worker\n  v2 = dim_size vector\n";
    let text = emit(&kernel("0, 0, 0, 2, 48", ops));
    has_lines(&text, "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\ncvt.u64.u32 %rd1, %r2;");
    has_lines(&text, "mov.u32 %r1, 48;");
    let text = emit(&kernel("0, 0, 0, 2, 0", "  v2 = dim_size vector\n"));
    has_lines(&text, "ld.param.u32 %r1, [__accrue_vector_length];\nmov.u32 %r2, %r1;");
}

#[test]
fn barriers_fit_the_row() {
    has_lines(&emit(&kernel("0, 0, 0, 2, 32", "  barrier vector\n")), "bar.warp.sync 0xffffffff;");
    let long = emit(&kernel("0, 0, 0, 2, 64", "  barrier vector\n"));
    has_lines(
        &long,
        "bar.warp.sync %r1;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.y;\nadd.s32 %r6, %r5, 1;\nbarrier.sync %r6, %r4;",
    );
    let unknown = emit(&kernel("0, 0, 0, 0, 0", "  barrier vector\n"));
    has_lines(&unknown, "setp.le.u32 %p1, %r4, 32;\n@%p1 bra $met1;");
    has_lines(&unknown, "barrier.sync %r7, %r5;\n$met1:\nret;");
    // A row that is the whole gang meets as the gang does, however long it is.
    for dims in ["0, 0, 0, 1, 64", "0, 0, 0, 1, 0"] {
        has_lines(&emit(&kernel(dims, "  barrier vector\n")), "\nbar.sync 0;\nret;");
    }
}

/// Behind a few operations, a barrier that the rows of one warp of a gang with two workers come to.
fn meets_first(blocks: &str) -> bool {
    let locals = "  locals v2: i32\n  locals v3: i32\n  locals v4: i1\n  locals v5: i32\n  slot s0.t size 8 align 8 gang_private\n";
    let text = emit(&with_header(&region(
        "0, 1, 1, 2, 32",
        locals,
        &format!("bb0:\n{blocks}  barrier worker\n  return\n"),
    )));
    assert!(text.contains("bar.sync 0;"), "{text}");
    text.contains("bar.warp.sync")
}

/// The instruction by which the threads of a gang of two workers meet in a loop with as many rounds as some
/// operations say, or behind it.
fn meets_by(rounds: &str, inside: bool) -> &'static str {
    let locals = "  locals v2: i32\n  locals v3: i32\n  locals v4: i1\n";
    let [within, behind] = if inside { ["  barrier worker\n", ""] } else { ["", "  barrier worker\n"] };
    let blocks = format!(
        "bb0:\n{rounds}  v3 = copy 0i32\n  jump bb1\nbb1:\n  v4 = cmp.lt v3, v2\n  branch v4, bb2, bb3\n\
         bb2:\n  store.i32 [v0.p], v3\n{within}  v3 = add v3, 1i32\n  jump bb1\nbb3:\n{behind}  return\n"
    );
    let text = emit(&with_header(&region("0, 1, 1, 2, 32", locals, &blocks)));
    match (text.contains("\tbar.sync 0;"), text.contains("\tbarrier.sync 0;")) {
        (true, false) => "bar.sync",
        (false, true) => "barrier.sync",
        _ => panic!("one of both: {text}"),
    }
}

#[test]
fn threads_that_come_to_all_barriers_alike_promise_whole_warps() {
    for common in ["  v2 = dim_pos gang\n", "  v2 = load [v0.p]\n", "  v2 = copy 3i32\n"] {
        assert_eq!(meets_by(common, true), "bar.sync", "{common}");
    }
    let load = "  v2 = load [v0.p]\n  v3 = dim_pos worker\n  v2 = add v2, v3\n";
    for own in ["  v2 = dim_pos worker\n", "  v2 = dim_pos vector\n", load] {
        assert_eq!(meets_by(own, true), "barrier.sync", "{own}");
        // All ways meet in front of it.
        assert_eq!(meets_by(own, false), "bar.sync", "{own}");
    }
}

#[test]
fn lanes_that_have_not_parted_need_not_meet_before_a_barrier() {
    let row = "  v2 = dim_pos worker\n  v3 = add v2, 1i32\n  v4 = cmp.eq v3, 1i32\n";
    let lane = "  v2 = dim_pos vector\n  v3 = add v2, 1i32\n  v4 = cmp.eq v3, 1i32\n";
    let around = |bytes: usize| {
        let stores = "  store.i32 [v0.p], 1i32\n".repeat(bytes);
        format!("  branch v4, bb1, bb2\nbb1:\n{stores}  jump bb2\nbb2:\n")
    };
    let call = "  v5 = srem v2, v3\n";
    assert!(!meets_first(row));
    // A worker is whole warps. What is a few instructions with a guard is no branch.
    assert!(!meets_first(&format!("{row}{}", around(9))));
    assert!(!meets_first(&format!("{lane}{}", around(2))));
    assert!(meets_first(&format!("{lane}{}", around(3))));
    // Code that `ptxas` adds may part lanes, and a shuffle joins them.
    assert!(meets_first(&format!("{row}{call}")));
    assert!(!meets_first(&format!("{row}{call}  v5 = shuffle.index v5, 0i32\n")));
    assert!(!meets_first(&format!("{lane}{}  v5 = shuffle.index v2, 0i32\n", around(3))));
    // A division by a constant is a product.
    assert!(!meets_first(&format!("{row}  v5 = srem v2, 3i32\n")));
    // Of a value that is written twice, both must be one for the warp.
    assert!(meets_first(&format!("{row}  v2 = dim_pos vector\n{}", around(9))));
    // All lanes leave a loop together whose rounds all count alike, and in different rounds if they do not.
    let counted = "  v2 = dim_pos worker\n  jump bb1\nbb1:\n  v2 = add v2, 7i32\n  v4 = cmp.lt v2, 99i32\n  branch v4, bb1, bb2\nbb2:\n";
    assert!(!meets_first(counted));
    let rounds = "  v2 = dim_pos vector\n  jump bb1\nbb1:\n  v2 = add v2, 7i32\n  v4 = cmp.lt v2, 99i32\n  branch v4, bb1, bb2\nbb2:\n";
    assert!(meets_first(rounds));
    assert!(!meets_first(&format!("{rounds}  v5 = shuffle.down v2, 1i32\n")));
}

#[test]
fn long_rows_meet_at_barrier_objects() {
    // The barrier behind the making of objects would do for a first one.
    let ops = "  store.i32 [v0.p], 1i32\n  barrier vector\n";
    for (arch, waits, wait) in [(sm(80), "", "test_wait"), (sm(90), "griddepcontrol.wait;\n", "try_wait")] {
        let long = emit_for(arch, &kernel("0, 0, 0, 2, 64", ops));
        has_lines(&long, ".shared .align 8 .b64 __accrue_rows[16];");
        has_lines(
            &long,
            &format!(
                "mov.u32 %r1, %tid.y;\nmov.u64 %rd3, __accrue_rows;\nmad.wide.u32 %rd2, %r1, 8, %rd3;\n{waits}mov.u32 %r2, %tid.x;\n\
                 mov.u32 %r3, %ntid.x;\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 mbarrier.init.shared.b64 [%rd2], %r3;\n\
                 barrier.sync 0;\nst.global.u32 [%rd1], 1;\nbar.warp.sync 0xffffffff;\n\
                 mbarrier.arrive.shared.b64 %rd4, [%rd2];\n$wait1:\nmbarrier.{wait}.shared.b64 %p1, [%rd2], %rd4;\n\
                 @!%p1 bra $wait1;\nret;"
            ),
        );
        // Rows of one warp have none: there may be more of them than objects.
        let unknown = emit_for(arch, &kernel("0, 0, 0, 0, 0", ops));
        has_lines(
            &unknown,
            "setp.le.u32 %p1, %r1, 32;\n@%p1 bra $met1;\nmbarrier.arrive.shared.b64 %rd4, [%rd2];",
        );
        has_lines(
            &unknown,
            "setp.eq.u32 %p3, %r3, 0;\nsetp.gt.u32 %p4, %r4, 32;\nand.pred %p3, %p3, %p4;\n\
             @%p3 mbarrier.init.shared.b64 [%rd2], %r4;",
        );
        for dims in ["0, 0, 0, 32, 32", "0, 0, 0, 1, 1024"] {
            assert!(!emit_for(arch, &kernel(dims, ops)).contains("mbarrier"), "{dims}");
        }
    }
}

#[test]
fn a_barrier_of_the_gang_takes_the_place_of_those_of_rows() {
    let meet = "  barrier vector\n  barrier worker\n  barrier vector\n";
    let text = emit_for(sm(90), &kernel("0, 0, 0, 2, 64", meet));
    // Objects are made as the first barrier asks for them, and that is followed by a barrier, which is the
    // only one.
    has_lines(&text, "bar.sync 0;\nret;");
    assert!(!text.contains("mbarrier.arrive") && !text.contains("bar.warp.sync"), "{text}");
    let apart = format!("  store.i32 [v0.p], 1i32\n  barrier vector\n  store.i32 [v0.p], 2i32\n{meet}");
    let text = emit_for(sm(90), &kernel("0, 0, 0, 2, 64", &apart));
    has_lines(&text, "@!%p1 bra $wait1;\nst.global.u32 [%rd1], 2;\nbar.warp.sync %r2;\nbar.sync 0;\nret;");
}

#[test]
fn no_barrier_follows_a_barrier() {
    let text = emit(&kernel(
        "0, 0, 0, 2, 32",
        "  barrier vector\n  barrier worker\n  barrier vector\n  barrier worker\n",
    ));
    has_lines(&text, "bar.sync 0;\nret;");
    assert_eq!(text.matches("bar.sync").count(), 1, "{text}");
    let blocks = with_header(&region(
        "0, 0, 0, 2, 32",
        "  locals v2: i1\n",
        "bb0:\n  v2 = cmp.eq v1.n, 0i64\n  branch v2, bb3, bb1\nbb1:\n  barrier vector\n  jump bb2\nbb2:\n  barrier worker\n  jump bb4\n\
         bb4:\n  barrier worker\n  store.i32 [v0.p], 1i32\n  jump bb3\nbb3:\n  barrier worker\n  return\n",
    ));
    let text = emit(&blocks);
    has_lines(&text, "@%p1 bra $bb3;\nbar.sync 0;\nst.global.u32 [%rd2], 1;\n$bb3:\nbar.sync 0;\nret;");
}

#[test]
fn shuffles_of_every_width() {
    let ops = "  v2 = load [v0.p]\n  v2 = shuffle.down v2, 16i32\n  v3 = shuffle.index v1.n, v2\n  v4 = load [v0.p]\n  \
               v4 = shuffle.down v4, 1i32\n  v5 = load [v0.p]\n  v5 = shuffle.down v5, 8i32\n  v7 = cmp.eq v2, 0i32\n  \
               v7 = shuffle.index v7, 0i32\n  v6 = load [v0.p]\n  v6 = shuffle.index v6, 0i32\n  store.i8 [v0.p], v6\n  \
               v2 = convert.zext v7\n  store.i32 [v0.p], v2\n  store.i64 [v0.p], v3\n  store.f64 [v0.p], v4\n  store.f32 [v0.p], v5\n";
    let text = emit(&kernel("0, 0, 0, 2, 32", ops));
    has_lines(&text, "shfl.sync.down.b32 %r1, %r1, 16, 31, 0xffffffff;");
    has_lines(
        &text,
        "mov.b64 {%r2, %r3}, %rd2;\nshfl.sync.idx.b32 %r4, %r2, %r1, 31, 0xffffffff;\n\
         shfl.sync.idx.b32 %r5, %r3, %r1, 31, 0xffffffff;\nmov.b64 %rd3, {%r4, %r5};",
    );
    has_lines(
        &text,
        "selp.b32 %r12, 1, 0, %p1;\nshfl.sync.idx.b32 %r13, %r12, 0, 31, 0xffffffff;\nsetp.ne.b32 %p1, %r13, 0;",
    );
}

#[test]
fn locks_of_gangs_and_of_workers() {
    let ops = "  lock gang, outer\n  v2 = load [v0.p]\n  store.i32 [v0.p], v2\n  unlock gang, outer\n";
    let text = emit(&kernel("0, 1, 1, 2, 32", ops));
    assert!(text.starts_with(".version 6.3\n"), "{text}");
    has_lines(
        &text,
        "ld.param.u64 %rd1, [__accrue_scratch];\n$lock1:\natom.acquire.gpu.global.cas.b32 %r1, [%rd1], 0, 1;\n\
         setp.eq.u32 %p1, %r1, 0;\n@%p1 bra $locked2;\nnanosleep.u32 64;\nbra $lock1;\n$locked2:\nfence.acq_rel.gpu;",
    );
    has_lines(&text, "fence.acq_rel.gpu;\nst.release.gpu.global.u32 [%rd1], 0;\nret;");
    let text = emit(&kernel("0, 1, 1, 2, 32", &ops.replace("gang", "worker")));
    has_lines(&text, "mov.u32 %r1, %ctaid.x;\nmad.wide.u32 %rd2, %r1, 4, %rd1;\n$lock1:");
    assert!(text.contains("[%rd2+16], 0, 1;") && text.contains("fence.acq_rel.cta"), "{text}");
    let text = emit(&kernel("0, 0, 0, 2, 32", &ops.replace("gang", "worker")));
    has_lines(&text, "mad.lo.s32 %r6, %r3, %r5, %r2;\nmad.lo.s32 %r7, %r6, %r4, %r1;");
}

#[test]
fn all_gangs_meet() {
    let text = emit(&kernel("0, 1, 1, 2, 32", "  barrier worker\n  barrier gang\n  barrier vector\n"));
    assert_eq!(text.matches("barrier.sync").count(), 2, "{text}");
    // Lanes that have not parted come to the first; one lane of the gang then waits for other gangs.
    assert_eq!(text.matches("bar.warp.sync").count(), 1, "{text}");
    has_lines(
        &text,
        "fence.acq_rel.gpu;\nld.acquire.gpu.global.u32 %r6, [%rd1+12];\n\
         atom.acq_rel.gpu.global.inc.u32 %r8, [%rd1+8], %r5;\nsetp.eq.u32 %p2, %r8, %r5;\nadd.s32 %r7, %r6, 1;\n\
         @%p2 st.release.gpu.global.u32 [%rd1+12], %r7;\n$wait2:\nld.acquire.gpu.global.u32 %r7, [%rd1+12];\n\
         setp.eq.u32 %p3, %r7, %r6;\n@%p3 bra $wait2;\nfence.acq_rel.gpu;\n$met1:\nbar.warp.sync %r9;\nbarrier.sync 0;",
    );
}

#[test]
fn one_gang_is_the_last() {
    let text = emit(&kernel(
        "0, 0, 0, 2, 32",
        "  v7 = last_gang\n  v2 = select v7, 1i32, 2i32\n  store.i32 [v0.p], v2\n",
    ));
    has_lines(&text, "mul.lo.s32 %r3, %r1, %r2;\nmov.u32 %r4, %nctaid.z;\nmul.lo.s32 %r5, %r3, %r4;");
    has_lines(
        &text,
        "fence.acq_rel.gpu;\natom.acq_rel.gpu.global.add.u32 %r7, [%rd1+4], 1;\nsetp.eq.u32 %p1, %r7, %r6;\nfence.acq_rel.gpu;",
    );
}

#[test]
fn routines_learn_about_the_launch_through_shared_memory() {
    let ir = format!(
        "{}signature sig1 (ptr)\nfunction fn1.r sig1 internal routine(worker) {{\n  params v0.q\n  locals v0.q: ptr\n  locals v1: i32\nbb0:\n  \
         v1 = dim_size vector\n  lock worker, outer\n  store.i32 [v0.q], v1\n  unlock worker, outer\n  barrier vector\n  return\n}}\n",
        kernel("0, 0, 0, 2, 32", "  barrier worker\n  call fn1.r(v0.p) sig1\n")
    );
    let text = emit(&ir);
    has_lines(&text, ".shared .align 8 .b8 __accrue_launch[16];");
    has_lines(&text, "ld.shared.u32 %r1, [__accrue_launch+8];");
    has_lines(
        &text,
        "@%p1 st.shared.u64 [__accrue_launch], %rd2;\n@%p1 st.shared.u32 [__accrue_launch+8], 32;\nbar.sync 0;\n{",
    );
    // The kernel has rows of one warp, which the routine does not know. Its objects are made where rows are
    // longer.
    let text = emit_for(sm(90), &ir);
    assert!(text.contains("mbarrier.arrive") && !text.contains("mbarrier.init"), "{text}");
    let text = emit_for(sm(90), &ir.replace("0, 0, 0, 2, 32", "0, 0, 0, 1, 64"));
    assert_eq!(text.matches("mbarrier.init.shared.b64 [").count(), 1, "{text}");
}

#[test]
fn atomics_native_and_by_compare_and_swap() {
    let ops = "  atomic_rmw.add.i32 [v0.p], 1i32\n  v2 = atomic_rmw.sub.i32 [v0.p + 4], 5i32\n  \
               v3 = atomic_rmw.add.i64 [v0.p], v1.n result_new\n  atomic_rmw.add.f64 [v0.p], 1.5f64\n  \
               v5 = atomic_rmw.sub.f32 [v0.p], 1.5f32\n  atomic_rmw.smax.i64 [s0.t], v1.n\n";
    let text = emit(&kernel("0, 0, 0, 2, 32", ops));
    for line in [
        "red.relaxed.gpu.global.add.u32 [%rd1], 1;",
        "atom.relaxed.gpu.global.add.u32 %r1, [%rd1+4], -5;",
        "atom.relaxed.gpu.global.add.u64 %rd4, [%rd1], %rd2;\nadd.s64 %rd3, %rd4, %rd2;",
        "red.relaxed.gpu.global.add.f64 [%rd1], 0d3FF8000000000000;",
        "atom.relaxed.gpu.global.add.f32 %f1, [%rd1], 0fBFC00000;",
        "red.relaxed.gpu.shared.max.s64 [t], %rd2;",
    ] {
        has_lines(&text, line);
    }
    let text = emit(&kernel(
        "0, 0, 0, 2, 32",
        "  v4 = atomic_rmw.fmax.f64 [v0.p], 2.0f64\n  store.f64 [v0.p], v4\n",
    ));
    has_lines(
        &text,
        "ld.relaxed.gpu.global.b64 %rd2, [%rd1];\n$atomic1:\nmov.b64 %fd1, %rd2;\nmax.f64 %fd2, %fd1, 0d4000000000000000;\n\
         mov.b64 %rd4, %fd2;\natom.relaxed.gpu.global.cas.b64 %rd3, [%rd1], %rd2, %rd4;\nsetp.ne.b64 %p1, %rd3, %rd2;\n\
         mov.b64 %rd2, %rd3;\n@%p1 bra $atomic1;\nmov.f64 %fd3, %fd1;",
    );
}

#[test]
fn every_atomic_form_assembles() {
    let mut ops = String::from(
        "  v2 = load [v0.p]\n  v3 = load [v0.p]\n  v4 = load [v0.p]\n  v5 = load [v0.p]\n  v6 = load [v0.p]\n  v8 = load [v0.p]\n",
    );
    let ints = "add sub mul sdiv udiv srem urem and or xor shl lshr ashr smin smax umin umax";
    for (ty, v) in [("i8", "v6"), ("i16", "v8"), ("i32", "v2"), ("i64", "v3"), ("f32", "v5"), ("f64", "v4")] {
        let names = if ty.starts_with('i') { ints } else { "add sub mul fdiv fmin fmax" };
        for place in ["v0.p + 1", "s0.t", "s1.own"] {
            // A loop is the same wherever it is; ptxas takes long over hundreds of them.
            let names = if place == "s0.t" { "add" } else { names };
            for name in names.split(' ') {
                for form in ["", " reversed", " result_new", " reversed result_new"] {
                    ops.push_str(&format!("  {v} = atomic_rmw.{name}.{ty} [{place}], {v}{form}\n"));
                    ops.push_str(&format!("  atomic_rmw.{name}.{ty} [{place}], {v}{form}\n"));
                }
            }
            ops.push_str(&format!(
                "  {v} = atomic_swap.{ty} [{place}], {v}\n  atomic_swap.{ty} [{place}], {v}\n"
            ));
            ops.push_str(&format!("  {v} = atomic_cas.{ty} [{place}], {v}, {v}\n"));
            ops.push_str(&format!("  {v} = atomic_load [{place}]\n  atomic_store.{ty} [{place}], {v}\n"));
        }
    }
    ops.push_str("  fence\n");
    emit(&kernel("0, 0, 0, 2, 32", &ops));
}
