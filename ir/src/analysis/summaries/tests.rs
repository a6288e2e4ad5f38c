//! Summaries of small functions.

use super::super::callees::{Access, Deed, Place, Witness};
use super::of;
use crate::entities::Func;
use crate::op::{Callee, Pos};
use crate::text;

/// The summary of `fn1` in a module where a routine calls it: its accesses as text, or what it does besides.
fn summary(functions: &str) -> Result<Vec<String>, Deed> {
    let program = format!(
        "aggregate agg0 size 16 align 8 leaves (0 f64, 8 f64)\n\
         signature sig0 ()\n\
         signature sig1 (ptr, ptr, i64)\n\
         signature sig2 (agg0) -> agg0\n\
         global g0.table internal size 64 align 4 zero\n\
         global g1.fixed internal size 64 align 4 constant zero\n\
         function fn0.all sig0 external routine(seq) {{\n\
         bb0: call fn1(null, null, 0i64) sig1 return\n\
         }}\n{functions}"
    );
    let module = text::parse(&program).unwrap_or_else(|error| panic!("{error}\n{program}"));
    let callees = of(&module, false);
    let accesses = callees.of(Callee::Direct(Func::from_u32(1)), Pos::none());
    accesses.map(|accesses| accesses.iter().map(spelled).collect()).map_err(|Witness { deed, .. }| deed)
}

fn spelled(access: &Access) -> String {
    let place = match access.place {
        Place::Parameter(n) => format!("parameter {n}"),
        Place::Global(global) => format!("global {}", global.as_u32()),
        Place::Elsewhere => "elsewhere".to_owned(),
    };
    let bytes = access.bytes.map_or("anywhere".to_owned(), |(low, high)| format!("{low}..{high}"));
    let ty = access.ty.map_or("any".to_owned(), |ty| ty.name().to_owned());
    format!("{} {place} {bytes} {ty}", if access.writes { "writes" } else { "reads" })
}

/// The summary of a function with the parameters `v0` and `v1`, pointers, and `v2`, an `i64`.
fn of_body(body: &str) -> Result<Vec<String>, Deed> {
    summary(&format!(
        "function fn1.f sig1 internal {{ params v0, v1, v2\nlocals v0, v1: ptr locals v2: i64\n{body} }}"
    ))
}

fn check(body: &str, expected: &[&str]) {
    assert_eq!(of_body(body), Ok(expected.iter().map(|&line| line.to_owned()).collect()), "{body}");
}

#[test]
fn accesses_have_the_distances_that_constants_tell() {
    check("bb0: return", &[]);
    check(
        "bb0: store.i32 [v0 + 4], 1i32 store.i32 [v0 + 12], 1i32 return",
        &["writes parameter 0 4..16 i32"],
    );
    check("bb0: store.i32 [v0], 1i32 store.i64 [v0], 1i64 return", &["writes parameter 0 0..8 any"]);
    check(
        "bb0: mem_copy [v0], [v1 - 8], 16i64 align 4 return",
        &["reads parameter 1 -8..8 any", "writes parameter 0 0..16 any"],
    );
    check("bb0: mem_set [v0], 0i8, v2 align 4 return", &["writes parameter 0 anywhere any"]);
    // A declared dimension; a subscript of which nothing is known.
    let index = |below: &str| {
        format!("locals v3: ptr bb0: v3 = index v0 + v2 * 8 + 16 {below} store.f64 [v3], 1.0f64 return")
    };
    check(&index("below 3"), &["writes parameter 0 16..40 f64"]);
    check(&index(""), &["writes parameter 0 anywhere f64"]);
    // Memory of the frame, and what never changes.
    check("slot s0.t size 8 align 8 bb0: store.i64 [s0.t], 1i64 return", &[]);
    check("locals v3: i32 bb0: v3 = load [g1.fixed] return", &[]);
    check("locals v3: i32 bb0: v3 = load [g0.table + 8] return", &["reads global 0 8..12 i32"]);
}

