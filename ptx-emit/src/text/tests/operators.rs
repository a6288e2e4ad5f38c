//! Operators on every type, and the sequences where PTX differs from the IR.

use super::*;

const LOCALS: &str = "  locals v2: i1\n  locals v3: i8\n  locals v4: i16\n  locals v5: i32\n  locals v6: i64\n  \
                      locals v7: f32\n  locals v8: f64\n  locals v9: ptr\n  locals v10: i1\n";

fn body(ops: &str) -> String {
    let loads = "  v3 = load [v0.p]\n  v4 = load [v0.p]\n  v5 = load [v0.p]\n  v6 = load [v0.p]\n  \
                 v7 = load [v0.p]\n  v8 = load [v0.p]\n  v2 = cmp.eq v5, 1i32\n  v9 = copy v0.p\n";
    let stores = "  store.i8 [v0.p], v3\n  store.i16 [v0.p], v4\n  store.i32 [v0.p], v5\n  \
                  store.i64 [v0.p], v6\n  store.f32 [v0.p], v7\n  store.f64 [v0.p], v8\n  \
                  store.ptr [v0.p], v9\n  branch v2, bb1, bb2\nbb1:\n  store.i8 [v0.p], 1i8\n  jump bb2\n\
                  bb2:\n  return\n";
    with_header(&region("0, 0, 0, 1, 32", LOCALS, &format!("bb0:\n{loads}{ops}{stores}")))
}

/// The operators and their types, as the IR's verifier lists them.
#[test]
fn every_operator_on_every_type_assembles() {
    let ints = [("v3", "i8"), ("v4", "i16"), ("v5", "i32"), ("v6", "i64")];
    let floats = [("v7", "f32"), ("v8", "f64")];
    let mut ops = String::new();
    let mut op = |line: String| ops.push_str(&format!("  {line}\n"));
    for (v, ty) in ints {
        for unary in ["neg", "not", "clz", "ctz", "popcnt", "bswap"] {
            op(format!("{v} = {unary} {v}"));
        }
        let binary = "add sub mul sdiv udiv srem urem and or xor shl lshr ashr smin smax umin umax";
        for name in binary.split(' ') {
            op(format!("{v} = {name} {v}, {v}"));
            op(format!("{v} = {name} {v}, 3{ty}"));
            op(format!("{v} = {name} 100{ty}, {v}"));
        }
        op(format!("{v} = shl {v}, v6"));
        op(format!("{v} = ashr {v}, v3"));
        for name in "eq ne lt le gt ge ult ule ugt uge".split(' ') {
            op(format!("v2 = cmp.{name} {v}, {v}"));
            op(format!("v2 = cmp.{name} 1{ty}, {v}"));
        }
        op(format!("{v} = select v2, {v}, 7{ty}"));
        op(format!("{v} = convert.zext v2").replace("v3 = convert.zext", "v3 = convert.zext"));
        for (f, _) in floats {
            for name in ["stof", "utof"] {
                op(format!("{f} = convert.{name} {v}"));
            }
            for name in ["ftos", "ftou"] {
                op(format!("{v} = convert.{name} {f}"));
            }
        }
    }
    for (index, (narrow, _)) in ints.iter().enumerate() {
        for (wide, _) in &ints[index + 1..] {
            op(format!("{wide} = convert.sext {narrow}"));
            op(format!("{wide} = convert.zext {narrow}"));
            op(format!("{narrow} = convert.trunc {wide}"));
        }
    }
    for (v, ty) in floats {
        for unary in ["neg", "fabs", "sqrt", "floor", "ceil", "trunc", "nearest"] {
            op(format!("{v} = {unary} {v}"));
        }
        for binary in ["add", "sub", "mul", "fdiv", "fmin", "fmax", "copysign"] {
            op(format!("{v} = {binary} {v}, {v}"));
            op(format!("{v} = {binary} {v}, 1.5{ty}"));
            op(format!("{v} = {binary} 1.5{ty}, {v}"));
        }
        for name in "eq ne lt le gt ge unordered".split(' ') {
            op(format!("v2 = cmp.{name} {v}, {v}"));
            op(format!("v2 = cmp.{name} {v}, 0.0{ty}"));
        }
        op(format!("{v} = select v2, {v}, 7.0{ty}"));
    }
    for line in [
        "v7 = convert.ftof v8",
        "v8 = convert.ftof v7",
        "v6 = convert.bits v8",
        "v8 = convert.bits v6",
        "v5 = convert.bits v7",
        "v7 = convert.bits v5",
        "v6 = convert.bits v9",
        "v9 = convert.bits v6",
        "v2 = cmp.eq v9, null",
        "v2 = cmp.ult v9, v0.p",
        "v9 = select v2, v9, null",
        "v10 = and v2, true",
        "v2 = or v2, v10",
        "v2 = xor v2, false",
        "v2 = not v2",
        "v2 = cmp.eq v2, v10",
        "v2 = cmp.ne v2, true",
        "v2 = select v10, v2, false",
        "v10 = copy v2",
        "v2 = select v10, true, v2",
        "v9 = index v9 + v6 * 12 + 16",
        "v9 = index v9 + 3i64 * 8",
        "v9 = index v9 + v6 * 1 - 9223372036854775808",
        "v9 = copy 16ptr",
    ] {
        op(line.to_owned());
    }
    let text = emit(&body(&ops));
    assert!(text.contains("div.rn.f64") && text.contains("add.rn.f32"), "{text}");
}

