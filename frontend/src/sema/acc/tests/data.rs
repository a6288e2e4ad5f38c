//! Data clauses and implicit attributes.

use super::{check, check_body, in_function, summary};

fn one(body: &str) -> String {
    summary(&in_function(body), false).swap_remove(0)
}

#[test]
fn shapes() {
    for (item, shape) in [
        ("x", "Copy(x: object)"),
        ("arr", "Copy(arr: object)"),
        ("arr[2:3]", "Copy(arr[2:3]: part 16+24)"),
        ("arr[2:]", "Copy(arr[2:]: part 16+64)"),
        ("arr[:3]", "Copy(arr[:3]: part 0+24)"),
        ("arr[4]", "Copy(arr[4]: part 32+8)"),
        ("mat[1:2][:]", "Copy(mat[1:2][:]: part 40+80)"),
        ("mat[1:1][2:3]", "Copy(mat[1:1][2:3]: part 56+24)"),
        ("a[0:4]", "Copy(a[0:4]: section 0+32)"),
        ("a[-2:4]", "Copy(a[-2:4]: section -16+32)"),
        ("a[2:0]", "Copy(a[2:0]: section 16+0)"),
        ("a[0:n]", "Copy(a[0:n]: section 0+?)"),
        ("rows[0:3][1:2]", "Copy(rows[0:3][1:2]: section 0+24 row 8+16)"),
        ("rows[2][1:2]", "Copy(rows[2][1:2]: section 8+16)"),
        ("st", "Copy(st: object)"),
        ("st.n", "Copy(st.n: object)"),
        ("st.q[1:2]", "Copy(st.q[1:2]: part 8+16)"),
        ("st.p[0:5]", "Copy(st.p[0:5]: section 0+40)"),
        ("sp->p[0:5]", "Copy(sp->p[0:5]: section 0+40)"),
        ("sp[0:2]", "Copy(sp[0:2]: section 0+96)"),
        ("sp[1].p[0:5]", "Copy(sp[1].p[0:5]: section 0+40)"),
        ("a", "Copy(a: object)"),
    ] {
        assert_eq!(one(&format!("#pragma acc data copy({item})\n;")), format!("data {shape}"), "{item}");
    }
    assert_eq!(
        one("#pragma acc data present(a) no_create(b)\n;"),
        "data Present(a: pointer) NoCreate(b: pointer)"
    );
    assert_eq!(one("#pragma acc data deviceptr(a)\n;"), "data DevicePtr(a: pointer)");
    assert_eq!(one("#pragma acc enter data attach(st.p)"), "Enter Attach(st.p: pointer)");
}

/// `update` takes runs with gaps; elsewhere strides are left to be looked at where only the program's values
/// tell.
#[test]
fn sections_with_gaps() {
    let update = |item: &str| one(&format!("#pragma acc update self({item})"));
    for (item, shape) in [
        ("mat[:][1:2]", "part 8+16 x4 by 40"),
        ("mat[0:4][0:5]", "part 0+160"),
        ("mat[1:2][3]", "part 64+8 x2 by 40"),
        ("mat[2][1:2]", "part 88+16"),
        ("mat[1:2][:]", "part 40+80"),
        ("mat[0:n][0:m]", "part 0+? x? by 40"),
        ("mat[0:n][:]", "part 0+?"),
        ("st.q[1:2]", "part 8+16"),
        ("rows[0:3][1:2]", "section 0+24 row 8+16"),
    ] {
        assert_eq!(update(item), format!("Update {{ if_present: false }} UpdateSelf({item}: {shape})"));
    }
    let of = |declaration: &str, item: &str| {
        summary(&format!("void f(int n, {declaration}) {{\n#pragma acc update device({item})\n}}\n"), false)
    };
    for (declaration, item, shape) in [
        ("double (*p)[6][7]", "p[1:2][3:2][4:1]", "section 536+8 x2 by 336 x2 by 56"),
        ("double (*p)[6][7]", "p[0:n][:][4:1]", "section 32+8 x? by 336 x6 by 56"),
        ("double (*p)[6][7]", "p[0:n][2:1][:]", "section 112+56 x? by 336"),
        ("double (*p)[6][7]", "p[0:n][:][:]", "section 0+?"),
        ("double (*t[2])[5]", "t[0:2][0:3][1:2]", "section 0+16 row 8+16 x3 by 40"),
    ] {
        let wanted = format!("Update {{ if_present: false }} UpdateDevice({item}: {shape})");
        assert_eq!(of(declaration, item), [wanted]);
    }
    assert_eq!(one("#pragma acc data copy(mat[0:n][0:m])\n;"), "data Copy(mat[0:n][0:m]: part 0+? x? by 40)");
    // A reduction takes rows as wholes.
    assert!(one("#pragma acc parallel reduction(+:mat[0:2][0:m])\n;").contains("Add(mat[0:10])"));
}