#[test]
fn pointers_lead_to_all_that_they_were_made_of() {
    let either = "locals v3: i1 locals v4: ptr locals v5: i32
        bb0: v3 = cmp.eq v2, 0i64 v4 = select v3, v0, v1 v5 = load [v4] return";
    check(either, &["reads parameter 0 0..4 i32", "reads parameter 1 0..4 i32"]);
    let reassigned = "bb0: store.i32 [v0], 1i32 v0 = index v1 + 2i64 * 4 store.i32 [v0], 1i32 return";
    check(reassigned, &["writes parameter 0 0..4 i32", "writes parameter 1 8..12 i32"]);
    // It steps as often as nobody knows.
    let steps = "locals v3: i1 bb0: jump bb1
        bb1: store.i32 [v0], 1i32 v0 = index v0 + 1i64 * 4 v3 = cmp.eq v2, 0i64 branch v3, bb1, bb2
        bb2: return";
    check(steps, &["writes parameter 0 anywhere i32"]);
    // Pointers from memory and from integers lead anywhere.
    let loaded = "locals v3: ptr locals v4: i32 bb0: v3 = load [v0] v4 = load [v3] return";
    check(loaded, &["reads parameter 0 0..8 ptr", "reads elsewhere anywhere i32"]);
    let stored = "locals v3: ptr bb0: v3 = load [v0] store.i32 [v3], 1i32 return";
    assert_eq!(of_body(stored), Err(Deed::Accesses));
    let made = "locals v3: i64 locals v4: ptr bb0: v3 = convert.bits v0 v4 = convert.bits v3
        store.i32 [v4], 1i32 return";
    assert_eq!(of_body(made), Err(Deed::Accesses));
}

#[test]
fn constants_bound_loops() {
    let rows = |bound: &str| {
        format!(
            "locals v3: i32 locals v4: i1 locals v5: i64 locals v6: ptr
             loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4
             bb0: v3 = copy 0i32 jump bb1
             bb1 loop0: v4 = cmp.lt v3, {bound} branch v4, bb2, bb4
             bb2 loop0: v5 = convert.sext v3 v6 = index v0 + v5 * 8 store.f64 [v6 + 8], 1.0f64 jump bb3
             bb3 loop0: v3 = add v3, 1i32 jump bb1
             bb4: return"
        )
    };
    check(&rows("3i32"), &["writes parameter 0 8..32 f64"]);
    let unknown = rows("v7").replace("locals v6: ptr", "locals v6: ptr locals v7: i32");
    check(&unknown.replace("bb0: ", "bb0: v7 = convert.trunc v2 "), &["writes parameter 0 anywhere f64"]);
    // The argument is not what the loop starts from.
    let moved = rows("3i32").replace("bb0: ", "bb0: v0 = index v0 + v2 * 8 ");
    check(&moved, &["writes parameter 0 anywhere f64"]);
}

#[test]
fn what_a_function_calls_counts_as_its_own() {
    let calls = |body: &str, of_other: &str| {
        summary(&format!(
            "function fn1.f sig1 internal {{ params v0, v1, v2\nlocals v0, v1: ptr locals v2: i64 locals v3: ptr\n{body} }}\n\
             function fn2.g sig1 internal {{ params v0, v1, v2\nlocals v0, v1: ptr locals v2: i64 locals v3: ptr\n{of_other} }}"
        ))
    };
    let store = "bb0: store.i32 [v1 + 4], 1i32 return";
    let good = |lines: &[&str]| Ok(lines.iter().map(|&line| line.to_owned()).collect());
    let stepped = "bb0: v3 = index v0 + 2i64 * 4 call fn2(v1, v3, 0i64) sig1 return";
    assert_eq!(calls(stepped, store), good(&["writes parameter 0 12..16 i32"]));
    assert_eq!(calls("slot s0.t size 8 align 4 bb0: call fn2(v1, s0.t, 0i64) sig1 return", store), good(&[]));
    assert_eq!(calls("bb0: call fn2(v1, null, 0i64) sig1 return", store), Err(Deed::Accesses));
    assert_eq!(calls("bb0: call fn2(v0, v1, 0i64) sig1 return", "bb0: trap return"), Err(Deed::Ends));
    assert_eq!(calls("bb0: call fn2(v0, v1, 0i64) sig1 return", "bb0: fence return"), Err(Deed::Orders));
    assert_eq!(calls("bb0: call *v0(v0, v1, 0i64) sig1 return", store), Err(Deed::Unknown));
    // Functions that call each other: with the pointers exchanged, and with the next element each time.
    let exchanged = "bb0: store.i32 [v0], 1i32 call fn2(v0, v1, 0i64) sig1 return";
    assert_eq!(
        calls(exchanged, "bb0: call fn1(v1, v0, 0i64) sig1 return"),
        good(&["writes parameter 0 0..4 i32", "writes parameter 1 0..4 i32"])
    );
    let next = "bb0: store.i32 [v0], 1i32 v3 = index v0 + 1i64 * 4 call fn2(v3, v1, 0i64) sig1 return";
    assert_eq!(
        calls(next, "bb0: call fn1(v0, v1, 0i64) sig1 return"),
        good(&["writes parameter 0 anywhere i32"])
    );
}

