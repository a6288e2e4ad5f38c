//! Which loops of C programs the host executes several iterations of at once, and what `-ffast-math` adds.

use std::path::Path;
use std::process::Command;

/// Operations on vectors in the IR of a function `f` behind a pass.
fn vectors(name: &str, function: &str, options: &[&str], stage: &str) -> (usize, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
    std::fs::write(&file, format!("{function}\nint main(void) {{ return 0; }}\n")).expect("the program");
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    let output = command.args(["ir", "--stage", stage]).args(options).arg(&file).output().expect("accrue");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let of_locals = |line: &&str| {
        [": f64x2", ": f32x4", ": i8x16", ": i16x8", ": i32x4", ": i64x2"].iter().any(|ty| line.contains(ty))
    };
    (text.lines().filter(of_locals).count(), text)
}

/// Each is a loop that has to be done in vectors, with what kept it from that.
#[test]
fn loops_of_plain_c_are_vectors() {
    for (name, function) in [
        // What is loaded in front of the loop stands behind the test of the first iteration.
        (
            "vectors_scaled",
            "void f(int n, double a, double (*x)[64], double *restrict y)\n{\n    for (int k = 0; k < n; k++)\n        \
             for (int j = 0; j < n; j++)\n            y[j] += a * x[k][0] * x[j][k] + x[k][j];\n}",
        ),
        (
            "vectors_behind_a_test",
            "double m[8];\nvoid f(long n, int p, double *restrict x)\n{\n    \
             for (long i = 0; i < n; i++)\n        x[i] = x[i] - m[p];\n}",
        ),
        // One element stays while a row changes, as far as a check at run time finds that.
        (
            "vectors_of_elimination",
            "void f(int n, int i, int k, double a[n][n])\n{\n    for (int r = k; r < i; r++)\n        \
             for (int j = k + 1; j < n; j++)\n            a[r][j] -= a[r][k] * a[k][j];\n}",
        ),
        (
            "vectors_of_a_member",
            "typedef struct { int n; float *x, scale; } row;\nvoid f(row *r, int m)\n{\n    for (int k = 0; k < m; k++)\n        \
             for (int i = 0; i < r[k].n; i++)\n            r[k].x[i] *= r[k].scale;\n}",
        ),
        // Hot or not: a check costs little.
        (
            "vectors_of_a_function",
            "void f(int n, float a, const float *x, float *y)\n{\n    \
             for (int i = 0; i < n; i++)\n        y[i] += a * x[i];\n}",
        ),
        // Amounts of shifts that are the same in all iterations.
        (
            "vectors_of_shifts",
            "void f(int n, int by, unsigned *restrict x, float *restrict y)\n{\n    \
             for (int i = 0; i < n; i++)\n        x[i] = (x[i] ^ (x[i] << 13)) >> by;\n}",
        ),
        (
            "vectors_of_conversions",
            "void f(int n, const int *x, float *restrict y)\n{\n    \
             for (int i = 0; i < n; i++)\n        y[i] = x[i] * 0.5f;\n}",
        ),
        // The last iteration is in the first lane.
        (
            "vectors_downwards",
            "void f(int n, const float *x, float *restrict y)\n{\n    \
             for (int i = n - 1; i >= 0; i--)\n        y[i] = x[i] * 2;\n}",
        ),
        (
            "vectors_of_counters",
            "void f(int n, const float *x, float *restrict y)\n{\n    \
             for (int i = 0; i < n; i++)\n        y[i] = x[i] * (float)(i + 1);\n}",
        ),
        // Numbers of iterations have 64 bits, the variable that is made of them has 32.
        (
            "vectors_of_a_simd_loop",
            "void f(int first, int n, const float *x, float *restrict y)\n{\n#pragma omp simd\n    \
             for (int i = first; i < n; i++)\n        y[i] = x[i] * 2;\n}",
        ),
        (
            "vectors_of_an_int_below_a_long",
            "void f(long n, const float *restrict x, float *restrict y)\n{\n#pragma acc kernels\n    \
             for (int i = 0; i < n; i++)\n        y[i] = x[i] * 2;\n}",
        ),
        (
            "vectors_of_an_int_below_a_size",
            "void f(unsigned long n, const float *restrict x, float *restrict y)\n{\n#pragma acc parallel loop\n    \
             for (int i = 0; i < n; i++)\n        y[i] = x[i] * 2;\n}",
        ),
        // Ten loads, and a hundred values.
        (
            "vectors_of_a_stencil",
            "void f(int n, double a[n][n][n], double b[restrict n][n][n])\n{\n    for (int i = 1; i < n - 1; i++)\n        \
             for (int j = 1; j < n - 1; j++)\n            for (int k = 1; k < n - 1; k++)\n                \
             b[i][j][k] = a[i + 1][j][k] - 2 * a[i][j][k] + a[i - 1][j][k] + a[i][j + 1][k] - 2 * a[i][j][k] +\n                    \
             a[i][j - 1][k] + a[i][j][k + 1] - 2 * a[i][j][k] + a[i][j][k - 1] + a[i][j][k];\n}",
        ),
    ] {
        let (found, text) = vectors(name, function, &["-fopenmp"], "vectorize");
        assert!(found > 0, "{name}: {text}");
    }
}