#[test]
fn bad_items() {
    for (item, id) in [
        ("g", "not-a-variable"),
        ("arr[-1:2]", "array-section-bounds"),
        ("arr[2:-1]", "array-section-bounds"),
        ("arr[11:]", "array-section-bounds"),
        ("arr[:11]", "array-section-bounds"),
        ("arr[5:6]", "array-section-bounds"),
        ("arr[0.5:1]", "array-section"),
        ("arr[0:a]", "array-section"),
        ("x[0:2]", "array-section"),
        ("a[0:]", "array-section"),
        ("mat[0:2][1:2]", "non-contiguous-section"),
        ("mat[0:2][:3]", "non-contiguous-section"),
    ] {
        check_body(&format!("#pragma acc data copy({item}) //~ {id}\n;"));
    }
    check("extern struct T t;\nvoid f(void) {\n#pragma acc data create(t) //~ not-mappable\n;\n}");
    check("extern int z[];\nvoid f(void) {\n#pragma acc data create(z[:]) //~ array-section\n;\n}");
    check("_Thread_local int z;\nvoid f(void) {\n#pragma acc data create(z) //~ thread-local-variable\n;\n}");
    check_body("#pragma acc data deviceptr(x) //~ not-a-pointer\n;");
    check_body("#pragma acc data deviceptr(arr) //~ not-a-pointer\n;");
    check_body("#pragma acc data deviceptr(a[0:2]) //~ data-item\n;");
    check_body("#pragma acc enter data attach(x) //~ not-a-pointer");
    check_body("#pragma acc enter data attach(a[0:2]) //~ not-a-pointer");
}

#[test]
fn clauses_that_contradict_each_other() {
    for clauses in [
        "create(a[0:2]) deviceptr(a)",
        "deviceptr(a) present(a)",
        "copy(s) private(s)",
        "copy(s) firstprivate(s)",
        "private(s) firstprivate(s)",
        "private(a[0:2], a[2:2])",
        "firstprivate(a[0:2], a[2:2])",
        "reduction(+:s) reduction(*:s)",
        "reduction(+:arr[0:2], arr[2:2])",
    ] {
        check_body(&format!("#pragma acc parallel {clauses} //~ duplicate-variable\n;"));
    }
    check_body("#pragma acc data create(a[0:2]) deviceptr(a) //~ duplicate-variable\n;");
}

