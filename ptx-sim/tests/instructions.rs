//! Instructions in kernels, family by family: each lane computes, and the results are those that Rust
//! computes.

mod common;

use accrue_ptx_sim::Kind;
use common::{Bench, HEAD, REGISTERS, kernel, lanes};

/// What each lane leaves in `%r1`, where `%r0` is its number.
fn each(body: &str) -> Vec<u32> {
    lanes(&format!("mov.u32 %r0, %tid.x;\n{body}"))
}

fn expect(body: &str, f: impl Fn(u32) -> u32) {
    let expected: Vec<u32> = (0..32).map(f).collect();
    assert_eq!(each(body), expected, "{body}");
}

/// A signed value that differs between lanes, and its computation in `%r2`.
const MIXED: &str = "sub.s32 %r2, %r0, 16;\nmul.lo.s32 %r2, %r2, 123456789;\n";

fn mixed(lane: u32) -> u32 {
    lane.wrapping_sub(16).wrapping_mul(123456789)
}

#[test]
fn integer_arithmetic() {
    let on = |text: &str, f: fn(u32) -> u32| expect(&format!("{MIXED}{text}"), |lane| f(mixed(lane)));
    on("add.s32 %r1, %r2, -7;", |a| a.wrapping_sub(7));
    on("sub.u32 %r1, 5, %r2;", |a| 5u32.wrapping_sub(a));
    on("mul.hi.s32 %r1, %r2, %r2;", |a| ((i64::from(a as i32) * i64::from(a as i32)) >> 32) as u32);
    on("mul.hi.u32 %r1, %r2, %r2;", |a| ((u64::from(a) * u64::from(a)) >> 32) as u32);
    on("mad.lo.s32 %r1, %r2, 3, %r2;", |a| a.wrapping_mul(4));
    on("div.s32 %r1, %r2, 7;", |a| ((a as i32) / 7) as u32);
    on("rem.u32 %r1, %r2, 1000;", |a| a % 1000);
    on("abs.s32 %r1, %r2;", |a| (a as i32).unsigned_abs());
    on("neg.s32 %r1, %r2;", u32::wrapping_neg);
    on("min.s32 %r1, %r2, 5;", |a| (a as i32).min(5) as u32);
    on("max.u32 %r1, %r2, 5;", |a| a.max(5));
    on("mul.wide.s32 %rd1, %r2, %r2;\nshr.s64 %rd1, %rd1, 20;\ncvt.u32.u64 %r1, %rd1;", |a| {
        ((i64::from(a as i32) * i64::from(a as i32)) >> 20) as u32
    });
    on("sad.s32 %r1, %r2, 9, 1;", |a| (a as i32).abs_diff(9).wrapping_add(1));
    on("mul24.lo.u32 %r1, %r2, 3;", |a| (a & 0xff_ffff).wrapping_mul(3));
    on("add.sat.s32 %r1, %r2, 2000000000;", |a| (a as i32).saturating_add(2_000_000_000) as u32);
}

#[test]
fn wide_arithmetic() {
    let carry =
        "cvt.s64.s32 %rd1, %r2;\nadd.cc.u64 %rd2, %rd1, -1;\naddc.u64 %rd3, 0, 0;\ncvt.u32.u64 %r1, %rd3;";
    expect(&format!("{MIXED}{carry}"), |lane| u32::from(mixed(lane) != 0));
    let borrow =
        "cvt.u64.u32 %rd1, %r2;\nsub.cc.u64 %rd2, 5, %rd1;\nsubc.u64 %rd3, 0, 0;\ncvt.u32.u64 %r1, %rd3;";
    expect(&format!("{MIXED}{borrow}"), |lane| if mixed(lane) > 5 { u32::MAX } else { 0 });
    let product = "cvt.s64.s32 %rd1, %r2;\nmul.hi.u64 %rd2, %rd1, %rd1;\ncvt.u32.u64 %r1, %rd2;";
    expect(&format!("{MIXED}{product}"), |lane| {
        let wide = i64::from(mixed(lane) as i32) as u64;
        ((u128::from(wide) * u128::from(wide)) >> 64) as u32
    });
}

