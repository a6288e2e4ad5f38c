//! Barrier objects: phases, what they order, and what is wrong with them.

mod common;

use accrue_ptx_sim::{Config, Device, Kind, Report};
use common::{Bench, kernel};

/// Lanes of a row; rows of a CTA.
const LANES: u32 = 64;
const ROWS: u32 = 3;

/// The threads of a row meet at the object whose address is in `%r4`.
fn meet(wait: &str, number: u32) -> String {
    format!(
        "mbarrier.arrive.shared.b64 %rd5, [%r4];\n$wait{number}:\nmbarrier.{wait}.shared.b64 %p2, [%r4], %rd5;\n\
         @!%p2 bra $wait{number};\n"
    )
}

/// Rows in which each thread leaves numbers for another warp, row r 2r + 2 times.
fn rows(first: &str, second: &str) -> String {
    format!(
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, s;\nmad.lo.u32 %r4, %r2, 8, %r3;\n\
         add.u32 %r4, %r4, 992;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [%r4], {LANES};\n\
         mad.lo.u32 %r6, %r2, {LANES}, %r1;\nmad.lo.u32 %r7, %r6, 4, %r3;\nst.shared.u32 [%r7], 0;\nbar.sync 0;\n\
         xor.b32 %r8, %r6, 32;\nmad.lo.u32 %r8, %r8, 4, %r3;\nmov.u32 %r9, 0;\nmov.u32 %r10, 0;\nmad.lo.u32 %r11, %r2, 2, 2;\n$again:\n\
         add.u32 %r12, %r6, %r9;\nst.shared.u32 [%r7], %r12;\n{first}ld.shared.u32 %r13, [%r8];\n\
         add.u32 %r10, %r10, %r13;\n{second}add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p3, %r9, %r11;\n@%p3 bra $again;\n\
         mad.wide.u32 %rd1, %r6, 4, %rd0;\nst.global.u32 [%rd1], %r10;"
    )
}

fn bench(body: &str, block: [u32; 3]) -> (Bench, u64) {
    let mut bench = Bench::new(&kernel(body));
    bench.block = block;
    let out = bench.words("out", &[0; 1024]);
    (bench, out)
}

fn fails(body: &str, threads: u32, kind: Kind) -> Report {
    bench(body, [threads, 1, 1]).0.fails(kind)
}

#[test]
fn rows_meet_as_often_as_they_like() {
    let expected: Vec<u32> = (0..ROWS * LANES)
        .map(|thread| (0..2 * (thread / LANES) + 2).map(|round| (thread ^ 32) + round).sum())
        .collect();
    for wait in ["try_wait", "test_wait"] {
        let body = rows(&meet(wait, 1), &meet(wait, 2));
        for seed in 0..20 {
            let (bench, out) = bench(&body, [LANES, ROWS, 1]);
            let bench = if seed == 0 { bench } else { bench.seeded(seed) };
            bench.run();
            assert_eq!(bench.read_u32(out, expected.len()), expected, "{wait}, seed {seed}");
        }
    }
}

#[test]
fn phases_order_what_comes_before_and_after() {
    let [first, second] = [1, 2].map(|number| meet("try_wait", number));
    for missing in [rows(&first, ""), rows("", &second), rows("", "")] {
        bench(&missing, [LANES, ROWS, 1]).0.fails(Kind::Race);
    }
    // Who only arrives tells the others, and learns nothing.
    let one_way = "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [s+8], 64;\nbar.sync 0;\n\
                   setp.lt.u32 %p1, %r1, 32;\n@%p1 bra $writer;\nmbarrier.arrive.shared.b64 %rd5, [s+8];\n$wait:\n\
                   mbarrier.test_wait.shared.b64 %p2, [s+8], %rd5;\n@!%p2 bra $wait;\nld.shared.u32 %r2, [s];\nbra $end;\n\
                   $writer:\nsetp.eq.u32 %p2, %r1, 0;\n@%p2 st.shared.u32 [s], 7;\nmbarrier.arrive.shared.b64 %rd5, [s+8];\n$end:";
    bench(one_way, [64, 1, 1]).0.run();
    let late = one_way.replace("[s+8];\n$end:", "[s+8];\n@%p2 st.shared.u32 [s], 8;\n$end:");
    fails(&late, 64, Kind::Race);
}

