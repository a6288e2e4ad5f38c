//! The text form reads back: on a sample of everything, on random modules, and on text that is none.

use super::random;
use super::{ParseError, PrintOptions, parse, parse_dump, print, print_dump, print_function, print_with};
use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::Liveness;
use crate::module::Module;
use crate::op::Op;
use crate::verify::verify;
use proptest::prelude::{ProptestConfig, Strategy, prop_assert, prop_assert_eq, proptest};
use std::collections::BTreeSet;

const SAMPLE: &str = include_str!("sample.ir");

fn sample() -> Module {
    parse(SAMPLE).unwrap_or_else(|error| panic!("sample.ir:{error}"))
}

/// The error, where one is expected.
fn error(text: &str) -> ParseError {
    match parse(text) {
        Ok(_) => panic!("this is accepted:\n{text}"),
        Err(error) => error,
    }
}

#[test]
fn the_sample_prints_as_it_is_written() {
    let (module, origin) = parse_dump(SAMPLE).unwrap_or_else(|error| panic!("sample.ir:{error}"));
    let printed = print_dump(&module, &origin.expect("the sample says where it comes from"));
    for (i, (found, wanted)) in printed.lines().zip(SAMPLE.lines()).enumerate() {
        assert_eq!(found, wanted, "line {}", i + 1);
    }
    assert_eq!(printed.lines().count(), SAMPLE.lines().count());
}

#[test]
fn the_sample_is_correct() {
    verify(&sample(), "sample").unwrap_or_else(|errors| panic!("{errors}"));
}

// A new operation must be added here, and then to the sample.
macro_rules! operations {
    ($($pattern:pat => $name:literal,)*) => {
        const OPERATIONS: &[&str] = &[$($name),*];

        fn operation_name(op: &Op) -> &'static str {
            match op {
                $($pattern => $name,)*
            }
        }
    };
}

operations! {
    Op::Copy { .. } => "copy",
    Op::Unary { .. } => "unary",
    Op::Binary { .. } => "binary",
    Op::Compare { .. } => "compare",
    Op::Convert { .. } => "convert",
    Op::Select { .. } => "select",
    Op::Fma { .. } => "fma",
    Op::Index { .. } => "index",
    Op::Load { .. } => "load",
    Op::Store { .. } => "store",
    Op::MemCopy { .. } => "mem_copy",
    Op::MemSet { .. } => "mem_set",
    Op::Call { .. } => "call",
    Op::StackAlloc { .. } => "stack_alloc",
    Op::StackSave { .. } => "stack_save",
    Op::StackRestore { .. } => "stack_restore",
    Op::VaStart { .. } => "va_start",
    Op::VaArg { .. } => "va_arg",
    Op::VaArgAggregate { .. } => "va_arg_aggregate",
    Op::VaCopy { .. } => "va_copy",
    Op::AtomicRmw { .. } => "atomic_rmw",
    Op::AtomicSwap { .. } => "atomic_swap",
    Op::AtomicCas { .. } => "atomic_cas",
    Op::AtomicLoad { .. } => "atomic_load",
    Op::AtomicStore { .. } => "atomic_store",
    Op::Fence => "fence",
    Op::Trap => "trap",
    Op::FrameAddress { .. } => "frame_address",
    Op::ExtractLane { .. } => "extract_lane",
    Op::InsertLane { .. } => "insert_lane",
    Op::Widen { .. } => "widen",
    Op::Narrow { .. } => "narrow",
    Op::Launch(_) => "launch",
    Op::Data(_) => "data",
    Op::HeadMark { .. } => "head_mark",
    Op::TailMark { .. } => "tail_mark",
    Op::Fork { .. } => "fork",
    Op::Join { .. } => "join",
    Op::Reduction(_) => "reduction",
    Op::Lock { .. } => "lock",
    Op::Unlock { .. } => "unlock",
    Op::DimSize { .. } => "dim_size",
    Op::DimPos { .. } => "dim_pos",
    Op::OnDevice { .. } => "on_device",
    Op::Barrier { .. } => "barrier",
    Op::Meet { .. } => "meet",
    Op::LastGang { .. } => "last_gang",
    Op::Instance { .. } => "instance",
    Op::LaneReduce { .. } => "lane_reduce",
    Op::Shuffle { .. } => "shuffle",
    Op::LoopShare { .. } => "loop_share",
}

