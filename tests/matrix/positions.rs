//! Where the reduction stands: one template of a test function per position.
//!
//! In a template `@T` is the type, `@w` its word in identifiers, `@o` the operator. `@update` folds element
//! `i` of both inputs into `s` and `t`; `@compare(TOTAL)` compares `s` and `t` with serial results over TOTAL
//! elements, `@compare_rows` does so for every row of `m` elements. Every template is right for any number of
//! gangs: what is executed gang-redundantly either writes the same value in each gang or stands under
//! `num_gangs(1)`.

use crate::generate::{Operator, Type};

/// A place for a reduction.
#[derive(Debug)]
pub struct Position {
    /// As a word of a test's name.
    pub name: &'static str,
    /// Extents (outer, middle, inner) of the calls; 0 stands for the trip count under test.
    pub shapes: &'static [[u32; 3]],
    /// Comparisons in one call.
    pub checks: u32,
    template: &'static str,
}

impl Position {
    /// The test function for an operator on a type.
    pub fn function(&self, operator: Operator, ty: Type) -> String {
        let update = format!(
            "{} {}",
            operator.update("s", &format!("a_{}[i]", ty.word)),
            operator.update_reading(ty, "t", &format!("b_{}[i]", ty.word)),
        );
        self.template
            .replace("@update", &update)
            .replace("@into_outer", &format!("{} {}", operator.update("p", "s"), operator.update("q", "t")))
            .replace("@inner_first", &operator.inner_start("first_@w"))
            .replace("@inner_second", &operator.inner_start("second_@w"))
            .replace("@compare_rows", COMPARE_ROWS)
            .replace("@compare(", "COMPARE_@w(")
            .replace("@T", ty.spelling)
            .replace("@w", ty.word)
            .replace("@o", operator.spelling())
            .replace(&format!("COMPARE_{}(", ty.word), &format!("COMPARE({}, ", ty.word))
    }
}