/// Loops over 8 and 16 bits, with the lanes that they get.
#[test]
fn narrow_numbers_are_vectors() {
    for (name, lanes, parameters, iteration) in [
        ("narrow_sums", "i8x16", "unsigned char *restrict a", "a[i] += b[i];"),
        ("narrow_means", "i16x8", "unsigned char *restrict a", "a[i] = (a[i] + b[i] + 1) >> 1;"),
        (
            "narrow_limits",
            "i16x8",
            "unsigned char *restrict a",
            "int t = a[i] + b[i]; a[i] = t > 255 ? 255 : t;",
        ),
        ("narrow_weights", "i16x8", "unsigned char *restrict a", "a[i] = (a[i] * 77 + b[i] * 150) >> 8;"),
        ("narrow_products", "i32x4", "short *restrict a", "a[i] = (a[i] * b[i]) >> 15;"),
        (
            "narrow_distances",
            "i32x4",
            "unsigned char *restrict a",
            "t += a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];",
        ),
        ("narrow_absolutes", "i32x4", "unsigned char *restrict a", "t += abs(a[i] - b[i]);"),
        ("narrow_counts", "i32x4", "char *restrict a", "t += a[i] == ' ' || a[i] == 9;"),
        ("narrow_largest", "i32x4", "unsigned short *restrict a", "m = a[i] > m ? a[i] : m;"),
        ("narrow_numbers", "f32x4", "float *restrict a", "a[i] = b[i] * 0.5f;"),
        ("narrow_words", "i64x2", "long *restrict a", "a[i] += w[i];"),
        ("narrow_choices", "i8x16", "signed char *restrict a", "a[i] = a[i] < c[i];"),
    ] {
        let function = format!(
            "int abs(int);\nlong f(int n, {parameters}, const unsigned char *b, const signed char *c, const int *w)\n{{\n    \
             long t = 0;\n    unsigned m = 0;\n    for (int i = 0; i < n; i++) {{ {iteration} }}\n    return t + m;\n}}"
        );
        let (_, text) = vectors(name, &function, &[], "vectorize");
        assert!(text.contains(&format!(": {lanes}")), "{name}: {text}");
    }
}

/// Iterations that come to what others write: at which distance they may be done at once.
/// Loops of OpenMP, in the function of the team or task that executes them.
#[test]
fn shared_loops_are_vectors() {
    for (name, directive, iteration) in [
        ("omp_sum", "parallel for reduction(+ : s)", "s += x[i] * x[i];"),
        ("omp_sum_of_simd", "simd reduction(+ : s)", "s += x[i];"),
        ("omp_sum_of_global", "simd reduction(+ : total)", "total += x[i];"),
        ("omp_sum_in_chunks", "parallel for schedule(dynamic, 64) reduction(- : s)", "s -= x[i];"),
        ("omp_sum_of_teams", "teams distribute parallel for reduction(+ : s)", "s += x[i];"),
        (
            "omp_sum_of_rows",
            "parallel for collapse(2) reduction(+ : s)",
            "for (int j = 0; j < 8; j++) s += m[i][j];",
        ),
        ("omp_sum_of_some", "parallel for reduction(+ : s)", "if (x[i] > 1) s += x[i];"),
        ("omp_sums", "parallel for reduction(+ : s, t)", "s += x[i]; t += x[i] * y[i];"),
        ("omp_count", "parallel for reduction(+ : count)", "count += x[i] > 1;"),
        ("omp_extreme", "parallel for reduction(max : s)", "s = s > x[i] ? s : x[i];"),
        ("omp_rows", "simd collapse(2)", "for (int j = 0; j < 8; j++) m[i][j] *= 2;"),
        ("omp_task", "taskloop", "y[i] = x[i] * 2;"),
        ("omp_last_value", "simd lastprivate(s)", "y[i] = s = x[i] * 2;"),
        ("omp_linear", "simd linear(k)", "y[k] = x[k] * 2, k++;"),
        ("omp_distances", "simd safelen(4)", "y[i + 4] = y[i] * 2;"),
        (
            "omp_clauses",
            "simd simdlen(4) aligned(x, y : 16) private(t)",
            "t = x[i] * x[i]; y[i] = t + t * t;",
        ),
    ] {
        let function = format!(
            "double total;\nint f(int n, double (*restrict m)[8], const double *restrict x, double *restrict y)\n{{\n    \
             double s = 0, t = 0;\n    int k = 0, count = 0;\n#pragma omp {directive}\n    \
             for (int i = 0; i < n; i++) {{ {iteration} }}\n    return s + t + count + k;\n}}"
        );
        let (count, text) = vectors(name, &function, &["-fopenmp"], "vectorize");
        assert!(count > 0, "{name}: {text}");
    }
}

