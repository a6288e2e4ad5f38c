//! What is left of conversions between signed and unsigned numbers.

use super::take_out;
use crate::entities::Func;
use crate::text::{PrintOptions, parse, print_function};

/// The first block of a function of an `i32` `v0` once the pass has run: `insts`, and `rest` behind them.
fn after(insts: &str, rest: &str) -> Vec<String> {
    let text = format!(
        "signature sig0 (i32) -> i64\nfunction fn0.f sig0 external {{\n  params v0\n  locals v0, v1, v2, v3: i32\n  \
         locals v4: i64\nbb0:\n{insts}\n{rest}\n}}\n"
    );
    let mut module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let func = Func::from_u32(0);
    take_out(module.functions[func].body.as_mut().expect("a body"));
    let text = print_function(&module, func, PrintOptions::default());
    let lines = text.lines().skip_while(|line| *line != "bb0:").skip(1);
    lines
        .take_while(|line| !line.starts_with("bb") && *line != "}")
        .map(|line| line.trim().to_owned())
        .collect()
}

#[test]
fn operands_stand_for_results() {
    let found = after(
        "v1 = convert.bits v0\nv2 = add v1, 1i32\nv3 = convert.bits v2\nv4 = convert.sext v3",
        "return v4",
    );
    assert_eq!(found, ["v2 = add v0, 1i32", "v4 = convert.sext v2", "return v4"]);
    let found = after("v1 = convert.bits v0\nv2 = convert.bits v1\nv4 = convert.zext v2", "return v4");
    assert_eq!(found, ["v4 = convert.zext v0", "return v4"], "one after the other");
}

#[test]
fn values_from_before_an_assignment_are_kept() {
    let found = after("v1 = convert.bits v0\nv0 = add v0, 1i32\nv4 = convert.sext v1", "return v4");
    assert_eq!(found, ["v1 = copy v0", "v0 = add v0, 1i32", "v4 = convert.sext v1", "return v4"]);
    let found = after("v1 = convert.bits v0\nv1 = add v1, 1i32\nv4 = convert.sext v1", "return v4");
    assert_eq!(found, ["v1 = copy v0", "v1 = add v0, 1i32", "v4 = convert.sext v1", "return v4"]);
    let found = after("v0 = convert.bits v0\nv4 = convert.sext v0", "return v4");
    assert_eq!(found, ["v0 = copy v0", "v4 = convert.sext v0", "return v4"]);
}

#[test]
fn other_blocks_read_a_copy() {
    let found =
        after("v1 = convert.bits v0\nv2 = add v1, v1\njump bb1", "bb1:\nv4 = convert.sext v1\nreturn v4");
    assert_eq!(found, ["v1 = copy v0", "v2 = add v0, v0", "jump bb1"]);
}