#[test]
fn repetitions_are_warned_of() {
    for (directive, wanted) in [
        ("parallel present(a, a)", "Parallel Present(a: pointer)"),
        ("parallel copy(a[0:n], a[0:n])", "Parallel Copy(a[0:n]: section 0+?)"),
        ("parallel copy(x) copyin(x)", "Parallel Copy(x: object)"),
        ("parallel copyout(x) copyin(x)", "Parallel Copy(x: object)"),
        ("parallel create(x) copyin(x)", "Parallel CopyIn(x: object)"),
        ("parallel no_create(arr) copyout(arr)", "Parallel CopyOut(arr: object)"),
        ("parallel copyin(arr) present(arr)", "Parallel Present(arr: object)"),
        ("parallel private(s, s)", "Parallel private(s)"),
        ("parallel firstprivate(s) firstprivate(s)", "Parallel firstprivate(s)"),
        ("data copyin(arr[2:3]) copyout(arr[2:3])", "data Copy(arr[2:3]: part 16+24)"),
        ("data deviceptr(a, a)", "data DevicePtr(a: pointer)"),
    ] {
        let source = format!("#pragma acc {directive} //~ repeated-variable\n;");
        check_body(&source);
        assert_eq!(one(&source), wanted, "{directive}");
    }
    check_body("#pragma acc parallel reduction(+:s, s) //~ repeated-variable\n;");
    check_body("int held[9];\n#pragma acc data create(held) copyout(held[0:9]) //~ repeated-variable\n;");
    check_body(
        "int held[9];\n#pragma acc parallel copyin(held[0:9]) copyout(held) //~ repeated-variable\nheld[0] = 1;",
    );
    check_body(
        "int held[9];\n#pragma acc parallel copyin(held[0:8]) copyout(held) //~ two-sections-unsupported\nheld[0] = 1;",
    );
    check_body("#pragma acc parallel firstprivate(a[0:n], a[0:n]) //~ repeated-variable\na[0] = 1;");
    check_body("#pragma acc parallel private(a[0:n], a[0:n]) //~ repeated-variable\na[0] = 1;");
    check_body("#pragma acc host_data use_device(a, a) //~ repeated-variable\n;");
    // Each of them changes the dynamic counter.
    let counted = "#pragma acc enter data copyin(x, x) //~ repeated-variable";
    check_body(counted);
    assert_eq!(one(counted), "Enter CopyIn(x: object) CopyIn(x: object)");
    check_body("#pragma acc exit data copyout(x) delete(x) //~ repeated-variable");
    check_body("#pragma acc parallel copy(st.n, st.p[0:2]) copyin(s) private(t)\n;");
    check_body("#pragma acc enter data copyin(st) attach(st.p)");
    check_body("#pragma acc update self(arr[0:2], arr[4:2])");
}

#[test]
fn sections_of_one_variable() {
    check_body("#pragma acc data copyin(arr[0:2], arr[4:2]) create(a[0:n], a[n:n])\n;");
    check_body("#pragma acc enter data copyin(arr[0:2], arr[4:2])");
    check_body("#pragma acc parallel copyin(arr[0:2], arr[4:2]) //~ two-sections-unsupported\n;");
    check_body("#pragma acc parallel copyin(arr[0:2]) copyout(arr) //~ two-sections-unsupported\n;");
    let inside = |clause: &str, line: &str| {
        let data = format!("#pragma acc data create({clause})\n{{\n#pragma acc parallel\n{line}\n}}");
        check_body(&data);
    };
    inside("arr[0:2], arr[4:2]", "arr[0] = 1; //~ two-sections-unsupported");
    inside("arr[4:2], arr", "arr[0] = 1;");
    check_body(
        "#pragma acc data create(arr[0:2], arr[4:2])\n{\n#pragma acc parallel present(arr[4:2])\narr[4] = 1;\n}",
    );
}

#[test]
fn clauses_that_stand_twice() {
    for directive in [
        "parallel if(1) if(1)",
        "parallel default(present) default(present)",
        "parallel async async",
        "parallel num_gangs(4) num_gangs(4)",
        "parallel loop gang gang",
        "parallel loop seq seq",
        "kernels loop worker(4) worker(4)",
        "parallel loop collapse(1) collapse(1)",
    ] {
        check_body(&format!("#pragma acc {directive} //~ duplicate-clause\nfor (i = 0; i < n; i++) ;"));
    }
    for directive in ["parallel loop worker worker", "parallel loop vector vector"] {
        check_body(&format!("#pragma acc {directive} //~ repeated-clause\nfor (i = 0; i < n; i++) ;"));
    }
    check_body("#pragma acc exit data delete(x) finalize finalize //~ repeated-clause");
    check_body("#pragma acc update self(x) if_present if_present //~ repeated-clause");
    check("#pragma acc routine seq nohost nohost //~ repeated-clause\nvoid r(void);");
}

