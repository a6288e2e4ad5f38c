// options: -fopenmp
// Iterations that wait for single earlier ones: `ordered(n)` with `depend` and `doacross`, with every schedule,
// with steps, nests, unsigned variables and pointers.
#include <stdio.h>

enum { N = 60, M = 40 };

static long grid[N][M], plain[N][M];

// Each element is made of its neighbours above and to the left.
#define WAVEFRONT(SCHEDULE, SINKS)                                                                              \
    do {                                                                                                        \
        for (int i = 0; i < N; i++)                                                                             \
            for (int j = 0; j < M; j++)                                                                         \
                grid[i][j] = i == 0 || j == 0;                                                                  \
        PRAGMA(omp parallel for SCHEDULE)                                                                       \
        for (int i = 1; i < N; i++)                                                                             \
            for (int j = 1; j < M; j++) {                                                                       \
                PRAGMA(omp ordered SINKS)                                                                       \
                grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 10007;                                         \
                PRAGMA(omp ordered depend(source))                                                              \
            }                                                                                                   \
        compare(#SCHEDULE);                                                                                     \
    } while (0)
#define PRAGMA(...) PRAGMA_(__VA_ARGS__)
#define PRAGMA_(...) _Pragma(#__VA_ARGS__)

static void compare(const char *what)
{
    int wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            wrong += grid[i][j] != plain[i][j];
    printf("%s: %d\n", what, wrong);
}

static void wavefronts(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            plain[i][j] = i == 0 || j == 0 ? 1 : (plain[i - 1][j] + plain[i][j - 1]) % 10007;
    WAVEFRONT(ordered(2), depend(sink: i - 1, j) depend(sink: i, j - 1));
    WAVEFRONT(ordered(2) schedule(static, 1), depend(sink: i - 1, j));
    WAVEFRONT(ordered(2) schedule(dynamic), depend(sink: i - 1, j));
    WAVEFRONT(ordered(2) schedule(dynamic, 7), depend(sink: i - 1, j));
    WAVEFRONT(ordered(2) schedule(guided, 2), depend(sink: i - 1, j));
    WAVEFRONT(ordered(2) schedule(runtime), depend(sink: i - 1, j));
    WAVEFRONT(ordered(2) collapse(2) schedule(static, 3), depend(sink: i - 1, j) depend(sink: i, j - 1));
    WAVEFRONT(ordered(2) collapse(2) schedule(dynamic, 5), depend(sink: i - 1, j) depend(sink: i, j - 1));
    WAVEFRONT(ordered(2) collapse(2) schedule(guided), depend(sink: i - 1, j) depend(sink: i, j - 1));
}

static void chains(void)
{
    long values[N] = { 1 };
    // Some iterations leave early and are done then; the first ones have nothing to wait for.
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (unsigned i = 1; i < N; i++) {
        values[i] = 1;
        if (i % 5 == 0)
            continue;
#pragma omp ordered depend(sink: i - 3)
        values[i] = i < 3 ? 1 : values[i - 3] * 3 % 1009;
#pragma omp ordered depend(source)
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 7 % 100003 + values[i];
    printf("%ld\n", sum);

    // Down, in steps, with a sink that is no iteration and one that is a later one.
    int last = -1, order[N], count = 0;
#pragma omp parallel for ordered(1) schedule(dynamic, 2) lastprivate(last)
    for (int i = N - 1; i >= 0; i -= 3) {
#pragma omp ordered depend(sink: i + 3)
        order[count++] = last = i;
#pragma omp ordered depend(source)
    }
    printf("%d %d %d %d\n", count, order[0], order[count - 1], last);

    // Pointers count elements.
    int *p, chain[N] = { 2 };
#pragma omp parallel for ordered(1) schedule(static, 2)
    for (p = chain + 1; p < chain + N; p++) {
#pragma omp ordered depend(sink: p - 1)
        *p = (p[-1] * 5 + 1) % 8191;
#pragma omp ordered depend(source)
    }
    printf("%d\n", chain[N - 1]);
}

static void deep(void)
{
    static int done[8][6][10];
    int i, j, k, wrong = 0, rows = 6;
#pragma omp parallel for collapse(2) ordered(3) schedule(dynamic, 3) lastprivate(i, j, k) reduction(+ : wrong)
    for (i = 0; i < 8; i++)
        for (j = rows - 1; j >= 0; j--)
            for (k = 1; k < 10; k += 2) {
#pragma omp ordered depend(sink: i - 1, j + 1, k - 2) depend(sink: i, j, k - 2)
                if (i > 0 && j < 5 && k > 2) {
                    int before;
#pragma omp atomic read
                    before = done[i - 1][j + 1][k - 2];
                    wrong += before != 1;
                }
#pragma omp atomic write
                done[i][j][k] = 1;
#pragma omp ordered depend(source)
            }
    printf("%d %d %d %d\n", i, j, k, wrong);
    // Nothing is executed, and the loops behind go on.
#pragma omp parallel
    {
#pragma omp for ordered(2) nowait
        for (int a = 0; a < rows; a++)
            for (int b = rows; b < 6; b++) {
#pragma omp ordered depend(sink: a - 1, b)
#pragma omp ordered depend(source)
            }
#pragma omp for ordered(1) nowait
        for (int a = rows; a < 3; a++) {
#pragma omp ordered depend(sink: a - 1)
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1)
        for (int a = 0; a < 30; a++) {
#pragma omp ordered depend(sink: a - 1)
            rows = rows * 3 % 1000 + a;
#pragma omp ordered depend(source)
        }
        // Without a number, `ordered` is about the loops of `collapse`.
#pragma omp for ordered
        for (int a = 0; a < 30; a++) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
            rows = rows * 3 % 1000 + a;
#pragma omp ordered doacross(source : omp_cur_iteration)
        }
    }
    printf("%d\n", rows);
}

int main(void)
{
    wavefronts();
    chains();
    deep();
    return 0;
}