#[test]
fn bits_of_words() {
    let on = |text: &str, f: fn(u32) -> u32| expect(&format!("{MIXED}{text}"), |lane| f(mixed(lane)));
    on("popc.b32 %r1, %r2;", u32::count_ones);
    on("clz.b32 %r1, %r2;", u32::leading_zeros);
    on("brev.b32 %r1, %r2;", u32::reverse_bits);
    on("bfind.u32 %r1, %r2;", |a| if a == 0 { u32::MAX } else { 31 - a.leading_zeros() });
    on("bfe.s32 %r1, %r2, 4, 8;", |a| ((a << 20) as i32 >> 24) as u32);
    on("bfi.b32 %r1, %r2, 0, 8, 8;", |a| (a & 0xff) << 8);
    on("prmt.b32 %r1, %r2, 0, 0x0123;", u32::swap_bytes);
    on("shf.l.wrap.b32 %r1, %r2, %r2, 5;", |a| a.rotate_left(5));
    on("lop3.b32 %r1, %r2, 0xff00ff00, 0x0f0f0f0f, 0x96;", |a| a ^ 0xff00_ff00 ^ 0x0f0f_0f0f);
    on("dp4a.s32.s32 %r1, %r2, 0x01010101, 0;", |a| {
        a.to_le_bytes().iter().map(|byte| i32::from(*byte as i8)).sum::<i32>() as u32
    });
    on("shl.b32 %r1, %r2, 40;", |_| 0);
    on("shr.s32 %r1, %r2, 40;", |a| if (a as i32) < 0 { u32::MAX } else { 0 });
    on("xor.b32 %r1, %r2, -1;\nnot.b32 %r1, %r1;", |a| a);
    on("cnot.b32 %r1, %r2;", |a| u32::from(a == 0));
}

#[test]
fn floats() {
    let f32s = |text: &str, f: fn(f32) -> f32| {
        let body =
            format!("cvt.rn.f32.s32 %f1, %r0;\nadd.rn.f32 %f1, %f1, 0f3E99999A;\n{text}\nmov.b32 %r1, %f2;");
        expect(&body, |lane| f(lane as f32 + 0.3).to_bits());
    };
    f32s("mul.rn.f32 %f2, %f1, %f1;", |a| a * a);
    f32s("mul.f32 %f2, %f1, %f1;", |a| a * a);
    f32s("div.rn.f32 %f2, 0f3F800000, %f1;", |a| 1.0 / a);
    f32s("sqrt.rn.f32 %f2, %f1;", f32::sqrt);
    f32s("fma.rn.f32 %f2, %f1, %f1, %f1;", |a| a.mul_add(a, a));
    f32s("neg.f32 %f2, %f1;\nabs.f32 %f2, %f2;", |a| a);
    f32s("min.f32 %f2, %f1, 0f40A00000;", |a| a.min(5.0));
    f32s("max.f32 %f2, %f1, 0f7FC00000;", |a| a);
    f32s("rcp.rn.f32 %f2, %f1;", |a| 1.0 / a);
    f32s("copysign.f32 %f2, 0fBF800000, %f1;", |a| -a);
    f32s("ex2.approx.f32 %f2, %f1;", |a| f64::from(a).exp2() as f32);
    f32s("lg2.approx.ftz.f32 %f2, %f1;", |a| f64::from(a).log2() as f32);
    f32s("sin.approx.f32 %f2, %f1;", |a| f64::from(a).sin() as f32);
    f32s("rsqrt.approx.f32 %f2, %f1;", |a| (1.0 / f64::from(a).sqrt()) as f32);
    f32s("cvt.rmi.f32.f32 %f2, %f1;", f32::floor);
    f32s("cvt.rn.f16.f32 %h1, %f1;\ncvt.f32.f16 %f2, %h1;\nsub.rn.f32 %f2, %f2, %f2;", |_| 0.0);
    let body = "cvt.rn.f64.s32 %fd1, %r0;\ndiv.rn.f64 %fd2, %fd1, 0d4008000000000000;\nmul.rn.f64 %fd2, %fd2, 0d4008000000000000;\n\
                cvt.rni.s32.f64 %r1, %fd2;";
    expect(body, |lane| lane);
    expect(
        "cvt.rn.f64.u32 %fd1, %r0;\nadd.rp.f64 %fd1, %fd1, 0d3F50000000000000;\ncvt.rpi.u32.f64 %r1, %fd1;",
        |lane| lane + 1,
    );
}

