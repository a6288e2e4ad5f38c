use super::*;
use accrue_ir::text::{parse, print};

const SMALL: usize = POLICY.small;
const WANTED: usize = POLICY.wanted;
const ONLY: usize = POLICY.only;
const GROWTH: usize = POLICY.growth;

/// A region that calls; `before` declares, `calls` is the code of its only block, `after` further functions.
fn program(locals: &str, calls: &str, after: &str) -> String {
    format!(
        "file file0 \"a.c\"\naggregate agg0 size 8 align 4 leaves (0 i32, 4 f32)\nsignature sig0 (ptr, i32)\n\
         signature sig1 (i32) -> i32\nsignature sig2 (agg0) -> agg0\nsignature sig3 (i64) -> i64\nsignature sig4 ()\n\
         function fn0.r sig0 internal\n  region parallel of \"main\" dims(0, 1, 1, 1, 32) {{\n    \
         param \"a\" pointer deviceptr bytes 0\n    param \"n\" value i32 bytes 4\n  }} {{\n  params v0.a, v1.n\n  \
         locals v0.a: ptr\n  locals v1.n: i32\n  {locals}\nbb0:\n  {calls}\n}}\n{after}"
    )
}

fn inlined(text: &str) -> String {
    let mut module = parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    accrue_ir::verify::verify(&module, "parse").unwrap_or_else(|errors| panic!("{errors}"));
    let reached = reach(&module).unwrap_or_else(|error| panic!("{error}"));
    run(&mut module, reached).unwrap_or_else(|error| panic!("{error}"));
    accrue_ir::verify::verify(&module, "inline").unwrap_or_else(|errors| panic!("{errors}"));
    print(&module)
}

/// The region after a run.
fn region(text: &str) -> String {
    let text = inlined(text);
    let start = text.find("function fn0").unwrap_or_else(|| panic!("no region:\n{text}"));
    let end = text[start..].find("\n}\n").map_or(text.len(), |end| start + end);
    text[start..end].to_owned()
}

const TWICE: &str = "function fn1.twice sig1 internal { params v0.x locals v0.x: i32 locals v1: i32\n\
    bb0: v1 = add v0.x, v0.x return v1 }\n";

const TWO_CALLS: &str = "v2 = call fn1.twice(v1.n) sig1 v3 = call fn1.twice(7i32) sig1 v2 = add v2, v3 store.i32 [v0.a], v2 return";

#[test]
fn arguments_stand_where_parameters_were() {
    let text = region(&program("locals v2, v3: i32", TWO_CALLS, TWICE));
    assert!(!text.contains("call"), "{text}");
    assert!(
        text.contains("= add v1.n, v1.n") && text.contains("copy 14i32") | text.contains(", 14i32"),
        "{text}"
    );
}

#[test]
fn a_function_that_nothing_calls_any_more_has_no_body() {
    let text = inlined(&program("locals v2, v3: i32", TWO_CALLS, TWICE));
    assert!(!text.contains("fn1.twice sig1 internal {"), "{text}");
}

#[test]
fn a_parameter_that_is_written_is_a_variable_of_its_own() {
    let counts = "function fn1.count sig1 internal { params v0.x locals v0.x: i32 locals v1: i1\n\
        bb0: jump bb1\nbb1: v0.x = sub v0.x, 1i32 v1 = cmp.gt v0.x, 10i32 branch v1, bb1, bb2\nbb2: return v0.x }\n";
    let calls = "v2 = call fn1.count(v1.n) sig1 v2 = add v2, v1.n store.i32 [v0.a], v2 return";
    let text = region(&program("locals v2: i32", calls, counts));
    assert!(!text.contains("call") && !text.contains("v1.n = "), "{text}");
}

#[test]
fn loops_that_came_with_a_function_and_are_as_long_as_an_argument_says_are_written_out() {
    let sums = |most: &str| {
        format!(
            "function fn1.sum sig1 internal {{ params v0.n locals v0.n, v1.i, v2, v3: i32 locals v4: i1\n\
             locals v5: ptr slot s0.own size 16 align 4\n\
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n\
             bb0: mem_set [s0.own], 0i8, 16i64 align 4 v1.i = copy 0i32 jump bb1\n\
             bb1 loop0: v4 = cmp.lt v1.i, {most} branch v4, bb2, bb3\n\
             bb2 loop0: v5 = index s0.own + v1.i * 4 below 4 v2 = load [v5] v2 = add v2, v1.i \
             store.i32 [v5], v2 v1.i = add v1.i, 1i32 jump bb1\n\
             bb3: v3 = load [s0.own + 8] return v3 }}\n"
        )
    };
    let call = |argument: &str| format!("v2 = call fn1.sum({argument}) sig1 store.i32 [v0.a], v2 return");
    let text = |argument: &str, most: &str| region(&program("locals v2: i32", &call(argument), &sums(most)));
    // By the argument, or by itself.
    for (argument, most) in [("4i32", "v0.n"), ("v1.n", "4i32")] {
        let text = text(argument, most);
        assert!(!text.contains("loop") && !text.contains("slot") && !text.contains("call"), "{text}");
    }
    let text = text("v1.n", "v0.n");
    assert!(text.contains("loop") && text.contains("slot"), "{text}");
}