#[test]
fn clauses_of_directives() {
    check_body("#pragma acc enter data copy(x) //~ clause-not-allowed");
    check_body("#pragma acc exit data copyin(x) //~ clause-not-allowed");
    check_body("#pragma acc serial num_gangs(1) //~ clause-not-allowed\n;");
    check_body("#pragma acc kernels private(s) //~ clause-not-allowed\n;");
    check_body("#pragma acc parallel gang //~ clause-not-allowed\n;");
    check_body("#pragma acc parallel num_gangs(1.5) //~ clause-argument\n;");
    check_body("#pragma acc parallel num_gangs(0) //~ clause-value\n;");
    check_body(
        "#pragma acc parallel num_gangs(2, 3, 4) num_workers(2) vector_length(32) async(1) wait(1, 2) //~ idle-threads idle-threads\n;",
    );
    check_body("#pragma acc parallel async(a) //~ clause-argument\n;");
    check_body("#pragma acc parallel if(st) //~ clause-argument\n;");
    check_body("#pragma acc enter data //~ missing-clause");
    check_body("#pragma acc exit data async //~ missing-clause");
    check_body("#pragma acc update //~ update-empty");
    check_body("#pragma acc update self(a b) //~ expected-token");
    check_body("#pragma acc set //~ missing-clause");
    check_body(
        "#pragma acc init device_type(nvidia)\n#pragma acc set device_num(0)\n#pragma acc wait(1) async(2)\n#pragma acc wait",
    );
    check_body("#pragma acc wait(1.5) //~ clause-argument");
}

#[test]
fn device_type_selects() {
    check_body("#pragma acc parallel device_type(nvidia) num_gangs(4) device_type(*) num_gangs(2)\n;");
    check_body(
        "#pragma acc parallel num_gangs(4) device_type(host) num_gangs(2) num_gangs(3) //~ duplicate-clause\n;",
    );
    check_body("#pragma acc parallel device_type(host, *) num_gangs(2) //~ clause-argument\n;");
    check_body("#pragma acc init device_type(*, nvidia) //~ clause-argument");
    check_body("#pragma acc parallel device_type(host) copy(x) //~ device-type-clause\n;");
    assert_eq!(
        summary(
            &in_function("#pragma acc parallel loop gang device_type(host) seq\nfor (i = 0; i < 4; i++) ;"),
            false
        )
        .len(),
        2
    );
}

#[test]
fn implicit_attributes() {
    assert_eq!(
        one("#pragma acc parallel\n{ int own = n; arr[0] = s + own; a[0] = st.n; sp->n = 1; }"),
        "Parallel implicit Copy(arr: object) implicit NoCreate(a: pointer) implicit Copy(st: object) \
         implicit NoCreate(sp: pointer) firstprivate(n,s)"
    );
    assert_eq!(
        one("#pragma acc kernels\narr[0] = s;"),
        "Kernels implicit Copy(arr: object) implicit Copy(s: object)"
    );
    assert_eq!(
        one("#pragma acc parallel default(present)\narr[0] = s;"),
        "Parallel implicit Present(arr: object) firstprivate(s)"
    );
    let inside = |data: &str, body: &str| {
        summary(
            &in_function(&format!("#pragma acc data {data}\n{{\n#pragma acc parallel\n{body}\n}}")),
            false,
        )
        .swap_remove(1)
    };
    assert_eq!(
        inside("copyin(s)", "arr[0] = s;"),
        "Parallel implicit Copy(arr: object) implicit Copy(s: object)"
    );
    assert_eq!(inside("create(a[0:n])", "a[0] = 1;"), "Parallel implicit NoCreate(a: pointer)");
    assert_eq!(inside("create(arr[2:3])", "arr[2] = 1;"), "Parallel implicit Copy(arr: object)");
    assert_eq!(inside("deviceptr(a)", "a[0] = 1;"), "Parallel implicit DevicePtr(a: pointer)");
    assert_eq!(one("#pragma acc parallel\n{ static int once = 1; once++; }"), "Parallel");
    let constant = summary(
        "void f(void) { static const int t[3] = {1, 2, 3}; int s = 0;\n#pragma acc parallel copy(s)\ns = t[1];\n}",
        false,
    );
    assert_eq!(constant, ["Parallel Copy(s: object) implicit CopyIn(t: object)"]);
}

#[test]
fn a_vla_brings_its_lengths() {
    let lines =
        summary("void f(int n, int m, double v[n][m]) {\n#pragma acc parallel\nv[1][2] = 0;\n}", false);
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("NoCreate(v: pointer)") && lines[0].contains("firstprivate(_)"), "{lines:?}");
}

