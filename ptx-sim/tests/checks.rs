//! Planted defects, each found where it is.

mod common;

use accrue_ptx_sim::{Asker, HostAccess, Kind, LaunchArgs};
use common::{Bench, HEAD, REGISTERS, kernel};

fn bench(body: &str, ctas: u32, threads: u32) -> Bench {
    let mut bench = Bench::new(&kernel(body)).shape(ctas, threads);
    bench.words("out", &[0; 1024]);
    bench
}

/// The line of the module's text that holds this.
fn line_of(body: &str, what: &str) -> u32 {
    let text = kernel(body);
    text.lines().position(|line| line.contains(what)).expect("it is there") as u32 + 1
}

#[test]
fn a_sum_without_atomics_races() {
    let body = "mov.u32 %r1, %tid.x;\nld.global.u32 %r2, [%rd0];\nadd.s32 %r2, %r2, %r1;\nst.global.u32 [%rd0], %r2; // here";
    for (ctas, threads) in [(1, 32), (1, 64), (4, 1)] {
        let body = if threads == 1 { body.replace("%tid", "%ctaid") } else { body.to_owned() };
        let report = bench(&body, ctas, threads).seeded(1).fails(Kind::Race);
        let at = report.at.clone().expect("a place");
        let other = report.other.clone().expect("the other side");
        assert!(at.ptx_line >= line_of(&body, "ld.global"));
        assert!(other.action.contains("earlier"));
        assert_eq!(report.memory.clone().expect("a place").object.as_deref(), Some("out"));
        assert_ne!(at.thread, other.thread);
    }
}

#[test]
fn equal_values_race_unless_all_ctas_store_them() {
    let values = || accrue_ptx_sim::Config {
        checks: accrue_ptx_sim::Checks { quiet_races: false, ..Default::default() },
        ..Default::default()
    };
    let with = |body: &str, config: accrue_ptx_sim::Config, ctas, threads| {
        let mut bench = Bench::with(&kernel(body), config).shape(ctas, threads).seeded(3);
        bench.words("out", &[0; 1024]);
        bench
    };
    let is_quiet = |body: &str, ctas, threads| {
        bench(body, ctas, threads).seeded(3).fails(Kind::QuietRace);
        with(body, values(), ctas, threads).run();
    };
    // A flag; one that changes nothing; a store of what is there beside a read.
    is_quiet("st.global.u32 [%rd0], 1;", 1, 2);
    is_quiet("st.global.u32 [%rd0], 0;", 1, 64);
    is_quiet(
        "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 ld.global.u32 %r2, [%rd0];\n@!%p1 st.global.u32 [%rd0], 0;",
        1,
        33,
    );
    // All CTAs do the same, and read what they stored.
    let alike = "st.global.u32 [%rd0], 7;\nld.global.u32 %r1, [%rd0];\nst.global.u32 [%rd0], %r1;\nst.global.u64 [%rd0+8], 9;\n\
                 ld.global.u32 %r2, [%rd0+12];";
    bench(alike, 9, 1).seeded(3).run();
    bench(alike, 9, 1).run();
    // Some of them; others read it.
    let some = "mov.u32 %r1, %ctaid.x;\nsetp.gt.u32 %p1, %r1, 2;\n@%p1 st.global.u32 [%rd0], 0;";
    is_quiet(some, 9, 1);
    is_quiet(&some.replace("@%p1 st", "@!%p1 ld.global.u32 %r2, [%rd0];\n@%p1 st"), 4, 1);
    // Other values are worse, wherever they come.
    let worse = "st.global.u32 [%rd0], 1;\nmov.u32 %r1, %tid.x;\nst.global.u32 [%rd0+4], %r1;";
    bench(worse, 1, 2).seeded(3).fails(Kind::Race);
}

#[test]
fn a_plain_access_beside_an_atomic_is_said_to_be_one() {
    let body = "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@!%p1 ld.global.u32 %r2, [%rd0];\n@%p1 red.global.add.u32 [%rd0], 1;";
    let report = bench(body, 1, 64).fails(Kind::Race);
    assert!(report.message.contains("beside an atomic operation"), "{report}");
    let (at, other) = (report.at.clone().expect("a place"), report.other.clone().expect("the other"));
    assert_ne!(at.is_atomic, other.is_atomic);
}

#[test]
fn both_sides_of_a_race_have_c_lines() {
    let text = format!(
        "{HEAD}.file 1 \"sum.c\"\n.shared .u32 total;\n.entry k()\n{{\n{REGISTERS}\
         mov.u32 %r1, %tid.x;\n.loc 1 10 3\nst.shared.u32 [total], %r1;\n.loc 1 12 5\nld.shared.u32 %r2, [total];\n}}"
    );
    let report = Bench::new(&text).shape(1, 64).fails(Kind::Race);
    assert_eq!(report.at.clone().expect("a place").source, Some(("sum.c".into(), 10, 3)));
    assert_eq!(report.other.clone().expect("the other").source, Some(("sum.c".into(), 10, 3)));
    let shown = Bench::new(&text).shape(1, 64).fails(Kind::Race).to_string();
    assert!(shown.contains("at sum.c:10:3 (PTX line ") && shown.contains("byte 0 of `total`"), "{shown}");
}