#[test]
fn a_function_that_is_an_operation_of_the_device_becomes_one() {
    let calls = "v2 = load [v0.a] v3 = call fn1.fmaf(v2, v2, 1.0f32) sig5 store.f32 [v0.a], v3 return";
    let text = |after: &str| {
        let text = program("locals v2, v3: f32", calls, after);
        region(
            &text
                .replace("signature sig4 ()\n", "signature sig4 ()\nsignature sig5 (f32, f32, f32) -> f32\n"),
        )
    };
    let made = text("function fn1.fmaf sig5 external\n");
    assert!(made.contains("v3 = fma v2, v2, 1.0f32") && !made.contains("call"), "{made}");
    let own = text(
        "function fn1.fmaf sig5 internal { params v0, v1, v2 locals v0, v1, v2, v3: f32\n\
         bb0: v3 = sub v0, v1 return v3 }\n",
    );
    assert!(!own.contains("fma v2"), "{own}");
}

#[test]
fn recursion_stays_a_call() {
    let own = "function fn1.f sig1 internal { params v0.x locals v0.x: i32 locals v1: i32\n\
        bb0: v1 = call fn1.f(v0.x) sig1 return v1 }\n";
    let text = inlined(&program("locals v2, v3: i32", TWO_CALLS.replace("twice", "f").as_str(), own));
    assert_eq!(text.matches("call fn1.f").count(), 3, "{text}");
    // Of a circle of two, one is put into the other.
    let circle = "function fn1.f sig1 internal { params v0.x locals v0.x: i32 locals v1: i32\n\
        bb0: v1 = call fn2.g(v0.x) sig1 return v1 }\n\
        function fn2.g sig1 internal { params v0.x locals v0.x: i32 locals v1: i32\n\
        bb0: v1 = call fn1.f(v0.x) sig1 return v1 }\n";
    let text = inlined(&program("locals v2, v3: i32", TWO_CALLS.replace("twice", "f").as_str(), circle));
    assert_eq!(text.matches("call fn1.f").count(), 3, "{text}");
    assert!(!text.contains("call fn2.g"), "{text}");
}

#[test]
fn what_asks_for_it_stays_a_call() {
    for (old, new) in [
        ("sig1 internal {", "sig1 internal noinline {"),
        ("sig1 internal {", "sig1 internal noreturn {"),
        ("sig1 internal {", "sig1 internal routine(vector) {"),
        ("v1 = add", "v1 = stack_alloc"),
    ] {
        let callee = match new {
            "v1 = stack_alloc" => TWICE
                .replace("locals v1: i32", "locals v1: i32 locals v2: ptr")
                .replace("bb0:", "bb0: v2 = stack_alloc 8i64 align 8"),
            new => TWICE.replace(old, new),
        };
        let text = region(&program("locals v2, v3: i32", TWO_CALLS, &callee));
        assert_eq!(text.matches("call fn1.twice").count(), 2, "{new}:\n{text}");
    }
}

#[test]
fn size_decides_and_a_function_with_one_call_may_be_long() {
    let long =
        |count: usize| TWICE.replace("bb0:", &format!("bb0: {}", "store.i32 [0ptr], v0.x ".repeat(count)));
    let once = "v2 = call fn1.twice(v1.n) sig1 store.i32 [v0.a], v2 return";
    let calls = |calls: &str, callee: &str| {
        region(&program("locals v2, v3: i32", calls, callee)).matches("call fn1.twice").count()
    };
    assert_eq!(calls(TWO_CALLS, &long(SMALL - 5)), 0);
    assert_eq!(calls(TWO_CALLS, &long(SMALL)), 2);
    assert_eq!(calls(TWO_CALLS, &long(SMALL).replace("internal {", "internal inline_hint {")), 0);
    assert_eq!(calls(TWO_CALLS, &long(WANTED).replace("internal {", "internal inline_hint {")), 2);
    assert_eq!(calls(once, &long(SMALL)), 0);
    assert_eq!(calls(once, &long(ONLY - 5)), 0);
    assert_eq!(calls(once, &long(ONLY)), 1);
}