#[test]
fn default_none() {
    check_body("#pragma acc parallel default(none)\n{\narr[0] //~ default-none\n = s; //~ default-none\n}");
    let inside = "#pragma acc data default(none) copy(arr)\n#pragma acc data create(b)\n#pragma acc";
    check_body(&format!("{inside} serial\narr[0] = s; //~ default-none"));
    check_body(&format!("{inside} parallel copyin(s)\narr[0] = s;"));
    check_body(&format!("{inside} kernels default(present)\narr[0] = s;"));
    check_body("#pragma acc parallel default(none) copy(arr) firstprivate(s)\narr[0] = s;");
    check_body("#pragma acc data copy(arr) copyin(s)\n{\n#pragma acc parallel default(none)\narr[0] = s;\n}");
    check_body(
        "#pragma acc parallel loop default(none) copy(arr) reduction(+:x)\nfor (i = 0; i < 10; i++) x += arr[i];",
    );
}

#[test]
fn host_data() {
    check_body("#pragma acc host_data use_device(a, arr)\n{ g(a); g(arr); g(&arr[1]); }");
    check_body("#pragma acc host_data //~ host-data-empty\n;");
    check_body(
        "#pragma acc host_data use_device(arr)\n{\n#pragma acc parallel\narr[0] = 1; //~ host-data-variable\n}",
    );
    check_body("#pragma acc host_data use_device(a) copy(x) //~ clause-not-allowed\n;");
}

#[test]
fn cache_items() {
    let within = |item: &str, mark: &str| {
        check_body(&format!(
            "#pragma acc parallel loop\nfor (i = 0; i < 10; i++) {{\n#pragma acc cache({item}) {mark}\narr[i] = 0; }}"
        ));
    };
    within("arr[i]", "");
    within("arr[i:2], mat[0:1][1:2]", "");
    // The length of what a pointer leads to is not known, and a hint does not need it.
    within("a[:], rows[i][:]", "");
    within("arr[:11]", "//~ array-section-bounds");
    within("arr", "//~ cache-item");
    within("a, arr[i]", "//~ cache-item");
    within("rows[0:2][0:2]", "//~ non-contiguous-section");
    check_body("#pragma acc cache(arr[0:2]) //~ cache-placement");
}

#[test]
fn objects_that_loops_make_private_are_private_to_the_construct() {
    assert_eq!(
        one(
            "#pragma acc parallel\n{\n#pragma acc loop private(arr, x, s)\nfor (i = 0; i < 4; i++) { double own[2]; g(&x); arr[0] = s = 1; own[0] = 2; }\n}"
        ),
        "Parallel private(arr,x)"
    );
    let global =
        summary("int i;\nvoid f(void) {\n#pragma acc parallel loop\nfor (i = 0; i < 4; i++) ;\n}", false);
    assert_eq!(global, ["Parallel private(i)", "loop Default x1 private(i)"]);
}

#[test]
fn private_subarrays() {
    check_body("#pragma acc parallel private(a[0:n], arr[2:3]) firstprivate(b[1:4])\na[0] = arr[2] + b[1];");
    check_body("#pragma acc parallel private(x[0:3]) //~ array-section\n;");
    check_body("#pragma acc parallel private(arr[8:3]) //~ array-section-bounds\n;");
    check_body("#pragma acc parallel private(rows[0:2][0:3]) //~ non-contiguous-section\n;");
    check_body("#pragma acc parallel firstprivate(rows[0:2][0:3]) //~ non-contiguous-section\n;");
    check_body("#pragma acc parallel private(st.p[0:3]) //~ member-private-unsupported\n;");
    check_body(
        "#pragma acc parallel loop private(st.a) //~ member-private-unsupported\nfor (int k = 0; k < 4; k++) ;",
    );
    check_body("#pragma acc parallel firstprivate(st.a) //~ member-private-unsupported\n;");
    check_body("#pragma acc parallel private(a[0:3]) copy(a[0:3]) //~ duplicate-variable\n;");
    assert_eq!(
        one("#pragma acc parallel firstprivate(a[1:n])\na[1] = 0;"),
        one("#pragma acc parallel copyin(a[1:n]) firstprivate(n)\n;")
    );
}