#[test]
fn the_sample_has_every_operation_and_spelling() {
    let module = sample();
    let bodies = module.functions.values().filter_map(|function| function.body.as_deref());
    let insts = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.insts);
    let found: BTreeSet<&str> = insts.map(|inst| operation_name(&inst.op)).collect();
    assert_eq!(found, OPERATIONS.iter().copied().collect());

    let words: BTreeSet<&str> =
        SAMPLE.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let mut missing = super::names::all_words();
    // The default space is not written, and two types are in no operation of their own.
    missing.retain(|word| !words.contains(word));
    assert_eq!(missing, ["i64x2", "f64x2", "generic"], "not in the sample");
}

#[test]
fn random_modules_have_every_operation() {
    let modules: Vec<Module> = (0..100).map(|seed| random::module(seed, 100)).collect();
    let bodies =
        modules.iter().flat_map(|module| module.functions.values()).filter_map(|f| f.body.as_deref());
    let insts = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.insts);
    let found: BTreeSet<&str> = insts.map(|inst| operation_name(&inst.op)).collect();
    let missing: Vec<&str> = OPERATIONS.iter().copied().filter(|name| !found.contains(name)).collect();
    assert_eq!(missing, ["trap"], "a trap would end most programs early");
}

#[test]
fn text_without_positions_reads_back_without_them() {
    let text = print_with(&sample(), PrintOptions { positions: false });
    assert!(!text.contains('@') || text.matches('@').count() == 1, "only the linker name has one");
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print(&module), text);
}

#[test]
fn one_function_stands_alone() {
    let module = sample();
    let text = print_function(&module, crate::Func::from_u32(4), PrintOptions::default());
    assert!(text.starts_with("function fn4.empty sig0 internal @"), "{text}");
    assert!(!text.contains("fn3"));
}

#[test]
fn comments_and_line_breaks_mean_nothing() {
    let compact = "// a\nsignature sig0() // b\nfunction fn0.f sig0 external{bb0:return}// c";
    let module = parse(compact).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print(&module), "signature sig0 ()\n\nfunction fn0.f sig0 external {\nbb0:\n  return\n}\n");
}

#[test]
fn errors_say_where_and_what() {
    let inside = |line: &str| {
        format!(
            "signature sig0 ()\nfunction fn0.f sig0 external {{\n  locals v0.a, v1: i32\nbb0:\n  {line}\n  return\n}}\n"
        )
    };
    for (text, line, column, message) in [
        ("fil file0", 1, 1, "expected `file`, `aggregate`"),
        ("file file1 \"a\"", 1, 6, "expected `file0`, the next id, found `file1`"),
        ("file file0 a", 1, 12, "expected a text in quotes, found `a`"),
        ("file file0 \"a", 1, 12, "expected `\"`"),
        ("global g0 external", 1, 8, "expected a name: `g0.NAME`"),
        ("global g0.x external size -1", 1, 27, "the number -1 is out of range here"),
        (&inside("v2 = copy 1i32"), 5, 3, "there is no `v2`"),
        (&inside("v0.b = copy 1i32"), 5, 3, "the name of `v0` is `a`, not `b`"),
        (&inside("v1.b = copy 1i32"), 5, 3, "`v1` has no name"),
        (&inside("v1 = copy fn9"), 5, 13, "there is no `fn9`"),
        (&inside("v1 = frob v0"), 5, 8, "expected an operation, found `frob`"),
        (&inside("add v0, v1"), 5, 3, "expected `LOCAL =` before `add`"),
        (&inside("v1 = fence"), 5, 8, "`fence` has no result"),
        (&inside("v1 = add v0 v1"), 5, 15, "expected `,`, found `v1`"),
        (&inside("v1 = add v0, 99999999999999999999i32"), 5, 16, "expected an operand"),
        (&inside("jump bb0\nbb0:"), 6, 1, "`bb0` occurs twice"),
        (&inside("jump bb2\nbb2:"), 6, 1, "`bb2` leaves a gap"),
        (
            &inside("jump bb1\nbb1 loop0:").replace("bb0:", "loop loop0 dead\nbb0:"),
            10,
            1,
            "loop0 is declared dead",
        ),
        (&inside("v9 = load [v1]"), 5, 13, "there is no `v9` to load to"),
    ] {
        let error = error(text);
        assert_eq!((error.line, error.column), (line, column), "{error}\n{text}");
        assert!(error.message.starts_with(message), "{error}\n{text}");
    }
}