/// The macro behind `@compare`.
pub const COMPARE: &str = "\
#define COMPARE(word, total) \\
    do { \\
        checks += 2; \\
        if (s != serial_##word(first_##word, a_##word, total)) \\
            differ(#word, total, 1); \\
        if (t != serial_##word(second_##word, b_##word, total)) \\
            differ(#word, total, 2); \\
    } while (0)
";

const COMPARE_ROWS: &str = "\
for (int g = 0; g < n; g++) {
        checks += 2;
        if (out_s[g] != serial_@w(first_@w, a_@w + g * m, m))
            differ(\"@w\", m, 1);
        if (out_t[g] != serial_@w(second_@w, b_@w + g * m, m))
            differ(\"@w\", m, 2);
    }";

const FLAT: &[[u32; 3]] = &[[0, 1, 1]];
const ROWS: &[[u32; 3]] = &[[3, 0, 1]];
const NEST: &[[u32; 3]] = &[[0, 2, 3], [2, 0, 3], [2, 3, 0]];

/// One loop in a `parallel loop`, with the given levels and clauses.
macro_rules! flat {
    ($name:literal, $directive:literal) => {
        Position {
            name: $name,
            shapes: FLAT,
            checks: 2,
            template: concat!(
                "static void test_@w(int n, int m, int k)\n{\n    @T s = first_@w, t = second_@w;\n#pragma acc ",
                $directive,
                " copyin(a_@w, b_@w)\n    for (int i = 0; i < n; i++) {\n        @update\n    }\n    @compare(n);\n}\n"
            ),
        }
    };
}

/// Rows over gangs, each with accumulators of its own; the inner loop has the given levels.
macro_rules! rows {
    ($name:literal, $levels:literal) => {
        Position {
            name: $name,
            shapes: ROWS,
            checks: 6,
            template: concat!(
                "static void test_@w(int n, int m, int k)\n{\n    @T out_s[3], out_t[3];\n\
                 #pragma acc parallel loop gang copyin(a_@w, b_@w) copyout(out_s, out_t) num_workers(4) \
                 vector_length(32)\n    for (int g = 0; g < n; g++) {\n        \
                 @T s = first_@w, t = second_@w;\n#pragma acc loop ",
                $levels,
                " reduction(@o:s) reduction(@o:t)\n        for (int j = 0; j < m; j++) {\n            \
                 int i = g * m + j;\n            @update\n        }\n        out_s[g] = s;\n        \
                 out_t[g] = t;\n    }\n    @compare_rows\n}\n"
            ),
        }
    };
}

/// One loop in gang-redundant code of one gang, onto variables that a data clause maps.
macro_rules! copy_object {
    ($name:literal, $levels:literal) => {
        Position {
            name: $name,
            shapes: FLAT,
            checks: 2,
            template: concat!(
                "static void test_@w(int n, int m, int k)\n{\n    @T s = first_@w, t = second_@w;\n\
                 #pragma acc parallel num_gangs(1) num_workers(4) vector_length(32) copy(s, t) copyin(a_@w, b_@w)\n    \
                 {\n#pragma acc loop ",
                $levels,
                " reduction(@o:s,t)\n        for (int i = 0; i < n; i++) {\n            @update\n        }\n    \
                 }\n    @compare(n);\n}\n"
            ),
        }
    };
}

/// An orphaned loop in a routine, called for each row of a gang loop.
macro_rules! routine {
    ($name:literal, $level:literal, $levels:literal) => {
        Position {
            name: $name,
            shapes: ROWS,
            checks: 6,
            template: concat!(
                "#pragma acc routine ",
                $level,
                "\nstatic void rows_@w(const @T *a_@w, const @T *b_@w, int n, @T *out_s, @T *out_t)\n{\n    \
                 @T s = first_@w, t = second_@w;\n#pragma acc loop ",
                $levels,
                " reduction(@o:s,t)\n    for (int i = 0; i < n; i++) {\n        @update\n    }\n    \
                 *out_s = s;\n    *out_t = t;\n}\n\
                 static void test_@w(int n, int m, int k)\n{\n    @T out_s[3], out_t[3];\n\
                 #pragma acc parallel loop gang copyin(a_@w, b_@w) copyout(out_s, out_t)\n    \
                 for (int g = 0; g < n; g++)\n        \
                 rows_@w(a_@w + g * m, b_@w + g * m, m, &out_s[g], &out_t[g]);\n    @compare_rows\n}\n"
            ),
        }
    };
}

/// All positions.
pub const POSITIONS: [Position; 26] = [
    flat!("gang", "parallel loop gang reduction(@o:s,t)"),
    flat!("gang-worker", "parallel loop gang worker reduction(@o:s) reduction(@o:t) copy(s, t)"),
    flat!("gang-vector", "parallel loop gang vector reduction(@o:s,t) num_gangs(5) vector_length(64)"),
    flat!("gang-worker-vector", "parallel loop gang worker vector reduction(@o:s,t) num_workers(3)"),
    flat!("unnamed-levels", "parallel loop reduction(@o:s,t)"),
    flat!("serial", "serial loop reduction(@o:s,t)"),
    flat!("kernels", "kernels loop independent reduction(@o:s,t)"),
    rows!("worker", "worker"),
    rows!("vector", "vector"),
    rows!("worker-vector", "worker vector"),
    copy_object!("worker-copy", "worker"),
    copy_object!("vector-copy", "vector"),
    copy_object!("worker-vector-copy", "worker vector"),
    routine!("routine-vector", "vector", "vector"),
    routine!("routine-worker", "worker", "worker"),
    routine!("routine-worker-vector", "worker", "worker vector"),
    Position {
        name: "worker-private",
        shapes: FLAT,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T s = 0, t = 0, out_s = 0, out_t = 0;
#pragma acc parallel private(s, t) num_workers(4) copyin(a_@w, b_@w) copyout(out_s, out_t)
    {
        s = first_@w;
        t = second_@w;
#pragma acc loop worker reduction(@o:s,t)
        for (int i = 0; i < n; i++) {
            @update
        }
        out_s = s;
        out_t = t;
    }
    s = out_s;
    t = out_t;
    @compare(n);
}
",
    },
    Position {
        name: "nest-one-accumulator",
        shapes: NEST,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T s = first_@w, t = second_@w;
#pragma acc parallel copy(s, t) copyin(a_@w, b_@w) num_workers(4) vector_length(32)
#pragma acc loop gang reduction(@o:s,t)
    for (int x = 0; x < n; x++) {
#pragma acc loop worker reduction(@o:s,t)
        for (int y = 0; y < m; y++) {
#pragma acc loop vector reduction(@o:s,t)
            for (int z = 0; z < k; z++) {
                int i = (x * m + y) * k + z;
                @update
            }
        }
    }
    @compare(n * m * k);
}
",
    },
    Position {
        name: "nest-successive-loops",
        shapes: NEST,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T s = first_@w, t = second_@w;
#pragma acc parallel loop gang reduction(@o:s,t) copy(s, t) copyin(a_@w, b_@w) num_workers(4)
    for (int x = 0; x < n; x++) {
#pragma acc loop worker reduction(@o:s,t)
        for (int y = 0; y < m; y++) {
            int i = x * (m + k) + y;
            @update
        }
#pragma acc loop vector reduction(@o:s,t)
        for (int z = 0; z < k; z++) {
            int i = x * (m + k) + m + z;
            @update
        }
    }
    @compare(n * (m + k));
}
",
    },
    Position {
        name: "nest-own-accumulators",
        shapes: NEST,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T p = first_@w, q = second_@w;
#pragma acc parallel loop gang reduction(@o:p,q) copyin(a_@w, b_@w) num_workers(4) vector_length(32)
    for (int x = 0; x < n; x++) {
        @T s = @inner_first, t = @inner_second;
#pragma acc loop worker vector collapse(2) reduction(@o:s,t)
        for (int y = 0; y < m; y++)
            for (int z = 0; z < k; z++) {
                int i = (x * m + y) * k + z;
                @update
            }
        @into_outer
    }
    @T s = p, t = q;
    @compare(n * m * k);
}
",
    },
    Position {
        name: "gang-worker-outer-vector-inner",
        shapes: NEST,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T s = first_@w, t = second_@w;
#pragma acc parallel loop gang worker reduction(@o:s,t) copyin(a_@w, b_@w) copy(s, t)
    for (int x = 0; x < n; x++) {
#pragma acc loop vector reduction(@o:s,t)
        for (int y = 0; y < m * k; y++) {
            int i = x * m * k + y;
            @update
        }
    }
    @compare(n * m * k);
}
",
    },
    Position {
        name: "parallel-with-inner-gang-loop",
        shapes: FLAT,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T s = first_@w, t = second_@w;
#pragma acc parallel reduction(@o:s,t) copyin(a_@w, b_@w) num_gangs(4)
    {
#pragma acc loop gang reduction(@o:s,t)
        for (int i = 0; i < n; i++) {
            @update
        }
    }
    @compare(n);
}
",
    },
    Position {
        name: "gang-loop-beside-parallel",
        shapes: FLAT,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T s = first_@w, t = second_@w;
    unsigned char low = 200;
#pragma acc parallel copy(s) reduction(min:low) reduction(@o:t) copyin(a_@w, b_@w)
    {
#pragma acc loop gang reduction(@o:s,t) reduction(min:low)
        for (int i = 0; i < n; i++) {
            @update
            if (i + 7 < low)
                low = i + 7;
        }
    }
    if (low != (n ? 7 : 200))
        differ(\"low\", n, 3);
    @compare(n);
}
",
    },
    Position {
        name: "successive-gang-loops-beside-parallel",
        shapes: NEST,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T s = first_@w, t = second_@w;
    int high[5] = {-1, -1, -1, -1, -1};
#pragma acc parallel copy(s, t) reduction(max:high) copyin(a_@w, b_@w)
    {
#pragma acc loop gang worker reduction(@o:s,t)
        for (int x = 0; x < n; x++)
#pragma acc loop vector reduction(@o:s,t)
            for (int y = 0; y < m; y++) {
                int i = x * m + y;
                @update
            }
#pragma acc loop gang vector reduction(max:high)
        for (int z = 0; z < 5 * k; z++)
            if (z > high[z % 5])
                high[z % 5] = z;
    }
    if (k ? high[0] != 5 * k - 5 || high[4] != 5 * k - 1 : high[0] != -1 || high[4] != -1)
        differ(\"high\", k, 3);
    @compare(n * m);
}
",
    },
    Position {
        name: "seq-inside",
        shapes: NEST,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T s = first_@w, t = second_@w;
#pragma acc parallel loop gang worker reduction(@o:s,t) copyin(a_@w, b_@w)
    for (int x = 0; x < n; x++) {
#pragma acc loop seq
        for (int y = 0; y < m; y++)
            for (int z = 0; z < k; z++) {
                int i = (x * m + y) * k + z;
                @update
            }
    }
    @compare(n * m * k);
}
",
    },
    Position {
        name: "collapse",
        shapes: NEST,
        checks: 2,
        template: "\
static void test_@w(int n, int m, int k)
{
    @T s = first_@w, t = second_@w;
#pragma acc parallel loop collapse(3) gang vector reduction(@o:s,t) copyin(a_@w, b_@w)
    for (int x = 0; x < n; x++)
        for (int y = 0; y < m; y++)
            for (int z = 0; z < k; z++) {
                int i = (x * m + y) * k + z;
                @update
            }
    @compare(n * m * k);
}
",
    },
];