#[test]
fn comparisons_and_choices() {
    let on = |text: &str, f: fn(u32) -> u32| expect(&format!("{MIXED}{text}"), |lane| f(mixed(lane)));
    on("setp.lt.s32 %p1, %r2, 0;\nselp.b32 %r1, 1, 2, %p1;", |a| if (a as i32) < 0 { 1 } else { 2 });
    on("setp.hi.u32 %p1|%p2, %r2, 100;\nselp.u32 %r1, 1, 2, %p2;", |a| if a > 100 { 2 } else { 1 });
    on(
        "setp.gt.s32 %p1, %r2, 0;\nsetp.lt.and.s32 %p2, %r2, 1000000000, %p1;\nselp.b32 %r1, 1, 0, %p2;",
        |a| u32::from((1..1_000_000_000).contains(&(a as i32))),
    );
    on("set.lt.u32.s32 %r1, %r2, 0;", |a| if (a as i32) < 0 { u32::MAX } else { 0 });
    on("slct.s32.s32 %r1, 7, 9, %r2;", |a| if (a as i32) >= 0 { 7 } else { 9 });
    on(
        "setp.eq.u32 %p1, %r2, 0;\nnot.pred %p2, %p1;\nor.pred %p3, %p1, %p2;\nselp.b32 %r1, 1, 0, %p3;",
        |_| 1,
    );
    on("mov.f32 %f1, 0f7F800000;\ntestp.infinite.f32 %p1, %f1;\nselp.b32 %r1, 1, 0, %p1;", |_| 1);
    on(
        "mov.u32 %r1, 0;\nsetp.lt.s32 %p1, %r2, 0;\n@%p1 mov.u32 %r1, 5;",
        |a| if (a as i32) < 0 { 5 } else { 0 },
    );
}

#[test]
fn conversions_between_widths() {
    let on = |text: &str, f: fn(u32) -> u32| expect(&format!("{MIXED}{text}"), |lane| f(mixed(lane)));
    on("cvt.s32.s8 %r1, %r2;", |a| a as i8 as u32);
    on("cvt.u32.u16 %r1, %r2;", |a| a & 0xffff);
    on("cvt.u16.u32 %h1, %r2;\ncvt.s32.s16 %r1, %h1;", |a| a as i16 as u32);
    on("cvt.sat.u8.s32 %r1, %r2;", |a| (a as i32).clamp(0, 255) as u32);
    on("mov.b32 {%h1, %h2}, %r2;\nmov.b32 %r1, {%h2, %h1};", |a| a.rotate_left(16));
    on("mov.b64 %rd1, {%r2, 7};\nmov.b64 {%r3, %r1}, %rd1;", |_| 7);
    on(
        "cvt.s64.s32 %rd1, %r2;\nmov.b128 %q1, {%rd1, %rd0};\nmov.b128 {%rd2, %rd3}, %q1;\ncvt.u32.u64 %r1, %rd2;",
        |a| a,
    );
}