#[test]
fn a_missing_barrier_is_a_race() {
    let with = "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, s;\nadd.u32 %r3, %r3, %r2;\n\
                st.shared.u32 [%r3], %r1;\nbar.sync 0;\nxor.b32 %r4, %r2, 128;\nmov.u32 %r5, s;\n\
                add.u32 %r5, %r5, %r4;\nld.shared.u32 %r6, [%r5];";
    bench(with, 3, 64).run();
    bench(&with.replace("bar.sync 0;", ""), 1, 64).fails(Kind::Race);
    // Within a warp a barrier of the warp is needed.
    let warp = with.replace("128", "4").replace("bar.sync 0", "bar.warp.sync 0xffffffff");
    bench(&warp, 1, 64).run();
    bench(&warp.replace("bar.warp.sync 0xffffffff;", ""), 1, 32).fails(Kind::Race);
}

#[test]
fn a_slot_reused_without_a_barrier_is_a_race() {
    let body = "mov.u32 %r1, %tid.x;\nmov.u32 %r5, 0;\n$again:\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $skip;\n\
                st.shared.u32 [s], %r5;\n$skip:\nbar.sync 0;\nld.shared.u32 %r6, [s];\n//second\nadd.u32 %r5, %r5, 1;\n\
                setp.lt.u32 %p2, %r5, 3;\n@%p2 bra $again;";
    bench(body, 1, 64).fails(Kind::Race);
    bench(&body.replace("//second", "bar.sync 0;"), 1, 64).run();
}

#[test]
fn a_barrier_under_divergence() {
    let body = "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bra $low;\nbar.sync 0; // high\nbra $end;\n\
                $low:\nbar.sync 0; // low\n$end:\nmov.u32 %r2, 0;";
    let report = bench(body, 1, 32).fails(Kind::DivergentBarrier);
    let line = report.at.clone().expect("a place").ptx_line;
    assert!([line_of(body, "// high"), line_of(body, "// low")].contains(&line));
    // The same between whole warps is a barrier for all.
    bench(&body.replace("16", "32"), 1, 64).run();
}

#[test]
fn a_barrier_that_answers_elsewhere() {
    let body = "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bra $low;\n\
                barrier.red.or.pred %p2, 0, %p1;\nbra $end;\n\
                $low:\nbarrier.red.or.pred %p3, 0, %p1;\n$end:\nmov.u32 %r2, 0;";
    let report = bench(body, 1, 32).fails(Kind::DivergentBarrier);
    assert!(report.message.starts_with("lanes of a warp ask at different barriers"), "{report}");
    // The same between whole warps, and barriers without an answer.
    bench(&body.replace("16", "32"), 1, 64).run();
    bench(&body.replace("barrier.red.or.pred %p2, 0, %p1", "barrier.sync 0"), 1, 32)
        .fails(Kind::DivergentBarrier);
    let silent =
        body.replace("red.or.pred %p2, 0, %p1", "sync 0").replace("red.or.pred %p3, 0, %p1", "sync 0");
    bench(&silent, 1, 32).run();
}

#[test]
fn a_barrier_that_some_threads_never_reach() {
    let body = "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 exit;\nbar.sync 0;";
    let report = bench(body, 1, 64).fails(Kind::DivergentBarrier);
    assert!(report.notes.iter().any(|note| note.contains("have exited")), "{report}");
    let body = "bar.sync 0, 96;";
    bench(body, 1, 64).fails(Kind::Deadlock);
    let body = "mov.u32 %r1, %tid.x;\nshr.u32 %r1, %r1, 5;\nbar.sync %r1, 64;";
    bench(body, 1, 64).fails(Kind::Deadlock);
}