/// Whether the host reads the array of a `create` clause after the construct, by what stands around the
/// construct.
#[test]
fn later_reads() {
    let construct = "\n#pragma acc parallel create(a[0:n]) copyout(arr)\na[0] = arr[0];\n";
    for (around, wanted) in [
        ("X s = a[1];", true),
        ("X if (s) t = 2 * a[i];", true),
        ("X a[1] += 1;", true),
        ("X (void)fmax(a[0], 0);", true),
        ("X (void)((int (*)(const double *))0)(a);", true),
        ("#pragma acc data copy(arr)\n{ X } s = a[1];", true),
        ("for (i = 0; i < 3; i++) { s = a[1]; X }", true),
        ("while (s) { X s = a[1]; }", true),
        ("X", false),
        ("s = a[1]; X", false),
        ("X a[1] = 0; s = a[1];", false),
        ("X g(a); s = a[1];", false),
        ("X a = b; s = a[1];", false),
        ("for (i = 0; i < 3; i++) { a[1] = 0; s = a[1]; X }", false),
        ("X s = a != 0;", false),
        ("X s = b[1];", false),
    ] {
        let lines = summary(&in_function(&around.replace('X', construct)), false);
        let found = lines.iter().any(|line| line.contains("Create(a[0:n]: section 0+?, read later)"));
        assert_eq!(found, wanted, "{around}: {lines:?}");
    }
    let other = one("#pragma acc parallel copyin(a[0:n])\na[0] = 1;\nx = a[0];");
    assert!(!other.contains("later"), "{other}");
}

/// Whether a scalar is private to the independent loop of a `kernels` construct rather than copied.
#[test]
fn temporaries_of_kernels() {
    for (body, after, wanted) in [
        ("x = a[i]; a[i] = 2 * x;", "", true),
        ("if (i) x = 1; else x = 2; a[i] = x;", "x = 3; a[0] = x;", true),
        ("for (j = 0; j < 3; j++) { x = j; a[i] += x; }", "", true),
        ("for (x = 0; x < 3; x++) a[i] += x;", "", true),
        ("if (i) { x = 1; a[i] = x; }", "", true),
        ("x = a[i]; a[i] = x;", "a[0] = x;", false),
        ("x += a[i]; a[i] = x;", "", false),
        ("a[i] = x; x = a[i];", "", false),
        ("if (i) x = 1; a[i] = x;", "", false),
        ("for (j = 0; j < 3; j++) x = j; a[i] = x;", "", false),
        ("for (j = 0; j < 3; j++) { a[i] = x; x = j; }", "", false),
        ("i && (x = 1); a[i] = x;", "", false),
        ("x = a[i]; a[i] = x;", "g(&x);", false),
        ("a[i] = x;", "", false),
    ] {
        let source = format!(
            "\n#pragma acc kernels copy(a[0:n])\n#pragma acc loop independent\nfor (i = 0; i < n; i++) {{ {body} }}\n{after}"
        );
        let lines = summary(&in_function(&source), false);
        let loop_ = lines.iter().find(|line| line.starts_with("loop Independent")).expect("the loop");
        let private = loop_.contains(",x");
        let shared = lines[0].contains("implicit Copy(x: object)");
        assert_eq!((private, shared), (wanted, !wanted), "{body} {after}: {lines:?}");
    }
    // Only where the programmer says that iterations are independent, and only where the variable is used
    // there alone.
    for source in [
        "#pragma acc kernels copy(a[0:n])\nfor (i = 0; i < n; i++) { x = a[i]; a[i] = x; }",
        "#pragma acc kernels copy(a[0:n])\n{\n#pragma acc loop independent\nfor (i = 0; i < n; i++) { x = a[i]; a[i] = x; }\na[0] = x; }",
    ] {
        let lines = summary(&in_function(source), false);
        assert!(lines[0].contains("implicit Copy(x: object)"), "{lines:?}");
    }
}

/// A parameter that is declared as an array of known length is mapped as that array.
#[test]
fn array_parameters() {
    let of = |parameter: &str, clause: &str| {
        let source =
            format!("enum {{ N = 4 }};\nvoid f(int n, {parameter}) {{\n#pragma acc data {clause}\n;\n}}\n");
        summary(&source, false).swap_remove(0)
    };
    assert_eq!(of("double p[N + 1]", "copy(p)"), "data Copy(p: section 0+40)");
    assert_eq!(of("double p[N][3]", "create(p)"), "data Create(p: section 0+96)");
    assert_eq!(of("double p[static N]", "copyin(p)"), "data CopyIn(p: section 0+32)");
    assert_eq!(of("double p[N]", "copy(p[1:2])"), "data Copy(p[1:2]: section 8+16)");
    assert_eq!(of("double p[N]", "present(p)"), "data Present(p: pointer)");
    for parameter in ["double p[]", "double p[n]", "double *p"] {
        assert_eq!(of(parameter, "copy(p)"), "data Copy(p: object)", "{parameter}");
    }
}

