//! Programs that are accepted without a diagnostic; GCC 12 accepts them too. Constants are checked by static
//! assertions.

use super::{analyse, reports};

const PROGRAMS: &[&str] = &[r#"
int sum(int n, ...); float sqrtf(float); float fabsf(float); float floorf(float);
const int a = 5; static int b = a;
const double d = 1.5; static double e = d * 2;
struct s { int x; }; const struct s cs = {3}; static int z = cs.x;
int arr[3]; int *const p = arr; int *q = p;
void f(void) { const int n = 4; static int k = n; static int m = n + 1; switch (k) { case 4: ; } }
int vla(int n, int m, double a[n][m], int (*p)[m]) { double t[n][m]; int k = sizeof t; typedef int row[n]; row r; for (int i = 0; i < n; i++) t[i][0] = a[i][0] + p[i][1] + sizeof(row); return k + r[0]; }
int sw(unsigned x) { switch (x) { case 0 ... 4: return 1; case 7: { default: return 2; } case 0xffffffff: return 3; } }
int gen(void) { return _Generic(1.0f, float: 1, double: 2, default: 3) + _Generic("a", char *: 4, const char *: 5) + _Generic(a, int: 1); }
struct bf { unsigned a : 3; int b : 5; unsigned long long c : 40; _Bool d : 1; unsigned : 0; int e; };
int bits(struct bf *p) { p->a += 3; p->b = -1; p->c++; p->d = 2; return p->a + p->b + p->d + (p->c > 4); }
union u { int i; float f; char c[4]; };
union u mk(float f) { return (union u){ .f = f }; }
struct flex { int n; int v[]; }; struct flex fl = { 3, { 1, 2, 3 } };
char s1[] = "hello", s2[3] = "abc", s3[10] = { "x" }, s4[2][4] = { "ab", { 'c', 'd' } };
int m1[] = { [3] = 4, 5, [0] = 1, [10 ... 12] = 7 };
struct { struct { int a, b; } in[2]; int c; } nested = { 1, 2, 3, 4, 5 };
struct { struct { int a, b; } in[2]; int c; } nested2 = { .in[1].b = 5, 6, .in[0] = { 7 } };
int *ip = &arr[2]; char *cp = s1 + 1; int (*fp)(int, ...) = sum; int (*fp2)(int, ...) = &sum; long off = (long)&((struct bf *)0)->e; 
int stmt(int x) { return ({ int y = x; y * 2; }) + ({ if (x) return 3; 0; }); }
int elvis(int x, char *s) { return (x ?: 4) + (s ?: "a")[0]; }
__typeof__(arr) arr2; int x1 = __builtin_constant_p(3) + __builtin_choose_expr(1, 4, "x");
int lab(int x) { static void *t[] = { &&l1, &&l2 }; goto *t[x]; l1: return 1; l2: return 2; }
int kr(a, b, c) int a; float b; char c; { return a + b + c; }
int ov(int a, int b) { int r; return __builtin_add_overflow(a, b, &r) + __builtin_clz(a) + __builtin_popcountll(b) + __sync_fetch_and_add(&arr[0], 1) + __atomic_load_n(&b, 5); }
float fm(float x) { return sqrtf(x) + fabsf(x) + floorf(x); }
extern inline __attribute__((gnu_inline)) int gi(int x) { return x; }
static inline int si(int x) { return gi(x); }
inline int ci(int x) { return si(x); }
__int128 big(__int128 x) { return x * x; }
long double ld(long double x) { return x * 1.5L + 0x1.8p3L; }
_Thread_local int tl = 3; static __thread int tl2;
int dowhile(int n) { do { if (n == 3) continue; if (n == 5) break; } while (n--); while (1) { n++; if (n > 10) break; } for (;;) { goto out; } out: return n; }
void voidp(void *p) { p++; p += 2; void *q = p + 1; (void)(q - p); *(int *)p = 1; }
int cmp(int *a, const int *b, void *c, unsigned u, long l) { return a == b || a < (int *)c || !a || a == 0 || u < l || (a && b) || c == a; }
enum E { A, B = 10, C, D = -1 }; enum E ee = C; enum E2 { BIG = 0x100000000 }; _Static_assert(sizeof(BIG) == 8, ""); _Static_assert(sizeof(enum E2) == 8, "");
int compl(void) { struct s *p = &(struct s){ 4 }; int *q = (int[]){ 1, 2, 3 }; return p->x + q[1]; }
struct s *gp = &(struct s){ 4 }; int *gq = (int[]){ 1, 2, 3 };
int bs(_Bool b, int *p) { b = p; b = 0.5; b++; return b; }
int (*(*fpa[3])(int))[4]; int fa(void) { return (*fpa[0](1))[2]; }
"#];

#[test]
fn valid_programs_are_accepted_in_silence() {
    for program in PROGRAMS {
        let (session, unit) = analyse(program);
        assert!(unit.is_some() && session.sink.list().is_empty(), "{program}\n{:?}", reports(&session));
    }
}

/// The headers that OpenACC programs use, as the system has them.
const HEADERS: &[&str] = &[
    "stdlib.h",
    "stdio.h",
    "openacc.h",
    "assert.h",
    "string.h",
    "math.h",
    "unistd.h",
    "sys/time.h",
    "stdbool.h",
    "stdint.h",
    "omp.h",
    "pthread.h",
    "ctype.h",
    "errno.h",
    "complex.h",
    "limits.h",
    "float.h",
    "time.h",
    "stddef.h",
    "stdarg.h",
];

#[test]
fn headers_are_accepted_in_silence() {
    for header in HEADERS {
        let program = format!("#include <{header}>\nint main(void) {{ return 0; }}");
        let (session, unit) = analyse(&program);
        assert!(unit.is_some() && session.sink.list().is_empty(), "{header}: {:?}", session.sink.list());
    }
}