#[test]
fn a_byte_updated_by_swaps_of_its_word_leaves_the_others_alone() {
    // CTA 0 writes the second byte, CTA 1 reads the third, the others add to the first.
    let body = "mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.global.u8 [%rd0+1], %r1; // beside\n@%p1 exit;\n\
                setp.eq.u32 %p2, %r1, 1;\n@%p2 ld.global.u8 %r2, [%rd0+2];\n@%p2 exit;\n\
                ld.relaxed.gpu.global.b32 %r3, [%rd0];\n$again:\nadd.u32 %r4, %r3, 1;\nand.b32 %r4, %r4, 255;\n\
                and.b32 %r5, %r3, 0xffffff00;\nor.b32 %r5, %r5, %r4;\nmov.u32 %r6, %r3;\n\
                atom.relaxed.gpu.global.cas.b32 %r3, [%rd0], %r6, %r5;\nsetp.ne.u32 %p3, %r3, %r6;\n@%p3 bra $again;";
    for seed in 0..8 {
        bench(body, 6, 1).seeded(seed).run();
    }
    // In a variable that is less than a word; what lies outside of it is still out of bounds.
    let end =
        body.replace("[%rd0]", "[%rd0+4096]").replace("[%rd0+1]", "[%rd0+4097]").replace("+2]", "+4097]");
    let of_two_bytes = |body: &str| {
        let mut bench = Bench::new(&kernel(body)).shape(6, 1).seeded(1);
        bench.buffer("out", &[0; 4098]);
        bench
    };
    of_two_bytes(&end.replace("@%p2 ld.global.u8", "@%p2 ld.global.u8 %r2, [%rd0]; //")).run();
    of_two_bytes(&end.replace("+4097]", "+4098]")).fails(Kind::OutOfBounds);
    of_two_bytes(&end.replace("[%rd0+4096]", "[%rd0+4100]")).fails(Kind::OutOfBounds);
    // The same in memory of which only the first byte is defined.
    let shared = body
        .replace("[%rd0]", "[s]")
        .replace(".global", ".shared")
        .replace("mov.u32 %r1, %ctaid.x;", "mov.u32 %r1, 2;\nmov.u32 %r9, 1;\nst.shared.u8 [s], %r9;");
    let used = format!("{shared}\nld.shared.u8 %r8, [s];\nsetp.ne.u32 %p5, %r8, 0;\n@%p5 exit;");
    bench(&used, 1, 1).run();
    for undefined in [used.replace("st.shared.u8 [s], %r9;", ""), used.replace("%r8, [s]", "%r8, [s+1]")] {
        bench(&undefined, 1, 1).fails(Kind::Uninitialised);
    }
    for of_one_byte in [body.replace("[%rd0+1]", "[%rd0]"), body.replace("[%rd0+2]", "[%rd0]")] {
        bench(&of_one_byte, 6, 1).seeded(1).fails(Kind::Race);
    }
}

const LOCK: &str = "$again:\natom.acquire.gpu.global.cas.b32 %r1, [%rd0], 0, 1; // cas\nsetp.ne.u32 %p1, %r1, 0;\n\
                    @%p1 bra $again;\n//acquire\nld.global.u32 %r2, [%rd0+4];\nadd.u32 %r2, %r2, 1;\n\
                    st.global.u32 [%rd0+4], %r2;\n//release\nst.relaxed.gpu.global.u32 [%rd0], 0;";

/// Two lanes update halves of a word, and then store theirs: what the other one's compare-and-swap found was
/// no lock.
#[test]
fn a_value_is_no_lock() {
    let body = "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nshl.b32 %r3, 5, %r2;\nmul.wide.u32 %rd1, %r1, 2;\nadd.u64 %rd1, %rd1, %rd0;\n\
                ld.relaxed.gpu.global.u32 %r4, [%rd0];\n$again:\nxor.b32 %r5, %r4, %r3;\n\
                atom.relaxed.gpu.global.cas.b32 %r6, [%rd0], %r4, %r5;\nsetp.ne.u32 %p1, %r6, %r4;\nmov.u32 %r4, %r6;\n\
                @%p1 bra $again;\nmov.u32 %r7, 9;\nst.relaxed.gpu.global.u16 [%rd1], %r7;";
    for seed in 0..16 {
        bench(body, 1, 2).seeded(seed).run();
    }
}

#[test]
fn one_lock_for_two_lanes_of_a_warp() {
    let lock = LOCK.replace("//release", "fence.acq_rel.gpu;");
    for seed in [None, Some(1), Some(2), Some(3)] {
        let mut bench = bench(&lock, 1, 32);
        bench.seed = seed;
        let report = bench.fails(Kind::WarpLock);
        assert_eq!(report.at.clone().expect("a place").ptx_line, line_of(&lock, "// cas"));
    }
    // Threads make progress independently, so it works when the check is off.
    let checks = accrue_ptx_sim::Checks { warp_locks: false, ..Default::default() };
    let config = accrue_ptx_sim::Config { checks, ..Default::default() };
    for seed in [None, Some(1)] {
        let mut bench = Bench::with(&kernel(&lock), config.clone()).shape(3, 64);
        bench.seed = seed;
        let out = bench.words("out", &[0; 16]);
        bench.run();
        assert_eq!(bench.read_u32(out, 2), [0, 192]);
    }
}

#[test]
fn a_lock_of_one_lane_per_warp_is_fine() {
    let lock = LOCK.replace("//release", "fence.acq_rel.gpu;");
    let body = format!(
        "mov.u32 %r9, %laneid;\nsetp.ne.u32 %p2, %r9, 0;\n@%p2 bra $out;\n{lock}\n$out:\nbar.warp.sync -1;"
    );
    for seed in [None, Some(7)] {
        let mut bench = Bench::new(&kernel(&body)).shape(20, 128);
        bench.seed = seed;
        let out = bench.words("out", &[0; 16]);
        bench.run();
        assert_eq!(bench.read_u32(out, 2), [0, 80]);
    }
}

