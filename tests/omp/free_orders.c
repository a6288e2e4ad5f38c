// options: -fopenmp

// Sums, products and extremes of loops that threads, teams and tasks share, or that are `simd`: each number is exact, so
// that any order gives the same; of every number of iterations that leaves another rest.
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { N = 150 };

static double x[N], y[N];
static float f[N];
static int k[N];
static double total;
static float complex z[N];

static void check(const char *what, int n, double is, double should) {
    if (is != should) printf("%s of %d: %g, not %g\n", what, n, is, should);
}

static void sums(int n) {
    double s = 3, a = 0, b = 0, c = 0, should[6] = {3, 0, 0, 0, 0, 0};
    float single = 0;
    float complex w = 0;
    for (int i = 0; i < n; i++) {
        should[0] += x[i] * y[i];
        should[1] += x[i];
        should[2] += y[i] > 0 ? y[i] : 0;
        should[3] += y[i] > 0;
        should[4] += f[i];
        should[5] += crealf(z[i]) - cimagf(z[i]);
    }
    long count = 0;
    int narrow = 0;
    total = 3;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    check("dot", n, s, should[0]);
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 7)
    for (int i = n - 1; i >= 0; i--) total += x[i] * y[i];
    check("dot in a global", n, total, should[0]);
    total = 3;
#pragma omp simd reduction(+ : total)
    for (int i = 0; i < n; i++) total += x[i] * y[i];
    check("simd dot in a global", n, total, should[0]);
#pragma omp parallel for simd reduction(+ : a, b) reduction(- : c) reduction(+ : count, narrow)
    for (const double *p = x; p < x + n; p++) {
        a += *p;
        if (y[p - x] > 0) b += y[p - x];
        c -= *p;
        count += y[p - x] > 0;
        narrow += y[p - x] > 0;
    }
    check("sum", n, a, should[1]);
    check("sum of some", n, b, should[2]);
    check("difference", n, c, -should[1]);
    check("count", n, count, should[3]);
    check("narrow count", n, narrow, should[3]);
#pragma omp parallel
    {
#pragma omp for reduction(+ : single) nowait
        for (int i = 0; i < n; i++) single += f[i];
#pragma omp for reduction(+ : w)
        for (int i = 0; i < n; i++) w += z[i];
    }
    check("sum of floats", n, single, should[4]);
    check("sum of complex numbers", n, crealf(w) - cimagf(w), should[5]);
    a = b = c = 0;
#pragma omp teams distribute parallel for reduction(+ : a)
    for (int i = 0; i < n; i++) a += x[i];
#pragma omp parallel loop reduction(+ : b)
    for (int i = 0; i < n; i++) b += x[i];
#pragma omp parallel
#pragma omp single
#pragma omp taskloop simd reduction(+ : c)
    for (int i = 0; i < n; i++) c += x[i];
    check("sum of teams", n, a, should[1]);
    check("sum of a loop", n, b, should[1]);
    check("sum of tasks", n, c, should[1]);
}

static void extremes(int n) {
    double least = 1e3, most = -1e3, largest = -INFINITY, product = 1, should[4] = {1e3, -1e3, -INFINITY, 1};
    int all = 1, any = 0, should_all = 1, should_any = 0;
    for (int i = 0; i < n; i++) {
        should[0] = fmin(should[0], x[i]);
        should[1] = fmax(should[1], x[i]);
        should[2] = fmax(should[2], fabs(y[i]));
        should[3] *= y[i] < 0 ? -2 : 0.5;
        should_all &= k[i];
        should_any |= k[i] > 40;
    }
#pragma omp parallel for reduction(min : least) reduction(max : most, largest)
    for (int i = 0; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        if (x[i] > most) most = x[i];
        largest = fmax(largest, fabs(y[i]));
    }
    check("least", n, least, should[0]);
    check("most", n, most, should[1]);
    check("largest", n, largest, should[2]);
#pragma omp parallel for reduction(* : product) reduction(& : all) reduction(|| : any)
    for (int i = 0; i < n; i++) {
        product *= y[i] < 0 ? -2 : 0.5;
        all &= k[i];
        any = any || k[i] > 40;
    }
    check("product", n, product, should[3]);
    check("all", n, all, should_all);
    check("any", n, any, should_any);
    double near_zero = -1;
#pragma omp simd reduction(max : near_zero)
    for (int i = 0; i < n; i++) near_zero = near_zero < x[i] * 0 ? x[i] * 0 : near_zero;
    check("zero", n, near_zero, n ? 0 : -1);
}

// What iterations of two loops have in common, and what the last one leaves.
static void nests(int rows, int columns) {
    static double grid[N][12], twice[N][12];
    double s = 0, should = 0, last = -1, square = -1;
    int i = -1, j = -1, steps = 5, far = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) should += grid[i][j] = i * 3 - j;
#pragma omp parallel for collapse(2) reduction(+ : s) lastprivate(last) schedule(static, 5)
    for (int i = rows - 1; i >= 0; i--)
        for (int j = 0; j < columns; j++) {
            s += grid[i][j];
            twice[i][j] = last = grid[i][j] * 2;
        }
    check("sum of rows", rows * 100 + columns, s, should);
    if (rows && columns) check("last of rows", rows * 100 + columns, last, twice[0][columns - 1]);
    s = 0;
#pragma omp simd collapse(2) reduction(+ : s) lastprivate(square) linear(steps : 2)
    for (i = 0; i < rows; i++)
        for (j = 0; j < columns; j++) {
            s += twice[i][j];
            square = grid[i][j] * grid[i][j];
            far = steps;
            steps += 2;
        }
    int any = rows && columns;
    check("sum of twice", rows * 100 + columns, s, should * 2);
    if (any) check("square", rows * 100 + columns, square, pow(grid[rows - 1][columns - 1], 2));
    if (any) check("far", rows * 100 + columns, far, 5 + 2 * (rows * columns - 1));
    check("steps", rows * 100 + columns, steps, 5 + 2 * rows * columns);
    if (any) check("counters", rows * 100 + columns, i * 1000 + j, rows * 1000 + columns);
}

int main(void) {
    for (int i = 0; i < N; i++) {
        x[i] = i * 37 % 101 - 50;
        y[i] = i * 53 % 67 - 33;
        f[i] = i * 29 % 31;
        k[i] = i % 50 | 1;
        z[i] = i % 7 - i % 5 * I;
    }
    for (int n = 0; n <= N; n++) sums(n);
    for (int n = 0; n <= N; n++) extremes(n);
    for (int rows = 0; rows <= 9; rows++)
        for (int columns = 0; columns <= 12; columns++) nests(rows, columns);
    printf("done\n");
    return 0;
}