#[test]
fn streams_of_one_object_are_vectors_where_order_allows() {
    for (to, from, expected) in [
        ("i", "i + 1", true),
        ("i", "i + 90", true),
        ("i + 4", "i", true),
        ("i + 3", "i", false),
        ("i + 1", "i", false),
        ("i - 1", "i", true),
    ] {
        let name = format!("vectors_{to}_{from}").replace([' ', '+', '-'], "_").replace("___", "_");
        let function = format!(
            "float x[999];\nvoid f(int n, float y)\n{{\n    for (int i = 1; i < n; i++)\n        x[{to}] = x[{from}] * y;\n}}"
        );
        let (found, text) = vectors(&name, &function, &[], "vectorize");
        assert_eq!(found > 0, expected, "{to} {from}: {text}");
    }
}

/// What an iteration loads that one before has stored comes from there, unless something may have been stored
/// in between.
#[test]
fn what_earlier_iterations_stored_is_not_loaded() {
    let one = "void f(int n, int *x, int *restrict y, int *z)\n{\n    for (int i = 5; i < n; i++) {\n        BODY\n    }\n}";
    for (n, (body, left)) in [
        ("x[i] = x[i - 1] + y[i];", 1),
        ("x[i] = x[i - 1] ^ x[i - 2];", 0),
        ("x[i] = x[i - 3] + 1;", 1),
        ("x[i + 1] = x[i] + 1; x[i - 3] = 7;", 0),
        ("x[i] = x[i - 1] + 1; x[i] = x[i] + i;", 0),
        ("x[i] = x[i - 1] + 1; z[i] = i;", 1),
        ("x[i] = x[i - 1] + 1; y[i] = i;", 0),
        ("x[i] = x[i - 1] + 1; *(float *)(x + i) = 1;", 0),
        ("x[i] = x[i - 1] + 1; ((char *)x)[4 * i + 5] = 1;", 1),
        ("x[i + z[0]] = x[i + z[0] - 1] + 1;", 2),
    ]
    .into_iter()
    .enumerate()
    {
        let function = one.replace("BODY", body);
        let (_, text) = vectors(&format!("carried_{n}"), &function, &[], "remember");
        let of_loop = text.split("\nbb").filter(|block| block.contains("store.")).collect::<String>();
        assert_eq!(of_loop.matches(" = load ").count(), left, "{body}: {text}");
    }
}

/// Each mention of an element of a row has an address of the row of its own, in front of the loop.
#[test]
fn elements_of_one_row_have_one_base() {
    let relaxed = "void f(double (*b)[90])\n{\n    for (int i = 1; i < 89; i++)\n        for (int j = 1; j < 89; j++)\n            \
                   b[i][j] = (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i - 1][j] + b[i + 1][j]) * 0.2;\n}";
    let (count, text) = vectors("rows_in_place", relaxed, &[], "remember");
    let of_loop = text.split("\nbb").filter(|block| block.contains("store.")).collect::<String>();
    assert_eq!((count, of_loop.matches(" = load ").count()), (0, 4), "{text}");
}

/// A global pointer is loaded in front of the outermost loop that leaves it alone, and has one name there.
#[test]
fn elements_behind_a_global_pointer_have_one_base() {
    let relaxed = "double *a;\nvoid f(void)\n{\n    for (int t = 0; t < 9; t++)\n        for (int i = 1; i < 89; i++)\n            \
                   for (int j = 1; j < 89; j++)\n                \
                   a[i * 90 + j] = (a[i * 90 + j - 1] + a[i * 90 + j + 1]) * 0.5;\n}";
    let (count, text) = vectors("behind_a_global", relaxed, &[], "remember");
    let of_loop = text.split("\nbb").filter(|block| block.contains("store.")).collect::<String>();
    assert_eq!((count, of_loop.matches(" = load ").count()), (0, 1), "{text}");
}

