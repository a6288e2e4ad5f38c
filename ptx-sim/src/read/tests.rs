//! The reader on what compilers write, and on garbage.

use super::*;

const HEAD: &str = ".version 7.8\n.target sm_90\n.address_size 64\n";

fn body(text: &str) -> Vec<Operand<'_>> {
    let module = super::module(text).expect("the text is a module");
    let statements = module.functions.into_iter().next().and_then(|function| function.body);
    let statements = statements.expect("there is a body");
    let instruction = statements.into_iter().find_map(|statement| match statement.kind {
        StatementKind::Instruction(instruction) => Some(instruction.operands),
        _ => None,
    });
    instruction.expect("there is an instruction")
}

#[test]
fn operands_of_all_shapes() {
    let text = format!("{HEAD}.entry k() {{ foo %r1|%p1, {{%r2, 3}}, [a+4], !%p2, -5, b-1, (c, d); }}");
    assert_eq!(
        body(&text),
        [
            Operand::Pair("%r1", "%p1"),
            Operand::Vector(vec![Operand::Name("%r2", 0), Operand::Number(ast::Number::Int(3))]),
            Operand::Address(AddressBase::Name("a"), 4),
            Operand::Not("%p2"),
            Operand::Number(ast::Number::Int(5u64.wrapping_neg())),
            Operand::Name("b", -1),
            Operand::List(vec![Operand::Name("c", 0), Operand::Name("d", 0)]),
        ]
    );
}

#[test]
fn declarations_of_other_compilers() {
    let text = format!(
        "{HEAD}.file 1 \"a.c\", 123, 456\n.extern .func (.param .b32 r) f (.param .align 8 .b8 p[16]);\n\
         .visible .global .align 4 .u32 t[3] = {{1, 0x2, -3}}, u;\n.extern .shared .align 16 .b8 dyn[];\n\
         .global .u64 a = generic(t)+4;\n.weak .func g() {{ .reg.u64 %r22; ret; }}\n\
         .section .debug_info {{ .b8 1 }}\n\
         .entry k(.param .u64 .ptr .global .align 1 q) .maxntid 32, 1, 1 .minnctapersm 1 {{ ret; }}"
    );
    let module = super::module(&text).expect("the text is a module");
    assert_eq!(module.variables.len(), 4);
    assert_eq!(module.variables[0].init.len(), 3);
    assert_eq!(module.variables[2].count, None);
    assert_eq!(module.functions.len(), 3);
    assert_eq!(module.functions[0].params[0].count, Some(16));
    assert_eq!(module.functions[2].max_threads, Some(32));
}

#[test]
fn errors_have_a_place() {
    let error = super::module(&format!("{HEAD}.entry k() {{\n  add.s32 %r1 %r2;\n}}")).expect_err("no comma");
    assert_eq!((error.pos.line, error.pos.column), (5, 15));
    assert!(error.message.contains("`,` is expected"), "{error}");
}

proptest::proptest! {
    #[test]
    fn garbage_is_an_error_and_no_panic(text in "\\PC*") {
        let _ = super::module(&text);
    }

    #[test]
    fn pieces_in_any_order_do_not_panic(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                ".version 7.8", ".target sm_90", ".entry", ".func", "k", "(", ")", "{", "}", "[", "]", ";", ",",
                ".param", ".reg", ".b32", "%r<4>", "add.s32", "%r1", "-", "+", "0f3F800000", "=", ".global", ":",
                "@", "!", "|", ".loc 1 2 3", ".section", "\"t\"", "<", ">", "generic", ".align 4", "1", "(.s64)",
            ]),
            0..40,
        )
    ) {
        let _ = super::module(&pieces.join(" "));
        let _ = super::module(&format!("{HEAD}.entry k() {{ {}", pieces.join(" ")));
    }
}