#[test]
fn lanes_arrive_where_they_are() {
    let body = "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [s+512], 32;\nbar.sync 0;\n\
                mad.lo.u32 %r2, %r1, 4, 0;\nmov.u32 %r3, s;\nadd.u32 %r4, %r2, %r3;\nst.shared.u32 [%r4], %r1;\n\
                setp.lt.u32 %p1, %r1, 5;\n@%p1 bra $few;\nmbarrier.arrive.shared.b64 %rd5, [s+512];\nbra $wait;\n\
                $few:\nmbarrier.arrive.release.cta.shared::cta.b64 %rd5, [s+512], 1;\n$wait:\n\
                mbarrier.test_wait.acquire.cta.shared.b64 %p2, [s+512], %rd5;\n@!%p2 bra $wait;\nxor.b32 %r5, %r2, 64;\n\
                add.u32 %r5, %r5, %r3;\nld.shared.u32 %r6, [%r5];\nmad.wide.u32 %rd1, %r1, 4, %rd0;\n\
                st.global.u32 [%rd1], %r6;";
    for seed in 1..20 {
        let (bench, out) = bench(body, [32, 1, 1]);
        let bench = bench.seeded(seed);
        bench.run();
        let expected: Vec<u32> = (0..32).map(|lane| lane ^ 16).collect();
        assert_eq!(bench.read_u32(out, 32), expected);
    }
}

#[test]
fn who_asks_in_vain_may_do_something_else() {
    // One thread of two arrives for the other one, too, and asks by state and by parity.
    let body = "mbarrier.init.shared.b64 [s], 2;\nmbarrier.arrive.noComplete.shared.b64 %rd5, [s], 1;\n\
                mbarrier.test_wait.shared.b64 %p1, [s], %rd5;\nmbarrier.try_wait.parity.shared.b64 %p2, [s], 0, 100;\n\
                mbarrier.test_wait.parity.shared.b64 %p3, [s], 1;\nmbarrier.arrive.shared.b64 %rd6, [s];\n\
                mbarrier.test_wait.shared.b64 %p4, [s], %rd6;\nmbarrier.test_wait.parity.shared.b64 %p5, [s], 0;\n\
                selp.b32 %r1, 1, 0, %p1;\nselp.b32 %r2, 2, 0, %p2;\nor.b32 %r1, %r1, %r2;\nselp.b32 %r2, 4, 0, %p3;\n\
                or.b32 %r1, %r1, %r2;\nselp.b32 %r2, 8, 0, %p4;\nor.b32 %r1, %r1, %r2;\nselp.b32 %r2, 16, 0, %p5;\n\
                or.b32 %r1, %r1, %r2;\nst.global.u32 [%rd0], %r1;\nmbarrier.inval.shared.b64 [s];\n\
                st.shared.u64 [s], %rd0;\nld.shared.u64 %rd7, [s];";
    for seed in 0..5 {
        let (bench, out) = bench(body, [1, 1, 1]);
        let bench = if seed == 0 { bench } else { bench.seeded(seed) };
        bench.run();
        assert_eq!(bench.read_u32(out, 1), [4 + 8 + 16]);
    }
}

#[test]
fn missing_arrivals_are_a_deadlock() {
    let alone = "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [s], 64;\nbar.sync 0;\n\
                 setp.ge.u32 %p1, %r1, 32;\n@%p1 bra $other;\nmbarrier.arrive.shared.b64 %rd5, [s];\n$wait:\n\
                 mbarrier.try_wait.shared.b64 %p2, [s], %rd5;\n@!%p2 bra $wait;\n$other:\n";
    for body in [alone.to_owned(), format!("{alone}bar.sync 0;\n")] {
        let report = fails(&body, 64, Kind::Deadlock);
        assert!(report.message.ends_with("32 of 64 have come"), "{report}");
        assert_eq!(report.memory.expect("the object").object.as_deref(), Some("s"));
    }
}

