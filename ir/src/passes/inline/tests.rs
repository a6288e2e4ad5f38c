use super::*;
use crate::text::{parse, print};

const POLICY: Policy = Policy {
    small: 20,
    wanted: 40,
    objects: 60,
    only: 20,
    growth: 200,
    frame: 16,
    only_frame: 16,
    frames: 24,
    unfolded: 0,
    wide_scalars: true,
    unrolls: true,
    keeps_loops_apart: false,
    threads_jumps: true,
    narrow_indices: false,
    is_library: |_, _| false,
    runs_once: |module, func| &*module.functions[func].name == "main",
};

/// The functions behind the declarations, after the pass.
fn inlined(policy: &Policy, functions: &str) -> String {
    let text = format!(
        "aggregate agg0 size 16 align 8 leaves (0 f64, 8 f64)\nsignature sig0 (i32) -> i32\n\
         signature sig1 (agg0) -> agg0\nsignature sig2 (ptr) -> i32\nsignature sig3 (f80) -> f80\n{functions}"
    );
    let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    crate::verify::verify(&module, "parse").unwrap_or_else(|errors| panic!("{errors}"));
    let functions: Vec<Func> = module.functions.keys().collect();
    let (mut callees, mut targets) = (SecondaryMap::<_, Vec<Func>>::new(), SecondaryMap::new());
    let mut mentions = SecondaryMap::new();
    for (func, function) in &module.functions {
        let Some(body) = &function.body else { continue };
        targets[func] = Some(func);
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            if let Op::Call { callee: Callee::Direct(callee), .. } = inst.op {
                callees[func].push(callee);
                mentions[callee] += 1;
            }
        }
    }
    let calls = Calls { functions: &functions, callees: &callees, targets: &targets, mentions: &mentions };
    run(&mut module, calls, policy);
    crate::verify::verify(&module, "inline").unwrap_or_else(|errors| panic!("{errors}"));
    let text = print(&module);
    text[text.find("function").unwrap_or(0)..].to_owned()
}

const TWICE: &str = "function fn0.twice sig0 internal { params v0.x locals v0.x: i32 locals v1: i32\n\
    bb0: v1 = add v0.x, v0.x return v1 }\n";

#[test]
fn calls_outside_of_loops_of_what_runs_once_stay() {
    let caller = |name: &str| {
        format!(
            "function fn1.{name} sig0 external {{ params v0.n locals v0.n: i32 locals v1, v2: i32 locals v3: i1\n\
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 for v1 = 0i32, lt 9i32, step 1i32\n\
             bb0: v2 = call fn0.twice(v0.n) sig0 v1 = copy 0i32 jump bb1\n\
             bb1 loop0: v3 = cmp.lt v1, 9i32 branch v3, bb2, bb3\n\
             bb2 loop0: v2 = call fn0.twice(v2) sig0 v1 = add v1, 1i32 jump bb1\nbb3: return v2 }}\n"
        )
    };
    assert_eq!(inlined(&POLICY, &(TWICE.to_owned() + &caller("main"))).matches("call").count(), 1);
    assert_eq!(inlined(&POLICY, &(TWICE.to_owned() + &caller("f"))).matches("call").count(), 0);
}

#[test]
fn objects_by_value_are_scalars() {
    let text = inlined(
        &POLICY,
        "function fn0.flip sig1 internal { params v0.p locals v0.p: ptr locals v1, v2: f64 slot s0 size 16 align 8\n\
         bb0: v1 = load [v0.p] v2 = load [v0.p + 8] store.f64 [s0], v2 store.f64 [s0 + 8], v1 return s0 }\n\
         function fn1.f sig2 external { params v0.a locals v0.a: ptr slot s0 size 16 align 8 slot s1 size 16 align 8\n\
         bb0: mem_copy [s0], [v0.a], 16i64 align 8 call fn0.flip(s0) sig1 to s1 call fn0.flip(s1) sig1 to s1\n\
         mem_copy [v0.a + 16], [s1], 16i64 align 8 return 0i32 }\n",
    );
    let caller = &text[text.find("function fn1").expect("the caller")..];
    assert!(!caller.contains("call") && !caller.contains("slot") && !caller.contains("mem_copy"), "{text}");
    assert!(caller.contains("store.f64 [v0.a + 16], v"), "{text}");
}