#[test]
fn a_caller_grows_to_a_limit() {
    let callee = TWICE.replace("bb0:", &format!("bb0: {}", "store.i32 [0ptr], v0.x ".repeat(SMALL - 10)));
    let calls = "v2 = call fn1.twice(v1.n) sig1 ".repeat(2 * GROWTH / (SMALL - 10)) + "return";
    let text = region(&program("locals v2: i32", &calls, &callee));
    let stores = text.matches("store.i32").count();
    assert!(text.contains("call fn1.twice") && stores <= GROWTH && stores > GROWTH / 2, "{stores}");
}

#[test]
fn objects_by_value_are_copies_in_locals() {
    let callee = "function fn1.f sig2 internal { params v0.p locals v0.p: ptr locals v1, v2: i32\n\
        bb0: v1 = load [v0.p] v2 = add v1, 1i32 store.i32 [v0.p], v2 return v0.p }\n";
    let calls = "store.i32 [s0], v1.n store.f32 [s0 + 4], 1.0f32 call fn1.f(s0) sig2 to s1 \
        v2 = load [s0] v3 = load [s1] store.i32 [v0.a], v2 store.i32 [v0.a + 4], v3 return";
    let text =
        region(&program("locals v2, v3: i32 slot s0 size 8 align 4 slot s1 size 8 align 4", calls, callee));
    assert!(!text.contains("call") && !text.contains("slot"), "{text}");
    assert!(text.contains("store.i32 [v0.a], v1.n") && text.contains("= add v1.n, 1i32"), "{text}");
}

#[test]
fn a_call_in_a_loop_brings_its_loops_and_the_latch_moves() {
    let callee = "function fn1.f sig3 internal { params v0.n locals v0.n: i64 locals v1.i: i64 locals v2: i1\n\
        loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 for v1.i = 0i64, lt v0.n, step 1i64\n\
        bb0: v1.i = copy 0i64 jump bb1\nbb1 loop0: v2 = cmp.lt v1.i, v0.n branch v2, bb2, bb3\n\
        bb2 loop0: v1.i = add v1.i, 1i64 jump bb1\nbb3: return v1.i }\n";
    let locals = "locals v2.i: i64 locals v3: i1 locals v4: i64\n  \
        loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 for v2.i = 0i64, lt 9i64, step 1i64";
    let calls = "v2.i = copy 0i64 jump bb1\nbb1 loop0: v3 = cmp.lt v2.i, 9i64 branch v3, bb2, bb3\n\
        bb2 loop0: v4 = call fn1.f(v2.i) sig3 store.i64 [v0.a], v4 v2.i = add v2.i, 1i64 jump bb1\nbb3: return";
    let text = region(&program(locals, calls, callee));
    assert!(!text.contains("call") && text.contains("loop loop1 in loop0"), "{text}");
}

#[test]
fn what_does_not_fit_stays_a_call() {
    let calls = "v2 = call fn1.twice(1.0f32) sig5 v3 = call fn1.twice() sig4b return";
    let text = program("locals v2, v3: i32", calls, TWICE)
        .replace(
            "signature sig4 ()",
            "signature sig4 ()\nsignature sig5 (...) -> i32\nsignature sig6 (...) -> i32",
        )
        .replace("sig4b", "sig6");
    let text = region(&text);
    assert_eq!(text.matches("call fn1.twice").count(), 2, "{text}");
}

#[test]
fn integers_without_a_prototype_are_cut_and_extended() {
    let calls = "v2 = call fn1.twice(v3) sig5 store.i64 [v0.a], v2 return";
    let text = program("locals v2: i64 locals v3: i64", calls, TWICE)
        .replace("signature sig4 ()", "signature sig4 ()\nsignature sig5 (...) -> i64");
    let text = region(&text);
    assert!(text.contains("convert.trunc") && text.contains("convert.zext"), "{text}");
}

#[test]
fn small_copies_are_loads_and_stores() {
    let text = region(&program("", "mem_copy [v0.a + 16], [v0.a], 14i64 align 4\n  return", ""));
    assert_eq!([text.matches("= load").count(), text.matches("store.i32").count()], [4, 3], "{text}");
    assert!(text.contains("store.i16 [v0.a + 28]") && !text.contains("mem_copy"), "{text}");
    let text = region(&program("", "mem_copy [v0.a + 128], [v0.a], 65i64 align 4\n  return", ""));
    assert!(text.contains("mem_copy"), "{text}");
}
