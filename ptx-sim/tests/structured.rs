//! Lanes that meet only where the program's structure makes them.

mod common;

use accrue_ptx_sim::{Checks, Config, Kind, Report};
use common::{Bench, kernel};

fn bench(body: &str, structured: bool, threads: u32) -> Bench {
    let config = Config { checks: Checks { structured, ..Checks::default() }, ..Config::default() };
    let mut bench = Bench::with(&kernel(body), config).shape(2, threads);
    bench.words("out", &[0; 64]);
    bench
}

/// Both modes take it, with any schedule.
fn is_fine(body: &str) {
    for structured in [false, true] {
        bench(body, structured, 64).run();
        for seed in 0..4 {
            bench(body, structured, 64).seeded(seed).run();
        }
    }
}

/// Independent threads do it; the structure of the program does not.
fn is_chance(body: &str, kind: Kind) -> Report {
    bench(body, false, 64).run();
    (0..4).for_each(|seed| _ = bench(body, true, 64).seeded(seed).fails(kind));
    bench(body, true, 64).fails(kind)
}

const LANE: &str = "mov.u32 %r1, %tid.x;\nand.b32 %r1, %r1, 31;\nsetp.eq.u32 %p1, %r1, 0;\n";

#[test]
fn lanes_meet_behind_what_parted_them() {
    // A condition, an alternative, and both in one another.
    is_fine(&format!(
        "{LANE}@%p1 bra $then;\nbra $end;\n$then:\nmov.u32 %r2, 1;\n$end:\nbar.warp.sync -1;\nbar.sync 0;"
    ));
    is_fine(&format!(
        "{LANE}@%p1 bra $then;\nsetp.gt.u32 %p2, %r1, 5;\n@%p2 bra $inner;\nmov.u32 %r2, 3;\n$inner:\nbra $end;\n$then:\n\
         mov.u32 %r2, 1;\n$end:\nshfl.sync.idx.b32 %r3, %r1, 0, 31, -1;\nbarrier.sync 0;"
    ));
    // As many iterations as the lane has predecessors, another way out, and a barrier in an outer loop of
    // all.
    is_fine(&format!(
        "{LANE}mov.u32 %r5, 0;\n$outer:\nmov.u32 %r2, 0;\n$loop:\nadd.u32 %r2, %r2, 1;\nsetp.eq.u32 %p2, %r2, 9;\n@%p2 bra $out;\n\
         setp.lt.u32 %p3, %r2, %r1;\n@%p3 bra $loop;\n$out:\nbar.sync 0;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p4, %r5, 3;\n\
         @%p4 bra $outer;"
    ));
    // Predicated instructions; lanes that end; a table.
    is_fine(&format!("{LANE}@%p1 add.u32 %r2, %r1, 1;\nbar.sync 0;"));
    is_fine(
        "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 40;\n@%p1 exit;\nsetp.gt.u32 %p2, %r1, 3;\n@%p2 bra $end;\n\
             mov.u32 %r2, 0;\n$end:\nbar.warp.sync -1;",
    );
    is_fine(&format!(
        "{LANE}and.b32 %r2, %r1, 1;\n$t: .branchtargets $a, $b;\nbrx.idx %r2, $t;\n$a:\nmov.u32 %r3, 1;\nbra $c;\n$b:\nmov.u32 %r3, 2;\n\
         $c:\nbar.sync 0;"
    ));
}

#[test]
fn lanes_that_return_one_by_one_meet_behind_the_call() {
    let call = "call.uni f, (a);";
    let text = |before: &str| {
        let body =
            format!("{LANE}{{ .param .b32 a;\nst.param.b32 [a], %r1;\n{before}{call}\n}}\nbar.sync 0;");
        let function = ".func f(.param .b32 n)\n{\n.reg .pred %p<2>; .reg .b32 %r<3>;\nld.param.u32 %r1, [n];\n$again:\n\
                        setp.gt.u32 %p1, %r1, 20;\n@%p1 ret;\nadd.u32 %r1, %r1, 3;\nbra $again;\n}\n";
        kernel(&body).replace(".visible .entry", &format!("{function}.visible .entry"))
    };
    for before in ["", "@%p1 "] {
        for structured in [false, true] {
            let config = Config { checks: Checks { structured, ..Checks::default() }, ..Config::default() };
            let mut bench = Bench::with(&text(before), config).shape(2, 64);
            bench.words("out", &[0; 64]);
            bench.run();
        }
    }
}

#[test]
fn a_barrier_that_lanes_reach_on_different_ways() {
    // One lane works in a loop, the others wait at the barrier inside of it, each round.
    let inside = format!(
        "{LANE}mov.u32 %r5, 0;\n$round:\n@!%p1 bra $meet;\nadd.u32 %r6, %r5, 7; // leader\nsetp.gt.u32 %p3, %r6, 100;\n@%p3 bra $skip;\n\
         $meet:\nbarrier.sync 0; // barrier\n$skip:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, 3;\n@%p2 bra $round;"
    );
    let report = is_chance(&inside, Kind::DivergentBarrier);
    let line = |what: &str| {
        kernel(&inside).lines().position(|line| line.contains(what)).map_or(0, |at| at as u32 + 1)
    };
    assert_eq!(report.at.clone().expect("a place").ptx_line, line("// barrier"));
    let parted = format!("they parted at PTX line {}", line("bra $meet"));
    assert!(report.notes.contains(&parted), "{report}");
    assert!(report.message.starts_with("executed by lane"), "{report}");
    assert!(
        report.message.ends_with("which a branch has parted from them: its ways have not joined yet"),
        "{report}"
    );
    // The same with a barrier of the warp before it, or a shuffle: these are no structure, either.
    is_chance(&inside.replace("$meet:\n", "$meet:\nbar.warp.sync -1;\n"), Kind::DivergentLanes);
    is_chance(
        &inside.replace("barrier.sync 0;", "shfl.sync.idx.b32 %r7, %r1, 0, 31, -1;"),
        Kind::DivergentLanes,
    );
    // A barrier with a condition of its own.
    let report =
        is_chance(&format!("{LANE}@%p1 barrier.sync 0;\n@!%p1 barrier.sync 0;"), Kind::DivergentBarrier);
    assert!(report.message.ends_with("which skip it: its condition holds for some lanes only"), "{report}");
    // Two barriers of the same number.
    let two = format!(
        "{LANE}@%p1 bra $one;\nbarrier.sync 0;\nbra $end;\n$one:\nbarrier.sync 0;\n$end:\nmov.u32 %r2, 1;"
    );
    is_chance(&two, Kind::DivergentBarrier);
}

#[test]
fn lanes_that_wait_for_lanes_of_their_warp() {
    // A lane waits for what another one does behind the place where they meet.
    let flag = format!(
        "{LANE}@%p1 bra $set;\n$spin:\nld.relaxed.gpu.global.u32 %r2, [%rd0];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra $spin;\n$set:\n\
         @%p1 st.relaxed.gpu.global.u32 [%rd0], 1;"
    );
    let report = is_chance(&flag, Kind::Livelock);
    assert!(report.notes.iter().any(|note| note.contains("need independent progress")), "{report}");
}