#[test]
fn a_missing_fence_around_a_lock() {
    // Without a release; without an acquire; with fences for the CTA only.
    let body = |lock: &str| {
        format!(
            "mov.u32 %r9, %tid.x;\nsetp.ne.u32 %p2, %r9, 0;\n@%p2 bra $out;\n{lock}\n$out:\nbar.warp.sync -1;"
        )
    };
    let relaxed = LOCK.replace("atom.acquire", "atom.relaxed");
    let fenced =
        relaxed.replace("//acquire", "fence.acq_rel.gpu;").replace("//release", "fence.acq_rel.gpu;");
    bench(&body(&fenced), 8, 32).run();
    bench(&body(LOCK), 8, 32).fails(Kind::Race);
    bench(&body(&relaxed.replace("//release", "fence.acq_rel.gpu;")), 8, 32).fails(Kind::Race);
    bench(&body(&fenced.replace("fence.acq_rel.gpu", "fence.acq_rel.cta")), 8, 32).fails(Kind::Race);
}

#[test]
fn the_last_cta_reads_what_all_wrote() {
    let body = "mov.u32 %r1, %ctaid.x;\nadd.u32 %r2, %r1, 1;\nmad.wide.u32 %rd1, %r2, 4, %rd0;\n\
                st.global.u32 [%rd1+4], %r2;\n//fence\natom.global.add.u32 %r3, [%rd0], 1;\n\
                mov.u32 %r4, %nctaid.x;\nsub.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r3, %r4;\n@%p1 exit;\n//fence\n\
                mov.u32 %r5, 0;\nmov.u32 %r6, 0;\n$sum:\nmad.wide.u32 %rd2, %r5, 4, %rd0;\nld.global.u32 %r7, [%rd2+8];\n\
                add.u32 %r6, %r6, %r7;\nadd.u32 %r5, %r5, 1;\nsetp.le.u32 %p2, %r5, %r4;\n@%p2 bra $sum;\n\
                st.global.u32 [%rd0+4], %r6;";
    let right = body.replace("//fence", "membar.gl;");
    for seed in [None, Some(5)] {
        let mut bench = Bench::new(&kernel(&right)).shape(50, 1);
        bench.seed = seed;
        let out = bench.words("out", &[0; 64]);
        bench.run();
        assert_eq!(bench.read_u32(out, 2), [50, 50 * 51 / 2]);
    }
    bench(body, 50, 1).fails(Kind::Race);
}

#[test]
fn uninitialised_values_are_found_where_something_depends_on_them() {
    let branch = "setp.eq.s32 %p1, %r2, 0;\n@%p1 bra $end; // use\n$end:";
    let local = format!(
        "{{ .local .align 8 .b8 l[16];\nst.local.u32 [l], 1;\nld.local.u32 %r1, [l+4]; // load\nadd.s32 %r2, %r1, 1;\n{branch}\n}}"
    );
    let report = bench(&local, 1, 32).fails(Kind::Uninitialised);
    assert_eq!(report.at.clone().expect("a place").ptx_line, line_of(&local, "// use"));
    let from =
        format!("memory that nobody wrote, which was read at (PTX line {} in", line_of(&local, "// load"));
    assert!(report.notes.iter().any(|note| note.contains(&from)), "{report}");
    let never = format!("add.s32 %r2, %r1, 1; // taken\n{branch}");
    let report = bench(&never, 1, 32).fails(Kind::Uninitialised);
    let from = format!(
        "a variable that was never set, which was read at (PTX line {} in",
        line_of(&never, "// taken")
    );
    assert!(report.notes.iter().any(|note| note.contains(&from)), "{report}");
    bench("@%p1 add.s32 %r2, 0, 1;", 1, 32).fails(Kind::Uninitialised);
    let use_of = |before: &str| bench(&format!("{before}\n{branch}"), 1, 32).fails(Kind::Uninitialised);
    use_of("ld.shared.u32 %r2, [s];");
    use_of("setp.eq.s32 %p2, %r1, 0;\nselp.b32 %r2, 1, 2, %p2;");
    use_of("mul.wide.s32 %rd1, %r1, 8;\ncvt.u32.u64 %r2, %rd1;");
    use_of("sub.cc.u32 %r3, %r1, 1;\nsubc.u32 %r2, 0, 0;");
    use_of("shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;");
    use_of("redux.sync.add.s32 %r2, %r1, -1;");
    // Through memory, too.
    let stored = "add.s32 %r3, %r1, 1;\nst.global.u32 [%rd0], %r3;\nld.global.u32 %r2, [%rd0];";
    let report = bench(&format!("{stored}\n{branch}"), 1, 1).fails(Kind::Uninitialised);
    assert!(report.notes.iter().any(|note| note.contains("computed from a variable")), "{report}");
    // An address, an index, what others rely on.
    bench("add.s64 %rd1, %rd2, 8;\nld.global.u32 %r1, [%rd1];", 1, 1).fails(Kind::Uninitialised);
    bench("red.shared.add.u32 [s], 1;", 1, 32).fails(Kind::Uninitialised);
    bench("red.global.add.u32 [%rd0], %r1;", 1, 32).fails(Kind::Uninitialised);
    bench("vote.sync.any.pred %p2, %p1, -1;", 1, 32).fails(Kind::Uninitialised);
}