#[test]
fn narrow_integers_stay_zero_extended() {
    let text = emit(&body("  v3 = add v3, -56i8\n  v3 = sdiv v3, -2i8\n  v2 = cmp.lt v3, -1i8\n"));
    has_lines(&text, "add.s32 %r4, %r1, 200;\nand.b32 %r1, %r4, 255;");
    has_lines(&text, "cvt.s32.s8 %r5, %r1;\ndiv.s32 %r6, %r5, -2;\nand.b32 %r1, %r6, 255;");
    has_lines(&text, "cvt.s32.s8 %r7, %r1;\nsetp.lt.s32 %p1, %r7, -1;");
}

#[test]
fn float_to_integer_gives_what_the_host_gives_out_of_range() {
    let text = emit(&body("  v5 = convert.ftos v8\n"));
    has_lines(
        &text,
        "cvt.rzi.s32.f64 %r4, %fd1;\nsetp.lt.f64 %p2, %fd1, 0d41E0000000000000;\n\
         selp.b32 %r3, %r4, -2147483648, %p2;",
    );
}

#[test]
fn shifts_use_the_amount_modulo_the_width() {
    let text = emit(&body("  v4 = shl v4, v5\n  v5 = lshr v5, 33i32\n"));
    has_lines(&text, "and.b32 %r4, %r3, 15;\nshl.b32 %r5, %r2, %r4;\nand.b32 %r2, %r5, 65535;");
    has_lines(&text, "shr.u32 %r3, %r3, 1;");
}

#[test]
fn a_product_and_its_sum_are_one_instruction_that_flushes_where_the_rest_does() {
    let ir = body("  v7 = fma v7, v7, 1.0f32\n  v8 = fma v8, 2.0f64, v8\n");
    let text = emit(&ir);
    assert!(text.contains("fma.rn.f32 ") && text.contains("fma.rn.f64 "), "{text}");
    let fast = written(&ir, &Options { fast_math: true, ..options(sm(90)) }).expect("it is emitted").text;
    assert!(fast.contains("fma.rn.ftz.f32 ") && fast.contains("fma.rn.f64 "), "{fast}");
}

#[test]
fn code_of_the_library_computes_as_it_is_written() {
    let ops = |product: &str, sum: &str| {
        let ir = body(&format!(
            "  v11 = mul v7, v7 @{product}\n  v7 = add v11, v7 @{sum}\n  v7 = fdiv v7, v7 @{sum}\n"
        ))
        .replace("locals v10: i1\n", "locals v10: i1\n  locals v11: f32\n")
        .replacen("signature", "file file1 \"<device>/a.c\"\nsignature", 1);
        let options = Options { fast_math: true, ..options(sm(90)) };
        written(&ir, &options).expect("it is emitted").text
    };
    let (user, library) = ("file0:9:1", "file1:9:1");
    let text = ops(user, user);
    assert!(text.contains("mul.rn.ftz.f32") && text.contains("div.approx.ftz.f32"), "{text}");
    for (product, sum, product_line) in
        [(library, library, "mul.rn.f32"), (user, library, "mul.rn.ftz.f32"), (library, user, "mul.rn.f32")]
    {
        let text = ops(product, sum);
        assert!(text.contains(product_line), "{text}");
        assert_eq!(text.contains("div.approx.ftz.f32"), sum == user, "{text}");
    }
}

#[test]
fn fast_math_flushes_and_approximates_single_precision_only() {
    let ir = body("  v7 = fdiv v7, v7\n  v7 = sqrt v7\n  v8 = fdiv v8, v8\n  v8 = sqrt v8\n");
    let options = Options { fast_math: true, ..options(sm(90)) };
    let text = written(&ir, &options).expect("it is emitted").text;
    assemble(&text, sm(90));
    for line in ["div.approx.ftz.f32", "sqrt.approx.ftz.f32", "div.rn.f64", "sqrt.rn.f64"] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn extended_numbers_are_multiplied_at_once() {
    let text = |ops: &str| {
        let ir = body(ops).replace(
            "locals v10: i1\n",
            "locals v10: i1\n  locals v11, v12: i32\n  locals v13, v14, v15: i64\n",
        );
        emit(&ir)
    };
    let extend =
        "  v11 = dim_pos gang\n  v12 = dim_pos worker\n  v13 = convert.sext v11\n  v14 = convert.sext v12\n";
    let is_at_once = |ops: &str| text(&format!("{extend}{ops}")).contains("mul.wide.s32");
    assert!(is_at_once("  v15 = mul v13, v14\n") && is_at_once("  v15 = mul v13, -1000i64\n"));
    // What was extended has changed since; the number needs more bits.
    assert!(is_at_once("  v12 = dim_pos vector\n  v14 = convert.sext v12\n  v15 = mul v13, v14\n"));
    assert!(!is_at_once("  v12 = dim_pos vector\n  v15 = mul v13, v14\n"));
    assert!(!is_at_once("  v14 = add v14, 1i64\n  v15 = mul v13, v14\n"));
    assert!(!is_at_once("  v15 = mul v13, 2147483648i64\n"));
}