#[test]
fn an_array_that_only_loops_subscript_is_scalars() {
    // `int v[2]; for (int i = 0; i < 2; i++) v[i] = n;`: nothing is left of the addresses of both iterations.
    let text = inlined(
        &POLICY,
        "function fn0.f sig0 external { params v0.n locals v0.n: i32 locals v1: i32 locals v2: i64 locals v3: ptr \
         locals v4: i32 locals v5: i1 slot s0.v size 8 align 4\n\
         loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n\
         bb0: v1 = copy 0i32 jump bb1\nbb1 loop0: v5 = cmp.lt v1, 2i32 branch v5, bb2, bb3\n\
         bb2 loop0: v2 = convert.sext v1 v3 = index s0.v + v2 * 4 below 2 store.i32 [v3], v0.n v1 = add v1, 1i32 jump bb1\n\
         bb3: v4 = load [s0.v + 4] return v4 }\n",
    );
    assert!(!text.contains("slot") && !text.contains("store"), "{text}");
}

#[test]
fn copies_of_the_library_are_operations() {
    let text = "signature sig0 (ptr, ptr, i64) -> ptr\nsignature sig1 (ptr, i32, i64) -> ptr\n\
        function fn0.memcpy sig0 external\nfunction fn1.memset sig1 external\n\
        function fn2.mine sig0 external link \"memcpy\" { params v0, v1, v2 locals v0, v1: ptr locals v2: i64\nbb0: return v0 }\n\
        function fn3.f sig0 external { params v0, v1, v2 locals v0, v1: ptr locals v2: i64 locals v3: ptr\n\
        bb0: v3 = call fn0.memcpy(v0, v1, 4i64) sig0 v3 = call fn1.memset(v0, 255i32, 8i64) sig1\n\
        v3 = call fn0.memcpy(v0, v1, 9i64) sig0 v3 = call fn0.memcpy(v0, v1, v2) sig0\n\
        v3 = call fn0.memcpy(v0, v1, 0i64) sig0 v3 = call fn2.mine(v0, v1, 4i64) sig0 return v3 }\n";
    let mut module = parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let mut body = module.functions[Func::from_u32(3)].body.take().expect("the caller");
    body.blocks.values_mut().for_each(|block| bytes::make_operations(&module, &mut block.insts, 8));
    module.functions[Func::from_u32(3)].body = Some(body);
    crate::verify::verify(&module, "bytes").unwrap_or_else(|errors| panic!("{errors}"));
    let text = print(&module);
    assert!(text.contains("mem_copy [v0], [v1], 4i64 align 1\n  v3 = copy v0"), "{text}");
    assert!(text.contains("mem_set [v0], -1i8, 8i64 align 1"), "{text}");
    assert_eq!(text.matches("= call").count(), 4, "{text}");
}

#[test]
fn an_object_of_the_callers_is_worth_more() {
    let long = "v1 = add v1, 1i32 store.i32 [v0.p + 4], v1 ".repeat(POLICY.small);
    let callee = format!(
        "function fn0.g sig2 internal {{ params v0.p locals v0.p: ptr locals v1: i32\nbb0: v1 = load [v0.p] {long} return v1 }}\n"
    );
    let call = |argument: &str| {
        let caller = format!(
            "function fn1.f sig2 external {{ params v0.a locals v0.a: ptr locals v1: i32 slot s0 size 8 align 8\n\
             bb0: store.i32 [s0], 1i32 v1 = call fn0.g({argument}) sig2 return v1 }}\n"
        );
        inlined(&POLICY, &(callee.clone() + &caller)).contains("call")
    };
    assert!(call("v0.a"));
    assert!(!call("s0"));
}