#[test]
fn what_nobody_set_may_be_moved_and_computed_with() {
    let neither = "add.s32 %r2, %r1, 1;\ncvt.rn.f32.s32 %f1, %r2;\nsetp.gt.f32 %p1, %f1, 0f00000000;\n\
                   st.global.f32 [%rd0], %f1;";
    bench(neither, 1, 1).run();
    // What decides is defined: one operand of a logical operation, both sides of a selection.
    let decided = "mov.u32 %r2, 0;\nsetp.ne.u32 %p2, %r2, 0;\nand.pred %p3, %p1, %p2;\n@%p3 trap;\n\
                   selp.b32 %r3, 5, 5, %p1;\nsetp.ne.u32 %p4, %r3, 5;\n@%p4 trap;\n\
                   setp.ne.and.u32 %p5, %r1, 0, %p2;\n@%p5 trap;";
    bench(decided, 1, 32).run();
}

#[test]
fn the_host_is_told_of_values_that_were_never_set() {
    let outcome = |body: &str, count: u64| {
        let text = kernel(body).replace("out)", "out, .param .u64 x)");
        let mut bench = Bench::new(&text).shape(1, 1);
        let out = bench.raw_buffer("out", 64);
        bench.raw_buffer("never written", 64);
        bench.run();
        bench.device.check_output(out, count)
    };
    let copied = "ld.param.u64 %rd1, [x];\nld.global.v2.u32 {%r1, %r2}, [%rd1]; // load\n";
    // Filled in part, also with what nobody wrote.
    let part = format!("{copied}st.global.u32 [%rd0], 1;\nst.global.u32 [%rd0+8], %r2;");
    let some = outcome(&part, 64).expect("it may be padding").expect("a copy of nothing");
    assert_eq!(some.memory.as_ref().map(|memory| memory.offset), Some(8));
    assert_eq!(outcome(&part, 8), Ok(None));
    let all = format!("{copied}st.global.u32 [%rd0], %r1;\nst.global.u32 [%rd0+8], %r2; // store");
    let report = outcome(&all, 64).expect_err("nothing was set");
    assert!(report.message.contains("nothing was ever set"), "{report}");
    // Computed, and from a variable.
    let sum = format!("{part}\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd0+16], %r2; // sum");
    let report = outcome(&sum, 64).expect_err("a sum of nothing");
    assert_eq!(report.memory.as_ref().map(|memory| memory.offset), Some(16));
    assert_eq!(report.at.as_ref().map(|at| at.ptx_line), Some(line_of(&sum, "// sum")), "{report}");
    let load = format!("PTX line {} ", line_of(&sum, "// load"));
    assert!(report.notes[0].contains(&load) && report.notes[0].contains("computed"), "{report}");
    outcome(&sum, 16).expect("the sum is behind it");
    let variable = format!("{part}\nst.global.u32 [%rd0+16], %r9;");
    outcome(&variable, 64).expect_err("a variable without a value");
    // What was written over it counts.
    let over = format!("{variable}\nst.global.u32 [%rd0+16], 3;");
    outcome(&over, 64).expect("it was written over");
    let again = format!("{over}\nst.global.u32 [%rd0+16], %r1;");
    outcome(&again, 64).expect("a copy of nothing");
}

#[test]
fn moving_undefined_parts_is_no_mistake() {
    // A struct with a hole is copied by words, a bit field is written into an undefined word.
    let body = "{ .local .align 8 .b8 a[16]; .local .align 8 .b8 b[16];\nst.local.u8 [a], 7;\nst.local.u32 [a+4], 9;\n\
                ld.local.u64 %rd1, [a];\nst.local.u64 [b], %rd1;\nld.local.u32 %r1, [b+4];\nld.local.u8 %r2, [b];\n\
                add.u32 %r3, %r1, %r2;\nld.local.u32 %r4, [a+8];\nand.b32 %r5, %r4, 0xfffffff8;\nor.b32 %r6, %r5, 5;\n\
                and.b32 %r7, %r6, 7;\nadd.u32 %r8, %r7, %r3;\nst.global.u32 [%rd0], %r8;\n}";
    let mut bench = Bench::new(&kernel(body)).shape(1, 1);
    let out = bench.words("out", &[0]);
    bench.run();
    assert_eq!(bench.read_u32(out, 1), [7 + 9 + 5]);
    assert_eq!(bench.device.check_output(out, 4), Ok(None));
}