/// An interpreter has its switch at the end of each operation; a switch that nothing comes back to, once.
#[test]
fn loops_of_a_switch_have_it_at_their_ends() {
    let loop_of = |cases: &str| {
        format!(
            "int f(const int *c)\n{{\n    int x = 0;\n    for (;;)\n        switch (*c++) {{\n{cases}\n        \
             default: return x;\n        }}\n}}"
        )
    };
    let operations = "case 0: x += *c++; break;\ncase 1: x *= 3; break;\ncase 2: x ^= *c; break;\n\
                      case 3: x--; break;\ncase 4: x = ~x; break;";
    let switches =
        |name: &str, function: &str| vectors(name, function, &[], "rotate").1.matches("\n  switch ").count();
    assert_eq!(switches("switch_at_ends", &loop_of(operations)), 6);
    assert_eq!(switches("switch_that_leaves", &loop_of(&operations.replace("break", "return x"))), 1);
    assert_eq!(switches("switch_of_four", &loop_of(operations.split_once("case 4").expect("a case").0)), 1);
}

/// A loop with two conditions has the first one at its end, too.
#[test]
fn loops_of_two_conditions_are_tested_at_their_ends() {
    let function = "int f(const char *p, const char *end, char c)\n{\n    int n = 0;\n    \
                    while (p < end && *p != c)\n        n += *p++;\n    return n;\n}";
    let text = vectors("two_conditions", function, &[], "rotate").1;
    assert_eq!(text.matches("= cmp.ult ").count(), 2, "{text}");
}

const SUM: &str = "double f(int n, const double *x)\n{\n    double sum = 0;\n    for (int i = 0; i < n; i++)\n        \
                   sum += x[i];\n    return sum;\n}";

#[test]
fn fast_math_adds_in_any_order() {
    let found = |options: &[&str]| vectors("vectors_sum", SUM, options, "vectorize").0;
    assert_eq!(found(&[]), 0);
    assert!(found(&["-ffast-math"]) > 0);
    assert_eq!(found(&["-ffast-math", "-fno-fast-math"]), 0);
    let of_many = "typedef struct { double a[3][3]; } m;\nvoid g(m *);\nint f(int n, const m *x, float *y)\n{\n    int n_of = 0;\n    \
                   for (int i = 0; i < n; i++) { m c = x[i]; g(&c); n_of += c.a[0][0] > 0; }\n    return n_of;\n}";
    assert_eq!(vectors("vectors_of_calls", of_many, &["-ffast-math"], "vectorize").0, 0);
}

#[test]
fn fast_math_divides_and_rounds_once() {
    let divided = "void f(int n, double d, double *restrict x)\n{\n    for (int i = 0; i < n; i++)\n        \
                   x[i] = x[i] / d * 2 + x[i] / 9;\n}";
    // A processor without the operation has no such pass.
    let last = if is_x86_feature_detected!("fma") { "contract-rest" } else { "choose" };
    let (_, fast) = vectors("vectors_divided", divided, &["-ffast-math"], last);
    let quotients = |text: &str| {
        text.lines().filter(|line| line.contains("= fdiv") && !line.contains("fdiv 1.0f64")).count()
    };
    assert_eq!(quotients(&fast), 0, "{fast}");
    assert_eq!(fast.contains("= fma "), last == "contract-rest", "{fast}");
    let (_, plain) = vectors("vectors_divided", divided, &[], "choose");
    assert!(quotients(&plain) > 1 && !plain.contains("= fma "), "{plain}");
    let (_, apart) = vectors("vectors_divided", divided, &["-ffast-math", "-ffp-contract=off"], "choose");
    assert!(quotients(&apart) == 0 && !apart.contains("= fma "), "{apart}");
    // What goes from one iteration to the next stays a sum: its product is ready before.
    let chain = "double f(int n, const double *x)\n{\n    double y = 0;\n    for (int i = 0; i < n; i++)\n        \
                 if (x[i] > y)\n            y = y + x[i] * x[i + 9];\n    return y;\n}";
    let (_, text) = vectors("vectors_chain", chain, &["-ffast-math"], last);
    assert!(!text.contains("= fma "), "{text}");
}