#[test]
fn lanes_together() {
    expect("shfl.sync.up.b32 %r1|%p1, %r0, 3, 0, -1;", |lane| if lane < 3 { lane } else { lane - 3 });
    expect("shfl.sync.bfly.b32 %r1, %r0, 5, 31, -1;", |lane| lane ^ 5);
    expect("shfl.sync.idx.b32 %r1, %r0, 9, 31, -1;", |_| 9);
    expect("shfl.sync.down.b32 %r2|%p1, %r0, 4, 31, -1;\nselp.b32 %r1, 1, 0, %p1;", |lane| {
        u32::from(lane < 28)
    });
    expect("shfl.sync.down.b32 %r1, %r0, 1, 0x181f, -1;", |lane| if lane % 8 == 7 { lane } else { lane + 1 });
    expect("setp.lt.u32 %p1, %r0, 5;\nvote.sync.ballot.b32 %r1, %p1, -1;", |_| 0x1f);
    expect("setp.lt.u32 %p1, %r0, 5;\nvote.sync.any.pred %p2, %p1, -1;\nselp.b32 %r1, 1, 0, %p2;", |_| 1);
    expect("setp.lt.u32 %p1, %r0, 5;\nvote.sync.uni.pred %p2, !%p1, -1;\nselp.b32 %r1, 1, 0, %p2;", |_| 0);
    expect("redux.sync.add.u32 %r1, %r0, -1;", |_| 31 * 16);
    expect("redux.sync.max.s32 %r1, %r0, -1;", |_| 31);
    expect("shr.u32 %r2, %r0, 3;\nmatch.any.sync.b32 %r1, %r2, -1;", |lane| 0xff << (lane / 8 * 8));
    expect("match.all.sync.b32 %r1|%p1, 7, -1;\n@!%p1 trap;", |_| u32::MAX);
    expect("elect.sync %r1|%p1, -1;", |_| 0);
    expect("activemask.b32 %r1;", |_| u32::MAX);
    // Each half for itself, and then all again.
    expect(
        "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra $low;\nredux.sync.add.u32 %r1, %r0, 0xffff0000;\nbra $end;\n$low:\n\
         redux.sync.add.u32 %r1, %r0, 0x0000ffff;\n$end:\nbar.warp.sync -1;\nshfl.sync.idx.b32 %r1, %r1, 20, 31, -1;",
        |_| (16..32).sum(),
    );
    // Masks that differ between lanes.
    expect(
        "shr.u32 %r2, %r0, 4;\nmatch.any.sync.b32 %r3, %r2, -1;\nredux.sync.min.u32 %r1, %r0, %r3;",
        |lane| lane / 16 * 16,
    );
}