#[test]
fn lanes_that_do_not_take_part() {
    let exited = "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 16;\n@%p1 exit;\nshfl.sync.down.b32 %r2, %r1, 8, 31, 0xffffffff;";
    let report = bench(exited, 1, 32).fails(Kind::InactiveLane);
    assert!(report.message.contains("lane 16, which has exited"), "{report}");
    let absent = "mov.u32 %r1, %tid.x;\nshfl.sync.down.b32 %r2, %r1, 8, 31, 0xffffffff;";
    bench(absent, 1, 20).fails(Kind::InactiveLane);
    let outside = "mov.u32 %r1, %tid.x;\nshfl.sync.down.b32 %r2, %r1, 8, 31, 0x0000ffff;";
    bench(outside, 1, 32).fails(Kind::DivergentLanes);
    let apart = "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 16;\n@%p1 bra $high;\nshfl.sync.idx.b32 %r2, %r1, 0, 31, -1;\n\
                 bra $end;\n$high:\nshfl.sync.idx.b32 %r2, %r1, 0, 31, -1;\n$end:\nbar.warp.sync -1;";
    bench(apart, 1, 32).fails(Kind::DivergentLanes);
}

#[test]
fn wild_addresses() {
    let report = bench("st.global.u32 [%rd0+4096], 1;", 1, 1).fails(Kind::OutOfBounds);
    let memory = report.memory.clone().expect("a place");
    assert_eq!((memory.object.as_deref(), memory.offset, memory.size), (Some("out"), 4096, 4096));
    bench("st.global.u32 [%rd0+-4], 1;", 1, 1).fails(Kind::OutOfBounds);
    bench("mov.u64 %rd1, 0;\nld.u32 %r1, [%rd1];", 1, 1).fails(Kind::NullPointer);
    bench("mov.u64 %rd1, 0x7ffe12345678;\nld.global.u32 %r1, [%rd1];", 1, 1).fails(Kind::HostPointer);
    bench("mov.u64 %rd1, 0xdead000000000000;\nld.u32 %r1, [%rd1];", 1, 1).fails(Kind::OutOfBounds);
    bench("ld.global.u32 %r1, [%rd0+2];", 1, 1).fails(Kind::Misaligned);
    bench("ld.global.v2.u32 {%r1, %r2}, [%rd0+4];", 1, 1).fails(Kind::Misaligned);
    bench("ld.shared.u32 %r1, [s+1024];", 1, 1).fails(Kind::OutOfBounds);
    bench("{ .local .b32 a; .local .b32 b;\nst.local.u32 [a+4], 1;\n}", 1, 1).fails(Kind::OutOfBounds);
    bench("mov.u64 %rd1, k;\nld.u32 %r1, [%rd1];", 1, 1).fails(Kind::OutOfBounds);
    let mut freed = bench("ld.global.u32 %r1, [%rd1];", 1, 1);
    let address = freed.words("gone", &[1, 2]);
    freed.device.free(address).expect("it was allocated");
    let text = format!("mov.u64 %rd1, {address};\nld.global.u32 %r1, [%rd1+4];");
    freed.module =
        freed.device.load(&kernel(&text).replace("out)", "out, .param .u64 x)")).expect("a module");
    let report = freed.fails(Kind::UseAfterFree);
    assert!(report.message.contains("byte 4 of `gone`"), "{report}");
}

#[test]
fn constant_memory_is_not_written() {
    let text = format!(
        "{HEAD}.const .u32 c = 5;\n.entry k() {{\n{REGISTERS}mov.u64 %rd1, c;\nst.u32 [%rd1], 1;\n}}"
    );
    Bench::new(&text).fails(Kind::ReadOnly);
}

#[test]
fn endless_waits() {
    // A lock that nobody opens.
    let body = "atom.relaxed.gpu.global.exch.b32 %r1, [%rd0], 1; // holder\n$again:\n\
                atom.relaxed.gpu.global.cas.b32 %r1, [%rd0], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $again;";
    for (ctas, seed) in [(1, None), (3, None), (3, Some(3))] {
        let mut bench = bench(body, ctas, 1);
        bench.seed = seed;
        let report = bench.fails(Kind::Livelock);
        assert_eq!(report.other.clone().expect("a holder").ptx_line, line_of(body, "// holder"), "{report}");
        assert!(report.notes.iter().any(|note| note.contains("spin")), "{report}");
    }
    // A flag that nobody sets, while another thread waits at a barrier.
    let body = "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra $wait;\nbar.sync 0;\nbra $end;\n$wait:\n\
                ld.volatile.global.u32 %r2, [%rd0];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra $wait;\nbar.sync 0;\n$end:\nmov.u32 %r3, 0;";
    bench(body, 1, 64).fails(Kind::Livelock);
    bench("$loop:\nbra $loop;", 1, 1).fails(Kind::Livelock);
}