#[test]
fn a_private_scalar_that_is_only_read_is_the_one_around() {
    let inner = |clause: &str, mark: &str, statement: &str| {
        check_body(&format!(
            "#pragma acc parallel loop\nfor (j = 0; j < 3; j++) {{\n#pragma acc loop {clause} {mark}\n\
             for (i = 0; i < 9; i++) {statement}\n}}"
        ));
    };
    let mark = "//~ private-unset";
    inner("private(j)", mark, "a[i] = j;");
    inner("private(j, t)", mark, "{ t = i; a[i] = j + t; }");
    inner("private(t)", "", "{ if (a[i] > 2) t = i; a[i] = t; }");
    inner("private(t)", "", "{ int *p = &t; *p = 2; a[i] = t; }");
    inner("private(t)", "", "for (t = 0; t < 3; t++) a[i] += t;");
    inner("private(arr)", "", "a[i] = arr[1];");
    inner("private(t)", "", "a[i] = 1;");
    check_body("#pragma acc parallel private(k) //~ private-unset\na[0] = k;");
}

#[test]
fn a_scalar_that_no_clause_names_is_lost_for_the_host_that_reads_it() {
    let body = check_body;
    let argmin = |mark: &str| {
        format!(
            "#pragma acc parallel loop reduction(min:s)\nfor (i = 0; i < 9; i++) if (a[i] < s) {{ s = a[i];\n\
             k = i; {mark}\n}}\n"
        )
    };
    body(&format!("{}s += k;", argmin("//~ lost-scalar")));
    body(&format!("for (j = 0; j < 3; j++) {{ a[k] = 0;\n{}}}", argmin("//~ lost-scalar")));
    body("#pragma acc serial\n{\nk = a[1]; //~ lost-scalar\n}\ns += k;");
    body("#pragma acc serial\n{\nk++; //~ lost-scalar\n}\ns += k;");
    body("#pragma acc parallel\nfor (j = 0; j < 9; j++) k += j; //~ lost-scalar\ns += k;");
    for atomic in ["atomic write //~ lost-scalar\nk = i;", "atomic //~ lost-scalar\nk++;"] {
        body(&format!(
            "#pragma acc parallel loop\nfor (i = 0; i < 9; i++) {{\n#pragma acc {atomic} }}\ns += k;"
        ));
    }
    // Nobody reads it, the host writes it first, or a clause says what becomes of it.
    body(&argmin(""));
    body(&format!("{}k = 1;\ns += k;", argmin("")));
    for clause in ["copy(k)", "private(k)", "firstprivate(k)"] {
        body(&format!("{}s += k;", argmin("").replace("(min:s)", &format!("(min:s) {clause}"))));
    }
    body(&format!("{}s += k;", argmin("").replace("parallel", "kernels")));
    // Of a loop's iterations only.
    body(
        "#pragma acc parallel\n{\n#pragma acc loop private(k)\nfor (i = 0; i < 9; i++) { k = i; a[i] = k; }\n}\ns += k;",
    );
}