#[test]
fn aggregates_are_read_by_who_calls() {
    let pass = "function fn1.f sig1 internal { params v0, v1, v2\nlocals v0, v1: ptr locals v2: i64\n\
                bb0: call fn2(v0) sig2 to v1 return }\n";
    let own = "function fn2.g sig2 internal { params v0 locals v0: ptr\n\
               bb0: store.f64 [v0], 1.0f64 return v0 }";
    let lines = ["reads parameter 0 0..16 any", "writes parameter 1 0..16 any"];
    assert_eq!(summary(&format!("{pass}{own}")), Ok(lines.map(str::to_owned).to_vec()));
    // The object that is returned is copied when the function has ended.
    let global = "function fn2.g sig2 internal { params v0 locals v0: ptr\nbb0: return g0.table }";
    let found = summary(&format!("{pass}{global}"));
    assert!(found.is_ok_and(|lines| lines.contains(&"reads global 0 0..16 any".to_owned())));
}

#[test]
fn functions_of_the_library_write_what_they_are_known_to_write() {
    let library = |name: &str| {
        summary(&format!(
            "function fn1.f sig1 internal {{ params v0, v1, v2\nlocals v0, v1: ptr locals v2: i64\n\
             bb0: call fn2(v0, v1, v2) sig1 return }}\nfunction fn2.{name} sig1 external"
        ))
    };
    assert_eq!(library("modf"), Ok(vec!["writes parameter 1 0..8 any".to_owned()]));
    assert_eq!(library("sqrt"), Ok(Vec::new()));
    assert_eq!(library("abort"), Err(Deed::Ends));
    assert_eq!(library("__assert_fail"), Err(Deed::Ends));
    assert_eq!(library("printf"), Err(Deed::Prints));
    assert_eq!(library("fprintf"), Err(Deed::Unknown));
}

#[test]
fn a_function_that_a_device_calls_instead_counts() {
    let bound = |name: &str| {
        summary(&format!(
            "function fn1.f sig1 internal routine(seq bind \"{name}\") {{ params v0, v1, v2\n\
             locals v0, v1: ptr locals v2: i64\nbb0: store.i8 [v0], 1i8 return }}\n\
             function fn2.g sig1 internal {{ params v0, v1, v2\nlocals v0, v1: ptr locals v2: i64\n\
             bb0: store.i32 [v1 + 4], 1i32 return }}"
        ))
    };
    let lines = ["writes parameter 0 0..1 i8", "writes parameter 1 4..8 i32"];
    assert_eq!(bound("g"), Ok(lines.map(str::to_owned).to_vec()));
    assert_eq!(bound("elsewhere"), Err(Deed::Unknown));
    // The name of a library function, and the code of another one.
    let alias = "function fn1.sqrt sig1 external alias \"g\"\n\
        function fn2.g sig1 internal { params v0, v1, v2\nlocals v0, v1: ptr locals v2: i64\n\
        bb0: store.i32 [v1 + 4], 1i32 return }";
    assert_eq!(summary(alias), Ok(vec!["writes parameter 1 4..8 i32".to_owned()]));
}