#[test]
fn limits_end_long_loops() {
    let config = accrue_ptx_sim::Config { instruction_limit: Some(1_000_000), ..Default::default() };
    let text = kernel("mov.u64 %rd1, 0;\n$loop:\nadd.u64 %rd1, %rd1, 1;\nbra $loop;");
    let mut bench = Bench::with(&text, config);
    bench.words("out", &[0]);
    bench.fails(Kind::Limit);
}

#[test]
fn a_barrier_of_the_whole_grid_works() {
    let body = "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $met;\nmembar.gl;\n\
                atom.global.add.u32 %r2, [%rd0], 1;\nmov.u32 %r3, %nctaid.x;\n$spin:\nld.volatile.global.u32 %r4, [%rd0];\n\
                setp.lt.u32 %p2, %r4, %r3;\n@%p2 bra $spin;\nmembar.gl;\n$met:\nbar.sync 0;";
    for seed in [None, Some(1), Some(2)] {
        let mut bench = bench(body, 100, 64);
        bench.seed = seed;
        bench.run();
    }
}

#[test]
fn programs_that_stop_themselves() {
    bench("trap;", 1, 1).fails(Kind::Trap);
    bench("brkpt;", 1, 1).fails(Kind::Breakpoint);
    bench("mov.u64 %rd1, 0;\n$p: .callprototype _ ();\ncall %rd1, (), $p;", 1, 1).fails(Kind::BadCall);
    bench("mov.u32 %r1, 2;\n$t: .branchtargets $a, $b;\nbrx.idx %r1, $t;\n$a:\nret;\n$b:\nret;", 1, 1)
        .fails(Kind::BadJump);
}

#[test]
fn queues_that_do_not_wait_race() {
    let ptx = kernel(
        "mov.u32 %r1, %tid.x;\nmad.wide.u32 %rd1, %r1, 4, %rd0;\nld.global.u32 %r2, [%rd1];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd1], %r2;",
    );
    let mut bench = Bench::new(&ptx);
    bench.words("array", &[0; 32]);
    let (a, b) = (bench.device.new_queue(), bench.device.new_queue());
    let on = |queue| bench.device.launch(&bench.module, "k", &LaunchArgs { queue, ..bench.args() });
    on(a).expect("the first is alone");
    on(a).expect("one queue is in order");
    let report = on(b).expect_err("the queues race");
    assert_eq!(report.kind, Kind::Race);
    assert_eq!(report.other.as_ref().and_then(|other| other.kernel.as_deref()), Some("k"), "{report}");
    let event = bench.device.record(a);
    let b = bench.device.new_queue();
    bench.device.wait(b, &event);
    let event = bench.device.record(b);
    bench.device.synchronize(&event);
    let b2 = bench.device.new_queue();
    on(b2).expect_err("the failed launch is not over for it");
}

#[test]
fn copies_that_queues_do_not_wait_for_race() {
    let ptx = kernel(
        "mov.u32 %r1, %tid.x;\nmad.wide.u32 %rd1, %r1, 4, %rd0;\nld.global.u32 %r2, [%rd1];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd1], %r2; // store",
    );
    // The array, and what the kernel does not touch.
    let (array, rest) = (0..128u64, 128..256u64);
    let begin = || {
        let mut bench = Bench::new(&ptx);
        let base = bench.words("array", &[0; 64]);
        let queues = [(); 2].map(|()| bench.device.new_queue());
        for (number, queue) in queues.into_iter().enumerate() {
            let place = Some(("q.c".into(), 7));
            let asker =
                Asker { what: "update".into(), place, queue: Some(number as i64), ..Asker::default() };
            bench.device.set_asker(queue, asker);
        }
        (bench, base, queues)
    };
    let access = |bench: &Bench, base: u64, queue, what, range: &std::ops::Range<u64>, waits| {
        let order = bench.device.take_place(queue, waits);
        bench.device.access(&order, what, (base + range.start, range.end - range.start))
    };
    use HostAccess::{CopyIn, CopyOut, Free};
    for (what, waits) in [(CopyOut, true), (CopyOut, false), (CopyIn, true), (CopyIn, false), (Free, true)] {
        let (bench, base, [a, b]) = begin();
        bench
            .device
            .launch(&bench.module, "k", &LaunchArgs { queue: a, ..bench.args() })
            .expect("it is alone");
        if what != Free {
            access(&bench, base, b, what, &rest, waits).expect("the kernel does nothing there");
        }
        access(&bench, base, a, what, &array, waits).expect("one queue is in order");
        let report = access(&bench, base, b, what, &array, waits).expect_err("the queues race");
        let (at, other) = (report.at.clone().expect("a place"), report.other.clone().expect("the other"));
        assert!(report.is_between_queues && at.source == Some(("q.c".into(), 7, 0)), "{report}");
        assert_eq!(at.asker.and_then(|asker| asker.queue), Some(1));
        assert_eq!(other.asker.and_then(|asker| asker.queue), Some(0));
        bench.device.wait(b, &bench.device.record(a));
        access(&bench, base, b, what, &array, waits).expect("now it waits");
    }
    // The kernel comes after a copy that it does not wait for.
    for what in [CopyOut, CopyIn] {
        let (bench, base, [a, b]) = begin();
        access(&bench, base, a, what, &(100..104), false).expect("nothing was before");
        let on = |queue| bench.device.launch(&bench.module, "k", &LaunchArgs { queue, ..bench.args() });
        assert!(on(b).is_err_and(|report| report.kind == Kind::Race));
        let (bench, base, [a, b]) = begin();
        access(&bench, base, a, what, &(100..104), true).expect("nothing was before");
        bench.device.synchronize(&bench.device.record(a));
        bench
            .device
            .launch(&bench.module, "k", &LaunchArgs { queue: b, ..bench.args() })
            .expect("the host waited");
    }
    // Copies beside copies: two that read are no race.
    let (bench, base, [a, b]) = begin();
    access(&bench, base, a, CopyOut, &array, false).expect("nothing was before");
    access(&bench, base, b, CopyOut, &array, false).expect("both read");
    access(&bench, base, b, CopyIn, &array, false).expect_err("one reads, the other writes");
}