#[test]
fn frames_grow_to_a_limit() {
    let callee = "function fn0.g sig0 internal { params v0.i locals v0.i: i32 locals v1: i64 locals v2: ptr \
        locals v3: i32 slot s0 size 16 align 8\n\
        bb0: v1 = convert.sext v0.i v2 = index s0 + v1 * 4 store.i32 [v2], 1i32 v3 = load [s0] return v3 }\n";
    let caller = "function fn1.f sig0 external { params v0.n locals v0.n: i32 locals v1: i32\n\
        bb0: v1 = call fn0.g(v0.n) sig0 v1 = call fn0.g(v1) sig0 return v1 }\n";
    assert_eq!(inlined(&POLICY, &format!("{callee}{caller}")).matches("call").count(), 1);
    let less = Policy { frame: 8, ..POLICY };
    assert_eq!(inlined(&less, &format!("{callee}{caller}")).matches("call").count(), 2);
}

const FIB: &str = "function fn0.fib sig0 internal { params v0.n locals v0.n: i32 locals v1: i1 locals v2, v3: i32\n\
    bb0: v1 = cmp.lt v0.n, 2i32 branch v1, bb1, bb2\nbb1: return v0.n\n\
    bb2: v2 = sub v0.n, 1i32 v3 = call fn0.fib(v2) sig0 v2 = sub v0.n, 2i32 v2 = call fn0.fib(v2) sig0\n\
    v2 = add v2, v3 return v2 }\n";

#[test]
fn a_function_that_calls_itself_does_so_less_often() {
    assert_eq!(inlined(&POLICY, FIB).matches("= call").count(), 2);
    let text = inlined(&Policy { unfolded: 120, ..POLICY }, FIB);
    let calls = text.matches("= call").count();
    assert!(calls > 2 && calls < 40, "{text}");
}

#[test]
fn wide_scalars_cross_where_the_target_has_them() {
    let functions = "function fn0.g sig3 internal { params v0.x locals v0.x: f80\nbb0: v0.x = add v0.x, v0.x return v0.x }\n\
        function fn1.f sig3 external { params v0.x locals v0.x: f80\nbb0: v0.x = call fn0.g(v0.x) sig3 return v0.x }\n";
    assert!(!inlined(&POLICY, functions).contains("call"));
    assert!(inlined(&Policy { wide_scalars: false, ..POLICY }, functions).contains("call"));
}

#[test]
fn loops_that_carry_numbers_stay_apart_from_other_calls() {
    let callee = |ty: &str, zero: &str| {
        format!(
            "function fn0.g sig0 internal {{ params v0.n locals v0.n: i32 locals v1: i32 locals v2: {ty} locals v3: i1\n\
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n\
             bb0: v1 = copy v0.n v2 = copy {zero} jump bb1\nbb1 loop0: v3 = cmp.gt v1, 0i32 branch v3, bb2, bb3\n\
             bb2 loop0: v2 = add v2, v2 v1 = sub v1, 1i32 jump bb1\nbb3: return v1 }}\n"
        )
    };
    let caller = |argument: &str, other: &str| {
        format!(
            "function fn1.f sig0 external {{ params v0.n locals v0.n: i32 locals v1: i32\n\
             bb0: v1 = call fn0.g({argument}) sig0 {other} return v1 }}\nfunction fn2.h sig0 external\n"
        )
    };
    let apart = Policy { keeps_loops_apart: true, ..POLICY };
    let stays = |policy: &Policy, callee: &str, caller: &str| {
        inlined(policy, &(callee.to_owned() + caller)).contains("call fn0.g")
    };
    let (floats, other) = (callee("f64", "0.0f64"), "v1 = call fn2.h(v1) sig0");
    assert!(stays(&apart, &floats, &caller("v0.n", other)));
    assert!(!stays(&apart, &floats, &caller("9i32", other)), "a constant may say how long the loop is");
    assert!(!stays(&apart, &floats, &caller("v0.n", "")), "registers are free");
    assert!(!stays(&apart, &callee("i64", "0i64"), &caller("v0.n", other)), "calls keep integers");
    assert!(!stays(&POLICY, &floats, &caller("v0.n", other)));
}