#[test]
fn atomics_of_all_kinds() {
    let body = "mov.u32 %r0, %tid.x;\natom.global.add.u32 %r1, [%rd0], 1;\nred.global.max.s32 [%rd0+4], %r0;\n\
                red.global.min.u32 [%rd0+8], %r0;\nred.global.or.b32 [%rd0+12], %r0;\nred.global.xor.b32 [%rd0+16], %r0;\n\
                red.global.and.b32 [%rd0+20], 12;\natom.global.inc.u32 %r2, [%rd0+24], 9;\natom.global.dec.u32 %r2, [%rd0+28], 9;\n\
                atom.global.exch.b32 %r3, [%rd0+32], 5;\nred.global.add.f32 [%rd0+36], 0f3F800000;\n\
                red.global.add.f64 [%rd0+40], 0d3FF0000000000000;\nred.global.add.u64 [%rd0+48], 1;\n\
                atom.global.cas.b64 %rd1, [%rd0+56], 0, 77;\nmov.b16 %h1, 0;\nmov.b16 %h2, 3;\natom.global.cas.b16 %h3, [%rd0+66], %h1, %h2;";
    for (seed, threads) in [(None, 64), (Some(4), 32)] {
        let mut bench = Bench::new(&kernel(body)).shape(4, threads);
        bench.seed = seed;
        let all = 4 * threads;
        let out = bench.words("out", &[0, 0, 99, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bench.run();
        let words = bench.read_u32(out, 18);
        let or = (0..threads).fold(0, |a, b| a | b);
        assert_eq!(words[..6], [all, threads - 1, 0, or, 0, 12]);
        assert_eq!(words[6], all % 10);
        assert_eq!(words[8..10], [5, (all as f32).to_bits()]);
        assert_eq!(f64::from_bits(u64::from(words[10]) | u64::from(words[11]) << 32), f64::from(all));
        assert_eq!(words[12..18], [all, 0, 77, 0, 3 << 16, 0][..]);
    }
}

#[test]
fn wide_compare_and_swap() {
    let text = kernel(
        "mov.u64 %rd1, 0;\nmov.u64 %rd2, 7;\nmov.u64 %rd3, 8;\nmov.b128 %q0, {%rd1, %rd1};\nmov.b128 %q1, {%rd2, %rd3};\n\
         atom.global.cas.b128 %q2, [%rd0], %q0, %q1;\nmov.b128 {%rd4, %rd5}, %q2;\nst.global.u64 [%rd0+16], %rd4;",
    );
    let mut bench = Bench::new(&text).shape(1, 1);
    let out = bench.buffer("out", &[0; 32]);
    bench.run();
    assert_eq!(bench.read_u64(out, 3), [7, 8, 0]);
}

#[test]
fn memory_in_all_spaces() {
    let text = format!(
        "{HEAD}.global .align 4 .u32 table[4] = {{10, 20, 30}};\n.const .align 4 .f32 scale = 0f40000000;\n\
         .global .u64 pointer = generic(table)+4;\n.extern .shared .align 8 .b8 dynamic[];\n.shared .align 4 .b8 fixed[256];\n\
         .entry k(.param .u64 out, .param .align 4 .b8 pair[8])\n{{\n{REGISTERS}\
         .local .align 8 .b8 mine[16];\nld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\n\
         ld.global.u64 %rd1, [pointer];\nld.u32 %r2, [%rd1];\nld.const.f32 %f1, [scale];\ncvt.rzi.s32.f32 %r3, %f1;\n\
         st.local.v2.u32 [mine], {{%r2, %r3}};\nmov.u64 %rd2, mine;\ncvta.local.u64 %rd3, %rd2;\nld.v2.u32 {{%r4, %r5}}, [%rd3];\n\
         mov.u32 %r6, dynamic;\nmad.lo.u32 %r7, %r0, 4, %r6;\nst.shared.u32 [%r7], %r0;\nbar.sync 0;\n\
         xor.b32 %r8, %r0, 1;\nmad.lo.u32 %r7, %r8, 4, %r6;\ncvt.u64.u32 %rd4, %r7;\ncvta.shared.u64 %rd5, %rd4;\nld.u32 %r9, [%rd5];\n\
         isspacep.shared %p1, %rd5;\n@!%p1 trap;\nisspacep.global %p1, %rd1;\n@!%p1 trap;\n\
         ld.param.u32 %r10, [pair];\nmov.b64 %rd6, pair;\nld.param.s16 %r11, [%rd6+4];\n\
         add.u32 %r1, %r4, %r5;\nadd.u32 %r1, %r1, %r9;\nadd.u32 %r1, %r1, %r10;\nadd.u32 %r1, %r1, %r11;\n\
         mad.wide.u32 %rd30, %r0, 4, %rd0;\nst.global.u32 [%rd30], %r1;\nret;\n}}"
    );
    let mut bench = Bench::new(&text);
    bench.dynamic_shared = 128;
    let out = bench.words("out", &[0; 32]);
    bench.value(&[100, 0, 0, 0, 0xff, 0xff, 0, 0]);
    bench.run();
    let expected: Vec<u32> = (0..32).map(|lane| 20 + 2 + (lane ^ 1) + 100 - 1).collect();
    assert_eq!(bench.read_u32(out, 32), expected);
    let (address, bytes) = bench.module.global("table").expect("a variable");
    assert_eq!((bytes, bench.read_u32(address, 4)), (16, vec![10, 20, 30, 0]));
}

#[test]
fn calls_of_all_kinds() {
    let text = format!(
        "{HEAD}.func (.param .b32 r) factorial(.param .b32 n)\n{{\n{REGISTERS}ld.param.u32 %r1, [n];\nsetp.gt.u32 %p1, %r1, 1;\n\
         @%p1 bra $more;\nst.param.u32 [r], 1;\nret;\n$more:\nsub.u32 %r2, %r1, 1;\n{{\n.param .b32 a; .param .b32 b;\nst.param.u32 [a], %r2;\n\
         call (b), factorial, (a);\nld.param.u32 %r3, [b];\n}}\nmul.lo.u32 %r3, %r3, %r1;\nst.param.u32 [r], %r3;\nret;\n}}\n\
         .func (.param .b32 r) negate(.param .b32 n)\n{{\n{REGISTERS}ld.param.u32 %r1, [n];\nneg.s32 %r1, %r1;\nst.param.u32 [r], %r1;\n}}\n\
         .func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 s[16])\n{{\n{REGISTERS}ld.param.v2.u64 {{%rd1, %rd2}}, [s];\n\
         st.param.v2.u64 [r], {{%rd2, %rd1}};\nret;\n}}\n\
         .global .u64 both[2] = {{factorial, negate}};\n\
         .entry k(.param .u64 out)\n{{\n{REGISTERS}ld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\nand.b32 %r5, %r0, 1;\nand.b32 %r6, %r0, 7;\n\
         mov.u64 %rd2, both;\nmad.wide.u32 %rd3, %r5, 8, %rd2;\nld.global.u64 %rd4, [%rd3];\n{{\n.param .b32 a; .param .b32 b;\n\
         st.param.b32 [a], %r6;\n$proto: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (b), %rd4, (a), $proto;\nld.param.b32 %r1, [b];\n}}\n\
         {{\n.param .align 8 .b8 a[16]; .param .align 8 .b8 b[16];\ncvt.u64.u32 %rd5, %r1;\nst.param.u64 [a], 1;\nst.param.u64 [a+8], %rd5;\n\
         call (b), swap, (a);\nld.param.u32 %r7, [b];\n}}\nmad.wide.u32 %rd30, %r0, 4, %rd0;\nst.global.u32 [%rd30], %r7;\nret;\n}}"
    );
    let expected: Vec<u32> = (0..32u32)
        .map(|lane| if lane % 2 == 0 { (1..=lane & 7).product() } else { (lane & 7).wrapping_neg() })
        .collect();
    for seed in [None, Some(1), Some(9)] {
        let mut bench = Bench::new(&text);
        bench.seed = seed;
        let out = bench.words("out", &[0; 32]);
        bench.run();
        assert_eq!(bench.read_u32(out, 32), expected);
    }
}

#[test]
fn tables_of_jumps() {
    let body = "and.b32 %r2, %r0, 3;\n$table: .branchtargets $a, $b, $c, $a;\nbrx.idx %r2, $table;\n$a:\nmov.u32 %r1, 10;\nbra $end;\n\
                $b:\nmov.u32 %r1, 20;\nbra $end;\n$c:\nmov.u32 %r1, 30;\n$end:\nadd.u32 %r1, %r1, %r0;";
    expect(body, |lane| [10, 20, 30, 10][lane as usize % 4] + lane);
}

#[test]
fn loops_of_different_lengths_meet_again() {
    let body = "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\n$loop:\nadd.u32 %r1, %r1, %r2;\nadd.u32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r0;\n\
                @%p1 bra $loop;\nredux.sync.add.u32 %r3, 1, -1;\nadd.u32 %r1, %r1, %r3;";
    expect(body, |lane| lane * (lane + 1) / 2 + 32);
}

#[test]
fn places_of_threads() {
    let text = kernel(
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %ntid.y;\n\
         mad.lo.u32 %r6, %r3, %r5, %r2;\nmad.lo.u32 %r6, %r6, %r4, %r1;\nmov.u32 %r7, %warpid;\nmov.u32 %r8, %laneid;\n\
         mad.lo.u32 %r9, %r7, 32, %r8;\nsetp.ne.u32 %p1, %r6, %r9;\n@%p1 trap;\nmov.u32 %r10, %lanemask_lt;\npopc.b32 %r11, %r10;\n\
         setp.ne.u32 %p1, %r11, %r8;\n@%p1 trap;\nmov.u32 %r12, %ctaid.y;\nmov.u32 %r13, %ctaid.x;\nmov.u32 %r14, %nctaid.x;\n\
         mad.lo.u32 %r15, %r12, %r14, %r13;\nmad.wide.u32 %rd1, %r15, 4, %rd0;\nred.global.add.u32 [%rd1], 1;\n\
         mov.u64 %rd2, %clock64;\nmov.u64 %rd3, %globaltimer;\nmov.u32 %r16, WARP_SZ;",
    );
    let mut bench = Bench::new(&text);
    (bench.grid, bench.block) = ([3, 2, 1], [4, 5, 3]);
    let out = bench.words("out", &[0; 6]);
    bench.run();
    assert_eq!(bench.read_u32(out, 6), [60; 6]);
}

#[test]
fn addresses_in_shared_memory_wrap_around_in_32_bits() {
    expect(
        ".shared .align 4 .b8 s[256];\nmov.u32 %r2, s;\nsub.u32 %r2, %r2, 128;\nmad.lo.u32 %r2, %r0, 4, %r2;\n\
         st.shared.u32 [%r2+128], %r0;\nld.shared.u32 %r1, [%r2+128];\nadd.u32 %r1, %r1, 1;",
        |lane| lane + 1,
    );
}

#[test]
fn barriers_of_rows_and_votes_of_blocks() {
    // Two rows of two warps each have barriers of their own.
    let rows = "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %tid.y;\nadd.u32 %r2, %r1, 1;\nmad.lo.u32 %r3, %r1, 64, %r0;\nmov.u32 %r4, s;\n\
                mad.lo.u32 %r5, %r3, 4, %r4;\nst.shared.u32 [%r5], %r0;\nbar.sync %r2, 64;\nxor.b32 %r6, %r5, 128;\nld.shared.u32 %r7, [%r6];\n\
                mad.wide.u32 %rd1, %r3, 4, %rd0;\nst.global.u32 [%rd1], %r7;";
    let mut bench = Bench::new(&kernel(rows));
    bench.block = [64, 2, 1];
    let out = bench.words("out", &[0; 128]);
    bench.run();
    let words = bench.read_u32(out, 128);
    assert!(words.iter().enumerate().all(|(index, word)| *word == (index as u32 % 64) ^ 32));
    // A barrier that counts, and one that a warp only arrives at.
    let votes = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 40;\nbarrier.cta.red.popc.aligned.u32 %r1, 0, %p1;\n\
                 bar.red.and.pred %p2, 0, %p1;\n@%p2 trap;\nbar.red.or.pred %p3, 0, %p1;\n@!%p3 trap;\nsetp.lt.u32 %p4, %r0, 32;\n\
                 @%p4 bra $produce;\nbar.sync 1, 64;\nld.shared.u32 %r2, [s];\nsetp.eq.u32 %p5, %r0, 32;\n\
                 @%p5 st.global.u32 [%rd0], %r2;\nbra $end;\n$produce:\n\
                 setp.ne.u32 %p5, %r0, 0;\n@!%p5 st.shared.u32 [s], %r1;\nbar.arrive 1, 64;\n$end:\nmov.u32 %r9, 0;";
    let mut bench = Bench::new(&kernel(votes)).shape(1, 64);
    let out = bench.words("out", &[0]);
    bench.run();
    assert_eq!(bench.read_u32(out, 1), [40]);
}

const DRIVER: &str = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n\
                      .extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 g, .param .b64 s);\n\
                      .extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n";

#[test]
fn functions_of_the_driver() {
    let bytes =
        |text: &str| text.bytes().chain([0]).map(|byte| byte.to_string()).collect::<Vec<_>>().join(", ");
    let text = format!(
        "{HEAD}{DRIVER}.global .b8 format[] = {{{}}};\n.global .b8 word[] = {{{}}};\n.entry k()\n{{\n{REGISTERS}\
         .local .align 8 .b8 args[32];\nmov.u64 %rd1, word;\nst.local.u32 [args], -5;\nst.local.f64 [args+8], 0d3FF8000000000000;\n\
         st.local.u64 [args+16], %rd1;\nmov.u64 %rd2, args;\ncvta.local.u64 %rd3, %rd2;\nmov.u64 %rd4, format;\n{{\n.param .b64 a; .param .b64 b; .param .b32 c;\n\
         st.param.b64 [a], %rd4;\nst.param.b64 [b], %rd3;\ncall (c), vprintf, (a, b);\nld.param.b32 %r1, [c];\n}}\nsetp.ne.u32 %p1, %r1, 3;\n@%p1 trap;\n\
         {{\n.param .b64 a; .param .b64 b;\nst.param.b64 [a], 8;\ncall (b), malloc, (a);\nld.param.b64 %rd5, [b];\n}}\nst.u64 [%rd5], 1;\n\
         {{\n.param .b64 a;\nst.param.b64 [a], %rd5;\ncall free, (a);\n}}\nld.u64 %rd6, [%rd5];\n}}",
        bytes("%d %5.2f|%-5s|\n"),
        bytes("abc"),
    );
    let bench = Bench::new(&text).shape(1, 1);
    bench.fails(Kind::UseAfterFree);
    assert_eq!(bench.printed(), "-5  1.50|abc  |\n");
    let text = format!(
        "{HEAD}{DRIVER}.global .b8 t[] = {{{}}};\n.entry k()\n{{\n{REGISTERS}mov.u64 %rd1, t;\n{{\n.param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n\
         st.param.b64 [a], %rd1;\nst.param.b64 [b], %rd1;\nst.param.b32 [c], 3;\nst.param.b64 [d], %rd1;\nst.param.b64 [e], 1;\ncall __assertfail, (a, b, c, d, e);\n}}\n}}",
        bytes("x > 0"),
    );
    let report = Bench::new(&text).shape(1, 1).fails(Kind::Assertion);
    assert!(report.message.contains("Assertion `x > 0' failed"), "{report}");
}

#[test]
fn stacks_grow_and_shrink() {
    let text = kernel(
        "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 0;\n$again:\nstacksave.u64 %rd1;\nalloca.u64 %rd2, 4096, 8;\ncvta.local.u64 %rd3, %rd2;\n\
         st.u32 [%rd3+4092], %r0;\nld.u32 %r2, [%rd3+4092];\nstackrestore.u64 %rd1;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 1000;\n\
         @%p1 bra $again;\nmad.wide.u32 %rd4, %r0, 4, %rd0;\nst.global.u32 [%rd4], %r2;",
    );
    let mut bench = Bench::new(&text);
    let out = bench.words("out", &[0; 32]);
    bench.run();
    assert_eq!(bench.read_u32(out, 32), (0..32).collect::<Vec<_>>());
    let text = format!(
        "{HEAD}.func f()\n{{\n.local .b8 big[1000];\ncall f, ();\n}}\n.entry k()\n{{\ncall f, ();\n}}"
    );
    Bench::new(&text).fails(Kind::StackOverflow);
}

#[test]
fn volatile_and_ordered_accesses_pass_messages() {
    let body = "mov.u32 %r0, %ctaid.x;\nsetp.ne.u32 %p1, %r0, 0;\n@%p1 bra $reader;\nst.global.u32 [%rd0+4], 42;\n\
                st.release.gpu.global.u32 [%rd0], 1;\nbra $end;\n$reader:\nld.acquire.gpu.global.u32 %r1, [%rd0];\nsetp.eq.u32 %p2, %r1, 0;\n\
                @%p2 bra $reader;\nld.global.u32 %r2, [%rd0+4];\nst.global.u32 [%rd0+8], %r2;\n$end:\nmov.u32 %r3, 0;";
    for seed in [None, Some(1), Some(2)] {
        let mut bench = Bench::new(&kernel(body)).shape(2, 1);
        bench.seed = seed;
        let out = bench.words("out", &[0; 4]);
        bench.run();
        assert_eq!(bench.read_u32(out, 3), [1, 42, 42]);
    }
    let weak = body.replace("st.release.gpu", "st.relaxed.gpu");
    let mut bench = Bench::new(&kernel(&weak)).shape(2, 1);
    bench.words("out", &[0; 4]);
    bench.fails(Kind::Race);
}