#[test]
fn wrong_uses_are_named() {
    let init = "mbarrier.init.shared.b64 [s], 2;\n";
    for (body, message) in [
        ("mbarrier.arrive.shared.b64 %rd5, [s];", "never initialised"),
        ("mbarrier.test_wait.parity.shared.b64 %p1, [s], 0;", "never initialised"),
        ("INIT mbarrier.init.shared.b64 [s], 2;", "initialised already"),
        ("INIT mbarrier.init.shared.b64 [s+8], 0;", "0 arrivals cannot end a phase"),
        (
            "INIT mbarrier.arrive.shared.b64 %rd5, [s], 3;",
            "3 arrivals at once, and the phase of the barrier object lacks 2",
        ),
        ("INIT mbarrier.arrive.shared.b64 %rd5, [s], 0;", "counts for none"),
        ("INIT mbarrier.arrive.noComplete.shared.b64 %rd5, [s], 2;", "`.noComplete` ends the phase"),
        ("INIT mbarrier.inval.shared.b64 [s]; mbarrier.arrive.shared.b64 %rd5, [s];", "or has ended"),
        (
            "INIT mbarrier.init.shared.b64 [s+8], 2; mbarrier.arrive.shared.b64 %rd5, [s+8];\n\
             mbarrier.test_wait.shared.b64 %p1, [s], %rd5;",
            "from another barrier object",
        ),
        (
            "INIT mbarrier.arrive.shared.b64 %rd5, [s]; mbarrier.arrive.shared.b64 _, [s], 1;\n\
             mbarrier.arrive.shared.b64 _, [s], 2; mbarrier.test_wait.shared.b64 %p1, [s], %rd5;",
            "neither of the current phase",
        ),
        ("INIT mbarrier.test_wait.parity.shared.b64 %p1, [s], 2;", "0 or 1"),
        ("INIT ld.shared.u32 %r1, [s+4];", "the access is not by `mbarrier`"),
        ("INIT st.shared.u8 [s+7], 0;", "the access is not by `mbarrier`"),
        ("INIT atom.shared.add.u64 %rd1, [s], 1;", "the access is not by `mbarrier`"),
        ("mbarrier.init.b64 [%rd0], 1;", "not in shared memory"),
    ] {
        let report = fails(&body.replace("INIT ", init), 1, Kind::BarrierObject);
        assert!(report.message.contains(message), "{body}: {report}");
    }
    fails("mbarrier.init.shared.b64 [s+4], 1;", 1, Kind::Misaligned);
    fails("mbarrier.init.shared.b64 [s+1024], 1;", 1, Kind::OutOfBounds);
    fails(
        "mbarrier.init.shared.b64 [s], 1; mbarrier.test_wait.shared.b64 %p1, [s], %rd5;",
        1,
        Kind::Uninitialised,
    );
    // The memory around an object is plain.
    bench(
        "mbarrier.init.shared.b64 [s+8], 1; st.shared.u64 [s], %rd0; st.shared.u64 [s+16], %rd0;",
        [1, 1, 1],
    )
    .0
    .run();
}

#[test]
fn an_object_is_made_before_others_use_it() {
    let body = "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [s], 64;\n//wait\n\
                mbarrier.arrive.shared.b64 %rd5, [s];";
    fails(body, 64, Kind::Race);
    bench(&body.replace("//wait", "bar.sync 0;"), [64, 1, 1]).0.run();
}

#[test]
fn architectures_and_what_is_not_simulated() {
    let device = Device::new(Config::default());
    let problem = |target: &str, inst: &str| {
        let text = format!(
            ".version {target}\n.address_size 64\n.shared .b64 o;\n.entry k() {{ .reg .pred %p; .reg .b64 %rd; .reg .b32 %r; {inst} }}"
        );
        device.load(&text).err().map_or_else(String::new, |error| error.to_string())
    };
    for (target, inst, expected) in [
        ("7.0\n.target sm_80", "mbarrier.arrive.shared.b64 %rd, [o];", ""),
        ("7.0\n.target sm_80", "mbarrier.test_wait.shared.b64 %p, [o], %rd;", ""),
        ("7.0\n.target sm_75", "mbarrier.init.shared.b64 [o], 1;", "at least sm_80"),
        ("7.8\n.target sm_80", "mbarrier.try_wait.shared.b64 %p, [o], %rd;", "at least sm_90"),
        ("7.8\n.target sm_80", "mbarrier.arrive.shared.b64 %rd, [o], 2;", "at least sm_90"),
        ("7.8\n.target sm_90", "mbarrier.try_wait.shared.b64 %p, [o], %rd, %r;", ""),
        ("7.8\n.target sm_90", "mbarrier.test_wait.shared.b64 %p, [o], %rd, %r;", "wrong number of operands"),
        ("7.8\n.target sm_90", "mbarrier.init.global.b64 [o], 1;", "not in global memory"),
        ("7.8\n.target sm_90", "mbarrier.init.shared.b32 [o], 1;", "there is no `mbarrier.init.shared.b32`"),
        ("8.0\n.target sm_90", "mbarrier.expect_tx.relaxed.cta.shared.b64 [o], 1;", "lacks an action"),
        ("8.0\n.target sm_90", "mbarrier.arrive.relaxed.cta.shared.b64 %rd, [o];", "not simulated"),
    ] {
        let found = problem(target, inst);
        assert!(found.contains(expected) && (found.is_empty() || !expected.is_empty()), "{inst}: {found}");
    }
}
