//! The text form reads back: on a sample of everything, on random modules, and on text that is none.

use super::{ParseError, PrintOptions, parse, print, print_function, print_with};
use crate::module::Module;
use crate::op::*;
use crate::verify::verify;
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
    let printed = print(&sample());
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