#[test]
fn a_pointer_that_kernels_assigns_is_missed_by_the_host_that_reads_it() {
    let body = |code: &str| check_body(&format!("int w[9] = {{ 0 }}, *q = w;\n{code}"));
    let kernels = "#pragma acc kernels\nfor (q = w; q < w + 9; q++) //~ pointer-kept\nx += *q;\n";
    let unmarked = kernels.replace("//~ pointer-kept", "");
    body(&format!("{kernels}x += q - w;"));
    body(&format!("for (j = 0; j < 3; j++) {{ x += *q;\n{kernels}}}"));
    body(&format!("{kernels}#pragma acc kernels\nx += *q;"));
    body(&unmarked);
    body(&format!("{unmarked}q = w;\nx += *q;"));
    body("#pragma acc kernels\nx += *q;\nx += q - w;");
    // Others read it: by its name, behind the function or in one that is called, or at its address.
    let named = |code: &str| check_body(&format!("static int w[9] = {{ 0 }}, *q = w;\n{code}"));
    named(kernels);
    named(&format!("{kernels}void other(void);\nother();\nq = w;"));
    named(&format!("{unmarked}q = w;\nx += *q;"));
    body(&format!("{kernels}void other(int **);\nother(&q);"));
    let through = "#pragma acc kernels\nfor (i = 0; i < 8; i++)\n((char *)&q)[i] = 0; //~ pointer-kept\n";
    body(&format!("{through}x += *q;"));
    body(&through.replace("//~ pointer-kept", ""));
}

#[test]
fn the_host_changes_a_bound_that_is_on_the_device() {
    let data =
        |code: &str| check_body(&format!("t = 9;\n#pragma acc data copyin(t) copy(arr)\n{{\n{code}\n}}"));
    let mapped = |clauses: &str, mark: &str| {
        format!("#pragma acc parallel loop {clauses}\nfor (i = 0; i < t; i++) {mark}\narr[i] = 1;\n")
    };
    let (stale, fine) = (mapped("present(t)", "//~ stale-bound"), mapped("present(t)", ""));
    data(&format!("t = t / 2;\n{stale}"));
    data("t--;\n#pragma acc kernels\nfor (i = 0; i < t; i++) //~ stale-bound\narr[i] = 1;");
    data(&format!("t -= 2;\n{}", mapped("copyin(t)", "//~ stale-bound")));
    data(&format!("if (n) t = 3;\n{stale}"));
    data(&format!("for (j = 0; j < 3; j++) {{\n{stale}t = t / 2;\n}}"));
    data(&format!("while (t > 1) {{\nif (n) continue;\n{stale}t = t / 2;\n}}"));
    data(&format!("do {{ t--; if (n) break; }} while (t > 3);\n{stale}"));
    data(&format!("{fine}t = 3;\n{stale}"));
    data(&format!("t = 3;\n{}", mapped("", "//~ stale-bound")));
    data("t = 3;\n#pragma acc parallel present(t)\n{ while (x < t) x += 1; //~ stale-bound\n}");
    check_body(&format!(
        "#pragma acc enter data copyin(t)\nt = 3;\n{stale}\n#pragma acc exit data delete(t)"
    ));
    // The value is brought to the device, or was never there.
    data(&format!("t = 3;\n#pragma acc update device(t)\n{fine}"));
    data(&format!("t = 3;\n{}", mapped("firstprivate(t)", "")));
    check_body(&format!("#pragma acc enter data copyin(t)\nt = 3;\n{}", mapped("", "")));
    data(&format!("for (j = 0; j < 3; j++) {{\n{fine}t = t / 2;\n#pragma acc update device(t)\n}}"));
    data(&format!("#pragma acc update self(t)\n{fine}"));
    data("int u = t;\nu = u / 2;\n#pragma acc kernels\nfor (i = 0; i < u; i++) arr[i] = 1;");
    check_body(&format!("#pragma acc data copy(t)\n{{\n{fine}}}\nt = 3;\n{}", mapped("copyin(t)", "")));
    check_body(&format!(
        "#pragma acc enter data copyin(t)\n#pragma acc exit data delete(t)\nt = 3;\n{}",
        mapped("copyin(t)", "")
    ));
    // What is not certain.
    data(&format!("t = 3;\nif (n) {{\n#pragma acc update device(t)\n}}\n{fine}"));
    data(&format!("t = 3;\n{}", mapped("present(t) if(n)", "")));
    data(&format!("int *p = &t;\n*p = 2; t = 3;\n{fine}"));
    data(&format!("again: t = 3;\n{fine}if (t > n) goto again;"));
    data(
        "t = 3;\n#pragma acc parallel present(t)\n{ t = 5;\n#pragma acc loop\nfor (i = 0; i < t; i++) arr[i] = 1; }",
    );
    let global = mapped("present(n)", "").replace("< t", "< n");
    check_body(&format!("#pragma acc data copyin(n) copy(arr)\n{{\nn = 3; g(a);\n{global}}}"));
}