#[test]
fn launches_are_checked() {
    let bench = bench("mov.u32 %r1, 0;", 1, 1);
    let launch =
        |args: LaunchArgs<'_>| bench.device.launch(&bench.module, "k", &args).expect_err("it is wrong").kind;
    assert_eq!(launch(LaunchArgs { block: [2048, 1, 1], ..bench.args() }), Kind::BadLaunch);
    assert_eq!(launch(LaunchArgs { grid: [0, 1, 1], ..bench.args() }), Kind::BadLaunch);
    assert_eq!(launch(LaunchArgs { params: &[], ..bench.args() }), Kind::BadLaunch);
    assert_eq!(launch(LaunchArgs { dynamic_shared: 1 << 20, ..bench.args() }), Kind::BadLaunch);
}

#[test]
fn schedules_find_what_one_order_hides() {
    // The reader mostly comes too late to see a half-written pair.
    let body = "mov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $reader;\nst.relaxed.gpu.global.u32 [%rd0], 1;\n\
                st.relaxed.gpu.global.u32 [%rd0+4], 1;\nbra $end;\n$reader:\nld.relaxed.gpu.global.u32 %r2, [%rd0];\n\
                ld.relaxed.gpu.global.u32 %r3, [%rd0+4];\nsetp.eq.u32 %p2, %r2, %r3;\n@!%p2 trap;\n$end:\nmov.u32 %r4, 0;";
    let bench = bench(body, 2, 1);
    let found = bench.device.try_schedules(&bench.module, "k", &bench.args(), 0..200, &[]);
    let (seed, report) = found.expect_err("one of them meets the writer half way");
    assert_eq!(report.kind, Kind::Trap);
    let out = u64::from_le_bytes(bench.args().params[..8].try_into().expect("a pointer"));
    for _ in 0..3 {
        bench.device.copy_in(out, &[0; 8]).expect("a copy");
        let again = bench.device.try_schedules(&bench.module, "k", &bench.args(), seed..seed + 1, &[]);
        assert!(again.is_err_and(|(again, _)| again == seed));
    }
}

#[test]
fn copies_of_two_queues_meet_on_the_host() {
    let mut bench = Bench::new(&kernel(""));
    let base = bench.words("array", &[0; 64]);
    let device = &bench.device;
    let touch = |queue, what, place: std::ops::Range<u64>, changes, waits| {
        device.touch_host(&device.take_place(queue, waits), what, place, base, changes)
    };
    use HostAccess::{CopyIn, CopyOut};
    let [a, b, c] = [(); 3].map(|()| device.new_queue());
    touch(a, CopyOut, 1000..1064, true, false).expect("it is the first");
    touch(a, CopyIn, 1000..1064, false, false).expect("one queue is in order");
    touch(b, CopyIn, 1064..1128, false, false).expect("other bytes");
    for waits in [false, true] {
        let report = touch(b, CopyIn, 1060..1070, false, waits).expect_err("the first copy changes these");
        assert!(report.kind == Kind::Race && report.is_between_queues, "{report}");
        assert_eq!(report.other.and_then(|other| other.host), Some(CopyOut));
        assert_eq!(report.memory.and_then(|memory| memory.object).as_deref(), Some("array"));
    }
    touch(c, CopyIn, 2000..2064, false, false).expect("nothing was there");
    touch(a, CopyOut, 2000..2064, false, false).expect("it changes nothing");
    touch(b, CopyOut, 2063..2064, true, false).expect_err("it changes what another one reads");
    device.wait(b, &device.record(a));
    device.wait(b, &device.record(c));
    touch(b, CopyOut, 1000..2064, true, false).expect("now it waits for both");
    touch(c, CopyIn, 3000..3004, false, true).expect("nothing was there");
    touch(a, CopyOut, 3000..3004, true, false).expect("the host has waited for the other");
}