#[test]
fn rows_do_not_exhaust_the_stack() {
    let deep = "rows(0i64, 0i64, ".repeat(100_000);
    let text = format!(
        "signature sig0 ()\nfunction fn0.f sig0 external {{\nbb0:\n data enter {{ map copy \"a\" start null bytes 0i64 {deep}"
    );
    assert!(error(&text).message.contains("no more than 64 levels of rows"));
}

/// What must hold of any text: reading it gives an error or a module that later stages can look at.
fn survives(text: &str) {
    let Ok(module) = parse(text) else { return };
    let printed = print(&module);
    match parse(&printed) {
        Ok(again) => assert_eq!(print(&again), printed),
        Err(error) => panic!("{error}: printed, but not read:\n{printed}"),
    }
    if verify(&module, "test").is_ok() {
        for body in module.functions.values().filter_map(|function| function.body.as_deref()) {
            Liveness::new(body, &Cfg::new(body));
        }
        let _ = crate::link_units::link(vec![module.clone(), module]);
    }
}

/// A change to a text: where, as a share of its length, what is taken away there, and what is put there.
fn change() -> impl Strategy<Value = (f64, usize, String)> {
    let words = [
        "",
        "v0",
        "v99",
        "bb1",
        "bb7",
        "loop0",
        "s0",
        "g1",
        "fn2",
        "i32",
        "(",
        ")",
        "[",
        "{",
        "}",
        ",",
        ":",
        "=",
        "@",
        "+",
        "*",
        "\"",
        "-1",
        "0",
        "4294967295",
        "99999999999999999999",
        "in",
        "rows(",
        "...",
        "..=",
        "//",
        "\n",
        "é",
        "fn4294967294",
        "red1",
        "gang",
        "1.5f64",
        "f64.0x",
        "\\",
        "none",
        "sig0",
        "agg0",
        "file0",
        "true",
    ];
    (
        0.0..1.0,
        0usize..40,
        proptest::sample::select(words.to_vec()).prop_map(|word: &str| format!(" {word} ")),
    )
}

fn changed(text: &str, changes: &[(f64, usize, String)]) -> String {
    let mut text = text.to_owned();
    for (share, taken, put) in changes {
        let from = text.floor_char_boundary((text.len() as f64 * share) as usize);
        let to = text.ceil_char_boundary((from + taken).min(text.len()));
        text.replace_range(from..to, put);
    }
    text
}

/// Words of a text replaced by others of it that begin alike, so that it often stays readable but no longer
/// means anything.
fn exchanged(text: &str, picks: &[(f64, f64)]) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    for (to, from) in picks {
        let [to, from] = [to, from].map(|share| (words.len() as f64 * share) as usize);
        let alike = |word: &&&str| word.chars().next() == words[to].chars().next();
        if let Some(other) = words[from..].iter().find(alike) {
            words[to] = other;
        }
    }
    words.join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_modules_read_back_equal(seed: u64, size in 0u32..120) {
        let module = random::module(seed, size);
        if let Err(errors) = verify(&module, "random") {
            panic!("{errors}");
        }
        let text = print(&module);
        let again = match parse(&text) {
            Ok(again) => again,
            Err(error) => panic!("{error}\n{text}"),
        };
        prop_assert_eq!(print(&again), &text[..]);
        prop_assert!(again == module, "an equal text, but another module:\n{}", text);
    }

    #[test]
    fn a_changed_sample_never_panics(changes in proptest::collection::vec(change(), 1..6)) {
        survives(&changed(SAMPLE, &changes));
    }

    #[test]
    fn an_exchanged_sample_never_panics(picks in proptest::collection::vec((0.0..1.0, 0.0..1.0), 1..4)) {
        survives(&exchanged(SAMPLE, &picks));
    }

    #[test]
    fn an_exchanged_random_module_never_panics(
        seed: u64, size in 0u32..60, picks in proptest::collection::vec((0.0..1.0, 0.0..1.0), 1..4),
    ) {
        survives(&exchanged(&print(&random::module(seed, size)), &picks));
    }

    #[test]
    fn a_changed_random_module_never_panics(
        seed: u64, size in 0u32..30, changes in proptest::collection::vec(change(), 1..3),
    ) {
        survives(&changed(&print(&random::module(seed, size)), &changes));
    }

    #[test]
    fn noise_never_panics(text in "[ -~\n\"\\\\é]{0,60}") {
        survives(&text);
    }
}
